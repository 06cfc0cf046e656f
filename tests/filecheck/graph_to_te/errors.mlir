// RUN: not tw-opt -p graph-to-te %s 2>&1 | filecheck %s

// CHECK: graph.det: the sizes of matrices are known only at run time
// CHECK: got: b
// CHECK: hint: give these sizes of the inputs
func.func @unbound(%x: tensor<?x4x4xf32, #te.dims<b, 4, 4>>) -> tensor<?xf32, #te.dims<b>> {
  %y = graph.det %x : tensor<?x4x4xf32, #te.dims<b, 4, 4>> -> tensor<?xf32, #te.dims<b>>
  func.return %y : tensor<?xf32, #te.dims<b>>
}
