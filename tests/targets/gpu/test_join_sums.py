"""Several sums in one kernel: gated products, and products after a normalization."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.dialects.packed import CallOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context

from ...opencl_device import opencl_device

K, N, EPS = 128, 256, np.array(1e-3)
NORM = (
    "ax = Constant <value = int64[1] {-1}> () q = Mul (x, x) m = ReduceMean <keepdims = 1> (q, ax) "
    "s = Add (m, eps) t = Sqrt (s) r = Reciprocal (t) h = Mul (x, r) n = Mul (g, h) "
)
BODIES = {
    "norm": "y = MatMul (n, wa)",
    "gate": "a = MatMul (n, wa) b = MatMul (n, wb) z = Sigmoid (a) c = Mul (a, z) y = Mul (c, b)",
    "two readers": "a = MatMul (n, wa) b = Mul (n, n) d = Concat <axis = 2> (b, b) y = Add (a, d)",
}
TYPES = {"float": np.float32, "float16": np.float16}


def weights_of(element: str) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    shapes = {"g": (K,), "wa": (K, N), "wb": (K, N)}
    drawn = {name: rng.standard_normal(shape) / 8 for name, shape in shapes.items()}
    return {name: value.astype(TYPES[element]) for name, value in (*drawn.items(), ("eps", EPS))}


def model_of(body: str, element: str, rows: int) -> onnx.ModelProto:
    """Return a model that normalizes rows of x and multiplies them by constant matrices."""
    arguments = f"{element}[1, {rows}, {K}] x) => ({element}[1, {rows}, {N}] y"
    head = '<ir_version: 10, opset_import: ["": 22]> network'
    model = onnx.parser.parse_model(f"{head} ({arguments}) {{ {NORM}{BODIES[body]} }}")
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(value, name) for name, value in weights_of(element).items()
    )
    return model


def lowered(model: onnx.ModelProto, target: str) -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), Target(target), to="simt")
    return module


def launches(module: ModuleOp) -> int:
    return sum(isinstance(op, CallOp) for op in entry_of(module).walk())


def drawn(element: str, rows: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((1, rows, K)).astype(TYPES[element])


def expected(body: str, element: str, x: np.ndarray) -> np.ndarray:
    """Return the result in f64."""
    x, w = x.astype(np.float64), {k: v.astype(np.float64) for k, v in weights_of(element).items()}
    n = w["g"] * x / np.sqrt((x * x).mean(-1, keepdims=True) + w["eps"])
    a = n @ w["wa"]
    if body == "two readers":
        return a + np.concatenate([n * n, n * n], -1)
    return a / (1 + np.exp(-a)) * (n @ w["wb"]) if body == "gate" else a


@pytest.mark.parametrize(("element", "rows"), [("float", 3), ("float16", 1)])
@pytest.mark.parametrize("body", ["norm", "gate"])
def test_one_launch_has_all_sums(body: str, element: str, rows: int) -> None:
    """The interpreter reports races, and reads of elements without a value."""
    module = lowered(model_of(body, element, rows), "cuda -arch=sm_80")
    assert launches(module) == 1
    x = drawn(element, rows)
    (got,) = packed.run(module, x)
    want, error = expected(body, element, x), 1e-6 if element == "float" else 2e-3
    assert np.linalg.norm(got - want) <= error * np.linalg.norm(want)


def test_a_norm_with_two_readers_stays() -> None:
    assert launches(lowered(model_of("two readers", "float", 1), "cuda -arch=sm_80")) > 2


def test_many_rows_keep_the_tiles_of_a_product() -> None:
    assert launches(lowered(model_of("gate", "float", 64), "cuda -arch=sm_80")) == 3


@pytest.mark.parametrize("body", BODIES)
def test_results_on_a_device(body: str) -> None:
    opencl_device()
    model, x = model_of(body, "float", 2), drawn("float", 2)
    made = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    want = expected(body, "float", x)
    assert np.linalg.norm(np.asarray(made(x)) - want) <= 1e-6 * np.linalg.norm(want)
