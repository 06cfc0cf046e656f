"""The code that makes an exported model a static program: runtime/native/program.c and its table.

In: the manifest of a model. Out: the objects and the constant to link with the model's.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ...codegen.linker import Blob
from ...codegen.objects import program_objects
from ...runtime.errors import ArgumentError
from ...runtime.host import TILE_FLAG
from ...runtime.manifest import Manifest
from ...support.cache import user_cache
from ...support.target import Target


def program_parts(manifest: Manifest) -> tuple[Sequence[bytes], Blob]:
    """Return the objects of a program, and the table of the computed sizes of its outputs.

    Errors: ArgumentError for a model that calls functions of its process, or has tiles of AMX, for
    whose registers a program would have to ask the kernel.
    """
    if TILE_FLAG in manifest.cpu_flags:
        raise ArgumentError(
            f"{manifest.name} uses the tile registers of AMX, which no static program asks for",
            got=manifest.target,
            hint="export a .so, or compile for a target with -mattr=-amx-tile",
        )
    if manifest.externs:
        raise ArgumentError(
            f"{manifest.name} calls functions of its process, which a program lacks",
            got=", ".join(manifest.externs),
            hint="export a .so, or a .o for a program that has them",
        )
    entries = computed_entries(manifest)
    table = struct.pack(f"<{len(entries)}i", *entries)
    objects = program_objects(Target(manifest.target).triple, user_cache())
    return objects, Blob("tw_entries", table, is_exported=False)


def computed_entries(manifest: Manifest) -> list[int]:
    """Return, for each dimension of each output, the position of its actual size, or -1."""
    return [entry for spec in manifest.filled for entry in spec.entries or [-1] * len(spec.shape)]
