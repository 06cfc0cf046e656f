// after: te-outline,te-bufferize
func.func @main(%x: tensor<1x2x6x5xf32>) -> tensor<1x2x4x3xf32> {
  %w = packed.constant <[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] : tensor<2x2x3x3xf32>> : tensor<2x2x3x3xf32>
  %y = te.compute @conv [n: 1, o: 2, h: 4, w: 3, i: 2 red, p: 3 red, q: 3 red]
    ins(%x[n, i, h + p, w + q] : tensor<1x2x6x5xf32>, %w[o, i, p, q] : tensor<2x2x3x3xf32>)
    outs([n, o, h, w] add 0.0 : f32 : tensor<1x2x4x3xf32>) role(winograd 2 2)
    body(%a: f32, %b: f32) {
      %t = arith.mulf %a, %b : f32
      te.yield %t : f32
    }
  func.return %y : tensor<1x2x4x3xf32>
}
