"""The parts that only an exported object has: an executor, and the list of the model's symbols.

An executor owns the inputs and outputs of a model, for programs in C (runtime/native/executor.h).
In: the manifest of a model. Out: the objects and the constant to link with those of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....codegen.linker import Blob
from ....codegen.objects import part_objects
from ....machines.target import Target
from ....runtime.file.manifest import Manifest
from ....support.cache import user_cache
from .linked_code import linked_object


def object_parts(manifest: Manifest, exports: Iterable[str]) -> tuple[Sequence[bytes], Blob]:
    """Return the objects of the executor (runtime/native/bundle.c), and a constant for it.

    The constant is the number of the model's outputs.
    exports: the symbols that a shared object of the model exports.
    """
    platform = Target(manifest.target).main_platform
    count, triple = platform.pack("i", len(manifest.outputs)), platform.triple
    made = part_objects(("bundle",), triple, user_cache())
    return (*made, linked_object(exports, triple)), Blob("tw_outputs", count, is_exported=False)
