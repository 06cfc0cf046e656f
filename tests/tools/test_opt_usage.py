"""The words of tw-opt: completion in shells, and answers to the habits of mlir-opt's users."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from tilewright.tools import start
from tilewright.tools.opt.completion import completed
from tilewright.tools.opt.main import Opt, main

HABITS = {
    "--print-after-all": "did you mean --print-after all?",
    "--mlir-print-ir-after-all": "did you mean --print-after all?",
    "--mlir-print-ir-before-all": "did you mean --dump-ir DIR?",
    "--graph-cse": "did you mean -p graph-cse?",
    "-canonicalize -cse": "did you mean -p canonicalize,cse?",
    "--dump-pass-pipeline": "did you mean --print-pipeline?",
    "--mlir-disable-threading": "leave it out; passes run in one thread",
    "--mlir-elide-elementsattrs-if-larger=4": "leave it out; texts never contain weights",
}


@pytest.mark.parametrize("words", HABITS)
def test_options_of_mlir_opt_are_answered(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["in.mlir", *words.split()])
    assert stop.value.code == 2
    message = capsys.readouterr().err
    assert message.startswith(f"tw-opt: error: unknown option '{words.split()[0]}'")
    assert message.endswith(f"{HABITS[words]}\n")


def test_passes_of_several_options_run_in_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--print-pipeline", "-p", "graph-cse", "-p", "graph-dce,cse"]) == 0
    assert capsys.readouterr().out == "graph-cse,graph-dce,cse\n"


COMPLETED = [
    (["m.mlir", "-p"], "graph-dc", ["graph-dce"]),
    (["-p"], "cse,graph-dc", ["cse,graph-dce"]),
    (["--print-after"], "al", ["all"]),
    (["--to"], "sc", ["sched", "scheduled"]),
    (["--for"], "znver", ["znver1", "znver2", "znver3", "znver4", "znver5"]),
    (["-f"], "o", ["onnx"]),
    ([], "--list", ["--list-passes"]),
]


@pytest.mark.parametrize(("args", "text", "values"), COMPLETED)
def test_completion(args: list[str], text: str, values: list[str]) -> None:
    command = completed(Opt([]))
    items = BashComplete(command, {}, "tw-opt", "").get_completions(args, text)
    assert [item.value for item in items] == values


@pytest.mark.parametrize("args", [[], ["--weights"], ["-o"]])
def test_files_are_completed_by_the_shell(args: list[str]) -> None:
    command = completed(Opt([]))
    (item,) = BashComplete(command, {}, "tw-opt", "").get_completions(args, "m")
    assert item.type == "file"


def test_the_script_of_a_shell_is_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"COMP_WORDS": "tw-opt -p graph-dc", "COMP_CWORD": "2"}
    for key, value in {**words, "_TW_OPT_COMPLETE": "bash_complete"}.items():
        monkeypatch.setenv(key, value)
    assert start.tw_opt() == 0
    assert capsys.readouterr().out == "plain,graph-dce\n"
