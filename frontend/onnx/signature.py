"""Determine the types of a model's inputs from declared sizes and the user's argument ``shapes=``.

Every unnamed size gets the name ``<input>_<axis>``. A number for a named size fixes this size in
all inputs; another name renames it in all inputs. An input that is a sequence has one argument per
tensor, ``<input>.<index>``, whose unnamed sizes are independent; an absent optional has no
argument.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, SupportsIndex, TypeAlias, cast

import numpy as np
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError

from ...dialects.dtypes import element_type, numpy_dtype
from ...dialects.shape import Dim, tensor_type
from ...support.diagnostics import ModelError, NeedsBinding, TypeMismatch, UnsupportedOp
from ...support.size_names import from_zero
from .builder import Tensor, check_extent
from .file.definitions import ValueDef
from .values import StringTensor, TensorList, Value, shown_type

_LOG = logging.getLogger("tilewright.frontend")
Shape: TypeAlias = Sequence[int | str]
Shapes: TypeAlias = Mapping[str, Shape | Sequence[Shape] | int | str | range | None]
"""The type of the argument ``shapes=`` of `compile`.

By name of an input: the sizes of a tensor or of each tensor of a sequence, None for an absent
input. By name of a size: its value, also as a tuple, a name or expression for it, ``"n - 1"``, or
its range, ``range(1, 513)``.
"""


@dataclass(frozen=True)
class Parameter:
    """An input of the model, and the arguments of the function main that belong to it.

    value: the input's declaration.  parts: the declarations of the arguments, one per tensor of the
    input.  shapes: the user's shapes of these arguments, by name.  is_absent: whether the input is
    an optional that the user omits.
    """

    value: ValueDef
    parts: tuple[ValueDef, ...]
    shapes: Mapping[str, Shape]
    is_absent: bool = False

    def collected(self, tensors: Mapping[str, Tensor]) -> Value:
        """Return the value of the input: a tensor, a sequence, strings, or None if it is absent.

        tensors: the arguments of the function main, by name.
        """
        items = tuple(tensors[part.name] for part in self.parts)
        if self.value.is_list and not self.is_absent:
            return TensorList(items)
        if self.is_absent:
            return None
        return StringTensor(items[0]) if self.value.is_text else items[0]


def parameters(inputs: Sequence[ValueDef], shapes: Shapes) -> list[Parameter]:
    """Return one Parameter per input of a model.

    shapes: the user's argument ``shapes=``.
    Errors: ModelError if ``shapes`` names no input; NeedsBinding if it does not determine the
    length of a sequence or the presence of an optional.
    """
    given = _by_input(spelled_out(shapes, inputs), [value.name for value in inputs])
    made = [_parameter(value, given) for value in inputs]
    names = Counter(part.name for each in made for part in each.parts)
    for name, count in names.items():
        if count > 1:
            raise ModelError(
                f"input {name!r} has the name of a tensor of a sequence", hint="rename the input"
            )
    return made


def spelled_out(shapes: Shapes, inputs: Sequence[ValueDef]) -> Shapes:
    """Return the user's shapes by input only; sizes given by name are substituted in all inputs.

    shapes: keys are names of inputs or names of sizes.  Ranges of sizes are left out of the result;
    `given_ranges` returns them.
    Errors: ModelError for a key that is neither, or a size that contradicts the shape of an input.
    """
    names = {value.name for value in inputs}
    if not isinstance(shapes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        return shapes
    ranges = _ranges(shapes)
    shapes = {name: shape for name, shape in shapes.items() if name not in ranges}
    others = [(name, _size_alone(shape)) for name, shape in shapes.items() if name not in names]
    numbers = {name: number for name, number in others if number is not None}
    numbers |= {name: from_zero(name) for name, given in ranges.items() if given.start == 0}
    tensors = [value for value in inputs if value.is_tensor and value.shape is not None]
    known = dict.fromkeys(n for v in tensors for size in _names(v) for n in _names_in(size))
    given = {value.name: shapes.get(value.name) for value in inputs if value.is_tensor}
    known |= dict.fromkeys(n for each in given.values() for n in _given_names(each))
    for name in (*numbers, *ranges):
        if name not in known:
            raise ModelError(
                "shapes= names no input, and no size of one",
                expected=", ".join((*names, *known)),
                got=name,
            )
    made = {name: shape for name, shape in shapes.items() if name not in numbers}
    made |= {
        name: [_number_of(size, numbers) for size in cast(Shape, shape)]
        for name, shape in given.items()
        if numbers.keys() & {*_given_names(shape)}
    }
    for value in tensors:
        if any(numbers.keys() & {*_names_in(size)} for size in _names(value)):
            made[value.name] = _numbered(value, made.get(value.name), numbers)
    return made


def from_zero_sizes(
    shapes: Shapes, inputs: Sequence[ValueDef], constants: Collection[str] = ()
) -> Shapes:
    """Return the user's shapes, changed so that all named sizes that the user leaves open may be 0.

    A size is open unless the user gives a number or a range for it. Another name, made by
    `from_zero`, marks such a size as one that may be 0.
    constants: names of inputs with given values.  The result is ``shapes`` itself if no size has a
    name, or if the model already has a size with one of the new names.
    """
    if not isinstance(shapes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        return shapes
    by_input = dict(spelled_out(shapes, inputs))
    ranges = _ranges(shapes)
    tensors = [value for value in inputs if value.is_tensor]
    for value in tensors:
        if value.shape is not None and value.name not in constants:
            by_input.setdefault(value.name, _names(value))
    named = {n for value in tensors for n in _given_names(by_input.get(value.name))}
    others = (name for name in named - ranges.keys() if from_zero(name) != name)
    dynamic_names = {name: from_zero(name) for name in others}
    if not dynamic_names or any(name in named for name in dynamic_names.values()):
        return shapes
    for value in tensors:
        given = by_input.get(value.name)
        if isinstance(given, tuple | list):
            sizes = cast("Sequence[object]", given)
            by_input[value.name] = [
                _number_of(size, dynamic_names) if isinstance(size, str) else cast("int", size)
                for size in sizes
            ]
    return {**ranges, **by_input}


def without_inputs(shapes: Shapes, inputs: Sequence[ValueDef], names: Collection[str]) -> Shapes:
    """Return the user's shapes without those of some inputs: shapes by input, and ranges by size.

    names: the inputs to leave out.
    """
    left = [value for value in inputs if value.name not in names and value.is_tensor]
    known = {n for v in left if v.shape is not None for size in _names(v) for n in _names_in(size)}
    ranges = {name: given for name, given in _ranges(shapes).items() if name in known}
    by_input = spelled_out(shapes, inputs)
    return {**ranges, **{name: by_input[name] for name in by_input.keys() - {*names}}}


def given_ranges(shapes: Shapes) -> dict[str, range]:
    """Return the ranges in the user's argument ``shapes=``, by size symbol.

    Errors: ModelError for a range without values, or with gaps.
    """
    if not isinstance(shapes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        return {}
    ranges = _ranges(shapes)
    for name, given in ranges.items():
        if given.step != 1 or not given or given.start < 0 or given.stop < 2:
            raise ModelError(
                f"shapes= gives size {name!r} no range of sizes",
                expected="range(1, 513), for the sizes 1 to 512",
                got=given,
            )
    return {
        _symbol(name) if given.start else from_zero(name): given for name, given in ranges.items()
    }


def _ranges(shapes: Shapes) -> dict[str, range]:
    return {name: given for name, given in shapes.items() if isinstance(given, range)}


def _size_alone(size: object) -> int | str | None:
    """Return the user's value for a size name, from the argument ``shapes=``.

    It is an expression or a number, or a list of one of them.  Return None for any other object.
    """
    if isinstance(size, str):
        return size
    if isinstance(size, tuple | list) and len(cast("Sequence[object]", size)) == 1:
        (size,) = cast("Sequence[object]", size)
    return index(size) if isinstance(size, SupportsIndex) else None


def _names(value: ValueDef) -> list[int | str]:
    return [f"{value.name}_{n}" if s is None else s for n, s in enumerate(value.shape or ())]


def _given_names(shape: object) -> list[str]:
    sizes = cast("Sequence[object]", shape) if isinstance(shape, tuple | list) else ()
    return [name for size in sizes if isinstance(size, str) for name in _names_in(size)]


def _numbered(value: ValueDef, given: object, numbers: Mapping[str, int | str]) -> Any:
    """Return the user's shape of an input, or else the declared one, with named sizes substituted.

    given: the user's shape.  numbers: the substituted numbers or expressions, by size name.
    Errors: ModelError if the user's shape contradicts a value.
    """
    declared = _names(value)
    shape = declared if given is None else given
    if isinstance(shape, str) or not isinstance(shape, Sequence) or len(shape) != len(declared):
        return given  # `argument_types` raises the error
    made = list(cast("Sequence[object]", shape))
    for axis, name in enumerate(declared):
        if not isinstance(name, str) or not numbers.keys() & {*_names_in(name)}:
            continue
        size = _number_of(name, numbers)
        if made[axis] not in (name, size):
            raise _contradiction(value.name, axis, size, made[axis])
        made[axis] = size
    return made


def _names_in(size: int | str) -> list[str]:
    """Return the size names in a declared size, which is a number or an expression of sizes."""
    if isinstance(size, int):
        return []
    symbols = _dim(size, "").symbols()
    return [size] if {*symbols} == {_symbol(size)} else sorted(symbols)


def _number_of(size: int | str, numbers: Mapping[str, int | str]) -> int | str:
    """Substitute numbers or other expressions for names in a size; return the new size."""
    if isinstance(size, int) or size in numbers:
        return size if isinstance(size, int) else numbers[size]
    dim = _dim(size, "").substitute({name: _dim(n, "") for name, n in numbers.items()})
    return str(dim) if dim.value is None else dim.value


def tensor_parts(value: ValueDef, count: int) -> tuple[ValueDef, ...]:
    """Return the declarations of an input's tensors, of which the input has ``count``.

    A named size of a sequence becomes unnamed, because it may differ between the tensors.
    """
    if not value.is_list:
        return (ValueDef(value.name, value.dtype, value.shape),)[:count]
    shape = value.shape
    sizes = None if shape is None else tuple(n if isinstance(n, int) else None for n in shape)
    return tuple(ValueDef(f"{value.name}.{n}", value.dtype, sizes) for n in range(count))


def _parameter(value: ValueDef, shapes: Mapping[str, object]) -> Parameter:
    name, given = value.name, shapes.get(value.name)
    if value.is_tensor:
        return Parameter(value, (value,), {name: cast(Shape, given)} if name in shapes else {})
    if value.dtype is None:
        raise UnsupportedOp(f"input {name!r} does not consist of tensors")
    _element(value)
    if name not in shapes:
        raise NeedsBinding(
            f"input {name!r} is {_kind(value)}, and the number of tensors is not known",
            hint=f"give the sizes of each tensor, e.g. shapes={shapes_example(value)}",
        )
    if given is None and value.is_optional:
        return Parameter(value, (), {}, is_absent=True)
    rows: object = given if value.is_list else [given]
    if isinstance(rows, str) or not isinstance(rows, Sequence):
        raise ModelError(
            f"shapes= gives input {name!r} no list of shapes",
            expected=shapes_example(value),
            got=repr(given),
        )
    shaped = cast("Sequence[Shape]", rows)
    parts = tensor_parts(value, len(shaped))
    return Parameter(value, parts, {p.name: row for p, row in zip(parts, shaped, strict=True)})


def shapes_example(value: ValueDef) -> str:
    """Return an example of ``shapes=`` for a sequence or optional input, for messages."""
    example = "[(2, 3), (4, 3)]" if value.is_list else "(2, 3)"
    absent = f' or {{"{value.name}": None}}' if value.is_optional else ""
    return f'{{"{value.name}": {example}}}{absent}'


def _kind(value: ValueDef) -> str:
    kind = "tensor of strings" if value.is_text else "sequence" if value.is_list else "tensor"
    return f"an optional {kind}" if value.is_optional else f"a {kind}"


def identifier(name: str) -> str:
    """Replace all characters of a name other than letters, digits and underscores by underscores.

    The result starts with a letter or underscore.  If it consists only of parts like ``_1``, a
    letter is prepended, because the IR printer drops such parts at the end of value names.
    """
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    return text if re.match(r"(?!(_\d+)+$)[A-Za-z_]", text) else f"x{text}"


def argument_types(inputs: Sequence[ValueDef], shapes: Mapping[str, Shape]) -> list[Attribute]:
    """Return the tensor type of each argument, with the user's sizes substituted.

    inputs: the declarations of the arguments.  shapes: the user's shapes, by name of argument.
    Errors: ModelError if ``shapes`` names no input, or contradicts the model or itself.
    """
    by_name = {value.name: value for value in inputs}
    shapes = _checked(shapes, by_name)
    declared = {name: _declared(value, shapes.get(name)) for name, value in by_name.items()}
    bound: dict[str, Dim | int] = {}
    for name, shape in shapes.items():
        _bind(name, declared[name], shape, bound)
    for name, shape in shapes.items():
        _check_bound(name, declared[name], shape, bound)
    types: list[Attribute] = []
    for name, dims in declared.items():
        sizes = [dim.substitute(bound) for dim in dims]
        element = _element(by_name[name])
        check_extent(element, sizes, f"input {name!r}")
        types.append(tensor_type(element, sizes))
    return types


def check_result(
    value: Value, declared: ValueDef, *, sizes: bool, disputed: Sequence[str] = ()
) -> None:
    """Compare the value of an output with the output's declaration in the model.

    sizes: whether the declared sizes are compared, too.  disputed: nodes whose result has other
    sizes according to ``onnx.shape_inference`` than according to the standard's text; if there are
    any, another size is only a warning.
    Errors: ModelError if value and declaration differ.
    """
    if declared.dtype is None and declared.is_tensor:
        return
    if isinstance(value, TensorList) and declared.is_list:
        part = ValueDef(declared.name, declared.dtype, None)
        for item in value.items:
            check_declared(item, part, sizes=False)
    elif isinstance(value, StringTensor) and declared.is_text:
        check_declared(value.data, declared, sizes=sizes, disputed=disputed)
    elif isinstance(value, Tensor) and not declared.is_list and not declared.is_text:
        check_declared(value, declared, sizes=sizes, disputed=disputed)
    elif value is not None or not declared.is_optional:
        raise _wrong_declaration(declared, "kind", _kind(declared), shown_type(value))


def check_declared(
    value: Tensor, declared: ValueDef, *, sizes: bool, disputed: Sequence[str] = ()
) -> None:
    """Compare a tensor with its declaration: element type, rank, and with ``sizes`` also its sizes.

    disputed: nodes whose result has other sizes according to ``onnx.shape_inference`` than
    according to the standard's text; if there are any, another size is only a warning.
    Errors: ModelError if the tensor and the declaration differ.
    """
    if declared.dtype is not None and numpy_dtype(value.dtype) != declared.dtype:
        raise _wrong_declaration(declared, "type", declared.dtype, numpy_dtype(value.dtype))
    if declared.shape is None:
        return
    found = f"({', '.join(map(str, value.dims))})"
    if len(declared.shape) != value.rank:
        raise _wrong_declaration(declared, "rank", declared.shape, found)
    for size, dim in zip(declared.shape, value.dims, strict=True):
        fixed = isinstance(size, int) and dim.value is not None
        if not (sizes and fixed and size != dim.value):
            continue
        if not disputed:
            raise _wrong_declaration(declared, "shape", declared.shape, found)
        shown = f"{declared.name}: its shape is {found}, not {declared.shape} as declared"
        _LOG.warning("%s: shape inferences differ on %s", shown, ", ".join(disputed))
        return


def _wrong_declaration(declared: ValueDef, what: str, expected: object, got: object) -> ModelError:
    return ModelError(
        f"value {declared.name!r} does not have the declared {what}",
        expected=expected,
        got=got,
        hint="correct or remove the declaration in the graph's inputs and outputs",
    )


def _checked(shapes: object, known: Collection[str]) -> dict[str, list[int | str]]:
    checked: dict[str, list[int | str]] = {}
    for name, shape in _by_input(shapes, known).items():
        if isinstance(shape, str) or not isinstance(shape, Sequence):
            raise ModelError(
                f"shapes= gives input {name!r} no shape", expected="a tuple of sizes", got=shape
            )
        checked[name] = [_size(name, size) for size in cast("Sequence[object]", shape)]
    return checked


def _by_input(shapes: object, known: Collection[str]) -> Mapping[str, object]:
    if not isinstance(shapes, Mapping):
        raise ModelError("shapes= is not a mapping", expected='{"x": (2, 3)}', got=repr(shapes))
    checked = cast("Mapping[str, object]", shapes)
    for name in checked:
        if name not in known:
            raise ModelError("shapes= names no input", expected=", ".join(known), got=name)
    return checked


def _size(name: str, size: object) -> int | str:
    if isinstance(size, str):
        return size
    if not isinstance(size, SupportsIndex):
        raise ModelError(
            f"shapes= gives input {name!r} a size that is no whole number", got=repr(size)
        )
    if index(size) < 0:
        raise ModelError(f"shapes= gives input {name!r} a negative size", got=index(size))
    return index(size)


def _element(value: ValueDef) -> Attribute:
    assert value.dtype is not None, f"checked in _declared: {value.name}"
    try:
        return element_type(value.dtype)
    except TypeMismatch as err:
        what = "strings" if value.dtype == np.object_ else f"dtype {value.dtype}"
        raise UnsupportedOp(
            f"input {value.name!r} has {what}", hint="convert it before it enters the model"
        ) from err


def _declared(value: ValueDef, given: Sequence[int | str] | None) -> list[Dim]:
    """Return the declared sizes of an argument, with default names for unnamed sizes.

    given: the user's shape, which determines the rank if the model does not.
    Errors: UnsupportedOp if the input is no tensor; NeedsBinding if its rank is unknown.
    """
    shape = value.shape
    if value.dtype is None:
        raise UnsupportedOp(f"input {value.name!r} is not a tensor", hint="pass tensors only")
    if shape is None:
        if given is None:
            raise NeedsBinding(
                f"input {value.name!r} has no rank",
                hint=f'give its sizes, e.g. shapes={{"{value.name}": (1, 3, 224, 224)}}',
            )
        shape = (None,) * len(given)
    return [_dim(size, f"{value.name}_{axis}") for axis, size in enumerate(shape)]


def _dim(size: int | str | None, default: str) -> Dim:
    if isinstance(size, int):
        return Dim.const(size)
    if size is None:
        return Dim.sym(_symbol(default))
    try:
        return Dim.parse(size) if re.search(r"[-+*(]", size) else Dim.sym(_symbol(size))
    except (ParseError, TypeMismatch):
        return Dim.sym(_symbol(size))


def _symbol(name: str) -> str:
    """Return the size symbol for a size name.

    The names ``u0``, ``u1``, … are reserved for data-dependent sizes, ``v0``, ``v1``, … for sizes
    that main computes.
    """
    text = identifier(name)
    return f"{text}_" if re.fullmatch(r"[uv]\d+", text) else text


def _bind(
    name: str, dims: Sequence[Dim], shape: Sequence[int | str], bound: dict[str, Dim | int]
) -> None:
    """Derive the values of size symbols from the user's shape of an argument.

    name: the argument.  dims: its declared sizes.  shape: the user's sizes.  bound: the values that
    are known so far; the new ones are added.
    Errors: ModelError for a shape of another rank.
    """
    if len(shape) != len(dims):
        raise ModelError(
            f"shapes= gives input {name!r} a wrong rank",
            expected=f"{len(dims)} sizes: ({', '.join(map(str, dims))})",
            got=tuple(shape),
        )
    for dim, size in zip(dims, shape, strict=True):
        wanted = _dim(size, "")
        if dim == wanted:
            continue
        solved = _solved(dim.substitute(bound), wanted)
        if solved is not None:
            bound[solved[0]] = solved[1]


def _check_bound(
    name: str, dims: Sequence[Dim], shape: Sequence[int | str], bound: Mapping[str, Dim | int]
) -> None:
    """Check that the user's shape of an argument follows from its declared sizes.

    bound: the values of size symbols, which are substituted in the declared sizes ``dims``.
    Errors: ModelError if it does not.
    """
    for axis, (dim, size) in enumerate(zip(dims, shape, strict=True)):
        if dim != _dim(size, "") and dim.substitute(bound) != _dim(size, ""):
            raise _contradiction(name, axis, dim.substitute(bound), size)


def _solved(dim: Dim, wanted: Dim) -> tuple[str, Dim] | None:
    """Solve ``dim = wanted`` for the only symbol in ``dim``; return the symbol and its value.

    Return None unless ``dim`` is ``factor * symbol + offset``.
    """
    symbols = dim.symbols()
    if len(symbols) != 1:
        return None
    (symbol,) = symbols
    terms = dict(dim.terms)
    offset, factor = terms.pop((), 0), terms.pop((symbol,), 0)
    if terms or not factor or (factor != 1 and wanted.value is None):
        return None
    return symbol, (wanted - offset) // factor


def _contradiction(name: str, axis: int, expected: object, got: object) -> ModelError:
    return ModelError(
        f"shapes= contradicts axis {axis} of input {name!r}", expected=expected, got=got
    )
