; Generated from runtime/native/entry.c by `make prelude`; do not edit.
; ziglang 0.17.1, x86_64-linux-gnu
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.tw_symbol = type { i64, i64, i64, i64, i32, i32, i32 }
%struct.rule = type { ptr, ptr, ptr }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32 }
%struct.tw_expression = type { ptr, ptr, i64, i64, i64 }
%struct.call = type { ptr, ptr }
%union.tw_slot = type { ptr }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.finding = type { ptr, [3 x i64] }

@__tw_default_threads = local_unnamed_addr global i32 1, align 4
@__tw_abi_version = local_unnamed_addr constant i32 1, align 4
@__tw_last_error = global [1024 x i8] zeroinitializer, align 16
@.str = private unnamed_addr constant [93 x i8] c"%s: %s: an index is out of range\0A    expected: %lld..%lld\0A    got: %lld at %s of the indices\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"IndexError\00", align 1
@arenas = internal global [8 x ptr] zeroinitializer, align 64
@.str.2 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.3 = private unnamed_addr constant [101 x i8] c"%s: the weights are not loaded\0A    expected: the address of %lld bytes in __tw_weights\0A    got: null\00", align 1
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.4 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@.str.5 = private unnamed_addr constant [91 x i8] c"%s: the first argument is not a thread count\0A    expected: an int\0A    got: type index %lld\00", align 1
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_size_count = external hidden local_unnamed_addr constant i32, align 4
@.str.6 = private unnamed_addr constant [108 x i8] c"%s: the last argument does not take the sizes of the outputs\0A    expected: an int64 tensor of %lld elements\00", align 1
@.str.7 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.8 = private unnamed_addr constant [107 x i8] c"%s: the memory of a call depends on the elements of its inputs\0A    got: %lld sizes that the model computes\00", align 1
@tw_symbol_count = external hidden local_unnamed_addr constant i32, align 4
@__tw_weights = local_unnamed_addr global ptr null, align 8
@__tw_pool = local_unnamed_addr global ptr null, align 8
@__tw_raise = local_unnamed_addr global ptr null, align 8
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 8
@__tvm_ffi__library_ctx = weak local_unnamed_addr global ptr null, align 8
@.str.9 = private unnamed_addr constant [29 x i8] c"TVMFFIErrorSetRaisedFromCStr\00", align 1
@.str.10 = private unnamed_addr constant [2 x i8] c"[\00", align 1
@.str.11 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.12 = private unnamed_addr constant [7 x i8] c", %lld\00", align 1
@.str.13 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_symbols = external hidden local_unnamed_addr constant [0 x %struct.tw_symbol], align 8
@.str.14 = private unnamed_addr constant [136 x i8] c"%s: the sizes of the outputs do not follow from the inputs\0A    expected: a call with arrays for the outputs, the first is argument %lld\00", align 1
@IS_TENSOR = internal constant %struct.rule { ptr @.str.4, ptr @.str.15, ptr @.str.16 }, align 8
@tw_specs = external hidden local_unnamed_addr constant [0 x %struct.tw_spec], align 8
@HAS_VALID_SIZE = internal constant %struct.rule { ptr @.str.7, ptr @.str.23, ptr @.str.24 }, align 8
@.str.15 = private unnamed_addr constant [16 x i8] c"is not a tensor\00", align 1
@.str.16 = private unnamed_addr constant [16 x i8] c"type index %lld\00", align 1
@IS_IN_CPU_MEMORY = internal constant %struct.rule { ptr @.str.7, ptr @.str.17, ptr @.str.18 }, align 8
@HAS_DTYPE = internal constant %struct.rule { ptr @.str.4, ptr @.str.19, ptr @.str.20 }, align 8
@HAS_RANK = internal constant %struct.rule { ptr @.str.7, ptr @.str.21, ptr @.str.22 }, align 8
@.str.17 = private unnamed_addr constant [21 x i8] c"is not in CPU memory\00", align 1
@.str.18 = private unnamed_addr constant [37 x i8] c"DLPack device type %lld, number %lld\00", align 1
@.str.19 = private unnamed_addr constant [20 x i8] c"has the wrong dtype\00", align 1
@.str.20 = private unnamed_addr constant [45 x i8] c"DLPack type code %lld, %lld bits, %lld lanes\00", align 1
@.str.21 = private unnamed_addr constant [35 x i8] c"has the wrong number of dimensions\00", align 1
@.str.22 = private unnamed_addr constant [16 x i8] c"%lld dimensions\00", align 1
@.str.23 = private unnamed_addr constant [29 x i8] c"has a size that is not valid\00", align 1
@.str.24 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@HAS_SIZE = internal constant %struct.rule { ptr @.str.7, ptr @.str.26, ptr @.str.24 }, align 8
@.str.25 = private unnamed_addr constant [71 x i8] c"%s: argument %d (%s) %s\0A    expected: %s\0A    got: %s\0A    signature: %s\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.26 = private unnamed_addr constant [20 x i8] c"has the wrong shape\00", align 1
@tw_expressions = external hidden local_unnamed_addr constant [0 x %struct.tw_expression], align 8
@.str.27 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.28 = private unnamed_addr constant [8 x i8] c" = %lld\00", align 1
@.str.29 = private unnamed_addr constant [9 x i8] c", where \00", align 1
@.str.30 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.31 = private unnamed_addr constant [20 x i8] c"%s is in %lld..%lld\00", align 1
@.str.32 = private unnamed_addr constant [116 x i8] c"%s: argument %d (%s) %s\0A    expected: %s, dimension %lld: %s\0A    got: size %lld in dimension %lld\0A    signature: %s\00", align 1
@.str.33 = private unnamed_addr constant [21 x i8] c"%s = %lld (computed)\00", align 1
@.str.34 = private unnamed_addr constant [31 x i8] c"%s = %lld (dimension %d of %s)\00", align 1
@tw_expression_count = external hidden local_unnamed_addr constant i32, align 4
@.str.35 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.36 = private unnamed_addr constant [102 x i8] c"%s: the sizes of the arguments are too large\0A    expected: intermediate results of at most %lld bytes\00", align 1
@.str.37 = private unnamed_addr constant [14 x i8] c"in %lld..%lld\00", align 1
@.str.38 = private unnamed_addr constant [17 x i8] c"of at least %lld\00", align 1
@.str.39 = private unnamed_addr constant [79 x i8] c"%s: a size is outside of its range\0A    expected: %s %s\0A    got: %lld, where %s\00", align 1
@.str.40 = private unnamed_addr constant [155 x i8] c"%s: the inputs are too small: an intermediate result would have a negative size\0A    expected: larger inputs, as for windows that fit into them\0A    got: %s\00", align 1
@IS_ALIGNED = internal constant %struct.rule { ptr @.str.7, ptr @.str.44, ptr @.str.45 }, align 8
@HAS_SHAPE = internal constant %struct.rule { ptr @.str.7, ptr @.str.26, ptr @.str.41 }, align 8
@.str.41 = private unnamed_addr constant [28 x i8] c"size %lld in dimension %lld\00", align 1
@IS_ROW_MAJOR = internal constant %struct.rule { ptr @.str.7, ptr @.str.42, ptr @.str.43 }, align 8
@.str.42 = private unnamed_addr constant [38 x i8] c"is not stored row by row without gaps\00", align 1
@.str.43 = private unnamed_addr constant [46 x i8] c"stride %lld in dimension %lld instead of %lld\00", align 1
@.str.44 = private unnamed_addr constant [39 x i8] c"is null or not aligned to its elements\00", align 1
@.str.45 = private unnamed_addr constant [40 x i8] c"address %#llx, needs a multiple of %lld\00", align 1
@.str.46 = private unnamed_addr constant [86 x i8] c"%s: no memory for the sizes of the outputs\0A    expected: sizes that %lld symbols give\00", align 1
@.str.47 = private unnamed_addr constant [93 x i8] c"%s: the inputs lead to a size that is not valid\0A    expected: %s in %lld..%lld\0A    got: %lld\00", align 1
@tw_max_threads = external hidden local_unnamed_addr constant i32, align 4
@IS_APART = internal constant %struct.rule { ptr @.str.7, ptr @.str.48, ptr @.str.49 }, align 8
@.str.48 = private unnamed_addr constant [36 x i8] c"shares memory with another argument\00", align 1
@.str.49 = private unnamed_addr constant [27 x i8] c"overlap with argument %lld\00", align 1
@.str.50 = private unnamed_addr constant [41 x i8] c"%s: a kernel failed\0A    got: status %lld\00", align 1
@.str.51 = private unnamed_addr constant [68 x i8] c"%s: no memory for the intermediate results\0A    expected: %lld bytes\00", align 1
@.str.52 = private unnamed_addr constant [101 x i8] c"%s: wrong number of arguments\0A    expected: %d (%d inputs, %d outputs)\0A    got: %d\0A    signature: %s\00", align 1
@tw_arena_bytes = external hidden local_unnamed_addr constant i64, align 8

define hidden noundef i32 @tw_fail(ptr noundef %kind, ptr noundef %message) local_unnamed_addr #0 {
entry:
  %call = tail call ptr @memcpy(ptr noundef nonnull @__tw_last_error, ptr noundef %message, i64 noundef 1024) #7
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
  %call.i = tail call ptr @dlsym(ptr noundef null, ptr noundef nonnull @.str.9) #7
  br label %host_report.exit

host_report.exit:                                 ; preds = %if.end3.i, %if.end9.i
  %retval.0.i = phi ptr [ %call.i, %if.end9.i ], [ @TVMFFIErrorSetRaisedFromCStr, %if.end3.i ]
  %cmp.not = icmp eq ptr %retval.0.i, null
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %if.end.i, %entry, %host_report.exit
  %retval.0.i6 = phi ptr [ %retval.0.i, %host_report.exit ], [ %1, %if.end.i ], [ %0, %entry ]
  tail call void %retval.0.i6(ptr noundef %kind, ptr noundef %message) #7
  br label %if.end

if.end:                                           ; preds = %if.end6.i, %if.then, %host_report.exit
  ret i32 -1
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define hidden noundef i32 @tw_fail_index(ptr noundef readonly captures(none) %check, i64 noundef %position, i64 noundef %got, i64 noundef %low, i64 noundef %high) local_unnamed_addr #0 {
entry:
  %where = alloca [256 x i8], align 16
  %message = alloca [1024 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %where) #8
  %call.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %where, i64 noundef 256, ptr noundef nonnull @.str.10) #7
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
  %cond.i = select i1 %cmp12.i, ptr @.str.11, ptr @.str.12
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
  %call23.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr21.i, i64 noundef %sub.lcssa.i, ptr noundef nonnull @.str.13) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %7 = load ptr, ptr %check, align 8
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, ptr noundef %7, i64 noundef %low, i64 noundef %high, i64 noundef %got, ptr noundef nonnull %where) #7
  %call4 = call i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %where) #8
  ret i32 -1
}

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #1

define void @__tw_release() local_unnamed_addr #3 {
entry:
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  tail call void @tw_unload_weights() #10
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

declare void @free(ptr noundef) local_unnamed_addr #1

define weak hidden void @tw_unload_weights() local_unnamed_addr #0 {
entry:
  ret void
}

define weak i32 @__tw_load_weights() local_unnamed_addr #0 {
entry:
  %0 = load i64, ptr @tw_weights_bytes, align 8
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3, i64 noundef %0) #9
  ret i32 -1
}

define internal fastcc void @fail_number(ptr noundef %kind, ptr noundef %format, i64 noundef %number) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef %format, ptr noundef nonnull @tw_name, i64 noundef %number) #7
  %call2 = call i32 @tw_fail(ptr noundef %kind, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  ret void
}

define range(i32 -1, 1) i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call = tail call fastcc i32 @enter(ptr noundef %args, i32 noundef %count, i32 noundef %0) #10
  ret i32 %call
}

define internal fastcc range(i32 -1, 1) i32 @enter(ptr noundef readonly captures(none) %args, i32 noundef %count, i32 noundef %threads) unnamed_addr #3 {
entry:
  %call = alloca %struct.call, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 16
  %vla2 = alloca i64, i64 %1, align 16
  %2 = load i32, ptr @tw_size_count, align 4
  %add3 = add nsw i32 %2, 1
  %3 = zext i32 %add3 to i64
  %vla4 = alloca i64, i64 %3, align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %call) #8
  store ptr %vla4, ptr %call, align 8
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %vla2, ptr %bytes, align 8
  %cmp.not = icmp eq i32 %count, %0
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call fastcc void @fail_count(i32 noundef %count) #9
  br label %cleanup

if.end:                                           ; preds = %entry
  %call6 = call fastcc i32 @bind_symbols(ptr noundef %args, i32 noundef %count, ptr noundef nonnull %vla4) #10
  %cmp7.not = icmp eq i32 %call6, 0
  br i1 %cmp7.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %if.end
  %4 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %4, 0
  %5 = load ptr, ptr @__tw_weights, align 8
  %cmp1.i = icmp ne ptr %5, null
  %or.cond.i = select i1 %cmp.i, i1 true, i1 %cmp1.i
  br i1 %or.cond.i, label %lor.lhs.false10, label %check_weights.exit

check_weights.exit:                               ; preds = %lor.lhs.false
  %call.i = call i32 @__tw_load_weights() #9
  %cmp9.not = icmp eq i32 %call.i, 0
  br i1 %cmp9.not, label %lor.lhs.false10, label %cleanup

lor.lhs.false10:                                  ; preds = %lor.lhs.false, %check_weights.exit
  %6 = load i32, ptr @tw_max_threads, align 4
  %cond.i37 = call i32 @llvm.smin.i32(i32 %threads, i32 %6)
  %cond5.i = call range(i32 1, -2147483648) i32 @llvm.smax.i32(i32 %cond.i37, i32 1)
  %call12 = call fastcc i32 @find_hidden(ptr noundef %args, ptr noundef %vla, ptr noundef %call, i32 noundef %cond5.i) #9
  %cmp13.not = icmp eq i32 %call12, 0
  br i1 %cmp13.not, label %lor.lhs.false14, label %cleanup

lor.lhs.false14:                                  ; preds = %lor.lhs.false10
  %call15 = call fastcc i32 @check_arguments(ptr noundef %args, ptr noundef %vla, ptr noundef %call) #10
  %cmp16.not = icmp eq i32 %call15, 0
  br i1 %cmp16.not, label %if.end18, label %cleanup

if.end18:                                         ; preds = %lor.lhs.false14
  %7 = load i32, ptr @tw_symbol_count, align 4
  %cmp4.i.i = icmp sgt i32 %7, 0
  br i1 %cmp4.i.i, label %land.rhs.i.i, label %if.end24

land.rhs.i.i:                                     ; preds = %if.end18, %while.body.i.i
  %count.05.i.i = phi i32 [ %dec.i.i, %while.body.i.i ], [ %7, %if.end18 ]
  %8 = zext nneg i32 %count.05.i.i to i64
  %9 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %8
  %is_computed.i.i = getelementptr i8, ptr %9, i64 -8
  %10 = load i32, ptr %is_computed.i.i, align 8
  %tobool.not.i.i = icmp eq i32 %10, 0
  br i1 %tobool.not.i.i, label %computes_sizes.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %dec.i.i = add nsw i32 %count.05.i.i, -1
  %cmp.i.i = icmp sgt i32 %count.05.i.i, 1
  br i1 %cmp.i.i, label %land.rhs.i.i, label %computes_sizes.exit

computes_sizes.exit:                              ; preds = %land.rhs.i.i, %while.body.i.i
  %count.0.lcssa.i.ph.i = phi i32 [ 0, %while.body.i.i ], [ %count.05.i.i, %land.rhs.i.i ]
  %11 = icmp slt i32 %count.0.lcssa.i.ph.i, %7
  br i1 %11, label %if.then20, label %if.end24

if.then20:                                        ; preds = %computes_sizes.exit
  %call22 = call fastcc i32 @run_sized(ptr noundef %args, ptr noundef %vla, ptr noundef %call, i32 noundef %cond5.i) #9
  %12 = add i32 %call22, 1
  %or.cond.i40 = icmp ult i32 %12, 2
  br i1 %or.cond.i40, label %cleanup, label %if.end.i

if.end.i:                                         ; preds = %if.then20
  %conv.i = sext i32 %call22 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.50, i64 noundef %conv.i) #9
  br label %cleanup

if.end24:                                         ; preds = %if.end18, %computes_sizes.exit
  %cmp.i42 = icmp eq i32 %7, 0
  %13 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %13 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %vla4, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i42, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i43 = load i64, ptr %cond.in.i, align 8
  %call27 = call fastcc i32 @run(ptr noundef %vla, i64 noundef %cond.i43, i32 noundef %cond5.i) #10
  %14 = add i32 %call27, 1
  %or.cond.i46 = icmp ult i32 %14, 2
  br i1 %or.cond.i46, label %cleanup, label %if.end.i47

if.end.i47:                                       ; preds = %if.end24
  %conv.i48 = sext i32 %call27 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.50, i64 noundef %conv.i48) #9
  br label %cleanup

cleanup:                                          ; preds = %if.end.i47, %if.end24, %if.end.i, %if.then20, %if.end, %check_weights.exit, %lor.lhs.false10, %lor.lhs.false14, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ %call22, %if.then20 ], [ -1, %if.end ], [ -1, %lor.lhs.false14 ], [ -1, %lor.lhs.false10 ], [ -1, %check_weights.exit ], [ -1, %if.end.i ], [ -1, %if.end.i47 ], [ %call27, %if.end24 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %call) #8
  ret i32 %retval.0
}

define range(i32 -1, 1) i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call.i = tail call fastcc range(i32 -1, 1) i32 @enter(ptr noundef readonly %args, i32 noundef %count, i32 noundef %0) #10
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
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.4, ptr noundef nonnull @.str.5, i64 noundef %cond) #9
  br label %return

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load i64, ptr %payload, align 8
  %conv4 = trunc i64 %2 to i32
  %call5 = tail call fastcc i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef %sub, i32 noundef %conv4) #10
  br label %return

return:                                           ; preds = %if.end, %cond.end
  %retval.0 = phi i32 [ -1, %cond.end ], [ %call5, %if.end ]
  ret i32 %retval.0
}

define range(i32 -1, 1) i32 @__tw_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 1
  %cmp.not = icmp eq i32 %count, %add
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef %count) #9
  br label %return

if.end:                                           ; preds = %entry
  %1 = load i32, ptr @tw_size_count, align 4
  %add1 = add nsw i32 %1, 1
  %2 = zext i32 %add1 to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %2, align 16
  %4 = load i32, ptr @tw_symbol_count, align 4
  %cmp4.i.i = icmp sgt i32 %4, 0
  br i1 %cmp4.i.i, label %land.rhs.i.i, label %cond.false

land.rhs.i.i:                                     ; preds = %if.end, %while.body.i.i
  %count.05.i.i = phi i32 [ %dec.i.i, %while.body.i.i ], [ %4, %if.end ]
  %5 = zext nneg i32 %count.05.i.i to i64
  %6 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %5
  %is_computed.i.i = getelementptr i8, ptr %6, i64 -8
  %7 = load i32, ptr %is_computed.i.i, align 8
  %tobool.not.i.i = icmp eq i32 %7, 0
  br i1 %tobool.not.i.i, label %computes_sizes.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %dec.i.i = add nsw i32 %count.05.i.i, -1
  %cmp.i.i = icmp sgt i32 %count.05.i.i, 1
  br i1 %cmp.i.i, label %land.rhs.i.i, label %computes_sizes.exit

computes_sizes.exit:                              ; preds = %land.rhs.i.i, %while.body.i.i
  %count.0.lcssa.i.ph.i = phi i32 [ 0, %while.body.i.i ], [ %count.05.i.i, %land.rhs.i.i ]
  %8 = icmp slt i32 %count.0.lcssa.i.ph.i, %4
  br i1 %8, label %cond.true, label %cond.false

cond.true:                                        ; preds = %computes_sizes.exit
  %call3 = call fastcc i32 @compute_sizes(ptr noundef %args, ptr noundef %vla) #9
  br label %cond.end

cond.false:                                       ; preds = %if.end, %computes_sizes.exit
  %call4 = call fastcc i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #10
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %call3, %cond.true ], [ %call4, %cond.false ]
  %cmp5.not = icmp eq i32 %cond, 0
  br i1 %cmp5.not, label %if.end7, label %cleanup16

if.end7:                                          ; preds = %cond.end
  %9 = load i32, ptr @tw_arguments, align 4
  %cmp30.i = icmp slt i32 %0, %9
  %10 = sext i32 %0 to i64
  br i1 %cmp30.i, label %for.cond1.preheader.lr.ph.i, label %write_shapes.exit

for.cond1.preheader.lr.ph.i:                      ; preds = %if.end7
  %wide.trip.count38.i = sext i32 %9 to i64
  br label %for.cond1.preheader.i

for.cond1.preheader.i:                            ; preds = %for.cond1.preheader.i, %for.cond1.preheader.lr.ph.i
  %indvars.iv35.i = phi i64 [ %10, %for.cond1.preheader.lr.ph.i ], [ %indvars.iv.next36.i, %for.cond1.preheader.i ]
  %count.032.i = phi i64 [ 0, %for.cond1.preheader.lr.ph.i ], [ %count.1.lcssa.i, %for.cond1.preheader.i ]
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv35.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 40
  %11 = load i32, ptr %rank.i, align 8
  %narrow = call i32 @llvm.smax.i32(i32 %11, i32 0)
  %12 = zext nneg i32 %narrow to i64
  %count.1.lcssa.i = add i64 %count.032.i, %12
  %indvars.iv.next36.i = add nsw i64 %indvars.iv35.i, 1
  %exitcond39.not.i = icmp eq i64 %indvars.iv.next36.i, %wide.trip.count38.i
  br i1 %exitcond39.not.i, label %write_shapes.exit, label %for.cond1.preheader.i

write_shapes.exit:                                ; preds = %for.cond1.preheader.i, %if.end7
  %count.0.lcssa.i = phi i64 [ 0, %if.end7 ], [ %count.1.lcssa.i, %for.cond1.preheader.i ]
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %args, i64 %10
  %13 = load i32, ptr %arrayidx, align 8
  switch i32 %13, label %if.then11 [
    i32 7, label %tensor_of.exit.i
    i32 70, label %tensor_of.exit.thread16.i
  ]

tensor_of.exit.thread16.i:                        ; preds = %write_shapes.exit
  %payload4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %14 = load ptr, ptr %payload4.i.i, align 8
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %14, i64 24
  br label %lor.lhs.false.i

tensor_of.exit.i:                                 ; preds = %write_shapes.exit
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %15 = load ptr, ptr %payload.i.i, align 8
  %cmp.i = icmp eq ptr %15, null
  br i1 %cmp.i, label %if.then11, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %tensor_of.exit.i, %tensor_of.exit.thread16.i
  %retval.0.i19.i = phi ptr [ %tensor.i.i, %tensor_of.exit.thread16.i ], [ %15, %tensor_of.exit.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 8
  %16 = load i32, ptr %device_type.i, align 8
  %cmp1.not.i = icmp eq i32 %16, 1
  br i1 %cmp1.not.i, label %lor.lhs.false2.i, label %if.then11

lor.lhs.false2.i:                                 ; preds = %lor.lhs.false.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 20
  %17 = load i32, ptr %dtype.i, align 4
  %cmp3.not.i = icmp eq i32 %17, 81920
  br i1 %cmp3.not.i, label %lor.lhs.false4.i, label %if.then11

lor.lhs.false4.i:                                 ; preds = %lor.lhs.false2.i
  %rank.i22 = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 16
  %18 = load i32, ptr %rank.i22, align 8
  %cmp5.not.i = icmp eq i32 %18, 1
  br i1 %cmp5.not.i, label %lor.lhs.false6.i, label %if.then11

lor.lhs.false6.i:                                 ; preds = %lor.lhs.false4.i
  %shape.i23 = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 24
  %19 = load ptr, ptr %shape.i23, align 8
  %20 = load i64, ptr %19, align 8
  %cmp7.i = icmp slt i64 %20, %count.0.lcssa.i
  br i1 %cmp7.i, label %if.then11, label %numbers_of.exit

numbers_of.exit:                                  ; preds = %lor.lhs.false6.i
  %21 = load ptr, ptr %retval.0.i19.i, align 8
  %byte_offset.i = getelementptr inbounds nuw i8, ptr %retval.0.i19.i, i64 40
  %22 = load i64, ptr %byte_offset.i, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %21, i64 %22
  %cmp10 = icmp eq ptr %21, null
  br i1 %cmp10, label %if.then11, label %if.end13

if.then11:                                        ; preds = %write_shapes.exit, %tensor_of.exit.i, %lor.lhs.false.i, %lor.lhs.false2.i, %lor.lhs.false4.i, %lor.lhs.false6.i, %numbers_of.exit
  call fastcc void @fail_number(ptr noundef nonnull @.str.4, ptr noundef nonnull @.str.6, i64 noundef %count.0.lcssa.i) #9
  br label %cleanup16

if.end13:                                         ; preds = %numbers_of.exit
  br i1 %cmp30.i, label %for.cond1.preheader.lr.ph.i26, label %cleanup16

for.cond1.preheader.lr.ph.i26:                    ; preds = %if.end13
  %wide.trip.count38.i27 = sext i32 %9 to i64
  br label %for.cond1.preheader.i28

for.cond1.preheader.i28:                          ; preds = %for.cond.cleanup3.i34, %for.cond1.preheader.lr.ph.i26
  %indvars.iv35.i29 = phi i64 [ %10, %for.cond1.preheader.lr.ph.i26 ], [ %indvars.iv.next36.i36, %for.cond.cleanup3.i34 ]
  %count.032.i30 = phi i64 [ 0, %for.cond1.preheader.lr.ph.i26 ], [ %count.1.lcssa.i35, %for.cond.cleanup3.i34 ]
  %arrayidx.i31 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv35.i29
  %rank.i32 = getelementptr inbounds nuw i8, ptr %arrayidx.i31, i64 40
  %23 = load i32, ptr %rank.i32, align 8
  %cmp227.i33 = icmp sgt i32 %23, 0
  br i1 %cmp227.i33, label %for.body4.lr.ph.i38, label %for.cond.cleanup3.i34

for.body4.lr.ph.i38:                              ; preds = %for.cond1.preheader.i28
  %shape.i39 = getelementptr inbounds nuw i8, ptr %arrayidx.i31, i64 16
  %24 = load ptr, ptr %shape.i39, align 8
  %wide.trip.count.i40 = zext nneg i32 %23 to i64
  br label %if.then.i

for.cond.cleanup3.i34:                            ; preds = %if.end.i45, %for.cond1.preheader.i28
  %count.1.lcssa.i35 = phi i64 [ %count.032.i30, %for.cond1.preheader.i28 ], [ %inc13.i47, %if.end.i45 ]
  %indvars.iv.next36.i36 = add nsw i64 %indvars.iv35.i29, 1
  %exitcond39.not.i37 = icmp eq i64 %indvars.iv.next36.i36, %wide.trip.count38.i27
  br i1 %exitcond39.not.i37, label %cleanup16, label %for.cond1.preheader.i28

if.then.i:                                        ; preds = %for.body4.lr.ph.i38, %if.end.i45
  %indvars.iv.i42 = phi i64 [ 0, %for.body4.lr.ph.i38 ], [ %indvars.iv.next.i46, %if.end.i45 ]
  %count.129.i43 = phi i64 [ %count.032.i30, %for.body4.lr.ph.i38 ], [ %inc13.i47, %if.end.i45 ]
  %arrayidx8.i44 = getelementptr inbounds nuw i64, ptr %24, i64 %indvars.iv.i42
  %25 = load i64, ptr %arrayidx8.i44, align 8
  %cmp10.i = icmp sgt i64 %25, -1
  br i1 %cmp10.i, label %if.end.i45, label %cond.false.i

cond.false.i:                                     ; preds = %if.then.i
  %sub.i = xor i64 %25, -1
  %arrayidx11.i = getelementptr inbounds nuw i64, ptr %vla, i64 %sub.i
  %26 = load i64, ptr %arrayidx11.i, align 8
  br label %if.end.i45

if.end.i45:                                       ; preds = %if.then.i, %cond.false.i
  %cond.i = phi i64 [ %26, %cond.false.i ], [ %25, %if.then.i ]
  %arrayidx12.i = getelementptr inbounds i64, ptr %add.ptr.i, i64 %count.129.i43
  store i64 %cond.i, ptr %arrayidx12.i, align 8
  %indvars.iv.next.i46 = add nuw nsw i64 %indvars.iv.i42, 1
  %inc13.i47 = add nsw i64 %count.129.i43, 1
  %exitcond.not.i48 = icmp eq i64 %indvars.iv.next.i46, %wide.trip.count.i40
  br i1 %exitcond.not.i48, label %for.cond.cleanup3.i34, label %if.then.i

cleanup16:                                        ; preds = %for.cond.cleanup3.i34, %if.end13, %if.then11, %cond.end
  %retval.1 = phi i32 [ -1, %cond.end ], [ -1, %if.then11 ], [ 0, %if.end13 ], [ 0, %for.cond.cleanup3.i34 ]
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return

return:                                           ; preds = %cleanup16, %if.then
  %retval.2 = phi i32 [ -1, %if.then ], [ %retval.1, %cleanup16 ]
  ret i32 %retval.2
}

define internal fastcc void @fail_count(i32 noundef %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = load i32, ptr @tw_inputs, align 4
  %sub = sub nsw i32 %0, %1
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.52, ptr noundef nonnull @tw_name, i32 noundef %0, i32 noundef %1, i32 noundef %sub, i32 noundef %got, ptr noundef nonnull @tw_signature) #7
  %call2 = call i32 @tw_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  ret void
}

declare ptr @llvm.stacksave.p0() #4

define internal fastcc range(i32 -1, 1) i32 @compute_sizes(ptr noundef readonly captures(none) %args, ptr noundef nonnull %sizes) unnamed_addr #0 {
entry:
  %call = alloca %struct.call, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 16
  %vla2 = alloca i64, i64 %1, align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %call) #8
  store ptr %sizes, ptr %call, align 8
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %vla2, ptr %bytes, align 8
  %2 = load i32, ptr @tw_inputs, align 4
  %call4 = call fastcc i32 @bind_symbols(ptr noundef %args, i32 noundef %2, ptr noundef nonnull %sizes) #10
  %cmp.not = icmp eq i32 %call4, 0
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %entry
  %3 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %3, 0
  %4 = load ptr, ptr @__tw_weights, align 8
  %cmp1.i = icmp ne ptr %4, null
  %or.cond.i = select i1 %cmp.i, i1 true, i1 %cmp1.i
  br i1 %or.cond.i, label %lor.lhs.false7, label %check_weights.exit

check_weights.exit:                               ; preds = %lor.lhs.false
  %call.i = call i32 @__tw_load_weights() #9
  %cmp6.not = icmp eq i32 %call.i, 0
  br i1 %cmp6.not, label %lor.lhs.false7, label %cleanup

lor.lhs.false7:                                   ; preds = %lor.lhs.false, %check_weights.exit
  %5 = load i32, ptr @tw_symbol_count, align 4
  %cmp4.i = icmp sgt i32 %5, 0
  br i1 %cmp4.i, label %land.rhs.i, label %input_symbols.exit

land.rhs.i:                                       ; preds = %lor.lhs.false7, %while.body.i
  %count.05.i = phi i32 [ %dec.i, %while.body.i ], [ %5, %lor.lhs.false7 ]
  %6 = zext nneg i32 %count.05.i to i64
  %7 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %6
  %is_computed.i = getelementptr i8, ptr %7, i64 -8
  %8 = load i32, ptr %is_computed.i, align 8
  %tobool.not.i = icmp eq i32 %8, 0
  br i1 %tobool.not.i, label %input_symbols.exit, label %while.body.i

while.body.i:                                     ; preds = %land.rhs.i
  %dec.i = add nsw i32 %count.05.i, -1
  %cmp.i25 = icmp sgt i32 %count.05.i, 1
  br i1 %cmp.i25, label %land.rhs.i, label %input_symbols.exit

input_symbols.exit:                               ; preds = %land.rhs.i, %while.body.i, %lor.lhs.false7
  %count.0.lcssa.i = phi i32 [ %5, %lor.lhs.false7 ], [ %count.05.i, %land.rhs.i ], [ 0, %while.body.i ]
  %call9 = call fastcc i32 @assume_sizes(i32 noundef %count.0.lcssa.i, ptr noundef nonnull %sizes) #9
  %cmp10.not = icmp eq i32 %call9, 0
  br i1 %cmp10.not, label %lor.lhs.false11, label %cleanup

lor.lhs.false11:                                  ; preds = %input_symbols.exit
  %call12 = call fastcc i32 @check_each(ptr noundef %args, i32 noundef %2, ptr noundef %vla, ptr noundef %call) #10
  %cmp13.not = icmp eq i32 %call12, 0
  br i1 %cmp13.not, label %lor.lhs.false14, label %cleanup

lor.lhs.false14:                                  ; preds = %lor.lhs.false11
  %9 = load i32, ptr @__tw_default_threads, align 4
  %10 = load i32, ptr @tw_max_threads, align 4
  %cond.i26 = call i32 @llvm.smin.i32(i32 %9, i32 %10)
  %cond5.i = call range(i32 1, -2147483648) i32 @llvm.smax.i32(i32 %cond.i26, i32 1)
  %call16 = call fastcc i32 @find_sizes(ptr noundef %vla, ptr noundef nonnull %sizes, i32 noundef %cond5.i) #9
  %cmp17.not = icmp eq i32 %call16, 0
  br i1 %cmp17.not, label %if.end, label %cleanup

if.end:                                           ; preds = %lor.lhs.false14
  %call18 = call fastcc i32 @derive(ptr noundef nonnull %sizes) #10
  br label %cleanup

cleanup:                                          ; preds = %entry, %check_weights.exit, %input_symbols.exit, %lor.lhs.false11, %lor.lhs.false14, %if.end
  %retval.0 = phi i32 [ %call18, %if.end ], [ -1, %lor.lhs.false14 ], [ -1, %lor.lhs.false11 ], [ -1, %input_symbols.exit ], [ -1, %check_weights.exit ], [ -1, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %call) #8
  ret i32 %retval.0
}

define internal fastcc range(i32 -1, 1) i32 @bind_inputs(ptr noundef readonly captures(none) %args, ptr noundef nonnull %sizes) unnamed_addr #3 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  %call = tail call fastcc i32 @bind_symbols(ptr noundef %args, i32 noundef %0, ptr noundef nonnull %sizes) #10
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %call1 = tail call fastcc i32 @derive(ptr noundef nonnull %sizes) #10
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %lor.lhs.false
  %cmp377 = icmp sgt i32 %0, 0
  br i1 %cmp377, label %for.body.preheader, label %return

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc.critedge
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc.critedge ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding) #8
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %arrayidx5 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx5, align 8
  switch i32 %1, label %cond.true [
    i32 7, label %tensor_of.exit
    i32 70, label %tensor_of.exit.thread44
  ]

tensor_of.exit.thread44:                          ; preds = %for.body
  %payload4.i = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 8
  %2 = load ptr, ptr %payload4.i, align 8
  %tensor.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  br label %cond.false

tensor_of.exit:                                   ; preds = %for.body
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 8
  %3 = load ptr, ptr %payload.i, align 8
  %cmp7 = icmp eq ptr %3, null
  br i1 %cmp7, label %cond.true, label %cond.false

cond.true:                                        ; preds = %for.body, %tensor_of.exit
  %conv = sext i32 %1 to i64
  br label %cleanup22

cond.false:                                       ; preds = %tensor_of.exit.thread44, %tensor_of.exit
  %retval.0.i47 = phi ptr [ %tensor.i, %tensor_of.exit.thread44 ], [ %3, %tensor_of.exit ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i47, i64 8
  %4 = load i32, ptr %device_type.i, align 8
  %cmp.not.i = icmp eq i32 %4, 1
  br i1 %cmp.not.i, label %if.end.i, label %if.then.i39

if.then.i39:                                      ; preds = %cond.false
  %conv.i = sext i32 %4 to i64
  %device_id.i = getelementptr inbounds nuw i8, ptr %retval.0.i47, i64 12
  %5 = load i32, ptr %device_id.i, align 4
  %conv2.i = sext i32 %5 to i64
  br label %cleanup22

if.end.i:                                         ; preds = %cond.false
  %dtype3.i = getelementptr inbounds nuw i8, ptr %retval.0.i47, i64 20
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
  br label %cleanup22

if.end14.i:                                       ; preds = %if.end.i
  %rank.i = getelementptr inbounds nuw i8, ptr %retval.0.i47, i64 16
  %8 = load i32, ptr %rank.i, align 8
  %rank15.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %9 = load i32, ptr %rank15.i, align 8
  %cmp16.not.i = icmp eq i32 %8, %9
  br i1 %cmp16.not.i, label %land.rhs, label %if.then18.i

if.then18.i:                                      ; preds = %if.end14.i
  %conv20.i = sext i32 %8 to i64
  br label %cleanup22

land.rhs:                                         ; preds = %if.end14.i
  %cmp48.i = icmp slt i32 %8, 1
  br i1 %cmp48.i, label %for.inc.critedge, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %land.rhs
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i47, i64 24
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
  br i1 %cmp4.i, label %land.lhs.true.i, label %if.end.i41

land.lhs.true.i:                                  ; preds = %for.body.i
  %sub.i = xor i64 %13, -1
  %arrayidx5.i = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub.i
  %14 = load i64, ptr %arrayidx5.i, align 8
  %cmp6.not.i = icmp eq i64 %12, %14
  br i1 %cmp6.not.i, label %for.inc.i, label %cleanup22

if.end.i41:                                       ; preds = %for.body.i
  %cmp11.not.i = icmp eq i64 %12, %13
  br i1 %cmp11.not.i, label %for.inc.i, label %cleanup22

for.inc.i:                                        ; preds = %if.end.i41, %land.lhs.true.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.inc.critedge, label %for.body.i

for.inc.critedge:                                 ; preds = %for.inc.i, %land.rhs
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %return, label %for.body

cleanup22:                                        ; preds = %if.end.i41, %land.lhs.true.i, %if.then18.i, %if.then7.i, %if.then.i39, %cond.true
  %IS_TENSOR.sink = phi ptr [ @IS_TENSOR, %cond.true ], [ @IS_IN_CPU_MEMORY, %if.then.i39 ], [ @HAS_DTYPE, %if.then7.i ], [ @HAS_RANK, %if.then18.i ], [ @HAS_SHAPE, %if.end.i41 ], [ @HAS_SIZE, %land.lhs.true.i ]
  %conv.sink = phi i64 [ %conv, %cond.true ], [ %conv.i, %if.then.i39 ], [ %conv8.i, %if.then7.i ], [ %conv20.i, %if.then18.i ], [ %12, %land.lhs.true.i ], [ %12, %if.end.i41 ]
  %.sink150 = phi i64 [ 0, %cond.true ], [ %conv2.i, %if.then.i39 ], [ %conv10.i, %if.then7.i ], [ 0, %if.then18.i ], [ %indvars.iv.i, %land.lhs.true.i ], [ %indvars.iv.i, %if.end.i41 ]
  %.sink = phi i64 [ 0, %cond.true ], [ 0, %if.then.i39 ], [ %conv12.i, %if.then7.i ], [ 0, %if.then18.i ], [ 0, %if.end.i41 ], [ %sub.i, %land.lhs.true.i ]
  %15 = trunc i64 %indvars.iv to i32
  store ptr %IS_TENSOR.sink, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %finding, i64 8
  store i64 %conv.sink, ptr %.compoundliteral.sroa.2.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %finding, i64 16
  store i64 %.sink150, ptr %.compoundliteral.sroa.3.0..sroa_idx.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i = getelementptr inbounds nuw i8, ptr %finding, i64 24
  store i64 %.sink, ptr %.compoundliteral.sroa.4.0..sroa_idx.i, align 8
  call fastcc void @fail_argument(i32 noundef %15, ptr noundef %finding, ptr noundef nonnull %sizes) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #8
  br label %return

return:                                           ; preds = %for.inc.critedge, %for.cond.preheader, %cleanup22, %entry, %lor.lhs.false
  %retval.3 = phi i32 [ -1, %lor.lhs.false ], [ -1, %entry ], [ -1, %cleanup22 ], [ 0, %for.cond.preheader ], [ 0, %for.inc.critedge ]
  ret i32 %retval.3
}

declare void @llvm.stackrestore.p0(ptr) #4

define range(i32 -1, 1) i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp.not = icmp eq i32 %count, %0
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef %count) #9
  br label %return

if.end:                                           ; preds = %entry
  %1 = load i32, ptr @tw_symbol_count, align 4
  %cmp4.i.i = icmp sgt i32 %1, 0
  br i1 %cmp4.i.i, label %land.rhs.i.i, label %if.end5

land.rhs.i.i:                                     ; preds = %if.end, %while.body.i.i
  %count.05.i.i = phi i32 [ %dec.i.i, %while.body.i.i ], [ %1, %if.end ]
  %2 = zext nneg i32 %count.05.i.i to i64
  %3 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %2
  %is_computed.i.i = getelementptr i8, ptr %3, i64 -8
  %4 = load i32, ptr %is_computed.i.i, align 8
  %tobool.not.i.i = icmp eq i32 %4, 0
  br i1 %tobool.not.i.i, label %computes_sizes.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %land.rhs.i.i
  %dec.i.i = add nsw i32 %count.05.i.i, -1
  %cmp.i.i = icmp sgt i32 %count.05.i.i, 1
  br i1 %cmp.i.i, label %land.rhs.i.i, label %computes_sizes.exit

computes_sizes.exit:                              ; preds = %land.rhs.i.i, %while.body.i.i
  %count.0.lcssa.i.ph.i = phi i32 [ 0, %while.body.i.i ], [ %count.05.i.i, %land.rhs.i.i ]
  %5 = icmp slt i32 %count.0.lcssa.i.ph.i, %1
  br i1 %5, label %land.rhs.i, label %if.end5

land.rhs.i:                                       ; preds = %computes_sizes.exit, %while.body.i
  %count.05.i = phi i32 [ %dec.i, %while.body.i ], [ %1, %computes_sizes.exit ]
  %6 = zext nneg i32 %count.05.i to i64
  %7 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %6
  %is_computed.i = getelementptr i8, ptr %7, i64 -8
  %8 = load i32, ptr %is_computed.i, align 8
  %tobool.not.i = icmp eq i32 %8, 0
  br i1 %tobool.not.i, label %input_symbols.exit, label %while.body.i

while.body.i:                                     ; preds = %land.rhs.i
  %dec.i = add nsw i32 %count.05.i, -1
  %cmp.i = icmp sgt i32 %count.05.i, 1
  br i1 %cmp.i, label %land.rhs.i, label %input_symbols.exit

input_symbols.exit:                               ; preds = %land.rhs.i, %while.body.i
  %count.0.lcssa.i = phi i32 [ %count.05.i, %land.rhs.i ], [ 0, %while.body.i ]
  %sub = sub nsw i32 %1, %count.0.lcssa.i
  %conv = sext i32 %sub to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.7, ptr noundef nonnull @.str.8, i64 noundef %conv) #9
  br label %return

if.end5:                                          ; preds = %if.end, %computes_sizes.exit
  %9 = load i32, ptr @tw_size_count, align 4
  %add = add nsw i32 %9, 1
  %10 = zext i32 %add to i64
  %11 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %10, align 16
  %call6 = call fastcc i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #10
  %cmp7.not = icmp eq i32 %call6, 0
  br i1 %cmp7.not, label %if.end10, label %cleanup

if.end10:                                         ; preds = %if.end5
  store i32 1, ptr %result, align 8
  %cmp.i14 = icmp eq i32 %1, 0
  %12 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %12 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %vla, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i14, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store i64 %cond.i, ptr %payload, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end5, %if.end10
  %retval.0 = phi i32 [ 0, %if.end10 ], [ -1, %if.end5 ]
  call void @llvm.stackrestore.p0(ptr %11)
  br label %return

return:                                           ; preds = %cleanup, %input_symbols.exit, %if.then
  %retval.1 = phi i32 [ -1, %if.then ], [ -1, %input_symbols.exit ], [ %retval.0, %cleanup ]
  ret i32 %retval.1
}

declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr noundef, ptr noundef) #5

declare extern_weak ptr @dlsym(ptr noundef, ptr noundef) #5

define internal fastcc range(i32 -1, 1) i32 @bind_symbols(ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef captures(none) %sizes) unnamed_addr #3 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp63 = icmp sgt i32 %0, 0
  br i1 %cmp63, label %for.body.preheader, label %.loopexit

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding) #8
  %arrayidx = getelementptr inbounds nuw %struct.tw_symbol, ptr @tw_symbols, i64 %indvars.iv
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %1 = load i32, ptr %argument, align 8
  %cmp1 = icmp sgt i32 %1, -1
  %cmp5 = icmp slt i32 %1, %count
  %spec.select = and i1 %cmp1, %cmp5
  br i1 %spec.select, label %if.end10, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %is_computed = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load i32, ptr %is_computed, align 8
  %tobool.not = icmp eq i32 %2, 0
  br i1 %tobool.not, label %if.then9, label %for.inc

if.then9:                                         ; preds = %land.lhs.true
  %3 = load i32, ptr @tw_inputs, align 4
  %conv = sext i32 %3 to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.4, ptr noundef nonnull @.str.14, i64 noundef %conv) #9
  br label %cleanup21

if.end10:                                         ; preds = %for.body
  %arrayidx12 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %idxprom1.i = zext nneg i32 %1 to i64
  %arrayidx2.i = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %idxprom1.i
  %4 = load i32, ptr %arrayidx2.i, align 8
  switch i32 %4, label %if.then.i [
    i32 7, label %tensor_of.exit.i
    i32 70, label %tensor_of.exit.thread91.i
  ]

tensor_of.exit.thread91.i:                        ; preds = %if.end10
  %payload4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  %5 = load ptr, ptr %payload4.i.i, align 8
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  br label %if.end.i

tensor_of.exit.i:                                 ; preds = %if.end10
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  %6 = load ptr, ptr %payload.i.i, align 8
  %cmp.i = icmp eq ptr %6, null
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %tensor_of.exit.i, %if.end10
  %conv.i = sext i32 %4 to i64
  br label %if.then14

if.end.i:                                         ; preds = %tensor_of.exit.i, %tensor_of.exit.thread91.i
  %retval.0.i94.i = phi ptr [ %tensor.i.i, %tensor_of.exit.thread91.i ], [ %6, %tensor_of.exit.i ]
  %arrayidx6.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %device_type.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 8
  %7 = load i32, ptr %device_type.i.i, align 8
  %cmp.not.i.i = icmp eq i32 %7, 1
  br i1 %cmp.not.i.i, label %if.end.i.i, label %if.then.i85.i

if.then.i85.i:                                    ; preds = %if.end.i
  %conv.i.i = sext i32 %7 to i64
  %device_id.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 12
  %8 = load i32, ptr %device_id.i.i, align 4
  %conv2.i.i = sext i32 %8 to i64
  br label %if.then14

if.end.i.i:                                       ; preds = %if.end.i
  %dtype3.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 20
  %9 = load i32, ptr %dtype3.i.i, align 4
  %dtype4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx6.i, i64 44
  %10 = load i32, ptr %dtype4.i.i, align 4
  %cmp5.not.i.i = icmp eq i32 %9, %10
  br i1 %cmp5.not.i.i, label %if.end14.i.i, label %if.then7.i.i

if.then7.i.i:                                     ; preds = %if.end.i.i
  %and.i.i = and i32 %9, 255
  %conv8.i.i = zext nneg i32 %and.i.i to i64
  %shr.i.i = lshr i32 %9, 8
  %and9.i.i = and i32 %shr.i.i, 255
  %conv10.i.i = zext nneg i32 %and9.i.i to i64
  %shr11.i.i = lshr i32 %9, 16
  %conv12.i.i = zext nneg i32 %shr11.i.i to i64
  br label %if.then14

if.end14.i.i:                                     ; preds = %if.end.i.i
  %rank.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 16
  %11 = load i32, ptr %rank.i.i, align 8
  %rank15.i.i = getelementptr inbounds nuw i8, ptr %arrayidx6.i, i64 40
  %12 = load i32, ptr %rank15.i.i, align 8
  %cmp16.not.i.i = icmp eq i32 %11, %12
  br i1 %cmp16.not.i.i, label %if.end9.i, label %if.then18.i.i

if.then18.i.i:                                    ; preds = %if.end14.i.i
  %conv20.i.i = sext i32 %11 to i64
  br label %if.then14

if.end9.i:                                        ; preds = %if.end14.i.i
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i94.i, i64 24
  %13 = load ptr, ptr %shape.i, align 8
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 36
  %14 = load i32, ptr %axis.i, align 4
  %idxprom10.i = sext i32 %14 to i64
  %arrayidx11.i = getelementptr inbounds i64, ptr %13, i64 %idxprom10.i
  %15 = load i64, ptr %arrayidx11.i, align 8
  %16 = icmp ult i64 %15, 4611686018427387904
  br i1 %16, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end9.i
  %offset.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %17 = load i64, ptr %offset.i, align 8
  %sub.i = sub nsw i64 %15, %17
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %if.end9.i
  %cond.i = phi i64 [ %sub.i, %cond.true.i ], [ -1, %if.end9.i ]
  %factor.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %18 = load i64, ptr %factor.i, align 8
  %cmp17.i = icmp eq i64 %18, 1
  br i1 %cmp17.i, label %cond.end29.i, label %cond.false27.i

cond.false27.i:                                   ; preds = %cond.end.i
  %rem.i = srem i64 %cond.i, %18
  %cmp20.i = icmp eq i64 %rem.i, 0
  %div.i = sdiv i64 %cond.i, %18
  br label %cond.end29.i

cond.end29.i:                                     ; preds = %cond.false27.i, %cond.end.i
  %19 = phi i1 [ %cmp20.i, %cond.false27.i ], [ true, %cond.end.i ]
  %cond30.i = phi i64 [ %div.i, %cond.false27.i ], [ %cond.i, %cond.end.i ]
  store i64 %cond30.i, ptr %arrayidx12, align 8
  %or.cond.i = select i1 %16, i1 %19, i1 false
  br i1 %or.cond.i, label %lor.lhs.false33.i, label %if.then39.i

lor.lhs.false33.i:                                ; preds = %cond.end29.i
  %20 = load i64, ptr %arrayidx, align 8
  %cmp34.i = icmp slt i64 %cond30.i, %20
  br i1 %cmp34.i, label %if.then39.i, label %lor.lhs.false36.i

lor.lhs.false36.i:                                ; preds = %lor.lhs.false33.i
  %most.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %21 = load i64, ptr %most.i, align 8
  %cmp37.i = icmp sgt i64 %cond30.i, %21
  br i1 %cmp37.i, label %if.then39.i, label %for.inc

if.then39.i:                                      ; preds = %lor.lhs.false36.i, %lor.lhs.false33.i, %cond.end29.i
  %shape45.i = getelementptr inbounds nuw i8, ptr %arrayidx6.i, i64 16
  %22 = load ptr, ptr %shape45.i, align 8
  %arrayidx48.i = getelementptr inbounds i64, ptr %22, i64 %idxprom10.i
  %23 = load i64, ptr %arrayidx48.i, align 8
  %sub49.i = xor i64 %23, -1
  br label %if.then14

if.then14:                                        ; preds = %if.then39.i, %if.then18.i.i, %if.then7.i.i, %if.then.i85.i, %if.then.i
  %HAS_DTYPE.sink.i.sink.i = phi ptr [ @IS_TENSOR, %if.then.i ], [ @HAS_VALID_SIZE, %if.then39.i ], [ @HAS_DTYPE, %if.then7.i.i ], [ @HAS_RANK, %if.then18.i.i ], [ @IS_IN_CPU_MEMORY, %if.then.i85.i ]
  %conv8.sink.i.sink.i = phi i64 [ %conv.i, %if.then.i ], [ %15, %if.then39.i ], [ %conv8.i.i, %if.then7.i.i ], [ %conv20.i.i, %if.then18.i.i ], [ %conv.i.i, %if.then.i85.i ]
  %conv10.sink.i.sink.i = phi i64 [ 0, %if.then.i ], [ %idxprom10.i, %if.then39.i ], [ %conv10.i.i, %if.then7.i.i ], [ 0, %if.then18.i.i ], [ %conv2.i.i, %if.then.i85.i ]
  %conv12.sink.i.sink.i = phi i64 [ 0, %if.then.i ], [ %sub49.i, %if.then39.i ], [ %conv12.i.i, %if.then7.i.i ], [ 0, %if.then18.i.i ], [ 0, %if.then.i85.i ]
  store ptr %HAS_DTYPE.sink.i.sink.i, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i36.i.i = getelementptr inbounds nuw i8, ptr %finding, i64 8
  store i64 %conv8.sink.i.sink.i, ptr %.compoundliteral.sroa.2.0..sroa_idx.i36.i.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i37.i.i = getelementptr inbounds nuw i8, ptr %finding, i64 16
  store i64 %conv10.sink.i.sink.i, ptr %.compoundliteral.sroa.3.0..sroa_idx.i37.i.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i38.i.i = getelementptr inbounds nuw i8, ptr %finding, i64 24
  store i64 %conv12.sink.i.sink.i, ptr %.compoundliteral.sroa.4.0..sroa_idx.i38.i.i, align 8
  call fastcc void @fail_argument(i32 noundef %1, ptr noundef %finding, ptr noundef %sizes) #9
  br label %cleanup21

for.inc:                                          ; preds = %lor.lhs.false36.i, %land.lhs.true
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %.loopexit, label %for.body

cleanup21:                                        ; preds = %if.then14, %if.then9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #8
  br label %.loopexit

.loopexit:                                        ; preds = %for.inc, %entry, %cleanup21
  %24 = phi i32 [ -1, %cleanup21 ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %24
}

define internal fastcc range(i32 -1, 1) i32 @find_hidden(ptr noundef readonly captures(none) %args, ptr noundef nonnull %slots, ptr noundef nonnull readonly captures(none) %call, i32 noundef %threads) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp24 = icmp sgt i32 %0, 0
  br i1 %cmp24, label %for.body.preheader, label %cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %lor.end
  br i1 %cmp1, label %land.rhs.i.preheader, label %cleanup

for.body:                                         ; preds = %for.body.backedge, %for.body.preheader
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.be, %for.body.backedge ]
  %is_hidden.025 = phi i1 [ false, %for.body.preheader ], [ %is_hidden.025.be, %for.body.backedge ]
  br i1 %is_hidden.025, label %lor.end.thread, label %lor.end

lor.end:                                          ; preds = %for.body
  %arrayidx = getelementptr inbounds nuw %struct.tw_symbol, ptr @tw_symbols, i64 %indvars.iv
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %1 = load i32, ptr %argument, align 8
  %cmp1 = icmp slt i32 %1, 0
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body.backedge

for.body.backedge:                                ; preds = %lor.end, %lor.end.thread
  %indvars.iv.be = phi i64 [ %indvars.iv.next, %lor.end ], [ %indvars.iv.next28, %lor.end.thread ]
  %is_hidden.025.be = phi i1 [ %cmp1, %lor.end ], [ true, %lor.end.thread ]
  br label %for.body

lor.end.thread:                                   ; preds = %for.body
  %indvars.iv.next28 = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not29 = icmp eq i64 %indvars.iv.next28, %wide.trip.count
  br i1 %exitcond.not29, label %land.rhs.i.preheader, label %for.body.backedge

land.rhs.i.preheader:                             ; preds = %lor.end.thread, %for.cond.cleanup
  br label %land.rhs.i

land.rhs.i:                                       ; preds = %land.rhs.i.preheader, %while.body.i
  %count.05.i = phi i32 [ %dec.i, %while.body.i ], [ %0, %land.rhs.i.preheader ]
  %2 = zext nneg i32 %count.05.i to i64
  %3 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %2
  %is_computed.i = getelementptr i8, ptr %3, i64 -8
  %4 = load i32, ptr %is_computed.i, align 8
  %tobool.not.i = icmp eq i32 %4, 0
  br i1 %tobool.not.i, label %input_symbols.exit, label %while.body.i

while.body.i:                                     ; preds = %land.rhs.i
  %dec.i = add nsw i32 %count.05.i, -1
  %cmp.i = icmp sgt i32 %count.05.i, 1
  br i1 %cmp.i, label %land.rhs.i, label %input_symbols.exit

input_symbols.exit:                               ; preds = %land.rhs.i, %while.body.i
  %count.0.lcssa.i.ph = phi i32 [ 0, %while.body.i ], [ %count.05.i, %land.rhs.i ]
  %5 = load ptr, ptr %call, align 8
  %call4 = tail call fastcc i32 @assume_sizes(i32 noundef %count.0.lcssa.i.ph, ptr noundef %5) #9
  %cmp5.not = icmp eq i32 %call4, 0
  br i1 %cmp5.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %input_symbols.exit
  %6 = load i32, ptr @tw_inputs, align 4
  %call6 = tail call fastcc i32 @check_each(ptr noundef %args, i32 noundef %6, ptr noundef %slots, ptr noundef %call) #10
  %cmp7.not = icmp eq i32 %call6, 0
  br i1 %cmp7.not, label %lor.lhs.false8, label %cleanup

lor.lhs.false8:                                   ; preds = %lor.lhs.false
  %7 = load ptr, ptr %call, align 8
  %call10 = tail call fastcc i32 @find_sizes(ptr noundef %slots, ptr noundef %7, i32 noundef %threads) #9
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %if.end13, label %cleanup

if.end13:                                         ; preds = %lor.lhs.false8
  %8 = load i32, ptr @tw_arguments, align 4
  %9 = load ptr, ptr %call, align 8
  %call15 = tail call fastcc i32 @bind_symbols(ptr noundef %args, i32 noundef %8, ptr noundef %9) #10
  br label %cleanup

cleanup:                                          ; preds = %entry, %input_symbols.exit, %lor.lhs.false, %lor.lhs.false8, %for.cond.cleanup, %if.end13
  %retval.0 = phi i32 [ 0, %for.cond.cleanup ], [ %call15, %if.end13 ], [ -1, %lor.lhs.false8 ], [ -1, %lor.lhs.false ], [ -1, %input_symbols.exit ], [ 0, %entry ]
  ret i32 %retval.0
}

define internal fastcc range(i32 -1, 1) i32 @check_arguments(ptr noundef readonly captures(none) %args, ptr noundef nonnull captures(none) %slots, ptr noundef nonnull readonly captures(none) %call) unnamed_addr #3 {
entry:
  %finding.i = alloca %struct.finding, align 8
  %0 = load ptr, ptr %call, align 8
  %call1 = tail call fastcc i32 @derive(ptr noundef %0) #10
  %cmp.not = icmp eq i32 %call1, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %1 = load i32, ptr @tw_arguments, align 4
  %call2 = tail call fastcc i32 @check_each(ptr noundef %args, i32 noundef %1, ptr noundef %slots, ptr noundef %call) #10
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end, label %return

if.end:                                           ; preds = %lor.lhs.false
  %2 = load ptr, ptr %call, align 8
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  store ptr %2, ptr %arrayidx, align 8
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 8
  %3 = load ptr, ptr %bytes, align 8
  %4 = load i32, ptr @tw_inputs, align 4
  %cmp53.i = icmp slt i32 %4, %1
  br i1 %cmp53.i, label %for.body.preheader.i, label %return

for.body.preheader.i:                             ; preds = %if.end
  %5 = sext i32 %4 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc23.i, %for.body.preheader.i
  %indvars.iv58.i = phi i64 [ %5, %for.body.preheader.i ], [ %indvars.iv.next59.i, %for.inc23.i ]
  %arrayidx.i = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %indvars.iv58.i
  %6 = load ptr, ptr %arrayidx.i, align 8
  %7 = ptrtoint ptr %6 to i64
  %cmp2.not51.i = icmp sgt i64 %indvars.iv58.i, 0
  br i1 %cmp2.not51.i, label %for.body4.lr.ph.i, label %for.inc23.i

for.body4.lr.ph.i:                                ; preds = %for.body.i
  %arrayidx8.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv58.i
  %past.i = getelementptr inbounds nuw i8, ptr %arrayidx8.i, i64 48
  %8 = load i32, ptr %past.i, align 8
  %arrayidx12.i = getelementptr inbounds nuw i64, ptr %3, i64 %indvars.iv58.i
  %9 = zext i32 %8 to i64
  %wide.trip.count.i = and i64 %indvars.iv58.i, 4294967295
  br label %for.body4.i

for.body4.i:                                      ; preds = %for.inc.i, %for.body4.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body4.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx6.i = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %indvars.iv.i
  %10 = load ptr, ptr %arrayidx6.i, align 8
  %cmp9.i = icmp eq i64 %indvars.iv.i, %9
  %cmp10.i = icmp eq ptr %6, %10
  %11 = select i1 %cmp9.i, i1 %cmp10.i, i1 false
  br i1 %11, label %for.inc.i, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %for.body4.i
  %12 = ptrtoint ptr %10 to i64
  %13 = load i64, ptr %arrayidx12.i, align 8
  %arrayidx14.i = getelementptr inbounds nuw i64, ptr %3, i64 %indvars.iv.i
  %14 = load i64, ptr %arrayidx14.i, align 8
  %cmp.i.i = icmp ne i64 %13, 0
  %cmp1.i.i = icmp ne i64 %14, 0
  %or.cond.i.i = and i1 %cmp.i.i, %cmp1.i.i
  %add.i.i = add i64 %14, %12
  %cmp3.i.i = icmp ugt i64 %add.i.i, %7
  %or.cond10.i.i = and i1 %or.cond.i.i, %cmp3.i.i
  %add4.i.i = add i64 %13, %7
  %cmp5.i.i = icmp ugt i64 %add4.i.i, %12
  %or.cond.i = and i1 %cmp5.i.i, %or.cond10.i.i
  br i1 %or.cond.i, label %cleanup25.i, label %for.inc.i

for.inc.i:                                        ; preds = %land.lhs.true.i, %for.body4.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.inc23.i, label %for.body4.i

for.inc23.i:                                      ; preds = %for.inc.i, %for.body.i
  %indvars.iv.next59.i = add nsw i64 %indvars.iv58.i, 1
  %lftr.wideiv.i = trunc i64 %indvars.iv.next59.i to i32
  %exitcond61.not.i = icmp eq i32 %1, %lftr.wideiv.i
  br i1 %exitcond61.not.i, label %return, label %for.body.i

cleanup25.i:                                      ; preds = %land.lhs.true.i
  %15 = trunc nsw i64 %indvars.iv58.i to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %finding.i) #8
  store ptr @IS_APART, ptr %finding.i, align 8
  %numbers.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 8
  store i64 %indvars.iv.i, ptr %numbers.i, align 8
  %arrayinit.element.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 16
  store i64 0, ptr %arrayinit.element.i, align 8
  %arrayinit.element15.i = getelementptr inbounds nuw i8, ptr %finding.i, i64 24
  store i64 0, ptr %arrayinit.element15.i, align 8
  call fastcc void @fail_argument(i32 noundef %15, ptr noundef %finding.i, ptr noundef null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding.i) #8
  br label %return

return:                                           ; preds = %for.inc23.i, %cleanup25.i, %if.end, %entry, %lor.lhs.false
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %lor.lhs.false ], [ -1, %cleanup25.i ], [ 0, %if.end ], [ 0, %for.inc23.i ]
  ret i32 %retval.0
}

define internal fastcc i32 @run_sized(ptr noundef readonly captures(none) %args, ptr noundef nonnull %slots, ptr noundef nonnull readonly captures(none) %call, i32 noundef %threads) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %conv = sext i32 %0 to i64
  %mul = shl nsw i64 %conv, 3
  %cmp.i = icmp eq i32 %0, 0
  %2 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %2 to i64
  %cmp9.i = icmp sgt i32 %0, 0
  %wide.trip.count.i = zext nneg i32 %0 to i64
  br label %for.cond

for.cond:                                         ; preds = %cleanup20, %entry
  %attempt.0 = phi i32 [ 0, %entry ], [ %inc, %cleanup20 ]
  %3 = call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %1, align 16
  %4 = load ptr, ptr %call, align 8
  %call1 = call ptr @memcpy(ptr noundef nonnull %vla, ptr noundef %4, i64 noundef %mul) #7
  %5 = load ptr, ptr %call, align 8
  %arrayidx.i = getelementptr inbounds i64, ptr %5, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %call4 = call fastcc i32 @run(ptr noundef %slots, i64 noundef %cond.i, i32 noundef %threads) #10
  %cmp.not = icmp ne i32 %call4, 1048576
  %cmp6 = icmp eq i32 %attempt.0, %0
  %or.cond = select i1 %cmp.not, i1 true, i1 %cmp6
  br i1 %or.cond, label %cleanup20.thread, label %if.end

if.end:                                           ; preds = %for.cond
  %6 = load ptr, ptr %call, align 8
  br i1 %cmp9.i, label %for.body.i, label %other_symbol.exit

for.body.i:                                       ; preds = %if.end, %for.inc.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.inc.i ], [ 0, %if.end ]
  %arrayidx.i32 = getelementptr inbounds nuw i64, ptr %6, i64 %indvars.iv.i
  %7 = load i64, ptr %arrayidx.i32, align 8
  %arrayidx2.i = getelementptr inbounds nuw i64, ptr %vla, i64 %indvars.iv.i
  %8 = load i64, ptr %arrayidx2.i, align 8
  %cmp3.not.i = icmp eq i64 %7, %8
  br i1 %cmp3.not.i, label %for.inc.i, label %cleanup.loopexit.split.loop.exit13.i

for.inc.i:                                        ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %other_symbol.exit, label %for.body.i

cleanup.loopexit.split.loop.exit13.i:             ; preds = %for.body.i
  %9 = trunc nuw nsw i64 %indvars.iv.i to i32
  br label %other_symbol.exit

other_symbol.exit:                                ; preds = %for.inc.i, %if.end, %cleanup.loopexit.split.loop.exit13.i
  %10 = phi i32 [ -1, %if.end ], [ %9, %cleanup.loopexit.split.loop.exit13.i ], [ -1, %for.inc.i ]
  %idxprom = sext i32 %10 to i64
  %arrayidx = getelementptr inbounds i64, ptr %6, i64 %idxprom
  %11 = load i64, ptr %arrayidx, align 8
  %arrayidx.i34 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %12 = load i64, ptr %arrayidx.i34, align 8
  %cmp.not.i = icmp slt i64 %11, %12
  br i1 %cmp.not.i, label %check_computed.exit, label %land.rhs.i

land.rhs.i:                                       ; preds = %other_symbol.exit
  %most.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34, i64 8
  %13 = load i64, ptr %most.i, align 8
  %cmp3.not.i35 = icmp sgt i64 %11, %13
  br i1 %cmp3.not.i35, label %check_computed.exit, label %cleanup20

check_computed.exit:                              ; preds = %other_symbol.exit, %land.rhs.i
  call fastcc void @fail_computed(i32 noundef %10, i64 noundef %11) #9
  br label %cleanup20.thread

cleanup20.thread:                                 ; preds = %for.cond, %check_computed.exit
  %retval.2.ph = phi i32 [ -1, %check_computed.exit ], [ %call4, %for.cond ]
  call void @llvm.stackrestore.p0(ptr %3)
  br label %cleanup22

cleanup20:                                        ; preds = %land.rhs.i
  %call15 = call fastcc i32 @check_arguments(ptr noundef %args, ptr noundef %slots, ptr noundef %call) #10
  %cmp16.not = icmp eq i32 %call15, 0
  call void @llvm.stackrestore.p0(ptr %3)
  %inc = add nuw nsw i32 %attempt.0, 1
  br i1 %cmp16.not, label %for.cond, label %cleanup22

cleanup22:                                        ; preds = %cleanup20, %cleanup20.thread
  %retval.241 = phi i32 [ %retval.2.ph, %cleanup20.thread ], [ -1, %cleanup20 ]
  ret i32 %retval.241
}

define internal fastcc i32 @run(ptr noundef nonnull %slots, i64 noundef %arena_bytes, i32 noundef %threads) unnamed_addr #3 {
entry:
  %cmp = icmp eq i64 %arena_bytes, 0
  br i1 %cmp, label %if.then, label %for.body.i

if.then:                                          ; preds = %entry
  %call = tail call i32 @tw_run(ptr noundef nonnull %slots, ptr noundef null, i32 noundef %threads) #7
  br label %return

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.body.i:                                       ; preds = %entry, %for.cond.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.cond.i ], [ 0, %entry ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i
  %0 = atomicrmw xchg ptr %arrayidx.i, i64 0 acq_rel, align 8
  %cmp1.i = icmp eq i64 %0, 0
  br i1 %cmp1.i, label %for.cond.i, label %if.end.i

if.end.i:                                         ; preds = %for.body.i
  %1 = inttoptr i64 %0 to ptr
  %2 = load i64, ptr %1, align 8
  %cmp3.not.i = icmp slt i64 %2, %arena_bytes
  br i1 %cmp3.not.i, label %cleanup6.thread32.i, label %if.end5

cleanup6.thread32.i:                              ; preds = %if.end.i
  tail call void @free(ptr noundef nonnull %1) #7
  br label %for.end.i

for.end.i:                                        ; preds = %for.cond.i, %cleanup6.thread32.i
  %cmp8.i = icmp sgt i64 %arena_bytes, 9223372036854775743
  br i1 %cmp8.i, label %if.then3, label %if.end10.i

if.end10.i:                                       ; preds = %for.end.i
  %add.i = add nsw i64 %arena_bytes, 64
  %call.i = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %add.i) #7
  %cmp12.not.i = icmp eq ptr %call.i, null
  br i1 %cmp12.not.i, label %if.then3, label %if.then13.i

if.then13.i:                                      ; preds = %if.end10.i
  store i64 %arena_bytes, ptr %call.i, align 8
  br label %if.end5

if.then3:                                         ; preds = %if.end10.i, %for.end.i
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.35, ptr noundef nonnull @.str.51, i64 noundef %arena_bytes) #9
  br label %return

if.end5:                                          ; preds = %if.then13.i, %if.end.i
  %retval.3.i = phi ptr [ %call.i, %if.then13.i ], [ %1, %if.end.i ]
  %add.ptr = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 64
  %call6 = tail call i32 @tw_run(ptr noundef nonnull %slots, ptr noundef nonnull %add.ptr, i32 noundef %threads) #7
  %3 = ptrtoint ptr %retval.3.i to i64
  br label %for.body.i13

for.cond.i16:                                     ; preds = %for.body.i13
  %indvars.iv.next.i17 = add nuw nsw i64 %indvars.iv.i14, 1
  %exitcond.not.i18 = icmp eq i64 %indvars.iv.next.i17, 8
  br i1 %exitcond.not.i18, label %for.end.i19, label %for.body.i13

for.body.i13:                                     ; preds = %for.cond.i16, %if.end5
  %indvars.iv.i14 = phi i64 [ 0, %if.end5 ], [ %indvars.iv.next.i17, %for.cond.i16 ]
  %arrayidx.i15 = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i14
  %4 = cmpxchg ptr %arrayidx.i15, i64 0, i64 %3 acq_rel monotonic, align 8
  %5 = extractvalue { i64, i1 } %4, 1
  br i1 %5, label %return, label %for.cond.i16

for.end.i19:                                      ; preds = %for.cond.i16
  tail call void @free(ptr noundef nonnull %retval.3.i) #7
  br label %return

return:                                           ; preds = %for.body.i13, %for.end.i19, %if.then3, %if.then
  %retval.1 = phi i32 [ %call, %if.then ], [ -1, %if.then3 ], [ %call6, %for.end.i19 ], [ %call6, %for.body.i13 ]
  ret i32 %retval.1
}

define internal fastcc void @fail_argument(i32 noundef %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %got = alloca [128 x i8], align 16
  %message = alloca [1024 x i8], align 16
  %0 = load ptr, ptr %finding, align 8
  %cmp = icmp eq ptr %0, @HAS_SIZE
  %cmp2 = icmp eq ptr %0, @HAS_VALID_SIZE
  %or.cond = or i1 %cmp, %cmp2
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_size(i32 noundef %index, ptr noundef %finding, ptr noundef %sizes) #9
  br label %cleanup

if.end:                                           ; preds = %entry
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %got) #8
  %got3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load ptr, ptr %got3, align 8
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %2 = load i64, ptr %numbers, align 8
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %3 = load i64, ptr %arrayidx6, align 8
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %4 = load i64, ptr %arrayidx8, align 8
  %call9 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %5 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %text, align 8
  %text11 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %7 = load ptr, ptr %text11, align 8
  %call13 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.25, ptr noundef nonnull @tw_name, i32 noundef %index, ptr noundef %5, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %got, ptr noundef nonnull @tw_signature) #7
  %8 = load ptr, ptr %0, align 8
  %call15 = call i32 @tw_fail(ptr noundef %8, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %got) #8
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  ret void
}

define internal fastcc void @fail_size(i32 noundef %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %wanted = alloca [512 x i8], align 16
  %message = alloca [1024 x i8], align 16
  %arrayidx = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %0
  call void @llvm.lifetime.start.p0(ptr nonnull %wanted) #8
  %1 = load ptr, ptr %arrayidx1, align 8
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %wanted, i64 noundef 512, ptr noundef nonnull @.str.27, ptr noundef %1) #7
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
  %call14 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.28, i64 noundef %5) #7
  %conv15 = sext i32 %call14 to i64
  %add = add nsw i64 %conv15, %conv
  br label %if.end

if.end:                                           ; preds = %cond.true, %land.lhs.true, %entry
  %length.0 = phi i64 [ %conv, %entry ], [ %conv, %land.lhs.true ], [ %add, %cond.true ]
  %count = getelementptr inbounds nuw i8, ptr %arrayidx1, i64 16
  %6 = load i64, ptr %count, align 8
  %cmp16117 = icmp sgt i64 %6, 0
  br i1 %cmp16117, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx1, i64 8
  %7 = load ptr, ptr %symbols, align 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end56, %if.end
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %idxprom57 = sext i32 %index to i64
  %arrayidx58 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom57
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %8 = load ptr, ptr %arrayidx58, align 8
  %9 = load ptr, ptr %finding, align 8
  %text62 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %10 = load ptr, ptr %text62, align 8
  %text63 = getelementptr inbounds nuw i8, ptr %arrayidx58, i64 8
  %11 = load ptr, ptr %text63, align 8
  %arrayidx65 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %12 = load i64, ptr %arrayidx65, align 8
  %13 = load i64, ptr %numbers, align 8
  %call71 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.32, ptr noundef nonnull @tw_name, i32 noundef %index, ptr noundef %8, ptr noundef %10, ptr noundef %11, i64 noundef %12, ptr noundef nonnull %wanted, i64 noundef %13, i64 noundef %12, ptr noundef nonnull @tw_signature) #7
  %14 = load ptr, ptr %finding, align 8
  %15 = load ptr, ptr %14, align 8
  %call74 = call i32 @tw_fail(ptr noundef %15, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %wanted) #8
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %if.end56
  %length.1119 = phi i64 [ %length.0, %for.body.lr.ph ], [ %length.2, %if.end56 ]
  %number.0118 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end56 ]
  %arrayidx18 = getelementptr inbounds nuw i32, ptr %7, i64 %number.0118
  %16 = load i32, ptr %arrayidx18, align 4
  %idxprom = sext i32 %16 to i64
  %arrayidx19 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %arrayidx21 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %17 = load ptr, ptr %arrayidx21, align 8
  %cmp23 = icmp slt i64 %length.1119, 512
  br i1 %cmp23, label %cond.true25, label %cond.end36

cond.true25:                                      ; preds = %for.body
  %add.ptr27 = getelementptr inbounds i8, ptr %wanted, i64 %length.1119
  %sub28 = sub nsw i64 512, %length.1119
  %cmp29 = icmp eq i64 %number.0118, 0
  %cond31 = select i1 %cmp29, ptr @.str.29, ptr @.str.30
  %call32 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr27, i64 noundef %sub28, ptr noundef nonnull %cond31) #7
  %conv33 = sext i32 %call32 to i64
  %add34 = add nsw i64 %length.1119, %conv33
  br label %cond.end36

cond.end36:                                       ; preds = %for.body, %cond.true25
  %cond37 = phi i64 [ %add34, %cond.true25 ], [ %length.1119, %for.body ]
  %18 = load ptr, ptr %finding, align 8
  %cmp39 = icmp eq ptr %18, @HAS_SIZE
  br i1 %cmp39, label %if.then41, label %if.else

if.then41:                                        ; preds = %cond.end36
  %call43 = call fastcc i64 @append_value(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond37, i32 noundef %16, ptr noundef %sizes) #9
  br label %if.end56

if.else:                                          ; preds = %cond.end36
  %cmp44 = icmp slt i64 %cond37, 512
  br i1 %cmp44, label %cond.true46, label %if.end56

cond.true46:                                      ; preds = %if.else
  %add.ptr48 = getelementptr inbounds i8, ptr %wanted, i64 %cond37
  %sub49 = sub nsw i64 512, %cond37
  %19 = load i64, ptr %arrayidx19, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 8
  %20 = load i64, ptr %most, align 8
  %call50 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr48, i64 noundef %sub49, ptr noundef nonnull @.str.31, ptr noundef %17, i64 noundef %19, i64 noundef %20) #7
  %conv51 = sext i32 %call50 to i64
  %add52 = add nsw i64 %cond37, %conv51
  br label %if.end56

if.end56:                                         ; preds = %cond.true46, %if.else, %if.then41
  %length.2 = phi i64 [ %call43, %if.then41 ], [ %add52, %cond.true46 ], [ %cond37, %if.else ]
  %inc = add nuw nsw i64 %number.0118, 1
  %exitcond.not = icmp eq i64 %inc, %6
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc i64 @append_value(ptr noundef nonnull %text, i64 noundef range(i64 256, 513) %room, i64 noundef %length, i32 noundef %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %arrayidx2 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %0 = load ptr, ptr %arrayidx2, align 8
  %is_computed = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %1 = load i32, ptr %is_computed, align 8
  %tobool.not = icmp eq i32 %1, 0
  %cmp6 = icmp slt i64 %length, %room
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  br i1 %cmp6, label %cond.true, label %cleanup

cond.true:                                        ; preds = %if.then
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length
  %sub = sub nsw i64 %room, %length
  %arrayidx5 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %2 = load i64, ptr %arrayidx5, align 8
  %call = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.33, ptr noundef %0, i64 noundef %2) #7
  %conv = sext i32 %call to i64
  %add = add nsw i64 %length, %conv
  br label %cleanup

if.end:                                           ; preds = %entry
  br i1 %cmp6, label %cond.true8, label %cleanup

cond.true8:                                       ; preds = %if.end
  %add.ptr9 = getelementptr inbounds i8, ptr %text, i64 %length
  %sub10 = sub nsw i64 %room, %length
  %arrayidx12 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %3 = load i64, ptr %arrayidx12, align 8
  %axis = getelementptr inbounds nuw i8, ptr %arrayidx, i64 36
  %4 = load i32, ptr %axis, align 4
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %5 = load i32, ptr %argument, align 8
  %idxprom13 = sext i32 %5 to i64
  %arrayidx14 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom13
  %6 = load ptr, ptr %arrayidx14, align 8
  %call16 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr9, i64 noundef %sub10, ptr noundef nonnull @.str.34, ptr noundef %0, i64 noundef %3, i32 noundef %4, ptr noundef %6) #7
  %conv17 = sext i32 %call16 to i64
  %add18 = add nsw i64 %length, %conv17
  br label %cleanup

cleanup:                                          ; preds = %cond.true8, %if.end, %cond.true, %if.then
  %retval.0 = phi i64 [ %length, %if.then ], [ %add, %cond.true ], [ %add18, %cond.true8 ], [ %length, %if.end ]
  ret i64 %retval.0
}

define internal fastcc range(i32 -1, 1) i32 @assume_sizes(i32 noundef %known, ptr noundef %sizes) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp231 = icmp slt i32 %known, %0
  %1 = sext i32 %known to i64
  %wide.trip.count = sext i32 %0 to i64
  br label %for.cond1.preheader

for.cond:                                         ; preds = %for.cond.cleanup3
  %mul = shl nuw nsw i64 %guess.033, 1
  %cmp = icmp samesign ult i64 %guess.033, 32769
  br i1 %cmp, label %for.cond1.preheader, label %for.end12

for.cond1.preheader:                              ; preds = %entry, %for.cond
  %guess.033 = phi i64 [ 1, %entry ], [ %mul, %for.cond ]
  br i1 %cmp231, label %for.body4, label %for.cond.cleanup3

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %call = tail call fastcc zeroext i1 @are_sizes(ptr noundef %sizes) #9
  br i1 %call, label %return, label %for.cond

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body4 ], [ %1, %for.cond1.preheader ]
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %indvars.iv
  %2 = load i64, ptr %arrayidx, align 8
  %.guess.0 = tail call i64 @llvm.smax.i64(i64 %guess.033, i64 %2)
  %arrayidx10 = getelementptr inbounds i64, ptr %sizes, i64 %indvars.iv
  store i64 %.guess.0, ptr %arrayidx10, align 8
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4

for.end12:                                        ; preds = %for.cond
  %call13 = tail call fastcc i32 @derive(ptr noundef %sizes) #10
  %cmp14 = icmp eq i32 %call13, 0
  br i1 %cmp14, label %cond.true15, label %return

cond.true15:                                      ; preds = %for.end12
  tail call fastcc void @fail_small(ptr noundef %sizes) #9
  br label %return

return:                                           ; preds = %for.cond.cleanup3, %cond.true15, %for.end12
  %retval.1 = phi i32 [ -1, %cond.true15 ], [ -1, %for.end12 ], [ 0, %for.cond.cleanup3 ]
  ret i32 %retval.1
}

define internal fastcc range(i32 -1, 1) i32 @check_each(ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef nonnull captures(none) %slots, ptr noundef nonnull readonly captures(none) %call) unnamed_addr #3 {
entry:
  %finding = alloca %struct.finding, align 8
  %cmp60 = icmp sgt i32 %count, 0
  br i1 %cmp60, label %for.body.lr.ph, label %.loopexit

for.body.lr.ph:                                   ; preds = %entry
  %bytes.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  %wide.trip.count = zext nneg i32 %count to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc.critedge
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc.critedge ]
  call void @llvm.lifetime.start.p0(ptr nonnull %finding) #8
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  %arrayidx2 = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %indvars.iv
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 8
  switch i32 %0, label %if.then.i [
    i32 7, label %tensor_of.exit.i
    i32 70, label %tensor_of.exit.thread90.i
  ]

tensor_of.exit.thread90.i:                        ; preds = %for.body
  %payload4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load ptr, ptr %payload4.i.i, align 8
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  br label %if.end.i

tensor_of.exit.i:                                 ; preds = %for.body
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load ptr, ptr %payload.i.i, align 8
  %cmp.i = icmp eq ptr %2, null
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %tensor_of.exit.i, %for.body
  %conv.i = sext i32 %0 to i64
  br label %cleanup5

if.end.i:                                         ; preds = %tensor_of.exit.i, %tensor_of.exit.thread90.i
  %retval.0.i93.i = phi ptr [ %tensor.i.i, %tensor_of.exit.thread90.i ], [ %2, %tensor_of.exit.i ]
  %device_type.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 8
  %3 = load i32, ptr %device_type.i.i, align 8
  %cmp.not.i.i = icmp eq i32 %3, 1
  br i1 %cmp.not.i.i, label %if.end.i.i, label %if.then.i55.i

if.then.i55.i:                                    ; preds = %if.end.i
  %conv.i.i = sext i32 %3 to i64
  %device_id.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 12
  %4 = load i32, ptr %device_id.i.i, align 4
  %conv2.i.i = sext i32 %4 to i64
  br label %cleanup5

if.end.i.i:                                       ; preds = %if.end.i
  %dtype3.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 20
  %5 = load i32, ptr %dtype3.i.i, align 4
  %dtype4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 44
  %6 = load i32, ptr %dtype4.i.i, align 4
  %cmp5.not.i.i = icmp eq i32 %5, %6
  br i1 %cmp5.not.i.i, label %if.end14.i.i, label %if.then7.i.i

if.then7.i.i:                                     ; preds = %if.end.i.i
  %and.i.i = and i32 %5, 255
  %conv8.i.i = zext nneg i32 %and.i.i to i64
  %shr.i.i = lshr i32 %5, 8
  %and9.i.i = and i32 %shr.i.i, 255
  %conv10.i.i = zext nneg i32 %and9.i.i to i64
  %shr11.i.i = lshr i32 %5, 16
  %conv12.i.i = zext nneg i32 %shr11.i.i to i64
  br label %cleanup5

if.end14.i.i:                                     ; preds = %if.end.i.i
  %rank.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 16
  %7 = load i32, ptr %rank.i.i, align 8
  %rank15.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 40
  %8 = load i32, ptr %rank15.i.i, align 8
  %cmp16.not.i.i = icmp eq i32 %7, %8
  br i1 %cmp16.not.i.i, label %lor.lhs.false.i, label %if.then18.i.i

if.then18.i.i:                                    ; preds = %if.end14.i.i
  %conv20.i.i = sext i32 %7 to i64
  br label %cleanup5

lor.lhs.false.i:                                  ; preds = %if.end14.i.i
  %9 = load ptr, ptr %call, align 8
  %cmp48.i.i = icmp slt i32 %7, 1
  br i1 %cmp48.i.i, label %if.end6.thread.i, label %for.body.lr.ph.i.i

if.end6.thread.i:                                 ; preds = %lor.lhs.false.i
  %10 = load ptr, ptr %retval.0.i93.i, align 8
  %byte_offset96.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 40
  %11 = load i64, ptr %byte_offset96.i, align 8
  %add.ptr97.i = getelementptr inbounds nuw i8, ptr %10, i64 %11
  store ptr %add.ptr97.i, ptr %arrayidx2, align 8
  %bytes1.i98.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 24
  %12 = load i64, ptr %bytes1.i98.i, align 8
  br label %bytes_of.exit.i

for.body.lr.ph.i.i:                               ; preds = %lor.lhs.false.i
  %shape.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 24
  %13 = load ptr, ptr %shape.i.i, align 8
  %shape1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %14 = load ptr, ptr %shape1.i.i, align 8
  %wide.trip.count.i.i = zext nneg i32 %7 to i64
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc.i.i, %for.body.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %indvars.iv.next.i.i, %for.inc.i.i ]
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %13, i64 %indvars.iv.i.i
  %15 = load i64, ptr %arrayidx.i.i, align 8
  %arrayidx3.i.i = getelementptr inbounds nuw i64, ptr %14, i64 %indvars.iv.i.i
  %16 = load i64, ptr %arrayidx3.i.i, align 8
  %cmp4.i.i = icmp slt i64 %16, 0
  br i1 %cmp4.i.i, label %land.lhs.true.i.i, label %if.end.i57.i

land.lhs.true.i.i:                                ; preds = %for.body.i.i
  %sub.i.i = xor i64 %16, -1
  %arrayidx5.i.i = getelementptr inbounds nuw i64, ptr %9, i64 %sub.i.i
  %17 = load i64, ptr %arrayidx5.i.i, align 8
  %cmp6.not.i.i = icmp eq i64 %15, %17
  br i1 %cmp6.not.i.i, label %for.inc.i.i, label %cleanup5

if.end.i57.i:                                     ; preds = %for.body.i.i
  %cmp11.not.i.i = icmp eq i64 %15, %16
  br i1 %cmp11.not.i.i, label %for.inc.i.i, label %cleanup5

for.inc.i.i:                                      ; preds = %if.end.i57.i, %land.lhs.true.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %if.end6.i, label %for.body.i.i

if.end6.i:                                        ; preds = %for.inc.i.i
  %18 = load ptr, ptr %retval.0.i93.i, align 8
  %byte_offset.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 40
  %19 = load i64, ptr %byte_offset.i, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %18, i64 %19
  store ptr %add.ptr.i, ptr %arrayidx2, align 8
  %bytes1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 24
  %20 = load i64, ptr %bytes1.i.i, align 8
  br label %for.body.i62.i

for.body.i62.i:                                   ; preds = %for.inc.i65.i, %if.end6.i
  %indvars.iv.i63.i = phi i64 [ 0, %if.end6.i ], [ %indvars.iv.next.i66.i, %for.inc.i65.i ]
  %bytes.013.i.i = phi i64 [ %20, %if.end6.i ], [ %bytes.1.i.i, %for.inc.i65.i ]
  %arrayidx.i64.i = getelementptr inbounds nuw i64, ptr %14, i64 %indvars.iv.i63.i
  %21 = load i64, ptr %arrayidx.i64.i, align 8
  %cmp2.i.i = icmp slt i64 %21, 0
  br i1 %cmp2.i.i, label %if.then.i68.i, label %for.inc.i65.i

if.then.i68.i:                                    ; preds = %for.body.i62.i
  %22 = load ptr, ptr %shape.i.i, align 8
  %arrayidx5.i69.i = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.i63.i
  %23 = load i64, ptr %arrayidx5.i69.i, align 8
  %mul.i.i = mul i64 %23, %bytes.013.i.i
  br label %for.inc.i65.i

for.inc.i65.i:                                    ; preds = %if.then.i68.i, %for.body.i62.i
  %bytes.1.i.i = phi i64 [ %mul.i.i, %if.then.i68.i ], [ %bytes.013.i.i, %for.body.i62.i ]
  %indvars.iv.next.i66.i = add nuw nsw i64 %indvars.iv.i63.i, 1
  %exitcond.not.i67.i = icmp eq i64 %indvars.iv.next.i66.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i67.i, label %bytes_of.exit.i, label %for.body.i62.i

bytes_of.exit.i:                                  ; preds = %for.inc.i65.i, %if.end6.thread.i
  %bytes.0.lcssa.i.i = phi i64 [ %12, %if.end6.thread.i ], [ %bytes.1.i.i, %for.inc.i65.i ]
  %24 = load ptr, ptr %bytes.i, align 8
  %arrayidx9.i = getelementptr inbounds nuw i64, ptr %24, i64 %indvars.iv
  store i64 %bytes.0.lcssa.i.i, ptr %arrayidx9.i, align 8
  %25 = load ptr, ptr %bytes.i, align 8
  %arrayidx12.i = getelementptr inbounds nuw i64, ptr %25, i64 %indvars.iv
  %26 = load i64, ptr %arrayidx12.i, align 8
  %cmp13.i = icmp eq i64 %26, 0
  br i1 %cmp13.i, label %for.inc.critedge, label %if.end16.i

if.end16.i:                                       ; preds = %bytes_of.exit.i
  %strides.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 32
  %27 = load ptr, ptr %strides.i.i, align 8
  %cmp.i.i = icmp eq ptr %27, null
  %brmerge.i = or i1 %cmp48.i.i, %cmp.i.i
  br i1 %brmerge.i, label %if.end19.i, label %for.body.lr.ph.i72.i

for.body.lr.ph.i72.i:                             ; preds = %if.end16.i
  %shape.i73.i = getelementptr inbounds nuw i8, ptr %retval.0.i93.i, i64 24
  %28 = load ptr, ptr %shape.i73.i, align 8
  %29 = zext nneg i32 %7 to i64
  br label %for.body.i74.i

for.body.i74.i:                                   ; preds = %if.end8.i.i, %for.body.lr.ph.i72.i
  %indvars.iv.i75.i = phi i64 [ %29, %for.body.lr.ph.i72.i ], [ %indvars.iv.next.i76.i, %if.end8.i.i ]
  %expected.031.i.i = phi i64 [ 1, %for.body.lr.ph.i72.i ], [ %mul.i84.i, %if.end8.i.i ]
  %indvars.iv.next.i76.i = add nsw i64 %indvars.iv.i75.i, -1
  %arrayidx.i77.i = getelementptr inbounds nuw i64, ptr %27, i64 %indvars.iv.next.i76.i
  %30 = load i64, ptr %arrayidx.i77.i, align 8
  %arrayidx4.i.i = getelementptr inbounds nuw i64, ptr %28, i64 %indvars.iv.next.i76.i
  %31 = load i64, ptr %arrayidx4.i.i, align 8
  %cmp5.not.i78.i = icmp eq i64 %31, 1
  %cmp6.not.i79.i = icmp eq i64 %30, %expected.031.i.i
  %or.cond.i.i = select i1 %cmp5.not.i78.i, i1 true, i1 %cmp6.not.i79.i
  br i1 %or.cond.i.i, label %if.end8.i.i, label %cleanup5

if.end8.i.i:                                      ; preds = %for.body.i74.i
  %mul.i84.i = mul nsw i64 %31, %expected.031.i.i
  %cmp1.i.i = icmp samesign ult i64 %indvars.iv.i75.i, 2
  br i1 %cmp1.i.i, label %if.end19.i, label %for.body.i74.i

if.end19.i:                                       ; preds = %if.end8.i.i, %if.end16.i
  %32 = load ptr, ptr %arrayidx2, align 8
  %33 = ptrtoint ptr %32 to i64
  %34 = load ptr, ptr %retval.0.i93.i, align 8
  %cmp21.i = icmp eq ptr %34, null
  %alignment27.phi.trans.insert.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %.pre.i = load i64, ptr %alignment27.phi.trans.insert.i, align 8
  br i1 %cmp21.i, label %cleanup5, label %lor.lhs.false23.i

lor.lhs.false23.i:                                ; preds = %if.end19.i
  %sub.i = add nsw i64 %.pre.i, -1
  %and.i = and i64 %sub.i, %33
  %cmp24.not.i = icmp eq i64 %and.i, 0
  br i1 %cmp24.not.i, label %for.inc.critedge, label %cleanup5

for.inc.critedge:                                 ; preds = %lor.lhs.false23.i, %bytes_of.exit.i
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %.loopexit, label %for.body

cleanup5:                                         ; preds = %if.end19.i, %lor.lhs.false23.i, %land.lhs.true.i.i, %if.end.i57.i, %for.body.i74.i, %if.then.i, %if.then.i55.i, %if.then7.i.i, %if.then18.i.i
  %IS_ROW_MAJOR.sink.i = phi ptr [ @HAS_SHAPE, %if.end.i57.i ], [ @IS_IN_CPU_MEMORY, %if.then.i55.i ], [ @IS_TENSOR, %if.then.i ], [ @IS_ROW_MAJOR, %for.body.i74.i ], [ @HAS_DTYPE, %if.then7.i.i ], [ @HAS_RANK, %if.then18.i.i ], [ @HAS_SIZE, %land.lhs.true.i.i ], [ @IS_ALIGNED, %lor.lhs.false23.i ], [ @IS_ALIGNED, %if.end19.i ]
  %.lcssa.sink.i = phi i64 [ %15, %land.lhs.true.i.i ], [ %conv.i.i, %if.then.i55.i ], [ %conv.i, %if.then.i ], [ %30, %for.body.i74.i ], [ %conv8.i.i, %if.then7.i.i ], [ %conv20.i.i, %if.then18.i.i ], [ %15, %if.end.i57.i ], [ %33, %lor.lhs.false23.i ], [ %33, %if.end19.i ]
  %indvars.iv.next.i76.lcssa.sink.i = phi i64 [ %indvars.iv.i.i, %land.lhs.true.i.i ], [ %conv2.i.i, %if.then.i55.i ], [ 0, %if.then.i ], [ %indvars.iv.next.i76.i, %for.body.i74.i ], [ %conv10.i.i, %if.then7.i.i ], [ 0, %if.then18.i.i ], [ %indvars.iv.i.i, %if.end.i57.i ], [ %.pre.i, %lor.lhs.false23.i ], [ %.pre.i, %if.end19.i ]
  %expected.031.i.lcssa.sink.i = phi i64 [ 0, %if.end.i57.i ], [ 0, %if.then.i55.i ], [ 0, %if.then.i ], [ %expected.031.i.i, %for.body.i74.i ], [ %conv12.i.i, %if.then7.i.i ], [ 0, %if.then18.i.i ], [ %sub.i.i, %land.lhs.true.i.i ], [ 0, %lor.lhs.false23.i ], [ 0, %if.end19.i ]
  %35 = trunc i64 %indvars.iv to i32
  store ptr %IS_ROW_MAJOR.sink.i, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i.i81.i = getelementptr inbounds nuw i8, ptr %finding, i64 8
  store i64 %.lcssa.sink.i, ptr %.compoundliteral.sroa.2.0..sroa_idx.i.i81.i, align 8
  %.compoundliteral.sroa.3.0..sroa_idx.i.i82.i = getelementptr inbounds nuw i8, ptr %finding, i64 16
  store i64 %indvars.iv.next.i76.lcssa.sink.i, ptr %.compoundliteral.sroa.3.0..sroa_idx.i.i82.i, align 8
  %.compoundliteral.sroa.4.0..sroa_idx.i.i83.i = getelementptr inbounds nuw i8, ptr %finding, i64 24
  store i64 %expected.031.i.lcssa.sink.i, ptr %.compoundliteral.sroa.4.0..sroa_idx.i.i83.i, align 8
  %36 = load ptr, ptr %call, align 8
  call fastcc void @fail_argument(i32 noundef %35, ptr noundef %finding, ptr noundef %36) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %finding) #8
  br label %.loopexit

.loopexit:                                        ; preds = %for.inc.critedge, %entry, %cleanup5
  %37 = phi i32 [ -1, %cleanup5 ], [ 0, %entry ], [ 0, %for.inc.critedge ]
  ret i32 %37
}

define internal fastcc range(i32 -1, 1) i32 @find_sizes(ptr noundef nonnull %slots, ptr noundef %sizes, i32 noundef %threads) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp4.i = icmp sgt i32 %0, 0
  br i1 %cmp4.i, label %land.rhs.i, label %input_symbols.exit.thread

input_symbols.exit.thread:                        ; preds = %entry
  %1 = load i32, ptr @tw_arguments, align 4
  %idxprom85 = sext i32 %1 to i64
  %arrayidx86 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom85
  store ptr %sizes, ptr %arrayidx86, align 8
  br label %cleanup30

land.rhs.i:                                       ; preds = %entry, %while.body.i
  %count.05.i = phi i32 [ %dec.i, %while.body.i ], [ %0, %entry ]
  %2 = zext nneg i32 %count.05.i to i64
  %3 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %2
  %is_computed.i = getelementptr i8, ptr %3, i64 -8
  %4 = load i32, ptr %is_computed.i, align 8
  %tobool.not.i = icmp eq i32 %4, 0
  br i1 %tobool.not.i, label %input_symbols.exit, label %while.body.i

while.body.i:                                     ; preds = %land.rhs.i
  %dec.i = add nsw i32 %count.05.i, -1
  %cmp.i = icmp sgt i32 %count.05.i, 1
  br i1 %cmp.i, label %land.rhs.i, label %input_symbols.exit

input_symbols.exit:                               ; preds = %land.rhs.i, %while.body.i
  %count.0.lcssa.i = phi i32 [ %count.05.i, %land.rhs.i ], [ 0, %while.body.i ]
  %5 = load i32, ptr @tw_arguments, align 4
  %idxprom = sext i32 %5 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  store ptr %sizes, ptr %arrayidx, align 8
  %cmp70 = icmp slt i32 %count.0.lcssa.i, %0
  br i1 %cmp70, label %while.body.lr.ph, label %cleanup30

while.body.lr.ph:                                 ; preds = %input_symbols.exit
  %add = add nuw nsw i32 %0, 1
  %6 = zext nneg i32 %add to i64
  %conv = zext nneg i32 %0 to i64
  %mul = shl nuw nsw i64 %conv, 3
  %7 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %7 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %sizes, i64 %idxprom.i
  %wide.trip.count.i = zext nneg i32 %0 to i64
  br label %while.body

while.body:                                       ; preds = %while.body.lr.ph, %cleanup29
  %known.071 = phi i32 [ %count.0.lcssa.i, %while.body.lr.ph ], [ %add26, %cleanup29 ]
  %8 = call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %6, align 16
  %call1 = call fastcc i32 @assume_sizes(i32 noundef %known.071, ptr noundef %sizes) #9
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end, label %cleanup29.thread

if.end:                                           ; preds = %while.body
  %call3 = call ptr @memcpy(ptr noundef nonnull %vla, ptr noundef %sizes, i64 noundef %mul) #7
  %call4 = call fastcc ptr @place_outputs(ptr noundef %slots, ptr noundef %sizes) #9
  %cmp5 = icmp eq ptr %call4, null
  br i1 %cmp5, label %if.then7, label %if.end10

if.then7:                                         ; preds = %if.end
  call fastcc void @fail_number(ptr noundef nonnull @.str.35, ptr noundef nonnull @.str.46, i64 noundef %conv) #9
  br label %cleanup29.thread

if.end10:                                         ; preds = %if.end
  %cond.i = load i64, ptr %arrayidx.i, align 8
  %call12 = call fastcc i32 @run(ptr noundef %slots, i64 noundef %cond.i, i32 noundef %threads) #10
  call void @free(ptr noundef nonnull %call4) #7
  %cmp13.not = icmp eq i32 %call12, 1048576
  br i1 %cmp13.not, label %for.body.i, label %if.then15

if.then15:                                        ; preds = %if.end10
  %9 = add i32 %call12, 1
  %or.cond.i = icmp ult i32 %9, 2
  br i1 %or.cond.i, label %cleanup29.thread, label %if.end.i

if.end.i:                                         ; preds = %if.then15
  %conv.i = sext i32 %call12 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.50, i64 noundef %conv.i) #9
  br label %cleanup29.thread

for.body.i:                                       ; preds = %if.end10, %for.inc.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.inc.i ], [ 0, %if.end10 ]
  %arrayidx.i45 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv.i
  %10 = load i64, ptr %arrayidx.i45, align 8
  %arrayidx2.i = getelementptr inbounds nuw i64, ptr %vla, i64 %indvars.iv.i
  %11 = load i64, ptr %arrayidx2.i, align 8
  %cmp3.not.i = icmp eq i64 %10, %11
  br i1 %cmp3.not.i, label %for.inc.i, label %cleanup.loopexit.split.loop.exit13.i

for.inc.i:                                        ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %other_symbol.exit, label %for.body.i

cleanup.loopexit.split.loop.exit13.i:             ; preds = %for.body.i
  %12 = trunc nuw nsw i64 %indvars.iv.i to i32
  br label %other_symbol.exit

other_symbol.exit:                                ; preds = %for.inc.i, %cleanup.loopexit.split.loop.exit13.i
  %13 = phi i32 [ %12, %cleanup.loopexit.split.loop.exit13.i ], [ -1, %for.inc.i ]
  %idxprom19 = sext i32 %13 to i64
  %arrayidx20 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom19
  %14 = load i64, ptr %arrayidx20, align 8
  %arrayidx.i47 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom19
  %15 = load i64, ptr %arrayidx.i47, align 8
  %cmp.not.i = icmp slt i64 %14, %15
  br i1 %cmp.not.i, label %cleanup29.thread55, label %land.rhs.i48

land.rhs.i48:                                     ; preds = %other_symbol.exit
  %most.i = getelementptr inbounds nuw i8, ptr %arrayidx.i47, i64 8
  %16 = load i64, ptr %most.i, align 8
  %cmp3.not.i49 = icmp sgt i64 %14, %16
  br i1 %cmp3.not.i49, label %cleanup29.thread55, label %cleanup29

cleanup29.thread55:                               ; preds = %other_symbol.exit, %land.rhs.i48
  call fastcc void @fail_computed(i32 noundef %13, i64 noundef %14) #9
  call void @llvm.stackrestore.p0(ptr %8)
  br label %cleanup30

cleanup29.thread:                                 ; preds = %while.body, %if.then7, %if.then15, %if.end.i
  %retval.4.ph = phi i32 [ %call12, %if.then15 ], [ -1, %if.end.i ], [ -1, %if.then7 ], [ -1, %while.body ]
  call void @llvm.stackrestore.p0(ptr %8)
  br label %cleanup30

cleanup29:                                        ; preds = %land.rhs.i48
  %add26 = add nsw i32 %13, 1
  call void @llvm.stackrestore.p0(ptr %8)
  %cmp = icmp slt i32 %add26, %0
  br i1 %cmp, label %while.body, label %cleanup30

cleanup30:                                        ; preds = %cleanup29, %input_symbols.exit.thread, %input_symbols.exit, %cleanup29.thread55, %cleanup29.thread
  %retval.5 = phi i32 [ -1, %cleanup29.thread55 ], [ %retval.4.ph, %cleanup29.thread ], [ 0, %input_symbols.exit ], [ 0, %input_symbols.exit.thread ], [ 0, %cleanup29 ]
  ret i32 %retval.5
}

define internal fastcc noundef zeroext i1 @are_sizes(ptr noundef %sizes) unnamed_addr #0 {
entry:
  %call = tail call i32 @tw_derive(ptr noundef %sizes) #7
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %entry
  %0 = load i32, ptr @tw_expression_count, align 4
  %cmp112 = icmp slt i32 %0, 1
  br i1 %cmp112, label %return, label %for.body.preheader

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %1 = load i64, ptr %arrayidx, align 8
  %cmp2 = icmp slt i64 %1, 0
  br i1 %cmp2, label %land.lhs.true, label %for.inc

land.lhs.true:                                    ; preds = %for.body
  %arrayidx4 = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %indvars.iv
  %least = getelementptr inbounds nuw i8, ptr %arrayidx4, i64 24
  %2 = load i64, ptr %least, align 8
  %cmp5 = icmp slt i64 %2, 0
  br i1 %cmp5, label %return, label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %return, label %for.body

return:                                           ; preds = %land.lhs.true, %for.inc, %for.cond.preheader, %entry
  %retval.1 = phi i1 [ false, %entry ], [ true, %for.cond.preheader ], [ false, %land.lhs.true ], [ true, %for.inc ]
  ret i1 %retval.1
}

define internal fastcc range(i32 -1, 1) i32 @derive(ptr noundef %sizes) unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %for.cond.preheader, label %cond.end

cond.end:                                         ; preds = %entry
  %call = tail call i32 @tw_derive(ptr noundef %sizes) #7
  %cmp1 = icmp eq i32 %call, 1
  br i1 %cmp1, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry, %cond.end
  %cond42 = phi i32 [ %call, %cond.end ], [ 0, %entry ]
  %1 = load i32, ptr @tw_expression_count, align 4
  %cmp3.not35 = icmp sgt i32 %1, 0
  br i1 %cmp3.not35, label %for.body.preheader, label %for.end

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %1 to i64
  br label %for.body

if.then:                                          ; preds = %cond.end
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.35, ptr noundef nonnull @.str.36, i64 noundef 9223372036854775807) #9
  br label %cleanup21

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %2 = load i64, ptr %arrayidx, align 8
  %arrayidx5 = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %indvars.iv
  %least = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 24
  %3 = load i64, ptr %least, align 8
  %cmp6 = icmp slt i64 %2, %3
  br i1 %cmp6, label %if.then12, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %most = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 32
  %4 = load i64, ptr %most, align 8
  %cmp11 = icmp sgt i64 %2, %4
  br i1 %cmp11, label %if.then12, label %for.inc

if.then12:                                        ; preds = %lor.lhs.false, %for.body
  %5 = trunc nuw nsw i64 %indvars.iv to i32
  tail call fastcc void @fail_limit(i32 noundef %5, ptr noundef nonnull %sizes) #9
  br label %cleanup21

for.inc:                                          ; preds = %lor.lhs.false
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %for.cond.preheader
  %cmp15 = icmp eq i32 %cond42, 0
  br i1 %cmp15, label %cleanup21, label %cond.false17

cond.false17:                                     ; preds = %for.end
  tail call fastcc void @fail_small(ptr noundef %sizes) #9
  br label %cleanup21

cleanup21:                                        ; preds = %if.then12, %cond.false17, %for.end, %if.then
  %retval.1 = phi i32 [ -1, %if.then ], [ -1, %if.then12 ], [ -1, %cond.false17 ], [ 0, %for.end ]
  ret i32 %retval.1
}

define internal fastcc void @fail_small(ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %got = alloca [400 x i8], align 16
  %message = alloca [1024 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %got) #8
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp21 = icmp sgt i32 %0, 0
  br i1 %cmp21, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %call8 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.40, ptr noundef nonnull @tw_name, ptr noundef nonnull %got) #7
  %call10 = call i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %got) #8
  ret void

for.body:                                         ; preds = %entry, %cond.end
  %index.023 = phi i32 [ %inc, %cond.end ], [ 0, %entry ]
  %length.022 = phi i64 [ %call5, %cond.end ], [ 0, %entry ]
  %cmp1 = icmp slt i64 %length.022, 400
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %add.ptr = getelementptr inbounds i8, ptr %got, i64 %length.022
  %sub = sub nsw i64 400, %length.022
  %cmp2 = icmp eq i32 %index.023, 0
  %cond = select i1 %cmp2, ptr @.str.24, ptr @.str.30
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.27, ptr noundef nonnull %cond) #7
  %conv = sext i32 %call to i64
  %add = add nsw i64 %length.022, %conv
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond3 = phi i64 [ %add, %cond.true ], [ %length.022, %for.body ]
  %call5 = call fastcc i64 @append_value(ptr noundef %got, i64 noundef 400, i64 noundef %cond3, i32 noundef %index.023, ptr noundef %sizes) #9
  %inc = add nuw nsw i32 %index.023, 1
  %exitcond.not = icmp eq i32 %inc, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare hidden i32 @tw_derive(ptr noundef) local_unnamed_addr #5

define internal fastcc void @fail_limit(i32 noundef %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %range = alloca [64 x i8], align 16
  %value = alloca [256 x i8], align 16
  %message = alloca [1024 x i8], align 16
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %range) #8
  call void @llvm.lifetime.start.p0(ptr nonnull %value) #8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %count = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %0 = load i64, ptr %count, align 8
  %cmp41 = icmp sgt i64 %0, 0
  br i1 %cmp41, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %1 = load i64, ptr %most, align 8
  %cmp7 = icmp slt i64 %1, 1099511627776
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %2 = load i64, ptr %least, align 8
  br i1 %cmp7, label %if.then, label %if.else

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %number.043 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %length.042 = phi i64 [ 0, %for.body.lr.ph ], [ %call6, %cond.end ]
  %cmp1 = icmp slt i64 %length.042, 256
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %add.ptr = getelementptr inbounds i8, ptr %value, i64 %length.042
  %sub = sub nsw i64 256, %length.042
  %cmp2 = icmp eq i64 %number.043, 0
  %cond = select i1 %cmp2, ptr @.str.24, ptr @.str.30
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.27, ptr noundef nonnull %cond) #7
  %conv = sext i32 %call to i64
  %add = add nsw i64 %length.042, %conv
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond3 = phi i64 [ %add, %cond.true ], [ %length.042, %for.body ]
  %3 = load ptr, ptr %symbols, align 8
  %arrayidx5 = getelementptr inbounds nuw i32, ptr %3, i64 %number.043
  %4 = load i32, ptr %arrayidx5, align 4
  %call6 = call fastcc i64 @append_value(ptr noundef %value, i64 noundef 256, i64 noundef %cond3, i32 noundef %4, ptr noundef %sizes) #9
  %inc = add nuw nsw i64 %number.043, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.then:                                          ; preds = %for.cond.cleanup
  %call11 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 64, ptr noundef nonnull @.str.37, i64 noundef %2, i64 noundef %1) #7
  br label %if.end

if.else:                                          ; preds = %for.cond.cleanup
  %call14 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 64, ptr noundef nonnull @.str.38, i64 noundef %2) #7
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  %5 = load ptr, ptr %arrayidx, align 8
  %arrayidx18 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %6 = load i64, ptr %arrayidx18, align 8
  %call20 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.39, ptr noundef nonnull @tw_name, ptr noundef %5, ptr noundef nonnull %range, i64 noundef %6, ptr noundef nonnull %value) #7
  %call22 = call i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %value) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %range) #8
  ret void
}

define internal fastcc ptr @place_outputs(ptr noundef nonnull writeonly captures(none) %slots, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %1 = load i32, ptr @tw_arguments, align 4
  %cmp585 = icmp slt i32 %0, %1
  %2 = sext i32 %0 to i64
  %wide.trip.count93 = sext i32 %1 to i64
  br label %for.cond

for.cond:                                         ; preds = %cleanup42, %entry
  %cmp1.not = phi i1 [ true, %entry ], [ false, %cleanup42 ]
  %total.0 = phi i64 [ 64, %entry ], [ %used.0.lcssa, %cleanup42 ]
  %retval.0 = phi ptr [ undef, %entry ], [ %cond.retval.0, %cleanup42 ]
  br i1 %cmp1.not, label %if.end, label %cond.end

cond.end:                                         ; preds = %for.cond
  %call = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %total.0) #7
  %cmp3 = icmp eq ptr %call, null
  br i1 %cmp3, label %cleanup45, label %if.end

if.end:                                           ; preds = %for.cond, %cond.end
  %cond.retval.0 = phi ptr [ %call, %cond.end ], [ %retval.0, %for.cond ]
  %cond77 = phi ptr [ %call, %cond.end ], [ null, %for.cond ]
  br i1 %cmp585, label %for.body7, label %cleanup42

for.body7:                                        ; preds = %if.end, %if.end31
  %indvars.iv90 = phi i64 [ %indvars.iv.next91, %if.end31 ], [ %2, %if.end ]
  %used.086 = phi i64 [ %add34, %if.end31 ], [ 0, %if.end ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv90
  %bytes8 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %3 = load i64, ptr %bytes8, align 8
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %4 = load i32, ptr %rank, align 8
  %cmp1082 = icmp sgt i32 %4, 0
  br i1 %cmp1082, label %for.body12.lr.ph, label %for.cond.cleanup11

for.body12.lr.ph:                                 ; preds = %for.body7
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %5 = load ptr, ptr %shape, align 8
  %wide.trip.count = zext nneg i32 %4 to i64
  br label %for.body12

for.cond.cleanup11:                               ; preds = %for.inc, %for.body7
  %bytes.0.lcssa = phi i64 [ %3, %for.body7 ], [ %bytes.1, %for.inc ]
  br i1 %cmp1.not, label %if.end31, label %if.then28

for.body12:                                       ; preds = %for.body12.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body12.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %bytes.083 = phi i64 [ %3, %for.body12.lr.ph ], [ %bytes.1, %for.inc ]
  %arrayidx14 = getelementptr inbounds nuw i64, ptr %5, i64 %indvars.iv
  %6 = load i64, ptr %arrayidx14, align 8
  %cmp15 = icmp slt i64 %6, 0
  br i1 %cmp15, label %if.then16, label %for.inc

if.then16:                                        ; preds = %for.body12
  %sub = xor i64 %6, -1
  %arrayidx20 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub
  %7 = load i64, ptr %arrayidx20, align 8
  %cond25 = tail call i64 @llvm.smax.i64(i64 %7, i64 0)
  %mul = mul i64 %cond25, %bytes.083
  br label %for.inc

for.inc:                                          ; preds = %for.body12, %if.then16
  %bytes.1 = phi i64 [ %mul, %if.then16 ], [ %bytes.083, %for.body12 ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup11, label %for.body12

if.then28:                                        ; preds = %for.cond.cleanup11
  %add.ptr = getelementptr inbounds nuw i8, ptr %cond77, i64 %used.086
  %arrayidx30 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %indvars.iv90
  store ptr %add.ptr, ptr %arrayidx30, align 8
  br label %if.end31

if.end31:                                         ; preds = %if.then28, %for.cond.cleanup11
  %sub32 = add i64 %bytes.0.lcssa, 63
  %div72 = and i64 %sub32, -64
  %add34 = add i64 %div72, %used.086
  %indvars.iv.next91 = add nsw i64 %indvars.iv90, 1
  %exitcond94.not = icmp eq i64 %indvars.iv.next91, %wide.trip.count93
  br i1 %exitcond94.not, label %cleanup42.loopexit, label %for.body7

cleanup42.loopexit:                               ; preds = %if.end31
  %8 = add i64 %add34, 64
  br label %cleanup42

cleanup42:                                        ; preds = %cleanup42.loopexit, %if.end
  %used.0.lcssa = phi i64 [ 64, %if.end ], [ %8, %cleanup42.loopexit ]
  br i1 %cmp1.not, label %for.cond, label %cleanup45

cleanup45:                                        ; preds = %cond.end, %cleanup42
  %spec.select = phi ptr [ %cond.retval.0, %cleanup42 ], [ null, %cond.end ]
  ret ptr %spec.select
}

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #5

define internal fastcc void @fail_computed(i32 noundef %index, i64 noundef %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 16
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #8
  %arrayidx2 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %0 = load ptr, ptr %arrayidx2, align 8
  %1 = load i64, ptr %arrayidx, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load i64, ptr %most, align 8
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.47, ptr noundef nonnull @tw_name, ptr noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %got) #7
  %call4 = call i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull %message) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #8
  ret void
}

declare hidden i32 @tw_run(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #5

declare i32 @llvm.smin.i32(i32, i32) #6

declare i32 @llvm.smax.i32(i32, i32) #6

declare i64 @llvm.smax.i64(i64, i64) #6

attributes #0 = { cold noinline nounwind optsize "no-builtins" }
attributes #1 = { nounwind "no-builtins" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind "no-builtins" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { "no-builtins" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nobuiltin nounwind "no-builtins" }
attributes #8 = { nounwind }
attributes #9 = { cold nobuiltin "no-builtins" }
attributes #10 = { nobuiltin "no-builtins" }
