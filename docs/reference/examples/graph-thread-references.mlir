func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = graph.ref %x : tensor<4xf32> -> !graph.ref<tensor<4xf32>>
  graph.if %c {
    %y = graph.exp %x : tensor<4xf32>
    graph.write %y, %r : tensor<4xf32>, !graph.ref<tensor<4xf32>>
    graph.yield
  } else {
    graph.yield
  } : tensor<i1> ->
  %z = graph.read %r : !graph.ref<tensor<4xf32>> -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
