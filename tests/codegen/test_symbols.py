"""Kernels keep the names of their nodes in symbol tables and listings, whatever the names are."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright import te
from tilewright.codegen.symbols import shown_symbols
from tilewright.runtime import load_module

HOSTILE = "printf", "a\nb: .byte 0", "tw_run", "x@@GLIBC_2.2.5", "ä €", "q" * 500, 'quo"te\\'


def model(names: tuple[str, str]) -> onnx.ModelProto:
    """Return a product and a sine of its result, which become one kernel."""
    info = [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [8, 8]) for n in "xwy"]
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], names[0]),
        helper.make_node("Relu", ["p"], ["y"], names[1]),
    ]
    graph = helper.make_graph(nodes, "g", info[:2], info[2:])
    return helper.make_model(graph, ir_version=9)


def symbols(path: Path) -> list[str]:
    """Return the names of the local functions of a file."""
    shown = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    rows = (line.split(" ", 2) for line in shown.splitlines())
    return [name for _, kind, name in rows if kind == "t"]


@pytest.mark.skipif(which("nm") is None, reason="needs nm")
@pytest.mark.parametrize("suffix", [".so", ".o", ""])
def test_tools_see_the_nodes_of_each_kernel(tmp_path: Path, suffix: str) -> None:
    module = tilewright.compile(model(("encoder/MatMul_3", "encoder/Relu")))
    module.export_library(tmp_path / f"m{suffix}")
    assert "tw.k.0:encoder/MatMul_3+encoder/Relu" in symbols(tmp_path / f"m{suffix}")
    (kernel,) = module.kernels
    assert kernel.nodes == ("encoder/MatMul_3", "encoder/Relu")


@pytest.mark.skipif(which("gdb") is None, reason="needs gdb")
def test_a_debugger_finds_a_kernel_by_its_nodes(tmp_path: Path) -> None:
    tilewright.compile(model(("dense", "relu"))).export_library(tmp_path / "m.so")
    command = ["gdb", "--batch", "-nx", "-ex", "info functions dense", str(tmp_path / "m.so")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "tw.k.0:dense+relu" in done.stdout


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_of_a_node_changes_what_the_code_does(tmp_path: Path, name: str) -> None:
    module = tilewright.compile(model((name, f"{name}2")))
    module.export_library(tmp_path / "m.so")
    x = np.random.default_rng(0).standard_normal((8, 8), np.float32)
    for each in (module, load_module(tmp_path / "m.so")):
        np.testing.assert_allclose(each(x, x).numpy(), np.maximum(x @ x, 0), 1e-5, 1e-5)
    (shown,) = (line for line in module.get_source("asm").splitlines() if "# kernel" in line)
    assert shown.startswith("# kernel 'matmul': ")
    assert all(line.isprintable() for line in (shown, *shown_symbols([("k", (name,))]).values()))


@pytest.mark.skipif(which("as") is None, reason="needs the assembler `as`")
def test_a_listing_with_any_names_assembles(tmp_path: Path) -> None:
    module = tilewright.compile(model((HOSTILE[1], HOSTILE[6])))
    (tmp_path / "m.s").write_text(module.get_source("asm"))
    subprocess.run(["as", "-o", tmp_path / "m.o", tmp_path / "m.s"], check=True)


def test_a_kernel_without_nodes_is_shown_with_its_name() -> None:
    x = te.placeholder((8,), name="x")
    module = tilewright.build([x, te.compute((8,), lambda i: x[i] + 1, name="Y")])
    (kernel,) = module.kernels
    assert kernel.nodes == ()
    assert f"tw.k.0:{kernel.name}".encode() in module.code
