"""Replacing an exported model: every process finds one whole version of its files, at any time."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.driver.module import export_files
from tilewright.driver.module.export_files import check_output, write_files
from tilewright.runtime import load_module
from tilewright.runtime.errors import ArgumentError
from tilewright.targets.backend import ExportedFile
from tilewright.testing.models import ffn_model

from .exported import plain_names, weights_of

X = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
STEP_BYTES = 1499
"""Distance of the sizes at which the disk is full, in the sample of `make test`."""


def compiled(seed: int) -> tilewright.CompiledModule:
    return tilewright.compile(ffn_model(m=4, k=8, n=8, seed=seed), threads=1)


@pytest.fixture(scope="module")
def versions() -> Sequence[tilewright.CompiledModule]:
    """Four versions of a model, which differ in their weights."""
    return [compiled(seed) for seed in range(4)]


def results(module: tilewright.Module) -> bytes:
    return np.asarray(module(X)).tobytes()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def full_disk(size_bytes: int) -> Generator[None]:
    """Let no file of this process grow beyond a size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def exported_files(module: tilewright.CompiledModule, folder: Path) -> list[ExportedFile]:
    """Return the files of an export, the library last."""
    files = module.export_library(folder / "m.so")
    return [ExportedFile(path.name, (path.read_bytes(),)) for path in reversed(files)]


@pytest.mark.parametrize(
    "step_bytes", [STEP_BYTES, pytest.param(1, marks=[pytest.mark.nightly, pytest.mark.slow])]
)
def test_a_full_disk_leaves_the_old_deployment(
    versions: Sequence[tilewright.CompiledModule], tmp_path: Path, step_bytes: int
) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    new.mkdir()
    old.mkdir()
    files = exported_files(versions[1], new)
    versions[0].export_library(old / "m.so")
    before = {path: path.read_bytes() for path in old.iterdir()}
    most = max(len(bytes(file.parts[0])) for file in files)
    for size_bytes in (*range(0, most, step_bytes), most - 1):
        with full_disk(size_bytes), pytest.raises(OSError, match="File too large"):
            write_files(old / "m.so", files)
        assert {path: path.read_bytes() for path in old.iterdir()} == before
    assert results(load_module(old / "m.so")) == results(versions[0])
    with full_disk(most):
        write_files(old / "m.so", files)
    assert results(load_module(old / "m.so")) == results(versions[1])


@pytest.mark.parametrize("failing", range(3))
def test_a_failing_rename_leaves_the_old_deployment(
    versions: Sequence[tilewright.CompiledModule],
    tmp_path: Path,
    failing: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions[0].export_library(tmp_path / "m.so", debug_info=True)
    before, replace, count = names(tmp_path), os.replace, iter(range(3))

    def replaced(source: Path, target: Path) -> None:
        if next(count) == failing:
            raise OSError("the disk was removed")
        replace(source, target)

    monkeypatch.setattr(export_files.os, "replace", replaced)
    with pytest.raises(OSError, match="the disk was removed"):
        versions[1].export_library(tmp_path / "m.so", debug_info=True)
    assert names(tmp_path) == before
    assert results(load_module(tmp_path / "m.so")) == results(versions[0])


def test_a_first_export_that_fails_leaves_no_file(
    versions: Sequence[tilewright.CompiledModule], tmp_path: Path
) -> None:
    for name in ("m.so", "m.o", "m.tar", "m"):
        with full_disk(2000), pytest.raises(OSError, match="File too large"):
            versions[0].export_library(tmp_path / name)
        assert names(tmp_path) == []


def test_old_weights_go_one_export_later(
    versions: Sequence[tilewright.CompiledModule], tmp_path: Path
) -> None:
    library = tmp_path / "m.so"
    versions[0].export_library(tmp_path / "other.so")
    others = names(tmp_path)
    made = [versions[n].export_library(library)[1].name for n in (0, 1, 2, 2)]
    assert names(tmp_path) == sorted([library.name, made[2], *others])
    versions[3].export_library(library)
    # A process that has opened version 2 finds its weights.
    assert names(tmp_path) == sorted([library.name, made[2], weights_of(library).name, *others])
    versions[3].export_library(library, embed=True)
    versions[3].export_library(library, embed=True)
    assert names(tmp_path) == sorted([library.name, *others])


@pytest.mark.parametrize("name", ["m.o", "m.a", "m"])
def test_old_weights_of_other_formats_go_too(
    versions: Sequence[tilewright.CompiledModule], tmp_path: Path, name: str
) -> None:
    for version in versions:
        version.export_library(tmp_path / name)
    header = [] if name == "m" else ["m.h"]
    expected = [name, *header, *[f"{name}.*.safetensors"] * 2]
    assert sorted(plain_names(names(tmp_path))) == sorted(expected)


def test_loads_during_exports_find_whole_versions(
    versions: Sequence[tilewright.CompiledModule], tmp_path: Path
) -> None:
    library, known = tmp_path / "m.so", {results(each) for each in versions}
    versions[0].export_library(library)

    def export(own: Sequence[tilewright.CompiledModule]) -> None:
        for number in range(16):
            own[number % 2].export_library(library)

    threads = [threading.Thread(target=export, args=(versions[n : n + 2],)) for n in (0, 2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert results(load_module(library, threads=1)) in known
    assert results(load_module(library, verify=True)) in known


def test_a_reader_that_lost_its_weights_reads_the_new_version(
    versions: Sequence[tilewright.CompiledModule], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilewright.runtime.module import exported

    library = tmp_path / "m.so"
    versions[0].export_library(library)
    opened, pending = exported.contents, [2, 1]

    def contents(path: Path, trusted: Sequence[object] | None) -> memoryview:
        data = opened(path, trusted)
        while pending:  # two exports remove the weights of the library that was just opened
            versions[pending.pop()].export_library(library)
        return data

    monkeypatch.setattr(exported, "contents", contents)
    assert results(load_module(library)) == results(versions[2])


@pytest.mark.parametrize("name", ["..", ".", "", ".so", ".o", ".tar", "...", "x/.."])
def test_a_name_without_a_stem_is_refused(
    versions: Sequence[tilewright.CompiledModule],
    tmp_path: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArgumentError, match=r"names no file of an export"):
        versions[0].export_library(name)
    assert names(tmp_path) == []


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "m.so").mkdir()
    for place, error in (
        ("none/m.so", FileNotFoundError),
        ("file/m.so", NotADirectoryError),
        ("m.so", IsADirectoryError),
    ):
        with pytest.raises(error, match=r"the (folder of the )?output is"):
            check_output(tmp_path / place)
    check_output(tmp_path / "other.so")
