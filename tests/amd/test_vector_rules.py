"""Rules of vector instructions, compared with the documentation of AMD's instruction sets.

These tests do not need the decoder of instructions.
"""

from __future__ import annotations

import numpy as np
import pytest

from .vector_rules import COMPARISONS, is_of_class

NAN, INF, TINY = np.float32(np.nan), np.float32(np.inf), np.float32(1e-40)
# The bits of V_CMP_CLASS, from signaling NaN and quiet NaN to positive infinity.
CLASSES = [
    (NAN, (0, 1)), (-INF, (2,)), (np.float32(-1.5), (3,)), (-TINY, (4,)), (np.float32(-0.0), (5,)),
    (np.float32(0), (6,)), (TINY, (7,)), (np.float32(2), (8,)), (INF, (9,)),
]  # fmt: skip
RELATIONS = ("less", "equal", "greater", "unordered")
TRUE_FOR = {
    "F": (), "LT": RELATIONS[:1], "EQ": ("equal",), "LE": RELATIONS[:2], "GT": ("greater",),
    "LG": ("less", "greater"), "GE": ("equal", "greater"), "O": RELATIONS[:3],
    "U": ("unordered",), "NGE": ("less", "unordered"), "NLG": ("equal", "unordered"),
    "NGT": ("less", "equal", "unordered"), "NLE": ("greater", "unordered"),
    "NEQ": ("less", "greater", "unordered"), "NLT": ("equal", "greater", "unordered"),
    "TRU": RELATIONS,
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE_FOR)
def test_a_comparison_of_floats_holds_for_its_relations(name: str) -> None:
    x = np.array([1, 2, 3, np.nan], np.float32)
    y = np.array([2, 2, 2, 2], np.float32)
    holds = COMPARISONS[name](x, y)
    assert [relation for relation, held in zip(RELATIONS, holds, strict=True) if held] == list(
        TRUE_FOR[name]
    )


@pytest.mark.parametrize(("value", "bits"), CLASSES)
def test_a_number_is_of_one_class(value: np.float32, bits: tuple[int, ...]) -> None:
    held = [bit for bit in range(10) if is_of_class(np.array([value]), np.uint32(1 << bit))[0]]
    assert held == list(bits)
