"""Models with symbolic sizes: one compilation, run at three sizes, against the sizes bound.

A drawn model has numbers; some sizes of its inputs become symbols: one axis, the axes of one size
under one name, or all axes. The digest of the model decides, so a saved model opens the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ...driver.compile import compile
from ...runtime.errors import ArgumentError, Error
from .checks import PASS, Arrays, Outcome, failed
from .draw import Array, Draw
from .graph_builder import with_sizes
from .references import interpreted, model_difference

Feeds: TypeAlias = Mapping[str, Array]
Names: TypeAlias = Mapping[str, Sequence[str | int]]
"""The shape of each input, where a text is a symbol."""

SIZES = (1, 1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 97, 127, 129)
"""One, primes, and sizes of tiles and vectors with their neighbors."""

MOST_ELEMENTS = 1 << 18
"""The most elements of an input at sizes that the model was not drawn with."""


def check_sizes(data: bytes, feeds: Feeds) -> Outcome:
    """Compile a model once with symbolic sizes, and run it with its own and two other sizes.

    Errors: any error of the compilation or of a call that the bound model does not have.
    """
    draw = Draw(hashlib.sha256(data).hexdigest())
    names = drawn_names(draw, feeds)
    originals = _originals(names, feeds)
    if not originals:
        return Outcome("unsupported", "no input has an axis", "no axes")
    runs = [originals, *(_drawn_sizes(draw, originals, names) for _ in range(2))]
    try:
        module = compile(with_sizes(data, names), threads=1, cache=False, strict_plan=True)
    except Error as err:
        refused = not all(_is_legal(data, names, feeds, sizes) for sizes in runs)
        return failed("unsupported" if refused else "run-error", err)
    for sizes in runs:
        given = {name: _resized(x, _bound(names[name], sizes)) for name, x in feeds.items()}
        bound = with_sizes(data, {name: _bound(names[name], sizes) for name in feeds})
        try:
            results = _arrays(module.run(dict(given), threads=1))
            again = _arrays(module.run(dict(given), threads=2))
        except (Error, IndexError) as err:
            if _is_legal(data, names, feeds, sizes):
                return _at(sizes, failed(_refusal(err, sizes), err))
            continue
        if any(a.tobytes() != b.tobytes() for a, b in zip(results, again, strict=True)):
            return _at(sizes, Outcome("threads", "results with 2 threads differ", "threads"))
        text = model_difference(bound, given, results)
        if text:
            return _at(sizes, Outcome("wrong", text, "wrong"))
    if module.reason:
        return Outcome("unsupported", module.reason, "specialized")
    return PASS


def drawn_names(draw: Draw, feeds: Feeds) -> dict[str, list[str | int]]:
    """Return shapes of inputs, some of whose sizes are symbols; equal sizes may share one."""
    names: dict[str, list[str | int]] = {name: list(x.shape) for name, x in feeds.items()}
    axes = [(name, axis) for name, x in feeds.items() for axis in range(x.ndim)]
    if not axes:
        return names
    kind = draw.one("one", "equal", "all")
    chosen_input, chosen_axis = draw.one(*axes)
    chosen = feeds[chosen_input].shape[chosen_axis]
    for name, axis in axes:
        size = feeds[name].shape[axis]
        is_chosen = {
            "one": (name, axis) == (chosen_input, chosen_axis),
            "equal": size == chosen,
            "all": True,
        }[kind]
        if is_chosen:
            names[name][axis] = f"s{size}"
    return names


def _originals(names: Names, feeds: Feeds) -> dict[str, int]:
    """Return the size that each symbol was drawn with."""
    return {
        symbol: size
        for name, x in feeds.items()
        for symbol, size in zip(names[name], x.shape, strict=True)
        if isinstance(symbol, str)
    }


def _drawn_sizes(draw: Draw, originals: Mapping[str, int], names: Names) -> dict[str, int]:
    """Return sizes of the symbols at which no input has too many elements."""

    def elements(sizes: Mapping[str, int]) -> float:
        counts = [np.prod(_bound(shape, sizes), dtype=np.float64) for shape in names.values()]
        return float(max(counts))

    most = max(MOST_ELEMENTS, elements(originals))
    return draw.fitting(lambda: {each: draw.one(*SIZES) for each in originals}, elements, most)


def _bound(shape: Sequence[str | int], sizes: Mapping[str, int]) -> list[int]:
    return [sizes[each] if isinstance(each, str) else each for each in shape]


def _resized(array: Array, shape: Sequence[int]) -> Array:
    """Return the array cut or repeated to a shape, so that indices stay those of the model."""
    cut_first = sorted(range(array.ndim), key=lambda axis: shape[axis] > array.shape[axis])
    for axis in cut_first:
        array = np.take(array, np.arange(shape[axis]) % max(array.shape[axis], 1), axis=axis)
    return array


def _is_legal(data: bytes, names: Names, feeds: Feeds, sizes: Mapping[str, int]) -> bool:
    """Return whether the model with these sizes has a meaning."""
    shapes = {name: _bound(names[name], sizes) for name in feeds}
    given = {name: _resized(x, shapes[name]) for name, x in feeds.items()}
    try:
        interpreted(with_sizes(data, shapes), given)
    except (Error, IndexError):
        return False
    return True


def _refusal(error: Error | IndexError, sizes: Mapping[str, int]) -> str:
    """Return the outcome of a refused call; a symbol that equals a number never broadcasts."""
    is_broadcast = isinstance(error, ArgumentError) and 1 in sizes.values()
    return "unsupported" if is_broadcast else "run-error"


def _at(sizes: Mapping[str, int], outcome: Outcome) -> Outcome:
    text = ", ".join(f"{name} = {size}" for name, size in sizes.items())
    return Outcome(outcome.kind, f"at {text}: {outcome.message}", outcome.signature)


def _arrays(results: object) -> Arrays:
    every = results if isinstance(results, tuple) else (results,)
    return [np.asarray(each) for each in every]
