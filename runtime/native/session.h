/* Sessions of an exported library: what the export adds, and the functions that a host calls. */

#ifndef TILEWRIGHT_SESSION_H
#define TILEWRIGHT_SESSION_H

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

/* The table that the export adds, in the order of the inputs. */
extern const struct tw_state tw_states[] TW_HIDDEN;
extern const int32_t tw_state_count TW_HIDDEN;

/* Return the states, and store their number. */
const struct tw_state *__tw_states(int32_t *count);

/* Return a new session, a function object. The arguments are the initial values of the states, each a
 * tensor or None, or nothing: values of zeros. A call of the session takes the inputs that are no
 * states, then the outputs that are no states. A session runs one call at a time. */
tw_packed_function __tvm_ffi_session;

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

/* Call a session with a tw_allocate and its context, as opaque pointers, then the inputs. */
tw_packed_function __tw_session_allocating;

#endif
