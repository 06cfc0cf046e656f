"""Rewrite a te.scan that is only a running sum, product, maximum or minimum as one compute.

    step = te.compute((T, n), lambda t, i: s[t - 1, i] + X[t, i])
==>
    te.compute @step [t: T scan, i: n]
        ins(%X[t, i] .., %first[t, i] pad 0.0 .., index[t]) outs([t, i] add -0.0 ..)
        body { t < 1 ? first : x }

Each element depends only on the element before it in time, so all elements of a step are
independent, and the scan is one compute with a scanned axis.  The combiner works in the stored
type. Scans of narrower floats, which round at every step, stay loops.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.patterns.combiners import identity
from ...dialects.dtypes import is_float
from ...dialects.index_syntax import INDEX
from ...dialects.te import YieldOp
from ...dialects.te.build import ComputeResult, position, read
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import Scalars, signless, wide_type
from ...dialects.te.view import ComputeView
from ...support.affine import variable
from ...support.blocks import returned, terminator
from .reduce import COMBINERS
from .tensor import Tensor, view_of_copy

_COMBINERS = {op: name for op, name in COMBINERS.items() if name not in ("and", "or", "xor")}
"""The combiner of the te dialect for each op that a te.scan may repeat."""


def running_combination(init: Tensor, update: Tensor, state: Tensor) -> ComputeOp | None:
    """Return one compute that replaces all steps of a te.scan.

    Return None if a step does more than combine the previous state with a value.
    Before: the update reads no other tensor that depends on the state; init has one step.
    """
    element = signless(state.element_type)
    source = update.op.ir
    if not isinstance(source, ComputeOp) or wide_type(state.element_type) != element:
        return None
    view = view_of_copy(source)
    if len(view.outputs) > 1 or view.reduced_axes() or view.scan or view.then.blocks:
        return None
    axes = [index.variable() for index in view.outputs[0].indices or []]
    names = [axis for axis in axes if isinstance(axis, str)]
    number = _state_operand(view, state.value, names)
    if number is None or len(names) < len(axes):
        return None
    argument = view.body.block.args[number]
    combining = _combining(view, argument)
    if combining is None:
        return None
    (other,) = (x for x in combining.operands if x is not argument)
    _choose_first(view, combining, argument, other)
    combiner = _COMBINERS[type(combining)]
    result = ComputeResult(tuple(names), element, combiner, _start(combiner, element), element)
    inputs = [a for n, a in enumerate(view.inputs) if n != number]
    inputs += [read(init.value, names, 0), position(names[0])]
    whole = replace(view, inputs=inputs, outputs=[result.access(view.axes)], scan=names[0])
    return ComputeOp.from_view(whole)


def _start(combiner: str, element: Attribute) -> int | float:
    """Return the number with which a running combination starts: the identity of its combiner.

    For a float sum, it is -0.0, to preserve the sign of zeros.
    """
    if combiner == "add" and is_float(element):
        return -0.0
    number = identity(combiner, element)
    assert isinstance(number, IntegerAttr | FloatAttr), "a combiner starts from a number"
    return number.value.data


def _state_operand(view: ComputeView, state: SSAValue, names: list[str]) -> int | None:
    """Return the number of the operand that reads the state at the previous step.

    Return None if several operands read the state, or if an element of the result depends on an
    element of the state at another position.
    names: the names of the axes of the result, the step axis first.
    """
    found = [n for n, access in enumerate(view.inputs) if access.value is state]
    if len(found) != 1 or any(a.value is state for a in view.post) or not names:
        return None
    before = [variable(names[0]) - 1, *map(variable, names[1:])]
    return found[0] if view.inputs[found[0]].indices == before else None


def _combining(view: ComputeView, argument: BlockArgument) -> Operation | None:
    """Return the last op of the body if it combines the state with another value, else None."""
    made = returned(view.body.block)[0].owner
    uses = [use.operation for use in argument.uses]
    if not isinstance(made, Operation) or type(made) not in _COMBINERS or uses != [made]:
        return None
    return made if len(list(made.results[0].uses)) == 1 else None


def _choose_first(
    view: ComputeView, combining: Operation, argument: BlockArgument, other: SSAValue
) -> None:
    """Make the body yield the value that the scan combines with the state, not the combined value.

    The compute with a scanned axis combines these values.  The value is the init at step 0, and
    ``other`` at later steps.
    argument: the state, which the body no longer reads.
    """
    block = view.body.block
    for op in (terminator(block, YieldOp), combining):
        Rewriter.erase_op(op)
    type_ = argument.type
    block.erase_arg(argument)
    first = block.insert_arg(type_, len(block.args))
    step = block.insert_arg(INDEX, len(block.args))
    scalars = Scalars(block)
    is_first = scalars.compare("lt", step, scalars.like(1, step))
    block.add_op(YieldOp([scalars.select(is_first, first, other)]))
