"""The build backend of tilewright-serve: setuptools, with editable installs of metadata only.

In a checkout, the editable install of `tilewright` finds the folder serve/. A second editable
finder, for the namespace `tilewright`, would hide that package, so this one brings no code.
"""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta

_WHEEL = "Wheel-Version: 1.0\nGenerator: tilewright\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_editable(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Write a wheel that contains only the metadata; return its file name."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = build_meta.prepare_metadata_for_build_wheel(scratch, config_settings)
        metadata = (Path(scratch) / folder / "METADATA").read_bytes()
    name = f"{folder.removesuffix('.dist-info')}-py3-none-any.whl"
    files = {f"{folder}/METADATA": metadata, f"{folder}/WHEEL": _WHEEL.encode()}
    record = "".join(f"{file},,\n" for file in (*files, f"{folder}/RECORD")).encode()
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for file, data in {**files, f"{folder}/RECORD": record}.items():
            wheel.writestr(file, data)
    return name


def __getattr__(name: str) -> object:
    """Return the function of setuptools for every other hook of the build."""
    return getattr(build_meta, name)
