; Generated from runtime/native/entry.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_symbol = type { i64, i64, i64, i64, i64, i32, i32 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_expression = type { ptr, ptr, ptr, i64, i64, i64, i32 }
%struct.rule = type { ptr, ptr, ptr }
%union.tw_slot = type { ptr }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.finding = type { ptr, [3 x i64] }
%struct.tw_call = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32 }

@__tw_default_threads = local_unnamed_addr global i32 1, align 4
@__tw_abi_version = local_unnamed_addr constant i32 3, align 4
@__tw_last_error = global [1024 x i8] zeroinitializer, align 1
@.str = private unnamed_addr constant [93 x i8] c"%s: %s: an index is out of range\0A    expected: %lld..%lld\0A    got: %lld at %s of the indices\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"IndexError\00", align 1
@.str.2 = private unnamed_addr constant [257 x i8] c"%s: a function that the model calls is not set\0A    expected: code and handle of %s in __tw_externs\0A    got: null\0A    hint: register the function, then load the model by tilewright.load_module or tw_load; a program that loads it otherwise fills __tw_externs\00", align 1
@.str.3 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@arenas = internal global [8 x ptr] zeroinitializer, align 64
@tw_given_count = external hidden local_unnamed_addr constant i32, align 4
@tw_symbols = external hidden local_unnamed_addr constant [0 x %struct.tw_symbol], align 8
@.str.4 = private unnamed_addr constant [101 x i8] c"%s: the weights are not loaded\0A    expected: the address of %lld bytes in __tw_weights\0A    got: null\00", align 1
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.5 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@.str.6 = private unnamed_addr constant [146 x i8] c"%s: no function allocates the outputs\0A    expected: a tw_allocate and its context, two opaque pointers, after the threads\0A    got: %lld arguments\00", align 1
@tw_size_count = external hidden local_unnamed_addr constant i32, align 4
@.str.7 = private unnamed_addr constant [108 x i8] c"%s: the last argument does not take the sizes of the outputs\0A    expected: an int64 tensor of %lld elements\00", align 1
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@.str.8 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.9 = private unnamed_addr constant [107 x i8] c"%s: the memory of a call depends on the elements of its inputs\0A    got: %lld sizes that the model computes\00", align 1
@__tw_weights = local_unnamed_addr global ptr null, align 4
@__tw_running = global i32 0, align 4
@__tw_pool = local_unnamed_addr global ptr null, align 4
@__tw_raise = local_unnamed_addr global ptr null, align 4
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 4
@__tvm_ffi__library_ctx = weak local_unnamed_addr global ptr null, align 4
@.str.10 = private unnamed_addr constant [29 x i8] c"TVMFFIErrorSetRaisedFromCStr\00", align 1
@.str.11 = private unnamed_addr constant [2 x i8] c"[\00", align 1
@.str.12 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.13 = private unnamed_addr constant [7 x i8] c", %lld\00", align 1
@.str.14 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@.str.15 = private unnamed_addr constant [93 x i8] c"%s: the inputs lead to a size that is not valid\0A    expected: %s in %lld..%lld\0A    got: %lld\00", align 1
@tw_expressions = external hidden local_unnamed_addr constant [0 x %struct.tw_expression], align 8
@tw_symbol_count = external hidden local_unnamed_addr constant i32, align 4
@.str.16 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.17 = private unnamed_addr constant [102 x i8] c"%s: the sizes of the arguments are too large\0A    expected: intermediate results of at most %lld bytes\00", align 1
@tw_expression_count = external hidden local_unnamed_addr constant i32, align 4
@.str.18 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.19 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.20 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.21 = private unnamed_addr constant [14 x i8] c"in %lld..%lld\00", align 1
@.str.22 = private unnamed_addr constant [17 x i8] c"of at least %lld\00", align 1
@.str.23 = private unnamed_addr constant [79 x i8] c"%s: a size is outside of its range\0A    expected: %s %s\0A    got: %lld, where %s\00", align 1
@.str.24 = private unnamed_addr constant [21 x i8] c"%s = %lld (computed)\00", align 1
@.str.25 = private unnamed_addr constant [31 x i8] c"%s = %lld (dimension %d of %s)\00", align 1
@.str.26 = private unnamed_addr constant [18 x i8] c" (required by %s)\00", align 1
@.str.27 = private unnamed_addr constant [155 x i8] c"%s: the inputs are too small: an intermediate result would have a negative size\0A    expected: larger inputs, as for windows that fit into them\0A    got: %s\00", align 1
@IS_ALIGNED = internal constant %struct.rule { ptr @.str.8, ptr @.str.41, ptr @.str.42 }, align 4
@IS_TENSOR = internal constant %struct.rule { ptr @.str.5, ptr @.str.28, ptr @.str.29 }, align 4
@tw_device_type = external hidden local_unnamed_addr constant i32, align 4
@IS_IN_CPU_MEMORY = internal constant %struct.rule { ptr @.str.8, ptr @.str.30, ptr @.str.31 }, align 4
@HAS_DTYPE = internal constant %struct.rule { ptr @.str.5, ptr @.str.32, ptr @.str.33 }, align 4
@HAS_RANK = internal constant %struct.rule { ptr @.str.8, ptr @.str.34, ptr @.str.35 }, align 4
@.str.28 = private unnamed_addr constant [16 x i8] c"is not a tensor\00", align 1
@.str.29 = private unnamed_addr constant [16 x i8] c"type index %lld\00", align 1
@.str.30 = private unnamed_addr constant [21 x i8] c"is not in CPU memory\00", align 1
@.str.31 = private unnamed_addr constant [37 x i8] c"DLPack device type %lld, number %lld\00", align 1
@.str.32 = private unnamed_addr constant [20 x i8] c"has the wrong dtype\00", align 1
@.str.33 = private unnamed_addr constant [45 x i8] c"DLPack type code %lld, %lld bits, %lld lanes\00", align 1
@.str.34 = private unnamed_addr constant [35 x i8] c"has the wrong number of dimensions\00", align 1
@.str.35 = private unnamed_addr constant [16 x i8] c"%lld dimensions\00", align 1
@HAS_ROOM = internal constant %struct.rule { ptr @.str.8, ptr @.str.36, ptr @.str.19 }, align 4
@HAS_SIZE = internal constant %struct.rule { ptr @.str.8, ptr @.str.37, ptr @.str.19 }, align 4
@HAS_SHAPE = internal constant %struct.rule { ptr @.str.8, ptr @.str.37, ptr @.str.38 }, align 4
@.str.36 = private unnamed_addr constant [13 x i8] c"is too small\00", align 1
@.str.37 = private unnamed_addr constant [20 x i8] c"has the wrong shape\00", align 1
@.str.38 = private unnamed_addr constant [28 x i8] c"size %lld in dimension %lld\00", align 1
@IS_ROW_MAJOR = internal constant %struct.rule { ptr @.str.8, ptr @.str.39, ptr @.str.40 }, align 4
@.str.39 = private unnamed_addr constant [38 x i8] c"is not stored row by row without gaps\00", align 1
@.str.40 = private unnamed_addr constant [46 x i8] c"stride %lld in dimension %lld instead of %lld\00", align 1
@.str.41 = private unnamed_addr constant [39 x i8] c"is null or not aligned to its elements\00", align 1
@.str.42 = private unnamed_addr constant [40 x i8] c"address %#llx, needs a multiple of %lld\00", align 1
@HAS_VALID_SIZE = internal constant %struct.rule { ptr @.str.8, ptr @.str.44, ptr @.str.19 }, align 4
@.str.43 = private unnamed_addr constant [71 x i8] c"%s: argument %d (%s) %s\0A    expected: %s\0A    got: %s\0A    signature: %s\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.44 = private unnamed_addr constant [29 x i8] c"has a size that is not valid\00", align 1
@.str.45 = private unnamed_addr constant [8 x i8] c" = %lld\00", align 1
@.str.46 = private unnamed_addr constant [9 x i8] c", where \00", align 1
@.str.47 = private unnamed_addr constant [20 x i8] c"%s is in %lld..%lld\00", align 1
@.str.48 = private unnamed_addr constant [118 x i8] c"%s: argument %d (%s) %s\0A    expected: %s, dimension %lld: %s%s\0A    got: size %lld in dimension %lld\0A    signature: %s\00", align 1
@.str.49 = private unnamed_addr constant [10 x i8] c"at least \00", align 1
@.str.50 = private unnamed_addr constant [61 x i8] c"%s: no memory for an output\0A    got: nothing for output %lld\00", align 1
@IS_APART = internal constant %struct.rule { ptr @.str.8, ptr @.str.51, ptr @.str.52 }, align 4
@.str.51 = private unnamed_addr constant [36 x i8] c"shares memory with another argument\00", align 1
@.str.52 = private unnamed_addr constant [27 x i8] c"overlap with argument %lld\00", align 1
@tw_arena_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.53 = private unnamed_addr constant [68 x i8] c"%s: no memory for the intermediate results\0A    expected: %lld bytes\00", align 1
@.str.54 = private unnamed_addr constant [41 x i8] c"%s: a kernel failed\0A    got: status %lld\00", align 1
@.str.55 = private unnamed_addr constant [136 x i8] c"%s: the sizes of the outputs do not follow from the inputs\0A    expected: a call with arrays for the outputs, the first is argument %lld\00", align 1
@tw_max_threads = external hidden local_unnamed_addr constant i32, align 4
@.str.56 = private unnamed_addr constant [91 x i8] c"%s: the first argument is not a thread count\0A    expected: an int\0A    got: type index %lld\00", align 1
@.str.57 = private unnamed_addr constant [101 x i8] c"%s: wrong number of arguments\0A    expected: %d (%d inputs, %d outputs)\0A    got: %d\0A    signature: %s\00", align 1

define hidden noundef i32 @tw_fail(ptr noundef %kind, ptr noundef %message) local_unnamed_addr #0 {
entry:
  %call = tail call ptr @memcpy(ptr noundef nonnull @__tw_last_error, ptr noundef %message, i32 noundef 1024) #14
  %0 = load ptr, ptr @__tw_raise, align 4
  %cmp.not.i = icmp eq ptr %0, null
  br i1 %cmp.not.i, label %if.end.i, label %if.then

if.end.i:                                         ; preds = %entry
  %1 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr, align 4
  %cmp1.not.i = icmp eq ptr %1, null
  br i1 %cmp1.not.i, label %if.end3.i, label %if.then

if.end3.i:                                        ; preds = %if.end.i
  %cmp4.not.i = icmp eq ptr @TVMFFIErrorSetRaisedFromCStr, null
  br i1 %cmp4.not.i, label %if.end6.i, label %host_report.exit

if.end6.i:                                        ; preds = %if.end3.i
  %cmp7.i = icmp eq ptr @dlsym, null
  br i1 %cmp7.i, label %if.end, label %if.end9.i

if.end9.i:                                        ; preds = %if.end6.i
  %call.i = tail call ptr @dlsym(ptr noundef null, ptr noundef nonnull @.str.10) #14
  br label %host_report.exit

host_report.exit:                                 ; preds = %if.end3.i, %if.end9.i
  %retval.0.i = phi ptr [ %call.i, %if.end9.i ], [ @TVMFFIErrorSetRaisedFromCStr, %if.end3.i ]
  %cmp.not = icmp eq ptr %retval.0.i, null
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %if.end.i, %entry, %host_report.exit
  %retval.0.i5 = phi ptr [ %retval.0.i, %host_report.exit ], [ %1, %if.end.i ], [ %0, %entry ]
  tail call void %retval.0.i5(ptr noundef %kind, ptr noundef %message) #14
  br label %if.end

if.end:                                           ; preds = %if.end6.i, %if.then, %host_report.exit
  ret i32 -1
}

declare ptr @memcpy(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #1

define hidden noundef i32 @tw_fail_index(ptr noundef readonly captures(none) %check, i64 noundef %position, i64 noundef %got, i64 noundef %low, i64 noundef %high) local_unnamed_addr #0 {
entry:
  %where = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %call.i = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %where, i32 noundef 256, ptr noundef nonnull @.str.11) #14
  %rank.i = getelementptr inbounds nuw i8, ptr %check, i32 8
  %0 = load i64, ptr %rank.i, align 8
  %cmp24.i = icmp sgt i64 %0, 0
  %sub25.i = sub i32 256, %call.i
  %cmp326.i = icmp slt i32 %call.i, 225
  %1 = select i1 %cmp24.i, i1 %cmp326.i, i1 false
  br i1 %1, label %for.body.lr.ph.i, label %write_position.exit

for.body.lr.ph.i:                                 ; preds = %entry
  %conv1.i = sext i32 %call.i to i64
  %shape.i = getelementptr inbounds nuw i8, ptr %check, i32 4
  br label %for.body.i

for.body.i:                                       ; preds = %for.cond.cleanup9.i, %for.body.lr.ph.i
  %sub29.off0.i = phi i32 [ %sub25.i, %for.body.lr.ph.i ], [ %extract.t32.i, %for.cond.cleanup9.i ]
  %2 = phi i64 [ %0, %for.body.lr.ph.i ], [ %4, %for.cond.cleanup9.i ]
  %length.028.i = phi i64 [ %conv1.i, %for.body.lr.ph.i ], [ %add20.i, %for.cond.cleanup9.i ]
  %axis.027.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %add.i, %for.cond.cleanup9.i ]
  %add.i = add nuw nsw i64 %axis.027.i, 1
  %cmp721.i = icmp slt i64 %add.i, %2
  %.pre.i = load ptr, ptr %shape.i, align 4
  br i1 %cmp721.i, label %for.body10.i, label %for.cond.cleanup9.i

for.cond.cleanup9.i:                              ; preds = %for.body10.i, %for.body.i
  %elements.0.lcssa.i = phi i64 [ 1, %for.body.i ], [ %mul.i, %for.body10.i ]
  %div.i = sdiv i64 %position, %elements.0.lcssa.i
  %idxprom12.i = trunc i64 %axis.027.i to i32
  %arrayidx13.i = getelementptr inbounds i64, ptr %.pre.i, i32 %idxprom12.i
  %3 = load i64, ptr %arrayidx13.i, align 8
  %rem.i = srem i64 %div.i, %3
  %cmp14.i = icmp eq i64 %axis.027.i, 0
  %cond.i = select i1 %cmp14.i, ptr @.str.12, ptr @.str.13
  %idx.ext.i = trunc i64 %length.028.i to i32
  %add.ptr.i = getelementptr inbounds i8, ptr %where, i32 %idx.ext.i
  %call18.i = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i, i32 noundef %sub29.off0.i, ptr noundef nonnull %cond.i, i64 noundef %rem.i) #14
  %conv19.i = sext i32 %call18.i to i64
  %add20.i = add nsw i64 %length.028.i, %conv19.i
  %4 = load i64, ptr %rank.i, align 8
  %cmp.i = icmp slt i64 %add.i, %4
  %cmp3.i = icmp slt i64 %add20.i, 225
  %5 = select i1 %cmp.i, i1 %cmp3.i, i1 false
  %6 = trunc i64 %add20.i to i32
  %extract.t32.i = sub i32 256, %6
  br i1 %5, label %for.body.i, label %write_position.exit

for.body10.i:                                     ; preds = %for.body.i, %for.body10.i
  %inner.023.i = phi i64 [ %inc.i, %for.body10.i ], [ %add.i, %for.body.i ]
  %elements.022.i = phi i64 [ %mul.i, %for.body10.i ], [ 1, %for.body.i ]
  %idxprom.i = trunc i64 %inner.023.i to i32
  %arrayidx.i = getelementptr inbounds i64, ptr %.pre.i, i32 %idxprom.i
  %7 = load i64, ptr %arrayidx.i, align 8
  %mul.i = mul nsw i64 %7, %elements.022.i
  %inc.i = add nuw nsw i64 %inner.023.i, 1
  %cmp7.i = icmp slt i64 %inc.i, %2
  br i1 %cmp7.i, label %for.body10.i, label %for.cond.cleanup9.i

write_position.exit:                              ; preds = %for.cond.cleanup9.i, %entry
  %length.0.lcssa.off0.i = phi i32 [ %call.i, %entry ], [ %6, %for.cond.cleanup9.i ]
  %sub.lcssa.off0.i = phi i32 [ %sub25.i, %entry ], [ %extract.t32.i, %for.cond.cleanup9.i ]
  %add.ptr25.i = getelementptr inbounds i8, ptr %where, i32 %length.0.lcssa.off0.i
  %call28.i = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr25.i, i32 noundef %sub.lcssa.off0.i, ptr noundef nonnull @.str.14) #14
  %8 = load ptr, ptr %check, align 8
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, ptr noundef %8, i64 noundef %low, i64 noundef %high, i64 noundef %got, ptr noundef nonnull %where) #14
  %call4 = call i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #15
  ret i32 -1
}

declare i32 @snprintf(ptr noundef, i32 noundef, ptr noundef, ...) local_unnamed_addr #1

define hidden noundef i32 @tw_missing_function(ptr noundef %name, ptr noundef readnone captures(none) %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, ptr noundef %name) #14
  %call2 = call i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #15
  ret i32 -1
}

define hidden range(i32 0, 2) i32 @tw_is_on_device(ptr noundef readonly captures(none) %slots, i32 noundef %index) local_unnamed_addr #2 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = getelementptr %union.tw_slot, ptr %slots, i32 %0
  %arrayidx = getelementptr i8, ptr %1, i32 4
  %2 = load ptr, ptr %arrayidx, align 4
  %3 = load i32, ptr @tw_inputs, align 4
  %cmp = icmp slt i32 %index, %3
  br i1 %cmp, label %land.rhs, label %lor.rhs

lor.rhs:                                          ; preds = %entry
  %allocate = getelementptr inbounds nuw i8, ptr %2, i32 20
  %4 = load ptr, ptr %allocate, align 4
  %cmp1 = icmp eq ptr %4, null
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry, %lor.rhs
  %5 = load ptr, ptr %2, align 4
  %arrayidx2 = getelementptr inbounds %struct.tw_value, ptr %5, i32 %index
  %6 = load i32, ptr %arrayidx2, align 8
  %7 = icmp eq i32 %6, 7
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx2, i32 8
  %8 = load ptr, ptr %payload.i, align 8
  %retval.0.i.idx = select i1 %7, i32 0, i32 24
  %retval.0.i = getelementptr inbounds nuw i8, ptr %8, i32 %retval.0.i.idx
  %device_type = getelementptr inbounds nuw i8, ptr %retval.0.i, i32 4
  %9 = load i32, ptr %device_type, align 4
  %cmp4 = icmp ne i32 %9, 1
  %10 = zext i1 %cmp4 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.rhs
  %land.ext = phi i32 [ 0, %lor.rhs ], [ %10, %land.rhs ]
  ret i32 %land.ext
}

define void @__tw_release() local_unnamed_addr #1 {
entry:
  br label %for.body

for.body:                                         ; preds = %entry, %free_blocks.exit
  %index.03 = phi i32 [ 0, %entry ], [ %inc, %free_blocks.exit ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr @arenas, i32 %index.03
  %0 = atomicrmw xchg ptr %arrayidx, i32 0 acq_rel, align 4
  %cmp.not3.i = icmp eq i32 %0, 0
  br i1 %cmp.not3.i, label %free_blocks.exit, label %while.body.i.preheader

while.body.i.preheader:                           ; preds = %for.body
  %1 = inttoptr i32 %0 to ptr
  br label %while.body.i

while.body.i:                                     ; preds = %while.body.i.preheader, %while.body.i
  %block.addr.04.i = phi ptr [ %2, %while.body.i ], [ %1, %while.body.i.preheader ]
  %next1.i = getelementptr inbounds nuw i8, ptr %block.addr.04.i, i32 8
  %2 = load ptr, ptr %next1.i, align 8
  tail call void @free(ptr noundef nonnull %block.addr.04.i) #14
  %cmp.not.i = icmp eq ptr %2, null
  br i1 %cmp.not.i, label %free_blocks.exit, label %while.body.i

free_blocks.exit:                                 ; preds = %while.body.i, %for.body
  %inc = add nuw nsw i32 %index.03, 1
  %exitcond.not = icmp eq i32 %inc, 8
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %free_blocks.exit
  tail call void @tw_release_device() #16
  tail call void @tw_unload_weights() #16
  ret void
}

define weak hidden void @tw_release_device() local_unnamed_addr #0 {
entry:
  ret void
}

define weak hidden void @tw_unload_weights() local_unnamed_addr #0 {
entry:
  ret void
}

define hidden ptr @tw_bind(ptr noundef readonly captures(none) %slots, i32 noundef %stage, i64 noundef %value) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = getelementptr %union.tw_slot, ptr %slots, i32 %0
  %arrayidx = getelementptr i8, ptr %1, i32 4
  %2 = load ptr, ptr %arrayidx, align 4
  %3 = load i32, ptr @tw_given_count, align 4
  %add1 = add i32 %stage, -1
  %sub = add i32 %add1, %3
  %arrayidx2 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i32 %sub
  %4 = load i64, ptr %arrayidx2, align 8
  %cmp = icmp slt i64 %value, %4
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %most = getelementptr inbounds nuw i8, ptr %arrayidx2, i32 8
  %5 = load i64, ptr %most, align 8
  %cmp4 = icmp sgt i64 %value, %5
  br i1 %cmp4, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  tail call fastcc void @fail_computed(i32 noundef %sub, i64 noundef %value) #15
  br label %cleanup29

if.end:                                           ; preds = %lor.lhs.false
  %sizes = getelementptr inbounds nuw i8, ptr %2, i32 8
  %6 = load ptr, ptr %sizes, align 4
  %arrayidx6 = getelementptr inbounds i64, ptr %6, i32 %sub
  store i64 %value, ptr %arrayidx6, align 8
  %call7 = tail call fastcc i32 @begin_stage(ptr noundef %2, i32 noundef %stage) #16
  %cmp8.not = icmp eq i32 %call7, 0
  br i1 %cmp8.not, label %if.end10, label %cleanup29

if.end10:                                         ; preds = %if.end
  %end = getelementptr inbounds nuw i8, ptr %2, i32 28
  %7 = load i32, ptr %end, align 4
  %cmp11 = icmp eq i32 %stage, %7
  %conv = zext i1 %cmp11 to i32
  %has_ended = getelementptr inbounds nuw i8, ptr %2, i32 32
  store i32 %conv, ptr %has_ended, align 4
  br i1 %cmp11, label %cleanup29, label %if.end14

if.end14:                                         ; preds = %if.end10
  %8 = load ptr, ptr %sizes, align 4
  %9 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i = icmp eq i32 %9, 0
  %10 = load i32, ptr @tw_expression_count, align 4
  %11 = getelementptr i64, ptr %8, i32 %10
  %arrayidx.i = getelementptr i64, ptr %11, i32 %stage
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %block17 = getelementptr inbounds nuw i8, ptr %2, i32 16
  %12 = load ptr, ptr %block17, align 4
  %next = getelementptr inbounds nuw i8, ptr %12, i32 8
  %13 = load ptr, ptr %next, align 8
  %call18 = tail call fastcc ptr @sized(ptr noundef %13, i64 noundef %cond.i) #16
  %14 = load ptr, ptr %block17, align 4
  %next20 = getelementptr inbounds nuw i8, ptr %14, i32 8
  store ptr %call18, ptr %next20, align 8
  %cmp21 = icmp eq ptr %call18, null
  br i1 %cmp21, label %if.then23, label %if.end25

if.then23:                                        ; preds = %if.end14
  tail call fastcc void @fail_arena(i64 noundef %cond.i) #15
  br label %cleanup29

if.end25:                                         ; preds = %if.end14
  store ptr %call18, ptr %block17, align 4
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call18, i32 64
  br label %cleanup29

cleanup29:                                        ; preds = %if.end10, %if.end, %if.then23, %if.end25, %if.then
  %retval.0 = phi ptr [ null, %if.then ], [ %add.ptr.i, %if.end25 ], [ null, %if.end ], [ null, %if.then23 ], [ null, %if.end10 ]
  ret ptr %retval.0
}

define internal fastcc void @fail_computed(i32 noundef range(i32 -2147483648, 2147483647) %index, i64 noundef %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i32 %index
  %arrayidx1 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %index
  %0 = load ptr, ptr %arrayidx1, align 8
  %1 = load i64, ptr %arrayidx, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %2 = load i64, ptr %most, align 8
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.15, ptr noundef nonnull @tw_name, ptr noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %got) #14
  %call3 = call i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message) #15
  ret void
}

define internal fastcc range(i32 -1, 1) i32 @begin_stage(ptr noundef readonly captures(none) %call, i32 noundef %stage) unnamed_addr #1 {
entry:
  %finding.i15 = alloca %struct.finding, align 8
  %finding.i = alloca %struct.finding, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %call, i32 8
  %0 = load ptr, ptr %sizes, align 4
  %call1 = tail call fastcc i32 @derive(ptr noundef %0, i32 noundef %stage) #16
  %cmp.not = icmp eq i32 %call1, 0
  br i1 %cmp.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %entry
  %1 = load i32, ptr @tw_arguments, align 4
  %cmp237 = icmp sgt i32 %1, 0
  br i1 %cmp237, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %2 = load i32, ptr @tw_inputs, align 4
  %allocate = getelementptr inbounds nuw i8, ptr %call, i32 20
  %slots.i = getelementptr inbounds nuw i8, ptr %call, i32 4
  %bytes.i.i = getelementptr inbounds nuw i8, ptr %call, i32 12
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %index.038 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i32 %index.038
  %stage3 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 44
  %3 = load i32, ptr %stage3, align 4
  %cmp4.not = icmp eq i32 %3, %stage
  br i1 %cmp4.not, label %if.end6, label %for.inc

if.end6:                                          ; preds = %for.body
  %cmp7 = icmp slt i32 %index.038, %2
  br i1 %cmp7, label %cond.true, label %lor.rhs

lor.rhs:                                          ; preds = %if.end6
  %4 = load ptr, ptr %allocate, align 4
  %cmp8 = icmp eq ptr %4, null
  br i1 %cmp8, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.end6, %lor.rhs
  %5 = load ptr, ptr %call, align 4
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_value, ptr %5, i32 %index.038
  %6 = load ptr, ptr %slots.i, align 4
  %arrayidx1.i = getelementptr inbounds nuw %union.tw_slot, ptr %6, i32 %index.038
  %7 = load i32, ptr %arrayidx.i, align 8
  switch i32 %7, label %check_type.exit.i.i [
    i32 7, label %tensor_of.exit.i.i.i
    i32 70, label %land.lhs.true.i.i.i.i
  ]

land.lhs.true.i.i.i.i:                            ; preds = %cond.true
  %payload3.i.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i32 8
  %8 = load ptr, ptr %payload3.i.i.i.i, align 8
  %cmp4.not.i.i.i.i = icmp eq ptr %8, null
  %tensor.i.i.i.i = getelementptr inbounds nuw i8, ptr %8, i32 24
  br i1 %cmp4.not.i.i.i.i, label %check_type.exit.i.i, label %land.lhs.true.i.i.i

tensor_of.exit.i.i.i:                             ; preds = %cond.true
  %payload.i.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i32 8
  %9 = load ptr, ptr %payload.i.i.i.i, align 8
  %cmp.not.i.i.i = icmp eq ptr %9, null
  br i1 %cmp.not.i.i.i, label %check_type.exit.i.i, label %land.lhs.true.i.i.i

land.lhs.true.i.i.i:                              ; preds = %tensor_of.exit.i.i.i, %land.lhs.true.i.i.i.i
  %retval.0.i.i51.i.i = phi ptr [ %9, %tensor_of.exit.i.i.i ], [ %tensor.i.i.i.i, %land.lhs.true.i.i.i.i ]
  %device_type.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i51.i.i, i32 4
  %10 = load i32, ptr %device_type.i.i.i, align 4
  %cmp1.i.i.i = icmp eq i32 %10, 1
  br i1 %cmp1.i.i.i, label %land.lhs.true2.i.i.i, label %check_type.exit.i.i

land.lhs.true2.i.i.i:                             ; preds = %land.lhs.true.i.i.i
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i51.i.i, i32 16
  %11 = load i32, ptr %dtype.i.i.i, align 8
  %dtype3.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 36
  %12 = load i32, ptr %dtype3.i.i.i, align 4
  %cmp4.i.i.i = icmp eq i32 %11, %12
  br i1 %cmp4.i.i.i, label %land.lhs.true5.i.i.i, label %check_type.exit.i.i

land.lhs.true5.i.i.i:                             ; preds = %land.lhs.true2.i.i.i
  %rank.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i51.i.i, i32 12
  %13 = load i32, ptr %rank.i.i.i, align 4
  %rank6.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %14 = load i32, ptr %rank6.i.i.i, align 8
  %cmp7.i.i.i = icmp eq i32 %13, %14
  br i1 %cmp7.i.i.i, label %lor.lhs.false.i.i, label %check_type.exit.i.i

check_type.exit.i.i:                              ; preds = %land.lhs.true5.i.i.i, %land.lhs.true2.i.i.i, %land.lhs.true.i.i.i, %tensor_of.exit.i.i.i, %land.lhs.true.i.i.i.i, %cond.true
  %retval.0.i.i46.i.i = phi ptr [ null, %tensor_of.exit.i.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true5.i.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true2.i.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true.i.i.i ], [ null, %cond.true ], [ null, %land.lhs.true.i.i.i.i ]
  %call8.i.i.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx, ptr noundef nonnull readonly %arrayidx.i, ptr noundef %retval.0.i.i46.i.i, ptr noundef nonnull %finding.i) #15
  br i1 %call8.i.i.i, label %check_type.exit.lor.lhs.false_crit_edge.i.i, label %if.end.i

check_type.exit.lor.lhs.false_crit_edge.i.i:      ; preds = %check_type.exit.i.i
  %rank.i15.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %.pre.i.i = load i32, ptr %rank.i15.phi.trans.insert.i.i, align 8
  br label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %check_type.exit.lor.lhs.false_crit_edge.i.i, %land.lhs.true5.i.i.i
  %15 = phi i32 [ %.pre.i.i, %check_type.exit.lor.lhs.false_crit_edge.i.i ], [ %13, %land.lhs.true5.i.i.i ]
  %retval.0.i.i4754.i.i = phi ptr [ %retval.0.i.i46.i.i, %check_type.exit.lor.lhs.false_crit_edge.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true5.i.i.i ]
  %16 = load ptr, ptr %sizes, align 4
  %cmp.i73.i.i = icmp sgt i32 %15, 0
  br i1 %cmp.i73.i.i, label %for.body.i.lr.ph.i.i, label %if.end.thread.i.i

if.end.thread.i.i:                                ; preds = %lor.lhs.false.i.i
  %17 = load ptr, ptr %retval.0.i.i4754.i.i, align 8
  %byte_offset97.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i32 32
  %18 = load i64, ptr %byte_offset97.i.i, align 8
  %idx.ext98.i.i = trunc i64 %18 to i32
  %add.ptr99.i.i = getelementptr inbounds nuw i8, ptr %17, i32 %idx.ext98.i.i
  store ptr %add.ptr99.i.i, ptr %arrayidx1.i, align 4
  %bytes1.i100.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 16
  %19 = load i64, ptr %bytes1.i100.i.i, align 8
  br label %bytes_of.exit.i.i

for.body.i.lr.ph.i.i:                             ; preds = %lor.lhs.false.i.i
  %shape.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i32 20
  %20 = load ptr, ptr %shape.i.i.i, align 4
  %shape1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %21 = load ptr, ptr %shape1.i.i.i, align 8
  br label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.inc.i.i.i, %for.body.i.lr.ph.i.i
  %axis.0.i74.i.i = phi i32 [ 0, %for.body.i.lr.ph.i.i ], [ %inc.i.i.i, %for.inc.i.i.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %20, i32 %axis.0.i74.i.i
  %22 = load i64, ptr %arrayidx.i.i.i, align 8
  %arrayidx2.i.i.i = getelementptr inbounds nuw i64, ptr %21, i32 %axis.0.i74.i.i
  %23 = load i64, ptr %arrayidx2.i.i.i, align 8
  %cmp3.i.i.i = icmp slt i64 %23, 0
  br i1 %cmp3.i.i.i, label %land.end.i.i.i, label %if.end25.i.i.i

land.end.i.i.i:                                   ; preds = %for.body.i.i.i
  %24 = trunc i64 %23 to i32
  %idxprom.i.i.i = xor i32 %24, -1
  %arrayidx4.i.i.i = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %idxprom.i.i.i
  %stage.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx4.i.i.i, i32 40
  %25 = load i32, ptr %stage.i.i.i, align 8
  %cmp5.i.i.i = icmp sgt i32 %25, 0
  %sub6.i.i.i = xor i64 %23, -1
  %idxprom7.i.i.i = trunc i64 %sub6.i.i.i to i32
  %arrayidx8.i.i.i = getelementptr inbounds i64, ptr %16, i32 %idxprom7.i.i.i
  %26 = load i64, ptr %arrayidx8.i.i.i, align 8
  br i1 %cmp5.i.i.i, label %land.lhs.true.i17.i.i, label %land.lhs.true15.i.i.i

land.lhs.true.i17.i.i:                            ; preds = %land.end.i.i.i
  %cmp9.i.i.i = icmp slt i64 %22, %26
  br i1 %cmp9.i.i.i, label %if.then.i.i.i, label %for.inc.i.i.i

if.then.i.i.i:                                    ; preds = %land.lhs.true.i17.i.i
  %conv.i.i.i = zext nneg i32 %axis.0.i74.i.i to i64
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @HAS_ROOM, i64 noundef %22, i64 noundef %conv.i.i.i, i64 noundef %sub6.i.i.i) #15
  br label %if.end.i

land.lhs.true15.i.i.i:                            ; preds = %land.end.i.i.i
  %cmp19.not.i.i.i = icmp eq i64 %22, %26
  br i1 %cmp19.not.i.i.i, label %for.inc.i.i.i, label %if.then21.i.i.i

if.then21.i.i.i:                                  ; preds = %land.lhs.true15.i.i.i
  %conv22.i.i.i = zext nneg i32 %axis.0.i74.i.i to i64
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @HAS_SIZE, i64 noundef %22, i64 noundef %conv22.i.i.i, i64 noundef %sub6.i.i.i) #15
  br label %if.end.i

if.end25.i.i.i:                                   ; preds = %for.body.i.i.i
  %cmp29.not.i.i.i = icmp eq i64 %22, %23
  br i1 %cmp29.not.i.i.i, label %for.inc.i.i.i, label %if.then31.i.i.i

if.then31.i.i.i:                                  ; preds = %if.end25.i.i.i
  %conv32.i.i.i = zext nneg i32 %axis.0.i74.i.i to i64
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @HAS_SHAPE, i64 noundef %22, i64 noundef %conv32.i.i.i, i64 noundef 0) #15
  br label %if.end.i

for.inc.i.i.i:                                    ; preds = %if.end25.i.i.i, %land.lhs.true15.i.i.i, %land.lhs.true.i17.i.i
  %inc.i.i.i = add nuw nsw i32 %axis.0.i74.i.i, 1
  %exitcond.not.i.i = icmp eq i32 %inc.i.i.i, %15
  br i1 %exitcond.not.i.i, label %if.end.i.i, label %for.body.i.i.i

if.end.i.i:                                       ; preds = %for.inc.i.i.i
  %27 = load ptr, ptr %retval.0.i.i4754.i.i, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i32 32
  %28 = load i64, ptr %byte_offset.i.i, align 8
  %idx.ext.i.i = trunc i64 %28 to i32
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %27, i32 %idx.ext.i.i
  store ptr %add.ptr.i.i, ptr %arrayidx1.i, align 4
  %bytes1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 16
  %29 = load i64, ptr %bytes1.i.i.i, align 8
  br label %for.body.i21.i.i

for.body.i21.i.i:                                 ; preds = %for.inc.i23.i.i, %if.end.i.i
  %axis.09.i.i.i = phi i32 [ 0, %if.end.i.i ], [ %inc.i24.i.i, %for.inc.i23.i.i ]
  %bytes.08.i.i.i = phi i64 [ %29, %if.end.i.i ], [ %bytes.1.i.i.i, %for.inc.i23.i.i ]
  %arrayidx.i22.i.i = getelementptr inbounds nuw i64, ptr %21, i32 %axis.09.i.i.i
  %30 = load i64, ptr %arrayidx.i22.i.i, align 8
  %cmp2.i.i.i = icmp slt i64 %30, 0
  br i1 %cmp2.i.i.i, label %if.then.i25.i.i, label %for.inc.i23.i.i

if.then.i25.i.i:                                  ; preds = %for.body.i21.i.i
  %31 = load ptr, ptr %shape.i.i.i, align 4
  %arrayidx4.i26.i.i = getelementptr inbounds nuw i64, ptr %31, i32 %axis.09.i.i.i
  %32 = load i64, ptr %arrayidx4.i26.i.i, align 8
  %mul.i.i.i = mul i64 %32, %bytes.08.i.i.i
  br label %for.inc.i23.i.i

for.inc.i23.i.i:                                  ; preds = %if.then.i25.i.i, %for.body.i21.i.i
  %bytes.1.i.i.i = phi i64 [ %mul.i.i.i, %if.then.i25.i.i ], [ %bytes.08.i.i.i, %for.body.i21.i.i ]
  %inc.i24.i.i = add nuw nsw i32 %axis.09.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i32 %inc.i24.i.i, %15
  br i1 %exitcond.not.i.i.i, label %bytes_of.exit.i.i, label %for.body.i21.i.i

bytes_of.exit.i.i:                                ; preds = %for.inc.i23.i.i, %if.end.thread.i.i
  %bytes.0.lcssa.i.i.i = phi i64 [ %19, %if.end.thread.i.i ], [ %bytes.1.i.i.i, %for.inc.i23.i.i ]
  %33 = load ptr, ptr %bytes.i.i, align 4
  %arrayidx4.i.i = getelementptr inbounds nuw i64, ptr %33, i32 %index.038
  store i64 %bytes.0.lcssa.i.i.i, ptr %arrayidx4.i.i, align 8
  %34 = load ptr, ptr %bytes.i.i, align 4
  %arrayidx6.i.i = getelementptr inbounds nuw i64, ptr %34, i32 %index.038
  %35 = load i64, ptr %arrayidx6.i.i, align 8
  %cmp.i.i = icmp eq i64 %35, 0
  br i1 %cmp.i.i, label %check_one.exit, label %if.end8.i.i

if.end8.i.i:                                      ; preds = %bytes_of.exit.i.i
  %strides.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i32 24
  %36 = load ptr, ptr %strides.i.i.i, align 8
  %cmp.i27.i.i = icmp eq ptr %36, null
  %cmp117.i.i.i = icmp slt i32 %15, 1
  %or.cond.i.i = or i1 %cmp117.i.i.i, %cmp.i27.i.i
  br i1 %or.cond.i.i, label %if.end11.i.i, label %for.body.lr.ph.i30.i.i

for.body.lr.ph.i30.i.i:                           ; preds = %if.end8.i.i
  %shape.i31.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i32 20
  %37 = load ptr, ptr %shape.i31.i.i, align 4
  br label %for.body.i32.i.i

for.body.i32.i.i:                                 ; preds = %if.end7.i.i.i, %for.body.lr.ph.i30.i.i
  %axis.019.in.i.i.i = phi i32 [ %15, %for.body.lr.ph.i30.i.i ], [ %axis.019.i.i.i, %if.end7.i.i.i ]
  %expected.018.i.i.i = phi i64 [ 1, %for.body.lr.ph.i30.i.i ], [ %mul.i38.i.i, %if.end7.i.i.i ]
  %axis.019.i.i.i = add nsw i32 %axis.019.in.i.i.i, -1
  %arrayidx.i33.i.i = getelementptr inbounds nuw i64, ptr %36, i32 %axis.019.i.i.i
  %38 = load i64, ptr %arrayidx.i33.i.i, align 8
  %arrayidx3.i.i.i = getelementptr inbounds nuw i64, ptr %37, i32 %axis.019.i.i.i
  %39 = load i64, ptr %arrayidx3.i.i.i, align 8
  %cmp4.not.i.i.i = icmp eq i64 %39, 1
  %cmp5.not.i.i.i = icmp eq i64 %38, %expected.018.i.i.i
  %or.cond.i34.i.i = select i1 %cmp4.not.i.i.i, i1 true, i1 %cmp5.not.i.i.i
  br i1 %or.cond.i34.i.i, label %if.end7.i.i.i, label %check_strides.exit.i.i

if.end7.i.i.i:                                    ; preds = %for.body.i32.i.i
  %mul.i38.i.i = mul nsw i64 %39, %expected.018.i.i.i
  %cmp1.i39.i.i = icmp samesign ult i32 %axis.019.in.i.i.i, 2
  br i1 %cmp1.i39.i.i, label %if.end11.i.i, label %for.body.i32.i.i

check_strides.exit.i.i:                           ; preds = %for.body.i32.i.i
  %conv.i35.i.i = zext nneg i32 %axis.019.i.i.i to i64
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @IS_ROW_MAJOR, i64 noundef %38, i64 noundef %conv.i35.i.i, i64 noundef %expected.018.i.i.i) #15
  br label %if.end.i

if.end11.i.i:                                     ; preds = %if.end7.i.i.i, %if.end8.i.i
  %40 = load ptr, ptr %arrayidx1.i, align 4
  %41 = ptrtoint ptr %40 to i32
  %42 = load ptr, ptr %retval.0.i.i4754.i.i, align 8
  %cmp13.i.i = icmp eq ptr %42, null
  %alignment19.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 24
  %.pre85.i.i = load i64, ptr %alignment19.phi.trans.insert.i.i, align 8
  br i1 %cmp13.i.i, label %if.then17.i.i, label %lor.lhs.false14.i.i

lor.lhs.false14.i.i:                              ; preds = %if.end11.i.i
  %43 = trunc i64 %.pre85.i.i to i32
  %conv.i.i = add i32 %43, -1
  %and.i.i = and i32 %conv.i.i, %41
  %cmp15.not.i.i = icmp eq i32 %and.i.i, 0
  br i1 %cmp15.not.i.i, label %check_one.exit, label %if.then17.i.i

if.then17.i.i:                                    ; preds = %lor.lhs.false14.i.i, %if.end11.i.i
  %conv18.i.i = zext i32 %41 to i64
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @IS_ALIGNED, i64 noundef %conv18.i.i, i64 noundef %.pre85.i.i, i64 noundef 0) #15
  br label %if.end.i

if.end.i:                                         ; preds = %if.then17.i.i, %check_strides.exit.i.i, %if.then31.i.i.i, %if.then21.i.i.i, %if.then.i.i.i, %check_type.exit.i.i
  %44 = load ptr, ptr %sizes, align 4
  call fastcc void @fail_argument(i32 noundef %index.038, ptr noundef %finding.i, ptr noundef %44) #15
  br label %check_one.exit

check_one.exit:                                   ; preds = %bytes_of.exit.i.i, %lor.lhs.false14.i.i, %if.end.i
  %retval.0.i = phi i32 [ -1, %if.end.i ], [ 0, %bytes_of.exit.i.i ], [ 0, %lor.lhs.false14.i.i ]
  br label %cond.end

cond.false:                                       ; preds = %lor.rhs
  %call10 = tail call fastcc i32 @allocate_one(i32 noundef %index.038, ptr noundef nonnull %call) #16
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %check_one.exit
  %cond = phi i32 [ %retval.0.i, %check_one.exit ], [ %call10, %cond.false ]
  %cmp11.not = icmp eq i32 %cond, 0
  br i1 %cmp11.not, label %for.inc, label %return

for.inc:                                          ; preds = %cond.end, %for.body
  %inc = add nuw nsw i32 %index.038, 1
  %exitcond.not = icmp eq i32 %inc, %1
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %for.cond.preheader
  %allocate16 = getelementptr inbounds nuw i8, ptr %call, i32 20
  %45 = load ptr, ptr %allocate16, align 4
  %cmp17 = icmp eq ptr %45, null
  br i1 %cmp17, label %cond.true18, label %return

cond.true18:                                      ; preds = %for.end
  %slots1.i = getelementptr inbounds nuw i8, ptr %call, i32 4
  %46 = load ptr, ptr %slots1.i, align 4
  %47 = load i32, ptr @tw_inputs, align 4
  %cmp.not38.i = icmp slt i32 %47, %1
  br i1 %cmp.not38.i, label %for.body.lr.ph.i, label %check_overlap.exit

for.body.lr.ph.i:                                 ; preds = %cond.true18
  %bytes.i = getelementptr inbounds nuw i8, ptr %call, i32 12
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc36.i, %for.body.lr.ph.i
  %output.039.i = phi i32 [ %47, %for.body.lr.ph.i ], [ %inc37.i, %for.inc36.i ]
  %arrayidx.i16 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %output.039.i
  %stage2.i = getelementptr inbounds nuw i8, ptr %arrayidx.i16, i32 44
  %48 = load i32, ptr %stage2.i, align 4
  %cmp3.not.i = icmp eq i32 %48, %stage
  br i1 %cmp3.not.i, label %if.end.i17, label %for.inc36.i

if.end.i17:                                       ; preds = %for.body.i
  %arrayidx4.i = getelementptr inbounds %union.tw_slot, ptr %46, i32 %output.039.i
  %49 = load ptr, ptr %arrayidx4.i, align 4
  br i1 %cmp237, label %for.body8.lr.ph.i, label %for.inc36.i

for.body8.lr.ph.i:                                ; preds = %if.end.i17
  %50 = ptrtoint ptr %49 to i32
  %past.i = getelementptr inbounds nuw i8, ptr %arrayidx.i16, i32 40
  %conv.i.i18 = zext i32 %50 to i64
  br label %for.body8.i

for.body8.i:                                      ; preds = %for.inc.i, %for.body8.lr.ph.i
  %other.037.i = phi i32 [ 0, %for.body8.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %arrayidx9.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i32 %other.037.i
  %stage10.i = getelementptr inbounds nuw i8, ptr %arrayidx9.i, i32 44
  %51 = load i32, ptr %stage10.i, align 4
  %cmp11.i = icmp sgt i32 %51, %stage
  br i1 %cmp11.i, label %for.inc.i, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %for.body8.i
  %cmp12.i = icmp ne i32 %51, %stage
  %cmp13.not.i = icmp slt i32 %other.037.i, %output.039.i
  %or.cond.i = or i1 %cmp13.not.i, %cmp12.i
  br i1 %or.cond.i, label %if.end15.i, label %for.inc.i

if.end15.i:                                       ; preds = %lor.lhs.false.i
  %arrayidx16.i = getelementptr inbounds nuw %union.tw_slot, ptr %46, i32 %other.037.i
  %52 = load ptr, ptr %arrayidx16.i, align 4
  %53 = load i32, ptr %past.i, align 8
  %cmp18.i = icmp eq i32 %53, %other.037.i
  %cmp19.i = icmp eq ptr %49, %52
  %54 = select i1 %cmp18.i, i1 %cmp19.i, i1 false
  br i1 %54, label %for.inc.i, label %land.lhs.true20.i

land.lhs.true20.i:                                ; preds = %if.end15.i
  %55 = load ptr, ptr %bytes.i, align 4
  %arrayidx21.i = getelementptr inbounds i64, ptr %55, i32 %output.039.i
  %56 = load i64, ptr %arrayidx21.i, align 8
  %arrayidx23.i = getelementptr inbounds nuw i64, ptr %55, i32 %other.037.i
  %57 = load i64, ptr %arrayidx23.i, align 8
  %cmp.i.i19 = icmp ne i64 %56, 0
  %cmp1.i.i = icmp ne i64 %57, 0
  %or.cond.i.i20 = and i1 %cmp.i.i19, %cmp1.i.i
  br i1 %or.cond.i.i20, label %land.lhs.true2.i.i, label %for.inc.i

land.lhs.true2.i.i:                               ; preds = %land.lhs.true20.i
  %58 = ptrtoint ptr %52 to i32
  %conv3.i.i = zext i32 %58 to i64
  %add.i.i = add i64 %57, %conv3.i.i
  %cmp4.i.i = icmp ugt i64 %add.i.i, %conv.i.i18
  %add8.i.i = add i64 %56, %conv.i.i18
  %cmp9.i.i = icmp ugt i64 %add8.i.i, %conv3.i.i
  %or.cond31.i = and i1 %cmp9.i.i, %cmp4.i.i
  br i1 %or.cond31.i, label %cleanup31.thread.i, label %for.inc.i

cleanup31.thread.i:                               ; preds = %land.lhs.true2.i.i
  store ptr @IS_APART, ptr %finding.i15, align 8
  %59 = getelementptr inbounds nuw i8, ptr %finding.i15, i32 4
  store i32 0, ptr %59, align 4
  %numbers.i = getelementptr inbounds nuw i8, ptr %finding.i15, i32 8
  %conv.i = zext nneg i32 %other.037.i to i64
  store i64 %conv.i, ptr %numbers.i, align 8
  %arrayinit.element.i = getelementptr inbounds nuw i8, ptr %finding.i15, i32 16
  store i64 0, ptr %arrayinit.element.i, align 8
  %arrayinit.element26.i = getelementptr inbounds nuw i8, ptr %finding.i15, i32 24
  store i64 0, ptr %arrayinit.element26.i, align 8
  call fastcc void @fail_argument(i32 noundef %output.039.i, ptr noundef %finding.i15, ptr noundef null) #15
  br label %check_overlap.exit

for.inc.i:                                        ; preds = %land.lhs.true2.i.i, %land.lhs.true20.i, %if.end15.i, %lor.lhs.false.i, %for.body8.i
  %inc.i = add nuw nsw i32 %other.037.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, %1
  br i1 %exitcond.not.i, label %for.inc36.i, label %for.body8.i

for.inc36.i:                                      ; preds = %for.inc.i, %if.end.i17, %for.body.i
  %inc37.i = add i32 %output.039.i, 1
  %exitcond44.not.i = icmp eq i32 %inc37.i, %1
  br i1 %exitcond44.not.i, label %check_overlap.exit, label %for.body.i

check_overlap.exit:                               ; preds = %for.inc36.i, %cond.true18, %cleanup31.thread.i
  %cmp.not34.i = phi i32 [ -1, %cleanup31.thread.i ], [ 0, %cond.true18 ], [ 0, %for.inc36.i ]
  br label %return

return:                                           ; preds = %cond.end, %check_overlap.exit, %for.end, %entry
  %retval.0 = phi i32 [ 0, %for.end ], [ -1, %entry ], [ %cmp.not34.i, %check_overlap.exit ], [ -1, %cond.end ]
  ret i32 %retval.0
}

define internal fastcc ptr @sized(ptr noundef %block, i64 noundef %bytes) unnamed_addr #1 {
entry:
  %cond14 = icmp eq ptr %block, null
  br i1 %cond14, label %cond.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %0 = load i64, ptr %block, align 8
  %cmp2.not = icmp slt i64 %0, %bytes
  br i1 %cmp2.not, label %cond.false, label %return

cond.false:                                       ; preds = %land.lhs.true
  %next4 = getelementptr inbounds nuw i8, ptr %block, i32 8
  %1 = load ptr, ptr %next4, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi ptr [ %1, %cond.false ], [ null, %entry ]
  tail call void @free(ptr noundef %block) #14
  %cmp5 = icmp slt i64 %bytes, 4294967232
  br i1 %cmp5, label %if.end7, label %if.then10

if.end7:                                          ; preds = %cond.end
  %2 = trunc i64 %bytes to i32
  %conv = add i32 %2, 64
  %call = tail call ptr @aligned_alloc(i32 noundef 64, i32 noundef %conv) #14
  %cmp8 = icmp eq ptr %call, null
  br i1 %cmp8, label %if.then10, label %if.end11

if.then10:                                        ; preds = %cond.end, %if.end7
  %cmp.not3.i = icmp eq ptr %cond, null
  br i1 %cmp.not3.i, label %return, label %while.body.i

while.body.i:                                     ; preds = %if.then10, %while.body.i
  %block.addr.04.i = phi ptr [ %3, %while.body.i ], [ %cond, %if.then10 ]
  %next1.i = getelementptr inbounds nuw i8, ptr %block.addr.04.i, i32 8
  %3 = load ptr, ptr %next1.i, align 8
  tail call void @free(ptr noundef nonnull %block.addr.04.i) #14
  %cmp.not.i = icmp eq ptr %3, null
  br i1 %cmp.not.i, label %return, label %while.body.i

if.end11:                                         ; preds = %if.end7
  store i64 %bytes, ptr %call, align 8
  %next13 = getelementptr inbounds nuw i8, ptr %call, i32 8
  store ptr %cond, ptr %next13, align 8
  br label %return

return:                                           ; preds = %while.body.i, %if.then10, %land.lhs.true, %if.end11
  %retval.0 = phi ptr [ %call, %if.end11 ], [ %block, %land.lhs.true ], [ null, %if.then10 ], [ null, %while.body.i ]
  ret ptr %retval.0
}

define internal fastcc void @fail_arena(i64 noundef %bytes) unnamed_addr #0 {
entry:
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.53, i64 noundef %bytes) #15
  ret void
}

define weak i32 @__tw_load_weights() local_unnamed_addr #0 {
entry:
  %0 = load i64, ptr @tw_weights_bytes, align 8
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.4, i64 noundef %0) #15
  ret i32 -1
}

define internal fastcc void @fail_number(ptr noundef %kind, ptr noundef %format, i64 noundef %number) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef %format, ptr noundef nonnull @tw_name, i64 noundef %number) #14
  %call2 = call i32 @tw_fail(ptr noundef %kind, ptr noundef nonnull %message) #15
  ret void
}

define range(i32 -1, 1) i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call = tail call fastcc i32 @enter(ptr noundef %args, i32 noundef %count, i32 noundef %0, ptr noundef null, ptr noundef null) #16
  ret i32 %call
}

define internal fastcc range(i32 -1, 1) i32 @enter(ptr noundef %args, i32 noundef %count, i32 noundef %threads, ptr noundef %allocate, ptr noundef %context) unnamed_addr #1 {
entry:
  %call = alloca %struct.tw_call, align 4
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %vla = alloca %union.tw_slot, i32 %add, align 4
  %add1 = add nsw i32 %0, 1
  %vla2 = alloca i64, i32 %add1, align 8
  %1 = load i32, ptr @tw_size_count, align 4
  %add3 = add nsw i32 %1, 1
  %vla4 = alloca i64, i32 %add3, align 8
  store ptr %args, ptr %call, align 4
  %slots = getelementptr inbounds nuw i8, ptr %call, i32 4
  store ptr %vla, ptr %slots, align 4
  %sizes = getelementptr inbounds nuw i8, ptr %call, i32 8
  store ptr %vla4, ptr %sizes, align 4
  %bytes = getelementptr inbounds nuw i8, ptr %call, i32 12
  store ptr %vla2, ptr %bytes, align 4
  %block = getelementptr inbounds nuw i8, ptr %call, i32 16
  store ptr null, ptr %block, align 4
  %allocate6 = getelementptr inbounds nuw i8, ptr %call, i32 20
  store ptr %allocate, ptr %allocate6, align 4
  %context7 = getelementptr inbounds nuw i8, ptr %call, i32 24
  store ptr %context, ptr %context7, align 4
  %end = getelementptr inbounds nuw i8, ptr %call, i32 28
  store i32 2147483647, ptr %end, align 4
  %has_ended = getelementptr inbounds nuw i8, ptr %call, i32 32
  store i32 0, ptr %has_ended, align 4
  %cmp = icmp eq ptr %allocate, null
  %2 = load i32, ptr @tw_inputs, align 4
  %cond = select i1 %cmp, i32 %0, i32 %2
  %cmp8.not = icmp eq i32 %count, %cond
  br i1 %cmp8.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call fastcc void @fail_count(i32 noundef %count) #15
  br label %cleanup

if.end:                                           ; preds = %entry
  %call10 = call fastcc i32 @enter_call(ptr noundef %call, i32 noundef %count, i32 noundef %threads) #16
  %3 = add i32 %call10, 1
  %or.cond.i = icmp ult i32 %3, 2
  br i1 %or.cond.i, label %cleanup, label %if.end.i

if.end.i:                                         ; preds = %if.end
  %conv.i = sext i32 %call10 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.54, i64 noundef %conv.i) #15
  br label %cleanup

cleanup:                                          ; preds = %if.end.i, %if.end, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.end.i ], [ %call10, %if.end ]
  ret i32 %retval.0
}

define range(i32 -1, 1) i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call.i = tail call fastcc range(i32 -1, 1) i32 @enter(ptr noundef %args, i32 noundef %count, i32 noundef %0, ptr noundef null, ptr noundef null) #16
  ret i32 %call.i
}

define range(i32 -1, 1) i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %cmp.i = icmp sgt i32 %count, 0
  br i1 %cmp.i, label %land.lhs.true.i, label %has_threads.exit

land.lhs.true.i:                                  ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1.i = icmp eq i32 %0, 1
  br i1 %cmp1.i, label %if.end, label %has_threads.exit

has_threads.exit:                                 ; preds = %entry, %land.lhs.true.i
  %cond.i = phi i32 [ 0, %entry ], [ %0, %land.lhs.true.i ]
  %conv.i = sext i32 %cond.i to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.56, i64 noundef %conv.i) #15
  br label %return

if.end:                                           ; preds = %land.lhs.true.i
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i32 16
  %sub = add nsw i32 %count, -1
  %payload = getelementptr inbounds nuw i8, ptr %args, i32 8
  %1 = load i64, ptr %payload, align 8
  %conv = trunc i64 %1 to i32
  %call1 = tail call fastcc i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef %sub, i32 noundef %conv, ptr noundef null, ptr noundef null) #16
  br label %return

return:                                           ; preds = %has_threads.exit, %if.end
  %retval.0 = phi i32 [ %call1, %if.end ], [ -1, %has_threads.exit ]
  ret i32 %retval.0
}

define range(i32 -1, 1) i32 @__tw_main_allocating(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %cmp.i = icmp sgt i32 %count, 0
  br i1 %cmp.i, label %land.lhs.true.i, label %has_threads.exit

land.lhs.true.i:                                  ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1.i = icmp eq i32 %0, 1
  br i1 %cmp1.i, label %if.end, label %has_threads.exit

has_threads.exit:                                 ; preds = %entry, %land.lhs.true.i
  %cond.i = phi i32 [ 0, %entry ], [ %0, %land.lhs.true.i ]
  %conv.i = sext i32 %cond.i to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.56, i64 noundef %conv.i) #15
  br label %return

if.end:                                           ; preds = %land.lhs.true.i
  %cmp = icmp samesign ult i32 %count, 3
  br i1 %cmp, label %if.then9, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.end
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i32 16
  %1 = load i32, ptr %arrayidx, align 8
  %cmp1.not = icmp eq i32 %1, 4
  br i1 %cmp1.not, label %lor.lhs.false2, label %if.then9

lor.lhs.false2:                                   ; preds = %lor.lhs.false
  %payload = getelementptr inbounds nuw i8, ptr %args, i32 24
  %2 = load ptr, ptr %payload, align 8
  %cmp4 = icmp eq ptr %2, null
  br i1 %cmp4, label %if.then9, label %lor.lhs.false5

lor.lhs.false5:                                   ; preds = %lor.lhs.false2
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %args, i32 32
  %3 = load i32, ptr %arrayidx6, align 8
  %cmp8.not = icmp eq i32 %3, 4
  br i1 %cmp8.not, label %if.end11, label %if.then9

if.then9:                                         ; preds = %lor.lhs.false5, %lor.lhs.false2, %lor.lhs.false, %if.end
  %conv = zext nneg i32 %count to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.6, i64 noundef %conv) #15
  br label %return

if.end11:                                         ; preds = %lor.lhs.false5
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i32 48
  %sub = add nsw i32 %count, -3
  %payload14 = getelementptr inbounds nuw i8, ptr %args, i32 8
  %4 = load i64, ptr %payload14, align 8
  %conv15 = trunc i64 %4 to i32
  %payload17 = getelementptr inbounds nuw i8, ptr %args, i32 40
  %5 = load ptr, ptr %payload17, align 8
  %call18 = tail call fastcc i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef %sub, i32 noundef %conv15, ptr noundef nonnull %2, ptr noundef %5) #16
  br label %return

return:                                           ; preds = %has_threads.exit, %if.end11, %if.then9
  %retval.0 = phi i32 [ -1, %if.then9 ], [ %call18, %if.end11 ], [ -1, %has_threads.exit ]
  ret i32 %retval.0
}

define range(i32 -1, 1) i32 @__tw_output_shapes(ptr readnone captures(none) %self, ptr noundef %args, i32 noundef %count, ptr readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 1
  %cmp.not = icmp eq i32 %count, %add
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef %count) #15
  br label %return

if.end:                                           ; preds = %entry
  %1 = load i32, ptr @tw_size_count, align 4
  %add1 = add nsw i32 %1, 1
  %2 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i32 %add1, align 8
  %3 = load i32, ptr @tw_arguments, align 4
  %cmp5.i = icmp slt i32 %0, %3
  br i1 %cmp5.i, label %for.body.i, label %output_stage.exit

for.body.i:                                       ; preds = %if.end, %for.body.i
  %output.07.i = phi i32 [ %inc.i, %for.body.i ], [ %0, %if.end ]
  %stage.06.i = phi i32 [ %spec.select.i, %for.body.i ], [ 0, %if.end ]
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %output.07.i
  %stage1.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i32 44
  %4 = load i32, ptr %stage1.i, align 4
  %spec.select.i = tail call i32 @llvm.smax.i32(i32 %4, i32 %stage.06.i)
  %inc.i = add nsw i32 %output.07.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, %3
  br i1 %exitcond.not.i, label %output_stage.exit, label %for.body.i

output_stage.exit:                                ; preds = %for.body.i, %if.end
  %stage.0.lcssa.i = phi i32 [ 0, %if.end ], [ %spec.select.i, %for.body.i ]
  %call3 = tail call fastcc i32 @bounded_stages() #15
  %cmp4 = icmp sgt i32 %call3, %stage.0.lcssa.i
  br i1 %cmp4, label %cond.true, label %cond.false

cond.true:                                        ; preds = %output_stage.exit
  %call5 = call fastcc i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #15
  %cmp6.not = icmp eq i32 %call5, 0
  br i1 %cmp6.not, label %lor.lhs.false, label %cleanup21

lor.lhs.false:                                    ; preds = %cond.true
  %call7 = call fastcc i32 @bind_largest(ptr noundef %vla, i32 noundef %stage.0.lcssa.i) #15
  %cmp8.not = icmp eq i32 %call7, 0
  br i1 %cmp8.not, label %if.end12, label %cleanup21

cond.false:                                       ; preds = %output_stage.exit
  %call9 = call fastcc i32 @compute_sizes(ptr noundef %args, ptr noundef %vla, i32 noundef %stage.0.lcssa.i) #15
  %cmp10.not = icmp eq i32 %call9, 0
  br i1 %cmp10.not, label %if.end12, label %cleanup21

if.end12:                                         ; preds = %cond.false, %lor.lhs.false
  %call13 = call fastcc i64 @write_shapes(ptr noundef %vla, ptr noundef null) #15
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %args, i32 %0
  %call14 = call fastcc ptr @numbers_of(ptr noundef %arrayidx, i64 noundef %call13) #15
  %cmp15 = icmp eq ptr %call14, null
  br i1 %cmp15, label %if.then16, label %if.end18

if.then16:                                        ; preds = %if.end12
  call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.7, i64 noundef %call13) #15
  br label %cleanup21

if.end18:                                         ; preds = %if.end12
  %call19 = call fastcc i64 @write_shapes(ptr noundef %vla, ptr noundef nonnull %call14) #15
  br label %cleanup21

cleanup21:                                        ; preds = %cond.true, %lor.lhs.false, %cond.false, %if.then16, %if.end18
  %retval.1 = phi i32 [ 0, %if.end18 ], [ -1, %if.then16 ], [ -1, %cond.false ], [ -1, %lor.lhs.false ], [ -1, %cond.true ]
  call void @llvm.stackrestore.p0(ptr %2)
  br label %return

return:                                           ; preds = %cleanup21, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ %retval.1, %cleanup21 ]
  ret i32 %retval.0
}

define internal fastcc void @fail_count(i32 noundef %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = load i32, ptr @tw_inputs, align 4
  %sub = sub nsw i32 %0, %1
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.57, ptr noundef nonnull @tw_name, i32 noundef %0, i32 noundef %1, i32 noundef %sub, i32 noundef %got, ptr noundef nonnull @tw_signature) #14
  %call2 = call i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #15
  ret void
}

declare ptr @llvm.stacksave.p0() #3

define internal fastcc i32 @bounded_stages() unnamed_addr #4 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %1 = load i32, ptr @tw_given_count, align 4
  %cmp.not4.not = icmp sgt i32 %0, %1
  br i1 %cmp.not4.not, label %land.rhs.lr.ph, label %while.end

land.rhs.lr.ph:                                   ; preds = %entry
  %2 = getelementptr %struct.tw_symbol, ptr @tw_symbols, i32 %1
  %3 = add i32 %0, 1
  %4 = sub i32 %3, %1
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.lr.ph, %while.body
  %stage.05 = phi i32 [ 1, %land.rhs.lr.ph ], [ %inc, %while.body ]
  %5 = getelementptr %struct.tw_symbol, ptr %2, i32 %stage.05
  %bound = getelementptr i8, ptr %5, i32 -16
  %6 = load i64, ptr %bound, align 8
  %cmp1.not = icmp eq i64 %6, 1099511627776
  br i1 %cmp1.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %inc = add nuw i32 %stage.05, 1
  %exitcond.not = icmp eq i32 %inc, %4
  br i1 %exitcond.not, label %while.end, label %land.rhs

while.end:                                        ; preds = %land.rhs, %while.body, %entry
  %stage.0.lcssa = phi i32 [ 1, %entry ], [ %4, %while.body ], [ %stage.05, %land.rhs ]
  ret i32 %stage.0.lcssa
}

define internal fastcc range(i32 -1, 1) i32 @bind_inputs(ptr noundef readonly captures(none) %args, ptr noundef nonnull %sizes) unnamed_addr #0 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  %call = tail call fastcc i32 @bind_symbols(ptr noundef %args, i32 noundef %0, ptr noundef nonnull %sizes) #16
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %call1 = tail call fastcc i32 @derive(ptr noundef nonnull %sizes, i32 noundef 0) #16
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %lor.lhs.false
  %cmp342 = icmp sgt i32 %0, 0
  br i1 %cmp342, label %for.body, label %return

for.body:                                         ; preds = %for.cond.preheader, %for.inc
  %index.043 = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i32 %index.043
  %arrayidx4 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i32 %index.043
  %1 = load i32, ptr %arrayidx4, align 8
  switch i32 %1, label %check_type.exit [
    i32 7, label %tensor_of.exit.i
    i32 70, label %land.lhs.true.i.i
  ]

land.lhs.true.i.i:                                ; preds = %for.body
  %payload3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx4, i32 8
  %2 = load ptr, ptr %payload3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %2, null
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %2, i32 24
  br i1 %cmp4.not.i.i, label %check_type.exit, label %land.lhs.true.i

tensor_of.exit.i:                                 ; preds = %for.body
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx4, i32 8
  %3 = load ptr, ptr %payload.i.i, align 8
  %cmp.not.i = icmp eq ptr %3, null
  br i1 %cmp.not.i, label %check_type.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %land.lhs.true.i.i, %tensor_of.exit.i
  %retval.0.i.i21 = phi ptr [ %3, %tensor_of.exit.i ], [ %tensor.i.i, %land.lhs.true.i.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i21, i32 4
  %4 = load i32, ptr %device_type.i, align 4
  %cmp1.i = icmp eq i32 %4, 1
  br i1 %cmp1.i, label %land.lhs.true2.i, label %check_type.exit

land.lhs.true2.i:                                 ; preds = %land.lhs.true.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i21, i32 16
  %5 = load i32, ptr %dtype.i, align 8
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 36
  %6 = load i32, ptr %dtype3.i, align 4
  %cmp4.i = icmp eq i32 %5, %6
  br i1 %cmp4.i, label %land.lhs.true5.i, label %check_type.exit

land.lhs.true5.i:                                 ; preds = %land.lhs.true2.i
  %rank.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i21, i32 12
  %7 = load i32, ptr %rank.i, align 4
  %rank6.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %8 = load i32, ptr %rank6.i, align 8
  %cmp7.i = icmp eq i32 %7, %8
  br i1 %cmp7.i, label %lor.lhs.false6, label %check_type.exit

check_type.exit:                                  ; preds = %land.lhs.true.i.i, %for.body, %tensor_of.exit.i, %land.lhs.true.i, %land.lhs.true2.i, %land.lhs.true5.i
  %retval.0.i.i16 = phi ptr [ null, %tensor_of.exit.i ], [ %retval.0.i.i21, %land.lhs.true5.i ], [ %retval.0.i.i21, %land.lhs.true2.i ], [ %retval.0.i.i21, %land.lhs.true.i ], [ null, %for.body ], [ null, %land.lhs.true.i.i ]
  %call8.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx, ptr noundef nonnull %arrayidx4, ptr noundef %retval.0.i.i16, ptr noundef nonnull %finding) #15
  br i1 %call8.i, label %check_type.exit.lor.lhs.false6_crit_edge, label %cleanup13

check_type.exit.lor.lhs.false6_crit_edge:         ; preds = %check_type.exit
  %rank.i11.phi.trans.insert = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %.pre = load i32, ptr %rank.i11.phi.trans.insert, align 8
  br label %lor.lhs.false6

lor.lhs.false6:                                   ; preds = %check_type.exit.lor.lhs.false6_crit_edge, %land.lhs.true5.i
  %9 = phi i32 [ %.pre, %check_type.exit.lor.lhs.false6_crit_edge ], [ %7, %land.lhs.true5.i ]
  %retval.0.i.i1724 = phi ptr [ %retval.0.i.i16, %check_type.exit.lor.lhs.false6_crit_edge ], [ %retval.0.i.i21, %land.lhs.true5.i ]
  %cmp.i40 = icmp sgt i32 %9, 0
  br i1 %cmp.i40, label %for.body.i.lr.ph, label %for.inc

for.body.i.lr.ph:                                 ; preds = %lor.lhs.false6
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i1724, i32 20
  %10 = load ptr, ptr %shape.i, align 4
  %shape1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %11 = load ptr, ptr %shape1.i, align 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i.lr.ph, %for.inc.i
  %axis.0.i41 = phi i32 [ 0, %for.body.i.lr.ph ], [ %inc.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %10, i32 %axis.0.i41
  %12 = load i64, ptr %arrayidx.i, align 8
  %arrayidx2.i = getelementptr inbounds nuw i64, ptr %11, i32 %axis.0.i41
  %13 = load i64, ptr %arrayidx2.i, align 8
  %cmp3.i = icmp slt i64 %13, 0
  br i1 %cmp3.i, label %land.end.i, label %if.end25.i

land.end.i:                                       ; preds = %for.body.i
  %14 = trunc i64 %13 to i32
  %idxprom.i = xor i32 %14, -1
  %arrayidx4.i = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %idxprom.i
  %stage.i = getelementptr inbounds nuw i8, ptr %arrayidx4.i, i32 40
  %15 = load i32, ptr %stage.i, align 8
  %cmp5.i = icmp sgt i32 %15, 0
  %sub6.i = xor i64 %13, -1
  %idxprom7.i = trunc i64 %sub6.i to i32
  %arrayidx8.i = getelementptr inbounds i64, ptr %sizes, i32 %idxprom7.i
  %16 = load i64, ptr %arrayidx8.i, align 8
  br i1 %cmp5.i, label %land.lhs.true.i13, label %land.lhs.true15.i

land.lhs.true.i13:                                ; preds = %land.end.i
  %cmp9.i = icmp slt i64 %12, %16
  br i1 %cmp9.i, label %if.then.i, label %for.inc.i

if.then.i:                                        ; preds = %land.lhs.true.i13
  %conv.i = zext nneg i32 %axis.0.i41 to i64
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_ROOM, i64 noundef %12, i64 noundef %conv.i, i64 noundef %sub6.i) #15
  br label %cleanup13

land.lhs.true15.i:                                ; preds = %land.end.i
  %cmp19.not.i = icmp eq i64 %12, %16
  br i1 %cmp19.not.i, label %for.inc.i, label %if.then21.i

if.then21.i:                                      ; preds = %land.lhs.true15.i
  %conv22.i = zext nneg i32 %axis.0.i41 to i64
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_SIZE, i64 noundef %12, i64 noundef %conv22.i, i64 noundef %sub6.i) #15
  br label %cleanup13

if.end25.i:                                       ; preds = %for.body.i
  %cmp29.not.i = icmp eq i64 %12, %13
  br i1 %cmp29.not.i, label %for.inc.i, label %if.then31.i

if.then31.i:                                      ; preds = %if.end25.i
  %conv32.i = zext nneg i32 %axis.0.i41 to i64
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_SHAPE, i64 noundef %12, i64 noundef %conv32.i, i64 noundef 0) #15
  br label %cleanup13

for.inc.i:                                        ; preds = %land.lhs.true.i13, %land.lhs.true15.i, %if.end25.i
  %inc.i = add nuw nsw i32 %axis.0.i41, 1
  %exitcond.not = icmp eq i32 %inc.i, %9
  br i1 %exitcond.not, label %for.inc, label %for.body.i

for.inc:                                          ; preds = %for.inc.i, %lor.lhs.false6
  %inc = add nuw nsw i32 %index.043, 1
  %exitcond55.not = icmp eq i32 %inc, %0
  br i1 %exitcond55.not, label %return, label %for.body

cleanup13:                                        ; preds = %check_type.exit, %if.then.i, %if.then31.i, %if.then21.i
  call fastcc void @fail_argument(i32 noundef %index.043, ptr noundef %finding, ptr noundef nonnull %sizes) #15
  br label %return

return:                                           ; preds = %for.inc, %for.cond.preheader, %cleanup13, %entry, %lor.lhs.false
  %retval.0 = phi i32 [ -1, %lor.lhs.false ], [ -1, %entry ], [ -1, %cleanup13 ], [ 0, %for.cond.preheader ], [ 0, %for.inc ]
  ret i32 %retval.0
}

define internal fastcc range(i32 -1, 1) i32 @bind_largest(ptr noundef nonnull %sizes, i32 noundef %end) unnamed_addr #0 {
entry:
  %cmp.not12 = icmp slt i32 %end, 1
  br i1 %cmp.not12, label %cleanup8, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %0 = load i32, ptr @tw_given_count, align 4
  %invariant.op = add i32 %0, -1
  br label %for.body

for.cond:                                         ; preds = %cond.end
  %inc = add nuw i32 %stage.013, 1
  %exitcond.not = icmp eq i32 %stage.013, %end
  br i1 %exitcond.not, label %cleanup8, label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.cond
  %stage.013 = phi i32 [ 1, %for.body.lr.ph ], [ %inc, %for.cond ]
  %sub.reass = add i32 %stage.013, %invariant.op
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i32 %sub.reass
  %bound1 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %1 = load i64, ptr %bound1, align 8
  %cmp2 = icmp slt i64 %1, 0
  br i1 %cmp2, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %2 = trunc i64 %1 to i32
  %idxprom = xor i32 %2, -1
  %arrayidx4 = getelementptr inbounds i64, ptr %sizes, i32 %idxprom
  %3 = load i64, ptr %arrayidx4, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %3, %cond.true ], [ %1, %for.body ]
  %arrayidx5 = getelementptr inbounds i64, ptr %sizes, i32 %sub.reass
  store i64 %cond, ptr %arrayidx5, align 8
  %call = tail call fastcc i32 @derive(ptr noundef nonnull %sizes, i32 noundef %stage.013) #16
  %cmp6.not = icmp eq i32 %call, 0
  br i1 %cmp6.not, label %for.cond, label %cleanup8

cleanup8:                                         ; preds = %cond.end, %for.cond, %entry
  %4 = phi i32 [ 0, %entry ], [ 0, %for.cond ], [ -1, %cond.end ]
  ret i32 %4
}

define internal fastcc range(i32 -1, 1) i32 @compute_sizes(ptr noundef %args, ptr noundef nonnull %sizes, i32 noundef range(i32 0, -2147483648) %end) unnamed_addr #0 {
entry:
  %outputs = alloca ptr, align 4
  %call = alloca %struct.tw_call, align 4
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %vla = alloca %union.tw_slot, i32 %add, align 4
  %add1 = add nsw i32 %0, 1
  %vla2 = alloca i64, i32 %add1, align 8
  store ptr null, ptr %outputs, align 4
  store ptr %args, ptr %call, align 4
  %slots = getelementptr inbounds nuw i8, ptr %call, i32 4
  store ptr %vla, ptr %slots, align 4
  %sizes4 = getelementptr inbounds nuw i8, ptr %call, i32 8
  store ptr %sizes, ptr %sizes4, align 4
  %bytes = getelementptr inbounds nuw i8, ptr %call, i32 12
  store ptr %vla2, ptr %bytes, align 4
  %block = getelementptr inbounds nuw i8, ptr %call, i32 16
  store ptr null, ptr %block, align 4
  %allocate = getelementptr inbounds nuw i8, ptr %call, i32 20
  store ptr @allocate_scrap, ptr %allocate, align 4
  %context = getelementptr inbounds nuw i8, ptr %call, i32 24
  store ptr %outputs, ptr %context, align 4
  %end5 = getelementptr inbounds nuw i8, ptr %call, i32 28
  store i32 %end, ptr %end5, align 4
  %has_ended = getelementptr inbounds nuw i8, ptr %call, i32 32
  store i32 0, ptr %has_ended, align 4
  %1 = load i32, ptr @tw_inputs, align 4
  %2 = load i32, ptr @__tw_default_threads, align 4
  %call6 = call fastcc i32 @enter_call(ptr noundef %call, i32 noundef %1, i32 noundef %2) #16
  %.pr = load ptr, ptr %outputs, align 4
  %cmp.not2 = icmp eq ptr %.pr, null
  br i1 %cmp.not2, label %while.end, label %while.body

while.body:                                       ; preds = %entry, %while.body
  %3 = phi ptr [ %4, %while.body ], [ %.pr, %entry ]
  %4 = load ptr, ptr %3, align 4
  call void @free(ptr noundef nonnull %3) #14
  store ptr %4, ptr %outputs, align 4
  %cmp.not = icmp eq ptr %4, null
  br i1 %cmp.not, label %while.end, label %while.body

while.end:                                        ; preds = %while.body, %entry
  %cmp8 = icmp eq i32 %call6, 0
  %5 = load i32, ptr %has_ended, align 4
  %tobool = icmp ne i32 %5, 0
  %or.cond = select i1 %cmp8, i1 true, i1 %tobool
  br i1 %or.cond, label %cond.end, label %cond.false

cond.false:                                       ; preds = %while.end
  %6 = icmp eq i32 %call6, -1
  br i1 %6, label %cond.end, label %if.end.i

if.end.i:                                         ; preds = %cond.false
  %conv.i = sext i32 %call6 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.54, i64 noundef %conv.i) #15
  br label %cond.end

cond.end:                                         ; preds = %if.end.i, %cond.false, %while.end
  %cond = phi i32 [ 0, %while.end ], [ -1, %if.end.i ], [ -1, %cond.false ]
  ret i32 %cond
}

define internal fastcc range(i64 -9223372036854775807, -9223372036854775808) i64 @write_shapes(ptr noundef nonnull readonly captures(none) %sizes, ptr noundef writeonly captures(address_is_null) %shapes) unnamed_addr #5 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %1 = load i32, ptr @tw_arguments, align 4
  %cmp14 = icmp slt i32 %0, %1
  br i1 %cmp14, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp7.not = icmp eq ptr %shapes, null
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %count.016 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %count.1.lcssa, %for.cond.cleanup3 ]
  %output.015 = phi i32 [ %0, %for.cond1.preheader.lr.ph ], [ %inc14, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %output.015
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %2 = load i32, ptr %rank, align 8
  %cmp211 = icmp sgt i32 %2, 0
  br i1 %cmp211, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %3 = load ptr, ptr %shape, align 8
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  %count.0.lcssa = phi i64 [ 0, %entry ], [ %count.1.lcssa, %for.cond.cleanup3 ]
  ret i64 %count.0.lcssa

for.cond.cleanup3:                                ; preds = %for.inc, %for.cond1.preheader
  %count.1.lcssa = phi i64 [ %count.016, %for.cond1.preheader ], [ %inc12, %for.inc ]
  %inc14 = add nsw i32 %output.015, 1
  %exitcond18.not = icmp eq i32 %inc14, %1
  br i1 %exitcond18.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:                                        ; preds = %for.body4.lr.ph, %for.inc
  %count.113 = phi i64 [ %count.016, %for.body4.lr.ph ], [ %inc12, %for.inc ]
  %axis.012 = phi i32 [ 0, %for.body4.lr.ph ], [ %inc, %for.inc ]
  %arrayidx6 = getelementptr inbounds nuw i64, ptr %3, i32 %axis.012
  %4 = load i64, ptr %arrayidx6, align 8
  br i1 %cmp7.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body4
  %cmp8 = icmp sgt i64 %4, -1
  br i1 %cmp8, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.then
  %5 = trunc i64 %4 to i32
  %idxprom = xor i32 %5, -1
  %arrayidx9 = getelementptr inbounds i64, ptr %sizes, i32 %idxprom
  %6 = load i64, ptr %arrayidx9, align 8
  br label %cond.end

cond.end:                                         ; preds = %if.then, %cond.false
  %cond = phi i64 [ %6, %cond.false ], [ %4, %if.then ]
  %idxprom10 = trunc i64 %count.113 to i32
  %arrayidx11 = getelementptr inbounds i64, ptr %shapes, i32 %idxprom10
  store i64 %cond, ptr %arrayidx11, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.body4, %cond.end
  %inc = add nuw nsw i32 %axis.012, 1
  %inc12 = add nsw i64 %count.113, 1
  %exitcond.not = icmp eq i32 %inc, %2
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

define internal fastcc ptr @numbers_of(ptr noundef readonly captures(none) %value, i64 noundef %count) unnamed_addr #6 {
entry:
  %0 = load i32, ptr %value, align 8
  switch i32 %0, label %cleanup [
    i32 7, label %tensor_of.exit
    i32 70, label %land.lhs.true.i
  ]

land.lhs.true.i:                                  ; preds = %entry
  %payload3.i = getelementptr inbounds nuw i8, ptr %value, i32 8
  %1 = load ptr, ptr %payload3.i, align 8
  %cmp4.not.i = icmp eq ptr %1, null
  %tensor.i = getelementptr inbounds nuw i8, ptr %1, i32 24
  br i1 %cmp4.not.i, label %cleanup, label %lor.lhs.false

tensor_of.exit:                                   ; preds = %entry
  %payload.i = getelementptr inbounds nuw i8, ptr %value, i32 8
  %2 = load ptr, ptr %payload.i, align 8
  %cmp = icmp eq ptr %2, null
  br i1 %cmp, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.lhs.true.i, %tensor_of.exit
  %retval.0.i12 = phi ptr [ %2, %tensor_of.exit ], [ %tensor.i, %land.lhs.true.i ]
  %device_type = getelementptr inbounds nuw i8, ptr %retval.0.i12, i32 4
  %3 = load i32, ptr %device_type, align 4
  %cmp1.not = icmp eq i32 %3, 1
  br i1 %cmp1.not, label %lor.lhs.false2, label %cleanup

lor.lhs.false2:                                   ; preds = %lor.lhs.false
  %dtype = getelementptr inbounds nuw i8, ptr %retval.0.i12, i32 16
  %4 = load i32, ptr %dtype, align 8
  %cmp3.not = icmp eq i32 %4, 81920
  br i1 %cmp3.not, label %lor.lhs.false4, label %cleanup

lor.lhs.false4:                                   ; preds = %lor.lhs.false2
  %rank = getelementptr inbounds nuw i8, ptr %retval.0.i12, i32 12
  %5 = load i32, ptr %rank, align 4
  %cmp5.not = icmp eq i32 %5, 1
  br i1 %cmp5.not, label %lor.lhs.false6, label %cleanup

lor.lhs.false6:                                   ; preds = %lor.lhs.false4
  %shape = getelementptr inbounds nuw i8, ptr %retval.0.i12, i32 20
  %6 = load ptr, ptr %shape, align 4
  %7 = load i64, ptr %6, align 8
  %cmp7 = icmp slt i64 %7, %count
  br i1 %cmp7, label %cleanup, label %if.end

if.end:                                           ; preds = %lor.lhs.false6
  %8 = load ptr, ptr %retval.0.i12, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %retval.0.i12, i32 32
  %9 = load i64, ptr %byte_offset, align 8
  %idx.ext = trunc i64 %9 to i32
  %add.ptr = getelementptr inbounds nuw i8, ptr %8, i32 %idx.ext
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true.i, %entry, %tensor_of.exit, %lor.lhs.false, %lor.lhs.false2, %lor.lhs.false4, %lor.lhs.false6, %if.end
  %retval.0 = phi ptr [ %add.ptr, %if.end ], [ null, %lor.lhs.false6 ], [ null, %lor.lhs.false4 ], [ null, %lor.lhs.false2 ], [ null, %lor.lhs.false ], [ null, %tensor_of.exit ], [ null, %entry ], [ null, %land.lhs.true.i ]
  ret ptr %retval.0
}

declare void @llvm.stackrestore.p0(ptr) #3

define range(i32 -1, 1) i32 @__tvm_ffi_main_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %call = tail call i32 @__tw_output_shapes(ptr poison, ptr noundef %args, i32 noundef %count, ptr poison) #16
  ret i32 %call
}

define noundef nonnull ptr @__tw_arguments(ptr noundef writeonly captures(none) initializes((0, 4)) %inputs, ptr noundef writeonly captures(none) initializes((0, 4)) %arguments) local_unnamed_addr #7 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  store i32 %0, ptr %inputs, align 4
  %1 = load i32, ptr @tw_arguments, align 4
  store i32 %1, ptr %arguments, align 4
  ret ptr @tw_specs
}

define range(i32 -1, 1) i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #8 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp.not = icmp eq i32 %count, %0
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef %count) #15
  br label %return

if.end:                                           ; preds = %entry
  %call1 = tail call fastcc i32 @bounded_stages() #15
  %1 = load i32, ptr @tw_symbol_count, align 4
  %2 = load i32, ptr @tw_given_count, align 4
  %sub.i = sub nsw i32 %1, %2
  %cmp3.not = icmp sgt i32 %call1, %sub.i
  br i1 %cmp3.not, label %if.end7, label %if.then4

if.then4:                                         ; preds = %if.end
  %conv = sext i32 %sub.i to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.8, ptr noundef nonnull @.str.9, i64 noundef %conv) #15
  br label %return

if.end7:                                          ; preds = %if.end
  %3 = load i32, ptr @tw_size_count, align 4
  %add = add nsw i32 %3, 1
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i32 %add, align 8
  %call8 = call fastcc i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #15
  %cmp9.not = icmp eq i32 %call8, 0
  br i1 %cmp9.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %if.end7
  %call12 = call fastcc i32 @bind_largest(ptr noundef %vla, i32 noundef %sub.i) #15
  %cmp13.not = icmp eq i32 %call12, 0
  br i1 %cmp13.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:                               ; preds = %lor.lhs.false
  %cmp18.not9 = icmp slt i32 %sub.i, 0
  br i1 %cmp18.not9, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %cmp.i = icmp eq i32 %1, 0
  %5 = load i32, ptr @tw_expression_count, align 4
  %6 = getelementptr i64, ptr %vla, i32 %5
  %7 = add i32 %1, 1
  %8 = sub i32 %7, %2
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %bytes.0.lcssa = phi i64 [ 0, %for.cond.preheader ], [ %add21, %for.body ]
  store i32 1, ptr %result, align 8
  %payload = getelementptr inbounds nuw i8, ptr %result, i32 8
  store i64 %bytes.0.lcssa, ptr %payload, align 8
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %stage.011 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %bytes.010 = phi i64 [ 0, %for.body.lr.ph ], [ %add21, %for.body ]
  %arrayidx.i = getelementptr i64, ptr %6, i32 %stage.011
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %add21 = add nsw i64 %cond.i, %bytes.010
  %inc = add nuw i32 %stage.011, 1
  %exitcond.not = icmp eq i32 %inc, %8
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:                                          ; preds = %if.end7, %lor.lhs.false, %for.cond.cleanup
  %retval.1 = phi i32 [ 0, %for.cond.cleanup ], [ -1, %lor.lhs.false ], [ -1, %if.end7 ]
  call void @llvm.stackrestore.p0(ptr %4)
  br label %return

return:                                           ; preds = %cleanup, %if.then4, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.then4 ], [ %retval.1, %cleanup ]
  ret i32 %retval.0
}

declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr noundef, ptr noundef) #9

declare extern_weak ptr @dlsym(ptr noundef, ptr noundef) #9

declare void @free(ptr noundef) local_unnamed_addr #1

define internal fastcc range(i32 -1, 1) i32 @derive(ptr noundef %sizes, i32 noundef %stage) unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %for.cond.preheader, label %cond.end

cond.end:                                         ; preds = %entry
  %call = tail call i32 @tw_derive(ptr noundef %sizes, i32 noundef %stage) #14
  %cmp1 = icmp eq i32 %call, 1
  br i1 %cmp1, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry, %cond.end
  %cond25 = phi i32 [ %call, %cond.end ], [ 0, %entry ]
  %1 = load i32, ptr @tw_expression_count, align 4
  %cmp3.not19 = icmp sgt i32 %1, 0
  br i1 %cmp3.not19, label %for.body, label %for.end

if.then:                                          ; preds = %cond.end
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.17, i64 noundef 9223372036854775807) #15
  br label %cleanup22

for.body:                                         ; preds = %for.cond.preheader, %for.inc
  %index.020 = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i32 %index.020
  %arrayidx4 = getelementptr inbounds nuw i64, ptr %sizes, i32 %index.020
  %2 = load i64, ptr %arrayidx4, align 8
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i32 24
  %3 = load i64, ptr %least, align 8
  %cmp5.not = icmp slt i64 %2, %3
  br i1 %cmp5.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %for.body
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %4 = load i64, ptr %most, align 8
  %cmp7 = icmp sle i64 %2, %4
  br label %land.end

land.end:                                         ; preds = %land.rhs, %for.body
  %5 = phi i1 [ false, %for.body ], [ %cmp7, %land.rhs ]
  %stage8 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 40
  %6 = load i32, ptr %stage8, align 8
  %cmp9 = icmp ne i32 %6, %stage
  %or.cond = select i1 %cmp9, i1 true, i1 %5
  br i1 %or.cond, label %for.inc, label %if.then10

if.then10:                                        ; preds = %land.end
  tail call fastcc void @fail_limit(i32 noundef %index.020, ptr noundef nonnull %sizes) #15
  br label %cleanup22

for.inc:                                          ; preds = %land.end
  %inc = add nuw nsw i32 %index.020, 1
  %exitcond.not = icmp eq i32 %inc, %1
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %for.cond.preheader
  %cmp16 = icmp eq i32 %cond25, 0
  br i1 %cmp16, label %cleanup22, label %cond.false18

cond.false18:                                     ; preds = %for.end
  tail call fastcc void @fail_small(ptr noundef %sizes, i32 noundef %stage) #15
  br label %cleanup22

cleanup22:                                        ; preds = %if.then10, %cond.false18, %for.end, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.then10 ], [ -1, %cond.false18 ], [ 0, %for.end ]
  ret i32 %retval.0
}

define internal fastcc range(i32 -1, 1) i32 @allocate_one(i32 noundef %index, ptr noundef readonly captures(none) %call) unnamed_addr #1 {
entry:
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %index
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %0 = load i32, ptr %rank, align 8
  %add = add nsw i32 %0, 1
  %vla = alloca i64, i32 %add, align 8
  %cmp16 = icmp sgt i32 %0, 0
  br i1 %cmp16, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %1 = load ptr, ptr %shape, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %call, i32 8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %axis.017 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %arrayidx2 = getelementptr inbounds nuw i64, ptr %1, i32 %axis.017
  %2 = load i64, ptr %arrayidx2, align 8
  %cmp3 = icmp slt i64 %2, 0
  br i1 %cmp3, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %3 = load ptr, ptr %sizes, align 4
  %4 = trunc i64 %2 to i32
  %idxprom = xor i32 %4, -1
  %arrayidx4 = getelementptr inbounds i64, ptr %3, i32 %idxprom
  %5 = load i64, ptr %arrayidx4, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %5, %cond.true ], [ %2, %for.body ]
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %vla, i32 %axis.017
  store i64 %cond, ptr %arrayidx5, align 8
  %inc = add nuw nsw i32 %axis.017, 1
  %exitcond.not = icmp eq i32 %inc, %0
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %cond.end, %entry
  %allocate = getelementptr inbounds nuw i8, ptr %call, i32 20
  %6 = load ptr, ptr %allocate, align 4
  %context = getelementptr inbounds nuw i8, ptr %call, i32 24
  %7 = load ptr, ptr %context, align 4
  %8 = load i32, ptr @tw_inputs, align 4
  %sub6 = sub nsw i32 %index, %8
  %call7 = call ptr %6(ptr noundef %7, i32 noundef %sub6, ptr noundef nonnull %vla) #14
  %slots = getelementptr inbounds nuw i8, ptr %call, i32 4
  %9 = load ptr, ptr %slots, align 4
  %arrayidx8 = getelementptr inbounds %union.tw_slot, ptr %9, i32 %index
  store ptr %call7, ptr %arrayidx8, align 4
  %10 = load ptr, ptr %slots, align 4
  %arrayidx10 = getelementptr inbounds %union.tw_slot, ptr %10, i32 %index
  %11 = load ptr, ptr %arrayidx10, align 4
  %cmp11.not = icmp eq ptr %11, null
  br i1 %cmp11.not, label %if.end, label %cleanup

if.end:                                           ; preds = %for.end
  %conv = sext i32 %sub6 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.50, i64 noundef %conv) #15
  br label %cleanup

cleanup:                                          ; preds = %for.end, %if.end
  %retval.0 = phi i32 [ -1, %if.end ], [ 0, %for.end ]
  ret i32 %retval.0
}

declare hidden i32 @tw_derive(ptr noundef, i32 noundef) local_unnamed_addr #9

define internal fastcc void @fail_limit(i32 noundef %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %range = alloca [192 x i8], align 1
  %value = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %arrayidx = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %index
  %count = getelementptr inbounds nuw i8, ptr %arrayidx, i32 16
  %0 = load i64, ptr %count, align 8
  %cmp20 = icmp sgt i64 %0, 0
  br i1 %cmp20, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %number.022 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %length.021 = phi i64 [ 0, %for.body.lr.ph ], [ %call8, %cond.end ]
  %cmp1 = icmp slt i64 %length.021, 256
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %idx.ext = trunc i64 %length.021 to i32
  %add.ptr = getelementptr inbounds i8, ptr %value, i32 %idx.ext
  %conv = sub i32 256, %idx.ext
  %cmp2 = icmp eq i64 %number.022, 0
  %cond = select i1 %cmp2, ptr @.str.19, ptr @.str.20
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i32 noundef %conv, ptr noundef nonnull @.str.18, ptr noundef nonnull %cond) #14
  %conv4 = sext i32 %call to i64
  %add = add nsw i64 %length.021, %conv4
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond5 = phi i64 [ %add, %cond.true ], [ %length.021, %for.body ]
  %1 = load ptr, ptr %symbols, align 8
  %idxprom = trunc i64 %number.022 to i32
  %arrayidx7 = getelementptr inbounds i32, ptr %1, i32 %idxprom
  %2 = load i32, ptr %arrayidx7, align 4
  %call8 = call fastcc i64 @append_value(ptr noundef %value, i64 noundef 256, i64 noundef %cond5, i32 noundef %2, ptr noundef %sizes) #15
  %inc = add nuw nsw i64 %number.022, 1
  %cmp = icmp slt i64 %inc, %0
  br i1 %cmp, label %for.body, label %for.end

for.end:                                          ; preds = %cond.end, %entry
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %3 = load i64, ptr %most, align 8
  %cmp9 = icmp slt i64 %3, 1099511627776
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i32 24
  %4 = load i64, ptr %least, align 8
  br i1 %cmp9, label %if.then, label %if.else

if.then:                                          ; preds = %for.end
  %call13 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %range, i32 noundef 192, ptr noundef nonnull @.str.21, i64 noundef %4, i64 noundef %3) #14
  br label %if.end

if.else:                                          ; preds = %for.end
  %call17 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %range, i32 noundef 192, ptr noundef nonnull @.str.22, i64 noundef %4) #14
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  %end.0.in = phi i32 [ %call13, %if.then ], [ %call17, %if.else ]
  %end.0 = sext i32 %end.0.in to i64
  %conv20 = sext i32 %index to i64
  %call21 = call fastcc i64 @append_node(ptr noundef %range, i64 noundef 192, i64 noundef %end.0, i64 noundef %conv20) #15
  %5 = load ptr, ptr %arrayidx, align 8
  %arrayidx24 = getelementptr inbounds i64, ptr %sizes, i32 %index
  %6 = load i64, ptr %arrayidx24, align 8
  %call26 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.23, ptr noundef nonnull @tw_name, ptr noundef %5, ptr noundef nonnull %range, i64 noundef %6, ptr noundef nonnull %value) #14
  %call28 = call i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message) #15
  ret void
}

define internal fastcc void @fail_small(ptr noundef readonly captures(none) %sizes, i32 noundef %stage) unnamed_addr #0 {
entry:
  %got = alloca [400 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_given_count, align 4
  %add = add nsw i32 %0, %stage
  %cmp11 = icmp sgt i32 %add, 0
  br i1 %cmp11, label %for.body, label %for.end

for.body:                                         ; preds = %entry, %cond.end
  %index.013 = phi i32 [ %inc, %cond.end ], [ 0, %entry ]
  %length.012 = phi i64 [ %call8, %cond.end ], [ 0, %entry ]
  %cmp1 = icmp slt i64 %length.012, 400
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %idx.ext = trunc i64 %length.012 to i32
  %add.ptr = getelementptr inbounds i8, ptr %got, i32 %idx.ext
  %conv = sub i32 400, %idx.ext
  %cmp2 = icmp eq i32 %index.013, 0
  %cond = select i1 %cmp2, ptr @.str.19, ptr @.str.20
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i32 noundef %conv, ptr noundef nonnull @.str.18, ptr noundef nonnull %cond) #14
  %conv4 = sext i32 %call to i64
  %add5 = add nsw i64 %length.012, %conv4
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond6 = phi i64 [ %add5, %cond.true ], [ %length.012, %for.body ]
  %call8 = call fastcc i64 @append_value(ptr noundef %got, i64 noundef 400, i64 noundef %cond6, i32 noundef %index.013, ptr noundef %sizes) #15
  %inc = add nuw nsw i32 %index.013, 1
  %exitcond.not = icmp eq i32 %inc, %add
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %cond.end, %entry
  %call11 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.27, ptr noundef nonnull @tw_name, ptr noundef nonnull %got) #14
  %call13 = call i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message) #15
  ret void
}

define internal fastcc i64 @append_value(ptr noundef nonnull %text, i64 noundef range(i64 256, 513) %room, i64 noundef %length, i32 noundef %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i32 %index
  %arrayidx1 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %index
  %0 = load ptr, ptr %arrayidx1, align 8
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i32 40
  %1 = load i32, ptr %argument, align 8
  %cmp = icmp slt i32 %1, 0
  %cmp3 = icmp slt i64 %length, %room
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  br i1 %cmp3, label %cond.true, label %cleanup

cond.true:                                        ; preds = %if.then
  %idx.ext = trunc i64 %length to i32
  %add.ptr = getelementptr inbounds i8, ptr %text, i32 %idx.ext
  %sub = sub nsw i64 %room, %length
  %conv = trunc i64 %sub to i32
  %arrayidx4 = getelementptr inbounds i64, ptr %sizes, i32 %index
  %2 = load i64, ptr %arrayidx4, align 8
  %call = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i32 noundef %conv, ptr noundef nonnull @.str.24, ptr noundef %0, i64 noundef %2) #14
  %conv5 = sext i32 %call to i64
  %add = add nsw i64 %length, %conv5
  br label %cleanup

if.end:                                           ; preds = %entry
  br i1 %cmp3, label %cond.true8, label %cleanup

cond.true8:                                       ; preds = %if.end
  %idx.ext9 = trunc i64 %length to i32
  %add.ptr10 = getelementptr inbounds i8, ptr %text, i32 %idx.ext9
  %sub11 = sub nsw i64 %room, %length
  %conv12 = trunc i64 %sub11 to i32
  %arrayidx13 = getelementptr inbounds i64, ptr %sizes, i32 %index
  %3 = load i64, ptr %arrayidx13, align 8
  %axis = getelementptr inbounds nuw i8, ptr %arrayidx, i32 44
  %4 = load i32, ptr %axis, align 4
  %arrayidx15 = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i32 %1
  %5 = load ptr, ptr %arrayidx15, align 8
  %call17 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr10, i32 noundef %conv12, ptr noundef nonnull @.str.25, ptr noundef %0, i64 noundef %3, i32 noundef %4, ptr noundef %5) #14
  %conv18 = sext i32 %call17 to i64
  %add19 = add nsw i64 %length, %conv18
  br label %cleanup

cleanup:                                          ; preds = %cond.true8, %if.end, %cond.true, %if.then
  %retval.0 = phi i64 [ %length, %if.then ], [ %add, %cond.true ], [ %add19, %cond.true8 ], [ %length, %if.end ]
  ret i64 %retval.0
}

define internal fastcc i64 @append_node(ptr noundef nonnull %text, i64 noundef range(i64 192, 513) %room, i64 noundef %length, i64 noundef range(i64 -2147483648, 2147483648) %index) unnamed_addr #0 {
entry:
  %idxprom = trunc nsw i64 %index to i32
  %arrayidx = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %idxprom
  %node1 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 4
  %0 = load ptr, ptr %node1, align 4
  %1 = load i8, ptr %0, align 1
  %cmp = icmp ne i8 %1, 0
  %cmp3 = icmp slt i64 %length, %room
  %or.cond = and i1 %cmp3, %cmp
  br i1 %or.cond, label %cond.true5, label %cond.end9

cond.true5:                                       ; preds = %entry
  %idx.ext = trunc i64 %length to i32
  %add.ptr = getelementptr inbounds i8, ptr %text, i32 %idx.ext
  %sub = sub nsw i64 %room, %length
  %conv6 = trunc i64 %sub to i32
  %call = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i32 noundef %conv6, ptr noundef nonnull @.str.26, ptr noundef nonnull %0) #14
  %conv7 = sext i32 %call to i64
  %add = add nsw i64 %length, %conv7
  br label %cond.end9

cond.end9:                                        ; preds = %entry, %cond.true5
  %cond10 = phi i64 [ %length, %entry ], [ %add, %cond.true5 ]
  ret i64 %cond10
}

define internal fastcc void @fail_argument(i32 noundef %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %got = alloca [128 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %0 = load ptr, ptr %finding, align 8
  %cmp = icmp eq ptr %0, @HAS_SIZE
  %cmp2 = icmp eq ptr %0, @HAS_ROOM
  %or.cond = or i1 %cmp, %cmp2
  %cmp4 = icmp eq ptr %0, @HAS_VALID_SIZE
  %or.cond1 = or i1 %cmp4, %or.cond
  br i1 %or.cond1, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_size(i32 noundef %index, ptr noundef %finding, ptr noundef %sizes) #15
  br label %cleanup

if.end:                                           ; preds = %entry
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %index
  %got5 = getelementptr inbounds nuw i8, ptr %0, i32 8
  %1 = load ptr, ptr %got5, align 4
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i32 8
  %2 = load i64, ptr %numbers, align 8
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %finding, i32 16
  %3 = load i64, ptr %arrayidx8, align 8
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %finding, i32 24
  %4 = load i64, ptr %arrayidx10, align 8
  %call11 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %got, i32 noundef 128, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #14
  %5 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %0, i32 4
  %6 = load ptr, ptr %text, align 4
  %text13 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 4
  %7 = load ptr, ptr %text13, align 4
  %call15 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.43, ptr noundef nonnull @tw_name, i32 noundef %index, ptr noundef %5, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %got, ptr noundef nonnull @tw_signature) #14
  %8 = load ptr, ptr %0, align 4
  %call17 = call i32 @tw_fail(ptr noundef %8, ptr noundef nonnull %message) #15
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  ret void
}

define internal fastcc void @breaks(ptr noundef nonnull writeonly captures(none) initializes((0, 32)) %finding, ptr noundef %rule, i64 noundef %first, i64 noundef %second, i64 noundef %third) unnamed_addr #10 {
entry:
  store ptr %rule, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i32 4
  store i32 0, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 4
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i32 8
  store i64 %first, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i32 16
  store i64 %second, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8
  %.compoundliteral.sroa.5.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i32 24
  store i64 %third, ptr %.compoundliteral.sroa.5.0..sroa_idx, align 8
  ret void
}

define internal fastcc noundef zeroext i1 @check_other(ptr noundef readonly captures(none) %spec, ptr noundef readonly captures(none) %value, ptr noundef readonly captures(address_is_null) %tensor, ptr noundef nonnull writeonly captures(none) %finding) unnamed_addr #11 {
entry:
  %cmp = icmp eq ptr %tensor, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %0 = load i32, ptr %value, align 8
  %conv = sext i32 %0 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef nonnull @IS_TENSOR, i64 noundef %conv, i64 noundef 0, i64 noundef 0) #15
  br label %return

if.end:                                           ; preds = %entry
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i32 4
  %1 = load i32, ptr %device_type, align 4
  %2 = load i32, ptr @tw_device_type, align 4
  %cmp1 = icmp eq i32 %1, %2
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %if.end
  %device_id = getelementptr inbounds nuw i8, ptr %tensor, i32 8
  %3 = load i32, ptr %device_id, align 8
  %cmp3 = icmp eq i32 %3, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %if.end
  %4 = phi i1 [ false, %if.end ], [ %cmp3, %land.rhs ]
  %cmp6 = icmp eq i32 %1, 1
  %or.cond = select i1 %cmp6, i1 true, i1 %4
  br i1 %or.cond, label %if.end14, label %if.then8

if.then8:                                         ; preds = %land.end
  %conv10 = sext i32 %1 to i64
  %device_id11 = getelementptr inbounds nuw i8, ptr %tensor, i32 8
  %5 = load i32, ptr %device_id11, align 8
  %conv12 = sext i32 %5 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef nonnull @IS_IN_CPU_MEMORY, i64 noundef %conv10, i64 noundef %conv12, i64 noundef 0) #15
  br label %return

if.end14:                                         ; preds = %land.end
  %dtype15 = getelementptr inbounds nuw i8, ptr %tensor, i32 16
  %6 = load i32, ptr %dtype15, align 8
  %dtype16 = getelementptr inbounds nuw i8, ptr %spec, i32 36
  %7 = load i32, ptr %dtype16, align 4
  %cmp17.not = icmp eq i32 %6, %7
  br i1 %cmp17.not, label %if.end26, label %if.then19

if.then19:                                        ; preds = %if.end14
  %and = and i32 %6, 255
  %conv20 = zext nneg i32 %and to i64
  %shr = lshr i32 %6, 8
  %and21 = and i32 %shr, 255
  %conv22 = zext nneg i32 %and21 to i64
  %shr23 = lshr i32 %6, 16
  %conv24 = zext nneg i32 %shr23 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef nonnull @HAS_DTYPE, i64 noundef %conv20, i64 noundef %conv22, i64 noundef %conv24) #15
  br label %return

if.end26:                                         ; preds = %if.end14
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i32 12
  %8 = load i32, ptr %rank, align 4
  %rank27 = getelementptr inbounds nuw i8, ptr %spec, i32 32
  %9 = load i32, ptr %rank27, align 8
  %cmp28 = icmp eq i32 %8, %9
  br i1 %cmp28, label %return, label %lor.rhs

lor.rhs:                                          ; preds = %if.end26
  %conv31 = sext i32 %8 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef nonnull @HAS_RANK, i64 noundef %conv31, i64 noundef 0, i64 noundef 0) #15
  br label %return

return:                                           ; preds = %if.end26, %lor.rhs, %if.then8, %if.then19, %if.then
  %retval.0 = phi i1 [ false, %if.then ], [ false, %if.then19 ], [ false, %if.then8 ], [ false, %lor.rhs ], [ true, %if.end26 ]
  ret i1 %retval.0
}

define internal fastcc void @fail_size(i32 noundef %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %wanted = alloca [512 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %finding, i32 24
  %0 = load i64, ptr %arrayidx, align 8
  %idxprom = trunc i64 %0 to i32
  %arrayidx1 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %idxprom
  %1 = load ptr, ptr %arrayidx1, align 8
  %call = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %wanted, i32 noundef 512, ptr noundef nonnull @.str.18, ptr noundef %1) #14
  %conv2 = sext i32 %call to i64
  %2 = load ptr, ptr %finding, align 8
  %cmp = icmp eq ptr %2, @HAS_SIZE
  %cmp5 = icmp eq ptr %2, @HAS_ROOM
  %spec.select = or i1 %cmp, %cmp5
  br i1 %spec.select, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %3 = load i64, ptr %arrayidx, align 8
  %4 = load i32, ptr @tw_symbol_count, align 4
  %conv10 = sext i32 %4 to i64
  %cmp11.not = icmp sge i64 %3, %conv10
  %cmp13 = icmp slt i32 %call, 512
  %or.cond = select i1 %cmp11.not, i1 %cmp13, i1 false
  br i1 %or.cond, label %cond.true, label %if.end

cond.true:                                        ; preds = %land.lhs.true
  %add.ptr = getelementptr inbounds i8, ptr %wanted, i32 %call
  %sub = sub i32 512, %call
  %idxprom19 = trunc i64 %3 to i32
  %arrayidx20 = getelementptr inbounds i64, ptr %sizes, i32 %idxprom19
  %5 = load i64, ptr %arrayidx20, align 8
  %call21 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i32 noundef %sub, ptr noundef nonnull @.str.45, i64 noundef %5) #14
  %conv22 = sext i32 %call21 to i64
  %add = add nsw i64 %conv22, %conv2
  br label %if.end

if.end:                                           ; preds = %cond.true, %land.lhs.true, %entry
  %length.0 = phi i64 [ %conv2, %entry ], [ %conv2, %land.lhs.true ], [ %add, %cond.true ]
  %count = getelementptr inbounds nuw i8, ptr %arrayidx1, i32 16
  %6 = load i64, ptr %count, align 8
  %cmp2349 = icmp sgt i64 %6, 0
  br i1 %cmp2349, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %if.end
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx1, i32 8
  %7 = load ptr, ptr %symbols, align 8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %length.151 = phi i64 [ %length.0, %for.body.lr.ph ], [ %length.2, %for.inc ]
  %number.050 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %idxprom25 = trunc i64 %number.050 to i32
  %arrayidx26 = getelementptr inbounds i32, ptr %7, i32 %idxprom25
  %8 = load i32, ptr %arrayidx26, align 4
  %arrayidx27 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i32 %8
  %arrayidx28 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i32 %8
  %9 = load ptr, ptr %arrayidx28, align 8
  %cmp30 = icmp slt i64 %length.151, 512
  br i1 %cmp30, label %cond.true32, label %cond.end45

cond.true32:                                      ; preds = %for.body
  %idx.ext34 = trunc i64 %length.151 to i32
  %add.ptr35 = getelementptr inbounds i8, ptr %wanted, i32 %idx.ext34
  %conv37 = sub i32 512, %idx.ext34
  %cmp38 = icmp eq i64 %number.050, 0
  %cond40 = select i1 %cmp38, ptr @.str.46, ptr @.str.20
  %call41 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr35, i32 noundef %conv37, ptr noundef nonnull %cond40) #14
  %conv42 = sext i32 %call41 to i64
  %add43 = add nsw i64 %length.151, %conv42
  br label %cond.end45

cond.end45:                                       ; preds = %for.body, %cond.true32
  %cond46 = phi i64 [ %add43, %cond.true32 ], [ %length.151, %for.body ]
  br i1 %spec.select, label %if.then48, label %if.else

if.then48:                                        ; preds = %cond.end45
  %call50 = call fastcc i64 @append_value(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond46, i32 noundef %8, ptr noundef %sizes) #15
  br label %for.inc

if.else:                                          ; preds = %cond.end45
  %cmp51 = icmp slt i64 %cond46, 512
  br i1 %cmp51, label %cond.true53, label %cond.end63

cond.true53:                                      ; preds = %if.else
  %idx.ext55 = trunc i64 %cond46 to i32
  %add.ptr56 = getelementptr inbounds i8, ptr %wanted, i32 %idx.ext55
  %conv58 = sub i32 512, %idx.ext55
  %10 = load i64, ptr %arrayidx27, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx27, i32 8
  %11 = load i64, ptr %most, align 8
  %call59 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr56, i32 noundef %conv58, ptr noundef nonnull @.str.47, ptr noundef %9, i64 noundef %10, i64 noundef %11) #14
  %conv60 = sext i32 %call59 to i64
  %add61 = add nsw i64 %cond46, %conv60
  br label %cond.end63

cond.end63:                                       ; preds = %if.else, %cond.true53
  %cond64 = phi i64 [ %add61, %cond.true53 ], [ %cond46, %if.else ]
  %conv66 = sext i32 %8 to i64
  %call67 = call fastcc i64 @append_node(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond64, i64 noundef %conv66) #15
  br label %for.inc

for.inc:                                          ; preds = %if.then48, %cond.end63
  %length.2 = phi i64 [ %call50, %if.then48 ], [ %call67, %cond.end63 ]
  %inc = add nuw nsw i64 %number.050, 1
  %cmp23 = icmp slt i64 %inc, %6
  br i1 %cmp23, label %for.body, label %for.end

for.end:                                          ; preds = %for.inc, %if.end
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i32 8
  %arrayidx69 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %index
  %12 = load ptr, ptr %arrayidx69, align 8
  %13 = load ptr, ptr %finding, align 8
  %text73 = getelementptr inbounds nuw i8, ptr %13, i32 4
  %14 = load ptr, ptr %text73, align 4
  %text74 = getelementptr inbounds nuw i8, ptr %arrayidx69, i32 4
  %15 = load ptr, ptr %text74, align 4
  %arrayidx76 = getelementptr inbounds nuw i8, ptr %finding, i32 16
  %16 = load i64, ptr %arrayidx76, align 8
  %cmp78 = icmp eq ptr %13, @HAS_ROOM
  %cond80 = select i1 %cmp78, ptr @.str.49, ptr @.str.19
  %17 = load i64, ptr %numbers, align 8
  %call86 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef nonnull %message, i32 noundef 1024, ptr noundef nonnull @.str.48, ptr noundef nonnull @tw_name, i32 noundef %index, ptr noundef %12, ptr noundef %14, ptr noundef %15, i64 noundef %16, ptr noundef nonnull %cond80, ptr noundef nonnull %wanted, i64 noundef %17, i64 noundef %16, ptr noundef nonnull @tw_signature) #14
  %18 = load ptr, ptr %finding, align 8
  %19 = load ptr, ptr %18, align 4
  %call89 = call i32 @tw_fail(ptr noundef %19, ptr noundef nonnull %message) #15
  ret void
}

declare ptr @aligned_alloc(i32 noundef, i32 noundef) local_unnamed_addr #9

define internal fastcc i32 @enter_call(ptr noundef nonnull %call, i32 noundef %count, i32 noundef %threads) unnamed_addr #1 {
entry:
  %sizes = getelementptr inbounds nuw i8, ptr %call, i32 8
  %0 = load ptr, ptr %sizes, align 4
  %slots = getelementptr inbounds nuw i8, ptr %call, i32 4
  %1 = load ptr, ptr %slots, align 4
  %2 = load i32, ptr @tw_arguments, align 4
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %1, i32 %2
  store ptr %0, ptr %arrayidx, align 4
  %3 = load ptr, ptr %slots, align 4
  %4 = getelementptr %union.tw_slot, ptr %3, i32 %2
  %arrayidx2 = getelementptr i8, ptr %4, i32 4
  store ptr %call, ptr %arrayidx2, align 4
  %5 = load ptr, ptr %call, align 4
  %6 = load ptr, ptr %sizes, align 4
  %call4 = tail call fastcc i32 @bind_symbols(ptr noundef %5, i32 noundef %count, ptr noundef %6) #16
  %cmp.not = icmp eq i32 %call4, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %7 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %7, 0
  %8 = load ptr, ptr @__tw_weights, align 4
  %cmp1.i = icmp ne ptr %8, null
  %or.cond.i = select i1 %cmp.i, i1 true, i1 %cmp1.i
  br i1 %or.cond.i, label %lor.lhs.false7, label %check_weights.exit

check_weights.exit:                               ; preds = %lor.lhs.false
  %call.i = tail call i32 @__tw_load_weights() #15
  %cmp6.not = icmp eq i32 %call.i, 0
  br i1 %cmp6.not, label %lor.lhs.false7, label %return

lor.lhs.false7:                                   ; preds = %lor.lhs.false, %check_weights.exit
  %call8 = tail call fastcc i32 @begin_stage(ptr noundef nonnull %call, i32 noundef 0) #16
  %cmp9.not = icmp eq i32 %call8, 0
  br i1 %cmp9.not, label %if.end, label %return

if.end:                                           ; preds = %lor.lhs.false7
  %9 = load i32, ptr @tw_max_threads, align 4
  %cond.i8 = tail call i32 @llvm.smin.i32(i32 %threads, i32 %9)
  %cond5.i = tail call range(i32 1, -2147483648) i32 @llvm.smax.i32(i32 %cond.i8, i32 1)
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %if.end
  %call1.i = tail call fastcc i32 @run(ptr noundef nonnull %call, i32 noundef %cond5.i) #16
  br label %return

if.end.i:                                         ; preds = %if.end
  %10 = atomicrmw add ptr @__tw_running, i32 1 seq_cst, align 4
  %call2.i = tail call fastcc i32 @run(ptr noundef nonnull %call, i32 noundef %cond5.i) #16
  %11 = atomicrmw sub ptr @__tw_running, i32 1 seq_cst, align 4
  br label %return

return:                                           ; preds = %if.end.i, %if.then.i, %entry, %check_weights.exit, %lor.lhs.false7
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %lor.lhs.false7 ], [ -1, %check_weights.exit ], [ %call1.i, %if.then.i ], [ %call2.i, %if.end.i ]
  ret i32 %retval.0
}

define internal fastcc range(i32 -1, 1) i32 @bind_symbols(ptr noundef readonly captures(none) %args, i32 noundef %count, ptr noundef captures(none) %sizes) unnamed_addr #1 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_given_count, align 4
  %cmp15 = icmp sgt i32 %0, 0
  br i1 %cmp15, label %for.body, label %cleanup9

for.cond:                                         ; preds = %lor.lhs.false21.i
  %inc = add nuw nsw i32 %index.016, 1
  %exitcond.not = icmp eq i32 %inc, %0
  br i1 %exitcond.not, label %cleanup9, label %for.body

for.body:                                         ; preds = %entry, %for.cond
  %index.016 = phi i32 [ %inc, %for.cond ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_symbol, ptr @tw_symbols, i32 %index.016
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i32 40
  %1 = load i32, ptr %argument, align 8
  %cmp1.not = icmp slt i32 %1, %count
  br i1 %cmp1.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body
  %2 = load i32, ptr @tw_inputs, align 4
  %conv = sext i32 %2 to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.55, i64 noundef %conv) #15
  br label %cleanup9

if.end:                                           ; preds = %for.body
  %arrayidx2 = getelementptr inbounds nuw i64, ptr %sizes, i32 %index.016
  %arrayidx1.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i32 %1
  %arrayidx3.i = getelementptr inbounds %struct.tw_value, ptr %args, i32 %1
  %3 = load i32, ptr %arrayidx3.i, align 8
  switch i32 %3, label %check_type.exit.i [
    i32 7, label %tensor_of.exit.i.i
    i32 70, label %land.lhs.true.i.i.i
  ]

land.lhs.true.i.i.i:                              ; preds = %if.end
  %payload3.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i32 8
  %4 = load ptr, ptr %payload3.i.i.i, align 8
  %cmp4.not.i.i.i = icmp eq ptr %4, null
  %tensor.i.i.i = getelementptr inbounds nuw i8, ptr %4, i32 24
  br i1 %cmp4.not.i.i.i, label %check_type.exit.i, label %land.lhs.true.i.i

tensor_of.exit.i.i:                               ; preds = %if.end
  %payload.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx3.i, i32 8
  %5 = load ptr, ptr %payload.i.i.i, align 8
  %cmp.not.i.i = icmp eq ptr %5, null
  br i1 %cmp.not.i.i, label %check_type.exit.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %tensor_of.exit.i.i, %land.lhs.true.i.i.i
  %retval.0.i.i31.i = phi ptr [ %5, %tensor_of.exit.i.i ], [ %tensor.i.i.i, %land.lhs.true.i.i.i ]
  %device_type.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i31.i, i32 4
  %6 = load i32, ptr %device_type.i.i, align 4
  %cmp1.i.i = icmp eq i32 %6, 1
  br i1 %cmp1.i.i, label %land.lhs.true2.i.i, label %check_type.exit.i

land.lhs.true2.i.i:                               ; preds = %land.lhs.true.i.i
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i31.i, i32 16
  %7 = load i32, ptr %dtype.i.i, align 8
  %dtype3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx1.i, i32 36
  %8 = load i32, ptr %dtype3.i.i, align 4
  %cmp4.i.i = icmp eq i32 %7, %8
  br i1 %cmp4.i.i, label %land.lhs.true5.i.i, label %check_type.exit.i

land.lhs.true5.i.i:                               ; preds = %land.lhs.true2.i.i
  %rank.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i31.i, i32 12
  %9 = load i32, ptr %rank.i.i, align 4
  %rank6.i.i = getelementptr inbounds nuw i8, ptr %arrayidx1.i, i32 32
  %10 = load i32, ptr %rank6.i.i, align 8
  %cmp7.i.i = icmp eq i32 %9, %10
  br i1 %cmp7.i.i, label %if.end.i, label %check_type.exit.i

check_type.exit.i:                                ; preds = %land.lhs.true5.i.i, %land.lhs.true2.i.i, %land.lhs.true.i.i, %tensor_of.exit.i.i, %land.lhs.true.i.i.i, %if.end
  %retval.0.i.i26.i = phi ptr [ null, %tensor_of.exit.i.i ], [ %retval.0.i.i31.i, %land.lhs.true5.i.i ], [ %retval.0.i.i31.i, %land.lhs.true2.i.i ], [ %retval.0.i.i31.i, %land.lhs.true.i.i ], [ null, %if.end ], [ null, %land.lhs.true.i.i.i ]
  %call8.i.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx1.i, ptr noundef nonnull readonly %arrayidx3.i, ptr noundef %retval.0.i.i26.i, ptr noundef nonnull %finding) #15
  br i1 %call8.i.i, label %if.end.i, label %if.then4

if.end.i:                                         ; preds = %check_type.exit.i, %land.lhs.true5.i.i
  %retval.0.i.i2734.i = phi ptr [ %retval.0.i.i26.i, %check_type.exit.i ], [ %retval.0.i.i31.i, %land.lhs.true5.i.i ]
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i2734.i, i32 20
  %11 = load ptr, ptr %shape.i, align 4
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 44
  %12 = load i32, ptr %axis.i, align 4
  %arrayidx4.i = getelementptr inbounds i64, ptr %11, i32 %12
  %13 = load i64, ptr %arrayidx4.i, align 8
  %14 = icmp ult i64 %13, 4611686018427387904
  br i1 %14, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end.i
  %offset.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 24
  %15 = load i64, ptr %offset.i, align 8
  %sub.i = sub nsw i64 %13, %15
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %if.end.i
  %cond.i = phi i64 [ %sub.i, %cond.true.i ], [ -1, %if.end.i ]
  %factor.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 16
  %16 = load i64, ptr %factor.i, align 8
  %cmp6.i = icmp eq i64 %16, 1
  br i1 %cmp6.i, label %cond.end15.i, label %cond.false13.i

cond.false13.i:                                   ; preds = %cond.end.i
  %cond.i.frozen = freeze i64 %cond.i
  %.frozen = freeze i64 %16
  %div.i = sdiv i64 %cond.i.frozen, %.frozen
  %17 = mul i64 %div.i, %.frozen
  %rem.i.decomposed = sub i64 %cond.i.frozen, %17
  %cmp8.i = icmp eq i64 %rem.i.decomposed, 0
  br label %cond.end15.i

cond.end15.i:                                     ; preds = %cond.false13.i, %cond.end.i
  %18 = phi i1 [ %cmp8.i, %cond.false13.i ], [ true, %cond.end.i ]
  %cond16.i = phi i64 [ %div.i, %cond.false13.i ], [ %cond.i, %cond.end.i ]
  store i64 %cond16.i, ptr %arrayidx2, align 8
  %or.cond.i = select i1 %14, i1 %18, i1 false
  br i1 %or.cond.i, label %lor.lhs.false19.i, label %if.then23.i

lor.lhs.false19.i:                                ; preds = %cond.end15.i
  %19 = load i64, ptr %arrayidx, align 8
  %cmp20.i = icmp slt i64 %cond16.i, %19
  br i1 %cmp20.i, label %if.then23.i, label %lor.lhs.false21.i

lor.lhs.false21.i:                                ; preds = %lor.lhs.false19.i
  %most.i = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %20 = load i64, ptr %most.i, align 8
  %cmp22.i = icmp sgt i64 %cond16.i, %20
  br i1 %cmp22.i, label %if.then23.i, label %for.cond

if.then23.i:                                      ; preds = %lor.lhs.false21.i, %lor.lhs.false19.i, %cond.end15.i
  %conv.i = sext i32 %12 to i64
  %shape27.i = getelementptr inbounds nuw i8, ptr %arrayidx1.i, i32 8
  %21 = load ptr, ptr %shape27.i, align 8
  %arrayidx29.i = getelementptr inbounds i64, ptr %21, i32 %12
  %22 = load i64, ptr %arrayidx29.i, align 8
  %sub30.i = xor i64 %22, -1
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_VALID_SIZE, i64 noundef %13, i64 noundef %conv.i, i64 noundef %sub30.i) #15
  br label %if.then4

if.then4:                                         ; preds = %check_type.exit.i, %if.then23.i
  call fastcc void @fail_argument(i32 noundef %1, ptr noundef %finding, ptr noundef %sizes) #15
  br label %cleanup9

cleanup9:                                         ; preds = %for.cond, %entry, %if.then, %if.then4
  %23 = phi i32 [ -1, %if.then ], [ -1, %if.then4 ], [ 0, %entry ], [ 0, %for.cond ]
  ret i32 %23
}

define internal fastcc i32 @run(ptr noundef nonnull captures(none) %call, i32 noundef %threads) unnamed_addr #1 {
entry:
  %sizes = getelementptr inbounds nuw i8, ptr %call, i32 8
  %0 = load ptr, ptr %sizes, align 4
  %1 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i = icmp eq i32 %1, 0
  %2 = load i32, ptr @tw_expression_count, align 4
  %3 = getelementptr i64, ptr %0, i32 %2
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %3
  %cond.i = load i64, ptr %cond.in.i, align 8
  %cmp = icmp eq i64 %cond.i, 0
  %4 = load i32, ptr @tw_given_count, align 4
  %cmp3 = icmp eq i32 %1, %4
  %or.cond = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %or.cond, label %if.then, label %for.body.i

if.then:                                          ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %call, i32 4
  %5 = load ptr, ptr %slots, align 4
  %call4 = tail call i32 @tw_run(ptr noundef %5, ptr noundef null, i32 noundef %threads) #14
  br label %cleanup13

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i32 %index.010.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, 8
  br i1 %exitcond.not.i, label %take_arena.exit, label %for.body.i

for.body.i:                                       ; preds = %entry, %for.cond.i
  %index.010.i = phi i32 [ %inc.i, %for.cond.i ], [ 0, %entry ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @arenas, i32 %index.010.i
  %6 = atomicrmw xchg ptr %arrayidx.i, i32 0 acq_rel, align 4
  %cmp1.not.i = icmp eq i32 %6, 0
  br i1 %cmp1.not.i, label %for.cond.i, label %cleanup2.i

cleanup2.i:                                       ; preds = %for.body.i
  %7 = inttoptr i32 %6 to ptr
  br label %take_arena.exit

take_arena.exit:                                  ; preds = %for.cond.i, %cleanup2.i
  %.sink.i = phi ptr [ %7, %cleanup2.i ], [ null, %for.cond.i ]
  %call.i = tail call fastcc ptr @sized(ptr noundef %.sink.i, i64 noundef %cond.i) #16
  %cmp6 = icmp eq ptr %call.i, null
  br i1 %cmp6, label %if.then7, label %if.end9

if.then7:                                         ; preds = %take_arena.exit
  tail call fastcc void @fail_arena(i64 noundef %cond.i) #15
  br label %cleanup13

if.end9:                                          ; preds = %take_arena.exit
  %block = getelementptr inbounds nuw i8, ptr %call, i32 16
  store ptr %call.i, ptr %block, align 4
  %slots10 = getelementptr inbounds nuw i8, ptr %call, i32 4
  %8 = load ptr, ptr %slots10, align 4
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call.i, i32 64
  %call12 = tail call i32 @tw_run(ptr noundef %8, ptr noundef nonnull %add.ptr.i, i32 noundef %threads) #14
  %9 = ptrtoint ptr %call.i to i32
  br label %for.body.i10

for.cond.i12:                                     ; preds = %for.body.i10
  %inc.i13 = add nuw nsw i32 %index.07.i, 1
  %exitcond.not.i14 = icmp eq i32 %inc.i13, 8
  br i1 %exitcond.not.i14, label %while.body.i.i, label %for.body.i10

for.body.i10:                                     ; preds = %for.cond.i12, %if.end9
  %index.07.i = phi i32 [ 0, %if.end9 ], [ %inc.i13, %for.cond.i12 ]
  %arrayidx.i11 = getelementptr inbounds nuw ptr, ptr @arenas, i32 %index.07.i
  %10 = cmpxchg ptr %arrayidx.i11, i32 0, i32 %9 acq_rel monotonic, align 4
  %11 = extractvalue { i32, i1 } %10, 1
  br i1 %11, label %cleanup13, label %for.cond.i12

while.body.i.i:                                   ; preds = %for.cond.i12, %while.body.i.i
  %block.addr.04.i.i = phi ptr [ %12, %while.body.i.i ], [ %call.i, %for.cond.i12 ]
  %next1.i.i = getelementptr inbounds nuw i8, ptr %block.addr.04.i.i, i32 8
  %12 = load ptr, ptr %next1.i.i, align 8
  tail call void @free(ptr noundef nonnull %block.addr.04.i.i) #14
  %cmp.not.i.i = icmp eq ptr %12, null
  br i1 %cmp.not.i.i, label %cleanup13, label %while.body.i.i

cleanup13:                                        ; preds = %for.body.i10, %while.body.i.i, %if.then7, %if.then
  %retval.0 = phi i32 [ %call4, %if.then ], [ -1, %if.then7 ], [ %call12, %while.body.i.i ], [ %call12, %for.body.i10 ]
  ret i32 %retval.0
}

declare hidden i32 @tw_run(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #9

define internal ptr @allocate_scrap(ptr noundef captures(none) %context, i32 noundef %output, ptr noundef readonly captures(none) %shape) #0 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %1 = getelementptr %struct.tw_spec, ptr @tw_specs, i32 %0
  %arrayidx = getelementptr %struct.tw_spec, ptr %1, i32 %output
  %bytes1 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 16
  %2 = load i64, ptr %bytes1, align 8
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i32 32
  %3 = load i32, ptr %rank, align 8
  %cmp12 = icmp sgt i32 %3, 0
  %extract.t = trunc i64 %2 to i32
  br i1 %cmp12, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %shape2 = getelementptr inbounds nuw i8, ptr %arrayidx, i32 8
  %4 = load ptr, ptr %shape2, align 8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %axis.014 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %bytes.013 = phi i64 [ %2, %for.body.lr.ph ], [ %bytes.1, %for.inc ]
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %4, i32 %axis.014
  %5 = load i64, ptr %arrayidx3, align 8
  %cmp4 = icmp slt i64 %5, 0
  br i1 %cmp4, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %shape, i32 %axis.014
  %6 = load i64, ptr %arrayidx5, align 8
  %mul = mul i64 %6, %bytes.013
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %bytes.1 = phi i64 [ %mul, %if.then ], [ %bytes.013, %for.body ]
  %inc = add nuw nsw i32 %axis.014, 1
  %exitcond.not = icmp eq i32 %inc, %3
  br i1 %exitcond.not, label %for.end.loopexit, label %for.body

for.end.loopexit:                                 ; preds = %for.inc
  %extract.t15 = trunc i64 %bytes.1 to i32
  br label %for.end

for.end:                                          ; preds = %for.end.loopexit, %entry
  %bytes.0.lcssa.off0 = phi i32 [ %extract.t, %entry ], [ %extract.t15, %for.end.loopexit ]
  %conv = and i32 %bytes.0.lcssa.off0, -64
  %mul7 = add i32 %conv, 128
  %call = tail call ptr @aligned_alloc(i32 noundef 64, i32 noundef %mul7) #14
  %cmp8 = icmp eq ptr %call, null
  br i1 %cmp8, label %cleanup, label %if.end11

if.end11:                                         ; preds = %for.end
  %7 = load ptr, ptr %context, align 4
  store ptr %7, ptr %call, align 4
  store ptr %call, ptr %context, align 4
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i32 64
  br label %cleanup

cleanup:                                          ; preds = %for.end, %if.end11
  %retval.0 = phi ptr [ %add.ptr, %if.end11 ], [ null, %for.end ]
  ret ptr %retval.0
}

declare i32 @llvm.smin.i32(i32, i32) #12

declare i32 @llvm.smax.i32(i32, i32) #12



attributes #0 = { cold noinline nounwind optsize "no-builtins" }
attributes #1 = { nounwind "no-builtins" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { cold nofree noinline norecurse nosync nounwind optsize memory(none) "no-builtins" }
attributes #5 = { cold nofree noinline norecurse nosync nounwind optsize memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #6 = { cold mustprogress nofree noinline norecurse nosync nounwind optsize willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #7 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "no-builtins" }
attributes #8 = { cold nounwind "no-builtins" }
attributes #9 = { "no-builtins" }
attributes #10 = { cold mustprogress nofree noinline norecurse nosync nounwind optsize willreturn memory(argmem: write) "no-builtins" }
attributes #11 = { cold mustprogress nofree noinline norecurse nosync nounwind optsize willreturn memory(argmem: readwrite) "no-builtins" }
attributes #12 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #13 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #14 = { nobuiltin nounwind "no-builtins" }
attributes #15 = { cold nobuiltin "no-builtins" }
attributes #16 = { nobuiltin "no-builtins" }
