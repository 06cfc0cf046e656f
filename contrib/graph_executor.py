"""Another name of `tilewright.runtime.module.graph_executor`, as in programs for TVM."""

from __future__ import annotations

from ..runtime.module.graph_executor import GraphModule, create

__all__ = ["GraphModule", "create"]
