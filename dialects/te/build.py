"""Builders of te ops on tensors: axes, reads, and scalar bodies as Python functions.

    compute(
        "matmul", {"m": 4, "n": 8, "k": 16},
        [read(a, m, k), read(b, k, n)], [Result(("m", "n"), f32, "add", 0.0)],
        lambda s, x, y: s.mul(x, y),
    )

Index expressions are ``support.affine.Index`` values, axis names, or integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import AffineMapAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...support.affine import Index, constant, variable
from ..shape import Dim, Extent, dims_of, tensor_type
from .body import YieldOp
from .compute import ComputeOp
from .role import Role
from .scalars import Scalars, scalar_attr
from .scatter import ScatterOp
from .sort import SortOp
from .view import STORE, Access, ComputeView, ScatterView

Position: TypeAlias = Index | str | int
"""An index expression, given as an Index, the name of an axis, or an integer constant."""

BodyFunction: TypeAlias = Callable[..., SSAValue | Sequence[SSAValue]]
"""A Python function that builds a region.

It takes a Scalars builder and one SSA value per region argument, and returns the values to yield.
"""


@dataclass(frozen=True)
class ComputeResult:
    """One result of a compute: its axes, element type and combiner.

    combiner: how the values of the body combine along the reduction axes; STORE for no reduction.
    init: the initial value of the reduction.  accumulator: the type in which the combiner works;
    the element type if None.  layout: the storage layout of the result.
    """

    axes: Sequence[str]
    element_type: Attribute
    combiner: str = STORE
    init: int | float | None = None
    accumulator: Attribute | None = None
    layout: AffineMapAttr | None = None

    @property
    def accumulator_type(self) -> Attribute:
        """The type of the values that the body yields for this result."""
        return self.element_type if self.accumulator is None else self.accumulator

    def access(self, extents: Mapping[str, Extent]) -> Access:
        """Return the write of the result by a compute.

        ``extents`` contains the extent of each axis.
        """
        type_ = tensor_type(self.element_type, [extents[a] for a in self.axes])
        init = None if self.init is None else scalar_attr(self.init, self.accumulator_type)
        return Access(
            None, [variable(a) for a in self.axes], combiner=self.combiner, init=init,
            result_type=type_, layout=self.layout,
        )  # fmt: skip


def as_index(position: Position | SSAValue) -> Index:
    """Return an index expression, the name of an axis, an index value or an integer as Index."""
    if isinstance(position, str | SSAValue):
        return variable(position)
    return constant(position) if isinstance(position, int) else position


def read(x: SSAValue, positions: Sequence[Position], pad: int | float | None = None) -> Access:
    """Return a read of ``x`` at these positions; ``pad`` is the value outside of ``x``."""
    assert isinstance(x.type, TensorType), f"not a tensor: {x.type}"
    value = None if pad is None else scalar_attr(pad, x.type.get_element_type())
    return Access(x, [as_index(p) for p in positions], pad=value)


def position(index: Position) -> Access:
    """Return an input that passes a position to the body as an index value."""
    return Access(None, [as_index(index)])


def whole(x: SSAValue) -> Access:
    """Return an input that passes a whole tensor to the body, for ``Scalars.at``."""
    return Access(x, None)


def make_region(argument_types: Sequence[Attribute], function: BodyFunction) -> Region:
    """Return a region built by a Python function, which maps region arguments to yielded values."""
    block = Block(arg_types=argument_types)
    made = function(Scalars(block), *block.args)
    block.add_op(YieldOp([made] if isinstance(made, SSAValue) else made))
    return Region(block)


def compute(
    name: str,
    axes: Mapping[str, Extent],
    inputs: Sequence[Access],
    results: Sequence[ComputeResult],
    body: BodyFunction,
    *,
    post: Sequence[Access] = (),
    then: BodyFunction | None = None,
    combine: BodyFunction | None = None,
    scan: str | None = None,
    role: Role | None = None,
) -> ComputeOp:
    """Return a te.compute on tensors.

    axes: the extent of each axis.  inputs: the reads whose values ``body`` takes.  combine: the
    combiner of results with the combiner ``by``.  scan: the axis along which all partial results
    are kept.  role: the purpose of the compute for passes.
    then: maps the combined values and the values of ``post``, further reads, to the results.
    Without ``then``, combined values are cast from the accumulator type to the element type if
    these differ.
    """
    combined = [r for r in results if r.combiner != STORE]
    accumulators = [r.accumulator_type for r in combined]
    finish = then or _cast_function(combined)
    post_types = [a.argument_type for a in post]
    folded = [r.accumulator_type for r in combined if r.combiner == "by"]
    view = ComputeView(
        name=name,
        axes=dict(axes),
        inputs=list(inputs),
        post=list(post),
        outputs=[r.access(axes) for r in results],
        body=make_region([a.argument_type for a in inputs], body),
        combine=make_region(folded * 2, combine) if combine else Region(),
        then=make_region([*accumulators, *post_types], finish) if finish else Region(),
        scan=scan,
        role=role,
    )
    return ComputeOp.from_view(view)


def scatter(
    name: str,
    axes: Mapping[str, Extent],
    base: SSAValue,
    inputs: Sequence[Access],
    body: BodyFunction,
    combine: BodyFunction | None = None,
    *,
    unique: bool = False,
) -> ScatterOp:
    """Return a te.scatter on tensors: a copy of ``base`` that is updated at computed positions.

    axes: the extent of each axis.  base: the tensor to update.  inputs: the reads whose values
    ``body`` takes.  body: returns one index per dimension of ``base``, followed by the value to
    write.
    combine: combines the current and the new value of an element. Without it, an element keeps the
    last value written to it, in row-major order of the points.  unique: no two points have the same
    position.
    """
    assert isinstance(base.type, TensorType), f"not a tensor: {base.type}"
    element = base.type.get_element_type()
    view = ScatterView(
        name=name,
        axes=dict(axes),
        inputs=list(inputs),
        post=[],
        outputs=[],
        body=make_region([a.argument_type for a in inputs], body),
        combine=make_region([element, element], combine) if combine else Region(),
        base=base,
        unique=unique,
    )
    return ScatterOp.from_view(view)


def sort(
    name: str,
    x: SSAValue,
    axis: int,
    *,
    descending: bool = False,
    count: Dim | int | None = None,
) -> SortOp:
    """Return a te.sort on tensors; its results are the sorted values, and their positions as i64.

    name: the name of the op.  count: the number of leading elements in the results; None for all.
    """
    assert isinstance(x.type, TensorType), f"not a tensor: {x.type}"
    dims = list(dims_of(x.type))
    dims[axis] = dims[axis] if count is None else Dim.of(count)
    results: list[Attribute] = [
        tensor_type(element, dims) for element in (x.type.get_element_type(), i64)
    ]
    return SortOp.make(name, x, axis, descending=descending, results=results)


def _cast_function(results: Sequence[ComputeResult]) -> BodyFunction | None:
    if all(r.accumulator_type == r.element_type for r in results):
        return None

    def narrow(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        return [
            s.cast(v, r.accumulator_type, r.element_type)
            for v, r in zip(values, results, strict=True)
        ]

    return narrow
