func.func @k(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>, f32
    loop.store %a, %y[%i] : memref<8xf32>, f32
  }
  func.return
}
