func.func @k(%x: memref<8x64x64xf32>, %y: memref<8x64x64xf32>) {
  loop.for parallel %i = 0 to 8 {
    %t = loop.alloc "local" : memref<64x64xf32>
    loop.for %j = 0 to 64 {
      loop.for %k = 0 to 64 {
        %v = loop.load %x[%i, %j, %k] : memref<8x64x64xf32>, f32
        loop.store %v, %t[%k, %j] : memref<64x64xf32>, f32
      }
    }
    loop.for %j = 0 to 64 {
      loop.for %k = 0 to 64 {
        %v = loop.load %t[%j, %k] : memref<64x64xf32>, f32
        loop.store %v, %y[%i, %j, %k] : memref<8x64x64xf32>, f32
      }
    }
  }
  func.return
}
