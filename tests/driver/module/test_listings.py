"""`get_source`: one LLVM module that LLVM parses, one assembly text that an assembler takes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import llvmlite.binding as llvm
import numpy as np
import pytest
from onnx import helper

import tilewright
from tilewright import te
from tilewright.codegen.linker import link
from tilewright.codegen.listing import ListedText, join_assembly
from tilewright.codegen.llvm import CodegenError, Machine, compile_ir, link_ir
from tilewright.runtime.abi.constants import MODULE_SYMBOLS
from tilewright.runtime.abi.library import Library
from tilewright.runtime.abi.packed import PackedFunc

from ...onnx_models import onnx_model
from ...runtime.models import MACHINE

needs_assembler = pytest.mark.skipif(which("as") is None, reason="needs the assembler `as`")


def matmul_exp(rows: object) -> tilewright.CompiledModule:
    """Return a module of two kernels."""
    x, y = te.placeholder((rows, 8), name="X"), te.placeholder((8, 8), name="Y")
    k = te.reduce_axis((0, 8), name="k")
    z = te.compute((rows, 8), lambda i, j: te.sum(x[i, k] * y[k, j], axis=k), name="Z")
    total = te.compute((rows,), lambda i: te.sum(te.exp(z[i, k]), axis=k), name="T")
    return tilewright.build([x, y, total], cache=False)


@pytest.fixture(scope="module")
def small() -> tilewright.CompiledModule:
    return matmul_exp(4)


@pytest.fixture(scope="module", params=["static", "symbolic"])
def module(request: pytest.FixtureRequest) -> tilewright.CompiledModule:
    return matmul_exp(4 if request.param == "static" else te.var("n"))


def parsed(text: str) -> llvm.ModuleRef:
    module = llvm.parse_assembly(text)
    module.verify()
    return module


def assembled(text: str, folder: Path) -> Path:
    (folder / "m.s").write_text(text)
    command = ["as", "-o", folder / "m.o", folder / "m.s"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[:2000]
    return folder / "m.o"


def test_llvm_parses_the_whole_program(module: tilewright.CompiledModule) -> None:
    text = module.get_source("ll")
    functions = {f.name for f in parsed(text).functions if not f.is_declaration}
    assert {"__tvm_ffi_main", "tw_run"} <= functions
    assert len([name for name in functions if name.startswith("tw.k.")]) == len(module.kernels)
    for kernel in module.kernels:
        assert re.search(rf"^; kernel '{re.escape(kernel.name)}'\ndefine ", text, re.MULTILINE)


def test_the_parsed_program_computes_the_same(small: tilewright.CompiledModule) -> None:
    code = link([compile_ir(small.get_source("ll"), MACHINE)], exports=MODULE_SYMBOLS)
    again = PackedFunc.of_library(Library(code), "__tvm_ffi_main", "main")
    x, y = (np.random.default_rng(0).random(s, np.float32) for s in ((4, 8), (8, 8)))
    out = np.empty(4, np.float32)
    again(x, y, out)
    np.testing.assert_allclose(out, np.exp(x @ y).sum(1), rtol=1e-5)


@needs_assembler
def test_an_assembler_takes_the_whole_program(
    module: tilewright.CompiledModule, tmp_path: Path
) -> None:
    made = assembled(module.get_source("asm"), tmp_path)
    shown = subprocess.run(["nm", made], capture_output=True, text=True, check=True).stdout
    names = re.findall(r" [TtDdBbRrVvWw] (\S+)", shown)
    assert {"__tvm_ffi_main", "__tw_manifest"} <= set(names)
    assert len([name for name in names if name.startswith("tw.k.")]) == len(module.kernels)


@needs_assembler
def test_the_assembled_program_computes_the_same(tmp_path: Path) -> None:
    module = matmul_exp(te.var("n"))
    made = assembled(module.get_source("asm"), tmp_path)
    code = link([made.read_bytes()], exports=MODULE_SYMBOLS)
    again = PackedFunc.of_library(Library(code), "__tvm_ffi_main", "main")
    x, y = (np.random.default_rng(0).random(s, np.float32) for s in ((4, 8), (8, 8)))
    out = np.empty(4, np.float32)
    again(x, y, out)
    np.testing.assert_allclose(out, np.exp(x @ y).sum(1), rtol=1e-5)


@pytest.mark.parametrize("kind", ["ll", "asm"])
def test_kernels_have_texts_of_their_own(
    small: tilewright.CompiledModule, kind: str, tmp_path: Path
) -> None:
    for kernel in small.kernels:
        text = small.get_source(kind, kernel=kernel.name)
        assert len(set(re.findall(r"\btw\.k\.\d+\b", text))) == 1
        if kind == "ll":
            parsed(text)
        elif which("as"):
            assembled(text, tmp_path)


@pytest.mark.parametrize("level", ["te", "sched", "loop", "packed"])
def test_kernels_have_a_text_at_each_level(small: tilewright.CompiledModule, level: str) -> None:
    first, second = (small.get_source(level, kernel=kernel.name) for kernel in small.kernels)
    for text, other in ((first, second), (second, first)):
        head = text.partition("\n")[0]
        assert head in small.get_source(level)
        assert head not in other


def test_versions_have_kernels_of_their_own() -> None:
    model = onnx_model([helper.make_node("Exp", ["x"], ["y"])], {"x": ["n"]})
    made = tilewright.compile(model, specialize={"n": [4]}, cache=False)
    assert isinstance(made, tilewright.CompiledModule)
    own = [kernel.name for kernel in made.kernels if kernel.name.endswith(" (n = 4)")]
    assert own
    assert all("memref<4xf32>" in made.get_source("loop", kernel=name) for name in own)
    parsed(made.get_source("ll"))


def test_an_unknown_kernel_is_refused_with_the_known_ones(
    small: tilewright.CompiledModule,
) -> None:
    known = ", ".join(kernel.name for kernel in small.kernels)
    for kind in ("ll", "loop"):
        with pytest.raises(LookupError, match=rf"no kernel 'Q'\n    expected: {known}"):
            small.get_source(kind, kernel="Q")


def test_two_definitions_of_a_name_do_not_link() -> None:
    with pytest.raises(CodegenError, match="texts do not link"):
        link_ir(["define void @f() { ret void }"] * 2, Machine("x86_64-unknown-linux-gnu"))


def test_local_labels_are_told_apart() -> None:
    one = '\t.file\t"a"\n.L0:\n\tjmp\t.L0\n\t.asciz\t"to .L0:"\nlocal:\n\t.globl\tf\nf:\n'
    two = one.replace("f:", "g:").replace("globl\tf", "globl\tg")
    assert join_assembly([ListedText("one", one), ListedText("two", two)]) == (
        '# one\n.L0:\n\tjmp\t.L0\n\t.asciz\t"to .L0:"\nlocal:\n\t.globl\tf\nf:\n\n'
        '# two\n.L0_1:\n\tjmp\t.L0_1\n\t.asciz\t"to .L0:"\nlocal_1:\n\t.globl\tg\ng:\n'
    )
