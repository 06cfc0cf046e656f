"""From LLVM IR text to objects: passes, reproducibility, targets, errors."""

from __future__ import annotations

import pytest

from tilewright.codegen.llvm import CodegenError, Machine, assembly_of, compile_ir, version

X86 = Machine("x86_64-unknown-linux-gnu")

STACK = """
define i32 @f(i32 %a) {
  %p = alloca i32
  store i32 %a, ptr %p
  %x = load i32, ptr %p
  %y = add i32 %x, 0
  ret i32 %y
}
"""


def test_sroa_alone_promotes_the_stack_and_changes_nothing_else():
    text = assembly_of(STACK, X86, opt_level=0)
    assert "(%rsp)" not in text
    assert "addl\t$0, %eax" in text


def test_a_pipeline_or_no_pass_can_be_asked_for():
    assert "addl" not in assembly_of(STACK, X86, passes=("O2",), opt_level=0)
    assert "(%rsp)" in assembly_of(STACK, X86, passes=(), opt_level=0)
    with pytest.raises(CodegenError, match="unknown LLVM pass 'loopy'"):
        compile_ir(STACK, X86, passes=("loopy",))


def test_objects_are_elf_and_reproducible():
    first, second = compile_ir(STACK, X86), compile_ir(STACK, X86)
    assert first == second
    assert first[:4] == b"\x7fELF"


@pytest.mark.parametrize(
    ("machine", "word"),
    [
        (X86, "movl"),
        (Machine("x86_64-unknown-linux-gnu", "znver3", "+avx2"), "movl"),
        (Machine("aarch64-unknown-linux-gnu"), "ret"),
        (Machine("wasm32-unknown-unknown"), "local.get"),
    ],
    ids=lambda value: getattr(value, "triple", ""),
)
def test_assembly_is_made_for_any_target(machine, word):
    assert word in assembly_of(STACK, machine)


def test_features_reach_the_code_generator():
    text = """
    define <8 x float> @f(<8 x float> %a, <8 x float> %b) {
      %c = fadd <8 x float> %a, %b
      ret <8 x float> %c
    }
    """
    assert "%ymm0" not in assembly_of(text, X86)
    assert "%ymm0" in assembly_of(text, Machine(X86.triple, "", "+avx2"))


def test_a_syntax_error_shows_its_line():
    with pytest.raises(CodegenError) as caught:
        compile_ir("define i32 @f(i32 %a) {\n  %x = add i64 %a, 1\n  ret i32 %x\n}", X86)
    text = str(caught.value)
    assert "invalid at line 2 (a bug in Tilewright)" in text
    assert "> 2:   %x = add i64 %a, 1" in text
    assert "expected 'i64'" in text


def test_a_verifier_error_shows_its_line():
    text = """define i32 @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  %y = mul  i32 %x, 2   ; twice
  ret i32 %y
}"""
    with pytest.raises(CodegenError, match="dominate") as caught:
        compile_ir(text, X86)
    assert "invalid at line 7" in str(caught.value)


def test_an_unknown_triple_is_refused():
    with pytest.raises(CodegenError, match="no back end for vax"):
        compile_ir(STACK, Machine("vax-dec-ultrix"))


def test_the_version_names_llvm():
    assert version().startswith("llvmlite 0.")
    assert " llvm " in version()
