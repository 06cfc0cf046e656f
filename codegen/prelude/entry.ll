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
@__tw_weights = local_unnamed_addr global ptr null, align 8
@__tw_running = global i32 0, align 4
@__tw_pool = local_unnamed_addr global ptr null, align 8
@__tw_raise = local_unnamed_addr global ptr null, align 8
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null, align 8
@__tvm_ffi__library_ctx = weak local_unnamed_addr global ptr null, align 8
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
@IS_ALIGNED = internal constant %struct.rule { ptr @.str.8, ptr @.str.41, ptr @.str.42 }, align 8
@IS_TENSOR = internal constant %struct.rule { ptr @.str.5, ptr @.str.28, ptr @.str.29 }, align 8
@tw_device_type = external hidden local_unnamed_addr constant i32, align 4
@IS_IN_CPU_MEMORY = internal constant %struct.rule { ptr @.str.8, ptr @.str.30, ptr @.str.31 }, align 8
@HAS_DTYPE = internal constant %struct.rule { ptr @.str.5, ptr @.str.32, ptr @.str.33 }, align 8
@HAS_RANK = internal constant %struct.rule { ptr @.str.8, ptr @.str.34, ptr @.str.35 }, align 8
@.str.28 = private unnamed_addr constant [16 x i8] c"is not a tensor\00", align 1
@.str.29 = private unnamed_addr constant [16 x i8] c"type index %lld\00", align 1
@.str.30 = private unnamed_addr constant [21 x i8] c"is not in CPU memory\00", align 1
@.str.31 = private unnamed_addr constant [37 x i8] c"DLPack device type %lld, number %lld\00", align 1
@.str.32 = private unnamed_addr constant [20 x i8] c"has the wrong dtype\00", align 1
@.str.33 = private unnamed_addr constant [45 x i8] c"DLPack type code %lld, %lld bits, %lld lanes\00", align 1
@.str.34 = private unnamed_addr constant [35 x i8] c"has the wrong number of dimensions\00", align 1
@.str.35 = private unnamed_addr constant [16 x i8] c"%lld dimensions\00", align 1
@HAS_ROOM = internal constant %struct.rule { ptr @.str.8, ptr @.str.36, ptr @.str.19 }, align 8
@HAS_SIZE = internal constant %struct.rule { ptr @.str.8, ptr @.str.37, ptr @.str.19 }, align 8
@HAS_SHAPE = internal constant %struct.rule { ptr @.str.8, ptr @.str.37, ptr @.str.38 }, align 8
@.str.36 = private unnamed_addr constant [13 x i8] c"is too small\00", align 1
@.str.37 = private unnamed_addr constant [20 x i8] c"has the wrong shape\00", align 1
@.str.38 = private unnamed_addr constant [28 x i8] c"size %lld in dimension %lld\00", align 1
@IS_ROW_MAJOR = internal constant %struct.rule { ptr @.str.8, ptr @.str.39, ptr @.str.40 }, align 8
@.str.39 = private unnamed_addr constant [38 x i8] c"is not stored row by row without gaps\00", align 1
@.str.40 = private unnamed_addr constant [46 x i8] c"stride %lld in dimension %lld instead of %lld\00", align 1
@.str.41 = private unnamed_addr constant [39 x i8] c"is null or not aligned to its elements\00", align 1
@.str.42 = private unnamed_addr constant [40 x i8] c"address %#llx, needs a multiple of %lld\00", align 1
@HAS_VALID_SIZE = internal constant %struct.rule { ptr @.str.8, ptr @.str.44, ptr @.str.19 }, align 8
@.str.43 = private unnamed_addr constant [71 x i8] c"%s: argument %d (%s) %s\0A    expected: %s\0A    got: %s\0A    signature: %s\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.44 = private unnamed_addr constant [29 x i8] c"has a size that is not valid\00", align 1
@.str.45 = private unnamed_addr constant [8 x i8] c" = %lld\00", align 1
@.str.46 = private unnamed_addr constant [9 x i8] c", where \00", align 1
@.str.47 = private unnamed_addr constant [20 x i8] c"%s is in %lld..%lld\00", align 1
@.str.48 = private unnamed_addr constant [118 x i8] c"%s: argument %d (%s) %s\0A    expected: %s, dimension %lld: %s%s\0A    got: size %lld in dimension %lld\0A    signature: %s\00", align 1
@.str.49 = private unnamed_addr constant [10 x i8] c"at least \00", align 1
@.str.50 = private unnamed_addr constant [61 x i8] c"%s: no memory for an output\0A    got: nothing for output %lld\00", align 1
@IS_APART = internal constant %struct.rule { ptr @.str.8, ptr @.str.51, ptr @.str.52 }, align 8
@.str.51 = private unnamed_addr constant [36 x i8] c"shares memory with another argument\00", align 1
@.str.52 = private unnamed_addr constant [27 x i8] c"overlap with argument %lld\00", align 1
@tw_arena_bytes = external hidden local_unnamed_addr constant i64, align 8
@.str.53 = private unnamed_addr constant [68 x i8] c"%s: no memory for the intermediate results\0A    expected: %lld bytes\00", align 1
@.str.54 = private unnamed_addr constant [41 x i8] c"%s: a kernel failed\0A    got: status %lld\00", align 1
@.str.55 = private unnamed_addr constant [136 x i8] c"%s: the sizes of the outputs do not follow from the inputs\0A    expected: a call with arrays for the outputs, the first is argument %lld\00", align 1
@tw_max_threads = external hidden local_unnamed_addr constant i32, align 4
@.str.56 = private unnamed_addr constant [91 x i8] c"%s: the first argument is not a thread count\0A    expected: an int\0A    got: type index %lld\00", align 1
@.str.57 = private unnamed_addr constant [101 x i8] c"%s: wrong number of arguments\0A    expected: %d (%d inputs, %d outputs)\0A    got: %d\0A    signature: %s\00", align 1

define hidden noundef signext i32 @tw_fail(ptr noundef %kind, ptr noundef %message) local_unnamed_addr #0 {
entry:
  %call = tail call ptr @memcpy(ptr noundef nonnull @__tw_last_error, ptr noundef %message, i64 noundef 1024) #14
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

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

define hidden noundef signext i32 @tw_fail_index(ptr noundef readonly captures(none) %check, i64 noundef %position, i64 noundef %got, i64 noundef %low, i64 noundef %high) local_unnamed_addr #0 {
entry:
  %where = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %where, i64 noundef 256, ptr noundef nonnull @.str.11) #14
  %conv.i = sext i32 %call.i to i64
  %rank.i = getelementptr inbounds nuw i8, ptr %check, i64 16
  %0 = load i64, ptr %rank.i, align 8
  %cmp24.i = icmp sgt i64 %0, 0
  %sub25.i = sub nsw i64 256, %conv.i
  %cmp226.i = icmp slt i32 %call.i, 225
  %1 = select i1 %cmp24.i, i1 %cmp226.i, i1 false
  br i1 %1, label %for.body.lr.ph.i, label %write_position.exit

for.body.lr.ph.i:                                 ; preds = %entry
  %shape.i = getelementptr inbounds nuw i8, ptr %check, i64 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.cond.cleanup8.i, %for.body.lr.ph.i
  %sub29.i = phi i64 [ %sub25.i, %for.body.lr.ph.i ], [ %sub.i, %for.cond.cleanup8.i ]
  %2 = phi i64 [ %0, %for.body.lr.ph.i ], [ %4, %for.cond.cleanup8.i ]
  %length.028.i = phi i64 [ %conv.i, %for.body.lr.ph.i ], [ %add17.i, %for.cond.cleanup8.i ]
  %axis.027.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %add.i, %for.cond.cleanup8.i ]
  %add.i = add nuw nsw i64 %axis.027.i, 1
  %cmp621.i = icmp slt i64 %add.i, %2
  %.pre.i = load ptr, ptr %shape.i, align 8
  br i1 %cmp621.i, label %for.body9.i, label %for.cond.cleanup8.i

for.cond.cleanup8.i:                              ; preds = %for.body9.i, %for.body.i
  %elements.0.lcssa.i = phi i64 [ 1, %for.body.i ], [ %mul.i, %for.body9.i ]
  %div.i = sdiv i64 %position, %elements.0.lcssa.i
  %arrayidx11.i = getelementptr inbounds nuw i64, ptr %.pre.i, i64 %axis.027.i
  %3 = load i64, ptr %arrayidx11.i, align 8
  %rem.i = srem i64 %div.i, %3
  %cmp12.i = icmp eq i64 %axis.027.i, 0
  %cond.i = select i1 %cmp12.i, ptr @.str.12, ptr @.str.13
  %add.ptr.i = getelementptr inbounds i8, ptr %where, i64 %length.028.i
  %call15.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i, i64 noundef %sub29.i, ptr noundef nonnull %cond.i, i64 noundef %rem.i) #14
  %conv16.i = sext i32 %call15.i to i64
  %add17.i = add nsw i64 %length.028.i, %conv16.i
  %4 = load i64, ptr %rank.i, align 8
  %cmp.i = icmp slt i64 %add.i, %4
  %sub.i = sub nsw i64 256, %add17.i
  %cmp2.i = icmp slt i64 %add17.i, 225
  %5 = select i1 %cmp.i, i1 %cmp2.i, i1 false
  br i1 %5, label %for.body.i, label %write_position.exit

for.body9.i:                                      ; preds = %for.body.i, %for.body9.i
  %inner.023.i = phi i64 [ %inc.i, %for.body9.i ], [ %add.i, %for.body.i ]
  %elements.022.i = phi i64 [ %mul.i, %for.body9.i ], [ 1, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %.pre.i, i64 %inner.023.i
  %6 = load i64, ptr %arrayidx.i, align 8
  %mul.i = mul nsw i64 %6, %elements.022.i
  %inc.i = add nuw nsw i64 %inner.023.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %2
  br i1 %exitcond.not.i, label %for.cond.cleanup8.i, label %for.body9.i

write_position.exit:                              ; preds = %for.cond.cleanup8.i, %entry
  %length.0.lcssa.i = phi i64 [ %conv.i, %entry ], [ %add17.i, %for.cond.cleanup8.i ]
  %sub.lcssa.i = phi i64 [ %sub25.i, %entry ], [ %sub.i, %for.cond.cleanup8.i ]
  %add.ptr21.i = getelementptr inbounds i8, ptr %where, i64 %length.0.lcssa.i
  %call23.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr21.i, i64 noundef %sub.lcssa.i, ptr noundef nonnull @.str.14) #14
  %7 = load ptr, ptr %check, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, ptr noundef %7, i64 noundef %low, i64 noundef %high, i64 noundef %got, ptr noundef nonnull %where) #14
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #15
  ret i32 -1
}

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #1

define hidden noundef signext i32 @tw_missing_function(ptr noundef %name, ptr noundef readnone captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, ptr noundef %name) #14
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #15
  ret i32 -1
}

define hidden signext range(i32 0, 2) i32 @tw_is_on_device(ptr noundef readonly captures(none) %slots, i32 noundef signext %index) local_unnamed_addr #2 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = sext i32 %0 to i64
  %2 = getelementptr %union.tw_slot, ptr %slots, i64 %1
  %arrayidx = getelementptr i8, ptr %2, i64 8
  %3 = load ptr, ptr %arrayidx, align 8
  %4 = load i32, ptr @tw_inputs, align 4
  %cmp = icmp slt i32 %index, %4
  br i1 %cmp, label %land.rhs, label %lor.rhs

lor.rhs:                                          ; preds = %entry
  %allocate = getelementptr inbounds nuw i8, ptr %3, i64 40
  %5 = load ptr, ptr %allocate, align 8
  %cmp1 = icmp eq ptr %5, null
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry, %lor.rhs
  %6 = load ptr, ptr %3, align 8
  %idxprom2 = sext i32 %index to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_value, ptr %6, i64 %idxprom2
  %7 = load i32, ptr %arrayidx3, align 8
  %8 = icmp eq i32 %7, 7
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %9 = load ptr, ptr %payload.i, align 8
  %retval.0.i.idx = select i1 %8, i64 0, i64 24
  %retval.0.i = getelementptr inbounds nuw i8, ptr %9, i64 %retval.0.i.idx
  %device_type = getelementptr inbounds nuw i8, ptr %retval.0.i, i64 8
  %10 = load i32, ptr %device_type, align 8
  %cmp5 = icmp ne i32 %10, 1
  %11 = zext i1 %cmp5 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.rhs
  %land.ext = phi i32 [ 0, %lor.rhs ], [ %11, %land.rhs ]
  ret i32 %land.ext
}

define void @__tw_release() local_unnamed_addr #1 {
entry:
  br label %for.body

for.body:                                         ; preds = %entry, %free_blocks.exit
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %free_blocks.exit ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv
  %0 = atomicrmw xchg ptr %arrayidx, i64 0 acq_rel, align 8
  %cmp.not3.i = icmp eq i64 %0, 0
  br i1 %cmp.not3.i, label %free_blocks.exit, label %while.body.i.preheader

while.body.i.preheader:                           ; preds = %for.body
  %1 = inttoptr i64 %0 to ptr
  br label %while.body.i

while.body.i:                                     ; preds = %while.body.i.preheader, %while.body.i
  %block.addr.04.i = phi ptr [ %2, %while.body.i ], [ %1, %while.body.i.preheader ]
  %next1.i = getelementptr inbounds nuw i8, ptr %block.addr.04.i, i64 8
  %2 = load ptr, ptr %next1.i, align 8
  tail call void @free(ptr noundef nonnull %block.addr.04.i) #14
  %cmp.not.i = icmp eq ptr %2, null
  br i1 %cmp.not.i, label %free_blocks.exit, label %while.body.i

free_blocks.exit:                                 ; preds = %while.body.i, %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8
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

define hidden ptr @tw_bind(ptr noundef readonly captures(none) %slots, i32 noundef signext %stage, i64 noundef %value) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = sext i32 %0 to i64
  %2 = getelementptr %union.tw_slot, ptr %slots, i64 %1
  %arrayidx = getelementptr i8, ptr %2, i64 8
  %3 = load ptr, ptr %arrayidx, align 8
  %4 = load i32, ptr @tw_given_count, align 4
  %add1 = add i32 %stage, -1
  %sub = add i32 %add1, %4
  %idxprom2 = sext i32 %sub to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom2
  %5 = load i64, ptr %arrayidx3, align 8
  %cmp = icmp slt i64 %value, %5
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %most = getelementptr inbounds nuw i8, ptr %arrayidx3, i64 8
  %6 = load i64, ptr %most, align 8
  %cmp6 = icmp sgt i64 %value, %6
  br i1 %cmp6, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  tail call fastcc void @fail_computed(i32 noundef signext %sub, i64 noundef %value) #15
  br label %cleanup32

if.end:                                           ; preds = %lor.lhs.false
  %sizes = getelementptr inbounds nuw i8, ptr %3, i64 16
  %7 = load ptr, ptr %sizes, align 8
  %arrayidx9 = getelementptr inbounds i64, ptr %7, i64 %idxprom2
  store i64 %value, ptr %arrayidx9, align 8
  %call10 = tail call fastcc signext i32 @begin_stage(ptr noundef %3, i32 noundef signext %stage) #16
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %if.end13, label %cleanup32

if.end13:                                         ; preds = %if.end
  %end = getelementptr inbounds nuw i8, ptr %3, i64 56
  %8 = load i32, ptr %end, align 8
  %cmp14 = icmp eq i32 %stage, %8
  %conv = zext i1 %cmp14 to i32
  %has_ended = getelementptr inbounds nuw i8, ptr %3, i64 60
  store i32 %conv, ptr %has_ended, align 4
  br i1 %cmp14, label %cleanup32, label %if.end17

if.end17:                                         ; preds = %if.end13
  %9 = load ptr, ptr %sizes, align 8
  %10 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i = icmp eq i32 %10, 0
  %11 = load i32, ptr @tw_expression_count, align 4
  %add.i = add nsw i32 %11, %stage
  %idxprom.i = sext i32 %add.i to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %9, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %block20 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %12 = load ptr, ptr %block20, align 8
  %next = getelementptr inbounds nuw i8, ptr %12, i64 8
  %13 = load ptr, ptr %next, align 8
  %call21 = tail call fastcc ptr @sized(ptr noundef %13, i64 noundef %cond.i) #16
  %14 = load ptr, ptr %block20, align 8
  %next23 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store ptr %call21, ptr %next23, align 8
  %cmp24 = icmp eq ptr %call21, null
  br i1 %cmp24, label %if.then26, label %if.end28

if.then26:                                        ; preds = %if.end17
  tail call fastcc void @fail_arena(i64 noundef %cond.i) #15
  br label %cleanup32

if.end28:                                         ; preds = %if.end17
  store ptr %call21, ptr %block20, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call21, i64 64
  br label %cleanup32

cleanup32:                                        ; preds = %if.end13, %if.end, %if.then26, %if.end28, %if.then
  %retval.0 = phi ptr [ null, %if.then ], [ %add.ptr.i, %if.end28 ], [ null, %if.end ], [ null, %if.then26 ], [ null, %if.end13 ]
  ret ptr %retval.0
}

define internal fastcc void @fail_computed(i32 noundef signext range(i32 -2147483648, 2147483647) %index, i64 noundef %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %arrayidx2 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %0 = load ptr, ptr %arrayidx2, align 8
  %1 = load i64, ptr %arrayidx, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load i64, ptr %most, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.15, ptr noundef nonnull @tw_name, ptr noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %got) #14
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message) #15
  ret void
}

define internal fastcc signext range(i32 -1, 1) i32 @begin_stage(ptr noundef readonly captures(none) %call, i32 noundef signext %stage) unnamed_addr #1 {
entry:
  %finding.i15 = alloca %struct.finding, align 8
  %finding.i = alloca %struct.finding, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %sizes, align 8
  %call1 = tail call fastcc signext i32 @derive(ptr noundef %0, i32 noundef signext %stage) #16
  %cmp.not = icmp eq i32 %call1, 0
  br i1 %cmp.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %entry
  %1 = load i32, ptr @tw_arguments, align 4
  %cmp236 = icmp sgt i32 %1, 0
  br i1 %cmp236, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %2 = load i32, ptr @tw_inputs, align 4
  %allocate = getelementptr inbounds nuw i8, ptr %call, i64 40
  %slots.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  %bytes.i.i = getelementptr inbounds nuw i8, ptr %call, i64 24
  %3 = sext i32 %2 to i64
  %wide.trip.count = zext nneg i32 %1 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %stage3 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 52
  %4 = load i32, ptr %stage3, align 4
  %cmp4.not = icmp eq i32 %4, %stage
  br i1 %cmp4.not, label %if.end6, label %for.inc

if.end6:                                          ; preds = %for.body
  %cmp7 = icmp slt i64 %indvars.iv, %3
  br i1 %cmp7, label %cond.true, label %lor.rhs

lor.rhs:                                          ; preds = %if.end6
  %5 = load ptr, ptr %allocate, align 8
  %cmp8 = icmp eq ptr %5, null
  br i1 %cmp8, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.end6, %lor.rhs
  %6 = load ptr, ptr %call, align 8
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_value, ptr %6, i64 %indvars.iv
  %7 = load ptr, ptr %slots.i, align 8
  %arrayidx2.i = getelementptr inbounds nuw %union.tw_slot, ptr %7, i64 %indvars.iv
  %8 = load i32, ptr %arrayidx.i, align 8
  switch i32 %8, label %check_type.exit.i.i [
    i32 7, label %tensor_of.exit.i.i.i
    i32 70, label %land.lhs.true.i.i.i.i
  ]

land.lhs.true.i.i.i.i:                            ; preds = %cond.true
  %payload3.i.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %9 = load ptr, ptr %payload3.i.i.i.i, align 8
  %cmp4.not.i.i.i.i = icmp eq ptr %9, null
  %tensor.i.i.i.i = getelementptr inbounds nuw i8, ptr %9, i64 24
  br i1 %cmp4.not.i.i.i.i, label %check_type.exit.i.i, label %land.lhs.true.i.i.i

tensor_of.exit.i.i.i:                             ; preds = %cond.true
  %payload.i.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %10 = load ptr, ptr %payload.i.i.i.i, align 8
  %cmp.not.i.i.i = icmp eq ptr %10, null
  br i1 %cmp.not.i.i.i, label %check_type.exit.i.i, label %land.lhs.true.i.i.i

land.lhs.true.i.i.i:                              ; preds = %tensor_of.exit.i.i.i, %land.lhs.true.i.i.i.i
  %retval.0.i.i51.i.i = phi ptr [ %10, %tensor_of.exit.i.i.i ], [ %tensor.i.i.i.i, %land.lhs.true.i.i.i.i ]
  %device_type.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i51.i.i, i64 8
  %11 = load i32, ptr %device_type.i.i.i, align 8
  %cmp1.i.i.i = icmp eq i32 %11, 1
  br i1 %cmp1.i.i.i, label %land.lhs.true2.i.i.i, label %check_type.exit.i.i

land.lhs.true2.i.i.i:                             ; preds = %land.lhs.true.i.i.i
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i51.i.i, i64 20
  %12 = load i32, ptr %dtype.i.i.i, align 4
  %dtype3.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %13 = load i32, ptr %dtype3.i.i.i, align 4
  %cmp4.i.i.i = icmp eq i32 %12, %13
  br i1 %cmp4.i.i.i, label %land.lhs.true5.i.i.i, label %check_type.exit.i.i

land.lhs.true5.i.i.i:                             ; preds = %land.lhs.true2.i.i.i
  %rank.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i51.i.i, i64 16
  %14 = load i32, ptr %rank.i.i.i, align 8
  %rank6.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %15 = load i32, ptr %rank6.i.i.i, align 8
  %cmp7.i.i.i = icmp eq i32 %14, %15
  br i1 %cmp7.i.i.i, label %lor.lhs.false.i.i, label %check_type.exit.i.i

check_type.exit.i.i:                              ; preds = %land.lhs.true5.i.i.i, %land.lhs.true2.i.i.i, %land.lhs.true.i.i.i, %tensor_of.exit.i.i.i, %land.lhs.true.i.i.i.i, %cond.true
  %retval.0.i.i46.i.i = phi ptr [ null, %tensor_of.exit.i.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true5.i.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true2.i.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true.i.i.i ], [ null, %cond.true ], [ null, %land.lhs.true.i.i.i.i ]
  %call8.i.i.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx, ptr noundef nonnull readonly %arrayidx.i, ptr noundef %retval.0.i.i46.i.i, ptr noundef nonnull %finding.i) #15
  br i1 %call8.i.i.i, label %check_type.exit.lor.lhs.false_crit_edge.i.i, label %if.end.i

check_type.exit.lor.lhs.false_crit_edge.i.i:      ; preds = %check_type.exit.i.i
  %rank.i15.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %.pre.i.i = load i32, ptr %rank.i15.phi.trans.insert.i.i, align 8
  br label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %check_type.exit.lor.lhs.false_crit_edge.i.i, %land.lhs.true5.i.i.i
  %16 = phi i32 [ %.pre.i.i, %check_type.exit.lor.lhs.false_crit_edge.i.i ], [ %14, %land.lhs.true5.i.i.i ]
  %retval.0.i.i4754.i.i = phi ptr [ %retval.0.i.i46.i.i, %check_type.exit.lor.lhs.false_crit_edge.i.i ], [ %retval.0.i.i51.i.i, %land.lhs.true5.i.i.i ]
  %17 = load ptr, ptr %sizes, align 8
  %cmp.i72.i.i = icmp sgt i32 %16, 0
  br i1 %cmp.i72.i.i, label %for.body.i.lr.ph.i.i, label %if.end.thread.i.i

if.end.thread.i.i:                                ; preds = %lor.lhs.false.i.i
  %18 = load ptr, ptr %retval.0.i.i4754.i.i, align 8
  %byte_offset97.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i64 40
  %19 = load i64, ptr %byte_offset97.i.i, align 8
  %add.ptr98.i.i = getelementptr inbounds nuw i8, ptr %18, i64 %19
  store ptr %add.ptr98.i.i, ptr %arrayidx2.i, align 8
  %bytes1.i99.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %20 = load i64, ptr %bytes1.i99.i.i, align 8
  br label %bytes_of.exit.i.i

for.body.i.lr.ph.i.i:                             ; preds = %lor.lhs.false.i.i
  %shape.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i64 24
  %21 = load ptr, ptr %shape.i.i.i, align 8
  %shape1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %22 = load ptr, ptr %shape1.i.i.i, align 8
  %wide.trip.count.i.i = zext nneg i32 %16 to i64
  br label %for.body.i.i.i

for.cond.i.i.i:                                   ; preds = %if.end24.i.i.i, %land.lhs.true15.i.i.i, %land.lhs.true.i18.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %if.end.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.cond.i.i.i, %for.body.i.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.i.lr.ph.i.i ], [ %indvars.iv.next.i.i, %for.cond.i.i.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %21, i64 %indvars.iv.i.i
  %23 = load i64, ptr %arrayidx.i.i.i, align 8
  %arrayidx3.i.i.i = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.i.i
  %24 = load i64, ptr %arrayidx3.i.i.i, align 8
  %cmp4.i16.i.i = icmp slt i64 %24, 0
  br i1 %cmp4.i16.i.i, label %land.end.i.i.i, label %if.end24.i.i.i

land.end.i.i.i:                                   ; preds = %for.body.i.i.i
  %sub.i.i.i = xor i64 %24, -1
  %arrayidx5.i.i.i = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %sub.i.i.i
  %stage.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx5.i.i.i, i64 48
  %25 = load i32, ptr %stage.i.i.i, align 8
  %cmp6.i.i.i = icmp sgt i32 %25, 0
  %arrayidx8.i.i.i = getelementptr inbounds nuw i64, ptr %17, i64 %sub.i.i.i
  %26 = load i64, ptr %arrayidx8.i.i.i, align 8
  br i1 %cmp6.i.i.i, label %land.lhs.true.i18.i.i, label %land.lhs.true15.i.i.i

land.lhs.true.i18.i.i:                            ; preds = %land.end.i.i.i
  %cmp9.i.i.i = icmp slt i64 %23, %26
  br i1 %cmp9.i.i.i, label %if.then.i.i.i, label %for.cond.i.i.i

if.then.i.i.i:                                    ; preds = %land.lhs.true.i18.i.i
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @HAS_ROOM, i64 noundef %23, i64 noundef %indvars.iv.i.i, i64 noundef %sub.i.i.i) #15
  br label %if.end.i

land.lhs.true15.i.i.i:                            ; preds = %land.end.i.i.i
  %cmp18.not.i.i.i = icmp eq i64 %23, %26
  br i1 %cmp18.not.i.i.i, label %for.cond.i.i.i, label %if.then20.i.i.i

if.then20.i.i.i:                                  ; preds = %land.lhs.true15.i.i.i
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @HAS_SIZE, i64 noundef %23, i64 noundef %indvars.iv.i.i, i64 noundef %sub.i.i.i) #15
  br label %if.end.i

if.end24.i.i.i:                                   ; preds = %for.body.i.i.i
  %cmp28.not.i.i.i = icmp eq i64 %23, %24
  br i1 %cmp28.not.i.i.i, label %for.cond.i.i.i, label %if.then30.i.i.i

if.then30.i.i.i:                                  ; preds = %if.end24.i.i.i
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @HAS_SHAPE, i64 noundef %23, i64 noundef %indvars.iv.i.i, i64 noundef 0) #15
  br label %if.end.i

if.end.i.i:                                       ; preds = %for.cond.i.i.i
  %27 = load ptr, ptr %retval.0.i.i4754.i.i, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i64 40
  %28 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %27, i64 %28
  store ptr %add.ptr.i.i, ptr %arrayidx2.i, align 8
  %bytes1.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %29 = load i64, ptr %bytes1.i.i.i, align 8
  br label %for.body.i22.i.i

for.body.i22.i.i:                                 ; preds = %for.inc.i24.i.i, %if.end.i.i
  %indvars.iv.i.i.i = phi i64 [ 0, %if.end.i.i ], [ %indvars.iv.next.i.i.i, %for.inc.i24.i.i ]
  %bytes.08.i.i.i = phi i64 [ %29, %if.end.i.i ], [ %bytes.1.i.i.i, %for.inc.i24.i.i ]
  %arrayidx.i23.i.i = getelementptr inbounds nuw i64, ptr %22, i64 %indvars.iv.i.i.i
  %30 = load i64, ptr %arrayidx.i23.i.i, align 8
  %cmp2.i.i.i = icmp slt i64 %30, 0
  br i1 %cmp2.i.i.i, label %if.then.i25.i.i, label %for.inc.i24.i.i

if.then.i25.i.i:                                  ; preds = %for.body.i22.i.i
  %31 = load ptr, ptr %shape.i.i.i, align 8
  %arrayidx5.i26.i.i = getelementptr inbounds nuw i64, ptr %31, i64 %indvars.iv.i.i.i
  %32 = load i64, ptr %arrayidx5.i26.i.i, align 8
  %mul.i.i.i = mul i64 %32, %bytes.08.i.i.i
  br label %for.inc.i24.i.i

for.inc.i24.i.i:                                  ; preds = %if.then.i25.i.i, %for.body.i22.i.i
  %bytes.1.i.i.i = phi i64 [ %mul.i.i.i, %if.then.i25.i.i ], [ %bytes.08.i.i.i, %for.body.i22.i.i ]
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i.i, label %bytes_of.exit.i.i, label %for.body.i22.i.i

bytes_of.exit.i.i:                                ; preds = %for.inc.i24.i.i, %if.end.thread.i.i
  %bytes.0.lcssa.i.i.i = phi i64 [ %20, %if.end.thread.i.i ], [ %bytes.1.i.i.i, %for.inc.i24.i.i ]
  %33 = load ptr, ptr %bytes.i.i, align 8
  %arrayidx5.i.i = getelementptr inbounds nuw i64, ptr %33, i64 %indvars.iv
  store i64 %bytes.0.lcssa.i.i.i, ptr %arrayidx5.i.i, align 8
  %34 = load ptr, ptr %bytes.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds nuw i64, ptr %34, i64 %indvars.iv
  %35 = load i64, ptr %arrayidx8.i.i, align 8
  %cmp.i.i = icmp eq i64 %35, 0
  br i1 %cmp.i.i, label %check_one.exit, label %if.end10.i.i

if.end10.i.i:                                     ; preds = %bytes_of.exit.i.i
  %strides.i.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i64 32
  %36 = load ptr, ptr %strides.i.i.i, align 8
  %cmp.i27.i.i = icmp eq ptr %36, null
  %cmp116.i.i.i = icmp slt i32 %16, 1
  %or.cond.i.i = or i1 %cmp116.i.i.i, %cmp.i27.i.i
  br i1 %or.cond.i.i, label %if.end13.i.i, label %for.body.lr.ph.i30.i.i

for.body.lr.ph.i30.i.i:                           ; preds = %if.end10.i.i
  %shape.i31.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i4754.i.i, i64 24
  %37 = load ptr, ptr %shape.i31.i.i, align 8
  %38 = zext nneg i32 %16 to i64
  br label %for.body.i32.i.i

for.body.i32.i.i:                                 ; preds = %if.end8.i.i.i, %for.body.lr.ph.i30.i.i
  %indvars.iv.i33.i.i = phi i64 [ %38, %for.body.lr.ph.i30.i.i ], [ %indvars.iv.next.i34.i.i, %if.end8.i.i.i ]
  %expected.017.i.i.i = phi i64 [ 1, %for.body.lr.ph.i30.i.i ], [ %mul.i39.i.i, %if.end8.i.i.i ]
  %indvars.iv.next.i34.i.i = add nsw i64 %indvars.iv.i33.i.i, -1
  %arrayidx.i35.i.i = getelementptr inbounds nuw i64, ptr %36, i64 %indvars.iv.next.i34.i.i
  %39 = load i64, ptr %arrayidx.i35.i.i, align 8
  %arrayidx4.i.i.i = getelementptr inbounds nuw i64, ptr %37, i64 %indvars.iv.next.i34.i.i
  %40 = load i64, ptr %arrayidx4.i.i.i, align 8
  %cmp5.not.i.i.i = icmp eq i64 %40, 1
  %cmp6.not.i.i.i = icmp eq i64 %39, %expected.017.i.i.i
  %or.cond.i36.i.i = select i1 %cmp5.not.i.i.i, i1 true, i1 %cmp6.not.i.i.i
  br i1 %or.cond.i36.i.i, label %if.end8.i.i.i, label %check_strides.exit.i.i

if.end8.i.i.i:                                    ; preds = %for.body.i32.i.i
  %mul.i39.i.i = mul nsw i64 %40, %expected.017.i.i.i
  %cmp1.i40.i.i = icmp samesign ult i64 %indvars.iv.i33.i.i, 2
  br i1 %cmp1.i40.i.i, label %if.end13.i.i, label %for.body.i32.i.i

check_strides.exit.i.i:                           ; preds = %for.body.i32.i.i
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @IS_ROW_MAJOR, i64 noundef %39, i64 noundef %indvars.iv.next.i34.i.i, i64 noundef %expected.017.i.i.i) #15
  br label %if.end.i

if.end13.i.i:                                     ; preds = %if.end8.i.i.i, %if.end10.i.i
  %41 = load ptr, ptr %arrayidx2.i, align 8
  %42 = ptrtoint ptr %41 to i64
  %43 = load ptr, ptr %retval.0.i.i4754.i.i, align 8
  %cmp15.i.i = icmp eq ptr %43, null
  %alignment19.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %.pre85.i.i = load i64, ptr %alignment19.phi.trans.insert.i.i, align 8
  br i1 %cmp15.i.i, label %if.then18.i.i, label %lor.lhs.false16.i.i

lor.lhs.false16.i.i:                              ; preds = %if.end13.i.i
  %sub.i.i = add nsw i64 %.pre85.i.i, -1
  %and.i.i = and i64 %sub.i.i, %42
  %cmp17.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %cmp17.not.i.i, label %check_one.exit, label %if.then18.i.i

if.then18.i.i:                                    ; preds = %lor.lhs.false16.i.i, %if.end13.i.i
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef nonnull @IS_ALIGNED, i64 noundef %42, i64 noundef %.pre85.i.i, i64 noundef 0) #15
  br label %if.end.i

if.end.i:                                         ; preds = %if.then18.i.i, %check_strides.exit.i.i, %if.then30.i.i.i, %if.then20.i.i.i, %if.then.i.i.i, %check_type.exit.i.i
  %44 = load ptr, ptr %sizes, align 8
  %45 = trunc nuw nsw i64 %indvars.iv to i32
  call fastcc void @fail_argument(i32 noundef signext %45, ptr noundef %finding.i, ptr noundef %44) #15
  br label %check_one.exit

check_one.exit:                                   ; preds = %bytes_of.exit.i.i, %lor.lhs.false16.i.i, %if.end.i
  %retval.0.i = phi i32 [ -1, %if.end.i ], [ 0, %bytes_of.exit.i.i ], [ 0, %lor.lhs.false16.i.i ]
  br label %cond.end

cond.false:                                       ; preds = %lor.rhs
  %46 = trunc nuw nsw i64 %indvars.iv to i32
  %call10 = tail call fastcc signext i32 @allocate_one(i32 noundef signext %46, ptr noundef nonnull %call) #16
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %check_one.exit
  %cond = phi i32 [ %retval.0.i, %check_one.exit ], [ %call10, %cond.false ]
  %cmp11.not = icmp eq i32 %cond, 0
  br i1 %cmp11.not, label %for.inc, label %return

for.inc:                                          ; preds = %cond.end, %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %for.cond.preheader
  %allocate16 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %47 = load ptr, ptr %allocate16, align 8
  %cmp17 = icmp eq ptr %47, null
  br i1 %cmp17, label %cond.true18, label %return

cond.true18:                                      ; preds = %for.end
  %slots1.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  %48 = load ptr, ptr %slots1.i, align 8
  %49 = load i32, ptr @tw_inputs, align 4
  %cmp.not37.i = icmp slt i32 %49, %1
  br i1 %cmp.not37.i, label %for.body.lr.ph.i, label %check_overlap.exit

for.body.lr.ph.i:                                 ; preds = %cond.true18
  %bytes.i = getelementptr inbounds nuw i8, ptr %call, i64 24
  %50 = sext i32 %49 to i64
  %wide.trip.count.i = zext nneg i32 %1 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc42.i, %for.body.lr.ph.i
  %indvars.iv44.i = phi i64 [ %50, %for.body.lr.ph.i ], [ %indvars.iv.next45.i, %for.inc42.i ]
  %arrayidx.i16 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv44.i
  %stage2.i = getelementptr inbounds nuw i8, ptr %arrayidx.i16, i64 52
  %51 = load i32, ptr %stage2.i, align 4
  %cmp3.not.i = icmp eq i32 %51, %stage
  br i1 %cmp3.not.i, label %if.end.i17, label %for.inc42.i

if.end.i17:                                       ; preds = %for.body.i
  %arrayidx5.i = getelementptr inbounds %union.tw_slot, ptr %48, i64 %indvars.iv44.i
  %52 = load ptr, ptr %arrayidx5.i, align 8
  %53 = ptrtoint ptr %52 to i64
  br i1 %cmp236, label %for.body9.lr.ph.i, label %for.inc42.i

for.body9.lr.ph.i:                                ; preds = %if.end.i17
  %past.i = getelementptr inbounds nuw i8, ptr %arrayidx.i16, i64 48
  br label %for.body9.i

for.body9.i:                                      ; preds = %for.inc.i, %for.body9.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body9.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx11.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %stage12.i = getelementptr inbounds nuw i8, ptr %arrayidx11.i, i64 52
  %54 = load i32, ptr %stage12.i, align 4
  %cmp13.i = icmp sgt i32 %54, %stage
  br i1 %cmp13.i, label %for.inc.i, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %for.body9.i
  %cmp14.i = icmp ne i32 %54, %stage
  %cmp15.not.i = icmp slt i64 %indvars.iv.i, %indvars.iv44.i
  %or.cond.i = or i1 %cmp15.not.i, %cmp14.i
  br i1 %or.cond.i, label %if.end17.i, label %for.inc.i

if.end17.i:                                       ; preds = %lor.lhs.false.i
  %arrayidx19.i = getelementptr inbounds nuw %union.tw_slot, ptr %48, i64 %indvars.iv.i
  %55 = load ptr, ptr %arrayidx19.i, align 8
  %56 = load i32, ptr %past.i, align 8
  %57 = zext i32 %56 to i64
  %cmp22.i = icmp eq i64 %indvars.iv.i, %57
  %cmp23.i = icmp eq ptr %52, %55
  %58 = select i1 %cmp22.i, i1 %cmp23.i, i1 false
  br i1 %58, label %for.inc.i, label %land.lhs.true24.i

land.lhs.true24.i:                                ; preds = %if.end17.i
  %59 = ptrtoint ptr %55 to i64
  %60 = load ptr, ptr %bytes.i, align 8
  %arrayidx26.i = getelementptr inbounds i64, ptr %60, i64 %indvars.iv44.i
  %61 = load i64, ptr %arrayidx26.i, align 8
  %arrayidx29.i = getelementptr inbounds nuw i64, ptr %60, i64 %indvars.iv.i
  %62 = load i64, ptr %arrayidx29.i, align 8
  %cmp.i.i18 = icmp ne i64 %61, 0
  %cmp1.i.i = icmp ne i64 %62, 0
  %or.cond.i.i19 = and i1 %cmp.i.i18, %cmp1.i.i
  %add.i.i = add i64 %62, %59
  %cmp3.i.i = icmp ugt i64 %add.i.i, %53
  %or.cond5.i.i = and i1 %or.cond.i.i19, %cmp3.i.i
  %add4.i.i = add i64 %61, %53
  %cmp5.i.i = icmp ugt i64 %add4.i.i, %59
  %or.cond31.i = and i1 %cmp5.i.i, %or.cond5.i.i
  br i1 %or.cond31.i, label %cleanup37.thread.i, label %for.inc.i

cleanup37.thread.i:                               ; preds = %land.lhs.true24.i
  %63 = trunc nsw i64 %indvars.iv44.i to i32
  store ptr @IS_APART, ptr %finding.i15, align 8
  %numbers.i = getelementptr inbounds nuw i8, ptr %finding.i15, i64 8
  store i64 %indvars.iv.i, ptr %numbers.i, align 8
  %arrayinit.element.i = getelementptr inbounds nuw i8, ptr %finding.i15, i64 16
  store i64 0, ptr %arrayinit.element.i, align 8
  %arrayinit.element32.i = getelementptr inbounds nuw i8, ptr %finding.i15, i64 24
  store i64 0, ptr %arrayinit.element32.i, align 8
  call fastcc void @fail_argument(i32 noundef signext %63, ptr noundef %finding.i15, ptr noundef null) #15
  br label %check_overlap.exit

for.inc.i:                                        ; preds = %land.lhs.true24.i, %if.end17.i, %lor.lhs.false.i, %for.body9.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.inc42.i, label %for.body9.i

for.inc42.i:                                      ; preds = %for.inc.i, %if.end.i17, %for.body.i
  %indvars.iv.next45.i = add nsw i64 %indvars.iv44.i, 1
  %lftr.wideiv.i = trunc i64 %indvars.iv.next45.i to i32
  %exitcond47.not.i = icmp eq i32 %1, %lftr.wideiv.i
  br i1 %exitcond47.not.i, label %check_overlap.exit, label %for.body.i

check_overlap.exit:                               ; preds = %for.inc42.i, %cond.true18, %cleanup37.thread.i
  %cmp.not33.i = phi i32 [ -1, %cleanup37.thread.i ], [ 0, %cond.true18 ], [ 0, %for.inc42.i ]
  br label %return

return:                                           ; preds = %cond.end, %check_overlap.exit, %for.end, %entry
  %retval.0 = phi i32 [ 0, %for.end ], [ -1, %entry ], [ %cmp.not33.i, %check_overlap.exit ], [ -1, %cond.end ]
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
  %next4 = getelementptr inbounds nuw i8, ptr %block, i64 8
  %1 = load ptr, ptr %next4, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi ptr [ %1, %cond.false ], [ null, %entry ]
  tail call void @free(ptr noundef %block) #14
  %cmp5 = icmp slt i64 %bytes, 9223372036854775744
  br i1 %cmp5, label %if.end7, label %if.then9

if.end7:                                          ; preds = %cond.end
  %add = add nsw i64 %bytes, 64
  %call = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %add) #14
  %cmp8 = icmp eq ptr %call, null
  br i1 %cmp8, label %if.then9, label %if.end10

if.then9:                                         ; preds = %cond.end, %if.end7
  %cmp.not3.i = icmp eq ptr %cond, null
  br i1 %cmp.not3.i, label %return, label %while.body.i

while.body.i:                                     ; preds = %if.then9, %while.body.i
  %block.addr.04.i = phi ptr [ %2, %while.body.i ], [ %cond, %if.then9 ]
  %next1.i = getelementptr inbounds nuw i8, ptr %block.addr.04.i, i64 8
  %2 = load ptr, ptr %next1.i, align 8
  tail call void @free(ptr noundef nonnull %block.addr.04.i) #14
  %cmp.not.i = icmp eq ptr %2, null
  br i1 %cmp.not.i, label %return, label %while.body.i

if.end10:                                         ; preds = %if.end7
  store i64 %bytes, ptr %call, align 8
  %next12 = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %cond, ptr %next12, align 8
  br label %return

return:                                           ; preds = %while.body.i, %if.then9, %land.lhs.true, %if.end10
  %retval.0 = phi ptr [ %call, %if.end10 ], [ %block, %land.lhs.true ], [ null, %if.then9 ], [ null, %while.body.i ]
  ret ptr %retval.0
}

define internal fastcc void @fail_arena(i64 noundef %bytes) unnamed_addr #0 {
entry:
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.53, i64 noundef %bytes) #15
  ret void
}

define weak signext i32 @__tw_load_weights() local_unnamed_addr #0 {
entry:
  %0 = load i64, ptr @tw_weights_bytes, align 8
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.4, i64 noundef %0) #15
  ret i32 -1
}

define internal fastcc void @fail_number(ptr noundef %kind, ptr noundef %format, i64 noundef %number) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef %format, ptr noundef nonnull @tw_name, i64 noundef %number) #14
  %call2 = call signext i32 @tw_fail(ptr noundef %kind, ptr noundef nonnull %message) #15
  ret void
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call = tail call fastcc signext i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %0, ptr noundef null, ptr noundef null) #16
  ret i32 %call
}

define internal fastcc signext range(i32 -1, 1) i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %threads, ptr noundef %allocate, ptr noundef %context) unnamed_addr #1 {
entry:
  %call = alloca %struct.tw_call, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  %add1 = add nsw i32 %0, 1
  %2 = zext i32 %add1 to i64
  %vla2 = alloca i64, i64 %2, align 8
  %3 = load i32, ptr @tw_size_count, align 4
  %add3 = add nsw i32 %3, 1
  %4 = zext i32 %add3 to i64
  %vla4 = alloca i64, i64 %4, align 8
  store ptr %args, ptr %call, align 8
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %vla, ptr %slots, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %call, i64 16
  store ptr %vla4, ptr %sizes, align 8
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr %vla2, ptr %bytes, align 8
  %block = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr null, ptr %block, align 8
  %allocate6 = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %allocate, ptr %allocate6, align 8
  %context7 = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr %context, ptr %context7, align 8
  %end = getelementptr inbounds nuw i8, ptr %call, i64 56
  store i32 2147483647, ptr %end, align 8
  %has_ended = getelementptr inbounds nuw i8, ptr %call, i64 60
  store i32 0, ptr %has_ended, align 4
  %cmp = icmp eq ptr %allocate, null
  %5 = load i32, ptr @tw_inputs, align 4
  %cond = select i1 %cmp, i32 %0, i32 %5
  %cmp8.not = icmp eq i32 %count, %cond
  br i1 %cmp8.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call fastcc void @fail_count(i32 noundef signext %count) #15
  br label %cleanup

if.end:                                           ; preds = %entry
  %call10 = call fastcc signext i32 @enter_call(ptr noundef %call, i32 noundef signext %count, i32 noundef signext %threads) #16
  %6 = add i32 %call10, 1
  %or.cond.i = icmp ult i32 %6, 2
  br i1 %or.cond.i, label %cleanup, label %if.end.i

if.end.i:                                         ; preds = %if.end
  %conv.i = sext i32 %call10 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.54, i64 noundef %conv.i) #15
  br label %cleanup

cleanup:                                          ; preds = %if.end.i, %if.end, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.end.i ], [ %call10, %if.end ]
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @__tw_default_threads, align 4
  %call.i = tail call fastcc signext range(i32 -1, 1) i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %0, ptr noundef null, ptr noundef null) #16
  ret i32 %call.i
}

define signext range(i32 -1, 1) i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %cmp.i = icmp sgt i32 %count, 0
  br i1 %cmp.i, label %land.lhs.true.i, label %has_threads.exit

land.lhs.true.i:                                  ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1.i = icmp eq i32 %0, 1
  br i1 %cmp1.i, label %if.end, label %cond.false.i

cond.false.i:                                     ; preds = %land.lhs.true.i
  %1 = sext i32 %0 to i64
  br label %has_threads.exit

has_threads.exit:                                 ; preds = %entry, %cond.false.i
  %cond.i = phi i64 [ %1, %cond.false.i ], [ 0, %entry ]
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.56, i64 noundef %cond.i) #15
  br label %return

if.end:                                           ; preds = %land.lhs.true.i
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load i64, ptr %payload, align 8
  %conv = trunc i64 %2 to i32
  %call1 = tail call fastcc signext i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef signext %sub, i32 noundef signext %conv, ptr noundef null, ptr noundef null) #16
  br label %return

return:                                           ; preds = %has_threads.exit, %if.end
  %retval.0 = phi i32 [ %call1, %if.end ], [ -1, %has_threads.exit ]
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tw_main_allocating(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %cmp.i = icmp sgt i32 %count, 0
  br i1 %cmp.i, label %land.lhs.true.i, label %has_threads.exit

land.lhs.true.i:                                  ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1.i = icmp eq i32 %0, 1
  br i1 %cmp1.i, label %if.end, label %cond.false.i

cond.false.i:                                     ; preds = %land.lhs.true.i
  %1 = sext i32 %0 to i64
  br label %has_threads.exit

has_threads.exit:                                 ; preds = %entry, %cond.false.i
  %cond.i = phi i64 [ %1, %cond.false.i ], [ 0, %entry ]
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.56, i64 noundef %cond.i) #15
  br label %return

if.end:                                           ; preds = %land.lhs.true.i
  %cmp = icmp samesign ult i32 %count, 3
  br i1 %cmp, label %if.then9, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.end
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 16
  %2 = load i32, ptr %arrayidx, align 8
  %cmp1.not = icmp eq i32 %2, 4
  br i1 %cmp1.not, label %lor.lhs.false2, label %if.then9

lor.lhs.false2:                                   ; preds = %lor.lhs.false
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 24
  %3 = load ptr, ptr %payload, align 8
  %cmp4 = icmp eq ptr %3, null
  br i1 %cmp4, label %if.then9, label %lor.lhs.false5

lor.lhs.false5:                                   ; preds = %lor.lhs.false2
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %args, i64 32
  %4 = load i32, ptr %arrayidx6, align 8
  %cmp8.not = icmp eq i32 %4, 4
  br i1 %cmp8.not, label %if.end11, label %if.then9

if.then9:                                         ; preds = %lor.lhs.false5, %lor.lhs.false2, %lor.lhs.false, %if.end
  %conv = zext nneg i32 %count to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.6, i64 noundef %conv) #15
  br label %return

if.end11:                                         ; preds = %lor.lhs.false5
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 48
  %sub = add nsw i32 %count, -3
  %payload14 = getelementptr inbounds nuw i8, ptr %args, i64 8
  %5 = load i64, ptr %payload14, align 8
  %conv15 = trunc i64 %5 to i32
  %payload17 = getelementptr inbounds nuw i8, ptr %args, i64 40
  %6 = load ptr, ptr %payload17, align 8
  %call18 = tail call fastcc signext i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef signext %sub, i32 noundef signext %conv15, ptr noundef nonnull %3, ptr noundef %6) #16
  br label %return

return:                                           ; preds = %has_threads.exit, %if.end11, %if.then9
  %retval.0 = phi i32 [ -1, %if.then9 ], [ %call18, %if.end11 ], [ -1, %has_threads.exit ]
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tw_output_shapes(ptr readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 1
  %cmp.not = icmp eq i32 %count, %add
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef signext %count) #15
  br label %return

if.end:                                           ; preds = %entry
  %1 = load i32, ptr @tw_size_count, align 4
  %add1 = add nsw i32 %1, 1
  %2 = zext i32 %add1 to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %2, align 8
  %4 = load i32, ptr @tw_arguments, align 4
  %cmp5.i = icmp slt i32 %0, %4
  br i1 %cmp5.i, label %for.body.preheader.i, label %output_stage.exit

for.body.preheader.i:                             ; preds = %if.end
  %5 = sext i32 %0 to i64
  %wide.trip.count.i = sext i32 %4 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ %5, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.body.i ]
  %stage.06.i = phi i32 [ 0, %for.body.preheader.i ], [ %spec.select.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i
  %stage1.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 52
  %6 = load i32, ptr %stage1.i, align 4
  %spec.select.i = tail call i32 @llvm.smax.i32(i32 %6, i32 %stage.06.i)
  %indvars.iv.next.i = add nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %output_stage.exit, label %for.body.i

output_stage.exit:                                ; preds = %for.body.i, %if.end
  %stage.0.lcssa.i = phi i32 [ 0, %if.end ], [ %spec.select.i, %for.body.i ]
  %call3 = tail call fastcc signext i32 @bounded_stages() #15
  %cmp4 = icmp sgt i32 %call3, %stage.0.lcssa.i
  br i1 %cmp4, label %cond.true, label %cond.false

cond.true:                                        ; preds = %output_stage.exit
  %call5 = call fastcc signext i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #15
  %cmp6.not = icmp eq i32 %call5, 0
  br i1 %cmp6.not, label %lor.lhs.false, label %cleanup21

lor.lhs.false:                                    ; preds = %cond.true
  %call7 = call fastcc signext i32 @bind_largest(ptr noundef %vla, i32 noundef signext %stage.0.lcssa.i) #15
  %cmp8.not = icmp eq i32 %call7, 0
  br i1 %cmp8.not, label %if.end12, label %cleanup21

cond.false:                                       ; preds = %output_stage.exit
  %call9 = call fastcc signext i32 @compute_sizes(ptr noundef %args, ptr noundef %vla, i32 noundef signext %stage.0.lcssa.i) #15
  %cmp10.not = icmp eq i32 %call9, 0
  br i1 %cmp10.not, label %if.end12, label %cleanup21

if.end12:                                         ; preds = %cond.false, %lor.lhs.false
  %call13 = call fastcc i64 @write_shapes(ptr noundef %vla, ptr noundef null) #15
  %idxprom = sext i32 %0 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom
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
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return

return:                                           ; preds = %cleanup21, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ %retval.1, %cleanup21 ]
  ret i32 %retval.0
}

define internal fastcc void @fail_count(i32 noundef signext %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_arguments, align 4
  %1 = load i32, ptr @tw_inputs, align 4
  %sub = sub nsw i32 %0, %1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.57, ptr noundef nonnull @tw_name, i32 noundef signext %0, i32 noundef signext %1, i32 noundef signext %sub, i32 noundef signext %got, ptr noundef nonnull @tw_signature) #14
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #15
  ret void
}

declare ptr @llvm.stacksave.p0() #3

define internal fastcc signext i32 @bounded_stages() unnamed_addr #4 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %1 = load i32, ptr @tw_given_count, align 4
  %cmp.not4.not = icmp sgt i32 %0, %1
  br i1 %cmp.not4.not, label %land.rhs.preheader, label %while.end

land.rhs.preheader:                               ; preds = %entry
  %2 = sext i32 %1 to i64
  %3 = add i32 %0, 1
  %4 = sub i32 %3, %1
  %wide.trip.count = zext i32 %4 to i64
  %invariant.gep = getelementptr %struct.tw_symbol, ptr @tw_symbols, i64 %2
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.preheader, %while.body
  %indvars.iv = phi i64 [ 1, %land.rhs.preheader ], [ %indvars.iv.next, %while.body ]
  %gep = getelementptr %struct.tw_symbol, ptr %invariant.gep, i64 %indvars.iv
  %bound = getelementptr i8, ptr %gep, i64 -16
  %5 = load i64, ptr %bound, align 8
  %cmp1.not = icmp eq i64 %5, 1099511627776
  br i1 %cmp1.not, label %while.end.loopexit.split.loop.exit9, label %while.body

while.body:                                       ; preds = %land.rhs
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %while.end, label %land.rhs

while.end.loopexit.split.loop.exit9:              ; preds = %land.rhs
  %6 = trunc nuw nsw i64 %indvars.iv to i32
  br label %while.end

while.end:                                        ; preds = %while.body, %while.end.loopexit.split.loop.exit9, %entry
  %stage.0.lcssa = phi i32 [ 1, %entry ], [ %6, %while.end.loopexit.split.loop.exit9 ], [ %4, %while.body ]
  ret i32 %stage.0.lcssa
}

define internal fastcc signext range(i32 -1, 1) i32 @bind_inputs(ptr noundef readonly captures(none) %args, ptr noundef nonnull %sizes) unnamed_addr #0 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  %call = tail call fastcc signext i32 @bind_symbols(ptr noundef %args, i32 noundef signext %0, ptr noundef nonnull %sizes) #16
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %call1 = tail call fastcc signext i32 @derive(ptr noundef nonnull %sizes, i32 noundef signext 0) #16
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %lor.lhs.false
  %cmp342 = icmp sgt i32 %0, 0
  br i1 %cmp342, label %for.body.preheader, label %return

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count59 = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv56 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next57, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv56
  %arrayidx5 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv56
  %1 = load i32, ptr %arrayidx5, align 8
  switch i32 %1, label %check_type.exit [
    i32 7, label %tensor_of.exit.i
    i32 70, label %land.lhs.true.i.i
  ]

land.lhs.true.i.i:                                ; preds = %for.body
  %payload3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 8
  %2 = load ptr, ptr %payload3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %2, null
  %tensor.i.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  br i1 %cmp4.not.i.i, label %check_type.exit, label %land.lhs.true.i

tensor_of.exit.i:                                 ; preds = %for.body
  %payload.i.i = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 8
  %3 = load ptr, ptr %payload.i.i, align 8
  %cmp.not.i = icmp eq ptr %3, null
  br i1 %cmp.not.i, label %check_type.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %land.lhs.true.i.i, %tensor_of.exit.i
  %retval.0.i.i22 = phi ptr [ %3, %tensor_of.exit.i ], [ %tensor.i.i, %land.lhs.true.i.i ]
  %device_type.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i22, i64 8
  %4 = load i32, ptr %device_type.i, align 8
  %cmp1.i = icmp eq i32 %4, 1
  br i1 %cmp1.i, label %land.lhs.true2.i, label %check_type.exit

land.lhs.true2.i:                                 ; preds = %land.lhs.true.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i22, i64 20
  %5 = load i32, ptr %dtype.i, align 4
  %dtype3.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %6 = load i32, ptr %dtype3.i, align 4
  %cmp4.i = icmp eq i32 %5, %6
  br i1 %cmp4.i, label %land.lhs.true5.i, label %check_type.exit

land.lhs.true5.i:                                 ; preds = %land.lhs.true2.i
  %rank.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i22, i64 16
  %7 = load i32, ptr %rank.i, align 8
  %rank6.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %8 = load i32, ptr %rank6.i, align 8
  %cmp7.i = icmp eq i32 %7, %8
  br i1 %cmp7.i, label %lor.lhs.false7, label %check_type.exit

check_type.exit:                                  ; preds = %land.lhs.true.i.i, %for.body, %tensor_of.exit.i, %land.lhs.true.i, %land.lhs.true2.i, %land.lhs.true5.i
  %retval.0.i.i17 = phi ptr [ null, %tensor_of.exit.i ], [ %retval.0.i.i22, %land.lhs.true5.i ], [ %retval.0.i.i22, %land.lhs.true2.i ], [ %retval.0.i.i22, %land.lhs.true.i ], [ null, %for.body ], [ null, %land.lhs.true.i.i ]
  %call8.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx, ptr noundef nonnull %arrayidx5, ptr noundef %retval.0.i.i17, ptr noundef nonnull %finding) #15
  br i1 %call8.i, label %check_type.exit.lor.lhs.false7_crit_edge, label %cleanup14

check_type.exit.lor.lhs.false7_crit_edge:         ; preds = %check_type.exit
  %rank.i11.phi.trans.insert = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %.pre = load i32, ptr %rank.i11.phi.trans.insert, align 8
  br label %lor.lhs.false7

lor.lhs.false7:                                   ; preds = %check_type.exit.lor.lhs.false7_crit_edge, %land.lhs.true5.i
  %9 = phi i32 [ %.pre, %check_type.exit.lor.lhs.false7_crit_edge ], [ %7, %land.lhs.true5.i ]
  %retval.0.i.i1825 = phi ptr [ %retval.0.i.i17, %check_type.exit.lor.lhs.false7_crit_edge ], [ %retval.0.i.i22, %land.lhs.true5.i ]
  %cmp.i40 = icmp sgt i32 %9, 0
  br i1 %cmp.i40, label %for.body.i.lr.ph, label %for.inc

for.body.i.lr.ph:                                 ; preds = %lor.lhs.false7
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i1825, i64 24
  %10 = load ptr, ptr %shape.i, align 8
  %shape1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %11 = load ptr, ptr %shape1.i, align 8
  %wide.trip.count = zext nneg i32 %9 to i64
  br label %for.body.i

for.cond.i:                                       ; preds = %land.lhs.true.i14, %land.lhs.true15.i, %if.end24.i
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.inc, label %for.body.i

for.body.i:                                       ; preds = %for.body.i.lr.ph, %for.cond.i
  %indvars.iv = phi i64 [ 0, %for.body.i.lr.ph ], [ %indvars.iv.next, %for.cond.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %10, i64 %indvars.iv
  %12 = load i64, ptr %arrayidx.i, align 8
  %arrayidx3.i = getelementptr inbounds nuw i64, ptr %11, i64 %indvars.iv
  %13 = load i64, ptr %arrayidx3.i, align 8
  %cmp4.i12 = icmp slt i64 %13, 0
  br i1 %cmp4.i12, label %land.end.i, label %if.end24.i

land.end.i:                                       ; preds = %for.body.i
  %sub.i = xor i64 %13, -1
  %arrayidx5.i = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %sub.i
  %stage.i = getelementptr inbounds nuw i8, ptr %arrayidx5.i, i64 48
  %14 = load i32, ptr %stage.i, align 8
  %cmp6.i = icmp sgt i32 %14, 0
  %arrayidx8.i = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub.i
  %15 = load i64, ptr %arrayidx8.i, align 8
  br i1 %cmp6.i, label %land.lhs.true.i14, label %land.lhs.true15.i

land.lhs.true.i14:                                ; preds = %land.end.i
  %cmp9.i = icmp slt i64 %12, %15
  br i1 %cmp9.i, label %if.then.i, label %for.cond.i

if.then.i:                                        ; preds = %land.lhs.true.i14
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_ROOM, i64 noundef %12, i64 noundef %indvars.iv, i64 noundef %sub.i) #15
  br label %cleanup14

land.lhs.true15.i:                                ; preds = %land.end.i
  %cmp18.not.i = icmp eq i64 %12, %15
  br i1 %cmp18.not.i, label %for.cond.i, label %if.then20.i

if.then20.i:                                      ; preds = %land.lhs.true15.i
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_SIZE, i64 noundef %12, i64 noundef %indvars.iv, i64 noundef %sub.i) #15
  br label %cleanup14

if.end24.i:                                       ; preds = %for.body.i
  %cmp28.not.i = icmp eq i64 %12, %13
  br i1 %cmp28.not.i, label %for.cond.i, label %if.then30.i

if.then30.i:                                      ; preds = %if.end24.i
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_SHAPE, i64 noundef %12, i64 noundef %indvars.iv, i64 noundef 0) #15
  br label %cleanup14

for.inc:                                          ; preds = %for.cond.i, %lor.lhs.false7
  %indvars.iv.next57 = add nuw nsw i64 %indvars.iv56, 1
  %exitcond60.not = icmp eq i64 %indvars.iv.next57, %wide.trip.count59
  br i1 %exitcond60.not, label %return, label %for.body

cleanup14:                                        ; preds = %check_type.exit, %if.then.i, %if.then30.i, %if.then20.i
  %index.04354 = trunc i64 %indvars.iv56 to i32
  call fastcc void @fail_argument(i32 noundef signext %index.04354, ptr noundef %finding, ptr noundef nonnull %sizes) #15
  br label %return

return:                                           ; preds = %for.inc, %for.cond.preheader, %cleanup14, %entry, %lor.lhs.false
  %retval.0 = phi i32 [ -1, %lor.lhs.false ], [ -1, %entry ], [ -1, %cleanup14 ], [ 0, %for.cond.preheader ], [ 0, %for.inc ]
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @bind_largest(ptr noundef nonnull %sizes, i32 noundef signext %end) unnamed_addr #0 {
entry:
  %cmp.not12 = icmp slt i32 %end, 1
  br i1 %cmp.not12, label %cleanup9, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %0 = load i32, ptr @tw_given_count, align 4
  %invariant.op = add i32 %0, -1
  %1 = add nuw i32 %end, 1
  %wide.trip.count = zext i32 %1 to i64
  br label %for.body

for.cond:                                         ; preds = %cond.end
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup9, label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.cond
  %indvars.iv = phi i64 [ 1, %for.body.lr.ph ], [ %indvars.iv.next, %for.cond ]
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  %sub.reass = add i32 %invariant.op, %2
  %idxprom = sext i32 %sub.reass to i64
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %bound1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %3 = load i64, ptr %bound1, align 8
  %cmp2 = icmp slt i64 %3, 0
  br i1 %cmp2, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %sub3 = xor i64 %3, -1
  %arrayidx4 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub3
  %4 = load i64, ptr %arrayidx4, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %4, %cond.true ], [ %3, %for.body ]
  %arrayidx6 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  store i64 %cond, ptr %arrayidx6, align 8
  %call = tail call fastcc signext i32 @derive(ptr noundef nonnull %sizes, i32 noundef signext %2) #16
  %cmp7.not = icmp eq i32 %call, 0
  br i1 %cmp7.not, label %for.cond, label %cleanup9

cleanup9:                                         ; preds = %cond.end, %for.cond, %entry
  %5 = phi i32 [ 0, %entry ], [ 0, %for.cond ], [ -1, %cond.end ]
  ret i32 %5
}

define internal fastcc signext range(i32 -1, 1) i32 @compute_sizes(ptr noundef %args, ptr noundef nonnull %sizes, i32 noundef signext range(i32 0, -2147483648) %end) unnamed_addr #0 {
entry:
  %outputs = alloca ptr, align 8
  %call = alloca %struct.tw_call, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  %add1 = add nsw i32 %0, 1
  %2 = zext i32 %add1 to i64
  %vla2 = alloca i64, i64 %2, align 8
  store ptr null, ptr %outputs, align 8
  store ptr %args, ptr %call, align 8
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %vla, ptr %slots, align 8
  %sizes4 = getelementptr inbounds nuw i8, ptr %call, i64 16
  store ptr %sizes, ptr %sizes4, align 8
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr %vla2, ptr %bytes, align 8
  %block = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr null, ptr %block, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr @allocate_scrap, ptr %allocate, align 8
  %context = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr %outputs, ptr %context, align 8
  %end5 = getelementptr inbounds nuw i8, ptr %call, i64 56
  store i32 %end, ptr %end5, align 8
  %has_ended = getelementptr inbounds nuw i8, ptr %call, i64 60
  store i32 0, ptr %has_ended, align 4
  %3 = load i32, ptr @tw_inputs, align 4
  %4 = load i32, ptr @__tw_default_threads, align 4
  %call6 = call fastcc signext i32 @enter_call(ptr noundef %call, i32 noundef signext %3, i32 noundef signext %4) #16
  %.pr = load ptr, ptr %outputs, align 8
  %cmp.not2 = icmp eq ptr %.pr, null
  br i1 %cmp.not2, label %while.end, label %while.body

while.body:                                       ; preds = %entry, %while.body
  %5 = phi ptr [ %6, %while.body ], [ %.pr, %entry ]
  %6 = load ptr, ptr %5, align 8
  call void @free(ptr noundef nonnull %5) #14
  store ptr %6, ptr %outputs, align 8
  %cmp.not = icmp eq ptr %6, null
  br i1 %cmp.not, label %while.end, label %while.body

while.end:                                        ; preds = %while.body, %entry
  %cmp8 = icmp eq i32 %call6, 0
  %7 = load i32, ptr %has_ended, align 4
  %tobool = icmp ne i32 %7, 0
  %or.cond = select i1 %cmp8, i1 true, i1 %tobool
  br i1 %or.cond, label %cond.end, label %cond.false

cond.false:                                       ; preds = %while.end
  %8 = icmp eq i32 %call6, -1
  br i1 %8, label %cond.end, label %if.end.i

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
  %cmp9.not = icmp eq ptr %shapes, null
  %2 = sext i32 %0 to i64
  %wide.trip.count22 = sext i32 %1 to i64
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %indvars.iv19 = phi i64 [ %2, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next20, %for.cond.cleanup3 ]
  %count.016 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %count.1.lcssa, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv19
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %3 = load i32, ptr %rank, align 8
  %cmp211 = icmp sgt i32 %3, 0
  br i1 %cmp211, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %4 = load ptr, ptr %shape, align 8
  %wide.trip.count = zext nneg i32 %3 to i64
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  %count.0.lcssa = phi i64 [ 0, %entry ], [ %count.1.lcssa, %for.cond.cleanup3 ]
  ret i64 %count.0.lcssa

for.cond.cleanup3:                                ; preds = %for.inc, %for.cond1.preheader
  %count.1.lcssa = phi i64 [ %count.016, %for.cond1.preheader ], [ %inc13, %for.inc ]
  %indvars.iv.next20 = add nsw i64 %indvars.iv19, 1
  %exitcond23.not = icmp eq i64 %indvars.iv.next20, %wide.trip.count22
  br i1 %exitcond23.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:                                        ; preds = %for.body4.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %count.113 = phi i64 [ %count.016, %for.body4.lr.ph ], [ %inc13, %for.inc ]
  %arrayidx8 = getelementptr inbounds nuw i64, ptr %4, i64 %indvars.iv
  %5 = load i64, ptr %arrayidx8, align 8
  br i1 %cmp9.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body4
  %cmp10 = icmp sgt i64 %5, -1
  br i1 %cmp10, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.then
  %sub = xor i64 %5, -1
  %arrayidx11 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub
  %6 = load i64, ptr %arrayidx11, align 8
  br label %cond.end

cond.end:                                         ; preds = %if.then, %cond.false
  %cond = phi i64 [ %6, %cond.false ], [ %5, %if.then ]
  %arrayidx12 = getelementptr inbounds i64, ptr %shapes, i64 %count.113
  store i64 %cond, ptr %arrayidx12, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.body4, %cond.end
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %inc13 = add nsw i64 %count.113, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
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
  %payload3.i = getelementptr inbounds nuw i8, ptr %value, i64 8
  %1 = load ptr, ptr %payload3.i, align 8
  %cmp4.not.i = icmp eq ptr %1, null
  %tensor.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  br i1 %cmp4.not.i, label %cleanup, label %lor.lhs.false

tensor_of.exit:                                   ; preds = %entry
  %payload.i = getelementptr inbounds nuw i8, ptr %value, i64 8
  %2 = load ptr, ptr %payload.i, align 8
  %cmp = icmp eq ptr %2, null
  br i1 %cmp, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.lhs.true.i, %tensor_of.exit
  %retval.0.i12 = phi ptr [ %2, %tensor_of.exit ], [ %tensor.i, %land.lhs.true.i ]
  %device_type = getelementptr inbounds nuw i8, ptr %retval.0.i12, i64 8
  %3 = load i32, ptr %device_type, align 8
  %cmp1.not = icmp eq i32 %3, 1
  br i1 %cmp1.not, label %lor.lhs.false2, label %cleanup

lor.lhs.false2:                                   ; preds = %lor.lhs.false
  %dtype = getelementptr inbounds nuw i8, ptr %retval.0.i12, i64 20
  %4 = load i32, ptr %dtype, align 4
  %cmp3.not = icmp eq i32 %4, 81920
  br i1 %cmp3.not, label %lor.lhs.false4, label %cleanup

lor.lhs.false4:                                   ; preds = %lor.lhs.false2
  %rank = getelementptr inbounds nuw i8, ptr %retval.0.i12, i64 16
  %5 = load i32, ptr %rank, align 8
  %cmp5.not = icmp eq i32 %5, 1
  br i1 %cmp5.not, label %lor.lhs.false6, label %cleanup

lor.lhs.false6:                                   ; preds = %lor.lhs.false4
  %shape = getelementptr inbounds nuw i8, ptr %retval.0.i12, i64 24
  %6 = load ptr, ptr %shape, align 8
  %7 = load i64, ptr %6, align 8
  %cmp7 = icmp slt i64 %7, %count
  br i1 %cmp7, label %cleanup, label %if.end

if.end:                                           ; preds = %lor.lhs.false6
  %8 = load ptr, ptr %retval.0.i12, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %retval.0.i12, i64 40
  %9 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %8, i64 %9
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true.i, %entry, %tensor_of.exit, %lor.lhs.false, %lor.lhs.false2, %lor.lhs.false4, %lor.lhs.false6, %if.end
  %retval.0 = phi ptr [ %add.ptr, %if.end ], [ null, %lor.lhs.false6 ], [ null, %lor.lhs.false4 ], [ null, %lor.lhs.false2 ], [ null, %lor.lhs.false ], [ null, %tensor_of.exit ], [ null, %entry ], [ null, %land.lhs.true.i ]
  ret ptr %retval.0
}

declare void @llvm.stackrestore.p0(ptr) #3

define signext range(i32 -1, 1) i32 @__tvm_ffi_main_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %call = tail call signext i32 @__tw_output_shapes(ptr poison, ptr noundef %args, i32 noundef signext %count, ptr poison) #16
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

define signext range(i32 -1, 1) i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #8 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp.not = icmp eq i32 %count, %0
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @fail_count(i32 noundef signext %count) #15
  br label %return

if.end:                                           ; preds = %entry
  %call1 = tail call fastcc signext i32 @bounded_stages() #15
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
  %4 = zext i32 %add to i64
  %5 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %4, align 8
  %call8 = call fastcc signext i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) #15
  %cmp9.not = icmp eq i32 %call8, 0
  br i1 %cmp9.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %if.end7
  %call12 = call fastcc signext i32 @bind_largest(ptr noundef %vla, i32 noundef signext %sub.i) #15
  %cmp13.not = icmp eq i32 %call12, 0
  br i1 %cmp13.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:                               ; preds = %lor.lhs.false
  %cmp18.not9 = icmp slt i32 %sub.i, 0
  br i1 %cmp18.not9, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %cmp.i = icmp eq i32 %1, 0
  %6 = load i32, ptr @tw_expression_count, align 4
  %7 = sext i32 %6 to i64
  %8 = add i32 %1, 1
  %9 = sub i32 %8, %2
  %wide.trip.count = zext i32 %9 to i64
  %invariant.gep = getelementptr i64, ptr %vla, i64 %7
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %bytes.0.lcssa = phi i64 [ 0, %for.cond.preheader ], [ %add21, %for.body ]
  store i32 1, ptr %result, align 8
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store i64 %bytes.0.lcssa, ptr %payload, align 8
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %bytes.010 = phi i64 [ 0, %for.body.lr.ph ], [ %add21, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %indvars.iv
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %gep
  %cond.i = load i64, ptr %cond.in.i, align 8
  %add21 = add nsw i64 %cond.i, %bytes.010
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:                                          ; preds = %if.end7, %lor.lhs.false, %for.cond.cleanup
  %retval.1 = phi i32 [ 0, %for.cond.cleanup ], [ -1, %lor.lhs.false ], [ -1, %if.end7 ]
  call void @llvm.stackrestore.p0(ptr %5)
  br label %return

return:                                           ; preds = %cleanup, %if.then4, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.then4 ], [ %retval.1, %cleanup ]
  ret i32 %retval.0
}

declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr noundef, ptr noundef) #9

declare extern_weak ptr @dlsym(ptr noundef, ptr noundef) #9

declare void @free(ptr noundef) local_unnamed_addr #1

define internal fastcc signext range(i32 -1, 1) i32 @derive(ptr noundef %sizes, i32 noundef signext %stage) unnamed_addr #1 {
entry:
  %0 = load i32, ptr @tw_symbol_count, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %for.cond.preheader, label %cond.end

cond.end:                                         ; preds = %entry
  %call = tail call signext i32 @tw_derive(ptr noundef %sizes, i32 noundef signext %stage) #14
  %cmp1 = icmp eq i32 %call, 1
  br i1 %cmp1, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry, %cond.end
  %cond26 = phi i32 [ %call, %cond.end ], [ 0, %entry ]
  %1 = load i32, ptr @tw_expression_count, align 4
  %cmp3.not19 = icmp sgt i32 %1, 0
  br i1 %cmp3.not19, label %for.body.preheader, label %for.end

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %1 to i64
  br label %for.body

if.then:                                          ; preds = %cond.end
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.17, i64 noundef 9223372036854775807) #15
  br label %cleanup24

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %indvars.iv
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %2 = load i64, ptr %arrayidx5, align 8
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %3 = load i64, ptr %least, align 8
  %cmp6.not = icmp slt i64 %2, %3
  br i1 %cmp6.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %for.body
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %4 = load i64, ptr %most, align 8
  %cmp9 = icmp sle i64 %2, %4
  br label %land.end

land.end:                                         ; preds = %land.rhs, %for.body
  %5 = phi i1 [ false, %for.body ], [ %cmp9, %land.rhs ]
  %stage10 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  %6 = load i32, ptr %stage10, align 8
  %cmp11 = icmp ne i32 %6, %stage
  %or.cond = select i1 %cmp11, i1 true, i1 %5
  br i1 %or.cond, label %for.inc, label %if.then12

if.then12:                                        ; preds = %land.end
  %7 = trunc nuw nsw i64 %indvars.iv to i32
  tail call fastcc void @fail_limit(i32 noundef signext %7, ptr noundef nonnull %sizes) #15
  br label %cleanup24

for.inc:                                          ; preds = %land.end
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %for.cond.preheader
  %cmp18 = icmp eq i32 %cond26, 0
  br i1 %cmp18, label %cleanup24, label %cond.false20

cond.false20:                                     ; preds = %for.end
  tail call fastcc void @fail_small(ptr noundef %sizes, i32 noundef signext %stage) #15
  br label %cleanup24

cleanup24:                                        ; preds = %if.then12, %cond.false20, %for.end, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.then12 ], [ -1, %cond.false20 ], [ 0, %for.end ]
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @allocate_one(i32 noundef signext %index, ptr noundef readonly captures(none) %call) unnamed_addr #1 {
entry:
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %0 = load i32, ptr %rank, align 8
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca i64, i64 %1, align 8
  %cmp16 = icmp sgt i32 %0, 0
  br i1 %cmp16, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %2 = load ptr, ptr %shape, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %call, i64 16
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %cond.end ]
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %2, i64 %indvars.iv
  %3 = load i64, ptr %arrayidx3, align 8
  %cmp4 = icmp slt i64 %3, 0
  br i1 %cmp4, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %4 = load ptr, ptr %sizes, align 8
  %sub = xor i64 %3, -1
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %4, i64 %sub
  %5 = load i64, ptr %arrayidx5, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %5, %cond.true ], [ %3, %for.body ]
  %arrayidx7 = getelementptr inbounds nuw i64, ptr %vla, i64 %indvars.iv
  store i64 %cond, ptr %arrayidx7, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %cond.end, %entry
  %allocate = getelementptr inbounds nuw i8, ptr %call, i64 40
  %6 = load ptr, ptr %allocate, align 8
  %context = getelementptr inbounds nuw i8, ptr %call, i64 48
  %7 = load ptr, ptr %context, align 8
  %8 = load i32, ptr @tw_inputs, align 4
  %sub8 = sub nsw i32 %index, %8
  %call9 = call ptr %6(ptr noundef %7, i32 noundef signext %sub8, ptr noundef nonnull %vla) #14
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 8
  %9 = load ptr, ptr %slots, align 8
  %arrayidx11 = getelementptr inbounds %union.tw_slot, ptr %9, i64 %idxprom
  store ptr %call9, ptr %arrayidx11, align 8
  %10 = load ptr, ptr %slots, align 8
  %arrayidx14 = getelementptr inbounds %union.tw_slot, ptr %10, i64 %idxprom
  %11 = load ptr, ptr %arrayidx14, align 8
  %cmp15.not = icmp eq ptr %11, null
  br i1 %cmp15.not, label %if.end, label %cleanup

if.end:                                           ; preds = %for.end
  %conv = sext i32 %sub8 to i64
  call fastcc void @fail_number(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.50, i64 noundef %conv) #15
  br label %cleanup

cleanup:                                          ; preds = %for.end, %if.end
  %retval.0 = phi i32 [ -1, %if.end ], [ 0, %for.end ]
  ret i32 %retval.0
}

declare hidden signext i32 @tw_derive(ptr noundef, i32 noundef signext) local_unnamed_addr #9

define internal fastcc void @fail_limit(i32 noundef signext %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %range = alloca [192 x i8], align 1
  %value = alloca [256 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %count = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %0 = load i64, ptr %count, align 8
  %cmp20 = icmp sgt i64 %0, 0
  br i1 %cmp20, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %number.022 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %length.021 = phi i64 [ 0, %for.body.lr.ph ], [ %call6, %cond.end ]
  %cmp1 = icmp slt i64 %length.021, 256
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %add.ptr = getelementptr inbounds i8, ptr %value, i64 %length.021
  %sub = sub nsw i64 256, %length.021
  %cmp2 = icmp eq i64 %number.022, 0
  %cond = select i1 %cmp2, ptr @.str.19, ptr @.str.20
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.18, ptr noundef nonnull %cond) #14
  %conv = sext i32 %call to i64
  %add = add nsw i64 %length.021, %conv
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond3 = phi i64 [ %add, %cond.true ], [ %length.021, %for.body ]
  %1 = load ptr, ptr %symbols, align 8
  %arrayidx5 = getelementptr inbounds nuw i32, ptr %1, i64 %number.022
  %2 = load i32, ptr %arrayidx5, align 4
  %call6 = call fastcc i64 @append_value(ptr noundef %value, i64 noundef 256, i64 noundef %cond3, i32 noundef signext %2, ptr noundef %sizes) #15
  %inc = add nuw nsw i64 %number.022, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %cond.end, %entry
  %most = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %3 = load i64, ptr %most, align 8
  %cmp7 = icmp slt i64 %3, 1099511627776
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %4 = load i64, ptr %least, align 8
  br i1 %cmp7, label %if.then, label %if.else

if.then:                                          ; preds = %for.end
  %call11 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 192, ptr noundef nonnull @.str.21, i64 noundef %4, i64 noundef %3) #14
  br label %if.end

if.else:                                          ; preds = %for.end
  %call15 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 192, ptr noundef nonnull @.str.22, i64 noundef %4) #14
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  %end.0.in = phi i32 [ %call11, %if.then ], [ %call15, %if.else ]
  %end.0 = sext i32 %end.0.in to i64
  %call19 = call fastcc i64 @append_node(ptr noundef %range, i64 noundef 192, i64 noundef %end.0, i64 noundef %idxprom) #15
  %5 = load ptr, ptr %arrayidx, align 8
  %arrayidx23 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %6 = load i64, ptr %arrayidx23, align 8
  %call25 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.23, ptr noundef nonnull @tw_name, ptr noundef %5, ptr noundef nonnull %range, i64 noundef %6, ptr noundef nonnull %value) #14
  %call27 = call signext i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message) #15
  ret void
}

define internal fastcc void @fail_small(ptr noundef readonly captures(none) %sizes, i32 noundef signext %stage) unnamed_addr #0 {
entry:
  %got = alloca [400 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_given_count, align 4
  %add = add nsw i32 %0, %stage
  %cmp11 = icmp sgt i32 %add, 0
  br i1 %cmp11, label %for.body, label %for.end

for.body:                                         ; preds = %entry, %cond.end
  %index.013 = phi i32 [ %inc, %cond.end ], [ 0, %entry ]
  %length.012 = phi i64 [ %call6, %cond.end ], [ 0, %entry ]
  %cmp1 = icmp slt i64 %length.012, 400
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %add.ptr = getelementptr inbounds i8, ptr %got, i64 %length.012
  %sub = sub nsw i64 400, %length.012
  %cmp2 = icmp eq i32 %index.013, 0
  %cond = select i1 %cmp2, ptr @.str.19, ptr @.str.20
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.18, ptr noundef nonnull %cond) #14
  %conv = sext i32 %call to i64
  %add3 = add nsw i64 %length.012, %conv
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond4 = phi i64 [ %add3, %cond.true ], [ %length.012, %for.body ]
  %call6 = call fastcc i64 @append_value(ptr noundef %got, i64 noundef 400, i64 noundef %cond4, i32 noundef signext %index.013, ptr noundef %sizes) #15
  %inc = add nuw nsw i32 %index.013, 1
  %exitcond.not = icmp eq i32 %inc, %add
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %cond.end, %entry
  %call9 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.27, ptr noundef nonnull @tw_name, ptr noundef nonnull %got) #14
  %call11 = call signext i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message) #15
  ret void
}

define internal fastcc i64 @append_value(ptr noundef nonnull %text, i64 noundef range(i64 256, 513) %room, i64 noundef %length, i32 noundef signext %index, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %arrayidx2 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %0 = load ptr, ptr %arrayidx2, align 8
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %1 = load i32, ptr %argument, align 8
  %cmp = icmp slt i32 %1, 0
  %cmp4 = icmp slt i64 %length, %room
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  br i1 %cmp4, label %cond.true, label %cleanup

cond.true:                                        ; preds = %if.then
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length
  %sub = sub nsw i64 %room, %length
  %arrayidx6 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %2 = load i64, ptr %arrayidx6, align 8
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.24, ptr noundef %0, i64 noundef %2) #14
  %conv = sext i32 %call to i64
  %add = add nsw i64 %length, %conv
  br label %cleanup

if.end:                                           ; preds = %entry
  br i1 %cmp4, label %cond.true9, label %cleanup

cond.true9:                                       ; preds = %if.end
  %add.ptr10 = getelementptr inbounds i8, ptr %text, i64 %length
  %sub11 = sub nsw i64 %room, %length
  %arrayidx13 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %3 = load i64, ptr %arrayidx13, align 8
  %axis = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %4 = load i32, ptr %axis, align 4
  %idxprom15 = zext nneg i32 %1 to i64
  %arrayidx16 = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom15
  %5 = load ptr, ptr %arrayidx16, align 8
  %call18 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr10, i64 noundef %sub11, ptr noundef nonnull @.str.25, ptr noundef %0, i64 noundef %3, i32 noundef signext %4, ptr noundef %5) #14
  %conv19 = sext i32 %call18 to i64
  %add20 = add nsw i64 %length, %conv19
  br label %cleanup

cleanup:                                          ; preds = %cond.true9, %if.end, %cond.true, %if.then
  %retval.0 = phi i64 [ %length, %if.then ], [ %add, %cond.true ], [ %add20, %cond.true9 ], [ %length, %if.end ]
  ret i64 %retval.0
}

define internal fastcc i64 @append_node(ptr noundef nonnull %text, i64 noundef range(i64 192, 513) %room, i64 noundef %length, i64 noundef range(i64 -2147483648, 2147483648) %index) unnamed_addr #0 {
entry:
  %arrayidx = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %index
  %node1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %0 = load ptr, ptr %node1, align 8
  %1 = load i8, ptr %0, align 1
  %cmp = icmp ne i8 %1, 0
  %cmp3 = icmp slt i64 %length, %room
  %or.cond = and i1 %cmp3, %cmp
  br i1 %or.cond, label %cond.true5, label %cond.end8

cond.true5:                                       ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length
  %sub = sub nsw i64 %room, %length
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.26, ptr noundef nonnull %0) #14
  %conv6 = sext i32 %call to i64
  %add = add nsw i64 %length, %conv6
  br label %cond.end8

cond.end8:                                        ; preds = %entry, %cond.true5
  %cond9 = phi i64 [ %length, %entry ], [ %add, %cond.true5 ]
  ret i64 %cond9
}

define internal fastcc void @fail_argument(i32 noundef signext %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
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
  tail call fastcc void @fail_size(i32 noundef signext %index, ptr noundef %finding, ptr noundef %sizes) #15
  br label %cleanup

if.end:                                           ; preds = %entry
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %got5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load ptr, ptr %got5, align 8
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %2 = load i64, ptr %numbers, align 8
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %3 = load i64, ptr %arrayidx8, align 8
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %4 = load i64, ptr %arrayidx10, align 8
  %call11 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #14
  %5 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %text, align 8
  %text13 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %7 = load ptr, ptr %text13, align 8
  %call15 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.43, ptr noundef nonnull @tw_name, i32 noundef signext %index, ptr noundef %5, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %got, ptr noundef nonnull @tw_signature) #14
  %8 = load ptr, ptr %0, align 8
  %call17 = call signext i32 @tw_fail(ptr noundef %8, ptr noundef nonnull %message) #15
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  ret void
}

define internal fastcc void @breaks(ptr noundef nonnull writeonly captures(none) initializes((0, 32)) %finding, ptr noundef %rule, i64 noundef %first, i64 noundef %second, i64 noundef %third) unnamed_addr #10 {
entry:
  store ptr %rule, ptr %finding, align 8
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i64 8
  store i64 %first, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i64 16
  store i64 %second, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %finding, i64 24
  store i64 %third, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8
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
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %1 = load i32, ptr %device_type, align 8
  %2 = load i32, ptr @tw_device_type, align 4
  %cmp1 = icmp eq i32 %1, %2
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %if.end
  %device_id = getelementptr inbounds nuw i8, ptr %tensor, i64 12
  %3 = load i32, ptr %device_id, align 4
  %cmp3 = icmp eq i32 %3, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %if.end
  %4 = phi i1 [ false, %if.end ], [ %cmp3, %land.rhs ]
  %cmp6 = icmp eq i32 %1, 1
  %or.cond = select i1 %cmp6, i1 true, i1 %4
  br i1 %or.cond, label %if.end14, label %if.then8

if.then8:                                         ; preds = %land.end
  %conv10 = sext i32 %1 to i64
  %device_id11 = getelementptr inbounds nuw i8, ptr %tensor, i64 12
  %5 = load i32, ptr %device_id11, align 4
  %conv12 = sext i32 %5 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef nonnull @IS_IN_CPU_MEMORY, i64 noundef %conv10, i64 noundef %conv12, i64 noundef 0) #15
  br label %return

if.end14:                                         ; preds = %land.end
  %dtype15 = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %6 = load i32, ptr %dtype15, align 4
  %dtype16 = getelementptr inbounds nuw i8, ptr %spec, i64 44
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
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %8 = load i32, ptr %rank, align 8
  %rank27 = getelementptr inbounds nuw i8, ptr %spec, i64 40
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

define internal fastcc void @fail_size(i32 noundef signext %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr #0 {
entry:
  %wanted = alloca [512 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %finding, i64 24
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %0
  %1 = load ptr, ptr %arrayidx1, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %wanted, i64 noundef 512, ptr noundef nonnull @.str.18, ptr noundef %1) #14
  %conv = sext i32 %call to i64
  %2 = load ptr, ptr %finding, align 8
  %cmp = icmp eq ptr %2, @HAS_SIZE
  %cmp4 = icmp eq ptr %2, @HAS_ROOM
  %spec.select = or i1 %cmp, %cmp4
  br i1 %spec.select, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %3 = load i64, ptr %arrayidx, align 8
  %4 = load i32, ptr @tw_symbol_count, align 4
  %conv9 = sext i32 %4 to i64
  %cmp10.not = icmp sge i64 %3, %conv9
  %cmp12 = icmp slt i32 %call, 512
  %or.cond = select i1 %cmp10.not, i1 %cmp12, i1 false
  br i1 %or.cond, label %cond.true, label %if.end

cond.true:                                        ; preds = %land.lhs.true
  %add.ptr = getelementptr inbounds i8, ptr %wanted, i64 %conv
  %sub = sub nsw i64 512, %conv
  %arrayidx17 = getelementptr inbounds i64, ptr %sizes, i64 %3
  %5 = load i64, ptr %arrayidx17, align 8
  %call18 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.45, i64 noundef %5) #14
  %conv19 = sext i32 %call18 to i64
  %add = add nsw i64 %conv19, %conv
  br label %if.end

if.end:                                           ; preds = %cond.true, %land.lhs.true, %entry
  %length.0 = phi i64 [ %conv, %entry ], [ %conv, %land.lhs.true ], [ %add, %cond.true ]
  %count = getelementptr inbounds nuw i8, ptr %arrayidx1, i64 24
  %6 = load i64, ptr %count, align 8
  %cmp2049 = icmp sgt i64 %6, 0
  br i1 %cmp2049, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %if.end
  %symbols = getelementptr inbounds nuw i8, ptr %arrayidx1, i64 16
  %7 = load ptr, ptr %symbols, align 8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %length.151 = phi i64 [ %length.0, %for.body.lr.ph ], [ %length.2, %for.inc ]
  %number.050 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %arrayidx22 = getelementptr inbounds nuw i32, ptr %7, i64 %number.050
  %8 = load i32, ptr %arrayidx22, align 4
  %idxprom = sext i32 %8 to i64
  %arrayidx23 = getelementptr inbounds %struct.tw_symbol, ptr @tw_symbols, i64 %idxprom
  %arrayidx25 = getelementptr inbounds %struct.tw_expression, ptr @tw_expressions, i64 %idxprom
  %9 = load ptr, ptr %arrayidx25, align 8
  %cmp27 = icmp slt i64 %length.151, 512
  br i1 %cmp27, label %cond.true29, label %cond.end40

cond.true29:                                      ; preds = %for.body
  %add.ptr31 = getelementptr inbounds i8, ptr %wanted, i64 %length.151
  %sub32 = sub nsw i64 512, %length.151
  %cmp33 = icmp eq i64 %number.050, 0
  %cond35 = select i1 %cmp33, ptr @.str.46, ptr @.str.20
  %call36 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr31, i64 noundef %sub32, ptr noundef nonnull %cond35) #14
  %conv37 = sext i32 %call36 to i64
  %add38 = add nsw i64 %length.151, %conv37
  br label %cond.end40

cond.end40:                                       ; preds = %for.body, %cond.true29
  %cond41 = phi i64 [ %add38, %cond.true29 ], [ %length.151, %for.body ]
  br i1 %spec.select, label %if.then43, label %if.else

if.then43:                                        ; preds = %cond.end40
  %call45 = call fastcc i64 @append_value(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond41, i32 noundef signext %8, ptr noundef %sizes) #15
  br label %for.inc

if.else:                                          ; preds = %cond.end40
  %cmp46 = icmp slt i64 %cond41, 512
  br i1 %cmp46, label %cond.true48, label %cond.end56

cond.true48:                                      ; preds = %if.else
  %add.ptr50 = getelementptr inbounds i8, ptr %wanted, i64 %cond41
  %sub51 = sub nsw i64 512, %cond41
  %10 = load i64, ptr %arrayidx23, align 8
  %most = getelementptr inbounds nuw i8, ptr %arrayidx23, i64 8
  %11 = load i64, ptr %most, align 8
  %call52 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr50, i64 noundef %sub51, ptr noundef nonnull @.str.47, ptr noundef %9, i64 noundef %10, i64 noundef %11) #14
  %conv53 = sext i32 %call52 to i64
  %add54 = add nsw i64 %cond41, %conv53
  br label %cond.end56

cond.end56:                                       ; preds = %if.else, %cond.true48
  %cond57 = phi i64 [ %add54, %cond.true48 ], [ %cond41, %if.else ]
  %call60 = call fastcc i64 @append_node(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond57, i64 noundef %idxprom) #15
  br label %for.inc

for.inc:                                          ; preds = %if.then43, %cond.end56
  %length.2 = phi i64 [ %call45, %if.then43 ], [ %call60, %cond.end56 ]
  %inc = add nuw nsw i64 %number.050, 1
  %exitcond.not = icmp eq i64 %inc, %6
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %if.end
  %numbers = getelementptr inbounds nuw i8, ptr %finding, i64 8
  %idxprom62 = sext i32 %index to i64
  %arrayidx63 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom62
  %12 = load ptr, ptr %arrayidx63, align 8
  %13 = load ptr, ptr %finding, align 8
  %text67 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %14 = load ptr, ptr %text67, align 8
  %text68 = getelementptr inbounds nuw i8, ptr %arrayidx63, i64 8
  %15 = load ptr, ptr %text68, align 8
  %arrayidx70 = getelementptr inbounds nuw i8, ptr %finding, i64 16
  %16 = load i64, ptr %arrayidx70, align 8
  %cmp72 = icmp eq ptr %13, @HAS_ROOM
  %cond74 = select i1 %cmp72, ptr @.str.49, ptr @.str.19
  %17 = load i64, ptr %numbers, align 8
  %call80 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.48, ptr noundef nonnull @tw_name, i32 noundef signext %index, ptr noundef %12, ptr noundef %14, ptr noundef %15, i64 noundef %16, ptr noundef nonnull %cond74, ptr noundef nonnull %wanted, i64 noundef %17, i64 noundef %16, ptr noundef nonnull @tw_signature) #14
  %18 = load ptr, ptr %finding, align 8
  %19 = load ptr, ptr %18, align 8
  %call83 = call signext i32 @tw_fail(ptr noundef %19, ptr noundef nonnull %message) #15
  ret void
}

declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #9

define internal fastcc signext i32 @enter_call(ptr noundef nonnull %call, i32 noundef signext %count, i32 noundef signext %threads) unnamed_addr #1 {
entry:
  %sizes = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %sizes, align 8
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 8
  %1 = load ptr, ptr %slots, align 8
  %2 = load i32, ptr @tw_arguments, align 4
  %idxprom = sext i32 %2 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %1, i64 %idxprom
  store ptr %0, ptr %arrayidx, align 8
  %3 = load ptr, ptr %slots, align 8
  %4 = getelementptr %union.tw_slot, ptr %3, i64 %idxprom
  %arrayidx3 = getelementptr i8, ptr %4, i64 8
  store ptr %call, ptr %arrayidx3, align 8
  %5 = load ptr, ptr %call, align 8
  %6 = load ptr, ptr %sizes, align 8
  %call5 = tail call fastcc signext i32 @bind_symbols(ptr noundef %5, i32 noundef signext %count, ptr noundef %6) #16
  %cmp.not = icmp eq i32 %call5, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %7 = load i64, ptr @tw_weights_bytes, align 8
  %cmp.i = icmp eq i64 %7, 0
  %8 = load ptr, ptr @__tw_weights, align 8
  %cmp1.i = icmp ne ptr %8, null
  %or.cond.i = select i1 %cmp.i, i1 true, i1 %cmp1.i
  br i1 %or.cond.i, label %lor.lhs.false8, label %check_weights.exit

check_weights.exit:                               ; preds = %lor.lhs.false
  %call.i = tail call signext i32 @__tw_load_weights() #15
  %cmp7.not = icmp eq i32 %call.i, 0
  br i1 %cmp7.not, label %lor.lhs.false8, label %return

lor.lhs.false8:                                   ; preds = %lor.lhs.false, %check_weights.exit
  %call9 = tail call fastcc signext i32 @begin_stage(ptr noundef nonnull %call, i32 noundef signext 0) #16
  %cmp10.not = icmp eq i32 %call9, 0
  br i1 %cmp10.not, label %if.end, label %return

if.end:                                           ; preds = %lor.lhs.false8
  %9 = load i32, ptr @tw_max_threads, align 4
  %cond.i8 = tail call i32 @llvm.smin.i32(i32 %threads, i32 %9)
  %cond5.i = tail call range(i32 1, -2147483648) i32 @llvm.smax.i32(i32 %cond.i8, i32 1)
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %if.end
  %call1.i = tail call fastcc signext i32 @run(ptr noundef nonnull %call, i32 noundef signext %cond5.i) #16
  br label %return

if.end.i:                                         ; preds = %if.end
  %10 = atomicrmw add ptr @__tw_running, i32 1 seq_cst, align 4
  %call2.i = tail call fastcc signext i32 @run(ptr noundef nonnull %call, i32 noundef signext %cond5.i) #16
  %11 = atomicrmw sub ptr @__tw_running, i32 1 seq_cst, align 4
  br label %return

return:                                           ; preds = %if.end.i, %if.then.i, %entry, %check_weights.exit, %lor.lhs.false8
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %lor.lhs.false8 ], [ -1, %check_weights.exit ], [ %call1.i, %if.then.i ], [ %call2.i, %if.end.i ]
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @bind_symbols(ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef captures(none) %sizes) unnamed_addr #1 {
entry:
  %finding = alloca %struct.finding, align 8
  %0 = load i32, ptr @tw_given_count, align 4
  %cmp14 = icmp sgt i32 %0, 0
  br i1 %cmp14, label %for.body.preheader, label %cleanup11

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond:                                         ; preds = %lor.lhs.false24.i
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup11, label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.cond
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.cond ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_symbol, ptr @tw_symbols, i64 %indvars.iv
  %argument = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %1 = load i32, ptr %argument, align 8
  %cmp1.not = icmp slt i32 %1, %count
  br i1 %cmp1.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body
  %2 = load i32, ptr @tw_inputs, align 4
  %conv = sext i32 %2 to i64
  tail call fastcc void @fail_number(ptr noundef nonnull @.str.5, ptr noundef nonnull @.str.55, i64 noundef %conv) #15
  br label %cleanup11

if.end:                                           ; preds = %for.body
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %sizes, i64 %indvars.iv
  %idxprom1.i = sext i32 %1 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %arrayidx5.i = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom1.i
  %3 = load i32, ptr %arrayidx5.i, align 8
  switch i32 %3, label %check_type.exit.i [
    i32 7, label %tensor_of.exit.i.i
    i32 70, label %land.lhs.true.i.i.i
  ]

land.lhs.true.i.i.i:                              ; preds = %if.end
  %payload3.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx5.i, i64 8
  %4 = load ptr, ptr %payload3.i.i.i, align 8
  %cmp4.not.i.i.i = icmp eq ptr %4, null
  %tensor.i.i.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  br i1 %cmp4.not.i.i.i, label %check_type.exit.i, label %land.lhs.true.i.i

tensor_of.exit.i.i:                               ; preds = %if.end
  %payload.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx5.i, i64 8
  %5 = load ptr, ptr %payload.i.i.i, align 8
  %cmp.not.i.i = icmp eq ptr %5, null
  br i1 %cmp.not.i.i, label %check_type.exit.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %tensor_of.exit.i.i, %land.lhs.true.i.i.i
  %retval.0.i.i31.i = phi ptr [ %5, %tensor_of.exit.i.i ], [ %tensor.i.i.i, %land.lhs.true.i.i.i ]
  %device_type.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i31.i, i64 8
  %6 = load i32, ptr %device_type.i.i, align 8
  %cmp1.i.i = icmp eq i32 %6, 1
  br i1 %cmp1.i.i, label %land.lhs.true2.i.i, label %check_type.exit.i

land.lhs.true2.i.i:                               ; preds = %land.lhs.true.i.i
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i31.i, i64 20
  %7 = load i32, ptr %dtype.i.i, align 4
  %dtype3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %8 = load i32, ptr %dtype3.i.i, align 4
  %cmp4.i.i = icmp eq i32 %7, %8
  br i1 %cmp4.i.i, label %land.lhs.true5.i.i, label %check_type.exit.i

land.lhs.true5.i.i:                               ; preds = %land.lhs.true2.i.i
  %rank.i.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i31.i, i64 16
  %9 = load i32, ptr %rank.i.i, align 8
  %rank6.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %10 = load i32, ptr %rank6.i.i, align 8
  %cmp7.i.i = icmp eq i32 %9, %10
  br i1 %cmp7.i.i, label %if.end.i, label %check_type.exit.i

check_type.exit.i:                                ; preds = %land.lhs.true5.i.i, %land.lhs.true2.i.i, %land.lhs.true.i.i, %tensor_of.exit.i.i, %land.lhs.true.i.i.i, %if.end
  %retval.0.i.i26.i = phi ptr [ null, %tensor_of.exit.i.i ], [ %retval.0.i.i31.i, %land.lhs.true5.i.i ], [ %retval.0.i.i31.i, %land.lhs.true2.i.i ], [ %retval.0.i.i31.i, %land.lhs.true.i.i ], [ null, %if.end ], [ null, %land.lhs.true.i.i.i ]
  %call8.i.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx2.i, ptr noundef nonnull readonly %arrayidx5.i, ptr noundef %retval.0.i.i26.i, ptr noundef nonnull %finding) #15
  br i1 %call8.i.i, label %if.end.i, label %if.then5

if.end.i:                                         ; preds = %check_type.exit.i, %land.lhs.true5.i.i
  %retval.0.i.i2734.i = phi ptr [ %retval.0.i.i26.i, %check_type.exit.i ], [ %retval.0.i.i31.i, %land.lhs.true5.i.i ]
  %shape.i = getelementptr inbounds nuw i8, ptr %retval.0.i.i2734.i, i64 24
  %11 = load ptr, ptr %shape.i, align 8
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %12 = load i32, ptr %axis.i, align 4
  %idxprom6.i = sext i32 %12 to i64
  %arrayidx7.i = getelementptr inbounds i64, ptr %11, i64 %idxprom6.i
  %13 = load i64, ptr %arrayidx7.i, align 8
  %14 = icmp ult i64 %13, 4611686018427387904
  br i1 %14, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end.i
  %offset.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %15 = load i64, ptr %offset.i, align 8
  %sub.i = sub nsw i64 %13, %15
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %if.end.i
  %cond.i = phi i64 [ %sub.i, %cond.true.i ], [ -1, %if.end.i ]
  %factor.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %16 = load i64, ptr %factor.i, align 8
  %cmp9.i = icmp eq i64 %16, 1
  br i1 %cmp9.i, label %cond.end18.i, label %cond.false16.i

cond.false16.i:                                   ; preds = %cond.end.i
  %rem.i = srem i64 %cond.i, %16
  %cmp11.i = icmp eq i64 %rem.i, 0
  %div.i = sdiv i64 %cond.i, %16
  br label %cond.end18.i

cond.end18.i:                                     ; preds = %cond.false16.i, %cond.end.i
  %17 = phi i1 [ %cmp11.i, %cond.false16.i ], [ true, %cond.end.i ]
  %cond19.i = phi i64 [ %div.i, %cond.false16.i ], [ %cond.i, %cond.end.i ]
  store i64 %cond19.i, ptr %arrayidx3, align 8
  %or.cond.i = select i1 %14, i1 %17, i1 false
  br i1 %or.cond.i, label %lor.lhs.false22.i, label %if.then26.i

lor.lhs.false22.i:                                ; preds = %cond.end18.i
  %18 = load i64, ptr %arrayidx, align 8
  %cmp23.i = icmp slt i64 %cond19.i, %18
  br i1 %cmp23.i, label %if.then26.i, label %lor.lhs.false24.i

lor.lhs.false24.i:                                ; preds = %lor.lhs.false22.i
  %most.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %19 = load i64, ptr %most.i, align 8
  %cmp25.i = icmp sgt i64 %cond19.i, %19
  br i1 %cmp25.i, label %if.then26.i, label %for.cond

if.then26.i:                                      ; preds = %lor.lhs.false24.i, %lor.lhs.false22.i, %cond.end18.i
  %shape31.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 16
  %20 = load ptr, ptr %shape31.i, align 8
  %arrayidx34.i = getelementptr inbounds i64, ptr %20, i64 %idxprom6.i
  %21 = load i64, ptr %arrayidx34.i, align 8
  %sub35.i = xor i64 %21, -1
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef nonnull @HAS_VALID_SIZE, i64 noundef %13, i64 noundef %idxprom6.i, i64 noundef %sub35.i) #15
  br label %if.then5

if.then5:                                         ; preds = %check_type.exit.i, %if.then26.i
  call fastcc void @fail_argument(i32 noundef signext %1, ptr noundef %finding, ptr noundef %sizes) #15
  br label %cleanup11

cleanup11:                                        ; preds = %for.cond, %entry, %if.then, %if.then5
  %22 = phi i32 [ -1, %if.then ], [ -1, %if.then5 ], [ 0, %entry ], [ 0, %for.cond ]
  ret i32 %22
}

define internal fastcc signext i32 @run(ptr noundef nonnull captures(none) %call, i32 noundef signext %threads) unnamed_addr #1 {
entry:
  %sizes = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %sizes, align 8
  %1 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i = icmp eq i32 %1, 0
  %2 = load i32, ptr @tw_expression_count, align 4
  %idxprom.i = sext i32 %2 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %0, i64 %idxprom.i
  %cond.in.i = select i1 %cmp.i, ptr @tw_arena_bytes, ptr %arrayidx.i
  %cond.i = load i64, ptr %cond.in.i, align 8
  %cmp = icmp eq i64 %cond.i, 0
  %3 = load i32, ptr @tw_given_count, align 4
  %cmp3 = icmp eq i32 %1, %3
  %or.cond = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %or.cond, label %if.then, label %for.body.i

if.then:                                          ; preds = %entry
  %slots = getelementptr inbounds nuw i8, ptr %call, i64 8
  %4 = load ptr, ptr %slots, align 8
  %call4 = tail call signext i32 @tw_run(ptr noundef %4, ptr noundef null, i32 noundef signext %threads) #14
  br label %cleanup13

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.not.i, label %take_arena.exit, label %for.body.i

for.body.i:                                       ; preds = %entry, %for.cond.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.cond.i ], [ 0, %entry ]
  %arrayidx.i10 = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i
  %5 = atomicrmw xchg ptr %arrayidx.i10, i64 0 acq_rel, align 8
  %cmp1.not.i = icmp eq i64 %5, 0
  br i1 %cmp1.not.i, label %for.cond.i, label %cleanup2.i

cleanup2.i:                                       ; preds = %for.body.i
  %6 = inttoptr i64 %5 to ptr
  br label %take_arena.exit

take_arena.exit:                                  ; preds = %for.cond.i, %cleanup2.i
  %.sink.i = phi ptr [ %6, %cleanup2.i ], [ null, %for.cond.i ]
  %call.i = tail call fastcc ptr @sized(ptr noundef %.sink.i, i64 noundef %cond.i) #16
  %cmp6 = icmp eq ptr %call.i, null
  br i1 %cmp6, label %if.then7, label %if.end9

if.then7:                                         ; preds = %take_arena.exit
  tail call fastcc void @fail_arena(i64 noundef %cond.i) #15
  br label %cleanup13

if.end9:                                          ; preds = %take_arena.exit
  %block = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call.i, ptr %block, align 8
  %slots10 = getelementptr inbounds nuw i8, ptr %call, i64 8
  %7 = load ptr, ptr %slots10, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call.i, i64 64
  %call12 = tail call signext i32 @tw_run(ptr noundef %7, ptr noundef nonnull %add.ptr.i, i32 noundef signext %threads) #14
  %8 = ptrtoint ptr %call.i to i64
  br label %for.body.i11

for.cond.i14:                                     ; preds = %for.body.i11
  %indvars.iv.next.i15 = add nuw nsw i64 %indvars.iv.i12, 1
  %exitcond.not.i16 = icmp eq i64 %indvars.iv.next.i15, 8
  br i1 %exitcond.not.i16, label %while.body.i.i, label %for.body.i11

for.body.i11:                                     ; preds = %for.cond.i14, %if.end9
  %indvars.iv.i12 = phi i64 [ 0, %if.end9 ], [ %indvars.iv.next.i15, %for.cond.i14 ]
  %arrayidx.i13 = getelementptr inbounds nuw ptr, ptr @arenas, i64 %indvars.iv.i12
  %9 = cmpxchg ptr %arrayidx.i13, i64 0, i64 %8 acq_rel monotonic, align 8
  %10 = extractvalue { i64, i1 } %9, 1
  br i1 %10, label %cleanup13, label %for.cond.i14

while.body.i.i:                                   ; preds = %for.cond.i14, %while.body.i.i
  %block.addr.04.i.i = phi ptr [ %11, %while.body.i.i ], [ %call.i, %for.cond.i14 ]
  %next1.i.i = getelementptr inbounds nuw i8, ptr %block.addr.04.i.i, i64 8
  %11 = load ptr, ptr %next1.i.i, align 8
  tail call void @free(ptr noundef nonnull %block.addr.04.i.i) #14
  %cmp.not.i.i = icmp eq ptr %11, null
  br i1 %cmp.not.i.i, label %cleanup13, label %while.body.i.i

cleanup13:                                        ; preds = %for.body.i11, %while.body.i.i, %if.then7, %if.then
  %retval.0 = phi i32 [ %call4, %if.then ], [ -1, %if.then7 ], [ %call12, %while.body.i.i ], [ %call12, %for.body.i11 ]
  ret i32 %retval.0
}

declare hidden signext i32 @tw_run(ptr noundef, ptr noundef, i32 noundef signext) local_unnamed_addr #9

define internal ptr @allocate_scrap(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef readonly captures(none) %shape) #0 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, %output
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %bytes1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %1 = load i64, ptr %bytes1, align 8
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load i32, ptr %rank, align 8
  %cmp12 = icmp sgt i32 %2, 0
  br i1 %cmp12, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %shape2 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %3 = load ptr, ptr %shape2, align 8
  %wide.trip.count = zext nneg i32 %2 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %bytes.013 = phi i64 [ %1, %for.body.lr.ph ], [ %bytes.1, %for.inc ]
  %arrayidx4 = getelementptr inbounds nuw i64, ptr %3, i64 %indvars.iv
  %4 = load i64, ptr %arrayidx4, align 8
  %cmp5 = icmp slt i64 %4, 0
  br i1 %cmp5, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  %arrayidx7 = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  %5 = load i64, ptr %arrayidx7, align 8
  %mul = mul i64 %5, %bytes.013
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %bytes.1 = phi i64 [ %mul, %if.then ], [ %bytes.013, %for.body ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %entry
  %bytes.0.lcssa = phi i64 [ %1, %entry ], [ %bytes.1, %for.inc ]
  %div11 = and i64 %bytes.0.lcssa, -64
  %mul9 = add i64 %div11, 128
  %call = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %mul9) #14
  %cmp10 = icmp eq ptr %call, null
  br i1 %cmp10, label %cleanup, label %if.end12

if.end12:                                         ; preds = %for.end
  %6 = load ptr, ptr %context, align 8
  store ptr %6, ptr %call, align 8
  store ptr %call, ptr %context, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 64
  br label %cleanup

cleanup:                                          ; preds = %for.end, %if.end12
  %retval.0 = phi ptr [ %add.ptr, %if.end12 ], [ null, %for.end ]
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
