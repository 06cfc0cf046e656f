"""Tasks of whole models, for the space "graph": a model file and the options of its compilation.

In: a model, and the options of `compile`.  Out: a `Task` whose kernel is a JSON object with the
path of the model and the options, so that a worker process can compile the model.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

import numpy as np

from ..analysis.entry import has_dynamic_inputs
from ..driver.given import DEFAULT_PLAN, check_sizes
from ..driver.model_import import imported
from ..driver.passes.graph_plans import context_text, graph_digest, parse_context
from ..driver.passes.pass_context import DEFAULT, PassContext
from ..driver.request import ModelOptions, request_for
from ..driver.source import ModelSource
from ..frontend.model_file import is_source
from ..frontend.te.tensor import Tensor
from ..machines.target import Target
from ..runtime.errors import ArgumentError
from ..support.diagnostics import NeedsBinding
from ..support.tuning_records import GRAPH_SPACE, Record
from .shares import Model
from .task import Task


@contextmanager
def model_file(model: Model) -> Generator[str]:
    """Return the path of a model for a ``with`` block; a model in memory gets a temporary file.

    A reader of the file recognizes its format by its contents.

    Errors: ArgumentError for tensor expressions, which have no graph.
    """
    if isinstance(model, str) and is_source(model):
        model = model.encode()
    if isinstance(model, str | PathLike):
        yield str(Path(model).resolve())
        return
    if isinstance(model, Tensor | list | tuple):
        raise ArgumentError(
            "tune: tensor expressions have no graph to tune",
            expected="a model, such as an ONNX file",
            got=type(model).__name__,
            hint='leave out space="graph"',
        )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
        yield str(path)


def has_graph_plans(records: Iterable[Record], target: Target) -> bool:
    """Return whether records contain options of passes that were tuned for a target."""
    return any(r.space == GRAPH_SPACE and r.target == str(target) for r in records)


def graph_task(model: str, **options: Unpack[ModelOptions]) -> Task:
    """Return the task of a whole model.

    model: the path of its file.  options: see `compile`.  The kernel of the task is a JSON object
    with the path and the options; the digest is that of the imported module.

    Errors: see `compile`.
    """
    request = request_for(ModelSource(model), **options)
    given = {
        "model": model,
        "context": context_text(PassContext.current()),
        "precision": options.get("precision", "default"),
        "plan": str(options.get("plan", DEFAULT_PLAN)),
        "shapes": {**(options.get("shapes") or {})},
        "values": {k: np.asarray(v).tolist() for k, v in (options.get("values") or {}).items()},
    }
    check_sizes(shapes=options.get("shapes"), values=options.get("values"), specialize=None)
    module = imported(request).module
    if has_dynamic_inputs(module):
        raise NeedsBinding(
            "a model with symbolic sizes cannot be timed as a whole",
            expected="every size bound",
            hint="bind the sizes: shapes=, or --shapes",
        )
    target = str(request.settings.target)
    digest, plan = graph_digest(module, request.settings.precision), context_text(DEFAULT)
    return Task(Path(model).name, digest, json.dumps(given), plan, target, is_model=True)


def context_of_task(text: str) -> PassContext:
    """Return the PassContext in which the task of a model was made; see `model_of`."""
    return parse_context(json.loads(text)["context"], "the task of a model")


def model_of(text: str, target: str) -> tuple[str, ModelOptions]:
    """Return the file of the model of a task, and the options of its compilation.

    text: the kernel of the task.  target: the target text.
    """
    given: Mapping[str, Any] = json.loads(text)
    names = ("precision", "plan", "shapes", "values")
    return given["model"], ModelOptions(target=target, **{name: given[name] for name in names})
