"""Convert the ONNX operator Gradient: the derivatives of a tensor of the graph by other tensors.

    d = Mul (c, a)                                       %d = graph.mul %c, %a
    da = Gradient <xs = ["a"], y = "d"> (a)      →       … the reverse walk from %d to %a …

The attributes name tensors of the graph; the inputs are the values at which the derivatives are
taken.  If an input is another value than the named tensor, the ops between the tensor and ``y`` are
copied for that value.

Source: ONNX ai.onnx.preview.training Gradient-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ..dialects.shape import type_of
from ..frontend.onnx.builder import Builder, Tensor
from ..frontend.onnx.node import Node, OpConverter
from ..support.diagnostics import ModelError, NoGradient, UnsupportedOp
from .builder import GradientBuilder
from .reverse import BlockReverse, used_values
from .rule import is_differentiable

DOMAIN = "ai.onnx.preview.training"


def convert_gradient(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Append the derivatives of the sum of ``y`` with respect to each tensor of ``xs``.

    Errors: ModelError for names that do not fit the inputs; NoGradient for an op without a
    gradient; UnsupportedOp for a node in a subgraph, and for a tensor that is known at import.
    """
    if b.outer is not None:
        raise UnsupportedOp("Gradient is in a subgraph", hint="move the node to the main graph")
    wanted = node.texts("xs")
    names = [*wanted, *node.texts("zs", ())]
    points = node.present()
    if len(points) != len(names):
        raise ModelError(
            "the inputs of Gradient are the values of xs and zs",
            expected=f"{len(names)} inputs",
            got=len(points),
        )
    variables = [_value(node, b, name) for name in names]
    y = _value(node, b, node.text("y"))
    given = [b.ssa(point) for point in points]
    if given != variables:
        y = _moved(y, dict(zip(variables, given, strict=True)), b)
    builder = GradientBuilder(b.block)
    walk = BlockReverse(builder, set(given[: len(wanted)]).__contains__)
    walk.run(list(b.block.ops), [(y, builder.number(1, type_of(y)))])
    return tuple(Tensor.of_ssa(walk.of(value)) for value in given[: len(wanted)])


def _value(node: Node, b: Builder, name: str) -> SSAValue:
    """Return the value of a named float tensor.

    Errors: UnsupportedOp for a tensor that is known at import; NoGradient for another type.
    """
    assert node.named is not None, "the importer sets it"
    tensor = node.named(name)
    if not isinstance(tensor, Tensor) or tensor.is_known:
        raise UnsupportedOp(
            f"Gradient differentiates {name!r}, which is known at import",
            hint="make the initializer an input of the graph",
        )
    value = b.ssa(tensor)
    if not is_differentiable(value):
        raise NoGradient(f"{name!r} is no tensor of floats", got=value.type)
    return value


def _moved(y: SSAValue, points: dict[SSAValue, SSAValue], b: Builder) -> SSAValue:
    """Return the value that ``y`` has if some tensors have other values.

    The ops between these tensors and ``y`` are copied for the other values. If ``y`` depends on
    none of the tensors, it is returned unchanged.
    points: the new value of each of these tensors.
    """
    ops: Sequence[Operation] = list(b.block.ops)
    known = dict(points)
    for op in ops:
        is_point = any(result in points for result in op.results)
        if not is_point and any(value in known for value in used_values(op)):
            b.block.add_op(op.clone(known))
    return known.get(y, y)


CONVERTERS = (OpConverter("Gradient", convert_gradient, since=1, domain=DOMAIN, folds=False),)
"""The converter of Gradient; it is above the front end, because it uses the rules of gradients."""
