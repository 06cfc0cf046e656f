"""The code that makes an exported model a static program: runtime/native/program.c and tables.

In: the manifest of a model. Out: the objects and the constants to link with those of the model.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....codegen.linker import Blob
from ....codegen.objects import PROCESS_PARTS, part_objects, program_objects
from ....machines.target import Target
from ....runtime.errors import ArgumentError
from ....runtime.file.manifest import Manifest
from ....runtime.host import TILE_FLAG
from ....support.cache import user_cache


def program_parts(
    objects: Sequence[bytes], manifest: Manifest
) -> tuple[Sequence[bytes], Sequence[Blob]]:
    """Return the objects of a static program of a model, and its tables as constants.

    objects: the objects of the model, of which those that a program does not use are left out.  The
    tables say which output sizes are computed, whether the program must request the tile registers
    of AMX from the system, and the order of the bytes of numbers.
    Errors: ArgumentError for a model that calls functions of its process.
    """
    if manifest.externs:
        raise ArgumentError(
            f"{manifest.name} calls functions of its process, which a program lacks",
            got=", ".join(manifest.externs),
            hint="export a .so, or a .o for a program that has them",
        )
    entries = computed_entries(manifest)
    platform, cache = Target(manifest.target).main_platform, user_cache()
    triple = platform.triple
    # A program has no host: of the code that a process needs, it uses the worker pool only.
    unused = part_objects(PROCESS_PARTS[1:], triple, cache)
    own = (each for each in objects if each not in unused)
    tables = {
        "tw_entries": platform.pack(f"{len(entries)}i", *entries),
        "tw_uses_tiles": platform.pack("i", TILE_FLAG in manifest.cpu_flags),
        "tw_byte_order": b"<" if platform.byte_order == "little" else b">",
    }
    parts = (*own, *program_objects(triple, cache))
    return parts, [Blob(name, data, is_exported=False) for name, data in tables.items()]


def computed_entries(manifest: Manifest) -> list[int]:
    """Return a position per dimension of all outputs: the entry with the dimension's computed size.

    The position is -1 if the shape of the output is not computed.
    """
    return [entry for spec in manifest.filled for entry in spec.entries or [-1] * len(spec.shape)]
