"""The entry of a module: checks before compilation, and the model nodes of each kernel.

The checks concern calls of kernels, the names and dtypes recorded in attributes, and symbolic
sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..dialects.dtypes import ATTRIBUTES_BY_NAME
from ..dialects.packed import CallOp
from ..dialects.results import (
    ARG_DTYPES,
    ARG_NAMES,
    RESULT_DTYPES,
    RESULT_NAMES,
    recorded_texts,
)
from ..dialects.shape import Dim, DimsAttr, dims_of, size_parameters, symbols_of
from ..dialects.sizes import computed_sizes, record_sizes, sources_of
from ..dialects.te.scalars import signless
from ..support.diagnostics import ModelError
from ..support.entry import entry_of
from ..support.locations import node_names
from ..support.size_names import depends_on_data, is_iteration
from .calls import verify_callees, verify_calls


def nodes_of_kernels(main: FuncOp) -> dict[str, tuple[str, ...]]:
    """Return, by kernel name, the model nodes that a kernel computes, without repetition.

    The location of a kernel call names the nodes that were fused (support/locations.py).
    """
    found: dict[str, dict[str, None]] = {}
    for op in main.walk():
        if isinstance(op, CallOp):
            names = dict.fromkeys(node_names(op.location))
            found.setdefault(op.kernel_name, {}).update(names)
    return {kernel: tuple(names) for kernel, names in found.items()}


def has_dynamic_inputs(module: ModuleOp) -> bool:
    """Return whether an input of an imported module has a dynamic (symbolic) size."""
    types = cast("tuple[TensorType, ...]", entry_of(module).function_type.inputs.data)
    return any(dim.value is None for type_ in types for dim in dims_of(type_))


def name_dynamic_sizes(module: ModuleOp) -> None:
    """Record the names of the symbolic sizes of an imported module."""
    if has_dynamic_inputs(module) or computed_sizes(entry_of(module)):
        record_sizes(entry_of(module))


def check_entry(module: ModuleOp) -> None:
    """Refuse a module without an entry, or with symbolic sizes that no entry input determines.

    Also refuse wrong calls of kernels, and recorded names and dtypes that contradict types.
    Errors: ModelError.
    """
    main = entry_of(module)
    verify_callees(module)
    verify_calls(module)
    types, results = main.function_type.inputs.data, main.function_type.outputs.data
    if any(isinstance(type_, MemRefType) for type_ in types):
        count = _inputs_on_buffers(main)
        _check_symbols(main)
        _check_recorded(main, types[:count], types[count:])
        return
    for type_ in (*types, *results):
        if not isinstance(type_, TensorType):
            raise ModelError(
                "arguments and results of main must be tensors, or buffers",
                expected="tensor<…>",
                got=str(type_),
            )
    _check_symbols(main)
    _check_recorded(main, types, results)
    if size_parameters(main):
        return
    names = recorded_texts(main, ARG_NAMES) or [f"x{i}" for i in range(len(types))]
    for name, type_ in zip(names, types, strict=True):
        _check_sizes(name, dims_of(cast(TensorType, type_)))


def _check_symbols(main: FuncOp) -> None:
    """Refuse symbolic sizes of main that are undeclared, or that no argument determines."""
    names = size_parameters(main)
    values = (v for op in main.walk() for v in (*op.operands, *op.results))
    used = {name for value in values for name in symbols_of(value.type)}
    dims = (a for op in main.walk() for a in op.properties.values() if isinstance(a, DimsAttr))
    used |= {name for each in dims for dim in each.data for name in dim.symbols()}
    # An imported program may have unnamed symbolic sizes, which must be bound; see _check_sizes.
    unnamed = used - {*names}
    missing = {name for name in unnamed if not (depends_on_data(name) or is_iteration(name))}
    if names and missing:
        raise ModelError(
            "a size is not a size of main",
            expected=", ".join(names),
            got=", ".join(sorted(missing)),
            hint="name it in main's attribute sizes",
        )
    # A call may pass arrays for the outputs, which determine sizes unless they depend on data.
    type_ = main.function_type
    determined = {*sources_of(type_.inputs.data), *computed_sizes(main)}
    determined |= {name for name in sources_of(type_.outputs.data) if not depends_on_data(name)}
    if unknown := {*names} - determined:
        raise ModelError(
            "no argument of main determines a size",
            expected="an argument with a dimension that is the size, or a multiple of it",
            got=", ".join(sorted(unknown)),
            hint="add an argument with such a dimension",
        )


def _inputs_on_buffers(main: FuncOp) -> int:
    """Return how many arguments of a bufferized main function are inputs; the rest are results.

    Errors: ModelError if the attributes of main do not divide all its arguments into both.
    """
    said = [len(recorded_texts(main, attribute)) for attribute in (ARG_DTYPES, RESULT_DTYPES)]
    count = len(main.function_type.inputs.data)
    if sum(said) != count:
        raise ModelError(
            "the attributes of main do not separate inputs and results",
            expected=f"{count} names in its attributes tw.arg_dtypes and tw.result_dtypes",
            got=f"{said[0]} and {said[1]}",
        )
    return said[0]


def _check_recorded(
    main: FuncOp, inputs: Sequence[Attribute], results: Sequence[Attribute]
) -> None:
    for word, types, names, dtypes in (
        ("input", inputs, ARG_NAMES, ARG_DTYPES),
        ("result", results, RESULT_NAMES, RESULT_DTYPES),
    ):
        for what, attribute in (("names", names), ("dtypes", dtypes)):
            if attribute in main.attributes and len(recorded_texts(main, attribute)) != len(types):
                raise ModelError(
                    f"main does not have as many {what} as {word}s",
                    expected=f"{len(types)} in its attribute {attribute}",
                    got=str(len(recorded_texts(main, attribute))),
                )
        for type_, name in zip(types, recorded_texts(main, dtypes), strict=False):
            _check_dtype(word, cast("TensorType | MemRefType", type_), name)


def _check_dtype(word: str, type_: TensorType | MemRefType, name: str) -> None:
    element = signless(type_.get_element_type())
    fitting = [n for n, known in ATTRIBUTES_BY_NAME.items() if signless(known) == element]
    if name not in fitting:
        raise ModelError(
            f"the recorded dtype of {'an input' if word == 'input' else 'a result'} "
            "contradicts its type",
            expected=f"{' or '.join(fitting)}, for {type_}",
            got=name,
        )


def _check_sizes(name: str, dims: Sequence[Dim]) -> None:
    """Refuse an input with symbolic sizes; the hint suggests how to bind them in ``compile``."""
    if all(d.value is not None for d in dims):
        return
    sizes = [str(d.value or 1) for d in dims]
    example = ", ".join(sizes) + "," * (len(dims) == 1)
    raise ModelError(
        f"input {name!r} has a size that is not a number",
        expected="every size bound",
        got=f"({', '.join(map(str, dims))})",
        hint=f'pass e.g. shapes={{"{name}": ({example})}}, or --shapes {name}={"x".join(sizes)}',
    )
