// RUN: tw-opt %s | tw-opt | filecheck %s

// The threads of a warp load matrices of 8 x 8 together.

// CHECK-LABEL: func.func @load
// CHECK:         simt.load_matrix %{{.*}}[%{{.*}} mod 16, (%{{.*}} floordiv 16) * 8] : memref<16x24xbf16>, vector<8xbf16>
// CHECK:         simt.load_matrix transposed %{{.*}}[%{{.*}} mod 16, 0] : memref<16x24xbf16>, vector<4xbf16>
func.func @load(%c: memref<32x8xbf16>) attributes {tw.launch = #simt.launch<grid [1], block [32], shared 768>} {
  %tx = simt.thread_id x below 32
  %s = loop.alloc "shared" : memref<16x24xbf16>
  %v = simt.load_matrix %s[%tx mod 16, %tx floordiv 16 * 8] : memref<16x24xbf16>, vector<8xbf16>
  %w = simt.load_matrix transposed %s[%tx mod 16, 0] : memref<16x24xbf16>, vector<4xbf16>
  loop.store %v, %c[%tx, 0] : memref<32x8xbf16>, vector<8xbf16>
  func.return
}
