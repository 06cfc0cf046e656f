"""A model whose kernels are called one by one gives the results of the compiled model."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.testing.models import encoder_model, inputs_for
from tilewright.testing.profile import Replay


@pytest.mark.parametrize("threads", [1, 2])
def test_a_replay_has_the_results_and_the_calls_of_the_model(threads: int) -> None:
    model = encoder_model(layers=1, hidden=64, heads=2)
    module, inputs = tilewright.compile(model), inputs_for(model)
    replay = Replay.of_model(model, inputs, threads=threads)
    for _ in range(2):
        outputs = replay()
    expected = module.run(inputs, threads=threads)
    for got, wanted in zip(outputs, expected, strict=True):
        assert np.array_equal(got, wanted.numpy())
    profile = replay.profile()
    assert {p.name: len(p.times_s) for p in profile} == {k.name: k.calls for k in module.kernels}
    assert all(p.total_s > 0 for p in profile)
    names = {node.name for node in model.graph.node}
    assert all(p.nodes and {*p.nodes} <= names for p in profile)
