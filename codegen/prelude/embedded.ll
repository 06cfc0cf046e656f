; Generated from runtime/native/embedded.c by `make prelude`; do not edit.
; ziglang 0.17.1
@__tw_weights = external local_unnamed_addr global ptr, align 8
@tw_weights_data = external hidden constant [0 x i8], align 1

define noundef signext i32 @__tw_load_weights() local_unnamed_addr #0 {
entry:
  store atomic i64 ptrtoint (ptr @tw_weights_data to i64), ptr @__tw_weights release, align 8
  ret i32 0
}

define hidden void @tw_unload_weights() local_unnamed_addr #1 {
entry:
  ret void
}

attributes #0 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
