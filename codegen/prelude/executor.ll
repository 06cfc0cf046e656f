; Generated from runtime/native/executor.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_executor_functions = type { ptr, ptr, ptr, ptr, ptr }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }

@.str = private unnamed_addr constant [57 x i8] c"%s: no memory for an executor\0A    expected: %d arguments\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.2 = private unnamed_addr constant [52 x i8] c"%s: no memory for input %s\0A    expected: %lld bytes\00", align 1
@.str.3 = private unnamed_addr constant [89 x i8] c"%s: there is no such output\0A    expected: an index in 0..%d, after a run\0A    got: %d, %s\00", align 1
@.str.4 = private unnamed_addr constant [22 x i8] c"no run that succeeded\00", align 1
@.str.5 = private unnamed_addr constant [13 x i8] c"out of range\00", align 1
@.str.6 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@__tw_executor_functions = local_unnamed_addr constant %struct.tw_executor_functions { ptr @tw_create_executor, ptr @__tw_destroy, ptr @__tw_set_input, ptr @get_input, ptr @check_inputs }, align 8
@fail_null.message = internal constant [1024 x i8] c"the executor is null\0A    expected: a result of create\0A    got: null\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.7 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@.str.8 = private unnamed_addr constant [73 x i8] c"%s: no input has this name\0A    expected: a name in %.600s\0A    got: %.80s\00", align 1
@.str.9 = private unnamed_addr constant [5 x i8] c"null\00", align 1
@__const.fail_tensor.given = private unnamed_addr constant [256 x i8] c"no tensor\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.10 = private unnamed_addr constant [31 x i8] c"DLPack type code %d, %d bits, \00", align 1
@.str.11 = private unnamed_addr constant [7 x i8] c"%s%lld\00", align 1
@.str.12 = private unnamed_addr constant [2 x i8] c"[\00", align 1
@.str.13 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.14 = private unnamed_addr constant [3 x i8] c"[]\00", align 1
@.str.15 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@.str.16 = private unnamed_addr constant [99 x i8] c"%s: the tensor does not fit input %.80s\0A    expected: %.300s, row by row in CPU memory\0A    got: %s\00", align 1
@.str.17 = private unnamed_addr constant [90 x i8] c"%s: input %s is not set\0A    expected: %s\0A    got: no value\0A    hint: call set_input first\00", align 1

define void @__tw_destroy(ptr noundef %executor) #0 {
entry:
  %arguments = getelementptr inbounds nuw i8, ptr %executor, i64 92
  %cmp.not = icmp eq ptr %executor, null
  br i1 %cmp.not, label %for.cond.cleanup, label %land.rhs.lr.ph

land.rhs.lr.ph:                                   ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %0 = load i32, ptr %arguments, align 4
  %cmp1.not8 = icmp slt i32 %0, 0
  br i1 %cmp1.not8, label %for.cond.cleanup, label %for.body

for.cond.cleanup:                                 ; preds = %drop.exit, %land.rhs.lr.ph, %entry
  tail call void @free(ptr noundef %executor) #9
  ret void

for.body:                                         ; preds = %land.rhs.lr.ph, %drop.exit
  %indvars.iv9 = phi i64 [ %indvars.iv.next, %drop.exit ], [ 0, %land.rhs.lr.ph ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %slots, i64 %indvars.iv9
  %1 = load ptr, ptr %arrayidx, align 8
  %cmp.not.i = icmp eq ptr %1, null
  br i1 %cmp.not.i, label %drop.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %for.body
  %2 = atomicrmw sub ptr %1, i64 1 acq_rel, align 8
  %3 = and i64 %2, 4294967295
  %cmp1.i = icmp eq i64 %3, 1
  br i1 %cmp1.i, label %if.then.i, label %drop.exit

if.then.i:                                        ; preds = %land.lhs.true.i
  tail call void @free(ptr noundef nonnull %1) #9
  br label %drop.exit

drop.exit:                                        ; preds = %for.body, %land.lhs.true.i, %if.then.i
  %indvars.iv.next = add nuw nsw i64 %indvars.iv9, 1
  %4 = load i32, ptr %arguments, align 4
  %5 = sext i32 %4 to i64
  %cmp1.not.not = icmp slt i64 %indvars.iv9, %5
  br i1 %cmp1.not.not, label %for.body, label %for.cond.cleanup
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare void @free(ptr noundef) local_unnamed_addr #0

define hidden noalias ptr @tw_create_executor(ptr noundef readonly captures(none) %model) #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #10
  %arguments = getelementptr inbounds nuw i8, ptr %model, i64 92
  %0 = load i32, ptr %arguments, align 4
  %conv = sext i32 %0 to i64
  %add = shl nsw i64 %conv, 3
  %add1 = add nsw i64 %add, 128
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add1) #9
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr %model, align 8
  %2 = load i32, ptr %arguments, align 4
  %call4 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %1, i32 noundef signext %2) #9
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #9
  br label %if.end

if.else:                                          ; preds = %entry
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(104) %call, ptr noundef nonnull align 8 dereferenceable(104) %model, i64 104, i1 false)
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #10
  ret ptr %call
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #0

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #0

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

define signext i32 @__tw_set_input(ptr noundef captures(address_is_null) %executor, ptr noundef %name, ptr noundef readonly captures(address_is_null) %tensor) #0 {
entry:
  %message.i28 = alloca [1024 x i8], align 1
  %given.i = alloca [256 x i8], align 1
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #10
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call.i = tail call signext i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull @fail_null.message) #9
  br label %cleanup32

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #10
  %cmp.not.i = icmp eq ptr %name, null
  br i1 %cmp.not.i, label %position_of.exit.thread, label %land.rhs.lr.ph.i

land.rhs.lr.ph.i:                                 ; preds = %if.end
  %inputs.i = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %0 = load i32, ptr %inputs.i, align 8
  %smax.i = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count.i = zext nneg i32 %smax.i to i64
  %exitcond.not.i63 = icmp slt i32 %0, 1
  br i1 %exitcond.not.i63, label %position_of.exit.thread, label %for.body.i.lr.ph

for.body.i.lr.ph:                                 ; preds = %land.rhs.lr.ph.i
  %specs.i = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %1 = load ptr, ptr %specs.i, align 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i.lr.ph, %for.inc.i
  %indvars.iv.i64 = phi i64 [ 0, %for.body.i.lr.ph ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr %1, i64 %indvars.iv.i64
  %2 = load ptr, ptr %arrayidx.i, align 8
  %3 = load i8, ptr %2, align 1
  %cmp.not6.i.i = icmp eq i8 %3, 0
  br i1 %cmp.not6.i.i, label %is_same.exit.i, label %land.rhs.i.i

land.rhs.i.i:                                     ; preds = %for.body.i, %while.body.i.i
  %4 = phi i8 [ %6, %while.body.i.i ], [ %3, %for.body.i ]
  %rhs.addr.08.i.i = phi ptr [ %incdec.ptr6.i.i, %while.body.i.i ], [ %name, %for.body.i ]
  %lhs.addr.07.i.i = phi ptr [ %incdec.ptr.i.i, %while.body.i.i ], [ %2, %for.body.i ]
  %5 = load i8, ptr %rhs.addr.08.i.i, align 1
  %cmp4.i.i = icmp eq i8 %4, %5
  br i1 %cmp4.i.i, label %while.body.i.i, label %is_same.exit.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %incdec.ptr.i.i = getelementptr inbounds nuw i8, ptr %lhs.addr.07.i.i, i64 1
  %incdec.ptr6.i.i = getelementptr inbounds nuw i8, ptr %rhs.addr.08.i.i, i64 1
  %6 = load i8, ptr %incdec.ptr.i.i, align 1
  %cmp.not.i.i = icmp eq i8 %6, 0
  br i1 %cmp.not.i.i, label %is_same.exit.i, label %land.rhs.i.i

is_same.exit.i:                                   ; preds = %while.body.i.i, %land.rhs.i.i, %for.body.i
  %rhs.addr.0.lcssa.i.i = phi ptr [ %name, %for.body.i ], [ %incdec.ptr6.i.i, %while.body.i.i ], [ %rhs.addr.08.i.i, %land.rhs.i.i ]
  %.lcssa.i.i = phi i8 [ 0, %for.body.i ], [ 0, %while.body.i.i ], [ %4, %land.rhs.i.i ]
  %7 = load i8, ptr %rhs.addr.0.lcssa.i.i, align 1
  %cmp9.i.i = icmp eq i8 %.lcssa.i.i, %7
  br i1 %cmp9.i.i, label %position_of.exit, label %for.inc.i

for.inc.i:                                        ; preds = %is_same.exit.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i64, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %position_of.exit.thread, label %for.body.i

position_of.exit.thread:                          ; preds = %for.inc.i, %land.rhs.lr.ph.i, %if.end
  %cond.i = phi ptr [ @.str.9, %if.end ], [ %name, %land.rhs.lr.ph.i ], [ %name, %for.inc.i ]
  %8 = load ptr, ptr %executor, align 8
  %signature.i = getelementptr inbounds nuw i8, ptr %executor, i64 8
  %9 = load ptr, ptr %signature.i, align 8
  %call5.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef %8, ptr noundef %9, ptr noundef nonnull %cond.i) #9
  %report.i = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %10 = load ptr, ptr %report.i, align 8
  call void %10(ptr noundef nonnull @.str.6, ptr noundef nonnull %message.i) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  br label %cleanup32

position_of.exit:                                 ; preds = %is_same.exit.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  %idxprom = and i64 %indvars.iv.i64, 4294967295
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr %1, i64 %idxprom
  %cmp.i = icmp eq ptr %tensor, null
  br i1 %cmp.i, label %if.then7.thread59, label %lor.lhs.false.i

if.then7.thread59:                                ; preds = %position_of.exit
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i28) #10
  call void @llvm.lifetime.start.p0(ptr nonnull %given.i) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(256) %given.i, ptr noundef nonnull align 1 dereferenceable(256) @__const.fail_tensor.given, i64 256, i1 false)
  br label %fail_tensor.exit

lor.lhs.false.i:                                  ; preds = %position_of.exit
  %device_type.i = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %11 = load i32, ptr %device_type.i, align 8
  %cmp1.not.i = icmp eq i32 %11, 1
  %dtype.i = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %12 = load i32, ptr %dtype.i, align 4
  br i1 %cmp1.not.i, label %lor.lhs.false2.i, label %land.lhs.true.i

lor.lhs.false2.i:                                 ; preds = %lor.lhs.false.i
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %13 = load i32, ptr %dtype3.i, align 4
  %cmp4.not.i = icmp eq i32 %12, %13
  br i1 %cmp4.not.i, label %if.end.i, label %land.lhs.true.i

if.end.i:                                         ; preds = %lor.lhs.false2.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %14 = load i32, ptr %rank.i, align 8
  %cmp5.i = icmp slt i32 %14, 0
  %rank6.i = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %15 = load i32, ptr %rank6.i, align 8
  %spec.select.i = icmp ult i32 %15, 33
  %or.cond.i = select i1 %cmp5.i, i1 %spec.select.i, i1 false
  br i1 %or.cond.i, label %for.end.critedge.i, label %land.lhs.true10.i

land.lhs.true10.i:                                ; preds = %if.end.i
  %cmp13.not.i = icmp eq i32 %15, %14
  br i1 %cmp13.not.i, label %if.end15.i, label %land.lhs.true.i

if.end15.i:                                       ; preds = %land.lhs.true10.i
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %16 = load ptr, ptr %shape.i, align 8
  %cmp16.not.i = icmp ne ptr %16, null
  %cmp1931.i = icmp sgt i32 %14, 0
  %or.cond32.i = and i1 %cmp1931.i, %cmp16.not.i
  br i1 %or.cond32.i, label %for.body.lr.ph.i, label %for.end.critedge.i

for.body.lr.ph.i:                                 ; preds = %if.end15.i
  %shape24.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %17 = zext nneg i32 %14 to i64
  br label %for.body.i23

for.body.i23:                                     ; preds = %for.inc.i26, %for.body.lr.ph.i
  %indvars.iv.i24 = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i27, %for.inc.i26 ]
  %arrayidx.i25 = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.i24
  %18 = load i64, ptr %arrayidx.i25, align 8
  %cmp22.i = icmp sgt i64 %18, -1
  br i1 %cmp22.i, label %land.lhs.true23.i, label %for.inc.i26

land.lhs.true23.i:                                ; preds = %for.body.i23
  %19 = load ptr, ptr %shape24.i, align 8
  %arrayidx26.i = getelementptr inbounds nuw i64, ptr %19, i64 %indvars.iv.i24
  %20 = load i64, ptr %arrayidx26.i, align 8
  %cmp30.not.i = icmp eq i64 %20, %18
  br i1 %cmp30.not.i, label %for.inc.i26, label %land.lhs.true.i

for.inc.i26:                                      ; preds = %land.lhs.true23.i, %for.body.i23
  %indvars.iv.next.i27 = add nuw nsw i64 %indvars.iv.i24, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i27, %17
  br i1 %exitcond.not, label %for.end.critedge.i, label %for.body.i23

for.end.critedge.i:                               ; preds = %for.inc.i26, %if.end15.i, %if.end.i
  %21 = phi i32 [ %15, %if.end.i ], [ %14, %if.end15.i ], [ %14, %for.inc.i26 ]
  %shape35.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %22 = load ptr, ptr %shape35.i, align 8
  %shr.i.i = lshr i32 %12, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div6.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div6.i.i to i64
  %cmp.not7.i.i = icmp sgt i32 %21, 0
  br i1 %cmp.not7.i.i, label %for.body.preheader.i.i, label %bytes_of.exit.i

for.body.preheader.i.i:                           ; preds = %for.end.critedge.i
  %wide.trip.count.i.i = zext nneg i32 %21 to i64
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc.i.i, %for.body.preheader.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.preheader.i.i ], [ %indvars.iv.next.i.i, %for.inc.i.i ]
  %bytes.08.i.i = phi i64 [ %conv.i.i, %for.body.preheader.i.i ], [ %26, %for.inc.i.i ]
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.i.i
  %23 = load i64, ptr %arrayidx.i.i, align 8
  %cmp2.i.i = icmp slt i64 %23, 0
  br i1 %cmp2.i.i, label %land.lhs.true.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i.i
  %24 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.08.i.i, i64 %23)
  %25 = extractvalue { i64, i1 } %24, 1
  br i1 %25, label %land.lhs.true.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %lor.lhs.false.i.i
  %26 = extractvalue { i64, i1 } %24, 0
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %bytes_of.exit.i, label %for.body.i.i

bytes_of.exit.i:                                  ; preds = %for.inc.i.i, %for.end.critedge.i
  %spec.select.i.i = phi i64 [ %conv.i.i, %for.end.critedge.i ], [ %26, %for.inc.i.i ]
  %cmp36.i = icmp eq i64 %spec.select.i.i, 0
  br i1 %cmp36.i, label %if.end9, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %bytes_of.exit.i
  %cmp37.i = icmp sgt i64 %spec.select.i.i, 0
  br i1 %cmp37.i, label %land.lhs.true38.i, label %land.lhs.true.i

land.lhs.true38.i:                                ; preds = %lor.rhs.i
  %27 = load ptr, ptr %tensor, align 8
  %cmp39.not.i = icmp eq ptr %27, null
  br i1 %cmp39.not.i, label %land.lhs.true.i, label %is_copied.exit

is_copied.exit:                                   ; preds = %land.lhs.true38.i
  %call41.i = tail call fastcc zeroext i1 @is_row_major(ptr noundef readonly %tensor) #11
  br i1 %call41.i, label %if.end9, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %land.lhs.true23.i, %for.body.i.i, %lor.lhs.false.i.i, %lor.rhs.i, %land.lhs.true38.i, %land.lhs.true10.i, %lor.lhs.false2.i, %lor.lhs.false.i, %is_copied.exit
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i28) #10
  call void @llvm.lifetime.start.p0(ptr nonnull %given.i) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(256) %given.i, ptr noundef nonnull align 1 dereferenceable(256) @__const.fail_tensor.given, i64 256, i1 false)
  %dtype1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %28 = load i32, ptr %dtype1.i, align 4
  %cmp2.i = icmp eq i32 %12, %28
  br i1 %cmp2.i, label %for.cond.preheader.i, label %if.then21.i

for.cond.preheader.i:                             ; preds = %land.lhs.true.i
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %29 = load ptr, ptr %text.i, align 8
  %30 = load i8, ptr %29, align 1
  %cmp3.not36.i = icmp eq i8 %30, 0
  br i1 %cmp3.not36.i, label %land.lhs.true29.lr.ph.i, label %land.lhs.true5.i

land.lhs.true5.i:                                 ; preds = %for.cond.preheader.i, %for.body.i37
  %indvars.iv.i36 = phi i64 [ %indvars.iv.next.i38, %for.body.i37 ], [ 0, %for.cond.preheader.i ]
  %31 = phi i8 [ %32, %for.body.i37 ], [ %30, %for.cond.preheader.i ]
  %length.037.i = phi i32 [ %inc.i, %for.body.i37 ], [ 0, %for.cond.preheader.i ]
  %cmp10.i = icmp ne i8 %31, 91
  %cmp12.i = icmp samesign ult i64 %indvars.iv.i36, 20
  %or.cond1.i = select i1 %cmp10.i, i1 %cmp12.i, i1 false
  br i1 %or.cond1.i, label %for.body.i37, label %land.lhs.true29.lr.ph.loopexit.split.loop.exit.i

for.body.i37:                                     ; preds = %land.lhs.true5.i
  %arrayidx18.i = getelementptr inbounds nuw i8, ptr %given.i, i64 %indvars.iv.i36
  store i8 %31, ptr %arrayidx18.i, align 1
  %indvars.iv.next.i38 = add nuw nsw i64 %indvars.iv.i36, 1
  %inc.i = add nuw nsw i32 %length.037.i, 1
  %arrayidx.i39 = getelementptr inbounds nuw i8, ptr %29, i64 %indvars.iv.next.i38
  %32 = load i8, ptr %arrayidx.i39, align 1
  %cmp3.not.i = icmp eq i8 %32, 0
  br i1 %cmp3.not.i, label %land.lhs.true29.lr.ph.i, label %land.lhs.true5.i

if.then21.i:                                      ; preds = %land.lhs.true.i
  %and.i = and i32 %12, 255
  %shr.i = lshr i32 %12, 8
  %and24.i = and i32 %shr.i, 255
  %call.i31 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %given.i, i64 noundef 256, ptr noundef nonnull @.str.10, i32 noundef signext %and.i, i32 noundef signext %and24.i) #9
  br label %land.lhs.true29.lr.ph.i

land.lhs.true29.lr.ph.loopexit.split.loop.exit.i: ; preds = %land.lhs.true5.i
  %33 = trunc nuw nsw i64 %indvars.iv.i36 to i32
  br label %land.lhs.true29.lr.ph.i

land.lhs.true29.lr.ph.i:                          ; preds = %for.body.i37, %land.lhs.true29.lr.ph.loopexit.split.loop.exit.i, %if.then21.i, %for.cond.preheader.i
  %length.1.i = phi i32 [ %call.i31, %if.then21.i ], [ 0, %for.cond.preheader.i ], [ %33, %land.lhs.true29.lr.ph.loopexit.split.loop.exit.i ], [ %inc.i, %for.body.i37 ]
  %rank.i32 = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %shape.i33 = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %34 = load i32, ptr %rank.i32, align 8
  %cmp30.i65 = icmp sgt i32 %34, 0
  %cmp33.i66 = icmp slt i32 %length.1.i, 256
  %or.cond2.i67 = select i1 %cmp30.i65, i1 %cmp33.i66, i1 false
  br i1 %or.cond2.i67, label %for.body36.i, label %for.cond.cleanup.i

for.cond.cleanup.i:                               ; preds = %for.body36.i, %land.lhs.true29.lr.ph.i
  %length.240.i.lcssa = phi i32 [ %length.1.i, %land.lhs.true29.lr.ph.i ], [ %add.i, %for.body36.i ]
  %.lcssa = phi i32 [ %34, %land.lhs.true29.lr.ph.i ], [ %37, %for.body36.i ]
  %cmp33.i.lcssa = phi i1 [ %cmp33.i66, %land.lhs.true29.lr.ph.i ], [ %cmp33.i, %for.body36.i ]
  br i1 %cmp33.i.lcssa, label %if.then52.i, label %fail_tensor.exit

for.body36.i:                                     ; preds = %land.lhs.true29.lr.ph.i, %for.body36.i
  %length.240.i69 = phi i32 [ %add.i, %for.body36.i ], [ %length.1.i, %land.lhs.true29.lr.ph.i ]
  %indvars.iv43.i68 = phi i64 [ %indvars.iv.next44.i, %for.body36.i ], [ 0, %land.lhs.true29.lr.ph.i ]
  %idx.ext.i = sext i32 %length.240.i69 to i64
  %add.ptr.i = getelementptr inbounds i8, ptr %given.i, i64 %idx.ext.i
  %sub.i = sub nsw i64 256, %idx.ext.i
  %cmp39.i = icmp eq i64 %indvars.iv43.i68, 0
  %cond.i35 = select i1 %cmp39.i, ptr @.str.12, ptr @.str.13
  %35 = load ptr, ptr %shape.i33, align 8
  %arrayidx42.i = getelementptr inbounds nuw i64, ptr %35, i64 %indvars.iv43.i68
  %36 = load i64, ptr %arrayidx42.i, align 8
  %call43.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i, i64 noundef %sub.i, ptr noundef nonnull @.str.11, ptr noundef nonnull %cond.i35, i64 noundef %36) #9
  %add.i = add nsw i32 %call43.i, %length.240.i69
  %indvars.iv.next44.i = add nuw nsw i64 %indvars.iv43.i68, 1
  %37 = load i32, ptr %rank.i32, align 8
  %38 = sext i32 %37 to i64
  %cmp30.i = icmp slt i64 %indvars.iv.next44.i, %38
  %cmp33.i = icmp slt i32 %add.i, 256
  %or.cond2.i = select i1 %cmp30.i, i1 %cmp33.i, i1 false
  br i1 %or.cond2.i, label %for.body36.i, label %for.cond.cleanup.i

if.then52.i:                                      ; preds = %for.cond.cleanup.i
  %idx.ext54.i = sext i32 %length.240.i.lcssa to i64
  %add.ptr55.i = getelementptr inbounds i8, ptr %given.i, i64 %idx.ext54.i
  %sub57.i = sub nsw i64 256, %idx.ext54.i
  %cmp59.i = icmp eq i32 %.lcssa, 0
  %cond61.i = select i1 %cmp59.i, ptr @.str.14, ptr @.str.15
  %call62.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr55.i, i64 noundef %sub57.i, ptr noundef nonnull %cond61.i) #9
  br label %fail_tensor.exit

fail_tensor.exit:                                 ; preds = %if.then7.thread59, %for.cond.cleanup.i, %if.then52.i
  %39 = load ptr, ptr %executor, align 8
  %40 = load ptr, ptr %arrayidx, align 8
  %text66.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %41 = load ptr, ptr %text66.i, align 8
  %call68.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i28, i64 noundef 1024, ptr noundef nonnull @.str.16, ptr noundef %39, ptr noundef %40, ptr noundef %41, ptr noundef nonnull %given.i) #9
  %report.i34 = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %42 = load ptr, ptr %report.i34, align 8
  call void %42(ptr noundef nonnull @.str.7, ptr noundef nonnull %message.i28) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %given.i) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i28) #10
  br label %cleanup32

if.end9:                                          ; preds = %bytes_of.exit.i, %is_copied.exit
  %cmp.not7.i = icmp sgt i32 %15, 0
  br i1 %cmp.not7.i, label %for.body.preheader.i, label %bytes_of.exit

for.body.preheader.i:                             ; preds = %if.end9
  %wide.trip.count.i44 = zext nneg i32 %15 to i64
  br label %for.body.i45

for.body.i45:                                     ; preds = %for.inc.i50, %for.body.preheader.i
  %indvars.iv.i46 = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i51, %for.inc.i50 ]
  %bytes.08.i = phi i64 [ %conv.i.i, %for.body.preheader.i ], [ %46, %for.inc.i50 ]
  %arrayidx.i47 = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.i46
  %43 = load i64, ptr %arrayidx.i47, align 8
  %cmp2.i48 = icmp slt i64 %43, 0
  br i1 %cmp2.i48, label %bytes_of.exit, label %lor.lhs.false.i49

lor.lhs.false.i49:                                ; preds = %for.body.i45
  %44 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.08.i, i64 %43)
  %45 = extractvalue { i64, i1 } %44, 1
  br i1 %45, label %bytes_of.exit, label %for.inc.i50

for.inc.i50:                                      ; preds = %lor.lhs.false.i49
  %46 = extractvalue { i64, i1 } %44, 0
  %indvars.iv.next.i51 = add nuw nsw i64 %indvars.iv.i46, 1
  %exitcond.not.i52 = icmp eq i64 %indvars.iv.next.i51, %wide.trip.count.i44
  br i1 %exitcond.not.i52, label %bytes_of.exit, label %for.body.i45

bytes_of.exit:                                    ; preds = %for.body.i45, %lor.lhs.false.i49, %for.inc.i50, %if.end9
  %spec.select.i43 = phi i64 [ %conv.i.i, %if.end9 ], [ %46, %for.inc.i50 ], [ -1, %for.body.i45 ], [ -1, %lor.lhs.false.i49 ]
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %arrayidx12 = getelementptr inbounds nuw ptr, ptr %slots, i64 %idxprom
  %call16 = tail call fastcc ptr @resize(ptr noundef nonnull %arrayidx12, i32 noundef signext %12, i32 noundef signext %15, ptr noundef %22) #11
  %cmp17 = icmp eq ptr %call16, null
  br i1 %cmp17, label %if.then18, label %if.end23

if.then18:                                        ; preds = %bytes_of.exit
  %47 = load ptr, ptr %executor, align 8
  %48 = load ptr, ptr %arrayidx, align 8
  %call21 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %47, ptr noundef %48, i64 noundef %spec.select.i43) #9
  %report = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %49 = load ptr, ptr %report, align 8
  call void %49(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #9
  br label %cleanup32

if.end23:                                         ; preds = %bytes_of.exit
  %cmp24 = icmp sgt i64 %spec.select.i43, 0
  br i1 %cmp24, label %if.then25, label %cleanup32

if.then25:                                        ; preds = %if.end23
  %50 = load ptr, ptr %tensor, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  %51 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %50, i64 %51
  %call26 = tail call ptr @memcpy(ptr noundef nonnull %call16, ptr noundef %add.ptr, i64 noundef %spec.select.i43) #9
  br label %cleanup32

cleanup32:                                        ; preds = %position_of.exit.thread, %if.then18, %if.then25, %if.end23, %fail_tensor.exit, %if.then
  %retval.0 = phi i32 [ %call.i, %if.then ], [ -1, %position_of.exit.thread ], [ -1, %fail_tensor.exit ], [ -1, %if.then18 ], [ 0, %if.then25 ], [ 0, %if.end23 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #10
  ret i32 %retval.0
}

define internal fastcc ptr @resize(ptr noundef captures(none) %slot, i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef readonly captures(none) %shape) unnamed_addr #0 {
entry:
  %shr.i = lshr i32 %dtype, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div6.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div6.i to i64
  %cmp.not7.i = icmp sgt i32 %rank, 0
  br i1 %cmp.not7.i, label %for.body.preheader.i, label %bytes_of.exit

for.body.preheader.i:                             ; preds = %entry
  %wide.trip.count.i = zext nneg i32 %rank to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %bytes.08.i = phi i64 [ %conv.i, %for.body.preheader.i ], [ %3, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv.i
  %0 = load i64, ptr %arrayidx.i, align 8
  %cmp2.i = icmp slt i64 %0, 0
  br i1 %cmp2.i, label %bytes_of.exit, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %for.body.i
  %1 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.08.i, i64 %0)
  %2 = extractvalue { i64, i1 } %1, 1
  br i1 %2, label %bytes_of.exit, label %for.inc.i

for.inc.i:                                        ; preds = %lor.lhs.false.i
  %3 = extractvalue { i64, i1 } %1, 0
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %bytes_of.exit, label %for.body.i

bytes_of.exit:                                    ; preds = %for.body.i, %lor.lhs.false.i, %for.inc.i, %entry
  %spec.select.i = phi i64 [ %conv.i, %entry ], [ %3, %for.inc.i ], [ -1, %for.body.i ], [ -1, %lor.lhs.false.i ]
  %4 = load ptr, ptr %slot, align 8
  %cmp = icmp eq ptr %4, null
  br i1 %cmp, label %drop.exit, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %bytes_of.exit
  %room = getelementptr inbounds nuw i8, ptr %4, i64 328
  %5 = load i64, ptr %room, align 8
  %cmp1 = icmp sgt i64 %spec.select.i, %5
  br i1 %cmp1, label %land.lhs.true.i, label %if.end10

land.lhs.true.i:                                  ; preds = %lor.lhs.false
  %6 = atomicrmw sub ptr %4, i64 1 acq_rel, align 8
  %7 = and i64 %6, 4294967295
  %cmp1.i = icmp eq i64 %7, 1
  br i1 %cmp1.i, label %if.then.i, label %drop.exit

if.then.i:                                        ; preds = %land.lhs.true.i
  tail call void @free(ptr noundef nonnull %4) #9
  br label %drop.exit

drop.exit:                                        ; preds = %bytes_of.exit, %land.lhs.true.i, %if.then.i
  %or.cond = icmp ugt i64 %spec.select.i, 4611686018427387903
  br i1 %or.cond, label %cond.end.thread, label %cond.end

cond.end.thread:                                  ; preds = %drop.exit
  store ptr null, ptr %slot, align 8
  br label %cleanup

cond.end:                                         ; preds = %drop.exit
  %div23 = and i64 %spec.select.i, 4611686018427387840
  %add5 = add nuw nsw i64 %div23, 448
  %call6 = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %add5) #9
  store ptr %call6, ptr %slot, align 8
  %cmp7 = icmp eq ptr %call6, null
  br i1 %cmp7, label %cleanup, label %if.end

if.end:                                           ; preds = %cond.end
  store i64 4294967297, ptr %call6, align 64
  %.compoundliteral.sroa.2.0.header.sroa_idx = getelementptr inbounds nuw i8, ptr %call6, i64 8
  store i32 70, ptr %.compoundliteral.sroa.2.0.header.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.header.sroa_idx = getelementptr inbounds nuw i8, ptr %call6, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0.header.sroa_idx, align 4
  %.compoundliteral.sroa.4.0.header.sroa_idx = getelementptr inbounds nuw i8, ptr %call6, i64 16
  store ptr @delete_block, ptr %.compoundliteral.sroa.4.0.header.sroa_idx, align 16
  %8 = load ptr, ptr %slot, align 8
  %room9 = getelementptr inbounds nuw i8, ptr %8, i64 328
  store i64 %spec.select.i, ptr %room9, align 8
  %.pre = load ptr, ptr %slot, align 8
  br label %if.end10

if.end10:                                         ; preds = %if.end, %lor.lhs.false
  %9 = phi ptr [ %.pre, %if.end ], [ %4, %lor.lhs.false ]
  %tensor = getelementptr inbounds nuw i8, ptr %9, i64 24
  %add.ptr = getelementptr inbounds nuw i8, ptr %9, i64 384
  %shape16 = getelementptr inbounds nuw i8, ptr %9, i64 72
  store ptr %add.ptr, ptr %tensor, align 8
  %.compoundliteral12.sroa.2.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 32
  store i32 1, ptr %.compoundliteral12.sroa.2.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.3.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 36
  store i32 0, ptr %.compoundliteral12.sroa.3.0.tensor.sroa_idx, align 4
  %.compoundliteral12.sroa.4.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 40
  store i32 %rank, ptr %.compoundliteral12.sroa.4.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.5.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 44
  store i32 %dtype, ptr %.compoundliteral12.sroa.5.0.tensor.sroa_idx, align 4
  %.compoundliteral12.sroa.6.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 48
  store ptr %shape16, ptr %.compoundliteral12.sroa.6.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.7.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 56
  store ptr null, ptr %.compoundliteral12.sroa.7.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.8.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 64
  store i64 0, ptr %.compoundliteral12.sroa.8.0.tensor.sroa_idx, align 8
  br i1 %cmp.not7.i, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %if.end10
  %wide.trip.count = zext nneg i32 %rank to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end10
  %10 = load ptr, ptr %slot, align 8
  %add.ptr21 = getelementptr inbounds nuw i8, ptr %10, i64 384
  br label %cleanup

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  %11 = load i64, ptr %arrayidx, align 8
  %12 = load ptr, ptr %slot, align 8
  %shape18 = getelementptr inbounds nuw i8, ptr %12, i64 72
  %arrayidx20 = getelementptr inbounds nuw i64, ptr %shape18, i64 %indvars.iv
  store i64 %11, ptr %arrayidx20, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:                                          ; preds = %cond.end.thread, %cond.end, %for.cond.cleanup
  %retval.0 = phi ptr [ %add.ptr21, %for.cond.cleanup ], [ null, %cond.end ], [ null, %cond.end.thread ]
  ret ptr %retval.0
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #0

define signext i32 @__tw_run(ptr noundef %executor) local_unnamed_addr #0 {
entry:
  %message.i.i = alloca [1024 x i8], align 1
  %result = alloca %struct.tw_value, align 8
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call.i = tail call signext i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull @fail_null.message) #9
  br label %return

if.end:                                           ; preds = %entry
  %has_outputs = getelementptr inbounds nuw i8, ptr %executor, i64 104
  store i8 0, ptr %has_outputs, align 8
  %inputs.i = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %0 = load i32, ptr %inputs.i, align 8
  %cmp7.i = icmp sgt i32 %0, 0
  br i1 %cmp7.i, label %for.body.lr.ph.i, label %if.end4

for.body.lr.ph.i:                                 ; preds = %if.end
  %slots.i.i = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %wide.trip.count.i = zext nneg i32 %0 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i.i) #10
  %arrayidx.i.i = getelementptr inbounds nuw ptr, ptr %slots.i.i, i64 %indvars.iv.i
  %1 = load ptr, ptr %arrayidx.i.i, align 8
  %cmp.not.i.i = icmp eq ptr %1, null
  br i1 %cmp.not.i.i, label %check_inputs.exit, label %for.inc.i

for.inc.i:                                        ; preds = %for.body.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i.i) #10
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %if.end4, label %for.body.i

check_inputs.exit:                                ; preds = %for.body.i
  %2 = load ptr, ptr %executor, align 8
  %specs.i.i = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %3 = load ptr, ptr %specs.i.i, align 8
  %arrayidx3.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %3, i64 %indvars.iv.i
  %4 = load ptr, ptr %arrayidx3.i.i, align 8
  %text.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i.i, i64 8
  %5 = load ptr, ptr %text.i.i, align 8
  %call.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i.i, i64 noundef 1024, ptr noundef nonnull @.str.17, ptr noundef %2, ptr noundef %4, ptr noundef %5) #9
  %report.i.i = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %6 = load ptr, ptr %report.i.i, align 8
  call void %6(ptr noundef nonnull @.str.6, ptr noundef nonnull %message.i.i) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i.i) #10
  br label %return

if.end4:                                          ; preds = %for.inc.i, %if.end
  %add = add nsw i32 %0, 3
  %7 = zext i32 %add to i64
  %8 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %7, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #10
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %threads = getelementptr inbounds nuw i8, ptr %executor, i64 40
  %9 = load ptr, ptr %threads, align 8
  %10 = load i32, ptr %9, align 4
  %conv = sext i32 %10 to i64
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %conv, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %vla, i64 16
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %vla, i64 32
  store i32 4, ptr %arrayidx7, align 8
  %.compoundliteral8.sroa.2.0.arrayidx7.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 36
  store i32 0, ptr %.compoundliteral8.sroa.2.0.arrayidx7.sroa_idx, align 4
  %.compoundliteral8.sroa.3.0.arrayidx7.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 40
  store i64 0, ptr %.compoundliteral8.sroa.3.0.arrayidx7.sroa_idx, align 8
  %11 = load i64, ptr %arrayidx7, align 8
  store i64 %11, ptr %arrayidx6, align 8
  %payload13 = getelementptr inbounds nuw i8, ptr %vla, i64 24
  store ptr @allocate_output, ptr %payload13, align 8
  store ptr %executor, ptr %.compoundliteral8.sroa.3.0.arrayidx7.sroa_idx, align 8
  %12 = load i32, ptr %inputs.i, align 8
  %cmp1726 = icmp sgt i32 %12, 0
  br i1 %cmp1726, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end4
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %wide.trip.count = zext nneg i32 %12 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end4
  %specs = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %13 = load ptr, ptr %specs, align 8
  %idx.ext = sext i32 %12 to i64
  %add.ptr = getelementptr inbounds %struct.tw_spec, ptr %13, i64 %idx.ext
  %outputs = getelementptr inbounds nuw i8, ptr %executor, i64 112
  store ptr %add.ptr, ptr %outputs, align 8
  %choose = getelementptr inbounds nuw i8, ptr %executor, i64 72
  %14 = load ptr, ptr %choose, align 8
  %cmp32.not = icmp eq ptr %14, null
  br i1 %cmp32.not, label %if.end42, label %land.lhs.true

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %15 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx20 = getelementptr inbounds nuw i8, ptr %15, i64 48
  store i32 7, ptr %arrayidx20, align 8
  %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %15, i64 52
  store i32 0, ptr %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx, align 4
  %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %15, i64 56
  %arrayidx26 = getelementptr inbounds nuw ptr, ptr %slots, i64 %indvars.iv
  %16 = load ptr, ptr %arrayidx26, align 8
  %tensor = getelementptr inbounds nuw i8, ptr %16, i64 24
  store ptr %tensor, ptr %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

land.lhs.true:                                    ; preds = %for.cond.cleanup
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %vla, i64 48
  %call38 = call signext i32 %14(ptr noundef nonnull %add.ptr35, i32 noundef signext %12, ptr noundef nonnull %outputs) #9
  %cmp39.not = icmp eq i32 %call38, 0
  br i1 %cmp39.not, label %land.lhs.true.if.end42_crit_edge, label %cleanup

land.lhs.true.if.end42_crit_edge:                 ; preds = %land.lhs.true
  %.pre = load i32, ptr %inputs.i, align 8
  br label %if.end42

if.end42:                                         ; preds = %land.lhs.true.if.end42_crit_edge, %for.cond.cleanup
  %17 = phi i32 [ %.pre, %land.lhs.true.if.end42_crit_edge ], [ %12, %for.cond.cleanup ]
  %run_allocating = getelementptr inbounds nuw i8, ptr %executor, i64 56
  %18 = load ptr, ptr %run_allocating, align 8
  %add44 = add nsw i32 %17, 3
  %call45 = call signext i32 %18(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add44, ptr noundef nonnull %result) #9
  %cmp46 = icmp eq i32 %call45, 0
  %storedv = zext i1 %cmp46 to i8
  store i8 %storedv, ptr %has_outputs, align 8
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true, %if.end42
  %retval.1 = phi i32 [ %call45, %if.end42 ], [ -1, %land.lhs.true ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #10
  call void @llvm.stackrestore.p0(ptr %8)
  br label %return

return:                                           ; preds = %check_inputs.exit, %cleanup, %if.then
  %retval.0 = phi i32 [ %call.i, %if.then ], [ %retval.1, %cleanup ], [ -1, %check_inputs.exit ]
  ret i32 %retval.0
}

define internal signext range(i32 -1, 1) i32 @check_inputs(ptr noundef readonly captures(none) %executor) #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %inputs = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %0 = load i32, ptr %inputs, align 8
  %cmp7 = icmp sgt i32 %0, 0
  br i1 %cmp7, label %for.body.lr.ph, label %.loopexit

for.body.lr.ph:                                   ; preds = %entry
  %slots.i = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #10
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %slots.i, i64 %indvars.iv
  %1 = load ptr, ptr %arrayidx.i, align 8
  %cmp.not.i = icmp eq ptr %1, null
  br i1 %cmp.not.i, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %.loopexit, label %for.body

cleanup:                                          ; preds = %for.body
  %2 = load ptr, ptr %executor, align 8
  %specs.i = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %3 = load ptr, ptr %specs.i, align 8
  %arrayidx3.i = getelementptr inbounds nuw %struct.tw_spec, ptr %3, i64 %indvars.iv
  %4 = load ptr, ptr %arrayidx3.i, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i64 8
  %5 = load ptr, ptr %text.i, align 8
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.17, ptr noundef %2, ptr noundef %4, ptr noundef %5) #9
  %report.i = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %6 = load ptr, ptr %report.i, align 8
  call void %6(ptr noundef nonnull @.str.6, ptr noundef nonnull %message.i) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  br label %.loopexit

.loopexit:                                        ; preds = %for.inc, %entry, %cleanup
  %7 = phi i32 [ -1, %cleanup ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %7
}

declare ptr @llvm.stacksave.p0() #3

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

define internal ptr @allocate_output(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef readonly captures(none) %shape) #0 {
entry:
  %outputs = getelementptr inbounds nuw i8, ptr %context, i64 112
  %0 = load ptr, ptr %outputs, align 8
  %idxprom = sext i32 %output to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom
  %slots = getelementptr inbounds nuw i8, ptr %context, i64 120
  %inputs = getelementptr inbounds nuw i8, ptr %context, i64 88
  %1 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %1, %output
  %idxprom1 = sext i32 %add to i64
  %arrayidx2 = getelementptr inbounds ptr, ptr %slots, i64 %idxprom1
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %2 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %3 = load i32, ptr %rank, align 8
  %call = tail call fastcc ptr @resize(ptr noundef nonnull %arrayidx2, i32 noundef signext %2, i32 noundef signext %3, ptr noundef %shape) #11
  ret ptr %call
}

declare void @llvm.stackrestore.p0(ptr) #3

define ptr @__tw_get_output(ptr noundef readonly captures(address_is_null) %executor, i32 noundef signext %index) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #10
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call.i = tail call signext i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull @fail_null.message) #9
  br label %cleanup12

if.end:                                           ; preds = %entry
  %cmp2 = icmp sgt i32 %index, -1
  %outputs = getelementptr inbounds nuw i8, ptr %executor, i64 96
  %0 = load i32, ptr %outputs, align 8
  %.fr = freeze i32 %0
  br i1 %cmp2, label %land.end, label %if.end6.thread

land.end:                                         ; preds = %if.end
  %cmp3 = icmp slt i32 %index, %.fr
  %has_outputs = getelementptr inbounds nuw i8, ptr %executor, i64 104
  %1 = load i8, ptr %has_outputs, align 8
  %loadedv = trunc i8 %1 to i1
  %or.cond = and i1 %cmp3, %loadedv
  br i1 %or.cond, label %if.then5, label %if.end6

if.then5:                                         ; preds = %land.end
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %inputs = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %2 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %2, %index
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds ptr, ptr %slots, i64 %idxprom
  %3 = load ptr, ptr %arrayidx, align 8
  %tensor = getelementptr inbounds nuw i8, ptr %3, i64 24
  br label %cleanup12

if.end6:                                          ; preds = %land.end
  %spec.select = select i1 %cmp3, ptr @.str.4, ptr @.str.5
  br label %if.end6.thread

if.end6.thread:                                   ; preds = %if.end, %if.end6
  %4 = phi ptr [ %spec.select, %if.end6 ], [ @.str.5, %if.end ]
  %5 = load ptr, ptr %executor, align 8
  %sub18 = add nsw i32 %.fr, -1
  %call9 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %5, i32 noundef signext %sub18, i32 noundef signext %index, ptr noundef nonnull %4) #9
  %report = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %6 = load ptr, ptr %report, align 8
  call void %6(ptr noundef nonnull @.str.6, ptr noundef nonnull %message) #9
  br label %cleanup12

cleanup12:                                        ; preds = %if.then5, %if.end6.thread, %if.then
  %retval.0 = phi ptr [ null, %if.then ], [ %tensor, %if.then5 ], [ null, %if.end6.thread ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #10
  ret ptr %retval.0
}

define internal ptr @get_input(ptr noundef readonly captures(none) %executor, ptr noundef %name) #0 {
entry:
  %message.i6 = alloca [1024 x i8], align 1
  %message.i = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #10
  %cmp.not.i = icmp eq ptr %name, null
  br i1 %cmp.not.i, label %position_of.exit.thread, label %land.rhs.lr.ph.i

land.rhs.lr.ph.i:                                 ; preds = %entry
  %inputs.i = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %0 = load i32, ptr %inputs.i, align 8
  %smax.i = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count.i = zext nneg i32 %smax.i to i64
  %exitcond.not.i17 = icmp slt i32 %0, 1
  br i1 %exitcond.not.i17, label %position_of.exit.thread, label %for.body.i.lr.ph

for.body.i.lr.ph:                                 ; preds = %land.rhs.lr.ph.i
  %specs.i = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %1 = load ptr, ptr %specs.i, align 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i.lr.ph, %for.inc.i
  %indvars.iv.i18 = phi i64 [ 0, %for.body.i.lr.ph ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr %1, i64 %indvars.iv.i18
  %2 = load ptr, ptr %arrayidx.i, align 8
  %3 = load i8, ptr %2, align 1
  %cmp.not6.i.i = icmp eq i8 %3, 0
  br i1 %cmp.not6.i.i, label %is_same.exit.i, label %land.rhs.i.i

land.rhs.i.i:                                     ; preds = %for.body.i, %while.body.i.i
  %4 = phi i8 [ %6, %while.body.i.i ], [ %3, %for.body.i ]
  %rhs.addr.08.i.i = phi ptr [ %incdec.ptr6.i.i, %while.body.i.i ], [ %name, %for.body.i ]
  %lhs.addr.07.i.i = phi ptr [ %incdec.ptr.i.i, %while.body.i.i ], [ %2, %for.body.i ]
  %5 = load i8, ptr %rhs.addr.08.i.i, align 1
  %cmp4.i.i = icmp eq i8 %4, %5
  br i1 %cmp4.i.i, label %while.body.i.i, label %is_same.exit.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %incdec.ptr.i.i = getelementptr inbounds nuw i8, ptr %lhs.addr.07.i.i, i64 1
  %incdec.ptr6.i.i = getelementptr inbounds nuw i8, ptr %rhs.addr.08.i.i, i64 1
  %6 = load i8, ptr %incdec.ptr.i.i, align 1
  %cmp.not.i.i = icmp eq i8 %6, 0
  br i1 %cmp.not.i.i, label %is_same.exit.i, label %land.rhs.i.i

is_same.exit.i:                                   ; preds = %while.body.i.i, %land.rhs.i.i, %for.body.i
  %rhs.addr.0.lcssa.i.i = phi ptr [ %name, %for.body.i ], [ %incdec.ptr6.i.i, %while.body.i.i ], [ %rhs.addr.08.i.i, %land.rhs.i.i ]
  %.lcssa.i.i = phi i8 [ 0, %for.body.i ], [ 0, %while.body.i.i ], [ %4, %land.rhs.i.i ]
  %7 = load i8, ptr %rhs.addr.0.lcssa.i.i, align 1
  %cmp9.i.i = icmp eq i8 %.lcssa.i.i, %7
  br i1 %cmp9.i.i, label %position_of.exit, label %for.inc.i

for.inc.i:                                        ; preds = %is_same.exit.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i18, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %position_of.exit.thread, label %for.body.i

position_of.exit.thread:                          ; preds = %for.inc.i, %land.rhs.lr.ph.i, %entry
  %cond.i = phi ptr [ @.str.9, %entry ], [ %name, %land.rhs.lr.ph.i ], [ %name, %for.inc.i ]
  %8 = load ptr, ptr %executor, align 8
  %signature.i = getelementptr inbounds nuw i8, ptr %executor, i64 8
  %9 = load ptr, ptr %signature.i, align 8
  %call5.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef %8, ptr noundef %9, ptr noundef nonnull %cond.i) #9
  %report.i = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %10 = load ptr, ptr %report.i, align 8
  call void %10(ptr noundef nonnull @.str.6, ptr noundef nonnull %message.i) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  br label %cleanup

position_of.exit:                                 ; preds = %is_same.exit.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i6) #10
  %slots.i = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %idxprom.i = and i64 %indvars.iv.i18, 4294967295
  %arrayidx.i7 = getelementptr inbounds nuw ptr, ptr %slots.i, i64 %idxprom.i
  %11 = load ptr, ptr %arrayidx.i7, align 8
  %cmp.not.i8 = icmp eq ptr %11, null
  br i1 %cmp.not.i8, label %check_input.exit, label %if.end

check_input.exit:                                 ; preds = %position_of.exit
  %12 = load ptr, ptr %executor, align 8
  %arrayidx3.i = getelementptr inbounds nuw %struct.tw_spec, ptr %1, i64 %idxprom.i
  %13 = load ptr, ptr %arrayidx3.i, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i64 8
  %14 = load ptr, ptr %text.i, align 8
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i6, i64 noundef 1024, ptr noundef nonnull @.str.17, ptr noundef %12, ptr noundef %13, ptr noundef %14) #9
  %report.i11 = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %15 = load ptr, ptr %report.i11, align 8
  call void %15(ptr noundef nonnull @.str.6, ptr noundef nonnull %message.i6) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i6) #10
  br label %cleanup

if.end:                                           ; preds = %position_of.exit
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i6) #10
  %16 = atomicrmw add ptr %11, i64 1 monotonic, align 8
  br label %cleanup

cleanup:                                          ; preds = %check_input.exit, %position_of.exit.thread, %if.end
  %retval.0 = phi ptr [ %11, %if.end ], [ null, %check_input.exit ], [ null, %position_of.exit.thread ]
  ret ptr %retval.0
}

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #5

define internal fastcc noundef zeroext i1 @is_row_major(ptr noundef nonnull readonly captures(none) %tensor) unnamed_addr #6 {
entry:
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %0 = load i32, ptr %rank, align 8
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  %1 = load ptr, ptr %strides, align 8
  %cmp = icmp eq ptr %1, null
  %cmp111 = icmp slt i32 %0, 1
  %.not12 = select i1 %cmp, i1 true, i1 %cmp111
  br i1 %.not12, label %cleanup10, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %2 = load ptr, ptr %shape, align 8
  %3 = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %if.end
  %indvars.iv = phi i64 [ %3, %for.body.lr.ph ], [ %indvars.iv.next, %if.end ]
  %step.013 = phi i64 [ 1, %for.body.lr.ph ], [ %mul, %if.end ]
  %indvars.iv.next = add nsw i64 %indvars.iv, -1
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %indvars.iv.next
  %4 = load i64, ptr %arrayidx, align 8
  %cmp2 = icmp sgt i64 %4, 1
  br i1 %cmp2, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %for.body
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %1, i64 %indvars.iv.next
  %5 = load i64, ptr %arrayidx5, align 8
  %cmp6.not = icmp eq i64 %5, %step.013
  br i1 %cmp6.not, label %if.end, label %cleanup10

if.end:                                           ; preds = %land.lhs.true, %for.body
  %mul = mul nsw i64 %4, %step.013
  %cmp1 = icmp samesign ult i64 %indvars.iv, 2
  br i1 %cmp1, label %cleanup10, label %for.body

cleanup10:                                        ; preds = %land.lhs.true, %if.end, %entry
  %.not.lcssa = phi i1 [ true, %entry ], [ true, %if.end ], [ false, %land.lhs.true ]
  ret i1 %.not.lcssa
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #7

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #5

define internal void @delete_block(ptr noundef %self, i32 noundef signext %flags) #0 {
entry:
  %and = and i32 %flags, 2
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call void @free(ptr noundef %self) #9
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

declare i32 @llvm.smax.i32(i32, i32) #8

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { "no-builtins" }
attributes #6 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #7 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nobuiltin nounwind "no-builtins" }
attributes #10 = { nounwind }
attributes #11 = { nobuiltin "no-builtins" }
