"""Read types and attributes of StableHLO text.

    tensor<4x?xf32>                                 ValueType
    dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>       Dense; also hexadecimal data and splats
    #stablehlo.gather<offset_dims = [1]>            a mapping
    #stablehlo<precision DEFAULT>                   Word("DEFAULT")

An attribute of another dialect becomes a `Word` with its text.
Source: MLIR language reference, builtin dialect; StableHLO specification, Types and Constants.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ComplexType, IndexType, i1
from xdsl.ir import Attribute

from ...dialects.dtypes import ATTRIBUTES_BY_NAME, is_float, is_sub_byte, numpy_dtype
from .definitions import AttributeValue, Dense, FunctionReference, ValueType, Word, is_complex
from .lexer import Lexer, unquoted

ELEMENTS: dict[str, Attribute] = {
    "index": IndexType(),
    **{str(attr): attr for attr in ATTRIBUTES_BY_NAME.values()},
}
"""Element types by their spelling in the text."""
MAX_NESTING = 64
"""Maximum nesting depth of attributes and types."""

_SIZES = re.compile(r"\s*((?:(?:\?|[0-9]+)\s*x\s*)*)")
_NUMBER_TYPES = re.compile(r"u?i[0-9]+|index|b?f[0-9]\w*|tf32")
_SPECIAL = {"inf": math.inf, "nan": math.nan}


class AttributeReader:
    """A reader of types and attributes from tokens.

    resources: the data of ``dense_resource`` constants by name, in hexadecimal.
    """

    def __init__(self, lexer: Lexer, resources: dict[str, str]) -> None:
        self.lexer, self.resources = lexer, resources
        self._depth = 0
        self._words: dict[str, Callable[[], AttributeValue]] = {
            "dense": self._dense,
            "dense_resource": self._dense_resource,
            "array": self._array,
            "true": lambda: True,
            "false": lambda: False,
            "unit": lambda: True,
            "affine_map": lambda: Word(self.lexer.skip_balanced()),
        }

    def type(self) -> ValueType:
        """Read a type."""
        lexer, token = self.lexer, self.lexer.token
        if token.text == "(":
            lexer.skip_balanced()
            lexer.expect("->")
            self.types()
            return ValueType((), None, lexer.text[token.start : lexer.token.start].strip())
        if token.kind not in ("word", "bang"):
            lexer.fail(f"expected a type, got {lexer.shown()}")
        lexer.take()
        if token.text in ELEMENTS:
            return ValueType((), ELEMENTS[token.text], token.text)
        if token.text != "tensor":
            if lexer.token.text == "<":
                lexer.skip_balanced()
            return ValueType((), None, lexer.text[token.start : lexer.token.start].strip())
        return self._tensor(token.start)

    def _tensor(self, start: int) -> ValueType:
        lexer = self.lexer
        if lexer.token.text != "<":
            lexer.fail(f"expected '<', got {lexer.shown()}")
        sizes = _SIZES.match(lexer.text, lexer.after)
        assert sizes is not None, "the pattern matches the empty text"
        lexer.jump(sizes.end())
        dims = tuple(
            None if size == "?" else int(size) for size in re.findall(r"\?|[0-9]+", sizes[1])
        )
        element = lexer.token
        if element.kind not in ("word", "bang"):
            lexer.fail(f"expected an element type, got {lexer.shown()}")
        lexer.take()
        if lexer.token.text == "<":
            lexer.skip_balanced()
        name = lexer.text[element.start : lexer.token.start].strip()
        if lexer.skip(","):  # bounds of dynamic sizes
            self.attribute()
        end = lexer.expect(">").start
        return ValueType(dims, ELEMENTS.get(name), lexer.text[start : end + 1])

    def types(self) -> tuple[ValueType, ...]:
        """Read one type, or types in parentheses; function types in the parentheses are refused."""
        if not self.lexer.skip("("):
            return (self.type(),)
        return tuple(self.lexer.listed(self.type, ")"))

    def attribute(self) -> AttributeValue:
        """Read an attribute."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            self.lexer.fail(f"attributes are nested more than {MAX_NESTING} deep")
        try:
            return self._attribute()
        finally:
            self._depth -= 1

    def untyped(self) -> AttributeValue:
        """Read an attribute; a number is read without a type.

        A colon after a number is left to the caller, because it starts the types of an op.
        """
        if self.lexer.token.kind == "number" or self.lexer.token.text == "-":
            return self._literal()[0]
        return self.attribute()

    def _attribute(self) -> AttributeValue:
        lexer, token = self.lexer, self.lexer.token
        match token.kind:
            case "string":
                lexer.take()
                self._skip_type()
                return unquoted(token.text)
            case "symbol":
                lexer.take()
                name = token.text[1:]
                return FunctionReference(unquoted(name) if name.startswith('"') else name)
            case "hash":
                return self._of_dialect()
            case "number":
                return self._number()
            case "bang":
                return self.type()
            case "word":
                return self._word()
            case _ if token.text == "-":
                return self._number()
            case _ if token.text == "[":
                lexer.take()
                return tuple(lexer.listed(self.attribute, "]"))
            case _ if token.text == "{":
                return self.dictionary()
            case _ if token.text == "(":
                return self.type()
            case _:
                lexer.fail(f"expected an attribute, got {lexer.shown()}")

    def _word(self) -> AttributeValue:
        lexer, token = self.lexer, self.lexer.token
        if token.text in self._words:
            lexer.take()
            return self._words[token.text]()
        if token.text in ("tensor", "tuple", "vector", "complex", "none", *ELEMENTS):
            return self.type()
        lexer.take()
        if lexer.token.text == "<":
            return Word(token.text + lexer.skip_balanced())
        return Word(token.text)

    def _skip_type(self) -> ValueType | None:
        return self.type() if self.lexer.skip(":") else None

    def _number(self) -> int | float:
        number, pattern = self._literal()
        type_ = self._skip_type()
        if type_ is None or type_.dtype is None:
            return number
        return self._converted([number], [pattern], type_.dtype).item()

    def _literal(self) -> tuple[int | float, bool]:
        """Read a number; return it, and whether the text states its bits.

        The bits of a float may be written as a hexadecimal number, such as ``0x7FC00000``.
        """
        lexer = self.lexer
        sign = -1 if lexer.skip("-") else 1
        token = lexer.token
        if token.kind == "word" and token.text in _SPECIAL:
            lexer.take()
            return sign * _SPECIAL[token.text], False
        if token.kind == "word" and token.text in ("true", "false"):
            lexer.take()
            return int(token.text == "true"), False
        text = lexer.expect_kind("number", "a number").text
        if text.startswith("0x"):
            return sign * int(text, 16), True
        return sign * (int(text) if text.isdigit() else float(text)), False

    def _converted(
        self, numbers: list[int | float], patterns: list[bool], dtype: Attribute
    ) -> np.ndarray:
        try:
            with np.errstate(all="ignore"):
                return _array_of(numbers, patterns, dtype)
        except (OverflowError, ValueError, TypeError) as err:
            self.lexer.fail(f"a number does not fit {dtype}: {err}")

    def _array(self) -> tuple[AttributeValue, ...]:
        """Read the rest of ``array<i64: 1, 2>`` after the word ``array``."""
        self.lexer.expect("<")
        self.lexer.take()  # the element type
        if not self.lexer.skip(":"):
            self.lexer.expect(">")
            return ()
        return tuple(self.lexer.listed(lambda: self._literal()[0], ">"))

    def dictionary(self) -> dict[str, AttributeValue]:
        """Read ``{a = 1, b}``; a name without a value is a unit attribute."""
        self.lexer.expect("{")
        return self._entries("}")

    def _entries(self, close: str) -> dict[str, AttributeValue]:
        return dict(self.lexer.listed(self._entry, close))

    def _entry(self) -> tuple[str, AttributeValue]:
        token = self.lexer.take()
        if token.kind not in ("word", "string"):
            self.lexer.fail(f"expected a name, got {token.text!r}", token.start)
        name = unquoted(token.text) if token.kind == "string" else token.text
        return name, self.attribute() if self.lexer.skip("=") else True

    def _of_dialect(self) -> AttributeValue:
        """Read an attribute of a dialect, such as ``#stablehlo.gather<…>``."""
        lexer, token = self.lexer, self.lexer.take()
        if lexer.token.text != "<":
            return Word(token.text)
        if token.text in ("#stablehlo", "#chlo") and re.match(
            r"<\s*\w+\s+\w+\s*>", lexer.text[lexer.token.start : lexer.token.start + 80]
        ):
            lexer.take()
            lexer.take()
            word = Word(lexer.take().text)
            lexer.expect(">")
            return word
        if token.text == "#stablehlo.conv":
            lexer.take()
            sides = self.dimension_numbers()
            lexer.expect(">")
            return sides
        if token.text.startswith("#stablehlo."):
            lexer.take()
            return self._entries(">")
        return Word(token.text + lexer.skip_balanced())

    def dimension_numbers(self) -> tuple[AttributeValue, ...]:
        """Read ``[b, 0, f]x[0, i, o]->[b, 0, f]``; return the letters and numbers of each side."""
        sides = [self._side()]
        self.lexer.expect("x")
        sides.append(self._side())
        self.lexer.expect("->")
        return (*sides, self._side())

    def _side(self) -> tuple[AttributeValue, ...]:
        self.lexer.expect("[")
        return tuple(self.lexer.listed(lambda: self.lexer.take().text, "]"))

    def _dense(self) -> Dense:
        lexer = self.lexer
        start = lexer.expect("<").start
        if lexer.token.kind == "string":
            data = lexer.take().text[1:-1]
            lexer.expect(">")
            return self._of_bytes(data, self._dense_type(), start)
        at = lexer.token.start
        numbers, patterns, shape = self._elements()
        has_pairs = "(" in lexer.text[at : lexer.token.start]
        lexer.expect(">")
        type_ = self._dense_type()
        assert type_.dtype is not None, "the type is checked"
        array = self._converted(numbers, patterns, _part(type_.dtype))
        if has_pairs != is_complex(type_) and numbers:
            wanted = "pairs of numbers" if is_complex(type_) else "numbers, not pairs"
            lexer.fail(f"a constant of type {type_.text} has {wanted}", start)
        if shape is not None and has_pairs:
            if shape[-1] != 2:
                lexer.fail("an element of a constant is no pair of numbers", start)
            array = array.reshape(-1, 2).view(_numpy(type_.dtype)).reshape(-1)
            shape = shape[:-1] or None
        if shape is None:
            return Dense(array.reshape(()), type_)
        if tuple(shape) != type_.dims and not (0 in type_.dims and not numbers):
            lexer.fail(
                f"the constant has sizes {tuple(shape)}, its type {type_.text} has others", start
            )
        return Dense(array.reshape([size or 0 for size in type_.dims]), type_)

    def _dense_type(self) -> ValueType:
        self.lexer.expect(":")
        at = self.lexer.token.start
        type_ = self.type()
        if type_.dtype is None or None in type_.dims:
            self.lexer.fail(f"constants of type {type_.text} are not supported", at)
        return type_

    def _elements(self) -> tuple[list[int | float], list[bool], list[int] | None]:
        """Read the elements of a constant; return the numbers, bit-pattern flags and sizes.

        A flag is true for a number that is the bit pattern of a float.  The sizes are None for a
        single number.
        """
        lexer = self.lexer
        numbers: list[int | float] = []
        patterns: list[bool] = []
        if lexer.token.text == ">":
            return numbers, patterns, [0]
        if lexer.token.text not in ("[", "("):
            number, pattern = self._literal()
            return [number], [pattern], None
        counts: list[int] = []  # of each open bracket
        shape: dict[int, int] = {}  # the size of each depth
        while True:
            if lexer.token.text in ("[", "("):
                lexer.take()
                counts.append(0)
            elif lexer.token.text not in ("]", ")"):
                number, pattern = self._literal()
                numbers.append(number)
                patterns.append(pattern)
                counts[-1] += 1
            while self._is_at("]") or self._is_at(")"):
                at = lexer.take().start
                count = counts.pop()
                if shape.setdefault(len(counts), count) != count:
                    lexer.fail("the rows of a constant differ in length", at)
                if not counts:
                    return numbers, patterns, [shape[depth] for depth in sorted(shape)]
                counts[-1] += 1
            if counts[-1]:
                lexer.expect(",")

    def _is_at(self, text: str) -> bool:
        return self.lexer.token.text == text

    def _of_bytes(self, data: str, type_: ValueType, start: int) -> Dense:
        """Return a constant whose elements are given as hexadecimal bytes.

        data: the hexadecimal digits.  start: the position of the constant in the text, for errors.
        """
        assert type_.dtype is not None, "the type is checked"
        dtype, count = _numpy(type_.dtype), math.prod(size or 0 for size in type_.dims)
        try:
            raw = bytes.fromhex(data.removeprefix("0x"))
        except ValueError:
            self.lexer.fail("the data of a constant is not hexadecimal", start)
        shape = [size or 0 for size in type_.dims]
        if type_.dtype == i1 and len(raw) == -(-count // 8) and count > 1:
            bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[:count]
            return Dense(bits.astype(bool).reshape(shape), type_)
        if type_.dtype == i1 and len(raw) == 1 and count > 1:
            return Dense(np.array(raw[0] != 0), type_)
        if len(raw) == dtype.itemsize and count != 1:
            return Dense(np.frombuffer(raw, dtype).reshape(()), type_)
        if len(raw) != count * dtype.itemsize or is_sub_byte(type_.dtype):
            self.lexer.fail(
                f"a constant of type {type_.text} has {len(raw)} bytes of data, not "
                f"{count * dtype.itemsize}",
                start,
            )
        array = np.frombuffer(raw, np.uint8 if type_.dtype == i1 else dtype)
        return Dense(array.astype(dtype, copy=False).reshape(shape), type_)

    def _dense_resource(self) -> Dense:
        """Read ``dense_resource<name> : type``; the data follows the module in the text.

        The data starts with four bytes that hold the alignment.
        """
        lexer = self.lexer
        lexer.expect("<")
        token = lexer.take()
        lexer.expect(">")
        name = unquoted(token.text) if token.kind == "string" else token.text
        type_ = self._dense_type()
        if name not in self.resources:
            lexer.fail(f"the text has no data for the resource {name!r}", token.start)
        data = self.resources[name].removeprefix("0x")
        return self._of_bytes(data[8:], type_, token.start)


def _part(dtype: Attribute) -> Attribute:
    return dtype.element_type if isinstance(dtype, ComplexType) else dtype


def _numpy(dtype: Attribute) -> np.dtype[Any]:
    numpy = numpy_dtype(_part(dtype))
    return np.result_type(numpy, np.complex64) if isinstance(dtype, ComplexType) else numpy


def _array_of(numbers: list[int | float], patterns: list[bool], dtype: Attribute) -> np.ndarray:
    """Convert the numbers of a constant to an array of the element type.

    An integer that exceeds the range of an integer type wraps around (modulo 2^bits).
    patterns: for each number, whether it is the bit pattern of a float, such as ``0x7FC00000``.
    Errors: OverflowError for a bit pattern that is longer than the float type, for an integer too
    large to become a float, and for an infinite number in an integer type; ValueError for NaN in an
    integer type; TypeError for a value that is not a number.
    """
    numpy = numpy_dtype(dtype)
    if dtype == i1:
        return np.array([bool(n) for n in numbers], numpy)
    if not is_float(dtype):
        width = 8 * numpy.itemsize
        wrapped = np.array([int(n) % 2**width for n in numbers], f"u{numpy.itemsize}")
        return wrapped.astype(numpy)
    given = [0.0 if p else float(n) for n, p in zip(numbers, patterns, strict=True)]
    out = np.array(given).astype(numpy)
    for at, number in enumerate(numbers):
        if patterns[at]:
            data = int(number).to_bytes(numpy.itemsize, "little")
            out[at] = np.frombuffer(data, numpy)[0]
    return out
