"""Arrays on devices: another name of `tilewright.runtime.nd`, as in programs for TVM."""

from __future__ import annotations

from ..runtime.nd import NDArray, __getattr__, array, empty, from_dlpack, zeros

__all__ = ["NDArray", "__getattr__", "array", "empty", "from_dlpack", "zeros"]
