"""Networks compile by torch.compile as one graph, and run any batch without a new compilation."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch_backend import tilewright_backend  # noqa: E402

IMAGE = {"x": (2, 3, 64, 64)}
WORDS = {"input_ids": (2, 24)}
Shapes = Mapping[str, tuple[int, ...]]

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


def check_network(name: str) -> None:
    definition, sizes, shapes = NETWORKS[name]
    module, _, kind = definition.partition(".")
    torch.manual_seed(0)
    network = getattr(importlib.import_module(f"zoo.{module}"), kind)(**sizes).eval()
    torch._dynamo.reset()
    counts = torch._dynamo.utils.counters
    counts.clear()
    with torch.no_grad(), torch._dynamo.config.patch(allow_rnn=True):
        compiled = torch.compile(network, backend=tilewright_backend, fullgraph=True)
        for batch in (2, 3, 5):
            given = inputs(shapes, batch)
            for x in given:
                torch._dynamo.mark_dynamic(x, 0)
            want, got = network(*given), compiled(*given)
            want, got = (want, got) if isinstance(want, tuple) else ((want,), (got,))
            for x, y in zip(got, want, strict=True):
                assert (x - y).norm() <= 1e-5 * y.norm()
    assert counts["stats"]["unique_graphs"] == 1
    assert not counts["graph_break"]


@pytest.mark.parametrize("name", ["mlp", "lstm"])
def test_a_network_is_one_graph(name: str) -> None:
    check_network(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(set(NETWORKS) - {"mlp", "lstm"}))
def test_a_large_network_is_one_graph(name: str) -> None:
    check_network(name)
