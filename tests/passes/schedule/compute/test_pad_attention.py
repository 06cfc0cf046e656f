"""sched.pad_attention: extents, values, masks, and the loops of online softmax after it."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.dialects.te import ComputeView
from tilewright.support.diagnostics import ScheduleError

from ..kernels import schedule
from .test_online_softmax import INFINITE, PARTS, attention, causal, expected, run

MATCH = "\n".join(f"%{name}0 = sched.match {{name = {name}}}" for name in PARTS)
PADDED = ", ".join(f"%{name}1" for name in PARTS)
STEP = f"{PADDED} = sched.pad_attention {', '.join(f'%{name}0' for name in PARTS)}"


def padded(sizes: str) -> str:
    return f"{MATCH}\n{STEP} {{{sizes}}}"


def padded_attention(
    keys: int, sizes: str, mask: str = "", distance: int | None = None
) -> ComputeView:
    """Check the results of 6 queries; return their scores."""
    text = attention(6, keys, 3, mask)
    _, got, (q, k, v) = run(text, padded(sizes), 6, keys, 3)
    seen = np.tri(6, keys, keys if distance is None else distance, dtype=np.bool_)
    np.testing.assert_allclose(got, expected(q, k, v, seen), rtol=0, atol=1e-6)
    (scores,) = schedule(text, padded(sizes)).computes("s")
    return scores.view()


def compared_positions(scores: ComputeView) -> int:
    return sum(access.is_index for access in scores.post)


@pytest.mark.parametrize(
    ("sizes", "queries", "keys"), [("m = 4", 8, 7), ("k = 5", 6, 10), ("k = 4, m = 5", 10, 8)]
)
def test_padded_keys_and_queries_change_no_result(sizes: str, queries: int, keys: int) -> None:
    scores = padded_attention(7, sizes)
    assert (scores.axes["m"], scores.axes["n"]) == (queries, keys)


def test_tiles_that_divide_change_nothing() -> None:
    text = attention(8, 8, 3)
    done = schedule(text, padded("m = 4, k = 4")).module
    assert str(done) == str(schedule(text, MATCH).module)


@pytest.mark.parametrize(
    ("keys", "distance", "positions"), [(6, 0, 2), (7, 0, 2), (7, 1, 2), (7, 3, 3)]
)
def test_a_mask_that_hides_padded_keys_is_enough(keys: int, distance: int, positions: int) -> None:
    """The last of 6 queries sees key 5 and ``distance`` more; the padded keys begin with 7."""
    scores = padded_attention(keys, "k = 4", causal(INFINITE, distance), distance)
    assert compared_positions(scores) == positions


def test_features_are_not_padded() -> None:
    with pytest.raises(ScheduleError) as caught:
        schedule(attention(6, 7, 3), padded("n = 4"))
    assert "axis n of @o runs through neither queries nor keys" in str(caught.value)
    assert "one of m, k" in str(caught.value)


def test_other_computes_are_refused() -> None:
    names = ", ".join(f"%{name}0" for name in ("s", "e", "mx", "l", "o"))
    with pytest.raises(ScheduleError, match="the five computes are no attention"):
        schedule(attention(6, 7, 3), f"{MATCH}\n{PADDED} = sched.pad_attention {names} {{m = 4}}")


def test_values_beyond_the_keys_are_refused() -> None:
    text = attention(6, 7, 3).replace("%V: memref<7x3xf32>", "%V: memref<9x3xf32>")
    text = text.replace("%V[k, n] : memref<7x3xf32>", "%V[k, n] : memref<9x3xf32>")
    with pytest.raises(ScheduleError, match="@o reads values beyond its keys"):
        schedule(text, padded("k = 4"))
