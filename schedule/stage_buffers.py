"""Stage primitives for buffers and for the form of the reduction.

They are a mixin of Stage: each method appends one step to the script and applies it.  The effect of
a step and its legality are documented with its implementation in passes/schedule/.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineMap

from ..dialects import sched
from ..dialects.sched import Param, StepOp
from ..frontend.te.expr import Axis
from ..frontend.te.tensor import Definition, Tensor
from ..machines.target import Target
from ..runtime.spelling import SuggestsNames
from ..support.diagnostics import ScheduleError
from .scheduled_kernel import AppliedScript, Params, ScheduledKernel

AxisName: TypeAlias = "Axis | str"
StageKey: TypeAlias = "Tensor | Definition | BufferSteps[Any] | str"
"""What identifies a stage: a tensor, the tensor's definition, the stage, or its name."""

Operand: TypeAlias = "StageKey | int"
"""An operand of a compute: a tensor, a stage, or its number (inputs first, then post operands)."""

Layout: TypeAlias = "AffineMapAttr | AffineMap | Callable[..., object]"
"""An affine map, or a function: ``lambda i, j: (j // 8, i, j % 8)``."""


S = TypeVar("S", covariant=True)


class StageSchedule(Protocol[S]):
    """The part of a schedule that its stages use, as an interface; S is the class of stages."""

    @property
    def target(self) -> Target: ...

    @property
    def has_target(self) -> bool: ...

    @property
    def stages(self) -> list[str]: ...

    def __getitem__(self, key: StageKey) -> S: ...

    def kernel_of(self, *names: str) -> ScheduledKernel: ...

    def operand_numbers(self, made: AppliedScript, stage: str, tensor: StageKey) -> list[int]: ...

    def cache_read(
        self, tensor: StageKey, scope: str = "local", readers: Sequence[StageKey] = ()
    ) -> S: ...

    def step(
        self,
        op: type[StepOp],
        stages: Sequence[StageKey],
        params: Params,
        by_axis: Mapping[str, Param] | None = None,
    ) -> list[str]: ...


class BufferSteps(ABC, SuggestsNames, Generic[S]):
    """The methods of Stage for buffers and reductions; S is the class of stages.

    In all methods, ``out`` is the number of the stage's output, 0 for a stage with one output.
    """

    schedule: StageSchedule[S]
    name: str

    @abstractmethod
    def _step(
        self, op: type[StepOp], params: Params, by_axis: Mapping[str, Param] | None = None
    ) -> list[str]: ...

    @abstractmethod
    def _axis(self, axis: AxisName) -> str: ...

    def _with_operand(self, operand: Operand, params: Mapping[str, Param]) -> Params:
        if isinstance(operand, int):
            return {"operand": operand, **params}
        return lambda made: {
            "operand": self.schedule.operand_numbers(made, self.name, operand)[0],
            **params,
        }

    # ---- copies

    def cache_write(self, scope: str = "local", out: int = 0, *, sums: bool = False) -> S:
        """Compute into a buffer, from which this stage then copies (sched.cache_write).

        scope: the memory of the buffer.  sums: whether the buffer holds the accumulators, so that
        this stage computes the epilogue.
        Returns the stage that computes into the buffer.
        """
        params: dict[str, Param] = {"out": out, "scope": scope}
        names = self._step(sched.CacheWriteOp, {**params, "sums": 1} if sums else params)
        return self.schedule[names[0]]

    def cache_read(self, operand: Operand, scope: str = "local") -> S:
        """Read an operand through a local copy (sched.cache_read).

        operand: a tensor, all of whose reads in the stage are replaced, or the number of one read.
        Returns the stage of the copy.
        """
        if not isinstance(operand, int):
            return self.schedule.cache_read(operand, scope, [self.name])
        params: dict[str, Param] = {"operand": operand, "scope": scope}
        return self.schedule[self._step(sched.CacheReadOp, params)[0]]

    # ---- reductions

    def rfactor(
        self,
        axis: AxisName,
        factor: int | None = None,
        part: str = "inner",
        names: tuple[str, str] | None = None,
    ) -> S:
        """Compute partial results along an axis; this stage combines them (sched.rfactor).

        axis: a reduction axis, or a loop split from a reduction axis.  factor: splits the axis into
        an outer and an inner part, the inner one of this extent; None for no split.  part: the part
        along which there is one partial result per index, inner or outer.  names: the names of both
        parts.
        Returns the stage of the partial results; this stage combines them.
        """
        params: dict[str, Param] = {"axis": self._axis(axis)}
        if factor is not None:
            params |= {"factor": factor, "part": part}
        if names is not None:
            params["into"] = [*names]
        return self.schedule[self._step(sched.RfactorOp, params)[0]]

    def decompose_reduction(self, axis: AxisName | None = None) -> S:
        """Initialize a reduction in a separate stage (sched.decompose_reduction).

        axis: the loop before which the initial values are stored; by default, right before the
        compute.  Returns the stage of the initial values.
        """
        params: dict[str, Param] = {} if axis is None else {"axis": self._axis(axis)}
        return self.schedule[self._step(sched.DecomposeReductionOp, params)[0]]

    def pad_einsum(self, multiples: Mapping[AxisName, int], *, clip: bool = False) -> None:
        """Pad extents of axes to multiples, with zero-filled copies (sched.pad_einsum).

        clip: store only elements inside of the outputs, instead of copying the outputs.
        Errors: ScheduleError for an illegal step, and for multiples that are not a mapping.
        """
        if not isinstance(multiples, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ScheduleError(
                f"pad_einsum of @{self.name} takes a multiple for each axis",
                expected="a mapping such as {axis: 8}",
                got=type(multiples).__name__,
            )
        params: dict[str, Param] = {"clip": 1} if clip else {}
        self._step(sched.PadEinsumOp, params, {self._axis(a): n for a, n in multiples.items()})

    # ---- buffers

    def set_scope(self, scope: str, out: int = 0) -> None:
        """Set the memory scope of the output buffer (sched.set_scope)."""
        self._step(sched.SetScopeOp, {"out": out, "scope": scope})

    def storage_align(self, axis: AxisName, factor: int, offset: int = 0, *, out: int = 0) -> None:
        """Pad the rows of the output buffer, to avoid cache-conflict misses (sched.storage_align).

        The distance in memory between neighbors along ``axis`` becomes a multiple of ``factor``
        plus ``offset``, in elements.
        """
        params: dict[str, Param] = {"out": out, "axis": self._axis(axis), "factor": factor}
        self._step(sched.StorageAlignOp, {**params, "offset": offset})

    def double_buffer(self, out: int = 0, *, stages: int = 2, late: bool = False) -> None:
        """Fill one copy of a buffer for a later iteration while readers use another copy.

        The step is sched.double_buffer.
        stages: the number of copies.  late: load into a local buffer before the uses, and store
        from the local buffer to the copy after the uses.
        """
        params: dict[str, Param] = {"out": out}
        if stages != 2:
            params["stages"] = stages
        if late:
            params["late"] = 1
        self._step(sched.DoubleBufferOp, params)

    def rolling_buffer(self, out: int = 0) -> None:
        """Keep the elements that consecutive iterations share, and compute only new elements.

        The step is sched.rolling_buffer.
        """
        self._step(sched.RollingBufferOp, {"out": out})

    def transform_layout(
        self, layout: Layout, *, operand: Operand | None = None, out: int = 0
    ) -> None:
        """Change the storage order of a buffer (sched.transform_layout).

        layout: the new position of an element, as an affine map or a function of its indices, such
        as ``lambda i, j: (j // 8, i, j % 8)``.
        operand: the operand whose buffer gets the layout: a tensor, or the number of a read; by
        default, it is the output ``out``.
        """
        params: dict[str, Param] = {"map": _affine_map(layout)}
        if operand is None:
            self._step(sched.TransformLayoutOp, {"out": out, **params})
        else:
            self._step(sched.TransformLayoutOp, self._with_operand(operand, params))

    def set_store_predicate(
        self, ranges: Mapping[AxisName, tuple[int, int]], *, out: int = 0
    ) -> None:
        """Store only elements within ranges of axes (sched.set_store_predicate).

        ranges: for each restricted axis, the first position, and the end, which is excluded.
        Errors: ScheduleError for an illegal step, and for ranges that are not a mapping.
        """
        if not isinstance(ranges, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ScheduleError(
                f"set_store_predicate of @{self.name} takes ranges of axes",
                expected="a mapping such as {axis: (first, end)}",
                got=type(ranges).__name__,
                hint="a condition on the values goes into the compute, as te.if_then_else",
            )
        by_axis: dict[str, Param] = {self._axis(a): [*span] for a, span in ranges.items()}
        self._step(sched.SetStorePredicateOp, {"out": out}, by_axis)

    # ---- annotations

    def annotate(self, key: str, value: int | str = 1) -> None:
        """Attach a value under a key to the stage (sched.annotate).

        After lowering, the loops of the stage have the annotation.
        """
        self._step(sched.AnnotateOp, {"key": key, "value": value})

    def pragma(self, key: str, value: int | str = 1) -> None:
        """Attach a value under a key to the stage; another name of `annotate`."""
        self.annotate(key, value)

    def prefetch(self, operand: Operand, axis: AxisName, offset: int = 1, level: int = 3) -> None:
        """Prefetch the elements that a later iteration reads of an operand (sched.prefetch).

        operand: a tensor, or the number of a read.  axis: the loop.  offset: how many iterations
        later.
        level: the cache level, from 0 (no reuse) to 3 (all levels).
        """
        params: dict[str, Param] = {"axis": self._axis(axis), "offset": offset, "level": level}
        self._step(sched.PrefetchOp, self._with_operand(operand, params))


def _affine_map(layout: Layout) -> AffineMapAttr:
    if isinstance(layout, AffineMapAttr):
        return layout
    if isinstance(layout, AffineMap):
        return AffineMapAttr(layout)
    return AffineMapAttr(AffineMap.from_callable(cast("Callable[..., tuple[()]]", layout)))
