"""Targets: another name of `tilewright.support.target`, as in programs for TVM."""

from __future__ import annotations

from ..support.target import Target

__all__ = ["Target"]
