"""A backend that runs convolutions with ReLU, and matrix products, in a C library.

import vendor
tilewright.load_functions("libvendor.so")      # vendor.c, compiled by any C compiler
mod = tilewright.compile("model.onnx", placement="vendor", extensions=[vendor.EXTENSION])
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, f32

from tilewright import Extension
from tilewright.dialects.graph import ConvOp, MatmulOp, MaxOp
from tilewright.passes.graph.op_patterns import constant, op, value
from tilewright.support.entry import entry_of
from tilewright.targets.external import ExternalBackend


def is_plain(conv: ConvOp) -> bool:
    """Return whether the library computes a convolution.

    The library takes f32, strides of 1, equal pads and no bias.
    """
    half = len(conv.pads) // 2
    return (
        isinstance(conv.x.type, TensorType)
        and conv.x.type.element_type == f32
        and len(conv.strides) == 2
        and {*conv.strides, *conv.dilations, conv.groups} == {1}
        and conv.pads[:half] == conv.pads[half:]
        and conv.b is None
    )


def is_matrix(product: MatmulOp) -> bool:
    """Return whether a product multiplies two f32 matrices, neither of which is transposed."""
    types = [operand.type for operand in product.operands]
    return not (product.transpose_lhs or product.transpose_rhs) and all(
        isinstance(t, TensorType) and t.element_type == f32 and len(t.shape) == 2 for t in types
    )


class Vendor(ExternalBackend):
    """The backend of the target ``vendor``, which calls the library."""

    kind = "vendor"
    patterns = (
        ("conv_relu", op(MaxOp, op(ConvOp, value(), value(), where=is_plain), constant(0))),
        ("matmul", op(MatmulOp, where=is_matrix)),
    )

    def function(self, module: ModuleOp) -> str:
        """Return the name of the library function that computes a matched pattern."""
        pattern = entry_of(module).attributes["tw.pattern"]
        assert isinstance(pattern, StringAttr), "parts of patterns have their names"
        return f"vendor_{pattern.data}"


EXTENSION = Extension(backends=[Vendor()])
