"""Reduction of failing programs: planted failures are found, and the reduced program is valid."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.testing.fuzz.program import load_program
from tilewright.testing.reduce import keeps
from tilewright.testing.reduce.models import narrower_models, smaller_models
from tilewright.testing.reduce.shrink import Candidate, chunks, shrink
from tilewright.testing.reduce.texts import op_count, smaller_texts
from tilewright.tools.cli import main


def deep_model() -> bytes:
    """Return a model of twenty nodes on two inputs, in two branches, one with an Erf inside."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [12, 40])
    nodes, name = [], "x"
    for n, op in enumerate(["Tanh", "Abs", "Neg", "Exp", "Erf", "Relu", "Sin", "Cos", "Neg"]):
        nodes.append(helper.make_node(op, [name], [f"a{n}"]))
        name = f"a{n}"
    nodes.append(helper.make_node("MatMul", [name, "w"], ["product"]))
    nodes.append(helper.make_node("Add", ["product", "b"], ["sum"]))
    nodes.append(helper.make_node("Softmax", ["x"], ["other"]))
    weights = [np.ones((40, 7), np.float32), np.ones(7, np.float32)]
    initializers = [numpy_helper.from_array(w, n) for n, w in zip("wb", weights, strict=True)]
    outputs = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, s)
        for n, s in (("sum", [12, 7]), ("other", [12, 40]))
    ]
    graph = helper.make_graph(nodes, "deep", [x], outputs, initializers)
    opset = helper.make_opsetid("", 20)
    return helper.make_model(graph, opset_imports=[opset], ir_version=9).SerializeToString()


def has_erf(data: bytes) -> bool:
    model = onnx.load_from_string(data)
    onnx.checker.check_model(model, full_check=True)
    return any(node.op_type == "Erf" for node in model.graph.node)


def test_chunks_get_smaller_and_cover_everything() -> None:
    assert [list(c) for c in chunks(3)] == [[0, 1, 2], [2], [1], [0]]
    assert list(chunks(0)) == []


def test_shrink_is_greedy_and_stops() -> None:
    def shorter(text: str) -> list[Candidate[str]]:
        return [lambda i=i: text[:i] + text[i + 1 :] for i in range(len(text))]

    tried: list[str] = []

    def has_two(text: str) -> bool:
        tried.append(text)
        return "2" in text

    assert shrink("a1b22c", (shorter,), has_two) == "2"
    assert tried == ["1b22c", "b22c", "22c", "2c", "c", "2", ""]


def test_a_model_shrinks_to_the_node_that_matters() -> None:
    small = onnx.load_from_string(shrink(deep_model(), (smaller_models, narrower_models), has_erf))
    assert [node.op_type for node in small.graph.node] == ["Erf"]
    assert len(small.graph.input) == len(small.graph.output) == 1
    assert not small.graph.initializer
    sizes = small.graph.input[0].type.tensor_type.shape.dim
    assert [size.dim_value for size in sizes] == [1, 1]


TEXT = """
func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = graph.exp %x : tensor<4x8xf32>
  %b = graph.add %a, %y : tensor<4x8xf32>
  %c = graph.erf %b : tensor<4x8xf32>
  %d = graph.tanh %c : tensor<4x8xf32>
  func.return %d, %a : tensor<4x8xf32>, tensor<4x8xf32>
}
"""


def test_a_text_shrinks_to_the_op_that_matters() -> None:
    small = shrink(TEXT, (smaller_texts,), lambda text: "graph.erf" in text)
    assert op_count(small) == 3
    assert "graph.erf %" in small


def test_a_te_program_loses_whole_kernels() -> None:
    text = str(load_text("te.diamond"))
    small = shrink(text, (smaller_texts,), lambda each: "te.compute" in each)
    assert op_count(small) < op_count(text)


def load_text(family: str) -> str:
    from tilewright.testing.fuzz.families import drawn_program
    from tilewright.testing.fuzz.program import IrProgram

    program = drawn_program(family, 0)
    assert isinstance(program, IrProgram)
    return program.text


# ---- from the command line


def test_a_command_says_what_to_keep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.onnx"
    file.write_bytes(deep_model())
    grep = (
        f"{sys.executable} -c \"import sys; b'Erf' in open(sys.argv[1], 'rb').read() or exit(1)\""
    )
    assert main(["reduce", str(file), "--keeps", grep]) == 0
    assert "m.reduced.onnx: 12 nodes to 1" in capsys.readouterr().out
    assert main(["reduce", str(file), "--keeps", "false"]) == 1
    assert "does not have the property that --keeps names" in capsys.readouterr().err


def planted(path: str, mode: str, targets: object):
    """Fail like a planner with a bug in Erf; depending on the mode, end the process instead."""
    from tilewright.testing.fuzz.checks import PASS, CheckOutcome

    program = load_program(Path(path))
    if b"Erf" not in program.data:
        return PASS
    if mode == "run":
        import ctypes

        ctypes.string_at(0)
    return CheckOutcome("plan-error", "ScheduleError: no", "ScheduleError [erf]", "llvm")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("outcome", "mode"),
    [("plan-error", "plan"), pytest.param("crash", "run", marks=pytest.mark.nightly)],
)
def test_a_planted_failure_is_reduced_and_replayed(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    outcome: str,
    mode: str,
) -> None:
    monkeypatch.setattr(keeps, "_CHECK", f"{__file__}:planted")
    file, small = tmp_path / "m.onnx", tmp_path / "small.onnx"
    file.write_bytes(deep_model())
    arguments = ["--keeps", outcome, "--mode", mode, "-o", str(small)]
    assert main(["reduce", str(file), *arguments]) == 0
    shown = capsys.readouterr().out
    assert f"{small}: 12 nodes to 1" in shown
    assert f"replay: tw fuzz --program {small} --mode {mode}" in shown


def test_a_program_that_passes_is_not_reduced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(TEXT)
    assert main(["reduce", str(file), "--mode", "plan", "--target", "neon"]) == 1
    assert "does not fail" in capsys.readouterr().err
