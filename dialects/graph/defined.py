"""graph.defined: tensors whose elements a region defines at the te level.

    %dx = graph.defined %x, %dy {
    ^bb0(%a: tensor<4xf32>, %g: tensor<4xf32>):
      %r = te.compute … ins(%a[i] …, %g[i] …) …
      graph.yield %r : tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>

The region uses its arguments only.  Gradients of ops without a rule have this form.
Not representable: results of unsigned or sub-byte integers, because te has signless types.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import irdl_op_definition, region_def, traits_def, var_operand_def, var_result_def
from xdsl.traits import IsolatedFromAbove, Pure

from ...support.diagnostics import TypeMismatch
from .base import GraphOp
from .control import YieldOp


@irdl_op_definition
class DefinedOp(GraphOp):
    """Tensors that a region of te ops computes from the operands.

    Region: takes the operands, and yields the results.
    Errors: TypeMismatch unless the region has an argument per operand.
    """

    name = "graph.defined"

    xs = var_operand_def(TensorType)
    out = var_result_def(TensorType)
    body = region_def("single_block")

    traits = traits_def(Pure(), IsolatedFromAbove())
    assembly_format = "$xs $body attr-dict `:` type($xs) `->` type($out)"

    def __init__(self, xs: Sequence[SSAValue], body: Region) -> None:
        super().__init__(operands=[list(xs)], result_types=[self.infer(xs, body)], regions=[body])

    @staticmethod
    def infer(xs: Sequence[SSAValue], body: Region) -> Sequence[Attribute]:
        """Return the types of the values that the region yields."""
        if len(body.block.args) != len(xs):
            raise TypeMismatch(
                "the region has an argument per operand",
                expected=len(xs),
                got=len(body.block.args),
                hint="declare one argument of the region per operand",
            )
        last = body.block.last_op
        if not isinstance(last, YieldOp):
            raise TypeMismatch(
                "the region must end with graph.yield",
                got=None if last is None else last.name,
                hint="yield one value per result",
            )
        return [value.type for value in last.values]
