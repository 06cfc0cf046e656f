// RUN: tw-opt %s -p 'graph-fold-constants,graph-to-te,te-fuse-elementwise,cpu-narrow-operands{target="llvm -mcpu=znver4" precision=bf16}' | filecheck %s

// Only products read %a, so its producer rounds it.  The argument is rounded in one copy, and the
// sum of its rows reads the argument itself.

// CHECK-LABEL: func.func @main
// CHECK:       %[[X:.*]] = te.compute @narrow [d0: 32, d1: 40]
// CHECK-NEXT:  ins(%x[d0, d1] : tensor<32x40xf32>)
// CHECK:       arith.truncf {{.*}} : f32 to bf16
// CHECK:       %[[A:.*]] = te.compute @matmul [m: 32, n: 24, k: 40 red]
// CHECK-NEXT:  ins(%[[X]][m, k] : tensor<32x40xbf16>, {{.*}} : tensor<40x24xbf16>)
// CHECK-NEXT:  outs([m, n] add 0.0 : f32 : tensor<32x24xbf16>)
// CHECK:       arith.truncf {{.*}} : f32 to bf16
// CHECK:       te.compute @matmul [m: 32, n: 16, k: 24 red]
// CHECK-NEXT:  ins(%[[A]][m, k] : tensor<32x24xbf16>, {{.*}} : tensor<24x16xbf16>)
// CHECK-NEXT:  outs([m, n] add 0.0 : f32 : tensor<32x16xf32>)
// CHECK:       te.compute @reduce_sum
// CHECK-NEXT:  ins(%x

// A sum of an odd number of terms has no instruction.
// CHECK:       te.compute @matmul [m: 32, n: 16, k: 5 red]
// CHECK-NEXT:  ins(%z[m, k] : tensor<32x5xf32>
func.func @main(%x: tensor<32x40xf32>, %z: tensor<32x5xf32>) -> (tensor<32x16xf32>, tensor<32x1xf32>, tensor<32x16xf32>) {
  %i = graph.iota axis 0 : tensor<960xf32>
  %w = graph.reshape %i : tensor<960xf32> -> tensor<40x24xf32>
  %a = graph.matmul %x, %w : tensor<32x40xf32>, tensor<40x24xf32> -> tensor<32x24xf32>
  %j = graph.iota axis 0 : tensor<384xf32>
  %u = graph.reshape %j : tensor<384xf32> -> tensor<24x16xf32>
  %y = graph.matmul %a, %u : tensor<32x24xf32>, tensor<24x16xf32> -> tensor<32x16xf32>
  %s = graph.reduce %x "sum" axes [1] keep : tensor<32x40xf32> -> tensor<32x1xf32>
  %k = graph.iota axis 0 : tensor<80xf32>
  %v = graph.reshape %k : tensor<80xf32> -> tensor<5x16xf32>
  %odd = graph.matmul %z, %v : tensor<32x5xf32>, tensor<5x16xf32> -> tensor<32x16xf32>
  func.return %y, %s, %odd : tensor<32x16xf32>, tensor<32x1xf32>, tensor<32x16xf32>
}
