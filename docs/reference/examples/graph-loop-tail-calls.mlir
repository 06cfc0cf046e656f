func.func @main(%n: tensor<i64>, %a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> attributes {tw.most_calls = 64 : i64} {
  %zero = graph.constant <[0] : tensor<i64>> : tensor<i64>
  %one = graph.constant <[1] : tensor<i64>> : tensor<i64>
  %more = graph.lt %zero, %n : tensor<i64>
  %r = graph.if %more {
    %m = graph.sub %n, %one : tensor<i64>
    %y = graph.mul %a, %x : tensor<4xf32>
    %u = graph.call @main(%m, %a, %y) : (tensor<i64>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %u : tensor<4xf32>
  } else {
    graph.yield %x : tensor<4xf32>
  } : tensor<i1> -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
