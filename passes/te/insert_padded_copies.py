"""te-insert-padded-copies: copy row-major values that are read with padding but have no halo.

    %y = packed.call @pool(%x)           reads %x[.., h + r - 1, w + s - 1] pad 0.0
    func.return %x, %y
==>
    %c = packed.call @copy(%x)
    %y = packed.call @pool(%c)
    func.return %x, %y

A value has no halo (passes/te/storage.py) if main returns it, alone or as part of a concat, if a
body reads it as a whole, or if its readers use several pad values.  A reader then cannot load
padded vectors along its rows, so the reader gets a copy with a halo.  A reader with a blocked
result reads the padded value itself, because it loads single elements.

Before: main on tensors, after te-outline; each kernel has one call.
After: padded operands of reductions with a row-major result have a halo, except if one kernel reads
one value with two pad values.  Exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import packed
from ...dialects.te import ComputeOp, KernelOp, kernels_of
from ...dialects.te.layout import block_sizes
from ...support.entry import find_entry
from ...support.names import Names, symbol_names
from ...support.passes import ExactPass
from .insert_boundary_copies import insert_copy
from .outline import make_kernel
from .storage import assign_storage, padded_reads

Group: TypeAlias = tuple[SSAValue, Attribute | None, Block]
"""The reads that one copy serves: a value, a pad value, and the block of the readers."""


@dataclass(frozen=True)
class InsertPaddedCopies(ExactPass):
    """Copy values without a halo that reductions read with padding."""

    name = "te-insert-padded-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = find_entry(op)
        if main is None:
            return
        names = symbol_names(op)
        copied: set[SSAValue] = set()
        while found := _bare_reads(main, {k.label: k for k in kernels_of(op)}, copied):
            for value, pad, block in _all_but_one(found):
                copied.add(_insert(main, value, found[value, pad, block], names))


def _bare_reads(
    main: FuncOp, kernels: Mapping[str, KernelOp], copied: set[SSAValue]
) -> dict[Group, list[packed.CallOp]]:
    """Return the calls whose reductions read a value with padding, although the value has no halo.

    The calls are grouped by value, pad value and block.
    kernels: the kernels by label.  copied: values that are left out, because they have been copied
    already.
    """
    storage = assign_storage(main, kernels)
    found: dict[Group, list[packed.CallOp]] = {}
    for call in [op for op in packed.host_ops(main.body.block) if isinstance(op, packed.CallOp)]:
        block = call.parent_block()
        assert block is not None
        if any(block_sizes(storage[result].layout) for result in call.results):
            continue
        bare: dict[SSAValue, Attribute | None] = {}
        for value, access, view in padded_reads(call, kernels[call.kernel_name]):
            own = storage.get(value)
            sums = any(view.axes[a] != 1 for a in view.reduced_axes())
            if own is None or value in copied or block_sizes(own.layout) or not sums:
                continue
            if not own.covers(access, view):
                bare.setdefault(value, access.pad)
        for value, pad in bare.items():
            found.setdefault((value, pad, block), []).append(call)
    return found


def _all_but_one(groups: Iterable[Group]) -> list[Group]:
    """Return the groups of calls that must read a copy of their value.

    If a value has several groups, the first one is left out: with the other groups on copies, the
    value is read with one pad value only, so it can get a halo. A single group of a value reads a
    copy.
    """
    of_value: dict[SSAValue, list[Group]] = {}
    for group in groups:
        of_value.setdefault(group[0], []).append(group)
    return [group for same in of_value.values() for group in (same[1:] or same)]


def _insert(main: FuncOp, value: SSAValue, readers: list[packed.CallOp], names: Names) -> SSAValue:
    """Insert a copy of a value, redirect calls to the copy, and return it.

    readers: the calls, all in one block, in program order.  names: all symbols of the module.
    """
    copy = insert_copy(readers[0], value, None)
    for reader in readers:
        reader.operands = [copy if v is value else v for v in reader.operands]
    op = copy.owner
    assert isinstance(op, ComputeOp)
    Rewriter.insert_op(make_kernel([op], names.fresh(op.label)), InsertPoint.before(main))
    return next(v for v in readers[0].operands if v.owner is readers[0].prev_op)
