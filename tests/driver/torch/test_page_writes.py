"""Writes to memory that the kernel records: of processors, system calls and other watches."""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tilewright.driver.torch.page_writes import Pages, own_pages

PAGE = mmap.PAGESIZE
COUNT = 16


@pytest.fixture
def pages() -> Pages:
    found = own_pages()
    if found is None:
        pytest.skip("the system does not record writes to memory")
    return found


def memory(**options: Any) -> tuple[mmap.mmap, int]:
    """Return pages of private memory, and their address."""
    flags = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
    made = mmap.mmap(-1, COUNT * PAGE, **{**flags, **options})
    return made, ctypes.addressof(ctypes.c_char.from_buffer(made))


def test_a_write_is_a_range_of_one_page(pages: Pages) -> None:
    held, at = memory()
    watch = pages.watch(at, at + COUNT * PAGE)
    assert watch is not None
    assert held[5 * PAGE : 9 * PAGE] == bytes(4 * PAGE)
    assert not watch.written()
    held[3 * PAGE + 7] = 1
    held[8 * PAGE] = 0
    for _ in range(2):
        assert watch.written() == [(at + n * PAGE, at + (n + 1) * PAGE) for n in (3, 8)]
    again = pages.watch(at, at + COUNT * PAGE)
    assert again is not None
    assert not again.written()


def test_the_kernel_writes_too(pages: Pages, tmp_path: Path) -> None:
    held, at = memory()
    watch = pages.watch(at, at + COUNT * PAGE)
    assert watch is not None
    path = tmp_path / "bytes"
    path.write_bytes(b"a" * PAGE)
    with path.open("rb", buffering=0) as file:
        file.readinto(memoryview(held)[2 * PAGE : 3 * PAGE])
    assert watch.written() == [(at + 2 * PAGE, at + 3 * PAGE)]


def test_a_new_watch_hides_no_write_from_others(pages: Pages) -> None:
    held, at = memory()
    first = pages.watch(at, at + 8 * PAGE)
    second = pages.watch(at + 8 * PAGE, at + COUNT * PAGE)
    assert first is not None
    assert second is not None
    held[7 * PAGE] = 1
    third = pages.watch(at + 4 * PAGE, at + 12 * PAGE)
    assert third is not None
    assert first.written() == [(at + 7 * PAGE, at + 8 * PAGE)]
    assert not second.written()
    assert not third.written()
    # The end of a watch does not end the others.
    del third
    gc.collect()
    assert not second.written()
    held[9 * PAGE] = 1
    assert second.written() == [(at + 9 * PAGE, at + 10 * PAGE)]


def test_more_writes_than_regions_of_a_scan(pages: Pages) -> None:
    held = mmap.mmap(-1, 300 * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    at = ctypes.addressof(ctypes.c_char.from_buffer(held))
    first, last = pages.watch(at, at + 300 * PAGE), pages.watch(at + 298 * PAGE, at + 299 * PAGE)
    assert first is not None
    assert last is not None
    for n in range(0, 300, 2):
        held[n * PAGE] = 1
    regions = first.written()
    assert all(any(a <= at + n * PAGE < b for a, b in regions) for n in range(0, 300, 2))
    again = pages.watch(at, at + 300 * PAGE)
    assert again is not None
    assert not again.written()
    assert last.written()


def test_memory_that_others_write_cannot_be_watched(pages: Pages, tmp_path: Path) -> None:
    shared, at = memory(flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    assert pages.watch(at, at + COUNT * PAGE) is None
    shared[0] = 1
    path = tmp_path / "weights"
    path.write_bytes(b"a" * COUNT * PAGE)
    with path.open("r+b") as file:
        held = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE)
    at = ctypes.addressof(ctypes.c_char.from_buffer(held))
    assert pages.watch(at, at + COUNT * PAGE) is None


def test_memory_that_is_mapped_anew_counts_as_written(pages: Pages) -> None:
    held, at = memory()
    watch = pages.watch(at, at + COUNT * PAGE)
    assert watch is not None
    libc = ctypes.CDLL(None)
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(ctypes.c_int,) * 3, ctypes.c_long)
    libc.mmap.restype = ctypes.c_void_p
    fixed, flags = 0x10, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    assert libc.mmap(at + PAGE, PAGE, 3, flags | fixed, -1, 0) == at + PAGE
    assert watch.written() == [(at, at + COUNT * PAGE)]
    assert held[PAGE] == 0


FORKED = """
import ctypes, mmap, os
from tilewright.driver.torch.page_writes import own_pages
held = mmap.mmap(-1, 4 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
at = ctypes.addressof(ctypes.c_char.from_buffer(held))
stop = at + 4 * mmap.PAGESIZE
watch = own_pages().watch(at, stop)
child = os.fork()
if not child:
    held[0] = 1
    own = own_pages().watch(at, stop)
    print(watch.written() == [(at, stop)], own.written() == [], flush=True)
    held[0] = 2
    print(len(own.written()), flush=True)
    del watch, own
    os._exit(0)
os.waitpid(child, 0)
print(watch.written())
held[0] = 1
print(len(watch.written()))
"""


def test_a_forked_process_has_watches_of_its_own(pages: Pages) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == ["True True", "1", "[]", "1", ""]
    assert pages.is_own()


def test_a_system_that_records_no_writes_has_no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    name = os.uname_result(("Linux", "", "", "", "an unknown machine"))
    monkeypatch.setattr(os, "uname", lambda: name)
    with pytest.raises(OSError, match="unknown"):
        Pages()
