"""The example of an accelerator with a systolic array: products by tensorize, on its simulator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.runtime.abi.registry import list_global_func_names, remove_global_func

from ..peer import peer_results
from .cpu.machine_models import onnx_model, random
from .test_external import EXAMPLES, externs

X = random(16, 24)


@pytest.fixture
def systolic(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for folder in (EXAMPLES, EXAMPLES / "systolic_array"):
        monkeypatch.syspath_prepend(str(folder))
    before = {*list_global_func_names()}
    import systolic  # pyright: ignore[reportMissingImports]

    yield systolic
    for name in {*list_global_func_names()} - before:
        remove_global_func(name)


def network() -> Any:
    """Return three products, of which the last one has 10 columns, no multiple of 8."""
    weights = {"u": random(24, 32), "v": random(32, 8) / 8, "w": random(8, 10)}
    nodes = "a = MatMul(x, u) b = Relu(a) c = MatMul(b, v) y = MatMul(c, w)"
    return onnx_model(nodes, X.shape, weights)


def compiled(systolic: Any) -> tilewright.CompiledModule:
    options: dict[str, Any] = {"placement": "systolic", "extensions": [systolic.EXTENSION]}
    return tilewright.compile(network(), cache=False, **options)


def test_the_array_computes_products_in_whole_tiles(systolic: Any) -> None:
    mod = compiled(systolic)
    assert externs(mod) == {"systolic.product_16x32x24": 1, "systolic.product_16x8x32": 1}
    start = systolic.ACCELERATOR.array.cycles
    made = mod(X).numpy()
    np.testing.assert_allclose(made, peer_results(network(), [X])[0], rtol=1e-4, atol=1e-4)
    tiles = 2 * 4 * 3 + 2 * 1 * 4
    assert systolic.ACCELERATOR.array.cycles - start == tiles * 22
    loops = str(systolic.ACCELERATOR.load(16, 32, 24))
    assert "loop.intrinsic @systolic" in loops
    assert "arith.mulf" not in loops


def test_a_broken_array_is_found(systolic: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = systolic.SystolicArray.multiply

    def broken(self: Any, sums: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return right(self, sums, a, b.T)

    monkeypatch.setattr(systolic.SystolicArray, "multiply", broken)
    made = compiled(systolic)(X).numpy()
    assert not np.allclose(made, peer_results(network(), [X])[0], atol=0.1)


def test_the_example_is_short() -> None:
    lines = (EXAMPLES / "systolic_array" / "systolic.py").read_text().splitlines()
    assert len(lines) <= 150
