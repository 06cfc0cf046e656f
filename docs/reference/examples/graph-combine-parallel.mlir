func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %wq = graph.constant <[1.0, 2.0, 3.0, 4.0, 0.5, 1.5, 2.5, 3.5, 1.0, 1.0, 0.0, 0.0] : tensor<3x4xf32>> : tensor<3x4xf32>
  %wk = graph.constant <[4.0, 3.0, 2.0, 1.0, 1.0, 0.0, 1.0, 0.0, 2.0, 2.0, 1.0, 1.0] : tensor<3x4xf32>> : tensor<3x4xf32>
  %q = graph.matmul %x, %wq : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %k = graph.matmul %x, %wk : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  func.return %q, %k : tensor<2x4xf32>, tensor<2x4xf32>
}
