"""gpu-group-calls: group independent kernel calls into sections; packed-group-calls for GPUs.

    packed.call @rotate(%x, %q)                  packed.sections {
    packed.call @copy(%past, %keys)       ==>      packed.call @rotate(%x, %q)
                                                   packed.call @copy(%past, %keys) }

simt-merge-launches makes one launch of the small kernels of a section.  A device has no threads of
the host, so no call is marked serial.

Before, After: as packed-group-calls.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...passes.packed.group_calls import GroupCalls


@dataclass(frozen=True)
class GpuGroupCalls(GroupCalls):
    """Form sections of independent calls."""

    name = "gpu-group-calls"
    has_threads: ClassVar[bool] = False
