func.func @turn_twice(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %t = loop.alloc "local" : memref<64x64xf32>
  loop.for parallel %i = 0 to 64 {
    loop.for %j = 0 to 64 {
      %a = loop.load %x[%j, %i] : memref<64x64xf32>, f32
      loop.store %a, %t[%i, %j] : memref<64x64xf32>, f32
    }
  }
  loop.for parallel %i = 0 to 64 {
    loop.for %j = 0 to 64 {
      %a = loop.load %t[%j, %i] : memref<64x64xf32>, f32
      loop.store %a, %y[%i, %j] : memref<64x64xf32>, f32
    }
  }
  func.return
}
func.func @main(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  packed.call @turn_twice(%x, %y) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  func.return
}
