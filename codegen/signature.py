"""The signature of a program on buffers, from the attributes of its main function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp

from ..dialects.packed import ConcatOp
from ..dialects.results import (
    APPENDS,
    Append,
    recorded_appends,
    recorded_entries,
    recorded_forms,
    recorded_name,
    recorded_texts,
)
from ..dialects.shape import MOST, Dim, Extent, dims_of, extent_of, least_of, size_parameters
from ..dialects.sizes import (
    computed_sizes,
    recorded_bounds,
    recorded_limits,
    recorded_required_by,
    sources_of,
)
from ..machines.target import Target
from ..runtime.abi.constants import element_bytes
from ..support.diagnostics import LoweringError
from .entry import Entry, ModelArgument, ModelSymbol


def describe_main(main: FuncOp, target: Target) -> Entry:
    """Return the signature of main, the host function of a program, as an incomplete `Entry`.

    The caller sets memory sizes, threads and externs later.  Symbolic sizes are in the order of
    main's attribute ``sizes``.
    Before: the arguments of main are buffers, first the inputs, then the results.
    """
    inputs = _arguments(main, "arg", "x", 0)
    outputs = _arguments(main, "result", "y", len(inputs))
    entries = recorded_entries(main)
    # If there are computed sizes, the last output holds them.
    sizes = outputs[-1].nbytes // element_bytes("int64") if entries else 0
    bounds = _resolved(recorded_bounds(main))
    if entries:
        outputs = tuple(
            replace(each, entries=row, largest=tuple(_largest(each.shape, bounds)))
            for each, row in zip(outputs, entries, strict=False)
        )
    return Entry(
        inputs=inputs,
        outputs=outputs,
        sizes=sizes,
        name=recorded_name(main),
        target=str(target),
        cpu_flags=target.needed_flags,
        forms=recorded_forms(main),
        appends=_appends(main, len(inputs)),
        symbols=_symbols(main, len(inputs)),
        limits=tuple(recorded_limits(main).items()),
        required_by=recorded_required_by(main),
    )


def _resolved(bounds: Mapping[str, Dim]) -> dict[str, Dim]:
    """Replace computed sizes in the upper bounds of computed sizes by their own bounds.

    bounds: the largest value of each computed size, as an expression that may contain computed
    sizes before it.
    """
    made: dict[str, Dim] = {}
    for name, bound in bounds.items():
        made[name] = bound.substitute(made)
    return made


def _largest(shape: Sequence[Extent], bounds: Mapping[str, Dim]) -> Iterator[Extent]:
    return (extent_of(Dim.of(size).substitute(bounds)) for size in shape)


def _appends(main: FuncOp, inputs: int) -> tuple[Append, ...]:
    """Return the states to which main appends rows, after checking that main does.

    An item is the position of the state, the position of the result, and the axis.  The result may
    share memory with the state.
    inputs: the number of inputs of main.
    Errors: LoweringError if main does not append to a recorded state.
    """
    pairs = {(op.xs[0], op.target) for op in main.walk() if isinstance(op, ConcatOp) and op.appends}
    arguments, appends = main.body.block.args, recorded_appends(main)
    for past, result, axis in appends:
        ends = past < inputs and inputs + result < len(arguments)
        if axis < 0 and ends and arguments[past].type == arguments[inputs + result].type:
            continue
        if not ends or (arguments[past], arguments[inputs + result]) not in pairs:
            raise LoweringError(
                f"main does not append to its argument {past}",
                expected=f"packed.concat append of argument {past} to result {result}",
                got="no such op",
                hint=f"correct {APPENDS}, or leave it out",
            ).at(main)
    return appends


def _symbols(main: FuncOp, inputs: int) -> tuple[ModelSymbol, ...]:
    sources = sources_of([argument.type for argument in main.body.block.args], inputs)
    computed, bounds = computed_sizes(main), recorded_bounds(main)
    return tuple(
        ModelSymbol(name, None, least_of(name), bound=extent_of(bounds.get(name, MOST)))
        if name in computed
        else ModelSymbol(name, sources[name], least_of(name))
        for name in size_parameters(main)
    )


def _arguments(main: FuncOp, kind: str, letter: str, start: int) -> tuple[ModelArgument, ...]:
    """Return the descriptions of the inputs or of the results of main.

    kind: ``arg`` for the inputs, ``result`` for the results.
    letter: the first letter of the default names.
    start: the position of the first of them among main's arguments.
    """
    dtypes = recorded_texts(main, f"tw.{kind}_dtypes")
    names = recorded_texts(main, f"tw.{kind}_names") or [f"{letter}{i}" for i in range(len(dtypes))]
    types = [cast(MemRefType, a.type) for a in main.body.block.args[start : start + len(dtypes)]]
    return tuple(
        ModelArgument(name, dtype, tuple(map(extent_of, dims_of(type_))))
        for name, dtype, type_ in zip(names, dtypes, types, strict=True)
    )
