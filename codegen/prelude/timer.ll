; Generated from runtime/native/timer.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.timespec = type { i64, i64 }
define signext i32 @__tw_time_calls(ptr noundef readonly captures(none) %function, ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr noundef %result, i64 noundef %number, ptr noundef writeonly captures(none) %elapsed_ns) local_unnamed_addr nounwind "no-builtins" {
  %now.i5 = alloca %struct.timespec, align 8
  %now.i = alloca %struct.timespec, align 8
  %call.i = tail call i64 @tw_clock_number()
  %call1.i = call i64 (i64, ...) @syscall(i64 noundef %call.i, i32 noundef signext 1, ptr noundef nonnull %now.i)
  %1 = load i64, ptr %now.i, align 8
  %tv_nsec.i = getelementptr inbounds nuw i8, ptr %now.i, i64 8
  %2 = load i64, ptr %tv_nsec.i, align 8
  %cmp.not12 = icmp sgt i64 %number, 0
  br i1 %cmp.not12, label %for.body, label %for.end
for.cond:
  %inc = add nuw nsw i64 %call1.013, 1
  %exitcond.not = icmp eq i64 %inc, %number
  br i1 %exitcond.not, label %for.end, label %for.body
for.body:
  %call1.013 = phi i64 [ %inc, %for.cond ], [ 0, %0 ]
  %call2 = call signext i32 %function(ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr noundef %result)
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %for.cond, label %cleanup7
for.end:
  %call.i6 = call i64 @tw_clock_number()
  %call1.i7 = call i64 (i64, ...) @syscall(i64 noundef %call.i6, i32 noundef signext 1, ptr noundef nonnull %now.i5)
  %3 = load i64, ptr %now.i5, align 8
  %tv_nsec.i9 = getelementptr inbounds nuw i8, ptr %now.i5, i64 8
  %4 = load i64, ptr %tv_nsec.i9, align 8
  %reass.add = sub i64 %3, %1
  %reass.mul = mul i64 %reass.add, 1000000000
  %add.i10 = sub i64 %4, %2
  %sub = add i64 %add.i10, %reass.mul
  store i64 %sub, ptr %elapsed_ns, align 8
  br label %cleanup7
cleanup7:
  %retval.3 = phi i32 [ 0, %for.end ], [ %call2, %for.body ]
  ret i32 %retval.3
}
declare i64 @syscall(i64 noundef, ...) local_unnamed_addr
declare hidden i64 @tw_clock_number() local_unnamed_addr
