; The parts of pool.ll that depend on x86-64 Linux.

@futex_number = internal constant i64 202

declare i64 @llvm.readcyclecounter()

define internal void @relax() alwaysinline nounwind {
  call void asm sideeffect "pause", ""()
  ret void
}

; The time stamp counter runs at the nominal frequency, 2 to 4 GHz: 250000 ticks are 60 to 125 us.
@spin_ticks = internal constant i64 250000

define internal i64 @ticks(i64 %before) alwaysinline nounwind {
  %now = call i64 @llvm.readcyclecounter()
  ret i64 %now
}
