"""te.compute: define the elements of one or several tensors by a function of their position."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.index_syntax import INDEX
from ...dialects.loop import SizeOp
from ...dialects.shape import Dim, extent_of
from ...dialects.te.build import ComputeResult, position
from ...dialects.te.build import compute as compute_op
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import Scalars
from ...support.affine import variable
from ...support.diagnostics import TilewrightError, TypeMismatch
from .element_call import call_per_element, elements_of
from .expr import Axis, Scalar, Size, as_scalar
from .extern import PackedCall
from .recording import (
    ComputedPosition,
    RecordedIndexCheck,
    Recorder,
    UncertainRead,
    recording,
    unique,
)
from .tensor import Definition, Tensor, checked_name, declared_shape

_RESERVED = frozenset({"mod", "floordiv", "index", "pad", "clip", "layout"})
"""Keywords of printed index expressions, which cannot be names of axes."""


def compute(
    shape: int | Size | Sequence[int | Size], fcompute: Callable[..., Any], name: str = "compute"
) -> Any:
    """Return the tensor whose element at (i, j, …) is ``fcompute(i, j, …)``.

    fcompute is called once, with an Axis per dimension; the names of its parameters name the axes.
    If it returns a tuple, return several tensors of the same shape.  If it returns a
    te.call_packed, the packed function is called for each element at run time.
    name: the name of the compute, for messages and in the IR.
    Errors: TypeMismatch with the compute, the operand, and the expected and actual values.
    """
    where = f"te.compute @{name}"
    checked_name(name, where)
    sizes = declared_shape(shape, where)
    axes = _axes(fcompute, sizes, where)
    recorder = Recorder(where, [axis.variable for axis in axes])
    with recording(recorder):
        returned = fcompute(*axes)
        is_tuple = isinstance(returned, tuple | list)
        call = returned if isinstance(returned, PackedCall) else None
        given = returned if is_tuple else (returned,)
        given = given if call is None else elements_of(call, where)
        results = [_result(recorder, each) for each in given]
        if not results:
            raise recorder.error("its function gives nothing", expected="a value, or a tuple")
        rows = [(r.value, r.element_type) for r in results]
    op, places = recorder.finish(rows, name if call is None else f"{name}_arguments")
    _verify(op, where)
    tensors = _tensors(op, places, rows, axes, recorder)
    if call is not None:
        return call_per_element(call, sizes, tensors, name)
    return tuple(tensors) if is_tuple else tensors[0]


def _result(recorder: Recorder, value: object) -> Scalar:
    if value is None:
        raise recorder.error(
            "its function returns None", expected="a value, or a tuple of them", hint="return it"
        )
    return as_scalar(value)


def _tensors(
    op: ComputeOp,
    places: Sequence[int],
    results: Sequence[tuple[SSAValue, Attribute]],
    axes: Sequence[Axis],
    recorder: Recorder,
) -> list[Tensor]:
    name, values = op.label, [value for value, _ in results]
    checks = (
        *_index_checks(recorder, recorder.checked_positions(values), name),
        *(_size_check(read, axes, name) for read in recorder.uncertain),
    )
    reduced = tuple(v.axis for v in recorder.reduced if isinstance(v.axis, Axis))
    read = dict.fromkeys(v for v in op.operands if v in recorder.sources)
    sources = (recorder.sources[v] for v in read)
    inputs = tuple(source for source in sources if isinstance(source, Tensor))
    definition = Definition(name, op, tuple(axes), reduced, inputs, checks=checks)
    tensors: list[Tensor] = []
    for number, (place, (_, element)) in enumerate(zip(places, results, strict=True)):
        own = name if len(results) == 1 else f"{name}.{number}"
        op.res[place].name_hint = own.replace(".", "_")
        shape = [axis.extent for axis in axes]
        tensors.append(Tensor(op.res[place], element, own, definition, number, shape))
    return tensors


def _index_checks(
    recorder: Recorder, positions: Iterable[ComputedPosition], name: str
) -> Iterator[RecordedIndexCheck]:
    """Yield the bounds checks of positions that are computed from data.

    A check reads a tensor whose elements are the positions; if there is none, a new te.compute
    defines it.
    name: the name of the compute that reads at these positions.
    """
    for computed in positions:
        source = recorder.source_of(computed)
        if source is None and (op := recorder.positions_op(computed, f"{name}.positions")):
            read = dict.fromkeys(v for v in op.operands if v in recorder.sources)
            inputs = [recorder.sources[v] for v in read]
            definition = Definition(op.label, op, inputs=tuple(cast("list[Tensor]", inputs)))
            source = Tensor(op.res[0], i64, op.label, definition, 0)
        if source is not None:
            yield RecordedIndexCheck(source, (computed.size,), computed.place)


def _size_check(read: UncertainRead, axes: Sequence[Axis], name: str) -> RecordedIndexCheck:
    """Return the bounds check of a read whose positions depend on axes and sizes only.

    The check reads a new tensor, which contains the first and the last position. If the compute has
    no elements, both positions are 0 and the check succeeds, because nothing is read.
    axes: the axes of the compute.  name: the name of the compute.
    """
    count = Dim.const(1)
    for axis in (*(axis.variable for axis in axes), *read.reduced):
        count = count * Dim.of(axis.extent)
    some = count.min(1)
    ends = [variable(SizeOp(end * some).res) for end in (read.low, read.high)]

    def choose(s: Scalars, at: SSAValue, low: SSAValue, high: SSAValue) -> SSAValue:
        first = s.compare("eq", at, s.constant(0, INDEX))
        return s.cast(s.select(first, low, high), INDEX, i64)

    inputs = [position("i"), *map(position, ends)]
    op = compute_op(f"{name}.positions", {"i": 2}, inputs, [ComputeResult(("i",), i64)], choose)
    source = Tensor(op.res[0], i64, op.label, Definition(op.label, op), 0)
    return RecordedIndexCheck(source, (extent_of(read.size.max(1 - some)),), read.place)


def _verify(op: Operation, where: str) -> None:
    try:
        op.verify()
    except TilewrightError as err:
        raise err.placed(where) from err.__cause__


def _axes(fcompute: Callable[..., Any], sizes: Sequence[int | Size], where: str) -> list[Axis]:
    names = _parameter_names(fcompute, len(sizes), where)
    taken: list[str] = []
    for number, name in enumerate(names):
        plain = f"d{number}" if name.strip("_") == "" or name in _RESERVED else name
        taken.append(unique(plain, taken))
    return [Axis(name, size) for name, size in zip(taken, sizes, strict=True)]


def _parameter_names(fcompute: Callable[..., Any], rank: int, where: str) -> list[str]:
    if not callable(fcompute):
        raise TypeMismatch("it takes a function of the axes", got=repr(fcompute)).named(where)
    parameters = list(inspect.signature(fcompute).parameters.values())
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    required = sum(1 for p in plain if p.default is p.empty)
    if required > rank or (rest is None and len(plain) < rank):
        raise TypeMismatch(
            "its function does not take one axis per dimension",
            expected=rank,
            got=f"{len(plain)} parameters ({', '.join(p.name for p in plain)})",
        ).named(where)
    names = [p.name for p in plain[:rank]]
    if rest is not None:
        names += [f"{rest.name}{n}" for n in range(rank - len(names))]
    return names
