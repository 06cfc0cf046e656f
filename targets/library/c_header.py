"""The C header of an exported object: its names, and functions that build their arguments.

In: the manifest of a model, and a prefix of the names, so that a program can contain several
models.  Out: a header for C99 and C++ that needs no other file: it contains
runtime/native/packed.h.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import PurePath

from ...runtime.abi.constants import (
    DTYPES,
    SYMBOL_ARENA_BYTES,
    SYMBOL_CREATE,
    SYMBOL_DEFAULT_THREADS,
    SYMBOL_DESTROY,
    SYMBOL_EXTERNS,
    SYMBOL_GET_OUTPUT,
    SYMBOL_LAST_ERROR,
    SYMBOL_LINKED,
    SYMBOL_LOAD_WEIGHTS,
    SYMBOL_MAIN,
    SYMBOL_OUTPUT_SHAPES,
    SYMBOL_POOL,
    SYMBOL_POOL_RUN,
    SYMBOL_RELEASE,
    SYMBOL_RUN,
    SYMBOL_SESSION,
    SYMBOL_SESSION_FORK,
    SYMBOL_SESSION_RESET,
    SYMBOL_SESSION_REWIND,
    SYMBOL_SESSION_SHAPES,
    SYMBOL_SESSION_SIZE,
    SYMBOL_SESSION_STATE,
    SYMBOL_SET_INPUT,
)
from ...runtime.call.states import StatePair
from ...runtime.errors import ArgumentError
from ...runtime.file.manifest import Manifest

_NAMES = {
    SYMBOL_MAIN: "main",
    SYMBOL_OUTPUT_SHAPES: "output_shapes",
    SYMBOL_ARENA_BYTES: "arena_bytes",
    SYMBOL_LOAD_WEIGHTS: "load_weights",
    SYMBOL_RELEASE: "release",
    SYMBOL_LAST_ERROR: "last_error",
    SYMBOL_DEFAULT_THREADS: "threads",
    SYMBOL_POOL: "pool",
    SYMBOL_POOL_RUN: "pool_run",
    SYMBOL_CREATE: "create",
    SYMBOL_SET_INPUT: "set_input",
    SYMBOL_RUN: "run",
    SYMBOL_GET_OUTPUT: "get_output",
    SYMBOL_DESTROY: "destroy",
    SYMBOL_LINKED: "symbols",
}
_SESSION_NAMES = {
    SYMBOL_SESSION: "session",
    SYMBOL_SESSION_SHAPES: "session_output_shapes",
    SYMBOL_SESSION_RESET: "session_reset",
    SYMBOL_SESSION_REWIND: "session_rewind",
    SYMBOL_SESSION_FORK: "session_fork",
    SYMBOL_SESSION_SIZE: "session_size",
    SYMBOL_SESSION_STATE: "session_state",
}

_WEIGHTS = """
 * The program finds the weights in {file}, next to itself.
 *"""
_ACTUAL = """
 *
 * Data decides sizes of outputs: they have room for the largest ones, the elements are at their
 * start, and `sizes` receives the actual sizes. An executor does this itself."""
_PROGRAMS = """
 *
 * The values of inputs choose one of several programs. The rank of an argument that is -1 depends
 * on it: set the rank of the tensor, or use an executor, which also makes outputs of sizes that
 * data decides."""
_SHAPES = """
/* Store the sizes of all outputs, one after the other, for {guard}_INPUTS tensors. */
static inline int32_t {p}_shapes(const struct tw_tensor *inputs, int64_t *sizes)
{{
    int64_t shape[1] = {{{guard}_SIZES}};
    struct tw_tensor tensors[{guard}_INPUTS + 1];
    for (int32_t index = 0; index < {guard}_INPUTS; index++)
        tensors[index] = inputs[index];
    struct tw_tensor made = {{sizes, TW_CPU, 0, 1, {int64}, shape, 0, 0}};
    tensors[{guard}_INPUTS] = made;
    return {p}_apply({p}_output_shapes, tensors, {guard}_INPUTS + 1);
}}
"""
_EXTERNS = """
/* To fill before the first call: the code and the handle of each of {names}. */
extern void *{p}_externs[{count}];
"""
_SESSIONS = """
/* Sessions: runs of the model that remember its states, {names}. A session
 * runs one call at a time. */

enum {{
    {guard}_STATES = {states},
    {guard}_SESSION_INPUTS = {guard}_INPUTS - {guard}_STATES,
    {guard}_SESSION_ARGUMENTS = {guard}_ARGUMENTS - 2 * {guard}_STATES,
    {guard}_SESSION_SIZES = {sizes}
}};

/* Make a session. The arguments are the initial values of the states, or nothing: zeros. */
tw_packed_function {p}_session;

/* The first argument of these is a session. In parentheses the others:
 *
 *   session_output_shapes  compute the sizes of the outputs that are no states (inputs, sizes)
 *   session_reset          forget all calls
 *   session_rewind         forget the last positions of all growing states (int)
 *   session_fork           return a copy of the session
 *   session_size           return the size of the growing axis of a state (its position)
 *   session_state          copy the value of a state (its position, a tensor)
 */
tw_packed_function {p}_session_output_shapes;
tw_packed_function {p}_session_reset;
tw_packed_function {p}_session_rewind;
tw_packed_function {p}_session_fork;
tw_packed_function {p}_session_size;
tw_packed_function {p}_session_state;

/* Call a function on a session and perhaps a number; return the session that it makes, or null. */
static inline struct tw_function_object *{p}_apply_to_session(tw_packed_function *function,
    struct tw_function_object *session, const int64_t *number, int32_t *status)
{{
    struct tw_value values[2], result;
    values[0].type_index = TW_FUNCTION;
    values[0].padding = 0;
    values[0].payload.pointer = session;
    values[1].type_index = TW_INT;
    values[1].padding = 0;
    values[1].payload.integer = number != 0 ? *number : 0;
    result.type_index = 0;
    result.padding = 0;
    result.payload.integer = 0;
    *status = function(0, values, (session != 0) + (number != 0), &result);
    if (result.type_index != TW_FUNCTION)
        return 0;
    return (struct tw_function_object *)result.payload.pointer;
}}

/* Make a session whose states are zeros. Null is an error. */
static inline struct tw_function_object *{p}_begin(void)
{{
    int32_t status;
    return {p}_apply_to_session({p}_session, 0, 0, &status);
}}

/* Make a copy of a session that goes on from here. Null is an error. */
static inline struct tw_function_object *{p}_fork(struct tw_function_object *session)
{{
    int32_t status;
    return {p}_apply_to_session({p}_session_fork, session, 0, &status);
}}

static inline int32_t {p}_reset(struct tw_function_object *session)
{{
    int32_t status;
    (void){p}_apply_to_session({p}_session_reset, session, 0, &status);
    return status;
}}

static inline int32_t {p}_rewind(struct tw_function_object *session, int64_t count)
{{
    int32_t status;
    (void){p}_apply_to_session({p}_session_rewind, session, &count, &status);
    return status;
}}

/* End a session that no other code refers to. Null is allowed. */
static inline void {p}_end(struct tw_function_object *session)
{{
    if (session != 0)
        session->header.free.deleter(session, 3);
}}

/* Run the model on {guard}_SESSION_ARGUMENTS tensors: the arguments that are no states. */
static inline int32_t {p}_step(struct tw_function_object *session, struct tw_tensor *tensors)
{{
    struct tw_value values[{guard}_ARGUMENTS + 1], result;
    result.type_index = 0;
    result.padding = 0;
    result.payload.integer = 0;
    for (int32_t index = 0; index < {guard}_SESSION_ARGUMENTS; index++) {{
        values[index].type_index = TW_TENSOR_PTR;
        values[index].padding = 0;
        values[index].payload.pointer = &tensors[index];
    }}
    return session->call(session, values, {guard}_SESSION_ARGUMENTS, &result);
}}
"""
_TEXT = """\
/* {signature}
 *
 * The model in {file}. Link it with a program: cc app.c {file}
 * Arguments are tensors, the inputs first:
 *
{arguments}
 *{weights}
 * Functions return 0, or -1 and a message in {p}_last_error. Calls from several threads are safe.
 */

#ifndef {guard}_MODEL_H
#define {guard}_MODEL_H

{packed}
#ifdef __cplusplus
extern "C" {{
#endif

enum {{ {guard}_INPUTS = {inputs}, {guard}_ARGUMENTS = {count}, {guard}_SIZES = {sizes} }};

/* An executor: inputs and outputs in memory of its own. It runs one call at a time. */
struct {p}_executor;

/* Return an executor without inputs. Null is an error. */
struct {p}_executor *{p}_create(void);

/* Copy a tensor to an input, by its name. */
int32_t {p}_set_input(
    struct {p}_executor *executor, const char *name, const struct tw_tensor *tensor);

int32_t {p}_run(struct {p}_executor *executor);

/* Return output 0 to {last} of the last run, with its actual sizes; the next run overwrites it. It
 * is null after an error. */
const struct tw_tensor *{p}_get_output(const struct {p}_executor *executor, int32_t index);

void {p}_destroy(struct {p}_executor *executor);

/* Run the model; the arguments are {guard}_ARGUMENTS tensors. */
tw_packed_function {p}_main;

/* Compute the sizes of all outputs. The arguments are the inputs, and an int64 tensor of
 * {guard}_SIZES elements for the result. */
tw_packed_function {p}_output_shapes;

/* Compute the bytes of temporary memory; the arguments are the inputs. */
tw_packed_function {p}_arena_bytes;

/* Load the weights now, not in the first call. */
int32_t {p}_load_weights(void);

/* Free the memory that is kept between calls, and the weights. */
void {p}_release(void);

extern char {p}_last_error[1024];

/* For tw_load_linked of the C runtime (tilewright.h): the model as a module, whose parameters can
 * be replaced. */
extern const struct tw_linked {p}_symbols[];
{externs}
/* The number of threads of a call, and the worker pool that runs its loops: the model's own one, or
 * one of the program. */
extern int32_t {p}_threads;
extern tw_pool *{p}_pool;
tw_pool {p}_pool_run;

/* Use the threads of the model's own pool, at most {most}. */
static inline void {p}_use_threads(int32_t count)
{{
    {p}_pool = {p}_pool_run;
    {p}_threads = count;
}}

/* Return argument `index`, stored row by row without gaps. */
static inline struct tw_tensor {p}_tensor(int32_t index, const void *data, const int64_t *shape)
{{
    static const int32_t ranks[] = {{{ranks}}};
    static const uint32_t dtypes[] = {{{dtypes}}};
    struct tw_tensor made = {{(void *)data, TW_CPU, 0, ranks[index], dtypes[index], shape, 0, 0}};
    return made;
}}

/* Call a function of the model on tensors. */
static inline int32_t {p}_apply(
    tw_packed_function *function, struct tw_tensor *tensors, int32_t count)
{{
    struct tw_value values[{guard}_ARGUMENTS + 1], result;
    result.type_index = 0;
    result.padding = 0;
    result.payload.integer = 0;
    for (int32_t index = 0; index < count; index++) {{
        values[index].type_index = TW_TENSOR_PTR;
        values[index].padding = 0;
        values[index].payload.pointer = &tensors[index];
    }}
    return function(0, values, count, &result);
}}

/* Run the model on {guard}_ARGUMENTS tensors. */
static inline int32_t {p}_call(struct tw_tensor *tensors)
{{
    return {p}_apply({p}_main, tensors, {guard}_ARGUMENTS);
}}
{shapes}{sessions}
#ifdef __cplusplus
}}
#endif

#endif
"""


# Names such as timer_create belong to the C library of Linux: these and the next prefixes.
_C_LIBRARY = frozenset((
    "argz", "authdes", "authdes_pk", "authnone", "authunix", "backtrace", "clnt", "clntraw",
    "clnttcp", "clntudp", "clntunix", "cnd", "epoll", "gnu_get_libc", "memfd", "mtx", "obstack",
    "sem", "svc", "svcfd", "svcraw", "svctcp", "svcudp", "svcunix", "svcunixfd", "thrd", "timer",
    "timerfd", "tss", "va", "xdrmem", "xdrrec", "xdrstdio",
))  # fmt: skip
_C_LIBRARY_FAMILIES = ("pthread", "posix")
_OWN = "tw"


def c_prefix(file: str) -> str:
    """Return the prefix of the C names of an exported model, from the name of its file.

    Each C name is the prefix, an underscore and a word.  So no name is a keyword, and a name
    collides with one of the C library or of the runtime only if they use the prefix.

    Errors: ArgumentError for a prefix that the C library or the runtime uses, or that C reserves.
    """
    stem = PurePath(file).stem
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    if name.startswith("_") and not stem.startswith("_"):
        name = f"m{name}"
    if name[:1].isdigit():
        return f"_{name}"
    owner = ""
    if name.startswith("_"):
        owner = "the C compiler"
    elif name.lower().partition("_")[0] == _OWN:
        owner = "the runtime (tilewright.h)"
    elif name in _C_LIBRARY or name.partition("_")[0] in _C_LIBRARY_FAMILIES:
        owner = "the C library"
    if owner:
        raise ArgumentError(
            f"names that start with {name}_ belong to {owner}",
            expected="another name of the file, from which the names in C are made",
            got=file,
            hint=f"export to model_{name.strip('_')}{PurePath(file).suffix}",
        )
    return name


def c_names(prefix: str, manifest: Manifest, *, has_states: bool) -> Mapping[str, str]:
    """Return the C name of each symbol that the objects of a model define, by symbol.

    prefix: the prefix of all C names.  manifest: the description of the model.  has_states: whether
    the model has states, and so functions for sessions.
    """
    externs = {SYMBOL_EXTERNS: "externs"} if manifest.externs else {}
    names = {**_NAMES, **externs, **(_SESSION_NAMES if has_states else {})}
    return {symbol: f"{prefix}_{name}" for symbol, name in names.items()}


def c_header(
    prefix: str,
    file: str,
    manifest: Manifest,
    weights_file: str,
    states: Sequence[StatePair],
    ranks: Sequence[int] = (),
) -> str:
    """Return the C header of a model that is exported as an object or archive.

    prefix: the prefix of all names.  file: the name of the object.  weights_file: the name of the
    weights file; empty if the weights are in the object.  states: the states of the model.  ranks:
    the rank of each argument of several programs, -1 if it depends on the program; empty for one
    program.
    """
    specs = (*manifest.inputs, *manifest.filled)
    known = ranks or [len(spec.shape) for spec in specs]
    sizes = known[len(manifest.inputs) :]
    packed = files("tilewright.runtime").joinpath("native/packed.h")
    externs = ", ".join(map(_comment, manifest.externs))
    return _TEXT.format(
        p=prefix,
        guard=prefix.upper(),
        file=_comment(file),
        signature=_comment(manifest.signature),
        arguments="\n".join(
            f" *   {index}  {_comment(f'{spec.name}: {spec}')}" for index, spec in enumerate(specs)
        )
        + (_ACTUAL if manifest.sizes else "")
        + (_PROGRAMS if ranks else ""),
        weights=_WEIGHTS.format(file=_comment(weights_file)) if weights_file else "",
        packed=packed.read_text(encoding="utf-8"),
        externs=_EXTERNS.format(p=prefix, names=externs, count=2 * len(manifest.externs))
        if externs
        else "",
        inputs=len(manifest.inputs),
        last=len(manifest.outputs) - 1,
        count=len(specs),
        sizes=max(0, sum(sizes)),
        most=manifest.max_threads,
        ranks=", ".join(map(str, known)),
        dtypes=", ".join(str(_dtype_code(spec.dtype)) for spec in specs),
        shapes="" if -1 in sizes else _shapes(prefix),
        sessions=_sessions(prefix, manifest, states) if states else "",
    )


def _shapes(prefix: str) -> str:
    return _SHAPES.format(p=prefix, guard=prefix.upper(), int64=_dtype_code("int64"))


def _sessions(prefix: str, manifest: Manifest, states: Sequence[StatePair]) -> str:
    results = {state.result for state in states}
    kept = (spec for number, spec in enumerate(manifest.filled) if number not in results)
    return _SESSIONS.format(
        p=prefix,
        guard=prefix.upper(),
        names=", ".join(_comment(state.spec.name) for state in states),
        states=len(states),
        sizes=sum(len(spec.shape) for spec in kept),
    )


def _comment(text: str) -> str:
    """Return a text changed so that it cannot end a C comment."""
    return " ".join(text.replace("*/", "* /").split())


def _dtype_code(dtype: str) -> int:
    """Return the code of a dtype in `struct tw_tensor`."""
    code, bits = DTYPES[dtype]
    return code | bits << 8 | 1 << 16
