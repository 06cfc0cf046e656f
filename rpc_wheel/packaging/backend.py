"""The build backend of tilewright-rpc: it compiles the C sources for each machine by zig.

In: a checkout, which has the sources in runtime/native/. Out: a wheel with a static program for
each machine. The same sources and the same zig give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import subprocess
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

_PROJECT = Path(__file__).parents[1]
_SOURCES = _PROJECT.parent / "runtime" / "native"
_BUILD = _PROJECT.parent / "tools" / "rpc_build.py"
"""How `tw rpc-server` compiles the same programs."""
_WHEEL = "Wheel-Version: 1.0\nGenerator: tilewright\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_FIRST_TIME = 315532800  # of zip files: 1980


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, object] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Compile the programs, and write the wheel; return its file name."""
    build = _build()
    project = tomllib.loads((_PROJECT / "pyproject.toml").read_text())["project"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    info, package = f"{stem}.dist-info", "tilewright_rpc"
    scripts = "".join(f"{name} = {place}\n" for name, place in project["scripts"].items())
    files = {
        f"{package}/__init__.py": (_PROJECT / "programs.py").read_bytes(),
        f"{package}/programs/sources.sha256": build.sources_digest(_SOURCES).encode(),
        f"{info}/METADATA": _metadata(project).encode(),
        f"{info}/WHEEL": _WHEEL.encode(),
        f"{info}/entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
        f"{info}/licenses/LICENSE": (_PROJECT / "LICENSE").read_bytes(),
    }
    with tempfile.TemporaryDirectory() as scratch:
        for machine in build.MACHINES:
            program = Path(scratch) / machine
            command = build.compile_command(_SOURCES, program, build.zig_compiler(machine))
            subprocess.run(command, check=True)
            files[f"{package}/programs/tilewright-rpc-{machine}"] = program.read_bytes()
    record = "".join(_record_row(*row) for row in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{stem}-py3-none-any.whl"
    seconds = max(int(os.environ.get("SOURCE_DATE_EPOCH", _FIRST_TIME)), _FIRST_TIME)
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, data in files.items():
            row = zipfile.ZipInfo(file, time.gmtime(seconds)[:6])
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = (0o100755 if "/tilewright-rpc-" in file else 0o100644) << 16
            wheel.writestr(row, data)
    return name


def _build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rpc_build", _BUILD)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def _metadata(project: dict[str, str]) -> str:
    rows = {
        "Metadata-Version": "2.4",
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "License-Expression": project["license"],
        "License-File": "LICENSE",
        "Requires-Python": project["requires-python"],
    }
    return "".join(f"{name}: {value}\n" for name, value in rows.items())


def _record_row(file: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{file},sha256={digest},{len(data)}\n"
