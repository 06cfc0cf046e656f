"""Narrow products on AArch64: the plan chooses the instruction of each processor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import tilewright
from tilewright.driver.module.kernels import KernelCode, compile_kernels
from tilewright.driver.report.texts import source_at
from tilewright.support.diagnostics import TargetError
from tilewright.testing.emulator import EmulatedProgram

from ....peer import peer_results

A72, N1, V1, N2 = (
    f"llvm -mcpu={cpu}" for cpu in ("cortex-a72", "neoverse-n1", "neoverse-v1", "neoverse-n2")
)
BF16 = np.dtype(ml_dtypes.bfloat16)
BYTES = {"u1": (0, 255), "i1": (-128, 127)}


def model_of(
    nodes: list[onnx.NodeProto],
    inputs: Mapping[str, np.ndarray],
    result: np.dtype,
    weights: Mapping[str, np.ndarray],
) -> onnx.ModelProto:
    def value(name: str, dtype: np.dtype, shape: tuple[int, ...] | None) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)

    graph = helper.make_graph(
        nodes,
        "model",
        [value(name, x.dtype, x.shape) for name, x in inputs.items()],
        [value("y", result, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opset = helper.make_opsetid("", 22)
    return helper.make_model(graph, opset_imports=[opset], ir_version=10)


def random_bytes(kind: str, *shape: int) -> np.ndarray:
    """Return bytes with many extremes, so that sums of 16 bits would saturate."""
    rng = np.random.default_rng(len(shape))
    low, high = BYTES[kind]
    plain = rng.integers(low, high, shape, endpoint=True)
    return np.where(rng.random(shape) < 0.5, rng.choice([low, high], shape), plain).astype(kind)


@dataclass(frozen=True)
class Compiled:
    """The kernels of a model for a target, whose host part is interpreted."""

    code: KernelCode

    @staticmethod
    def of(model: onnx.ModelProto, target: str, precision: str = "default") -> Compiled:
        return Compiled(compile_kernels(model, target=target, precision=precision))

    def __call__(self, *inputs: np.ndarray) -> np.ndarray:
        (got,) = EmulatedProgram(self.code)(*inputs)
        return got

    @property
    def dots(self) -> set[str]:
        """The instructions on groups of narrow numbers in the machine code."""
        return {name for name, pattern in DOTS.items() if self.has(*pattern)}

    def has(self, mask: int, bits: int) -> bool:
        """Return whether the machine code has an instruction, by mask and bits of its words."""
        words = np.frombuffer(self.code.code, "<u4", len(self.code.code) // 4)
        return bool((words & mask == bits).any())


VECTOR = 0xFFE0FC00
FLIP = 0xBFE0FC00, 0x2E201C00
"""The exclusive or of vectors of 8 or 16 bytes."""
DOTS = {
    "sdot": (VECTOR, 0x4E809400), "udot": (VECTOR, 0x6E809400), "usdot": (VECTOR, 0x4E809C00),
    "bfdot": (VECTOR, 0x6E40FC00), "smmla": (VECTOR, 0x4E80A400), "ummla": (VECTOR, 0x6E80A400),
    "usmmla": (VECTOR, 0x4E80AC00), "bfmmla": (VECTOR, 0x6E40EC00),
}  # fmt: skip
"""Mask and bits of each instruction's words (Arm Architecture Reference Manual)."""

ROWS = (13, 24, 21)


@pytest.mark.parametrize(
    ("target", "left", "right", "computed", "sizes", "dot"),
    [
        (N1, "i1", "i1", False, ROWS, "sdot"),
        (N1, "u1", "i1", True, ROWS, "sdot"),
        (N1, "u1", "u1", False, ROWS, "sdot"),
        (V1, "i1", "i1", True, ROWS, "smmla"),
        (V1, "u1", "i1", False, ROWS, "usmmla"),
        (N2, "i1", "i1", False, (8, 16, 20), "smmla"),
        (V1, "u1", "i1", False, (1, 24, 21), "usdot"),
        (V1, "u1", "i1", False, (6, 20, 12), "usdot"),
        (A72, "u1", "i1", False, ROWS, None),
        *(pytest.param(*row, ROWS, dot, marks=pytest.mark.nightly) for *row, dot in [
            (N1, "i1", "i1", True, "sdot"), (N1, "u1", "i1", False, "sdot"),
            (N1, "u1", "u1", True, "sdot"), (N1, "i1", "u1", False, "sdot"),
            (N1, "i1", "u1", True, "sdot"), (V1, "i1", "i1", False, "smmla"),
            (V1, "u1", "i1", True, "usmmla"), (N2, "u1", "u1", False, "usmmla"),
            (N2, "u1", "u1", True, "usmmla"), (A72, "u1", "i1", True, None),
            (A72, "i1", "i1", False, None), (A72, "i1", "i1", True, None),
        ]),
    ],
)  # fmt: skip
def test_products_of_bytes_use_the_instruction_of_fewest_cycles(
    target: str,
    left: str,
    right: str,
    computed: bool,
    sizes: tuple[int, int, int],
    dot: str | None,
) -> None:
    m, k, n = sizes
    x, w = random_bytes(left, 2, m, k), random_bytes(right, *((2,) * computed), k, n)
    if m == 1:
        x = x[0]
    given, weights = ({"x": x, "w": w}, {}) if computed else ({"x": x}, {"w": w})
    nodes = [helper.make_node("MatMulInteger", ["x", "w"], ["y"])]
    compiled = Compiled.of(model_of(nodes, given, np.dtype("i4"), weights), target)
    assert compiled.dots == {dot} - {None}
    if (target, left, right) == (N1, "u1", "i1"):
        assert compiled.has(*FLIP)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    np.testing.assert_array_equal(compiled(*given.values()), expected)


@pytest.mark.parametrize("columns", [12, 4])
@pytest.mark.parametrize(("target", "dot"), [(N1, "sdot"), (V1, "usmmla")])
def test_sums_that_are_no_whole_steps_are_padded_if_enough_columns_read_them(
    target: str, dot: str, columns: int
) -> None:
    x, w = random_bytes("u1", 9, 30), random_bytes("i1", 30, columns)
    nodes = [helper.make_node("MatMulInteger", ["x", "w"], ["y"])]
    model = model_of(nodes, {"x": x}, np.dtype("i4"), {"w": w})
    compiled = Compiled.of(model, target)
    assert compiled.dots == ({dot} if columns == 12 else set())
    assert compiled.has(*FLIP) is (compiled.dots == {"sdot"}), "no byte is flipped in vain"
    np.testing.assert_array_equal(compiled(x), x.astype(np.int32) @ w)


@pytest.mark.parametrize(
    ("target", "groups", "stride", "dot"),
    [
        (N1, 1, 1, "sdot"), (N1, 2, 2, "sdot"), (V1, 1, 2, "usmmla"), (V1, 2, 2, "usdot"),
        *(pytest.param(*row, marks=pytest.mark.nightly) for row in [
            (V1, 1, 1, "usmmla"), (A72, 1, 1, None), (A72, 2, 2, None),
        ]),
    ],
)  # fmt: skip
def test_convolutions_of_bytes_use_the_instruction_of_fewest_cycles(
    target: str, groups: int, stride: int, dot: str | None
) -> None:
    x, w = random_bytes("u1", 1, 16, 5, 4), random_bytes("i1", 24, 16 // groups, 3, 3)
    attributes = {"pads": [1] * 4, "strides": [stride] * 2, "group": groups}
    nodes = [helper.make_node("ConvInteger", ["x", "w", "zero"], ["y"], **attributes)]
    model = model_of(nodes, {"x": x}, np.dtype("i4"), {"w": w, "zero": np.uint8(93)})
    compiled = Compiled.of(model, target)
    assert compiled.dots == {dot} - {None}
    padded = np.pad(x.astype(np.int32) - 93, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded[0], (3, 3), axis=(1, 2))
    parts = windows[:, ::stride, ::stride]
    parts = parts.reshape(groups, 16 // groups, *parts.shape[1:])
    filters = w.astype(np.int32).reshape(groups, -1, *w.shape[1:])
    expected = np.einsum("gchwrs,gocrs->gohw", parts, filters).reshape(1, 24, *parts.shape[2:4])
    np.testing.assert_array_equal(compiled(x), expected)


@pytest.mark.parametrize(
    ("target", "sizes", "dot"),
    [
        (V1, (11, 24, 12), "bfmmla"),
        (V1, (1, 24, 12), "bfdot"),
        (N2, (5, 22, 12), "bfdot"),
        (N1, (11, 24, 12), None),
    ],
)
def test_products_of_bf16_use_the_instruction_of_fewest_cycles(
    target: str, sizes: tuple[int, int, int], dot: str | None
) -> None:
    rng = np.random.default_rng(0)
    m, k, n = sizes
    x, w = (rng.standard_normal(shape).astype(BF16) for shape in ((m, k), (k, n)))
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Cast", ["p"], ["y"], to=onnx.TensorProto.FLOAT),
    ]
    model = model_of(nodes, {"x": x}, np.dtype("f4"), {"w": w})
    compiled = Compiled.of(model, target)
    assert compiled.dots == {dot} - {None}
    if dot == "bfmmla":
        assert not Compiled.of(model, target, "strict").dots
    exact = x.astype(np.float64) @ w.astype(np.float64)
    np.testing.assert_allclose(compiled(x), exact, rtol=2.0**-8, atol=1e-5)


def layers() -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a convolution, a residual one, a mean and a product in f32, and an input."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((1, 8, 5, 4), np.float32)
    weights = {
        "v": rng.standard_normal((16, 8, 3, 3), np.float32) / 8,
        "w": rng.standard_normal((16, 16, 1, 1), np.float32) / 4,
        "b": rng.standard_normal(16, np.float32),
        "u": rng.standard_normal((16, 12), np.float32) / 4,
    }
    nodes = [
        helper.make_node("Conv", ["x", "v", "b"], ["c"], pads=[1] * 4),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Conv", ["r", "w"], ["d"]),
        helper.make_node("Add", ["d", "r"], ["a"]),
        helper.make_node("GlobalAveragePool", ["a"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "u"], ["y"]),
    ]
    return model_of(nodes, {"x": x}, np.dtype("f4"), weights), x


@pytest.fixture(scope="module")
def quantized(tmp_path_factory: pytest.TempPathFactory) -> tuple[onnx.ModelProto, np.ndarray]:
    model, x = layers()
    file: Path = tmp_path_factory.mktemp("quantized") / "model.onnx"
    tilewright.quantize(model, [{"x": x}], file)
    return onnx.load(file), x


@pytest.mark.parametrize(
    ("target", "dots"),
    [
        (V1, {"usmmla", "usdot"}),
        pytest.param(N1, {"sdot"}, marks=pytest.mark.nightly),
        pytest.param(A72, set[str](), marks=pytest.mark.nightly),
    ],
)
def test_quantized_models_equal_the_interpreter(
    quantized: tuple[onnx.ModelProto, np.ndarray], target: str, dots: set[str]
) -> None:
    model, x = quantized
    compiled = Compiled.of(model, target)
    assert compiled.dots == dots
    (expected,) = tilewright.compile(model, target="interpreter").run([x])
    got = compiled(x)
    # The interpreter multiplies dequantized numbers, so that the last product is rounded otherwise.
    np.testing.assert_allclose(got, expected, rtol=1e-5)
    (same,) = tilewright.compile(model, target="x86-64").run([x])
    np.testing.assert_array_equal(got, same)


@pytest.mark.nightly
def test_blocks_of_eight_channels_equal_other_blocks(tmp_path: Path) -> None:
    """Read them by a depthwise convolution, a residual sum, a pool and a concatenation."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((1, 3, 8, 8), np.float32)
    shapes = {"a": (16, 3, 3, 3), "d": (16, 1, 3, 3), "e": (24, 16, 1, 1), "f": (24, 24, 1, 1),
              "g": (20, 48, 3, 3)}  # fmt: skip
    weights = {name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    nodes = [
        helper.make_node("Conv", ["x", "a"], ["a_"], pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Conv", ["a_", "d"], ["d_"], pads=[1] * 4, group=16),
        helper.make_node("Relu", ["d_"], ["r"]),
        helper.make_node("Conv", ["r", "e"], ["e_"]),
        helper.make_node("Conv", ["e_", "f"], ["f_"]),
        helper.make_node("Add", ["e_", "f_"], ["s"]),
        helper.make_node("MaxPool", ["s"], ["p"], kernel_shape=[3, 3], pads=[1] * 4),
        helper.make_node("Concat", ["p", "s"], ["k"], axis=1),
        helper.make_node("Conv", ["k", "g"], ["g_"], pads=[1] * 4),
        helper.make_node("GlobalAveragePool", ["g_"], ["y"]),
    ]
    file = tmp_path / "model.onnx"
    tilewright.quantize(model_of(nodes, {"x": x}, np.dtype("f4"), weights), [{"x": x}], file)
    model = onnx.load(file)
    compiled = Compiled.of(model, V1)
    assert "usmmla" in compiled.dots
    (expected,) = tilewright.compile(model, target="x86-64").run([x])
    np.testing.assert_array_equal(compiled(x), expected)


def test_precision_bf16_rounds_the_operands_of_products() -> None:
    model, x = layers()
    compiled = Compiled.of(model, V1, "bf16")
    assert compiled.dots == {"bfmmla"}
    (expected,) = peer_results(model, {"x": x})
    np.testing.assert_allclose(compiled(x), expected, atol=2e-2)
    with pytest.raises(TargetError, match="bf16 of AArch64"):
        source_at(model, "asm", target=N1, precision="bf16")
