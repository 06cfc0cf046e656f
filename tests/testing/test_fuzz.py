"""Random programs: the same on every machine, planned for two machines, saved when they fail."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.support.diagnostics import ScheduleError, UnsupportedOp
from tilewright.testing.fuzz import runner, runs
from tilewright.testing.fuzz.checks import PASS, CheckOutcome, check_plans, check_run
from tilewright.testing.fuzz.draw import Draw
from tilewright.testing.fuzz.families import check_drawn, drawn_program
from tilewright.testing.fuzz.gradients import check_gradients
from tilewright.testing.fuzz.graphs import GRAPHS
from tilewright.testing.fuzz.pairs import PAIRS
from tilewright.testing.fuzz.program import OnnxProgram, load_program
from tilewright.testing.fuzz.references import integer_difference, onnxruntime_call
from tilewright.testing.fuzz.runner import FuzzCase, cases, read_log, run_cases
from tilewright.testing.fuzz.targets import TARGETS, drawn_targets
from tilewright.testing.pass_case import parsed
from tilewright.tools.cli import main

TARGET = TARGETS["avx2-512"]


def test_a_text_decides_all_numbers() -> None:
    draw = Draw("some text")
    assert [draw.integer(0, 99) for _ in range(6)] == [1, 32, 51, 35, 57, 21]
    assert draw.uniform((2,)).tolist() == [-0.02822744846343994, 0.39804911613464355]
    assert (draw.size(1000), draw.permutation(5), draw.chance(0.5)) == (101, [0, 2, 3, 4, 1], True)


def test_sizes_are_within_bounds_and_awkward() -> None:
    draw = Draw("sizes")
    sizes = [draw.size(100, 3) for _ in range(500)]
    assert min(sizes) == 3
    assert max(sizes) <= 100
    assert {61, 65, 31, 64} <= set(sizes)


def test_what_costs_too_much_is_drawn_again() -> None:
    draw = Draw("costs")
    assert draw.fitting(lambda: draw.integer(0, 9), float, 3) <= 3
    assert draw.fitting(lambda: draw.integer(5, 9), float, 3) == 5


def test_a_graph_is_the_same_in_every_process() -> None:
    code = (
        "import hashlib, sys\n"
        "from tilewright.testing.fuzz.families import drawn_program\n"
        "for name in sys.argv[1:]:\n"
        "    program = drawn_program(name, 3)\n"
        "    whole = program.data + b''.join(x.tobytes() for x in program.feeds.values())\n"
        "    print(name, hashlib.sha256(whole).hexdigest())\n"
    )
    command = [sys.executable, "-c", code, *GRAPHS]
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    for line in done.stdout.splitlines():
        name, digest = line.split()
        model = drawn_program(name, 3)
        assert isinstance(model, OnnxProgram)
        whole = model.data + b"".join(x.tobytes() for x in model.feeds.values())
        assert hashlib.sha256(whole).hexdigest() == digest, name


def test_other_seeds_make_other_programs() -> None:
    for family in ("conv2d", "dag", "te.matmul"):
        assert drawn_program(family, 0) != drawn_program(family, 1)


def test_a_type_that_an_operator_does_not_have_is_drawn_again():
    """Draw again: the first draw of this seed is an Einsum of bf16."""
    program = drawn_program("typed", 4001)
    assert isinstance(program, OnnxProgram)
    onnx.checker.check_model(program.data, full_check=True)


FAMILIES = (*GRAPHS, "te.softmax", "schedule.matmul", "buffers.diamond")


# A sample: `tw fuzz --count 20000` is the sweep.
@pytest.mark.slow
@pytest.mark.parametrize(
    "family",
    [pytest.param(f, marks=[pytest.mark.nightly] * (n % 4 != 0)) for n, f in enumerate(FAMILIES)],
)
def test_the_first_program_of_a_family_plans_for_two_targets(family: str) -> None:
    targets = [TARGETS[name] for name in drawn_targets(f"{family}:0")]
    assert check_drawn(family, 0, "plan", targets) == PASS


@pytest.mark.slow
@pytest.mark.parametrize("family", ["matmul", "pool", "gather", "loop"])
def test_small_programs_run(family: str) -> None:
    assert check_drawn(family, 1, "run", ()) == PASS


@pytest.mark.skipif(shutil.which("qemu-aarch64") is None, reason="needs qemu-user")
def test_programs_for_another_instruction_set_run_in_its_emulator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert check_drawn("te.blur", 1, "run", ["aarch64"]) == PASS
    right = runs.emulated_outputs

    def with_two_threads_wrong(*arguments: Any, threads: int) -> dict[str, np.ndarray]:
        outputs = right(*arguments, threads=threads)
        return {name: x + (threads == 2) for name, x in outputs.items()}

    monkeypatch.setattr(runs, "emulated_outputs", with_two_threads_wrong)
    assert check_drawn("te.blur", 1, "run", ["aarch64"]).kind == "threads"


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=[pytest.mark.nightly] * (n >= 4)) for n in range(8)]
)
@pytest.mark.parametrize("family", PAIRS)
def test_quantized_graphs_give_the_bytes_of_integer_operators(family: str, seed: int) -> None:
    assert check_drawn(family, seed, "run", ()) == PASS


def test_a_byte_that_differs_from_onnxruntime_is_wrong(tmp_path: Path) -> None:
    program = drawn_program("pairs.rows", 0)
    assert isinstance(program, OnnxProgram)
    loaded = load_program(program.save(tmp_path / "rows"))
    assert isinstance(loaded, OnnxProgram)
    assert loaded.integers == program.integers
    (name,) = [v.name for v in onnx.load_from_string(program.integers).graph.input]
    other = OnnxProgram(program.data, {name: program.feeds[name] ^ 64}, program.integers)
    results = onnxruntime_call(other.integers, other.feeds)
    assert results is not None
    assert "bytes differ" in integer_difference(program.integers, program.feeds, results())


@pytest.mark.slow
def test_rounding_that_numpy_has_too_is_no_error() -> None:
    """Normalize rows of 33 equal values: only sums in double precision give exactly 0."""
    assert check_drawn("dag", 1148, "run", ()) == PASS


@pytest.mark.slow
def test_a_computed_size_of_1_may_broadcast_where_the_module_takes_it_as_equal() -> None:
    """Multiply 72 elements in 9 groups of 8 by 9 matrices; 8 elements are one group."""
    assert check_drawn("grouped_products", 650, "sizes", ()) == PASS


def test_two_targets_are_drawn_for_each_program() -> None:
    drawn = {drawn_targets(f"matmul:{seed}") for seed in range(200)}
    assert {name for pair in drawn for name in pair} == set(TARGETS)
    assert all(len(set(pair)) == 2 for pair in drawn)


def refused(_: object) -> ModuleOp:
    raise ScheduleError("unroll factor 5 does not divide @kernel_7", where="sched.unroll")


def test_failures_of_one_cause_have_one_signature() -> None:
    outcome = check_plans(refused, [TARGET])
    assert outcome.kind == "plan-error"
    assert "factor N does not divide @… [test_fuzz.py:refused]" in outcome.signature
    assert outcome.target == TARGET


def test_a_warning_of_the_plan_is_a_failure_and_a_clean_refusal_is_none() -> None:
    def warns(_: object) -> ModuleOp:
        warnings.warn("planned in a simple way", UserWarning, stacklevel=2)
        return ModuleOp([])

    def unsupported(_: object) -> ModuleOp:
        raise UnsupportedOp("not supported")

    assert check_plans(warns, [TARGET]).kind == "plan-error"
    assert check_plans(unsupported, [TARGET]).kind == "unsupported"
    assert not CheckOutcome("unsupported").is_failure


def test_results_must_not_depend_on_the_number_of_threads() -> None:
    assert check_run(lambda threads: [np.array(threads)], lambda _: "").kind == "threads"
    assert check_run(lambda _: [np.array(1)], lambda _: "result 0 changed").kind == "wrong"
    assert check_run(lambda _: [np.array(1)], lambda _: "") == PASS


# ---- in a worker


def crash(*_: object) -> None:
    ctypes.string_at(0)


def sleep(*_: object) -> None:
    time.sleep(60)


def eat(*_: object) -> CheckOutcome:
    try:
        return CheckOutcome("pass", str(len(bytearray(1 << 40))))
    except MemoryError:
        return CheckOutcome("memory")


@pytest.mark.parametrize(("check", "outcome"), [("crash", "crash"), ("sleep", "timeout")])
def test_a_worker_that_ends_is_an_outcome(
    check: str, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_CHECK", f"{__file__}:{check}")
    (record,) = run_cases(
        [FuzzCase("matmul", 0, "plan")], timeout_s=60 if check == "crash" else 0.5
    )
    assert record.outcome == outcome
    assert record.is_failure


def test_memory_of_a_worker_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_CHECK", f"{__file__}:eat")
    (record,) = run_cases([FuzzCase("matmul", 0, "plan")], memory_bytes=8 << 30)
    assert record.outcome == "memory"


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    log, done = tmp_path / "log.jsonl", []
    wanted = list(cases(["te.pairs", "te.wide"], 5, 3, "plan", ["neon"]))
    assert [case.name for case in wanted] == ["te.wide:5", "te.pairs:6", "te.wide:7"]
    first = run_cases(wanted[:2], log=log)
    log.write_text(log.read_text() + '{"case": "te.wide:7", "cut off')
    again = run_cases(wanted, log=log, progress=done.append)
    assert again[:2] == first
    assert len(read_log(log)) == 3
    assert [record.case for record in done] == [case.name for case in wanted]


# ---- from the command line


def test_a_failing_program_is_kept_with_the_command_that_replays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "_CHECK", f"{__file__}:crash")
    arguments = ["--family", "conv1d", "--seed", "7", "--count", "1", "--mode", "run"]
    assert main(["fuzz", *arguments, "--out", str(tmp_path)]) == 1
    assert "1 x crash: worker died" in capsys.readouterr().out
    kept = json.loads((tmp_path / "failures" / "conv1d-7.json").read_text())
    assert kept["command"] == f"tw fuzz {' '.join(arguments)}"
    drawn, loaded = drawn_program("conv1d", 7), load_program(Path(kept["program"]))
    assert isinstance(drawn, OnnxProgram)
    assert isinstance(loaded, OnnxProgram)
    assert loaded.data == drawn.data
    for name, array in drawn.feeds.items():
        np.testing.assert_array_equal(loaded.feeds[name], array)


def test_the_table_counts_outcomes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["fuzz", "--family", "te.wide", "--count", "2", "--target", "sse2"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    rows = capsys.readouterr().out
    assert "random programs" in rows
    assert "te.wide" in rows
    assert main([*arguments, "--out", str(tmp_path), "--resume"]) == 0
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 2


# The first program is one whose gradient was wrong: a window of one position, and a size of 1.
@pytest.mark.parametrize(
    ("family", "seed"), [("conv_transpose", 73), ("branch", 39), ("te.scan", 6)]
)
def test_gradients_of_random_programs_equal_differences(family: str, seed: int) -> None:
    assert check_drawn(family, seed, "gradient", ()) == PASS


WRONG = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = graph.custom_gradient %x {
  ^bb0(%a: tensor<3xf64>):
    %s = graph.sin %a : tensor<3xf64>
    graph.yield %s : tensor<3xf64>
  } backward {
  ^bb0(%a: tensor<3xf64>, %b: tensor<3xf64>, %g: tensor<3xf64>):
    graph.yield %g : tensor<3xf64>
  } : tensor<3xf64> -> tensor<3xf64>
  func.return %y : tensor<3xf64>
}"""

CORNER = """func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %c = graph.lt %x, %y : tensor<3xf64>
  %d = graph.add %x, %x : tensor<3xf64>
  %s = graph.add %x, %y : tensor<3xf64>
  %a = graph.select %c, %d, %s : tensor<3xi1>, tensor<3xf64>
  func.return %a : tensor<3xf64>
}"""


def test_a_wrong_gradient_is_found_and_a_corner_is_not_one() -> None:
    x = np.array([0.5, 1.0, 2.0])
    assert check_gradients(parsed(WRONG), [x]).kind == "wrong"
    assert check_gradients(parsed(CORNER), [x, x]).kind == "unsupported"
    assert check_gradients(parsed(CORNER), [x, x + 1]) == PASS
