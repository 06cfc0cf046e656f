func.func @scale(%k: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.mul %k, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @twice(%f: (tensor<4xf32>) -> tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.apply %f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = graph.apply %f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}
func.func @main(%k: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %f = graph.closure @scale(%k) : (tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>)
  %y = graph.call @twice(%f, %x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
