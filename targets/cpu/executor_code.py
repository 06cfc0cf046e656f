"""The executor of an exported object: runtime/native/executor.c, for every model.

In: the triple of a target. Out: the object to link with those of a model.
"""

from __future__ import annotations

from ...codegen.objects import executor_object
from ...support.cache import user_cache


def executor_code(triple: str) -> bytes:
    """Return the object of the executors of a model."""
    return executor_object(triple, user_cache())
