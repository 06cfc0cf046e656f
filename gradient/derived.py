"""Gradients of graph ops without a rule: differentiate the op's te definition.

%y = graph.gelu %x → %dx = graph.defined %x, %dy { … te ops … }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects.dtypes import is_float
from ..dialects.graph import BindingOp, ConstantOp, DefinedOp, YieldOp
from ..dialects.shape import type_of
from ..lowering.graph_to_te.convert import convert_function
from ..passes.te.gradient import differentiate
from ..support.blocks import terminator
from ..support.diagnostics import NoGradient
from .builder import GradientBuilder
from .rule import Cotangents


def derive(
    op: Operation,
    cotangents: Cotangents,
    builder: GradientBuilder,
    wanted: Callable[[SSAValue], bool],
) -> Cotangents:
    """Append a graph.defined that computes the cotangents of an op's operands; return these.

    cotangents: the cotangents of the op's results. wanted: returns whether a value needs a
    cotangent.

    Errors: NoGradient if the te definition has no gradient; UnsupportedOp if there is no te
    definition.
    """
    if isinstance(op, BindingOp):
        raise NoGradient(
            "an op whose result has a data-dependent size has no gradient",
            got=op.name,
            hint="leave the op out of the loss",
        ).at(op)
    given = list(dict.fromkeys(v for v in op.operands if not isinstance(v.owner, ConstantOp)))
    function = te_function(op, given)
    block = function.body.block
    ends = terminator(block, ReturnOp)
    heads: dict[SSAValue, SSAValue | None] = {}
    seeds: list[SSAValue] = []
    for out, g in zip(list(ends.operands), cotangents, strict=False):
        if g is not None:
            heads[out] = block.insert_arg(out.type, len(block.args))
            seeds.append(g)
    places = [n for n, v in enumerate(given) if is_float(type_of(v).element_type) and wanted(v)]
    inner = [each for each in block.ops if each is not ends]
    try:
        found = differentiate(inner, heads, [block.args[n] for n in places])
    except NoGradient as err:
        raise err.placed(f"{op.name}: {err.where}") from err.__cause__
    for each in found.ops:
        block.insert_op_before(each, ends)
    block.insert_op_before(YieldOp(found.gradients), ends)
    block.erase_op(ends)
    region = function.detach_region(function.body)
    made = builder.append(erase_unused([*given, *seeds], region))
    parts = dict(zip((given[n] for n in places), made.results, strict=True))
    taken: set[SSAValue] = set()
    result: list[SSAValue | None] = []
    for operand in op.operands:
        # An operand that occurs twice has one cotangent, the sum of both.
        result.append(None if operand in taken else parts.get(operand))
        taken.add(operand)
    return result


def te_function(op: Operation, given: Sequence[SSAValue]) -> FuncOp:
    """Return a function of te ops that computes the same as a graph op.

    given: the operands of the op that become arguments of the function. The other operands must be
    constants, of which the function contains copies.
    Errors: UnsupportedOp if the op has no te definition.
    """
    block = Block(arg_types=[v.type for v in given])
    values: dict[SSAValue, SSAValue] = dict(zip(given, block.args, strict=True))
    for operand in op.operands:
        if operand not in values:
            assert isinstance(operand.owner, ConstantOp), "the other operands are arguments"
            constant = operand.owner.clone()
            block.add_op(constant)
            values[operand] = constant.results[0]
    copy = op.clone(values)
    block.add_op(copy)
    block.add_op(ReturnOp(*copy.results))
    types = [v.type for v in given], [r.type for r in copy.results]
    function = FuncOp("derived", types, Region(block))
    convert_function(function)
    return function


def erase_unused(operands: Sequence[SSAValue], region: Region) -> DefinedOp:
    """Return the graph.defined of a region, without the ops and operands that nothing uses.

    operands: one for each argument of the region.
    """
    block = region.block
    for inner in reversed(list(block.ops)):
        if not isinstance(inner, YieldOp) and not any(r.uses for r in inner.results):
            block.erase_op(inner)
    used = [bool(argument.uses) for argument in block.args]
    for argument, is_used in zip(list(block.args), used, strict=True):
        if not is_used:
            block.erase_arg(argument)
    return DefinedOp([x for x, is_used in zip(operands, used, strict=True) if is_used], region)
