"""Making a failing program small.

shrink  candidates are tried until none keeps the failure
models  smaller ONNX models
texts   smaller modules of our dialects
keeps   whether a program still fails: as an outcome of testing.fuzz, or by a command
"""
