// RUN: tw-opt --to loop --for "llvm -mcpu=x86-64-v3" --validate %s | filecheck %s

// CHECK: func.func @{{.*}}(
// CHECK: loop.load
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = graph.softmax %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}
