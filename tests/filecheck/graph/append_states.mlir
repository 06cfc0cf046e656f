// RUN: tw-opt -p graph-append-states %s | filecheck %s

// The rows of a state become the outermost axis; its other readers read it in the old order.  A state
// that no concat continues stays as it is.
// CHECK:       func.func @main(%past: tensor<?x2x4xf32, #te.dims<p, 2, 4>>, %new: tensor<2x1x4xf32>, %old: tensor<4xf32>)
// CHECK-SAME:    -> (tensor<?x2x4xf32, #te.dims<p + 1, 2, 4>>, tensor<2x?x4xf32, #te.dims<2, p, 4>>, tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>, tensor<4xf32>)
// CHECK-SAME:    tw.appends = [array<i64: 0, 0, 1>]
// CHECK-NEXT:    [[PAST:%.*]] = graph.transpose %past perm [1, 0, 2]
// CHECK-NEXT:    [[NEW:%.*]] = graph.transpose %new perm [1, 0, 2]
// CHECK-NEXT:    [[K:%.*]] = graph.append %past, [[NEW]]
// CHECK-NEXT:    [[BACK:%.*]] = graph.transpose [[K]] perm [1, 0, 2]
// CHECK-NEXT:    [[ALL:%.*]] = graph.exp [[BACK]]
// CHECK-NEXT:    [[H:%.*]] = graph.exp %old
// CHECK-NEXT:    func.return [[K]], [[PAST]], [[ALL]], [[H]]
func.func @main(%past: tensor<2x?x4xf32, #te.dims<2, p, 4>>, %new: tensor<2x1x4xf32>, %old: tensor<4xf32>)
    -> (tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>, tensor<2x?x4xf32, #te.dims<2, p, 4>>, tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>, tensor<4xf32>)
    attributes {tw.arg_names = ["past", "new", "old"], tw.result_names = ["k", "same", "all", "h"], tw.states = [["past", "k"], ["old", "h"]]} {
  %k = graph.concat %past, %new axis 1 : tensor<2x?x4xf32, #te.dims<2, p, 4>>, tensor<2x1x4xf32> -> tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>
  %all = graph.exp %k : tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>
  %h = graph.exp %old : tensor<4xf32>
  func.return %k, %past, %all, %h : tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>, tensor<2x?x4xf32, #te.dims<2, p, 4>>, tensor<2x?x4xf32, #te.dims<2, p + 1, 4>>, tensor<4xf32>
}
