te.kernel @double(%x: memref<4xf32>, %y: memref<4xf32>) {
  te.compute @double [i: 4]
    ins(%x[i] : memref<4xf32>) outs(%y[i] : memref<4xf32>)
    body(%a: f32) {
      %r = arith.addf %a, %a : f32
      te.yield %r : f32
    }
  te.return
}
sched.script @from_elsewhere of "63e87174e037b8fa41255dcdd51ccb9d" {
  %c = sched.match {name = double}
  %v = sched.vectorize %c {axis = i, lanes = 4}
}
