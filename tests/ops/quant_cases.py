"""Op cases of quantization, against onnx.reference with scales as large as x."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import (
    Float8E4M3FNType,
    IntegerType,
    Signedness,
    bf16,
    f16,
    f32,
    i8,
)

from tilewright.dialects.graph import DequantizeOp, QuantizeOp

from .case import Input, OpCase, np_dtype

I4, F8 = IntegerType(4), Float8E4M3FNType()
U8 = IntegerType(8, Signedness.UNSIGNED)
U16 = IntegerType(16, Signedness.UNSIGNED)
SHAPE = (3, 17)
NUMBER, SCALE = Input("float32", SHAPE, -300, 300), Input("float32", SHAPE, 0.5, 2)


def _rounded(dtype: str, limits: Any = None) -> Callable[..., Any]:
    """Return ``clip(rint(x / scale) + zero)``, computed in f32."""
    low, high = limits or (np.iinfo(dtype).min, np.iinfo(dtype).max)

    def reference(x: Any, scale: Any, zero: Any = 0) -> Any:
        quotient = np.rint((x / scale).astype(np.float32)).astype(np.int64)
        return np.clip(quotient + np.asarray(zero).astype(np.int64), low, high).astype(
            np_dtype(dtype)
        )

    return reference


def quant_cases() -> list[OpCase]:
    """Return quantization to integers and floats, and back."""
    return [
        OpCase(
            "quantize_u8",
            lambda x, s, z: QuantizeOp(x, s, z, U8),
            (NUMBER, SCALE, Input("uint8", SHAPE, 0, 255)),
            _rounded("uint8"),
        ),
        OpCase(
            "quantize_i8",
            lambda x, s: QuantizeOp(x, s, None, i8),
            (NUMBER, SCALE),
            _rounded("int8"),
        ),
        OpCase(
            "quantize_f16_u16",
            lambda x, s, z: QuantizeOp(x, s, z, U16),
            (
                Input("float16", SHAPE, -3000, 3000),
                Input("float16", SHAPE, 0.01, 2),
                Input("uint16", SHAPE, 0, 65535),
            ),
            _rounded("uint16"),
        ),
        OpCase(
            "quantize_i4",
            lambda x, s, z: QuantizeOp(x, s, z, I4),
            (Input("float32", SHAPE, -9, 9), SCALE, Input("int4", SHAPE, -8, 7)),
            _rounded("int4", (-8, 7)),
        ),
        OpCase(
            "quantize_f8",
            lambda x, s: QuantizeOp(x, s, None, F8),
            (NUMBER, SCALE),
            lambda x, s: np.clip(x / s, -448, 448).astype(ml_dtypes.float8_e4m3fn),
        ),
        OpCase(
            "dequantize_u4",
            lambda x, s, z: DequantizeOp(x, s, z, f32),
            (Input("uint4", SHAPE, 0, 15), SCALE, Input("uint4", SHAPE, 0, 15)),
            lambda x, s, z: (x.astype(np.float32) - z.astype(np.float32)) * s,
        ),
        OpCase(
            "dequantize_u8",
            lambda x, s, z: DequantizeOp(x, s, z, f32),
            (Input("uint8", SHAPE, 0, 255), SCALE, Input("uint8", SHAPE, 0, 255)),
            lambda x, s, z: (x.astype(np.float32) - z.astype(np.float32)) * s,
        ),
        OpCase(
            "dequantize_i16_f16",
            lambda x, s: DequantizeOp(x, s, None, f16),
            (Input("int16", SHAPE, -999, 999), SCALE),
            lambda x, s: (x.astype(np.float32) * s).astype(np.float16),
        ),
        OpCase(
            "dequantize_i32_bf16",
            lambda x, s: DequantizeOp(x, s, None, bf16),
            (Input("int32", SHAPE, -(2**20), 2**20), Input("bfloat16", SHAPE, 0.5, 2)),
            lambda x, s: (x.astype(np.float32) * s.astype(np.float32)).astype(ml_dtypes.bfloat16),
        ),
    ]
