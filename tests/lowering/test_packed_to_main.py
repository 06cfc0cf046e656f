"""Main with planned buffers, compiled together with its kernels, against numpy."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, f32
from xdsl.dialects.func import FuncOp

from tilewright.dialects.packed import AllocOp, ConstantOp
from tilewright.dialects.packed.arena import Life, assign_offsets
from tilewright.dialects.weights import WeightAttr
from tilewright.lowering.loop_to_llvm import emit_kernel, kernel_info, kernel_symbol
from tilewright.lowering.main.llvm_printer import LlvmPrinter
from tilewright.lowering.main.main_program import MainProgram, emit_main
from tilewright.machines.platforms import platform_of
from tilewright.passes.loop.workspace import Workspace
from tilewright.passes.packed.plan_memory import PlanMemory
from tilewright.support.diagnostics import LoweringError

from .native import HOST, Compiled, llvm_printer, parse

WEIGHT = WeightAttr.of(np.arange(100, dtype=np.float32))
CONSTANT = str(ConstantOp(WEIGHT, MemRefType(f32, [4, 25]))).partition(" = ")[2]
MODEL = f"""
func.func @add(%a: memref<4x25xf32>, %b: memref<4x25xf32>, %c: memref<4x25xf32>) {{
  loop.for parallel %i = 0 to 4 {{
    %t = loop.alloc "local" : memref<2000xf32>
    loop.for %j = 0 to 25 {{
      %x = loop.load %a[%i, %j] : memref<4x25xf32>, f32
      loop.store %x, %t[%j * 70] : memref<2000xf32>, f32
    }}
    loop.for %j = 0 to 25 {{
      %x = loop.load %t[%j * 70] : memref<2000xf32>, f32
      %y = loop.load %b[%i, %j] : memref<4x25xf32>, f32
      %z = arith.addf %x, %y : f32
      loop.store %z, %c[%i, %j] : memref<4x25xf32>, f32
    }}
  }}
  func.return
}}
func.func @main(%x: memref<100xf32>, %y: memref<4x25xf32>, %z: memref<100xf32>) {{
  %w = {CONSTANT}
  %v = packed.view %x : memref<100xf32> -> memref<4x25xf32>
  %a = packed.alloc : memref<4x25xf32>
  packed.call @add(%v, %w, %a) : (memref<4x25xf32>, memref<4x25xf32>, memref<4x25xf32>) -> ()
  %b = packed.alloc : memref<4x25xf32>
  packed.call @add(%a, %v, %b) : (memref<4x25xf32>, memref<4x25xf32>, memref<4x25xf32>) -> ()
  packed.call @add(%b, %b, %y) : (memref<4x25xf32>, memref<4x25xf32>, memref<4x25xf32>) -> ()
  %f = packed.view %b : memref<4x25xf32> -> memref<100xf32>
  packed.copy %f to %z : memref<100xf32>, memref<100xf32>
  func.return
}}"""

POOL = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
)
KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


ADD = "(memref<4x25xf32>, memref<4x25xf32>, memref<4x25xf32>) -> ()"
SECTIONS = f"""
func.func @main(%x: memref<4x25xf32>, %y: memref<4x25xf32>, %z: memref<4x25xf32>) {{
  packed.sections {{
    packed.call @add(%x, %x, %y) : {ADD}
    packed.call @shift(%x, %z) : (memref<4x25xf32>, memref<4x25xf32>) -> ()
    packed.call @add(%x, %x, %y) : {ADD}
  }}
  packed.call serial @add(%y, %z, %y) : {ADD}
  func.return
}}
func.func @shift(%a: memref<4x25xf32>, %b: memref<4x25xf32>) {{
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 4 {{
    loop.for %j = 0 to 25 {{
      %x = loop.load %a[%i, %j] : memref<4x25xf32>, f32
      %y = arith.addf %x, %one : f32
      loop.store %y, %b[%i, %j] : memref<4x25xf32>, f32
    }}
  }}
  func.return
}}"""


def lowered() -> tuple[ModuleOp, FuncOp, FuncOp]:
    module = parse(MODEL)
    Workspace().apply(Context(), module)
    PlanMemory().apply(Context(), module)
    module.verify()
    kernel, main = module.ops
    assert isinstance(kernel, FuncOp)
    assert isinstance(main, FuncOp)
    return module, kernel, main


def program(max_threads: int = 3) -> tuple[MainProgram, str]:
    """Return main, and the text of the whole program with its slots."""
    _, kernel, main = lowered()
    infos = {"add": kernel_info(kernel)}
    made = emit_main(main, infos, {WEIGHT: 64}, llvm_printer(), max_threads=max_threads)
    text = made.text.replace("external global ptr", "global ptr null")
    text = text.replace("declare hidden void @tw.k.0(ptr, i64, i64)\n", "")
    return made, text + emit_kernel(kernel, HOST)


def sections() -> tuple[MainProgram, str]:
    """Return a program of sections and a serial call."""
    module = parse(MODEL[: MODEL.index("func.func @main")] + SECTIONS)
    Workspace().apply(Context(), module)
    PlanMemory().apply(Context(), module)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    main = functions.pop("main")
    infos = {
        name: kernel_info(function, kernel_symbol(n))
        for n, (name, function) in enumerate(functions.items())
    }
    made = emit_main(main, infos, {}, llvm_printer(), max_threads=3)
    lines = [
        line for line in made.text.splitlines() if not line.startswith("declare hidden void @")
    ]
    text = "\n".join(lines).replace("external global ptr", "global ptr null")
    kernels = "".join(
        emit_kernel(function, HOST, infos[name].symbol) for name, function in functions.items()
    )
    once = kernels.replace("!0 = !{}\n", "") + "!0 = !{}\n"
    return made, f"{text}\n{once}"


def run(
    threads: int, pool: object = None, program: Callable[[], tuple[MainProgram, str]] = program
) -> tuple[int, list[np.ndarray]]:
    made, text = program()
    code = Compiled(text, HOST)
    blob = np.concatenate([np.zeros(16, np.float32), WEIGHT.array])
    ctypes.c_void_p.from_address(code.address("__tw_weights")).value = blob.ctypes.data
    if pool is not None:
        address = ctypes.cast(pool, ctypes.c_void_p).value
        ctypes.c_void_p.from_address(code.address("__tw_pool")).value = address
    x = np.arange(100, dtype=np.float32) * 3
    arrays = [x, np.zeros((4, 25), np.float32), np.zeros(100, np.float32)]
    data = (ctypes.c_void_p * 3)(*(a.ctypes.data for a in arrays))
    arena = np.zeros(made.arena_bytes, np.uint8)
    entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32)
    status = entry(code.address("tw_run"))(
        ctypes.cast(data, ctypes.c_void_p), arena.ctypes.data, threads
    )
    return status, arrays


def test_runs_serially_without_a_pool():
    status, (x, y, z) = run(threads=4)
    assert status == 0
    want = 2 * x + WEIGHT.array
    np.testing.assert_array_equal(z, want)
    np.testing.assert_array_equal(y.ravel(), 2 * want)


def test_shares_tasks_through_the_pool_and_passes_its_errors_on():
    seen: list[tuple[int, int]] = []

    def pool(fn: int, args: int, tasks: int, threads: int) -> int:
        seen.append((tasks, threads))
        for task in range(tasks):
            KERNEL(fn)(args, task, task % threads)
        return 0

    status, (x, y, _) = run(3, POOL(pool))
    assert status == 0
    assert seen == [(4, 3), (4, 3), (4, 3)]
    np.testing.assert_array_equal(y.ravel(), 2 * (2 * x + WEIGHT.array))
    assert run(3, POOL(lambda *_: -1))[0] == -1


def test_sections_are_one_launch_and_serial_calls_none():
    seen: list[tuple[int, int]] = []

    def pool(fn: int, args: int, tasks: int, threads: int) -> int:
        seen.append((tasks, threads))
        for task in reversed(range(tasks)):
            KERNEL(fn)(args, task, task % threads)
        return 0

    for threads, chosen in ((1, None), (3, None), (3, POOL(pool))):
        status, (x, y, z) = run(threads, chosen, sections)
        assert status == 0
        np.testing.assert_array_equal(z[:100], x + 1)
        np.testing.assert_array_equal(y.ravel(), 2 * x + x + 1)
    assert seen == [(4 + 1 + 4, 3)]
    assert run(3, POOL(lambda *_: -1), sections)[0] == -1


def test_buffers_of_one_section_are_apart():
    """Do not reuse a buffer whose last reader runs in parallel with the writer of another one."""
    call = "(memref<4x25xf32>, memref<4x25xf32>) -> ()"
    module = parse(
        f"""
func.func @main(%x: memref<4x25xf32>, %y: memref<4x25xf32>, %z: memref<4x25xf32>) {{
  %a = packed.alloc : memref<4x25xf32>
  packed.call @shift(%x, %a) : {call}
  %b = packed.alloc : memref<4x25xf32>
  packed.sections {{
    packed.call @shift(%a, %y) : {call}
    packed.call @shift(%x, %b) : {call}
  }}
  packed.call @shift(%b, %z) : {call}
  func.return
}}"""
        + SECTIONS[SECTIONS.index("func.func @shift") :]
    )
    PlanMemory().apply(Context(), module)
    offsets = [op.offset for op in module.walk() if isinstance(op, AllocOp)]
    assert sorted(o.value.data for o in offsets if o is not None) == [0, 448]


def test_arena_holds_buffers_and_workspace_of_all_threads():
    _, kernel, main = lowered()
    assert kernel_info(kernel).workspace_bytes == 8000
    buffers = [op.offset for op in main.walk() if isinstance(op, AllocOp)]
    assert sorted(o.value.data for o in buffers if o is not None) == [0, 448]
    assert program(5)[0].arena_bytes == 2 * 448 + 5 * 8000


def spacious(name: str, size: int) -> str:
    """Return a kernel of four tasks, each of which fills a workspace of floats with its number."""
    return f"""
func.func @{name}(%a: memref<4x25xf32>) {{
  loop.for parallel %i = 0 to 4 {{
    %t = loop.alloc "local" : memref<{size}xf32>
    loop.for %j = 0 to {size} {{
      %x = loop.load %a[%i, 0] : memref<4x25xf32>, f32
      loop.store %x, %t[%j] : memref<{size}xf32>, f32
    }}
    %y = loop.load %t[0] : memref<{size}xf32>, f32
    loop.store %y, %a[%i, 1] : memref<4x25xf32>, f32
  }}
  func.return
}}"""


def workspace_starts(body: str, *kernels: str, max_threads: int) -> tuple[list[int], int]:
    """Return where the workspaces of the calls of main begin, and the size of the arena."""
    module = parse(f"func.func @main() {{ {body} func.return }}" + "".join(kernels))
    Workspace().apply(Context(), module)
    PlanMemory().apply(Context(), module)
    module.verify()
    assert str(parse(str(module))) == str(module)
    main, *functions = (op for op in module.ops if isinstance(op, FuncOp))
    infos = {f.sym_name.data: kernel_info(f) for f in functions}
    made = emit_main(main, infos, {}, llvm_printer(), max_threads=max_threads)
    starts = map(int, re.findall(r"getelementptr i8, ptr %arena, i64 (\d+)", made.text))
    allocs = [op for op in main.walk() if isinstance(op, AllocOp)]
    buffers = {op.offset.value.data for op in allocs if op.offset is not None}
    return [start for start in starts if start not in buffers], made.arena_bytes


def test_workspace_lies_behind_the_buffers_that_are_alive():
    call = ": (memref<4x25xf32>) -> ()"
    large = "memref<4096xf32>"
    body = f"""
  %a = packed.alloc : memref<4x25xf32>
  %b = packed.alloc : {large}
  packed.call @small(%a) {call}
  packed.call @small(%a) {call}
  packed.call @fill(%b) : ({large}) -> ()
  packed.call @fill(%b) : ({large}) -> ()
"""
    fill = f"func.func @fill(%a: {large}) {{ func.return }}"
    starts, arena = workspace_starts(body, spacious("small", 2048), fill, max_threads=2)
    # Both buffers are at the start, and the workspace is where the large buffer is later.
    assert starts == [448, 448]
    assert arena == 448 + 2 * 8192


def test_workspaces_of_one_section_are_apart_unless_they_are_equal():
    call = ": (memref<4x25xf32>) -> ()"
    body = f"""
  %a = packed.alloc : memref<4x25xf32>
  %b = packed.alloc : memref<4x25xf32>
  %c = packed.alloc : memref<4x25xf32>
  packed.sections {{
    packed.call @small(%a) {call}
    packed.call @large(%b) {call}
    packed.call @small(%c) {call}
  }}
"""
    kernels = spacious("small", 2048), spacious("large", 4096)
    starts, arena = workspace_starts(body, *kernels, max_threads=3)
    # Worker 1 of the small kernel would overlap worker 0 of the large kernel.
    assert starts == [1344, 1344 + 3 * 8192]
    assert arena == 1344 + 3 * (8192 + 16384)


def test_unplanned_buffers_are_refused():
    main = list(parse(MODEL).ops)[1]
    assert isinstance(main, FuncOp)
    with pytest.raises(LoweringError, match="no place"):
        emit_main(main, {}, {WEIGHT: 0}, llvm_printer(), max_threads=1)


lives = st.builds(
    lambda size, first, length: Life(size, first, first + length),
    st.integers(0, 5000),
    st.integers(0, 30),
    st.integers(0, 12),
)


@given(st.lists(lives, max_size=40))
def test_live_buffers_never_overlap(buffers):
    offsets, size = assign_offsets(buffers)
    for i, a in enumerate(buffers):
        assert offsets[i] % 64 == 0
        assert offsets[i] + a.size_bytes <= size
        for j in range(i):
            if a.overlaps(buffers[j]) and a.size_bytes and buffers[j].size_bytes:
                apart = offsets[i] >= offsets[j] + buffers[j].size_bytes
                assert apart or offsets[j] >= offsets[i] + a.size_bytes
    peak = max(sum(b.size_bytes for b in buffers if b.first <= t <= b.last) for t in range(50))
    assert size >= peak


def test_dead_buffers_give_their_place_away():
    chain = [Life(6400, t, t + 1) for t in range(10)]
    assert assign_offsets(chain)[1] == 2 * 6400


@pytest.mark.parametrize(
    ("triple", "bytes_"), [("x86_64-linux-gnu", 8), ("thumbv7em-none-eabihf", 4)]
)
def test_addresses_have_the_width_of_the_platform(triple: str, bytes_: int) -> None:
    _, kernel, main = lowered()
    printer = LlvmPrinter(platform_of(triple))
    made = emit_main(main, {"add": kernel_info(kernel)}, {WEIGHT: 64}, printer, max_threads=3)
    parsed = llvm.parse_assembly(made.text)
    parsed.verify()
    alignments = re.findall(r"(?:load|store) ptr .*align (\d+)", made.text)
    assert set(alignments) == {str(bytes_)}
