/* Sessions: runs of a model that remember its states, such as the caches of a decoder.
 *
 * In: calls with the inputs that are no states. Out: the outputs that are no states. A session is a
 * function object of the ABI, so that every host counts its references. A state that calls append to
 * has one buffer, any other one two: a call reads one and writes the other. The buffers have the size
 * of the largest value. A call that fails leaves the states as they were. All sessions of C hosts and
 * of Python (runtime/call/session.py) run this code, on the model that a `tw_model` describes.
 */

#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "tensors.h"

/* Keeps the code small: no loop here is as long as a call of the model. */
#define SMALL __attribute__((noinline))

/* The DLPack form of the data type of sizes. */
enum { INT64 = 64 << 8 | 1 << 16 };

/* A value of a state, its axes in the order of the memory; null if there is none. */
struct value {
    char *data;
    int64_t *shape;
};

struct kept {
    struct value now;
    struct value initial;
    char *spare; /* where the next value goes; the same memory if calls append */
    int64_t bytes; /* of each buffer */
};

struct session {
    struct tw_function_object object;
    struct tw_model model;
    bool has_values;
    uint32_t is_used; /* by a function that runs, in any thread */
    struct kept kept[];
};

static tw_packed_function call_session;

/* ---- shapes ---------------------------------------------------------------------------------- */

static const struct tw_spec *spec_of(const struct tw_model *model, int32_t state)
{
    return &model->specs[model->states[state].input];
}

/* Return the growing axis in memory, or -1. */
static int32_t memory_axis(const struct tw_model *model, int32_t state)
{
    int32_t axis = model->states[state].axis;
    return model->states[state].appends && axis > 0 ? 0 : axis;
}

/* Return the text of the size of a growing axis. */
SMALL static const char *size_text(const struct tw_model *model, int32_t state)
{
    int64_t size = spec_of(model, state)->shape[memory_axis(model, state)];
    return size < 0 ? model->expressions[-1 - size].text : spec_of(model, state)->name;
}

/* Return the bytes of an element. */
static int64_t element_bytes(const struct tw_spec *spec) { return ((spec->dtype >> 8 & 255) + 7) / 8; }

/* Return the product of sizes first..end-1 and a factor, or -1 beyond 64 bits. */
SMALL static int64_t product(const int64_t *shape, int32_t first, int32_t end, int64_t factor)
{
    for (int32_t axis = first; axis < end; axis++)
        if (shape[axis] < 0 || __builtin_mul_overflow(factor, shape[axis], &factor))
            return -1;
    return factor;
}

SMALL static void copy_shape(int64_t *to, const int64_t *from, int32_t rank)
{
    for (int32_t axis = 0; axis < rank; axis++)
        to[axis] = from[axis];
}

/* Return the state of an input or of an output, or -1. */
SMALL static int32_t state_of(const struct tw_model *model, int32_t argument)
{
    for (int32_t at = 0; at < model->state_count; at++) {
        const struct tw_state *state = &model->states[at];
        if (state->input == argument || model->inputs + state->output == argument)
            return at;
    }
    return -1;
}

/* Store the shape in memory of a shape in the model, or the other way. */
SMALL static void move_axis(const struct tw_model *model, int32_t state, const int64_t *from,
    int64_t *to, bool is_to_memory)
{
    int32_t rank = spec_of(model, state)->rank;
    int32_t axis = model->states[state].appends ? model->states[state].axis : 0;
    for (int32_t at = 0; at < rank; at++) {
        int32_t memory = at == axis ? 0 : at < axis ? at + 1 : at;
        to[is_to_memory ? memory : at] = from[is_to_memory ? at : memory];
    }
}

/* Write the type of a state in the model, such as "float32[1, past]". */
SMALL static void write_type(const struct tw_model *model, int32_t state, char text[TW_MESSAGE_BYTES])
{
    const struct tw_spec *spec = spec_of(model, state);
    int64_t shape[spec->rank + 1];
    int32_t length = 0;
    for (; spec->text[length] != 0 && spec->text[length] != '['; length++)
        text[length] = spec->text[length];
    move_axis(model, state, spec->shape, shape, false);
    for (int32_t axis = 0; axis < spec->rank && length < TW_MESSAGE_BYTES / 2; axis++) {
        const char *before = axis == 0 ? "[" : ", ";
        length = shape[axis] >= 0
            ? APPEND(text, TW_MESSAGE_BYTES, length, "%s%lld", before, (long long)shape[axis])
            : APPEND(text, TW_MESSAGE_BYTES, length, "%s%.80s", before,
                  model->expressions[-1 - shape[axis]].text);
    }
    (void)APPEND(text, TW_MESSAGE_BYTES, length, "%s", spec->rank == 0 ? "[]" : "]");
}

/* Store the value of a size of a state: that of an equal size of the inputs of a call. Return whether an
 * input has it. `inputs` has all inputs; those of states are not read. */
SMALL static bool find_size(const struct tw_model *model, int64_t entry,
    const struct tw_value *inputs, int64_t *size)
{
    for (int32_t input = 0; input < model->inputs; input++) {
        const struct tw_spec *spec = &model->specs[input];
        for (int32_t axis = 0; state_of(model, input) < 0 && axis < spec->rank; axis++)
            if (spec->shape[axis] == entry) {
                *size = tw_tensor_of(&inputs[input])->shape[axis];
                return true;
            }
    }
    return false;
}

/* Store the shape of a state before the first call, without positions. Return 0 or -1. */
SMALL static int32_t first_shape(const struct tw_model *model, int32_t state,
    const struct tw_value *inputs, int64_t *shape)
{
    char message[TW_MESSAGE_BYTES], type[TW_MESSAGE_BYTES];
    const struct tw_spec *spec = spec_of(model, state);
    for (int32_t axis = 0; axis < spec->rank; axis++) {
        int64_t size = spec->shape[axis];
        bool is_growing = axis == memory_axis(model, state);
        shape[axis] = is_growing ? 0 : size;
        if (is_growing || size >= 0 || find_size(model, size, inputs, &shape[axis]))
            continue;
        write_type(model, state, type);
        return FAIL(VALUE_ERROR,
            "%s: no input has the size %.80s of state %.80s\n    expected: %.300s\n"
            "    got: no initial value\n    hint: begin the session with a first value of the state",
            model->name, model->expressions[-1 - size].text, spec->name, type);
    }
    return 0;
}

/* Store the shape of a state before a call. Return 0 or -1. */
SMALL static int32_t shape_before(const struct session *session, int32_t state,
    const struct tw_value *inputs, int64_t *shape)
{
    const struct tw_model *model = &session->model;
    const struct kept *kept = &session->kept[state];
    const int64_t *known = session->has_values ? kept->now.shape : kept->initial.shape;
    if (known == NULL)
        return first_shape(model, state, inputs, shape);
    copy_shape(shape, known, spec_of(model, state)->rank);
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

SMALL static void free_values(struct session *session)
{
    for (int32_t state = 0; state < session->model.state_count; state++) {
        struct kept *kept = &session->kept[state];
        free(kept->now.data);
        if (kept->spare != kept->now.data)
            free(kept->spare);
        free(kept->now.shape);
        kept->now = (struct value){NULL, NULL};
        kept->spare = NULL;
    }
    session->has_values = false;
}

static void delete_session(void *self, int flags)
{
    struct session *session = self;
    if (flags & 1) {
        free_values(session);
        for (int32_t state = 0; state < session->model.state_count; state++) {
            free(session->kept[state].initial.data);
            free(session->kept[state].initial.shape);
        }
    }
    if (flags & 2)
        free(session);
}

SMALL static struct session *new_session(const struct tw_model *model)
{
    char message[TW_MESSAGE_BYTES];
    size_t bytes = sizeof(struct session) + (size_t)model->state_count * sizeof(struct kept);
    struct session *made = calloc(1, bytes);
    if (made == NULL) {
        FAIL(MEMORY_ERROR, "%s: no memory for a session\n    expected: %lld bytes", model->name,
            (long long)bytes);
        return NULL;
    }
    made->object.header.counts = ((uint64_t)1 << 32) + 1;
    made->object.header.type_index = TW_FUNCTION;
    made->object.header.free.deleter = delete_session;
    made->object.call = call_session;
    made->model = *model;
    return made;
}

SMALL static int32_t fail_memory(const struct tw_model *model, int32_t state, int64_t bytes)
{
    char message[TW_MESSAGE_BYTES];
    return FAIL(MEMORY_ERROR, "%s: no memory for state %s\n    expected: %lld bytes", model->name,
        spec_of(model, state)->name, (long long)bytes);
}

/* Make the buffers of a state whose first value has a shape, with zeros. Return 0 or -1. */
SMALL static int32_t make_buffers(
    const struct tw_model *model, struct kept *kept, int32_t state, const int64_t *shape)
{
    const struct tw_spec *spec = spec_of(model, state);
    int64_t largest[spec->rank + 1];
    copy_shape(largest, shape, spec->rank);
    if (memory_axis(model, state) >= 0)
        largest[memory_axis(model, state)] = model->states[state].capacity;
    kept->bytes = product(largest, 0, spec->rank, element_bytes(spec));
    if (kept->bytes < 0)
        return fail_memory(model, state, INT64_MAX);
    size_t room = (size_t)kept->bytes + 1;
    kept->now.data = calloc(1, room);
    kept->now.shape = calloc((size_t)spec->rank + 1, sizeof *shape);
    kept->spare = model->states[state].appends ? kept->now.data : calloc(1, room);
    if (kept->now.data == NULL || kept->now.shape == NULL || kept->spare == NULL)
        return fail_memory(model, state, kept->bytes);
    copy_shape(kept->now.shape, shape, spec->rank);
    return 0;
}

/* Give all states their first values, for the inputs of a call. Return 0 or -1. */
static int32_t start(struct session *session, const struct tw_value *inputs)
{
    const struct tw_model *model = &session->model;
    for (int32_t state = 0; state < model->state_count; state++) {
        struct kept *kept = &session->kept[state];
        const struct tw_spec *spec = spec_of(model, state);
        int64_t shape[spec->rank + 1];
        if (shape_before(session, state, inputs, shape) != 0 ||
            make_buffers(model, kept, state, shape) != 0)
            return -1;
        int64_t bytes = product(shape, 0, spec->rank, element_bytes(spec));
        if (kept->initial.data != NULL && bytes > 0 && bytes <= kept->bytes)
            memcpy(kept->now.data, kept->initial.data, (size_t)bytes);
    }
    return 0;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Where a linked program reports errors; entry.c has the function. A host without a program passes only
 * sessions and executors, so none of the errors that have no model occurs. */
__attribute__((weak)) SMALL int32_t tw_fail(const char *kind, const char message[TW_MESSAGE_BYTES])
{
    (void)kind;
    (void)message;
    return -1;
}

SMALL static int32_t check_count(const struct tw_model *model, int32_t count, int32_t expected)
{
    char message[TW_MESSAGE_BYTES];
    return count == expected ? 0 : FAIL(TYPE_ERROR,
        "%s: wrong number of arguments\n    expected: %d\n    got: %d", model->name, expected, count);
}

/* Take a session for one function: no two threads use it at once. Return 0 or -1. */
SMALL static int32_t take(struct session *session)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_model *model = &session->model;
    return __atomic_exchange_n(&session->is_used, 1, __ATOMIC_ACQUIRE) == 0 ? 0 : FAIL(VALUE_ERROR,
        "%s: the session is running in another thread\n    expected: one call at a time\n"
        "    got: a call during another one\n    hint: give each thread a session of its own, such"
        " as a result of fork, or use a lock", model->name);
}

/* Give a session back, and return the status of the function. */
SMALL static int32_t release(struct session *session, int32_t status)
{
    __atomic_store_n(&session->is_used, 0, __ATOMIC_RELEASE);
    return status;
}

/* Take the session in the first of `expected` arguments; return it, or null after an error. */
SMALL static struct session *take_first(const struct tw_value *args, int32_t count, int32_t expected)
{
    char message[TW_MESSAGE_BYTES];
    struct session *session =
        count > 0 && args->type_index == TW_FUNCTION ? args->payload.pointer : NULL;
    if (session == NULL || session->object.call != call_session) {
        snprintf(message, sizeof message, "the first argument is no session of this model\n"
            "    expected: a result of session\n    got: type index %d",
            count > 0 ? args->type_index : TW_NONE);
        tw_fail(TYPE_ERROR, message);
        return NULL;
    }
    return check_count(&session->model, count, expected) == 0 && take(session) == 0 ? session : NULL;
}

/* Check an argument that is no state as far as a session reads it, and its dtype: programs that Python
 * runs check none. Return 0 or -1. */
SMALL static int32_t check_argument(
    const struct tw_model *model, int32_t argument, const struct tw_value *value)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_spec *spec = &model->specs[argument];
    const struct tw_tensor *tensor = tw_tensor_of(value);
    if (tensor == NULL)
        return FAIL(TYPE_ERROR, "%s: %s is not a tensor\n    expected: %s\n    got: type index %d",
            model->name, spec->name, spec->text, value->type_index);
    if (tensor->rank != spec->rank)
        return FAIL(VALUE_ERROR,
            "%s: %s has the wrong number of dimensions\n    expected: %s\n    got: %d dimensions",
            model->name, spec->name, spec->text, tensor->rank);
    if (spec->dtype != 0 && tensor->dtype != spec->dtype)
        return FAIL(TYPE_ERROR, "%s: %s has the wrong dtype\n    expected: %s\n"
            "    got: DLPack type code %d, %d bits, %d lanes", model->name, spec->name, spec->text,
            tensor->dtype & 255, tensor->dtype >> 8 & 255, tensor->dtype >> 16);
    return 0;
}

static void point_at(struct tw_value *value, struct tw_tensor *tensor)
{
    value->type_index = TW_TENSOR_PTR;
    value->padding = 0;
    value->payload.pointer = tensor;
}

/* Describe the memory of an argument. */
SMALL static void describe(struct tw_tensor *tensor, uint32_t dtype, int32_t rank, void *data,
    const int64_t *shape)
{
    *tensor = (struct tw_tensor){data, TW_CPU, 0, rank, dtype, shape, NULL, 0};
}

/* Return the sum of the ranks of the arguments first..end-1. */
SMALL static int32_t ranks(const struct tw_model *model, int32_t first, int32_t end)
{
    int32_t sum = 0;
    for (int32_t argument = first; argument < end; argument++)
        sum += model->specs[argument].rank;
    return sum;
}

/* Return the sizes of an output among those of all outputs. */
static int64_t *sizes_of(const struct tw_model *model, int64_t *sizes, int32_t output)
{
    return sizes + ranks(model, model->inputs, model->inputs + output);
}

/* The arguments of a call: all inputs, and one more for the sizes; the tensors of the states. */
struct frame {
    struct tw_value *inputs;
    struct tw_tensor *tensors;
    int64_t *shapes; /* of the states */
    int64_t *sizes;  /* of the outputs */
};

/* Fill the inputs of a call: `given` has those that are no states. Return 0 or -1. */
SMALL static int32_t fill_inputs(
    const struct session *session, const struct tw_value *given, struct frame *frame)
{
    const struct tw_model *model = &session->model;
    for (int32_t input = 0; input < model->inputs; input++) {
        if (state_of(model, input) >= 0)
            continue;
        if (check_argument(model, input, given) != 0)
            return -1;
        frame->inputs[input] = *given++;
    }
    int64_t *shape = frame->shapes;
    for (int32_t state = 0; state < model->state_count; state++) {
        const struct tw_spec *spec = spec_of(model, state);
        if (shape_before(session, state, frame->inputs, shape) != 0)
            return -1;
        describe(&frame->tensors[state], spec->dtype, spec->rank, session->kept[state].now.data, shape);
        point_at(&frame->inputs[model->states[state].input], &frame->tensors[state]);
        shape += spec->rank;
    }
    return 0;
}

/* Compute the sizes of all outputs, and check the capacity. Return 0 or -1. */
SMALL static int32_t find_sizes(const struct tw_model *model, struct frame *frame)
{
    char message[TW_MESSAGE_BYTES];
    int64_t count = ranks(model, model->inputs, model->arguments);
    struct tw_tensor tensor;
    struct tw_value result = {TW_NONE, 0, {0}};
    describe(&tensor, INT64, 1, frame->sizes, &count);
    point_at(&frame->inputs[model->inputs], &tensor);
    if (model->output_shapes(NULL, frame->inputs, model->inputs + 1, &result) != 0)
        return -1;
    for (int32_t state = 0; state < model->state_count; state++) {
        const struct tw_state *row = &model->states[state];
        int32_t axis = memory_axis(model, state);
        int64_t after = axis < 0 ? 0 : sizes_of(model, frame->sizes, row->output)[axis];
        if (after <= row->capacity)
            continue;
        const char *size = size_text(model, state);
        int64_t before = frame->tensors[state].shape[axis], twice = 2 * row->capacity;
        return FAIL(VALUE_ERROR,
            "%s: the call exceeds the capacity of %s\n"
            "    expected: %s of at most %lld after the call\n    got: %lld + %lld = %lld\n"
            "    hint: rewind or reset the session, or compile with capacity={\"%s\": %lld}",
            model->name, size, size, (long long)row->capacity, (long long)before,
            (long long)(after - before), (long long)after, size,
            (long long)(after > twice ? after : twice));
    }
    return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* One call: the outputs of the caller, or its function that allocates them. */
struct run {
    struct session *session;
    int64_t threads;
    const struct tw_value *outputs;
    tw_allocate *allocate;
    void *context;
};

/* Return memory for an output of the model: a tw_allocate. */
static void *allocate_output(void *context, int32_t output, const int64_t *shape)
{
    struct run *run = context;
    const struct tw_model *model = &run->session->model;
    int32_t state = state_of(model, model->inputs + output), number = output;
    if (state >= 0)
        return run->session->kept[state].spare;
    for (int32_t at = 0; at < model->state_count; at++)
        number -= model->states[at].output < output;
    return run->allocate(run->context, number, shape);
}

/* Call main on all inputs with a function that allocates. Return 0 or -1. */
static int32_t run_allocating(struct run *run, const struct frame *frame)
{
    const struct tw_model *model = &run->session->model;
    tw_allocate *allocate = allocate_output;
    struct tw_value args[model->inputs + 3], result = {TW_NONE, 0, {0}};
    args[0] = (struct tw_value){TW_INT, 0, {run->threads}};
    args[1] = args[2] = (struct tw_value){TW_OPAQUE, 0, {0}};
    /* C99 converts no function pointer to a data pointer, so copy the bits as POSIX suggests. */
    *(tw_allocate **)(&args[1].payload.pointer) = allocate;
    args[2].payload.pointer = run;
    for (int32_t input = 0; input < model->inputs; input++)
        args[3 + input] = frame->inputs[input];
    return model->run_allocating(NULL, args, model->inputs + 3, &result);
}

/* Call main on all inputs, and on the outputs of the caller. Return 0 or -1. */
static int32_t run_filling(struct run *run, const struct frame *frame)
{
    const struct tw_model *model = &run->session->model;
    struct tw_value args[model->arguments + 1], result = {TW_NONE, 0, {0}};
    struct tw_tensor tensors[model->state_count + 1];
    const struct tw_value *given = run->outputs;
    args[0] = (struct tw_value){TW_INT, 0, {run->threads}};
    for (int32_t argument = 0; argument < model->arguments; argument++) {
        int32_t state = state_of(model, argument);
        if (argument < model->inputs) {
            args[1 + argument] = frame->inputs[argument];
            continue;
        }
        if (state < 0) {
            if (check_argument(model, argument, given) != 0)
                return -1;
            args[1 + argument] = *given++;
            continue;
        }
        const struct tw_spec *spec = &model->specs[argument];
        describe(&tensors[state], spec->dtype, spec->rank, run->session->kept[state].spare,
            sizes_of(model, frame->sizes, argument - model->inputs));
        point_at(&args[1 + argument], &tensors[state]);
    }
    return model->run(NULL, args, model->arguments + 1, &result);
}

/* Make the outputs of a call the values of the states. */
static void replace_values(struct session *session, int64_t *sizes)
{
    const struct tw_model *model = &session->model;
    for (int32_t state = 0; state < model->state_count; state++) {
        struct kept *kept = &session->kept[state];
        char *next = kept->spare;
        kept->spare = kept->now.data;
        kept->now.data = next;
        copy_shape(kept->now.shape, sizes_of(model, sizes, model->states[state].output),
            spec_of(model, state)->rank);
    }
    session->has_values = true;
}

/* Fill a frame, and give the states their first values in the first call. Return 0 or -1. */
SMALL static int32_t prepare(struct session *session, const struct tw_value *given, struct frame *frame)
{
    const struct tw_model *model = &session->model;
    if (fill_inputs(session, given, frame) != 0 ||
        (!session->has_values && start(session, frame->inputs) != 0))
        return -1;
    for (int32_t state = 0; state < model->state_count; state++)
        frame->tensors[state].data = session->kept[state].now.data;
    return find_sizes(model, frame);
}

/* Forget values that no call has confirmed: a failed first call leaves a session without sizes. */
static void finish(struct session *session)
{
    if (!session->has_values)
        free_values(session);
}

/* Make a frame on the stack for calls of a model. */
#define FRAME(frame, model)                                                                        \
    struct tw_value frame##_inputs[(model)->inputs + 1];                                           \
    struct tw_tensor frame##_tensors[(model)->state_count + 1];                                    \
    int64_t frame##_shapes[ranks(model, 0, (model)->inputs) + 1];                                  \
    int64_t frame##_sizes[ranks(model, (model)->inputs, (model)->arguments) + 1];                  \
    struct frame frame = {frame##_inputs, frame##_tensors, frame##_shapes, frame##_sizes}

/* Run the model on inputs that are no states. Return 0 or -1. */
SMALL static int32_t run_session(struct run *run, const struct tw_value *given)
{
    FRAME(frame, &run->session->model);
    if (take(run->session) != 0)
        return -1;
    int32_t status = prepare(run->session, given, &frame);
    if (status == 0)
        status = run->allocate == NULL ? run_filling(run, &frame) : run_allocating(run, &frame);
    if (status == 0)
        replace_values(run->session, frame.sizes);
    finish(run->session);
    return release(run->session, status);
}

static int32_t inputs_of(const struct tw_model *model) { return model->inputs - model->state_count; }

/* Call a session on inputs and outputs. Return 0 or -1. */
SMALL static int32_t fill(
    struct session *session, int64_t threads, const struct tw_value *args, int32_t count)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_model *model = &session->model;
    int32_t inputs = inputs_of(model), all = model->arguments - 2 * model->state_count;
    if (count != all)
        return FAIL(TYPE_ERROR,
            "%s: wrong number of arguments of a session\n"
            "    expected: %d (%d inputs, %d outputs; the session keeps the states)\n    got: %d",
            model->name, all, inputs, all - inputs, count);
    struct run run = {session, threads, args + inputs, NULL, NULL};
    return run_session(&run, args);
}

static int32_t call_session(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct session *session = self;
    (void)result;
    return fill(session, *session->model.threads, args, count);
}

/* Check the values before the inputs of a call. Return 0 or -1. */
SMALL static int32_t check_leading(const struct tw_model *model, bool is_right, int32_t count)
{
    char message[TW_MESSAGE_BYTES];
    return is_right ? 0 : FAIL(TYPE_ERROR, "%s: wrong arguments of a session\n"
        "    expected: the number of threads, and perhaps a tw_allocate and its context, before"
        " %d inputs\n    got: %d arguments", model->name, inputs_of(model), count);
}

static int32_t call_threads(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct session *session = self;
    (void)result;
    if (check_leading(&session->model, count > 0 && args->type_index == TW_INT, count) != 0)
        return -1;
    return fill(session, args->payload.integer, args + 1, count - 1);
}

int32_t __tw_session_allocating(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct session *session = self;
    (void)result;
    bool is_right = count == 3 + inputs_of(&session->model) && args[0].type_index == TW_INT &&
        args[1].type_index == TW_OPAQUE && args[2].type_index == TW_OPAQUE;
    if (check_leading(&session->model, is_right, count) != 0)
        return -1;
    struct run run = {session, args->payload.integer, NULL, NULL, args[2].payload.pointer};
    *(void **)(&run.allocate) = args[1].payload.pointer;
    return run_session(&run, args + 3);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Copy a value between the order of the axes in the model and in memory. */
SMALL static void copy_value(const struct tw_model *model, int32_t state, char *memory, char *given,
    const int64_t *shape, bool is_to_memory)
{
    const struct tw_spec *spec = spec_of(model, state);
    int32_t axis = model->states[state].appends ? model->states[state].axis : 0;
    axis = axis < 0 ? 0 : axis;
    int64_t outer = product(shape, 0, axis, 1);
    int64_t rows = spec->rank > 0 ? shape[axis] : 1;
    int64_t inner = product(shape, axis + 1, spec->rank, element_bytes(spec));
    for (int64_t at = 0; inner > 0 && at < outer; at++)
        for (int64_t row = 0; row < rows; row++) {
            char *place = memory + (row * outer + at) * inner;
            char *other = given + (at * rows + row) * inner;
            memcpy(is_to_memory ? place : other, is_to_memory ? other : place, (size_t)inner);
        }
}

/* Return whether a tensor in CPU memory has the dtype and rank of a state, and no gaps. */
SMALL static bool is_like_state(
    const struct tw_model *model, int32_t state, const struct tw_tensor *tensor)
{
    const struct tw_spec *spec = spec_of(model, state);
    if (tensor == NULL || tensor->device_type != TW_CPU || tensor->dtype != spec->dtype ||
        tensor->rank != spec->rank)
        return false;
    int64_t bytes = tw_tensor_bytes(tensor->dtype, tensor->rank, tensor->shape);
    return bytes == 0 || (bytes > 0 && tw_is_plain(tensor));
}

SMALL static int32_t fail_value(
    const struct tw_model *model, int32_t state, const struct tw_tensor *got)
{
    char message[TW_MESSAGE_BYTES], type[TW_MESSAGE_BYTES], given[TW_MESSAGE_BYTES];
    char limit[128] = "";
    write_type(model, state, type);
    if (memory_axis(model, state) >= 0)
        snprintf(limit, sizeof limit, ", %.80s of at most %lld", size_text(model, state),
            (long long)model->states[state].capacity);
    if (got != NULL)
        tw_write_type(given, sizeof given, got->dtype, got->rank, got->shape);
    return FAIL(VALUE_ERROR,
        "%s: the value of state %.80s does not fit\n    expected: %.300s%s\n    got: %.300s\n"
        "    hint: pass such a tensor in CPU memory, row by row",
        model->name, spec_of(model, state)->name, type, limit,
        got == NULL ? "no tensor" : given);
}

/* Check a value that a session begins with. Return 0 or -1. */
SMALL static int32_t check_value(
    const struct tw_model *model, int32_t state, const struct tw_tensor *tensor)
{
    int32_t axis = model->states[state].axis;
    bool is_fitting = is_like_state(model, state, tensor) &&
        (axis < 0 || tensor->shape[axis] <= model->states[state].capacity);
    return is_fitting ? 0 : fail_value(model, state, tensor);
}

/* Keep a copy of an initial value. Return 0 or -1. */
static int32_t keep_initial(struct session *session, int32_t state, const struct tw_value *given)
{
    if (given->type_index == TW_NONE)
        return 0;
    const struct tw_model *model = &session->model;
    const struct tw_spec *spec = spec_of(model, state);
    const struct tw_tensor *tensor = tw_tensor_of(given);
    if (check_value(model, state, tensor) != 0)
        return -1;
    struct value *initial = &session->kept[state].initial;
    int64_t bytes = product(tensor->shape, 0, spec->rank, element_bytes(spec));
    initial->shape = calloc((size_t)spec->rank + 1, sizeof *initial->shape);
    initial->data = malloc((size_t)bytes + 1);
    if (initial->shape == NULL || initial->data == NULL)
        return fail_memory(model, state, bytes);
    move_axis(model, state, tensor->shape, initial->shape, true);
    copy_value(model, state, initial->data, (char *)tensor->data + tensor->byte_offset, tensor->shape,
        true);
    return 0;
}

/* Keep a copy of the value of a state after calls. Return 0 or -1. */
static int32_t keep_current(struct session *session, int32_t state, const struct tw_value *given)
{
    const struct tw_model *model = &session->model;
    const struct tw_tensor *tensor = tw_tensor_of(given);
    int64_t shape[spec_of(model, state)->rank + 1];
    if (check_value(model, state, tensor) != 0)
        return -1;
    move_axis(model, state, tensor->shape, shape, true);
    if (make_buffers(model, &session->kept[state], state, shape) != 0)
        return -1;
    copy_value(model, state, session->kept[state].now.data,
        (char *)tensor->data + tensor->byte_offset, tensor->shape, true);
    return 0;
}

/* Return the elements of a value that is an int64 tensor with room for `count`, else null after an
 * error. */
SMALL static int64_t *numbers_of(
    const struct tw_model *model, const struct tw_value *value, int64_t count)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_tensor *tensor = tw_tensor_of(value);
    if (tensor != NULL && tensor->device_type == TW_CPU && tensor->dtype == INT64 &&
        tensor->rank == 1 && tensor->shape[0] >= count)
        return (int64_t *)(void *)((char *)tensor->data + tensor->byte_offset);
    FAIL(TYPE_ERROR,
        "%s: the last argument does not take the sizes\n"
        "    expected: an int64 tensor of %lld elements\n    got: another value",
        model->name, (long long)count);
    return NULL;
}

/* ---- the functions of sessions --------------------------------------------------------------- */

static void return_session(struct tw_value *result, struct session *session)
{
    result->type_index = TW_FUNCTION;
    result->padding = 0;
    result->payload.pointer = session;
}

int32_t tw_begin_session(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_model *model = self;
    int32_t states = model->state_count;
    if (count != 0 && count != states && count != 2 * states)
        return FAIL(TYPE_ERROR,
            "%s: wrong number of initial values\n    expected: 0 or %d, one per state\n    got: %d",
            model->name, states, count);
    struct session *session = new_session(model);
    if (session == NULL)
        return -1;
    for (int32_t at = 0; at < count; at++)
        if ((at < states ? keep_initial : keep_current)(session, at % states, &args[at]) != 0) {
            delete_session(session, 3);
            return -1;
        }
    session->has_values = count > states;
    return_session(result, session);
    return 0;
}

int32_t __tvm_ffi_session_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    struct session *session = take_first(args, count, count);
    if (session == NULL)
        return -1;
    const struct tw_model *model = &session->model;
    if (check_count(model, count, 2 + inputs_of(model)) != 0)
        return release(session, -1);
    FRAME(frame, model);
    int32_t status = prepare(session, args + 1, &frame);
    finish(session);
    int64_t total = 0;
    for (int32_t output = model->inputs; output < model->arguments; output++)
        total += state_of(model, output) < 0 ? model->specs[output].rank : 0;
    int64_t *next = status == 0 ? numbers_of(model, &args[count - 1], total) : NULL;
    for (int32_t output = model->inputs; next != NULL && output < model->arguments; output++)
        for (int32_t axis = 0; state_of(model, output) < 0 && axis < model->specs[output].rank; axis++)
            *next++ = sizes_of(model, frame.sizes, output - model->inputs)[axis];
    return release(session, next == NULL ? -1 : 0);
}

/* The arguments are the inputs of the session `self`, and an int64 tensor. Write the sizes of all inputs
 * of the model in a call with these inputs that reaches the capacity: no call needs more memory. */
static int32_t largest_inputs(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct session *session = self;
    (void)result;
    if (check_count(&session->model, count, 1 + inputs_of(&session->model)) != 0)
        return -1;
    const struct tw_model *model = &session->model;
    struct session *empty = new_session(model);
    FRAME(frame, model);
    bool is_found = empty != NULL && fill_inputs(empty, args, &frame) == 0 &&
        find_sizes(model, &frame) == 0;
    free(empty);
    int64_t *next =
        is_found ? numbers_of(model, &args[count - 1], ranks(model, 0, model->inputs)) : NULL;
    for (int32_t input = 0; next != NULL && input < model->inputs; input++) {
        int32_t state = state_of(model, input), axis = state < 0 ? -1 : memory_axis(model, state);
        const struct tw_tensor *tensor = tw_tensor_of(&frame.inputs[input]);
        copy_shape(next, tensor->shape, tensor->rank);
        if (axis >= 0) /* the sizes are those after a call without positions before */
            next[axis] = model->states[state].capacity -
                sizes_of(model, frame.sizes, model->states[state].output)[axis];
        next += tensor->rank;
    }
    return next == NULL ? -1 : 0;
}

int32_t __tvm_ffi_session_reset(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    struct session *session = take_first(args, count, 1);
    if (session == NULL)
        return -1;
    free_values(session);
    return release(session, 0);
}

/* Return the size of the growing axis of a state, 0 before its sizes are known. */
static int64_t positions(const struct session *session, int32_t state)
{
    int32_t axis = memory_axis(&session->model, state);
    const struct kept *kept = &session->kept[state];
    const int64_t *shape = session->has_values ? kept->now.shape : kept->initial.shape;
    return shape == NULL || axis < 0 ? 0 : shape[axis];
}

/* Check that the last positions of all states can be dropped. Return 0 or -1. */
static int32_t check_rewind(const struct session *session, int64_t dropped)
{
    char message[TW_MESSAGE_BYTES], type[TW_MESSAGE_BYTES];
    const struct tw_model *model = &session->model;
    for (int32_t state = 0; state < model->state_count; state++) {
        int64_t known = session->has_values ? positions(session, state) : 0;
        if (model->states[state].axis < 0) {
            write_type(model, state, type);
            return FAIL(VALUE_ERROR,
                "%s: a session cannot rewind a state that is replaced\n"
                "    expected: states that grow\n    got: %.80s: %.300s\n"
                "    hint: fork the session before the calls to undo",
                model->name, spec_of(model, state)->name, type);
        }
        if (dropped < 0 || dropped > known)
            return FAIL(VALUE_ERROR,
                "%s: rewind by more positions than there are\n    expected: a count of 0 to %lld\n"
                "    got: %lld", model->name, (long long)known, (long long)dropped);
    }
    return 0;
}

/* Drop the last positions of a state. */
static void drop(const struct tw_model *model, struct kept *kept, int32_t state, int64_t dropped)
{
    const struct tw_spec *spec = spec_of(model, state);
    int32_t axis = memory_axis(model, state);
    int64_t rows = kept->now.shape[axis], outer = product(kept->now.shape, 0, axis, 1);
    int64_t inner = product(kept->now.shape, axis + 1, spec->rank, element_bytes(spec));
    int64_t left = rows - dropped;
    kept->now.shape[axis] = left;
    if (model->states[state].appends)
        return;
    for (int64_t at = 0; left * inner > 0 && at < outer; at++)
        memcpy(kept->spare + at * left * inner, kept->now.data + at * rows * inner,
            (size_t)(left * inner));
    char *next = kept->spare;
    kept->spare = kept->now.data;
    kept->now.data = next;
}

int32_t __tvm_ffi_session_rewind(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    char message[TW_MESSAGE_BYTES];
    (void)self;
    (void)result;
    struct session *session = take_first(args, count, 2);
    if (session == NULL)
        return -1;
    const struct tw_model *model = &session->model;
    if (args[1].type_index != TW_INT)
        return release(session, FAIL(TYPE_ERROR, "%s: the count of positions is not an int\n"
            "    expected: an int\n    got: type index %d", model->name, args[1].type_index));
    int64_t dropped = args[1].payload.integer;
    if (check_rewind(session, dropped) != 0)
        return release(session, -1);
    for (int32_t state = 0; dropped > 0 && state < model->state_count; state++)
        drop(model, &session->kept[state], state, dropped);
    return release(session, 0);
}

/* Copy a state to a new session. Return 0 or -1. */
static int32_t copy_kept(
    const struct tw_model *model, struct kept *to, const struct kept *from, int32_t state)
{
    const struct tw_spec *spec = spec_of(model, state);
    if (from->initial.shape != NULL) {
        int64_t bytes = product(from->initial.shape, 0, spec->rank, element_bytes(spec));
        to->initial.shape = calloc((size_t)spec->rank + 1, sizeof *to->initial.shape);
        to->initial.data = malloc((size_t)bytes + 1);
        if (to->initial.shape == NULL || to->initial.data == NULL)
            return fail_memory(model, state, bytes);
        copy_shape(to->initial.shape, from->initial.shape, spec->rank);
        memcpy(to->initial.data, from->initial.data, (size_t)bytes);
    }
    if (from->now.shape == NULL)
        return 0;
    if (make_buffers(model, to, state, from->now.shape) != 0)
        return -1;
    int64_t bytes = product(from->now.shape, 0, spec->rank, element_bytes(spec));
    if (bytes > 0)
        memcpy(to->now.data, from->now.data, (size_t)bytes);
    return 0;
}

int32_t __tvm_ffi_session_fork(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    struct session *session = take_first(args, count, 1);
    if (session == NULL)
        return -1;
    struct session *made = new_session(&session->model);
    int32_t status = made == NULL ? -1 : 0;
    for (int32_t state = 0; status == 0 && state < made->model.state_count; state++)
        status = copy_kept(&made->model, &made->kept[state], &session->kept[state], state);
    if (status == 0) {
        made->has_values = session->has_values;
        return_session(result, made);
    } else if (made != NULL)
        delete_session(made, 3);
    return release(session, status);
}

/* Store the position of a state in the second argument. Return 0 or -1. */
static int32_t read_state(const struct tw_model *model, const struct tw_value *args, int32_t *state)
{
    char message[TW_MESSAGE_BYTES];
    int64_t given = args[1].type_index == TW_INT ? args[1].payload.integer : -1;
    *state = (int32_t)given;
    if (given >= 0 && given < model->state_count)
        return 0;
    return FAIL(VALUE_ERROR, "%s: no state has this position\n    expected: an int in 0..%d\n"
        "    got: %lld", model->name, model->state_count - 1, (long long)given);
}

int32_t __tvm_ffi_session_size(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    int32_t state;
    (void)self;
    struct session *session = take_first(args, count, 2);
    if (session == NULL)
        return -1;
    if (read_state(&session->model, args, &state) != 0)
        return release(session, -1);
    result->type_index = TW_INT;
    result->payload.integer = positions(session, state);
    return release(session, 0);
}

/* A state whose value exists, from the second argument. Return 0 or -1. */
SMALL static int32_t read_value(
    const struct session *session, const struct tw_value *args, int32_t *state)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_model *model = &session->model;
    if (read_state(model, args, state) != 0)
        return -1;
    if (session->has_values)
        return 0;
    return FAIL(VALUE_ERROR, "%s: state %s has no value\n    expected: a session after a call\n"
        "    got: no call", model->name, spec_of(model, *state)->name);
}

/* The arguments are a session, the position of a state, and an int64 tensor. Write the sizes of the
 * value of the state. */
static int32_t state_shape(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    int32_t state;
    (void)self;
    (void)result;
    struct session *session = take_first(args, count, 3);
    if (session == NULL)
        return -1;
    if (read_value(session, args, &state) != 0)
        return release(session, -1);
    const struct tw_model *model = &session->model;
    int64_t *sizes = numbers_of(model, &args[2], spec_of(model, state)->rank);
    if (sizes != NULL)
        move_axis(model, state, session->kept[state].now.shape, sizes, false);
    return release(session, sizes == NULL ? -1 : 0);
}

int32_t __tvm_ffi_session_state(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    int32_t state;
    (void)self;
    (void)result;
    struct session *session = take_first(args, count, 3);
    if (session == NULL)
        return -1;
    if (read_value(session, args, &state) != 0)
        return release(session, -1);
    const struct tw_model *model = &session->model;
    struct kept *kept = &session->kept[state];
    const struct tw_tensor *into = tw_tensor_of(&args[2]);
    int64_t shape[spec_of(model, state)->rank + 1];
    move_axis(model, state, kept->now.shape, shape, false);
    bool is_fitting = is_like_state(model, state, into);
    for (int32_t axis = 0; is_fitting && axis < into->rank; axis++)
        is_fitting = into->shape[axis] == shape[axis];
    if (!is_fitting)
        return release(session, fail_value(model, state, into));
    copy_value(model, state, kept->now.data, (char *)into->data + into->byte_offset, shape, false);
    return release(session, 0);
}

const struct tw_session_functions __tw_session_functions = {
    tw_begin_session, call_session, call_threads, __tw_session_allocating, largest_inputs,
    __tvm_ffi_session_reset, __tvm_ffi_session_rewind, __tvm_ffi_session_fork,
    __tvm_ffi_session_size, state_shape, __tvm_ffi_session_state};
