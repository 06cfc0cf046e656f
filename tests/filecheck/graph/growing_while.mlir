// RUN: tw-opt %s | tw-opt | filecheck %s
// RUN: tw-opt --to te %s | filecheck %s --check-prefix=TE

// A condition ends the loop; its trip count, at most n, is the size u0 of the result.

// CHECK-LABEL: @main
// CHECK: %count, %y = graph.while %c : tensor<i1> below <n> binds "u0" as "i.0"
// CHECK-SAME: carry(%h = %x : tensor<1x4xf32>) to (tensor<?x4xf32, #te.dims<i.0 + 1, 4>>)
// CHECK: graph.yield {{.*}} : tensor<i1>, tensor<?x4xf32, #te.dims<i.0 + 2, 4>>

// TE: [[N:%.*]], [[Y:%.*]] = packed.loop %t to n while %c : tensor<i1> as "i.0"
// TE: packed.bind [[N]] as <u0> : tensor<i64>
// TE: packed.view [[Y]] : tensor<?x4xf32, #te.dims<n + 1, 4>> -> tensor<?x4xf32, #te.dims<u0 + 1, 4>>
func.func @main(%x: tensor<1x4xf32>, %c: tensor<i1>, %xs: tensor<?x4xf32, #te.dims<n, 4>>)
    -> tensor<?x4xf32, #te.dims<u0 + 1, 4>> {
  %count, %y = graph.while %c : tensor<i1> below <n> binds "u0" as "i.0"
      carry(%h = %x : tensor<1x4xf32>) to (tensor<?x4xf32, #te.dims<i.0 + 1, 4>>) {
    %top = graph.reduce %h "max" axes [0] keep : tensor<?x4xf32, #te.dims<i.0 + 1, 4>> -> tensor<1x4xf32>
    %next = graph.concat %h, %top axis 0
        : tensor<?x4xf32, #te.dims<i.0 + 1, 4>>, tensor<1x4xf32>
        -> tensor<?x4xf32, #te.dims<i.0 + 2, 4>>
    graph.yield %c, %next : tensor<i1>, tensor<?x4xf32, #te.dims<i.0 + 2, 4>>
  }
  func.return %y : tensor<?x4xf32, #te.dims<u0 + 1, 4>>
}
