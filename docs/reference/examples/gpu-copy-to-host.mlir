func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  packed.extern "f"(%x, %y) with [#builtin.int<0>, #builtin.int<1>] of ["float32", "float32"] from #builtin.int<1> : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
