; Generated from runtime/native/machine.c by `make prelude` (ziglang 0.17.1); do not edit.
define internal noundef i64 @tw_futex_number() alwaysinline {
  ret i64 202
}
define internal noundef i64 @tw_clock_number() alwaysinline {
  ret i64 228
}
define internal noundef i64 @tw_spin_ticks() alwaysinline {
  ret i64 250000
}
define internal void @tw_relax() alwaysinline {
  tail call void @llvm.x86.sse2.pause()
  ret void
}
define internal i64 @tw_ticks_after(i64 noundef %before) alwaysinline {
  %1 = tail call i64 @llvm.x86.rdtsc()
  ret i64 %1
}
declare void @llvm.x86.sse2.pause()
declare i64 @llvm.x86.rdtsc()
