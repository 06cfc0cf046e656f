// RUN: tw-opt %s | tw-opt | filecheck %s
// RUN: tw-opt --to te %s | filecheck %s --check-prefix=TE
// RUN: tw-opt --to packed %s | filecheck %s --check-prefix=PACKED

// The iteration number is a size in the region: the carried value gets one row more.

// CHECK-LABEL: @main
// CHECK: %y = graph.scan <n> as "i.0" carry(%h = %x : tensor<1x4xf32>)
// CHECK-SAME: to (tensor<?x4xf32, #te.dims<i.0 + 1, 4>>) over
// CHECK: graph.yield {{.*}} : tensor<?x4xf32, #te.dims<i.0 + 2, 4>>

// TE: packed.loop %t to n as "i.0" carry(%h = {{.*}} : tensor<1x4xf32>)
// TE-SAME: to (tensor<?x4xf32, #te.dims<i.0 + 1, 4>>) {

// Two buffers of the largest size are swapped; views hold the values.
// PACKED: packed.loop %t to n as "i.0" carry({{.*}}memref<?x4xf32, #te.dims<n + 1, 4>>
// PACKED: packed.view {{.*}} : memref<?x4xf32, #te.dims<n + 1, 4>> -> memref<?x4xf32, #te.dims<i.0 + 1, 4>>
// PACKED: packed.view {{.*}} : memref<?x4xf32, #te.dims<n + 1, 4>> -> memref<?x4xf32, #te.dims<i.0 + 2, 4>>
// PACKED: packed.call {{.*}} sizes [i.0]
func.func @main(%x: tensor<1x4xf32>, %xs: tensor<?x4xf32, #te.dims<n, 4>>)
    -> tensor<?x4xf32, #te.dims<n + 1, 4>> {
  %y = graph.scan <n> as "i.0" carry(%h = %x : tensor<1x4xf32>)
      to (tensor<?x4xf32, #te.dims<i.0 + 1, 4>>)
      over(%e = %xs : tensor<?x4xf32, #te.dims<n, 4>>) {
    %row = graph.reshape %e : tensor<4xf32> -> tensor<1x4xf32>
    %next = graph.concat %h, %row axis 0
        : tensor<?x4xf32, #te.dims<i.0 + 1, 4>>, tensor<1x4xf32>
        -> tensor<?x4xf32, #te.dims<i.0 + 2, 4>>
    graph.yield %next : tensor<?x4xf32, #te.dims<i.0 + 2, 4>>
  }
  func.return %y : tensor<?x4xf32, #te.dims<n + 1, 4>>
}
