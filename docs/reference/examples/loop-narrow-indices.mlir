func.func @k(%y: memref<16xi1>) {
  %0 = arith.constant 4 : i64
  %four = loop.broadcast %0 : i64 to vector<4xi64>
  loop.for %i = 0 to 4 {
    %p = loop.index [%i * 4] step 1 : vector<4xindex>
    %a = loop.cast "index_cast" %p : vector<4xindex> to vector<4xi64>
    %b = arith.addi %a, %four : vector<4xi64>
    %c = loop.cmp "slt" %b, %four : vector<4xi64>, vector<4xi64>, vector<4xi1>
    loop.store %c, %y[%i * 4] : memref<16xi1>, vector<4xi1>
  }
  func.return
}
