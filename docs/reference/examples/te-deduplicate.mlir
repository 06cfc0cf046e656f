// after: graph-to-te,te-outline,te-bufferize
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = graph.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %b = graph.matmul %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  func.return %b : tensor<4x4xf32>
}
