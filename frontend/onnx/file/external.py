"""Memory-map the external tensor files of an ONNX model, never outside the model's folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np

from ....support.diagnostics import ModelError


def map_bytes(folder: Path | None, location: str, offset: int, length: int) -> np.ndarray:
    """Map a range of a file into memory, read-only.

    folder: the model's folder.  location: the file's path in this folder, as the model gives it.
    Errors: ModelError for a path outside the folder, a missing file or a range outside the file.
    """
    try:
        path = _inside(folder, location)
        size = path.stat().st_size
    except (OSError, ValueError, RuntimeError) as err:
        # Invalid file names, circular links, folders without permission.
        raise ModelError(
            "external data cannot be read",
            got=f"{location[:80]!r} ({type(err).__name__})",
            hint="put the data file next to the model",
        ) from err
    if offset < 0 or length < 0 or offset + length > size:
        raise ModelError(
            "external data lies outside its file",
            expected=f"bytes within 0..{size} of {location}",
            got=f"offset {offset}, length {length}",
            hint="the data file is truncated or belongs to another model",
        )
    if length == 0:
        return np.zeros(0, np.uint8)
    try:
        return np.memmap(path, np.uint8, mode="r", offset=offset, shape=(length,))
    except OSError as err:
        raise ModelError(
            "external data cannot be mapped",
            got=f"{location[:80]!r}: {err.strerror}",
            hint="check the file's permissions and the memory limit of this process",
        ) from err


def _inside(folder: Path | None, location: str) -> Path:
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
        raise ModelError(
            "external data file is missing",
            expected=f"{location} next to the model",
            hint="copy the data file into the model's folder",
        )
    return path


def _refused(location: str) -> ModelError:
    return ModelError(
        "external data leaves the model's folder",
        expected="a relative path without '..' or links that lead outside",
        got=repr(location[:80]),
        hint="put the data file into the model's folder",
    )
