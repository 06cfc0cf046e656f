// RUN: tw-opt -p te-to-loop %s | filecheck %s

// CHECK-LABEL: func.func @transpose
// CHECK: loop.load %X[0, 0] stride 8 : memref<4x8xf32>, vector<4xf32>
// CHECK: loop.store {{%.*}}, %Y[0, 0] : memref<8x4xf32>, vector<4xf32>
te.kernel @transpose(%X: memref<4x8xf32>, %Y: memref<8x4xf32>) {
  te.compute @t [i: 8, j: 4]
      ins(%X[j, i] : memref<4x8xf32>)
      outs(%Y[i, j] : memref<8x4xf32>)
      tile(vec = j, lanes = 4)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}

// A square is loaded by rows and transposed; with three columns, loads mask the fourth lane.
// CHECK-LABEL: func.func @square
// CHECK-COUNT-4: loop.load %X[{{.}}, 0] lanes 3 : memref<4x8xf32>, vector<4xf32>
// CHECK: [[T:%.*]], {{%.*}}, {{%.*}}, {{%.*}} = loop.transpose {{.*}} : vector<4xf32>
// CHECK: loop.store [[T]], %Y[0, 0] : memref<8x4xf32>, vector<4xf32>
// CHECK-COUNT-2: loop.store
// CHECK-NOT: loop.store
te.kernel @square(%X: memref<4x8xf32>, %Y: memref<8x4xf32>) {
  te.compute @t [i: 3, j: 4]
      ins(%X[j, i] : memref<4x8xf32>)
      outs(%Y[i, j] : memref<8x4xf32>)
      tile(vec = j, lanes = 4)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}

// A vector inside one block is one load.
// CHECK-LABEL: func.func @blocks
// CHECK: loop.load %X[0, %p, 0] : memref<2x3x8xf32>, vector<8xf32>
// CHECK: loop.load %X[1, %p, 0] : memref<2x3x8xf32>, vector<8xf32>
te.kernel @blocks(%X: memref<2x3x8xf32>, %Y: memref<3x16xf32>) {
  loop.for %p = 0 to 3 {
    te.compute @u [c: 16]
        ins(%X[c floordiv 8, %p, c mod 8] : memref<2x3x8xf32>)
        outs(%Y[%p, c] : memref<3x16xf32>)
        tile(vec = c, lanes = 8)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}

// A vector that crosses a block is loaded lane by lane.
// CHECK-LABEL: func.func @across_blocks
// CHECK-COUNT-4: loop.load {{.*}}, f32
// CHECK: loop.pack {{.*}} to vector<4xf32>
te.kernel @across_blocks(%X: memref<2x3x2xf32>, %Y: memref<3x4xf32>) {
  loop.for %p = 0 to 3 {
    te.compute @u [c: 4]
        ins(%X[c floordiv 2, %p, c mod 2] : memref<2x3x2xf32>)
        outs(%Y[%p, c] : memref<3x4xf32>)
        tile(vec = c, lanes = 4)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}

// A row at a computed position is still a vector load; a position that may be outside is clamped.
// CHECK-LABEL: func.func @rows
// CHECK: [[LAST:%.*]] = arith.constant 8 : index
// CHECK: [[ID:%.*]] = arith.index_cast {{%.*}} : i64 to index
// CHECK: [[R:%.*]] = arith.minui [[ID]], [[LAST]] : index
// CHECK-NOT: loop.index
// CHECK: loop.load %T[[[R]], 0] : memref<9x8xf32>, vector<8xf32>
te.kernel @rows(%T: memref<9x8xf32>, %ids: memref<4xi64>, %Y: memref<4x8xf32>) {
  te.compute @g [i: 4, j: 8]
      ins(%T : memref<9x8xf32>, %ids[i] : memref<4xi64>, index[j])
      outs(%Y[i, j] : memref<4x8xf32>)
      tile(vec = j, lanes = 8)
      body(%t: memref<9x8xf32>, %k: i64, %j: index) {
    %r = arith.index_cast %k : i64 to index
    %v = te.at %t[%r, %j] : memref<9x8xf32> -> f32
    te.yield %v : f32
  }
  te.return
}

// A conversion of vectors is a loop.cast, a comparison a loop.cmp.
// CHECK-LABEL: func.func @convert
// CHECK: [[C:%.*]] = loop.cmp "sgt" {{.*}} : vector<4xi32>, vector<4xi32>, vector<4xi1>
// CHECK: [[S:%.*]] = loop.select [[C]]
// CHECK: loop.cast "sitofp" [[S]] : vector<4xi32> to vector<4xf32>
te.kernel @convert(%X: memref<4xi32>, %Y: memref<4xf32>) {
  te.compute @c [i: 4]
      ins(%X[i] : memref<4xi32>)
      outs(%Y[i] : memref<4xf32>)
      tile(vec = i, lanes = 4)
      body(%a: i32) {
    %zero = arith.constant 0 : i32
    %c = arith.cmpi sgt, %a, %zero : i32
    %s = arith.select %c, %a, %zero : i32
    %f = arith.sitofp %s : i32 to f32
    te.yield %f : f32
  }
  te.return
}
