"""The builder of all graph-to-te lowerings: it maps operands to te values and appends computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import OpTrait

from ...dialects import packed
from ...dialects.dtypes import numpy_dtype
from ...dialects.loop import SizeOp
from ...dialects.shape import (
    Dim,
    Extent,
    Tensor,
    dims_of,
    extent_of,
    static_shape,
    tensor_type,
    type_of,
)
from ...dialects.te.build import BodyFunction, ComputeResult, compute
from ...dialects.te.role import Role
from ...dialects.te.scalars import Scalars, signless
from ...dialects.te.view import Access
from ...dialects.weights import WeightAttr
from ...support.affine import Index, constant, variable
from ...support.diagnostics import SymbolicSize
from .data.data_sizes import DataSizes

Lowered: TypeAlias = SSAValue | Sequence[SSAValue]
Rule: TypeAlias = Callable[[Any, "TeBuilder"], Lowered]
"""A lowering: takes a graph op and returns one te value per result."""


@dataclass(frozen=True)
class LoweredBy(OpTrait):
    """A trait that gives an op the function that lowers it, for ops of other packages.

    rule: the function that lowers the op.  The built-in graph ops need no trait: the table
    ``RULES`` has their functions.
    """

    rule: Rule


_AXES = {1: ("i",), 2: ("i", "j"), 3: ("b", "i", "j"), 4: ("n", "c", "h", "w")}


class TeBuilder:
    """A builder that lowers graph ops and appends the resulting te ops to a block.

    block: the block of te ops.
    translate: the function that lowers one graph op and appends the result to a given builder; it
    is needed to lower the regions of an op.
    values: maps each graph value that is already lowered to its te value.
    data: the sizes that depend on data, in the function under translation.
    """

    def __init__(
        self,
        block: Block,
        translate: Callable[[Operation, TeBuilder], None] | None = None,
        values: dict[SSAValue, SSAValue] | None = None,
        data: DataSizes | None = None,
    ) -> None:
        self.block, self._translate = block, translate
        self.values: dict[SSAValue, SSAValue] = {} if values is None else values
        self.data = DataSizes() if data is None else data
        self._location: Any = None

    def at(self, source: Operation) -> None:
        """Set the location of the ops that are appended from now on to the location of ``source``.

        source: the graph op that is lowered next.
        """
        self._location = source.location

    def value(self, x: SSAValue) -> SSAValue:
        """Return the te value to which a graph value was lowered."""
        return self.values[x]

    def region(self, source: Block, arguments: Sequence[SSAValue], target: Block) -> Region:
        """Lower the ops of block ``source`` into the block ``target``; return its region.

        arguments: the te values for the block arguments of ``source``.
        """
        assert self._translate is not None, "the builder translates no regions"
        inner = TeBuilder(target, self._translate, self.values, self.data)
        for argument, value in zip(source.args, arguments, strict=True):
            value.name_hint = value.name_hint or argument.name_hint
            self.values[argument] = value
        for op in source.ops:
            self._translate(op, inner)
        return Region(target)

    def inlined(self, source: Block, arguments: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Lower the ops of block ``source`` into the current block, except its terminator.

        arguments: the te values for the block arguments of ``source``.
        Returns the te values of the terminator's operands.
        """
        assert self._translate is not None, "the builder translates no regions"
        self.values.update(zip(source.args, arguments, strict=True))
        *ops, last = source.ops
        for op in ops:
            self._translate(op, self)
        return [self.value(operand) for operand in last.operands]

    def append(self, op: Operation) -> Operation:
        """Append an op at the current location; return the op."""
        op.location = self._location
        self.block.add_op(op)
        return op

    def computes(
        self,
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
    ) -> Sequence[SSAValue]:
        """Append a te.compute; return its results.

        axes: the extent of each axis, by name.  inputs: the reads whose elements ``body`` takes.
        results: the axes, element type and combiner of each result.
        post: further reads, whose elements the region ``then`` takes.  then: maps the combined
        value of a reduction, and the elements of ``post``, to the stored element.
        combine: the function that combines two values in a reduction, for results whose combiner is
        ``by``.  scan: the axis along which all partial results are stored; None for no scan.
        role: a property of the compute that passes may use, such as that it is a concat.
        """
        op = compute(
            name,
            axes,
            inputs,
            results,
            body,
            post=post,
            then=then,
            combine=combine,
            scan=scan,
            role=role,
        )
        return self.append(op).results

    def compute(
        self,
        name: str,
        axes: Mapping[str, Extent],
        inputs: Sequence[Access],
        result: ComputeResult,
        body: BodyFunction,
        *,
        post: Sequence[Access] = (),
        then: BodyFunction | None = None,
        scan: str | None = None,
        role: Role | None = None,
    ) -> SSAValue:
        """Append a te.compute with one result; return the result.

        See `computes` for the parameters.
        """
        return self.computes(
            name, axes, inputs, [result], body, post=post, then=then, scan=scan, role=role
        )[0]

    def pointwise(
        self,
        name: str,
        axes: Mapping[str, Extent],
        inputs: Sequence[Access],
        element: Attribute,
        body: BodyFunction,
    ) -> SSAValue:
        """Append a te.compute without a reduction, which stores one element per point of its axes.

        Returns its result.
        inputs: the reads whose elements ``body`` takes.
        element: the element type of the result; te ignores its signedness.
        """
        return self.compute(name, axes, inputs, ComputeResult(tuple(axes), signless(element)), body)

    def constant(self, value: np.ndarray[Any, Any] | WeightAttr) -> SSAValue:
        """Append a constant; return its value.  Integers keep their bits and become signless."""
        weight = value if isinstance(value, WeightAttr) else WeightAttr.of(value)
        dtype = numpy_dtype(signless(weight.type.element_type))
        if dtype != weight.stored.dtype:
            weight = WeightAttr.derived("bits", [weight], dtype.name)
        return self.append(packed.ConstantOp(weight, weight.type)).results[0]

    def bind(self, symbol: str, count: SSAValue) -> None:
        """Define a symbolic size at run time: the only element of the tensor ``count``.

        count: a tensor<1xi64>.
        In main, this appends a packed.bind.  In a region of control flow, where sizes cannot be
        bound, the builder records the tensor, and later ops that need the size read the tensor.
        """
        if symbol in self.data.largest:
            self.data.counts[symbol] = count
        else:
            self.append(packed.BindOp(count, [symbol]))

    def size(self, size: Dim | int) -> Index:
        """Return a size as an index expression.

        A static size becomes a constant.  For a symbolic size, a loop.size is appended, whose
        result is the expression.
        """
        extent = extent_of(size)
        if isinstance(extent, int):
            return constant(extent)
        return variable(self.append(SizeOp(extent)).results[0])

    def full(self, type_: Tensor, number: int | float) -> SSAValue:
        """Append a tensor of a graph type in which all elements are ``number``; return it."""
        element, shape = signless(type_.element_type), type_.get_shape()
        if DYNAMIC_INDEX not in shape and not prod(shape):
            return self.constant(np.zeros(shape, numpy_dtype(element)))
        if 0 in shape:
            nothing = self.constant(np.zeros(0, numpy_dtype(element)))
            return self.append(packed.ViewOp(nothing, te_type(type_))).results[0]
        axes = named_axes(dims_of(type_))

        def body(s: Scalars) -> SSAValue:
            return s.constant(number, element)

        return self.pointwise("full", axes, [], element, body)


def axis_names(rank: int) -> tuple[str, ...]:
    """Return the default axis names for a tensor of a rank."""
    return _AXES.get(rank) or tuple(f"d{n}" for n in range(rank))


def axes_of(x: SSAValue) -> dict[str, Extent]:
    """Return the extents of a graph value's dimensions, by the default axis names."""
    return named_axes(dims_of(type_of(x)))


def named_axes(dims: Sequence[Dim]) -> dict[str, Extent]:
    """Return the extents of dimensions, by the default axis names."""
    return dict(zip(axis_names(len(dims)), map(extent_of, dims), strict=True))


def sizes_of(x: SSAValue) -> tuple[Extent, ...]:
    """Return the sizes of a graph or te value: integers, or Dim for symbolic sizes."""
    return tuple(map(extent_of, dims_of(type_of(x))))


def numbers_of(sizes: Sequence[Extent], what: str) -> tuple[int, ...]:
    """Return sizes as integers, for a lowering that does not support symbolic ones.

    what: the name of the sizes in the error.
    Errors: SymbolicSize for a symbolic size.
    """
    for size in sizes:
        if not isinstance(size, int):
            raise SymbolicSize(
                f"the {what} are known only at run time",
                expected="integers",
                got=size,
                hint="give these sizes of the inputs, e.g. shapes={...}",
            )
    return tuple(size for size in sizes if isinstance(size, int))


def static_axes_of(x: SSAValue) -> dict[str, int]:
    """Return the extents of a graph value's dimensions, by the default axis names.

    All extents must be integers.
    Errors: TypeMismatch that names the symbol of a symbolic size.
    """
    shape = shape_of(x)
    return dict(zip(axis_names(len(shape)), shape, strict=True))


def shape_of(x: SSAValue) -> tuple[int, ...]:
    """Return the sizes of a graph value, which must be integers.

    Errors: TypeMismatch that names the symbol of a symbolic size.
    """
    return static_shape(type_of(x))


def element_of(x: SSAValue) -> Attribute:
    """Return the element type of a graph value, in which integers are signed or unsigned."""
    return type_of(x).element_type


def is_empty(x: SSAValue) -> bool:
    """Return whether a graph value has no elements."""
    return any(dim.value == 0 for dim in dims_of(type_of(x)))


def te_type(x: Attribute) -> TensorType[Any]:
    """Return the te type of a graph tensor type, in which integers are signless."""
    assert isinstance(x, TensorType), f"not a tensor: {x}"
    return tensor_type(signless(x.get_element_type()), dims_of(x))
