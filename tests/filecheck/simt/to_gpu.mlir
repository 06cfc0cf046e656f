// RUN: tw-opt %s -p simt-to-gpu | tw-opt | filecheck %s

// Main launches the kernel with the numbers of blocks and threads, then buffers and sizes.

// CHECK-LABEL: func.func @main
// CHECK:         loop.size m
// CHECK:         "gpu.launch_func"
// CHECK-SAME:    kernel = @kernels::@halves
func.func @main(%x: memref<?x4xf32, #te.dims<m, 4>>) attributes {sizes = ["m"]} {
  packed.call @halves(%x) sizes [m] : (memref<?x4xf32, #te.dims<m, 4>>) -> ()
  func.return
}

// Buffers are attributions, lanes are values, and carried lanes those of scf.for.

// CHECK-LABEL: gpu.func @halves
// CHECK-SAME:    (%x : memref<?x4xf32>, %n : index)
// CHECK-SAME:    workgroup(%s : memref<4xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:    private(%p : memref<2xf32, #gpu.address_space<private>>)
// CHECK-SAME:    kernel attributes {known_block_size = array<i32: 2, 1, 1>}
// CHECK:         gpu.thread_id x
// CHECK:         vector.load %x[{{.*}}] : memref<?x4xf32>, vector<2xf32>
// CHECK:         scf.for {{.*}} to %n step {{.*}} iter_args({{.*}}) -> (f32, f32)
// CHECK-COUNT-2: arith.addf
// CHECK:         scf.yield
// CHECK:         vector.store {{.*}} : memref<2xf32, #gpu.address_space<private>>, vector<2xf32>
// CHECK:         "gpu.barrier"
// CHECK:         scf.if
// CHECK-NEXT:      memref.store
// CHECK:         gpu.return
func.func @halves(%x: memref<?x4xf32, #te.dims<n, 4>>) attributes {sizes = ["n"], tw.launch = #simt.launch<grid [n], block [2], shared 16>} {
  %b = simt.block_id x below n
  %t = simt.thread_id x below 2
  %n = loop.size n
  %s = loop.alloc "shared" : memref<4xf32>
  %p = loop.alloc "local" : memref<2xf32>
  %v = loop.load %x[%b, %t * 2] : memref<?x4xf32, #te.dims<n, 4>>, vector<2xf32>
  %sum = loop.for %i = 0 to %n iter_args(%c = %v : vector<2xf32>) {
    %d = arith.addf %c, %v : vector<2xf32>
    loop.yield %d : vector<2xf32>
  }
  loop.store %sum, %p[0] : memref<2xf32>, vector<2xf32>
  %w = loop.load %p[1] : memref<2xf32>, f32
  loop.store %w, %s[%t] : memref<4xf32>, f32
  simt.barrier shared
  %first = arith.constant true
  loop.if %first {
    loop.store %w, %x[%b, %t] : memref<?x4xf32, #te.dims<n, 4>>, f32
  }
  func.return
}
