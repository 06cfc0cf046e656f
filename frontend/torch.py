"""Models of torch as ONNX models, by torch's own exporter; torch is never imported before.

Programs are recognized by the package of their class, so that whoever has none of them needs no
torch: a `torch.onnx.ONNXProgram` holds a model, a `torch.export.ExportedProgram` is exported.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from ..support.diagnostics import ModelError

Program: TypeAlias = Any
"""A torch.export.ExportedProgram or a torch.onnx.ONNXProgram."""

EXPORT = "program = torch.export.export(model.eval(), (x,)); tilewright.compile(program)"


def is_of_torch(model: object) -> bool:
    """Tell whether a class of an object, or one that it is derived from, is of torch."""
    return any(base.__module__.partition(".")[0] == "torch" for base in type(model).__mro__)


def exported(model: Program) -> Any:
    """Return the onnx.ModelProto of a program of torch.

    Errors: ModelError for another object of torch, such as a module, which has no inputs yet, and
    where the exporter's package is missing.
    """
    names = {base.__name__ for base in type(model).__mro__}
    if "ExportedProgram" in names:
        if find_spec("onnxscript") is None:
            raise ModelError(
                "torch exports to ONNX with the package onnxscript, which is missing",
                hint="pip install 'tilewright[torch]'",
            )
        model = import_module("torch").onnx.export(model, dynamo=True, verbose=False)
    elif "ONNXProgram" not in names:
        raise ModelError(
            "an object of torch is no program yet",
            expected="a torch.export.ExportedProgram or a torch.onnx.ONNXProgram",
            got=type(model).__name__,
            hint=EXPORT,
        )
    return model.model_proto
