"""Convolutions and other sums of products over several axes, as products of two matrices.

In: the view of a compute.  Out: the roles of its axes, and the view of the matrix product.

    y[n, o, h, w] += f[o, i, r, s] * x[n, i, 2 * h + r, 2 * w + s]
    y[n, o, p]    += f[o, k] * x'[n, k, p]              p = (h, w), k = (i, r, s)

The axes of the matrix product are the rows m of one operand (the filters); the columns p, which are
all output axes of the other operand (the image); and one reduction axis k.  If the filters are the
last axis of the output (channels last), the pixels are the rows, and the filters the columns.  A
grouped convolution is one product per group.  No index divides by a size that is known only at run
time; axes of such sizes may be divided into blocks, which are the columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...dialects.shape import Dim, Extent, extent_of
from ...dialects.te import Access, ComputeView
from ...support.affine import Atom, Index
from ...support.names import Names
from .contraction import contraction_of, group_of


@dataclass(frozen=True)
class Convolution:
    """The operands and the axes of a sum of products, as a convolution.

    filters, image: the numbers of the two inputs of the compute.
    batch: the output axes before ``rows``.
    rows: the output axis over filters (output channels).
    group: the number of filters in a group of a grouped convolution; 0 if there is one group.
    pixels: the other output axes.
    sums: the reduction axes.
    is_last: whether the filters are the last axis of the output; the batch then belongs to the
    pixels.
    """

    filters: int
    image: int
    batch: tuple[str, ...]
    rows: str
    group: int
    pixels: tuple[str, ...]
    sums: tuple[str, ...]
    is_last: bool = False

    @property
    def first(self) -> int:
        """The number of the input that holds the rows of the matrix product."""
        return self.image if self.is_last else self.filters


@dataclass(frozen=True)
class ImplicitProduct:
    """A convolution as a matrix product: a view that copies no operand, and the product's axes.

    batch: the axes over separate products.  blocks: the batch axes that run over blocks of pixels.
    rows, columns, sum: the axes of the matrix product.
    """

    view: ComputeView
    batch: tuple[str, ...]
    blocks: tuple[str, ...]
    rows: str
    columns: str
    sum: str


def find_convolution(view: ComputeView) -> Convolution | None:
    """Return the operands and axes of a sum of products; None for any other compute."""
    found = contraction_of(view)
    if found is None or not (found.is_sum and found.sums) or view.tile or view.nest:
        return None
    (out,), sums = view.outputs, found.sums
    axes = [(e - e.const).variable() for e in out.indices or () if not e.is_constant]
    names = [axis for axis in axes if isinstance(axis, str)]
    if out.init is None or out.clip is not None or any(a.indices is None for a in view.inputs):
        return None
    if len(names) < len(axes) or names != view.parallel_axes():
        return None
    if any({a for a in sums if view.axes[a] != 1} - access.axes() for access in view.inputs):
        return None
    for filters, image in ((0, 1), (1, 0)):
        rows = [axis for axis in names if axis in view.inputs[filters].axes()]
        if len(rows) != 1 or not _is_plain(view.inputs[filters]):
            continue
        group = _group(view, view.inputs[image], rows[0])
        at = names.index(rows[0])
        before, pixels = tuple(names[:at]), tuple(names[at + 1 :])
        is_last = not pixels and group == 0
        if is_last:
            before, pixels = (), before
        others = {axis for axis in names if view.axes[axis] != 1 and axis != rows[0]}
        if group is not None and pixels and others <= view.inputs[image].axes():
            return Convolution(filters, image, before, rows[0], group, pixels, sums, is_last)
    return None


def _is_plain(access: Access) -> bool:
    """Return whether each dimension of an unpadded access is indexed by one axis or a constant."""
    indices = access.indices or ()
    return access.pad is None and all(e.is_constant or e.variable() is not None for e in indices)


def _group(view: ComputeView, image: Access, rows: str) -> int | None:
    """Return the number of filters in a group of a grouped convolution; 0 for one group.

    The channels of the image must depend on ``rows``, the axis over filters, only through ``rows
    floordiv`` a constant; otherwise return None.
    """
    keys = [key for index in image.indices or () for key in index.terms]
    atoms = [atom for index in image.indices or () for atom in index.atoms()]
    if not all(isinstance(key, str | Atom) for key in keys):
        return None
    if any(atom.kind != "floordiv" or atom.operand.variable() != rows for atom in atoms):
        return None
    return (group_of(view, image, rows) or None) if rows in image.axes() else 0


def implicit_product(
    view: ComputeView,
    found: Convolution,
    *,
    merged: Sequence[str] = (),
    blocks: Mapping[str, int] | None = None,
) -> ImplicitProduct:
    """Return a convolution as a matrix product of its filters and its image, without copies.

    view, found: the convolution, and its operands and axes.
    merged: batch axes that become part of the columns.  blocks: the block size of each axis of
    pixels that is divided into blocks; the columns of a product then run over one block, and the
    last block may reach beyond the image.
    Before: every axis in ``merged`` and ``found.pixels``, except the first, has a static extent or
    is in ``blocks``.
    """
    names, batch = Names(view.axes), [axis for axis in found.batch if axis not in merged]
    pixels, over = [*merged, *found.pixels], list[str]()
    if found.group:
        batch.append(names.fresh("group"))
        view = view.split(found.rows, found.group, batch[-1], found.rows)
    for axis, size in (blocks or {}).items():
        outer, inner = names.fresh(f"{axis}_blocks"), names.fresh(f"{axis}_block")
        wide: Extent = extent_of(Dim.of(view.axes[axis]).ceildiv(size) * size)
        view = replace(view, axes={**view.axes, axis: wide}).split(axis, size, outer, inner)
        pixels[pixels.index(axis)] = inner
        over.append(outer)
    pixel, total = names.fresh("p"), names.fresh("k")
    view = view.fuse(pixels, pixel).fuse(found.sums, total)
    rows, columns = (pixel, found.rows) if found.is_last else (found.rows, pixel)
    axes = {axis: view.axes[axis] for axis in (*batch, *over, rows, columns, total)}
    product = replace(view, axes=axes)
    return ImplicitProduct(product, (*batch, *over), tuple(over), rows, columns, total)


def vanishes_beyond(view: ComputeView, found: Convolution, made: ImplicitProduct) -> bool:
    """Return whether the terms of a product are 0 at positions past the end of its reduction axis.

    Such positions occur if the axis is padded to a multiple of a tile. The terms are 0 if reads of
    both operands past the end yield their padding value 0.  Reads of the filters always do.  Reads
    of the image of a grouped convolution do not: they reach the next group.
    view, found: the convolution.  made: its matrix product, by `implicit_product`.
    """
    lead = next((axis for axis in found.sums if view.axes[axis] != 1), found.sums[-1])
    image, after = view.inputs[found.image], made.view.inputs[found.image]
    sizes = zip(image.indices or (), after.indices or (), image.extents, strict=True)
    return any(
        before.variable() == lead and extent == view.axes[lead] and _is_quotient(index, made.sum)
        for before, index, extent in sizes
    )


def _is_quotient(index: Index, axis: str) -> bool:
    """Return whether an index is an axis, or the quotient of the axis and constants.

    Such an index, unlike a remainder, leaves the bounds when the axis passes its end.
    """
    (key,) = index.terms if len(index.terms) == 1 else (None,)
    if index.const or key is None or index.terms[key] != 1:
        return False
    if isinstance(key, Atom):
        return key.kind == "floordiv" and _is_quotient(key.operand, axis)
    return key == axis
