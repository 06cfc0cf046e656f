"""Passes from kernels with loops bound to thread indices to the simt level."""
