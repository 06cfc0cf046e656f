"""Apply the converters of the ONNX frontend to te tensors and to arrays of a traced function.

An operator that ONNX has too is defined once, by its converter in frontend/onnx/converters.  For
arrays of a trace, the converter appends its graph ops to the trace.  For te tensors, it appends
them to a block of its own, and each of them is lowered to te.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from ..dialects.graph import BindOp, CheckIndicesOp, ConstantOp, SizeOp
from ..dialects.shape import extent_of
from ..frontend.onnx.builder import Builder
from ..frontend.onnx.builder import Tensor as Value
from ..frontend.onnx.operators import append_operator
from ..frontend.te.compute import compute
from ..frontend.te.expr import const, size_of
from ..frontend.te.recording import RecordedIndexCheck
from ..frontend.te.tensor import Tensor, constant
from ..support.diagnostics import TilewrightError, TypeMismatch
from .arrays import Array, Trace, current_trace, user_line
from .table import graph_value, index_checks, lowered

Body: TypeAlias = Callable[[Builder, list[Any]], "Sequence[Value]"]
"""A function that appends graph ops to a builder; it maps operands to results."""


def converted(
    name: str,
    op_type: str,
    *inputs: Any,
    results: int = 1,
    domain: str = "",
    **attributes: Any,
) -> Any:
    """Return the result of an ONNX operator, or a tuple of several results.

    name: the name of the operator in ``ops``.  op_type, domain, attributes: the ONNX operator.
    inputs: tensors, arrays, numbers or None.  results: the number of results to return.
    Errors: TypeMismatch with the name of the operator for operands that do not fit.
    """

    def body(b: Builder, values: list[Any]) -> Sequence[Value]:
        return append_operator(
            b, op_type, values, attributes, outputs=results, domain=domain, place=f"ops.{name}"
        )

    return built(name, body, *inputs)


def built(name: str, body: Body, *inputs: Any) -> Any:
    """Return the result of ops that a function appends to a builder, or a tuple of several results.

    name: the name of the operator.  inputs: the operands of ``body``: tensors, arrays, numbers or
    None.
    Errors: as `converted`.
    """
    trace = current_trace()
    try:
        made = _computed(body, inputs, name) if trace is None else _traced(body, inputs, trace)
    except TilewrightError as err:
        line = "" if trace is None else f" at {user_line()}"
        raise err.placed(f"ops.{name}{line}") from err.__cause__
    return made[0] if len(made) == 1 else tuple(made)


class _TraceBuilder(Builder):
    """A builder that appends to the block of a trace, at the line of the user."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace.block)
        self._trace = trace

    def locate(self, name: str) -> None:
        super().locate(user_line())

    def data_symbol(self) -> str:
        return self._trace.data_symbol()


def _traced(body: Body, inputs: Sequence[Any], trace: Trace) -> list[Array]:
    def operand(value: Any) -> Value | None:
        if isinstance(value, Array):
            return Value.of_ssa(trace.local(value.value))
        return _known(value)

    b = _TraceBuilder(trace)
    b.locate("")
    return [Array(b.ssa(x)) for x in body(b, [operand(value) for value in inputs])]


def _computed(body: Body, inputs: Sequence[Any], name: str) -> list[Tensor]:
    given: dict[SSAValue, Tensor] = {}

    def operand(value: Any) -> Value | None:
        return Value.of_ssa(graph_value(value, given)) if isinstance(value, Tensor) else (
            _known(value)
        )  # fmt: skip

    b = Builder(Block())
    results = [b.ssa(x) for x in body(b, [operand(value) for value in inputs])]
    _lower(list(b.block.ops), given, name)
    return [given[value] for value in results]


def _known(value: Any) -> Value | None:
    if value is None:
        return None
    if not isinstance(value, np.ndarray | np.generic | bool | int | float | list | tuple):
        raise TypeMismatch("the operand is no tensor", got=f"{value!r}", hint="pass te tensors, "
                           "arrays of a traced function, or numpy arrays")  # fmt: skip
    return Value.of_array(np.asarray(cast("Any", value)))


def _lower(ops: Sequence[Operation], given: dict[SSAValue, Tensor], name: str) -> None:
    """Lower graph ops to te, and add the tensor of each result to ``given``."""
    checks: list[RecordedIndexCheck] = []
    wraps = False
    for op in ops:
        if isinstance(op, CheckIndicesOp):
            sizes = tuple(map(extent_of, op.sizes))
            wraps = wraps or op.wraps
            if not op.wraps:
                checks.append(RecordedIndexCheck(given[op.x], sizes, f"ops.{name}"))
        elif isinstance(op, ConstantOp):
            given[op.results[0]] = constant(op.value.array)
        elif isinstance(op, SizeOp):
            given[op.results[0]] = _sizes(op)
        else:
            results = _lowered(op, given, name)
            # Indices that count from the end are checked where they have become positions.
            checks += index_checks(name, op, given) if wraps else ()
            results[0].op.checks += tuple(checks)
            checks.clear()
            given.update(zip(op.results, results, strict=True))


def _lowered(op: Operation, given: Mapping[SSAValue, Tensor], name: str) -> Sequence[Tensor]:
    if isinstance(op, BindOp) or hasattr(op, "symbol"):
        raise TypeMismatch(
            "the size of the result depends on data",
            expected="an array of a traced function",
            got=", ".join(repr(given[x]) for x in op.operands),
            hint="call the operator in a tilewright.function",
        )
    return lowered(op, given, name)


def _sizes(op: SizeOp) -> Tensor:
    (dim,) = op.dims
    return compute((1,), lambda _: const(size_of(extent_of(dim)), "int64"), "size")
