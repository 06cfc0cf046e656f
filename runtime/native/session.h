/* Sessions: the functions that a host of an exported library calls, and those of a host with a model. */

#ifndef TILEWRIGHT_SESSION_H
#define TILEWRIGHT_SESSION_H

#include "model.h"

/* ---- a linked program with states: states.c and the tables of the export --------------------- */

/* The table that the export adds, in the order of the inputs. */
extern const struct tw_state tw_states[] TW_HIDDEN;
extern const int32_t tw_state_count TW_HIDDEN;

/* Return the states, and store their number. */
const struct tw_state *__tw_states(int32_t *count);

/* Return a new session, a function object. The arguments are the initial values of the states, each a
 * tensor or None, or nothing: values of zeros. Behind them may be the present values of all states of
 * another session, which the new one continues. A call of the session takes the inputs that are no
 * states, then the outputs that are no states. A session runs one call at a time. */
tw_packed_function __tvm_ffi_session;

/* ---- sessions -------------------------------------------------------------------------------- */

/* The same for the model `self`, a tw_model, which a session copies. What the model points at must
 * outlive the session. */
tw_packed_function tw_begin_session TW_HIDDEN;

/* The first argument of the others is a session. */

/* Then the inputs, and an int64 tensor that receives the sizes of all outputs that are no states. */
tw_packed_function __tvm_ffi_session_output_shapes;

/* Forget all calls: the next one starts from the initial values. */
tw_packed_function __tvm_ffi_session_reset;

/* Then a count: forget the last positions of all growing states. */
tw_packed_function __tvm_ffi_session_rewind;

/* Return a new session with a copy of the states. */
tw_packed_function __tvm_ffi_session_fork;

/* Then the position of a state: return the size of its growing axis. */
tw_packed_function __tvm_ffi_session_size;

/* Then the position of a state, and a tensor that receives its value. */
tw_packed_function __tvm_ffi_session_state;

/* Call the session `self` with the number of threads, a tw_allocate and its context, as opaque pointers,
 * then the inputs. The outputs that are no states have the numbers 0, 1, … */
tw_packed_function __tw_session_allocating;

/* The functions for a host that has no linked program, such as Python, in this order. The first
 * three after `begin`, and `largest_inputs`, have the session as `self`. */
struct tw_session_functions {
    tw_packed_function *begin;
    tw_packed_function *call;
    tw_packed_function *call_threads;    /* the number of threads, then as `call` */
    tw_packed_function *call_allocating; /* __tw_session_allocating */
    tw_packed_function *largest_inputs;  /* the inputs; an int64 tensor for the sizes of all inputs of the
                                            model in the largest call */
    tw_packed_function *reset;
    tw_packed_function *rewind;
    tw_packed_function *fork;
    tw_packed_function *size;
    tw_packed_function *shape; /* the position of a state, an int64 tensor for the sizes of its value */
    tw_packed_function *state;
};

extern const struct tw_session_functions __tw_session_functions;

#endif
