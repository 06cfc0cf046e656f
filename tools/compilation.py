"""Compilation for commands, which bind dynamic sizes and values by options and input files."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import click

from .. import compile as compile_model
from ..driver.progress import StageProgress, Watcher
from ..driver.request import Options, request_for
from ..driver.request import Request as UncompiledRequest
from ..driver.source import ModelSource
from .options import CommandRequest, Feed, holds_ir, is_verbose
from .tensors import Array, complete_inputs, read_inputs
from .terminal import terminal

if TYPE_CHECKING:
    from ..driver.module.compiled_module import CompiledModule
    from ..runtime.module.exported import ExportedModule
    from ..runtime.module.inspection import KernelReport
    from ..runtime.module.programs import ProgramSet
    from ..runtime.rpc.module import RemoteModule
    from ..targets.backend import KernelRecord


RunnableModule: TypeAlias = "CompiledModule | ExportedModule | ProgramSet | RemoteModule"
"""A module that commands run."""


@dataclass(frozen=True)
class ReadyModel:
    """A model that is ready to run, with one array per input.

    module: the compiled or loaded model.  kernels: descriptions of its kernels.  inputs: the arrays
    of a run.  constants: the arrays of inputs that became constants of the code.  ready_s: the
    seconds that compiling or loading took.  origin: ``compiled``, ``cached`` (the code of the whole
    model came from the cache) or ``loaded`` (from an exported file).
    """

    module: RunnableModule
    kernels: Sequence[KernelRecord | KernelReport]
    inputs: Mapping[str, Array]
    constants: Mapping[str, Array]
    ready_s: float
    origin: str

    @property
    def is_exported(self) -> bool:
        """Whether the model is an exported file."""
        return self.origin == "loaded"

    @property
    def flops(self) -> int | None:
        """The number of scalar operations of a call; None if sizes are dynamic."""
        if any(spec.is_symbolic() for spec in self.module.inputs):
            return None
        return sum(kernel.flops * kernel.calls for kernel in self.kernels)

    def times(self) -> dict[str, object]:
        """Return the seconds that compiling or loading took, as fields of JSON output."""
        if self.is_exported:
            return {"load_s": self.ready_s}
        return {"compile_s": self.ready_s, "cached": self.origin == "cached"}


def compile_for_feed(request: CommandRequest, feed: Feed) -> ReadyModel:
    """Compile a model for a run on input files, and return it with the arrays of its inputs.

    request: the model and the options.  feed: the files, and the seed of all other inputs.  Sizes
    and values that the compiler needs, and no option binds, are taken from the files.

    Errors: NeedsBinding if options and files leave necessary sizes or values unbound.
    """
    start_s = time.perf_counter()
    with shown_progress(request.model.name) as watcher:
        module = _compile(request, {}, {}, watcher)
        given = read_inputs([spec.name for spec in module.inputs], feed.files)
        module = _bound(module, request, given, watcher)
    compile_s = time.perf_counter() - start_s
    names = [spec.name for spec in module.inputs]
    inputs = complete_inputs(
        module.inputs, {name: given[name] for name in names if name in given}, seed=feed.seed
    )
    constants = {name: array for name, array in given.items() if name not in names}
    is_cached = "load" in module.times and "import" not in module.times
    origin = "cached" if is_cached else "compiled"
    return ReadyModel(module, module.kernels, inputs, constants, compile_s, origin)


def compile_request(request: CommandRequest) -> CompiledModule:
    """Compile a model for the sizes that options bind, and for all values of the other sizes.

    Errors: NeedsBinding if the model needs sizes or values that are unbound.
    """
    with shown_progress(request.model.name) as watcher:
        module = _compile(request, {}, {}, watcher)
    if (unbound := module.unbound()) is not None:
        raise unbound
    return module


def _bound(
    module: CompiledModule, request: CommandRequest, given: Mapping[str, Array], watcher: Watcher
) -> CompiledModule:
    """Compile a model again, with sizes and values of input files, until it needs no more of them.

    module: the model as compiled with the options alone.  given: the arrays of the files, by input.
    watcher: is called with the progress.  Returns the last module.  There may be several rounds,
    because a bound size or value may make another one necessary.

    Errors: NeedsBinding if the files lack an input that must be bound.
    """
    shapes: dict[str, Sequence[int]] = {}
    values: dict[str, Array] = {}
    while (unbound := module.unbound()) is not None:
        new_values = {n: given[n] for n in module.value_inputs if n in given and n not in values}
        new_shapes = {
            spec.name: given[spec.name].shape
            for spec in module.inputs
            if spec.is_symbolic() and spec.name in given and spec.name not in {*shapes, *new_values}
        }
        if not new_values and not new_shapes:
            raise unbound
        shapes, values = shapes | new_shapes, values | new_values
        for name in values:
            shapes.pop(name, None)
        module = _compile(request, shapes, values, watcher)
    return module


def _compile(
    request: CommandRequest,
    shapes: Mapping[str, Sequence[int]],
    values: Mapping[str, Array],
    watcher: Watcher,
) -> CompiledModule:
    if holds_ir(request.model):
        from ..driver.compile_module import compile_module  # imports all of the compiler

        refuse_sizes(request)
        return compile_module(request.model, **options_of(request, watcher))
    return compile_model(
        str(request.model),
        shapes={**shapes, **request.shapes} or None,
        values={**values, **request.values} or None,
        state=request.state or None,
        capacity=request.capacity or None,
        **options_of(request, watcher),
    )


def options_of(request: CommandRequest, watcher: Watcher) -> Options:
    """Return the options of `compile` for a request, except sizes and values.

    watcher: is called with the progress.
    """
    return Options(
        target=request.target,
        precision=request.precision,
        threads=request.threads,
        cache=request.cache,
        progress=watcher,
        plan=request.plan,
        strict_plan=request.strict_plan,
        unchecked_indices=request.unchecked_indices,
    )


def uncompiled_request(request: CommandRequest, watcher: Watcher) -> UncompiledRequest:
    """Return the driver's request to compile a model or a file of IR, without compiling it.

    watcher: is called with the progress.
    """
    options = options_of(request, watcher) | Options(cache=False)
    if holds_ir(request.model):
        from ..driver.compile_module import own_source  # imports all of the compiler

        refuse_sizes(request)
        return request_for(own_source(request.model), **options)
    from ..driver.decoder_states import StateOptions  # imports all of the compiler

    source = ModelSource(str(request.model))
    states = StateOptions(request.state, request.capacity)
    return states.applied(request_for(source, values=request.values, **options), request.shapes)


def refuse_sizes(request: CommandRequest) -> None:
    """Raise an error if a request for a file of IR has --shapes, --values, --state or --capacity.

    The IR has its own sizes and states, which options cannot change.
    Errors: UsageError if such an option is present.
    """
    given = {
        "--shapes": request.shapes,
        "--values": request.values,
        "--state": request.state,
        "--capacity": request.capacity,
    }
    if names := [name for name, value in given.items() if value]:
        raise click.UsageError(
            f"{' and '.join(names)} cannot change {request.model}: its text has sizes and states.\n"
            "    hint: set them where the text is made: tw compile model.onnx --shapes … --to te"
        )


@contextlib.contextmanager
def shown_progress(name: str) -> Generator[Watcher]:
    """Show the progress of a compilation on a terminal while the ``with`` block runs.

    Nothing is shown if the log already shows progress.  Yields the watcher to pass to the compiler.
    name: the name of the model, for the display.
    """
    console = terminal(stderr=True)
    if not console.is_terminal or is_verbose():
        yield lambda _step: None
        return
    with console.status(f"compiling {name}") as status:
        yield lambda step: status.update(f"compiling {name}: {step_text(step)}")


def step_text(step: StageProgress) -> str:
    """Return the text of the progress display for a step of the compilation."""
    if not step.kernels:
        return step.stage
    done = f"{min(step.done, step.kernels)} of " if step.done else ""
    return f"{step.stage}, {done}{step.kernels} kernels"
