"""Convert one node by its converter; evaluate nodes on small constants at import.

In: a checked node with its inputs.  Out: the values of its results, which are SSA values of ops
appended to the builder, known sizes, or arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.shape import element_count
from ...interp.graph import evaluate_op
from ...support.diagnostics import ModelError, TilewrightError
from .builder import MAX_SIZES, Builder, Tensor
from .file.opset_upgrade import modernized
from .node import Node, OpConverter
from .sizes import float_sizes, symbolic
from .values import Value, flat, like

NOT_CONVERTED = "the node's inputs and attributes do not fit together"
"""The message for an unexpected exception in a converter."""


def convert_node(converter: OpConverter, node: Node, builder: Builder) -> tuple[Value, ...]:
    """Convert a node and return its results; results known at import are sizes or arrays.

    Errors: ModelError if the node's inputs and attributes do not fit together, and any error of the
    converter.
    """
    builder.locate(node.name)
    try:
        node = modernized(node, builder)
        known = None if node.lists or node.strings else symbolic.evaluate(node)
        known = known or float_sizes.whole_sizes(node, builder.facts)
        if known is not None:
            return known
        converted = converter.convert(node, builder)
        results = converted if isinstance(converted, tuple) else (converted,)
        if not converter.folds or not _is_known(node):
            return float_sizes.with_ratios(node, results)
        read_values(node.inputs)
        # The ops that compute the small tensors are dead then.
        return like(results, map(folded, flat(results)))
    except TilewrightError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError, VerifyException) as err:
        # Converters do not handle every combination of shapes and attributes in a file.
        raise ModelError(
            NOT_CONVERTED,
            got=f"{type(err).__name__}: {err}",
            hint="check shapes and attributes of the node; if they are right, report this",
        ) from err


def _is_known(node: Node) -> bool:
    if node.definition.graphs or node.lists or node.strings:
        return False
    # CastLike uses only the dtype of its second input.
    inputs = node.inputs[:1] if node.op_type == "CastLike" else node.inputs
    return are_small_constants(inputs)


def are_small_constants(inputs: Sequence[Tensor | None]) -> bool:
    """Return whether all inputs of a node are small tensors that are known at import.

    None, an omitted input, is ignored. Return False for a node without inputs.
    """
    return bool(inputs) and all(x is None or (x.is_known and _is_small(x)) for x in inputs)


def read_values(inputs: Sequence[Tensor | None]) -> None:
    """Read the values of all inputs that are parameters of the model.

    The generated code then depends on these values, so they can no longer be replaced.
    inputs: the input tensors of a node, with None for an omitted one.
    """
    for x in inputs:
        if x is not None:
            x.values()


def _is_small(x: Tensor) -> bool:
    count = element_count(x.dims).value
    return count is not None and count <= MAX_SIZES


def folded(x: Tensor) -> Tensor:
    """Evaluate the ops that compute a small tensor, at import; return a constant tensor.

    A tensor of more elements is returned unchanged.
    Before: the tensor depends only on constants.
    """
    if x.ssa is None or not _is_small(x):
        return x
    return Tensor.of_array(_evaluated(x.ssa))


def _evaluated(value: SSAValue) -> np.ndarray:
    op = value.owner
    assert isinstance(op, Operation), "constants do not depend on arguments"
    results = evaluate_op(op, [_evaluated(operand) for operand in op.operands])
    return results[op.results.index(value)]
