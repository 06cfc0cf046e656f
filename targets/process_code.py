"""The code that a process needs once, for programs whose main function Python executes.

A module of machine code has this code in its own library; see `process_pool` of the runtime.
"""

from __future__ import annotations


def process_code() -> bytes:
    """Return the library of this process: worker pool, calls from Python, timer, sessions."""
    # imported late, because most programs that Python executes have no sessions
    from ..codegen.objects import pool_object
    from ..machines.target import Target
    from ..support.cache import user_cache

    return pool_object(Target("llvm").triple, user_cache())


__all__ = ["process_code"]
