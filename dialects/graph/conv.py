"""Convolutions over any number of spatial dimensions: x is (N, C, X…), w is (O, C/groups, K…)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch, UnequalSizes
from ..dtypes import is_float, is_integer, is_number
from ..equal_shapes import unlike
from ..shape import Dim, Tensor, dims_of, tensor_type, type_of
from ..window_sizes import conv_output_dim, conv_transpose_output_dim, window_dims
from .base import (
    GraphOp,
    check_at_least,
    check_count,
    check_element,
    integer,
    ints,
    optional_integer,
)
from .matmul import product_type


def check_window(
    rank: int, *, strides: Sequence[int], dilations: Sequence[int], pads: Sequence[int]
) -> None:
    """Raise TypeMismatch unless the window parameters fit ``rank`` spatial dimensions."""
    check_count("strides", strides, rank)
    check_count("dilations", dilations, rank)
    check_count("pads (all low, then all high)", pads, 2 * rank)
    check_at_least("strides", strides, 1)
    check_at_least("dilations", dilations, 1)
    check_at_least("pads", pads, 0)


class ConvolutionOp(GraphOp):
    """Base of graph.conv and graph.conv_transpose: operands and window parameters."""

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    out = result_def(TensorType)
    strides = ints("strides")
    dilations = ints("dilations")
    pads = ints("pads")
    groups = integer("groups")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $w (`bias` $b^ `:` type($b))? `strides` $strides `dilations` $dilations "
        "`pads` $pads `groups` $groups attr-dict `:` type($x) `,` type($w) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        w: SSAValue,
        b: SSAValue | None = None,
        *,
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        groups: int = 1,
    ) -> None:
        self.initialize((x, w, b), strides=strides, dilations=dilations, pads=pads, groups=groups)

    @staticmethod
    def infer(
        x: Tensor,
        w: Tensor,
        b: Tensor | None,
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        groups: int,
    ) -> Tensor:
        """Return the result type for the types of the operands and the window parameters.

        Errors: TypeMismatch if operands and window parameters do not fit together.
        """
        raise NotImplementedError


@irdl_op_definition
class ConvOp(ConvolutionOp):
    """Convolution (cross-correlation) per channel group; outside its bounds, x is ``pad_value``.

    ``out[n, o, p…] = b[o] + sum over i, k… of x[n, g(o) + i, q…] * w[o, i, k…]`` where
    ``q = p * stride + k * dilation - low`` and g(o) is the first channel of o's group.
    Shapes: x (N, C, X…); w (O, C/groups, K…); b (O); out (N, O, conv_output_dim(X, K)…), of i32
        for narrow integers. ``pads`` holds all low values, then all high values.
    Errors: TypeMismatch if ranks, channels, groups or the window parameters do not fit, or if the
        pad value is not 0 and the elements of x are not integers.
    Cost: 2*size(out)*C/groups*size(K) flop.
    Source: ONNX Conv-11, ConvInteger-10; auto_pad is resolved by the importer. For quantized x, the
        pad value is the zero point of x.
    """

    name = "graph.conv"

    pad_value = optional_integer("pad_value", 0)

    assembly_format = (
        "$x `,` $w (`bias` $b^ `:` type($b))? `strides` $strides `dilations` $dilations "
        "`pads` $pads (`pad_value` $pad_value^)? `groups` $groups attr-dict `:` "
        "type($x) `,` type($w) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        w: SSAValue,
        b: SSAValue | None = None,
        *,
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        groups: int = 1,
        pad_value: int = 0,
    ) -> None:
        window = {"strides": strides, "dilations": dilations, "pads": pads}
        self.initialize((x, w, b), **window, groups=groups, pad_value=pad_value)

    def with_operands(
        self,
        x: SSAValue,
        w: SSAValue,
        b: SSAValue | None,
        *,
        pads: Sequence[int] | None = None,
        pad_value: int = 0,
    ) -> ConvOp:
        """Return a convolution of other operands with the same window and groups.

        x, w, b: the image, the weights and the bias.  pads: as of ConvOp; None: those of this op.
        pad_value: the value of x outside its bounds.
        """
        return ConvOp(
            x, w, b, strides=self.strides, dilations=self.dilations,
            pads=self.pads if pads is None else pads, groups=self.groups, pad_value=pad_value,
        )  # fmt: skip

    def inferred_types(self) -> Sequence[Any]:
        integers = is_integer(type_of(self.x).element_type)
        what = "a convolution with a pad value"
        check_element(what, type_of(self.x), integers or not self.pad_value, "an integer type")
        return super().inferred_types()

    @staticmethod
    def infer(
        x: Tensor,
        w: Tensor,
        b: Tensor | None,
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        groups: int,
    ) -> Tensor:
        """Return the type of the convolution."""
        _check_channels(x, w, groups)
        size, kernel = dims_of(x), dims_of(w)
        check_window(len(size) - 2, strides=strides, dilations=dilations, pads=pads)
        spatial = window_dims(conv_output_dim, size[2:], kernel[2:], strides, dilations, pads)
        element = product_type(x, w)
        _check_bias(b, tensor_type(element, kernel[:1]))
        return tensor_type(element, (size[0], kernel[0], *spatial))


def _check_bias(b: Tensor | None, wanted: Tensor) -> None:
    if b is not None and b != wanted:
        hint = "give one value per output channel, of the element type of x"
        raise unlike("wrong bias", wanted, b, hint=hint)


def _check_ranks(x: Tensor, w: Tensor, expected: str) -> None:
    if x.get_num_dims() != w.get_num_dims() or x.get_num_dims() < 3:
        raise TypeMismatch(
            "x and w need one common rank of at least 3",
            expected=expected,
            got=f"{x} and {w}",
            hint="reshape the operand",
        )


def _check_channels(x: Tensor, w: Tensor, groups: int) -> None:
    _check_ranks(x, w, "(N, C, X...) and (O, C/groups, K...)")
    size, kernel = dims_of(x), dims_of(w)
    hint = "change groups, or the leading size of w"
    _check_divides("groups do not divide the output channels", kernel[0], groups, of=w, hint=hint)
    if size[1] != kernel[1] * groups:
        raise UnequalSizes(
            "channels differ",
            expected=f"{size[1]} ({x})",
            got=f"{kernel[1]} * {groups} ({w})",
            hint="check groups, and the layout of w",
            sizes=[(size[1], kernel[1] * groups)],
        )


@irdl_op_definition
class ConvTransposeOp(ConvolutionOp):
    """The adjoint of a convolution: every element of x adds a multiple of the kernel to out.

    ``out[n, o, y…] = b[o] + sum of x[n, i, p…] * w[i, o', k…]`` over all i, p… and k… with
    ``y = p * stride + k * dilation - low``; i counts the channels of o's group, and o' is the
    position of o in that group.
    Shapes: x (N, C, X…); w (C, O/groups, K…); b (O); out (N, O, conv_transpose_output_dim(X, K)…).
        ``pads`` are cropped from the full result: all low, then all high values; negative pads add
            elements that hold only the bias (output_padding).
    Errors: TypeMismatch if ranks, channels, groups or the window parameters do not fit.
    Cost: 2*size(x)*O/groups*size(K) flop.
    Source: ONNX ConvTranspose-22; auto_pad and output_shape are resolved by the importer.
    """

    name = "graph.conv_transpose"

    @staticmethod
    def infer(
        x: Tensor,
        w: Tensor,
        b: Tensor | None,
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        groups: int,
    ) -> Tensor:
        """Return the type of the transposed convolution."""
        _check_transposed_channels(x, w, groups)
        size, kernel = dims_of(x), dims_of(w)
        padding = [max(p, 0) for p in pads]
        check_window(len(size) - 2, strides=strides, dilations=dilations, pads=padding)
        window = kernel[2:], strides, dilations, pads
        spatial = window_dims(conv_transpose_output_dim, size[2:], *window)
        element, channels = product_type(x, w), kernel[1] * groups
        _check_bias(b, tensor_type(element, (channels,)))
        return tensor_type(element, (size[0], channels, *spatial))


def _check_transposed_channels(x: Tensor, w: Tensor, groups: int) -> None:
    _check_ranks(x, w, "(N, C, X...) and (C, O/groups, K...)")
    size, kernel = dims_of(x), dims_of(w)
    if size[1] != kernel[0]:
        raise UnequalSizes(
            "channels differ",
            expected=f"{size[1]} ({x})",
            got=f"{kernel[0]} ({w})",
            hint="check groups, and the layout of w",
            sizes=[(size[1], kernel[0])],
        )
    rule, hint = "groups do not divide the input channels", "change groups, or the channels of x"
    _check_divides(rule, size[1], groups, of=x, hint=hint)


def _check_divides(rule: str, size: Dim, divisor: int, *, of: Tensor, hint: str) -> None:
    """Check that ``divisor`` divides a size.

    rule, hint: the first and the last line of the error.  of: the type of the tensor with this
    size, which the error shows.
    Errors: UnequalSizes, because a symbolic size may be divisible in a call.
    """
    if divisor >= 1 and (size % divisor).value == 0:
        return
    raise UnequalSizes(
        rule,
        expected=f"a divisor of {size} ({of})",
        got=divisor,
        hint=hint,
        sizes=[(size, size // divisor * divisor)] if divisor >= 1 else (),
    )


@irdl_op_definition
class DeformColumnsOp(GraphOp):
    """im2col of a deformable convolution: x, interpolated at each tap position plus an offset.

    ``out[n, (c, k), p] = mask[n, (g, k), p] * x[n, c] at p * stride + k * dilation - low +
    offset[n, (g, k, :), p]``, with bilinear interpolation between elements and 0 outside; g is the
    offset group of c. The convolution itself is graph.conv with a kernel of size 1 over (c, k).
    Shapes: x (N, C, H, W); offset (N, G*KH*KW*2, OH, OW); mask (N, G*KH*KW, OH, OW);
        out (N, C*KH*KW, OH, OW). ``pads``: all low, then all high values.
    Errors: TypeMismatch if ranks, sizes or the window parameters do not fit.
    Source: ONNX DeformConv-22.
    """

    name = "graph.deform_columns"

    x = operand_def(TensorType)
    offset = operand_def(TensorType)
    mask = opt_operand_def(TensorType)
    out = result_def(TensorType)
    kernel = ints("kernel")
    strides = ints("strides")
    dilations = ints("dilations")
    pads = ints("pads")
    offset_groups = integer("offset_groups")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $offset (`mask` $mask^ `:` type($mask))? `kernel` $kernel `strides` $strides "
        "`dilations` $dilations `pads` $pads `offset_groups` $offset_groups attr-dict `:` "
        "type($x) `,` type($offset) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        offset: SSAValue,
        mask: SSAValue | None = None,
        *,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        offset_groups: int = 1,
    ) -> None:
        self.initialize(
            (x, offset, mask),
            kernel=kernel,
            strides=strides,
            dilations=dilations,
            pads=pads,
            offset_groups=offset_groups,
        )

    @staticmethod
    def infer(
        x: Tensor,
        offset: Tensor,
        mask: Tensor | None,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        offset_groups: int,
    ) -> Tensor:
        """Return the type of the columns.

        kernel: the size of the window.  mask: None if all samples count fully.  offset_groups: the
        number of groups of channels that share an offset.
        """
        size = dims_of(x)
        check_element("a deformed read", x, is_float(x.element_type), "a float type")
        if len(size) != 4:
            raise TypeMismatch(
                "x needs rank 4", expected="(N, C, H, W)", got=x, hint="reshape the operand"
            )
        check_count("kernel sizes", kernel, 2)
        check_window(2, strides=strides, dilations=dilations, pads=pads)
        rule = "offset groups do not divide the channels"
        _check_divides(rule, size[1], offset_groups, of=x, hint="change offset_groups")
        spatial = window_dims(conv_output_dim, size[2:], kernel, strides, dilations, pads)
        taps = kernel[0] * kernel[1]
        for what, given, channels in (("offset", offset, 2), ("mask", mask, 1)):
            wanted = tensor_type(
                x.element_type, (size[0], channels * offset_groups * taps, *spatial)
            )
            if given is not None and given != wanted:
                raise unlike(f"wrong {what}", wanted, given, hint=f"give {what} this type")
        return tensor_type(x.element_type, (size[0], size[1] * taps, *spatial))


@irdl_op_definition
class FoldOp(GraphOp):
    """Sum of the columns of a sliding window into an image (col2im): the adjoint of im2col.

    ``out[n, c, y…] = sum of x[n, c, k…, p…]`` over all k… and p… with
    ``y = p * stride + k * dilation - low``.
    Shapes: x (N, C, K…, P…) with as many axes K as P; out (N, C, image…); ``pads``: all low, then
        all high values.
    Errors: TypeMismatch if P is not the number of windows of the image, or if the window parameters
        do not fit.
    Source: ONNX Col2Im-18.
    """

    name = "graph.fold"

    x = operand_def(TensorType)
    out = result_def(TensorType)
    image = ints("image")
    strides = ints("strides")
    dilations = ints("dilations")
    pads = ints("pads")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `image` $image `strides` $strides `dilations` $dilations `pads` $pads attr-dict `:` "
        "type($x) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        *,
        image: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
    ) -> None:
        self.initialize((x,), image=image, strides=strides, dilations=dilations, pads=pads)

    @staticmethod
    def infer(
        x: Tensor,
        image: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
    ) -> Tensor:
        """Return the type of the image."""
        size, rank = dims_of(x), len(image)
        check_element("a sum", x, is_number(x.element_type), "a number type")
        if rank < 1 or len(size) != 2 + 2 * rank:
            raise TypeMismatch(
                "x has a wrong rank",
                expected=f"(N, C, K..., P...) of rank {2 + 2 * rank}",
                got=x,
                hint="reshape the operand",
            )
        check_window(rank, strides=strides, dilations=dilations, pads=pads)
        kernel, found = size[2 : 2 + rank], size[2 + rank :]
        sizes = [Dim.of(n) for n in image]
        windows = window_dims(conv_output_dim, sizes, kernel, strides, dilations, pads)
        if list(found) != windows:
            raise TypeMismatch(
                "the number of windows does not match the image",
                expected=[str(d) for d in windows],
                got=[str(d) for d in found],
                hint="compute the sizes from image, kernel, strides, dilations and pads",
            )
        return tensor_type(x.element_type, (*size[:2], *image))
