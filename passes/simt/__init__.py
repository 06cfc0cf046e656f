"""Passes from fork-join kernels to the simt level."""
