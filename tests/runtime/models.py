"""Small models written in LLVM IR, compiled by the compiler's last stages."""

from __future__ import annotations

import functools
import platform

from tilewright.codegen.entry import Entry, ModelArgument, entry_tables
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.codegen.objects import PROCESS_PARTS
from tilewright.codegen.prelude import PASSES, part_source
from tilewright.runtime.abi.constants import MODULE_SYMBOLS

ARCHITECTURE = platform.machine()
MACHINE = Machine(f"{ARCHITECTURE}-unknown-linux-gnu")
ADD_SIZE, ADD_TASKS = 256, 8

# out = x + y + weights, in ADD_TASKS tasks; each task records its worker in the arena.
ADD = f"""
@__tw_pool = external global ptr
@__tw_weights = external global ptr

define internal void @add(ptr %args, i64 %task, i64 %worker) {{
entry:
  %y_at = getelementptr ptr, ptr %args, i64 1
  %out_at = getelementptr ptr, ptr %args, i64 2
  %x = load ptr, ptr %args
  %y = load ptr, ptr %y_at
  %out = load ptr, ptr %out_at
  %w = load ptr, ptr @__tw_weights
  %first = mul i64 %task, {ADD_SIZE // ADD_TASKS}
  %last = add i64 %first, {ADD_SIZE // ADD_TASKS}
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %x_i = getelementptr float, ptr %x, i64 %i
  %y_i = getelementptr float, ptr %y, i64 %i
  %w_i = getelementptr float, ptr %w, i64 %i
  %out_i = getelementptr float, ptr %out, i64 %i
  %a = load float, ptr %x_i, align 4
  %b = load float, ptr %y_i, align 4
  %c = load float, ptr %w_i, align 4
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  store float %abc, ptr %out_i, align 4
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %last
  br i1 %more, label %loop, label %done
done:
  ret void
}}

define hidden i32 @tw_run(ptr %addresses, ptr %arena, i32 %threads) {{
entry:
  store i32 %threads, ptr %arena, align 64
  %pool = load ptr, ptr @__tw_pool
  %serial = icmp eq ptr %pool, null
  br i1 %serial, label %loop, label %parallel
parallel:
  %status = call i32 %pool(ptr @add, ptr %addresses, i64 {ADD_TASKS}, i32 %threads)
  ret i32 %status
loop:
  %task = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @add(ptr %addresses, i64 %task, i64 0)
  %next = add i64 %task, 1
  %more = icmp slt i64 %next, {ADD_TASKS}
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}}
"""

_ADD_SHAPE = (2, ADD_SIZE // 2)
ADD_ENTRY = Entry(
    inputs=(ModelArgument("x", "float32", _ADD_SHAPE), ModelArgument("y", "float32", _ADD_SHAPE)),
    outputs=(ModelArgument("out", "float32", _ADD_SHAPE),),
    arena_bytes=100,
    weights_bytes=4 * ADD_SIZE,
    max_threads=4,
    name="add",
)


def _copy(size_bytes: int) -> str:
    """Return a model that copies its first argument to its second."""
    return f"""
declare ptr @memcpy(ptr, ptr, i64)
define hidden i32 @tw_run(ptr %addresses, ptr %arena, i32 %threads) {{
  %to_at = getelementptr ptr, ptr %addresses, i64 1
  %from = load ptr, ptr %addresses
  %to = load ptr, ptr %to_at
  %r = call ptr @memcpy(ptr %to, ptr %from, i64 {size_bytes})
  ret i32 0
}}
"""


@functools.cache
def entry_object() -> bytes:
    return compile_ir(part_source("entry", ARCHITECTURE), MACHINE, passes=PASSES)


@functools.cache
def tables_object(entry: Entry) -> bytes:
    return compile_ir(entry_tables(entry), MACHINE)


def shared_object(run: str, entry: Entry) -> bytes:
    """Compile and link a model from its `tw_run` and its entry."""
    objects = [compile_ir(run, MACHINE), tables_object(entry), entry_object()]
    return link(objects, exports=MODULE_SYMBOLS)


@functools.cache
def add_code() -> bytes:
    return shared_object(ADD, ADD_ENTRY)


@functools.cache
def copy_code(dtype: str, shape: tuple[int, ...]) -> bytes:
    argument = ModelArgument("x", dtype, shape)
    entry = Entry((argument,), (ModelArgument("out", dtype, shape),), name="copy")
    return shared_object(_copy(argument.nbytes), entry)


@functools.cache
def failing_code(status: int, arena_bytes: int = 0) -> bytes:
    run = f"define hidden i32 @tw_run(ptr %a, ptr %b, i32 %c) {{ ret i32 {status} }}"
    return shared_object(run, Entry((), (), name="failing", arena_bytes=arena_bytes))


# out = x, copied through the arena, slowly enough for calls to overlap.
STAGED = """
declare ptr @memcpy(ptr, ptr, i64)
declare i32 @usleep(i32)
define hidden i32 @tw_run(ptr %addresses, ptr %arena, i32 %threads) {
  %to_at = getelementptr ptr, ptr %addresses, i64 1
  %from = load ptr, ptr %addresses
  %to = load ptr, ptr %to_at
  %r = call ptr @memcpy(ptr %arena, ptr %from, i64 400)
  %s = call i32 @usleep(i32 1000)
  %t = call ptr @memcpy(ptr %to, ptr %arena, i64 400)
  ret i32 0
}
"""


@functools.cache
def staged_code() -> bytes:
    inputs, outputs = (
        (ModelArgument("x", "int32", (100,)),),
        (ModelArgument("out", "int32", (100,)),),
    )
    return shared_object(STAGED, Entry(inputs, outputs, arena_bytes=400, name="staged"))


@functools.cache
def pool_code() -> bytes:
    texts = [part_source(part, ARCHITECTURE) for part in PROCESS_PARTS]
    return link([compile_ir(text, MACHINE, passes=PASSES) for text in texts])
