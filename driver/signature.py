"""Types that no pass may change: those of the inputs and results of the functions of a module.

A pass may turn tensors into buffers, which follow the inputs then, bound sizes that depend on data
by numbers, and take the signs of integers away. Everything else is an error of the pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute

from ..dialects.results import recorded_entries
from ..dialects.shape import Dim, dims_of
from ..dialects.te.scalars import signless
from ..support.diagnostics import TypeMismatch

Value: TypeAlias = tuple[tuple[Dim | int, ...] | None, Attribute]
"""Sizes and element type of an input or result; of another type: no sizes, and the type."""


def signatures_of(module: ModuleOp) -> Mapping[str, tuple[Value, ...]]:
    """Return inputs and results of each function, by its name.

    Errors: TypeMismatch for a function whose body has other types than it says.
    Cost: about 10 us per function and value.
    """
    return {op.sym_name.data: _signature(op) for op in module.ops if isinstance(op, FuncOp)}


def check_signatures(before: Mapping[str, tuple[Value, ...]], module: ModuleOp, step: str) -> None:
    """Refuse a module in which a pass changed an input or a result of a function.

    Errors: TypeMismatch that names the pass.
    """
    for function in module.ops:
        if not isinstance(function, FuncOp) or function.sym_name.data not in before:
            continue
        name = function.sym_name.data
        expected, got = before[name], _signature(function)
        if len(got) != len(expected) or not all(map(_agree, expected, got)):
            raise TypeMismatch(
                f"the pass changes the types of @{name}",
                expected=_show(expected),
                got=_show(got),
                where=step,
            )


def _signature(function: FuncOp) -> tuple[Value, ...]:
    inputs, outputs = function.function_type.inputs.data, function.function_type.outputs.data
    if not function.is_declaration:
        block, last = function.body.block, function.body.blocks[-1].last_op
        returned = [v.type for v in last.operands] if isinstance(last, ReturnOp) else outputs
        actual = FunctionType.from_lists([a.type for a in block.args], list(returned))
        if actual != function.function_type:
            raise TypeMismatch(
                f"the body of @{function.sym_name.data} has other types than the function",
                expected=function.function_type,
                got=actual,
            )
    values = [_value(type_) for type_ in (*inputs, *outputs)]
    if recorded_entries(function):
        values.pop()  # the sizes that depend on data
    return tuple(values)


@lru_cache(maxsize=4096)
def _value(type_: Attribute) -> Value:
    if isinstance(type_, TensorType):
        return dims_of(type_), signless(type_.element_type)
    if isinstance(type_, MemRefType):
        return type_.get_shape(), signless(type_.element_type)
    return None, type_


def _agree(expected: Value, got: Value) -> bool:
    if expected[1] != got[1] or (expected[0] is None) != (got[0] is None):
        return False
    sizes, others = expected[0] or (), got[0] or ()
    return len(sizes) == len(others) and all(map(_same_size, sizes, others))


def _same_size(size: Dim | int, other: Dim | int) -> bool:
    """Tell whether a size is the other one, or a number that the other one may be."""
    number = size if isinstance(size, int) else size.value
    value = other if isinstance(other, int) else other.value
    return number == value if number is not None else value is not None or size == other


def _show(values: tuple[Value, ...]) -> str:
    shown = ("x".join(map(str, [*(sizes or ()), element])) for sizes, element in values)
    return ", ".join(shown)
