// after: graph-fold-constants,cpu-plan-graph,graph-to-te,te-fuse-elementwise
func.func @main(%x: tensor<1x32x18x18xf32>) -> tensor<1x32x16x16xf32> {
  %i = graph.iota axis 0 : tensor<9216xf32>
  %w = graph.reshape %i : tensor<9216xf32> -> tensor<32x32x3x3xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x32x18x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x16x16xf32>
  func.return %y : tensor<1x32x16x16xf32>
}
