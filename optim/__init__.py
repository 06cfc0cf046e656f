"""Optimizers and schedules as parts of traced functions: ``from tilewright import optim``.

adam = optim.adam(optim.cosine(1e-3, steps=1000))
state = adam.init(params)                           # arrays of zeros, before the first step
params, state = adam.update(params, gradients, state)    # in a traced function
"""

from __future__ import annotations

from .clip import clip_norm, clip_value
from .optimizers import Optimizer, adam, adamw, sgd
from .schedules import Rate, cosine, exponential, linear

__all__ = [
    "Optimizer", "Rate", "adam", "adamw", "clip_norm", "clip_value", "cosine", "exponential",
    "linear", "sgd",
]  # fmt: skip
