"""Versions of a model: code for some of its sizes, next to the code for all sizes.

``compile(model, specialize={"batch": [1, 8]})`` imports the model once for all sizes and once for
each listed size.  Each version is lowered separately, and all are emitted as one program, whose
entry function chooses a version at each call (lowering/main/versions.py).  Several names give a
version for each combination.  A version is faster where the known sizes lead to a better plan.  It
costs as much compile time and code as a model without symbolic sizes; weights with the same packing
are stored once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, cast

from ..runtime.errors import ArgumentError
from .settings import Sizes

if TYPE_CHECKING:
    from ..frontend.onnx.signature import Shapes

MAX_VERSIONS = 32


def versions_of(specialize: Mapping[str, Iterable[int]], shapes: Shapes) -> tuple[Sizes, ...]:
    """Return the sizes that each version binds, for the option ``specialize`` of `compile`.

    shapes: the option of `compile`; it must not bind the sizes, and its ranges must contain them.
    Errors: ArgumentError for sizes that are not positive integers or contradict ``shapes``, and for
    too many combinations.
    """
    numbers = {name: _numbers(name, sizes, shapes) for name, sizes in specialize.items()}
    count = prod(map(len, numbers.values()))
    if count > MAX_VERSIONS:
        raise ArgumentError(
            "specialize= asks for too many versions",
            expected=f"at most {MAX_VERSIONS} combinations of sizes",
            got=count,
            hint="give the sizes that matter most",
        )
    return tuple(
        tuple(zip(numbers, sizes, strict=True)) for sizes in product(*numbers.values()) if sizes
    )


def _numbers(name: str, sizes: Iterable[int], shapes: Shapes) -> list[int]:
    try:
        numbers = list(dict.fromkeys(index(size) for size in sizes))
    except TypeError as err:
        raise _error(name, "is not a list of sizes", "a list of numbers", sizes) from err
    if not numbers or min(numbers) < 1:
        raise _error(name, "is not a list of sizes", "one or more positive numbers", numbers)
    given = cast("Mapping[str, Any]", shapes).get(name)
    if isinstance(given, range) and (outside := [n for n in numbers if n not in given]):
        raise _error(name, "has sizes that shapes= excludes", given, outside)
    if given is not None and not isinstance(given, range):
        raise _error(name, "names a size that shapes= binds", "a dynamic size", given)
    return numbers


def _error(name: str, rule: str, expected: object, got: object) -> ArgumentError:
    hint = 'pass specialize={"batch": [1, 8]}, with the name of a dynamic size'
    return ArgumentError(
        f"specialize={{{name!r}: …}} {rule}", expected=expected, got=got, hint=hint
    )
