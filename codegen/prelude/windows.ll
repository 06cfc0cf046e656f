; Generated from runtime/native/windows.c by `make prelude` (ziglang 0.17.1); do not edit.
@_fltused = dso_local local_unnamed_addr global i32 1, align 4
define dso_local i32 @snprintf(ptr noundef %text, i64 noundef %room, ptr noundef %format, ...) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %values = alloca ptr, align 8
  call void @llvm.va_start.p0(ptr nonnull %values)
  %1 = load ptr, ptr %values, align 8
  %call = call i32 @_vsnprintf(ptr noundef %text, i64 noundef %room, ptr noundef %format, ptr noundef %1)
  call void @llvm.va_end.p0(ptr nonnull %values)
  %cmp = icmp sgt i32 %call, -1
  %conv = zext nneg i32 %call to i64
  %cmp1 = icmp ugt i64 %room, %conv
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %cleanup, label %if.end
if.end:
  %2 = getelementptr i8, ptr %text, i64 %room
  %arrayidx = getelementptr i8, ptr %2, i64 -1
  store i8 0, ptr %arrayidx, align 1
  %conv3 = trunc i64 %room to i32
  br label %cleanup
cleanup:
  %conv3.sink = phi i32 [ %conv3, %if.end ], [ %call, %0 ]
  ret i32 %conv3.sink
}
define dso_local ptr @aligned_alloc(i64 noundef %alignment, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call ptr @_aligned_malloc(i64 noundef %bytes, i64 noundef %alignment)
  ret ptr %call
}
define dso_local void @free(ptr noundef %block) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  tail call void @_aligned_free(ptr noundef %block)
  ret void
}
declare void @llvm.va_start.p0(ptr)
declare dso_local i32 @_vsnprintf(ptr noundef, i64 noundef, ptr noundef, ptr noundef) local_unnamed_addr
declare void @llvm.va_end.p0(ptr)
declare dso_local ptr @_aligned_malloc(i64 noundef, i64 noundef) local_unnamed_addr
declare dso_local void @_aligned_free(ptr noundef) local_unnamed_addr
