"""The executor of an exported object: runtime/native/executor.c, for every model.

In: the manifest of a model. Out: the object and the constant to link with those of the model.
"""

from __future__ import annotations

import struct

from ...codegen.linker import Blob
from ...codegen.objects import executor_object
from ...runtime.manifest import Manifest
from ...support.cache import user_cache
from ...support.target import Target


def executor_parts(manifest: Manifest) -> tuple[bytes, Blob]:
    """Return the object of the executors of a model, and the number of its outputs."""
    count = struct.pack("<i", len(manifest.outputs))
    made = executor_object(Target(manifest.target).triple, user_cache())
    return made, Blob("tw_outputs", count, is_exported=False)
