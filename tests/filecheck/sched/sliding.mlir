// RUN: tw-opt %s -p te-apply-schedule | filecheck %s

// An iteration needs three rows and finds two of them in the rolling buffer.

// CHECK-LABEL: te.kernel @rolling
// CHECK:       %[[T:.*]] = loop.alloc "local" rolling : memref<3x8xf32>
// CHECK-NEXT:  te.compute @twice [h: 2, w: 8]
// CHECK-NEXT:    ins(%X[h, w] : memref<10x8xf32>)
// CHECK-NEXT:    outs(%[[T]][h, w] : memref<3x8xf32>)
// CHECK:       loop.for %[[R:.*]] = 0 to 8 {
// CHECK-NEXT:    te.compute @twice [h: 1, w: 8]
// CHECK-NEXT:      ins(%X[%[[R]] + h + 2, w] : memref<10x8xf32>)
// CHECK-NEXT:      outs(%[[T]][(h + %[[R]] + 2) mod 3, w] : memref<3x8xf32>)
// CHECK:         te.compute @blur [h: 1, w: 8, r: 3 red]
// CHECK-NEXT:      ins(%[[T]][(h + r + %[[R]]) mod 3, w] : memref<3x8xf32>)
te.kernel @rolling(%X: memref<10x8xf32>, %Y: memref<8x8xf32>) {
  %t = loop.alloc "local" : memref<10x8xf32>
  te.compute @twice [h: 10, w: 8]
    ins(%X[h, w] : memref<10x8xf32>) outs(%t[h, w] : memref<10x8xf32>)
    body(%x: f32) {
      %r = arith.addf %x, %x : f32
      te.yield %r : f32
    }
  te.compute @blur [h: 8, w: 8, r: 3 red]
    ins(%t[h + r, w] : memref<10x8xf32>) outs(%Y[h, w] add 0.0 : f32 : memref<8x8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @rolling {
  %b = sched.match {name = blur}
  %t, %i = sched.tile %b {h = 1}
  %p = sched.match {name = twice}
  %f = sched.fuse_into %p, %i
  %r = sched.rolling_buffer %f {out = 0}
}

// A double buffer copies the next rows before the current rows are used.
// CHECK-LABEL: te.kernel @doubled
// CHECK-NEXT:  %[[D:.*]] = loop.alloc "local" : memref<2x2x6xf32>
// CHECK-NEXT:  te.compute @sum_in0 [c0: 2, c1: 6]
// CHECK-NEXT:    ins(%X[c0, c1] : memref<8x6xf32>)
// CHECK-NEXT:    outs(%[[D]][0, c0, c1] : memref<2x2x6xf32>)
// CHECK:       loop.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:    loop.for %[[F:.*]] = %[[I]] + 1 to min(4, %[[I]] + 2) {
// CHECK-NEXT:      te.compute @sum_in0 [c0: 2, c1: 6]
// CHECK-NEXT:        ins(%X[%[[F]] * 2 + c0, c1] : memref<8x6xf32>)
// CHECK-NEXT:        outs(%[[D]][%[[F]] mod 2, c0, c1] : memref<2x2x6xf32>)
// CHECK:         te.compute @sum [i: 2, j: 6 red]
// CHECK-NEXT:      ins(%[[D]][%[[I]] mod 2, i, j] : memref<2x2x6xf32>)
te.kernel @doubled(%X: memref<8x6xf32>, %Y: memref<8xf32>) {
  te.compute @sum [i: 8, j: 6 red]
    ins(%X[i, j] : memref<8x6xf32>) outs(%Y[i] add 0.0 : f32 : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @doubled {
  %c = sched.match {name = sum}
  %t, %i = sched.tile %c {i = 2}
  %copy, %read = sched.cache_read %t {operand = 0}
  %f = sched.fuse_into %copy, %i
  %d = sched.double_buffer %f {out = 0}
}
