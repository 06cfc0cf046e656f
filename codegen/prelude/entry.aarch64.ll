; Generated from runtime/native/entry.c by `make prelude`; do not edit.
; ziglang 0.17.1, aarch64-linux-gnu
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32 }
%struct.rule = type { ptr, ptr, ptr }
%struct.finding = type { ptr, [3 x i64] }
%union.tw_slot = type { ptr }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }

@__tw_default_threads = local_unnamed_addr global i32 1, align 4
@__tw_abi_version = local_unnamed_addr constant i32 1, align 4
@.str = private unnamed_addr constant [93 x i8] c"%s: %s: an index is out of range\0A    expected: %lld..%lld\0A    got: %lld at %s of the indices\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"IndexError\00", align 1
@arenas = internal global [8 x ptr] zeroinitializer, align 64
@.str.2 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@.str.3 = private unnamed_addr constant [91 x i8] c"%s: the first argument is not a thread count\0A    expected: an int\0A    got: type index %lld\00", align 1
@__tw_weights = local_unnamed_addr global ptr null, align 8
@__tw_pool = local_unnamed_addr global ptr null, align 8
@__tw_raise = local_unnamed_addr global ptr null, align 8
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 8
@__tvm_ffi__library_ctx = weak local_unnamed_addr global ptr null, align 8
@__tw_last_error = global [1024 x i8] zeroinitializer, align 1
@.str.4 = private unnamed_addr constant [2 x i8] c"[\00", align 1
@.str.5 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.6 = private unnamed_addr constant [7 x i8] c", %lld\00", align 1
@.str.7 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@.str.8 = private unnamed_addr constant [29 x i8] c"TVMFFIErrorSetRaisedFromCStr\00", align 1
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.9 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.10 = private unnamed_addr constant [101 x i8] c"%s: the weights are not loaded\0A    expected: the address of %lld bytes in __tw_weights\0A    got: null\00", align 1
@tw_max_threads = external hidden local_unnamed_addr constant i32, align 4
@.str.11 = private unnamed_addr constant [41 x i8] c"%s: a kernel failed\0A    got: status %lld\00", align 1
@tw_specs = external hidden local_unnamed_addr constant [0 x %struct.tw_spec], align 8
@.str.12 = private unnamed_addr constant [101 x i8] c"%s: wrong number of arguments\0A    expected: %d (%d inputs, %d outputs)\0A    got: %d\0A    signature: %s\00", align 1
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_signature = external hidden constant [0 x i8], align 1
@IS_TENSOR = internal constant %struct.rule { ptr @.str.2, ptr @.str.13, ptr @.str.14 }, align 8
@IS_ALIGNED = internal constant %struct.rule { ptr @.str.15, ptr @.str.26, ptr @.str.27 }, align 8
@.str.13 = private unnamed_addr constant [16 x i8] c"is not a tensor\00", align 1
@.str.14 = private unnamed_addr constant [16 x i8] c"type index %lld\00", align 1
@IS_IN_CPU_MEMORY = internal constant %struct.rule { ptr @.str.15, ptr @.str.16, ptr @.str.17 }, align 8
@HAS_DTYPE = internal constant %struct.rule { ptr @.str.2, ptr @.str.18, ptr @.str.19 }, align 8
@HAS_RANK = internal constant %struct.rule { ptr @.str.15, ptr @.str.20, ptr @.str.21 }, align 8
@.str.15 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.16 = private unnamed_addr constant [21 x i8] c"is not in CPU memory\00", align 1
@.str.17 = private unnamed_addr constant [37 x i8] c"DLPack device type %lld, number %lld\00", align 1
@.str.18 = private unnamed_addr constant [20 x i8] c"has the wrong dtype\00", align 1
@.str.19 = private unnamed_addr constant [45 x i8] c"DLPack type code %lld, %lld bits, %lld lanes\00", align 1
@.str.20 = private unnamed_addr constant [35 x i8] c"has the wrong number of dimensions\00", align 1
@.str.21 = private unnamed_addr constant [16 x i8] c"%lld dimensions\00", align 1
@HAS_SHAPE = internal constant %struct.rule { ptr @.str.15, ptr @.str.22, ptr @.str.23 }, align 8
@.str.22 = private unnamed_addr constant [20 x i8] c"has the wrong shape\00", align 1
@.str.23 = private unnamed_addr constant [28 x i8] c"size %lld in dimension %lld\00", align 1
@IS_ROW_MAJOR = internal constant %struct.rule { ptr @.str.15, ptr @.str.24, ptr @.str.25 }, align 8
@.str.24 = private unnamed_addr constant [38 x i8] c"is not stored row by row without gaps\00", align 1
@.str.25 = private unnamed_addr constant [46 x i8] c"stride %lld in dimension %lld instead of %lld\00", align 1
@.str.26 = private unnamed_addr constant [39 x i8] c"is null or not aligned to its elements\00", align 1
@.str.27 = private unnamed_addr constant [40 x i8] c"address %#llx, needs a multiple of %lld\00", align 1
@.str.28 = private unnamed_addr constant [71 x i8] c"%s: argument %d (%s) %s\0A    expected: %s\0A    got: %s\0A    signature: %s\00", align 1
@IS_APART = internal constant %struct.rule { ptr @.str.15, ptr @.str.29, ptr @.str.30 }, align 8
@.str.29 = private unnamed_addr constant [36 x i8] c"shares memory with another argument\00", align 1
@.str.30 = private unnamed_addr constant [27 x i8] c"overlap with argument %lld\00", align 1
@tw_arena_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.31 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.32 = private unnamed_addr constant [68 x i8] c"%s: no memory for the intermediate results\0A    expected: %lld bytes\00", align 1

define hidden noundef i32 @tw_fail_index(ptr noundef readonly captures(none) %check, i64 noundef %position, i64 noundef %got, i64 noundef %low, i64 noundef %high) local_unnamed_addr #0 {
entry:
  %where = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %where) #6
  %call.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %where, i64 noundef 256, ptr noundef nonnull @.str.4) #7
  %conv.i = sext i32 %call.i to i64
  %rank.i = getelementptr inbounds nuw i8, ptr %check, i64 16
  %0 = load i64, ptr %rank.i, align 8
  %cmp47.i = icmp sgt i64 %0, 0
  %sub48.i = sub nsw i64 256, %conv.i
  %cmp249.i = icmp slt i32 %call.i, 225
  %1 = select i1 %cmp47.i, i1 %cmp249.i, i1 false
  br i1 %1, label %for.body.lr.ph.i, label %write_position.exit

for.body.lr.ph.i:                                 ; preds = %entry
  %shape.i = getelementptr inbounds nuw i8, ptr %check, i64 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.cond.cleanup8.i, %for.body.lr.ph.i
  %sub52.i = phi i64 [ %sub48.i, %for.body.lr.ph.i ], [ %sub.i, %for.cond.cleanup8.i ]
  %2 = phi i64 [ %0, %for.body.lr.ph.i ], [ %4, %for.cond.cleanup8.i ]
  %length.051.i = phi i64 [ %conv.i, %for.body.lr.ph.i ], [ %add17.i, %for.cond.cleanup8.i ]
  %axis.050.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %add.i, %for.cond.cleanup8.i ]
  %add.i = add nuw nsw i64 %axis.050.i, 1
  %cmp644.i = icmp slt i64 %add.i, %2
  %.pre.i = load ptr, ptr %shape.i, align 8
  br i1 %cmp644.i, label %for.body9.i, label %for.cond.cleanup8.i

for.cond.cleanup8.i:                              ; preds = %for.body9.i, %for.body.i
  %elements.0.lcssa.i = phi i64 [ 1, %for.body.i ], [ %mul.i, %for.body9.i ]
  %div.i = sdiv i64 %position, %elements.0.lcssa.i
  %arrayidx11.i = getelementptr inbounds nuw i64, ptr %.pre.i, i64 %axis.050.i
  %3 = load i64, ptr %arrayidx11.i, align 8
  %rem.i = srem i64 %div.i, %3
  %cmp12.i = icmp eq i64 %axis.050.i, 0
  %cond.i = select i1 %cmp12.i, ptr @.str.5, ptr @.str.6
  %add.ptr.i = getelementptr inbounds i8, ptr %where, i64 %length.051.i
  %call15.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i, i64 noundef %sub52.i, ptr noundef nonnull %cond.i, i64 noundef %rem.i) #7
  %conv16.i = sext i32 %call15.i to i64
  %add17.i = add nsw i64 %length.051.i, %conv16.i
  %4 = load i64, ptr %rank.i, align 8
  %cmp.i = icmp slt i64 %add.i, %4
  %sub.i = sub nsw i64 256, %add17.i
  %cmp2.i = icmp slt i64 %add17.i, 225
  %5 = select i1 %cmp.i, i1 %cmp2.i, i1 false
  br i1 %5, label %for.body.i, label %write_position.exit

for.body9.i:                                      ; preds = %for.body.i, %for.body9.i
  %inner.046.i = phi i64 [ %inc.i, %for.body9.i ], [ %add.i, %for.body.i ]
  %elements.045.i = phi i64 [ %mul.i, %for.body9.i ], [ 1, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %.pre.i, i64 %inner.046.i
  %6 = load i64, ptr %arrayidx.i, align 8
  %mul.i = mul nsw i64 %6, %elements.045.i
  %inc.i = add nuw nsw i64 %inner.046.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %2
  br i1 %exitcond.not.i, label %for.cond.cleanup8.i, label %for.body9.i

write_position.exit:                              ; preds = %for.cond.cleanup8.i, %entry
  %length.0.lcssa.i = phi i64 [ %conv.i, %entry ], [ %add17.i, %for.cond.cleanup8.i ]
  %sub.lcssa.i = phi i64 [ %sub48.i, %entry ], [ %sub.i, %for.cond.cleanup8.i ]
  %add.ptr21.i = getelementptr inbounds i8, ptr %where, i64 %length.0.lcssa.i
  %call23.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr21.i, i64 noundef %sub.lcssa.i, ptr noundef nonnull @.str.7) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #6
  %7 = load ptr, ptr %check, align 8
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, ptr noundef %7, i64 noundef %low, i64 noundef %high, i64 noundef %got, ptr noundef nonnull %where) #7
  call fastcc void @report(ptr noundef nonnull @.str.1, ptr noundef %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %where) #6
  ret i32 -1
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

define internal fastcc void @report(ptr noundef %kind, ptr noundef nonnull %message) unnamed_addr #0 {
entry:
  %call = tail call ptr @memcpy(ptr noundef nonnull @__tw_last_error, ptr noundef nonnull %message, i64 noundef 1024) #7
  %0 = load ptr, ptr @__tw_raise, align 8
  %cmp.not.i = icmp eq ptr %0, null
  br i1 %cmp.not.i, label %if.end.i, label %if.then

if.end.i:                                         ; preds = %entry
  %1 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 8
  %cmp1.not.i = icmp eq ptr %1, null
  br i1 %cmp1.not.i, label %if.end3.i, label %if.then

if.end3.i:                                        ; preds = %if.end.i
  %cmp4.not.i = icmp eq ptr @TVMFFIErrorSetRaisedFromCStr, null
  br i1 %cmp4.not.i, label %if.end6.i, label %host_report.exit

if.end6.i:                                        ; preds = %if.end3.i
  %cmp7.i = icmp eq ptr @dlsym, null
  br i1 %cmp7.i, label %if.end, label %if.end9.i

if.end9.i:                                        ; preds = %if.end6.i
  %call.i = tail call ptr @dlsym(ptr noundef null, ptr noundef nonnull @.str.8) #7
  br label %host_report.exit

host_report.exit:                                 ; preds = %if.end3.i, %if.end9.i
  %retval.0.i = phi ptr [ %call.i, %if.end9.i ], [ @TVMFFIErrorSetRaisedFromCStr, %if.end3.i ]
  %cmp.not = icmp eq ptr %retval.0.i, null
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %if.end.i, %entry, %host_report.exit
  %retval.0.i6 = phi ptr [ %retval.0.i, %host_report.exit ], [ %1, %if.end.i ], [ %0, %entry ]
  tail call void %retval.0.i6(ptr noundef %kind, ptr noundef nonnull %message) #7
  br label %if.end

if.end:                                           ; preds = %if.end6.i, %if.then, %host_report.exit
  ret void
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define void @__tw_release() local_unnamed_addr #3 {
entry:
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  ret void

for.body:                                         ; preds = %entry, %for.body
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv
  %0 = atomicrmw xchg ptr %arrayidx, i64 0 acq_rel, align 8
  %1 = inttoptr i64 %0 to ptr
  tail call void @free(ptr noundef %1) #7
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare void @free(ptr noundef) local_unnamed_addr #2

define range(i32 -1, 1) i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call = tail call fastcc i32 @enter(ptr noundef %args, i32 noundef %count, i32 noundef %0) #9
  ret i32 %call
}

define internal fastcc range(i32 -1, 1) i32 @enter(ptr noundef readonly captures(none) %args, i32 noundef %count, i32 noundef %threads) unnamed_addr #3 {
entry:
  %finding.i.i = alloca %struct.finding, align 8
  %finding.i = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  %cmp.not.i = icmp eq i32 %count, %0
  br i1 %cmp.not.i, label %for.cond.preheader.i, label %if.then.i

for.cond.preheader.i:                             ; preds = %entry
  %cmp1.not97.i = icmp sgt i32 %count, 0
  br i1 %cmp1.not97.i, label %for.body.preheader.i, label %for.end.i

for.body.preheader.i:                             ; preds = %for.cond.preheader.i
  %wide.trip.count.i = zext nneg i32 %count to i64
  br label %for.body.i

if.then.i:                                        ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef %count) #8
  br label %cleanup19

for.body.i:                                       ; preds = %for.inc.critedge.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.critedge.i ]
  %rows.098.i = phi i64 [ -1, %for.body.preheader.i ], [ %rows.5.i, %for.inc.critedge.i ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding.i) #6
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %arrayidx3.i = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv.i
  %arrayidx5.i = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %indvars.iv.i
  %2 = load i32, ptr %arrayidx3.i, align 8
  switch i32 %2, label %if.then.i.i [
    i32 7, label %tensor_of.exit.i.i
    i32 70, label %tensor_of.exit.thread68.i.i
  ]

tensor_of.exit.thread68.i.i:                      ; preds = %for.body.i
  %payload4.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i64 8
  %3 = load ptr, ptr %payload4.i.i.i, align 8
  %tensor.i.i.i = getelementptr inbounds nuw i8, ptr %3, i64 24
  br label %if.end.i.i

tensor_of.exit.i.i:                               ; preds = %for.body.i
  %payload.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i64 8
  %4 = load ptr, ptr %payload.i.i.i, align 8
  %cmp.i.i = icmp eq ptr %4, null
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %tensor_of.exit.i.i, %for.body.i
  %conv.i.i = sext i32 %2 to i64
  br label %if.then7.i

if.end.i.i:                                       ; preds = %tensor_of.exit.i.i, %tensor_of.exit.thread68.i.i
  %retval.0.i71.i.i = phi ptr [ %tensor.i.i.i, %tensor_of.exit.thread68.i.i ], [ %4, %tensor_of.exit.i.i ]
  %device_type.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 8
  %5 = load i32, ptr %device_type.i.i.i, align 8
  %cmp.not.i.i.i = icmp eq i32 %5, 1
  br i1 %cmp.not.i.i.i, label %if.end.i.i.i, label %if.then.i42.i.i

if.then.i42.i.i:                                  ; preds = %if.end.i.i
  %conv.i.i.i = sext i32 %5 to i64
  %device_id.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 12
  %6 = load i32, ptr %device_id.i.i.i, align 4
  %conv2.i.i.i = sext i32 %6 to i64
  br label %if.then7.i

if.end.i.i.i:                                     ; preds = %if.end.i.i
  %dtype3.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 20
  %7 = load i32, ptr %dtype3.i.i.i, align 4
  %dtype4.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 44
  %8 = load i32, ptr %dtype4.i.i.i, align 4
  %cmp5.not.i.i.i = icmp eq i32 %7, %8
  br i1 %cmp5.not.i.i.i, label %if.end14.i.i.i, label %if.then7.i.i.i

if.then7.i.i.i:                                   ; preds = %if.end.i.i.i
  %and.i.i.i = and i32 %7, 255
  %conv8.i.i.i = zext nneg i32 %and.i.i.i to i64
  %shr.i.i.i = lshr i32 %7, 8
  %and9.i.i.i = and i32 %shr.i.i.i, 255
  %conv10.i.i.i = zext nneg i32 %and9.i.i.i to i64
  %shr11.i.i.i = lshr i32 %7, 16
  %conv12.i.i.i = zext nneg i32 %shr11.i.i.i to i64
  br label %if.then7.i

if.end14.i.i.i:                                   ; preds = %if.end.i.i.i
  %rank.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 16
  %9 = load i32, ptr %rank.i.i.i, align 8
  %rank15.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 40
  %10 = load i32, ptr %rank15.i.i.i, align 8
  %cmp16.not.i.i.i = icmp eq i32 %9, %10
  br i1 %cmp16.not.i.i.i, label %lor.lhs.false.i.i, label %if.then18.i.i.i

if.then18.i.i.i:                                  ; preds = %if.end14.i.i.i
  %conv20.i.i.i = sext i32 %9 to i64
  br label %if.then7.i

lor.lhs.false.i.i:                                ; preds = %if.end14.i.i.i
  %cmp37.i.i.i = icmp slt i32 %9, 1
  br i1 %cmp37.i.i.i, label %if.end5.i.i, label %for.body.lr.ph.i.i.i

for.body.lr.ph.i.i.i:                             ; preds = %lor.lhs.false.i.i
  %shape.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 24
  %shape1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %11 = load ptr, ptr %shape.i.i.i, align 8
  %12 = load ptr, ptr %shape1.i.i.i, align 8
  %13 = zext nneg i32 %9 to i64
  br label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.inc.i.i.i, %for.body.lr.ph.i.i.i
  %rows.3.i = phi i64 [ %rows.098.i, %for.body.lr.ph.i.i.i ], [ %rows.4.i, %for.inc.i.i.i ]
  %indvars.iv.i.i.i = phi i64 [ 0, %for.body.lr.ph.i.i.i ], [ %indvars.iv.next.i.i.i, %for.inc.i.i.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %11, i64 %indvars.iv.i.i.i
  %14 = load i64, ptr %arrayidx.i.i.i, align 8
  %arrayidx3.i.i.i = getelementptr inbounds nuw i64, ptr %12, i64 %indvars.iv.i.i.i
  %15 = load i64, ptr %arrayidx3.i.i.i, align 8
  %cmp4.i.i.i = icmp eq i64 %14, %15
  br i1 %cmp4.i.i.i, label %for.inc.i.i.i, label %if.end.i44.i.i

if.end.i44.i.i:                                   ; preds = %for.body.i.i.i
  %cmp8.i.i.i = icmp eq i64 %15, -1
  br i1 %cmp8.i.i.i, label %land.lhs.true.i.i.i, label %if.then7.i

land.lhs.true.i.i.i:                              ; preds = %if.end.i44.i.i
  %cmp9.i.i.i = icmp eq i64 %rows.3.i, -1
  br i1 %cmp9.i.i.i, label %for.inc.i.i.i, label %lor.lhs.false.i.i.i

lor.lhs.false.i.i.i:                              ; preds = %land.lhs.true.i.i.i
  %cmp13.not.i.i.i = icmp eq i64 %14, %rows.3.i
  br i1 %cmp13.not.i.i.i, label %for.inc.i.i.i, label %if.then7.i

for.inc.i.i.i:                                    ; preds = %lor.lhs.false.i.i.i, %land.lhs.true.i.i.i, %for.body.i.i.i
  %rows.4.i = phi i64 [ %rows.3.i, %for.body.i.i.i ], [ %rows.3.i, %lor.lhs.false.i.i.i ], [ %14, %land.lhs.true.i.i.i ]
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i.i.i, %13
  br i1 %exitcond.not, label %if.end5.i.i, label %for.body.i.i.i

if.end5.i.i:                                      ; preds = %for.inc.i.i.i, %lor.lhs.false.i.i
  %rows.5.i = phi i64 [ %rows.098.i, %lor.lhs.false.i.i ], [ %rows.4.i, %for.inc.i.i.i ]
  %16 = load ptr, ptr %retval.0.i71.i.i, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 40
  %17 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %16, i64 %17
  store ptr %add.ptr.i.i, ptr %arrayidx5.i, align 8
  %bytes.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 24
  %18 = load i64, ptr %bytes.i.i.i, align 8
  %cmp.i.i.i = icmp eq i64 %18, 0
  br i1 %cmp.i.i.i, label %for.inc.critedge.i, label %lor.rhs.i.i.i

lor.rhs.i.i.i:                                    ; preds = %if.end5.i.i
  %cmp1.i.i.i = icmp sgt i32 %9, 0
  br i1 %cmp1.i.i.i, label %is_empty.exit.i.i, label %if.end11.i.i

is_empty.exit.i.i:                                ; preds = %lor.rhs.i.i.i
  %shape.i47.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 24
  %19 = load ptr, ptr %shape.i47.i.i, align 8
  %20 = load i64, ptr %19, align 8
  %cmp2.i.i.i = icmp eq i64 %20, 0
  br i1 %cmp2.i.i.i, label %for.inc.critedge.i, label %if.end8.i.i

if.end8.i.i:                                      ; preds = %is_empty.exit.i.i
  %strides.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i71.i.i, i64 32
  %21 = load ptr, ptr %strides.i.i.i, align 8
  %cmp.i48.i.i = icmp eq ptr %21, null
  br i1 %cmp.i48.i.i, label %if.end11.i.i, label %for.body.lr.ph.i51.i.i

for.body.lr.ph.i51.i.i:                           ; preds = %if.end8.i.i
  %shape.i52.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %22 = load ptr, ptr %shape.i52.i.i, align 8
  %23 = zext nneg i32 %9 to i64
  br label %for.body.i53.i.i

for.body.i53.i.i:                                 ; preds = %if.end8.i.i.i, %for.body.lr.ph.i51.i.i
  %indvars.iv.i54.i.i = phi i64 [ %23, %for.body.lr.ph.i51.i.i ], [ %indvars.iv.next.i55.i.i, %if.end8.i.i.i ]
  %expected.031.i.i.i = phi i64 [ 1, %for.body.lr.ph.i51.i.i ], [ %mul.i.i.i, %if.end8.i.i.i ]
  %indvars.iv.next.i55.i.i = add nsw i64 %indvars.iv.i54.i.i, -1
  %arrayidx.i56.i.i = getelementptr inbounds nuw i64, ptr %21, i64 %indvars.iv.next.i55.i.i
  %24 = load i64, ptr %arrayidx.i56.i.i, align 8
  %arrayidx4.i.i.i = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.next.i55.i.i
  %25 = load i64, ptr %arrayidx4.i.i.i, align 8
  %cmp5.not.i57.i.i = icmp eq i64 %25, 1
  %cmp6.not.i.i.i = icmp eq i64 %24, %expected.031.i.i.i
  %or.cond.i.i.i = select i1 %cmp5.not.i57.i.i, i1 true, i1 %cmp6.not.i.i.i
  br i1 %or.cond.i.i.i, label %if.end8.i.i.i, label %if.then7.i

if.end8.i.i.i:                                    ; preds = %for.body.i53.i.i
  %mul.i.i.i = mul nsw i64 %25, %expected.031.i.i.i
  %cmp1.i62.i.i = icmp samesign ult i64 %indvars.iv.i54.i.i, 2
  br i1 %cmp1.i62.i.i, label %if.end11.i.i, label %for.body.i53.i.i

if.end11.i.i:                                     ; preds = %if.end8.i.i.i, %if.end8.i.i, %lor.rhs.i.i.i
  %26 = ptrtoint ptr %add.ptr.i.i to i64
  %cmp13.i.i = icmp eq ptr %16, null
  %alignment19.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %.pre.i.i = load i64, ptr %alignment19.phi.trans.insert.i.i, align 8
  br i1 %cmp13.i.i, label %if.then7.i, label %lor.lhs.false15.i.i

lor.lhs.false15.i.i:                              ; preds = %if.end11.i.i
  %sub.i.i = add nsw i64 %.pre.i.i, -1
  %and.i.i = and i64 %sub.i.i, %26
  %cmp16.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %cmp16.not.i.i, label %for.inc.critedge.i, label %if.then7.i

if.then7.i:                                       ; preds = %if.end11.i.i, %lor.lhs.false15.i.i, %if.end.i44.i.i, %lor.lhs.false.i.i.i, %for.body.i53.i.i, %if.then18.i.i.i, %if.then7.i.i.i, %if.then.i42.i.i, %if.then.i.i
  %IS_ROW_MAJOR.sink.i.i = phi ptr [ @HAS_SHAPE, %if.end.i44.i.i ], [ @IS_IN_CPU_MEMORY, %if.then.i42.i.i ], [ @IS_TENSOR, %if.then.i.i ], [ @IS_ROW_MAJOR, %for.body.i53.i.i ], [ @HAS_DTYPE, %if.then7.i.i.i ], [ @HAS_RANK, %if.then18.i.i.i ], [ @HAS_SHAPE, %lor.lhs.false.i.i.i ], [ @IS_ALIGNED, %lor.lhs.false15.i.i ], [ @IS_ALIGNED, %if.end11.i.i ]
  %.lcssa.sink.i.i = phi i64 [ %14, %if.end.i44.i.i ], [ %conv.i.i.i, %if.then.i42.i.i ], [ %conv.i.i, %if.then.i.i ], [ %24, %for.body.i53.i.i ], [ %conv8.i.i.i, %if.then7.i.i.i ], [ %conv20.i.i.i, %if.then18.i.i.i ], [ %14, %lor.lhs.false.i.i.i ], [ %26, %lor.lhs.false15.i.i ], [ %26, %if.end11.i.i ]
  %indvars.iv.next.i55.lcssa.sink.i.i = phi i64 [ %indvars.iv.i.i.i, %if.end.i44.i.i ], [ %conv2.i.i.i, %if.then.i42.i.i ], [ 0, %if.then.i.i ], [ %indvars.iv.next.i55.i.i, %for.body.i53.i.i ], [ %conv10.i.i.i, %if.then7.i.i.i ], [ 0, %if.then18.i.i.i ], [ %indvars.iv.i.i.i, %lor.lhs.false.i.i.i ], [ %.pre.i.i, %lor.lhs.false15.i.i ], [ %.pre.i.i, %if.end11.i.i ]
  %expected.031.i.lcssa.sink.i.i = phi i64 [ 0, %if.end.i44.i.i ], [ 0, %if.then.i42.i.i ], [ 0, %if.then.i.i ], [ %expected.031.i.i.i, %for.body.i53.i.i ], [ %conv12.i.i.i, %if.then7.i.i.i ], [ 0, %if.then18.i.i.i ], [ 0, %lor.lhs.false.i.i.i ], [ 0, %lor.lhs.false15.i.i ], [ 0, %if.end11.i.i ]
  %27 = trunc i64 %indvars.iv.i to i32
  store ptr %IS_ROW_MAJOR.sink.i.i, ptr %finding.i, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i.i59.i.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 8
  store i64 %.lcssa.sink.i.i, ptr %.compoundliteral.sroa.2.0..sroa_idx.i.i59.i.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i.i60.i.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 16
  store i64 %indvars.iv.next.i55.lcssa.sink.i.i, ptr %.compoundliteral.sroa.3.0..sroa_idx.i.i60.i.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i.i61.i.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 24
  store i64 %expected.031.i.lcssa.sink.i.i, ptr %.compoundliteral.sroa.4.0..sroa_idx.i.i61.i.i, align 8
  call fastcc void @fail_argument(i32 noundef %27, ptr noundef %finding.i) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i) #6
  br label %cleanup19

for.inc.critedge.i:                               ; preds = %lor.lhs.false15.i.i, %is_empty.exit.i.i, %if.end5.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i) #6
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.end.i:                                        ; preds = %for.inc.critedge.i, %for.cond.preheader.i
  %rows.0.lcssa.i = phi i64 [ -1, %for.cond.preheader.i ], [ %rows.5.i, %for.inc.critedge.i ]
  %idxprom12.i = sext i32 %count to i64
  %arrayidx13.i = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %idxprom12.i
  store i64 %rows.0.lcssa.i, ptr %arrayidx13.i, align 8
  %28 = load i32, ptr @tw_inputs, align 4
  %cmp60.i.i = icmp slt i32 %28, %count
  br i1 %cmp60.i.i, label %for.body.preheader.i.i, label %if.end

for.body.preheader.i.i:                           ; preds = %for.end.i
  %29 = sext i32 %28 to i64
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc22.i.i, %for.body.preheader.i.i
  %indvars.iv65.i.i = phi i64 [ %29, %for.body.preheader.i.i ], [ %indvars.iv.next66.i.i, %for.inc22.i.i ]
  %arrayidx.i.i = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %indvars.iv65.i.i
  %30 = load ptr, ptr %arrayidx.i.i, align 8
  %31 = ptrtoint ptr %30 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv65.i.i
  %rank.i.i28.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %32 = load i32, ptr %rank.i.i28.i, align 8
  %cmp.i.i29.i = icmp sgt i32 %32, 0
  br i1 %cmp.i.i29.i, label %land.rhs.i.i.i, label %bytes_of.exit.i.i

land.rhs.i.i.i:                                   ; preds = %for.body.i.i
  %shape.i.i34.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 16
  %33 = load ptr, ptr %shape.i.i34.i, align 8
  %34 = load i64, ptr %33, align 8
  %cmp1.i.i35.i = icmp eq i64 %34, -1
  %35 = select i1 %cmp1.i.i35.i, i64 %rows.0.lcssa.i, i64 1
  br label %bytes_of.exit.i.i

bytes_of.exit.i.i:                                ; preds = %land.rhs.i.i.i, %for.body.i.i
  %cond.i.i.i = phi i64 [ 1, %for.body.i.i ], [ %35, %land.rhs.i.i.i ]
  %cmp4.not58.i.i = icmp sgt i64 %indvars.iv65.i.i, 0
  br i1 %cmp4.not58.i.i, label %for.body6.lr.ph.i.i, label %for.inc22.i.i

for.body6.lr.ph.i.i:                              ; preds = %bytes_of.exit.i.i
  %bytes.i.i30.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 24
  %36 = load i64, ptr %bytes.i.i30.i, align 8
  %mul.i.i31.i = mul i64 %36, %cond.i.i.i
  %cmp.i52.i.i = icmp ne i64 %mul.i.i31.i, 0
  %add4.i.i.i = add i64 %mul.i.i31.i, %31
  %wide.trip.count.i.i = and i64 %indvars.iv65.i.i, 4294967295
  br label %for.body6.i.i

for.cond3.i.i:                                    ; preds = %bytes_of.exit51.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %for.inc22.i.i, label %for.body6.i.i

for.body6.i.i:                                    ; preds = %for.cond3.i.i, %for.body6.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body6.lr.ph.i.i ], [ %indvars.iv.next.i.i, %for.cond3.i.i ]
  %arrayidx8.i.i = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %indvars.iv.i.i
  %37 = load ptr, ptr %arrayidx8.i.i, align 8
  %38 = ptrtoint ptr %37 to i64
  %arrayidx10.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i.i
  %rank.i43.i.i = getelementptr inbounds nuw i8, ptr %arrayidx10.i.i, i64 40
  %39 = load i32, ptr %rank.i43.i.i, align 8
  %cmp.i44.i.i = icmp sgt i32 %39, 0
  br i1 %cmp.i44.i.i, label %land.rhs.i48.i.i, label %bytes_of.exit51.i.i

land.rhs.i48.i.i:                                 ; preds = %for.body6.i.i
  %shape.i49.i.i = getelementptr inbounds nuw i8, ptr %arrayidx10.i.i, i64 16
  %40 = load ptr, ptr %shape.i49.i.i, align 8
  %41 = load i64, ptr %40, align 8
  %cmp1.i50.i.i = icmp eq i64 %41, -1
  %42 = select i1 %cmp1.i50.i.i, i64 %rows.0.lcssa.i, i64 1
  br label %bytes_of.exit51.i.i

bytes_of.exit51.i.i:                              ; preds = %land.rhs.i48.i.i, %for.body6.i.i
  %cond.i45.i.i = phi i64 [ 1, %for.body6.i.i ], [ %42, %land.rhs.i48.i.i ]
  %bytes.i46.i.i = getelementptr inbounds nuw i8, ptr %arrayidx10.i.i, i64 24
  %43 = load i64, ptr %bytes.i46.i.i, align 8
  %mul.i47.i.i = mul i64 %43, %cond.i45.i.i
  %cmp1.i53.i.i = icmp ne i64 %mul.i47.i.i, 0
  %or.cond.i.i32.i = and i1 %cmp.i52.i.i, %cmp1.i53.i.i
  %add.i.i.i = add i64 %mul.i47.i.i, %38
  %cmp3.i.i.i = icmp ugt i64 %add.i.i.i, %31
  %or.cond10.i.i.i = and i1 %or.cond.i.i32.i, %cmp3.i.i.i
  %cmp5.i.i.i = icmp ugt i64 %add4.i.i.i, %38
  %or.cond.i33.i = select i1 %or.cond10.i.i.i, i1 %cmp5.i.i.i, i1 false
  br i1 %or.cond.i33.i, label %cleanup24.i.i, label %for.cond3.i.i

for.inc22.i.i:                                    ; preds = %for.cond3.i.i, %bytes_of.exit.i.i
  %indvars.iv.next66.i.i = add nsw i64 %indvars.iv65.i.i, 1
  %lftr.wideiv.i.i = trunc i64 %indvars.iv.next66.i.i to i32
  %exitcond68.not.i.i = icmp eq i32 %count, %lftr.wideiv.i.i
  br i1 %exitcond68.not.i.i, label %if.end, label %for.body.i.i

cleanup24.i.i:                                    ; preds = %bytes_of.exit51.i.i
  %44 = trunc nsw i64 %indvars.iv65.i.i to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %finding.i.i) #6
  store ptr @IS_APART, ptr %finding.i.i, align 8
  %numbers.i.i = getelementptr inbounds nuw i8, ptr %finding.i.i, i64 8
  store i64 %indvars.iv.i.i, ptr %numbers.i.i, align 8
  %arrayinit.element.i.i = getelementptr inbounds nuw i8, ptr %finding.i.i, i64 16
  store i64 0, ptr %arrayinit.element.i.i, align 8
  %arrayinit.element13.i.i = getelementptr inbounds nuw i8, ptr %finding.i.i, i64 24
  store i64 0, ptr %arrayinit.element13.i.i, align 8
  call fastcc void @fail_argument(i32 noundef %44, ptr noundef %finding.i.i) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i.i) #6
  br label %cleanup19

if.end:                                           ; preds = %for.inc22.i.i, %for.end.i
  %45 = load i64, ptr @tw_weights_bytes, align 8
  %cmp1 = icmp ne i64 %45, 0
  %46 = load ptr, ptr @__tw_weights, align 8
  %cmp2 = icmp eq ptr %46, null
  %or.cond = select i1 %cmp1, i1 %cmp2, i1 false
  br i1 %or.cond, label %if.then3, label %if.end5

if.then3:                                         ; preds = %if.end
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.10, i64 noundef %45) #8
  br label %cleanup19

if.end5:                                          ; preds = %if.end
  %47 = load i32, ptr @tw_max_threads, align 4
  %cond = tail call i32 @llvm.smin.i32(i32 %threads, i32 %47)
  %cond11 = tail call i32 @llvm.smax.i32(i32 %cond, i32 1)
  %48 = load i64, ptr @tw_arena_bytes, align 8
  %cmp.i = icmp eq i64 %48, 0
  br i1 %cmp.i, label %if.then.i31, label %for.body.i.i26

if.then.i31:                                      ; preds = %if.end5
  %call.i32 = call i32 @tw_run(ptr noundef nonnull %vla, ptr noundef null, i32 noundef %cond11) #7
  br label %run.exit

for.cond.i.i:                                     ; preds = %for.body.i.i26
  %indvars.iv.next.i.i29 = add nuw nsw i64 %indvars.iv.i.i27, 1
  %exitcond.not.i.i30 = icmp eq i64 %indvars.iv.next.i.i29, 8
  br i1 %exitcond.not.i.i30, label %for.end.i.i, label %for.body.i.i26

for.body.i.i26:                                   ; preds = %if.end5, %for.cond.i.i
  %indvars.iv.i.i27 = phi i64 [ %indvars.iv.next.i.i29, %for.cond.i.i ], [ 0, %if.end5 ]
  %arrayidx.i.i28 = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i.i27
  %49 = atomicrmw xchg ptr %arrayidx.i.i28, i64 0 acq_rel, align 8
  %cmp1.not.i.i = icmp eq i64 %49, 0
  br i1 %cmp1.not.i.i, label %for.cond.i.i, label %return.loopexit.i.i

for.end.i.i:                                      ; preds = %for.cond.i.i
  %call.i.i = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %48) #7
  br label %take_arena.exit.i

return.loopexit.i.i:                              ; preds = %for.body.i.i26
  %50 = inttoptr i64 %49 to ptr
  br label %take_arena.exit.i

take_arena.exit.i:                                ; preds = %return.loopexit.i.i, %for.end.i.i
  %retval.3.i.i = phi ptr [ %call.i.i, %for.end.i.i ], [ %50, %return.loopexit.i.i ]
  %cmp2.i = icmp eq ptr %retval.3.i.i, null
  br i1 %cmp2.i, label %run.exit.thread, label %if.end5.i

run.exit.thread:                                  ; preds = %take_arena.exit.i
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.31, ptr noundef nonnull @.str.32, i64 noundef %48) #8
  br label %cleanup19

if.end5.i:                                        ; preds = %take_arena.exit.i
  %call6.i = call i32 @tw_run(ptr noundef nonnull %vla, ptr noundef nonnull %retval.3.i.i, i32 noundef %cond11) #7
  %51 = ptrtoint ptr %retval.3.i.i to i64
  br label %for.body.i11.i

for.cond.i14.i:                                   ; preds = %for.body.i11.i
  %indvars.iv.next.i15.i = add nuw nsw i64 %indvars.iv.i12.i, 1
  %exitcond.not.i16.i = icmp eq i64 %indvars.iv.next.i15.i, 8
  br i1 %exitcond.not.i16.i, label %for.end.i17.i, label %for.body.i11.i

for.body.i11.i:                                   ; preds = %for.cond.i14.i, %if.end5.i
  %indvars.iv.i12.i = phi i64 [ 0, %if.end5.i ], [ %indvars.iv.next.i15.i, %for.cond.i14.i ]
  %arrayidx.i13.i = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i12.i
  %52 = cmpxchg ptr %arrayidx.i13.i, i64 0, i64 %51 acq_rel monotonic, align 8
  %53 = extractvalue { i64, i1 } %52, 1
  br i1 %53, label %run.exit, label %for.cond.i14.i

for.end.i17.i:                                    ; preds = %for.cond.i14.i
  call void @free(ptr noundef nonnull %retval.3.i.i) #7
  br label %run.exit

run.exit:                                         ; preds = %for.body.i11.i, %if.then.i31, %for.end.i17.i
  %retval.1.i = phi i32 [ %call.i32, %if.then.i31 ], [ %call6.i, %for.end.i17.i ], [ %call6.i, %for.body.i11.i ]
  %54 = add i32 %retval.1.i, 1
  %or.cond20 = icmp ult i32 %54, 2
  br i1 %or.cond20, label %cleanup19, label %if.end16

if.end16:                                         ; preds = %run.exit
  %conv = sext i32 %retval.1.i to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.9, ptr noundef nonnull @.str.11, i64 noundef %conv) #8
  br label %cleanup19

cleanup19:                                        ; preds = %cleanup24.i.i, %if.then7.i, %if.then.i, %run.exit.thread, %if.end16, %run.exit, %if.then3
  %retval.1 = phi i32 [ -1, %run.exit.thread ], [ -1, %if.then3 ], [ -1, %if.end16 ], [ %retval.1.i, %run.exit ], [ -1, %if.then.i ], [ -1, %if.then7.i ], [ -1, %cleanup24.i.i ]
  ret i32 %retval.1
}

define range(i32 -1, 1) i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call.i = tail call fastcc range(i32 -1, 1) i32 @enter(ptr noundef readonly %args, i32 noundef %count, i32 noundef %0) #9
  ret i32 %call.i
}

define range(i32 -1, 1) i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %cmp = icmp slt i32 %count, 1
  br i1 %cmp, label %cond.end, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1.not = icmp eq i32 %0, 1
  br i1 %cmp1.not, label %if.end, label %cond.false

cond.false:                                       ; preds = %lor.lhs.false
  %1 = sext i32 %0 to i64
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i64 [ %1, %cond.false ], [ 0, %entry ]
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3, i64 noundef %cond) #8
  br label %return

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load i64, ptr %payload, align 8
  %conv4 = trunc i64 %2 to i32
  %call5 = tail call fastcc i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef %sub, i32 noundef %conv4) #9
  br label %return

return:                                           ; preds = %if.end, %cond.end
  %retval.0 = phi i32 [ -1, %cond.end ], [ %call5, %if.end ]
  ret i32 %retval.0
}

define internal fastcc void @fail_number(ptr noundef %kind, ptr noundef %format, i64 noundef %number) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #6
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef %format, ptr noundef nonnull @tw_name, i64 noundef %number) #7
  call fastcc void @report(ptr noundef %kind, ptr noundef %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #6
  ret void
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr noundef, ptr noundef) #4

declare extern_weak ptr @dlsym(ptr noundef, ptr noundef) #4

define internal fastcc void @fail_count(i32 noundef %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #6
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = load i32, ptr @tw_inputs, align 4
  %sub = sub nsw i32 %0, %1
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.12, ptr noundef nonnull @tw_name, i32 noundef %0, i32 noundef %1, i32 noundef %sub, i32 noundef %got, ptr noundef nonnull @tw_signature) #7
  call fastcc void @report(ptr noundef nonnull @.str.2, ptr noundef %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #6
  ret void
}

define internal fastcc void @fail_argument(i32 noundef %index, ptr noundef nonnull readonly captures(none) %finding) unnamed_addr #0 {
entry:
  %got = alloca [128 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %0 = load ptr, ptr %finding, align 8
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %got) #6
  %got2 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load ptr, ptr %got2, align 8
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %2 = load i64, ptr %numbers, align 8
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %3 = load i64, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %4 = load i64, ptr %arrayidx7, align 8
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #6
  %5 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %text, align 8
  %text9 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %7 = load ptr, ptr %text9, align 8
  %call11 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.28, ptr noundef nonnull @tw_name, i32 noundef %index, ptr noundef %5, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %got, ptr noundef nonnull @tw_signature) #7
  %8 = load ptr, ptr %0, align 8
  call fastcc void @report(ptr noundef %8, ptr noundef %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %got) #6
  ret void
}

declare hidden i32 @tw_run(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #4

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #4

declare i32 @llvm.smin.i32(i32, i32) #5

declare i32 @llvm.smax.i32(i32, i32) #5

attributes #0 = { cold noinline nounwind optsize "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-builtins" }
attributes #3 = { nounwind "no-builtins" }
attributes #4 = { "no-builtins" }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }
attributes #7 = { nobuiltin nounwind "no-builtins" }
attributes #8 = { cold nobuiltin "no-builtins" }
attributes #9 = { nobuiltin "no-builtins" }
