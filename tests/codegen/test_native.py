"""The C sources in runtime/native/, and the LLVM IR and objects that are generated from them."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from importlib.metadata import PackageNotFoundError, version

import pytest

from tilewright.codegen.entry import Entry, entry_tables
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, compile_ir, data_layout
from tilewright.codegen.objects import PROCESS_PARTS
from tilewright.codegen.prelude import (
    MACHINES,
    PASSES,
    SYSTEM_MACHINES,
    machine_source,
    part_source,
)
from tilewright.machines.platforms import default_platform
from tilewright.runtime.abi.constants import MODULE_SYMBOLS, PROCESS_SYMBOLS

from . import native

DECLARED = {
    # machine.*.ll defines the functions of machine.h, for pool and timer.
    "pool": {
        "syscall", "pthread_create", "pthread_detach",
        "tw_relax", "tw_ticks_after", "tw_spin_ticks", "tw_futex_number",
    },
    # The host's two are weak; each model defines tw_run and tw_derive.
    "entry": {
        "snprintf", "memcpy", "aligned_alloc", "free", "dlsym", "TVMFFIErrorSetRaisedFromCStr",
        "tw_run", "tw_derive",
    },
    "tensors": {"snprintf"},
    "repack": {
        "calloc", "free", "malloc", "memchr", "memcmp", "memcpy", "memmove", "memset", "snprintf",
        "strcmp", "tw_is_plain", "tw_write_type",
    },
    "timer": {"syscall", "tw_clock_number"},
    "trace": {"clock_gettime"},
    "embedded": set(),
    "weights": {
        "open", "read", "lseek", "mmap", "munmap", "close", "fopen", "fgets", "fclose", "snprintf",
        "memcpy", "memcmp", "strlen", "strcspn", "strcpy", "strtoull", "tw_fail",
    },
    "session": {
        "snprintf", "memcpy", "calloc", "malloc", "free",
        "tw_is_plain", "tw_tensor_bytes", "tw_write_type",
    },
    "states": {
        "tw_begin_session", "tw_fail", "__tw_main_threads", "__tw_main_allocating",
        "__tw_output_shapes",
    },
    "executor": {
        "snprintf", "memcpy", "calloc", "aligned_alloc", "free", "tw_fail",
        "tw_is_plain", "tw_tensor_bytes", "tw_write_type",
    },
    "bundle": {"tw_create_executor", "tw_fail", "__tw_main_allocating", "__tw_choose"},
    # Python's and numpy's functions come from a table.
    "python": set(),
    # bare.c and start.c have them, and those of the others.
    "program": {
        "open", "write", "lseek", "mmap", "close", "snprintf", "memcpy", "memset",
        "memcmp", "strlen", "strcspn", "strcpy", "aligned_alloc", "sched_getaffinity",
        "tw_arch_prctl", "__tw_pool_run", "__tw_create", "__tw_set_input", "__tw_run",
        "__tw_get_output", "tw_tensor_bytes", "tw_processor",
    },
    # The host's two are weak; each program defines tw_device_check and tw_device_main.
    "device": {
        "calloc", "dlopen", "dlsym", "free", "malloc", "memcmp", "memcpy", "snprintf",
        "tw_begin_stage", "tw_device_check", "tw_device_main", "tw_device_of", "tw_enter_on",
        "tw_fail", "tw_slots_of", "tw_stream_of",
    },
    "bindings": {
        "snprintf", "memcpy", "memcmp", "tw_fail", "__tw_load_weights", "tw_unload_weights",
    },
    # start.c has the others.
    "bare": {"tw_spawn", "open", "read", "close", "mmap", "munmap", "memcpy"},
    "print": set(),
    "web": {"tw_print"},
}  # fmt: skip


def installed_version() -> str:
    try:
        return version("ziglang")
    except PackageNotFoundError:
        return "none"


needs_clang = pytest.mark.skipif(
    installed_version() != native.pinned_version(),
    reason=f"needs ziglang {native.pinned_version()} (the extra `check`), whose clang wrote the"
    f" texts; installed: {installed_version()}",
)


@needs_clang
def test_the_committed_files_are_what_clang_makes_of_the_sources(monkeypatch, tmp_path):
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    made = native.contents()
    assert {path.name for path in native.TEXTS.glob("*.*") if path.suffix != ".py"} == set(made)
    for name, data in made.items():
        assert (native.TEXTS / name).read_bytes() == data, f"{name} is old: run `make prelude`"


def calls_of(text: str) -> list[str]:
    """Return the lines of LLVM IR without alignments and attributes of parameters."""
    text = re.sub(r" (signext|zeroext)|,? align \d+| #\d+", "", text)
    return [line for line in text.splitlines() if not line.startswith("attributes")]


@pytest.mark.one_in(4)
@needs_clang
@pytest.mark.parametrize(
    "machine",
    [
        pytest.param(each, marks=[] if each in ("x86_64", "s390x") else pytest.mark.nightly)
        for each in SYSTEM_MACHINES
        if each != native.FRONT_END
    ],
)
@pytest.mark.parametrize("part", native.PARTS)
def test_the_front_ends_of_all_machines_agree(part, machine, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "zig"))
    wanted = native.front_end_text(part, native.FRONT_END)
    assert calls_of(native.front_end_text(part, machine)) == calls_of(wanted)


@needs_clang
@pytest.mark.parametrize("machine", SYSTEM_MACHINES)
def test_the_inlined_functions_are_what_clang_makes_of_them(machine, monkeypatch, tmp_path):
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    assert machine_source(machine) == native.machine_text(machine)


def structures_of(text: str) -> list[str]:
    return re.findall(r"^%.* = type .*", text, re.MULTILINE)


@needs_clang
@pytest.mark.parametrize("part", native.NEUTRAL_PARTS)
def test_structures_with_addresses_of_32_bits_are_those_of_a_narrow_machine(
    part, monkeypatch, tmp_path
):
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    # A front end pads what LLVM would lay out in another way than C does.
    wanted = structures_of(native.front_end_text(part, native.NARROW_FRONT_END))
    assert structures_of(native.front_end_text(part, native.FRONT_END)) == wanted
    assert wanted


@pytest.mark.parametrize("part", native.NEUTRAL_PARTS)
def test_a_text_for_all_widths_contains_no_size_of_an_address(part):
    text = (native.TEXTS / f"{part}.ll").read_text()
    moved = re.findall(r"getelementptr.* i8, ptr [^,]+, i64 (\d+)", text)
    assert set(moved) <= {"64"}, "a pointer moves by a number of bytes"
    assert not re.search(
        r"align [1248]$|cmpxchg|xchg .* i64|llvm\.mem|dereferenceable|initializes", text, re.M
    )


def test_sizes_in_calls_of_the_c_library_have_the_width_of_addresses():
    text = part_source("entry", "wasm32")
    assert "declare ptr @aligned_alloc(i32 noundef, i32 noundef)" in text
    assert re.search(r"@aligned_alloc\(i32 noundef 64, i32 noundef %narrow", text)
    # Only the size, not the numbers that are printed.
    assert re.search(r"\(ptr, i32, ptr, \.\.\.\) @snprintf\(ptr .*, i32 noundef 1024,.* i64 ", text)
    assert "aligned_alloc(i64" not in text
    assert "aligned_alloc(i64" in part_source("entry", "x86_64")


@pytest.mark.parametrize("part", native.PARTS)
def test_a_text_is_valid_for_both_byte_orders(part):
    # LLVM joins accesses to single bytes in the byte order of the machine that it optimizes for.
    text = (native.TEXTS / f"{part}.ll").read_text()
    assert not re.search(
        r"(load|store)( volatile)? (i16|i32|i64|float|double)\b.*align 1$", text, re.M
    )


NAMES = (*native.PARTS, "web.wasm32")


@pytest.mark.parametrize("name", NAMES)
def test_a_text_reaches_the_c_library_through_named_functions_only(name):
    text, part = (native.TEXTS / f"{name}.ll").read_text(), name.partition(".")[0]
    declared = set(re.findall(r"^declare .*?@([\w.]+)\(", text, re.MULTILINE))
    assert {name for name in declared if not name.startswith("llvm.")} == DECLARED[part]
    assert not re.search(r'thread_local|personality|"target-|\basm\b|llvm\.x86', text)
    # The others run without such functions.
    if part not in (
        "program",
        "bare",
        "repack",
        "session",
        "executor",
        "bindings",
        "web",
        "device",
    ):
        assert not re.search(r"memset|llvm\.mem", text)


def test_no_c_files_include_each_other_in_a_circle():
    included = re.compile(r'^#include "(\w+)\.[hc]"', re.MULTILINE)
    graph: dict[str, set[str]] = {}
    for path in native.SOURCES.glob("*.[hc]"):
        graph.setdefault(path.stem, set()).update(included.findall(path.read_text()))
    graph = {name: others - {name} for name, others in graph.items()}
    assert set(TopologicalSorter(graph).static_order()) == set(graph)


def test_each_part_calls_only_parts_below_it():
    texts = [(native.TEXTS / f"{part}.ll").read_text() for part in native.PARTS]
    function = re.compile(r"^define (?!internal).*?@(\w+)\(", re.MULTILINE)
    defined = [set(function.findall(text)) for text in texts]
    for number, part in enumerate(native.PARTS):
        below, above = set().union(*defined[:number]), set().union(*defined[number:])
        # The model defines tw_run, or device.c does for the model.
        assert not ((DECLARED[part] - {"tw_run"}) & above) - below, part


def machine_of(name: str) -> Machine:
    """Return an instruction set with its usual system."""
    return Machine(default_platform(name).triple)


def loaded_texts(machine: str) -> dict[str, str]:
    """Return the texts of all parts for an instruction set."""
    parts = native.PARTS if machine in SYSTEM_MACHINES else native.NEUTRAL_PARTS
    parts += tuple(part for part, own in native.OWN_PARTS if own == machine)
    return {part: part_source(part, machine) for part in parts}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_data_layout_is_that_of_llvm(machine):
    assert data_layout(machine_of(machine)) == MACHINES[machine]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("machine", MACHINES)
def test_each_text_becomes_an_object_of_each_machine(machine):
    for part, text in loaded_texts(machine).items():
        made = compile_ir(text, machine_of(machine), passes=PASSES)
        assert made[:4] == (b"\0asm" if machine == "wasm32" else b"\x7fELF"), part


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_texts_link_without_further_passes(machine):
    target = Machine(f"{machine}-unknown-linux-gnu")
    run = "define hidden i32 @tw_run(ptr %a, ptr %b, i32 %c) { ret i32 0 }"
    texts = (part_source("entry", machine), entry_tables(Entry((), ())), run)
    module = [compile_ir(text, target, passes=PASSES) for text in texts]
    assert link(module, exports=MODULE_SYMBOLS)
    texts = [part_source(part, machine) for part in PROCESS_PARTS]
    objects = [compile_ir(text, target, passes=PASSES) for text in texts]
    assert link(objects, exports=PROCESS_SYMBOLS)
