func.func @add_rows(%x: memref<64x32xf32>, %y: memref<64xf32>) {
  %t = loop.alloc "local" : memref<64x32xf32>
  loop.for bind blockIdx.x %i = 0 to 64 {
    loop.for bind threadIdx.x %j = 0 to 32 {
      %a = loop.load %x[%i, %j] : memref<64x32xf32>, f32
      %b = arith.mulf %a, %a : f32
      loop.store %b, %t[%i, %j] : memref<64x32xf32>, f32
    }
  }
  %zero = arith.constant 0.0 : f32
  loop.for bind blockIdx.x %i = 0 to 2 {
    loop.for bind threadIdx.x %j = 0 to 32 {
      %s = loop.for %k = 0 to 32 iter_args(%c = %zero : f32) {
        %a = loop.load %t[%i * 32 + %j, %k] : memref<64x32xf32>, f32
        %b = arith.addf %c, %a : f32
        loop.yield %b : f32
      }
      loop.store %s, %y[%i * 32 + %j] : memref<64xf32>, f32
    }
  }
  func.return
}
func.func @main(%x: memref<64x32xf32>, %y: memref<64xf32>) {
  packed.call @add_rows(%x, %y) : (memref<64x32xf32>, memref<64xf32>) -> ()
  func.return
}
