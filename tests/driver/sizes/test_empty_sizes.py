"""Operators over nothing: one module with sizes from 0 gives the results of the standard."""

from __future__ import annotations

import re

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.testing.fuzz.references import interpreted

from ...sweeps import sampled

RNG = np.random.default_rng(0)


def numbers(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


CONSTANTS: dict[str, np.ndarray] = {
    "axis": np.array(1),
    "zero": np.array([0]),
    "one": np.array([1]),
    "end": np.array([1 << 40]),
    "repeats": np.array([2, 3]),
    "rest": np.array([-1]),
    "planes": np.array([2, 1, 1]),
    "borders": np.array([0, 1, 0, 1]),
    "c4": np.abs(numbers(4)),
    "w": numbers(3, 4, 3),
    "flags": np.array([True, False, True, True]),
}
KINDS = ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSumExp", "LogSum", "SumSquare")
MATRICES = [
    *(f"y = Reduce{kind} <keepdims = 0> (x, one)" for kind in KINDS),
    "y = ReduceMean (x)",
    "y = ReduceMax (x)",
    "y = Softmax (x)",
    "y = LogSoftmax (x)",
    "y = Hardmax (x)",
    "y = LpNormalization (x)",
    "y = MeanVarianceNormalization <axes = [1]> (x)",
    "y = CumSum (x, axis)",
    "y = Tile (x, repeats)",
    "y = Transpose (x)",
    "y = Reshape (x, rest)",
    "y = Expand (x, planes)",
    "y = NonZero (x)",
    "y = Unique (x)",
    "y = Slice (x, one, end)",
    "y = Concat <axis = 0> (x, x)",
    'y = Einsum <equation = "ij->i"> (x)',
    "turned = Transpose (x) y = MatMul (x, turned)",
    "turned = Transpose (x) y = MatMul (turned, x)",
    "turned = Transpose (x) y = Gemm (x, turned)",
    "y = Shape (x)",
    "y = Size (x)",
    "shape = Shape (x) y = ConstantOfShape (shape)",
    "y, z = Split <num_outputs = 2> (x)",
    "y = Pad (x, borders)",
    "y = Trilu (x)",
]
IMAGES = [
    "y = AveragePool <kernel_shape = [3], pads = [1, 1]> (x)",
    "y = AveragePool <kernel_shape = [3], pads = [2, 2]> (x)",
    "y = LpPool <kernel_shape = [3], pads = [1, 1]> (x)",
    "y = InstanceNormalization (x, c4, c4)",
    "y = BatchNormalization (x, c4, c4, c4, c4)",
    "y = Conv <pads = [1, 1]> (x, w)",
]
ROWS = [
    "y = LayerNormalization (x, c4, c4)",
    "y = RMSNormalization (x, c4)",
    "y = Softmax <axis = 0> (x)",
    "y = ReduceMean (x, zero)",
    "y = Where (flags, x, x)",
    "y = Sum (x, x)",
]
SHAPES = {"b, n": MATRICES, "b, 4, n": IMAGES, "n, b, 4": ROWS}
CASES = [(shape, nodes) for shape, rows in SHAPES.items() for nodes in rows]


def model_of(shape: str, nodes: str) -> onnx.ModelProto:
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 23]> empty (float[{shape}] x) => (y) {{ {nodes} }}'
    )
    used = set(re.findall(r"\w+", nodes)) & CONSTANTS.keys()
    rows = [numpy_helper.from_array(CONSTANTS[name], name) for name in sorted(used)]
    model.graph.initializer.extend(rows)
    return model


@pytest.mark.one_in(3)
@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:Degrees of freedom")
@pytest.mark.parametrize(
    ("shape", "nodes"),
    [
        pytest.param(*one.values[0], id=one.id, marks=one.marks)
        for one in sampled(CASES, lambda case: case[1].replace(" ", "_"), one_in=4)
    ],
)
def test_an_operator_over_nothing_gives_the_result_of_the_standard(shape: str, nodes: str) -> None:
    model = model_of(shape, nodes)
    shapes = {"b": range(0, 100), "n": range(0, 100)}
    module = tilewright.compile(model, shapes=shapes, cache=False)
    assert not module.reason
    reference = ReferenceEvaluator(model)
    for b, n in ((2, 0), (0, 3), (0, 0), (2, 3)):
        sizes = {"b": b, "n": n, "4": 4}
        x = numbers(*(sizes[name] for name in shape.split(", ")))
        with np.errstate(all="ignore"):
            expected = np.asarray(reference.run(None, {"x": x})[0])
        for threads in (1, 2):
            got = np.asarray(module.run([x], threads=threads)[0])
            assert got.shape == expected.shape
            np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("n", [0, 3])
def test_a_mean_of_padding_alone_is_not_a_number(n: int) -> None:
    model = model_of(f"2, 4, {n}", "y = AveragePool <kernel_shape = [1], pads = [1, 1]> (x)")
    x = numbers(2, 4, n)
    with np.errstate(all="ignore"):
        (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    assert np.isnan(np.asarray(expected)).sum() == 16
    np.testing.assert_array_equal(tilewright.compile(model, cache=False)(x), expected)


def test_attention_to_no_key_is_zero() -> None:
    model = onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["": 21]>
        attention (float[2, 6, 8] q, float[2, t, 8] k, float[2, t, 8] v) => (float[2, 6, 8] y) {
          turned = Transpose <perm = [0, 2, 1]> (k)
          scores = MatMul (q, turned)
          weights = Softmax (scores)
          y = MatMul (weights, v)
        }"""
    )
    module = tilewright.compile(model, shapes={"t": range(0, 3000)}, cache=False)
    assert [kernel.name for kernel in module.kernels] == ["attention"]
    for t in (0, 1, 5, 300):
        feeds = {"q": numbers(2, 6, 8), "k": numbers(2, t, 8), "v": numbers(2, t, 8)}
        (expected,) = ReferenceEvaluator(model).run(None, feeds)
        np.testing.assert_allclose(module.run(feeds)[0], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("op_type", ["Conv", "ConvTranspose"])
@pytest.mark.parametrize("h", [0, "h"])
def test_a_convolution_of_an_empty_image_is_its_bias(op_type: str, h: int | str) -> None:
    window = {
        "Conv": "pads = [3, 1, 2, 1]",
        "ConvTranspose": "output_padding = [3, 0], strides = [4, 2]",
    }[op_type]
    model = onnx.parser.parse_model(
        f"""
        <ir_version: 10, opset_import: ["": 21]>
        empty (float[2, 4, {h}, 3] x) => (y) {{ y = {op_type} <{window}> (x, w, bias) }}"""
    )
    bias = numbers(4)
    for name, array in (("w", numbers(4, 4, 5, 3)), ("bias", bias)):
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    shapes = {} if h == 0 else {"h": range(0, 9)}
    module = tilewright.compile(model, shapes=shapes, cache=False)
    got = np.asarray(module.run([numbers(2, 4, 0, 3)])[0])
    assert got.size > 0
    np.testing.assert_array_equal(got, np.broadcast_to(bias[:, None, None], got.shape))


@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0, 0)])
def test_the_interpreter_gives_an_empty_hardmax(shape: tuple[int, ...]) -> None:
    rows, columns = shape
    model = model_of(f"{rows}, {columns}", "y = Hardmax (x)")
    (got,) = interpreted(model.SerializeToString(), {"x": numbers(*shape)})
    assert got.shape == shape
