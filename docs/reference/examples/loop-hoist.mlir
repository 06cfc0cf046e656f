func.func @k(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = loop.alloc "local" : memref<8xf32>
  loop.for %i = 0 to 8 {
    %a = loop.load %x[0] : memref<8xf32>, f32
    %b = math.sqrt %a : f32
    loop.store %b, %t[%i] : memref<8xf32>, f32
  }
  %c = loop.load %t[7] : memref<8xf32>, f32
  loop.store %c, %y[0] : memref<8xf32>, f32
  func.return
}
