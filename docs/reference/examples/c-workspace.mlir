func.func @k(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %t = loop.alloc "local" : memref<16x16xf32>
  loop.for %j = 0 to 16 {
    loop.for %k = 0 to 16 {
      %v = loop.load %x[%j, %k] : memref<16x16xf32>, f32
      loop.store %v, %t[%k, %j] : memref<16x16xf32>, f32
    }
  }
  loop.for %j = 0 to 16 {
    loop.for %k = 0 to 16 {
      %v = loop.load %t[%j, %k] : memref<16x16xf32>, f32
      loop.store %v, %y[%j, %k] : memref<16x16xf32>, f32
    }
  }
  func.return
}
