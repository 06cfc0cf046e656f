"""Builder of schedules for GPUs: one method per step on the loops of a compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ....dialects import sched
from ....dialects.sched import Param, ScriptBuilder, StepOp


class Script(ScriptBuilder):
    """A schedule under construction; each method returns the handle of the changed compute."""

    def _one(self, step: type[StepOp], handle: SSAValue, params: Mapping[str, Param]) -> SSAValue:
        return self.add(step, handle, params=params)[0]

    def split(
        self,
        handle: SSAValue,
        axis: str,
        factor: int,
        into: tuple[str, str],
        *,
        guard: bool = False,
    ) -> SSAValue:
        """Split a loop; ``factor`` is the extent of the inner one, ``guard`` as in sched.split."""
        params: dict[str, Param] = {"axis": axis, "factor": factor, "into": list(into)}
        if guard:
            params["guard"] = 1
        return self._one(sched.SplitOp, handle, params)

    def fuse(self, handle: SSAValue, axes: Sequence[str], into: str) -> SSAValue:
        """Fuse adjacent loops into one; a single loop keeps its name."""
        params: dict[str, Param] = {"axes": list(axes), "into": into}
        return self._one(sched.FuseOp, handle, params)

    def reorder(self, handle: SSAValue, axes: Sequence[str]) -> SSAValue:
        """Order the loops."""
        return self._one(sched.ReorderOp, handle, {"axes": list(axes)})

    def bind(self, handle: SSAValue, threads: Mapping[str, str]) -> SSAValue:
        """Bind loops to threads, by the names of the loops."""
        for axis, thread in threads.items():
            handle = self._one(sched.BindOp, handle, {"axis": axis, "thread": thread})
        return handle

    def unroll(self, handle: SSAValue, axis: str) -> SSAValue:
        """Unroll a loop."""
        return self._one(sched.UnrollOp, handle, {"axis": axis})

    def vectorize(self, handle: SSAValue, axis: str, lanes: int) -> SSAValue:
        """Vectorize a loop."""
        return self._one(sched.VectorizeAxisOp, handle, {"axis": axis, "lanes": lanes})

    def pad(self, handle: SSAValue, multiples: Mapping[str, int]) -> SSAValue:
        """Round extents up, with copies of the operands; store only what lies inside."""
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
        """Make a convolution a product of copies; ``orders``, ``merged``, ``blocks``: as there."""
        params: dict[str, Param] = {word: list(axes) for word, axes in orders.items()}
        if merged:
            params["merged"] = list(merged)
        if blocks:
            params |= {"pixels": list(blocks), "blocks": list(blocks.values())}
        by_axis: dict[str, Param] = dict(multiples)
        return self.add(sched.Im2colOp, handle, params=params, by_axis=by_axis)[0]

    def cache_write(self, handle: SSAValue, axes: Sequence[str] = ()) -> tuple[SSAValue, SSAValue]:
        """Sum into a local buffer; return the sums, and what stores the results.

        axes: the order of the buffer's dimensions, by default that of the output.
        """
        params: dict[str, Param] = {"scope": "local", "sums": 1}
        if axes:
            params["axes"] = list(axes)
        sums, stored = self.add(sched.CacheWriteOp, handle, params=params)
        return sums, stored

    def cache_read(
        self, handle: SSAValue, operand: int, axes: Sequence[str]
    ) -> tuple[SSAValue, SSAValue]:
        """Copy an operand to shared memory; return the copy, whose axes get names, and the reader.

        axes: one name per dimension of the operand.
        """
        params: dict[str, Param] = {"operand": operand, "axes": list(axes), "scope": "shared"}
        copy, reader = self.add(sched.CacheReadOp, handle, params=params)
        return copy, reader

    def compute_at(
        self, producer: SSAValue, consumer: SSAValue, axis: str
    ) -> tuple[SSAValue, SSAValue]:
        """Move a producer into a loop of a consumer; return both."""
        made = self.add(sched.ComputeAtOp, producer, consumer, params={"axis": axis})
        return made[0], made[1]

    def fuse_into(self, producer: SSAValue, loop: SSAValue) -> SSAValue:
        """Move a producer into a loop that a step returned."""
        return self.add(sched.FuseIntoOp, producer, loop, params={})[0]

    def pad_attention(
        self, parts: Sequence[SSAValue], multiples: Mapping[str, int]
    ) -> list[SSAValue]:
        """Round the queries and keys of an attention up; return its five computes."""
        return list(self.add(sched.PadAttentionOp, *parts, params={}, by_axis=dict(multiples)))

    def online_softmax(self, parts: Sequence[SSAValue], axis: str, size: int) -> list[SSAValue]:
        """Process the keys of an attention in blocks.

        Return the five computes, the loop over blocks, and the start, zeros, factor, total and end.
        """
        return list(self.add(sched.OnlineSoftmaxOp, *parts, params={}, by_axis={axis: size}))

    def decompose_reduction(self, handle: SSAValue, axis: str) -> tuple[SSAValue, SSAValue]:
        """Store the initial values before a loop; return that compute and the updates."""
        params: dict[str, Param] = {"axis": axis}
        init, update = self.add(sched.DecomposeReductionOp, handle, params=params)
        return init, update

    def tensorize(self, handle: SSAValue, intrinsic: str, axis: str) -> SSAValue:
        """Compute the loops from an axis inwards with an intrinsic of several threads."""
        params: dict[str, Param] = {"intrinsic": intrinsic, "axis": axis}
        return self._one(sched.TensorizeOp, handle, params)

    def inline(self, name: str) -> None:
        """Compute an elementwise producer inside all of its readers."""
        self.add(sched.ComputeInlineOp, self.match(name), params={})

    def rfactor(
        self, handle: SSAValue, axis: str, factor: int, into: tuple[str, str], *, part: str = ""
    ) -> tuple[SSAValue, SSAValue]:
        """Reduce into ``factor`` partial results; return their leaves and the final reduction.

        part: ``outer`` for one result per ``factor`` neighbors instead.
        """
        params: dict[str, Param] = {"axis": axis, "factor": factor, "into": list(into)}
        if part:
            params["part"] = part
        partial, final = self.add(sched.RfactorOp, handle, params=params)
        return partial, final

    def share(self, handle: SSAValue, out: int) -> SSAValue:
        """Keep an output of a compute in shared memory."""
        return self._one(sched.SetScopeOp, handle, {"scope": "shared", "out": out})

    def storage_align(self, handle: SSAValue, axis: str, factor: int, offset: int) -> SSAValue:
        """Make the stride of an axis in memory a multiple of a factor plus an offset."""
        params: dict[str, Param] = {"axis": axis, "factor": factor, "offset": offset}
        return self._one(sched.StorageAlignOp, handle, params)

    def double_buffer(self, handle: SSAValue, stages: int) -> SSAValue:
        """Fill a buffer in a loop ``stages - 1`` steps before its uses."""
        return self._one(sched.DoubleBufferOp, handle, {"stages": stages})

    def tasks(self, handle: SSAValue, axis: str = "") -> None:
        """Make each point of an axis of a scatter, or each row of a sort, a task."""
        params: dict[str, Param] = {"axis": axis, "chunk": 1} if axis else {"chunk": 1}
        self.add(sched.TileIrregularOp, handle, params=params)
