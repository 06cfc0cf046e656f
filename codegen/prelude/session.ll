; Generated from runtime/native/session.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_session_functions = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.run = type { ptr, i64, ptr, ptr, ptr }
%struct.frame = type { ptr, ptr, ptr, ptr }
%struct.tw_value = type { i32, i32, %union.anon.0 }
%union.anon.0 = type { i64 }
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
@__const.fail_value.given = private unnamed_addr constant [1024 x i8] c"no tensor\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.28 = private unnamed_addr constant [24 x i8] c", %.80s of at most %lld\00", align 1
@.str.29 = private unnamed_addr constant [31 x i8] c"DLPack type code %d, %d bits, \00", align 1
@.str.30 = private unnamed_addr constant [136 x i8] c"%s: the value of state %.80s does not fit\0A    expected: %.300s%s\0A    got: %.300s\0A    hint: pass such a tensor in CPU memory, row by row\00", align 1
@.str.31 = private unnamed_addr constant [126 x i8] c"%s: wrong number of arguments of a session\0A    expected: %d (%d inputs, %d outputs; the session keeps the states)\0A    got: %d\00", align 1

define weak hidden signext i32 @tw_fail(ptr noundef %kind, ptr noundef %message) local_unnamed_addr #0 {
entry:
  ret i32 -1
}

define signext i32 @__tw_session_allocating(ptr noundef %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %run = alloca %struct.run, align 8
  %model = getelementptr inbounds nuw i8, ptr %self, i64 40
  %inputs.i = getelementptr inbounds nuw i8, ptr %self, i64 128
  %0 = load i32, ptr %inputs.i, align 8
  %state_count.i = getelementptr inbounds nuw i8, ptr %self, i64 140
  %1 = load i32, ptr %state_count.i, align 4
  %sub.i = add i32 %0, 3
  %add = sub i32 %sub.i, %1
  %cmp = icmp eq i32 %count, %add
  br i1 %cmp, label %land.lhs.true, label %land.end

land.lhs.true:                                    ; preds = %entry
  %2 = load i32, ptr %args, align 8
  %cmp1 = icmp eq i32 %2, 1
  br i1 %cmp1, label %land.lhs.true2, label %land.end

land.lhs.true2:                                   ; preds = %land.lhs.true
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %args, i64 16
  %3 = load i32, ptr %arrayidx3, align 8
  %cmp5 = icmp eq i32 %3, 4
  br i1 %cmp5, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %land.lhs.true2
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %args, i64 32
  %4 = load i32, ptr %arrayidx6, align 8
  %cmp8 = icmp eq i32 %4, 4
  br label %land.end

land.end:                                         ; preds = %land.rhs, %land.lhs.true2, %land.lhs.true, %entry
  %5 = phi i1 [ false, %land.lhs.true2 ], [ false, %land.lhs.true ], [ false, %entry ], [ %cmp8, %land.rhs ]
  %call10 = tail call fastcc signext i32 @check_leading(ptr noundef nonnull %model, i1 noundef zeroext %5, i32 noundef signext %count) #16
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %if.end, label %cleanup

if.end:                                           ; preds = %land.end
  call void @llvm.lifetime.start.p0(ptr nonnull %run) #17
  store ptr %self, ptr %run, align 8
  %threads = getelementptr inbounds nuw i8, ptr %run, i64 8
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %6 = load i64, ptr %payload, align 8
  store i64 %6, ptr %threads, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 16
  store ptr null, ptr %outputs, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 24
  %context = getelementptr inbounds nuw i8, ptr %run, i64 32
  %payload14 = getelementptr inbounds nuw i8, ptr %args, i64 40
  %7 = load ptr, ptr %payload14, align 8
  store ptr %7, ptr %context, align 8
  %payload16 = getelementptr inbounds nuw i8, ptr %args, i64 24
  %8 = load ptr, ptr %payload16, align 8
  store ptr %8, ptr %allocate, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 48
  %call18 = call fastcc signext i32 @run_session(ptr noundef %run, ptr noundef nonnull %add.ptr) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %run) #17
  br label %cleanup

cleanup:                                          ; preds = %land.end, %if.end
  %retval.0 = phi i32 [ %call18, %if.end ], [ -1, %land.end ]
  ret i32 %retval.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

define internal fastcc signext range(i32 -1, 1) i32 @check_leading(ptr noundef readonly captures(none) %model, i1 noundef zeroext %is_right, i32 noundef signext %count) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  br i1 %is_right, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %0 = load ptr, ptr %model, align 8
  %inputs.i = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr %inputs.i, align 8
  %state_count.i = getelementptr inbounds nuw i8, ptr %model, i64 100
  %2 = load i32, ptr %state_count.i, align 4
  %sub.i = sub nsw i32 %1, %2
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %0, i32 noundef signext %sub.i, i32 noundef signext %count) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %3 = load ptr, ptr %report, align 8
  call void %3(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #18
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i32 [ -1, %cond.false ], [ 0, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %cond
}

define internal fastcc signext i32 @run_session(ptr noundef nonnull %run, ptr noundef readonly captures(none) %given) unnamed_addr #0 {
entry:
  %frame = alloca %struct.frame, align 8
  %0 = load ptr, ptr %run, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %2, align 8
  %model2 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %state_count = getelementptr inbounds nuw i8, ptr %0, i64 140
  %3 = load i32, ptr %state_count, align 4
  %add3 = add nsw i32 %3, 1
  %4 = zext i32 %add3 to i64
  %vla4 = alloca %struct.tw_tensor, i64 %4, align 8
  %call = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model2, i32 noundef signext 0, i32 noundef signext %1) #16
  %add10 = add nsw i32 %call, 1
  %5 = zext i32 %add10 to i64
  %vla11 = alloca i64, i64 %5, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %0, i64 132
  %6 = load i32, ptr %arguments, align 4
  %call19 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model2, i32 noundef signext %1, i32 noundef signext %6) #16
  %add20 = add nsw i32 %call19, 1
  %7 = zext i32 %add20 to i64
  %vla21 = alloca i64, i64 %7, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #17
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla4, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla11, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla21, ptr %sizes, align 8
  %call24 = call fastcc signext i32 @take(ptr noundef %0) #16
  %cmp.not = icmp eq i32 %call24, 0
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %8 = load ptr, ptr %run, align 8
  %call26 = call fastcc signext i32 @prepare(ptr noundef %8, ptr noundef %given, ptr noundef %frame) #16
  %cmp27 = icmp eq i32 %call26, 0
  br i1 %cmp27, label %if.then28, label %if.end37

if.then28:                                        ; preds = %if.end
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 24
  %9 = load ptr, ptr %allocate, align 8
  %cmp29 = icmp eq ptr %9, null
  br i1 %cmp29, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.then28
  %call30 = call fastcc signext i32 @run_filling(ptr noundef %run, ptr noundef %frame) #16
  br label %if.end32

cond.false:                                       ; preds = %if.then28
  %call31 = call fastcc signext i32 @run_allocating(ptr noundef %run, ptr noundef %frame) #16
  br label %if.end32

if.end32:                                         ; preds = %cond.true, %cond.false
  %status.0 = phi i32 [ %call31, %cond.false ], [ %call30, %cond.true ]
  %cmp33 = icmp eq i32 %status.0, 0
  br i1 %cmp33, label %if.then34, label %if.end37

if.then34:                                        ; preds = %if.end32
  %10 = load ptr, ptr %run, align 8
  %model1.i = getelementptr inbounds nuw i8, ptr %10, i64 40
  %state_count.i = getelementptr inbounds nuw i8, ptr %10, i64 140
  %11 = load i32, ptr %state_count.i, align 4
  %cmp14.i = icmp sgt i32 %11, 0
  br i1 %cmp14.i, label %for.body.lr.ph.i, label %replace_values.exit

for.body.lr.ph.i:                                 ; preds = %if.then34
  %kept2.i = getelementptr inbounds nuw i8, ptr %10, i64 152
  %states.i = getelementptr inbounds nuw i8, ptr %10, i64 72
  %inputs.i.i = getelementptr inbounds nuw i8, ptr %10, i64 128
  %specs.i.i = getelementptr inbounds nuw i8, ptr %10, i64 56
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %kept2.i, i64 %indvars.iv.i
  %spare.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %12 = load ptr, ptr %spare.i, align 8
  %13 = load ptr, ptr %arrayidx.i, align 8
  store ptr %13, ptr %spare.i, align 8
  store ptr %12, ptr %arrayidx.i, align 8
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %14 = load ptr, ptr %shape.i, align 8
  %15 = load ptr, ptr %states.i, align 8
  %arrayidx8.i = getelementptr inbounds nuw %struct.tw_state, ptr %15, i64 %indvars.iv.i
  %output.i = getelementptr inbounds nuw i8, ptr %arrayidx8.i, i64 4
  %16 = load i32, ptr %output.i, align 4
  %17 = load i32, ptr %inputs.i.i, align 8
  %add.i.i = add nsw i32 %17, %16
  %call.i.i = call fastcc signext i32 @ranks(ptr noundef nonnull readonly %model1.i, i32 noundef signext %17, i32 noundef signext %add.i.i) #16
  %idx.ext.i.i = sext i32 %call.i.i to i64
  %add.ptr.i.i = getelementptr inbounds i64, ptr %vla21, i64 %idx.ext.i.i
  %18 = load ptr, ptr %specs.i.i, align 8
  %19 = load i32, ptr %arrayidx8.i, align 8
  %idxprom1.i.i = sext i32 %19 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr %18, i64 %idxprom1.i.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %20 = load i32, ptr %rank.i, align 8
  call fastcc void @copy_shape(ptr noundef %14, ptr noundef nonnull readonly %add.ptr.i.i, i32 noundef signext %20) #16
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %21 = load i32, ptr %state_count.i, align 4
  %22 = sext i32 %21 to i64
  %cmp.i = icmp slt i64 %indvars.iv.next.i, %22
  br i1 %cmp.i, label %for.body.i, label %replace_values.exit

replace_values.exit:                              ; preds = %for.body.i, %if.then34
  %has_values.i = getelementptr inbounds nuw i8, ptr %10, i64 144
  store i8 1, ptr %has_values.i, align 8
  br label %if.end37

if.end37:                                         ; preds = %if.end, %replace_values.exit, %if.end32
  %status.020 = phi i32 [ %status.0, %if.end32 ], [ 0, %replace_values.exit ], [ -1, %if.end ]
  %23 = load ptr, ptr %run, align 8
  %has_values.i17 = getelementptr inbounds nuw i8, ptr %23, i64 144
  %24 = load i8, ptr %has_values.i17, align 8
  %loadedv.i = trunc i8 %24 to i1
  br i1 %loadedv.i, label %finish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end37
  call fastcc void @free_values(ptr noundef nonnull %23) #16
  %.pre = load ptr, ptr %run, align 8
  br label %finish.exit

finish.exit:                                      ; preds = %if.end37, %if.then.i
  %25 = phi ptr [ %23, %if.end37 ], [ %.pre, %if.then.i ]
  call fastcc void @release(ptr noundef %25) #16
  br label %cleanup

cleanup:                                          ; preds = %entry, %finish.exit
  %retval.0 = phi i32 [ %status.020, %finish.exit ], [ -1, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #17
  ret i32 %retval.0
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define hidden signext range(i32 -1, 1) i32 @tw_begin_session(ptr noundef readonly captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) #1 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %state_count = getelementptr inbounds nuw i8, ptr %self, i64 100
  %0 = load i32, ptr %state_count, align 4
  %cmp.not = icmp eq i32 %count, 0
  %cmp1.not = icmp eq i32 %count, %0
  %or.cond = select i1 %cmp.not, i1 true, i1 %cmp1.not
  %mul = shl nsw i32 %0, 1
  %cmp3.not = icmp eq i32 %count, %mul
  %or.cond23 = select i1 %or.cond, i1 true, i1 %cmp3.not
  br i1 %or.cond23, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr %self, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %1, i32 noundef signext %0, i32 noundef signext %count) #18
  %report = getelementptr inbounds nuw i8, ptr %self, i64 80
  %2 = load ptr, ptr %report, align 8
  call void %2(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #18
  br label %cleanup17

if.end:                                           ; preds = %entry
  %call5 = tail call fastcc ptr @new_session(ptr noundef nonnull %self) #16
  %cmp6 = icmp eq ptr %call5, null
  br i1 %cmp6, label %cleanup17, label %for.cond.preheader

for.cond.preheader:                               ; preds = %if.end
  %cmp9.not24 = icmp sgt i32 %count, 0
  br i1 %cmp9.not24, label %for.body.preheader, label %for.end

for.body.preheader:                               ; preds = %for.cond.preheader
  %3 = sext i32 %0 to i64
  %wide.trip.count = zext nneg i32 %count to i64
  br label %for.body

for.cond:                                         ; preds = %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.cond
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.cond ]
  %cmp10 = icmp slt i64 %indvars.iv, %3
  %cond = select i1 %cmp10, ptr @keep_initial, ptr @keep_current
  %4 = trunc nuw nsw i64 %indvars.iv to i32
  %rem = srem i32 %4, %0
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  %call11 = tail call signext i32 %cond(ptr noundef nonnull %call5, i32 noundef signext %rem, ptr noundef %arrayidx) #18
  %cmp12.not = icmp eq i32 %call11, 0
  br i1 %cmp12.not, label %for.cond, label %if.then13

if.then13:                                        ; preds = %for.body
  tail call fastcc void @free_values(ptr noundef nonnull %call5) #16
  %state_count.i = getelementptr inbounds nuw i8, ptr %call5, i64 140
  %5 = load i32, ptr %state_count.i, align 4
  %cmp9.i = icmp sgt i32 %5, 0
  br i1 %cmp9.i, label %for.body.i, label %delete_session.exit

for.body.i:                                       ; preds = %if.then13, %for.body.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.body.i ], [ 0, %if.then13 ]
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %call5, i64 %indvars.iv.i
  %initial.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 168
  %6 = load ptr, ptr %initial.i, align 8
  tail call void @free(ptr noundef %6) #18
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 176
  %7 = load ptr, ptr %shape.i, align 8
  tail call void @free(ptr noundef %7) #18
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %8 = load i32, ptr %state_count.i, align 4
  %9 = sext i32 %8 to i64
  %cmp.i = icmp slt i64 %indvars.iv.next.i, %9
  br i1 %cmp.i, label %for.body.i, label %delete_session.exit

delete_session.exit:                              ; preds = %for.body.i, %if.then13
  tail call void @free(ptr noundef nonnull %call5) #18
  br label %cleanup17

for.end:                                          ; preds = %for.cond, %for.cond.preheader
  %cmp15 = icmp sgt i32 %count, %0
  %has_values = getelementptr inbounds nuw i8, ptr %call5, i64 144
  %storedv = zext i1 %cmp15 to i8
  store i8 %storedv, ptr %has_values, align 8
  store i32 68, ptr %result, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %result, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %result, i64 8
  store ptr %call5, ptr %payload.i, align 8
  br label %cleanup17

cleanup17:                                        ; preds = %delete_session.exit, %for.end, %if.end, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ -1, %delete_session.exit ], [ 0, %for.end ], [ -1, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %retval.0
}

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #1

define internal fastcc noalias ptr @new_session(ptr noundef readonly captures(none) %model) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %0 = load i32, ptr %state_count, align 4
  %conv = sext i32 %0 to i64
  %mul = mul nsw i64 %conv, 48
  %add = add nsw i64 %mul, 152
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add) #18
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr %model, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.9, ptr noundef %1, i64 noundef %add) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %2 = load ptr, ptr %report, align 8
  call void %2(ptr noundef nonnull @.str.10, ptr noundef nonnull %message) #18
  br label %cleanup

if.end:                                           ; preds = %entry
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

cleanup:                                          ; preds = %if.end, %if.then
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret ptr %call
}

define internal signext range(i32 -1, 1) i32 @keep_initial(ptr noundef captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %given) unnamed_addr #1 {
entry:
  %0 = load i32, ptr %given, align 8
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %specs.i = getelementptr inbounds nuw i8, ptr %session, i64 56
  %1 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %session, i64 72
  %2 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom.i
  %3 = load i32, ptr %arrayidx.i, align 8
  %call2 = tail call fastcc ptr @tensor_of(ptr noundef nonnull %given) #16
  %call3 = tail call fastcc signext i32 @check_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %call2) #16
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %if.end6, label %return

if.end6:                                          ; preds = %if.end
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i
  %arrayidx = getelementptr %struct.kept, ptr %session, i64 %idxprom.i
  %initial7 = getelementptr i8, ptr %arrayidx, i64 168
  %shape = getelementptr inbounds nuw i8, ptr %call2, i64 24
  %4 = load ptr, ptr %shape, align 8
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %5 = load i32, ptr %rank, align 8
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %6 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %6, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call9 = tail call fastcc i64 @product(ptr noundef %4, i32 noundef signext 0, i32 noundef signext %5, i64 noundef %conv.i) #16
  %conv = sext i32 %5 to i64
  %add = add nsw i64 %conv, 1
  %call11 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8) #18
  %shape12 = getelementptr i8, ptr %arrayidx, i64 176
  store ptr %call11, ptr %shape12, align 8
  %add13 = add i64 %call9, 1
  %call14 = tail call noalias ptr @malloc(i64 noundef %add13) #18
  store ptr %call14, ptr %initial7, align 8
  %7 = load ptr, ptr %shape12, align 8
  %cmp16 = icmp eq ptr %7, null
  %cmp19 = icmp eq ptr %call14, null
  %or.cond = select i1 %cmp16, i1 true, i1 %cmp19
  br i1 %or.cond, label %if.then21, label %if.end23

if.then21:                                        ; preds = %if.end6
  tail call fastcc void @fail_memory(ptr noundef nonnull %model1, i32 noundef signext %state, i64 noundef %call9) #16
  br label %return

if.end23:                                         ; preds = %if.end6
  %8 = load ptr, ptr %shape, align 8
  tail call fastcc void @move_axis(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %8, ptr noundef %7, i1 noundef zeroext true) #16
  %9 = load ptr, ptr %initial7, align 8
  %10 = load ptr, ptr %call2, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call2, i64 40
  %11 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %10, i64 %11
  %12 = load ptr, ptr %shape, align 8
  tail call fastcc void @copy_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %9, ptr noundef %add.ptr, ptr noundef %12, i1 noundef zeroext true) #16
  br label %return

return:                                           ; preds = %if.end, %if.end23, %if.then21, %entry
  %retval.0 = phi i32 [ 0, %entry ], [ -1, %if.end ], [ -1, %if.then21 ], [ 0, %if.end23 ]
  ret i32 %retval.0
}

define internal signext range(i32 -1, 1) i32 @keep_current(ptr noundef captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %given) unnamed_addr #1 {
entry:
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc ptr @tensor_of(ptr noundef %given) #16
  %specs.i = getelementptr inbounds nuw i8, ptr %session, i64 56
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %session, i64 72
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %3 = load i32, ptr %rank, align 8
  %add = add nsw i32 %3, 1
  %4 = zext i32 %add to i64
  %vla = alloca i64, i64 %4, align 8
  %call3 = tail call fastcc signext i32 @check_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %call) #16
  %cmp.not = icmp eq i32 %call3, 0
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %shape = getelementptr inbounds nuw i8, ptr %call, i64 24
  %5 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %5, ptr noundef %vla, i1 noundef zeroext true) #16
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 152
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept, i64 %idxprom.i
  %call4 = call fastcc signext i32 @make_buffers(ptr noundef nonnull %model1, ptr noundef nonnull %arrayidx, i32 noundef signext %state, ptr noundef %vla) #16
  %cmp5.not = icmp eq i32 %call4, 0
  br i1 %cmp5.not, label %if.end7, label %cleanup

if.end7:                                          ; preds = %if.end
  %6 = load ptr, ptr %arrayidx, align 8
  %7 = load ptr, ptr %call, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call, i64 40
  %8 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %7, i64 %8
  %9 = load ptr, ptr %shape, align 8
  tail call fastcc void @copy_value(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %6, ptr noundef %add.ptr, ptr noundef %9, i1 noundef zeroext true) #16
  br label %cleanup

cleanup:                                          ; preds = %if.end, %entry, %if.end7
  %retval.0 = phi i32 [ 0, %if.end7 ], [ -1, %entry ], [ -1, %if.end ]
  ret i32 %retval.0
}

define internal void @delete_session(ptr noundef %self, i32 noundef signext %flags) #1 {
entry:
  %and = and i32 %flags, 1
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @free_values(ptr noundef %self) #16
  %state_count = getelementptr inbounds nuw i8, ptr %self, i64 140
  %0 = load i32, ptr %state_count, align 4
  %cmp9 = icmp sgt i32 %0, 0
  br i1 %cmp9, label %for.body, label %if.end

for.body:                                         ; preds = %if.then, %for.body
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %if.then ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %self, i64 %indvars.iv
  %initial = getelementptr inbounds nuw i8, ptr %arrayidx, i64 168
  %1 = load ptr, ptr %initial, align 8
  tail call void @free(ptr noundef %1) #18
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 176
  %2 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %2) #18
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %3 = load i32, ptr %state_count, align 4
  %4 = sext i32 %3 to i64
  %cmp = icmp slt i64 %indvars.iv.next, %4
  br i1 %cmp, label %for.body, label %if.end

if.end:                                           ; preds = %for.body, %if.then, %entry
  %and5 = and i32 %flags, 2
  %tobool6.not = icmp eq i32 %and5, 0
  br i1 %tobool6.not, label %if.end8, label %if.then7

if.then7:                                         ; preds = %if.end
  tail call void @free(ptr noundef %self) #18
  br label %if.end8

if.end8:                                          ; preds = %if.then7, %if.end
  ret void
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #1 {
entry:
  %frame = alloca %struct.frame, align 8
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %count) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup76, label %if.end

if.end:                                           ; preds = %entry
  %model1 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %inputs.i = getelementptr inbounds nuw i8, ptr %call, i64 128
  %0 = load i32, ptr %inputs.i, align 8
  %state_count.i = getelementptr inbounds nuw i8, ptr %call, i64 140
  %1 = load i32, ptr %state_count.i, align 4
  %sub.i = add i32 %0, 2
  %add = sub i32 %sub.i, %1
  %call3 = tail call fastcc signext i32 @check_count(ptr noundef nonnull %model1, i32 noundef signext %count, i32 noundef signext %add) #16
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %if.end7, label %if.then5

if.then5:                                         ; preds = %if.end
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup76

if.end7:                                          ; preds = %if.end
  %2 = load i32, ptr %inputs.i, align 8
  %add8 = add nsw i32 %2, 1
  %3 = zext i32 %add8 to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %3, align 8
  %5 = load i32, ptr %state_count.i, align 4
  %add9 = add nsw i32 %5, 1
  %6 = zext i32 %add9 to i64
  %vla10 = alloca %struct.tw_tensor, i64 %6, align 8
  %7 = load i32, ptr %inputs.i, align 8
  %call12 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model1, i32 noundef signext 0, i32 noundef signext %7) #16
  %add13 = add nsw i32 %call12, 1
  %8 = zext i32 %add13 to i64
  %vla14 = alloca i64, i64 %8, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %call, i64 132
  %9 = load i32, ptr %arguments, align 4
  %call16 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model1, i32 noundef signext %7, i32 noundef signext %9) #16
  %add17 = add nsw i32 %call16, 1
  %10 = zext i32 %add17 to i64
  %vla18 = alloca i64, i64 %10, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #17
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla10, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla14, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla18, ptr %sizes, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %call20 = call fastcc signext i32 @prepare(ptr noundef nonnull %call, ptr noundef nonnull %add.ptr, ptr noundef %frame) #16
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 144
  %11 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %11 to i1
  br i1 %loadedv.i, label %finish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end7
  call fastcc void @free_values(ptr noundef nonnull %call) #16
  br label %finish.exit

finish.exit:                                      ; preds = %if.end7, %if.then.i
  %12 = load i32, ptr %inputs.i, align 8
  %13 = load i32, ptr %arguments, align 4
  %cmp2343 = icmp slt i32 %12, %13
  br i1 %cmp2343, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %finish.exit
  %specs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %14 = sext i32 %12 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %finish.exit
  %total.0.lcssa = phi i64 [ 0, %finish.exit ], [ %add26, %cond.end ]
  %cmp27 = icmp eq i32 %call20, 0
  br i1 %cmp27, label %cond.end34, label %for.cond.cleanup44

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %indvars.iv = phi i64 [ %14, %for.body.lr.ph ], [ %indvars.iv.next, %cond.end ]
  %total.044 = phi i64 [ 0, %for.body.lr.ph ], [ %add26, %cond.end ]
  %15 = trunc nsw i64 %indvars.iv to i32
  %call24 = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %15) #16
  %cmp25 = icmp slt i32 %call24, 0
  br i1 %cmp25, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %16 = load ptr, ptr %specs, align 8
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %16, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %17 = load i32, ptr %rank, align 8
  %18 = sext i32 %17 to i64
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %18, %cond.true ], [ 0, %for.body ]
  %add26 = add nsw i64 %cond, %total.044
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %lftr.wideiv = trunc i64 %indvars.iv.next to i32
  %exitcond.not = icmp eq i32 %13, %lftr.wideiv
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cond.end34:                                       ; preds = %for.cond.cleanup
  %19 = sext i32 %count to i64
  %20 = getelementptr %struct.tw_value, ptr %args, i64 %19
  %arrayidx31 = getelementptr i8, ptr %20, i64 -16
  %call32 = call fastcc ptr @numbers_of(ptr noundef nonnull %model1, ptr noundef %arrayidx31, i64 noundef %total.0.lcssa) #16
  %cmp39.not52 = icmp eq ptr %call32, null
  br i1 %cmp39.not52, label %for.cond.cleanup44, label %land.rhs.lr.ph

land.rhs.lr.ph:                                   ; preds = %cond.end34
  %21 = load i32, ptr %inputs.i, align 8
  %specs51 = getelementptr inbounds nuw i8, ptr %call, i64 56
  %22 = load i32, ptr %arguments, align 4
  %cmp4268 = icmp slt i32 %21, %22
  br i1 %cmp4268, label %for.cond46.preheader.lr.ph, label %for.cond.cleanup44

for.cond46.preheader.lr.ph:                       ; preds = %land.rhs.lr.ph
  %23 = sext i32 %21 to i64
  br label %for.cond46.preheader

for.cond46.preheader:                             ; preds = %for.cond46.preheader.lr.ph, %for.cond.cleanup58
  %next.05371 = phi ptr [ %call32, %for.cond46.preheader.lr.ph ], [ %next.1.lcssa, %for.cond.cleanup58 ]
  %indvars.iv6269 = phi i64 [ %23, %for.cond46.preheader.lr.ph ], [ %indvars.iv.next63, %for.cond.cleanup58 ]
  %24 = trunc nsw i64 %indvars.iv6269 to i32
  %call4746 = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %24) #16
  %cmp4847 = icmp slt i32 %call4746, 0
  br i1 %cmp4847, label %land.rhs50, label %for.cond.cleanup58

for.cond.cleanup44:                               ; preds = %for.cond.cleanup58, %land.rhs.lr.ph, %for.cond.cleanup, %cond.end34
  %cmp39.not.lcssa = phi i32 [ -1, %cond.end34 ], [ -1, %for.cond.cleanup ], [ 0, %land.rhs.lr.ph ], [ 0, %for.cond.cleanup58 ]
  call fastcc void @release(ptr noundef nonnull %call) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #17
  call void @llvm.stackrestore.p0(ptr %4)
  br label %cleanup76

land.rhs50:                                       ; preds = %for.cond46.preheader, %for.body59
  %indvars.iv59 = phi i64 [ %indvars.iv.next60, %for.body59 ], [ 0, %for.cond46.preheader ]
  %next.148 = phi ptr [ %incdec.ptr, %for.body59 ], [ %next.05371, %for.cond46.preheader ]
  %25 = load ptr, ptr %specs51, align 8
  %arrayidx53 = getelementptr inbounds %struct.tw_spec, ptr %25, i64 %indvars.iv6269
  %rank54 = getelementptr inbounds nuw i8, ptr %arrayidx53, i64 40
  %26 = load i32, ptr %rank54, align 8
  %27 = sext i32 %26 to i64
  %cmp55 = icmp slt i64 %indvars.iv59, %27
  br i1 %cmp55, label %for.body59, label %for.cond.cleanup58

for.cond.cleanup58:                               ; preds = %land.rhs50, %for.body59, %for.cond46.preheader
  %next.1.lcssa = phi ptr [ %next.05371, %for.cond46.preheader ], [ %incdec.ptr, %for.body59 ], [ %next.148, %land.rhs50 ]
  %indvars.iv.next63 = add nsw i64 %indvars.iv6269, 1
  %28 = load i32, ptr %arguments, align 4
  %29 = sext i32 %28 to i64
  %cmp42 = icmp slt i64 %indvars.iv.next63, %29
  br i1 %cmp42, label %for.cond46.preheader, label %for.cond.cleanup44

for.body59:                                       ; preds = %land.rhs50
  %30 = load i32, ptr %inputs.i, align 8
  %call.i = call fastcc signext i32 @ranks(ptr noundef nonnull readonly %model1, i32 noundef signext %30, i32 noundef signext %24) #16
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %vla18, i64 %idx.ext.i
  %arrayidx65 = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %indvars.iv59
  %31 = load i64, ptr %arrayidx65, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %next.148, i64 8
  store i64 %31, ptr %next.148, align 8
  %indvars.iv.next60 = add nuw nsw i64 %indvars.iv59, 1
  %call47 = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %24) #16
  %cmp48 = icmp slt i32 %call47, 0
  br i1 %cmp48, label %land.rhs50, label %for.cond.cleanup58

cleanup76:                                        ; preds = %if.then5, %for.cond.cleanup44, %entry
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %if.then5 ], [ %cmp39.not.lcssa, %for.cond.cleanup44 ]
  ret i32 %retval.0
}

define internal fastcc ptr @take_first(ptr noundef readonly captures(none) %args, i32 noundef signext %count, i32 noundef signext %expected) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %cmp = icmp sgt i32 %count, 0
  br i1 %cmp, label %land.lhs.true, label %cond.end8

land.lhs.true:                                    ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1 = icmp eq i32 %0, 68
  br i1 %cmp1, label %cond.end, label %cond.end8

cond.end:                                         ; preds = %land.lhs.true
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %1 = load ptr, ptr %payload, align 8
  %cmp2 = icmp eq ptr %1, null
  br i1 %cmp2, label %cond.end8, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %cond.end
  %call = getelementptr inbounds nuw i8, ptr %1, i64 24
  %2 = load ptr, ptr %call, align 8
  %cmp3.not = icmp eq ptr %2, @call_session
  br i1 %cmp3.not, label %if.end, label %cond.end8

cond.end8:                                        ; preds = %land.lhs.true, %lor.lhs.false, %cond.end, %entry
  %cond9 = phi i32 [ 0, %entry ], [ 68, %cond.end ], [ 68, %lor.lhs.false ], [ %0, %land.lhs.true ]
  %call10 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.12, i32 noundef signext %cond9) #18
  %call12 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #16
  br label %cleanup

if.end:                                           ; preds = %lor.lhs.false
  %model = getelementptr inbounds nuw i8, ptr %1, i64 40
  %call13 = tail call fastcc signext i32 @check_count(ptr noundef nonnull %model, i32 noundef signext %count, i32 noundef signext %expected) #16
  %cmp14 = icmp eq i32 %call13, 0
  br i1 %cmp14, label %land.lhs.true15, label %cleanup

land.lhs.true15:                                  ; preds = %if.end
  %call16 = tail call fastcc signext i32 @take(ptr noundef nonnull %1) #16
  %cmp17 = icmp eq i32 %call16, 0
  %spec.select = select i1 %cmp17, ptr %1, ptr null
  br label %cleanup

cleanup:                                          ; preds = %if.end, %land.lhs.true15, %cond.end8
  %retval.0 = phi ptr [ null, %cond.end8 ], [ null, %if.end ], [ %spec.select, %land.lhs.true15 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret ptr %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @check_count(ptr noundef readonly captures(none) %model, i32 noundef signext %count, i32 noundef signext %expected) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %cmp = icmp eq i32 %count, %expected
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %0 = load ptr, ptr %model, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.13, ptr noundef %0, i32 noundef signext %expected, i32 noundef signext %count) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %1 = load ptr, ptr %report, align 8
  call void %1(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #18
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i32 [ -1, %cond.false ], [ 0, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %cond
}

define internal fastcc void @release(ptr noundef writeonly captures(none) %session) unnamed_addr #3 {
entry:
  %is_used = getelementptr inbounds nuw i8, ptr %session, i64 148
  store atomic i32 0, ptr %is_used release, align 4
  ret void
}

declare ptr @llvm.stacksave.p0() #4

define internal fastcc signext i32 @ranks(ptr noundef readonly captures(none) %model, i32 noundef signext %first, i32 noundef signext %end) unnamed_addr #5 {
entry:
  %cmp4 = icmp slt i32 %first, %end
  br i1 %cmp4, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs, align 8
  %1 = sext i32 %first to i64
  %wide.trip.count = sext i32 %end to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %sum.0.lcssa = phi i32 [ 0, %entry ], [ %add, %for.body ]
  ret i32 %sum.0.lcssa

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ %1, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %sum.05 = phi i32 [ 0, %for.body.lr.ph ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load i32, ptr %rank, align 8
  %add = add nsw i32 %2, %sum.05
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc signext range(i32 -1, 1) i32 @prepare(ptr noundef captures(none) %session, ptr noundef readonly captures(none) %given, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr #0 {
entry:
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc signext i32 @fill_inputs(ptr noundef %session, ptr noundef %given, ptr noundef %frame) #16
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %entry
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %0 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %0 to i1
  br i1 %loadedv, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false
  %1 = load ptr, ptr %frame, align 8
  %call2 = tail call fastcc signext i32 @start(ptr noundef nonnull %session, ptr noundef %1) #16
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end, label %cleanup

if.end:                                           ; preds = %land.lhs.true, %lor.lhs.false
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %2 = load i32, ptr %state_count, align 4
  %cmp412 = icmp sgt i32 %2, 0
  br i1 %cmp412, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 152
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end
  %call8 = tail call fastcc signext i32 @find_sizes(ptr noundef nonnull %model1, ptr noundef %frame) #16
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv
  %3 = load ptr, ptr %arrayidx, align 8
  %4 = load ptr, ptr %tensors, align 8
  %arrayidx6 = getelementptr inbounds nuw %struct.tw_tensor, ptr %4, i64 %indvars.iv
  store ptr %3, ptr %arrayidx6, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %5 = load i32, ptr %state_count, align 4
  %6 = sext i32 %5 to i64
  %cmp4 = icmp slt i64 %indvars.iv.next, %6
  br i1 %cmp4, label %for.body, label %for.cond.cleanup

cleanup:                                          ; preds = %entry, %land.lhs.true, %for.cond.cleanup
  %retval.0 = phi i32 [ %call8, %for.cond.cleanup ], [ -1, %land.lhs.true ], [ -1, %entry ]
  ret i32 %retval.0
}

define internal fastcc signext i32 @state_of(ptr noundef readonly captures(none) %model, i32 noundef signext %argument) unnamed_addr #5 {
entry:
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %0 = load i32, ptr %state_count, align 4
  %cmp15 = icmp sgt i32 %0, 0
  br i1 %cmp15, label %for.body.lr.ph, label %cleanup3

for.body.lr.ph:                                   ; preds = %entry
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states, align 8
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_state, ptr %1, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx, align 8
  %cmp1 = icmp eq i32 %2, %argument
  br i1 %cmp1, label %cleanup3.loopexit.split.loop.exit, label %cleanup

cleanup:                                          ; preds = %for.body
  %3 = load i32, ptr %inputs, align 8
  %output = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %4 = load i32, ptr %output, align 4
  %add = add nsw i32 %4, %3
  %cmp2.not = icmp eq i32 %add, %argument
  br i1 %cmp2.not, label %cleanup3.loopexit.split.loop.exit21, label %for.inc

for.inc:                                          ; preds = %cleanup
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup3, label %for.body

cleanup3.loopexit.split.loop.exit:                ; preds = %for.body
  %5 = trunc nuw nsw i64 %indvars.iv to i32
  br label %cleanup3

cleanup3.loopexit.split.loop.exit21:              ; preds = %cleanup
  %6 = trunc nuw nsw i64 %indvars.iv to i32
  br label %cleanup3

cleanup3:                                         ; preds = %for.inc, %cleanup3.loopexit.split.loop.exit, %cleanup3.loopexit.split.loop.exit21, %entry
  %7 = phi i32 [ -1, %entry ], [ %5, %cleanup3.loopexit.split.loop.exit ], [ %6, %cleanup3.loopexit.split.loop.exit21 ], [ -1, %for.inc ]
  ret i32 %7
}

define internal fastcc ptr @numbers_of(ptr noundef readonly captures(none) %model, ptr noundef readonly captures(none) %value, i64 noundef %count) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %call = tail call fastcc ptr @tensor_of(ptr noundef %value) #16
  %cmp.not = icmp eq ptr %call, null
  br i1 %cmp.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %device_type = getelementptr inbounds nuw i8, ptr %call, i64 8
  %0 = load i32, ptr %device_type, align 8
  %cmp1 = icmp eq i32 %0, 1
  br i1 %cmp1, label %land.lhs.true2, label %if.end

land.lhs.true2:                                   ; preds = %land.lhs.true
  %dtype = getelementptr inbounds nuw i8, ptr %call, i64 20
  %1 = load i32, ptr %dtype, align 4
  %cmp3 = icmp eq i32 %1, 81920
  br i1 %cmp3, label %land.lhs.true4, label %if.end

land.lhs.true4:                                   ; preds = %land.lhs.true2
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 16
  %2 = load i32, ptr %rank, align 8
  %cmp5 = icmp eq i32 %2, 1
  br i1 %cmp5, label %land.lhs.true6, label %if.end

land.lhs.true6:                                   ; preds = %land.lhs.true4
  %shape = getelementptr inbounds nuw i8, ptr %call, i64 24
  %3 = load ptr, ptr %shape, align 8
  %4 = load i64, ptr %3, align 8
  %cmp7.not = icmp slt i64 %4, %count
  br i1 %cmp7.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true6
  %5 = load ptr, ptr %call, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call, i64 40
  %6 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %5, i64 %6
  br label %cleanup

if.end:                                           ; preds = %land.lhs.true6, %land.lhs.true4, %land.lhs.true2, %land.lhs.true, %entry
  %7 = load ptr, ptr %model, align 8
  %call8 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.23, ptr noundef %7, i64 noundef %count) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %8 = load ptr, ptr %report, align 8
  call void %8(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #18
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi ptr [ %add.ptr, %if.then ], [ null, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret ptr %retval.0
}

declare void @llvm.stackrestore.p0(ptr) #4

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_reset(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  tail call fastcc void @free_values(ptr noundef nonnull %call) #16
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ 0, %if.end ], [ -1, %entry ]
  ret i32 %retval.0
}

define internal fastcc void @free_values(ptr noundef captures(none) %session) unnamed_addr #0 {
entry:
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %0 = load i32, ptr %state_count, align 4
  %cmp11 = icmp sgt i32 %0, 0
  br i1 %cmp11, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %kept1 = getelementptr inbounds nuw i8, ptr %session, i64 152
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end, %entry
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  store i8 0, ptr %has_values, align 8
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %if.end
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %if.end ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept1, i64 %indvars.iv
  %1 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %1) #18
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %2 = load ptr, ptr %spare, align 8
  %3 = load ptr, ptr %arrayidx, align 8
  %cmp4.not = icmp eq ptr %2, %3
  br i1 %cmp4.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body
  tail call void @free(ptr noundef %2) #18
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %4 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %4) #18
  store ptr null, ptr %arrayidx, align 8
  store ptr null, ptr %shape, align 8
  store ptr null, ptr %spare, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %5 = load i32, ptr %state_count, align 4
  %6 = sext i32 %5 to i64
  %cmp = icmp slt i64 %indvars.iv.next, %6
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_rewind(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %type.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 2) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup21, label %if.end

if.end:                                           ; preds = %entry
  %model1 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 16
  %0 = load i32, ptr %arrayidx, align 8
  %cmp2.not = icmp eq i32 %0, 1
  br i1 %cmp2.not, label %if.end9, label %if.then3

if.then3:                                         ; preds = %if.end
  %1 = load ptr, ptr %model1, align 8
  %call6 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %1, i32 noundef signext %0) #18
  %report = getelementptr inbounds nuw i8, ptr %call, i64 120
  %2 = load ptr, ptr %report, align 8
  call void %2(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #18
  call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup21

if.end9:                                          ; preds = %if.end
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 24
  %3 = load i64, ptr %payload, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %type.i) #17
  %state_count.i = getelementptr inbounds nuw i8, ptr %call, i64 140
  %4 = load i32, ptr %state_count.i, align 4
  %cmp.not28.i = icmp sgt i32 %4, 0
  br i1 %cmp.not28.i, label %for.body.lr.ph.i, label %check_rewind.exit

for.body.lr.ph.i:                                 ; preds = %if.end9
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 144
  %5 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %5 to i1
  %states.i.i.i = getelementptr inbounds nuw i8, ptr %call, i64 72
  %6 = load ptr, ptr %states.i.i.i, align 8
  %cmp9.i = icmp slt i64 %3, 0
  %wide.trip.count.i = zext nneg i32 %4 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  br i1 %loadedv.i, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %for.body.i
  %arrayidx.i.i.i = getelementptr inbounds nuw %struct.tw_state, ptr %6, i64 %indvars.iv.i
  %appends.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 12
  %7 = load i32, ptr %appends.i.i.i, align 4
  %tobool.not.i.i.i = icmp eq i32 %7, 0
  br i1 %tobool.not.i.i.i, label %cond.false.i.i.i, label %memory_axis.exit.i.i

cond.false.i.i.i:                                 ; preds = %cond.true.i
  %axis.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 8
  %8 = load i32, ptr %axis.i.i.i, align 8
  br label %memory_axis.exit.i.i

memory_axis.exit.i.i:                             ; preds = %cond.false.i.i.i, %cond.true.i
  %cond.i.i.i = phi i32 [ %8, %cond.false.i.i.i ], [ 0, %cond.true.i ]
  %arrayidx.i.i = getelementptr inbounds nuw %struct.kept, ptr %call, i64 %indvars.iv.i
  %cond.in.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 160
  %cond.i.i = load ptr, ptr %cond.in.i.i, align 8
  %cmp.i.i = icmp eq ptr %cond.i.i, null
  %cmp4.i.i = icmp slt i32 %cond.i.i.i, 0
  %or.cond.i.i = select i1 %cmp.i.i, i1 true, i1 %cmp4.i.i
  br i1 %or.cond.i.i, label %cond.end.i, label %cond.false6.i.i

cond.false6.i.i:                                  ; preds = %memory_axis.exit.i.i
  %idxprom7.i.i = zext nneg i32 %cond.i.i.i to i64
  %arrayidx8.i.i = getelementptr inbounds nuw i64, ptr %cond.i.i, i64 %idxprom7.i.i
  %9 = load i64, ptr %arrayidx8.i.i, align 8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false6.i.i, %memory_axis.exit.i.i, %for.body.i
  %cond.i = phi i64 [ 0, %for.body.i ], [ %9, %cond.false6.i.i ], [ 0, %memory_axis.exit.i.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr %6, i64 %indvars.iv.i
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %10 = load i32, ptr %axis.i, align 8
  %cmp2.i = icmp slt i32 %10, 0
  br i1 %cmp2.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %cond.end.i
  %11 = trunc nuw nsw i64 %indvars.iv.i to i32
  call fastcc void @write_type(ptr noundef nonnull readonly %model1, i32 noundef signext %11, ptr noundef %type.i) #16
  %12 = load ptr, ptr %model1, align 8
  %specs.i.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  %13 = load ptr, ptr %specs.i.i, align 8
  %14 = load ptr, ptr %states.i.i.i, align 8
  %idxprom.i.i = and i64 %indvars.iv.i, 4294967295
  %arrayidx.i21.i = getelementptr inbounds nuw %struct.tw_state, ptr %14, i64 %idxprom.i.i
  %15 = load i32, ptr %arrayidx.i21.i, align 8
  %idxprom1.i.i = sext i32 %15 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr %13, i64 %idxprom1.i.i
  %16 = load ptr, ptr %arrayidx2.i.i, align 8
  %call7.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.24, ptr noundef %12, ptr noundef %16, ptr noundef nonnull %type.i) #18
  br label %if.then13

if.end.i:                                         ; preds = %cond.end.i
  %cmp10.i = icmp sgt i64 %3, %cond.i
  %or.cond.i = select i1 %cmp9.i, i1 true, i1 %cmp10.i
  br i1 %or.cond.i, label %if.then11.i, label %for.inc.i

if.then11.i:                                      ; preds = %if.end.i
  %17 = load ptr, ptr %model1, align 8
  %call14.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.25, ptr noundef %17, i64 noundef %cond.i, i64 noundef %3) #18
  br label %if.then13

for.inc.i:                                        ; preds = %if.end.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %check_rewind.exit, label %for.body.i

check_rewind.exit:                                ; preds = %for.inc.i, %if.end9
  call void @llvm.lifetime.end.p0(ptr nonnull %type.i) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #17
  %cmp16 = icmp sgt i64 %3, 0
  br i1 %cmp16, label %land.rhs.lr.ph, label %for.cond.cleanup

land.rhs.lr.ph:                                   ; preds = %check_rewind.exit
  %kept = getelementptr inbounds nuw i8, ptr %call, i64 152
  %specs.i.i19 = getelementptr inbounds nuw i8, ptr %call, i64 56
  %states.i.i = getelementptr inbounds nuw i8, ptr %call, i64 72
  %18 = load i32, ptr %state_count.i, align 4
  %cmp1750 = icmp sgt i32 %18, 0
  br i1 %cmp1750, label %for.body, label %for.cond.cleanup

if.then13:                                        ; preds = %if.then.i, %if.then11.i
  %report.i = getelementptr inbounds nuw i8, ptr %call, i64 120
  %19 = load ptr, ptr %report.i, align 8
  call void %19(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %type.i) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #17
  call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup21

for.cond.cleanup:                                 ; preds = %drop.exit, %land.rhs.lr.ph, %check_rewind.exit
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup21

for.body:                                         ; preds = %land.rhs.lr.ph, %drop.exit
  %indvars.iv51 = phi i64 [ %indvars.iv.next, %drop.exit ], [ 0, %land.rhs.lr.ph ]
  %arrayidx18 = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv51
  %20 = load ptr, ptr %specs.i.i19, align 8
  %21 = load ptr, ptr %states.i.i, align 8
  %arrayidx.i.i21 = getelementptr inbounds nuw %struct.tw_state, ptr %21, i64 %indvars.iv51
  %22 = load i32, ptr %arrayidx.i.i21, align 8
  %idxprom1.i.i22 = sext i32 %22 to i64
  %arrayidx2.i.i23 = getelementptr inbounds %struct.tw_spec, ptr %20, i64 %idxprom1.i.i22
  %appends.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i21, i64 12
  %23 = load i32, ptr %appends.i.i, align 4
  %tobool.not.i.i = icmp eq i32 %23, 0
  br i1 %tobool.not.i.i, label %cond.false.i.i, label %memory_axis.exit.i

cond.false.i.i:                                   ; preds = %for.body
  %axis.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i21, i64 8
  %24 = load i32, ptr %axis.i.i, align 8
  br label %memory_axis.exit.i

memory_axis.exit.i:                               ; preds = %cond.false.i.i, %for.body
  %cond.i.i24 = phi i32 [ %24, %cond.false.i.i ], [ 0, %for.body ]
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 8
  %25 = load ptr, ptr %shape.i, align 8
  %idxprom.i = sext i32 %cond.i.i24 to i64
  %arrayidx.i25 = getelementptr inbounds i64, ptr %25, i64 %idxprom.i
  %26 = load i64, ptr %arrayidx.i25, align 8
  %call4.i = tail call fastcc i64 @product(ptr noundef %25, i32 noundef signext 0, i32 noundef signext %cond.i.i24, i64 noundef 1) #16
  %add.i = add nsw i32 %cond.i.i24, 1
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i23, i64 40
  %27 = load i32, ptr %rank.i, align 8
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i23, i64 44
  %28 = load i32, ptr %dtype.i.i, align 4
  %shr.i.i = lshr i32 %28, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %call8.i = tail call fastcc i64 @product(ptr noundef %25, i32 noundef signext %add.i, i32 noundef signext %27, i64 noundef %conv.i.i) #16
  %sub.i = sub nsw i64 %26, %3
  store i64 %sub.i, ptr %arrayidx.i25, align 8
  %29 = load ptr, ptr %states.i.i, align 8
  %arrayidx14.i = getelementptr inbounds nuw %struct.tw_state, ptr %29, i64 %indvars.iv51
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx14.i, i64 12
  %30 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %30, 0
  br i1 %tobool.not.i, label %for.cond.preheader.i, label %drop.exit

for.cond.preheader.i:                             ; preds = %memory_axis.exit.i
  %mul.i = mul i64 %call8.i, %sub.i
  %cmp.i = icmp sgt i64 %mul.i, 0
  %cmp1531.i = icmp sgt i64 %call4.i, 0
  %31 = select i1 %cmp.i, i1 %cmp1531.i, i1 false
  br i1 %31, label %for.body.lr.ph.i26, label %for.cond.cleanup.i

for.body.lr.ph.i26:                               ; preds = %for.cond.preheader.i
  %spare.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 32
  %mul19.i = mul i64 %call8.i, %26
  br label %for.body.i27

for.cond.cleanup.i:                               ; preds = %for.body.i27, %for.cond.preheader.i
  %spare24.i = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 32
  %32 = load ptr, ptr %spare24.i, align 8
  %33 = load ptr, ptr %arrayidx18, align 8
  store ptr %33, ptr %spare24.i, align 8
  store ptr %32, ptr %arrayidx18, align 8
  br label %drop.exit

for.body.i27:                                     ; preds = %for.body.i27, %for.body.lr.ph.i26
  %at.032.i = phi i64 [ 0, %for.body.lr.ph.i26 ], [ %inc.i, %for.body.i27 ]
  %34 = load ptr, ptr %spare.i, align 8
  %mul17.i = mul i64 %at.032.i, %mul.i
  %add.ptr.i = getelementptr inbounds i8, ptr %34, i64 %mul17.i
  %35 = load ptr, ptr %arrayidx18, align 8
  %mul20.i = mul i64 %mul19.i, %at.032.i
  %add.ptr21.i = getelementptr inbounds i8, ptr %35, i64 %mul20.i
  %call23.i = tail call ptr @memcpy(ptr noundef %add.ptr.i, ptr noundef %add.ptr21.i, i64 noundef %mul.i) #18
  %inc.i = add nuw nsw i64 %at.032.i, 1
  %exitcond.not = icmp eq i64 %inc.i, %call4.i
  br i1 %exitcond.not, label %for.cond.cleanup.i, label %for.body.i27

drop.exit:                                        ; preds = %memory_axis.exit.i, %for.cond.cleanup.i
  %indvars.iv.next = add nuw nsw i64 %indvars.iv51, 1
  %36 = load i32, ptr %state_count.i, align 4
  %37 = sext i32 %36 to i64
  %cmp17 = icmp slt i64 %indvars.iv.next, %37
  br i1 %cmp17, label %for.body, label %for.cond.cleanup

cleanup21:                                        ; preds = %if.then3, %for.cond.cleanup, %if.then13, %entry
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %if.then3 ], [ -1, %if.then13 ], [ 0, %for.cond.cleanup ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_fork(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) #1 {
entry:
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %model = getelementptr inbounds nuw i8, ptr %call, i64 40
  %call1 = tail call fastcc ptr @new_session(ptr noundef nonnull %model) #16
  %cmp2 = icmp eq ptr %call1, null
  br i1 %cmp2, label %if.end17, label %land.rhs.lr.ph

land.rhs.lr.ph:                                   ; preds = %if.end
  %state_count = getelementptr inbounds nuw i8, ptr %call1, i64 140
  %model4 = getelementptr inbounds nuw i8, ptr %call1, i64 40
  %kept = getelementptr inbounds nuw i8, ptr %call1, i64 152
  %kept7 = getelementptr inbounds nuw i8, ptr %call, i64 152
  %specs.i.i = getelementptr inbounds nuw i8, ptr %call1, i64 56
  %states.i.i = getelementptr inbounds nuw i8, ptr %call1, i64 72
  %0 = load i32, ptr %state_count, align 4
  %cmp541 = icmp sgt i32 %0, 0
  br i1 %cmp541, label %for.body, label %if.then12

for.body:                                         ; preds = %land.rhs.lr.ph, %copy_kept.exit
  %indvars.iv42 = phi i64 [ %indvars.iv.next, %copy_kept.exit ], [ 0, %land.rhs.lr.ph ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv42
  %arrayidx9 = getelementptr inbounds nuw %struct.kept, ptr %kept7, i64 %indvars.iv42
  %1 = load ptr, ptr %specs.i.i, align 8
  %2 = load ptr, ptr %states.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_state, ptr %2, i64 %indvars.iv42
  %3 = load i32, ptr %arrayidx.i.i, align 8
  %idxprom1.i.i = sext i32 %3 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i.i
  %initial.i = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 16
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 24
  %4 = load ptr, ptr %shape.i, align 8
  %cmp.not.i = icmp eq ptr %4, null
  br i1 %cmp.not.i, label %if.end32.i, label %if.then.i

if.then.i:                                        ; preds = %for.body
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %5 = load i32, ptr %rank.i, align 8
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 44
  %6 = load i32, ptr %dtype.i.i, align 4
  %shr.i.i = lshr i32 %6, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %call4.i = tail call fastcc i64 @product(ptr noundef nonnull %4, i32 noundef signext 0, i32 noundef signext %5, i64 noundef %conv.i.i) #16
  %conv.i = sext i32 %5 to i64
  %add.i = add nsw i64 %conv.i, 1
  %call6.i = tail call noalias ptr @calloc(i64 noundef %add.i, i64 noundef 8) #18
  %initial7.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %shape8.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store ptr %call6.i, ptr %shape8.i, align 8
  %add9.i = add i64 %call4.i, 1
  %call10.i = tail call noalias ptr @malloc(i64 noundef %add9.i) #18
  store ptr %call10.i, ptr %initial7.i, align 8
  %7 = load ptr, ptr %shape8.i, align 8
  %cmp14.i = icmp eq ptr %7, null
  %cmp18.i = icmp eq ptr %call10.i, null
  %or.cond.i = select i1 %cmp14.i, i1 true, i1 %cmp18.i
  br i1 %or.cond.i, label %if.then20.i, label %if.end.i

if.then20.i:                                      ; preds = %if.then.i
  %8 = trunc nuw nsw i64 %indvars.iv42 to i32
  tail call fastcc void @fail_memory(ptr noundef nonnull readonly %model4, i32 noundef signext %8, i64 noundef %call4.i) #16
  br label %if.then15

if.end.i:                                         ; preds = %if.then.i
  %9 = load ptr, ptr %shape.i, align 8
  %10 = load i32, ptr %rank.i, align 8
  tail call fastcc void @copy_shape(ptr noundef nonnull %7, ptr noundef %9, i32 noundef signext %10) #16
  %11 = load ptr, ptr %initial7.i, align 8
  %12 = load ptr, ptr %initial.i, align 8
  %call31.i = tail call ptr @memcpy(ptr noundef %11, ptr noundef %12, i64 noundef %call4.i) #18
  br label %if.end32.i

if.end32.i:                                       ; preds = %if.end.i, %for.body
  %shape33.i = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 8
  %13 = load ptr, ptr %shape33.i, align 8
  %cmp34.i = icmp eq ptr %13, null
  br i1 %cmp34.i, label %copy_kept.exit, label %if.end37.i

if.end37.i:                                       ; preds = %if.end32.i
  %14 = trunc nuw nsw i64 %indvars.iv42 to i32
  %call40.i = tail call fastcc signext i32 @make_buffers(ptr noundef nonnull readonly %model4, ptr noundef nonnull %arrayidx, i32 noundef signext %14, ptr noundef %13) #16
  %cmp41.not.i = icmp eq i32 %call40.i, 0
  br i1 %cmp41.not.i, label %if.end44.i, label %if.then15

if.end44.i:                                       ; preds = %if.end37.i
  %15 = load ptr, ptr %shape33.i, align 8
  %rank48.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %16 = load i32, ptr %rank48.i, align 8
  %dtype.i29.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 44
  %17 = load i32, ptr %dtype.i29.i, align 4
  %shr.i30.i = lshr i32 %17, 8
  %and.i31.i = and i32 %shr.i30.i, 255
  %add.i32.i = add nuw nsw i32 %and.i31.i, 7
  %div1.i33.i = lshr i32 %add.i32.i, 3
  %conv.i34.i = zext nneg i32 %div1.i33.i to i64
  %call50.i = tail call fastcc i64 @product(ptr noundef %15, i32 noundef signext 0, i32 noundef signext %16, i64 noundef %conv.i34.i) #16
  %cmp51.i = icmp sgt i64 %call50.i, 0
  br i1 %cmp51.i, label %if.then53.i, label %copy_kept.exit

if.then53.i:                                      ; preds = %if.end44.i
  %18 = load ptr, ptr %arrayidx, align 8
  %19 = load ptr, ptr %arrayidx9, align 8
  %call58.i = tail call ptr @memcpy(ptr noundef %18, ptr noundef %19, i64 noundef %call50.i) #18
  br label %copy_kept.exit

copy_kept.exit:                                   ; preds = %if.end32.i, %if.end44.i, %if.then53.i
  %indvars.iv.next = add nuw nsw i64 %indvars.iv42, 1
  %20 = load i32, ptr %state_count, align 4
  %21 = sext i32 %20 to i64
  %cmp5 = icmp slt i64 %indvars.iv.next, %21
  br i1 %cmp5, label %for.body, label %if.then12

if.then12:                                        ; preds = %copy_kept.exit, %land.rhs.lr.ph
  %has_values = getelementptr inbounds nuw i8, ptr %call, i64 144
  %22 = load i8, ptr %has_values, align 8
  %has_values13 = getelementptr inbounds nuw i8, ptr %call1, i64 144
  %storedv = and i8 %22, 1
  store i8 %storedv, ptr %has_values13, align 8
  store i32 68, ptr %result, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %result, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %result, i64 8
  store ptr %call1, ptr %payload.i, align 8
  br label %if.end17

if.then15:                                        ; preds = %if.end37.i, %if.then20.i
  tail call fastcc void @free_values(ptr noundef nonnull %call1) #16
  %state_count.i = getelementptr inbounds nuw i8, ptr %call1, i64 140
  %23 = load i32, ptr %state_count.i, align 4
  %cmp9.i = icmp sgt i32 %23, 0
  br i1 %cmp9.i, label %for.body.i, label %delete_session.exit

for.body.i:                                       ; preds = %if.then15, %for.body.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.body.i ], [ 0, %if.then15 ]
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %call1, i64 %indvars.iv.i
  %initial.i20 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 168
  %24 = load ptr, ptr %initial.i20, align 8
  tail call void @free(ptr noundef %24) #18
  %shape.i21 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 176
  %25 = load ptr, ptr %shape.i21, align 8
  tail call void @free(ptr noundef %25) #18
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %26 = load i32, ptr %state_count.i, align 4
  %27 = sext i32 %26 to i64
  %cmp.i = icmp slt i64 %indvars.iv.next.i, %27
  br i1 %cmp.i, label %for.body.i, label %delete_session.exit

delete_session.exit:                              ; preds = %for.body.i, %if.then15
  tail call void @free(ptr noundef nonnull %call1) #18
  br label %if.end17

if.end17:                                         ; preds = %if.end, %delete_session.exit, %if.then12
  %status.023 = phi i32 [ 0, %if.then12 ], [ -1, %delete_session.exit ], [ -1, %if.end ]
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end17
  %retval.0 = phi i32 [ %status.023, %if.end17 ], [ -1, %entry ]
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_size(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) #1 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 2) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %model = getelementptr inbounds nuw i8, ptr %call, i64 40
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #17
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %args, i64 16
  %0 = load i32, ptr %arrayidx.i, align 8
  %cmp.i = icmp eq i32 %0, 1
  br i1 %cmp.i, label %cond.end.i, label %if.then3

cond.end.i:                                       ; preds = %if.end
  %payload.i = getelementptr inbounds nuw i8, ptr %args, i64 24
  %1 = load i64, ptr %payload.i, align 8
  %cmp2.i = icmp sgt i64 %1, -1
  br i1 %cmp2.i, label %land.lhs.true.i, label %if.then3

land.lhs.true.i:                                  ; preds = %cond.end.i
  %state_count.i = getelementptr inbounds nuw i8, ptr %call, i64 140
  %2 = load i32, ptr %state_count.i, align 4
  %conv4.i = sext i32 %2 to i64
  %cmp5.i = icmp slt i64 %1, %conv4.i
  br i1 %cmp5.i, label %if.end5, label %if.then3

if.then3:                                         ; preds = %if.end, %land.lhs.true.i, %cond.end.i
  %cond11.i = phi i64 [ %1, %cond.end.i ], [ %1, %land.lhs.true.i ], [ -1, %if.end ]
  %3 = load ptr, ptr %model, align 8
  %state_count7.i = getelementptr inbounds nuw i8, ptr %call, i64 140
  %4 = load i32, ptr %state_count7.i, align 4
  %sub.i = add nsw i32 %4, -1
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.26, ptr noundef %3, i32 noundef signext %sub.i, i64 noundef %cond11.i) #18
  %report.i = getelementptr inbounds nuw i8, ptr %call, i64 120
  %5 = load ptr, ptr %report.i, align 8
  call void %5(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #17
  call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup

if.end5:                                          ; preds = %land.lhs.true.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #17
  store i32 1, ptr %result, align 8
  %states.i.i = getelementptr inbounds nuw i8, ptr %call, i64 72
  %6 = load ptr, ptr %states.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_state, ptr %6, i64 %1
  %appends.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 12
  %7 = load i32, ptr %appends.i.i, align 4
  %tobool.not.i.i = icmp eq i32 %7, 0
  br i1 %tobool.not.i.i, label %cond.false.i.i, label %memory_axis.exit.i

cond.false.i.i:                                   ; preds = %if.end5
  %axis.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 8
  %8 = load i32, ptr %axis.i.i, align 8
  br label %memory_axis.exit.i

memory_axis.exit.i:                               ; preds = %cond.false.i.i, %if.end5
  %cond.i.i = phi i32 [ %8, %cond.false.i.i ], [ 0, %if.end5 ]
  %kept1.i = getelementptr inbounds nuw i8, ptr %call, i64 152
  %arrayidx.i7 = getelementptr inbounds nuw %struct.kept, ptr %kept1.i, i64 %1
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 144
  %9 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %9 to i1
  %cond.in.v.i = select i1 %loadedv.i, i64 8, i64 24
  %cond.in.i = getelementptr inbounds nuw i8, ptr %arrayidx.i7, i64 %cond.in.v.i
  %cond.i = load ptr, ptr %cond.in.i, align 8
  %cmp.i8 = icmp eq ptr %cond.i, null
  %cmp4.i = icmp slt i32 %cond.i.i, 0
  %or.cond.i = select i1 %cmp.i8, i1 true, i1 %cmp4.i
  br i1 %or.cond.i, label %positions.exit, label %cond.false6.i

cond.false6.i:                                    ; preds = %memory_axis.exit.i
  %idxprom7.i = zext nneg i32 %cond.i.i to i64
  %arrayidx8.i = getelementptr inbounds nuw i64, ptr %cond.i, i64 %idxprom7.i
  %10 = load i64, ptr %arrayidx8.i, align 8
  br label %positions.exit

positions.exit:                                   ; preds = %memory_axis.exit.i, %cond.false6.i
  %cond10.i = phi i64 [ %10, %cond.false6.i ], [ 0, %memory_axis.exit.i ]
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store i64 %cond10.i, ptr %payload, align 8
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup

cleanup:                                          ; preds = %entry, %positions.exit, %if.then3
  %retval.0 = phi i32 [ 0, %positions.exit ], [ -1, %if.then3 ], [ -1, %entry ]
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_state(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %state = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %state) #17
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 3) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup33, label %if.end

if.end:                                           ; preds = %entry
  %call1 = call fastcc signext i32 @read_value(ptr noundef %call, ptr noundef %args, ptr noundef %state) #16
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end5, label %if.then3

if.then3:                                         ; preds = %if.end
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup33

if.end5:                                          ; preds = %if.end
  %model6 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %kept7 = getelementptr inbounds nuw i8, ptr %call, i64 152
  %0 = load i32, ptr %state, align 4
  %idxprom = sext i32 %0 to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept7, i64 %idxprom
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %args, i64 32
  %call9 = tail call fastcc ptr @tensor_of(ptr noundef nonnull %arrayidx8) #16
  %specs.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  %1 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %call, i64 72
  %2 = load ptr, ptr %states.i, align 8
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom
  %3 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %4 = load i32, ptr %rank, align 8
  %add = add nsw i32 %4, 1
  %5 = zext i32 %add to i64
  %6 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %5, align 8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %7 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(ptr noundef nonnull %model6, i32 noundef signext %0, ptr noundef %7, ptr noundef %vla, i1 noundef zeroext false) #16
  %call11 = tail call fastcc zeroext i1 @is_like_state(ptr noundef nonnull %model6, i32 noundef signext %0, ptr noundef %call9) #16
  br i1 %call11, label %land.rhs.lr.ph, label %if.then22

land.rhs.lr.ph:                                   ; preds = %if.end5
  %rank12 = getelementptr inbounds nuw i8, ptr %call9, i64 16
  %8 = load i32, ptr %rank12, align 8
  %shape14 = getelementptr inbounds nuw i8, ptr %call9, i64 24
  %smax = tail call i32 @llvm.smax.i32(i32 %8, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %land.rhs.lr.ph ], [ %indvars.iv.next, %for.body ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %if.end25, label %for.body

for.body:                                         ; preds = %land.rhs
  %9 = load ptr, ptr %shape14, align 8
  %arrayidx16 = getelementptr inbounds nuw i64, ptr %9, i64 %indvars.iv
  %10 = load i64, ptr %arrayidx16, align 8
  %arrayidx18 = getelementptr inbounds nuw i64, ptr %vla, i64 %indvars.iv
  %11 = load i64, ptr %arrayidx18, align 8
  %cmp19 = icmp eq i64 %10, %11
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br i1 %cmp19, label %land.rhs, label %if.then22

if.then22:                                        ; preds = %for.body, %if.end5
  tail call fastcc void @fail_value(ptr noundef nonnull %model6, i32 noundef signext %0, ptr noundef %call9) #16
  br label %cleanup

if.end25:                                         ; preds = %land.rhs
  %12 = load ptr, ptr %arrayidx, align 8
  %13 = load ptr, ptr %call9, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call9, i64 40
  %14 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %13, i64 %14
  call fastcc void @copy_value(ptr noundef nonnull %model6, i32 noundef signext %0, ptr noundef %12, ptr noundef %add.ptr, ptr noundef nonnull %vla, i1 noundef zeroext false) #16
  br label %cleanup

cleanup:                                          ; preds = %if.end25, %if.then22
  %.sink = phi i32 [ 0, %if.end25 ], [ -1, %if.then22 ]
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  call void @llvm.stackrestore.p0(ptr %6)
  br label %cleanup33

cleanup33:                                        ; preds = %entry, %cleanup, %if.then3
  %retval.0 = phi i32 [ %.sink, %cleanup ], [ -1, %if.then3 ], [ -1, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %state) #17
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @read_value(ptr noundef nonnull readonly captures(none) %session, ptr noundef readonly captures(none) %args, ptr noundef nonnull writeonly captures(none) initializes((0, 4)) %state) unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #17
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %args, i64 16
  %0 = load i32, ptr %arrayidx.i, align 8
  %cmp.i = icmp eq i32 %0, 1
  br i1 %cmp.i, label %cond.end.i, label %cond.end.thread.i

cond.end.thread.i:                                ; preds = %entry
  store i32 -1, ptr %state, align 4
  br label %read_state.exit

cond.end.i:                                       ; preds = %entry
  %payload.i = getelementptr inbounds nuw i8, ptr %args, i64 24
  %1 = load i64, ptr %payload.i, align 8
  %conv.i = trunc i64 %1 to i32
  store i32 %conv.i, ptr %state, align 4
  %cmp2.i = icmp sgt i64 %1, -1
  br i1 %cmp2.i, label %land.lhs.true.i, label %read_state.exit

land.lhs.true.i:                                  ; preds = %cond.end.i
  %state_count.i = getelementptr inbounds nuw i8, ptr %session, i64 140
  %2 = load i32, ptr %state_count.i, align 4
  %conv4.i = sext i32 %2 to i64
  %cmp5.i = icmp slt i64 %1, %conv4.i
  br i1 %cmp5.i, label %if.end, label %read_state.exit

read_state.exit:                                  ; preds = %cond.end.thread.i, %cond.end.i, %land.lhs.true.i
  %cond11.i = phi i64 [ -1, %cond.end.thread.i ], [ %1, %land.lhs.true.i ], [ %1, %cond.end.i ]
  %3 = load ptr, ptr %model1, align 8
  %state_count7.i = getelementptr inbounds nuw i8, ptr %session, i64 140
  %4 = load i32, ptr %state_count7.i, align 4
  %sub.i = add nsw i32 %4, -1
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.26, ptr noundef %3, i32 noundef signext %sub.i, i64 noundef %cond11.i) #18
  %report.i = getelementptr inbounds nuw i8, ptr %session, i64 120
  %5 = load ptr, ptr %report.i, align 8
  call void %5(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #17
  br label %cleanup

if.end:                                           ; preds = %land.lhs.true.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #17
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %6 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %6 to i1
  br i1 %loadedv, label %cleanup, label %if.end3

if.end3:                                          ; preds = %if.end
  %7 = load ptr, ptr %model1, align 8
  %specs.i = getelementptr inbounds nuw i8, ptr %session, i64 56
  %8 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %session, i64 72
  %9 = load ptr, ptr %states.i, align 8
  %arrayidx.i6 = getelementptr inbounds nuw %struct.tw_state, ptr %9, i64 %1
  %10 = load i32, ptr %arrayidx.i6, align 8
  %idxprom1.i = sext i32 %10 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %8, i64 %idxprom1.i
  %11 = load ptr, ptr %arrayidx2.i, align 8
  %call6 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.27, ptr noundef %7, ptr noundef %11) #18
  %report = getelementptr inbounds nuw i8, ptr %session, i64 120
  %12 = load ptr, ptr %report, align 8
  call void %12(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #18
  br label %cleanup

cleanup:                                          ; preds = %read_state.exit, %if.end, %if.end3
  %retval.0 = phi i32 [ -1, %if.end3 ], [ -1, %read_state.exit ], [ 0, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %retval.0
}

define internal fastcc ptr @tensor_of(ptr noundef readonly captures(none) %value) unnamed_addr #6 {
entry:
  %0 = load i32, ptr %value, align 8
  switch i32 %0, label %return [
    i32 7, label %if.then
    i32 70, label %land.lhs.true
  ]

if.then:                                          ; preds = %entry
  %payload = getelementptr inbounds nuw i8, ptr %value, i64 8
  %1 = load ptr, ptr %payload, align 8
  br label %return

land.lhs.true:                                    ; preds = %entry
  %payload3 = getelementptr inbounds nuw i8, ptr %value, i64 8
  %2 = load ptr, ptr %payload3, align 8
  %cmp4.not = icmp eq ptr %2, null
  %tensor = getelementptr inbounds nuw i8, ptr %2, i64 24
  %spec.select = select i1 %cmp4.not, ptr null, ptr %tensor
  br label %return

return:                                           ; preds = %land.lhs.true, %entry, %if.then
  %retval.0 = phi ptr [ %1, %if.then ], [ %spec.select, %land.lhs.true ], [ null, %entry ]
  ret ptr %retval.0
}

define internal fastcc void @move_axis(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(none) %from, ptr noundef nonnull writeonly captures(none) %to, i1 noundef zeroext %is_to_memory) unnamed_addr #7 {
entry:
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %rank1 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %3 = load i32, ptr %rank1, align 8
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %4 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %4, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %axis5 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %5 = load i32, ptr %axis5, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %5, %cond.true ], [ 0, %entry ]
  %cmp15 = icmp sgt i32 %3, 0
  br i1 %cmp15, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %cond.end
  ret void

for.body:                                         ; preds = %cond.end, %for.body
  %at.016 = phi i32 [ %inc, %for.body ], [ 0, %cond.end ]
  %cmp6 = icmp eq i32 %at.016, %cond
  %cmp9 = icmp slt i32 %at.016, %cond
  %add = zext i1 %cmp9 to i32
  %cond13 = add nuw nsw i32 %at.016, %add
  %cond15 = select i1 %cmp6, i32 0, i32 %cond13
  %cond19 = select i1 %is_to_memory, i32 %at.016, i32 %cond15
  %idxprom20 = zext nneg i32 %cond19 to i64
  %arrayidx21 = getelementptr inbounds nuw i64, ptr %from, i64 %idxprom20
  %6 = load i64, ptr %arrayidx21, align 8
  %cond26 = select i1 %is_to_memory, i32 %cond15, i32 %at.016
  %idxprom27 = zext nneg i32 %cond26 to i64
  %arrayidx28 = getelementptr inbounds nuw i64, ptr %to, i64 %idxprom27
  store i64 %6, ptr %arrayidx28, align 8
  %inc = add nuw nsw i32 %at.016, 1
  %exitcond.not = icmp eq i32 %inc, %3
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc zeroext i1 @is_like_state(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(address_is_null) %tensor) unnamed_addr #5 {
entry:
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %cmp = icmp eq ptr %tensor, null
  br i1 %cmp, label %cleanup30, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %3 = load i32, ptr %device_type, align 8
  %cmp1.not = icmp eq i32 %3, 1
  br i1 %cmp1.not, label %lor.lhs.false2, label %cleanup30

lor.lhs.false2:                                   ; preds = %lor.lhs.false
  %dtype = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %4 = load i32, ptr %dtype, align 4
  %dtype3 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %5 = load i32, ptr %dtype3, align 4
  %cmp4.not = icmp eq i32 %4, %5
  br i1 %cmp4.not, label %lor.lhs.false5, label %cleanup30

lor.lhs.false5:                                   ; preds = %lor.lhs.false2
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %6 = load i32, ptr %rank, align 8
  %rank6 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %7 = load i32, ptr %rank6, align 8
  %cmp7.not = icmp eq i32 %6, %7
  br i1 %cmp7.not, label %if.end, label %cleanup30

if.end:                                           ; preds = %lor.lhs.false5
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %8 = load ptr, ptr %shape, align 8
  %shr.i = lshr i32 %4, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call10 = tail call fastcc i64 @product(ptr noundef %8, i32 noundef signext 0, i32 noundef signext %6, i64 noundef %conv.i) #16
  %cmp12 = icmp slt i64 %call10, 1
  %cmp1321 = icmp slt i32 %6, 1
  %.not22 = or i1 %cmp12, %cmp1321
  br i1 %.not22, label %cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %if.end
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  %9 = load ptr, ptr %strides, align 8
  %cmp14.not = icmp ne ptr %9, null
  %10 = zext nneg i32 %6 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %if.end23
  %indvars.iv = phi i64 [ %10, %for.body.lr.ph ], [ %indvars.iv.next, %if.end23 ]
  %step.023 = phi i64 [ 1, %for.body.lr.ph ], [ %mul, %if.end23 ]
  %indvars.iv.next = add nsw i64 %indvars.iv, -1
  %arrayidx26.phi.trans.insert = getelementptr inbounds nuw i64, ptr %8, i64 %indvars.iv.next
  %.pre = load i64, ptr %arrayidx26.phi.trans.insert, align 8
  %cmp16 = icmp sgt i64 %.pre, 1
  %or.cond = select i1 %cmp14.not, i1 %cmp16, i1 false
  br i1 %or.cond, label %land.lhs.true17, label %if.end23

land.lhs.true17:                                  ; preds = %for.body
  %arrayidx20 = getelementptr inbounds nuw i64, ptr %9, i64 %indvars.iv.next
  %11 = load i64, ptr %arrayidx20, align 8
  %cmp21.not = icmp eq i64 %11, %step.023
  br i1 %cmp21.not, label %if.end23, label %cleanup

if.end23:                                         ; preds = %for.body, %land.lhs.true17
  %mul = mul nsw i64 %.pre, %step.023
  %cmp13 = icmp samesign ult i64 %indvars.iv, 2
  br i1 %cmp13, label %cleanup, label %for.body

cleanup:                                          ; preds = %if.end23, %land.lhs.true17, %if.end
  %.not.lcssa = phi i1 [ true, %if.end ], [ false, %land.lhs.true17 ], [ true, %if.end23 ]
  %cmp27 = icmp sgt i64 %call10, -1
  %spec.select = and i1 %cmp27, %.not.lcssa
  br label %cleanup30

cleanup30:                                        ; preds = %entry, %lor.lhs.false, %lor.lhs.false2, %lor.lhs.false5, %cleanup
  %retval.0 = phi i1 [ %spec.select, %cleanup ], [ false, %lor.lhs.false5 ], [ false, %lor.lhs.false2 ], [ false, %lor.lhs.false ], [ false, %entry ]
  ret i1 %retval.0
}

define internal fastcc void @fail_value(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(address_is_null) %got) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %type = alloca [1024 x i8], align 1
  %given = alloca [1024 x i8], align 1
  %limit = alloca [128 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %type) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %given) #17
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(1024) %given, ptr noundef nonnull align 1 dereferenceable(1024) @__const.fail_value.given, i64 1024, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %limit) #17
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(128) %limit, i8 0, i64 128, i1 false)
  call fastcc void @write_type(ptr noundef %model, i32 noundef signext %state, ptr noundef %type) #16
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %0 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %0, i64 %idxprom.i
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %1 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %1, 0
  br i1 %tobool.not.i, label %memory_axis.exit, label %if.then

memory_axis.exit:                                 ; preds = %entry
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load i32, ptr %axis.i, align 8
  %cmp = icmp sgt i32 %2, -1
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry, %memory_axis.exit
  %call2 = call fastcc ptr @size_text(ptr noundef nonnull %model, i32 noundef signext %state) #16
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %3 = load i64, ptr %capacity, align 8
  %call3 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %limit, i64 noundef 128, ptr noundef nonnull @.str.28, ptr noundef %call2, i64 noundef %3) #18
  br label %if.end

if.end:                                           ; preds = %if.then, %memory_axis.exit
  %cmp4.not = icmp eq ptr %got, null
  br i1 %cmp4.not, label %if.end11, label %if.then5

if.then5:                                         ; preds = %if.end
  %dtype = getelementptr inbounds nuw i8, ptr %got, i64 20
  %4 = load i32, ptr %dtype, align 4
  %and = and i32 %4, 255
  %shr = lshr i32 %4, 8
  %and9 = and i32 %shr, 255
  %call10 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %given, i64 noundef 1024, ptr noundef nonnull @.str.29, i32 noundef signext %and, i32 noundef signext %and9) #18
  %rank = getelementptr inbounds nuw i8, ptr %got, i64 16
  %5 = load i32, ptr %rank, align 8
  %shape = getelementptr inbounds nuw i8, ptr %got, i64 24
  %6 = load ptr, ptr %shape, align 8
  call fastcc void @write_sizes(ptr noundef nonnull %model, ptr noundef %given, i32 noundef signext %call10, i32 noundef signext %5, ptr noundef %6) #16
  br label %if.end11

if.end11:                                         ; preds = %if.then5, %if.end
  %7 = load ptr, ptr %model, align 8
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %8 = load ptr, ptr %specs.i, align 8
  %9 = load ptr, ptr %states.i, align 8
  %arrayidx.i18 = getelementptr inbounds %struct.tw_state, ptr %9, i64 %idxprom.i
  %10 = load i32, ptr %arrayidx.i18, align 8
  %idxprom1.i = sext i32 %10 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %8, i64 %idxprom1.i
  %11 = load ptr, ptr %arrayidx2.i, align 8
  %call18 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.30, ptr noundef %7, ptr noundef %11, ptr noundef nonnull %type, ptr noundef nonnull %limit, ptr noundef nonnull %given) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %12 = load ptr, ptr %report, align 8
  call void %12(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %limit) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %given) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %type) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret void
}

define internal fastcc void @copy_value(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef %memory, ptr noundef %given, ptr noundef readonly captures(none) %shape, i1 noundef zeroext %is_to_memory) unnamed_addr #0 {
entry:
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %3 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %3, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %axis4 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %4 = load i32, ptr %axis4, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %4, %cond.true ], [ 0, %entry ]
  %call5 = tail call fastcc i64 @product(ptr noundef %shape, i32 noundef signext 0, i32 noundef signext %cond, i64 noundef 1) #16
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %5 = load i32, ptr %rank, align 8
  %cmp = icmp sgt i32 %5, 0
  br i1 %cmp, label %cond.true6, label %cond.end10

cond.true6:                                       ; preds = %cond.end
  %idxprom7 = sext i32 %cond to i64
  %arrayidx8 = getelementptr inbounds i64, ptr %shape, i64 %idxprom7
  %6 = load i64, ptr %arrayidx8, align 8
  br label %cond.end10

cond.end10:                                       ; preds = %cond.end, %cond.true6
  %cond11 = phi i64 [ %6, %cond.true6 ], [ 1, %cond.end ]
  %add = add nsw i32 %cond, 1
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %7 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %7, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call14 = tail call fastcc i64 @product(ptr noundef %shape, i32 noundef signext %add, i32 noundef signext %5, i64 noundef %conv.i) #16
  %cmp15 = icmp sgt i64 %call14, 0
  %cmp1627 = icmp sgt i64 %call5, 0
  %8 = select i1 %cmp15, i1 %cmp1627, i1 false
  br i1 %8, label %for.cond17.preheader.lr.ph, label %for.cond.cleanup

for.cond17.preheader.lr.ph:                       ; preds = %cond.end10
  %cmp1825 = icmp sgt i64 %cond11, 0
  br label %for.cond17.preheader

for.cond17.preheader:                             ; preds = %for.cond17.preheader.lr.ph, %for.cond.cleanup19
  %at.028 = phi i64 [ 0, %for.cond17.preheader.lr.ph ], [ %inc38, %for.cond.cleanup19 ]
  br i1 %cmp1825, label %for.body20.lr.ph, label %for.cond.cleanup19

for.body20.lr.ph:                                 ; preds = %for.cond17.preheader
  %mul23 = mul nuw nsw i64 %at.028, %cond11
  br label %for.body20

for.cond.cleanup:                                 ; preds = %for.cond.cleanup19, %cond.end10
  ret void

for.cond.cleanup19:                               ; preds = %for.body20, %for.cond17.preheader
  %inc38 = add nuw nsw i64 %at.028, 1
  %cmp16 = icmp slt i64 %inc38, %call5
  br i1 %cmp16, label %for.cond17.preheader, label %for.cond.cleanup

for.body20:                                       ; preds = %for.body20.lr.ph, %for.body20
  %row.026 = phi i64 [ 0, %for.body20.lr.ph ], [ %inc, %for.body20 ]
  %mul = mul nuw nsw i64 %row.026, %call5
  %add21 = add nuw nsw i64 %mul, %at.028
  %mul22 = mul nuw nsw i64 %add21, %call14
  %add.ptr = getelementptr inbounds nuw i8, ptr %memory, i64 %mul22
  %add24 = add nuw nsw i64 %row.026, %mul23
  %mul25 = mul nuw nsw i64 %add24, %call14
  %add.ptr26 = getelementptr inbounds nuw i8, ptr %given, i64 %mul25
  %cond30 = select i1 %is_to_memory, ptr %add.ptr, ptr %add.ptr26
  %cond35 = select i1 %is_to_memory, ptr %add.ptr26, ptr %add.ptr
  %call36 = tail call ptr @memcpy(ptr noundef %cond30, ptr noundef %cond35, i64 noundef %call14) #18
  %inc = add nuw nsw i64 %row.026, 1
  %exitcond.not = icmp eq i64 %inc, %cond11
  br i1 %exitcond.not, label %for.cond.cleanup19, label %for.body20
}

define internal signext i32 @call_session(ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %threads = getelementptr inbounds nuw i8, ptr %self, i64 80
  %0 = load ptr, ptr %threads, align 8
  %1 = load i32, ptr %0, align 4
  %conv = sext i32 %1 to i64
  %call = tail call fastcc signext i32 @fill(ptr noundef %self, i64 noundef %conv, ptr noundef %args, i32 noundef signext %count) #16
  ret i32 %call
}

define internal signext i32 @call_threads(ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %model = getelementptr inbounds nuw i8, ptr %self, i64 40
  %cmp = icmp sgt i32 %count, 0
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %0 = load i32, ptr %args, align 8
  %cmp1 = icmp eq i32 %0, 1
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %1 = phi i1 [ false, %entry ], [ %cmp1, %land.rhs ]
  %call = tail call fastcc signext i32 @check_leading(ptr noundef nonnull %model, i1 noundef zeroext %1, i32 noundef signext %count) #16
  %cmp2.not = icmp eq i32 %call, 0
  br i1 %cmp2.not, label %if.end, label %cleanup

if.end:                                           ; preds = %land.end
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load i64, ptr %payload, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %call3 = tail call fastcc signext i32 @fill(ptr noundef nonnull %self, i64 noundef %2, ptr noundef nonnull %add.ptr, i32 noundef signext %sub) #16
  br label %cleanup

cleanup:                                          ; preds = %land.end, %if.end
  %retval.0 = phi i32 [ %call3, %if.end ], [ -1, %land.end ]
  ret i32 %retval.0
}

define internal signext range(i32 -1, 1) i32 @largest_inputs(ptr noundef readonly captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %frame = alloca %struct.frame, align 8
  %model = getelementptr inbounds nuw i8, ptr %self, i64 40
  %inputs.i = getelementptr inbounds nuw i8, ptr %self, i64 128
  %0 = load i32, ptr %inputs.i, align 8
  %state_count.i = getelementptr inbounds nuw i8, ptr %self, i64 140
  %1 = load i32, ptr %state_count.i, align 4
  %sub.i = add i32 %0, 1
  %add = sub i32 %sub.i, %1
  %call2 = tail call fastcc signext i32 @check_count(ptr noundef nonnull %model, i32 noundef signext %count, i32 noundef signext %add) #16
  %cmp.not = icmp eq i32 %call2, 0
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %call5 = tail call fastcc ptr @new_session(ptr noundef nonnull %model) #16
  %2 = load i32, ptr %inputs.i, align 8
  %add6 = add nsw i32 %2, 1
  %3 = zext i32 %add6 to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %3, align 8
  %5 = load i32, ptr %state_count.i, align 4
  %add7 = add nsw i32 %5, 1
  %6 = zext i32 %add7 to i64
  %vla8 = alloca %struct.tw_tensor, i64 %6, align 8
  %7 = load i32, ptr %inputs.i, align 8
  %call10 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model, i32 noundef signext 0, i32 noundef signext %7) #16
  %add11 = add nsw i32 %call10, 1
  %8 = zext i32 %add11 to i64
  %vla12 = alloca i64, i64 %8, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %self, i64 132
  %9 = load i32, ptr %arguments, align 4
  %call14 = tail call fastcc signext i32 @ranks(ptr noundef nonnull %model, i32 noundef signext %7, i32 noundef signext %9) #16
  %add15 = add nsw i32 %call14, 1
  %10 = zext i32 %add15 to i64
  %vla16 = alloca i64, i64 %10, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #17
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla8, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla12, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla16, ptr %sizes, align 8
  %cmp18.not = icmp eq ptr %call5, null
  br i1 %cmp18.not, label %cond.end.critedge, label %land.lhs.true

land.lhs.true:                                    ; preds = %if.end
  %call19 = call fastcc signext i32 @fill_inputs(ptr noundef nonnull %call5, ptr noundef %args, ptr noundef %frame) #16
  %cmp20 = icmp eq i32 %call19, 0
  br i1 %cmp20, label %land.rhs, label %cond.end.critedge

land.rhs:                                         ; preds = %land.lhs.true
  %call21 = call fastcc signext i32 @find_sizes(ptr noundef nonnull %model, ptr noundef %frame) #16
  %cmp22 = icmp eq i32 %call21, 0
  call void @free(ptr noundef nonnull %call5) #18
  br i1 %cmp22, label %cond.end, label %for.cond.cleanup

cond.end.critedge:                                ; preds = %if.end, %land.lhs.true
  call void @free(ptr noundef %call5) #18
  br label %for.cond.cleanup

cond.end:                                         ; preds = %land.rhs
  %11 = sext i32 %count to i64
  %12 = getelementptr %struct.tw_value, ptr %args, i64 %11
  %arrayidx = getelementptr i8, ptr %12, i64 -16
  %13 = load i32, ptr %inputs.i, align 8
  %call24 = call fastcc signext i32 @ranks(ptr noundef nonnull %model, i32 noundef signext 0, i32 noundef signext %13) #16
  %conv = sext i32 %call24 to i64
  %call25 = call fastcc ptr @numbers_of(ptr noundef nonnull %model, ptr noundef %arrayidx, i64 noundef %conv) #16
  %cmp26.not39 = icmp eq ptr %call25, null
  br i1 %cmp26.not39, label %for.cond.cleanup, label %land.rhs28.lr.ph

land.rhs28.lr.ph:                                 ; preds = %cond.end
  %states.i = getelementptr inbounds nuw i8, ptr %self, i64 72
  %14 = load i32, ptr %inputs.i, align 8
  %cmp3047 = icmp sgt i32 %14, 0
  br i1 %cmp3047, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %if.end60, %land.rhs28.lr.ph, %cond.end.critedge, %land.rhs, %cond.end
  %cmp26.not.lcssa = phi i32 [ -1, %cond.end ], [ -1, %cond.end.critedge ], [ -1, %land.rhs ], [ 0, %land.rhs28.lr.ph ], [ 0, %if.end60 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #17
  call void @llvm.stackrestore.p0(ptr %4)
  br label %cleanup

for.body:                                         ; preds = %land.rhs28.lr.ph, %if.end60
  %next.04149 = phi ptr [ %add.ptr, %if.end60 ], [ %call25, %land.rhs28.lr.ph ]
  %indvars.iv48 = phi i64 [ %indvars.iv.next, %if.end60 ], [ 0, %land.rhs28.lr.ph ]
  %15 = trunc nuw nsw i64 %indvars.iv48 to i32
  %call33 = call fastcc signext i32 @state_of(ptr noundef nonnull %model, i32 noundef signext %15) #16
  %cmp34 = icmp slt i32 %call33, 0
  br i1 %cmp34, label %cond.end39, label %cond.false37

cond.false37:                                     ; preds = %for.body
  %16 = load ptr, ptr %states.i, align 8
  %idxprom.i = zext nneg i32 %call33 to i64
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr %16, i64 %idxprom.i
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %17 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %17, 0
  br i1 %tobool.not.i, label %cond.false.i, label %cond.end39

cond.false.i:                                     ; preds = %cond.false37
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %18 = load i32, ptr %axis.i, align 8
  br label %cond.end39

cond.end39:                                       ; preds = %cond.false.i, %cond.false37, %for.body
  %cond40 = phi i32 [ -1, %for.body ], [ %18, %cond.false.i ], [ 0, %cond.false37 ]
  %arrayidx43 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv48
  %call44 = call fastcc ptr @tensor_of(ptr noundef nonnull %arrayidx43) #16
  %shape = getelementptr inbounds nuw i8, ptr %call44, i64 24
  %19 = load ptr, ptr %shape, align 8
  %rank = getelementptr inbounds nuw i8, ptr %call44, i64 16
  %20 = load i32, ptr %rank, align 8
  call fastcc void @copy_shape(ptr noundef nonnull %next.04149, ptr noundef %19, i32 noundef signext %20) #16
  %cmp45 = icmp sgt i32 %cond40, -1
  br i1 %cmp45, label %if.then47, label %if.end60

if.then47:                                        ; preds = %cond.end39
  %21 = load ptr, ptr %states.i, align 8
  %idxprom48 = sext i32 %call33 to i64
  %arrayidx49 = getelementptr inbounds %struct.tw_state, ptr %21, i64 %idxprom48
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx49, i64 16
  %22 = load i64, ptr %capacity, align 8
  %output = getelementptr inbounds nuw i8, ptr %arrayidx49, i64 4
  %23 = load i32, ptr %output, align 4
  %24 = load i32, ptr %inputs.i, align 8
  %add.i = add nsw i32 %24, %23
  %call.i = call fastcc signext i32 @ranks(ptr noundef nonnull readonly %model, i32 noundef signext %24, i32 noundef signext %add.i) #16
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %vla16, i64 %idx.ext.i
  %idxprom55 = zext nneg i32 %cond40 to i64
  %arrayidx56 = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %idxprom55
  %25 = load i64, ptr %arrayidx56, align 8
  %sub57 = sub nsw i64 %22, %25
  %arrayidx59 = getelementptr inbounds nuw i64, ptr %next.04149, i64 %idxprom55
  store i64 %sub57, ptr %arrayidx59, align 8
  br label %if.end60

if.end60:                                         ; preds = %if.then47, %cond.end39
  %26 = load i32, ptr %rank, align 8
  %idx.ext = sext i32 %26 to i64
  %add.ptr = getelementptr inbounds i64, ptr %next.04149, i64 %idx.ext
  %indvars.iv.next = add nuw nsw i64 %indvars.iv48, 1
  %27 = load i32, ptr %inputs.i, align 8
  %28 = sext i32 %27 to i64
  %cmp30 = icmp slt i64 %indvars.iv.next, %28
  br i1 %cmp30, label %for.body, label %for.cond.cleanup

cleanup:                                          ; preds = %entry, %for.cond.cleanup
  %retval.0 = phi i32 [ %cmp26.not.lcssa, %for.cond.cleanup ], [ -1, %entry ]
  ret i32 %retval.0
}

define internal signext range(i32 -1, 1) i32 @state_shape(ptr readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr readnone captures(none) %result) #1 {
entry:
  %state = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %state) #17
  %call = tail call fastcc ptr @take_first(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 3) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %call1 = call fastcc signext i32 @read_value(ptr noundef %call, ptr noundef %args, ptr noundef %state) #16
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end5, label %cleanup.sink.split

if.end5:                                          ; preds = %if.end
  %model6 = getelementptr inbounds nuw i8, ptr %call, i64 40
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 32
  %0 = load i32, ptr %state, align 4
  %specs.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  %1 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %call, i64 72
  %2 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %0 to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom.i
  %3 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %4 = load i32, ptr %rank, align 8
  %conv = sext i32 %4 to i64
  %call8 = tail call fastcc ptr @numbers_of(ptr noundef nonnull %model6, ptr noundef nonnull %arrayidx, i64 noundef %conv) #16
  %cmp9.not = icmp eq ptr %call8, null
  br i1 %cmp9.not, label %if.end13, label %if.then11

if.then11:                                        ; preds = %if.end5
  %arrayidx12 = getelementptr %struct.kept, ptr %call, i64 %idxprom.i
  %shape = getelementptr i8, ptr %arrayidx12, i64 160
  %5 = load ptr, ptr %shape, align 8
  tail call fastcc void @move_axis(ptr noundef nonnull %model6, i32 noundef signext %0, ptr noundef %5, ptr noundef %call8, i1 noundef zeroext false) #16
  br label %if.end13

if.end13:                                         ; preds = %if.then11, %if.end5
  %cond = sext i1 %cmp9.not to i32
  br label %cleanup.sink.split

cleanup.sink.split:                               ; preds = %if.end, %if.end13
  %cond.sink = phi i32 [ %cond, %if.end13 ], [ -1, %if.end ]
  tail call fastcc void @release(ptr noundef nonnull %call) #16
  br label %cleanup

cleanup:                                          ; preds = %cleanup.sink.split, %entry
  %retval.0 = phi i32 [ -1, %entry ], [ %cond.sink, %cleanup.sink.split ]
  call void @llvm.lifetime.end.p0(ptr nonnull %state) #17
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @take(ptr noundef captures(none) %session) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %is_used = getelementptr inbounds nuw i8, ptr %session, i64 148
  %0 = atomicrmw xchg ptr %is_used, i32 1 acquire, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %1 = load ptr, ptr %model1, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %1) #18
  %report = getelementptr inbounds nuw i8, ptr %session, i64 120
  %2 = load ptr, ptr %report, align 8
  call void %2(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #18
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i32 [ -1, %cond.false ], [ 0, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %cond
}

define internal fastcc signext i32 @run_filling(ptr noundef nonnull readonly captures(none) %run, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr #1 {
entry:
  %result = alloca %struct.tw_value, align 8
  %0 = load ptr, ptr %run, align 8
  %model1 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %arguments = getelementptr inbounds nuw i8, ptr %0, i64 132
  %1 = load i32, ptr %arguments, align 4
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %2, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #17
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %state_count = getelementptr inbounds nuw i8, ptr %0, i64 140
  %3 = load i32, ptr %state_count, align 4
  %add2 = add nsw i32 %3, 1
  %4 = zext i32 %add2 to i64
  %vla3 = alloca %struct.tw_tensor, i64 %4, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 16
  %5 = load ptr, ptr %outputs, align 8
  %threads = getelementptr inbounds nuw i8, ptr %run, i64 8
  %6 = load i64, ptr %threads, align 8
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %6, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %cmp.not34 = icmp sgt i32 %1, 0
  br i1 %cmp.not34, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %entry
  %inputs = getelementptr inbounds nuw i8, ptr %0, i64 128
  %specs = getelementptr inbounds nuw i8, ptr %0, i64 56
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %given.036 = phi ptr [ %5, %for.body.lr.ph ], [ %given.1.ph, %for.inc ]
  %7 = trunc nuw nsw i64 %indvars.iv to i32
  %call = call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %7) #16
  %8 = load i32, ptr %inputs, align 8
  %9 = sext i32 %8 to i64
  %cmp5 = icmp slt i64 %indvars.iv, %9
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  %10 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %11 = load ptr, ptr %frame, align 8
  %arrayidx10 = getelementptr inbounds nuw %struct.tw_value, ptr %11, i64 %indvars.iv
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx7, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx10, i64 16, i1 false)
  br label %for.inc

if.end:                                           ; preds = %for.body
  %cmp11 = icmp slt i32 %call, 0
  br i1 %cmp11, label %if.then12, label %if.end20

if.then12:                                        ; preds = %if.end
  %call13 = call fastcc signext i32 @check_argument(ptr noundef nonnull %model1, i32 noundef signext %7, ptr noundef %given.036) #16
  %cmp14.not = icmp eq i32 %call13, 0
  br i1 %cmp14.not, label %if.end16, label %cleanup41

if.end16:                                         ; preds = %if.then12
  %12 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx19 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %given.036, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx19, ptr noundef nonnull align 8 dereferenceable(16) %given.036, i64 16, i1 false)
  br label %for.inc

if.end20:                                         ; preds = %if.end
  %13 = load ptr, ptr %specs, align 8
  %arrayidx22 = getelementptr inbounds nuw %struct.tw_spec, ptr %13, i64 %indvars.iv
  %idxprom23 = zext nneg i32 %call to i64
  %arrayidx24 = getelementptr inbounds nuw %struct.tw_tensor, ptr %vla3, i64 %idxprom23
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx22, i64 44
  %14 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx22, i64 40
  %15 = load i32, ptr %rank, align 8
  %16 = load ptr, ptr %run, align 8
  %arrayidx27 = getelementptr inbounds nuw %struct.kept, ptr %16, i64 %idxprom23
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx27, i64 184
  %17 = load ptr, ptr %spare, align 8
  %18 = load ptr, ptr %sizes, align 8
  %call.i = call fastcc signext i32 @ranks(ptr noundef nonnull readonly %model1, i32 noundef signext %8, i32 noundef signext %7) #16
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %18, i64 %idx.ext.i
  call fastcc void @describe(ptr noundef nonnull %arrayidx24, i32 noundef signext %14, i32 noundef signext %15, ptr noundef %17, ptr noundef %add.ptr.i) #16
  %19 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx32 = getelementptr inbounds nuw i8, ptr %19, i64 16
  store i32 7, ptr %arrayidx32, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %19, i64 20
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %19, i64 24
  store ptr %arrayidx24, ptr %payload.i, align 8
  br label %for.inc

for.inc:                                          ; preds = %if.then, %if.end20, %if.end16
  %given.1.ph = phi ptr [ %incdec.ptr, %if.end16 ], [ %given.036, %if.end20 ], [ %given.036, %if.then ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %20 = load i32, ptr %arguments, align 4
  %21 = sext i32 %20 to i64
  %cmp.not = icmp slt i64 %indvars.iv.next, %21
  br i1 %cmp.not, label %for.body, label %for.end.loopexit

for.end.loopexit:                                 ; preds = %for.inc
  %.pre = add nsw i32 %20, 1
  br label %for.end

for.end:                                          ; preds = %for.end.loopexit, %entry
  %add39.pre-phi = phi i32 [ %.pre, %for.end.loopexit ], [ %add, %entry ]
  %run37 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %22 = load ptr, ptr %run37, align 8
  %call40 = call signext i32 %22(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add39.pre-phi, ptr noundef nonnull %result) #18
  br label %cleanup41

cleanup41:                                        ; preds = %if.then12, %for.end
  %retval.3 = phi i32 [ %call40, %for.end ], [ -1, %if.then12 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #17
  ret i32 %retval.3
}

define internal fastcc signext i32 @run_allocating(ptr noundef nonnull %run, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr #1 {
entry:
  %result = alloca %struct.tw_value, align 8
  %0 = load ptr, ptr %run, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %1, 3
  %2 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %2, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #17
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %threads = getelementptr inbounds nuw i8, ptr %run, i64 8
  %3 = load i64, ptr %threads, align 8
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %3, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %vla, i64 16
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %vla, i64 32
  store i32 4, ptr %arrayidx3, align 8
  %.compoundliteral4.sroa.2.0.arrayidx3.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 36
  store i32 0, ptr %.compoundliteral4.sroa.2.0.arrayidx3.sroa_idx, align 4
  %.compoundliteral4.sroa.3.0.arrayidx3.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 40
  store i64 0, ptr %.compoundliteral4.sroa.3.0.arrayidx3.sroa_idx, align 8
  %4 = load i64, ptr %arrayidx3, align 8
  store i64 %4, ptr %arrayidx2, align 8
  %payload9 = getelementptr inbounds nuw i8, ptr %vla, i64 24
  store ptr @allocate_output, ptr %payload9, align 8
  store ptr %run, ptr %.compoundliteral4.sroa.3.0.arrayidx3.sroa_idx, align 8
  %cmp9 = icmp sgt i32 %1, 0
  br i1 %cmp9, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %5 = load ptr, ptr %frame, align 8
  %6 = zext nneg i32 %1 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %run_allocating = getelementptr inbounds nuw i8, ptr %0, i64 96
  %7 = load ptr, ptr %run_allocating, align 8
  %call = call signext i32 %7(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add, ptr noundef nonnull %result) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #17
  ret i32 %call

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %8 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %arrayidx17 = getelementptr inbounds nuw %struct.tw_value, ptr %5, i64 %indvars.iv
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx14, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx17, i64 16, i1 false)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp = icmp samesign ult i64 %indvars.iv.next, %6
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #8

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #9

define internal fastcc signext range(i32 -1, 1) i32 @check_argument(ptr noundef readonly captures(none) %model, i32 noundef signext %argument, ptr noundef readonly captures(none) %value) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs, align 8
  %idxprom = sext i32 %argument to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom
  %call = tail call fastcc ptr @tensor_of(ptr noundef %value) #16
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr %model, align 8
  %2 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load ptr, ptr %text, align 8
  %4 = load i32, ptr %value, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.6, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef signext %4) #18
  br label %cleanup.sink.split

if.end:                                           ; preds = %entry
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 16
  %5 = load i32, ptr %rank, align 8
  %rank4 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %6 = load i32, ptr %rank4, align 8
  %cmp5.not = icmp eq i32 %5, %6
  br i1 %cmp5.not, label %if.end15, label %if.then6

if.then6:                                         ; preds = %if.end
  %7 = load ptr, ptr %model, align 8
  %8 = load ptr, ptr %arrayidx, align 8
  %text10 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %9 = load ptr, ptr %text10, align 8
  %call12 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef %7, ptr noundef %8, ptr noundef %9, i32 noundef signext %5) #18
  br label %cleanup.sink.split

if.end15:                                         ; preds = %if.end
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %10 = load i32, ptr %dtype, align 4
  %cmp16.not = icmp eq i32 %10, 0
  br i1 %cmp16.not, label %cleanup, label %land.lhs.true

land.lhs.true:                                    ; preds = %if.end15
  %dtype17 = getelementptr inbounds nuw i8, ptr %call, i64 20
  %11 = load i32, ptr %dtype17, align 4
  %cmp19.not = icmp eq i32 %11, %10
  br i1 %cmp19.not, label %cleanup, label %if.then20

if.then20:                                        ; preds = %land.lhs.true
  %12 = load ptr, ptr %model, align 8
  %13 = load ptr, ptr %arrayidx, align 8
  %text24 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %14 = load ptr, ptr %text24, align 8
  %and = and i32 %11, 255
  %shr = lshr i32 %11, 8
  %and27 = and i32 %shr, 255
  %shr29 = lshr i32 %11, 16
  %call30 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef %12, ptr noundef %13, ptr noundef %14, i32 noundef signext %and, i32 noundef signext %and27, i32 noundef signext %shr29) #18
  br label %cleanup.sink.split

cleanup.sink.split:                               ; preds = %if.then, %if.then6, %if.then20
  %.str.1.sink = phi ptr [ @.str.1, %if.then20 ], [ @.str.5, %if.then6 ], [ @.str.1, %if.then ]
  %report31 = getelementptr inbounds nuw i8, ptr %model, i64 80
  %15 = load ptr, ptr %report31, align 8
  call void %15(ptr noundef nonnull %.str.1.sink, ptr noundef nonnull %message) #18
  br label %cleanup

cleanup:                                          ; preds = %cleanup.sink.split, %if.end15, %land.lhs.true
  %retval.0 = phi i32 [ 0, %if.end15 ], [ 0, %land.lhs.true ], [ -1, %cleanup.sink.split ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %retval.0
}

define internal fastcc void @describe(ptr noundef writeonly captures(none) initializes((0, 48)) %tensor, i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef %data, ptr noundef %shape) unnamed_addr #10 {
entry:
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

define internal ptr @allocate_output(ptr noundef readonly captures(none) %context, i32 noundef signext %output, ptr noundef %shape) #1 {
entry:
  %0 = load ptr, ptr %context, align 8
  %model1 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %inputs = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %1, %output
  %call = tail call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %add) #16
  %cmp = icmp sgt i32 %call, -1
  br i1 %cmp, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %state_count = getelementptr inbounds nuw i8, ptr %0, i64 140
  %2 = load i32, ptr %state_count, align 4
  %cmp313 = icmp sgt i32 %2, 0
  br i1 %cmp313, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %states = getelementptr inbounds nuw i8, ptr %0, i64 72
  %3 = load ptr, ptr %states, align 8
  %wide.trip.count = zext nneg i32 %2 to i64
  br label %for.body

if.then:                                          ; preds = %entry
  %idxprom = zext nneg i32 %call to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %0, i64 %idxprom
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx, i64 184
  %4 = load ptr, ptr %spare, align 8
  br label %cleanup

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %number.0.lcssa = phi i32 [ %output, %for.cond.preheader ], [ %sub, %for.body ]
  %allocate = getelementptr inbounds nuw i8, ptr %context, i64 24
  %5 = load ptr, ptr %allocate, align 8
  %context8 = getelementptr inbounds nuw i8, ptr %context, i64 32
  %6 = load ptr, ptr %context8, align 8
  %call9 = tail call ptr %5(ptr noundef %6, i32 noundef signext %number.0.lcssa, ptr noundef %shape) #18
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %number.014 = phi i32 [ %output, %for.body.lr.ph ], [ %sub, %for.body ]
  %arrayidx5 = getelementptr inbounds nuw %struct.tw_state, ptr %3, i64 %indvars.iv
  %output6 = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 4
  %7 = load i32, ptr %output6, align 4
  %cmp7 = icmp slt i32 %7, %output
  %conv.neg = sext i1 %cmp7 to i32
  %sub = add i32 %number.014, %conv.neg
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:                                          ; preds = %for.cond.cleanup, %if.then
  %retval.0 = phi ptr [ %4, %if.then ], [ %call9, %for.cond.cleanup ]
  ret ptr %retval.0
}

define internal fastcc void @copy_shape(ptr noundef writeonly captures(none) %to, ptr noundef readonly captures(none) %from, i32 noundef signext %rank) unnamed_addr #11 {
entry:
  %cmp4 = icmp sgt i32 %rank, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %rank to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %from, i64 %indvars.iv
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds nuw i64, ptr %to, i64 %indvars.iv
  store i64 %0, ptr %arrayidx2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #1

define internal fastcc signext range(i32 -1, 1) i32 @check_value(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(address_is_null) %tensor) unnamed_addr #0 {
entry:
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %0 = load ptr, ptr %states, align 8
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.tw_state, ptr %0, i64 %idxprom
  %axis1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %axis1, align 8
  %call = tail call fastcc zeroext i1 @is_like_state(ptr noundef %model, i32 noundef signext %state, ptr noundef %tensor) #16
  br i1 %call, label %land.rhs, label %cond.false

land.rhs:                                         ; preds = %entry
  %cmp = icmp slt i32 %1, 0
  br i1 %cmp, label %cond.end, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %2 = load ptr, ptr %shape, align 8
  %idxprom2 = zext nneg i32 %1 to i64
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom2
  %3 = load i64, ptr %arrayidx3, align 8
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %4 = load i64, ptr %capacity, align 8
  %cmp7.not = icmp sgt i64 %3, %4
  br i1 %cmp7.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %entry, %lor.rhs
  tail call fastcc void @fail_value(ptr noundef nonnull %model, i32 noundef signext %state, ptr noundef %tensor) #16
  br label %cond.end

cond.end:                                         ; preds = %land.rhs, %lor.rhs, %cond.false
  %cond = phi i32 [ -1, %cond.false ], [ 0, %lor.rhs ], [ 0, %land.rhs ]
  ret i32 %cond
}

define internal fastcc i64 @product(ptr noundef readonly captures(none) %shape, i32 noundef signext range(i32 -2147483647, -2147483648) %first, i32 noundef signext %end, i64 noundef range(i64 0, 33) %factor) unnamed_addr #12 {
entry:
  %cmp8 = icmp slt i32 %first, %end
  br i1 %cmp8, label %for.body.preheader, label %cleanup

for.body.preheader:                               ; preds = %entry
  %0 = sext i32 %first to i64
  %wide.trip.count = sext i32 %end to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ %0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %factor.addr.09 = phi i64 [ %factor, %for.body.preheader ], [ %4, %for.inc ]
  %arrayidx = getelementptr inbounds i64, ptr %shape, i64 %indvars.iv
  %1 = load i64, ptr %arrayidx, align 8
  %cmp1 = icmp slt i64 %1, 0
  br i1 %cmp1, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %2 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %factor.addr.09, i64 %1)
  %3 = extractvalue { i64, i1 } %2, 1
  br i1 %3, label %cleanup, label %for.inc

for.inc:                                          ; preds = %lor.lhs.false
  %4 = extractvalue { i64, i1 } %2, 0
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup, label %for.body

cleanup:                                          ; preds = %for.inc, %lor.lhs.false, %for.body, %entry
  %5 = phi i64 [ %factor, %entry ], [ -1, %lor.lhs.false ], [ -1, %for.body ], [ %4, %for.inc ]
  ret i64 %5
}

declare noalias ptr @malloc(i64 noundef) local_unnamed_addr #1

define internal fastcc void @fail_memory(ptr noundef readonly captures(none) %model, i32 noundef signext %state, i64 noundef %bytes) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %0 = load ptr, ptr %model, align 8
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %1 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %2 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom.i
  %3 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i
  %4 = load ptr, ptr %arrayidx2.i, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.11, ptr noundef %0, ptr noundef %4, i64 noundef %bytes) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %5 = load ptr, ptr %report, align 8
  call void %5(ptr noundef nonnull @.str.10, ptr noundef nonnull %message) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret void
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #13

define internal fastcc signext range(i32 -1, 1) i32 @make_buffers(ptr noundef readonly captures(none) %model, ptr noundef captures(none) initializes((40, 48)) %kept, i32 noundef signext %state, ptr noundef nonnull readonly captures(none) %shape) unnamed_addr #0 {
entry:
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %3 = load i32, ptr %rank, align 8
  %add = add nsw i32 %3, 1
  %4 = zext i32 %add to i64
  %vla = alloca i64, i64 %4, align 8
  call fastcc void @copy_shape(ptr noundef nonnull %vla, ptr noundef nonnull %shape, i32 noundef signext %3) #16
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %5 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %5, 0
  br i1 %tobool.not.i, label %memory_axis.exit, label %memory_axis.exit42

memory_axis.exit:                                 ; preds = %entry
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %6 = load i32, ptr %axis.i, align 8
  %cmp = icmp sgt i32 %6, -1
  br i1 %cmp, label %cond.false.i40, label %if.end

cond.false.i40:                                   ; preds = %memory_axis.exit
  %7 = zext nneg i32 %6 to i64
  br label %memory_axis.exit42

memory_axis.exit42:                               ; preds = %entry, %cond.false.i40
  %cond.i39 = phi i64 [ %7, %cond.false.i40 ], [ 0, %entry ]
  %.in = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %8 = load i64, ptr %.in, align 8
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %vla, i64 %cond.i39
  store i64 %8, ptr %arrayidx5, align 8
  br label %if.end

if.end:                                           ; preds = %memory_axis.exit42, %memory_axis.exit
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %9 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %9, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call8 = call fastcc i64 @product(ptr noundef nonnull %vla, i32 noundef signext 0, i32 noundef signext %3, i64 noundef %conv.i) #16
  %bytes = getelementptr inbounds nuw i8, ptr %kept, i64 40
  store i64 %call8, ptr %bytes, align 8
  %cmp10 = icmp slt i64 %call8, 0
  br i1 %cmp10, label %if.then11, label %if.end13

if.then11:                                        ; preds = %if.end
  tail call fastcc void @fail_memory(ptr noundef nonnull %model, i32 noundef signext %state, i64 noundef 9223372036854775807) #16
  br label %cleanup47

if.end13:                                         ; preds = %if.end
  %add15 = add nuw i64 %call8, 1
  %call16 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add15) #18
  store ptr %call16, ptr %kept, align 8
  %10 = load i32, ptr %rank, align 8
  %conv = sext i32 %10 to i64
  %add18 = add nsw i64 %conv, 1
  %call19 = tail call noalias ptr @calloc(i64 noundef %add18, i64 noundef 8) #18
  %shape21 = getelementptr inbounds nuw i8, ptr %kept, i64 8
  store ptr %call19, ptr %shape21, align 8
  %11 = load ptr, ptr %states.i, align 8
  %arrayidx24 = getelementptr inbounds %struct.tw_state, ptr %11, i64 %idxprom.i
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx24, i64 12
  %12 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %12, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.end13
  %13 = load ptr, ptr %kept, align 8
  br label %cond.end

cond.false:                                       ; preds = %if.end13
  %call27 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add15) #18
  %.pr = load ptr, ptr %kept, align 8
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %14 = phi ptr [ %.pr, %cond.false ], [ %13, %cond.true ]
  %cond = phi ptr [ %call27, %cond.false ], [ %13, %cond.true ]
  %spare = getelementptr inbounds nuw i8, ptr %kept, i64 32
  store ptr %cond, ptr %spare, align 8
  %cmp30 = icmp eq ptr %14, null
  br i1 %cmp30, label %if.then40, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %cond.end
  %15 = load ptr, ptr %shape21, align 8
  %cmp34 = icmp eq ptr %15, null
  %cmp38 = icmp eq ptr %cond, null
  %or.cond = select i1 %cmp34, i1 true, i1 %cmp38
  br i1 %or.cond, label %if.then40, label %if.end43

if.then40:                                        ; preds = %lor.lhs.false, %cond.end
  %16 = load i64, ptr %bytes, align 8
  tail call fastcc void @fail_memory(ptr noundef nonnull %model, i32 noundef signext %state, i64 noundef %16) #16
  br label %cleanup47

if.end43:                                         ; preds = %lor.lhs.false
  %17 = load i32, ptr %rank, align 8
  tail call fastcc void @copy_shape(ptr noundef nonnull %15, ptr noundef nonnull %shape, i32 noundef signext %17) #16
  br label %cleanup47

cleanup47:                                        ; preds = %if.then40, %if.end43, %if.then11
  %retval.0 = phi i32 [ -1, %if.then11 ], [ -1, %if.then40 ], [ 0, %if.end43 ]
  ret i32 %retval.0
}

declare void @free(ptr noundef) local_unnamed_addr #1

define internal fastcc signext range(i32 -1, 1) i32 @fill_inputs(ptr noundef readonly captures(none) %session, ptr noundef readonly captures(none) %given, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr #0 {
entry:
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %inputs = getelementptr inbounds nuw i8, ptr %session, i64 128
  %0 = load i32, ptr %inputs, align 8
  %cmp.not33 = icmp sgt i32 %0, 0
  br i1 %cmp.not33, label %for.body, label %for.end

for.body:                                         ; preds = %entry, %for.inc
  %1 = phi i32 [ %4, %for.inc ], [ %0, %entry ]
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %entry ]
  %given.addr.034 = phi ptr [ %given.addr.1, %for.inc ], [ %given, %entry ]
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  %call = tail call fastcc signext i32 @state_of(ptr noundef nonnull %model1, i32 noundef signext %2) #16
  %cmp2 = icmp sgt i32 %call, -1
  br i1 %cmp2, label %for.inc, label %if.end

if.end:                                           ; preds = %for.body
  %call3 = tail call fastcc signext i32 @check_argument(ptr noundef nonnull %model1, i32 noundef signext %2, ptr noundef %given.addr.034) #16
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %if.end6, label %cleanup40

if.end6:                                          ; preds = %if.end
  %3 = load ptr, ptr %frame, align 8
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %3, i64 %indvars.iv
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %given.addr.034, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %given.addr.034, i64 16, i1 false)
  %.pre = load i32, ptr %inputs, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.end6
  %4 = phi i32 [ %1, %for.body ], [ %.pre, %if.end6 ]
  %given.addr.1 = phi ptr [ %given.addr.034, %for.body ], [ %incdec.ptr, %if.end6 ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %5 = sext i32 %4 to i64
  %cmp.not = icmp slt i64 %indvars.iv.next, %5
  br i1 %cmp.not, label %for.body, label %for.end

for.end:                                          ; preds = %for.inc, %entry
  %specs.i = getelementptr inbounds nuw i8, ptr %session, i64 56
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %6 = load i32, ptr %state_count, align 4
  %cmp9.not36 = icmp sgt i32 %6, 0
  br i1 %cmp9.not36, label %for.body11.lr.ph, label %cleanup40

for.body11.lr.ph:                                 ; preds = %for.end
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  %7 = load ptr, ptr %shapes, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %session, i64 72
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 152
  br label %for.body11

for.body11:                                       ; preds = %for.body11.lr.ph, %if.end17
  %indvars.iv42 = phi i64 [ 0, %for.body11.lr.ph ], [ %indvars.iv.next43, %if.end17 ]
  %shape.037 = phi ptr [ %7, %for.body11.lr.ph ], [ %add.ptr, %if.end17 ]
  %8 = load ptr, ptr %specs.i, align 8
  %9 = load ptr, ptr %states.i, align 8
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr %9, i64 %indvars.iv42
  %10 = load i32, ptr %arrayidx.i, align 8
  %11 = load ptr, ptr %frame, align 8
  %12 = trunc nuw nsw i64 %indvars.iv42 to i32
  %call14 = tail call fastcc signext i32 @shape_before(ptr noundef nonnull %session, i32 noundef signext %12, ptr noundef %11, ptr noundef %shape.037) #16
  %cmp15.not = icmp eq i32 %call14, 0
  br i1 %cmp15.not, label %if.end17, label %cleanup40

if.end17:                                         ; preds = %for.body11
  %idxprom1.i = sext i32 %10 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %8, i64 %idxprom1.i
  %13 = load ptr, ptr %tensors, align 8
  %arrayidx19 = getelementptr inbounds nuw %struct.tw_tensor, ptr %13, i64 %indvars.iv42
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %14 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %15 = load i32, ptr %rank, align 8
  %arrayidx21 = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv42
  %16 = load ptr, ptr %arrayidx21, align 8
  tail call fastcc void @describe(ptr noundef %arrayidx19, i32 noundef signext %14, i32 noundef signext %15, ptr noundef %16, ptr noundef %shape.037) #16
  %17 = load ptr, ptr %frame, align 8
  %18 = load ptr, ptr %states.i, align 8
  %arrayidx24 = getelementptr inbounds nuw %struct.tw_state, ptr %18, i64 %indvars.iv42
  %19 = load i32, ptr %arrayidx24, align 8
  %idxprom26 = sext i32 %19 to i64
  %arrayidx27 = getelementptr inbounds %struct.tw_value, ptr %17, i64 %idxprom26
  %20 = load ptr, ptr %tensors, align 8
  %arrayidx30 = getelementptr inbounds nuw %struct.tw_tensor, ptr %20, i64 %indvars.iv42
  store i32 7, ptr %arrayidx27, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %arrayidx27, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx27, i64 8
  store ptr %arrayidx30, ptr %payload.i, align 8
  %21 = load i32, ptr %rank, align 8
  %idx.ext = sext i32 %21 to i64
  %add.ptr = getelementptr inbounds i64, ptr %shape.037, i64 %idx.ext
  %indvars.iv.next43 = add nuw nsw i64 %indvars.iv42, 1
  %22 = load i32, ptr %state_count, align 4
  %23 = sext i32 %22 to i64
  %cmp9.not = icmp slt i64 %indvars.iv.next43, %23
  br i1 %cmp9.not, label %for.body11, label %cleanup40

cleanup40:                                        ; preds = %if.end, %for.body11, %if.end17, %for.end
  %retval.1 = phi i32 [ -1, %for.body11 ], [ 0, %for.end ], [ 0, %if.end17 ], [ -1, %if.end ]
  ret i32 %retval.1
}

define internal fastcc signext range(i32 -1, 1) i32 @start(ptr noundef captures(none) %session, ptr noundef readonly captures(none) %inputs) unnamed_addr #1 {
entry:
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %state_count = getelementptr inbounds nuw i8, ptr %session, i64 140
  %0 = load i32, ptr %state_count, align 4
  %cmp.not22 = icmp sgt i32 %0, 0
  br i1 %cmp.not22, label %for.body.lr.ph, label %cleanup23

for.body.lr.ph:                                   ; preds = %entry
  %kept2 = getelementptr inbounds nuw i8, ptr %session, i64 152
  %specs.i = getelementptr inbounds nuw i8, ptr %session, i64 56
  %states.i = getelementptr inbounds nuw i8, ptr %session, i64 72
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %cleanup
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %cleanup ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept2, i64 %indvars.iv
  %1 = load ptr, ptr %specs.i, align 8
  %2 = load ptr, ptr %states.i, align 8
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr %2, i64 %indvars.iv
  %3 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %4 = load i32, ptr %rank, align 8
  %add = add nsw i32 %4, 1
  %5 = zext i32 %add to i64
  %6 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %5, align 8
  %7 = trunc nuw nsw i64 %indvars.iv to i32
  %call3 = call fastcc signext i32 @shape_before(ptr noundef nonnull %session, i32 noundef signext %7, ptr noundef %inputs, ptr noundef nonnull %vla) #16
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %lor.lhs.false, label %cleanup23.critedge

lor.lhs.false:                                    ; preds = %for.body
  %call5 = call fastcc signext i32 @make_buffers(ptr noundef nonnull %model1, ptr noundef nonnull %arrayidx, i32 noundef signext %7, ptr noundef %vla) #16
  %cmp6.not = icmp eq i32 %call5, 0
  br i1 %cmp6.not, label %if.end, label %cleanup23.critedge

if.end:                                           ; preds = %lor.lhs.false
  %8 = load i32, ptr %rank, align 8
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %9 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %9, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call9 = call fastcc i64 @product(ptr noundef nonnull %vla, i32 noundef signext 0, i32 noundef signext %8, i64 noundef %conv.i) #16
  %initial = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %10 = load ptr, ptr %initial, align 8
  %cmp10 = icmp ne ptr %10, null
  %cmp11 = icmp sgt i64 %call9, 0
  %or.cond = select i1 %cmp10, i1 %cmp11, i1 false
  br i1 %or.cond, label %land.lhs.true12, label %cleanup

land.lhs.true12:                                  ; preds = %if.end
  %bytes13 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %11 = load i64, ptr %bytes13, align 8
  %cmp14.not = icmp sgt i64 %call9, %11
  br i1 %cmp14.not, label %cleanup, label %if.then15

if.then15:                                        ; preds = %land.lhs.true12
  %12 = load ptr, ptr %arrayidx, align 8
  %call19 = tail call ptr @memcpy(ptr noundef %12, ptr noundef nonnull %10, i64 noundef %call9) #18
  br label %cleanup

cleanup:                                          ; preds = %if.end, %land.lhs.true12, %if.then15
  call void @llvm.stackrestore.p0(ptr %6)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %13 = load i32, ptr %state_count, align 4
  %14 = sext i32 %13 to i64
  %cmp.not = icmp slt i64 %indvars.iv.next, %14
  br i1 %cmp.not, label %for.body, label %cleanup23

cleanup23.critedge:                               ; preds = %lor.lhs.false, %for.body
  call void @llvm.stackrestore.p0(ptr %6)
  br label %cleanup23

cleanup23:                                        ; preds = %cleanup, %entry, %cleanup23.critedge
  %cmp.not21 = phi i32 [ -1, %cleanup23.critedge ], [ 0, %entry ], [ 0, %cleanup ]
  ret i32 %cmp.not21
}

define internal fastcc signext range(i32 -1, 1) i32 @find_sizes(ptr noundef readonly captures(none) %model, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %count = alloca i64, align 8
  %tensor = alloca %struct.tw_tensor, align 8
  %result = alloca %struct.tw_value, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %count) #17
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %0 = load i32, ptr %inputs, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %model, i64 92
  %1 = load i32, ptr %arguments, align 4
  %call = tail call fastcc signext i32 @ranks(ptr noundef %model, i32 noundef signext %0, i32 noundef signext %1) #16
  %conv = sext i32 %call to i64
  store i64 %conv, ptr %count, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %tensor) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #17
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  %2 = load ptr, ptr %sizes, align 8
  call fastcc void @describe(ptr noundef nonnull %tensor, i32 noundef signext 81920, i32 noundef signext 1, ptr noundef %2, ptr noundef nonnull %count) #16
  %3 = load ptr, ptr %frame, align 8
  %4 = load i32, ptr %inputs, align 8
  %idxprom = sext i32 %4 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %3, i64 %idxprom
  store i32 7, ptr %arrayidx, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store ptr %tensor, ptr %payload.i, align 8
  %output_shapes = getelementptr inbounds nuw i8, ptr %model, i64 64
  %5 = load ptr, ptr %output_shapes, align 8
  %6 = load ptr, ptr %frame, align 8
  %7 = load i32, ptr %inputs, align 8
  %add = add nsw i32 %7, 1
  %call5 = call signext i32 %5(ptr noundef null, ptr noundef %6, i32 noundef signext %add, ptr noundef nonnull %result) #18
  %cmp.not = icmp eq i32 %call5, 0
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup41

for.cond.preheader:                               ; preds = %entry
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %8 = load i32, ptr %state_count, align 4
  %cmp7.not45 = icmp sgt i32 %8, 0
  br i1 %cmp7.not45, label %for.body.lr.ph, label %cleanup41

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  %9 = load ptr, ptr %states, align 8
  %wide.trip.count = zext nneg i32 %8 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %arrayidx10 = getelementptr inbounds nuw %struct.tw_state, ptr %9, i64 %indvars.iv
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx10, i64 12
  %10 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %10, 0
  br i1 %tobool.not.i, label %memory_axis.exit, label %cond.false

memory_axis.exit:                                 ; preds = %for.body
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx10, i64 8
  %11 = load i32, ptr %axis.i, align 8
  %cmp12 = icmp slt i32 %11, 0
  br i1 %cmp12, label %cond.end, label %cond.false

cond.false:                                       ; preds = %for.body, %memory_axis.exit
  %cond.i40 = phi i32 [ %11, %memory_axis.exit ], [ 0, %for.body ]
  %12 = load ptr, ptr %sizes, align 8
  %output = getelementptr inbounds nuw i8, ptr %arrayidx10, i64 4
  %13 = load i32, ptr %output, align 4
  %14 = load i32, ptr %inputs, align 8
  %add.i = add nsw i32 %14, %13
  %call.i = call fastcc signext i32 @ranks(ptr noundef nonnull readonly %model, i32 noundef signext %14, i32 noundef signext %add.i) #16
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %12, i64 %idx.ext.i
  %idxprom16 = zext nneg i32 %cond.i40 to i64
  %arrayidx17 = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %idxprom16
  %15 = load i64, ptr %arrayidx17, align 8
  br label %cond.end

cond.end:                                         ; preds = %memory_axis.exit, %cond.false
  %cond.i41 = phi i32 [ %cond.i40, %cond.false ], [ %11, %memory_axis.exit ]
  %cond = phi i64 [ %15, %cond.false ], [ 0, %memory_axis.exit ]
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx10, i64 16
  %16 = load i64, ptr %capacity, align 8
  %cmp18.not.not = icmp sgt i64 %cond, %16
  br i1 %cmp18.not.not, label %if.end21, label %for.inc

if.end21:                                         ; preds = %cond.end
  %17 = trunc nuw nsw i64 %indvars.iv to i32
  %call22 = call fastcc ptr @size_text(ptr noundef nonnull %model, i32 noundef signext %17) #16
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %18 = load ptr, ptr %tensors, align 8
  %arrayidx24 = getelementptr inbounds nuw %struct.tw_tensor, ptr %18, i64 %indvars.iv
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx24, i64 24
  %19 = load ptr, ptr %shape, align 8
  %idxprom25 = sext i32 %cond.i41 to i64
  %arrayidx26 = getelementptr inbounds i64, ptr %19, i64 %idxprom25
  %20 = load i64, ptr %arrayidx26, align 8
  %mul = shl nsw i64 %16, 1
  %21 = load ptr, ptr %model, align 8
  %sub = sub nsw i64 %cond, %20
  %cond34 = call i64 @llvm.smax.i64(i64 %cond, i64 %mul)
  %call35 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.22, ptr noundef %21, ptr noundef %call22, ptr noundef %call22, i64 noundef %16, i64 noundef %20, i64 noundef %sub, i64 noundef %cond, ptr noundef %call22, i64 noundef %cond34) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %22 = load ptr, ptr %report, align 8
  call void %22(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #18
  br label %cleanup41

for.inc:                                          ; preds = %cond.end
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup41, label %for.body

cleanup41:                                        ; preds = %for.inc, %if.end21, %for.cond.preheader, %entry
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %if.end21 ], [ 0, %for.cond.preheader ], [ 0, %for.inc ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %tensor) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %count) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @shape_before(ptr noundef readonly captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %shape) unnamed_addr #0 {
entry:
  %kept2 = getelementptr inbounds nuw i8, ptr %session, i64 152
  %idxprom = sext i32 %state to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept2, i64 %idxprom
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 144
  %0 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %0 to i1
  %cond.in.v = select i1 %loadedv, i64 8, i64 24
  %cond.in = getelementptr inbounds nuw i8, ptr %arrayidx, i64 %cond.in.v
  %cond = load ptr, ptr %cond.in, align 8
  %cmp = icmp eq ptr %cond, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %call = tail call fastcc signext i32 @first_shape(ptr noundef nonnull %model1, i32 noundef signext %state, ptr noundef %inputs, ptr noundef %shape) #16
  br label %cleanup

if.end:                                           ; preds = %entry
  %specs.i = getelementptr inbounds nuw i8, ptr %session, i64 56
  %1 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %session, i64 72
  %2 = load ptr, ptr %states.i, align 8
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %2, i64 %idxprom
  %3 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %1, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %4 = load i32, ptr %rank, align 8
  tail call fastcc void @copy_shape(ptr noundef %shape, ptr noundef nonnull %cond, i32 noundef signext %4) #16
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call, %if.then ], [ 0, %if.end ]
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @first_shape(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %shape) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %type = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  call void @llvm.lifetime.start.p0(ptr nonnull %type) #17
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %3 = load i32, ptr %rank, align 8
  %cmp.not29 = icmp sgt i32 %3, 0
  br i1 %cmp.not29, label %for.body.lr.ph, label %cleanup19

for.body.lr.ph:                                   ; preds = %entry
  %shape1 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 16
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %4 = load ptr, ptr %shape1, align 8
  %arrayidx = getelementptr inbounds nuw i64, ptr %4, i64 %indvars.iv
  %5 = load i64, ptr %arrayidx, align 8
  %6 = load ptr, ptr %states.i, align 8
  %arrayidx.i26 = getelementptr inbounds %struct.tw_state, ptr %6, i64 %idxprom.i
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i26, i64 12
  %7 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %7, 0
  br i1 %tobool.not.i, label %cond.false.i, label %memory_axis.exit

cond.false.i:                                     ; preds = %for.body
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i26, i64 8
  %8 = load i32, ptr %axis.i, align 8
  %9 = zext i32 %8 to i64
  br label %memory_axis.exit

memory_axis.exit:                                 ; preds = %for.body, %cond.false.i
  %cond.i = phi i64 [ %9, %cond.false.i ], [ 0, %for.body ]
  %cmp3 = icmp eq i64 %indvars.iv, %cond.i
  %cond = select i1 %cmp3, i64 0, i64 %5
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  store i64 %cond, ptr %arrayidx5, align 8
  %cmp7 = icmp sgt i64 %5, -1
  %or.cond = select i1 %cmp3, i1 true, i1 %cmp7
  br i1 %or.cond, label %for.inc, label %lor.lhs.false8

lor.lhs.false8:                                   ; preds = %memory_axis.exit
  %call11 = tail call fastcc zeroext i1 @find_size(ptr noundef nonnull %model, i64 noundef %5, ptr noundef %inputs, ptr noundef nonnull %arrayidx5) #16
  br i1 %call11, label %for.inc, label %if.end

if.end:                                           ; preds = %lor.lhs.false8
  call fastcc void @write_type(ptr noundef nonnull %model, i32 noundef signext %state, ptr noundef %type) #16
  %10 = load ptr, ptr %model, align 8
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  %11 = load ptr, ptr %expressions, align 8
  %sub = xor i64 %5, -1
  %arrayidx13 = getelementptr inbounds nuw %struct.tw_expression, ptr %11, i64 %sub
  %12 = load ptr, ptr %arrayidx13, align 8
  %13 = load ptr, ptr %arrayidx2.i, align 8
  %call16 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.14, ptr noundef %10, ptr noundef %12, ptr noundef %13, ptr noundef nonnull %type) #18
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  %14 = load ptr, ptr %report, align 8
  call void %14(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #18
  br label %cleanup19

for.inc:                                          ; preds = %lor.lhs.false8, %memory_axis.exit
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %15 = load i32, ptr %rank, align 8
  %16 = sext i32 %15 to i64
  %cmp.not = icmp slt i64 %indvars.iv.next, %16
  br i1 %cmp.not, label %for.body, label %cleanup19

cleanup19:                                        ; preds = %for.inc, %entry, %if.end
  %cmp.not28 = phi i32 [ -1, %if.end ], [ 0, %entry ], [ 0, %for.inc ]
  call void @llvm.lifetime.end.p0(ptr nonnull %type) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %cmp.not28
}

define internal fastcc noundef zeroext i1 @find_size(ptr noundef readonly captures(none) %model, i64 noundef range(i64 -9223372036854775808, 0) %entry1, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %size) unnamed_addr #7 {
entry:
  %inputs2 = getelementptr inbounds nuw i8, ptr %model, i64 88
  %0 = load i32, ptr %inputs2, align 8
  %cmp23 = icmp sgt i32 %0, 0
  br i1 %cmp23, label %for.body.lr.ph, label %.loopexit

for.body.lr.ph:                                   ; preds = %entry
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  %1 = load ptr, ptr %specs, align 8
  %wide.trip.count31 = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc19
  %indvars.iv28 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next29, %for.inc19 ]
  %2 = trunc nuw nsw i64 %indvars.iv28 to i32
  %call = tail call fastcc signext i32 @state_of(ptr noundef %model, i32 noundef signext %2) #16
  %cmp4 = icmp slt i32 %call, 0
  br i1 %cmp4, label %land.rhs.lr.ph, label %for.inc19

land.rhs.lr.ph:                                   ; preds = %for.body
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr %1, i64 %indvars.iv28
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %3 = load i32, ptr %rank, align 8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %smax = tail call i32 @llvm.smax.i32(i32 %3, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  %exitcond.not37 = icmp slt i32 %3, 1
  br i1 %exitcond.not37, label %for.inc19, label %for.body7.preheader

for.body7.preheader:                              ; preds = %land.rhs.lr.ph
  %4 = load ptr, ptr %shape, align 8
  br label %for.body7

for.cond3:                                        ; preds = %for.body7
  %indvars.iv.next = add nuw nsw i64 %indvars.iv38, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.inc19, label %for.body7

for.body7:                                        ; preds = %for.body7.preheader, %for.cond3
  %indvars.iv38 = phi i64 [ %indvars.iv.next, %for.cond3 ], [ 0, %for.body7.preheader ]
  %arrayidx9 = getelementptr inbounds nuw i64, ptr %4, i64 %indvars.iv38
  %5 = load i64, ptr %arrayidx9, align 8
  %cmp10 = icmp eq i64 %5, %entry1
  br i1 %cmp10, label %cleanup21, label %for.cond3

for.inc19:                                        ; preds = %for.cond3, %land.rhs.lr.ph, %for.body
  %indvars.iv.next29 = add nuw nsw i64 %indvars.iv28, 1
  %exitcond32.not = icmp eq i64 %indvars.iv.next29, %wide.trip.count31
  br i1 %exitcond32.not, label %.loopexit, label %for.body

cleanup21:                                        ; preds = %for.body7
  %arrayidx12 = getelementptr inbounds nuw %struct.tw_value, ptr %inputs, i64 %indvars.iv28
  %call13 = tail call fastcc ptr @tensor_of(ptr noundef %arrayidx12) #16
  %shape14 = getelementptr inbounds nuw i8, ptr %call13, i64 24
  %6 = load ptr, ptr %shape14, align 8
  %arrayidx16 = getelementptr inbounds nuw i64, ptr %6, i64 %indvars.iv38
  %7 = load i64, ptr %arrayidx16, align 8
  store i64 %7, ptr %size, align 8
  br label %.loopexit

.loopexit:                                        ; preds = %for.inc19, %entry, %cleanup21
  %cmp21 = phi i1 [ true, %cleanup21 ], [ false, %entry ], [ false, %for.inc19 ]
  ret i1 %cmp21
}

define internal fastcc void @write_type(ptr noundef readonly captures(none) %model, i32 noundef signext %state, ptr noundef nonnull %text) unnamed_addr #0 {
entry:
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %3 = load i32, ptr %rank, align 8
  %add = add nsw i32 %3, 1
  %4 = zext i32 %add to i64
  %vla = alloca i64, i64 %4, align 8
  %text1 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %entry ]
  %5 = load ptr, ptr %text1, align 8
  %arrayidx = getelementptr inbounds nuw i8, ptr %5, i64 %indvars.iv
  %6 = load i8, ptr %arrayidx, align 1
  switch i8 %6, label %for.body [
    i8 0, label %for.end
    i8 91, label %for.end
  ]

for.body:                                         ; preds = %for.cond
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %text, i64 %indvars.iv
  store i8 %6, ptr %arrayidx13, align 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond

for.end:                                          ; preds = %for.cond, %for.cond
  %7 = trunc nuw nsw i64 %indvars.iv to i32
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 16
  %8 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(ptr noundef %model, i32 noundef signext %state, ptr noundef %8, ptr noundef %vla, i1 noundef zeroext false) #16
  %9 = load i32, ptr %rank, align 8
  call fastcc void @write_sizes(ptr noundef %model, ptr noundef %text, i32 noundef signext %7, i32 noundef signext %9, ptr noundef nonnull %vla) #16
  ret void
}

define internal fastcc void @write_sizes(ptr noundef readonly captures(none) %model, ptr noundef nonnull %text, i32 noundef signext %length, i32 noundef signext %rank, ptr noundef readonly captures(none) %shape) unnamed_addr #0 {
entry:
  %cmp21 = icmp sgt i32 %rank, 0
  %cmp122 = icmp slt i32 %length, 512
  %0 = and i1 %cmp21, %cmp122
  br i1 %0, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  %1 = zext nneg i32 %rank to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  %length.addr.0.lcssa = phi i32 [ %length, %entry ], [ %cond17, %cond.end ]
  %idx.ext18 = sext i32 %length.addr.0.lcssa to i64
  %add.ptr19 = getelementptr inbounds i8, ptr %text, i64 %idx.ext18
  %sub21 = sub nsw i64 1024, %idx.ext18
  %cmp22 = icmp eq i32 %rank, 0
  %cond24 = select i1 %cmp22, ptr @.str.20, ptr @.str.21
  %call25 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr19, i64 noundef %sub21, ptr noundef nonnull @.str.19, ptr noundef nonnull %cond24) #18
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %cond.end ]
  %length.addr.024 = phi i32 [ %length, %for.body.lr.ph ], [ %cond17, %cond.end ]
  %cmp2 = icmp eq i64 %indvars.iv, 0
  %cond = select i1 %cmp2, ptr @.str.15, ptr @.str.16
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  %2 = load i64, ptr %arrayidx, align 8
  %cmp3 = icmp sgt i64 %2, -1
  %idx.ext = sext i32 %length.addr.024 to i64
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %idx.ext
  %sub = sub nsw i64 1024, %idx.ext
  br i1 %cmp3, label %cond.true, label %cond.false

cond.true:                                        ; preds = %for.body
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.17, ptr noundef nonnull %cond, i64 noundef %2) #18
  br label %cond.end

cond.false:                                       ; preds = %for.body
  %3 = load ptr, ptr %expressions, align 8
  %sub12 = xor i64 %2, -1
  %arrayidx13 = getelementptr inbounds nuw %struct.tw_expression, ptr %3, i64 %sub12
  %4 = load ptr, ptr %arrayidx13, align 8
  %call15 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.18, ptr noundef nonnull %cond, ptr noundef %4) #18
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %call.pn = phi i32 [ %call, %cond.true ], [ %call15, %cond.false ]
  %cond17 = add nsw i32 %call.pn, %length.addr.024
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp = icmp samesign ult i64 %indvars.iv.next, %1
  %cmp1 = icmp slt i32 %cond17, 512
  %5 = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %5, label %for.body, label %for.cond.cleanup
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

define internal fastcc ptr @size_text(ptr noundef readonly captures(none) %model, i32 noundef signext %state) unnamed_addr #14 {
entry:
  %specs.i = getelementptr inbounds nuw i8, ptr %model, i64 16
  %0 = load ptr, ptr %specs.i, align 8
  %states.i = getelementptr inbounds nuw i8, ptr %model, i64 32
  %1 = load ptr, ptr %states.i, align 8
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr %1, i64 %idxprom.i
  %2 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %2 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr %0, i64 %idxprom1.i
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 16
  %3 = load ptr, ptr %shape, align 8
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %4 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %4, 0
  br i1 %tobool.not.i, label %cond.false.i, label %memory_axis.exit

cond.false.i:                                     ; preds = %entry
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %5 = load i32, ptr %axis.i, align 8
  %6 = sext i32 %5 to i64
  br label %memory_axis.exit

memory_axis.exit:                                 ; preds = %entry, %cond.false.i
  %cond.i = phi i64 [ %6, %cond.false.i ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %3, i64 %cond.i
  %7 = load i64, ptr %arrayidx, align 8
  %cmp = icmp slt i64 %7, 0
  br i1 %cmp, label %cond.true, label %cond.end

cond.true:                                        ; preds = %memory_axis.exit
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  %8 = load ptr, ptr %expressions, align 8
  %sub = xor i64 %7, -1
  %arrayidx2 = getelementptr inbounds nuw %struct.tw_expression, ptr %8, i64 %sub
  br label %cond.end

cond.end:                                         ; preds = %memory_axis.exit, %cond.true
  %cond.in = phi ptr [ %arrayidx2, %cond.true ], [ %arrayidx2.i, %memory_axis.exit ]
  %cond = load ptr, ptr %cond.in, align 8
  ret ptr %cond
}

define internal fastcc signext i32 @fill(ptr noundef %session, i64 noundef %threads, ptr noundef %args, i32 noundef signext %count) unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %run = alloca %struct.run, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #17
  %inputs.i = getelementptr inbounds nuw i8, ptr %session, i64 128
  %0 = load i32, ptr %inputs.i, align 8
  %state_count.i = getelementptr inbounds nuw i8, ptr %session, i64 140
  %1 = load i32, ptr %state_count.i, align 4
  %sub.i = sub nsw i32 %0, %1
  %arguments = getelementptr inbounds nuw i8, ptr %session, i64 132
  %2 = load i32, ptr %arguments, align 4
  %mul = shl nsw i32 %1, 1
  %sub = sub nsw i32 %2, %mul
  %cmp.not = icmp eq i32 %count, %sub
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %model1 = getelementptr inbounds nuw i8, ptr %session, i64 40
  %3 = load ptr, ptr %model1, align 8
  %sub2 = sub nsw i32 %sub, %sub.i
  %call3 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %3, i32 noundef signext %sub, i32 noundef signext %sub.i, i32 noundef signext %sub2, i32 noundef signext %count) #18
  %report = getelementptr inbounds nuw i8, ptr %session, i64 120
  %4 = load ptr, ptr %report, align 8
  call void %4(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #18
  br label %cleanup

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %run) #17
  store ptr %session, ptr %run, align 8
  %threads6 = getelementptr inbounds nuw i8, ptr %run, i64 8
  store i64 %threads, ptr %threads6, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 16
  %idx.ext = sext i32 %sub.i to i64
  %add.ptr = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idx.ext
  store ptr %add.ptr, ptr %outputs, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 24
  store ptr null, ptr %allocate, align 8
  %context = getelementptr inbounds nuw i8, ptr %run, i64 32
  store ptr null, ptr %context, align 8
  %call7 = call fastcc signext i32 @run_session(ptr noundef %run, ptr noundef %args) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %run) #17
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ -1, %if.then ], [ %call7, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #17
  ret i32 %retval.0
}

declare i64 @llvm.smax.i64(i64, i64) #15

declare i32 @llvm.smax.i32(i32, i32) #15

attributes #0 = { noinline nounwind "no-builtins" }
attributes #1 = { nounwind "no-builtins" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "no-builtins" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { nofree noinline norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #6 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #7 = { nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #8 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #9 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #10 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: write) "no-builtins" }
attributes #11 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "no-builtins" }
attributes #12 = { nofree noinline norecurse nosync nounwind memory(argmem: read) "no-builtins" }
attributes #13 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #14 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #15 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #16 = { nobuiltin "no-builtins" }
attributes #17 = { nounwind }
attributes #18 = { nobuiltin nounwind "no-builtins" }
