"""Settings come from the environment, in the documented order."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

import tilewright
from tilewright.support import config
from tilewright.support.config import read_config
from tilewright.support.diagnostics import TilewrightError


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"TILEWRIGHT_CACHE_DIR": "/a/b", "XDG_CACHE_HOME": "/x"}, Path("/a/b")),
        ({"XDG_CACHE_HOME": "/x"}, Path("/x/tilewright")),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache" / "tilewright"),
        ({}, Path.home() / ".cache" / "tilewright"),
    ],
)
def test_cache_folder(environ: dict[str, str], folder: Path) -> None:
    assert read_config(environ).cache_dir == folder


def test_log_level() -> None:
    assert read_config({}).log_level == logging.WARNING
    assert read_config({"TILEWRIGHT_LOG": "DEBUG"}).log_level == logging.DEBUG
    with pytest.raises(TilewrightError, match=r"TILEWRIGHT_LOG.*\n.*debug, info"):
        read_config({"TILEWRIGHT_LOG": "loud"})


def test_tests_have_a_cache_folder_of_their_own() -> None:
    assert read_config().cache_dir != read_config({}).cache_dir


def test_an_unknown_home_asks_for_a_cache_folder() -> None:
    with pytest.raises(TilewrightError, match="set TILEWRIGHT_CACHE_DIR"):
        read_config({"TILEWRIGHT_CACHE_DIR": "~no-such-user/cache"})


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [("", 4 << 30), ("0", 0), ("123", 123), ("5k", 5 << 10), ("500M", 500 << 20), ("2G", 2 << 30)],
)
def test_cache_size(text: str, size_bytes: int) -> None:
    assert read_config({"TILEWRIGHT_CACHE_BYTES": text}).cache_limit_bytes == size_bytes


@pytest.mark.parametrize("text", ["much", "-1", "1.5G", "1GB", "٣"])
def test_a_malformed_cache_size_is_a_user_error(text: str) -> None:
    with pytest.raises(TilewrightError, match=r"TILEWRIGHT_CACHE_BYTES: malformed size"):
        read_config({"TILEWRIGHT_CACHE_BYTES": text})


def test_the_page_of_variables_lists_those_that_are_read() -> None:
    page = Path(tilewright.__file__).parent / "docs" / "install.md"
    listed = re.findall(r"^\| `(TILEWRIGHT_\w+)` \|", page.read_text(), re.M)
    source = Path(config.__file__).read_text()
    assert sorted(listed) == sorted({*re.findall(r"TILEWRIGHT_\w+", source)})
