/* The interface between the vectorcall in python.c and runtime/abi/fast_call.py, which fills it. */

#ifndef TILEWRIGHT_PYTHON_H
#define TILEWRIGHT_PYTHON_H

#include <stddef.h>
#include <stdint.h>

#include "packed.h"

/* A Python object of any type. The number of its references has 32 bits in some versions. */
struct tw_object_head {
    uint32_t references;
    uint32_t more_references;
    const struct tw_type *type;
};

typedef struct tw_object_head tw_any;

/* The start of a type object, up to the offset of the vectorcall pointer in its instances. */
struct tw_type {
    tw_any head;
    int64_t unused[4]; /* size, name, basic size, item size */
    void *deallocate;
    int64_t vectorcall_offset;
};

struct tw_tuple {
    tw_any head;
    int64_t size;
};

/* The memory of a numpy array; runtime/abi/fast_call.py verifies the offsets. */
struct tw_array {
    tw_any head;
    char *data;
    int32_t rank;
    const int64_t *sizes;
    const int64_t *strides;
    tw_any *base;
    tw_any *dtype;
    int32_t flags;
};

/* A data type of numpy, and its DLPack form: type code, bits << 8, lanes << 16. */
struct tw_dtype {
    tw_any *dtype;
    uint32_t code;
};

/* A type of tensors, and its function from a tensor to a DLTensor that borrows the memory:
 * dltensor_from_py_object_no_sync of DLPack's exchange API. It returns 0, or -1 with an exception.
 *
 * The function also lends the memory of a tensor that is negated lazily, or has no memory. If `lazy`
 * is not 0, the word `tensor_at` of an object points at words of the library; such a tensor has a bit
 * of `lazy` in the word `keys_at`, and null in the word `gradient_at` if it requires no gradients. */
struct tw_exchange {
    const struct tw_type *type;
    int (*borrow)(void *object, struct tw_tensor *tensor);
    uint64_t lazy;
    int64_t tensor_at;
    int64_t keys_at;
    int64_t gradient_at;
};

enum { TW_DTYPES = 16, TW_EXCHANGES = 4, TW_KEPT_MEMORIES = 2 };

/* Objects and functions of Python and numpy, by their names there. */
struct tw_python {
    tw_any *none;
    tw_any *false_object;
    const struct tw_type *array_type;
    void (*Py_IncRef)(tw_any *);
    void (*Py_DecRef)(tw_any *);
    tw_any *(*PyObject_Vectorcall)(tw_any *, tw_any *const *, size_t, tw_any *);
    void *(*PyEval_SaveThread)(void);
    void (*PyEval_RestoreThread)(void *);
    void (*PyErr_Clear)(void);
    tw_any *(*PyObject_GetAttrString)(tw_any *, const char *);
    tw_any *(*PyBytes_FromStringAndSize)(const char *, intptr_t);
    char *(*PyBytes_AsString)(tw_any *);
    tw_any *(*PyTuple_New)(intptr_t);
    int (*PyTuple_SetItem)(tw_any *, intptr_t, tw_any *);
    tw_any *(*PyType_GenericAlloc)(const struct tw_type *, intptr_t);
    tw_any *(*PyArray_NewFromDescr)(const struct tw_type *, tw_any *, int, const int64_t *,
        const int64_t *, void *, int, tw_any *);
    int (*PyArray_SetBaseObject)(tw_any *, tw_any *);
    tw_any *byte_dtype;   /* numpy's data type uint8 */
    tw_any *tensor;       /* an NDArray; new ones share its slots, except the array */
    int32_t tensor_slots; /* number of its slots, from the first word behind the head on */
    int32_t array_slot;   /* the slot of the array */
    struct tw_dtype dtypes[TW_DTYPES];          /* ends with a null dtype */
    struct tw_exchange exchanges[TW_EXCHANGES]; /* ends with a null type, if not full */
};

/* An output that a call allocates. */
struct tw_made {
    tw_any *dtype;
    int64_t element_bytes;
    int32_t rank;
    const int64_t *sizes; /* null: `shapes` of the binding computes them */
};

/* What a callable object calls; a pointer to it lies behind the object's vectorcall pointer. */
struct tw_binding {
    tw_packed_function *function;
    tw_any *slow; /* the same call in Python: slow(callable, *args, **kwargs) */
    int32_t inputs;
    int32_t outputs;
    int32_t keeps_lock; /* whether the call is so short that it keeps Python's global lock */
    const struct tw_made *made; /* of each output; null: a call with inputs alone is a slow one */
    tw_packed_function *shapes; /* computes the sizes of all outputs from the inputs, or null */
    int64_t size_count;         /* their number */
    tw_any **memory; /* of earlier large outputs, for reuse: TW_KEPT_MEMORIES of each, or None */
    tw_packed_function *allocating; /* __tw_main_allocating if main computes sizes, else null */
    int32_t results;                /* outputs that a call returns; `allocating` makes one more */
    int32_t threads;                /* of a call of `allocating` */
    void *self;                     /* the first argument of the functions */
};

/* ---- what the code exports ------------------------------------------------------------------- */

extern struct tw_python __tw_python;

/* The vectorcall of callable objects. */
tw_any *__tw_python_call(tw_any *callable, tw_any *const *args, size_t flags, tw_any *names);

#endif
