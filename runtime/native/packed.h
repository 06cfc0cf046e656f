/* The packed-function ABI: the layouts of the tvm-ffi C ABI and of DLPack, restated.
 *
 * Source: tvm-ffi 0.1 `c_api.h`, DLPack 1.1 `dlpack.h`. runtime/abi/constants.py has the same in Python.
 */

#ifndef TILEWRIGHT_PACKED_H
#define TILEWRIGHT_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* Visible to the objects of the module, but not outside. */
#define TW_HIDDEN __attribute__((visibility("hidden")))

/* The kinds of values that a call takes (type indices). */
enum {
    TW_NONE = 0,
    TW_INT = 1,
    TW_FLOAT = 3,
    TW_OPAQUE = 4,
    TW_TENSOR_PTR = 7,
    TW_FUNCTION = 68,
    TW_TENSOR = 70
};

/* The device type of CPU memory. */
enum { TW_CPU = 1 };

/* DLTensor. `strides` counts elements; null is row-major without gaps. */
struct tw_tensor {
    void *data;
    int32_t device_type;
    int32_t device_id;
    int32_t rank;
    uint32_t dtype; /* type code (8 bits), bits (8 bits), lanes (16 bits) */
    const int64_t *shape;
    const int64_t *strides;
    uint64_t byte_offset;
};

/* The header of a reference-counted object: counts, type index, padding, deleter. */
struct tw_object {
    uint64_t counts;
    int32_t type_index;
    uint32_t padding;
    union tw_deleter {
        uint64_t width; /* 8 bytes for pointers of any width */
        void (*deleter)(void *self, int flags);
    } free;
};

/* A tensor object: what a value of kind TW_TENSOR points at. */
struct tw_tensor_object {
    struct tw_object header;
    struct tw_tensor tensor;
};

/* One argument or result: 16 bytes for pointers of any width. */
struct tw_value {
    int32_t type_index;
    uint32_t padding; /* 0, or the length of a small string */
    union tw_payload {
        int64_t integer;
        double number;
        void *pointer;
    } payload;
};

/* Attributes of the next function for code that each call runs. */
#ifndef TW_HOT
#define TW_HOT
#endif

/* Return the tensor that a value holds, or null. */
static inline TW_HOT const struct tw_tensor *tw_tensor_of(const struct tw_value *value)
{
    if (value->type_index == TW_TENSOR_PTR)
        return (const struct tw_tensor *)value->payload.pointer;
    if (value->type_index == TW_TENSOR && value->payload.pointer != NULL)
        return &((const struct tw_tensor_object *)value->payload.pointer)->tensor;
    return NULL;
}

/* The counts of an object. It is aligned to 8 bytes, which compilers for 32-bit x86 do not assume: they
 * call functions in place of atomic instructions. */
typedef uint64_t tw_counts __attribute__((aligned(8)));

static inline tw_counts *tw_counts_of(void *object)
{
    return (tw_counts *)object;
}

/* Return 0, or -1 after reporting an error. */
typedef int32_t tw_packed_function(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result);

/* A function object: what a value of kind TW_FUNCTION points at. Call it as
 * `function->call(function, args, count, result)`. */
struct tw_function_object {
    struct tw_object header;
    tw_packed_function *call;
    void *unused; /* tvm-ffi's entry for C++ */
};

/* One task of a parallel loop. */
typedef void tw_task(void *args, int64_t task, int64_t worker);

/* A worker pool: call fn(args, task, worker) once for every task in 0..tasks-1, and return 0 when all
 * calls have returned. worker is in 0..threads-1, and no two calls with the same worker overlap. A
 * pool that is in use runs the tasks in the calling thread. */
typedef int32_t tw_pool(tw_task *fn, void *args, int64_t tasks, int32_t threads);

/* A function or an object in code that is linked with a program; a list of them ends with nulls. */
struct tw_linked {
    const char *name;
    void *address;
};

#endif
