"""The texts of kernels do not change unless somebody means it to.

The sample has the first program of each kind, a small model of each kind of code, and a few of the
random programs; `make nightly` and `make replay` compare all.
"""

from __future__ import annotations

import pytest

from ..sweeps import sampled
from .digests import (
    COMMAND,
    FILE,
    Change,
    changes,
    digests_of,
    of_programs,
    parsed,
    printed,
    summary,
)
from .levels import LEVELS, renamed
from .programs import PROGRAMS

EXPECTED = parsed(FILE.read_text())
HEAVY = ("zoo/", "int8/", "bf16/", "fixture/")
"""Kinds of programs that take seconds each."""


def _case(name: str) -> str:
    """Return the name of a case: its first word is the kind of code."""
    kind, _, rest = name.partition("/")
    return f"{kind}-{rest.partition('_')[0]}_{rest}" if kind == "small" else f"{kind}_{rest}"


LIGHT = [name for name in PROGRAMS if not name.startswith(HEAVY)]
REST = [name for name in PROGRAMS if name.startswith(HEAVY)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", sampled(LIGHT, _case, one_in=48, slow=True))
def test_texts_are_as_recorded(name: str) -> None:
    found = changes(of_programs(EXPECTED, [name]), digests_of(name))
    lines = "\n".join(map(str, found))
    assert not found, f"say in the commit which kernels changed, and why: {COMMAND}\n{lines}"


@pytest.mark.nightly
@pytest.mark.parametrize("name", REST)
def test_texts_of_networks_are_as_recorded(name: str) -> None:
    test_texts_are_as_recorded(name)


def test_every_program_has_digests() -> None:
    assert {program for _, program, _ in EXPECTED} == {*PROGRAMS}


def test_the_file_is_sorted_and_complete() -> None:
    assert printed(EXPECTED) == FILE.read_text()
    random = [row for row in EXPECTED if row[1].startswith("random/")]
    kernels = [row for row in random if row[0] == "x86-64-v3" and row[2] != "main"]
    assert len(kernels) >= 500


def test_a_change_names_the_kernel_and_its_levels() -> None:
    before = {("cuda", "zoo/a", "k"): {"te": "1", "loop": "2"}, ("cuda", "zoo/a", "l"): {"te": "1"}}
    after = {("cuda", "zoo/a", "k"): {"te": "1", "loop": "3"}, ("cuda", "zoo/b", "m"): {"te": "1"}}
    found = changes(before, after)
    assert found == [
        Change(("cuda", "zoo/a", "k"), "changed", ("loop",)),
        Change(("cuda", "zoo/a", "l"), "removed"),
        Change(("cuda", "zoo/b", "m"), "added"),
    ]
    assert str(found[0]) == "changed  cuda zoo/a k loop"
    assert summary(found, 3) == "3 of 3 kernels differ\n  cuda: loop 1, removed 1, added 1"
    assert {level for each in found for level in each.levels} <= {*LEVELS}


def test_names_do_not_count() -> None:
    text = "te.compute @a [m: 4, k: 2 red] ins(%x[m, k]) { %0 = arith.mulf %x, %y }"
    other = "te.compute @b [i: 4, r: 2 red] ins(%u[i, r]) { %7 = arith.mulf %u, %v }"
    assert renamed(text, ["a", "m", "k"]) == renamed(other, ["b", "i", "r"])
    assert renamed(text, ["a", "m", "k"]) != renamed(other.replace("%u, %v", "%v, %u"), "bir")
    assert renamed("call @tw.k.3(ptr %p)") == renamed("call @tw.k.12(ptr %q)")
    assert renamed("call @llvm.fma(float %p)") != renamed("call @llvm.exp(float %p)")
