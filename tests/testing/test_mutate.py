"""The list of planted bugs fits the code, and candidates change one line each."""

from collections import Counter
from dataclasses import replace

import pytest

from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.mutate.bugs import KINDS, ROOT, known_bugs
from tilewright.testing.mutate.probes import PROBES, probe
from tilewright.testing.mutate.sites import drawn


def test_every_planted_bug_fits_the_code() -> None:
    bugs = known_bugs()
    assert len({bug.name for bug in bugs}) == len(bugs) == 60
    assert {bug.kind for bug in bugs} == {*KINDS}
    for bug in bugs:
        text = (ROOT / bug.file).read_text()
        changed = bug.planted(text)
        if bug.file.endswith(".py"):
            compile(changed, bug.file, "exec")
        assert changed != text
        assert bug.tests
        assert all((ROOT / "tests" / name).exists() for name in bug.tests)
        assert {name.partition("@")[0] for name in bug.probes} <= PROBES.keys()


def test_a_bug_whose_text_is_gone_is_refused() -> None:
    bug = known_bugs()[0]
    with pytest.raises(TilewrightError, match=f"bug {bug.name} fits no longer"):
        replace(bug, old="no such text").planted((ROOT / bug.file).read_text())


def test_probes_are_small_models() -> None:
    for name in PROBES:
        assert len(probe(name).graph.node) <= 20


def test_a_seed_draws_the_same_candidates() -> None:
    one, other = (drawn(3, 12, ["passes/te"]) for _ in range(2))
    assert one == other
    for bug in one:
        lines, changed = ((ROOT / bug.file).read_text().splitlines() for _ in range(2))
        changed = bug.planted("\n".join([*lines, ""])).splitlines()
        assert len(Counter(changed) - Counter(lines)) == 1
