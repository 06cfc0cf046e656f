"""Arguments of a call: from positions and names to the order of a signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .errors import ArgumentError


def in_order(
    names: Sequence[str],
    arrays: Sequence[object],
    named: Mapping[str, object],
    module_name: str,
    signature: str,
) -> tuple[object, ...]:
    """Return all inputs in order; the first ones are passed by position, the others by name.

    Errors: ArgumentError for an unknown, repeated or missing name.
    """
    given = dict(zip(names, arrays, strict=False))
    for name in named:
        if name not in names or name in given:
            problem = "is given twice" if name in names else "is not an input"
            raise ArgumentError(
                f"{module_name}: {name} {problem}",
                expected=", ".join(names),
                hint="pass each input once, by position or by its name",
                signature=signature,
            )
    given.update(named)
    missing = [name for name in names if name not in given]
    if missing:
        raise ArgumentError(
            f"{module_name}: inputs are missing",
            expected=", ".join(missing),
            signature=signature,
            hint="pass an array for each input of the signature",
        )
    return tuple(given[name] for name in names)
