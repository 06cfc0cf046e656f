/* The C runtime; tilewright.h describes the interface.
 *
 * C99 has no atomic accesses, no thread-local data and no checked arithmetic, so this file uses
 * those of GCC and clang: __atomic_*, __thread and __builtin_*. The hosted build includes the worker
 * pool, pool.c, which loaded modules share, and their parameters, params.c.
 */

#ifndef TW_BARE
#define _GNU_SOURCE /* syscall, for pool.c */
#endif

#include <stdarg.h>
#include <stdbool.h>

#include "names.h"
#include "tilewright.h"

#ifdef TW_BARE
#define PER_THREAD
#else
#define PER_THREAD __thread
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "bindings.h"
#include "entry.h"
#include "machine.c"
#include "pool.c"
#include "tensors.c"
#include "repack.c"
#include "session.h"
#include "sha256.h"
#endif

/* The entries of the tables of functions and of kinds of devices. */
enum { MAX_FUNCTIONS = 256, MAX_DEVICES = 32, ALIGNMENT = 64 };

#ifndef TW_BARE
enum { ABI_VERSION = 3 }; /* as in runtime/abi/constants.py */
#endif

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_same(const char *lhs, const char *rhs)
{
    while (*lhs != 0 && *lhs == *rhs) {
        lhs++;
        rhs++;
    }
    return *lhs == *rhs;
}

/* Append a text to `into`, which has `room` bytes; return the new length. */
static size_t append(char *into, size_t room, size_t length, const char *text)
{
    while (*text != 0 && length + 1 < room)
        into[length++] = *text++;
    into[length] = 0;
    return length;
}

static size_t append_number(char *into, size_t room, size_t length, int64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    digits[--at] = 0;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (number < 0)
        digits[--at] = '-';
    return append(into, room, length, digits + at);
}

/* ---- errors ---------------------------------------------------------------------------------- */

#define TYPE_ERROR "TypeError"
#define VALUE_ERROR "ValueError"
#define KEY_ERROR "KeyError"
#define MEMORY_ERROR "MemoryError"
#define RUNTIME_ERROR "RuntimeError"

static PER_THREAD char error_kind[TW_KIND_BYTES];
static PER_THREAD char error_message[TW_ERROR_BYTES];

const char *tw_error_kind(void) { return error_kind; }

const char *tw_error_message(void) { return error_message; }

static const struct tw_host *registry_host;

static void store_error(const char *kind, const char *message)
{
    append(error_kind, sizeof error_kind, 0, kind);
    append(error_message, sizeof error_message, 0, message);
}

void tw_set_error(const char *kind, const char *message)
{
    store_error(kind, message);
    if (registry_host != NULL)
        registry_host->report(error_kind, error_message);
}

void tw_clear_error(void)
{
    if (error_kind[0] != 0)
        tw_set_error("", "");
}

/* Set an error and return -1. In the format, %s is a text and %d an int64_t. */
static int32_t fail(const char *kind, const char *format, ...)
{
    char made[TW_ERROR_BYTES];
    size_t length = 0;
    va_list values;
    va_start(values, format);
    for (made[0] = 0; *format != 0; format++) {
        if (format[0] == '%' && format[1] == 's')
            length = append(made, sizeof made, length, va_arg(values, const char *));
        else if (format[0] == '%' && format[1] == 'd')
            length = append_number(made, sizeof made, length, va_arg(values, int64_t));
        else
            length = append(made, sizeof made, length, (char[]){*format, 0});
        format += format[0] == '%';
    }
    va_end(values);
    tw_set_error(kind, made);
    return -1;
}

static int32_t fail_null(const char *function, const char *argument)
{
    return fail(TYPE_ERROR, "%s: %s is null\n  expected: an address\n  got: null", function, argument);
}

/* ---- calls and the registry of functions ----------------------------------------------------- */

static tw_trace *trace_hook;
static void *trace_self;

void tw_set_trace(tw_trace *hook, void *self)
{
    trace_self = self;
    trace_hook = hook;
}

int32_t tw_call(const struct tw_function *function, const struct tw_value *args, int32_t count,
    struct tw_value *result)
{
    if (function == NULL || function->call == NULL)
        return fail_null("tw_call", "the function");
    if (result == NULL || (args == NULL && count > 0))
        return fail_null(function->name, result == NULL ? "the result" : "the list of arguments");
    if (count < 0)
        return fail(VALUE_ERROR, "%s: the number of arguments is negative\n  expected: 0 or more\n"
            "  got: %d", function->name, (int64_t)count);
    *result = (struct tw_value){TW_NONE, 0, {0}};
    tw_clear_error();
    if (trace_hook != NULL)
        trace_hook(trace_self, function, 0);
    int32_t status = function->call(function->self, args, count, result);
    if (trace_hook != NULL)
        trace_hook(trace_self, function, 1);
    if (status != 0 && error_kind[0] == 0)
        return fail(RUNTIME_ERROR, "%s failed without an error\n  got: status %d", function->name,
            (int64_t)status);
    return status;
}

static struct tw_function functions[MAX_FUNCTIONS];
static int32_t function_count;
static int32_t registry_lock; /* 1 while a thread uses the table */

static void lock(int32_t *word)
{
    while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) != 0)
        continue;
}

static void unlock(int32_t *word) { __atomic_store_n(word, 0, __ATOMIC_RELEASE); }

/* Return the position of a name in the table, or the number of functions. */
static int32_t position_of(const char *name)
{
    int32_t at = 0;
    while (at < function_count && !is_same(functions[at].name, name))
        at++;
    return at;
}

/* Register, with the lock held; return null, or the text of an error. */
static const char *add(const struct tw_function *function, int32_t is_override)
{
    int32_t at = position_of(function->name);
    if (at == MAX_FUNCTIONS)
        return "the table is full\n  expected: at most 256 functions";
    if (at < function_count && !is_override)
        return "the name is registered\n  expected: a new name, or is_override";
    functions[at] = *function;
    function_count += at == function_count;
    return NULL;
}

int32_t tw_register(const struct tw_function *function, int32_t is_override)
{
    if (function == NULL || function->name == NULL || function->call == NULL)
        return fail_null("tw_register", "the function, its name or its code");
    size_t length = length_of(function->name);
    if (length == 0 || length > MAX_NAME)
        return fail(VALUE_ERROR, "tw_register: the name has a wrong length\n  expected: 1 to 63 bytes\n"
            "  got: %d bytes", (int64_t)length);
    lock(&registry_lock);
    const char *broken = add(function, is_override);
    unlock(&registry_lock);
    if (broken != NULL)
        return fail(VALUE_ERROR, "tw_register: %s\n  got: %s", broken, function->name);
    return registry_host == NULL ? 0 : registry_host->add(function, is_override);
}

int32_t tw_set_host(const struct tw_host *host)
{
    if (host == NULL || host->add == NULL || host->find == NULL || host->report == NULL)
        return fail_null("tw_set_host", "the host or one of its functions");
    registry_host = host;
    for (int32_t at = 0; at < function_count; at++)
        if (host->add(&functions[at], 0) != 0)
            return -1;
    return 0;
}

static int32_t fail_unknown(const char *name)
{
    const char *nearest = NULL;
    size_t least = MAX_NAME;
    lock(&registry_lock);
    for (int32_t at = 0; at < function_count; at++) {
        size_t edits = distance(name, functions[at].name);
        if (edits < least) {
            least = edits;
            nearest = functions[at].name;
        }
    }
    unlock(&registry_lock);
    if (nearest == NULL)
        return fail(KEY_ERROR, "no function is registered under this name\n  expected: a "
            "registered name\n  got: %s\n  hint: call tw_register first", name);
    return fail(KEY_ERROR, "no function is registered under this name\n  expected: a registered "
        "name, such as %s\n  got: %s", nearest, name);
}

int32_t tw_find(const char *name, struct tw_function *found)
{
    if (name == NULL || found == NULL)
        return fail_null("tw_find", name == NULL ? "the name" : "the result");
    lock(&registry_lock);
    int32_t at = position_of(name);
    bool is_known = at < function_count;
    if (is_known)
        *found = functions[at];
    unlock(&registry_lock);
    if (is_known || (registry_host != NULL && registry_host->find(name, found) == 0))
        return 0;
    return fail_unknown(name);
}

int32_t tw_remove(const char *name)
{
    if (name == NULL)
        return fail_null("tw_remove", "the name");
    lock(&registry_lock);
    int32_t at = position_of(name);
    bool is_known = at < function_count;
    function_count -= is_known;
    for (; at < function_count; at++)
        functions[at] = functions[at + 1];
    unlock(&registry_lock);
    return is_known ? 0 : fail_unknown(name);
}

int32_t tw_list(const char **names, int32_t room)
{
    lock(&registry_lock);
    int32_t count = function_count;
    for (int32_t at = 0; at < count && at < room; at++)
        names[at] = functions[at].name;
    unlock(&registry_lock);
    return count;
}

/* ---- arenas ---------------------------------------------------------------------------------- */

void *tw_take(struct tw_arena *arena, size_t bytes, size_t alignment)
{
    if (arena == NULL || arena->memory == NULL || alignment == 0)
        return NULL;
    uintptr_t free = (uintptr_t)(arena->memory + arena->used);
    size_t gap = (size_t)(-free & (alignment - 1));
    size_t left = arena->bytes - arena->used;
    if (gap > left || bytes > left - gap)
        return NULL;
    arena->used += gap + bytes;
    return (void *)(free + gap);
}

void tw_reset(struct tw_arena *arena) { arena->used = 0; }

/* ---- devices --------------------------------------------------------------------------------- */

#ifdef TW_BARE

static struct tw_arena *cpu_arena;

void tw_use_arena(struct tw_arena *arena) { cpu_arena = arena; }

static void *take_memory(size_t bytes) { return tw_take(cpu_arena, bytes, ALIGNMENT); }

static void return_memory(void *memory) { (void)memory; }

#else

static void *take_memory(size_t bytes)
{
    void *made = NULL;
    return posix_memalign(&made, ALIGNMENT, bytes > 0 ? bytes : 1) == 0 ? made : NULL;
}

static void return_memory(void *memory) { free(memory); }

#endif

static void *cpu_allocate(void *self, int32_t number, size_t bytes)
{
    (void)self;
    (void)number;
    return take_memory(bytes);
}

static void cpu_release(void *self, int32_t number, void *memory)
{
    (void)self;
    (void)number;
    return_memory(memory);
}

static char *address_of(const struct tw_tensor *tensor)
{
    return (char *)tensor->data + tensor->byte_offset;
}

/* The ranges may overlap. */
static void move_bytes(char *to, const char *from, size_t bytes)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        for (size_t at = 0; at < bytes; at++)
            to[at] = from[at];
    else
        for (size_t at = bytes; at > 0; at--)
            to[at - 1] = from[at - 1];
}

static int32_t cpu_copy(
    void *self, const struct tw_tensor *from, const struct tw_tensor *to, size_t bytes)
{
    (void)self;
    move_bytes(address_of(to), address_of(from), bytes);
    return 0;
}

static int32_t cpu_sync(void *self, int32_t number)
{
    (void)self;
    (void)number;
    return 0;
}

static struct tw_device devices[MAX_DEVICES] = {
    [TW_CPU] = {"cpu", NULL, cpu_allocate, cpu_release, cpu_copy, cpu_sync}};

/* Return the functions of a kind of device, or null after an error. */
static const struct tw_device *device_of(int32_t type)
{
    if (type >= 0 && type < MAX_DEVICES && devices[type].name != NULL)
        return &devices[type];
    fail(VALUE_ERROR, "no device of this type is registered\n  expected: 1 (cpu) or a registered "
        "type\n  got: %d\n  hint: call tw_register_device first", (int64_t)type);
    return NULL;
}

int32_t tw_register_device(int32_t type, const struct tw_device *device)
{
    if (type < 0 || type >= MAX_DEVICES || type == TW_CPU)
        return fail(VALUE_ERROR, "tw_register_device: the type cannot be registered\n  expected: 0 "
            "to 31, not 1 (cpu)\n  got: %d", (int64_t)type);
    if (device == NULL || device->name == NULL || device->allocate == NULL ||
        device->release == NULL || device->copy == NULL || device->sync == NULL)
        return fail_null("tw_register_device", "the device, its name or one of its functions");
    devices[type] = *device;
    return 0;
}

int32_t tw_sync(int32_t type, int32_t number)
{
    const struct tw_device *device = device_of(type);
    return device == NULL ? -1 : device->sync(device->self, number);
}

/* ---- tensors --------------------------------------------------------------------------------- */

enum { STRONG = 1, WEAK = 2 };
static const uint64_t ONE_WEAK = (uint64_t)1 << 32;

/* A tensor of this runtime. The first of the last three that is not null owns the memory. */
struct owned_tensor {
    struct tw_tensor_object object;
    char *first; /* the range that views stay in */
    int64_t bytes;
    void *memory;
    struct tw_tensor_object *viewed;
    struct tw_managed_tensor *managed;
    int64_t sizes[]; /* the shape, then the strides */
};

void tw_retain(void *object)
{
    if (object != NULL)
        __atomic_fetch_add(tw_counts_of(object), 1, __ATOMIC_RELAXED);
}

void tw_release(void *object)
{
    struct tw_object *header = object;
    if (header == NULL)
        return;
    uint64_t before = __atomic_fetch_sub(tw_counts_of(header), 1, __ATOMIC_ACQ_REL);
    if ((uint32_t)before != 1)
        return;
    if (before == ONE_WEAK + 1) {
        header->free.deleter(object, STRONG | WEAK);
        return;
    }
    header->free.deleter(object, STRONG);
    if (__atomic_fetch_sub(tw_counts_of(header), ONE_WEAK, __ATOMIC_ACQ_REL) >> 32 == 1)
        header->free.deleter(object, WEAK);
}

static void delete_tensor(void *self, int flags)
{
    struct owned_tensor *tensor = self;
    const struct tw_tensor *own = &tensor->object.tensor;
    if (flags & STRONG) {
        const struct tw_device *device = &devices[own->device_type & (MAX_DEVICES - 1)];
        if (tensor->memory != NULL)
            device->release(device->self, own->device_id, tensor->memory);
        else if (tensor->viewed != NULL)
            tw_release(tensor->viewed);
        else if (tensor->managed != NULL && tensor->managed->deleter != NULL)
            tensor->managed->deleter(tensor->managed);
    }
    if (flags & WEAK)
        return_memory(tensor);
}

static int64_t element_bytes(uint32_t dtype)
{
    int64_t bits = dtype >> 8 & 0xff, lanes = dtype >> 16;
    return (bits + 7) / 8 * lanes;
}

/* Check rank, shape and dtype; store the bytes of all elements. */
static int32_t check_shape(
    const char *place, uint32_t dtype, int32_t rank, const int64_t *shape, int64_t *bytes)
{
    if (rank < 0 || rank > TW_MAX_RANK)
        return fail(VALUE_ERROR, "%s: rank is wrong\n  expected: 0 to 32\n  got: %d", place,
            (int64_t)rank);
    if (shape == NULL && rank > 0)
        return fail_null(place, "shape");
    if (element_bytes(dtype) == 0)
        return fail(TYPE_ERROR, "%s: dtype has no bits or no lanes\n  expected: a type of TW_DTYPE\n"
            "  got: %d", place, (int64_t)dtype);
    *bytes = element_bytes(dtype);
    for (int32_t axis = 0; axis < rank; axis++)
        if (shape[axis] < 0 || __builtin_mul_overflow(*bytes, shape[axis], bytes))
            return fail(VALUE_ERROR, "%s: shape has a wrong size in dimension %d\n  expected: 0 or "
                "more, and less than 2^63 bytes\n  got: %d", place, (int64_t)axis, shape[axis]);
    return 0;
}

static void set_row_major(int64_t *strides, int32_t rank, const int64_t *shape)
{
    uint64_t step = 1; /* may wrap if there is no element */
    for (int32_t axis = rank - 1; axis >= 0; axis--) {
        strides[axis] = (int64_t)step;
        step *= (uint64_t)(shape[axis] > 0 ? shape[axis] : 1);
    }
}

/* Store the offsets in bytes of the first byte and of the end of a tensor's elements. Return whether
 * one leaves 64 bits. */
static bool find_extent(const struct tw_tensor *tensor, int64_t *low, int64_t *high)
{
    int64_t size = element_bytes(tensor->dtype), reach;
    *low = 0;
    *high = size;
    for (int32_t axis = 0; axis < tensor->rank; axis++) {
        if (tensor->shape[axis] == 0) {
            *low = *high = 0;
            return false;
        }
        if (__builtin_mul_overflow(tensor->shape[axis] - 1, tensor->strides[axis], &reach) ||
            __builtin_mul_overflow(reach, size, &reach) ||
            __builtin_add_overflow(reach, reach < 0 ? *low : *high, reach < 0 ? low : high))
            return true;
    }
    return false;
}

/* Make a tensor without memory. Before: shape and dtype are checked. */
static struct owned_tensor *new_tensor(
    uint32_t dtype, int32_t rank, const int64_t *shape, const int64_t *strides)
{
    struct owned_tensor *made =
        take_memory(sizeof *made + (size_t)rank * 2 * sizeof(int64_t));
    if (made == NULL) {
        fail(MEMORY_ERROR, "no memory is left for a tensor");
        return NULL;
    }
    *made = (struct owned_tensor){
        .object.header = {ONE_WEAK + 1, TW_TENSOR, 0, {.deleter = delete_tensor}}};
    for (int32_t axis = 0; axis < rank; axis++)
        made->sizes[axis] = shape[axis];
    set_row_major(made->sizes + rank, rank, shape);
    for (int32_t axis = 0; strides != NULL && axis < rank; axis++)
        made->sizes[rank + axis] = strides[axis];
    made->object.tensor = (struct tw_tensor){
        NULL, TW_CPU, 0, rank, dtype, made->sizes, made->sizes + rank, 0};
    return made;
}

struct tw_tensor_object *tw_tensor_new(
    uint32_t dtype, int32_t rank, const int64_t *shape, int32_t device_type, int32_t device_id)
{
    int64_t bytes;
    const struct tw_device *device = device_of(device_type);
    if (device == NULL || check_shape("tw_tensor_new", dtype, rank, shape, &bytes) != 0)
        return NULL;
    struct owned_tensor *made = new_tensor(dtype, rank, shape, NULL);
    if (made == NULL)
        return NULL;
    made->memory = device->allocate(device->self, device_id, (size_t)bytes);
    if (made->memory == NULL) {
        fail(MEMORY_ERROR, "tw_tensor_new: %s has no memory left\n  expected: %d bytes",
            device->name, bytes);
        return_memory(made);
        return NULL;
    }
    made->first = made->memory;
    made->bytes = bytes;
    made->object.tensor.data = made->memory;
    made->object.tensor.device_type = device_type;
    made->object.tensor.device_id = device_id;
    return &made->object;
}

/* Point a view at its elements; fail if one is outside the memory of the viewed tensor. */
static int32_t place_view(struct owned_tensor *view, const struct owned_tensor *of, int64_t offset)
{
    struct tw_tensor *tensor = &view->object.tensor;
    int64_t low, high, at;
    int64_t start = (int64_t)(address_of(&of->object.tensor) - of->first);
    if (__builtin_mul_overflow(offset, element_bytes(tensor->dtype), &at) ||
        __builtin_add_overflow(at, start, &at) || find_extent(tensor, &low, &high) ||
        __builtin_add_overflow(low, at, &low) || __builtin_add_overflow(high, at, &high))
        return fail(VALUE_ERROR, "tw_tensor_view: strides and offset leave 64 bits\n  expected: "
            "elements of the tensor\n  got: offset %d", offset);
    if (low < 0 || high > of->bytes)
        return fail(VALUE_ERROR, "tw_tensor_view: the view leaves the tensor\n  expected: bytes 0 to "
            "%d\n  got: bytes %d to %d", of->bytes, low, high);
    tensor->data = of->first + at;
    tensor->device_type = of->object.tensor.device_type;
    tensor->device_id = of->object.tensor.device_id;
    view->first = of->first;
    view->bytes = of->bytes;
    return 0;
}

struct tw_tensor_object *tw_tensor_view(struct tw_tensor_object *of, int32_t rank,
    const int64_t *shape, const int64_t *strides, int64_t offset)
{
    int64_t bytes;
    if (of == NULL || of->header.free.deleter != delete_tensor) {
        fail(TYPE_ERROR, "tw_tensor_view: the tensor is not of this runtime\n  expected: a result of "
            "tw_tensor_new, tw_tensor_view or tw_from_dlpack\n  got: %s",
            of == NULL ? "null" : "another object");
        return NULL;
    }
    if (check_shape("tw_tensor_view", of->tensor.dtype, rank, shape, &bytes) != 0)
        return NULL;
    struct owned_tensor *made = new_tensor(of->tensor.dtype, rank, shape, strides);
    if (made == NULL)
        return NULL;
    if (place_view(made, (struct owned_tensor *)of, offset) != 0) {
        return_memory(made);
        return NULL;
    }
    made->viewed = of;
    tw_retain(of);
    return &made->object;
}

static bool is_row_major(const struct tw_tensor *tensor)
{
    uint64_t step = 1; /* may wrap if there is no element */
    for (int32_t axis = tensor->rank - 1; tensor->strides != NULL && axis >= 0; axis--) {
        if (tensor->shape[axis] != 1 && tensor->strides[axis] != (int64_t)step)
            return false;
        step *= (uint64_t)tensor->shape[axis];
    }
    return true;
}

/* Copy the elements of the dimensions from `axis` on between two places in CPU memory. */
static void copy_axis(const struct tw_tensor *from, const struct tw_tensor *to,
    const int64_t *const strides[2], int32_t axis, const char *source, char *target)
{
    int64_t size = element_bytes(to->dtype);
    if (axis == to->rank) {
        move_bytes(target, source, (size_t)size);
        return;
    }
    for (int64_t at = 0; at < to->shape[axis]; at++)
        copy_axis(from, to, strides, axis + 1, source + at * strides[0][axis] * size,
            target + at * strides[1][axis] * size);
}

static void copy_strided(const struct tw_tensor *from, const struct tw_tensor *to)
{
    int64_t own[2][TW_MAX_RANK];
    set_row_major(own[0], from->rank, from->shape);
    set_row_major(own[1], to->rank, to->shape);
    const int64_t *const strides[2] = {
        from->strides != NULL ? from->strides : own[0], to->strides != NULL ? to->strides : own[1]};
    copy_axis(from, to, strides, 0, address_of(from), address_of(to));
}

static int32_t check_pair(const struct tw_tensor *from, const struct tw_tensor *to)
{
    if (from == NULL || to == NULL)
        return fail_null("tw_tensor_copy", from == NULL ? "from" : "to");
    if (from->dtype != to->dtype)
        return fail(TYPE_ERROR, "tw_tensor_copy: dtypes differ\n  expected: %d (from)\n  got: %d (to)",
            (int64_t)from->dtype, (int64_t)to->dtype);
    if (from->rank != to->rank)
        return fail(VALUE_ERROR, "tw_tensor_copy: ranks differ\n  expected: %d (from)\n  got: %d (to)",
            (int64_t)from->rank, (int64_t)to->rank);
    for (int32_t axis = 0; axis < to->rank && axis < TW_MAX_RANK; axis++)
        if (from->shape[axis] != to->shape[axis])
            return fail(VALUE_ERROR, "tw_tensor_copy: sizes differ in dimension %d\n  expected: %d "
                "(from)\n  got: %d (to)", (int64_t)axis, from->shape[axis], to->shape[axis]);
    return 0;
}

int32_t tw_tensor_copy(const struct tw_tensor *from, const struct tw_tensor *to)
{
    int64_t bytes;
    if (check_pair(from, to) != 0 ||
        check_shape("tw_tensor_copy", to->dtype, to->rank, to->shape, &bytes) != 0)
        return -1;
    const struct tw_device *source = device_of(from->device_type);
    const struct tw_device *target = device_of(to->device_type);
    if (source == NULL || target == NULL)
        return -1;
    bool is_dense = is_row_major(from) && is_row_major(to);
    const struct tw_device *copier = to->device_type == TW_CPU ? source : target;
    if (is_dense)
        return bytes == 0 ? 0 : copier->copy(copier->self, from, to, (size_t)bytes);
    if (from->device_type != TW_CPU || to->device_type != TW_CPU)
        return fail(VALUE_ERROR, "tw_tensor_copy: a tensor has gaps\n  expected: row-major tensors on "
            "%s\n  got: strides", copier->name);
    copy_strided(from, to);
    return 0;
}

/* ---- DLPack ---------------------------------------------------------------------------------- */

static void release_managed(struct tw_managed_tensor *self)
{
    tw_release(self->context);
    return_memory(self);
}

struct tw_managed_tensor *tw_to_dlpack(struct tw_tensor_object *tensor)
{
    struct tw_managed_tensor *made = tensor == NULL ? NULL : take_memory(sizeof *made);
    if (made == NULL) {
        if (tensor == NULL)
            fail_null("tw_to_dlpack", "the tensor");
        else
            fail(MEMORY_ERROR, "no memory is left for a tensor");
        return NULL;
    }
    tw_retain(tensor);
    *made = (struct tw_managed_tensor){tensor->tensor, tensor, release_managed};
    return made;
}

struct tw_tensor_object *tw_from_dlpack(struct tw_managed_tensor *managed)
{
    int64_t bytes, low, high;
    if (managed == NULL) {
        fail_null("tw_from_dlpack", "the tensor");
        return NULL;
    }
    const struct tw_tensor *given = &managed->tensor;
    if (device_of(given->device_type) == NULL ||
        check_shape("tw_from_dlpack", given->dtype, given->rank, given->shape, &bytes) != 0)
        return NULL;
    struct owned_tensor *made = new_tensor(given->dtype, given->rank, given->shape, given->strides);
    if (made == NULL)
        return NULL;
    if (find_extent(&made->object.tensor, &low, &high)) {
        fail(VALUE_ERROR, "tw_from_dlpack: strides leave 64 bits");
        return_memory(made);
        return NULL;
    }
    struct tw_tensor *own = &made->object.tensor;
    own->data = given->data;
    own->byte_offset = given->byte_offset;
    own->device_type = given->device_type;
    own->device_id = given->device_id;
    made->first = high > low ? address_of(given) + low : address_of(given);
    made->bytes = high - low;
    made->managed = managed;
    return &made->object;
}

#ifndef TW_BARE

/* ---- library files ---------------------------------------------------------------------------
 * ELF64 as runtime/file/elf_reader.py reads it, whose docstring defines the build ID. */

#if defined(__x86_64__)
enum { MACHINE = 62 };
#elif defined(__aarch64__)
enum { MACHINE = 183 };
#elif defined(__riscv)
enum { MACHINE = 243 };
#else
enum { MACHINE = 0 }; /* of no file: nothing exports libraries for other machines */
#endif

enum { SEGMENT_LOAD = 1, SEGMENT_NOTE = 4, WRITABLE = 2, BUILD_ID_BYTES = 32 };

struct elf_header {
    unsigned char magic[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments_at, sections_at;
    uint32_t flags;
    uint16_t bytes, segment_bytes, segments, section_bytes, sections, names;
};

struct elf_segment {
    uint32_t kind, flags;
    uint64_t offset, address, physical, file_bytes, memory_bytes, alignment;
};

static int32_t fail_file(const char *path, const char *got)
{
    return fail(RUNTIME_ERROR, "%s cannot be loaded\n  expected: a library of "
        "Module.export_library\n  got: %s\n  hint: export the model again", path, got);
}

/* Return an error of the headers, or null; store the build ID's offset and the end of the data. */
static const char *find_build_id(const char *file, size_t bytes, size_t *at, size_t *end)
{
    static const char NOTE[16] = "\4\0\0\0\40\0\0\0\3\0\0\0GNU";
    struct elf_header header;
    struct elf_segment segment;
    *at = *end = 0;
    if (bytes < sizeof header || memcmp(file, "\177ELF\2\1\1", 7) != 0)
        return "no ELF file of 64 bits";
    memcpy(&header, file, sizeof header);
    if (header.type != 3 || header.machine != MACHINE)
        return "no shared object for this instruction set";
    if (header.segment_bytes != sizeof segment || header.segments_at > bytes ||
        header.segments * sizeof segment > bytes - header.segments_at)
        return "a file that is too short for its headers";
    for (size_t number = 0; number < header.segments; number++) {
        memcpy(&segment, file + header.segments_at + number * sizeof segment, sizeof segment);
        if (segment.offset > bytes || segment.file_bytes > bytes - segment.offset)
            return "a file that is too short for its segments";
        size_t last = (size_t)(segment.offset + segment.file_bytes);
        if (segment.kind == SEGMENT_LOAD && segment.flags & WRITABLE)
            *end = last > *end ? last : *end;
        if (segment.kind == SEGMENT_NOTE && segment.file_bytes >= sizeof NOTE + BUILD_ID_BYTES &&
            *at == 0 && memcmp(file + segment.offset, NOTE, sizeof NOTE) == 0)
            *at = (size_t)segment.offset + sizeof NOTE;
    }
    bool is_inside = *at >= sizeof header && *at + BUILD_ID_BYTES <= *end;
    return is_inside ? NULL : "no build ID of Tilewright";
}

/* Compare the build ID with code and data. */
static const char *check_image(const char *file, size_t bytes)
{
    static const uint8_t ZEROS[BUILD_ID_BYTES];
    size_t at, end;
    const char *broken = find_build_id(file, bytes, &at, &end);
    if (broken != NULL)
        return broken;
    struct elf_header header;
    memcpy(&header, file, sizeof header);
    header.sections_at = header.sections = header.names = 0;
    struct sha256 sha = NEW_DIGEST;
    uint8_t digest[BUILD_ID_BYTES];
    digest_bytes(&sha, &header, sizeof header);
    digest_bytes(&sha, file + sizeof header, at - sizeof header);
    digest_bytes(&sha, ZEROS, sizeof ZEROS);
    digest_bytes(&sha, file + at + BUILD_ID_BYTES, end - at - BUILD_ID_BYTES);
    finish_digest(&sha, digest);
    return memcmp(file + at, digest, sizeof digest) == 0 ? NULL
                                                         : "code or data that differ from the build ID";
}

/* Map a file; return 0, or -1 after an error. */
static int32_t map_file(const char *path, const char **data, size_t *length)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size <= 0) {
        if (file >= 0)
            close(file);
        return fail_file(path, "no file with contents that can be read");
    }
    *length = (size_t)facts.st_size;
    void *mapped = mmap(NULL, *length, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    *data = mapped;
    return mapped != MAP_FAILED ? 0 : fail_file(path, "a file that cannot be mapped");
}

static int32_t check_file(const char *path)
{
    const char *data;
    size_t bytes;
    if (map_file(path, &data, &bytes) != 0)
        return -1;
    const char *broken = check_image(data, bytes);
    munmap((void *)(uintptr_t)data, bytes);
    return broken == NULL ? 0 : fail_file(path, broken);
}

/* ---- manifests ------------------------------------------------------------------------------- */

/* Return the text behind a JSON string that starts at its quote. */
static const char *behind_string(const char *at)
{
    for (at++; *at != 0 && *at != '"'; at++)
        at += *at == '\\' && at[1] != 0;
    return at + (*at == '"');
}

/* Return the value of a key of the object at the start of a JSON text, or null. */
static const char *json_value(const char *at, const char *key)
{
    size_t length = strlen(key);
    int depth = 0;
    while (*at != 0) {
        if (*at == '"') {
            const char *end = behind_string(at);
            bool is_key = depth == 1 && *end == ':' && (size_t)(end - at) == length + 2;
            if (is_key && memcmp(at + 1, key, length) == 0)
                return end + 1 + strspn(end + 1, " ");
            at = end;
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (depth == 0 && *at != ' ')
            return NULL;
        at++;
    }
    return NULL;
}

/* Copy the next string of a JSON list to `name` and move behind it. Return whether there is one. A
 * name that is too long for its place is cut, and so is unknown to its users. */
static bool next_name(const char **at, char *name, size_t room)
{
    if (*at == NULL)
        return false;
    *at += strspn(*at, "[, ");
    if (**at != '"')
        return false;
    const char *end = behind_string(*at);
    size_t length = 0;
    for (const char *from = *at + 1; from + 1 < end && length + 1 < room; from++) {
        from += *from == '\\';
        name[length++] = *from;
    }
    name[length] = 0;
    *at = end;
    return true;
}

/* Return whether a line of words, separated by spaces, has a word. */
static bool has_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)) != NULL; at += length) {
        bool starts = at == line || at[-1] == ' ' || at[-1] == '\t';
        if (starts && strchr(" \n", at[length]) != NULL)
            return true;
    }
    return false;
}

/* Return the features of the processor, in Linux's names; none if Linux does not list them. The file
 * is read once: a sandbox may forbid it later. Before: one thread calls this at a time. */
static const char *read_cpu_flags(void)
{
    static char line[8192];
    static bool is_read;
    if (is_read)
        return line;
    is_read = true;
    FILE *file = fopen("/proc/cpuinfo", "re");
    bool is_found = false;
    while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL)
        is_found = strncmp(line, "flags", 5) == 0;
    if (!is_found)
        line[0] = 0;
    if (file != NULL)
        fclose(file);
    return line;
}

/* Ask the kernel for the tile registers of AMX: code 0x1023, ARCH_REQ_XCOMP_PERM, for state 18. */
static int32_t request_tiles(const char *path)
{
#if defined(__x86_64__)
    if (syscall(SYS_arch_prctl, 0x1023L, 18L) != 0)
        return fail(RUNTIME_ERROR, "%s: the kernel refuses the tile registers (AMX) that the code "
            "needs\n  expected: arch_prctl(ARCH_REQ_XCOMP_PERM, 18) of Linux 5.16 or newer\n"
            "  got: %s\n  hint: compile the model for a target with -mattr=-amx-tile", path,
            strerror(errno));
#else
    (void)path;
#endif
    return 0;
}

static int32_t check_processor(const char *path, const char *manifest)
{
    bool has_tiles = false;
    char name[MAX_NAME + 1], missing[512] = "";
    const char *flags = read_cpu_flags();
    const char *at = json_value(manifest, "cpu_flags");
    size_t length = 0;
    while (next_name(&at, name, sizeof name)) {
        has_tiles = has_tiles || strcmp(name, "amx_tile") == 0;
        if (!has_word(flags, name)) {
            length = append(missing, sizeof missing, length, length > 0 ? ", " : "");
            length = append(missing, sizeof missing, length, name);
        }
    }
    if (length > 0)
        return fail(RUNTIME_ERROR, "%s: this processor cannot run the code\n  expected: a processor "
            "with the features that the code uses\n  got: a processor without %s\n  hint: compile "
            "the model for this processor", path, missing);
    return has_tiles ? request_tiles(path) : 0;
}

/* ---- modules --------------------------------------------------------------------------------- */

/* `path`: that of the library, or the name of a linked model, which has `symbols` and no library. */
struct tw_module {
    char *path;
    void *library;
    const struct tw_linked *symbols;
    const char *manifest;
    int32_t references;
    struct tw_module *next;
    struct cl_module *opencl; /* the devices of a module for OpenCL, else null; see opencl.c */
    struct tw_part *parts; /* the parameters of each program, once they are known; see params.c */
    int32_t part_count;
};

static void free_params(struct tw_module *module);
static void forget_params(struct tw_module *module);
static bool has_new_weights(const struct tw_module *module);

static struct tw_module *modules;
static int32_t modules_lock; /* 1 while a thread loads or unloads */

#include "opencl.c"

/* What a module stores for a registered function that it calls. */
struct extern_slot {
    tw_packed_function *call;
    void *self;
};

/* Return the address of a name in a list, or null. */
static void *linked_symbol(const struct tw_linked *at, const char *name)
{
    while (at->name != NULL && strcmp(at->name, name) != 0)
        at++;
    return at->address;
}

/* Return the address of an exported symbol, or null. */
static void *symbol_of(const struct tw_module *module, const char *name)
{
    return module->symbols == NULL ? dlsym(module->library, name)
                                   : linked_symbol(module->symbols, name);
}

/* Store a function in an exported slot. C99 converts no function pointer to a data pointer. */
#define STORE_SLOT(module, symbol, type, function)                                                 \
    do {                                                                                           \
        type **slot = symbol_of(module, symbol);                                                   \
        if (slot != NULL)                                                                          \
            *slot = function;                                                                      \
    } while (0)

static int32_t fill_externs(const struct tw_module *module)
{
    struct extern_slot *slots = symbol_of(module, "__tw_externs");
    const char *at = json_value(module->manifest, "externs");
    char name[MAX_NAME + 2];
    for (; slots != NULL && next_name(&at, name, sizeof name); slots++) {
        struct tw_function found;
        if (tw_find(name, &found) != 0)
            return -1;
        *slots = (struct extern_slot){found.call, found.self};
    }
    return 0;
}

static int32_t load_weights(const struct tw_module *module)
{
    int32_t (*load)(void) = NULL;
    *(void **)&load = symbol_of(module, "__tw_load_weights");
    return load == NULL ? 0 : load();
}

/* Drive the OpenCL devices of a module, for which device.c has no driver. */
static int32_t connect_opencl(struct tw_module *module)
{
    struct tw_device_function *slot = symbol_of(module, "__tw_device_function");
    const char *target = json_value(module->manifest, "target");
    if (slot == NULL || target == NULL || strncmp(target, "\"opencl", 7) != 0)
        return 0;
    module->opencl = cl_new_module(symbol_of(module, "__tw_device_library"));
    if (module->opencl == NULL)
        return -1;
    *slot = (struct tw_device_function){cl_act, module->opencl};
    return 0;
}

/* Check the code of a module and connect it to this runtime. */
static int32_t connect_module(struct tw_module *module)
{
    const int32_t *version = symbol_of(module, "__tw_abi_version");
    if (symbol_of(module, "__tw_device_parts") != NULL)
        return fail(RUNTIME_ERROR, "%s: a module with parts for several targets: only load_module of "
            "Python runs it\n  expected: a module for one target\n  hint: load it in Python, or "
            "compile the model without placement=", module->path);
    if (version == NULL || module->manifest == NULL)
        return fail_file(module->path, "a library without manifest or ABI version");
    const char *abi = json_value(module->manifest, "abi");
    if (*version != ABI_VERSION || abi == NULL || atoi(abi) != ABI_VERSION)
        return fail(RUNTIME_ERROR, "%s was made for another runtime\n  expected: ABI %d\n  got: ABI "
            "%d\n  hint: compile the model again with this version of Tilewright", module->path,
            (int64_t)ABI_VERSION, (int64_t)*version);
    if (check_processor(module->path, module->manifest) != 0 || fill_externs(module) != 0)
        return -1;
    STORE_SLOT(module, "__tw_raise", tw_report, tw_set_error);
    STORE_SLOT(module, "__tw_pool", tw_pool, __tw_pool_run);
    return connect_opencl(module) != 0 ? -1 : load_weights(module);
}

/* Free the memory of a module that is not used; unload its library. */
static void close_module(struct tw_module *module)
{
    void (*release)(void) = NULL;
    *(void **)&release = symbol_of(module, "__tw_release");
    if (release != NULL)
        release();
    if (module->opencl != NULL)
        cl_free_module(module->opencl);
    if (module->symbols != NULL)
        forget_params(module);
    else
        dlclose(module->library);
}

/* A forked child has no helpers of the pool. */
static void reset_pool_in_children(void)
{
    static int32_t is_set;
    if (is_set == 0 && pthread_atfork(NULL, NULL, __tw_pool_reset) == 0)
        is_set = 1;
}

/* Connect the code of a module with one reference, with the lock held; store a copy of the module. */
static int32_t keep_module(struct tw_module *module, struct tw_module **loaded)
{
    struct tw_module *kept = malloc(sizeof *kept);
    module->manifest = symbol_of(module, "__tw_manifest");
    module->references = 1;
    module->next = modules;
    if (kept == NULL || connect_module(module) != 0) {
        if (kept == NULL)
            fail(MEMORY_ERROR, "no memory is left for a module");
        free(kept);
        close_module(module);
        return -1;
    }
    reset_pool_in_children();
    *kept = *module;
    *loaded = modules = kept;
    return 0;
}

/* Load a file that is not loaded; called with the lock held. On success the path belongs to the
 * module. */
static int32_t load_file(char *path, struct tw_module **loaded)
{
    if (check_file(path) != 0)
        return -1;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return fail_file(path, dlerror());
    return keep_module(&(struct tw_module){.path = path, .library = library}, loaded);
}

/* Return a loaded module by its path or else by its symbols, with one more reference, or null; called
 * with the lock held. */
static struct tw_module *loaded_module(const char *path, const struct tw_linked *symbols)
{
    struct tw_module *known = modules;
    while (known != NULL && (path != NULL ? strcmp(known->path, path) != 0 : known->symbols != symbols))
        known = known->next;
    if (known != NULL)
        known->references++;
    return known;
}

int32_t tw_load(const char *path, struct tw_module **loaded)
{
    if (path == NULL || loaded == NULL)
        return fail_null("tw_load", path == NULL ? "the path" : "the result");
    *loaded = NULL;
    char *whole = realpath(path, NULL);
    if (whole == NULL)
        return fail_file(path, "no such file");
    lock(&modules_lock);
    struct tw_module *known = *loaded = loaded_module(whole, NULL);
    int32_t status = known != NULL ? 0 : load_file(whole, loaded);
    unlock(&modules_lock);
    if (known != NULL || status != 0)
        free(whole);
    return status;
}

int32_t tw_load_linked(const struct tw_linked *symbols, struct tw_module **loaded)
{
    if (symbols == NULL || loaded == NULL)
        return fail_null("tw_load_linked", symbols == NULL ? "the symbols" : "the result");
    lock(&modules_lock);
    *loaded = loaded_module(NULL, symbols);
    int32_t status = 0;
    if (*loaded == NULL) {
        char *path = strdup("the linked model");
        status = path == NULL ? fail(MEMORY_ERROR, "no memory is left for a module")
                              : keep_module(&(struct tw_module){.path = path, .symbols = symbols},
                                    loaded);
        if (status != 0)
            free(path);
    }
    unlock(&modules_lock);
    return status;
}

void tw_unload(struct tw_module *module)
{
    if (module == NULL)
        return;
    lock(&modules_lock);
    if (--module->references == 0) {
        struct tw_module **at = &modules;
        while (*at != module)
            at = &(*at)->next;
        *at = module->next;
        close_module(module);
        free_params(module);
        free(module->path);
        free(module);
    }
    unlock(&modules_lock);
}

/* ---- verification ---------------------------------------------------------------------------- */

/* Return whether a digest is the hexadecimal text of a key of a manifest. */
static bool has_digest(struct sha256 *sha, const char *manifest, const char *key)
{
    uint8_t digest[32];
    char text[65], expected[sizeof text];
    const char *at = json_value(manifest, key);
    finish_digest(sha, digest);
    write_hex(text, digest);
    return next_name(&at, expected, sizeof expected) && strcmp(text, expected) == 0;
}

/* Compare the bytes that the build ID does not cover, section headers and weights in the library, with
 * their digest; see rest_digest in runtime/file/elf_reader.py. */
static const char *check_rest(const char *file, size_t bytes, const char *manifest)
{
    size_t at, end;
    const char *broken = check_image(file, bytes);
    if (broken != NULL || (broken = find_build_id(file, bytes, &at, &end)) != NULL)
        return broken;
    struct sha256 sha = NEW_DIGEST;
    digest_bytes(&sha, file, sizeof(struct elf_header));
    digest_bytes(&sha, file + end, bytes - end);
    return has_digest(&sha, manifest, "rest_sha256")
               ? NULL
               : "weights or section headers that differ from their digest";
}

static int32_t verify_weights(const struct tw_module *module)
{
    const char *text = json_value(module->manifest, "weights_bytes");
    size_t bytes = text == NULL ? 0 : (size_t)strtoull(text, NULL, 10);
    void *const *weights = symbol_of(module, "__tw_weights");
    struct sha256 sha = NEW_DIGEST;
    if (bytes == 0 || has_new_weights(module))
        return 0;
    if (weights == NULL || load_weights(module) != 0)
        return -1;
    digest_bytes(&sha, *weights, bytes);
    return has_digest(&sha, module->manifest, "weights_sha256")
               ? 0
               : fail_file(module->path, "weights that differ from their digest");
}

int32_t tw_verify(const struct tw_module *module)
{
    const char *data;
    size_t bytes;
    if (module == NULL)
        return fail_null("tw_verify", "the module");
    if (module->symbols != NULL)
        return verify_weights(module);
    if (map_file(module->path, &data, &bytes) != 0)
        return -1;
    const char *broken = check_rest(data, bytes, module->manifest);
    munmap((void *)(uintptr_t)data, bytes);
    return broken == NULL ? verify_weights(module) : fail_file(module->path, broken);
}

/* ---- functions of modules -------------------------------------------------------------------- */

/* The exported functions of a model that have other symbols than those of tvm-ffi. */
static const char *const OWN_FUNCTIONS[] = {
    "arena_bytes", "main_threads", "main_allocating", "session_allocating"};

/* Report a function that a module does not have; name the nearest one. */
static int32_t fail_missing(const struct tw_module *module, const char *name)
{
    char own[MAX_NAME + 1] = "", shapes[MAX_NAME + 32] = "";
    const char *at = json_value(module->manifest, "name");
    if (next_name(&at, own, sizeof own))
        append(shapes, sizeof shapes, append(shapes, sizeof shapes, 0, own), "_output_shapes");
    const char *known[] = {"main", "main_output_shapes", "arena_bytes", own, shapes};
    const char *nearest = known[0];
    for (size_t number = 1; number < sizeof known / sizeof *known; number++)
        if (*known[number] != 0 && distance(name, known[number]) < distance(name, nearest))
            nearest = known[number];
    return fail(KEY_ERROR, "%s has no function of this name\n  expected: main, "
        "main_output_shapes, arena_bytes or an exported function, such as %s\n  got: %s",
        module->path, nearest, name);
}

int32_t tw_module_find(
    const struct tw_module *module, const char *name, struct tw_function *found)
{
    if (module == NULL || name == NULL || found == NULL)
        return fail_null("tw_module_find", module == NULL ? "the module" : "the name or the result");
    const char *prefix = "__tvm_ffi_";
    for (size_t at = 0; at < sizeof OWN_FUNCTIONS / sizeof *OWN_FUNCTIONS; at++)
        if (strcmp(name, OWN_FUNCTIONS[at]) == 0)
            prefix = "__tw_";
    char symbol[256];
    size_t length = append(symbol, sizeof symbol, 0, prefix);
    append(symbol, sizeof symbol, length, name);
    /* The file names the function in errors: the text of the caller may not stay. */
    *found = (struct tw_function){module->path, NULL, NULL};
    *(void **)&found->call = symbol_of(module, symbol);
    if (found->call == NULL)
        return fail_missing(module, name);
    return 0;
}

const char *tw_manifest(const struct tw_module *module)
{
    return module == NULL ? NULL : module->manifest;
}

int32_t tw_set_threads(struct tw_module *module, int32_t threads)
{
    if (module == NULL)
        return fail_null("tw_set_threads", "the module");
    if (threads < 1 || threads > MAX_THREADS)
        return fail(VALUE_ERROR, "tw_set_threads: the number of threads is wrong\n  expected: 1 to "
            "64\n  got: %d", (int64_t)threads);
    int32_t *slot = symbol_of(module, "__tw_default_threads");
    if (slot == NULL)
        return fail_file(module->path, "a library without a number of threads");
    *slot = threads;
    return 0;
}

int32_t tw_set_pool(struct tw_module *module, tw_pool *pool)
{
    if (module == NULL)
        return fail_null("tw_set_pool", "the module");
    STORE_SLOT(module, "__tw_pool", tw_pool, pool == NULL ? __tw_pool_run : pool);
    return 0;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* The arguments of main; the output that holds computed sizes is none of the program. Arguments that
 * are states do not count as inputs and outputs of a session. */
struct arguments {
    const struct tw_spec *specs;
    int32_t inputs;
    int32_t outputs;
    int32_t has_sizes;
    const struct tw_state *states;
    int32_t state_count;
};

static int32_t arguments_of(const struct tw_module *module, struct arguments *found)
{
    const struct tw_spec *(*arguments)(int32_t *, int32_t *) = NULL;
    *(void **)&arguments = symbol_of(module, "__tw_arguments");
    const char *sizes = json_value(module->manifest, "sizes");
    if (arguments == NULL || sizes == NULL)
        return fail_file(module->path, "a library without a list of arguments");
    int32_t count;
    found->specs = arguments(&found->inputs, &count);
    found->has_sizes = atoi(sizes) > 0;
    found->outputs = count - found->inputs - found->has_sizes;
    found->states = NULL;
    found->state_count = 0;
    return 0;
}

int32_t tw_module_counts(const struct tw_module *module, int32_t *inputs, int32_t *outputs)
{
    struct arguments known;
    if (module == NULL || inputs == NULL || outputs == NULL)
        return fail_null("tw_module_counts", module == NULL ? "the module" : "a result");
    if (arguments_of(module, &known) != 0)
        return -1;
    *inputs = known.inputs;
    *outputs = known.outputs;
    return 0;
}

int32_t tw_module_argument(
    const struct tw_module *module, int32_t index, struct tw_argument *described)
{
    struct arguments known;
    if (module == NULL || described == NULL)
        return fail_null("tw_module_argument", module == NULL ? "the module" : "the result");
    if (arguments_of(module, &known) != 0)
        return -1;
    if (index < 0 || index >= known.inputs + known.outputs)
        return fail(VALUE_ERROR, "%s has no argument of this position\n  expected: 0 to %d\n  got: %d",
            module->path, (int64_t)known.inputs + known.outputs - 1, (int64_t)index);
    const struct tw_spec *spec = &known.specs[index];
    *described = (struct tw_argument){spec->name, spec->text, spec->dtype, spec->rank};
    return 0;
}

/* One run: its tensors; the session, or null; the computed sizes. */
struct run {
    const struct tw_module *module;
    struct arguments known;
    struct tw_tensor_object *const *inputs;
    struct tw_tensor_object **outputs;
    struct tw_function_object *session;
    struct tw_tensor_object *sizes;
};

static int32_t is_state(const struct arguments *known, int32_t output)
{
    for (int32_t at = 0; at < known->state_count; at++)
        if (known->states[at].output == output)
            return 1;
    return 0;
}

/* Make an output: a tw_allocate of entry.h. A session does not count the outputs that are states. */
static void *allocate_output(void *context, int32_t output, const int64_t *shape)
{
    struct run *run = context;
    const struct arguments *known = &run->known;
    int32_t position = -1; /* among all outputs */
    for (int32_t left = output; left >= 0; left -= !is_state(known, position))
        position++;
    const struct tw_spec *spec = &known->specs[known->inputs + position];
    struct tw_tensor_object *made = tw_tensor_new(spec->dtype, spec->rank, shape, TW_CPU, 0);
    *(position < known->outputs ? &run->outputs[output] : &run->sizes) = made;
    return made == NULL ? NULL : tw_data(made);
}

static int32_t check_counts(const struct tw_module *module, const struct arguments *known,
    int32_t input_count, int32_t output_count)
{
    int32_t inputs = known->inputs - known->state_count;
    int32_t outputs = known->outputs - known->state_count;
    if (input_count != inputs)
        return fail(TYPE_ERROR, "%s: wrong number of inputs\n  expected: %d\n  got: %d", module->path,
            (int64_t)inputs, (int64_t)input_count);
    if (output_count != outputs)
        return fail(TYPE_ERROR, "%s: wrong number of outputs\n  expected: %d\n  got: %d",
            module->path, (int64_t)outputs, (int64_t)output_count);
    return 0;
}

static struct tw_value of_session(struct tw_function_object *session)
{
    return (struct tw_value){TW_FUNCTION, 0, {.pointer = session}};
}

/* Call main, or a session, with a function that makes the outputs. */
static int32_t run_allocating(struct run *run, int32_t count)
{
    struct tw_function function;
    struct tw_value args[count + 3], result;
    void *(*allocate)(void *, int32_t, const int64_t *) = allocate_output;
    const int32_t *threads = symbol_of(run->module, "__tw_default_threads");
    const char *name = run->session == NULL ? "main_allocating" : "session_allocating";
    if (tw_module_find(run->module, name, &function) != 0)
        return -1;
    function.self = run->session;
    args[0] = tw_of_int(threads == NULL ? 1 : *threads);
    args[1] = (struct tw_value){TW_OPAQUE, 0, {0}};
    memcpy(&args[1].payload.pointer, &allocate, sizeof allocate);
    args[2] = (struct tw_value){TW_OPAQUE, 0, {.pointer = run}};
    for (int32_t at = 0; at < count; at++)
        args[3 + at] = tw_of_tensor(run->inputs[at]);
    return tw_call(&function, args, count + 3, &result);
}

/* Let the values of the inputs choose what runs, in a library with several programs. */
static int32_t choose_program(struct run *run, int32_t count)
{
    int32_t (*choose)(const struct tw_value *, int32_t, const struct tw_program **) = NULL;
    *(void **)&choose = symbol_of(run->module, "__tw_choose");
    if (choose == NULL)
        return 0;
    const struct tw_program *program;
    struct tw_value args[count + 1];
    for (int32_t at = 0; at < count; at++)
        args[at] = tw_of_tensor(run->inputs[at]);
    if (choose(args, count, &program) != 0)
        return -1;
    run->known.specs = program->specs;
    run->known.inputs = program->inputs;
    return 0;
}

/* Run a model whose arguments are known; after an error there are no outputs. */
static int32_t run_checked(struct run *run, int32_t input_count, int32_t output_count)
{
    if ((run->inputs == NULL && input_count > 0) || (run->outputs == NULL && output_count > 0))
        return fail_null(run->module->path, "a list of tensors");
    if (check_counts(run->module, &run->known, input_count, output_count) != 0)
        return -1;
    for (int32_t at = 0; at < output_count; at++)
        run->outputs[at] = NULL;
    if (choose_program(run, input_count) != 0)
        return -1;
    int32_t status = run_allocating(run, input_count);
    tw_release(run->sizes);
    for (int32_t at = 0; status != 0 && at < output_count; at++) {
        tw_release(run->outputs[at]);
        run->outputs[at] = NULL;
    }
    return status;
}

int32_t tw_module_run(const struct tw_module *module, struct tw_tensor_object *const *inputs,
    int32_t input_count, struct tw_tensor_object **outputs, int32_t output_count)
{
    struct run run = {.module = module, .inputs = inputs, .outputs = outputs};
    if (module == NULL)
        return fail_null("tw_module_run", "the module");
    return arguments_of(module, &run.known) != 0 ? -1 : run_checked(&run, input_count, output_count);
}

/* ---- sessions -------------------------------------------------------------------------------- */

/* Call a function of sessions; store the session that it makes. */
static int32_t call_session(const struct tw_module *module, const char *name,
    const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct tw_function function;
    if (tw_module_find(module, name, &function) != 0)
        return fail(VALUE_ERROR, "%s has no sessions\n  expected: a model that was compiled with state="
            "\n  got: a model without states", module->path);
    return tw_call(&function, args, count, result);
}

static int32_t check_session(const char *place, const struct tw_session *session)
{
    if (session != NULL && session->module != NULL && session->object != NULL)
        return 0;
    return fail_null(place, "the session");
}

static int32_t made_session(const struct tw_module *module, const char *name,
    const struct tw_value *args, int32_t count, struct tw_session *made)
{
    struct tw_value result;
    *made = (struct tw_session){NULL, NULL};
    if (call_session(module, name, args, count, &result) != 0)
        return -1;
    *made = (struct tw_session){module, result.payload.pointer};
    return 0;
}

int32_t tw_session_begin(const struct tw_module *module, struct tw_tensor_object *const *initial,
    int32_t count, struct tw_session *made)
{
    if (made == NULL)
        return fail_null("tw_session_begin", "the result");
    *made = (struct tw_session){NULL, NULL};
    if (module == NULL)
        return fail_null("tw_session_begin", "the module");
    if (count < 0)
        return fail(VALUE_ERROR, "tw_session_begin: the number of values is negative\n  expected: 0 "
            "or more\n  got: %d", (int64_t)count);
    struct tw_value args[count + 1];
    for (int32_t at = 0; initial != NULL && at < count; at++)
        args[at] = initial[at] != NULL ? tw_of_tensor(initial[at])
                                       : (struct tw_value){TW_NONE, 0, {0}};
    return made_session(module, "session", args, initial != NULL ? count : 0, made);
}

/* Store the arguments of the session's module, with its states. Before: the library has sessions. */
static int32_t session_arguments(const struct tw_session *session, struct arguments *known)
{
    const struct tw_state *(*states)(int32_t *) = NULL;
    *(void **)&states = symbol_of(session->module, "__tw_states");
    if (arguments_of(session->module, known) != 0)
        return -1;
    known->states = states(&known->state_count);
    return 0;
}

int32_t tw_session_counts(const struct tw_session *session, int32_t *inputs, int32_t *outputs)
{
    struct arguments known;
    if (check_session("tw_session_counts", session) != 0)
        return -1;
    if (inputs == NULL || outputs == NULL)
        return fail_null("tw_session_counts", "a result");
    if (session_arguments(session, &known) != 0)
        return -1;
    *inputs = known.inputs - known.state_count;
    *outputs = known.outputs - known.state_count;
    return 0;
}

int32_t tw_session_run(struct tw_session *session, struct tw_tensor_object *const *inputs,
    int32_t input_count, struct tw_tensor_object **outputs, int32_t output_count)
{
    if (check_session("tw_session_run", session) != 0)
        return -1;
    struct run run = {.module = session->module, .inputs = inputs, .outputs = outputs,
        .session = session->object};
    return session_arguments(session, &run.known) != 0
               ? -1
               : run_checked(&run, input_count, output_count);
}

int32_t tw_session_reset(struct tw_session *session)
{
    struct tw_value result;
    if (check_session("tw_session_reset", session) != 0)
        return -1;
    struct tw_value own = of_session(session->object);
    return call_session(session->module, "session_reset", &own, 1, &result);
}

int32_t tw_session_rewind(struct tw_session *session, int64_t count)
{
    struct tw_value result;
    if (check_session("tw_session_rewind", session) != 0)
        return -1;
    struct tw_value args[] = {of_session(session->object), tw_of_int(count)};
    return call_session(session->module, "session_rewind", args, 2, &result);
}

int32_t tw_session_fork(const struct tw_session *session, struct tw_session *made)
{
    if (made == NULL)
        return fail_null("tw_session_fork", "the result");
    struct tw_session given = {NULL, NULL};
    if (session != NULL)
        given = *session;
    *made = (struct tw_session){NULL, NULL};
    if (check_session("tw_session_fork", &given) != 0)
        return -1;
    struct tw_value own = of_session(given.object);
    return made_session(given.module, "session_fork", &own, 1, made);
}

int32_t tw_session_size(const struct tw_session *session, int32_t state, int64_t *size)
{
    struct tw_value result;
    if (check_session("tw_session_size", session) != 0)
        return -1;
    if (size == NULL)
        return fail_null("tw_session_size", "the result");
    struct tw_value args[] = {of_session(session->object), tw_of_int(state)};
    int32_t status = call_session(session->module, "session_size", args, 2, &result);
    *size = status == 0 ? result.payload.integer : 0;
    return status;
}

int32_t tw_session_state(
    const struct tw_session *session, int32_t state, struct tw_tensor_object *value)
{
    struct tw_value result;
    if (check_session("tw_session_state", session) != 0)
        return -1;
    struct tw_value args[] = {of_session(session->object), tw_of_int(state), tw_of_tensor(value)};
    return call_session(session->module, "session_state", args, 3, &result);
}

void tw_session_end(struct tw_session *session)
{
    if (session == NULL)
        return;
    tw_release(session->object);
    *session = (struct tw_session){NULL, NULL};
}

#include "params.c"

#endif
