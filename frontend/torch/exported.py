"""Convert torch models to ONNX with torch's own exporter; torch is imported only for a torch model.

Torch objects are recognized by the package of their class, so other models do not need torch.  A
`torch.onnx.ONNXProgram` contains an ONNX model, a `torch.export.ExportedProgram` is converted to
such a program, and a `torch.nn.Module` is first traced with example inputs.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from ...support.diagnostics import ModelError

Program: TypeAlias = Any
"""A torch.export.ExportedProgram, a torch.onnx.ONNXProgram or a torch.nn.Module."""

Examples: TypeAlias = "Sequence[object] | Mapping[str, object]"
"""Example inputs of a torch module, in order or by argument name."""

_LOGGERS = ("torch.export", "torch.onnx")
"""The names of the loggers of torch's exporter."""

EXAMPLE = "tilewright.compile(model.eval(), inputs=(x,))"


def without_torch(model: Any, inputs: Examples | None, dynamic_shapes: object | None = None) -> Any:
    """Convert a torch program to an onnx.ModelProto; return any other model unchanged.

    inputs: example inputs of a torch.nn.Module; None for all other models.  dynamic_shapes: the
    dynamic sizes of these inputs, in the form that torch.export takes.
    Errors: ModelError for a module without inputs or in training mode, for any other torch object,
    and if a package that the exporter needs is missing.
    """
    bases = type(model).__mro__
    is_of_torch = any(base.__module__.partition(".")[0] == "torch" for base in bases)
    names = {base.__name__ for base in bases} if is_of_torch else set[str]()
    if "ScriptModule" in names:
        raise ModelError(
            "a torch.jit.ScriptModule cannot be exported",
            expected="the torch.nn.Module that it was scripted or traced from",
            got=type(model).__name__,
            hint=EXAMPLE,
        )
    if "Module" in names:
        return _converted(_traced(model, inputs, dynamic_shapes), dynamic_shapes).model_proto
    if inputs is not None:
        raise ModelError("only a torch.nn.Module takes example inputs", got=type(model).__name__)
    if dynamic_shapes is not None:
        raise ModelError(
            "only a torch.nn.Module with example inputs takes dynamic_shapes",
            got=type(model).__name__,
            hint="pass dynamic_shapes to torch.export.export",
        )
    if not is_of_torch:
        return model
    if "ExportedProgram" in names:
        model = _converted(model)
    elif "ONNXProgram" not in names:
        raise ModelError(
            "an object of torch is neither a module nor a program",
            expected="a torch.nn.Module, torch.export.ExportedProgram or torch.onnx.ONNXProgram",
            got=type(model).__name__,
        )
    return model.model_proto


def read_program(file: str | BinaryIO) -> Any:
    """Convert a file of torch.export.save to an onnx.ModelProto.

    Errors: ModelError if torch is missing, cannot read the file, or cannot convert the program.
    """
    if find_spec("torch") is None:
        raise ModelError(
            "a program of torch.export.save is read by torch, which is missing",
            hint="pip install 'tilewright[torch]'",
        )
    try:
        with _quiet():
            program = import_module("torch").export.load(file)
    except Exception as err:  # torch's exceptions have no common class
        raise ModelError(
            "torch cannot read the exported program",
            expected="a file of torch.export.save of the same version of torch",
            got=f"{type(err).__name__}: {_first_line(err)}",
        ) from err
    return _converted(program).model_proto


@contextmanager
def _quiet() -> Generator[None]:
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            # A Dim of several inputs gives them one name, as it should.
            warnings.filterwarnings("ignore", "# The axis name: ", UserWarning)
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _converted(program: Any, dynamic_shapes: object | None = None) -> Any:
    """Convert a torch.export.ExportedProgram to a torch.onnx.ONNXProgram.

    dynamic_shapes: the dynamic sizes of the inputs, as for torch.export; the ONNX model gets the
    names of their `torch.export.Dim`s.
    """
    if find_spec("onnxscript") is None:
        raise ModelError(
            "torch exports to ONNX with the package onnxscript, which is missing",
            hint="pip install 'tilewright[torch]'",
        )
    torch = import_module("torch")
    try:
        with _quiet(), torch.no_grad():
            return torch.onnx.export(
                program, dynamo=True, dynamic_shapes=dynamic_shapes, verbose=False
            )
    except Exception as err:  # torch's exceptions have no common class
        cause: BaseException = err
        while cause.__cause__ is not None:
            cause = cause.__cause__
        raise ModelError(
            "torch cannot convert the program to ONNX",
            got=f"{type(cause).__name__}: {_first_line(cause)}{_node_line(program, err)}",
            hint='use torch.compile(model, backend="tilewright"), which needs no ONNX',
        ) from err


def _node_line(program: Any, error: BaseException | None) -> str:
    """Return ``, file …, line …`` of the user code that an error of torch is about, or "".

    The error names a node of the decomposed program; the name may lack a prefix.
    """
    nodes = {node.name: node.meta.get("stack_trace") or "" for node in program.graph.nodes}
    while error is not None:
        for name in re.findall(r"node %(\w+)", str(error)):
            for own, trace in nodes.items():
                if own.endswith(name):
                    return _last_line(trace)
        error = error.__cause__
    return ""


def _last_line(trace: str) -> str:
    """Return ``, file …, line …`` of the innermost call outside of torch in a trace, or ""."""
    folder = str(Path(import_module("torch").__file__ or "").parent)
    found = re.findall(r'File "([^"]+)", line (\d+)', trace)
    own = [(file, line) for file, line in found if not file.startswith(folder)]
    return f", file {own[-1][0]!r}, line {own[-1][1]}" if own else ""


def _traced(module: Any, inputs: Examples | None, dynamic_shapes: object | None) -> Any:
    if inputs is None:
        raise ModelError(
            "a torch.nn.Module needs example inputs", got=type(module).__name__, hint=EXAMPLE
        )
    if module.training:
        raise ModelError(
            "the torch.nn.Module is in training mode",
            expected="a module for inference",
            got=type(module).__name__,
            hint=EXAMPLE,
        )
    torch = import_module("torch")
    ordered, named = ((), dict(inputs)) if isinstance(inputs, Mapping) else (tuple(inputs), {})
    try:
        with torch.no_grad():  # or autograd refuses examples of inference mode
            return torch.export.export(module, ordered, named, dynamic_shapes=dynamic_shapes)
    except Exception as err:  # torch's exceptions have no common class
        raise ModelError(
            "torch cannot export the module with these example inputs",
            expected=f"example inputs of forward{_signature(module)}",
            got=f"{type(err).__name__}: {_first_line(err)}{_last_line(str(err))}",
            hint=EXAMPLE,
        ) from err


def _signature(module: Any) -> str:
    try:
        return str(signature(module.forward))
    except (TypeError, ValueError):
        return "(…)"


def _first_line(error: BaseException) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), "")
