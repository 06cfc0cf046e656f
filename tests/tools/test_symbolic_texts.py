"""Programs of symbolic sizes: the texts of levels parse, print equal, and lower to one code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import te
from tilewright.tools.opt.main import main

n: Any = te.var("n")
m: Any = te.var("m")


def _mean() -> Any:
    A, k = te.placeholder((n, m), name="A"), te.reduce_axis((0, n), name="k")
    B = te.compute((m,), lambda j: te.sum(A[k, j], axis=k) / n, name="mean")
    C = te.compute((m, n), lambda j, i: A[n - 1 - i, j] - B[j], name="turned")
    return tilewright.build([A, B, C])


def _gathered() -> Any:
    A, rows = te.placeholder((n, 3), name="A"), te.placeholder((m,), "int32", name="rows")
    B = te.compute((m, 3), lambda i, j: A[rows[i], j] + A[0, j], name="B")
    return tilewright.build([A, rows, B])


def _empty() -> Any:
    A, k = te.placeholder((0, 4), name="A"), te.reduce_axis((0, 0), name="k")
    B = te.compute((0, 4), lambda i, j: A[i, j] * 2, name="B")
    C = te.compute((4,), lambda j: te.max(A[k, j], axis=k), name="C")
    return tilewright.build([A, B, C])


def _divided() -> Any:
    A = te.placeholder((n, m), name="A")
    B = te.compute((n // m + n % m,), lambda i: te.if_then_else(i < n, A[i, 0], 0.0), name="B")
    return tilewright.build([A, B])


def _attention() -> Any:
    tensors = {"q": ["b", "s", 16], "k": ["b", 16, "t"], "v": ["b", "t", 16]}
    nodes = [
        helper.make_node("MatMul", ["q", "k"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["weights"]),
        helper.make_node("MatMul", ["weights", "v"], ["y"]),
    ]
    inputs = [helper.make_tensor_value_info(t, TensorProto.FLOAT, s) for t, s in tensors.items()]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["b", "s", 16])
    graph = helper.make_graph(nodes, "attention", inputs, [output])
    return tilewright.compile(helper.make_model(graph))


LEVELS = ("te", "sched", "scheduled", "loop")

PROGRAMS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "mean": (_mean, ("sched",)),
    "gathered": (_gathered, LEVELS),
    "empty": (_empty, LEVELS),
    "divided": (_divided, LEVELS),
    "attention": (_attention, ("graph",)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_texts_of_symbolic_programs_mean_the_program(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build, levels = PROGRAMS[name]
    mod = build()
    code = mod.get_source("packed").strip()
    for level in levels:
        text = mod.get_source(level)
        path = tmp_path / f"{level}.mlir"
        path.write_text(text)
        assert main([str(path)]) in (0, None)
        assert capsys.readouterr().out.strip() == text.strip()
        assert main([str(path), "--to", "packed"]) in (0, None)
        assert capsys.readouterr().out.strip() == code
