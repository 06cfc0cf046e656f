; Generated from runtime/native/bindings.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_program = type { [5 x ptr], ptr, ptr, ptr, ptr, ptr, i64, i32, i32 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }
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
  %cmp4 = icmp sgt i32 %0, 0
  br i1 %cmp4, label %for.body.preheader, label %cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond:                                         ; preds = %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup, label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.cond
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.cond ]
  %arrayidx = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp eq i32 %1, %input
  br i1 %cmp1, label %cleanup, label %for.cond

cleanup:                                          ; preds = %for.body, %for.cond, %entry
  %2 = phi i32 [ 0, %entry ], [ 0, %for.cond ], [ 1, %for.body ]
  ret i32 %2
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define signext i32 @__tw_choose(ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) initializes((0, 8)) %chosen) local_unnamed_addr #2 {
entry:
  %value.i.i.i = alloca i64, align 8
  %got.i = alloca [256 x i8], align 1
  %message.i30 = alloca [1024 x i8], align 1
  %message.i16 = alloca [1024 x i8], align 1
  %message.i = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_bound_count, align 4
  %1 = zext i32 %0 to i64
  %vla = alloca ptr, i64 %1, align 8
  store ptr null, ptr %chosen, align 8
  %2 = load i32, ptr @tw_inputs, align 4
  %cmp = icmp slt i32 %count, %2
  br i1 %cmp, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %cmp1.not78 = icmp sgt i32 %0, 0
  br i1 %cmp1.not78, label %for.body, label %for.cond13.preheader

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #10
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %2, i32 noundef signext %count, ptr noundef nonnull @tw_signature) #11
  %call2.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message.i) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  br label %cleanup31

for.body:                                         ; preds = %for.cond.preheader, %for.inc
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv
  %3 = load i32, ptr %arrayidx, align 4
  %idxprom2 = sext i32 %3 to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom2
  %arrayidx5 = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv
  %4 = load i32, ptr %arrayidx3, align 8
  switch i32 %4, label %tensor_of.exit.thread.i [
    i32 7, label %tensor_of.exit.i
    i32 70, label %land.lhs.true.i.i
  ]

land.lhs.true.i.i:                                ; preds = %for.body
  %payload3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %5 = load ptr, ptr %payload3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %5, null
  br i1 %cmp4.not.i.i, label %tensor_of.exit.thread.i, label %tensor_of.exit.thread10.i

tensor_of.exit.thread10.i:                        ; preds = %land.lhs.true.i.i
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr %tensor.i.i, ptr %arrayidx5, align 8
  br label %land.lhs.true.i

tensor_of.exit.thread.i:                          ; preds = %land.lhs.true.i.i, %for.body
  store ptr null, ptr %arrayidx5, align 8
  br label %cleanup10

tensor_of.exit.i:                                 ; preds = %for.body
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %6 = load ptr, ptr %payload.i.i, align 8
  store ptr %6, ptr %arrayidx5, align 8
  %cmp.not.i = icmp eq ptr %6, null
  br i1 %cmp.not.i, label %cleanup10, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %tensor_of.exit.i, %tensor_of.exit.thread10.i
  %retval.0.i13.i = phi ptr [ %tensor.i.i, %tensor_of.exit.thread10.i ], [ %6, %tensor_of.exit.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 8
  %7 = load i32, ptr %device_type.i, align 8
  %cmp1.i = icmp eq i32 %7, 1
  br i1 %cmp1.i, label %land.lhs.true2.i, label %cleanup10

land.lhs.true2.i:                                 ; preds = %land.lhs.true.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 20
  %8 = load i32, ptr %dtype.i, align 4
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom2
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 44
  %9 = load i32, ptr %dtype3.i, align 4
  %cmp4.i = icmp eq i32 %8, %9
  br i1 %cmp4.i, label %land.lhs.true5.i, label %cleanup10

land.lhs.true5.i:                                 ; preds = %land.lhs.true2.i
  %rank.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 16
  %10 = load i32, ptr %rank.i, align 8
  %cmp6.i = icmp sgt i32 %10, -1
  br i1 %cmp6.i, label %land.rhs.i, label %cleanup10

land.rhs.i:                                       ; preds = %land.lhs.true5.i
  %cmp30.i.not.i = icmp eq i32 %10, 0
  br i1 %cmp30.i.not.i, label %for.end30.i.i, label %for.body.lr.ph.i.i

for.body.lr.ph.i.i:                               ; preds = %land.rhs.i
  %shape.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 24
  %wide.trip.count.i.i = zext nneg i32 %10 to i64
  br label %for.body.i.i

for.cond.cleanup.i.i:                             ; preds = %land.end.i.i
  br i1 %cmp1.i.i, label %for.cond5.preheader.i.i, label %for.inc

for.cond5.preheader.i.i:                          ; preds = %for.cond.cleanup.i.i
  %strides.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i13.i, i64 32
  br label %for.body8.i.i

for.body.i.i:                                     ; preds = %for.body.i.i.backedge, %for.body.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %indvars.iv.i.i.be, %for.body.i.i.backedge ]
  %has_elements.031.i.i = phi i1 [ true, %for.body.lr.ph.i.i ], [ %has_elements.031.i.i.be, %for.body.i.i.backedge ]
  br i1 %has_elements.031.i.i, label %land.end.i.i, label %land.end.i.thread.i

land.end.i.i:                                     ; preds = %for.body.i.i
  %11 = load ptr, ptr %shape.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %11, i64 %indvars.iv.i.i
  %12 = load i64, ptr %arrayidx.i.i, align 8
  %cmp1.i.i = icmp sgt i64 %12, 0
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %for.cond.cleanup.i.i, label %for.body.i.i.backedge

land.end.i.thread.i:                              ; preds = %for.body.i.i
  %indvars.iv.next.i14.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i15.i = icmp eq i64 %indvars.iv.next.i14.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i15.i, label %for.inc, label %for.body.i.i.backedge

for.body.i.i.backedge:                            ; preds = %land.end.i.thread.i, %land.end.i.i
  %indvars.iv.i.i.be = phi i64 [ %indvars.iv.next.i.i, %land.end.i.i ], [ %indvars.iv.next.i14.i, %land.end.i.thread.i ]
  %has_elements.031.i.i.be = phi i1 [ %cmp1.i.i, %land.end.i.i ], [ false, %land.end.i.thread.i ]
  br label %for.body.i.i

for.body8.i.i:                                    ; preds = %for.cond5.backedge.i.i, %for.cond5.preheader.i.i
  %indvars.iv39.i.i = phi i64 [ %wide.trip.count.i.i, %for.cond5.preheader.i.i ], [ %indvars.iv.next40.i.i, %for.cond5.backedge.i.i ]
  %step.036.i.i = phi i64 [ 1, %for.cond5.preheader.i.i ], [ %step.0.be.i.i, %for.cond5.backedge.i.i ]
  %indvars.iv.next40.i.i = add nsw i64 %indvars.iv39.i.i, -1
  %arrayidx11.i.i = getelementptr inbounds nuw i64, ptr %11, i64 %indvars.iv.next40.i.i
  %13 = load i64, ptr %arrayidx11.i.i, align 8
  %cmp12.i.i = icmp sgt i64 %13, 1
  br i1 %cmp12.i.i, label %land.rhs13.i.i, label %cleanup.i.i

land.rhs13.i.i:                                   ; preds = %for.body8.i.i
  %14 = load ptr, ptr %strides.i.i, align 8
  %cmp14.not.i.i = icmp eq ptr %14, null
  br i1 %cmp14.not.i.i, label %cleanup.i.i, label %land.lhs.true.i7.i

land.lhs.true.i7.i:                               ; preds = %land.rhs13.i.i
  %arrayidx20.i.i = getelementptr inbounds nuw i64, ptr %14, i64 %indvars.iv.next40.i.i
  %15 = load i64, ptr %arrayidx20.i.i, align 8
  %cmp21.not.i.i = icmp ne i64 %15, %step.036.i.i
  %16 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.036.i.i, i64 %13)
  %17 = extractvalue { i64, i1 } %16, 1
  %or.cond.not.i.i = or i1 %17, %cmp21.not.i.i
  br i1 %or.cond.not.i.i, label %cleanup10, label %for.cond5.backedge.i.i

cleanup.i.i:                                      ; preds = %land.rhs13.i.i, %for.body8.i.i
  %.old.i.i = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.036.i.i, i64 %13)
  %.old27.i.i = extractvalue { i64, i1 } %.old.i.i, 1
  br i1 %.old27.i.i, label %cleanup10, label %for.cond5.backedge.i.i

for.cond5.backedge.i.i:                           ; preds = %cleanup.i.i, %land.lhs.true.i7.i
  %.pn.i.i = phi { i64, i1 } [ %16, %land.lhs.true.i7.i ], [ %.old.i.i, %cleanup.i.i ]
  %step.0.be.i.i = extractvalue { i64, i1 } %.pn.i.i, 0
  %cmp6.i.i = icmp samesign ult i64 %indvars.iv39.i.i, 2
  br i1 %cmp6.i.i, label %for.end30.i.i, label %for.body8.i.i

for.end30.i.i:                                    ; preds = %for.cond5.backedge.i.i, %land.rhs.i
  %step.0.lcssa.i.i = phi i64 [ 1, %land.rhs.i ], [ %step.0.be.i.i, %for.cond5.backedge.i.i ]
  %shr.i.i = lshr i32 %8, 11
  %and.i.i = and i32 %shr.i.i, 31
  %conv.i.i = zext nneg i32 %and.i.i to i64
  %18 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %step.0.lcssa.i.i, i64 %conv.i.i)
  %19 = extractvalue { i64, i1 } %18, 1
  br i1 %19, label %cleanup10, label %take_input.exit

take_input.exit:                                  ; preds = %for.end30.i.i
  %20 = extractvalue { i64, i1 } %18, 0
  %21 = load ptr, ptr %retval.0.i13.i, align 8
  %cmp33.i.i = icmp ne ptr %21, null
  %22 = icmp sgt i64 %20, -1
  %23 = select i1 %cmp33.i.i, i1 %22, i1 false
  br i1 %23, label %for.inc, label %cleanup10

for.inc:                                          ; preds = %land.end.i.thread.i, %for.cond.cleanup.i.i, %take_input.exit
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %1
  br i1 %exitcond.not, label %for.cond13.preheader, label %for.body

cleanup10:                                        ; preds = %take_input.exit, %land.lhs.true5.i, %land.lhs.true2.i, %land.lhs.true.i, %tensor_of.exit.i, %for.end30.i.i, %cleanup.i.i, %land.lhs.true.i7.i, %tensor_of.exit.thread.i
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i16) #10
  %arrayidx.i18 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom2
  %24 = load ptr, ptr %arrayidx.i18, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx.i18, i64 8
  %25 = load ptr, ptr %text.i, align 8
  %call.i19 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i16, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, i32 noundef signext %3, ptr noundef %24, ptr noundef %25, ptr noundef nonnull @tw_signature) #11
  %call4.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message.i16) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i16) #10
  br label %cleanup31

for.cond13.preheader:                             ; preds = %for.inc, %for.cond.preheader
  %26 = load i32, ptr @tw_program_count, align 4
  %cmp14.not81 = icmp sgt i32 %26, 0
  br i1 %cmp14.not81, label %for.body16.lr.ph, label %for.end29

for.body16.lr.ph:                                 ; preds = %for.cond13.preheader
  %cmp10.i = icmp slt i32 %0, 1
  %wide.trip.count104 = zext nneg i32 %26 to i64
  br label %for.body16

for.body16:                                       ; preds = %for.body16.lr.ph, %for.inc25
  %indvars.iv101 = phi i64 [ 0, %for.body16.lr.ph ], [ %indvars.iv.next102, %for.inc25 ]
  %arrayidx18 = getelementptr inbounds nuw %struct.tw_program, ptr @tw_programs, i64 %indvars.iv101
  br i1 %cmp10.i, label %if.then20, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %for.body16
  %bound.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 56
  %27 = load ptr, ptr %bound.i, align 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i20 = getelementptr inbounds nuw %struct.tw_bound, ptr %27, i64 %indvars.iv.i
  %arrayidx2.i = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv.i
  %28 = load ptr, ptr %arrayidx2.i, align 8
  %rank.i.i = getelementptr inbounds nuw i8, ptr %28, i64 16
  %29 = load i32, ptr %rank.i.i, align 8
  %rank1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i20, i64 24
  %30 = load i32, ptr %rank1.i.i, align 8
  %cmp.not.i.i = icmp eq i32 %29, %30
  br i1 %cmp.not.i.i, label %for.cond.preheader.i.i, label %for.inc25

for.cond.preheader.i.i:                           ; preds = %for.body.i
  %cmp313.i.i = icmp sgt i32 %29, 0
  br i1 %cmp313.i.i, label %for.body.lr.ph.i.i21, label %for.end.i.i

for.body.lr.ph.i.i21:                             ; preds = %for.cond.preheader.i.i
  %shape.i.i22 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %31 = load ptr, ptr %shape.i.i22, align 8
  %shape4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i20, i64 8
  %32 = load ptr, ptr %shape4.i.i, align 8
  %wide.trip.count.i.i23 = zext nneg i32 %29 to i64
  br label %for.body.i.i24

for.cond.i.i:                                     ; preds = %for.body.i.i24
  %indvars.iv.next.i.i27 = add nuw nsw i64 %indvars.iv.i.i25, 1
  %exitcond.not.i.i28 = icmp eq i64 %indvars.iv.next.i.i27, %wide.trip.count.i.i23
  br i1 %exitcond.not.i.i28, label %for.end.i.i, label %for.body.i.i24

for.body.i.i24:                                   ; preds = %for.cond.i.i, %for.body.lr.ph.i.i21
  %indvars.iv.i.i25 = phi i64 [ 0, %for.body.lr.ph.i.i21 ], [ %indvars.iv.next.i.i27, %for.cond.i.i ]
  %arrayidx.i.i26 = getelementptr inbounds nuw i64, ptr %31, i64 %indvars.iv.i.i25
  %33 = load i64, ptr %arrayidx.i.i26, align 8
  %arrayidx6.i.i = getelementptr inbounds nuw i64, ptr %32, i64 %indvars.iv.i.i25
  %34 = load i64, ptr %arrayidx6.i.i, align 8
  %cmp7.not.i.i = icmp eq i64 %33, %34
  br i1 %cmp7.not.i.i, label %for.cond.i.i, label %for.inc25

for.end.i.i:                                      ; preds = %for.cond.i.i, %for.cond.preheader.i.i
  %bytes.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i20, i64 16
  %35 = load i64, ptr %bytes.i.i, align 8
  %cmp11.i.i = icmp eq i64 %35, 0
  br i1 %cmp11.i.i, label %for.inc.i, label %is_equal.exit.i

is_equal.exit.i:                                  ; preds = %for.end.i.i
  %36 = load ptr, ptr %28, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %28, i64 40
  %37 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %36, i64 %37
  %38 = load ptr, ptr %arrayidx.i20, align 8
  %call.i.i = tail call signext i32 @memcmp(ptr noundef %add.ptr.i.i, ptr noundef %38, i64 noundef %35) #12
  %cmp14.i.i = icmp eq i32 %call.i.i, 0
  br i1 %cmp14.i.i, label %for.inc.i, label %for.inc25

for.inc.i:                                        ; preds = %is_equal.exit.i, %for.end.i.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %1
  br i1 %exitcond.not.i, label %if.then20, label %for.body.i

if.then20:                                        ; preds = %for.body16, %for.inc.i
  store ptr %arrayidx18, ptr %chosen, align 8
  %39 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %39, 0
  br i1 %cmp.i, label %cleanup31, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.then20
  %weights.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 72
  %40 = load ptr, ptr %weights.i, align 8
  %41 = load atomic i64, ptr %40 acquire, align 8
  %cmp1.not.i = icmp eq i64 %41, 0
  br i1 %cmp1.not.i, label %if.end.i, label %cleanup31

if.end.i:                                         ; preds = %lor.lhs.false.i
  %call.i29 = tail call signext i32 @__tw_load_weights() #11
  %cmp2.not.i = icmp eq i32 %call.i29, 0
  br i1 %cmp2.not.i, label %if.end4.i, label %cleanup31

if.end4.i:                                        ; preds = %if.end.i
  %42 = load atomic i64, ptr @__tw_weights acquire, align 8
  %weights_at.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 80
  %43 = load i64, ptr %weights_at.i, align 8
  %44 = add i64 %43, %42
  store atomic i64 %44, ptr %40 release, align 8
  br label %cleanup31

for.inc25:                                        ; preds = %is_equal.exit.i, %for.body.i, %for.body.i.i24
  %indvars.iv.next102 = add nuw nsw i64 %indvars.iv101, 1
  %exitcond105.not = icmp eq i64 %indvars.iv.next102, %wide.trip.count104
  br i1 %exitcond105.not, label %for.end29, label %for.body16

for.end29:                                        ; preds = %for.inc25, %for.cond13.preheader
  call void @llvm.lifetime.start.p0(ptr nonnull %got.i) #10
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i30) #10
  br i1 %cmp1.not78, label %for.body.i33, label %fail_values.exit

for.body.i33:                                     ; preds = %for.end29, %append_input.exit.i
  %indvars.iv.i34 = phi i64 [ %indvars.iv.next.i40, %append_input.exit.i ], [ 0, %for.end29 ]
  %length.06.i = phi i64 [ %cond42.i.i, %append_input.exit.i ], [ 0, %for.end29 ]
  %arrayidx.i35 = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv.i34
  %45 = load i32, ptr %arrayidx.i35, align 4
  %idxprom1.i = sext i32 %45 to i64
  %arrayidx2.i36 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %46 = load ptr, ptr %arrayidx2.i36, align 8
  %arrayidx5.i = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv.i34
  %47 = load ptr, ptr %arrayidx5.i, align 8
  %rank.i.i37 = getelementptr inbounds nuw i8, ptr %47, i64 16
  %48 = load i32, ptr %rank.i.i37, align 8
  %cmp36.i.i = icmp sgt i32 %48, 0
  br i1 %cmp36.i.i, label %for.body.lr.ph.i.i46, label %for.cond.cleanup.i.i38

for.body.lr.ph.i.i46:                             ; preds = %for.body.i33
  %shape.i.i47 = getelementptr inbounds nuw i8, ptr %47, i64 24
  %49 = load ptr, ptr %shape.i.i47, align 8
  %wide.trip.count.i.i48 = zext nneg i32 %48 to i64
  br label %for.body.i.i49

for.cond.cleanup.i.i38:                           ; preds = %for.body.i.i49, %for.body.i33
  %count.0.lcssa.i.i = phi i64 [ 1, %for.body.i33 ], [ %mul.i.i, %for.body.i.i49 ]
  %cmp1.i.i39 = icmp slt i64 %length.06.i, 256
  br i1 %cmp1.i.i39, label %cond.true.i.i, label %cond.end.i.i

for.body.i.i49:                                   ; preds = %for.body.i.i49, %for.body.lr.ph.i.i46
  %indvars.iv.i.i50 = phi i64 [ 0, %for.body.lr.ph.i.i46 ], [ %indvars.iv.next.i.i52, %for.body.i.i49 ]
  %count.037.i.i = phi i64 [ 1, %for.body.lr.ph.i.i46 ], [ %mul.i.i, %for.body.i.i49 ]
  %arrayidx.i.i51 = getelementptr inbounds nuw i64, ptr %49, i64 %indvars.iv.i.i50
  %50 = load i64, ptr %arrayidx.i.i51, align 8
  %mul.i.i = mul nsw i64 %50, %count.037.i.i
  %indvars.iv.next.i.i52 = add nuw nsw i64 %indvars.iv.i.i50, 1
  %exitcond.not.i.i53 = icmp eq i64 %indvars.iv.next.i.i52, %wide.trip.count.i.i48
  br i1 %exitcond.not.i.i53, label %for.cond.cleanup.i.i38, label %for.body.i.i49

cond.true.i.i:                                    ; preds = %for.cond.cleanup.i.i38
  %add.ptr.i.i43 = getelementptr inbounds i8, ptr %got.i, i64 %length.06.i
  %sub.i.i = sub nsw i64 256, %length.06.i
  %cmp2.i.i = icmp eq i64 %length.06.i, 0
  %cond.i.i = select i1 %cmp2.i.i, ptr @.str.6, ptr @.str.7
  %call.i.i44 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i.i43, i64 noundef %sub.i.i, ptr noundef nonnull @.str.5, ptr noundef nonnull %cond.i.i, ptr noundef %46) #11
  %conv.i.i45 = sext i32 %call.i.i44 to i64
  %add.i.i = add nsw i64 %length.06.i, %conv.i.i45
  br label %cond.end.i.i

cond.end.i.i:                                     ; preds = %cond.true.i.i, %for.cond.cleanup.i.i38
  %cond3.i.i = phi i64 [ %add.i.i, %cond.true.i.i ], [ %length.06.i, %for.cond.cleanup.i.i38 ]
  %invariant.smin.i.i = call i64 @llvm.smin.i64(i64 %count.0.lcssa.i.i, i64 8)
  %51 = icmp sgt i64 %count.0.lcssa.i.i, 0
  br i1 %51, label %for.body10.lr.ph.i.i, label %for.cond.cleanup9.i.i

for.body10.lr.ph.i.i:                             ; preds = %cond.end.i.i
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %47, i64 20
  %byte_offset.i.i.i = getelementptr inbounds nuw i8, ptr %47, i64 40
  br label %for.body10.i.i

for.cond.cleanup9.i.i:                            ; preds = %append_element.exit.i.i, %cond.end.i.i
  %length.addr.0.lcssa.i.i = phi i64 [ %cond3.i.i, %cond.end.i.i ], [ %retval.0.i.i.i, %append_element.exit.i.i ]
  %cmp29.i.i = icmp slt i64 %length.addr.0.lcssa.i.i, 256
  br i1 %cmp29.i.i, label %cond.true31.i.i, label %append_input.exit.i

for.body10.i.i:                                   ; preds = %append_element.exit.i.i, %for.body10.lr.ph.i.i
  %at.040.i.i = phi i64 [ 0, %for.body10.lr.ph.i.i ], [ %inc27.i.i, %append_element.exit.i.i ]
  %length.addr.039.i.i = phi i64 [ %cond3.i.i, %for.body10.lr.ph.i.i ], [ %retval.0.i.i.i, %append_element.exit.i.i ]
  %cmp11.i.i42 = icmp slt i64 %length.addr.039.i.i, 256
  br i1 %cmp11.i.i42, label %cond.true13.i.i, label %cond.end23.i.i

cond.true13.i.i:                                  ; preds = %for.body10.i.i
  %add.ptr14.i.i = getelementptr inbounds i8, ptr %got.i, i64 %length.addr.039.i.i
  %sub15.i.i = sub nsw i64 256, %length.addr.039.i.i
  %cmp16.i.i = icmp eq i64 %at.040.i.i, 0
  %cond18.i.i = select i1 %cmp16.i.i, ptr @.str.6, ptr @.str.7
  %call19.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr14.i.i, i64 noundef %sub15.i.i, ptr noundef nonnull @.str.8, ptr noundef nonnull %cond18.i.i) #11
  %conv20.i.i = sext i32 %call19.i.i to i64
  %add21.i.i = add nsw i64 %length.addr.039.i.i, %conv20.i.i
  br label %cond.end23.i.i

cond.end23.i.i:                                   ; preds = %cond.true13.i.i, %for.body10.i.i
  %cond24.i.i = phi i64 [ %add21.i.i, %cond.true13.i.i ], [ %length.addr.039.i.i, %for.body10.i.i ]
  %52 = load i32, ptr %dtype.i.i.i, align 4
  %shr.i.i.i = lshr i32 %52, 11
  %and2.i.i.i = and i32 %shr.i.i.i, 31
  %53 = load ptr, ptr %47, align 8
  %54 = load i64, ptr %byte_offset.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %53, i64 %54
  %conv.i.i.i = zext nneg i32 %and2.i.i.i to i64
  %mul.i.i.i = mul nuw nsw i64 %at.040.i.i, %conv.i.i.i
  %add.ptr3.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i, i64 %mul.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %value.i.i.i) #10
  store i64 0, ptr %value.i.i.i, align 8
  %cond.i.i.i = call i32 @llvm.umin.i32(i32 %and2.i.i.i, i32 8)
  %conv5.i.i.i = zext nneg i32 %cond.i.i.i to i64
  %call.i.i.i = call ptr @memcpy(ptr noundef nonnull %value.i.i.i, ptr noundef %add.ptr3.i.i.i, i64 noundef %conv5.i.i.i) #11
  %trunc.i.i.i = trunc i32 %52 to i8
  switch i8 %trunc.i.i.i, label %if.end29.i.i.i [
    i8 0, label %if.then.i.i.i
    i8 6, label %if.then18.i.i.i
    i8 1, label %if.then18.i.i.i
  ]

if.then.i.i.i:                                    ; preds = %cond.end23.i.i
  %mul6.i.i.i = shl nuw nsw i32 %and2.i.i.i, 3
  %sub.i.i.i = sub nsw i32 64, %mul6.i.i.i
  %55 = load i64, ptr %value.i.i.i, align 8
  %sh_prom.i.i.i = zext i32 %sub.i.i.i to i64
  %shl.i.i.i = shl i64 %55, %sh_prom.i.i.i
  %shr10.i.i.i = ashr exact i64 %shl.i.i.i, %sh_prom.i.i.i
  store i64 %shr10.i.i.i, ptr %value.i.i.i, align 8
  br label %if.then18.i.i.i

if.then18.i.i.i:                                  ; preds = %if.then.i.i.i, %cond.end23.i.i, %cond.end23.i.i
  %cmp19.i.i.i = icmp slt i64 %cond24.i.i, 256
  br i1 %cmp19.i.i.i, label %cleanup.sink.split.i.i.i, label %append_element.exit.i.i

if.end29.i.i.i:                                   ; preds = %cond.end23.i.i
  %cmp30.i.i.i = icmp slt i64 %cond24.i.i, 256
  br i1 %cmp30.i.i.i, label %cleanup.sink.split.i.i.i, label %append_element.exit.i.i

cleanup.sink.split.i.i.i:                         ; preds = %if.end29.i.i.i, %if.then18.i.i.i
  %.str.12.sink.i.i.i = phi ptr [ @.str.11, %if.then18.i.i.i ], [ @.str.12, %if.end29.i.i.i ]
  %add.ptr33.i.i.i = getelementptr inbounds i8, ptr %got.i, i64 %cond24.i.i
  %sub34.i.i.i = sub nsw i64 256, %cond24.i.i
  %56 = load i64, ptr %value.i.i.i, align 8
  %call35.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr33.i.i.i, i64 noundef %sub34.i.i.i, ptr noundef nonnull %.str.12.sink.i.i.i, i64 noundef %56) #11
  %conv36.i.i.i = sext i32 %call35.i.i.i to i64
  %add37.i.i.i = add nsw i64 %cond24.i.i, %conv36.i.i.i
  br label %append_element.exit.i.i

append_element.exit.i.i:                          ; preds = %cleanup.sink.split.i.i.i, %if.end29.i.i.i, %if.then18.i.i.i
  %retval.0.i.i.i = phi i64 [ %cond24.i.i, %if.then18.i.i.i ], [ %cond24.i.i, %if.end29.i.i.i ], [ %add37.i.i.i, %cleanup.sink.split.i.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %value.i.i.i) #10
  %inc27.i.i = add nuw nsw i64 %at.040.i.i, 1
  %exitcond43.not.i.i = icmp eq i64 %inc27.i.i, %invariant.smin.i.i
  br i1 %exitcond43.not.i.i, label %for.cond.cleanup9.i.i, label %for.body10.i.i

cond.true31.i.i:                                  ; preds = %for.cond.cleanup9.i.i
  %add.ptr32.i.i = getelementptr inbounds i8, ptr %got.i, i64 %length.addr.0.lcssa.i.i
  %sub33.i.i = sub nsw i64 256, %length.addr.0.lcssa.i.i
  %cmp34.i.i = icmp sgt i64 %count.0.lcssa.i.i, 8
  %cond36.i.i = select i1 %cmp34.i.i, ptr @.str.10, ptr @.str.6
  %call37.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr32.i.i, i64 noundef %sub33.i.i, ptr noundef nonnull @.str.9, ptr noundef nonnull %cond36.i.i) #11
  %conv38.i.i = sext i32 %call37.i.i to i64
  %add39.i.i = add nsw i64 %length.addr.0.lcssa.i.i, %conv38.i.i
  br label %append_input.exit.i

append_input.exit.i:                              ; preds = %cond.true31.i.i, %for.cond.cleanup9.i.i
  %cond42.i.i = phi i64 [ %add39.i.i, %cond.true31.i.i ], [ %length.addr.0.lcssa.i.i, %for.cond.cleanup9.i.i ]
  %indvars.iv.next.i40 = add nuw nsw i64 %indvars.iv.i34, 1
  %exitcond.not.i41 = icmp eq i64 %indvars.iv.next.i40, %1
  br i1 %exitcond.not.i41, label %fail_values.exit, label %for.body.i33

fail_values.exit:                                 ; preds = %append_input.exit.i, %for.end29
  %call8.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i30, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef nonnull @tw_name, ptr noundef nonnull @tw_bindings, ptr noundef nonnull %got.i) #11
  %call10.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull %message.i30) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i30) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %got.i) #10
  br label %cleanup31

cleanup31:                                        ; preds = %cleanup10, %if.then20, %lor.lhs.false.i, %if.end.i, %if.end4.i, %fail_values.exit, %if.then
  %retval.0 = phi i32 [ %call2.i, %if.then ], [ %call10.i, %fail_values.exit ], [ %call4.i, %cleanup10 ], [ -1, %if.end.i ], [ 0, %if.end4.i ], [ 0, %if.then20 ], [ 0, %lor.lhs.false.i ]
  ret i32 %retval.0
}

declare ptr @llvm.stacksave.p0() #3

declare void @llvm.stackrestore.p0(ptr) #3

define signext i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 0, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call
}

define internal fastcc signext i32 @forward(i32 noundef signext range(i32 0, 5) %function, ptr noundef readonly captures(none) %args, i32 noundef signext range(i32 0, 4) %skip, i32 noundef signext %count, ptr noundef %result) unnamed_addr #2 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %program = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %program) #10
  %cmp = icmp slt i32 %count, %skip
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #10
  %0 = load i32, ptr @tw_inputs, align 4
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %0, i32 noundef signext 0, ptr noundef nonnull @tw_signature) #11
  %call2.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message.i) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #10
  br label %cleanup

if.end:                                           ; preds = %entry
  %idx.ext = zext nneg i32 %skip to i64
  %add.ptr = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %idx.ext
  %sub = sub nsw i32 %count, %skip
  %call1 = call signext i32 @__tw_choose(ptr noundef %add.ptr, i32 noundef signext %sub, ptr noundef nonnull %program) #13
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %cleanup

if.end4:                                          ; preds = %if.end
  %add = add nuw nsw i32 %count, 1
  %1 = zext nneg i32 %add to i64
  %2 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %1, align 8
  %cmp515.not = icmp eq i32 %count, 0
  br i1 %cmp515.not, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %if.end4
  %3 = load i32, ptr @tw_bound_count, align 4
  %cmp4.i = icmp sgt i32 %3, 0
  %wide.trip.count.i = zext nneg i32 %3 to i64
  %wide.trip.count = zext nneg i32 %count to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc, %if.end4
  %left.0.lcssa = phi i32 [ 0, %if.end4 ], [ %left.1, %for.inc ]
  %4 = load ptr, ptr %program, align 8
  %idxprom15 = zext nneg i32 %function to i64
  %arrayidx16 = getelementptr inbounds nuw ptr, ptr %4, i64 %idxprom15
  %5 = load ptr, ptr %arrayidx16, align 8
  %call17 = call signext i32 %5(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %left.0.lcssa, ptr noundef %result) #11
  call void @llvm.stackrestore.p0(ptr %2)
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %left.016 = phi i32 [ 0, %for.body.lr.ph ], [ %left.1, %for.inc ]
  %cmp6 = icmp samesign ult i64 %indvars.iv, %idx.ext
  br i1 %cmp6, label %if.then10, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %6 = sub nuw nsw i64 %indvars.iv, %idx.ext
  br i1 %cmp4.i, label %for.body.i, label %if.then10

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %if.then10, label %for.body.i

for.body.i:                                       ; preds = %lor.lhs.false, %for.cond.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.cond.i ], [ 0, %lor.lhs.false ]
  %arrayidx.i = getelementptr inbounds nuw i32, ptr @tw_bound_inputs, i64 %indvars.iv.i
  %7 = load i32, ptr %arrayidx.i, align 4
  %8 = zext i32 %7 to i64
  %cmp1.i = icmp eq i64 %6, %8
  br i1 %cmp1.i, label %for.inc, label %for.cond.i

if.then10:                                        ; preds = %for.cond.i, %lor.lhs.false, %for.body
  %inc = add nsw i32 %left.016, 1
  %idxprom = sext i32 %left.016 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %vla, i64 %idxprom
  %arrayidx12 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx12, i64 16, i1 false)
  br label %for.inc

for.inc:                                          ; preds = %for.body.i, %if.then10
  %left.1 = phi i32 [ %inc, %if.then10 ], [ %left.016, %for.body.i ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:                                          ; preds = %if.end, %for.cond.cleanup, %if.then
  %retval.0 = phi i32 [ %call2.i, %if.then ], [ %call17, %for.cond.cleanup ], [ -1, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %program) #10
  ret i32 %retval.0
}

define signext i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call.i = tail call fastcc signext i32 @forward(i32 noundef signext 0, ptr noundef readonly %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call.i
}

define signext i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 1, ptr noundef %args, i32 noundef signext 1, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call
}

define signext i32 @__tw_main_allocating(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 2, ptr noundef %args, i32 noundef signext 3, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call
}

define signext i32 @__tw_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 3, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call
}

define signext i32 @__tvm_ffi_main_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call.i = tail call fastcc signext i32 @forward(i32 noundef signext 3, ptr noundef readonly %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call.i
}

define signext i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr #2 {
entry:
  %call = tail call fastcc signext i32 @forward(i32 noundef signext 4, ptr noundef %args, i32 noundef signext 0, i32 noundef signext %count, ptr noundef %result) #13
  ret i32 %call
}

define noundef nonnull ptr @__tw_arguments(ptr noundef writeonly captures(none) initializes((0, 4)) %inputs, ptr noundef writeonly captures(none) initializes((0, 4)) %arguments) local_unnamed_addr #4 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  store i32 %0, ptr %inputs, align 4
  %1 = load i32, ptr @tw_arguments, align 4
  store i32 %1, ptr %arguments, align 4
  ret ptr @tw_specs
}

define void @__tw_release() local_unnamed_addr #2 {
entry:
  %0 = load i32, ptr @tw_program_count, align 4
  %cmp4 = icmp sgt i32 %0, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  tail call void @tw_unload_weights() #11
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_program, ptr @tw_programs, i64 %indvars.iv
  %release = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %1 = load ptr, ptr %release, align 8
  tail call void %1() #11
  %weights = getelementptr inbounds nuw i8, ptr %arrayidx, i64 72
  %2 = load ptr, ptr %weights, align 8
  store ptr null, ptr %2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare hidden void @tw_unload_weights() local_unnamed_addr #5

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #5

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #6

declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #7

declare signext i32 @__tw_load_weights() local_unnamed_addr #5

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #8

declare i32 @llvm.umin.i32(i32, i32) #9

declare i64 @llvm.smin.i64(i64, i64) #9

attributes #0 = { nofree norecurse nosync nounwind memory(none) "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-builtins" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "no-builtins" }
attributes #5 = { "no-builtins" }
attributes #6 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #8 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #9 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { nounwind }
attributes #11 = { nobuiltin nounwind "no-builtins" }
attributes #12 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
attributes #13 = { nobuiltin "no-builtins" }
