"""MLIR bytecode, https://mlir.llvm.org/docs/BytecodeFormat: a writer and a reader.

In and out: an op of any dialect, and bytes. The writer writes version 0, which every `mlir-opt`
since LLVM 16 reads; types and attributes are texts in it, so that no dialect needs an encoding of
its own. The names of values are not in bytecode.
"""
