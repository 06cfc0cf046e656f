// RUN: not tw-opt %s 2>&1 | filecheck %s

// CHECK: call_types.mlir:12:3: packed.call: @twice is called with wrong types
// CHECK-NEXT: expected: (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT: got: (memref<8xf32>, memref<8xf16>) -> ()
func.func @twice(%x: memref<8xf32>, %y: memref<8xf32>) {
  %v = loop.load %x[0] : memref<8xf32>, f32
  loop.store %v, %y[0] : memref<8xf32>, f32
  func.return
}
func.func @main(%x: memref<8xf32>, %y: memref<8xf16>) {
  packed.call @twice(%x, %y) : (memref<8xf32>, memref<8xf16>) -> ()
  func.return
}

