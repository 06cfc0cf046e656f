"""Convert models that are Python objects of other frameworks: torch and jax."""

from __future__ import annotations

from typing import Any

from .jax import without_jax
from .torch.exported import Examples, Program, without_torch


def plain_model(model: Any, inputs: Examples | None, dynamic_shapes: object | None = None) -> Any:
    """Convert a torch model to an onnx.ModelProto, and a jax program to StableHLO text as bytes.

    A model of neither framework is returned unchanged.
    inputs: example inputs of a torch.nn.Module.  dynamic_shapes: the dynamic sizes of these inputs,
    in the form that torch.export takes.
    Errors: ModelError for an object of torch or jax that is no model.
    """
    return without_jax(without_torch(model, inputs, dynamic_shapes))


__all__ = ["Program", "plain_model"]
