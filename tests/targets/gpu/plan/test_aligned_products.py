"""Products of operands whose rows are no multiples of 16 bytes: aligned copies (rule G28)."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from tilewright.interp import packed
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import aligned_products

from ....sweeps import in_turn
from .test_blocks import blocks_of, lowered, matmul
from .test_tiles import NUMPY, compiled

CASES = {
    "columns": (65, 130, 72),
    "batch": (33, 67, 40, 2),
    "sum and columns": (70, 99, 33),
    "sum": (48, 64, 141),
}
ARCHITECTURES = [("sm_80",), ("sm_90a",)]


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Align operands of small products, too, for which copies do not pay."""
    monkeypatch.setattr(aligned_products, "_is_faster", lambda *_: True)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("name", "architecture"), in_turn(CASES, ARCHITECTURES))
def test_aligned_products_equal_numpy(name: str, architecture: str) -> None:
    """The interpreter also reports races and accesses outside of buffers."""
    m, n, k, *batch = CASES[name]
    made = compiled("float16", CASES[name], f"cuda -arch={architecture}")
    module = Parser(new_context(), made.get_source("packed")).parse_module()
    assert len(blocks_of(module)) > 1
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((*batch, *s)).astype(NUMPY["float16"]) for s in ((m, k), (k, n)))
    (got,) = packed.run(module, a, b)
    want = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=2e-3, atol=2e-2)


def test_the_model_aligns_large_products_only() -> None:
    """A copy of 32 MB takes a tenth of the product's time, and a launch more than a small one."""
    assert len(blocks_of(lowered(matmul(4000, 4000, 4001, "float16")))) == 2
    assert len(blocks_of(lowered(matmul(4000, 4000, 4008, "float16")))) == 1
    assert len(blocks_of(lowered(matmul(64, 64, 65, "float16")))) == 1
