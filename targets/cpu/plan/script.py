"""Builder of sched scripts: one method per step, which takes and returns handles of ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue

from ....dialects import sched
from ....dialects.sched import Param, ScriptBuilder
from ....dialects.te.layout import innermost_layout
from .points.choice import Chooser, keep


@dataclass(frozen=True)
class CreatedCompute:
    """A compute that a step created: its handle, and its axes, one per dimension of its buffer."""

    handle: SSAValue
    axes: list[str]


@dataclass(frozen=True)
class OnlineSoftmax:
    """The handles of the computes that sched.online_softmax returns.

    parts: the five computes of an attention, for a block of keys.
    start: the initial maxima.
    zero: the initial sums.
    factor: the factor by which a new maximum rescales earlier sums.
    total: the sums of all blocks.
    finish: the results.
    """

    parts: list[SSAValue]
    start: SSAValue
    zero: SSAValue
    factor: SSAValue
    total: SSAValue
    finish: SSAValue


class Script(ScriptBuilder):
    """A schedule of a CPU kernel under construction.

    A leaf is the handle of a compute inside its loops.  A plan matches each compute once, and then
    uses the handles that the steps return.  choose: returns the point (set of numbers) for each
    choice of the plan.
    """

    def __init__(self, kernel: str, choose: Chooser = keep) -> None:
        super().__init__(kernel)
        self.choose = choose

    @property
    def is_parallel(self) -> bool:
        """Whether the iterations of some loop are parallel tasks."""
        return any(isinstance(step, sched.ParallelOp) for step in self.steps)

    def pack(self, leaf: SSAValue, operand: int, layout: AffineMapAttr) -> SSAValue:
        """Pack a constant operand of a compute into a layout; return the compute.

        operand: the number of the operand.
        """
        return self.add(sched.PackOp, leaf, params={"operand": operand, "map": layout})[0]

    def pack_last(self, leaf: SSAValue, operand: int, rank: int, last: int) -> SSAValue:
        """Pack a constant operand with one of its dimensions innermost; return the compute.

        operand: the number of the operand.
        rank: the number of its dimensions.
        last: the dimension that becomes innermost.
        """
        return self.pack(leaf, operand, innermost_layout(rank, last))

    def split_axis(self, leaf: SSAValue, axis: str, size: int, into: tuple[str, str]) -> SSAValue:
        """Split one axis of a compute in two; return the compute.

        size: the extent of the inner axis.
        into: the names of the outer and the inner axis.
        """
        params: dict[str, Param] = {"into": list(into)}
        return self.add(sched.SplitAxisOp, leaf, params=params, by_axis={axis: size})[0]

    def merge_axes(self, leaf: SSAValue, axes: Sequence[str], into: str) -> SSAValue:
        """Merge several axes of a compute into an axis ``into``; return the compute."""
        params: dict[str, Param] = {"axes": list(axes), "into": into}
        return self.add(sched.MergeAxesOp, leaf, params=params)[0]

    def order(self, leaf: SSAValue, axes: Sequence[str]) -> SSAValue:
        """Set the order of the axes inside an innermost compute (leaf); return the compute."""
        return self.add(sched.OrderOp, leaf, params={"axes": list(axes)})[0]

    def tile(
        self,
        leaf: SSAValue,
        sizes: Mapping[str, int],
        *,
        even: Sequence[str] = (),
        whole: Sequence[str] = (),
        rest: int = 0,
        few: int = 0,
        chunk: int = 0,
    ) -> tuple[SSAValue, list[SSAValue]]:
        """Tile axes, outermost loop first; return the innermost compute (leaf) and the loops.

        sizes: tile sizes by axis, in loop order.
        even: axes whose tiles have nearly equal sizes.
        whole: dynamic (symbolic) axes whose remainder is one tile.
        rest: the tile size in the remainder of a symbolic axis; 0: single positions.
        few: if the extent of a symbolic axis is less than ``rest``, the largest size of its nearly
        equal tiles; 0: single positions.
        chunk: tiles of a symbolic even axis per iteration of an added loop around them; the method
        returns this loop instead of the loop over tiles.
        """
        options: dict[str, Param] = {"even": list(even), "whole": list(whole)}
        options |= {"rest": rest, "few": few, "chunk": chunk}
        leaf, *loops = self.add(sched.TileOp, leaf, options=options, by_axis=sizes)
        return leaf, loops

    def split_reduction(self, leaf: SSAValue, axis: str, size: int) -> SSAValue:
        """Split a reduction into blocks of ``size`` elements of an axis.

        The returned handle covers the innermost computes of the first block, middle blocks and last
        block.
        """
        return self.add(sched.SplitReductionOp, leaf, by_axis={axis: size})[0]

    def rfactor(
        self, leaf: SSAValue, axis: str, size: int, into: tuple[str, str]
    ) -> tuple[SSAValue, SSAValue]:
        """Reduce blocks of ``size`` elements of an axis into partial results, then reduce these.

        into: the names of the axes over blocks and inside of a block.
        Return the compute of the partial results, and the compute that combines them.
        """
        params: dict[str, Param] = {
            "axis": axis,
            "factor": size,
            "into": list(into),
            "part": "outer",
        }
        return self.add_pair(sched.RfactorOp, leaf, params=params)

    def split_epilogue(self, leaf: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Move the epilogue of a reduction to a separate compute.

        Return the compute of the sums, and the compute of the epilogue.
        """
        return self.add_pair(sched.SplitEpilogueOp, leaf)

    def decompose_reduction(self, leaf: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Store the initial values of a reduction in a separate compute.

        Return the compute that stores them, and the compute that adds the terms.
        """
        return self.add_pair(sched.DecomposeReductionOp, leaf)

    def cache_read(
        self, leaf: SSAValue, operand: int, rank: int
    ) -> tuple[CreatedCompute, SSAValue]:
        """Copy an operand of a compute to a local buffer; return the copy and the compute.

        operand: the number of the operand.
        rank: the number of its dimensions.
        """
        axes, names = _new_axes("c", rank)
        copy, reader = self.add(sched.CacheReadOp, leaf, params={"operand": operand, "axes": names})
        return CreatedCompute(copy, axes), reader

    def cache_write(
        self, leaf: SSAValue, *, sums: bool = False, axes: Sequence[str] = ()
    ) -> tuple[SSAValue, SSAValue]:
        """Compute into a local buffer and copy the buffer out; return the compute and the copy.

        sums: whether the buffer holds accumulators, so that the copy applies the epilogue.  axes:
        the order of the buffer's dimensions, if other than that of the output.
        """
        return self.add_pair(
            sched.CacheWriteOp, leaf, options={"sums": int(sums), "axes": list(axes)}
        )

    def relayout(self, writer: SSAValue, layout: AffineMapAttr) -> SSAValue:
        """Store a local buffer in a layout; return the compute that writes the buffer.

        writer: the handle of that compute before the step.
        """
        return self.add(sched.RelayoutOp, writer, params={"out": 0, "map": layout})[0]

    def store_last(self, writer: SSAValue, rank: int, *last: int) -> SSAValue:
        """Store a local buffer with some dimensions innermost; return the compute that writes it.

        writer: the handle of that compute before the step.
        rank: the number of the buffer's dimensions. last: the dimensions that become innermost, in
        order.
        """
        return self.relayout(writer, innermost_layout(rank, *last))

    def fuse_into(self, producer: SSAValue, loop: SSAValue) -> SSAValue:
        """Compute a producer inside a loop; return the producer."""
        return self.add(sched.FuseIntoOp, producer, loop)[0]

    def fuse_with_halo(
        self, producer: SSAValue, loop: SSAValue, rank: int
    ) -> tuple[SSAValue, CreatedCompute]:
        """Compute a producer inside a loop, with the border that padded reads access.

        rank: the number of dimensions of the producer's buffer.
        Returns the producer, and the compute that fills the border; its handle matches no compute
        if the reads need no border.
        """
        axes, names = _new_axes("f", rank)
        params: dict[str, Param] = {"halo": 1, "axes": names}
        leaf, border = self.add(sched.FuseIntoOp, producer, loop, params=params)
        return leaf, CreatedCompute(border, axes)

    def split_handle(self, handle: SSAValue, last: int) -> tuple[SSAValue, SSAValue]:
        """Split a handle of several ops into handles of the first ops and of the ``last`` ops."""
        return self.add_pair(sched.SplitHandleOp, handle, params={"last": last})

    def online_softmax(
        self, parts: Sequence[SSAValue], axis: str, size: int, lanes: int = 1
    ) -> OnlineSoftmax:
        """Apply online softmax (FlashAttention): process an attention's keys block by block.

        parts: the five computes.
        axis: the axis of the keys.
        size: keys per block.
        lanes: a divisor of the number of exponentials in a block of symbolic size.
        """
        options = {"lanes": lanes if lanes > 1 else 0}
        made = self.add(sched.OnlineSoftmaxOp, *parts, options=options, by_axis={axis: size})
        _, *added = made[5:]
        return OnlineSoftmax(made[:5], *added)

    def parallel(self, loop: SSAValue, chunk: int = 1) -> SSAValue:
        """Make the iterations of a loop parallel tasks; return the loop.

        chunk: iterations per task, if the loop has symbolic bounds.
        """
        return self.add(sched.ParallelOp, loop, options={"chunk": chunk if chunk > 1 else 0})[0]

    def parallel_each(self, loops: Sequence[SSAValue]) -> list[SSAValue]:
        """Make the iterations of several loops parallel tasks; return the loops."""
        return [self.parallel(loop) for loop in loops]

    def fuse_others(self, leaves: list[SSAValue], loop: SSAValue) -> None:
        """Compute all but the last of several computes inside a loop of the last one.

        leaves: the handles of the computes; the method replaces each by the handle after the step.
        """
        for number in reversed(range(len(leaves) - 1)):
            leaves[number] = self.fuse_into(leaves[number], loop)

    def tile_irregular(self, op: SSAValue, options: Mapping[str, int | str]) -> SSAValue:
        """Divide a scatter or sort into tasks and vectors; return the op.

        options: the parameters of the step sched.tile_irregular.
        """
        return self.add(sched.TileIrregularOp, op, params=dict(options))[0]

    def vectorize(
        self,
        leaf: SSAValue,
        axis: str,
        lanes: int,
        unrolls: Mapping[str, int] | None = None,
        *,
        together: int = 1,
        **options: int,
    ) -> SSAValue:
        """Turn an innermost compute (leaf) into a register tile with vectors along an axis.

        unrolls: reduction steps per loop iteration, by reduction axis.
        together: how many horizontal reductions are done together, so that their results fill a
        vector.
        options: further parameters of sched.vectorize, such as vectors per iteration, and
        prefetches.
        """
        params: dict[str, Param] = {"axis": axis, "lanes": lanes, **options}
        joined = {"together": together if together > 1 else 0}
        return self.add(sched.VectorizeOp, leaf, params=params, options=joined, by_axis=unrolls)[0]

    def tensorize(
        self, leaf: SSAValue, intrinsic: str, axis: str, unrolls: Mapping[str, int]
    ) -> SSAValue:
        """Compute the inner part of an innermost compute (leaf) by an intrinsic; return the leaf.

        intrinsic: its name.
        axis: the axis along which the lanes of the intrinsic run.
        unrolls: reduction steps per loop iteration, by reduction axis.
        """
        params: dict[str, Param] = {"intrinsic": intrinsic, "axis": axis}
        return self.add(sched.TensorizeOp, leaf, params=params, by_axis=unrolls)[0]

    def prefetch(
        self, leaf: SSAValue, operand: int, distance: int, level: int, *, spread: bool = False
    ) -> SSAValue:
        """Prefetch an input ahead of the loads of an innermost compute (leaf); return the compute.

        operand: the number of the input.
        distance: how far ahead, in elements.
        level: the cache to prefetch into.
        spread: whether to divide the prefetches among the outer loops in which the input is
        invariant.
        """
        params: dict[str, Param] = {"operand": operand, "distance": distance, "level": level}
        return self.add(sched.PrefetchOp, leaf, params=params, options={"spread": int(spread)})[0]


def _new_axes(stem: str, rank: int) -> tuple[list[str], list[Param]]:
    """Return ``rank`` new axis names: first as strings, then as a parameter of a step.

    stem: the letters with which each name begins.
    """
    axes = [f"{stem}{dim}" for dim in range(rank)]
    return axes, list(axes)
