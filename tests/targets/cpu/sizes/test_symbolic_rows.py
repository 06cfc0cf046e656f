"""Kernels that walk symbolic rows: sums, norms and softmax over dynamic lengths and images."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest

import tilewright

from ....sweeps import in_turn

WAVE, IMAGE = 'float["b", 20, "t"]', 'float["b", 12, "h", "w"]'
NORM = "<float[12] scale = {A}, float[12] shift = {B}>".replace(
    "A", ", ".join(str(1 + n / 8) for n in range(12))
).replace("B", ", ".join(str(n / 16) for n in range(12)))
CASES = {
    "softmax": (WAVE, "", "y = Softmax <axis = -1> (x)"),
    "log_softmax": (WAVE, "", "y = LogSoftmax <axis = -1> (x)"),
    "mean": (WAVE, "<int64[1] a = {2}>", "y = ReduceMean <keepdims = 0> (x, a)"),
    "mean_of_all": (IMAGE, "<int64[4] a = {0, 1, 2, 3}>", "y = ReduceMean (x, a)"),
    "whole_images": (IMAGE, "", "y = MeanVarianceNormalization <axes = [1, 2, 3]> (x)"),
    "max": (WAVE, "<int64[1] a = {2}>", "y = ReduceMax (x, a)"),
    "length": (WAVE, "<int64[1] a = {2}>", "y = ReduceL2 (x, a)"),
    "log_sum_exp": (WAVE, "<int64[1] a = {2}>", "y = ReduceLogSumExp (x, a)"),
    "prefix_sum": (WAVE, "<int64 a = {2}>", "y = CumSum (x, a)"),
    "prefix_sum_of_chances": (
        WAVE,
        "<int64 a = {2}>",
        "s = Softmax <axis = 2> (x) y = CumSum (s, a)",
    ),
    "prefix_sum_of_columns": ('float["b", "t", 20]', "<int64 a = {1}>", "y = CumSum (x, a)"),
    "prefix_sum_of_open_columns": (WAVE, "<int64 a = {1}>", "y = CumSum (x, a)"),
    "length_of_slices": ('float["b", 5, "t", 3, 2]', "", "y = GlobalLpPool (x)"),
    "part_backwards": (
        WAVE,
        "<int64[1] a = {37}, int64[1] z = {6}, int64[1] two = {2}, int64[1] back = {-1}>",
        "s = Softmax <axis = 0> (x) y = Slice (s, a, z, two, back)",
    ),
    "table": (
        WAVE,
        "<float[5] table = {1.0, 2.0, 3.0, 5.0, 8.0}, float zero = {0.0}, float four = {4.0}>",
        "c = Clip (x, zero, four) i = Cast <to = 7> (c) y = Gather (table, i)",
    ),
    "softmax_of_channels": (IMAGE, "", "y = Softmax <axis = 1> (x)"),
    "softmax_of_steps": ('float["b", "t", 20]', "", "y = Softmax <axis = 1> (x)"),
    "log_sum_exp_of_channels": (IMAGE, "<int64[1] a = {1}>", "y = ReduceLogSumExp (x, a)"),
    "length_of_channels": (IMAGE, "", "y = LpNormalization <axis = 1, p = 2> (x)"),
    "argmax": (WAVE, "", "i = ArgMax <axis = 2> (x) f = Cast <to = 1> (i) y = Mul (f, f)"),
    "argmax_of_channels": (IMAGE, "", "i = ArgMax <axis = 1> (x) y = Cast <to = 1> (i)"),
    "average_pool": (WAVE, "", "y = AveragePool <kernel_shape = [4], pads = [2, 2]> (x)"),
    "transpose": (IMAGE, "", "y = Transpose <perm = [0, 1, 3, 2]> (x)"),
    "pad": (IMAGE, "<int64[8] p = {0, 0, 1, 2, 0, 0, 3, 1}>", "y = Pad (x, p)"),
    "mirror": (WAVE, "<int64[6] p = {0, 0, 3, 0, 0, 5}>", 'y = Pad <mode = "edge"> (x, p)'),
    "twice": (
        IMAGE,
        "<float[4] s = {1.0, 1.0, 2.0, 2.0}>",
        'y = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric"> (x, , s)',
    ),
    "twice_blurred": (
        IMAGE,
        "<float[4] s = {1.0, 1.0, 2.0, 2.0}>",
        'y = Resize <mode = "linear"> (x, , s)',
    ),
    "pool": (IMAGE, "", "y = GlobalAveragePool (x)"),
    "max_pool": (IMAGE, "", "y = GlobalMaxPool (x)"),
    "instance_norm": (IMAGE, NORM, "y = InstanceNormalization (x, scale, shift)"),
    "group_norm": (IMAGE, NORM, "y = GroupNormalization <num_groups = 3> (x, scale, shift)"),
}
LENGTHS = tuple((n,) for n in (1, 7, 15, 16, 17, 63, 64, 65, 200, 8192, 9000))
IMAGES = ((1, 1), (3, 5), (7, 16), (16, 7), (31, 65), (150, 70))


def model(shape: str, constants: str, node: str) -> onnx.ModelProto:
    head = '<ir_version: 10, opset_import: ["": 21]>'
    made = onnx.parser.parse_model(f"{head} g ({shape} x) => (float y) {constants} {{{node}}}")
    del made.graph.output[0].type.tensor_type.shape.dim[:]
    made.graph.output[0].type.tensor_type.ClearField("shape")
    return made


@pytest.mark.parametrize(
    ("name", "target"), in_turn(CASES, [("native",), ("llvm -mcpu=x86-64-v3",)])
)
def test_one_module_is_right_at_all_sizes(name: str, target: str) -> None:
    shape, constants, node = CASES[name]
    source = model(shape, constants, node)
    module = tilewright.compile(source, target=target, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(source.SerializeToString())
    for number, size in enumerate(IMAGES if shape == IMAGE else LENGTHS):
        symbols = {
            "b": 1 + number % 2,
            **dict(zip("hw" if shape == IMAGE else "t", size, strict=True)),
        }
        sizes = [symbols[str(n)] if str(n) in symbols else int(n) for n in module.inputs[0].shape]
        x = np.random.default_rng(number).standard_normal(sizes, dtype=np.float32)
        (got,) = module.run([x], threads=1)
        expected = np.asarray(peer.run(None, {"x": x})[0])
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=2e-5)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)


def test_long_sums_of_symbolic_rows_are_exact() -> None:
    """A single accumulator per lane would err by more than 1e-6 of the sum."""
    module = tilewright.compile(model(*CASES["length"]), cache=False)
    x = np.random.default_rng(0).standard_normal((1, 20, 3_000_000), dtype=np.float32)
    expected = np.sqrt(np.square(x.astype(np.float64)).sum(-1, keepdims=True))
    np.testing.assert_allclose(module.run([x])[0], expected, rtol=4e-7)


def test_long_sums_along_a_number_of_a_symbolic_row_are_exact() -> None:
    """A single accumulator would err by more than 2e-5."""
    node = "y = MeanVarianceNormalization <axes = [1, 2, 3]> (x)"
    opened = model('float["n", 101, "n", 657]', "", node)
    module = tilewright.compile(opened, cache=False, strict_plan=True)
    assert not module.reason
    for n in (1, 2, 7):
        x = np.random.default_rng(n).uniform(-1.7, 1.7, (n, 101, n, 657)).astype(np.float32)
        got = module.run([x], threads=1)[0]
        np.testing.assert_allclose(got, normalized(x), atol=1e-6)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)


def test_sums_with_few_vectors_along_a_number_have_a_plan() -> None:
    """The vectors of 46 elements are fewer than the partials of a sum."""
    axes = "<int64[3] a = {0, 1, 2}>"
    opened = model('float[3, "n", 46]', axes, "y = ReduceL2 (x, a)")
    module = tilewright.compile(opened, cache=False, strict_plan=True)
    assert not module.reason
    for n in (1, 5, 64):
        x = np.random.default_rng(n).standard_normal((3, n, 46)).astype(np.float32)
        expected = np.sqrt(np.square(x.astype(np.float64)).sum(keepdims=True))
        np.testing.assert_allclose(module.run([x])[0], expected, rtol=4e-7)


def test_norm_of_one_group_of_symbolic_height_compiles_once() -> None:
    node = "y = GroupNormalization <num_groups = 1> (x, scale, shift)"
    opened = model('float[1, 12, "n", 4, 657]', NORM, node)
    module = tilewright.compile(opened, cache=False, strict_plan=True)
    assert not module.reason
    channel = np.arange(12).reshape(12, 1, 1, 1)
    for n in (1, 5):
        x = np.random.default_rng(n).uniform(-1.7, 1.7, (1, 12, n, 4, 657)).astype(np.float32)
        expected = normalized(x, 1e-5) * (1 + channel / 8) + channel / 16
        np.testing.assert_allclose(module.run([x])[0], expected, atol=4e-6)


def normalized(x: np.ndarray, eps: float = 0.0) -> np.ndarray:
    """Return each image with mean 0 and variance 1, in double precision."""
    wide, axes = x.astype(np.float64), tuple(range(1, x.ndim))
    deviation = np.sqrt(wide.var(axes, keepdims=True) + eps)
    return (wide - wide.mean(axes, keepdims=True)) / deviation


@pytest.mark.parametrize(("shape", "axes"), [("n", [0]), ("2048, n", [0, 1]), ("4, n", [1])])
@pytest.mark.parametrize("name", ["ReduceSum", "ReduceMax"])
def test_sums_of_few_rows_have_vectors(name: str, shape: str, axes: list[int]) -> None:
    text = f"""
        <ir_version: 8, opset_import: ["": 18]>
        long (float[{shape}] x) => (float[] y) <int64[{len(axes)}] axes = {{{axes[0]}}}> {{
          y = {name} <keepdims = 0> (x, axes)
        }}"""
    model = onnx.parser.parse_model(text.replace(f"{{{axes[0]}}}", f"{{{str(axes)[1:-1]}}}"))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    assert "sched.vectorize" in module.get_source("sched")
    reduced = {"ReduceSum": np.sum, "ReduceMax": np.max}[name]
    for n in (1, 15, 130, 999):
        sizes = [n if size == "n" else int(size) for size in shape.split(", ")]
        x = np.random.default_rng(n).random(sizes, np.float32)
        wanted = reduced(x.astype(np.float64), axis=tuple(axes))
        np.testing.assert_allclose(module.run([x], threads=1)[0], wanted, rtol=3e-7)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], module(x))
