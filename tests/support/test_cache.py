"""The disk cache: entries are read back, damaged ones are not, and its size is bounded."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.support.cache import CacheState, DiskCache, compiler_key, content_key
from tilewright.support.checked_file import checksum, lay_out, read_bundle
from tilewright.support.diagnostics import TilewrightError

KEY = content_key("kernel", b"target")


@pytest.fixture
def cache(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path / "cache", limit_bytes=1000)


def files(cache: DiskCache) -> list[Path]:
    return [path for path in cache.folder.rglob("*") if path.is_file()]


def test_a_written_entry_is_read_back(cache: DiskCache) -> None:
    assert cache.read(KEY) is None
    path = cache.write(KEY, b"object code")
    assert cache.read(KEY) == b"object code"
    assert files(cache) == [path]


def test_writing_again_replaces_the_entry(cache: DiskCache) -> None:
    cache.write(KEY, b"one")
    cache.write(KEY, b"two")
    assert cache.read(KEY) == b"two"
    assert len(files(cache)) == 1


@pytest.mark.parametrize("damaged", [b"", b"object c0de", b"object code and more"])
def test_a_damaged_entry_is_deleted_and_not_returned(cache: DiskCache, damaged: bytes) -> None:
    path = cache.write(KEY, b"object code")
    path.write_bytes(damaged)
    assert cache.read(KEY) is None
    assert not path.exists()


def test_the_least_recently_used_entries_go_first(cache: DiskCache) -> None:
    keys = [content_key(str(i)) for i in range(4)]
    for age, key in enumerate(keys[:3]):
        path = cache.write(key, bytes(300))
        os.utime(path, (1000 + age, 1000 + age))
    assert cache.read(keys[0]) is not None  # now the youngest
    cache.write(keys[3], bytes(300))
    assert [cache.read(key) is not None for key in keys] == [True, False, False, True]
    assert sum(p.stat().st_size for p in files(cache)) <= cache.limit_bytes


def test_an_entry_over_the_limit_is_kept_until_the_next_write(cache: DiskCache) -> None:
    cache.write(KEY, bytes(5000))
    assert cache.read(KEY) == bytes(5000)
    cache.write(content_key("next"), bytes(10))
    assert cache.read(KEY) is None


def test_clear_deletes_every_entry(cache: DiskCache) -> None:
    cache.write(KEY, b"x")
    cache.clear()
    assert cache.read(KEY) is None


@pytest.mark.parametrize("name", ["file", "file/cache"])
def test_a_folder_that_cannot_be_made_is_one_warning(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    cache = DiskCache(tmp_path / name)
    assert cache.write(KEY, b"x") is None
    assert cache.write_model(KEY, 1, lambda file: file.write(b"x")) is None
    assert cache.read(KEY) is None
    (record,) = caplog.records
    assert "TILEWRIGHT_CACHE_DIR" in record.getMessage()
    with pytest.raises(TilewrightError, match="cannot read the cache"):
        cache.state()
    with pytest.raises(TilewrightError, match="cannot read the cache"):
        cache.clear()


def test_concurrent_writers_and_readers_never_see_half_an_entry(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    data = bytes(range(256)) * 64
    wrong: list[bytes] = []

    def work(_: int) -> None:
        for _ in range(20):
            cache.write(KEY, data)
            got = cache.read(KEY)
            if got is not None and got != data:
                wrong.append(got)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert not wrong
    assert cache.read(KEY) == data


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_keys_are_equal_exactly_when_the_parts_are(a: list[bytes], b: list[bytes]) -> None:
    assert (content_key(*a) == content_key(*b)) == (a == b)


def test_the_compiler_key_is_stable() -> None:
    first = compiler_key()
    compiler_key.cache_clear()
    assert compiler_key() == first


def test_state_and_clear_by_age(cache: DiskCache) -> None:
    assert cache.state() == CacheState(0, 0, None, None)
    old, new = cache.write(KEY, bytes(7)), cache.write(content_key("new"), bytes(5))
    os.utime(old, (1000, 1000))
    state = cache.state()
    assert (state.entries, state.size_bytes, state.oldest_s) == (2, 12, 1000)
    assert state.newest_s == pytest.approx(new.stat().st_mtime)
    deleted = cache.clear(unused_for_s=3600)
    assert (deleted.entries, deleted.size_bytes) == (1, 7)
    assert [p for p in (old, new) if p.exists()] == [new]
    assert cache.clear().entries == 1
    assert not files(cache)


def test_writes_to_a_large_cache_seldom_look_at_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Path] = []
    monkeypatch.setattr(DiskCache, "_evict", lambda self, keep: looks.append(keep))
    cache = DiskCache(tmp_path, limit_bytes=16 << 20)
    for number in range(1000):
        cache.write(content_key(str(number)), number.to_bytes(2, "big"))
    # 1000 blocks of 4 KiB are 15.6 times 1/64 of the limit; their bytes decide which writes check.
    assert 8 <= len(looks) <= 25
    path = cache.write(KEY, bytes(1 << 20))
    assert looks[-1] == path


def test_an_interrupted_write_leaves_nothing(
    cache: DiskCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.write(KEY, b"x")
    assert not files(cache)


def test_what_a_killed_writer_left_goes_with_the_next_eviction(cache: DiskCache) -> None:
    cache.write(KEY, b"x")
    left, fresh = cache.folder / ".writing-left", cache.folder / ".writing-fresh"
    for path in (left, fresh):
        path.write_bytes(b"half an en")
    os.utime(left, (1000, 1000))
    cache.write(content_key("large"), bytes(2000))
    assert not left.exists()
    assert fresh.exists()


def test_an_entry_that_cannot_be_read_is_a_warning(
    cache: DiskCache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache.write(KEY, b"x")

    def refuse(_: Path) -> bytes:
        raise PermissionError("not yours")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert cache.read(KEY) is None
    assert "not yours" in caplog.text


# One of several processes that write, read, damage and clear entries of one small cache.
_PROCESS = """
import random, sys
from pathlib import Path
from tilewright.support.cache import DiskCache, content_key

def content(number):
    return bytes([number]) * (100 + 13 * number)

rng = random.Random(int(sys.argv[2]))
cache = DiskCache(Path(sys.argv[1]), limit_bytes=4000)
hits = 0
for step in range(400):
    number = rng.randrange(40)
    key = content_key(str(number))
    found = cache.read(key)
    assert found in (None, content(number)), (number, found)
    hits += found is not None
    if found is None:
        cache.write(key, content(number))
    if step % 50 == 10:
        for path in cache.folder.rglob("*.bin"):
            try:
                path.write_bytes(path.read_bytes()[:-1])
            except FileNotFoundError:
                pass
            break
    if step % 150 == 100:
        cache.clear()
    cache.read(key)
print(hits)
"""


def test_processes_share_a_cache_that_is_damaged_evicted_and_cleared(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, str(tmp_path), str(seed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(3)
    ]
    ended = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], ended
    assert all(int(out) > 20 for out, _ in ended)
    cache = DiskCache(tmp_path, limit_bytes=4000)
    assert not list(tmp_path.glob(".writing-*"))
    cache.write(KEY, b"the next write evicts what simultaneous ones left over")
    assert cache.state().size_bytes <= 4000


# -- whole models --------------------------------------------------------------------------------


def write_model(cache: DiskCache, name: str, size: int) -> Path | None:
    return cache.write_model(content_key(name), size, lambda file: file.write(bytes(size)))


def test_models_evict_each_other_and_not_what_is_small(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, limit_bytes=100_000)
    small = [cache.write(content_key(str(i)), bytes(1000)) for i in range(15)]
    for age, path in enumerate(small):
        assert path is not None
        os.utime(path, (1000 + age, 1000 + age))  # older than every model
    written = [write_model(cache, str(i), 30_000) for i in range(4)]
    kept = [path for path in written if path is not None and path.exists()]
    assert kept == written[2:]
    assert all(path is not None and path.exists() for path in small)


def test_a_model_over_its_share_is_not_kept(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, limit_bytes=100_000)
    small = cache.write(KEY, bytes(1000))
    assert write_model(cache, "large", 60_001) is None
    assert write_model(cache, "fits", 60_000) is not None
    assert set(files(cache)) == {small, cache.model_file(content_key("fits"))}
    assert cache.model_file(content_key("large")) is None


def test_a_use_makes_a_model_the_youngest(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, limit_bytes=100_000)
    for age, (name, size) in enumerate((("a", 10_000), ("b", 41_000))):
        path = write_model(cache, name, size)
        assert path is not None
        os.utime(path, (1000 + age, 1000 + age))
    assert cache.model_file(content_key("a")) is not None
    write_model(cache, "c", 50_000)
    assert [cache.model_file(content_key(n)) is not None for n in "abc"] == [True, False, True]


def test_a_full_disk_keeps_nothing(cache: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert cache.write(KEY, b"x") is None
    assert write_model(cache, "model", 10) is None
    assert not files(cache)


# -- bundles -------------------------------------------------------------------------------------


def test_a_bundle_is_read_back_aligned(tmp_path: Path) -> None:
    parts = {"code": b"\x01" * 5000, "none": b"", "weights": bytes(range(256)) * 40}
    layout = lay_out({"name": "m", "sizes": [1, 2]}, parts)
    with (tmp_path / "bundle").open("wb") as file:
        layout.write(file)
    assert (tmp_path / "bundle").stat().st_size == layout.size_bytes
    bundle = read_bundle(tmp_path / "bundle")
    assert bundle.metadata == {"name": "m", "sizes": [1, 2]}
    assert {name: bytes(part) for name, part in bundle.parts.items()} == parts
    assert all(layout.offsets[name] % 4096 == 0 for name in parts)
    assert all(part.readonly for part in bundle.parts.values())


@given(st.binary(min_size=1, max_size=20000), st.data())
def test_a_checksum_sees_every_changed_byte_and_moved_block(
    data: bytes, draw: st.DataObject
) -> None:
    at = draw.draw(st.integers(0, len(data) - 1))
    other = bytearray(data)
    other[at] ^= draw.draw(st.integers(1, 255))
    assert checksum(bytes(other)) != checksum(data)
    assert checksum(data + b"\0") != checksum(data) != checksum(data[:-1])
    swapped = data[4096:8192] + data[:4096] + data[8192:]
    assert (checksum(swapped) == checksum(data)) == (swapped == data)
