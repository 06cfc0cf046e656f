/* Executors: the inputs and outputs of a model in memory of their own.
 *
 * In: tensors of the program, copied by set_input. Out: tensors that the executor allocates, as soon as
 * main knows their sizes. An executor runs one call at a time; executors of a model are independent.
 */

#include "executor.h"
#include "bindings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C11's; C99's <stdlib.h> has none. */
void *aligned_alloc(size_t alignment, size_t bytes);

#define TYPE_ERROR "TypeError"
#define VALUE_ERROR "ValueError"
#define MEMORY_ERROR "MemoryError"
#define RUNTIME_ERROR "RuntimeError"

/* Report an error whose text the arguments of snprintf make. Return -1. */
#define FAIL(kind, ...)                                                                            \
    (snprintf(message, sizeof message, __VA_ARGS__), tw_fail(kind, message))

enum { ALIGNMENT = 64, MOST_RANK = 32 };

/* Only an object with several programs has it. Hidden, so that it is never that of a shared object. */
int32_t __tw_choose(const struct tw_value *args, int32_t count, const struct tw_program **chosen)
    __attribute__((weak)) TW_HIDDEN;

/* An input or output: its memory, of `room` bytes, and its sizes. */
struct slot {
    struct tw_tensor tensor;
    int64_t *shape;
    int64_t room;
};

/* `outputs` describes the outputs of the program that runs. Behind the arguments is a slot for the sizes
 * that one of several programs computes. */
struct tw_executor {
    bool has_outputs;
    const struct tw_spec *outputs;
    struct slot slots[]; /* inputs first */
};

/* ---- memory ---------------------------------------------------------------------------------- */

void __tw_destroy(struct tw_executor *executor)
{
    for (int32_t index = 0; executor != NULL && index <= tw_arguments; index++) {
        free(executor->slots[index].tensor.data);
        free(executor->slots[index].shape);
    }
    free(executor);
}

struct tw_executor *__tw_create(void)
{
    char message[TW_MESSAGE_BYTES];
    struct tw_executor *made =
        calloc(1, sizeof *made + ((size_t)tw_arguments + 1) * sizeof(struct slot));
    bool is_made = made != NULL;
    for (int32_t index = 0; is_made && index <= tw_arguments; index++) {
        struct slot *slot = &made->slots[index];
        slot->shape = calloc(MOST_RANK, sizeof *slot->shape);
        slot->tensor.device_type = TW_CPU;
        slot->tensor.shape = slot->shape;
        is_made = slot->shape != NULL;
    }
    if (is_made)
        return made;
    FAIL(MEMORY_ERROR, "%s: no memory for an executor\n    expected: %d arguments", tw_name,
        tw_arguments);
    __tw_destroy(made);
    return NULL;
}

/* Return the bytes of a tensor, or -1 for sizes that are negative or beyond 64 bits. */
static int64_t bytes_of(uint32_t dtype, int32_t rank, const int64_t *shape)
{
    int64_t bytes = ((dtype >> 8 & 255) + 7) / 8;
    for (int32_t axis = 0; axis < rank; axis++)
        if (shape[axis] < 0 || __builtin_mul_overflow(bytes, shape[axis], &bytes))
            return -1;
    return bytes;
}

/* Give an argument a type and a shape, and memory. Return whether there is memory. */
static bool resize(struct slot *slot, uint32_t dtype, int32_t rank, const int64_t *shape)
{
    int64_t bytes = bytes_of(dtype, rank, shape);
    slot->tensor.dtype = dtype;
    slot->tensor.rank = rank;
    if (slot->tensor.data == NULL || bytes > slot->room) {
        free(slot->tensor.data);
        slot->tensor.data =
            bytes < 0 || bytes > INT64_MAX - ALIGNMENT
                ? NULL
                : aligned_alloc(ALIGNMENT, (size_t)(bytes / ALIGNMENT + 1) * ALIGNMENT);
        slot->room = slot->tensor.data == NULL ? 0 : bytes;
    }
    for (int32_t axis = 0; axis < slot->tensor.rank; axis++)
        slot->shape[axis] = shape[axis];
    return slot->tensor.data != NULL;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool is_same(const char *lhs, const char *rhs)
{
    while (*lhs != 0 && *lhs == *rhs) {
        lhs++;
        rhs++;
    }
    return *lhs == *rhs;
}

/* Return the position of an input, or -1 after an error. */
static int32_t position_of(const char *name)
{
    char message[TW_MESSAGE_BYTES];
    for (int32_t index = 0; name != NULL && index < tw_inputs; index++)
        if (is_same(tw_specs[index].name, name))
            return index;
    return FAIL(VALUE_ERROR, "%s: no input has this name\n    expected: a name in %s\n    got: %.80s",
        tw_name, tw_signature, name == NULL ? "null" : name);
}

/* Return whether a tensor has no gaps. */
static bool is_row_major(const struct tw_tensor *tensor)
{
    int64_t step = 1;
    for (int32_t axis = tensor->rank - 1; tensor->strides != NULL && axis >= 0; axis--) {
        if (tensor->shape[axis] > 1 && tensor->strides[axis] != step)
            return false;
        step *= tensor->shape[axis];
    }
    return true;
}

/* Return whether set_input can copy a tensor; main checks its sizes, and a rank that is not fixed. */
static bool is_copied(const struct tw_spec *spec, const struct tw_tensor *tensor)
{
    if (tensor == NULL || tensor->device_type != TW_CPU || tensor->dtype != spec->dtype)
        return false;
    bool is_any = spec->rank < 0 && tensor->rank >= 0 && tensor->rank <= MOST_RANK;
    if (!is_any && tensor->rank != spec->rank)
        return false;
    int64_t bytes = bytes_of(tensor->dtype, tensor->rank, tensor->shape);
    return bytes == 0 || (bytes > 0 && tensor->data != NULL && is_row_major(tensor));
}

int32_t __tw_set_input(
    struct tw_executor *executor, const char *name, const struct tw_tensor *tensor)
{
    char message[TW_MESSAGE_BYTES];
    int32_t index = executor == NULL ? -1 : position_of(name);
    if (executor == NULL)
        return FAIL(TYPE_ERROR, "%s: the executor is null\n    expected: a result of create\n"
            "    got: null", tw_name);
    if (index < 0)
        return -1;
    const struct tw_spec *spec = &tw_specs[index];
    if (!is_copied(spec, tensor))
        return FAIL(TYPE_ERROR, "%s: the tensor does not fit input %s\n"
            "    expected: %s, row by row in CPU memory\n"
            "    got: another type, rank, device or layout", tw_name, spec->name, spec->text);
    int64_t bytes = bytes_of(tensor->dtype, tensor->rank, tensor->shape);
    struct slot *slot = &executor->slots[index];
    if (!resize(slot, tensor->dtype, tensor->rank, tensor->shape))
        return FAIL(MEMORY_ERROR, "%s: no memory for input %s\n    expected: %lld bytes", tw_name,
            spec->name, (long long)bytes);
    if (bytes > 0)
        memcpy(slot->tensor.data, (const char *)tensor->data + tensor->byte_offset, (size_t)bytes);
    return 0;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Return memory for an output: a tw_allocate. */
static void *allocate_output(void *context, int32_t output, const int64_t *shape)
{
    struct tw_executor *executor = context;
    const struct tw_spec *spec = &executor->outputs[output];
    struct slot *slot = &executor->slots[tw_inputs + output];
    return resize(slot, spec->dtype, spec->rank, shape) ? slot->tensor.data : NULL;
}

/* Check that all inputs are set. Return 0 or -1. */
static int32_t check_inputs(const struct tw_executor *executor)
{
    char message[TW_MESSAGE_BYTES];
    for (int32_t index = 0; index < tw_inputs; index++)
        if (executor->slots[index].tensor.data == NULL)
            return FAIL(RUNTIME_ERROR, "%s: input %s is not set\n    expected: %s\n    got: no value\n"
                "    hint: call set_input before run", tw_name, tw_specs[index].name,
                tw_specs[index].text);
    return 0;
}

/* Let the values of the inputs choose what runs. Return 0 or -1. */
static int32_t choose(struct tw_executor *executor, const struct tw_value *inputs)
{
    const struct tw_program *program;
    executor->outputs = tw_specs + tw_inputs;
    if (__tw_choose == NULL)
        return 0;
    if (__tw_choose(inputs, tw_inputs, &program) != 0)
        return -1;
    executor->outputs = program->specs + program->inputs;
    return 0;
}

int32_t __tw_run(struct tw_executor *executor)
{
    char message[TW_MESSAGE_BYTES];
    if (executor == NULL)
        return FAIL(TYPE_ERROR, "%s: the executor is null\n    expected: a result of create\n"
            "    got: null", tw_name);
    executor->has_outputs = false;
    if (check_inputs(executor) != 0)
        return -1;
    struct tw_value args[tw_inputs + 3], result = {TW_NONE, 0, {0}};
    args[0] = (struct tw_value){TW_INT, 0, {__tw_default_threads}};
    args[1] = args[2] = (struct tw_value){TW_OPAQUE, 0, {0}};
    /* C99 converts no function pointer to a data pointer, so copy the bits as POSIX suggests. */
    *(tw_allocate **)(&args[1].payload.pointer) = allocate_output;
    args[2].payload.pointer = executor;
    for (int32_t index = 0; index < tw_inputs; index++) {
        args[3 + index] = (struct tw_value){TW_TENSOR_PTR, 0, {0}};
        args[3 + index].payload.pointer = &executor->slots[index].tensor;
    }
    if (choose(executor, args + 3) != 0)
        return -1;
    int32_t status = __tw_main_allocating(NULL, args, tw_inputs + 3, &result);
    executor->has_outputs = status == 0;
    return status;
}

const struct tw_tensor *__tw_get_output(const struct tw_executor *executor, int32_t index)
{
    char message[TW_MESSAGE_BYTES];
    bool is_known = index >= 0 && index < tw_outputs;
    if (executor != NULL && executor->has_outputs && is_known)
        return &executor->slots[tw_inputs + index].tensor;
    FAIL(VALUE_ERROR, "%s: there is no such output\n    expected: an index in 0..%d, after a run\n"
        "    got: %d, %s", tw_name, tw_outputs - 1, index,
        executor == NULL ? "no executor" : is_known ? "no run that succeeded" : "out of range");
    return NULL;
}
