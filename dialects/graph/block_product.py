"""Matrix products with weights of few bits and one scale per block, as in language models.

A row of the weight matrix holds the weights of one column of the result, in blocks along the
contraction axis. The value of a weight is ``(number - zero) * scale``: ``number`` is the stored
integer, ``zero`` and ``scale`` are the zero point and scale of its block. A byte holds two integers
of 4 bits, the first one in its low bits.
A *digit* is a signed byte: an activation is a sum of one or three digits, each multiplied by a unit
of its own; each unit is 1/254 of the previous one. Three digits are as exact as f32.
Not representable: weights of other widths than 4 and 8 bits; blocks along columns.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, TensorType, f32, i8
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_float, is_unsigned
from ..shape import Dim, Tensor, dims_of, tensor_type, type_of
from .base import GraphOp, check_choice, check_element, flag, integer

DIGIT_BLOCK = 32
"""The number of activations in a block; all of them share the units of their digits."""

LARGEST_DIGIT, DIGIT_BASE = 127.0, 254.0
"""The largest magnitude of a digit, and the factor between a unit and the next smaller unit."""

LEAST_MAGNITUDE = 1e-30
"""If all magnitudes in a block are smaller than this, all its digits are 0."""


def numbers_per_byte(bits: int) -> int:
    """Return the number of weights of ``bits`` bits that one byte holds."""
    return 8 // bits


def _check_weights(w: Tensor, scale: Tensor, zero: Tensor | None, bits: int) -> None:
    check_choice("bits of a weight", str(bits), ("4", "8"))
    byte = w.element_type
    stored = isinstance(byte, IntegerType) and byte.width.data == 8 and is_unsigned(byte)
    check_element("stored weights", w, stored, "ui8")
    check_element("a scale", scale, is_float(scale.element_type), "a float type")
    dims = dims_of(w)
    if len(dims) != 3 or dims_of(scale) != dims[:2]:
        raise TypeMismatch(
            "the weights have no scale per block",
            expected="weights (N, blocks, bytes) and scales (N, blocks)",
            got=f"{w} and {scale}",
            hint="reshape the weights, or the scales",
        )
    if zero is not None and zero != tensor_type(byte, dims[:2]):
        raise TypeMismatch(
            "the zero points do not fit the weights",
            expected=tensor_type(byte, dims[:2]),
            got=zero,
            hint="give one byte per block",
        )


@irdl_op_definition
class BlockMatmulOp(GraphOp):
    """``out[*r, n] = sum over k of x[*r, k] * (number[n, k] - zero[n, b]) * scale[n, b]``.

    ``number[n, k]`` is the integer that w stores, in ``bits`` bits, for row n and position k; b is
    the block that contains position k. Without ``zero``, every zero point is the middle of the
    range: 8 for 4 bits, 128 for 8 bits. If the last block is longer than the rest of the axis, its
    last weights are ignored. ``rounded`` allows an implementation to round the elements of x to 8
    bits per block.
    Shapes: x (*R, K) of a float type; w (N, B, bytes of a block) of ui8; scale (N, B) of a float
        type; zero (N, B) of ui8; out (*R, N) of x's type; B is the number of blocks.
    Errors: TypeMismatch if a shape or type differs, or K is not static or exceeds the blocks.
    Cost: 2*R*N*K flop; reads K*N*bits/8 bytes of weights.
    Source: onnxruntime, contrib operator MatMulNBits-1; accuracy_level 4 is ``rounded``.
    """

    name = "graph.block_matmul"

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero = opt_operand_def(TensorType)
    out = result_def(TensorType)
    bits = integer("bits")
    rounded = flag("rounded")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $w `,` $scale (`zero` $zero^ `:` type($zero))? `bits` $bits "
        "(`rounded` $rounded^)? attr-dict "
        "`:` type($x) `,` type($w) `,` type($scale) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        w: SSAValue,
        scale: SSAValue,
        zero: SSAValue | None,
        bits: int,
        *,
        rounded: bool = False,
    ) -> None:
        self.initialize((x, w, scale, zero), bits=bits, rounded=rounded)

    @staticmethod
    def infer(x: Tensor, w: Tensor, scale: Tensor, zero: Tensor | None, bits: int) -> Tensor:
        """Return the type of the product.

        zero: None if all zero points are the middle of the range.  bits: the bits of a weight, 4 or
        8.
        """
        check_element("a product", x, is_float(x.element_type), "a float type")
        _check_weights(w, scale, zero, bits)
        *rows, size = dims_of(x)
        columns, blocks, length = dims_of(w)
        most = blocks * length * numbers_per_byte(bits)
        if size.value is None or most.value is None or size.value > most.value:
            raise TypeMismatch(
                "the last axis of x does not fit the weights",
                expected=f"at most {most} elements",
                got=x,
                hint="bind its size; check the bits of a weight",
            )
        return tensor_type(x.element_type, (*rows, columns))

    @property
    def block(self) -> int:
        """The number of weights in a block."""
        length = dims_of(type_of(self.w))[2].value
        assert length is not None, "weights are static"
        return length * numbers_per_byte(self.bits)


@irdl_op_definition
class SplitDigitsOp(GraphOp):
    """Split of activations into digits: ``x`` is nearly ``sum over t of digits[t] * unit[t]``.

    The 32 elements of a block along the last axis share their units; the first unit is the largest
    magnitude of the block / 127. ``sums`` holds, per block, the sum of all digits times their
    units. All digits are 0 in a block whose magnitudes are all below 1e-30. The digits are in the
    order of the weights in their bytes: with H weights per byte, digit t of element j * H + h of a
    block is at [h, t, j].
    Shapes: x (*R, K) of a float type; digits (*R, B, H, T, 32 / H) of i8, with B*32 >= K; the
    digits of elements after K are 0; unit (*R, B, T) and sums (*R, B) of f32.
    Errors: TypeMismatch if x is no float, K is not static, or T is neither 1 nor 3.
    Error: half of the last unit.
    """

    name = "graph.split_digits"

    x = operand_def(TensorType)
    digits = result_def(TensorType)
    unit = result_def(TensorType)
    sums = result_def(TensorType)
    count = integer("count")
    blocks = integer("blocks")
    bits = integer("bits")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `count` $count `blocks` $blocks `bits` $bits attr-dict "
        "`:` type($x) `->` type($digits) `,` type($unit) `,` type($sums)"
    )

    def __init__(self, x: SSAValue, count: int, blocks: int, bits: int) -> None:
        self.initialize((x,), count=count, blocks=blocks, bits=bits)

    @staticmethod
    def infer(x: Tensor, count: int, blocks: int, bits: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return the types of the digits, of their units, and of the sums per block.

        count: the number of digits of an element, 1 or 3.  blocks: the number of blocks of 32
        elements. bits: the bits of a weight in the later product.
        """
        check_element("digits", x, is_float(x.element_type), "a float type")
        check_choice("bits of a weight", str(bits), ("4", "8"))
        check_choice("digits of a number", str(count), ("1", "3"))
        *rows, size = dims_of(x)
        if size.value is None or size.value > blocks * DIGIT_BLOCK:
            raise TypeMismatch(
                "the last axis of x does not fit the blocks",
                expected=f"at most {blocks * DIGIT_BLOCK} elements",
                got=x,
                hint="bind its size, or give more blocks",
            )
        halves = numbers_per_byte(bits)
        parts = [Dim.of(n) for n in (blocks, halves, count, DIGIT_BLOCK // halves)]
        unit = tensor_type(f32, [*rows, parts[0], parts[2]])
        return tensor_type(i8, [*rows, *parts]), unit, tensor_type(f32, [*rows, parts[0]])


@irdl_op_definition
class DigitMatmulOp(GraphOp):
    """The product of graph.block_matmul, computed from activations that graph.split_digits split.

    ``out[*r, n] = sum over b, k of (sum over t of digits * unit) * (number - zero) * scale``, in
    f32, where ``number`` is the integer stored for a weight; the zero points are multiplied by
    ``sums``, not by each digit.
    Shapes: digits, unit and sums are results of graph.split_digits; w, scale and zero as in
        graph.block_matmul, with blocks of a multiple of 32 weights; out (*R, N) of f32.
    Errors: TypeMismatch if a shape or type differs.
    Cost: 2*R*N*K operations per digit.
    """

    name = "graph.digit_matmul"

    digits = operand_def(TensorType)
    unit = operand_def(TensorType)
    sums = operand_def(TensorType)
    w = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero = opt_operand_def(TensorType)
    out = result_def(TensorType)
    bits = integer("bits")

    traits = traits_def(Pure())
    assembly_format = (
        "$digits `,` $unit `,` $sums `,` $w `,` $scale (`zero` $zero^ `:` type($zero))? "
        "`bits` $bits attr-dict `:` type($digits) `,` type($unit) `,` type($sums) `,` type($w) "
        "`,` type($scale) `->` type($out)"
    )

    def __init__(
        self,
        digits: SSAValue,
        unit: SSAValue,
        sums: SSAValue,
        w: SSAValue,
        scale: SSAValue,
        zero: SSAValue | None,
        bits: int,
    ) -> None:
        self.initialize((digits, unit, sums, w, scale, zero), bits=bits)

    @staticmethod
    def infer(
        digits: Tensor,
        unit: Tensor,
        sums: Tensor,
        w: Tensor,
        scale: Tensor,
        zero: Tensor | None,
        bits: int,
    ) -> Tensor:
        """Return the type of the product.

        digits, unit, sums: the types of the results of graph.split_digits.  zero: None if all zero
        points are the middle of the range.  bits: the bits of a weight, 4 or 8.
        """
        _check_weights(w, scale, zero, bits)
        columns, blocks, length = dims_of(w)
        halves = numbers_per_byte(bits)
        size = (blocks * length * halves).value
        *rows, held, count = dims_of(unit)
        given = [Dim.of(n) for n in (held, halves, count, DIGIT_BLOCK // halves)]
        expected = (
            tensor_type(i8, [*rows, *given]),
            tensor_type(f32, [*rows, held, count]),
            tensor_type(f32, [*rows, held]),
        )
        is_static = size is not None and count.value is not None
        is_whole = length.value is not None and length.value * halves % DIGIT_BLOCK == 0
        fits = is_static and is_whole and size == (held * DIGIT_BLOCK).value
        if (digits, unit, sums) != expected or not fits:
            raise TypeMismatch(
                "the digits do not fit the weights",
                expected=f"the results of graph.split_digits for {w}, in blocks of 32 * n",
                got=f"{digits}, {unit}, {sums}",
                hint="split the activations into as many blocks as the weights have",
            )
        return tensor_type(f32, [*rows, columns])
