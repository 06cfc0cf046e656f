"""Tensors of the te language, and the operations that define them.

A tensor wraps an SSA value of te IR: the result of a te.compute that is in no module yet, or for a
placeholder the argument of an empty block.  Programs consist of copies of these ops.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import packed
from ...dialects.dtypes import element_type, is_integer, numpy_dtype
from ...dialects.params import ParamTable
from ...dialects.shape import Dim, Extent, dims_of, extent_of, tensor_type, type_of
from ...dialects.te.compute import ComputeOp
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import signless
from ...dialects.te.view import ComputeView
from ...dialects.weights import WeightAttr
from ...runtime.spelling import SuggestsNames, suggests_arguments
from ...support.diagnostics import TypeMismatch
from ...support.size_names import shown_size
from .bounds import index_of, is_never_negative
from .expr import (
    Axis,
    Operand,
    Scalar,
    Size,
    as_index,
    as_scalar,
    dim_of,
    dtype_name,
    parse_dtype,
    size_of,
)
from .recording import ComputedPosition, RecordedIndexCheck, Recorder, current

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]*")


@suggests_arguments
@dataclass(eq=False)
class Definition(SuggestsNames):
    """The definition of one or several tensors: a placeholder, compute, scan, extern or constant.

    ir: the op that defines the tensors; None for a placeholder.
    axis, reduce_axis: the axes of a compute, in order.  inputs: the tensors that the definition
    reads.
    outputs: the tensors that it defines.
    computed_by: if one compute of all steps replaces a te.scan, this compute; schedules then change
    it instead of ``ir``.
    checks: the required bounds checks of tensors whose elements are positions.
    """

    name: str
    ir: Operation | None = None
    axis: tuple[Axis, ...] = ()
    reduce_axis: tuple[Axis, ...] = ()
    inputs: tuple[Tensor, ...] = ()
    outputs: list[Tensor] = field(default_factory=list["Tensor"])
    computed_by: Operation | None = None
    checks: tuple[RecordedIndexCheck, ...] = ()

    @property
    def kind(self) -> str:
        """The name of the op that defines the tensors, or ``placeholder``."""
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
        """Return the tensor for the op's result with this number."""
        return self.outputs[number]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Tensor(SuggestsNames):
    """A tensor of known shape and dtype; ``A[i, j]`` reads an element inside a compute.

    value: the SSA value in te IR.  element_type: the type of the elements, with the signedness of
    integers.  op: the definition, of which this is the result ``value_index``.  sizes: the shape as
    the user declared it.
    starts_late: whether reads at negative positions along the first axis are never executed, as for
    the state of a te.scan.
    """

    starts_late: bool = False

    def __init__(
        self,
        value: SSAValue,
        element_type: Attribute,
        name: str,
        op: Definition,
        value_index: int,
        sizes: Sequence[int | Size] | None = None,
    ) -> None:
        self.value, self.element_type, self.name, self.op = value, element_type, name, op
        self.value_index, self._sizes = value_index, sizes
        op.outputs.append(self)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the dimensions: numbers, te.vars and expressions of te.vars."""
        return tuple(map(size_of, self.extents) if self._sizes is None else self._sizes)

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The shape as dimensions, which may be symbolic."""
        return dims_of(type_of(self.value))

    @property
    def extents(self) -> tuple[Extent, ...]:
        """The shape: integers for known sizes, symbolic dimensions for unknown sizes."""
        return tuple(map(extent_of, self.dims))

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def is_argument(self) -> bool:
        """Whether the caller provides the elements."""
        return self.op.kind == "placeholder"

    @property
    def dtype(self) -> str:
        """The name of the element type."""
        return dtype_name(self.element_type)

    def __repr__(self) -> str:
        return f"Tensor({self.name}: {self.dtype}[{', '.join(map(shown_size, self.dims))}])"

    __iter__ = None
    """A tensor is not iterable: its elements exist only inside a compute."""

    def __call__(self, *positions: object) -> Scalar:
        """Read an element, as ``A[i, j]`` does."""
        return self[positions]

    def __getitem__(self, positions: Any) -> Scalar:
        """Read an element inside of a compute.

        positions: axes, expressions of axes, or integer values.  If a position that is computed
        from data, as in ``A[rows[i]]``, is out of range, the call of the module raises IndexError.
        Errors: TypeMismatch for a wrong number of positions, or one that is no integer.
        """
        recorder = current(f"{self.name}[...]")
        given = tuple(positions) if isinstance(positions, tuple | list) else (positions,)
        if len(given) != self.ndim:
            raise recorder.error(
                f"{self.name} is read at the wrong number of positions",
                expected=f"{self.ndim} ({self!r})",
                got=len(given),
            )
        indices = [as_index(p) for p in given]
        if all(index is not None for index in indices):
            made = recorder.read(self, [i for i in indices if i is not None])
        else:
            made = self._at(recorder, given)
        return Scalar(recorder, made, self.element_type)

    def _at(self, recorder: Recorder, positions: Sequence[object]) -> SSAValue:
        s = recorder.scalars
        places: list[SSAValue] = []
        computed: list[tuple[Scalar, Extent, str]] = []
        for number, (position, size) in enumerate(zip(positions, self.extents, strict=True)):
            length = index_of(Dim.of(size))
            index = as_index(position)
            if index is not None and all(map(is_never_negative, (index, length - index - 1))):
                places.append(recorder.index_value(index))
                continue
            scalar = self._integer(recorder, number, position)
            place = f"{recorder.where}: position {number} of {self.name}"
            computed.append((scalar, size, place))
            limit = size if isinstance(size, int) else recorder.position(length)
            places.append(clamped(s, scalar.value, scalar.element_type, limit))
        # Clamping cannot move a position into an empty tensor, so reads of such a tensor are padded
        # with 0.  The bounds check of the position raises an error before that value is used.
        has_elements = all(Dim.of(size).is_at_least(1) for _, size, _ in computed)
        made = s.at(recorder.whole(self), places, None if has_elements else 0)
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


TensorT = TypeVar("TensorT", bound=Tensor)


def define_results(op: Operation, known: dict[SSAValue, Tensor]) -> None:
    """Create the tensors for the results of one te op that the compiler has built.

    known: the tensor of each value; the function adds the op's results.
    """
    label = getattr(op, "label", op.name.partition(".")[2])
    operands = [v for each in op.walk() for v in each.operands]
    inputs = tuple(dict.fromkeys(known[v] for v in operands if v in known))
    stored: tuple[Axis, ...] = ()
    reduced: tuple[Axis, ...] = ()
    if isinstance(op, ComputeOp):
        view = op.view()
        sizes = {axis: size_of(extent) for axis, extent in view.axes.items()}
        stored = tuple(Axis(a, sizes[a]) for a in view.parallel_axes())
        reduced = tuple(Axis(a, sizes[a], is_reduced=True) for a in view.reduced_axes())
    definition = Definition(label, op, stored, reduced, inputs)
    for number, value in enumerate(op.results):
        assert isinstance(value.type, TensorType), f"not a tensor: {value.type}"
        own = label if len(op.results) == 1 else f"{label}.{number}"
        known[value] = Tensor(value, value.type.get_element_type(), own, definition, number)


def view_of_copy(op: ComputeOp) -> ComputeView:
    """Copy a compute, and return the view of the copy, whose regions may be changed or moved.

    The copy is not registered as a user of its operands.
    """
    copy = op.clone()
    view = copy.view()
    copy.operands = ()
    return view


def checked_name(name: str, what: str) -> str:
    """Check that a name is valid in the IR, and return the name.

    what: the object with this name, for messages.
    Errors: TypeMismatch for an invalid name.
    """
    if not NAME.fullmatch(name):
        raise TypeMismatch(
            f"{what}: the name is no identifier",
            expected="letters, digits, _ . $, not starting with a digit",
            got=repr(name),
        )
    return name


def declared_shape(shape: object, where: str) -> tuple[int | Size, ...]:
    """Convert a declared shape to a tuple; a single size becomes a shape of one dimension.

    where: the op with this shape, for messages.
    Errors: TypeMismatch for sizes that are negative or no integers.
    """
    sizes = (shape,) if isinstance(shape, int | Size) else shape
    if not isinstance(sizes, Sequence) or isinstance(sizes, str):
        raise TypeMismatch("a shape is a tuple of integers", got=repr(shape)).named(where)
    given = cast("Sequence[object]", sizes)
    return tuple(_declared_size(size, given, where) for size in given)


def _declared_size(size: object, shape: Sequence[object], where: str) -> int | Size:
    if isinstance(size, Size):
        return size
    if isinstance(size, int | np.integer) and not isinstance(size, bool) and int(size) >= 0:
        return int(size)
    raise TypeMismatch(
        "a size of the shape is not an integer of at least 0",
        got=f"{size!r} in {tuple(shape)!r}",
    ).named(where)


def type_of_shape(element: Attribute, shape: Sequence[int | Size]) -> TensorType[Any]:
    """Return the tensor type in te IR for an element type and a declared shape."""
    return tensor_type(signless(element), map(dim_of, shape))


def placeholder(
    shape: int | Size | Sequence[int | Size], dtype: str = "float32", name: str = "placeholder"
) -> Tensor:
    """Return a tensor that is an argument of the built module.

    Errors: TypeMismatch for an invalid shape or name, TilewrightError for an invalid dtype.
    """
    return declared_tensor(Tensor, shape, dtype, name, f"te.placeholder {name}")


def declared_tensor(
    kind: type[TensorT],
    shape: int | Size | Sequence[int | Size],
    dtype: str,
    name: str,
    where: str,
) -> TensorT:
    """Return a tensor of class ``kind`` that no op of the program computes.

    where: the function that declares the tensor, for messages.
    Errors: TypeMismatch for an invalid shape or name, TilewrightError for an invalid dtype.
    """
    checked_name(name, where)
    element, sizes = parse_dtype(dtype), declared_shape(shape, where)
    value = Block(arg_types=[type_of_shape(element, sizes)]).args[0]
    value.name_hint = name
    return kind(value, element, name, Definition(name), 0, sizes)


def constant(array: Any, name: str = "constant") -> Tensor:
    """Return a tensor with constant values, which are stored in the module.

    The module has a parameter of this name, whose values `Module.load_params` replaces.
    Errors: TypeMismatch for an array whose dtype tensors cannot have.
    """
    checked_name(name, f"te.constant {name}")
    # Copy the array: programs may be made from it later.
    values = np.array(array, order="C", copy=True)
    element = element_type(values.dtype)
    weight = ParamTable().weight(name, values) or WeightAttr.of(values)
    dtype = numpy_dtype(signless(element))
    if dtype != values.dtype:
        weight = WeightAttr.derived("bits", [weight], dtype.name)
    op = packed.ConstantOp(weight, weight.type)
    op.res.name_hint = name
    return Tensor(op.res, element, name, Definition(name, op), 0)
