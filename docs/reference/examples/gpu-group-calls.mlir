// after: graph-to-te,te-outline,te-bufferize,te-deduplicate
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<1x4xf32>) {
  %q = graph.matmul %x, %w : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  %k = graph.matmul %w, %x : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  %y = graph.matmul %q, %k : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  %z = graph.slice %y starts <0, 0> steps [1, 1] : tensor<128x128xf32> -> tensor<1x4xf32>
  func.return %y, %z : tensor<128x128xf32>, tensor<1x4xf32>
}
