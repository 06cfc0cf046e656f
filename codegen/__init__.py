"""From LLVM IR text to a shared object: compiling, linking, and the code around a model."""
