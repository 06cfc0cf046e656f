"""The dimension that the layouts of CPU plans store in blocks."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr

from ...dialects.te.layout import block_sizes

CHANNELS = 1
"""The dimension of (N, C, X…) that is stored in blocks."""


def channel_block(layout: AffineMapAttr | None) -> int | None:
    """Return the number of channels that a layout stores together; None: row-major channels."""
    return None if layout is None else block_sizes(layout).get(CHANNELS)
