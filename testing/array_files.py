"""Arrays in files of numpy, of all element types of models and with any names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

from ..support.diagnostics import TilewrightError

Array = npt.NDArray[np.generic]

ADDED_TYPE = 2
"""The value of `numpy.dtype.isbuiltin` for types that other packages add, such as bfloat16."""


def load_arrays(file: Path) -> Array | dict[str, Array]:
    """Return the array of a .npy file, or the arrays of a .npz file by name.

    Errors: TilewrightError for a file of another kind.
    """
    try:
        with file.open("rb") as stream:
            loaded = np.load(stream, allow_pickle=False)
            if isinstance(loaded, np.lib.npyio.NpzFile):
                return _members(loaded)
    except (OSError, ValueError, EOFError, BadZipFile) as err:
        raise TilewrightError("cannot read the input", got=_reason(err), where=str(file)) from err
    return loaded


def read_archive(file: Path) -> dict[str, Array]:
    """Return the arrays of a .npz file, by name.

    Errors: TilewrightError for a file of another kind.
    """
    loaded = load_arrays(file)
    if not isinstance(loaded, dict):
        raise TilewrightError("an archive of arrays is needed", expected=".npz", got=str(file))
    return loaded


def write_arrays(file: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays to a .npz file; unlike in `numpy.savez`, their names may be any strings.

    Errors: TilewrightError, which names the path, if the file cannot be written.
    """
    try:
        with ZipFile(file, "w") as archive:
            for name, array in arrays.items():
                # Of float8_e5m2, numpy writes a name that it does not read.
                is_added = array.dtype.isbuiltin == ADDED_TYPE
                stored = array.view(f"V{array.itemsize}") if is_added else array
                with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                    np.lib.format.write_array(stream, stored, allow_pickle=False)
    except OSError as err:
        raise TilewrightError("cannot write the file", got=_reason(err), where=str(file)) from err


def _members(archive: np.lib.npyio.NpzFile) -> dict[str, Array]:
    """Return the arrays of an archive, by name.

    Errors: ValueError for a zip file of another kind, such as a saved torch program.
    """
    assert archive.zip is not None, "it is open"
    others = [name for name in archive.zip.namelist() if not name.endswith(".npy")]
    if others:
        raise ValueError(f"a zip file with {others[0]!r}, which is no .npy file")
    return {key: archive[key] for key in archive.files}


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return "not a .npy or .npz file of numbers" if "pickle" in str(error) else str(error)
