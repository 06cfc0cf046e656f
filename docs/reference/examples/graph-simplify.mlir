func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %zero = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zeros = graph.broadcast %zero axes [] : tensor<f32> -> tensor<2x3xf32>
  %a = graph.add %x, %zeros : tensor<2x3xf32>
  %b = graph.reshape %a : tensor<2x3xf32> -> tensor<6xf32>
  %y = graph.reshape %b : tensor<6xf32> -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}
