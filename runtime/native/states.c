/* The sessions of a linked program: session.c on the model that the tables of the export describe. */

#include "session.h"

#include <stddef.h>

static void report(const char *kind, const char *message) { tw_fail(kind, message); }

int32_t __tvm_ffi_session(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    struct tw_model model = {tw_name, tw_signature, tw_specs, tw_expressions, tw_states,
        &__tw_default_threads, __tw_main_threads, __tw_main_allocating, __tw_output_shapes, NULL, report,
        tw_inputs, tw_arguments, 0, tw_state_count};
    return tw_begin_session(&model, args, count, result);
}

const struct tw_state *__tw_states(int32_t *count)
{
    *count = tw_state_count;
    return tw_states;
}
