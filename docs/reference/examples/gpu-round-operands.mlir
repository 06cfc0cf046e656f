// target: cuda
// precision: tf32
te.kernel @mm(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  te.compute @mm [m: 64, n: 64, k: 64 red]
      ins(%A[m, k] : memref<64x64xf32>, %B[k, n] : memref<64x64xf32>)
      outs(%C[m, n] add 0.0 : f32 : memref<64x64xf32>)
      body(%x: f32, %y: f32) {
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  }
  te.return
}
