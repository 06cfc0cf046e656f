"""One row of a te.sort: reads of its elements, writes of its results, and their comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import compute_type, is_float
from ...dialects.index_syntax import INDEX
from ...dialects.loop import CompareOp, LoadOp, PackOp, like, vector_type
from ...dialects.shape import Extent, dims_of, extent_of, tensor_type
from ...dialects.te import SortOp
from ...dialects.te.build import as_index
from ...dialects.te.loops_builder import LoopsBuilder, Place
from ...support.affine import Index


def tensor_of(type_: object) -> TensorType:
    """Return the tensor type with the shape and element type of a buffer."""
    assert isinstance(type_, MemRefType), f"not a buffer: {type_}"
    return tensor_type(type_.get_element_type(), dims_of(type_))


def other_sizes(op: SortOp) -> list[Extent]:
    """Return the sizes of all axes of a sort's operand except the sorted axis."""
    sizes = [extent_of(dim) for dim in dims_of(op.x.type)]
    return [*sizes[: op.axis.data], *sizes[op.axis.data + 1 :]]


@dataclass(frozen=True)
class SortedRow:
    """One row of a sort.

    op: the sort.
    loops: the builder that appends the ops.
    others: the position of the row along the axes that are not sorted.
    """

    op: SortOp
    loops: LoopsBuilder
    others: Sequence[Place]

    @property
    def element(self) -> Attribute:
        """The element type of the sorted values."""
        return tensor_of(self.op.x.type).get_element_type()

    @property
    def position_type(self) -> Attribute:
        """The element type of the positions."""
        return tensor_of(self.op.outs[1].type).get_element_type()

    @property
    def length(self) -> Extent:
        """The number of elements of the row."""
        return extent_of(dims_of(self.op.x.type)[self.op.axis.data])

    @property
    def count(self) -> Extent:
        """The number of results of the row."""
        return extent_of(dims_of(self.op.outs[0].type)[self.op.axis.data])

    @property
    def descending(self) -> bool:
        """Whether the greatest element comes first."""
        return self.op.descending is not None

    # ---- comparison

    def before(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return whether ``x`` comes strictly before ``y`` in sorted order.

        NaN is greater than every number.
        x, y: two scalars, or two vectors, which are compared lane by lane.
        """
        if self.descending:
            x, y = y, x
        loops = self.loops
        if not is_float(self.element):
            return loops.append(CompareOp.make("slt", x, y))
        x, y = self._widened(x), self._widened(y)
        less_or_nan = loops.append(CompareOp.make("ult", x, y))
        return loops.bit_and(less_or_nan, loops.append(CompareOp.make("ord", x, x)))

    def _widened(self, x: SSAValue) -> SSAValue:
        type_ = like(x.type, compute_type(self.element))
        return x if type_ == x.type else self.loops.emit(arith.ExtFOp, [x], type_)

    # ---- elements and results

    def load(self, at: Place) -> SSAValue:
        """Read the element at a position of the row."""
        return self.loops.get(self.loops.buffers[0], *self._places(at))

    def load_lanes(self, start: Index, lanes: int, active: int | None = None) -> SSAValue:
        """Read ``lanes`` consecutive elements of the row as a vector.

        active: the lanes that are read, if the axis is the last one; by default all.
        """
        loops = self.loops
        if self.op.axis.data == len(self.others):
            type_ = vector_type(lanes, self.element)
            places = [as_index(place) for place in self._places(start)]
            return loops.append(LoadOp.make(loops.buffers[0], places, type_, lanes=active))
        values = [self.load(start + lane) for lane in range(lanes)]
        return loops.append(PackOp.make(values))

    def result(self, at: Place) -> tuple[SSAValue, SSAValue]:
        """Load the result at a rank; return its value and its position in the row."""
        _, values, positions = self.loops.buffers
        places = self._places(at)
        return self.loops.get(values, *places), self.loops.get(positions, *places)

    def write(self, at: Place, value: SSAValue, position: SSAValue) -> None:
        """Store the result at a rank: an element and its position in the row."""
        _, values, positions = self.loops.buffers
        places = self._places(at)
        self.loops.put(value, values, *places)
        self.loops.put(position, positions, *places)

    def as_position(self, index: SSAValue) -> SSAValue:
        """Cast an index to the element type of the positions."""
        return self.loops.cast(index, INDEX, self.position_type)

    def _places(self, at: Place) -> list[Place]:
        """Return the indices of an element in the operand: ``at`` along the sorted axis."""
        axis = self.op.axis.data
        return [*self.others[:axis], at, *self.others[axis:]]
