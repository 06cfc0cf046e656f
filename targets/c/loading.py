"""C source in this process: the C compiler of this machine makes a library of it at the first call.

In: an artifact of C source.  Out: the callable of the program.  The commands `cc` and `zig cc` are
tried in this order; the compiler only runs when the program is called.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from ...runtime.abi.ndarray import Array
from ...runtime.errors import OutOfRangeError
from ...runtime.file.manifest import Manifest
from ...runtime.module.loading import LoadedCode, LoadError
from ...runtime.module.python_program import load_function
from ..backend import Artifact, process_code
from .compiler import c_compiler
from .export import language_of, texts_of

FLAGS = ("-O2", "-fPIC", "-shared")
"""The options with which source is compiled for this process, after that of its language."""
_NAME = "model"


def load_program(artifact: Artifact) -> LoadedCode:
    """Return the callable code of a C program, which the C compiler compiles at the first call."""
    manifest = Manifest.parse(json.loads(bytes(artifact.code))["manifest"])

    @cache
    def functions() -> tuple[Callable[..., int], Callable[[int], bytes]]:
        return _compiled(artifact)

    def run(arrays: Sequence[Array]) -> None:
        call, message = functions()
        status = call(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))
        if status:
            raise OutOfRangeError(message(status).decode())

    return load_function(run, manifest, process_code=process_code)


def _compiled(artifact: Artifact) -> tuple[Callable[..., int], Callable[[int], bytes]]:
    """Compile a program with the C compiler, and load it.

    Returns the function that runs the model and the one that returns the message of a status.
    Errors: LoadError without a C compiler.
    """
    command = c_compiler()
    if command is None:
        raise LoadError(
            "C source needs a C compiler to run",
            expected="cc, or the Python package ziglang",
            got="neither",
            hint="apt-get install gcc, or pip install ziglang",
        )
    source, header = texts_of(artifact, _NAME)
    language = language_of(artifact)
    with TemporaryDirectory(prefix="tilewright-") as scratch:
        folder = Path(scratch)
        (folder / f"{_NAME}.h").write_text(header)
        file, library = folder / f"{_NAME}{language.suffix}", folder / f"{_NAME}.so"
        file.write_text(source)
        made = subprocess.run(
            [*command, language.standard, *FLAGS, "-o", str(library), str(file), "-lm"],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            raise LoadError("the C compiler refuses the source", got=made.stderr.strip())
        loaded = ctypes.CDLL(str(library))
    message = loaded[f"{_NAME}_message"]
    message.restype = ctypes.c_char_p
    return loaded[f"{_NAME}_run"], message


__all__ = ["FLAGS", "c_compiler", "load_program"]
