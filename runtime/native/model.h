/* A model as the code of sessions and executors sees it: the program that is linked with the code, or a
 * module of a host, such as Python. */

#ifndef TILEWRIGHT_MODEL_H
#define TILEWRIGHT_MODEL_H

#include "entry.h"

/* A state: an output that becomes an input of the next call. `axis` grows, at most to `capacity`; -1
 * for a state that is replaced. With `appends`, the output is in the memory of the input: a call
 * appends rows to a growing state, whose growing axis is the outermost in memory (`axis` is the one of
 * the model), and overwrites another state. */
struct tw_state {
    int32_t input; /* positions among inputs and among outputs */
    int32_t output;
    int32_t axis;
    int32_t appends;
    int64_t capacity;
};

/* entry.h describes the parts; `specs` has the inputs, then all tensors that a call fills. Of the
 * expressions only the texts are read. `threads` is the number of threads of a call that names none.
 * The functions are called without a `self`. `choose`, if not null, stores the specs of the outputs of
 * the program that the values of all inputs choose; it returns 0 or -1. An executor reads neither
 * expressions nor states, and of the functions calls `run_allocating` and `choose` only. */
struct tw_model {
    const char *name;
    const char *signature;
    const struct tw_spec *specs;
    const struct tw_expression *expressions;
    const struct tw_state *states; /* in the order of the inputs */
    const int32_t *threads;
    tw_packed_function *run;            /* __tw_main_threads */
    tw_packed_function *run_allocating; /* __tw_main_allocating */
    tw_packed_function *output_shapes;  /* __tw_output_shapes */
    int32_t (*choose)(const struct tw_value *inputs, int32_t count, const struct tw_spec **outputs);
    tw_report *report;
    int32_t inputs;
    int32_t arguments;
    int32_t outputs; /* without the tensor of computed sizes */
    int32_t state_count;
};

/* Report an error whose text the arguments of snprintf make. Return -1. Before: a `model`, and a buffer
 * `message`. */
#define FAIL(kind, ...)                                                                            \
    (snprintf(message, sizeof message, __VA_ARGS__), model->report(kind, message), -1)

#endif
