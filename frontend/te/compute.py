"""te.compute: every element of one or several tensors, as a function of its position."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.te.compute import ComputeOp
from ...support.diagnostics import TilewrightError, TypeMismatch
from .binding import current_binding, remade
from .expr import Axis, Scalar, Size, as_scalar
from .recording import ComputedPosition, IndexCheck, Recorder, recording, unique
from .tensor import Definition, Tensor, checked_name, constant, declared_shape, extents_of

_RESERVED = frozenset({"mod", "floordiv", "index", "pad", "clip", "layout"})
"""Keywords of the text form of index expressions; axes do not get these names."""


@remade
def compute(
    shape: int | Size | Sequence[int | Size], fcompute: Callable[..., Any], name: str = "compute"
) -> Any:
    """Return the tensor whose element at (i, j, …) is ``fcompute(i, j, …)``.

    If fcompute returns a tuple, return several tensors of one shape.  fcompute is called with an
    Axis per dimension, once, and again for the sizes of a call; its parameters name the axes.
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
        results = [_result(recorder, r) for r in (returned if is_tuple else (returned,))]
        if not results:
            raise recorder.error("its function gives nothing", expected="a value, or a tuple")
        rows = [(r.value, r.element_type) for r in results]
    if 0 in sizes:
        tensors = _without_elements(sizes, results, name)
    else:
        recorder.is_sample = _is_sample()
        op, places = recorder.finish(rows, name)
        _verify(op, where)
        tensors = _tensors(op, places, rows, axes, recorder)
    for tensor in tensors:
        tensor.sizes = sizes
    return tuple(tensors) if is_tuple else tensors[0]


def _is_sample() -> bool:
    """Return whether the current definition depends on sample sizes."""
    binding = current_binding()
    return binding is not None and binding.is_sample and bool(binding.names)


def _without_elements(
    sizes: Sequence[int | Size], results: Sequence[Scalar], name: str
) -> list[Tensor]:
    names = [name if len(results) == 1 else f"{name}.{n}" for n in range(len(results))]
    shape = extents_of(sizes)
    return [
        constant(np.empty(shape, numpy_dtype(result.element_type)), own)
        for result, own in zip(results, names, strict=True)
    ]


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
    checks = tuple(_index_checks(recorder, recorder.checked_positions(values), name))
    reduced = tuple(v.axis for v in recorder.reduced if isinstance(v.axis, Axis))
    read = dict.fromkeys(v for v in op.operands if v in recorder.sources)
    sources = (recorder.sources[v] for v in read)
    inputs = tuple(source for source in sources if isinstance(source, Tensor))
    definition = Definition(name, op, tuple(axes), reduced, inputs, checks=checks)
    tensors: list[Tensor] = []
    for number, (place, (_, element)) in enumerate(zip(places, results, strict=True)):
        own = name if len(results) == 1 else f"{name}.{number}"
        op.res[place].name_hint = own.replace(".", "_")
        tensors.append(Tensor(op.res[place], element, own, definition, number))
    return tensors


def _index_checks(
    recorder: Recorder, positions: Iterable[ComputedPosition], name: str
) -> Iterator[IndexCheck]:
    """Yield the checks of computed positions, on the tensor that holds them or a new compute."""
    for position in positions:
        source = recorder.source_of(position)
        if source is None and (op := recorder.positions_op(position, f"{name}.positions")):
            read = dict.fromkeys(v for v in op.operands if v in recorder.sources)
            inputs = [recorder.sources[v] for v in read]
            definition = Definition(op.label, op, inputs=tuple(cast("list[Tensor]", inputs)))
            source = Tensor(op.res[0], i64, op.label, definition, 0)
        if source is not None:
            yield IndexCheck(source, (position.size,), position.place)


def _verify(op: Operation, where: str) -> None:
    try:
        op.verify()
    except TilewrightError as err:
        raise err.placed(where) from err.__cause__


def _axes(fcompute: Callable[..., Any], sizes: Sequence[int | Size], where: str) -> list[Axis]:
    """Return an axis per dimension, named after the function's parameters."""
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
