"""Tensors in files beside an ONNX model: memory-mapped, never outside the model's folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np

from ...support.diagnostics import ModelError


def map_bytes(folder: Path | None, location: str, offset: int, length: int) -> np.ndarray:
    """Map ``length`` bytes of a file beside the model, read-only.

    Errors: ModelError for a path that leaves the folder, a missing file or a range outside it.
    """
    path = _inside(folder, location)
    size = path.stat().st_size
    if offset < 0 or length < 0 or offset + length > size:
        raise ModelError(
            "external data lies outside its file",
            expected=f"bytes within 0..{size} of {location}",
            got=f"offset {offset}, length {length}",
        )
    if length == 0:
        return np.zeros(0, np.uint8)
    return np.memmap(path, np.uint8, mode="r", offset=offset, shape=(length,))


def _inside(folder: Path | None, location: str) -> Path:
    """Resolve a location of the model file to a path that lies in the model's folder."""
    if folder is None:
        raise ModelError(
            "external data needs the model's folder",
            got=f"a model in memory that refers to {location!r}",
            hint="pass the path of the .onnx file",
        )
    parts = PurePosixPath(location).parts + PureWindowsPath(location).parts
    absolute = PurePosixPath(location).is_absolute() or PureWindowsPath(location).anchor
    if not location or absolute or ".." in parts:
        raise _refused(location)
    path = (folder / location).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise _refused(location)
    if not path.is_file():
        raise ModelError("external data file is missing", expected=f"{location} beside the model")
    return path


def _refused(location: str) -> ModelError:
    return ModelError(
        "external data leaves the model's folder",
        expected="a relative path without '..' or links that lead outside",
        got=repr(location),
    )
