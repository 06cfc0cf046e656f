"""The op that a converter receives: operands as tensors, attributes by type, regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from ...dialects.shape import Dim
from ...support.diagnostics import ModelError, UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .definitions import Dense, FunctionReference, OpDef, RegionDef, ValueType, Word

RunRegion: TypeAlias = "Callable[[RegionDef, Builder, Sequence[Tensor], bool], list[Tensor]]"
"""A function that converts a region with a builder; it maps arguments to results.

The last argument says whether the region is lifted; see `StablehloNode.is_lifted`.
"""


@dataclass(frozen=True)
class StablehloNode:
    """An op to convert.

    inputs: the operands as tensors.  run_region: converts a region of the op.
    definition_of: returns the op that defines a value in this region or an enclosing one, or None.
    value_of: returns the tensor for a name.  is_lifted: whether the op is in a lifted region: a
    region on single elements, whose ops are converted to ops on whole tensors.
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
        """The op and its line in the text, for messages."""
        return f"{self.op.name} at line {self.op.line}"

    def has(self, name: str) -> bool:
        """Return whether the op has an attribute with this name."""
        return name in self.op.attributes

    def ints(self, name: str, default: Sequence[int] | None = None) -> tuple[int, ...]:
        """Return an attribute that is a list of integers; a list of lists is flattened.

        Errors: ModelError if the attribute is missing and there is no default, or is of another
        kind.
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
        """Return an integer attribute, or the default if the op lacks the attribute.

        Errors: ModelError if there is neither, or the attribute is of another kind.
        """
        found = self.op.attributes.get(name, default)
        if isinstance(found, int):
            return found
        raise ModelError(
            f"attribute {name!r} is missing or no integer", got=found, where=self.place
        )

    def word(self, name: str, default: str = "") -> str:
        """Return the text of an attribute that is an enum case, a string or a symbol.

        Errors: ModelError if the attribute is of another kind.
        """
        found = self.op.attributes.get(name, Word(default))
        if isinstance(found, Word | FunctionReference | str):
            return found if isinstance(found, str) else found.text
        raise ModelError(f"attribute {name!r} is no word", got=found, where=self.place)

    def part(self, name: str, key: str) -> tuple[int, ...]:
        """Return the integers under a key of a structured attribute, such as dimension numbers.

        name: the attribute.  The result is empty if the attribute lacks the key.
        Errors: ModelError if the op lacks the attribute.
        """
        parts = self.op.attributes.get(name)
        if not isinstance(parts, dict):
            raise ModelError(f"attribute {name!r} is missing", got=parts, where=self.place)
        found = cast("dict[str, object]", parts).get(key, ())
        numbers = (found,) if isinstance(found, int) else found
        return cast("tuple[int, ...]", numbers)

    def region(self, index: int = 0) -> RegionDef:
        """Return the region of the op at a position.

        Errors: ModelError if it is missing.
        """
        if index >= len(self.op.regions):
            raise ModelError("a region is missing", expected=index + 1, got=len(self.op.regions))
        return self.op.regions[index]

    def run(self, region: RegionDef, b: Builder, arguments: Sequence[Tensor]) -> list[Tensor]:
        """Append the ops of a region of this op to a builder; return the region's results."""
        return self.run_region(region, b, arguments, self.is_lifted)

    def lifted(self, region: RegionDef, b: Builder, arguments: Sequence[Tensor]) -> list[Tensor]:
        """Convert a region on single elements to ops on whole tensors; return the results.

        arguments: for each argument of the region, a tensor with its values for all elements.  The
        results are tensors with the region's results for all elements.
        """
        for op in region.ops:
            if op.regions:
                raise UnsupportedOp("its region holds other regions", got=op.name)
        return self.run_region(region, b, arguments, True)

    def sizes_at(self, index: int, what: str) -> list[Dim]:
        """Return the integers in an operand that is known at import; they may be symbolic sizes.

        what: a noun for messages that names what the integers determine.
        Errors: UnsupportedOp if they depend on data.
        """
        x = self[index]
        if x.sizes is None:
            raise UnsupportedOp(f"{what} depends on run-time data")
        return list(x.sizes.reshape(-1))

    def number_at(self, index: int) -> float | None:
        """Return the number in a one-element operand; None if it is unknown at import."""
        values = self[index].values()
        return None if values is None or values.size != 1 else values.item()


Results: TypeAlias = "Tensor | Sequence[Tensor]"
Converter: TypeAlias = Callable[[StablehloNode, Builder], Results]
