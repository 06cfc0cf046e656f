"""The emulator: code that it runs, and its errors for illegal code."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.emulator import Emulator

ARM, X86 = (Machine(f"{name}-unknown-linux-gnu") for name in ("aarch64", "x86_64"))

# Calls, a table of pointers that the loader fills in, and zero-initialized memory.
SUMS = """
@zeroed = global i64 0
@table = constant [1 x ptr] [ptr @zeroed]
define internal i64 @kept(i64 %x) noinline {
  %at = load volatile ptr, ptr @table
  %sum = load i64, ptr %at
  %new = add i64 %sum, %x
  store i64 %new, ptr %at
  ret i64 %new
}
define void @sums(ptr %args, i64 %task, i64 %worker) {
  %x = load ptr, ptr %args
  %next = getelementptr ptr, ptr %args, i64 1
  %y = load ptr, ptr %next
  %a = getelementptr i64, ptr %x, i64 %task
  %v = load i64, ptr %a
  %s = call i64 @kept(i64 %v)
  %b = getelementptr i64, ptr %y, i64 %task
  store i64 %s, ptr %b
  ret void
}
define void @forever(ptr %args, i64 %task, i64 %worker) {
  br label %again
again:
  br label %again
}
"""


@pytest.fixture
def sums() -> Emulator:
    return Emulator(link([compile_ir(SUMS, ARM)], exports=["sums", "forever"]))


def test_tasks_run_in_order_on_the_memory_of_this_process(sums: Emulator) -> None:
    x, y = np.arange(5) + 10, np.zeros(5, np.int64)
    sums.call("sums", [x, y], tasks=5)
    np.testing.assert_array_equal(y, np.cumsum(x))
    sums.call("sums", [x, y])
    assert y[0] == x.sum() + x[0]


def test_memory_that_is_not_given_is_out_of_reach(sums: Emulator) -> None:
    x, y = np.zeros(4, np.int64), np.zeros(1 << 16, np.int64)
    with pytest.raises(TilewrightError, match=r"emulated code failed\n *got: .* at sums \+ 0x"):
        sums.call("sums", [x, y[:1]], tasks=4096)
    sums.call("sums", [x, y])


def test_code_that_does_not_end_is_stopped(sums: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.testing.emulator.TIMEOUT_S", 0.05)
    with pytest.raises(TilewrightError, match="it did not end at forever"):
        sums.call("forever", [])


def test_other_machines_and_libraries_are_refused() -> None:
    empty = "define void @f() { ret void }"
    with pytest.raises(TilewrightError, match="runs aarch64 code\n    expected: ELF machine 183"):
        Emulator(link([compile_ir(empty, X86)]))
    text = "declare void @g()\ndefine void @f() {\n call void @g()\n ret void\n}"
    with pytest.raises(TilewrightError, match="the emulator has no libraries"):
        Emulator(link([compile_ir(text, ARM)]))
