"""Gradients: ``te.gradient`` and ``te.jvp`` of tensors, and gradients of graph programs.

dx, dw = gradient(y, [x, w]) tensors.py: te.gradient and te.jvp
"""

from __future__ import annotations
