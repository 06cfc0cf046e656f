"""sched.split_keys: an attention by parts of its keys, and the merge of the parts."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.support.diagnostics import ScheduleError

from ..kernels import schedule
from .test_online_softmax import HANDLES, INFINITE, MATCH, PARTS, attention, causal, expected, run
from .test_pad_attention import padded

PADDED = ", ".join(f"%{name}1" for name in PARTS)
RESULTS = ", ".join(f"%{name}2" for name in (*PARTS, "most", "merge", "finish"))


def split_keys(size: int, axis: str = "k", handles: str = HANDLES) -> str:
    return f"{RESULTS} = sched.split_keys {handles} {{{axis} = {size}}}"


@pytest.mark.parametrize(("keys", "size"), [(12, 4), (12, 12), (9, 1)])
def test_parts_give_the_same(keys: int, size: int) -> None:
    text, script = attention(6, keys, 3), f"{MATCH}\n{split_keys(size)}"
    _, result, arrays = run(text, script, 6, keys, 3)
    (scores,), (merge,) = (schedule(text, script).computes(name) for name in ("s", "o_merge"))
    assert scores.view().axes == {"part": keys // size, "m": 6, "n": size, "c": 3}
    assert merge.view().axes == {"m": 6, "n": 3, "part": keys // size}
    q, k, v = arrays
    wanted = expected(q, k, v, np.ones((6, keys), np.bool_))
    np.testing.assert_allclose(result, wanted, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("keys", "distance"), [(14, 8), (7, 0), (8, -2)])
def test_padded_and_masked_keys_change_no_result(keys: int, distance: int) -> None:
    """Whole parts are masked for some queries, and for a negative distance all keys of a query."""
    script = f"{padded('k = 4')}\n{split_keys(4, handles=PADDED)}"
    _, result, arrays = run(attention(6, keys, 3, causal(INFINITE, distance)), script, 6, keys, 3)
    (q, k, v), seen = arrays, np.tri(6, keys, distance, dtype=np.bool_)
    np.testing.assert_allclose(result, expected(q, k, v, seen), rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "script", "message"),
    [
        (attention(4, 9, 3), f"{MATCH}\n{split_keys(4)}", "parts of 4 do not divide the keys"),
        (attention(4, 8, 3), f"{MATCH}\n{split_keys(4, axis='n')}", "does not run through keys"),
        (attention(4, 8, 3, dtype="f16"), f"{MATCH}\n{split_keys(4)}", "are f32 or f64"),
    ],
)
def test_what_it_refuses(text: str, script: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(text, script)
