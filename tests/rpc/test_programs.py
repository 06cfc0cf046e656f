"""The servers for devices that are compiled already: the wheel tilewright-rpc."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import tilewright
from tilewright import rpc
from tilewright.runtime import include_dir
from tilewright.tools import rpc_build, rpc_program

WHEEL = Path(__file__).parents[2] / "rpc_wheel"


def backend() -> ModuleType:
    spec = importlib.util.spec_from_file_location("backend", WHEEL / "packaging" / "backend.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_wheel_compiles_as_the_command_does() -> None:
    made, sources = backend()._build(), include_dir()
    assert made.MACHINES == rpc_build.MACHINES
    assert made.sources_digest(sources) == rpc_build.sources_digest(sources)
    command = made.compile_command(sources, Path("made"), made.zig_compiler("riscv64"))
    assert command[-4:] == ["-o", "made", str(sources / "rpc" / "server.c"), "-lpthread"]


def test_a_program_of_the_wheel_is_used_if_its_sources_are_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "tilewright_rpc" / "programs"
    programs.mkdir(parents=True)
    shutil.copy(WHEEL / "programs.py", programs.parent / "__init__.py")
    (programs / "tilewright-rpc-aarch64").write_bytes(b"program")
    (programs / "sources.sha256").write_text(rpc_build.sources_digest(include_dir()))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "tilewright_rpc", raising=False)
    monkeypatch.setattr(rpc_program, "_compiler", lambda machine, **_: refuse(machine))
    assert rpc_program.server_program("aarch64") == programs / "tilewright-rpc-aarch64"
    with pytest.raises(tilewright.ArgumentError, match="riscv64"):
        rpc_program.server_program("riscv64")
    (programs / "sources.sha256").write_text("other sources")
    with pytest.raises(tilewright.ArgumentError, match="aarch64"):
        rpc_program.server_program("aarch64")
    sys.modules.pop("tilewright_rpc", None)


def refuse(machine: str) -> list[str]:
    raise tilewright.ArgumentError(f"no compiler for {machine}")


@pytest.mark.nightly
@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="needs ziglang")
def test_the_wheel_is_small_and_its_programs_serve(tmp_path: Path) -> None:
    wheel = tmp_path / backend().build_wheel(str(tmp_path))
    assert wheel.stat().st_size < 1_000_000
    with zipfile.ZipFile(wheel) as files:
        names = [name for name in files.namelist() if "/tilewright-rpc-" in name]
        files.extractall(tmp_path, names)
    assert len(names) == len(rpc_build.MACHINES)
    for name in names:
        program, machine = tmp_path / name, name.rpartition("-")[2]
        assert program.stat().st_size < 200_000
        program.chmod(0o755)
        emulator = [] if machine == platform.machine() else [f"qemu-{machine}"]
        if emulator and shutil.which(emulator[0]) is None:
            continue
        with rpc.PopenSession([*emulator, str(program), "--stdio"]) as remote:
            assert remote.facts["machine"] == machine
