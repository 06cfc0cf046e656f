/* Sessions: runs of an exported model that remember its states, such as the caches of a decoder.
 *
 * In: calls with the inputs that are no states. Out: the outputs that are no states. runtime/call/session.py
 * defines the meaning, and does the same in Python. A session is a function object of the ABI, so that
 * every host counts its references. A state that calls append to has one buffer, any other one two: a
 * call reads one and writes the other. The buffers have the size of the largest value.
 */

#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_ERROR "TypeError"
#define VALUE_ERROR "ValueError"
#define MEMORY_ERROR "MemoryError"

/* Report an error whose text the arguments of snprintf make. Return -1. */
#define FAIL(kind, ...)                                                                            \
    (snprintf(message, sizeof message, __VA_ARGS__), tw_fail(kind, message))

/* Keeps the code small: no loop here is as long as a call of the model. */
#define SMALL __attribute__((noinline))

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
    bool has_values;
    struct kept kept[];
};

static tw_packed_function call_session;

/* ---- shapes ---------------------------------------------------------------------------------- */

static const struct tw_spec *spec_of(int32_t state) { return &tw_specs[tw_states[state].input]; }

/* Return the growing axis in memory, or -1. */
static int32_t memory_axis(int32_t state)
{
    return tw_states[state].appends ? 0 : tw_states[state].axis;
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
SMALL static int32_t state_of(int32_t argument)
{
    for (int32_t state = 0; state < tw_state_count; state++)
        if (tw_states[state].input == argument || tw_inputs + tw_states[state].output == argument)
            return state;
    return -1;
}

SMALL static const struct tw_tensor *tensor_of(const struct tw_value *value)
{
    if (value->type_index == TW_TENSOR_PTR)
        return value->payload.pointer;
    if (value->type_index == TW_TENSOR && value->payload.pointer != NULL)
        return &((const struct tw_tensor_object *)value->payload.pointer)->tensor;
    return NULL;
}

/* Store the value of a size of a state: that of an equal size of the inputs of a call. Return whether an
 * input has it. `inputs` has all inputs; those of states are not read. */
SMALL static bool find_size(int64_t entry, const struct tw_value *inputs, int64_t *size)
{
    for (int32_t input = 0; input < tw_inputs; input++)
        for (int32_t axis = 0; state_of(input) < 0 && axis < tw_specs[input].rank; axis++)
            if (tw_specs[input].shape[axis] == entry) {
                *size = tensor_of(&inputs[input])->shape[axis];
                return true;
            }
    return false;
}

/* Store the shape of a state before a call. Return 0 or -1. */
SMALL static int32_t shape_before(const struct session *session, int32_t state,
    const struct tw_value *inputs, int64_t *shape)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_spec *spec = spec_of(state);
    const struct kept *kept = &session->kept[state];
    const int64_t *known = session->has_values ? kept->now.shape : kept->initial.shape;
    if (known != NULL) {
        copy_shape(shape, known, spec->rank);
        return 0;
    }
    for (int32_t axis = 0; axis < spec->rank; axis++) {
        int64_t size = spec->shape[axis];
        shape[axis] = axis == memory_axis(state) ? 0 : size;
        if (axis != memory_axis(state) && size < 0 && !find_size(size, inputs, &shape[axis]))
            return FAIL(VALUE_ERROR,
                "%s: no input has the size %s of state %s\n    expected: %s\n"
                "    got: no initial value",
                tw_name, tw_expressions[-1 - size].text, spec->name, spec->text);
    }
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

SMALL static void free_values(struct session *session)
{
    for (int32_t state = 0; state < tw_state_count; state++) {
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
        for (int32_t state = 0; state < tw_state_count; state++) {
            free(session->kept[state].initial.data);
            free(session->kept[state].initial.shape);
        }
    }
    if (flags & 2)
        free(session);
}

SMALL static struct session *new_session(void)
{
    char message[TW_MESSAGE_BYTES];
    size_t bytes = sizeof(struct session) + (size_t)tw_state_count * sizeof(struct kept);
    struct session *made = calloc(1, bytes);
    if (made == NULL) {
        FAIL(MEMORY_ERROR, "%s: no memory for a session\n    expected: %lld bytes", tw_name,
            (long long)bytes);
        return NULL;
    }
    made->object.header.counts = ((uint64_t)1 << 32) + 1;
    made->object.header.type_index = TW_FUNCTION;
    made->object.header.free.deleter = delete_session;
    made->object.call = call_session;
    return made;
}

SMALL static int32_t fail_memory(int32_t state, int64_t bytes)
{
    char message[TW_MESSAGE_BYTES];
    return FAIL(MEMORY_ERROR, "%s: no memory for state %s\n    expected: %lld bytes", tw_name,
        spec_of(state)->name, (long long)bytes);
}

/* Make the buffers of a state whose first value has a shape, with zeros. Return 0 or -1. */
SMALL static int32_t make_buffers(struct kept *kept, int32_t state, const int64_t *shape)
{
    const struct tw_spec *spec = spec_of(state);
    int64_t largest[spec->rank + 1];
    copy_shape(largest, shape, spec->rank);
    if (memory_axis(state) >= 0)
        largest[memory_axis(state)] = tw_states[state].capacity;
    kept->bytes = product(largest, 0, spec->rank, element_bytes(spec));
    if (kept->bytes < 0)
        return fail_memory(state, INT64_MAX);
    size_t room = (size_t)kept->bytes + 1;
    kept->now.data = calloc(1, room);
    kept->now.shape = calloc((size_t)spec->rank + 1, sizeof *shape);
    kept->spare = tw_states[state].appends ? kept->now.data : calloc(1, room);
    if (kept->now.data == NULL || kept->now.shape == NULL || kept->spare == NULL)
        return fail_memory(state, kept->bytes);
    copy_shape(kept->now.shape, shape, spec->rank);
    return 0;
}

/* Give all states their first values, for the inputs of a call. Return 0 or -1. */
static int32_t start(struct session *session, const struct tw_value *inputs)
{
    for (int32_t state = 0; state < tw_state_count; state++) {
        struct kept *kept = &session->kept[state];
        const struct tw_spec *spec = spec_of(state);
        int64_t shape[spec->rank + 1];
        if (shape_before(session, state, inputs, shape) != 0 ||
            make_buffers(kept, state, shape) != 0)
            return -1;
        int64_t bytes = product(shape, 0, spec->rank, element_bytes(spec));
        if (kept->initial.data != NULL && bytes > 0 && bytes <= kept->bytes)
            memcpy(kept->now.data, kept->initial.data, (size_t)bytes);
    }
    return 0;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Return the session in the first argument, or null after an error. */
SMALL static struct session *session_of(const struct tw_value *args, int32_t count, int32_t expected)
{
    char message[TW_MESSAGE_BYTES];
    if (expected >= 0 && count != expected) {
        FAIL(TYPE_ERROR, "%s: wrong number of arguments\n    expected: %d\n    got: %d", tw_name,
            expected, count);
        return NULL;
    }
    struct session *session =
        count > 0 && args->type_index == TW_FUNCTION ? args->payload.pointer : NULL;
    if (session == NULL || session->object.call != call_session) {
        FAIL(TYPE_ERROR, "%s: the first argument is no session of this model\n"
            "    expected: a result of session\n    got: type index %d", tw_name,
            count > 0 ? args->type_index : TW_NONE);
        return NULL;
    }
    return session;
}

/* Check an input that is no state as far as a session reads it. Return 0 or -1. */
SMALL static int32_t check_input(int32_t input, const struct tw_value *value)
{
    char message[TW_MESSAGE_BYTES];
    const struct tw_spec *spec = &tw_specs[input];
    const struct tw_tensor *tensor = tensor_of(value);
    if (tensor == NULL)
        return FAIL(TYPE_ERROR, "%s: %s is not a tensor\n    expected: %s\n    got: type index %d",
            tw_name, spec->name, spec->text, value->type_index);
    if (tensor->rank != spec->rank)
        return FAIL(VALUE_ERROR,
            "%s: %s has the wrong number of dimensions\n    expected: %s\n    got: %d dimensions",
            tw_name, spec->name, spec->text, tensor->rank);
    return 0;
}

static void point_at(struct tw_value *value, struct tw_tensor *tensor)
{
    value->type_index = TW_TENSOR_PTR;
    value->padding = 0;
    value->payload.pointer = tensor;
}

/* Describe the memory of an argument. */
SMALL static void describe(
    struct tw_tensor *tensor, const struct tw_spec *spec, void *data, const int64_t *shape)
{
    tensor->data = data;
    tensor->device_type = TW_CPU;
    tensor->device_id = 0;
    tensor->rank = spec->rank;
    tensor->dtype = spec->dtype;
    tensor->shape = shape;
    tensor->strides = NULL;
    tensor->byte_offset = 0;
}

/* Return the sum of the ranks of the arguments first..end-1. */
SMALL static int32_t ranks(int32_t first, int32_t end)
{
    int32_t sum = 0;
    for (int32_t argument = first; argument < end; argument++)
        sum += tw_specs[argument].rank;
    return sum;
}

/* Return the place of the sizes of an output among those of all outputs. */
static int64_t *sizes_of(int64_t *sizes, int32_t output)
{
    return sizes + ranks(tw_inputs, tw_inputs + output);
}

/* Fill the inputs of a call: `given` has those that are no states, `shapes` and `tensors` have room for
 * the states. Return 0 or -1. */
SMALL static int32_t fill_inputs(const struct session *session, const struct tw_value *given,
    struct tw_value *inputs, struct tw_tensor *tensors, int64_t *shapes)
{
    for (int32_t input = 0; input < tw_inputs; input++) {
        if (state_of(input) >= 0)
            continue;
        if (check_input(input, given) != 0)
            return -1;
        inputs[input] = *given++;
    }
    for (int32_t state = 0; state < tw_state_count; state++) {
        const struct tw_spec *spec = spec_of(state);
        if (shape_before(session, state, inputs, shapes) != 0)
            return -1;
        describe(&tensors[state], spec, session->kept[state].now.data, shapes);
        point_at(&inputs[tw_states[state].input], &tensors[state]);
        shapes += spec->rank;
    }
    return 0;
}

/* Compute the sizes of all outputs, and check the capacity. Return 0 or -1. */
SMALL static int32_t find_sizes(struct tw_value *inputs, int64_t *sizes)
{
    char message[TW_MESSAGE_BYTES];
    static const struct tw_spec SIZES = {"sizes", "", NULL, 0, 0, 1, 64 << 8 | 1 << 16, -1, 0};
    int64_t count = ranks(tw_inputs, tw_arguments);
    struct tw_tensor tensor;
    struct tw_value result = {TW_NONE, 0, {0}};
    describe(&tensor, &SIZES, sizes, &count);
    point_at(&inputs[tw_inputs], &tensor);
    if (__tw_output_shapes(NULL, inputs, tw_inputs + 1, &result) != 0)
        return -1;
    for (int32_t state = 0; state < tw_state_count; state++) {
        int32_t axis = memory_axis(state);
        if (axis < 0)
            continue;
        int64_t before = tensor_of(&inputs[tw_states[state].input])->shape[axis];
        int64_t after = sizes_of(sizes, tw_states[state].output)[axis];
        if (after > tw_states[state].capacity)
            return FAIL(VALUE_ERROR,
                "%s: the call exceeds the capacity of %s\n"
                "    expected: at most %lld positions after the call\n"
                "    got: %lld + %lld = %lld\n"
                "    hint: rewind or reset the session, or compile with a larger capacity",
                tw_name, spec_of(state)->name, (long long)tw_states[state].capacity,
                (long long)before, (long long)(after - before), (long long)after);
    }
    return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* One call: the outputs of the caller, or its function that allocates them. */
struct run {
    struct session *session;
    const struct tw_value *outputs;
    tw_allocate *allocate;
    void *context;
};

/* Return memory for an output: a tw_allocate. */
static void *allocate_output(void *context, int32_t output, const int64_t *shape)
{
    struct run *run = context;
    int32_t state = state_of(tw_inputs + output);
    return state >= 0 ? run->session->kept[state].spare : run->allocate(run->context, output, shape);
}

/* Call main on all inputs with a function that allocates. Return 0 or -1. */
static int32_t run_allocating(struct run *run, const struct tw_value *inputs)
{
    tw_allocate *allocate = allocate_output;
    struct tw_value args[tw_inputs + 3], result = {TW_NONE, 0, {0}};
    args[0] = (struct tw_value){TW_INT, 0, {__tw_default_threads}};
    args[1] = args[2] = (struct tw_value){TW_OPAQUE, 0, {0}};
    /* C99 converts no function pointer to a data pointer, so copy the bits as POSIX suggests. */
    *(tw_allocate **)(&args[1].payload.pointer) = allocate;
    args[2].payload.pointer = run;
    for (int32_t input = 0; input < tw_inputs; input++)
        args[3 + input] = inputs[input];
    return __tw_main_allocating(NULL, args, tw_inputs + 3, &result);
}

/* Call main on all inputs, and on the outputs of the caller. Return 0 or -1. */
static int32_t run_filling(struct run *run, const struct tw_value *inputs, int64_t *sizes)
{
    struct tw_value args[tw_arguments + 1], result = {TW_NONE, 0, {0}};
    struct tw_tensor tensors[tw_state_count + 1];
    const struct tw_value *given = run->outputs;
    for (int32_t argument = 0; argument < tw_arguments; argument++) {
        int32_t state = state_of(argument);
        if (argument < tw_inputs || state < 0) {
            args[argument] = argument < tw_inputs ? inputs[argument] : *given++;
            continue;
        }
        describe(&tensors[state], &tw_specs[argument], run->session->kept[state].spare,
            sizes_of(sizes, argument - tw_inputs));
        point_at(&args[argument], &tensors[state]);
    }
    return __tvm_ffi_main(NULL, args, tw_arguments, &result);
}

/* Make the outputs of a call the values of the states. */
static void replace_values(struct session *session, int64_t *sizes)
{
    for (int32_t state = 0; state < tw_state_count; state++) {
        struct kept *kept = &session->kept[state];
        char *next = kept->spare;
        kept->spare = kept->now.data;
        kept->now.data = next;
        copy_shape(kept->now.shape, sizes_of(sizes, tw_states[state].output), spec_of(state)->rank);
    }
    session->has_values = true;
}

/* The arguments of a call: all inputs, room for one more, the tensors of the states, and sizes. */
struct frame {
    struct tw_value *inputs;
    struct tw_tensor *tensors;
    int64_t *shapes; /* of the states */
    int64_t *sizes; /* of the outputs */
};

/* Fill a frame, and give the states their first values in the first call. Return 0 or -1. */
SMALL static int32_t prepare(struct session *session, const struct tw_value *given, struct frame *frame)
{
    if (fill_inputs(session, given, frame->inputs, frame->tensors, frame->shapes) != 0 ||
        (!session->has_values && start(session, frame->inputs) != 0))
        return -1;
    for (int32_t state = 0; state < tw_state_count; state++)
        frame->tensors[state].data = session->kept[state].now.data;
    return find_sizes(frame->inputs, frame->sizes);
}

/* Forget values that no call has confirmed: a failed first call leaves a session without sizes. */
static void finish(struct session *session)
{
    if (!session->has_values)
        free_values(session);
}

/* Run the model on inputs that are no states. Return 0 or -1. */
SMALL static int32_t run_session(struct run *run, const struct tw_value *given)
{
    struct session *session = run->session;
    struct tw_value inputs[tw_inputs + 1];
    struct tw_tensor tensors[tw_state_count + 1];
    int64_t shapes[ranks(0, tw_inputs) + 1], sizes[ranks(tw_inputs, tw_arguments) + 1];
    struct frame frame = {inputs, tensors, shapes, sizes};
    int32_t status = prepare(session, given, &frame);
    if (status == 0)
        status = run->allocate == NULL ? run_filling(run, inputs, sizes) : run_allocating(run, inputs);
    if (status == 0)
        replace_values(session, sizes);
    finish(session);
    return status;
}

static int32_t call_session(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    char message[TW_MESSAGE_BYTES];
    int32_t inputs = tw_inputs - tw_state_count, all = tw_arguments - 2 * tw_state_count;
    (void)result;
    if (count != all)
        return FAIL(TYPE_ERROR,
            "%s: wrong number of arguments of a session\n"
            "    expected: %d (%d inputs, %d outputs; the session keeps the states)\n    got: %d",
            tw_name, all, inputs, all - inputs, count);
    struct run run = {self, args + inputs, NULL, NULL};
    return run_session(&run, args);
}

int32_t __tw_session_allocating(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    struct session *session = session_of(args, count, 3 + tw_inputs - tw_state_count);
    if (session == NULL)
        return -1;
    struct run run = {session, NULL, NULL, args[2].payload.pointer};
    *(void **)(&run.allocate) = args[1].payload.pointer;
    return run_session(&run, args + 3);
}

/* ---- the exported functions ------------------------------------------------------------------ */

const struct tw_state *__tw_states(int32_t *count)
{
    *count = tw_state_count;
    return tw_states;
}

static void return_session(struct tw_value *result, struct session *session)
{
    result->type_index = TW_FUNCTION;
    result->padding = 0;
    result->payload.pointer = session;
}

/* Copy a value between the order of the axes in the model and in memory. */
SMALL static void copy_value(
    int32_t state, char *memory, char *model, const int64_t *model_shape, bool is_to_memory)
{
    const struct tw_spec *spec = spec_of(state);
    int32_t axis = tw_states[state].appends ? tw_states[state].axis : 0;
    int64_t outer = product(model_shape, 0, axis, 1);
    int64_t rows = spec->rank > 0 ? model_shape[axis] : 1;
    int64_t inner = product(model_shape, axis + 1, spec->rank, element_bytes(spec));
    for (int64_t at = 0; inner > 0 && at < outer; at++)
        for (int64_t row = 0; row < rows; row++) {
            char *place = memory + (row * outer + at) * inner;
            char *other = model + (at * rows + row) * inner;
            memcpy(is_to_memory ? place : other, is_to_memory ? other : place, (size_t)inner);
        }
}

/* Store the shape in memory of a shape in the model, or the other way. */
SMALL static void move_axis(int32_t state, const int64_t *from, int64_t *to, bool is_to_memory)
{
    int32_t rank = spec_of(state)->rank;
    int32_t axis = tw_states[state].appends ? tw_states[state].axis : 0;
    for (int32_t at = 0; at < rank; at++) {
        int32_t memory = at == axis ? 0 : at < axis ? at + 1 : at;
        to[is_to_memory ? memory : at] = from[is_to_memory ? at : memory];
    }
}

/* Return whether a tensor in CPU memory has the dtype and rank of a state, and no gaps. */
SMALL static bool is_like_state(int32_t state, const struct tw_tensor *tensor)
{
    const struct tw_spec *spec = spec_of(state);
    if (tensor == NULL || tensor->device_type != TW_CPU || tensor->dtype != spec->dtype ||
        tensor->rank != spec->rank)
        return false;
    int64_t step = 1;
    for (int32_t axis = tensor->rank - 1; axis >= 0; axis--) {
        if (tensor->strides != NULL && tensor->shape[axis] > 1 && tensor->strides[axis] != step)
            return false;
        step *= tensor->shape[axis];
    }
    return product(tensor->shape, 0, tensor->rank, element_bytes(spec)) >= 0;
}

SMALL static int32_t fail_value(int32_t state)
{
    char message[TW_MESSAGE_BYTES];
    return FAIL(VALUE_ERROR,
        "%s: the value of state %s does not fit\n"
        "    expected: %s, row by row in CPU memory, with at most %lld positions\n"
        "    got: another type, rank or shape",
        tw_name, spec_of(state)->name, spec_of(state)->text, (long long)tw_states[state].capacity);
}

/* Keep a copy of an initial value. Return 0 or -1. */
static int32_t keep_initial(struct session *session, int32_t state, const struct tw_value *given)
{
    if (given->type_index == TW_NONE)
        return 0;
    const struct tw_spec *spec = spec_of(state);
    const struct tw_tensor *tensor = tensor_of(given);
    int32_t axis = tw_states[state].axis;
    if (!is_like_state(state, tensor) ||
        (axis >= 0 && tensor->shape[axis] > tw_states[state].capacity))
        return fail_value(state);
    struct value *initial = &session->kept[state].initial;
    int64_t bytes = product(tensor->shape, 0, spec->rank, element_bytes(spec));
    initial->shape = calloc((size_t)spec->rank + 1, sizeof *initial->shape);
    initial->data = malloc((size_t)bytes + 1);
    if (initial->shape == NULL || initial->data == NULL)
        return fail_memory(state, bytes);
    move_axis(state, tensor->shape, initial->shape, true);
    copy_value(state, initial->data, (char *)tensor->data + tensor->byte_offset, tensor->shape, true);
    return 0;
}

int32_t __tvm_ffi_session(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    char message[TW_MESSAGE_BYTES];
    (void)self;
    if (count != 0 && count != tw_state_count)
        return FAIL(TYPE_ERROR,
            "%s: wrong number of initial values\n    expected: 0 or %d, one per state\n    got: %d",
            tw_name, tw_state_count, count);
    struct session *session = new_session();
    if (session == NULL)
        return -1;
    for (int32_t state = 0; state < count; state++)
        if (keep_initial(session, state, &args[state]) != 0) {
            delete_session(session, 3);
            return -1;
        }
    return_session(result, session);
    return 0;
}

int32_t __tvm_ffi_session_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    char message[TW_MESSAGE_BYTES];
    (void)self;
    (void)result;
    struct session *session = session_of(args, count, 2 + tw_inputs - tw_state_count);
    if (session == NULL)
        return -1;
    struct tw_value inputs[tw_inputs + 1];
    struct tw_tensor tensors[tw_state_count + 1];
    int64_t shapes[ranks(0, tw_inputs) + 1], sizes[ranks(tw_inputs, tw_arguments) + 1], total = 0;
    struct frame frame = {inputs, tensors, shapes, sizes};
    int32_t status = prepare(session, args + 1, &frame);
    finish(session);
    if (status != 0)
        return -1;
    for (int32_t output = tw_inputs; output < tw_arguments; output++)
        total += state_of(output) < 0 ? tw_specs[output].rank : 0;
    const struct tw_tensor *into = tensor_of(&args[count - 1]);
    if (into == NULL || into->device_type != TW_CPU || into->dtype != (64 << 8 | 1 << 16) ||
        into->rank != 1 || into->shape[0] < total)
        return FAIL(TYPE_ERROR,
            "%s: the last argument does not take the sizes of the outputs\n"
            "    expected: an int64 tensor of %lld elements\n    got: another value",
            tw_name, (long long)total);
    int64_t *next = (int64_t *)(void *)((char *)into->data + into->byte_offset);
    for (int32_t output = tw_inputs; output < tw_arguments; output++)
        for (int32_t axis = 0; state_of(output) < 0 && axis < tw_specs[output].rank; axis++)
            *next++ = sizes_of(sizes, output - tw_inputs)[axis];
    return 0;
}

int32_t __tvm_ffi_session_reset(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    struct session *session = session_of(args, count, 1);
    if (session == NULL)
        return -1;
    free_values(session);
    return 0;
}

/* Return the size of the growing axis of a state, 0 before its sizes are known. */
static int64_t positions(const struct session *session, int32_t state)
{
    const struct kept *kept = &session->kept[state];
    const int64_t *shape = session->has_values ? kept->now.shape : kept->initial.shape;
    return shape == NULL || memory_axis(state) < 0 ? 0 : shape[memory_axis(state)];
}

/* Check that the last positions of all states can be dropped. Return 0 or -1. */
static int32_t check_rewind(const struct session *session, int64_t dropped)
{
    char message[TW_MESSAGE_BYTES];
    for (int32_t state = 0; state < tw_state_count; state++) {
        int64_t known = session->has_values ? positions(session, state) : 0;
        if (tw_states[state].axis < 0)
            return FAIL(VALUE_ERROR,
                "%s: a session cannot rewind a state that is replaced\n"
                "    expected: states that grow\n    got: %s: %s\n"
                "    hint: fork the session before the calls to undo",
                tw_name, spec_of(state)->name, spec_of(state)->text);
        if (dropped < 0 || dropped > known)
            return FAIL(VALUE_ERROR,
                "%s: rewind by more positions than there are\n    expected: a count of 0 to %lld\n"
                "    got: %lld", tw_name, (long long)known, (long long)dropped);
    }
    return 0;
}

/* Drop the last positions of a state. */
static void drop(struct kept *kept, int32_t state, int64_t dropped)
{
    const struct tw_spec *spec = spec_of(state);
    int32_t axis = memory_axis(state);
    int64_t rows = kept->now.shape[axis], outer = product(kept->now.shape, 0, axis, 1);
    int64_t inner = product(kept->now.shape, axis + 1, spec->rank, element_bytes(spec));
    int64_t left = rows - dropped;
    kept->now.shape[axis] = left;
    if (tw_states[state].appends)
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
    struct session *session = session_of(args, count, 2);
    if (session == NULL)
        return -1;
    if (args[1].type_index != TW_INT)
        return FAIL(TYPE_ERROR, "%s: the count of positions is not an int\n    expected: an int\n"
            "    got: type index %d", tw_name, args[1].type_index);
    int64_t dropped = args[1].payload.integer;
    if (check_rewind(session, dropped) != 0)
        return -1;
    for (int32_t state = 0; dropped > 0 && state < tw_state_count; state++)
        drop(&session->kept[state], state, dropped);
    return 0;
}

/* Copy a state to a new session. Return 0 or -1. */
static int32_t copy_kept(struct kept *to, const struct kept *from, int32_t state)
{
    const struct tw_spec *spec = spec_of(state);
    if (from->initial.shape != NULL) {
        int64_t bytes = product(from->initial.shape, 0, spec->rank, element_bytes(spec));
        to->initial.shape = calloc((size_t)spec->rank + 1, sizeof *to->initial.shape);
        to->initial.data = malloc((size_t)bytes + 1);
        if (to->initial.shape == NULL || to->initial.data == NULL)
            return fail_memory(state, bytes);
        copy_shape(to->initial.shape, from->initial.shape, spec->rank);
        memcpy(to->initial.data, from->initial.data, (size_t)bytes);
    }
    if (from->now.shape == NULL)
        return 0;
    if (make_buffers(to, state, from->now.shape) != 0)
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
    struct session *session = session_of(args, count, 1);
    struct session *made = session == NULL ? NULL : new_session();
    if (made == NULL)
        return -1;
    for (int32_t state = 0; state < tw_state_count; state++)
        if (copy_kept(&made->kept[state], &session->kept[state], state) != 0) {
            delete_session(made, 3);
            return -1;
        }
    made->has_values = session->has_values;
    return_session(result, made);
    return 0;
}

/* Store the position of a state in the second argument. Return 0 or -1. */
static int32_t read_state(const struct tw_value *args, int32_t *state)
{
    char message[TW_MESSAGE_BYTES];
    int64_t given = args[1].type_index == TW_INT ? args[1].payload.integer : -1;
    *state = (int32_t)given;
    if (given >= 0 && given < tw_state_count)
        return 0;
    return FAIL(VALUE_ERROR, "%s: no state has this position\n    expected: an int in 0..%d\n"
        "    got: %lld", tw_name, tw_state_count - 1, (long long)given);
}

int32_t __tvm_ffi_session_size(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    int32_t state;
    (void)self;
    struct session *session = session_of(args, count, 2);
    if (session == NULL || read_state(args, &state) != 0)
        return -1;
    result->type_index = TW_INT;
    result->payload.integer = positions(session, state);
    return 0;
}

int32_t __tvm_ffi_session_state(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    char message[TW_MESSAGE_BYTES];
    int32_t state;
    (void)self;
    (void)result;
    struct session *session = session_of(args, count, 3);
    if (session == NULL || read_state(args, &state) != 0)
        return -1;
    const struct tw_spec *spec = spec_of(state);
    if (!session->has_values)
        return FAIL(VALUE_ERROR, "%s: state %s has no value\n    expected: a session after a call\n"
            "    got: no call", tw_name, spec->name);
    struct kept *kept = &session->kept[state];
    const struct tw_tensor *into = tensor_of(&args[2]);
    int64_t shape[spec->rank + 1];
    move_axis(state, kept->now.shape, shape, false);
    bool is_fitting = is_like_state(state, into);
    for (int32_t axis = 0; is_fitting && axis < spec->rank; axis++)
        is_fitting = into->shape[axis] == shape[axis];
    if (!is_fitting)
        return fail_value(state);
    copy_value(state, kept->now.data, (char *)into->data + into->byte_offset, shape, false);
    return 0;
}
