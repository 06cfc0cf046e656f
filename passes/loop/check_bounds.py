"""loop-check-bounds: refuse programs whose accesses are not proved to lie inside their buffers.

    loop.for %i = 0 to 9 {                          error: an access is not proved to lie inside
      %a = loop.load %x[%i] : memref<8xf32>, f32      expected: 0..7 in dimension 0 of %x
      .. }                                            got: i in 0..8

The proof (analysis/bounds/positions.py) needs no checks at run time.  The verifier of modules runs
the same proof before the compiler emits code of a program; this pass runs it
between any two passes.

Before: loop programs.  After: every load without `pad` and every store is inside its buffer.
Exact: the pass changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.bounds.positions import verify_positions
from ...support.passes import CheckPass


@dataclass(frozen=True)
class CheckBounds(CheckPass):
    """Prove that every access of a loop program lies inside its buffer."""

    name = "loop-check-bounds"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_positions(op)
