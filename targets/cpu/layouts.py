"""The dimension that the layouts of CPU plans store in blocks."""

CHANNELS = 1
"""The dimension of (N, C, X…) that is stored in blocks."""
