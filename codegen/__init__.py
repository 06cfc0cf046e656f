"""Compile LLVM IR, link a shared object, and generate the tables for the entry code of a model."""
