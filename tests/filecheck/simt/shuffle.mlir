// RUN: tw-opt %s | tw-opt | filecheck %s
// RUN: tw-opt %s | tw-opt -p simt-repeat-results,simt-combine-lanes --for cuda | filecheck %s --check-prefix=CUDA

// Warps exchange values in a branch that they decide alike: it depends on no index along x.

// CHECK-LABEL: func.func @rows
// CHECK:         loop.if
// CHECK-NEXT:      simt.shuffle xor 16 %{{.*}} : f32
func.func @rows(%x: memref<100xf32>) attributes {tw.launch = #simt.launch<grid [1], block [32, 4], shared 0>} {
  %tx = simt.thread_id x below 32
  %ty = simt.thread_id y below 4
  %v = loop.load %x[%ty * 25 + %tx floordiv 2] : memref<100xf32>, f32
  %e = loop.index [3] : index
  %c = loop.cmp "slt" %ty, %e : index, index, i1
  loop.if %c {
    %w = simt.shuffle xor 16 %v : f32
    loop.store %w, %x[%tx] : memref<100xf32>, f32
  }
  func.return
}

// A warp reduces a vector in five steps; all threads have the result, and nothing is shared.

// CUDA-LABEL: func.func @sum
// CUDA-NOT:     "shared"
// CUDA:         loop.alloc "warp" : memref<32xf32>
// CUDA:         loop.for bind threadIdx.x %[[T:.*]] = 0 to 32 {
// CUDA:           loop.load %{{.*}}[%[[T]]] : memref<32xf32>, f32
// CUDA:           loop.pack
// CUDA-NEXT:      loop.reduce "add" %{{.*}} : vector<2xf32> to f32
// CUDA-NOT:     vector<32xf32>
func.func @sum(%x: memref<32xf32>, %y: memref<32xf32>) {
  loop.for bind blockIdx.x %b = 0 to 1 {
    %p = loop.alloc "shared" : memref<32xf32>
    %s = loop.alloc "shared" : memref<1xf32>
    loop.for bind threadIdx.x %t = 0 to 32 {
      %v = loop.load %x[%t] : memref<32xf32>, f32
      loop.store %v, %p[%t] : memref<32xf32>, f32
    }
    %a = loop.load %p[0] : memref<32xf32>, vector<32xf32>
    %r = loop.reduce "add" %a : vector<32xf32> to f32
    loop.store %r, %s[0] : memref<1xf32>, f32
    loop.for bind threadIdx.x %t = 0 to 32 {
      %w = loop.load %s[0] : memref<1xf32>, f32
      loop.store %w, %y[%t] : memref<32xf32>, f32
    }
  }
  func.return
}
