func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %variance = graph.constant <[3.0, 8.0, 15.0] : tensor<3xf32>> : tensor<3xf32>
  %eps = graph.constant <[1.0] : tensor<f32>> : tensor<f32>
  %e = graph.broadcast %eps axes [] : tensor<f32> -> tensor<3xf32>
  %v = graph.add %variance, %e : tensor<3xf32>
  %s = graph.sqrt %v : tensor<3xf32>
  %rows = graph.broadcast %s axes [1] : tensor<3xf32> -> tensor<2x3xf32>
  %y = graph.div %x, %rows : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
