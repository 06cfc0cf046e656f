"""Make operators from the graph dialect: one per op class, with its type rule and te definition.

A call builds the graph op on values of the tensors' types, which infers the result types and
rejects invalid operands; its lowering appends te ops, whose results are the returned tensors.
Elementwise operators broadcast like numpy, and take Python numbers and arrays as operands.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects.dtypes import numpy_dtype
from ..dialects.equal_shapes import broadcast_dims
from ..dialects.graph import (
    ApplyOp,
    BindingOp,
    BindOp,
    BroadcastOp,
    CallOp,
    CheckIndicesOp,
    CheckpointOp,
    ClosureOp,
    ConstantOp,
    ConstructOp,
    CustomGradientOp,
    DataOp,
    DefinedOp,
    ElementwiseOp,
    GatherElementsOp,
    GatherNdOp,
    GatherOp,
    HoldOp,
    IfOp,
    LoopOp,
    MatchOp,
    NodeAtOp,
    NodeNumberOp,
    ReadOp,
    RefOp,
    ScanOp,
    ScatterElementsOp,
    ScatterNdOp,
    SelectOp,
    SizeOp,
    TableOp,
    WhileOp,
    WriteOp,
    YieldOp,
)
from ..dialects.graph import Size as GraphSize
from ..dialects.loop import SizeOp as LoopSizeOp
from ..dialects.shape import Dim, tensor_type, type_of
from ..dialects.te.build import ComputeResult, compute, read
from ..dialects.te.scalars import signless
from ..frontend.te.compute import compute as compute_tensor
from ..frontend.te.expr import Axis, Size, const, parse_dtype, size_of
from ..frontend.te.recording import RecordedIndexCheck
from ..frontend.te.tensor import Definition, Tensor, checked_name, constant, define_results
from ..lowering.graph_to_te.builder import TeBuilder, axis_names
from ..lowering.graph_to_te.convert import RULES, convert_op
from ..support.diagnostics import TilewrightError, TypeMismatch
from .arrays import Array, apply_to_arrays, current_trace

TensorLike: TypeAlias = Tensor | np.ndarray[Any, Any] | np.generic
"""A tensor, or an array that becomes a constant."""

Operand: TypeAlias = TensorLike | Size | float
"""An operand of an elementwise operator; numbers and sizes are converted to the tensors' dtype."""

Extent: TypeAlias = int | Size
"""A size of a result, or a position in an operand: an integer or a te size."""

_FUNCTIONS = (
    ApplyOp, CallOp, ClosureOp, ConstructOp, DataOp, MatchOp, NodeAtOp, NodeNumberOp, TableOp,
    ReadOp, RefOp, WriteOp,
)  # fmt: skip

EXCLUDED: Mapping[type, str] = {
    **dict.fromkeys(_FUNCTIONS, "functions and objects of Python"),
    CheckIndicesOp: "a check of the host's",
    CheckpointOp: "tilewright.checkpoint",
    CustomGradientOp: "tilewright.custom_vjp",
    HoldOp: "te tensors are not merged",
    BindOp: "sizes of te tensors are known",
    ConstantOp: "te.constant",
    DefinedOp: "te.compute",
    IfOp: "control flow of the host; te.if_then_else chooses values",
    LoopOp: "control flow of the host; te.scan is a recurrence",
    ScanOp: "te.scan",
    SizeOp: "sizes of te tensors are known",
    WhileOp: "control flow of the host; te.scan is a recurrence",
    YieldOp: "ends the regions of control flow",
}
"""Graph ops that are not available as operators, each with the alternative to use."""


@cache
def table() -> Mapping[str, type[Operation]]:
    """Return the op class of each operator that users can call, by the operator's Python name."""
    return {
        python_name(op.name.partition(".")[2]): op
        for op in cast("dict[type[Operation], object]", RULES)
        if op not in EXCLUDED and not issubclass(op, BindingOp)
    }


def python_name(mnemonic: str) -> str:
    """Return the Python name of the operator for a graph op; keywords of Python get a ``_``."""
    return f"{mnemonic}_" if keyword.iskeyword(mnemonic) else mnemonic


def names() -> list[str]:
    """Return the Python names of all operators that are graph ops."""
    return sorted(table())


@cache
def by_name(name: str) -> Callable[..., Any]:
    """Return the operator with a Python name.

    Errors: AttributeError for an unknown name.
    """
    op = table().get(name)
    if op is None:
        raise AttributeError(f"there is no operator {name!r}")
    return _operator(name, op)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Call the operator with a Python name."""
    return by_name(name)(*args, **kwargs)


def _operator(name: str, op_class: type[Operation]) -> Callable[..., Any]:
    hints = get_type_hints(op_class.__init__)
    signature = _signature(op_class, hints)

    def operator(*args: Any, name: str | None = None, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as err:
            raise TypeMismatch(
                f"ops.{operator.__name__}: {err}", expected=f"ops.{operator.__name__}{signature}"
            ) from None
        if current_trace() is not None:
            return _traced(op_class, hints, bound)
        return _applied(operator.__name__, op_class, hints, bound, name)

    operator.__name__ = operator.__qualname__ = name
    operator.__doc__ = inspect.cleandoc(op_class.__doc__ or "")
    operator.__module__ = "tilewright.ops"
    named = inspect.Parameter(
        "name", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None
    )
    results = len(op_class.get_irdl_definition().results)  # pyright: ignore
    operator.__signature__ = signature.replace(  # pyright: ignore[reportFunctionMemberAccess]
        parameters=[*signature.parameters.values(), named],
        return_annotation=Tensor if results == 1 else tuple[(Tensor,) * results],
    )
    return operator


def _signature(op_class: type[Operation], hints: Mapping[str, Any]) -> inspect.Signature:
    own = inspect.signature(op_class.__init__)
    parameters = [
        p.replace(annotation=_annotation(hints[p.name])) for p in list(own.parameters.values())[1:]
    ]
    return inspect.Signature(parameters)


def _annotation(hint: Any) -> Any:
    known: dict[Any, Any] = {SSAValue: Tensor, Attribute: str, NoneType: None, GraphSize: int}
    if hint in known:
        return known[hint]
    if get_origin(hint) in (Union, UnionType):
        made = [_annotation(part) for part in get_args(hint)]
        return Union[tuple(dict.fromkeys(made))]  # noqa: UP007 - of a computed list
    if get_origin(hint) is Sequence or get_args(hint) == (SSAValue,):
        return Sequence[tuple(_annotation(part) for part in get_args(hint))]
    return hint


def broadcasts(op_class: type[Operation]) -> bool:
    """Return whether the operator of an op class broadcasts its operands like numpy.

    The operands of such an operator may also be Python numbers.
    """
    return issubclass(op_class, ElementwiseOp | SelectOp)


def _traced(
    op_class: type[Operation], hints: Mapping[str, Any], arguments: Mapping[str, Any]
) -> Any:
    takes = {key: {hints[key], *_parts(hints[key])} for key in arguments}
    given = {key: _counted(arguments, key, value) for key, value in arguments.items()}
    return apply_to_arrays(op_class, given, takes, broadcasts=broadcasts(op_class))


def _parts(hint: Any) -> Iterator[Any]:
    for part in get_args(hint):
        yield part
        yield from _parts(part)


def _applied(
    name: str,
    op_class: type[Operation],
    hints: Mapping[str, Any],
    arguments: Mapping[str, Any],
    result_name: str | None,
) -> Any:
    values = {key: _counted(arguments, key, value) for key, value in arguments.items()}
    if broadcasts(op_class):
        values = _broadcast(name, values)
    given: dict[SSAValue, Tensor] = {}
    made: dict[str, Any] = {}
    for key, value in values.items():
        made[key] = _argument(name, key, value, hints[key], given)
    try:
        op = op_class(**made)
        results = lowered(op, given, result_name or name)
        results[0].op.checks += tuple(index_checks(name, op, given))
    except TilewrightError as err:
        # Name the operator; the op inside its te definition is an implementation detail.
        raise err.placed(f"ops.{name}") from err.__cause__
    return results[0] if len(results) == 1 else results


def index_checks(
    name: str, op: Operation, given: Mapping[SSAValue, Tensor]
) -> Iterator[RecordedIndexCheck]:
    """Yield the run-time check of the indices, if the op is a gather or scatter.

    name: the name of the operator, for messages.  given: the te tensor of each operand.
    """
    if isinstance(op, GatherOp | GatherElementsOp | GatherNdOp | ScatterElementsOp | ScatterNdOp):
        shape = given[op.x].extents
        if isinstance(op, GatherNdOp | ScatterNdOp):
            first = op.batch_dims if isinstance(op, GatherNdOp) else 0
            sizes = shape[first : first + _column_count(name, given[op.indices])]
        else:
            sizes = (shape[op.axis],)
        yield RecordedIndexCheck(given[op.indices], tuple(sizes), f"ops.{name}")


def _column_count(name: str, indices: Tensor) -> int:
    count = indices.extents[-1]
    if not isinstance(count, int):
        raise TypeMismatch(f"ops.{name}: the last size of indices is a number", got=repr(indices))
    return count


def _counted(arguments: Mapping[str, Any], key: str, value: Any) -> Any:
    """Convert axes to non-negative numbers; return other values unchanged.

    key: the name of the argument; ``axis`` and ``axes`` count the dimensions of ``x``, or of the
    first tensor of ``xs``.
    """
    x = arguments["x"] if "x" in arguments else next(iter(arguments.get("xs", ())), None)
    if not isinstance(x, Tensor | Array) or key not in ("axis", "axes"):
        return value
    if isinstance(value, int):
        return value + x.ndim if value < 0 else value
    return [each + x.ndim if each < 0 else each for each in value or ()]


def _argument(name: str, key: str, value: Any, hint: Any, given: dict[SSAValue, Tensor]) -> Any:
    takes = {hint, *get_args(hint)}
    if isinstance(value, Tensor):
        if SSAValue not in takes:
            raise TypeMismatch(f"ops.{name}: {key} is no tensor", got=repr(value))
        return graph_value(value, given)
    if SSAValue in takes and isinstance(value, np.ndarray | np.generic):
        return graph_value(constant(value), given)
    if isinstance(value, list | tuple) and any(isinstance(v, Tensor) for v in value):
        return [_argument(name, key, v, SSAValue, given) for v in value]
    if isinstance(value, Size):
        return value.dim
    if isinstance(value, list | tuple) and any(isinstance(v, Size) for v in value):
        return [v.dim if isinstance(v, Size) else v for v in value]
    if Attribute in takes and isinstance(value, str):
        return parse_dtype(value)
    if hint is SSAValue:
        raise TypeMismatch(
            f"ops.{name}: {key} is a te tensor",
            got=f"{value!r} of type {type(value).__name__}",
            hint="make one of an array with te.constant(array)",
        )
    return value


def graph_value(tensor: Tensor, given: dict[SSAValue, Tensor]) -> SSAValue:
    """Return a new value with the type of a te tensor, and add the tensor of the value to given."""
    value = Block(arg_types=[tensor_type(tensor.element_type, tensor.dims)]).args[0]
    given[value] = tensor
    return value


def lowered(op: Operation, given: Mapping[SSAValue, Tensor], name: str) -> tuple[Tensor, ...]:
    """Convert a graph op to te computes; return its results as te tensors.

    given: the te tensor of each operand.  name: the name of the result, or the prefix of the names
    of several results.
    Errors: UnsupportedOp if the op has no te definition for these operands.
    """
    checked_name(name, f"ops.{name}")
    op.verify()
    builder = TeBuilder(Block(), convert_op)
    builder.values = {value: tensor.value for value, tensor in given.items()}
    # Use all results, because lowerings omit unused results.
    user = ReturnOp(*op.results)
    convert_op(op, builder)
    user.drop_all_references()
    known = {tensor.value: tensor for tensor in given.values()}
    for made in list(builder.block.ops):
        made.detach()
        if not isinstance(made, LoopSizeOp):
            define_results(made, known)
    taken = {tensor.value for tensor in given.values()}
    results: list[Tensor] = []
    for number, result in enumerate(op.results):
        tensor, element = known[builder.value(result)], type_of(result).element_type
        own = name if len(op.results) == 1 else f"{name}.{number}"
        if tensor.value in taken:
            # Copy an operand returned as is, or a second use of a value: a tensor has one name.
            tensor = _copy(tensor, element, own)
        taken.add(tensor.value)
        tensor.value.name_hint = own.replace(".", "_")
        tensor.name, tensor.element_type = own, element
        results.append(tensor)
    return tuple(results)


def _copy(tensor: Tensor, element: Attribute, name: str) -> Tensor:
    axes = dict(zip(axis_names(tensor.ndim), tensor.extents, strict=True))
    result = ComputeResult(tuple(axes), signless(element))
    op = compute(name, axes, [read(tensor.value, tuple(axes))], [result], lambda _, x: x)
    definition = Definition(
        name, op, tuple(Axis(a, size_of(n)) for a, n in axes.items()), inputs=(tensor,)
    )
    return Tensor(op.res[0], element, name, definition, 0)


def _broadcast(name: str, operands: Mapping[str, Any]) -> dict[str, Any]:
    operand_names = [key for key in operands if key not in ("to", "saturate")]
    tensors = [operands[key] for key in operand_names if isinstance(operands[key], Tensor)]
    if not tensors:
        raise TypeMismatch(
            f"ops.{name} takes te tensors",
            got=", ".join(type(operands[key]).__name__ for key in operand_names),
            hint="make one of an array with te.constant(array)",
        )
    typed = next((t for t in tensors if "condition" not in operands or t.dtype != "bool"), None)
    dtype = np.dtype("bool") if typed is None else numpy_dtype(typed.element_type)
    made = dict(operands)
    for key in operand_names:
        if isinstance(made[key], bool | int | float):
            made[key] = constant(np.asarray(made[key], dtype))
        elif isinstance(made[key], Size):
            made[key] = _number(made[key], dtype.name)
        elif isinstance(made[key], np.ndarray | np.generic):
            made[key] = constant(np.asarray(made[key]))
        elif not isinstance(made[key], Tensor):
            raise TypeMismatch(
                f"ops.{name}: {key} is a te tensor, an array or a number",
                got=f"{made[key]!r} of type {type(made[key]).__name__}",
            )
    try:
        shape = reduce(broadcast_dims, (made[key].dims for key in operand_names))
    except TypeMismatch:
        raise TypeMismatch(
            f"ops.{name}: the operands' shapes do not broadcast",
            got=" and ".join(repr(made[key]) for key in operand_names),
        ) from None
    for key in operand_names:
        made[key] = _of_shape(made[key], shape)
    return made


def _number(size: Size, dtype: str) -> Tensor:
    return compute_tensor((), lambda: const(size, dtype), "size")


def _of_shape(tensor: Tensor, shape: tuple[Dim, ...]) -> Tensor:
    if tensor.dims == shape:
        return tensor
    given: dict[SSAValue, Tensor] = {}
    value = graph_value(tensor, given)
    axes = range(len(shape) - tensor.ndim, len(shape))
    return lowered(BroadcastOp(value, list(shape), list(axes)), given, "broadcast")[0]
