// RUN: not tw-opt %s --split-input-file 2>&1 | filecheck %s

// Line numbers count from the start of the file, not of its part.
// CHECK: located.mlir:12:5: 'loop.yield' must be the last operation
// CHECK-NEXT: loop.yield
// CHECK-NEXT: ^^^
func.func @right() {
  func.return
}
// -----
func.func @wrong() {
    loop.yield
  func.return
}
