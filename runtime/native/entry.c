/* The entry code around a model's main function: argument checks, errors, arenas, exported names.
 *
 * All models share it: entry.h says what each model defines. Exported functions follow the
 * packed-function ABI: they return 0, or -1 after reporting an error.
 */

#include "weights.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__tw_weights;
tw_pool *__tw_pool;
int32_t __tw_default_threads = 1;
tw_report *__tw_raise;
tw_report *__TVMFFIErrorSetRaisedFromCStr __attribute__((weak));
void *__tvm_ffi__library_ctx __attribute__((weak));
char __tw_last_error[TW_MESSAGE_BYTES];
const int32_t __tw_abi_version = 1;

/* Functions of the host, if it has them: the linker makes a weak one without a definition null. */
void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message) __attribute__((weak));
void *dlsym(void *library, const char *symbol) __attribute__((weak));

/* C11's; C99's <stdlib.h> has none. */
void *aligned_alloc(size_t alignment, size_t bytes);

/* Keeps the buffers of messages out of the frame of a call that succeeds. */
#define RARE __attribute__((cold, noinline))

/* ---- errors ---------------------------------------------------------------------------------- */

/* The kinds of errors that every host of the ABI knows. */
#define TYPE_ERROR "TypeError"
#define VALUE_ERROR "ValueError"
#define MEMORY_ERROR "MemoryError"
#define RUNTIME_ERROR "RuntimeError"
#define INDEX_ERROR "IndexError"

/* A rule that an argument can break. `got` is a format with up to three numbers. */
struct rule {
    const char *kind;
    const char *text;
    const char *got;
};

/* A broken rule (null if none is) and the numbers of its message. */
struct finding {
    const struct rule *rule;
    int64_t numbers[3];
};

static const struct rule IS_TENSOR = {TYPE_ERROR, "is not a tensor", "type index %lld"};
static const struct rule IS_IN_CPU_MEMORY = {
    VALUE_ERROR, "is not in CPU memory", "DLPack device type %lld, number %lld"};
static const struct rule HAS_DTYPE = {
    TYPE_ERROR, "has the wrong dtype", "DLPack type code %lld, %lld bits, %lld lanes"};
static const struct rule HAS_RANK = {
    VALUE_ERROR, "has the wrong number of dimensions", "%lld dimensions"};
static const struct rule HAS_SHAPE = {
    VALUE_ERROR, "has the wrong shape", "size %lld in dimension %lld"};
/* The numbers of the next two are the size, the dimension, and the position of its expression. */
static const struct rule HAS_SIZE = {VALUE_ERROR, "has the wrong shape", ""};
static const struct rule HAS_VALID_SIZE = {VALUE_ERROR, "has a size that is not valid", ""};
static const struct rule IS_ROW_MAJOR = {
    VALUE_ERROR,
    "is not stored row by row without gaps",
    "stride %lld in dimension %lld instead of %lld"};
static const struct rule IS_ALIGNED = {
    VALUE_ERROR,
    "is null or not aligned to its elements",
    "address %#llx, needs a multiple of %lld"};
static const struct rule IS_APART = {
    VALUE_ERROR, "shares memory with another argument", "overlap with argument %lld"};

/* Return the host's function that takes an error: our loader's, TVM's loader's, one that the host
 * has linked, or one that the host loaded after this module. */
static tw_report *host_report(void)
{
    if (__tw_raise != NULL)
        return __tw_raise;
    if (__TVMFFIErrorSetRaisedFromCStr != NULL)
        return __TVMFFIErrorSetRaisedFromCStr;
    if (TVMFFIErrorSetRaisedFromCStr != NULL)
        return TVMFFIErrorSetRaisedFromCStr;
    if (dlsym == NULL)
        return NULL;
    tw_report *found = NULL;
    /* C99 converts no data pointer to a function pointer, so copy the bits as POSIX suggests. */
    *(void **)(&found) = dlsym(NULL, "TVMFFIErrorSetRaisedFromCStr");
    return found;
}

/* The text also stays in __tw_last_error. */
RARE int32_t tw_fail(const char *kind, const char message[TW_MESSAGE_BYTES])
{
    memcpy(__tw_last_error, message, TW_MESSAGE_BYTES);
    tw_report *host = host_report();
    if (host != NULL)
        host(kind, message);
    return -1;
}

/* Append to a text of `room` bytes, of which `length` are in use; return the new length. */
#define APPEND(text, room, length, ...)                                                            \
    (length < room ? length + snprintf(text + length, (size_t)(room - length), __VA_ARGS__) : length)

/* Append the value of a symbol and where it is from to a text; return the new length. */
RARE static int64_t append_value(
    char *text, int64_t room, int64_t length, int32_t index, const int64_t *sizes)
{
    const struct tw_symbol *symbol = &tw_symbols[index];
    const char *name = tw_expressions[index].text;
    if (symbol->is_computed)
        return APPEND(text, room, length, "%s = %lld (computed)", name, (long long)sizes[index]);
    return APPEND(text, room, length, "%s = %lld (dimension %d of %s)", name,
        (long long)sizes[index], symbol->axis, tw_specs[symbol->argument].name);
}

/* Report a size that is not its expression, or gives no valid symbol. Before: the symbols that
 * occur in the expression are known, except for HAS_VALID_SIZE. Return -1. */
RARE static int32_t fail_size(int32_t index, const struct finding *finding, const int64_t *sizes)
{
    const struct tw_expression *expression = &tw_expressions[finding->numbers[2]];
    char wanted[512];
    int64_t room = sizeof wanted;
    int64_t length = snprintf(wanted, (size_t)room, "%s", expression->text);
    if (finding->rule == &HAS_SIZE && finding->numbers[2] >= tw_symbol_count)
        length = APPEND(
            wanted, room, length, " = %lld", (long long)sizes[finding->numbers[2]]);
    for (int64_t number = 0; number < expression->count; number++) {
        int32_t position = expression->symbols[number];
        const struct tw_symbol *symbol = &tw_symbols[position];
        const char *name = tw_expressions[position].text;
        length = APPEND(wanted, room, length, number == 0 ? ", where " : ", ");
        if (finding->rule == &HAS_SIZE)
            length = append_value(wanted, room, length, position, sizes);
        else
            length = APPEND(wanted, room, length, "%s is in %lld..%lld", name,
                (long long)symbol->least, (long long)symbol->most);
    }
    const struct tw_spec *spec = &tw_specs[index];
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: argument %d (%s) %s\n"
        "    expected: %s, dimension %lld: %s\n"
        "    got: size %lld in dimension %lld\n"
        "    signature: %s",
        tw_name, index, spec->name, finding->rule->text, spec->text,
        (long long)finding->numbers[1], wanted, (long long)finding->numbers[0],
        (long long)finding->numbers[1], tw_signature);
    return tw_fail(finding->rule->kind, message);
}

/* Report which rule argument `index` breaks. Return -1. */
RARE static int32_t fail_argument(
    int32_t index, const struct finding *finding, const int64_t *sizes)
{
    const struct rule *rule = finding->rule;
    if (rule == &HAS_SIZE || rule == &HAS_VALID_SIZE)
        return fail_size(index, finding, sizes);
    const struct tw_spec *spec = &tw_specs[index];
    char got[128];
    snprintf(got, sizeof got, rule->got, (long long)finding->numbers[0],
        (long long)finding->numbers[1], (long long)finding->numbers[2]);
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: argument %d (%s) %s\n"
        "    expected: %s\n"
        "    got: %s\n"
        "    signature: %s",
        tw_name, index, spec->name, rule->text, spec->text, got, tw_signature);
    return tw_fail(rule->kind, message);
}

/* Report a wrong number of arguments. Return -1. */
RARE static int32_t fail_count(int32_t got)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: wrong number of arguments\n"
        "    expected: %d (%d inputs, %d outputs)\n"
        "    got: %d\n"
        "    signature: %s",
        tw_name, tw_arguments, tw_inputs, tw_arguments - tw_inputs, got, tw_signature);
    return tw_fail(TYPE_ERROR, message);
}

/* Report a failure whose format takes the name and one number. Return -1. */
RARE static int32_t fail_number(const char *kind, const char *format, int64_t number)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message, format, tw_name, (long long)number);
    return tw_fail(kind, message);
}

/* Report that an intermediate result would have a negative size. Return -1. */
RARE static int32_t fail_small(const int64_t *sizes)
{
    char got[400];
    int64_t room = (int64_t)sizeof got, length = 0;
    for (int32_t index = 0; index < tw_symbol_count; index++) {
        length = APPEND(got, room, length, "%s", index == 0 ? "" : ", ");
        length = append_value(got, room, length, index, sizes);
    }
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: the inputs are too small: an intermediate result would have a negative size\n"
        "    expected: larger inputs, as for windows that fit into them\n"
        "    got: %s",
        tw_name, got);
    return tw_fail(VALUE_ERROR, message);
}

/* The largest value of a size that the model does not limit; MOST in dialects/shape.py. */
static const int64_t UNLIMITED = (int64_t)1 << 40;

/* Report a size outside of its range. Return -1. */
RARE static int32_t fail_limit(int32_t index, const int64_t *sizes)
{
    const struct tw_expression *expression = &tw_expressions[index];
    char range[64], value[256], message[TW_MESSAGE_BYTES];
    int64_t room = (int64_t)sizeof value, length = 0;
    for (int64_t number = 0; number < expression->count; number++) {
        length = APPEND(value, room, length, "%s", number == 0 ? "" : ", ");
        length = append_value(value, room, length, expression->symbols[number], sizes);
    }
    if (expression->most < UNLIMITED)
        snprintf(range, sizeof range, "in %lld..%lld", (long long)expression->least,
            (long long)expression->most);
    else
        snprintf(range, sizeof range, "of at least %lld", (long long)expression->least);
    snprintf(message, sizeof message,
        "%s: a size is outside of its range\n"
        "    expected: %s %s\n"
        "    got: %lld, where %s",
        tw_name, expression->text, range, (long long)sizes[index], value);
    return tw_fail(VALUE_ERROR, message);
}

/* Report that main computes a size that is not valid. Return -1. */
RARE static int32_t fail_computed(int32_t index, int64_t got)
{
    const struct tw_symbol *symbol = &tw_symbols[index];
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: the inputs lead to a size that is not valid\n"
        "    expected: %s in %lld..%lld\n"
        "    got: %lld",
        tw_name, tw_expressions[index].text, (long long)symbol->least, (long long)symbol->most,
        (long long)got);
    return tw_fail(VALUE_ERROR, message);
}

/* Write element `position` of a tensor as "[2, 0]" to `text`, of `room` bytes. */
static void write_position(
    char *text, int64_t room, const struct tw_check *check, int64_t position)
{
    int64_t length = snprintf(text, (size_t)room, "[");
    for (int64_t axis = 0; axis < check->rank && room - length >= 32; axis++) {
        int64_t elements = 1; /* of one step along the axis */
        for (int64_t inner = axis + 1; inner < check->rank; inner++)
            elements *= check->shape[inner];
        int64_t step = position / elements % check->shape[axis];
        const char *format = axis == 0 ? "%lld" : ", %lld";
        length += snprintf(text + length, (size_t)(room - length), format, (long long)step);
    }
    snprintf(text + length, (size_t)(room - length), "]");
}

RARE int32_t tw_fail_index(
    const struct tw_check *check, int64_t position, int64_t got, int64_t low, int64_t high)
{
    char where[256];
    write_position(where, sizeof where, check, position);
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: %s: an index is out of range\n"
        "    expected: %lld..%lld\n"
        "    got: %lld at %s of the indices",
        tw_name, check->place, (long long)low, (long long)high, (long long)got, where);
    return tw_fail(INDEX_ERROR, message);
}

/* ---- argument checks ------------------------------------------------------------------------- */

/* Note a broken rule; return false, as the checks below do for a broken rule. */
static bool breaks(
    struct finding *finding, const struct rule *rule, int64_t first, int64_t second, int64_t third)
{
    *finding = (struct finding){rule, {first, second, third}};
    return false;
}

/* Return the tensor in a value, or null. */
static const struct tw_tensor *tensor_of(const struct tw_value *value)
{
    if (value->type_index == TW_TENSOR_PTR)
        return value->payload.pointer;
    if (value->type_index == TW_TENSOR)
        return &((const struct tw_tensor_object *)value->payload.pointer)->tensor;
    return NULL;
}

/* Check device, dtype and rank. */
static bool check_type(
    const struct tw_spec *spec, const struct tw_tensor *tensor, struct finding *finding)
{
    if (tensor->device_type != TW_CPU)
        return breaks(finding, &IS_IN_CPU_MEMORY, tensor->device_type, tensor->device_id, 0);
    uint32_t dtype = tensor->dtype;
    if (dtype != spec->dtype)
        return breaks(finding, &HAS_DTYPE, dtype & 255, dtype >> 8 & 255, dtype >> 16);
    if (tensor->rank != spec->rank)
        return breaks(finding, &HAS_RANK, tensor->rank, 0, 0);
    return true;
}

/* Check sizes. Before: the rank is right. */
static bool check_shape(const struct tw_spec *spec, const struct tw_tensor *tensor,
    const int64_t *sizes, struct finding *finding)
{
    for (int32_t axis = 0; axis < spec->rank; axis++) {
        int64_t got = tensor->shape[axis];
        int64_t expected = spec->shape[axis];
        if (expected < 0 && got != sizes[-1 - expected])
            return breaks(finding, &HAS_SIZE, got, axis, -1 - expected);
        if (expected >= 0 && got != expected)
            return breaks(finding, &HAS_SHAPE, got, axis, 0);
    }
    return true;
}

/* Check that elements are stored row by row without gaps. Before: the shape is right, and no size
 * is 0. */
static bool check_strides(
    const struct tw_spec *spec, const struct tw_tensor *tensor, struct finding *finding)
{
    if (tensor->strides == NULL)
        return true;
    int64_t expected = 1;
    for (int32_t axis = spec->rank - 1; axis >= 0; axis--) {
        int64_t stride = tensor->strides[axis];
        if (tensor->shape[axis] != 1 && stride != expected)
            return breaks(finding, &IS_ROW_MAJOR, stride, axis, expected);
        expected *= tensor->shape[axis];
    }
    return true;
}

/* Return the size in bytes of a tensor of the right shape. */
static uint64_t bytes_of(const struct tw_spec *spec, const struct tw_tensor *tensor)
{
    uint64_t bytes = (uint64_t)spec->bytes;
    for (int32_t axis = 0; axis < spec->rank; axis++)
        if (spec->shape[axis] < 0)
            bytes *= (uint64_t)tensor->shape[axis];
    return bytes;
}

/* What the checks of a call find: its table of sizes, and the bytes of each argument. */
struct call {
    int64_t *sizes;
    uint64_t *bytes;
};

/* Check one argument, and store the address of its first element and its size. */
static bool check_argument(int32_t index, const struct tw_value *value, union tw_slot *slot,
    struct call *call, struct finding *finding)
{
    const struct tw_spec *spec = &tw_specs[index];
    const struct tw_tensor *tensor = tensor_of(value);
    if (tensor == NULL)
        return breaks(finding, &IS_TENSOR, value->type_index, 0, 0);
    if (!check_type(spec, tensor, finding) || !check_shape(spec, tensor, call->sizes, finding))
        return false;
    slot->address = (char *)tensor->data + tensor->byte_offset;
    call->bytes[index] = bytes_of(spec, tensor);
    if (call->bytes[index] == 0)
        return true;
    if (!check_strides(spec, tensor, finding))
        return false;
    uintptr_t number = (uintptr_t)slot->address;
    if (tensor->data == NULL || (number & (uintptr_t)(spec->alignment - 1)) != 0)
        return breaks(finding, &IS_ALIGNED, (int64_t)number, spec->alignment, 0);
    return true;
}

/* Return whether two ranges share a byte. An empty range overlaps nothing, even inside another. */
static bool overlap(uintptr_t start, uint64_t bytes, uintptr_t other_start, uint64_t other_bytes)
{
    return bytes != 0 && other_bytes != 0 && start < other_start + other_bytes
        && other_start < start + bytes;
}

/* Check that no output shares memory with an argument before it, but for the start of an output with
 * the rows that it continues; return 0 or -1. */
static int32_t check_overlap(const union tw_slot *slots, const uint64_t *bytes)
{
    for (int32_t output = tw_inputs; output < tw_arguments; output++) {
        uintptr_t start = (uintptr_t)slots[output].address;
        for (int32_t other = 0; other < output; other++) {
            uintptr_t other_start = (uintptr_t)slots[other].address;
            bool is_past = tw_specs[output].past == other && start == other_start;
            if (!is_past && overlap(start, bytes[output], other_start, bytes[other])) {
                struct finding finding = {&IS_APART, {other, 0, 0}};
                return fail_argument(output, &finding, NULL);
            }
        }
    }
    return 0;
}

/* Find the value of symbol `index` in the arguments. */
static bool bind_symbol(
    int32_t index, const struct tw_value *args, int64_t *value, struct finding *finding)
{
    const struct tw_symbol *symbol = &tw_symbols[index];
    const struct tw_value *source = &args[symbol->argument];
    const struct tw_tensor *tensor = tensor_of(source);
    if (tensor == NULL)
        return breaks(finding, &IS_TENSOR, source->type_index, 0, 0);
    if (!check_type(&tw_specs[symbol->argument], tensor, finding))
        return false;
    int64_t size = tensor->shape[symbol->axis];
    bool is_size = size >= 0 && size <= INT64_MAX / 2;
    int64_t rest = is_size ? size - symbol->offset : -1;
    bool is_exact = symbol->factor == 1 || rest % symbol->factor == 0;
    *value = symbol->factor == 1 ? rest : rest / symbol->factor;
    if (!is_size || !is_exact || *value < symbol->least || *value > symbol->most)
        return breaks(
            finding, &HAS_VALID_SIZE, size, symbol->axis,
            -1 - tw_specs[symbol->argument].shape[symbol->axis]);
    return true;
}

/* Return the number of symbols that main does not compute. */
static int32_t input_symbols(void)
{
    int32_t count = tw_symbol_count;
    while (count > 0 && tw_symbols[count - 1].is_computed)
        count--;
    return count;
}

/* Return whether main computes sizes. */
static bool computes_sizes(void)
{
    return input_symbols() < tw_symbol_count;
}

/* Store the symbols that the first `count` arguments give. The others, which main computes, keep
 * their values. Return 0 or -1. */
static int32_t bind_symbols(const struct tw_value *args, int32_t count, int64_t *sizes)
{
    for (int32_t index = 0; index < tw_symbol_count; index++) {
        struct finding finding;
        bool is_given = tw_symbols[index].argument >= 0 && tw_symbols[index].argument < count;
        if (!is_given && tw_symbols[index].is_computed)
            continue;
        if (!is_given)
            return fail_number(TYPE_ERROR,
                "%s: the sizes of the outputs do not follow from the inputs\n"
                "    expected: a call with arrays for the outputs, the first is argument %lld",
                tw_inputs);
        if (!bind_symbol(index, args, &sizes[index], &finding))
            return fail_argument(tw_symbols[index].argument, &finding, sizes);
    }
    return 0;
}

/* Fill the rest of the table of sizes from the symbols; return 0 or -1. */
static int32_t derive(int64_t *sizes)
{
    int32_t status = tw_symbol_count == 0 ? 0 : tw_derive(sizes);
    if (status == 1)
        return fail_number(MEMORY_ERROR,
            "%s: the sizes of the arguments are too large\n"
            "    expected: intermediate results of at most %lld bytes",
            INT64_MAX);
    for (int32_t index = 0; index < tw_expression_count; index++)
        if (sizes[index] < tw_expressions[index].least || sizes[index] > tw_expressions[index].most)
            return fail_limit(index, sizes);
    return status == 0 ? 0 : fail_small(sizes);
}

/* Check the first `count` arguments and fill their slots; return 0 or -1. Before: the table of sizes
 * is filled. */
static int32_t check_each(
    const struct tw_value *args, int32_t count, union tw_slot *slots, struct call *call)
{
    for (int32_t index = 0; index < count; index++) {
        struct finding finding;
        if (!check_argument(index, &args[index], &slots[index], call, &finding))
            return fail_argument(index, &finding, call->sizes);
    }
    return 0;
}

/* Check every argument and fill the slots; return 0 or -1. Before: the symbols are known. */
static int32_t check_arguments(
    const struct tw_value *args, union tw_slot *slots, struct call *call)
{
    if (derive(call->sizes) != 0 || check_each(args, tw_arguments, slots, call) != 0)
        return -1;
    slots[tw_arguments].sizes = call->sizes;
    return check_overlap(slots, call->bytes);
}

/* ---- arenas ---------------------------------------------------------------------------------- */

enum { ARENAS = 8, ARENA_ALIGNMENT = 64 };

/* The start of an arena; its buffers follow ARENA_ALIGNMENT bytes after it. */
struct arena {
    int64_t bytes; /* of its buffers */
};

/* Arenas that no call uses at the moment. One atomic exchange takes or fills a slot, so calls from
 * several threads never share an arena and never wait. "Acquire" orders the taker's accesses to the
 * arena after the exchange, "release" the giver's before it. */
static struct arena *arenas[ARENAS] __attribute__((aligned(64)));

/* Return an arena with room for `bytes`, a multiple of 64, or null if memory is exhausted. A kept
 * one that is too small is replaced. */
static struct arena *take_arena(int64_t bytes)
{
    for (int index = 0; index < ARENAS; index++) {
        struct arena *arena = __atomic_exchange_n(&arenas[index], NULL, __ATOMIC_ACQ_REL);
        if (arena == NULL)
            continue;
        if (arena->bytes >= bytes)
            return arena;
        free(arena);
        break;
    }
    if (bytes > INT64_MAX - ARENA_ALIGNMENT)
        return NULL;
    struct arena *arena = aligned_alloc(ARENA_ALIGNMENT, (size_t)(bytes + ARENA_ALIGNMENT));
    if (arena != NULL)
        arena->bytes = bytes;
    return arena;
}

/* Keep an arena for the next call, or free it if enough are kept. */
static void give_arena(struct arena *arena)
{
    for (int index = 0; index < ARENAS; index++) {
        struct arena *empty = NULL;
        if (__atomic_compare_exchange_n(
                &arenas[index], &empty, arena, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return;
    }
    free(arena);
}

void __tw_release(void)
{
    for (int index = 0; index < ARENAS; index++)
        free(__atomic_exchange_n(&arenas[index], NULL, __ATOMIC_ACQ_REL));
    tw_unload_weights();
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Return the bytes of the arena of a call with these sizes. */
static int64_t arena_bytes_for(const int64_t *sizes)
{
    return tw_symbol_count == 0 ? tw_arena_bytes : sizes[tw_expression_count];
}

/* Run main with an arena, if it needs one; return the status of main, or -1. */
static int32_t run(union tw_slot *slots, int64_t arena_bytes, int32_t threads)
{
    if (arena_bytes == 0)
        return tw_run(slots, NULL, threads);
    struct arena *arena = take_arena(arena_bytes);
    if (arena == NULL)
        return fail_number(MEMORY_ERROR,
            "%s: no memory for the intermediate results\n"
            "    expected: %lld bytes",
            arena_bytes);
    int32_t status = tw_run(slots, (char *)arena + ARENA_ALIGNMENT, threads);
    give_arena(arena);
    return status;
}

/* Return the status that a host sees, and report the statuses of kernels. */
static int32_t reported(int32_t status)
{
    if (status == 0 || status == -1) /* -1: a function of the process or tw_fail_index reported */
        return status;
    return fail_number(RUNTIME_ERROR,
        "%s: a kernel failed\n"
        "    got: status %lld",
        status);
}

/* The weights of code that is not exported come from its loader. */
__attribute__((weak)) RARE int32_t __tw_load_weights(void)
{
    return fail_number(RUNTIME_ERROR,
        "%s: the weights are not loaded\n"
        "    expected: the address of %lld bytes in __tw_weights\n"
        "    got: null",
        tw_weights_bytes);
}

__attribute__((weak)) RARE void tw_unload_weights(void) {}

/* Return 0 if the weights are loaded, perhaps now, else -1. */
static int32_t check_weights(void)
{
    return tw_weights_bytes == 0 || __tw_weights != NULL ? 0 : __tw_load_weights();
}

/* Return the number of threads that a run uses. */
static int32_t threads_of(int32_t threads)
{
    int32_t most = threads < tw_max_threads ? threads : tw_max_threads;
    return most > 1 ? most : 1;
}

/* Return the position of a symbol in which two tables differ, or -1. */
static int32_t other_symbol(const int64_t *sizes, const int64_t *before)
{
    for (int32_t index = 0; index < tw_symbol_count; index++)
        if (sizes[index] != before[index])
            return index;
    return -1;
}

/* Check a size that main has computed; return 0 or -1. */
static int32_t check_computed(int32_t index, int64_t value)
{
    bool is_valid = value >= tw_symbols[index].least && value <= tw_symbols[index].most;
    return is_valid ? 0 : fail_computed(index, value);
}

/* Fill the rest of the table of sizes; return whether all arguments and buffers have a size. Sizes
 * with limits are checked once all symbols are known. */
RARE static bool are_sizes(int64_t *sizes)
{
    if (tw_derive(sizes) != 0)
        return false;
    for (int32_t index = 0; index < tw_expression_count; index++)
        if (sizes[index] < 0 && tw_expressions[index].least < 0)
            return false;
    return true;
}

/* Assume some value for the symbols from `known` on, so that nothing has a negative size. */
RARE static int32_t assume_sizes(int32_t known, int64_t *sizes)
{
    enum { MOST_ASSUMED = 1 << 16 };
    for (int64_t guess = 1; guess <= MOST_ASSUMED; guess *= 2) {
        for (int32_t index = known; index < tw_symbol_count; index++)
            sizes[index] = guess < tw_symbols[index].least ? tw_symbols[index].least : guess;
        if (are_sizes(sizes))
            return 0;
    }
    return derive(sizes) == 0 ? fail_small(sizes) : -1;
}

/* Place the outputs in memory of their own; return it, or null if memory is exhausted. */
RARE static char *place_outputs(union tw_slot *slots, const int64_t *sizes)
{
    uint64_t total = ARENA_ALIGNMENT;
    for (int32_t pass = 0; pass < 2; pass++) {
        char *start = pass == 0 ? NULL : aligned_alloc(ARENA_ALIGNMENT, (size_t)total);
        if (pass == 1 && start == NULL)
            return NULL;
        uint64_t used = 0;
        for (int32_t output = tw_inputs; output < tw_arguments; output++) {
            const struct tw_spec *spec = &tw_specs[output];
            uint64_t bytes = (uint64_t)spec->bytes;
            for (int32_t axis = 0; axis < spec->rank; axis++)
                if (spec->shape[axis] < 0) {
                    int64_t size = sizes[-1 - spec->shape[axis]];
                    bytes *= (uint64_t)(size < 0 ? 0 : size);
                }
            if (pass == 1)
                slots[output].address = start + used;
            used += (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
        }
        total = used + ARENA_ALIGNMENT;
        if (pass == 1)
            return start;
    }
    return NULL;
}

/* Compute the symbols that main computes: run main with assumed values until it has stored the last
 * one. Return 0 or -1. Before: the inputs are checked, and their slots and symbols filled. */
RARE static int32_t find_sizes(union tw_slot *slots, int64_t *sizes, int32_t threads)
{
    int32_t known = input_symbols();
    slots[tw_arguments].sizes = sizes;
    while (known < tw_symbol_count) {
        int64_t before[tw_symbol_count + 1];
        if (assume_sizes(known, sizes) != 0)
            return -1;
        memcpy(before, sizes, sizeof(int64_t) * (size_t)tw_symbol_count);
        char *outputs = place_outputs(slots, sizes);
        if (outputs == NULL)
            return fail_number(MEMORY_ERROR,
                "%s: no memory for the sizes of the outputs\n"
                "    expected: sizes that %lld symbols give",
                tw_symbol_count);
        int32_t status = run(slots, arena_bytes_for(sizes), threads);
        free(outputs);
        if (status != TW_OTHER_SIZE)
            return reported(status);
        int32_t found = other_symbol(sizes, before);
        if (check_computed(found, sizes[found]) != 0)
            return -1;
        known = found + 1;
    }
    return 0;
}

/* Compute the symbols that main computes and no output gives, if there are any. Return 0 or -1.
 * Before: the symbols of the inputs are known. */
RARE static int32_t find_hidden(
    const struct tw_value *args, union tw_slot *slots, struct call *call, int32_t threads)
{
    bool is_hidden = false;
    for (int32_t index = 0; index < tw_symbol_count; index++)
        is_hidden = is_hidden || tw_symbols[index].argument < 0;
    if (!is_hidden)
        return 0;
    if (assume_sizes(input_symbols(), call->sizes) != 0
        || check_each(args, tw_inputs, slots, call) != 0
        || find_sizes(slots, call->sizes, threads) != 0)
        return -1;
    return bind_symbols(args, tw_arguments, call->sizes);
}

/* Run main; begin again with the sizes that it computes, if these fit the arguments. Return the
 * status of main, or -1. */
RARE static int32_t run_sized(
    const struct tw_value *args, union tw_slot *slots, struct call *call, int32_t threads)
{
    for (int32_t attempt = 0;; attempt++) {
        int64_t before[tw_symbol_count + 1];
        memcpy(before, call->sizes, sizeof(int64_t) * (size_t)tw_symbol_count);
        int32_t status = run(slots, arena_bytes_for(call->sizes), threads);
        if (status != TW_OTHER_SIZE || attempt == tw_symbol_count)
            return status;
        int32_t found = other_symbol(call->sizes, before);
        if (check_computed(found, call->sizes[found]) != 0
            || check_arguments(args, slots, call) != 0)
            return -1;
    }
}

/* Check the arguments and run the model. */
static int32_t enter(const struct tw_value *args, int32_t count, int32_t threads)
{
    union tw_slot slots[tw_arguments + 1]; /* the last one holds the sizes */
    uint64_t bytes[tw_arguments + 1];
    int64_t sizes[tw_size_count + 1];
    struct call call = {sizes, bytes};
    if (count != tw_arguments)
        return fail_count(count);
    if (bind_symbols(args, count, sizes) != 0 || check_weights() != 0
        || find_hidden(args, slots, &call, threads_of(threads)) != 0
        || check_arguments(args, slots, &call) != 0)
        return -1;
    if (computes_sizes())
        return reported(run_sized(args, slots, &call, threads_of(threads)));
    return reported(run(slots, arena_bytes_for(sizes), threads_of(threads)));
}

int32_t __tvm_ffi_main(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    return enter(args, count, __tw_default_threads);
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
    (void)result;
    if (count <= 0 || args->type_index != TW_INT)
        return fail_number(TYPE_ERROR,
            "%s: the first argument is not a thread count\n"
            "    expected: an int\n"
            "    got: type index %lld",
            count <= 0 ? 0 : args->type_index);
    return enter(args + 1, count - 1, (int32_t)args->payload.integer);
}

/* Write the sizes of all outputs; return their number. */
static int64_t write_shapes(const int64_t *sizes, int64_t *shapes)
{
    int64_t count = 0;
    for (int32_t output = tw_inputs; output < tw_arguments; output++)
        for (int32_t axis = 0; axis < tw_specs[output].rank; axis++, count++) {
            int64_t size = tw_specs[output].shape[axis];
            if (shapes != NULL)
                shapes[count] = size >= 0 ? size : sizes[-1 - size];
        }
    return count;
}

/* Return the elements of a value that is an int64 tensor with room for `count`, else null. */
static int64_t *numbers_of(const struct tw_value *value, int64_t count)
{
    enum { INT64 = 64 << 8 | 1 << 16 };
    const struct tw_tensor *tensor = tensor_of(value);
    if (tensor == NULL || tensor->device_type != TW_CPU || tensor->dtype != INT64
        || tensor->rank != 1 || tensor->shape[0] < count)
        return NULL;
    return (int64_t *)(void *)((char *)tensor->data + tensor->byte_offset);
}

/* Fill the table of sizes from the inputs alone, whose types and shapes are checked; return 0 or -1. */
static int32_t bind_inputs(const struct tw_value *args, int64_t *sizes)
{
    if (bind_symbols(args, tw_inputs, sizes) != 0 || derive(sizes) != 0)
        return -1;
    for (int32_t index = 0; index < tw_inputs; index++) {
        struct finding finding;
        const struct tw_spec *spec = &tw_specs[index];
        const struct tw_tensor *tensor = tensor_of(&args[index]);
        bool is_right = tensor == NULL
            ? breaks(&finding, &IS_TENSOR, args[index].type_index, 0, 0)
            : check_type(spec, tensor, &finding) && check_shape(spec, tensor, sizes, &finding);
        if (!is_right)
            return fail_argument(index, &finding, sizes);
    }
    return 0;
}

/* Fill the table of sizes from the inputs and their elements; return 0 or -1. */
RARE static int32_t compute_sizes(const struct tw_value *args, int64_t *sizes)
{
    union tw_slot slots[tw_arguments + 1];
    uint64_t bytes[tw_arguments + 1];
    struct call call = {sizes, bytes};
    if (bind_symbols(args, tw_inputs, sizes) != 0 || check_weights() != 0
        || assume_sizes(input_symbols(), sizes) != 0
        || check_each(args, tw_inputs, slots, &call) != 0
        || find_sizes(slots, sizes, threads_of(__tw_default_threads)) != 0)
        return -1;
    return derive(sizes);
}

int32_t __tw_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    if (count != tw_inputs + 1)
        return fail_count(count);
    int64_t sizes[tw_size_count + 1];
    if ((computes_sizes() ? compute_sizes(args, sizes) : bind_inputs(args, sizes)) != 0)
        return -1;
    int64_t number = write_shapes(sizes, NULL);
    int64_t *shapes = numbers_of(&args[tw_inputs], number);
    if (shapes == NULL)
        return fail_number(TYPE_ERROR,
            "%s: the last argument does not take the sizes of the outputs\n"
            "    expected: an int64 tensor of %lld elements",
            number);
    write_shapes(sizes, shapes);
    return 0;
}

int32_t __tw_arena_bytes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    if (count != tw_inputs)
        return fail_count(count);
    if (computes_sizes())
        return fail_number(VALUE_ERROR,
            "%s: the memory of a call depends on the elements of its inputs\n"
            "    got: %lld sizes that the model computes",
            tw_symbol_count - input_symbols());
    int64_t sizes[tw_size_count + 1];
    if (bind_inputs(args, sizes) != 0)
        return -1;
    result->type_index = TW_INT;
    result->payload.integer = arena_bytes_for(sizes);
    return 0;
}
