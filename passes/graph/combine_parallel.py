"""graph-combine-parallel: compute products of one operand with several matrices as one product.

    %q = graph.matmul %x, %wq                          %y = graph.matmul %x, (concat %wq, %wk)
    %k = graph.matmul %x, %wk                          %z = graph.add %y, (concat %bq, %bk)
    %a = graph.add %q, (graph.broadcast %bq)    ==>    %a = graph.slice %z, the first columns
    %b = graph.add %k, (graph.broadcast %bk)           %b = graph.slice %z, the last columns

The matrices are constants. Elementwise ops that follow all products, of one kind and with constant
vectors along the columns, follow the combined product instead: the bias, as in the example.

On a GPU, one product has fewer launches and more blocks than several. The readers of a part read a
view of the combined result. A product whose result is read by one elementwise op stays apart:
there, the op joins the product's kernel, while it would read a part from memory.

Before: graph-fold-constants made matrices and vectors constants.
After: no two such products remain.
Exact: each element is the same sum; a device may add its terms in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.dtypes import bit_width
from ...dialects.graph import (
    BinaryOp,
    BroadcastOp,
    ConstantOp,
    ElementwiseOp,
    MatmulOp,
    SliceOp,
    UnaryOp,
)
from ...dialects.shape import dims_of, type_of
from ...dialects.weights import WeightAttr
from ...support.locations import fused_location
from ...support.rewriting import erase_dead_ops
from .constant_values import vector_along
from .fold_batch_norm import weights

PART_BYTES = 16
"""The alignment of the parts of a combined result, which is the widest access of GPUs."""


@dataclass(frozen=True)
class CombineParallel(ModulePass):
    """Compute products of one operand with several constant matrices as one product."""

    name = "graph-combine-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        blocks = [block for nested in op.walk() for r in nested.regions for block in r.blocks]
        for group in [group for block in blocks for group in _parallel_products(block)]:
            _combine(group)
        erase_dead_ops(op)


@dataclass(frozen=True)
class _Step:
    """An elementwise op of one operand, or of one operand and a vector along the columns.

    vector: None for an op of one operand.  is_right: whether the vector is the right operand.
    """

    op: UnaryOp | BinaryOp
    vector: WeightAttr | None = None
    is_right: bool = True

    @property
    def facts(self) -> tuple[object, ...]:
        """The properties in which elementwise ops must agree so that one op can replace them."""
        return type(self.op), self.is_right


@dataclass(frozen=True)
class _ParallelProduct:
    """A product by a constant matrix, with the elementwise ops after it.

    product: the graph.matmul.
    matrix: the constant.
    steps: the chain of elementwise ops; each is the only reader of the result before it.
    """

    product: MatmulOp
    matrix: WeightAttr
    steps: tuple[_Step, ...]

    @property
    def out(self) -> SSAValue:
        """The value after the last step."""
        return self.steps[-1].op.out if self.steps else self.product.out

    @property
    def columns(self) -> int:
        """The number of columns of the product."""
        return self.matrix.stored.shape[0 if self.product.transpose_rhs else 1]

    @property
    def facts(self) -> tuple[object, ...]:
        """The properties in which products must agree so that one product can replace them."""
        product = self.product
        types = type_of(product.rhs).element_type, type_of(product.out).element_type
        steps = tuple(step.facts for step in self.steps)
        return product.lhs, *types, tuple(product.properties.items()), steps


def _parallel_products(block: Block) -> Iterator[Sequence[_ParallelProduct]]:
    """Yield lists of two or more products of a block that differ only in their constants."""
    groups: dict[tuple[object, ...], list[_ParallelProduct]] = {}
    for op in block.ops:
        part = _part_of(op) if isinstance(op, MatmulOp) else None
        if part is not None:
            groups.setdefault(part.facts, []).append(part)
    yield from (group for group in groups.values() if len(group) > 1)


def _part_of(product: MatmulOp) -> _ParallelProduct | None:
    """Return a product with its chain of elementwise ops; None if it must or should stay separate.

    It stays separate if its matrix is not constant, if its columns are not aligned, or if a single
    elementwise op reads the result, because that op then joins the kernel of the product.
    """
    matrix = weights(product.rhs)
    if matrix is None or len(matrix.stored.shape) != 2:
        return None
    part = _ParallelProduct(product, matrix, tuple(_steps_after(product)))
    is_aligned = part.columns * bit_width(type_of(part.out).element_type) % (8 * PART_BYTES) == 0
    users = [use.operation for use in part.out.uses]
    is_read_by_its_kernel = len(users) == 1 and isinstance(users[0], ElementwiseOp)
    return part if is_aligned and not is_read_by_its_kernel else None


def _steps_after(product: MatmulOp) -> Iterator[_Step]:
    """Yield the elementwise ops after a product, each the only reader of the value before it."""
    axis, value = len(dims_of(type_of(product.out))) - 1, product.out
    while (user := value.get_user_of_unique_use()) is not None:
        step = _step_of(user, value, axis)
        if step is None or step.op.parent is not product.parent:
            return
        yield step
        value = step.op.out


def _step_of(op: Operation, value: SSAValue, axis: int) -> _Step | None:
    if isinstance(op, UnaryOp):
        return _Step(op)
    if not isinstance(op, BinaryOp):
        return None
    is_right = op.lhs is value
    vector = vector_along(op.rhs if is_right else op.lhs, axis)
    return None if vector is None else _Step(op, vector, is_right)


def _combine(parts: Sequence[_ParallelProduct]) -> None:
    """Replace several products by one product, and their chains of elementwise ops by one chain.

    A slice of the result of this chain replaces each old result.
    parts: the products of one operand, with their chains.
    """
    first = parts[0].product
    axis = 0 if first.transpose_rhs else 1
    matrix = ConstantOp(WeightAttr.derived("concat", [part.matrix for part in parts], axis))
    made: list[Operation] = [matrix, first.with_operands(first.lhs, matrix.out)]
    for steps in zip(*(part.steps for part in parts), strict=True):
        made += _combined_step(steps, made[-1].results[0])
    pieces = _pieces(made[-1].results[0], parts)
    location = fused_location(part.product.location for part in parts)
    for op in (*made, *pieces):
        op.location = location
        Rewriter.insert_op(op, InsertPoint.before(first))
    for part, piece in zip(parts, pieces, strict=True):
        piece.out.name_hint = part.out.name_hint
        part.out.replace_all_uses_with(piece.out)


def _combined_step(steps: Sequence[_Step], x: SSAValue) -> list[Operation]:
    """Return the ops that replace one elementwise op in the chain of each product.

    steps: the elementwise ops, equal up to their vectors, which are concatenated.
    x: the combined value to which the new op is applied.
    """
    first, vectors = steps[0], [step.vector for step in steps if step.vector is not None]
    if isinstance(first.op, UnaryOp):
        return [type(first.op)(x)]
    vector = ConstantOp(WeightAttr.derived("concat", vectors, 0))
    dims = dims_of(type_of(x))
    wide = BroadcastOp(vector.out, dims, (len(dims) - 1,))
    operands = (x, wide.out) if first.is_right else (wide.out, x)
    return [vector, wide, type(first.op)(*operands)]


def _pieces(whole: SSAValue, parts: Sequence[_ParallelProduct]) -> list[SliceOp]:
    """Return one slice of ``whole`` for each product in ``parts``, in order.

    The slice replaces the old result of the product and of its chain of elementwise ops.
    """
    made: list[SliceOp] = []
    start = 0
    for part in parts:
        *outer, _ = dims_of(type_of(part.out))
        rank = len(outer) + 1
        starts = [0] * len(outer) + [start]
        made.append(SliceOp(whole, starts, [*outer, part.columns], [1] * rank))
        start += part.columns
    return made
