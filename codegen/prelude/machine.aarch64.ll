; Generated from runtime/native/machine.c by `make prelude` (ziglang 0.17.1); do not edit.
define internal noundef i64 @tw_futex_number() alwaysinline {
  ret i64 98
}
define internal noundef i64 @tw_clock_number() alwaysinline {
  ret i64 113
}
define internal noundef i64 @tw_spin_ticks() alwaysinline {
  ret i64 8000
}
define internal noundef i64 @tw_ticks_after(i64 noundef %before) alwaysinline {
  %add = add i64 %before, 1
  ret i64 %add
}
define internal void @tw_relax() alwaysinline {
  tail call void @llvm.aarch64.hint(i32 1)
  ret void
}
declare void @llvm.aarch64.hint(i32)
