"""Lower an innermost compute (leaf) whose intrinsic accumulates in tile registers.

    te.compute @mm [m: 32, n: 32, ko: 12 red, kg: 16 red, ki: 4 red] .. tile(intrinsic = tdpbusd)
==>
    %zero = loop.broadcast %c0 : i32 to vector<16x16xi32>
    %0, %1, %2, %3 = loop.for %ko = 0 to 12 iter_args(four tiles) {
      %a = loop.load %A[0, %ko * 64] rows 0 : .., vector<16x64xi8>
      %b = loop.load %B[0, %ko * 16, 0, 0] rows 1 : .., vector<16x64xi8>
      %s = loop.intrinsic @tdpbusd(%sum, %a, %b) .. }
    loop.store %0, %C[0, 0] rows 0 : .., vector<16x16xi32> ..

The output tiles of a row share a tile of the left operand; those of a column share a tile of the
right operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.ir import SSAValue

from ...analysis.patterns.tiles import match_tile, row_step
from ...dialects import loop
from ...dialects.te import Access, ComputeOp, IntrinsicOp
from ...support.affine import Index, Key, constant
from ...support.diagnostics import LoweringError
from .emitter import LoopEmitter
from .intrinsic_leaf import IntrinsicLeaf, exact

MOST_TILES = 4
"""The most tiles of sums of a leaf, which leave registers for operands."""


class MatrixTile(IntrinsicLeaf):
    """A register tile of an innermost compute (leaf) whose accumulators are in tile registers."""

    def __init__(self, op: ComputeOp, intrinsic: IntrinsicOp, emitter: LoopEmitter) -> None:
        view = op.view()
        match = exact(match_tile(intrinsic, view, str(view.tile["vec"])), intrinsic, op)
        super().__init__(intrinsic, emitter, match.view, match.inputs, match.axes)
        covered = {self.axes[a] for a in self.definition.reduced_axes()}
        self.steps = [a for a in self.view.reduced_axes() if a not in covered]
        self.origin: dict[Key, Index] = dict.fromkeys(covered, constant(0))
        sizes = {self.axes[a]: self.definition.extents[a] for a in self.definition.parallel_axes()}
        parallel = self.view.parallel_axes()
        starts = [range(0, self.view.extents[a], sizes.get(a, 1)) for a in parallel]
        self.cells = [dict(zip(parallel, point, strict=True)) for point in product(*starts)]
        if len(self.cells) > MOST_TILES:
            raise LoweringError(
                f"@{self.view.name} has more tiles than registers",
                expected=f"at most {MOST_TILES} of {dict(sizes)}",
                got=f"{len(self.cells)} in {dict(self.view.axes)}",
                hint="tile its axes first",
            ).at(op)

    def emit(self) -> None:
        """Emit the initial tiles, the loops over the reduction, and the stores."""
        sums = [self._start(cell) for cell in self.cells]
        sums = self._reduce(self.steps, {}, sums)
        output = self.view.outputs[0]
        for cell, total in zip(self.cells, sums, strict=True):
            indices, rows, step = self._place(self.definition.outputs[0], output, cell, {})
            assert output.value is not None, "outputs are buffers"
            self.emitter.add(
                loop.StoreOp.make(total, output.value, indices, rows=rows, stride=step)
            )

    def _reduce(
        self, axes: Sequence[str], at: dict[Key, Index], sums: list[SSAValue]
    ) -> list[SSAValue]:
        if not axes:
            return self._step(at, sums)
        axis, *inner = axes
        extent = self.view.extents[axis]
        if extent == 1:
            return self._reduce(inner, {**at, axis: constant(0)}, sums)
        return self.emitter.loop(
            0,
            extent,
            (0, extent - 1),
            sums,
            lambda index, carried: self._reduce(inner, {**at, axis: index}, carried),
        )

    def _step(self, at: dict[Key, Index], sums: Sequence[SSAValue]) -> list[SSAValue]:
        """Emit the products of one reduction step; return the new accumulators of all output tiles.

        at: the position along the reduced axes.
        sums: the accumulators of all output tiles.
        """
        loaded: dict[object, SSAValue] = {}
        made: list[SSAValue] = []
        for cell, total in zip(self.cells, sums, strict=True):
            operands: list[SSAValue] = []
            for number, access in enumerate(self.definition.inputs):
                own = self.view.inputs[self.inputs[number]]
                key = number, tuple(cell[a] for a in cell if a in own.axes())
                if key not in loaded:
                    loaded[key] = self._load(access, own, cell, at)
                operands.append(loaded[key])
            made.append(self.use(total, operands))
        return made

    def _start(self, cell: dict[str, int]) -> SSAValue:
        access, own = self.definition.outputs[0], self.view.outputs[0]
        if own.init is None:
            return self._load(access, own, cell, {})
        # A scalar constant is shared, but each accumulator tile gets its initial value separately.
        zero = self.emitter.constant(own.init)
        type_ = self.vector_of(access)
        return self.emitter.value(loop.BroadcastOp.create(operands=[zero], result_types=[type_]))

    def _load(
        self, access: Access, own: Access, cell: dict[str, int], at: dict[Key, Index]
    ) -> SSAValue:
        assert own.value is not None, "matched operands have a buffer"
        indices, rows, step = self._place(access, own, cell, at)
        type_ = self.vector_of(access)
        return self.emitter.value(
            loop.LoadOp.make(own.value, indices, type_, rows=rows, stride=step)
        )

    def _place(
        self, access: Access, own: Access, cell: dict[str, int], at: dict[Key, Index]
    ) -> tuple[list[Index], int, int]:
        """Return where a tile is in the buffer of an operand.

        access: the operand in the intrinsic's definition.
        own: the same operand in the compute.
        cell: the start of the output tile along each axis.
        at: the position along the reduced axes.
        Returns the indices of the first element, the dimension of the buffer along which the tile's
        rows follow each other, and the distance of two rows in this dimension.
        """
        values: dict[Key, Index] = {**self.origin, **at}
        values.update({axis: constant(start) for axis, start in cell.items()})
        rows = next(a for a in self.definition.axes if a in access.axes())
        step = row_step(own, self.axes[rows])
        assert step is not None, "matched operands have rows"
        indices = [e.substitute(values, self.range_of) for e in own.indices or ()]
        return indices, *step
