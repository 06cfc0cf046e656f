"""A pass from outside: the number of ops of each name, as an attribute of the module."""

from collections import Counter

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass


class CountOps(ModulePass):
    name = "count-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        counts = Counter(inner.name for inner in op.walk() if inner is not op)
        op.attributes["counts"] = DictionaryAttr(
            {name: IntegerAttr(number, i64) for name, number in counts.items()}
        )


PASSES = [CountOps]
