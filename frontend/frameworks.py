"""Models of other frameworks in Python: torch modules and programs, and programs of jax."""

from __future__ import annotations

from typing import Any

from .jax import without_jax
from .torch.exported import Examples, Program, without_torch


def plain_model(model: Any, inputs: Examples | None, dynamic_shapes: object | None = None) -> Any:
    """Convert a model of torch to an onnx.ModelProto, and one of jax to its text as bytes.

    inputs, dynamic_shapes: example inputs of a torch.nn.Module, and which of their sizes vary.
    Other models are returned unchanged.
    Errors: ModelError for other objects of these frameworks.
    """
    return without_jax(without_torch(model, inputs, dynamic_shapes))


__all__ = ["Program", "plain_model"]
