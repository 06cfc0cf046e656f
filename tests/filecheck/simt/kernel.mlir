// RUN: tw-opt %s | tw-opt | filecheck %s

// A kernel that reverses tiles of 128 elements in shared memory.

// CHECK-LABEL: func.func @reverse
// CHECK-SAME:    tw.launch = #simt.launch<grid [8], block [128], shared 512>
// CHECK:         %bx = simt.block_id x below 8
// CHECK-NEXT:    %tx = simt.thread_id x below 128
// CHECK:         simt.barrier shared
func.func @reverse(%x: memref<1024xf32>, %y: memref<1024xf32>) attributes {tw.launch = #simt.launch<grid [8, 1, 1], block [128, 1], shared 512>} {
  %bx = simt.block_id x below 8
  %tx = simt.thread_id x below 128
  %s = loop.alloc "shared" : memref<128xf32>
  %v = loop.load %x[%bx * 128 + %tx] : memref<1024xf32>, f32
  loop.store %v, %s[%tx] : memref<128xf32>, f32
  simt.barrier shared
  %w = loop.load %s[%tx * -1 + 127] : memref<128xf32>, f32
  loop.store %w, %y[%bx * 128 + %tx] : memref<1024xf32>, f32
  func.return
}

// A grid may depend on sizes; the barrier in a serial loop orders global memory too.

// CHECK-LABEL: func.func @open
// CHECK-SAME:    tw.launch = #simt.launch<grid [1, 2 * n], block [1, 4, 8], shared 0>
// CHECK:         simt.block_id y below 2 * n
// CHECK:         simt.thread_id z below 8
// CHECK:         simt.barrier global
func.func @open(%x: memref<?xf32, #te.dims<n>>) attributes {sizes = ["n"], tw.launch = #simt.launch<grid [1, 2 * n], block [1, 4, 8], shared 0>} {
  %by = simt.block_id y below 2 * n
  %tz = simt.thread_id z below 8
  loop.for %i = 0 to 4 {
    simt.barrier global
  }
  func.return
}
