"""Types of the inputs of a model, with the sizes that are still open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ..dialects.dtypes import numpy_dtype
from ..dialects.shape import dims_of
from ..frontend.onnx.signature import Shape, Shapes, argument_types, spelled_out

if TYPE_CHECKING:
    from ..frontend.onnx.definitions import ValueDef


@dataclass(frozen=True)
class OpenSpec:
    """Name, sizes (numbers and expressions over names; None: any rank) and dtype of an input.

    is_list: a sequence of such tensors.  is_optional: it may be absent.
    """

    name: str
    shape: tuple[int | str, ...] | None
    dtype: str
    is_list: bool = False
    is_optional: bool = False

    @property
    def is_tensor(self) -> bool:
        """True if the input is always exactly one tensor."""
        return not (self.is_list or self.is_optional)

    @property
    def is_open(self) -> bool:
        """True if a size, or the number of tensors, is not fixed."""
        sizes = self.shape
        return not self.is_tensor or sizes is None or any(isinstance(n, str) for n in sizes)

    def __str__(self) -> str:
        sizes = "…" if self.shape is None else ", ".join(map(str, self.shape))
        text = f"{self.dtype}[{sizes}]"
        return formed_text(text, is_list=self.is_list, is_optional=self.is_optional)


def formed_text(text: str, *, is_list: bool, is_optional: bool) -> str:
    """Return the type of an input for messages, given the type of its tensors."""
    text = f"sequence({text})" if is_list else text
    return f"optional({text})" if is_optional else text


def open_specs(inputs: Sequence[ValueDef], shapes: Shapes) -> tuple[OpenSpec, ...]:
    """Return the types of the inputs with the user's tensor sizes substituted."""
    shapes = spelled_out(shapes, inputs)
    tensors = [value for value in inputs if value.is_tensor]
    others = {value.name for value in inputs} - {value.name for value in tensors}
    given = {n: cast("Shape", shape) for n, shape in shapes.items() if n not in others}
    ranked = [value for value in tensors if value.shape is not None or value.name in given]
    types = dict(zip((v.name for v in ranked), argument_types(ranked, given), strict=True))
    return tuple(_open_spec(value, types.get(value.name)) for value in inputs)


def _open_spec(value: ValueDef, type_: Any) -> OpenSpec:
    if type_ is None:
        assert value.dtype is not None, f"not a tensor: {value.name}"
        shape = None if value.shape is None else tuple("?" if n is None else n for n in value.shape)
        return OpenSpec(value.name, shape, value.dtype.name, value.is_list, value.is_optional)
    sizes = tuple(str(d) if d.value is None else d.value for d in dims_of(type_))
    return OpenSpec(value.name, sizes, numpy_dtype(type_.get_element_type()).name)
