"""Reduction of failing programs.

shrink  greedy reduction: tries smaller candidates until none fails
models  smaller ONNX models
texts   smaller modules of our dialects
keeps   tests whether a program still fails: by an outcome of testing.fuzz, or by a command
"""
