// RUN: tw-opt %s -p 'graph-fold-constants,graph-to-te,te-fuse-elementwise,cpu-widen-operands{target="llvm -mcpu=x86-64-v3"}' | filecheck %s

// The weights are f32 constants. Only the second product reads %a, so %a is rounded and stored as
// f32. The argument %x is copied.

// CHECK-LABEL: func.func @main
// CHECK:       ins(%x[d0, d1] : tensor<32x40xbf16>)
// CHECK-NEXT:  outs([d0, d1] : tensor<32x40xf32>)
// CHECK:       packed.constant <{{.*}}> : tensor<40x24xf32>
// CHECK:       te.compute @matmul [m: 32, n: 24, k: 40 red]
// CHECK-NEXT:  ins({{.*}} : tensor<32x40xf32>, {{.*}} : tensor<40x24xf32>)
// CHECK-NEXT:  outs([m, n] add 0.0 : f32 : tensor<32x24xf32>)
// CHECK-NEXT:  body
// CHECK-NEXT:  arith.mulf
// CHECK:       then
// CHECK:       arith.truncf {{.*}} : f32 to bf16
// CHECK-NEXT:  arith.extf {{.*}} : bf16 to f32
// CHECK-NEXT:  te.yield
// CHECK:       packed.constant <{{.*}}> : tensor<24x16xf32>
// CHECK:       te.compute @matmul [m: 32, n: 16, k: 24 red]
// CHECK-NEXT:  ins({{.*}} : tensor<32x24xf32>, {{.*}} : tensor<24x16xf32>)
// CHECK-NEXT:  outs([m, n] add 0.0 : f32 : tensor<32x16xbf16>)

// A product of two rows reads each weight only twice, so the weights stay narrow.
// CHECK:       te.compute @matmul [m: 2, n: 16, k: 40 red]
// CHECK-NEXT:  ins({{.*}} : tensor<2x40xf32>, {{.*}} : tensor<40x16xbf16>)
func.func @main(%x: tensor<32x40xbf16>, %z: tensor<2x40xbf16>) -> (tensor<32x16xbf16>, tensor<2x16xbf16>) {
  %i = graph.iota axis 0 : tensor<960xf32>
  %p = graph.cast %i : tensor<960xf32> -> tensor<960xbf16>
  %w = graph.reshape %p : tensor<960xbf16> -> tensor<40x24xbf16>
  %a = graph.matmul %x, %w : tensor<32x40xbf16>, tensor<40x24xbf16> -> tensor<32x24xbf16>
  %j = graph.iota axis 0 : tensor<384xf32>
  %q = graph.cast %j : tensor<384xf32> -> tensor<384xbf16>
  %u = graph.reshape %q : tensor<384xbf16> -> tensor<24x16xbf16>
  %y = graph.matmul %a, %u : tensor<32x24xbf16>, tensor<24x16xbf16> -> tensor<32x16xbf16>
  %k = graph.iota axis 0 : tensor<640xf32>
  %r = graph.cast %k : tensor<640xf32> -> tensor<640xbf16>
  %v = graph.reshape %r : tensor<640xbf16> -> tensor<40x16xbf16>
  %few = graph.matmul %z, %v : tensor<2x40xbf16>, tensor<40x16xbf16> -> tensor<2x16xbf16>
  func.return %y, %few : tensor<32x16xbf16>, tensor<2x16xbf16>
}
