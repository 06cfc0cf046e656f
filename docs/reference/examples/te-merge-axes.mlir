// after: graph-to-te,te-outline,te-bufferize
func.func @main(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) -> tensor<2x3x5xf32> {
  %y = graph.matmul %x, %w : tensor<2x3x4xf32>, tensor<4x5xf32> -> tensor<2x3x5xf32>
  func.return %y : tensor<2x3x5xf32>
}
