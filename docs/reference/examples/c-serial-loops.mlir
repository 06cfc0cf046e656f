func.func @double(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.for parallel %i = 0 to 8 {
    %v = loop.load %x[%i] : memref<8xf32>, f32
    %sum = arith.addf %v, %v : f32
    loop.store %sum, %y[%i] : memref<8xf32>, f32
  }
  func.return
}
