"""Test programs as plain data: an ONNX model with inputs, or printed IR of our dialects.

program.save(path) -> file          a model as FILE.onnx and FILE.npz, printed IR as FILE.mlir
load_program(file)                  draws inputs that no file holds
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ...driver.backends import backend_of
from ...driver.passes.check import validate_pipeline
from ...driver.passes.pipeline import first_stage, run_pipeline
from ...frontend.onnx.file.proto import load
from ...frontend.onnx.importer import import_model
from ...interp.program import interpret, random_inputs
from ...machines.target import Target
from ...support.registry import new_context
from ..pass_case import call_inputs, parsed, read_ir
from . import gradients
from .checks import Arrays, CheckOutcome, check_plans, check_run, failed, first_failure, guarded
from .dynamic_sizes import check_sizes
from .references import Feeds, difference, integer_difference, model_difference
from .runs import run_of_model, run_of_text

MODES = ("plan", "run", "calls", "sizes", "gradient")
_INTEGERS = ".integers"


@dataclass(frozen=True)
class OnnxProgram:
    """An ONNX model, and its inputs by name.

    data: the bytes of the model.  feeds: the inputs.
    integers: the integer form of a quantized model (pairs.py), whose results in onnxruntime must be
    equal bit by bit; empty for other models.
    """

    data: bytes
    feeds: Feeds = field(default_factory=dict[str, Any])
    integers: bytes = b""

    def check(self, mode: str, targets: Sequence[str]) -> CheckOutcome:
        """Check the model in a mode of ``tw fuzz``, one of `MODES`; return the outcome.

        targets: the targets to check for; without targets, check for this machine.
        """
        if mode == "plan":
            return check_plans(self._lowered, targets)
        if mode == "gradient":
            return guarded(lambda: gradients.check_model(self.data, self.feeds))
        if mode == "calls":
            return first_failure(targets, self._check_calls)
        return first_failure(targets, self._check_sizes if mode == "sizes" else self._check_run)

    def _check_sizes(self, target: str | None) -> CheckOutcome:
        return guarded(lambda: check_sizes(self.data, self.feeds, target))

    def _check_calls(self, target: str | None) -> CheckOutcome:
        return guarded(lambda: run_of_model(self.data, self.feeds, target).check_calls())

    def _check_run(self, target: str | None) -> CheckOutcome:
        run = run_of_model(self.data, self.feeds, target)
        return check_run(run.results, self._difference, run.threads)

    def _difference(self, results: Arrays) -> str:
        if self.integers:
            return integer_difference(self.integers, self.feeds, results)
        return model_difference(self.data, self.feeds, results)

    def _lowered(self, target: Target) -> ModuleOp:
        module = import_model(load(self.data))
        run_pipeline(module, new_context(), target, to="loop")
        return module

    def save(self, path: Path) -> Path:
        """Write the model, and its inputs next to it; return the file of the model.

        path: the path of the file without the suffix of its format.
        """
        file = path.with_suffix(".onnx")
        file.write_bytes(self.data)
        # numpy files hold only numpy's own types.
        arrays = {name: x for name, x in self.feeds.items() if x.dtype.kind != "V"}
        np.savez(path.with_suffix(".npz"), **arrays)  # pyright: ignore[reportArgumentType]
        if self.integers:
            file.with_suffix(_INTEGERS).write_bytes(self.integers)
        return file


@dataclass(frozen=True)
class IrProgram:
    """A random program as printed IR, at any level.

    weights: the arrays to which the text refers by key.
    """

    text: str
    weights: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def check(self, mode: str, targets: Sequence[str]) -> CheckOutcome:
        """Check the module in a mode of ``tw fuzz``, one of `MODES`; return the outcome.

        Mode ``plan`` also interprets the module after every pass.
        targets: the targets to check for; without targets, check for this machine.
        """
        if mode == "sizes":
            return CheckOutcome("unsupported", "only models get symbolic sizes", "no model")
        if mode == "plan":
            return check_plans(self._lowered, targets)
        if mode == "gradient":
            return guarded(lambda: gradients.check_text(self.text))
        if mode == "calls":
            return first_failure(targets, self._check_calls)
        return first_failure(targets, self._check_run)

    def _check_calls(self, target: str | None) -> CheckOutcome:
        return guarded(lambda: run_of_text(self.text, (), target).check_calls())

    def _check_run(self, target: str | None) -> CheckOutcome:
        program = self.parsed()
        inputs = call_inputs(program)
        expected = interpret(program, inputs)
        run = run_of_text(self.text, inputs, target)
        return check_run(
            run.results,
            lambda results: difference(results, expected, "the interpreter"),
            run.threads,
        )

    def parsed(self) -> ModuleOp:
        """Parse and verify the text; return the module."""
        return parsed(self.text)

    def _lowered(self, target: Target) -> ModuleOp:
        module = self.parsed()
        inputs, start = call_inputs(module), first_stage(module, backend_of(target))
        validate_pipeline(module, target, inputs, start=start, to="loop")
        return module

    def save(self, path: Path) -> Path:
        """Write the printed IR to a file; return the file.

        path: the path of the file without the suffix of its format.
        """
        file = path.with_suffix(".mlir")
        file.write_text(self.text)
        return file


FuzzProgram: TypeAlias = OnnxProgram | IrProgram
"""A program that can be checked and saved."""


def load_program(file: Path) -> FuzzProgram:
    """Return the program in a file that `save` wrote, or in any other file of ONNX or IR.

    Inputs that no file contains are random.
    """
    if file.suffix != ".onnx":
        return IrProgram(*read_ir(file))
    data, known = file.read_bytes(), file.with_suffix(".npz")
    feeds = feeds_for(data, dict(np.load(known)) if known.exists() else {})
    integers = file.with_suffix(_INTEGERS)
    return OnnxProgram(data, feeds, integers.read_bytes() if integers.exists() else b"")


def check_file(path: str, mode: str, targets: Sequence[str]) -> CheckOutcome:
    """Check the program in a file; return the outcome.

    mode: a mode of ``tw fuzz``, one of `MODES`.  targets: the targets to check for;
    without targets, check for this machine.
    A file that cannot be read as a program, or interpreted, is a failure.
    """
    try:
        return load_program(Path(path)).check(mode, targets)
    # The boundary of a worker: any exception is the outcome.
    except Exception as err:
        return failed("plan-error" if mode == "plan" else "run-error", err)


def feeds_for(data: bytes, known: Feeds) -> Feeds:
    """Return inputs for a model: arrays in ``known`` that fit, and random arrays for the others.

    data: the model.
    Errors: any error of the import.
    """
    module = import_model(load(data))
    main = next(op for op in module.ops if isinstance(op, FuncOp))
    names = cast("ArrayAttr[StringAttr]", main.attributes["tw.arg_names"]).data
    feeds: dict[str, Any] = {}
    for name, array in zip(names, random_inputs(module), strict=True):
        given = known.get(name.data, array)
        is_same = (given.shape, given.dtype) == (array.shape, array.dtype)
        feeds[name.data] = given if is_same else array
    return feeds
