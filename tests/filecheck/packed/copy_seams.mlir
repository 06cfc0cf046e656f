// RUN: tw-opt %s -p gpu-copy-to-host | filecheck %s

// The second function takes a value that the first one left on the host, and one that a kernel has
// changed since. No op of the device reads %b.

// CHECK-LABEL: func.func @main
// CHECK:         packed.call @fill(%x, %a)
// CHECK-NEXT:    [[A:%\w+]] = packed.alloc host : memref<4xf32>
// CHECK-NEXT:    packed.copy %a to [[A]]
// CHECK-NEXT:    [[B:%\w+]] = packed.alloc host
// CHECK-NEXT:    packed.extern "f"([[A]], [[B]])
// CHECK-NEXT:    packed.call @fill(%x, %a)
// CHECK-NEXT:    [[C:%\w+]] = packed.alloc host
// CHECK-NEXT:    packed.copy %a to [[C]]
// CHECK-NEXT:    [[D:%\w+]] = packed.alloc host
// CHECK-NEXT:    packed.extern "g"([[C]], [[B]], [[D]])
// CHECK-NEXT:    packed.copy [[D]] to %y
// CHECK-NEXT:    func.return
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = packed.alloc : memref<4xf32>
  %b = packed.alloc : memref<4xf32>
  packed.call @fill(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  packed.extern "f"(%a, %b) with [#builtin.int<0>, #builtin.int<1>] of ["float32", "float32"] from #builtin.int<1> : (memref<4xf32>, memref<4xf32>) -> ()
  packed.call @fill(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  packed.extern "g"(%a, %b, %y) with [#builtin.int<0>, #builtin.int<1>, #builtin.int<2>] of ["float32", "float32", "float32"] from #builtin.int<2> : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
func.func @fill(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    %v = loop.load %x[%i] : memref<4xf32>, f32
    loop.store %v, %y[%i] : memref<4xf32>, f32
  }
  func.return
}
