; Generated from runtime/native/executor.c by `make prelude`; do not edit.
; ziglang 0.17.1, riscv64-linux-gnu
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"

%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.slot = type { %struct.tw_tensor, ptr, i64 }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }

@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_specs = external hidden local_unnamed_addr constant [0 x %struct.tw_spec], align 8
@.str = private unnamed_addr constant [57 x i8] c"%s: no memory for an executor\0A    expected: %d arguments\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.2 = private unnamed_addr constant [72 x i8] c"%s: the executor is null\0A    expected: a result of create\0A    got: null\00", align 1
@.str.3 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
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
  %cmp111 = icmp sgt i32 %0, 0
  %1 = select i1 %cmp, i1 %cmp111, i1 false
  br i1 %1, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 8
  %2 = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  tail call void @free(ptr noundef %executor) #8
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %indvars.iv
  %3 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %3) #8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  %4 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %4) #8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp1 = icmp samesign ult i64 %indvars.iv.next, %2
  br i1 %cmp1, label %for.body, label %for.cond.cleanup
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @free(ptr noundef) local_unnamed_addr #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define ptr @__tw_create() local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #9
  %0 = load i32, ptr @tw_arguments, align 4
  %conv = sext i32 %0 to i64
  %mul = shl nsw i64 %conv, 6
  %add = or disjoint i64 %mul, 8
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add) #8
  %is_made.0.in43 = icmp ne ptr %call, null
  %cmp344 = icmp sgt i32 %0, 0
  %1 = and i1 %is_made.0.in43, %cmp344
  br i1 %1, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %is_made.0.in.lcssa = phi i1 [ %is_made.0.in43, %entry ], [ %is_made.0.in, %for.body ]
  br i1 %is_made.0.in.lcssa, label %cleanup, label %if.end

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %arrayidx6 = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load i32, ptr %rank, align 8
  %conv7 = sext i32 %2 to i64
  %add8 = add nsw i64 %conv7, 1
  %call9 = tail call noalias ptr @calloc(i64 noundef %add8, i64 noundef 8) #8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 48
  store ptr %call9, ptr %shape, align 8
  %device_type = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 8
  store i32 1, ptr %device_type, align 8
  %rank12 = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 16
  store i32 %2, ptr %rank12, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %3 = load i32, ptr %dtype, align 4
  %dtype14 = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 20
  store i32 %3, ptr %dtype14, align 4
  %shape17 = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 24
  store ptr %call9, ptr %shape17, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %is_made.0.in = icmp ne ptr %call9, null
  %cmp3 = icmp slt i64 %indvars.iv.next, %conv
  %4 = select i1 %is_made.0.in, i1 %cmp3, i1 false
  br i1 %4, label %for.body, label %for.cond.cleanup

if.end:                                           ; preds = %for.cond.cleanup
  %call23 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %0) #8
  %call25 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #8
  br i1 %1, label %for.body.lr.ph.i, label %__tw_destroy.exit

for.body.lr.ph.i:                                 ; preds = %if.end
  %slots.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  %5 = zext nneg i32 %0 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.slot, ptr %slots.i, i64 %indvars.iv.i
  %6 = load ptr, ptr %arrayidx.i, align 8
  call void @free(ptr noundef %6) #8
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 48
  %7 = load ptr, ptr %shape.i, align 8
  call void @free(ptr noundef %7) #8
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i, %5
  br i1 %exitcond.not, label %__tw_destroy.exit, label %for.body.i

__tw_destroy.exit:                                ; preds = %for.body.i, %if.end
  call void @free(ptr noundef %call) #8
  br label %cleanup

cleanup:                                          ; preds = %for.cond.cleanup, %__tw_destroy.exit
  %retval.0 = phi ptr [ null, %__tw_destroy.exit ], [ %call, %for.cond.cleanup ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #9
  ret ptr %retval.0
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #2

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #3

define signext i32 @__tw_set_input(ptr noundef captures(address_is_null) %executor, ptr noundef %name, ptr noundef readonly captures(address_is_null) %tensor) local_unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #9
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %cond.false

cond.false:                                       ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #9
  %cmp.i = icmp eq ptr %name, null
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp123.i = icmp slt i32 %0, 1
  %.not24.i = select i1 %cmp.i, i1 true, i1 %cmp123.i
  br i1 %.not24.i, label %for.end.i, label %for.body.preheader.i

for.body.preheader.i:                             ; preds = %cond.false
  %1 = zext nneg i32 %0 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %2 = load ptr, ptr %arrayidx.i, align 8
  %3 = load i8, ptr %2, align 1
  %cmp.not16.i.i = icmp eq i8 %3, 0
  br i1 %cmp.not16.i.i, label %is_same.exit.thread.i, label %land.rhs.i.i

land.rhs.i.i:                                     ; preds = %for.body.i, %while.body.i.i
  %4 = phi i8 [ %6, %while.body.i.i ], [ %3, %for.body.i ]
  %rhs.addr.018.i.i = phi ptr [ %incdec.ptr6.i.i, %while.body.i.i ], [ %name, %for.body.i ]
  %lhs.addr.017.i.i = phi ptr [ %incdec.ptr.i.i, %while.body.i.i ], [ %2, %for.body.i ]
  %5 = load i8, ptr %rhs.addr.018.i.i, align 1
  %cmp4.i.i = icmp eq i8 %4, %5
  br i1 %cmp4.i.i, label %while.body.i.i, label %for.inc.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %incdec.ptr.i.i = getelementptr inbounds nuw i8, ptr %lhs.addr.017.i.i, i64 1
  %incdec.ptr6.i.i = getelementptr inbounds nuw i8, ptr %rhs.addr.018.i.i, i64 1
  %6 = load i8, ptr %incdec.ptr.i.i, align 1
  %cmp.not.i.i = icmp eq i8 %6, 0
  br i1 %cmp.not.i.i, label %is_same.exit.i, label %land.rhs.i.i

is_same.exit.i:                                   ; preds = %while.body.i.i
  %.pre.i = load i8, ptr %incdec.ptr6.i.i, align 1
  %7 = icmp eq i8 %.pre.i, 0
  br i1 %7, label %cleanup7.loopexit.i, label %for.inc.i

is_same.exit.thread.i:                            ; preds = %for.body.i
  %8 = load i8, ptr %name, align 1
  %cmp9.i18.i = icmp eq i8 %8, 0
  br i1 %cmp9.i18.i, label %cleanup7.loopexit.i, label %for.inc.i

for.inc.i:                                        ; preds = %land.rhs.i.i, %is_same.exit.thread.i, %is_same.exit.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i, %1
  br i1 %exitcond.not, label %for.end.i, label %for.body.i

for.end.i:                                        ; preds = %for.inc.i, %cond.false
  %cond.i = select i1 %cmp.i, ptr @.str.12, ptr %name
  %call4.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.11, ptr noundef nonnull @tw_name, ptr noundef nonnull @tw_signature, ptr noundef nonnull %cond.i) #8
  %call6.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.10, ptr noundef nonnull %message.i) #8
  br label %position_of.exit

cleanup7.loopexit.i:                              ; preds = %is_same.exit.thread.i, %is_same.exit.i
  %9 = trunc nuw nsw i64 %indvars.iv.i to i32
  br label %position_of.exit

position_of.exit:                                 ; preds = %for.end.i, %cleanup7.loopexit.i
  %retval.1.i = phi i32 [ %call6.i, %for.end.i ], [ %9, %cleanup7.loopexit.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #9
  %cmp5 = icmp slt i32 %retval.1.i, 0
  br i1 %cmp5, label %cleanup36, label %if.end7

if.then:                                          ; preds = %entry
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name) #8
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #8
  br label %cleanup36

if.end7:                                          ; preds = %position_of.exit
  %idxprom = zext nneg i32 %retval.1.i to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %cmp.i54 = icmp eq ptr %tensor, null
  br i1 %cmp.i54, label %if.then9, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.end7
  %device_type.i = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %10 = load i32, ptr %device_type.i, align 8
  %cmp1.not.i55 = icmp eq i32 %10, 1
  br i1 %cmp1.not.i55, label %lor.lhs.false2.i, label %if.then9

lor.lhs.false2.i:                                 ; preds = %lor.lhs.false.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %11 = load i32, ptr %dtype.i, align 4
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %12 = load i32, ptr %dtype3.i, align 4
  %cmp4.not.i = icmp eq i32 %11, %12
  br i1 %cmp4.not.i, label %lor.lhs.false5.i, label %if.then9

lor.lhs.false5.i:                                 ; preds = %lor.lhs.false2.i
  %rank.i = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %13 = load i32, ptr %rank.i, align 8
  %rank6.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %14 = load i32, ptr %rank6.i, align 8
  %cmp7.not.i = icmp eq i32 %13, %14
  br i1 %cmp7.not.i, label %if.end.i, label %if.then9

if.end.i:                                         ; preds = %lor.lhs.false5.i
  %shape.i = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %15 = load ptr, ptr %shape.i, align 8
  %shr.i.i = lshr i32 %11, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div14.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div14.i.i to i64
  %cmp.not15.i.i = icmp sgt i32 %13, 0
  br i1 %cmp.not15.i.i, label %for.body.preheader.i.i, label %bytes_of.exit.i

for.body.preheader.i.i:                           ; preds = %if.end.i
  %wide.trip.count.i.i = zext nneg i32 %13 to i64
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc.i.i, %for.body.preheader.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.preheader.i.i ], [ %indvars.iv.next.i.i, %for.inc.i.i ]
  %bytes.016.i.i = phi i64 [ %conv.i.i, %for.body.preheader.i.i ], [ %19, %for.inc.i.i ]
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %15, i64 %indvars.iv.i.i
  %16 = load i64, ptr %arrayidx.i.i, align 8
  %cmp2.i.i = icmp slt i64 %16, 0
  br i1 %cmp2.i.i, label %if.then9, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i.i
  %17 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.016.i.i, i64 %16)
  %18 = extractvalue { i64, i1 } %17, 1
  br i1 %18, label %if.then9, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %lor.lhs.false.i.i
  %19 = extractvalue { i64, i1 } %17, 0
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %bytes_of.exit.i, label %for.body.i.i

bytes_of.exit.i:                                  ; preds = %for.inc.i.i, %if.end.i
  %spec.select.i.i = phi i64 [ %conv.i.i, %if.end.i ], [ %19, %for.inc.i.i ]
  %cmp8.i = icmp eq i64 %spec.select.i.i, 0
  br i1 %cmp8.i, label %if.end15, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %bytes_of.exit.i
  %cmp9.i = icmp sgt i64 %spec.select.i.i, 0
  br i1 %cmp9.i, label %land.lhs.true.i, label %if.then9

land.lhs.true.i:                                  ; preds = %lor.rhs.i
  %20 = load ptr, ptr %tensor, align 8
  %cmp10.not.i = icmp eq ptr %20, null
  br i1 %cmp10.not.i, label %if.then9, label %is_copied.exit

is_copied.exit:                                   ; preds = %land.lhs.true.i
  %call11.i = call fastcc zeroext i1 @is_row_major(ptr noundef readonly %tensor) #10
  br i1 %call11.i, label %if.end15, label %if.then9

if.then9:                                         ; preds = %lor.lhs.false.i.i, %for.body.i.i, %lor.rhs.i, %land.lhs.true.i, %lor.lhs.false.i, %lor.lhs.false2.i, %lor.lhs.false5.i, %if.end7, %is_copied.exit
  %21 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %22 = load ptr, ptr %text, align 8
  %call12 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef nonnull @tw_name, ptr noundef %21, ptr noundef %22) #8
  %call14 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #8
  br label %cleanup36

if.end15:                                         ; preds = %bytes_of.exit.i, %is_copied.exit
  br i1 %cmp.not15.i.i, label %for.body.preheader.i58, label %bytes_of.exit

for.body.preheader.i58:                           ; preds = %if.end15
  %wide.trip.count.i = zext nneg i32 %13 to i64
  br label %for.body.i59

for.body.i59:                                     ; preds = %for.inc.i63, %for.body.preheader.i58
  %indvars.iv.i60 = phi i64 [ 0, %for.body.preheader.i58 ], [ %indvars.iv.next.i64, %for.inc.i63 ]
  %bytes.016.i = phi i64 [ %conv.i.i, %for.body.preheader.i58 ], [ %26, %for.inc.i63 ]
  %arrayidx.i61 = getelementptr inbounds nuw i64, ptr %15, i64 %indvars.iv.i60
  %23 = load i64, ptr %arrayidx.i61, align 8
  %cmp2.i = icmp slt i64 %23, 0
  br i1 %cmp2.i, label %bytes_of.exit, label %lor.lhs.false.i62

lor.lhs.false.i62:                                ; preds = %for.body.i59
  %24 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.016.i, i64 %23)
  %25 = extractvalue { i64, i1 } %24, 1
  br i1 %25, label %bytes_of.exit, label %for.inc.i63

for.inc.i63:                                      ; preds = %lor.lhs.false.i62
  %26 = extractvalue { i64, i1 } %24, 0
  %indvars.iv.next.i64 = add nuw nsw i64 %indvars.iv.i60, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i64, %wide.trip.count.i
  br i1 %exitcond.not.i, label %bytes_of.exit, label %for.body.i59

bytes_of.exit:                                    ; preds = %for.body.i59, %lor.lhs.false.i62, %for.inc.i63, %if.end15
  %spec.select.i = phi i64 [ %conv.i.i, %if.end15 ], [ %26, %for.inc.i63 ], [ -1, %for.body.i59 ], [ -1, %lor.lhs.false.i62 ]
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 8
  %arrayidx18 = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %idxprom
  %27 = load ptr, ptr %arrayidx18, align 8
  %cmp.i65 = icmp eq ptr %27, null
  br i1 %cmp.i65, label %if.then.i, label %lor.lhs.false.i66

lor.lhs.false.i66:                                ; preds = %bytes_of.exit
  %room.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 56
  %28 = load i64, ptr %room.i, align 8
  %cmp1.i = icmp sgt i64 %spec.select.i, %28
  br i1 %cmp1.i, label %if.then.i, label %if.end.i67

if.then.i:                                        ; preds = %lor.lhs.false.i66, %bytes_of.exit
  call void @free(ptr noundef %27) #8
  %or.cond.i = icmp ugt i64 %spec.select.i, 9223372036854775743
  br i1 %or.cond.i, label %cond.end.i, label %cond.false.i

cond.false.i:                                     ; preds = %if.then.i
  %div40.i = and i64 %spec.select.i, 9223372036854775744
  %mul.i = add nuw nsw i64 %div40.i, 64
  %call.i = call ptr @aligned_alloc(i64 noundef 64, i64 noundef %mul.i) #8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false.i, %if.then.i
  %cond.i74 = phi ptr [ %call.i, %cond.false.i ], [ null, %if.then.i ]
  store ptr %cond.i74, ptr %arrayidx18, align 8
  %cmp11.i = icmp eq ptr %cond.i74, null
  %cond15.i = select i1 %cmp11.i, i64 0, i64 %spec.select.i
  %room16.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 56
  store i64 %cond15.i, ptr %room16.i, align 8
  br label %if.end.i67

if.end.i67:                                       ; preds = %cond.end.i, %lor.lhs.false.i66
  %29 = phi ptr [ %cond.i74, %cond.end.i ], [ %27, %lor.lhs.false.i66 ]
  %rank.i68 = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 16
  %30 = load i32, ptr %rank.i68, align 8
  %cmp1841.i = icmp sgt i32 %30, 0
  br i1 %cmp1841.i, label %for.body.lr.ph.i, label %resize.exit

for.body.lr.ph.i:                                 ; preds = %if.end.i67
  %shape19.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 48
  br label %for.body.i69

for.cond.cleanup.loopexit.i:                      ; preds = %for.body.i69
  %.pre.i73 = load ptr, ptr %arrayidx18, align 8
  br label %resize.exit

for.body.i69:                                     ; preds = %for.body.i69, %for.body.lr.ph.i
  %indvars.iv.i70 = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i72, %for.body.i69 ]
  %arrayidx.i71 = getelementptr inbounds nuw i64, ptr %15, i64 %indvars.iv.i70
  %31 = load i64, ptr %arrayidx.i71, align 8
  %32 = load ptr, ptr %shape19.i, align 8
  %arrayidx21.i = getelementptr inbounds nuw i64, ptr %32, i64 %indvars.iv.i70
  store i64 %31, ptr %arrayidx21.i, align 8
  %indvars.iv.next.i72 = add nuw nsw i64 %indvars.iv.i70, 1
  %33 = load i32, ptr %rank.i68, align 8
  %34 = sext i32 %33 to i64
  %cmp18.i = icmp slt i64 %indvars.iv.next.i72, %34
  br i1 %cmp18.i, label %for.body.i69, label %for.cond.cleanup.loopexit.i

resize.exit:                                      ; preds = %if.end.i67, %for.cond.cleanup.loopexit.i
  %35 = phi ptr [ %.pre.i73, %for.cond.cleanup.loopexit.i ], [ %29, %if.end.i67 ]
  %cmp24.i.not = icmp eq ptr %35, null
  br i1 %cmp24.i.not, label %if.then21, label %if.end27

if.then21:                                        ; preds = %resize.exit
  %36 = load ptr, ptr %arrayidx, align 8
  %call24 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef nonnull @tw_name, ptr noundef %36, i64 noundef %spec.select.i) #8
  %call26 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #8
  br label %cleanup36

if.end27:                                         ; preds = %resize.exit
  %cmp28 = icmp sgt i64 %spec.select.i, 0
  br i1 %cmp28, label %if.then29, label %cleanup36

if.then29:                                        ; preds = %if.end27
  %37 = load ptr, ptr %tensor, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  %38 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %37, i64 %38
  %call32 = call ptr @memcpy(ptr noundef nonnull %35, ptr noundef %add.ptr, i64 noundef %spec.select.i) #8
  br label %cleanup36

cleanup36:                                        ; preds = %if.then9, %if.end27, %if.then29, %if.then21, %position_of.exit, %if.then
  %retval.2 = phi i32 [ %call4, %if.then ], [ -1, %position_of.exit ], [ %call14, %if.then9 ], [ %call26, %if.then21 ], [ 0, %if.then29 ], [ 0, %if.end27 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #9
  ret i32 %retval.2
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

define signext i32 @__tw_run(ptr noundef %executor) local_unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %result = alloca %struct.tw_value, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #9
  %cmp = icmp eq ptr %executor, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name) #8
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #8
  br label %cleanup

if.end:                                           ; preds = %entry
  store i8 0, ptr %executor, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #9
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp.not13.i = icmp sgt i32 %0, 0
  br i1 %cmp.not13.i, label %for.body.lr.ph.i, label %check_inputs.exit.thread

for.body.lr.ph.i:                                 ; preds = %if.end
  %slots.i = getelementptr inbounds nuw i8, ptr %executor, i64 8
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
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #9
  br label %if.end6

check_inputs.exit:                                ; preds = %for.body.i
  %arrayidx3.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %2 = load ptr, ptr %arrayidx3.i, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i64 8
  %3 = load ptr, ptr %text.i, align 8
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.13, ptr noundef nonnull @tw_name, ptr noundef %2, ptr noundef %3) #8
  %call7.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.14, ptr noundef nonnull %message.i) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #9
  %cmp4.not = icmp eq i32 %call7.i, 0
  br i1 %cmp4.not, label %if.end6, label %cleanup

if.end6:                                          ; preds = %check_inputs.exit.thread, %check_inputs.exit
  %add = add nsw i32 %0, 3
  %4 = zext i32 %add to i64
  %5 = call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %4, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #9
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
  br i1 %cmp.not13.i, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end6
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 8
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end6
  %call32 = call signext i32 @__tw_main_allocating(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add, ptr noundef nonnull %result) #8
  %cmp33 = icmp eq i32 %call32, 0
  %storedv = zext i1 %cmp33 to i8
  store i8 %storedv, ptr %executor, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #9
  call void @llvm.stackrestore.p0(ptr %5)
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %8 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx20 = getelementptr inbounds nuw i8, ptr %8, i64 48
  store i32 7, ptr %arrayidx20, align 8
  %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %8, i64 52
  store i32 0, ptr %.compoundliteral21.sroa.2.0.arrayidx20.sroa_idx, align 4
  %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx = getelementptr inbounds nuw i8, ptr %8, i64 56
  %arrayidx26 = getelementptr inbounds nuw %struct.slot, ptr %slots, i64 %indvars.iv
  store ptr %arrayidx26, ptr %.compoundliteral21.sroa.3.0.arrayidx20.sroa_idx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:                                          ; preds = %check_inputs.exit, %for.cond.cleanup, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call32, %for.cond.cleanup ], [ -1, %check_inputs.exit ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #9
  ret i32 %retval.0
}

declare ptr @llvm.stacksave.p0() #4

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #5

define internal ptr @allocate_output(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef readonly captures(none) %shape) #0 {
entry:
  %slots = getelementptr inbounds nuw i8, ptr %context, i64 8
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, %output
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %struct.slot, ptr %slots, i64 %idxprom
  %arrayidx3 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 44
  %1 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %1, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div14.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div14.i to i64
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 40
  %2 = load i32, ptr %rank.i, align 8
  %cmp.not15.i = icmp sgt i32 %2, 0
  br i1 %cmp.not15.i, label %for.body.preheader.i, label %bytes_of.exit

for.body.preheader.i:                             ; preds = %entry
  %wide.trip.count.i = zext nneg i32 %2 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %bytes.016.i = phi i64 [ %conv.i, %for.body.preheader.i ], [ %6, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv.i
  %3 = load i64, ptr %arrayidx.i, align 8
  %cmp2.i = icmp slt i64 %3, 0
  br i1 %cmp2.i, label %bytes_of.exit, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %for.body.i
  %4 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.016.i, i64 %3)
  %5 = extractvalue { i64, i1 } %4, 1
  br i1 %5, label %bytes_of.exit, label %for.inc.i

for.inc.i:                                        ; preds = %lor.lhs.false.i
  %6 = extractvalue { i64, i1 } %4, 0
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %bytes_of.exit, label %for.body.i

bytes_of.exit:                                    ; preds = %for.body.i, %lor.lhs.false.i, %for.inc.i, %entry
  %spec.select.i = phi i64 [ %conv.i, %entry ], [ %6, %for.inc.i ], [ -1, %for.body.i ], [ -1, %lor.lhs.false.i ]
  %7 = load ptr, ptr %arrayidx, align 8
  %cmp.i = icmp eq ptr %7, null
  br i1 %cmp.i, label %if.then.i, label %lor.lhs.false.i8

lor.lhs.false.i8:                                 ; preds = %bytes_of.exit
  %room.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  %8 = load i64, ptr %room.i, align 8
  %cmp1.i = icmp sgt i64 %spec.select.i, %8
  br i1 %cmp1.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %lor.lhs.false.i8, %bytes_of.exit
  tail call void @free(ptr noundef %7) #8
  %or.cond.i = icmp ugt i64 %spec.select.i, 9223372036854775743
  br i1 %or.cond.i, label %cond.end.i, label %cond.false.i

cond.false.i:                                     ; preds = %if.then.i
  %div40.i = and i64 %spec.select.i, 9223372036854775744
  %mul.i = add nuw nsw i64 %div40.i, 64
  %call.i = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %mul.i) #8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false.i, %if.then.i
  %cond.i = phi ptr [ %call.i, %cond.false.i ], [ null, %if.then.i ]
  store ptr %cond.i, ptr %arrayidx, align 8
  %cmp11.i = icmp eq ptr %cond.i, null
  %cond15.i = select i1 %cmp11.i, i64 0, i64 %spec.select.i
  %room16.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  store i64 %cond15.i, ptr %room16.i, align 8
  br label %if.end.i

if.end.i:                                         ; preds = %cond.end.i, %lor.lhs.false.i8
  %9 = phi ptr [ %cond.i, %cond.end.i ], [ %7, %lor.lhs.false.i8 ]
  %rank.i9 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %10 = load i32, ptr %rank.i9, align 8
  %cmp1841.i = icmp sgt i32 %10, 0
  br i1 %cmp1841.i, label %for.body.lr.ph.i, label %cond.end

for.body.lr.ph.i:                                 ; preds = %if.end.i
  %shape19.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  br label %for.body.i10

for.cond.cleanup.loopexit.i:                      ; preds = %for.body.i10
  %.pre.i = load ptr, ptr %arrayidx, align 8
  br label %cond.end

for.body.i10:                                     ; preds = %for.body.i10, %for.body.lr.ph.i
  %indvars.iv.i11 = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i13, %for.body.i10 ]
  %arrayidx.i12 = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv.i11
  %11 = load i64, ptr %arrayidx.i12, align 8
  %12 = load ptr, ptr %shape19.i, align 8
  %arrayidx21.i = getelementptr inbounds nuw i64, ptr %12, i64 %indvars.iv.i11
  store i64 %11, ptr %arrayidx21.i, align 8
  %indvars.iv.next.i13 = add nuw nsw i64 %indvars.iv.i11, 1
  %13 = load i32, ptr %rank.i9, align 8
  %14 = sext i32 %13 to i64
  %cmp18.i = icmp slt i64 %indvars.iv.next.i13, %14
  br i1 %cmp18.i, label %for.body.i10, label %for.cond.cleanup.loopexit.i

cond.end:                                         ; preds = %for.cond.cleanup.loopexit.i, %if.end.i
  %15 = phi ptr [ %.pre.i, %for.cond.cleanup.loopexit.i ], [ %9, %if.end.i ]
  ret ptr %15
}

declare signext i32 @__tw_main_allocating(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr #3

declare void @llvm.stackrestore.p0(ptr) #4

define ptr @__tw_get_output(ptr noundef readonly captures(address_is_null, ret: address, provenance) %executor, i32 noundef signext %index) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #9
  %cmp = icmp sgt i32 %index, -1
  %0 = load i32, ptr @tw_outputs, align 4
  %cmp1 = icmp slt i32 %index, %0
  %1 = select i1 %cmp, i1 %cmp1, i1 false
  %cmp2.not = icmp eq ptr %executor, null
  br i1 %cmp2.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %2 = load i8, ptr %executor, align 8
  %loadedv = trunc nuw i8 %2 to i1
  %or.cond = select i1 %loadedv, i1 %1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %slots = getelementptr inbounds nuw i8, ptr %executor, i64 8
  %3 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %3, %index
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %struct.slot, ptr %slots, i64 %idxprom
  br label %cleanup

if.end:                                           ; preds = %land.lhs.true, %entry
  %sub = add nsw i32 %0, -1
  %cond = select i1 %1, ptr @.str.8, ptr @.str.9
  %spec.select = select i1 %cmp2.not, ptr @.str.7, ptr %cond
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.6, ptr noundef nonnull @tw_name, i32 noundef signext %sub, i32 noundef signext %index, ptr noundef nonnull %spec.select) #8
  %call9 = call signext i32 @tw_fail(ptr noundef nonnull @.str.10, ptr noundef nonnull %message) #8
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi ptr [ %arrayidx, %if.then ], [ null, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #9
  ret ptr %retval.0
}

define internal fastcc noundef zeroext i1 @is_row_major(ptr noundef nonnull readonly captures(none) %tensor) unnamed_addr #6 {
entry:
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %0 = load i32, ptr %rank, align 8
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  %1 = load ptr, ptr %strides, align 8
  %cmp = icmp eq ptr %1, null
  %cmp121 = icmp slt i32 %0, 1
  %.not22 = select i1 %cmp, i1 true, i1 %cmp121
  br i1 %.not22, label %cleanup10, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %2 = load ptr, ptr %shape, align 8
  %3 = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %if.end
  %indvars.iv = phi i64 [ %3, %for.body.lr.ph ], [ %indvars.iv.next, %if.end ]
  %step.023 = phi i64 [ 1, %for.body.lr.ph ], [ %mul, %if.end ]
  %indvars.iv.next = add nsw i64 %indvars.iv, -1
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %indvars.iv.next
  %4 = load i64, ptr %arrayidx, align 8
  %cmp2 = icmp sgt i64 %4, 1
  br i1 %cmp2, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %for.body
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %1, i64 %indvars.iv.next
  %5 = load i64, ptr %arrayidx5, align 8
  %cmp6.not = icmp eq i64 %5, %step.023
  br i1 %cmp6.not, label %if.end, label %cleanup10

if.end:                                           ; preds = %land.lhs.true, %for.body
  %mul = mul nsw i64 %4, %step.023
  %cmp1 = icmp samesign ult i64 %indvars.iv, 2
  br i1 %cmp1, label %cleanup10, label %for.body

cleanup10:                                        ; preds = %land.lhs.true, %if.end, %entry
  %.not.lcssa = phi i1 [ true, %entry ], [ true, %if.end ], [ false, %land.lhs.true ]
  ret i1 %.not.lcssa
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #7

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #3

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-builtins" }
attributes #3 = { "no-builtins" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #7 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nobuiltin nounwind "no-builtins" }
attributes #9 = { nounwind }
attributes #10 = { nobuiltin "no-builtins" }
