func.func @main(%past: tensor<2x?x4xf32, #te.dims<2, p, 4>>, %new: tensor<2x1x4xf32>) -> tensor<2x?x4xf32, #te.dims<2, p + 1, 4>> attributes {tw.arg_names = ["past", "new"], tw.result_names = ["k"], tw.states = [["past", "k"]]} {
  %k = graph.concat %past, %new axis 1 : tensor<2x?x4xf32, #te.dims<2, p, 4>>, tensor<2x1x4xf32> -> tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>
  func.return %k : tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>
}
