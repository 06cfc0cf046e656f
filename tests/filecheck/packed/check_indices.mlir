// RUN: tw-opt %s | tw-opt -p 'packed-group-calls{target="llvm -mcpu=x86-64-v3"}' | filecheck %s

// The check of an argument precedes the section; the check of a value that a call writes follows the section.

// CHECK-LABEL: func.func @main
// CHECK:         packed.check_indices %i below [50] wraps of "words" : memref<4x2xi64>
// CHECK-NEXT:    packed.check_indices %i below [7, 9] of "pairs" : memref<4x2xi64>
// CHECK-NEXT:    packed.sections {
// CHECK-NEXT:      packed.call @big(%x, %a)
// CHECK-NEXT:      packed.call @big(%x, %y)
// CHECK-NEXT:      packed.call @number(%x, %n)
// CHECK-NEXT:    }
// CHECK-NEXT:    packed.check_indices %n below [9] or %c : memref<1xi64> of "some" : memref<i32>
func.func @main(%x: memref<512x512xf32>, %i: memref<4x2xi64>, %n: memref<i32>, %c: memref<1xi64>,
                %y: memref<512x512xf32>, %z: memref<512x512xf32>) {
  %a = packed.alloc : memref<512x512xf32>
  packed.call @big(%x, %a) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  packed.check_indices %i below [50] wraps of "words" : memref<4x2xi64>
  packed.check_indices %i below [7, 9] of "pairs" : memref<4x2xi64>
  packed.call @big(%x, %y) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  packed.call @number(%x, %n) : (memref<512x512xf32>, memref<i32>) -> ()
  packed.check_indices %n below [9] or %c : memref<1xi64> of "some" : memref<i32>
  packed.call @big(%a, %z) : (memref<512x512xf32>, memref<512x512xf32>) -> ()
  func.return
}
te.kernel @big(%x: memref<512x512xf32>, %y: memref<512x512xf32>) {
  te.compute @double [i: 512, j: 512]
      ins(%x[i, j] : memref<512x512xf32>) outs(%y[i, j] : memref<512x512xf32>)
      body(%v: f32) {
    %d = arith.addf %v, %v : f32
    te.yield %d : f32
  }
  te.return
}
te.kernel @number(%x: memref<512x512xf32>, %n: memref<i32>) {
  te.compute @zero []
      ins(%x[0, 0] : memref<512x512xf32>) outs(%n[] : memref<i32>)
      body(%v: f32) {
    %d = arith.fptosi %v : f32 to i32
    te.yield %d : i32
  }
  te.return
}
