"""LLVM IR and objects that every model or process needs: one text per part for all machines.

pool: the worker pool, one per process. entry: the argument checks, arenas and errors of a model;
codegen/entry.py adds the tables of each model. weights: finds the weights of an exported library.
session: decoding sessions of models with states. states: begins those of an exported library.
executor: inputs and outputs of models. bundle: makes the executors of an exported object. bindings:
the choice among several programs of a model, by the values of inputs.
python: the vectorcall of functions and modules, one per process.
program, bare: the main function of an exported program, and the C library functions that it needs.
timer: measures the times of calls, one per process. trace: records the steps of a program that is
compiled for profiling.

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

MACHINES = {
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "aarch64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64"
    "-S128-Fn32",
    "riscv64": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
}
"""The instruction sets, named as in an LLVM triple, and their data layouts in LLVM."""

PASSES = ("always-inline",)
"""The LLVM passes for these texts: clang has optimized them, apart from `machine.MACHINE.ll`."""


def pool_source(machine: str) -> str:
    """Return the LLVM IR of the worker pool for an instruction set of `MACHINES`.

    The code exports ``__tw_pool_run`` (the parallel-for) and ``__tw_pool_reset`` (call it in a
    forked child).
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _with_own(_read("pool", machine), machine)


def entry_source(machine: str) -> str:
    """Return the LLVM IR of the entry for an instruction set, the same for all models.

    Link it with a model's tables (`codegen.entry.entry_tables`) and its ``tw_run``.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("entry", machine)


def weights_source(machine: str) -> str:
    """Return the LLVM IR that finds the weights of an exported library, the same for all models.

    Link it with the entry, and with the three constants that runtime/native/weights.h declares.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("weights", machine)


def session_source(machine: str) -> str:
    """Return the LLVM IR of sessions, the same for all models.

    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("session", machine)


def states_source(machine: str) -> str:
    """Return the LLVM IR that begins the sessions of an exported library.

    Link it with the entry and the sessions, and with the two constants that
    runtime/native/session.h declares.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("states", machine)


def executor_source(machine: str) -> str:
    """Return the LLVM IR of executors, the same for all models.

    Link it with the sessions.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("executor", machine)


def bundle_source(machine: str) -> str:
    """Return the LLVM IR that makes the executors of an exported object.

    Link it with the entry and the executors.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("bundle", machine)


def bindings_source(machine: str) -> str:
    """Return the LLVM IR that chooses one of several programs of a model.

    Link it with the tables of `codegen.bindings.binding_tables`, and with the programs.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("bindings", machine)


def python_source(machine: str) -> str:
    """Return the LLVM IR of calls from Python for an instruction set, the same for all models.

    The code exports ``__tw_python_call`` and the table ``__tw_python``; see
    runtime/abi/fast_call.py. Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("python", machine)


def program_sources(machine: str) -> tuple[str, str]:
    """Return the LLVM IR of a program's main function, and of the functions of the C library.

    Link them with `start_object`, with the objects of an exported library, and with the constant
    that runtime/native/program.h declares, into a program that starts at ``_start``.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("program", machine), _read("bare", machine)


def start_object(machine: str) -> bytes:
    """Return the object with the start of a program and its system calls.

    Errors: ValueError if there is no such code for the instruction set.
    """
    _check("start", machine)
    return _file(f"start.{machine}.o")


def timer_source(machine: str) -> str:
    """Return the LLVM IR of ``__tw_time_calls``, which measures times of calls of packed functions.

    Errors: ValueError if there is no such code for the instruction set.
    """
    return _with_own(_read("timer", machine), machine)


def trace_source(machine: str) -> str:
    """Return the LLVM IR of ``__tw_trace_step``, which a profiled main calls after each step.

    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("trace", machine)


def _read(part: str, machine: str) -> str:
    """Return the text of a part with the data layout of a machine."""
    _check(part, machine)
    return f'target datalayout = "{MACHINES[machine]}"\n{_file(f"{part}.ll").decode()}'


def _with_own(text: str, machine: str) -> str:
    """Return a text with the functions of the instruction set in place of their declarations."""
    own = _file(f"machine.{machine}.ll").decode()
    defined = re.findall(r"^define .*?@(\w+)\(", own, re.MULTILINE)
    is_own = re.compile(rf"declare .*@({'|'.join(defined)})\(")
    lines = (line for line in text.splitlines() if not is_own.match(line))
    return "\n".join((*lines, own))


def _check(part: str, machine: str) -> None:
    if machine not in MACHINES:
        raise ValueError(f"no {part} for {machine}; there are: {', '.join(MACHINES)}")


def _file(name: str) -> bytes:
    return files(__package__ or __name__).joinpath(name).read_bytes()
