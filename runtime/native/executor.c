/* Executors: the inputs and outputs of a model in memory of their own.
 *
 * In: tensors of the program, copied by set_input. Out: tensors that the executor allocates, as soon as
 * main knows their sizes. An executor runs one call at a time; executors of a model are independent. C
 * hosts and Python (runtime/module/graph_executor.py) run this code, on the model that a `tw_model`
 * describes. Python runs the module itself on the inputs, so that it owns the outputs.
 */

#include "executor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "tensors.h"

/* C11's; C99's <stdlib.h> has none. */
void *aligned_alloc(size_t alignment, size_t bytes);

enum { ALIGNMENT = 64, MOST_RANK = 32 };

/* An input or output: a tensor object, whose memory of `room` bytes is behind it. A host may refer to
 * it longer than the executor. */
struct block {
    struct tw_tensor_object object;
    int64_t shape[MOST_RANK];
    int64_t room;
} __attribute__((aligned(ALIGNMENT)));

/* `outputs` describes the outputs of the program that runs. Behind the arguments is a slot for the sizes
 * that one of several programs computes. */
struct tw_executor {
    struct tw_model model;
    bool has_outputs;
    const struct tw_spec *outputs;
    struct block *slots[]; /* inputs first; null before they are set */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static void delete_block(void *self, int flags)
{
    if (flags & 2)
        free(self);
}

static void drop(struct block *block)
{
    if (block != NULL &&
        (uint32_t)__atomic_sub_fetch(tw_counts_of(block), 1, __ATOMIC_ACQ_REL) == 0)
        free(block);
}

void __tw_destroy(struct tw_executor *executor)
{
    for (int32_t index = 0; executor != NULL && index <= executor->model.arguments; index++)
        drop(executor->slots[index]);
    free(executor);
}

struct tw_executor *tw_create_executor(const struct tw_model *model)
{
    char message[TW_MESSAGE_BYTES];
    size_t slots = ((size_t)model->arguments + 1) * sizeof(struct block *);
    struct tw_executor *made = calloc(1, sizeof *made + slots);
    if (made == NULL)
        FAIL(MEMORY_ERROR, "%s: no memory for an executor\n    expected: %d arguments", model->name,
            model->arguments);
    else
        made->model = *model;
    return made;
}

/* Give an argument a type and a shape, and memory. Return the memory, or null if there is none. */
static void *resize(struct block **slot, uint32_t dtype, int32_t rank, const int64_t *shape)
{
    int64_t bytes = tw_tensor_bytes(dtype, rank, shape), most = INT64_MAX / 2;
    if (*slot == NULL || bytes > (*slot)->room) {
        drop(*slot);
        *slot = bytes < 0 || bytes > most
            ? NULL
            : aligned_alloc(ALIGNMENT,
                  sizeof **slot + (size_t)(bytes / ALIGNMENT + 1) * ALIGNMENT);
        if (*slot == NULL)
            return NULL;
        (*slot)->object.header = (struct tw_object){
            ((uint64_t)1 << 32) + 1, TW_TENSOR, 0, {.deleter = delete_block}};
        (*slot)->room = bytes;
    }
    (*slot)->object.tensor = (struct tw_tensor){
        *slot + 1, TW_CPU, 0, rank, dtype, (*slot)->shape, NULL, 0};
    for (int32_t axis = 0; axis < rank; axis++)
        (*slot)->shape[axis] = shape[axis];
    return *slot + 1;
}

/* Report an executor that is null: an error of a program that is linked with the model. Return -1. */
static int32_t fail_null(void)
{
    static const char message[TW_MESSAGE_BYTES] =
        "the executor is null\n    expected: a result of create\n    got: null";
    return tw_fail(TYPE_ERROR, message);
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
static int32_t position_of(const struct tw_model *model, const char *name)
{
    char message[TW_MESSAGE_BYTES];
    for (int32_t index = 0; name != NULL && index < model->inputs; index++)
        if (is_same(model->specs[index].name, name))
            return index;
    return FAIL(VALUE_ERROR, "%s: no input has this name\n    expected: a name in %.600s\n    got: %.80s",
        model->name, model->signature, name == NULL ? "null" : name);
}

/* Return whether set_input can copy a tensor; main checks symbolic sizes, a rank that is not fixed, and
 * the sizes of a library with several programs, whose specs have none. */
static bool is_copied(const struct tw_spec *spec, const struct tw_tensor *tensor)
{
    if (tensor == NULL || tensor->device_type != TW_CPU || tensor->dtype != spec->dtype)
        return false;
    bool is_any = spec->rank < 0 && tensor->rank >= 0 && tensor->rank <= MOST_RANK;
    if (!is_any && tensor->rank != spec->rank)
        return false;
    for (int32_t axis = 0; spec->shape != NULL && axis < spec->rank; axis++)
        if (spec->shape[axis] >= 0 && tensor->shape[axis] != spec->shape[axis])
            return false;
    int64_t bytes = tw_tensor_bytes(tensor->dtype, tensor->rank, tensor->shape);
    return bytes == 0 || (bytes > 0 && tensor->data != NULL && tw_is_plain(tensor));
}

/* Report a tensor that is not copied. Return -1. */
static int32_t fail_tensor(
    const struct tw_model *model, const struct tw_spec *spec, const struct tw_tensor *got)
{
    char message[TW_MESSAGE_BYTES], given[256];
    if (got != NULL)
        tw_write_type(given, sizeof given, got->dtype, got->rank, got->shape);
    return FAIL(TYPE_ERROR, "%s: the tensor does not fit input %.80s\n"
        "    expected: %.300s, row by row in CPU memory\n    got: %s", model->name, spec->name,
        spec->text, got == NULL ? "no tensor" : given);
}

int32_t __tw_set_input(
    struct tw_executor *executor, const char *name, const struct tw_tensor *tensor)
{
    char message[TW_MESSAGE_BYTES];
    if (executor == NULL)
        return fail_null();
    const struct tw_model *model = &executor->model;
    int32_t index = position_of(model, name);
    if (index < 0)
        return -1;
    const struct tw_spec *spec = &model->specs[index];
    if (!is_copied(spec, tensor))
        return fail_tensor(model, spec, tensor);
    int64_t bytes = tw_tensor_bytes(tensor->dtype, tensor->rank, tensor->shape);
    void *memory = resize(&executor->slots[index], tensor->dtype, tensor->rank, tensor->shape);
    if (memory == NULL)
        return FAIL(MEMORY_ERROR, "%s: no memory for input %s\n    expected: %lld bytes", model->name,
            spec->name, (long long)bytes);
    if (bytes > 0)
        memcpy(memory, (const char *)tensor->data + tensor->byte_offset, (size_t)bytes);
    return 0;
}

/* Check that an input is set. Return 0 or -1. */
static int32_t check_input(const struct tw_executor *executor, int32_t index)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_model *model = &executor->model;
    return executor->slots[index] != NULL ? 0 : FAIL(VALUE_ERROR,
        "%s: input %s is not set\n    expected: %s\n    got: no value\n"
        "    hint: call set_input first", model->name, model->specs[index].name,
        model->specs[index].text);
}

static int32_t check_inputs(const struct tw_executor *executor)
{
    for (int32_t index = 0; index < executor->model.inputs; index++)
        if (check_input(executor, index) != 0)
            return -1;
    return 0;
}

static struct tw_tensor_object *get_input(const struct tw_executor *executor, const char *name)
{
    int32_t index = position_of(&executor->model, name);
    if (index < 0 || check_input(executor, index) != 0)
        return NULL;
    struct tw_tensor_object *object = &executor->slots[index]->object;
    __atomic_add_fetch(tw_counts_of(object), 1, __ATOMIC_RELAXED);
    return object;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Return memory for an output: a tw_allocate. */
static void *allocate_output(void *context, int32_t output, const int64_t *shape)
{
    struct tw_executor *executor = context;
    const struct tw_spec *spec = &executor->outputs[output];
    struct block **slot = &executor->slots[executor->model.inputs + output];
    return resize(slot, spec->dtype, spec->rank, shape);
}

int32_t __tw_run(struct tw_executor *executor)
{
    if (executor == NULL)
        return fail_null();
    executor->has_outputs = false;
    if (check_inputs(executor) != 0)
        return -1;
    const struct tw_model *model = &executor->model;
    struct tw_value args[model->inputs + 3], result = {TW_NONE, 0, {0}};
    args[0] = (struct tw_value){TW_INT, 0, {*model->threads}};
    args[1] = args[2] = (struct tw_value){TW_OPAQUE, 0, {0}};
    /* C99 converts no function pointer to a data pointer, so copy the bits as POSIX suggests. */
    *(tw_allocate **)(&args[1].payload.pointer) = allocate_output;
    args[2].payload.pointer = executor;
    for (int32_t index = 0; index < model->inputs; index++) {
        args[3 + index] = (struct tw_value){TW_TENSOR_PTR, 0, {0}};
        args[3 + index].payload.pointer = &executor->slots[index]->object.tensor;
    }
    executor->outputs = model->specs + model->inputs;
    if (model->choose != NULL && model->choose(args + 3, model->inputs, &executor->outputs) != 0)
        return -1;
    int32_t status = model->run_allocating(NULL, args, model->inputs + 3, &result);
    executor->has_outputs = status == 0;
    return status;
}

const struct tw_tensor *__tw_get_output(const struct tw_executor *executor, int32_t index)
{
    char message[TW_MESSAGE_BYTES];
    if (executor == NULL) {
        fail_null();
        return NULL;
    }
    const struct tw_model *model = &executor->model;
    bool is_known = index >= 0 && index < model->outputs;
    if (executor->has_outputs && is_known)
        return &executor->slots[model->inputs + index]->object.tensor;
    FAIL(VALUE_ERROR, "%s: there is no such output\n    expected: an index in 0..%d, after a run\n"
        "    got: %d, %s", model->name, model->outputs - 1, index,
        is_known ? "no run that succeeded" : "out of range");
    return NULL;
}

const struct tw_executor_functions __tw_executor_functions = {
    tw_create_executor, __tw_destroy, __tw_set_input, get_input, check_inputs};
