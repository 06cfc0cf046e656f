"""What the named ops of the te dialect share: names, errors, memory effects, moves of regions."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, Region
from xdsl.irdl import IRDLOperation, prop_def
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from ...support.diagnostics import TypeMismatch


class BufferFormEffects(MemoryEffect):
    """Memory effects: none for an op with tensor results; reads and writes for an op on buffers."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        if op.results:
            return set()
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}


class NamedOp(IRDLOperation):
    """Base of the ops that have a name, such as ``te.sort @order``."""

    sym_name = prop_def(StringAttr)

    @property
    def label(self) -> str:
        """The name of the op; schedules match computes by it."""
        return self.sym_name.data

    def error(self, rule: str, expected: object, got: object, hint: str) -> TypeMismatch:
        """Return the error for a violated rule of this op.

        rule: the rule; the first line of the error names it and the op.  expected, got: the values
        to show.
        hint: what to do.
        """
        text = f"@{self.label}: {rule}"
        return TypeMismatch(text, expected=expected, got=got, hint=hint).at(self)


def detach_regions(regions: Iterable[Region]) -> None:
    """Detach regions from the ops that contain them, so that another op can take them."""
    for region in regions:
        if region.parent is not None:
            region.parent.detach_region(region)
