"""Compiled code on every case of the ONNX backend suite except the networks of real size.

The list of failing cases (expected.json) may only get shorter; rewrite it with

    tw conformance --kind node --kind simple --kind pytorch-converted --kind pytorch-operator \
        --expect tests/conformance/expected.json --update
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tilewright.testing.conformance.runner import (
    SuiteResult,
    deviations,
    read_expectations,
    run_suite,
    write_expectations,
)
from tilewright.testing.conformance.suite import KINDS

from ..sweeps import NIGHTLY, is_sample

pytestmark = pytest.mark.slow

EXPECTED = Path(__file__).with_name("expected.json")
CORE_CASES = 1678
MOST_ON_THE_LIST = 9
ONE_IN = 40


def is_chosen(name: str) -> bool:
    """Return whether a case runs: by day one in `ONE_IN`."""
    return NIGHTLY or is_sample(name, ONE_IN)


def test_every_case_is_as_expected_the_core_passes_and_no_value_is_wrong():
    # All in one test, so that the cases run once.
    kinds = [kind for kind in KINDS if kind != "real"]
    results = run_suite(kinds=kinds, workers=2, wanted=is_chosen)
    assert not deviations(results, read_expectations(EXPECTED))
    bad = {"wrong-value", "wrong-shape", "wrong-dtype", "crash"}
    assert not [each.name for each in results if each.outcome in bad]
    core = Counter(each.outcome for each in results if each.group == "core")
    assert set(core) == {"pass"}
    if NIGHTLY:
        assert core["pass"] == CORE_CASES
    else:
        assert core["pass"] == pytest.approx(CORE_CASES / ONE_IN, rel=0.2)


def test_the_list_only_gets_shorter():
    assert len(read_expectations(EXPECTED)) <= MOST_ON_THE_LIST


def result(name, outcome, message=""):
    return SuiteResult(name, "node", "Add", 14, "core", outcome, message)


def test_deviations_from_the_list_are_named(tmp_path):
    path = tmp_path / "expected.json"
    write_expectations(path, [result("a", "error"), result("b", "pass")])
    expected = read_expectations(path)
    assert expected == {"a": "error"}
    assert not deviations([result("a", "error"), result("b", "pass")], expected)
    lines = deviations([result("a", "pass"), result("b", "crash", "out of bounds")], expected)
    assert lines == [
        "a: pass, expected error: take it off the list",
        "b: crash, expected pass: out of bounds",
    ]
