; Generated from runtime/native/bindings.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_program = type { [5 x ptr], ptr, ptr, ptr, ptr, i64, i32, i32 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_value = type { i32, i32, %union.tw_payload }
%union.tw_payload = type { i64 }
%struct.tw_bound = type { ptr, ptr, i64, i32 }

@tw_bound_count = external hidden local_unnamed_addr constant i32, align 4
@tw_bound_inputs = external hidden local_unnamed_addr constant [0 x i32], align 4
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_program_count = external hidden local_unnamed_addr constant i32, align 4
@tw_programs = external hidden constant [0 x %struct.tw_program], align 8
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@__tw_weights = local_unnamed_addr global ptr null, align 8
@__tw_running = local_unnamed_addr global i32 0, align 4
@.str = private unnamed_addr constant [93 x i8] c"%s: wrong number of arguments\0A    expected: at least %d inputs\0A    got: %d\0A    signature: %s\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@.str.2 = private unnamed_addr constant [153 x i8] c"%s: argument %d (%s) cannot choose a program\0A    expected: %s, row by row in CPU memory\0A    got: another type, dtype, device or layout\0A    signature: %s\00", align 1
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.3 = private unnamed_addr constant [123 x i8] c"%s: the file has no program for these values\0A    expected: %s\0A    got: %s\0A    hint: export the model with these values too\00", align 1
@tw_bindings = external hidden constant [0 x i8], align 1
@.str.4 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.5 = private unnamed_addr constant [9 x i8] c"%s%s = [\00", align 1
@.str.6 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.7 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.8 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.9 = private unnamed_addr constant [4 x i8] c"%s]\00", align 1
@.str.10 = private unnamed_addr constant [6 x i8] c", ...\00", align 1
@.str.11 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.12 = private unnamed_addr constant [6 x i8] c"%#llx\00", align 1

define signext range(i32 0, 2) i32 @__tw_is_bound(i32 noundef signext %input) local_unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_bound_count, align 4
  %smax = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %cleanup, label %for.body
for.body:
  %arrayidx = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp eq i32 %1, %input
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br i1 %cmp1, label %cleanup, label %for.cond
cleanup:
  %2 = phi i32 [ 1, %for.body ], [ 0, %for.cond ]
  ret i32 %2
}

define signext i32 @__tw_choose(ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) initializes((0, 8)) %chosen) local_unnamed_addr #1 {
entry:
  %value.i.i.i = alloca i64, align 8
  %got.i = alloca [256 x i8], align 1
  %message.i30 = alloca [1024 x i8], align 1
  %message.i = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_bound_count, align 4
  %1 = zext i32 %0 to i64
  %vla = alloca ptr, i64 %1, align 8
  store ptr null, ptr %chosen, align 8
  %2 = load i32, ptr @tw_inputs, align 4
  %cmp = icmp slt i32 %count, %2
  br i1 %cmp, label %if.then, label %for.cond.preheader
for.cond.preheader:
  %3 = sext i32 %0 to i64
  %smax = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
if.then:
  %call = tail call fastcc signext i32 @fail_count(i32 noundef signext %count) #10
  br label %cleanup31
for.cond:
  %indvars.iv = phi i64 [ 0, %for.cond.preheader ], [ %indvars.iv.next, %for.inc ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %cleanup10, label %for.body
for.body:
  %arrayidx = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv
  %4 = load i32, ptr %arrayidx, align 4
  %idxprom2 = sext i32 %4 to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom2
  %arrayidx5 = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv
  %5 = load i32, ptr %arrayidx3, align 8
  switch i32 %5, label %tw_tensor_of.exit.thread.i [
    i32 7, label %tw_tensor_of.exit.i
    i32 70, label %land.lhs.true.i.i
  ]
land.lhs.true.i.i:
  %payload3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %6 = load ptr, ptr %payload3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %6, null
  br i1 %cmp4.not.i.i, label %tw_tensor_of.exit.thread.i, label %tw_tensor_of.exit.thread10.i
tw_tensor_of.exit.thread10.i:
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %6, i64 24
  store ptr %tensor.i.i, ptr %arrayidx5, align 8
  br label %land.lhs.true.i
tw_tensor_of.exit.thread.i:
  store ptr null, ptr %arrayidx5, align 8
  br label %cleanup
tw_tensor_of.exit.i:
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %7 = load ptr, ptr %payload.i.i, align 8
  store ptr %7, ptr %arrayidx5, align 8
  %cmp.not.i = icmp eq ptr %7, null
  br i1 %cmp.not.i, label %cleanup, label %land.lhs.true.i
land.lhs.true.i:
  %retval.0.i13.i = phi ptr [ %tensor.i.i, %tw_tensor_of.exit.thread10.i ], [ %7, %tw_tensor_of.exit.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 8
  %8 = load i32, ptr %device_type.i, align 8
  %cmp1.i = icmp eq i32 %8, 1
  br i1 %cmp1.i, label %land.lhs.true2.i, label %cleanup
land.lhs.true2.i:
  %dtype.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 20
  %9 = load i32, ptr %dtype.i, align 4
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom2
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 44
  %10 = load i32, ptr %dtype3.i, align 4
  %cmp4.i = icmp eq i32 %9, %10
  br i1 %cmp4.i, label %land.lhs.true5.i, label %cleanup
land.lhs.true5.i:
  %rank.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 16
  %11 = load i32, ptr %rank.i, align 8
  %cmp6.i = icmp sgt i32 %11, -1
  br i1 %cmp6.i, label %land.rhs.i, label %cleanup
land.rhs.i:
  %shape.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 24
  %wide.trip.count.i.i = zext nneg i32 %11 to i64
  br label %for.cond.i.i
for.cond.i.i:
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %land.end.i.i ], [ 0, %land.rhs.i ]
  %has_elements.0.i.i = phi i1 [ %14, %land.end.i.i ], [ true, %land.rhs.i ]
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %for.end.i.i, label %for.body.i.i
for.body.i.i:
  br i1 %has_elements.0.i.i, label %land.rhs.i.i, label %land.end.i.i
land.rhs.i.i:
  %12 = load ptr, ptr %shape.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %12, i64 %indvars.iv.i.i
  %13 = load i64, ptr %arrayidx.i.i, align 8
  %cmp1.i.i = icmp sgt i64 %13, 0
  br label %land.end.i.i
land.end.i.i:
  %14 = phi i1 [ false, %for.body.i.i ], [ %cmp1.i.i, %land.rhs.i.i ]
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  br label %for.cond.i.i
for.end.i.i:
  br i1 %has_elements.0.i.i, label %for.cond5.preheader.i.i, label %for.inc
for.cond5.preheader.i.i:
  %strides.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 32
  br label %for.cond5.i.i
for.cond5.i.i:
  %indvars.iv31.i.i = phi i64 [ %15, %for.cond5.backedge.i.i ], [ %wide.trip.count.i.i, %for.cond5.preheader.i.i ]
  %step.0.i.i = phi i64 [ %step.0.be.i.i, %for.cond5.backedge.i.i ], [ 1, %for.cond5.preheader.i.i ]
  %15 = add nsw i64 %indvars.iv31.i.i, -1
  %16 = trunc nuw i64 %indvars.iv31.i.i to i32
  %cmp6.i.i = icmp slt i32 %16, 1
  br i1 %cmp6.i.i, label %for.end30.i.i, label %for.body8.i.i
for.body8.i.i:
  %17 = load ptr, ptr %shape.i.i, align 8
  %arrayidx11.i.i = getelementptr inbounds nuw i64, ptr %17, i64 %15
  %18 = load i64, ptr %arrayidx11.i.i, align 8
  %cmp12.i.i = icmp sgt i64 %18, 1
  br i1 %cmp12.i.i, label %land.rhs13.i.i, label %cleanup.i.i
land.rhs13.i.i:
  %19 = load ptr, ptr %strides.i.i, align 8
  %cmp14.not.i.i = icmp eq ptr %19, null
  br i1 %cmp14.not.i.i, label %cleanup.i.i, label %land.lhs.true.i6.i
land.lhs.true.i6.i:
  %arrayidx20.i.i = getelementptr inbounds nuw i64, ptr %19, i64 %15
  %20 = load i64, ptr %arrayidx20.i.i, align 8
  %cmp21.not.i.i = icmp ne i64 %20, %step.0.i.i
  %21 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.i.i, i64 %18)
  %22 = extractvalue { i64, i1 } %21, 1
  %or.cond.not.i.i = or i1 %22, %cmp21.not.i.i
  br i1 %or.cond.not.i.i, label %cleanup, label %for.cond5.backedge.i.i
cleanup.i.i:
  %.old.i.i = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.i.i, i64 %18)
  %.old27.i.i = extractvalue { i64, i1 } %.old.i.i, 1
  br i1 %.old27.i.i, label %cleanup, label %for.cond5.backedge.i.i
for.cond5.backedge.i.i:
  %.pn.i.i = phi { i64, i1 } [ %21, %land.lhs.true.i6.i ], [ %.old.i.i, %cleanup.i.i ]
  %step.0.be.i.i = extractvalue { i64, i1 } %.pn.i.i, 0
  br label %for.cond5.i.i
for.end30.i.i:
  %shr.i.i = lshr i32 %9, 11
  %and.i.i = and i32 %shr.i.i, 31
  %conv.i.i = zext nneg i32 %and.i.i to i64
  %23 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.i.i, i64 %conv.i.i)
  %24 = extractvalue { i64, i1 } %23, 1
  br i1 %24, label %cleanup, label %take_input.exit
take_input.exit:
  %25 = extractvalue { i64, i1 } %23, 0
  %26 = load ptr, ptr %retval.0.i13.i, align 8
  %cmp33.i.i = icmp ne ptr %26, null
  %27 = icmp sgt i64 %25, -1
  %28 = select i1 %cmp33.i.i, i1 %27, i1 false
  br i1 %28, label %for.inc, label %cleanup
cleanup:
  %arrayidx.i17 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom2
  %29 = load ptr, ptr %arrayidx.i17, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx.i17, i64 8
  %30 = load ptr, ptr %text.i, align 8
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, i32 noundef signext %4, ptr noundef %29, ptr noundef %30, ptr noundef nonnull @tw_signature) #11
  %call4.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message.i) #11
  br label %cleanup10
for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
cleanup10:
  %retval.2 = phi i32 [ %call4.i, %cleanup ], [ undef, %for.cond ]
  %cmp1.not114 = icmp slt i64 %indvars.iv, %3
  br i1 %cmp1.not114, label %cleanup31, label %for.cond13.preheader
for.cond13.preheader:
  %31 = load i32, ptr @tw_program_count, align 4
  %smax96 = call i32 @llvm.smax.i32(i32 %31, i32 0)
  %wide.trip.count97 = zext nneg i32 %smax96 to i64
  br label %for.cond13
for.cond13:
  %indvars.iv93 = phi i64 [ %indvars.iv.next94, %is_for.exit ], [ 0, %for.cond13.preheader ]
  %exitcond98.not = icmp eq i64 %indvars.iv93, %wide.trip.count97
  br i1 %exitcond98.not, label %for.end29, label %for.body16
for.body16:
  %arrayidx18 = getelementptr inbounds nuw %struct.tw_program, ptr @tw_programs, i64 %indvars.iv93
  %bound.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 56
  br label %for.cond.i
for.cond.i:
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.inc.i ], [ 0, %for.body16 ]
  %exitcond.i = icmp eq i64 %indvars.iv.i, %wide.trip.count
  br i1 %exitcond.i, label %is_for.exit, label %for.body.i
for.body.i:
  %32 = load ptr, ptr %bound.i, align 8
  %arrayidx.i18 = getelementptr inbounds nuw %struct.tw_bound, ptr %32, i64 %indvars.iv.i
  %arrayidx2.i = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv.i
  %33 = load ptr, ptr %arrayidx2.i, align 8
  %rank.i.i = getelementptr inbounds nuw i8, ptr %33, i64 16
  %34 = load i32, ptr %rank.i.i, align 8
  %rank1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i18, i64 24
  %35 = load i32, ptr %rank1.i.i, align 8
  %cmp.not.i.i = icmp eq i32 %34, %35
  br i1 %cmp.not.i.i, label %for.cond.preheader.i.i, label %is_for.exit
for.cond.preheader.i.i:
  %shape.i.i20 = getelementptr inbounds nuw i8, ptr %33, i64 24
  %shape4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i18, i64 8
  %smax.i.i = call i32 @llvm.smax.i32(i32 %34, i32 0)
  %wide.trip.count.i.i21 = zext nneg i32 %smax.i.i to i64
  br label %for.cond.i.i22
for.cond.i.i22:
  %indvars.iv.i.i23 = phi i64 [ %indvars.iv.next.i.i27, %for.body.i.i25 ], [ 0, %for.cond.preheader.i.i ]
  %exitcond.not.i.i24 = icmp eq i64 %indvars.iv.i.i23, %wide.trip.count.i.i21
  br i1 %exitcond.not.i.i24, label %for.end.i.i28, label %for.body.i.i25
for.body.i.i25:
  %36 = load ptr, ptr %shape.i.i20, align 8
  %arrayidx.i.i26 = getelementptr inbounds nuw i64, ptr %36, i64 %indvars.iv.i.i23
  %37 = load i64, ptr %arrayidx.i.i26, align 8
  %38 = load ptr, ptr %shape4.i.i, align 8
  %arrayidx6.i.i = getelementptr inbounds nuw i64, ptr %38, i64 %indvars.iv.i.i23
  %39 = load i64, ptr %arrayidx6.i.i, align 8
  %cmp7.not.i.i = icmp eq i64 %37, %39
  %indvars.iv.next.i.i27 = add nuw nsw i64 %indvars.iv.i.i23, 1
  br i1 %cmp7.not.i.i, label %for.cond.i.i22, label %is_for.exit
for.end.i.i28:
  %bytes.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i18, i64 16
  %40 = load i64, ptr %bytes.i.i, align 8
  %cmp11.i.i = icmp eq i64 %40, 0
  br i1 %cmp11.i.i, label %for.inc.i, label %lor.rhs.i.i
lor.rhs.i.i:
  %41 = load ptr, ptr %33, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %33, i64 40
  %42 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %41, i64 %42
  %43 = load ptr, ptr %arrayidx.i18, align 8
  %call.i.i = call signext i32 @memcmp(ptr noundef %add.ptr.i.i, ptr noundef %43, i64 noundef %40) #12
  %cmp14.i.i = icmp eq i32 %call.i.i, 0
  br i1 %cmp14.i.i, label %for.inc.i, label %is_for.exit
for.inc.i:
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  br label %for.cond.i
is_for.exit:
  %indvars.iv.i78 = phi i64 [ %indvars.iv.i, %for.body.i.i25 ], [ %indvars.iv.i, %for.body.i ], [ %indvars.iv.i, %lor.rhs.i.i ], [ %wide.trip.count, %for.cond.i ]
  %cmp.not.i19.not = icmp slt i64 %indvars.iv.i78, %3
  %indvars.iv.next94 = add nuw nsw i64 %indvars.iv93, 1
  br i1 %cmp.not.i19.not, label %for.cond13, label %if.then20
if.then20:
  store ptr %arrayidx18, ptr %chosen, align 8
  %44 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %44, 0
  br i1 %cmp.i, label %cleanup31, label %lor.lhs.false.i
lor.lhs.false.i:
  %weights.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 64
  %45 = load ptr, ptr %weights.i, align 8
  %46 = load atomic i64, ptr %45 acquire, align 8
  %cmp1.not.i = icmp eq i64 %46, 0
  br i1 %cmp1.not.i, label %if.end.i, label %cleanup31
if.end.i:
  %call.i29 = call signext i32 @__tw_load_weights() #11
  %cmp2.not.i = icmp eq i32 %call.i29, 0
  br i1 %cmp2.not.i, label %if.end4.i, label %cleanup31
if.end4.i:
  %47 = load atomic i64, ptr @__tw_weights acquire, align 8
  %weights_at.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 72
  %48 = load i64, ptr %weights_at.i, align 8
  %49 = add i64 %48, %47
  store atomic i64 %49, ptr %45 release, align 8
  br label %cleanup31
for.end29:
  br label %for.cond.i33
for.cond.i33:
  %indvars.iv.i34 = phi i64 [ %indvars.iv.next.i50, %append_input.exit.i ], [ 0, %for.end29 ]
  %length.0.i = phi i64 [ %cond42.i.i, %append_input.exit.i ], [ 0, %for.end29 ]
  %exitcond.not.i = icmp eq i64 %indvars.iv.i34, %wide.trip.count
  br i1 %exitcond.not.i, label %fail_values.exit, label %for.body.i35
for.body.i35:
  %arrayidx.i36 = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv.i34
  %50 = load i32, ptr %arrayidx.i36, align 4
  %idxprom1.i = sext i32 %50 to i64
  %arrayidx2.i37 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %51 = load ptr, ptr %arrayidx2.i37, align 8
  %arrayidx5.i = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv.i34
  %52 = load ptr, ptr %arrayidx5.i, align 8
  %rank.i.i38 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %53 = load i32, ptr %rank.i.i38, align 8
  %shape.i.i39 = getelementptr inbounds nuw i8, ptr %52, i64 24
  %smax.i.i40 = call i32 @llvm.smax.i32(i32 %53, i32 0)
  %wide.trip.count.i.i41 = zext nneg i32 %smax.i.i40 to i64
  br label %for.cond.i.i42
for.cond.i.i42:
  %indvars.iv.i.i43 = phi i64 [ %indvars.iv.next.i.i47, %for.body.i.i45 ], [ 0, %for.body.i35 ]
  %count.0.i.i = phi i64 [ %mul.i.i, %for.body.i.i45 ], [ 1, %for.body.i35 ]
  %exitcond.not.i.i44 = icmp eq i64 %indvars.iv.i.i43, %wide.trip.count.i.i41
  br i1 %exitcond.not.i.i44, label %for.end.i.i48, label %for.body.i.i45
for.body.i.i45:
  %54 = load ptr, ptr %shape.i.i39, align 8
  %arrayidx.i.i46 = getelementptr inbounds nuw i64, ptr %54, i64 %indvars.iv.i.i43
  %55 = load i64, ptr %arrayidx.i.i46, align 8
  %mul.i.i = mul nsw i64 %55, %count.0.i.i
  %indvars.iv.next.i.i47 = add nuw nsw i64 %indvars.iv.i.i43, 1
  br label %for.cond.i.i42
for.end.i.i48:
  %cmp1.i.i49 = icmp slt i64 %length.0.i, 256
  br i1 %cmp1.i.i49, label %cond.true.i.i, label %cond.end.i.i
cond.true.i.i:
  %add.ptr.i.i51 = getelementptr inbounds i8, ptr %got.i, i64 %length.0.i
  %sub.i.i = sub nsw i64 256, %length.0.i
  %cmp2.i.i = icmp eq i64 %length.0.i, 0
  %cond.i.i = select i1 %cmp2.i.i, ptr @.str.6, ptr @.str.7
  %call.i.i52 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i.i51, i64 noundef %sub.i.i, ptr noundef nonnull @.str.5, ptr noundef nonnull %cond.i.i, ptr noundef %51) #11
  %conv.i.i53 = sext i32 %call.i.i52 to i64
  %add.i.i = add nsw i64 %length.0.i, %conv.i.i53
  br label %cond.end.i.i
cond.end.i.i:
  %cond3.i.i = phi i64 [ %add.i.i, %cond.true.i.i ], [ %length.0.i, %for.end.i.i48 ]
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %52, i64 20
  %byte_offset.i.i.i = getelementptr inbounds nuw i8, ptr %52, i64 40
  %56 = call i64 @llvm.smax.i64(i64 %count.0.i.i, i64 0)
  %57 = call i64 @llvm.umin.i64(i64 %56, i64 8)
  br label %for.cond4.i.i
for.cond4.i.i:
  %length.addr.0.i.i = phi i64 [ %cond3.i.i, %cond.end.i.i ], [ %retval.0.i.i.i, %append_element.exit.i.i ]
  %at.0.i.i = phi i64 [ 0, %cond.end.i.i ], [ %inc27.i.i, %append_element.exit.i.i ]
  %cmp29.i.i = icmp slt i64 %length.addr.0.i.i, 256
  %exitcond38.not.i.i = icmp eq i64 %at.0.i.i, %57
  br i1 %exitcond38.not.i.i, label %for.end28.i.i, label %for.body10.i.i
for.body10.i.i:
  br i1 %cmp29.i.i, label %cond.true13.i.i, label %cond.end23.i.i
cond.true13.i.i:
  %add.ptr14.i.i = getelementptr inbounds i8, ptr %got.i, i64 %length.addr.0.i.i
  %sub15.i.i = sub nsw i64 256, %length.addr.0.i.i
  %cmp16.i.i = icmp eq i64 %at.0.i.i, 0
  %cond18.i.i = select i1 %cmp16.i.i, ptr @.str.6, ptr @.str.7
  %call19.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr14.i.i, i64 noundef %sub15.i.i, ptr noundef nonnull @.str.8, ptr noundef nonnull %cond18.i.i) #11
  %conv20.i.i = sext i32 %call19.i.i to i64
  %add21.i.i = add nsw i64 %length.addr.0.i.i, %conv20.i.i
  br label %cond.end23.i.i
cond.end23.i.i:
  %cond24.i.i = phi i64 [ %add21.i.i, %cond.true13.i.i ], [ %length.addr.0.i.i, %for.body10.i.i ]
  %58 = load i32, ptr %dtype.i.i.i, align 4
  %shr.i.i.i = lshr i32 %58, 11
  %and2.i.i.i = and i32 %shr.i.i.i, 31
  %59 = load ptr, ptr %52, align 8
  %60 = load i64, ptr %byte_offset.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %59, i64 %60
  %conv.i.i.i = zext nneg i32 %and2.i.i.i to i64
  %mul.i.i.i = mul nuw nsw i64 %at.0.i.i, %conv.i.i.i
  %add.ptr3.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i, i64 %mul.i.i.i
  store i64 0, ptr %value.i.i.i, align 8
  %cond.i.i.i = call i32 @llvm.umin.i32(i32 %and2.i.i.i, i32 8)
  %conv5.i.i.i = zext nneg i32 %cond.i.i.i to i64
  %call.i.i.i = call ptr @memcpy(ptr noundef nonnull %value.i.i.i, ptr noundef %add.ptr3.i.i.i, i64 noundef %conv5.i.i.i) #11
  %trunc.i.i.i = trunc i32 %58 to i8
  switch i8 %trunc.i.i.i, label %if.end29.i.i.i [
    i8 0, label %if.then.i.i.i
    i8 6, label %if.then18.i.i.i
    i8 1, label %if.then18.i.i.i
  ]
if.then.i.i.i:
  %mul6.i.i.i = shl nuw nsw i32 %and2.i.i.i, 3
  %sub.i.i.i = sub nsw i32 64, %mul6.i.i.i
  %61 = load i64, ptr %value.i.i.i, align 8
  %sh_prom.i.i.i = zext i32 %sub.i.i.i to i64
  %shl.i.i.i = shl i64 %61, %sh_prom.i.i.i
  %shr10.i.i.i = ashr exact i64 %shl.i.i.i, %sh_prom.i.i.i
  store i64 %shr10.i.i.i, ptr %value.i.i.i, align 8
  br label %if.then18.i.i.i
if.then18.i.i.i:
  %cmp19.i.i.i = icmp slt i64 %cond24.i.i, 256
  br i1 %cmp19.i.i.i, label %cleanup.sink.split.i.i.i, label %append_element.exit.i.i
if.end29.i.i.i:
  %cmp30.i.i.i = icmp slt i64 %cond24.i.i, 256
  br i1 %cmp30.i.i.i, label %cleanup.sink.split.i.i.i, label %append_element.exit.i.i
cleanup.sink.split.i.i.i:
  %.str.12.sink.i.i.i = phi ptr [ @.str.11, %if.then18.i.i.i ], [ @.str.12, %if.end29.i.i.i ]
  %add.ptr33.i.i.i = getelementptr inbounds i8, ptr %got.i, i64 %cond24.i.i
  %sub34.i.i.i = sub nsw i64 256, %cond24.i.i
  %62 = load i64, ptr %value.i.i.i, align 8
  %call35.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr33.i.i.i, i64 noundef %sub34.i.i.i, ptr noundef nonnull %.str.12.sink.i.i.i, i64 noundef %62) #11
  %conv36.i.i.i = sext i32 %call35.i.i.i to i64
  %add37.i.i.i = add nsw i64 %cond24.i.i, %conv36.i.i.i
  br label %append_element.exit.i.i
append_element.exit.i.i:
  %retval.0.i.i.i = phi i64 [ %cond24.i.i, %if.then18.i.i.i ], [ %cond24.i.i, %if.end29.i.i.i ], [ %add37.i.i.i, %cleanup.sink.split.i.i.i ]
  %inc27.i.i = add nuw nsw i64 %at.0.i.i, 1
  br label %for.cond4.i.i
for.end28.i.i:
  br i1 %cmp29.i.i, label %cond.true31.i.i, label %append_input.exit.i
cond.true31.i.i:
  %add.ptr32.i.i = getelementptr inbounds i8, ptr %got.i, i64 %length.addr.0.i.i
  %sub33.i.i = sub nsw i64 256, %length.addr.0.i.i
  %cmp34.i.i = icmp sgt i64 %count.0.i.i, 8
  %cond36.i.i = select i1 %cmp34.i.i, ptr @.str.10, ptr @.str.6
  %call37.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr32.i.i, i64 noundef %sub33.i.i, ptr noundef nonnull @.str.9, ptr noundef nonnull %cond36.i.i) #11
  %conv38.i.i = sext i32 %call37.i.i to i64
  %add39.i.i = add nsw i64 %length.addr.0.i.i, %conv38.i.i
  br label %append_input.exit.i
append_input.exit.i:
  %cond42.i.i = phi i64 [ %add39.i.i, %cond.true31.i.i ], [ %length.addr.0.i.i, %for.end28.i.i ]
  %indvars.iv.next.i50 = add nuw nsw i64 %indvars.iv.i34, 1
  br label %for.cond.i33
fail_values.exit:
  %call8.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i30, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef nonnull @tw_name, ptr noundef nonnull @tw_bindings, ptr noundef nonnull %got.i) #11
  %call10.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull %message.i30) #11
  br label %cleanup31
cleanup31:
  %retval.0 = phi i32 [ %call, %if.then ], [ %call10.i, %fail_values.exit ], [ %retval.2, %cleanup10 ], [ -1, %if.end.i ], [ 0, %if.end4.i ], [ 0, %if.then20 ], [ 0, %lor.lhs.false.i ]
  ret i32 %retval.0
}

declare ptr @llvm.stacksave.p0() #2

define internal fastcc signext i32 @fail_count(i32 noundef signext %got) unnamed_addr #1 {
entry:
  %message = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_inputs, align 4
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %0, i32 noundef signext %got, ptr noundef nonnull @tw_signature) #11
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #11
  ret i32 %call2
}

declare void @llvm.stackrestore.p0(ptr) #2

define signext i32 @__tvm_ffi_main(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 0, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define internal fastcc signext i32 @forward(i32 noundef signext range(i32 0, 5) %function, ptr noundef readonly captures(none) %args, i32 noundef signext range(i32 0, 4) %skip, i32 noundef signext %count, ptr noundef %result) unnamed_addr #1 {
entry:
  %program = alloca ptr, align 8
  %cmp = icmp slt i32 %count, %skip
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail_count(i32 noundef signext 0) #10
  br label %cleanup
if.end:
  %idx.ext = zext nneg i32 %skip to i64
  %add.ptr = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %idx.ext
  %sub = sub nsw i32 %count, %skip
  %call1 = call signext i32 @__tw_choose(ptr noundef %add.ptr, i32 noundef signext %sub, ptr noundef nonnull %program) #10
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %cleanup
if.end4:
  %add = add nuw nsw i32 %count, 1
  %0 = zext nneg i32 %add to i64
  %1 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %0, align 8
  %wide.trip.count = zext nneg i32 %count to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %if.end4 ]
  %left.0 = phi i32 [ %left.1, %for.inc ], [ 0, %if.end4 ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
for.cond.cleanup:
  %2 = load ptr, ptr %program, align 8
  %idxprom15 = zext nneg i32 %function to i64
  %arrayidx16 = getelementptr inbounds nuw ptr, ptr %2, i64 %idxprom15
  %3 = load ptr, ptr %arrayidx16, align 8
  %call17 = call signext i32 %3(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %left.0, ptr noundef %result) #11
  call void @llvm.stackrestore.p0(ptr %1)
  br label %cleanup
for.body:
  %cmp6 = icmp samesign ult i64 %indvars.iv, %idx.ext
  br i1 %cmp6, label %if.then10, label %lor.lhs.false
lor.lhs.false:
  %4 = trunc i64 %indvars.iv to i32
  %5 = sub i32 %4, %skip
  %call8 = tail call signext i32 @__tw_is_bound(i32 noundef signext %5) #10
  %cmp9 = icmp eq i32 %call8, 0
  br i1 %cmp9, label %if.then10, label %for.inc
if.then10:
  %inc = add nsw i32 %left.0, 1
  %idxprom = sext i32 %left.0 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %vla, i64 %idxprom
  %arrayidx12 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx12, i64 16, i1 false)
  br label %for.inc
for.inc:
  %left.1 = phi i32 [ %inc, %if.then10 ], [ %left.0, %lor.lhs.false ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
cleanup:
  %retval.0 = phi i32 [ %call, %if.then ], [ %call17, %for.cond.cleanup ], [ -1, %if.end ]
  ret i32 %retval.0
}

define signext i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call signext i32 @__tvm_ffi_main(ptr poison, ptr noundef %args, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define signext i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 1, ptr noundef %args, i32 noundef signext 1, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define signext i32 @__tw_main_allocating(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 2, ptr noundef %args, i32 noundef signext 3, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define signext i32 @__tw_output_shapes(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 3, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define signext i32 @__tvm_ffi_main_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call signext i32 @__tw_output_shapes(ptr poison, ptr noundef %args, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define signext i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #1 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 4, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #10
  ret i32 %call
}

define noundef nonnull ptr @__tw_arguments(ptr noundef writeonly captures(none) initializes((0, 4)) %inputs, ptr noundef writeonly captures(none) initializes((0, 4)) %arguments) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  store i32 %0, ptr %inputs, align 4
  %1 = load i32, ptr @tw_arguments, align 4
  store i32 %1, ptr %arguments, align 4
  ret ptr @tw_specs
}

define void @__tw_release() local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_program_count, align 4
  %smax = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body
for.body:
  %arrayidx = getelementptr inbounds nuw %struct.tw_program, ptr @tw_programs, i64 %indvars.iv
  %release = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %1 = load ptr, ptr %release, align 8
  tail call void %1() #11
  %weights = getelementptr inbounds nuw i8, ptr %arrayidx, i64 64
  %2 = load ptr, ptr %weights, align 8
  store ptr null, ptr %2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
for.end:
  tail call void @tw_unload_weights() #11
  ret void
}

declare hidden void @tw_unload_weights() local_unnamed_addr #4

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #1

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #4

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #5

declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #6

declare signext i32 @__tw_load_weights() local_unnamed_addr #4

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #7

declare i32 @llvm.umin.i32(i32, i32) #8

declare i32 @llvm.smax.i32(i32, i32) #8



declare i64 @llvm.smax.i64(i64, i64) #8

declare i64 @llvm.umin.i64(i64, i64) #8

attributes #0 = { nofree norecurse nosync nounwind memory(none) "no-builtins" }
attributes #1 = { nounwind "no-builtins" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "no-builtins" }
attributes #4 = { "no-builtins" }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #7 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #10 = { nobuiltin "no-builtins" }
attributes #11 = { nobuiltin nounwind "no-builtins" }
attributes #12 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
