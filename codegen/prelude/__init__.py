"""LLVM IR and objects that every model or process needs: one text per part.

In: the name of a part. What each links with:
pool: the worker pool, one per process, exports ``__tw_pool_run`` (the parallel-for) and
``__tw_pool_reset`` (call it in a forked child). entry: the argument checks, arenas and errors of a
model; with the tables of `codegen.entry.entry_tables` and the model's ``tw_run``. weights: finds
the weights of an exported library; with the entry and the constants of runtime/native/weights.h.
session: decoding sessions. states: begins the sessions of an exported library; with the entry, the
sessions and the constants of session.h. executor: inputs and outputs of models; with the sessions.
bundle: makes the executors of an exported object; with the entry and the executors. bindings: the
choice among several programs of a model; with the programs and the tables of
`codegen.bindings.binding_tables`. python: the vectorcall of functions and modules, one per process,
exports ``__tw_python_call`` and the table ``__tw_python`` (runtime/abi/fast_call.py). timer:
``__tw_time_calls`` measures the times of calls. tensors: checks and describes tensors, for repack,
the sessions, the executors and the programs. repack: replaces and reads parameters, by the
functions of repack.h. trace: ``__tw_trace_step`` records the steps of a
program that is compiled for profiling. processor, for x86-64 only: the choice among the code for
several processors. embedded: takes the weights from the library itself, in place of weights, on
systems other than Linux. windows: functions that the C library of Windows has under other names.
program, bare, print: the main function of an exported program, and the C library functions that it
needs; with `start_object`, the bundle, the objects of an exported library and the constants of
program.h they are a program that starts at ``_start``. web: the heap and the weights of a
WebAssembly module; with the entry and print. device: memory, copies and launches of programs whose
main queues work on a GPU; with the entry and the tables of `targets.gpu`.

The text ``PART.ll`` is valid for all 64-bit machines; entry and print are also valid for machines
with addresses of 32 bits, where this module cuts the sizes in calls of the C library. A text has no
triple, no data layout and no attributes of a processor; this module adds the data layout. What LLVM
IR cannot express without inline assembly is in an object per instruction set, ``start.MACHINE.o``:
the start of a program, its system calls and variable arguments. An object needs neither a compiler
at installation nor an assembler for another machine, which llvmlite lacks. The few operations of
the worker pool and the timer that differ between machines must be inlined, for example into spin
loops, which objects cannot be. They are LLVM IR with intrinsics, ``machine.ll``, or
``machine.MACHINE.ll`` for the instruction sets with a spin hint or a clock, which the texts of both
include.

clang generates the files from runtime/native/ (`make prelude`); a test compares them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from ...machines.cpu import INSTRUCTION_SETS

_OWN_PARTS = {("processor", "x86_64"), ("web", "wasm32")}
"""The parts that have one text per instruction set, ``PART.MACHINE.ll``."""
_NEUTRAL_PARTS = ("entry", "print")
"""The parts whose text is valid for all widths of addresses."""

MACHINES = {
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "aarch64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64"
    "-S128-Fn32",
    "riscv64": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
    "loongarch64": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
    "ppc64le": "e-m:e-Fn32-i64:64-i128:128-n32:64-S128-v256:256:256-v512:512:512",
    "s390x": "E-m:e-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64",
    "wasm32": "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20",
    "armv7": "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64",
    "hexagon": "e-m:e-p:32:32:32-a:0-n16:32-i64:64:64-i32:32:32-i16:16:16-i1:8:8-f32:32:32-"
    "f64:64:64-v32:32:32-v64:64:64-v512:512:512-v1024:1024:1024-v2048:2048:2048",
}
"""The LLVM data layout of each instruction set, by its name in LLVM triples."""

SYSTEM_MACHINES = ("x86_64", "aarch64", "riscv64", "loongarch64", "ppc64le", "s390x")
"""The instruction sets that have the parts with system calls, such as threads and program start."""

_SYSTEM_CALLS = {"": (98, 113), "ppc64le": (221, 246), "s390x": (238, 260)}
"""The numbers of the system calls `futex` and `clock_gettime` of Linux, by instruction set."""

_SIZES = {"snprintf": 1, "aligned_alloc": 2, "memcpy": 1}
"""The number of sizes that functions of the C library take, before other integers of 64 bits."""

PASSES = ("always-inline",)
"""The LLVM passes for the prelude; clang has already optimized all but `machine.MACHINE.ll`."""


def part_source(part: str, machine: str) -> str:
    """Return the LLVM IR of a part of the prelude for an instruction set.

    The text includes the functions of ``machine.ll`` that the part calls.
    part: the name of the part, as in the module docstring.
    machine: a key of `MACHINES`.
    Errors: ValueError if the part has no code for the instruction set.
    """
    known = [each for each in MACHINES if _text(part, each) is not None]
    path = _text(part, machine) if machine in known else None
    if path is None:
        raise _missing(part, machine, known)
    text = path.read_text()
    if (part, machine) not in _OWN_PARTS and _pointer_bits(machine) == 32:
        text = _with_narrow_sizes(text)
    text = f'target datalayout = "{MACHINES[machine]}"\n{text}'
    if machine not in SYSTEM_MACHINES:
        return text
    own = machine_source(machine)
    defined = re.findall(r"^define .*?@(\w+)\(", own, re.MULTILINE)
    is_own = re.compile(rf"declare .*@({'|'.join(defined)})\(")
    lines = text.splitlines()
    others = [line for line in lines if not is_own.match(line)]
    return text if len(others) == len(lines) else "\n".join((*others, own))


def _with_narrow_sizes(text: str) -> str:
    """Change the calls of the C library in LLVM IR to pass sizes of 32 instead of 64 bits."""
    lines: list[str] = []
    for line in text.splitlines():
        called = re.search(rf"(.*@(?:{'|'.join(_SIZES)})\()(.*)", line)
        if called is None:
            lines.append(line)
            continue
        start, arguments = called[1].replace("(ptr, i64,", "(ptr, i32,"), called[2]
        for _ in range(_SIZES[start[start.rindex("@") + 1 : -1]]):
            passed = re.search(r"i64 noundef (%[\w.]+)", arguments)
            wide = re.search(r"i64 noundef", arguments)
            if passed is not None and wide is not None and passed.start() == wide.start():
                lines.append(f"  %narrow.{len(lines)} = trunc i64 {passed[1]} to i32")
                narrow = f"i32 noundef %narrow.{len(lines) - 1}"
                arguments = arguments.replace(passed[0], narrow, 1)
            else:
                arguments = arguments.replace("i64 noundef", "i32 noundef", 1)
        lines.append(start + arguments)
    return "\n".join((*lines, ""))


def machine_source(machine: str) -> str:
    """Return the LLVM IR of the inlined functions that depend on the instruction set."""
    if machine in ("x86_64", "aarch64"):
        return _path(f"machine.{machine}.ll").read_text()
    text = _path("machine.ll").read_text()
    for usual, own in zip(_SYSTEM_CALLS[""], _SYSTEM_CALLS.get(machine, ()), strict=False):
        text = text.replace(f"ret i64 {usual}\n", f"ret i64 {own}\n")
    return text


def start_object(machine: str) -> bytes:
    """Return the object file with the start of a program and its system calls.

    Errors: ValueError if there is no such code for the instruction set.
    """
    if machine not in SYSTEM_MACHINES:
        raise _missing("start", machine, SYSTEM_MACHINES)
    return _path(f"start.{machine}.o").read_bytes()


def _missing(part: str, machine: str, known: Sequence[str]) -> ValueError:
    return ValueError(f"no {part} for {machine}; there are: {', '.join(known)}")


def _text(part: str, machine: str) -> Traversable | None:
    """Return the file with the LLVM IR of a part for an instruction set; None if there is none.

    part: the name of the part.
    machine: a key of `MACHINES`.
    """
    if (part, machine) in _OWN_PARTS:
        return _path(f"{part}.{machine}.ll")
    path = _path(f"{part}.ll")
    is_for_width = _pointer_bits(machine) == 64 or part in _NEUTRAL_PARTS
    return path if is_for_width and path.is_file() else None


def _pointer_bits(machine: str) -> int:
    return INSTRUCTION_SETS[machine].pointer_bits


def _path(name: str) -> Traversable:
    return files(__package__ or __name__).joinpath(name)
