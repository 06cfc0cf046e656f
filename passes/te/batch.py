"""Turn a te program into one program for a batch: values get the batch as first dimension.

    %y = te.compute [i: 4] ins(%x[i]) outs([i])   →   %y = te.compute [batch: n, i: 4]
                                                          ins(%x[batch, i]) outs([batch, i])

In: the ops, the values that have a batch, and its size.  Out: new ops, and the values that replace
the old ones.  An op that reads no value with a batch is copied.
Exact: each element of the batch is computed as in the given program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.packed import ConcatOp, ViewOp
from ...dialects.shape import Dim, Tensor, dims_of, extent_of, tensor_type, type_of
from ...dialects.te.body import AtOp, YieldOp
from ...dialects.te.build import ComputeResult, compute, make_region, position, read, sort
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import Scalars
from ...dialects.te.scatter import ScatterOp
from ...dialects.te.sort import SortOp
from ...dialects.te.view import Access, ComputeView
from ...support.affine import variable
from ...support.blocks import returned, terminator
from ...support.diagnostics import UnsupportedOp


@dataclass
class TeBatch:
    """The rewrite of a te program, in progress, to a program for a batch of inputs.

    size: the number of elements of the batch.
    values: for each value of the given program, the value of the new program.
    having: the given values whose new values have the batch as first dimension.
    ops: the ops of the new program, in order.
    """

    size: Dim
    values: dict[SSAValue, SSAValue]
    having: set[SSAValue]
    ops: list[Operation]

    def has(self, value: SSAValue | None) -> bool:
        """Return whether the new value of an old value has the batch as first dimension."""
        return value in self.having

    def append(self, op: Operation) -> Operation:
        """Append an op to the new program, and return the op."""
        self.ops.append(op)
        return op

    def batched(self, value: SSAValue) -> SSAValue:
        """Return the new value of an old value, with the batch as first dimension.

        A new value without the batch is repeated for each element of the batch.
        """
        made = self.values[value]
        if value in self.having:
            return made
        type_ = self.type_of(value)
        axes = {f"b{n}": extent_of(dim) for n, dim in enumerate(dims_of(type_))}
        result = ComputeResult(tuple(axes), type_.element_type)
        reads = [read(made, list(axes)[1:])]
        op = compute("repeat", axes, reads, [result], lambda _s, x: x)
        return self.append(op).results[0]

    def type_of(self, value: SSAValue) -> Tensor:
        """Return the type of an old value, with the batch as first dimension."""
        type_ = type_of(value)
        return tensor_type(type_.element_type, [self.size, *dims_of(type_)])


def batch_te(
    program: Sequence[Operation], values: Mapping[SSAValue, SSAValue], size: Dim
) -> TeBatch:
    """Rewrite a te program for a batch; return the new ops and values.

    program: the ops, in order.
    values: the new value of each argument of the program; it has the batch as first dimension if
    its rank is one higher than that of the argument.
    size: the number of elements of the batch.
    Errors: UnsupportedOp for an op without a rule for batches.
    """
    having = {
        v for v, new in values.items() if len(dims_of(type_of(new))) > len(dims_of(type_of(v)))
    }
    made = TeBatch(size, dict(values), having, [])
    for op in program:
        results = _results(op, made)
        made.values.update(zip(op.results, results, strict=True))
    return made


def _results(op: Operation, b: TeBatch) -> Sequence[SSAValue]:
    reads = [value for each in op.walk() for value in each.operands]
    if not any(map(b.has, reads)):
        return b.append(op.clone(b.values)).results
    rule = RULES.get(type(op))
    if rule is None:
        raise UnsupportedOp(f"{op.name} has no form for a batch", got=op.name)
    b.having |= set(op.results)
    return rule(op, b)


def _fresh(view: ComputeView) -> str:
    """Return a name for the axis over the batch that no other axis of the compute has."""
    name = "batch"
    while name in view.axes:
        name += "_"
    return name


def _access(access: Access, axis: str, b: TeBatch) -> Access:
    """Rewrite an access for the new program: add the batch as first index where the value has one.

    axis: the name of the axis over the batch.
    b: the rewrite, which has the new values.
    """
    if access.value is None:
        return access
    if not b.has(access.value) or access.indices is None:
        return replace(access, value=b.values[access.value])
    return replace(access, value=b.values[access.value], indices=[variable(axis), *access.indices])


def _with_batch(view: ComputeView, axis: str, b: TeBatch) -> tuple[list[Access], Region]:
    """Return the reads and the body of a compute or scatter for a batch.

    The body gets the position in the batch as last argument. A te.at of an operand with a batch
    reads at this position.
    axis: the name of the axis over the batch.  b: the rewrite.
    """
    inputs = [*(_access(a, axis, b) for a in view.inputs), position(axis)]
    block = view.body.block
    whole = [
        argument
        for argument, access in zip(block.args, view.inputs, strict=True)
        if access.is_whole and b.has(access.value)
    ]

    def body(s: Scalars, *values: SSAValue) -> Sequence[SSAValue]:
        known: dict[SSAValue, SSAValue] = dict(zip(block.args, values, strict=False))
        for op in list(block.ops)[:-1]:
            if isinstance(op, AtOp) and op.x in whole:
                places = [values[-1], *(known[v] for v in op.indices)]
                copy: Operation = AtOp(known[op.x], places, op.other)
                known[op.out] = copy.results[0]
            else:
                copy = op.clone(known)
            s.block.add_op(copy)
        return [known[v] for v in returned(block)]

    return inputs, make_region([a.argument_type for a in inputs], body)


def _compute(op: ComputeOp, b: TeBatch) -> Sequence[SSAValue]:
    view = op.view()
    axis = _fresh(view)
    if any(a.is_whole and b.has(a.value) for a in view.post):
        raise UnsupportedOp("a compute that reads a whole operand after its reduction has no form "
                            "for a batch", got=view.name)  # fmt: skip
    inputs, body = _with_batch(view, axis, b)
    outputs = [
        replace(
            out, indices=[variable(axis), *(out.indices or ())], result_type=b.type_of(result),
            layout=None, clip=None,
        )
        for out, result in zip(view.outputs, op.results, strict=True)
    ]  # fmt: skip
    made = ComputeView(
        name=view.name,
        axes={axis: extent_of(b.size), **view.axes},
        inputs=inputs,
        post=[_access(a, axis, b) for a in view.post],
        outputs=outputs,
        body=body,
        combine=view.combine.clone(),
        then=view.then.clone(),
        scan=view.scan,
    )
    return b.append(ComputeOp.from_view(_slim(made))).results


def _slim(view: ComputeView) -> ComputeView:
    """Remove the position in the batch from the inputs if the body does not use it."""
    last = view.body.block.args[-1]
    if last.first_use is not None:
        return view
    view.body.block.erase_arg(last)
    return replace(view, inputs=view.inputs[:-1])


def _scatter(op: ScatterOp, b: TeBatch) -> Sequence[SSAValue]:
    view = op.view()
    axis = _fresh(view)
    inputs, body = _with_batch(view, axis, b)
    last = terminator(body.block, YieldOp)
    first = body.block.args[-1]
    body.block.insert_op_before(YieldOp([first, *last.values]), last)
    Rewriter.erase_op(last)
    made = replace(
        view, axes={axis: extent_of(b.size), **view.axes}, inputs=inputs, body=body,
        combine=view.combine.clone(), base=b.batched(view.base),
    )  # fmt: skip
    return b.append(ScatterOp.from_view(made)).results


def _sort(op: SortOp, b: TeBatch) -> Sequence[SSAValue]:
    axis = op.axis.data
    count = dims_of(type_of(op.results[0]))[axis]
    descending = op.descending is not None
    made = sort(op.sym_name.data, b.values[op.x], axis + 1, descending=descending, count=count)
    return b.append(made).results


def _view(op: ViewOp, b: TeBatch) -> Sequence[SSAValue]:
    return b.append(ViewOp(b.values[op.x], b.type_of(op.res))).results


def _concat(op: ConcatOp, b: TeBatch) -> Sequence[SSAValue]:
    assert op.res is not None, "before bufferization, a concat has a result"
    parts = [b.batched(x) for x in op.xs]
    return b.append(ConcatOp(parts, op.axis + 1, b.type_of(op.res))).results


RULES: dict[type[Operation], Callable[[Any, TeBatch], Sequence[SSAValue]]] = {
    ComputeOp: _compute,
    ScatterOp: _scatter,
    SortOp: _sort,
    ViewOp: _view,
    ConcatOp: _concat,
}
"""The form of each op of te programs for a batch, by class."""
