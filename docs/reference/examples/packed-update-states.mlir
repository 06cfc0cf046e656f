// after: graph-to-te,te-outline,te-bufferize,te-deduplicate
func.func @main(%w: tensor<4xf32>, %t: tensor<i64>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<i64>, tensor<i64>) attributes {tw.arg_names = ["w", "t", "g"], tw.result_names = ["v", "u", "s"], tw.states = [["w", "v"], ["t", "u"]]} {
  %v = graph.sub %w, %g : tensor<4xf32>
  %u = graph.add %t, %t : tensor<i64>
  %s = graph.mul %t, %t : tensor<i64>
  func.return %v, %u, %s : tensor<4xf32>, tensor<i64>, tensor<i64>
}
