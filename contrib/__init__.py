"""The graph executor under its name of TVM; see `tilewright.runtime.module.graph_executor`."""

from __future__ import annotations

from . import graph_executor

__all__ = ["graph_executor"]
