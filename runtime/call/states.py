"""States of a model: inputs that outputs of the previous call replace.

In: the pairs of inputs and outputs, and the sizes that grow, as the user of `compile` passes them.
Out: the states of a module, and the rows of a manifest that describe them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from ..abi.library import Library, Symbols
from ..errors import ArgumentError
from ..file.manifest import Manifest, TensorSpec
from .memory import Memory


class StatefulCallee(Protocol):
    """The methods and fields of a `Module` that sessions and executors use."""

    name: str
    manifest: Manifest
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]

    @property
    def threads(self) -> int:
        """The default number of threads of a call."""
        ...

    def __call__(self, /, *arrays: object, **named: object) -> Any:
        """Run the module on arrays."""
        ...

    def run(
        self, inputs: Mapping[str, object] | Sequence[object], *, threads: int | None = None
    ) -> tuple[Any, ...]:
        """Run the module on inputs; return all results."""
        ...

    def output_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the arrays that a call fills, for inputs of given shapes."""
        ...

    def memory(self, shapes: Sequence[Sequence[int]]) -> Memory:
        """Return the memory that a call needs for inputs of given shapes."""
        ...

    def address(self, symbol: str) -> int:
        """Return the address of a function of the module's code."""
        ...

    def process_library(self, symbol: str) -> Library:
        """Return the library that has a function of which a process needs only one copy."""
        ...

    def with_code(self, code: Symbols, manifest: Manifest, handle: int) -> StatefulCallee:
        """Return a module that calls other functions in place of this module's functions.

        code: the functions of the new module.  manifest: its signature.  handle: the address that
        each of these functions takes as first argument.
        """
        ...


@dataclass(frozen=True)
class Growth:
    """A size that grows from call to call, up to a capacity.

    name: the name of the size in the model.  capacity: its largest value.  text: its expression in
    the module's signature.
    """

    name: str
    capacity: int
    text: str


@dataclass(frozen=True)
class StatePair:
    """An input, and the output that becomes this input in the next call.

    position, result: the positions of the input and of the output.  spec: the input, with its axes
    in the order of the model.  axis: the growing axis, or None.  growth: its size, or None.
    appends: whether a call writes the result to the memory of the state. It then appends rows to a
    growing state, whose growing axis is the outermost in memory, and overwrites any other state.
    """

    position: int
    result: int
    spec: TensorSpec
    axis: int | None
    growth: Growth | None
    appends: bool = False


def states_of_manifest(rows: Sequence[Mapping[str, Any]]) -> tuple[StatePair, ...]:
    """Return the states that the rows of an exported module's manifest describe."""
    return tuple(_state_of(dict(row)) for row in rows)


def _state_of(row: dict[str, Any]) -> StatePair:
    spec, growth = row.pop("spec"), row.pop("growth")
    return StatePair(
        **row,
        spec=TensorSpec.of(spec),
        growth=None if growth is None else Growth(**growth),
    )


def states_of(
    module: StatefulCallee, pairs: Mapping[str, str], growing: Mapping[str, Growth]
) -> tuple[StatePair, ...]:
    """Return the states of a module, sorted by the positions of their inputs.

    pairs: the name of the output that replaces each state, by the name of the state's input.
    growing: the growing sizes by their expressions in the signature.

    Errors: ArgumentError for an output whose type does not fit its state.
    """
    inputs = {spec.name: n for n, spec in enumerate(module.inputs)}
    outputs = {spec.name: n for n, spec in enumerate(module.outputs)}
    appended = {argument: axis for argument, _, axis in module.manifest.appends}
    states: list[StatePair] = []
    for taken, made in pairs.items():
        outermost = max(0, appended.get(inputs[taken], 0))
        spec = _as_in_model(module.inputs[inputs[taken]], outermost)
        result = _as_in_model(module.outputs[outputs[made]], outermost)
        axes = [n for n, size in enumerate(spec.shape) if size in growing]
        axis = axes[0] if axes else None
        same = zip(spec.shape, result.shape, strict=False)
        others = [n for n, (old, new) in enumerate(same) if n != axis and old != new]
        if (
            len(axes) > 1
            or others
            or len(spec.shape) != len(result.shape)
            or result.is_data_dependent()
        ):
            raise _misfit(
                module,
                f"output {made!r} cannot become state {taken!r}",
                expected=f"{spec}, apart from one axis whose size is in capacity=",
                got=result,
                hint=_capacity_hint(spec, others),
            )
        if spec.dtype != result.dtype:
            raise _misfit(module, f"output {made!r} has another type than state {taken!r}",
                          expected=spec, got=result)  # fmt: skip
        growth = None if axis is None else growing[cast(str, spec.shape[axis])]
        appends = inputs[taken] in appended
        states.append(StatePair(inputs[taken], outputs[made], spec, axis, growth, appends))
    return tuple(sorted(states, key=lambda state: state.position))


def _as_in_model(spec: TensorSpec, outermost: int) -> TensorSpec:
    """Return the spec of an appended state with its axes in the order of the model.

    spec: the spec with the growing axis first, the order in memory.  outermost: the position of the
    growing axis in the model.
    """
    first, *rest = spec.shape or (0,)
    shape = (*rest[:outermost], first, *rest[outermost:]) if outermost else spec.shape
    return replace(spec, shape=shape)


def _capacity_hint(spec: TensorSpec, axes: Sequence[int]) -> str:
    names = [spec.shape[n] for n in axes if n < len(spec.shape)]
    return f'pass capacity={{"{names[0]}": 2048}}' if len(names) == 1 else ""


def _misfit(
    module: StatefulCallee,
    rule: str,
    *,
    expected: object = None,
    got: object = None,
    hint: str = "",
) -> ArgumentError:
    return ArgumentError(
        f"{module.name}: {rule}",
        expected=expected,
        got=got,
        hint=hint,
        signature=module.manifest.signature,
    )
