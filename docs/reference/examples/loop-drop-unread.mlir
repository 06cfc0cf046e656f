func.func @squares(%x: memref<64xf32>, %y: memref<64xf32>) {
  %b = loop.alloc "local" : memref<64xf32>
  loop.for %i = 0 to 64 {
    %a = loop.load %x[%i] : memref<64xf32>, f32
    %c = arith.mulf %a, %a : f32
    %d = arith.addf %a, %a : f32
    loop.store %c, %y[%i] : memref<64xf32>, f32
    loop.store %d, %b[%i] : memref<64xf32>, f32
  }
  func.return
}
func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
  packed.call @squares(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
  func.return
}
