func.func @scale(%k: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.mul %k, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%k: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %f = graph.closure @scale(%k) : (tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>)
  %y = graph.apply %f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
