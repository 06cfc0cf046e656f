"""The objects of a library: code that is compiled for it, and parts that all libraries share."""

from __future__ import annotations

from collections.abc import Sequence

from ...codegen.llvm import Machine
from ...codegen.objects import cached_object, part_objects, shared_objects
from ...codegen.worker import CompileOptions
from ...support.cache import user_cache


def own_objects(texts: Sequence[str], parts: Sequence[str], triple: str) -> Sequence[bytes]:
    """Return the objects of a library, without those that each process loads only once.

    texts: LLVM IR of the library's own code.  parts: the names of sources in runtime/native/ that
    the library needs.  triple: the triple of the system that runs the library.
    """
    options, cache = CompileOptions(Machine(triple), ("O1",)), user_cache()
    own = [cached_object(text, options, cache) for text in texts]
    return (*own, *part_objects(tuple(parts), triple, cache))


def library_objects(texts: Sequence[str], parts: Sequence[str], triple: str) -> Sequence[bytes]:
    """Return the objects of a library, in the order in which they are linked.

    texts: LLVM IR of the library's own code.  parts: the names of sources in runtime/native/ that
    the library needs in addition to those that each process needs once.  triple: the triple of the
    system that runs the library.
    """
    return (*own_objects(texts, parts, triple), *shared_objects(triple, user_cache()))
