// RUN: tw-opt %s -p te-apply-schedule | filecheck %s

// Steps that change a leaf in place, and loop peeling.

// CHECK-LABEL: te.kernel @axes
// CHECK:       te.compute @sum [i: 8, kk: 2 red, ko: 3 red]
// CHECK-NEXT:    ins(%X[i, ko * 2 + kk] : memref<8x6xf32>)
te.kernel @axes(%X: memref<8x6xf32>, %Y: memref<8xf32>) {
  te.compute @sum [i: 8, k: 6 red]
    ins(%X[i, k] : memref<8x6xf32>) outs(%Y[i] add 0.0 : f32 : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @axes {
  %c = sched.match {name = sum}
  %s = sched.split_axis %c {k = 2, into = [ko, kk]}
  %o = sched.order %s {axes = [i, kk, ko]}
}

// The first and last iterations are peeled; loops of one trip are inlined.
// CHECK-LABEL: te.kernel @peeled
// CHECK-NEXT:  te.compute @copy [i: 2]
// CHECK-NEXT:    ins(%X[i] : memref<8xf32>)
// CHECK:       loop.for %[[I:.*]] = 1 to 3 {
// CHECK-NEXT:    te.compute @copy [i: 2]
// CHECK-NEXT:      ins(%X[%[[I]] * 2 + i] : memref<8xf32>)
// CHECK:       te.compute @copy [i: 2]
// CHECK-NEXT:    ins(%X[i + 6] : memref<8xf32>)
te.kernel @peeled(%X: memref<8xf32>, %Y: memref<8xf32>) {
  te.compute @copy [i: 8]
    ins(%X[i] : memref<8xf32>) outs(%Y[i] : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @peeled {
  %c = sched.match {name = copy}
  %t, %i = sched.tile %c {i = 2}
  %p = sched.peel %i {front = 1, back = 1}
}

// The first leaf and the last one have handles of their own; only the first one is a vector.
// CHECK-LABEL: te.kernel @parts
// CHECK:       te.compute @copy [i: 4]
// CHECK:         tile(vec = i, lanes = 4)
// CHECK:       te.compute @copy [i: 3]
// CHECK-NOT:     tile
te.kernel @parts(%X: memref<7xf32>, %Y: memref<7xf32>) {
  te.compute @copy [i: 7]
    ins(%X[i] : memref<7xf32>) outs(%Y[i] : memref<7xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @parts {
  %c = sched.match {name = copy}
  %t, %i = sched.tile %c {i = 4}
  %first, %rest = sched.split_handle %t {last = 1}
  %v = sched.vectorize %first {axis = i, lanes = 4}
}
