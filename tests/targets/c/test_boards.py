"""C source on emulated microcontrollers: results, memory, and the command tw run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import TargetError
from tilewright.machines.emulators import BOARDS
from tilewright.targets.c import export
from tilewright.testing import models
from tilewright.tools.boards import BoardRun, run_on_board
from tilewright.tools.cli import main

from ...lowering.test_main_in_c import CNN, IMAGE, parsed
from .test_source import QUANTIZED, quantized_cnn

on_boards = pytest.mark.skipif(
    which("qemu-system-arm") is None or find_spec("ziglang") is None,
    reason="needs qemu-system-arm and ziglang",
)


def on_board(model: onnx.ModelProto, image: np.ndarray, cpu: str, **options: str) -> BoardRun:
    made = tilewright.compile(model, target=f"c -mcpu={cpu}", cache=False, **options)
    return run_on_board(made, {"image": image}, cpu)


def stack_of(function: str, source: str, frames: Mapping[str, int]) -> int:
    """Return the largest stack of a function and of those that it calls.

    frames: the stack of each function that the compiler did not inline.
    """
    found = re.search(rf"\b{function}\([^;{{]*\)\n\{{\n(.*?)^\}}", source, re.MULTILINE | re.DOTALL)
    if found is None:
        return 0
    called = {*re.findall(r"\b([a-z]\w+)\(", found[1])} - {function}
    own = frames.get(function.replace("main_run", "model_run"), 0)
    return own + max((stack_of(each, source, frames) for each in called), default=0)


@on_boards
@pytest.mark.parametrize("cpu", BOARDS)
def test_strict_results_have_the_bits_of_this_machine(cpu: str) -> None:
    want = tilewright.compile(parsed(CNN), precision="strict", cache=False)(IMAGE)
    made = on_board(parsed(CNN), IMAGE, cpu, precision="strict")
    np.testing.assert_array_equal(made.outputs["scores"], np.asarray(want))


@on_boards
def test_a_transformer_runs_on_a_board() -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    inputs = dict(
        zip([each.name for each in model.graph.input], models.inputs_for(model), strict=True)
    )
    (want,) = tilewright.compile(model, cache=False).run([*inputs.values()])
    module = tilewright.compile(model, target="c -mcpu=cortex-m4", cache=False)
    (got,) = run_on_board(module, inputs, "cortex-m4").outputs.values()
    np.testing.assert_allclose(got, np.asarray(want), rtol=1e-4, atol=1e-5)


@on_boards
def test_memory_is_what_was_predicted() -> None:
    made = on_board(quantized_cnn(), QUANTIZED, "cortex-m4")
    want = tilewright.compile(quantized_cnn(), cache=False)(QUANTIZED)
    np.testing.assert_array_equal(made.outputs["scores"], np.asarray(want))
    module = tilewright.compile(quantized_cnn(), target="c -mcpu=cortex-m4", cache=False)
    header, source = module.get_source("h"), module.get_source("c")
    predicted = re.search(r"_ARENA_BYTES (\d+)", header)
    assert predicted is not None
    assert 0 <= made.arena_bytes - int(predicted[1]) < 4, "the board counts words"
    assert made.stack_bytes == stack_of("main_run", source, made.frames)
    assert 0 < made.instructions < 200_000
    assert made.code_bytes < 8192


@on_boards
def test_a_wrong_kernel_has_other_results(monkeypatch: pytest.MonkeyPatch) -> None:
    texts_of = export.texts_of

    def wrong(*arguments: object) -> tuple[str, str]:
        source, header = texts_of(*arguments)
        return source.replace("sum +=", "sum -=", 1), header

    monkeypatch.setattr(export, "texts_of", wrong)
    want = tilewright.compile(parsed(CNN), cache=False)(IMAGE)
    made = on_board(parsed(CNN), IMAGE, "cortex-m4")
    assert not np.allclose(made.outputs["scores"], np.asarray(want), atol=1e-3)


@on_boards
def test_the_command_runs_a_model_on_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    onnx.save(parsed(CNN), tmp_path / "cnn.onnx")
    assert main(["run", str(tmp_path / "cnn.onnx"), "--target", "cortex-m7"]) == 0
    shown = capsys.readouterr().out
    assert "ran in qemu-system-arm -M mps2-an500; instructions of the call: " in shown
    assert "4,640 bytes of intermediate results" in shown
    assert "equal to the outputs of this machine" in shown


def test_an_unknown_board_is_one_sentence() -> None:
    made = tilewright.compile(parsed(CNN), target="c", cache=False)
    with pytest.raises(TargetError, match=r"no board of the processor is emulated(?s:.*)cortex-m4"):
        run_on_board(made, {"image": IMAGE}, "cortex-a53")


def test_a_missing_emulator_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    made = tilewright.compile(parsed(CNN), target="c", cache=False)
    with pytest.raises(TargetError, match=r"not installed(?s:.*)apt-get install qemu-system-arm"):
        run_on_board(made, {"image": IMAGE}, "cortex-m4")
