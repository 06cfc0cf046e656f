"""The space "graph": layouts, fusions and algorithms of a whole model, as options of its passes.

    task = graph_task("model.onnx", shapes={"batch": 1})
    space = GraphSpace(task)
    space.schedule(point)        the options of a point, as JSON: see driver/passes/graph_plans.py

In: a model file and the options of its compilation.  Out: a space whose points are options of the
passes that lower the graph.  A knob is an optional pass that changes this model and may be left
out, a limit of the fusion, or the choice of a `ChoosingPass` for equal nodes (the block of channels
of convolutions, Winograd tiles).  The first choice of each knob is what the compiler chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..driver.lowered import lower
from ..driver.model_import import imported
from ..driver.passes.graph_plans import context_text, graph_digest
from ..driver.passes.pass_context import PassContext
from ..driver.request import request_for
from ..driver.source import ModelSource
from ..support.instruments import PassInfo, PassInstrument
from ..support.passes import ChoosingPass
from ..support.tuning_records import GRAPH_SPACE
from .model_task import context_of_task, model_of
from .space import Knob, Point, Space, Value
from .task import Task

PLAN = "plan"
"""The choice of each knob that leaves a decision to the compiler."""

LEVEL = "te"
"""The level before which all knobs take effect."""

LEAST_LEVEL = 2
"""The optimization level from which on a pass is a choice; passes below it only simplify."""

LIMITS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "te-fuse-elementwise.max_epilogue_ops": (0,),
        "te-fuse-elementwise.max_inlined_ops": (0, 2, 32),
    }
)
"""Numeric options of passes, and the values that the search tries in place of the default."""


class GraphSpace(Space):
    """The options of the passes that lower the graph of a model.

    task: a task of `graph_task` (model_task.py).

    Errors: see `compile`.
    """

    name = GRAPH_SPACE

    def __init__(self, task: Task) -> None:
        seen = _Choices()
        with replace(context_of_task(task.kernel), instruments=[seen]):
            model, options = model_of(task.kernel, task.target)
            request = request_for(ModelSource(model), **options)
            lower(imported(request), request.watch, to=LEVEL)
        self._options = dict(seen.knobs())
        self.knobs = tuple(Knob(name, choices) for name, choices in self._options.items())
        self.start = (0,) * len(self.knobs)
        self._nodes = seen.nodes

    def schedule(self, point: Point) -> str:
        config: dict[str, Any] = {}
        disabled: list[str] = []
        for name, choice in self.values(point).items():
            if choice == PLAN:
                continue
            if choice is False:
                disabled.append(name)
            elif name in self._nodes:
                key, nodes = self._nodes[name]
                config[key] = [*config.get(key, ()), *(f"{node}={choice}" for node in nodes)]
            else:
                config[name] = choice
        return context_text(PassContext(config=config, disabled_pass=disabled))


class _Choices(PassInstrument):
    """An instrument that finds the knobs of a model while its passes run.

    nodes: for the knob of each group of equal nodes, the option of its pass, and their names.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._words: dict[str, tuple[str, ...]] = {}
        self._passes: list[str] = []
        self._digest = ""

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._digest = graph_digest(module, "")

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if isinstance(info.step, ChoosingPass):
            for found in info.step.alternatives(module):
                name = f"{info.name} {found.nodes[0]}"
                self.nodes[name] = f"{info.name}.choices", found.nodes
                # The modules of several processors have the choices that all of them allow.
                known = self._words.get(name, found.choices)
                self._words[name] = tuple(word for word in known if word in found.choices)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        before, self._digest = self._digest, graph_digest(module, "")
        is_choice = not info.needed_by and info.opt_level >= LEAST_LEVEL
        if is_choice and self._digest != before and info.name not in self._passes:
            self._passes.append(info.name)

    def knobs(self) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Yield the name and the choices of each knob."""
        for name in self._passes:
            yield name, (PLAN, False)
            for option, numbers in LIMITS.items():
                if option.partition(".")[0] == name:
                    yield option, (PLAN, *numbers)
        for name, words in self._words.items():
            yield name, (PLAN, *words)
