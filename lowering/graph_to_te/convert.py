"""graph-to-te: translate functions op by op, by the rules of the modules of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects.dtypes import is_sub_byte, numpy_dtype
from ...dialects.graph import BindingOp, GraphOp, bound_symbols
from ...dialects.packed import ExternOp
from ...dialects.results import ARG_DTYPES, RESULT_DTYPES, record_dtypes, record_entries
from ...dialects.shape import dims_of, type_of
from ...dialects.sizes import (
    computed_sizes,
    drop_other_limits,
    record_bounds,
    record_computed,
    record_sizes,
)
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import signless
from ...support.diagnostics import TilewrightError, TypeMismatch, UnsupportedOp
from ...support.lazy import family_tables
from ...support.rewriting import erase_dead_ops
from .builder import LoweredBy, Rule, TeBuilder, element_of, is_empty, shape_of, te_type
from .control import lower_extern
from .data.data_rules import sizes_value


def _tables(name: str) -> tuple[Any, ...]:
    """Return the value of the variable ``name`` in each module of this package that defines it."""
    return family_tables("tilewright.lowering.graph_to_te", name, without=__name__)


RULES: dict[type, Rule] = {op: rule for table in _tables("RULES") for op, rule in table.items()}
"""The lowering of every graph op, by class."""

DATA_RULES: dict[type, Rule] = {
    op: rule for table in _tables("DATA_RULES") for op, rule in table.items()
}
"""The lowering of ops with a data-dependent size in an operand or result, by class."""

WITH_SUB_BYTES: set[type] = set().union(*_tables("SUB_BYTE_OPS"))
"""Ops whose lowering supports integers narrower than 8 bits, stored in the low bits of a byte."""


@dataclass(frozen=True)
class GraphToTe(ModulePass):
    """Replace every graph op by its te definition; see the package docstring."""

    name = "graph-to-te"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                try:
                    convert_function(function)
                except TilewrightError as err:
                    raise err.named(f"func.func @{function.sym_name.data}") from err.__cause__


def convert_function(function: func.FuncOp) -> None:
    """Translate the body of a function in place; record the dtypes of its signature.

    If the function computes sizes of its results, a tensor of these sizes becomes its last result.
    """
    old = function.body.block
    _record_computed(function)
    inputs = function.function_type.inputs.data
    new = Block(arg_types=[te_type(t) for t in inputs])
    builder = TeBuilder(new, convert_op)
    builder.data.bound_types(old)
    for argument, made in zip(old.args, new.args, strict=True):
        made.name_hint = argument.name_hint
        builder.values[argument] = made
    record_dtypes(function, ARG_DTYPES, [element_of(a) for a in old.args])
    for op in old.ops:
        if isinstance(op, func.ReturnOp):
            _return(function, op, builder)
        else:
            convert_op(op, builder)
    region = function.body
    function.detach_region(region)
    function.add_region(Region(new))
    region.drop_all_references()
    function.update_function_type()
    record_sizes(function)
    # Results of graph ops without a use, and some computes that count elements.
    erase_dead_ops(function)


def _record_computed(function: func.FuncOp) -> None:
    """Record, as attributes, the symbolic sizes that a function computes and their upper bounds."""
    bounds = bound_symbols(function.body.block)
    record_computed(function, bounds)
    drop_other_limits(function)
    record_bounds(function, {name: bound for name, bound in bounds.items() if bound is not None})


def _return(function: func.FuncOp, op: func.ReturnOp, builder: TeBuilder) -> None:
    """Append a func.return of the te values; record their dtypes and computed sizes."""
    builder.at(op)
    made = [builder.value(v) for v in op.arguments]
    elements = [element_of(v) for v in op.arguments]
    places, sizes = builder.data.size_table(op.arguments, computed_sizes(function))
    if sizes:
        made.append(sizes_value(sizes, builder))
        elements.append(i64)
        record_entries(function, places)
    record_dtypes(function, RESULT_DTYPES, elements)
    builder.append(func.ReturnOp(*made))


def convert_op(op: Operation, builder: TeBuilder) -> None:
    """Append the lowering of an op to a builder; record the te values of its results.

    Errors: UnsupportedOp if the op has no te definition, or none for these types or sizes.
    """
    builder.at(op)
    try:
        made = _lower(op, builder)
    except TilewrightError as err:
        raise err.at(op) from err.__cause__
    for result, value in zip(op.results, made, strict=True):
        builder.values[result] = value
        if value.name_hint is None:
            value.name_hint = result.name_hint
    if isinstance(op, GraphOp) and op.layout is not None:
        _annotate(made[0], op.layout)


def _lower(op: Operation, builder: TeBuilder) -> list[SSAValue]:
    rule = _rule(op)
    if rule is None:
        raise UnsupportedOp("op has no te definition", got=op.name)
    if type(op) not in WITH_SUB_BYTES:
        _refuse_sub_bytes(op)
    if builder.data.has(op):
        rule = DATA_RULES.get(type(op), _refused)
    last = builder.block.last_op
    made = list(_made(op, rule, builder))
    _check_types(op, rule, made)
    if type(op) not in RULES:
        _verify_after(last, builder.block)
    return made


def _made(op: Operation, rule: Rule, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower an op by its rule; return the te values of its results.

    If all results are empty, the rule is not called: the results become empty constants, and the
    symbolic size that the op binds, if any, becomes 0.
    """
    if isinstance(op, BindingOp):
        is_nothing = op.bound.value == 0
    else:
        is_nothing = bool(op.results) and all(is_empty(r) for r in op.results)
    if not is_nothing:
        made = rule(op, builder)
        return [made] if isinstance(made, SSAValue) else made
    if isinstance(op, BindingOp):
        builder.bind(op.symbol, builder.constant(np.zeros(1, np.int64)))
    return [_empty(r, builder) for r in op.results]


def _verify_after(last: Operation | None, block: Block) -> None:
    """Verify the ops that a rule of another package has appended to a block.

    last: the last op of the block before the rule was called; None if the block was empty.
    """
    op = block.first_op if last is None else last.next_op
    while op is not None:
        op.verify()
        op = op.next_op


def _check_types(op: Operation, rule: Rule, made: Sequence[SSAValue]) -> None:
    """Check that a lowering returned values of the types of the op's results.

    rule: the function that lowered the op.  made: the te values that it returned.
    Errors: TypeMismatch for another type or another number of values.
    """
    expected = [te_type(result.type) for result in op.results]
    if expected != [value.type for value in made]:
        raise TypeMismatch(
            f"the lowering {_name(rule)} gives other types than the op has",
            expected=", ".join(map(str, expected)) or "nothing",
            got=", ".join(str(value.type) for value in made) or "nothing",
        )


def _name(rule: Rule) -> str:
    rule = rule.func if isinstance(rule, partial) else rule
    return f"{rule.__module__}.{rule.__qualname__}"


def _rule(op: Operation) -> Rule | None:
    known = lower_extern if isinstance(op, ExternOp) else RULES.get(type(op))
    if known is None:
        own = op.get_trait(LoweredBy)
        return None if own is None else own.rule
    return known


def _refuse_sub_bytes(op: Operation) -> None:
    for type_ in (v.type for v in (*op.operands, *op.results)):
        if isinstance(type_, TensorType) and is_sub_byte(type_.get_element_type()):
            raise UnsupportedOp(
                "integers of less than 8 bits are moved and converted, not computed with",
                got=type_,
                hint="insert graph.cast",
            )


def _refused(op: Operation, builder: TeBuilder) -> Sequence[SSAValue]:
    values = (*op.operands, *op.results)
    dims = next(builder.data.dims[v] for v in values if v in builder.data.dims)
    raise UnsupportedOp(
        f"{op.name} is not defined on sizes that depend on data",
        expected="sizes that are numbers",
        got=", ".join(map(str, dims)),
    )


def _empty(result: SSAValue, builder: TeBuilder) -> SSAValue:
    if any(dim.value is None for dim in dims_of(type_of(result))):
        return builder.full(type_of(result), 0)
    dtype = numpy_dtype(signless(type_of(result).element_type))
    return builder.constant(np.zeros(shape_of(result), dtype))


def _annotate(value: SSAValue, layout: AffineMapAttr) -> None:
    """Set the layout of a value on the compute that defines it; te-bufferize applies the layout."""
    op = value.owner
    if isinstance(op, ComputeOp):
        layouts = [layout if r is value else UnitAttr() for r in op.res]
        op.properties["layouts"] = ArrayAttr(layouts)
