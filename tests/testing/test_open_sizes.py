"""Random graphs with symbolic sizes: which sizes become symbols, and what the check detects.

``tw fuzz --mode sizes --count 2000`` is the sweep.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tilewright.testing.fuzz import open_sizes
from tilewright.testing.fuzz.checks import PASS
from tilewright.testing.fuzz.draw import Draw
from tilewright.testing.fuzz.families import check_drawn
from tilewright.testing.fuzz.graph_builder import with_sizes
from tilewright.testing.fuzz.graphs import GRAPHS
from tilewright.testing.fuzz.open_sizes import check_sizes, drawn_names

FEEDS = {"x": np.ones((3, 5), np.float32), "y": np.ones((5,), np.float32)}
SAMPLE = (("matmul", 0), ("softmax", 25), ("elementwise", 30), ("loop", 38))
SEEDS_BY_NIGHT = range(6)


def added() -> bytes:
    def info(name: str, shape: tuple[int, ...]) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    node = helper.make_node("Add", ["x", "y"], ["z"])
    inputs, outputs = [info("x", (3, 5)), info("y", (5,))], [info("z", (3, 5))]
    opsets = [helper.make_opsetid("", 23)]
    graph = helper.make_graph([node], "added", inputs, outputs)
    return helper.make_model(graph, opset_imports=opsets, ir_version=11).SerializeToString()


def test_one_axis_equal_axes_or_all_axes_become_symbols() -> None:
    drawn = [drawn_names(Draw(f"{seed}"), FEEDS) for seed in range(50)]
    assert {"x": ["s3", 5], "y": [5]} in drawn
    assert {"x": [3, 5], "y": ["s5"]} in drawn
    assert {"x": [3, "s5"], "y": ["s5"]} in drawn
    assert {"x": ["s3", "s5"], "y": ["s5"]} in drawn


def test_a_model_gets_symbols_and_keeps_its_other_sizes() -> None:
    graph = onnx.load_from_string(with_sizes(added(), {"x": ["n", 5], "y": [5]})).graph
    dims = graph.input[0].type.tensor_type.shape.dim
    assert (dims[0].dim_param, dims[1].dim_value) == ("n", 5)
    assert not any(dim.dim_value for dim in graph.output[0].type.tensor_type.shape.dim)


def fake(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setattr(open_sizes, "compile", lambda *_, **__: SimpleNamespace(run=run, reason=""))


def test_values_that_are_wrong_at_one_size_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(given: dict[str, Any], threads: int) -> tuple[Any]:
        total = given["x"] + given["y"]
        return (total + (total.shape != (3, 5)),)

    fake(monkeypatch, run)
    outcome = check_sizes(added(), FEEDS)
    assert (outcome.kind, outcome.message[:3]) == ("wrong", "at ")


def test_results_that_depend_on_the_threads_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, lambda given, threads: (given["x"] + given["y"] + threads,))
    assert check_sizes(added(), FEEDS).kind == "threads"


def test_a_call_that_refuses_good_sizes_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(given: dict[str, Any], threads: int) -> tuple[Any]:
        raise open_sizes.Error("an error of the call")

    fake(monkeypatch, run)
    assert check_sizes(added(), FEEDS).kind == "run-error"


@pytest.mark.slow
@pytest.mark.parametrize(("family", "seed"), SAMPLE)
def test_a_random_graph_runs_at_three_sizes(family: str, seed: int) -> None:
    assert check_drawn(family, seed, "sizes", ()) == PASS


@pytest.mark.nightly
@pytest.mark.parametrize("family", GRAPHS)
def test_graphs_of_a_family_run_at_three_sizes(family: str) -> None:
    outcomes = [check_drawn(family, seed, "sizes", ()) for seed in SEEDS_BY_NIGHT]
    assert [each for each in outcomes if each.is_failure] == []
