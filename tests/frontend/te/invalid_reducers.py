"""Error messages for reducers without the required properties.

``python -m tests.frontend.te.invalid_reducers`` writes invalid_reducers.txt, which a test compares
with the current messages.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tilewright import te
from tilewright.support.diagnostics import TypeMismatch

SNAPSHOT = Path(__file__).with_suffix(".txt")


def reduced(reducer: Any, *dtypes: str) -> Any:
    """Apply a reducer along the rows of one matrix per value."""
    inputs = [te.placeholder((4, 8), dtype, name=f"x{n}") for n, dtype in enumerate(dtypes)]
    k = te.reduce_axis((0, 8), name="k")

    def element(i: te.Axis) -> Any:
        values = tuple(x[i, k] for x in inputs)
        return reducer(values if len(values) > 1 else values[0], axis=k)

    return te.compute((4,), element, name="C")


def zeros(*dtypes: str) -> Any:
    return tuple(0 for _ in dtypes) if len(dtypes) > 1 else 0


def choosing(is_first: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a reducer that chooses the first tuple if a condition holds, else the second."""

    def choose(x: Any, y: Any) -> Any:
        first = is_first(x, y)
        return te.if_then_else(first, x[0], y[0]), te.if_then_else(first, x[1], y[1])

    return choose


def norm(x: Any, y: Any) -> Any:
    """Return the norm, a valid reducer for non-negative values only."""
    return te.sqrt(x * x + y * y)


Case = tuple[Callable[[Any, Any], Any], Callable[..., Any], tuple[str, ...]]
CASES: dict[str, Case] = {
    "digits": (lambda x, y: x * 2 + y, zeros, ("int32",)),
    "unsigned": (lambda x, y: x - y, zeros, ("uint8",)),
    "first of a pair": (lambda x, y: x, zeros, ("int32", "float32")),
    "mean": (lambda x, y: (x + y) / 2.0, zeros, ("float32",)),
    "mean in 16 bits": (lambda x, y: (x + y) / 2.0, zeros, ("bfloat16",)),
    "saturating": (lambda x, y: te.maximum(te.minimum(x + y, 100), -100), zeros, ("int32",)),
    "index of the largest, smallest value": (
        lambda x, y: (te.if_then_else(x[1] >= y[1], x[0], y[0]), te.minimum(x[1], y[1])),
        lambda index, value: (te.const(-1, index), te.max_value(value)),
        ("int32", "float32"),
    ),
    "identity of a sum": (lambda x, y: x + y, lambda t: 1, ("float32",)),
    "identity of a product": (lambda x, y: x * y, te.max_value, ("float32",)),
    "identity of a maximum": (te.maximum, zeros, ("float32",)),
    "identity of an unsigned minimum": (te.minimum, zeros, ("uint16",)),
    "identity of a conjunction": (lambda x, y: x & y, lambda t: False, ("bool",)),
    "identity of another type": (lambda x, y: x + y, lambda t: 0.5, ("int32",)),
    "identity of a pair": (
        choosing(lambda x, y: x[1] >= y[1]), lambda index, value: (-1, 0), ("int32", "float32"),
    ),
    "for some numbers": (norm, zeros, ("float32",)),
}  # fmt: skip
"""The combining function, the identity, and the types of the values."""


def message(combine: Any, identity: Any, dtypes: tuple[str, ...], samples: Any = None) -> str:
    """Return the error message of a reducer."""
    try:
        reduced(te.comm_reducer(combine, identity, name="f", samples=samples), *dtypes)
    except TypeMismatch as err:
        return str(err)
    raise AssertionError("this reducer is valid")


def messages() -> str:
    """Return all messages under their titles."""
    return "\n".join(f"# {title}\n{message(*case)}\n" for title, case in CASES.items())


if __name__ == "__main__":
    SNAPSHOT.write_text(messages())
