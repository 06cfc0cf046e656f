te.kernel @mean(%x: memref<2x6x4x5xf32>, %y: memref<2x6xf32>) {
  te.compute @mean [n: 2, c: 6, h: 4 red, w: 5 red] ins(%x[n, c, h, w] : memref<2x6x4x5xf32>)
      outs(%y[n, c] add 0.0 : f32 : memref<2x6xf32>) body(%e: f32) { te.yield %e : f32 }
  te.return
}
func.func @main(%x: memref<2x6x4x5xf32>, %y: memref<2x6xf32>) {
  packed.call @mean(%x, %y) : (memref<2x6x4x5xf32>, memref<2x6xf32>) -> ()
  func.return
}
