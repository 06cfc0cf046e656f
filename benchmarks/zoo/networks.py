"""The table of networks: their definitions, and the inputs for measurements.

Nothing here needs torch: a definition is imported when its network is built.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn


@dataclass(frozen=True)
class Network:
    """A network: its definition, sizes and inputs.

    definition: the module of this package, and the class.  inputs: the shape of each input.
    limits: exclusive upper bounds of integer inputs, whose values are drawn from 0 on.  ones:
    integer inputs that are 1 everywhere.  is_model: whether it counts as a model of the zoo; single
    operators do not.
    """

    definition: str
    inputs: Mapping[str, tuple[int, ...]]
    sizes: Mapping[str, object] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    ones: frozenset[str] = frozenset()
    is_model: bool = True

    def build(self) -> nn.Module:
        """Return the module with seeded weights, in evaluation mode."""
        import torch

        from .weights import initialize

        torch.manual_seed(0)
        made = self.module()
        initialize(made, tuple(self.arguments().values()))
        return made.eval()

    def module(self) -> nn.Module:
        """Return the module with torch's initial weights."""
        home, _, name = self.definition.partition(".")
        made = getattr(importlib.import_module(f"{__package__}.{home}"), name)
        return made(**self.sizes)

    def arguments(self) -> dict[str, Tensor]:
        """Return seeded inputs by name."""
        import torch

        draws = torch.Generator().manual_seed(1)
        return {name: self._argument(name, shape, draws) for name, shape in self.inputs.items()}

    def _argument(self, name: str, shape: tuple[int, ...], draws: Any) -> Tensor:
        import torch

        if name in self.ones:
            return torch.ones(shape, dtype=torch.int64)
        if name in self.limits:
            return torch.randint(self.limits[name], shape, generator=draws)
        return torch.randn(shape, generator=draws)


IMAGE = {"x": (1, 3, 224, 224)}
WORDS, MASK = {"input_ids": 30522}, frozenset({"attention_mask"})
BERT_INPUTS = dict.fromkeys(("input_ids", "attention_mask"), (1, 128))
CACHED, LLAMA_CACHED = 128, 512


def cache(layers: int, heads: int, keys: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of cached keys and values: one pair of tensors per layer."""
    shape = (1, heads, keys, 64)
    return {f"past.{i}.{kind}": shape for i in range(layers) for kind in ("key", "value")}


def operator(definition: str, **inputs: tuple[int, ...]) -> Network:
    """Return a network of a single operator on floats."""
    return Network(definition, inputs, is_model=False)


def attention(
    heads: int, keys: int, size: int, *, queries: int = 0, shared: int = 0, causal: bool = False
) -> Network:
    """Return a network that is one attention.

    queries: the number of queries; 0 means as many as keys.  shared: the number of key heads, if
    several query heads share a key head.
    """
    rows = {"q": (1, heads, queries or keys, size)}
    columns = dict.fromkeys(("k", "v"), (1, shared or heads, keys, size))
    sizes = {"causal": causal}
    return Network("attention.Attention", {**rows, **columns}, sizes, is_model=False)


def convolution(channels: int, filters: int, kernel: int, size: int, stride: int = 1) -> Network:
    """Return a network that is a convolution of a square image, and a normalization."""
    sizes = {"channels": channels, "filters": filters, "kernel": kernel, "stride": stride}
    return Network("vision.conv_norm", {"x": (1, channels, size, size)}, sizes, is_model=False)


NETWORKS: dict[str, Network] = {
    "resnet18": Network("vision.ResNet", IMAGE, {"depths": (2, 2, 2, 2), "bottleneck": False}),
    "resnet50": Network("vision.ResNet", IMAGE, {"depths": (3, 4, 6, 3), "bottleneck": True}),
    "mobilenet_v2": Network("vision.MobileNetV2", IMAGE),
    "efficientnet_b0": Network("efficientnet.EfficientNet", IMAGE),
    "vgg16": Network("vision.Vgg", IMAGE),
    "unet": Network("vision.UNet", {"x": (1, 3, 256, 256)}),
    "vit_b16": Network("vision.VisionTransformer", IMAGE),
    "swin_t": Network("swin.Swin", IMAGE),
    "bert_base": Network(
        "text.Bert",
        {**BERT_INPUTS, "token_type_ids": (1, 128)},
        {"layers": 12, "kinds": True},
        {**WORDS, "token_type_ids": 2},
        MASK,
    ),
    "distilbert": Network("text.Bert", BERT_INPUTS, {"layers": 6, "kinds": False}, WORDS, MASK),
    "gpt2_prefill": Network("text.Gpt2", {"input_ids": (1, 64)}, limits={"input_ids": 50257}),
    "gpt2_decode": Network(
        "text.Gpt2",
        {"input_ids": (1, 1), **cache(12, 12, CACHED)},
        limits={"input_ids": 50257},
    ),
    "llama_blocks": Network("text.LlamaBlocks", {"x": (1, 128, 1024)}, {"rows": 128}),
    "llama_decode": Network(
        "text.LlamaBlocks",
        {"x": (1, 1, 1024), **cache(6, 4, LLAMA_CACHED)},
        {"rows": LLAMA_CACHED + 1},
    ),
    "whisper_encoder": Network("audio.WhisperEncoder", {"x": (1, 80, 3000)}),
    "lstm": Network("plain.Lstm", {"x": (1, 100, 256)}),
    "mlp": Network("plain.Mlp", {"x": (64, 784)}),
    "matmul_1024": operator("plain.Product", lhs=(1024, 1024), rhs=(1024, 1024)),
    "matmul_128x768x3072": operator("plain.Product", lhs=(128, 768), rhs=(768, 3072)),
    "conv3x3_64x56": convolution(64, 64, 3, 56),
    "conv3x3_256x14": convolution(256, 256, 3, 14),
    "conv1x1_256x64x56": convolution(256, 64, 1, 56),
    "softmax_512x384": operator("plain.Softmax", x=(512, 384)),
    "gelu_4m": operator("plain.Gelu", lhs=(1 << 22,), rhs=(1 << 22,)),
    "attention_12x128x64": operator(
        "plain.SelfAttention", **dict.fromkeys(("q", "k", "v"), (1, 12, 128, 64))
    ),
    "attention_12x197x64": attention(12, 197, 64),
    "attention_12x384x64": attention(12, 384, 64),
    "attention_12x1024x64": attention(12, 1024, 64),
    "attention_12x1024x64_causal": attention(12, 1024, 64, causal=True),
    "attention_32x2048x128_shared": attention(32, 2048, 128, shared=8, causal=True),
    "attention_12x1of1024x64": attention(12, 1024, 64, queries=1),
}

MODELS = tuple(name for name, network in NETWORKS.items() if network.is_model)
OPERATORS = tuple(name for name, network in NETWORKS.items() if not network.is_model)
ATTENTIONS = tuple(name for name in OPERATORS if name.startswith("attention"))
