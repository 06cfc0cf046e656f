/* Functions in C, registered when the library is loaded, that call functions of Python. */

#include <string.h>

#include "tilewright.h"

/* Store x * factor + 1 in y; the arguments are x, y and perhaps a factor. */
static int32_t scale(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    const struct tw_tensor *x = args[0].payload.pointer, *y = args[1].payload.pointer;
    double factor = count > 2 ? args[2].payload.number : *(double *)self;
    (void)result;
    for (int64_t at = 0; at < x->shape[0]; at++)
        ((float *)y->data)[at] = (float)(((const float *)x->data)[at] * factor + 1);
    return 0;
}

/* Call the function of Python on all arguments, and return its result. */
static int32_t call_python(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct tw_function found;
    (void)self;
    if (tw_find("test.python", &found) != 0)
        return -1;
    return tw_call(&found, args, count, result);
}

/* Return whether the function of Python fails with a ZeroDivisionError. */
static int32_t expect_error(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    int32_t status = call_python(self, args, count, result);
    result->type_index = TW_INT;
    result->payload.integer = status != 0 && strcmp(tw_error_kind(), "ZeroDivisionError") == 0 &&
                              strstr(tw_error_message(), "by zero") != NULL;
    return 0;
}

/* Fail in C after an error of Python that is handled. */
static int32_t fail_again(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)call_python(self, args, count, result);
    tw_clear_error();
    tw_set_error("IndexError", "another reason");
    return -1;
}

static int32_t fail(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self, (void)args, (void)count, (void)result;
    tw_set_error("ValueError", "the reason\n  expected: 1\n  got: 2");
    return -1;
}

static int32_t later(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    static const struct tw_function made = {"c.later", fail, NULL};
    (void)self, (void)args, (void)result;
    return tw_register(&made, count);
}

__attribute__((constructor)) static void start(void)
{
    static double two = 2;
    static const struct tw_function made[] = {{"c.scale", scale, &two},
        {"c.call_python", call_python, NULL}, {"c.expect_error", expect_error, NULL},
        {"c.fail", fail, NULL},
        {"c.fail_again", fail_again, NULL}, {"c.register", later, NULL}};
    for (size_t at = 0; at < sizeof made / sizeof *made; at++)
        (void)tw_register(&made[at], 0);
}
