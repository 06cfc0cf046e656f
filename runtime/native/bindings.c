/* Several programs of one model in a library: a call runs the one whose bound values equal its own.
 *
 * In: the arguments of the declared interface. Out: a call of a program, without the bound inputs. Each
 * program has an entry of its own (entry.c); all share the slots for errors and the worker pool.
 */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "bindings.h"
#include "messages.h"

void *__tw_weights;
int32_t __tw_running; /* of no use: each program counts its own runs */

/* ---- errors ---------------------------------------------------------------------------------- */

static int32_t fail_count(int32_t got)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: wrong number of arguments\n"
        "    expected: at least %d inputs\n"
        "    got: %d\n"
        "    signature: %s",
        tw_name, tw_inputs, got, tw_signature);
    return tw_fail(TYPE_ERROR, message);
}

static int32_t fail_input(int32_t index)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: argument %d (%s) cannot choose a program\n"
        "    expected: %s, row by row in CPU memory\n"
        "    got: another type, dtype, device or layout\n"
        "    signature: %s",
        tw_name, index, tw_specs[index].name, tw_specs[index].text, tw_signature);
    return tw_fail(TYPE_ERROR, message);
}

/* Append element `at` of a tensor of numbers to a text; return the new length. */
static int64_t append_element(
    char *text, int64_t room, int64_t length, const struct tw_tensor *tensor, int64_t at)
{
    enum { INTEGER, UNSIGNED, FLOAT, BOOL = 6 };
    uint32_t code = tensor->dtype & 255, bytes = (tensor->dtype >> 8 & 255) / 8;
    const char *from = (const char *)tensor->data + tensor->byte_offset + at * (int64_t)bytes;
    int64_t value = 0;
    memcpy(&value, from, bytes < 8 ? bytes : 8);
    int shift = 64 - 8 * (int)bytes;
    if (code == INTEGER)
        value = (int64_t)((uint64_t)value << shift) >> shift;
    if (code == INTEGER || code == UNSIGNED || code == BOOL)
        return APPEND(text, room, length, "%lld", (long long)value);
    return APPEND(text, room, length, "%#llx", (long long)value);
}

/* Append a bound input as "name = [2, 3]" to a text; return the new length. */
static int64_t append_input(
    char *text, int64_t room, int64_t length, const char *name, const struct tw_tensor *tensor)
{
    enum { MOST_SHOWN = 8 };
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        count *= tensor->shape[axis];
    length = APPEND(text, room, length, "%s%s = [", length == 0 ? "" : ", ", name);
    for (int64_t at = 0; at < count && at < MOST_SHOWN; at++) {
        length = APPEND(text, room, length, "%s", at == 0 ? "" : ", ");
        length = append_element(text, room, length, tensor, at);
    }
    return APPEND(text, room, length, "%s]", count > MOST_SHOWN ? ", ..." : "");
}

static int32_t fail_values(const struct tw_tensor *const *given)
{
    char got[256], message[TW_MESSAGE_BYTES];
    int64_t length = 0;
    for (int32_t at = 0; at < tw_bound_count; at++) {
        const char *name = tw_specs[tw_bound_inputs[at]].name;
        length = append_input(got, (int64_t)sizeof got, length, name, given[at]);
    }
    snprintf(message, sizeof message,
        "%s: the file has no program for these values\n"
        "    expected: %s\n"
        "    got: %s\n"
        "    hint: export the model with these values too",
        tw_name, tw_bindings, got);
    return tw_fail(VALUE_ERROR, message);
}

/* ---- the choice ------------------------------------------------------------------------------ */

int32_t __tw_is_bound(int32_t input)
{
    for (int32_t at = 0; at < tw_bound_count; at++)
        if (tw_bound_inputs[at] == input)
            return 1;
    return 0;
}

/* Return the bytes of a tensor that stores its elements row by row, or -1. */
static int64_t row_major_bytes(const struct tw_tensor *tensor)
{
    int64_t step = 1;
    bool has_elements = true;
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        has_elements = has_elements && tensor->shape[axis] > 0;
    if (!has_elements)
        return 0;
    for (int32_t axis = tensor->rank - 1; axis >= 0; axis--) {
        bool is_apart = tensor->shape[axis] > 1 && tensor->strides != NULL;
        if ((is_apart && tensor->strides[axis] != step)
            || __builtin_mul_overflow(step, tensor->shape[axis], &step))
            return -1;
    }
    int64_t bytes = (tensor->dtype >> 8 & 255) / 8;
    return __builtin_mul_overflow(step, bytes, &bytes) || tensor->data == NULL ? -1 : bytes;
}

/* Store the tensor that an input holds; return whether its bytes can be compared. */
static bool take_input(
    int32_t index, const struct tw_value *value, const struct tw_tensor **taken)
{
    const struct tw_tensor *tensor = *taken = tw_tensor_of(value);
    return tensor != NULL && tensor->device_type == TW_CPU
        && tensor->dtype == tw_specs[index].dtype && tensor->rank >= 0
        && row_major_bytes(tensor) >= 0;
}

static bool is_equal(const struct tw_bound *bound, const struct tw_tensor *tensor)
{
    if (tensor->rank != bound->rank)
        return false;
    for (int32_t axis = 0; axis < bound->rank; axis++)
        if (tensor->shape[axis] != bound->shape[axis])
            return false;
    const char *data = (const char *)tensor->data + tensor->byte_offset;
    return bound->bytes == 0 || memcmp(data, bound->data, (size_t)bound->bytes) == 0;
}

static bool is_for(const struct tw_program *program, const struct tw_tensor *const *given)
{
    for (int32_t at = 0; at < tw_bound_count; at++)
        if (!is_equal(&program->bound[at], given[at]))
            return false;
    return true;
}

/* Fill a program's slot for weights, unless a loader has filled it; return 0 or -1. */
static int32_t load_weights(const struct tw_program *program)
{
    if (tw_weights_bytes == 0 || __atomic_load_n(program->weights, __ATOMIC_ACQUIRE) != NULL)
        return 0;
    if (__tw_load_weights() != 0)
        return -1;
    char *start = __atomic_load_n((char **)&__tw_weights, __ATOMIC_ACQUIRE);
    __atomic_store_n(program->weights, (void *)(start + program->weights_at), __ATOMIC_RELEASE);
    return 0;
}

int32_t __tw_choose(
    const struct tw_value *args, int32_t count, const struct tw_program **chosen)
{
    const struct tw_tensor *given[tw_bound_count];
    *chosen = NULL;
    if (count < tw_inputs)
        return fail_count(count);
    for (int32_t at = 0; at < tw_bound_count; at++) {
        int32_t input = tw_bound_inputs[at];
        if (!take_input(input, &args[input], &given[at]))
            return fail_input(input);
    }
    for (int32_t at = 0; at < tw_program_count; at++)
        if (is_for(&tw_programs[at], given)) {
            *chosen = &tw_programs[at];
            return load_weights(*chosen);
        }
    return fail_values(given);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Call a function of the program for the values of a call; the first `skip` arguments are no inputs. */
static int32_t forward(int32_t function, const struct tw_value *args, int32_t skip, int32_t count,
    struct tw_value *result)
{
    const struct tw_program *program;
    if (count < skip)
        return fail_count(0);
    if (__tw_choose(args + skip, count - skip, &program) != 0)
        return -1;
    struct tw_value rest[count + 1];
    int32_t left = 0;
    for (int32_t at = 0; at < count; at++)
        if (at < skip || __tw_is_bound(at - skip) == 0)
            rest[left++] = args[at];
    return program->functions[function](NULL, rest, left, result);
}

int32_t __tvm_ffi_main(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    return forward(TW_MAIN, args, 0, count, result);
}

int32_t __tvm_ffi_default(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    return __tvm_ffi_main(self, args, count, result);
}

int32_t __tw_main_threads(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    return forward(TW_MAIN_THREADS, args, 1, count, result);
}

int32_t __tw_main_allocating(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    return forward(TW_MAIN_ALLOCATING, args, 3, count, result);
}

int32_t __tw_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    return forward(TW_OUTPUT_SHAPES, args, 0, count, result);
}

int32_t __tvm_ffi_main_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    return __tw_output_shapes(self, args, count, result);
}

int32_t __tw_arena_bytes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    return forward(TW_ARENA_BYTES, args, 0, count, result);
}

const struct tw_spec *__tw_arguments(int32_t *inputs, int32_t *arguments)
{
    *inputs = tw_inputs;
    *arguments = tw_arguments;
    return tw_specs;
}

void __tw_release(void)
{
    for (int32_t at = 0; at < tw_program_count; at++) {
        tw_programs[at].release();
        *tw_programs[at].weights = NULL;
    }
    tw_unload_weights();
}
