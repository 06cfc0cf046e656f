"""Gradients in Python: of te tensors.

dx, dw = gradient(y, [x, w])        tensors.py: te.gradient and te.jvp
"""

from __future__ import annotations
