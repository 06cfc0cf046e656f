// target: cuda
// after: graph-to-te,te-outline
func.func @main(%x: tensor<1x16x8x8xf16>, %v: tensor<32x16x3x3xf16>, %w: tensor<32x32x3x3xf16>) -> tensor<1x32x8x8xf16> {
  %a = graph.conv %x, %v strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1 : tensor<1x16x8x8xf16>, tensor<32x16x3x3xf16> -> tensor<1x32x8x8xf16>
  %y = graph.conv %a, %w strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1 : tensor<1x32x8x8xf16>, tensor<32x32x3x3xf16> -> tensor<1x32x8x8xf16>
  func.return %y : tensor<1x32x8x8xf16>
}
