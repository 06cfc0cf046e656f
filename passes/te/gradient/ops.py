"""The ops of a gradient in program order, with helpers for sizes and elementwise computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.loop.size import SizeOp
from ....dialects.shape import Dim, Extent, dims_of, extent_of
from ....dialects.te.build import BodyFunction, ComputeResult, compute, read
from ....support.affine import Index, constant, variable

OpT = TypeVar("OpT", bound=Operation)


@dataclass
class AdjointOps:
    """The list of the ops that compute a gradient; an op follows the ops that it uses."""

    ops: list[Operation] = field(default_factory=list[Operation])
    _sizes: dict[Dim, SizeOp] = field(default_factory=dict[Dim, SizeOp])

    def append(self, op: OpT) -> OpT:
        """Append an op, and return it."""
        self.ops.append(op)
        return op

    def size(self, extent: Extent) -> Index:
        """Return an extent as an index; for a symbolic extent, append a loop.size once."""
        if not isinstance(extent, Dim):
            return constant(extent)
        if extent not in self._sizes:
            self._sizes[extent] = self.append(SizeOp(extent))
        return variable(self._sizes[extent].res)

    def elementwise(
        self, name: str, inputs: Sequence[SSAValue], body: BodyFunction, type_: Attribute
    ) -> SSAValue:
        """Append a compute that applies ``body`` to the inputs' elements at each position.

        name: the name of the compute.
        type_: the tensor type of the result.
        Returns the result.
        """
        tensor = cast(TensorType[Attribute], type_)
        axes = {f"i{n}": extent_of(dim) for n, dim in enumerate(dims_of(tensor))}
        reads = [read(value, [*axes]) for value in inputs]
        result = ComputeResult(tuple(axes), tensor.element_type)
        return self.append(compute(name, axes, reads, [result], body)).results[0]

    def full(self, type_: Attribute, number: float) -> SSAValue:
        """Append a tensor of type ``type_`` in which all elements are ``number``, and return it."""
        element = cast(TensorType[Attribute], type_).element_type
        return self.elementwise("full", [], lambda s: s.constant(number, element), type_)

    def sum(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Append the sum of two tensors of one type, and return it."""
        return self.elementwise("accumulate", [x, y], lambda s, a, b: s.add(a, b), x.type)
