"""Load a model from a format that the compiler reads directly: ONNX, or StableHLO text.

In: a path, bytes, an onnx.ModelProto, or StableHLO text.  Out: a `Model`. The contents determine
the format, not the suffix of a file.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ..support.diagnostics import ModelError
from .formats import contents_of, is_stablehlo

if TYPE_CHECKING:
    import onnx

    from .onnx.file.definitions import Model


def load_model(
    source: str | PathLike[str] | bytes | onnx.ModelProto, *, data: bytes | None = None
) -> Model:
    """Read a model from a path, bytes, an onnx.ModelProto or StableHLO text.

    data: the bytes of the file at the path, if they are already read.
    Errors: ModelError if the file or the model in it is malformed.
    """
    if isinstance(source, str) and is_source(source):
        from .stablehlo.model import load_text

        return load_text(source)
    path = Path(source) if isinstance(source, str | PathLike) else None
    given = bytes(source) if isinstance(source, bytes | bytearray | memoryview) else data
    if (path is not None or given is not None) and is_stablehlo(contents_of(path, given)):
        from .stablehlo.model import load_text

        return load_text(_text(path, given), "" if path is None else str(path))
    from .onnx.file.proto import load

    return load(source, data=data)


def is_source(text: str) -> bool:
    """Return whether a string is the text of a StableHLO module rather than a path."""
    return "\n" in text and "{" in text


def _text(path: Path | None, data: bytes | None) -> str:
    try:
        if data is None and path is not None:
            data = path.read_bytes()
        return (data or b"").decode("utf-8")
    except (OSError, ValueError) as err:
        raise ModelError("the file is no UTF-8 text", got=str(err)).in_file(
            str(path or "")
        ) from err
