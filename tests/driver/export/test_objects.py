"""Exported objects and archives: C and C++ programs that are linked with them."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.codegen.elf import SymbolBinding, read_object
from tilewright.codegen.relocatable import combine
from tilewright.testing.models import ffn_model

from ..host_programs.hosts import HOSTS
from .exported import plain_names, weights_of
from .test_export import X, c_compiler, run_host

STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic")


@pytest.fixture(scope="module")
def first() -> tilewright.CompiledModule:
    made = tilewright.compile(ffn_model(m="rows", k=8, n=8), threads=1)
    assert isinstance(made, tilewright.CompiledModule)
    return made


@pytest.fixture(scope="module")
def second() -> tilewright.CompiledModule:
    made = tilewright.compile(ffn_model(m=4, k=8, n=8, seed=1), threads=1)
    assert isinstance(made, tilewright.CompiledModule)
    return made


def link_program(folder, language: str, *files: str) -> None:
    options = {
        "c99": [*c_compiler(), "-std=c99"],
        "static": [*c_compiler(), "-std=c99", "-static"],
        "c++": [*c_compiler(), "-x", "c++"],
    }[language]
    source = [str(HOSTS / "header.c"), *(["-x", "none"] if language == "c++" else [])]
    command = [*options, *STRICT, f"-I{folder}", "-o", "app", *source, *files]
    subprocess.run(command, check=True, cwd=folder)


@pytest.mark.parametrize(
    ("language", "suffix", "embed"),
    [("c99", ".o", False), ("c99", ".a", True), ("c++", ".o", True), ("static", ".a", False)],
)
def test_a_program_is_linked_with_two_models(first, second, tmp_path, language, suffix, embed):
    if language == "static" and shutil.which("cc") is None:
        pytest.skip("needs the static C library of the system")
    files = first.export_library(tmp_path / f"a{suffix}", embed=embed)
    expected = [f"a{suffix}", "a.h", f"a{suffix}.*.safetensors"][: 3 - embed]
    assert plain_names(file.name for file in files) == expected
    second.export_library(tmp_path / f"b{suffix}", embed=embed)
    link_program(tmp_path, language, f"a{suffix}", f"b{suffix}")
    code, y, said = run_host([tmp_path / "app"], tmp_path, X)
    assert (code, said) == (0, "")
    np.testing.assert_array_equal(y, np.asarray(second(first(X))).ravel())


def test_a_program_without_its_weights_says_so(first, second, tmp_path):
    first.export_library(tmp_path / "a.o")
    second.export_library(tmp_path / "b.o")
    link_program(tmp_path, "c99", "a.o", "b.o")
    weights = weights_of(tmp_path / "b.o")
    weights.unlink()
    code, _, said = run_host([tmp_path / "app"], tmp_path, X)
    assert code == 3
    assert f"got: no such file, or no access: {weights}" in said


def test_tools_read_an_object(first, tmp_path):
    first.export_library(tmp_path / "a.o")
    if shutil.which("readelf") is None:
        pytest.skip("needs readelf")
    done = subprocess.run(
        ["readelf", "-hSsr", "-W", tmp_path / "a.o"], capture_output=True, text=True, check=True
    )
    assert "REL (Relocatable file)" in done.stdout
    assert done.stderr == ""


def test_only_the_names_of_the_header_are_visible(first, tmp_path):
    first.export_library(tmp_path / "my-model.1.o")
    text = (tmp_path / "my-model.1.h").read_text()
    found = read_object((tmp_path / "my-model.1.o").read_bytes(), "my-model.1.o")
    names = {s.name for s in found.symbols if s.defined and s.binding != SymbolBinding.LOCAL}
    assert {"my_model_1_main", "my_model_1_create"} < names
    assert all(name.startswith("my_model_1_") and name in text for name in names)


def test_a_header_survives_any_name(tmp_path):
    values = [onnx.helper.make_tensor_value_info(n, 1, [4]) for n in ("*/ int \n x", "y")]
    node = onnx.helper.make_node("Relu", ["*/ int \n x"], ["y"])
    graph = onnx.helper.make_graph([node], "*/ main", values[:1], values[1:])
    module = tilewright.compile(onnx.helper.make_model(graph))
    module.export_library(tmp_path / "7 days.o")
    (tmp_path / "app.c").write_text('#include "7 days.h"\nint main(void) { return 0; }\n')
    command = [*c_compiler(), "-std=c99", *STRICT, "-o", "app", "app.c", "7 days.o"]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert "_7_days_run" in (tmp_path / "7 days.h").read_text()


def test_combined_objects_are_combined_again(first, tmp_path):
    first.export_library(tmp_path / "a.o", embed=True)
    data = (tmp_path / "a.o").read_bytes()
    again = combine([data], exports={"a_run": "again"})
    symbols = read_object(again, "again").symbols
    assert [s.name for s in symbols if s.defined and s.binding != SymbolBinding.LOCAL] == ["again"]


def test_the_program_of_the_documentation_runs(tmp_path):
    page = HOSTS.parents[3] / "docs" / "deploy.md"
    (source,) = re.findall(r"^```c\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    (tmp_path / "app.c").write_text(source)
    module = tilewright.compile(ffn_model(m="rows", k=64, n=128))
    assert isinstance(module, tilewright.CompiledModule)
    module.export_library(tmp_path / "ffn.o")
    command = [*c_compiler(), *STRICT, "-o", "app", "app.c", "ffn.o"]
    subprocess.run(command, check=True, cwd=tmp_path)
    done = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True)
    y = np.asarray(module(np.zeros((16, 64), np.float32)))
    assert done.stdout == f"16 x 128: {y[0, 0]:g}\n"
