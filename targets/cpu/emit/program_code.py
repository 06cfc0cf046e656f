"""The code that makes an exported model a static program: runtime/native/program.c and tables.

In: the manifest of a model. Out: the objects and the constants to link with those of the model.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....codegen.linker import Blob
from ....codegen.objects import program_objects
from ....machines.target import Target
from ....runtime.errors import ArgumentError
from ....runtime.file.manifest import Manifest
from ....runtime.host import TILE_FLAG
from ....support.cache import user_cache
from ...library.executor_code import executor_parts


def program_parts(
    objects: Sequence[bytes], manifest: Manifest
) -> tuple[Sequence[bytes], Sequence[Blob]]:
    """Return the objects of a static program of a model, and the constants that it reads.

    objects: the objects of the model.  manifest: its description.  The constants are the number of
    outputs, and those of `program_tables`.

    Errors: ArgumentError for a model that calls functions of its process.
    """
    if manifest.externs:
        raise ArgumentError(
            f"{manifest.name} calls functions of its process, which a program lacks",
            got=", ".join(manifest.externs),
            hint="export a .so, or a .o for a program that has them",
        )
    target, cache = Target(manifest.target), user_cache()
    triple = target.main_platform.triple
    executor, count = executor_parts(manifest)
    parts = (*objects, *executor, *program_objects(triple, cache))
    return parts, [count, *program_tables(manifest)]


def program_tables(manifest: Manifest) -> list[Blob]:
    """Return the constants that runtime/native/program.h declares, for a model.

    They say whether the program must request the tile registers of AMX from the system, for which
    processors it has code, and in which order the bytes of numbers are.
    """
    target = Target(manifest.target)
    platform = target.main_platform
    names = "".join(f"{each.cpu}\0" for each in (target, *target.alternatives))
    tables = {
        "tw_uses_tiles": platform.pack("i", TILE_FLAG in manifest.cpu_flags),
        "tw_processors": names.encode(),
        "tw_byte_order": b"<" if platform.byte_order == "little" else b">",
    }
    return [Blob(name, data, is_exported=False) for name, data in tables.items()]
