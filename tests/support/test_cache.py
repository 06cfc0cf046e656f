"""The disk cache: what is written comes back, damage does not, and it stays small."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.support.cache import DiskCache, compiler_key, content_key
from tilewright.support.diagnostics import TilewrightError

KEY = content_key("kernel", b"target")


@pytest.fixture
def cache(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path / "cache", limit_bytes=1000)


def test_a_written_entry_is_read_back(cache: DiskCache) -> None:
    assert cache.read(KEY) is None
    path = cache.write(KEY, b"object code")
    assert cache.read(KEY) == b"object code"
    assert cache.find(KEY) == path
    assert [p.name for p in cache.folder.iterdir()] == [path.name]


def test_writing_again_replaces_the_entry(cache: DiskCache) -> None:
    cache.write(KEY, b"one")
    cache.write(KEY, b"two")
    assert cache.read(KEY) == b"two"
    assert len(list(cache.folder.iterdir())) == 1


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
    assert [cache.find(key) is not None for key in keys] == [True, False, False, True]
    assert sum(p.stat().st_size for p in cache.folder.iterdir()) <= cache.limit_bytes


def test_an_entry_over_the_limit_is_kept_until_the_next_write(cache: DiskCache) -> None:
    cache.write(KEY, bytes(5000))
    assert cache.read(KEY) == bytes(5000)
    cache.write(content_key("next"), bytes(10))
    assert cache.read(KEY) is None


def test_clear_deletes_every_entry(cache: DiskCache) -> None:
    cache.write(KEY, b"x")
    cache.clear()
    assert cache.read(KEY) is None


def test_a_folder_that_cannot_be_made_is_a_user_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TilewrightError, match="TILEWRIGHT_CACHE_DIR"):
        DiskCache(tmp_path / "file" / "cache").write(KEY, b"x")


def test_concurrent_writers_and_readers_never_see_half_an_entry(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    data = bytes(range(256)) * 64
    wrong: list[bytes] = []

    def work() -> None:
        for _ in range(20):
            cache.write(KEY, data)
            got = cache.read(KEY)
            if got is not None and got != data:
                wrong.append(got)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache.read(KEY) == data


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_keys_are_equal_exactly_when_the_parts_are(a: list[bytes], b: list[bytes]) -> None:
    assert (content_key(*a) == content_key(*b)) == (a == b)


def test_the_compiler_key_is_stable() -> None:
    first = compiler_key()
    compiler_key.cache_clear()
    assert compiler_key() == first
