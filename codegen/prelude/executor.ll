; Generated from runtime/native/executor.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_executor_functions = type { ptr, ptr, ptr, ptr, ptr }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_value = type { i32, i32, %union.tw_payload }
%union.tw_payload = type { i64 }
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
@.str.10 = private unnamed_addr constant [99 x i8] c"%s: the tensor does not fit input %.80s\0A    expected: %.300s, row by row in CPU memory\0A    got: %s\00", align 1
@.str.11 = private unnamed_addr constant [10 x i8] c"no tensor\00", align 1
@.str.12 = private unnamed_addr constant [90 x i8] c"%s: input %s is not set\0A    expected: %s\0A    got: no value\0A    hint: call set_input first\00", align 1
define void @__tw_destroy(ptr noundef %executor) minsize nounwind optsize "no-builtins" {
  %arguments = getelementptr inbounds nuw i8, ptr %executor, i64 92
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp.not = icmp eq ptr %executor, null
  br i1 %cmp.not, label %for.end, label %land.rhs
land.rhs:
  %1 = load i32, ptr %arguments, align 4
  %cmp1.not = icmp sgt i32 %inc.sink, %1
  br i1 %cmp1.not, label %for.end, label %for.body
for.body:
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %slots, i64 %idxprom
  %2 = load ptr, ptr %arrayidx, align 8
  tail call fastcc void @drop(ptr noundef %2)
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  tail call void @free(ptr noundef %executor)
  ret void
}
define internal fastcc void @drop(ptr noundef %block) unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp.not = icmp eq ptr %block, null
  br i1 %cmp.not, label %if.end, label %land.lhs.true
land.lhs.true:
  %1 = atomicrmw sub ptr %block, i64 1 acq_rel, align 8
  %2 = and i64 %1, 4294967295
  %cmp1 = icmp eq i64 %2, 1
  br i1 %cmp1, label %if.then, label %if.end
if.then:
  tail call void @free(ptr noundef nonnull %block)
  br label %if.end
if.end:
  ret void
}
define hidden noalias ptr @tw_create_executor(ptr noundef readonly captures(none) %model) minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %arguments = getelementptr inbounds nuw i8, ptr %model, i64 92
  %1 = load i32, ptr %arguments, align 4
  %conv = sext i32 %1 to i64
  %add = shl nsw i64 %conv, 3
  %add1 = add nsw i64 %add, 128
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add1)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.else
if.then:
  %2 = load ptr, ptr %model, align 8
  %3 = load i32, ptr %arguments, align 4
  %call4 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2, i32 noundef signext %3)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %4 = load ptr, ptr %report, align 8
  call void %4(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %if.end
if.else:
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(104) %call, ptr noundef nonnull align 8 dereferenceable(104) %model, i64 104, i1 false)
  br label %if.end
if.end:
  ret ptr %call
}
define signext i32 @__tw_set_input(ptr noundef captures(address_is_null) %executor, ptr noundef %name, ptr noundef %tensor) minsize nounwind optsize "no-builtins" {
  %message.i = alloca [1024 x i8], align 1
  %given.i = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail_null()
  br label %cleanup32
if.end:
  %call2 = tail call fastcc signext i32 @position_of(ptr noundef nonnull %executor, ptr noundef %name)
  %cmp3 = icmp slt i32 %call2, 0
  br i1 %cmp3, label %cleanup32, label %if.end5
if.end5:
  %specs = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %1 = load ptr, ptr %specs, align 8
  %idxprom = zext nneg i32 %call2 to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr %1, i64 %idxprom
  %cmp.i = icmp eq ptr %tensor, null
  br i1 %cmp.i, label %if.then7, label %lor.lhs.false.i
lor.lhs.false.i:
  %device_type.i = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %2 = load i32, ptr %device_type.i, align 8
  %cmp1.not.i = icmp eq i32 %2, 1
  br i1 %cmp1.not.i, label %lor.lhs.false2.i, label %if.then.i
lor.lhs.false2.i:
  %dtype.i = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %3 = load i32, ptr %dtype.i, align 4
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %4 = load i32, ptr %dtype3.i, align 4
  %cmp4.not.i = icmp eq i32 %3, %4
  br i1 %cmp4.not.i, label %if.end.i, label %if.then.i
if.end.i:
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %5 = load i32, ptr %rank.i, align 8
  %cmp5.i = icmp slt i32 %5, 0
  br i1 %cmp5.i, label %land.lhs.true.i, label %land.lhs.true10.i
land.lhs.true.i:
  %rank6.i = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %6 = load i32, ptr %rank6.i, align 8
  %spec.select.i = icmp ult i32 %6, 33
  br i1 %spec.select.i, label %for.cond.preheader.i, label %land.lhs.true10.i
land.lhs.true10.i:
  %rank11.i = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %7 = load i32, ptr %rank11.i, align 8
  %cmp13.not.i = icmp eq i32 %7, %5
  br i1 %cmp13.not.i, label %for.cond.preheader.i, label %if.then.i
for.cond.preheader.i:
  %8 = phi i32 [ %5, %land.lhs.true10.i ], [ %6, %land.lhs.true.i ]
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.inc.i ], [ 0, %for.cond.preheader.i ]
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %9 = load ptr, ptr %shape.i, align 8
  %cmp16.not.i = icmp ne ptr %9, null
  %cmp19.i = icmp slt i32 %inc.sink.i, %5
  %or.cond.i = select i1 %cmp16.not.i, i1 %cmp19.i, i1 false
  br i1 %or.cond.i, label %for.body.i, label %for.end.critedge.i
for.body.i:
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %9, i64 %idxprom.i
  %10 = load i64, ptr %arrayidx.i, align 8
  %cmp22.i = icmp sgt i64 %10, -1
  br i1 %cmp22.i, label %land.lhs.true23.i, label %for.inc.i
land.lhs.true23.i:
  %shape24.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %11 = load ptr, ptr %shape24.i, align 8
  %arrayidx26.i = getelementptr inbounds nuw i64, ptr %11, i64 %idxprom.i
  %12 = load i64, ptr %arrayidx26.i, align 8
  %cmp30.not.i = icmp eq i64 %12, %10
  br i1 %cmp30.not.i, label %for.inc.i, label %if.then.i
for.inc.i:
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
for.end.critedge.i:
  %shape35.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %13 = load ptr, ptr %shape35.i, align 8
  %call.i = tail call i64 @tw_tensor_bytes(i32 noundef signext %3, i32 noundef signext %8, ptr noundef %13)
  %cmp36.i = icmp eq i64 %call.i, 0
  br i1 %cmp36.i, label %if.end9, label %lor.rhs.i
lor.rhs.i:
  %cmp37.i = icmp sgt i64 %call.i, 0
  br i1 %cmp37.i, label %land.lhs.true38.i, label %if.then.i
land.lhs.true38.i:
  %14 = load ptr, ptr %tensor, align 8
  %cmp39.not.i = icmp eq ptr %14, null
  br i1 %cmp39.not.i, label %if.then.i, label %is_copied.exit
is_copied.exit:
  %call41.i = tail call zeroext i1 @tw_is_plain(ptr noundef nonnull %tensor)
  br i1 %call41.i, label %if.end9, label %if.then.i
if.then7:
  br label %fail_tensor.exit
if.then.i:
  %dtype.i23 = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %15 = load i32, ptr %dtype.i23, align 4
  %rank.i24 = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %16 = load i32, ptr %rank.i24, align 8
  %conv.i = sext i32 %16 to i64
  %shape.i25 = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %17 = load ptr, ptr %shape.i25, align 8
  call void @tw_write_type(ptr noundef nonnull %given.i, i64 noundef 256, i32 noundef signext %15, i64 noundef %conv.i, ptr noundef %17)
  br label %fail_tensor.exit
fail_tensor.exit:
  %cond.i = phi ptr [ %given.i, %if.then.i ], [ @.str.11, %if.then7 ]
  %18 = load ptr, ptr %executor, align 8
  %19 = load ptr, ptr %arrayidx, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %20 = load ptr, ptr %text.i, align 8
  %call.i27 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.10, ptr noundef %18, ptr noundef %19, ptr noundef %20, ptr noundef nonnull %cond.i)
  %report.i = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %21 = load ptr, ptr %report.i, align 8
  call void %21(ptr noundef nonnull @.str.7, ptr noundef nonnull %message.i)
  br label %cleanup32
if.end9:
  %22 = load i32, ptr %dtype.i, align 4
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %23 = load i32, ptr %rank, align 8
  %24 = load ptr, ptr %shape35.i, align 8
  %call10 = tail call i64 @tw_tensor_bytes(i32 noundef signext %22, i32 noundef signext %23, ptr noundef %24)
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %arrayidx12 = getelementptr inbounds nuw ptr, ptr %slots, i64 %idxprom
  %25 = load i32, ptr %dtype.i, align 4
  %26 = load i32, ptr %rank, align 8
  %27 = load ptr, ptr %shape35.i, align 8
  %call16 = tail call fastcc ptr @resize(ptr noundef nonnull %arrayidx12, i32 noundef signext %25, i32 noundef signext %26, ptr noundef %27)
  %cmp17 = icmp eq ptr %call16, null
  br i1 %cmp17, label %if.then18, label %if.end23
if.then18:
  %28 = load ptr, ptr %executor, align 8
  %29 = load ptr, ptr %arrayidx, align 8
  %call21 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %28, ptr noundef %29, i64 noundef %call10)
  %report = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %30 = load ptr, ptr %report, align 8
  call void %30(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cleanup32
if.end23:
  %cmp24 = icmp sgt i64 %call10, 0
  br i1 %cmp24, label %if.then25, label %cleanup32
if.then25:
  %31 = load ptr, ptr %tensor, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  %32 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %31, i64 %32
  %call26 = tail call ptr @memcpy(ptr noundef nonnull %call16, ptr noundef %add.ptr, i64 noundef %call10)
  br label %cleanup32
cleanup32:
  %.sink.sink.sink.sink = phi i32 [ %call, %if.then ], [ -1, %if.end ], [ -1, %fail_tensor.exit ], [ -1, %if.then18 ], [ 0, %if.then25 ], [ 0, %if.end23 ]
  ret i32 %.sink.sink.sink.sink
}
define internal fastcc signext i32 @fail_null() unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call signext i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull @fail_null.message)
  ret i32 %call
}
define internal fastcc signext i32 @position_of(ptr noundef readonly captures(none) %model, ptr noundef %name) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %cmp.not = icmp eq ptr %name, null
  br i1 %cmp.not, label %for.end, label %land.rhs
land.rhs:
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr %inputs, align 8
  %cmp1 = icmp slt i32 %inc.sink, %1
  br i1 %cmp1, label %for.body, label %for.end
for.body:
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %2 = load ptr, ptr %specs, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr %2, i64 %idxprom
  %3 = load ptr, ptr %arrayidx, align 8
  br label %while.cond.i
while.cond.i:
  %lhs.addr.0.i = phi ptr [ %3, %for.body ], [ %incdec.ptr.i, %while.body.i ]
  %incdec.ptr6.sink.i = phi ptr [ %name, %for.body ], [ %incdec.ptr6.i, %while.body.i ]
  %4 = load i8, ptr %lhs.addr.0.i, align 1
  %cmp.not.i = icmp eq i8 %4, 0
  br i1 %cmp.not.i, label %is_same.exit, label %land.rhs.i
land.rhs.i:
  %5 = load i8, ptr %incdec.ptr6.sink.i, align 1
  %cmp4.i = icmp eq i8 %4, %5
  br i1 %cmp4.i, label %while.body.i, label %is_same.exit
while.body.i:
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %lhs.addr.0.i, i64 1
  %incdec.ptr6.i = getelementptr inbounds nuw i8, ptr %incdec.ptr6.sink.i, i64 1
  br label %while.cond.i
is_same.exit:
  %6 = load i8, ptr %incdec.ptr6.sink.i, align 1
  %cmp9.i = icmp eq i8 %4, %6
  br i1 %cmp9.i, label %cleanup7, label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %cond = phi ptr [ @.str.9, %for.cond ], [ %name, %land.rhs ]
  %7 = load ptr, ptr %model, align 8
  %signature = getelementptr inbounds nuw i8, ptr %model, i64 8
  %8 = load ptr, ptr %signature, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef %7, ptr noundef %8, ptr noundef nonnull %cond)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %9 = load ptr, ptr %report, align 8
  call void %9(ptr noundef nonnull @.str.6, ptr noundef nonnull %message)
  br label %cleanup7
cleanup7:
  %retval.1 = phi i32 [ -1, %for.end ], [ %inc.sink, %is_same.exit ]
  ret i32 %retval.1
}
define internal fastcc ptr @resize(ptr noundef captures(none) %slot, i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef %shape) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call i64 @tw_tensor_bytes(i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef %shape)
  %1 = load ptr, ptr %slot, align 8
  %cmp = icmp eq ptr %1, null
  br i1 %cmp, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %room = getelementptr inbounds nuw i8, ptr %1, i64 328
  %2 = load i64, ptr %room, align 8
  %cmp1 = icmp sgt i64 %call, %2
  br i1 %cmp1, label %if.then, label %if.end10
if.then:
  tail call fastcc void @drop(ptr noundef %1)
  %or.cond = icmp ugt i64 %call, 4611686018427387903
  br i1 %or.cond, label %cond.end.thread, label %cond.end
cond.end.thread:
  store ptr null, ptr %slot, align 8
  br label %cleanup
cond.end:
  %div23 = and i64 %call, 4611686018427387840
  %add5 = add nuw nsw i64 %div23, 448
  %call6 = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %add5)
  store ptr %call6, ptr %slot, align 8
  %cmp7 = icmp eq ptr %call6, null
  br i1 %cmp7, label %cleanup, label %if.end
if.end:
  store i64 4294967297, ptr %call6, align 64
  %.compoundliteral.sroa.2.0.header.sroa_idx = getelementptr inbounds nuw i8, ptr %call6, i64 8
  store i32 70, ptr %.compoundliteral.sroa.2.0.header.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.header.sroa_idx = getelementptr inbounds nuw i8, ptr %call6, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0.header.sroa_idx, align 4
  %.compoundliteral.sroa.4.0.header.sroa_idx = getelementptr inbounds nuw i8, ptr %call6, i64 16
  store ptr @delete_block, ptr %.compoundliteral.sroa.4.0.header.sroa_idx, align 16
  %3 = load ptr, ptr %slot, align 8
  %room9 = getelementptr inbounds nuw i8, ptr %3, i64 328
  store i64 %call, ptr %room9, align 8
  br label %if.end10
if.end10:
  %4 = load ptr, ptr %slot, align 8
  %tensor = getelementptr inbounds nuw i8, ptr %4, i64 24
  %add.ptr = getelementptr inbounds nuw i8, ptr %4, i64 384
  %shape16 = getelementptr inbounds nuw i8, ptr %4, i64 72
  store ptr %add.ptr, ptr %tensor, align 8
  %.compoundliteral12.sroa.2.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 32
  store i32 1, ptr %.compoundliteral12.sroa.2.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.3.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 36
  store i32 0, ptr %.compoundliteral12.sroa.3.0.tensor.sroa_idx, align 4
  %.compoundliteral12.sroa.4.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 40
  store i32 %rank, ptr %.compoundliteral12.sroa.4.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.5.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 44
  store i32 %dtype, ptr %.compoundliteral12.sroa.5.0.tensor.sroa_idx, align 4
  %.compoundliteral12.sroa.6.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 48
  store ptr %shape16, ptr %.compoundliteral12.sroa.6.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.7.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 56
  store ptr null, ptr %.compoundliteral12.sroa.7.0.tensor.sroa_idx, align 8
  %.compoundliteral12.sroa.8.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %4, i64 64
  store i64 0, ptr %.compoundliteral12.sroa.8.0.tensor.sroa_idx, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %if.end10 ]
  %cmp17 = icmp slt i32 %inc.sink, %rank
  br i1 %cmp17, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %5 = load ptr, ptr %slot, align 8
  %add.ptr21 = getelementptr inbounds nuw i8, ptr %5, i64 384
  br label %cleanup
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %idxprom
  %6 = load i64, ptr %arrayidx, align 8
  %7 = load ptr, ptr %slot, align 8
  %shape18 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %arrayidx20 = getelementptr inbounds nuw i64, ptr %shape18, i64 %idxprom
  store i64 %6, ptr %arrayidx20, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %add.ptr21.sink = phi ptr [ %add.ptr21, %for.cond.cleanup ], [ null, %cond.end ], [ null, %cond.end.thread ]
  ret ptr %add.ptr21.sink
}
define signext i32 @__tw_run(ptr noundef %executor) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %result = alloca %struct.tw_value, align 8
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail_null()
  br label %return
if.end:
  %has_outputs = getelementptr inbounds nuw i8, ptr %executor, i64 104
  store i8 0, ptr %has_outputs, align 8
  %call1 = tail call signext i32 @check_inputs(ptr noundef nonnull %executor)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %return
if.end4:
  %inputs = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %1 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %1, 3
  %2 = zext i32 %add to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %2, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %threads = getelementptr inbounds nuw i8, ptr %executor, i64 40
  %4 = load ptr, ptr %threads, align 8
  %5 = load i32, ptr %4, align 4
  %conv = sext i32 %5 to i64
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
  %6 = load i64, ptr %arrayidx7, align 8
  store i64 %6, ptr %arrayidx6, align 8
  %payload13 = getelementptr inbounds nuw i8, ptr %vla, i64 24
  store ptr @allocate_output, ptr %payload13, align 8
  store ptr %executor, ptr %.compoundliteral8.sroa.3.0.arrayidx7.sroa_idx, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %if.end4 ]
  %7 = load i32, ptr %inputs, align 8
  %cmp17 = icmp slt i32 %inc.sink, %7
  br i1 %cmp17, label %for.body, label %for.end
for.body:
  %8 = zext nneg i32 %inc.sink to i64
  %9 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %8
  %arrayidx20 = getelementptr inbounds nuw i8, ptr %9, i64 48
  store i32 7, ptr %arrayidx20, align 8
  %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 52
  store i32 0, ptr %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx, align 4
  %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %9, i64 56
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %arrayidx26 = getelementptr inbounds nuw ptr, ptr %slots, i64 %8
  %10 = load ptr, ptr %arrayidx26, align 8
  %tensor = getelementptr inbounds nuw i8, ptr %10, i64 24
  store ptr %tensor, ptr %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %specs = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %11 = load ptr, ptr %specs, align 8
  %idx.ext = sext i32 %7 to i64
  %add.ptr = getelementptr inbounds %struct.tw_spec, ptr %11, i64 %idx.ext
  %outputs = getelementptr inbounds nuw i8, ptr %executor, i64 112
  store ptr %add.ptr, ptr %outputs, align 8
  %choose = getelementptr inbounds nuw i8, ptr %executor, i64 72
  %12 = load ptr, ptr %choose, align 8
  %cmp32.not = icmp eq ptr %12, null
  br i1 %cmp32.not, label %if.end42, label %land.lhs.true
land.lhs.true:
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %vla, i64 48
  %call38 = call signext i32 %12(ptr noundef nonnull %add.ptr35, i32 noundef signext %7, ptr noundef nonnull %outputs)
  %cmp39.not = icmp eq i32 %call38, 0
  br i1 %cmp39.not, label %if.end42, label %cleanup
if.end42:
  %run_allocating = getelementptr inbounds nuw i8, ptr %executor, i64 56
  %13 = load ptr, ptr %run_allocating, align 8
  %14 = load i32, ptr %inputs, align 8
  %add44 = add nsw i32 %14, 3
  %call45 = call signext i32 %13(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add44, ptr noundef nonnull %result)
  %cmp46 = icmp eq i32 %call45, 0
  %storedv = zext i1 %cmp46 to i8
  store i8 %storedv, ptr %has_outputs, align 8
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %call45, %if.end42 ], [ -1, %land.lhs.true ]
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return
return:
  %retval.0 = phi i32 [ %call, %if.then ], [ %.sink, %cleanup ], [ -1, %if.end ]
  ret i32 %retval.0
}
define internal signext range(i32 -1, 1) i32 @check_inputs(ptr noundef readonly captures(none) %executor) minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %inputs = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %1 = load i32, ptr %inputs, align 8
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %cleanup
for.body:
  %call = tail call fastcc signext i32 @check_input(ptr noundef nonnull %executor, i32 noundef signext %inc.sink)
  %cmp1.not = icmp eq i32 %call, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp1.not, label %for.cond, label %cleanup
cleanup:
  %2 = phi i32 [ -1, %for.body ], [ 0, %for.cond ]
  ret i32 %2
}
define internal ptr @allocate_output(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef %shape) minsize nounwind optsize "no-builtins" {
  %outputs = getelementptr inbounds nuw i8, ptr %context, i64 112
  %1 = load ptr, ptr %outputs, align 8
  %idxprom = sext i32 %output to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom
  %slots = getelementptr inbounds nuw i8, ptr %context, i64 120
  %inputs = getelementptr inbounds nuw i8, ptr %context, i64 88
  %2 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %2, %output
  %idxprom1 = sext i32 %add to i64
  %arrayidx2 = getelementptr inbounds ptr, ptr %slots, i64 %idxprom1
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %3 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %4 = load i32, ptr %rank, align 8
  %call = tail call fastcc ptr @resize(ptr noundef nonnull %arrayidx2, i32 noundef signext %3, i32 noundef signext %4, ptr noundef %shape)
  ret ptr %call
}
define ptr @__tw_get_output(ptr noundef readonly captures(address_is_null) %executor, i32 noundef signext %index) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail_null()
  br label %cleanup12
if.end:
  %cmp2 = icmp sgt i32 %index, -1
  br i1 %cmp2, label %land.end, label %if.end6.thread
land.end:
  %outputs = getelementptr inbounds nuw i8, ptr %executor, i64 96
  %1 = load i32, ptr %outputs, align 8
  %.fr = freeze i32 %1
  %cmp3 = icmp slt i32 %index, %.fr
  %has_outputs = getelementptr inbounds nuw i8, ptr %executor, i64 104
  %2 = load i8, ptr %has_outputs, align 8
  %loadedv = trunc i8 %2 to i1
  %or.cond = and i1 %cmp3, %loadedv
  br i1 %or.cond, label %if.then5, label %if.end6
if.then5:
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %inputs = getelementptr inbounds nuw i8, ptr %executor, i64 88
  %3 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %3, %index
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds ptr, ptr %slots, i64 %idxprom
  %4 = load ptr, ptr %arrayidx, align 8
  %tensor = getelementptr inbounds nuw i8, ptr %4, i64 24
  br label %cleanup12
if.end6:
  %spec.select = select i1 %cmp3, ptr @.str.4, ptr @.str.5
  br label %if.end6.thread
if.end6.thread:
  %5 = phi ptr [ %spec.select, %if.end6 ], [ @.str.5, %if.end ]
  %6 = load ptr, ptr %executor, align 8
  %sub18.in.in = getelementptr inbounds nuw i8, ptr %executor, i64 96
  %sub18.in = load i32, ptr %sub18.in.in, align 8
  %sub18 = add nsw i32 %sub18.in, -1
  %call9 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %6, i32 noundef signext %sub18, i32 noundef signext %index, ptr noundef nonnull %5)
  %report = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %7 = load ptr, ptr %report, align 8
  call void %7(ptr noundef nonnull @.str.6, ptr noundef nonnull %message)
  br label %cleanup12
cleanup12:
  %.sink.sink = phi ptr [ null, %if.then ], [ null, %if.end6.thread ], [ %tensor, %if.then5 ]
  ret ptr %.sink.sink
}
define internal noundef ptr @get_input(ptr noundef readonly captures(none) %executor, ptr noundef %name) minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @position_of(ptr noundef %executor, ptr noundef %name)
  %cmp = icmp slt i32 %call, 0
  br i1 %cmp, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %call1 = tail call fastcc signext i32 @check_input(ptr noundef %executor, i32 noundef signext %call)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end, label %cleanup
if.end:
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %idxprom = zext nneg i32 %call to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %slots, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8
  %2 = atomicrmw add ptr %1, i64 1 monotonic, align 8
  br label %cleanup
cleanup:
  %.sink = phi ptr [ %1, %if.end ], [ null, %lor.lhs.false ], [ null, %0 ]
  ret ptr %.sink
}
define internal void @delete_block(ptr noundef %self, i32 noundef signext %flags) minsize nounwind optsize "no-builtins" {
  %and = and i32 %flags, 2
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then
if.then:
  tail call void @free(ptr noundef %self)
  br label %if.end
if.end:
  ret void
}
define internal fastcc signext range(i32 -1, 1) i32 @check_input(ptr noundef readonly captures(none) %executor, i32 noundef signext %index) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 120
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds ptr, ptr %slots, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8
  %cmp.not = icmp eq ptr %1, null
  br i1 %cmp.not, label %cond.false, label %cond.end
cond.false:
  %2 = load ptr, ptr %executor, align 8
  %specs = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %3 = load ptr, ptr %specs, align 8
  %arrayidx3 = getelementptr inbounds %struct.tw_spec, ptr %3, i64 %idxprom
  %4 = load ptr, ptr %arrayidx3, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %5 = load ptr, ptr %text, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.12, ptr noundef %2, ptr noundef %4, ptr noundef %5)
  %report = getelementptr inbounds nuw i8, ptr %executor, i64 80
  %6 = load ptr, ptr %report, align 8
  call void %6(ptr noundef nonnull @.str.6, ptr noundef nonnull %message)
  br label %cond.end
cond.end:
  %cond = phi i32 [ -1, %cond.false ], [ 0, %0 ]
  ret i32 %cond
}
declare void @free(ptr noundef) local_unnamed_addr
declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
declare hidden i64 @tw_tensor_bytes(i32 noundef signext, i32 noundef signext, ptr noundef) local_unnamed_addr
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare ptr @llvm.stacksave.p0()
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
declare void @llvm.stackrestore.p0(ptr)
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
declare hidden zeroext i1 @tw_is_plain(ptr noundef) local_unnamed_addr
declare hidden void @tw_write_type(ptr noundef, i64 noundef, i32 noundef signext, i64 noundef, ptr noundef) local_unnamed_addr
declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr
