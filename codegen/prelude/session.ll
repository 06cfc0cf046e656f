; Generated from runtime/native/session.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_session_functions = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.run = type { ptr, i64, ptr, ptr, ptr }
%struct.frame = type { ptr, ptr, ptr, ptr }
%struct.tw_value = type { i32, i32, %union.tw_payload }
%union.tw_payload = type { i64 }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.kept = type { %struct.value, %struct.value, ptr, i64 }
%struct.value = type { ptr, ptr }
%struct.tw_state = type { i32, i32, i32, i32, i64 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_expression = type { ptr, ptr, ptr, i64, i64, i64, i32 }
@.str = private unnamed_addr constant [84 x i8] c"%s: wrong number of initial values\0A    expected: 0 or %d, one per state\0A    got: %d\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@.str.2 = private unnamed_addr constant [85 x i8] c"%s: the count of positions is not an int\0A    expected: an int\0A    got: type index %d\00", align 1
@__tw_session_functions = local_unnamed_addr constant %struct.tw_session_functions { ptr @tw_begin_session, ptr @call_session, ptr @call_threads, ptr @__tw_session_allocating, ptr @largest_inputs, ptr @__tvm_ffi_session_reset, ptr @__tvm_ffi_session_rewind, ptr @__tvm_ffi_session_fork, ptr @__tvm_ffi_session_size, ptr @state_shape, ptr @__tvm_ffi_session_state }, align 8
@.str.3 = private unnamed_addr constant [152 x i8] c"%s: wrong arguments of a session\0A    expected: the number of threads, and perhaps a tw_allocate and its context, before %d inputs\0A    got: %d arguments\00", align 1
@.str.4 = private unnamed_addr constant [202 x i8] c"%s: the session is running in another thread\0A    expected: one call at a time\0A    got: a call during another one\0A    hint: give each thread a session of its own, such as a result of fork, or use a lock\00", align 1
@.str.5 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.6 = private unnamed_addr constant [63 x i8] c"%s: %s is not a tensor\0A    expected: %s\0A    got: type index %d\00", align 1
@.str.7 = private unnamed_addr constant [82 x i8] c"%s: %s has the wrong number of dimensions\0A    expected: %s\0A    got: %d dimensions\00", align 1
@.str.8 = private unnamed_addr constant [92 x i8] c"%s: %s has the wrong dtype\0A    expected: %s\0A    got: DLPack type code %d, %d bits, %d lanes\00", align 1
@.str.9 = private unnamed_addr constant [53 x i8] c"%s: no memory for a session\0A    expected: %lld bytes\00", align 1
@.str.10 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.11 = private unnamed_addr constant [52 x i8] c"%s: no memory for state %s\0A    expected: %lld bytes\00", align 1
@.str.12 = private unnamed_addr constant [104 x i8] c"the first argument is no session of this model\0A    expected: a result of session\0A    got: type index %d\00", align 1
@.str.13 = private unnamed_addr constant [59 x i8] c"%s: wrong number of arguments\0A    expected: %d\0A    got: %d\00", align 1
@.str.14 = private unnamed_addr constant [154 x i8] c"%s: no input has the size %.80s of state %.80s\0A    expected: %.300s\0A    got: no initial value\0A    hint: begin the session with a first value of the state\00", align 1
@.str.15 = private unnamed_addr constant [2 x i8] c"[\00", align 1
@.str.16 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.17 = private unnamed_addr constant [7 x i8] c"%s%lld\00", align 1
@.str.18 = private unnamed_addr constant [8 x i8] c"%s%.80s\00", align 1
@.str.19 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.20 = private unnamed_addr constant [3 x i8] c"[]\00", align 1
@.str.21 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@.str.22 = private unnamed_addr constant [193 x i8] c"%s: the call exceeds the capacity of %s\0A    expected: %s of at most %lld after the call\0A    got: %lld + %lld = %lld\0A    hint: rewind or reset the session, or compile with capacity={\22%s\22: %lld}\00", align 1
@.str.23 = private unnamed_addr constant [116 x i8] c"%s: the last argument does not take the sizes\0A    expected: an int64 tensor of %lld elements\0A    got: another value\00", align 1
@.str.24 = private unnamed_addr constant [159 x i8] c"%s: a session cannot rewind a state that is replaced\0A    expected: states that grow\0A    got: %.80s: %.300s\0A    hint: fork the session before the calls to undo\00", align 1
@.str.25 = private unnamed_addr constant [93 x i8] c"%s: rewind by more positions than there are\0A    expected: a count of 0 to %lld\0A    got: %lld\00", align 1
@.str.26 = private unnamed_addr constant [75 x i8] c"%s: no state has this position\0A    expected: an int in 0..%d\0A    got: %lld\00", align 1
@.str.27 = private unnamed_addr constant [80 x i8] c"%s: state %s has no value\0A    expected: a session after a call\0A    got: no call\00", align 1
@.str.28 = private unnamed_addr constant [24 x i8] c", %.80s of at most %lld\00", align 1
@.str.29 = private unnamed_addr constant [136 x i8] c"%s: the value of state %.80s does not fit\0A    expected: %.300s%s\0A    got: %.300s\0A    hint: pass such a tensor in CPU memory, row by row\00", align 1
@.str.30 = private unnamed_addr constant [10 x i8] c"no tensor\00", align 1
@.str.31 = private unnamed_addr constant [126 x i8] c"%s: wrong number of arguments of a session\0A    expected: %d (%d inputs, %d outputs; the session keeps the states)\0A    got: %d\00", align 1
define weak hidden signext i32 @tw_fail(ptr noundef %kind, ptr noundef %message) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  ret i32 -1
}
define signext i32 @__tw_session_allocating(ptr noundef %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %run = alloca %struct.run, align 8
  %model = getelementptr inbounds nuw i8, ptr %self, i64 40
  %call = tail call fastcc signext i32 @inputs_of(ptr noundef nonnull %model)
  %add = add nsw i32 %call, 3
  %cmp = icmp eq i32 %count, %add
  br i1 %cmp, label %land.lhs.true, label %land.end
land.lhs.true:
  %1 = load i32, ptr %args, align 8
  %cmp1 = icmp eq i32 %1, 1
  br i1 %cmp1, label %land.lhs.true2, label %land.end
land.lhs.true2:
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %args, i64 16
  %2 = load i32, ptr %arrayidx3, align 8
  %cmp5 = icmp eq i32 %2, 4
  br i1 %cmp5, label %land.rhs, label %land.end
land.rhs:
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %args, i64 32
  %3 = load i32, ptr %arrayidx6, align 8
  %cmp8 = icmp eq i32 %3, 4
  br label %land.end
land.end:
  %4 = phi i1 [ false, %land.lhs.true2 ], [ false, %land.lhs.true ], [ false, %0 ], [ %cmp8, %land.rhs ]
  %call10 = tail call fastcc signext i32 @check_leading(ptr noundef nonnull %model, i1 noundef zeroext %4, i32 noundef signext %count)
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %if.end, label %cleanup
if.end:
  store ptr %self, ptr %run, align 8
  %threads = getelementptr inbounds nuw i8, ptr %run, i64 8
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %5 = load i64, ptr %payload, align 8
  store i64 %5, ptr %threads, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 16
  store ptr null, ptr %outputs, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 24
  %context = getelementptr inbounds nuw i8, ptr %run, i64 32
  %payload14 = getelementptr inbounds nuw i8, ptr %args, i64 40
  %6 = load ptr, ptr %payload14, align 8
  store ptr %6, ptr %context, align 8
  %payload16 = getelementptr inbounds nuw i8, ptr %args, i64 24
  %7 = load ptr, ptr %payload16, align 8
  store ptr %7, ptr %allocate, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 48
  %call18 = call fastcc signext i32 @run_session(ptr noundef %run, ptr noundef nonnull %add.ptr)
  br label %cleanup
cleanup:
  %call18.sink = phi i32 [ %call18, %if.end ], [ -1, %land.end ]
  ret i32 %call18.sink
}
define internal fastcc signext i32 @inputs_of(ptr noundef readonly captures(none) %model) unnamed_addr minsize nounwind optsize "no-builtins" {
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr %inputs, align 8
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %2 = load i32, ptr %state_count, align 4
  %sub = sub nsw i32 %1, %2
  ret i32 %sub
}
define internal fastcc signext range(i32 -1, 1) i32 @check_leading(ptr noundef readonly captures(none) %model, i1 noundef zeroext %is_right, i32 noundef signext %count) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  br i1 %is_right, label %cond.end, label %cond.false
cond.false:
  %1 = load ptr, ptr %model, align 8
  %call = tail call fastcc signext i32 @inputs_of(ptr noundef nonnull %model)
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %1, i32 noundef signext %call, i32 noundef signext %count)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %2 = load ptr, ptr %report, align 8
  call void %2(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cond.end
cond.end:
  %cond = phi i32 [ -1, %cond.false ], [ 0, %0 ]
  ret i32 %cond
}
define internal fastcc signext i32 @run_session(ptr noundef nonnull %run, ptr noundef readonly captures(none) %given) unnamed_addr minsize nounwind optsize "no-builtins" {
  %frame = alloca %struct.frame, align 8
  %1 = load ptr, ptr %run, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %2, 1
  %3 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %3, align 8
  %model2 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %state_count = getelementptr inbounds nuw i8, ptr %1, i64 140
  %4 = load i32, ptr %state_count, align 4
  %add3 = add nsw i32 %4, 1
  %5 = zext i32 %add3 to i64
  %vla4 = alloca %struct.tw_tensor, i64 %5, align 8
  %call = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model2, i32 noundef signext 0, i32 noundef signext %2)
  %add10 = add nsw i32 %call, 1
  %6 = zext i32 %add10 to i64
  %vla11 = alloca i64, i64 %6, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %1, i64 132
  %7 = load i32, ptr %arguments, align 4
  %call19 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model2, i32 noundef signext %2, i32 noundef signext %7)
  %add20 = add nsw i32 %call19, 1
  %8 = zext i32 %add20 to i64
  %vla21 = alloca i64, i64 %8, align 8
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla4, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla11, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla21, ptr %sizes, align 8
  %call24 = call fastcc signext i32 @take(ptr noundef %1)
  %cmp.not = icmp eq i32 %call24, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %9 = load ptr, ptr %run, align 8
  %call26 = call fastcc signext i32 @prepare(ptr noundef %9, ptr noundef %given, ptr noundef %frame)
  %cmp27 = icmp eq i32 %call26, 0
  br i1 %cmp27, label %if.then28, label %if.end37
if.then28:
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 24
  %10 = load ptr, ptr %allocate, align 8
  %cmp29 = icmp eq ptr %10, null
  br i1 %cmp29, label %cond.true, label %cond.false
cond.true:
  %call30 = call fastcc signext i32 @run_filling(ptr noundef %run, ptr noundef %frame)
  br label %if.end32
cond.false:
  %call31 = call fastcc signext i32 @run_allocating(ptr noundef %run, ptr noundef %frame)
  br label %if.end32
if.end32:
  %status.0 = phi i32 [ %call31, %cond.false ], [ %call30, %cond.true ]
  %cmp33 = icmp eq i32 %status.0, 0
  br i1 %cmp33, label %if.then34, label %if.end37
if.then34:
  %11 = load ptr, ptr %run, align 8
  %model1.i = getelementptr inbounds nuw i8, ptr %11, i64 40
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %if.then34 ]
  %state_count.i = getelementptr inbounds nuw i8, ptr %11, i64 140
  %12 = load i32, ptr %state_count.i, align 4
  %cmp.i = icmp slt i32 %inc.sink.i, %12
  br i1 %cmp.i, label %for.body.i, label %replace_values.exit
for.body.i:
  %kept2.i = getelementptr inbounds nuw i8, ptr %11, i64 152
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %kept2.i, i64 %idxprom.i
  %spare.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %13 = load ptr, ptr %spare.i, align 8
  %14 = load ptr, ptr %arrayidx.i, align 8
  store ptr %14, ptr %spare.i, align 8
  store ptr %13, ptr %arrayidx.i, align 8
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %15 = load ptr, ptr %shape.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %11, i64 72
  %16 = load ptr, ptr %states.i, align 8
  %arrayidx8.i = getelementptr inbounds nuw %struct.tw_state, ptr %16, i64 %idxprom.i
  %output.i = getelementptr inbounds nuw i8, ptr %arrayidx8.i, i64 4
  %17 = load i32, ptr %output.i, align 4
  %call.i = call fastcc ptr @sizes_of(ptr noundef nonnull %model1.i, ptr noundef nonnull readonly %vla21, i32 noundef signext %17)
  %call9.i = call fastcc ptr @spec_of(ptr noundef nonnull %model1.i, i32 noundef signext %inc.sink.i)
  %rank.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 40
  %18 = load i32, ptr %rank.i, align 8
  call fastcc void @copy_shape(ptr noundef %15, ptr noundef %call.i, i32 noundef signext %18)
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
replace_values.exit:
  %has_values.i = getelementptr inbounds nuw i8, ptr %11, i64 144
  store i8 1, ptr %has_values.i, align 8
  br label %if.end37
if.end37:
  %status.019 = phi i32 [ %status.0, %if.end32 ], [ 0, %replace_values.exit ], [ -1, %if.end ]
  %19 = load ptr, ptr %run, align 8
  call fastcc void @finish(ptr noundef %19)
  %20 = load ptr, ptr %run, align 8
  call fastcc void @release(ptr noundef %20)
  br label %cleanup
cleanup:
  %call40.sink = phi i32 [ %status.019, %if.end37 ], [ -1, %0 ]
  ret i32 %call40.sink
}
define hidden signext range(i32 -1, 1) i32 @tw_begin_session(ptr noundef readonly captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %state_count = getelementptr inbounds nuw i8, ptr %self, i64 100
  %1 = load i32, ptr %state_count, align 4
  %cmp.not = icmp eq i32 %count, 0
  %cmp1.not = icmp eq i32 %count, %1
  %or.cond = select i1 %cmp.not, i1 true, i1 %cmp1.not
  %mul = shl nsw i32 %1, 1
  %cmp3.not = icmp eq i32 %count, %mul
  %or.cond24 = select i1 %or.cond, i1 true, i1 %cmp3.not
  br i1 %or.cond24, label %if.end, label %if.then
if.then:
  %2 = load ptr, ptr %self, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2, i32 noundef signext %1, i32 noundef signext %count)
  %report = getelementptr inbounds nuw i8, ptr %self, i64 80
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cleanup17
if.end:
  %call5 = tail call fastcc ptr @new_session(ptr noundef nonnull %self)
  %cmp6 = icmp eq ptr %call5, null
  br i1 %cmp6, label %cleanup17, label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %if.end ]
  %cmp9.not = icmp slt i32 %inc.sink, %count
  br i1 %cmp9.not, label %for.body, label %for.end
for.body:
  %cmp10 = icmp slt i32 %inc.sink, %1
  %cond = select i1 %cmp10, ptr @keep_initial, ptr @keep_current
  %rem = srem i32 %inc.sink, %1
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %idxprom
  %call11 = tail call signext i32 %cond(ptr noundef nonnull %call5, i32 noundef signext %rem, ptr noundef %arrayidx)
  %cmp12.not = icmp eq i32 %call11, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp12.not, label %for.cond, label %if.then13
if.then13:
  tail call void @delete_session(ptr noundef nonnull %call5, i32 noundef signext 3)
  br label %cleanup17
for.end:
  %cmp15 = icmp sgt i32 %count, %1
  %has_values = getelementptr inbounds nuw i8, ptr %call5, i64 144
  %storedv = zext i1 %cmp15 to i8
  store i8 %storedv, ptr %has_values, align 8
  tail call fastcc void @return_session(ptr noundef %result, ptr noundef nonnull %call5)
  br label %cleanup17
cleanup17:
  %retval.0 = phi i32 [ -1, %if.then13 ], [ -1, %if.then ], [ 0, %for.end ], [ -1, %if.end ]
  ret i32 %retval.0
}
define internal fastcc noalias ptr @new_session(ptr noundef readonly captures(none) %model) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %1 = load i32, ptr %state_count, align 4
  %conv = sext i32 %1 to i64
  %mul = mul nsw i64 %conv, 48
  %add = add nsw i64 %mul, 152
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %2 = load ptr, ptr %model, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.9, ptr noundef %2, i64 noundef %add)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.10, ptr noundef nonnull %message)
  br label %cleanup
if.end:
  store i64 4294967297, ptr %call, align 8
  %type_index = getelementptr inbounds nuw i8, ptr %call, i64 8
  store i32 68, ptr %type_index, align 8
  %free = getelementptr inbounds nuw i8, ptr %call, i64 16
  store ptr @delete_session, ptr %free, align 8
  %call9 = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr @call_session, ptr %call9, align 8
  %model10 = getelementptr inbounds nuw i8, ptr %call, i64 40
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(104) %model10, ptr noundef nonnull align 8 dereferenceable(104) %model, i64 104, i1 false)
  br label %cleanup
cleanup:
  ret ptr %call
}
define internal signext range(i32 -1, 1) i32 @keep_initial(ptr noundef captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %given) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr %given, align 8
  %cmp = icmp eq i32 %1, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc ptr @spec_of(ptr noundef nonnull %model1, i32 noundef signext %state)
  %call2 = tail call fastcc ptr @tw_tensor_of(ptr noundef nonnull %given)
  %call3 = tail call fastcc signext i32 @check_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %call2)
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %if.end6, label %return
if.end6:
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr %struct.kept, ptr %session, i64 %idxprom
  %initial7 = getelementptr i8, ptr %arrayidx, i64 168
  %shape = getelementptr inbounds nuw i8, ptr %call2, i64 24
  %2 = load ptr, ptr %shape, align 8
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 40
  %3 = load i32, ptr %rank, align 8
  %call8 = tail call fastcc i64 @element_bytes(ptr noundef %call)
  %call9 = tail call fastcc i64 @product(ptr noundef %2, i32 noundef signext 0, i32 noundef signext %3, i64 noundef %call8)
  %conv = sext i32 %3 to i64
  %add = add nsw i64 %conv, 1
  %call11 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  %shape12 = getelementptr i8, ptr %arrayidx, i64 176
  store ptr %call11, ptr %shape12, align 8
  %add13 = add i64 %call9, 1
  %call14 = tail call noalias ptr @malloc(i64 noundef %add13)
  store ptr %call14, ptr %initial7, align 8
  %4 = load ptr, ptr %shape12, align 8
  %cmp16 = icmp eq ptr %4, null
  %cmp19 = icmp eq ptr %call14, null
  %or.cond = select i1 %cmp16, i1 true, i1 %cmp19
  br i1 %or.cond, label %if.then21, label %if.end23
if.then21:
  tail call fastcc void @fail_memory(ptr noundef nonnull %model1, i32 noundef signext %state, i64 noundef %call9)
  br label %return
if.end23:
  %5 = load ptr, ptr %shape, align 8
  tail call fastcc void @move_axis(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %5, ptr noundef %4, i1 noundef zeroext true)
  %6 = load ptr, ptr %initial7, align 8
  %7 = load ptr, ptr %call2, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call2, i64 40
  %8 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %7, i64 %8
  %9 = load ptr, ptr %shape, align 8
  tail call fastcc void @copy_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %6, ptr noundef %add.ptr, ptr noundef %9, i1 noundef zeroext true)
  br label %return
return:
  %retval.0 = phi i32 [ 0, %0 ], [ -1, %if.end ], [ 0, %if.end23 ], [ -1, %if.then21 ]
  ret i32 %retval.0
}
define internal signext range(i32 -1, 1) i32 @keep_current(ptr noundef captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %given) unnamed_addr minsize nounwind optsize "no-builtins" {
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc ptr @tw_tensor_of(ptr noundef %given)
  %call2 = tail call fastcc ptr @spec_of(ptr noundef nonnull %model1, i32 noundef signext %state)
  %rank = getelementptr inbounds nuw i8, ptr %call2, i64 40
  %1 = load i32, ptr %rank, align 8
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca i64, i64 %2, align 8
  %call3 = tail call fastcc signext i32 @check_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %call)
  %cmp.not = icmp eq i32 %call3, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %shape = getelementptr inbounds nuw i8, ptr %call, i64 24
  %3 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %3, ptr noundef %vla, i1 noundef zeroext true)
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 152
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept, i64 %idxprom
  %call4 = call fastcc signext i32 @make_buffers(ptr noundef nonnull %model1, ptr noundef nonnull %arrayidx, i32 noundef signext %state, ptr noundef %vla)
  %cmp5.not = icmp eq i32 %call4, 0
  br i1 %cmp5.not, label %if.end7, label %cleanup
if.end7:
  %4 = load ptr, ptr %arrayidx, align 8
  %5 = load ptr, ptr %call, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call, i64 40
  %6 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %5, i64 %6
  %7 = load ptr, ptr %shape, align 8
  tail call fastcc void @copy_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %4, ptr noundef %add.ptr, ptr noundef %7, i1 noundef zeroext true)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ 0, %if.end7 ], [ -1, %0 ], [ -1, %if.end ]
  ret i32 %.sink
}
define internal void @delete_session(ptr noundef %self, i32 noundef signext %flags) minsize nounwind optsize "no-builtins" {
  %and = and i32 %flags, 1
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then
if.then:
  tail call fastcc void @free_values(ptr noundef %self)
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %if.then ]
  %state_count = getelementptr inbounds nuw i8, ptr %self, i64 140
  %1 = load i32, ptr %state_count, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %if.end
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %self, i64 %idxprom
  %initial = getelementptr inbounds nuw i8, ptr %arrayidx, i64 168
  %2 = load ptr, ptr %initial, align 8
  tail call void @free(ptr noundef %2)
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 176
  %3 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %3)
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
if.end:
  %and5 = and i32 %flags, 2
  %tobool6.not = icmp eq i32 %and5, 0
  br i1 %tobool6.not, label %if.end8, label %if.then7
if.then7:
  tail call void @free(ptr noundef %self)
  br label %if.end8
if.end8:
  ret void
}
define internal fastcc void @return_session(ptr noundef writeonly captures(none) initializes((0, 16)) %result, ptr noundef %session) unnamed_addr minsize nounwind optsize "no-builtins" {
  store i32 68, ptr %result, align 8
  %padding = getelementptr inbounds nuw i8, ptr %result, i64 4
  store i32 0, ptr %padding, align 4
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store ptr %session, ptr %payload, align 8
  ret void
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_session_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %frame = alloca %struct.frame, align 8
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %count)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup76, label %if.end
if.end:
  %model1 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %call2 = tail call fastcc signext i32 @inputs_of(ptr noundef nonnull %model1)
  %add = add nsw i32 %call2, 2
  %call3 = tail call fastcc signext i32 @check_count(ptr noundef nonnull %model1, i32 noundef signext %count, i32 noundef signext %add)
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %if.end7, label %if.then5
if.then5:
  tail call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup76
if.end7:
  %inputs = getelementptr inbounds nuw i8, ptr %call, i64 128
  %1 = load i32, ptr %inputs, align 8
  %add8 = add nsw i32 %1, 1
  %2 = zext i32 %add8 to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %2, align 8
  %state_count = getelementptr inbounds nuw i8, ptr %call, i64 140
  %4 = load i32, ptr %state_count, align 4
  %add9 = add nsw i32 %4, 1
  %5 = zext i32 %add9 to i64
  %vla10 = alloca %struct.tw_tensor, i64 %5, align 8
  %6 = load i32, ptr %inputs, align 8
  %call12 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model1, i32 noundef signext 0, i32 noundef signext %6)
  %add13 = add nsw i32 %call12, 1
  %7 = zext i32 %add13 to i64
  %vla14 = alloca i64, i64 %7, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %call, i64 132
  %8 = load i32, ptr %arguments, align 4
  %call16 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model1, i32 noundef signext %6, i32 noundef signext %8)
  %add17 = add nsw i32 %call16, 1
  %9 = zext i32 %add17 to i64
  %vla18 = alloca i64, i64 %9, align 8
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla10, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla14, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla18, ptr %sizes, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %call20 = call fastcc signext i32 @prepare(ptr noundef nonnull %call, ptr noundef nonnull %add.ptr, ptr noundef %frame)
  call fastcc void @finish(ptr noundef nonnull %call)
  %10 = load i32, ptr %inputs, align 8
  br label %for.cond
for.cond:
  %total.0 = phi i64 [ 0, %if.end7 ], [ %add26, %cond.end ]
  %inc.sink = phi i32 [ %10, %if.end7 ], [ %inc, %cond.end ]
  %11 = load i32, ptr %arguments, align 4
  %cmp23 = icmp slt i32 %inc.sink, %11
  br i1 %cmp23, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %cmp27 = icmp eq i32 %call20, 0
  br i1 %cmp27, label %cond.true29, label %cond.end34
for.body:
  %call24 = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %inc.sink)
  %cmp25 = icmp slt i32 %call24, 0
  br i1 %cmp25, label %cond.true, label %cond.end
cond.true:
  %specs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %12 = load ptr, ptr %specs, align 8
  %idxprom = sext i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %12, i64 %idxprom
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %13 = load i32, ptr %rank, align 8
  %14 = sext i32 %13 to i64
  br label %cond.end
cond.end:
  %cond = phi i64 [ %14, %cond.true ], [ 0, %for.body ]
  %add26 = add nsw i64 %cond, %total.0
  %inc = add nsw i32 %inc.sink, 1
  br label %for.cond
cond.true29:
  %15 = sext i32 %count to i64
  %16 = getelementptr %struct.tw_value, ptr %args, i64 %15
  %arrayidx31 = getelementptr i8, ptr %16, i64 -16
  %call32 = call fastcc ptr @numbers_of(ptr noundef nonnull %model1, ptr noundef %arrayidx31, i64 noundef %total.0)
  br label %cond.end34
cond.end34:
  %cond35 = phi ptr [ %call32, %cond.true29 ], [ null, %for.cond.cleanup ]
  %17 = load i32, ptr %inputs, align 8
  br label %for.cond38
for.cond38:
  %next.0 = phi ptr [ %cond35, %cond.end34 ], [ %next.1, %for.cond.cleanup58 ]
  %inc70.sink = phi i32 [ %17, %cond.end34 ], [ %inc70, %for.cond.cleanup58 ]
  %cmp39.not = icmp eq ptr %next.0, null
  br i1 %cmp39.not, label %for.cond.cleanup44, label %land.rhs
land.rhs:
  %18 = load i32, ptr %arguments, align 4
  %cmp42 = icmp slt i32 %inc70.sink, %18
  br i1 %cmp42, label %for.cond46.preheader, label %for.cond.cleanup44
for.cond46.preheader:
  %specs51 = getelementptr inbounds nuw i8, ptr %call, i64 56
  br label %for.cond46
for.cond.cleanup44:
  %cond74 = sext i1 %cmp39.not to i32
  call fastcc void @release(ptr noundef nonnull %call)
  call void @llvm.stackrestore.p0(ptr %3)
  br label %cleanup76
for.cond46:
  %next.1 = phi ptr [ %incdec.ptr, %for.body59 ], [ %next.0, %for.cond46.preheader ]
  %inc67.sink = phi i32 [ %inc67, %for.body59 ], [ 0, %for.cond46.preheader ]
  %call47 = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %inc70.sink)
  %cmp48 = icmp slt i32 %call47, 0
  br i1 %cmp48, label %land.rhs50, label %for.cond.cleanup58
land.rhs50:
  %19 = load ptr, ptr %specs51, align 8
  %idxprom52 = sext i32 %inc70.sink to i64
  %arrayidx53 = getelementptr inbounds %struct.tw_spec, ptr %19, i64 %idxprom52
  %rank54 = getelementptr inbounds nuw i8, ptr %arrayidx53, i64 40
  %20 = load i32, ptr %rank54, align 8
  %cmp55 = icmp slt i32 %inc67.sink, %20
  br i1 %cmp55, label %for.body59, label %for.cond.cleanup58
for.cond.cleanup58:
  %inc70 = add nsw i32 %inc70.sink, 1
  br label %for.cond38
for.body59:
  %21 = load i32, ptr %inputs, align 8
  %sub62 = sub nsw i32 %inc70.sink, %21
  %call63 = call fastcc ptr @sizes_of(ptr noundef nonnull %model1, ptr noundef nonnull %vla18, i32 noundef signext %sub62)
  %idxprom64 = zext nneg i32 %inc67.sink to i64
  %arrayidx65 = getelementptr inbounds nuw i64, ptr %call63, i64 %idxprom64
  %22 = load i64, ptr %arrayidx65, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %next.1, i64 8
  store i64 %22, ptr %next.1, align 8
  %inc67 = add nuw nsw i32 %inc67.sink, 1
  br label %for.cond46
cleanup76:
  %retval.0 = phi i32 [ %cond74, %for.cond.cleanup44 ], [ -1, %if.then5 ], [ -1, %0 ]
  ret i32 %retval.0
}
define internal fastcc ptr @take_first(ptr noundef readonly captures(none) %args, i32 noundef signext %count, i32 noundef signext %expected) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %cmp = icmp sgt i32 %count, 0
  br i1 %cmp, label %land.lhs.true, label %cond.end8
land.lhs.true:
  %1 = load i32, ptr %args, align 8
  %cmp1 = icmp eq i32 %1, 68
  br i1 %cmp1, label %cond.end, label %cond.end8
cond.end:
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load ptr, ptr %payload, align 8
  %cmp2 = icmp eq ptr %2, null
  br i1 %cmp2, label %cond.end8, label %lor.lhs.false
lor.lhs.false:
  %call = getelementptr inbounds nuw i8, ptr %2, i64 24
  %3 = load ptr, ptr %call, align 8
  %cmp3.not = icmp eq ptr %3, @call_session
  br i1 %cmp3.not, label %if.end, label %cond.end8
cond.end8:
  %cond9 = phi i32 [ 0, %0 ], [ 68, %cond.end ], [ 68, %lor.lhs.false ], [ %1, %land.lhs.true ]
  %call10 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.12, i32 noundef signext %cond9)
  %call12 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cleanup
if.end:
  %model = getelementptr inbounds nuw i8, ptr %2, i64 40
  %call13 = tail call fastcc signext i32 @check_count(ptr noundef nonnull %model, i32 noundef signext %count, i32 noundef signext %expected)
  %cmp14 = icmp eq i32 %call13, 0
  br i1 %cmp14, label %land.lhs.true15, label %cleanup
land.lhs.true15:
  %call16 = tail call fastcc signext i32 @take(ptr noundef nonnull %2)
  %cmp17 = icmp eq i32 %call16, 0
  %spec.select = select i1 %cmp17, ptr %2, ptr null
  br label %cleanup
cleanup:
  %cond21.sink = phi ptr [ null, %cond.end8 ], [ null, %if.end ], [ %spec.select, %land.lhs.true15 ]
  ret ptr %cond21.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @check_count(ptr noundef readonly captures(none) %model, i32 noundef signext %count, i32 noundef signext %expected) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %cmp = icmp eq i32 %count, %expected
  br i1 %cmp, label %cond.end, label %cond.false
cond.false:
  %1 = load ptr, ptr %model, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.13, ptr noundef %1, i32 noundef signext %expected, i32 noundef signext %count)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %2 = load ptr, ptr %report, align 8
  call void %2(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cond.end
cond.end:
  %cond = phi i32 [ -1, %cond.false ], [ 0, %0 ]
  ret i32 %cond
}
define internal fastcc void @release(ptr noundef writeonly captures(none) %session) unnamed_addr minsize nounwind optsize "no-builtins" {
  %is_used = getelementptr inbounds nuw i8, ptr %session, i64 148
  store atomic i32 0, ptr %is_used release, align 4
  ret void
}
define internal fastcc signext i32 @ranks(ptr noundef readonly captures(none) %model, i32 noundef signext %first, i32 noundef signext %end) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %sum.0 = phi i32 [ 0, %0 ], [ %add, %for.body ]
  %inc.sink = phi i32 [ %first, %0 ], [ %inc, %for.body ]
  %cmp = icmp slt i32 %inc.sink, %end
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %1 = load ptr, ptr %specs, align 8
  %idxprom = sext i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load i32, ptr %rank, align 8
  %add = add nsw i32 %2, %sum.0
  %inc = add nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  ret i32 %sum.0
}
define internal fastcc signext range(i32 -1, 1) i32 @prepare(ptr noundef captures(none) %session, ptr noundef readonly captures(none) %given, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr minsize nounwind optsize "no-builtins" {
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc signext i32 @fill_inputs(ptr noundef %session, ptr noundef %given, ptr noundef %frame)
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %1 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %1 to i1
  br i1 %loadedv, label %for.cond, label %land.lhs.true
land.lhs.true:
  %2 = load ptr, ptr %frame, align 8
  %call2 = tail call fastcc signext i32 @start(ptr noundef nonnull %session, ptr noundef %2)
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %for.cond, label %cleanup
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %land.lhs.true ], [ 0, %lor.lhs.false ]
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %3 = load i32, ptr %state_count, align 4
  %cmp4 = icmp slt i32 %inc.sink, %3
  br i1 %cmp4, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %call8 = tail call fastcc signext i32 @find_sizes(ptr noundef nonnull %model1, ptr noundef %frame)
  br label %cleanup
for.body:
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 152
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %idxprom
  %4 = load ptr, ptr %arrayidx, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %5 = load ptr, ptr %tensors, align 8
  %arrayidx6 = getelementptr inbounds nuw %struct.tw_tensor, ptr %5, i64 %idxprom
  store ptr %4, ptr %arrayidx6, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %call8.sink = phi i32 [ %call8, %for.cond.cleanup ], [ -1, %land.lhs.true ], [ -1, %0 ]
  ret i32 %call8.sink
}
define internal fastcc void @finish(ptr noundef captures(none) %session) unnamed_addr minsize nounwind optsize "no-builtins" {
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %1 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %1 to i1
  br i1 %loadedv, label %if.end, label %if.then
if.then:
  tail call fastcc void @free_values(ptr noundef nonnull %session)
  br label %if.end
if.end:
  ret void
}
define internal fastcc signext range(i32 -2147483648, 2147483647) i32 @state_of(ptr noundef readonly captures(none) %model, i32 noundef signext %argument) unnamed_addr minsize nounwind optsize "no-builtins" {
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ 0, %0 ], [ %inc, %for.inc ]
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %1 = load i32, ptr %state_count, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %cleanup3
for.body:
  %2 = load ptr, ptr %states, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_state, ptr %2, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 8
  %cmp1 = icmp eq i32 %3, %argument
  br i1 %cmp1, label %cleanup3, label %lor.lhs.false
lor.lhs.false:
  %4 = load i32, ptr %inputs, align 8
  %output = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %5 = load i32, ptr %output, align 4
  %add = add nsw i32 %5, %4
  %cmp2 = icmp eq i32 %add, %argument
  br i1 %cmp2, label %cleanup3, label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup3:
  %6 = phi i32 [ -1, %for.cond ], [ %inc.sink, %for.body ], [ %inc.sink, %lor.lhs.false ]
  ret i32 %6
}
define internal fastcc ptr @numbers_of(ptr noundef readonly captures(none) %model, ptr noundef readonly captures(none) %value, i64 noundef %count) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %call = tail call fastcc ptr @tw_tensor_of(ptr noundef %value)
  %cmp.not = icmp eq ptr %call, null
  br i1 %cmp.not, label %if.end, label %land.lhs.true
land.lhs.true:
  %device_type = getelementptr inbounds nuw i8, ptr %call, i64 8
  %1 = load i32, ptr %device_type, align 8
  %cmp1 = icmp eq i32 %1, 1
  br i1 %cmp1, label %land.lhs.true2, label %if.end
land.lhs.true2:
  %dtype = getelementptr inbounds nuw i8, ptr %call, i64 20
  %2 = load i32, ptr %dtype, align 4
  %cmp3 = icmp eq i32 %2, 81920
  br i1 %cmp3, label %land.lhs.true4, label %if.end
land.lhs.true4:
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 16
  %3 = load i32, ptr %rank, align 8
  %cmp5 = icmp eq i32 %3, 1
  br i1 %cmp5, label %land.lhs.true6, label %if.end
land.lhs.true6:
  %shape = getelementptr inbounds nuw i8, ptr %call, i64 24
  %4 = load ptr, ptr %shape, align 8
  %5 = load i64, ptr %4, align 8
  %cmp7.not = icmp slt i64 %5, %count
  br i1 %cmp7.not, label %if.end, label %if.then
if.then:
  %6 = load ptr, ptr %call, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call, i64 40
  %7 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %6, i64 %7
  br label %cleanup
if.end:
  %8 = load ptr, ptr %model, align 8
  %call8 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.23, ptr noundef %8, i64 noundef %count)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %9 = load ptr, ptr %report, align 8
  call void %9(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cleanup
cleanup:
  %.sink = phi ptr [ null, %if.end ], [ %add.ptr, %if.then ]
  ret ptr %.sink
}
define internal fastcc ptr @sizes_of(ptr noundef readonly captures(none) %model, ptr noundef readnone captures(ret: address, provenance) %sizes, i32 noundef signext %output) unnamed_addr minsize nounwind optsize "no-builtins" {
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %1, %output
  %call = tail call fastcc signext i32 @ranks(ptr noundef %model, i32 noundef signext %1, i32 noundef signext %add)
  %idx.ext = sext i32 %call to i64
  %add.ptr = getelementptr inbounds i64, ptr %sizes, i64 %idx.ext
  ret ptr %add.ptr
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_session_reset(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  tail call fastcc void @free_values(ptr noundef nonnull %call)
  tail call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup
cleanup:
  %call1.sink = phi i32 [ 0, %if.end ], [ -1, %0 ]
  ret i32 %call1.sink
}
define internal fastcc void @free_values(ptr noundef captures(none) %session) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %if.end ], [ 0, %0 ]
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %1 = load i32, ptr %state_count, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %kept1 = getelementptr inbounds nuw i8, ptr %session, i64 152
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept1, i64 %idxprom
  %2 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %2)
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %3 = load ptr, ptr %spare, align 8
  %4 = load ptr, ptr %arrayidx, align 8
  %cmp4.not = icmp eq ptr %3, %4
  br i1 %cmp4.not, label %if.end, label %if.then
if.then:
  tail call void @free(ptr noundef %3)
  br label %if.end
if.end:
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %5 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %5)
  store ptr null, ptr %arrayidx, align 8
  store ptr null, ptr %shape, align 8
  store ptr null, ptr %spare, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  store i8 0, ptr %has_values, align 8
  ret void
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_session_rewind(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %message.i = alloca [1024 x i8], align 1
  %type.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 2)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup21, label %if.end
if.end:
  %model1 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 16
  %1 = load i32, ptr %arrayidx, align 8
  %cmp2.not = icmp eq i32 %1, 1
  br i1 %cmp2.not, label %if.end9, label %if.then3
if.then3:
  %2 = load ptr, ptr %model1, align 8
  %call6 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef signext %1)
  %report = getelementptr inbounds nuw i8, ptr %call, i64 120
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cleanup21.sink.split
if.end9:
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 24
  %4 = load i64, ptr %payload, align 8
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.inc.critedge.i ], [ 0, %if.end9 ]
  %state_count.i = getelementptr inbounds nuw i8, ptr %call, i64 140
  %5 = load i32, ptr %state_count.i, align 4
  %cmp.not.i = icmp slt i32 %inc.sink.i, %5
  br i1 %cmp.not.i, label %for.body.i, label %check_rewind.exit
for.body.i:
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 144
  %6 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %6 to i1
  br i1 %loadedv.i, label %cond.true.i, label %cond.end.i
cond.true.i:
  %call.i = tail call fastcc i64 @positions(ptr noundef nonnull readonly %call, i32 noundef signext %inc.sink.i)
  br label %cond.end.i
cond.end.i:
  %cond.i = phi i64 [ %call.i, %cond.true.i ], [ 0, %for.body.i ]
  %states.i = getelementptr inbounds nuw i8, ptr %call, i64 72
  %7 = load ptr, ptr %states.i, align 8
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr %7, i64 %idxprom.i
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %8 = load i32, ptr %axis.i, align 8
  %cmp2.i = icmp slt i32 %8, 0
  br i1 %cmp2.i, label %if.then.i, label %if.end.i
if.then.i:
  call fastcc void @write_type(ptr noundef nonnull readonly %model1, i32 noundef signext %inc.sink.i, ptr noundef %type.i)
  %9 = load ptr, ptr %model1, align 8
  %call4.i = call fastcc ptr @spec_of(ptr noundef nonnull readonly %model1, i32 noundef signext %inc.sink.i)
  %10 = load ptr, ptr %call4.i, align 8
  %call7.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.24, ptr noundef %9, ptr noundef %10, ptr noundef nonnull %type.i)
  br label %check_rewind.exit.thread
if.end.i:
  %cmp9.i = icmp slt i64 %4, 0
  %cmp10.i = icmp sgt i64 %4, %cond.i
  %or.cond.i = select i1 %cmp9.i, i1 true, i1 %cmp10.i
  br i1 %or.cond.i, label %if.then11.i, label %for.inc.critedge.i
if.then11.i:
  %11 = load ptr, ptr %model1, align 8
  %call14.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.25, ptr noundef %11, i64 noundef %cond.i, i64 noundef %4)
  br label %check_rewind.exit.thread
check_rewind.exit.thread:
  %report15.i = getelementptr inbounds nuw i8, ptr %call, i64 120
  %12 = load ptr, ptr %report15.i, align 8
  call void %12(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i)
  br label %cleanup21.sink.split
for.inc.critedge.i:
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
check_rewind.exit:
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %drop.exit ], [ 0, %check_rewind.exit ]
  %cmp16 = icmp sgt i64 %4, 0
  br i1 %cmp16, label %land.rhs, label %cleanup21.sink.split
land.rhs:
  %13 = load i32, ptr %state_count.i, align 4
  %cmp17 = icmp slt i32 %inc.sink, %13
  br i1 %cmp17, label %for.body, label %cleanup21.sink.split
for.body:
  %kept = getelementptr inbounds nuw i8, ptr %call, i64 152
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx18 = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %idxprom
  %call.i19 = tail call fastcc ptr @spec_of(ptr noundef nonnull readonly %model1, i32 noundef signext %inc.sink)
  %call1.i = tail call fastcc signext i32 @memory_axis(ptr noundef nonnull readonly %model1, i32 noundef signext %inc.sink)
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 8
  %14 = load ptr, ptr %shape.i, align 8
  %idxprom.i20 = sext i32 %call1.i to i64
  %arrayidx.i21 = getelementptr inbounds i64, ptr %14, i64 %idxprom.i20
  %15 = load i64, ptr %arrayidx.i21, align 8
  %call4.i22 = tail call fastcc i64 @product(ptr noundef %14, i32 noundef signext 0, i32 noundef signext %call1.i, i64 noundef 1)
  %add.i = add nsw i32 %call1.i, 1
  %rank.i = getelementptr inbounds nuw i8, ptr %call.i19, i64 40
  %16 = load i32, ptr %rank.i, align 8
  %call7.i23 = tail call fastcc i64 @element_bytes(ptr noundef %call.i19)
  %call8.i = tail call fastcc i64 @product(ptr noundef %14, i32 noundef signext %add.i, i32 noundef signext %16, i64 noundef %call7.i23)
  %sub.i = sub nsw i64 %15, %4
  store i64 %sub.i, ptr %arrayidx.i21, align 8
  %states.i24 = getelementptr inbounds nuw i8, ptr %call, i64 72
  %17 = load ptr, ptr %states.i24, align 8
  %arrayidx14.i = getelementptr inbounds nuw %struct.tw_state, ptr %17, i64 %idxprom
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx14.i, i64 12
  %18 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %18, 0
  br i1 %tobool.not.i, label %for.cond.i25.preheader, label %drop.exit
for.cond.i25.preheader:
  %spare.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 32
  br label %for.cond.i25
for.cond.i25:
  %inc.sink.i26 = phi i64 [ %inc.i28, %for.body.i27 ], [ 0, %for.cond.i25.preheader ]
  %mul.i = mul i64 %call8.i, %sub.i
  %cmp.i = icmp sgt i64 %mul.i, 0
  %cmp15.i = icmp slt i64 %inc.sink.i26, %call4.i22
  %19 = select i1 %cmp.i, i1 %cmp15.i, i1 false
  %20 = load ptr, ptr %spare.i, align 8
  br i1 %19, label %for.body.i27, label %for.cond.cleanup.i
for.cond.cleanup.i:
  %21 = load ptr, ptr %arrayidx18, align 8
  store ptr %21, ptr %spare.i, align 8
  store ptr %20, ptr %arrayidx18, align 8
  br label %drop.exit
for.body.i27:
  %mul17.i = mul i64 %inc.sink.i26, %mul.i
  %add.ptr.i = getelementptr inbounds i8, ptr %20, i64 %mul17.i
  %22 = load ptr, ptr %arrayidx18, align 8
  %mul19.i = mul i64 %call8.i, %15
  %mul20.i = mul i64 %mul19.i, %inc.sink.i26
  %add.ptr21.i = getelementptr inbounds i8, ptr %22, i64 %mul20.i
  %call23.i = tail call ptr @memcpy(ptr noundef %add.ptr.i, ptr noundef %add.ptr21.i, i64 noundef %mul.i)
  %inc.i28 = add nuw nsw i64 %inc.sink.i26, 1
  br label %for.cond.i25
drop.exit:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup21.sink.split:
  %.sink = phi i32 [ -1, %if.then3 ], [ -1, %check_rewind.exit.thread ], [ 0, %land.rhs ], [ 0, %for.cond ]
  call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup21
cleanup21:
  %call19.sink.sink = phi i32 [ -1, %0 ], [ %.sink, %cleanup21.sink.split ]
  ret i32 %call19.sink.sink
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_session_fork(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %model = getelementptr inbounds nuw i8, ptr %call, i64 40
  %call1 = tail call fastcc ptr @new_session(ptr noundef nonnull %model)
  %cmp2 = icmp eq ptr %call1, null
  %cond = sext i1 %cmp2 to i32
  br label %for.cond
for.cond:
  %status.0 = phi i32 [ %cond, %if.end ], [ %retval.1.i, %copy_kept.exit ]
  %inc.sink = phi i32 [ 0, %if.end ], [ %inc, %copy_kept.exit ]
  %cmp3 = icmp eq i32 %status.0, 0
  br i1 %cmp3, label %land.rhs, label %if.else
land.rhs:
  %state_count = getelementptr inbounds nuw i8, ptr %call1, i64 140
  %1 = load i32, ptr %state_count, align 4
  %cmp5 = icmp slt i32 %inc.sink, %1
  br i1 %cmp5, label %for.body, label %if.then12
for.body:
  %model4 = getelementptr inbounds nuw i8, ptr %call1, i64 40
  %kept = getelementptr inbounds nuw i8, ptr %call1, i64 152
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %idxprom
  %kept7 = getelementptr inbounds nuw i8, ptr %call, i64 152
  %arrayidx9 = getelementptr inbounds nuw %struct.kept, ptr %kept7, i64 %idxprom
  %call.i = tail call fastcc ptr @spec_of(ptr noundef nonnull readonly %model4, i32 noundef signext %inc.sink)
  %initial.i = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 16
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 24
  %2 = load ptr, ptr %shape.i, align 8
  %cmp.not.i = icmp eq ptr %2, null
  br i1 %cmp.not.i, label %if.end32.i, label %if.then.i
if.then.i:
  %rank.i = getelementptr inbounds nuw i8, ptr %call.i, i64 40
  %3 = load i32, ptr %rank.i, align 8
  %call3.i = tail call fastcc i64 @element_bytes(ptr noundef %call.i)
  %call4.i = tail call fastcc i64 @product(ptr noundef nonnull %2, i32 noundef signext 0, i32 noundef signext %3, i64 noundef %call3.i)
  %conv.i = sext i32 %3 to i64
  %add.i = add nsw i64 %conv.i, 1
  %call6.i = tail call noalias ptr @calloc(i64 noundef %add.i, i64 noundef 8)
  %initial7.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %shape8.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store ptr %call6.i, ptr %shape8.i, align 8
  %add9.i = add i64 %call4.i, 1
  %call10.i = tail call noalias ptr @malloc(i64 noundef %add9.i)
  store ptr %call10.i, ptr %initial7.i, align 8
  %4 = load ptr, ptr %shape8.i, align 8
  %cmp14.i = icmp eq ptr %4, null
  %cmp18.i = icmp eq ptr %call10.i, null
  %or.cond.i = select i1 %cmp14.i, i1 true, i1 %cmp18.i
  br i1 %or.cond.i, label %if.then20.i, label %if.end.i
if.then20.i:
  tail call fastcc void @fail_memory(ptr noundef nonnull readonly %model4, i32 noundef signext %inc.sink, i64 noundef %call4.i)
  br label %copy_kept.exit
if.end.i:
  %5 = load ptr, ptr %shape.i, align 8
  %6 = load i32, ptr %rank.i, align 8
  tail call fastcc void @copy_shape(ptr noundef nonnull %4, ptr noundef %5, i32 noundef signext %6)
  %7 = load ptr, ptr %initial7.i, align 8
  %8 = load ptr, ptr %initial.i, align 8
  %call31.i = tail call ptr @memcpy(ptr noundef %7, ptr noundef %8, i64 noundef %call4.i)
  br label %if.end32.i
if.end32.i:
  %shape33.i = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 8
  %9 = load ptr, ptr %shape33.i, align 8
  %cmp34.i = icmp eq ptr %9, null
  br i1 %cmp34.i, label %copy_kept.exit, label %if.end37.i
if.end37.i:
  %call40.i = tail call fastcc signext i32 @make_buffers(ptr noundef nonnull readonly %model4, ptr noundef nonnull %arrayidx, i32 noundef signext %inc.sink, ptr noundef %9)
  %cmp41.not.i = icmp eq i32 %call40.i, 0
  br i1 %cmp41.not.i, label %if.end44.i, label %copy_kept.exit
if.end44.i:
  %10 = load ptr, ptr %shape33.i, align 8
  %rank48.i = getelementptr inbounds nuw i8, ptr %call.i, i64 40
  %11 = load i32, ptr %rank48.i, align 8
  %call49.i = tail call fastcc i64 @element_bytes(ptr noundef %call.i)
  %call50.i = tail call fastcc i64 @product(ptr noundef %10, i32 noundef signext 0, i32 noundef signext %11, i64 noundef %call49.i)
  %cmp51.i = icmp sgt i64 %call50.i, 0
  br i1 %cmp51.i, label %if.then53.i, label %copy_kept.exit
if.then53.i:
  %12 = load ptr, ptr %arrayidx, align 8
  %13 = load ptr, ptr %arrayidx9, align 8
  %call58.i = tail call ptr @memcpy(ptr noundef %12, ptr noundef %13, i64 noundef %call50.i)
  br label %copy_kept.exit
copy_kept.exit:
  %retval.1.i = phi i32 [ -1, %if.then20.i ], [ -1, %if.end37.i ], [ 0, %if.end32.i ], [ 0, %if.then53.i ], [ 0, %if.end44.i ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
if.then12:
  %has_values = getelementptr inbounds nuw i8, ptr %call, i64 144
  %14 = load i8, ptr %has_values, align 8
  %has_values13 = getelementptr inbounds nuw i8, ptr %call1, i64 144
  %storedv = and i8 %14, 1
  store i8 %storedv, ptr %has_values13, align 8
  tail call fastcc void @return_session(ptr noundef %result, ptr noundef nonnull %call1)
  br label %if.end17
if.else:
  br i1 %cmp2, label %if.end17, label %if.then15
if.then15:
  tail call void @delete_session(ptr noundef nonnull %call1, i32 noundef signext 3)
  br label %if.end17
if.end17:
  %status.021 = phi i32 [ -1, %if.else ], [ -1, %if.then15 ], [ 0, %if.then12 ]
  tail call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup
cleanup:
  %call18.sink = phi i32 [ %status.021, %if.end17 ], [ -1, %0 ]
  ret i32 %call18.sink
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_session_size(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) minsize nounwind optsize "no-builtins" {
  %state = alloca i32, align 4
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 2)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %model = getelementptr inbounds nuw i8, ptr %call, i64 40
  %call1 = call fastcc signext i32 @read_state(ptr noundef %model, ptr noundef %args, ptr noundef %state)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end5, label %cleanup.sink.split
if.end5:
  store i32 1, ptr %result, align 8
  %1 = load i32, ptr %state, align 4
  %call6 = tail call fastcc i64 @positions(ptr noundef %call, i32 noundef signext %1)
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store i64 %call6, ptr %payload, align 8
  br label %cleanup.sink.split
cleanup.sink.split:
  %.sink1 = phi i32 [ 0, %if.end5 ], [ -1, %if.end ]
  tail call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup
cleanup:
  %call7.sink = phi i32 [ -1, %0 ], [ %.sink1, %cleanup.sink.split ]
  ret i32 %call7.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @read_state(ptr noundef nonnull readonly captures(none) %model, ptr noundef readonly captures(none) %args, ptr noundef nonnull writeonly captures(none) initializes((0, 4)) %state) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 16
  %1 = load i32, ptr %arrayidx, align 8
  %cmp = icmp eq i32 %1, 1
  br i1 %cmp, label %cond.end, label %cond.end.thread
cond.end.thread:
  store i32 -1, ptr %state, align 4
  br label %if.end
cond.end:
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 24
  %2 = load i64, ptr %payload, align 8
  %conv = trunc i64 %2 to i32
  store i32 %conv, ptr %state, align 4
  %cmp2 = icmp sgt i64 %2, -1
  br i1 %cmp2, label %land.lhs.true, label %if.end
land.lhs.true:
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %3 = load i32, ptr %state_count, align 4
  %conv4 = sext i32 %3 to i64
  %cmp5 = icmp slt i64 %2, %conv4
  br i1 %cmp5, label %cleanup, label %if.end
if.end:
  %cond11 = phi i64 [ -1, %cond.end.thread ], [ %2, %land.lhs.true ], [ %2, %cond.end ]
  %4 = load ptr, ptr %model, align 8
  %state_count7 = getelementptr inbounds nuw i8, ptr %model, i64 100
  %5 = load i32, ptr %state_count7, align 4
  %sub = add nsw i32 %5, -1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.26, ptr noundef %4, i32 noundef signext %sub, i64 noundef %cond11)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %6 = load ptr, ptr %report, align 8
  call void %6(ptr noundef nonnull @.str.5, ptr noundef nonnull %message)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ -1, %if.end ], [ 0, %land.lhs.true ]
  ret i32 %.sink
}
define internal fastcc i64 @positions(ptr noundef nonnull readonly captures(none) %session, i32 noundef signext %state) unnamed_addr minsize nounwind optsize "no-builtins" {
  %model = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc signext i32 @memory_axis(ptr noundef nonnull %model, i32 noundef signext %state)
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr %struct.kept, ptr %session, i64 %idxprom
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %1 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %1 to i1
  %initial.sink.idx = select i1 %loadedv, i64 0, i64 16
  %initial.sink = getelementptr i8, ptr %arrayidx, i64 %initial.sink.idx
  %shape3 = getelementptr i8, ptr %initial.sink, i64 160
  %2 = load ptr, ptr %shape3, align 8
  %cmp = icmp eq ptr %2, null
  %cmp4 = icmp slt i32 %call, 0
  %or.cond = select i1 %cmp, i1 true, i1 %cmp4
  br i1 %or.cond, label %cond.end9, label %cond.false6
cond.false6:
  %idxprom7 = zext nneg i32 %call to i64
  %arrayidx8 = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom7
  %3 = load i64, ptr %arrayidx8, align 8
  br label %cond.end9
cond.end9:
  %cond10 = phi i64 [ %3, %cond.false6 ], [ 0, %0 ]
  ret i64 %cond10
}
define signext range(i32 -1, 1) i32 @__tvm_ffi_session_state(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %state = alloca i32, align 4
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 3)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup33, label %if.end
if.end:
  %call1 = call fastcc signext i32 @read_value(ptr noundef %call, ptr noundef %args, ptr noundef %state)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end5, label %if.then3
if.then3:
  tail call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup33
if.end5:
  %model6 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %kept7 = getelementptr inbounds nuw i8, ptr %call, i64 152
  %1 = load i32, ptr %state, align 4
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept7, i64 %idxprom
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %args, i64 32
  %call9 = tail call fastcc ptr @tw_tensor_of(ptr noundef nonnull %arrayidx8)
  %call10 = tail call fastcc ptr @spec_of(ptr noundef nonnull %model6, i32 noundef signext %1)
  %rank = getelementptr inbounds nuw i8, ptr %call10, i64 40
  %2 = load i32, ptr %rank, align 8
  %add = add nsw i32 %2, 1
  %3 = zext i32 %add to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %3, align 8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %5 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(ptr noundef nonnull %model6, i32 noundef signext %1, ptr noundef %5, ptr noundef %vla, i1 noundef zeroext false)
  %call11 = tail call fastcc zeroext i1 @is_like_state(ptr noundef nonnull %model6, i32 noundef signext %1, ptr noundef %call9)
  br label %for.cond
for.cond:
  %is_fitting.0.in = phi i1 [ %call11, %if.end5 ], [ %cmp19, %for.body ]
  %inc.sink = phi i32 [ 0, %if.end5 ], [ %inc, %for.body ]
  br i1 %is_fitting.0.in, label %land.rhs, label %if.then22
land.rhs:
  %rank12 = getelementptr inbounds nuw i8, ptr %call9, i64 16
  %6 = load i32, ptr %rank12, align 8
  %cmp13 = icmp slt i32 %inc.sink, %6
  br i1 %cmp13, label %for.body, label %if.end25
for.body:
  %shape14 = getelementptr inbounds nuw i8, ptr %call9, i64 24
  %7 = load ptr, ptr %shape14, align 8
  %idxprom15 = zext nneg i32 %inc.sink to i64
  %arrayidx16 = getelementptr inbounds nuw i64, ptr %7, i64 %idxprom15
  %8 = load i64, ptr %arrayidx16, align 8
  %arrayidx18 = getelementptr inbounds nuw i64, ptr %vla, i64 %idxprom15
  %9 = load i64, ptr %arrayidx18, align 8
  %cmp19 = icmp eq i64 %8, %9
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
if.then22:
  tail call fastcc void @fail_value(ptr noundef nonnull %model6, i32 noundef signext %1, ptr noundef %call9)
  br label %cleanup
if.end25:
  %10 = load ptr, ptr %arrayidx, align 8
  %11 = load ptr, ptr %call9, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call9, i64 40
  %12 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %11, i64 %12
  call fastcc void @copy_value(ptr noundef nonnull %model6, i32 noundef signext %1, ptr noundef %10, ptr noundef %add.ptr, ptr noundef nonnull %vla, i1 noundef zeroext false)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ 0, %if.end25 ], [ -1, %if.then22 ]
  tail call fastcc void @release(ptr noundef nonnull %call)
  call void @llvm.stackrestore.p0(ptr %4)
  br label %cleanup33
cleanup33:
  %retval.0 = phi i32 [ %.sink, %cleanup ], [ -1, %if.then3 ], [ -1, %0 ]
  ret i32 %retval.0
}
define internal fastcc signext range(i32 -1, 1) i32 @read_value(ptr noundef nonnull readonly captures(none) %session, ptr noundef readonly captures(none) %args, ptr noundef nonnull captures(none) initializes((0, 4)) %state) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc signext i32 @read_state(ptr noundef %model1, ptr noundef %args, ptr noundef %state)
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %1 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %1 to i1
  br i1 %loadedv, label %cleanup, label %if.end3
if.end3:
  %2 = load ptr, ptr %model1, align 8
  %3 = load i32, ptr %state, align 4
  %call4 = tail call fastcc ptr @spec_of(ptr noundef nonnull %model1, i32 noundef signext %3)
  %4 = load ptr, ptr %call4, align 8
  %call6 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.27, ptr noundef %2, ptr noundef %4)
  %report = getelementptr inbounds nuw i8, ptr %session, i64 120
  %5 = load ptr, ptr %report, align 8
  call void %5(ptr noundef nonnull @.str.5, ptr noundef nonnull %message)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ -1, %if.end3 ], [ -1, %0 ], [ 0, %if.end ]
  ret i32 %.sink
}
define internal fastcc ptr @tw_tensor_of(ptr noundef readonly captures(none) %value) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr %value, align 8
  switch i32 %1, label %return [ i32 7, label %if.then i32 70, label %land.lhs.true ]
if.then:
  %payload = getelementptr inbounds nuw i8, ptr %value, i64 8
  %2 = load ptr, ptr %payload, align 8
  br label %return
land.lhs.true:
  %payload3 = getelementptr inbounds nuw i8, ptr %value, i64 8
  %3 = load ptr, ptr %payload3, align 8
  %cmp4.not = icmp eq ptr %3, null
  %tensor = getelementptr inbounds nuw i8, ptr %3, i64 24
  %spec.select = select i1 %cmp4.not, ptr null, ptr %tensor
  br label %return
return:
  %.sink = phi ptr [ %2, %if.then ], [ null, %0 ], [ %spec.select, %land.lhs.true ]
  ret ptr %.sink
}
define internal fastcc ptr @spec_of(ptr noundef readonly captures(none) %model, i32 noundef signext %state) unnamed_addr minsize nounwind optsize "no-builtins" {
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %1 = load ptr, ptr %specs, align 8
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %2 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 8
  %idxprom1 = sext i32 %3 to i64
  %arrayidx2 = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1
  ret ptr %arrayidx2
}
define internal fastcc void @move_axis(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(none) %from, ptr noundef nonnull writeonly captures(none) %to, i1 noundef zeroext %is_to_memory) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  %rank1 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %1 = load i32, ptr %rank1, align 8
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %2 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  %3 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %3, 0
  br i1 %tobool.not, label %cond.end, label %cond.true
cond.true:
  %axis5 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %4 = load i32, ptr %axis5, align 8
  br label %cond.end
cond.end:
  %cond = phi i32 [ %4, %cond.true ], [ 0, %0 ]
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %cond.end ]
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %cmp6 = icmp eq i32 %inc.sink, %cond
  %cmp9 = icmp slt i32 %inc.sink, %cond
  %add = zext i1 %cmp9 to i32
  %cond13 = add nuw nsw i32 %inc.sink, %add
  %cond15 = select i1 %cmp6, i32 0, i32 %cond13
  %.sroa.speculated3 = select i1 %is_to_memory, i32 %inc.sink, i32 %cond15
  %idxprom20 = zext nneg i32 %.sroa.speculated3 to i64
  %arrayidx21 = getelementptr inbounds nuw i64, ptr %from, i64 %idxprom20
  %5 = load i64, ptr %arrayidx21, align 8
  %.sroa.speculated = select i1 %is_to_memory, i32 %cond15, i32 %inc.sink
  %idxprom27 = zext nneg i32 %.sroa.speculated to i64
  %arrayidx28 = getelementptr inbounds nuw i64, ptr %to, i64 %idxprom27
  store i64 %5, ptr %arrayidx28, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  ret void
}
define internal fastcc zeroext i1 @is_like_state(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef %tensor) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  %cmp = icmp eq ptr %tensor, null
  br i1 %cmp, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %1 = load i32, ptr %device_type, align 8
  %cmp1.not = icmp eq i32 %1, 1
  br i1 %cmp1.not, label %lor.lhs.false2, label %cleanup
lor.lhs.false2:
  %dtype = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %2 = load i32, ptr %dtype, align 4
  %dtype3 = getelementptr inbounds nuw i8, ptr %call, i64 44
  %3 = load i32, ptr %dtype3, align 4
  %cmp4.not = icmp eq i32 %2, %3
  br i1 %cmp4.not, label %lor.lhs.false5, label %cleanup
lor.lhs.false5:
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %4 = load i32, ptr %rank, align 8
  %rank6 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %5 = load i32, ptr %rank6, align 8
  %cmp7.not = icmp eq i32 %4, %5
  br i1 %cmp7.not, label %if.end, label %cleanup
if.end:
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %6 = load ptr, ptr %shape, align 8
  %call10 = tail call i64 @tw_tensor_bytes(i32 noundef signext %2, i32 noundef signext %4, ptr noundef %6)
  %cmp11 = icmp eq i64 %call10, 0
  br i1 %cmp11, label %cleanup, label %lor.rhs
lor.rhs:
  %cmp12 = icmp sgt i64 %call10, 0
  br i1 %cmp12, label %land.rhs, label %cleanup
land.rhs:
  %call13 = tail call zeroext i1 @tw_is_plain(ptr noundef nonnull %tensor)
  br label %cleanup
cleanup:
  %.sink = phi i1 [ false, %0 ], [ false, %lor.lhs.false5 ], [ false, %lor.lhs.false2 ], [ false, %lor.lhs.false ], [ true, %if.end ], [ false, %lor.rhs ], [ %call13, %land.rhs ]
  ret i1 %.sink
}
define internal fastcc void @fail_value(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(address_is_null) %got) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %type = alloca [1024 x i8], align 1
  %given = alloca [1024 x i8], align 1
  %limit = alloca [128 x i8], align 1
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(128) %limit, i8 0, i64 128, i1 false)
  call fastcc void @write_type(ptr noundef %model, i32 noundef signext %state, ptr noundef %type)
  %call = call fastcc signext i32 @memory_axis(ptr noundef %model, i32 noundef signext %state)
  %cmp = icmp sgt i32 %call, -1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call2 = call fastcc ptr @size_text(ptr noundef %model, i32 noundef signext %state)
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %2 = load i64, ptr %capacity, align 8
  %call3 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %limit, i64 noundef 128, ptr noundef nonnull @.str.28, ptr noundef %call2, i64 noundef %2)
  br label %if.end
if.end:
  %cmp4.not = icmp eq ptr %got, null
  br i1 %cmp4.not, label %if.end7, label %if.then5
if.then5:
  %dtype = getelementptr inbounds nuw i8, ptr %got, i64 20
  %3 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %got, i64 16
  %4 = load i32, ptr %rank, align 8
  %conv = sext i32 %4 to i64
  %shape = getelementptr inbounds nuw i8, ptr %got, i64 24
  %5 = load ptr, ptr %shape, align 8
  call void @tw_write_type(ptr noundef nonnull %given, i64 noundef 1024, i32 noundef signext %3, i64 noundef %conv, ptr noundef %5)
  br label %if.end7
if.end7:
  %cond = phi ptr [ %given, %if.then5 ], [ @.str.30, %if.end ]
  %6 = load ptr, ptr %model, align 8
  %call9 = call fastcc ptr @spec_of(ptr noundef nonnull %model, i32 noundef signext %state)
  %7 = load ptr, ptr %call9, align 8
  %call16 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.29, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %type, ptr noundef nonnull %limit, ptr noundef nonnull %cond)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %8 = load ptr, ptr %report, align 8
  call void %8(ptr noundef nonnull @.str.5, ptr noundef nonnull %message)
  ret void
}
define internal fastcc void @copy_value(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef %memory, ptr noundef %given, ptr noundef readonly captures(none) %shape, i1 noundef zeroext %is_to_memory) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  %2 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %2, 0
  br i1 %tobool.not, label %cond.end, label %cond.true
cond.true:
  %axis4 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load i32, ptr %axis4, align 8
  %4 = tail call i32 @llvm.smax.i32(i32 %3, i32 0)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %4, %cond.true ], [ 0, %0 ]
  %call9 = tail call fastcc i64 @product(ptr noundef %shape, i32 noundef signext 0, i32 noundef signext %cond, i64 noundef 1)
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 40
  %5 = load i32, ptr %rank, align 8
  %cmp10 = icmp sgt i32 %5, 0
  br i1 %cmp10, label %cond.true11, label %cond.end15
cond.true11:
  %idxprom12 = zext nneg i32 %cond to i64
  %arrayidx13 = getelementptr inbounds nuw i64, ptr %shape, i64 %idxprom12
  %6 = load i64, ptr %arrayidx13, align 8
  br label %cond.end15
cond.end15:
  %cond16 = phi i64 [ %6, %cond.true11 ], [ 1, %cond.end ]
  %add = add nuw nsw i32 %cond, 1
  %call18 = tail call fastcc i64 @element_bytes(ptr noundef nonnull %call)
  %call19 = tail call fastcc i64 @product(ptr noundef %shape, i32 noundef signext %add, i32 noundef signext %5, i64 noundef %call18)
  br label %for.cond
for.cond:
  %inc43.sink = phi i64 [ %inc43, %for.cond.cleanup24 ], [ 0, %cond.end15 ]
  %cmp20 = icmp sgt i64 %call19, 0
  %cmp21 = icmp slt i64 %inc43.sink, %call9
  %7 = select i1 %cmp20, i1 %cmp21, i1 false
  br i1 %7, label %for.cond22, label %for.cond.cleanup
for.cond.cleanup:
  ret void
for.cond22:
  %inc.sink = phi i64 [ %inc, %for.body25 ], [ 0, %for.cond ]
  %cmp23 = icmp slt i64 %inc.sink, %cond16
  br i1 %cmp23, label %for.body25, label %for.cond.cleanup24
for.cond.cleanup24:
  %inc43 = add nuw nsw i64 %inc43.sink, 1
  br label %for.cond
for.body25:
  %mul = mul nsw i64 %inc.sink, %call9
  %add26 = add nsw i64 %mul, %inc43.sink
  %mul27 = mul nsw i64 %add26, %call19
  %add.ptr = getelementptr inbounds i8, ptr %memory, i64 %mul27
  %mul28 = mul nsw i64 %inc43.sink, %cond16
  %add29 = add nsw i64 %inc.sink, %mul28
  %mul30 = mul nsw i64 %add29, %call19
  %add.ptr31 = getelementptr inbounds i8, ptr %given, i64 %mul30
  %.sroa.speculated3 = select i1 %is_to_memory, ptr %add.ptr, ptr %add.ptr31
  %.sroa.speculated = select i1 %is_to_memory, ptr %add.ptr31, ptr %add.ptr
  %call41 = tail call ptr @memcpy(ptr noundef %.sroa.speculated3, ptr noundef %.sroa.speculated, i64 noundef %call19)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond22
}
define internal signext i32 @call_session(ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %threads = getelementptr inbounds nuw i8, ptr %self, i64 80
  %1 = load ptr, ptr %threads, align 8
  %2 = load i32, ptr %1, align 4
  %conv = sext i32 %2 to i64
  %call = tail call fastcc signext i32 @fill(ptr noundef %self, i64 noundef %conv, ptr noundef %args, i32 noundef signext %count)
  ret i32 %call
}
define internal signext i32 @call_threads(ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %model = getelementptr inbounds nuw i8, ptr %self, i64 40
  %cmp = icmp sgt i32 %count, 0
  br i1 %cmp, label %land.rhs, label %land.end
land.rhs:
  %1 = load i32, ptr %args, align 8
  %cmp1 = icmp eq i32 %1, 1
  br label %land.end
land.end:
  %2 = phi i1 [ false, %0 ], [ %cmp1, %land.rhs ]
  %call = tail call fastcc signext i32 @check_leading(ptr noundef nonnull %model, i1 noundef zeroext %2, i32 noundef signext %count)
  %cmp2.not = icmp eq i32 %call, 0
  br i1 %cmp2.not, label %if.end, label %cleanup
if.end:
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %3 = load i64, ptr %payload, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %call3 = tail call fastcc signext i32 @fill(ptr noundef nonnull %self, i64 noundef %3, ptr noundef nonnull %add.ptr, i32 noundef signext %sub)
  br label %cleanup
cleanup:
  %call3.sink = phi i32 [ %call3, %if.end ], [ -1, %land.end ]
  ret i32 %call3.sink
}
define internal signext range(i32 -1, 1) i32 @largest_inputs(ptr noundef readonly captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %frame = alloca %struct.frame, align 8
  %model = getelementptr inbounds nuw i8, ptr %self, i64 40
  %call = tail call fastcc signext i32 @inputs_of(ptr noundef nonnull %model)
  %add = add nsw i32 %call, 1
  %call2 = tail call fastcc signext i32 @check_count(ptr noundef nonnull %model, i32 noundef signext %count, i32 noundef signext %add)
  %cmp.not = icmp eq i32 %call2, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %call5 = tail call fastcc ptr @new_session(ptr noundef nonnull %model)
  %inputs = getelementptr inbounds nuw i8, ptr %self, i64 128
  %1 = load i32, ptr %inputs, align 8
  %add6 = add nsw i32 %1, 1
  %2 = zext i32 %add6 to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %2, align 8
  %state_count = getelementptr inbounds nuw i8, ptr %self, i64 140
  %4 = load i32, ptr %state_count, align 4
  %add7 = add nsw i32 %4, 1
  %5 = zext i32 %add7 to i64
  %vla8 = alloca %struct.tw_tensor, i64 %5, align 8
  %6 = load i32, ptr %inputs, align 8
  %call10 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model, i32 noundef signext 0, i32 noundef signext %6)
  %add11 = add nsw i32 %call10, 1
  %7 = zext i32 %add11 to i64
  %vla12 = alloca i64, i64 %7, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %self, i64 132
  %8 = load i32, ptr %arguments, align 4
  %call14 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model, i32 noundef signext %6, i32 noundef signext %8)
  %add15 = add nsw i32 %call14, 1
  %9 = zext i32 %add15 to i64
  %vla16 = alloca i64, i64 %9, align 8
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla8, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla12, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla16, ptr %sizes, align 8
  %cmp18.not = icmp eq ptr %call5, null
  br i1 %cmp18.not, label %cond.end.critedge, label %land.lhs.true
land.lhs.true:
  %call19 = call fastcc signext i32 @fill_inputs(ptr noundef nonnull %call5, ptr noundef %args, ptr noundef %frame)
  %cmp20 = icmp eq i32 %call19, 0
  br i1 %cmp20, label %land.rhs, label %cond.end.critedge
land.rhs:
  %call21 = call fastcc signext i32 @find_sizes(ptr noundef nonnull %model, ptr noundef %frame)
  %cmp22 = icmp eq i32 %call21, 0
  call void @free(ptr noundef nonnull %call5)
  br i1 %cmp22, label %cond.true, label %for.cond
cond.true:
  %10 = sext i32 %count to i64
  %11 = getelementptr %struct.tw_value, ptr %args, i64 %10
  %arrayidx = getelementptr i8, ptr %11, i64 -16
  %12 = load i32, ptr %inputs, align 8
  %call24 = call fastcc signext i32 @ranks(ptr noundef nonnull %model, i32 noundef signext 0, i32 noundef signext %12)
  %conv = sext i32 %call24 to i64
  %call25 = call fastcc ptr @numbers_of(ptr noundef nonnull %model, ptr noundef %arrayidx, i64 noundef %conv)
  br label %for.cond
cond.end.critedge:
  call void @free(ptr noundef %call5)
  br label %for.cond
for.cond:
  %next.0 = phi ptr [ %add.ptr, %if.end60 ], [ %call25, %cond.true ], [ null, %land.rhs ], [ null, %cond.end.critedge ]
  %inc.sink = phi i32 [ %inc, %if.end60 ], [ 0, %cond.end.critedge ], [ 0, %land.rhs ], [ 0, %cond.true ]
  %cmp26.not = icmp eq ptr %next.0, null
  br i1 %cmp26.not, label %for.cond.cleanup, label %land.rhs28
land.rhs28:
  %13 = load i32, ptr %inputs, align 8
  %cmp30 = icmp slt i32 %inc.sink, %13
  br i1 %cmp30, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %cond64 = sext i1 %cmp26.not to i32
  call void @llvm.stackrestore.p0(ptr %3)
  br label %cleanup
for.body:
  %call33 = call fastcc signext i32 @state_of(ptr noundef nonnull %model, i32 noundef signext %inc.sink)
  %cmp34 = icmp slt i32 %call33, 0
  br i1 %cmp34, label %cond.end39, label %cond.false37
cond.false37:
  %call38 = call fastcc signext i32 @memory_axis(ptr noundef nonnull %model, i32 noundef signext %call33)
  br label %cond.end39
cond.end39:
  %cond40 = phi i32 [ %call38, %cond.false37 ], [ -1, %for.body ]
  %idxprom42 = zext nneg i32 %inc.sink to i64
  %arrayidx43 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %idxprom42
  %call44 = call fastcc ptr @tw_tensor_of(ptr noundef nonnull %arrayidx43)
  %shape = getelementptr inbounds nuw i8, ptr %call44, i64 24
  %14 = load ptr, ptr %shape, align 8
  %rank = getelementptr inbounds nuw i8, ptr %call44, i64 16
  %15 = load i32, ptr %rank, align 8
  call fastcc void @copy_shape(ptr noundef nonnull %next.0, ptr noundef %14, i32 noundef signext %15)
  %cmp45 = icmp sgt i32 %cond40, -1
  br i1 %cmp45, label %if.then47, label %if.end60
if.then47:
  %states = getelementptr inbounds nuw i8, ptr %self, i64 72
  %16 = load ptr, ptr %states, align 8
  %idxprom48 = sext i32 %call33 to i64
  %arrayidx49 = getelementptr inbounds %struct.tw_state, ptr %16, i64 %idxprom48
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx49, i64 16
  %17 = load i64, ptr %capacity, align 8
  %output = getelementptr inbounds nuw i8, ptr %arrayidx49, i64 4
  %18 = load i32, ptr %output, align 4
  %call54 = call fastcc ptr @sizes_of(ptr noundef nonnull %model, ptr noundef nonnull %vla16, i32 noundef signext %18)
  %idxprom55 = zext nneg i32 %cond40 to i64
  %arrayidx56 = getelementptr inbounds nuw i64, ptr %call54, i64 %idxprom55
  %19 = load i64, ptr %arrayidx56, align 8
  %sub57 = sub nsw i64 %17, %19
  %arrayidx59 = getelementptr inbounds nuw i64, ptr %next.0, i64 %idxprom55
  store i64 %sub57, ptr %arrayidx59, align 8
  br label %if.end60
if.end60:
  %20 = load i32, ptr %rank, align 8
  %idx.ext = sext i32 %20 to i64
  %add.ptr = getelementptr inbounds i64, ptr %next.0, i64 %idx.ext
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %retval.0 = phi i32 [ %cond64, %for.cond.cleanup ], [ -1, %0 ]
  ret i32 %retval.0
}
define internal signext range(i32 -1, 1) i32 @state_shape(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) minsize nounwind optsize "no-builtins" {
  %state = alloca i32, align 4
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 3)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %call1 = call fastcc signext i32 @read_value(ptr noundef %call, ptr noundef %args, ptr noundef %state)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end5, label %cleanup.sink.split
if.end5:
  %model6 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 32
  %1 = load i32, ptr %state, align 4
  %call7 = tail call fastcc ptr @spec_of(ptr noundef nonnull %model6, i32 noundef signext %1)
  %rank = getelementptr inbounds nuw i8, ptr %call7, i64 40
  %2 = load i32, ptr %rank, align 8
  %conv = sext i32 %2 to i64
  %call8 = tail call fastcc ptr @numbers_of(ptr noundef nonnull %model6, ptr noundef nonnull %arrayidx, i64 noundef %conv)
  %cmp9.not = icmp eq ptr %call8, null
  br i1 %cmp9.not, label %if.end13, label %if.then11
if.then11:
  %idxprom = sext i32 %1 to i64
  %arrayidx12 = getelementptr %struct.kept, ptr %call, i64 %idxprom
  %shape = getelementptr i8, ptr %arrayidx12, i64 160
  %3 = load ptr, ptr %shape, align 8
  tail call fastcc void @move_axis(ptr noundef nonnull %model6, i32 noundef signext %1, ptr noundef %3, ptr noundef %call8, i1 noundef zeroext false)
  br label %if.end13
if.end13:
  %cond = sext i1 %cmp9.not to i32
  br label %cleanup.sink.split
cleanup.sink.split:
  %cond.sink = phi i32 [ %cond, %if.end13 ], [ -1, %if.end ]
  tail call fastcc void @release(ptr noundef nonnull %call)
  br label %cleanup
cleanup:
  %call16.sink = phi i32 [ -1, %0 ], [ %cond.sink, %cleanup.sink.split ]
  ret i32 %call16.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @take(ptr noundef captures(none) %session) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %is_used = getelementptr inbounds nuw i8, ptr %session, i64 148
  %1 = atomicrmw xchg ptr %is_used, i32 1 acquire, align 4
  %cmp = icmp eq i32 %1, 0
  br i1 %cmp, label %cond.end, label %cond.false
cond.false:
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %2 = load ptr, ptr %model1, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2)
  %report = getelementptr inbounds nuw i8, ptr %session, i64 120
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.5, ptr noundef nonnull %message)
  br label %cond.end
cond.end:
  %cond = phi i32 [ -1, %cond.false ], [ 0, %0 ]
  ret i32 %cond
}
define internal fastcc signext i32 @run_filling(ptr noundef nonnull readonly captures(none) %run, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr minsize nounwind optsize "no-builtins" {
  %result = alloca %struct.tw_value, align 8
  %1 = load ptr, ptr %run, align 8
  %model1 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %arguments = getelementptr inbounds nuw i8, ptr %1, i64 132
  %2 = load i32, ptr %arguments, align 4
  %add = add nsw i32 %2, 1
  %3 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %3, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %state_count = getelementptr inbounds nuw i8, ptr %1, i64 140
  %4 = load i32, ptr %state_count, align 4
  %add2 = add nsw i32 %4, 1
  %5 = zext i32 %add2 to i64
  %vla3 = alloca %struct.tw_tensor, i64 %5, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 16
  %6 = load ptr, ptr %outputs, align 8
  %threads = getelementptr inbounds nuw i8, ptr %run, i64 8
  %7 = load i64, ptr %threads, align 8
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %7, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  br label %for.cond
for.cond:
  %given.0 = phi ptr [ %6, %0 ], [ %given.1.ph, %for.inc ]
  %inc.sink = phi i32 [ 0, %0 ], [ %inc, %for.inc ]
  %8 = load i32, ptr %arguments, align 4
  %cmp.not = icmp slt i32 %inc.sink, %8
  br i1 %cmp.not, label %for.body, label %for.end
for.body:
  %call = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %inc.sink)
  %inputs = getelementptr inbounds nuw i8, ptr %1, i64 128
  %9 = load i32, ptr %inputs, align 8
  %cmp5 = icmp slt i32 %inc.sink, %9
  br i1 %cmp5, label %if.then, label %if.end
if.then:
  %10 = zext nneg i32 %inc.sink to i64
  %11 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %10
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %12 = load ptr, ptr %frame, align 8
  %arrayidx10 = getelementptr inbounds nuw %struct.tw_value, ptr %12, i64 %10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx7, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx10, i64 16, i1 false)
  br label %for.inc
if.end:
  %cmp11 = icmp slt i32 %call, 0
  br i1 %cmp11, label %if.then12, label %if.end20
if.then12:
  %call13 = call fastcc signext i32 @check_argument(ptr noundef nonnull %model1, i32 noundef signext %inc.sink, ptr noundef %given.0)
  %cmp14.not = icmp eq i32 %call13, 0
  br i1 %cmp14.not, label %if.end16, label %cleanup41
if.end16:
  %13 = zext nneg i32 %inc.sink to i64
  %14 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %13
  %arrayidx19 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %given.0, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx19, ptr noundef nonnull align 8 dereferenceable(16) %given.0, i64 16, i1 false)
  br label %for.inc
if.end20:
  %specs = getelementptr inbounds nuw i8, ptr %1, i64 56
  %15 = load ptr, ptr %specs, align 8
  %idxprom21 = zext nneg i32 %inc.sink to i64
  %arrayidx22 = getelementptr inbounds nuw %struct.tw_spec, ptr %15, i64 %idxprom21
  %idxprom23 = zext nneg i32 %call to i64
  %arrayidx24 = getelementptr inbounds nuw %struct.tw_tensor, ptr %vla3, i64 %idxprom23
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx22, i64 44
  %16 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx22, i64 40
  %17 = load i32, ptr %rank, align 8
  %18 = load ptr, ptr %run, align 8
  %arrayidx27 = getelementptr inbounds nuw %struct.kept, ptr %18, i64 %idxprom23
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx27, i64 184
  %19 = load ptr, ptr %spare, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  %20 = load ptr, ptr %sizes, align 8
  %sub = sub nsw i32 %inc.sink, %9
  %call29 = call fastcc ptr @sizes_of(ptr noundef nonnull %model1, ptr noundef %20, i32 noundef signext %sub)
  call fastcc void @describe(ptr noundef nonnull %arrayidx24, i32 noundef signext %16, i32 noundef signext %17, ptr noundef %19, ptr noundef %call29)
  %21 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %idxprom21
  %arrayidx32 = getelementptr inbounds nuw i8, ptr %21, i64 16
  call fastcc void @point_at(ptr noundef nonnull %arrayidx32, ptr noundef nonnull %arrayidx24)
  br label %for.inc
for.inc:
  %given.1.ph = phi ptr [ %incdec.ptr, %if.end16 ], [ %given.0, %if.end20 ], [ %given.0, %if.then ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %run37 = getelementptr inbounds nuw i8, ptr %1, i64 88
  %22 = load ptr, ptr %run37, align 8
  %add39 = add nsw i32 %8, 1
  %call40 = call signext i32 %22(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add39, ptr noundef nonnull %result)
  br label %cleanup41
cleanup41:
  %retval.3 = phi i32 [ %call40, %for.end ], [ -1, %if.then12 ]
  ret i32 %retval.3
}
define internal fastcc signext i32 @run_allocating(ptr noundef nonnull %run, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr minsize nounwind optsize "no-builtins" {
  %result = alloca %struct.tw_value, align 8
  %1 = load ptr, ptr %run, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %2, 3
  %3 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %3, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %threads = getelementptr inbounds nuw i8, ptr %run, i64 8
  %4 = load i64, ptr %threads, align 8
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %4, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %vla, i64 16
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %vla, i64 32
  store i32 4, ptr %arrayidx3, align 8
  %.compoundliteral4.sroa.2.0.arrayidx3.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 36
  store i32 0, ptr %.compoundliteral4.sroa.2.0.arrayidx3.sroa_idx, align 4
  %.compoundliteral4.sroa.3.0.arrayidx3.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 40
  store i64 0, ptr %.compoundliteral4.sroa.3.0.arrayidx3.sroa_idx, align 8
  %5 = load i64, ptr %arrayidx3, align 8
  store i64 %5, ptr %arrayidx2, align 8
  %payload9 = getelementptr inbounds nuw i8, ptr %vla, i64 24
  store ptr @allocate_output, ptr %payload9, align 8
  store ptr %run, ptr %.compoundliteral4.sroa.3.0.arrayidx3.sroa_idx, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp slt i32 %inc.sink, %2
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %6 = zext nneg i32 %inc.sink to i64
  %7 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %6
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %8 = load ptr, ptr %frame, align 8
  %arrayidx17 = getelementptr inbounds nuw %struct.tw_value, ptr %8, i64 %6
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx14, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx17, i64 16, i1 false)
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %run_allocating = getelementptr inbounds nuw i8, ptr %1, i64 96
  %9 = load ptr, ptr %run_allocating, align 8
  %call = call signext i32 %9(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add, ptr noundef nonnull %result)
  ret i32 %call
}
define internal fastcc signext range(i32 -1, 1) i32 @check_argument(ptr noundef readonly captures(none) %model, i32 noundef signext %argument, ptr noundef readonly captures(none) %value) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %1 = load ptr, ptr %specs, align 8
  %idxprom = sext i32 %argument to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom
  %call = tail call fastcc ptr @tw_tensor_of(ptr noundef %value)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %2 = load ptr, ptr %model, align 8
  %3 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %4 = load ptr, ptr %text, align 8
  %5 = load i32, ptr %value, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.6, ptr noundef %2, ptr noundef %3, ptr noundef %4, i32 noundef signext %5)
  br label %cleanup.sink.split
if.end:
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 16
  %6 = load i32, ptr %rank, align 8
  %rank4 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %7 = load i32, ptr %rank4, align 8
  %cmp5.not = icmp eq i32 %6, %7
  br i1 %cmp5.not, label %if.end15, label %if.then6
if.then6:
  %8 = load ptr, ptr %model, align 8
  %9 = load ptr, ptr %arrayidx, align 8
  %text10 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %10 = load ptr, ptr %text10, align 8
  %call12 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef %8, ptr noundef %9, ptr noundef %10, i32 noundef signext %6)
  br label %cleanup.sink.split
if.end15:
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %11 = load i32, ptr %dtype, align 4
  %cmp16.not = icmp eq i32 %11, 0
  br i1 %cmp16.not, label %cleanup, label %land.lhs.true
land.lhs.true:
  %dtype17 = getelementptr inbounds nuw i8, ptr %call, i64 20
  %12 = load i32, ptr %dtype17, align 4
  %cmp19.not = icmp eq i32 %12, %11
  br i1 %cmp19.not, label %cleanup, label %if.then20
if.then20:
  %13 = load ptr, ptr %model, align 8
  %14 = load ptr, ptr %arrayidx, align 8
  %text24 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %15 = load ptr, ptr %text24, align 8
  %and = and i32 %12, 255
  %shr = lshr i32 %12, 8
  %and27 = and i32 %shr, 255
  %shr29 = lshr i32 %12, 16
  %call30 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef %13, ptr noundef %14, ptr noundef %15, i32 noundef signext %and, i32 noundef signext %and27, i32 noundef signext %shr29)
  br label %cleanup.sink.split
cleanup.sink.split:
  %.str.1.sink = phi ptr [ @.str.1, %if.then20 ], [ @.str.5, %if.then6 ], [ @.str.1, %if.then ]
  %report31 = getelementptr inbounds nuw i8, ptr %model, i64 80
  %16 = load ptr, ptr %report31, align 8
  call void %16(ptr noundef nonnull %.str.1.sink, ptr noundef nonnull %message)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ 0, %if.end15 ], [ 0, %land.lhs.true ], [ -1, %cleanup.sink.split ]
  ret i32 %.sink
}
define internal fastcc void @describe(ptr noundef writeonly captures(none) initializes((0, 48)) %tensor, i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef %data, ptr noundef %shape) unnamed_addr minsize nounwind optsize "no-builtins" {
  store ptr %data, ptr %tensor, align 8
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  store i32 1, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 4
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  store i32 %rank, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8
  %.compoundliteral.sroa.5.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  store i32 %dtype, ptr %.compoundliteral.sroa.5.0..sroa_idx, align 4
  %.compoundliteral.sroa.6.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  store ptr %shape, ptr %.compoundliteral.sroa.6.0..sroa_idx, align 8
  %.compoundliteral.sroa.7.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0..sroa_idx, align 8
  %.compoundliteral.sroa.8.0..sroa_idx = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0..sroa_idx, align 8
  ret void
}
define internal fastcc void @point_at(ptr noundef writeonly captures(none) initializes((0, 16)) %value, ptr noundef %tensor) unnamed_addr minsize nounwind optsize "no-builtins" {
  store i32 7, ptr %value, align 8
  %padding = getelementptr inbounds nuw i8, ptr %value, i64 4
  store i32 0, ptr %padding, align 4
  %payload = getelementptr inbounds nuw i8, ptr %value, i64 8
  store ptr %tensor, ptr %payload, align 8
  ret void
}
define internal ptr @allocate_output(ptr noundef readonly captures(none) %context, i32 noundef signext %output, ptr noundef %shape) minsize nounwind optsize "no-builtins" {
  %1 = load ptr, ptr %context, align 8
  %model1 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %inputs = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %2, %output
  %call = tail call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %add)
  %cmp = icmp sgt i32 %call, -1
  br i1 %cmp, label %if.then, label %for.cond
if.then:
  %idxprom = zext nneg i32 %call to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %1, i64 %idxprom
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx, i64 184
  %3 = load ptr, ptr %spare, align 8
  br label %cleanup
for.cond:
  %number.0 = phi i32 [ %sub, %for.body ], [ %output, %0 ]
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %state_count = getelementptr inbounds nuw i8, ptr %1, i64 140
  %4 = load i32, ptr %state_count, align 4
  %cmp3 = icmp slt i32 %inc.sink, %4
  br i1 %cmp3, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %allocate = getelementptr inbounds nuw i8, ptr %context, i64 24
  %5 = load ptr, ptr %allocate, align 8
  %context8 = getelementptr inbounds nuw i8, ptr %context, i64 32
  %6 = load ptr, ptr %context8, align 8
  %call9 = tail call ptr %5(ptr noundef %6, i32 noundef signext %number.0, ptr noundef %shape)
  br label %cleanup
for.body:
  %states = getelementptr inbounds nuw i8, ptr %1, i64 72
  %7 = load ptr, ptr %states, align 8
  %idxprom4 = zext nneg i32 %inc.sink to i64
  %arrayidx5 = getelementptr inbounds nuw %struct.tw_state, ptr %7, i64 %idxprom4
  %output6 = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 4
  %8 = load i32, ptr %output6, align 4
  %cmp7 = icmp slt i32 %8, %output
  %conv.neg = sext i1 %cmp7 to i32
  %sub = add i32 %number.0, %conv.neg
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %call9.sink = phi ptr [ %call9, %for.cond.cleanup ], [ %3, %if.then ]
  ret ptr %call9.sink
}
define internal fastcc void @copy_shape(ptr noundef writeonly captures(none) %to, ptr noundef readonly captures(none) %from, i32 noundef signext %rank) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp slt i32 %inc.sink, %rank
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %from, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds nuw i64, ptr %to, i64 %idxprom
  store i64 %1, ptr %arrayidx2, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  ret void
}
define internal fastcc signext range(i32 -1, 1) i32 @check_value(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef %tensor) unnamed_addr minsize nounwind optsize "no-builtins" {
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom
  %axis1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load i32, ptr %axis1, align 8
  %call = tail call fastcc zeroext i1 @is_like_state(ptr noundef %model, i32 noundef signext %state, ptr noundef %tensor)
  br i1 %call, label %land.rhs, label %cond.false
land.rhs:
  %cmp = icmp slt i32 %2, 0
  br i1 %cmp, label %cond.end, label %lor.rhs
lor.rhs:
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %3 = load ptr, ptr %shape, align 8
  %idxprom2 = zext nneg i32 %2 to i64
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %3, i64 %idxprom2
  %4 = load i64, ptr %arrayidx3, align 8
  %5 = load ptr, ptr %states, align 8
  %arrayidx6 = getelementptr inbounds %struct.tw_state, ptr %5, i64 %idxprom
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 16
  %6 = load i64, ptr %capacity, align 8
  %cmp7.not = icmp sgt i64 %4, %6
  br i1 %cmp7.not, label %cond.false, label %cond.end
cond.false:
  tail call fastcc void @fail_value(ptr noundef nonnull %model, i32 noundef signext %state, ptr noundef %tensor)
  br label %cond.end
cond.end:
  %cond = phi i32 [ -1, %cond.false ], [ 0, %lor.rhs ], [ 0, %land.rhs ]
  ret i32 %cond
}
define internal fastcc i64 @product(ptr noundef readonly captures(none) %shape, i32 noundef signext range(i32 -2147483647, -2147483648) %first, i32 noundef signext %end, i64 noundef range(i64 0, 33) %factor) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %factor.addr.0 = phi i64 [ %factor, %0 ], [ %4, %for.inc ]
  %inc.sink = phi i32 [ %first, %0 ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %inc.sink, %end
  br i1 %cmp, label %for.body, label %cleanup
for.body:
  %idxprom = sext i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds i64, ptr %shape, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8
  %cmp1 = icmp slt i64 %1, 0
  br i1 %cmp1, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %2 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %factor.addr.0, i64 %1)
  %3 = extractvalue { i64, i1 } %2, 1
  br i1 %3, label %cleanup, label %for.inc
for.inc:
  %4 = extractvalue { i64, i1 } %2, 0
  %inc = add nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %5 = phi i64 [ %factor.addr.0, %for.cond ], [ -1, %lor.lhs.false ], [ -1, %for.body ]
  ret i64 %5
}
define internal fastcc range(i64 0, 33) i64 @element_bytes(ptr noundef readonly captures(none) %spec) unnamed_addr minsize nounwind optsize "no-builtins" {
  %dtype = getelementptr inbounds nuw i8, ptr %spec, i64 44
  %1 = load i32, ptr %dtype, align 4
  %shr = lshr i32 %1, 8
  %and = and i32 %shr, 255
  %add = add nuw nsw i32 %and, 7
  %div1 = lshr i32 %add, 3
  %conv = zext nneg i32 %div1 to i64
  ret i64 %conv
}
define internal fastcc void @fail_memory(ptr noundef readonly captures(none) %model, i32 noundef signext %state, i64 noundef %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %1 = load ptr, ptr %model, align 8
  %call = tail call fastcc ptr @spec_of(ptr noundef nonnull %model, i32 noundef signext %state)
  %2 = load ptr, ptr %call, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.11, ptr noundef %1, ptr noundef %2, i64 noundef %bytes)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.10, ptr noundef nonnull %message)
  ret void
}
define internal fastcc signext range(i32 -1, 1) i32 @make_buffers(ptr noundef readonly captures(none) %model, ptr noundef captures(none) initializes((40, 48)) %kept, i32 noundef signext %state, ptr noundef nonnull readonly captures(none) %shape) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 40
  %1 = load i32, ptr %rank, align 8
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca i64, i64 %2, align 8
  call fastcc void @copy_shape(ptr noundef nonnull %vla, ptr noundef nonnull %shape, i32 noundef signext %1)
  %call2 = tail call fastcc signext i32 @memory_axis(ptr noundef %model, i32 noundef signext %state)
  %cmp = icmp sgt i32 %call2, -1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %3 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %3, i64 %idxprom
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %4 = load i64, ptr %capacity, align 8
  %idxprom4 = zext nneg i32 %call2 to i64
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %vla, i64 %idxprom4
  store i64 %4, ptr %arrayidx5, align 8
  br label %if.end
if.end:
  %call7 = tail call fastcc i64 @element_bytes(ptr noundef nonnull %call)
  %call8 = call fastcc i64 @product(ptr noundef nonnull %vla, i32 noundef signext 0, i32 noundef signext %1, i64 noundef %call7)
  %bytes = getelementptr inbounds nuw i8, ptr %kept, i64 40
  store i64 %call8, ptr %bytes, align 8
  %cmp10 = icmp slt i64 %call8, 0
  br i1 %cmp10, label %if.then11, label %if.end13
if.then11:
  tail call fastcc void @fail_memory(ptr noundef %model, i32 noundef signext %state, i64 noundef 9223372036854775807)
  br label %cleanup47
if.end13:
  %add15 = add nuw i64 %call8, 1
  %call16 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add15)
  store ptr %call16, ptr %kept, align 8
  %5 = load i32, ptr %rank, align 8
  %conv = sext i32 %5 to i64
  %add18 = add nsw i64 %conv, 1
  %call19 = tail call noalias ptr @calloc(i64 noundef %add18, i64 noundef 8)
  %shape21 = getelementptr inbounds nuw i8, ptr %kept, i64 8
  store ptr %call19, ptr %shape21, align 8
  %states22 = getelementptr inbounds nuw i8, ptr %model, i64 32
  %6 = load ptr, ptr %states22, align 8
  %idxprom23 = sext i32 %state to i64
  %arrayidx24 = getelementptr inbounds %struct.tw_state, ptr %6, i64 %idxprom23
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx24, i64 12
  %7 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %7, 0
  br i1 %tobool.not, label %cond.false, label %cond.true
cond.true:
  %8 = load ptr, ptr %kept, align 8
  br label %cond.end
cond.false:
  %call27 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add15)
  %.pr = load ptr, ptr %kept, align 8
  br label %cond.end
cond.end:
  %9 = phi ptr [ %.pr, %cond.false ], [ %8, %cond.true ]
  %cond = phi ptr [ %call27, %cond.false ], [ %8, %cond.true ]
  %spare = getelementptr inbounds nuw i8, ptr %kept, i64 32
  store ptr %cond, ptr %spare, align 8
  %cmp30 = icmp eq ptr %9, null
  br i1 %cmp30, label %if.then40, label %lor.lhs.false
lor.lhs.false:
  %10 = load ptr, ptr %shape21, align 8
  %cmp34 = icmp eq ptr %10, null
  %cmp38 = icmp eq ptr %cond, null
  %or.cond = select i1 %cmp34, i1 true, i1 %cmp38
  br i1 %or.cond, label %if.then40, label %if.end43
if.then40:
  %11 = load i64, ptr %bytes, align 8
  tail call fastcc void @fail_memory(ptr noundef nonnull %model, i32 noundef signext %state, i64 noundef %11)
  br label %cleanup47
if.end43:
  %12 = load i32, ptr %rank, align 8
  tail call fastcc void @copy_shape(ptr noundef nonnull %10, ptr noundef nonnull %shape, i32 noundef signext %12)
  br label %cleanup47
cleanup47:
  %.sink.sink = phi i32 [ -1, %if.then11 ], [ 0, %if.end43 ], [ -1, %if.then40 ]
  ret i32 %.sink.sink
}
define internal fastcc signext i32 @memory_axis(ptr noundef readonly captures(none) %model, i32 noundef signext %state) unnamed_addr minsize nounwind optsize "no-builtins" {
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom
  %axis1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load i32, ptr %axis1, align 8
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  %3 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %3, 0
  %4 = tail call i32 @llvm.smin.i32(i32 %2, i32 0)
  %cond = select i1 %tobool.not, i32 %2, i32 %4
  ret i32 %cond
}
define internal fastcc signext range(i32 -1, 1) i32 @fill_inputs(ptr noundef readonly captures(none) %session, ptr noundef readonly captures(none) %given, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr minsize nounwind optsize "no-builtins" {
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  br label %for.cond
for.cond:
  %given.addr.0 = phi ptr [ %given, %0 ], [ %given.addr.1, %for.inc ]
  %inc.sink = phi i32 [ 0, %0 ], [ %inc, %for.inc ]
  %inputs = getelementptr inbounds nuw i8, ptr %session, i64 128
  %1 = load i32, ptr %inputs, align 8
  %cmp.not = icmp slt i32 %inc.sink, %1
  br i1 %cmp.not, label %for.body, label %for.end
for.body:
  %call = tail call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %inc.sink)
  %cmp2 = icmp sgt i32 %call, -1
  br i1 %cmp2, label %for.inc, label %if.end
if.end:
  %call3 = tail call fastcc signext i32 @check_argument(ptr noundef nonnull %model1, i32 noundef signext %inc.sink, ptr noundef %given.addr.0)
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %if.end6, label %cleanup40
if.end6:
  %2 = load ptr, ptr %frame, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %2, i64 %idxprom
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %given.addr.0, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %given.addr.0, i64 16, i1 false)
  br label %for.inc
for.inc:
  %given.addr.1 = phi ptr [ %given.addr.0, %for.body ], [ %incdec.ptr, %if.end6 ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  %3 = load ptr, ptr %shapes, align 8
  br label %for.cond8
for.cond8:
  %shape.0 = phi ptr [ %3, %for.end ], [ %add.ptr, %if.end17 ]
  %inc35.sink = phi i32 [ 0, %for.end ], [ %inc35, %if.end17 ]
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %4 = load i32, ptr %state_count, align 4
  %cmp9.not = icmp slt i32 %inc35.sink, %4
  br i1 %cmp9.not, label %for.body11, label %cleanup36
for.body11:
  %call12 = tail call fastcc ptr @spec_of(ptr noundef nonnull %model1, i32 noundef signext %inc35.sink)
  %5 = load ptr, ptr %frame, align 8
  %call14 = tail call fastcc signext i32 @shape_before(ptr noundef nonnull %session, i32 noundef signext %inc35.sink, ptr noundef %5, ptr noundef %shape.0)
  %cmp15.not = icmp eq i32 %call14, 0
  br i1 %cmp15.not, label %if.end17, label %cleanup36
if.end17:
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %6 = load ptr, ptr %tensors, align 8
  %idxprom18 = zext nneg i32 %inc35.sink to i64
  %arrayidx19 = getelementptr inbounds nuw %struct.tw_tensor, ptr %6, i64 %idxprom18
  %dtype = getelementptr inbounds nuw i8, ptr %call12, i64 44
  %7 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %call12, i64 40
  %8 = load i32, ptr %rank, align 8
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 152
  %arrayidx21 = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %idxprom18
  %9 = load ptr, ptr %arrayidx21, align 8
  tail call fastcc void @describe(ptr noundef %arrayidx19, i32 noundef signext %7, i32 noundef signext %8, ptr noundef %9, ptr noundef %shape.0)
  %10 = load ptr, ptr %frame, align 8
  %states = getelementptr inbounds nuw i8, ptr %session, i64 72
  %11 = load ptr, ptr %states, align 8
  %arrayidx24 = getelementptr inbounds nuw %struct.tw_state, ptr %11, i64 %idxprom18
  %12 = load i32, ptr %arrayidx24, align 8
  %idxprom26 = sext i32 %12 to i64
  %arrayidx27 = getelementptr inbounds %struct.tw_value, ptr %10, i64 %idxprom26
  %13 = load ptr, ptr %tensors, align 8
  %arrayidx30 = getelementptr inbounds nuw %struct.tw_tensor, ptr %13, i64 %idxprom18
  tail call fastcc void @point_at(ptr noundef %arrayidx27, ptr noundef %arrayidx30)
  %14 = load i32, ptr %rank, align 8
  %idx.ext = sext i32 %14 to i64
  %add.ptr = getelementptr inbounds i64, ptr %shape.0, i64 %idx.ext
  %inc35 = add nuw nsw i32 %inc35.sink, 1
  br label %for.cond8
cleanup36:
  %spec.select = sext i1 %cmp9.not to i32
  br label %cleanup40
cleanup40:
  %retval.1 = phi i32 [ %spec.select, %cleanup36 ], [ -1, %if.end ]
  ret i32 %retval.1
}
define internal fastcc signext range(i32 -1, 1) i32 @start(ptr noundef captures(none) %session, ptr noundef readonly captures(none) %inputs) unnamed_addr minsize nounwind optsize "no-builtins" {
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc.critedge ], [ 0, %0 ]
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %1 = load i32, ptr %state_count, align 4
  %cmp.not = icmp slt i32 %inc.sink, %1
  br i1 %cmp.not, label %for.body, label %cleanup23
for.body:
  %kept2 = getelementptr inbounds nuw i8, ptr %session, i64 152
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept2, i64 %idxprom
  %call = tail call fastcc ptr @spec_of(ptr noundef nonnull %model1, i32 noundef signext %inc.sink)
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 40
  %2 = load i32, ptr %rank, align 8
  %add = add nsw i32 %2, 1
  %3 = zext i32 %add to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %3, align 8
  %call3 = call fastcc signext i32 @shape_before(ptr noundef nonnull %session, i32 noundef signext %inc.sink, ptr noundef %inputs, ptr noundef nonnull %vla)
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %call5 = call fastcc signext i32 @make_buffers(ptr noundef nonnull %model1, ptr noundef nonnull %arrayidx, i32 noundef signext %inc.sink, ptr noundef %vla)
  %cmp6.not = icmp eq i32 %call5, 0
  br i1 %cmp6.not, label %if.end, label %cleanup
if.end:
  %5 = load i32, ptr %rank, align 8
  %call8 = tail call fastcc i64 @element_bytes(ptr noundef nonnull %call)
  %call9 = call fastcc i64 @product(ptr noundef nonnull %vla, i32 noundef signext 0, i32 noundef signext %5, i64 noundef %call8)
  %initial = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %6 = load ptr, ptr %initial, align 8
  %cmp10 = icmp ne ptr %6, null
  %cmp11 = icmp sgt i64 %call9, 0
  %or.cond = select i1 %cmp10, i1 %cmp11, i1 false
  br i1 %or.cond, label %land.lhs.true12, label %for.inc.critedge
land.lhs.true12:
  %bytes13 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %7 = load i64, ptr %bytes13, align 8
  %cmp14.not = icmp sgt i64 %call9, %7
  br i1 %cmp14.not, label %for.inc.critedge, label %if.then15
if.then15:
  %8 = load ptr, ptr %arrayidx, align 8
  %call19 = tail call ptr @memcpy(ptr noundef %8, ptr noundef nonnull %6, i64 noundef %call9)
  br label %for.inc.critedge
cleanup:
  call void @llvm.stackrestore.p0(ptr %4)
  br label %cleanup23
for.inc.critedge:
  call void @llvm.stackrestore.p0(ptr %4)
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup23:
  %spec.select = sext i1 %cmp.not to i32
  ret i32 %spec.select
}
define internal fastcc signext range(i32 -1, 1) i32 @find_sizes(ptr noundef readonly captures(none) %model, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %count = alloca i64, align 8
  %tensor = alloca %struct.tw_tensor, align 8
  %result = alloca %struct.tw_value, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr %inputs, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %model, i64 92
  %2 = load i32, ptr %arguments, align 4
  %call = tail call fastcc signext i32 @ranks(ptr noundef %model, i32 noundef signext %1, i32 noundef signext %2)
  %conv = sext i32 %call to i64
  store i64 %conv, ptr %count, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  %3 = load ptr, ptr %sizes, align 8
  call fastcc void @describe(ptr noundef nonnull %tensor, i32 noundef signext 81920, i32 noundef signext 1, ptr noundef %3, ptr noundef nonnull %count)
  %4 = load ptr, ptr %frame, align 8
  %5 = load i32, ptr %inputs, align 8
  %idxprom = sext i32 %5 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %4, i64 %idxprom
  call fastcc void @point_at(ptr noundef %arrayidx, ptr noundef nonnull %tensor)
  %output_shapes = getelementptr inbounds nuw i8, ptr %model, i64 64
  %6 = load ptr, ptr %output_shapes, align 8
  %7 = load ptr, ptr %frame, align 8
  %8 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %8, 1
  %call5 = call signext i32 %6(ptr noundef null, ptr noundef %7, i32 noundef signext %add, ptr noundef nonnull %result)
  %cmp.not = icmp eq i32 %call5, 0
  br i1 %cmp.not, label %for.cond, label %cleanup41
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %9 = load i32, ptr %state_count, align 4
  %cmp7.not = icmp slt i32 %inc.sink, %9
  br i1 %cmp7.not, label %for.body, label %cleanup41
for.body:
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %10 = load ptr, ptr %states, align 8
  %idxprom9 = zext nneg i32 %inc.sink to i64
  %arrayidx10 = getelementptr inbounds nuw %struct.tw_state, ptr %10, i64 %idxprom9
  %call11 = call fastcc signext i32 @memory_axis(ptr noundef nonnull %model, i32 noundef signext %inc.sink)
  %cmp12 = icmp slt i32 %call11, 0
  br i1 %cmp12, label %cond.end, label %cond.false
cond.false:
  %11 = load ptr, ptr %sizes, align 8
  %output = getelementptr inbounds nuw i8, ptr %arrayidx10, i64 4
  %12 = load i32, ptr %output, align 4
  %call15 = call fastcc ptr @sizes_of(ptr noundef nonnull %model, ptr noundef %11, i32 noundef signext %12)
  %idxprom16 = zext nneg i32 %call11 to i64
  %arrayidx17 = getelementptr inbounds nuw i64, ptr %call15, i64 %idxprom16
  %13 = load i64, ptr %arrayidx17, align 8
  br label %cond.end
cond.end:
  %cond = phi i64 [ %13, %cond.false ], [ 0, %for.body ]
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx10, i64 16
  %14 = load i64, ptr %capacity, align 8
  %cmp18.not.not = icmp sgt i64 %cond, %14
  br i1 %cmp18.not.not, label %if.end21, label %for.inc
if.end21:
  %call22 = call fastcc ptr @size_text(ptr noundef nonnull %model, i32 noundef signext %inc.sink)
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %15 = load ptr, ptr %tensors, align 8
  %arrayidx24 = getelementptr inbounds nuw %struct.tw_tensor, ptr %15, i64 %idxprom9
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx24, i64 24
  %16 = load ptr, ptr %shape, align 8
  %idxprom25 = sext i32 %call11 to i64
  %arrayidx26 = getelementptr inbounds i64, ptr %16, i64 %idxprom25
  %17 = load i64, ptr %arrayidx26, align 8
  %mul = shl nsw i64 %14, 1
  %18 = load ptr, ptr %model, align 8
  %sub = sub nsw i64 %cond, %17
  %.sroa.speculated = call i64 @llvm.smax.i64(i64 %cond, i64 %mul)
  %call35 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.22, ptr noundef %18, ptr noundef %call22, ptr noundef %call22, i64 noundef %14, i64 noundef %17, i64 noundef %sub, i64 noundef %cond, ptr noundef %call22, i64 noundef %.sroa.speculated)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %19 = load ptr, ptr %report, align 8
  call void %19(ptr noundef nonnull @.str.5, ptr noundef nonnull %message)
  br label %cleanup41
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup41:
  %retval.0 = phi i32 [ -1, %if.end21 ], [ -1, %0 ], [ 0, %for.cond ]
  ret i32 %retval.0
}
define internal fastcc signext range(i32 -1, 1) i32 @shape_before(ptr noundef readonly captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %shape) unnamed_addr minsize nounwind optsize "no-builtins" {
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr %struct.kept, ptr %session, i64 %idxprom
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %1 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %1 to i1
  %initial.sink.idx = select i1 %loadedv, i64 0, i64 16
  %initial.sink = getelementptr i8, ptr %arrayidx, i64 %initial.sink.idx
  %shape4 = getelementptr i8, ptr %initial.sink, i64 160
  %2 = load ptr, ptr %shape4, align 8
  %cmp = icmp eq ptr %2, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @first_shape(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %inputs, ptr noundef %shape)
  br label %cleanup
if.end:
  %call5 = tail call fastcc ptr @spec_of(ptr noundef nonnull %model1, i32 noundef signext %state)
  %rank = getelementptr inbounds nuw i8, ptr %call5, i64 40
  %3 = load i32, ptr %rank, align 8
  tail call fastcc void @copy_shape(ptr noundef %shape, ptr noundef nonnull %2, i32 noundef signext %3)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ 0, %if.end ], [ %call, %if.then ]
  ret i32 %.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @first_shape(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %shape) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %type = alloca [1024 x i8], align 1
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 40
  %1 = load i32, ptr %rank, align 8
  %cmp.not = icmp slt i32 %inc.sink, %1
  br i1 %cmp.not, label %for.body, label %cleanup19
for.body:
  %shape1 = getelementptr inbounds nuw i8, ptr %call, i64 16
  %2 = load ptr, ptr %shape1, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom
  %3 = load i64, ptr %arrayidx, align 8
  %call2 = tail call fastcc signext i32 @memory_axis(ptr noundef %model, i32 noundef signext %state)
  %cmp3 = icmp eq i32 %inc.sink, %call2
  %cond = select i1 %cmp3, i64 0, i64 %3
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %shape, i64 %idxprom
  store i64 %cond, ptr %arrayidx5, align 8
  %cmp7 = icmp sgt i64 %3, -1
  %or.cond = select i1 %cmp3, i1 true, i1 %cmp7
  br i1 %or.cond, label %for.inc, label %lor.lhs.false8
lor.lhs.false8:
  %call11 = tail call fastcc zeroext i1 @find_size(ptr noundef %model, i64 noundef %3, ptr noundef %inputs, ptr noundef nonnull %arrayidx5)
  br i1 %call11, label %for.inc, label %if.end
if.end:
  call fastcc void @write_type(ptr noundef %model, i32 noundef signext %state, ptr noundef %type)
  %4 = load ptr, ptr %model, align 8
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  %5 = load ptr, ptr %expressions, align 8
  %sub = xor i64 %3, -1
  %arrayidx13 = getelementptr inbounds nuw %struct.tw_expression, ptr %5, i64 %sub
  %6 = load ptr, ptr %arrayidx13, align 8
  %7 = load ptr, ptr %call, align 8
  %call16 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.14, ptr noundef %4, ptr noundef %6, ptr noundef %7, ptr noundef nonnull %type)
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %8 = load ptr, ptr %report, align 8
  call void %8(ptr noundef nonnull @.str.5, ptr noundef nonnull %message)
  br label %cleanup19
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup19:
  %spec.select = sext i1 %cmp.not to i32
  ret i32 %spec.select
}
define internal fastcc noundef zeroext i1 @find_size(ptr noundef readonly captures(none) %model, i64 noundef range(i64 -9223372036854775808, 0) %entry1, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %size) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc20.sink = phi i32 [ %inc20, %for.inc19 ], [ 0, %0 ]
  %inputs2 = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr %inputs2, align 8
  %cmp = icmp slt i32 %inc20.sink, %1
  br i1 %cmp, label %for.body, label %.loopexit
for.body:
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %2 = load ptr, ptr %specs, align 8
  %idxprom = zext nneg i32 %inc20.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr %2, i64 %idxprom
  br label %for.cond3
for.cond3:
  %inc.sink = phi i32 [ %inc, %for.body7 ], [ 0, %for.body ]
  %call = tail call fastcc signext i32 @state_of(ptr noundef %model, i32 noundef signext %inc20.sink)
  %cmp4 = icmp slt i32 %call, 0
  br i1 %cmp4, label %land.rhs, label %for.inc19
land.rhs:
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %3 = load i32, ptr %rank, align 8
  %cmp5 = icmp slt i32 %inc.sink, %3
  br i1 %cmp5, label %for.body7, label %for.inc19
for.body7:
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %4 = load ptr, ptr %shape, align 8
  %idxprom8 = zext nneg i32 %inc.sink to i64
  %arrayidx9 = getelementptr inbounds nuw i64, ptr %4, i64 %idxprom8
  %5 = load i64, ptr %arrayidx9, align 8
  %cmp10 = icmp eq i64 %5, %entry1
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp10, label %cleanup21, label %for.cond3
for.inc19:
  %inc20 = add nuw nsw i32 %inc20.sink, 1
  br label %for.cond
cleanup21:
  %arrayidx12 = getelementptr inbounds nuw %struct.tw_value, ptr %inputs, i64 %idxprom
  %call13 = tail call fastcc ptr @tw_tensor_of(ptr noundef %arrayidx12)
  %shape14 = getelementptr inbounds nuw i8, ptr %call13, i64 24
  %6 = load ptr, ptr %shape14, align 8
  %arrayidx16 = getelementptr inbounds nuw i64, ptr %6, i64 %idxprom8
  %7 = load i64, ptr %arrayidx16, align 8
  store i64 %7, ptr %size, align 8
  br label %.loopexit
.loopexit:
  ret i1 %cmp
}
define internal fastcc void @write_type(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef nonnull %text) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 40
  %1 = load i32, ptr %rank, align 8
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca i64, i64 %2, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %text1 = getelementptr inbounds nuw i8, ptr %call, i64 8
  %3 = load ptr, ptr %text1, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %3, i64 %idxprom
  %4 = load i8, ptr %arrayidx, align 1
  switch i8 %4, label %for.body [ i8 0, label %for.end i8 91, label %for.end ]
for.body:
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %text, i64 %idxprom
  store i8 %4, ptr %arrayidx13, align 1
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %shape = getelementptr inbounds nuw i8, ptr %call, i64 16
  %5 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(ptr noundef %model, i32 noundef signext %state, ptr noundef %5, ptr noundef %vla, i1 noundef zeroext false)
  br label %for.cond14
for.cond14:
  %length.0 = phi i32 [ %inc.sink, %for.end ], [ %cond57, %cond.end56 ]
  %inc59.sink = phi i32 [ 0, %for.end ], [ %inc59, %cond.end56 ]
  %6 = load i32, ptr %rank, align 8
  %cmp16 = icmp slt i32 %inc59.sink, %6
  %cmp19 = icmp slt i32 %length.0, 512
  %7 = select i1 %cmp16, i1 %cmp19, i1 false
  br i1 %7, label %for.body22, label %for.end60
for.body22:
  %cmp23 = icmp eq i32 %inc59.sink, 0
  %cond = select i1 %cmp23, ptr @.str.15, ptr @.str.16
  %idxprom25 = zext nneg i32 %inc59.sink to i64
  %arrayidx26 = getelementptr inbounds nuw i64, ptr %vla, i64 %idxprom25
  %8 = load i64, ptr %arrayidx26, align 8
  %cmp27 = icmp sgt i64 %8, -1
  %idx.ext = sext i32 %length.0 to i64
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %idx.ext
  %sub = sub nsw i32 1024, %length.0
  %conv32 = zext nneg i32 %sub to i64
  br i1 %cmp27, label %cond.true31, label %cond.true41
cond.true31:
  %call35 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %conv32, ptr noundef nonnull @.str.17, ptr noundef nonnull %cond, i64 noundef %8)
  br label %cond.end56
cond.true41:
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  %9 = load ptr, ptr %expressions, align 8
  %sub48 = xor i64 %8, -1
  %arrayidx49 = getelementptr inbounds nuw %struct.tw_expression, ptr %9, i64 %sub48
  %10 = load ptr, ptr %arrayidx49, align 8
  %call51 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %conv32, ptr noundef nonnull @.str.18, ptr noundef nonnull %cond, ptr noundef %10)
  br label %cond.end56
cond.end56:
  %call51.pn = phi i32 [ %call51, %cond.true41 ], [ %call35, %cond.true31 ]
  %cond57 = add nsw i32 %call51.pn, %length.0
  %inc59 = add nuw nsw i32 %inc59.sink, 1
  br label %for.cond14
for.end60:
  %cmp61 = icmp slt i32 %length.0, 1024
  br i1 %cmp61, label %cond.true63, label %cond.end75
cond.true63:
  %idx.ext64 = sext i32 %length.0 to i64
  %add.ptr65 = getelementptr inbounds i8, ptr %text, i64 %idx.ext64
  %sub66 = sub nsw i32 1024, %length.0
  %conv67 = zext nneg i32 %sub66 to i64
  %cmp69 = icmp eq i32 %6, 0
  %cond71 = select i1 %cmp69, ptr @.str.20, ptr @.str.21
  %call72 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr65, i64 noundef %conv67, ptr noundef nonnull @.str.19, ptr noundef nonnull %cond71)
  br label %cond.end75
cond.end75:
  ret void
}
define internal fastcc ptr @size_text(ptr noundef readonly captures(none) %model, i32 noundef signext %state) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc ptr @spec_of(ptr noundef %model, i32 noundef signext %state)
  %shape = getelementptr inbounds nuw i8, ptr %call, i64 16
  %1 = load ptr, ptr %shape, align 8
  %call1 = tail call fastcc signext i32 @memory_axis(ptr noundef %model, i32 noundef signext %state)
  %idxprom = sext i32 %call1 to i64
  %arrayidx = getelementptr inbounds i64, ptr %1, i64 %idxprom
  %2 = load i64, ptr %arrayidx, align 8
  %cmp = icmp slt i64 %2, 0
  br i1 %cmp, label %cond.true, label %cond.end
cond.true:
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  %3 = load ptr, ptr %expressions, align 8
  %sub = xor i64 %2, -1
  %arrayidx2 = getelementptr inbounds nuw %struct.tw_expression, ptr %3, i64 %sub
  br label %cond.end
cond.end:
  %cond.in = phi ptr [ %arrayidx2, %cond.true ], [ %call, %0 ]
  %cond = load ptr, ptr %cond.in, align 8
  ret ptr %cond
}
define internal fastcc signext i32 @fill(ptr noundef %session, i64 noundef %threads, ptr noundef %args, i32 noundef signext %count) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %run = alloca %struct.run, align 8
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc signext i32 @inputs_of(ptr noundef nonnull %model1)
  %arguments = getelementptr inbounds nuw i8, ptr %session, i64 132
  %1 = load i32, ptr %arguments, align 4
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %2 = load i32, ptr %state_count, align 4
  %mul = shl nsw i32 %2, 1
  %sub = sub nsw i32 %1, %mul
  %cmp.not = icmp eq i32 %count, %sub
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %3 = load ptr, ptr %model1, align 8
  %sub2 = sub nsw i32 %sub, %call
  %call3 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %3, i32 noundef signext %sub, i32 noundef signext %call, i32 noundef signext %sub2, i32 noundef signext %count)
  %report = getelementptr inbounds nuw i8, ptr %session, i64 120
  %4 = load ptr, ptr %report, align 8
  call void %4(ptr noundef nonnull @.str.1, ptr noundef nonnull %message)
  br label %cleanup
if.end:
  store ptr %session, ptr %run, align 8
  %threads6 = getelementptr inbounds nuw i8, ptr %run, i64 8
  store i64 %threads, ptr %threads6, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 16
  %idx.ext = sext i32 %call to i64
  %add.ptr = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idx.ext
  store ptr %add.ptr, ptr %outputs, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 24
  store ptr null, ptr %allocate, align 8
  %context = getelementptr inbounds nuw i8, ptr %run, i64 32
  store ptr null, ptr %context, align 8
  %call7 = call fastcc signext i32 @run_session(ptr noundef %run, ptr noundef %args)
  br label %cleanup
cleanup:
  %call7.sink = phi i32 [ %call7, %if.end ], [ -1, %if.then ]
  ret i32 %call7.sink
}
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr
declare noalias ptr @malloc(i64 noundef) local_unnamed_addr
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare void @free(ptr noundef) local_unnamed_addr
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare hidden i64 @tw_tensor_bytes(i32 noundef signext, i32 noundef signext, ptr noundef) local_unnamed_addr
declare hidden zeroext i1 @tw_is_plain(ptr noundef) local_unnamed_addr
declare hidden void @tw_write_type(ptr noundef, i64 noundef, i32 noundef signext, i64 noundef, ptr noundef) local_unnamed_addr
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.smax.i64(i64, i64)
