"""The executor of an exported object or program, and the list of an object's symbols.

An executor owns the inputs and outputs of a model, for programs in C (runtime/native/executor.h).
In: the manifest of a model. Out: the objects and the constant to link with those of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...codegen.linker import Blob
from ...codegen.objects import part_objects
from ...machines.target import Target
from ...runtime.file.manifest import Manifest
from ...support.cache import user_cache
from .linked_code import linked_object


def executor_parts(manifest: Manifest) -> tuple[Sequence[bytes], Blob]:
    """Return the objects of an executor (runtime/native/bundle.c), and the constant that they read.

    The constant is the number of the model's outputs.
    """
    made = part_objects(("bundle",), Target(manifest.target).main_platform.triple, user_cache())
    return made, output_count(manifest)


def output_count(manifest: Manifest) -> Blob:
    """Return the constant of an executor: the number of the model's outputs."""
    count = Target(manifest.target).main_platform.pack("i", len(manifest.outputs))
    return Blob("tw_outputs", count, is_exported=False)


def object_parts(manifest: Manifest, exports: Iterable[str]) -> tuple[Sequence[bytes], Blob]:
    """Return the objects to link with a model's code in an exported object, and their constant.

    They are the executor and the table of symbols; the constant is the number of the model's
    outputs. exports: the symbols that a shared object of the model exports.
    """
    executor, count = executor_parts(manifest)
    return (*executor, linked_object(exports, Target(manifest.target).main_platform.triple)), count
