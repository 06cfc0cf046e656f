func.func @scale(%k: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.mul %k, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @shift(%d: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.add %d, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%c: tensor<i1>, %k: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %f = graph.if %c {
    %a = graph.closure @scale(%k) : (tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>)
    graph.yield %a : (tensor<4xf32>) -> tensor<4xf32>
  } else {
    %b = graph.closure @shift(%k) : (tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>)
    graph.yield %b : (tensor<4xf32>) -> tensor<4xf32>
  } : tensor<i1> -> (tensor<4xf32>) -> tensor<4xf32>
  %y = graph.apply %f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
