"""Placement: let some ops of a model run on another target than its main program.

    compile(model, target="opencl", placement={"softmax": "llvm", "decoder/*": "llvm"})
    compile(model, target="opencl", placement=lambda op: "llvm" if op.name == … else None)

The optimized graph is split (driver/partition.py). Each part is compiled for its target, and main
calls it as a packed function.
"""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..runtime.abi.registry import register_func, remove_global_func
from ..runtime.errors import ArgumentError
from ..support.diagnostics import TargetError
from ..support.entry import entry_of
from ..support.locations import node_names
from .backends import backend_of, target_of
from .compile_module import compile_module
from .extension import Extension
from .partition import Part, partition
from .passes.pass_context import PassContext
from .request import Options, Request

if TYPE_CHECKING:
    from ..runtime.module.functions import ModuleFunctions

Placement: TypeAlias = Mapping[str, str] | Callable[[Operation], str | None]
"""Targets by graph op name or by pattern of node names, or a function that returns them."""


@dataclass(frozen=True, eq=False)
class PlaceOps(ModulePass):
    """Replace the ops that are placed on other targets by calls of separately compiled programs.

    own_kind: the kind of main's target.
    options, context: the options and passes that compile the parts.
    functions: for the printed IR of each part, the name of the packed function that runs it.
    parts: by the name of that function, the compiled module that it runs.
    """

    placement: Placement
    own_kind: str
    options: Options
    context: PassContext
    functions: dict[str, str]
    parts: dict[str, ModuleFunctions]
    name = "place-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = entry_of(op)
        if not callable(self.placement):
            _check_keys(self.placement, list(main.body.block.ops))
        for part in partition(main, self._target_of):
            part.replace(self._function(part))

    def _target_of(self, op: Operation) -> str:
        """Return the target of an op, or an empty text for the target of main."""
        chosen = self.placement(op) if callable(self.placement) else _named(self.placement, op)
        return "" if chosen is None or chosen.split()[0] == self.own_kind else chosen

    def _function(self, part: Part) -> str:
        """Return the name of the packed function that runs a part.

        Compile the part and register the function, unless an equal part has one.
        """
        text = f"{part.target}\n{part.module()}"
        if text not in self.functions:
            name = f"tilewright.part.{secrets.token_hex(6)}.{len(self.functions)}"
            with self.context:
                module = compile_module(
                    part.module(), **(self.options | Options(target=part.target))
                )
            register_func(name, lambda *tensors: module.fill(tensors))
            weakref.finalize(self, remove_global_func, name).atexit = False
            self.functions[text], self.parts[name] = name, module
        return self.functions[text]


def with_placement(request: Request, placement: Placement) -> Request:
    """Return a request with a pass that splits the model by a placement.

    Errors: TargetError if main cannot call programs of other targets, or for an unknown target.
    """
    settings = request.settings
    if not settings.backend.split_before:
        raise TargetError(
            "all ops of a model for this target run there",
            expected="the target of a device",
            got=str(settings.target),
            hint='compile for target="opencl" or "cuda", and place ops on "llvm"',
        )
    if not callable(placement):
        for place in placement.values():
            target = target_of(place, settings.extensions)
            backend_of(target, settings.extensions).check_host(target)
    options = Options(
        threads=request.threads,
        cache=request.cache is not None,
        extensions=settings.extensions,
        strict_plan=settings.strict_plan,
        unchecked_indices=settings.unchecked_indices,
    )
    # The required passes belong to the pipeline of the device.
    context = replace(settings.context, required_pass=(), instruments=())
    step = PlaceOps(placement, settings.target.kind, options, context, {}, {})
    added = Extension(passes={settings.backend.split_before: [step]})
    return request.with_settings(extensions=(*settings.extensions, added), parts=step.parts)


def _named(placement: Mapping[str, str], op: Operation) -> str | None:
    """Return the target for the first key of a placement that names an op or its node, or None."""
    return next((place for key, place in placement.items() if _names(key, op)), None)


def _names(key: str, op: Operation) -> bool:
    kind = op.name.removeprefix("graph.")
    return key == kind or any(fnmatchcase(node, key) for node in node_names(op.location))


def _check_keys(placement: Mapping[str, str], ops: list[Operation]) -> None:
    """Check that each key of a placement names an op or a node.

    Errors: ArgumentError for a key that names none.
    """
    for key in placement:
        if not any(_names(key, op) for op in ops):
            kinds = sorted(
                {op.name.removeprefix("graph.") for op in ops if op.operands and op.results}
            )
            raise ArgumentError(
                "placement names neither an op nor a node of the optimized model",
                expected=f"a pattern of names of nodes, or one of {', '.join(kinds)}",
                got=key,
                hint='mod.get_source("graph") shows the ops',
            )


__all__ = ["Placement", "PlaceOps", "with_placement"]
