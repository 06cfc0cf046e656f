// RUN: tw-opt --to loop --for "llvm -mcpu=x86-64-v3" --validate %s | filecheck %s
// RUN: not tw-opt %s --load %p/plugin.py -p demo-negate --validate 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: not tw-opt %s --validate 2>&1 | filecheck %s --check-prefix=NOTHING

// WRONG: error: demo-negate: {{.*}}result 0
// NOTHING: --validate needs --to, -p, or schedules
// CHECK: func.func @{{.*}}(
// CHECK: loop.load
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = graph.softmax %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}
