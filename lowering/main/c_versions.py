"""The choice of a version of main at each call, as C99 (versions.py).

In: the description (`MainProgram`) of each printed main.
Out: a C file that defines ``tw_derive`` and ``tw_run``, which call the functions of the versions,
named ``tw_derive_0``, ``tw_run_0`` and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .main_program import MainProgram
from .versions import VersionCode

_MAIN = "(unsigned char **data, unsigned char *arena, int32_t threads)"
_DERIVE = "(int64_t *sizes, int32_t stage)"


def emit_versions(base: MainProgram, versions: Sequence[VersionCode], arguments: int) -> str:
    """Return the C file that chooses among several versions of main at each call.

    It defines ``tw_derive`` and ``tw_run``.
    base: main for all sizes.  versions: main for particular sizes or processors.  arguments: the
    number of main's arguments.
    """
    mains = (base, *(version.program for version in versions))
    chosen, own = base.size_count, base.size_count + 1
    lines = [
        "#include <stdint.h>",
        "",
        *(f"int32_t tw_run_{number}{_MAIN};" for number in range(len(mains))),
        *(f"int32_t tw_derive_{n}{_DERIVE};" for n, main in enumerate(mains) if main.size_count),
        "",
        f"int32_t tw_derive{_DERIVE}",
        "{",
        f"    int64_t *const chosen = sizes + {chosen};",
        f"    int64_t *const own = sizes + {own};",
        "    int32_t status = tw_derive_0(sizes, stage);",
        "    if (status != 0)",
        "        return status;",
        "    if (stage == 0) {",
        "        *chosen = 0;",
    ]
    for number, version in enumerate(versions, 1):
        lines += (f"        {line}" for line in _first_stage(base, version, number))
    lines += ["        return 0;", "    }", "    switch (*chosen) {"]
    for number, version in enumerate(versions, 1):
        lines += (f"    {line}" for line in _later_stage(base, version, number))
    lines += [
        "    default:",
        "        (void)own;",
        "        return 0;",
        "    }",
        "}",
        "",
        f"int32_t tw_run{_MAIN}",
        "{",
        f"    int64_t *const sizes = (int64_t *)(void *)data[{arguments}];",
        f"    const int64_t chosen = sizes[{chosen}];",
        "    if (chosen != 0)",
        f"        data[{arguments}] = (unsigned char *)(sizes + {own});",
        "    switch (chosen) {",
    ]
    for number in range(1, len(mains)):
        lines += [f"    case {number}:", f"        return tw_run_{number}(data, arena, threads);"]
    lines += ["    default:", "        return tw_run_0(data, arena, threads);", "    }", "}", ""]
    return "\n".join(lines)


def _first_stage(base: MainProgram, version: VersionCode, number: int) -> Iterator[str]:
    """Yield the C code of ``tw_derive`` that chooses a version in stage 0, an if statement.

    If the symbols have the values that the version binds, the code stores the number of the
    version, computes its table of sizes, and sets the bytes of the arena.
    base: main for all sizes.  number: the number of the version.
    """
    program = version.program
    tests = (f"sizes[{symbol}] == {value}" for symbol, value in version.bound.items())
    yield f"if ({' && '.join(tests) or '1'}) {{"
    yield f"    *chosen = {number};"
    if program.size_count:
        for target, source in enumerate(version.symbols):
            yield f"    own[{target}] = sizes[{source}];"
        yield f"    status = tw_derive_{number}(own, stage);"
        yield f"    sizes[{base.arena_position}] = own[{program.arena_position}];"
    else:
        yield f"    sizes[{base.arena_position}] = {program.arena_bytes};"
    yield "    return status;"
    yield "}"


def _later_stage(base: MainProgram, version: VersionCode, number: int) -> Iterator[str]:
    """Yield the C code of ``tw_derive`` that computes the sizes of a version in a later stage.

    base: main for all sizes.  number: the number of the version.
    """
    program = version.program
    if not program.computed:
        return
    yield f"case {number}:"
    yield f"    own[stage + {program.given - 1}] = sizes[stage + {base.given - 1}];"
    yield f"    status = tw_derive_{number}(own, stage);"
    position = f"sizes[stage + {base.arena_position}]"
    yield f"    {position} = own[stage + {program.arena_position}];"
    yield "    return status;"
