// RUN: tw-opt %s -p simt-branch-single-trips | filecheck %s

// The end may stand before the only iteration: one comparison, none with %k + 3.
// CHECK-LABEL: func.func @guard
// CHECK:         loop.for %k = 0 to 8 {
// CHECK-NEXT:      %f = loop.index [%k + 2] : index
// CHECK-NEXT:      %[[END:.*]] = loop.index [8] : index
// CHECK-NEXT:      %[[RUNS:.*]] = loop.cmp "slt" %f, %[[END]]
// CHECK-NEXT:      loop.if %[[RUNS]] {
// CHECK-NEXT:        %v = loop.load %x[%f]
// CHECK-NEXT:        loop.store %v, %y[%f]
func.func @guard(%x: memref<8xf32>, %y: memref<8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [1], shared 0>} {
  loop.for %k = 0 to 8 {
    loop.for %f = %k + 2 to min(8, %k + 3) {
      %v = loop.load %x[%f] : memref<8xf32>, f32
      loop.store %v, %y[%f] : memref<8xf32>, f32
    }
  }
  func.return
}

// Exactly one iteration: the body alone.
// CHECK-LABEL: func.func @once
// CHECK:         loop.for %k = 0 to 7 {
// CHECK-NEXT:      %f = loop.index [%k + 1] : index
// CHECK-NEXT:      %v = loop.load %x[%f]
// CHECK-NOT:       loop.if
func.func @once(%x: memref<8xf32>, %y: memref<8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [1], shared 0>} {
  loop.for %k = 0 to 7 {
    loop.for %f = %k + 1 to %k + 2 {
      %v = loop.load %x[%f] : memref<8xf32>, f32
      loop.store %v, %y[%f] : memref<8xf32>, f32
    }
  }
  func.return
}

// Two iterations remain a loop.
// CHECK-LABEL: func.func @twice
// CHECK:           loop.for %f = %k + 1 to min(8, %k + 3) {
func.func @twice(%x: memref<8xf32>, %y: memref<8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [1], shared 0>} {
  loop.for %k = 0 to 8 {
    loop.for %f = %k + 1 to min(8, %k + 3) {
      %v = loop.load %x[%f] : memref<8xf32>, f32
      loop.store %v, %y[%f] : memref<8xf32>, f32
    }
  }
  func.return
}

// No iteration: the body stays under a comparison.
// CHECK-LABEL: func.func @never
// CHECK:         loop.for %k = 0 to 7 {
// CHECK:           loop.cmp "slt"
// CHECK-NEXT:      loop.if
func.func @never(%x: memref<8xf32>, %y: memref<8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [1], shared 0>} {
  loop.for %k = 0 to 7 {
    loop.for %f = %k + 1 to %k + 1 {
      %v = loop.load %x[%f] : memref<8xf32>, f32
      loop.store %v, %y[%f] : memref<8xf32>, f32
    }
  }
  func.return
}
