"""The model that a command runs: compiled from a model or IR, or loaded from an exported file.

In: the options and files of a command. Out: a `ReadyModel`. Commands that run MODEL get it from
`ready_model`, so the options for sizes and inputs are the same for both kinds of files; options of
the compiler are errors for an exported file, which is compiled already.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from ..driver.declared import declared_inputs
from ..driver.given import DEFAULT_PLAN
from ..frontend.onnx.file.definitions import ValueDef
from ..frontend.onnx.input_values import array_of
from ..runtime.abi.ndarray import numpy_dtype
from ..runtime.file.manifest import TensorSpec
from ..runtime.module.exported import load_module
from ..runtime.module.inspection import inspect_file, is_exported
from ..support.diagnostics import TilewrightError
from ..support.precision import Precision
from .compilation import ReadyModel, RunnableModule, compile_for_feed, compile_request
from .options import CommandRequest, Feed, holds_ir
from .tensors import Array, complete_inputs, read_inputs

_LOG = logging.getLogger(__name__)


def ready_model(
    request: CommandRequest, feed: Feed, load: Callable[[Path], RunnableModule] | None = None
) -> ReadyModel:
    """Compile the model or IR of a request, or load it if the file is an exported module.

    Return it with an array for each input.  feed: the files of inputs, and the seed of all others.
    load: loads an exported module; by default into this process.

    Errors: NeedsBinding if options and files leave necessary sizes or values unbound; UsageError
    for options that do not apply to the file; LoadError for a file that cannot be loaded.
    """
    is_model = not (is_exported(request.model) or holds_ir(request.model))
    ready = compile_for_feed(request, feed) if is_model else _load_for_feed(request, feed, load)
    most = ready.module.manifest.max_threads
    if request.threads is not None and request.threads > most:
        _LOG.warning("--threads %s: the code runs on at most %s here", request.threads, most)
    return ready


def refuse_options(file: Path, options: Mapping[str, object]) -> None:
    """Raise an error for options of the compiler that are used with an exported file.

    options: the values of options by name; a false value means that the option is absent.
    Errors: UsageError if an option is present.
    """
    if given := [name for name, value in options.items() if value]:
        raise click.UsageError(
            f"{' and '.join(given)} cannot change {file}, which is compiled already.\n"
            "    hint: pass the ONNX model, or give the options to tw compile -o"
        )


def compiler_options(request: CommandRequest) -> dict[str, object]:
    """Return the compiler's options of a request by name; false values stand for defaults."""
    return {
        "--target": request.target,
        "--precision": request.precision != Precision.DEFAULT,
        "--plan": request.plan != DEFAULT_PLAN,
        "--strict-plan": request.strict_plan,
        "--unchecked-indices": request.unchecked_indices,
        "--state": request.state,
        "--capacity": request.capacity,
    }


def _load_for_feed(
    request: CommandRequest, feed: Feed, load: Callable[[Path], RunnableModule] | None
) -> ReadyModel:
    start_s = time.perf_counter()
    if holds_ir(request.model):
        module = compile_request(replace(request, shapes={}, values={}))
        kernels, origin = module.kernels, "compiled"
    else:
        refuse_options(request.model, compiler_options(request))
        own = functools.partial(load_module, threads=request.threads)
        module = (load or own)(request.model)
        kernels, origin = inspect_file(request.model).kernels, "loaded"
    ready_s = time.perf_counter() - start_s
    given = {
        **read_inputs([spec.name for spec in module.inputs], feed.files),
        **_values(module.inputs, request.values),
    }
    specs = _bound(module.inputs, request.shapes)
    inputs = complete_inputs(specs, given, seed=feed.seed)
    return ReadyModel(module, kernels, inputs, {}, ready_s, origin)


def _bound(
    specs: Sequence[TensorSpec], shapes: Mapping[str, Sequence[int] | str]
) -> Sequence[TensorSpec]:
    """Return the inputs of an exported file with the sizes that --shapes binds.

    specs: the declared inputs.  shapes: the shape of an input, by its name, or the value of a
    symbolic size, by the name of the size.

    Errors: ModelError if the shapes contradict the inputs.
    """
    return declared_inputs([_declared(spec) for spec in specs], shapes) if shapes else specs


def _values(specs: Sequence[TensorSpec], values: Mapping[str, Sequence[float]]) -> dict[str, Array]:
    """Return the numbers of --values as arrays, by name of the input.

    specs: the inputs of the model, which determine the element types.

    Errors: TilewrightError for an unknown name, ModelError for numbers of another type.
    """
    known = {spec.name: spec for spec in specs}
    for name in values:
        if name not in known:
            raise TilewrightError(
                "unknown input", expected=", ".join(known), got=name, where="--values"
            )
    return {name: array_of(numbers, _declared(known[name])) for name, numbers in values.items()}


def _declared(spec: TensorSpec) -> ValueDef:
    return ValueDef(spec.name, numpy_dtype(spec.dtype), spec.shape)
