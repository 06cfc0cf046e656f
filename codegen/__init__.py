"""Compile LLVM IR text, link a shared object, and generate the entry code of a model."""
