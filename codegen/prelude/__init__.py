"""LLVM IR and objects that every model or process needs: one text per part for all machines.

In: the name of a part. What each links with:
pool: the worker pool, one per process, exports ``__tw_pool_run`` (the parallel-for) and
``__tw_pool_reset`` (call it in a forked child). entry: the argument checks, arenas and errors of a
model; with the tables of `codegen.entry.entry_tables` and the model's ``tw_run``. weights: finds
the weights of an exported library; with the entry and the constants of runtime/native/weights.h.
session: decoding sessions. states: begins those of an exported library; with the entry, the
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
program, bare: the main function of an exported program, and the C library functions that it needs;
with `start_object`, the bundle, the objects of an exported library and the constants of program.h
they are a program that starts at ``_start``.

The text ``PART.ll`` is valid for all 64-bit little-endian machines. It has no triple, no data
layout and no attributes of a processor; this module adds the data layout. What LLVM IR
cannot express without inline assembly is in an object per instruction set, ``start.MACHINE.o``: the
start of a program, its system calls and variable arguments. An object needs neither a compiler at
installation nor an assembler for another machine, which llvmlite lacks. The few operations of the
worker pool and the timer that differ between machines must be inlined, for example into spin loops,
which objects cannot be. They are LLVM IR with intrinsics, ``machine.MACHINE.ll``, which the texts
of both include.

clang generates the files from runtime/native/ (`make prelude`); a test compares them.
"""

from __future__ import annotations

import re
from importlib.resources import files

_OWN_PARTS = {("processor", "x86_64")}
"""The parts with a text for one instruction set, ``PART.MACHINE.ll``."""

MACHINES = {
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "aarch64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64"
    "-S128-Fn32",
    "riscv64": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
}
"""The instruction sets, named as in an LLVM triple, and their data layouts in LLVM."""

PASSES = ("always-inline",)
"""The LLVM passes for these texts: clang has optimized them, apart from `machine.MACHINE.ll`."""


def part_source(part: str, machine: str) -> str:
    """Return the LLVM IR of a part for an instruction set of `MACHINES`.

    The text contains the functions of the instruction set that it calls.
    Errors: ValueError if there is no such code for the instruction set.
    """
    _check(part, machine)
    name = f"{part}.{machine}.ll" if (part, machine) in _OWN_PARTS else f"{part}.ll"
    text = f'target datalayout = "{MACHINES[machine]}"\n{_file(name).decode()}'
    own = _file(f"machine.{machine}.ll").decode()
    defined = re.findall(r"^define .*?@(\w+)\(", own, re.MULTILINE)
    is_own = re.compile(rf"declare .*@({'|'.join(defined)})\(")
    lines = text.splitlines()
    others = [line for line in lines if not is_own.match(line)]
    return text if len(others) == len(lines) else "\n".join((*others, own))


def start_object(machine: str) -> bytes:
    """Return the object with the start of a program and its system calls.

    Errors: ValueError if there is no such code for the instruction set.
    """
    _check("start", machine)
    return _file(f"start.{machine}.o")


def _check(part: str, machine: str) -> None:
    if machine not in MACHINES:
        raise ValueError(f"no {part} for {machine}; there are: {', '.join(MACHINES)}")


def _file(name: str) -> bytes:
    return files(__package__ or __name__).joinpath(name).read_bytes()
