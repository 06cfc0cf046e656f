"""Recognition of contractions: reductions over pairs of elements of two operands.

    y[b, m, n] += x[b, m, k] * w[b, k, n]        batch b, rows m, columns n, sums k

In: the view of a compute, in value or buffer form, with operands in any layout and of any sizes.
Out: the roles of its axes, the factors of its products, and the windows that slide over an operand.
Matrix products, convolutions and the two products of an attention are contractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness, f32
from xdsl.ir import Attribute, SSAValue

from ...dialects.te import Access, ComputeView
from ...support.affine import Index, variable
from ...support.blocks import returned
from .bodies import is_narrow


@dataclass(frozen=True)
class Factors:
    """The element types of the two factors of each product of a contraction.

    stored: the element type of each input; unsigned, if the body extends unsigned integers.
    product: the type in which the body multiplies.
    """

    stored: tuple[Attribute, Attribute]
    product: Attribute


F32_FACTORS = Factors((f32, f32), f32)
"""The factors of products of f32 that no body converts."""


@dataclass(frozen=True)
class SlidingAxis:
    """A dimension of an operand over which a window slides: its index is ``s * pixels + d * taps``.

    pixels: the parallel axis, and ``stride`` its coefficient.  taps: the reduction axis, and
    ``dilation`` its coefficient.
    """

    pixels: str
    taps: str
    stride: int
    dilation: int


@dataclass(frozen=True)
class Contraction:
    """A compute that reduces pairs of elements of its two operands.

    rows, columns: the parallel axes that index only the first, or only the second operand.  batch:
    the other parallel axes.  sums: the reduction axes.  All are in loop order, and axes of extent 1
    are included.
    """

    view: ComputeView
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    batch: tuple[str, ...]
    sums: tuple[str, ...]

    @property
    def is_sum(self) -> bool:
        """Whether the reduction is a sum."""
        return self.view.outputs[0].combiner == "add"

    @cached_property
    def factors(self) -> Factors | None:
        """The types of the factors of a sum of products; None if the body is something else."""
        return _factors(self.view) if self.is_sum else None

    def only_of(self, operand: int) -> tuple[str, ...]:
        """Return the parallel axes that index only one operand, the first (0) or the second (1)."""
        return self.columns if operand else self.rows

    def multiplies_floats(self, *, widens: bool = False) -> bool:
        """Return whether the compute sums products of floats in the type in which they are stored.

        widens: whether the body may convert 16-bit floats to f32 first.
        """
        found = self.factors
        return (
            found is not None
            and isinstance(_product(self.view), arith.MulfOp)
            and all(
                stored == found.product or (widens and found.product == f32 and is_narrow(stored))
                for stored in found.stored
            )
        )


def contraction_of(view: ComputeView) -> Contraction | None:
    """Return the roles of a compute's axes if it is a contraction; None for any other compute."""
    if len(view.inputs) != 2 or len(view.outputs) != 1 or view.scan is not None:
        return None
    if not view.outputs[0].reduces or any(access.is_index for access in view.inputs):
        return None
    first, second = (access.axes() for access in view.inputs)
    parallel = view.parallel_axes()
    return Contraction(
        view,
        tuple(a for a in parallel if a in first and a not in second),
        tuple(a for a in parallel if a in second and a not in first),
        tuple(a for a in parallel if (a in first) == (a in second)),
        tuple(view.reduced_axes()),
    )


def sums_products(view: ComputeView, *, widens: bool = False) -> bool:
    """Return whether a compute sums products of two operands of floats.

    widens: whether the body may convert 16-bit floats to f32 before the product.
    """
    found = contraction_of(view)
    return found is not None and found.multiplies_floats(widens=widens)


def slides(view: ComputeView, access: Access, axis: str | None = None) -> bool:
    """Return whether a window slides over an operand.

    Then some index contains both a reduction axis and a parallel axis.

    access: the read of the operand.  axis: consider only this reduction axis; None: all.
    """
    reduced = {a for a in view.reduced_axes() if view.axes[a] != 1}
    moved = reduced if axis is None else reduced & {axis}
    keys = [set(index.terms) for index in access.indices or []]
    return any(k & moved and k - reduced for k in keys)


def sliding_axes(view: ComputeView, access: Access) -> list[SlidingAxis]:
    """Return the dimensions of an operand over which windows of the compute slide, in order."""
    reduced = set(view.reduced_axes())
    return [found for e in access.indices or () if (found := _sliding_axis(e, reduced)) is not None]


def _sliding_axis(index: Index, reduced: set[str]) -> SlidingAxis | None:
    axes = [key for key in index.terms if isinstance(key, str)]
    taps = [axis for axis in axes if axis in reduced]
    pixels = [axis for axis in axes if axis not in reduced]
    if len(index.terms) != 2 or len(taps) != 1 or len(pixels) != 1:
        return None
    return SlidingAxis(pixels[0], taps[0], index.terms[pixels[0]], index.terms[taps[0]])


def group_of(view: ComputeView, access: Access, axis: str) -> int:
    """Return the size of the groups of an axis, if an operand depends only on the group.

    A grouped convolution reads ``x[(o floordiv g) * g + i, ...]``: all channels ``o`` of a group
    read the same elements.  Return 0 if the operand depends on the axis otherwise, or not at all,
    or if groups do not divide the axis.

    access: the read of the operand.
    """
    indices = access.indices or ()
    holders = {a for e in indices for a in e.atoms() if axis in a.operand.terms}
    if len(holders) != 1 or any(axis in e.terms for e in indices):
        return 0
    (atom,) = holders
    is_group = atom.kind == "floordiv" and atom.operand == variable(axis)
    return atom.divisor if is_group and view.extents[axis] % atom.divisor == 0 else 0


def _product(view: ComputeView) -> arith.MulfOp | arith.MuliOp | None:
    """Return the multiplication whose result a body yields; None for any other body."""
    owner = returned(view.body.block)[0].owner
    return owner if isinstance(owner, arith.MulfOp | arith.MuliOp) else None


def _factors(view: ComputeView) -> Factors | None:
    product, arguments = _product(view), view.body.block.args
    if product is None:
        return None
    types = dict(map(_stored, product.operands))
    if types.keys() != {*arguments}:
        return None
    return Factors((types[arguments[0]], types[arguments[1]]), product.result.type)


def _stored(value: SSAValue) -> tuple[SSAValue, Attribute]:
    """Return the number that a body extends to a value, or the value itself; and its element type.

    The type of an extended unsigned integer is unsigned.
    """
    op = value.owner
    if not isinstance(op, arith.ExtFOp | arith.ExtSIOp | arith.ExtUIOp):
        return value, value.type
    (source,) = op.operands
    if isinstance(op, arith.ExtUIOp) and isinstance(source.type, IntegerType):
        return source, IntegerType(source.type.width.data, Signedness.UNSIGNED)
    return source, source.type
