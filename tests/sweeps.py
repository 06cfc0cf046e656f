"""Sweeps: the sample of their cases that `make test` runs, and the number of random examples.

`make test` runs a sample of the cases of a sweep. The sample does not change from run to run: it
holds the first case of each family, and every case whose name has a certain checksum. The other
cases have the marker ``nightly``. `make nightly` runs all cases, and ten times the examples
of property tests that take their number from here. The marker ``one_in(n)`` makes a sweep of any
test with parameters.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

NIGHTLY = bool(os.environ.get("TILEWRIGHT_NIGHTLY"))
NIGHTLY_EXAMPLES = 10
"""How many times more examples a nightly run draws."""

Case = TypeVar("Case")


def is_sample(name: str, one_in: int) -> bool:
    """Return whether the checksum of a name puts it into a sample of one in a number of cases."""
    return zlib.crc32(name.encode()) % one_in == 0


def sampled(
    cases: Iterable[Case],
    name: Callable[[Case], str],
    *,
    one_in: int,
    slow: bool = False,
    each_family: bool = True,
) -> list[Any]:
    """Return the cases as parameters; those outside the sample are nightly.

    name: gives the name of a case; the word before its first underscore is its family.
    one_in: the sample holds about one case in this number.
    each_family: whether the sample also holds the first case of each family.
    """
    families: set[str] = set()
    parameters: list[Any] = []
    for case in cases:
        label = name(case)
        family = label.partition("_")[0]
        is_first = each_family and family not in families
        is_chosen = is_first or is_sample(label, one_in)
        families.add(family)
        marks = [pytest.mark.slow] * slow + [pytest.mark.nightly] * (not is_chosen)
        parameters.append(pytest.param(case, id=label, marks=marks))
    return parameters


def mark_nightly_cases(items: Iterable[pytest.Item]) -> None:
    """Give ``nightly`` to the cases outside the sample of tests with the marker ``one_in(n)``.

    The sample of a test holds its first case, and about one in ``n`` of the others.
    """
    started: set[str] = set()
    for item in items:
        sweep = item.get_closest_marker("one_in")
        if sweep is not None:
            test, _, case = item.nodeid.partition("[")
            if test in started and not is_sample(case, *sweep.args):
                item.add_marker(pytest.mark.nightly)
            started.add(test)


def in_turn(names: Iterable[str], variants: Iterable[tuple[str, ...]]) -> list[Any]:
    """Return all pairs of a name and a variant as parameters: the name, then those of the variant.

    By day, each name has one variant: the first name the first one, the second the second, and so
    on.
    """
    known, parameters = [*variants], list[Any]()
    for n, name in enumerate(names):
        for m, variant in enumerate(known):
            marks = [pytest.mark.nightly] * (m != n % len(known))
            label = "-".join((name, *variant))
            parameters.append(pytest.param(name, *variant, id=label, marks=marks))
    return parameters


def examples(count: int) -> settings:
    """Return the settings of a property test that draws ``count`` examples, more by night."""
    return settings(max_examples=count * NIGHTLY_EXAMPLES if NIGHTLY else count)
