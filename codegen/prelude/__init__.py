"""LLVM IR text that every model or process needs, as files in this folder.

pool.ll: the worker pool, one per process. x86_64.ll, aarch64.ll, riscv64.ll: the parts of the pool
that depend on the instruction set, for Linux. entry.ll: argument checks, arenas and errors;
codegen/entry.py adds the tables of each model.
"""

from __future__ import annotations

from importlib.resources import files

POOL_MACHINES = ("x86_64", "aarch64", "riscv64")


def pool_source(machine: str) -> str:
    """Return the LLVM IR of the worker pool for an instruction set, named as in an LLVM triple.

    Exports ``__tw_pool_run`` (the parallel-for) and ``__tw_pool_reset`` (call it in a forked
    child).
    Errors: ValueError if the machine has no futex-based pool; modules then run serially.
    """
    if machine not in POOL_MACHINES:
        raise ValueError(f"no thread pool for {machine}; there are: {', '.join(POOL_MACHINES)}")
    return f"{read(f'{machine}.ll')}\n{read('pool.ll')}"


def read(name: str) -> str:
    """Return the text of a file in this folder."""
    return files(__package__ or __name__).joinpath(name).read_text(encoding="utf-8")
