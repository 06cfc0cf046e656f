; Generated from runtime/native/embedded.c by `make prelude` (ziglang 0.17.1); do not edit.
@__tw_weights = external local_unnamed_addr global ptr, align 8
@tw_weights_data = external hidden constant [0 x i8], align 1
define noundef signext i32 @__tw_load_weights() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  store atomic i64 ptrtoint (ptr @tw_weights_data to i64), ptr @__tw_weights release, align 8
  ret i32 0
}
define hidden void @tw_unload_weights() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  ret void
}
