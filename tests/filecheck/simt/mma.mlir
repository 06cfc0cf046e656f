// RUN: tw-opt %s | tw-opt | filecheck %s

// The threads of a warp multiply matrices of which each holds a part.

// CHECK-LABEL: func.func @mma
// CHECK:         simt.mma %{{.*}}, %{{.*}}, %{{.*}} : vector<8xbf16>, vector<4xbf16>, vector<4xf32> -> vector<4xf32>
func.func @mma(%a: memref<32x8xbf16>, %b: memref<32x4xbf16>, %c: memref<32x4xf32>) attributes {tw.launch = #simt.launch<grid [1], block [32], shared 0>} {
  %tx = simt.thread_id x below 32
  %lhs = loop.load %a[%tx, 0] : memref<32x8xbf16>, vector<8xbf16>
  %rhs = loop.load %b[%tx, 0] : memref<32x4xbf16>, vector<4xbf16>
  %acc = loop.load %c[%tx, 0] : memref<32x4xf32>, vector<4xf32>
  %sum = simt.mma %lhs, %rhs, %acc : vector<8xbf16>, vector<4xbf16>, vector<4xf32> -> vector<4xf32>
  loop.store %sum, %c[%tx, 0] : memref<32x4xf32>, vector<4xf32>
  func.return
}
