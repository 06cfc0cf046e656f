"""Extract StableHLO text from objects of jax, without importing jax.

A `jax.export.Exported` and a `jax.stages.Lowered` hold a StableHLO module.
"""

from __future__ import annotations

from typing import Any

from ..support.diagnostics import ModelError

EXAMPLE = "tilewright.compile(jax.export.export(jax.jit(f))(x))"


def without_jax(model: Any) -> Any:
    """Convert a jax program to StableHLO text, as bytes; return any other model unchanged.

    Errors: ModelError for an object of jax that is no program.
    """
    kind = type(model)
    if kind.__module__.partition(".")[0] not in ("jax", "jaxlib"):
        return model
    if hasattr(model, "mlir_module"):
        return model.mlir_module().encode()
    if hasattr(model, "as_text") and hasattr(model, "compile"):
        return model.as_text(dialect="stablehlo").encode()
    raise ModelError(
        "an object of jax is no program",
        expected="a jax.export.Exported or a jax.stages.Lowered",
        got=kind.__name__,
        hint=EXAMPLE,
    )
