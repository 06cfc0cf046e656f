// target: c -max-ram=1K
// after: graph-to-te,te-fuse-elementwise
func.func @main(%x: tensor<1x2x12x12xf32>, %w: tensor<4x2x1x1xf32>, %d: tensor<4x1x3x3xf32>) -> tensor<1x4x12x12xf32> {
  %a = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x2x12x12xf32>, tensor<4x2x1x1xf32> -> tensor<1x4x12x12xf32>
  %y = graph.conv %a, %d strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 4 : tensor<1x4x12x12xf32>, tensor<4x1x3x3xf32> -> tensor<1x4x12x12xf32>
  func.return %y : tensor<1x4x12x12xf32>
}
