// target: llvm -mcpu=znver4
func.func @main(%x: tensor<1x32xf32>) -> tensor<1x2xf32> {
  %w = graph.constant <splat 1 : tensor<2x1x16xui8>> : tensor<2x1x16xui8>
  %s = graph.constant <splat 0.5 : tensor<2x1xf32>> : tensor<2x1xf32>
  %y = graph.block_matmul %x, %w, %s bits 4 : tensor<1x32xf32>, tensor<2x1x16xui8>, tensor<2x1xf32> -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
