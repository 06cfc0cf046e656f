func.func @negate(%x: memref<100xf32>, %y: memref<100xf32>) {
  loop.for parallel %i = 0 to 100 {
    %a = loop.load %x[%i] : memref<100xf32>, f32
    %b = arith.negf %a : f32
    loop.store %b, %y[%i] : memref<100xf32>, f32
  }
  func.return
}
func.func @main(%x: memref<100xf32>, %y: memref<100xf32>) {
  packed.call @negate(%x, %y) : (memref<100xf32>, memref<100xf32>) -> ()
  func.return
}
