func.func @main(%x: tensor<1x16x6x6xf32>, %w: tensor<16x16x3x3xf32>, %v: tensor<16x16x1x1xf32>) -> tensor<1x16x6x6xf32> {
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1 : tensor<1x16x6x6xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x6x6xf32>
  %z = graph.conv %y, %v strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x16x6x6xf32>, tensor<16x16x1x1xf32> -> tensor<1x16x6x6xf32>
  func.return %z : tensor<1x16x6x6xf32>
}
