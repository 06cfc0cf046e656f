"""Targets: another name of `tilewright.machines.target`, as in programs for TVM."""

from __future__ import annotations

from ..machines.target import Target

__all__ = ["Target"]
