"""Code for browsers and node: a WebAssembly module, an ES module that runs it, and its types.

In: the program of a model for wasm32.  Out: an artifact whose code is the manifest, and in an
export three files: ``m.wasm`` holds code, weights and, in the section ``tilewright``, the manifest;
``m.mjs`` (runtime/native/web.mjs) loads it and converts the arrays of a call; ``m.d.ts`` declares
the types of ``m.mjs``.  If code has line tables, ``m.mlir`` is the program to which they refer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePath

from ....codegen.archive import archive
from ....codegen.linker import Blob
from ....codegen.objects import part_objects
from ....codegen.webassembly import link_module, with_section
from ....machines.target import Target
from ....runtime.abi.constants import (
    DTYPES,
    SYMBOL_LAST_ERROR,
    SYMBOL_MAIN,
    SYMBOL_OUTPUT_SHAPES,
    WEIGHT_ALIGNMENT_BYTES,
    element_bytes,
)
from ....runtime.errors import ArgumentError
from ....runtime.file.archive import archived
from ....runtime.file.manifest import Manifest, TensorSpec
from ...backend import Artifact, EmittedProgram, Export, ExportedFile
from .emission import CpuEmitter
from .export import program_text
from .program import CpuProgram

SECTION = "tilewright"
"""The name of the section with the manifest."""
DIGEST_SECTION = "build_id"
"""The name of the last section: the SHA-256 of all bytes before it, and first its length.
Source: WebAssembly tool conventions, BuildId.md.
"""
FUNCTIONS = (
    SYMBOL_MAIN, SYMBOL_OUTPUT_SHAPES, SYMBOL_LAST_ERROR, "tw_error_kind", "tw_allocate_memory",
    "tw_free_memory",
)  # fmt: skip
"""The functions and variables that web.mjs uses."""
PARTS = ("print", "web")
"""The parts of the prelude that a module contains in addition to its entry."""
_ARRAYS = {
    "float32": "Float32Array", "float64": "Float64Array", "int8": "Int8Array",
    "int16": "Int16Array", "int32": "Int32Array", "int64": "BigInt64Array",
    "uint32": "Uint32Array", "uint64": "BigUint64Array",
}  # fmt: skip
_BITS = {1: "Uint8Array", 2: "Uint16Array"}
"""The class of JavaScript that holds the elements of each dtype; of others, by size, their bits."""


class WebEmitter(CpuEmitter):
    """The emitter for WebAssembly: LLVM compiles the program; an export links the objects."""

    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, CpuProgram), "it was emitted for CPUs"
        every = archive((*objects, *part_objects(PARTS, self.target.triple, self.cache)))
        manifest, text = program.entry.manifest().encode(), program.annotated_text
        return Artifact(manifest, b"", program.weights.data, objects=every, program_text=text)


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an exported model, the WebAssembly module last.

    Errors: ArgumentError for a model that calls functions of its process; LinkError.
    """
    fields = json.loads(bytes(artifact.code))
    manifest = Manifest.of(fields)
    if manifest.externs:
        raise ArgumentError(
            f"{manifest.name} calls functions of its process, which WebAssembly lacks",
            got=", ".join(manifest.externs),
            hint="export a .so for this machine",
        )
    weights = memoryview(artifact.weights).cast("B")
    blob = Blob("tw_weights_data", weights if weights.nbytes else b"\0", WEIGHT_ALIGNMENT_BYTES)
    objects = [bytes(each) for each in archived(memoryview(artifact.objects), "the objects")]
    code = link_module(objects, blobs=[blob], exports=FUNCTIONS)
    code = with_section(code, SECTION, json.dumps(fields | export.facts).encode())
    digest = sha256(code).digest()
    code = with_section(code, DIGEST_SECTION, bytes((len(digest),)) + digest)
    stem = PurePath(export.file).stem
    return [
        *program_text(artifact, PurePath(export.file)),
        ExportedFile(f"{stem}.d.ts", (declarations(manifest).encode(),)),
        ExportedFile(f"{stem}.mjs", (_script(export.file, manifest),)),
        ExportedFile(export.file, (code,)),
    ]


def declarations(manifest: Manifest) -> str:
    """Return the TypeScript declarations of the ES module of a model."""
    inputs, outputs = (
        "".join(f"  {json.dumps(spec.name)}: {_array(spec)};\n" for spec in specs)
        for specs in (manifest.inputs, manifest.outputs)
    )
    text = files("tilewright.runtime.native").joinpath("web.d.ts").read_text()
    return text.replace("  /* inputs */\n", inputs).replace("  /* outputs */\n", outputs)


def _array(spec: TensorSpec) -> str:
    sizes = ", ".join(map(str, spec.shape)).replace("*/", "* /")
    return f"Tensor<{_array_class(spec)}> /* {spec.dtype}[{sizes}] */"


def _array_class(spec: TensorSpec) -> str:
    found = _ARRAYS.get(spec.dtype) or _BITS.get(element_bytes(spec.dtype))
    if found is None:
        raise ArgumentError(
            f"JavaScript has no arrays for {spec.name}",
            expected=f"{', '.join(_ARRAYS)}, or a type of at most 2 bytes",
            got=spec.dtype,
        )
    return found


def _script(file: str, manifest: Manifest) -> bytes:
    text = files("tilewright.runtime.native").joinpath("web.mjs").read_text()
    sizes = TensorSpec("sizes", (), "int64")
    rows: dict[str, str] = {}
    for spec in (*manifest.inputs, *manifest.outputs, sizes):
        code, bits = DTYPES[spec.dtype]
        word, size = code | bits << 8 | 1 << 16, element_bytes(spec.dtype)
        rows[spec.dtype] = f"  {spec.dtype}: [{_array_class(spec)}, {word}, {size}],"
    table = "\n".join(("{", *rows.values(), "}"))
    constants = {
        "FILE": json.dumps(file),
        "FEATURES": json.dumps(Target(manifest.target).features),
        "DTYPES": table,
    }
    for name, value in constants.items():
        text = re.sub(rf"^const {name} = .*;$", f"const {name} = {value};", text, flags=re.M)
    return text.encode()
