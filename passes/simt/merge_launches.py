"""simt-merge-launches: compute small independent kernels in one launch.

    packed.sections {                           func.func @f_g(%x, %y, %z) {
      packed.call @f(%x, %y)                      %bx = simt.block_id x below 12
      packed.call @g(%x, %z) }                    %first = loop.cmp "slt" %bx, 8
    func.func @f(%x, %y) {                        loop.if %first { .. %x[%bx] .. %y[%bx] }
      %bx = simt.block_id x below 8        ==>    %last = loop.cmp "sge" %bx, 8
      .. %x[%bx] .. %y[%bx] }                     loop.if %last {
    func.func @g(%x, %z) {                          %own = loop.index [%bx - 8]
      %bx = simt.block_id x below 4                 .. %x[%own] .. %z[%own] }
      .. %x[%bx] .. %z[%bx] }                     func.return }

A small kernel takes less time than its launch.  The merged kernels have blocks of the same size, a
grid of one dimension and of constant size, no shared memory and no barriers.

Before: mapped kernels; the calls of a packed.sections are independent.
After: main has no packed.sections; kernels of one section with the form above are one kernel, if
each of them alone cannot fill the GPU.
Exact: the same operations on the same values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.functions import record_cost, recorded_cost
from ...dialects.loop import AllocOp, CompareOp, IfOp, IndexOp, YieldOp
from ...dialects.packed import CallOp, SectionsOp
from ...dialects.simt import LAUNCH, BarrierOp, BlockIdOp, LaunchAttr, LaunchSizes, ThreadIdOp
from ...dialects.te.cost import Cost
from ...machines.gpu_limits import gpu_limits
from ...machines.gpu_numbers import numbers_of
from ...machines.target_passes import TargetedPass
from ...support.affine import constant, variable
from ...support.entry import entry_of, kernel_functions
from ...support.locations import fused_location
from ...support.names import Names, symbol_names
from .kernels import mapped_kernels


@dataclass(frozen=True)
class MergeLaunches(TargetedPass):
    """Compute the small kernels of each section of main in one launch."""

    name = "simt-merge-launches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sections = [each for each in entry_of(op).walk() if isinstance(each, SectionsOp)]
        if not sections:
            return
        merging = _Merging(op, self)
        for each in sections:
            merging.dissolve(each)
        merging.drop_uncalled()


class _Merging:
    """The merged kernels of a module.

    made: the merged kernels by the names of the merged ones, and the numbers of their arguments.
    """

    def __init__(self, module: ModuleOp, options: MergeLaunches) -> None:
        self.module, self.target = module, options.target
        self.kernels = {f.sym_name.data: f for f in mapped_kernels(module)}
        self.names = symbol_names(module)
        self.made: dict[tuple[object, ...], FuncOp] = {}

    def dissolve(self, sections: SectionsOp) -> None:
        """Replace a section by its calls, the mergeable ones of which become one call."""
        calls = list(sections.calls)
        for call in calls:
            call.detach()
        for group in self._groups(calls):
            made = self._merged(group) if len(group) > 1 else group[0]
            Rewriter.insert_op(made, InsertPoint.before(sections))
        Rewriter.erase_op(sections)

    def drop_uncalled(self) -> None:
        """Erase the kernels that no call names any more."""
        calls = (op for op in entry_of(self.module).walk() if isinstance(op, CallOp))
        called = {op.kernel_name for op in calls}
        for function in kernel_functions(self.module):
            if function.sym_name.data in self.kernels.keys() - called:
                Rewriter.erase_op(function)

    def _groups(self, calls: Sequence[CallOp]) -> list[list[CallOp]]:
        """Divide calls into groups that become one launch each, in the order of their first."""
        most = gpu_limits(self.target).arguments
        groups: list[list[CallOp]] = []
        for call in calls:
            alike = [g for g in groups if self._kind(g[0]) == self._kind(call) is not None]
            fitting = [g for g in alike if len(_arguments([*g, call])) <= most]
            if fitting:
                fitting[0].append(call)
            else:
                groups.append([call])
        return groups

    def _kind(self, call: CallOp) -> tuple[object, ...] | None:
        """Return a key that mergeable calls have in common; None for a call that stays alone."""
        function = self.kernels.get(call.kernel_name)
        if function is None or call.sizes or call.when is not None:
            return None
        launch = _launch(function)
        x, *others = (blocks.value for blocks in launch.grid)
        numbers = numbers_of(self.target)
        if x is None or others != [1, 1]:
            return None
        if x * launch.threads > numbers.multiprocessors * numbers.threads:
            return None
        ops = list(function.walk())
        if any(isinstance(op, BarrierOp) or _is_shared(op) for op in ops):
            return None
        return launch.block

    def _merged(self, calls: Sequence[CallOp]) -> CallOp:
        values = _arguments(calls)
        functions = [self.kernels[call.kernel_name] for call in calls]
        numbers = tuple(tuple(values.index(v) for v in call.arguments) for call in calls)
        key = (*(call.kernel_name for call in calls), *numbers)
        if key not in self.made:
            made = _merge(functions, numbers, self.names)
            Rewriter.insert_op(made, InsertPoint.before(functions[0]))
            self.made[key] = made
        call = CallOp(self.made[key].sym_name.data, values)
        call.location = fused_location(each.location for each in calls)
        for each in calls:
            each.erase()
        return call


def _arguments(calls: Sequence[CallOp]) -> list[SSAValue]:
    """Return the different arguments of several calls."""
    return list(dict.fromkeys(value for call in calls for value in call.arguments))


def _launch(function: FuncOp) -> LaunchSizes:
    attribute = function.attributes[LAUNCH]
    assert isinstance(attribute, LaunchAttr), "a mapped kernel has a launch"
    return attribute.data


def _is_shared(op: Operation) -> bool:
    return isinstance(op, AllocOp) and op.scope.data == "shared"


# ---- the merged kernel


def _merge(functions: Sequence[FuncOp], numbers: Sequence[Sequence[int]], names: Names) -> FuncOp:
    """Return a kernel that computes what several kernels compute, each in its own blocks.

    functions: the kernels.  numbers: for each argument of each kernel, its number in the new one.
    names: the symbols of the module.
    """
    types = {
        number: argument.type
        for function, own in zip(functions, numbers, strict=True)
        for number, argument in zip(own, function.body.block.args, strict=True)
    }
    entry = Block(arg_types=[types[number] for number in sorted(types)])
    launches = [_launch(function) for function in functions]
    blocks = [launch.grid[0].value or 0 for launch in launches]
    block_id = BlockIdOp("x", sum(blocks))
    block_id.res.name_hint = "bx"
    entry.add_op(block_id)
    ids = dict(_thread_ids(entry, functions))
    first = 0
    for function, own, count in zip(functions, numbers, blocks, strict=True):
        arguments = [entry.args[number] for number in own]
        for argument, old in zip(arguments, function.body.block.args, strict=True):
            argument.name_hint = argument.name_hint or old.name_hint
        is_last = first + count == sum(blocks)
        ends = [("sge", first)] * (first > 0) + [("slt", first + count)] * (not is_last)
        body = _under(entry, block_id.res, ends)
        _copy(function, body, arguments, ids, block_id.res, first)
        first += count
    entry.add_op(ReturnOp())
    made = FuncOp(
        names.fresh(f"{functions[0].sym_name.data}_merged"),
        FunctionType.from_lists([argument.type for argument in entry.args], []),
        Region(entry),
    )
    made.location = fused_location(function.location for function in functions)
    made.attributes[LAUNCH] = LaunchAttr(LaunchSizes.of([first], launches[0].block))
    costs = [cost for f in functions if (cost := recorded_cost(f)) is not None]
    computes = tuple(dict.fromkeys(name for cost in costs for name in cost.computes))
    record_cost(made, Cost(sum(cost.flops for cost in costs), computes))
    return made


def _thread_ids(entry: Block, functions: Sequence[FuncOp]) -> Iterator[tuple[str, SSAValue]]:
    """Append the thread ids that some kernel reads to a block; yield them with their dimensions."""
    ops = (op for function in functions for op in function.walk() if isinstance(op, ThreadIdOp))
    for dimension, op in {op.dimension.data: op for op in ops}.items():
        made = op.clone()
        made.res.name_hint = op.res.name_hint
        entry.add_op(made)
        yield dimension, made.res


def _under(entry: Block, own: SSAValue, ends: Sequence[tuple[str, int]]) -> Block:
    """Append nested branches that compare a value with constants; return the innermost block."""
    block = entry
    for predicate, end in ends:
        limit = IndexOp.make(constant(end))
        test = CompareOp.make(predicate, own, limit.res)
        inner = Block([YieldOp.create()])
        branch = IfOp(operands=[test.res], regions=[Region(inner)])
        made: list[Operation] = [limit, test, branch]
        if block.last_op is not None and isinstance(block.last_op, YieldOp):
            block.insert_ops_before(made, block.last_op)
        else:
            block.add_ops(made)
        block = inner
    return block


def _copy(
    function: FuncOp,
    body: Block,
    arguments: Sequence[SSAValue],
    ids: Mapping[str, SSAValue],
    block_id: SSAValue,
    first: int,
) -> None:
    """Copy the ops of a kernel into a branch of the merged kernel.

    arguments, ids: the values that replace the arguments and the thread ids of the kernel.
    block_id, first: the block id of the merged kernel, and the first block of this kernel.
    """
    old = function.body.block
    values: dict[SSAValue, SSAValue] = dict(zip(old.args, arguments, strict=True))
    end = body.last_op
    assert end is not None, "a branch ends with a yield"
    own = IndexOp.make(variable(block_id) - first)
    body.insert_op_before(own, end)
    for op in list(old.ops)[:-1]:
        if isinstance(op, ThreadIdOp):
            values[op.res] = ids[op.dimension.data]
        elif isinstance(op, BlockIdOp):
            values[op.res] = own.res if first else block_id
        else:
            body.insert_op_before(op.clone(values), end)
    if not own.res.first_use:
        Rewriter.erase_op(own)
