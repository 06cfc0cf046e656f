"""The choice of a version of main at each call, as LLVM IR (versions.py).

In: the description (`MainProgram`) of each printed main.
Out: the LLVM module that defines ``tw_derive`` and ``tw_run``, which call the functions of the
versions, named ``tw_derive.0``, ``tw_run.0`` and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...machines.platforms import Platform
from .llvm_printer import SIGNATURE, suffix_of
from .main_program import MainProgram
from .versions import VersionCode

_PROCESSOR = "declare hidden i32 @tw_processor()"


def emit_versions(
    base: MainProgram, versions: Sequence[VersionCode], arguments: int, platform: Platform
) -> str:
    """Return the LLVM module that chooses among several versions of main at each call.

    It defines ``tw_derive`` and ``tw_run``.
    base: main for all sizes.  versions: main for particular sizes or processors.  arguments: the
    number of main's arguments.  platform: the system that runs main.
    """
    if not base.size_count:
        return _by_processor(versions)
    numbers, bytes_ = range(len(versions) + 1), platform.pointer_bytes
    is_by_processor = any(version.processor for version in versions)
    cases = " ".join(f"i64 {n}, label %run{n}" for n in numbers)
    lines = [
        *(f"declare hidden i32 @tw_run{suffix_of(n)}(ptr, ptr, i32)" for n in numbers),
        *(
            f"declare hidden i32 @tw_derive{suffix_of(n)}(ptr, i32)"
            for n in numbers
            if n == 0 or versions[n - 1].program.size_count
        ),
        *([_PROCESSOR] if is_by_processor else []),
        "define hidden i32 @tw_derive(ptr %sizes, i32 %stage) nounwind {",
        f" %status = call i32 @tw_derive{suffix_of(0)}(ptr %sizes, i32 %stage)",
        f" %chosen = getelementptr i64, ptr %sizes, i64 {base.size_count}",
        " %is_wrong = icmp ne i32 %status, 0",
        " br i1 %is_wrong, label %end, label %begin",
        "begin:",
        " %is_first = icmp eq i32 %stage, 0",
        " br i1 %is_first, label %choose, label %later",
        "choose:",
        " store i64 0, ptr %chosen, align 8",
        *([" %processor = call i32 @tw_processor()"] if is_by_processor else []),
        " br label %test1",
        "later:",
        " %known = load i64, ptr %chosen, align 8",
        " %number = sext i32 %stage to i64",
        " switch i64 %known, label %end ["
        + " ".join(f"i64 {n}, label %later{n}" for n in numbers[1:])
        + "]",
    ]
    for number, version in enumerate(versions, 1):
        lines += _derived(base, version, number, is_by_processor=is_by_processor)
        lines += _derived_later(base, version, number)
    lines += [
        f"test{len(versions) + 1}:",
        " br label %end",
        "end:",
        " ret i32 %status",
        "}",
        f"define hidden i32 @tw_run{SIGNATURE} nounwind {{",
        f" %sizes_at = getelementptr ptr, ptr %data, i64 {arguments}",
        f" %sizes = load ptr, ptr %sizes_at, align {bytes_}",
        f" %chosen_at = getelementptr i64, ptr %sizes, i64 {base.size_count}",
        " %chosen = load i64, ptr %chosen_at, align 8",
        f" %own = getelementptr i64, ptr %sizes, i64 {base.size_count + 1}",
        f" switch i64 %chosen, label %run0 [{cases}]",
    ]
    for number in numbers:
        lines += [
            f"run{number}:",
            *([f" store ptr %own, ptr %sizes_at, align {bytes_}"] if number else []),
            f" %r{number} = call i32 @tw_run{suffix_of(number)}{SIGNATURE}",
            f" ret i32 %r{number}",
        ]
    return "\n".join((*lines, "}", ""))


def _by_processor(versions: Sequence[VersionCode]) -> str:
    """Return the LLVM module that defines ``tw_run`` for versions for different processors.

    Such programs have no symbolic sizes, so there is no table of sizes.
    """
    numbers = range(len(versions) + 1)
    rows = enumerate(versions, 1)
    cases = " ".join(f"i32 {each.processor}, label %run{number}" for number, each in rows)
    lines = [
        _PROCESSOR,
        *(f"declare hidden i32 @tw_run{suffix_of(n)}(ptr, ptr, i32)" for n in numbers),
        f"define hidden i32 @tw_run{SIGNATURE} nounwind {{",
        " %processor = call i32 @tw_processor()",
        f" switch i32 %processor, label %run0 [{cases}]",
    ]
    for n in numbers:
        lines += [
            f"run{n}:",
            f" %r{n} = call i32 @tw_run{suffix_of(n)}{SIGNATURE}",
            f" ret i32 %r{n}",
        ]
    return "\n".join((*lines, "}", ""))


def _derived(
    base: MainProgram, version: VersionCode, number: int, *, is_by_processor: bool
) -> list[str]:
    """Return the blocks of ``tw_derive`` that test a version in stage 0 and compute its sizes.

    The test holds if the symbols have the values that the version binds.
    base: main for all sizes.  number: the number of the version.  is_by_processor: whether the test
    must also compare the number of the processor.
    """
    own, lines, fits = base.size_count + 1, [f"test{number}:"], "true"
    if is_by_processor:
        fits = f"%on{number}"
        lines.append(f" {fits} = icmp eq i32 %processor, {version.processor}")
    for symbol, value in version.bound.items():
        name = f"{number}_{symbol}"
        lines += [
            f" %s{name} = getelementptr i64, ptr %sizes, i64 {symbol}",
            f" %v{name} = load i64, ptr %s{name}, align 8",
            f" %e{name} = icmp eq i64 %v{name}, {value}",
            f" %f{name} = and i1 {fits}, %e{name}",
        ]
        fits = f"%f{name}"
    position = version.program.arena_position
    lines += [
        f" br i1 {fits}, label %fits{number}, label %test{number + 1}",
        f"fits{number}:",
        f" store i64 {number}, ptr %chosen, align 8",
        f" %arena{number} = getelementptr i64, ptr %sizes, i64 {base.arena_position}",
    ]
    if not version.program.size_count:
        bytes_ = version.program.arena_bytes
        return [*lines, f" store i64 {bytes_}, ptr %arena{number}, align 8", " ret i32 0"]
    for target, source in enumerate(version.symbols, own):
        name = f"{number}_{target}"
        lines += [
            f" %a{name} = getelementptr i64, ptr %sizes, i64 {source}",
            f" %b{name} = load i64, ptr %a{name}, align 8",
            f" %c{name} = getelementptr i64, ptr %sizes, i64 {target}",
            f" store i64 %b{name}, ptr %c{name}, align 8",
        ]
    return [
        *lines,
        f" %own{number} = getelementptr i64, ptr %sizes, i64 {own}",
        f" %wrong{number} = call i32 @tw_derive{suffix_of(number)}(ptr %own{number}, i32 %stage)",
        f" %from{number} = getelementptr i64, ptr %own{number}, i64 {position}",
        f" %bytes{number} = load i64, ptr %from{number}, align 8",
        f" store i64 %bytes{number}, ptr %arena{number}, align 8",
        f" ret i32 %wrong{number}",
    ]


def _derived_later(base: MainProgram, version: VersionCode, number: int) -> list[str]:
    """Return the block of ``tw_derive`` that computes the sizes of a version in a later stage.

    base: main for all sizes.  number: the number of the version.
    """
    program, own = version.program, base.size_count + 1
    name = f"later{number}"
    if not program.computed:
        return [f"{name}:", " ret i32 0"]
    places = {
        "computed": base.given - 1,
        "copied": own + program.given - 1,
        "needed": own + program.arena_position,
        "reported": base.arena_position,
    }
    lines = [f"{name}:"]
    for place, position in places.items():
        lines += [
            f" %{place}_at{number} = add i64 %number, {position}",
            f" %{place}{number} = getelementptr i64, ptr %sizes, i64 %{place}_at{number}",
        ]
    return [
        *lines,
        f" %value{number} = load i64, ptr %computed{number}, align 8",
        f" store i64 %value{number}, ptr %copied{number}, align 8",
        f" %table{number} = getelementptr i64, ptr %sizes, i64 {own}",
        f" %bad{number} = call i32 @tw_derive{suffix_of(number)}(ptr %table{number}, i32 %stage)",
        f" %room{number} = load i64, ptr %needed{number}, align 8",
        f" store i64 %room{number}, ptr %reported{number}, align 8",
        f" ret i32 %bad{number}",
    ]
