"""The walk over a block of graph ops that computes the block for each element of a batch.

    graph.softmax %x axis 0 : tensor<4xf32>   →   graph.softmax %x axis 1 : tensor<nx4xf32>

In: the ops of a block, and the new values of the values that they read.  Out: ops appended by a
builder.  A new value *has a batch* if the batch is its first dimension.  A value that is the same
for all elements has none, and the op that computes it is copied unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.graph import BroadcastOp, ConstantOp, DefinedOp, ElementwiseOp, YieldOp
from ...dialects.shape import Dim, Tensor, dims_of, tensor_type, type_of
from ...gradient.builder import GradientBuilder
from ...gradient.derived import erase_unused, te_function
from ...gradient.reverse import used_values
from ...lowering.graph_to_te.builder import te_type
from ...passes.te.batch import batch_te
from ...support.diagnostics import UnsupportedOp
from ...support.lazy import family_tables

Rule: TypeAlias = "Callable[[Any, BatchWalk], Sequence[SSAValue] | None]"
"""A rule: takes an op that reads a value with a batch, and the walk.

It returns the results, which have a batch; None if the te definition of the op should be used.
"""


class BatchWalk:
    """The rewrite of the ops of a block, in progress, to ops that compute a batch.

    builder: appends the new ops.
    size: the number of elements of the batch.
    values: for each value of the given block, the value that replaces it.
    having: the given values whose replacement has the batch as first dimension.
    """

    def __init__(
        self,
        builder: GradientBuilder,
        size: Dim,
        values: Mapping[SSAValue, SSAValue],
        having: set[SSAValue],
    ) -> None:
        self.builder, self.size = builder, size
        self._values, self._having = dict(values), set(having)

    def has(self, value: SSAValue) -> bool:
        """Return whether the new value of an old value has a batch."""
        return value in self._having

    def value(self, value: SSAValue) -> SSAValue:
        """Return the new value of an old value, with or without a batch."""
        return self._values.get(value, value)

    def batched(self, value: SSAValue) -> SSAValue:
        """Return the new value of an old value with a batch; repeat the value if it has none."""
        made = self.value(value)
        if self.has(value):
            return made
        dims = dims_of(type_of(value))
        return self.builder.value(BroadcastOp(made, [self.size, *dims], range(1, 1 + len(dims))))

    def type_of(self, value: SSAValue) -> Tensor:
        """Return the type of a value with the batch as first dimension."""
        type_ = type_of(value)
        return tensor_type(type_.element_type, [self.size, *dims_of(type_)])

    def again(
        self,
        op: Operation,
        operands: Sequence[SSAValue],
        properties: Mapping[str, Attribute] | None = None,
    ) -> Sequence[SSAValue]:
        """Append a copy of an op, with a batch in its result types; return the results.

        operands: the new operands.
        properties: the properties that differ from those of ``op``; the others are copied.
        """
        made = type(op).create(
            operands=operands,
            result_types=[self.type_of(result) for result in op.results],
            properties={**op.properties, **(properties or {})},
        )
        return self.builder.append(made).results

    def inner(
        self, block: Block, arguments: Sequence[SSAValue], having: Sequence[SSAValue]
    ) -> BatchWalk:
        """Return a walk for the ops of a region, which are appended to ``block``.

        block: the new block, with one argument for each of ``arguments``.
        arguments: the arguments of the region.
        having: those of ``arguments`` whose new values have a batch.
        """
        values = self._values | dict(zip(arguments, block.args, strict=True))
        return BatchWalk(GradientBuilder(block), self.size, values, self._having | set(having))

    def run(self, ops: Sequence[Operation]) -> Sequence[SSAValue]:
        """Rewrite the ops of a block for a batch, up to the terminator, which is not copied.

        Returns the operands of the terminator, values of the given block.
        Errors: UnsupportedOp for an op that has no form for a batch.
        """
        for op in ops:
            if isinstance(op, YieldOp | ReturnOp):
                return list(op.operands)
            self._append(op)
        raise AssertionError("a block ends with graph.yield or func.return")

    def _append(self, op: Operation) -> None:
        if any(map(self.has, used_values(op))):
            results = self._results(op)
            self._having |= set(op.results)
        else:
            results = self.builder.append(op.clone(self._values)).results
        for old, new in zip(op.results, results, strict=True):
            if isinstance(new.owner, Operation):
                new.owner.location = op.location
            self._values[old] = new

    def _results(self, op: Operation) -> Sequence[SSAValue]:
        if isinstance(op, ElementwiseOp):
            return self.again(op, [self.batched(x) for x in op.operands])
        rule = RULES.get(type(op))
        made = None if rule is None else rule(op, self)
        return self._derived(op) if made is None else made

    def _derived(self, op: Operation) -> Sequence[SSAValue]:
        """Append the te definition of an op for a batch, as a graph.defined.

        Errors: UnsupportedOp if the op has no te definition, or none for a batch.
        """
        given = list(dict.fromkeys(v for v in op.operands if not isinstance(v.owner, ConstantOp)))
        values = [self.value(v) for v in given]
        try:
            return self.builder.append(self._defined(op, given, values)).results
        except UnsupportedOp as err:
            raise UnsupportedOp(
                f"vmap does not know {op.name} for a batch",
                got=err.rule,
                hint="call the function for each element, or write it for a batch",
            ).at(op) from err

    def _defined(
        self, op: Operation, given: Sequence[SSAValue], values: Sequence[SSAValue]
    ) -> DefinedOp:
        source = te_function(op, given).body.block
        block = Block(arg_types=[te_type(v.type) for v in values])
        *ops, ends = source.ops
        made = batch_te(ops, dict(zip(source.args, block.args, strict=True)), self.size)
        # A result of an op on equal elements has equal elements, too.
        results = [made.batched(v) for v in ends.operands]
        block.add_ops([*made.ops, YieldOp(results)])
        return erase_unused(values, Region(block))


RULES: dict[type, Rule] = {
    op: rule
    for table in family_tables("tilewright.tracing.batching", "RULES", without=__name__)
    for op, rule in cast("dict[type, Rule]", table).items()
}
"""The rules of graph ops; other ops are computed by their te definitions."""
