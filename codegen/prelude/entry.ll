; Generated from runtime/native/entry.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_symbol = type { i64, i64, i64, i64, i64, i32, i32 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_expression = type { ptr, ptr, ptr, i64, i64, i64, i32 }
%struct.rule = type { ptr, ptr, ptr }
%struct.tw_check = type { ptr, ptr, i64, i64, i64, i64 }
%union.tw_slot = type { ptr }
%struct.tw_call = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32 }
%struct.tw_value = type { i32, i32, %union.tw_payload }
%union.tw_payload = type { i64 }
%struct.tw_tensor_object = type { %struct.tw_object, %struct.tw_tensor }
%struct.tw_object = type { i64, i32, i32, %union.tw_deleter }
%union.tw_deleter = type { i64 }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.block = type { i64, ptr }
%struct.finding = type { ptr, [3 x i64] }
@__tw_default_threads = local_unnamed_addr global i32 1
@__tw_abi_version = local_unnamed_addr constant i32 3
@__tw_last_error = global [1024 x i8] zeroinitializer
@.str = private unnamed_addr constant [93 x i8] c"%s: %s: an index is out of range\0A    expected: %lld..%lld\0A    got: %lld at %s of the indices\00"
@tw_name = external hidden constant [0 x i8]
@.str.1 = private unnamed_addr constant [11 x i8] c"IndexError\00"
@.str.2 = private unnamed_addr constant [257 x i8] c"%s: a function that the model calls is not set\0A    expected: code and handle of %s in __tw_externs\0A    got: null\0A    hint: register the function, then load the model by tilewright.load_module or tw_load; a program that loads it otherwise fills __tw_externs\00"
@.str.3 = private unnamed_addr constant [13 x i8] c"RuntimeError\00"
@tw_arguments = external hidden local_unnamed_addr constant i32
@tw_inputs = external hidden local_unnamed_addr constant i32
@arenas = internal global [8 x ptr] zeroinitializer, align 64
@tw_given_count = external hidden local_unnamed_addr constant i32
@tw_symbols = external hidden local_unnamed_addr constant [0 x %struct.tw_symbol]
@.str.4 = private unnamed_addr constant [101 x i8] c"%s: the weights are not loaded\0A    expected: the address of %lld bytes in __tw_weights\0A    got: null\00"
@tw_weights_bytes = external hidden local_unnamed_addr constant i64
@.str.5 = private unnamed_addr constant [10 x i8] c"TypeError\00"
@.str.6 = private unnamed_addr constant [146 x i8] c"%s: no function allocates the outputs\0A    expected: a tw_allocate and its context, two opaque pointers, after the threads\0A    got: %lld arguments\00"
@tw_size_count = external hidden local_unnamed_addr constant i32
@.str.7 = private unnamed_addr constant [108 x i8] c"%s: the last argument does not take the sizes of the outputs\0A    expected: an int64 tensor of %lld elements\00"
@tw_specs = external hidden constant [0 x %struct.tw_spec]
@.str.8 = private unnamed_addr constant [11 x i8] c"ValueError\00"
@.str.9 = private unnamed_addr constant [107 x i8] c"%s: the memory of a call depends on the elements of its inputs\0A    got: %lld sizes that the model computes\00"
@__tw_weights = local_unnamed_addr global ptr null
@__tw_running = global i32 0
@__tw_pool = local_unnamed_addr global ptr null
@__tw_raise = local_unnamed_addr global ptr null
@__TVMFFIErrorSetRaisedFromCStr = weak local_unnamed_addr global ptr null
@__tvm_ffi__library_ctx = weak local_unnamed_addr global ptr null
@.str.10 = private unnamed_addr constant [29 x i8] c"TVMFFIErrorSetRaisedFromCStr\00"
@.str.11 = private unnamed_addr constant [2 x i8] c"[\00"
@.str.12 = private unnamed_addr constant [5 x i8] c"%lld\00"
@.str.13 = private unnamed_addr constant [7 x i8] c", %lld\00"
@.str.14 = private unnamed_addr constant [2 x i8] c"]\00"
@.str.15 = private unnamed_addr constant [93 x i8] c"%s: the inputs lead to a size that is not valid\0A    expected: %s in %lld..%lld\0A    got: %lld\00"
@tw_expressions = external hidden local_unnamed_addr constant [0 x %struct.tw_expression]
@tw_symbol_count = external hidden local_unnamed_addr constant i32
@.str.16 = private unnamed_addr constant [12 x i8] c"MemoryError\00"
@.str.17 = private unnamed_addr constant [102 x i8] c"%s: the sizes of the arguments are too large\0A    expected: intermediate results of at most %lld bytes\00"
@tw_expression_count = external hidden local_unnamed_addr constant i32
@.str.18 = private unnamed_addr constant [3 x i8] c"%s\00"
@.str.19 = private unnamed_addr constant [1 x i8] zeroinitializer
@.str.20 = private unnamed_addr constant [3 x i8] c", \00"
@.str.21 = private unnamed_addr constant [14 x i8] c"in %lld..%lld\00"
@.str.22 = private unnamed_addr constant [17 x i8] c"of at least %lld\00"
@.str.23 = private unnamed_addr constant [79 x i8] c"%s: a size is outside of its range\0A    expected: %s %s\0A    got: %lld, where %s\00"
@.str.24 = private unnamed_addr constant [21 x i8] c"%s = %lld (computed)\00"
@.str.25 = private unnamed_addr constant [31 x i8] c"%s = %lld (dimension %d of %s)\00"
@.str.26 = private unnamed_addr constant [18 x i8] c" (required by %s)\00"
@.str.27 = private unnamed_addr constant [155 x i8] c"%s: the inputs are too small: an intermediate result would have a negative size\0A    expected: larger inputs, as for windows that fit into them\0A    got: %s\00"
@IS_ALIGNED = internal constant %struct.rule { ptr @.str.8, ptr @.str.41, ptr @.str.42 }
@IS_TENSOR = internal constant %struct.rule { ptr @.str.5, ptr @.str.28, ptr @.str.29 }
@tw_device_type = external hidden local_unnamed_addr constant i32
@IS_IN_CPU_MEMORY = internal constant %struct.rule { ptr @.str.8, ptr @.str.30, ptr @.str.31 }
@HAS_DTYPE = internal constant %struct.rule { ptr @.str.5, ptr @.str.32, ptr @.str.33 }
@HAS_RANK = internal constant %struct.rule { ptr @.str.8, ptr @.str.34, ptr @.str.35 }
@.str.28 = private unnamed_addr constant [16 x i8] c"is not a tensor\00"
@.str.29 = private unnamed_addr constant [16 x i8] c"type index %lld\00"
@.str.30 = private unnamed_addr constant [21 x i8] c"is not in CPU memory\00"
@.str.31 = private unnamed_addr constant [37 x i8] c"DLPack device type %lld, number %lld\00"
@.str.32 = private unnamed_addr constant [20 x i8] c"has the wrong dtype\00"
@.str.33 = private unnamed_addr constant [45 x i8] c"DLPack type code %lld, %lld bits, %lld lanes\00"
@.str.34 = private unnamed_addr constant [35 x i8] c"has the wrong number of dimensions\00"
@.str.35 = private unnamed_addr constant [16 x i8] c"%lld dimensions\00"
@HAS_ROOM = internal constant %struct.rule { ptr @.str.8, ptr @.str.36, ptr @.str.19 }
@HAS_SIZE = internal constant %struct.rule { ptr @.str.8, ptr @.str.37, ptr @.str.19 }
@HAS_SHAPE = internal constant %struct.rule { ptr @.str.8, ptr @.str.37, ptr @.str.38 }
@.str.36 = private unnamed_addr constant [13 x i8] c"is too small\00"
@.str.37 = private unnamed_addr constant [20 x i8] c"has the wrong shape\00"
@.str.38 = private unnamed_addr constant [28 x i8] c"size %lld in dimension %lld\00"
@IS_ROW_MAJOR = internal constant %struct.rule { ptr @.str.8, ptr @.str.39, ptr @.str.40 }
@.str.39 = private unnamed_addr constant [38 x i8] c"is not stored row by row without gaps\00"
@.str.40 = private unnamed_addr constant [46 x i8] c"stride %lld in dimension %lld instead of %lld\00"
@.str.41 = private unnamed_addr constant [39 x i8] c"is null or not aligned to its elements\00"
@.str.42 = private unnamed_addr constant [40 x i8] c"address %#llx, needs a multiple of %lld\00"
@HAS_VALID_SIZE = internal constant %struct.rule { ptr @.str.8, ptr @.str.44, ptr @.str.19 }
@.str.43 = private unnamed_addr constant [71 x i8] c"%s: argument %d (%s) %s\0A    expected: %s\0A    got: %s\0A    signature: %s\00"
@tw_signature = external hidden constant [0 x i8]
@.str.44 = private unnamed_addr constant [29 x i8] c"has a size that is not valid\00"
@.str.45 = private unnamed_addr constant [8 x i8] c" = %lld\00"
@.str.46 = private unnamed_addr constant [9 x i8] c", where \00"
@.str.47 = private unnamed_addr constant [20 x i8] c"%s is in %lld..%lld\00"
@.str.48 = private unnamed_addr constant [118 x i8] c"%s: argument %d (%s) %s\0A    expected: %s, dimension %lld: %s%s\0A    got: size %lld in dimension %lld\0A    signature: %s\00"
@.str.49 = private unnamed_addr constant [10 x i8] c"at least \00"
@.str.50 = private unnamed_addr constant [61 x i8] c"%s: no memory for an output\0A    got: nothing for output %lld\00"
@IS_APART = internal constant %struct.rule { ptr @.str.8, ptr @.str.51, ptr @.str.52 }
@.str.51 = private unnamed_addr constant [36 x i8] c"shares memory with another argument\00"
@.str.52 = private unnamed_addr constant [27 x i8] c"overlap with argument %lld\00"
@tw_arena_bytes = external hidden local_unnamed_addr constant i64
@.str.53 = private unnamed_addr constant [68 x i8] c"%s: no memory for the intermediate results\0A    expected: %lld bytes\00"
@.str.54 = private unnamed_addr constant [41 x i8] c"%s: a kernel failed\0A    got: status %lld\00"
@.str.55 = private unnamed_addr constant [136 x i8] c"%s: the sizes of the outputs do not follow from the inputs\0A    expected: a call with arrays for the outputs, the first is argument %lld\00"
@tw_max_threads = external hidden local_unnamed_addr constant i32
@.str.56 = private unnamed_addr constant [91 x i8] c"%s: the first argument is not a thread count\0A    expected: an int\0A    got: type index %lld\00"
@.str.57 = private unnamed_addr constant [101 x i8] c"%s: wrong number of arguments\0A    expected: %d (%d inputs, %d outputs)\0A    got: %d\0A    signature: %s\00"
define hidden noundef signext i32 @tw_fail(ptr noundef %kind, ptr noundef %message) local_unnamed_addr cold nounwind optsize "no-builtins" {
  %call = tail call ptr @memcpy(ptr noundef @__tw_last_error, ptr noundef %message, i64 noundef 1024)
  %1 = load ptr, ptr @__tw_raise
  %cmp.i = icmp ne ptr %1, null
  br i1 %cmp.i, label %if.then, label %if.end.i
if.end.i:
  %2 = load ptr, ptr @__TVMFFIErrorSetRaisedFromCStr
  %cmp1.i = icmp ne ptr %2, null
  br i1 %cmp1.i, label %if.then, label %if.end3.i
if.end3.i:
  %cmp4.i = icmp ne ptr @TVMFFIErrorSetRaisedFromCStr, null
  br i1 %cmp4.i, label %host_report.exit, label %if.end6.i
if.end6.i:
  %cmp7.i = icmp eq ptr @dlsym, null
  br i1 %cmp7.i, label %if.end, label %if.end9.i
if.end9.i:
  %call.i = tail call ptr @dlsym(ptr noundef null, ptr noundef @.str.10)
  br label %host_report.exit
host_report.exit:
  %.sink.i = phi ptr [ %call.i, %if.end9.i ], [ @TVMFFIErrorSetRaisedFromCStr, %if.end3.i ]
  %cmp = icmp ne ptr %.sink.i, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %.sink.i5 = phi ptr [ %.sink.i, %host_report.exit ], [ %2, %if.end.i ], [ %1, %0 ]
  tail call void %.sink.i5(ptr noundef %kind, ptr noundef %message)
  br label %if.end
if.end:
  ret i32 -1
}
define hidden noundef signext i32 @tw_fail_index(ptr noundef readonly captures(none) %check, i64 noundef %position, i64 noundef %got, i64 noundef %low, i64 noundef %high) local_unnamed_addr cold nounwind optsize "no-builtins" {
  %where = alloca [256 x i8]
  %message = alloca [1024 x i8]
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %where, i64 noundef 256, ptr noundef @.str.11)
  %conv.i = sext i32 %call.i to i64
  %rank.i = getelementptr inbounds nuw %struct.tw_check, ptr %check, i32 0, i32 2
  %1 = load i64, ptr %rank.i
  %cmp25.i = icmp slt i64 0, %1
  %sub26.i = sub nsw i64 256, %conv.i
  %cmp227.i = icmp sge i64 %sub26.i, 32
  %2 = select i1 %cmp25.i, i1 %cmp227.i, i1 false
  br i1 %2, label %for.cond4.preheader.i, label %write_position.exit
for.cond4.preheader.i:
  %sub30.i = phi i64 [ %sub.i, %for.cond.cleanup8.i ], [ %sub26.i, %0 ]
  %3 = phi i64 [ %6, %for.cond.cleanup8.i ], [ %1, %0 ]
  %inc19.sink29.i = phi i64 [ %inc21.i, %for.cond.cleanup8.i ], [ 0, %0 ]
  %length.028.i = phi i64 [ %add17.i, %for.cond.cleanup8.i ], [ %conv.i, %0 ]
  %inc21.i = add nsw i64 %inc19.sink29.i, 1
  %cmp622.i = icmp slt i64 %inc21.i, %3
  br i1 %cmp622.i, label %for.body9.i, label %for.cond.cleanup8.i
for.cond.cleanup8.i:
  %mul.sink.lcssa.i = phi i64 [ 1, %for.cond4.preheader.i ], [ %mul.i, %for.body9.i ]
  %div.i = sdiv i64 %position, %mul.sink.lcssa.i
  %shape10.i = getelementptr inbounds nuw %struct.tw_check, ptr %check, i32 0, i32 1
  %4 = load ptr, ptr %shape10.i
  %arrayidx11.i = getelementptr inbounds i64, ptr %4, i64 %inc19.sink29.i
  %5 = load i64, ptr %arrayidx11.i
  %rem.i = srem i64 %div.i, %5
  %cmp12.i = icmp eq i64 %inc19.sink29.i, 0
  %cond.i = select i1 %cmp12.i, ptr @.str.12, ptr @.str.13
  %add.ptr.i = getelementptr inbounds i8, ptr %where, i64 %length.028.i
  %call15.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i, i64 noundef %sub30.i, ptr noundef nonnull %cond.i, i64 noundef %rem.i)
  %conv16.i = sext i32 %call15.i to i64
  %add17.i = add nsw i64 %conv16.i, %length.028.i
  %6 = load i64, ptr %rank.i
  %cmp.i = icmp slt i64 %inc21.i, %6
  %sub.i = sub nsw i64 256, %add17.i
  %cmp2.i = icmp sge i64 %sub.i, 32
  %7 = select i1 %cmp.i, i1 %cmp2.i, i1 false
  br i1 %7, label %for.cond4.preheader.i, label %write_position.exit
for.body9.i:
  %inc24.i = phi i64 [ %inc.i, %for.body9.i ], [ %inc21.i, %for.cond4.preheader.i ]
  %mul.sink23.i = phi i64 [ %mul.i, %for.body9.i ], [ 1, %for.cond4.preheader.i ]
  %shape.i = getelementptr inbounds nuw %struct.tw_check, ptr %check, i32 0, i32 1
  %8 = load ptr, ptr %shape.i
  %arrayidx.i = getelementptr inbounds i64, ptr %8, i64 %inc24.i
  %9 = load i64, ptr %arrayidx.i
  %mul.i = mul nsw i64 %9, %mul.sink23.i
  %inc.i = add nsw i64 %inc24.i, 1
  %cmp6.i = icmp slt i64 %inc.i, %3
  br i1 %cmp6.i, label %for.body9.i, label %for.cond.cleanup8.i
write_position.exit:
  %length.0.lcssa.i = phi i64 [ %conv.i, %0 ], [ %add17.i, %for.cond.cleanup8.i ]
  %sub.lcssa.i = phi i64 [ %sub26.i, %0 ], [ %sub.i, %for.cond.cleanup8.i ]
  %add.ptr21.i = getelementptr inbounds i8, ptr %where, i64 %length.0.lcssa.i
  %call23.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr21.i, i64 noundef %sub.lcssa.i, ptr noundef @.str.14)
  %10 = load ptr, ptr %check
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str, ptr noundef @tw_name, ptr noundef %10, i64 noundef %low, i64 noundef %high, i64 noundef %got, ptr noundef nonnull %where)
  %call4 = call signext i32 @tw_fail(ptr noundef @.str.1, ptr noundef nonnull %message) cold
  ret i32 -1
}
define hidden noundef signext i32 @tw_missing_function(ptr noundef %name, ptr noundef readnone captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr cold nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8]
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.2, ptr noundef @tw_name, ptr noundef %name)
  %call2 = call signext i32 @tw_fail(ptr noundef @.str.3, ptr noundef nonnull %message) cold
  ret i32 -1
}
define hidden signext i32 @tw_device_of(ptr noundef readonly captures(none) %slots, i32 noundef signext %index) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @tw_arguments
  %add = add nsw i32 %1, 1
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  %2 = load ptr, ptr %arrayidx
  %3 = load i32, ptr @tw_inputs
  %cmp = icmp sge i32 %index, %3
  br i1 %cmp, label %land.lhs.true, label %if.end
land.lhs.true:
  %allocate = getelementptr inbounds nuw %struct.tw_call, ptr %2, i32 0, i32 5
  %4 = load ptr, ptr %allocate
  %cmp1 = icmp ne ptr %4, null
  br i1 %cmp1, label %cleanup, label %if.end
if.end:
  %5 = load ptr, ptr %2
  %idxprom2 = sext i32 %index to i64
  %arrayidx3 = getelementptr inbounds %struct.tw_value, ptr %5, i64 %idxprom2
  %6 = load i32, ptr %arrayidx3
  switch i32 %6, label %tw_tensor_of.exit [ i32 7, label %if.then.i i32 70, label %land.lhs.true.i ]
if.then.i:
  %payload.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx3, i32 0, i32 2
  %7 = load ptr, ptr %payload.i
  br label %tw_tensor_of.exit
land.lhs.true.i:
  %payload3.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx3, i32 0, i32 2
  %8 = load ptr, ptr %payload3.i
  %cmp4.i = icmp ne ptr %8, null
  %tensor.i = getelementptr inbounds nuw %struct.tw_tensor_object, ptr %8, i32 0, i32 1
  %spec.select.i = select i1 %cmp4.i, ptr %tensor.i, ptr null
  br label %tw_tensor_of.exit
tw_tensor_of.exit:
  %.sink.i = phi ptr [ %7, %if.then.i ], [ null, %if.end ], [ %spec.select.i, %land.lhs.true.i ]
  %device_type = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i, i32 0, i32 1
  %9 = load i32, ptr %device_type
  %cmp5 = icmp eq i32 %9, 1
  br i1 %cmp5, label %cleanup, label %cond.false
cond.false:
  %device_id = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i, i32 0, i32 2
  %10 = load i32, ptr %device_id
  br label %cleanup
cleanup:
  %cond.sink = phi i32 [ -1, %land.lhs.true ], [ %10, %cond.false ], [ -1, %tw_tensor_of.exit ]
  ret i32 %cond.sink
}
define void @__tw_release() local_unnamed_addr nounwind "no-builtins" {
  br label %for.body
for.body:
  %inc.sink3 = phi i32 [ 0, %0 ], [ %inc, %free_blocks.exit ]
  %idxprom = sext i32 %inc.sink3 to i64
  %arrayidx = getelementptr inbounds [8 x ptr], ptr @arenas, i64 0, i64 %idxprom
  %call = atomicrmw xchg ptr %arrayidx, ptr null acq_rel
  %cmp3.i = icmp ne ptr %call, null
  br i1 %cmp3.i, label %while.body.i, label %free_blocks.exit
while.body.i:
  %.sink4.i = phi ptr [ %1, %while.body.i ], [ %call, %for.body ]
  %next1.i = getelementptr inbounds nuw %struct.block, ptr %.sink4.i, i32 0, i32 1
  %1 = load ptr, ptr %next1.i
  tail call void @free(ptr noundef nonnull %.sink4.i)
  %cmp.i = icmp ne ptr %1, null
  br i1 %cmp.i, label %while.body.i, label %free_blocks.exit
free_blocks.exit:
  %inc = add nsw i32 %inc.sink3, 1
  %cmp = icmp slt i32 %inc, 8
  br i1 %cmp, label %for.body, label %for.end
for.end:
  tail call void @tw_release_device()
  tail call void @tw_unload_weights()
  ret void
}
define weak hidden void @tw_release_device() local_unnamed_addr cold nounwind optsize "no-builtins" {
  ret void
}
define weak hidden void @tw_unload_weights() local_unnamed_addr cold nounwind optsize "no-builtins" {
  ret void
}
define hidden i64 @tw_begin_stage(ptr noundef captures(none) %call, i32 noundef signext %stage, i64 noundef %value) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @tw_given_count
  %add = add i32 %stage, -1
  %sub = add i32 %add, %1
  %idxprom = sext i32 %sub to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %2 = load i64, ptr %arrayidx
  %cmp = icmp slt i64 %value, %2
  br i1 %cmp, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %most = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 1
  %3 = load i64, ptr %most
  %cmp3 = icmp sgt i64 %value, %3
  br i1 %cmp3, label %if.then, label %if.end
if.then:
  tail call fastcc void @fail_computed(i32 noundef signext %sub, i64 noundef %value) cold
  br label %cleanup
if.end:
  %sizes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  %4 = load ptr, ptr %sizes
  %arrayidx6 = getelementptr inbounds i64, ptr %4, i64 %idxprom
  store i64 %value, ptr %arrayidx6
  %call7 = tail call fastcc signext i32 @begin_stage(ptr noundef %call, i32 noundef signext %stage)
  %cmp8 = icmp ne i32 %call7, 0
  br i1 %cmp8, label %cleanup, label %if.end10
if.end10:
  %end = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 8
  %5 = load i32, ptr %end
  %cmp11 = icmp eq i32 %stage, %5
  %conv = zext i1 %cmp11 to i32
  %has_ended = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 9
  store i32 %conv, ptr %has_ended
  br i1 %cmp11, label %cleanup, label %cond.false
cond.false:
  %6 = load ptr, ptr %sizes
  %7 = load i32, ptr @tw_symbol_count
  %cmp.i = icmp eq i32 %7, 0
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i
cond.true.i:
  %8 = load i64, ptr @tw_arena_bytes
  br label %cleanup
cond.false.i:
  %9 = load i32, ptr @tw_expression_count
  %add.i = add nsw i32 %9, %stage
  %idxprom.i = sext i32 %add.i to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %6, i64 %idxprom.i
  %10 = load i64, ptr %arrayidx.i
  br label %cleanup
cleanup:
  %cond.sink = phi i64 [ -1, %if.end ], [ -1, %if.then ], [ -1, %if.end10 ], [ %8, %cond.true.i ], [ %10, %cond.false.i ]
  ret i64 %cond.sink
}
define internal fastcc void @fail_computed(i32 noundef signext range(i32 -2147483648, 2147483647) %index, i64 noundef %got) unnamed_addr cold nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8]
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %arrayidx2 = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %idxprom
  %1 = load ptr, ptr %arrayidx2
  %2 = load i64, ptr %arrayidx
  %most = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 1
  %3 = load i64, ptr %most
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.15, ptr noundef @tw_name, ptr noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %got)
  %call4 = call signext i32 @tw_fail(ptr noundef @.str.8, ptr noundef nonnull %message) cold
  ret void
}
define internal fastcc signext range(i32 -1, 1) i32 @begin_stage(ptr noundef readonly captures(none) %call, i32 noundef signext %stage) unnamed_addr nounwind "no-builtins" {
  %finding.i15 = alloca %struct.finding
  %finding.i = alloca %struct.finding
  %sizes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  %1 = load ptr, ptr %sizes
  %call1 = tail call fastcc signext i32 @derive(ptr noundef %1, i32 noundef signext %stage)
  %cmp = icmp ne i32 %call1, 0
  br i1 %cmp, label %return, label %for.cond.preheader
for.cond.preheader:
  %2 = load i32, ptr @tw_arguments
  %cmp243 = icmp slt i32 0, %2
  br i1 %cmp243, label %for.body, label %for.end
for.body:
  %inc.sink44 = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %idxprom = sext i32 %inc.sink44 to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom
  %stage3 = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 8
  %3 = load i32, ptr %stage3
  %cmp4 = icmp ne i32 %3, %stage
  br i1 %cmp4, label %for.inc, label %if.end6
if.end6:
  %4 = load i32, ptr @tw_inputs
  %cmp7 = icmp slt i32 %inc.sink44, %4
  br i1 %cmp7, label %cond.true, label %lor.rhs
lor.rhs:
  %allocate = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 5
  %5 = load ptr, ptr %allocate
  %cmp8 = icmp eq ptr %5, null
  br i1 %cmp8, label %cond.true, label %cond.false
cond.true:
  %6 = load ptr, ptr %call
  %arrayidx.i = getelementptr inbounds %struct.tw_value, ptr %6, i64 %idxprom
  %slots.i = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %7 = load ptr, ptr %slots.i
  %arrayidx2.i = getelementptr inbounds %union.tw_slot, ptr %7, i64 %idxprom
  %8 = load i32, ptr %arrayidx.i
  switch i32 %8, label %check_type.exit.i.i [ i32 7, label %tw_tensor_of.exit.i.i.i i32 70, label %land.lhs.true.i.i.i.i ]
land.lhs.true.i.i.i.i:
  %payload3.i.i.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx.i, i32 0, i32 2
  %9 = load ptr, ptr %payload3.i.i.i.i
  %cmp4.i.i.i.i = icmp ne ptr %9, null
  %tensor.i.i.i.i = getelementptr inbounds nuw %struct.tw_tensor_object, ptr %9, i32 0, i32 1
  br i1 %cmp4.i.i.i.i, label %land.lhs.true.i.i.i, label %check_type.exit.i.i
tw_tensor_of.exit.i.i.i:
  %payload.i.i.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx.i, i32 0, i32 2
  %10 = load ptr, ptr %payload.i.i.i.i
  %cmp.i.i.i = icmp ne ptr %10, null
  br i1 %cmp.i.i.i, label %land.lhs.true.i.i.i, label %check_type.exit.i.i
land.lhs.true.i.i.i:
  %.sink.i.i59.i.i = phi ptr [ %10, %tw_tensor_of.exit.i.i.i ], [ %tensor.i.i.i.i, %land.lhs.true.i.i.i.i ]
  %device_type.i.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i59.i.i, i32 0, i32 1
  %11 = load i32, ptr %device_type.i.i.i
  %cmp1.i.i.i = icmp eq i32 %11, 1
  br i1 %cmp1.i.i.i, label %land.lhs.true2.i.i.i, label %check_type.exit.i.i
land.lhs.true2.i.i.i:
  %dtype.i.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i59.i.i, i32 0, i32 4
  %12 = load i32, ptr %dtype.i.i.i
  %dtype3.i.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 6
  %13 = load i32, ptr %dtype3.i.i.i
  %cmp4.i.i.i = icmp eq i32 %12, %13
  br i1 %cmp4.i.i.i, label %land.lhs.true5.i.i.i, label %check_type.exit.i.i
land.lhs.true5.i.i.i:
  %rank.i.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i59.i.i, i32 0, i32 3
  %14 = load i32, ptr %rank.i.i.i
  %rank6.i.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %15 = load i32, ptr %rank6.i.i.i
  %cmp7.i.i.i = icmp eq i32 %14, %15
  br i1 %cmp7.i.i.i, label %lor.lhs.false.i.i, label %check_type.exit.i.i
check_type.exit.i.i:
  %.sink.i.i54.i.i = phi ptr [ null, %tw_tensor_of.exit.i.i.i ], [ %.sink.i.i59.i.i, %land.lhs.true5.i.i.i ], [ %.sink.i.i59.i.i, %land.lhs.true2.i.i.i ], [ %.sink.i.i59.i.i, %land.lhs.true.i.i.i ], [ null, %cond.true ], [ null, %land.lhs.true.i.i.i.i ]
  %call8.i.i.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx, ptr noundef nonnull readonly %arrayidx.i, ptr noundef %.sink.i.i54.i.i, ptr noundef nonnull %finding.i) cold
  br i1 %call8.i.i.i, label %lor.lhs.false.i.i, label %if.end.i
lor.lhs.false.i.i:
  %.sink.i.i5562.i.i = phi ptr [ %.sink.i.i54.i.i, %check_type.exit.i.i ], [ %.sink.i.i59.i.i, %land.lhs.true5.i.i.i ]
  %16 = load ptr, ptr %sizes
  %rank.i15.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %17 = load i32, ptr %rank.i15.i.i
  %cmp.i1685.i.i = icmp slt i32 0, %17
  br i1 %cmp.i1685.i.i, label %for.body.i.i.i, label %if.end.thread.i.i
if.end.thread.i.i:
  %18 = load ptr, ptr %.sink.i.i5562.i.i
  %byte_offset104.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i5562.i.i, i32 0, i32 7
  %19 = load i64, ptr %byte_offset104.i.i
  %add.ptr105.i.i = getelementptr inbounds nuw i8, ptr %18, i64 %19
  store ptr %add.ptr105.i.i, ptr %arrayidx2.i
  %bytes1.i106.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 3
  %20 = load i64, ptr %bytes1.i106.i.i
  br label %bytes_of.exit.i.i
for.cond.i.i.i:
  %inc.i98.i.i = phi i32 [ %inc.i97.i.i, %if.end24.i.thread.i.i ], [ %inc.i.i.i, %if.end24.i.i.i ], [ %inc.i103.i.i, %if.end24.i.thread99.i.i ]
  %cmp.i16.i.i = icmp slt i32 %inc.i98.i.i, %17
  br i1 %cmp.i16.i.i, label %for.body.i.i.i, label %if.end.i.i
for.body.i.i.i:
  %inc.sink.i86.i.i = phi i32 [ %inc.i98.i.i, %for.cond.i.i.i ], [ 0, %lor.lhs.false.i.i ]
  %shape.i.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i5562.i.i, i32 0, i32 5
  %21 = load ptr, ptr %shape.i.i.i
  %idxprom.i.i.i = sext i32 %inc.sink.i86.i.i to i64
  %arrayidx.i.i.i = getelementptr inbounds i64, ptr %21, i64 %idxprom.i.i.i
  %22 = load i64, ptr %arrayidx.i.i.i
  %shape1.i.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 2
  %23 = load ptr, ptr %shape1.i.i.i
  %arrayidx3.i.i.i = getelementptr inbounds i64, ptr %23, i64 %idxprom.i.i.i
  %24 = load i64, ptr %arrayidx3.i.i.i
  %cmp4.i17.i.i = icmp slt i64 %24, 0
  br i1 %cmp4.i17.i.i, label %land.end.i.i.i, label %if.end24.i.i.i
land.end.i.i.i:
  %sub.i.i.i = sub nuw nsw i64 -1, %24
  %arrayidx5.i.i.i = getelementptr inbounds nuw [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %sub.i.i.i
  %stage.i.i.i = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx5.i.i.i, i32 0, i32 6
  %25 = load i32, ptr %stage.i.i.i
  %cmp6.i.i.i = icmp sgt i32 %25, 0
  %arrayidx8.i.i.i = getelementptr inbounds nuw i64, ptr %16, i64 %sub.i.i.i
  %26 = load i64, ptr %arrayidx8.i.i.i
  br i1 %cmp6.i.i.i, label %land.lhs.true.i19.i.i, label %if.end.i18.i.i
land.lhs.true.i19.i.i:
  %cmp9.i.i.i = icmp slt i64 %22, %26
  br i1 %cmp9.i.i.i, label %if.then.i.i.i, label %if.end24.i.thread99.i.i
if.end24.i.thread99.i.i:
  %inc.i103.i.i = add nsw i32 %inc.sink.i86.i.i, 1
  br label %for.cond.i.i.i
if.then.i.i.i:
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef @HAS_ROOM, i64 noundef %22, i64 noundef %idxprom.i.i.i, i64 noundef %sub.i.i.i) cold
  br label %if.end.i
if.end.i18.i.i:
  %cmp18.i.i.i = icmp ne i64 %22, %26
  br i1 %cmp18.i.i.i, label %if.then20.i.i.i, label %if.end24.i.thread.i.i
if.end24.i.thread.i.i:
  %inc.i97.i.i = add nsw i32 %inc.sink.i86.i.i, 1
  br label %for.cond.i.i.i
if.then20.i.i.i:
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef @HAS_SIZE, i64 noundef %22, i64 noundef %idxprom.i.i.i, i64 noundef %sub.i.i.i) cold
  br label %if.end.i
if.end24.i.i.i:
  %cmp28.i.i.i = icmp ne i64 %22, %24
  %inc.i.i.i = add nsw i32 %inc.sink.i86.i.i, 1
  br i1 %cmp28.i.i.i, label %if.then30.i.i.i, label %for.cond.i.i.i
if.then30.i.i.i:
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef @HAS_SHAPE, i64 noundef %22, i64 noundef %idxprom.i.i.i, i64 noundef 0) cold
  br label %if.end.i
if.end.i.i:
  %27 = load ptr, ptr %.sink.i.i5562.i.i
  %byte_offset.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i5562.i.i, i32 0, i32 7
  %28 = load i64, ptr %byte_offset.i.i
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %27, i64 %28
  store ptr %add.ptr.i.i, ptr %arrayidx2.i
  %bytes1.i.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 3
  %29 = load i64, ptr %bytes1.i.i.i
  br label %for.body.i22.i.i
for.body.i22.i.i:
  %inc.sink9.i.i.i = phi i32 [ %inc.i27.i.i, %for.inc.i26.i.i ], [ 0, %if.end.i.i ]
  %bytes.08.i.i.i = phi i64 [ %bytes.1.i.i.i, %for.inc.i26.i.i ], [ %29, %if.end.i.i ]
  %idxprom.i24.i.i = sext i32 %inc.sink9.i.i.i to i64
  %arrayidx.i25.i.i = getelementptr inbounds i64, ptr %23, i64 %idxprom.i24.i.i
  %30 = load i64, ptr %arrayidx.i25.i.i
  %cmp2.i.i.i = icmp slt i64 %30, 0
  br i1 %cmp2.i.i.i, label %if.then.i29.i.i, label %for.inc.i26.i.i
if.then.i29.i.i:
  %31 = load ptr, ptr %shape.i.i.i
  %arrayidx5.i30.i.i = getelementptr inbounds i64, ptr %31, i64 %idxprom.i24.i.i
  %32 = load i64, ptr %arrayidx5.i30.i.i
  %mul.i.i.i = mul i64 %32, %bytes.08.i.i.i
  br label %for.inc.i26.i.i
for.inc.i26.i.i:
  %bytes.1.i.i.i = phi i64 [ %mul.i.i.i, %if.then.i29.i.i ], [ %bytes.08.i.i.i, %for.body.i22.i.i ]
  %inc.i27.i.i = add nsw i32 %inc.sink9.i.i.i, 1
  %cmp.i28.i.i = icmp slt i32 %inc.i27.i.i, %17
  br i1 %cmp.i28.i.i, label %for.body.i22.i.i, label %bytes_of.exit.i.i
bytes_of.exit.i.i:
  %bytes.0.lcssa.i.i.i = phi i64 [ %20, %if.end.thread.i.i ], [ %bytes.1.i.i.i, %for.inc.i26.i.i ]
  %bytes.i.i = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 3
  %33 = load ptr, ptr %bytes.i.i
  %arrayidx5.i.i = getelementptr inbounds i64, ptr %33, i64 %idxprom
  store i64 %bytes.0.lcssa.i.i.i, ptr %arrayidx5.i.i
  %34 = load ptr, ptr %bytes.i.i
  %arrayidx8.i.i = getelementptr inbounds i64, ptr %34, i64 %idxprom
  %35 = load i64, ptr %arrayidx8.i.i
  %cmp.i.i = icmp eq i64 %35, 0
  br i1 %cmp.i.i, label %check_one.exit, label %if.end10.i.i
if.end10.i.i:
  %strides.i.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i5562.i.i, i32 0, i32 6
  %36 = load ptr, ptr %strides.i.i.i
  %cmp.i31.i.i = icmp ne ptr %36, null
  %sub.i34.i.i = sub nsw i32 %17, 1
  %cmp119.i.i.i = icmp sge i32 %sub.i34.i.i, 0
  %or.cond.i.i = select i1 %cmp.i31.i.i, i1 %cmp119.i.i.i, i1 false
  br i1 %or.cond.i.i, label %for.body.i37.i.i, label %if.end13.i.i
for.body.i37.i.i:
  %dec.sink21.i.i.i = phi i32 [ %dec.i.i.i, %for.inc.i43.i.i ], [ %sub.i34.i.i, %if.end10.i.i ]
  %expected.020.i.i.i = phi i64 [ %mul.i44.i.i, %for.inc.i43.i.i ], [ 1, %if.end10.i.i ]
  %idxprom.i38.i.i = zext nneg i32 %dec.sink21.i.i.i to i64
  %arrayidx.i39.i.i = getelementptr inbounds nuw i64, ptr %36, i64 %idxprom.i38.i.i
  %37 = load i64, ptr %arrayidx.i39.i.i
  %shape.i40.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i5562.i.i, i32 0, i32 5
  %38 = load ptr, ptr %shape.i40.i.i
  %arrayidx4.i.i.i = getelementptr inbounds nuw i64, ptr %38, i64 %idxprom.i38.i.i
  %39 = load i64, ptr %arrayidx4.i.i.i
  %cmp5.i.i.i = icmp ne i64 %39, 1
  %cmp6.i41.i.i = icmp ne i64 %37, %expected.020.i.i.i
  %or.cond.i42.i.i = select i1 %cmp5.i.i.i, i1 %cmp6.i41.i.i, i1 false
  br i1 %or.cond.i42.i.i, label %check_strides.exit.i.i, label %for.inc.i43.i.i
for.inc.i43.i.i:
  %mul.i44.i.i = mul nsw i64 %39, %expected.020.i.i.i
  %dec.i.i.i = add nsw i32 %dec.sink21.i.i.i, -1
  %cmp1.i45.i.i = icmp sge i32 %dec.i.i.i, 0
  br i1 %cmp1.i45.i.i, label %for.body.i37.i.i, label %if.end13.i.i
check_strides.exit.i.i:
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef @IS_ROW_MAJOR, i64 noundef %37, i64 noundef %idxprom.i38.i.i, i64 noundef %expected.020.i.i.i) cold
  br label %if.end.i
if.end13.i.i:
  %40 = load ptr, ptr %arrayidx2.i
  %41 = ptrtoint ptr %40 to i64
  %42 = load ptr, ptr %.sink.i.i5562.i.i
  %cmp15.i.i = icmp eq ptr %42, null
  br i1 %cmp15.i.i, label %if.then18.i.i, label %lor.lhs.false16.i.i
lor.lhs.false16.i.i:
  %alignment.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 4
  %43 = load i64, ptr %alignment.i.i
  %sub.i.i = sub nsw i64 %43, 1
  %and.i.i = and i64 %sub.i.i, %41
  %cmp17.i.i = icmp ne i64 %and.i.i, 0
  br i1 %cmp17.i.i, label %if.then18.i.i, label %check_one.exit
if.then18.i.i:
  %alignment19.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 4
  %44 = load i64, ptr %alignment19.i.i
  call fastcc void @breaks(ptr noundef nonnull %finding.i, ptr noundef @IS_ALIGNED, i64 noundef %41, i64 noundef %44, i64 noundef 0) cold
  br label %if.end.i
if.end.i:
  %45 = load ptr, ptr %sizes
  call fastcc void @fail_argument(i32 noundef signext %inc.sink44, ptr noundef %finding.i, ptr noundef %45) cold
  br label %check_one.exit
check_one.exit:
  %call4.sink.i = phi i32 [ -1, %if.end.i ], [ 0, %bytes_of.exit.i.i ], [ 0, %lor.lhs.false16.i.i ]
  br label %cond.end
cond.false:
  %call10 = tail call fastcc signext i32 @allocate_one(i32 noundef signext %inc.sink44, ptr noundef nonnull %call)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call4.sink.i, %check_one.exit ], [ %call10, %cond.false ]
  %cmp11 = icmp ne i32 %cond, 0
  %spec.select = select i1 %cmp11, i32 1, i32 0
  %cond1 = icmp eq i32 %spec.select, 0
  br i1 %cond1, label %for.inc, label %return
for.inc:
  %inc = add nsw i32 %inc.sink44, 1
  %cmp2 = icmp slt i32 %inc, %2
  br i1 %cmp2, label %for.body, label %for.end
for.end:
  %allocate16 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 5
  %46 = load ptr, ptr %allocate16
  %cmp17 = icmp eq ptr %46, null
  br i1 %cmp17, label %cond.true18, label %return
cond.true18:
  %slots1.i = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %47 = load ptr, ptr %slots1.i
  %48 = load i32, ptr @tw_inputs
  %cmp38.i = icmp slt i32 %48, %2
  br i1 %cmp38.i, label %for.body.i, label %check_overlap.exit
for.body.i:
  %inc43.sink39.i = phi i32 [ %inc43.i, %for.inc42.i ], [ %48, %cond.true18 ]
  %idxprom.i16 = sext i32 %inc43.sink39.i to i64
  %arrayidx.i17 = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom.i16
  %stage2.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx.i17, i32 0, i32 8
  %49 = load i32, ptr %stage2.i
  %cmp3.i = icmp ne i32 %49, %stage
  br i1 %cmp3.i, label %for.inc42.i, label %if.end.i18
if.end.i18:
  %arrayidx5.i = getelementptr inbounds %union.tw_slot, ptr %47, i64 %idxprom.i16
  %50 = load ptr, ptr %arrayidx5.i
  %51 = ptrtoint ptr %50 to i64
  br i1 %cmp243, label %for.body9.i, label %for.inc42.i
for.body9.i:
  %inc.sink37.i = phi i32 [ %inc.i, %for.inc.i ], [ 0, %if.end.i18 ]
  %idxprom10.i = sext i32 %inc.sink37.i to i64
  %arrayidx11.i = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom10.i
  %stage12.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx11.i, i32 0, i32 8
  %52 = load i32, ptr %stage12.i
  %cmp13.i = icmp sgt i32 %52, %stage
  br i1 %cmp13.i, label %for.inc.i, label %lor.lhs.false.i
lor.lhs.false.i:
  %cmp14.i = icmp eq i32 %52, %stage
  %cmp15.i = icmp sge i32 %inc.sink37.i, %inc43.sink39.i
  %or.cond.i = and i1 %cmp15.i, %cmp14.i
  br i1 %or.cond.i, label %for.inc.i, label %if.end17.i
if.end17.i:
  %arrayidx19.i = getelementptr inbounds %union.tw_slot, ptr %47, i64 %idxprom10.i
  %53 = load ptr, ptr %arrayidx19.i
  %54 = ptrtoint ptr %53 to i64
  %past.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx.i17, i32 0, i32 7
  %55 = load i32, ptr %past.i
  %cmp22.i = icmp eq i32 %55, %inc.sink37.i
  %cmp23.i = icmp eq i64 %51, %54
  %56 = select i1 %cmp22.i, i1 %cmp23.i, i1 false
  br i1 %56, label %for.inc.i, label %land.lhs.true24.i
land.lhs.true24.i:
  %bytes.i = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 3
  %57 = load ptr, ptr %bytes.i
  %arrayidx26.i = getelementptr inbounds i64, ptr %57, i64 %idxprom.i16
  %58 = load i64, ptr %arrayidx26.i
  %arrayidx29.i = getelementptr inbounds i64, ptr %57, i64 %idxprom10.i
  %59 = load i64, ptr %arrayidx29.i
  %cmp.i.i19 = icmp ne i64 %58, 0
  %cmp1.i.i = icmp ne i64 %59, 0
  %or.cond.i.i20 = select i1 %cmp.i.i19, i1 %cmp1.i.i, i1 false
  %add.i.i = add i64 %59, %54
  %cmp3.i.i = icmp ult i64 %51, %add.i.i
  %or.cond5.i.i = and i1 %or.cond.i.i20, %cmp3.i.i
  %add4.i.i = add i64 %58, %51
  %cmp5.i.i = icmp ult i64 %54, %add4.i.i
  %or.cond34.i = select i1 %or.cond5.i.i, i1 %cmp5.i.i, i1 false
  br i1 %or.cond34.i, label %cleanup44.i, label %for.inc.i
for.inc.i:
  %inc.i = add nsw i32 %inc.sink37.i, 1
  %cmp7.i = icmp slt i32 %inc.i, %2
  br i1 %cmp7.i, label %for.body9.i, label %for.inc42.i
for.inc42.i:
  %inc43.i = add nsw i32 %inc43.sink39.i, 1
  %cmp.i = icmp slt i32 %inc43.i, %2
  br i1 %cmp.i, label %for.body.i, label %check_overlap.exit
cleanup44.i:
  store ptr @IS_APART, ptr %finding.i15
  %numbers.i = getelementptr inbounds nuw %struct.finding, ptr %finding.i15, i32 0, i32 1
  store i64 %idxprom10.i, ptr %numbers.i
  %arrayinit.element.i = getelementptr inbounds nuw i64, ptr %numbers.i, i64 1
  store i64 0, ptr %arrayinit.element.i
  %arrayinit.element32.i = getelementptr inbounds nuw i64, ptr %numbers.i, i64 2
  store i64 0, ptr %arrayinit.element32.i
  call fastcc void @fail_argument(i32 noundef signext %inc43.sink39.i, ptr noundef %finding.i15, ptr noundef null) cold
  br label %check_overlap.exit
check_overlap.exit:
  %60 = phi i32 [ -1, %cleanup44.i ], [ 0, %cond.true18 ], [ 0, %for.inc42.i ]
  br label %return
return:
  %retval.0 = phi i32 [ 0, %for.end ], [ -1, %0 ], [ %60, %check_overlap.exit ], [ -1, %cond.end ]
  ret i32 %retval.0
}
define hidden ptr @tw_slots_of(ptr noundef readonly captures(none) %call) local_unnamed_addr nounwind "no-builtins" {
  %slots = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %1 = load ptr, ptr %slots
  ret ptr %1
}
define hidden ptr @tw_stream_of(ptr noundef readonly captures(none) %call) local_unnamed_addr nounwind "no-builtins" {
  %stream = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 7
  %1 = load ptr, ptr %stream
  ret ptr %1
}
define hidden ptr @tw_bind(ptr noundef readonly captures(none) %slots, i32 noundef signext %stage, i64 noundef %value) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @tw_arguments
  %add = add nsw i32 %1, 1
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  %2 = load ptr, ptr %arrayidx
  %call1 = tail call i64 @tw_begin_stage(ptr noundef %2, i32 noundef signext %stage, i64 noundef %value)
  %cmp = icmp slt i64 %call1, 0
  br i1 %cmp, label %cleanup12, label %if.end
if.end:
  %block2 = getelementptr inbounds nuw %struct.tw_call, ptr %2, i32 0, i32 4
  %3 = load ptr, ptr %block2
  %next = getelementptr inbounds nuw %struct.block, ptr %3, i32 0, i32 1
  %4 = load ptr, ptr %next
  %call3 = tail call fastcc ptr @sized(ptr noundef %4, i64 noundef %call1)
  %5 = load ptr, ptr %block2
  %next5 = getelementptr inbounds nuw %struct.block, ptr %5, i32 0, i32 1
  store ptr %call3, ptr %next5
  %cmp6 = icmp eq ptr %call3, null
  br i1 %cmp6, label %if.then7, label %if.end9
if.then7:
  tail call fastcc void @fail_arena(i64 noundef %call1) cold
  br label %cleanup12
if.end9:
  store ptr %call3, ptr %block2
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call3, i64 64
  br label %cleanup12
cleanup12:
  %call11.sink.sink = phi ptr [ null, %0 ], [ %add.ptr.i, %if.end9 ], [ null, %if.then7 ]
  ret ptr %call11.sink.sink
}
define internal fastcc ptr @sized(ptr noundef %block, i64 noundef %bytes) unnamed_addr nounwind "no-builtins" {
  %magicptr = ptrtoint ptr %block to i64
  %cond14 = icmp eq i64 %magicptr, 0
  br i1 %cond14, label %cond.end, label %land.lhs.true
land.lhs.true:
  %1 = load i64, ptr %block
  %cmp2 = icmp sge i64 %1, %bytes
  br i1 %cmp2, label %return, label %cond.false
cond.false:
  %next4 = getelementptr inbounds nuw %struct.block, ptr %block, i32 0, i32 1
  %2 = load ptr, ptr %next4
  br label %cond.end
cond.end:
  %cond = phi ptr [ %2, %cond.false ], [ null, %0 ]
  tail call void @free(ptr noundef %block)
  %add = add i64 %bytes, 64
  %call = ptrtoint ptr inttoptr (i64 -1 to ptr) to i64
  %cmp5 = icmp ule i64 %add, %call
  br i1 %cmp5, label %if.end9, label %if.then11
if.end9:
  %call8 = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %add)
  %cmp10 = icmp eq ptr %call8, null
  br i1 %cmp10, label %if.then11, label %if.end12
if.then11:
  %cmp3.i = icmp ne ptr %cond, null
  br i1 %cmp3.i, label %while.body.i, label %return
while.body.i:
  %.sink4.i = phi ptr [ %3, %while.body.i ], [ %cond, %if.then11 ]
  %next1.i = getelementptr inbounds nuw %struct.block, ptr %.sink4.i, i32 0, i32 1
  %3 = load ptr, ptr %next1.i
  tail call void @free(ptr noundef nonnull %.sink4.i)
  %cmp.i = icmp ne ptr %3, null
  br i1 %cmp.i, label %while.body.i, label %return
if.end12:
  store i64 %bytes, ptr %call8
  %next14 = getelementptr inbounds nuw %struct.block, ptr %call8, i32 0, i32 1
  store ptr %cond, ptr %next14
  br label %return
return:
  %retval.0 = phi ptr [ %block, %land.lhs.true ], [ %call8, %if.end12 ], [ null, %if.then11 ], [ null, %while.body.i ]
  ret ptr %retval.0
}
define internal fastcc void @fail_arena(i64 noundef %bytes) unnamed_addr cold nounwind optsize "no-builtins" {
  tail call fastcc void @fail_number(ptr noundef @.str.16, ptr noundef @.str.53, i64 noundef %bytes) cold
  ret void
}
define weak signext i32 @__tw_load_weights() local_unnamed_addr cold nounwind optsize "no-builtins" {
  %1 = load i64, ptr @tw_weights_bytes
  tail call fastcc void @fail_number(ptr noundef @.str.3, ptr noundef @.str.4, i64 noundef %1) cold
  ret i32 -1
}
define internal fastcc void @fail_number(ptr noundef %kind, ptr noundef %format, i64 noundef %number) unnamed_addr cold nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8]
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef %format, ptr noundef @tw_name, i64 noundef %number)
  %call2 = call signext i32 @tw_fail(ptr noundef %kind, ptr noundef nonnull %message) cold
  ret void
}
define hidden signext range(i32 -1, 1) i32 @tw_enter_on(ptr noundef %stream, ptr noundef %args, i32 noundef signext %count) local_unnamed_addr nounwind "no-builtins" {
  %call = tail call fastcc signext i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1, ptr noundef null, ptr noundef null, ptr noundef %stream)
  ret i32 %call
}
define internal fastcc signext range(i32 -1, 1) i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %threads, ptr noundef %allocate, ptr noundef %context, ptr noundef %stream) unnamed_addr nounwind "no-builtins" {
  %call = alloca %struct.tw_call
  %1 = load i32, ptr @tw_arguments
  %add = add nsw i32 %1, 2
  %2 = zext i32 %add to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %union.tw_slot, i64 %2
  %add1 = add nsw i32 %1, 1
  %4 = zext i32 %add1 to i64
  %vla2 = alloca i64, i64 %4
  %5 = load i32, ptr @tw_size_count
  %add3 = add nsw i32 %5, 1
  %6 = zext i32 %add3 to i64
  %vla4 = alloca i64, i64 %6
  store ptr %args, ptr %call
  %slots = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  store ptr %vla, ptr %slots
  %sizes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  store ptr %vla4, ptr %sizes
  %bytes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 3
  store ptr %vla2, ptr %bytes
  %block = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 4
  store ptr null, ptr %block
  %allocate6 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 5
  store ptr %allocate, ptr %allocate6
  %context7 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 6
  store ptr %context, ptr %context7
  %stream8 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 7
  store ptr %stream, ptr %stream8
  %end = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 8
  store i32 2147483647, ptr %end
  %has_ended = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 9
  store i32 0, ptr %has_ended
  %cmp = icmp eq ptr %allocate, null
  %tw_arguments.tw_inputs = select i1 %cmp, ptr @tw_arguments, ptr @tw_inputs
  %7 = load i32, ptr %tw_arguments.tw_inputs
  %cmp9 = icmp ne i32 %count, %7
  br i1 %cmp9, label %if.then, label %if.end
if.then:
  call fastcc void @fail_count(i32 noundef signext %count) cold
  br label %cleanup
if.end:
  %call11 = call fastcc signext i32 @enter_call(ptr noundef %call, i32 noundef signext %count, i32 noundef signext %threads)
  %status.off.i = add i32 %call11, -1
  %switch.i = icmp ult i32 %status.off.i, -2
  br i1 %switch.i, label %if.end.i, label %cleanup
if.end.i:
  %conv.i = sext i32 %call11 to i64
  call fastcc void @fail_number(ptr noundef @.str.3, ptr noundef @.str.54, i64 noundef %conv.i) cold
  br label %cleanup
cleanup:
  %call12.sink = phi i32 [ -1, %if.then ], [ -1, %if.end.i ], [ %call11, %if.end ]
  call void @llvm.stackrestore.p0(ptr %3)
  ret i32 %call12.sink
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_main(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @__tw_default_threads
  %call = tail call fastcc signext i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %1, ptr noundef null, ptr noundef null, ptr noundef null)
  ret i32 %call
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_default(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @__tw_default_threads
  %call.i = tail call fastcc signext range(i32 -1, 1) i32 @enter(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %1, ptr noundef null, ptr noundef null, ptr noundef null)
  ret i32 %call.i
}
define signext range(i32 -1, 1) i32 @__tw_main_threads(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr nounwind "no-builtins" {
  %cmp.i = icmp sgt i32 %count, 0
  br i1 %cmp.i, label %land.lhs.true.i, label %has_threads.exit
land.lhs.true.i:
  %1 = load i32, ptr %args
  %cmp1.i = icmp eq i32 %1, 1
  br i1 %cmp1.i, label %if.end, label %has_threads.exit
has_threads.exit:
  %cond.i = phi i32 [ 0, %0 ], [ %1, %land.lhs.true.i ]
  %conv.i = sext i32 %cond.i to i64
  tail call fastcc void @fail_number(ptr noundef @.str.5, ptr noundef @.str.56, i64 noundef %conv.i) cold
  br label %return
if.end:
  %add.ptr = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 1
  %sub = sub nuw nsw i32 %count, 1
  %payload = getelementptr inbounds nuw %struct.tw_value, ptr %args, i32 0, i32 2
  %2 = load i64, ptr %payload
  %conv = trunc i64 %2 to i32
  %call1 = tail call fastcc signext i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef signext %sub, i32 noundef signext %conv, ptr noundef null, ptr noundef null, ptr noundef null)
  br label %return
return:
  %call1.sink = phi i32 [ %call1, %if.end ], [ -1, %has_threads.exit ]
  ret i32 %call1.sink
}
define signext range(i32 -1, 1) i32 @__tw_main_allocating(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr nounwind "no-builtins" {
  %cmp.i = icmp sgt i32 %count, 0
  br i1 %cmp.i, label %land.lhs.true.i, label %has_threads.exit
land.lhs.true.i:
  %1 = load i32, ptr %args
  %cmp1.i = icmp eq i32 %1, 1
  br i1 %cmp1.i, label %if.end, label %has_threads.exit
has_threads.exit:
  %cond.i = phi i32 [ 0, %0 ], [ %1, %land.lhs.true.i ]
  %conv.i = sext i32 %cond.i to i64
  tail call fastcc void @fail_number(ptr noundef @.str.5, ptr noundef @.str.56, i64 noundef %conv.i) cold
  br label %return
if.end:
  %cmp = icmp samesign ult i32 %count, 3
  br i1 %cmp, label %if.then9, label %lor.lhs.false
lor.lhs.false:
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 1
  %2 = load i32, ptr %arrayidx
  %cmp1 = icmp ne i32 %2, 4
  br i1 %cmp1, label %if.then9, label %lor.lhs.false2
lor.lhs.false2:
  %payload = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx, i32 0, i32 2
  %3 = load ptr, ptr %payload
  %cmp4 = icmp eq ptr %3, null
  br i1 %cmp4, label %if.then9, label %lor.lhs.false5
lor.lhs.false5:
  %arrayidx6 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 2
  %4 = load i32, ptr %arrayidx6
  %cmp8 = icmp ne i32 %4, 4
  br i1 %cmp8, label %if.then9, label %if.end11
if.then9:
  %conv = zext nneg i32 %count to i64
  tail call fastcc void @fail_number(ptr noundef @.str.5, ptr noundef @.str.6, i64 noundef %conv) cold
  br label %return
if.end11:
  %add.ptr = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 3
  %sub = sub nuw nsw i32 %count, 3
  %payload14 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i32 0, i32 2
  %5 = load i64, ptr %payload14
  %conv15 = trunc i64 %5 to i32
  %payload17 = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx6, i32 0, i32 2
  %6 = load ptr, ptr %payload17
  %call18 = tail call fastcc signext i32 @enter(ptr noundef nonnull %add.ptr, i32 noundef signext %sub, i32 noundef signext %conv15, ptr noundef nonnull %3, ptr noundef %6, ptr noundef null)
  br label %return
return:
  %call18.sink = phi i32 [ %call18, %if.end11 ], [ -1, %if.then9 ], [ -1, %has_threads.exit ]
  ret i32 %call18.sink
}
define signext range(i32 -1, 1) i32 @__tw_output_shapes(ptr readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @tw_inputs
  %add = add nsw i32 %1, 1
  %cmp = icmp ne i32 %count, %add
  br i1 %cmp, label %if.then, label %if.end
if.then:
  tail call fastcc void @fail_count(i32 noundef signext %count) cold
  br label %return
if.end:
  %2 = load i32, ptr @tw_size_count
  %add1 = add nsw i32 %2, 1
  %3 = zext i32 %add1 to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %3
  %5 = load i32, ptr @tw_arguments
  %cmp5.i = icmp slt i32 %1, %5
  br i1 %cmp5.i, label %for.body.i, label %output_stage.exit
for.body.i:
  %inc.sink7.i = phi i32 [ %inc.i, %for.body.i ], [ %1, %if.end ]
  %stage.06.i = phi i32 [ %spec.select.i, %for.body.i ], [ 0, %if.end ]
  %idxprom.i = sext i32 %inc.sink7.i to i64
  %arrayidx.i = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom.i
  %stage1.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx.i, i32 0, i32 8
  %6 = load i32, ptr %stage1.i
  %cmp2.i = icmp sgt i32 %6, %stage.06.i
  %spec.select.i = select i1 %cmp2.i, i32 %6, i32 %stage.06.i
  %inc.i = add nsw i32 %inc.sink7.i, 1
  %cmp.i = icmp slt i32 %inc.i, %5
  br i1 %cmp.i, label %for.body.i, label %output_stage.exit
output_stage.exit:
  %stage.0.lcssa.i = phi i32 [ 0, %if.end ], [ %spec.select.i, %for.body.i ]
  %call3 = tail call fastcc signext i32 @bounded_stages() cold
  %cmp4 = icmp sgt i32 %call3, %stage.0.lcssa.i
  br i1 %cmp4, label %cond.true, label %cond.false
cond.true:
  %call5 = call fastcc signext i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) cold
  %cmp6 = icmp ne i32 %call5, 0
  br i1 %cmp6, label %cleanup21, label %lor.lhs.false
lor.lhs.false:
  %call7 = call fastcc signext i32 @bind_largest(ptr noundef %vla, i32 noundef signext %stage.0.lcssa.i) cold
  %cmp8 = icmp ne i32 %call7, 0
  br i1 %cmp8, label %cleanup21, label %if.end12
cond.false:
  %call9 = call fastcc signext i32 @compute_sizes(ptr noundef %args, ptr noundef %vla, i32 noundef signext %stage.0.lcssa.i) cold
  %cmp10 = icmp ne i32 %call9, 0
  br i1 %cmp10, label %cleanup21, label %if.end12
if.end12:
  %call13 = call fastcc i64 @write_shapes(ptr noundef %vla, ptr noundef null) cold
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom
  %call14 = call fastcc ptr @numbers_of(ptr noundef %arrayidx, i64 noundef %call13) cold
  %cmp15 = icmp eq ptr %call14, null
  br i1 %cmp15, label %if.then16, label %if.end18
if.then16:
  call fastcc void @fail_number(ptr noundef @.str.5, ptr noundef @.str.7, i64 noundef %call13) cold
  br label %cleanup21
if.end18:
  %call19 = call fastcc i64 @write_shapes(ptr noundef %vla, ptr noundef nonnull %call14) cold
  br label %cleanup21
cleanup21:
  %.sink.sink = phi i32 [ -1, %cond.true ], [ -1, %cond.false ], [ -1, %lor.lhs.false ], [ 0, %if.end18 ], [ -1, %if.then16 ]
  call void @llvm.stackrestore.p0(ptr %4)
  br label %return
return:
  %retval.0 = phi i32 [ -1, %if.then ], [ %.sink.sink, %cleanup21 ]
  ret i32 %retval.0
}
define internal fastcc void @fail_count(i32 noundef signext %got) unnamed_addr cold nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8]
  %1 = load i32, ptr @tw_arguments
  %2 = load i32, ptr @tw_inputs
  %sub = sub nsw i32 %1, %2
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.57, ptr noundef @tw_name, i32 noundef signext %1, i32 noundef signext %2, i32 noundef signext %sub, i32 noundef signext %got, ptr noundef @tw_signature)
  %call2 = call signext i32 @tw_fail(ptr noundef @.str.5, ptr noundef nonnull %message) cold
  ret void
}
define internal fastcc signext i32 @bounded_stages() unnamed_addr cold nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_symbol_count
  %2 = load i32, ptr @tw_given_count
  %sub.i4 = sub nsw i32 %1, %2
  %cmp5 = icmp sle i32 1, %sub.i4
  br i1 %cmp5, label %land.rhs, label %while.end
land.rhs:
  %inc.sink6 = phi i32 [ %inc, %while.body ], [ 1, %0 ]
  %add = add i32 %inc.sink6, -1
  %sub = add i32 %add, %2
  %idxprom = sext i32 %sub to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %bound = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 4
  %3 = load i64, ptr %bound
  %cmp1 = icmp ne i64 %3, 1099511627776
  br i1 %cmp1, label %while.body, label %while.end
while.body:
  %inc = add nsw i32 %inc.sink6, 1
  %cmp = icmp sle i32 %inc, %sub.i4
  br i1 %cmp, label %land.rhs, label %while.end
while.end:
  %inc.sink.lcssa = phi i32 [ 1, %0 ], [ %inc, %while.body ], [ %inc.sink6, %land.rhs ]
  ret i32 %inc.sink.lcssa
}
define internal fastcc signext range(i32 -1, 1) i32 @bind_inputs(ptr noundef readonly captures(none) %args, ptr noundef nonnull %sizes) unnamed_addr cold nounwind optsize "no-builtins" {
  %finding = alloca %struct.finding
  %1 = load i32, ptr @tw_inputs
  %call = tail call fastcc signext i32 @bind_symbols(ptr noundef %args, i32 noundef signext %1, ptr noundef nonnull %sizes)
  %cmp = icmp ne i32 %call, 0
  br i1 %cmp, label %return, label %lor.lhs.false
lor.lhs.false:
  %call1 = tail call fastcc signext i32 @derive(ptr noundef nonnull %sizes, i32 noundef signext 0)
  %cmp2 = icmp ne i32 %call1, 0
  br i1 %cmp2, label %return, label %for.cond.preheader
for.cond.preheader:
  %cmp348 = icmp slt i32 0, %1
  br i1 %cmp348, label %for.body, label %return
for.body:
  %inc.sink49 = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %idxprom = sext i32 %inc.sink49 to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom
  %arrayidx5 = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom
  %2 = load i32, ptr %arrayidx5
  switch i32 %2, label %check_type.exit [ i32 7, label %tw_tensor_of.exit.i i32 70, label %land.lhs.true.i.i ]
land.lhs.true.i.i:
  %payload3.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx5, i32 0, i32 2
  %3 = load ptr, ptr %payload3.i.i
  %cmp4.i.i = icmp ne ptr %3, null
  %tensor.i.i = getelementptr inbounds nuw %struct.tw_tensor_object, ptr %3, i32 0, i32 1
  br i1 %cmp4.i.i, label %land.lhs.true.i, label %check_type.exit
tw_tensor_of.exit.i:
  %payload.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx5, i32 0, i32 2
  %4 = load ptr, ptr %payload.i.i
  %cmp.i = icmp ne ptr %4, null
  br i1 %cmp.i, label %land.lhs.true.i, label %check_type.exit
land.lhs.true.i:
  %.sink.i.i24 = phi ptr [ %4, %tw_tensor_of.exit.i ], [ %tensor.i.i, %land.lhs.true.i.i ]
  %device_type.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i24, i32 0, i32 1
  %5 = load i32, ptr %device_type.i
  %cmp1.i = icmp eq i32 %5, 1
  br i1 %cmp1.i, label %land.lhs.true2.i, label %check_type.exit
land.lhs.true2.i:
  %dtype.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i24, i32 0, i32 4
  %6 = load i32, ptr %dtype.i
  %dtype3.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 6
  %7 = load i32, ptr %dtype3.i
  %cmp4.i = icmp eq i32 %6, %7
  br i1 %cmp4.i, label %land.lhs.true5.i, label %check_type.exit
land.lhs.true5.i:
  %rank.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i24, i32 0, i32 3
  %8 = load i32, ptr %rank.i
  %rank6.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %9 = load i32, ptr %rank6.i
  %cmp7.i = icmp eq i32 %8, %9
  br i1 %cmp7.i, label %lor.lhs.false7, label %check_type.exit
check_type.exit:
  %.sink.i.i19 = phi ptr [ null, %tw_tensor_of.exit.i ], [ %.sink.i.i24, %land.lhs.true5.i ], [ %.sink.i.i24, %land.lhs.true2.i ], [ %.sink.i.i24, %land.lhs.true.i ], [ null, %for.body ], [ null, %land.lhs.true.i.i ]
  %call8.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx, ptr noundef nonnull %arrayidx5, ptr noundef %.sink.i.i19, ptr noundef nonnull %finding) cold
  br i1 %call8.i, label %lor.lhs.false7, label %cleanup14
lor.lhs.false7:
  %.sink.i.i2027 = phi ptr [ %.sink.i.i19, %check_type.exit ], [ %.sink.i.i24, %land.lhs.true5.i ]
  %rank.i12 = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %10 = load i32, ptr %rank.i12
  %cmp.i1346 = icmp slt i32 0, %10
  br i1 %cmp.i1346, label %for.body.i, label %for.inc
for.cond.i:
  %inc.i62 = phi i32 [ %inc.i61, %if.end24.i.thread ], [ %inc.i, %if.end24.i ], [ %inc.i67, %if.end24.i.thread63 ]
  %cmp.i13 = icmp slt i32 %inc.i62, %10
  br i1 %cmp.i13, label %for.body.i, label %for.inc
for.body.i:
  %inc.sink.i47 = phi i32 [ %inc.i62, %for.cond.i ], [ 0, %lor.lhs.false7 ]
  %shape.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i2027, i32 0, i32 5
  %11 = load ptr, ptr %shape.i
  %idxprom.i = sext i32 %inc.sink.i47 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %11, i64 %idxprom.i
  %12 = load i64, ptr %arrayidx.i
  %shape1.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 2
  %13 = load ptr, ptr %shape1.i
  %arrayidx3.i = getelementptr inbounds i64, ptr %13, i64 %idxprom.i
  %14 = load i64, ptr %arrayidx3.i
  %cmp4.i14 = icmp slt i64 %14, 0
  br i1 %cmp4.i14, label %land.end.i, label %if.end24.i
land.end.i:
  %sub.i = sub nuw nsw i64 -1, %14
  %arrayidx5.i = getelementptr inbounds nuw [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %sub.i
  %stage.i = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx5.i, i32 0, i32 6
  %15 = load i32, ptr %stage.i
  %cmp6.i = icmp sgt i32 %15, 0
  %arrayidx8.i = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub.i
  %16 = load i64, ptr %arrayidx8.i
  br i1 %cmp6.i, label %land.lhs.true.i16, label %if.end.i15
land.lhs.true.i16:
  %cmp9.i = icmp slt i64 %12, %16
  br i1 %cmp9.i, label %if.then.i, label %if.end24.i.thread63
if.end24.i.thread63:
  %inc.i67 = add nsw i32 %inc.sink.i47, 1
  br label %for.cond.i
if.then.i:
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef @HAS_ROOM, i64 noundef %12, i64 noundef %idxprom.i, i64 noundef %sub.i) cold
  br label %cleanup14
if.end.i15:
  %cmp18.i = icmp ne i64 %12, %16
  br i1 %cmp18.i, label %if.then20.i, label %if.end24.i.thread
if.end24.i.thread:
  %inc.i61 = add nsw i32 %inc.sink.i47, 1
  br label %for.cond.i
if.then20.i:
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef @HAS_SIZE, i64 noundef %12, i64 noundef %idxprom.i, i64 noundef %sub.i) cold
  br label %cleanup14
if.end24.i:
  %cmp28.i = icmp ne i64 %12, %14
  %inc.i = add nsw i32 %inc.sink.i47, 1
  br i1 %cmp28.i, label %if.then30.i, label %for.cond.i
if.then30.i:
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef @HAS_SHAPE, i64 noundef %12, i64 noundef %idxprom.i, i64 noundef 0) cold
  br label %cleanup14
for.inc:
  %inc = add nsw i32 %inc.sink49, 1
  %cmp3 = icmp slt i32 %inc, %1
  br i1 %cmp3, label %for.body, label %return
cleanup14:
  call fastcc void @fail_argument(i32 noundef signext %inc.sink49, ptr noundef %finding, ptr noundef nonnull %sizes) cold
  br label %return
return:
  %retval.0 = phi i32 [ -1, %lor.lhs.false ], [ -1, %0 ], [ -1, %cleanup14 ], [ 0, %for.cond.preheader ], [ 0, %for.inc ]
  ret i32 %retval.0
}
define internal fastcc signext range(i32 -1, 1) i32 @bind_largest(ptr noundef nonnull %sizes, i32 noundef signext %end) unnamed_addr cold nounwind optsize "no-builtins" {
  %cmp13 = icmp sle i32 1, %end
  br i1 %cmp13, label %for.body, label %cleanup9
for.cond:
  %cmp = icmp sle i32 %inc, %end
  br i1 %cmp, label %for.body, label %cleanup9
for.body:
  %inc.sink14 = phi i32 [ %inc, %for.cond ], [ 1, %0 ]
  %1 = load i32, ptr @tw_given_count
  %add = add i32 %inc.sink14, -1
  %sub = add i32 %add, %1
  %idxprom = sext i32 %sub to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %bound1 = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 4
  %2 = load i64, ptr %bound1
  %cmp2 = icmp slt i64 %2, 0
  br i1 %cmp2, label %cond.true, label %cond.end
cond.true:
  %sub3 = sub nuw nsw i64 -1, %2
  %arrayidx4 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub3
  %3 = load i64, ptr %arrayidx4
  br label %cond.end
cond.end:
  %cond = phi i64 [ %3, %cond.true ], [ %2, %for.body ]
  %arrayidx6 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  store i64 %cond, ptr %arrayidx6
  %call = tail call fastcc signext i32 @derive(ptr noundef nonnull %sizes, i32 noundef signext %inc.sink14)
  %cmp7 = icmp ne i32 %call, 0
  %spec.select = select i1 %cmp7, i32 1, i32 0
  %cond1 = icmp eq i32 %spec.select, 0
  %inc = add nsw i32 %inc.sink14, 1
  br i1 %cond1, label %for.cond, label %cleanup9
cleanup9:
  %4 = phi i32 [ 0, %0 ], [ 0, %for.cond ], [ -1, %cond.end ]
  ret i32 %4
}
define internal fastcc signext range(i32 -1, 1) i32 @compute_sizes(ptr noundef %args, ptr noundef nonnull %sizes, i32 noundef signext range(i32 0, -2147483648) %end) unnamed_addr cold nounwind optsize "no-builtins" {
  %outputs = alloca ptr
  %call = alloca %struct.tw_call
  %1 = load i32, ptr @tw_arguments
  %add = add nsw i32 %1, 2
  %2 = zext i32 %add to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %union.tw_slot, i64 %2
  %add1 = add nsw i32 %1, 1
  %4 = zext i32 %add1 to i64
  %vla2 = alloca i64, i64 %4
  store ptr null, ptr %outputs
  store ptr %args, ptr %call
  %slots = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  store ptr %vla, ptr %slots
  %sizes4 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  store ptr %sizes, ptr %sizes4
  %bytes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 3
  store ptr %vla2, ptr %bytes
  %block = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 4
  store ptr null, ptr %block
  %allocate = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 5
  store ptr @allocate_scrap, ptr %allocate
  %context = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 6
  store ptr %outputs, ptr %context
  %stream = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 7
  store ptr null, ptr %stream
  %end5 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 8
  store i32 %end, ptr %end5
  %has_ended = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 9
  store i32 0, ptr %has_ended
  %5 = load i32, ptr @tw_inputs
  %6 = load i32, ptr @__tw_default_threads
  %call6 = call fastcc signext i32 @enter_call(ptr noundef %call, i32 noundef signext %5, i32 noundef signext %6)
  %.pr = load ptr, ptr %outputs
  %cmp2 = icmp ne ptr %.pr, null
  br i1 %cmp2, label %while.body, label %while.end
while.body:
  %7 = phi ptr [ %8, %while.body ], [ %.pr, %0 ]
  %8 = load ptr, ptr %7
  call void @free(ptr noundef nonnull %7)
  store ptr %8, ptr %outputs
  %cmp = icmp ne ptr %8, null
  br i1 %cmp, label %while.body, label %while.end
while.end:
  %cmp8 = icmp eq i32 %call6, 0
  %9 = load i32, ptr %has_ended
  %tobool = icmp ne i32 %9, 0
  %or.cond = select i1 %cmp8, i1 true, i1 %tobool
  br i1 %or.cond, label %cond.end, label %cond.false
cond.false:
  %10 = icmp ne i32 %call6, -1
  br i1 %10, label %if.end.i, label %cond.end
if.end.i:
  %conv.i = sext i32 %call6 to i64
  call fastcc void @fail_number(ptr noundef @.str.3, ptr noundef @.str.54, i64 noundef %conv.i) cold
  br label %cond.end
cond.end:
  %cond = phi i32 [ 0, %while.end ], [ -1, %if.end.i ], [ -1, %cond.false ]
  call void @llvm.stackrestore.p0(ptr %3)
  ret i32 %cond
}
define internal fastcc range(i64 -9223372036854775807, -9223372036854775808) i64 @write_shapes(ptr noundef nonnull readonly captures(none) %sizes, ptr noundef writeonly captures(address_is_null) %shapes) unnamed_addr cold nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_inputs
  %2 = load i32, ptr @tw_arguments
  %cmp14 = icmp slt i32 %1, %2
  br i1 %cmp14, label %for.cond1.preheader, label %for.cond.cleanup
for.cond1.preheader:
  %inc15.sink16 = phi i32 [ %inc15, %for.cond.cleanup3 ], [ %1, %0 ]
  %count.015 = phi i64 [ %count.1.lcssa, %for.cond.cleanup3 ], [ 0, %0 ]
  %idxprom = sext i32 %inc15.sink16 to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom
  %rank = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %3 = load i32, ptr %rank
  %cmp211 = icmp slt i32 0, %3
  br i1 %cmp211, label %for.body4, label %for.cond.cleanup3
for.cond.cleanup:
  %count.0.lcssa = phi i64 [ 0, %0 ], [ %count.1.lcssa, %for.cond.cleanup3 ]
  ret i64 %count.0.lcssa
for.cond.cleanup3:
  %count.1.lcssa = phi i64 [ %count.015, %for.cond1.preheader ], [ %inc13, %for.inc ]
  %inc15 = add nsw i32 %inc15.sink16, 1
  %cmp = icmp slt i32 %inc15, %2
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup
for.body4:
  %count.113 = phi i64 [ %inc13, %for.inc ], [ %count.015, %for.cond1.preheader ]
  %axis.012 = phi i32 [ %inc, %for.inc ], [ 0, %for.cond1.preheader ]
  %shape = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 2
  %4 = load ptr, ptr %shape
  %idxprom7 = sext i32 %axis.012 to i64
  %arrayidx8 = getelementptr inbounds i64, ptr %4, i64 %idxprom7
  %5 = load i64, ptr %arrayidx8
  %cmp9 = icmp ne ptr %shapes, null
  br i1 %cmp9, label %if.then, label %for.inc
if.then:
  %cmp10 = icmp sge i64 %5, 0
  br i1 %cmp10, label %cond.end, label %cond.false
cond.false:
  %sub = sub nuw nsw i64 -1, %5
  %arrayidx11 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub
  %6 = load i64, ptr %arrayidx11
  br label %cond.end
cond.end:
  %cond = phi i64 [ %6, %cond.false ], [ %5, %if.then ]
  %arrayidx12 = getelementptr inbounds i64, ptr %shapes, i64 %count.113
  store i64 %cond, ptr %arrayidx12
  br label %for.inc
for.inc:
  %inc = add nsw i32 %axis.012, 1
  %inc13 = add nsw i64 %count.113, 1
  %cmp2 = icmp slt i32 %inc, %3
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3
}
define internal fastcc ptr @numbers_of(ptr noundef readonly captures(none) %value, i64 noundef %count) unnamed_addr cold nounwind optsize "no-builtins" {
  %1 = load i32, ptr %value
  switch i32 %1, label %cleanup [ i32 7, label %tw_tensor_of.exit i32 70, label %land.lhs.true.i ]
land.lhs.true.i:
  %payload3.i = getelementptr inbounds nuw %struct.tw_value, ptr %value, i32 0, i32 2
  %2 = load ptr, ptr %payload3.i
  %cmp4.i = icmp ne ptr %2, null
  %tensor.i = getelementptr inbounds nuw %struct.tw_tensor_object, ptr %2, i32 0, i32 1
  br i1 %cmp4.i, label %lor.lhs.false, label %cleanup
tw_tensor_of.exit:
  %payload.i = getelementptr inbounds nuw %struct.tw_value, ptr %value, i32 0, i32 2
  %3 = load ptr, ptr %payload.i
  %cmp = icmp eq ptr %3, null
  br i1 %cmp, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %.sink.i12 = phi ptr [ %3, %tw_tensor_of.exit ], [ %tensor.i, %land.lhs.true.i ]
  %device_type = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i12, i32 0, i32 1
  %4 = load i32, ptr %device_type
  %cmp1 = icmp ne i32 %4, 1
  br i1 %cmp1, label %cleanup, label %lor.lhs.false2
lor.lhs.false2:
  %dtype = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i12, i32 0, i32 4
  %5 = load i32, ptr %dtype
  %cmp3 = icmp ne i32 %5, 81920
  br i1 %cmp3, label %cleanup, label %lor.lhs.false4
lor.lhs.false4:
  %rank = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i12, i32 0, i32 3
  %6 = load i32, ptr %rank
  %cmp5 = icmp ne i32 %6, 1
  br i1 %cmp5, label %cleanup, label %lor.lhs.false6
lor.lhs.false6:
  %shape = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i12, i32 0, i32 5
  %7 = load ptr, ptr %shape
  %8 = load i64, ptr %7
  %cmp7 = icmp slt i64 %8, %count
  br i1 %cmp7, label %cleanup, label %if.end
if.end:
  %9 = load ptr, ptr %.sink.i12
  %byte_offset = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i12, i32 0, i32 7
  %10 = load i64, ptr %byte_offset
  %add.ptr = getelementptr inbounds nuw i8, ptr %9, i64 %10
  br label %cleanup
cleanup:
  %add.ptr.sink = phi ptr [ %add.ptr, %if.end ], [ null, %lor.lhs.false6 ], [ null, %lor.lhs.false4 ], [ null, %lor.lhs.false2 ], [ null, %lor.lhs.false ], [ null, %tw_tensor_of.exit ], [ null, %0 ], [ null, %land.lhs.true.i ]
  ret ptr %add.ptr.sink
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_main_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr nounwind "no-builtins" {
  %call = tail call signext i32 @__tw_output_shapes(ptr poison, ptr noundef %args, i32 noundef signext %count, ptr poison)
  ret i32 %call
}
define noundef nonnull ptr @__tw_arguments(ptr noundef writeonly captures(none) %inputs, ptr noundef writeonly captures(none) %arguments) local_unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @tw_inputs
  store i32 %1, ptr %inputs
  %2 = load i32, ptr @tw_arguments
  store i32 %2, ptr %arguments
  ret ptr @tw_specs
}
define signext range(i32 -1, 1) i32 @__tw_arena_bytes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr cold nounwind "no-builtins" {
  %1 = load i32, ptr @tw_inputs
  %cmp = icmp ne i32 %count, %1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  tail call fastcc void @fail_count(i32 noundef signext %count) cold
  br label %return
if.end:
  %call1 = tail call fastcc signext i32 @bounded_stages() cold
  %2 = load i32, ptr @tw_symbol_count
  %3 = load i32, ptr @tw_given_count
  %sub.i = sub nsw i32 %2, %3
  %cmp3 = icmp sle i32 %call1, %sub.i
  br i1 %cmp3, label %if.then4, label %if.end7
if.then4:
  %conv = sext i32 %sub.i to i64
  tail call fastcc void @fail_number(ptr noundef @.str.8, ptr noundef @.str.9, i64 noundef %conv) cold
  br label %return
if.end7:
  %4 = load i32, ptr @tw_size_count
  %add = add nsw i32 %4, 1
  %5 = zext i32 %add to i64
  %6 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %5
  %call8 = call fastcc signext i32 @bind_inputs(ptr noundef %args, ptr noundef %vla) cold
  %cmp9 = icmp ne i32 %call8, 0
  br i1 %cmp9, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %call12 = call fastcc signext i32 @bind_largest(ptr noundef %vla, i32 noundef signext %sub.i) cold
  %cmp13 = icmp ne i32 %call12, 0
  br i1 %cmp13, label %cleanup, label %for.cond.preheader
for.cond.preheader:
  %cmp189 = icmp sle i32 0, %sub.i
  br i1 %cmp189, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %bytes.0.lcssa = phi i64 [ 0, %for.cond.preheader ], [ %add21, %block_bytes.exit ]
  store i32 1, ptr %result
  %payload = getelementptr inbounds nuw %struct.tw_value, ptr %result, i32 0, i32 2
  store i64 %bytes.0.lcssa, ptr %payload
  br label %cleanup
for.body:
  %inc.sink11 = phi i32 [ %inc, %block_bytes.exit ], [ 0, %for.cond.preheader ]
  %bytes.010 = phi i64 [ %add21, %block_bytes.exit ], [ 0, %for.cond.preheader ]
  %cmp.i = icmp eq i32 %2, 0
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i
cond.true.i:
  %7 = load i64, ptr @tw_arena_bytes
  br label %block_bytes.exit
cond.false.i:
  %8 = load i32, ptr @tw_expression_count
  %add.i = add nsw i32 %8, %inc.sink11
  %idxprom.i = sext i32 %add.i to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %vla, i64 %idxprom.i
  %9 = load i64, ptr %arrayidx.i
  br label %block_bytes.exit
block_bytes.exit:
  %cond.i = phi i64 [ %7, %cond.true.i ], [ %9, %cond.false.i ]
  %add21 = add nsw i64 %cond.i, %bytes.010
  %inc = add nsw i32 %inc.sink11, 1
  %cmp18 = icmp sle i32 %inc, %sub.i
  br i1 %cmp18, label %for.body, label %for.cond.cleanup
cleanup:
  %.sink = phi i32 [ 0, %for.cond.cleanup ], [ -1, %lor.lhs.false ], [ -1, %if.end7 ]
  call void @llvm.stackrestore.p0(ptr %6)
  br label %return
return:
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %if.then4 ], [ %.sink, %cleanup ]
  ret i32 %retval.0
}
define internal fastcc signext range(i32 -1, 1) i32 @derive(ptr noundef %sizes, i32 noundef signext %stage) unnamed_addr nounwind "no-builtins" {
  %1 = load i32, ptr @tw_symbol_count
  %cmp = icmp eq i32 %1, 0
  br i1 %cmp, label %for.cond.preheader, label %cond.end
cond.end:
  %call = tail call signext i32 @tw_derive(ptr noundef %sizes, i32 noundef signext %stage)
  %cmp1 = icmp eq i32 %call, 1
  br i1 %cmp1, label %if.then, label %for.cond.preheader
for.cond.preheader:
  %cond28 = phi i32 [ %call, %cond.end ], [ 0, %0 ]
  %2 = load i32, ptr @tw_expression_count
  %cmp323 = icmp slt i32 0, %2
  br i1 %cmp323, label %for.body, label %for.end
if.then:
  tail call fastcc void @fail_number(ptr noundef @.str.16, ptr noundef @.str.17, i64 noundef 9223372036854775807) cold
  br label %cleanup24
for.body:
  %inc.sink24 = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %idxprom = sext i32 %inc.sink24 to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %idxprom
  %arrayidx5 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %3 = load i64, ptr %arrayidx5
  %least = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 4
  %4 = load i64, ptr %least
  %cmp6 = icmp sge i64 %3, %4
  br i1 %cmp6, label %land.rhs, label %land.end
land.rhs:
  %most = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 5
  %5 = load i64, ptr %most
  %cmp9 = icmp sle i64 %3, %5
  br label %land.end
land.end:
  %6 = phi i1 [ false, %for.body ], [ %cmp9, %land.rhs ]
  %stage10 = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 6
  %7 = load i32, ptr %stage10
  %cmp11 = icmp ne i32 %7, %stage
  %or.cond = select i1 %cmp11, i1 true, i1 %6
  br i1 %or.cond, label %for.inc, label %cleanup16
for.inc:
  %inc = add nsw i32 %inc.sink24, 1
  %cmp3 = icmp slt i32 %inc, %2
  br i1 %cmp3, label %for.body, label %for.end
cleanup16:
  tail call fastcc void @fail_limit(i32 noundef signext %inc.sink24, ptr noundef nonnull %sizes) cold
  br label %cleanup24
for.end:
  %cmp18 = icmp eq i32 %cond28, 0
  br i1 %cmp18, label %cleanup24, label %cond.false20
cond.false20:
  tail call fastcc void @fail_small(ptr noundef %sizes, i32 noundef signext %stage) cold
  br label %cleanup24
cleanup24:
  %retval.0 = phi i32 [ -1, %cleanup16 ], [ -1, %if.then ], [ -1, %cond.false20 ], [ 0, %for.end ]
  ret i32 %retval.0
}
define internal fastcc signext range(i32 -1, 1) i32 @allocate_one(i32 noundef signext %index, ptr noundef readonly captures(none) %call) unnamed_addr nounwind "no-builtins" {
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom
  %rank = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %1 = load i32, ptr %rank
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %2
  %cmp16 = icmp slt i32 0, %1
  br i1 %cmp16, label %for.body, label %for.end
for.body:
  %inc.sink17 = phi i32 [ %inc, %cond.end ], [ 0, %0 ]
  %shape = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 2
  %4 = load ptr, ptr %shape
  %idxprom2 = sext i32 %inc.sink17 to i64
  %arrayidx3 = getelementptr inbounds i64, ptr %4, i64 %idxprom2
  %5 = load i64, ptr %arrayidx3
  %cmp4 = icmp slt i64 %5, 0
  br i1 %cmp4, label %cond.true, label %cond.end
cond.true:
  %sizes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  %6 = load ptr, ptr %sizes
  %sub = sub nuw nsw i64 -1, %5
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %6, i64 %sub
  %7 = load i64, ptr %arrayidx5
  br label %cond.end
cond.end:
  %cond = phi i64 [ %7, %cond.true ], [ %5, %for.body ]
  %arrayidx7 = getelementptr inbounds i64, ptr %vla, i64 %idxprom2
  store i64 %cond, ptr %arrayidx7
  %inc = add nsw i32 %inc.sink17, 1
  %cmp = icmp slt i32 %inc, %1
  br i1 %cmp, label %for.body, label %for.end
for.end:
  %allocate = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 5
  %8 = load ptr, ptr %allocate
  %context = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 6
  %9 = load ptr, ptr %context
  %10 = load i32, ptr @tw_inputs
  %sub8 = sub nsw i32 %index, %10
  %call9 = call ptr %8(ptr noundef %9, i32 noundef signext %sub8, ptr noundef nonnull %vla)
  %slots = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %11 = load ptr, ptr %slots
  %arrayidx11 = getelementptr inbounds %union.tw_slot, ptr %11, i64 %idxprom
  store ptr %call9, ptr %arrayidx11
  %12 = load ptr, ptr %slots
  %arrayidx14 = getelementptr inbounds %union.tw_slot, ptr %12, i64 %idxprom
  %13 = load ptr, ptr %arrayidx14
  %cmp15 = icmp ne ptr %13, null
  br i1 %cmp15, label %cleanup, label %if.end
if.end:
  %conv = sext i32 %sub8 to i64
  call fastcc void @fail_number(ptr noundef @.str.16, ptr noundef @.str.50, i64 noundef %conv) cold
  br label %cleanup
cleanup:
  %call17.sink = phi i32 [ -1, %if.end ], [ 0, %for.end ]
  call void @llvm.stackrestore.p0(ptr %3)
  ret i32 %call17.sink
}
define internal fastcc void @fail_limit(i32 noundef signext %index, ptr noundef readonly captures(none) %sizes) unnamed_addr cold nounwind optsize "no-builtins" {
  %range = alloca [192 x i8]
  %value = alloca [256 x i8]
  %message = alloca [1024 x i8]
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %idxprom
  %count = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 3
  %1 = load i64, ptr %count
  %cmp20 = icmp slt i64 0, %1
  br i1 %cmp20, label %for.body, label %for.end
for.body:
  %inc.sink22 = phi i64 [ %inc, %cond.end ], [ 0, %0 ]
  %length.021 = phi i64 [ %call6, %cond.end ], [ 0, %0 ]
  %cmp1 = icmp slt i64 %length.021, 256
  br i1 %cmp1, label %cond.true, label %cond.end
cond.true:
  %add.ptr = getelementptr inbounds i8, ptr %value, i64 %length.021
  %sub = sub nsw i64 256, %length.021
  %cmp2 = icmp eq i64 %inc.sink22, 0
  %cond = select i1 %cmp2, ptr @.str.19, ptr @.str.20
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef @.str.18, ptr noundef nonnull %cond)
  %conv = sext i32 %call to i64
  %add = add nsw i64 %conv, %length.021
  br label %cond.end
cond.end:
  %cond3 = phi i64 [ %add, %cond.true ], [ %length.021, %for.body ]
  %symbols = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 2
  %2 = load ptr, ptr %symbols
  %arrayidx5 = getelementptr inbounds i32, ptr %2, i64 %inc.sink22
  %3 = load i32, ptr %arrayidx5
  %call6 = call fastcc i64 @append_value(ptr noundef %value, i64 noundef 256, i64 noundef %cond3, i32 noundef signext %3, ptr noundef %sizes) cold
  %inc = add nsw i64 %inc.sink22, 1
  %cmp = icmp slt i64 %inc, %1
  br i1 %cmp, label %for.body, label %for.end
for.end:
  %most = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 5
  %4 = load i64, ptr %most
  %cmp7 = icmp slt i64 %4, 1099511627776
  %least = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 4
  %5 = load i64, ptr %least
  br i1 %cmp7, label %if.then, label %if.else
if.then:
  %call11 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 192, ptr noundef @.str.21, i64 noundef %5, i64 noundef %4)
  br label %if.end
if.else:
  %call15 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %range, i64 noundef 192, ptr noundef @.str.22, i64 noundef %5)
  br label %if.end
if.end:
  %call15.sink = phi i32 [ %call15, %if.else ], [ %call11, %if.then ]
  %conv16 = sext i32 %call15.sink to i64
  %call19 = call fastcc i64 @append_node(ptr noundef %range, i64 noundef 192, i64 noundef %conv16, i64 noundef %idxprom) cold
  %6 = load ptr, ptr %arrayidx
  %arrayidx23 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %7 = load i64, ptr %arrayidx23
  %call25 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.23, ptr noundef @tw_name, ptr noundef %6, ptr noundef nonnull %range, i64 noundef %7, ptr noundef nonnull %value)
  %call27 = call signext i32 @tw_fail(ptr noundef @.str.8, ptr noundef nonnull %message) cold
  ret void
}
define internal fastcc void @fail_small(ptr noundef readonly captures(none) %sizes, i32 noundef signext %stage) unnamed_addr cold nounwind optsize "no-builtins" {
  %got = alloca [400 x i8]
  %message = alloca [1024 x i8]
  %1 = load i32, ptr @tw_given_count
  %add11 = add nsw i32 %1, %stage
  %cmp12 = icmp slt i32 0, %add11
  br i1 %cmp12, label %for.body, label %for.end
for.body:
  %inc.sink14 = phi i32 [ %inc, %cond.end ], [ 0, %0 ]
  %length.013 = phi i64 [ %call6, %cond.end ], [ 0, %0 ]
  %cmp1 = icmp slt i64 %length.013, 400
  br i1 %cmp1, label %cond.true, label %cond.end
cond.true:
  %add.ptr = getelementptr inbounds i8, ptr %got, i64 %length.013
  %sub = sub nsw i64 400, %length.013
  %cmp2 = icmp eq i32 %inc.sink14, 0
  %cond = select i1 %cmp2, ptr @.str.19, ptr @.str.20
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef @.str.18, ptr noundef nonnull %cond)
  %conv = sext i32 %call to i64
  %add3 = add nsw i64 %conv, %length.013
  br label %cond.end
cond.end:
  %cond4 = phi i64 [ %add3, %cond.true ], [ %length.013, %for.body ]
  %call6 = call fastcc i64 @append_value(ptr noundef %got, i64 noundef 400, i64 noundef %cond4, i32 noundef signext %inc.sink14, ptr noundef %sizes) cold
  %inc = add nsw i32 %inc.sink14, 1
  %cmp = icmp slt i32 %inc, %add11
  br i1 %cmp, label %for.body, label %for.end
for.end:
  %call9 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.27, ptr noundef @tw_name, ptr noundef nonnull %got)
  %call11 = call signext i32 @tw_fail(ptr noundef @.str.8, ptr noundef nonnull %message) cold
  ret void
}
define internal fastcc i64 @append_value(ptr noundef nonnull %text, i64 noundef range(i64 256, 513) %room, i64 noundef %length, i32 noundef signext %index, ptr noundef readonly captures(none) %sizes) unnamed_addr cold nounwind optsize "no-builtins" {
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %arrayidx2 = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %idxprom
  %1 = load ptr, ptr %arrayidx2
  %argument = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 5
  %2 = load i32, ptr %argument
  %cmp = icmp slt i32 %2, 0
  %cmp4 = icmp slt i64 %length, %room
  br i1 %cmp, label %if.then, label %if.end
if.then:
  br i1 %cmp4, label %cond.true, label %cleanup
cond.true:
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length
  %sub = sub nsw i64 %room, %length
  %arrayidx6 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %3 = load i64, ptr %arrayidx6
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef @.str.24, ptr noundef %1, i64 noundef %3)
  %conv = sext i32 %call to i64
  %add = add nsw i64 %conv, %length
  br label %cleanup
if.end:
  br i1 %cmp4, label %cond.true9, label %cleanup
cond.true9:
  %add.ptr10 = getelementptr inbounds i8, ptr %text, i64 %length
  %sub11 = sub nsw i64 %room, %length
  %arrayidx13 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %4 = load i64, ptr %arrayidx13
  %axis = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 6
  %5 = load i32, ptr %axis
  %idxprom15 = zext nneg i32 %2 to i64
  %arrayidx16 = getelementptr inbounds nuw [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom15
  %6 = load ptr, ptr %arrayidx16
  %call18 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr10, i64 noundef %sub11, ptr noundef @.str.25, ptr noundef %1, i64 noundef %4, i32 noundef signext %5, ptr noundef %6)
  %conv19 = sext i32 %call18 to i64
  %add20 = add nsw i64 %conv19, %length
  br label %cleanup
cleanup:
  %cond23.sink = phi i64 [ %length, %if.then ], [ %add, %cond.true ], [ %add20, %cond.true9 ], [ %length, %if.end ]
  ret i64 %cond23.sink
}
define internal fastcc i64 @append_node(ptr noundef nonnull %text, i64 noundef range(i64 192, 513) %room, i64 noundef %length, i64 noundef range(i64 -2147483648, 2147483648) %index) unnamed_addr cold nounwind optsize "no-builtins" {
  %arrayidx = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %index
  %node1 = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx, i32 0, i32 1
  %1 = load ptr, ptr %node1
  %2 = load i8, ptr %1
  %conv = sext i8 %2 to i32
  %cmp = icmp ne i32 %conv, 0
  %cmp3 = icmp slt i64 %length, %room
  %or.cond = and i1 %cmp3, %cmp
  br i1 %or.cond, label %cond.true5, label %cond.end8
cond.true5:
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length
  %sub = sub nsw i64 %room, %length
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef @.str.26, ptr noundef nonnull %1)
  %conv6 = sext i32 %call to i64
  %add = add nsw i64 %conv6, %length
  br label %cond.end8
cond.end8:
  %cond9 = phi i64 [ %length, %0 ], [ %add, %cond.true5 ]
  ret i64 %cond9
}
define internal fastcc void @fail_argument(i32 noundef signext %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr cold nounwind optsize "no-builtins" {
  %got = alloca [128 x i8]
  %message = alloca [1024 x i8]
  %1 = load ptr, ptr %finding
  %cmp = icmp eq ptr %1, @HAS_SIZE
  %cmp2 = icmp eq ptr %1, @HAS_ROOM
  %or.cond = select i1 %cmp, i1 true, i1 %cmp2
  %cmp4 = icmp eq ptr %1, @HAS_VALID_SIZE
  %or.cond1 = select i1 %or.cond, i1 true, i1 %cmp4
  br i1 %or.cond1, label %if.then, label %if.end
if.then:
  tail call fastcc void @fail_size(i32 noundef signext %index, ptr noundef %finding, ptr noundef %sizes) cold
  br label %cleanup
if.end:
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom
  %got5 = getelementptr inbounds nuw %struct.rule, ptr %1, i32 0, i32 2
  %2 = load ptr, ptr %got5
  %numbers = getelementptr inbounds nuw %struct.finding, ptr %finding, i32 0, i32 1
  %3 = load i64, ptr %numbers
  %arrayidx8 = getelementptr inbounds nuw [3 x i64], ptr %numbers, i64 0, i64 1
  %4 = load i64, ptr %arrayidx8
  %arrayidx10 = getelementptr inbounds nuw [3 x i64], ptr %numbers, i64 0, i64 2
  %5 = load i64, ptr %arrayidx10
  %call11 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef %2, i64 noundef %3, i64 noundef %4, i64 noundef %5)
  %6 = load ptr, ptr %arrayidx
  %text = getelementptr inbounds nuw %struct.rule, ptr %1, i32 0, i32 1
  %7 = load ptr, ptr %text
  %text13 = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 1
  %8 = load ptr, ptr %text13
  %call15 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.43, ptr noundef @tw_name, i32 noundef signext %index, ptr noundef %6, ptr noundef %7, ptr noundef %8, ptr noundef nonnull %got, ptr noundef @tw_signature)
  %9 = load ptr, ptr %1
  %call17 = call signext i32 @tw_fail(ptr noundef %9, ptr noundef nonnull %message) cold
  br label %cleanup
cleanup:
  ret void
}
define internal fastcc void @breaks(ptr noundef nonnull writeonly captures(none) %finding, ptr noundef %rule, i64 noundef %first, i64 noundef %second, i64 noundef %third) unnamed_addr cold nounwind optsize "no-builtins" {
  store ptr %rule, ptr %finding
  %numbers = getelementptr inbounds nuw %struct.finding, ptr %finding, i32 0, i32 1
  store i64 %first, ptr %numbers
  %arrayidx3 = getelementptr inbounds nuw [3 x i64], ptr %numbers, i64 0, i64 1
  store i64 %second, ptr %arrayidx3
  %arrayidx5 = getelementptr inbounds nuw [3 x i64], ptr %numbers, i64 0, i64 2
  store i64 %third, ptr %arrayidx5
  ret void
}
define internal fastcc noundef zeroext i1 @check_other(ptr noundef readonly captures(none) %spec, ptr noundef readonly captures(none) %value, ptr noundef readonly captures(address_is_null) %tensor, ptr noundef nonnull writeonly captures(none) %finding) unnamed_addr cold nounwind optsize "no-builtins" {
  %cmp = icmp eq ptr %tensor, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %1 = load i32, ptr %value
  %conv = sext i32 %1 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef @IS_TENSOR, i64 noundef %conv, i64 noundef 0, i64 noundef 0) cold
  br label %return
if.end:
  %device_type = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensor, i32 0, i32 1
  %2 = load i32, ptr %device_type
  %3 = load i32, ptr @tw_device_type
  %cmp1 = icmp eq i32 %2, %3
  br i1 %cmp1, label %land.rhs, label %land.end
land.rhs:
  %device_id = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensor, i32 0, i32 2
  %4 = load i32, ptr %device_id
  %cmp3 = icmp sge i32 %4, 0
  br label %land.end
land.end:
  %5 = phi i1 [ false, %if.end ], [ %cmp3, %land.rhs ]
  %cmp6 = icmp eq i32 %2, 1
  %or.cond = select i1 %cmp6, i1 true, i1 %5
  br i1 %or.cond, label %if.end14, label %if.then8
if.then8:
  %conv10 = sext i32 %2 to i64
  %device_id11 = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensor, i32 0, i32 2
  %6 = load i32, ptr %device_id11
  %conv12 = sext i32 %6 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef @IS_IN_CPU_MEMORY, i64 noundef %conv10, i64 noundef %conv12, i64 noundef 0) cold
  br label %return
if.end14:
  %dtype15 = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensor, i32 0, i32 4
  %7 = load i32, ptr %dtype15
  %dtype16 = getelementptr inbounds nuw %struct.tw_spec, ptr %spec, i32 0, i32 6
  %8 = load i32, ptr %dtype16
  %cmp17 = icmp ne i32 %7, %8
  br i1 %cmp17, label %if.then19, label %if.end26
if.then19:
  %and = and i32 %7, 255
  %conv20 = zext nneg i32 %and to i64
  %shr = lshr i32 %7, 8
  %and21 = and i32 %shr, 255
  %conv22 = zext nneg i32 %and21 to i64
  %shr23 = lshr i32 %7, 16
  %conv24 = zext nneg i32 %shr23 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef @HAS_DTYPE, i64 noundef %conv20, i64 noundef %conv22, i64 noundef %conv24) cold
  br label %return
if.end26:
  %rank = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensor, i32 0, i32 3
  %9 = load i32, ptr %rank
  %rank27 = getelementptr inbounds nuw %struct.tw_spec, ptr %spec, i32 0, i32 5
  %10 = load i32, ptr %rank27
  %cmp28 = icmp eq i32 %9, %10
  br i1 %cmp28, label %return, label %lor.rhs
lor.rhs:
  %conv31 = sext i32 %9 to i64
  tail call fastcc void @breaks(ptr noundef %finding, ptr noundef @HAS_RANK, i64 noundef %conv31, i64 noundef 0, i64 noundef 0) cold
  br label %return
return:
  %retval.0 = phi i1 [ false, %if.then ], [ false, %if.then8 ], [ false, %if.then19 ], [ true, %if.end26 ], [ false, %lor.rhs ]
  ret i1 %retval.0
}
define internal fastcc void @fail_size(i32 noundef signext %index, ptr noundef nonnull readonly captures(none) %finding, ptr noundef readonly captures(none) %sizes) unnamed_addr cold nounwind optsize "no-builtins" {
  %wanted = alloca [512 x i8]
  %message = alloca [1024 x i8]
  %numbers = getelementptr inbounds nuw %struct.finding, ptr %finding, i32 0, i32 1
  %arrayidx = getelementptr inbounds nuw [3 x i64], ptr %numbers, i64 0, i64 2
  %1 = load i64, ptr %arrayidx
  %arrayidx1 = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %1
  %2 = load ptr, ptr %arrayidx1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %wanted, i64 noundef 512, ptr noundef @.str.18, ptr noundef %2)
  %conv = sext i32 %call to i64
  %3 = load ptr, ptr %finding
  %cmp = icmp eq ptr %3, @HAS_SIZE
  %cmp4 = icmp eq ptr %3, @HAS_ROOM
  %spec.select = select i1 %cmp, i1 true, i1 %cmp4
  br i1 %spec.select, label %land.lhs.true, label %for.cond.preheader
land.lhs.true:
  %4 = load i64, ptr %arrayidx
  %5 = load i32, ptr @tw_symbol_count
  %conv9 = sext i32 %5 to i64
  %cmp10 = icmp sge i64 %4, %conv9
  %cmp12 = icmp slt i64 %conv, 512
  %or.cond = select i1 %cmp10, i1 %cmp12, i1 false
  br i1 %or.cond, label %cond.true, label %for.cond.preheader
cond.true:
  %add.ptr = getelementptr inbounds i8, ptr %wanted, i64 %conv
  %sub = sub nsw i64 512, %conv
  %arrayidx17 = getelementptr inbounds i64, ptr %sizes, i64 %4
  %6 = load i64, ptr %arrayidx17
  %call18 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef @.str.45, i64 noundef %6)
  %conv19 = sext i32 %call18 to i64
  %add = add nsw i64 %conv19, %conv
  br label %for.cond.preheader
for.cond.preheader:
  %length.0.ph = phi i64 [ %add, %cond.true ], [ %conv, %land.lhs.true ], [ %conv, %0 ]
  %count = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx1, i32 0, i32 3
  %7 = load i64, ptr %count
  %cmp2049 = icmp slt i64 0, %7
  br i1 %cmp2049, label %for.body, label %for.end
for.body:
  %inc.sink51 = phi i64 [ %inc, %if.end61 ], [ 0, %for.cond.preheader ]
  %length.050 = phi i64 [ %call60.sink, %if.end61 ], [ %length.0.ph, %for.cond.preheader ]
  %symbols = getelementptr inbounds nuw %struct.tw_expression, ptr %arrayidx1, i32 0, i32 2
  %8 = load ptr, ptr %symbols
  %arrayidx22 = getelementptr inbounds i32, ptr %8, i64 %inc.sink51
  %9 = load i32, ptr %arrayidx22
  %idxprom = sext i32 %9 to i64
  %arrayidx23 = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %arrayidx25 = getelementptr inbounds [0 x %struct.tw_expression], ptr @tw_expressions, i64 0, i64 %idxprom
  %10 = load ptr, ptr %arrayidx25
  %cmp27 = icmp slt i64 %length.050, 512
  br i1 %cmp27, label %cond.true29, label %cond.end40
cond.true29:
  %add.ptr31 = getelementptr inbounds i8, ptr %wanted, i64 %length.050
  %sub32 = sub nsw i64 512, %length.050
  %cmp33 = icmp eq i64 %inc.sink51, 0
  %cond35 = select i1 %cmp33, ptr @.str.46, ptr @.str.20
  %call36 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr31, i64 noundef %sub32, ptr noundef nonnull %cond35)
  %conv37 = sext i32 %call36 to i64
  %add38 = add nsw i64 %conv37, %length.050
  br label %cond.end40
cond.end40:
  %cond41 = phi i64 [ %add38, %cond.true29 ], [ %length.050, %for.body ]
  br i1 %spec.select, label %if.then43, label %if.else
if.then43:
  %call45 = call fastcc i64 @append_value(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond41, i32 noundef signext %9, ptr noundef %sizes) cold
  br label %if.end61
if.else:
  %cmp46 = icmp slt i64 %cond41, 512
  br i1 %cmp46, label %cond.true48, label %cond.end56
cond.true48:
  %add.ptr50 = getelementptr inbounds i8, ptr %wanted, i64 %cond41
  %sub51 = sub nsw i64 512, %cond41
  %11 = load i64, ptr %arrayidx23
  %most = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx23, i32 0, i32 1
  %12 = load i64, ptr %most
  %call52 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr50, i64 noundef %sub51, ptr noundef @.str.47, ptr noundef %10, i64 noundef %11, i64 noundef %12)
  %conv53 = sext i32 %call52 to i64
  %add54 = add nsw i64 %conv53, %cond41
  br label %cond.end56
cond.end56:
  %cond57 = phi i64 [ %add54, %cond.true48 ], [ %cond41, %if.else ]
  %call60 = call fastcc i64 @append_node(ptr noundef %wanted, i64 noundef 512, i64 noundef %cond57, i64 noundef %idxprom) cold
  br label %if.end61
if.end61:
  %call60.sink = phi i64 [ %call60, %cond.end56 ], [ %call45, %if.then43 ]
  %inc = add nsw i64 %inc.sink51, 1
  %cmp20 = icmp slt i64 %inc, %7
  br i1 %cmp20, label %for.body, label %for.end
for.end:
  %idxprom62 = sext i32 %index to i64
  %arrayidx63 = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom62
  %13 = load ptr, ptr %arrayidx63
  %14 = load ptr, ptr %finding
  %text67 = getelementptr inbounds nuw %struct.rule, ptr %14, i32 0, i32 1
  %15 = load ptr, ptr %text67
  %text68 = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx63, i32 0, i32 1
  %16 = load ptr, ptr %text68
  %arrayidx70 = getelementptr inbounds nuw [3 x i64], ptr %numbers, i64 0, i64 1
  %17 = load i64, ptr %arrayidx70
  %cmp72 = icmp eq ptr %14, @HAS_ROOM
  %cond74 = select i1 %cmp72, ptr @.str.49, ptr @.str.19
  %18 = load i64, ptr %numbers
  %call80 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef @.str.48, ptr noundef @tw_name, i32 noundef signext %index, ptr noundef %13, ptr noundef %15, ptr noundef %16, i64 noundef %17, ptr noundef nonnull %cond74, ptr noundef nonnull %wanted, i64 noundef %18, i64 noundef %17, ptr noundef @tw_signature)
  %19 = load ptr, ptr %finding
  %20 = load ptr, ptr %19
  %call83 = call signext i32 @tw_fail(ptr noundef %20, ptr noundef nonnull %message) cold
  ret void
}
define internal fastcc signext i32 @enter_call(ptr noundef nonnull %call, i32 noundef signext %count, i32 noundef signext %threads) unnamed_addr nounwind "no-builtins" {
  %sizes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  %1 = load ptr, ptr %sizes
  %slots = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %2 = load ptr, ptr %slots
  %3 = load i32, ptr @tw_arguments
  %idxprom = sext i32 %3 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %2, i64 %idxprom
  store ptr %1, ptr %arrayidx
  %4 = load ptr, ptr %slots
  %add = add nsw i32 %3, 1
  %idxprom2 = sext i32 %add to i64
  %arrayidx3 = getelementptr inbounds %union.tw_slot, ptr %4, i64 %idxprom2
  store ptr %call, ptr %arrayidx3
  %5 = load ptr, ptr %call
  %6 = load ptr, ptr %sizes
  %call5 = tail call fastcc signext i32 @bind_symbols(ptr noundef %5, i32 noundef signext %count, ptr noundef %6)
  %cmp = icmp ne i32 %call5, 0
  br i1 %cmp, label %return, label %lor.lhs.false
lor.lhs.false:
  %7 = load i64, ptr @tw_weights_bytes
  %cmp.i = icmp eq i64 %7, 0
  %8 = load ptr, ptr @__tw_weights
  %cmp1.i = icmp ne ptr %8, null
  %or.cond.i = select i1 %cmp.i, i1 true, i1 %cmp1.i
  br i1 %or.cond.i, label %lor.lhs.false8, label %check_weights.exit
check_weights.exit:
  %call.i = tail call signext i32 @__tw_load_weights() cold
  %cmp7 = icmp ne i32 %call.i, 0
  br i1 %cmp7, label %return, label %lor.lhs.false8
lor.lhs.false8:
  %call9 = tail call fastcc signext i32 @begin_stage(ptr noundef nonnull %call, i32 noundef signext 0)
  %cmp10 = icmp ne i32 %call9, 0
  br i1 %cmp10, label %return, label %if.end
if.end:
  %9 = load i32, ptr @tw_max_threads
  %cmp.i8 = icmp slt i32 %threads, %9
  %.sroa.speculated.i = select i1 %cmp.i8, i32 %threads, i32 %9
  %cmp1.i9 = icmp sgt i32 %.sroa.speculated.i, 1
  %cond5.i = select i1 %cmp1.i9, i32 %.sroa.speculated.i, i32 1
  br i1 %cmp.i, label %if.then.i, label %if.end.i
if.then.i:
  %call1.i = tail call fastcc signext i32 @run(ptr noundef nonnull %call, i32 noundef signext %cond5.i)
  br label %return
if.end.i:
  %10 = atomicrmw add ptr @__tw_running, i32 1 seq_cst
  %call2.i = tail call fastcc signext i32 @run(ptr noundef nonnull %call, i32 noundef signext %cond5.i)
  %11 = atomicrmw sub ptr @__tw_running, i32 1 seq_cst
  br label %return
return:
  %call12.sink = phi i32 [ -1, %0 ], [ -1, %lor.lhs.false8 ], [ -1, %check_weights.exit ], [ %call2.i, %if.end.i ], [ %call1.i, %if.then.i ]
  ret i32 %call12.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @bind_symbols(ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef captures(none) %sizes) unnamed_addr nounwind "no-builtins" {
  %finding = alloca %struct.finding
  %1 = load i32, ptr @tw_given_count
  %cmp16 = icmp slt i32 0, %1
  br i1 %cmp16, label %for.body, label %cleanup11
for.cond:
  %cmp = icmp slt i32 %inc, %1
  br i1 %cmp, label %for.body, label %cleanup11
for.body:
  %inc.sink17 = phi i32 [ %inc, %for.cond ], [ 0, %0 ]
  %idxprom = sext i32 %inc.sink17 to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_symbol], ptr @tw_symbols, i64 0, i64 %idxprom
  %argument = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 5
  %2 = load i32, ptr %argument
  %cmp1 = icmp sge i32 %2, %count
  br i1 %cmp1, label %if.then, label %if.end
if.then:
  %3 = load i32, ptr @tw_inputs
  %conv = sext i32 %3 to i64
  tail call fastcc void @fail_number(ptr noundef @.str.5, ptr noundef @.str.55, i64 noundef %conv) cold
  br label %cleanup11
if.end:
  %arrayidx3 = getelementptr inbounds i64, ptr %sizes, i64 %idxprom
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom1.i
  %arrayidx5.i = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idxprom1.i
  %4 = load i32, ptr %arrayidx5.i
  switch i32 %4, label %check_type.exit.i [ i32 7, label %tw_tensor_of.exit.i.i i32 70, label %land.lhs.true.i.i.i ]
land.lhs.true.i.i.i:
  %payload3.i.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx5.i, i32 0, i32 2
  %5 = load ptr, ptr %payload3.i.i.i
  %cmp4.i.i.i = icmp ne ptr %5, null
  %tensor.i.i.i = getelementptr inbounds nuw %struct.tw_tensor_object, ptr %5, i32 0, i32 1
  br i1 %cmp4.i.i.i, label %land.lhs.true.i.i, label %check_type.exit.i
tw_tensor_of.exit.i.i:
  %payload.i.i.i = getelementptr inbounds nuw %struct.tw_value, ptr %arrayidx5.i, i32 0, i32 2
  %6 = load ptr, ptr %payload.i.i.i
  %cmp.i.i = icmp ne ptr %6, null
  br i1 %cmp.i.i, label %land.lhs.true.i.i, label %check_type.exit.i
land.lhs.true.i.i:
  %.sink.i.i31.i = phi ptr [ %6, %tw_tensor_of.exit.i.i ], [ %tensor.i.i.i, %land.lhs.true.i.i.i ]
  %device_type.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i31.i, i32 0, i32 1
  %7 = load i32, ptr %device_type.i.i
  %cmp1.i.i = icmp eq i32 %7, 1
  br i1 %cmp1.i.i, label %land.lhs.true2.i.i, label %check_type.exit.i
land.lhs.true2.i.i:
  %dtype.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i31.i, i32 0, i32 4
  %8 = load i32, ptr %dtype.i.i
  %dtype3.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx2.i, i32 0, i32 6
  %9 = load i32, ptr %dtype3.i.i
  %cmp4.i.i = icmp eq i32 %8, %9
  br i1 %cmp4.i.i, label %land.lhs.true5.i.i, label %check_type.exit.i
land.lhs.true5.i.i:
  %rank.i.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i31.i, i32 0, i32 3
  %10 = load i32, ptr %rank.i.i
  %rank6.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx2.i, i32 0, i32 5
  %11 = load i32, ptr %rank6.i.i
  %cmp7.i.i = icmp eq i32 %10, %11
  br i1 %cmp7.i.i, label %if.end.i, label %check_type.exit.i
check_type.exit.i:
  %.sink.i.i26.i = phi ptr [ null, %tw_tensor_of.exit.i.i ], [ %.sink.i.i31.i, %land.lhs.true5.i.i ], [ %.sink.i.i31.i, %land.lhs.true2.i.i ], [ %.sink.i.i31.i, %land.lhs.true.i.i ], [ null, %if.end ], [ null, %land.lhs.true.i.i.i ]
  %call8.i.i = call fastcc zeroext i1 @check_other(ptr noundef nonnull %arrayidx2.i, ptr noundef nonnull readonly %arrayidx5.i, ptr noundef %.sink.i.i26.i, ptr noundef nonnull %finding) cold
  br i1 %call8.i.i, label %if.end.i, label %if.then5
if.end.i:
  %.sink.i.i2734.i = phi ptr [ %.sink.i.i26.i, %check_type.exit.i ], [ %.sink.i.i31.i, %land.lhs.true5.i.i ]
  %shape.i = getelementptr inbounds nuw %struct.tw_tensor, ptr %.sink.i.i2734.i, i32 0, i32 5
  %12 = load ptr, ptr %shape.i
  %axis.i = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 6
  %13 = load i32, ptr %axis.i
  %idxprom6.i = sext i32 %13 to i64
  %arrayidx7.i = getelementptr inbounds i64, ptr %12, i64 %idxprom6.i
  %14 = load i64, ptr %arrayidx7.i
  %cmp.i = icmp sge i64 %14, 0
  %cmp8.i = icmp sle i64 %14, 4611686018427387903
  %15 = select i1 %cmp.i, i1 %cmp8.i, i1 false
  br i1 %15, label %cond.true.i, label %cond.end.i
cond.true.i:
  %offset.i = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 3
  %16 = load i64, ptr %offset.i
  %sub.i = sub nsw i64 %14, %16
  br label %cond.end.i
cond.end.i:
  %cond.i = phi i64 [ %sub.i, %cond.true.i ], [ -1, %if.end.i ]
  %factor.i = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 2
  %17 = load i64, ptr %factor.i
  %cmp9.i = icmp eq i64 %17, 1
  br i1 %cmp9.i, label %cond.end18.i, label %cond.false16.i
cond.false16.i:
  %rem.i = srem i64 %cond.i, %17
  %cmp11.i = icmp eq i64 %rem.i, 0
  %div.i = sdiv i64 %cond.i, %17
  br label %cond.end18.i
cond.end18.i:
  %18 = phi i1 [ %cmp11.i, %cond.false16.i ], [ true, %cond.end.i ]
  %cond19.i = phi i64 [ %div.i, %cond.false16.i ], [ %cond.i, %cond.end.i ]
  store i64 %cond19.i, ptr %arrayidx3
  %or.cond.i = select i1 %15, i1 %18, i1 false
  br i1 %or.cond.i, label %lor.lhs.false22.i, label %if.then26.i
lor.lhs.false22.i:
  %19 = load i64, ptr %arrayidx
  %cmp23.i = icmp slt i64 %cond19.i, %19
  br i1 %cmp23.i, label %if.then26.i, label %lor.lhs.false24.i
lor.lhs.false24.i:
  %most.i = getelementptr inbounds nuw %struct.tw_symbol, ptr %arrayidx, i32 0, i32 1
  %20 = load i64, ptr %most.i
  %cmp25.i = icmp sgt i64 %cond19.i, %20
  %inc = add nsw i32 %inc.sink17, 1
  br i1 %cmp25.i, label %if.then26.i, label %for.cond
if.then26.i:
  %shape31.i = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx2.i, i32 0, i32 2
  %21 = load ptr, ptr %shape31.i
  %arrayidx34.i = getelementptr inbounds i64, ptr %21, i64 %idxprom6.i
  %22 = load i64, ptr %arrayidx34.i
  %sub35.i = sub nuw nsw i64 -1, %22
  call fastcc void @breaks(ptr noundef nonnull %finding, ptr noundef @HAS_VALID_SIZE, i64 noundef %14, i64 noundef %idxprom6.i, i64 noundef %sub35.i) cold
  br label %if.then5
if.then5:
  call fastcc void @fail_argument(i32 noundef signext %2, ptr noundef %finding, ptr noundef %sizes) cold
  br label %cleanup11
cleanup11:
  %23 = phi i32 [ -1, %if.then ], [ -1, %if.then5 ], [ 0, %0 ], [ 0, %for.cond ]
  ret i32 %23
}
define internal fastcc signext i32 @run(ptr noundef nonnull captures(none) %call, i32 noundef signext %threads) unnamed_addr nounwind "no-builtins" {
  %sizes = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 2
  %1 = load ptr, ptr %sizes
  %2 = load i32, ptr @tw_symbol_count
  %cmp.i = icmp eq i32 %2, 0
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i
cond.true.i:
  %3 = load i64, ptr @tw_arena_bytes
  br label %block_bytes.exit
cond.false.i:
  %4 = load i32, ptr @tw_expression_count
  %idxprom.i = sext i32 %4 to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %1, i64 %idxprom.i
  %5 = load i64, ptr %arrayidx.i
  br label %block_bytes.exit
block_bytes.exit:
  %cond.i = phi i64 [ %3, %cond.true.i ], [ %5, %cond.false.i ]
  %6 = load i32, ptr @tw_device_type
  %cmp = icmp ne i32 %6, 1
  br i1 %cmp, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %cmp2 = icmp eq i64 %cond.i, 0
  br i1 %cmp2, label %land.lhs.true, label %for.body.i
land.lhs.true:
  %7 = load i32, ptr @tw_given_count
  %sub.i = sub nsw i32 %2, %7
  %cmp4 = icmp eq i32 %sub.i, 0
  br i1 %cmp4, label %if.then, label %for.body.i
if.then:
  %slots = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %8 = load ptr, ptr %slots
  %call5 = tail call signext i32 @tw_run(ptr noundef %8, ptr noundef null, i32 noundef signext %threads)
  br label %cleanup14
for.body.i:
  %inc.sink12.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %land.lhs.true ], [ 0, %lor.lhs.false ]
  %idxprom.i10 = sext i32 %inc.sink12.i to i64
  %arrayidx.i11 = getelementptr inbounds [8 x ptr], ptr @arenas, i64 0, i64 %idxprom.i10
  %call.i = atomicrmw xchg ptr %arrayidx.i11, ptr null acq_rel
  %cmp1.i = icmp eq ptr %call.i, null
  %inc.i = add nsw i32 %inc.sink12.i, 1
  %cmp.i12 = icmp slt i32 %inc.i, 8
  %or.cond.i = select i1 %cmp1.i, i1 %cmp.i12, i1 false
  br i1 %or.cond.i, label %for.body.i, label %take_arena.exit
take_arena.exit:
  %call2.i = tail call fastcc ptr @sized(ptr noundef %call.i, i64 noundef %cond.i)
  %cmp7 = icmp eq ptr %call2.i, null
  br i1 %cmp7, label %if.then8, label %if.end10
if.then8:
  tail call fastcc void @fail_arena(i64 noundef %cond.i) cold
  br label %cleanup14
if.end10:
  %block = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 4
  store ptr %call2.i, ptr %block
  %slots11 = getelementptr inbounds nuw %struct.tw_call, ptr %call, i32 0, i32 1
  %9 = load ptr, ptr %slots11
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call2.i, i64 64
  %call13 = tail call signext i32 @tw_run(ptr noundef %9, ptr noundef nonnull %add.ptr.i, i32 noundef signext %threads)
  br label %for.body.i13
for.body.i13:
  %inc.sink6.i = phi i32 [ 0, %if.end10 ], [ %inc.i17, %for.body.i13 ]
  %arena.addr.05.i = phi ptr [ %call2.i, %if.end10 ], [ %call.i16, %for.body.i13 ]
  %idxprom.i14 = sext i32 %inc.sink6.i to i64
  %arrayidx.i15 = getelementptr inbounds [8 x ptr], ptr @arenas, i64 0, i64 %idxprom.i14
  %call.i16 = atomicrmw xchg ptr %arrayidx.i15, ptr %arena.addr.05.i acq_rel
  %inc.i17 = add nsw i32 %inc.sink6.i, 1
  %cmp.i18 = icmp slt i32 %inc.i17, 8
  %cmp1.i19 = icmp ne ptr %call.i16, null
  %10 = select i1 %cmp.i18, i1 %cmp1.i19, i1 false
  br i1 %10, label %for.body.i13, label %for.end.i
for.end.i:
  br i1 %cmp1.i19, label %while.body.i.i, label %cleanup14
while.body.i.i:
  %.sink4.i.i = phi ptr [ %11, %while.body.i.i ], [ %call.i16, %for.end.i ]
  %next1.i.i = getelementptr inbounds nuw %struct.block, ptr %.sink4.i.i, i32 0, i32 1
  %11 = load ptr, ptr %next1.i.i
  tail call void @free(ptr noundef nonnull %.sink4.i.i)
  %cmp.i.i = icmp ne ptr %11, null
  br i1 %cmp.i.i, label %while.body.i.i, label %cleanup14
cleanup14:
  %.sink.sink = phi i32 [ %call5, %if.then ], [ -1, %if.then8 ], [ %call13, %for.end.i ], [ %call13, %while.body.i.i ]
  ret i32 %.sink.sink
}
define internal ptr @allocate_scrap(ptr noundef captures(none) %context, i32 noundef signext %output, ptr noundef readonly captures(none) %shape) cold nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_inputs
  %add = add nsw i32 %1, %output
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds [0 x %struct.tw_spec], ptr @tw_specs, i64 0, i64 %idxprom
  %bytes1 = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 3
  %2 = load i64, ptr %bytes1
  %rank = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 5
  %3 = load i32, ptr %rank
  %cmp11 = icmp slt i32 0, %3
  br i1 %cmp11, label %for.body, label %for.end
for.body:
  %inc.sink13 = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %bytes.012 = phi i64 [ %bytes.1, %for.inc ], [ %2, %0 ]
  %shape2 = getelementptr inbounds nuw %struct.tw_spec, ptr %arrayidx, i32 0, i32 2
  %4 = load ptr, ptr %shape2
  %idxprom3 = sext i32 %inc.sink13 to i64
  %arrayidx4 = getelementptr inbounds i64, ptr %4, i64 %idxprom3
  %5 = load i64, ptr %arrayidx4
  %cmp5 = icmp slt i64 %5, 0
  br i1 %cmp5, label %if.then, label %for.inc
if.then:
  %arrayidx7 = getelementptr inbounds i64, ptr %shape, i64 %idxprom3
  %6 = load i64, ptr %arrayidx7
  %mul = mul i64 %6, %bytes.012
  br label %for.inc
for.inc:
  %bytes.1 = phi i64 [ %mul, %if.then ], [ %bytes.012, %for.body ]
  %inc = add nsw i32 %inc.sink13, 1
  %cmp = icmp slt i32 %inc, %3
  br i1 %cmp, label %for.body, label %for.end
for.end:
  %bytes.0.lcssa = phi i64 [ %2, %0 ], [ %bytes.1, %for.inc ]
  %div = udiv i64 %bytes.0.lcssa, 64
  %add8 = add nuw nsw i64 %div, 2
  %mul9 = mul i64 %add8, 64
  %call = tail call ptr @aligned_alloc(i64 noundef 64, i64 noundef %mul9)
  %cmp10 = icmp eq ptr %call, null
  br i1 %cmp10, label %cleanup, label %if.end12
if.end12:
  %7 = load ptr, ptr %context
  store ptr %7, ptr %call
  store ptr %call, ptr %context
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 64
  br label %cleanup
cleanup:
  %add.ptr.sink = phi ptr [ %add.ptr, %if.end12 ], [ null, %for.end ]
  ret ptr %add.ptr.sink
}
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare extern_weak void @TVMFFIErrorSetRaisedFromCStr(ptr noundef, ptr noundef)
declare extern_weak ptr @dlsym(ptr noundef, ptr noundef)
declare void @free(ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_derive(ptr noundef, i32 noundef signext) local_unnamed_addr
declare ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr
declare hidden signext i32 @tw_run(ptr noundef, ptr noundef, i32 noundef signext) local_unnamed_addr
