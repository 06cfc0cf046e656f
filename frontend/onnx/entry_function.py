"""Make the entry function of an imported model, with the names of its inputs and outputs.

In: the block with all converted nodes, the values of the outputs, and the names.  Out: ``main``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Region

from ...dialects.graph import bound_symbols
from ...dialects.results import Form, record_forms
from ...dialects.sizes import (
    drop_other_limits,
    record_computed,
    record_limits,
    record_required_by,
)
from ...support.rewriting import erase_dead_ops
from .builder import Builder, Tensor
from .values import StringTensor, TensorList, Value, flat


def entry_function(
    builder: Builder, inputs: Iterable[str], outputs: Sequence[tuple[str, Value]]
) -> FuncOp:
    """Return the function main, whose body is the builder's block and which returns the outputs.

    inputs: the names of main's arguments.  outputs: the name and the value of each output.
    """
    block, values = builder.block, [value for _, value in outputs]
    results = [builder.ssa(x) for x in flat(values)]
    block.add_op(ReturnOp(*results))
    types = ([a.type for a in block.args], [r.type for r in results])
    function = FuncOp("main", types, Region(block))
    erase_dead_ops(function)
    function.attributes["tw.arg_names"] = _names(inputs)
    names: list[str] = []
    for name, value in outputs:
        if isinstance(value, TensorList):
            names += [f"{name}.{n}" for n in range(len(value.items))]
        elif value is not None:
            names.append(name)
    function.attributes["tw.result_names"] = _names(names)
    if not all(isinstance(value, Tensor | StringTensor) for value in values):
        record_forms(function, _forms(values))
    computed = bound_symbols(block)
    record_computed(function, computed)
    facts = builder.facts
    record_limits(function, {**facts.limits(), **facts.limits_of_computed(facts.equal)})
    record_required_by(function, facts.required_by)
    drop_other_limits(function)
    return function


def _forms(values: Sequence[Value]) -> list[Form]:
    """Return the structure of each value, with consecutive numbers for the tensors of all values.

    The structure of a tensor is its number, of a sequence a tuple of numbers, of an absent value
    None.
    """
    positions = count()
    forms: list[Form] = []
    for value in values:
        if isinstance(value, TensorList):
            forms.append(tuple(next(positions) for _ in value.items))
        else:
            forms.append(None if value is None else next(positions))
    return forms


def _names(names: Iterable[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(name) for name in names])
