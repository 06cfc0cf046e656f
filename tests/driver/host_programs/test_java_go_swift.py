"""The C runtime in Java, Go and Swift: programs load models, read their inputs, handle errors."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.testing.models import ffn_model

from .hosts import FLAGS, NATIVE, tool

EXAMPLES = NATIVE.parents[1] / "examples" / "deploy"
X = (np.arange(32, dtype=np.float32) / 32).reshape(4, 8)


def check(run: Callable[[str], subprocess.CompletedProcess[str]], folder: Path) -> None:
    """Run a program on its model, on a missing file, and on a model with another input."""
    mod = tilewright.compile(ffn_model(m=4, k=8, n=8))
    mod.export_library(folder / "m.so")
    done = run("m.so")
    assert (done.returncode, done.stderr) == (0, "x: float32[4, 8]\n")
    made = np.array(done.stdout.split(), np.float32).reshape(4, 8)
    np.testing.assert_array_equal(made, mod(X).numpy())
    done = run("missing.so")
    assert done.returncode == 1
    assert done.stderr.startswith("RuntimeError: missing.so cannot be loaded")
    tilewright.compile(ffn_model(m=3, k=8, n=8)).export_library(folder / "other.so")
    done = run("other.so")
    assert done.returncode == 1
    assert "got: size 4 in dimension 0" in done.stderr


def test_java_runs_models(tmp_path: Path) -> None:
    home = Path(tool("javac")).resolve().parents[1]
    headers = [f"-I{home / 'include'}", f"-I{home / 'include' / 'linux'}"]
    sources = [NATIVE / "java" / "tilewright.c", NATIVE / "tilewright.c"]
    built = [tool("gcc"), *FLAGS, *headers, "-shared", "-fPIC", "-o", tmp_path / "libtilewright.so"]
    subprocess.run([*built, *sources, "-ldl", "-lpthread"], check=True)
    classes = tmp_path / "classes"
    java = [*(NATIVE / "java" / "tilewright").glob("*.java"), EXAMPLES / "Run.java"]
    subprocess.run([tool("javac"), "-Xlint:all", "-Werror", "-d", classes, *java], check=True)
    command = [tool("java"), "-Xcheck:jni", "-Djava.library.path=.", "-cp", "classes", "Run"]

    def run(file: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, file], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    check(run, tmp_path)


def test_go_runs_models(tmp_path: Path) -> None:
    go = tool("go")
    (tmp_path / "main.go").write_text((EXAMPLES / "run.go").read_text())
    required = "require tilewright v0.0.0\nreplace tilewright =>"
    (tmp_path / "go.mod").write_text(f"module app\n\ngo 1.19\n{required} {NATIVE / 'go'}\n")
    environ = {
        **os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local",
        "CGO_ENABLED": "1",
    }  # fmt: skip
    subprocess.run([go, "build", "-o", "app", "."], cwd=tmp_path, env=environ, check=True)

    def run(file: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["./app", file], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    check(run, tmp_path)


def test_the_module_map_of_swift_is_read(tmp_path: Path) -> None:
    found = find_spec("ziglang")
    if found is None or found.origin is None:
        pytest.skip("needs ziglang, whose clang reads modules")
    headers = Path(found.origin).parent / "lib" / "include"
    source = tmp_path / "app.c"
    source.write_text('#include "tilewright.h"\nint32_t (*const load)() = (int32_t(*)())tw_load;\n')
    modules = ["-fmodules", f"-fmodules-cache-path={tmp_path}", "-Rmodule-build"]
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", "clang", "-fsyntax-only", *modules,
         f"-I{NATIVE}", "-isystem", str(headers), "-ffreestanding", str(source)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "building module 'CTilewright'" in done.stderr
