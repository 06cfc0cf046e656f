/* The entry code around a model's main function: argument checks, errors, arenas, exported names.
 *
 * All models share it: entry.h says what each model defines. Exported functions follow the
 * packed-function ABI: they return 0, or -1 after reporting an error.
 *
 * One LLVM IR serves addresses of 32 and of 64 bits: the front end of a 64-bit machine translates this
 * file, and codegen/prelude/ cuts the sizes in calls of the C library to 32 bits. So no constant is the
 * size of an address or of a structure that contains one; the functions of width.h know these.
 */

/* Inlined although the code is optimized for size: checks that each call makes. */
#define TW_HOT __attribute__((always_inline))

#include "entry.h"
#include "messages.h"
#include "width.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__tw_weights;
int32_t __tw_running;
tw_pool *__tw_pool;
int32_t __tw_default_threads = 1;
tw_report *__tw_raise;
tw_report *__TVMFFIErrorSetRaisedFromCStr __attribute__((weak));
void *__tvm_ffi__library_ctx __attribute__((weak));
char __tw_last_error[TW_MESSAGE_BYTES];
const int32_t __tw_abi_version = 3;

/* Functions of the host, if it has them: the linker makes a weak one without a definition null. */
void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message) __attribute__((weak));
void *dlsym(void *library, const char *symbol) __attribute__((weak));

/* C11's; C99's <stdlib.h> has none. */
void *aligned_alloc(size_t alignment, size_t bytes);

/* Keeps the buffers of messages out of the frame of a call that succeeds. */
#define RARE __attribute__((cold, noinline))


/* ---- errors ---------------------------------------------------------------------------------- */

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
/* The numbers of the next three are the size, the dimension, and the position of its expression. */
static const struct rule HAS_SIZE = {VALUE_ERROR, "has the wrong shape", ""};
static const struct rule HAS_ROOM = {VALUE_ERROR, "is too small", ""};
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

/* Return the last stage of main. */
static int32_t last_stage(void)
{
    return tw_symbol_count - tw_given_count;
}

/* Append the value of a symbol and where it is from to a text; return the new length. */
RARE static int64_t append_value(
    char *text, int64_t room, int64_t length, int32_t index, const int64_t *sizes)
{
    const struct tw_symbol *symbol = &tw_symbols[index];
    const char *name = tw_expressions[index].text;
    if (symbol->argument < 0)
        return APPEND(text, room, length, "%s = %lld (computed)", name, (long long)sizes[index]);
    return APPEND(text, room, length, "%s = %lld (dimension %d of %s)", name,
        (long long)sizes[index], symbol->axis, tw_specs[symbol->argument].name);
}

/* Append the node that needs the limits of a size, if one does; return the new length. */
RARE static int64_t append_node(char *text, int64_t room, int64_t length, int64_t index)
{
    const char *node = tw_expressions[index].node;
    return *node == 0 ? length : APPEND(text, room, length, " (required by %s)", node);
}

/* Report a size that is not its expression, or gives no valid symbol. Before: the symbols that
 * occur in the expression are known, except for HAS_VALID_SIZE. Return -1. */
RARE static int32_t fail_size(int32_t index, const struct finding *finding, const int64_t *sizes)
{
    const struct tw_expression *expression = &tw_expressions[finding->numbers[2]];
    char wanted[512];
    int64_t room = sizeof wanted;
    int64_t length = snprintf(wanted, (size_t)room, "%s", expression->text);
    bool is_known = finding->rule == &HAS_SIZE || finding->rule == &HAS_ROOM;
    if (is_known && finding->numbers[2] >= tw_symbol_count)
        length = APPEND(
            wanted, room, length, " = %lld", (long long)sizes[finding->numbers[2]]);
    for (int64_t number = 0; number < expression->count; number++) {
        int32_t position = expression->symbols[number];
        const struct tw_symbol *symbol = &tw_symbols[position];
        const char *name = tw_expressions[position].text;
        length = APPEND(wanted, room, length, number == 0 ? ", where " : ", ");
        if (is_known)
            length = append_value(wanted, room, length, position, sizes);
        else {
            length = APPEND(wanted, room, length, "%s is in %lld..%lld", name,
                (long long)symbol->least, (long long)symbol->most);
            length = append_node(wanted, room, length, position);
        }
    }
    const struct tw_spec *spec = &tw_specs[index];
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: argument %d (%s) %s\n"
        "    expected: %s, dimension %lld: %s%s\n"
        "    got: size %lld in dimension %lld\n"
        "    signature: %s",
        tw_name, index, spec->name, finding->rule->text, spec->text,
        (long long)finding->numbers[1], finding->rule == &HAS_ROOM ? "at least " : "", wanted,
        (long long)finding->numbers[0],
        (long long)finding->numbers[1], tw_signature);
    return tw_fail(finding->rule->kind, message);
}

/* Report which rule argument `index` breaks. Return -1. */
RARE static int32_t fail_argument(
    int32_t index, const struct finding *finding, const int64_t *sizes)
{
    const struct rule *rule = finding->rule;
    if (rule == &HAS_SIZE || rule == &HAS_ROOM || rule == &HAS_VALID_SIZE)
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
RARE static int32_t fail_small(const int64_t *sizes, int32_t stage)
{
    char got[400];
    int64_t room = (int64_t)sizeof got, length = 0;
    for (int32_t index = 0; index < tw_given_count + stage; index++) {
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

/* Report a size outside of its range. Return -1. */
RARE static int32_t fail_limit(int32_t index, const int64_t *sizes)
{
    const struct tw_expression *expression = &tw_expressions[index];
    char range[192], value[256], message[TW_MESSAGE_BYTES];
    int64_t room = (int64_t)sizeof value, length = 0;
    for (int64_t number = 0; number < expression->count; number++) {
        length = APPEND(value, room, length, "%s", number == 0 ? "" : ", ");
        length = append_value(value, room, length, expression->symbols[number], sizes);
    }
    int64_t end;
    if (expression->most < TW_UNLIMITED)
        end = snprintf(range, sizeof range, "in %lld..%lld", (long long)expression->least,
            (long long)expression->most);
    else
        end = snprintf(range, sizeof range, "of at least %lld", (long long)expression->least);
    append_node(range, sizeof range, end, index);
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

RARE int32_t tw_missing_function(
    void *name, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)args;
    (void)count;
    (void)result;
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: a function that the model calls is not set\n"
        "    expected: code and handle of %s in __tw_externs\n"
        "    got: null\n"
        "    hint: register the function, then load the model by tilewright.load_module or tw_load; "
        "a program that loads it otherwise fills __tw_externs",
        tw_name, (const char *)name);
    return tw_fail(RUNTIME_ERROR, message);
}

/* ---- argument checks ------------------------------------------------------------------------- */

/* Note a broken rule; return false, as the checks below do for a broken rule. */
RARE static bool breaks(
    struct finding *finding, const struct rule *rule, int64_t first, int64_t second, int64_t third)
{
    finding->rule = rule;
    finding->numbers[0] = first;
    finding->numbers[1] = second;
    finding->numbers[2] = third;
    return false;
}

/* Check a tensor that is not a tensor in CPU memory of the right dtype and rank; see `check_type`. */
RARE static bool check_other(const struct tw_spec *spec, const struct tw_value *value,
    const struct tw_tensor *tensor, struct finding *finding)
{
    if (tensor == NULL)
        return breaks(finding, &IS_TENSOR, value->type_index, 0, 0);
    bool is_on_device = tensor->device_type == tw_device_type && tensor->device_id >= 0;
    if (tensor->device_type != TW_CPU && !is_on_device)
        return breaks(finding, &IS_IN_CPU_MEMORY, tensor->device_type, tensor->device_id, 0);
    uint32_t dtype = tensor->dtype;
    if (dtype != spec->dtype)
        return breaks(finding, &HAS_DTYPE, dtype & 255, dtype >> 8 & 255, dtype >> 16);
    return tensor->rank == spec->rank || breaks(finding, &HAS_RANK, tensor->rank, 0, 0);
}

/* Check that a value has a tensor, which is stored, in memory of the CPU or the device, of the right
 * dtype and rank. */
static inline TW_HOT bool check_type(const struct tw_spec *spec, const struct tw_value *value,
    const struct tw_tensor **found, struct finding *finding)
{
    const struct tw_tensor *tensor = *found = tw_tensor_of(value);
    if (tensor != NULL && tensor->device_type == TW_CPU && tensor->dtype == spec->dtype
        && tensor->rank == spec->rank)
        return true;
    return check_other(spec, value, tensor, finding);
}

/* Check sizes; where main computes one, a larger one is room that is left. Before: the rank is
 * right. */
static inline TW_HOT bool check_shape(const struct tw_spec *spec, const struct tw_tensor *tensor,
    const int64_t *sizes, struct finding *finding)
{
    for (int32_t axis = 0; axis < spec->rank; axis++) {
        int64_t got = tensor->shape[axis];
        int64_t expected = spec->shape[axis];
        bool has_room = expected < 0 && tw_expressions[-1 - expected].stage > 0;
        if (has_room && got < sizes[-1 - expected])
            return breaks(finding, &HAS_ROOM, got, axis, -1 - expected);
        if (expected < 0 && !has_room && got != sizes[-1 - expected])
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

/* One call. `bytes` are the sizes of the arguments that are checked. `blocks` are the blocks of the
 * arena, one per stage so far; `block` is the last one. Without a function that allocates outputs, they
 * are behind the inputs in `args`. `stream`: see tw_stream_of. After stage `end` main returns. */
struct tw_call {
    const struct tw_value *args;
    union tw_slot *slots;
    int64_t *sizes;
    uint64_t *bytes;
    struct block *block;
    tw_allocate *allocate;
    void *context;
    void *const *stream;
    int32_t end;
    int32_t has_ended; /* not a bool, so that there is no padding to clear */
};

/* The calls that have no end before main's. */
static const int32_t NO_END = INT32_MAX;

/* Check one argument, and store the address of its first element and its size. */
static bool check_argument(int32_t index, const struct tw_value *value, union tw_slot *slot,
    struct tw_call *call, struct finding *finding)
{
    const struct tw_spec *spec = &tw_specs[index];
    const struct tw_tensor *tensor;
    if (!check_type(spec, value, &tensor, finding)
        || !check_shape(spec, tensor, call->sizes, finding))
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

int32_t tw_device_of(const union tw_slot *slots, int32_t index)
{
    const struct tw_call *call = slots[tw_arguments + 1].call;
    if (index >= tw_inputs && call->allocate != NULL)
        return -1;
    const struct tw_tensor *tensor = tw_tensor_of(&call->args[index]);
    return tensor->device_type == TW_CPU ? -1 : tensor->device_id;
}

/* Return whether two ranges share a byte. An empty range overlaps nothing, even inside another. */
static bool overlap(uintptr_t start, uint64_t bytes, uintptr_t other_start, uint64_t other_bytes)
{
    return bytes != 0 && other_bytes != 0 && start < other_start + other_bytes
        && other_start < start + bytes;
}

/* Check that no output of a stage shares memory with an argument that is checked, but for the start
 * of an output with the rows that it continues; return 0 or -1. */
static int32_t check_overlap(const struct tw_call *call, int32_t stage)
{
    const union tw_slot *slots = call->slots;
    for (int32_t output = tw_inputs; output < tw_arguments; output++) {
        if (tw_specs[output].stage != stage)
            continue;
        uintptr_t start = (uintptr_t)slots[output].address;
        for (int32_t other = 0; other < tw_arguments; other++) {
            int32_t known = tw_specs[other].stage;
            if (known > stage || (known == stage && other >= output))
                continue;
            uintptr_t other_start = (uintptr_t)slots[other].address;
            bool is_past = tw_specs[output].past == other && start == other_start;
            if (!is_past && overlap(start, call->bytes[output], other_start, call->bytes[other])) {
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
    const struct tw_tensor *tensor;
    if (!check_type(&tw_specs[symbol->argument], &args[symbol->argument], &tensor, finding))
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

/* Store the symbols that the first `count` arguments give. Return 0 or -1. */
static int32_t bind_symbols(const struct tw_value *args, int32_t count, int64_t *sizes)
{
    for (int32_t index = 0; index < tw_given_count; index++) {
        struct finding finding;
        if (tw_symbols[index].argument >= count)
            return fail_number(TYPE_ERROR,
                "%s: the sizes of the outputs do not follow from the inputs\n"
                "    expected: a call with arrays for the outputs, the first is argument %lld",
                tw_inputs);
        if (!bind_symbol(index, args, &sizes[index], &finding))
            return fail_argument(tw_symbols[index].argument, &finding, sizes);
    }
    return 0;
}

/* Fill the entries of the table of sizes that are known from a stage on; return 0 or -1. */
static int32_t derive(int64_t *sizes, int32_t stage)
{
    int32_t status = tw_symbol_count == 0 ? 0 : tw_derive(sizes, stage);
    if (status == 1)
        return fail_number(MEMORY_ERROR,
            "%s: the sizes of the arguments are too large\n"
            "    expected: intermediate results of at most %lld bytes",
            INT64_MAX);
    for (int32_t index = 0; index < tw_expression_count; index++) {
        const struct tw_expression *expression = &tw_expressions[index];
        bool is_inside = sizes[index] >= expression->least && sizes[index] <= expression->most;
        if (expression->stage == stage && !is_inside)
            return fail_limit(index, sizes);
    }
    return status == 0 ? 0 : fail_small(sizes, stage);
}

/* Check an argument whose sizes are known, and fill its slot; return 0 or -1. */
static int32_t check_one(int32_t index, struct tw_call *call)
{
    struct finding finding;
    if (check_argument(index, &call->args[index], &call->slots[index], call, &finding))
        return 0;
    return fail_argument(index, &finding, call->sizes);
}

/* Allocate an output whose sizes are known, and fill its slot; return 0 or -1. */
static int32_t allocate_one(int32_t index, struct tw_call *call)
{
    const struct tw_spec *spec = &tw_specs[index];
    int64_t shape[spec->rank + 1];
    for (int32_t axis = 0; axis < spec->rank; axis++) {
        int64_t size = spec->shape[axis];
        shape[axis] = size < 0 ? call->sizes[-1 - size] : size;
    }
    call->slots[index].address = call->allocate(call->context, index - tw_inputs, shape);
    if (call->slots[index].address != NULL)
        return 0;
    return fail_number(MEMORY_ERROR,
        "%s: no memory for an output\n"
        "    got: nothing for output %lld",
        index - tw_inputs);
}

/* Begin a stage of main: fill its part of the table of sizes, and the slots of the arguments whose
 * sizes are known now. Return 0 or -1. Before: its symbols are known. */
static int32_t begin_stage(struct tw_call *call, int32_t stage)
{
    if (derive(call->sizes, stage) != 0)
        return -1;
    for (int32_t index = 0; index < tw_arguments; index++) {
        if (tw_specs[index].stage != stage)
            continue;
        bool is_given = index < tw_inputs || call->allocate == NULL;
        if ((is_given ? check_one(index, call) : allocate_one(index, call)) != 0)
            return -1;
    }
    return call->allocate == NULL ? check_overlap(call, stage) : 0;
}

/* ---- arenas ---------------------------------------------------------------------------------- */

enum { ARENAS = 8, ARENA_ALIGNMENT = 64 };

/* The start of a block of memory; its buffers follow ARENA_ALIGNMENT bytes after it. An arena is a list
 * of blocks, one for each stage of main that a call has reached. */
struct block {
    int64_t bytes; /* of its buffers */
    struct block *next;
};

/* Arenas that no call uses at the moment. One atomic exchange takes or fills a slot, so calls from
 * several threads never share an arena and never wait. "Acquire" orders the taker's accesses to the
 * arena after the exchange, "release" the giver's before it. */
static void *arenas[ARENAS] __attribute__((aligned(64)));

static void free_blocks(struct block *block)
{
    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

/* Return a block with room for `bytes`, a multiple of 64, in place of another one (null: none). Return
 * null, and free the blocks behind it, if memory is exhausted. */
static struct block *sized(struct block *block, int64_t bytes)
{
    if (block != NULL && block->bytes >= bytes)
        return block;
    struct block *next = block == NULL ? NULL : block->next;
    free(block);
    block = NULL;
    if ((uint64_t)bytes + ARENA_ALIGNMENT <= tw_most_bytes())
        block = aligned_alloc(ARENA_ALIGNMENT, (size_t)(bytes + ARENA_ALIGNMENT));
    if (block == NULL) {
        free_blocks(next);
        return NULL;
    }
    block->bytes = bytes;
    block->next = next;
    return block;
}

/* Return an arena whose first block has room for `bytes`, or null if memory is exhausted. */
static struct block *take_arena(int64_t bytes)
{
    for (int index = 0; index < ARENAS; index++) {
        struct block *arena = tw_exchange(&arenas[index], NULL);
        if (arena != NULL)
            return sized(arena, bytes);
    }
    return sized(NULL, bytes);
}

/* Keep an arena for the next call, in place of another one if a slot has one; free one if all have. */
static void give_arena(struct block *arena)
{
    for (int index = 0; index < ARENAS && arena != NULL; index++)
        arena = tw_exchange(&arenas[index], arena);
    free_blocks(arena);
}

void __tw_release(void)
{
    for (int index = 0; index < ARENAS; index++)
        free_blocks(tw_exchange(&arenas[index], NULL));
    tw_release_device();
    tw_unload_weights();
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Return the bytes of the block of the arena of a stage. */
static int64_t block_bytes(const int64_t *sizes, int32_t stage)
{
    return tw_symbol_count == 0 ? tw_arena_bytes : sizes[tw_expression_count + stage];
}

static char *start_of(struct block *block)
{
    return (char *)block + ARENA_ALIGNMENT;
}

RARE static int32_t fail_arena(int64_t bytes)
{
    return fail_number(MEMORY_ERROR,
        "%s: no memory for the intermediate results\n"
        "    expected: %lld bytes",
        bytes);
}

/* Run main with an arena, if it needs one; return the status of main, or -1. Before: stage 0 has
 * begun. */
static int32_t run(struct tw_call *call, int32_t threads)
{
    int64_t bytes = block_bytes(call->sizes, 0);
    if (tw_device_type != TW_CPU || (bytes == 0 && last_stage() == 0))
        return tw_run(call->slots, NULL, threads);
    struct block *arena = take_arena(bytes);
    if (arena == NULL)
        return fail_arena(bytes);
    call->block = arena;
    int32_t status = tw_run(call->slots, start_of(arena), threads);
    give_arena(arena);
    return status;
}

int64_t tw_begin_stage(struct tw_call *call, int32_t stage, int64_t value)
{
    int32_t symbol = tw_given_count + stage - 1;
    if (value < tw_symbols[symbol].least || value > tw_symbols[symbol].most) {
        fail_computed(symbol, value);
        return -1;
    }
    call->sizes[symbol] = value;
    if (begin_stage(call, stage) != 0)
        return -1;
    call->has_ended = stage == call->end;
    return call->has_ended ? -1 : block_bytes(call->sizes, stage);
}

const union tw_slot *tw_slots_of(const struct tw_call *call)
{
    return call->slots;
}

void *const *tw_stream_of(const struct tw_call *call)
{
    return call->stream;
}

char *tw_bind(union tw_slot *slots, int32_t stage, int64_t value)
{
    struct tw_call *call = slots[tw_arguments + 1].call;
    int64_t bytes = tw_begin_stage(call, stage, value);
    if (bytes < 0)
        return NULL;
    struct block *block = call->block->next = sized(call->block->next, bytes);
    if (block == NULL) {
        fail_arena(bytes);
        return NULL;
    }
    call->block = block;
    return start_of(block);
}

/* Return the status that a host sees, and report the statuses of kernels. */
static int32_t reported(int32_t status)
{
    if (status == 0 || status == -1) /* -1: the error has been reported */
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

__attribute__((weak)) RARE void tw_release_device(void) {}

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

/* Run main, which reads the address of the weights once, and count the runs that may use it. */
static int32_t run_counted(struct tw_call *call, int32_t threads)
{
    if (tw_weights_bytes == 0)
        return run(call, threads);
    __atomic_add_fetch(&__tw_running, 1, __ATOMIC_SEQ_CST);
    int32_t status = run(call, threads);
    __atomic_sub_fetch(&__tw_running, 1, __ATOMIC_SEQ_CST);
    return status;
}

/* Check the arguments and run the model; return the status of main, or -1. */
static int32_t enter_call(struct tw_call *call, int32_t count, int32_t threads)
{
    call->slots[tw_arguments].sizes = call->sizes;
    call->slots[tw_arguments + 1].call = call;
    if (bind_symbols(call->args, count, call->sizes) != 0 || check_weights() != 0
        || begin_stage(call, 0) != 0)
        return -1;
    return run_counted(call, threads_of(threads));
}

/* Check the arguments and run the model; without a function that allocates outputs, they are behind the
 * inputs. */
static int32_t enter(const struct tw_value *args, int32_t count, int32_t threads,
    tw_allocate *allocate, void *context, void *const *stream)
{
    union tw_slot slots[tw_arguments + 2];
    uint64_t bytes[tw_arguments + 1];
    int64_t sizes[tw_size_count + 1];
    struct tw_call call = {args, slots, sizes, bytes, NULL, allocate, context, stream, NO_END, 0};
    if (count != (allocate == NULL ? tw_arguments : tw_inputs))
        return fail_count(count);
    return reported(enter_call(&call, count, threads));
}

int32_t tw_enter_on(void *const *stream, const struct tw_value *args, int32_t count)
{
    return enter(args, count, 1, NULL, NULL, stream);
}

int32_t __tvm_ffi_main(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    return enter(args, count, __tw_default_threads, NULL, NULL, NULL);
}

int32_t __tvm_ffi_default(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    return __tvm_ffi_main(self, args, count, result);
}

/* Return whether the first argument of a call is its number of threads; report it if not. */
static bool has_threads(const struct tw_value *args, int32_t count)
{
    if (count > 0 && args->type_index == TW_INT)
        return true;
    fail_number(TYPE_ERROR,
        "%s: the first argument is not a thread count\n"
        "    expected: an int\n"
        "    got: type index %lld",
        count <= 0 ? 0 : args->type_index);
    return false;
}

int32_t __tw_main_threads(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    if (!has_threads(args, count))
        return -1;
    return enter(args + 1, count - 1, (int32_t)args->payload.integer, NULL, NULL, NULL);
}

int32_t __tw_main_allocating(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    if (!has_threads(args, count))
        return -1;
    if (count < 3 || args[1].type_index != TW_OPAQUE || args[1].payload.pointer == NULL
        || args[2].type_index != TW_OPAQUE)
        return fail_number(TYPE_ERROR,
            "%s: no function allocates the outputs\n"
            "    expected: a tw_allocate and its context, two opaque pointers, after the threads\n"
            "    got: %lld arguments",
            count);
    tw_allocate *allocate = NULL;
    /* C99 converts no data pointer to a function pointer, so copy the bits as POSIX suggests. */
    *(void **)(&allocate) = args[1].payload.pointer;
    return enter(args + 3, count - 3, (int32_t)args->payload.integer, allocate,
        args[2].payload.pointer, NULL);
}

/* Write the sizes of all outputs; return their number. */
RARE static int64_t write_shapes(const int64_t *sizes, int64_t *shapes)
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
RARE static int64_t *numbers_of(const struct tw_value *value, int64_t count)
{
    enum { INT64 = 64 << 8 | 1 << 16 };
    const struct tw_tensor *tensor = tw_tensor_of(value);
    if (tensor == NULL || tensor->device_type != TW_CPU || tensor->dtype != INT64
        || tensor->rank != 1 || tensor->shape[0] < count)
        return NULL;
    return (int64_t *)(void *)((char *)tensor->data + tensor->byte_offset);
}

/* Fill stage 0 of the table of sizes from the inputs alone, and check their types and shapes; return 0
 * or -1. */
RARE static int32_t bind_inputs(const struct tw_value *args, int64_t *sizes)
{
    if (bind_symbols(args, tw_inputs, sizes) != 0 || derive(sizes, 0) != 0)
        return -1;
    for (int32_t index = 0; index < tw_inputs; index++) {
        struct finding finding;
        const struct tw_spec *spec = &tw_specs[index];
        const struct tw_tensor *tensor;
        if (!check_type(spec, &args[index], &tensor, &finding)
            || !check_shape(spec, tensor, sizes, &finding))
            return fail_argument(index, &finding, sizes);
    }
    return 0;
}

/* Return the first stage whose symbol has no bound, or one more than the last stage. */
RARE static int32_t bounded_stages(void)
{
    int32_t stage = 1;
    while (stage <= last_stage() && tw_symbols[tw_given_count + stage - 1].bound != TW_UNLIMITED)
        stage++;
    return stage;
}

/* Fill the stages of the table of sizes up to `end` with the largest values of their symbols; return 0
 * or -1. Before: stage 0 is filled, and the symbols have bounds. */
RARE static int32_t bind_largest(int64_t *sizes, int32_t end)
{
    for (int32_t stage = 1; stage <= end; stage++) {
        int32_t symbol = tw_given_count + stage - 1;
        int64_t bound = tw_symbols[symbol].bound;
        sizes[symbol] = bound < 0 ? sizes[-1 - bound] : bound;
        if (derive(sizes, stage) != 0)
            return -1;
    }
    return 0;
}

/* Memory for outputs that only serve to find sizes; a list. */
struct scrap {
    struct scrap *next;
};

RARE static void *allocate_scrap(void *context, int32_t output, const int64_t *shape)
{
    struct scrap **list = context;
    const struct tw_spec *spec = &tw_specs[tw_inputs + output];
    uint64_t bytes = (uint64_t)spec->bytes;
    for (int32_t axis = 0; axis < spec->rank; axis++)
        if (spec->shape[axis] < 0)
            bytes *= (uint64_t)shape[axis];
    struct scrap *made = aligned_alloc(
        ARENA_ALIGNMENT, (size_t)(bytes / ARENA_ALIGNMENT + 2) * ARENA_ALIGNMENT);
    if (made == NULL)
        return NULL;
    made->next = *list;
    *list = made;
    return (char *)made + ARENA_ALIGNMENT;
}

/* Fill the table of sizes up to a stage: run main until it has computed the symbols. Return 0 or -1. */
RARE static int32_t compute_sizes(const struct tw_value *args, int64_t *sizes, int32_t end)
{
    union tw_slot slots[tw_arguments + 2];
    uint64_t bytes[tw_arguments + 1];
    struct scrap *outputs = NULL;
    struct tw_call call = {
        args, slots, sizes, bytes, NULL, allocate_scrap, &outputs, NULL, end, 0};
    int32_t status = enter_call(&call, tw_inputs, __tw_default_threads);
    while (outputs != NULL) {
        struct scrap *next = outputs->next;
        free(outputs);
        outputs = next;
    }
    return status == 0 || call.has_ended ? 0 : reported(status);
}

/* Return the last stage that computes the size of an output. */
static int32_t output_stage(void)
{
    int32_t stage = 0;
    for (int32_t output = tw_inputs; output < tw_arguments; output++)
        if (tw_specs[output].stage > stage)
            stage = tw_specs[output].stage;
    return stage;
}

int32_t __tw_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    if (count != tw_inputs + 1)
        return fail_count(count);
    int64_t sizes[tw_size_count + 1];
    int32_t end = output_stage();
    bool is_bounded = bounded_stages() > end;
    if (is_bounded ? bind_inputs(args, sizes) != 0 || bind_largest(sizes, end) != 0
                   : compute_sizes(args, sizes, end) != 0)
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

int32_t __tvm_ffi_main_output_shapes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    return __tw_output_shapes(self, args, count, result);
}

const struct tw_spec *__tw_arguments(int32_t *inputs, int32_t *arguments)
{
    *inputs = tw_inputs;
    *arguments = tw_arguments;
    return tw_specs;
}

int32_t __tw_arena_bytes(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    if (count != tw_inputs)
        return fail_count(count);
    if (bounded_stages() <= last_stage())
        return fail_number(VALUE_ERROR,
            "%s: the memory of a call depends on the elements of its inputs\n"
            "    got: %lld sizes that the model computes",
            last_stage());
    int64_t sizes[tw_size_count + 1];
    if (bind_inputs(args, sizes) != 0 || bind_largest(sizes, last_stage()) != 0)
        return -1;
    int64_t bytes = 0;
    for (int32_t stage = 0; stage <= last_stage(); stage++)
        bytes += block_bytes(sizes, stage);
    result->type_index = TW_INT;
    result->payload.integer = bytes;
    return 0;
}
