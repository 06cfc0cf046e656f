"""Finite automata over the bytes of strings: for regular expressions, and for delimiters.

The table of an automaton gives the next state for each state and class of bytes. Byte 0 ends each
string.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ....support.diagnostics import UnsupportedOp
from .regex import Alternation, Assertion, Characters, Expression, Range, Repetition, Series, parse

MAX_POSITIONS = 20_000
"""The largest number of positions in a pattern after its repetitions are expanded."""
MAX_STATES = 2_000
REJECT, ACCEPT = 0, 1
"""The final states of an automaton, reached after byte 0."""
SURROGATES = range(0xD800, 0xE000)
WORD = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
END, WORDS, NEWLINES, OTHERS = range(4)
"""Kinds of bytes that assertions distinguish; the byte before the first has kind END."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """A deterministic automaton over bytes.

    classes: the class number of each byte; all bytes of a class lead to the same states.  table:
    the next state by state and class.  first: the state before the first byte.
    """

    classes: np.ndarray
    table: np.ndarray
    first: int


def matcher(pattern: str) -> Automaton:
    """Return the automaton that decides whether a string matches a regular expression fully.

    Errors: ModelError for a malformed pattern; UnsupportedOp if it needs too many states.
    """
    return _Subsets(_Positions.of(parse(pattern)), pattern).automaton()


def delimiter_ends(delimiters: Sequence[bytes]) -> tuple[Automaton, np.ndarray]:
    """Return an automaton that finds delimiters from left to right, without overlaps.

    The second result is an array by state: the length of the delimiter that ends with the byte that
    led to the state, or 0 if no delimiter ends there.
    Before: no delimiter is a suffix of another delimiter.
    """
    prefixes = sorted({each[:n] for each in delimiters for n in range(len(each) + 1)})
    number = {prefix: n for n, prefix in enumerate(prefixes)}
    table = np.zeros((len(prefixes), 256), np.int32)
    for prefix in prefixes:
        for byte in range(256):
            # After a delimiter, the next one starts anew.
            read = (b"" if prefix in delimiters else prefix) + bytes([byte])
            longest = next(read[n:] for n in range(len(read) + 1) if read[n:] in number)
            table[number[prefix], byte] = number[longest]
    lengths = [len(prefix) if prefix in delimiters else 0 for prefix in prefixes]
    return Automaton(np.arange(256), table, number[b""]), np.asarray(lengths)


Edge: TypeAlias = tuple[int, int, int]
"""A transition: the first and the last value of a byte, and the position that follows."""


@dataclass
class _Positions:
    """A nondeterministic automaton, whose states are positions in a pattern.

    edges: by position, the ranges of bytes that lead to other positions.  jumps: by position, the
    positions that are reached without reading a byte; each with the assertion that must hold there,
    or an empty string.
    shared: the positions inside a multi-byte character, by the ranges of the bytes that follow and
    the position after the character.
    last: the position at which the whole pattern has matched.
    """

    edges: list[list[Edge]] = field(default_factory=list)
    jumps: list[list[tuple[str, int]]] = field(default_factory=list)
    shared: dict[tuple[tuple[Range, ...], int], int] = field(default_factory=dict)
    last: int = 0

    @staticmethod
    def of(expression: Expression) -> _Positions:
        made = _Positions()
        made.last = made._add(expression, made._new())
        return made

    def _new(self) -> int:
        if len(self.edges) == MAX_POSITIONS:
            raise UnsupportedOp(
                "the pattern is too long once its repetitions are written out",
                expected=f"at most {MAX_POSITIONS} positions",
                hint="repeat fewer times, or without a limit",
            )
        self.edges.append([])
        self.jumps.append([])
        return len(self.edges) - 1

    def _jump(self, source: int, target: int, assertion: str = "") -> None:
        self.jumps[source].append((assertion, target))

    def _add(self, x: Expression, start: int) -> int:
        """Add the positions of an expression to the automaton; return the position after it.

        start: the position before the expression.
        """
        match x:
            case Characters(ranges):
                end = self._new()
                for low, high in ranges:
                    for first, *rest in encoded_ranges(low, high):
                        self.edges[start].append((*first, self._before(rest, end)))
            case Assertion(name):
                end = self._new()
                self._jump(start, end, name)
            case Series(parts):
                end = start
                for part in parts:
                    end = self._add(part, end)
            case Alternation(options):
                end = self._new()
                for option in options:
                    self._jump(self._add(option, start), end)
            case Repetition():
                end = self._add_repetition(x, start)
        return end

    def _before(self, spans: Sequence[Range], end: int) -> int:
        """Return a position from which a sequence of bytes leads to the position ``end``.

        spans: the ranges of the bytes, in order.  Equal ranges before the same end share a
        position.
        """
        if not spans:
            return end
        key = tuple(spans), end
        if key not in self.shared:
            self.shared[key] = position = self._new()
            self.edges[position].append((*spans[0], self._before(spans[1:], end)))
        return self.shared[key]

    def _add_repetition(self, x: Repetition, start: int) -> int:
        for _ in range(x.low):
            start = self._add(x.part, start)
        end = self._new()
        if x.high is None:
            self._jump(start, end)
            self._jump(self._add(x.part, end), end)
            return end
        for _ in range(x.high - x.low):
            self._jump(start, end)
            start = self._add(x.part, start)
        self._jump(start, end)
        return end

    def reached(self, positions: Iterable[int], before: int, following: int) -> set[int]:
        """Return ``positions`` and all positions that are reached from them without reading a byte.

        before, following: the kinds of the bytes before and after the positions, for assertions.
        """
        found, left = set(positions), list(positions)
        while left:
            for assertion, target in self.jumps[left.pop()]:
                if target not in found and _holds(assertion, before, following):
                    found.add(target)
                    left.append(target)
        return found


def _holds(assertion: str, before: int, following: int) -> bool:
    """Return whether an assertion holds between two bytes.

    before, following: the kinds of the two bytes, such as `WORDS`; `END` outside of the string.
    """
    match assertion:
        case "":
            return True
        case "text start":
            return before == END
        case "text end":
            return following == END
        case "line start":
            return before in (END, NEWLINES)
        case "line end":
            return following in (END, NEWLINES)
        case _:
            is_boundary = (before == WORDS) != (following == WORDS)
            return is_boundary == (assertion == "boundary")


def _kind(byte: int) -> int:
    if byte == 0:
        return END
    return WORDS if byte in WORD else NEWLINES if byte == ord("\n") else OTHERS


def encoded_ranges(low: int, high: int) -> Iterator[list[Range]]:
    """Yield the UTF-8 encodings of a range of code points, as sequences of byte ranges.

    A sequence stands for all encodings whose first byte is in its first range, whose second byte is
    in its second range, and so on.
    """
    bounds = (0x80, 0x800, SURROGATES.start, SURROGATES.stop, 0x10000)
    cut = next((bound for bound in bounds if low < bound <= high), None)
    if cut is not None:
        yield from encoded_ranges(low, cut - 1)
        yield from encoded_ranges(cut, high)
        return
    if low in SURROGATES:
        return
    # Cut until all bytes but the first different one take all values.
    for shift in (6, 12, 18):
        mask = (1 << shift) - 1
        if low >> shift == high >> shift or high < 0x80:
            continue
        if low & mask:
            yield from encoded_ranges(low, low | mask)
            yield from encoded_ranges((low | mask) + 1, high)
            return
        if high & mask != mask:
            yield from encoded_ranges(low, (high & ~mask) - 1)
            yield from encoded_ranges(high & ~mask, high)
            return
    yield list(zip(chr(low).encode(), chr(high).encode(), strict=True))


State: TypeAlias = tuple[frozenset[int], int]
"""A deterministic state: positions in a pattern, and the kind of the byte before them."""


class _Subsets:
    """The subset construction, which makes an automaton deterministic.

    A deterministic state is the set of all positions in the pattern that the bytes read so far can
    reach. If the pattern has assertions, such as word boundaries, the state also contains the kind
    of the last byte.
    """

    def __init__(self, positions: _Positions, pattern: str) -> None:
        self.positions, self.pattern = positions, pattern
        self.has_assertions = any(name for jumps in positions.jumps for name, _ in jumps)
        self.classes, self.bytes = self._byte_classes()

    def _byte_classes(self) -> tuple[np.ndarray, list[int]]:
        """Return the number of each byte's class, and one representative byte per class.

        The bytes of a class are in the same ranges of all edges, and of the same kind.
        """
        edges = {edge[:2] for edges in self.positions.edges for edge in edges}
        starts = {0, 1} | {low for low, _ in edges} | {high + 1 for _, high in edges}
        if self.has_assertions:
            starts |= {byte for byte in range(1, 256) if _kind(byte) != _kind(byte - 1)}
        first = np.isin(np.arange(256), sorted(starts))
        return np.cumsum(first) - 1, np.flatnonzero(first).tolist()

    def automaton(self) -> Automaton:
        """Return the deterministic automaton; its states are numbered in search order."""
        end = len(self.positions.edges)
        start: State = frozenset([0]), END
        # No other states have these positions: the rejecting and the accepting one.
        number: dict[State, int] = {(frozenset(), END): REJECT, (frozenset([end]), END): ACCEPT}
        number[start] = len(number)
        rows = [[REJECT] * len(self.bytes), [ACCEPT] + [REJECT] * (len(self.bytes) - 1)]
        left = [start]
        for state in left:
            row: list[int] = []
            for following in self._followers(state):
                if following not in number:
                    number[following] = len(number)
                    left.append(following)
                row.append(number[following])
            rows.append(row)
            if len(number) > MAX_STATES:
                raise UnsupportedOp(
                    "the automaton of the pattern is too large",
                    expected=f"at most {MAX_STATES} states",
                    got=self.pattern,
                    hint="repeat fewer times, or without a limit",
                )
        return Automaton(self.classes, np.asarray(rows, np.int32), number[start])

    def _followers(self, state: State) -> Iterator[State]:
        """Yield the state that follows ``state`` for each class of bytes."""
        positions, before = state
        reached: dict[int, set[int]] = {}
        for byte in self.bytes:
            kind = _kind(byte)
            if kind not in reached:
                reached[kind] = self.positions.reached(positions, before, kind)
            if byte == 0:
                is_full = self.positions.last in reached[kind]
                yield frozenset([len(self.positions.edges)] if is_full else ()), END
                continue
            after = frozenset(
                target
                for position in reached[kind]
                for low, high, target in self.positions.edges[position]
                if low <= byte <= high
            )
            yield after, kind if after and self.has_assertions else END
