; Generated from runtime/native/trace.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_trace = type { ptr, ptr, i64, i64, i64, i64 }
%struct.tw_step = type { i64, i64, i64, i64, i64 }
%struct.timespec = type { i64, i64 }
%struct.loop = type { ptr, ptr, i64 }
%struct.tw_ran = type { i64, i64, i64, i64, i64 }
@__tw_trace = global %struct.tw_trace zeroinitializer, align 8
@__tw_pool = external local_unnamed_addr global ptr, align 8
define void @__tw_trace_step(i64 noundef %step, i64 noundef %tasks, i64 noundef %flops, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load ptr, ptr @__tw_trace, align 8
  %cmp = icmp eq ptr %1, null
  br i1 %cmp, label %return, label %if.end
if.end:
  %2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 32), align 8
  %inc = add nsw i64 %2, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 32), align 8
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 16), align 8
  %cmp1 = icmp slt i64 %2, %3
  br i1 %cmp1, label %if.then2, label %return
if.then2:
  %arrayidx = getelementptr inbounds %struct.tw_step, ptr %1, i64 %2
  %call = tail call fastcc i64 @now_ns()
  store i64 %call, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i64 %step, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  store i64 %tasks, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store i64 %flops, ptr %.compoundliteral.sroa.4.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  store i64 %bytes, ptr %.compoundliteral.sroa.5.0.arrayidx.sroa_idx, align 8
  br label %return
return:
  ret void
}
define internal fastcc i64 @now_ns() unnamed_addr minsize nounwind optsize "no-builtins" {
  %now = alloca %struct.timespec, align 8
  %call = call signext i32 @clock_gettime(i32 noundef signext 1, ptr noundef nonnull %now)
  %1 = load i64, ptr %now, align 8
  %mul = mul nsw i64 %1, 1000000000
  %tv_nsec = getelementptr inbounds nuw i8, ptr %now, i64 8
  %2 = load i64, ptr %tv_nsec, align 8
  %add = add nsw i64 %mul, %2
  ret i64 %add
}
define signext i32 @__tw_trace_sections(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %loop = alloca %struct.loop, align 8
  %1 = load ptr, ptr @__tw_trace, align 8
  %cmp = icmp eq ptr %1, null
  %2 = load ptr, ptr @__tw_pool, align 8
  %cmp1 = icmp ne ptr %2, null
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %if.then, label %if.end
if.then:
  %call = tail call signext i32 %2(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads)
  br label %return
if.end:
  store ptr %fn, ptr %loop, align 8
  %args3 = getelementptr inbounds nuw i8, ptr %loop, i64 8
  store ptr %args, ptr %args3, align 8
  %first_step = getelementptr inbounds nuw i8, ptr %loop, i64 16
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 32), align 8
  store i64 %3, ptr %first_step, align 8
  %cmp4.not = icmp eq ptr %2, null
  br i1 %cmp4.not, label %for.cond, label %if.then5
if.then5:
  %call6 = call signext i32 %2(ptr noundef nonnull @run_task, ptr noundef nonnull %loop, i64 noundef %tasks, i32 noundef signext %threads)
  br label %return
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %if.end ]
  %cmp8 = icmp slt i64 %inc.sink, %tasks
  br i1 %cmp8, label %for.body, label %return
for.body:
  call void @run_task(ptr noundef nonnull %loop, i64 noundef %inc.sink, i64 noundef 0)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
return:
  %retval.0 = phi i32 [ %call, %if.then ], [ %call6, %if.then5 ], [ 0, %for.cond ]
  ret i32 %retval.0
}
define internal void @run_task(ptr noundef readonly captures(none) %args, i64 noundef %task, i64 noundef %worker) minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc i64 @now_ns()
  %1 = load ptr, ptr %args, align 8
  %args1 = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load ptr, ptr %args1, align 8
  tail call void %1(ptr noundef %2, i64 noundef %task, i64 noundef %worker)
  %call2 = tail call fastcc i64 @now_ns()
  %3 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 40), i64 1 monotonic, align 8
  %4 = load i64, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 24), align 8
  %cmp = icmp slt i64 %3, %4
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_trace, i64 8), align 8
  %arrayidx = getelementptr inbounds %struct.tw_ran, ptr %5, i64 %3
  %first_step3 = getelementptr inbounds nuw i8, ptr %args, i64 16
  %6 = load i64, ptr %first_step3, align 8
  store i64 %call, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i64 %call2, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  store i64 %6, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store i64 %task, ptr %.compoundliteral.sroa.4.0.arrayidx.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  store i64 %worker, ptr %.compoundliteral.sroa.5.0.arrayidx.sroa_idx, align 8
  br label %if.end
if.end:
  ret void
}
define signext i32 @__tw_trace_launch(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp sgt i32 %threads, 1
  %cmp1 = icmp sgt i64 %tasks, 1
  %or.cond = and i1 %cmp1, %cmp
  br i1 %or.cond, label %if.then, label %for.cond
if.then:
  %call = tail call signext i32 @__tw_trace_sections(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %threads)
  br label %return
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %0 ]
  %cmp2 = icmp slt i64 %inc.sink, %tasks
  br i1 %cmp2, label %for.body, label %return
for.body:
  tail call void %fn(ptr noundef %args, i64 noundef %inc.sink, i64 noundef 0)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
return:
  %.sink = phi i32 [ %call, %if.then ], [ 0, %for.cond ]
  ret i32 %.sink
}
declare signext i32 @clock_gettime(i32 noundef signext, ptr noundef) local_unnamed_addr
