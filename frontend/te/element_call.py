"""te.call_packed inside te.compute: call a function for each element, for debugging.

    B = te.compute((n,), lambda i: te.call_packed("demo.show", A[i], i), name="B")

In: the call that the function of a compute returns, and for each argument that depends on the
element a tensor with its values. Out: the tensor of results, a te.extern of `tilewright.call_each`
(runtime/abi/map_function.py), which calls the function once per element, in row-major order, on the
calling thread. Strings and numbers are passed unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...support.diagnostics import TypeMismatch
from .expr import Size
from .extern import PackedCall, extern, is_element
from .tensor import Tensor

CALL_EACH = "tilewright.call_each"


def call_per_element(
    call: PackedCall, shape: Sequence[int | Size], tensors: Sequence[Tensor], name: str
) -> Tensor:
    """Return the tensor of the results that a packed function returns for each element.

    shape: the shape of the compute.  tensors: the values of the arguments that depend on the
    element, in order.  name: the name of the result.
    """
    dtype = call.dtype or tensors[0].dtype
    return extern(
        shape,
        tensors,
        lambda ins, outs: PackedCall(CALL_EACH, (call.function, *_mixed(call, ins), outs[0])),
        name=name,
        dtype=dtype,
    )


def elements_of(call: PackedCall, where: str) -> list[object]:
    """Return the arguments of a call that have a value for each element of a te.compute.

    where: the compute, for messages.
    Errors: TypeMismatch if there is none, because they determine the dtype and axes of the result.
    """
    found: list[object] = [each for each in call.arguments if is_element(each)]
    if not found:
        raise TypeMismatch(
            f"te.call_packed {call.function} has no element of the compute as an argument",
            expected="an element, such as A[i], or a position, such as i",
            got=", ".join(map(repr, call.arguments)) or "no argument",
            hint=f'te.call_packed("{call.function}", A[i])',
        ).named(where)
    return found


def _mixed(call: PackedCall, buffers: Sequence[object]) -> list[object]:
    left = iter(buffers)
    return [next(left) if is_element(each) else each for each in call.arguments]
