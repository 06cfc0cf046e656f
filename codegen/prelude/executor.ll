; Generated from runtime/native/executor.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.slot = type { %struct.tw_tensor, ptr, i64 }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }

@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@.str = private unnamed_addr constant [57 x i8] c"%s: no memory for an executor\0A    expected: %d arguments\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.2 = private unnamed_addr constant [72 x i8] c"%s: the executor is null\0A    expected: a result of create\0A    got: null\00", align 1
@.str.3 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@.str.4 = private unnamed_addr constant [126 x i8] c"%s: the tensor does not fit input %s\0A    expected: %s, row by row in CPU memory\0A    got: another type, rank, device or layout\00", align 1
@.str.5 = private unnamed_addr constant [52 x i8] c"%s: no memory for input %s\0A    expected: %lld bytes\00", align 1
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@__tw_default_threads = external local_unnamed_addr global i32, align 4
@tw_outputs = external hidden local_unnamed_addr constant i32, align 4
@.str.6 = private unnamed_addr constant [89 x i8] c"%s: there is no such output\0A    expected: an index in 0..%d, after a run\0A    got: %d, %s\00", align 1
@.str.7 = private unnamed_addr constant [12 x i8] c"no executor\00", align 1
@.str.8 = private unnamed_addr constant [22 x i8] c"no run that succeeded\00", align 1
@.str.9 = private unnamed_addr constant [13 x i8] c"out of range\00", align 1
@.str.10 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.11 = private unnamed_addr constant [69 x i8] c"%s: no input has this name\0A    expected: a name in %s\0A    got: %.80s\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.12 = private unnamed_addr constant [5 x i8] c"null\00", align 1
@.str.13 = private unnamed_addr constant [95 x i8] c"%s: input %s is not set\0A    expected: %s\0A    got: no value\0A    hint: call set_input before run\00", align 1
@.str.14 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1

define void @__tw_destroy(ptr noundef %executor) local_unnamed_addr #0 {
entry:
  %cmp = icmp ne ptr %executor, null
  %0 = load i32, ptr @tw_arguments, align 4
  %cmp17 = icmp sgt i32 %0, -1
  %1 = select i1 %cmp, i1 %cmp17, i1 false
  br i1 %1, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %2 = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  tail call void @free(ptr noundef %executor) #6
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %indvars.iv
  %3 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %3) #6
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  %4 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %4) #6
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp1 = icmp samesign ult i64 %indvars.iv, %2
  br i1 %cmp1, label %for.body, label %for.cond.cleanup
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @free(ptr noundef) local_unnamed_addr #0

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define ptr @__tw_create() local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %0 = load i32, ptr @tw_arguments, align 4
  %conv = sext i32 %0 to i64
  %add = shl nsw i64 %conv, 6
  %add1 = add nsw i64 %add, 80
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add1) #6
  %is_made.0.in11 = icmp ne ptr %call, null
  %cmp412 = icmp sgt i32 %0, -1
  %1 = and i1 %is_made.0.in11, %cmp412
  br i1 %1, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 16
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %is_made.0.in.lcssa = phi i1 [ %is_made.0.in11, %entry ], [ %is_made.0.in, %for.body ]
  br i1 %is_made.0.in.lcssa, label %cleanup, label %if.end

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %indvars.iv
  %call6 = tail call noalias ptr @calloc(i64 noundef 32, i64 noundef 8) #6
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  store ptr %call6, ptr %shape, align 8
  %device_type = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i32 1, ptr %device_type, align 8
  %shape9 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store ptr %call6, ptr %shape9, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %is_made.0.in = icmp ne ptr %call6, null
  %cmp4 = icmp slt i64 %indvars.iv, %conv
  %2 = select i1 %is_made.0.in, i1 %cmp4, i1 false
  br i1 %2, label %for.body, label %for.cond.cleanup

if.end:                                           ; preds = %for.cond.cleanup
  %call15 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %0) #6
  %call17 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #6
  br i1 %1, label %for.body.lr.ph.i, label %__tw_destroy.exit

for.body.lr.ph.i:                                 ; preds = %if.end
  %slots.i = getelementptr inbounds nuw i8, ptr %call, i64 16
  %narrow = add nuw i32 %0, 1
  %3 = zext i32 %narrow to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.slot, ptr %slots.i, i64 %indvars.iv.i
  %4 = load ptr, ptr %arrayidx.i, align 8
  call void @free(ptr noundef %4) #6
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 48
  %5 = load ptr, ptr %shape.i, align 8
  call void @free(ptr noundef %5) #6
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i, %3
  br i1 %exitcond.not, label %__tw_destroy.exit, label %for.body.i

__tw_destroy.exit:                                ; preds = %for.body.i, %if.end
  call void @free(ptr noundef %call) #6
  br label %cleanup

cleanup:                                          ; preds = %for.cond.cleanup, %__tw_destroy.exit
  %retval.0 = phi ptr [ null, %__tw_destroy.exit ], [ %call, %for.cond.cleanup ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  ret ptr %retval.0
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #0

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #0

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #2

define signext i32 @__tw_set_input(ptr noundef captures(address_is_null) %executor, ptr noundef %name, ptr noundef readonly captures(address_is_null) %tensor) local_unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %cond.false

cond.false:                                       ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #7
  %cmp.i = icmp eq ptr %name, null
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp116.i = icmp slt i32 %0, 1
  %.not17.i = select i1 %cmp.i, i1 true, i1 %cmp116.i
  br i1 %.not17.i, label %for.end.i, label %for.body.preheader.i

for.body.preheader.i:                             ; preds = %cond.false
  %1 = zext nneg i32 %0 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %2 = load ptr, ptr %arrayidx.i, align 8
  %3 = load i8, ptr %2, align 1
  %cmp.not6.i.i = icmp eq i8 %3, 0
  br i1 %cmp.not6.i.i, label %is_same.exit.thread.i, label %land.rhs.i.i

land.rhs.i.i:                                     ; preds = %for.body.i, %while.body.i.i
  %4 = phi i8 [ %6, %while.body.i.i ], [ %3, %for.body.i ]
  %rhs.addr.08.i.i = phi ptr [ %incdec.ptr6.i.i, %while.body.i.i ], [ %name, %for.body.i ]
  %lhs.addr.07.i.i = phi ptr [ %incdec.ptr.i.i, %while.body.i.i ], [ %2, %for.body.i ]
  %5 = load i8, ptr %rhs.addr.08.i.i, align 1
  %cmp4.i.i = icmp eq i8 %4, %5
  br i1 %cmp4.i.i, label %while.body.i.i, label %for.inc.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %incdec.ptr.i.i = getelementptr inbounds nuw i8, ptr %lhs.addr.07.i.i, i64 1
  %incdec.ptr6.i.i = getelementptr inbounds nuw i8, ptr %rhs.addr.08.i.i, i64 1
  %6 = load i8, ptr %incdec.ptr.i.i, align 1
  %cmp.not.i.i = icmp eq i8 %6, 0
  br i1 %cmp.not.i.i, label %is_same.exit.i, label %land.rhs.i.i

is_same.exit.i:                                   ; preds = %while.body.i.i
  %.pre.i = load i8, ptr %incdec.ptr6.i.i, align 1
  %7 = icmp eq i8 %.pre.i, 0
  br i1 %7, label %cleanup7.loopexit.i, label %for.inc.i

is_same.exit.thread.i:                            ; preds = %for.body.i
  %8 = load i8, ptr %name, align 1
  %cmp9.i11.i = icmp eq i8 %8, 0
  br i1 %cmp9.i11.i, label %cleanup7.loopexit.i, label %for.inc.i

for.inc.i:                                        ; preds = %land.rhs.i.i, %is_same.exit.thread.i, %is_same.exit.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i, %1
  br i1 %exitcond.not, label %for.end.i, label %for.body.i

for.end.i:                                        ; preds = %for.inc.i, %cond.false
  %cond.i = select i1 %cmp.i, ptr @.str.12, ptr %name
  %call4.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.11, ptr noundef nonnull @tw_name, ptr noundef nonnull @tw_signature, ptr noundef nonnull %cond.i) #6
  %call6.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.10, ptr noundef nonnull %message.i) #6
  br label %position_of.exit

cleanup7.loopexit.i:                              ; preds = %is_same.exit.thread.i, %is_same.exit.i
  %9 = trunc nuw nsw i64 %indvars.iv.i to i32
  br label %position_of.exit

position_of.exit:                                 ; preds = %for.end.i, %cleanup7.loopexit.i
  %retval.1.i = phi i32 [ %call6.i, %for.end.i ], [ %9, %cleanup7.loopexit.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #7
  %cmp5 = icmp slt i32 %retval.1.i, 0
  br i1 %cmp5, label %cleanup38, label %if.end7

if.then:                                          ; preds = %entry
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name) #6
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #6
  br label %cleanup38

if.end7:                                          ; preds = %position_of.exit
  %idxprom = zext nneg i32 %retval.1.i to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %cmp.i19 = icmp eq ptr %tensor, null
  br i1 %cmp.i19, label %if.then9, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.end7
  %device_type.i = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %10 = load i32, ptr %device_type.i, align 8
  %cmp1.not.i20 = icmp eq i32 %10, 1
  br i1 %cmp1.not.i20, label %lor.lhs.false2.i, label %if.then9

lor.lhs.false2.i:                                 ; preds = %lor.lhs.false.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %11 = load i32, ptr %dtype.i, align 4
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %12 = load i32, ptr %dtype3.i, align 4
  %cmp4.not.i = icmp eq i32 %11, %12
  br i1 %cmp4.not.i, label %if.end.i, label %if.then9

if.end.i:                                         ; preds = %lor.lhs.false2.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %13 = load i32, ptr %rank.i, align 8
  %cmp5.i = icmp slt i32 %13, 0
  %rank6.i = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %14 = load i32, ptr %rank6.i, align 8
  %spec.select.i = icmp ult i32 %14, 33
  %or.cond.i = select i1 %cmp5.i, i1 %spec.select.i, i1 false
  br i1 %or.cond.i, label %if.end15.i, label %land.lhs.true10.i

land.lhs.true10.i:                                ; preds = %if.end.i
  %cmp13.not.i = icmp eq i32 %14, %13
  br i1 %cmp13.not.i, label %if.end15.i, label %if.then9

if.end15.i:                                       ; preds = %land.lhs.true10.i, %if.end.i
  %15 = phi i32 [ %13, %land.lhs.true10.i ], [ %14, %if.end.i ]
  %shape.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %16 = load ptr, ptr %shape.i, align 8
  %shr.i.i = lshr i32 %11, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div6.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div6.i.i to i64
  %cmp.not7.i.i = icmp sgt i32 %15, 0
  br i1 %cmp.not7.i.i, label %for.body.preheader.i.i, label %bytes_of.exit.i

for.body.preheader.i.i:                           ; preds = %if.end15.i
  %wide.trip.count.i.i = zext nneg i32 %15 to i64
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc.i.i, %for.body.preheader.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.preheader.i.i ], [ %indvars.iv.next.i.i, %for.inc.i.i ]
  %bytes.08.i.i = phi i64 [ %conv.i.i, %for.body.preheader.i.i ], [ %20, %for.inc.i.i ]
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.i.i
  %17 = load i64, ptr %arrayidx.i.i, align 8
  %cmp2.i.i = icmp slt i64 %17, 0
  br i1 %cmp2.i.i, label %if.then9, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i.i
  %18 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.08.i.i, i64 %17)
  %19 = extractvalue { i64, i1 } %18, 1
  br i1 %19, label %if.then9, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %lor.lhs.false.i.i
  %20 = extractvalue { i64, i1 } %18, 0
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %bytes_of.exit.i, label %for.body.i.i

bytes_of.exit.i:                                  ; preds = %for.inc.i.i, %if.end15.i
  %spec.select.i.i = phi i64 [ %conv.i.i, %if.end15.i ], [ %20, %for.inc.i.i ]
  %cmp18.i = icmp eq i64 %spec.select.i.i, 0
  br i1 %cmp18.i, label %if.end15, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %bytes_of.exit.i
  %cmp19.i = icmp sgt i64 %spec.select.i.i, 0
  br i1 %cmp19.i, label %land.lhs.true20.i, label %if.then9

land.lhs.true20.i:                                ; preds = %lor.rhs.i
  %21 = load ptr, ptr %tensor, align 8
  %cmp21.not.i = icmp eq ptr %21, null
  br i1 %cmp21.not.i, label %if.then9, label %land.rhs22.i

land.rhs22.i:                                     ; preds = %land.lhs.true20.i
  %strides.i.i = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  %22 = load ptr, ptr %strides.i.i, align 8
  %cmp.i.i = icmp eq ptr %22, null
  %cmp111.i.i = icmp slt i32 %15, 1
  %.not12.i.i = or i1 %cmp111.i.i, %cmp.i.i
  br i1 %.not12.i.i, label %if.end15, label %for.body.lr.ph.i.i

for.body.lr.ph.i.i:                               ; preds = %land.rhs22.i
  %23 = zext nneg i32 %15 to i64
  br label %for.body.i14.i

for.body.i14.i:                                   ; preds = %if.end.i.i, %for.body.lr.ph.i.i
  %indvars.iv.i15.i = phi i64 [ %23, %for.body.lr.ph.i.i ], [ %indvars.iv.next.i16.i, %if.end.i.i ]
  %step.013.i.i = phi i64 [ 1, %for.body.lr.ph.i.i ], [ %mul.i.i, %if.end.i.i ]
  %indvars.iv.next.i16.i = add nsw i64 %indvars.iv.i15.i, -1
  %arrayidx.i17.i = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.next.i16.i
  %24 = load i64, ptr %arrayidx.i17.i, align 8
  %cmp2.i18.i = icmp sgt i64 %24, 1
  br i1 %cmp2.i18.i, label %land.lhs.true.i.i, label %if.end.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i14.i
  %arrayidx5.i.i = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.next.i16.i
  %25 = load i64, ptr %arrayidx5.i.i, align 8
  %cmp6.not.i.i = icmp eq i64 %25, %step.013.i.i
  br i1 %cmp6.not.i.i, label %if.end.i.i, label %if.then9

if.end.i.i:                                       ; preds = %land.lhs.true.i.i, %for.body.i14.i
  %mul.i.i = mul nsw i64 %24, %step.013.i.i
  %cmp1.i.i = icmp samesign ult i64 %indvars.iv.i15.i, 2
  br i1 %cmp1.i.i, label %if.end15, label %for.body.i14.i

if.then9:                                         ; preds = %for.body.i.i, %lor.lhs.false.i.i, %land.lhs.true.i.i, %if.end7, %lor.lhs.false2.i, %lor.lhs.false.i, %land.lhs.true10.i, %land.lhs.true20.i, %lor.rhs.i
  %26 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %27 = load ptr, ptr %text, align 8
  %call12 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef nonnull @tw_name, ptr noundef %26, ptr noundef %27) #6
  %call14 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #6
  br label %cleanup38

if.end15:                                         ; preds = %if.end.i.i, %land.rhs22.i, %bytes_of.exit.i
  %cmp.not7.i = icmp sgt i32 %14, 0
  br i1 %cmp.not7.i, label %for.body.preheader.i22, label %bytes_of.exit

for.body.preheader.i22:                           ; preds = %if.end15
  %wide.trip.count.i = zext nneg i32 %14 to i64
  br label %for.body.i23

for.body.i23:                                     ; preds = %for.inc.i27, %for.body.preheader.i22
  %indvars.iv.i24 = phi i64 [ 0, %for.body.preheader.i22 ], [ %indvars.iv.next.i28, %for.inc.i27 ]
  %bytes.08.i = phi i64 [ %conv.i.i, %for.body.preheader.i22 ], [ %31, %for.inc.i27 ]
  %arrayidx.i25 = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.i24
  %28 = load i64, ptr %arrayidx.i25, align 8
  %cmp2.i = icmp slt i64 %28, 0
  br i1 %cmp2.i, label %bytes_of.exit, label %lor.lhs.false.i26

lor.lhs.false.i26:                                ; preds = %for.body.i23
  %29 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.08.i, i64 %28)
  %30 = extractvalue { i64, i1 } %29, 1
  br i1 %30, label %bytes_of.exit, label %for.inc.i27

for.inc.i27:                                      ; preds = %lor.lhs.false.i26
  %31 = extractvalue { i64, i1 } %29, 0
  %indvars.iv.next.i28 = add nuw nsw i64 %indvars.iv.i24, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i28, %wide.trip.count.i
  br i1 %exitcond.not.i, label %bytes_of.exit, label %for.body.i23

bytes_of.exit:                                    ; preds = %for.body.i23, %lor.lhs.false.i26, %for.inc.i27, %if.end15
  %spec.select.i21 = phi i64 [ %conv.i.i, %if.end15 ], [ %31, %for.inc.i27 ], [ -1, %for.body.i23 ], [ -1, %lor.lhs.false.i26 ]
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %arrayidx18 = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %idxprom
  %call22 = call fastcc zeroext i1 @resize(ptr noundef nonnull %arrayidx18, i32 noundef signext %11, i32 noundef signext %14, ptr noundef %16) #8
  br i1 %call22, label %if.end29, label %if.then23

if.then23:                                        ; preds = %bytes_of.exit
  %32 = load ptr, ptr %arrayidx, align 8
  %call26 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef nonnull @tw_name, ptr noundef %32, i64 noundef %spec.select.i21) #6
  %call28 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #6
  br label %cleanup38

if.end29:                                         ; preds = %bytes_of.exit
  %cmp30 = icmp sgt i64 %spec.select.i21, 0
  br i1 %cmp30, label %if.then31, label %cleanup38

if.then31:                                        ; preds = %if.end29
  %33 = load ptr, ptr %arrayidx18, align 8
  %34 = load ptr, ptr %tensor, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  %35 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %34, i64 %35
  %call34 = call ptr @memcpy(ptr noundef %33, ptr noundef %add.ptr, i64 noundef %spec.select.i21) #6
  br label %cleanup38

cleanup38:                                        ; preds = %if.then9, %if.end29, %if.then31, %if.then23, %position_of.exit, %if.then
  %retval.0 = phi i32 [ %call4, %if.then ], [ -1, %position_of.exit ], [ %call14, %if.then9 ], [ %call28, %if.then23 ], [ 0, %if.then31 ], [ 0, %if.end29 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  ret i32 %retval.0
}

define internal fastcc zeroext i1 @resize(ptr noundef captures(none) %slot, i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef readonly captures(none) %shape) unnamed_addr #0 {
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
  %dtype1 = getelementptr inbounds nuw i8, ptr %slot, i64 20
  store i32 %dtype, ptr %dtype1, align 4
  %rank3 = getelementptr inbounds nuw i8, ptr %slot, i64 16
  store i32 %rank, ptr %rank3, align 8
  %4 = load ptr, ptr %slot, align 8
  %cmp = icmp eq ptr %4, null
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %bytes_of.exit
  %room = getelementptr inbounds nuw i8, ptr %slot, i64 56
  %5 = load i64, ptr %room, align 8
  %cmp5 = icmp sgt i64 %spec.select.i, %5
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %bytes_of.exit
  tail call void @free(ptr noundef %4) #6
  %or.cond = icmp ugt i64 %spec.select.i, 9223372036854775743
  br i1 %or.cond, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.then
  %div21 = and i64 %spec.select.i, 9223372036854775744
  %mul = add nuw nsw i64 %div21, 64
  %call11 = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %mul) #6
  br label %cond.end

cond.end:                                         ; preds = %if.then, %cond.false
  %cond = phi ptr [ %call11, %cond.false ], [ null, %if.then ]
  store ptr %cond, ptr %slot, align 8
  %cmp16 = icmp eq ptr %cond, null
  %cond20 = select i1 %cmp16, i64 0, i64 %spec.select.i
  %room21 = getelementptr inbounds nuw i8, ptr %slot, i64 56
  store i64 %cond20, ptr %room21, align 8
  %.pre = load i32, ptr %rank3, align 8
  br label %if.end

if.end:                                           ; preds = %cond.end, %lor.lhs.false
  %6 = phi ptr [ %cond, %cond.end ], [ %4, %lor.lhs.false ]
  %7 = phi i32 [ %.pre, %cond.end ], [ %rank, %lor.lhs.false ]
  %cmp2422 = icmp sgt i32 %7, 0
  br i1 %cmp2422, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %shape25 = getelementptr inbounds nuw i8, ptr %slot, i64 48
  br label %for.body

for.cond.cleanup.loopexit:                        ; preds = %for.body
  %.pre25 = load ptr, ptr %slot, align 8
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %if.end
  %8 = phi ptr [ %.pre25, %for.cond.cleanup.loopexit ], [ %6, %if.end ]
  %cmp30 = icmp ne ptr %8, null
  ret i1 %cmp30

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  %9 = load i64, ptr %arrayidx, align 8
  %10 = load ptr, ptr %shape25, align 8
  %arrayidx27 = getelementptr inbounds nuw i64, ptr %10, i64 %indvars.iv
  store i64 %9, ptr %arrayidx27, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %11 = load i32, ptr %rank3, align 8
  %12 = sext i32 %11 to i64
  %cmp24 = icmp slt i64 %indvars.iv.next, %12
  br i1 %cmp24, label %for.body, label %for.cond.cleanup.loopexit
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #0

define signext i32 @__tw_run(ptr noundef %executor) local_unnamed_addr #0 {
entry:
  %program.i = alloca ptr, align 8
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %result = alloca %struct.tw_value, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name) #6
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #6
  br label %cleanup42

if.end:                                           ; preds = %entry
  store i8 0, ptr %executor, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #7
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp.not5.i = icmp sgt i32 %0, 0
  br i1 %cmp.not5.i, label %for.body.lr.ph.i, label %check_inputs.exit.thread

for.body.lr.ph.i:                                 ; preds = %if.end
  %slots.i = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %wide.trip.count.i = zext nneg i32 %0 to i64
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %check_inputs.exit.thread, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.cond.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.slot, ptr %slots.i, i64 %indvars.iv.i
  %1 = load ptr, ptr %arrayidx.i, align 8
  %cmp1.i = icmp eq ptr %1, null
  br i1 %cmp1.i, label %check_inputs.exit, label %for.cond.i

check_inputs.exit.thread:                         ; preds = %for.cond.i, %if.end
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #7
  br label %if.end6

check_inputs.exit:                                ; preds = %for.body.i
  %arrayidx3.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %2 = load ptr, ptr %arrayidx3.i, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i64 8
  %3 = load ptr, ptr %text.i, align 8
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.13, ptr noundef nonnull @tw_name, ptr noundef %2, ptr noundef %3) #6
  %call7.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.14, ptr noundef nonnull %message.i) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #7
  %cmp4.not = icmp eq i32 %call7.i, 0
  br i1 %cmp4.not, label %if.end6, label %cleanup42

if.end6:                                          ; preds = %check_inputs.exit.thread, %check_inputs.exit
  %add = add nsw i32 %0, 3
  %4 = zext i32 %add to i64
  %5 = call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %4, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %6 = load i32, ptr @__tw_default_threads, align 4
  %conv = sext i32 %6 to i64
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %conv, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %vla, i64 16
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %vla, i64 32
  store i32 4, ptr %arrayidx8, align 8
  %.compoundliteral9.sroa.2.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 36
  store i32 0, ptr %.compoundliteral9.sroa.2.0.arrayidx8.sroa_idx, align 4
  %.compoundliteral9.sroa.3.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 40
  store i64 0, ptr %.compoundliteral9.sroa.3.0.arrayidx8.sroa_idx, align 8
  %7 = load i64, ptr %arrayidx8, align 8
  store i64 %7, ptr %arrayidx7, align 8
  %payload14 = getelementptr inbounds nuw i8, ptr %vla, i64 24
  store ptr @allocate_output, ptr %payload14, align 8
  store ptr %executor, ptr %.compoundliteral9.sroa.3.0.arrayidx8.sroa_idx, align 8
  br i1 %cmp.not5.i, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end6
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end6
  call void @llvm.lifetime.start.p0(ptr nonnull %program.i) #7
  %idx.ext.i = sext i32 %0 to i64
  %add.ptr.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idx.ext.i
  %outputs.i = getelementptr inbounds nuw i8, ptr %executor, i64 8
  store ptr %add.ptr.i, ptr %outputs.i, align 8
  %cmp.i = icmp eq ptr @__tw_choose, null
  br i1 %cmp.i, label %if.end35, label %if.end.i

if.end.i:                                         ; preds = %for.cond.cleanup
  %add.ptr = getelementptr inbounds nuw i8, ptr %vla, i64 48
  %call.i12 = call signext i32 @__tw_choose(ptr noundef nonnull %add.ptr, i32 noundef signext %0, ptr noundef nonnull %program.i) #6
  %cmp1.not.i = icmp eq i32 %call.i12, 0
  br i1 %cmp1.not.i, label %if.end3.i, label %choose.exit

if.end3.i:                                        ; preds = %if.end.i
  %8 = load ptr, ptr %program.i, align 8
  %specs.i = getelementptr inbounds nuw i8, ptr %8, i64 48
  %9 = load ptr, ptr %specs.i, align 8
  %inputs4.i = getelementptr inbounds nuw i8, ptr %8, i64 88
  %10 = load i32, ptr %inputs4.i, align 8
  %idx.ext5.i = sext i32 %10 to i64
  %add.ptr6.i = getelementptr inbounds %struct.tw_spec, ptr %9, i64 %idx.ext5.i
  store ptr %add.ptr6.i, ptr %outputs.i, align 8
  br label %if.end35

choose.exit:                                      ; preds = %if.end.i
  call void @llvm.lifetime.end.p0(ptr nonnull %program.i) #7
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %11 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx20 = getelementptr inbounds nuw i8, ptr %11, i64 48
  store i32 7, ptr %arrayidx20, align 8
  %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %11, i64 52
  store i32 0, ptr %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx, align 4
  %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %11, i64 56
  %arrayidx26 = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %indvars.iv
  store ptr %arrayidx26, ptr %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end35:                                         ; preds = %if.end3.i, %for.cond.cleanup
  call void @llvm.lifetime.end.p0(ptr nonnull %program.i) #7
  %call37 = call signext i32 @__tw_main_allocating(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add, ptr noundef nonnull %result) #6
  %cmp38 = icmp eq i32 %call37, 0
  %storedv = zext i1 %cmp38 to i8
  store i8 %storedv, ptr %executor, align 8
  br label %cleanup

cleanup:                                          ; preds = %choose.exit, %if.end35
  %retval.1 = phi i32 [ %call37, %if.end35 ], [ -1, %choose.exit ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #7
  call void @llvm.stackrestore.p0(ptr %5)
  br label %cleanup42

cleanup42:                                        ; preds = %check_inputs.exit, %cleanup, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %retval.1, %cleanup ], [ -1, %check_inputs.exit ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  ret i32 %retval.0
}

declare ptr @llvm.stacksave.p0() #3

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

define internal ptr @allocate_output(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef readonly captures(none) %shape) #0 {
entry:
  %outputs = getelementptr inbounds nuw i8, ptr %context, i64 8
  %0 = load ptr, ptr %outputs, align 8
  %idxprom = sext i32 %output to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom
  %slots = getelementptr inbounds nuw i8, ptr %context, i64 16
  %1 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %1, %output
  %idxprom1 = sext i32 %add to i64
  %arrayidx2 = getelementptr inbounds %struct.slot, ptr %slots, i64 %idxprom1
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %2 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %3 = load i32, ptr %rank, align 8
  %call = tail call fastcc zeroext i1 @resize(ptr noundef nonnull %arrayidx2, i32 noundef signext %2, i32 noundef signext %3, ptr noundef %shape) #8
  br i1 %call, label %cond.true, label %cond.end

cond.true:                                        ; preds = %entry
  %4 = load ptr, ptr %arrayidx2, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi ptr [ %4, %cond.true ], [ null, %entry ]
  ret ptr %cond
}

declare signext i32 @__tw_main_allocating(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr #2

declare void @llvm.stackrestore.p0(ptr) #3

define ptr @__tw_get_output(ptr noundef readonly captures(address_is_null, ret: address, provenance) %executor, i32 noundef signext %index) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %cmp = icmp sgt i32 %index, -1
  %0 = load i32, ptr @tw_outputs, align 4
  %cmp1 = icmp slt i32 %index, %0
  %1 = select i1 %cmp, i1 %cmp1, i1 false
  %cmp2.not = icmp eq ptr %executor, null
  br i1 %cmp2.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %2 = load i8, ptr %executor, align 8
  %loadedv = trunc i8 %2 to i1
  %or.cond = select i1 %loadedv, i1 %1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 16
  %3 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %3, %index
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %struct.slot, ptr %slots, i64 %idxprom
  br label %cleanup

if.end:                                           ; preds = %land.lhs.true, %entry
  %sub = add nsw i32 %0, -1
  %cond = select i1 %1, ptr @.str.8, ptr @.str.9
  %spec.select = select i1 %cmp2.not, ptr @.str.7, ptr %cond
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.6, ptr noundef nonnull @tw_name, i32 noundef signext %sub, i32 noundef signext %index, ptr noundef nonnull %spec.select) #6
  %call9 = call signext i32 @tw_fail(ptr noundef nonnull @.str.10, ptr noundef nonnull %message) #6
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi ptr [ %arrayidx, %if.then ], [ null, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  ret ptr %retval.0
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #5

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #2

declare extern_weak hidden signext i32 @__tw_choose(ptr noundef, i32 noundef signext, ptr noundef) #2

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nobuiltin nounwind "no-builtins" }
attributes #7 = { nounwind }
attributes #8 = { nobuiltin "no-builtins" }
