"""Placement: run some ops of a model on another target than its main program.

    compile(model, target="opencl", placement={"softmax": "llvm", "decoder/*": "llvm"})
    compile(model, target="opencl", placement=lambda op: "llvm" if op.name == … else None)
    compile(model, placement="vendor", extensions=[Extension(backends=[Vendor()])])

If the placement is only the text of a target, that target's backend chooses the ops: those that
match its patterns, and those that it supports (`ExternalBackend`). The optimized graph is split
(driver/partition.py). Each part is compiled for its target to a packed function, or an external
backend names a packed function that computes it. Main calls that function.
"""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ..passes.graph.op_patterns import OpMatch, find_matches, is_constant
from ..runtime.abi.registry import list_global_func_names, register_func, remove_global_func
from ..runtime.errors import ArgumentError
from ..support.diagnostics import TargetError
from ..support.entry import entry_of
from ..support.locations import node_names
from ..targets.backend import Backend
from ..targets.external import ExternalBackend
from .backends import backend_of, target_of
from .compile_module import compile_module
from .extension import Extension
from .partition import TargetPart, partition
from .passes.pass_context import PassContext
from .request import Options, Request

if TYPE_CHECKING:
    from ..runtime.module.functions import ModuleFunctions

Placement: TypeAlias = str | Mapping[str, str] | Callable[[Operation], str | None]
"""The option ``placement`` of `compile`.

A target, whose backend takes the ops that it supports; a mapping to targets from graph op names or
patterns of node names; or a function that returns the target of an op.
"""


@dataclass(frozen=True, eq=False)
class PlaceOps(ModulePass):
    """A pass that replaces ops on other targets by calls of separately compiled programs.

    own_kind: the kind of main's target.
    options, context: the options and passes that compile these programs.
    functions: by target and printed IR of such a program, the name of the packed function that runs
    it.
    parts: by name of that function, the compiled module that it runs.
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
        ops = list(main.body.block.ops)
        # A later program of the model may lack ops: the values of its call can fold them.
        is_first = not self.functions
        if is_first and isinstance(self.placement, Mapping):
            _check_keys(self.placement, ops)
        matches = self._matches(main.body.block)
        targets = {each: self._target_of(each) for each in ops}
        if isinstance(self.placement, str):
            targets |= {each: self.placement for match in matches for each in match.ops}
            if is_first:
                _check_taken(self.placement, targets.values())
        for part in partition(main, lambda each: targets[each], matches):
            function = self._function(part)
            if function is not None:
                part.replace(function)

    def _backend(self, text: str) -> Backend:
        extensions = self.options.get("extensions", ())
        return backend_of(target_of(text, extensions), extensions)

    def _matches(self, block: Block) -> list[OpMatch]:
        if not isinstance(self.placement, str):
            return []
        backend = self._backend(self.placement)
        return find_matches(block, backend.patterns) if isinstance(backend, ExternalBackend) else []

    def _target_of(self, op: Operation) -> str:
        """Return the target on which an op runs; an empty text means the target of main."""
        if isinstance(self.placement, str):
            backend = self._backend(self.placement)
            # The parts copy what they need of constants and their broadcasts.
            chosen = self.placement if not is_constant(op) and backend.supports(op) else None
        elif isinstance(self.placement, Mapping):
            chosen = _named(self.placement, op)
        else:
            chosen = self.placement(op)
        if chosen and not isinstance(self.placement, str):
            _check_supported(chosen, self._backend(chosen), op)
        return chosen if chosen and self._backend(chosen).kind != self.own_kind else ""

    def _function(self, part: TargetPart) -> str | None:
        """Return the name of the packed function that runs a part; None if its ops remain in main.

        Unless an equal part already has a function, compile the part and register its function.
        """
        module = part.module()
        text = f"{part.target}\n{module}"
        if text in self.functions:
            return self.functions[text]
        backend = self._backend(part.target)
        if isinstance(backend, ExternalBackend):
            return self._of_backend(backend, module, text)
        name = f"tilewright.part.{secrets.token_hex(6)}.{len(self.functions)}"
        with self.context:
            options = self.options | Options(target=part.target)
            compiled = compile_module(module, **options)
        register_func(name, lambda *tensors: compiled.fill(tensors))
        weakref.finalize(self, remove_global_func, name).atexit = False
        self.functions[text], self.parts[name] = name, compiled
        return name

    def _of_backend(self, backend: ExternalBackend, module: ModuleOp, text: str) -> str | None:
        """Return the name of the packed function with which an external backend computes a part.

        Return None if the backend refuses the part.
        module: the program of the part.  text: the key of the part in `functions`, where the name
        is recorded.

        Errors: TargetError if there is no function of this name.
        """
        if not backend.takes(module):
            return None
        name = backend.function(module)
        if name not in list_global_func_names():
            raise TargetError(
                f"the backend {backend.kind} names a function that is not registered",
                expected="the name of a global function",
                got=repr(name),
                hint="tilewright.register_func or tilewright.load_functions registers functions",
            )
        self.functions[text] = name
        return name


def _named(placement: Mapping[str, str], op: Operation) -> str | None:
    return next((place for key, place in placement.items() if _names(key, op)), None)


def _names(key: str, op: Operation) -> bool:
    kind = op.name.removeprefix("graph.")
    return key == kind or any(fnmatchcase(node, key) for node in node_names(op.location))


def _check_supported(text: str, backend: Backend, op: Operation) -> None:
    """Check that an external backend computes an op that the caller has placed on its target.

    Errors: ArgumentError if it does not.
    """
    if isinstance(backend, ExternalBackend) and not backend.supports(op):
        raise ArgumentError(
            "placement gives an op to a backend that does not support it alone",
            expected=f"an op that {backend.kind} supports",
            got=op.name,
            hint=f"placement={text!r} gives it the matches of its patterns",
        )


def _check_taken(placement: str, targets: Iterable[str]) -> None:
    """Check that the backend named by a placement takes at least one op of the model.

    targets: the target of each op; an empty text means main's target.
    Errors: ArgumentError if it takes none.
    """
    if not any(targets):
        raise ArgumentError(
            "placement names a backend that takes no op of the optimized model",
            expected="a match of one of its patterns, or an op that it supports",
            got=placement,
            hint='mod.get_source("graph") of the model without placement= shows the ops',
        )


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


def with_placement(request: Request, placement: Placement) -> Request:
    """Return a request with a pass that splits the model by a placement.

    Errors: TargetError if main cannot call programs of other targets, or for an unknown target.
    """
    if not (isinstance(placement, str | Mapping) or callable(placement)):  # pyright: ignore
        raise ArgumentError(
            "placement= is no placement",
            expected='a target, a mapping such as {"softmax": "llvm"}, or a function of an op',
            got=repr(placement),
        )
    settings = request.settings
    if not settings.backend.split_before:
        raise TargetError(
            "all ops of a model for this target run there",
            expected="the target of a device",
            got=str(settings.target),
            hint='compile for target="opencl" or "cuda", and place ops on "llvm"',
        )

    if not callable(placement):
        for place in [placement] if isinstance(placement, str) else placement.values():
            target = target_of(place, settings.extensions)
            backend_of(target, settings.extensions).check_host(target)
    options = Options(
        precision=str(settings.precision),
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
