"""Decoder states: apply the options ``state=`` and ``capacity=`` of `compile` to a model.

During import, the size of a growing state becomes a symbolic size whose smallest value is 0. After
the compilation, the module receives the list of its states, which `Module.session` uses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..runtime.call.states import Growth, states_of
from ..runtime.errors import ArgumentError
from ..support.size_names import from_zero, shown_size
from .module.compiled_module import CompiledModule
from .request import Request
from .settings import Sizes
from .versions import versions_of

if TYPE_CHECKING:
    from ..frontend.onnx.signature import Shapes


_EXAMPLES = {"state": '{"past": "present"}', "capacity": '{"past": 2048}'}


@dataclass(frozen=True)
class StateOptions:
    """The options ``state``, ``capacity`` and ``specialize`` of `compile`.

    pairs: the inputs that are states, each with the output that replaces it in the next call.
    capacity: the largest value of each growing size.  versions: the sizes that each version binds.
    Errors: ArgumentError for a capacity without a state, and for a capacity that is not a positive
    number.
    """

    pairs: Mapping[str, str]
    capacity: Mapping[str, int]
    versions: tuple[Sizes, ...] = ()

    def __post_init__(self) -> None:
        for name, given in (("state", self.pairs), ("capacity", self.capacity)):
            if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ArgumentError(
                    f"{name}= is not a mapping", expected=_EXAMPLES[name], got=repr(given)
                )
        if self.capacity and not self.pairs:
            raise ArgumentError("capacity= without state=", got=dict(self.capacity))
        if len(set(self.pairs.values())) < len(self.pairs):
            raise ArgumentError("two states have one output", got=dict(self.pairs))
        for name, capacity in self.capacity.items():
            if capacity < 1:
                raise ArgumentError(
                    f"the capacity of {name} is not a count", expected="1 or more", got=capacity
                )

    @staticmethod
    def of(
        state: Mapping[str, str],
        capacity: Mapping[str, int],
        specialize: Mapping[str, Sequence[int]],
        shapes: Shapes,
    ) -> StateOptions:
        """Return the options of `compile` after checking them.

        Errors: ArgumentError for options that are invalid or contradict each other.
        """
        return StateOptions(state, capacity, versions_of(specialize, shapes))

    def applied(self, request: Request, shapes: Shapes) -> Request:
        """Return the request with these options and shapes; sizes with a capacity may be 0 in it.

        Errors: ArgumentError for a size that has both a capacity and a value.
        """
        for name in self.capacity.keys() & shapes.keys():
            raise ArgumentError(
                f"size {name} has both a capacity and a value",
                got=f"shapes={{{name!r}: {shapes[name]!r}}}",
                hint="leave the size out of shapes=",
            )
        growing = {name: from_zero(name) for name in self.capacity}
        states = tuple(self.pairs.items())
        request = request.with_settings(states=states, versions=self.versions)
        return replace(request, shapes={**shapes, **growing})

    def give(self, module: CompiledModule) -> None:
        """Record in a compiled module which inputs are states; `Module.session` uses the record.

        Errors: ArgumentError for a module that compiles its programs in its calls, and for states
        that do not fit its inputs and outputs.
        """
        if (self.pairs or self.versions) and module.reason:
            option = "state=" if self.pairs else "specialize="
            rule = f"a model with {option} is compiled once for all sizes"
            raise ArgumentError(
                f"{rule}, but some step needs numbers",
                got=module.reason,
                hint="bind the other sizes with shapes= and values=",
            )
        growing = {
            _shown(name): Growth(name, capacity, _shown(name))
            for name, capacity in self.capacity.items()
        }
        module.states = states_of(module, self.pairs, growing)


def _shown(name: str) -> str:
    return shown_size(from_zero(name))
