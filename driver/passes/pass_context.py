"""PassContext: the passes, options and instruments of compilations in a ``with`` block.

    with tilewright.PassContext(opt_level=2, disabled_pass=["graph-cse"]):
        mod = tilewright.compile(model)

A context replaces the surrounding context; ``dataclasses.replace(PassContext.current(), …)``
changes only some of its fields. Contexts belong to one thread or asyncio task. The table of levels
is `Backend.opt_levels`; `Pipeline` (driver/passes/pipeline.py) checks the names of a context.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import cast

from ...runtime.errors import ArgumentError
from ...runtime.spelling import SuggestsNames, suggests_arguments
from ...support.instruments import PassInstrument
from ...support.tvm_names import TVM_CONFIG, TVM_PASSES

LEVELS = range(4)
"""The optimization levels; the last one is the default."""

FLAGS = ("strict_plan", "unchecked_indices")
"""The config keys that set an option of `compile`; every other key is ``PASS.OPTION``."""


@suggests_arguments
@dataclass(frozen=True)
class PassContext(SuggestsNames):
    """The passes, pass options and instruments of all compilations in a ``with`` block.

    opt_level: 0 runs only the passes that later stages need, so that loops have the order of the
    axes; 1 also simplifies graphs and plans kernels; 2 also fuses; 3 runs all passes.
    required_pass: passes that run at every level.  disabled_pass: passes that do not run.  Names
    of TVM's passes stand for the passes of `TVM_PASSES`.
    config: options of passes as ``{"te-outline.budget_bytes": 65536}``, and the flags
    ``strict_plan`` and ``unchecked_indices`` of compile; TVM's keys in `TVM_CONFIG` work, too.
    instruments: observers of each pass (support/instruments.py).  A compilation with instruments
    neither reads nor writes the cache of models, because all its passes must run.
    Errors: ArgumentError for values of another type.

    >>> with tilewright.PassContext(opt_level=1):
    ...     module = tilewright.compile("model.onnx")
    """

    opt_level: int = LEVELS[-1]
    required_pass: Collection[str] = ()
    disabled_pass: Collection[str] = ()
    instruments: Sequence[PassInstrument] = field(default=(), repr=False)
    config: Mapping[str, object] = field(default_factory=dict[str, object])

    def __post_init__(self) -> None:
        if type(self.opt_level) is not int or self.opt_level not in LEVELS:
            raise ArgumentError(
                "PassContext: opt_level= is no optimization level",
                expected="0, 1, 2 or 3",
                got=repr(self.opt_level),
                hint="3 runs all passes and is the default",
            )
        for name in ("required_pass", "disabled_pass"):
            names = _checked(name, getattr(self, name), str, '["graph-cse"]')
            ours = {TVM_PASSES.get(each, each) for each in cast("tuple[str, ...]", names)}
            object.__setattr__(self, name, tuple(sorted(ours)))
        found = _checked("instruments", self.instruments, PassInstrument, "[PassTimes()]")
        object.__setattr__(self, "instruments", found)
        object.__setattr__(self, "config", _config(self.config))
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        both = {*self.required_pass} & {*self.disabled_pass}
        if both:
            raise ArgumentError(
                "PassContext: a pass is both required and disabled",
                got=", ".join(sorted(both)),
                hint="leave the pass out of one of required_pass= and disabled_pass=",
            )

    @staticmethod
    def current() -> PassContext:
        """Return the context of the innermost ``with`` block in this thread or asyncio task."""
        stack = _STACK.get()
        return stack[-1] if stack else DEFAULT

    def flag(self, name: str) -> bool:
        """Return the value of one of `FLAGS`; false if the config does not set it."""
        return bool(self.config.get(name, False))

    def runs(self, name: str, opt_level: int) -> bool:
        """Return whether the context lets an optional pass run.

        opt_level: the lowest optimization level that includes the pass.
        """
        return name not in self.disabled_pass and (
            name in self.required_pass or opt_level <= self.opt_level
        )

    def __enter__(self) -> PassContext:
        with ExitStack() as undo:
            for instrument in self.instruments:
                instrument.enter_pass_ctx()
                undo.callback(instrument.exit_pass_ctx)
            undo.pop_all()
        _STACK.set((*_STACK.get(), self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _STACK.set(_STACK.get()[:-1])
        with ExitStack() as exits:
            for instrument in self.instruments:
                exits.callback(instrument.exit_pass_ctx)


def _checked(name: str, given: object, kind: type[object], example: str) -> tuple[object, ...]:
    """Return the values of an argument of PassContext as a tuple.

    Errors: ArgumentError for anything that is not a collection of values of a type.
    """
    if given is None:
        return ()
    if isinstance(given, Collection) and not isinstance(given, str | Mapping):
        values = tuple(cast("Collection[object]", given))
        if all(isinstance(each, kind) for each in values):
            return values
    raise ArgumentError(
        f"PassContext: {name}= is no list of values of type {kind.__name__}",
        got=repr(given),
        hint=f"{name}={example}",
    )


def _config(given: object) -> Mapping[str, object]:
    """Return a config with sorted keys, in which TVM's keys are replaced by this compiler's keys.

    Errors: ArgumentError for a value that is no mapping from strings.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ArgumentError(
            "PassContext: config= is no mapping from names of options",
            got=repr(given),
            hint='config={"te-outline.budget_bytes": 65536}',
        )
    named = cast("Mapping[str, object]", given)
    ours = {TVM_CONFIG.get(key, key): value for key, value in named.items()}
    return dict(sorted(ours.items()))


DEFAULT = PassContext()
"""The context outside of all blocks."""
_STACK: ContextVar[tuple[PassContext, ...]] = ContextVar("pass contexts", default=())
