// target: cuda
func.func @mm(%a: memref<32x8xf16>, %c: memref<32x4xf32>) attributes {tw.launch = #simt.launch<grid [1], block [32], shared 512>} {
  %t = simt.thread_id x below 32
  %s = loop.alloc "shared" : memref<16x16xf16>
  %v = loop.load %a[%t, 0] : memref<32x8xf16>, vector<8xf16>
  loop.store %v, %s[%t floordiv 2, (%t mod 2) * 8] : memref<16x16xf16>, vector<8xf16>
  simt.barrier shared
  %x0 = loop.load %s[(%t mod 4) * 2, %t floordiv 4] : memref<16x16xf16>, f16
  %x1 = loop.load %s[(%t mod 4) * 2 + 1, %t floordiv 4] : memref<16x16xf16>, f16
  %x2 = loop.load %s[(%t mod 4) * 2 + 8, %t floordiv 4] : memref<16x16xf16>, f16
  %x3 = loop.load %s[(%t mod 4) * 2 + 9, %t floordiv 4] : memref<16x16xf16>, f16
  %rhs = loop.pack %x0, %x1, %x2, %x3 : f16, f16, f16, f16 to vector<4xf16>
  %lhs = loop.load %a[%t, 0] : memref<32x8xf16>, vector<8xf16>
  %acc = loop.load %c[%t, 0] : memref<32x4xf32>, vector<4xf32>
  %sum = simt.mma %lhs, %rhs, %acc : vector<8xf16>, vector<4xf16>, vector<4xf32> -> vector<4xf32>
  loop.store %sum, %c[%t, 0] : memref<32x4xf32>, vector<4xf32>
  func.return
}
