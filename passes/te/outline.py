"""te-outline: group computes into te.kernel ops; main becomes calls.

    %m = te.compute @max …  %e = te.compute @exp …  %s = te.compute @sum …  %y = te.compute @mul …
==>
    te.kernel @softmax(%x) { …the four computes… }      %y = packed.call @softmax(%x)

These ops get their own kernels:
- a contraction, because adjacent computes are already fused into its body and epilogue;
- a matrix product with a single row, which streams its weights: the layout of the weights decides
  its loops, and its results cost little to store and load compared with the weights;
- a sum over a sliding window: one load is used for several pixels, which a loop over the rows of a
  reader that normalizes channels would separate;
- a te.scatter, te.sort or te.loops: its tasks need all elements that they read or change.

The parts of an attention (analysis/patterns/attention.py) form one kernel.  A contraction with
``role(joins_reader)`` joins the kernel of its only reader, if that kernel has one op.  Other
computes join the kernel of their readers if this kernel has all of their readers, an outer parallel
axis is shared (analysis/patterns/sharing.py), the slices of the intermediates fit in
``budget_bytes``, and the kernel has fewer than MOST_MEMBERS computes.

Before: main has te ops on tensors, packed.constant and control flow.  After: main has packed ops;
the te ops of a kernel come from one block; each kernel is isolated and lists its constant
arguments.  Exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    f32,
    f64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.patterns.attention import Attention, find_attention
from ...analysis.patterns.contraction import slides
from ...analysis.patterns.sharing import Member, SharingGroup
from ...analysis.strides import axis_stride
from ...dialects.loop import SizeOp
from ...dialects.packed import CallOp, ConstantOp, host_blocks
from ...dialects.shape import SIZES, Dim, symbols_of
from ...dialects.sizes import symbols_in
from ...dialects.te import Access, ComputeOp, ComputeView, KernelOp, ReturnOp, TensorOp
from ...dialects.te.role import Concat, JoinsReader
from ...support.entry import find_entry
from ...support.locations import fused_location
from ...support.names import Names, symbol_names
from ...support.passes import ExactPass
from .fuse_elementwise import is_contraction

MOST_MEMBERS = 32
"""Most computes of a kernel: plans and schedules take quadratic time for more."""


@dataclass(frozen=True)
class Outline(ExactPass):
    """Group computes into kernels.

    budget_bytes: the most bytes that the slices of a kernel's intermediate results may have.
    """

    name = "te-outline"

    budget_bytes: int = 256 * 1024

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = find_entry(op)
        if main is not None:
            names = symbol_names(op)
            for block in list(host_blocks(main.body.block)):
                _outline_groups(op, self.groups(block), names)

    def groups(self, block: Block) -> list[list[TensorOp]]:
        """Return the te ops of a block of main in groups, one per future kernel."""
        return group_computes(block, self.budget_bytes)


def outline_runs(module: ModuleOp) -> None:
    """Make one kernel of each maximal sequence of consecutive computes, and of each other te op.

    This is for programs with schedules that a person wrote.
    """
    names = symbol_names(module)
    for func in [op for op in module.ops if isinstance(op, FuncOp)]:
        for block in list(host_blocks(func.body.block)):
            groups = _runs(block)
            _outline_groups(module, groups, names)


def _runs(block: Block) -> list[list[TensorOp]]:
    """Return the te ops of a block in groups: sequences of computes, and each other op alone."""
    groups: list[list[TensorOp]] = []
    takes_more = False
    for op in block.ops:
        if isinstance(op, ComputeOp) and takes_more:
            groups[-1].append(op)
        elif isinstance(op, TensorOp):
            groups.append([op])
        if op.operands or isinstance(op, TensorOp):
            takes_more = isinstance(op, ComputeOp)
    return groups


def _outline_groups(module: ModuleOp, groups: Iterable[list[TensorOp]], names: Names) -> None:
    anchor = module.body.block.first_op
    assert anchor is not None
    for group in groups:
        kernel = make_kernel(group, names.fresh(_group_name(group)))
        module.body.block.insert_op_before(kernel, anchor)


Remark: TypeAlias = Callable[[TensorOp, str], None]
"""A function that is called with an op, and the reason why it does not join its readers' kernel."""


def group_computes(
    block: Block, budget_bytes: int, remark: Remark | None = None
) -> list[list[TensorOp]]:
    """Return the te ops of a block in groups, one per kernel, ordered by their last ops.

    budget_bytes: the most bytes of the slices of a kernel's intermediate results.  remark: called
    for each op whose readers are in a kernel that it does not join.
    """
    computes = [op for op in block.ops if isinstance(op, TensorOp)]
    group_of: dict[Operation, _FutureKernel] = {}
    groups: list[_FutureKernel] = []
    for op in reversed(computes):
        if op in group_of:
            continue
        attention = find_attention(op) if isinstance(op, ComputeOp) else None
        if attention is not None and _is_blocked(attention):
            groups.append(_FutureKernel(attention.members))
            group_of |= dict.fromkeys(attention.members, groups[-1])
            continue
        readers = {u.operation for r in op.results for u in r.uses}
        homes = {group_of.get(reader) for reader in readers}
        home = homes.pop() if len(homes) == 1 else None
        reason = _SEVERAL if home is None else home.take(op, readers, budget_bytes)
        if home is None or reason:
            if remark is not None and readers & group_of.keys():
                remark(op, reason)
            home = _FutureKernel([op])
            groups.append(home)
        group_of[op] = home
    return [group.members[::-1] for group in reversed(groups)]


class _FutureKernel:
    """The te ops of a future kernel.

    members: the ops, the last one first.
    """

    def __init__(self, ops: Sequence[TensorOp]) -> None:
        self.members = [*reversed(ops)]
        self._sharing: SharingGroup | None = None
        self._views: dict[Operation, ComputeView] = {}
        self._takes_more = all(isinstance(op, ComputeOp) for op in ops)

    def take(self, op: TensorOp, readers: Iterable[Operation], budget_bytes: int) -> str:
        """Add an op in front of the group, or return the reason why it may not join the kernel.

        readers: all readers of the op; they are in the group.
        budget_bytes: the most bytes of the slices of the kernel's intermediate results.
        Returns an empty text if the op was added.
        """
        if not isinstance(op, ComputeOp):
            return f"a {op.name} has a kernel of its own"
        if not (reason := self._reason_against(op, readers, budget_bytes)):
            self.members.append(op)
        return reason

    def _reason_against(
        self, op: ComputeOp, readers: Iterable[Operation], budget_bytes: int
    ) -> str:
        """Return the reason why an op may not join the kernel; an empty text if it may.

        readers: all readers of the op; they are in the group.
        budget_bytes: the most bytes of the slices of the kernel's intermediate results.
        """
        if not self._takes_more:
            return _CLOSED
        if op.has_role(JoinsReader):
            return "" if len(self.members) == 1 else "its reader shares a kernel with other ops"
        if len(self.members) == MOST_MEMBERS:
            return f"the kernel of its reader has {MOST_MEMBERS} ops already"
        sharing = self._shared_by_members()
        member = sharing.member(op)
        if not self._takes_more:
            return _CLOSED
        if not _fuses(member):
            return "a contraction, window or concatenation has a kernel of its own"
        # Local buffers are row-major, so all computes of a kernel must have the same layout.
        known = sharing.members[0].view.outputs[0].layout
        if any(output.layout != known for output in member.view.outputs):
            return "its result has another layout than that of its reader"
        reads = [a for r in readers for a in self._views[r].inputs if a.value in op.results]
        # In a shared kernel, a window would recompute or buffer the rows of its neighbors.
        if any(a.pad is not None or not _is_plain(a) for a in reads):
            return "its reader reads a window, a padding or a reordered axis of it"
        if not sharing.fits(member, budget_bytes):
            return (
                "they share no outer axis along which their intermediate results fit in "
                f"{budget_bytes} bytes"
            )
        shared = sharing.shared_with(member)
        if known is None and any(m.splits_blocks(shared) for m in (member, *sharing.members)):
            return "a loop over their shared outer axis would read single elements of blocks"
        return ""

    def _shared_by_members(self) -> SharingGroup:
        """Return the axes and sizes that all ops of the future kernel share.

        They decide whether a further op can join. The method also closes the kernel for further ops
        if one of its ops must not share a kernel with its producers, or stores its results in
        another layout than the last op.
        """
        sharing = self._sharing = self._sharing or SharingGroup(cast(ComputeOp, self.members[0]))
        for op in self.members[len(sharing.members) :]:
            sharing.add(sharing.member(cast(ComputeOp, op)))
        for member in sharing.members[len(self._views) :]:
            self._views[member.op] = member.view
            layouts = {output.layout for output in member.view.outputs}
            same = layouts == {sharing.members[0].view.outputs[0].layout}
            self._takes_more = self._takes_more and same and _fuses(member)
        return sharing


_SEVERAL = "its readers are in several kernels"
_CLOSED = "its reader is a contraction, window or concatenation, which begins its kernel"


def _fuses(member: Member) -> bool:
    """Return whether the kernel of a compute may also contain the producers of its operands.

    Not for a concat, a product, or a sum over sliding windows.
    member: the compute.
    """
    view = member.view
    if member.op.has_role(Concat) or _is_product(view):
        return False
    return not any(slides(view, access) for access in view.inputs)


def _is_blocked(attention: Attention) -> bool:
    """Return whether the computes of an attention become one kernel over blocks of keys.

    This requires that a plan can use blocks of a constant size: the number of keys must be known,
    or the attention must have a query axis, or its scores, maxima, exponentials and sums must be
    f32 or f64.
    """
    keys = attention.keys_of(0)
    extent = 1 if keys is None else attention.scores.view().axes[keys]
    types = {op.view().outputs[0].element_type for op in attention.members[:4]}
    return isinstance(extent, int) or attention.query is not None or types <= {f32, f64}


def _is_product(view: ComputeView) -> bool:
    return is_contraction(view) or any(_streams(view, access) for access in view.inputs)


def _streams(view: ComputeView, access: Access) -> bool:
    """Return whether an access reads the weights of a matrix product that has a single row.

    Each weight is then used once. The weights are constant, or strided along the reduced axis;
    other operands are read row by row in any kernel.
    """
    needed = {a for a, extent in view.axes.items() if extent != 1}
    reduced = [a for a in view.reduced_axes() if a in needed]
    if access.is_index or not reduced or not _is_plain(access) or not needed <= access.axes():
        return False
    rows = [a for a in view.inputs if not a.is_index and a is not access]
    if not any(needed - a.axes() - set(reduced) for a in rows):
        return False
    is_constant = access.value is not None and isinstance(access.value.owner, ConstantOp)
    return is_constant or axis_stride(access, reduced[-1]) != 1


def _is_plain(access: Access) -> bool:
    return all(e.is_constant or e.variable() is not None for e in access.indices or [])


def _group_name(group: list[TensorOp]) -> str:
    first = group[0].label
    return (first.split("_")[0] or first) if len(group) > 1 else first


def make_kernel(group: list[TensorOp], name: str) -> KernelOp:
    """Move te ops of a block into a new kernel, and insert its call before the last op.

    group: the ops, in program order.
    name: the name of the kernel.
    Returns the kernel, which the caller inserts into the module.
    """
    inside = set(group)
    last = group[-1]
    outside = dict.fromkeys(v for op in group for v in op.operands if v.owner not in inside)
    inputs = [v for v in outside if not isinstance(v.owner, SizeOp)]
    results = [r for op in group for r in op.results if _is_result(r, inside)]
    body = Block(arg_types=[v.type for v in inputs])
    sizes = symbols_in(group)
    call = CallOp(name, inputs, [r.type for r in results], sizes=[Dim.sym(s) for s in sizes])
    call.location = fused_location(op.location for op in group)
    Rewriter.insert_op(call, InsertPoint.before(last))
    for old, new in zip(results, call.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_uses_with_if(new, lambda use: use.operation not in inside)
    _name_computes(group)
    for value in outside:
        if isinstance(value.owner, SizeOp):
            own = value.owner.clone()
            body.add_op(own)
            value.replace_uses_with_if(own.res, lambda use: use.operation in inside)
    for op in group:
        op.detach()
        body.add_op(op)
    _bind_arguments(body, inputs)
    body.add_op(ReturnOp(results))
    constants = [i for i, v in enumerate(inputs) if isinstance(v.owner, ConstantOp)]
    kernel = KernelOp(name, FunctionType.from_lists([], []), Region(body), constants=constants)
    kernel.update_function_type()
    kernel.location = call.location
    if sizes:
        kernel.properties[SIZES] = ArrayAttr([StringAttr(size) for size in sizes])
    return kernel


def _is_result(value: SSAValue, inside: set[TensorOp]) -> bool:
    """Return whether a value of an op in a kernel becomes a result of the kernel.

    It does if it is used outside, or if it has a dynamic size, which only the main function can
    allocate.
    inside: the ops of the kernel.
    """
    if not value.uses:
        return bool(symbols_of(value.type))
    return any(use.operation not in inside for use in value.uses)


def _bind_arguments(body: Block, inputs: list[SSAValue]) -> None:
    for i, (argument, value) in enumerate(zip(body.args, inputs, strict=True)):
        # The names depend on positions only, so that equal kernels are printed equally.
        argument.name_hint = f"{'w' if isinstance(value.owner, ConstantOp) else 'x'}{i}"
        value.replace_uses_with_if(argument, lambda use: use.operation.parent_block() is body)


def _name_computes(group: list[TensorOp]) -> None:
    """Give the computes of a kernel distinct labels, because schedules match computes by label."""
    names = Names()
    for op in group:
        op.properties["sym_name"] = StringAttr(names.fresh(op.label))
