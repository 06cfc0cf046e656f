"""Convert RegexFullMatch and StringSplit by automata that read the bytes of strings.

A graph.scan over the positions of bytes reads one byte of each string per step, and carries the
state of the automaton (text/automaton.py) for each string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import i64

from ....dialects.graph import CumulativeOp, GatherElementsOp, GatherOp, ScanOp
from ....dialects.shape import Dim, element_count, tensor_type
from ....support.diagnostics import UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter
from ..values import StringTensor
from .automaton import ACCEPT, Automaton, delimiter_ends, matcher

ZERO, ONE = Dim.const(0), Dim.const(1)
SPACES = [
    chr(code).encode()
    for code in (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
                 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
]  # fmt: skip
"""All white-space characters of Unicode, as in Python."""


def regex_full_match(node: Node, b: Builder) -> Tensor:
    """Return a mask of the strings that a regular expression matches from start to end."""
    # One more byte: the end of the longest string.
    x = _ended(node.text_at(0).data, b)
    return b.apply("eq", _states(matcher(node.text("pattern")), x, b)[0], ACCEPT)


def string_split(node: Node, b: Builder) -> tuple[StringTensor, Tensor]:
    """Split strings; return the substrings along a new axis, and their number per string.

    Without a delimiter, white space at both ends is removed, and each sequence of white space is
    one delimiter, as in onnxruntime, whose only white space is the space. An empty string that is
    split by a delimiter is one substring, as in `onnx.reference`; onnxruntime counts none.
    """
    if b.outer is not None:
        raise UnsupportedOp("the number of substrings is not known inside a loop or a branch")
    delimiter, most = node.text("delimiter", "").encode(), node.integer("maxsplit", -1)
    x = _ended(node.text_at(0).data, b)
    last = x.rank - 1
    split = _at_delimiter(delimiter, most, x, b) if delimiter else _at_spaces(most, x, b)
    counts = b.reshape(split.count, (element_count(split.count.dims),))
    count = b.apply("max", _reduced(counts, "max", b), 0)
    number = b.computed_size(count)
    # Two more axes of the results: the substrings, and the bytes of each.
    substrings = b.iota((number, ONE), 0)
    owner = b.reshape(split.owner, (*x.dims[:-1], ONE, x.dims[-1]))
    counted = b.reshape(split.counted, owner.dims)
    first = b.reduce(b.cast(b.apply("lt", owner, substrings), i64), "sum", (last + 1,))
    is_owned = b.cast(b.apply("eq", owner, substrings), i64)
    size = b.reduce(b.apply("mul", is_owned, counted), "sum", (last + 1,))
    offset = b.iota((x.dims[-1],), 0)
    position = b.apply("min", b.apply("add", first, offset), b.size(x.dims[-1] - 1))
    source = b.broadcast_to(b.reshape(x, owner.dims), position.dims)
    found = b.emit(GatherElementsOp(b.ssa(source), b.ssa(position), last + 1))
    return StringTensor(b.select(b.apply("lt", offset, size), found, 0)), split.count


@dataclass(frozen=True)
class _StringSplit:
    """The division of strings into substrings, as properties of their bytes.

    owner: for each byte, the number of the substring to which it belongs, which never decreases
    along a string; -1 before the first substring.
    counted: for each byte, 1 if it counts for the length of its substring, else 0, or a negative
    correction; the sum over a substring is its length.
    count: for each string, the number of substrings.
    """

    owner: Tensor
    counted: Tensor
    count: Tensor


def _at_delimiter(delimiter: bytes, most: int, x: Tensor, b: Builder) -> _StringSplit:
    """Split strings at each occurrence of a delimiter.

    The bytes of a delimiter belong to the substring before it, but do not count for its length.
    most: the largest number of splits; a negative number is no limit.  x: the bytes of the strings.
    """
    size = _delimiter_size([delimiter], x, b)
    is_end = b.cast(b.apply("lt", b.scalar(0, i64), size), i64)
    before = b.emit(CumulativeOp(b.ssa(is_end), kind="sum", axis=x.rank - 1, exclusive=True))
    counted = b.apply("sub", b.cast(_is_byte(x, b), i64), size)
    count = _reduced(is_end, "sum", b)
    if most >= 0:
        counted = b.select(b.apply("lt", before, most), counted, b.cast(_is_byte(x, b), i64))
        before, count = b.apply("min", before, most), b.apply("min", count, most)
    return _StringSplit(before, counted, b.apply("add", count, 1))


def _at_spaces(most: int, x: Tensor, b: Builder) -> _StringSplit:
    """Split strings at sequences of white space.

    most: the largest number of splits; a negative number is no limit.  x: the bytes of the strings.
    """
    last = x.rank - 1
    size, is_space = _delimiter_size(SPACES, x, b), None
    for ahead in range(max(map(len, SPACES))):
        # A byte is a space's if one ends here or behind that is long enough.
        behind = b.slice(b.padded(size, last, ZERO, Dim.const(ahead), 0), last, ahead, x.dims[last])
        covers = b.apply("lt", b.scalar(ahead, i64), behind)
        is_space = covers if is_space is None else b.apply("or", is_space, covers)
    assert is_space is not None, "white space has bytes"
    is_word = b.apply("and", _is_byte(x, b), b.apply("not", is_space))
    word = b.cast(is_word, i64)
    before = b.slice(b.padded(word, last, ONE, ZERO, 0), last, 0, x.dims[last])
    starts = b.cast(b.apply("lt", before, word), i64)
    words = b.emit(CumulativeOp(b.ssa(starts), kind="sum", axis=last))
    owner, count = b.apply("sub", words, 1), _reduced(starts, "sum", b)
    if most >= 0:
        # The last substring has spaces inside, but not behind its last word.
        end = b.reduce(b.apply("mul", word, b.iota(x.dims, last)), "max", (last,))
        is_inside = b.apply("lt", b.iota(x.dims, last), end)
        is_last = b.apply("le", b.scalar(most, i64), owner)
        word = b.cast(b.apply("or", is_word, b.apply("and", is_last, is_inside)), i64)
        owner, count = b.apply("min", owner, most), b.apply("min", count, most + 1)
    return _StringSplit(owner, word, count)


def _delimiter_size(delimiters: Sequence[bytes], x: Tensor, b: Builder) -> Tensor:
    automaton, sizes = delimiter_ends(delimiters)
    state = _states(automaton, x, b)[1]
    return b.emit(GatherOp(b.ssa(Tensor.of_array(sizes)), b.ssa(state), 0))


def _states(automaton: Automaton, x: Tensor, b: Builder) -> tuple[Tensor, Tensor]:
    """Run an automaton on all strings; return the state after each string and after each byte.

    x: the bytes of the strings, along the last axis.
    """
    last = x.rank - 1
    table = b.ssa(Tensor.of_array(automaton.table.reshape(-1).astype(np.int64)))
    classes = Tensor.of_array(automaton.classes.astype(np.int64))
    read = b.emit(GatherOp(b.ssa(classes), b.ssa(b.cast(x, i64)), 0))
    read = b.transpose(read, (last, *range(last)))
    first = b.broadcast_to(b.scalar(automaton.first, i64), read.dims[1:])
    inner = b.region([tensor_type(i64, read.dims[1:])] * 2)
    state, byte = inner.arguments()
    row = inner.apply("mul", state, automaton.table.shape[1])
    following = inner.emit(GatherOp(table, inner.ssa(inner.apply("add", row, byte)), 0))
    body = inner.yields(following, following)
    final, states = b.emit_all(ScanOp(read.dims[0], [b.ssa(first)], [b.ssa(read)], body))
    return final, b.transpose(states, (*range(1, x.rank), 0))


def _ended(x: Tensor, b: Builder) -> Tensor:
    return b.padded(x, x.rank - 1, ZERO, ONE, 0)


def _is_byte(x: Tensor, b: Builder) -> Tensor:
    """Return a mask of the bytes that belong to strings, not to the zeros after their end."""
    return b.apply("lt", b.scalar(0, x.dtype), x)


def _reduced(x: Tensor, kind: str, b: Builder) -> Tensor:
    return b.reduce(x, kind, (x.rank - 1,), keep=False)


CONVERTERS = (
    OpConverter("RegexFullMatch", regex_full_match, since=20, texts=True),
    OpConverter("StringSplit", string_split, since=20, texts=True),
)
