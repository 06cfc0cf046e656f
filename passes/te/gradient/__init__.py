"""Reverse-mode gradients of te programs, as te programs.

    %y = te.compute [i, k red] ins(%x[i + k], %w[k]) … %x * %w        y_i = sum_k x_(i+k) w_k
    →
    %dx = te.compute [p, k red] ins(%dy[p - k] pad 0, %w[k]) …        dx_p = sum_k dy_(p-k) w_k
    %dw = te.compute [k, i red] ins(%x[i + k], %dy[i]) …

The adjoint of a te.compute has the differentiated body and the transposed index maps: the map of
the input is solved for the axes (``index_maps``), so an adjoint is a compute again, and can be
scheduled, fused and differentiated like any other.  A map without an inverse gives a te.scatter.

    program.py      the cotangents of the values of a program, op by op
    computes.py     the adjoint of a te.compute; reads.py: of one of its inputs
    combiners.py    which points of a reduction receive the cotangent
    index_maps.py   index maps, solved for axes
    bodies.py       the derivative of a scalar body
    scatters.py     the adjoints of te.scatter and te.sort
"""

from __future__ import annotations

from .ops import AdjointOps
from .program import Differentiation, differentiate

__all__ = ["AdjointOps", "Differentiation", "differentiate"]
