// RUN: tw-opt -p 'packed-group-calls{target="llvm -mcpu=x86-64-v3"}' %s | filecheck %s

// Independent neighbours share one launch, also across address ops. Disjoint parts of one
// buffer are independent; a reader of a result waits; small kernels do not share.

// CHECK-LABEL: func.func @main
// CHECK:         packed.view
// CHECK-NEXT:    packed.sections {
// CHECK-NEXT:      packed.call @upper(%x, %a)
// CHECK-NEXT:      packed.call @lower(%v, %a)
// CHECK-NEXT:    }
// CHECK-NEXT:    packed.call @upper(%a, %y)
// CHECK-NEXT:    packed.call serial @small(%y, %z)
func.func @main(%x: memref<512x512xf32>, %y: memref<512x512xf32>, %z: memref<8xf32>) {
  %a = packed.alloc : memref<512x512xf32>
  packed.call @upper(%x, %a) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  %v = packed.view %x : memref<512x512xf32> -> memref<262144xf32>
  packed.call @lower(%v, %a) : (memref<262144xf32>, memref<512x512xf32>) -> ()
  packed.call @upper(%a, %y) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  packed.call @small(%y, %z) : (memref<512x512xf32>, memref<8xf32>) -> ()
  func.return
}

// A carried buffer may be any buffer, so the second call may read the result of the first.

// CHECK-LABEL: func.func @carried
// CHECK-NOT:     packed.sections
func.func @carried(%x: memref<512x512xf32>, %y: memref<512x512xf32>) {
  %a = packed.alloc : memref<512x512xf32>
  %b = packed.alloc : memref<512x512xf32>
  %r = packed.loop %t to 3 carry(%h = %a : memref<512x512xf32>) {
    packed.call @upper(%x, %b) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
    packed.call @upper(%h, %y) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
    packed.yield %b : memref<512x512xf32>
  }
  func.return
}

// Calls under different conditions stay apart.

// CHECK-LABEL: func.func @conditions
// CHECK:         packed.sections {
// CHECK-NEXT:      packed.call when <0> @upper(%x, %a)
// CHECK-NEXT:      packed.call when <0> @lower(%v, %a)
// CHECK-NEXT:    }
// CHECK-NEXT:    packed.call @upper(%x, %y)
func.func @conditions(%x: memref<512x512xf32>, %v: memref<262144xf32>, %a: memref<512x512xf32>, %y: memref<512x512xf32>) {
  packed.call when <0> @upper(%x, %a) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  packed.call when <0> @lower(%v, %a) : (memref<262144xf32>, memref<512x512xf32>) -> ()
  packed.call @upper(%x, %y) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  func.return
}

te.kernel @upper(%x: memref<512x512xf32>, %y: memref<512x512xf32>) {
  te.compute @upper [i: 256, j: 512] ins(%x[i, j] : memref<512x512xf32>) outs(%y[i, j] : memref<512x512xf32>)
    body(%a: f32) { te.yield %a : f32 }
  te.return
}
te.kernel @lower(%x: memref<262144xf32>, %y: memref<512x512xf32>) {
  te.compute @lower [i: 256, j: 512] ins(%x[i * 512 + j] : memref<262144xf32>) outs(%y[i + 256, j] : memref<512x512xf32>)
    body(%a: f32) { te.yield %a : f32 }
  te.return
}
te.kernel @small(%x: memref<512x512xf32>, %y: memref<8xf32>) {
  te.compute @small [i: 8] ins(%x[i, i] : memref<512x512xf32>) outs(%y[i] : memref<8xf32>)
    body(%a: f32) { te.yield %a : f32 }
  te.return
}
