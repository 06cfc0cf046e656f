"""Tensors of the te language, and the operations that define them.

A tensor is a value of te IR: the result of a te.compute that is in no module yet, or the argument
of an empty block for a placeholder.  Programs are made of copies of these ops.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import packed
from ...dialects.dtypes import element_type, is_integer, numpy_dtype
from ...dialects.te.compute import ComputeOp
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import signless
from ...dialects.te.view import ComputeView
from ...dialects.weights import WeightAttr
from ...support.diagnostics import TypeMismatch
from .binding import Recipe, current_binding, remade
from .expr import (
    Axis,
    Operand,
    Position,
    Scalar,
    Size,
    Var,
    as_index,
    as_scalar,
    dtype_name,
    parse_dtype,
)
from .recording import ComputedPosition, IndexCheck, Recorder, current, is_recording, range_of

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]*")


@dataclass(eq=False)
class Definition:
    """The definition of some tensors: a placeholder, a compute, a scan, an extern or a constant.

    ir: the op that defines the tensors, with samples for dynamic sizes; None for a placeholder.
    axis, reduce_axis: the axes of a compute, in order.  inputs: the tensors that it reads.
    computed_by: the op that computes them in a program, if different: a te.scan takes one step
    from ir and computes all steps.  checks: bounds checks of tensors that hold positions.
    """

    name: str
    ir: Operation | None = None
    axis: tuple[Axis, ...] = ()
    reduce_axis: tuple[Axis, ...] = ()
    inputs: tuple[Tensor, ...] = ()
    outputs: list[Tensor] = field(default_factory=list["Tensor"])
    computed_by: Operation | None = None
    checks: tuple[IndexCheck, ...] = ()

    @property
    def kind(self) -> str:
        """The op that defines the tensors, or ``placeholder``."""
        return "placeholder" if self.ir is None else self.ir.name

    def axis_name(self, axis: Axis) -> str:
        """Return the name that an axis of a compute has in the IR.

        Errors: TypeMismatch for an axis of another compute.
        """
        for mine, name in zip((*self.axis, *self.reduce_axis), self._names(), strict=True):
            if mine is axis:
                return name
        raise TypeMismatch(
            f"te.compute @{self.name} has no such axis",
            expected=", ".join(self._names()) or "none",
            got=repr(axis),
        )

    def _names(self) -> Sequence[str]:
        axes = getattr(self.ir, "axes", ())
        return [name.data for name in axes]

    def output(self, number: int) -> Tensor:
        """Return a result."""
        return self.outputs[number]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Tensor:
    """A tensor of known shape and dtype; ``A[i, j]`` reads an element inside a compute.

    element_type: the type at the graph level, with the signedness of integers.
    value: the te value, with samples for dynamic sizes.  recipe, place: the call that makes the
    tensor for the sizes of a call, and its result number.  sizes: the dynamic shape, None for a
    size of unknown formula.  birth: the binding that it was made for.
    """

    starts_late: bool = False
    recipe: Recipe | None = None
    place: int = 0
    sizes: tuple[int | Size | None, ...] | None = None

    def __init__(
        self, value: SSAValue, element_type: Attribute, name: str, op: Definition, value_index: int
    ) -> None:
        self.value, self.element_type, self.name, self.op = value, element_type, name, op
        self.value_index, self.birth = value_index, current_binding()
        op.outputs.append(self)
        if self.birth is not None:
            self.birth.born.append(self)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes: numbers, te.vars and expressions of them.

        While another tensor is described, the current numbers.
        Errors: TypeMismatch for a size that is known only at a call.
        """
        binding = current_binding()
        if binding is None:
            return self.declared
        binding.counted |= self.recipe is not None and is_recording()
        return binding.tensor(self).extents

    @property
    def declared(self) -> tuple[int | Size, ...]:
        """The sizes as declared, with te.vars.

        Errors: TypeMismatch for a size that is known only at a call.
        """
        found = tuple(size for size in self._sizes if size is not None)
        if len(found) < self.ndim:
            raise TypeMismatch(
                f"size {self._sizes.index(None)} of {self.name} is known only at a call",
                got=repr(self),
                hint="write the shape with the te.vars that it follows from",
            )
        return found

    @property
    def extents(self) -> tuple[int, ...]:
        """Sizes of the value as numbers."""
        type_ = self.value.type
        assert isinstance(type_, TensorType), f"not a tensor: {type_}"
        return type_.get_shape()

    @property
    def rows(self) -> Var | None:
        """The first size, if it is a te.var and all others are numbers."""
        first, *others = self._sizes or (None,)
        is_rows = isinstance(first, Var) and all(isinstance(n, int) for n in others)
        return first if is_rows and isinstance(first, Var) else None

    @property
    def _sizes(self) -> tuple[int | Size | None, ...]:
        return self.extents if self.recipe is None else self.sizes or ()

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.extents)

    @property
    def is_argument(self) -> bool:
        """True if the caller provides the elements."""
        return self.op.kind == "placeholder"

    @property
    def dtype(self) -> str:
        """Name of the dtype."""
        return dtype_name(self.element_type)

    def __repr__(self) -> str:
        shown = ", ".join("?" if size is None else str(size) for size in self._sizes)
        return f"Tensor({self.name}: {self.dtype}[{shown}])"

    __iter__ = None
    """A tensor is not iterable: its elements exist only inside a compute."""

    def __call__(self, *positions: object) -> Scalar:
        """Read an element, as ``A[i, j]`` does."""
        return self[positions]

    def __getitem__(self, positions: Any) -> Scalar:
        """Read an element: positions are axes, expressions of axes, or integer values.

        If a position that is computed from data, as in ``A[rows[i]]``, is out of range, the call
        of the module fails.
        Errors: TypeMismatch for a wrong number of positions, or one that is no integer.
        """
        recorder, source = current(f"{self.name}[...]"), here(self)
        given = tuple(positions) if isinstance(positions, tuple | list) else (positions,)
        if len(given) != self.ndim:
            raise recorder.error(
                f"{self.name} is read at the wrong number of positions",
                expected=f"{self.ndim} ({self!r})",
                got=len(given),
            )
        indices = [as_index(p) for p in given]
        if all(index is not None for index in indices):
            made = recorder.read(source, [i for i in indices if i is not None])
        else:
            made = source._at(recorder, given)
        return Scalar(recorder, made, self.element_type)

    def _at(self, recorder: Recorder, positions: Sequence[object]) -> SSAValue:
        s = recorder.scalars
        if 0 in self.extents:
            return s.constant(0, signless(self.element_type))
        places: list[SSAValue] = []
        computed: list[tuple[Scalar, int, str]] = []
        for number, (position, size) in enumerate(zip(positions, self.extents, strict=True)):
            if isinstance(position, Position):
                low, high = position.index.range(range_of)
                if low >= 0 and high < size:
                    places.append(recorder.position(position.index))
                    continue
            scalar = self._integer(recorder, number, position)
            place = f"{recorder.where}: position {number} of {self.name}"
            computed.append((scalar, size, place))
            places.append(clamped(s, scalar.value, scalar.element_type, size))
        made = s.at(recorder.whole(self), places)
        recorder.positions += [
            ComputedPosition(made, scalar.value, scalar.element_type, size, place)
            for scalar, size, place in computed
        ]
        return made

    def _integer(self, recorder: Recorder, number: int, position: object) -> Scalar:
        is_known = isinstance(position, Operand | int)
        scalar = as_scalar(position) if is_known else None
        if scalar is None or not is_integer(scalar.element_type):
            got = repr(position) if scalar is None else f"a {scalar.dtype}"
            hint = 'round and convert it, as in x.astype("int32")'
            if isinstance(position, slice):
                hint = "describe the elements: te.compute(shape, lambda i: A[i + 1])"
            raise recorder.error(
                f"position {number} of {self.name} is no integer",
                expected="an axis, an expression of axes, or an integer value",
                got=got,
                hint=hint,
            )
        return scalar


def view_of_copy(op: ComputeOp) -> ComputeView:
    """Return the view of a copy whose regions may be changed or moved.

    The copy does not count as a user of its operands.
    """
    copy = op.clone()
    view = copy.view()
    copy.operands = ()
    return view


def checked_name(name: str, what: str) -> str:
    """Return the name if it is valid in the IR.

    Errors: TypeMismatch for an invalid name.
    """
    if not NAME.fullmatch(name):
        raise TypeMismatch(
            f"{what}: the name is no identifier",
            expected="letters, digits, _ . $, not starting with a digit",
            got=repr(name),
        )
    return name


def here(tensor: Tensor) -> Tensor:
    """Return the counterpart of a tensor for the current sizes."""
    binding = current_binding()
    return tensor if binding is None else binding.tensor(tensor)


def _is_size(size: object) -> bool:
    return isinstance(size, int | np.integer) and not isinstance(size, bool) and int(size) >= 1


def declared_shape(shape: object, where: str) -> tuple[int | Size, ...]:
    """Return a shape as a tuple, which keeps te.vars while sizes are samples.

    An integer is a shape of one dimension.
    Errors: TypeMismatch for sizes that are no positive integers (at a call, also 0 is valid).
    """
    sizes = (shape,) if isinstance(shape, int | Size) else shape
    if not isinstance(sizes, Sequence) or isinstance(sizes, str):
        raise TypeMismatch("a shape is a tuple of integers", got=repr(shape)).named(where)
    given = cast("Sequence[object]", sizes)
    return tuple(_declared_size(size, given, where) for size in given)


def _declared_size(size: object, shape: Sequence[object], where: str) -> int | Size:
    binding = current_binding()
    if isinstance(size, Size) and binding is not None:
        extent = size.extent
        if extent < 0:
            raise TypeMismatch(f"size {size} is negative", got=extent).named(where)
        return size if binding.is_sample else extent
    if not _is_size(size) and not (size == 0 and binding is not None and not binding.is_sample):
        raise TypeMismatch(
            "a size of the shape is not an integer of at least 1",
            got=f"{size!r} in {tuple(shape)!r}",
        ).named(where)
    return int(cast(int, size))


def extents_of(shape: Sequence[int | Size]) -> tuple[int, ...]:
    """Return a declared shape as numbers."""
    return tuple(size.extent if isinstance(size, Size) else size for size in shape)


@remade
def placeholder(
    shape: int | Size | Sequence[int | Size], dtype: str = "float32", name: str = "placeholder"
) -> Tensor:
    """Return a tensor that is an argument of the built module.

    Errors: TypeMismatch for an invalid shape or name, TilewrightError for an invalid dtype.
    """
    where = f"te.placeholder {name}"
    checked_name(name, where)
    element, sizes = parse_dtype(dtype), declared_shape(shape, where)
    type_ = TensorType(signless(element), extents_of(sizes))
    value = Block(arg_types=[type_]).args[0]
    value.name_hint = name
    tensor = Tensor(value, element, name, Definition(name), 0)
    tensor.sizes = sizes
    return tensor


def constant(array: Any, name: str = "constant") -> Tensor:
    """Return a tensor with constant values, stored in the module.

    Errors: TypeMismatch for an array whose dtype tensors cannot have.
    """
    checked_name(name, f"te.constant {name}")
    # Copy the array: programs may be made from it later, for the sizes of a call.
    values = np.array(array, order="C", copy=True)
    element = element_type(values.dtype)
    weight = WeightAttr.of(values.view(numpy_dtype(signless(element))))
    op = packed.ConstantOp(weight, weight.type)
    op.res.name_hint = name
    return Tensor(op.res, element, name, Definition(name, op), 0)
