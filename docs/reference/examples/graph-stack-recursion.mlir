func.func @main(%n: tensor<i64>) -> tensor<i64> attributes {tw.most_calls = 30 : i64} {
  %one = graph.constant <[1] : tensor<i64>> : tensor<i64>
  %two = graph.constant <[2] : tensor<i64>> : tensor<i64>
  %small = graph.lt %n, %two : tensor<i64>
  %r = graph.if %small {
    graph.yield %n : tensor<i64>
  } else {
    %m1 = graph.sub %n, %one : tensor<i64>
    %m2 = graph.sub %n, %two : tensor<i64>
    %a = graph.call @main(%m1) : (tensor<i64>) -> tensor<i64>
    %b = graph.call @main(%m2) : (tensor<i64>) -> tensor<i64>
    %s = graph.add %a, %b : tensor<i64>
    graph.yield %s : tensor<i64>
  } : tensor<i1> -> tensor<i64>
  func.return %r : tensor<i64>
}
