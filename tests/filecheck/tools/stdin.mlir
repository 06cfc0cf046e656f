// RUN: cat %s | tw-opt | tw-opt -p dce | filecheck %s
// RUN: tw-opt %s --split-input-file | filecheck %s --check-prefix=SPLIT
// RUN: tw-opt %s -o %t | filecheck %s --check-prefix=EMPTY --allow-empty

// CHECK-LABEL: @dead
// CHECK-NEXT: func.return
// SPLIT: @dead
// SPLIT: {{^// -+$}}
// SPLIT: @second
// EMPTY-NOT: func
func.func @dead(%a: i32) {
  %c = arith.addi %a, %a : i32
  func.return
}
// -----
func.func @second() {
  func.return
}
