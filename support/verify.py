"""The strict verifier: invariants of all modules that ``verify`` of xDSL does not check.

- The definition of a value dominates its uses; regions of ops that are isolated from above use no
  outer value.
- A terminator is the last op of its block; branches pass the types of the target's arguments;
  ``func.return`` returns the types of its function.
- The values of attributes and properties are objects of class Attribute.
- Below the graph level, integers are signless: operands and results in ``SIGNLESS_DIALECTS``.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import (
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsolatedFromAbove, IsTerminator

from .diagnostics import TilewrightError, describe

SIGNLESS_DIALECTS = frozenset({"arith", "math", "te", "loop", "vector", "memref"})
"""Dialects in which the ops, not the types, determine the signedness of integers."""


class InvalidIR(TilewrightError):
    """The error for a module that violates a strict verifier rule: a bug in the last pass."""


def strict_verify(root: Operation) -> None:
    """Check dominance, terminators and signless integers of all ops nested in ``root``.

    Errors: InvalidIR at the first op that violates a rule.
    Cost: about 5 us per op.
    """
    visible = set(root.operands)
    for region in root.regions:
        _check_region(region, visible)


def _check_region(region: Region, visible: set[SSAValue]) -> None:
    blocks = list(region.blocks)
    if len(blocks) == 1:
        for value in _check_block(blocks[0], visible):
            visible.discard(value)
        return
    dominance = DominanceInfo(region) if blocks else None
    for block in blocks:
        assert dominance is not None
        above = [other for other in blocks if dominance.strictly_dominates(other, block)]
        inherited = {value for other in above for value in _values_of(other)}
        _check_block(block, visible | inherited)


def _values_of(block: Block) -> Iterator[SSAValue]:
    yield from block.args
    for op in block.ops:
        yield from op.results


def _check_block(block: Block, visible: set[SSAValue]) -> list[SSAValue]:
    """Check a block, and return the values that it defines.

    visible: the values that ops of the block may use; the defined values are added to it.
    """
    added: list[SSAValue] = list(block.args)
    visible.update(added)
    last = block.last_op
    for op in block.ops:
        for operand in op._operands:  # pyright: ignore[reportPrivateUsage]
            if operand not in visible:
                raise _not_visible(op, operand)
        if op is not last and op.has_trait(IsTerminator, value_if_unregistered=False):
            raise InvalidIR("a terminator is not the last op of its block").at(op)
        _check_attributes(op)
        _check_signless(op)
        for region in op.regions:
            _check_region(region, set() if _is_isolated(op) else visible)
        results = op.results
        visible.update(results)
        added.extend(results)
    if last is not None:
        _check_terminator(last)
    return added


def _is_isolated(op: Operation) -> bool:
    return op.has_trait(IsolatedFromAbove, value_if_unregistered=False)


def _not_visible(op: Operation, operand: SSAValue) -> InvalidIR:
    number = op.operands.index(operand)
    owner = operand.owner
    where = describe(owner) if isinstance(owner, Operation) else "an argument of another block"
    return InvalidIR(
        "an operand is used where its definition is not visible",
        expected="a definition that dominates the use",
        got=f"operand {number}, defined by {where}",
    ).at(op)


def _check_terminator(op: Operation) -> None:
    parent = op.parent_op()
    if isinstance(op, ReturnOp) and isinstance(parent, FuncOp):
        _check_types(op, [v.type for v in op.operands], list(parent.function_type.outputs))
    if op.successors:
        expected = [arg.type for successor in op.successors for arg in successor.args]
        passed = [v.type for v in op.operands][len(op.operands) - len(expected) :]
        _check_types(op, passed, expected)


def _check_types(op: Operation, got: list[Attribute], expected: list[Attribute]) -> None:
    if got != expected:
        raise InvalidIR(
            "wrong types are passed on",
            expected=", ".join(map(str, expected)) or "nothing",
            got=", ".join(map(str, got)) or "nothing",
        ).at(op)


def _check_attributes(op: Operation) -> None:
    for key, value in (*op.attributes.items(), *op.properties.items()):
        if not isinstance(value, Attribute):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidIR(
                f"the value of {key} is an object of Python",
                expected="an attribute, such as IntegerAttr",
                got=repr(value),
            ).at(op)


def _check_signless(op: Operation) -> None:
    if op.name.partition(".")[0] not in SIGNLESS_DIALECTS:
        return
    for value in (*op._operands, *op.results):  # pyright: ignore[reportPrivateUsage]
        if _carries_sign(value.type):
            raise InvalidIR(
                "an integer type carries a sign below the graph level",
                expected="iN",
                got=value.type,
                hint="put the sign into the op: divui, extui, cmpi ult",
            ).at(op)


def _carries_sign(type_: Attribute) -> bool:
    if isinstance(
        type_, TensorType | MemRefType | VectorType | UnrankedTensorType | UnrankedMemRefType
    ):
        type_ = type_.element_type
    return isinstance(type_, IntegerType) and type_.signedness.data is not Signedness.SIGNLESS
