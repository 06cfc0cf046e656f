"""Toom-Cook transforms for windows of 3 elements, and tiles of 2 or 4 outputs per dimension.

A row d of n = m + 2 inputs and three weights g give m outputs ``A ((G g) * (B d))``, where ``*`` is
elementwise, with n products instead of 3 m.  B evaluates polynomials that vanish at all points but
one, G and A evaluate at the points.  The two dimensions are transformed in sequence.

    m  n   points                     products per output   error (32, 512 channels)
    2  4   0, 1, -1, infinity         4    (direct: 9)      0.16e-6   0.55e-6
    4  6   0, 3/4, -3/4, 3/2, -3/2,   2.25                  0.52e-6   1.9e-6
           infinity                         (direct sum:    0.1e-6    0.3e-6)

Errors are relative L2 errors against float64, for normally distributed values.  The usual points 0,
±1, ±2 double the errors of m = 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import math
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ...dialects.te.scalars import Scalars
from ...dialects.weights import WeightAttr

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Vector: TypeAlias = Sequence[SSAValue]
Step: TypeAlias = Callable[[Scalars, Vector], list[SSAValue]]

NEAR, FAR = 0.75, 1.5
_NEAR2, _FAR2 = NEAR**2, FAR**2
WINDOW = 3


@dataclass(frozen=True)
class TileTransforms:
    """The Toom-Cook transforms of Winograd convolution for one tile size.

    out: the number m of outputs per dimension.
    weights: the matrix G, by which three weights are multiplied from the left.
    read: appends the ops that map n = m + 2 inputs to n values (matrix B).
    write: appends the ops that map n values to m outputs (matrix A).
    """

    out: int
    weights: Array
    read: Step
    write: Step

    @property
    def size(self) -> int:
        """The number of inputs of a tile per dimension."""
        return self.out + WINDOW - 1

    @property
    def products(self) -> int:
        """The number of products per tile and pair of input and output channel."""
        return self.size**2

    def transformed(self, kernels: WeightAttr) -> WeightAttr:
        """Return (3, 3, I, O) weights as (products, I, O), computed in float64 and rounded once.

        I and O are the numbers of input and output channels.
        """
        return WeightAttr.derived("winograd", [kernels], tuple(map(tuple, self.weights.tolist())))

    def transform_input(self, s: Scalars, values: Vector) -> list[SSAValue]:
        """Append the transform of the n x n inputs of a tile, in row-major order; return it."""
        return self._both_ways(s, values, self.read)

    def transform_output(self, s: Scalars, values: Vector) -> list[SSAValue]:
        """Append the transform of n x n sums of products to the m x m outputs; return these."""
        return self._both_ways(s, values, self.write)

    def _both_ways(self, s: Scalars, values: Vector, step: Step) -> list[SSAValue]:
        """Apply a transform to all columns of a square of values, then to all rows of the result.

        values: the values of the square in row-major order.
        step: the transform of one column or row.
        """
        columns = [step(s, values[x :: self.size]) for x in range(self.size)]
        rows = [[column[y] for column in columns] for y in range(len(columns[0]))]
        return [value for row in rows for value in step(s, row)]


def _fma(s: Scalars, factor: float, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.emit(math.FmaOp, [s.constant(factor, f32), x, y], f32)


def _read_four(s: Scalars, d: Vector) -> list[SSAValue]:
    return [s.sub(d[0], d[2]), s.add(d[1], d[2]), s.sub(d[2], d[1]), s.sub(d[3], d[1])]


def _write_two(s: Scalars, m: Vector) -> list[SSAValue]:
    even, odd = s.add(m[1], m[2]), s.sub(m[1], m[2])
    return [s.add(m[0], even), s.add(odd, m[3])]


def _read_six(s: Scalars, d: Vector) -> list[SSAValue]:
    both = _NEAR2 + _FAR2
    near_even, near_odd = _fma(s, -_FAR2, d[2], d[4]), _fma(s, -_FAR2, d[1], d[3])
    far_even, far_odd = _fma(s, -_NEAR2, d[2], d[4]), _fma(s, -_NEAR2, d[1], d[3])
    return [
        _fma(s, _NEAR2 * _FAR2, d[0], _fma(s, -both, d[2], d[4])),
        _fma(s, NEAR, near_odd, near_even),
        _fma(s, -NEAR, near_odd, near_even),
        _fma(s, FAR, far_odd, far_even),
        _fma(s, -FAR, far_odd, far_even),
        _fma(s, _NEAR2 * _FAR2, d[1], _fma(s, -both, d[3], d[5])),
    ]


def _write_four(s: Scalars, m: Vector) -> list[SSAValue]:
    near, near_odd = s.add(m[1], m[2]), s.sub(m[1], m[2])
    far, far_odd = s.add(m[3], m[4]), s.sub(m[3], m[4])
    return [
        s.add(s.add(m[0], near), far),
        _fma(s, NEAR, near_odd, s.mul(s.constant(FAR, f32), far_odd)),
        _fma(s, _NEAR2, near, s.mul(s.constant(_FAR2, f32), far)),
        _fma(s, NEAR**3, near_odd, _fma(s, FAR**3, far_odd, m[5])),
    ]


def _scaled_powers(point: float, other: float) -> list[float]:
    """Return 1, p and p², each divided by p · 2p · (p² - other²), where p is ``point``.

    The divisor is the product of the distances from p to the other points: 0, -p and ±``other``.
    """
    scale = 2 * point**2 * (point**2 - other**2)
    return [1 / scale, point / scale, point**2 / scale]


TILES: Mapping[int, TileTransforms] = {
    2: TileTransforms(
        2,
        np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]]),
        _read_four,
        _write_two,
    ),
    4: TileTransforms(
        4,
        np.array(
            [
                [1 / (_NEAR2 * _FAR2), 0, 0],
                *(_scaled_powers(p, FAR) for p in (NEAR, -NEAR)),
                *(_scaled_powers(p, NEAR) for p in (FAR, -FAR)),
                [0, 0, 1],
            ]
        ),
        _read_six,
        _write_four,
    ),
}  # fmt: skip
"""The transforms by the number of outputs per dimension."""
