"""Declarations and helper functions in C99 that the printed C of main uses, by name.

In: the names that main uses.  Out: their source, each after the names that it uses.  The layouts of
structs are those of runtime/native/packed.h and entry.h.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

PARTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "section": (
        """\
/* One of the calls that are launched together. */
struct tw_section {
    tw_kernel *kernel;
    void *args;
    int64_t tasks;
};""",
        (),
    ),
    "copy": (
        """\
static void tw_copy(
    unsigned char *restrict target, const unsigned char *restrict source, int64_t bytes)
{
    for (int64_t n = 0; n < bytes; n++)
        target[n] = source[n];
}""",
        (),
    ),
    "sum": (
        """\
/* Sums and products modulo 2**64; tw_derive reports those that do not fit. */
static int64_t sum(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }""",
        (),
    ),
    "product": (
        "static int64_t product(int64_t x, int64_t y) "
        "{ return (int64_t)((uint64_t)x * (uint64_t)y); }",
        (),
    ),
    "exceeds": (
        "static bool exceeds(int64_t x, int64_t most) { return x < -most || x > most; }",
        (),
    ),
    "smaller": ("static int64_t smaller(int64_t x, int64_t y) { return x < y ? x : y; }", ()),
    "larger": ("static int64_t larger(int64_t x, int64_t y) { return x < y ? y : x; }", ()),
    "floor_mod": (
        """\
static int64_t floor_mod(int64_t x, int64_t y)
{
    int64_t rest = x % y;
    return rest < 0 ? rest + y : rest;
}""",
        (),
    ),
    "floor_div": (
        "static int64_t floor_div(int64_t x, int64_t y) { return (x - floor_mod(x, y)) / y; }",
        ("floor_mod",),
    ),
    "product_overflows": (
        """\
static bool product_overflows(int64_t x, int64_t y)
{
    uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    uint64_t other = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;
    uint64_t most = (uint64_t)INT64_MAX + ((x < 0) != (y < 0));
    return size != 0 && other > most / size;
}""",
        (),
    ),
    "run_tasks": (
        """\
static void tw_run_tasks(tw_kernel *kernel, void *args, int64_t tasks)
{
    for (int64_t task = 0; task < tasks; task++)
        kernel(args, task, 0);
}""",
        (),
    ),
    "launch": (
        """\
typedef int32_t tw_pool(tw_kernel *kernel, void *args, int64_t tasks, int32_t threads);
extern tw_pool *__tw_pool; /* null: this thread runs all tasks */

static int32_t tw_launch(tw_kernel *kernel, void *args, int64_t tasks, int32_t threads)
{
    if (__tw_pool != NULL && threads > 1 && tasks > 1)
        return __tw_pool(kernel, args, tasks, threads);
    tw_run_tasks(kernel, args, tasks);
    return 0;
}""",
        ("run_tasks",),
    ),
    "section_task": (
        """\
/* Run one of the tasks of the calls in a table, which are numbered consecutively. */
static void tw_section_task(void *table, int64_t task, int64_t worker)
{
    struct tw_section *section = table;
    while (task >= section->tasks)
        task -= section++->tasks;
    section->kernel(section->args, task, worker);
}""",
        ("section",),
    ),
    "concat": (
        """\
/* Copy the rows of one operand. The table has the number of rows and the bytes between rows of the
 * result, then for each operand its offset in a row and its bytes per row. */
static void tw_concat_task(void *args, int64_t task, int64_t worker)
{
    unsigned char *const *addresses = args;
    const int64_t *table = (const int64_t *)(const void *)addresses[1];
    int64_t start = table[2 + 2 * task], bytes = table[3 + 2 * task];
    (void)worker;
    for (int64_t row = 0; row < table[0]; row++)
        tw_copy(addresses[0] + start + row * table[1], addresses[2 + task] + row * bytes, bytes);
}""",
        ("copy",),
    ),
    "check": (
        """\
struct tw_check {
    const char *place;
    const int64_t *shape;
    int64_t rank;
    int64_t elements;
    int64_t columns; /* numbers of bounds: consecutive elements have the bounds in turn */
    int64_t sign;    /* -1 if negative indices count from the end, else 0 */
};
int32_t tw_fail_index(
    const struct tw_check *check, int64_t position, int64_t got, int64_t low, int64_t high);""",
        (),
    ),
    **{
        f"check_i{bits}": (
            f"""\
static int32_t tw_check_i{bits}(
    const unsigned char *address, const struct tw_check *check, const int64_t *sizes)
{{
    const int{bits}_t *data = (const int{bits}_t *)(const void *)address;
    for (int64_t column = 0; column < check->columns; column++) {{
        const int64_t low = sizes[column] * check->sign, high = sizes[column] - 1;
        for (int64_t n = column; n < check->elements; n += check->columns)
            if (data[n] < low || data[n] > high)
                return tw_fail_index(check, n, data[n], low, high);
    }}
    return 0;
}}""",
            ("check",),
        )
        for bits in (32, 64)
    },
    "tensor": (
        """\
struct tw_tensor {
    void *data;
    int32_t device_type;
    int32_t device_id;
    int32_t rank;
    uint32_t dtype;
    const int64_t *shape;
    const int64_t *strides;
    uint64_t byte_offset;
};""",
        (),
    ),
    "extern": (
        """\
struct tw_value {
    int32_t type_index;
    uint32_t padding;
    union {
        int64_t integer;
        const void *pointer;
    } payload;
};
struct tw_object {
    uint64_t counts; /* strong in the low half, weak in the high half */
    int32_t type_index;
    uint32_t padding;
    void (*deleter)(void *self, int flags);
};
typedef int32_t tw_function(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result);
tw_function tw_missing_function;

/* Drop the result of a function, which may be a counted object. */
static void tw_drop(const struct tw_value *value)
{
    const uint64_t weak = (uint64_t)1 << 32;
    if (value->type_index < 64)
        return;
    struct tw_object *object = (struct tw_object *)value->payload.pointer;
    uint64_t before = __atomic_fetch_sub(&object->counts, 1, __ATOMIC_ACQ_REL);
    if ((before & (weak - 1)) != 1 || object->deleter == NULL)
        return;
    object->deleter(object, before == weak + 1 ? 3 : 1);
    if (before != weak + 1
        && __atomic_fetch_sub(&object->counts, weak, __ATOMIC_ACQ_REL) < 2 * weak)
        object->deleter(object, 2);
}

/* Call a function of the process; slot: its code and its handle. */
static int32_t tw_call(
    void *const *slot, const char *name, const struct tw_value *args, int32_t count)
{
    struct tw_value result = {0, 0, {0}};
    tw_function *function = NULL;
    /* C99 converts no data pointer to a function pointer, so copy the bits as POSIX suggests. */
    *(void **)&function = slot[0];
    int32_t status = function == NULL ? tw_missing_function((void *)name, args, count, &result)
                                      : function(slot[1], args, count, &result);
    tw_drop(&result);
    return status;
}""",
        (),
    ),
    "bind": ("unsigned char *tw_bind(unsigned char **data, int32_t stage, int64_t value);", ()),
    "trace": (
        """\
void __tw_trace_step(int64_t number, int64_t tasks, int64_t flops, int64_t bytes);
int32_t __tw_trace_launch(tw_kernel *kernel, void *args, int64_t tasks, int32_t threads);
int32_t __tw_trace_sections(tw_kernel *kernel, void *args, int64_t tasks, int32_t threads);""",
        (),
    ),
}
"""The text of each part, and the parts that it uses, which come first."""

HEAD = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One task of a kernel; args: the addresses of its arguments. */
typedef void tw_kernel(void *args, int64_t task, int64_t worker);"""


def parts_text(used: Collection[str]) -> list[str]:
    """Return the C source of helper functions and declarations, each after those that it uses.

    used: the names of the needed ones, which are keys of `PARTS`; the result also contains the
    helpers that these use.
    """
    wanted = {*used, *(name for part in used for name in PARTS[part][1])}
    return [text for name, (text, _) in PARTS.items() if name in wanted]
