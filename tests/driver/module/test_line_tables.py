"""Line tables: machine code without changes, whose lines are those of the printed program."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from shutil import which

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.codegen.elf import read_object
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.driver.compilation import variant_of
from tilewright.driver.report.texts import code_of
from tilewright.driver.request import request_for
from tilewright.driver.source import ModelSource
from tilewright.runtime import load_module
from tilewright.runtime.file.elf_reader import BUILD_ID_BYTES, Image
from tilewright.targets.backend import LineFile, Variant
from tilewright.testing.models import conv_model, encoder_model, ffn_model
from tilewright.tools.cli import main

from ...replay.programs import SMALL
from ..export.exported import plain_names

LAYER = {"layers": 1, "hidden": 16, "heads": 2, "seq": 3, "ffn": 16}
LOC = re.compile(r"^\t\.loc\t1 (\d+)", re.MULTILINE)


def needs(tool: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(which(tool) is None, reason=f"needs {tool}")


def output_of(*command: str | Path, cwd: Path | None = None) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=cwd).stdout


def ranges(text: str) -> list[tuple[str, range]]:
    """Return the name and the lines of each function of a printed program."""
    rows = text.splitlines()
    starts = [(n, row) for n, row in enumerate(rows, 1) if row.startswith("  func.func @")]
    ends = [n for n, row in enumerate(rows, 1) if row == "  }"]
    return [
        (re.sub(r"\W.*", "", row.partition("@")[2]), range(n, min(e for e in ends if e > n)))
        for n, row in starts
    ]


def code_sections(object_: bytes) -> list[bytes]:
    """Return the sections of an object that a process loads."""
    file = read_object(object_, "object")
    return [bytes(s.body or b"") for s in file.sections if s.flags & 2]


@pytest.mark.parametrize("name", ["ffn_5", "encoder_2x7", "conv_3x3", "max_pool", "cast_half"])
def test_line_tables_do_not_change_the_machine_code(name: str) -> None:
    request = request_for(ModelSource(SMALL[name]()), target="llvm -mcpu=skylake-avx512")
    machine = Machine.of(request.settings.target)
    lined = request.with_settings(variant=Variant(lines=LineFile("m.mlir")))
    for plain, located in zip(code_of(request), code_of(lined), strict=True):
        if plain.kernel or plain.label.startswith("the calls of the kernels"):
            assert "!dbg" in located.source
            first, second = (compile_ir(t.source, machine) for t in (plain, located))
            assert code_sections(first) == code_sections(second)
        else:
            assert plain.source == located.source


@pytest.mark.parametrize("specialize", [None, {"rows": [4]}], ids=["one", "versions"])
def test_lines_of_assembly_are_lines_of_the_printed_program(
    specialize: Mapping[str, list[int]] | None,
) -> None:
    model = ffn_model(m="rows", k=8, n=16)
    module = tilewright.compile(model, specialize=specialize, cache=False)
    text = module.get_source("packed")
    functions = [lines for _, lines in ranges(text)]
    texts = re.split(r"^# (?=kernel |the )", module.get_source("asm"), flags=re.MULTILINE)
    parts = [part for part in texts if part.startswith("kernel ")]
    own = [{int(line) for line in LOC.findall(part)} - {0} for part in parts]
    assert len(own) == len(module.kernels)
    for lines in own:
        assert any(lines and lines <= {*function} for function in functions)
    assert '.file\t1 "packed.mlir"' in module.get_source("asm")


def test_main_has_the_lines_of_its_ops() -> None:
    module = tilewright.compile(encoder_model(**LAYER), cache=False)
    rows = module.get_source("packed").splitlines()
    texts = re.split(r"^# (?=kernel |the )", module.get_source("asm"), flags=re.MULTILINE)
    (part,) = (text for text in texts if text.startswith("the calls of the kernels"))
    (own,) = (lines for name, lines in ranges("\n".join(rows)) if name == "main")
    found = {int(line) for line in LOC.findall(part)} - {0}
    assert found <= {*own}
    called = {number for number in own if "packed.call" in rows[number - 1]}
    assert called
    assert called <= found


def test_an_instruction_belongs_to_its_op() -> None:
    module = tilewright.compile(encoder_model(**LAYER), cache=False)
    rows = module.get_source("packed").splitlines()
    asm, line, found = module.get_source("asm"), 0, set[str]()
    for row in asm.splitlines():
        if match := LOC.match(row):
            line = int(match[1])
        if "vfmadd" in row and line:
            found.add(rows[line - 1].split("=")[-1].split()[0])
    assert "math.fma" in found
    assert found <= {"math.fma", "math.exp", "math.erf", "math.tanh", "loop.polynomial"}


def test_the_file_of_an_export_has_the_lines_and_the_nodes(tmp_path: Path) -> None:
    module = tilewright.compile(encoder_model(**LAYER))
    files = module.export_library(tmp_path / "enc.so", debug_info=True)
    names = plain_names(file.name for file in files)
    assert names == ["enc.so", "enc.mlir", "enc.so.*.safetensors"]
    shown = (tmp_path / "enc.mlir").read_text().splitlines()
    plain = module.get_source("packed").splitlines()
    assert [row.partition("  // ")[0] for row in shown] == plain
    (softmax,) = {row.partition("  // ")[2] for row in shown if row.endswith("/Softmax")}
    assert softmax == "layer.0/attention/Softmax"
    x = np.random.default_rng(0).standard_normal((1, 3, 16), np.float32)
    loaded = load_module(tmp_path / "enc.so", verify=True)
    assert np.array_equal(loaded(x), module(x))


def test_a_process_loads_the_same_code_and_constants(tmp_path: Path) -> None:
    module = tilewright.compile(conv_model(channels=3, filters=4, size=6))
    module.export_library(tmp_path / "m.so")
    plain = Image((tmp_path / "m.so").read_bytes())
    module.export_library(tmp_path / "m.so", debug_info=True)
    lined = Image((tmp_path / "m.so").read_bytes())
    assert b".debug_line" in bytes(lined.data)
    assert len(lined.data) - len(plain.data) < 0.1 * len(plain.data)
    at = plain.build_id_at

    def without_digests(image: Image) -> bytes:
        code = re.sub(rb'"rest_sha256": "\w+"', b"", image.code()[at + BUILD_ID_BYTES :])
        return image.code()[:at] + code

    assert without_digests(plain) == without_digests(lined)


@needs("objdump")
@pytest.mark.parametrize("suffix", [".so", ".o", ".a", ""])
def test_objdump_shows_the_line_of_each_instruction(tmp_path: Path, suffix: str) -> None:
    module = tilewright.compile(encoder_model(**LAYER))
    module.export_library(tmp_path / f"m{suffix}", debug_info=True)
    shown = output_of("objdump", "-dlr", tmp_path / f"m{suffix}")
    text = module.get_source("packed")
    lines = {int(line) for line in re.findall(r"^m\.mlir:(\d+)", shown, re.MULTILINE)}
    functions = dict(ranges(text))
    kernels = [functions[kernel.name] for kernel in module.kernels]
    known = [*kernels, functions["main"]]
    assert lines <= {line for function in known for line in function}
    for function in known:
        assert len(lines & {*function}) > 1


@needs("gdb")
def test_a_debugger_finds_the_line_of_a_kernel(tmp_path: Path) -> None:
    tilewright.compile(encoder_model(**LAYER)).export_library(tmp_path / "m.so", debug_info=True)
    rows = (tmp_path / "m.mlir").read_text().splitlines()
    line = next(n for n, row in enumerate(rows, 1) if "math.fma" in row)
    shown = output_of(
        "gdb", "--batch", "-nx", "-ex", f"info line m.mlir:{line}", "-ex", f"list {line},{line}",
        "m.so", cwd=tmp_path,
    )  # fmt: skip
    assert "starts at address" in shown
    assert "tw.k.0:layer.0/attention/q/MatMul" in shown
    assert rows[line - 1].strip() in shown


@needs("readelf")
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_line_tables_have_the_addresses_of_the_code(tmp_path: Path, machine: str) -> None:
    target = {"x86_64": "native", "aarch64": "llvm -mcpu=neoverse-n1"}[machine]
    request = request_for(ModelSource(encoder_model(**LAYER)), target=target, cache=False)
    made = variant_of(request, Variant(lines=LineFile("m.mlir")))
    (tmp_path / "m.so").write_bytes(bytes(made.code))
    rows = output_of("readelf", "--wide", "--debug-dump=info", "--syms", tmp_path / "m.so")
    symbols = {m[1] for m in re.finditer(r"^ +\d+: 0*(\w+) .* tw\.k\.\d+:", rows, re.MULTILINE)}
    mains = {m[1] for m in re.finditer(r"^ +\d+: 0*(\w+) .* tw_run$", rows, re.MULTILINE)}
    units = re.findall(r"DW_AT_low_pc +: \(addr\) 0x(\w+)", rows)
    assert len(symbols) == len(made.kernels)
    assert len(mains) == 1
    assert {*units} == symbols | mains


@pytest.mark.parametrize("stem", ['quo"te', "ä €", "a\\b"])
def test_any_file_name_is_possible(tmp_path: Path, stem: str) -> None:
    module = tilewright.compile(ffn_model(m=2, k=4, n=4))
    path = tmp_path / f"{stem}.so"
    module.export_library(path, debug_info=True)
    assert f"{stem}.mlir\0".encode() in path.read_bytes()
    load_module(path)


def test_replaced_parameters_stay_in_an_export_with_line_tables(tmp_path: Path) -> None:
    module = tilewright.compile(ffn_model(m=2, k=4, n=4))
    module.load_params({name: 2 * a.numpy() for name, a in module.get_params().items()})
    module.export_library(tmp_path / "m.so", debug_info=True)
    x = np.ones((2, 4), np.float32)
    assert np.array_equal(load_module(tmp_path / "m.so")(x), module(x))


def test_values_of_an_export_may_have_line_tables(tmp_path: Path) -> None:
    info = helper.make_tensor_value_info
    inputs = [info("x", onnx.TensorProto.FLOAT, [4, 6]), info("to", onnx.TensorProto.INT64, [2])]
    nodes = [
        helper.make_node("Reshape", ["x", "to"], ["r"]),
        helper.make_node("Softmax", ["r"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "g", inputs, [info("y", onnx.TensorProto.FLOAT, None)])
    module = tilewright.compile(helper.make_model(graph, ir_version=9))
    files = module.export_library(tmp_path / "m.so", values=[{"to": [3, 8]}], debug_info=True)
    assert "m.mlir" in [file.name for file in files]
    with pytest.raises(tilewright.ArgumentError, match="got: 2 bindings"):
        module.export_library(
            tmp_path / "m.so", values=[{"to": [3, 8]}, {"to": [8, 3]}], debug_info=True
        )


def test_an_archive_refuses_line_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = ffn_model(m=2, k=4, n=4)
    with pytest.raises(tilewright.ArgumentError, match="archives and files of several"):
        tilewright.compile(model).export_library(tmp_path / "m.tar", debug_info=True)
    onnx.save(model, tmp_path / "m.onnx")
    command = ["compile", str(tmp_path / "m.onnx"), "--debug-info", "-o"]
    assert main([*command, str(tmp_path / "m.tar")]) == 1
    assert main([*command, str(tmp_path / "m.ll")]) == 2
    assert "only a library holds line tables" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "m.so")]) == 0
    assert (tmp_path / "m.mlir").exists()
