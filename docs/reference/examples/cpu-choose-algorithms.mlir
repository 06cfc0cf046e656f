// after: cpu-plan-graph,graph-to-te
func.func @main(%x: tensor<1x32x18x18xf32>) -> tensor<1x32x16x16xf32> {
  %w = graph.constant <splat 0.5 : tensor<32x32x3x3xf32>> : tensor<32x32x3x3xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x32x18x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x16x16xf32>
  func.return %y : tensor<1x32x16x16xf32>
}
