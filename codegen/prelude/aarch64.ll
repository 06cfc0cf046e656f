; The parts of pool.ll that depend on aarch64 Linux.

@futex_number = internal constant i64 98

declare void @llvm.aarch64.hint(i32)

; Hint 1 is yield.
define internal void @relax() alwaysinline nounwind {
  call void @llvm.aarch64.hint(i32 1)
  ret void
}

; Some systems forbid user code to read a cycle counter, so a tick is one iteration of the spin
; loop, 5 to 20 ns.
@spin_ticks = internal constant i64 8000

define internal i64 @ticks(i64 %before) alwaysinline nounwind {
  %now = add i64 %before, 1
  ret i64 %now
}
