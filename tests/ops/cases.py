"""The table of op cases: elementwise ones from the op table, the others by hand.

Each op has at least one case; the cases of a large family have a separate file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i8, i32

from tilewright.dialects.graph import (
    ELEMENTWISE,
    AppendOp,
    ArgReduceOp,
    BinaryOp,
    BitcastOp,
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    ConvTransposeOp,
    CumulativeOp,
    IotaOp,
    LogSoftmaxOp,
    LrnOp,
    MatmulOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ReshapeOp,
    SelectOp,
    SizeOp,
    SliceOp,
    SoftmaxOp,
    TransposeOp,
)

from .block_product_cases import block_product_cases
from .case import Array, Input, OpCase, Reference, float_input, in_f64, onnx_reference
from .control_cases import control_cases
from .index_cases import index_cases
from .quant_cases import quant_cases
from .random_cases import random_cases
from .scatter_cases import det_cases, scatter_cases, sort_cases
from .selection_cases import selection_cases
from .vision_cases import vision_cases

# -- elementwise: from the table ---------------------------------------------------------------


def _truncated(a: Array, b: Array) -> Array:
    safe = np.where(b == 0, 1, b)
    exact = [
        0 if y == 0 else math.trunc(int(x) / int(y)) for x, y in zip(a.flat, b.flat, strict=True)
    ]
    return np.array(exact, safe.dtype).reshape(a.shape)


def _shift_right(a: Array, b: Array) -> Array:
    return np.array(
        [int(x) >> int(y) for x, y in zip(a.flat, b.flat, strict=True)], a.dtype
    ).reshape(a.shape)


FLOAT_REFERENCES: dict[str, Reference] = {
    "abs": np.abs,
    "neg": np.negative,
    "sign": np.sign,
    "ceil": np.ceil,
    "floor": np.floor,
    "round_even": np.round,
    "sqrt": np.sqrt,
    "exp": in_f64(np.exp),
    "expm1": in_f64(np.expm1),
    "log": in_f64(np.log),
    "log1p": in_f64(np.log1p),
    "sin": in_f64(np.sin),
    "cos": in_f64(np.cos),
    "tan": in_f64(np.tan),
    "asin": in_f64(np.arcsin),
    "acos": in_f64(np.arccos),
    "atan": in_f64(np.arctan),
    "sinh": in_f64(np.sinh),
    "cosh": in_f64(np.cosh),
    "tanh": in_f64(np.tanh),
    "asinh": in_f64(np.arcsinh),
    "acosh": in_f64(np.arccosh),
    "atanh": in_f64(np.arctanh),
    "erf": in_f64(np.vectorize(math.erf)),
    "sigmoid": in_f64(lambda x: np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))),
    "is_nan": np.isnan,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "mod": np.mod,
    "fmod": np.fmod,
    "pow": in_f64(np.power),
    "max": np.maximum,
    "min": np.minimum,
    "eq": np.equal,
    "lt": np.less,
    "le": np.less_equal,
}

INTEGER_REFERENCES: dict[str, Reference] = {
    "abs": np.abs,
    "neg": np.negative,
    "sign": np.sign,
    "not": np.invert,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _truncated,
    "mod": lambda a, b: np.where(b == 0, a * 0, np.mod(a, np.where(b == 0, 1, b))),
    "fmod": lambda a, b: np.where(b == 0, a * 0, np.fmod(a, np.where(b == 0, 1, b))),
    "pow": lambda a, b: np.power(a, np.abs(b)),
    "max": np.maximum,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "shl": np.left_shift,
    "shr": _shift_right,
    "eq": np.equal,
    "lt": np.less,
    "le": np.less_equal,
}

DOMAINS: dict[str, tuple[float, float]] = {
    "sqrt": (0, 9),
    "log": (0.01, 50),
    "log1p": (-0.9, 50),
    "asin": (-1, 1),
    "acos": (-1, 1),
    "atanh": (-0.99, 0.99),
    "acosh": (1, 20),
    "tan": (-1.5, 1.5),
    "round_even": (-8, 8),
}
"""The domains of float functions that are not defined everywhere."""

ARITY = {name: 2 if issubclass(cls, BinaryOp) else 1 for name, cls in ELEMENTWISE.items()}


def elementwise_cases() -> list[OpCase]:
    """Return cases for each op of the table, for floats and integers if it supports them."""
    cases = []
    for name, cls in ELEMENTWISE.items():
        count = ARITY[name]
        if name in FLOAT_REFERENCES and cls.KIND in ("float", "number", "any"):
            low, high = DOMAINS.get(name, (-4, 4))
            first = Input("float32", (3, 5), 0 if name == "pow" else low, high)
            ins = (first, Input("float32", (3, 5), low, high))[:count]
            ulp = 0 if name in ("abs", "neg", "eq", "lt", "le", "add", "sub", "mul") else 1
            cases.append(OpCase(f"{name}_f32", cls, ins, FLOAT_REFERENCES[name], ulp))
        if cls.KIND != "float":
            high = 3 if name in ("pow", "shl", "shr") else 9
            low = 0 if name in ("pow", "shl", "shr") else -9
            ins = (Input("int32", (3, 5), -9, 9), Input("int32", (3, 5), low, high))[:count]
            cases.append(OpCase(f"{name}_i32", cls, ins, INTEGER_REFERENCES[name]))
    return cases


# -- the other families, by hand ---------------------------------------------------------------


def window(rank: int, **numbers: Sequence[int]) -> dict[str, Sequence[int]]:
    """Return strides, dilations and pads; the defaults are 1, 1 and 0."""
    ones, zeros = [1] * rank, [0] * (2 * rank)
    return {"strides": ones, "dilations": ones, "pads": zeros} | numbers


def _padded_integers(x: Any, w: Any, b: Any) -> Any:
    """Return ConvInteger's result with the zero point as padding, plus its constant share."""
    options = {"pads": [1, 0, 2, 1]}
    (centered,) = onnx_reference("ConvInteger", **options)(x, w, np.uint8(77))
    share = 77 * w.astype(np.int32).sum((1, 2, 3))
    return (centered + (share + b).reshape(1, -1, 1, 1)).astype(np.int32)


def conv_case(
    name: str, ins: tuple[Input, ...], groups: int = 1, **numbers: Sequence[int]
) -> OpCase:
    """Return a convolution, compared with ONNX."""
    numbers = window(len(ins[0].shape) - 2, **numbers)
    reference = onnx_reference("Conv", group=groups, **numbers)
    return OpCase(name, lambda *v: ConvOp(*v, groups=groups, **numbers), ins, reference, 16)


def conv_transpose_case(
    name: str, ins: tuple[Input, ...], groups: int = 1, **numbers: Sequence[int]
) -> OpCase:
    """Return a transposed convolution, compared with ONNX; negative high pads extend the output."""
    numbers = window(len(ins[0].shape) - 2, **numbers)
    rank = len(numbers["strides"])
    low, high = numbers["pads"][:rank], numbers["pads"][rank:]
    reference = onnx_reference(
        "ConvTranspose",
        group=groups,
        **numbers | {"pads": [*low, *(max(p, 0) for p in high)]},
        output_padding=[max(-p, 0) for p in high],
    )
    return OpCase(
        name, lambda *v: ConvTransposeOp(*v, groups=groups, **numbers), ins, reference, 16
    )


def pool_case(name: str, x: Input, kernel: Sequence[int], **options: Any) -> OpCase:
    """Return a pooling, compared with ONNX."""
    numbers = window(
        len(kernel),
        **{k: options.pop(k) for k in list(options) if k in ("strides", "dilations", "pads")},
    )
    kind, op_type = options["kind"], {"max": "MaxPool", "avg": "AveragePool", "lp": "LpPool"}
    attrs: dict[str, Any] = {"kernel_shape": kernel, **numbers}
    if options.get("ceil"):
        attrs["ceil_mode"] = 1
    if options.get("count_pad"):
        attrs["count_include_pad"] = 1
    if "p" in options:
        attrs["p"] = options["p"]
    reference = onnx_reference(op_type[kind], **attrs)
    return OpCase(
        name, lambda v: PoolOp(v, kernel=kernel, **numbers, **options), (x,), reference, 8
    )


def normalized(x: Array, axes: tuple[int, ...], eps: float, *, center: bool) -> tuple[Array, ...]:
    """Return the normalized value, mean and 1/std, computed in f64 and rounded to f32."""
    wide = x.astype(np.float64)
    total = wide.sum(axes, keepdims=True)
    mean = wide.mean(axes, keepdims=True) if center else np.zeros_like(total)
    inv_std = 1 / np.sqrt(((wide - mean) ** 2).mean(axes, keepdims=True) + eps)
    return tuple(a.astype(np.float32) for a in ((wide - mean) * inv_std, mean, inv_std))


def matmul_cases() -> list[OpCase]:
    """Return matrix products."""
    mixed = (Input("uint8", (3, 4), 0, 255), Input("int8", (4, 5), -128, 127))
    return [
        OpCase("matmul", MatmulOp, (float_input(3, 4), float_input(4, 5)), np.matmul, 16),
        OpCase(
            "matmul_batch", MatmulOp, (float_input(2, 3, 4), float_input(2, 4, 5)), np.matmul, 16
        ),
        OpCase(
            "matmul_transposed",
            lambda a, b: MatmulOp(a, b, transpose_lhs=True, transpose_rhs=True),
            (float_input(4, 3), float_input(5, 4)),
            lambda a, b: a.T @ b.T,
            16,
        ),
        OpCase(
            "matmul_u8_i8", MatmulOp, mixed, lambda a, b: a.astype(np.int32) @ b.astype(np.int32)
        ),
        OpCase("matmul_i64", MatmulOp, (Input("int64", (2, 3)), Input("int64", (3, 2))), np.matmul),
        OpCase(
            "matmul_f16_acc_f32",
            lambda a, b: MatmulOp(a, b, acc=f32),
            (Input("float16", (2, 8)), Input("float16", (8, 3))),
            lambda a, b: a.astype(np.float32) @ b.astype(np.float32),
            16,
        ),
    ]


def conv_cases() -> list[OpCase]:
    """Return convolutions of 1 to 3 dimensions."""
    return [
        conv_case("conv1d", (float_input(2, 3, 9), float_input(4, 3, 3)), pads=[1, 1]),
        conv_case(
            "conv2d_bias",
            (float_input(2, 3, 8, 7), float_input(4, 3, 3, 2), float_input(4)),
            strides=[2, 1],
            pads=[1, 0, 2, 1],
        ),
        conv_case(
            "conv2d_dilated", (float_input(1, 2, 9, 9), float_input(2, 2, 3, 3)), dilations=[2, 3]
        ),
        conv_case("conv2d_groups", (float_input(1, 4, 5, 5), float_input(6, 2, 3, 3)), groups=2),
        conv_case(
            "conv2d_depthwise",
            (float_input(1, 3, 5, 5), float_input(3, 1, 3, 3)),
            groups=3,
            pads=[1] * 4,
        ),
        conv_case("conv3d", (float_input(1, 2, 4, 5, 4), float_input(2, 2, 2, 3, 2))),
        conv_transpose_case(
            "conv_transpose_1d",
            (float_input(2, 3, 5), float_input(3, 2, 4), float_input(2)),
            pads=[1, 2],
        ),
        conv_transpose_case(
            "conv_transpose_2d",
            (float_input(1, 3, 4, 3), float_input(3, 4, 2, 4), float_input(4)),
            strides=[2, 2],
            pads=[0, 1, 0, 1],
        ),
        conv_transpose_case(
            "conv_transpose_odd",
            (float_input(2, 3, 3, 4), float_input(3, 2, 3, 3)),
            strides=[2, 2],
            pads=[1, 1, 0, 0],
        ),
        conv_transpose_case(
            "conv_transpose_holes",
            (float_input(1, 2, 3, 3), float_input(2, 2, 2, 3), float_input(2)),
            strides=[3, 2],
            dilations=[2, 2],
            pads=[1, 0, -1, -1],
        ),
        OpCase(
            "conv_i8",
            lambda x, w: ConvOp(x, w, **window(1)),
            (Input("int8", (1, 2, 5), -128, 127), Input("int8", (1, 2, 2), -128, 127)),
            lambda x, w: np.array(
                [[[(x[0, :, p : p + 2].astype(np.int32) * w[0]).sum() for p in range(4)]]], np.int32
            ),
        ),
        OpCase(
            "conv_u8_padded",
            lambda x, w, b: ConvOp(x, w, b, **window(2, pads=[1, 0, 2, 1]), pad_value=77),
            (
                Input("uint8", (1, 3, 5, 6), 0, 255),
                Input("int8", (2, 3, 3, 3), -128, 127),
                Input("int32", (2,), -999, 999),
            ),
            _padded_integers,
        ),
    ]


def pool_cases() -> list[OpCase]:
    """Return poolings of each kind."""
    x = float_input(1, 2, 7, 6)
    return [
        pool_case("pool_max", x, [3, 2], kind="max", strides=[2, 2], pads=[1, 0, 1, 1]),
        pool_case("pool_max_ceil", x, [3, 3], kind="max", strides=[2, 2], ceil=True),
        pool_case("pool_max_dilated", x, [2, 2], kind="max", dilations=[2, 3]),
        pool_case("pool_avg", x, [3, 2], kind="avg", strides=[2, 2], pads=[1, 0, 1, 1]),
        pool_case("pool_avg_count_pad", x, [3, 2], kind="avg", pads=[1, 0, 1, 1], count_pad=True),
        pool_case("pool_avg_ceil", x, [3, 3], kind="avg", strides=[2, 2], pads=[1] * 4, ceil=True),
        pool_case("pool_lp", x, [2, 2], kind="lp", strides=[2, 2], p=3),
        OpCase(
            "pool_sum",
            lambda v: PoolOp(v, kind="sum", kernel=[2], **window(1, strides=[2])),
            (float_input(1, 2, 6),),
            lambda v: v.reshape(1, 2, 3, 2).sum(-1),
            4,
        ),
        OpCase(
            "pool_max_i8",
            lambda v: PoolOp(v, kind="max", kernel=[2], **window(1, pads=[1, 1])),
            (Input("int8", (1, 1, 3), -128, -100),),
            lambda v: (
                np.stack([v[0, 0, [0, 0, 1, 2]], v[0, 0, [0, 1, 2, 2]]]).max(0).reshape(1, 1, 4)
            ),
        ),
    ]


def reduce_cases() -> list[OpCase]:
    """Return reductions, positions of extremes and running values."""
    x, ints = float_input(3, 4, 5), Input("int32", (3, 4, 5), -9, 9)
    return [
        *(
            OpCase(
                f"reduce_{kind}_f32",
                lambda v, kind=kind: ReduceOp(v, kind=kind, axes=[0, 2]),
                (x,),
                lambda v, fold=fold: fold(v, axis=(0, 2)),
                16,
            )
            for kind, fold in (("sum", np.sum), ("prod", np.prod), ("max", np.max), ("min", np.min))
        ),
        OpCase(
            "reduce_keep_i32",
            lambda v: ReduceOp(v, kind="sum", axes=[1], keep=True),
            (ints,),
            lambda v: v.sum(1, keepdims=True, dtype=np.int32),
        ),
        OpCase(
            "reduce_and_i32",
            lambda v: ReduceOp(v, kind="and", axes=[0, 1]),
            (Input("int32", (2, 3, 37), -9, -1),),
            lambda v: np.bitwise_and.reduce(v, axis=(0, 1)),
        ),
        OpCase("reduce_no_axes", lambda v: ReduceOp(v, kind="sum", axes=[]), (x,), lambda v: v),
        OpCase(
            "arg_max",
            lambda v: ArgReduceOp(v, kind="max", axis=1),
            (ints,),
            onnx_reference("ArgMax", axis=1, keepdims=0),
        ),
        OpCase(
            "arg_min_last_keep",
            lambda v: ArgReduceOp(v, kind="min", axis=2, keep=True, last=True),
            (Input("int32", (3, 4, 5), 0, 2),),
            onnx_reference("ArgMin", axis=2, keepdims=1, select_last_index=1),
        ),
        OpCase(
            "cumulative_sum",
            lambda v: CumulativeOp(v, kind="sum", axis=1),
            (x,),
            lambda v: v.astype(np.float64).cumsum(1).astype(np.float32),
            4,
        ),
        OpCase(
            "cumulative_exclusive_reverse",
            lambda v: CumulativeOp(v, kind="sum", axis=2, exclusive=True, reverse=True),
            (ints,),
            lambda v: (v[..., ::-1].cumsum(-1)[..., ::-1] - v).astype(np.int32),
        ),
        OpCase(
            "cumulative_prod",
            lambda v: CumulativeOp(v, kind="prod", axis=0),
            (ints,),
            lambda v: v.cumprod(0, dtype=np.int32),
        ),
    ]


def norm_cases() -> list[OpCase]:
    """Return normalizations."""
    x = float_input(2, 5, 6)
    return [
        OpCase("softmax", lambda v: SoftmaxOp(v, 1), (x,), onnx_reference("Softmax", axis=1), 8),
        OpCase(
            "log_softmax",
            lambda v: LogSoftmaxOp(v, 2),
            (x,),
            onnx_reference("LogSoftmax", axis=2),
            8,
        ),
        OpCase(
            "normalize",
            lambda v: NormalizeOp(v, axes=[1, 2], eps=1e-5),
            (x,),
            lambda v: normalized(v, (1, 2), 1e-5, center=True),
            4,
        ),
        OpCase(
            "normalize_uncentered",
            lambda v: NormalizeOp(v, axes=[2], eps=1e-3, center=False),
            (x,),
            lambda v: normalized(v, (2,), 1e-3, center=False),
            4,
        ),
        OpCase(
            "lrn",
            lambda v: LrnOp(v, size=4, alpha=0.2, beta=0.5, bias=1.5),
            (float_input(6, 6, 2, 2),),  # N = C: onnx's evaluator counts channels by N
            onnx_reference("LRN", size=4, alpha=0.2, beta=0.5, bias=1.5),
            8,
        ),
    ]


def move_cases() -> list[OpCase]:
    """Return movements, of several types."""
    x = float_input(2, 3, 4)
    return [
        OpCase("reshape", lambda v: ReshapeOp(v, [4, 6]), (x,), lambda v: v.reshape(4, 6)),
        OpCase(
            "transpose", lambda v: TransposeOp(v, [2, 0, 1]), (x,), lambda v: v.transpose(2, 0, 1)
        ),
        OpCase(
            "broadcast",
            lambda v: BroadcastOp(v, [5, 3, 2, 4], [1, 3]),
            (float_input(3, 1),),
            lambda v: np.broadcast_to(v.reshape(1, 3, 1, 1), (5, 3, 2, 4)),
        ),
        OpCase(
            "broadcast_scalar",
            lambda v: BroadcastOp(v, [2, 3], []),
            (Input("bool", ()),),
            lambda v: np.full((2, 3), v),
        ),
        OpCase(
            "slice",
            lambda v: SliceOp(v, [1, 2, 0], [1, 3, 2], [1, -1, 3]),
            (x,),
            lambda v: v[1:2, ::-1, ::3],
        ),
        OpCase(
            "slice_empty",
            lambda v: SliceOp(v, [2, 0, 0], [0, 3, 4], [1, 1, 1]),
            (x,),
            lambda v: v[2:],
        ),
        OpCase(
            "concat",
            lambda *v: ConcatOp(v, 1),
            (x, float_input(2, 1, 4), x),
            lambda *v: np.concatenate(v, 1),
        ),
        OpCase("append", AppendOp, (x, float_input(1, 3, 4)), lambda *v: np.concatenate(v)),
        OpCase(
            "pad_constant",
            lambda v: PadOp(v, [1, 0, 2], [0, 3, 1], "constant", 7),
            (Input("uint8", (2, 3, 4), 0, 9),),
            lambda v: np.pad(v, [(1, 0), (0, 3), (2, 1)], constant_values=7),
        ),
        *(
            OpCase(
                f"pad_{mode}",
                lambda v, mode=mode: PadOp(v, [1, 0, 2], [0, 2, 3], mode),
                (x,),
                lambda v, mode=mode: np.pad(v, [(1, 0), (0, 2), (2, 3)], mode),
            )
            for mode in ("edge", "reflect", "wrap")
        ),
        OpCase(
            "iota",
            lambda: IotaOp([2, 3], 1, f32),
            (),
            lambda: np.array([[0, 1, 2]] * 2, np.float32),
        ),
    ]


def other_cases() -> list[OpCase]:
    """Return select, casts, gather, constants and sizes."""
    table = np.arange(6, dtype=np.int64).reshape(2, 3)
    large = np.arange(200, dtype=np.float32)
    return [
        OpCase(
            "select",
            SelectOp,
            (Input("bool", (3, 4)), float_input(3, 4), float_input(3, 4)),
            np.where,
        ),
        OpCase("not_bool", ELEMENTWISE["not"], (Input("bool", (9,)),), np.logical_not),
        OpCase("xor_bool", ELEMENTWISE["xor"], (Input("bool", (9,)),) * 2, np.logical_xor),
        OpCase("add_u8_wraps", ELEMENTWISE["add"], (Input("uint8", (64,), 0, 255),) * 2, np.add),
        OpCase(
            "mul_i8_wraps", ELEMENTWISE["mul"], (Input("int8", (64,), -128, 127),) * 2, np.multiply
        ),
        OpCase("add_f16", ELEMENTWISE["add"], (Input("float16", (64,)),) * 2, np.add),
        OpCase(
            "mul_bf16",
            ELEMENTWISE["mul"],
            (Input("bfloat16", (64,)),) * 2,
            lambda a, b: (a.astype(np.float32) * b.astype(np.float32)).astype(ml_dtypes.bfloat16),
        ),
        OpCase(
            "cast_i32",
            lambda v: CastOp(v, i32),
            (float_input(20),),
            lambda v: np.trunc(v).astype(np.int32),
        ),
        OpCase(
            "cast_bool", lambda v: CastOp(v, i1), (Input("int64", (20,), -2, 2),), lambda v: v != 0
        ),
        OpCase(
            "cast_f16", lambda v: CastOp(v, f16), (float_input(20),), lambda v: v.astype(np.float16)
        ),
        OpCase(
            "cast_bf16",
            lambda v: CastOp(v, bf16),
            (float_input(20),),
            lambda v: v.astype(ml_dtypes.bfloat16),
        ),
        OpCase(
            "cast_i8_drops",
            lambda v: CastOp(v, i8),
            (Input("int32", (20,), -999, 999),),
            lambda v: v.astype(np.int8),
        ),
        OpCase(
            "cast_f64",
            lambda v: CastOp(v, f64),
            (Input("bool", (20,)),),
            lambda v: v.astype(np.float64),
        ),
        OpCase(
            "bitcast", lambda v: BitcastOp(v, i32), (float_input(2, 3),), lambda v: v.view(np.int32)
        ),
        OpCase(
            "bitcast_regroups",
            lambda v: BitcastOp(v, i8),
            (float_input(2, 3),),
            lambda v: v.view(np.int8),
        ),
        OpCase("constant", lambda: ConstantOp(table), (), lambda: table),
        OpCase("constant_large", lambda: ConstantOp(large), (), lambda: large),
        OpCase("size", lambda: SizeOp([3, 5]), (), lambda: np.array([3, 5])),
    ]


CASES: list[OpCase] = [
    *elementwise_cases(),
    *matmul_cases(),
    *conv_cases(),
    *pool_cases(),
    *reduce_cases(),
    *norm_cases(),
    *move_cases(),
    *index_cases(),
    *random_cases(),
    *vision_cases(),
    *quant_cases(),
    *block_product_cases(),
    *scatter_cases(),
    *sort_cases(),
    *det_cases(),
    *other_cases(),
    *control_cases(),
    *selection_cases(),
]
"""All op cases."""

CASES_BY_NAME = {case.name: case for case in CASES}
