"""from_onnx and build: together they are compile, with parameters and passes in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser
from onnx.numpy_helper import from_array
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright import te
from tilewright.passes.graph.dce import Dce
from tilewright.passes.graph.fold_constants import FoldConstants
from tilewright.runtime.errors import ArgumentError
from tilewright.support.registry import new_context
from tilewright.testing import models

RNG = np.random.default_rng(0)
NORMALIZED = """
<ir_version: 9, opset_import: ["": 20]>
g (float[n, 3, 8, 8] x) => (float[n, 4, 6, 6] y) {
  c = Conv (x, w)
  y = BatchNormalization (c, scale, bias, mean, var)
}
"""


def with_values(model: onnx.ModelProto, values: dict[str, Any]) -> onnx.ModelProto:
    """Return a copy of a model with these initializers."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    del made.graph.initializer[:]
    made.graph.initializer.extend(from_array(np.asarray(v), name) for name, v in values.items())
    return made


def normalized() -> onnx.ModelProto:
    """Return a convolution with a batch normalization."""
    values = {n: RNG.uniform(0.5, 1.5, 4).astype("f") for n in ("scale", "bias", "mean", "var")}
    weight = RNG.standard_normal((4, 3, 3, 3), np.float32)
    return with_values(parser.parse_model(NORMALIZED), {"w": weight, **values})


def check(module: Any, model: onnx.ModelProto, x: np.ndarray) -> None:
    reference: Any = ReferenceEvaluator(model)
    (expected,) = reference.run(None, {"x": x})
    np.testing.assert_allclose(module(x), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [None, {"x": (5, 16)}])
def test_both_parts_make_the_code_of_compile(shape: Any) -> None:
    model = models.ffn_model(m="rows", k=16, n=24)
    mod, params = tilewright.from_onnx(model, shape=shape)
    assert {name: array.shape for name, array in params.items()} == {
        "ffn/weight": (16, 24),
        "ffn/bias": (24,),
    }
    assert "graph.matmul" in str(mod)
    whole = tilewright.compile(model, shapes=shape, cache=False)
    for built in (
        tilewright.build(mod, params=params, cache=False),
        tilewright.build(mod, cache=False),
        tilewright.compile_module(mod, params=params, cache=False),
    ):
        assert (built.code, str(built)) == (whole.code, str(whole))
        check(built, model, RNG.standard_normal((5, 16), np.float32))


def test_params_give_other_values_and_leave_the_module() -> None:
    model = models.ffn_model(m=3, k=16, n=24)
    mod, params = tilewright.from_onnx(model)
    other = {name: 2 * array.numpy() for name, array in params.items()}
    x = RNG.standard_normal((3, 16), np.float32)
    built = tilewright.build(mod, params=other, cache=False)
    check(built, with_values(model, other), x)
    params["ffn/weight"].numpy()[:] = 0  # a copy
    check(tilewright.build(mod, cache=False), model, x)
    built.load_params(tilewright.from_onnx(model)[1])
    check(built, model, x)
    assert tilewright.build(mod, target="interpreter").metadata.target == "interpreter"


def test_params_reach_weights_that_passes_derived() -> None:
    model = normalized()
    mod, params = tilewright.from_onnx(model)
    assert "graph.sqrt" in str(mod)
    for step in (FoldConstants(), Dce()):
        step.apply(new_context(), mod)
    assert "graph.sqrt" not in str(mod)
    other = {name: array.numpy() + np.float32(0.5) for name, array in params.items()}
    x = RNG.standard_normal((2, 3, 8, 8), np.float32)
    check(tilewright.build(mod, params=params, cache=False), model, x)
    check(tilewright.build(mod, params=other, cache=False), with_values(model, other), x)
    with pytest.raises(ArgumentError, match="combined with others") as caught:
        tilewright.build(mod, params={"scale": other["scale"]})
    assert caught.value.got == "scale"
    assert caught.value.hint == "pass var too"


def test_wrong_arguments_are_named() -> None:
    mod, params = tilewright.from_onnx(models.ffn_model(m=3, k=16, n=24))
    for given, rule in (
        ({"ffn/wait": params["ffn/weight"]}, "no parameter 'ffn/wait'"),
        ({"ffn/bias": np.zeros(3, np.float32)}, "another shape or dtype"),
        ({"ffn/bias": np.zeros(24)}, "another shape or dtype"),
    ):
        with pytest.raises(ArgumentError, match=rule):
            tilewright.build(mod, params=given)
    with pytest.raises(ArgumentError, match="has its arguments"):
        tilewright.build(mod, "llvm", params=params)  # pyright: ignore
    a = te.placeholder((4,), name="a")
    with pytest.raises(ArgumentError, match="params= is for modules"):
        tilewright.build([te.compute((4,), lambda i: a[i] + 1)], params=params)
    with pytest.raises(tilewright.ModelError):
        tilewright.from_onnx("missing.onnx")
    with pytest.raises(ArgumentError, match="shape"):
        tilewright.from_onnx(models.ffn_model(m=3, k=16, n=24), shape=(3, 16))  # pyright: ignore


def test_integers_are_part_of_the_module() -> None:
    text = '<ir_version: 9, opset_import: ["": 20]> g (float[6] x) => (float[2, 3] y) {\n'
    model = with_values(
        parser.parse_model(text + "z = Mul(x, two) y = Reshape (z, to) }"),
        {"to": np.array([2, 3]), "two": np.full(6, 2, np.float32)},
    )
    mod, params = tilewright.from_onnx(model)
    assert [*params] == ["two"]
    check(tilewright.build(mod, params=params, cache=False), model, np.ones(6, np.float32))
