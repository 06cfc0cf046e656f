"""The networks of device bundles: networks of benchmarks/zoo with weights that compress well.

In: the name of a network, its element type and its batch. Out: a torch module with inputs, and its
results in f32. A weight is a sign times a number that differs from weight to weight, and weights of
one shape share a few patterns of signs, so a bundle holds one bit per weight of a pattern. Batch
normalizations scale all channels alike, so folding them keeps this form.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "benchmarks"))

from zoo.networks import NETWORKS
from zoo.weights import calibrate

from .cases import NetworkCase

TORCH_TYPES = {"f32": torch.float32, "tf32": torch.float32, "f16": torch.float16}
PATTERNS = 4
"""The patterns of signs that weights of one shape share."""
LARGE_ELEMENTS = 4096


def module_of(case: NetworkCase) -> nn.Module:
    """Return the network of a case in its element type."""
    network = NETWORKS[case.network]
    module = network.build()
    set_signs(module)
    calibrate(module, tuple(network.arguments().values()))
    even_channels(module)
    return module.to(TORCH_TYPES[case.dtype]).eval()


def inputs_of(case: NetworkCase) -> tuple[Tensor, ...]:
    """Return inputs in the element type of a case."""
    dtype = TORCH_TYPES[case.dtype]
    found = NETWORKS[case.network].arguments()
    batches = (torch.cat([x] * case.batch) for x in found.values())
    return tuple(x.to(dtype) if x.is_floating_point() else x for x in batches)


def results_of(module: nn.Module) -> Callable[..., Sequence[Tensor]]:
    """Return a function that computes the results of a network in f32."""
    wide = copy.deepcopy(module).float()

    def results(*inputs: np.ndarray) -> Sequence[Tensor]:
        with torch.no_grad():
            made = wide(*map(torch.from_numpy, inputs))
        return made if isinstance(made, tuple) else (made,)

    return results


def set_signs(module: nn.Module) -> None:
    """Replace each large weight by signs times its own scale."""
    counts: Counter[tuple[int, ...]] = Counter()
    with torch.no_grad():
        for number, weight in enumerate(module.parameters()):
            if weight.numel() < LARGE_ELEMENTS:
                continue
            shape = tuple(weight.shape)
            draws = torch.Generator().manual_seed(counts[shape] % PATTERNS)
            counts[shape] += 1
            signs = torch.randint(2, shape, generator=draws) * 2 - 1
            scale = weight.square().mean().sqrt() * (1 + number / 1024)
            weight.copy_(signs * scale.half().float())


def even_channels(module: nn.Module) -> None:
    """Let each batch normalization scale all channels by the mean scale."""
    with torch.no_grad():
        for norm in module.modules():
            if isinstance(norm, nn.BatchNorm2d):
                norm.weight.fill_(norm.weight.mean())
                norm.running_var.fill_(norm.running_var.mean())
