; What pool.ll needs of Linux on riscv64; compile it with the features +m,+a.

@futex_number = internal constant i64 98

; The pause hint (Zihintpause) is not in the base profile, so this only keeps the loop a loop.
define internal void @relax() alwaysinline nounwind {
  fence syncscope("singlethread") seq_cst
  ret void
}

; User code may not read a cycle counter everywhere, so a tick is one turn of the waiting loop,
; 5 to 20 ns.
@spin_ticks = internal constant i64 8000

define internal i64 @ticks(i64 %before) alwaysinline nounwind {
  %now = add i64 %before, 1
  ret i64 %now
}
