"""Builder of schedules for GPUs: one method per step on the loops of a compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue

from ....dialects import sched
from ....dialects.sched import Param, ScriptBuilder, StepOp
from ....dialects.te.layout import innermost_layout


class Script(ScriptBuilder):
    """A schedule of a GPU kernel under construction.

    A handle stands for a compute; methods take the handle before a step, and return the one after
    it.
    """

    def _one(
        self,
        step: type[StepOp],
        handle: SSAValue,
        params: Mapping[str, Param],
        options: Mapping[str, Param] | None = None,
    ) -> SSAValue:
        return self.add(step, handle, params=params, options=options)[0]

    def split(
        self,
        handle: SSAValue,
        axis: str,
        factor: int,
        into: tuple[str, str],
        *,
        guard: bool = False,
    ) -> SSAValue:
        """Split a loop in two; return the compute.

        factor: the extent of the inner loop.
        into: the names of the outer and the inner loop.
        guard: whether the outer loop runs over all blocks, and the inner loop ends where the axis
        ends; otherwise a remainder has code of its own.
        """
        params: dict[str, Param] = {"axis": axis, "factor": factor, "into": list(into)}
        return self._one(sched.SplitOp, handle, params, {"guard": int(guard)})

    def fuse(self, handle: SSAValue, axes: Sequence[str], into: str) -> SSAValue:
        """Fuse adjacent loops into one loop; return the compute.

        axes: the names of the loops, the outermost first; a single loop keeps its name.  into: the
        name of the fused loop.
        """
        params: dict[str, Param] = {"axes": list(axes), "into": into}
        return self._one(sched.FuseOp, handle, params)

    def reorder(self, handle: SSAValue, axes: Sequence[str]) -> SSAValue:
        """Set the order of the loops of a compute, the outermost first; return the compute."""
        return self._one(sched.ReorderOp, handle, {"axes": list(axes)})

    def bind(self, handle: SSAValue, threads: Mapping[str, str]) -> SSAValue:
        """Bind loops to thread or block indices; return the compute.

        threads: by loop, the index, such as ``threadIdx.x``.
        """
        for axis, thread in threads.items():
            handle = self._one(sched.BindOp, handle, {"axis": axis, "thread": thread})
        return handle

    def unroll(self, handle: SSAValue, axis: str) -> SSAValue:
        """Unroll a loop; return the compute."""
        return self._one(sched.UnrollOp, handle, {"axis": axis})

    def vectorize(self, handle: SSAValue, axis: str, lanes: int) -> SSAValue:
        """Vectorize a loop with a number of lanes; return the compute."""
        return self._one(sched.VectorizeAxisOp, handle, {"axis": axis, "lanes": lanes})

    def pad(self, handle: SSAValue, multiples: Mapping[str, int]) -> SSAValue:
        """Pad the operands by copies, so that tiles divide the extents of axes; return the compute.

        multiples: by axis, the number of which the axis's extent becomes a multiple.  Only results
        inside of the original extents are stored.
        """
        by_axis: dict[str, Param] = dict(multiples)
        return self.add(sched.PadEinsumOp, handle, params={"clip": 1}, by_axis=by_axis)[0]

    def im2col(
        self,
        handle: SSAValue,
        multiples: Mapping[str, int],
        orders: Mapping[str, Sequence[str]],
        *,
        merged: Sequence[str] = (),
        blocks: Mapping[str, int] | None = None,
    ) -> SSAValue:
        """Turn a convolution into a matrix product of copies; return the compute.

        multiples: for each axis of the product, the number of which its extent becomes a multiple;
        the copies read zeros at the added positions.  orders: the order of dimensions in the
        copies, for the operands "lhs" and "rhs".  merged: axes, such as the batch, that become a
        part of the axis of pixels.  blocks: the pixel axes to divide into blocks, with the size of
        a block.
        """
        params: dict[str, Param] = {word: list(axes) for word, axes in orders.items()}
        options: dict[str, Param] = {"merged": list(merged), "pixels": list(blocks or ())}
        options["blocks"] = list((blocks or {}).values())
        step, by_axis = sched.Im2colOp, dict(multiples)
        return self.add(step, handle, params=params, options=options, by_axis=by_axis)[0]

    def cache_write(self, handle: SSAValue, axes: Sequence[str] = ()) -> tuple[SSAValue, SSAValue]:
        """Accumulate in a local buffer; return the accumulating compute and the copy out.

        axes: the order of the buffer's dimensions, by default that of the output.
        """
        params: dict[str, Param] = {"scope": "local", "sums": 1}
        return self.add_pair(sched.CacheWriteOp, handle, params=params, options={"axes": [*axes]})

    def cache_read(
        self, handle: SSAValue, operand: int, axes: Sequence[str], *, scope: str = "shared"
    ) -> tuple[SSAValue, SSAValue]:
        """Copy an operand to shared memory; return the copy and the compute that reads it.

        operand: the number of the operand.
        axes: the names of the copy's axes, one per dimension of the operand.
        scope: the memory of the copy.
        """
        params: dict[str, Param] = {"operand": operand, "axes": list(axes), "scope": scope}
        return self.add_pair(sched.CacheReadOp, handle, params=params)

    def copy_window(
        self,
        handle: SSAValue,
        operand: int,
        axes: Sequence[str] = (),
        *,
        multiple: int = 1,
        scope: str = "local",
    ) -> tuple[SSAValue, SSAValue]:
        """Copy the elements of an operand that a compute reads, and their padding.

        operand: the number of the operand.
        axes: the names of the copy's axes, one per dimension of the operand.
        multiple: the copy begins and ends at multiples of this number along the last dimension.
        scope: the memory of the copy.
        Returns the handles of the copy and of the compute that reads it.
        """
        params: dict[str, Param] = {"operand": operand, "window": multiple}
        options: dict[str, Param] = {"axes": [*axes], "scope": scope if scope != "local" else ""}
        return self.add_pair(sched.CacheReadOp, handle, params=params, options=options)

    def transform_layout(self, handle: SSAValue, operand: int, layout: AffineMapAttr) -> SSAValue:
        """Store an operand, or a copy of it, in a layout; return the compute that reads it.

        operand: the number of the operand.
        """
        params: dict[str, Param] = {"operand": operand, "map": layout}
        return self._one(sched.TransformLayoutOp, handle, params)

    def store_innermost(self, handle: SSAValue, operand: int, rank: int, *dims: int) -> SSAValue:
        """Store some dimensions of an operand innermost; return the compute that reads it.

        operand: the number of the operand.
        rank: the number of its dimensions.
        dims: the dimensions to store innermost, in order.
        """
        return self.transform_layout(handle, operand, innermost_layout(rank, *dims))

    def order(self, handle: SSAValue, axes: Sequence[str]) -> SSAValue:
        """Reorder the axes of a compute before it has loops; return the compute."""
        return self._one(sched.OrderOp, handle, {"axes": list(axes)})

    def compute_at(
        self, producer: SSAValue, consumer: SSAValue, axis: str, whole: Sequence[str] = ()
    ) -> tuple[SSAValue, SSAValue]:
        """Move a producer into a loop of a consumer; return both computes.

        axis: the name of the loop.
        whole: the axes of the producer that keep all their positions.
        """
        options: dict[str, Param] = {"axis": axis, "whole": list(whole)}
        return self.add_pair(sched.ComputeAtOp, producer, consumer, options=options)

    def fuse_into(self, producer: SSAValue, loop: SSAValue) -> SSAValue:
        """Move a producer into a loop that an earlier step returned; return the producer."""
        return self.add(sched.FuseIntoOp, producer, loop)[0]

    def pad_attention(
        self, parts: Sequence[SSAValue], multiples: Mapping[str, int]
    ) -> list[SSAValue]:
        """Round up the queries and keys of an attention; return its five computes.

        parts: the five computes before.  multiples: by axis, the number of which its extent becomes
        a multiple.
        """
        return self.add(sched.PadAttentionOp, *parts, by_axis=dict(multiples))

    def online_softmax(
        self, parts: Sequence[SSAValue], axis: str, size: int, *, in_place: bool = False
    ) -> list[SSAValue]:
        """Process the keys of an attention in blocks (online softmax).

        parts: the five computes.
        axis, size: the axis of the keys, and the keys of a block.
        Returns the handles of sched.online_softmax: the five computes inside the loop over blocks,
        this loop, and the five computes that the step adds (initial maxima, zeros, factors, totals
        and results). With ``in_place``, the compute that rescales the sums comes last.
        """
        step, options = sched.OnlineSoftmaxOp, {"in_place": int(in_place)}
        return self.add(step, *parts, options=options, by_axis={axis: size})

    def split_keys(self, parts: Sequence[SSAValue], axis: str, size: int) -> list[SSAValue]:
        """Divide the keys of an attention into parts of ``size`` keys.

        parts: the five computes.  axis: the axis of the keys.
        Returns the handles of sched.split_keys: the five computes of the parts, the maximum and
        the sums of all parts, and the results.
        """
        return self.add(sched.SplitKeysOp, *parts, by_axis={axis: size})

    def replicate(self, parts: Sequence[SSAValue], axis: str, copies: int, width: int) -> None:
        """Compute results in equal copies, so that each group of reading threads has its own copy.

        parts: the computes that write the results.
        axis: the name of a new axis, over the copies.
        copies: their number.
        width: how many adjacent elements of a reader's result read the same copy, before the next
        elements read the next copy.
        """
        params: dict[str, Param] = {"axis": axis, "copies": copies, "width": width}
        self.add(sched.ReplicateOp, *parts, params=params)

    def reverse(self, handle: SSAValue, axis: str) -> SSAValue:
        """Reverse the order of the iterations of a bound loop around a compute, and return it."""
        return self._one(sched.ReverseOp, handle, {"axis": axis})

    def split_mask(self, handle: SSAValue) -> SSAValue:
        """Move masks by position to separate computes, which run only if some point is masked.

        Return the handle of the computes.
        """
        return self._one(sched.SplitMaskOp, handle, {})

    def decompose_reduction(self, handle: SSAValue, axis: str) -> tuple[SSAValue, SSAValue]:
        """Store the initial values of a sum before a loop; return the two computes.

        axis: the name of the loop.  The compute that stores initial values is the first result, the
        one that adds the second.
        """
        return self.add_pair(sched.DecomposeReductionOp, handle, params={"axis": axis})

    def tensorize(self, handle: SSAValue, intrinsic: str, axis: str) -> SSAValue:
        """Compute the loops from an axis inwards by an intrinsic of several threads.

        Return the compute.
        """
        params: dict[str, Param] = {"intrinsic": intrinsic, "axis": axis}
        return self._one(sched.TensorizeOp, handle, params)

    def inline(self, name: str) -> None:
        """Compute an elementwise producer, given by its name, inside all of its readers."""
        self.add(sched.ComputeInlineOp, self.match(name))

    def rfactor(
        self, handle: SSAValue, axis: str, factor: int, into: tuple[str, str], *, part: str = ""
    ) -> tuple[SSAValue, SSAValue]:
        """Reduce into partial results, then reduce these; return both reductions in this order.

        axis: the reduction axis.  factor: the number of partial results; each reduces every
        ``factor``-th element.  With ``part`` "outer", each partial result instead reduces
        ``factor`` adjacent elements.  into: the names of the two axes into which the step splits
        the axis.
        """
        params: dict[str, Param] = {"axis": axis, "factor": factor, "into": list(into)}
        return self.add_pair(sched.RfactorOp, handle, params=params, options={"part": part})

    def split_scan(
        self, handle: SSAValue, axis: str, factor: int, into: tuple[str, str]
    ) -> list[SSAValue]:
        """Divide a scan into parts of ``factor`` elements.

        into: the names of the axes of the parts, and of the elements of a part.
        Returns the computes of the combined elements of each part, of those before each part, and
        of the results.
        """
        params: dict[str, Param] = {"axis": axis, "factor": factor, "into": list(into)}
        return self.add(sched.SplitScanOp, handle, params=params)

    def share(self, handle: SSAValue, out: int) -> SSAValue:
        """Store an output of a compute in shared memory; return the compute.

        out: the number of the output.
        """
        return self._one(sched.SetScopeOp, handle, {"scope": "shared", "out": out})

    def storage_align(
        self, handle: SSAValue, axis: str, factor: int, offset: int = 0, out: int = 0
    ) -> SSAValue:
        """Make the stride of an axis in memory a multiple of ``factor`` plus ``offset``.

        Return the compute that writes the buffer, which is its output ``out``.
        """
        params: dict[str, Param] = {"axis": axis, "factor": factor, "offset": offset, "out": out}
        return self._one(sched.StorageAlignOp, handle, params)

    def double_buffer(self, handle: SSAValue, stages: int) -> SSAValue:
        """Fill a buffer in a loop ``stages - 1`` steps before its use (software pipelining).

        handle: the compute that fills the buffer; return it.
        """
        return self._one(sched.DoubleBufferOp, handle, {"stages": stages})

    def tasks(self, handle: SSAValue, axis: str = "") -> None:
        """Make each point on an axis of a scatter, or each row of a sort, a parallel task.

        axis: the axis of the scatter; empty for a sort.
        """
        self.add(sched.TileIrregularOp, handle, options={"axis": axis, "chunk": 1})
