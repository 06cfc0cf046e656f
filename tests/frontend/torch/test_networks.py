"""Networks compile by torch.compile as one graph, and run any batch without a new compilation.

Small forms run in each test run, the published sizes nightly; so do exported programs.
"""

from __future__ import annotations

import importlib
from typing import Any
from unittest import mock

import pytest

import tilewright

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch.backend import CompiledGraph, tilewright_backend  # noqa: E402

zoo: Any = importlib.import_module("zoo.torch_networks")  # a folder of benchmarks/
compile_: Any = CompiledGraph._compile  # pyright: ignore[reportPrivateUsage]

SMALL: dict[str, Any] = {
    "bert": zoo.Row(
        "text.Bert",
        {"layers": 1, "kinds": False, "hidden": 32, "heads": 2},
        {"input_ids": (2, 8), "attention_mask": (2, 8)},
    ),
    "lstm": zoo.Row("plain.Lstm", {"size": 8, "hidden": 16, "layers": 1}, {"x": (2, 5, 8)}),
}
"""Networks that compile in a second."""


def check_equal(got: Any, want: Any, error: float) -> None:
    want, got = (want, got) if isinstance(want, tuple) else ((want,), (got,))
    for x, y in zip(got, want, strict=True):
        assert (torch.as_tensor(x) - y).norm() <= error * y.norm()


def check_network(row: Any) -> None:
    network = zoo.network_of(row)
    torch._dynamo.reset()
    counts = torch._dynamo.utils.counters
    counts.clear()
    with (
        torch.no_grad(),
        torch._dynamo.config.patch(allow_rnn=True),
        mock.patch.object(CompiledGraph, "_compile", autospec=True, side_effect=compile_) as calls,
    ):
        compiled = torch.compile(network, backend=tilewright_backend, fullgraph=True)
        for batch in (2, 3, 5):
            given = zoo.inputs_of(row, batch)
            for x in given:
                torch._dynamo.mark_dynamic(x, 0)
            check_equal(compiled(*given), network(*given), 1e-5)
    assert calls.call_count == 1
    assert counts["stats"]["unique_graphs"] == 1
    assert not counts["graph_break"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_small_network_is_one_graph(name: str) -> None:
    check_network(SMALL[name])


@pytest.mark.nightly
@pytest.mark.parametrize("name", zoo.NETWORKS)
def test_a_network_is_one_graph(name: str) -> None:
    check_network(zoo.NETWORKS[name])


class Gru(torch.nn.Module):
    """A bidirectional GRU of two layers and a classifier."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.layers = torch.nn.GRU(8, hidden, 2, batch_first=True, bidirectional=True)
        self.head = torch.nn.Linear(2 * hidden, 4)

    def forward(self, x: Any) -> Any:
        return self.head(self.layers(x)[0])


def exported(name: str) -> tuple[Any, tuple[Any, ...]]:
    """Return a network and its inputs."""
    image = torch.randn(1, 3, 224, 224)
    if name == "gru":
        return Gru(16).eval(), (torch.randn(2, 7, 8),)
    if name == "resnet18":
        sizes = {"depths": (2, 2, 2, 2), "bottleneck": False}
        return zoo.network_of(zoo.Row("vision.ResNet", sizes, {})), (image,)
    if name == "mobilenet_v2":
        return zoo.network_of(zoo.Row("vision.MobileNetV2", {}, {})), (image,)
    sizes = {"layers": 2, "kinds": False, "hidden": 128, "heads": 2}
    words = torch.randint(1000, (1, 16))
    return zoo.network_of(zoo.Row("text.Bert", sizes, {})), (words, torch.ones_like(words))


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")  # of the exporter, about torch itself
@pytest.mark.parametrize("name", ["gru", "bert_tiny", "mobilenet_v2", "resnet18"])
def test_an_exported_network_equals_eager(name: str) -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    network, given = exported(name)
    module = tilewright.compile(torch.export.export(network, given), cache=False)
    with torch.no_grad():
        check_equal(module(*given), network(*given), 1e-4)
