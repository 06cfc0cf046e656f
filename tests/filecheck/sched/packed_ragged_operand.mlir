// RUN: tw-opt %s -p 'gpu-plan{target="cuda -arch=sm_90a"},te-apply-schedule' | filecheck %s
// The copy of a packed operand whose rows are ragged gets a name that no compute has.
// CHECK: te.compute @conv_in0 
// CHECK: te.compute @conv_in0_1 
builtin.module {
  te.kernel @conv_11(%x0: memref<8x144x28x28xf16>, %w1: memref<32x144x1x1xf16>, %w2: memref<32xf16>, %out: memref<8x28x28x32xf16>) attributes {constants = array<i64: 1, 2>, cost = #te.cost<flops = 116207616, computes = [conv]>} {
    te.compute @conv [n: 8, h: 28, w: 28, o: 32, i: 144 red]
          ins(%x0[n, i, h, w] : memref<8x144x28x28xf16>, %w1[o, i, 0, 0] : memref<32x144x1x1xf16>)
          post(%w2[o] : memref<32xf16>)
          outs(%out[n, h, w, o] add 0.0 : f32 : memref<8x28x28x32xf16>)
          body(%0: f16, %1: f16) {
      %2 = arith.extf %0 : f16 to f32
      %3 = arith.extf %1 : f16 to f32
      %4 = arith.mulf %2, %3 : f32
      te.yield %4 : f32
    } then(%5: f32, %6: f16) {
      %7 = arith.extf %6 : f16 to f32
      %8 = arith.addf %5, %7 : f32
      %9 = arith.truncf %8 : f32 to f16
      te.yield %9 : f16
    }
    te.return
  }
}
