"""Networks for torch.compile: class, sizes, and inputs whose first axis is the batch."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch

IMAGE = {"x": (2, 3, 64, 64)}
PHOTO = {"x": (2, 3, 224, 224)}
WORDS = {"input_ids": (2, 24)}
SENTENCE = {**WORDS, "attention_mask": (2, 24)}


class Row(NamedTuple):
    """A network: module and class of the zoo, arguments of the class, shapes of the inputs."""

    place: str
    sizes: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]


NETWORKS: dict[str, Row] = {
    "resnet": Row("vision.ResNet", {"depths": (1, 1, 1, 1), "bottleneck": True}, IMAGE),
    "mobilenet_v2": Row("vision.MobileNetV2", {}, IMAGE),
    "efficientnet": Row("efficientnet.EfficientNet", {}, IMAGE),
    "vgg": Row("vision.Vgg", {}, PHOTO),
    "unet": Row("vision.UNet", {}, IMAGE),
    "vit": Row("vision.VisionTransformer", {}, PHOTO),
    "swin": Row("swin.Swin", {}, PHOTO),
    "bert": Row("text.Bert", {"layers": 2, "kinds": False}, SENTENCE),
    "gpt2": Row("text.Gpt2", {}, WORDS),
    "llama": Row("text.LlamaBlocks", {"rows": 24}, {"x": (2, 24, 1024)}),
    "whisper": Row("audio.WhisperEncoder", {}, {"x": (2, 80, 3000)}),
    "lstm": Row("plain.Lstm", {"size": 32, "hidden": 64}, {"x": (2, 20, 32)}),
    "mlp": Row("plain.Mlp", {}, {"x": (2, 784)}),
}
"""Networks for vision, text and audio by name."""


def network_of(row: Row) -> torch.nn.Module:
    """Return a network whose normalizations have computed statistics."""
    module, _, kind = row.place.partition(".")
    torch.manual_seed(0)
    network = getattr(importlib.import_module(f"{__package__}.{module}"), kind)(**row.sizes).eval()
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            for value, low, high in ((part.running_mean, -0.2, 0.2), (part.running_var, 0.8, 1.2)):
                assert value is not None, "a normalization without statistics"
                torch.nn.init.uniform_(value, low, high)
    return network


def inputs_of(row: Row, batch: int) -> list[torch.Tensor]:
    """Return inputs of a network; word numbers are below 1000, and no word is masked."""
    torch.manual_seed(batch)
    made: list[torch.Tensor] = []
    for name, shape in row.shapes.items():
        sizes = (batch, *shape[1:])
        if name == "attention_mask":
            made.append(torch.ones(sizes, dtype=torch.int64))
        elif name == "input_ids":
            made.append(torch.randint(1000, sizes))
        else:
            made.append(torch.randn(sizes))
    return made
