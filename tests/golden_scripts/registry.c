/* Functions in C that a library registers when it is loaded. */

#include "tilewright.h"

/* Return the sum of two integers. */
static int32_t add(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    if (count != 2 || args[0].type_index != TW_INT || args[1].type_index != TW_INT) {
        tw_set_error("TypeError", "c.add takes two integers");
        return -1;
    }
    result->type_index = TW_INT;
    result->payload.integer = args[0].payload.integer + args[1].payload.integer;
    return 0;
}

/* Return what the function "my_custom_op" of Python returns. */
static int32_t call_python(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    struct tw_function found;
    (void)self;
    return tw_find("my_custom_op", &found) != 0 ? -1 : tw_call(&found, args, count, result);
}

__attribute__((constructor)) static void start(void)
{
    static const struct tw_function made[] = {
        {"c.add", add, NULL}, {"c.call_python", call_python, NULL}};
    (void)tw_register(&made[0], 0);
    (void)tw_register(&made[1], 0);
}
