"""Operators of com.microsoft as machine code, against onnxruntime's own kernels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import helper

from tilewright.interp.graph import run_graph

from ....onnx_models import node, onnx_model
from ....peer import peer_results
from ..test_importer import main_of

NATIVE = str(Path(__file__).parents[1] / "native.py")
RNG = np.random.default_rng(5)
DOMAIN = "com.microsoft"


def floats(*shape, low=-2.0, high=2.0):
    return RNG.uniform(low, high, shape).astype(np.float32)


def stored(dtype, *shape):
    limits = np.iinfo(dtype)
    return np.asarray(RNG.integers(limits.min, limits.max + 1, shape), dtype)


def scale(*shape):
    return np.asarray(RNG.uniform(0.01, 0.1, shape), np.float32)


X = floats(2, 5, 32)
U8 = stored("uint8", 1, 4, 6, 6)
MAP = (U8, scale(), stored("uint8"))
OTHER = (stored("uint8", 1, 4, 6, 6), scale(), stored("uint8"))
OUT = (np.float32(0.2), np.uint8(120))
MATRICES = (stored("uint8", 7, 33), stored("int8", 33, 20))
NBITS = {"K": 70, "N": 24, "block_size": 32}
PACKED = (stored("uint8", 24, 3, 16), scale(24 * 3))


# ---- name of the case, operator, inputs, attributes; the first input is no constant
CASES = {
    "fused_matmul": ("FusedMatMul", (X, floats(2, 8, 32)), {"transB": 1, "alpha": 0.3}),
    "fused_matmul_left": ("FusedMatMul", (floats(6, 5), floats(6, 4)), {"transA": 1}),
    "transpose_matmul": ("TransposeMatMul", (floats(6, 5), floats(6, 4)), {"transA": 1}),
    **{
        f"fused_conv_{name}": (
            "FusedConv",
            (floats(2, 4, 6, 6), floats(8, 4, 3, 3), floats(8)),
            {"activation": name, **numbers, "pads": [1, 1, 1, 1]},
        )
        for name, numbers in (
            ("Relu", {}), ("Tanh", {}), ("LeakyRelu", {"activation_params": [0.2]}),
            ("Clip", {"activation_params": [-0.5, 2.0]}),
            ("HardSigmoid", {"activation_params": [0.1, 0.4]}),
        )
    },
    "fused_conv_sum": (
        "FusedConv",
        (floats(2, 4, 6, 6), floats(8, 4, 3, 3), floats(8), floats(2, 8, 4, 4)),
        {"activation": "Relu"},
    ),
    "fused_gemm": (
        "FusedGemm",
        (floats(6, 5), floats(4, 5), floats(4)),
        {"activation": "LeakyRelu", "activation_alpha": 0.3, "transB": 1, "alpha": 0.5},
    ),
    "gelu": ("Gelu", (X,), {}),
    "bias_gelu": ("BiasGelu", (X, floats(32)), {}),
    "fast_gelu": ("FastGelu", (X,), {}),
    "fast_gelu_bias": ("FastGelu", (X, floats(32)), {}),
    "quick_gelu": ("QuickGelu", (X,), {"alpha": 1.5}),
    "skip_norm": ("SkipLayerNormalization", (X, X[::-1].copy(), *floats(3, 32)), {}),
    "skip_rms": ("SkipSimplifiedLayerNormalization", (X, X[::-1].copy(), *floats(2, 32)), {}),
    "rotary": (
        "RotaryEmbedding",
        (
            X,
            np.array([[3, 1, 0, 9, 4], [0, 1, 2, 3, 4]], np.int64),
            floats(10, 8),
            floats(10, 8),
        ),
        {"num_heads": 2},
    ),
    "qlinear_add": ("QLinearAdd", (*MAP, *OTHER, *OUT), {}),
    "qlinear_mul": ("QLinearMul", (*MAP, *OTHER, *OUT), {}),
    "qlinear_sigmoid": ("QLinearSigmoid", (*MAP, np.float32(1 / 256), np.uint8(0)), {}),
    "qlinear_softmax": (
        "QLinearSoftmax", (*MAP, np.float32(1 / 256), np.uint8(0)), {"axis": -1, "opset": 13},
    ),
    "qlinear_softmax_flat": (
        "QLinearSoftmax", (*MAP, np.float32(1 / 256), np.uint8(0)), {"axis": 2, "opset": 11},
    ),
    "qlinear_leaky_relu": ("QLinearLeakyRelu", (*MAP, *OUT), {"alpha": 0.3}),
    "qlinear_average_pool": (
        "QLinearAveragePool",
        (*MAP, *OUT),
        {"kernel_shape": [3, 2], "strides": [1, 2], "pads": [1, 0, 1, 0]},
    ),
    "qlinear_global_average_pool": ("QLinearGlobalAveragePool", (*MAP, *OUT), {}),
    "qlinear_global_average_pool_last": (
        "QLinearGlobalAveragePool",
        (*MAP, *OUT),
        {"channels_last": 1},
    ),
    "qlinear_where": (
        "QLinearWhere", (RNG.integers(0, 2, U8.shape).astype(bool), *MAP, *OTHER, *OUT), {},
    ),
    "qlinear_conv": (
        "QLinearConv",
        (
            *MAP, stored("int8", 8, 4, 3, 3), scale(8), np.zeros(8, np.int8), np.float32(5), OUT[1],
            stored("int16", 8).astype(np.int32),
        ),
        {"pads": [1, 1, 1, 1]},
    ),
    "qlinear_conv_last": (
        "QLinearConv",
        (
            stored("uint8", 1, 5, 6, 4), *MAP[1:], stored("int8", 8, 4, 3, 3), scale(8),
            np.zeros(8, np.int8), np.float32(5), OUT[1],
        ),
        {"channels_last": 1, "strides": [2, 1]},
    ),
    "nhwc_max_pool": (
        "NhwcMaxPool", (stored("uint8", 2, 6, 7, 5),), {"kernel_shape": [3, 2], "strides": [2, 1]},
    ),
    "qlinear_concat": ("QLinearConcat", (*OUT, *MAP, *OTHER), {"axis": 1}),
    "qgemm": (
        "QGemm",
        (
            stored("uint8", 7, 33), scale(), stored("uint8"), stored("int8", 20, 33), scale(20),
            np.zeros(20, np.int8), stored("int16", 20).astype(np.int32), np.float32(5), OUT[1],
        ),
        {"transB": 1},
    ),
    "qgemm_float": (
        "QGemm",
        (
            stored("uint8", 7, 33), scale(), stored("uint8"), stored("int8", 33, 20), scale(),
            np.int8(3), stored("int16", 20).astype(np.int32),
        ),
        {"alpha": 0.5},
    ),
    "integer_to_float": (
        "MatMulIntegerToFloat",
        (*MATRICES, scale(), scale(20), stored("uint8"), np.zeros(20, np.int8), floats(20)),
        {},
    ),
    "dynamic": ("DynamicQuantizeMatMul", (X, stored("int8", 32, 20), scale(20)), {}),
    "dynamic_bias": (
        "DynamicQuantizeMatMul",
        (X, stored("int8", 32, 20), scale(), np.int8(0), floats(20)),
        {},
    ),
    "n_bits_4": ("MatMulNBits", (floats(5, 70), *PACKED), {**NBITS, "bits": 4}),
    "n_bits_4_zeros": (
        "MatMulNBits",
        (floats(1, 5, 70), *PACKED, stored("uint8", 24 * 2)),
        {**NBITS, "bits": 4},
    ),
    "n_bits_8": (
        "MatMulNBits",
        (floats(5, 70), stored("uint8", 24, 3, 32), PACKED[1]),
        {**NBITS, "bits": 8},
    ),
}  # fmt: skip
LAYER = {"hidden_size": 6, "direction": "bidirectional"}
CASES |= {
    "dynamic_lstm": (
        "DynamicQuantizeLSTM",
        (
            floats(7, 2, 5), stored("int8", 2, 5, 24), stored("int8", 2, 6, 24), floats(2, 48),
            None, None, None, None, scale(2), np.zeros(2, np.int8), scale(2), np.zeros(2, np.int8),
        ),
        LAYER,
    ),
    "dynamic_lstm_states": (
        "DynamicQuantizeLSTM",
        (
            floats(7, 2, 5), stored("uint8", 2, 5, 24), stored("uint8", 2, 6, 24), floats(2, 48),
            None, floats(2, 2, 6), floats(2, 2, 6), floats(2, 18),
            scale(2, 24), np.full((2, 24), 130, np.uint8), scale(2, 24),
            np.full((2, 24), 120, np.uint8),
        ),
        LAYER,
    ),
}  # fmt: skip
NOT_CONSTANT = {"qlinear_concat": 2}


@pytest.mark.parametrize("case", CASES)
def test_operators_give_what_onnxruntime_gives(case, worker):
    op, arrays, attributes = CASES[case]
    names = ["" if array is None else f"v{n}" for n, array in enumerate(arrays)]
    given = names[NOT_CONSTANT.get(case, 0)]
    values = {n: np.asarray(a) for n, a in zip(names, arrays, strict=True) if a is not None}
    x = values.pop(given)
    types = {given: (helper.np_dtype_to_tensor_dtype(x.dtype), list(x.shape))}
    model = onnx_model([node(op, names, domain=DOMAIN, **attributes)], types, weights=values)
    model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    data = model.SerializeToString()
    # With several threads, onnxruntime quantizes the states of each sequence of an LSTM alone.
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    want = session.run(None, {given: x})[0]
    (got,) = worker.call(f"{NATIVE}:run", data, (x,))
    assert got.dtype == want.dtype
    if want.dtype == np.uint8:
        # onnxruntime rounds after it adds the zero point, and looks some functions up in tables.
        assert np.abs(got.astype(int) - want).max() <= 1
        assert np.mean(got != want) < 0.05
    else:
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)


def test_the_root_mean_square_of_the_main_domain(worker):
    nodes = [node("SimplifiedLayerNormalization", ("x", "g"), axis=-1, epsilon=1e-5)]
    model = onnx_model(nodes, {"x": [2, 5, 32]}, weights={"g": floats(32)})
    data = model.SerializeToString()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    (got,) = worker.call(f"{NATIVE}:run", data, (X,))
    np.testing.assert_allclose(got, session.run(None, {"x": X})[0], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("length", [5, "length"])
@pytest.mark.parametrize("parts", ["all", "words"])
def test_embeddings_of_words_positions_and_segments(length, parts):
    stored = {
        "words": floats(10, 16), "places": floats(8, 16), "segments": floats(2, 16),
        "scale": floats(16), "shift": floats(16),
    }  # fmt: skip
    values = {"ids": np.array([[3, 1, 0, 9, 4], [0, 1, 2, 3, 4]], np.int32)}
    inputs = ["ids", "", "words", "places", "", "scale", "shift"]
    if parts == "all":
        values["segment"] = np.array([[0, 1, 1, 1, 0], [0, 0, 0, 1, 1]], np.int32)
        values["mask"] = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)
        values["at"] = np.array([[7, 1, 2, 3, 4], [0, 1, 2, 3, 5]], np.int32)
        inputs = ["ids", "segment", "words", "places", "segments", "scale", "shift", "mask", "at"]
    outputs = ["y", "count", "sum"]
    model = onnx_model(
        [node("EmbedLayerNormalization", inputs, outputs, domain=DOMAIN, epsilon=1e-6)],
        {name: (6, [2, length]) for name in values},
        outputs,
        weights={name: array for name, array in stored.items() if name in inputs},
    )
    model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    got = run_graph(main_of(model), *values.values())
    for ours, theirs in zip(got, peer_results(model, values), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5)
