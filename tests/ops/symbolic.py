"""Op cases with symbolic axes: one symbol for the axes that must agree, and arrays of any sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp

from tilewright.dialects.dtypes import element_type
from tilewright.dialects.shape import tensor_type
from tilewright.dialects.sizes import bind_sizes, record_sizes
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.size_names import from_zero

from .case import Input, OpCase, np_dtype

Place = tuple[int, int]
"""An axis of an operand: the number of the operand, and the axis."""

Symbols = Mapping[Place, str]


@dataclass(frozen=True)
class SymbolicCase:
    """An op case with symbols for some axes of its operands."""

    case: OpCase
    symbols: Symbols

    @property
    def name(self) -> str:
        """The case, and the first axis of each symbol: ``add_f32[0.1]``."""
        firsts: dict[str, Place] = {}
        for place, symbol in self.symbols.items():
            firsts.setdefault(symbol, place)
        return f"{self.case.name}[{' '.join(f'{n}.{axis}' for n, axis in firsts.values())}]"

    @property
    def originals(self) -> dict[str, int]:
        """The size of each symbol in the static case."""
        return {s: self.case.inputs[n].shape[axis] for (n, axis), s in self.symbols.items()}

    def module(self) -> ModuleOp:
        """Return a module with the op in a function of symbolic sizes.

        Errors: TilewrightError if the type rule of the op refuses the symbols.
        """
        types = [
            tensor_type(
                element_type(np_dtype(one.dtype)),
                [self.symbols.get((n, axis), size) for axis, size in enumerate(one.shape)],
            )
            for n, one in enumerate(self.case.inputs)
        ]
        func = FuncOp("main", (types, []))
        op = self.case.build(*func.body.block.args)
        func.body.block.add_ops([op, ReturnOp(*op.results)])
        func.update_function_type()
        record_sizes(func)
        module = ModuleOp([func])
        module.verify()
        return module

    def from_zero(self) -> SymbolicCase:
        """Return the case with symbols that may be 0."""
        return replace(self, symbols={p: from_zero(name) for p, name in self.symbols.items()})

    def at(self, sizes: Mapping[str, int]) -> OpCase:
        """Return the case with numbers for the symbols; its indices stay below each of them."""
        least = min(sizes.values())
        inputs: list[Input] = []
        for n, one in enumerate(self.case.inputs):
            shape = [
                sizes[self.symbols[n, axis]] if (n, axis) in self.symbols else size
                for axis, size in enumerate(one.shape)
            ]
            is_index = one.dtype in ("int32", "int64") and one.low >= 0
            high = max(min(one.high, least - 1), one.low) if is_index else one.high
            inputs.append(replace(one, shape=tuple(shape), high=high))
        return replace(self.case, inputs=tuple(inputs))


def bound(module: ModuleOp, sizes: Mapping[str, int]) -> FuncOp:
    """Return the main function of a copy with numbers for the symbols.

    Errors: TilewrightError if the op is not defined for these sizes.
    """
    copy = module.clone()
    bind_sizes(copy, sizes)
    copy.verify()
    function = copy.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def symbolic_cases(case: OpCase) -> Iterator[SymbolicCase]:
    """Yield a case with one symbolic axis after the other, then with as many as its type allows."""
    places = [(n, axis) for n, one in enumerate(case.inputs) for axis in range(len(one.shape))]
    together: dict[Place, str] = {}
    classes = 0
    for place in places:
        if place in together:
            continue
        found = _fitting(case, place, places)
        if found is None:
            continue
        yield found
        more = together | dict.fromkeys(found.symbols, f"s{classes}")
        if _is_typed(SymbolicCase(case, more)):
            together, classes = more, classes + 1
    if classes > 1:
        yield SymbolicCase(case, together)


def _fitting(case: OpCase, place: Place, places: Sequence[Place]) -> SymbolicCase | None:
    """Return a case with a symbol for an axis and the fewest others of its size; None without."""
    size = case.inputs[place[0]].shape[place[1]]
    same = [p for p in places if p != place and case.inputs[p[0]].shape[p[1]] == size]
    groups = [*((), *((p,) for p in same), *combinations(same, 2), tuple(same))]
    cases = (SymbolicCase(case, dict.fromkeys((place, *others), "s")) for others in groups)
    return next((one for one in cases if _is_typed(one)), None)


def _is_typed(one: SymbolicCase) -> bool:
    try:
        one.module()
    except (TilewrightError, ValueError):
        return False
    return True
