"""The declared types of a model's inputs and outputs, whose sizes may be dynamic (symbolic)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ..dialects.dtypes import numpy_dtype
from ..dialects.shape import dims_of
from ..frontend.onnx.signature import Shape, Shapes, argument_types, spelled_out
from ..runtime.file.manifest import ANY_RANK, TensorSpec

if TYPE_CHECKING:
    from ..frontend.onnx.file.definitions import ValueDef
    from .request import Request
    from .store import ModelSignature


@dataclass(frozen=True)
class DeclaredSpec(TensorSpec):
    """An input or output as the model declares it: name, shape (possibly `ANY_RANK`) and dtype.

    is_list: the value is a sequence of such tensors.  is_optional: the value may be absent.
    """

    is_list: bool = False
    is_optional: bool = False

    @property
    def is_tensor(self) -> bool:
        """Return whether the value is always exactly one tensor."""
        return not (self.is_list or self.is_optional)

    def is_symbolic(self) -> bool:
        """Return whether only a call determines a size, or the number of tensors."""
        return not self.is_tensor or super().is_symbolic()

    def __str__(self) -> str:
        text = super().__str__()
        return formed_text(text, is_list=self.is_list, is_optional=self.is_optional)


def formed_text(text: str, *, is_list: bool, is_optional: bool) -> str:
    """Return the type of an input for messages, such as ``optional(sequence(f32[2]))``.

    text: the type of one tensor, such as ``f32[2]``.
    """
    text = f"sequence({text})" if is_list else text
    return f"optional({text})" if is_optional else text


def declared_inputs(inputs: Sequence[ValueDef], shapes: Shapes) -> tuple[DeclaredSpec, ...]:
    """Return the declared types of the inputs; the user's shapes replace the declared sizes."""
    shapes = spelled_out(shapes, inputs)
    tensors = [value for value in inputs if value.is_tensor]
    others = {value.name for value in inputs} - {value.name for value in tensors}
    given = {n: cast("Shape", shape) for n, shape in shapes.items() if n not in others}
    ranked = [value for value in tensors if value.shape is not None or value.name in given]
    types = dict(zip((v.name for v in ranked), argument_types(ranked, given), strict=True))
    return tuple(_typed(value, types.get(value.name)) for value in inputs)


def has_symbolic_inputs(model: ModelSignature, request: Request) -> bool:
    """Return whether an input of a model has a size that the request does not bind."""
    return any(spec.is_symbolic() for spec in declared_inputs(model.inputs, request.shapes))


def declared_outputs(outputs: Sequence[ValueDef]) -> tuple[DeclaredSpec, ...]:
    """Return the types of the outputs as the model file declares them."""
    return tuple(_untyped(value) for value in outputs)


def _typed(value: ValueDef, type_: Any) -> DeclaredSpec:
    if type_ is None:
        return _untyped(value)
    return DeclaredSpec(value.name, *shape_and_dtype(type_))


def shape_and_dtype(type_: Any) -> tuple[tuple[int | str, ...], str]:
    """Return the sizes of a tensor type, as numbers or names, and the name of its dtype."""
    sizes = tuple(str(d) if d.value is None else d.value for d in dims_of(type_))
    return sizes, numpy_dtype(type_.get_element_type()).name


def _untyped(value: ValueDef) -> DeclaredSpec:
    has_type = value.dtype is not None and value.shape is not None
    shape = tuple("?" if n is None else n for n in value.shape or ()) if has_type else ANY_RANK
    dtype = "?" if value.dtype is None else value.dtype.name
    return DeclaredSpec(
        value.name, shape, dtype, is_list=value.is_list, is_optional=value.is_optional
    )
