"""Shape specialization: compile a te program for the sizes of each kind of call.

    n, m = te.var("n"), te.var("m"): A[n, m] -> C[m, n]     one module per n and m in use

The sizes follow from the shapes of the arguments; SpecializingModule checks these and keeps the
modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np

from ..frontend.onnx.definitions import ValueDef
from ..frontend.onnx.signature import Shapes
from ..frontend.te.binding import bound
from ..frontend.te.expr import Size, Var
from ..frontend.te.program import Signature, sizes_of
from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TilewrightError, TypeMismatch
from .modules import CompiledModule
from .specialize import SpecializingModule


def sized_module(
    signature: Signature, name: str, compiled: Callable[[], CompiledModule]
) -> SpecializingModule:
    """Return a module that is compiled for the sizes of its calls.

    compiled: compiles the program for the current sizes.  If only an output determines a size,
    every call must pass the outputs.
    Errors: TypeMismatch for a size that no argument determines.
    """
    wanted = sizes_of(signature)
    tells, outputs = signature.inputs, signature.outputs
    if wanted - _told(tells):
        tells, outputs = signature.arguments, ()
    missing = sorted(wanted - _told(tells))
    if missing:
        raise TypeMismatch(
            f"size {missing[0]} does not follow from the arguments",
            expected=f"an argument with a dimension that is {missing[0]}",
            got=", ".join(map(repr, signature.arguments)),
            hint="a placeholder of that shape may be an argument without being read",
        )

    names, count = signature.names, len(tells)

    def build(shapes: Shapes, values: Mapping[str, object]) -> CompiledModule:
        sizes = _sizes(tells, [shapes[own] for own in names[:count]])
        try:
            with bound(sizes):
                return compiled()
        except TilewrightError as err:
            told = ", ".join(f"{n} = {size}" for n, size in sorted(sizes.items()))
            raise err.placed(
                f"{name} for {told}" + f": {err.where}" * bool(err.where)
            ) from err.__cause__

    inputs = [_defined(t, own) for t, own in zip(tells, names, strict=False)]
    return SpecializingModule(name, inputs, names[len(names) - len(outputs) :], build, shapes={})


def _told(tensors: Sequence[Tensor]) -> set[str]:
    """Return the names of the sizes that occur as dimensions of the tensors."""
    return {size.name for t in tensors for size in t.sizes or () if isinstance(size, Var)}


def _sizes(tensors: Sequence[Tensor], shapes: Sequence[object]) -> dict[str, int]:
    """Return the sizes that the shapes of a call determine."""
    found: dict[str, int] = {}
    for tensor, shape in zip(tensors, shapes, strict=True):
        for size, number in zip(tensor.declared, cast("Sequence[int]", shape), strict=True):
            if isinstance(size, Var):
                found[size.name] = number
    return found


def _defined(tensor: Tensor, name: str) -> ValueDef:
    shape = tuple(str(size) if isinstance(size, Size) else int(size) for size in tensor.declared)
    return ValueDef(name, np.dtype(tensor.dtype), shape)
