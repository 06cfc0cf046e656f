"""Constant tensors of a model: identity by content, data by reference.

``#graph.weight<"3f…">`` refers to an array in a store by its content key, so printing, comparing,
hashing and cloning are cheap. Weights of up to 64 elements print their values:
``#graph.weight<[1.0, 2.0] : tensor<2xf32>>``. The arrays of larger weights are stored in a file in
the safetensors format, next to the file of the printed IR.

A weight that is computed from parameters of a model (params.py) has a recipe, which lists the steps
of this computation. The printed IR does not contain recipes. Weights with different recipes are
different, because their values may be replaced independently in the compiled module.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, BinaryIO, Protocol, TypeAlias, cast
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Data, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..runtime.errors import ArgumentError
from ..runtime.file import safetensors
from ..support.diagnostics import ModelError
from ..support.ir_parser import BitPattern, parse_number, wide_float
from .dtypes import element_type, is_bool, is_float, numpy_dtype
from .recipes import MAX_CONSTANT_BYTES, PACK, PARAM, Recipe, apply_lazily, apply_step
from .shape import Tensor

Array: TypeAlias = NDArray[np.generic]

INLINE_ELEMENTS = 64
"""Weights of at most this many elements are printed with their values."""

_SAMPLE_BYTES = 1024
_COMPARED_BYTES = 1 << 20


class ModelParameter(Protocol):
    """A parameter of a model from which weights are computed."""

    @property
    def name(self) -> str:
        """The name of the initializer."""
        ...

    def refuse(self, reason: str) -> None:
        """Record why the values of the parameter cannot be replaced."""
        ...


class Weight:
    """An array that is identified by its dtype, shape and bytes, and by its recipe.

    Equality compares bytes, because most different weights differ in their first bytes. The key is
    computed on first use, because hashing all bytes is slow.
    recipe: the computation of the array from parameters, or None. sources: the parameters from
    which the array is computed.
    """

    __slots__ = ("_hash", "_key", "array", "recipe", "sources")

    def __init__(
        self,
        array: Array,
        key: str = "",
        recipe: Recipe | None = None,
        sources: tuple[ModelParameter, ...] = (),
    ) -> None:
        self.array, self.recipe, self.sources = array, recipe, sources
        self._key = key
        self._hash = hash((array.dtype.name, array.shape, _sample(array)))

    @property
    def key(self) -> str:
        """The content key; the first use registers the array in the store.

        If the store already contains an equal array, this weight refers to that array from then on.
        """
        if not self._key:
            self._key = content_key(self.array)
            self.array = STORE.add(self._key, self.array)
        return self._key

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Weight):
            return NotImplemented
        mine, yours = self.array, other.array
        return self.recipe == other.recipe and (
            mine is yours
            or (
                self._hash == other._hash
                and mine.dtype == yours.dtype
                and mine.shape == yours.shape
                and _equal_bytes(mine, yours)
            )
        )

    def __repr__(self) -> str:
        return f"Weight({self.key!r})"


class WeightStore:
    """A map of weak references, by content key, in which the parser looks up weights."""

    def __init__(self) -> None:
        self._arrays: WeakValueDictionary[str, Array] = WeakValueDictionary()

    def add(self, key: str, array: Array) -> Array:
        """Return the array with this key; register ``array`` if there is none."""
        return self._arrays.setdefault(key, array)

    def find(self, key: str) -> Array | None:
        """Return the array with this key, or None if it is not in memory any more."""
        return self._arrays.get(key)


STORE = WeightStore()
"""The arrays of all weights that exist in this process and whose keys are known."""


def _flat(array: Array) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def content_key(array: Array) -> str:
    """Return the content key of an array: a hash of dtype, shape and bytes in 24 hex digits."""
    digest = hashlib.blake2b(f"{array.dtype.name}{array.shape}".encode(), digest_size=12)
    digest.update(_flat(array).data)
    return digest.hexdigest()


def _sample(array: Array) -> bytes:
    """Return the bytes to hash: all, or for a large array its first and equidistant elements."""
    if array.nbytes <= 2 * _SAMPLE_BYTES:
        return array.tobytes()
    count = _SAMPLE_BYTES // array.itemsize
    return array.flat[:count].tobytes() + array.flat[:: array.size // count].tobytes()


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def _equal_bytes(mine: Array, yours: Array) -> bool:
    lhs, rhs = _flat(mine), _flat(yours)
    return all(
        np.array_equal(lhs[at : at + _COMPARED_BYTES], rhs[at : at + _COMPARED_BYTES])
        for at in range(0, lhs.size, _COMPARED_BYTES)
    )


@irdl_attr_definition
class WeightAttr(Data[Weight]):
    """A constant tensor; two are equal exactly if dtype, shape, bytes and recipe are equal."""

    name = "graph.weight"

    @staticmethod
    def of(array: Array) -> WeightAttr:
        """Return the attribute of an array; the caller must not change the array afterwards."""
        return WeightAttr(Weight(_read_only(np.asarray(array, order="C"))))

    @staticmethod
    def of_param(array: Array, source: ModelParameter) -> WeightAttr:
        """Return the attribute of a weight that consists of the values of one parameter.

        array: the values. source: the parameter.
        """
        view = WeightAttr.of(array).stored
        return WeightAttr(Weight(view, "", Recipe(PARAM, (source.name,)), (source,)))

    @staticmethod
    def derived(step: str, operands: Sequence[WeightAttr], *arguments: Any) -> WeightAttr:
        """Apply a step of a recipe to weights; return the resulting weight, with its recipe.

        Errors: NotReplayable if the step does not apply to the values.
        """
        # Packing is lazy: weights in a kernel's layout are copied once, into the program's data.
        apply = apply_lazily if step == PACK else apply_step
        made = WeightAttr(Weight(_read_only(apply(step, [w.stored for w in operands], arguments))))
        if not any(each.sources for each in operands):
            return made
        return made.following_from(operands, _recipe(step, operands, arguments))

    def following_from(
        self, operands: Sequence[WeightAttr], recipe: Recipe | None, reason: str = ""
    ) -> WeightAttr:
        """Return this weight with a recipe that computes it from ``operands``.

        If no recipe computes exactly these values (``recipe`` is None), the weight is returned
        unchanged, and the values of all parameters behind the operands become irreplaceable;
        ``reason`` says why, for users.
        """
        sources = tuple(dict.fromkeys(s for each in operands for s in each.sources))
        if not sources:
            return self
        if recipe is not None:
            return WeightAttr(Weight(self.stored, "", recipe, sources))
        for source in sources:
            source.refuse(reason or "the compiler combined it with a large constant")
        return self

    @property
    def sources(self) -> tuple[ModelParameter, ...]:
        """The parameters from which the weight is computed."""
        return self.data.sources

    @property
    def key(self) -> str:
        """The content key, by which printed IR refers to the array."""
        return self.data.key

    @property
    def stored(self) -> Array:
        """The values as a shared read-only array, for code that does not depend on them."""
        return self.data.array

    @property
    def array(self) -> Array:
        """The values as a shared read-only array; marks the parameters as not replaceable."""
        for source in self.sources:
            source.refuse("the code depends on its values")
        return self.data.array

    @property
    def recipe(self) -> Recipe | None:
        """The recipe of the weight; a small weight that depends on no parameter has one, too."""
        if self.data.recipe is None and self.stored.nbytes <= MAX_CONSTANT_BYTES:
            return Recipe.of_constant(self.stored)
        return self.data.recipe

    @property
    def type(self) -> Tensor:
        """The tensor type of the values."""
        return TensorType(element_type(self.stored.dtype), self.stored.shape)

    @property
    def is_inline(self) -> bool:
        """Whether the printed IR contains the values: few elements, or all elements equal."""
        return self.stored.size <= INLINE_ELEMENTS or _is_splat(self.stored)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Weight:
        with parser.in_angle_brackets():
            key = parser.parse_optional_str_literal()
            if key is None:
                return _parse_values(parser)
            array = STORE.find(key)
            if array is None:
                raise ModelError(
                    f"weight {key} is not loaded",
                    hint="load the weights file of the text, and keep the returned weights",
                )
            return Weight(array, key)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if not self.is_inline:
                printer.print_string_literal(self.key)
                return
            flat = self.stored.reshape(-1)
            if flat.size > INLINE_ELEMENTS:
                printer.print_string(f"splat {_value_text(flat[0])} : ")
            else:
                printer.print_string(f"[{', '.join(map(_value_text, flat))}] : ")
            printer.print_attribute(self.type)


def _recipe(step: str, operands: Sequence[WeightAttr], arguments: Sequence[Any]) -> Recipe | None:
    recipes = [each.recipe for each in operands]
    known = [each for each in recipes if each is not None]
    return None if len(known) < len(recipes) else Recipe(step, tuple(arguments), tuple(known))


def _is_splat(array: Array) -> bool:
    rows = _flat(array).reshape(array.size, -1)
    few = rows[:INLINE_ELEMENTS]
    return bool((few == rows[0]).all() and (rows == rows[0]).all())


def _value_text(value: np.generic) -> str:
    kind = element_type(value.dtype)
    if is_bool(kind):
        return "true" if value else "false"
    if not is_float(kind):
        return str(int(cast(Any, value)))
    number = float(cast(Any, value))
    if not math.isfinite(number):
        return f'"0x{value.tobytes()[::-1].hex()}"'
    # Print the fewest digits unless parsing them as f64 and rounding changes the value.
    text = str(value)
    text = text if value.dtype.type(float(text)) == value else repr(number)
    if "." in text:
        return text
    return text.replace("e", ".0e") if "e" in text else text + ".0"


def _parse_values(parser: AttrParser) -> Weight:
    start = parser.pos
    is_splat = parser.parse_optional_keyword("splat") is not None
    values = (
        [_parse_value(parser)]
        if is_splat
        else parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_value(parser)
        )
    )
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    if not isinstance(type_, TensorType):
        parser.raise_error("expected a tensor type", start, parser.pos)
    tensor = cast(Tensor, type_)
    dtype = numpy_dtype(tensor.element_type)
    try:
        items = [_value(v, dtype) for v in values]
    except (ValueError, OverflowError):
        parser.raise_error(f"expected values of {tensor.element_type}", start, parser.pos)
    shape = tensor.get_shape()
    if is_splat:
        return WeightAttr.of(np.full(shape, items[0], dtype)).data
    if len(items) != math.prod(shape):
        parser.raise_error(
            f"expected {math.prod(shape)} values, got {len(items)}", start, parser.pos
        )
    return WeightAttr.of(np.array(items, dtype).reshape(shape)).data


def _parse_value(parser: AttrParser) -> bool | int | float | str:
    literal = parser.parse_optional_str_literal()
    if literal is not None:
        return literal
    flag = parser.parse_optional_boolean()
    return parse_number(parser) if flag is None else flag


def _value(value: bool | int | float | str, dtype: np.dtype[np.generic]) -> np.generic:
    """Convert a value to a dtype; a float that is too large becomes infinite.

    Errors: ValueError or OverflowError if the dtype cannot represent the value or bit pattern.
    """
    if isinstance(value, str):
        return np.frombuffer(bytes.fromhex(value.removeprefix("0x"))[::-1], dtype)[0]
    if is_float(element_type(dtype)):
        if isinstance(value, BitPattern):
            return np.frombuffer(value.to_bytes(dtype.itemsize, "little"), dtype)[0]
        with np.errstate(over="ignore"):
            return dtype.type(wide_float(value))
    return dtype.type(value)


def drop_recipes(op: Operation) -> None:
    """Remove the recipes of all weights in an op, so that the op equals its parsed text."""
    for each in op.walk():
        for name, attr in each.properties.items():
            if isinstance(attr, WeightAttr) and attr.data.recipe is not None:
                each.properties[name] = WeightAttr(Weight(attr.stored))


def weights_of(root: Operation) -> dict[str, Array]:
    """Return, by key, the arrays of all weights to which the printed IR of an op refers."""
    found: dict[str, Array] = {}
    for op in root.walk():
        for attr in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attr, WeightAttr) and not attr.is_inline:
                found[attr.key] = attr.stored
    return found


def save_weights(root: Operation, path: str | PathLike[str]) -> None:
    """Write the arrays of an op's weights to a file in the safetensors format.

    They are the weights to which the printed IR of the op refers by key.
    """
    write_arrays(weights_of(root), path)


def load_weights(path: str | PathLike[str]) -> dict[str, Array]:
    """Return the arrays of a weights file; the parser finds them as long as they are in memory.

    Errors: ModelError if the file is not in this format, or if an array does not match its key.
    """
    arrays = read_arrays(path)
    for key, array in arrays.items():
        if content_key(array) != key:
            raise ModelError(
                "weights file is damaged",
                expected=key,
                got=content_key(array),
                hint="write the weights again with --save-weights",
            ).named(str(path))
    return register_weights(arrays)


def register_weights(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Make arrays available to the parser as long as they are in memory; return them by key."""
    return {key: STORE.add(key, array) for key, array in arrays.items()}


def write_arrays(arrays: Mapping[str, Array], path: str | PathLike[str]) -> None:
    """Write named arrays to a file in the safetensors format."""
    with open(path, "wb") as file:
        write_arrays_to(arrays, file)


def write_arrays_to(arrays: Mapping[str, Array], file: BinaryIO) -> None:
    """Write named arrays in the safetensors format; the data start at a multiple of 64 bytes."""
    for part in safetensors.parts(arrays):
        file.write(part)


def read_arrays(path: str | PathLike[str]) -> dict[str, Array]:
    """Return the named arrays of a safetensors file, memory-mapped and read-only."""
    try:
        # An empty file cannot be mapped.
        is_empty = os.path.getsize(path) == 0
        return arrays_in(np.empty(0, np.uint8) if is_empty else np.memmap(path, np.uint8, "r"))
    except ModelError as err:
        raise err.named(str(path)) from err


def arrays_in(blob: NDArray[np.uint8]) -> dict[str, Array]:
    """Return the named arrays in the bytes of a safetensors file, without a copy.

    Errors: ModelError if the bytes are not in this format.
    """
    try:
        return safetensors.arrays_in(blob)
    except ArgumentError as err:
        raise ModelError(
            "the weights file is not in the safetensors format",
            got=err.got,
            hint="write the file with tw-opt --save-weights",
        ) from err
