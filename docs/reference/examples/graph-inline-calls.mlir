func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.mul %x, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = graph.call @square(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}
