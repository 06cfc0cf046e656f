// RUN: not tw-opt -p graph-to-te %s 2>&1 | filecheck %s

// CHECK: graph.cumulative: size is not bound to a number
// CHECK: got: b in tensor<?x4xf32, #te.dims<b, 4>>
// CHECK: hint: give the sizes of the inputs
func.func @unbound(%x: tensor<?x4xf32, #te.dims<b, 4>>) -> tensor<?x4xf32, #te.dims<b, 4>> {
  %y = graph.cumulative %x "sum" axis 1 : tensor<?x4xf32, #te.dims<b, 4>> -> tensor<?x4xf32, #te.dims<b, 4>>
  func.return %y : tensor<?x4xf32, #te.dims<b, 4>>
}
