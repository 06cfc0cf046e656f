"""The graph executor under the name that TVM gives it; see `tilewright.runtime.graph_executor`."""

from __future__ import annotations

from . import graph_executor

__all__ = ["graph_executor"]
