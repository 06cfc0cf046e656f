// target: cuda -arch=sm_90a
func.func @mm(%a: memref<64x64xf16>, %b: memref<16x64xf16>, %c: memref<128x4xf32>) attributes {tw.launch = #simt.launch<grid [1], block [32, 1, 4], shared 10240>} {
  %t = simt.thread_id x below 32
  %w = simt.thread_id z below 4
  %s = loop.alloc "shared" : memref<64x64xf16>
  %u = loop.alloc "shared" : memref<16x64xf16>
  loop.for %i = 0 to 4 {
    %v = loop.load %a[%i * 16 + %w * 4 + %t floordiv 8, (%t mod 8) * 8] : memref<64x64xf16>, vector<8xf16>
    loop.store %v, %s[%i * 16 + %w * 4 + %t floordiv 8, (%t mod 8) * 8] : memref<64x64xf16>, vector<8xf16>
  }
  %q = loop.load %b[%w * 4 + %t floordiv 8, (%t mod 8) * 8] : memref<16x64xf16>, vector<8xf16>
  loop.store %q, %u[%w * 4 + %t floordiv 8, (%t mod 8) * 8] : memref<16x64xf16>, vector<8xf16>
  simt.barrier shared
  %x0 = loop.load %s[%w * 16 + %t floordiv 4 + 0, (%t mod 4) * 2 + 0] : memref<64x64xf16>, f16
  %x1 = loop.load %s[%w * 16 + %t floordiv 4 + 0, (%t mod 4) * 2 + 1] : memref<64x64xf16>, f16
  %x2 = loop.load %s[%w * 16 + %t floordiv 4 + 8, (%t mod 4) * 2 + 0] : memref<64x64xf16>, f16
  %x3 = loop.load %s[%w * 16 + %t floordiv 4 + 8, (%t mod 4) * 2 + 1] : memref<64x64xf16>, f16
  %x4 = loop.load %s[%w * 16 + %t floordiv 4 + 0, (%t mod 4) * 2 + 8] : memref<64x64xf16>, f16
  %x5 = loop.load %s[%w * 16 + %t floordiv 4 + 0, (%t mod 4) * 2 + 9] : memref<64x64xf16>, f16
  %x6 = loop.load %s[%w * 16 + %t floordiv 4 + 8, (%t mod 4) * 2 + 8] : memref<64x64xf16>, f16
  %x7 = loop.load %s[%w * 16 + %t floordiv 4 + 8, (%t mod 4) * 2 + 9] : memref<64x64xf16>, f16
  %lhs = loop.pack %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7 : f16, f16, f16, f16, f16, f16, f16, f16 to vector<8xf16>
  %y0 = loop.load %u[(%t mod 4) * 2 + 0, %t floordiv 4] : memref<16x64xf16>, f16
  %y1 = loop.load %u[(%t mod 4) * 2 + 1, %t floordiv 4] : memref<16x64xf16>, f16
  %y2 = loop.load %u[(%t mod 4) * 2 + 8, %t floordiv 4] : memref<16x64xf16>, f16
  %y3 = loop.load %u[(%t mod 4) * 2 + 9, %t floordiv 4] : memref<16x64xf16>, f16
  %rhs = loop.pack %y0, %y1, %y2, %y3 : f16, f16, f16, f16 to vector<4xf16>
  %acc = loop.load %c[%w * 32 + %t, 0] : memref<128x4xf32>, vector<4xf32>
  %sum = simt.mma %lhs, %rhs, %acc : vector<8xf16>, vector<4xf16>, vector<4xf32> -> vector<4xf32>
  loop.store %sum, %c[%w * 32 + %t, 0] : memref<128x4xf32>, vector<4xf32>
  func.return
}
