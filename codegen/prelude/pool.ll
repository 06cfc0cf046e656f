; Generated from runtime/native/pool.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.job = type { ptr, ptr, i64, i32 }
%struct.share = type { i64, i64, [48 x i8] }
@job = internal global %struct.job zeroinitializer, align 64
@busy = internal global i32 0, align 64
@current = internal unnamed_addr global ptr null, align 64
@active = internal global i32 0, align 64
@epoch = internal global i32 0, align 64
@sleepers = internal global i32 0, align 64
@draining = internal unnamed_addr global i32 0, align 64
@helpers = internal unnamed_addr global i32 0, align 4
@shares = internal global [64 x %struct.share] zeroinitializer, align 64
define noundef signext i32 @__tw_pool_run(ptr noundef %fn, ptr noundef %args, i64 noundef %tasks, i32 noundef signext %wished) local_unnamed_addr nounwind "no-builtins" {
  %thread.i = alloca i64, align 8
  %cond = tail call i32 @llvm.smin.i32(i32 %wished, i32 64)
  %cmp1 = icmp slt i32 %wished, 2
  %cmp2 = icmp slt i64 %tasks, 2
  %or.cond = or i1 %cmp2, %cmp1
  br i1 %or.cond, label %if.then, label %lor.lhs.false3
lor.lhs.false3:
  %1 = cmpxchg ptr @busy, i32 0, i32 1 seq_cst seq_cst, align 64
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %if.end, label %for.body.preheader
if.then:
  %cmp418 = icmp sgt i64 %tasks, 0
  br i1 %cmp418, label %for.body.preheader, label %cleanup
for.body.preheader:
  br label %for.body
for.body:
  %task.019 = phi i64 [ %inc, %for.body ], [ 0, %for.body.preheader ]
  tail call void %fn(ptr noundef %args, i64 noundef %task.019, i64 noundef 0)
  %inc = add nuw nsw i64 %task.019, 1
  %exitcond.not = icmp eq i64 %inc, %tasks
  br i1 %exitcond.not, label %cleanup, label %for.body
if.end:
  store ptr %fn, ptr @job, align 64
  store ptr %args, ptr getelementptr inbounds nuw (i8, ptr @job, i64 8), align 8
  store i64 %tasks, ptr getelementptr inbounds nuw (i8, ptr @job, i64 16), align 16
  store i32 %cond, ptr getelementptr inbounds nuw (i8, ptr @job, i64 24), align 8
  store i32 0, ptr getelementptr inbounds nuw (i8, ptr @job, i64 28), align 4
  %conv1.i = zext nneg i32 %cond to i64
  br label %for.body.i
for.body.i:
  %indvars.iv.i = phi i64 [ 0, %if.end ], [ %add.i, %for.body.i ]
  %first.08.i = phi i64 [ 0, %if.end ], [ %div.i, %for.body.i ]
  %add.i = add nuw nsw i64 %indvars.iv.i, 1
  %mul.i = mul i64 %add.i, %tasks
  %div.i = udiv i64 %mul.i, %conv1.i
  %arrayidx.i = getelementptr inbounds nuw %struct.share, ptr @shares, i64 %indvars.iv.i
  %end2.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  store i64 %div.i, ptr %end2.i, align 8
  store atomic i64 %first.08.i, ptr %arrayidx.i seq_cst, align 64
  %exitcond.not.i = icmp eq i64 %add.i, %conv1.i
  br i1 %exitcond.not.i, label %deal.exit, label %for.body.i
deal.exit:
  %sub = add nsw i32 %cond, -1
  %3 = load i32, ptr @helpers, align 4
  %cmp1.i = icmp slt i32 %3, %sub
  br i1 %cmp1.i, label %while.body.i, label %create_helpers.exit
while.body.i:
  %4 = phi i32 [ %inc.i, %cleanup.i ], [ %3, %deal.exit ]
  %add.i13 = add nsw i32 %4, 1
  %conv.i = sext i32 %add.i13 to i64
  %5 = inttoptr i64 %conv.i to ptr
  %call.i = call signext i32 @pthread_create(ptr noundef nonnull %thread.i, ptr noundef null, ptr noundef nonnull @run_helper, ptr noundef %5)
  %cmp1.not.not.i = icmp eq i32 %call.i, 0
  br i1 %cmp1.not.not.i, label %cleanup.i, label %create_helpers.exit
cleanup.i:
  %6 = load i64, ptr %thread.i, align 8
  %call3.i = call signext i32 @pthread_detach(i64 noundef %6)
  %7 = load i32, ptr @helpers, align 4
  %inc.i = add nsw i32 %7, 1
  store i32 %inc.i, ptr @helpers, align 4
  %cmp.i = icmp slt i32 %inc.i, %sub
  br i1 %cmp.i, label %while.body.i, label %create_helpers.exit
create_helpers.exit:
  store atomic i64 ptrtoint (ptr @job to i64), ptr @current seq_cst, align 64
  %8 = atomicrmw add ptr @epoch, i32 1 seq_cst, align 64
  %9 = load atomic i32, ptr @sleepers seq_cst, align 64
  %tobool.not.i = icmp eq i32 %9, 0
  br i1 %tobool.not.i, label %publish.exit, label %if.then.i
if.then.i:
  %cmp.i14 = icmp sgt i32 %wished, 31
  %notmask.i = shl nsw i32 -1, %cond
  %sub.i = xor i32 %notmask.i, -1
  %cond.i = select i1 %cmp.i14, i32 -1, i32 %sub.i
  %call.i.i = call i64 @tw_futex_number()
  %call1.i.i = call i64 (i64, ...) @syscall(i64 noundef %call.i.i, ptr noundef nonnull @epoch, i32 noundef signext 138, i32 noundef signext 2147483647, ptr noundef null, ptr noundef null, i32 noundef signext %cond.i)
  br label %publish.exit
publish.exit:
  call fastcc void @work(i32 noundef signext 0)
  store atomic i64 0, ptr @current seq_cst, align 64
  %call.i.i15 = call i64 @tw_ticks_after(i64 noundef -1)
  br label %while.cond.i
while.cond.i:
  %spin.sroa.2.0.i = phi i64 [ %call.i.i15, %publish.exit ], [ %call.i2.i, %while.body.i16 ]
  %10 = load atomic i32, ptr @active seq_cst, align 64
  %cmp.not.i = icmp eq i32 %10, 0
  br i1 %cmp.not.i, label %drain.exit, label %while.body.i16
while.body.i16:
  call void @tw_relax()
  %call.i2.i = call i64 @tw_ticks_after(i64 noundef %spin.sroa.2.0.i)
  %sub.i.i = sub i64 %call.i2.i, %call.i.i15
  %call3.i.i = call i64 @tw_spin_ticks()
  %cmp.i.i = icmp ult i64 %sub.i.i, %call3.i.i
  br i1 %cmp.i.i, label %while.cond.i, label %if.then.i17
if.then.i17:
  store atomic i32 1, ptr @draining seq_cst, align 64
  %11 = load atomic i32, ptr @active seq_cst, align 64
  %cmp.not1.i.i = icmp eq i32 %11, 0
  br i1 %cmp.not1.i.i, label %sleep_until_idle.exit.i, label %while.body.i.i
while.body.i.i:
  %12 = phi i32 [ %13, %while.body.i.i ], [ %11, %if.then.i17 ]
  %call.i.i.i = call i64 @tw_futex_number()
  %call1.i.i.i = call i64 (i64, ...) @syscall(i64 noundef %call.i.i.i, ptr noundef nonnull @active, i32 noundef signext 137, i32 noundef signext %12, ptr noundef null, ptr noundef null, i32 noundef signext -1)
  %13 = load atomic i32, ptr @active seq_cst, align 64
  %cmp.not.i.i = icmp eq i32 %13, 0
  br i1 %cmp.not.i.i, label %sleep_until_idle.exit.i, label %while.body.i.i
sleep_until_idle.exit.i:
  store atomic i32 0, ptr @draining seq_cst, align 64
  br label %drain.exit
drain.exit:
  store atomic i32 0, ptr @busy seq_cst, align 64
  br label %cleanup
cleanup:
  ret i32 0
}
define internal fastcc void @work(i32 noundef signext %worker) unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr getelementptr inbounds nuw (i8, ptr @job, i64 24), align 8
  %cmp6 = icmp sgt i32 %1, 0
  br i1 %cmp6, label %for.body.lr.ph, label %for.end
for.body.lr.ph:
  %conv = sext i32 %worker to i64
  br label %for.body
for.body:
  %visited.08 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %work_on.exit ]
  %owner.07 = phi i32 [ %worker, %for.body.lr.ph ], [ %cond, %work_on.exit ]
  %idxprom = sext i32 %owner.07 to i64
  %arrayidx = getelementptr inbounds %struct.share, ptr @shares, i64 %idxprom
  %2 = load ptr, ptr @job, align 64
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @job, i64 8), align 8
  %end1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %4 = load i64, ptr %end1.i, align 8
  %5 = load atomic i64, ptr %arrayidx monotonic, align 64
  %cmp6.i = icmp slt i64 %5, %4
  br i1 %cmp6.i, label %while.body.i, label %work_on.exit
while.body.i:
  %6 = atomicrmw add ptr %arrayidx, i64 1 seq_cst, align 64
  %cmp4.not.i = icmp slt i64 %6, %4
  br i1 %cmp4.not.i, label %if.end.i, label %work_on.exit
if.end.i:
  tail call void %2(ptr noundef %3, i64 noundef %6, i64 noundef range(i64 -2147483648, 2147483648) %conv)
  %7 = load atomic i64, ptr %arrayidx monotonic, align 64
  %cmp.i = icmp slt i64 %7, %4
  br i1 %cmp.i, label %while.body.i, label %work_on.exit
work_on.exit:
  %add = add nsw i32 %owner.07, 1
  %cmp1 = icmp slt i32 %add, %1
  %cond = select i1 %cmp1, i32 %add, i32 0
  %inc = add nuw nsw i32 %visited.08, 1
  %exitcond.not = icmp eq i32 %inc, %1
  br i1 %exitcond.not, label %for.end, label %for.body
for.end:
  ret void
}
define void @__tw_pool_reset() local_unnamed_addr nounwind "no-builtins" {
  store atomic i64 0, ptr @current seq_cst, align 64
  store atomic i32 0, ptr @active seq_cst, align 64
  store atomic i32 0, ptr @epoch seq_cst, align 64
  store atomic i32 0, ptr @sleepers seq_cst, align 64
  store atomic i32 0, ptr @draining seq_cst, align 64
  store i32 0, ptr @helpers, align 4
  store atomic i32 0, ptr @busy seq_cst, align 64
  ret void
}
define internal noalias noundef nonnull ptr @run_helper(ptr noundef %number) nounwind "no-builtins" {
  %1 = ptrtoint ptr %number to i64
  %conv = trunc i64 %1 to i32
  %cond.i = tail call i32 @llvm.smin.i32(i32 %conv, i32 31)
  %shl.i = shl nuw i32 1, %cond.i
  br label %for.cond
for.cond:
  %seen.0 = phi i32 [ 0, %0 ], [ %retval.0.i, %for.cond.backedge ]
  %call.i.i = tail call i64 @tw_ticks_after(i64 noundef -1)
  br label %while.cond.i
while.cond.i:
  %spin.sroa.2.0.i = phi i64 [ %call.i.i, %for.cond ], [ %call.i3.i, %while.body.i ]
  %2 = load atomic i32, ptr @epoch seq_cst, align 64
  %cmp.i = icmp eq i32 %2, %seen.0
  br i1 %cmp.i, label %while.body.i, label %await_epoch.exit
while.body.i:
  tail call void @tw_relax()
  %call.i3.i = tail call i64 @tw_ticks_after(i64 noundef %spin.sroa.2.0.i)
  %sub.i.i = sub i64 %call.i3.i, %call.i.i
  %call3.i.i = tail call i64 @tw_spin_ticks()
  %cmp.i.i = icmp ult i64 %sub.i.i, %call3.i.i
  br i1 %cmp.i.i, label %while.cond.i, label %if.then.i
if.then.i:
  %3 = atomicrmw add ptr @sleepers, i32 1 seq_cst, align 64
  %4 = load atomic i32, ptr @epoch seq_cst, align 64
  %cmp2.i.i = icmp eq i32 %4, %seen.0
  br i1 %cmp2.i.i, label %while.body.i.i, label %sleep_until_epoch.exit.i
while.body.i.i:
  %call.i.i.i = tail call i64 @tw_futex_number()
  %call1.i.i.i = tail call i64 (i64, ...) @syscall(i64 noundef %call.i.i.i, ptr noundef nonnull @epoch, i32 noundef signext 137, i32 noundef signext %seen.0, ptr noundef null, ptr noundef null, i32 noundef signext %shl.i)
  %5 = load atomic i32, ptr @epoch seq_cst, align 64
  %cmp.i4.i = icmp eq i32 %5, %seen.0
  br i1 %cmp.i4.i, label %while.body.i.i, label %sleep_until_epoch.exit.i
sleep_until_epoch.exit.i:
  %.lcssa.i.i = phi i32 [ %4, %if.then.i ], [ %5, %while.body.i.i ]
  %6 = atomicrmw sub ptr @sleepers, i32 1 seq_cst, align 64
  br label %await_epoch.exit
await_epoch.exit:
  %retval.0.i = phi i32 [ %.lcssa.i.i, %sleep_until_epoch.exit.i ], [ %2, %while.cond.i ]
  %7 = atomicrmw add ptr @active, i32 1 seq_cst, align 64
  %8 = load atomic i64, ptr @current seq_cst, align 64
  %cmp.not.i = icmp eq i64 %8, 0
  br i1 %cmp.not.i, label %if.end.i, label %land.lhs.true.i
land.lhs.true.i:
  %9 = inttoptr i64 %8 to ptr
  %threads.i = getelementptr inbounds nuw i8, ptr %9, i64 24
  %10 = load i32, ptr %threads.i, align 8
  %cmp2.i = icmp sgt i32 %10, %conv
  br i1 %cmp2.i, label %if.then.i3, label %if.end.i
if.then.i3:
  tail call fastcc void @work(i32 noundef signext %conv)
  br label %if.end.i
if.end.i:
  %11 = atomicrmw sub ptr @active, i32 1 seq_cst, align 64
  %cmp5.i = icmp eq i32 %11, 1
  br i1 %cmp5.i, label %land.lhs.true6.i, label %for.cond.backedge
for.cond.backedge:
  br label %for.cond
land.lhs.true6.i:
  %12 = load atomic i32, ptr @draining seq_cst, align 64
  %tobool.not.i = icmp eq i32 %12, 0
  br i1 %tobool.not.i, label %for.cond.backedge, label %if.then8.i
if.then8.i:
  %call.i.i2 = tail call i64 @tw_futex_number()
  %call1.i.i = tail call i64 (i64, ...) @syscall(i64 noundef %call.i.i2, ptr noundef nonnull @active, i32 noundef signext 138, i32 noundef signext 2147483647, ptr noundef null, ptr noundef null, i32 noundef signext -1)
  br label %for.cond.backedge
}
declare signext i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr
declare signext i32 @pthread_detach(i64 noundef) local_unnamed_addr
declare hidden i64 @tw_ticks_after(i64 noundef) local_unnamed_addr
declare hidden void @tw_relax() local_unnamed_addr
declare hidden i64 @tw_spin_ticks() local_unnamed_addr
declare i64 @syscall(i64 noundef, ...) local_unnamed_addr
declare hidden i64 @tw_futex_number() local_unnamed_addr
declare i32 @llvm.smin.i32(i32, i32)
