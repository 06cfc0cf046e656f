/* The C runtime: what a program without Python needs to load and call compiled models.
 *
 * In: libraries that `Module.export_library` writes, and functions and devices of the program. Out:
 * packed functions, tensors and errors. Compile tilewright.c with the program, as C99; it needs only
 * libc. With TW_BARE defined it needs no heap, no threads and no libc; the parts marked "hosted" are
 * then absent, and tensors take their memory from an arena.
 *
 * A function that can fail returns 0, or -1 after it has set the error of the calling thread.
 * Functions may be called from several threads, except that registration of devices, the trace hook
 * and the arena of a bare build are set before other threads start.
 */

#ifndef TILEWRIGHT_H
#define TILEWRIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "packed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---------------------------------------------------------------------------------- */

enum { TW_KIND_BYTES = 32, TW_ERROR_BYTES = 1024 };

/* The kind ("ValueError") and message of the calling thread's last error; empty if it had none. */
const char *tw_error_kind(void);
const char *tw_error_message(void);

/* Set the error: in a packed function of the program, before it returns -1. Longer texts are cut. */
void tw_set_error(const char *kind, const char *message);
void tw_clear_error(void);

/* ---- functions ------------------------------------------------------------------------------- */

/* A packed function with the handle that it takes; `name` is for errors and the trace hook. */
struct tw_function {
    const char *name;
    tw_packed_function *call;
    void *self;
};

/* Call a function. Before the call, *result becomes None. */
int32_t tw_call(const struct tw_function *function, const struct tw_value *args, int32_t count,
    struct tw_value *result);

/* Register a function of the program. The name is not copied: it must stay valid. An existing name
 * is an error, unless is_override is not 0. */
int32_t tw_register(const struct tw_function *function, int32_t is_override);
int32_t tw_remove(const char *name);

/* Find a registered function. The error of an unknown name names the nearest one. */
int32_t tw_find(const char *name, struct tw_function *found);

/* Store up to `room` registered names, in the order of registration; return how many there are. */
int32_t tw_list(const char **names, int32_t room);

/* A program with a registry of its own, such as Python. `add` takes each registered function, and `find`
 * is asked for names that are not registered here; both return 0, or -1 for an error. `report` gets
 * each error that is set, and empty texts when it is cleared. */
struct tw_host {
    int32_t (*add)(const struct tw_function *function, int32_t is_override);
    int32_t (*find)(const char *name, struct tw_function *found);
    void (*report)(const char *kind, const char *message);
};

/* Share functions with a host, which must stay valid: those registered so far and later ones. Before
 * other threads use the registry. */
int32_t tw_set_host(const struct tw_host *host);

/* Called before (is_end 0) and after (is_end 1) each tw_call. A null hook turns tracing off. */
typedef void tw_trace(void *self, const struct tw_function *function, int32_t is_end);
void tw_set_trace(tw_trace *hook, void *self);

/* ---- devices --------------------------------------------------------------------------------- */

/* The functions of a kind of device. Memory is allocated for a device number and aligned to 64
 * bytes; `allocate` returns null if there is none. `copy` copies between two addresses of which one
 * or both are on this device; it returns 0, or -1 with an error set. */
struct tw_device {
    const char *name;
    void *self;
    void *(*allocate)(void *self, int32_t number, size_t bytes);
    void (*release)(void *self, int32_t number, void *memory);
    int32_t (*copy)(void *self, const struct tw_tensor *from, const struct tw_tensor *to,
        size_t bytes);
    int32_t (*sync)(void *self, int32_t number);
};

/* Register a kind of device by its DLPack type, 0..31. CPU memory is built in. */
int32_t tw_register_device(int32_t type, const struct tw_device *device);

/* Wait until a device has finished its work. */
int32_t tw_sync(int32_t type, int32_t number);

/* ---- tensors --------------------------------------------------------------------------------- */

/* An element type: DLPack type code, and bits. */
#define TW_DTYPE(code, bits) ((uint32_t)(code) | (uint32_t)(bits) << 8 | (uint32_t)1 << 16)
#define TW_INT32 TW_DTYPE(0, 32)
#define TW_INT64 TW_DTYPE(0, 64)
#define TW_UINT8 TW_DTYPE(1, 8)
#define TW_FLOAT32 TW_DTYPE(2, 32)
#define TW_FLOAT64 TW_DTYPE(2, 64)

enum { TW_MAX_RANK = 32 };

/* Make a row-major tensor of a device; its elements are not set. Return null after an error. */
struct tw_tensor_object *tw_tensor_new(
    uint32_t dtype, int32_t rank, const int64_t *shape, int32_t device_type, int32_t device_id);

/* Make a tensor of some elements of another one, which stays alive. Strides (null is row-major) and
 * offset count elements. A view that leaves the memory of the tensor is an error. */
struct tw_tensor_object *tw_tensor_view(struct tw_tensor_object *of, int32_t rank,
    const int64_t *shape, const int64_t *strides, int64_t offset);

/* Copy all elements. Shapes and dtypes must be equal; on other devices than the CPU both tensors
 * must be row-major. */
int32_t tw_tensor_copy(const struct tw_tensor *from, const struct tw_tensor *to);

/* Count one reference more or less; the last one frees the object. Null is allowed. */
void tw_retain(void *object);
void tw_release(void *object);

/* The address of the first element. */
static inline void *tw_data(const struct tw_tensor_object *tensor)
{
    return (char *)tensor->tensor.data + tensor->tensor.byte_offset;
}

/* DLManagedTensor. */
struct tw_managed_tensor {
    struct tw_tensor tensor;
    void *context;
    void (*deleter)(struct tw_managed_tensor *self);
};

/* Share a tensor's memory: the result keeps the tensor alive until its deleter is called. */
struct tw_managed_tensor *tw_to_dlpack(struct tw_tensor_object *tensor);

/* Share the memory of another library's tensor; the deleter of `managed` is called at the end. After
 * an error, `managed` still belongs to the caller. */
struct tw_tensor_object *tw_from_dlpack(struct tw_managed_tensor *managed);

/* ---- arguments ------------------------------------------------------------------------------- */

static inline struct tw_value tw_of_int(int64_t integer)
{
    struct tw_value made = {TW_INT, 0, {0}};
    made.payload.integer = integer;
    return made;
}

static inline struct tw_value tw_of_float(double number)
{
    struct tw_value made = {TW_FLOAT, 0, {0}};
    made.payload.number = number;
    return made;
}

/* The value borrows the tensor. */
static inline struct tw_value tw_of_tensor(struct tw_tensor_object *tensor)
{
    struct tw_value made = {TW_TENSOR, 0, {0}};
    made.payload.pointer = tensor;
    return made;
}

/* ---- arenas ---------------------------------------------------------------------------------- */

/* Memory that is taken piece by piece and freed at once. */
struct tw_arena {
    char *memory;
    size_t bytes;
    size_t used;
};

/* Return a piece aligned to a power of two, or null if too little is left. */
void *tw_take(struct tw_arena *arena, size_t bytes, size_t alignment);
void tw_reset(struct tw_arena *arena);

#ifdef TW_BARE

/* Set the arena that CPU tensors are taken from. Reset it only when no tensor is used any more. */
void tw_use_arena(struct tw_arena *arena);

#else

/* ---- modules: hosted ------------------------------------------------------------------------- */

/* A loaded library. Loading a file again returns the same module with one more reference. */
struct tw_module;

/* Load a library. Before its code is mapped, the digest of code and data is compared; then the ABI
 * version, the features of the processor, the registered functions that the model calls, and the
 * weights are checked. In a library with several programs of a model (export_library(values=)), a call
 * runs the one whose values equal its own. */
int32_t tw_load(const char *path, struct tw_module **loaded);

/* Use a model that is linked with the program, an object or archive of export_library: the list
 * <name>_symbols of its header. No digest of code is compared, because a linker has changed the code.
 * Until the module is unloaded, the functions of the header use its threads, its pool and its
 * parameters; <name>_release must not be called. */
int32_t tw_load_linked(const struct tw_linked *symbols, struct tw_module **loaded);

/* Drop a reference; the last one unloads the code. No call may be running then. */
void tw_unload(struct tw_module *module);

/* Read all bytes of the library and of its weights again, and compare their digests with those of the
 * export: of a linked model, the weights only. tw_load does not read the weights. After tw_load_params
 * no weights are compared. Digests find damage. This runtime checks no signatures: `tw verify` and
 * load_module(trusted=) in Python do. */
int32_t tw_verify(const struct tw_module *module);

/* Find a function: "main" (also named "default"), "main_output_shapes", "arena_bytes", or a function of
 * tensor expressions by its name. */
int32_t tw_module_find(
    const struct tw_module *module, const char *name, struct tw_function *found);

/* The module's description of itself, as JSON text. */
const char *tw_manifest(const struct tw_module *module);

/* An input or output of main. */
struct tw_argument {
    const char *name;
    const char *text; /* dtype and shape, as errors show them */
    uint32_t dtype;
    int32_t rank; /* -1 if it depends on the program, in a library with several */
};

/* Store the number of inputs and of outputs. */
int32_t tw_module_counts(const struct tw_module *module, int32_t *inputs, int32_t *outputs);

/* Describe an input by its position, or output n as argument inputs + n. */
int32_t tw_module_argument(
    const struct tw_module *module, int32_t index, struct tw_argument *described);

/* Run main, and make its outputs, which the caller releases. Each has its actual sizes, also where
 * data decides them. The counts must be those of tw_module_counts. After an error there are no
 * outputs. */
int32_t tw_module_run(const struct tw_module *module, struct tw_tensor_object *const *inputs,
    int32_t input_count, struct tw_tensor_object **outputs, int32_t output_count);

/* A parameter: an initializer of the model, by its name and in its layout. `reason` says why its values
 * cannot be replaced; it is empty if they can. */
struct tw_param {
    const char *name;
    const char *reason;
    const int64_t *shape;
    uint32_t dtype;
    int32_t rank;
};

/* Store the number of parameters; describe one by its position. */
int32_t tw_param_count(struct tw_module *module, int32_t *count);
int32_t tw_describe_param(struct tw_module *module, int32_t index, struct tw_param *described);

/* Replace values of parameters: later calls give the results, bit for bit, of a module that is compiled
 * with these values. The packed weights of all programs of the library are computed anew.
 * After an error nothing is replaced. Calls that run in other threads meanwhile finish
 * with the old values; one thread replaces values at a time. Later references to the module have the
 * new values too. The second function takes a file that save_params wrote, in safetensors layout. */
int32_t tw_load_params(struct tw_module *module, const char *const *names,
    struct tw_tensor_object *const *values, int32_t count);
int32_t tw_load_params_file(struct tw_module *module, const char *path);

/* Return a copy of the values of a parameter, or null after an error: the packed weights do not contain
 * a parameter that the compiler combined with others by arithmetic or transformed. */
struct tw_tensor_object *tw_get_param(struct tw_module *module, const char *name);

/* Sessions: runs of a model that remember its states, as those of mod.session() in Python. A session
 * runs one call at a time; sessions of a module are independent. End all before the module is
 * unloaded. */
struct tw_session {
    const struct tw_module *module;
    struct tw_function_object *object;
};

/* Begin a session of a module that was compiled with state=. `initial` has a tensor or null for each
 * state, in the order of the inputs; a null list is a list of nulls: values of zeros. */
int32_t tw_session_begin(const struct tw_module *module, struct tw_tensor_object *const *initial,
    int32_t count, struct tw_session *made);

/* Store the number of inputs and of outputs that are no states. */
int32_t tw_session_counts(const struct tw_session *session, int32_t *inputs, int32_t *outputs);

/* Run the model on the inputs that are no states, and make the outputs that are no states. */
int32_t tw_session_run(struct tw_session *session, struct tw_tensor_object *const *inputs,
    int32_t input_count, struct tw_tensor_object **outputs, int32_t output_count);

/* Forget all calls; forget the last positions of all growing states; copy the session. */
int32_t tw_session_reset(struct tw_session *session);
int32_t tw_session_rewind(struct tw_session *session, int64_t count);
int32_t tw_session_fork(const struct tw_session *session, struct tw_session *made);

/* Store the size of the growing axis of state n; copy its value to a tensor. */
int32_t tw_session_size(const struct tw_session *session, int32_t state, int64_t *size);
int32_t tw_session_state(
    const struct tw_session *session, int32_t state, struct tw_tensor_object *value);

/* Free the states. */
void tw_session_end(struct tw_session *session);

/* Set the number of threads of calls: at first 1. */
int32_t tw_set_threads(struct tw_module *module, int32_t threads);

/* Let the program run the loops of a module on its own threads. Null is the pool of this runtime. */
int32_t tw_set_pool(struct tw_module *module, tw_pool *pool);

#endif

#ifdef __cplusplus
}
#endif

#endif
