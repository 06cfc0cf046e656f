/* The interface between the entry code, the objects of one model, and the loader. */

#ifndef TILEWRIGHT_ENTRY_H
#define TILEWRIGHT_ENTRY_H

#include <stdint.h>

#include "packed.h"
#include "pool.h"

/* ---- what each model defines; codegen/entry.py writes all of it but the functions ------------ */

/* One argument. A size in `shape` is a number, or -1 - n: entry n of the table of sizes. `bytes`
 * counts the elements of one combination of such sizes. */
struct tw_spec {
    const char *name;
    const char *text; /* dtype and shape, for messages */
    const int64_t *shape;
    int64_t bytes;
    int64_t alignment;
    int32_t rank;
    uint32_t dtype;
    int32_t past; /* of an output: the input whose rows it continues, perhaps in place; or -1 */
    int32_t stage; /* from which on its sizes are known */
};

/* The largest value of a size that the model does not limit; MOST in dialects/shape.py. */
static const int64_t TW_UNLIMITED = (int64_t)1 << 40;

/* A symbolic size. Its value is (size - offset) / factor for the size of one dimension of an
 * argument, and lies in least..most. Computed symbols are the last ones: main computes them, in this
 * order, and the next stage of main begins after each one; `argument` is then -1. `bound` is the
 * largest value of such a symbol: a number, TW_UNLIMITED, or -1 - n: entry n of the table of sizes. */
struct tw_symbol {
    int64_t least;
    int64_t most;
    int64_t factor;
    int64_t offset;
    int64_t bound;
    int32_t argument;
    int32_t axis;
};

/* A symbol, or an expression that is a size of an argument, limited, or a bound; the node that needs
 * its limits, or "", the symbols that occur in it, its smallest and largest value, and the stage of
 * main that computes it. */
struct tw_expression {
    const char *text;
    const char *node;
    const int32_t *symbols;
    int64_t count;
    int64_t least;
    int64_t most;
    int32_t stage;
};

struct tw_call;

/* The address of the first element of an argument; behind the last argument the table of sizes, then
 * the call. */
union tw_slot {
    char *address;
    int64_t *sizes;
    struct tw_call *call;
};

/* NUL-terminated texts, for messages. */
extern const char tw_name[] TW_HIDDEN;
extern const char tw_signature[] TW_HIDDEN;

extern const struct tw_spec tw_specs[] TW_HIDDEN; /* inputs first, then outputs */
extern const int32_t tw_inputs TW_HIDDEN;         /* number of inputs */
extern const int32_t tw_arguments TW_HIDDEN;      /* number of all arguments */
extern const int64_t tw_weights_bytes TW_HIDDEN;
extern const int64_t tw_arena_bytes TW_HIDDEN; /* a multiple of 64; unused with symbols */
extern const int32_t tw_max_threads TW_HIDDEN;
extern const int32_t tw_device_type TW_HIDDEN; /* DLPack's; arguments are in memory of the CPU or of it */

/* The table of sizes of a call: the symbols, the other expressions, the bytes of the block of the
 * arena of each stage (multiples of 64), then what main uses. */
extern const struct tw_symbol tw_symbols[] TW_HIDDEN;
extern const struct tw_expression tw_expressions[] TW_HIDDEN;
extern const int32_t tw_symbol_count TW_HIDDEN;
extern const int32_t tw_given_count TW_HIDDEN; /* symbols that the arguments give */
extern const int32_t tw_expression_count TW_HIDDEN; /* with the symbols */
extern const int32_t tw_size_count TW_HIDDEN;       /* entries of the table */

/* Compute the entries of the table that are known from a stage of main on, and not before. Return 1 if
 * one leaves the 64 bits, 2 if an intermediate result would have a negative size, else 0. */
int32_t tw_derive(int64_t *sizes, int32_t stage) TW_HIDDEN;

/* The compiled main function. Return 0, -1 for a reported error, or another status. */
int32_t tw_run(union tw_slot *arguments, void *arena, int32_t threads) TW_HIDDEN;

/* ---- what the entry offers to the code of the model ------------------------------------------ */

/* Begin a stage of main, the next one, whose computed symbol has this value: fill the table of sizes,
 * check or allocate the outputs whose sizes are known now, and return the block of the arena of the
 * stage. Return null after reporting an error. */
char *tw_bind(union tw_slot *slots, int32_t stage, int64_t value) TW_HIDDEN;

/* Begin a stage as tw_bind does, but return the bytes of its block of the arena, or -1 to end main. */
int64_t tw_begin_stage(struct tw_call *call, int32_t stage, int64_t value) TW_HIDDEN;

/* Return the slots with the addresses that the caller of a call has passed. */
const union tw_slot *tw_slots_of(const struct tw_call *call) TW_HIDDEN;

/* Return where the stream of a call is that its caller has passed; null: the call has none. */
void *const *tw_stream_of(const struct tw_call *call) TW_HIDDEN;

/* Check the arguments of a call and run it on a stream of the device; return 0 or -1. */
int32_t tw_enter_on(void *const *stream, const struct tw_value *args, int32_t count) TW_HIDDEN;

/* Return the number of the device in whose memory an argument of a call is; -1: memory of the CPU. */
int32_t tw_device_of(const union tw_slot *slots, int32_t index) TW_HIDDEN;

/* An index tensor; lowering/main/index_checks.py writes the constants, and the code that scans it. */
struct tw_check {
    const char *place;
    const int64_t *shape;
    int64_t rank;
    int64_t elements;
    int64_t columns; /* numbers of bounds: consecutive elements have the bounds in turn */
    int64_t sign;    /* -1 if negative indices count from the end, else 0 */
};

/* Report that index `got`, element `position` of a tensor, is outside low..high. Return -1. */
int32_t tw_fail_index(
    const struct tw_check *check, int64_t position, int64_t got, int64_t low, int64_t high)
    TW_HIDDEN;

/* The packed function in place of one that no host has set; its handle is the name to report. */
tw_packed_function tw_missing_function TW_HIDDEN;

/* ---- slots that the loader fills before the first call --------------------------------------- */

typedef void tw_report(const char *kind, const char *message);

extern void *__tw_weights;           /* base address; null: an exported library loads them */
extern int32_t __tw_running;         /* runs that may read the weights of this address */
extern tw_pool *__tw_pool;           /* parallel-for; null runs everything serially */
extern int32_t __tw_default_threads; /* threads of __tvm_ffi_main */
extern tw_report *__tw_raise;        /* our own loader's function */
extern tw_report *__TVMFFIErrorSetRaisedFromCStr; /* the same, filled by TVM's loader */
extern void *__tvm_ffi__library_ctx;

/* ---- what the module exports ----------------------------------------------------------------- */

enum { TW_MESSAGE_BYTES = 1024 };

extern char __tw_last_error[TW_MESSAGE_BYTES]; /* text of the last error, any thread */
extern const int32_t __tw_abi_version;

tw_packed_function __tvm_ffi_main;
tw_packed_function __tvm_ffi_default;

/* The first argument is the number of threads; the rest is as for __tvm_ffi_main. */
tw_packed_function __tw_main_threads;

/* Return memory for output number `output` of this shape, row by row without gaps, aligned as its
 * elements; null if there is none. */
typedef void *tw_allocate(void *context, int32_t output, const int64_t *shape);

/* The arguments are the number of threads, a tw_allocate and its context as opaque pointers, then the
 * inputs. The function is called once for each output, on the calling thread, as soon as main knows
 * the shape. */
tw_packed_function __tw_main_allocating;

/* The arguments are the inputs, then an int64 tensor that receives the sizes of all outputs. Sizes that
 * main computes are their largest values, if all of these have one; else main runs until it has
 * computed them. */
tw_packed_function __tw_output_shapes;
tw_packed_function __tvm_ffi_main_output_shapes; /* the same, by a name that all hosts find */

/* Return the arguments of main, the inputs first, and store the number of inputs and of all. */
const struct tw_spec *__tw_arguments(int32_t *inputs, int32_t *arguments);

/* The arguments are the inputs; the result is the number of bytes of the arena of such a call, with
 * the largest values of sizes that main computes. It is an error if one of these has none. */
tw_packed_function __tw_arena_bytes;

/* Free the kept arenas and unmap weights: for a loader that unloads the module. */
void __tw_release(void);

/* ---- what the entry offers to the parts above it --------------------------------------------- */

/* Report an error to the host. Return -1. */
int32_t tw_fail(const char *kind, const char message[TW_MESSAGE_BYTES]) TW_HIDDEN;

/* ---- what the weights of an exported library replace (weights.c) ----------------------------- */

/* Load the weights, unless they are loaded; return 0, or -1 after reporting an error. The entry has
 * a weak one for code that is not exported, which reports that the weights are missing. */
int32_t __tw_load_weights(void);

/* Unmap the weight file: when the module is unloaded. The weak one of the entry does nothing. */
void tw_unload_weights(void) TW_HIDDEN;

/* Free what idle calls hold on the device (device.c); the entry has a weak one, which does nothing. */
void tw_release_device(void) TW_HIDDEN;

#endif
