"""LLVM IR that every model or process needs, one file per part and instruction set.

pool: the worker pool, one per process. entry: the argument checks, arenas and errors of a model;
codegen/entry.py adds the tables of each model. weights: finds the weights of an exported library.
session: decoding sessions of an exported library whose model has states. executor: inputs and
outputs of a model, for programs that link an exported object.
bindings: the choice among several programs of a model, by the values of inputs.
python: the vectorcall of functions and modules, one per process.
program, bare: the main function of an exported program, and the C library functions that it needs.
timer: measures the times of calls, one per process. trace: records the steps of a program that is
compiled for profiling.

clang generates the files from runtime/native/ (`make prelude`); a test compares them.
"""

from __future__ import annotations

from importlib.resources import files

MACHINES = ("x86_64", "aarch64", "riscv64")


def pool_source(machine: str) -> str:
    """Return the LLVM IR of the worker pool for an instruction set, named as in an LLVM triple.

    The code exports ``__tw_pool_run`` (the parallel-for) and ``__tw_pool_reset`` (call it in a
    forked child).
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("pool", machine)


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
    """Return the LLVM IR of the sessions of an exported library, the same for all models.

    Link it with the entry, and with the two constants that runtime/native/session.h declares.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("session", machine)


def executor_source(machine: str) -> str:
    """Return the LLVM IR of the executors of an exported object, the same for all models.

    Link it with the entry.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("executor", machine)


def bindings_source(machine: str) -> str:
    """Return the LLVM IR that chooses one of several programs of a model.

    Link it with the tables of `codegen.bindings.binding_tables`, and with the programs.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("bindings", machine)


def python_source(machine: str) -> str:
    """Return the LLVM IR of calls from Python for an instruction set, the same for all models.

    The code exports ``__tw_python_call`` and the table ``__tw_python``; see runtime/fast_call.py.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("python", machine)


def program_sources(machine: str) -> tuple[str, str]:
    """Return the LLVM IR of a program's main function, and of the functions of the C library.

    Link them with the objects of an exported library, and with the constant that
    runtime/native/program.h declares, into a program that starts at ``_start``.
    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("program", machine), _read("bare", machine)


def timer_source(machine: str) -> str:
    """Return the LLVM IR of ``__tw_time_calls``, which measures times of calls of packed functions.

    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("timer", machine)


def trace_source(machine: str) -> str:
    """Return the LLVM IR of ``__tw_trace_step``, which a profiled main calls after each step.

    Errors: ValueError if there is no such code for the instruction set.
    """
    return _read("trace", machine)


def _read(part: str, machine: str) -> str:
    if machine not in MACHINES:
        raise ValueError(f"no {part} for {machine}; there are: {', '.join(MACHINES)}")
    name = f"{part}.{machine}.ll"
    return files(__package__ or __name__).joinpath(name).read_text(encoding="utf-8")
