"""A StableHLO module as plain Python data: functions, ops, regions, types and attributes.

Values are identified by their names in the text; result ``n`` of an op with several results is
``%name#n``. Types of operands are not stored, because each value has the type of its definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import ComplexType
from xdsl.ir import Attribute


@dataclass(frozen=True)
class ValueType:
    """A tensor type: sizes and element type.

    dims: None for a dynamic size.  dtype: None for types that are no tensors, such as tokens.
    text: the spelling of the type, for messages.
    """

    dims: tuple[int | None, ...]
    dtype: Attribute | None
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text


def is_complex(type_: ValueType) -> bool:
    """Return whether a type has complex elements."""
    return isinstance(type_.dtype, ComplexType)


def part_type(type_: ValueType) -> ValueType:
    """Return the type of the real or imaginary part of a value; a real type is unchanged."""
    if not isinstance(type_.dtype, ComplexType):
        return type_
    element = type_.dtype.element_type
    sizes = "".join("?x" if size is None else f"{size}x" for size in type_.dims)
    return ValueType(type_.dims, element, f"tensor<{sizes}{element}>")


@dataclass(frozen=True)
class Word:
    """A bare word, such as an enum case, or the text of an attribute that no converter reads."""

    text: str


@dataclass(frozen=True)
class FunctionReference:
    """A reference to a function by its name."""

    text: str


@dataclass(frozen=True)
class Dense:
    """A constant.

    array: the elements; if all are equal, it may be a single element of rank 0 (a splat).
    """

    array: np.ndarray
    type: ValueType

    @property
    def is_splat(self) -> bool:
        """Whether a single element stands for all elements."""
        return self.array.ndim == 0 and bool(self.type.dims)

    def full(self) -> np.ndarray:
        """Return an array of the sizes of the constant's type."""
        return np.broadcast_to(self.array, [size or 0 for size in self.type.dims])


AttributeValue: TypeAlias = """(
    int
    | float
    | str
    | Word
    | FunctionReference
    | Dense
    | ValueType
    | tuple[AttributeValue, ...]
    | Mapping[str, AttributeValue]
    | None
)"""


@dataclass(frozen=True)
class RegionDef:
    """A region of one block: arguments with their types, and ops; the last op returns."""

    arguments: tuple[tuple[str, ValueType], ...]
    ops: tuple[OpDef, ...]

    @property
    def returned(self) -> tuple[str, ...]:
        """The names of the values that the region returns."""
        return self.ops[-1].operands


@dataclass(frozen=True)
class OpDef:
    """An op: names of operands and results, result types, attributes and regions.

    name: the op name, with its dialect.  line: the line in the text, from 1.  location: the name in
    the op's ``loc``, or "".
    """

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    types: tuple[ValueType, ...]
    attributes: Mapping[str, AttributeValue]
    regions: tuple[RegionDef, ...]
    line: int
    location: str = ""

    @property
    def callee(self) -> str | None:
        """The name of the function that the op calls, or that decomposes a composite; else None."""
        key = "decomposition" if self.name == "stablehlo.composite" else "callee"
        symbol = self.attributes.get(key)
        return symbol.text if isinstance(symbol, FunctionReference) else None


@dataclass(frozen=True)
class ArgumentDef:
    """An argument or result of a function.

    location: the name in the source program, or "".
    """

    name: str
    type: ValueType
    attributes: Mapping[str, AttributeValue]
    location: str = ""


@dataclass(frozen=True)
class DefinedFunction:
    """A function with its body."""

    name: str
    arguments: tuple[ArgumentDef, ...]
    results: tuple[ArgumentDef, ...]
    body: RegionDef
    is_public: bool
    line: int


@dataclass(frozen=True)
class Program:
    """A module: its functions by name."""

    name: str
    functions: Mapping[str, DefinedFunction]

    def walk(self, function: DefinedFunction) -> Iterator[OpDef]:
        """Yield all ops of a function and of the functions that it calls, each function once."""
        seen, left = {function.name}, [function]
        while left:
            for op in all_ops(left.pop().body):
                yield op
                callee = op.callee or ""
                if callee in self.functions and callee not in seen:
                    seen.add(callee)
                    left.append(self.functions[callee])


def all_ops(region: RegionDef) -> Iterator[OpDef]:
    """Yield the ops of a region and of its nested regions."""
    left = [region]
    while left:
        for op in left.pop().ops:
            yield op
            left.extend(op.regions)


def direction_of(op: OpDef | None) -> str:
    """Return the direction of a comparison op, such as LT, or "" for any other op."""
    word = None if op is None else op.attributes.get("comparison_direction")
    return word.text if isinstance(word, Word) else ""
