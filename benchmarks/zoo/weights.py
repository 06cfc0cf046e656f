"""Random weights that keep the scale of activations, like those of a trained network."""

from __future__ import annotations

import torch
from torch import Tensor, nn

_CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.ConvTranspose2d)


def initialize(module: nn.Module, arguments: tuple[Tensor, ...]) -> None:
    """Draw weights by fan-in, and calibrate batch normalizations on the given inputs."""
    followed = [*module.modules()]
    for part, after in zip(followed, [*followed[1:], None], strict=True):
        if isinstance(part, nn.Linear | nn.Conv1d | nn.Conv2d):
            gain = "relu" if isinstance(after, nn.ReLU) else "linear"
            nn.init.kaiming_normal_(part.weight, nonlinearity=gain)
        if isinstance(part, nn.ConvTranspose2d):
            # Kernel 2 at stride 2: each result sums only over the channels.
            nn.init.normal_(part.weight, std=part.in_channels**-0.5)
        if isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, std=part.embedding_dim**-0.5)
        if hasattr(part, "weight") and not isinstance(
            part, (nn.Linear, nn.Embedding, *_CONVOLUTIONS)
        ):
            nn.init.uniform_(part.weight, 0.8, 1.2)
        if isinstance(getattr(part, "bias", None), Tensor):
            nn.init.uniform_(part.bias, -0.1, 0.1)
    for part in module.modules():
        if hasattr(part, "branch_scale"):
            nn.init.uniform_(part.branch.weight, 0.8 * part.branch_scale, 1.2 * part.branch_scale)
    calibrate(module, arguments)


def calibrate(module: nn.Module, arguments: tuple[Tensor, ...]) -> None:
    """Set batch normalizations to divide by the root mean square of their inputs in one call.

    Subtracting the means too would make every layer amplify differences, including rounding.
    """
    norms = [part for part in module.modules() if isinstance(part, nn.BatchNorm2d)]
    if not norms:
        return
    for norm in norms:
        norm.momentum = 1.0
    with torch.no_grad():
        module.train()(*arguments)
        for norm in norms:
            norm.running_var += norm.running_mean.square()
            norm.running_mean *= 0.1
