"""Attributes that record facts on a function's results: forms, data-dependent sizes, dtypes, names.

A result of a model may be a tensor, a sequence of tensors, or absent; the function has one result
per tensor. The attribute ``tw.result_forms`` lists the results of the function that form each
result of the model.

Below the graph level, a result with data-dependent sizes has the type of the largest possible
shape. The last result of the function contains the sizes; the attribute ``tw.result_dims`` gives,
for each other result and dimension, the element of the last result that is the size, or -1 if the
dimension is complete.

The attributes ``tw.arg_dtypes`` and ``tw.result_dtypes`` name the dtypes of arguments and results,
because below the graph level types have no signedness, and results become arguments of the
function.

The attribute ``tw.states`` lists the states of a session: the name of an input, and the name of the
result that becomes this input in the next call; ``tw.appends`` lists the states to which calls
append rows, and those that they overwrite: `Append`.

The attribute ``tw.name`` is the name of the module if it is not ``main``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute

from ..support.diagnostics import ModelError
from ..support.entry import find_entry
from .dtypes import numpy_dtype

ARG_DTYPES, RESULT_DTYPES = "tw.arg_dtypes", "tw.result_dtypes"
ARG_NAMES, RESULT_NAMES = "tw.arg_names", "tw.result_names"
APPENDS = "tw.appends"
STATES = "tw.states"
DIMS = "tw.result_dims"
FORMS = "tw.result_forms"
NAME = "tw.name"
SIZES_NAME = "sizes"
Form: TypeAlias = int | tuple[int, ...] | None
"""The function results that form one result of the model.

A number: one tensor.  Several numbers: a sequence of tensors.  None: the result is absent.
"""


def record_states(function: FuncOp, states: Mapping[str, str]) -> None:
    """Record the session states of a function; ``states`` maps input names to result names."""
    rows = [ArrayAttr([StringAttr(name) for name in pair]) for pair in states.items()]
    function.attributes[STATES] = ArrayAttr(rows)


def take_states(function: FuncOp) -> list[tuple[int, int]]:
    """Remove the recorded states of a function; return each as (index of input, index of result).

    Errors: ModelError for a state whose names the function does not have.
    """
    rows = cast("ArrayAttr[ArrayAttr[Attribute]]", function.attributes.pop(STATES, ArrayAttr([])))
    inputs, results = recorded_texts(function, ARG_NAMES), recorded_texts(function, RESULT_NAMES)
    found: list[tuple[int, int]] = []
    for row in rows.data:
        taken, made = map(text_of, row)
        if taken not in inputs or made not in results:
            raise ModelError(
                f"state {taken!r}: {made!r} is no input and output of the model",
                expected=f"one of {', '.join(inputs)}, and one of {', '.join(results)}",
                where=function.sym_name.data,
                hint="name an input and the output that replaces it",
            )
        found.append((inputs.index(taken), results.index(made)))
    return found


class Append(NamedTuple):
    """A state and the result that extends or replaces it; both may share memory in a call.

    argument, result: the indices of the state and of the result in the function's signature.
    axis: the axis of the model's tensors that is outermost in memory; -1 if the result replaces the
    state.
    """

    argument: int
    result: int
    axis: int


def record_appends(function: FuncOp, appends: Sequence[Append]) -> None:
    """Record which results of a function extend or replace states of a session.

    appends: one element per such state.
    """
    rows: list[Attribute] = [DenseArrayBase.from_list(i64, list(each)) for each in appends]
    function.attributes[APPENDS] = ArrayAttr(rows)


def recorded_appends(function: FuncOp) -> tuple[Append, ...]:
    """Return the records of results that extend or replace states of a session."""
    rows = cast("ArrayAttr[DenseArrayBase[Any]]", function.attributes.get(APPENDS, ArrayAttr([])))
    return tuple(Append(*map(int, row.get_values())) for row in rows)


def record_dtypes(function: FuncOp, attribute: str, elements: Sequence[Attribute]) -> None:
    """Record the dtypes of arguments or results, which types below the graph level do not show.

    attribute: ARG_DTYPES or RESULT_DTYPES.  elements: the element type of each argument or result.
    """
    names = [StringAttr(numpy_dtype(element).name) for element in elements]
    function.attributes[attribute] = ArrayAttr(names)


def record_entries(function: FuncOp, entries: Sequence[Sequence[int]]) -> None:
    """Record, for each result dimension, the element of the last result that holds its actual size.

    entries: per result except the last, one number per dimension: the index of the element, or -1
    if the dimension always has its largest size.
    """
    rows: list[Attribute] = [DenseArrayBase.from_list(i64, list(row)) for row in entries]
    function.attributes[DIMS] = ArrayAttr(rows)
    names = function.attributes.get(RESULT_NAMES)
    if isinstance(names, ArrayAttr):
        function.attributes[RESULT_NAMES] = ArrayAttr([*names.data, StringAttr(SIZES_NAME)])


def recorded_entries(function: FuncOp) -> list[tuple[int, ...]]:
    """Return, for each result dimension, the element of the last result that holds its actual size.

    There is one row per result except the last. An index is -1 if the dimension always has its
    largest size; the list is empty if nothing is recorded.
    """
    rows = cast("ArrayAttr[DenseArrayBase[Any]]", function.attributes.get(DIMS, ArrayAttr([])))
    return [tuple(int(entry) for entry in row.get_values()) for row in rows]


def record_forms(function: FuncOp, forms: Sequence[Form]) -> None:
    """Record which results of a function form each result of the model.

    forms: per result of the model, the number of a function result (a tensor), several numbers (a
    sequence of tensors), or None (an absent result).
    """
    function.attributes[FORMS] = ArrayAttr([_form_attribute(form) for form in forms])


def recorded_forms(function: FuncOp) -> tuple[Form, ...]:
    """Return, per result of the model, the numbers of the function results that form it.

    One number: a tensor.  A tuple: a sequence of tensors.  None: an absent result.  The list is
    empty if nothing is recorded: then each result of the model is one function result.
    """
    forms = cast("ArrayAttr[Attribute]", function.attributes.get(FORMS, ArrayAttr([])))
    return tuple(_form(attribute) for attribute in forms)


def record_name(function: FuncOp, name: str) -> None:
    """Record the name of the module of which a function is the entry."""
    function.attributes[NAME] = StringAttr(name)


def recorded_name(function: FuncOp) -> str:
    """Return the recorded name of the module of an entry function.

    By default the function's name.
    """
    name = function.attributes.get(NAME)
    return function.sym_name.data if name is None else text_of(name)


def record_names(module: ModuleOp) -> None:
    """Record the SSA names of the entry's arguments and results as their names.

    Nothing is recorded if an argument is no tensor. Names are recorded only if all of them differ;
    recorded names are not replaced.
    """
    function = find_entry(module)
    if function is None or function.is_declaration:
        return
    if not all(isinstance(type_, TensorType) for type_ in function.function_type.inputs):
        return
    returned = function.body.blocks[-1].last_op
    values = {
        ARG_NAMES: function.body.blocks[0].args,
        RESULT_NAMES: returned.operands if isinstance(returned, ReturnOp) else (),
    }
    for key, named in values.items():
        hints = [value.name_hint for value in named if value.name_hint]
        if key not in function.attributes and len({*hints}) == len(named):
            function.attributes[key] = ArrayAttr([StringAttr(hint) for hint in hints])


def recorded_texts(function: FuncOp, key: str) -> list[str]:
    """Return the strings of an attribute of a function, such as ``tw.arg_names``; [] if absent.

    Errors: ModelError if an element is not a string.
    """
    values = cast("ArrayAttr[Attribute]", function.attributes.get(key, ArrayAttr([])))
    try:
        return [text_of(value) for value in values]
    except ModelError as err:
        raise err.named(f"{key} of @{function.sym_name.data}") from None


def text_of(attribute: Attribute) -> str:
    """Return the string of an attribute; xDSL parses strings with non-ASCII characters as bytes.

    Errors: ModelError if the attribute is no UTF-8 string, or contains a NUL, which ends C strings.
    """
    text = attribute.data if isinstance(attribute, StringAttr) else None
    if isinstance(attribute, BytesAttr):
        with suppress(UnicodeDecodeError):
            text = attribute.data.decode()
    if text is None or "\0" in text:
        raise ModelError(
            "a name is not valid text",
            expected="UTF-8 without NUL",
            got=attribute,
            hint="rename the result",
        )
    return text


def _form_attribute(form: Form) -> Attribute:
    if isinstance(form, tuple):
        return DenseArrayBase.from_list(i64, list(form))
    return UnitAttr() if form is None else IntegerAttr(form, i64)


def _form(attribute: Attribute) -> Form:
    if isinstance(attribute, DenseArrayBase):
        return tuple(int(n) for n in cast("DenseArrayBase[Any]", attribute).get_values())
    return cast("IntegerAttr[Any]", attribute).value.data if attribute != UnitAttr() else None
