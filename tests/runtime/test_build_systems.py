"""CMake, pkg-config and cargo find the C runtime in the folder that `include_dir` names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.runtime import include_dir
from tilewright.testing.models import ffn_model

EXAMPLES = Path(tilewright.__file__).parent / "examples" / "deploy"


def found(tool: str) -> str:
    """Return the path of a tool, or skip the test."""
    path = shutil.which(tool)
    if path is None:
        pytest.skip(f"{tool} is not installed")
    return path


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray]:
    """Return an exported model and the result of the examples' input."""
    module = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    path = tmp_path_factory.mktemp("exported") / "m.so"
    module.export_library(path)
    ramp = (np.arange(32, dtype=np.float32) / np.float32(32)).reshape(4, 8)
    return path, np.asarray(module(ramp)).ravel()


def check(program: Path, library: tuple[Path, np.ndarray]) -> None:
    """Check that an example prints the result of the exported model."""
    path, expected = library
    done = subprocess.run([program, path], check=True, capture_output=True, text=True)
    np.testing.assert_array_equal(np.array(done.stdout.split(), np.float32), expected)


def test_cmake_finds_the_package(tmp_path: Path, library: tuple[Path, np.ndarray]) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\n"
        "project(app CXX)\n"  # no C, which the package adds
        f"find_package(tilewright CONFIG REQUIRED PATHS {include_dir()} NO_DEFAULT_PATH)\n"
        f"add_executable(run {EXAMPLES / 'run.cpp'})\n"
        "target_link_libraries(run PRIVATE tilewright::runtime)\n"
    )
    cmake, build = found("cmake"), tmp_path / "build"
    for words in (["-S", tmp_path, "-B", build], ["--build", build]):
        subprocess.run([cmake, *words], check=True, capture_output=True)
    check(build / "run", library)


def test_pkg_config_names_source_and_options(
    tmp_path: Path, library: tuple[Path, np.ndarray]
) -> None:
    tool, program = found("pkg-config"), tmp_path / "run"

    def asked(*options: str) -> list[str]:
        words = [tool, *options, "tilewright"]
        env = {**os.environ, "PKG_CONFIG_PATH": str(include_dir())}
        return subprocess.run(
            words, check=True, capture_output=True, text=True, env=env
        ).stdout.split()

    words = [EXAMPLES / "run.c", *asked("--variable=source"), *asked("--cflags", "--libs")]
    subprocess.run([found("cc"), "-o", program, *words], check=True)
    check(program, library)


def test_cargo_builds_the_crate(tmp_path: Path, library: tuple[Path, np.ndarray]) -> None:
    (tmp_path / "src").mkdir()
    shutil.copy(EXAMPLES / "run.rs", tmp_path / "src" / "main.rs")
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
        f'[dependencies]\ntilewright = {{ path = "{include_dir()}" }}\n'
    )
    subprocess.run(
        [found("cargo"), "build", "--offline", "--quiet"],
        check=True,
        cwd=tmp_path,
        env={**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target")},
    )
    check(tmp_path / "target" / "debug" / "app", library)


def test_all_files_state_one_version() -> None:
    root = Path(tilewright.__file__).parent
    files = [root / "pyproject.toml", root / "runtime" / "pyproject.toml"]
    files += [root / "serve" / "pyproject.toml"]
    versions = {tomllib.loads(path.read_text())["project"].get("version") for path in files}
    versions.discard(None)  # that of the package
    crate = tomllib.loads((include_dir() / "Cargo.toml").read_text())["package"]["version"]
    (package,) = re.findall(r"^Version: (.*)$", (include_dir() / "tilewright.pc").read_text(), re.M)
    own = {tilewright.__version__, tilewright.runtime.__version__}
    assert {*versions, crate, package, *own} == {tilewright.__version__}
