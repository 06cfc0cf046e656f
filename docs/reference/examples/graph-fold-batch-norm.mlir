func.func @main(%x: tensor<1x1x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %w = graph.constant <[2.0, 5.0] : tensor<2x1x1x1xf32>> : tensor<2x1x1x1xf32>
  %scale = graph.constant <[3.0, 4.0] : tensor<2xf32>> : tensor<2xf32>
  %shift = graph.constant <[5.0, 6.0] : tensor<2xf32>> : tensor<2xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x1x3x3xf32>, tensor<2x1x1x1xf32> -> tensor<1x2x3x3xf32>
  %s = graph.broadcast %scale axes [1] : tensor<2xf32> -> tensor<1x2x3x3xf32>
  %t = graph.broadcast %shift axes [1] : tensor<2xf32> -> tensor<1x2x3x3xf32>
  %a = graph.mul %y, %s : tensor<1x2x3x3xf32>
  %b = graph.add %a, %t : tensor<1x2x3x3xf32>
  func.return %b : tensor<1x2x3x3xf32>
}
