; Generated from runtime/native/python.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_python = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32, [16 x %struct.tw_dtype], [4 x %struct.tw_exchange] }
%struct.tw_dtype = type { ptr, i32 }
%struct.tw_exchange = type { ptr, ptr, i64, i64, i64, i64 }
%struct.tw_value = type { i32, i32, %union.tw_payload }
%union.tw_payload = type { i64 }
%struct.allocation = type { ptr, ptr, ptr, ptr }
%struct.call = type { [515 x %struct.tw_value], [512 x %struct.tw_tensor], [512 x ptr], [2048 x i64] }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.tw_made = type { ptr, i64, i32, ptr }
@__tw_python = local_unnamed_addr global %struct.tw_python zeroinitializer, align 8
@.str = private unnamed_addr constant [14 x i8] c"requires_grad\00", align 1
define ptr @__tw_python_call(ptr noundef %callable, ptr noundef readonly captures(none) %args, i64 noundef %flags, ptr noundef %names) local_unnamed_addr nounwind "no-builtins" {
  %result.i.i.i = alloca %struct.tw_value, align 8
  %bytes.i.i = alloca [512 x i64], align 8
  %sizes.i.i = alloca [512 x ptr], align 8
  %own.i.i = alloca %struct.allocation, align 8
  %result.i.i = alloca %struct.tw_value, align 8
  %call.i = alloca %struct.call, align 8
  %result.i = alloca %struct.tw_value, align 8
  %type.i = getelementptr inbounds nuw i8, ptr %callable, i64 8
  %1 = load ptr, ptr %type.i, align 8
  %vectorcall_offset.i = getelementptr inbounds nuw i8, ptr %1, i64 56
  %2 = load i64, ptr %vectorcall_offset.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %callable, i64 %2
  %add.ptr1.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 8
  %3 = load ptr, ptr %add.ptr1.i, align 8
  %and = and i64 %flags, 9223372036854775807
  %cmp.not = icmp eq ptr %names, null
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %slow = getelementptr inbounds nuw i8, ptr %3, i64 8
  %4 = load ptr, ptr %slow, align 8
  %call1 = tail call fastcc ptr @call_with(ptr noundef %4, ptr noundef nonnull %callable, ptr noundef %args, i64 noundef %and, ptr noundef nonnull %names)
  br label %cleanup
if.end:
  %inputs.i = getelementptr inbounds nuw i8, ptr %3, i64 16
  %5 = load i32, ptr %inputs.i, align 8
  %outputs.i = getelementptr inbounds nuw i8, ptr %3, i64 20
  %6 = load i32, ptr %outputs.i, align 4
  %add.i = add nsw i32 %6, %5
  %conv.i = sext i32 %add.i to i64
  %cmp.i = icmp eq i64 %and, %conv.i
  %conv3.i = sext i32 %5 to i64
  %cmp4.i = icmp eq i64 %and, %conv3.i
  br i1 %cmp4.i, label %land.end.i, label %land.end21.i
land.end.i:
  %allocating.i = getelementptr inbounds nuw i8, ptr %3, i64 64
  %7 = load ptr, ptr %allocating.i, align 8
  %cmp6.i = icmp ne ptr %7, null
  %or.cond.i = select i1 %cmp.i, i1 true, i1 %cmp6.i
  br i1 %or.cond.i, label %land.end21.i, label %land.lhs.true15.i
land.lhs.true15.i:
  %made.i = getelementptr inbounds nuw i8, ptr %3, i64 32
  %8 = load ptr, ptr %made.i, align 8
  %cmp16.not.i = icmp eq ptr %8, null
  br i1 %cmp16.not.i, label %land.end21.i, label %land.rhs18.i
land.rhs18.i:
  %size_count.i = getelementptr inbounds nuw i8, ptr %3, i64 48
  %9 = load i64, ptr %size_count.i, align 8
  %cmp19.i = icmp slt i64 %9, 2049
  br label %land.end21.i
land.end21.i:
  %10 = phi i1 [ false, %land.lhs.true15.i ], [ %cmp6.i, %land.end.i ], [ false, %land.rhs18.i ], [ false, %if.end ]
  %11 = phi i1 [ false, %land.lhs.true15.i ], [ false, %land.end.i ], [ %cmp19.i, %land.rhs18.i ], [ false, %if.end ]
  %cmp23.i = icmp slt i32 %add.i, 513
  %or.cond1.i = select i1 %cmp.i, i1 true, i1 %11
  %or.cond2.i = select i1 %or.cond1.i, i1 true, i1 %10
  %or.cond44.i = select i1 %cmp23.i, i1 %or.cond2.i, i1 false
  br i1 %or.cond44.i, label %lor.lhs.false33.i, label %if.then.i
lor.lhs.false33.i:
  %cmp10.i.i = icmp eq i64 %and, 0
  br i1 %cmp10.i.i, label %if.end.i, label %for.body.lr.ph.i.i
for.body.lr.ph.i.i:
  %tensors.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 8240
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 48
  br label %for.body.i.i
for.cond.i.i:
  %inc.i.i = add nuw nsw i64 %index.011.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %and
  br i1 %exitcond.not.i.i, label %if.end.i, label %for.body.i.i
for.body.i.i:
  %index.011.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i ]
  %12 = load i32, ptr %inputs.i, align 8
  %conv.i.i = sext i32 %12 to i64
  %cmp1.not.i.i = icmp ult i64 %index.011.i.i, %conv.i.i
  %spec.select.i.i = select i1 %cmp1.not.i.i, i32 257, i32 1281
  %arrayidx.i.i = getelementptr inbounds nuw ptr, ptr %args, i64 %index.011.i.i
  %13 = load ptr, ptr %arrayidx.i.i, align 8
  %arrayidx3.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensors.i.i, i64 %index.011.i.i
  %arrayidx5.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %add.ptr.i.i.i, i64 %index.011.i.i
  %call6.i.i = call fastcc zeroext i1 @take_tensor(ptr noundef %13, i32 noundef signext %spec.select.i.i, ptr noundef %arrayidx3.i.i, ptr noundef %arrayidx5.i.i)
  br i1 %call6.i.i, label %for.cond.i.i, label %if.then.i
if.then.i:
  %slow.i = getelementptr inbounds nuw i8, ptr %3, i64 8
  %14 = load ptr, ptr %slow.i, align 8
  %call35.i = call fastcc ptr @call_with(ptr noundef %14, ptr noundef %callable, ptr noundef readonly %args, i64 noundef range(i64 0, -9223372036854775808) %and, ptr noundef null)
  br label %call_model.exit
if.end.i:
  br i1 %10, label %land.lhs.true38.i, label %if.end49.i
land.lhs.true38.i:
  store ptr %3, ptr %own.i.i, align 8
  %outputs.i.i = getelementptr inbounds nuw i8, ptr %own.i.i, i64 8
  %made.i.i = getelementptr inbounds nuw i8, ptr %3, i64 32
  %15 = load ptr, ptr %made.i.i, align 8
  store ptr %15, ptr %outputs.i.i, align 8
  %made2.i.i = getelementptr inbounds nuw i8, ptr %own.i.i, i64 16
  %made3.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 32816
  store ptr %made3.i.i, ptr %made2.i.i, align 8
  %thread.i.i = getelementptr inbounds nuw i8, ptr %own.i.i, i64 24
  store ptr null, ptr %thread.i.i, align 8
  store i32 0, ptr %result.i.i, align 8
  %padding.i.i.i = getelementptr inbounds nuw i8, ptr %result.i.i, i64 4
  store i32 0, ptr %padding.i.i.i, align 4
  %payload.i.i.i = getelementptr inbounds nuw i8, ptr %result.i.i, i64 8
  store i64 0, ptr %payload.i.i.i, align 8
  %threads.i.i = getelementptr inbounds nuw i8, ptr %3, i64 76
  %16 = load i32, ptr %threads.i.i, align 4
  br label %for.body.i.i.i
for.body.i.i.i:
  %indvars.iv.i.i.i = phi i64 [ 0, %land.lhs.true38.i ], [ %indvars.iv.next.i.i.i, %for.body.i.i.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %call.i, i64 %indvars.iv.i.i.i
  store i32 0, ptr %arrayidx.i.i.i, align 8
  %padding.i.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 4
  store i32 0, ptr %padding.i.i.i.i, align 4
  %payload.i.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 8
  store i64 0, ptr %payload.i.i.i.i, align 8
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, 3
  br i1 %exitcond.not.i.i.i, label %lead.exit.i.i, label %for.body.i.i.i
lead.exit.i.i:
  store i32 1, ptr %call.i, align 8
  %conv.i.i.i = sext i32 %16 to i64
  %payload.i19.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 8
  store i64 %conv.i.i.i, ptr %payload.i19.i.i, align 8
  %arrayidx3.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 32
  store i32 4, ptr %arrayidx3.i.i.i, align 8
  %arrayidx5.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 16
  store i32 4, ptr %arrayidx5.i.i.i, align 8
  %payload8.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  store ptr @allocate, ptr %payload8.i.i.i, align 8
  %payload10.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 40
  store ptr %own.i.i, ptr %payload10.i.i.i, align 8
  %17 = load i32, ptr %outputs.i, align 4
  %cmp25.i.i = icmp sgt i32 %17, 0
  br i1 %cmp25.i.i, label %for.body.i46.preheader.i, label %for.end.i.i
for.body.i46.preheader.i:
  %18 = zext nneg i32 %17 to i64
  br label %for.body.i46.i
for.body.i46.i:
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %for.body.i46.i ], [ 0, %for.body.i46.preheader.i ]
  %arrayidx.i47.i = getelementptr inbounds nuw ptr, ptr %made3.i.i, i64 %indvars.iv.i.i
  store ptr null, ptr %arrayidx.i47.i, align 8
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i.i, %18
  br i1 %exitcond.not.i, label %for.end.i.i, label %for.body.i46.i
for.end.i.i:
  %keeps_lock.i.i = getelementptr inbounds nuw i8, ptr %3, i64 24
  %19 = load i32, ptr %keeps_lock.i.i, align 8
  %tobool.not.i.i = icmp eq i32 %19, 0
  br i1 %tobool.not.i.i, label %if.then.i.i, label %if.end.i.i
if.then.i.i:
  %20 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 48), align 8
  %call7.i.i = call ptr %20()
  store ptr %call7.i.i, ptr %thread.i.i, align 8
  br label %if.end.i.i
if.end.i.i:
  %allocating.i.i = getelementptr inbounds nuw i8, ptr %3, i64 64
  %21 = load ptr, ptr %allocating.i.i, align 8
  %self.i.i = getelementptr inbounds nuw i8, ptr %3, i64 80
  %22 = load ptr, ptr %self.i.i, align 8
  %23 = load i32, ptr %inputs.i, align 8
  %add.i.i = add nsw i32 %23, 3
  %call11.i.i = call signext i32 %21(ptr noundef %22, ptr noundef nonnull %call.i, i32 noundef signext %add.i.i, ptr noundef nonnull %result.i.i)
  %24 = load i32, ptr %keeps_lock.i.i, align 8
  %tobool13.not.i.i = icmp eq i32 %24, 0
  br i1 %tobool13.not.i.i, label %if.then14.i.i, label %if.end16.i.i
if.then14.i.i:
  %25 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 56), align 8
  %26 = load ptr, ptr %thread.i.i, align 8
  call void %25(ptr noundef %26)
  br label %if.end16.i.i
if.end16.i.i:
  %cmp17.i.i = icmp eq i32 %call11.i.i, 0
  br i1 %cmp17.i.i, label %cond.end.i.i, label %cond.end.i.thread.i
cond.end.i.i:
  %results.i.i = getelementptr inbounds nuw i8, ptr %3, i64 72
  %27 = load i32, ptr %results.i.i, align 8
  %idxprom19.i.i = sext i32 %27 to i64
  %arrayidx20.i.i = getelementptr inbounds ptr, ptr %made3.i.i, i64 %idxprom19.i.i
  %28 = load i32, ptr %outputs.i, align 4
  %sub.i.i = sub nsw i32 %28, %27
  %cmp5.i.i.i = icmp sgt i32 %sub.i.i, 0
  br i1 %cmp5.i.i.i, label %for.body.preheader.i.i.i, label %fill_allocating.exit.thread.i
cond.end.i.thread.i:
  %29 = load i32, ptr %outputs.i, align 4
  %cmp5.i.i108.i = icmp sgt i32 %29, 0
  br i1 %cmp5.i.i108.i, label %for.body.preheader.i.i.i, label %fill_allocating.exit.thread.thread.i
fill_allocating.exit.thread.thread.i:
  br label %if.then46.i
for.body.preheader.i.i.i:
  %sub.i110.i = phi i32 [ %29, %cond.end.i.thread.i ], [ %sub.i.i, %cond.end.i.i ]
  %arrayidx20.i109.i = phi ptr [ %made3.i.i, %cond.end.i.thread.i ], [ %arrayidx20.i.i, %cond.end.i.i ]
  %wide.trip.count.i.i.i = zext nneg i32 %sub.i110.i to i64
  br label %for.body.i20.i.i
for.body.i20.i.i:
  %indvars.iv.i21.i.i = phi i64 [ 0, %for.body.preheader.i.i.i ], [ %indvars.iv.next.i23.i.i, %for.inc.i.i.i ]
  %arrayidx.i22.i.i = getelementptr inbounds nuw ptr, ptr %arrayidx20.i109.i, i64 %indvars.iv.i21.i.i
  %30 = load ptr, ptr %arrayidx.i22.i.i, align 8
  %cmp1.not.i.i.i = icmp eq ptr %30, null
  br i1 %cmp1.not.i.i.i, label %for.inc.i.i.i, label %if.then.i.i.i
if.then.i.i.i:
  %31 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  call void %31(ptr noundef nonnull %30)
  br label %for.inc.i.i.i
for.inc.i.i.i:
  %indvars.iv.next.i23.i.i = add nuw nsw i64 %indvars.iv.i21.i.i, 1
  %exitcond.not.i24.i.i = icmp eq i64 %indvars.iv.next.i23.i.i, %wide.trip.count.i.i.i
  br i1 %exitcond.not.i24.i.i, label %fill_allocating.exit.i, label %for.body.i20.i.i
fill_allocating.exit.i:
  br i1 %cmp17.i.i, label %if.then41.i, label %if.then46.i
fill_allocating.exit.thread.i:
  br label %if.then41.i
if.then41.i:
  %call43.i = call fastcc ptr @results(ptr noundef %3, ptr noundef %made3.i.i)
  br label %call_model.exit
if.then46.i:
  %slow47.i = getelementptr inbounds nuw i8, ptr %3, i64 8
  %32 = load ptr, ptr %slow47.i, align 8
  %call48.i = call fastcc ptr @call_with(ptr noundef %32, ptr noundef %callable, ptr noundef readonly %args, i64 noundef range(i64 0, -9223372036854775808) %and, ptr noundef null)
  br label %call_model.exit
if.end49.i:
  br i1 %11, label %cond.true.i, label %if.end62.i
cond.true.i:
  %sizes1.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 36912
  %shapes.i.i = getelementptr inbounds nuw i8, ptr %3, i64 40
  %33 = load ptr, ptr %shapes.i.i, align 8
  %cmp.not.i.i = icmp eq ptr %33, null
  br i1 %cmp.not.i.i, label %if.end.i53.i, label %land.lhs.true.i.i
land.lhs.true.i.i:
  %tensors.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 8240
  %34 = load i32, ptr %inputs.i, align 8
  %idxprom.i.i.i = sext i32 %34 to i64
  %arrayidx.i.i48.i = getelementptr inbounds %struct.tw_tensor, ptr %tensors.i.i.i, i64 %idxprom.i.i.i
  %add.ptr.i.i.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 48
  %arrayidx4.i.i.i = getelementptr inbounds %struct.tw_value, ptr %add.ptr.i.i.i.i, i64 %idxprom.i.i.i
  store i32 0, ptr %result.i.i.i, align 8
  %padding.i.i.i49.i = getelementptr inbounds nuw i8, ptr %result.i.i.i, i64 4
  store i32 0, ptr %padding.i.i.i49.i, align 4
  %payload.i.i.i50.i = getelementptr inbounds nuw i8, ptr %result.i.i.i, i64 8
  store i64 0, ptr %payload.i.i.i50.i, align 8
  %size_count.i.i.i = getelementptr inbounds nuw i8, ptr %3, i64 48
  store ptr %sizes1.i.i, ptr %arrayidx.i.i48.i, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 8
  store i32 1, ptr %.compoundliteral.sroa.2.0..sroa_idx.i.i.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0..sroa_idx.i.i.i, align 4
  %.compoundliteral.sroa.4.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 16
  store i32 1, ptr %.compoundliteral.sroa.4.0..sroa_idx.i.i.i, align 8
  %.compoundliteral.sroa.5.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 20
  store i32 81920, ptr %.compoundliteral.sroa.5.0..sroa_idx.i.i.i, align 4
  %.compoundliteral.sroa.6.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 24
  store ptr %size_count.i.i.i, ptr %.compoundliteral.sroa.6.0..sroa_idx.i.i.i, align 8
  %.compoundliteral.sroa.7.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0..sroa_idx.i.i.i, align 8
  %.compoundliteral.sroa.8.0..sroa_idx.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i48.i, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0..sroa_idx.i.i.i, align 8
  store i32 7, ptr %arrayidx4.i.i.i, align 8
  %padding.i.i51.i = getelementptr inbounds nuw i8, ptr %arrayidx4.i.i.i, i64 4
  store i32 0, ptr %padding.i.i51.i, align 4
  %payload.i.i52.i = getelementptr inbounds nuw i8, ptr %arrayidx4.i.i.i, i64 8
  store ptr %arrayidx.i.i48.i, ptr %payload.i.i52.i, align 8
  %self.i.i.i = getelementptr inbounds nuw i8, ptr %3, i64 80
  %35 = load ptr, ptr %self.i.i.i, align 8
  %add.i.i.i = add nsw i32 %34, 1
  %call7.i.i.i = call signext i32 %33(ptr noundef %35, ptr noundef nonnull %add.ptr.i.i.i.i, i32 noundef signext %add.i.i.i, ptr noundef nonnull %result.i.i.i)
  %cmp.i.i.i = icmp eq i32 %call7.i.i.i, 0
  br i1 %cmp.i.i.i, label %if.end.i53.i, label %if.then59.i
if.end.i53.i:
  %36 = load i32, ptr %outputs.i, align 4
  %cmp3.not68.i.i = icmp sgt i32 %36, 0
  br i1 %cmp3.not68.i.i, label %for.body.lr.ph.i55.i, label %cond.end.thread102.i
for.body.lr.ph.i55.i:
  %made4.i.i = getelementptr inbounds nuw i8, ptr %3, i64 32
  %37 = load ptr, ptr %made4.i.i, align 8
  %38 = load ptr, ptr %shapes.i.i, align 8
  %cmp6.not.i.i = icmp eq ptr %38, null
  %wide.trip.count.i.i = zext nneg i32 %36 to i64
  br label %for.body.i56.i
for.cond.i62.i:
  %indvars.iv.next.i63.i = add nuw nsw i64 %indvars.iv.i57.i, 1
  %exitcond.not.i64.i = icmp eq i64 %indvars.iv.next.i63.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i64.i, label %for.cond23.preheader.i.i, label %for.body.i56.i
for.cond23.preheader.i.i:
  %memory.i.i.i = getelementptr inbounds nuw i8, ptr %3, i64 56
  %made37.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 32816
  %tensors.i66.i = getelementptr inbounds nuw i8, ptr %call.i, i64 8240
  %add.ptr.i.i67.i = getelementptr inbounds nuw i8, ptr %call.i, i64 48
  br label %for.body27.i.i
for.body.i56.i:
  %indvars.iv.i57.i = phi i64 [ 0, %for.body.lr.ph.i55.i ], [ %indvars.iv.next.i63.i, %for.cond.i62.i ]
  %next.070.i.i = phi ptr [ %sizes1.i.i, %for.body.lr.ph.i55.i ], [ %add.ptr.i.i, %for.cond.i62.i ]
  %arrayidx.i58.i = getelementptr inbounds nuw %struct.tw_made, ptr %37, i64 %indvars.iv.i57.i
  br i1 %cmp6.not.i.i, label %cond.false.i.i, label %cond.end.i59.i
cond.false.i.i:
  %sizes7.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i58.i, i64 24
  %39 = load ptr, ptr %sizes7.i.i, align 8
  br label %cond.end.i59.i
cond.end.i59.i:
  %cond.i60.i = phi ptr [ %39, %cond.false.i.i ], [ %next.070.i.i, %for.body.i56.i ]
  %arrayidx9.i.i = getelementptr inbounds nuw ptr, ptr %sizes.i.i, i64 %indvars.iv.i57.i
  store ptr %cond.i60.i, ptr %arrayidx9.i.i, align 8
  %rank.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i58.i, i64 16
  %40 = load i32, ptr %rank.i.i, align 8
  %idx.ext.i.i = sext i32 %40 to i64
  %add.ptr.i.i = getelementptr inbounds i64, ptr %next.070.i.i, i64 %idx.ext.i.i
  %element_bytes.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i58.i, i64 8
  %41 = load i64, ptr %element_bytes.i.i.i, align 8
  %cmp.not11.i.i.i = icmp sgt i32 %40, 0
  br i1 %cmp.not11.i.i.i, label %for.body.preheader.i.i72.i, label %bytes_of.exit.i.i
for.body.preheader.i.i72.i:
  %wide.trip.count.i.i73.i = zext nneg i32 %40 to i64
  br label %for.body.i.i74.i
for.body.i.i74.i:
  %indvars.iv.i.i75.i = phi i64 [ 0, %for.body.preheader.i.i72.i ], [ %indvars.iv.next.i.i77.i, %if.end.i.i.i ]
  %bytes.012.i.i.i = phi i64 [ %41, %for.body.preheader.i.i72.i ], [ %mul.i.i.i, %if.end.i.i.i ]
  %arrayidx.i43.i.i = getelementptr inbounds nuw i64, ptr %cond.i60.i, i64 %indvars.iv.i.i75.i
  %42 = load i64, ptr %arrayidx.i43.i.i, align 8
  %cmp1.i.i.i = icmp slt i64 %42, 0
  br i1 %cmp1.i.i.i, label %if.then59.i, label %lor.lhs.false.i.i.i
lor.lhs.false.i.i.i:
  %cmp2.not.i.i.i = icmp eq i64 %bytes.012.i.i.i, 0
  br i1 %cmp2.not.i.i.i, label %if.end.i.i.i, label %land.lhs.true.i.i.i
land.lhs.true.i.i.i:
  %div.i.i.i = sdiv i64 140737488355328, %bytes.012.i.i.i
  %cmp5.i.i76.i = icmp sgt i64 %42, %div.i.i.i
  br i1 %cmp5.i.i76.i, label %if.then59.i, label %if.end.i.i.i
if.end.i.i.i:
  %mul.i.i.i = mul nsw i64 %42, %bytes.012.i.i.i
  %indvars.iv.next.i.i77.i = add nuw nsw i64 %indvars.iv.i.i75.i, 1
  %exitcond.not.i.i78.i = icmp eq i64 %indvars.iv.next.i.i77.i, %wide.trip.count.i.i73.i
  br i1 %exitcond.not.i.i78.i, label %bytes_of.exit.i.i, label %for.body.i.i74.i
bytes_of.exit.i.i:
  %spec.select.i.i.i = phi i64 [ %41, %cond.end.i59.i ], [ %mul.i.i.i, %if.end.i.i.i ]
  %arrayidx14.i.i = getelementptr inbounds nuw i64, ptr %bytes.i.i, i64 %indvars.iv.i57.i
  store i64 %spec.select.i.i.i, ptr %arrayidx14.i.i, align 8
  %cmp17.i61.i = icmp sgt i64 %spec.select.i.i.i, -1
  br i1 %cmp17.i61.i, label %for.cond.i62.i, label %if.then59.i
for.body27.i.i:
  %indvars.iv80.i.i = phi i64 [ 0, %for.cond23.preheader.i.i ], [ %indvars.iv.next81.i.i, %cleanup57.thread59.i.i ]
  %43 = load i32, ptr %inputs.i, align 8
  %44 = load ptr, ptr %made4.i.i, align 8
  %arrayidx30.i.i = getelementptr inbounds nuw %struct.tw_made, ptr %44, i64 %indvars.iv80.i.i
  %45 = load ptr, ptr %memory.i.i.i, align 8
  %arrayidx.i46.idx.i.i = shl nuw nsw i64 %indvars.iv80.i.i, 4
  %arrayidx.i46.i.i = getelementptr inbounds nuw i8, ptr %45, i64 %arrayidx.i46.idx.i.i
  %arrayidx33.i.i = getelementptr inbounds nuw ptr, ptr %sizes.i.i, i64 %indvars.iv80.i.i
  %46 = load ptr, ptr %arrayidx33.i.i, align 8
  %arrayidx35.i.i = getelementptr inbounds nuw i64, ptr %bytes.i.i, i64 %indvars.iv80.i.i
  %47 = load i64, ptr %arrayidx35.i.i, align 8
  %call36.i.i = call fastcc ptr @empty(ptr noundef %arrayidx30.i.i, ptr noundef %arrayidx.i46.i.i, ptr noundef %46, i64 noundef %47)
  %arrayidx39.i.i = getelementptr inbounds nuw ptr, ptr %made37.i.i, i64 %indvars.iv80.i.i
  store ptr %call36.i.i, ptr %arrayidx39.i.i, align 8
  %cmp43.not.i.i = icmp eq ptr %call36.i.i, null
  br i1 %cmp43.not.i.i, label %if.then44.i.i, label %cleanup57.thread59.i.i
if.then44.i.i:
  %cmp5.i47.not.i.i = icmp eq i64 %indvars.iv80.i.i, 0
  br i1 %cmp5.i47.not.i.i, label %cond.end.i, label %for.body.i50.i.i
for.body.i50.i.i:
  %indvars.iv.i51.i.i = phi i64 [ %indvars.iv.next.i53.i.i, %for.inc.i.i71.i ], [ 0, %if.then44.i.i ]
  %arrayidx.i52.i.i = getelementptr inbounds nuw ptr, ptr %made37.i.i, i64 %indvars.iv.i51.i.i
  %48 = load ptr, ptr %arrayidx.i52.i.i, align 8
  %cmp1.not.i.i69.i = icmp eq ptr %48, null
  br i1 %cmp1.not.i.i69.i, label %for.inc.i.i71.i, label %if.then.i.i70.i
if.then.i.i70.i:
  %49 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  call void %49(ptr noundef nonnull %48)
  br label %for.inc.i.i71.i
for.inc.i.i71.i:
  %indvars.iv.next.i53.i.i = add nuw nsw i64 %indvars.iv.i51.i.i, 1
  %exitcond.not.i54.i.i = icmp eq i64 %indvars.iv.next.i53.i.i, %indvars.iv80.i.i
  br i1 %exitcond.not.i54.i.i, label %cond.end.i, label %for.body.i50.i.i
cleanup57.thread59.i.i:
  %50 = trunc nuw nsw i64 %indvars.iv80.i.i to i32
  %add.i68.i = add nsw i32 %43, %50
  %idxprom51.i.i = sext i32 %add.i68.i to i64
  %arrayidx52.i.i = getelementptr inbounds %struct.tw_tensor, ptr %tensors.i66.i, i64 %idxprom51.i.i
  %arrayidx55.i.i = getelementptr inbounds %struct.tw_value, ptr %add.ptr.i.i67.i, i64 %idxprom51.i.i
  %call56.i.i = call fastcc zeroext i1 @take_tensor(ptr noundef nonnull %call36.i.i, i32 noundef signext 0, ptr noundef %arrayidx52.i.i, ptr noundef %arrayidx55.i.i)
  %indvars.iv.next81.i.i = add nuw nsw i64 %indvars.iv80.i.i, 1
  %51 = load i32, ptr %outputs.i, align 4
  %52 = sext i32 %51 to i64
  %cmp25.not.i.i = icmp slt i64 %indvars.iv.next81.i.i, %52
  br i1 %cmp25.not.i.i, label %for.body27.i.i, label %cond.end.thread102.i
cond.end.thread102.i:
  br label %if.end62.i
cond.end.i:
  br label %call_model.exit
if.then59.i:
  %slow60.i = getelementptr inbounds nuw i8, ptr %3, i64 8
  %53 = load ptr, ptr %slow60.i, align 8
  %call61.i = call fastcc ptr @call_with(ptr noundef %53, ptr noundef %callable, ptr noundef readonly %args, i64 noundef range(i64 0, -9223372036854775808) %and, ptr noundef null)
  br label %call_model.exit
if.end62.i:
  store i32 0, ptr %result.i, align 8
  %padding.i.i = getelementptr inbounds nuw i8, ptr %result.i, i64 4
  store i32 0, ptr %padding.i.i, align 4
  %payload.i.i = getelementptr inbounds nuw i8, ptr %result.i, i64 8
  store i64 0, ptr %payload.i.i, align 8
  %keeps_lock.i79.i = getelementptr inbounds nuw i8, ptr %3, i64 24
  %54 = load i32, ptr %keeps_lock.i79.i, align 8
  %tobool.not.i80.i = icmp eq i32 %54, 0
  br i1 %tobool.not.i80.i, label %if.end.i85.i, label %if.then.i81.i
if.then.i81.i:
  %55 = load ptr, ptr %3, align 8
  %self.i82.i = getelementptr inbounds nuw i8, ptr %3, i64 80
  %56 = load ptr, ptr %self.i82.i, align 8
  %add.ptr.i.i83.i = getelementptr inbounds nuw i8, ptr %call.i, i64 48
  %call2.i.i = call signext i32 %55(ptr noundef %56, ptr noundef nonnull %add.ptr.i.i83.i, i32 noundef signext range(i32 -2147483648, 513) %add.i, ptr noundef nonnull %result.i)
  br label %invoke.exit.i
if.end.i85.i:
  %57 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 48), align 8
  %call3.i.i = call ptr %57()
  %58 = load ptr, ptr %3, align 8
  %self5.i.i = getelementptr inbounds nuw i8, ptr %3, i64 80
  %59 = load ptr, ptr %self5.i.i, align 8
  %add.ptr.i8.i.i = getelementptr inbounds nuw i8, ptr %call.i, i64 48
  %call7.i86.i = call signext i32 %58(ptr noundef %59, ptr noundef nonnull %add.ptr.i8.i.i, i32 noundef signext range(i32 -2147483648, 513) %add.i, ptr noundef nonnull %result.i)
  %60 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 56), align 8
  call void %60(ptr noundef %call3.i.i)
  br label %invoke.exit.i
invoke.exit.i:
  %retval.0.i84.i = phi i32 [ %call2.i.i, %if.then.i81.i ], [ %call7.i86.i, %if.end.i85.i ]
  %cmp64.not.i = icmp eq i32 %retval.0.i84.i, 0
  br i1 %cmp64.not.i, label %if.end75.i, label %if.then66.i
if.then66.i:
  br i1 %11, label %if.then68.i, label %if.end72.i
if.then68.i:
  %made69.i = getelementptr inbounds nuw i8, ptr %call.i, i64 32816
  %61 = load i32, ptr %outputs.i, align 4
  %cmp5.i.i = icmp sgt i32 %61, 0
  br i1 %cmp5.i.i, label %for.body.preheader.i.i, label %if.end72.i
for.body.preheader.i.i:
  %wide.trip.count.i88.i = zext nneg i32 %61 to i64
  br label %for.body.i89.i
for.body.i89.i:
  %indvars.iv.i90.i = phi i64 [ 0, %for.body.preheader.i.i ], [ %indvars.iv.next.i94.i, %for.inc.i.i ]
  %arrayidx.i91.i = getelementptr inbounds nuw ptr, ptr %made69.i, i64 %indvars.iv.i90.i
  %62 = load ptr, ptr %arrayidx.i91.i, align 8
  %cmp1.not.i92.i = icmp eq ptr %62, null
  br i1 %cmp1.not.i92.i, label %for.inc.i.i, label %if.then.i93.i
if.then.i93.i:
  %63 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  call void %63(ptr noundef nonnull %62)
  br label %for.inc.i.i
for.inc.i.i:
  %indvars.iv.next.i94.i = add nuw nsw i64 %indvars.iv.i90.i, 1
  %exitcond.not.i95.i = icmp eq i64 %indvars.iv.next.i94.i, %wide.trip.count.i88.i
  br i1 %exitcond.not.i95.i, label %if.end72.i, label %for.body.i89.i
if.end72.i:
  %slow73.i = getelementptr inbounds nuw i8, ptr %3, i64 8
  %64 = load ptr, ptr %slow73.i, align 8
  %call74.i = call fastcc ptr @call_with(ptr noundef %64, ptr noundef %callable, ptr noundef readonly %args, i64 noundef range(i64 0, -9223372036854775808) %and, ptr noundef null)
  br label %call_model.exit
if.end75.i:
  br i1 %11, label %if.then77.i, label %if.end81.i
if.then77.i:
  %made78.i = getelementptr inbounds nuw i8, ptr %call.i, i64 32816
  %call80.i = call fastcc ptr @results(ptr noundef nonnull %3, ptr noundef %made78.i)
  br label %call_model.exit
if.end81.i:
  %65 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 24), align 8
  %66 = load ptr, ptr @__tw_python, align 8
  call void %65(ptr noundef %66)
  %67 = load ptr, ptr @__tw_python, align 8
  br label %call_model.exit
call_model.exit:
  %retval.0.i = phi ptr [ %call35.i, %if.then.i ], [ %call43.i, %if.then41.i ], [ %call48.i, %if.then46.i ], [ %67, %if.end81.i ], [ %call61.i, %if.then59.i ], [ %call74.i, %if.end72.i ], [ %call80.i, %if.then77.i ], [ null, %cond.end.i ]
  br label %cleanup
cleanup:
  %retval.0 = phi ptr [ %call1, %if.then ], [ %retval.0.i, %call_model.exit ]
  ret ptr %retval.0
}
define internal fastcc ptr @call_with(ptr noundef %function, ptr noundef %callable, ptr noundef readonly captures(none) %args, i64 noundef range(i64 0, -9223372036854775808) %count, ptr noundef %names) unnamed_addr nounwind "no-builtins" {
  %cmp = icmp eq ptr %names, null
  br i1 %cmp, label %cond.end, label %cond.false
cond.false:
  %size = getelementptr inbounds nuw i8, ptr %names, i64 16
  %1 = load i64, ptr %size, align 8
  br label %cond.end
cond.end:
  %cond = phi i64 [ %1, %cond.false ], [ 0, %0 ]
  %add = add nuw i64 %count, 1
  %add1 = add i64 %cond, %add
  %vla = alloca ptr, i64 %add1, align 8
  store ptr %callable, ptr %vla, align 8
  %add2 = add i64 %cond, %count
  %cmp39.not = icmp eq i64 %add2, 0
  br i1 %cmp39.not, label %for.end, label %for.body
for.body:
  %index.010 = phi i64 [ %add5, %for.body ], [ 0, %cond.end ]
  %arrayidx4 = getelementptr inbounds nuw ptr, ptr %args, i64 %index.010
  %2 = load ptr, ptr %arrayidx4, align 8
  %add5 = add nuw i64 %index.010, 1
  %arrayidx6 = getelementptr inbounds nuw ptr, ptr %vla, i64 %add5
  store ptr %2, ptr %arrayidx6, align 8
  %exitcond.not = icmp eq i64 %add5, %add2
  br i1 %exitcond.not, label %for.end, label %for.body
for.end:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 40), align 8
  %call = call ptr %3(ptr noundef %function, ptr noundef nonnull %vla, i64 noundef %add, ptr noundef %names)
  ret ptr %call
}
define internal fastcc ptr @results(ptr noundef readonly captures(none) %binding, ptr noundef nonnull readonly captures(none) %made) unnamed_addr nounwind "no-builtins" {
  %results = getelementptr inbounds nuw i8, ptr %binding, i64 72
  %1 = load i32, ptr %results, align 8
  %cmp = icmp eq i32 %1, 1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %2 = load ptr, ptr %made, align 8
  %call = tail call fastcc ptr @tensor_around(ptr noundef %2)
  br label %return
if.end:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 96), align 8
  %conv = sext i32 %1 to i64
  %call2 = tail call ptr %3(i64 noundef %conv)
  %4 = load i32, ptr %results, align 8
  %cmp4.not29 = icmp sgt i32 %4, 0
  br i1 %cmp4.not29, label %for.body.lr.ph, label %return
for.body.lr.ph:
  %cmp6 = icmp eq ptr %call2, null
  br i1 %cmp6, label %if.then12, label %cond.end
cond.end:
  %indvars.iv46 = phi i64 [ %indvars.iv.next, %cleanup.thread ], [ 0, %for.body.lr.ph ]
  %arrayidx8 = getelementptr inbounds nuw ptr, ptr %made, i64 %indvars.iv46
  %5 = load ptr, ptr %arrayidx8, align 8
  %call9 = tail call fastcc ptr @tensor_around(ptr noundef %5)
  %cmp10.not = icmp eq ptr %call9, null
  br i1 %cmp10.not, label %cond.end.if.then12_crit_edge, label %cleanup.thread
cond.end.if.then12_crit_edge:
  %.pre = load i32, ptr %results, align 8
  %6 = trunc i64 %indvars.iv46 to i32
  br label %if.then12
if.then12:
  %indvars.iv43 = phi i32 [ %6, %cond.end.if.then12_crit_edge ], [ 0, %for.body.lr.ph ]
  %7 = phi i32 [ %.pre, %cond.end.if.then12_crit_edge ], [ %4, %for.body.lr.ph ]
  %cmp13 = icmp ne ptr %call2, null
  %conv14 = zext i1 %cmp13 to i32
  %add = add nuw nsw i32 %indvars.iv43, %conv14
  %idxprom15 = zext nneg i32 %add to i64
  %arrayidx16 = getelementptr inbounds nuw ptr, ptr %made, i64 %idxprom15
  %sub20 = sub i32 %7, %add
  %cmp5.i = icmp sgt i32 %sub20, 0
  br i1 %cmp5.i, label %for.body.preheader.i, label %drop.exit.thread
for.body.preheader.i:
  %wide.trip.count.i = zext nneg i32 %sub20 to i64
  br label %for.body.i
for.body.i:
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %arrayidx16, i64 %indvars.iv.i
  %8 = load ptr, ptr %arrayidx.i, align 8
  %cmp1.not.i = icmp eq ptr %8, null
  br i1 %cmp1.not.i, label %for.inc.i, label %if.then.i
if.then.i:
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  tail call void %9(ptr noundef nonnull %8)
  br label %for.inc.i
for.inc.i:
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %drop.exit, label %for.body.i
drop.exit:
  br i1 %cmp13, label %if.then23, label %return
drop.exit.thread:
  br i1 %cmp13, label %if.then23.thread, label %return
if.then23.thread:
  %10 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  tail call void %10(ptr noundef nonnull %call2)
  br label %return
if.then23:
  %11 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  tail call void %11(ptr noundef nonnull %call2)
  br label %return
cleanup.thread:
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 104), align 8
  %call27 = tail call signext i32 %12(ptr noundef nonnull %call2, i64 noundef %indvars.iv46, ptr noundef nonnull %call9)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv46, 1
  %13 = load i32, ptr %results, align 8
  %14 = sext i32 %13 to i64
  %cmp4.not = icmp slt i64 %indvars.iv.next, %14
  br i1 %cmp4.not, label %cond.end, label %return
return:
  %retval.0 = phi ptr [ %call, %if.then ], [ null, %drop.exit ], [ null, %if.then23 ], [ null, %drop.exit.thread ], [ null, %if.then23.thread ], [ %call2, %if.end ], [ %call2, %cleanup.thread ]
  ret ptr %retval.0
}
define internal fastcc zeroext i1 @take_tensor(ptr noundef %argument, i32 noundef signext range(i32 0, 1282) %flags, ptr noundef nonnull %tensor, ptr noundef nonnull writeonly captures(none) %value) unnamed_addr nounwind "no-builtins" {
  %type = getelementptr inbounds nuw i8, ptr %argument, i64 8
  %1 = load ptr, ptr %type, align 8
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 144), align 8
  %type1 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %3 = load ptr, ptr %type1, align 8
  %cmp = icmp eq ptr %1, %3
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %argument, i64 16
  %4 = load i32, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 156), align 4
  %idxprom = sext i32 %4 to i64
  %arrayidx = getelementptr inbounds ptr, ptr %add.ptr.i, i64 %idxprom
  %5 = load ptr, ptr %arrayidx, align 8
  %type2.phi.trans.insert = getelementptr inbounds nuw i8, ptr %5, i64 8
  %.pre = load ptr, ptr %type2.phi.trans.insert, align 8
  br label %if.end
if.end:
  %6 = phi ptr [ %.pre, %if.then ], [ %1, %0 ]
  %argument.addr.0 = phi ptr [ %5, %if.then ], [ %argument, %0 ]
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 16), align 8
  %cmp3 = icmp eq ptr %6, %7
  br i1 %cmp3, label %cond.true, label %for.body.i
cond.true:
  %dtype.i = getelementptr inbounds nuw i8, ptr %argument.addr.0, i64 56
  %8 = load ptr, ptr %dtype.i, align 8
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 160), align 8
  %cmp.not7.i.i = icmp eq ptr %9, null
  br i1 %cmp.not7.i.i, label %cond.end, label %for.body.i.i
for.body.i.i:
  %10 = phi ptr [ %11, %for.inc.i.i ], [ %9, %cond.true ]
  %each.08.i.i = phi ptr [ %incdec.ptr.i.i, %for.inc.i.i ], [ getelementptr inbounds nuw (i8, ptr @__tw_python, i64 160), %cond.true ]
  %cmp3.i.i = icmp eq ptr %10, %8
  br i1 %cmp3.i.i, label %code_of.exit.i, label %for.inc.i.i
for.inc.i.i:
  %incdec.ptr.i.i = getelementptr inbounds nuw i8, ptr %each.08.i.i, i64 16
  %11 = load ptr, ptr %incdec.ptr.i.i, align 8
  %cmp.not.i.i = icmp eq ptr %11, null
  br i1 %cmp.not.i.i, label %cond.end, label %for.body.i.i
code_of.exit.i:
  %code.i.i = getelementptr inbounds nuw i8, ptr %each.08.i.i, i64 8
  %12 = load i32, ptr %code.i.i, align 8
  %cmp.i = icmp eq i32 %12, 0
  br i1 %cmp.i, label %cond.end, label %lor.lhs.false.i
lor.lhs.false.i:
  %flags1.i = getelementptr inbounds nuw i8, ptr %argument.addr.0, i64 64
  %13 = load i32, ptr %flags1.i, align 8
  %and.i = and i32 %13, %flags
  %cmp2.not.i = icmp eq i32 %and.i, %flags
  br i1 %cmp2.not.i, label %if.end.i, label %cond.end
if.end.i:
  %data3.i = getelementptr inbounds nuw i8, ptr %argument.addr.0, i64 16
  %14 = load ptr, ptr %data3.i, align 8
  %rank4.i = getelementptr inbounds nuw i8, ptr %argument.addr.0, i64 24
  %15 = load i32, ptr %rank4.i, align 8
  %sizes.i = getelementptr inbounds nuw i8, ptr %argument.addr.0, i64 32
  %16 = load ptr, ptr %sizes.i, align 8
  store ptr %14, ptr %tensor, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  store i32 1, ptr %.compoundliteral.sroa.2.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0..sroa_idx.i, align 4
  %.compoundliteral.sroa.4.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  store i32 %15, ptr %.compoundliteral.sroa.4.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.5.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  store i32 %12, ptr %.compoundliteral.sroa.5.0..sroa_idx.i, align 4
  %.compoundliteral.sroa.6.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  store ptr %16, ptr %.compoundliteral.sroa.6.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.7.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.8.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0..sroa_idx.i, align 8
  br label %cond.end
for.cond.i:
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 4
  br i1 %exitcond.not.i, label %cond.end, label %for.body.i
for.body.i:
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.cond.i ], [ 0, %if.end ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_exchange, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 416), i64 %indvars.iv.i
  %17 = load ptr, ptr %arrayidx.i, align 8
  %cmp1.i = icmp eq ptr %17, null
  br i1 %cmp1.i, label %cond.end, label %if.end.i10
if.end.i10:
  %cmp4.not.i = icmp eq ptr %17, %6
  br i1 %cmp4.not.i, label %if.end6.i, label %for.cond.i
if.end6.i:
  %lazy.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %18 = load i64, ptr %lazy.i.i, align 8
  %cmp.i.i = icmp eq i64 %18, 0
  br i1 %cmp.i.i, label %if.end8.i, label %if.end.i.i
if.end.i.i:
  %tensor_at.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 24
  %19 = load i64, ptr %tensor_at.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds ptr, ptr %argument.addr.0, i64 %19
  %20 = load ptr, ptr %arrayidx.i.i, align 8
  %keys_at.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %21 = load i64, ptr %keys_at.i.i, align 8
  %arrayidx1.i.i = getelementptr inbounds i64, ptr %20, i64 %21
  %22 = load i64, ptr %arrayidx1.i.i, align 8
  %and.i.i = and i64 %22, %18
  %cmp3.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %cmp3.not.i.i, label %if.end5.i.i, label %cond.end
if.end5.i.i:
  %cmp7.i.i = icmp samesign ult i32 %flags, 1024
  br i1 %cmp7.i.i, label %if.end8.i, label %lor.lhs.false.i.i
lor.lhs.false.i.i:
  %gradient_at.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 40
  %23 = load i64, ptr %gradient_at.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds i64, ptr %20, i64 %23
  %24 = load i64, ptr %arrayidx8.i.i, align 8
  %cmp9.i.i = icmp eq i64 %24, 0
  br i1 %cmp9.i.i, label %if.end8.i, label %if.end11.i.i
if.end11.i.i:
  %25 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 72), align 8
  %call.i.i = tail call ptr %25(ptr noundef nonnull %argument.addr.0, ptr noundef nonnull @.str)
  %cmp12.i.i = icmp eq ptr %call.i.i, null
  br i1 %cmp12.i.i, label %if.then13.i.i, label %is_plain.exit.i
if.then13.i.i:
  %26 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 64), align 8
  tail call void %26()
  br label %cond.end
is_plain.exit.i:
  %27 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 8), align 8
  %cmp15.i.i = icmp eq ptr %call.i.i, %27
  %28 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  tail call void %28(ptr noundef nonnull %call.i.i)
  br i1 %cmp15.i.i, label %if.end8.i, label %cond.end
if.end8.i:
  %borrow.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %29 = load ptr, ptr %borrow.i, align 8
  %call9.i = tail call signext i32 %29(ptr noundef nonnull %argument.addr.0, ptr noundef nonnull %tensor)
  %cmp10.i = icmp eq i32 %call9.i, 0
  br i1 %cmp10.i, label %if.then11.i, label %if.end13.i
if.then11.i:
  %device_type.i = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %30 = load i32, ptr %device_type.i, align 8
  %cmp12.i = icmp eq i32 %30, 1
  br label %cond.end
if.end13.i:
  %31 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 64), align 8
  tail call void %31()
  br label %cond.end
cond.end:
  %cond.in = phi i1 [ false, %for.inc.i.i ], [ true, %if.end.i ], [ false, %lor.lhs.false.i ], [ false, %code_of.exit.i ], [ false, %cond.true ], [ false, %if.then13.i.i ], [ false, %if.end.i.i ], [ false, %is_plain.exit.i ], [ false, %if.end13.i ], [ %cmp12.i, %if.then11.i ], [ false, %for.cond.i ], [ false, %for.body.i ]
  store i32 7, ptr %value, align 8
  %padding = getelementptr inbounds nuw i8, ptr %value, i64 4
  store i32 0, ptr %padding, align 4
  %payload = getelementptr inbounds nuw i8, ptr %value, i64 8
  store ptr %tensor, ptr %payload, align 8
  ret i1 %cond.in
}
define internal ptr @allocate(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef %sizes) nounwind "no-builtins" {
  %1 = load ptr, ptr %context, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %context, i64 8
  %2 = load ptr, ptr %outputs, align 8
  %idxprom = sext i32 %output to i64
  %arrayidx = getelementptr inbounds %struct.tw_made, ptr %2, i64 %idxprom
  %element_bytes.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load i64, ptr %element_bytes.i, align 8
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %4 = load i32, ptr %rank.i, align 8
  %cmp.not11.i = icmp sgt i32 %4, 0
  br i1 %cmp.not11.i, label %for.body.preheader.i, label %bytes_of.exit
for.body.preheader.i:
  %wide.trip.count.i = zext nneg i32 %4 to i64
  br label %for.body.i
for.body.i:
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %if.end.i ]
  %bytes.012.i = phi i64 [ %3, %for.body.preheader.i ], [ %mul.i, %if.end.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv.i
  %5 = load i64, ptr %arrayidx.i, align 8
  %cmp1.i = icmp slt i64 %5, 0
  br i1 %cmp1.i, label %cleanup, label %lor.lhs.false.i
lor.lhs.false.i:
  %cmp2.not.i = icmp eq i64 %bytes.012.i, 0
  br i1 %cmp2.not.i, label %if.end.i, label %land.lhs.true.i
land.lhs.true.i:
  %div.i = sdiv i64 140737488355328, %bytes.012.i
  %cmp5.i = icmp sgt i64 %5, %div.i
  br i1 %cmp5.i, label %cleanup, label %if.end.i
if.end.i:
  %mul.i = mul nsw i64 %5, %bytes.012.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %bytes_of.exit, label %for.body.i
bytes_of.exit:
  %spec.select.i = phi i64 [ %3, %0 ], [ %mul.i, %if.end.i ]
  %cmp = icmp slt i64 %spec.select.i, 0
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %keeps_lock = getelementptr inbounds nuw i8, ptr %1, i64 24
  %6 = load i32, ptr %keeps_lock, align 8
  %tobool.not = icmp eq i32 %6, 0
  br i1 %tobool.not, label %if.then3, label %if.end4
if.then3:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 56), align 8
  %thread = getelementptr inbounds nuw i8, ptr %context, i64 24
  %8 = load ptr, ptr %thread, align 8
  tail call void %7(ptr noundef %8)
  br label %if.end4
if.end4:
  %memory.i = getelementptr inbounds nuw i8, ptr %1, i64 56
  %9 = load ptr, ptr %memory.i, align 8
  %mul.i14 = shl nsw i32 %output, 1
  %idxprom.i = sext i32 %mul.i14 to i64
  %arrayidx.i15 = getelementptr inbounds ptr, ptr %9, i64 %idxprom.i
  %call6 = tail call fastcc ptr @empty(ptr noundef %arrayidx, ptr noundef %arrayidx.i15, ptr noundef %sizes, i64 noundef %spec.select.i)
  %made7 = getelementptr inbounds nuw i8, ptr %context, i64 16
  %10 = load ptr, ptr %made7, align 8
  %arrayidx9 = getelementptr inbounds ptr, ptr %10, i64 %idxprom
  store ptr %call6, ptr %arrayidx9, align 8
  %cmp10 = icmp eq ptr %call6, null
  br i1 %cmp10, label %if.then11, label %if.end12
if.then11:
  %11 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 64), align 8
  tail call void %11()
  br label %if.end12
if.end12:
  %12 = load i32, ptr %keeps_lock, align 8
  %tobool14.not = icmp eq i32 %12, 0
  br i1 %tobool14.not, label %if.then15, label %if.end18
if.then15:
  %13 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 48), align 8
  %call16 = tail call ptr %13()
  %thread17 = getelementptr inbounds nuw i8, ptr %context, i64 24
  store ptr %call16, ptr %thread17, align 8
  br label %if.end18
if.end18:
  br i1 %cmp10, label %cleanup, label %cond.false
cond.false:
  %data = getelementptr inbounds nuw i8, ptr %call6, i64 16
  %14 = load ptr, ptr %data, align 8
  br label %cleanup
cleanup:
  %retval.0 = phi ptr [ null, %bytes_of.exit ], [ %14, %cond.false ], [ null, %if.end18 ], [ null, %for.body.i ], [ null, %land.lhs.true.i ]
  ret ptr %retval.0
}
define internal fastcc ptr @empty(ptr noundef readonly captures(none) %made, ptr noundef captures(none) %kept, ptr noundef %sizes, i64 noundef %bytes) unnamed_addr nounwind "no-builtins" {
  %room.i = alloca i64, align 8
  %add = add nsw i64 %bytes, 64
  %cmp = icmp sgt i64 %bytes, 131007
  br i1 %cmp, label %cond.true, label %cond.end.thread
cond.true:
  %1 = load ptr, ptr @__tw_python, align 8
  br label %for.body.i
for.body.i:
  %replaced.043.i = phi ptr [ %kept, %cond.true ], [ %replaced.2.ph.i, %for.inc.i ]
  %cmp.not.i = phi i1 [ true, %cond.true ], [ false, %for.inc.i ]
  %each.0.idx42.i = phi i64 [ 0, %cond.true ], [ 8, %for.inc.i ]
  %each.0.ptr44.i = getelementptr inbounds nuw i8, ptr %kept, i64 %each.0.idx42.i
  %2 = load ptr, ptr %each.0.ptr44.i, align 8
  %cmp3.not.i = icmp eq ptr %2, %1
  br i1 %cmp3.not.i, label %for.inc.i, label %land.rhs.i
land.rhs.i:
  %3 = load i32, ptr %2, align 8
  %cmp4.i = icmp eq i32 %3, 1
  br i1 %cmp4.i, label %land.lhs.true.i, label %for.inc.i
land.lhs.true.i:
  %sizes.i = getelementptr inbounds nuw i8, ptr %2, i64 32
  %4 = load ptr, ptr %sizes.i, align 8
  %5 = load i64, ptr %4, align 8
  %cmp6.not.i = icmp slt i64 %5, %add
  br i1 %cmp6.not.i, label %for.inc.i, label %cond.end
for.inc.i:
  %replaced.2.ph.i = phi ptr [ %each.0.ptr44.i, %land.lhs.true.i ], [ %replaced.043.i, %land.rhs.i ], [ %each.0.ptr44.i, %for.body.i ]
  br i1 %cmp.not.i, label %for.body.i, label %for.end.i
for.end.i:
  %6 = tail call i64 @llvm.umin.i64(i64 range(i64 131072, -9223372036854775808) %add, i64 4194304)
  %spec.select.i = lshr i64 %6, 2
  %add.i = add nuw nsw i64 %spec.select.i, %add
  store i64 %add.i, ptr %room.i, align 8
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 24), align 8
  %8 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 136), align 8
  tail call void %7(ptr noundef %8)
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 120), align 8
  %10 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 16), align 8
  %11 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 136), align 8
  %call18.i = call ptr %9(ptr noundef %10, ptr noundef %11, i32 noundef signext 1, ptr noundef nonnull %room.i, ptr noundef null, ptr noundef null, i32 noundef signext 0, ptr noundef null)
  %cmp19.i = icmp eq ptr %call18.i, null
  br i1 %cmp19.i, label %cond.end.thread27, label %cond.end.thread30
cond.end.thread27:
  br label %cleanup24
cond.end.thread30:
  %12 = load ptr, ptr %replaced.2.ph.i, align 8
  %13 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 24), align 8
  call void %13(ptr noundef nonnull %call18.i)
  store ptr %call18.i, ptr %replaced.2.ph.i, align 8
  %14 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  call void %14(ptr noundef %12)
  br label %cond.true4
cond.end:
  %15 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 24), align 8
  tail call void %15(ptr noundef nonnull %2)
  %16 = load ptr, ptr %each.0.ptr44.i, align 8
  %cmp2 = icmp eq ptr %16, null
  br i1 %cmp2, label %cleanup24, label %cond.true4
cond.end.thread:
  %17 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 80), align 8
  %call1 = tail call ptr %17(ptr noundef null, i64 noundef %add)
  %cmp222 = icmp eq ptr %call1, null
  br i1 %cmp222, label %cleanup24, label %cond.false6
cond.true4:
  %cond23 = phi ptr [ %16, %cond.end ], [ %call18.i, %cond.end.thread30 ]
  %data = getelementptr inbounds nuw i8, ptr %cond23, i64 16
  %18 = load ptr, ptr %data, align 8
  br label %cond.end8
cond.false6:
  %19 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 88), align 8
  %call7 = tail call ptr %19(ptr noundef nonnull %call1)
  br label %cond.end8
cond.end8:
  %cond2326 = phi ptr [ %cond23, %cond.true4 ], [ %call1, %cond.false6 ]
  %cond9 = phi ptr [ %18, %cond.true4 ], [ %call7, %cond.false6 ]
  %20 = ptrtoint ptr %cond9 to i64
  %sub = sub i64 0, %20
  %and = and i64 %sub, 63
  %add11 = add i64 %and, %20
  %21 = inttoptr i64 %add11 to ptr
  %22 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 24), align 8
  %23 = load ptr, ptr %made, align 8
  call void %22(ptr noundef %23)
  %24 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 120), align 8
  %25 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 16), align 8
  %26 = load ptr, ptr %made, align 8
  %rank = getelementptr inbounds nuw i8, ptr %made, i64 16
  %27 = load i32, ptr %rank, align 8
  %call13 = call ptr %24(ptr noundef %25, ptr noundef %26, i32 noundef signext %27, ptr noundef %sizes, ptr noundef null, ptr noundef %21, i32 noundef signext 1281, ptr noundef null)
  %cmp14 = icmp eq ptr %call13, null
  br i1 %cmp14, label %if.then15, label %if.end16
if.then15:
  %28 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  call void %28(ptr noundef nonnull %cond2326)
  br label %cleanup24
if.end16:
  %29 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 128), align 8
  %call17 = call signext i32 %29(ptr noundef nonnull %call13, ptr noundef nonnull %cond2326)
  %cmp18.not = icmp eq i32 %call17, 0
  br i1 %cmp18.not, label %cleanup24, label %if.then19
if.then19:
  %30 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  call void %30(ptr noundef nonnull %call13)
  br label %cleanup24
cleanup24:
  %retval.0 = phi ptr [ null, %cond.end ], [ null, %if.then15 ], [ null, %if.then19 ], [ %call13, %if.end16 ], [ null, %cond.end.thread ], [ null, %cond.end.thread27 ]
  ret ptr %retval.0
}
define internal fastcc ptr @tensor_around(ptr noundef %array) unnamed_addr nounwind "no-builtins" {
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 112), align 8
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 144), align 8
  %type = getelementptr inbounds nuw i8, ptr %2, i64 8
  %3 = load ptr, ptr %type, align 8
  %call = tail call ptr %1(ptr noundef %3, i64 noundef 0)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 32), align 8
  tail call void %4(ptr noundef %array)
  br label %cleanup
if.end:
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call, i64 16
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 144), align 8
  %add.ptr.i20 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %6 = load i32, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 152), align 8
  %cmp521 = icmp sgt i32 %6, 0
  br i1 %cmp521, label %for.body.preheader, label %cleanup
for.body.preheader:
  %.pre24 = load i32, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 156), align 4
  br label %for.body
for.body:
  %7 = phi i32 [ %.pre24, %for.body.preheader ], [ %14, %for.inc ]
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %8 = zext i32 %7 to i64
  %cmp6 = icmp eq i64 %indvars.iv, %8
  br i1 %cmp6, label %cond.end, label %cond.false
cond.false:
  %arrayidx = getelementptr inbounds nuw ptr, ptr %add.ptr.i20, i64 %indvars.iv
  %9 = load ptr, ptr %arrayidx, align 8
  br label %cond.end
cond.end:
  %cond = phi ptr [ %9, %cond.false ], [ %array, %for.body ]
  %arrayidx8 = getelementptr inbounds nuw ptr, ptr %add.ptr.i, i64 %indvars.iv
  store ptr %cond, ptr %arrayidx8, align 8
  %10 = load i32, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 156), align 4
  %11 = zext i32 %10 to i64
  %cmp10.not = icmp eq i64 %indvars.iv, %11
  br i1 %cmp10.not, label %for.inc, label %land.lhs.true
land.lhs.true:
  %arrayidx12 = getelementptr inbounds nuw ptr, ptr %add.ptr.i20, i64 %indvars.iv
  %12 = load ptr, ptr %arrayidx12, align 8
  %cmp13.not = icmp eq ptr %12, null
  br i1 %cmp13.not, label %for.inc, label %if.then14
if.then14:
  %13 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 24), align 8
  tail call void %13(ptr noundef nonnull %12)
  %.pre = load i32, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 156), align 4
  br label %for.inc
for.inc:
  %14 = phi i32 [ %10, %cond.end ], [ %10, %land.lhs.true ], [ %.pre, %if.then14 ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %15 = load i32, ptr getelementptr inbounds nuw (i8, ptr @__tw_python, i64 152), align 8
  %16 = sext i32 %15 to i64
  %cmp5 = icmp slt i64 %indvars.iv.next, %16
  br i1 %cmp5, label %for.body, label %cleanup
cleanup:
  ret ptr %call
}
declare i64 @llvm.umin.i64(i64, i64)
