func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %y = graph.mul %x, %x : tensor<4xf32>
  %s = graph.reduce %y "sum" axes [0] : tensor<4xf32> -> tensor<f32>
  func.return %s : tensor<f32>
}
