"""loop-split-phases: split kernels where other statements depend on a parallel loop.

    packed.call @f(%x, %y)                      %b = packed.alloc : memref<64x64xf32>
                                                packed.call @f_phase0(%x, %b)
                                                packed.call @f_phase1(%b, %y)
    func.func @f(%x, %y) {               ==>
      %b = loop.alloc "local" ..                func.func @f_phase0(%x, %b) {
      loop.for parallel %i = 0 to 64 {            loop.for parallel %i = 0 to 64 {
        .. %x[%i, %j] .. %b[%i, %j]                 .. %x[%i, %j] .. %b[%i, %j]
      loop.for parallel %i = 0 to 64 {          func.func @f_phase1(%b, %y) {
        .. %b[%j, %i] .. %y[%i, %j]               loop.for parallel %i = 0 to 64 {
                                                    .. %b[%j, %i] .. %y[%i, %j]

The tasks of a kernel run in any order, so a statement that depends on all iterations of a parallel
loop must be in another kernel; main, the program's host function, calls the kernels in sequence.
The pass runs after the lowering to loops, because a te.compute may become several dependent loops,
for its border or initial values.  Statements keep their order, and adjacent ones stay in one kernel
unless they depend on each other and one of them is parallel.  A buffer that several phases use
moves to main, and packed-plan-memory gives it an offset in the arena.  A phase with too little work
for a parallel launch runs on the calling thread.  The stack cannot hold a buffer of a dynamic
(symbolic) size, so such a buffer moves to main if several statements use it.  The first phases of
the calls in a packed.sections run together, then the second phases.

Before: kernels are functions of loop ops; their local buffers have no offset yet.
After: the statements of a kernel that main calls are independent, or none is a parallel loop;
kernels that main does not call do not change.  Each phase has a cost (tw.cost), which assumes the
largest trip count of each loop.
Exact: each statement computes the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.cost import loops_cost, statement_cycles
from ...analysis.threads.statements import Statement, statements_of
from ...dialects import packed
from ...dialects.functions import record_cost
from ...dialects.loop import OWN_SCOPES, AllocOp, ForOp
from ...dialects.shape import size_parameters, symbols_of
from ...dialects.sizes import with_sizes
from ...machines.target import Target
from ...machines.target_passes import TargetedPass
from ...support.diagnostics import LoweringError
from ...support.names import Names, symbol_names
from ...support.passes import ExactPass
from ..packed.group_calls import SERIAL_CYCLES


@dataclass(frozen=True)
class SplitPhases(TargetedPass, ExactPass):
    """Split kernels into phases that the main function calls in sequence."""

    name = "loop-split-phases"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        split_kernels(op, self.target, _phases_of_kernel)


KernelPhases: TypeAlias = Callable[[Block, Sequence[Statement]], list[list[Statement]] | None]
"""Groups the statements of a kernel into phases; None if the kernel stays as it is."""


def split_kernels(module: ModuleOp, target: Target, phases: KernelPhases) -> None:
    """Split the kernels that main calls into phases; replace their calls by calls of the phases.

    target: the machine, which decides how much work a parallel launch needs.
    phases: groups the statements of a kernel into phases.
    """
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, FuncOp)}
    calls = _calls(list(functions.values()))
    names = symbol_names(module)
    split: dict[str, _KernelSplit] = {}
    for name in [name for name in functions if name in calls]:
        if (found := _split(functions[name], phases)) is not None:
            found.make_kernels(names, target)
            split[name] = found
    _replace_calls([call for name in split for call in calls[name]], split)


def _calls(functions: Iterable[FuncOp]) -> dict[str, list[packed.CallOp]]:
    """Return the packed.call ops of all functions, by the name of the called kernel."""
    found: dict[str, list[packed.CallOp]] = {}
    blocks = (f.body.block for f in functions if f.body.blocks)
    for op in (op for top in blocks for block in packed.host_blocks(top) for op in block.ops):
        inner = op.calls if isinstance(op, packed.SectionsOp) else (op,)
        for call in inner:
            if isinstance(call, packed.CallOp):
                found.setdefault(call.kernel_name, []).append(call)
    return found


def phases_of(statements: Iterable[Statement]) -> list[list[Statement]]:
    """Divide statements into as few sequences as possible that can each become one kernel."""
    phases: list[list[Statement]] = []
    is_parallel = is_ordered = False
    for statement in statements:
        waits = bool(phases) and statement.conflict(phases[-1]) is not None
        if phases and not ((is_parallel or statement.is_parallel) and (is_ordered or waits)):
            phases[-1].append(statement)
            is_parallel |= statement.is_parallel
            is_ordered |= waits
        else:
            phases.append([statement])
            is_parallel, is_ordered = statement.is_parallel, False
    return phases


def _phases_of_kernel(
    block: Block, statements: Sequence[Statement]
) -> list[list[Statement]] | None:
    """Return the phases of a kernel.

    None if it has neither a parallel loop nor a buffer of dynamic size.
    """
    is_dynamic = any(isinstance(op, AllocOp) and symbols_of(op.res.type) for op in block.ops)
    is_parallel = any(isinstance(op, ForOp) and op.is_parallel for op in block.ops)
    return phases_of(statements) if is_dynamic or is_parallel else None


def _split(function: FuncOp, phases: KernelPhases) -> _KernelSplit | None:
    """Return the split of a kernel into phases; None if no split is needed.

    No split is needed if there is one phase, and no buffer must move to the main function.
    phases: groups the statements of the kernel into phases.
    """
    block = function.body.block
    shared, statements = statements_of(block)
    groups = phases(block, statements)
    if groups is None:
        return None
    if len(groups) == 1 and not any(isinstance(op, AllocOp) for op in shared):
        return None
    split = _KernelSplit(function, shared, groups, statements)
    return split if len(split.groups) > 1 or split.buffers else None


@dataclass
class _Phase:
    """A new kernel with some statements of the split kernel.

    label: its name.  arguments: arguments of the split kernel, and its buffers that move to the
    main function.  is_small: whether it has less work than a parallel launch costs.
    """

    label: str
    arguments: Sequence[SSAValue]
    is_small: bool


class _KernelSplit:
    """A kernel that is split into several kernels.

    shared: the ops outside of all phases.  groups: the statements of each phase.  needs: the values
    that each phase uses and does not define.  buffers: the local buffers that move to the main
    function, which are those that several phases use, and those of dynamic size that several
    statements use.  phases: the new kernels.
    """

    def __init__(
        self,
        function: FuncOp,
        shared: Sequence[Operation],
        phases: Sequence[Sequence[Statement]],
        statements: Sequence[Statement],
    ) -> None:
        self.function, self.shared, self.groups = function, shared, phases
        self.needs = [_needs(shared, group) for group in phases]
        users = [_needs(shared, [statement]) for statement in statements]
        self.buffers = [
            op
            for op in shared
            if isinstance(op, AllocOp)
            and _is_shared(op, users if symbols_of(op.res.type) else self.needs)
        ]
        self.phases: list[_Phase] = []

    def make_kernels(self, names: Names, target: Target) -> None:
        """Insert the kernels of the phases before the function, and detach the function.

        names: all symbols of the module.
        target: the machine for which costs are estimated.
        Errors: LoweringError for a buffer of several phases whose scope is not private to a task.
        """
        for op in self.buffers:
            if op.scope.data not in OWN_SCOPES:
                raise LoweringError(
                    f"%{op.res.name_hint or 'a buffer'} of scope {op.scope.data} is used by "
                    "several kernels",
                    expected=f"one of {', '.join(OWN_SCOPES)}",
                    hint="set_scope chooses the memory of a buffer",
                ).at(op)
        whole = [*self.function.body.block.args, *(op.res for op in self.buffers)]
        for number, (group, need) in enumerate(zip(self.groups, self.needs, strict=True)):
            label = names.fresh(f"{self.function.sym_name.data}_phase{number}")
            arguments = _outputs_last([v for v in whole if v in need], group)
            is_small = (
                all(s.has_known_work() for s in group)
                and sum(statement_cycles(s, target) for s in group) < SERIAL_CYCLES
            )
            self.phases.append(_Phase(label, arguments, is_small))
            self._make_kernel(label, group, need, arguments)
        self.function.detach()

    def _make_kernel(
        self,
        label: str,
        group: Sequence[Statement],
        need: set[SSAValue],
        arguments: Sequence[SSAValue],
    ) -> None:
        """Move the statements of one phase into a new function.

        label: the name of the function.  need: the values that the statements use and do not
        define; ops outside of all phases that define such values, such as constants, are copied
        into the function.
        arguments: the values in ``need`` that become arguments of the function.
        """
        block = Block(arg_types=[v.type for v in arguments])
        values: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
        for old, new in values.items():
            new.name_hint = old.name_hint
        for op in self.shared:
            if any(result in need and result not in values for result in op.results):
                block.add_op(op.clone(values))
        for op in (op for statement in group for op in statement.ops):
            op.detach()
            block.add_op(op)
            for inner in op.walk():
                inner.operands = [values.get(v, v) for v in inner.operands]
        block.add_op(ReturnOp())
        function = FuncOp(label, FunctionType.from_lists(block.arg_types, []), Region(block))
        function.location = self.function.location
        function.attributes.update(self.function.attributes)
        record_cost(function, loops_cost(function))
        Rewriter.insert_op(function, InsertPoint.before(self.function))

    def calls_like(self, call: packed.CallOp) -> tuple[list[Operation], list[packed.CallOp]]:
        """Return the buffers and the calls of the phases that replace one call of the kernel."""
        own = self.function.body.block.args
        values: dict[SSAValue, SSAValue] = dict(zip(own, call.arguments, strict=True))
        sizes = dict(zip(size_parameters(self.function), call.sizes, strict=True))
        buffers: list[Operation] = []
        for op in self.buffers:
            made = packed.AllocOp(with_sizes(op.res.type, sizes))
            made.location, made.res.name_hint = op.location, op.res.name_hint
            values[op.res] = made.res
            buffers.append(made)
        calls: list[packed.CallOp] = []
        for phase in self.phases:
            serial = call.serial is not None or phase.is_small
            arguments = [values[v] for v in phase.arguments]
            new = packed.CallOp(
                phase.label,
                arguments,
                serial=serial,
                unless=None if phase.is_small else call.unless,
                sizes=call.sizes,
                when=None if call.when is None else call.condition,
            )
            new.location = call.location
            calls.append(new)
        return buffers, calls


def _is_shared(op: AllocOp, needs: Sequence[set[SSAValue]]) -> bool:
    return sum(op.res in need for need in needs) > 1


def _needs(shared: Sequence[Operation], group: Sequence[Statement]) -> set[SSAValue]:
    """Return the values that a phase uses and does not define.

    shared: ops outside of the phases, such as constants, of which each phase gets copies; the
    operands of these ops count as used.  group: the statements of the phase.
    """
    inside = [inner for s in group for op in s.ops for inner in op.walk()]
    found: set[SSAValue] = {value for op in inside for value in op.operands}
    for op in reversed(shared):
        if not found.isdisjoint(op.results):
            found.update(op.operands)
    return found


def _outputs_last(values: Sequence[SSAValue], group: Sequence[Statement]) -> list[SSAValue]:
    """Return buffers in the order of call arguments: first those that a phase only reads.

    values: the buffers.
    group: the statements of the phase, which decide which buffers are written.
    """
    written = {b for statement in group for b in statement.accesses if statement.writes(b)}
    return sorted(values, key=lambda value: value in written)


# ---- calls


def _replace_calls(calls: Sequence[packed.CallOp], split: dict[str, _KernelSplit]) -> None:
    for call in calls:
        if not isinstance(call.parent_op(), packed.SectionsOp):
            buffers, phases = split[call.kernel_name].calls_like(call)
            _replace(call, [*buffers, *phases])
    sections = dict.fromkeys(
        parent for c in calls if isinstance(parent := c.parent_op(), packed.SectionsOp)
    )
    for op in sections:
        _split_sections(op, split)


def _split_sections(sections: packed.SectionsOp, split: dict[str, _KernelSplit]) -> None:
    """Replace a packed.sections by one for the first phases of its calls, one for the second, etc.

    split: the split kernels by name.
    """
    buffers: list[Operation] = []
    turns: list[list[packed.CallOp]] = []
    for call in sections.calls:
        call.detach()
        phases = [call]
        if call.kernel_name in split:
            made, phases = split[call.kernel_name].calls_like(call)
            buffers += made
            call.erase()
        turns += [[] for _ in range(len(phases) - len(turns))]
        for turn, phase in zip(turns, phases, strict=False):
            turn.append(phase)
    _replace(sections, [*buffers, *(_together(turn, sections) for turn in turns)])


def _together(calls: Sequence[packed.CallOp], like: packed.SectionsOp) -> Operation:
    """Return a packed.sections with these independent calls; a single call is returned alone.

    like: the op whose location it gets.
    """
    if len(calls) == 1:
        return calls[0]
    for call in calls:
        call.properties.pop("serial", None)
    made = packed.SectionsOp(calls)
    made.location = like.location
    return made


def _replace(op: Operation, new: Sequence[Operation]) -> None:
    block = cast(Block, op.parent_block())
    block.insert_ops_before(list(new), op)
    Rewriter.erase_op(op)
