"""Convert operators on strings to ops on the bytes of a `values.StringTensor`.

Equal, StringConcat, StringNormalizer, and of ai.onnx.ml LabelEncoder and OneHotEncoder.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import f32, i1, i32, i64

from ....dialects.graph import GatherElementsOp, GatherOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..converters.classes import DOMAIN, elements_at
from ..converters.features import default_of, keys_and_values
from ..converters.selection import positions
from ..node import Node, OpConverter
from ..values import StringTensor

ZERO = Dim.const(0)


def _extended(x: Tensor, more: Dim, b: Builder) -> Tensor:
    return b.padded(x, x.rank - 1, ZERO, more, 0)


def _all(x: Tensor, b: Builder) -> Tensor:
    held = b.reduce(b.cast(x, i32), "min", (x.rank - 1,), keep=False)
    return b.cast(held, i1)


def equal(node: Node, b: Builder) -> Tensor:
    """Return a mask of the positions at which two tensors (broadcast) have equal strings."""
    lhs, rhs = node.text_at(0), node.text_at(1)
    same = b.apply("eq", _extended(lhs.data, rhs.length, b), _extended(rhs.data, lhs.length, b))
    return _all(same, b)


def string_concat(node: Node, b: Builder) -> StringTensor:
    """Concatenate the strings of two tensors elementwise; the tensors are broadcast."""
    lhs, rhs = node.text_at(0), node.text_at(1)
    first, second = b.broadcast(
        _extended(lhs.data, rhs.length, b), _extended(rhs.data, lhs.length, b)
    )
    last = first.rank - 1
    size = b.reduce(b.cast(b.apply("not", b.apply("eq", first, 0)), i64), "sum", (last,))
    at = b.iota(first.dims, last, i64)
    behind = b.apply("max", b.apply("sub", at, size), 0)
    moved = b.emit(GatherElementsOp(b.ssa(second), b.ssa(behind), last))
    return StringTensor(b.select(b.apply("lt", at, size), first, moved))


def is_one_of(x: StringTensor, keys: np.ndarray, b: Builder) -> Tensor:
    """Compare each string with each key; return a mask.

    The mask has the shape of the strings, with an additional last axis for the keys.
    """
    table = StringTensor.of_array(keys).data.values()
    assert table is not None, "the keys are known"
    # The byte behind a key must be 0, the end of the string.
    table = np.pad(table, ((0, 0), (0, 1)))
    width = table.shape[1]
    start = b.slice(_extended(x.data, Dim.const(width), b), x.data.rank - 1, 0, width)
    wide = b.reshape(start, (*start.dims[:-1], 1, width))
    return _all(b.apply("eq", wide, Tensor.of_array(table)), b)


def first_of(is_key: Tensor, b: Builder) -> Tensor:
    """Return the position of the first true element along the last axis.

    If no element is true, the position is the size of the axis.
    """
    count = is_key.dims[-1].value or 0
    positions = Tensor.of_array(np.arange(count, dtype=np.int64))
    chosen = b.select(is_key, positions, b.scalar(count, i64))
    return b.reduce(chosen, "min", (is_key.rank - 1,), keep=False)


def label_encoder(node: Node, b: Builder) -> Tensor | StringTensor:
    """Replace each string by the value of its key, or by a default if it is no key."""
    keys, values = keys_and_values(node)
    if keys.dtype != np.object_:
        raise ModelError("the keys of strings are no strings", got=keys.dtype)
    position = first_of(is_one_of(node.text_at(0), keys, b), b)
    table = np.empty(len(values) + 1, values.dtype)
    table[:-1], table[-1] = values, default_of(node, values)
    return elements_at(table, position, b)


def one_hot_encoder(node: Node, b: Builder) -> Tensor:
    """Append an axis in which an element is 1 at the position of the string's category, and else 0.

    For a string that is no known category, all elements are 0.
    """
    if not node.integer("zeros", 1):
        raise UnsupportedOp("zeros = 0 is not supported: an unknown category ends the call")
    keys = np.asarray(node.texts("cats_strings"), object)
    return b.cast(is_one_of(node.text_at(0), keys, b), f32)


def string_normalizer(node: Node, b: Builder) -> StringTensor:
    """Remove stop words, and change the case; one empty string remains if all are removed."""
    x = node.text_at(0).data
    if x.rank not in (2, 3):
        raise ModelError("input 0 has a wrong rank", expected="1 or 2", got=x.rank - 1)
    action = node.text("case_change_action", "NONE")
    if action not in ("NONE", "LOWER", "UPPER"):
        raise ModelError("the action is unknown", expected="NONE, LOWER or UPPER", got=action)
    rows = b.reshape(x, x.dims[-2:])
    words = node.texts("stopwords", ())
    if words:
        compared = rows
        if not node.integer("is_case_sensitive", 0):
            compared = _with_case(rows, "LOWER", b)
            words = ["".join(other_case(c, "LOWER") for c in word) for word in words]
        keys = np.asarray(words, object)
        is_word = b.reduce(
            b.cast(is_one_of(StringTensor(compared), keys, b), i32), "max", (1,), keep=False
        )
        keeps = b.apply("eq", is_word, 0)
        is_empty = b.apply("eq", b.reduce(b.cast(keeps, i32), "max", (0,)), 0)
        empty = b.broadcast_to(b.scalar(0, rows.dtype), (Dim.const(1), rows.dims[1]))
        kept = positions(b.concat([keeps, is_empty], 0), b)
        at = b.reshape(kept, (kept.dims[1],))
        rows = b.emit(GatherOp(b.ssa(b.concat([rows, empty], 0)), b.ssa(at), 0))
    if action != "NONE":
        rows = _with_case(rows, action, b)
    return StringTensor(b.reshape(rows, (*x.dims[:-2], *rows.dims)))


def other_case(character: str, action: str) -> str:
    """Return a character in lower or upper case.

    The character is returned unchanged unless both cases have one byte, or both have two bytes, in
    UTF-8.
    action: LOWER or UPPER.
    """
    made = character.lower() if action == "LOWER" else character.upper()
    lengths = len(made.encode()), len(character.encode())
    return made if len(made) == 1 and lengths in ((1, 1), (2, 2)) else character


def _with_case(x: Tensor, action: str, b: Builder) -> Tensor:
    """Change the case of those characters in strings that have one or two bytes.

    A table contains the new bytes of each character. It is indexed by the byte of a one-byte
    character, and by the 11 bits x of a two-byte character 110xxxxx 10xxxxxx.
    x: the bytes of the strings.  action: LOWER or UPPER.
    """
    last, zero = x.rank - 1, b.broadcast_to(b.scalar(0, x.dtype), (*x.dims[:-1], Dim.const(1)))
    following = b.slice(b.concat([x, zero], last), last, 1, x.dims[last])
    before = b.slice(b.concat([zero, x], last), last, 0, x.dims[last])
    single = np.array([ord(other_case(chr(c), action)) if c < 128 else c for c in range(256)])
    pairs = [other_case(chr(c), action).encode() if c >= 128 else b"  " for c in range(2048)]

    def changed(table: list[int] | np.ndarray, at: Tensor) -> Tensor:
        constant = Tensor.of_array(np.asarray(table, np.uint8))
        return b.emit(GatherOp(b.ssa(constant), b.ssa(b.cast(at, i64)), 0))

    def pair(first: Tensor, second: Tensor) -> Tensor:
        high = b.apply("mul", b.apply("and", b.cast(first, i64), 31), 64)
        return b.apply("add", high, b.apply("and", b.cast(second, i64), 63))

    def leads(byte: Tensor) -> Tensor:
        return b.apply("eq", b.apply("and", byte, 0xE0), 0xC0)

    second = changed([each[1] for each in pairs], pair(before, x))
    made = b.select(leads(before), second, changed(single, x))
    return b.select(leads(x), changed([each[0] for each in pairs], pair(x, following)), made)


CONVERTERS = (
    OpConverter("StringNormalizer", string_normalizer, since=10, texts=True),
    OpConverter("Equal", equal, since=19, texts=True),
    OpConverter("StringConcat", string_concat, since=20, texts=True),
    OpConverter("LabelEncoder", label_encoder, since=1, domain=DOMAIN, texts=True),
    OpConverter("OneHotEncoder", one_hot_encoder, since=1, domain=DOMAIN, texts=True),
)
