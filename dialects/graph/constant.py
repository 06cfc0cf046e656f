"""Constants: weights of a model and small tables."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import Pure

from ..shape import Tensor
from ..weights import Array, WeightAttr
from .base import GraphOp


@irdl_op_definition
class ConstantOp(GraphOp):
    """A constant tensor; the op holds a reference to the values.

    Shapes: out has the type of the values.
    Errors: TypeMismatch if no element type corresponds to the dtype of the values.
    Source: ONNX Constant-13 and initializers.
    """

    name = "graph.constant"

    out = result_def(TensorType)
    value = prop_def(WeightAttr)

    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($out)"

    def __init__(self, value: Array | WeightAttr) -> None:
        self.initialize((), value=value if isinstance(value, WeightAttr) else WeightAttr.of(value))

    @staticmethod
    def infer(value: WeightAttr) -> Tensor:
        """Return the type of the values."""
        return value.type

    @property
    def array(self) -> Array:
        """The values as a read-only array, for code that depends on them."""
        return self.value.array
