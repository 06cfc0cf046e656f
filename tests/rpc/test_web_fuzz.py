"""Random messages to the server in node: it answers each one, or ends the session."""

from __future__ import annotations

import subprocess

import pytest

from ..targets.cpu.web.web_module import needs_web
from . import fuzzing
from .test_web import NODE, exported

MOST_NODE_MB = 512
"""The most memory of node, which has a heap of its own and frees memory late."""


@needs_web
@pytest.mark.slow
@pytest.mark.parametrize(
    "seeds",
    [range(1), pytest.param(range(1, 271), marks=pytest.mark.nightly)],
    ids=["sample", "all"],
)
def test_the_server_in_node_answers_random_messages(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = exported().read_bytes()
    monkeypatch.setattr(fuzzing, "_files", lambda: dict.fromkeys(("m.so", "m.tar", "p.so"), data))
    monkeypatch.setattr(fuzzing, "MOST_MB", MOST_NODE_MB)
    command, pipe = [*NODE, "--stdio", "--memory-mb", f"{fuzzing.MEMORY_MB}"], subprocess.PIPE
    for seed in seeds:
        requests, last, end = fuzzing.stream_of(seed)
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
            fuzzing.begin(process)
            answers = fuzzing.answers_while_alive(process, requests)
            answers += fuzzing.answers_of(process, last)
        accepted = fuzzing.check_replies(answers, requests, end)
        assert fuzzing.MESSAGES // 40 < accepted < fuzzing.MESSAGES, f"seed {seed}"
