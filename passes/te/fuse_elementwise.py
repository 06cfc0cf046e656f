"""te-fuse-elementwise: fuse data movement and pointwise computes into adjacent computes.

    %s = te.compute @matmul … outs([m, n] add 0.0 : f32 : …)
    %y = te.compute @relu [i, j] ins(%s[i, j]) … body { max(x, 0) }
==>
    %y = te.compute @matmul … outs([m, n] add 0.0 : f32 : …) body … then { max(x, 0) }

Four rules, each run to a fixpoint before the next; 3 and 4 alternate until neither fires:
1. replace a splat constant by arith.constant in the bodies that read it, except in contractions;
   drop axes of extent 1 from reads;
2. compose data movement (transpose, reshape, broadcast, slice) into its readers' index maps;
3. fuse a pointwise consumer into the ``then`` region of a reduction without other readers;
4. inline a cheap pointwise producer into its readers, even if they recompute it for neighboring
   points, as in a stencil: memory traffic would cost more.  A contraction, and a sum of products
   that reads each element for many results, inline no producer.

If a target limits the buffers of a kernel (WebGPU: 8), rules 2, 3 and 4 make no op that accesses
more: the sum of 19 arrays becomes three kernels.

A te.scatter reads like a compute.  Its base and the operands of te.sort and te.loops are not fused,
nor is a compute that reads the base, because a scatter in place must not read what it changes.

Before: main has te ops on tensors, packed.constant and control flow.  After: no compute or scatter
has an unpadded read of a data movement compute of its block; no op moved between blocks.
Exact: the same scalar operations on the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import TypeAlias, TypeGuard

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.index_syntax import typed_scalar
from ...dialects.packed import ConstantOp, host_blocks
from ...dialects.shape import likely
from ...dialects.te import Access, ComputeOp, ComputeView, ScatterOp, ScatterView
from ...dialects.te.role import Concat
from ...machines.gpu_limits import known_limits
from ...machines.target_passes import LimitedPass
from ...support.affine import Atom, Key
from ...support.blocks import returned
from ...support.entry import defined_functions
from ...support.locations import fused_location
from ...support.rewriting import swap_op
from ..rewrite.compose import (
    absorb_consumer,
    copy_body,
    drop_unit_axes,
    erase_unused,
    finish_body,
    inline_producer,
    is_elementwise,
    is_movement,
)

Fusible: TypeAlias = ComputeOp | ScatterOp
"""Ops that can absorb movement and pointwise computes into their reads."""

_HEAVY = (
    math.ExpOp, math.ErfOp, math.TanhOp, math.LogOp, math.SinOp, math.CosOp, math.TanOp,
    math.PowFOp, math.SqrtOp, math.ExpM1Op, math.Log1pOp, math.AtanOp, math.AsinOp, math.AcosOp,
    math.SinhOp, math.CoshOp, math.AsinhOp, math.AcoshOp, math.AtanhOp, arith.DivfOp,
)  # fmt: skip


MANY = 16
"""A producer is not inlined into a sum of products that reads it for this many results."""


@dataclass(frozen=True)
class FuseElementwise(LimitedPass):
    """Fuse data movement and pointwise computes into their producers and consumers.

    max_epilogue_ops: the most scalar ops of a consumer that becomes an epilogue.  max_inlined_ops:
    the most scalar ops of a producer that counts as cheap.  max_body_ops: the most scalar ops of a
    body into which a producer was inlined.
    target: determines the most buffers of a kernel.
    """

    name = "te-fuse-elementwise"

    max_epilogue_ops: int = 40
    max_inlined_ops: int = 8
    max_body_ops: int = 96

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            # Inner blocks first, because their fusion may leave values of outer blocks dead.
            for block in reversed(list(host_blocks(func.body.block))):
                _BlockFusion(block, self).run()


class _BlockFusion:
    """The fusion rules, applied to one block of the main function or of its control flow.

    No op moves to another block.
    limits: the pass, which has the limits of the rules.
    """

    def __init__(self, block: Block, limits: FuseElementwise) -> None:
        self.block, self.limits = block, limits
        known = known_limits(limits.target)
        self._most_buffers = None if known is None else known.arguments
        self._views: dict[Operation, ComputeView] = {}

    def run(self) -> None:
        self._exhaust(self.simplify_reads)
        self._exhaust(self.inline_movement)
        while self._exhaust(self.absorb) or self._exhaust(self.inline_cheap):
            pass

    def _exhaust(self, rule: Callable[[Fusible], bool]) -> bool:
        """Apply a rule to all ops until it changes none of them; return whether it changed any."""
        fired = False
        changed = True
        while changed:
            # Try every op, except those that the rule has just erased.
            turns = [rule(op) for op in self.computes() if op.parent is not None]
            changed = any(turns)
            fired = fired or changed
        erase_unused(self.block)
        return fired

    def computes(self) -> list[Fusible]:
        return [op for op in self.block.ops if isinstance(op, Fusible)]

    def view(self, op: Fusible) -> ComputeView:
        """Return the view of an op, cached until the op or one of its operands is replaced."""
        found = self._views.get(op)
        if found is None:
            found = self._views[op] = op.view()
        return found

    def swap(self, op: Fusible, view: ComputeView) -> Fusible:
        """Replace an op by one with the definition ``view``; return the new op."""
        # A concat with a fused reduction is no longer a concat.
        is_stored = isinstance(op, ComputeOp) and not any(o.reduces for o in view.outputs)
        own = self.view(op).role if is_stored else None
        readers = [use.operation for result in op.results for use in result.uses]
        for stale in (op, *readers):
            self._views.pop(stale, None)
        new = replace(view, role=own)
        if isinstance(new, ScatterView):
            return swap_op(op, ScatterOp.from_view(new))
        return swap_op(op, ComputeOp.from_view(new))

    def simplify_reads(self, op: Fusible) -> bool:
        """Inline a splat constant that an op reads, or drop axes of extent 1 from its reads.

        Returns whether the op changed. Contractions keep splat constants as operands.
        """
        view = self.view(op)
        # A splat weight of a contraction stays an operand: plans expect one.
        for access in () if is_contraction(view) else view.inputs:
            splat = _splat_of(access)
            if splat is not None:
                self.swap(op, _with_constant(view, access, splat))
                return True
        units = {a for a, extent in view.axes.items() if extent == 1}
        if any(units & a.axes() for a in (*view.inputs, *view.post)):
            self.swap(op, drop_unit_axes(view))
            return True
        return False

    def inline_movement(self, op: Fusible) -> bool:
        """Compose a data movement, such as a transpose, into the index map of an op that reads it.

        Returns whether the op changed.
        """
        view = self.view(op)
        for access in (*view.inputs, *view.post):
            producer = self._producer(access, op)
            if producer is None or not is_movement(source := self.view(producer)):
                continue
            fused = inline_producer(view, access, source)
            if self._fits(fused, view):
                new = self.swap(op, drop_unit_axes(fused))
                new.location = fused_location((producer.location, op.location))
                return True
        return False

    def absorb(self, op: Fusible) -> bool:
        """Fuse a pointwise op, the only reader of a reduction, into the reduction's ``then``.

        Returns whether it was fused.
        """
        view = self.view(op)
        if not is_elementwise(view) or _count_ops(view.body) > self.limits.max_epilogue_ops:
            return False
        for access, producer in self._latest_first(op, view):
            source = self.view(producer)
            if any(a.value in producer.results and a is not access for a in view.inputs):
                continue
            fused = absorb_consumer(source, access, view)
            if self._fits(fused, source):
                new = self.swap(op, replace(fused, name=source.name))
                new.location = fused_location((producer.location, op.location))
                Rewriter.erase_op(producer)
                return True
        return False

    def _latest_first(self, op: Fusible, view: ComputeView) -> list[tuple[Access, ComputeOp]]:
        pairs = [
            (a, p)
            for a in view.inputs
            if (p := self._producer(a, op)) is not None and _used_once(p)
        ]
        if len(pairs) < 2:
            return pairs
        order = {op: i for i, op in enumerate(self.block.ops)}
        return sorted(pairs, key=lambda pair: -order[pair[1]])

    def inline_cheap(self, op: Fusible) -> bool:
        """Inline a cheap pointwise producer into an op, which may recompute some of its points.

        Returns whether the op changed.
        """
        view = self.view(op)
        if is_contraction(view):
            return False
        for access in (*view.inputs, *view.post):
            producer = self._producer(access, op)
            if producer is None or producer.has_role(Concat):
                continue
            if not self._cheap_here(view, access, producer):
                continue
            source = self.view(producer)
            fused = inline_producer(view, access, source)
            if self._fits(fused, view):
                name = source.name if is_movement(view) else view.name
                new = self.swap(op, replace(fused, name=name))
                new.location = fused_location((producer.location, op.location))
                return True
        return False

    def _fits(self, fused: ComputeView | None, view: ComputeView) -> TypeGuard[ComputeView]:
        """Return whether a fusion is possible, and its op accesses no more buffers than allowed.

        fused: the op after the fusion; None if it is not possible.  view: the op before it.
        """
        if fused is None or self._most_buffers is None:
            return fused is not None
        return _buffers(fused) <= max(self._most_buffers, _buffers(view))

    def _producer(self, access: Access, reader: Fusible) -> ComputeOp | None:
        """Return the compute of this block whose result an access of a reader reads.

        None if there is none, or if it reads the base of a te.scatter that is the reader.
        """
        owner = access.value.owner if access.value is not None else None
        if not isinstance(owner, ComputeOp) or owner.outs or owner.parent is not self.block:
            return None
        is_base = isinstance(reader, ScatterOp) and reader.base in owner.operands
        return None if is_base else owner

    def _cheap_here(self, reader: ComputeView, access: Access, producer: ComputeOp) -> bool:
        source = self.view(producer)
        if not is_elementwise(source):
            return False
        # Without a limit, a chain of n ops takes n² steps to fuse and becomes one huge kernel.
        if _count_ops(reader.body) + _count_ops(source.body) > self.limits.max_body_ops:
            return False
        if not is_movement(source) and _sums_again(reader, access):
            return False
        ops, limit = _count_ops(source.body), self.limits.max_inlined_ops
        light = ops <= limit and not _has_heavy(source.body)
        if _used_once(producer):
            return light or _reads_each_element_once(reader, access)
        reads = sum(a.value in producer.results for a in (*reader.inputs, *reader.post))
        if light and reads == _uses(producer) and (reads - 1) * ops <= limit:
            return True
        streams = [a for a in source.inputs if not a.is_index and len(a.axes()) > 1]
        return light and len(streams) <= 1


def is_contraction(view: ComputeView) -> bool:
    """Return whether a compute reduces several operands and reads elements of each repeatedly."""
    reduced = {a for a in view.reduced_axes() if view.axes[a] != 1}
    if not reduced:
        return False
    needed = {a for a, extent in view.axes.items() if extent != 1}
    data = [a for a in view.inputs if not a.is_index and a.indices is not None]
    return len(data) > 1 and all(needed - _injective_axes(a) for a in data)


def _injective_axes(access: Access) -> set[Key]:
    """Return the axes along which different positions read different elements.

    An axis that occurs only in ``a floordiv c`` is not included, because ``c`` adjacent positions
    read the same element.
    """
    indices = access.indices or ()
    plain = {k for e in indices for k in e.terms if not isinstance(k, Atom)}
    atoms = (a for e in indices for a in e.atoms() if a.kind == "mod" or not a.operand.variable())
    return plain | {k for a in atoms for k in a.operand.variables()}


def _sums_again(view: ComputeView, access: Access) -> bool:
    """Return whether a sum of products reads each element of an operand for at least 16 results.

    A matrix product with a single row is an example: each of its columns reads the whole row, but
    ``is_contraction`` does not count it as a contraction.
    """
    if access not in view.inputs or not view.output_axes():
        return False
    reduced = any(view.axes[a] != 1 for a in view.reduced_axes())
    again = prod(likely(view.axes[a]) for a in view.parallel_axes() if a not in access.axes())
    return (
        reduced and again >= MANY and isinstance(returned(view.body.block)[0].owner, arith.MulfOp)
    )


def _buffers(view: ComputeView) -> int:
    """Return the number of tensors that an op reads or makes."""
    read = {a.value for a in (*view.inputs, *view.post) if a.value is not None}
    return len(read) + len(view.outputs)


def _used_once(op: ComputeOp) -> bool:
    return len(op.results) == 1 and op.results[0].has_one_use()


def _uses(op: ComputeOp) -> int:
    return sum(1 for result in op.results for _ in result.uses)


def _count_ops(region: Region) -> int:
    return sum(not isinstance(op, arith.ConstantOp) for op in region.block.ops) - 1


def _has_heavy(region: Region) -> bool:
    return any(isinstance(op, _HEAVY) for op in region.block.ops)


def _reads_each_element_once(view: ComputeView, access: Access) -> bool:
    """Return whether a read is linear in every axis, so that no point is computed twice."""
    if access not in view.inputs or access.indices is None:
        return False
    if any(isinstance(k, Atom) for e in access.indices for k in e.terms):
        return False
    needed = {a for a, extent in view.axes.items() if extent != 1}
    return needed <= access.axes()


def _splat_of(access: Access) -> Attribute | None:
    """Return the common value of all elements of a constant that is read; None for other reads."""
    owner: Operation | Block | None = access.value.owner if access.value is not None else None
    if not isinstance(owner, ConstantOp) or access.pad is not None or access.indices is None:
        return None
    array = owner.value.stored
    if array.size == 0:
        return None
    elements = array.reshape(-1)
    # Compare the first elements first: most weights differ there.
    if not all(np.all(part == elements[0]) for part in (elements[:64], elements)):
        return None
    return typed_scalar(owner.value.array.flat[0].item(), access.element_type)


def _with_constant(view: ComputeView, access: Access, value: Attribute) -> ComputeView:
    """Return a compute whose body has a constant in place of the values of an input.

    access: the input, which the new compute does not have.
    value: the constant.
    """
    kept = [a for a in view.inputs if a is not access]
    block = Block(arg_types=[a.argument_type for a in kept])
    constant = arith.ConstantOp(value)  # pyright: ignore[reportArgumentType]
    block.add_op(constant)
    arguments = iter(block.args)
    values: list[SSAValue] = [
        constant.result if a is access else next(arguments) for a in view.inputs
    ]
    finish_body(block, copy_body(block, view.body.block, values))
    return replace(view, inputs=kept, body=Region(block))
