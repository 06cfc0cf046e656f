"""Lower te.scatter to loops: for each point, its position, its value, a bounds check and a store.

    te.scatter @s [i: 5, j: 8] into(%t) .. tile(vec = j, lanes = 8)
  becomes
    loop.for %i = 0 to 5 {
      %k = loop.load %rows[%i] ..
      %inside = loop.cmp "ult" %k, %size ..
      loop.if %inside { loop.store %v, %t[%k, 0] : memref<100x8xf32>, vector<8xf32> } }

The loops have the order of the axes, except that a task axis is outermost and a vector axis
innermost.  Along these two axes, no two points write the same element
(``ScatterView.independent_axes``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Extent
from ...dialects.te import ScatterOp, ScatterView
from ...support.affine import Index, Key, constant, variable
from .access import load, store
from .body import Body, DeferredProduct, position_of
from .context import Leaf, Point
from .emitter import LANE, Constants, LoopEmitter, row_chunks
from .outputs import OutputGroup

Inside = Callable[[dict[Key, Index]], None]


def lower_scatter(op: ScatterOp, constants: Constants) -> LoopEmitter:
    """Lower a scatter in buffer form; return the emitter that holds the resulting ops.

    constants: the constants of the function.
    """
    emitter = LoopEmitter(constants, op.location)
    _Scatter(op.view(), emitter).emit()
    return emitter


class _Scatter:
    """The lowering of one te.scatter."""

    def __init__(self, view: ScatterView, emitter: LoopEmitter) -> None:
        self.view, self.emitter = view, emitter
        yielded = range(view.rank + 1)
        self.leaf = Leaf(OutputGroup(view, list(yielded), []), emitter)
        has_combine = bool(view.combine.blocks)
        self.combine = Body(view.combine, self.leaf.lanes) if has_combine else None

    def emit(self) -> None:
        """Emit the loops over all points of the scatter, by vectors along the vector axis."""
        leaf, tile = self.leaf, self.view.tile
        axes = {axis: leaf.axes[axis] for axis in leaf.parallel}
        tasks = tile.get("parallel")
        if not isinstance(tasks, str) or tasks not in axes:
            self.emitter.nest(axes, leaf.base, self._vectors, named=False)
            return
        del axes[tasks]

        def row(index: Index) -> None:
            self.emitter.nest(axes, {**leaf.base, tasks: index}, self._vectors, named=False)

        row_chunks(self.emitter, leaf.extents[tasks], int(tile.get("chunk", 1)), row)

    def _vectors(self, values: dict[Key, Index]) -> None:
        leaf = self.leaf
        vec, lanes = leaf.vec, leaf.lanes
        if vec is None:
            self._point(Point(values, 1))
            return
        trips, rest = divmod(leaf.extents[vec], lanes)

        def body(index: Index, _carried: object) -> tuple[()]:
            self._point(Point({**values, vec: index * lanes + variable(LANE)}, lanes))
            return ()

        if trips > 1:
            self.emitter.loop(0, trips, (0, trips - 1), (), body)
        elif trips:
            body(constant(0), ())
        if rest:
            start = variable(LANE) + trips * lanes
            self._point(Point({**values, vec: start}, rest))

    def _point(self, point: Point) -> None:
        """Emit the code of one point, or of a vector of points along the vector axis."""
        mapped = self.leaf.map(point)
        assert mapped is not None, "terms of a scatter do not vanish"
        values = [_scalar(v) for v in mapped]
        places, value = values[:-1], values[-1]
        indices = [self._index(v) for v in places]
        condition = self._inside(indices, point)
        if condition is None:
            self._change(indices, value, point)
        else:
            self.emitter.when(condition, lambda: self._change(indices, value, point))

    def _index(self, value: SSAValue) -> Index:
        known = position_of(self.emitter, value)
        return variable(value) if known is None else known

    def _inside(self, indices: Sequence[Index], point: Point) -> SSAValue | None:
        """Emit the test whether the position to write is in bounds; None if it always is.

        indices: the position to write.
        """
        emitter, condition = self.emitter, None
        range_of = self.leaf.lanes_of(point.active).range_of
        for index, size in zip(indices, self.view.base_shape, strict=True):
            low, high = index.range(range_of)
            if isinstance(size, int) and low >= 0 and high < size:
                continue
            assert LANE not in index.variables(), "a vector axis stays inside the base"
            value = index.variable()
            if not isinstance(value, SSAValue):
                value = emitter.value(loop.IndexOp.make(index))
            # As an unsigned number, a negative position exceeds every size.
            bound = self._size(size)
            test = emitter.value(loop.CompareOp.make("ult", value, bound))
            if condition is not None:
                both = arith.AndIOp.create(operands=[condition, test], result_types=[test.type])
                test = emitter.value(both)
            condition = test
        return condition

    def _size(self, size: Extent) -> SSAValue:
        if isinstance(size, int):
            return self.emitter.constant(IntegerAttr(size, INDEX))
        return self.emitter.value(loop.IndexOp.make(self.emitter.extent(size)))

    def _change(self, indices: list[Index], value: SSAValue, point: Point) -> None:
        lanes = self.leaf.lanes_of(point.active)
        if self.combine is not None:
            old = load(self.emitter, self.view.base, indices, lanes)
            (made,) = self.combine.emit(self.emitter, [old, value], _no_read)
            value = _scalar(made)
        store(self.emitter, value, self.view.base, indices, lanes)


def _scalar(value: SSAValue | DeferredProduct) -> SSAValue:
    assert isinstance(value, SSAValue), "only sums contract products"
    return value


def _no_read(*_: object) -> SSAValue:
    raise AssertionError("combine has no whole operand")
