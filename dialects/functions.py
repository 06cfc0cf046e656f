"""Attributes of ``func.func`` that passes and lowerings write and read.

    func.func @relu(..) attributes {tw.cost = #te.cost<flops = 512, computes = [matmul]>,
                                    tw.workspace_bytes = 16384 : i64} ..

Attributes of a kernel:

- ``tw.cost``: the work of the kernel, copied from te.kernel or counted by loop-split-phases.
- ``tw.strict_math``: from te-to-loop on, math functions of f32 are computed in f64.
- ``tw.workspace_bytes``: the size of the workspace of a worker, which holds the allocations that
  have an offset.
- ``tw.launch``: the blocks and threads of a GPU kernel, from simt-map-threads on (dialects/simt).
- ``tw.sizes_not_negative``: sizes of tensors that are known to be 0 or more, ``#te.dims<h - 2>``,
  because the program's main function rejects all other calls. From te-bufferize on, te.kernel and
  the main function have this attribute, too. Sizes of buffers are never negative and not listed.

Attribute of a function of graph ops that calls itself:

- ``tw.most_calls``: the largest depth of the recursion (dialects/graph/function.py).
- ``tw.total_calls``: the largest number of all calls of the recursion.

Attributes of the entry, the function that users call:

- ``tw.entry``: marks the entry (support/entry.py).
- ``tw.arena_bytes``: the size of the arena that holds its buffers, from packed-plan-memory on.
- ``tw.size_limits``: the ranges of its sizes, ``[[#te.dims<p + s>, array<i64: 0, 1024>]]``.
- ``tw.computed_sizes``: the sizes that the entry computes, in the order of their ops, ``["u0"]``.
- ``tw.size_bounds``: the largest values of computed sizes, ``[#te.dims<u0, 2 * s>]``.
- ``tw.name`` and the attributes of arguments and results: see dialects/results.py.

The verifier of ``func.func``, an op of xDSL, does not check these attributes; `verify_attributes`
does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..support.diagnostics import TypeMismatch
from ..support.entry import ENTRY
from ..support.precision import STRICT_MATH
from . import loop, packed
from .dtypes import buffer_bytes
from .graph.function import MOST_CALLS, TOTAL_CALLS
from .loop import ALIGNMENT_BYTES
from .results import (
    APPENDS,
    ARG_DTYPES,
    ARG_NAMES,
    DIMS,
    FORMS,
    NAME,
    RESULT_DTYPES,
    RESULT_NAMES,
    STATES,
    Append,
)
from .shape import DimsAttr, size_parameters
from .simt import LAUNCH, LaunchAttr
from .sizes import BOUNDS, COMPUTED, LIMITS, NOT_NEGATIVE, REQUIRED_BY
from .te.cost import Cost, CostAttr
from .te.kernel import KernelOp

PREFIX = "tw."
"""Prefix of the names of all function attributes that this compiler defines."""

COST, WORKSPACE_BYTES, ARENA_BYTES = "tw.cost", "tw.workspace_bytes", "tw.arena_bytes"
ARENA_ALIGNMENT = "tw.arena_alignment"


def record_cost(function: FuncOp, cost: Cost) -> None:
    """Set the cost of a kernel function."""
    function.attributes[COST] = CostAttr(cost)


def recorded_cost(function: FuncOp) -> Cost | None:
    """Return the cost of a kernel function; None if it has none."""
    cost = function.attributes.get(COST)
    return cost.data if isinstance(cost, CostAttr) else None


def record_bytes(function: FuncOp, key: str, size_bytes: int) -> None:
    """Record a size in bytes as the attribute ``key`` of a function.

    key: WORKSPACE_BYTES or ARENA_BYTES.
    """
    function.attributes[key] = IntegerAttr(size_bytes, i64)


def recorded_bytes(function: FuncOp, key: str) -> int:
    """Return the size in bytes that the attribute ``key`` of a function records; 0 if absent."""
    size = function.attributes.get(key)
    return cast("IntegerAttr", size).value.data if size is not None else 0


def record_alignment(function: FuncOp, alignment: int) -> None:
    """Record the number of bytes whose multiples are the offsets of a main function's buffers."""
    if alignment != ALIGNMENT_BYTES:
        function.attributes[ARENA_ALIGNMENT] = IntegerAttr(alignment, i64)


def recorded_alignment(function: FuncOp) -> int:
    """Return the number of bytes whose multiples are the offsets of a main function's buffers."""
    return recorded_bytes(function, ARENA_ALIGNMENT) or ALIGNMENT_BYTES


_Rule: TypeAlias = tuple[str, Callable[[Attribute], bool]]
"""The rule for the value of an attribute: a description for errors, and a predicate."""


def _is_unit(value: Attribute) -> bool:
    return value == UnitAttr()


def _is_text(value: Attribute) -> bool:
    return isinstance(value, StringAttr | BytesAttr)


def _are(test: Callable[[Attribute], bool]) -> Callable[[Attribute], bool]:
    return lambda value: isinstance(value, ArrayAttr) and all(map(test, value.data))


def _is_size(value: Attribute) -> bool:
    if not isinstance(value, IntegerAttr) or value.type != i64:
        return False
    return value.value.data >= 0 and value.value.data % ALIGNMENT_BYTES == 0


def _is_count(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.type == i64 and value.value.data > 0


def _is_numbers(value: Attribute) -> bool:
    return isinstance(value, DenseArrayBase) and value.elt_type == i64


def _is_append(value: Attribute) -> bool:
    if not isinstance(value, DenseArrayBase) or value.elt_type != i64:
        return False
    numbers = value.get_values()
    return len(numbers) == len(Append._fields) and min(numbers[:-1]) >= 0 and numbers[-1] >= -1


def _is_limit(value: Attribute) -> bool:
    if not isinstance(value, ArrayAttr) or len(value.data) != len(("size", "limit")):
        return False
    size, ends = value.data
    is_range = isinstance(ends, DenseArrayBase) and len(ends.get_values()) == len(value.data)
    return isinstance(size, DimsAttr) and len(size.data) == 1 and is_range


def _is_bound(value: Attribute) -> bool:
    return isinstance(value, DimsAttr) and len(value.data) == len(("size", "bound"))


def _is_requirement(value: Attribute) -> bool:
    if not isinstance(value, ArrayAttr) or len(value.data) != len(("size", "node")):
        return False
    size, node = value.data
    return isinstance(size, DimsAttr) and len(size.data) == 1 and _is_text(node)


def _is_pair(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and len(value.data) == 2 and all(map(_is_text, value.data))


def _is_form(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) or _is_numbers(value) or _is_unit(value)


_TEXTS: _Rule = ("an array of strings", _are(_is_text))
_SIZE: _Rule = (f"an i64, a multiple of {ALIGNMENT_BYTES}", _is_size)

RULES: Mapping[str, _Rule] = MappingProxyType(
    {
        ENTRY: ("no value", _is_unit),
        MOST_CALLS: ("an i64 above 0", _is_count),
        TOTAL_CALLS: ("an i64 above 0", _is_count),
        STRICT_MATH: ("no value", _is_unit),
        COST: ("#te.cost<..>", lambda value: isinstance(value, CostAttr)),
        WORKSPACE_BYTES: _SIZE,
        LAUNCH: ("#simt.launch<..>", lambda value: isinstance(value, LaunchAttr)),
        ARENA_BYTES: _SIZE,
        ARENA_ALIGNMENT: _SIZE,
        NAME: ("a string", _is_text),
        ARG_NAMES: _TEXTS,
        RESULT_NAMES: _TEXTS,
        ARG_DTYPES: _TEXTS,
        RESULT_DTYPES: _TEXTS,
        DIMS: ("an array of array<i64: ..>", _are(_is_numbers)),
        LIMITS: ("an array of [#te.dims<..>, array<i64: least, most>]", _are(_is_limit)),
        REQUIRED_BY: ("an array of [#te.dims<..>, string]", _are(_is_requirement)),
        NOT_NEGATIVE: ("#te.dims<..>", lambda value: isinstance(value, DimsAttr)),
        COMPUTED: _TEXTS,
        BOUNDS: ("an array of #te.dims<size, bound>", _are(_is_bound)),
        STATES: ("an array of pairs of strings", _are(_is_pair)),
        APPENDS: ("an array of array<i64: argument, result, axis>", _are(_is_append)),
        FORMS: ("an array of integers, array<i64: ..> and unit", _are(_is_form)),
    }
)
"""The rules of all function attributes, by attribute name."""


def verify_attributes(module: ModuleOp) -> None:
    """Check the attributes of all functions of a module, and the memory sizes that they record.

    Errors: TypeMismatch for an unknown attribute whose name starts with ``tw.``, for an attribute
    on an op that may not have it, for a wrong value, and for an allocation that ends after the end
    of its workspace or arena.
    """
    for op in module.walk():
        for key, value in op.attributes.items():
            if key.startswith(PREFIX):
                _verify_attribute(op, key, value)
    for function in (op for op in module.ops if isinstance(op, FuncOp)):
        _verify_memory(function)


def _verify_attribute(op: Operation, key: str, value: Attribute) -> None:
    if key not in RULES:
        raise TypeMismatch(
            f"no attribute has the name {key}",
            expected=f"one of {', '.join(RULES)}",
            got=key,
            hint=f"start the names of other attributes without {PREFIX}",
        ).at(op)
    if not isinstance(op, FuncOp) and not (isinstance(op, KernelOp) and key == NOT_NEGATIVE):
        raise TypeMismatch(
            f"{key} is an attribute of functions",
            expected="func.func",
            got=op.name,
            hint="move the attribute to the function",
        ).at(op)
    expected, accepts = RULES[key]
    if not accepts(value):
        raise TypeMismatch(
            f"{key} has a wrong value",
            expected=expected,
            got=value,
            hint="remove the attribute, and run the pass that sets it",
        ).at(op)


def _verify_memory(function: FuncOp) -> None:
    """Check that all allocations of a function lie within its recorded workspace and arena.

    The arena of a function with symbolic sizes may have no recorded size; then it is not checked.
    """
    for kind, key in ((loop.AllocOp, WORKSPACE_BYTES), (packed.AllocOp, ARENA_BYTES)):
        if kind is packed.AllocOp and size_parameters(function) and key not in function.attributes:
            continue
        most = recorded_bytes(function, key)
        for op in _placed(function, kind):
            end = cast("IntegerAttr", op.offset).value.data + buffer_bytes(op.res.type)
            if end > most:
                raise TypeMismatch(
                    f"an allocation ends behind {key} of @{function.sym_name.data}",
                    expected=f"at most {most}",
                    got=end,
                    hint=f"raise {key}",
                ).at(op)


def _placed(
    function: FuncOp, kind: type[loop.AllocOp | packed.AllocOp]
) -> Iterable[loop.AllocOp | packed.AllocOp]:
    ops = (op for op in function.body.walk() if isinstance(op, kind))
    return (op for op in ops if op.offset is not None)
