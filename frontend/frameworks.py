"""Convert models that are Python objects of other frameworks: torch and jax."""

from __future__ import annotations

from typing import Any

from .jax import without_jax
from .torch.exported import Examples, Program, without_torch


def plain_model(model: Any, inputs: Examples | None, dynamic_shapes: object | None = None) -> Any:
    """Convert a torch model to an onnx.ModelProto, and a jax program to StableHLO text as bytes.

    inputs, dynamic_shapes: for a torch.nn.Module, example inputs, and their sizes that are dynamic.
    Other models are returned unchanged.
    Errors: ModelError for other objects of these frameworks.
    """
    return without_jax(without_torch(model, inputs, dynamic_shapes))


__all__ = ["Program", "plain_model"]
