"""States that share memory with their results have the values of states that do not."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import ops

RNG = np.random.default_rng(0)


def step(state, x):
    """Return a value, and new states, of which several are read after others are written."""
    moved = {
        "scaled": state["scaled"] * 0.5 + x,
        "turned": state["turned"].T + x[:35],
        "flipped": state["flipped"].T * 2,
        "swapped": state["mate"],
        "mate": state["swapped"] * 2,
        "same": state["same"],
        "count": state["count"] + 1,
        "product": state["product"] - state["product"] @ state["turned"] * 0.1,
        "shifted": ops.concat([x[:1], state["shifted"][:-1]], axis=0),
    }
    # The step number is read by all, and the old states after the new ones were written.
    factor = state["count"].astype("float32")
    return (moved["scaled"] * factor).sum() + (moved["scaled"] * state["scaled"]).sum(), moved


@pytest.mark.parametrize("threads", [1, 2])
def test_states_in_place_are_equal_to_new_states(threads):
    sizes = {
        "scaled": (67, 35), "turned": (35, 35), "swapped": (7, 3), "mate": (7, 3), "same": (3, 3),
        "flipped": (35, 35), "product": (37, 35), "shifted": (67, 35),
    }  # fmt: skip
    state = {name: RNG.standard_normal(size).astype(np.float32) for name, size in sizes.items()}
    state["count"] = np.int64(0)
    plain = tilewright.function(step, target="interpreter")
    compiled = tilewright.compile_step(step, state=["state"], threads=threads)
    session = compiled.session(state=state)
    for _ in range(3):
        x = RNG.standard_normal((67, 35)).astype(np.float32)
        value, state = plain(state, x)
        np.testing.assert_allclose(session(x), value, rtol=1e-4)
        now = session.state("state")
        for name, wanted in state.items():
            np.testing.assert_allclose(now[name], wanted, rtol=1e-5, atol=1e-5)
    bytes_of_states = sum(np.asarray(leaf).nbytes for leaf in state.values())
    assert session.memory().states == bytes_of_states


def test_an_update_in_merged_axes_is_in_place() -> None:
    """The kernel reads and writes views of the state, in which two axes are one."""

    def update(state, taps):
        return taps.sum(), state * 0.5 + taps

    state = RNG.standard_normal((16, 8, 3, 3))
    taps = RNG.standard_normal((16, 8, 3, 3))
    session = tilewright.compile_step(update, state=["state"], threads=1).session(state=state)
    session(taps)
    np.testing.assert_allclose(session.state("state"), state * 0.5 + taps)
    assert session.memory().arena < state.nbytes / 2
    assert "packed.view" in session.module.get_source("packed")
