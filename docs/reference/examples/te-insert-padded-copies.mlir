// after: graph-to-te,te-fuse-elementwise,te-outline
func.func @main(%x: tensor<1x3x4x4xf32>, %w: tensor<3x3x3x3xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) {
  %a = graph.sqrt %x : tensor<1x3x4x4xf32>
  %y = graph.conv %a, %w strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1 : tensor<1x3x4x4xf32>, tensor<3x3x3x3xf32> -> tensor<1x3x4x4xf32>
  func.return %a, %y : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>
}
