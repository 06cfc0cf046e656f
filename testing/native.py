"""Machine code of graph modules, compiled and run in a worker process on guarded arrays.

The arguments touch inaccessible pages, first before their start, then after their end: a read or
write out of bounds ends the worker.  Outputs are filled with garbage first; inputs must be
unchanged after the run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from ..dialects.weights import load_weights, save_weights
from ..driver.compilation import artifact_of
from ..driver.compile_module import compile_module
from ..driver.module.compiled_module import CompiledModule
from ..driver.request import OwnModule, request_for
from ..machines.target import Target, missing_features
from ..runtime.abi.ndarray import numpy_dtype
from ..support.registry import new_context
from .guard import guarded, guarded_empty
from .worker import WorkerProcess

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Dialects: TypeAlias = Mapping[str, str]

GARBAGE = 0xA5


class Native:
    """A worker process that compiles and runs modules; a context manager."""

    def __init__(self) -> None:
        self._worker = WorkerProcess()
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Native:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()
        self._folder.cleanup()

    def __call__(
        self,
        module: ModuleOp,
        arrays: tuple[Array, ...],
        target: str,
        dialects: Dialects | None = None,
    ) -> list[list[Array]]:
        """Run a module twice, with the arrays after and before an inaccessible page.

        Return the results of both runs, a list per run. If this machine cannot run the target's
        code, only compile the module and return [].
        dialects: dialects of other packages that the module needs, as ``{"name":
        "module:ATTRIBUTE"}``.
        """
        weights = Path(self._folder.name) / "weights"
        weights.unlink(missing_ok=True)  # it may be memory-mapped
        save_weights(module, weights)
        given = (str(module), str(weights), target, dict(dialects or {}))
        if not missing_features(Target(target)):
            return self._worker.call(f"{__name__}:run", *given, arrays)
        self._worker.call(f"{__name__}:build", *given)
        return []


def build(text: str, weights: str, target: str, dialects: Dialects) -> None:
    """Compile a printed module of graph ops without running it.

    text: the module.  weights: the file of its constants.
    dialects: dialects of other packages that the module needs, as ``{"name": "module:ATTRIBUTE"}``.
    """
    with _parsed(text, weights, dialects) as module:
        artifact_of(request_for(OwnModule(module), target=target))


def run(
    text: str, weights: str, target: str, dialects: Dialects, arrays: tuple[Array, ...]
) -> list[list[Array]]:
    """Compile a printed module of graph ops and run it twice; return the results of both runs.

    In the first run, arrays start after an inaccessible page; in the second, they end before one.
    arrays: the inputs.  text, weights, target, dialects: see `build`.
    """
    with _parsed(text, weights, dialects) as module:
        compiled = compile_module(module, target=target)
    return [_run(compiled, arrays, at_start=at_start) for at_start in (True, False)]


@contextmanager
def _parsed(text: str, weights: str, dialects: Dialects) -> Generator[ModuleOp]:
    alive = load_weights(weights)  # the module refers to the weights by key
    yield Parser(new_context(dialects), text).parse_module()
    del alive


def _run(compiled: CompiledModule, arrays: tuple[Array, ...], *, at_start: bool) -> list[Array]:
    inputs = [guarded(array, at_start=at_start) for array in arrays]
    outputs = [
        guarded_empty(spec.sizes(), numpy_dtype(spec.dtype), at_start=at_start)
        for spec in compiled.manifest.filled
    ]
    for out in outputs:
        out.reshape(-1).view(np.uint8)[...] = GARBAGE
    compiled(*inputs, *outputs)
    for given, array in zip(inputs, arrays, strict=True):
        # As bytes: numpy compares NaN as unequal in types that are not its own.
        assert given.tobytes() == array.tobytes(), "an input was written"
    return [np.array(out) for out in compiled.valid_parts(outputs)]
