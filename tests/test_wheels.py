"""The wheels: the same sources give the same bytes, and names say where the wheels run."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tilewright.support.tuning_records import STARTER_FILE

from .conftest import build_wheels

ROOT = Path(__file__).parents[1]


@pytest.mark.nightly
def test_the_same_sources_give_the_same_bytes(wheels: list[Path], tmp_path: Path) -> None:
    time.sleep(2)  # the resolution of times in zip files
    again = build_wheels(tmp_path / "elsewhere")
    assert [wheel.name for wheel in again] == [wheel.name for wheel in wheels]
    assert len(wheels) == 3
    for one, other in zip(wheels, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


@pytest.mark.slow
def test_names_say_where_the_wheels_run(wheels: list[Path]) -> None:
    # The compiler makes code for its own processor; what the other two run depends on the file.
    compiler, runtime, serve = (wheel.name.split("-", 2)[2] for wheel in wheels)
    assert compiler == "py3-none-manylinux_2_28_x86_64.whl"
    assert runtime == serve == "py3-none-any.whl"
    assert "glibc 2.28 or newer on x86-64" in (ROOT / "docs" / "install.md").read_text()


@pytest.mark.slow
def test_the_wheel_of_the_compiler_has_the_tuning_records(wheels: list[Path]) -> None:
    data = ZipFile(wheels[0]).read("tilewright/support/starter_records.jsonl")
    assert data == STARTER_FILE.read_bytes()


def test_no_url_is_made_up() -> None:
    """The project has no public home yet: links of the metadata would lead nowhere."""
    for folder in ("", "runtime", "serve"):
        project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
        assert "urls" not in project
