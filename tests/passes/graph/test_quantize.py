"""graph-quantize: integer products, moved bytes and tables, compared bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness, f32, i8, i16, i32
from xdsl.ir import Operation, SSAValue

from tilewright.dialects.graph import (
    BitcastOp,
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConvOp,
    DequantizeOp,
    GatherOp,
    MatmulOp,
    MaxOp,
    MinOp,
    PadOp,
    PoolOp,
    QuantizeOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
)
from tilewright.dialects.shape import dims_of, type_of
from tilewright.passes.graph.quantize import Quantize
from tilewright.passes.graph.quantized_products import MOST_PRODUCTS
from tilewright.support.rewriting import erase_dead_ops
from tilewright.testing import pass_case

from ...sweeps import examples
from .programs import Graph, main_of, ops_of, program

U8 = IntegerType(8, Signedness.UNSIGNED)
STRICT = Quantize(precision="strict")
OpT = TypeVar("OpT", bound=Operation)
Make = Callable[[Graph, SSAValue], SSAValue]


def checked(module: Any, *inputs: Any, pass_: Quantize = STRICT) -> Any:
    """Run the pass, compare results bit by bit, and return the program without dead ops."""
    after = pass_case.check_pass(module, pass_, inputs=inputs)
    erase_dead_ops(after)
    return after


def numbers(seed: int, dtype: str, *shape: int) -> np.ndarray:
    limits = np.iinfo(dtype)
    rng = np.random.default_rng(seed)
    return rng.integers(limits.min, limits.max + 1, shape).astype(dtype)


def minus(g: Graph, x: SSAValue, zero: int, dtype: str) -> SSAValue:
    """Return x - zero in i16, as MatMulInteger is imported; x itself without a zero point."""
    if not zero:
        return x
    spread = g.full(int(np.asarray(zero).astype(dtype)), x, "int16")
    return g.apply("sub", g.add(CastOp(x, i16)), spread)


def dequantize(g: Graph, x: SSAValue, scale: float = 0.5, zero: int | None = 3) -> SSAValue:
    dtype = "uint8" if type_of(x).element_type == U8 else "int8"
    given = None if zero is None else g.full(zero, x, dtype)
    return g.add(DequantizeOp(x, g.full(scale, x), given, f32))


def quantize(g: Graph, x: SSAValue, scale: float = 0.5, zero: int | None = 3) -> SSAValue:
    given = None if zero is None else g.full(zero, x, "uint8")
    return g.add(QuantizeOp(x, g.full(scale, x), given, U8))


WEIGHTS = st.sampled_from(["int8", "uint8", "computed int8", "computed uint8"])


@given(
    st.integers(0, 200), st.integers(0, 200), st.booleans(), st.booleans(), WEIGHTS,
    st.sampled_from([(), (3,)]), st.booleans(),
)  # fmt: skip
@examples(40)
def test_zero_points_leave_products(
    zx: int, zy: int, left: bool, right: bool, weights: str, batch: tuple[int, ...], batched: bool
) -> None:
    m, k, n = 4, 5, 6
    dtype = weights.split()[-1]
    of_x = (*batch, *((k, m) if left else (m, k)))
    of_y = (*(batch if batched else ()), *((n, k) if right else (k, n)))
    data, is_computed = numbers(zx, dtype, *of_y), weights.startswith("computed")

    def body(g: Graph, x: SSAValue, *rest: SSAValue) -> list[SSAValue]:
        y = rest[0] if rest else g.constant(data, dtype)
        y = g.add(BitcastOp(y, i8)) if rest and dtype == "int8" else y
        operands = minus(g, x, zx, "uint8"), minus(g, y, zy, dtype)
        return [g.add(MatmulOp(*operands, transpose_lhs=left, transpose_rhs=right))]

    computed = [data.view(np.uint8)] if is_computed else []
    module = program(body, of_x, *(a.shape for a in computed), element=U8)
    product = only(checked(module, numbers(1, "uint8", *of_x), *computed), MatmulOp)
    assert type_of(product.lhs).element_type == U8
    assert type_of(product.rhs).element_type == i8


@given(
    st.integers(0, 255), st.sampled_from([0, -3, 128]), st.booleans(), st.integers(1, 2),
    st.integers(1, 2), st.sampled_from([1, 2]), st.booleans(),
)  # fmt: skip
@examples(25)
def test_zero_points_leave_convolutions(
    zx: int, zw: int, padded: bool, stride: int, dilation: int, groups: int, biased: bool
) -> None:
    dtype = "uint8" if zw > 0 else "int8"

    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        w = minus(g, g.constant(numbers(zx, dtype, 6, 4 // groups, 3, 3), dtype), zw, dtype)
        b = g.constant(np.arange(-3, 3) * 1000, "int32") if biased else None
        window = {"strides": (stride,) * 2, "dilations": (dilation,) * 2}
        pads = (1, 2, 0, 1) if padded else (0,) * 4
        difference = minus(g, x, zx, "uint8")
        return [g.add(ConvOp(difference, w, b, **window, pads=pads, groups=groups))]

    shape = (1, 4, 9, 8)
    after = checked(program(body, shape, element=U8), numbers(2, "uint8", *shape))
    conv = only(after, ConvOp)
    assert type_of(conv.x).element_type == U8
    assert conv.pad_value == (zx if padded else conv.pad_value)


@pytest.mark.parametrize("element", ["uint8", "int8"])
def test_computed_zero_points_leave_padded_convolutions(element: str) -> None:
    """The floats get the border, since a quantization of 0.0 yields the zero point."""
    bits, rng = np.iinfo(element), np.random.default_rng(3)

    def body(g: Graph, x: SSAValue, zero: SSAValue) -> list[SSAValue]:
        shape = dims_of(type_of(x))
        at = g.add(CastOp(zero, U8 if element == "uint8" else i8))
        scale, spread = g.full(0.25, x), g.add(BroadcastOp(at, shape, ()))
        q = g.add(QuantizeOp(x, scale, spread, type_of(at).element_type))
        moved = g.add(BroadcastOp(g.add(CastOp(at, i16)), shape, ()))
        centered = g.apply("sub", g.add(CastOp(q, i16)), moved)
        w = g.constant(numbers(4, "int8", 6, 4, 3, 2), "int8")
        window = {"strides": (2, 1), "dilations": (1, 1), "pads": (1, 0, 0, 2)}
        return [g.add(ConvOp(centered, w, **window, groups=1))]

    module = program(body, (1, 4, 7, 5), ())
    x = rng.uniform(-20, 20, (1, 4, 7, 5)).astype(np.float32)
    after = checked(module, x, np.float32(bits.min + 37))
    conv = only(after, ConvOp)
    assert type_of(conv.x).element_type in (U8, i8)
    assert not any(conv.pads)
    assert type_of(only(after, PadOp).x).element_type == f32


def only(module: ModuleOp, kind: type[OpT]) -> OpT:
    """Return the only op of a class in main."""
    (found,) = [op for op in main_of(module).body.block.ops if isinstance(op, kind)]
    return found


MOVES: dict[str, Make] = {
    "reshape": lambda g, x: g.add(ReshapeOp(x, (2, 30, 2))),
    "transpose": lambda g, x: g.transpose(x, 0, 2, 3, 1),
    "slice": lambda g, x: g.add(SliceOp(x, (0, 1, 0, 3), (1, 2, 5, 2), (1, 1, 1, -2))),
    "broadcast": lambda g, x: g.add(BroadcastOp(x, (3, 4, 5, 6), (0, 1, 2, 3))),
    "zeros around": lambda g, x: g.add(PadOp(x, (0, 0, 1, 2), (0, 0, 0, 1))),
    "edges around": lambda g, x: g.add(PadOp(x, (0, 0, 1, 2), (0, 0, 0, 1), "edge")),
    "gather": lambda g, x: g.add(GatherOp(x, g.constant([2, 0, 2], "int64"), 1)),
    "concat": lambda g, x: g.add(ConcatOp([x, x], 2)),
    "maximum": lambda g, x: g.add(
        PoolOp(x, kind="max", kernel=(3, 2), strides=(2, 1), dilations=(1, 1), pads=(1, 0, 1, 1))
    ),
}


@pytest.mark.parametrize("move", MOVES)
def test_movement_moves_bytes(move: str) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [quantize(g, MOVES[move](g, dequantize(g, x)))]

    shape = (1, 4, 5, 6)
    after = checked(program(body, shape, element=U8), numbers(3, "uint8", *shape))
    assert not {"dequantize", "quantize"} & set(ops_of(after))


@pytest.mark.parametrize("move", ["maximum", "zeros around"])
def test_a_padding_that_is_no_byte_stays_in_floats(move: str) -> None:
    moves: dict[str, Make] = {
        "maximum": lambda g, x: g.add(
            PoolOp(x, kind="max", kernel=(1, 1), strides=(1, 1), dilations=(1, 1), pads=(1,) * 4)
        ),
        "zeros around": lambda g, x: g.add(PadOp(x, (0,) * 4, (0, 0, 0, 1), value=0.7)),
    }

    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [quantize(g, moves[move](g, dequantize(g, x)))]

    shape = (1, 4, 5, 6)
    after = checked(program(body, shape, element=U8), numbers(3, "uint8", *shape))
    assert {"dequantize", "quantize"} <= set(ops_of(after))


def test_scales_per_axis_follow_a_transpose() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        scale = g.per_channel([0.5, 2, 3], x, 1)
        y = g.add(DequantizeOp(x, scale, g.full(7, x, "uint8"), f32))
        return [g.transpose(y, 1, 0)]

    after = checked(program(body, (4, 3), element=U8), numbers(3, "uint8", 4, 3))
    assert type_of(only(after, TransposeOp).x).element_type == U8


def test_other_parameters_requantize() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [quantize(g, g.transpose(dequantize(g, x), 1, 0), 0.75, 5)]

    after = checked(program(body, (4, 3), element=U8), numbers(3, "uint8", 4, 3))
    assert {"dequantize", "quantize"} <= set(ops_of(after))


def gelu(g: Graph, x: SSAValue) -> SSAValue:
    """Return a GELU of f32 with a quantization after each op."""

    def again(y: SSAValue) -> SSAValue:
        return dequantize(g, quantize(g, y, 0.03, 100), 0.03, 100)

    scaled = again(g.apply("div", x, g.full(1.4142135, x)))
    erf = again(g.apply("erf", scaled))
    total = again(g.apply("add", erf, g.full(1, x)))
    return g.apply("mul", again(g.apply("mul", x, total)), g.full(0.5, x))


CHAINS: dict[str, Make] = {
    "gelu": gelu,
    "tanh": lambda g, x: g.apply("tanh", x),
    "select": lambda g, x: g.apply("exp", g.apply("max", x, g.apply("neg", x))),
}


@pytest.mark.parametrize("element", ["uint8", "int8"])
@pytest.mark.parametrize("chain", CHAINS)
def test_chains_of_bytes_become_one_table(chain: str, element: str) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        x = g.add(BitcastOp(x, i8)) if element == "int8" else x
        return [quantize(g, CHAINS[chain](g, dequantize(g, x, 0.05, 40)), 0.02, 17)]

    every = np.arange(256, dtype=np.uint8)
    after = checked(program(body, (256,), element=U8), every)
    assert ops_of(after)[-2:] == ["cast", "gather"]
    assert "quantize" not in ops_of(after)


@pytest.mark.parametrize(
    ("low", "high", "scale", "zero", "left"),
    [
        (0.0, None, 0.02, None, []),  # ReLU
        (0.0, 6.0, 6 / 255, 0, []),
        (0.0, 6.0, 0.02, 0, []),  # 6 / 0.02 = 300
        (-2.0, 3.0, 5 / 255, 102, []),
        (0.0, 6.0, 0.03, 0, [MinOp, MaxOp]),  # 6 becomes 200
        (0.0, 6.0, 0.02, 7, [MaxOp]),  # 0 becomes 7
        (-2.0, 3.0, 0.5, 9, [MinOp, MaxOp]),
    ],
)
def test_bounds_leave_where_quantization_saturates(
    low: float, high: float | None, scale: float, zero: int | None, left: list[type[Operation]]
) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        bounded = g.apply("max", x, g.full(low, x))
        if high is not None:
            bounded = g.apply("min", g.full(high, x), bounded)
        return [quantize(g, bounded, scale, zero)]

    x = np.linspace(-9, 9, 4001, dtype=np.float32)
    x = np.concatenate([x, np.float32([np.inf, -np.inf, 6.0, 5.97647])])
    after = checked(program(body, x.shape, element=f32), x)
    found = [type(op) for op in main_of(after).walk() if isinstance(op, MinOp | MaxOp)]
    assert found == left[::-1]


def test_bounds_that_another_op_reads_stay() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        bounded = g.apply("max", x, g.full(0.0, x))
        return [quantize(g, bounded, 0.02, None), bounded]

    after = checked(program(body, (7,), element=f32), np.arange(-3, 4, dtype=np.float32))
    only(after, MaxOp)


def test_short_chains_and_chains_of_two_tensors_have_no_table() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        both = g.apply("add", dequantize(g, x), dequantize(g, y))
        return [quantize(g, g.apply("tanh", both)), quantize(g, dequantize(g, x), 0.7)]

    data = numbers(1, "uint8", 9)
    assert "gather" not in ops_of(checked(program(body, (9,), (9,), element=U8), data, data))


def test_sums_that_may_exceed_i32_stay_in_floats() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        return [g.add(MatmulOp(dequantize(g, x, zero=None), dequantize(g, y, zero=None)))]

    for count, element in ((MOST_PRODUCTS, i32), (MOST_PRODUCTS + 1, f32)):
        module = program(body, (1, count), (count, 1), element=U8)
        after = pass_case.run_passes(module, [Quantize()])
        kinds = [op for op in after.walk() if isinstance(op, MatmulOp)]
        assert [type_of(op.out).element_type for op in kinds] == [element]
