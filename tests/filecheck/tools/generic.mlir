// RUN: tw-opt %s --print-op-generic | tw-opt | filecheck %s
// RUN: tw-opt %s --to sched --for "llvm -mcpu=x86-64-v3" --print-op-generic | tw-opt | filecheck %s --check-prefix=SCHED

// CHECK: ins(%x[m + k - 1] pad 0.0 : tensor<4xf32>)
// CHECK-NEXT: outs([m] add 0.0 : f32 : tensor<4xf32>)
// SCHED: outs(%{{.*}}[m] add 0.0 : f32 : memref<4xf32>)
// SCHED: sched.script
// SCHED: sched.match {name = s}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = te.compute @s [m: 4, k: 3 red]
      ins(%x[m + k - 1] pad 0.0 : tensor<4xf32>)
      outs([m] add 0.0 : f32 : tensor<4xf32>)
      body(%p: f32) {
    te.yield %p : f32
  }
  %z = te.compute @t [m: 4]
      ins(%y[m] : tensor<4xf32>)
      outs([m] : tensor<4xf32>)
      body(%p: f32) {
    te.yield %p : f32
  }
  func.return %z : tensor<4xf32>
}
