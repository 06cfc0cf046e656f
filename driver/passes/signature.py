"""Check that no pass changes the types of a function's inputs and results.

A pass may turn result tensors into buffers after the inputs, replace data-dependent sizes by their
upper bounds, and make integers signless. Every other change is an error of the pass.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute

from ...dialects.results import recorded_entries
from ...dialects.shape import Dim, dims_of
from ...dialects.te.scalars import signless
from ...support.diagnostics import TypeMismatch
from ...support.size_names import depends_on_data

Value: TypeAlias = tuple[tuple[Dim | int, ...] | None, Attribute]
"""The compared part of a type: sizes and element type of a tensor or buffer, else (None, type)."""


class Signatures:
    """The input and result types of each function of a module, compared after every pass."""

    def __init__(self, module: ModuleOp) -> None:
        """Record the types of the module's functions.

        Errors: TypeMismatch for a function whose body contradicts its type.
        """
        self._seen = {op.sym_name.data: _signature(op) for op in _functions(module)}

    def check(self, module: ModuleOp, step: str) -> None:
        """Check that a pass has changed no input or result type of any function.

        step: the name of the pass.
        Errors: TypeMismatch that names the pass.
        Cost: about 10 us per value if the function's type object changed, else 1 us.
        """
        for function in _functions(module):
            name = function.sym_name.data
            if name not in self._seen:
                continue
            type_, expected = self._seen[name]
            if function.function_type is type_:
                _check_body(function)
                continue
            _, got = self._seen[name] = _signature(function)
            if len(got) != len(expected) or not all(map(_agree, expected, got)):
                raise TypeMismatch(
                    f"the pass changes the types of @{name}",
                    expected=_show(expected),
                    got=_show(got),
                    where=step,
                )


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.ops if isinstance(op, FuncOp)]


def _signature(function: FuncOp) -> tuple[FunctionType, tuple[Value, ...]]:
    _check_body(function)
    type_ = function.function_type
    values = [_value(each) for each in (*type_.inputs, *type_.outputs)]
    if recorded_entries(function):
        values.pop()  # the sizes that depend on data
    return type_, tuple(values)


def _check_body(function: FuncOp) -> None:
    if function.is_declaration:
        return
    block, last = function.body.block, function.body.blocks[-1].last_op
    outputs = function.function_type.outputs.data
    returned = [v.type for v in last.operands] if isinstance(last, ReturnOp) else outputs
    actual = FunctionType.from_lists([a.type for a in block.args], list(returned))
    if actual != function.function_type:
        raise TypeMismatch(
            f"the body of @{function.sym_name.data} has other types than the function",
            expected=function.function_type,
            got=actual,
        )


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
    """Return whether a pass may replace ``size`` by ``other``.

    It may if they are equal, if a symbolic size becomes a number, or if a data-dependent size
    becomes its upper bound.
    """
    number = size if isinstance(size, int) else size.value
    value = other if isinstance(other, int) else other.value
    if number is not None or value is not None:
        return number is None or number == value
    return size == other or any(map(depends_on_data, Dim.of(size).symbols()))


def _show(values: tuple[Value, ...]) -> str:
    shown = ("x".join(map(str, [*(sizes or ()), element])) for sizes, element in values)
    return ", ".join(shown)
