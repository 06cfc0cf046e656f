/* Packed functions by hand: the ABI and nothing else. */
#include <stdint.h>

typedef struct {
    int32_t kind;
    uint32_t padding;
    union {
        int64_t integer;
        double number;
        void *pointer;
    } payload;
} value;

typedef struct {
    float *data;
    int32_t device, number, rank;
    uint32_t dtype;
    const int64_t *shape, *strides;
    uint64_t offset;
} tensor;

/* A tensor by reference is of kind 7; a tensor object, of kind 70, has a header of 24 bytes. */
static const tensor *tensor_in(const value *given)
{
    char *start = given->payload.pointer;
    return (const tensor *)(void *)(given->kind == 70 ? start + 24 : start);
}

int32_t __tvm_ffi_vecadd(void *self, const value *args, int32_t count, value *result)
{
    (void)self;
    (void)result;
    if (count != 3)
        return -1;
    const tensor *a = tensor_in(&args[0]), *b = tensor_in(&args[1]), *c = tensor_in(&args[2]);
    for (int64_t i = 0; i < a->shape[0]; i++)
        c->data[i] = a->data[i] + b->data[i];
    return 0;
}

int32_t __tvm_ffi_add_one(void *self, const value *args, int32_t count, value *result)
{
    (void)self;
    (void)count;
    result->kind = 1;
    result->payload.integer = args[0].payload.integer + 1;
    return 0;
}

void *__tvm_ffi__library_ctx; /* a slot of TVM's, no function */
