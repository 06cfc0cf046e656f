"""The converters' view of an op: its operands as tensors, its attributes by type, its regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from ...dialects.shape import Dim
from ...support.diagnostics import ModelError, UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .definitions import Dense, OpDef, RegionDef, Symbol, ValueType, Word

RunRegion: TypeAlias = "Callable[[RegionDef, Builder, Sequence[Tensor], bool], list[Tensor]]"
"""A function that converts a region with a builder, from its arguments to its results.

The last argument says whether the region is lifted, see `Node.is_lifted`.
"""


@dataclass(frozen=True)
class Node:
    """An op whose operands are converted.

    is_lifted: the op is in a region on single elements that computes whole tensors.
    definition_of: the op that defines a value in this region, or None.
    value_of: the tensor of a name.
    """

    op: OpDef
    inputs: tuple[Tensor, ...]
    run_region: RunRegion
    definition_of: Callable[[str], OpDef | None]
    value_of: Callable[[str], Tensor]
    is_lifted: bool = False

    def __getitem__(self, index: int) -> Tensor:
        if index >= len(self.inputs):
            raise ModelError(
                "an operand is missing", expected=f"{index + 1} or more", got=len(self.inputs)
            )
        return self.inputs[index]

    @property
    def type(self) -> ValueType:
        """The type of the first result."""
        return self.op.types[0]

    @property
    def place(self) -> str:
        """The op and its line, for messages."""
        return f"{self.op.name} at line {self.op.line}"

    def has(self, name: str) -> bool:
        """Return whether the op has an attribute."""
        return name in self.op.attributes

    def ints(self, name: str, default: Sequence[int] | None = None) -> tuple[int, ...]:
        """Return an attribute that is a list of integers, or a list of lists, which is flattened.

        Errors: ModelError if it is missing without a default, or another kind.
        """
        found = self.op.attributes.get(name, None if default is None else tuple(default))
        if isinstance(found, Dense):
            found = tuple(found.full().reshape(-1).tolist())
        if isinstance(found, tuple) and any(isinstance(part, tuple) for part in found):
            found = tuple(n for part in found if isinstance(part, tuple) for n in part)
        if isinstance(found, tuple) and all(isinstance(n, int) for n in found):
            return cast("tuple[int, ...]", found)
        raise ModelError(
            f"attribute {name!r} is missing or no list of integers", got=found, where=self.place
        )

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an integer attribute."""
        found = self.op.attributes.get(name, default)
        if isinstance(found, int):
            return found
        raise ModelError(
            f"attribute {name!r} is missing or no integer", got=found, where=self.place
        )

    def word(self, name: str, default: str = "") -> str:
        """Return an attribute that is a word, such as a case of an enum, a string or a symbol."""
        found = self.op.attributes.get(name, Word(default))
        if isinstance(found, Word | Symbol | str):
            return found if isinstance(found, str) else found.text
        raise ModelError(f"attribute {name!r} is no word", got=found, where=self.place)

    def part(self, name: str, key: str) -> tuple[int, ...]:
        """Return the integers under a key of an attribute with parts, such as dimension numbers."""
        parts = self.op.attributes.get(name)
        if not isinstance(parts, dict):
            raise ModelError(f"attribute {name!r} is missing", got=parts, where=self.place)
        found = cast("dict[str, object]", parts).get(key, ())
        numbers = (found,) if isinstance(found, int) else found
        return cast("tuple[int, ...]", numbers)

    def region(self, index: int = 0) -> RegionDef:
        """Return a region."""
        if index >= len(self.op.regions):
            raise ModelError("a region is missing", expected=index + 1, got=len(self.op.regions))
        return self.op.regions[index]

    def run(self, region: RegionDef, b: Builder, arguments: Sequence[Tensor]) -> list[Tensor]:
        """Convert a region of this op with a builder."""
        return self.run_region(region, b, arguments, self.is_lifted)

    def lifted(self, region: RegionDef, b: Builder, arguments: Sequence[Tensor]) -> list[Tensor]:
        """Convert a region on single elements for whole tensors: one result per element."""
        for op in region.ops:
            if op.regions:
                raise UnsupportedOp("its region holds other regions", got=op.name)
        return self.run_region(region, b, arguments, True)

    def sizes_at(self, index: int, what: str) -> list[Dim]:
        """Return the integers of an operand that are known at import.

        Errors: UnsupportedOp if they depend on data.
        """
        x = self[index]
        if x.sizes is None:
            raise UnsupportedOp(f"{what} depends on run-time data")
        return list(x.sizes.reshape(-1))

    def number_at(self, index: int) -> float | None:
        """Return the one value of an operand if it is known at import."""
        values = self[index].values()
        return None if values is None or values.size != 1 else values.item()


Results: TypeAlias = "Tensor | Sequence[Tensor]"
Converter: TypeAlias = Callable[[Node, Builder], Results]
