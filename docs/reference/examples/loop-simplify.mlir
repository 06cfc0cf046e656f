func.func @k(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.for %i = 0 to 4 {
    loop.for %j = %i to min(64, %i + 1) {
      %a = loop.load %x[%j mod 8] pad 0.0 : memref<8xf32>, f32
      loop.store %a, %y[%j + 8 * (%j floordiv 8)] : memref<8xf32>, f32
    }
  }
  func.return
}
