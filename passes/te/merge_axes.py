"""te-merge-axes: merge adjacent axes that all accesses use together, such as batch and sequence.

    %o = packed.alloc : memref<2x7x64xf32>
    packed.call @mm(%x, %w, %o)
    te.kernel @mm(%x: memref<2x7x32xf32>, …) {
      te.compute @mm [b: 2, m: 7, n: 64, k: 32 red] ins(%x[b, m, k] …, %w[k, n] …) outs([b, m, n] …)
==>
    %v = packed.view %x : … -> memref<14x32xf32>      %u = packed.view %o : … -> memref<14x64xf32>
    packed.call @mm(%v, %w, %u)
    te.kernel @mm(%x: memref<14x32xf32>, …) {
      te.compute @mm [m: 14, n: 64, k: 32 red] ins(%x[m, k] …, %w[k, n] …) outs([m, n] …)

Two axes become one if every access uses both or neither: either as whole adjacent dimensions of the
buffer, or as one position ``b * 7 + m``.  Reduced axes are merged only if some reduced axis of the
compute is symbolic; the rows and columns of an image are then one sum.  Dimensions that are read by
quotient and remainder, as in ``x[m floordiv 7, m mod 7, k]``, become one dimension, too.
Only leading dimensions are merged.  Dimensions after the channels are the rows and columns of
images, and the innermost dimension of a result without reduction is for vectors, which the plan
chooses.  In kernels without contractions, symbolic dimensions at these positions are merged as
well: the longer a symbolic axis is, the better it fills vectors.
The dimensions before the axis of a sort become one dimension, and those after the axis another.
Buffers are not copied; main passes views, and constants in their new shape.  A matrix product thus
has one axis of rows for any number of leading axes, and kernels for 2 x 100 rows equal those for
200 rows.

Before: kernels in buffer form, without loops.  After: no two such axes are left in a kernel without
a schedule.  Exact: the same elements, in the same order of reduction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, dropwhile, pairwise, takewhile
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.packed import CallOp, ConstantOp, ViewOp
from ...dialects.sched import ScriptOp
from ...dialects.shape import (
    Dim,
    Extent,
    dims_of,
    element_count,
    extent_of,
    memref_type,
    size_parameters,
)
from ...dialects.sizes import with_sizes
from ...dialects.te import Access, ComputeOp, ComputeView, KernelOp, SortOp, TensorOp, kernels_of
from ...dialects.te.role import JoinsReader
from ...dialects.weights import WeightAttr
from ...support.affine import ZERO, Index, Key
from ...support.passes import ExactPass
from ...support.rewriting import swap_op
from .fuse_elementwise import is_contraction

DimOfBuffer: TypeAlias = tuple[SSAValue, int]
"""A buffer and a dimension that may be merged with the next one."""

INSIDE = -1
"""In place of a dimension: two axes that share one index."""

Pair: TypeAlias = tuple[ComputeOp, str, str]
"""A compute and two of its axes, outer and inner, that may be merged."""


@dataclass(frozen=True)
class MergeAxes(ExactPass):
    """Merge adjacent axes that all accesses of a kernel use together."""

    name = "te-merge-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        merge_axes(op, is_all=False)


def merge_axes(module: ModuleOp, *, is_all: bool) -> None:
    """Merge the axes of all kernels without a schedule.

    is_all: whether to merge dimensions at all positions in kernels without contractions.
    """
    scripted = {script.kernel_name for script in module.ops if isinstance(script, ScriptOp)}
    kernels = (k for k in kernels_of(module) if k.label not in scripted)
    merged = {k.label: k for k in kernels if _merge_kernel(k, is_all=is_all)}
    reshaped: Reshaped = {}
    for call in [c for c in module.walk() if isinstance(c, CallOp) and c.kernel_name in merged]:
        kernel = merged[call.kernel_name]
        sizes = dict(zip(size_parameters(kernel), call.sizes, strict=True))
        for position, argument in enumerate(kernel.body.block.args):
            type_ = with_sizes(argument.type, sizes)
            if call.arguments[position].type != type_:
                _reshape(call, position, type_, reshaped)


Reshaped: TypeAlias = dict[tuple[SSAValue, Attribute], ConstantOp]
"""The constants in new shapes, by old constant and new type."""


def _reshape(call: CallOp, position: int, type_: Attribute, reshaped: Reshaped) -> None:
    """Pass an argument of a call in another shape: a view of a buffer, or a new constant.

    position: the number of the argument.
    type_: the new type of the argument.
    reshaped: the constants that were made so far, by old constant and new type; they are shared.
    """
    assert isinstance(type_, MemRefType), "only buffers change their shape"
    value = call.arguments[position]
    if isinstance(value.owner, ConstantOp):
        if (value, type_) not in reshaped:
            weight = WeightAttr.derived("reshape", [value.owner.value], tuple(type_.get_shape()))
            reshaped[value, type_] = value.owner.insert_derived(weight, type_)
        call.pass_constant(position, reshaped[value, type_])
        return
    view = ViewOp(value, type_)
    view.location, view.res.name_hint = call.location, value.name_hint
    Rewriter.insert_op(view, InsertPoint.before(call))
    call.operands[position] = view.res


def _merge_kernel(kernel: KernelOp, *, is_all: bool) -> bool:
    """Merge the axes of one kernel; return whether anything was merged.

    is_all: whether to merge all dimensions if the kernel has no contraction.
    """
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    if len(ops) == 1 and isinstance(ops[0], SortOp):
        return _merge_rows(kernel, ops[0])
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    fixed = {v for op in ops if not isinstance(op, ComputeOp) for v in op.operands}
    found = _Mergeable({op: op.view() for op in computes}, fixed, is_all=is_all)
    if not found.pairs and not found.dims:
        return False
    found.rewrite()
    kernel.update_function_type()
    return True


def _merge_rows(kernel: KernelOp, op: SortOp) -> bool:
    """Merge the static dimensions before and after the axis of a kernel's sort.

    Return whether any were merged.
    """
    buffers, axis = [op.x, *op.outs], op.axis.data
    sizes, new_axis = dims_of(op.x.type), 0
    groups: list[list[int]] = []
    for d in range(len(sizes)):
        is_static = all(each.value is not None for each in sizes[max(0, d - 1) : d + 1])
        if d and axis not in (d - 1, d) and is_static:
            groups[-1].append(d)
        else:
            groups.append([d])
        if d == axis:
            new_axis = len(groups) - 1
    if len(groups) == len(sizes) or not all(isinstance(v, BlockArgument) for v in buffers):
        return False
    for value in buffers:
        Rewriter.replace_value_with_new_type(value, _regrouped(value, groups))
    op.properties["axis"] = IntAttr(new_axis)
    kernel.update_function_type()
    return True


def _regrouped(value: SSAValue, groups: Sequence[Sequence[int]]) -> MemRefType:
    """Return the type of a buffer in which each group of its dimensions is one dimension."""
    old = value.type
    assert isinstance(old, MemRefType), "kernels are in buffer form"
    sizes = [element_count(_sizes(value)[d] for d in dims) for dims in groups]
    new = memref_type(old.element_type, sizes)
    return MemRefType(old.element_type, new.get_shape(), new.layout, old.memory_space)


class _Mergeable:
    """The axes of a kernel's computes, and the dimensions of its buffers, that can be merged.

    views: the definition of each compute of the kernel.
    fixed: the buffers whose shape must not change.
    dims: pairs (buffer, dimension), each for a dimension that can become one with the next.
    pairs: triples (compute, outer axis, inner axis), each for two axes that can become one.
    is_all: whether dimensions of all positions are merged, and sums of static sizes.
    """

    def __init__(
        self, views: Mapping[ComputeOp, ComputeView], fixed: set[SSAValue], *, is_all: bool
    ) -> None:
        self.views = views
        self.is_product = any(is_contraction(view) for view in views.values())
        self.is_all = is_all and not self.is_product
        self.dims: set[DimOfBuffer] = set()
        self.pairs: set[Pair] = set()
        for op, view in views.items():
            for access in view.accesses():
                self.pairs |= {(op, a, b) for _, a, b in self._adjacent(view, access)}
                if access.value is not None:
                    self.dims |= {(access.value, d) for d in range(len(access.dims) - 1)}
        last = {
            (v, len(_sizes(v)) - 2)
            for view in views.values()
            for v in _elementwise_results(view)
            if self.is_product or all(size.value is not None for size in _sizes(v)[-1:])
            if not (self.is_all and all(size.value is not None for size in _sizes(v)[-2:]))
        }
        self.dims = {dim for dim in self.dims if dim[0] not in fixed} - last
        self._drop_broken()

    def _adjacent(self, view: ComputeView, access: Access) -> Iterator[tuple[int, str, str]]:
        return _adjacent(view, access, merges_sums=self.is_all)

    def _drop_broken(self) -> None:
        """Drop the pairs of axes, and of dimensions, that some access does not use together."""
        changed = True
        while changed:
            pairs = {pair for pair in self.pairs if self._is_whole(*pair)}
            changed = pairs != self.pairs
            self.pairs = pairs
            for op, view in self.views.items():
                for access in view.accesses():
                    own = {dim for dim in self.dims if dim[0] is access.value}
                    gone = own - self._mergeable_dims(op, view, access) if own else own
                    changed = changed or bool(gone)
                    self.dims -= gone

    def _mergeable_dims(self, op: ComputeOp, view: ComputeView, access: Access) -> set[DimOfBuffer]:
        """Return the dimensions of an access that may be merged with the dimension after them.

        They are the leading or symbolic dimensions that a pair of axes indexes.
        """
        assert access.value is not None, "an access to a buffer"
        pairs = [pair for pair in self._adjacent(view, access) if (op, *pair[1:]) in self.pairs]
        places = {d for d, *_ in pairs} | set(_recombined(view, access))
        first = len(access.dims) - len(list(dropwhile(lambda n: n == 1, access.extents)))
        leading = {*takewhile(places.__contains__, count(first))}
        symbolic = {d for d in places if _are_symbolic(access, d)}
        # A sum over symbolic rows and their columns is one sum.
        summed = {d for d, *axes in pairs if {*axes} <= {*view.reduced_axes()}}
        static = {d for d in places if self.is_all and _are_static(access, d)}
        chosen = symbolic | summed | static
        joined = {d for d in chosen if not self.is_product and _is_bounded(access, d)}
        return {(access.value, d) for d in leading | joined}

    def _is_whole(self, op: ComputeOp, outer: str, inner: str) -> bool:
        """Return whether two axes can be merged in all accesses of a compute.

        An access must use neither of the axes, or both of them at dimensions that can be merged.
        """
        view = self.views[op]
        for access in view.accesses():
            if {outer, inner} & access.axes():
                found = self._adjacent(view, access)
                places = [d for d, *pair in found if pair == [outer, inner]]
                if not places or (
                    places[0] != INSIDE and (access.value, places[0]) not in self.dims
                ):
                    return False
        return True

    def rewrite(self) -> None:
        """Merge the axes of all computes and the dimensions of their buffers."""
        values = dict.fromkeys(value for value, _ in self.dims)
        retyped = {v: Rewriter.replace_value_with_new_type(v, self._type(v)) for v in values}
        for op, view in self.views.items():
            merged = self._axes(op, view)
            inputs, post, outputs = (
                [self._placed(access, retyped) for access in part]
                for part in (view.inputs, view.post, view.outputs)
            )
            axes = _merged_axes(view, merged)
            new = replace(view, axes=axes, inputs=inputs, post=post, outputs=outputs)
            gone: dict[Key, Index] = {a: ZERO for a in view.axes if a not in axes}
            swap_op(op, ComputeOp.from_view(new.substitute(gone)))

    def _type(self, value: SSAValue) -> MemRefType:
        return _regrouped(value, self._dim_groups(value))

    def _dim_groups(self, value: SSAValue) -> list[list[int]]:
        """Return the dimensions of a buffer in groups, each of which becomes one dimension."""
        groups: list[list[int]] = []
        for d in range(len(_sizes(value))):
            if (value, d - 1) in self.dims:
                groups[-1].append(d)
            else:
                groups.append([d])
        return groups

    def _axes(self, op: ComputeOp, view: ComputeView) -> dict[str, list[str]]:
        """Return the groups of axes of a compute that become one axis, by the name of the new axis.

        The axes of a group are in order, the outermost first. The new axis has the name of the
        innermost.
        """
        inner_of = {outer: inner for owner, outer, inner in self.pairs if owner is op}
        merged: dict[str, list[str]] = {}
        for first in (a for a in view.axes if a in inner_of and a not in inner_of.values()):
            run = [first]
            while run[-1] in inner_of:
                run.append(inner_of[run[-1]])
            merged[run[-1]] = run
        return merged

    def _placed(self, access: Access, retyped: Mapping[SSAValue, SSAValue]) -> Access:
        value = access.value
        if value is None or value not in retyped or access.indices is None:
            return access
        indices = [_joined(access, dims) for dims in self._dim_groups(value)]
        return replace(access, value=retyped[value], indices=indices)


def _joined(access: Access, dims: Sequence[int]) -> Index:
    """Return the index of an access in the dimension into which ``dims`` are merged.

    A merged axis has the name of the innermost one.
    """
    indices = access.indices or []
    if indices[dims[-1]].variable() is not None:
        return indices[dims[-1]]
    position = indices[dims[0]]
    for d in dims[1:]:
        size = access.extents[d]
        assert isinstance(size, int), "a quotient and a remainder count static sizes"
        position = (position * size + indices[d]).merge_atoms()
    return position


def _are_symbolic(access: Access, dimension: int) -> bool:
    """Return whether a dimension and the dimension after it are both symbolic."""
    return all(size.value is None for size in access.dims[dimension : dimension + 2])


def _are_static(access: Access, dimension: int) -> bool:
    return all(size.value is not None for size in access.dims[dimension : dimension + 2])


def _is_bounded(access: Access, dimension: int) -> bool:
    """Return whether the size of two merged dimensions, their product, has a known lower bound.

    The dimensions are ``dimension`` and the next one. Without the bound, it could not be proved
    that accesses to the merged dimension lie inside of the buffer. The size (h - 4) * (w - 4) has
    none, because both factors may be negative.
    """
    return element_count(access.dims[dimension : dimension + 2]).lower_bound() is not None


def _sizes(value: SSAValue) -> tuple[Dim, ...]:
    assert isinstance(value.type, MemRefType), "kernels are in buffer form"
    return dims_of(value.type)


def _elementwise_results(view: ComputeView) -> list[SSAValue]:
    if view.reduced_axes():
        return []
    return [out.value for out in view.outputs if isinstance(out.value, BlockArgument)]


def _merged_axes(view: ComputeView, merged: Mapping[str, Sequence[str]]) -> dict[str, Extent]:
    """Return the axes of a compute after merging; a merged axis replaces its innermost axis.

    merged: the groups of axes that become one, by the name of the innermost.
    """
    gone = {axis for run in merged.values() for axis in run[:-1]}
    return {
        axis: extent_of(element_count(Dim.of(view.axes[a]) for a in merged.get(axis, (axis,))))
        for axis in view.axes
        if axis not in gone
    }


def _adjacent(
    view: ComputeView, access: Access, *, merges_sums: bool
) -> Iterator[tuple[int, str, str]]:
    """Yield the pairs of axes that an access would allow to merge, as (dimension, outer, inner).

    The outer axis indexes this dimension, the inner axis indexes the next one, and both dimensions
    have the extents of these axes. If a single index contains both axes, as ``outer * size +
    inner``, the constant INSIDE takes the place of the dimension.
    merges_sums: whether to merge reduced axes although none of them is symbolic.
    """
    if not _is_plain(view, access):
        return
    indices = access.indices or []
    free = {a for a in view.axes if a != view.scan}
    reduced = {*view.reduced_axes()}
    uses = [k for e in indices for k in e.variables()]
    once = {a for a in free if uses.count(a) == 1}
    for (d, outer), (_, inner) in pairwise((d, e.variable()) for d, e in enumerate(indices)):
        if not (isinstance(outer, str) and isinstance(inner, str) and {outer, inner} <= once):
            continue
        is_sum = {outer, inner} <= reduced
        if {outer, inner} & reduced and not (is_sum and (merges_sums or _has_dynamic_sum(view))):
            continue
        if access.extents[d : d + 2] == (view.axes[outer], view.axes[inner]):
            yield d, outer, inner
    once -= reduced
    for index in indices:
        steps = sorted(((index.coefficient(a), a) for a in once if a in index.terms), reverse=True)
        for (step, outer), (small, inner) in pairwise(steps):
            if Dim.const(step) == Dim.of(view.axes[inner]) * small:
                yield INSIDE, outer, inner


def _has_dynamic_sum(view: ComputeView) -> bool:
    return any(isinstance(view.axes[axis], Dim) for axis in view.reduced_axes())


def _is_plain(view: ComputeView, access: Access) -> bool:
    """Return whether an access is an unpadded access to a buffer by a compute that can change.

    Such a compute has no tile, no pending nest, and no role except ``JoinsReader``.
    """
    is_free = view.nest is None and not view.tile
    is_free = is_free and (view.role is None or isinstance(view.role, JoinsReader))
    is_whole = access.pad is None and access.clip is None
    return is_free and is_whole and access.value is not None and access.indices is not None


def _recombined(view: ComputeView, access: Access) -> Iterator[int]:
    """Yield each dimension that shares one position with the next dimension.

    The index of the dimension is the quotient of the position, and the index of the next dimension
    is the remainder, as in ``x[m floordiv 7, m mod 7]``.
    """
    indices = (access.indices or []) if _is_plain(view, access) else []
    # An index may combine both parts of one axis again: (c floordiv 16) * 16 + c mod 16.
    folded = [index.merge_atoms() for index in indices]
    position = ZERO
    for d, index in enumerate(folded):
        size = access.extents[d] if d else 1
        if not isinstance(size, int):
            position = index
            continue
        one = (position * size + index).merge_atoms()
        before = len([*position.atoms(), *index.atoms()])
        is_split = any(position.atoms()) and any(index.atoms())
        if d and is_split and len([*one.atoms()]) < before:
            yield d - 1
            position = one
        else:
            position = index
