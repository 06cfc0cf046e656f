te.kernel @add(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  te.compute @add [i: 64, j: 32] ins(%x[i, j] : memref<64x32xf32>) outs(%y[i, j] : memref<64x32xf32>) body(%a: f32) {
    %b = arith.addf %a, %a : f32
    te.yield %b : f32
  }
  te.return
}
