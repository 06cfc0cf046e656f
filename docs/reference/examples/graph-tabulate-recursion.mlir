graph.data @list {nil(), cons(tensor<f32>, @list)}
func.func @sum(%t: !graph.data<@list, 4>) -> tensor<f32> {
  %s = graph.match %t {
    %z = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
    graph.yield %z : tensor<f32>
  } {
  ^bb0(%a: tensor<f32>, %rest: !graph.data<@list, 4>):
    %b = graph.call @sum(%rest) : (!graph.data<@list, 4>) -> tensor<f32>
    %c = graph.add %a, %b : tensor<f32>
    graph.yield %c : tensor<f32>
  } : !graph.data<@list, 4> -> tensor<f32>
  func.return %s : tensor<f32>
}
func.func @main(%n: tensor<i64>, %tags: tensor<4xi64>, %x: tensor<4xf32>, %rest: tensor<4xi64>) -> tensor<f32> {
  %t = graph.table @list(%n, %tags, %x, %rest) : (tensor<i64>, tensor<4xi64>, tensor<4xf32>, tensor<4xi64>) -> !graph.data<@list, 4>
  %s = graph.call @sum(%t) : (!graph.data<@list, 4>) -> tensor<f32>
  func.return %s : tensor<f32>
}
