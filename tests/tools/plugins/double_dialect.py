"""A dialect from outside: one op, and the pass that defines it in te; later passes just work."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from tilewright.dialects.te.build import ComputeResult, compute, read


@irdl_op_definition
class DoubleOp(IRDLOperation):
    name = "double.double"
    x = operand_def(TensorType)
    out = result_def(TensorType)
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"


class DoubleToTe(ModulePass):
    name = "double-to-te"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for double in [inner for inner in op.walk() if isinstance(inner, DoubleOp)]:
            axes = {f"d{n}": size for n, size in enumerate(double.x.type.get_shape())}
            result = ComputeResult(tuple(axes), double.x.type.get_element_type())
            add = compute(
                "double", axes, [read(double.x, [*axes])], [result], lambda s, x: s.add(x, x)
            )
            Rewriter.replace_op(double, add)


DIALECTS = [Dialect("double", [DoubleOp])]
PASSES = [DoubleToTe]
