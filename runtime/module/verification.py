"""Verification of exported files without loading them: all digests, and the signature.

    verify_file("m.so", ["key.pub.pem"])

In: a file in any format of `export_library`, and trusted public keys, or none. An error is raised
for a file that was changed. Objects, archives of objects and programs contain the digest of their
weights, but no digest of their own bytes: only a signature protects them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ..abi.constants import SYMBOL_MANIFEST
from ..abi.library import LoadError
from ..file.archive import archived, is_archive, is_static_library, programs_in
from ..file.file_signing import Key
from ..file.sections import SHARED, Sections
from .exported_files import Files, check_weights, contents, read_whole, weights_of


def verify_file(path: str | PathLike[str], trusted: Sequence[Key] | None = None) -> None:
    """Check all bytes of an exported file and of its weights, and its signature if keys are given.

    trusted: public keys, of which one must have signed the file; None: do not check the signature.

    Errors: LoadError if a digest or the signature is wrong; OSError if a file cannot be read.
    """

    def check() -> None:
        name, data = os.fspath(path), contents(Path(path), trusted)
        if is_archive(data):
            _, programs = programs_in(data, name, verify=True)
            for parts in programs:
                _verify(Files(name, parts["library"], parts["params"]))
        else:
            _verify(Files(name, data, None, is_read=trusted is not None))

    read_whole(Path(path), check)


def _verify(files: Files) -> None:
    code = files.library
    if is_static_library(code):
        code = archived(code, files.path)[-1]
    found = Sections(code, files.path)
    text = found.text(SYMBOL_MANIFEST)
    if not text:
        hint = "export the model with export_library"
        raise LoadError(f"{files.path} has no manifest of an exported model", hint=hint)
    fields = json.loads(text)
    if found.kind == SHARED and not found.is_started:
        image = files.image
        image.check()
        image.check_rest(fields["rest_sha256"])
        _, weights = weights_of(files, image, fields)
    elif fields["weights_file"]:
        weights = files.weights_file(fields["weights_file"])[-fields["weights_bytes"] :]
    else:
        return
    if weights.nbytes:
        check_weights(files, weights, fields)
