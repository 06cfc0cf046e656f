func.func @main(%x: tensor<2x3x5xf32>, %w: tensor<2x5x4xf32>) -> tensor<2x4x3xf32> {
  %half = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %halves = graph.broadcast %half axes [] : tensor<f32> -> tensor<2x4x3xf32>
  %m = graph.matmul %x, %w : tensor<2x3x5xf32>, tensor<2x5x4xf32> -> tensor<2x3x4xf32>
  %t = graph.transpose %m perm [0, 2, 1] : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
  %y = graph.mul %t, %halves : tensor<2x4x3xf32>
  func.return %y : tensor<2x4x3xf32>
}
