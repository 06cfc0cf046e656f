// RUN: tw-opt -p packed-update-states %s | filecheck %s

// @step reads each element of %w just before it writes that element of %v, so both may be the same
// memory. @turn reads other elements than it writes, and %s is read after its result was written.

// CHECK-LABEL: func.func @main
// CHECK-SAME:    tw.appends = [array<i64: 0, 0, -1>, array<i64: 1, 1, -1>, array<i64: 2, 2, -1>]
// CHECK-NOT:     tw.states
// CHECK-DAG:     %u_1 = packed.alloc : memref<4x4xf32>
// CHECK-DAG:     %r_1 = packed.alloc : memref<4x4xf32>
// CHECK:         packed.call @step(%w, %x, %v)
// CHECK-NEXT:    packed.call @turn(%t, %u_1)
// CHECK-NEXT:    packed.copy %u_1 to %u
// CHECK-NEXT:    packed.call @step(%x, %x, %r_1)
// CHECK-NEXT:    packed.call @step(%s, %r_1, %y)
// CHECK-NEXT:    packed.copy %r_1 to %r
func.func @main(%w: memref<4x4xf32>, %t: memref<4x4xf32>, %s: memref<4x4xf32>, %x: memref<4x4xf32>,
    %v: memref<4x4xf32>, %u: memref<4x4xf32>, %r: memref<4x4xf32>, %y: memref<4x4xf32>)
    attributes {tw.arg_names = ["w", "t", "s", "x"], tw.result_names = ["v", "u", "r", "y"],
        tw.states = [["w", "v"], ["t", "u"], ["s", "r"]]} {
  packed.call @step(%w, %x, %v) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  packed.call @turn(%t, %u) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  packed.call @step(%x, %x, %r) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  packed.call @step(%s, %r, %y) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  func.return
}

te.kernel @step(%a: memref<4x4xf32>, %g: memref<4x4xf32>, %out: memref<4x4xf32>) {
  te.compute @step [i: 4, j: 4]
      ins(%a[i, j] : memref<4x4xf32>, %g[j, i] : memref<4x4xf32>)
      outs(%out[i, j] : memref<4x4xf32>)
      body(%p: f32, %q: f32) {
    %r = arith.subf %p, %q : f32
    te.yield %r : f32
  }
  te.return
}

te.kernel @turn(%a: memref<4x4xf32>, %out: memref<4x4xf32>) {
  te.compute @turn [i: 4, j: 4]
      ins(%a[j, i] : memref<4x4xf32>)
      outs(%out[i, j] : memref<4x4xf32>)
      body(%p: f32) {
    te.yield %p : f32
  }
  te.return
}
