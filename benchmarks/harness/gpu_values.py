"""Values that a kernel computes more than once, found by value numbering.

In: the ops of a kernel of the simt level, in the order of execution. Out: whether an op computes
what an earlier op has computed in the same threads. Source: J. Cocke and J. Schwartz, Programming
Languages and Their Compilers, 1970.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from tilewright.dialects import loop, simt


@dataclass
class ValueNumbers:
    """Value numbers: two values of a thread are equal if their numbers are equal.

    shared: the buffers of several threads that the kernel stores to.  known: the numbers of the
    results of each computation.  versions: the number of stores to each buffer so far.
    """

    shared: frozenset[SSAValue]
    numbers: dict[SSAValue, int] = field(default_factory=dict)
    known: dict[Hashable, tuple[int, ...]] = field(default_factory=dict)
    versions: dict[SSAValue, int] = field(default_factory=dict)
    fresh: count[int] = field(default_factory=count)

    @staticmethod
    def of(kernel: FuncOp) -> ValueNumbers:
        """Return the state before the first op of a kernel."""
        written = {op.mem for op in kernel.walk() if isinstance(op, loop.StoreOp)}
        return ValueNumbers(frozenset(mem for mem in written if not _is_private(mem)))

    def is_repeated(self, op: Operation, threads: Hashable) -> bool:
        """Number the results of an op; return whether an equal op has already run in these threads.

        threads: which threads run the op, and how often.
        """
        if isinstance(op, loop.StoreOp):
            self._change([op.mem])
        elif isinstance(op, simt.BarrierOp):
            # Other threads have stored.
            self._change(self.shared)
        if not op.results or op.regions or isinstance(op, loop.AllocOp | simt.ShuffleOp):
            return False
        version = self.versions.get(op.mem, 0) if isinstance(op, loop.LoadOp) else 0
        operands = tuple(self._number(value) for value in op.operands)
        key = (op.name, str(op.properties), str(op.attributes), operands, version, threads,
               tuple(str(type_) for type_ in op.result_types))  # fmt: skip
        is_known = key in self.known
        made = self.known.setdefault(key, tuple(next(self.fresh) for _ in op.results))
        self.numbers |= dict(zip(op.results, made, strict=True))
        return is_known

    def _change(self, buffers: frozenset[SSAValue] | list[SSAValue]) -> None:
        for buffer in buffers:
            self.versions[buffer] = self.versions.get(buffer, 0) + 1

    def _number(self, value: SSAValue) -> int:
        return self.numbers.setdefault(value, next(self.fresh))


def _is_private(mem: SSAValue) -> bool:
    """Return whether a buffer belongs to one thread."""
    return isinstance(mem.owner, loop.AllocOp) and mem.owner.scope.data == "local"


__all__ = ["ValueNumbers"]
