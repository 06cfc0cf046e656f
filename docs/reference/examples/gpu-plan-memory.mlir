// after: graph-to-te,te-outline,te-bufferize,te-deduplicate,te-to-loop
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = graph.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %b = graph.matmul %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %c = graph.matmul %b, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %d = graph.matmul %c, %c : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  func.return %d : tensor<4x4xf32>
}
