"""Extension: the additions of another package to one compilation, without registration.

Ops of other packages need no field here, because their traits ``EvaluatedBy``
(interp/graph/context.py) and ``LoweredBy`` (lowering/graph_to_te/builder.py) hold their interpreter
and lowering. Schedule steps created in Python need none either, because of their trait
``AppliedBy`` (passes/schedule/primitives.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.ir import Dialect
from xdsl.passes import ModulePass

from ..frontend.onnx.node import OpConverter
from ..runtime.errors import ArgumentError
from ..runtime.spelling import SuggestsNames, suggests_arguments
from ..support.registry import new_context
from ..targets.backend import Backend


@suggests_arguments
@dataclass(frozen=True)
class Extension(SuggestsNames):
    """Converters, passes, dialects and backends of another package.

    converters: converters of ONNX nodes; they take precedence over the built-in converters.
    passes: for the name of a pipeline pass, the passes to run before each run of that pass.
    dialects: dialects of the ops and schedule steps that occur in printed IR.
    backends: backends of further kinds of targets; see targets/backend.py.
    """

    converters: Sequence[OpConverter] = ()
    passes: Mapping[str, Sequence[ModulePass]] = field(default_factory=dict[str, list[ModulePass]])
    dialects: Sequence[Dialect] = ()
    backends: Sequence[Backend] = ()

    def __post_init__(self) -> None:
        _check(self)


def _check(extension: Extension) -> None:
    """Check that the fields of an extension have the right kinds of values.

    Errors: ArgumentError if they do not.
    """
    passes = extension.passes
    if not isinstance(passes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            "Extension: passes= has no places of passes",
            expected="a mapping from a pass of the pipeline to the passes before that pass",
            got=type(passes).__name__,
            hint='passes={"graph-dce": [MyPass()]}',
        )
    for place, steps in passes.items():
        is_list = isinstance(steps, Sequence)  # pyright: ignore[reportUnnecessaryIsInstance]
        if is_list and all(isinstance(step, ModulePass) for step in steps):  # pyright: ignore
            continue
        raise ArgumentError(
            f"Extension: passes= at {place!r} are no passes",
            expected="a list of instances of ModulePass",
            got=repr(steps),
            hint=f"passes={{{place!r}: [MyPass()]}}",
        )
    for name in ("converters", "dialects", "backends"):
        if not isinstance(given := getattr(extension, name), Sequence):
            raise ArgumentError(
                f"Extension: {name}= is no sequence", got=type(given).__name__, hint=f"{name}=[…]"
            )


def context_of(extensions: Sequence[Extension]) -> Context:
    """Return a Context that includes the dialects of extensions."""
    context = new_context()
    for dialect in (d for extension in extensions for d in extension.dialects):
        context.register_dialect(dialect.name, lambda dialect=dialect: dialect)
    return context
