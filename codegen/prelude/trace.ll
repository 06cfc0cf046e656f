; Generated from runtime/native/trace.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_trace = type { ptr, ptr, i64, i64, i64, i64 }
%struct.timespec = type { i64, i64 }
%struct.tw_step = type { i64, i64, i64, i64, i64 }
%struct.loop = type { ptr, ptr, i64 }
%struct.tw_ran = type { i64, i64, i64, i64, i64 }

@__tw_trace = global %struct.tw_trace zeroinitializer, align 8
@__tw_pool = external local_unnamed_addr global ptr, align 8

define void @__tw_trace_step(i64 noundef %step, i64 noundef %tasks, i64 noundef %flops, i64 noundef %bytes) local_unnamed_addr #0 {
entry:
  %now.i = alloca %struct.timespec, align 8
  %0 = load ptr, ptr @__tw_trace, align 8
  %cmp = icmp eq ptr %0, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %1 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 32), align 8
  %inc = add nsw i64 %1, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 32), align 8
  %2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 16), align 8
  %cmp1 = icmp slt i64 %1, %2
  br i1 %cmp1, label %if.then2, label %return

if.then2:                                         ; preds = %if.end
  %arrayidx = getelementptr inbounds %struct.tw_step, ptr %0, i64 %1
  call void @llvm.lifetime.start.p0(ptr nonnull %now.i) #2
  %call.i = call signext i32 @clock_gettime(i32 noundef signext 1, ptr noundef nonnull %now.i) #3
  %3 = load i64, ptr %now.i, align 8
  %mul.i = mul nsw i64 %3, 1000000000
  %tv_nsec.i = getelementptr inbounds nuw i8, ptr %now.i, i64 8
  %4 = load i64, ptr %tv_nsec.i, align 8
  %add.i = add nsw i64 %mul.i, %4
  call void @llvm.lifetime.end.p0(ptr nonnull %now.i) #2
  store i64 %add.i, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i64 %step, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  store i64 %tasks, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store i64 %flops, ptr %.compoundliteral.sroa.4.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  store i64 %bytes, ptr %.compoundliteral.sroa.5.0.arrayidx.sroa_idx, align 8
  br label %return

return:                                           ; preds = %if.end, %if.then2, %entry
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define signext i32 @__tw_trace_sections(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads) local_unnamed_addr #0 {
entry:
  %now.i6.i = alloca %struct.timespec, align 8
  %now.i.i = alloca %struct.timespec, align 8
  %loop = alloca %struct.loop, align 8
  %0 = load ptr, ptr @__tw_trace, align 8
  %cmp = icmp eq ptr %0, null
  %1 = load ptr, ptr @__tw_pool, align 8
  %cmp1 = icmp ne ptr %1, null
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = tail call signext i32 %1(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads) #3
  br label %return

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %loop) #2
  store ptr %fn, ptr %loop, align 8
  %args3 = getelementptr inbounds nuw i8, ptr %loop, i64 8
  store ptr %args, ptr %args3, align 8
  %first_step = getelementptr inbounds nuw i8, ptr %loop, i64 16
  %2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 32), align 8
  store i64 %2, ptr %first_step, align 8
  %cmp4.not = icmp eq ptr %1, null
  br i1 %cmp4.not, label %for.cond.preheader, label %if.then5

for.cond.preheader:                               ; preds = %if.end
  %cmp89 = icmp sgt i64 %tasks, 0
  br i1 %cmp89, label %for.body.lr.ph, label %cleanup

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %tv_nsec.i.i = getelementptr inbounds nuw i8, ptr %now.i.i, i64 8
  %tv_nsec.i9.i = getelementptr inbounds nuw i8, ptr %now.i6.i, i64 8
  br label %for.body

if.then5:                                         ; preds = %if.end
  %call6 = call signext i32 %1(ptr noundef nonnull @run_task, ptr noundef nonnull %loop, i64 noundef %tasks, i32 noundef signext %threads) #3
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %run_task.exit
  %task.010 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %run_task.exit ]
  call void @llvm.lifetime.start.p0(ptr nonnull %now.i.i) #2
  %call.i.i = call signext i32 @clock_gettime(i32 noundef signext 1, ptr noundef nonnull %now.i.i) #3
  %3 = load i64, ptr %now.i.i, align 8
  %4 = load i64, ptr %tv_nsec.i.i, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %now.i.i) #2
  call void %fn(ptr noundef %args, i64 noundef %task.010, i64 noundef 0) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %now.i6.i) #2
  %call.i7.i = call signext i32 @clock_gettime(i32 noundef signext 1, ptr noundef nonnull %now.i6.i) #3
  %5 = load i64, ptr %now.i6.i, align 8
  %6 = load i64, ptr %tv_nsec.i9.i, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %now.i6.i) #2
  %7 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 40), i64 1 monotonic, align 8
  %8 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 24), align 8
  %cmp.i = icmp slt i64 %7, %8
  br i1 %cmp.i, label %if.then.i, label %run_task.exit

if.then.i:                                        ; preds = %for.body
  %mul.i8.i = mul nsw i64 %5, 1000000000
  %add.i10.i = add nsw i64 %mul.i8.i, %6
  %mul.i.i = mul nsw i64 %3, 1000000000
  %add.i.i = add nsw i64 %mul.i.i, %4
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 8), align 8
  %arrayidx.i = getelementptr inbounds %struct.tw_ran, ptr %9, i64 %7
  store i64 %add.i.i, ptr %arrayidx.i, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  store i64 %add.i10.i, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx.i, align 8
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  store i64 %2, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx.i, align 8
  %.compoundliteral.sroa.4.0.arrayidx.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 24
  store i64 %task.010, ptr %.compoundliteral.sroa.4.0.arrayidx.sroa_idx.i, align 8
  %.compoundliteral.sroa.5.0.arrayidx.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  store i64 0, ptr %.compoundliteral.sroa.5.0.arrayidx.sroa_idx.i, align 8
  br label %run_task.exit

run_task.exit:                                    ; preds = %for.body, %if.then.i
  %inc = add nuw nsw i64 %task.010, 1
  %exitcond.not = icmp eq i64 %inc, %tasks
  br i1 %exitcond.not, label %cleanup, label %for.body

cleanup:                                          ; preds = %run_task.exit, %for.cond.preheader, %if.then5
  %retval.1 = phi i32 [ %call6, %if.then5 ], [ 0, %for.cond.preheader ], [ 0, %run_task.exit ]
  call void @llvm.lifetime.end.p0(ptr nonnull %loop) #2
  br label %return

return:                                           ; preds = %cleanup, %if.then
  %retval.0 = phi i32 [ %call, %if.then ], [ %retval.1, %cleanup ]
  ret i32 %retval.0
}

define internal void @run_task(ptr noundef readonly captures(none) %args, i64 noundef %task, i64 noundef %worker) #0 {
entry:
  %now.i6 = alloca %struct.timespec, align 8
  %now.i = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now.i) #2
  %call.i = call signext i32 @clock_gettime(i32 noundef signext 1, ptr noundef nonnull %now.i) #3
  %0 = load i64, ptr %now.i, align 8
  %tv_nsec.i = getelementptr inbounds nuw i8, ptr %now.i, i64 8
  %1 = load i64, ptr %tv_nsec.i, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %now.i) #2
  %2 = load ptr, ptr %args, align 8
  %args1 = getelementptr inbounds nuw i8, ptr %args, i64 8
  %3 = load ptr, ptr %args1, align 8
  call void %2(ptr noundef %3, i64 noundef %task, i64 noundef %worker) #3
  call void @llvm.lifetime.start.p0(ptr nonnull %now.i6) #2
  %call.i7 = call signext i32 @clock_gettime(i32 noundef signext 1, ptr noundef nonnull %now.i6) #3
  %4 = load i64, ptr %now.i6, align 8
  %tv_nsec.i9 = getelementptr inbounds nuw i8, ptr %now.i6, i64 8
  %5 = load i64, ptr %tv_nsec.i9, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %now.i6) #2
  %6 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 40), i64 1 monotonic, align 8
  %7 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 24), align 8
  %cmp = icmp slt i64 %6, %7
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %mul.i8 = mul nsw i64 %4, 1000000000
  %add.i10 = add nsw i64 %mul.i8, %5
  %mul.i = mul nsw i64 %0, 1000000000
  %add.i = add nsw i64 %mul.i, %1
  %8 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 8), align 8
  %arrayidx = getelementptr inbounds %struct.tw_ran, ptr %8, i64 %6
  %first_step3 = getelementptr inbounds nuw i8, ptr %args, i64 16
  %9 = load i64, ptr %first_step3, align 8
  store i64 %add.i, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i64 %add.i10, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  store i64 %9, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store i64 %task, ptr %.compoundliteral.sroa.4.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  store i64 %worker, ptr %.compoundliteral.sroa.5.0.arrayidx.sroa_idx, align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define signext i32 @__tw_trace_launch(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads) local_unnamed_addr #0 {
entry:
  %cmp = icmp sgt i32 %threads, 1
  %cmp1 = icmp sgt i64 %tasks, 1
  %or.cond = and i1 %cmp1, %cmp
  br i1 %or.cond, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %cmp28 = icmp sgt i64 %tasks, 0
  br i1 %cmp28, label %for.body, label %return

if.then:                                          ; preds = %entry
  %call = tail call signext i32 @__tw_trace_sections(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads) #4
  br label %return

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %task.09 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  tail call void %fn(ptr noundef %args, i64 noundef %task.09, i64 noundef 0) #3
  %inc = add nuw nsw i64 %task.09, 1
  %exitcond.not = icmp eq i64 %inc, %tasks
  br i1 %exitcond.not, label %return, label %for.body

return:                                           ; preds = %for.body, %for.cond.preheader, %if.then
  %retval.0 = phi i32 [ %call, %if.then ], [ 0, %for.cond.preheader ], [ 0, %for.body ]
  ret i32 %retval.0
}

declare signext i32 @clock_gettime(i32 noundef signext, ptr noundef) local_unnamed_addr #0

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }
attributes #3 = { nobuiltin nounwind "no-builtins" }
attributes #4 = { nobuiltin "no-builtins" }
