// RUN: not tw-opt -p te-to-loop %s 2>&1 | filecheck %s

// CHECK: @k: kernel is in value form
// CHECK: hint: run te-bufferize first
te.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = te.compute @c [i: 4]
      ins(%x[i] : tensor<4xf32>)
      outs([i] : tensor<4xf32>)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return %y : tensor<4xf32>
}
