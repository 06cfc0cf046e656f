"""Stages of the main function, which calls the kernels.

Each symbol of a packed.bind starts a stage, in which one more size is known.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ...support.diagnostics import LoweringError
from ..shape import Dim, symbols_of
from ..sizes import computed_sizes, stage_of, symbols_in
from .program import BindOp


def stage_of_type(main: FuncOp, type_: Attribute) -> int:
    """Return the first stage of the main function in which all sizes of a type are known."""
    return stage_of(map(Dim.sym, symbols_of(type_)), computed_sizes(main))


def start_of_stage(main: FuncOp, stage: int) -> Operation:
    """Return the first op of a stage of the main function."""
    block = main.body.block
    op = block.first_op
    if stage:
        size = Dim.sym(computed_sizes(main)[stage - 1])
        binds = (each for each in block.ops if isinstance(each, BindOp) and size in each.dims)
        op = next(binds).next_op
    assert op is not None, "main ends with a terminator"
    return op


def _bound(op: Operation) -> int:
    return len(op.dims) if isinstance(op, BindOp) else 0


def check_stages(main: FuncOp) -> None:
    """Check that each op of main follows the packed.bind of the computed sizes that it uses.

    Errors: LoweringError that names an op before the packed.bind of a size that it uses.
    """
    computed, stage = computed_sizes(main), 0
    for op in main.body.block.ops if computed else ():
        if stage_of(map(Dim.sym, symbols_in(op.walk())), computed) > stage + _bound(op):
            raise LoweringError(
                "an op uses a size before main computes it",
                expected=f"packed.bind of {computed[stage]} before it",
                got=op.name,
                hint="a pass moved the op or the packed.bind; keep their order",
            ).at(op)
        stage += _bound(op)
