func.func @main(%x: tensor<4x9xf32>, %i: tensor<6xi64>) -> tensor<4xi64> {
  %p = graph.arg_reduce %x "max" axis 1 : tensor<4x9xf32> -> tensor<4xi64>
  graph.check_indices %p below <9> wraps of "Gather at loc('best')" : tensor<4xi64>
  graph.check_indices %i below <50> of "Gather at loc('words')" : tensor<6xi64>
  graph.check_indices %i below <50> of "Gather at loc('tokens')" : tensor<6xi64>
  func.return %p : tensor<4xi64>
}
