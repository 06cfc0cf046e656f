"""te.extern: tensors computed by a packed function of the process.

    C = te.extern((m, n), [A, B], lambda ins, outs: te.call_packed(
        "numpy.matmul", ins[0], ins[1], outs[0]), name="C")

The function is looked up by name when the module is loaded (``tilewright.register_func``).  It
receives views of the module's memory and fills the outputs.  The op becomes a packed.extern.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects.builtin import (
    FloatAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute

from ...dialects.packed import ExternOp
from ...dialects.shape import DimsAttr
from ...support.diagnostics import TypeMismatch
from .expr import Operand, Size, dtype_name, parse_dtype
from .tensor import Definition, Tensor, checked_name, declared_shape, type_of_shape


@dataclass(frozen=True)
class ExternBuffer:
    """A tensor argument of a packed function.

    number: the position of the tensor among the inputs and then the outputs of the te.extern.
    """

    number: int
    shape: tuple[int | Size, ...]
    dtype: str


Argument: TypeAlias = "ExternBuffer | Operand | bool | int | float | str"
"""An argument of a packed function; an Operand is a size or, in a te.compute, an element."""


@dataclass(frozen=True)
class PackedCall:
    """A call of a packed function, which runs when the module runs.

    function: the name of the function.  dtype: the data type of the results, if the call is the
    value of a te.compute.
    """

    function: str
    arguments: tuple[Any, ...]
    dtype: str | None = None


def call_packed(function: str, *arguments: Argument, dtype: str | None = None) -> PackedCall:
    """Return a call of a packed function with buffers, elements, numbers, sizes and strings.

    In a te.extern, the function takes the buffers of inputs and outputs, and fills the outputs. As
    the value of a te.compute, the function is called for each element, on the calling thread, for
    debugging; ``dtype`` is the dtype of the results (default: the dtype of the first element
    argument).
    Errors: TypeMismatch for any other argument.
    """
    for number, argument in enumerate(arguments):
        legal = ExternBuffer | Operand | bool | int | float | str
        if not isinstance(argument, legal):  # pyright: ignore
            raise TypeMismatch(
                f"te.call_packed {function}: argument {number} cannot be passed",
                expected="ins[i], outs[i], an element such as A[i], a number or a text",
                got=f"{argument!r} of type {type(argument).__name__}",
            )
    return PackedCall(function, arguments, dtype)


def is_element(argument: object) -> bool:
    """Return whether an argument has a value for each element of a te.compute."""
    return isinstance(argument, Operand) and not isinstance(argument, Size)


def extern(
    shape: int | Size | Sequence[int | Size] | Sequence[Sequence[int | Size]],
    inputs: Sequence[Tensor],
    fcompute: Callable[[Sequence[ExternBuffer], Sequence[ExternBuffer]], PackedCall],
    name: str = "extern",
    dtype: str | Sequence[str] | None = None,
) -> Any:
    """Return the tensor that a packed function fills; for a list of shapes, a tuple of tensors.

    fcompute: a Python function that takes the buffers of the inputs and of the outputs, and returns
    the te.call_packed with the arguments of the packed function.
    name: the name of the result.  dtype: the dtype of the output, or one per output; by default,
    the inputs' dtype, if they agree.
    Errors: TypeMismatch for inconsistent shapes and dtypes, or an fcompute that returns no call.
    """
    where = f"te.extern @{name}"
    checked_name(name, where)
    is_one = isinstance(shape, int | Size) or not any(isinstance(s, Sequence) for s in shape)
    given: Sequence[Any] = [shape] if is_one else list(shape)  # pyright: ignore[reportArgumentType]
    declared = [declared_shape(s, where) for s in given]
    dtypes = _output_dtypes(dtype, inputs, len(declared), where)
    elements = [parse_dtype(d) for d in dtypes]
    ins = [ExternBuffer(n, t.shape, t.dtype) for n, t in enumerate(inputs)]
    outs = [
        ExternBuffer(len(ins) + n, s, d)
        for n, (s, d) in enumerate(zip(declared, dtypes, strict=True))
    ]
    call = fcompute(ins, outs)
    if not isinstance(call, PackedCall):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeMismatch(
            "its function gives the call of a packed function",
            got=repr(call),
            hint='return te.call_packed("name", ins[0], outs[0])',
        ).named(where)
    if any(map(is_element, call.arguments)):
        raise TypeMismatch(
            "a te.extern passes whole tensors",
            expected="tensors, sizes, numbers and texts",
            got=f"an element to {call.function}",
            hint="pass ins[i] and outs[i], or call the function in a te.compute",
        ).named(where)
    op = ExternOp(
        call.function,
        [t.value for t in inputs],
        [_attribute(a) for a in call.arguments],
        [*(t.dtype for t in inputs), *(dtype_name(e) for e in elements)],
        [type_of_shape(e, s) for e, s in zip(elements, declared, strict=True)],
    )
    op.verify()
    definition = Definition(name, op, inputs=tuple(inputs))
    tensors: list[Tensor] = []
    for number, (result, element) in enumerate(zip(op.res, elements, strict=True)):
        own = name if is_one else f"{name}.{number}"
        result.name_hint = own.replace(".", "_")
        tensors.append(Tensor(result, element, own, definition, number, declared[number]))
    return tensors[0] if is_one else tuple(tensors)


def _output_dtypes(
    dtype: str | Sequence[str] | None, inputs: Sequence[Tensor], count: int, where: str
) -> list[str]:
    if dtype is None:
        known = {t.dtype for t in inputs}
        if len(known) != 1:
            raise TypeMismatch(
                "the dtype of the outputs does not follow from the inputs",
                got=", ".join(sorted(known)) or "no inputs",
                hint='pass it, as in dtype="float32"',
            ).named(where)
        return list(known) * count
    dtypes = [dtype] * count if isinstance(dtype, str) else list(dtype)
    if len(dtypes) != count:
        raise TypeMismatch("there is one dtype per shape", expected=count, got=dtypes).named(where)
    return dtypes


def _attribute(argument: Argument) -> Attribute:
    match argument:
        case Size():
            return DimsAttr((argument.dim,))
        case ExternBuffer():
            return IntAttr(argument.number)
        case bool():
            return IntegerAttr(int(argument), i1)
        case int():
            return IntegerAttr(argument, i64)
        case float():
            return FloatAttr(argument, f64)
        case Operand():
            raise AssertionError(f"an element is refused before: {argument!r}")
        case str():
            return StringAttr(argument)
