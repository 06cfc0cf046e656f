"""tilewright.compile_step: a training step whose parameters stay in the memory of a session.

step = tilewright.compile_step(step, state=("params", "opt"))
session = step.session(params=params, opt=adam.init(params))
loss = session(x, y)
params = session.state("params")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from ...dialects.results import record_states
from ...runtime.abi.dltensor import as_array
from ...runtime.call.memory import Memory
from ...runtime.call.session import Session
from ...runtime.call.states import states_of
from ...runtime.errors import ArgumentError
from ...runtime.spelling import SuggestsNames
from ...support.entry import entry_of
from ...tracing.tree import Structure, flatten
from ..compile_module import compile_source
from ..module.compiled_module import CompiledModule
from ..request import Options
from .function import ArrayLeaf, DescribedArgument, Function, Shape, TracedProgram


class TrainingStep(Function):
    """A compiled step: a function whose last results replace some of its arguments.

    states: the names of these arguments.
    """

    def __init__(
        self,
        python: Callable[..., Any],
        states: Sequence[str],
        shapes: Mapping[str, Shape],
        options: Options,
    ) -> None:
        super().__init__(python, shapes, options)
        self.states = tuple(states)
        missing = [name for name in self.states if name not in self.signature.parameters]
        if missing or not self.states:
            raise ArgumentError(
                "state= names the parameters of the step that its last results replace",
                expected=", ".join(self.signature.parameters),
                got=", ".join(missing) or "no names",
            )

    def session(self, **initial: Any) -> StepSession:
        """Return a session with initial values of all states, by name.

        Errors: ArgumentError for a missing state, or a name that is no state.
        """
        if set(initial) != set(self.states):
            raise ArgumentError(
                f"{self.__name__}: a session takes the initial values of its states",
                expected=", ".join(self.states),
                got=", ".join(initial) or "nothing",
            )
        return StepSession(self, {name: initial[name] for name in self.states})

    def _compiled(self, structure: Structure, leaves: tuple[ArrayLeaf, ...]) -> TracedProgram:
        source, result = self.traced(structure, leaves)
        pairs = self._pairs(structure, result)
        record_states(entry_of(source), pairs)
        module = compile_source(source, self._options)
        module.states = states_of(module, pairs, {})
        return TracedProgram(source, result, module)

    def _pairs(self, given: Structure, result: Structure) -> dict[str, str]:
        """Return the output that replaces each input that is part of a state, by names.

        given, result: the tree structures of the arguments and of the result.

        Errors: ArgumentError for results that do not have the trees of the states.
        """
        old = dict(zip(given.keys, given.parts, strict=True))
        first = len(result.parts) - len(self.states)
        rule = f"{self.__name__}: the last results of a step are the new states"
        if result.kind is not tuple or first < 0:
            raise ArgumentError(rule, expected=f"a tuple that ends with {', '.join(self.states)}",
                                got=", ".join(result.paths("result")))  # fmt: skip
        pairs: dict[str, str] = {}
        for number, name in enumerate(self.states, first):
            taken, made = old[name].paths(name), result.parts[number].paths(f"result.{number}")
            if old[name] != result.parts[number]:
                raise ArgumentError(rule, expected=", ".join(taken), got=", ".join(made))
            pairs |= dict(zip(taken, made, strict=True))
        return pairs


class StepSession(SuggestsNames):
    """A session of a training step, which keeps the states in memory from call to call.

    A call takes the other arguments, and returns the other results.  A call whose arguments have
    other shapes runs another program, to which the states are copied.
    """

    def __init__(self, step: TrainingStep, initial: Mapping[str, Any]) -> None:
        self.step, self._initial = step, dict(initial)
        self._program: TracedProgram | None = None
        self._session: Session | None = None
        # The states keep their shapes, so only the other arguments are described at each call.
        self._states = {name: step.describe(name, tree) for name, tree in initial.items()}
        self._last: list[DescribedArgument] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run a step; return its results without the states."""
        step = self.step
        count = len(args)
        others = [n for n in step.signature.parameters if n not in step.states]
        named = dict(zip(others, args, strict=False)) | kwargs
        if count > len(others) or set(named) & set(self._initial):
            raise ArgumentError(
                f"{step.__name__}: the session has the states",
                expected=", ".join(others),
                got=f"{count} arguments" if count > len(others) else ", ".join(named),
            )
        given = step.arguments((), {**self._initial, **named})
        described = {n: self._states.get(n) or step.describe(n, x) for n, x in given.items()}
        rest_of_call = [each for n, each in described.items() if n not in self._states]
        if self._program is None or rest_of_call != self._last:
            self._begin(step.program(step.key_of(described)))
            self._last = rest_of_call
        assert self._session is not None, "begun"
        assert self._program is not None, "begun"
        results = self._session.run([x for each in rest_of_call for x in each.arrays])
        parts = self._program.structure.parts[: -len(step.states)]
        rest = iter(results)
        made = tuple(part.build(rest) for part in parts)
        return made[0] if len(made) == 1 else made

    @property
    def module(self) -> CompiledModule:
        """The compiled module of the last call.

        Errors: ArgumentError before the first call.
        """
        if self._program is None:
            raise ArgumentError(f"{self.step.__name__}: the session has run no step")
        return self._program.module

    def memory(self) -> Memory:
        """Return the memory of the last call; see `Session.memory`."""
        assert self._session is not None or not self.module, "module raises before the first call"
        return self._session.memory()  # pyright: ignore[reportOptionalMemberAccess]

    def state(self, name: str) -> Any:
        """Return a copy of a state as a tree of arrays.

        Errors: ArgumentError for a name that is no state.
        """
        if name not in self._initial:
            raise ArgumentError(
                f"{self.step.__name__}: {name} is not a state", expected=", ".join(self._initial)
            )
        leaves, structure = flatten(self._initial[name])
        if self._session is None:
            return structure.build(as_array(leaf, name).copy() for leaf in leaves)
        return structure.build(map(self._session.state, structure.paths(name)))

    def _begin(self, program: TracedProgram) -> None:
        if program is self._program:
            return
        values: dict[str, Any] = {}
        for name in self.step.states:
            leaves, structure = flatten(self.state(name))
            values |= dict(zip(structure.paths(name), leaves, strict=True))
        self._session, self._program = program.module.session(values), program


def compile_step(
    python: Callable[..., Any],
    *,
    state: Sequence[str],
    shapes: Mapping[str, Shape] | None = None,
    **options: Unpack[Options],
) -> TrainingStep:
    """Compile a step of a computation whose states stay in the memory of a session.

    python: a function, traced as by `tilewright.function`, that returns a tuple: its results, then
    the new values of the states.
    state: the names of the parameters that are states; each has the tree, shapes and dtypes of its
    new value.
    shapes, options: see `tilewright.function`.
    Errors: ArgumentError for names that are no parameters; when called, for results that are not
    like the states, and the errors of `tilewright.function`.

    >>> def count(total, x):
    ...     return total * 2, total + x
    >>> session = tilewright.compile_step(count, state=["total"]).session(total=np.float32(0))
    >>> [float(session(np.float32(n))) for n in (1, 2, 3)]
    [0.0, 2.0, 6.0]
    """
    return TrainingStep(python, state, shapes or {}, options)
