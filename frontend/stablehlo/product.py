"""Convert products: dot_general becomes a batched matrix product; also convolutions.

Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from ...dialects.graph import ConvOp, ConvTransposeOp, MatmulOp
from ...dialects.shape import Dim, element_count
from ...support.diagnostics import ModelError, UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .move import padded
from .node import Converter, StablehloNode


@dataclass(frozen=True)
class _Side:
    """One operand of a product, whose other axes are called free.

    batch: the axes that both operands have in common and the result keeps.  contracted: the axes
    along which products are summed.
    """

    x: Tensor
    batch: tuple[int, ...]
    contracted: tuple[int, ...]

    @property
    def free(self) -> tuple[int, ...]:
        return tuple(n for n in range(self.x.rank) if n not in (*self.batch, *self.contracted))

    def sizes(self, axes: Sequence[int]) -> list[Dim]:
        return [self.x.dims[axis] for axis in axes]

    def matrix(self, b: Builder, *, contracted_first: bool) -> tuple[Tensor, bool]:
        """Return the operand as (batch, rows, columns), and whether rows and columns are swapped.

        contracted_first: whether the contracted axes should be the rows and the free axes the
        columns, or the reverse.  If the tensor is stored in the opposite order, it is returned in
        that order, and the second result is true; then no transposition is needed.
        """
        groups = [self.contracted, self.free] if contracted_first else [self.free, self.contracted]
        wanted, other = (
            (*self.batch, *first, *second) for first, second in (groups, reversed(groups))
        )
        is_swapped = wanted != tuple(range(self.x.rank)) and other == tuple(range(self.x.rank))
        if is_swapped:
            groups.reverse()
        x = b.transpose(self.x, other if is_swapped else wanted)
        parts = [self.batch, *groups]
        return b.reshape(x, [element_count(self.sizes(axes)) for axes in parts]), is_swapped


def dot_general(node: StablehloNode, b: Builder) -> Tensor:
    """Compute sums of products over the contracted axes, for each index of the batch axes."""
    numbers = [
        [node.part("dot_dimension_numbers", f"{side}_{part}_dimensions") for side in ("lhs", "rhs")]
        for part in ("batching", "contracting")
    ]
    (left_batch, right_batch), (left_sum, right_sum) = numbers
    return _product(
        node, b, _Side(node[0], left_batch, left_sum), _Side(node[1], right_batch, right_sum)
    )


def dot(node: StablehloNode, b: Builder) -> Tensor:
    """Multiply vectors or matrices."""
    left, right = _Side(node[0], (), (node[0].rank - 1,)), _Side(node[1], (), (0,))
    return _product(node, b, left, right)


def _product(node: StablehloNode, b: Builder, left: _Side, right: _Side) -> Tensor:
    dtype = node.type.dtype
    assert dtype is not None, "the type is checked"
    lhs, is_lhs_swapped = left.matrix(b, contracted_first=False)
    rhs, is_rhs_swapped = right.matrix(b, contracted_first=True)
    dims = [*left.sizes(left.batch), *left.sizes(left.free), *right.sizes(right.free)]
    if not left.batch:
        # Without batch axes, make a product of rank 2, because its weights can be packed ahead.
        lhs, rhs = (b.reshape(x, x.dims[1:]) for x in (lhs, rhs))
    acc = dtype if lhs.dtype != dtype else None
    if lhs.dtype != rhs.dtype:
        lhs, rhs, acc = b.cast(lhs, dtype), b.cast(rhs, dtype), None
    out = b.emit(
        MatmulOp(
            b.ssa(lhs),
            b.ssa(rhs),
            transpose_lhs=is_lhs_swapped,
            transpose_rhs=is_rhs_swapped,
            acc=acc,
        )
    )
    return b.cast(b.reshape(out, dims), dtype)


@dataclass(frozen=True)
class _Layout:
    """The axes of one tensor of a convolution.

    names: for each axis, a letter (such as b for batch), or the number of a spatial axis.
    """

    names: tuple[str, ...]

    def perm(self, first: str, second: str) -> tuple[int, ...]:
        """Return the permutation that moves two axes to the front, before the spatial axes.

        first, second: the letters of the two axes.  The spatial axes are in the order of their
        numbers.
        """
        spatial = sorted((name for name in self.names if name.isdigit()), key=int)
        try:
            return tuple(self.names.index(name) for name in (first, second, *spatial))
        except ValueError:
            raise ModelError(
                "the dimension numbers of a convolution are incomplete", got=self.names
            ) from None


_SIDES = (
    ("input", "batch", "feature", "b", "f"),
    ("kernel", "output_feature", "input_feature", "o", "i"),
    ("output", "batch", "feature", "b", "f"),
)


def _layouts(node: StablehloNode) -> list[_Layout]:
    given = node.op.attributes.get("dimension_numbers")
    if isinstance(given, dict):
        return [_raw_layout(node, *side) for side in _SIDES]
    if isinstance(given, tuple) and len(given) == 3:
        return [_Layout(cast("tuple[str, ...]", side)) for side in given]
    raise ModelError("the dimension numbers of a convolution are missing", got=given)


def _raw_layout(node: StablehloNode, side: str, first: str, second: str, a: str, z: str) -> _Layout:
    """Return the layout of a tensor from axis numbers, as in ``#stablehlo.conv<raw …>``.

    side: the prefix of the tensor's keys in the attribute, such as ``input``.  first, second: the
    middle part of the keys of the two axes that are not spatial.  a, z: the letters of the first
    and of the second of these axes.
    """
    axes = {
        node.part("dimension_numbers", f"{side}_{first}_dimension")[0]: a,
        node.part("dimension_numbers", f"{side}_{second}_dimension")[0]: z,
    }
    spatial = node.part("dimension_numbers", f"{side}_spatial_dimensions")
    axes.update({axis: str(n) for n, axis in enumerate(spatial)})
    return _Layout(tuple(axes[n] for n in sorted(axes)))


def convolution(node: StablehloNode, b: Builder) -> Tensor:
    """Convolve images, whose axes may be in any order."""
    return _convolved(node, b, node.ints("padding", ()))


def dynamic_conv(node: StablehloNode, b: Builder) -> Tensor:
    """Convolve images; the padding is an operand."""
    numbers = node[2].values()
    if numbers is None:
        raise UnsupportedOp("the padding is not known at import", hint="bind sizes by shapes=")
    return _convolved(node, b, numbers.reshape(-1).tolist())


def _pads(given: Sequence[int], rank: int) -> list[int]:
    given = given or (0,) * 2 * rank
    return [*given[::2], *given[1::2]]


def _convolved(node: StablehloNode, b: Builder, padding: Sequence[int]) -> Tensor:
    sides = _layouts(node)
    rank = node[0].rank - 2
    if node.integer("batch_group_count", 1) != 1:
        raise UnsupportedOp(
            "groups of the batch are not supported: they are gradients of grouped convolutions",
            got=f"batch_group_count = {node.integer('batch_group_count')}",
        )
    x = b.transpose(node[0], sides[0].perm("b", "f"))
    w = b.transpose(node[1], sides[1].perm("o", "i"))
    if rank == 0:
        raise UnsupportedOp("a convolution without spatial axes is not supported")
    reversal = node.op.attributes.get("window_reversal", ())
    flips = _booleans(reversal, rank)
    w = b.reverse(w, [n + 2 for n in range(rank) if flips[n]])
    strides, spread, dilations = (
        node.ints(name, (1,) * rank) for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    groups = node.integer("feature_group_count", 1)
    window = _ConvolutionWindow(strides, _pads(padding, rank), spread, dilations, groups)
    out = window.transposed(b, x, w) if window.is_transposed else window.direct(b, x, w)
    order = sides[2].perm("b", "f")
    out = b.transpose(out, sorted(range(len(order)), key=order.__getitem__))
    assert node.type.dtype is not None, "the type is checked"
    return b.cast(out, node.type.dtype)


def _booleans(given: object, rank: int) -> list[bool]:
    values = getattr(given, "array", given)
    found = [bool(each) for each in cast("Sequence[object]", values)] if given else []
    return found or [False] * rank


@dataclass(frozen=True)
class _ConvolutionWindow:
    """The window of a convolution, with one number per spatial axis.

    pads: the low pads of all axes, then the high pads.  spread: the dilation of x (lhs_dilation),
    which inserts ``spread - 1`` zeros between adjacent elements.
    """

    strides: tuple[int, ...]
    pads: list[int]
    spread: tuple[int, ...]
    dilations: tuple[int, ...]
    groups: int

    @property
    def is_transposed(self) -> bool:
        """Whether the convolution is a transposed one: x is dilated, and the strides are 1."""
        return any(n > 1 for n in self.spread) and all(n == 1 for n in self.strides)

    def direct(self, b: Builder, x: Tensor, w: Tensor) -> Tensor:
        """Append a convolution; negative pads crop x, and a dilation of x inserts zeros."""
        rank, zero = len(self.strides), b.scalar(0, x.dtype)
        interior = [0, 0, *(n - 1 for n in self.spread)]
        pads = list(self.pads)
        if any(interior) or min(pads, default=0) < 0:
            low, high = ([0, 0, *part] for part in (pads[:rank], pads[rank:]))
            x, pads = padded(b, x, zero, low, high, interior), [0] * 2 * rank
        return b.emit(
            ConvOp(
                b.ssa(x),
                b.ssa(w),
                strides=self.strides,
                dilations=self.dilations,
                pads=pads,
                groups=self.groups,
            )
        )

    def transposed(self, b: Builder, x: Tensor, w: Tensor) -> Tensor:
        """Append a transposed convolution, with the kernel reversed and its channels swapped.

        At each end, the transposed convolution computes ``(K - 1) * dilation - pad`` elements more
        than the convolution of the dilated x; these elements are cropped.
        """
        rank = len(self.strides)
        taps = [dim.value for dim in w.dims[2:]]
        if None in taps:
            raise UnsupportedOp("the sizes of a kernel are not known")
        reach = [((tap or 1) - 1) * d for tap, d in zip(taps, self.dilations, strict=True)]
        pads = [n - pad for n, pad in zip(reach * 2, self.pads, strict=True)]
        out, inner = w.dims[0] // self.groups, w.dims[1]
        w = b.reshape(w, (self.groups, out, inner, *w.dims[2:]))
        w = b.transpose(w, (0, 2, 1, *range(3, rank + 3)))
        w = b.reshape(w, (inner * self.groups, out, *w.dims[3:]))
        w = b.reverse(w, range(2, rank + 2))
        return b.emit(
            ConvTransposeOp(
                b.ssa(x),
                b.ssa(w),
                strides=self.spread,
                dilations=self.dilations,
                pads=pads,
                groups=self.groups,
            )
        )


CONVERTERS: dict[str, Converter] = {
    "stablehlo.convolution": convolution,
    "stablehlo.dot": dot,
    "stablehlo.dot_general": dot_general,
    "stablehlo.dynamic_conv": dynamic_conv,
}
