"""Exercise 1, first part: build a kernel and export it; exercise_1_load.py loads it."""

import tilewright as tvm
from tilewright import te

A = te.placeholder((8, 8), name="A")
B = te.compute((8, 8), lambda i, j: A[j, i], name="B")
tvm.build([A, B], target="llvm", name="transpose").export_library("transpose.so")
