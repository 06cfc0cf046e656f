"""Test the algebraic properties of a reducer on numbers: identity, commutativity, associativity.

    x = 1, y = 2, z = 3:    f(e, x) = x    f(x, y) = f(y, x)    f(f(x, y), z) = f(x, f(y, z))

In: the function of two values (or tuples of values) on arrays, with one element per trial.
Schedules combine values in any order, so if a property fails, the result depends on the schedule.
Integers are compared exactly, floats within a tolerance for rounding.  Trials that overflow or
divide zero by zero are ignored.  Two different result tuples may both be correct, as with the
positions of two equal maxima.  They are a tie if each is one of the combined tuples and they agree
in one value, such as the maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from xdsl.ir import Attribute

from ...dialects.dtypes import is_bool, is_float, is_unsigned, numpy_dtype
from ...dialects.te.scalars import signless
from ...support.diagnostics import TypeMismatch

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Values: TypeAlias = Sequence[Array]
"""One array for each value of a tuple; each array has one element per trial."""

Samples: TypeAlias = Sequence[Any]
"""Numbers for the trials, or a sequence of numbers for each value of the tuple."""

FLOATS = (1.0, 2.0, 3.0, -1.0, 0.0, 0.5, -2.5, 100.25)
INTEGERS = (1, 2, 3, -1, 0, 7, -5, 100)
TRIALS = 512
"""The number of random trials; if the samples have at most twice as many triples, try all."""

TOLERANCE = 1e-3
"""The tolerance of floats, relative to the largest number in a trial; at least 8 epsilons."""

ORDER = "what depends on the order is a te.scan, a mean is a sum that is divided afterwards"
DOMAIN = "if its values are never such numbers: te.comm_reducer(..., samples=[some of theirs])"

Combine: TypeAlias = Callable[[Values, Values], tuple[Values, Values]]
"""A reducer's function on arrays: it returns combined values and all intermediate results."""


@dataclass(frozen=True)
class ReducerProperties:
    """A test of the algebraic properties of one reducer.

    where: the name of the reducer in messages.  combine: the reducer's function on arrays.
    identity: the user's identity, a number per value.
    elements: the types of the values, with signedness.  neutral: the identity of the equivalent
    combiner of the te dialect; None if there is none.
    """

    where: str
    combine: Combine
    identity: Sequence[int | float]
    elements: Sequence[Attribute]
    neutral: Sequence[int | float] | None = None

    def check(self, samples: Samples | None) -> None:
        """Test the properties on sample numbers (default: small numbers of both signs).

        Errors: TypeMismatch with the property that fails and the numbers for which it fails.
        """
        x, y, z = (_Tuples(values, _sizes(values)) for values in self._trials(samples))
        f = self._combined
        with np.errstate(all="ignore"):
            self._check(
                "it is not commutative",
                "f({0}, {1}) = f({1}, {0})",
                (f(x, y), f(y, x)),
                (x, y),
            )
            self._check(
                "it is not associative",
                "f(f({0}, {1}), {2}) = f({0}, f({1}, {2}))",
                (f(f(x, y), z), f(x, f(y, z))),
                (x, y, z),
            )
            self._check_identity(x)

    def _combined(self, x: _Tuples, y: _Tuples) -> _Tuples:
        made, computed = self.combine(x.values, y.values)
        sizes = [_sizes([np.broadcast_to(v, x.size.shape)]) for v in computed if _is_float(v)]
        return _Tuples(made, np.maximum.reduce([x.size, y.size, *sizes]))

    def _check(
        self, rule: str, equation: str, sides: tuple[_Tuples, _Tuples], operands: Sequence[_Tuples]
    ) -> None:
        """Compare the two sides of an equation in all trials whose results are finite.

        rule: the violated property in messages.  equation: the equation in messages, with
        placeholders for the operands' numbers.  operands: x, y, z, as far as the equation contains
        them.
        Errors: TypeMismatch for the first trial in which the sides differ.
        """
        left, right = sides
        wrong = left.finite & right.finite & ~_same(left, right, operands)
        if wrong.any():
            at = int(wrong.argmax())
            raise TypeMismatch(
                rule,
                expected=equation.format(*(self._shown(v, at) for v in operands)),
                got=f"{self._shown(left, at)} and {self._shown(right, at)}",
                hint=f"{ORDER}; {DOMAIN}",
            ).named(self.where)

    def _check_identity(self, x: _Tuples) -> None:
        numbers = self._stored(self.identity)
        identity = [np.full_like(v, i) for v, i in zip(x.values, numbers, strict=True)]
        e = _Tuples(identity, _sizes(identity))
        for equation, made in (
            ("f({0}, {1}) = {1}", self._combined(e, x)),
            ("f({1}, {0}) = {1}", self._combined(x, e)),
        ):
            counts = made.finite
            wrong = ~_same(made, x, (e, x)) & (counts | ~counts.any())
            if wrong.any():
                at = int(wrong.argmax())
                shown = [self._shown(v, at) for v in (e, x)]
                raise TypeMismatch(
                    f"its identity {shown[0]} is not neutral",
                    expected=equation.format(*shown),
                    got=self._shown(made, at),
                    hint=f"{self._advice()}{DOMAIN}",
                ).named(self.where)

    def _advice(self) -> str:
        if self.neutral is None:
            return ""
        numbers = _Tuples([v[np.newaxis] for v in self._stored(self.neutral)], np.zeros(1))
        return f"the identity of this function is {self._shown(numbers, 0)}; "

    def _trials(self, samples: Samples | None) -> list[Values]:
        """Return the operands x, y, z of all trials: all triples of samples, or random ones."""
        numbers = [self._numbers(samples, n) for n in range(len(self.elements))]
        if len(numbers) == 1 and len(numbers[0]) ** 3 <= 2 * TRIALS:
            return [[column] for column in np.array(list(product(numbers[0], repeat=3))).T.copy()]
        rng = np.random.default_rng(0)
        drawn = [[rng.choice(column, TRIALS) for column in numbers] for _ in range(3)]
        # The message shows the first trial that fails; small numbers are easier to follow.
        sizes = sum(np.abs(v.astype(np.float64)) for values in drawn for v in values)
        order = np.argsort(sizes, kind="stable")
        return [[v[order] for v in values] for values in drawn]

    def _numbers(self, samples: Samples | None, number: int) -> Array:
        """Return the sample numbers for one value of the reducer's tuple, in this value's type.

        samples: the user's numbers, or None for small numbers of both signs. number: the position
        of the value in the tuple.
        """
        element = self.elements[number]
        dtype = numpy_dtype(element)
        if samples is None:
            given = FLOATS if is_float(element) else INTEGERS
            if is_bool(element):
                given = (False, True)
            elif is_unsigned(element):
                given = tuple(n for n in INTEGERS if n >= 0)
            return np.array(given).astype(dtype).view(numpy_dtype(signless(element)))
        own = samples if len(self.elements) == 1 else self._of_value(samples, number)
        try:
            made = np.array(own, dtype)
        except (TypeError, ValueError, OverflowError) as err:
            raise self._no_samples(samples) from err
        if made.ndim != 1 or not made.size:
            raise self._no_samples(samples)
        return made.view(numpy_dtype(signless(element)))

    def _of_value(self, samples: Samples, number: int) -> Samples:
        is_list = isinstance(samples, Sequence)  # pyright: ignore[reportUnnecessaryIsInstance]
        if not is_list or len(samples) != len(self.elements):
            raise self._no_samples(samples)
        return samples[number]

    def _no_samples(self, samples: Samples) -> TypeMismatch:
        of = "numbers" if len(self.elements) == 1 else f"{len(self.elements)} lists of numbers"
        return TypeMismatch(
            "samples are numbers that its values can be", expected=of, got=repr(samples)
        ).named(self.where)

    def _stored(self, numbers: Sequence[int | float]) -> Values:
        return [
            np.array(n).astype(numpy_dtype(e)).view(numpy_dtype(signless(e)))
            for n, e in zip(numbers, self.elements, strict=True)
        ]

    def _shown(self, tuples: _Tuples, at: int) -> str:
        dtypes = [numpy_dtype(e) for e in self.elements]
        pairs = zip(tuples.values, dtypes, strict=True)
        each = [_number(np.ascontiguousarray(v).view(dtype)[at]) for v, dtype in pairs]
        return each[0] if len(each) == 1 else f"({', '.join(each)})"


@dataclass(frozen=True)
class _Tuples:
    """Operands or results of a reducer in all trials.

    values: one array per value of the tuple, with an element per trial.  size: for each trial, the
    largest magnitude in the computation, to which the tolerance is relative.
    """

    values: Values
    size: Array

    @property
    def finite(self) -> Array:
        return np.logical_and.reduce([np.isfinite(v.astype(np.float64)) for v in self.values])

    def is_one_of(self, operands: Sequence[_Tuples]) -> Array:
        pairs = [zip(self.values, other.values, strict=True) for other in operands]
        return np.logical_or.reduce([np.logical_and.reduce([a == b for a, b in p]) for p in pairs])


def _same(left: _Tuples, right: _Tuples, operands: Sequence[_Tuples]) -> Array:
    """Return a mask of the trials in which two results count as equal.

    Either all values are close, or the results are different operands that agree in one value: a
    tie, such as two positions of an equal maximum.
    """
    size, pairs = np.maximum(left.size, right.size), [*zip(left.values, right.values, strict=True)]
    close = np.logical_and.reduce([_close(a, b, size) for a, b in pairs])
    if len(pairs) == 1:
        return close
    agree = np.logical_or.reduce([a == b for a, b in pairs])
    return close | (agree & left.is_one_of(operands) & right.is_one_of(operands))


def _number(x: Any) -> str:
    return f"{float(x):.6g}" if _is_float(x) else str(x.item())


def _is_float(values: Array) -> bool:
    return values.dtype.kind not in "biu"


def _sizes(values: Values) -> Array:
    """Return for each trial the magnitude of its largest finite number."""
    sizes = [np.abs(v.astype(np.float64)) for v in values]
    return np.maximum.reduce([np.where(np.isfinite(s), s, 0) for s in sizes])


def _close(left: Array, right: Array, size: Array) -> Array:
    if not _is_float(left):
        return left == right
    eps = float(ml_dtypes.finfo(left.dtype).eps)
    a, b = left.astype(np.float64), right.astype(np.float64)
    return (a == b) | (np.abs(a - b) <= max(TOLERANCE, 8 * eps) * size)
