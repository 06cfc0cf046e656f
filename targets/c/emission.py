"""The emitter of C source: the two files of a program, and its artifact.

The code of an artifact is JSON: the manifest, the name of the model, and the texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ..backend import Artifact, EmittedProgram, Emitter, unknown_kernel
from .program import CProgram
from .source import named


class CSourceEmitter(Emitter):
    """The emitter of C source."""

    def emit(self, module: ModuleOp, max_threads: int) -> CProgram:
        return CProgram(module, self.target)

    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, CProgram), "it was emitted as C source"
        source, header = (text.decode() for text in objects)
        files = {
            "manifest": program.entry.manifest(),
            "name": program.entry.name,
            "c": source,
            "h": header,
            "language": self.target.kind,
        }
        return Artifact(json.dumps(files).encode(), b"", b"")

    def listing(self, program: EmittedProgram, kind: str, kernel: str | None = None) -> str:
        assert isinstance(program, CProgram), "it was emitted as C source"
        if kernel is not None:
            if kernel not in program.functions:
                raise unknown_kernel(kind, kernel, [*program.functions])
            return program.functions[kernel]
        source, header = (text.source for text in program.texts())
        return named(source if kind == "c" else header, program.source.identifier)
