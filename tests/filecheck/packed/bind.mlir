// RUN: tw-opt %s | tw-opt | filecheck %s

// main binds a size to a value that a kernel writes; buffers of that size follow.

// CHECK-LABEL: func.func @main
// CHECK:         packed.call @number(%x, %n)
// CHECK-NEXT:    packed.bind %n as <v0> : memref<i64>
// CHECK-NEXT:    packed.alloc : memref<?xf32, #te.dims<v0>>
func.func @main(%x: memref<4xf32>) attributes {sizes = ["v0"], tw.computed_sizes = ["v0"]} {
  %n = packed.alloc : memref<i64>
  packed.call @number(%x, %n) : (memref<4xf32>, memref<i64>) -> ()
  packed.bind %n as <v0> : memref<i64>
  %a = packed.alloc : memref<?xf32, #te.dims<v0>>
  func.return
}
te.kernel @number(%x: memref<4xf32>, %n: memref<i64>) {
  te.compute @first [] ins(%x[0] : memref<4xf32>) outs(%n[] : memref<i64>) body(%v: f32) {
    %d = arith.fptosi %v : f32 to i64
    te.yield %d : i64
  }
  te.return
}
