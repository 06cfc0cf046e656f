; Generated from runtime/native/entry.c by `make prelude`; do not edit.
; ziglang 0.17.1, riscv64-linux-gnu
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"

%struct.tw_symbol = type { i64, i64, i64, i64, i32, i32 }
%struct.tw_expression = type { ptr, ptr, i64, i64, i64 }
%struct.rule = type { ptr, ptr, ptr }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32 }
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
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_size_count = external hidden local_unnamed_addr constant i32, align 4
@.str.4 = private unnamed_addr constant [108 x i8] c"%s: the last argument does not take the sizes of the outputs\0A    expected: an int64 tensor of %lld elements\00", align 1
@__tw_weights = local_unnamed_addr global ptr null, align 8
@__tw_pool = local_unnamed_addr global ptr null, align 8
@__tw_raise = local_unnamed_addr global ptr null, align 8
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 8
@__tvm_ffi__library_ctx = weak local_unnamed_addr global ptr null, align 8
@__tw_last_error = global [1024 x i8] zeroinitializer, align 1
@.str.5 = private unnamed_addr constant [2 x i8] c"[\00", align 1
@.str.6 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.7 = private unnamed_addr constant [7 x i8] c", %lld\00", align 1
@.str.8 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@.str.9 = private unnamed_addr constant [29 x i8] c"TVMFFIErrorSetRaisedFromCStr\00", align 1
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.10 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.11 = private unnamed_addr constant [101 x i8] c"%s: the weights are not loaded\0A    expected: the address of %lld bytes in __tw_weights\0A    got: null\00", align 1
@tw_max_threads = external hidden local_unnamed_addr constant i32, align 4
@.str.12 = private unnamed_addr constant [41 x i8] c"%s: a kernel failed\0A    got: status %lld\00", align 1
@tw_symbol_count = external hidden local_unnamed_addr constant i32, align 4
@tw_symbols = external hidden local_unnamed_addr constant [0 x %struct.tw_symbol], align 8
@.str.13 = private unnamed_addr constant [136 x i8] c"%s: the sizes of the outputs do not follow from the inputs\0A    expected: a call with arrays for the outputs, the first is argument %lld\00", align 1
@.str.14 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.15 = private unnamed_addr constant [102 x i8] c"%s: the sizes of the arguments are too large\0A    expected: intermediate results of at most %lld bytes\00", align 1
@tw_expression_count = external hidden local_unnamed_addr constant i32, align 4
@tw_expressions = external hidden local_unnamed_addr constant [0 x %struct.tw_expression], align 8
@IS_TENSOR = internal constant %struct.rule { ptr @.str.2, ptr @.str.16, ptr @.str.17 }, align 8
@tw_specs = external hidden local_unnamed_addr constant [0 x %struct.tw_spec], align 8
@HAS_VALID_SIZE = internal constant %struct.rule { ptr @.str.18, ptr @.str.25, ptr @.str.26 }, align 8
@.str.16 = private unnamed_addr constant [16 x i8] c"is not a tensor\00", align 1
@.str.17 = private unnamed_addr constant [16 x i8] c"type index %lld\00", align 1
@IS_IN_CPU_MEMORY = internal constant %struct.rule { ptr @.str.18, ptr @.str.19, ptr @.str.20 }, align 8
@HAS_DTYPE = internal constant %struct.rule { ptr @.str.2, ptr @.str.21, ptr @.str.22 }, align 8
@HAS_RANK = internal constant %struct.rule { ptr @.str.18, ptr @.str.23, ptr @.str.24 }, align 8
@.str.18 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.19 = private unnamed_addr constant [21 x i8] c"is not in CPU memory\00", align 1
@.str.20 = private unnamed_addr constant [37 x i8] c"DLPack device type %lld, number %lld\00", align 1
@.str.21 = private unnamed_addr constant [20 x i8] c"has the wrong dtype\00", align 1
@.str.22 = private unnamed_addr constant [45 x i8] c"DLPack type code %lld, %lld bits, %lld lanes\00", align 1
@.str.23 = private unnamed_addr constant [35 x i8] c"has the wrong number of dimensions\00", align 1
@.str.24 = private unnamed_addr constant [16 x i8] c"%lld dimensions\00", align 1
@.str.25 = private unnamed_addr constant [29 x i8] c"has a size that is not valid\00", align 1
@.str.26 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.27 = private unnamed_addr constant [14 x i8] c"in %lld..%lld\00", align 1
@.str.28 = private unnamed_addr constant [17 x i8] c"of at least %lld\00", align 1
@.str.29 = private unnamed_addr constant [107 x i8] c"%s: a size is outside of its range\0A    expected: %s %s\0A    got: %lld, where %s = %lld (dimension %d of %s)\00", align 1
@.str.30 = private unnamed_addr constant [33 x i8] c"%s%s = %lld (dimension %d of %s)\00", align 1
@.str.31 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.32 = private unnamed_addr constant [155 x i8] c"%s: the inputs are too small: an intermediate result would have a negative size\0A    expected: larger inputs, as for windows that fit into them\0A    got: %s\00", align 1
@IS_ALIGNED = internal constant %struct.rule { ptr @.str.18, ptr @.str.37, ptr @.str.38 }, align 8
@HAS_SIZE = internal constant %struct.rule { ptr @.str.18, ptr @.str.33, ptr @.str.26 }, align 8
@HAS_SHAPE = internal constant %struct.rule { ptr @.str.18, ptr @.str.33, ptr @.str.34 }, align 8
@.str.33 = private unnamed_addr constant [20 x i8] c"has the wrong shape\00", align 1
@.str.34 = private unnamed_addr constant [28 x i8] c"size %lld in dimension %lld\00", align 1
@IS_ROW_MAJOR = internal constant %struct.rule { ptr @.str.18, ptr @.str.35, ptr @.str.36 }, align 8
@.str.35 = private unnamed_addr constant [38 x i8] c"is not stored row by row without gaps\00", align 1
@.str.36 = private unnamed_addr constant [46 x i8] c"stride %lld in dimension %lld instead of %lld\00", align 1
@.str.37 = private unnamed_addr constant [39 x i8] c"is null or not aligned to its elements\00", align 1
@.str.38 = private unnamed_addr constant [40 x i8] c"address %#llx, needs a multiple of %lld\00", align 1
@.str.39 = private unnamed_addr constant [71 x i8] c"%s: argument %d (%s) %s\0A    expected: %s\0A    got: %s\0A    signature: %s\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.40 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.41 = private unnamed_addr constant [8 x i8] c" = %lld\00", align 1
@.str.42 = private unnamed_addr constant [9 x i8] c", where \00", align 1
@.str.43 = private unnamed_addr constant [31 x i8] c"%s = %lld (dimension %d of %s)\00", align 1
@.str.44 = private unnamed_addr constant [20 x i8] c"%s is in %lld..%lld\00", align 1
@.str.45 = private unnamed_addr constant [116 x i8] c"%s: argument %d (%s) %s\0A    expected: %s, dimension %lld: %s\0A    got: size %lld in dimension %lld\0A    signature: %s\00", align 1
@IS_APART = internal constant %struct.rule { ptr @.str.18, ptr @.str.46, ptr @.str.47 }, align 8
@.str.46 = private unnamed_addr constant [36 x i8] c"shares memory with another argument\00", align 1
@.str.47 = private unnamed_addr constant [27 x i8] c"overlap with argument %lld\00", align 1
@.str.48 = private unnamed_addr constant [68 x i8] c"%s: no memory for the intermediate results\0A    expected: %lld bytes\00", align 1
@.str.49 = private unnamed_addr constant [101 x i8] c"%s: wrong number of arguments\0A    expected: %d (%d inputs, %d outputs)\0A    got: %d\0A    signature: %s\00", align 1
@tw_arena_bytes = external hidden local_unnamed_addr constant i64, align 8

define hidden noundef signext i32 @tw_fail_index(ptr noundef readonly captures(none) %check, i64 noundef %position, i64 noundef %got, i64 noundef %low, i64 noundef %high) local_unnamed_addr #0 {
entry:
  %where = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %where) #7
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %where, i64 noundef 256, ptr noundef nonnull @.str.5) #8
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
  %cond.i = select i1 %cmp12.i, ptr @.str.6, ptr @.str.7
  %add.ptr.i = getelementptr inbounds i8, ptr %where, i64 %length.051.i
  %call15.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i, i64 noundef %sub52.i, ptr noundef nonnull %cond.i, i64 noundef %rem.i) #8
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
  %call23.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr21.i, i64 noundef %sub.lcssa.i, ptr noundef nonnull @.str.8) #8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %7 = load ptr, ptr %check, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, ptr noundef %7, i64 noundef %low, i64 noundef %high, i64 noundef %got, ptr noundef nonnull %where) #8
  call fastcc void @report(ptr noundef nonnull @.str.1, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %where) #7
  ret i32 -1
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

define internal fastcc void @report(ptr noundef %kind, ptr noundef nonnull %message) unnamed_addr #0 {
entry:
  %call = tail call ptr @memcpy(ptr noundef nonnull @__tw_last_error, ptr noundef nonnull %message, i64 noundef 1024) #8
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
  %call.i = tail call ptr @dlsym(ptr noundef null, ptr noundef nonnull @.str.9) #8
  br label %host_report.exit

host_report.exit:                                 ; preds = %if.end3.i, %if.end9.i
  %retval.0.i = phi ptr [ %call.i, %if.end9.i ], [ @TVMFFIErrorSetRaisedFromCStr, %if.end3.i ]
  %cmp.not = icmp eq ptr %retval.0.i, null
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %if.end.i, %entry, %host_report.exit
  %retval.0.i6 = phi ptr [ %retval.0.i, %host_report.exit ], [ %1, %if.end.i ], [ %0, %entry ]
  tail call void %retval.0.i6(ptr noundef %kind, ptr noundef nonnull %message) #8
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
  tail call void @free(ptr noundef %1) #8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare void @free(ptr noundef) local_unnamed_addr #2

define signext range(i32 -1, 1) i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call = tail call fastcc signext i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %0) #10
  ret i32 %call
}

define internal fastcc signext range(i32 -1, 1) i32 @enter(ptr noundef readonly captures(none) %args, i32 noundef signext %count, i32 noundef signext %threads) unnamed_addr #3 {
entry:
  %finding.i.i = alloca %struct.finding, align 8
  %finding.i = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  %vla2 = alloca i64, i64 %1, align 8
  %2 = load i32, ptr @tw_size_count, align 4
  %add3 = add nsw i32 %2, 1
  %3 = zext i32 %add3 to i64
  %vla4 = alloca i64, i64 %3, align 8
  %cmp.not.i = icmp eq i32 %count, %0
  br i1 %cmp.not.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef signext %count) #9
  br label %cleanup25

if.end.i:                                         ; preds = %entry
  %call2.i = call fastcc signext i32 @bind_sizes(ptr noundef readonly %args, i32 noundef signext %count, ptr noundef nonnull %vla4) #10
  %cmp3.not.i = icmp eq i32 %call2.i, 0
  br i1 %cmp3.not.i, label %for.cond.preheader.i, label %cleanup25

for.cond.preheader.i:                             ; preds = %if.end.i
  %cmp690.i = icmp sgt i32 %count, 0
  br i1 %cmp690.i, label %for.body.lr.ph.i, label %for.end.i

for.body.lr.ph.i:                                 ; preds = %for.cond.preheader.i
  %wide.trip.count.i = zext nneg i32 %count to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.critedge.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.critedge.i ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding.i) #7
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv.i
  %arrayidx8.i = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %indvars.iv.i
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %4 = load i32, ptr %arrayidx.i, align 8
  switch i32 %4, label %if.then.i.i [
    i32 7, label %tensor_of.exit.i.i
    i32 70, label %tensor_of.exit.thread90.i.i
  ]

tensor_of.exit.thread90.i.i:                      ; preds = %for.body.i
  %payload4.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %5 = load ptr, ptr %payload4.i.i.i, align 8
  %tensor.i.i.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  br label %if.end.i.i

tensor_of.exit.i.i:                               ; preds = %for.body.i
  %payload.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %6 = load ptr, ptr %payload.i.i.i, align 8
  %cmp.i.i = icmp eq ptr %6, null
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %tensor_of.exit.i.i, %for.body.i
  %conv.i.i = sext i32 %4 to i64
  br label %cleanup14.i

if.end.i.i:                                       ; preds = %tensor_of.exit.i.i, %tensor_of.exit.thread90.i.i
  %retval.0.i93.i.i = phi ptr [ %tensor.i.i.i, %tensor_of.exit.thread90.i.i ], [ %6, %tensor_of.exit.i.i ]
  %device_type.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 8
  %7 = load i32, ptr %device_type.i.i.i, align 8
  %cmp.not.i.i.i = icmp eq i32 %7, 1
  br i1 %cmp.not.i.i.i, label %if.end.i.i.i, label %if.then.i55.i.i

if.then.i55.i.i:                                  ; preds = %if.end.i.i
  %conv.i.i.i = sext i32 %7 to i64
  %device_id.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 12
  %8 = load i32, ptr %device_id.i.i.i, align 4
  %conv2.i.i.i = sext i32 %8 to i64
  br label %cleanup14.i

if.end.i.i.i:                                     ; preds = %if.end.i.i
  %dtype3.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 20
  %9 = load i32, ptr %dtype3.i.i.i, align 4
  %dtype4.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 44
  %10 = load i32, ptr %dtype4.i.i.i, align 4
  %cmp5.not.i.i.i = icmp eq i32 %9, %10
  br i1 %cmp5.not.i.i.i, label %if.end14.i.i.i, label %if.then7.i.i.i

if.then7.i.i.i:                                   ; preds = %if.end.i.i.i
  %and.i.i.i = and i32 %9, 255
  %conv8.i.i.i = zext nneg i32 %and.i.i.i to i64
  %shr.i.i.i = lshr i32 %9, 8
  %and9.i.i.i = and i32 %shr.i.i.i, 255
  %conv10.i.i.i = zext nneg i32 %and9.i.i.i to i64
  %shr11.i.i.i = lshr i32 %9, 16
  %conv12.i.i.i = zext nneg i32 %shr11.i.i.i to i64
  br label %cleanup14.i

if.end14.i.i.i:                                   ; preds = %if.end.i.i.i
  %rank.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 16
  %11 = load i32, ptr %rank.i.i.i, align 8
  %rank15.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 40
  %12 = load i32, ptr %rank15.i.i.i, align 8
  %cmp16.not.i.i.i = icmp eq i32 %11, %12
  br i1 %cmp16.not.i.i.i, label %lor.lhs.false.i.i, label %if.then18.i.i.i

if.then18.i.i.i:                                  ; preds = %if.end14.i.i.i
  %conv20.i.i.i = sext i32 %11 to i64
  br label %cleanup14.i

lor.lhs.false.i.i:                                ; preds = %if.end14.i.i.i
  %cmp48.i.i.i = icmp slt i32 %11, 1
  br i1 %cmp48.i.i.i, label %if.end6.thread.i.i, label %for.body.lr.ph.i.i.i

if.end6.thread.i.i:                               ; preds = %lor.lhs.false.i.i
  %13 = load ptr, ptr %retval.0.i93.i.i, align 8
  %byte_offset96.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 40
  %14 = load i64, ptr %byte_offset96.i.i, align 8
  %add.ptr97.i.i = getelementptr inbounds nuw i8, ptr %13, i64 %14
  store ptr %add.ptr97.i.i, ptr %arrayidx8.i, align 8
  %bytes1.i98.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 24
  %15 = load i64, ptr %bytes1.i98.i.i, align 8
  br label %bytes_of.exit.i.i

for.body.lr.ph.i.i.i:                             ; preds = %lor.lhs.false.i.i
  %shape.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 24
  %16 = load ptr, ptr %shape.i.i.i, align 8
  %shape1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 16
  %17 = load ptr, ptr %shape1.i.i.i, align 8
  %wide.trip.count.i.i.i = zext nneg i32 %11 to i64
  br label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.inc.i.i.i, %for.body.lr.ph.i.i.i
  %indvars.iv.i.i.i = phi i64 [ 0, %for.body.lr.ph.i.i.i ], [ %indvars.iv.next.i.i.i, %for.inc.i.i.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.i.i.i
  %18 = load i64, ptr %arrayidx.i.i.i, align 8
  %arrayidx3.i.i.i = getelementptr inbounds nuw i64, ptr %17, i64 %indvars.iv.i.i.i
  %19 = load i64, ptr %arrayidx3.i.i.i, align 8
  %cmp4.i.i.i = icmp slt i64 %19, 0
  br i1 %cmp4.i.i.i, label %land.lhs.true.i.i.i, label %if.end.i57.i.i

land.lhs.true.i.i.i:                              ; preds = %for.body.i.i.i
  %sub.i.i.i = xor i64 %19, -1
  %arrayidx5.i.i.i = getelementptr inbounds nuw i64, ptr %vla4, i64 %sub.i.i.i
  %20 = load i64, ptr %arrayidx5.i.i.i, align 8
  %cmp6.not.i.i.i = icmp eq i64 %18, %20
  br i1 %cmp6.not.i.i.i, label %for.inc.i.i.i, label %cleanup14.i

if.end.i57.i.i:                                   ; preds = %for.body.i.i.i
  %cmp11.not.i.i.i = icmp eq i64 %18, %19
  br i1 %cmp11.not.i.i.i, label %for.inc.i.i.i, label %cleanup14.i

for.inc.i.i.i:                                    ; preds = %if.end.i57.i.i, %land.lhs.true.i.i.i
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, %wide.trip.count.i.i.i
  br i1 %exitcond.not.i.i.i, label %if.end6.i.i, label %for.body.i.i.i

if.end6.i.i:                                      ; preds = %for.inc.i.i.i
  %21 = load ptr, ptr %retval.0.i93.i.i, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 40
  %22 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %21, i64 %22
  store ptr %add.ptr.i.i, ptr %arrayidx8.i, align 8
  %bytes1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 24
  %23 = load i64, ptr %bytes1.i.i.i, align 8
  br label %for.body.i62.i.i

for.body.i62.i.i:                                 ; preds = %for.inc.i65.i.i, %if.end6.i.i
  %indvars.iv.i63.i.i = phi i64 [ 0, %if.end6.i.i ], [ %indvars.iv.next.i66.i.i, %for.inc.i65.i.i ]
  %bytes.013.i.i.i = phi i64 [ %23, %if.end6.i.i ], [ %bytes.1.i.i.i, %for.inc.i65.i.i ]
  %arrayidx.i64.i.i = getelementptr inbounds nuw i64, ptr %17, i64 %indvars.iv.i63.i.i
  %24 = load i64, ptr %arrayidx.i64.i.i, align 8
  %cmp2.i.i.i = icmp slt i64 %24, 0
  br i1 %cmp2.i.i.i, label %if.then.i68.i.i, label %for.inc.i65.i.i

if.then.i68.i.i:                                  ; preds = %for.body.i62.i.i
  %arrayidx5.i69.i.i = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.i63.i.i
  %25 = load i64, ptr %arrayidx5.i69.i.i, align 8
  %mul.i.i.i = mul i64 %25, %bytes.013.i.i.i
  br label %for.inc.i65.i.i

for.inc.i65.i.i:                                  ; preds = %if.then.i68.i.i, %for.body.i62.i.i
  %bytes.1.i.i.i = phi i64 [ %mul.i.i.i, %if.then.i68.i.i ], [ %bytes.013.i.i.i, %for.body.i62.i.i ]
  %indvars.iv.next.i66.i.i = add nuw nsw i64 %indvars.iv.i63.i.i, 1
  %exitcond.not.i67.i.i = icmp eq i64 %indvars.iv.next.i66.i.i, %wide.trip.count.i.i.i
  br i1 %exitcond.not.i67.i.i, label %bytes_of.exit.i.i, label %for.body.i62.i.i

bytes_of.exit.i.i:                                ; preds = %for.inc.i65.i.i, %if.end6.thread.i.i
  %26 = phi ptr [ %13, %if.end6.thread.i.i ], [ %21, %for.inc.i65.i.i ]
  %27 = phi ptr [ %add.ptr97.i.i, %if.end6.thread.i.i ], [ %add.ptr.i.i, %for.inc.i65.i.i ]
  %bytes.0.lcssa.i.i.i = phi i64 [ %15, %if.end6.thread.i.i ], [ %bytes.1.i.i.i, %for.inc.i65.i.i ]
  %arrayidx9.i.i = getelementptr inbounds nuw i64, ptr %vla2, i64 %indvars.iv.i
  store i64 %bytes.0.lcssa.i.i.i, ptr %arrayidx9.i.i, align 8
  %cmp13.i.i = icmp eq i64 %bytes.0.lcssa.i.i.i, 0
  br i1 %cmp13.i.i, label %for.inc.critedge.i, label %if.end16.i.i

if.end16.i.i:                                     ; preds = %bytes_of.exit.i.i
  %strides.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 32
  %28 = load ptr, ptr %strides.i.i.i, align 8
  %cmp.i.i.i = icmp eq ptr %28, null
  %brmerge.i.i = or i1 %cmp48.i.i.i, %cmp.i.i.i
  br i1 %brmerge.i.i, label %if.end19.i.i, label %for.body.lr.ph.i72.i.i

for.body.lr.ph.i72.i.i:                           ; preds = %if.end16.i.i
  %shape.i73.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i.i, i64 24
  %29 = load ptr, ptr %shape.i73.i.i, align 8
  %30 = zext nneg i32 %11 to i64
  br label %for.body.i74.i.i

for.body.i74.i.i:                                 ; preds = %if.end8.i.i.i, %for.body.lr.ph.i72.i.i
  %indvars.iv.i75.i.i = phi i64 [ %30, %for.body.lr.ph.i72.i.i ], [ %indvars.iv.next.i76.i.i, %if.end8.i.i.i ]
  %expected.031.i.i.i = phi i64 [ 1, %for.body.lr.ph.i72.i.i ], [ %mul.i84.i.i, %if.end8.i.i.i ]
  %indvars.iv.next.i76.i.i = add nsw i64 %indvars.iv.i75.i.i, -1
  %arrayidx.i77.i.i = getelementptr inbounds nuw i64, ptr %28, i64 %indvars.iv.next.i76.i.i
  %31 = load i64, ptr %arrayidx.i77.i.i, align 8
  %arrayidx4.i.i.i = getelementptr inbounds nuw i64, ptr %29, i64 %indvars.iv.next.i76.i.i
  %32 = load i64, ptr %arrayidx4.i.i.i, align 8
  %cmp5.not.i78.i.i = icmp eq i64 %32, 1
  %cmp6.not.i79.i.i = icmp eq i64 %31, %expected.031.i.i.i
  %or.cond.i.i.i = select i1 %cmp5.not.i78.i.i, i1 true, i1 %cmp6.not.i79.i.i
  br i1 %or.cond.i.i.i, label %if.end8.i.i.i, label %cleanup14.i

if.end8.i.i.i:                                    ; preds = %for.body.i74.i.i
  %mul.i84.i.i = mul nsw i64 %32, %expected.031.i.i.i
  %cmp1.i.i.i = icmp samesign ult i64 %indvars.iv.i75.i.i, 2
  br i1 %cmp1.i.i.i, label %if.end19.i.i, label %for.body.i74.i.i

if.end19.i.i:                                     ; preds = %if.end8.i.i.i, %if.end16.i.i
  %33 = ptrtoint ptr %27 to i64
  %cmp21.i.i = icmp eq ptr %26, null
  %alignment27.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 32
  %.pre.i.i = load i64, ptr %alignment27.phi.trans.insert.i.i, align 8
  br i1 %cmp21.i.i, label %cleanup14.i, label %lor.lhs.false23.i.i

lor.lhs.false23.i.i:                              ; preds = %if.end19.i.i
  %sub.i.i = add nsw i64 %.pre.i.i, -1
  %and.i.i = and i64 %sub.i.i, %33
  %cmp24.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %cmp24.not.i.i, label %for.inc.critedge.i, label %cleanup14.i

for.inc.critedge.i:                               ; preds = %lor.lhs.false23.i.i, %bytes_of.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i) #7
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

cleanup14.i:                                      ; preds = %if.end19.i.i, %lor.lhs.false23.i.i, %land.lhs.true.i.i.i, %if.end.i57.i.i, %for.body.i74.i.i, %if.then18.i.i.i, %if.then7.i.i.i, %if.then.i55.i.i, %if.then.i.i
  %IS_ROW_MAJOR.sink.i.i = phi ptr [ @HAS_SHAPE, %if.end.i57.i.i ], [ @IS_IN_CPU_MEMORY, %if.then.i55.i.i ], [ @IS_TENSOR, %if.then.i.i ], [ @IS_ROW_MAJOR, %for.body.i74.i.i ], [ @HAS_DTYPE, %if.then7.i.i.i ], [ @HAS_RANK, %if.then18.i.i.i ], [ @HAS_SIZE, %land.lhs.true.i.i.i ], [ @IS_ALIGNED, %lor.lhs.false23.i.i ], [ @IS_ALIGNED, %if.end19.i.i ]
  %.lcssa.sink.i.i = phi i64 [ %18, %land.lhs.true.i.i.i ], [ %conv.i.i.i, %if.then.i55.i.i ], [ %conv.i.i, %if.then.i.i ], [ %31, %for.body.i74.i.i ], [ %conv8.i.i.i, %if.then7.i.i.i ], [ %conv20.i.i.i, %if.then18.i.i.i ], [ %18, %if.end.i57.i.i ], [ %33, %lor.lhs.false23.i.i ], [ %33, %if.end19.i.i ]
  %indvars.iv.next.i76.lcssa.sink.i.i = phi i64 [ %indvars.iv.i.i.i, %land.lhs.true.i.i.i ], [ %conv2.i.i.i, %if.then.i55.i.i ], [ 0, %if.then.i.i ], [ %indvars.iv.next.i76.i.i, %for.body.i74.i.i ], [ %conv10.i.i.i, %if.then7.i.i.i ], [ 0, %if.then18.i.i.i ], [ %indvars.iv.i.i.i, %if.end.i57.i.i ], [ %.pre.i.i, %lor.lhs.false23.i.i ], [ %.pre.i.i, %if.end19.i.i ]
  %expected.031.i.lcssa.sink.i.i = phi i64 [ 0, %if.end.i57.i.i ], [ 0, %if.then.i55.i.i ], [ 0, %if.then.i.i ], [ %expected.031.i.i.i, %for.body.i74.i.i ], [ %conv12.i.i.i, %if.then7.i.i.i ], [ 0, %if.then18.i.i.i ], [ %sub.i.i.i, %land.lhs.true.i.i.i ], [ 0, %lor.lhs.false23.i.i ], [ 0, %if.end19.i.i ]
  %34 = trunc i64 %indvars.iv.i to i32
  store ptr %IS_ROW_MAJOR.sink.i.i, ptr %finding.i, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i.i81.i.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 8
  store i64 %.lcssa.sink.i.i, ptr %.compoundliteral.sroa.2.0..sroa_idx.i.i81.i.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i.i82.i.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 16
  store i64 %indvars.iv.next.i76.lcssa.sink.i.i, ptr %.compoundliteral.sroa.3.0..sroa_idx.i.i82.i.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i.i83.i.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 24
  store i64 %expected.031.i.lcssa.sink.i.i, ptr %.compoundliteral.sroa.4.0..sroa_idx.i.i83.i.i, align 8
  call fastcc void @fail_argument(i32 noundef signext %34, ptr noundef %finding.i, ptr noundef nonnull %vla4) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i) #7
  br label %cleanup25

for.end.i:                                        ; preds = %for.inc.critedge.i, %for.cond.preheader.i
  %idxprom17.i = sext i32 %count to i64
  %arrayidx18.i = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %idxprom17.i
  store ptr %vla4, ptr %arrayidx18.i, align 8
  %35 = load i32, ptr @tw_inputs, align 4
  %cmp53.i.i = icmp slt i32 %35, %count
  br i1 %cmp53.i.i, label %for.body.preheader.i.i, label %if.end

for.body.preheader.i.i:                           ; preds = %for.end.i
  %36 = sext i32 %35 to i64
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc23.i.i, %for.body.preheader.i.i
  %indvars.iv57.i.i = phi i64 [ %36, %for.body.preheader.i.i ], [ %indvars.iv.next58.i.i, %for.inc23.i.i ]
  %arrayidx.i37.i = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %indvars.iv57.i.i
  %37 = load ptr, ptr %arrayidx.i37.i, align 8
  %38 = ptrtoint ptr %37 to i64
  %cmp2.not51.i.i = icmp sgt i64 %indvars.iv57.i.i, 0
  br i1 %cmp2.not51.i.i, label %for.body4.lr.ph.i.i, label %for.inc23.i.i

for.body4.lr.ph.i.i:                              ; preds = %for.body.i.i
  %arrayidx8.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv57.i.i
  %past.i.i = getelementptr inbounds nuw i8, ptr %arrayidx8.i.i, i64 48
  %39 = load i32, ptr %past.i.i, align 8
  %arrayidx12.i38.i = getelementptr inbounds nuw i64, ptr %vla2, i64 %indvars.iv57.i.i
  %40 = zext i32 %39 to i64
  %wide.trip.count.i.i = and i64 %indvars.iv57.i.i, 4294967295
  br label %for.body4.i.i

for.body4.i.i:                                    ; preds = %for.inc.i.i, %for.body4.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body4.lr.ph.i.i ], [ %indvars.iv.next.i.i, %for.inc.i.i ]
  %arrayidx6.i.i = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %indvars.iv.i.i
  %41 = load ptr, ptr %arrayidx6.i.i, align 8
  %cmp9.i.i = icmp eq i64 %indvars.iv.i.i, %40
  %cmp10.i.i = icmp eq ptr %37, %41
  %42 = select i1 %cmp9.i.i, i1 %cmp10.i.i, i1 false
  br i1 %42, label %for.inc.i.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %for.body4.i.i
  %43 = ptrtoint ptr %41 to i64
  %44 = load i64, ptr %arrayidx12.i38.i, align 8
  %arrayidx14.i.i = getelementptr inbounds nuw i64, ptr %vla2, i64 %indvars.iv.i.i
  %45 = load i64, ptr %arrayidx14.i.i, align 8
  %cmp.i.i39.i = icmp ne i64 %44, 0
  %cmp1.i.i40.i = icmp ne i64 %45, 0
  %or.cond.i.i41.i = and i1 %cmp.i.i39.i, %cmp1.i.i40.i
  %add.i.i.i = add i64 %45, %43
  %cmp3.i.i.i = icmp ugt i64 %add.i.i.i, %38
  %or.cond10.i.i.i = and i1 %or.cond.i.i41.i, %cmp3.i.i.i
  %add4.i.i.i = add i64 %44, %38
  %cmp5.i.i.i = icmp ugt i64 %add4.i.i.i, %43
  %or.cond.i.i = and i1 %cmp5.i.i.i, %or.cond10.i.i.i
  br i1 %or.cond.i.i, label %cleanup25.i.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %land.lhs.true.i.i, %for.body4.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %for.inc23.i.i, label %for.body4.i.i

for.inc23.i.i:                                    ; preds = %for.inc.i.i, %for.body.i.i
  %indvars.iv.next58.i.i = add nsw i64 %indvars.iv57.i.i, 1
  %lftr.wideiv.i.i = trunc i64 %indvars.iv.next58.i.i to i32
  %exitcond59.not.i.i = icmp eq i32 %count, %lftr.wideiv.i.i
  br i1 %exitcond59.not.i.i, label %if.end, label %for.body.i.i

cleanup25.i.i:                                    ; preds = %land.lhs.true.i.i
  %46 = trunc nsw i64 %indvars.iv57.i.i to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %finding.i.i) #7
  store ptr @IS_APART, ptr %finding.i.i, align 8
  %numbers.i.i = getelementptr inbounds nuw i8, ptr %finding.i.i, i64 8
  store i64 %indvars.iv.i.i, ptr %numbers.i.i, align 8
  %arrayinit.element.i.i = getelementptr inbounds nuw i8, ptr %finding.i.i, i64 16
  store i64 0, ptr %arrayinit.element.i.i, align 8
  %arrayinit.element15.i.i = getelementptr inbounds nuw i8, ptr %finding.i.i, i64 24
  store i64 0, ptr %arrayinit.element15.i.i, align 8
  call fastcc void @fail_argument(i32 noundef signext %46, ptr noundef %finding.i.i, ptr noundef null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i.i) #7
  br label %cleanup25

if.end:                                           ; preds = %for.inc23.i.i, %for.end.i
  %47 = load i64, ptr @tw_weights_bytes, align 8
  %cmp6 = icmp ne i64 %47, 0
  %48 = load ptr, ptr @__tw_weights, align 8
  %cmp7 = icmp eq ptr %48, null
  %or.cond = select i1 %cmp6, i1 %cmp7, i1 false
  br i1 %or.cond, label %if.then8, label %if.end10

if.then8:                                         ; preds = %if.end
  call fastcc void @fail_number(ptr noundef nonnull @.str.10, ptr noundef nonnull @.str.11, i64 noundef %47) #9
  br label %cleanup25

if.end10:                                         ; preds = %if.end
  %49 = load i32, ptr @tw_max_threads, align 4
  %cond = call i32 @llvm.smin.i32(i32 %threads, i32 %49)
  %50 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i = icmp eq i32 %50, 0
  %51 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %51 to i64
  %arrayidx.i33 = getelementptr inbounds i64, ptr %vla4, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i33
  %cond.i = load i64, ptr %cond.in.i, align 8
  %cond17 = call i32 @llvm.smax.i32(i32 %cond, i32 1)
  %cmp.i34 = icmp eq i64 %cond.i, 0
  br i1 %cmp.i34, label %if.then.i41, label %for.body.i.i35

if.then.i41:                                      ; preds = %if.end10
  %call.i = call signext i32 @tw_run(ptr noundef nonnull %vla, ptr noundef null, i32 noundef signext %cond17) #8
  br label %run.exit

for.cond.i.i:                                     ; preds = %for.body.i.i35
  %indvars.iv.next.i.i39 = add nuw nsw i64 %indvars.iv.i.i36, 1
  %exitcond.not.i.i40 = icmp eq i64 %indvars.iv.next.i.i39, 8
  br i1 %exitcond.not.i.i40, label %for.end.i.i, label %for.body.i.i35

for.body.i.i35:                                   ; preds = %if.end10, %for.cond.i.i
  %indvars.iv.i.i36 = phi i64 [ %indvars.iv.next.i.i39, %for.cond.i.i ], [ 0, %if.end10 ]
  %arrayidx.i.i37 = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i.i36
  %52 = atomicrmw xchg ptr %arrayidx.i.i37, i64 0 acq_rel, align 8
  %cmp1.i.i = icmp eq i64 %52, 0
  br i1 %cmp1.i.i, label %for.cond.i.i, label %if.end.i.i38

if.end.i.i38:                                     ; preds = %for.body.i.i35
  %53 = inttoptr i64 %52 to ptr
  %54 = load i64, ptr %53, align 8
  %cmp3.not.i.i = icmp slt i64 %54, %cond.i
  br i1 %cmp3.not.i.i, label %cleanup6.thread32.i.i, label %if.end5.i

cleanup6.thread32.i.i:                            ; preds = %if.end.i.i38
  call void @free(ptr noundef nonnull %53) #8
  br label %for.end.i.i

for.end.i.i:                                      ; preds = %for.cond.i.i, %cleanup6.thread32.i.i
  %cmp8.i.i = icmp sgt i64 %cond.i, 9223372036854775743
  br i1 %cmp8.i.i, label %run.exit.thread, label %if.end10.i.i

if.end10.i.i:                                     ; preds = %for.end.i.i
  %add.i.i = add nsw i64 %cond.i, 64
  %call.i.i = call ptr @aligned_alloc(i64 noundef 64, i64 noundef %add.i.i) #8
  %cmp12.not.i.i = icmp eq ptr %call.i.i, null
  br i1 %cmp12.not.i.i, label %run.exit.thread, label %if.then13.i.i

if.then13.i.i:                                    ; preds = %if.end10.i.i
  store i64 %cond.i, ptr %call.i.i, align 8
  br label %if.end5.i

run.exit.thread:                                  ; preds = %for.end.i.i, %if.end10.i.i
  call fastcc void @fail_number(ptr noundef nonnull @.str.14, ptr noundef nonnull @.str.48, i64 noundef %cond.i) #9
  br label %cleanup25

if.end5.i:                                        ; preds = %if.then13.i.i, %if.end.i.i38
  %retval.3.i.i = phi ptr [ %call.i.i, %if.then13.i.i ], [ %53, %if.end.i.i38 ]
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %retval.3.i.i, i64 64
  %call6.i = call signext i32 @tw_run(ptr noundef nonnull %vla, ptr noundef nonnull %add.ptr.i, i32 noundef signext %cond17) #8
  %55 = ptrtoint ptr %retval.3.i.i to i64
  br label %for.body.i13.i

for.cond.i16.i:                                   ; preds = %for.body.i13.i
  %indvars.iv.next.i17.i = add nuw nsw i64 %indvars.iv.i14.i, 1
  %exitcond.not.i18.i = icmp eq i64 %indvars.iv.next.i17.i, 8
  br i1 %exitcond.not.i18.i, label %for.end.i19.i, label %for.body.i13.i

for.body.i13.i:                                   ; preds = %for.cond.i16.i, %if.end5.i
  %indvars.iv.i14.i = phi i64 [ 0, %if.end5.i ], [ %indvars.iv.next.i17.i, %for.cond.i16.i ]
  %arrayidx.i15.i = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i14.i
  %56 = cmpxchg ptr %arrayidx.i15.i, i64 0, i64 %55 acq_rel monotonic, align 8
  %57 = extractvalue { i64, i1 } %56, 1
  br i1 %57, label %run.exit, label %for.cond.i16.i

for.end.i19.i:                                    ; preds = %for.cond.i16.i
  call void @free(ptr noundef nonnull %retval.3.i.i) #8
  br label %run.exit

run.exit:                                         ; preds = %for.body.i13.i, %if.then.i41, %for.end.i19.i
  %retval.1.i = phi i32 [ %call.i, %if.then.i41 ], [ %call6.i, %for.end.i19.i ], [ %call6.i, %for.body.i13.i ]
  %58 = add i32 %retval.1.i, 1
  %or.cond27 = icmp ult i32 %58, 2
  br i1 %or.cond27, label %cleanup25, label %if.end22

if.end22:                                         ; preds = %run.exit
  %conv = sext i32 %retval.1.i to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.10, ptr noundef nonnull @.str.12, i64 noundef %conv) #9
  br label %cleanup25

cleanup25:                                        ; preds = %cleanup25.i.i, %if.end.i, %cleanup14.i, %if.then.i, %run.exit.thread, %if.end22, %run.exit, %if.then8
  %retval.1 = phi i32 [ -1, %run.exit.thread ], [ -1, %if.then8 ], [ -1, %if.end22 ], [ %retval.1.i, %run.exit ], [ -1, %if.then.i ], [ -1, %cleanup14.i ], [ -1, %if.end.i ], [ -1, %cleanup25.i.i ]
  ret i32 %retval.1
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call.i = tail call fastcc signext range(i32 -1, 1) i32 @enter(ptr noundef readonly %args, i32 noundef signext %count, i32 noundef signext %0) #10
  ret i32 %call.i
}

define signext range(i32 -1, 1) i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
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
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3, i64 noundef %cond) #9
  br label %return

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load i64, ptr %payload, align 8
  %conv4 = trunc i64 %2 to i32
  %call5 = tail call fastcc signext i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef signext %sub, i32 noundef signext %conv4) #10
  br label %return

return:                                           ; preds = %if.end, %cond.end
  %retval.0 = phi i32 [ -1, %cond.end ], [ %call5, %if.end ]
  ret i32 %retval.0
}

define internal fastcc void @fail_number(ptr noundef %kind, ptr noundef %format, i64 noundef %number) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef %format, ptr noundef nonnull @tw_name, i64 noundef %number) #8
  call fastcc void @report(ptr noundef %kind, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  ret void
}

define signext range(i32 -1, 1) i32 @__tw_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 1
  %cmp.not = icmp eq i32 %count, %add
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef signext %count) #9
  br label %return

if.end:                                           ; preds = %entry
  %1 = load i32, ptr @tw_size_count, align 4
  %add1 = add nsw i32 %1, 1
  %2 = zext i32 %add1 to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %2, align 8
  %call2 = call fastcc signext i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #10
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %cleanup14

if.end5:                                          ; preds = %if.end
  %4 = load i32, ptr @tw_arguments, align 4
  %cmp30.i = icmp slt i32 %0, %4
  %5 = sext i32 %0 to i64
  br i1 %cmp30.i, label %for.cond1.preheader.lr.ph.i, label %write_shapes.exit

for.cond1.preheader.lr.ph.i:                      ; preds = %if.end5
  %wide.trip.count36.i = sext i32 %4 to i64
  br label %for.cond1.preheader.i

for.cond1.preheader.i:                            ; preds = %for.cond1.preheader.i, %for.cond1.preheader.lr.ph.i
  %indvars.iv34.i = phi i64 [ %5, %for.cond1.preheader.lr.ph.i ], [ %indvars.iv.next35.i, %for.cond1.preheader.i ]
  %count.032.i = phi i64 [ 0, %for.cond1.preheader.lr.ph.i ], [ %count.1.lcssa.i, %for.cond1.preheader.i ]
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv34.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 40
  %6 = load i32, ptr %rank.i, align 8
  %narrow = call i32 @llvm.smax.i32(i32 %6, i32 0)
  %7 = zext nneg i32 %narrow to i64
  %count.1.lcssa.i = add i64 %count.032.i, %7
  %indvars.iv.next35.i = add nsw i64 %indvars.iv34.i, 1
  %exitcond37.not.i = icmp eq i64 %indvars.iv.next35.i, %wide.trip.count36.i
  br i1 %exitcond37.not.i, label %write_shapes.exit, label %for.cond1.preheader.i

write_shapes.exit:                                ; preds = %for.cond1.preheader.i, %if.end5
  %count.0.lcssa.i = phi i64 [ 0, %if.end5 ], [ %count.1.lcssa.i, %for.cond1.preheader.i ]
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %args, i64 %5
  %8 = load i32, ptr %arrayidx, align 8
  switch i32 %8, label %if.then9 [
    i32 7, label %tensor_of.exit.i
    i32 70, label %tensor_of.exit.thread16.i
  ]

tensor_of.exit.thread16.i:                        ; preds = %write_shapes.exit
  %payload4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %9 = load ptr, ptr %payload4.i.i, align 8
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %9, i64 24
  br label %lor.lhs.false.i

tensor_of.exit.i:                                 ; preds = %write_shapes.exit
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %10 = load ptr, ptr %payload.i.i, align 8
  %cmp.i = icmp eq ptr %10, null
  br i1 %cmp.i, label %if.then9, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %tensor_of.exit.i, %tensor_of.exit.thread16.i
  %retval.0.i19.i = phi ptr [ %tensor.i.i, %tensor_of.exit.thread16.i ], [ %10, %tensor_of.exit.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 8
  %11 = load i32, ptr %device_type.i, align 8
  %cmp1.not.i = icmp eq i32 %11, 1
  br i1 %cmp1.not.i, label %lor.lhs.false2.i, label %if.then9

lor.lhs.false2.i:                                 ; preds = %lor.lhs.false.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 20
  %12 = load i32, ptr %dtype.i, align 4
  %cmp3.not.i = icmp eq i32 %12, 81920
  br i1 %cmp3.not.i, label %lor.lhs.false4.i, label %if.then9

lor.lhs.false4.i:                                 ; preds = %lor.lhs.false2.i
  %rank.i19 = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 16
  %13 = load i32, ptr %rank.i19, align 8
  %cmp5.not.i = icmp eq i32 %13, 1
  br i1 %cmp5.not.i, label %lor.lhs.false6.i, label %if.then9

lor.lhs.false6.i:                                 ; preds = %lor.lhs.false4.i
  %shape.i20 = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 24
  %14 = load ptr, ptr %shape.i20, align 8
  %15 = load i64, ptr %14, align 8
  %cmp7.i = icmp slt i64 %15, %count.0.lcssa.i
  br i1 %cmp7.i, label %if.then9, label %numbers_of.exit

numbers_of.exit:                                  ; preds = %lor.lhs.false6.i
  %16 = load ptr, ptr %retval.0.i19.i, align 8
  %byte_offset.i = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 40
  %17 = load i64, ptr %byte_offset.i, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %16, i64 %17
  %cmp8 = icmp eq ptr %16, null
  br i1 %cmp8, label %if.then9, label %if.end11

if.then9:                                         ; preds = %write_shapes.exit, %tensor_of.exit.i, %lor.lhs.false.i, %lor.lhs.false2.i, %lor.lhs.false4.i, %lor.lhs.false6.i, %numbers_of.exit
  call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.4, i64 noundef %count.0.lcssa.i) #9
  br label %cleanup14

if.end11:                                         ; preds = %numbers_of.exit
  br i1 %cmp30.i, label %for.cond1.preheader.lr.ph.i23, label %cleanup14

for.cond1.preheader.lr.ph.i23:                    ; preds = %if.end11
  %wide.trip.count36.i24 = sext i32 %4 to i64
  br label %for.cond1.preheader.i25

for.cond1.preheader.i25:                          ; preds = %for.cond.cleanup3.i31, %for.cond1.preheader.lr.ph.i23
  %indvars.iv34.i26 = phi i64 [ %5, %for.cond1.preheader.lr.ph.i23 ], [ %indvars.iv.next35.i33, %for.cond.cleanup3.i31 ]
  %count.032.i27 = phi i64 [ 0, %for.cond1.preheader.lr.ph.i23 ], [ %count.1.lcssa.i32, %for.cond.cleanup3.i31 ]
  %arrayidx.i28 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv34.i26
  %rank.i29 = getelementptr inbounds nuw i8, ptr %arrayidx.i28, i64 40
  %18 = load i32, ptr %rank.i29, align 8
  %cmp227.i30 = icmp sgt i32 %18, 0
  br i1 %cmp227.i30, label %for.body4.lr.ph.i35, label %for.cond.cleanup3.i31

for.body4.lr.ph.i35:                              ; preds = %for.cond1.preheader.i25
  %shape.i36 = getelementptr inbounds nuw i8, ptr %arrayidx.i28, i64 16
  %19 = load ptr, ptr %shape.i36, align 8
  %wide.trip.count.i37 = zext nneg i32 %18 to i64
  br label %if.then.i

for.cond.cleanup3.i31:                            ; preds = %if.end.i42, %for.cond1.preheader.i25
  %count.1.lcssa.i32 = phi i64 [ %count.032.i27, %for.cond1.preheader.i25 ], [ %inc13.i44, %if.end.i42 ]
  %indvars.iv.next35.i33 = add nsw i64 %indvars.iv34.i26, 1
  %exitcond37.not.i34 = icmp eq i64 %indvars.iv.next35.i33, %wide.trip.count36.i24
  br i1 %exitcond37.not.i34, label %cleanup14, label %for.cond1.preheader.i25

if.then.i:                                        ; preds = %for.body4.lr.ph.i35, %if.end.i42
  %indvars.iv.i39 = phi i64 [ 0, %for.body4.lr.ph.i35 ], [ %indvars.iv.next.i43, %if.end.i42 ]
  %count.129.i40 = phi i64 [ %count.032.i27, %for.body4.lr.ph.i35 ], [ %inc13.i44, %if.end.i42 ]
  %arrayidx8.i41 = getelementptr inbounds nuw i64, ptr %19, i64 %indvars.iv.i39
  %20 = load i64, ptr %arrayidx8.i41, align 8
  %cmp10.i = icmp sgt i64 %20, -1
  br i1 %cmp10.i, label %if.end.i42, label %cond.false.i

cond.false.i:                                     ; preds = %if.then.i
  %sub.i = xor i64 %20, -1
  %arrayidx11.i = getelementptr inbounds nuw i64, ptr %vla, i64 %sub.i
  %21 = load i64, ptr %arrayidx11.i, align 8
  br label %if.end.i42

if.end.i42:                                       ; preds = %if.then.i, %cond.false.i
  %cond.i = phi i64 [ %21, %cond.false.i ], [ %20, %if.then.i ]
  %arrayidx12.i = getelementptr inbounds i64, ptr %add.ptr.i, i64 %count.129.i40
  store i64 %cond.i, ptr %arrayidx12.i, align 8
  %indvars.iv.next.i43 = add nuw nsw i64 %indvars.iv.i39, 1
  %inc13.i44 = add nsw i64 %count.129.i40, 1
  %exitcond.not.i45 = icmp eq i64 %indvars.iv.next.i43, %wide.trip.count.i37
  br i1 %exitcond.not.i45, label %for.cond.cleanup3.i31, label %if.then.i

cleanup14:                                        ; preds = %for.cond.cleanup3.i31, %if.end11, %if.then9, %if.end
  %retval.1 = phi i32 [ -1, %if.end ], [ -1, %if.then9 ], [ 0, %if.end11 ], [ 0, %for.cond.cleanup3.i31 ]
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return

return:                                           ; preds = %cleanup14, %if.then
  %retval.2 = phi i32 [ -1, %if.then ], [ %retval.1, %cleanup14 ]
  ret i32 %retval.2
}

define internal fastcc void @fail_count(i32 noundef signext %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = load i32, ptr @tw_inputs, align 4
  %sub = sub nsw i32 %0, %1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.49, ptr noundef nonnull @tw_name, i32 noundef signext %0, i32 noundef signext %1, i32 noundef signext %sub, i32 noundef signext %got, ptr noundef nonnull @tw_signature) #8
  call fastcc void @report(ptr noundef nonnull @.str.2, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  ret void
}

declare ptr @llvm.stacksave.p0() #4

define internal fastcc signext range(i32 -1, 1) i32 @bind_inputs(ptr noundef readonly captures(none) %args, ptr noundef nonnull %sizes) unnamed_addr #3 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  %call = tail call fastcc signext i32 @bind_sizes(ptr noundef %args, i32 noundef signext %0, ptr noundef nonnull %sizes) #10
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %entry
  %cmp174 = icmp sgt i32 %0, 0
  br i1 %cmp174, label %for.body.preheader, label %return

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc.critedge
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc.critedge ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding) #7
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %arrayidx3 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx3, align 8
  switch i32 %1, label %cond.true [
    i32 7, label %tensor_of.exit
    i32 70, label %tensor_of.exit.thread41
  ]

tensor_of.exit.thread41:                          ; preds = %for.body
  %payload4.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %2 = load ptr, ptr %payload4.i, align 8
  %tensor.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  br label %cond.false

tensor_of.exit:                                   ; preds = %for.body
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %3 = load ptr, ptr %payload.i, align 8
  %cmp5 = icmp eq ptr %3, null
  br i1 %cmp5, label %cond.true, label %cond.false

cond.true:                                        ; preds = %for.body, %tensor_of.exit
  %conv = sext i32 %1 to i64
  br label %cleanup20

cond.false:                                       ; preds = %tensor_of.exit.thread41, %tensor_of.exit
  %retval.0.i44 = phi ptr [ %tensor.i, %tensor_of.exit.thread41 ], [ %3, %tensor_of.exit ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i44, i64 8
  %4 = load i32, ptr %device_type.i, align 8
  %cmp.not.i = icmp eq i32 %4, 1
  br i1 %cmp.not.i, label %if.end.i, label %if.then.i36

if.then.i36:                                      ; preds = %cond.false
  %conv.i = sext i32 %4 to i64
  %device_id.i = getelementptr inbounds nuw i8, ptr %retval.0.i44, i64 12
  %5 = load i32, ptr %device_id.i, align 4
  %conv2.i = sext i32 %5 to i64
  br label %cleanup20

if.end.i:                                         ; preds = %cond.false
  %dtype3.i = getelementptr inbounds nuw i8, ptr %retval.0.i44, i64 20
  %6 = load i32, ptr %dtype3.i, align 4
  %dtype4.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %7 = load i32, ptr %dtype4.i, align 4
  %cmp5.not.i = icmp eq i32 %6, %7
  br i1 %cmp5.not.i, label %if.end14.i, label %if.then7.i

if.then7.i:                                       ; preds = %if.end.i
  %and.i = and i32 %6, 255
  %conv8.i = zext nneg i32 %and.i to i64
  %shr.i = lshr i32 %6, 8
  %and9.i = and i32 %shr.i, 255
  %conv10.i = zext nneg i32 %and9.i to i64
  %shr11.i = lshr i32 %6, 16
  %conv12.i = zext nneg i32 %shr11.i to i64
  br label %cleanup20

if.end14.i:                                       ; preds = %if.end.i
  %rank.i = getelementptr inbounds nuw i8, ptr %retval.0.i44, i64 16
  %8 = load i32, ptr %rank.i, align 8
  %rank15.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %9 = load i32, ptr %rank15.i, align 8
  %cmp16.not.i = icmp eq i32 %8, %9
  br i1 %cmp16.not.i, label %land.rhs, label %if.then18.i

if.then18.i:                                      ; preds = %if.end14.i
  %conv20.i = sext i32 %8 to i64
  br label %cleanup20

land.rhs:                                         ; preds = %if.end14.i
  %cmp48.i = icmp slt i32 %8, 1
  br i1 %cmp48.i, label %for.inc.critedge, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %land.rhs
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i44, i64 24
  %10 = load ptr, ptr %shape.i, align 8
  %shape1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %11 = load ptr, ptr %shape1.i, align 8
  %wide.trip.count.i = zext nneg i32 %8 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %10, i64 %indvars.iv.i
  %12 = load i64, ptr %arrayidx.i, align 8
  %arrayidx3.i = getelementptr inbounds nuw i64, ptr %11, i64 %indvars.iv.i
  %13 = load i64, ptr %arrayidx3.i, align 8
  %cmp4.i = icmp slt i64 %13, 0
  br i1 %cmp4.i, label %land.lhs.true.i, label %if.end.i38

land.lhs.true.i:                                  ; preds = %for.body.i
  %sub.i = xor i64 %13, -1
  %arrayidx5.i = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub.i
  %14 = load i64, ptr %arrayidx5.i, align 8
  %cmp6.not.i = icmp eq i64 %12, %14
  br i1 %cmp6.not.i, label %for.inc.i, label %cleanup20

if.end.i38:                                       ; preds = %for.body.i
  %cmp11.not.i = icmp eq i64 %12, %13
  br i1 %cmp11.not.i, label %for.inc.i, label %cleanup20

for.inc.i:                                        ; preds = %if.end.i38, %land.lhs.true.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.inc.critedge, label %for.body.i

for.inc.critedge:                                 ; preds = %for.inc.i, %land.rhs
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #7
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %return, label %for.body

cleanup20:                                        ; preds = %if.end.i38, %land.lhs.true.i, %if.then18.i, %if.then7.i, %if.then.i36, %cond.true
  %IS_TENSOR.sink = phi ptr [ @IS_TENSOR, %cond.true ], [ @IS_IN_CPU_MEMORY, %if.then.i36 ], [ @HAS_DTYPE, %if.then7.i ], [ @HAS_RANK, %if.then18.i ], [ @HAS_SHAPE, %if.end.i38 ], [ @HAS_SIZE, %land.lhs.true.i ]
  %conv.sink = phi i64 [ %conv, %cond.true ], [ %conv.i, %if.then.i36 ], [ %conv8.i, %if.then7.i ], [ %conv20.i, %if.then18.i ], [ %12, %land.lhs.true.i ], [ %12, %if.end.i38 ]
  %.sink146 = phi i64 [ 0, %cond.true ], [ %conv2.i, %if.then.i36 ], [ %conv10.i, %if.then7.i ], [ 0, %if.then18.i ], [ %indvars.iv.i, %land.lhs.true.i ], [ %indvars.iv.i, %if.end.i38 ]
  %.sink = phi i64 [ 0, %cond.true ], [ 0, %if.then.i36 ], [ %conv12.i, %if.then7.i ], [ 0, %if.then18.i ], [ 0, %if.end.i38 ], [ %sub.i, %land.lhs.true.i ]
  %15 = trunc i64 %indvars.iv to i32
  store ptr %IS_TENSOR.sink, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %finding, i64 8
  store i64 %conv.sink, ptr %.compoundliteral.sroa.2.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %finding, i64 16
  store i64 %.sink146, ptr %.compoundliteral.sroa.3.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %finding, i64 24
  store i64 %.sink, ptr %.compoundliteral.sroa.4.0..sroa_idx.i, align 8
  call fastcc void @fail_argument(i32 noundef signext %15, ptr noundef %finding, ptr noundef nonnull %sizes) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #7
  br label %return

return:                                           ; preds = %for.inc.critedge, %for.cond.preheader, %cleanup20, %entry
  %retval.3 = phi i32 [ -1, %entry ], [ -1, %cleanup20 ], [ 0, %for.cond.preheader ], [ 0, %for.inc.critedge ]
  ret i32 %retval.3
}

declare void @llvm.stackrestore.p0(ptr) #4

define signext range(i32 -1, 1) i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp.not = icmp eq i32 %count, %0
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef signext %count) #9
  br label %return

if.end:                                           ; preds = %entry
  %1 = load i32, ptr @tw_size_count, align 4
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %2, align 8
  %call1 = call fastcc signext i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #10
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %cleanup

if.end4:                                          ; preds = %if.end
  store i32 1, ptr %result, align 8
  %4 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i = icmp eq i32 %4, 0
  %5 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %5 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %vla, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store i64 %cond.i, ptr %payload, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.end4
  %retval.0 = phi i32 [ 0, %if.end4 ], [ -1, %if.end ]
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return

return:                                           ; preds = %cleanup, %if.then
  %retval.1 = phi i32 [ -1, %if.then ], [ %retval.0, %cleanup ]
  ret i32 %retval.1
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr noundef, ptr noundef) #5

declare extern_weak ptr @dlsym(ptr noundef, ptr noundef) #5

define internal fastcc signext range(i32 -1, 1) i32 @bind_sizes(ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef %sizes) unnamed_addr #3 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp113 = icmp sgt i32 %0, 0
  br i1 %cmp113, label %for.body.preheader, label %for.end

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %cleanup
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %cleanup ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding) #7
  %arrayidx = getelementptr inbounds nuw %struct.tw_symbol, ptr @tw_symbols, i64 %indvars.iv
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %1 = load i32, ptr %argument, align 8
  %cmp1.not = icmp slt i32 %1, %count
  br i1 %cmp1.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body
  %2 = load i32, ptr @tw_inputs, align 4
  %conv = sext i32 %2 to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.13, i64 noundef %conv) #9
  br label %cleanup11

if.end:                                           ; preds = %for.body
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %idxprom1.i = sext i32 %1 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom1.i
  %3 = load i32, ptr %arrayidx2.i, align 8
  switch i32 %3, label %if.then.i [
    i32 7, label %tensor_of.exit.i
    i32 70, label %tensor_of.exit.thread91.i
  ]

tensor_of.exit.thread91.i:                        ; preds = %if.end
  %payload4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  %4 = load ptr, ptr %payload4.i.i, align 8
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  br label %if.end.i

tensor_of.exit.i:                                 ; preds = %if.end
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  %5 = load ptr, ptr %payload.i.i, align 8
  %cmp.i = icmp eq ptr %5, null
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %tensor_of.exit.i, %if.end
  %conv.i = sext i32 %3 to i64
  br label %if.then5

if.end.i:                                         ; preds = %tensor_of.exit.i, %tensor_of.exit.thread91.i
  %retval.0.i94.i = phi ptr [ %tensor.i.i, %tensor_of.exit.thread91.i ], [ %5, %tensor_of.exit.i ]
  %arrayidx6.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %device_type.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 8
  %6 = load i32, ptr %device_type.i.i, align 8
  %cmp.not.i.i = icmp eq i32 %6, 1
  br i1 %cmp.not.i.i, label %if.end.i.i, label %if.then.i85.i

if.then.i85.i:                                    ; preds = %if.end.i
  %conv.i.i = sext i32 %6 to i64
  %device_id.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 12
  %7 = load i32, ptr %device_id.i.i, align 4
  %conv2.i.i = sext i32 %7 to i64
  br label %if.then5

if.end.i.i:                                       ; preds = %if.end.i
  %dtype3.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 20
  %8 = load i32, ptr %dtype3.i.i, align 4
  %dtype4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx6.i, i64 44
  %9 = load i32, ptr %dtype4.i.i, align 4
  %cmp5.not.i.i = icmp eq i32 %8, %9
  br i1 %cmp5.not.i.i, label %if.end14.i.i, label %if.then7.i.i

if.then7.i.i:                                     ; preds = %if.end.i.i
  %and.i.i = and i32 %8, 255
  %conv8.i.i = zext nneg i32 %and.i.i to i64
  %shr.i.i = lshr i32 %8, 8
  %and9.i.i = and i32 %shr.i.i, 255
  %conv10.i.i = zext nneg i32 %and9.i.i to i64
  %shr11.i.i = lshr i32 %8, 16
  %conv12.i.i = zext nneg i32 %shr11.i.i to i64
  br label %if.then5

if.end14.i.i:                                     ; preds = %if.end.i.i
  %rank.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 16
  %10 = load i32, ptr %rank.i.i, align 8
  %rank15.i.i = getelementptr inbounds nuw i8, ptr %arrayidx6.i, i64 40
  %11 = load i32, ptr %rank15.i.i, align 8
  %cmp16.not.i.i = icmp eq i32 %10, %11
  br i1 %cmp16.not.i.i, label %if.end9.i, label %if.then18.i.i

if.then18.i.i:                                    ; preds = %if.end14.i.i
  %conv20.i.i = sext i32 %10 to i64
  br label %if.then5

if.end9.i:                                        ; preds = %if.end14.i.i
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 24
  %12 = load ptr, ptr %shape.i, align 8
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 36
  %13 = load i32, ptr %axis.i, align 4
  %idxprom10.i = sext i32 %13 to i64
  %arrayidx11.i = getelementptr inbounds i64, ptr %12, i64 %idxprom10.i
  %14 = load i64, ptr %arrayidx11.i, align 8
  %15 = icmp ult i64 %14, 4611686018427387904
  br i1 %15, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end9.i
  %offset.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %16 = load i64, ptr %offset.i, align 8
  %sub.i = sub nsw i64 %14, %16
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %if.end9.i
  %cond.i = phi i64 [ %sub.i, %cond.true.i ], [ -1, %if.end9.i ]
  %factor.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %17 = load i64, ptr %factor.i, align 8
  %cmp17.i = icmp eq i64 %17, 1
  br i1 %cmp17.i, label %cond.end29.i, label %cond.false27.i

cond.false27.i:                                   ; preds = %cond.end.i
  %cond.i.frozen = freeze i64 %cond.i
  %.frozen = freeze i64 %17
  %div.i = sdiv i64 %cond.i.frozen, %.frozen
  %18 = mul i64 %div.i, %.frozen
  %rem.i.decomposed = sub i64 %cond.i.frozen, %18
  %cmp20.i = icmp eq i64 %rem.i.decomposed, 0
  br label %cond.end29.i

cond.end29.i:                                     ; preds = %cond.false27.i, %cond.end.i
  %19 = phi i1 [ %cmp20.i, %cond.false27.i ], [ true, %cond.end.i ]
  %cond30.i = phi i64 [ %div.i, %cond.false27.i ], [ %cond.i, %cond.end.i ]
  store i64 %cond30.i, ptr %arrayidx3, align 8
  %or.cond.i = select i1 %15, i1 %19, i1 false
  br i1 %or.cond.i, label %lor.lhs.false33.i, label %if.then39.i

lor.lhs.false33.i:                                ; preds = %cond.end29.i
  %20 = load i64, ptr %arrayidx, align 8
  %cmp34.i = icmp slt i64 %cond30.i, %20
  br i1 %cmp34.i, label %if.then39.i, label %lor.lhs.false36.i

lor.lhs.false36.i:                                ; preds = %lor.lhs.false33.i
  %most.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %21 = load i64, ptr %most.i, align 8
  %cmp37.i = icmp sgt i64 %cond30.i, %21
  br i1 %cmp37.i, label %if.then39.i, label %cleanup

if.then39.i:                                      ; preds = %lor.lhs.false36.i, %lor.lhs.false33.i, %cond.end29.i
  %shape45.i = getelementptr inbounds nuw i8, ptr %arrayidx6.i, i64 16
  %22 = load ptr, ptr %shape45.i, align 8
  %arrayidx48.i = getelementptr inbounds i64, ptr %22, i64 %idxprom10.i
  %23 = load i64, ptr %arrayidx48.i, align 8
  %sub49.i = xor i64 %23, -1
  br label %if.then5

if.then5:                                         ; preds = %if.then39.i, %if.then18.i.i, %if.then7.i.i, %if.then.i85.i, %if.then.i
  %HAS_DTYPE.sink.i.sink.i = phi ptr [ @IS_TENSOR, %if.then.i ], [ @HAS_VALID_SIZE, %if.then39.i ], [ @HAS_DTYPE, %if.then7.i.i ], [ @HAS_RANK, %if.then18.i.i ], [ @IS_IN_CPU_MEMORY, %if.then.i85.i ]
  %conv8.sink.i.sink.i = phi i64 [ %conv.i, %if.then.i ], [ %14, %if.then39.i ], [ %conv8.i.i, %if.then7.i.i ], [ %conv20.i.i, %if.then18.i.i ], [ %conv.i.i, %if.then.i85.i ]
  %conv10.sink.i.sink.i = phi i64 [ 0, %if.then.i ], [ %idxprom10.i, %if.then39.i ], [ %conv10.i.i, %if.then7.i.i ], [ 0, %if.then18.i.i ], [ %conv2.i.i, %if.then.i85.i ]
  %conv12.sink.i.sink.i = phi i64 [ 0, %if.then.i ], [ %sub49.i, %if.then39.i ], [ %conv12.i.i, %if.then7.i.i ], [ 0, %if.then18.i.i ], [ 0, %if.then.i85.i ]
  store ptr %HAS_DTYPE.sink.i.sink.i, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i36.i.i = getelementptr inbounds nuw i8, ptr %finding, i64 8
  store i64 %conv8.sink.i.sink.i, ptr %.compoundliteral.sroa.2.0..sroa_idx.i36.i.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i37.i.i = getelementptr inbounds nuw i8, ptr %finding, i64 16
  store i64 %conv10.sink.i.sink.i, ptr %.compoundliteral.sroa.3.0..sroa_idx.i37.i.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i38.i.i = getelementptr inbounds nuw i8, ptr %finding, i64 24
  store i64 %conv12.sink.i.sink.i, ptr %.compoundliteral.sroa.4.0..sroa_idx.i38.i.i, align 8
  call fastcc void @fail_argument(i32 noundef signext %1, ptr noundef %finding, ptr noundef %sizes) #9
  br label %cleanup11

cleanup:                                          ; preds = %lor.lhs.false36.i
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #7
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

cleanup11:                                        ; preds = %if.then, %if.then5
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #7
  br label %return

for.end:                                          ; preds = %cleanup, %entry
  %cmp13 = icmp eq i32 %0, 0
  br i1 %cmp13, label %for.cond22.preheader, label %cond.end

cond.end:                                         ; preds = %for.end
  %call15 = tail call signext i32 @tw_derive(ptr noundef %sizes) #8
  %cmp16 = icmp eq i32 %call15, 1
  br i1 %cmp16, label %if.then18, label %for.cond22.preheader

for.cond22.preheader:                             ; preds = %for.end, %cond.end
  %cond168 = phi i32 [ %call15, %cond.end ], [ 0, %for.end ]
  %24 = load i32, ptr @tw_expression_count, align 4
  %cmp23.not115 = icmp sgt i32 %24, 0
  br i1 %cmp23.not115, label %for.body26.preheader, label %for.end46

for.body26.preheader:                             ; preds = %for.cond22.preheader
  %wide.trip.count155 = zext nneg i32 %24 to i64
  br label %for.body26

if.then18:                                        ; preds = %cond.end
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.14, ptr noundef nonnull @.str.15, i64 noundef 9223372036854775807) #9
  br label %return

for.body26:                                       ; preds = %for.body26.preheader, %for.inc42
  %indvars.iv153 = phi i64 [ 0, %for.body26.preheader ], [ %indvars.iv.next154, %for.inc42 ]
  %arrayidx28 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv153
  %25 = load i64, ptr %arrayidx28, align 8
  %arrayidx30 = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %indvars.iv153
  %least = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 24
  %26 = load i64, ptr %least, align 8
  %cmp31 = icmp slt i64 %25, %26
  br i1 %cmp31, label %if.then39, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body26
  %most = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 32
  %27 = load i64, ptr %most, align 8
  %cmp37 = icmp sgt i64 %25, %27
  br i1 %cmp37, label %if.then39, label %for.inc42

if.then39:                                        ; preds = %lor.lhs.false, %for.body26
  %28 = trunc nuw nsw i64 %indvars.iv153 to i32
  tail call fastcc void @fail_limit(i32 noundef signext %28, ptr noundef nonnull %sizes) #9
  br label %return

for.inc42:                                        ; preds = %lor.lhs.false
  %indvars.iv.next154 = add nuw nsw i64 %indvars.iv153, 1
  %exitcond156.not = icmp eq i64 %indvars.iv.next154, %wide.trip.count155
  br i1 %exitcond156.not, label %for.end46, label %for.body26

for.end46:                                        ; preds = %for.inc42, %for.cond22.preheader
  %cmp47 = icmp eq i32 %cond168, 0
  br i1 %cmp47, label %return, label %cond.false50

cond.false50:                                     ; preds = %for.end46
  tail call fastcc void @fail_small(ptr noundef %sizes) #9
  br label %return

return:                                           ; preds = %if.then39, %cleanup11, %if.then18, %for.end46, %cond.false50
  %retval.5 = phi i32 [ -1, %cleanup11 ], [ -1, %if.then18 ], [ -1, %if.then39 ], [ -1, %cond.false50 ], [ 0, %for.end46 ]
  ret i32 %retval.5
}

define internal fastcc void @fail_argument(i32 noundef signext %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %got = alloca [128 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %0 = load ptr, ptr %finding, align 8
  %cmp = icmp eq ptr %0, @HAS_SIZE
  %cmp2 = icmp eq ptr %0, @HAS_VALID_SIZE
  %or.cond = or i1 %cmp, %cmp2
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_size(i32 noundef signext %index, ptr noundef %finding, ptr noundef %sizes) #9
  br label %cleanup

if.end:                                           ; preds = %entry
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %got) #7
  %got3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load ptr, ptr %got3, align 8
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %2 = load i64, ptr %numbers, align 8
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %3 = load i64, ptr %arrayidx6, align 8
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %4 = load i64, ptr %arrayidx8, align 8
  %call9 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %5 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %text, align 8
  %text11 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %7 = load ptr, ptr %text11, align 8
  %call13 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.39, ptr noundef nonnull @tw_name, i32 noundef signext %index, ptr noundef %5, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %got, ptr noundef nonnull @tw_signature) #8
  %8 = load ptr, ptr %0, align 8
  call fastcc void @report(ptr noundef %8, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %got) #7
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  ret void
}

declare hidden signext i32 @tw_derive(ptr noundef) local_unnamed_addr #5

define internal fastcc void @fail_limit(i32 noundef signext %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %range = alloca [64 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %0 = load ptr, ptr %symbols, align 8
  %1 = load i32, ptr %0, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %range) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %2 = load i64, ptr %most, align 8
  %cmp = icmp slt i64 %2, 1099511627776
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %3 = load i64, ptr %least, align 8
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 64, ptr noundef nonnull @.str.27, i64 noundef %3, i64 noundef %2) #8
  br label %if.end

if.else:                                          ; preds = %entry
  %call7 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 64, ptr noundef nonnull @.str.28, i64 noundef %3) #8
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  %idxprom2 = sext i32 %1 to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom2
  %4 = load ptr, ptr %arrayidx, align 8
  %arrayidx11 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %5 = load i64, ptr %arrayidx11, align 8
  %arrayidx13 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom2
  %6 = load ptr, ptr %arrayidx13, align 8
  %arrayidx16 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom2
  %7 = load i64, ptr %arrayidx16, align 8
  %axis = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 36
  %8 = load i32, ptr %axis, align 4
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 32
  %9 = load i32, ptr %argument, align 8
  %idxprom17 = sext i32 %9 to i64
  %arrayidx18 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom17
  %10 = load ptr, ptr %arrayidx18, align 8
  %call19 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.29, ptr noundef nonnull @tw_name, ptr noundef %4, ptr noundef nonnull %range, i64 noundef %5, ptr noundef %6, i64 noundef %7, i32 noundef signext %8, ptr noundef %10) #8
  call fastcc void @report(ptr noundef nonnull @.str.18, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %range) #7
  ret void
}

define internal fastcc void @fail_small(ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %got = alloca [400 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %got) #7
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp27 = icmp sgt i32 %0, 0
  br i1 %cmp27, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %1 = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %call14 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.32, ptr noundef nonnull @tw_name, ptr noundef nonnull %got) #8
  call fastcc void @report(ptr noundef nonnull @.str.18, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %got) #7
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %length.028 = phi i32 [ 0, %for.body.preheader ], [ %add, %for.body ]
  %idx.ext = sext i32 %length.028 to i64
  %add.ptr = getelementptr inbounds i8, ptr %got, i64 %idx.ext
  %sub = sub nsw i32 400, %length.028
  %conv = zext nneg i32 %sub to i64
  %cmp2 = icmp eq i64 %indvars.iv, 0
  %cond = select i1 %cmp2, ptr @.str.26, ptr @.str.31
  %arrayidx = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %indvars.iv
  %2 = load ptr, ptr %arrayidx, align 8
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %3 = load i64, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds nuw %struct.tw_symbol, ptr @tw_symbols, i64 %indvars.iv
  %axis = getelementptr inbounds nuw i8, ptr %arrayidx7, i64 36
  %4 = load i32, ptr %axis, align 4
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx7, i64 32
  %5 = load i32, ptr %argument, align 8
  %idxprom10 = sext i32 %5 to i64
  %arrayidx11 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom10
  %6 = load ptr, ptr %arrayidx11, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %conv, ptr noundef nonnull @.str.30, ptr noundef nonnull %cond, ptr noundef %2, i64 noundef %3, i32 noundef signext %4, ptr noundef %6) #8
  %add = add nsw i32 %call, %length.028
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp = icmp samesign ult i64 %indvars.iv.next, %1
  %cmp1 = icmp slt i32 %add, 400
  %7 = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %7, label %for.body, label %for.cond.cleanup
}

define internal fastcc void @fail_size(i32 noundef signext %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %wanted = alloca [512 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %0
  call void @llvm.lifetime.start.p0(ptr nonnull %wanted) #7
  %1 = load ptr, ptr %arrayidx1, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %wanted, i64 noundef 512, ptr noundef nonnull @.str.40, ptr noundef %1) #8
  %conv = sext i32 %call to i64
  %2 = load ptr, ptr %finding, align 8
  %cmp = icmp eq ptr %2, @HAS_SIZE
  br i1 %cmp, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %3 = load i64, ptr %arrayidx, align 8
  %4 = load i32, ptr @tw_symbol_count, align 4
  %conv5 = sext i32 %4 to i64
  %cmp6.not = icmp sge i64 %3, %conv5
  %cmp8 = icmp slt i32 %call, 512
  %or.cond = select i1 %cmp6.not, i1 %cmp8, i1 false
  br i1 %or.cond, label %cond.true, label %if.end

cond.true:                                        ; preds = %land.lhs.true
  %add.ptr = getelementptr inbounds i8, ptr %wanted, i64 %conv
  %sub = sub nsw i64 512, %conv
  %arrayidx13 = getelementptr inbounds i64, ptr %sizes, i64 %3
  %5 = load i64, ptr %arrayidx13, align 8
  %call14 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.41, i64 noundef %5) #8
  %conv15 = sext i32 %call14 to i64
  %add = add nsw i64 %conv15, %conv
  br label %if.end

if.end:                                           ; preds = %cond.true, %land.lhs.true, %entry
  %length.0 = phi i64 [ %conv, %entry ], [ %conv, %land.lhs.true ], [ %add, %cond.true ]
  %count = getelementptr inbounds nuw i8, ptr %arrayidx1, i64 16
  %6 = load i64, ptr %count, align 8
  %cmp16140 = icmp sgt i64 %6, 0
  br i1 %cmp16140, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx1, i64 8
  %7 = load ptr, ptr %symbols, align 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end71, %if.end
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %idxprom72 = sext i32 %index to i64
  %arrayidx73 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom72
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #7
  %8 = load ptr, ptr %arrayidx73, align 8
  %9 = load ptr, ptr %finding, align 8
  %text77 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %10 = load ptr, ptr %text77, align 8
  %text78 = getelementptr inbounds nuw i8, ptr %arrayidx73, i64 8
  %11 = load ptr, ptr %text78, align 8
  %arrayidx80 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %12 = load i64, ptr %arrayidx80, align 8
  %13 = load i64, ptr %numbers, align 8
  %call86 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.45, ptr noundef nonnull @tw_name, i32 noundef signext %index, ptr noundef %8, ptr noundef %10, ptr noundef %11, i64 noundef %12, ptr noundef nonnull %wanted, i64 noundef %13, i64 noundef %12, ptr noundef nonnull @tw_signature) #8
  %14 = load ptr, ptr %finding, align 8
  %15 = load ptr, ptr %14, align 8
  call fastcc void @report(ptr noundef %15, ptr noundef %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %wanted) #7
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %if.end71
  %length.1142 = phi i64 [ %length.0, %for.body.lr.ph ], [ %length.2, %if.end71 ]
  %number.0141 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end71 ]
  %arrayidx18 = getelementptr inbounds nuw i32, ptr %7, i64 %number.0141
  %16 = load i32, ptr %arrayidx18, align 4
  %idxprom = sext i32 %16 to i64
  %arrayidx19 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %arrayidx21 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %17 = load ptr, ptr %arrayidx21, align 8
  %cmp23 = icmp slt i64 %length.1142, 512
  br i1 %cmp23, label %cond.true25, label %cond.end36

cond.true25:                                      ; preds = %for.body
  %add.ptr27 = getelementptr inbounds i8, ptr %wanted, i64 %length.1142
  %sub28 = sub nsw i64 512, %length.1142
  %cmp29 = icmp eq i64 %number.0141, 0
  %cond31 = select i1 %cmp29, ptr @.str.42, ptr @.str.31
  %call32 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr27, i64 noundef %sub28, ptr noundef nonnull %cond31) #8
  %conv33 = sext i32 %call32 to i64
  %add34 = add nsw i64 %length.1142, %conv33
  br label %cond.end36

cond.end36:                                       ; preds = %for.body, %cond.true25
  %cond37 = phi i64 [ %add34, %cond.true25 ], [ %length.1142, %for.body ]
  %18 = load ptr, ptr %finding, align 8
  %cmp39 = icmp eq ptr %18, @HAS_SIZE
  %cmp42 = icmp slt i64 %cond37, 512
  br i1 %cmp39, label %if.then41, label %if.else

if.then41:                                        ; preds = %cond.end36
  br i1 %cmp42, label %cond.true44, label %if.end71

cond.true44:                                      ; preds = %if.then41
  %add.ptr46 = getelementptr inbounds i8, ptr %wanted, i64 %cond37
  %sub47 = sub nsw i64 512, %cond37
  %arrayidx49 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %19 = load i64, ptr %arrayidx49, align 8
  %axis = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 36
  %20 = load i32, ptr %axis, align 4
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 32
  %21 = load i32, ptr %argument, align 8
  %idxprom50 = sext i32 %21 to i64
  %arrayidx51 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom50
  %22 = load ptr, ptr %arrayidx51, align 8
  %call53 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr46, i64 noundef %sub47, ptr noundef nonnull @.str.43, ptr noundef %17, i64 noundef %19, i32 noundef signext %20, ptr noundef %22) #8
  %conv54 = sext i32 %call53 to i64
  %add55 = add nsw i64 %cond37, %conv54
  br label %if.end71

if.else:                                          ; preds = %cond.end36
  br i1 %cmp42, label %cond.true61, label %if.end71

cond.true61:                                      ; preds = %if.else
  %add.ptr63 = getelementptr inbounds i8, ptr %wanted, i64 %cond37
  %sub64 = sub nsw i64 512, %cond37
  %23 = load i64, ptr %arrayidx19, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 8
  %24 = load i64, ptr %most, align 8
  %call65 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr63, i64 noundef %sub64, ptr noundef nonnull @.str.44, ptr noundef %17, i64 noundef %23, i64 noundef %24) #8
  %conv66 = sext i32 %call65 to i64
  %add67 = add nsw i64 %cond37, %conv66
  br label %if.end71

if.end71:                                         ; preds = %cond.true61, %if.else, %cond.true44, %if.then41
  %length.2 = phi i64 [ %cond37, %if.then41 ], [ %add55, %cond.true44 ], [ %add67, %cond.true61 ], [ %cond37, %if.else ]
  %inc = add nuw nsw i64 %number.0141, 1
  %exitcond.not = icmp eq i64 %inc, %6
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare hidden signext i32 @tw_run(ptr noundef, ptr noundef, i32 noundef signext) local_unnamed_addr #5

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #5

declare i32 @llvm.smin.i32(i32, i32) #6

declare i32 @llvm.smax.i32(i32, i32) #6

attributes #0 = { cold noinline nounwind optsize "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-builtins" }
attributes #3 = { nounwind "no-builtins" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { "no-builtins" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { nobuiltin nounwind "no-builtins" }
attributes #9 = { cold nobuiltin "no-builtins" }
attributes #10 = { nobuiltin "no-builtins" }
