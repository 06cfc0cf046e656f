; Generated from runtime/native/session.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_state = type { i32, i32, i32, i32, i64 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_expression = type { ptr, ptr, ptr, i64, i64, i64, i32 }
%struct.run = type { ptr, ptr, ptr, ptr }
%struct.frame = type { ptr, ptr, ptr, ptr }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.kept = type { %struct.value, %struct.value, ptr, i64 }
%struct.value = type { ptr, ptr }

@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_state_count = external hidden local_unnamed_addr constant i32, align 4
@tw_states = external hidden constant [0 x %struct.tw_state], align 8
@.str = private unnamed_addr constant [84 x i8] c"%s: wrong number of initial values\0A    expected: 0 or %d, one per state\0A    got: %d\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"TypeError\00", align 1
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@.str.2 = private unnamed_addr constant [131 x i8] c"%s: the last argument does not take the sizes of the outputs\0A    expected: an int64 tensor of %lld elements\0A    got: another value\00", align 1
@.str.3 = private unnamed_addr constant [85 x i8] c"%s: the count of positions is not an int\0A    expected: an int\0A    got: type index %d\00", align 1
@.str.4 = private unnamed_addr constant [80 x i8] c"%s: state %s has no value\0A    expected: a session after a call\0A    got: no call\00", align 1
@.str.5 = private unnamed_addr constant [11 x i8] c"ValueError\00", align 1
@.str.6 = private unnamed_addr constant [59 x i8] c"%s: wrong number of arguments\0A    expected: %d\0A    got: %d\00", align 1
@.str.7 = private unnamed_addr constant [108 x i8] c"%s: the first argument is no session of this model\0A    expected: a result of session\0A    got: type index %d\00", align 1
@.str.8 = private unnamed_addr constant [126 x i8] c"%s: wrong number of arguments of a session\0A    expected: %d (%d inputs, %d outputs; the session keeps the states)\0A    got: %d\00", align 1
@__tw_default_threads = external local_unnamed_addr global i32, align 4
@.str.9 = private unnamed_addr constant [53 x i8] c"%s: no memory for a session\0A    expected: %lld bytes\00", align 1
@.str.10 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.11 = private unnamed_addr constant [52 x i8] c"%s: no memory for state %s\0A    expected: %lld bytes\00", align 1
@.str.12 = private unnamed_addr constant [63 x i8] c"%s: %s is not a tensor\0A    expected: %s\0A    got: type index %d\00", align 1
@.str.13 = private unnamed_addr constant [82 x i8] c"%s: %s has the wrong number of dimensions\0A    expected: %s\0A    got: %d dimensions\00", align 1
@.str.14 = private unnamed_addr constant [84 x i8] c"%s: no input has the size %s of state %s\0A    expected: %s\0A    got: no initial value\00", align 1
@tw_expressions = external hidden local_unnamed_addr constant [0 x %struct.tw_expression], align 8
@find_sizes.SIZES = internal constant %struct.tw_spec { ptr @.str.15, ptr @.str.16, ptr null, i64 0, i64 0, i32 1, i32 81920, i32 -1, i32 0 }, align 8
@.str.15 = private unnamed_addr constant [6 x i8] c"sizes\00", align 1
@.str.16 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.17 = private unnamed_addr constant [193 x i8] c"%s: the call exceeds the capacity of %s\0A    expected: at most %lld positions after the call\0A    got: %lld + %lld = %lld\0A    hint: rewind or reset the session, or compile with a larger capacity\00", align 1
@.str.18 = private unnamed_addr constant [152 x i8] c"%s: a session cannot rewind a state that is replaced\0A    expected: states that grow\0A    got: %s: %s\0A    hint: fork the session before the calls to undo\00", align 1
@.str.19 = private unnamed_addr constant [93 x i8] c"%s: rewind by more positions than there are\0A    expected: a count of 0 to %lld\0A    got: %lld\00", align 1
@.str.20 = private unnamed_addr constant [75 x i8] c"%s: no state has this position\0A    expected: an int in 0..%d\0A    got: %lld\00", align 1
@.str.21 = private unnamed_addr constant [148 x i8] c"%s: the value of state %s does not fit\0A    expected: %s, row by row in CPU memory, with at most %lld positions\0A    got: another type, rank or shape\00", align 1

define signext i32 @__tw_session_allocating(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %run = alloca %struct.run, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 3
  %1 = load i32, ptr @tw_state_count, align 4
  %sub = sub i32 %add, %1
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %sub) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %run) #18
  store ptr %call, ptr %run, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 8
  store ptr null, ptr %outputs, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 16
  %context = getelementptr inbounds nuw i8, ptr %run, i64 24
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 40
  %2 = load ptr, ptr %payload, align 8
  store ptr %2, ptr %context, align 8
  %payload3 = getelementptr inbounds nuw i8, ptr %args, i64 24
  %3 = load ptr, ptr %payload3, align 8
  store ptr %3, ptr %allocate, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 48
  %call5 = call fastcc signext i32 @run_session(ptr noundef %run, ptr noundef nonnull %add.ptr) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %run) #18
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ %call5, %if.end ], [ -1, %entry ]
  ret i32 %retval.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

define internal fastcc ptr @session_of(ptr noundef readonly captures(none) %args, i32 noundef signext %count, i32 noundef signext %expected) unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %cmp = icmp slt i32 %expected, 0
  %cmp1.not = icmp eq i32 %count, %expected
  %or.cond = or i1 %cmp, %cmp1.not
  br i1 %or.cond, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.6, ptr noundef nonnull @tw_name, i32 noundef signext %expected, i32 noundef signext %count) #19
  br label %cleanup22.sink.split

if.end:                                           ; preds = %entry
  %cmp4 = icmp sgt i32 %count, 0
  br i1 %cmp4, label %land.lhs.true5, label %cond.end16

land.lhs.true5:                                   ; preds = %if.end
  %0 = load i32, ptr %args, align 8
  %cmp6 = icmp eq i32 %0, 68
  br i1 %cmp6, label %cond.end, label %cond.end16

cond.end:                                         ; preds = %land.lhs.true5
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %1 = load ptr, ptr %payload, align 8
  %cmp7 = icmp eq ptr %1, null
  br i1 %cmp7, label %cond.end16, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %cond.end
  %call8 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %2 = load ptr, ptr %call8, align 8
  %cmp9.not = icmp eq ptr %2, @call_session
  br i1 %cmp9.not, label %cleanup22, label %cond.end16

cond.end16:                                       ; preds = %land.lhs.true5, %lor.lhs.false, %cond.end, %if.end
  %cond17 = phi i32 [ 0, %if.end ], [ 68, %cond.end ], [ 68, %lor.lhs.false ], [ %0, %land.lhs.true5 ]
  %call18 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef nonnull @tw_name, i32 noundef signext %cond17) #19
  br label %cleanup22.sink.split

cleanup22.sink.split:                             ; preds = %if.then, %cond.end16
  %call20 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #19
  br label %cleanup22

cleanup22:                                        ; preds = %cleanup22.sink.split, %lor.lhs.false
  %retval.0 = phi ptr [ %1, %lor.lhs.false ], [ null, %cleanup22.sink.split ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret ptr %retval.0
}

define internal fastcc signext i32 @run_session(ptr noundef nonnull %run, ptr noundef readonly captures(none) %given) unnamed_addr #2 {
entry:
  %frame = alloca %struct.frame, align 8
  %0 = load ptr, ptr %run, align 8
  %1 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %2, align 8
  %3 = load i32, ptr @tw_state_count, align 4
  %add2 = add nsw i32 %3, 1
  %4 = zext i32 %add2 to i64
  %vla3 = alloca %struct.tw_tensor, i64 %4, align 8
  %call = tail call fastcc signext i32 @ranks(i32 noundef signext 0, i32 noundef signext %1) #17
  %add4 = add nsw i32 %call, 1
  %5 = zext i32 %add4 to i64
  %vla5 = alloca i64, i64 %5, align 8
  %6 = load i32, ptr @tw_arguments, align 4
  %call6 = tail call fastcc signext i32 @ranks(i32 noundef signext %1, i32 noundef signext %6) #17
  %add7 = add nsw i32 %call6, 1
  %7 = zext i32 %add7 to i64
  %vla8 = alloca i64, i64 %7, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #18
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla3, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla5, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla8, ptr %sizes, align 8
  %call9 = call fastcc signext i32 @prepare(ptr noundef %0, ptr noundef %given, ptr noundef %frame) #17
  %cmp = icmp eq i32 %call9, 0
  br i1 %cmp, label %if.then, label %if.end15

if.then:                                          ; preds = %entry
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 16
  %8 = load ptr, ptr %allocate, align 8
  %cmp10 = icmp eq ptr %8, null
  br i1 %cmp10, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.then
  %call11 = call fastcc signext i32 @run_filling(ptr noundef %run, ptr noundef %vla, ptr noundef %vla8) #17
  br label %if.end

cond.false:                                       ; preds = %if.then
  %call12 = call fastcc signext i32 @run_allocating(ptr noundef %run, ptr noundef %vla) #17
  br label %if.end

if.end:                                           ; preds = %cond.true, %cond.false
  %status.0 = phi i32 [ %call12, %cond.false ], [ %call11, %cond.true ]
  %cmp13 = icmp eq i32 %status.0, 0
  br i1 %cmp13, label %if.then14, label %if.end15

if.then14:                                        ; preds = %if.end
  %cmp10.i = icmp sgt i32 %3, 0
  br i1 %cmp10.i, label %for.body.lr.ph.i, label %replace_values.exit

for.body.lr.ph.i:                                 ; preds = %if.then14
  %kept1.i = getelementptr inbounds nuw i8, ptr %0, i64 48
  %wide.trip.count.i = zext nneg i32 %3 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %kept1.i, i64 %indvars.iv.i
  %spare.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %9 = load ptr, ptr %spare.i, align 8
  %10 = load ptr, ptr %arrayidx.i, align 8
  store ptr %10, ptr %spare.i, align 8
  store ptr %9, ptr %arrayidx.i, align 8
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %11 = load ptr, ptr %shape.i, align 8
  %arrayidx7.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv.i
  %output.i = getelementptr inbounds nuw i8, ptr %arrayidx7.i, i64 4
  %12 = load i32, ptr %output.i, align 4
  %add.i.i = add nsw i32 %12, %1
  %call.i.i = call fastcc signext i32 @ranks(i32 noundef signext %1, i32 noundef signext %add.i.i) #17
  %idx.ext.i.i = sext i32 %call.i.i to i64
  %add.ptr.i.i = getelementptr inbounds i64, ptr %vla8, i64 %idx.ext.i.i
  %13 = load i32, ptr %arrayidx7.i, align 8
  %idxprom1.i.i = sext i32 %13 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %14 = load i32, ptr %rank.i, align 8
  call fastcc void @copy_shape(ptr noundef %11, ptr noundef nonnull readonly %add.ptr.i.i, i32 noundef signext %14) #17
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %replace_values.exit, label %for.body.i

replace_values.exit:                              ; preds = %for.body.i, %if.then14
  %has_values.i = getelementptr inbounds nuw i8, ptr %0, i64 40
  store i8 1, ptr %has_values.i, align 8
  br label %if.end15

if.end15:                                         ; preds = %entry, %replace_values.exit, %if.end
  %status.011 = phi i32 [ %status.0, %if.end ], [ 0, %replace_values.exit ], [ %call9, %entry ]
  %has_values.i8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %15 = load i8, ptr %has_values.i8, align 8
  %loadedv.i = trunc i8 %15 to i1
  br i1 %loadedv.i, label %finish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end15
  call fastcc void @free_values(ptr noundef nonnull %0) #17
  br label %finish.exit

finish.exit:                                      ; preds = %if.end15, %if.then.i
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #18
  ret i32 %status.011
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define noundef nonnull ptr @__tw_states(ptr noundef writeonly captures(none) initializes((0, 4)) %count) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @tw_state_count, align 4
  store i32 %0, ptr %count, align 4
  ret ptr @tw_states
}

define signext i32 @__tvm_ffi_session(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %cmp.not = icmp eq i32 %count, 0
  br i1 %cmp.not, label %if.end.thread, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %0 = load i32, ptr @tw_state_count, align 4
  %cmp1.not = icmp eq i32 %count, %0
  br i1 %cmp1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef nonnull @tw_name, i32 noundef signext %0, i32 noundef signext %count) #19
  %call3 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #19
  br label %cleanup14

if.end:                                           ; preds = %land.lhs.true
  %call4 = tail call fastcc ptr @new_session() #17
  %cmp5 = icmp eq ptr %call4, null
  br i1 %cmp5, label %cleanup14, label %for.cond.preheader

if.end.thread:                                    ; preds = %entry
  %call421 = tail call fastcc ptr @new_session() #17
  %cmp522 = icmp eq ptr %call421, null
  br i1 %cmp522, label %cleanup14, label %for.end

for.cond.preheader:                               ; preds = %if.end
  %cmp8.not14 = icmp sgt i32 %count, 0
  br i1 %cmp8.not14, label %for.body.preheader, label %for.end

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %count to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx, align 8
  %cmp.i = icmp eq i32 %1, 0
  br i1 %cmp.i, label %for.inc, label %if.end.i

if.end.i:                                         ; preds = %for.body
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx.i.i, align 8
  %idxprom1.i.i = sext i32 %2 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i.i
  %call1.i = tail call fastcc ptr @tensor_of(ptr noundef nonnull readonly %arrayidx) #17
  %axis2.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 8
  %3 = load i32, ptr %axis2.i, align 8
  %4 = trunc nuw nsw i64 %indvars.iv to i32
  %call3.i = tail call fastcc zeroext i1 @is_like_state(i32 noundef signext %4, ptr noundef %call1.i) #17
  br i1 %call3.i, label %lor.lhs.false.i, label %if.then10.i

lor.lhs.false.i:                                  ; preds = %if.end.i
  %cmp4.i = icmp sgt i32 %3, -1
  %shape.i = getelementptr inbounds nuw i8, ptr %call1.i, i64 24
  %5 = load ptr, ptr %shape.i, align 8
  br i1 %cmp4.i, label %land.lhs.true.i, label %if.end12.i

land.lhs.true.i:                                  ; preds = %lor.lhs.false.i
  %idxprom5.i = zext nneg i32 %3 to i64
  %arrayidx6.i = getelementptr inbounds nuw i64, ptr %5, i64 %idxprom5.i
  %6 = load i64, ptr %arrayidx6.i, align 8
  %capacity.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 16
  %7 = load i64, ptr %capacity.i, align 8
  %cmp9.i = icmp sgt i64 %6, %7
  br i1 %cmp9.i, label %if.then10.i, label %if.end12.i

if.then10.i:                                      ; preds = %land.lhs.true.i, %if.end.i
  %call11.i = tail call fastcc signext i32 @fail_value(i32 noundef signext %4) #17
  br label %keep_initial.exit

if.end12.i:                                       ; preds = %land.lhs.true.i, %lor.lhs.false.i
  %arrayidx14.i = getelementptr %struct.kept, ptr %call4, i64 %indvars.iv
  %initial15.i = getelementptr i8, ptr %arrayidx14.i, i64 64
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %8 = load i32, ptr %rank.i, align 8
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 44
  %9 = load i32, ptr %dtype.i.i, align 4
  %shr.i.i = lshr i32 %9, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %call18.i = tail call fastcc i64 @product(ptr noundef %5, i32 noundef signext 0, i32 noundef signext %8, i64 noundef %conv.i.i) #17
  %conv.i = sext i32 %8 to i64
  %add.i = add nsw i64 %conv.i, 1
  %call20.i = tail call noalias ptr @calloc(i64 noundef %add.i, i64 noundef 8) #19
  %shape21.i = getelementptr i8, ptr %arrayidx14.i, i64 72
  store ptr %call20.i, ptr %shape21.i, align 8
  %add22.i = add i64 %call18.i, 1
  %call23.i = tail call noalias ptr @malloc(i64 noundef %add22.i) #19
  store ptr %call23.i, ptr %initial15.i, align 8
  %10 = load ptr, ptr %shape21.i, align 8
  %cmp25.i = icmp eq ptr %10, null
  %cmp29.i = icmp eq ptr %call23.i, null
  %or.cond.i = select i1 %cmp25.i, i1 true, i1 %cmp29.i
  br i1 %or.cond.i, label %if.then31.i, label %if.end33.i

if.then31.i:                                      ; preds = %if.end12.i
  %call32.i = tail call fastcc signext i32 @fail_memory(i32 noundef signext %4, i64 noundef %call18.i) #17
  br label %keep_initial.exit

if.end33.i:                                       ; preds = %if.end12.i
  %11 = load ptr, ptr %shape.i, align 8
  tail call fastcc void @move_axis(i32 noundef signext %4, ptr noundef %11, ptr noundef %10, i1 noundef zeroext true) #17
  %12 = load ptr, ptr %initial15.i, align 8
  %13 = load ptr, ptr %call1.i, align 8
  %byte_offset.i = getelementptr inbounds nuw i8, ptr %call1.i, i64 40
  %14 = load i64, ptr %byte_offset.i, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %13, i64 %14
  %15 = load ptr, ptr %shape.i, align 8
  tail call fastcc void @copy_value(i32 noundef signext %4, ptr noundef %12, ptr noundef %add.ptr.i, ptr noundef %15, i1 noundef zeroext true) #17
  br label %for.inc

keep_initial.exit:                                ; preds = %if.then10.i, %if.then31.i
  %retval.0.i = phi i32 [ %call32.i, %if.then31.i ], [ %call11.i, %if.then10.i ]
  %cmp10.not = icmp eq i32 %retval.0.i, 0
  br i1 %cmp10.not, label %for.inc, label %if.then11

if.then11:                                        ; preds = %keep_initial.exit
  tail call fastcc void @free_values(ptr noundef nonnull %call4) #17
  %16 = load i32, ptr @tw_state_count, align 4
  %cmp8.i = icmp sgt i32 %16, 0
  br i1 %cmp8.i, label %for.body.preheader.i, label %delete_session.exit

for.body.preheader.i:                             ; preds = %if.then11
  %wide.trip.count.i = zext nneg i32 %16 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %call4, i64 %indvars.iv.i
  %initial.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 64
  %17 = load ptr, ptr %initial.i, align 8
  tail call void @free(ptr noundef %17) #19
  %shape.i11 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 72
  %18 = load ptr, ptr %shape.i11, align 8
  tail call void @free(ptr noundef %18) #19
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %delete_session.exit, label %for.body.i

delete_session.exit:                              ; preds = %for.body.i, %if.then11
  tail call void @free(ptr noundef nonnull %call4) #19
  br label %cleanup14

for.inc:                                          ; preds = %if.end33.i, %for.body, %keep_initial.exit
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %if.end.thread, %for.cond.preheader
  %call42326 = phi ptr [ %call421, %if.end.thread ], [ %call4, %for.cond.preheader ], [ %call4, %for.inc ]
  store i32 68, ptr %result, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %result, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %result, i64 8
  store ptr %call42326, ptr %payload.i, align 8
  br label %cleanup14

cleanup14:                                        ; preds = %if.end.thread, %delete_session.exit, %for.end, %if.end, %if.then
  %retval.0 = phi i32 [ %call3, %if.then ], [ -1, %delete_session.exit ], [ 0, %for.end ], [ -1, %if.end ], [ -1, %if.end.thread ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #0

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #4

define internal fastcc noalias ptr @new_session() unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %0 = load i32, ptr @tw_state_count, align 4
  %conv = sext i32 %0 to i64
  %mul = mul nsw i64 %conv, 48
  %add = add nsw i64 %mul, 48
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add) #19
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.9, ptr noundef nonnull @tw_name, i64 noundef %add) #19
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.10, ptr noundef nonnull %message) #19
  br label %cleanup

if.end:                                           ; preds = %entry
  store i64 4294967297, ptr %call, align 8
  %type_index = getelementptr inbounds nuw i8, ptr %call, i64 8
  store i32 68, ptr %type_index, align 8
  %free = getelementptr inbounds nuw i8, ptr %call, i64 16
  store ptr @delete_session, ptr %free, align 8
  %call10 = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr @call_session, ptr %call10, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret ptr %call
}

define internal void @delete_session(ptr noundef %self, i32 noundef signext %flags) #0 {
entry:
  %and = and i32 %flags, 1
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  tail call fastcc void @free_values(ptr noundef %self) #17
  %0 = load i32, ptr @tw_state_count, align 4
  %cmp8 = icmp sgt i32 %0, 0
  br i1 %cmp8, label %for.body.preheader, label %if.end

for.body.preheader:                               ; preds = %if.then
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %self, i64 %indvars.iv
  %initial = getelementptr inbounds nuw i8, ptr %arrayidx, i64 64
  %1 = load ptr, ptr %initial, align 8
  tail call void @free(ptr noundef %1) #19
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 72
  %2 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %2) #19
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %if.end, label %for.body

if.end:                                           ; preds = %for.body, %if.then, %entry
  %and5 = and i32 %flags, 2
  %tobool6.not = icmp eq i32 %and5, 0
  br i1 %tobool6.not, label %if.end8, label %if.then7

if.then7:                                         ; preds = %if.end
  tail call void @free(ptr noundef %self) #19
  br label %if.end8

if.end8:                                          ; preds = %if.then7, %if.end
  ret void
}

define signext i32 @__tvm_ffi_session_output_shapes(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %frame = alloca %struct.frame, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 2
  %1 = load i32, ptr @tw_state_count, align 4
  %sub = sub i32 %add, %1
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext %sub) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup74, label %if.end

if.end:                                           ; preds = %entry
  %add1 = add nsw i32 %0, 1
  %2 = zext i32 %add1 to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %2, align 8
  %add2 = add nsw i32 %1, 1
  %4 = zext i32 %add2 to i64
  %vla3 = alloca %struct.tw_tensor, i64 %4, align 8
  %call4 = tail call fastcc signext i32 @ranks(i32 noundef signext 0, i32 noundef signext %0) #17
  %add5 = add nsw i32 %call4, 1
  %5 = zext i32 %add5 to i64
  %vla6 = alloca i64, i64 %5, align 8
  %6 = load i32, ptr @tw_arguments, align 4
  %call7 = tail call fastcc signext i32 @ranks(i32 noundef signext %0, i32 noundef signext %6) #17
  %add8 = add nsw i32 %call7, 1
  %7 = zext i32 %add8 to i64
  %vla9 = alloca i64, i64 %7, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #18
  store ptr %vla, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store ptr %vla3, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store ptr %vla6, ptr %shapes, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store ptr %vla9, ptr %sizes, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %call10 = call fastcc signext i32 @prepare(ptr noundef nonnull %call, ptr noundef nonnull %add.ptr, ptr noundef %frame) #17
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 40
  %8 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %8 to i1
  br i1 %loadedv.i, label %finish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end
  call fastcc void @free_values(ptr noundef nonnull %call) #17
  br label %finish.exit

finish.exit:                                      ; preds = %if.end, %if.then.i
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %for.cond.preheader, label %cleanup70

for.cond.preheader:                               ; preds = %finish.exit
  %cmp1423 = icmp slt i32 %0, %6
  br i1 %cmp1423, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %for.cond.preheader
  %9 = sext i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %for.cond.preheader
  %total.0.lcssa = phi i64 [ 0, %for.cond.preheader ], [ %add17, %cond.end ]
  %10 = sext i32 %count to i64
  %11 = getelementptr %struct.tw_value, ptr %args, i64 %10
  %arrayidx20 = getelementptr i8, ptr %11, i64 -16
  %call21 = call fastcc ptr @tensor_of(ptr noundef %arrayidx20) #17
  %cmp22 = icmp eq ptr %call21, null
  br i1 %cmp22, label %if.then37, label %lor.lhs.false

for.body:                                         ; preds = %for.body.preheader, %cond.end
  %indvars.iv = phi i64 [ %9, %for.body.preheader ], [ %indvars.iv.next, %cond.end ]
  %total.024 = phi i64 [ 0, %for.body.preheader ], [ %add17, %cond.end ]
  %12 = trunc nsw i64 %indvars.iv to i32
  %call15 = call fastcc signext i32 @state_of(i32 noundef signext %12) #17
  %cmp16 = icmp slt i32 %call15, 0
  br i1 %cmp16, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %13 = load i32, ptr %rank, align 8
  %14 = sext i32 %13 to i64
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %14, %cond.true ], [ 0, %for.body ]
  %add17 = add nsw i64 %cond, %total.024
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %lftr.wideiv = trunc i64 %indvars.iv.next to i32
  %exitcond.not = icmp eq i32 %6, %lftr.wideiv
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

lor.lhs.false:                                    ; preds = %for.cond.cleanup
  %device_type = getelementptr inbounds nuw i8, ptr %call21, i64 8
  %15 = load i32, ptr %device_type, align 8
  %cmp24.not = icmp eq i32 %15, 1
  br i1 %cmp24.not, label %lor.lhs.false26, label %if.then37

lor.lhs.false26:                                  ; preds = %lor.lhs.false
  %dtype = getelementptr inbounds nuw i8, ptr %call21, i64 20
  %16 = load i32, ptr %dtype, align 4
  %cmp27.not = icmp eq i32 %16, 81920
  br i1 %cmp27.not, label %lor.lhs.false29, label %if.then37

lor.lhs.false29:                                  ; preds = %lor.lhs.false26
  %rank30 = getelementptr inbounds nuw i8, ptr %call21, i64 16
  %17 = load i32, ptr %rank30, align 8
  %cmp31.not = icmp eq i32 %17, 1
  br i1 %cmp31.not, label %lor.lhs.false33, label %if.then37

lor.lhs.false33:                                  ; preds = %lor.lhs.false29
  %shape = getelementptr inbounds nuw i8, ptr %call21, i64 24
  %18 = load ptr, ptr %shape, align 8
  %19 = load i64, ptr %18, align 8
  %cmp35 = icmp slt i64 %19, %total.0.lcssa
  br i1 %cmp35, label %if.then37, label %if.end41

if.then37:                                        ; preds = %lor.lhs.false33, %lor.lhs.false29, %lor.lhs.false26, %lor.lhs.false, %for.cond.cleanup
  %call38 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, i64 noundef %total.0.lcssa) #19
  %call40 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #19
  br label %cleanup70

if.end41:                                         ; preds = %lor.lhs.false33
  br i1 %cmp1423, label %for.cond49.preheader.preheader, label %cleanup70

for.cond49.preheader.preheader:                   ; preds = %if.end41
  %20 = load ptr, ptr %call21, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call21, i64 40
  %21 = load i64, ptr %byte_offset, align 8
  %add.ptr42 = getelementptr inbounds nuw i8, ptr %20, i64 %21
  %22 = sext i32 %0 to i64
  br label %for.cond49.preheader

for.cond49.preheader:                             ; preds = %for.cond49.preheader.preheader, %for.cond.cleanup58
  %indvars.iv38 = phi i64 [ %22, %for.cond49.preheader.preheader ], [ %indvars.iv.next39, %for.cond.cleanup58 ]
  %next.031 = phi ptr [ %add.ptr42, %for.cond49.preheader.preheader ], [ %next.1.lcssa, %for.cond.cleanup58 ]
  %23 = trunc nsw i64 %indvars.iv38 to i32
  %call50 = call fastcc signext i32 @state_of(i32 noundef signext %23) #17
  %cmp51 = icmp slt i32 %call50, 0
  br i1 %cmp51, label %land.rhs.lr.ph, label %for.cond.cleanup58

land.rhs.lr.ph:                                   ; preds = %for.cond49.preheader
  %arrayidx54 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv38
  %rank55 = getelementptr inbounds nuw i8, ptr %arrayidx54, i64 40
  %24 = load i32, ptr %rank55, align 8
  %smax = call i32 @llvm.smax.i32(i32 %24, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  %exitcond37.not45 = icmp slt i32 %24, 1
  br i1 %exitcond37.not45, label %for.cond.cleanup58, label %for.body59.preheader

for.body59.preheader:                             ; preds = %land.rhs.lr.ph
  %call.i = call fastcc signext i32 @ranks(i32 noundef signext %0, i32 noundef signext %23) #17
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %vla9, i64 %idx.ext.i
  br label %for.body59

for.cond.cleanup58:                               ; preds = %for.body59, %land.rhs.lr.ph, %for.cond49.preheader
  %next.1.lcssa = phi ptr [ %next.031, %for.cond49.preheader ], [ %next.031, %land.rhs.lr.ph ], [ %incdec.ptr, %for.body59 ]
  %indvars.iv.next39 = add nsw i64 %indvars.iv38, 1
  %lftr.wideiv41 = trunc i64 %indvars.iv.next39 to i32
  %exitcond42.not = icmp eq i32 %6, %lftr.wideiv41
  br i1 %exitcond42.not, label %cleanup70, label %for.cond49.preheader

for.body59:                                       ; preds = %for.body59.preheader, %for.body59
  %next.12647 = phi ptr [ %incdec.ptr, %for.body59 ], [ %next.031, %for.body59.preheader ]
  %indvars.iv3446 = phi i64 [ %indvars.iv.next35, %for.body59 ], [ 0, %for.body59.preheader ]
  %arrayidx63 = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %indvars.iv3446
  %25 = load i64, ptr %arrayidx63, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %next.12647, i64 8
  store i64 %25, ptr %next.12647, align 8
  %indvars.iv.next35 = add nuw nsw i64 %indvars.iv3446, 1
  %exitcond37.not = icmp eq i64 %indvars.iv.next35, %wide.trip.count
  br i1 %exitcond37.not, label %for.cond.cleanup58, label %for.body59

cleanup70:                                        ; preds = %for.cond.cleanup58, %if.end41, %if.then37, %finish.exit
  %retval.1 = phi i32 [ -1, %finish.exit ], [ %call40, %if.then37 ], [ 0, %if.end41 ], [ 0, %for.cond.cleanup58 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #18
  call void @llvm.stackrestore.p0(ptr %3)
  br label %cleanup74

cleanup74:                                        ; preds = %entry, %cleanup70
  %retval.0 = phi i32 [ %retval.1, %cleanup70 ], [ -1, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

declare ptr @llvm.stacksave.p0() #5

define internal fastcc signext i32 @ranks(i32 noundef signext %first, i32 noundef signext %end) unnamed_addr #6 {
entry:
  %cmp4 = icmp slt i32 %first, %end
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %0 = sext i32 %first to i64
  %wide.trip.count = sext i32 %end to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %sum.0.lcssa = phi i32 [ 0, %entry ], [ %add, %for.body ]
  ret i32 %sum.0.lcssa

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ %0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %sum.05 = phi i32 [ 0, %for.body.preheader ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %1 = load i32, ptr %rank, align 8
  %add = add nsw i32 %1, %sum.05
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc signext i32 @prepare(ptr noundef captures(none) %session, ptr noundef readonly captures(none) %given, ptr noundef nonnull readonly captures(none) %frame) unnamed_addr #2 {
entry:
  %0 = load ptr, ptr %frame, align 8
  %tensors = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %1 = load ptr, ptr %tensors, align 8
  %shapes = getelementptr inbounds nuw i8, ptr %frame, i64 16
  %2 = load ptr, ptr %shapes, align 8
  %call = tail call fastcc signext i32 @fill_inputs(ptr noundef %session, ptr noundef %given, ptr noundef %0, ptr noundef %1, ptr noundef %2) #17
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 40
  %3 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %3 to i1
  br i1 %loadedv, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false
  %4 = load ptr, ptr %frame, align 8
  %call2 = tail call fastcc signext i32 @start(ptr noundef nonnull %session, ptr noundef %4) #17
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end, label %return

if.end:                                           ; preds = %land.lhs.true, %lor.lhs.false
  %5 = load i32, ptr @tw_state_count, align 4
  %cmp413 = icmp sgt i32 %5, 0
  br i1 %cmp413, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 48
  %wide.trip.count = zext nneg i32 %5 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end
  %6 = load ptr, ptr %frame, align 8
  %sizes = getelementptr inbounds nuw i8, ptr %frame, i64 24
  %7 = load ptr, ptr %sizes, align 8
  %call10 = tail call fastcc signext i32 @find_sizes(ptr noundef %6, ptr noundef %7) #17
  br label %return

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv
  %8 = load ptr, ptr %arrayidx, align 8
  %9 = load ptr, ptr %tensors, align 8
  %arrayidx7 = getelementptr inbounds nuw %struct.tw_tensor, ptr %9, i64 %indvars.iv
  store ptr %8, ptr %arrayidx7, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

return:                                           ; preds = %entry, %land.lhs.true, %for.cond.cleanup
  %retval.0 = phi i32 [ %call10, %for.cond.cleanup ], [ -1, %land.lhs.true ], [ -1, %entry ]
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -2147483648, 2147483647) i32 @state_of(i32 noundef signext %argument) unnamed_addr #6 {
entry:
  %0 = load i32, ptr @tw_state_count, align 4
  %cmp7 = icmp sgt i32 %0, 0
  br i1 %cmp7, label %for.body.lr.ph, label %cleanup

for.body.lr.ph:                                   ; preds = %entry
  %1 = load i32, ptr @tw_inputs, align 4
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx, align 8
  %cmp1 = icmp eq i32 %2, %argument
  br i1 %cmp1, label %cleanup.loopexit.split.loop.exit, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %output = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %3 = load i32, ptr %output, align 4
  %add = add nsw i32 %3, %1
  %cmp4 = icmp eq i32 %add, %argument
  br i1 %cmp4, label %cleanup.loopexit.split.loop.exit12, label %for.inc

for.inc:                                          ; preds = %lor.lhs.false
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup, label %for.body

cleanup.loopexit.split.loop.exit:                 ; preds = %for.body
  %4 = trunc nuw nsw i64 %indvars.iv to i32
  br label %cleanup

cleanup.loopexit.split.loop.exit12:               ; preds = %lor.lhs.false
  %5 = trunc nuw nsw i64 %indvars.iv to i32
  br label %cleanup

cleanup:                                          ; preds = %for.inc, %cleanup.loopexit.split.loop.exit, %cleanup.loopexit.split.loop.exit12, %entry
  %6 = phi i32 [ -1, %entry ], [ %4, %cleanup.loopexit.split.loop.exit ], [ %5, %cleanup.loopexit.split.loop.exit12 ], [ -1, %for.inc ]
  ret i32 %6
}

define internal fastcc ptr @tensor_of(ptr noundef readonly captures(none) %value) unnamed_addr #7 {
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

declare void @llvm.stackrestore.p0(ptr) #5

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_reset(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  tail call fastcc void @free_values(ptr noundef nonnull %call) #17
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ 0, %if.end ], [ -1, %entry ]
  ret i32 %retval.0
}

define internal fastcc void @free_values(ptr noundef captures(none) %session) unnamed_addr #2 {
entry:
  %0 = load i32, ptr @tw_state_count, align 4
  %cmp10 = icmp sgt i32 %0, 0
  br i1 %cmp10, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %kept1 = getelementptr inbounds nuw i8, ptr %session, i64 48
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end, %entry
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 40
  store i8 0, ptr %has_values, align 8
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %if.end
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %if.end ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept1, i64 %indvars.iv
  %1 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %1) #19
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %2 = load ptr, ptr %spare, align 8
  %3 = load ptr, ptr %arrayidx, align 8
  %cmp4.not = icmp eq ptr %2, %3
  br i1 %cmp4.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body
  tail call void @free(ptr noundef %2) #19
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %4 = load ptr, ptr %shape, align 8
  tail call void @free(ptr noundef %4) #19
  store ptr null, ptr %arrayidx, align 8
  store ptr null, ptr %shape, align 8
  store ptr null, ptr %spare, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define signext i32 @__tvm_ffi_session_rewind(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 2) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup17, label %if.end

if.end:                                           ; preds = %entry
  %arrayidx = getelementptr inbounds nuw i8, ptr %args, i64 16
  %0 = load i32, ptr %arrayidx, align 8
  %cmp1.not = icmp eq i32 %0, 1
  br i1 %cmp1.not, label %if.end8, label %if.then2

if.then2:                                         ; preds = %if.end
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef nonnull @tw_name, i32 noundef signext %0) #19
  %call7 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #19
  br label %cleanup17

if.end8:                                          ; preds = %if.end
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 24
  %1 = load i64, ptr %payload, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #18
  %2 = load i32, ptr @tw_state_count, align 4
  %cmp.not24.i = icmp sgt i32 %2, 0
  br i1 %cmp.not24.i, label %for.body.lr.ph.i, label %for.cond.critedge

for.body.lr.ph.i:                                 ; preds = %if.end8
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 40
  %3 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %3 to i1
  %cmp7.i = icmp slt i64 %1, 0
  %wide.trip.count.i = zext nneg i32 %2 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  br i1 %loadedv.i, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %for.body.i
  %arrayidx.i.i = getelementptr inbounds nuw %struct.kept, ptr %call, i64 %indvars.iv.i
  %cond.in.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 56
  %cond.i.i = load ptr, ptr %cond.in.i.i, align 8
  %cmp.i.i = icmp eq ptr %cond.i.i, null
  br i1 %cmp.i.i, label %cond.end.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %cond.true.i
  %arrayidx.i.i.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv.i
  %appends.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 12
  %4 = load i32, ptr %appends.i.i.i, align 4
  %tobool.not.i.i.i = icmp eq i32 %4, 0
  br i1 %tobool.not.i.i.i, label %memory_axis.exit.i.i, label %memory_axis.exit13.i.i

memory_axis.exit.i.i:                             ; preds = %lor.lhs.false.i.i
  %axis.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 8
  %5 = load i32, ptr %axis.i.i.i, align 8
  %cmp4.i.i = icmp slt i32 %5, 0
  br i1 %cmp4.i.i, label %cond.end.i, label %cond.false.i11.i.i

cond.false.i11.i.i:                               ; preds = %memory_axis.exit.i.i
  %6 = zext nneg i32 %5 to i64
  br label %memory_axis.exit13.i.i

memory_axis.exit13.i.i:                           ; preds = %cond.false.i11.i.i, %lor.lhs.false.i.i
  %cond.i10.i.i = phi i64 [ %6, %cond.false.i11.i.i ], [ 0, %lor.lhs.false.i.i ]
  %arrayidx9.i.i = getelementptr inbounds nuw i64, ptr %cond.i.i, i64 %cond.i10.i.i
  %7 = load i64, ptr %arrayidx9.i.i, align 8
  br label %cond.end.i

cond.end.i:                                       ; preds = %memory_axis.exit13.i.i, %memory_axis.exit.i.i, %cond.true.i, %for.body.i
  %cond.i = phi i64 [ 0, %for.body.i ], [ %7, %memory_axis.exit13.i.i ], [ 0, %memory_axis.exit.i.i ], [ 0, %cond.true.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv.i
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %8 = load i32, ptr %axis.i, align 8
  %cmp1.i = icmp slt i32 %8, 0
  br i1 %cmp1.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %cond.end.i
  %idxprom.i13.i = and i64 %indvars.iv.i, 4294967295
  %arrayidx.i14.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %idxprom.i13.i
  %9 = load i32, ptr %arrayidx.i14.i, align 8
  %idxprom1.i.i = sext i32 %9 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i.i
  %10 = load ptr, ptr %arrayidx2.i.i, align 8
  %text.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 8
  %11 = load ptr, ptr %text.i, align 8
  %call4.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.18, ptr noundef nonnull @tw_name, ptr noundef %10, ptr noundef %11) #19
  br label %cleanup15.sink.split.i

if.end.i:                                         ; preds = %cond.end.i
  %cmp8.i = icmp sgt i64 %1, %cond.i
  %or.cond.i = select i1 %cmp7.i, i1 true, i1 %cmp8.i
  br i1 %or.cond.i, label %if.then9.i, label %for.inc.i

if.then9.i:                                       ; preds = %if.end.i
  %call11.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.19, ptr noundef nonnull @tw_name, i64 noundef %cond.i, i64 noundef %1) #19
  br label %cleanup15.sink.split.i

for.inc.i:                                        ; preds = %if.end.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %for.cond.critedge, label %for.body.i

cleanup15.sink.split.i:                           ; preds = %if.then9.i, %if.then.i
  %call13.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i) #19
  %12 = icmp eq i32 %call13.i, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #18
  br i1 %12, label %for.cond.preheader, label %cleanup17

for.cond.critedge:                                ; preds = %for.inc.i, %if.end8
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #18
  br label %for.cond.preheader

for.cond.preheader:                               ; preds = %cleanup15.sink.split.i, %for.cond.critedge
  %cmp14 = icmp sgt i64 %1, 0
  %13 = and i1 %cmp14, %cmp.not24.i
  br i1 %13, label %for.body.lr.ph, label %cleanup17

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %kept = getelementptr inbounds nuw i8, ptr %call, i64 48
  %14 = zext nneg i32 %2 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %drop.exit
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %drop.exit ]
  %arrayidx16 = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv
  %arrayidx.i.i12 = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv
  %15 = load i32, ptr %arrayidx.i.i12, align 8
  %idxprom1.i.i13 = sext i32 %15 to i64
  %arrayidx2.i.i14 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i.i13
  %appends.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i12, i64 12
  %16 = load i32, ptr %appends.i.i, align 4
  %tobool.not.i.i = icmp eq i32 %16, 0
  br i1 %tobool.not.i.i, label %cond.false.i.i, label %memory_axis.exit.i

cond.false.i.i:                                   ; preds = %for.body
  %axis.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i12, i64 8
  %17 = load i32, ptr %axis.i.i, align 8
  br label %memory_axis.exit.i

memory_axis.exit.i:                               ; preds = %cond.false.i.i, %for.body
  %cond.i.i15 = phi i32 [ %17, %cond.false.i.i ], [ 0, %for.body ]
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx16, i64 8
  %18 = load ptr, ptr %shape.i, align 8
  %idxprom.i = sext i32 %cond.i.i15 to i64
  %arrayidx.i16 = getelementptr inbounds i64, ptr %18, i64 %idxprom.i
  %19 = load i64, ptr %arrayidx.i16, align 8
  %call4.i17 = call fastcc i64 @product(ptr noundef %18, i32 noundef signext 0, i32 noundef signext %cond.i.i15, i64 noundef 1) #17
  %add.i = add nsw i32 %cond.i.i15, 1
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i14, i64 40
  %20 = load i32, ptr %rank.i, align 8
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i14, i64 44
  %21 = load i32, ptr %dtype.i.i, align 4
  %shr.i.i = lshr i32 %21, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %call8.i = call fastcc i64 @product(ptr noundef %18, i32 noundef signext %add.i, i32 noundef signext %20, i64 noundef %conv.i.i) #17
  %sub.i = sub nsw i64 %19, %1
  store i64 %sub.i, ptr %arrayidx.i16, align 8
  br i1 %tobool.not.i.i, label %for.cond.preheader.i, label %drop.exit

for.cond.preheader.i:                             ; preds = %memory_axis.exit.i
  %mul.i = mul i64 %call8.i, %sub.i
  %cmp.i = icmp sgt i64 %mul.i, 0
  %cmp1528.i = icmp sgt i64 %call4.i17, 0
  %22 = select i1 %cmp.i, i1 %cmp1528.i, i1 false
  br i1 %22, label %for.body.lr.ph.i18, label %for.cond.cleanup.i

for.body.lr.ph.i18:                               ; preds = %for.cond.preheader.i
  %spare.i = getelementptr inbounds nuw i8, ptr %arrayidx16, i64 32
  %mul19.i = mul i64 %call8.i, %19
  br label %for.body.i19

for.cond.cleanup.i:                               ; preds = %for.body.i19, %for.cond.preheader.i
  %spare24.i = getelementptr inbounds nuw i8, ptr %arrayidx16, i64 32
  %23 = load ptr, ptr %spare24.i, align 8
  %24 = load ptr, ptr %arrayidx16, align 8
  store ptr %24, ptr %spare24.i, align 8
  store ptr %23, ptr %arrayidx16, align 8
  br label %drop.exit

for.body.i19:                                     ; preds = %for.body.i19, %for.body.lr.ph.i18
  %at.029.i = phi i64 [ 0, %for.body.lr.ph.i18 ], [ %inc.i, %for.body.i19 ]
  %25 = load ptr, ptr %spare.i, align 8
  %mul17.i = mul i64 %at.029.i, %mul.i
  %add.ptr.i = getelementptr inbounds i8, ptr %25, i64 %mul17.i
  %26 = load ptr, ptr %arrayidx16, align 8
  %mul20.i = mul i64 %mul19.i, %at.029.i
  %add.ptr21.i = getelementptr inbounds i8, ptr %26, i64 %mul20.i
  %call23.i = call ptr @memcpy(ptr noundef %add.ptr.i, ptr noundef %add.ptr21.i, i64 noundef %mul.i) #19
  %inc.i = add nuw nsw i64 %at.029.i, 1
  %exitcond.not = icmp eq i64 %inc.i, %call4.i17
  br i1 %exitcond.not, label %for.cond.cleanup.i, label %for.body.i19

drop.exit:                                        ; preds = %memory_axis.exit.i, %for.cond.cleanup.i
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp15 = icmp samesign ult i64 %indvars.iv.next, %14
  br i1 %cmp15, label %for.body, label %cleanup17

cleanup17:                                        ; preds = %drop.exit, %for.cond.preheader, %cleanup15.sink.split.i, %entry, %if.then2
  %retval.0 = phi i32 [ -1, %entry ], [ %call7, %if.then2 ], [ -1, %cleanup15.sink.split.i ], [ 0, %for.cond.preheader ], [ 0, %drop.exit ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_fork(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #0 {
entry:
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 1) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup12, label %cond.end

cond.end:                                         ; preds = %entry
  %call1 = tail call fastcc ptr @new_session() #17
  %cmp2 = icmp eq ptr %call1, null
  br i1 %cmp2, label %cleanup12, label %for.cond.preheader

for.cond.preheader:                               ; preds = %cond.end
  %0 = load i32, ptr @tw_state_count, align 4
  %cmp3.not23 = icmp sgt i32 %0, 0
  br i1 %cmp3.not23, label %for.body.lr.ph, label %for.end

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %kept = getelementptr inbounds nuw i8, ptr %call1, i64 48
  %kept4 = getelementptr inbounds nuw i8, ptr %call, i64 48
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv
  %arrayidx6 = getelementptr inbounds nuw %struct.kept, ptr %kept4, i64 %indvars.iv
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx.i.i, align 8
  %idxprom1.i.i = sext i32 %1 to i64
  %arrayidx2.i.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i.i
  %initial.i = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 16
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 24
  %2 = load ptr, ptr %shape.i, align 8
  %cmp.not.i = icmp eq ptr %2, null
  br i1 %cmp.not.i, label %if.end32.i, label %if.then.i

if.then.i:                                        ; preds = %for.body
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %3 = load i32, ptr %rank.i, align 8
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 44
  %4 = load i32, ptr %dtype.i.i, align 4
  %shr.i.i = lshr i32 %4, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %call4.i = tail call fastcc i64 @product(ptr noundef nonnull %2, i32 noundef signext 0, i32 noundef signext %3, i64 noundef %conv.i.i) #17
  %conv.i = sext i32 %3 to i64
  %add.i = add nsw i64 %conv.i, 1
  %call6.i = tail call noalias ptr @calloc(i64 noundef %add.i, i64 noundef 8) #19
  %initial7.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %shape8.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store ptr %call6.i, ptr %shape8.i, align 8
  %add9.i = add i64 %call4.i, 1
  %call10.i = tail call noalias ptr @malloc(i64 noundef %add9.i) #19
  store ptr %call10.i, ptr %initial7.i, align 8
  %5 = load ptr, ptr %shape8.i, align 8
  %cmp14.i = icmp eq ptr %5, null
  %cmp18.i = icmp eq ptr %call10.i, null
  %or.cond.i = select i1 %cmp14.i, i1 true, i1 %cmp18.i
  br i1 %or.cond.i, label %copy_kept.exit, label %cleanup.thread.i

cleanup.thread.i:                                 ; preds = %if.then.i
  %6 = load ptr, ptr %shape.i, align 8
  tail call fastcc void @copy_shape(ptr noundef nonnull %5, ptr noundef %6, i32 noundef signext %3) #17
  %7 = load ptr, ptr %initial7.i, align 8
  %8 = load ptr, ptr %initial.i, align 8
  %call31.i = tail call ptr @memcpy(ptr noundef %7, ptr noundef %8, i64 noundef %call4.i) #19
  br label %if.end32.i

if.end32.i:                                       ; preds = %cleanup.thread.i, %for.body
  %shape33.i = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 8
  %9 = load ptr, ptr %shape33.i, align 8
  %cmp34.i = icmp eq ptr %9, null
  br i1 %cmp34.i, label %for.inc, label %if.end37.i

if.end37.i:                                       ; preds = %if.end32.i
  %10 = trunc nuw nsw i64 %indvars.iv to i32
  %call40.i = tail call fastcc signext i32 @make_buffers(ptr noundef nonnull %arrayidx, i32 noundef signext %10, ptr noundef %9) #17
  %cmp41.not.i = icmp eq i32 %call40.i, 0
  br i1 %cmp41.not.i, label %if.end44.i, label %for.body.preheader.i

if.end44.i:                                       ; preds = %if.end37.i
  %11 = load ptr, ptr %shape33.i, align 8
  %rank48.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 40
  %12 = load i32, ptr %rank48.i, align 8
  %dtype.i27.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 44
  %13 = load i32, ptr %dtype.i27.i, align 4
  %shr.i28.i = lshr i32 %13, 8
  %and.i29.i = and i32 %shr.i28.i, 255
  %add.i30.i = add nuw nsw i32 %and.i29.i, 7
  %div1.i31.i = lshr i32 %add.i30.i, 3
  %conv.i32.i = zext nneg i32 %div1.i31.i to i64
  %call50.i = tail call fastcc i64 @product(ptr noundef %11, i32 noundef signext 0, i32 noundef signext %12, i64 noundef %conv.i32.i) #17
  %cmp51.i = icmp sgt i64 %call50.i, 0
  br i1 %cmp51.i, label %if.then53.i, label %for.inc

if.then53.i:                                      ; preds = %if.end44.i
  %14 = load ptr, ptr %arrayidx, align 8
  %15 = load ptr, ptr %arrayidx6, align 8
  %call58.i = tail call ptr @memcpy(ptr noundef %14, ptr noundef %15, i64 noundef %call50.i) #19
  br label %for.inc

copy_kept.exit:                                   ; preds = %if.then.i
  %16 = trunc nuw nsw i64 %indvars.iv to i32
  %call21.i = tail call fastcc signext i32 @fail_memory(i32 noundef signext %16, i64 noundef %call4.i) #17
  %cmp8.not = icmp eq i32 %call21.i, 0
  br i1 %cmp8.not, label %for.inc, label %for.body.preheader.i

for.body.preheader.i:                             ; preds = %copy_kept.exit, %if.end37.i
  tail call fastcc void @free_values(ptr noundef nonnull %call1) #17
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.kept, ptr %call1, i64 %indvars.iv.i
  %initial.i13 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 64
  %17 = load ptr, ptr %initial.i13, align 8
  tail call void @free(ptr noundef %17) #19
  %shape.i14 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 72
  %18 = load ptr, ptr %shape.i14, align 8
  tail call void @free(ptr noundef %18) #19
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count
  br i1 %exitcond.not.i, label %delete_session.exit, label %for.body.i

delete_session.exit:                              ; preds = %for.body.i
  tail call void @free(ptr noundef nonnull %call1) #19
  br label %cleanup12

for.inc:                                          ; preds = %if.end44.i, %if.then53.i, %if.end32.i, %copy_kept.exit
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc, %for.cond.preheader
  %has_values = getelementptr inbounds nuw i8, ptr %call, i64 40
  %19 = load i8, ptr %has_values, align 8
  %has_values11 = getelementptr inbounds nuw i8, ptr %call1, i64 40
  %storedv = and i8 %19, 1
  store i8 %storedv, ptr %has_values11, align 8
  store i32 68, ptr %result, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %result, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %result, i64 8
  store ptr %call1, ptr %payload.i, align 8
  br label %cleanup12

cleanup12:                                        ; preds = %entry, %delete_session.exit, %cond.end, %for.end
  %retval.0 = phi i32 [ -1, %delete_session.exit ], [ 0, %for.end ], [ -1, %cond.end ], [ -1, %entry ]
  ret i32 %retval.0
}

define signext range(i32 -1, 1) i32 @__tvm_ffi_session_size(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef writeonly captures(none) %result) local_unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 2) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #18
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %args, i64 16
  %0 = load i32, ptr %arrayidx.i, align 8
  %cmp.i = icmp eq i32 %0, 1
  br i1 %cmp.i, label %cond.end.i, label %cond.end.thread.i

cond.end.thread.i:                                ; preds = %lor.lhs.false
  %1 = load i32, ptr @tw_state_count, align 4
  br label %read_state.exit

cond.end.i:                                       ; preds = %lor.lhs.false
  %payload.i = getelementptr inbounds nuw i8, ptr %args, i64 24
  %2 = load i64, ptr %payload.i, align 8
  %cmp2.i = icmp sgt i64 %2, -1
  %3 = load i32, ptr @tw_state_count, align 4
  %conv4.i = sext i32 %3 to i64
  %cmp5.i = icmp slt i64 %2, %conv4.i
  %or.cond.i = select i1 %cmp2.i, i1 %cmp5.i, i1 false
  br i1 %or.cond.i, label %read_state.exit.thread, label %read_state.exit

read_state.exit.thread:                           ; preds = %cond.end.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #18
  br label %if.end

read_state.exit:                                  ; preds = %cond.end.thread.i, %cond.end.i
  %4 = phi i32 [ %3, %cond.end.i ], [ %1, %cond.end.thread.i ]
  %cond11.i = phi i64 [ %2, %cond.end.i ], [ -1, %cond.end.thread.i ]
  %sub.i = add nsw i32 %4, -1
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.20, ptr noundef nonnull @tw_name, i32 noundef signext %sub.i, i64 noundef %cond11.i) #19
  %call8.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #18
  %cmp2.not = icmp eq i32 %call8.i, 0
  br i1 %cmp2.not, label %if.end, label %cleanup

if.end:                                           ; preds = %read_state.exit.thread, %read_state.exit
  %state.110 = phi i64 [ %2, %read_state.exit.thread ], [ %cond11.i, %read_state.exit ]
  store i32 1, ptr %result, align 8
  %kept1.i = getelementptr inbounds nuw i8, ptr %call, i64 48
  %sext = shl i64 %state.110, 32
  %idxprom.i = ashr exact i64 %sext, 32
  %arrayidx.i4 = getelementptr inbounds %struct.kept, ptr %kept1.i, i64 %idxprom.i
  %has_values.i = getelementptr inbounds nuw i8, ptr %call, i64 40
  %5 = load i8, ptr %has_values.i, align 8
  %loadedv.i = trunc i8 %5 to i1
  %cond.in.v.i = select i1 %loadedv.i, i64 8, i64 24
  %cond.in.i = getelementptr inbounds nuw i8, ptr %arrayidx.i4, i64 %cond.in.v.i
  %cond.i = load ptr, ptr %cond.in.i, align 8
  %cmp.i5 = icmp eq ptr %cond.i, null
  br i1 %cmp.i5, label %positions.exit, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.end
  %arrayidx.i.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %appends.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 12
  %6 = load i32, ptr %appends.i.i, align 4
  %tobool.not.i.i = icmp eq i32 %6, 0
  br i1 %tobool.not.i.i, label %memory_axis.exit.i, label %memory_axis.exit13.i

memory_axis.exit.i:                               ; preds = %lor.lhs.false.i
  %axis.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 8
  %7 = load i32, ptr %axis.i.i, align 8
  %cmp4.i = icmp slt i32 %7, 0
  br i1 %cmp4.i, label %positions.exit, label %cond.false.i11.i

cond.false.i11.i:                                 ; preds = %memory_axis.exit.i
  %8 = zext nneg i32 %7 to i64
  br label %memory_axis.exit13.i

memory_axis.exit13.i:                             ; preds = %cond.false.i11.i, %lor.lhs.false.i
  %cond.i10.i = phi i64 [ %8, %cond.false.i11.i ], [ 0, %lor.lhs.false.i ]
  %arrayidx9.i = getelementptr inbounds nuw i64, ptr %cond.i, i64 %cond.i10.i
  %9 = load i64, ptr %arrayidx9.i, align 8
  br label %positions.exit

positions.exit:                                   ; preds = %if.end, %memory_axis.exit.i, %memory_axis.exit13.i
  %cond11.i6 = phi i64 [ %9, %memory_axis.exit13.i ], [ 0, %memory_axis.exit.i ], [ 0, %if.end ]
  %payload = getelementptr inbounds nuw i8, ptr %result, i64 8
  store i64 %cond11.i6, ptr %payload, align 8
  br label %cleanup

cleanup:                                          ; preds = %entry, %read_state.exit, %positions.exit
  %retval.0 = phi i32 [ 0, %positions.exit ], [ -1, %read_state.exit ], [ -1, %entry ]
  ret i32 %retval.0
}

define signext i32 @__tvm_ffi_session_state(ptr noundef readnone captures(none) %self, ptr noundef readonly captures(none) %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr #0 {
entry:
  %message.i = alloca [1024 x i8], align 1
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %call = tail call fastcc ptr @session_of(ptr noundef %args, i32 noundef signext %count, i32 noundef signext 3) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup33, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %message.i) #18
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %args, i64 16
  %0 = load i32, ptr %arrayidx.i, align 8
  %cmp.i = icmp eq i32 %0, 1
  br i1 %cmp.i, label %cond.end.i, label %cond.end.thread.i

cond.end.thread.i:                                ; preds = %lor.lhs.false
  %1 = load i32, ptr @tw_state_count, align 4
  br label %read_state.exit

cond.end.i:                                       ; preds = %lor.lhs.false
  %payload.i = getelementptr inbounds nuw i8, ptr %args, i64 24
  %2 = load i64, ptr %payload.i, align 8
  %conv.i = trunc i64 %2 to i32
  %cmp2.i = icmp sgt i64 %2, -1
  %3 = load i32, ptr @tw_state_count, align 4
  %conv4.i = sext i32 %3 to i64
  %cmp5.i = icmp slt i64 %2, %conv4.i
  %or.cond.i = select i1 %cmp2.i, i1 %cmp5.i, i1 false
  br i1 %or.cond.i, label %read_state.exit.thread, label %read_state.exit

read_state.exit.thread:                           ; preds = %cond.end.i
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #18
  br label %if.end

read_state.exit:                                  ; preds = %cond.end.thread.i, %cond.end.i
  %state.0 = phi i32 [ %conv.i, %cond.end.i ], [ -1, %cond.end.thread.i ]
  %4 = phi i32 [ %3, %cond.end.i ], [ %1, %cond.end.thread.i ]
  %cond11.i = phi i64 [ %2, %cond.end.i ], [ -1, %cond.end.thread.i ]
  %sub.i = add nsw i32 %4, -1
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message.i, i64 noundef 1024, ptr noundef nonnull @.str.20, ptr noundef nonnull @tw_name, i32 noundef signext %sub.i, i64 noundef %cond11.i) #19
  %call8.i = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message.i) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %message.i) #18
  %cmp2.not = icmp eq i32 %call8.i, 0
  br i1 %cmp2.not, label %if.end, label %cleanup33

if.end:                                           ; preds = %read_state.exit.thread, %read_state.exit
  %state.124 = phi i32 [ %conv.i, %read_state.exit.thread ], [ %state.0, %read_state.exit ]
  %idxprom.i = sext i32 %state.124 to i64
  %arrayidx.i15 = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %5 = load i32, ptr %arrayidx.i15, align 8
  %idxprom1.i = sext i32 %5 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %has_values = getelementptr inbounds nuw i8, ptr %call, i64 40
  %6 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %6 to i1
  br i1 %loadedv, label %if.end8, label %if.then4

if.then4:                                         ; preds = %if.end
  %7 = load ptr, ptr %arrayidx2.i, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef nonnull @tw_name, ptr noundef %7) #19
  %call7 = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #19
  br label %cleanup33

if.end8:                                          ; preds = %if.end
  %kept9 = getelementptr inbounds nuw i8, ptr %call, i64 48
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept9, i64 %idxprom.i
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %args, i64 32
  %call11 = call fastcc ptr @tensor_of(ptr noundef nonnull %arrayidx10) #17
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %8 = load i32, ptr %rank, align 8
  %add = add nsw i32 %8, 1
  %9 = zext i32 %add to i64
  %10 = call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %9, align 8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %11 = load ptr, ptr %shape, align 8
  call fastcc void @move_axis(i32 noundef signext %state.124, ptr noundef %11, ptr noundef %vla, i1 noundef zeroext false) #17
  %call12 = call fastcc zeroext i1 @is_like_state(i32 noundef signext %state.124, ptr noundef %call11) #17
  br i1 %call12, label %land.rhs.lr.ph, label %if.then24

land.rhs.lr.ph:                                   ; preds = %if.end8
  %shape16 = getelementptr inbounds nuw i8, ptr %call11, i64 24
  %smax = call i32 @llvm.smax.i32(i32 %8, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %land.rhs.lr.ph ], [ %indvars.iv.next, %for.body ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %if.end26, label %for.body

for.body:                                         ; preds = %land.rhs
  %12 = load ptr, ptr %shape16, align 8
  %arrayidx18 = getelementptr inbounds nuw i64, ptr %12, i64 %indvars.iv
  %13 = load i64, ptr %arrayidx18, align 8
  %arrayidx20 = getelementptr inbounds nuw i64, ptr %vla, i64 %indvars.iv
  %14 = load i64, ptr %arrayidx20, align 8
  %cmp21 = icmp eq i64 %13, %14
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br i1 %cmp21, label %land.rhs, label %if.then24

if.then24:                                        ; preds = %for.body, %if.end8
  %call25 = call fastcc signext i32 @fail_value(i32 noundef signext %state.124) #17
  br label %cleanup

if.end26:                                         ; preds = %land.rhs
  %15 = load ptr, ptr %arrayidx, align 8
  %16 = load ptr, ptr %call11, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %call11, i64 40
  %17 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %16, i64 %17
  call fastcc void @copy_value(i32 noundef signext %state.124, ptr noundef %15, ptr noundef %add.ptr, ptr noundef nonnull %vla, i1 noundef zeroext false) #17
  br label %cleanup

cleanup:                                          ; preds = %if.end26, %if.then24
  %retval.2 = phi i32 [ 0, %if.end26 ], [ %call25, %if.then24 ]
  call void @llvm.stackrestore.p0(ptr %10)
  br label %cleanup33

cleanup33:                                        ; preds = %if.then4, %cleanup, %entry, %read_state.exit
  %retval.0 = phi i32 [ -1, %entry ], [ -1, %read_state.exit ], [ %retval.2, %cleanup ], [ %call7, %if.then4 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

define internal fastcc void @move_axis(i32 noundef signext %state, ptr noundef readonly captures(none) %from, ptr noundef nonnull writeonly captures(none) %to, i1 noundef zeroext %is_to_memory) unnamed_addr #8 {
entry:
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %rank1 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %1 = load i32, ptr %rank1, align 8
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %2 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %2, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %axis4 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %3 = load i32, ptr %axis4, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %3, %cond.true ], [ 0, %entry ]
  %cmp13 = icmp sgt i32 %1, 0
  br i1 %cmp13, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %cond.end
  ret void

for.body:                                         ; preds = %cond.end, %for.body
  %at.014 = phi i32 [ %inc, %for.body ], [ 0, %cond.end ]
  %cmp5 = icmp eq i32 %at.014, %cond
  %cmp8 = icmp slt i32 %at.014, %cond
  %add = zext i1 %cmp8 to i32
  %cond12 = add nuw nsw i32 %at.014, %add
  %cond14 = select i1 %cmp5, i32 0, i32 %cond12
  %cond18 = select i1 %is_to_memory, i32 %at.014, i32 %cond14
  %idxprom19 = zext nneg i32 %cond18 to i64
  %arrayidx20 = getelementptr inbounds nuw i64, ptr %from, i64 %idxprom19
  %4 = load i64, ptr %arrayidx20, align 8
  %cond25 = select i1 %is_to_memory, i32 %cond14, i32 %at.014
  %idxprom26 = zext nneg i32 %cond25 to i64
  %arrayidx27 = getelementptr inbounds nuw i64, ptr %to, i64 %idxprom26
  store i64 %4, ptr %arrayidx27, align 8
  %inc = add nuw nsw i32 %at.014, 1
  %exitcond.not = icmp eq i32 %inc, %1
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc zeroext i1 @is_like_state(i32 noundef signext %state, ptr noundef readonly captures(address_is_null) %tensor) unnamed_addr #9 {
entry:
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %cmp = icmp eq ptr %tensor, null
  br i1 %cmp, label %cleanup28, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %1 = load i32, ptr %device_type, align 8
  %cmp1.not = icmp eq i32 %1, 1
  br i1 %cmp1.not, label %lor.lhs.false2, label %cleanup28

lor.lhs.false2:                                   ; preds = %lor.lhs.false
  %dtype = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %2 = load i32, ptr %dtype, align 4
  %dtype3 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %3 = load i32, ptr %dtype3, align 4
  %cmp4.not = icmp eq i32 %2, %3
  br i1 %cmp4.not, label %lor.lhs.false5, label %cleanup28

lor.lhs.false5:                                   ; preds = %lor.lhs.false2
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %4 = load i32, ptr %rank, align 8
  %rank6 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %5 = load i32, ptr %rank6, align 8
  %cmp7.not = icmp eq i32 %4, %5
  br i1 %cmp7.not, label %for.cond.preheader, label %cleanup28

for.cond.preheader:                               ; preds = %lor.lhs.false5
  %cmp920 = icmp slt i32 %4, 1
  br i1 %cmp920, label %for.cond.preheader.for.end_crit_edge, label %for.body.lr.ph

for.cond.preheader.for.end_crit_edge:             ; preds = %for.cond.preheader
  %shape22.phi.trans.insert = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %.pre25 = load ptr, ptr %shape22.phi.trans.insert, align 8
  br label %for.end

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  %6 = load ptr, ptr %strides, align 8
  %cmp10.not = icmp ne ptr %6, null
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %7 = zext nneg i32 %4 to i64
  %.pre.pre = load ptr, ptr %shape, align 8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %if.end18
  %indvars.iv = phi i64 [ %7, %for.body.lr.ph ], [ %indvars.iv.next, %if.end18 ]
  %step.021 = phi i64 [ 1, %for.body.lr.ph ], [ %mul, %if.end18 ]
  %indvars.iv.next = add nsw i64 %indvars.iv, -1
  %arrayidx21.phi.trans.insert = getelementptr inbounds nuw i64, ptr %.pre.pre, i64 %indvars.iv.next
  %.pre24 = load i64, ptr %arrayidx21.phi.trans.insert, align 8
  %cmp11 = icmp sgt i64 %.pre24, 1
  %or.cond = select i1 %cmp10.not, i1 %cmp11, i1 false
  br i1 %or.cond, label %land.lhs.true12, label %if.end18

land.lhs.true12:                                  ; preds = %for.body
  %arrayidx15 = getelementptr inbounds nuw i64, ptr %6, i64 %indvars.iv.next
  %8 = load i64, ptr %arrayidx15, align 8
  %cmp16.not = icmp eq i64 %8, %step.021
  br i1 %cmp16.not, label %if.end18, label %cleanup28

if.end18:                                         ; preds = %for.body, %land.lhs.true12
  %mul = mul nsw i64 %.pre24, %step.021
  %cmp9 = icmp samesign ult i64 %indvars.iv, 2
  br i1 %cmp9, label %for.end, label %for.body

for.end:                                          ; preds = %if.end18, %for.cond.preheader.for.end_crit_edge
  %9 = phi ptr [ %.pre25, %for.cond.preheader.for.end_crit_edge ], [ %.pre.pre, %if.end18 ]
  %shr.i = lshr i32 %2, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call25 = tail call fastcc i64 @product(ptr noundef %9, i32 noundef signext 0, i32 noundef signext %4, i64 noundef %conv.i) #17
  %cmp26 = icmp sgt i64 %call25, -1
  br label %cleanup28

cleanup28:                                        ; preds = %land.lhs.true12, %for.end, %entry, %lor.lhs.false, %lor.lhs.false2, %lor.lhs.false5
  %retval.0 = phi i1 [ false, %entry ], [ false, %lor.lhs.false5 ], [ false, %lor.lhs.false2 ], [ false, %lor.lhs.false ], [ %cmp26, %for.end ], [ false, %land.lhs.true12 ]
  ret i1 %retval.0
}

define internal fastcc signext i32 @fail_value(i32 noundef signext %state) unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %1 = load ptr, ptr %arrayidx2.i, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  %2 = load ptr, ptr %text, align 8
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %3 = load i64, ptr %capacity, align 8
  %call2 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.21, ptr noundef nonnull @tw_name, ptr noundef %1, ptr noundef %2, i64 noundef %3) #19
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %call4
}

define internal fastcc void @copy_value(i32 noundef signext %state, ptr noundef %memory, ptr noundef %model, ptr noundef readonly captures(none) %model_shape, i1 noundef zeroext %is_to_memory) unnamed_addr #2 {
entry:
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %appends = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %1 = load i32, ptr %appends, align 4
  %tobool.not = icmp eq i32 %1, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %axis3 = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load i32, ptr %axis3, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %2, %cond.true ], [ 0, %entry ]
  %call4 = tail call fastcc i64 @product(ptr noundef %model_shape, i32 noundef signext 0, i32 noundef signext %cond, i64 noundef 1) #17
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %3 = load i32, ptr %rank, align 8
  %cmp = icmp sgt i32 %3, 0
  br i1 %cmp, label %cond.true5, label %cond.end9

cond.true5:                                       ; preds = %cond.end
  %idxprom6 = sext i32 %cond to i64
  %arrayidx7 = getelementptr inbounds i64, ptr %model_shape, i64 %idxprom6
  %4 = load i64, ptr %arrayidx7, align 8
  br label %cond.end9

cond.end9:                                        ; preds = %cond.end, %cond.true5
  %cond10 = phi i64 [ %4, %cond.true5 ], [ 1, %cond.end ]
  %add = add nsw i32 %cond, 1
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %5 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %5, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call13 = tail call fastcc i64 @product(ptr noundef %model_shape, i32 noundef signext %add, i32 noundef signext %3, i64 noundef %conv.i) #17
  %cmp14 = icmp sgt i64 %call13, 0
  %cmp1525 = icmp sgt i64 %call4, 0
  %6 = select i1 %cmp14, i1 %cmp1525, i1 false
  br i1 %6, label %for.cond16.preheader.lr.ph, label %for.cond.cleanup

for.cond16.preheader.lr.ph:                       ; preds = %cond.end9
  %cmp1723 = icmp sgt i64 %cond10, 0
  br label %for.cond16.preheader

for.cond16.preheader:                             ; preds = %for.cond16.preheader.lr.ph, %for.cond.cleanup18
  %at.026 = phi i64 [ 0, %for.cond16.preheader.lr.ph ], [ %inc37, %for.cond.cleanup18 ]
  br i1 %cmp1723, label %for.body19.lr.ph, label %for.cond.cleanup18

for.body19.lr.ph:                                 ; preds = %for.cond16.preheader
  %mul22 = mul nuw nsw i64 %at.026, %cond10
  br label %for.body19

for.cond.cleanup:                                 ; preds = %for.cond.cleanup18, %cond.end9
  ret void

for.cond.cleanup18:                               ; preds = %for.body19, %for.cond16.preheader
  %inc37 = add nuw nsw i64 %at.026, 1
  %cmp15 = icmp slt i64 %inc37, %call4
  br i1 %cmp15, label %for.cond16.preheader, label %for.cond.cleanup

for.body19:                                       ; preds = %for.body19.lr.ph, %for.body19
  %row.024 = phi i64 [ 0, %for.body19.lr.ph ], [ %inc, %for.body19 ]
  %mul = mul nuw nsw i64 %row.024, %call4
  %add20 = add nuw nsw i64 %mul, %at.026
  %mul21 = mul nuw nsw i64 %add20, %call13
  %add.ptr = getelementptr inbounds nuw i8, ptr %memory, i64 %mul21
  %add23 = add nuw nsw i64 %row.024, %mul22
  %mul24 = mul nuw nsw i64 %add23, %call13
  %add.ptr25 = getelementptr inbounds nuw i8, ptr %model, i64 %mul24
  %cond29 = select i1 %is_to_memory, ptr %add.ptr, ptr %add.ptr25
  %cond34 = select i1 %is_to_memory, ptr %add.ptr25, ptr %add.ptr
  %call35 = tail call ptr @memcpy(ptr noundef %cond29, ptr noundef %cond34, i64 noundef %call13) #19
  %inc = add nuw nsw i64 %row.024, 1
  %exitcond.not = icmp eq i64 %inc, %cond10
  br i1 %exitcond.not, label %for.cond.cleanup18, label %for.body19
}

define internal signext i32 @call_session(ptr noundef %self, ptr noundef %args, i32 noundef signext %count, ptr readnone captures(none) %result) #0 {
entry:
  %message = alloca [1024 x i8], align 1
  %run = alloca %struct.run, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %0 = load i32, ptr @tw_inputs, align 4
  %1 = load i32, ptr @tw_state_count, align 4
  %sub = sub nsw i32 %0, %1
  %2 = load i32, ptr @tw_arguments, align 4
  %mul = shl nsw i32 %1, 1
  %sub1 = sub nsw i32 %2, %mul
  %cmp.not = icmp eq i32 %count, %sub1
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %sub2 = sub nsw i32 %sub1, %sub
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef nonnull @tw_name, i32 noundef signext %sub1, i32 noundef signext %sub, i32 noundef signext %sub2, i32 noundef signext %count) #19
  %call4 = call signext i32 @tw_fail(ptr noundef nonnull @.str.1, ptr noundef nonnull %message) #19
  br label %cleanup

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %run) #18
  store ptr %self, ptr %run, align 8
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 8
  %idx.ext = sext i32 %sub to i64
  %add.ptr = getelementptr inbounds %struct.tw_value, ptr %args, i64 %idx.ext
  store ptr %add.ptr, ptr %outputs, align 8
  %allocate = getelementptr inbounds nuw i8, ptr %run, i64 16
  store ptr null, ptr %allocate, align 8
  %context = getelementptr inbounds nuw i8, ptr %run, i64 24
  store ptr null, ptr %context, align 8
  %call5 = call fastcc signext i32 @run_session(ptr noundef %run, ptr noundef %args) #17
  call void @llvm.lifetime.end.p0(ptr nonnull %run) #18
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call4, %if.then ], [ %call5, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

define internal fastcc signext i32 @run_filling(ptr noundef nonnull readonly captures(none) %run, ptr noundef nonnull readonly captures(none) %inputs, ptr noundef nonnull %sizes) unnamed_addr #0 {
entry:
  %result = alloca %struct.tw_value, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %1, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %2 = load i32, ptr @tw_state_count, align 4
  %add1 = add nsw i32 %2, 1
  %3 = zext i32 %add1 to i64
  %vla2 = alloca %struct.tw_tensor, i64 %3, align 8
  %cmp15 = icmp sgt i32 %0, 0
  br i1 %cmp15, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %outputs = getelementptr inbounds nuw i8, ptr %run, i64 8
  %4 = load ptr, ptr %outputs, align 8
  %5 = load i32, ptr @tw_inputs, align 4
  %6 = sext i32 %5 to i64
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %cleanup, %entry
  %call20 = call signext i32 @__tvm_ffi_main(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %0, ptr noundef nonnull %result) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #18
  ret i32 %call20

for.body:                                         ; preds = %for.body.lr.ph, %cleanup
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %cleanup ]
  %given.017 = phi ptr [ %4, %for.body.lr.ph ], [ %given.2, %cleanup ]
  %7 = trunc nuw nsw i64 %indvars.iv to i32
  %call = call fastcc signext i32 @state_of(i32 noundef signext %7) #17
  %cmp3 = icmp slt i64 %indvars.iv, %6
  %cmp4 = icmp slt i32 %call, 0
  %or.cond = select i1 %cmp3, i1 true, i1 %cmp4
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  br i1 %cmp3, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.then
  %arrayidx7 = getelementptr inbounds nuw %struct.tw_value, ptr %inputs, i64 %indvars.iv
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx7, i64 16, i1 false)
  br label %cleanup

cond.false:                                       ; preds = %if.then
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %given.017, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %given.017, i64 16, i1 false)
  br label %cleanup

if.end:                                           ; preds = %for.body
  %idxprom8 = zext nneg i32 %call to i64
  %arrayidx9 = getelementptr inbounds nuw %struct.tw_tensor, ptr %vla2, i64 %idxprom8
  %arrayidx11 = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %8 = load ptr, ptr %run, align 8
  %arrayidx13 = getelementptr inbounds nuw %struct.kept, ptr %8, i64 %idxprom8
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx13, i64 80
  %9 = load ptr, ptr %spare, align 8
  %call.i = call fastcc signext i32 @ranks(i32 noundef signext %5, i32 noundef signext %7) #17
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %sizes, i64 %idx.ext.i
  call fastcc void @describe(ptr noundef nonnull %arrayidx9, ptr noundef nonnull %arrayidx11, ptr noundef %9, ptr noundef nonnull %add.ptr.i) #17
  %arrayidx16 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  store i32 7, ptr %arrayidx16, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %arrayidx16, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx16, i64 8
  store ptr %arrayidx9, ptr %payload.i, align 8
  br label %cleanup

cleanup:                                          ; preds = %cond.true, %cond.false, %if.end
  %given.2 = phi ptr [ %given.017, %if.end ], [ %given.017, %cond.true ], [ %incdec.ptr, %cond.false ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc signext i32 @run_allocating(ptr noundef nonnull %run, ptr noundef nonnull readonly captures(none) %inputs) unnamed_addr #0 {
entry:
  %result = alloca %struct.tw_value, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, 3
  %1 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %1, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %2 = load i32, ptr @__tw_default_threads, align 4
  %conv = sext i32 %2 to i64
  store i32 1, ptr %vla, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 8
  store i64 %conv, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %vla, i64 16
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %vla, i64 32
  store i32 4, ptr %arrayidx2, align 8
  %.compoundliteral3.sroa.2.0.arrayidx2.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 36
  store i32 0, ptr %.compoundliteral3.sroa.2.0.arrayidx2.sroa_idx, align 4
  %.compoundliteral3.sroa.3.0.arrayidx2.sroa_idx = getelementptr inbounds nuw i8, ptr %vla, i64 40
  store i64 0, ptr %.compoundliteral3.sroa.3.0.arrayidx2.sroa_idx, align 8
  %3 = load i64, ptr %arrayidx2, align 8
  store i64 %3, ptr %arrayidx1, align 8
  %payload8 = getelementptr inbounds nuw i8, ptr %vla, i64 24
  store ptr @allocate_output, ptr %payload8, align 8
  store ptr %run, ptr %.compoundliteral3.sroa.3.0.arrayidx2.sroa_idx, align 8
  %cmp4 = icmp sgt i32 %0, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %call = call signext i32 @__tw_main_allocating(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %add, ptr noundef nonnull %result) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #18
  ret i32 %call

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %4 = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %arrayidx15 = getelementptr inbounds nuw %struct.tw_value, ptr %inputs, i64 %indvars.iv
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx13, ptr noundef nonnull align 8 dereferenceable(16) %arrayidx15, i64 16, i1 false)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #10

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #11

define internal fastcc void @describe(ptr noundef writeonly captures(none) initializes((0, 48)) %tensor, ptr noundef readonly captures(none) %spec, ptr noundef %data, ptr noundef %shape) unnamed_addr #12 {
entry:
  store ptr %data, ptr %tensor, align 8
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  store i32 1, ptr %device_type, align 8
  %device_id = getelementptr inbounds nuw i8, ptr %tensor, i64 12
  store i32 0, ptr %device_id, align 4
  %rank = getelementptr inbounds nuw i8, ptr %spec, i64 40
  %0 = load i32, ptr %rank, align 8
  %rank2 = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  store i32 %0, ptr %rank2, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %spec, i64 44
  %1 = load i32, ptr %dtype, align 4
  %dtype3 = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  store i32 %1, ptr %dtype3, align 4
  %shape4 = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  store ptr %shape, ptr %shape4, align 8
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  store ptr null, ptr %strides, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  store i64 0, ptr %byte_offset, align 8
  ret void
}

declare signext i32 @__tvm_ffi_main(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr #4

define internal ptr @allocate_output(ptr noundef readonly captures(none) %context, i32 noundef signext %output, ptr noundef %shape) #0 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %0, %output
  %call = tail call fastcc signext i32 @state_of(i32 noundef signext %add) #17
  %cmp = icmp sgt i32 %call, -1
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %1 = load ptr, ptr %context, align 8
  %idxprom = zext nneg i32 %call to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %1, i64 %idxprom
  %spare = getelementptr inbounds nuw i8, ptr %arrayidx, i64 80
  %2 = load ptr, ptr %spare, align 8
  br label %cond.end

cond.false:                                       ; preds = %entry
  %allocate = getelementptr inbounds nuw i8, ptr %context, i64 16
  %3 = load ptr, ptr %allocate, align 8
  %context1 = getelementptr inbounds nuw i8, ptr %context, i64 24
  %4 = load ptr, ptr %context1, align 8
  %call2 = tail call ptr %3(ptr noundef %4, i32 noundef signext %output, ptr noundef %shape) #19
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %2, %cond.true ], [ %call2, %cond.false ]
  ret ptr %cond
}

declare signext i32 @__tw_main_allocating(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr #4

define internal fastcc void @copy_shape(ptr noundef writeonly captures(none) %to, ptr noundef readonly captures(none) %from, i32 noundef signext %rank) unnamed_addr #8 {
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

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #0

define internal fastcc i64 @product(ptr noundef readonly captures(none) %shape, i32 noundef signext range(i32 -2147483647, -2147483648) %first, i32 noundef signext %end, i64 noundef range(i64 0, 33) %factor) unnamed_addr #13 {
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

declare noalias ptr @malloc(i64 noundef) local_unnamed_addr #0

define internal fastcc signext i32 @fail_memory(i32 noundef signext %state, i64 noundef %bytes) unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %1 = load ptr, ptr %arrayidx2.i, align 8
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.11, ptr noundef nonnull @tw_name, ptr noundef %1, i64 noundef %bytes) #19
  %call3 = call signext i32 @tw_fail(ptr noundef nonnull @.str.10, ptr noundef nonnull %message) #19
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %call3
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #14

declare void @free(ptr noundef) local_unnamed_addr #0

define internal fastcc signext range(i32 -1, 1) i32 @fill_inputs(ptr noundef readonly captures(none) %session, ptr noundef readonly captures(none) %given, ptr noundef captures(none) %inputs, ptr noundef %tensors, ptr noundef %shapes) unnamed_addr #2 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp25 = icmp sgt i32 %0, 0
  br i1 %cmp25, label %for.body.preheader, label %for.cond6.preheader

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond6.preheader:                              ; preds = %for.inc, %entry
  %1 = load i32, ptr @tw_state_count, align 4
  %cmp728 = icmp sgt i32 %1, 0
  br i1 %cmp728, label %for.body9.lr.ph, label %return

for.body9.lr.ph:                                  ; preds = %for.cond6.preheader
  %kept = getelementptr inbounds nuw i8, ptr %session, i64 48
  %wide.trip.count37 = zext nneg i32 %1 to i64
  br label %for.body9

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %given.addr.026 = phi ptr [ %given, %for.body.preheader ], [ %given.addr.1, %for.inc ]
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  %call = tail call fastcc signext i32 @state_of(i32 noundef signext %2) #17
  %cmp1 = icmp sgt i32 %call, -1
  br i1 %cmp1, label %for.inc, label %if.end

if.end:                                           ; preds = %for.body
  %call2 = tail call fastcc signext i32 @check_input(i32 noundef signext %2, ptr noundef %given.addr.026) #17
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %return

if.end5:                                          ; preds = %if.end
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %inputs, i64 %indvars.iv
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %given.addr.026, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %arrayidx, ptr noundef nonnull align 8 dereferenceable(16) %given.addr.026, i64 16, i1 false)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.end5
  %given.addr.1 = phi ptr [ %given.addr.026, %for.body ], [ %incdec.ptr, %if.end5 ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond6.preheader, label %for.body

for.body9:                                        ; preds = %for.body9.lr.ph, %if.end14
  %indvars.iv34 = phi i64 [ 0, %for.body9.lr.ph ], [ %indvars.iv.next35, %if.end14 ]
  %shapes.addr.029 = phi ptr [ %shapes, %for.body9.lr.ph ], [ %add.ptr, %if.end14 ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv34
  %3 = load i32, ptr %arrayidx.i, align 8
  %4 = trunc nuw nsw i64 %indvars.iv34 to i32
  %call11 = tail call fastcc signext i32 @shape_before(ptr noundef %session, i32 noundef signext %4, ptr noundef %inputs, ptr noundef %shapes.addr.029) #17
  %cmp12.not = icmp eq i32 %call11, 0
  br i1 %cmp12.not, label %if.end14, label %return

if.end14:                                         ; preds = %for.body9
  %idxprom1.i = sext i32 %3 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %arrayidx16 = getelementptr inbounds nuw %struct.tw_tensor, ptr %tensors, i64 %indvars.iv34
  %arrayidx18 = getelementptr inbounds nuw %struct.kept, ptr %kept, i64 %indvars.iv34
  %5 = load ptr, ptr %arrayidx18, align 8
  tail call fastcc void @describe(ptr noundef %arrayidx16, ptr noundef nonnull %arrayidx2.i, ptr noundef %5, ptr noundef %shapes.addr.029) #17
  %arrayidx23 = getelementptr inbounds %struct.tw_value, ptr %inputs, i64 %idxprom1.i
  store i32 7, ptr %arrayidx23, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %arrayidx23, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx23, i64 8
  store ptr %arrayidx16, ptr %payload.i, align 8
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %6 = load i32, ptr %rank, align 8
  %idx.ext = sext i32 %6 to i64
  %add.ptr = getelementptr inbounds i64, ptr %shapes.addr.029, i64 %idx.ext
  %indvars.iv.next35 = add nuw nsw i64 %indvars.iv34, 1
  %exitcond38.not = icmp eq i64 %indvars.iv.next35, %wide.trip.count37
  br i1 %exitcond38.not, label %return, label %for.body9

return:                                           ; preds = %if.end, %if.end14, %for.body9, %for.cond6.preheader
  %retval.1 = phi i32 [ 0, %for.cond6.preheader ], [ -1, %for.body9 ], [ 0, %if.end14 ], [ -1, %if.end ]
  ret i32 %retval.1
}

define internal fastcc signext range(i32 -1, 1) i32 @start(ptr noundef captures(none) %session, ptr noundef readonly captures(none) %inputs) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_state_count, align 4
  %cmp17 = icmp sgt i32 %0, 0
  br i1 %cmp17, label %for.body.lr.ph, label %.loopexit

for.body.lr.ph:                                   ; preds = %entry
  %kept1 = getelementptr inbounds nuw i8, ptr %session, i64 48
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %cleanup
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %cleanup ]
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr %kept1, i64 %indvars.iv
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %1 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %2 = load i32, ptr %rank, align 8
  %add = add nsw i32 %2, 1
  %3 = zext i32 %add to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %3, align 8
  %5 = trunc nuw nsw i64 %indvars.iv to i32
  %call2 = call fastcc signext i32 @shape_before(ptr noundef %session, i32 noundef signext %5, ptr noundef %inputs, ptr noundef nonnull %vla) #17
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %lor.lhs.false, label %cleanup22

lor.lhs.false:                                    ; preds = %for.body
  %call4 = call fastcc signext i32 @make_buffers(ptr noundef nonnull %arrayidx, i32 noundef signext %5, ptr noundef %vla) #17
  %cmp5.not = icmp eq i32 %call4, 0
  br i1 %cmp5.not, label %if.end, label %cleanup22

if.end:                                           ; preds = %lor.lhs.false
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %6 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %6, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call8 = call fastcc i64 @product(ptr noundef nonnull %vla, i32 noundef signext 0, i32 noundef signext %2, i64 noundef %conv.i) #17
  %initial = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %7 = load ptr, ptr %initial, align 8
  %cmp9 = icmp ne ptr %7, null
  %cmp10 = icmp sgt i64 %call8, 0
  %or.cond = select i1 %cmp9, i1 %cmp10, i1 false
  br i1 %or.cond, label %land.lhs.true11, label %cleanup

land.lhs.true11:                                  ; preds = %if.end
  %bytes12 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %8 = load i64, ptr %bytes12, align 8
  %cmp13.not = icmp sgt i64 %call8, %8
  br i1 %cmp13.not, label %cleanup, label %if.then14

if.then14:                                        ; preds = %land.lhs.true11
  %9 = load ptr, ptr %arrayidx, align 8
  %call18 = tail call ptr @memcpy(ptr noundef %9, ptr noundef nonnull %7, i64 noundef %call8) #19
  br label %cleanup

cleanup:                                          ; preds = %if.end, %land.lhs.true11, %if.then14
  call void @llvm.stackrestore.p0(ptr %4)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %.loopexit, label %for.body

cleanup22:                                        ; preds = %for.body, %lor.lhs.false
  call void @llvm.stackrestore.p0(ptr %4)
  br label %.loopexit

.loopexit:                                        ; preds = %cleanup, %entry, %cleanup22
  %10 = phi i32 [ -1, %cleanup22 ], [ 0, %entry ], [ 0, %cleanup ]
  ret i32 %10
}

define internal fastcc signext i32 @find_sizes(ptr noundef %inputs, ptr noundef %sizes) unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  %count = alloca i64, align 8
  %tensor = alloca %struct.tw_tensor, align 8
  %result = alloca %struct.tw_value, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %count) #18
  %0 = load i32, ptr @tw_inputs, align 4
  %1 = load i32, ptr @tw_arguments, align 4
  %call = tail call fastcc signext i32 @ranks(i32 noundef signext %0, i32 noundef signext %1) #17
  %conv = sext i32 %call to i64
  store i64 %conv, ptr %count, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %tensor) #18
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #18
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  call fastcc void @describe(ptr noundef nonnull %tensor, ptr noundef nonnull @find_sizes.SIZES, ptr noundef %sizes, ptr noundef nonnull %count) #17
  %idxprom = sext i32 %0 to i64
  %arrayidx = getelementptr inbounds %struct.tw_value, ptr %inputs, i64 %idxprom
  store i32 7, ptr %arrayidx, align 8
  %padding.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store i32 0, ptr %padding.i, align 4
  %payload.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store ptr %tensor, ptr %payload.i, align 8
  %add = add nsw i32 %0, 1
  %call1 = call signext i32 @__tw_output_shapes(ptr noundef null, ptr noundef %inputs, i32 noundef signext %add, ptr noundef nonnull %result) #19
  %cmp.not = icmp eq i32 %call1, 0
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup39

for.cond.preheader:                               ; preds = %entry
  %2 = load i32, ptr @tw_state_count, align 4
  %cmp3.not26 = icmp sgt i32 %2, 0
  br i1 %cmp3.not26, label %for.body.preheader, label %cleanup39

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %2 to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_state, ptr @tw_states, i64 %indvars.iv
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %3 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %3, 0
  br i1 %tobool.not.i, label %memory_axis.exit, label %if.end9

memory_axis.exit:                                 ; preds = %for.body
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %4 = load i32, ptr %axis.i, align 8
  %cmp6 = icmp slt i32 %4, 0
  br i1 %cmp6, label %for.inc, label %if.end9

if.end9:                                          ; preds = %for.body, %memory_axis.exit
  %cond.i21 = phi i32 [ %4, %memory_axis.exit ], [ 0, %for.body ]
  %idxprom15 = zext nneg i32 %cond.i21 to i64
  %output = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 4
  %5 = load i32, ptr %output, align 4
  %add.i = add nsw i32 %5, %0
  %call.i = call fastcc signext i32 @ranks(i32 noundef signext %0, i32 noundef signext %add.i) #17
  %idx.ext.i = sext i32 %call.i to i64
  %add.ptr.i = getelementptr inbounds i64, ptr %sizes, i64 %idx.ext.i
  %arrayidx21 = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %idxprom15
  %6 = load i64, ptr %arrayidx21, align 8
  %capacity = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %7 = load i64, ptr %capacity, align 8
  %cmp24 = icmp sgt i64 %6, %7
  br i1 %cmp24, label %cleanup36, label %for.inc

cleanup36:                                        ; preds = %if.end9
  %8 = load i32, ptr %arrayidx.i, align 8
  %idxprom12 = sext i32 %8 to i64
  %arrayidx13 = getelementptr inbounds %struct.tw_value, ptr %inputs, i64 %idxprom12
  %call14 = call fastcc ptr @tensor_of(ptr noundef %arrayidx13) #17
  %shape = getelementptr inbounds nuw i8, ptr %call14, i64 24
  %9 = load ptr, ptr %shape, align 8
  %arrayidx16 = getelementptr inbounds nuw i64, ptr %9, i64 %idxprom15
  %10 = load i64, ptr %arrayidx16, align 8
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom12
  %11 = load ptr, ptr %arrayidx2.i, align 8
  %sub = sub nsw i64 %6, %10
  %call31 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.17, ptr noundef nonnull @tw_name, ptr noundef %11, i64 noundef %7, i64 noundef %10, i64 noundef %sub, i64 noundef %6) #19
  %call33 = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #19
  br label %cleanup39

for.inc:                                          ; preds = %memory_axis.exit, %if.end9
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup39, label %for.body

cleanup39:                                        ; preds = %for.inc, %for.cond.preheader, %cleanup36, %entry
  %retval.0 = phi i32 [ -1, %entry ], [ %call33, %cleanup36 ], [ 0, %for.cond.preheader ], [ 0, %for.inc ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %tensor) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %count) #18
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

define internal fastcc signext i32 @check_input(i32 noundef signext %input, ptr noundef readonly captures(none) %value) unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %idxprom = sext i32 %input to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %call = tail call fastcc ptr @tensor_of(ptr noundef %value) #17
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %0 = load ptr, ptr %arrayidx, align 8
  %text = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load ptr, ptr %text, align 8
  %2 = load i32, ptr %value, align 8
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.12, ptr noundef nonnull @tw_name, ptr noundef %0, ptr noundef %1, i32 noundef signext %2) #19
  br label %cleanup.sink.split

if.end:                                           ; preds = %entry
  %rank = getelementptr inbounds nuw i8, ptr %call, i64 16
  %3 = load i32, ptr %rank, align 8
  %rank4 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %4 = load i32, ptr %rank4, align 8
  %cmp5.not = icmp eq i32 %3, %4
  br i1 %cmp5.not, label %cleanup, label %if.then6

if.then6:                                         ; preds = %if.end
  %5 = load ptr, ptr %arrayidx, align 8
  %text9 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %6 = load ptr, ptr %text9, align 8
  %call11 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.13, ptr noundef nonnull @tw_name, ptr noundef %5, ptr noundef %6, i32 noundef signext %3) #19
  br label %cleanup.sink.split

cleanup.sink.split:                               ; preds = %if.then, %if.then6
  %.str.5.sink = phi ptr [ @.str.5, %if.then6 ], [ @.str.1, %if.then ]
  %call13 = call signext i32 @tw_fail(ptr noundef nonnull %.str.5.sink, ptr noundef nonnull %message) #19
  br label %cleanup

cleanup:                                          ; preds = %cleanup.sink.split, %if.end
  %retval.0 = phi i32 [ 0, %if.end ], [ %call13, %cleanup.sink.split ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

define internal fastcc signext i32 @shape_before(ptr noundef readonly captures(none) %session, i32 noundef signext %state, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %shape) unnamed_addr #2 {
entry:
  %message = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %message) #18
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %kept1 = getelementptr inbounds nuw i8, ptr %session, i64 48
  %arrayidx = getelementptr inbounds %struct.kept, ptr %kept1, i64 %idxprom.i
  %has_values = getelementptr inbounds nuw i8, ptr %session, i64 40
  %1 = load i8, ptr %has_values, align 8
  %loadedv = trunc i8 %1 to i1
  %cond.in.v = select i1 %loadedv, i64 8, i64 24
  %cond.in = getelementptr inbounds nuw i8, ptr %arrayidx, i64 %cond.in.v
  %cond = load ptr, ptr %cond.in, align 8
  %cmp.not = icmp eq ptr %cond, null
  %rank4 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %2 = load i32, ptr %rank4, align 8
  br i1 %cmp.not, label %for.cond.preheader, label %if.then

for.cond.preheader:                               ; preds = %entry
  %cmp5.not44 = icmp sgt i32 %2, 0
  br i1 %cmp5.not44, label %for.body.lr.ph, label %cleanup33

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %shape6 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 16
  %3 = load ptr, ptr %shape6, align 8
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %4 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %4, 0
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %wide.trip.count = zext nneg i32 %2 to i64
  br label %for.body

if.then:                                          ; preds = %entry
  tail call fastcc void @copy_shape(ptr noundef %shape, ptr noundef nonnull %cond, i32 noundef signext %2) #17
  br label %cleanup33

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %arrayidx8 = getelementptr inbounds nuw i64, ptr %3, i64 %indvars.iv
  %5 = load i64, ptr %arrayidx8, align 8
  br i1 %tobool.not.i, label %cond.false.i32, label %memory_axis.exit

memory_axis.exit:                                 ; preds = %for.body
  %cmp10 = icmp eq i64 %indvars.iv, 0
  %cond14 = select i1 %cmp10, i64 0, i64 %5
  %arrayidx16 = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  store i64 %cond14, ptr %arrayidx16, align 8
  br label %memory_axis.exit34

cond.false.i32:                                   ; preds = %for.body
  %6 = load i32, ptr %axis.i, align 8
  %7 = zext i32 %6 to i64
  %cmp1036 = icmp eq i64 %indvars.iv, %7
  %cond1437 = select i1 %cmp1036, i64 0, i64 %5
  %arrayidx1638 = getelementptr inbounds nuw i64, ptr %shape, i64 %indvars.iv
  store i64 %cond1437, ptr %arrayidx1638, align 8
  %8 = zext i32 %6 to i64
  br label %memory_axis.exit34

memory_axis.exit34:                               ; preds = %memory_axis.exit, %cond.false.i32
  %arrayidx1639 = phi ptr [ %arrayidx1638, %cond.false.i32 ], [ %arrayidx16, %memory_axis.exit ]
  %cond.i31 = phi i64 [ %8, %cond.false.i32 ], [ 0, %memory_axis.exit ]
  %cmp18 = icmp ne i64 %indvars.iv, %cond.i31
  %cmp19 = icmp slt i64 %5, 0
  %or.cond = select i1 %cmp18, i1 %cmp19, i1 false
  br i1 %or.cond, label %land.lhs.true20, label %for.inc

land.lhs.true20:                                  ; preds = %memory_axis.exit34
  %call23 = tail call fastcc zeroext i1 @find_size(i64 noundef %5, ptr noundef %inputs, ptr noundef nonnull %arrayidx1639) #17
  br i1 %call23, label %for.inc, label %cleanup

cleanup:                                          ; preds = %land.lhs.true20
  %sub = xor i64 %5, -1
  %arrayidx25 = getelementptr inbounds nuw %struct.tw_expression, ptr @tw_expressions, i64 %sub
  %9 = load ptr, ptr %arrayidx25, align 8
  %10 = load ptr, ptr %arrayidx2.i, align 8
  %text26 = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 8
  %11 = load ptr, ptr %text26, align 8
  %call27 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.14, ptr noundef nonnull @tw_name, ptr noundef %9, ptr noundef %10, ptr noundef %11) #19
  %call29 = call signext i32 @tw_fail(ptr noundef nonnull @.str.5, ptr noundef nonnull %message) #19
  br label %cleanup33

for.inc:                                          ; preds = %land.lhs.true20, %memory_axis.exit34
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup33, label %for.body

cleanup33:                                        ; preds = %for.inc, %for.cond.preheader, %cleanup, %if.then
  %retval.0 = phi i32 [ 0, %if.then ], [ %call29, %cleanup ], [ 0, %for.cond.preheader ], [ 0, %for.inc ]
  call void @llvm.lifetime.end.p0(ptr nonnull %message) #18
  ret i32 %retval.0
}

define internal fastcc noundef zeroext i1 @find_size(i64 noundef range(i64 -9223372036854775808, 0) %entry1, ptr noundef readonly captures(none) %inputs, ptr noundef writeonly captures(none) %size) unnamed_addr #15 {
entry:
  %0 = load i32, ptr @tw_inputs, align 4
  %cmp16 = icmp sgt i32 %0, 0
  br i1 %cmp16, label %for.cond2.preheader.preheader, label %.loopexit

for.cond2.preheader.preheader:                    ; preds = %entry
  %wide.trip.count23 = zext nneg i32 %0 to i64
  br label %for.cond2.preheader

for.cond2.preheader:                              ; preds = %for.cond2.preheader.preheader, %for.inc18
  %indvars.iv20 = phi i64 [ 0, %for.cond2.preheader.preheader ], [ %indvars.iv.next21, %for.inc18 ]
  %1 = trunc nuw nsw i64 %indvars.iv20 to i32
  %call = tail call fastcc signext i32 @state_of(i32 noundef signext %1) #17
  %cmp3 = icmp slt i32 %call, 0
  br i1 %cmp3, label %land.rhs.lr.ph, label %for.inc18

land.rhs.lr.ph:                                   ; preds = %for.cond2.preheader
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv20
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %2 = load i32, ptr %rank, align 8
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %smax = tail call i32 @llvm.smax.i32(i32 %2, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  %exitcond.not29 = icmp slt i32 %2, 1
  br i1 %exitcond.not29, label %for.inc18, label %for.body6.preheader

for.body6.preheader:                              ; preds = %land.rhs.lr.ph
  %3 = load ptr, ptr %shape, align 8
  br label %for.body6

for.cond2:                                        ; preds = %for.body6
  %indvars.iv.next = add nuw nsw i64 %indvars.iv30, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.inc18, label %for.body6

for.body6:                                        ; preds = %for.body6.preheader, %for.cond2
  %indvars.iv30 = phi i64 [ %indvars.iv.next, %for.cond2 ], [ 0, %for.body6.preheader ]
  %arrayidx10 = getelementptr inbounds nuw i64, ptr %3, i64 %indvars.iv30
  %4 = load i64, ptr %arrayidx10, align 8
  %cmp11 = icmp eq i64 %4, %entry1
  br i1 %cmp11, label %cleanup20, label %for.cond2

for.inc18:                                        ; preds = %for.cond2, %land.rhs.lr.ph, %for.cond2.preheader
  %indvars.iv.next21 = add nuw nsw i64 %indvars.iv20, 1
  %exitcond24.not = icmp eq i64 %indvars.iv.next21, %wide.trip.count23
  br i1 %exitcond24.not, label %.loopexit, label %for.cond2.preheader

cleanup20:                                        ; preds = %for.body6
  %arrayidx13 = getelementptr inbounds nuw %struct.tw_value, ptr %inputs, i64 %indvars.iv20
  %call14 = tail call fastcc ptr @tensor_of(ptr noundef %arrayidx13) #17
  %shape15 = getelementptr inbounds nuw i8, ptr %call14, i64 24
  %5 = load ptr, ptr %shape15, align 8
  %arrayidx17 = getelementptr inbounds nuw i64, ptr %5, i64 %indvars.iv30
  %6 = load i64, ptr %arrayidx17, align 8
  store i64 %6, ptr %size, align 8
  br label %.loopexit

.loopexit:                                        ; preds = %for.inc18, %entry, %cleanup20
  %cmp14 = phi i1 [ true, %cleanup20 ], [ false, %entry ], [ false, %for.inc18 ]
  ret i1 %cmp14
}

define internal fastcc signext i32 @make_buffers(ptr noundef captures(none) initializes((40, 48)) %kept, i32 noundef signext %state, ptr noundef nonnull readonly captures(none) %shape) unnamed_addr #2 {
entry:
  %idxprom.i = sext i32 %state to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_state, ptr @tw_states, i64 %idxprom.i
  %0 = load i32, ptr %arrayidx.i, align 8
  %idxprom1.i = sext i32 %0 to i64
  %arrayidx2.i = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 40
  %1 = load i32, ptr %rank, align 8
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca i64, i64 %2, align 8
  call fastcc void @copy_shape(ptr noundef nonnull %vla, ptr noundef nonnull %shape, i32 noundef signext %1) #17
  %appends.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 12
  %3 = load i32, ptr %appends.i, align 4
  %tobool.not.i = icmp eq i32 %3, 0
  br i1 %tobool.not.i, label %memory_axis.exit, label %memory_axis.exit34

memory_axis.exit:                                 ; preds = %entry
  %axis.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %4 = load i32, ptr %axis.i, align 8
  %cmp = icmp sgt i32 %4, -1
  br i1 %cmp, label %cond.false.i32, label %if.end

cond.false.i32:                                   ; preds = %memory_axis.exit
  %5 = zext nneg i32 %4 to i64
  br label %memory_axis.exit34

memory_axis.exit34:                               ; preds = %entry, %cond.false.i32
  %cond.i31 = phi i64 [ %5, %cond.false.i32 ], [ 0, %entry ]
  %.in = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %6 = load i64, ptr %.in, align 8
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %vla, i64 %cond.i31
  store i64 %6, ptr %arrayidx5, align 8
  br label %if.end

if.end:                                           ; preds = %memory_axis.exit34, %memory_axis.exit
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i, i64 44
  %7 = load i32, ptr %dtype.i, align 4
  %shr.i = lshr i32 %7, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %call8 = call fastcc i64 @product(ptr noundef nonnull %vla, i32 noundef signext 0, i32 noundef signext %1, i64 noundef %conv.i) #17
  %bytes = getelementptr inbounds nuw i8, ptr %kept, i64 40
  store i64 %call8, ptr %bytes, align 8
  %cmp10 = icmp slt i64 %call8, 0
  br i1 %cmp10, label %if.then11, label %if.end13

if.then11:                                        ; preds = %if.end
  %call12 = tail call fastcc signext i32 @fail_memory(i32 noundef signext %state, i64 noundef 9223372036854775807) #17
  br label %cleanup46

if.end13:                                         ; preds = %if.end
  %add15 = add nuw i64 %call8, 1
  %call16 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add15) #19
  store ptr %call16, ptr %kept, align 8
  %conv = sext i32 %1 to i64
  %add18 = add nsw i64 %conv, 1
  %call19 = tail call noalias ptr @calloc(i64 noundef %add18, i64 noundef 8) #19
  %shape21 = getelementptr inbounds nuw i8, ptr %kept, i64 8
  store ptr %call19, ptr %shape21, align 8
  br i1 %tobool.not.i, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.end13
  %8 = load ptr, ptr %kept, align 8
  br label %cond.end

cond.false:                                       ; preds = %if.end13
  %call26 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %add15) #19
  %.pr = load ptr, ptr %kept, align 8
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %9 = phi ptr [ %.pr, %cond.false ], [ %8, %cond.true ]
  %cond = phi ptr [ %call26, %cond.false ], [ %8, %cond.true ]
  %spare = getelementptr inbounds nuw i8, ptr %kept, i64 32
  store ptr %cond, ptr %spare, align 8
  %cmp29 = icmp eq ptr %9, null
  br i1 %cmp29, label %if.then39, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %cond.end
  %10 = load ptr, ptr %shape21, align 8
  %cmp33 = icmp eq ptr %10, null
  %cmp37 = icmp eq ptr %cond, null
  %or.cond = select i1 %cmp33, i1 true, i1 %cmp37
  br i1 %or.cond, label %if.then39, label %if.end42

if.then39:                                        ; preds = %lor.lhs.false, %cond.end
  %11 = load i64, ptr %bytes, align 8
  %call41 = tail call fastcc signext i32 @fail_memory(i32 noundef signext %state, i64 noundef %11) #17
  br label %cleanup46

if.end42:                                         ; preds = %lor.lhs.false
  tail call fastcc void @copy_shape(ptr noundef nonnull %10, ptr noundef nonnull %shape, i32 noundef signext %1) #17
  br label %cleanup46

cleanup46:                                        ; preds = %if.then39, %if.end42, %if.then11
  %retval.0 = phi i32 [ %call12, %if.then11 ], [ %call41, %if.then39 ], [ 0, %if.end42 ]
  ret i32 %retval.0
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #0

declare signext i32 @__tw_output_shapes(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr #4

declare i32 @llvm.smax.i32(i32, i32) #16

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { noinline nounwind "no-builtins" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "no-builtins" }
attributes #4 = { "no-builtins" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #6 = { nofree noinline norecurse nosync nounwind memory(none) "no-builtins" }
attributes #7 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #8 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "no-builtins" }
attributes #9 = { nofree noinline norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #10 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #11 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #12 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "no-builtins" }
attributes #13 = { nofree noinline norecurse nosync nounwind memory(argmem: read) "no-builtins" }
attributes #14 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #15 = { nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #16 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #17 = { nobuiltin "no-builtins" }
attributes #18 = { nounwind }
attributes #19 = { nobuiltin nounwind "no-builtins" }
