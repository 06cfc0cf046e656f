/* The entry code around a model's main function: argument checks, errors, arenas, exported names.
 *
 * All models share it: entry.h says what each model defines. Exported functions follow the
 * packed-function ABI: they return 0, or -1 after reporting an error.
 */

#include "entry.h"

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

/* Report an error to the host. The text also stays in __tw_last_error. Return -1. */
RARE static int32_t report(const char *kind, const char message[TW_MESSAGE_BYTES])
{
    memcpy(__tw_last_error, message, TW_MESSAGE_BYTES);
    tw_report *host = host_report();
    if (host != NULL)
        host(kind, message);
    return -1;
}

/* Report which rule argument `index` breaks. Return -1. */
RARE static int32_t fail_argument(int32_t index, const struct finding *finding)
{
    const struct rule *rule = finding->rule;
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
    return report(rule->kind, message);
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
    return report(TYPE_ERROR, message);
}

/* Report a failure whose format takes the name and one number. Return -1. */
RARE static int32_t fail_number(const char *kind, const char *format, int64_t number)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message, format, tw_name, (long long)number);
    return report(kind, message);
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
    return report(INDEX_ERROR, message);
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

/* Check sizes. Before: the rank is right. A size of -1 is dynamic: the first tensor with one sets
 * `rows`, which is -1 before. */
static bool check_shape(const struct tw_spec *spec, const struct tw_tensor *tensor, int64_t *rows,
    struct finding *finding)
{
    for (int32_t axis = 0; axis < spec->rank; axis++) {
        int64_t got = tensor->shape[axis];
        if (got == spec->shape[axis])
            continue;
        bool is_dynamic = spec->shape[axis] == -1;
        if (is_dynamic && *rows == -1)
            *rows = got;
        if (!is_dynamic || got != *rows)
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
        if (spec->shape[axis] != 1 && stride != expected)
            return breaks(finding, &IS_ROW_MAJOR, stride, axis, expected);
        expected *= spec->shape[axis];
    }
    return true;
}

/* Return whether a tensor of the right shape has no elements. */
static bool is_empty(const struct tw_spec *spec, const struct tw_tensor *tensor)
{
    return spec->bytes == 0 || (spec->rank > 0 && tensor->shape[0] == 0);
}

/* Check one argument and store the address of its first element. */
static bool check_argument(const struct tw_spec *spec, const struct tw_value *value,
    union tw_slot *slot, int64_t *rows, struct finding *finding)
{
    const struct tw_tensor *tensor = tensor_of(value);
    if (tensor == NULL)
        return breaks(finding, &IS_TENSOR, value->type_index, 0, 0);
    if (!check_type(spec, tensor, finding) || !check_shape(spec, tensor, rows, finding))
        return false;
    slot->address = (char *)tensor->data + tensor->byte_offset;
    if (is_empty(spec, tensor))
        return true;
    if (!check_strides(spec, tensor, finding))
        return false;
    uintptr_t number = (uintptr_t)slot->address;
    if (tensor->data == NULL || (number & (uintptr_t)(spec->alignment - 1)) != 0)
        return breaks(finding, &IS_ALIGNED, (int64_t)number, spec->alignment, 0);
    return true;
}

/* Return the size of an argument in bytes. */
static uint64_t bytes_of(const struct tw_spec *spec, int64_t rows)
{
    bool is_dynamic = spec->rank > 0 && spec->shape[0] == -1;
    return (uint64_t)spec->bytes * (is_dynamic ? (uint64_t)rows : 1);
}

/* Return whether two ranges share a byte. An empty range overlaps nothing, even inside another. */
static bool overlap(uintptr_t start, uint64_t bytes, uintptr_t other_start, uint64_t other_bytes)
{
    return bytes != 0 && other_bytes != 0 && start < other_start + other_bytes
        && other_start < start + bytes;
}

/* Check that no output shares memory with an argument before it; return 0 or -1. */
static int32_t check_overlap(const union tw_slot *slots, int64_t rows)
{
    for (int32_t output = tw_inputs; output < tw_arguments; output++) {
        uintptr_t start = (uintptr_t)slots[output].address;
        uint64_t bytes = bytes_of(&tw_specs[output], rows);
        for (int32_t other = 0; other < output; other++) {
            uintptr_t other_start = (uintptr_t)slots[other].address;
            uint64_t other_bytes = bytes_of(&tw_specs[other], rows);
            if (overlap(start, bytes, other_start, other_bytes)) {
                struct finding finding = {&IS_APART, {other, 0, 0}};
                return fail_argument(output, &finding);
            }
        }
    }
    return 0;
}

/* Check every argument and fill the slots; return 0 or -1. */
static int32_t check_arguments(const struct tw_value *args, int32_t count, union tw_slot *slots)
{
    if (count != tw_arguments)
        return fail_count(count);
    int64_t rows = -1;
    for (int32_t index = 0; index < count; index++) {
        struct finding finding;
        if (!check_argument(&tw_specs[index], &args[index], &slots[index], &rows, &finding))
            return fail_argument(index, &finding);
    }
    slots[count].rows = rows;
    return check_overlap(slots, rows);
}

/* ---- arenas ---------------------------------------------------------------------------------- */

enum { ARENAS = 8, ARENA_ALIGNMENT = 64 };

/* Arenas that no call uses at the moment. One atomic exchange takes or fills a slot, so calls from
 * several threads never share an arena and never wait. "Acquire" orders the taker's accesses to the
 * arena after the exchange, "release" the giver's before it. */
static void *arenas[ARENAS] __attribute__((aligned(64)));

/* Return an arena of tw_arena_bytes, or null if memory is exhausted. */
static void *take_arena(void)
{
    for (int index = 0; index < ARENAS; index++) {
        void *arena = __atomic_exchange_n(&arenas[index], NULL, __ATOMIC_ACQ_REL);
        if (arena != NULL)
            return arena;
    }
    return aligned_alloc(ARENA_ALIGNMENT, (size_t)tw_arena_bytes);
}

/* Keep an arena for the next call, or free it if enough are kept. */
static void give_arena(void *arena)
{
    for (int index = 0; index < ARENAS; index++) {
        void *empty = NULL;
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
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Run main with an arena, if it needs one; return the status of main, or -1. */
static int32_t run(union tw_slot *slots, int32_t threads)
{
    if (tw_arena_bytes == 0)
        return tw_run(slots, NULL, threads);
    void *arena = take_arena();
    if (arena == NULL)
        return fail_number(MEMORY_ERROR,
            "%s: no memory for the intermediate results\n"
            "    expected: %lld bytes",
            tw_arena_bytes);
    int32_t status = tw_run(slots, arena, threads);
    give_arena(arena);
    return status;
}

/* Check the arguments and run the model. */
static int32_t enter(const struct tw_value *args, int32_t count, int32_t threads)
{
    union tw_slot slots[tw_arguments + 1]; /* the last one holds the rows */
    if (check_arguments(args, count, slots) != 0)
        return -1;
    if (tw_weights_bytes != 0 && __tw_weights == NULL)
        return fail_number(RUNTIME_ERROR,
            "%s: the weights are not loaded\n"
            "    expected: the address of %lld bytes in __tw_weights\n"
            "    got: null",
            tw_weights_bytes);
    int32_t most = threads < tw_max_threads ? threads : tw_max_threads;
    int32_t status = run(slots, most > 1 ? most : 1);
    if (status == 0 || status == -1) /* -1: a function of the process or tw_fail_index reported */
        return status;
    return fail_number(RUNTIME_ERROR,
        "%s: a kernel failed\n"
        "    got: status %lld",
        status);
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
