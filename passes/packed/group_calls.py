"""packed-group-calls: group independent kernel calls into parallel sections; mark serial calls.

    packed.call @query(%x, %wq, %q)     packed.call @key(%x, %wk, %k)     packed.call @tiny(%k, %t)
==>
    packed.sections {
      packed.call @query(%x, %wq, %q)
      packed.call @key(%x, %wk, %k)
    }
    packed.call serial @tiny(%k, %t)

Consecutive independent calls run as one parallel loop: threads synchronize once after all of them,
and tasks of one call fill the gaps of another. Calls under different conditions are not grouped,
because often only one of them runs. A call with less work than a parallel launch costs runs
serially on the calling thread. For dynamic (symbolic) sizes, an expression of the sizes decides at
run time; the call is serial if it is 0:

    packed.call serial unless <floordiv(n, 512)> @rows(%x, %y) sizes [n]

Before: kernels in buffer form, not scheduled; main holds calls.  After: the calls of one section
are independent, so their tasks may run in any order; other calls keep their order.
Exact: each task computes the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import MemoryAllocEffect, is_side_effect_free

from ...analysis.cost import kernel_cycles
from ...analysis.effects import Effect, kernel_effects
from ...dialects.packed import (
    AllocOp,
    CallOp,
    CheckIndicesOp,
    ConstantOp,
    SectionsOp,
    SliceOp,
    ViewOp,
    host_blocks,
)
from ...dialects.shape import Dim, DimsAttr, element_count, likely, size_parameters
from ...dialects.te import ComputeOp, KernelOp, ScatterOp, kernels_of
from ...machines.target_passes import TargetedPass
from ...support.entry import defined_functions

SERIAL_CYCLES = 4096
"""Calls below this run serially, because a launch takes 1-2 us and moves data between caches.

The estimate is a lower bound, for most kernels two to five times below the run time
(analysis/cost.py).
"""

POINTS_PER_CYCLE = 64
"""The most points of a compute per cycle: two vectors of bytes."""


@dataclass(frozen=True)
class Facts:
    """The analysis results of a kernel.

    effects: the reads and writes of each argument.
    cycles: the estimated cycles of one call.
    sizes: the size parameters of the kernel.
    shared: an expression of ``sizes`` that is 0 if a call takes less than SERIAL_CYCLES, so that
    one thread should run it; None if the kernel has no dynamic size.
    """

    effects: tuple[tuple[Effect, ...], ...]
    cycles: float
    sizes: tuple[str, ...] = ()
    shared: Dim | None = None


@dataclass(frozen=True)
class GroupCalls(TargetedPass):
    """Form parallel sections of independent calls, and mark serial calls."""

    name = "packed-group-calls"
    has_threads: ClassVar[bool] = True
    """Whether the calls run on threads, which a call with little work should not start."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        facts = {kernel.label: self._facts(kernel) for kernel in kernels_of(op)}
        for function in defined_functions(op):
            for block in list(host_blocks(function.body.block)):
                _group_block(block, facts, self._close)

    def _facts(self, kernel: KernelOp) -> Facts:
        cycles = kernel_cycles(kernel, self.target)
        return Facts(
            kernel_effects(kernel), cycles, size_parameters(kernel), _shared(kernel, cycles)
        )

    def _close(self, group: CallGroup, facts: Mapping[str, Facts]) -> None:
        """Put a group's calls into a parallel section if it is faster.

        Without a section, threads do not run the small calls of the group: mark these serial.
        facts: the analysis results of the kernels, by label.
        """
        cycles = sum(facts[call.kernel_name].cycles for call in group.calls)
        if len(group.calls) > 1 and (cycles >= SERIAL_CYCLES or not self.has_threads):
            _form_sections(group.calls)
        elif self.has_threads:
            for call in group.calls:
                if facts[call.kernel_name].cycles < SERIAL_CYCLES:
                    call.properties["serial"] = UnitAttr()
                _share_by_size(call, facts[call.kernel_name])


def _shared(kernel: KernelOp, cycles: float) -> Dim | None:
    """Return an expression of a kernel's sizes that is 0 if one thread should run a call.

    This is so if the call takes less than SERIAL_CYCLES. The expression is the number of iteration
    points, divided by the number of points that are computed in SERIAL_CYCLES, and rounded down.
    None if the number of iteration points is constant.
    cycles: the estimated cycles of a call of likely sizes.
    """
    if not size_parameters(kernel):
        return None
    computes = (op for op in kernel.body.walk() if isinstance(op, ComputeOp | ScatterOp))
    extents = (map(Dim.of, op.iteration_space.values()) for op in computes)
    points = sum(map(element_count, extents), Dim.const(0))
    if points.value is not None:
        return None
    unit = int(likely(points) * SERIAL_CYCLES / max(cycles, 1))
    return points // min(max(1, unit), POINTS_PER_CYCLE * SERIAL_CYCLES)


Touch: TypeAlias = tuple[SSAValue | None, tuple[int, ...], Effect]
"""A buffer, the shape in which an effect counts its elements, and the effect.

The buffer is None if control flow makes it unknown.
"""


@dataclass
class CallGroup:
    """Calls that may run in parallel, and their effects on buffers.

    touches: the effects of the calls, by buffer.
    """

    calls: list[CallOp] = field(default_factory=list[CallOp])
    touches: dict[SSAValue | None, list[Touch]] = field(
        default_factory=dict[SSAValue | None, list[Touch]]
    )

    def add(self, call: CallOp, touches: Sequence[Touch]) -> None:
        """Add a call to the group; ``touches`` are its effects on buffers."""
        self.calls.append(call)
        for touch in touches:
            self.touches.setdefault(touch[0], []).append(touch)

    def accepts(self, touches: Sequence[Touch]) -> bool:
        """Return whether a call is independent of all calls of the group.

        touches: the effects of the call on buffers.
        """
        return not any(self._conflicts(touch) for touch in touches)

    def _conflicts(self, touch: Touch) -> bool:
        memory, shape, effect = touch
        if memory is None:
            others = chain.from_iterable(self.touches.values())
            return any(effect.is_write or other.is_write for _, _, other in others)
        for _, other_shape, other in self.touches.get(memory, ()):
            is_either = effect.is_write or other.is_write
            if effect.conflicts(other) if shape == other_shape else is_either:
                return True
        return any(effect.is_write or other.is_write for _, _, other in self.touches.get(None, ()))


def _group_block(
    block: Block,
    facts: Mapping[str, Facts],
    close: Callable[[CallGroup, Mapping[str, Facts]], None],
) -> None:
    group = CallGroup()
    for op in list(block.ops):
        if isinstance(op, CallOp) and op.kernel_name in facts:
            touches = _touches(op, facts[op.kernel_name])
            is_alike = not group.calls or group.calls[-1].condition == op.condition
            if not is_alike or not group.accepts(touches):
                close(group, facts)
                group = CallGroup()
            group.add(op, touches)
        elif isinstance(op, CheckIndicesOp) and group.accepts(_reads(op)):
            continue
        elif not _is_address(op):
            close(group, facts)
            group = CallGroup()
    close(group, facts)


def _reads(op: CheckIndicesOp) -> list[Touch]:
    """Return the effects of an index check on buffers: reads of its operands.

    A call that writes none of them can therefore join the group that runs before the check.
    """
    return [(_memory(value), (), Effect(False, None)) for value in op.operands]


def _touches(call: CallOp, facts: Facts) -> list[Touch]:
    """Return the effects of a call on buffers.

    An access to a slice or a reshaped view counts as an access to the whole buffer.
    facts: the analysis results of the called kernel.
    """
    found: list[Touch] = []
    for value, effects in zip(call.arguments, facts.effects, strict=True):
        memory = _memory(value)
        if isinstance(memory, OpResult) and isinstance(memory.owner, ConstantOp):
            continue
        own = _whole_view(value)
        for effect in effects:
            placed = effect if own is memory else Effect(effect.is_write, None)
            found.append((memory, _shape(value), placed))
    return found


def _whole_view(value: SSAValue) -> SSAValue:
    """Return the buffer at the start of a chain of packed.view ops."""
    while isinstance(value.owner, ViewOp):
        value = value.owner.x
    return value


def _shape(value: SSAValue) -> tuple[int, ...]:
    return value.type.get_shape() if isinstance(value.type, MemRefType) else ()


def _memory(value: SSAValue) -> SSAValue | None:
    """Return the buffer to which views and slices refer; None if it is unknown."""
    while isinstance(value.owner, ViewOp | SliceOp):
        value = value.owner.x
    if isinstance(value.owner, Block):
        return value if isinstance(value.owner.parent_op(), FuncOp) else None
    return value if isinstance(value.owner, AllocOp | ConstantOp) else None


def _is_address(op: Operation) -> bool:
    """Return whether an op only computes an address, so that it can move earlier."""
    return op.has_trait(MemoryAllocEffect) or is_side_effect_free(op)


def _form_sections(calls: Sequence[CallOp]) -> None:
    """Put calls that are independent of each other into a parallel section."""
    first = calls[0]
    block = first.parent_block()
    assert block is not None
    _hoist_addresses(block, first, calls[-1])
    for call in calls[1:]:
        call.detach()
    sections = SectionsOp([])
    sections.location = first.location
    block.insert_op_before(sections, first)
    first.detach()
    sections.body.block.add_ops(calls)


def _share_by_size(call: CallOp, facts: Facts) -> None:
    """Record on a call the expression of sizes that decides whether several threads run it."""
    if facts.shared is None:
        return
    given = facts.shared.substitute(dict(zip(facts.sizes, call.sizes, strict=True)))
    if given.value is None:
        call.properties["serial"] = UnitAttr()
        call.properties["unless"] = DimsAttr((given,))


def _hoist_addresses(block: Block, first: CallOp, last: CallOp) -> None:
    """Move the address computations between the first and the last call before the first call."""
    op = first.next_op
    while op is not None and op is not last:
        following = op.next_op
        if not isinstance(op, CallOp):
            op.detach()
            block.insert_op_before(op, first)
        op = following
