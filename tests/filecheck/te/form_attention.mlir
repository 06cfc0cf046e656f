// RUN: tw-opt -p graph-to-te,te-fuse-elementwise,te-form-attention,te-outline %s | filecheck %s

// CHECK-LABEL: te.kernel @attention(
// CHECK: te.compute @attention_scores
// CHECK: then
// CHECK-NOT: arith.divf
// CHECK: arith.mulf
// CHECK: te.compute @attention_max
// CHECK: te.compute @attention_exp
// CHECK: te.compute @attention_sum
// CHECK: te.compute @attention [
// CHECK-SAME: k: 8 red
// CHECK-NEXT: ins(%{{[^[]*}}[b, m, k] {{.*}}[b, k, n]
// CHECK-NEXT: post(%{{[^[]*}}[b, m]
// CHECK: te.return
func.func @main(%q: tensor<2x8x4xf32>, %k: tensor<2x8x4xf32>, %v: tensor<2x8x4xf32>, %r: tensor<2x8x8xf32>) -> (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x8xf32>) {
  %s = graph.matmul %q, %k transpose_rhs : tensor<2x8x4xf32>, tensor<2x8x4xf32> -> tensor<2x8x8xf32>
  %c = graph.constant <[3.0] : tensor<f32>> : tensor<f32>
  %b = graph.broadcast %c axes [] : tensor<f32> -> tensor<2x8x8xf32>
  %d = graph.div %s, %b : tensor<2x8x8xf32>
  %p = graph.softmax %d axis 2 : tensor<2x8x8xf32> -> tensor<2x8x8xf32>
  %y = graph.matmul %p, %v : tensor<2x8x8xf32>, tensor<2x8x4xf32> -> tensor<2x8x4xf32>
  // Probabilities that the function returns are still computed.
  // CHECK-LABEL: te.kernel @softmax(
  // CHECK: arith.divf
  // CHECK: te.compute @softmax [
  // CHECK-LABEL: te.kernel @matmul(
  %o = graph.softmax %r axis 2 : tensor<2x8x8xf32> -> tensor<2x8x8xf32>
  %z = graph.matmul %o, %v : tensor<2x8x8xf32>, tensor<2x8x4xf32> -> tensor<2x8x4xf32>
  func.return %y, %z, %o : tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x8xf32>
}
