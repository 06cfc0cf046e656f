; The parts of pool.ll that depend on riscv64 Linux; compile with the features +m,+a.

@futex_number = internal constant i64 98

; The pause hint (Zihintpause) is not in the base profile, so this only preserves the spin loop.
define internal void @relax() alwaysinline nounwind {
  fence syncscope("singlethread") seq_cst
  ret void
}

; Some systems forbid user code to read a cycle counter, so a tick is one iteration of the spin
; loop, 5 to 20 ns.
@spin_ticks = internal constant i64 8000

define internal i64 @ticks(i64 %before) alwaysinline nounwind {
  %now = add i64 %before, 1
  ret i64 %now
}
