"""The memory that a call needs for inputs of given shapes, computed without a run of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol, cast

from ..abi.ndarray import numpy_dtype
from ..errors import ArgumentError
from ..file.manifest import Manifest, TensorSpec
from ..spelling import SuggestsNames, suggests_arguments
from .arguments import in_order


@suggests_arguments
@dataclass(frozen=True)
class Memory(SuggestsNames):
    """Bytes that a call needs in addition to its inputs.

    weights: all calls of a module share them.  arena: the intermediate results; each of several
    concurrent calls needs an arena.  outputs: the arrays that the call allocates and returns.
    states: the buffers of a session at its full capacity.
    """

    weights: int
    arena: int
    outputs: int
    states: int = 0

    @property
    def total(self) -> int:
        """Return the bytes of weights, arena, outputs and states together."""
        return self.weights + self.arena + self.outputs + self.states


class Callee(Protocol):
    """The parts of a module that `shapes_in_order` reads: the signature, and names for messages."""

    name: str
    manifest: Manifest


def bytes_of(specs: Sequence[TensorSpec], shapes: Sequence[Sequence[int]]) -> int:
    """Return the total size in bytes of tensors.

    specs: the specs of the tensors, for their dtypes.  shapes: the shape of each tensor.
    """
    pairs = zip(specs, shapes, strict=True)
    return sum(prod(shape) * numpy_dtype(spec.dtype).itemsize for spec, shape in pairs)


def shapes_in_order(
    callee: Callee,
    inputs: Sequence[TensorSpec],
    shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]],
) -> list[tuple[int, ...]]:
    """Return one shape per input, in the order of the inputs.

    callee: the module, for messages.  shapes: all shapes in order, or shapes by name; a mapping may
    leave out inputs without symbolic sizes.

    Errors: ArgumentError for a wrong name, number of shapes, number of dimensions or size.
    """
    names, signature = [spec.name for spec in inputs], callee.manifest.signature
    if isinstance(shapes, Mapping):
        known = {spec.name: spec.sizes() for spec in inputs if not spec.is_symbolic()}
        shapes = cast(
            "Sequence[Sequence[int]]",
            in_order(names, (), {**known, **shapes}, callee.name, signature),
        )
    given = [tuple(shape) for shape in shapes]
    if len(given) != len(names):
        raise ArgumentError(
            f"{callee.name}: wrong number of shapes",
            expected=f"{len(names)} ({', '.join(names)})",
            got=len(given),
            hint="pass one shape per input, or shapes by name",
            signature=signature,
        )
    for spec, shape in zip(inputs, given, strict=True):
        sizes = zip(spec.shape, shape, strict=False)
        if len(spec.shape) != len(shape) or any(isinstance(a, int) and a != b for a, b in sizes):
            raise ArgumentError(
                f"{callee.name}: the shape of {spec.name} contradicts the signature",
                expected=spec,
                got=list(shape),
                hint="pass a shape of the model's inputs",
                signature=signature,
            )
    return given
