"""Networks compile by torch.compile as one graph, and run any batch without a new compilation.

Small forms run in each test run, the published sizes nightly; so do exported programs.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any
from unittest import mock

import pytest

import tilewright

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch_backend import CompiledGraph, tilewright_backend  # noqa: E402

compile_: Any = CompiledGraph._compile  # pyright: ignore[reportPrivateUsage]

IMAGE = {"x": (2, 3, 64, 64)}
WORDS = {"input_ids": (2, 24)}
Shapes = Mapping[str, tuple[int, ...]]

SMALL: dict[str, tuple[str, Mapping[str, Any], Shapes]] = {
    "resnet": (
        "vision.ResNet",
        {"depths": (1,), "bottleneck": True, "width": 8},
        {"x": (2, 3, 32, 32)},
    ),
    "bert": (
        "text.Bert",
        {"layers": 1, "kinds": False, "hidden": 32, "heads": 2},
        {"input_ids": (2, 8), "attention_mask": (2, 8)},
    ),
    "lstm": ("plain.Lstm", {"size": 8, "hidden": 16, "layers": 1}, {"x": (2, 5, 8)}),
}
"""Class, sizes, and shapes of the inputs by name; the first axis is the batch."""

NETWORKS: dict[str, tuple[str, Mapping[str, Any], Shapes]] = {
    "resnet": ("vision.ResNet", {"depths": (1, 1, 1, 1), "bottleneck": True}, IMAGE),
    "mobilenet_v2": ("vision.MobileNetV2", {}, IMAGE),
    "efficientnet": ("efficientnet.EfficientNet", {}, IMAGE),
    "vgg": ("vision.Vgg", {}, {"x": (2, 3, 224, 224)}),
    "unet": ("vision.UNet", {}, IMAGE),
    "vit": ("vision.VisionTransformer", {}, {"x": (2, 3, 224, 224)}),
    "swin": ("swin.Swin", {}, {"x": (2, 3, 224, 224)}),
    "bert": ("text.Bert", {"layers": 2, "kinds": False}, {**WORDS, "attention_mask": (2, 24)}),
    "gpt2": ("text.Gpt2", {}, WORDS),
    "llama": ("text.LlamaBlocks", {"rows": 24}, {"x": (2, 24, 1024)}),
    "whisper": ("audio.WhisperEncoder", {}, {"x": (2, 80, 3000)}),
    "lstm": ("plain.Lstm", {"size": 32, "hidden": 64}, {"x": (2, 20, 32)}),
    "mlp": ("plain.Mlp", {}, {"x": (2, 784)}),
}


def inputs(shapes: Shapes, batch: int) -> list[Any]:
    torch.manual_seed(batch)
    made: list[Any] = []
    for name, shape in shapes.items():
        sizes = (batch, *shape[1:])
        if name == "attention_mask":
            made.append(torch.ones(sizes, dtype=torch.int64))
        elif name == "input_ids":
            made.append(torch.randint(1000, sizes))
        else:
            made.append(torch.randn(sizes))
    return made


def network_of(row: tuple[str, Mapping[str, Any], Shapes]) -> Any:
    """Return a network whose normalizations have computed statistics."""
    module, _, kind = row[0].partition(".")
    torch.manual_seed(0)
    network = getattr(importlib.import_module(f"zoo.{module}"), kind)(**row[1]).eval()
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(part.running_mean, -0.2, 0.2)
            torch.nn.init.uniform_(part.running_var, 0.8, 1.2)
    return network


def check_equal(got: Any, want: Any, error: float) -> None:
    want, got = (want, got) if isinstance(want, tuple) else ((want,), (got,))
    for x, y in zip(got, want, strict=True):
        assert (torch.as_tensor(x) - y).norm() <= error * y.norm()


def check_network(row: tuple[str, Mapping[str, Any], Shapes]) -> None:
    network = network_of(row)
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
            given = inputs(row[2], batch)
            for x in given:
                torch._dynamo.mark_dynamic(x, 0)
            check_equal(compiled(*given), network(*given), 1e-5)
    assert calls.call_count == 1
    assert counts["stats"]["unique_graphs"] == 1
    assert not counts["graph_break"]


@pytest.mark.parametrize("name", SMALL)
def test_a_small_network_is_one_graph(name: str) -> None:
    check_network(SMALL[name])


@pytest.mark.nightly
@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_is_one_graph(name: str) -> None:
    check_network(NETWORKS[name])


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
        return network_of(("vision.ResNet", sizes, {})), (image,)
    if name == "mobilenet_v2":
        return network_of(("vision.MobileNetV2", {}, {})), (image,)
    sizes = {"layers": 2, "kinds": False, "hidden": 128, "heads": 2}
    words = torch.randint(1000, (1, 16))
    return network_of(("text.Bert", sizes, {})), (words, torch.ones_like(words))


@pytest.mark.filterwarnings("ignore")  # of the exporter, about torch itself
@pytest.mark.parametrize(
    "name",
    [
        "gru",
        *(pytest.param(n, marks=pytest.mark.nightly) for n in ("bert_tiny", "mobilenet_v2")),
        pytest.param("resnet18", marks=pytest.mark.nightly),
    ],
)
def test_an_exported_network_equals_eager(name: str) -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    network, given = exported(name)
    module = tilewright.compile(torch.export.export(network, given), cache=False)
    with torch.no_grad():
        check_equal(module(*given), network(*given), 1e-4)
