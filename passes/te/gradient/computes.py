"""The adjoint of a te.compute: the cotangents of its operands.

A compute with an epilogue is differentiated as two computes: one that reduces, and an elementwise
one of the reduced values. te-fuse-elementwise fuses the adjoints of the two computes again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Region, SSAValue

from ....dialects.dtypes import is_float
from ....dialects.shape import tensor_type, type_of
from ....dialects.te.build import ComputeResult, compute, read
from ....dialects.te.compute import ComputeOp
from ....dialects.te.verifier import accumulator_type
from ....dialects.te.view import Access, ComputeView
from ....support.affine import Index, variable
from ....support.diagnostics import NoGradient
from .bodies import copy_body
from .combiners import Seed, seeds_of
from .ops import AdjointOps
from .reads import BodyAdjoint

Cotangents = Mapping[SSAValue, SSAValue]
"""The cotangent of each value that has one."""


class OperandCotangents:
    """The cotangents of operands, summed over all ops that use the operand.

    ops: the list to which the ops that compute cotangents are appended.
    wanted: returns whether a value needs a cotangent.
    found: the sum of the cotangents of each operand so far.
    """

    def __init__(self, ops: AdjointOps, wanted: Callable[[SSAValue], bool]) -> None:
        self.ops, self.wanted = ops, wanted
        self.found: dict[SSAValue, SSAValue] = {}

    def add(self, value: SSAValue, g: SSAValue) -> None:
        """Add ``g`` to the cotangent accumulated for an operand."""
        known = self.found.get(value)
        self.found[value] = g if known is None else self.ops.sum(known, g)

    def add_inputs(self, view: ComputeView, seeds: Sequence[Seed]) -> None:
        """Add the cotangents of all inputs of a compute or scatter.

        seeds: the cotangents of the values that its body yields.
        """
        adjoint = BodyAdjoint.of(self.ops, view, seeds)
        for number, access in enumerate(view.inputs):
            value = access.value
            if value is None or not is_float(access.element_type) or not self.wanted(value):
                continue
            if access.is_whole:
                self.found[value] = adjoint.of_whole_input(number, self.found.get(value))
            else:
                self.add(value, adjoint.of_input(number))


def add_compute(op: ComputeOp, cotangents: Cotangents, operands: OperandCotangents) -> None:
    """Add the cotangents of the operands of a compute to ``operands``.

    cotangents: the cotangents of the compute's results.
    Errors: NoGradient for a combiner or scalar op without a rule.
    """
    if op.then.blocks:
        op, cotangents = _add_epilogue(op, cotangents, operands)
    if op.scan is not None:
        _add_scan(op, cotangents, operands)
        return
    operands.add_inputs(op.view(), seeds_of(operands.ops, op, cotangents))


def _add_epilogue(
    op: ComputeOp, cotangents: Cotangents, operands: OperandCotangents
) -> tuple[ComputeOp, Cotangents]:
    """Add the cotangents of the operands of a compute's epilogue to ``operands``.

    Returns the compute without its epilogue, and the cotangents of this compute's results.
    """
    reduced = operands.ops.append(_without_epilogue(op))
    epilogue = operands.ops.append(_epilogue(op, reduced))
    combined = [n for n, output in enumerate(op.view().outputs) if output.reduces]
    given: dict[SSAValue, SSAValue] = {
        result: cotangents[op.results[n]]
        for result, n in zip(epilogue.results, combined, strict=True)
        if op.results[n] in cotangents
    }
    sums: set[SSAValue] = set(reduced.results)
    inner = OperandCotangents(operands.ops, lambda v: v in sums or operands.wanted(v))
    add_compute(epilogue, given, inner)
    found: dict[SSAValue, SSAValue] = {}
    for n, new in enumerate(reduced.results):
        g = inner.found.pop(new, None) if n in combined else cotangents.get(op.results[n])
        if g is not None:
            found[new] = g
    for value, g in inner.found.items():
        operands.add(value, g)
    return reduced, found


def _without_epilogue(op: ComputeOp) -> ComputeOp:
    """Return a copy of a compute that stores the accumulators instead of applying its epilogue."""
    view = op.view()
    outputs = [
        replace(o, result_type=tensor_type(accumulator_type(o), o.dims)) if o.reduces else o
        for o in view.outputs
    ]
    return ComputeOp.from_view(
        replace(
            view,
            outputs=outputs,
            post=[],
            then=Region(),
            role=None,
            body=view.body.clone(),
            combine=view.combine.clone(),
        )
    )


def _epilogue(op: ComputeOp, reduced: ComputeOp) -> ComputeOp:
    """Return the epilogue of a compute as an elementwise compute of the accumulators.

    Errors: NoGradient if the outputs have different axes.
    """
    view = op.view()
    combined = [(o, r) for o, r in zip(view.outputs, reduced.results, strict=True) if o.reduces]
    names = _axis_names(combined[0][0])
    if any(set(_axis_names(output)) != set(names) for output, _ in combined):
        raise NoGradient(
            f"te.compute @{view.name} has an epilogue of outputs with different axes",
            hint="divide the compute into one per output",
        ).at(op)
    axes = {name: view.axes[name] for name in names}
    inputs = [*(read(r, _axis_names(o)) for o, r in combined), *view.post]
    results = [ComputeResult(tuple(_axis_names(o)), o.element_type) for o, _ in combined]
    block = view.then.block
    return compute(
        f"then_{view.name}", axes, inputs, results, lambda s, *v: copy_body(s, block, v).yields
    )


def _axis_names(output: Access) -> list[str]:
    return [str(index.variable()) for index in output.indices or ()]


def _add_scan(op: ComputeOp, cotangents: Cotangents, operands: OperandCotangents) -> None:
    """Add the cotangents of the operands of a running sum, which are running sums from the end.

    Errors: NoGradient for a scan with another combiner than add.
    """
    view = op.view()
    axis = view.scan
    assert axis is not None, "the compute has a scan axis"
    if {output.combiner for output in view.outputs} != {"add"}:
        raise NoGradient(
            f"te.compute @{view.name} is a scan by another combiner than add",
            got=", ".join(output.combiner for output in view.outputs),
            hint="write the scan as a running sum, such as a product as a sum of logarithms",
        ).at(op)
    seeds: list[Seed] = []
    for number, (result, output) in enumerate(zip(op.results, view.outputs, strict=True)):
        if result not in cotangents:
            continue
        names = _axis_names(output)
        last = operands.ops.size(view.axes[axis]) - 1
        flipped: list[Index] = [last - variable(a) if a == axis else variable(a) for a in names]
        axes = {name: view.axes[name] for name in (*(n for n in names if n != axis), axis)}
        element = type_of(result).element_type
        reads = [Access(cotangents[result], flipped)]
        running = ComputeResult(tuple(names), element, "add", 0)
        back = compute("running", axes, reads, [running], lambda _s, x: x, scan=axis)
        access = Access(operands.ops.append(back).results[0], flipped)
        seeds.append(Seed(number, [access], lambda _s, _body, values: values[0], True))
    operands.add_inputs(replace(view, scan=None), seeds)
