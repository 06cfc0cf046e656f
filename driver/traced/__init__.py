"""Compiled Python functions: ``tilewright.function``, derivatives of functions, training steps."""

from __future__ import annotations
