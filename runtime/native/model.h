/* A model as the code of sessions sees it: the program that is linked with the code, or a module of a
 * host, such as Python. */

#ifndef TILEWRIGHT_MODEL_H
#define TILEWRIGHT_MODEL_H

#include "entry.h"

/* A state: an output that becomes an input of the next call. `axis` grows, at most to `capacity`; -1
 * for a state that is replaced. A call appends rows to a state with `appends`, whose growing axis is
 * the outermost in memory; `axis` is the one of the model. */
struct tw_state {
    int32_t input; /* positions among inputs and among outputs */
    int32_t output;
    int32_t axis;
    int32_t appends;
    int64_t capacity;
};

/* entry.h describes the parts; `specs` has the inputs, then all tensors that a call fills. Of the
 * expressions only the texts are read. `threads` is the number of threads of a call that names none.
 * The functions are called without a `self`. */
struct tw_model {
    const char *name;
    const struct tw_spec *specs;
    const struct tw_expression *expressions;
    const struct tw_state *states; /* in the order of the inputs */
    const int32_t *threads;
    tw_packed_function *run;            /* __tw_main_threads */
    tw_packed_function *run_allocating; /* __tw_main_allocating */
    tw_packed_function *output_shapes;  /* __tw_output_shapes */
    tw_report *report;
    int32_t inputs;
    int32_t arguments;
    int32_t state_count;
};

#endif
