"""The C sources of the pool and the entry, and the LLVM IR that is generated from them."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

import pytest
from llvmlite.binding import parse_assembly

from tilewright.codegen.entry import Entry, entry_tables
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.codegen.prelude import (
    MACHINES,
    entry_source,
    pool_source,
    python_source,
    timer_source,
)
from tilewright.runtime.abi import MODULE_SYMBOLS, PROCESS_SYMBOLS

from . import native

DECLARED = {
    "pool": {"syscall", "pthread_create", "pthread_detach"},
    # The host's two are weak; each model defines tw_run and tw_derive.
    "entry": {
        "snprintf", "memcpy", "aligned_alloc", "free", "dlsym", "TVMFFIErrorSetRaisedFromCStr",
        "tw_run", "tw_derive",
    },
    "timer": {"syscall"},
    "trace": {"clock_gettime"},
    "weights": {
        "open", "read", "lseek", "mmap", "munmap", "close", "fopen", "fgets", "fclose", "snprintf",
        "memcpy", "memcmp", "strlen", "strcspn", "strcpy", "strtoull", "tw_fail",
    },
    "session": {
        "snprintf", "memcpy", "calloc", "malloc", "free", "tw_fail", "__tvm_ffi_main",
        "__tw_main_allocating", "__tw_output_shapes",
    },
    "executor": {
        "snprintf", "memcpy", "calloc", "aligned_alloc", "free", "tw_fail", "__tw_main_allocating",
        "__tw_choose",
    },
    # Python's and numpy's functions come from a table.
    "python": set(),
    # bare.c has them, and those of the others.
    "program": {
        "open", "write", "lseek", "mmap", "close", "snprintf", "memcpy", "memset",
        "memcmp", "strlen", "strcspn", "strcpy", "aligned_alloc", "syscall", "__tw_pool_run",
        "__tvm_ffi_main", "__tw_output_shapes", "__tw_choose", "__tw_is_bound",
    },
    "bindings": {
        "snprintf", "memcpy", "memcmp", "tw_fail", "__tw_load_weights", "tw_unload_weights",
    },
    # tw_spawn is in assembly.
    "bare": {"tw_program", "tw_spawn"},
}  # fmt: skip


def installed_version() -> str:
    try:
        return version("ziglang")
    except PackageNotFoundError:
        return "none"


@pytest.mark.skipif(
    installed_version() != native.pinned_version(),
    reason=f"needs ziglang {native.pinned_version()} (the extra `check`), whose clang wrote the"
    f" texts; installed: {installed_version()}",
)
def test_the_committed_texts_are_what_clang_makes_of_the_sources(monkeypatch, tmp_path):
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    made = native.texts()
    assert {path.name for path in native.TEXTS.glob("*.ll")} == set(made)
    for name, text in made.items():
        assert (native.TEXTS / name).read_text() == text, f"{name} is old: run `make prelude`"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("part", native.PARTS)
def test_a_text_reaches_the_c_library_through_named_functions_only(part, machine):
    text = (native.TEXTS / f"{part}.{machine}.ll").read_text()
    declared = set(re.findall(r"^declare .*?@([\w.]+)\(", text, re.MULTILINE))
    assert {name for name in declared if not name.startswith("llvm.")} == DECLARED[part]
    assert not re.search(r"thread_local|personality|\"target-", text)
    # The others run without such functions.
    if part not in ("program", "bare", "session", "executor", "bindings"):
        assert not re.search(r"memset|llvm\.mem", text)


@pytest.mark.parametrize("path", sorted(native.TEXTS.glob("*.ll")), ids=lambda path: path.name)
def test_a_text_is_valid(path):
    parse_assembly(path.read_text()).verify()


def test_no_text_is_missing():
    names = {f"{part}.{machine}.ll" for part in native.PARTS for machine in MACHINES}
    assert {path.name for path in native.TEXTS.glob("*.ll")} == names


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_texts_link_without_further_passes(machine):
    target = Machine(f"{machine}-unknown-linux-gnu")
    run = "define hidden i32 @tw_run(ptr %a, ptr %b, i32 %c) { ret i32 0 }"
    texts = (entry_source(machine), entry_tables(Entry((), ())), run)
    module = [compile_ir(text, target, passes=()).data for text in texts]
    assert link(module, exports=MODULE_SYMBOLS)
    texts = (pool_source(machine), python_source(machine), timer_source(machine))
    objects = [compile_ir(text, target, passes=()).data for text in texts]
    assert link(objects, exports=PROCESS_SYMBOLS)
