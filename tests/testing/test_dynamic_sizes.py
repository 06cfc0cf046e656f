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

from tilewright.testing.fuzz import dynamic_sizes
from tilewright.testing.fuzz.checks import PASS
from tilewright.testing.fuzz.draw import Draw
from tilewright.testing.fuzz.dynamic_sizes import check_sizes, drawn_names, valid_sizes
from tilewright.testing.fuzz.families import check_drawn
from tilewright.testing.fuzz.graph_builder import GraphBuilder, with_sizes
from tilewright.testing.fuzz.graphs import GRAPHS
from tilewright.testing.fuzz.graphs.layers import reshape, reshape_like
from tilewright.testing.fuzz.references import interpreted

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


def test_a_size_of_1_that_broadcasts_stays_a_number() -> None:
    feeds = {"x": np.ones((1, 3, 1), np.float32), "y": np.ones((3, 5), np.float32)}
    drawn = [drawn_names(Draw(f"{seed}"), feeds) for seed in range(50)]
    assert {"x": ["s1", "s3", 1], "y": ["s3", "s5"]} in drawn
    assert all(names["x"][2] == 1 for names in drawn)


@pytest.mark.parametrize(
    ("source", "shape", "other", "result"),
    [
        ((2, 3, 4), (6, 4), (5, 3, 7), (15, 7)),
        ((2, 12), (2, 3, 4), (5, 30), (5, 3, 10)),
        ((2, 12), (2, 12, 1), (5, 7), (5, 7, 1)),
        ((5,), (1, 5), (7,), (1, 7)),
        ((1, 6, 4), (6, 2, 2), (1, 8, 6), (8, 3, 2)),
        ((2, 3, 4), (2, 3, 4), (0, 1, 5), (0, 1, 5)),
    ],
)
def test_the_target_of_a_drawn_reshape_follows_the_sizes(
    source: tuple[int, ...], shape: tuple[int, ...], other: tuple[int, ...], result: tuple[int, ...]
) -> None:
    g = GraphBuilder(Draw("reshape"))
    x = g.input(*source)
    g.output(reshape_like(g, reshape(g, x, *shape), x), reshape(g, x, *shape))
    data = with_sizes(g.model().SerializeToString(), {x.name: other})
    back, y = interpreted(data, {x.name: np.zeros(other, np.float32)})
    assert (back.shape, y.shape) == (other, result)


def test_other_sizes_are_those_of_valid_models() -> None:
    """Sizes are drawn until the model has valid shapes; those with a range from 0 may be 0."""
    names, originals = {"x": ["s3", "s5"], "y": ["s4"]}, {"s3": 3, "s5": 5, "s4": 5}
    drawn = [
        valid_sizes(Draw(f"{seed}"), added(), names, originals, (0, 1, 2, 7)) for seed in range(30)
    ]
    assert all(sizes["s4"] in (1, sizes["s5"]) or sizes["s5"] == 1 for sizes in drawn)
    assert {0, 1, 2, 7} == {sizes["s3"] for sizes in drawn}


def fake(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setattr(
        dynamic_sizes, "compile", lambda *_, **__: SimpleNamespace(run=run, reason="")
    )


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
        raise dynamic_sizes.Error("an error of the call")

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
