"""Random bits as a pure function of a key: equal keys give equal bits on every machine.

Distributions (uniform, normal, Bernoulli, …) are arithmetic on the bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, Signedness, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..shape import Tensor, dims_of, tensor_type, type_of
from .base import GraphOp
from .move import Size

WORD = IntegerType(32, Signedness.UNSIGNED)
KEY = tensor_type(WORD, (2,))
COUNTER = tensor_type(WORD, (4,))


@irdl_op_definition
class RandomBitsOp(GraphOp):
    """Independent uniform 32-bit integers: Philox4x32-10 of a key and a counter.

    Elements 4i to 4i + 3 in row-major order are the four words of block ``counter + i``; this
    addition carries from the first word of the counter into the second, not further.
    Shapes: key (2,); counter (4,); out ``dims``; all of ui32.
    Errors: TypeMismatch if key or counter have another type.
    Source: Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
    """

    name = "graph.random_bits"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    key = operand_def(TensorType)
    counter = operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = (
        "$key `,` $counter attr-dict `:` type($key) `,` type($counter) `->` type($out)"
    )

    def __init__(self, key: SSAValue, counter: SSAValue, dims: Sequence[Size]) -> None:
        self.initialize((key, counter), dims=dims)

    @staticmethod
    def infer(key: Tensor, counter: Tensor, dims: Sequence[Size]) -> Tensor:
        """Return the type of the random integers."""
        for what, given, expected in (("key", key, KEY), ("counter", counter, COUNTER)):
            if given != expected:
                raise TypeMismatch(
                    f"wrong type of {what}",
                    expected=expected,
                    got=given,
                    hint=f"give {what} this type",
                )
        return tensor_type(WORD, dims)

    def inferred_types(self) -> tuple[Tensor]:
        return (self.infer(type_of(self.key), type_of(self.counter), dims_of(type_of(self.out))),)
