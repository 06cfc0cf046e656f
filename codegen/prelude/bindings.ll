; Generated from runtime/native/bindings.c by `make prelude` (ziglang 0.17.1); do not edit.
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
define signext range(i32 0, 2) i32 @__tw_is_bound(i32 noundef signext %input) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %1 = load i32, ptr @tw_bound_count, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %cleanup
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %idxprom
  %2 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp eq i32 %2, %input
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp1, label %cleanup, label %for.cond
cleanup:
  %3 = phi i32 [ 1, %for.body ], [ 0, %for.cond ]
  ret i32 %3
}
define signext i32 @__tw_choose(ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) initializes((0, 8)) %chosen) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %value.i.i.i = alloca i64, align 8
  %got.i = alloca [256 x i8], align 1
  %message.i30 = alloca [1024 x i8], align 1
  %message.i = alloca [1024 x i8], align 1
  %1 = load i32, ptr @tw_bound_count, align 4
  %2 = zext i32 %1 to i64
  %vla = alloca ptr, i64 %2, align 8
  store ptr null, ptr %chosen, align 8
  %3 = load i32, ptr @tw_inputs, align 4
  %cmp = icmp slt i32 %count, %3
  br i1 %cmp, label %if.then, label %for.cond
if.then:
  %call = tail call fastcc signext i32 @fail_count(i32 noundef signext %count)
  br label %cleanup31
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %cmp1.not = icmp slt i32 %inc.sink, %1
  br i1 %cmp1.not, label %for.body, label %for.cond13
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %idxprom
  %4 = load i32, ptr %arrayidx, align 4
  %idxprom2 = sext i32 %4 to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom2
  %arrayidx5 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom
  %5 = load i32, ptr %arrayidx3, align 8
  switch i32 %5, label %tw_tensor_of.exit.thread.i [ i32 7, label %tw_tensor_of.exit.i i32 70, label %land.lhs.true.i.i ]
land.lhs.true.i.i:
  %payload3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %6 = load ptr, ptr %payload3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %6, null
  br i1 %cmp4.not.i.i, label %tw_tensor_of.exit.thread.i, label %tw_tensor_of.exit.thread9.i
tw_tensor_of.exit.thread9.i:
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %6, i64 24
  store ptr %tensor.i.i, ptr %arrayidx5, align 8
  br label %land.lhs.true.i
tw_tensor_of.exit.thread.i:
  store ptr null, ptr %arrayidx5, align 8
  br label %cleanup10
tw_tensor_of.exit.i:
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %7 = load ptr, ptr %payload.i.i, align 8
  store ptr %7, ptr %arrayidx5, align 8
  %cmp.not.i = icmp eq ptr %7, null
  br i1 %cmp.not.i, label %cleanup10, label %land.lhs.true.i
land.lhs.true.i:
  %.sink.i12.i = phi ptr [ %tensor.i.i, %tw_tensor_of.exit.thread9.i ], [ %7, %tw_tensor_of.exit.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %.sink.i12.i, i64 8
  %8 = load i32, ptr %device_type.i, align 8
  %cmp1.i = icmp eq i32 %8, 1
  br i1 %cmp1.i, label %land.lhs.true2.i, label %cleanup10
land.lhs.true2.i:
  %dtype.i = getelementptr inbounds nuw i8, ptr %.sink.i12.i, i64 20
  %9 = load i32, ptr %dtype.i, align 4
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom2
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 44
  %10 = load i32, ptr %dtype3.i, align 4
  %cmp4.i = icmp eq i32 %9, %10
  br i1 %cmp4.i, label %land.lhs.true5.i, label %cleanup10
land.lhs.true5.i:
  %rank.i = getelementptr inbounds nuw i8, ptr %.sink.i12.i, i64 16
  %11 = load i32, ptr %rank.i, align 8
  %cmp6.i = icmp sgt i32 %11, -1
  br i1 %cmp6.i, label %for.cond.i.i, label %cleanup10
for.cond.i.i:
  %has_elements.0.i.i = phi i1 [ %14, %land.end.i.i ], [ true, %land.lhs.true5.i ]
  %inc.sink.i.i = phi i32 [ %inc.i.i, %land.end.i.i ], [ 0, %land.lhs.true5.i ]
  %cmp.i.i = icmp slt i32 %inc.sink.i.i, %11
  br i1 %cmp.i.i, label %for.body.i.i, label %for.end.i.i
for.body.i.i:
  br i1 %has_elements.0.i.i, label %land.rhs.i.i, label %land.end.i.i
land.rhs.i.i:
  %shape.i.i = getelementptr inbounds nuw i8, ptr %.sink.i12.i, i64 24
  %12 = load ptr, ptr %shape.i.i, align 8
  %idxprom.i.i = zext nneg i32 %inc.sink.i.i to i64
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %12, i64 %idxprom.i.i
  %13 = load i64, ptr %arrayidx.i.i, align 8
  %cmp1.i.i = icmp sgt i64 %13, 0
  br label %land.end.i.i
land.end.i.i:
  %14 = phi i1 [ false, %for.body.i.i ], [ %cmp1.i.i, %land.rhs.i.i ]
  %inc.i.i = add nuw nsw i32 %inc.sink.i.i, 1
  br label %for.cond.i.i
for.end.i.i:
  br i1 %has_elements.0.i.i, label %for.cond5.i.i, label %for.inc
for.cond5.i.i:
  %step.0.i.i = phi i64 [ %step.0.be.i.i, %for.cond5.backedge.i.i ], [ 1, %for.end.i.i ]
  %dec.sink.in.i.i = phi i32 [ %dec.sink.i.i, %for.cond5.backedge.i.i ], [ %11, %for.end.i.i ]
  %dec.sink.i.i = add nsw i32 %dec.sink.in.i.i, -1
  %cmp6.i.i = icmp slt i32 %dec.sink.in.i.i, 1
  br i1 %cmp6.i.i, label %for.end30.i.i, label %for.body8.i.i
for.body8.i.i:
  %shape9.i.i = getelementptr inbounds nuw i8, ptr %.sink.i12.i, i64 24
  %15 = load ptr, ptr %shape9.i.i, align 8
  %idxprom10.i.i = zext nneg i32 %dec.sink.i.i to i64
  %arrayidx11.i.i = getelementptr inbounds nuw i64, ptr %15, i64 %idxprom10.i.i
  %16 = load i64, ptr %arrayidx11.i.i, align 8
  %cmp12.i.i = icmp sgt i64 %16, 1
  br i1 %cmp12.i.i, label %land.rhs13.i.i, label %cleanup.i.i
land.rhs13.i.i:
  %strides.i.i = getelementptr inbounds nuw i8, ptr %.sink.i12.i, i64 32
  %17 = load ptr, ptr %strides.i.i, align 8
  %cmp14.not.i.i = icmp eq ptr %17, null
  br i1 %cmp14.not.i.i, label %cleanup.i.i, label %land.lhs.true.i5.i
land.lhs.true.i5.i:
  %arrayidx20.i.i = getelementptr inbounds nuw i64, ptr %17, i64 %idxprom10.i.i
  %18 = load i64, ptr %arrayidx20.i.i, align 8
  %cmp21.not.i.i = icmp ne i64 %18, %step.0.i.i
  %19 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.i.i, i64 %16)
  %20 = extractvalue { i64, i1 } %19, 1
  %or.cond.not.i.i = or i1 %20, %cmp21.not.i.i
  br i1 %or.cond.not.i.i, label %cleanup10, label %for.cond5.backedge.i.i
cleanup.i.i:
  %.old.i.i = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.i.i, i64 %16)
  %.old27.i.i = extractvalue { i64, i1 } %.old.i.i, 1
  br i1 %.old27.i.i, label %cleanup10, label %for.cond5.backedge.i.i
for.cond5.backedge.i.i:
  %.old.pn.i.i = phi { i64, i1 } [ %.old.i.i, %cleanup.i.i ], [ %19, %land.lhs.true.i5.i ]
  %step.0.be.i.i = extractvalue { i64, i1 } %.old.pn.i.i, 0
  br label %for.cond5.i.i
for.end30.i.i:
  %shr.i.i = lshr i32 %9, 11
  %and.i.i = and i32 %shr.i.i, 31
  %conv.i.i = zext nneg i32 %and.i.i to i64
  %21 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.i.i, i64 %conv.i.i)
  %22 = extractvalue { i64, i1 } %21, 1
  br i1 %22, label %cleanup10, label %take_input.exit
take_input.exit:
  %23 = extractvalue { i64, i1 } %21, 0
  %24 = load ptr, ptr %.sink.i12.i, align 8
  %cmp33.i.i = icmp ne ptr %24, null
  %25 = icmp sgt i64 %23, -1
  %26 = select i1 %cmp33.i.i, i1 %25, i1 false
  br i1 %26, label %for.inc, label %cleanup10
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup10:
  %arrayidx.i18 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom2
  %27 = load ptr, ptr %arrayidx.i18, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx.i18, i64 8
  %28 = load ptr, ptr %text.i, align 8
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, i32 noundef signext %4, ptr noundef %27, ptr noundef %28, ptr noundef nonnull @tw_signature)
  %call4.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message.i)
  br label %cleanup31
for.cond13:
  %inc26.sink = phi i32 [ %inc26, %for.inc25 ], [ 0, %for.cond ]
  %29 = load i32, ptr @tw_program_count, align 4
  %cmp14.not = icmp slt i32 %inc26.sink, %29
  br i1 %cmp14.not, label %for.body16, label %for.end29
for.body16:
  %idxprom17 = zext nneg i32 %inc26.sink to i64
  %arrayidx18 = getelementptr inbounds nuw %struct.tw_program, ptr @tw_programs, i64 %idxprom17
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.inc.i ], [ 0, %for.body16 ]
  %cmp.not.not.not.i.not = icmp slt i32 %inc.sink.i, %1
  br i1 %cmp.not.not.not.i.not, label %for.body.i, label %if.then20
for.body.i:
  %bound.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 56
  %30 = load ptr, ptr %bound.i, align 8
  %idxprom.i19 = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i20 = getelementptr inbounds nuw %struct.tw_bound, ptr %30, i64 %idxprom.i19
  %arrayidx2.i = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom.i19
  %31 = load ptr, ptr %arrayidx2.i, align 8
  %rank.i.i = getelementptr inbounds nuw i8, ptr %31, i64 16
  %32 = load i32, ptr %rank.i.i, align 8
  %rank1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i20, i64 24
  %33 = load i32, ptr %rank1.i.i, align 8
  %cmp.not.i.i = icmp eq i32 %32, %33
  br i1 %cmp.not.i.i, label %for.cond.i.i21, label %for.inc25
for.cond.i.i21:
  %inc.sink.i.i22 = phi i32 [ %inc.i.i28, %for.body.i.i24 ], [ 0, %for.body.i ]
  %cmp3.i.i = icmp slt i32 %inc.sink.i.i22, %32
  br i1 %cmp3.i.i, label %for.body.i.i24, label %for.end.i.i23
for.body.i.i24:
  %shape.i.i25 = getelementptr inbounds nuw i8, ptr %31, i64 24
  %34 = load ptr, ptr %shape.i.i25, align 8
  %idxprom.i.i26 = zext nneg i32 %inc.sink.i.i22 to i64
  %arrayidx.i.i27 = getelementptr inbounds nuw i64, ptr %34, i64 %idxprom.i.i26
  %35 = load i64, ptr %arrayidx.i.i27, align 8
  %shape4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i20, i64 8
  %36 = load ptr, ptr %shape4.i.i, align 8
  %arrayidx6.i.i = getelementptr inbounds nuw i64, ptr %36, i64 %idxprom.i.i26
  %37 = load i64, ptr %arrayidx6.i.i, align 8
  %cmp7.not.i.i = icmp eq i64 %35, %37
  %inc.i.i28 = add nuw nsw i32 %inc.sink.i.i22, 1
  br i1 %cmp7.not.i.i, label %for.cond.i.i21, label %for.inc25
for.end.i.i23:
  %bytes.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i20, i64 16
  %38 = load i64, ptr %bytes.i.i, align 8
  %cmp11.i.i = icmp eq i64 %38, 0
  br i1 %cmp11.i.i, label %for.inc.i, label %is_equal.exit.i
is_equal.exit.i:
  %39 = load ptr, ptr %31, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %31, i64 40
  %40 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %39, i64 %40
  %41 = load ptr, ptr %arrayidx.i20, align 8
  %call.i.i = tail call signext i32 @memcmp(ptr noundef %add.ptr.i.i, ptr noundef %41, i64 noundef %38)
  %cmp14.i.i = icmp eq i32 %call.i.i, 0
  br i1 %cmp14.i.i, label %for.inc.i, label %for.inc25
for.inc.i:
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
if.then20:
  store ptr %arrayidx18, ptr %chosen, align 8
  %42 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %42, 0
  br i1 %cmp.i, label %cleanup31, label %lor.lhs.false.i
lor.lhs.false.i:
  %weights.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 64
  %43 = load ptr, ptr %weights.i, align 8
  %44 = load atomic i64, ptr %43 acquire, align 8
  %cmp1.not.i = icmp eq i64 %44, 0
  br i1 %cmp1.not.i, label %if.end.i, label %cleanup31
if.end.i:
  %call.i29 = tail call signext i32 @__tw_load_weights()
  %cmp2.not.i = icmp eq i32 %call.i29, 0
  br i1 %cmp2.not.i, label %if.end4.i, label %cleanup31
if.end4.i:
  %45 = load atomic i64, ptr @__tw_weights acquire, align 8
  %weights_at.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 72
  %46 = load i64, ptr %weights_at.i, align 8
  %47 = add i64 %46, %45
  store atomic i64 %47, ptr %43 release, align 8
  br label %cleanup31
for.inc25:
  %inc26 = add nuw nsw i32 %inc26.sink, 1
  br label %for.cond13
for.end29:
  br label %for.cond.i31
for.cond.i31:
  %length.0.i = phi i64 [ 0, %for.end29 ], [ %cond42.i.i, %append_input.exit.i ]
  %inc.sink.i32 = phi i32 [ 0, %for.end29 ], [ %inc.i44, %append_input.exit.i ]
  %cmp.i33 = icmp slt i32 %inc.sink.i32, %1
  br i1 %cmp.i33, label %for.body.i34, label %fail_values.exit
for.body.i34:
  %idxprom.i35 = zext nneg i32 %inc.sink.i32 to i64
  %arrayidx.i36 = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %idxprom.i35
  %48 = load i32, ptr %arrayidx.i36, align 4
  %idxprom1.i = sext i32 %48 to i64
  %arrayidx2.i37 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %49 = load ptr, ptr %arrayidx2.i37, align 8
  %arrayidx5.i = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom.i35
  %50 = load ptr, ptr %arrayidx5.i, align 8
  br label %for.cond.i.i38
for.cond.i.i38:
  %count.0.i.i = phi i64 [ 1, %for.body.i34 ], [ %mul.i.i, %for.body.i.i49 ]
  %inc.sink.i.i39 = phi i32 [ 0, %for.body.i34 ], [ %inc.i.i53, %for.body.i.i49 ]
  %rank.i.i40 = getelementptr inbounds nuw i8, ptr %50, i64 16
  %51 = load i32, ptr %rank.i.i40, align 8
  %cmp.i.i41 = icmp slt i32 %inc.sink.i.i39, %51
  br i1 %cmp.i.i41, label %for.body.i.i49, label %for.end.i.i42
for.body.i.i49:
  %shape.i.i50 = getelementptr inbounds nuw i8, ptr %50, i64 24
  %52 = load ptr, ptr %shape.i.i50, align 8
  %idxprom.i.i51 = zext nneg i32 %inc.sink.i.i39 to i64
  %arrayidx.i.i52 = getelementptr inbounds nuw i64, ptr %52, i64 %idxprom.i.i51
  %53 = load i64, ptr %arrayidx.i.i52, align 8
  %mul.i.i = mul nsw i64 %53, %count.0.i.i
  %inc.i.i53 = add nuw nsw i32 %inc.sink.i.i39, 1
  br label %for.cond.i.i38
for.end.i.i42:
  %cmp1.i.i43 = icmp slt i64 %length.0.i, 256
  br i1 %cmp1.i.i43, label %cond.true.i.i, label %for.cond4.i.i
cond.true.i.i:
  %add.ptr.i.i46 = getelementptr inbounds i8, ptr %got.i, i64 %length.0.i
  %sub.i.i = sub nsw i64 256, %length.0.i
  %cmp2.i.i = icmp eq i64 %length.0.i, 0
  %cond.i.i = select i1 %cmp2.i.i, ptr @.str.6, ptr @.str.7
  %call.i.i47 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i.i46, i64 noundef %sub.i.i, ptr noundef nonnull @.str.5, ptr noundef nonnull %cond.i.i, ptr noundef %49)
  %conv.i.i48 = sext i32 %call.i.i47 to i64
  %add.i.i = add nsw i64 %length.0.i, %conv.i.i48
  br label %for.cond4.i.i
for.cond4.i.i:
  %length.addr.0.i.i = phi i64 [ %cond40.sink.i.i.i, %append_element.exit.i.i ], [ %add.i.i, %cond.true.i.i ], [ %length.0.i, %for.end.i.i42 ]
  %inc27.sink.i.i = phi i64 [ %inc27.i.i, %append_element.exit.i.i ], [ 0, %for.end.i.i42 ], [ 0, %cond.true.i.i ]
  %cmp5.i.i = icmp slt i64 %inc27.sink.i.i, %count.0.i.i
  %cmp7.i.i = icmp samesign ult i64 %inc27.sink.i.i, 8
  %54 = select i1 %cmp5.i.i, i1 %cmp7.i.i, i1 false
  %cmp11.i.i45 = icmp slt i64 %length.addr.0.i.i, 256
  br i1 %54, label %for.body10.i.i, label %for.end28.i.i
for.body10.i.i:
  br i1 %cmp11.i.i45, label %cond.true13.i.i, label %cond.end23.i.i
cond.true13.i.i:
  %add.ptr14.i.i = getelementptr inbounds i8, ptr %got.i, i64 %length.addr.0.i.i
  %sub15.i.i = sub nsw i64 256, %length.addr.0.i.i
  %cmp16.i.i = icmp eq i64 %inc27.sink.i.i, 0
  %cond18.i.i = select i1 %cmp16.i.i, ptr @.str.6, ptr @.str.7
  %call19.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr14.i.i, i64 noundef %sub15.i.i, ptr noundef nonnull @.str.8, ptr noundef nonnull %cond18.i.i)
  %conv20.i.i = sext i32 %call19.i.i to i64
  %add21.i.i = add nsw i64 %length.addr.0.i.i, %conv20.i.i
  br label %cond.end23.i.i
cond.end23.i.i:
  %cond24.i.i = phi i64 [ %add21.i.i, %cond.true13.i.i ], [ %length.addr.0.i.i, %for.body10.i.i ]
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %50, i64 20
  %55 = load i32, ptr %dtype.i.i.i, align 4
  %shr.i.i.i = lshr i32 %55, 11
  %and2.i.i.i = and i32 %shr.i.i.i, 31
  %56 = load ptr, ptr %50, align 8
  %byte_offset.i.i.i = getelementptr inbounds nuw i8, ptr %50, i64 40
  %57 = load i64, ptr %byte_offset.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %56, i64 %57
  %conv.i.i.i = zext nneg i32 %and2.i.i.i to i64
  %mul.i.i.i = mul nuw nsw i64 %inc27.sink.i.i, %conv.i.i.i
  %add.ptr3.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i, i64 %mul.i.i.i
  store i64 0, ptr %value.i.i.i, align 8
  %cond.i.i.i = call i32 @llvm.umin.i32(i32 %and2.i.i.i, i32 8)
  %conv5.i.i.i = zext nneg i32 %cond.i.i.i to i64
  %call.i.i.i = call ptr @memcpy(ptr noundef nonnull %value.i.i.i, ptr noundef %add.ptr3.i.i.i, i64 noundef %conv5.i.i.i)
  %trunc.i.i.i = trunc i32 %55 to i8
  switch i8 %trunc.i.i.i, label %if.end29.i.i.i [ i8 0, label %if.then.i.i.i i8 6, label %if.then18.i.i.i i8 1, label %if.then18.i.i.i ]
if.then.i.i.i:
  %mul6.i.i.i = shl nuw nsw i32 %and2.i.i.i, 3
  %sub.i.i.i = sub nsw i32 64, %mul6.i.i.i
  %58 = load i64, ptr %value.i.i.i, align 8
  %sh_prom.i.i.i = zext i32 %sub.i.i.i to i64
  %shl.i.i.i = shl i64 %58, %sh_prom.i.i.i
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
  %59 = load i64, ptr %value.i.i.i, align 8
  %call35.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr33.i.i.i, i64 noundef %sub34.i.i.i, ptr noundef nonnull %.str.12.sink.i.i.i, i64 noundef %59)
  %conv36.i.i.i = sext i32 %call35.i.i.i to i64
  %add37.i.i.i = add nsw i64 %cond24.i.i, %conv36.i.i.i
  br label %append_element.exit.i.i
append_element.exit.i.i:
  %cond40.sink.i.i.i = phi i64 [ %cond24.i.i, %if.then18.i.i.i ], [ %cond24.i.i, %if.end29.i.i.i ], [ %add37.i.i.i, %cleanup.sink.split.i.i.i ]
  %inc27.i.i = add nuw nsw i64 %inc27.sink.i.i, 1
  br label %for.cond4.i.i
for.end28.i.i:
  br i1 %cmp11.i.i45, label %cond.true31.i.i, label %append_input.exit.i
cond.true31.i.i:
  %add.ptr32.i.i = getelementptr inbounds i8, ptr %got.i, i64 %length.addr.0.i.i
  %sub33.i.i = sub nsw i64 256, %length.addr.0.i.i
  %cmp34.i.i = icmp sgt i64 %count.0.i.i, 8
  %cond36.i.i = select i1 %cmp34.i.i, ptr @.str.10, ptr @.str.6
  %call37.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr32.i.i, i64 noundef %sub33.i.i, ptr noundef nonnull @.str.9, ptr noundef nonnull %cond36.i.i)
  %conv38.i.i = sext i32 %call37.i.i to i64
  %add39.i.i = add nsw i64 %length.addr.0.i.i, %conv38.i.i
  br label %append_input.exit.i
append_input.exit.i:
  %cond42.i.i = phi i64 [ %add39.i.i, %cond.true31.i.i ], [ %length.addr.0.i.i, %for.end28.i.i ]
  %inc.i44 = add nuw nsw i32 %inc.sink.i32, 1
  br label %for.cond.i31
fail_values.exit:
  %call8.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i30, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef nonnull @tw_name, ptr noundef nonnull @tw_bindings, ptr noundef nonnull %got.i)
  %call10.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull %message.i30)
  br label %cleanup31
cleanup31:
  %retval.0 = phi i32 [ %call4.i, %cleanup10 ], [ %call, %if.then ], [ %call10.i, %fail_values.exit ], [ -1, %if.end.i ], [ 0, %if.end4.i ], [ 0, %if.then20 ], [ 0, %lor.lhs.false.i ]
  ret i32 %retval.0
}
define internal fastcc signext i32 @fail_count(i32 noundef signext %got) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %1 = load i32, ptr @tw_inputs, align 4
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %1, i32 noundef signext %got, ptr noundef nonnull @tw_signature)
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  ret i32 %call2
}
define signext i32 @__tvm_ffi_main(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 0, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define internal fastcc signext i32 @forward(i32 noundef signext range(i32 0, 5) %function, ptr noundef readonly captures(none) %args, i32 noundef signext range(i32 0, 4) %skip, i32 noundef signext %count, ptr noundef %result) unnamed_addr minsize nounwind optsize "no-builtins" {
  %program = alloca ptr, align 8
  %cmp = icmp slt i32 %count, %skip
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail_count(i32 noundef signext 0)
  br label %cleanup
if.end:
  %idx.ext = zext nneg i32 %skip to i64
  %add.ptr = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %idx.ext
  %sub = sub nsw i32 %count, %skip
  %call1 = call signext i32 @__tw_choose(ptr noundef %add.ptr, i32 noundef signext %sub, ptr noundef nonnull %program)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %cleanup
if.end4:
  %add = add nuw nsw i32 %count, 1
  %1 = zext nneg i32 %add to i64
  %2 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %1, align 8
  br label %for.cond
for.cond:
  %left.0 = phi i32 [ 0, %if.end4 ], [ %left.1, %for.inc ]
  %inc14.sink = phi i32 [ 0, %if.end4 ], [ %inc14, %for.inc ]
  %cmp5 = icmp slt i32 %inc14.sink, %count
  br i1 %cmp5, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %3 = load ptr, ptr %program, align 8
  %idxprom15 = zext nneg i32 %function to i64
  %arrayidx16 = getelementptr inbounds nuw ptr, ptr %3, i64 %idxprom15
  %4 = load ptr, ptr %arrayidx16, align 8
  %call17 = call signext i32 %4(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %left.0, ptr noundef %result)
  call void @llvm.stackrestore.p0(ptr %2)
  br label %cleanup
for.body:
  %cmp6 = icmp samesign ult i32 %inc14.sink, %skip
  br i1 %cmp6, label %if.then10, label %lor.lhs.false
lor.lhs.false:
  %sub7 = sub nuw nsw i32 %inc14.sink, %skip
  %call8 = tail call signext i32 @__tw_is_bound(i32 noundef signext %sub7)
  %cmp9 = icmp eq i32 %call8, 0
  br i1 %cmp9, label %if.then10, label %for.inc
if.then10:
  %inc = add nsw i32 %left.0, 1
  %idxprom = sext i32 %left.0 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %vla, i64 %idxprom
  %idxprom11 = zext nneg i32 %inc14.sink to i64
  %arrayidx12 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %idxprom11
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx12, i64 16, i1 false)
  br label %for.inc
for.inc:
  %left.1 = phi i32 [ %inc, %if.then10 ], [ %left.0, %lor.lhs.false ]
  %inc14 = add nuw nsw i32 %inc14.sink, 1
  br label %for.cond
cleanup:
  %retval.0 = phi i32 [ %call, %if.then ], [ %call17, %for.cond.cleanup ], [ -1, %if.end ]
  ret i32 %retval.0
}
define signext i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call signext i32 @__tvm_ffi_main(ptr poison, ptr noundef %args, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define signext i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 1, ptr noundef %args, i32 noundef signext 1, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define signext i32 @__tw_main_allocating(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 2, ptr noundef %args, i32 noundef signext 3, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define signext i32 @__tw_output_shapes(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 3, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define signext i32 @__tvm_ffi_main_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call signext i32 @__tw_output_shapes(ptr poison, ptr noundef %args, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define signext i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 4, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define noundef nonnull ptr @__tw_arguments(ptr noundef writeonly captures(none) initializes((0, 4)) %inputs, ptr noundef writeonly captures(none) initializes((0, 4)) %arguments) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_inputs, align 4
  store i32 %1, ptr %inputs, align 4
  %2 = load i32, ptr @tw_arguments, align 4
  store i32 %2, ptr %arguments, align 4
  ret ptr @tw_specs
}
define void @__tw_release() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %1 = load i32, ptr @tw_program_count, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_program, ptr @tw_programs, i64 %idxprom
  %release = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load ptr, ptr %release, align 8
  tail call void %2()
  %weights = getelementptr inbounds nuw i8, ptr %arrayidx, i64 64
  %3 = load ptr, ptr %weights, align 8
  store ptr null, ptr %3, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  tail call void @tw_unload_weights()
  ret void
}
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare hidden void @tw_unload_weights() local_unnamed_addr
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare signext i32 @__tw_load_weights() local_unnamed_addr
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
declare i32 @llvm.umin.i32(i32, i32)
