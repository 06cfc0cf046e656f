/* The executors of a linked program: executor.c on the model that the tables of the export describe. */

#include "bindings.h"
#include "executor.h"

#include <stddef.h>

/* Only an object with several programs has it. Hidden, so that it is never that of a shared object. */
int32_t __tw_choose(const struct tw_value *args, int32_t count, const struct tw_program **chosen)
    __attribute__((weak)) TW_HIDDEN;

static void report(const char *kind, const char *message) { tw_fail(kind, message); }

static int32_t choose(const struct tw_value *inputs, int32_t count, const struct tw_spec **outputs)
{
    const struct tw_program *program;
    if (__tw_choose(inputs, count, &program) != 0)
        return -1;
    *outputs = program->specs + program->inputs;
    return 0;
}

struct tw_executor *__tw_create(void)
{
    struct tw_model model = {tw_name, tw_signature, tw_specs, NULL, NULL, &__tw_default_threads, NULL,
        __tw_main_allocating, NULL, __tw_choose == NULL ? NULL : choose, report, tw_inputs,
        tw_arguments, tw_outputs, 0};
    return tw_create_executor(&model);
}
