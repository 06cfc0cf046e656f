"""Random operators: the published words, reproducible numbers, and the right distributions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from onnx import TensorProto

import tilewright
from tilewright.interp.graph import run_graph
from tilewright.interp.graph.random import philox
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ModelError

from ....onnx_models import node, onnx_model
from ....sweeps import in_turn
from ..test_importer import main_of

MANY = [4, 5000]
DTYPES = {"FLOAT16": np.float16, "FLOAT": np.float32, "DOUBLE": np.float64}


# From the authors' file kat_vectors.
@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ("00000000" * 4, "00000000" * 2, "6627e8d5e169c58dbc57ac4c9b00dbd8"),
        ("ffffffff" * 4, "ffffffff" * 2, "408f276d41c83b0ea20bc7c66d5451fd"),
        (
            "243f6a8885a308d313198a2e03707344",
            "a4093822299f31d0",
            "d16cfe0994fdcceb5001e42024126ea1",
        ),
    ],
)
def test_the_words_are_the_published_ones(counter, key, words) -> None:
    given, keys, wanted = (
        np.array([int(text[n : n + 8], 16) for n in range(0, len(text), 8)], np.uint64)
        for text in (counter, key, words)
    )
    np.testing.assert_array_equal(philox(given[None], keys)[0], wanted)


def run(op, inputs=(), arrays=(), **attributes):
    """Return the interpreter's results for one node."""
    infos = {name: (code, shape) for name, code, shape in inputs}
    model = onnx_model([node(op, list(infos), name="n", **attributes)], infos, opset=22)
    return run_graph(main_of(model), *arrays)[0]


def uniform(low, high):
    return lambda x: np.clip((x - low) / (high - low), 0, 1)


def normal(mean, deviation):
    erf = np.vectorize(math.erf)
    return lambda x: (1 + erf((x - mean) / (deviation * math.sqrt(2)))) / 2


def looks_like(numbers, cdf) -> bool:
    """Test a distribution (Kolmogorov-Smirnov at 1 %)."""
    ordered = np.sort(numbers.reshape(-1).astype(np.float64))
    count = len(ordered)
    steps = np.arange(count + 1) / count
    chances = cdf(ordered)
    distance = max(np.abs(chances - steps[1:]).max(), np.abs(chances - steps[:-1]).max())
    return math.sqrt(count) * distance < 1.63


@pytest.mark.parametrize("dtype", DTYPES)
def test_uniform_numbers(dtype) -> None:
    code = getattr(TensorProto, dtype)
    x = run("RandomUniform", shape=MANY, low=-2.0, high=3.0, dtype=code, seed=1.0)
    assert x.dtype == DTYPES[dtype]
    assert x.min() >= -2
    assert x.max() <= 3
    assert looks_like(x, uniform(-2, 3))
    assert abs(np.corrcoef(x.reshape(-1)[:-1], x.reshape(-1)[1:])[0, 1]) < 0.02


@pytest.mark.parametrize("dtype", DTYPES)
def test_normal_numbers(dtype) -> None:
    code = getattr(TensorProto, dtype)
    x = run("RandomNormal", shape=MANY, mean=3.0, scale=0.5, dtype=code, seed=2.0)
    assert x.dtype == DTYPES[dtype]
    assert np.isfinite(x).all()
    assert looks_like(x, normal(3, 0.5))


def test_like_takes_shape_and_dtype_of_its_input() -> None:
    inputs = [("x", TensorProto.DOUBLE, MANY)]
    x = np.zeros(MANY)
    assert looks_like(run("RandomUniformLike", inputs, [x]), uniform(0, 1))
    assert looks_like(run("RandomNormalLike", inputs, [x]), normal(0, 1))
    code = TensorProto.FLOAT
    assert run("RandomUniformLike", inputs, [x], dtype=code).dtype == np.float32


def test_seeds_and_names_make_the_numbers() -> None:
    def numbers(name, **attributes):
        nodes = [node("RandomUniform", [], name=name, shape=[8], **attributes)]
        return run_graph(main_of(onnx_model(nodes, {})))[0].tolist()

    assert numbers("a", seed=1.5) == numbers("b", seed=1.5)
    assert numbers("a", seed=1.5) != numbers("a", seed=1.25)
    assert numbers("a") == numbers("a")
    assert numbers("a") != numbers("b")
    assert numbers("a", seed=0.0) != numbers("a")


def test_bernoulli_follows_its_probabilities() -> None:
    chances = np.tile(np.array([0, 0.1, 0.5, 1], np.float32), (5000, 1))
    inputs = [("x", TensorProto.FLOAT, list(chances.shape))]
    x = run("Bernoulli", inputs, [chances], dtype=TensorProto.INT64, seed=3.0)
    assert x.dtype == np.int64
    np.testing.assert_allclose(x.mean(0), [0, 0.1, 0.5, 1], atol=0.02)


def test_multinomial_follows_its_probabilities() -> None:
    chances = np.array([[0, 0.2, 0, 0.5, 0.3, 0], [0, 0, 0, 0, 0, 1]])
    with np.errstate(divide="ignore"):
        x = (np.log(chances) + 7).astype(np.float32)
    inputs = [("x", TensorProto.FLOAT, [2, 6])]
    drawn = run("Multinomial", inputs, [x], sample_size=9000, seed=4.0)
    assert drawn.dtype == np.int32
    counts = np.stack([np.bincount(row, minlength=6) for row in drawn]) / 9000
    np.testing.assert_allclose(counts, chances, atol=0.02)
    assert not counts[chances == 0].any()


def dropout(x, ratio, training=True, **attributes):
    nodes = [node("Dropout", ["x", "r", "t"], ["y", "mask"], **attributes)]
    weights = {"r": np.float32(ratio), "t": np.bool_(training)}
    model = onnx_model(nodes, {"x": list(x.shape)}, ["y", "mask"], weights=weights)
    return run_graph(main_of(model), x)


def test_dropout_in_training_scales_what_it_keeps() -> None:
    x = np.random.default_rng(0).normal(size=(100, 100)).astype(np.float32)
    y, mask = dropout(x, 0.25, seed=5)
    assert abs(mask.mean() - 0.75) < 0.02
    np.testing.assert_allclose(y, np.where(mask, x / 0.75, 0), rtol=1e-6)


@pytest.mark.parametrize(("ratio", "training"), [(0.0, True), (0.9, False)])
def test_dropout_without_chance_is_the_identity(ratio, training) -> None:
    x = np.ones((3, 4), np.float32)
    y, mask = dropout(x, ratio, training)
    np.testing.assert_array_equal(y, x)
    assert mask.all()


def test_a_wrong_ratio_is_an_error() -> None:
    with pytest.raises(ModelError, match="ratio is outside"):
        dropout(np.ones(3, np.float32), 1.0)


def test_machine_code_gives_the_same_numbers() -> None:
    nodes = [
        node("RandomNormal", [], ["a"], shape=[5, 7], seed=1.0),
        node("RandomUniform", [], ["b"], shape=[5, 7], dtype=TensorProto.DOUBLE),
        node("Multinomial", ["x"], ["c"], sample_size=6),
        node("Dropout", ["x", "", "t"], ["d"], seed=9),
    ]
    outs, x = ["a", "b", "c", "d"], np.linspace(-1, 1, 16, dtype=np.float32).reshape(2, 8)
    model = onnx_model(nodes, {"x": [2, 8]}, outs, weights={"t": np.bool_(True)})
    got = [y.numpy() for y in tilewright.compile(model)(x)]
    for one, wanted in zip(got, run_graph(main_of(model), x), strict=True):
        np.testing.assert_allclose(one, wanted, rtol=2e-6, atol=1e-6)


OF_ROWS = {
    "uniform": [node("RandomUniformLike", ["c"], name="n", seed=1.0)],
    "uniform_f64": [node("RandomUniformLike", ["c"], name="n", seed=1.0, dtype=TensorProto.DOUBLE)],
    "normal": [node("RandomNormalLike", ["c"], name="n")],
    "bernoulli": [node("Sigmoid", ["c"], ["p"]), node("Bernoulli", ["p"], name="n", seed=2.0)],
    "multinomial": [node("Multinomial", ["c"], name="n", sample_size=5, seed=2.0)],
    "multinomial_of_classes": [
        node("Transpose", ["c"], ["t"], perm=[1, 0]),
        node("Multinomial", ["t"], name="n", sample_size=5, seed=2.0),
    ],
    "dropout": [node("Dropout", ["c", "", "training"], name="n", seed=3)],
}
TRAINING = {"training": np.bool_(True)}


@pytest.mark.slow
@pytest.mark.parametrize(("op", "length"), in_turn(OF_ROWS, [("named",), ("computed",)]))
def test_numbers_of_open_and_computed_lengths_are_those_of_static_ones(op, length) -> None:
    """A constant tensor of normal numbers is folded by numpy, which rounds otherwise."""
    is_computed = length == "computed"
    rows = node("Compress", ["x", "keep"], ["c"], axis=0) if is_computed else None
    first = rows or node("Identity", ["x"], ["c"])
    inputs = {"x": ["n", 7]} | ({"keep": (TensorProto.BOOL, ["n"])} if is_computed else {})
    model = onnx_model([first, *OF_ROWS[op]], inputs, weights=TRAINING, opset=22)
    ranges = {"n": range(65)}
    module = tilewright.compile(model, shapes=ranges, cache=False, strict_plan=True)
    assert not module.reason
    for count in (1, 2, 5, 17, 64) + (() if op == "multinomial_of_classes" else (0,)):
        rng = np.random.default_rng(count)
        x, keep = rng.normal(size=(count, 7)).astype(np.float32), rng.random(count) < 0.6
        keep[:1] = True
        given = [x, keep] if is_computed else [x]
        (got,) = (np.asarray(y) for y in module.run(given, threads=1))
        c = x[keep] if is_computed else x
        same = onnx_model(OF_ROWS[op], {"c": list(c.shape)}, weights=TRAINING, opset=22)
        (wanted,) = run_graph(main_of(same), c)
        np.testing.assert_allclose(got, wanted, rtol=2e-6, atol=1e-6)
        np.testing.assert_array_equal(module.run(given, threads=2)[0], got)


def test_no_classes_are_refused() -> None:
    model = onnx_model(OF_ROWS["multinomial"], {"c": [2, "n"]}, weights=TRAINING, opset=22)
    module = tilewright.compile(model, shapes={"n": range(8)}, cache=False)
    with pytest.raises(ArgumentError, match="Multinomial"):
        module(np.ones((2, 0), np.float32))
