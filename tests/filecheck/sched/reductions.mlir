// RUN: tw-opt %s -p te-apply-schedule | filecheck %s

// rfactor makes four partial sums; a factor that does not divide the extent adds a leaf for the remainder.

// CHECK-LABEL: te.kernel @partial
// CHECK:       %[[P:.*]] = loop.alloc "local" : memref<4x8xf32>
// CHECK-NEXT:  te.compute @sum_rf [i: 8, ko: 2 red, ki: 4]
// CHECK-NEXT:    ins(%X[i, ko * 4 + ki] : memref<8x10xf32>)
// CHECK-NEXT:    outs(%[[P]][ki, i] add 0.0 : f32 : memref<4x8xf32>)
// CHECK:       te.compute @sum_rf [i: 8, ko: 1 red, ki: 2]
// CHECK-NEXT:    ins(%X[i, ko * 4 + ki + 8] : memref<8x10xf32>)
// CHECK-NEXT:    outs(%[[P]][ki, i] add acc : memref<4x8xf32>)
// CHECK:       te.compute @sum [i: 8, ki: 4 red]
// CHECK-NEXT:    ins(%[[P]][ki, i] : memref<4x8xf32>)
// CHECK-NEXT:    outs(%Y[i] add 1.0 : f32 : memref<8xf32>)
te.kernel @partial(%X: memref<8x10xf32>, %Y: memref<8xf32>) {
  te.compute @sum [i: 8, k: 10 red]
    ins(%X[i, k] : memref<8x10xf32>) outs(%Y[i] add 1.0 : f32 : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @partial {
  %c = sched.match {name = sum}
  %p, %f = sched.rfactor %c {axis = k, factor = 4, part = inner, into = [ko, ki]}
}

// The initial values of all iterations are stored before the loop.
// CHECK-LABEL: te.kernel @before
// CHECK-NEXT:  te.compute @sum_init [l0: 4, i: 2]
// CHECK-NEXT:    outs(%Y[l0 * 2 + i] : memref<8xf32>)
// CHECK:       loop.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:    te.compute @sum [i: 2, k: 10 red]
// CHECK-NEXT:      ins(%X[%[[I]] * 2 + i, k] : memref<8x10xf32>)
// CHECK-NEXT:      outs(%Y[%[[I]] * 2 + i] add acc : memref<8xf32>)
te.kernel @before(%X: memref<8x10xf32>, %Y: memref<8xf32>) {
  te.compute @sum [i: 8, k: 10 red]
    ins(%X[i, k] : memref<8x10xf32>) outs(%Y[i] add 0.0 : f32 : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @before {
  %c = sched.match {name = sum}
  %t, %i = sched.tile %c {i = 2}
  %init, %update = sched.decompose_reduction %t, %i
}

// Padding to multiples of the tile: zeros around the operands; only the valid rows are copied out.
// CHECK-LABEL: te.kernel @padded
// CHECK:       te.compute @sum_in0 [c0: 8, c1: 16]
// CHECK-NEXT:    ins(%X[c0, c1] pad 0.0 : memref<7x10xf32>)
// CHECK:       te.compute @sum [i: 8, k: 16 red]
// CHECK:       te.compute @sum_out0 [i: 7]
te.kernel @padded(%X: memref<7x10xf32>, %Y: memref<7xf32>) {
  te.compute @sum [i: 7, k: 10 red]
    ins(%X[i, k] : memref<7x10xf32>) outs(%Y[i] add 0.0 : f32 : memref<7xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @padded {
  %c = sched.match {name = sum}
  %p = sched.pad_einsum %c {i = 4, k = 8}
}

// Values that a later compute overwrites are not stored.
// CHECK-LABEL: te.kernel @clipped
// CHECK:       te.compute @all [i: 8]
// CHECK:         outs(%Y[i] clip [0 to 6] : memref<8xf32>)
te.kernel @clipped(%X: memref<8xf32>, %Z: memref<2xf32>, %Y: memref<8xf32>) {
  te.compute @all [i: 8]
    ins(%X[i] : memref<8xf32>) outs(%Y[i] : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.compute @end [i: 2]
    ins(%Z[i] : memref<2xf32>) outs(%Y[i + 6] : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @clipped {
  %c = sched.match {name = all}
  %p = sched.set_store_predicate %c {i = [0, 6]}
}
