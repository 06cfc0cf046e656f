"""Products of operands whose rows are no multiples of 16 bytes: aligned copies."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.interp import packed
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import aligned_products

from .test_blocks import blocks_of, lowered, matmul
from .test_tiles import NUMPY, compiled

CASES = {
    "sum and columns": ((34, 51, 33), "sm_90a"),
    "columns": ((65, 130, 72), "sm_80"),
    "batch": ((33, 67, 40, 2), "sm_90a"),
    "sum": ((48, 64, 141), "sm_80"),
}
BY_DAY = ("sum and columns",)


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Align operands of small products, too, for which copies do not pay."""
    monkeypatch.setattr(aligned_products, "_is_faster", lambda *_: True)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in BY_DAY else pytest.mark.nightly) for n in CASES]
)
def test_aligned_products_equal_numpy(name: str) -> None:
    """The interpreter also reports races and accesses outside of buffers."""
    shape, architecture = CASES[name]
    m, n, k, *batch = shape
    made = compiled("float16", shape, f"cuda -arch={architecture}")
    module = Parser(new_context(), made.get_source("packed")).parse_module()
    assert len(blocks_of(module)) > 1
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((*batch, *s)).astype(NUMPY["float16"]) for s in ((m, k), (k, n)))
    (got,) = packed.run(module, a, b)
    want = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=2e-3, atol=2e-2)


@pytest.mark.parametrize(
    ("k", "constants"), [(32, True), pytest.param(72, False, marks=pytest.mark.nightly)]
)
@pytest.mark.usefixtures("always")
def test_bytes_of_a_sum_are_adjacent(k: int, constants: bool) -> None:
    """The sum comes last: at compile time for constants, otherwise in a launch before."""
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-100, 100, s).astype(np.int8) for s in ((34, k), (k, 48)))
    model = onnx.parser.parse_model(
        f'<ir_version: 9, opset_import: ["": 22]> p (int8[34, {k}] a, int8[{k}, 48] b)'
        " => (int32[34, 48] y) { y = MatMulInteger (a, b) }"
    )
    if constants:
        model.graph.initializer.append(onnx.numpy_helper.from_array(b, "b"))
        del model.graph.input[1]
    made = tilewright.compile(model, target="cuda -arch=sm_80", cache=False, strict_plan=True)
    module = Parser(new_context(), made.get_source("packed")).parse_module()
    (got,) = packed.run(module, *([a] if constants else [a, b]))
    np.testing.assert_array_equal(got, a.astype(np.int32) @ b.astype(np.int32))
    assert len(blocks_of(module)) == (1 if constants else 3)
    # The four bytes of a register are one load.
    assert "ld.shared.u8" not in made.get_source("ptx")
    assert "ld.shared.b8" not in made.get_source("ptx")


def test_the_model_aligns_large_products_only() -> None:
    """A copy of 32 MB takes a tenth of the product's time, and a launch more than a small one."""
    assert len(blocks_of(lowered(matmul(4000, 4000, 4001, "float16")))) == 2
    assert len(blocks_of(lowered(matmul(4000, 4000, 4008, "float16")))) == 1
    assert len(blocks_of(lowered(matmul(64, 64, 65, "float16")))) == 1
