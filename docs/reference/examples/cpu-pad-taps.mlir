// target: llvm -mcpu=znver4
func.func @main(%x: tensor<1x1x8x8xui8>) -> tensor<1x2x8x8xi32> {
  %w = graph.constant <splat 1 : tensor<2x1x3x3xi8>> : tensor<2x1x3x3xi8>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1 : tensor<1x1x8x8xui8>, tensor<2x1x3x3xi8> -> tensor<1x2x8x8xi32>
  func.return %y : tensor<1x2x8x8xi32>
}
