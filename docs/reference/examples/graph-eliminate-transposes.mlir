func.func @main(%x: tensor<1x2x2x3xf32>, %v: tensor<4x3xf32>, %w: tensor<5x3xf32>) -> (tensor<1x2x2x3xf32>, tensor<4x5xf32>) {
  %a = graph.transpose %x perm [0, 3, 1, 2] : tensor<1x2x2x3xf32> -> tensor<1x3x2x2xf32>
  %b = graph.abs %a : tensor<1x3x2x2xf32>
  %y = graph.transpose %b perm [0, 2, 3, 1] : tensor<1x3x2x2xf32> -> tensor<1x2x2x3xf32>
  %t = graph.transpose %w perm [1, 0] : tensor<5x3xf32> -> tensor<3x5xf32>
  %z = graph.matmul %v, %t : tensor<4x3xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
  func.return %y, %z : tensor<1x2x2x3xf32>, tensor<4x5xf32>
}
