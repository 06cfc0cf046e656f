"""Models with symbolic sizes: compile once, run at three sizes, compare with constant sizes.

A drawn model has constant sizes.  Some sizes of its inputs become symbols: the size of one axis, of
all axes that have one size, which share a symbol, or of all axes.  Half of the models are compiled
for ranges of sizes that start at 0.  A module runs with the sizes that the model was drawn with,
and with two other choices of sizes, which are drawn until the shapes of the model are valid.  All
draws depend only on the digest of the model, so a saved model gets the same symbols and sizes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ...dialects.graph import BroadcastOp
from ...driver.compile import compile
from ...frontend.onnx.file.proto import load
from ...frontend.onnx.importer import import_model
from ...runtime.errors import ArgumentError, Error
from .checks import PASS, Arrays, CheckOutcome, failed
from .draw import Array, Draw
from .graph_builder import parsed_model, with_sizes
from .references import interpreted, model_difference

Feeds: TypeAlias = Mapping[str, Array]
Names: TypeAlias = Mapping[str, Sequence[str | int]]
"""The shape of each input, where a text is a symbol."""

SIZES = (
    1, 1, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63,
    64, 65, 96, 97, 127, 128, 129, 191, 200, 255, 256, 257, 384, 509, 513, 1000, 1021, 1024, 2047,
)  # fmt: skip
"""One, primes, and sizes of tiles and vectors with their neighbors."""

FROM_ZERO = range(1 << 24)
"""The range of sizes that may be 0."""

SHARES = (0, 0, 0.3, 0.3, 0.6, 0.6, 0.8, 0.8)
"""The share of sizes that stay as they were drawn first, for each draw of a valid model."""

MOST_COST = 1 << 25
"""The largest product of the elements of an input and its largest size, at later sizes."""


def check_sizes(data: bytes, feeds: Feeds, target: str | None = None) -> CheckOutcome:
    """Compile a model once with symbolic sizes; run it with its own sizes and with two others.

    data: the model.  feeds: its inputs, with constant sizes.  target: the target to compile for;
    None is this machine.
    Return the outcome: whether the results agree with the references at all sizes.
    Errors: any error of the compilation, or of a call, that does not occur with constant sizes.
    """
    draw = Draw(hashlib.sha256(data).hexdigest())
    names = drawn_names(draw, feeds, _axes_that_decide_ranks(data))
    originals = _originals(names, feeds)
    if not originals:
        return CheckOutcome("unsupported", "no input has an axis", "no axes")
    ranges = dict.fromkeys(originals, FROM_ZERO) if draw.chance(0.5) else {}
    choices = (0, 0, *SIZES) if ranges else SIZES
    runs = [originals, *(valid_sizes(draw, data, names, originals, choices) for _ in range(2))]
    try:
        opened = with_sizes(data, names)
        module = compile(
            opened, target=target, shapes=ranges, threads=1, cache=False, strict_plan=True
        )
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
            is_refusal = isinstance(err, ArgumentError) and (
                _may_broadcast(data, names, originals, sizes)
                or not _is_legal(data, names, feeds, _without_zeros(sizes, originals))
            )
            if not is_refusal and _is_legal(data, names, feeds, sizes):
                return _at(sizes, failed("run-error", err))
            continue
        if any(a.tobytes() != b.tobytes() for a, b in zip(results, again, strict=True)):
            return _at(sizes, CheckOutcome("threads", "results with 2 threads differ", "threads"))
        text = model_difference(bound, given, results)
        if text:
            return _at(sizes, CheckOutcome("wrong", text, "wrong"))
    if module.reason:
        return CheckOutcome("unsupported", module.reason, "specialized")
    return PASS


def drawn_names(
    draw: Draw, feeds: Feeds, fixed: Collection[tuple[str, int]] = ()
) -> dict[str, list[str | int]]:
    """Return the shapes of the inputs, with symbols in place of some sizes.

    Axes of equal size may share a symbol.  A size of 1 stays a number if it broadcasts against a
    larger size of another input, because the compiler takes two symbols that broadcast to be equal.
    fixed: axes whose sizes stay numbers.
    """
    names: dict[str, list[str | int]] = {name: list(x.shape) for name, x in feeds.items()}
    every = [(name, axis) for name, x in feeds.items() for axis in range(x.ndim)]
    long = {axis - feeds[name].ndim for name, axis in every if feeds[name].shape[axis] != 1}
    axes = [
        (name, axis)
        for name, axis in every
        if (name, axis) not in fixed
        and (feeds[name].shape[axis] != 1 or axis - feeds[name].ndim not in long)
    ]
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
    """Return the size that each symbol replaced in the drawn model, by symbol."""
    return {
        symbol: size
        for name, x in feeds.items()
        for symbol, size in zip(names[name], x.shape, strict=True)
        if isinstance(symbol, str)
    }


def _axes_that_decide_ranks(data: bytes) -> set[tuple[str, int]]:
    """Return the input axes whose size decides the rank of a result, as (input, axis).

    These are the last axes of the indices of GatherND and ScatterND.
    """
    graph = parsed_model(data).graph
    ranks = {value.name: len(value.type.tensor_type.shape.dim) for value in graph.input}
    indices = [node.input[1] for node in graph.node if node.op_type in ("GatherND", "ScatterND")]
    return {(name, ranks[name] - 1) for name in indices if name in ranks}


def valid_sizes(
    draw: Draw, data: bytes, names: Names, originals: Mapping[str, int], choices: Sequence[int]
) -> Mapping[str, int]:
    """Return random sizes of the symbols with which the shapes of the model are valid.

    names: the shape of each input, with symbols.  originals: the size that each symbol replaced;
    they are returned if no draw is valid.  choices: the sizes to draw from.
    """
    for kept in SHARES:
        sizes = _drawn_sizes(draw, originals, names, choices, kept)
        try:
            import_model(load(with_sizes(data, {n: _bound(names[n], sizes) for n in names})))
        except Error:
            continue
        return sizes
    return originals


def _drawn_sizes(
    draw: Draw, originals: Mapping[str, int], names: Names, choices: Sequence[int], kept: float
) -> dict[str, int]:
    """Return a size for each symbol, small enough that no input has too many elements.

    choices: the sizes to draw from.  kept: the probability that a symbol keeps its original size.
    """

    def cost(sizes: Mapping[str, int]) -> float:
        shapes = [np.array(_bound(shape, sizes), np.float64) for shape in names.values()]
        return max(float(np.prod(shape) * shape.max(initial=1)) for shape in shapes)

    def drawn() -> dict[str, int]:
        return {
            name: size if draw.chance(kept) else draw.one(*choices)
            for name, size in originals.items()
        }

    return draw.fitting(drawn, cost, max(MOST_COST, cost(originals)))


def _bound(shape: Sequence[str | int], sizes: Mapping[str, int]) -> list[int]:
    return [sizes[each] if isinstance(each, str) else each for each in shape]


def _resized(array: Array, shape: Sequence[int]) -> Array:
    """Return an array cropped or repeated to a shape; its elements stay valid as indices."""
    cut_first = sorted(range(array.ndim), key=lambda axis: shape[axis] > array.shape[axis])
    for axis in cut_first:
        array = np.take(array, np.arange(shape[axis]) % max(array.shape[axis], 1), axis=axis)
    return array


def _is_legal(data: bytes, names: Names, feeds: Feeds, sizes: Mapping[str, int]) -> bool:
    """Return whether the interpreter can run a model with other sizes.

    names: the shape of each input, with symbols.  feeds: the inputs, with the sizes of the drawn
    model.
    sizes: the size of each symbol.
    """
    shapes = {name: _bound(names[name], sizes) for name in feeds}
    given = {name: _resized(x, shapes[name]) for name, x in feeds.items()}
    try:
        interpreted(with_sizes(data, shapes), given)
    except (Error, IndexError):
        return False
    return True


def _may_broadcast(
    data: bytes, names: Names, originals: Mapping[str, int], sizes: Mapping[str, int]
) -> bool:
    """Return whether a size that was not 1 in the drawn model may now be 1 and broadcast.

    Compiled programs never broadcast such a size.  It is the size of a symbol, or computed from
    such sizes, as the number of groups of 8 is 1 for 8 elements.
    """
    if 1 in sizes.values():
        return True
    try:
        return _broadcasts(data, names, sizes) > _broadcasts(data, names, originals)
    except Error:
        return False


def _without_zeros(sizes: Mapping[str, int], originals: Mapping[str, int]) -> dict[str, int]:
    """Return sizes with the original size in place of 0; an empty tensor would fit any shape."""
    return {name: size or originals[name] for name, size in sizes.items()}


def _broadcasts(data: bytes, names: Names, sizes: Mapping[str, int]) -> int:
    shapes = {name: _bound(shape, sizes) for name, shape in names.items()}
    program = import_model(load(with_sizes(data, shapes)))
    return sum(isinstance(op, BroadcastOp) for op in program.walk())


def _at(sizes: Mapping[str, int], outcome: CheckOutcome) -> CheckOutcome:
    text = ", ".join(f"{name} = {size}" for name, size in sizes.items())
    return CheckOutcome(outcome.kind, f"at {text}: {outcome.message}", outcome.signature)


def _arrays(results: object) -> Arrays:
    every = results if isinstance(results, tuple) else (results,)
    return [np.asarray(each) for each in every]
