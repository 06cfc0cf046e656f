"""With precision "strict", results do not depend on the vectors or caches of the processor."""

from __future__ import annotations

import random

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.machines.target import Target, missing_features
from tilewright.testing.fixtures import fixture_inputs
from tilewright.testing.models import LIGHT_MODELS, light_model

from ..onnx_models import onnx_model

LEVELS = [
    level for level in ("x86-64", "x86-64-v3", "x86-64-v4") if not missing_features(Target(level))
]


def model(op: str, shapes: list[tuple[int, ...]], **attributes: object) -> onnx.ModelProto:
    """Return a model of one op; all inputs but the first are weights."""
    rng = np.random.default_rng(0)
    names = [f"x{n}" for n in range(len(shapes))]
    weights = {
        name: (rng.standard_normal(shape) / 8).astype(np.float32)
        for name, shape in zip(names[1:], shapes[1:], strict=True)
    }
    return onnx_model(
        [helper.make_node(op, names, ["y"], **attributes)],
        {"x0": shapes[0]},
        weights=weights,
        opset=22,
    )


def convolution(draw: random.Random) -> onnx.ModelProto:
    groups, kernel = draw.choice((1, 1, 2)), draw.choice((1, 3, 5))
    channels, filters = (groups * draw.randint(1, 70) for _ in range(2))
    size = draw.randint(kernel, 20)
    shapes = [(1, channels, size, size), (filters, channels // groups, kernel, kernel)]
    return model("Conv", shapes, group=groups, pads=[kernel // 2] * 4)


def product(draw: random.Random) -> onnx.ModelProto:
    rows, terms = draw.choice((1, 4, 30)), draw.choice((40, 700, 2500)) + draw.randint(0, 9)
    return model("MatMul", [(rows, terms), (terms, 50)])


def reduction(draw: random.Random) -> onnx.ModelProto:
    shape = (draw.randint(1, 9), draw.randint(1, 400))
    op = draw.choice(("Softmax", "LogSoftmax", "LpNormalization"))
    return model(op, [shape], axis=draw.choice((0, 1)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [convolution, product, reduction])
def test_levels_of_x86_give_the_same_bits(kind, seed: int) -> None:
    made = kind(random.Random(seed))
    shape = [d.dim_value for d in made.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    results = {
        level: np.asarray(tilewright.compile(made, target=level, precision="strict")(x)).tobytes()
        for level in LEVELS
    }
    assert len(set(results.values())) == 1, made.graph.node[0].op_type


@pytest.mark.nightly
@pytest.mark.parametrize("name", LIGHT_MODELS)
def test_levels_of_x86_give_the_same_bits_of_networks(name: str) -> None:
    made = light_model(name)
    inputs = fixture_inputs(made)
    shapes = {key: x.shape for key, x in inputs.items()}
    results = {
        level: tilewright.compile(
            made, shapes=shapes, target=level, precision="strict", cache=False
        ).run(inputs)
        for level in LEVELS
    }
    found = {b"".join(np.asarray(x).tobytes() for x in each) for each in results.values()}
    assert len(found) == 1, name
