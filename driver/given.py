"""Check the kinds of the arguments of `compile` before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import cast

from ..runtime.abi.threads import check_threads
from ..runtime.errors import ArgumentError
from ..support.diagnostics import ModelError

DEFAULT_PLAN = "default"
"""The value of the option ``plan`` that stands for the schedules of the target's plan."""

STARTER_PLAN = "starter"
"""The value of the option ``plan`` that stands for the tuning records in the package."""

_EXAMPLES: Mapping[str, str] = {
    "shapes": '{"x": (2, 3)}',
    "values": '{"x": [1, 2]}',
    "specialize": '{"batch": [1, 8]}',
}
"""For each argument of `compile` that is a mapping, an example value for error messages."""


def check_sizes(**given: object) -> None:
    """Check that each argument is None or a mapping from names, and that no size is a string.

    given: the arguments of `compile` that `_EXAMPLES` lists, by name.
    Errors: ArgumentError for an argument of the wrong kind, ModelError for a size.
    """
    for name, value in given.items():
        if value is None:
            continue
        if not isinstance(value, Mapping):
            raise ArgumentError(
                f"{name}= is not a mapping",
                expected=_EXAMPLES[name],
                got=repr(value),
                hint=f"pass {name}={_EXAMPLES[name]}",
            )
        for key, item in cast("Mapping[object, object]", value).items():
            if not isinstance(key, str):
                raise ArgumentError(
                    f"{name}= has a key that is no name", expected=_EXAMPLES[name], got=repr(key)
                )
            if name == "shapes":
                _check_sizes(key, item)


def _check_sizes(name: str, given: object) -> None:
    """Check the value of one key of ``shapes``: sizes are integers, names or ranges.

    name: the key.

    Errors: ModelError for a number given as a string or a float.
    """
    if isinstance(given, str):
        if _is_number(given):
            raise ModelError(
                f"shapes= gives {name!r} a text for a number",
                expected="a whole number, or the name of a size",
                got=repr(given),
                hint=f"write {int(float(given)) if given.strip() else 1} without quotation marks",
            )
        return
    if isinstance(given, float):
        raise ModelError(f"shapes= gives {name!r} a size that is no whole number", got=repr(given))
    if isinstance(given, Sequence) and not isinstance(given, range):
        for size in cast("Sequence[object]", given):
            _check_sizes(name, size)


def _is_number(text: str) -> bool:
    try:
        return not text.strip() or abs(float(text)) < 1e18
    except ValueError:
        return False


def check_kinds(inputs: object, extensions: object, plan: object, threads: object) -> None:
    """Check the types of four arguments of `compile`; None stands for the default value.

    Errors: ArgumentError for an argument of another type.
    """
    check_threads(threads)
    _check_examples(inputs)
    for name, given, kinds, example in (
        ("extensions", extensions, (list, tuple), "[Extension(…)]"),
        ("plan", plan, (str, PathLike), '"default" or a path'),
    ):
        if given is not None and not isinstance(given, kinds):
            raise ArgumentError(
                f"{name}= is of the kind {type(given).__name__}", expected=example, got=repr(given)
            )


def _check_examples(inputs: object) -> None:
    """Check that example inputs are a list, a tuple or a mapping of arguments.

    A single tensor is refused, because it would be unpacked along its first axis.
    Errors: ArgumentError.
    """
    if inputs is None or isinstance(inputs, (list, tuple, Mapping)):
        return
    if hasattr(inputs, "shape") or hasattr(inputs, "__dlpack__"):
        kind = f"{type(inputs).__module__.partition('.')[0]}.{type(inputs).__name__}"
        raise ArgumentError(
            "inputs= is a tensor", expected="a tuple of tensors", got=kind, hint="inputs=(x,)"
        )
    raise ArgumentError(
        "inputs= is no tuple of example inputs",
        expected="a tuple of tensors, or a mapping from argument names to tensors",
        got=repr(inputs),
        hint="inputs=(x,)",
    )
