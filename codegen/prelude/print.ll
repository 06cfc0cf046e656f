; Generated from runtime/native/print.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.text = type { ptr, i64, i64 }

@.str = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

define hidden signext i32 @tw_print(ptr noundef %start, i64 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr #0 {
entry:
  %text = alloca %struct.text, align 8
  store ptr %start, ptr %text, align 8
  %room2 = getelementptr inbounds nuw i8, ptr %text, i64 8
  store i64 %room, ptr %room2, align 8
  %length = getelementptr inbounds nuw i8, ptr %text, i64 16
  store i64 0, ptr %length, align 8
  br label %for.cond

for.cond:                                         ; preds = %for.inc64, %entry
  %values.addr.0 = phi ptr [ %values, %entry ], [ %values.addr.1, %for.inc64 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr65, %for.inc64 ]
  %0 = load i8, ptr %format.addr.0, align 1
  switch i8 %0, label %if.then [
    i8 0, label %for.end66
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  call fastcc void @append(ptr noundef %text, i8 noundef signext %0) #4
  br label %for.inc64

for.cond7:                                        ; preds = %for.cond, %lor.rhs.i
  %most.0 = phi i64 [ %most.2, %lor.rhs.i ], [ -1, %for.cond ]
  %is_long.0 = phi i1 [ %spec.select30, %lor.rhs.i ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.2, %lor.rhs.i ], [ %format.addr.0, %for.cond ]
  %format.addr.2 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i64 1
  %1 = load i8, ptr %format.addr.2, align 1
  switch i8 %1, label %lor.rhs.i [
    i8 115, label %if.then32
    i8 100, label %if.then47
    i8 117, label %if.then57
    i8 120, label %if.else59
  ]

lor.rhs.i:                                        ; preds = %for.cond7
  %cmp10 = icmp eq i8 %1, 46
  %spec.select = select i1 %cmp10, i64 0, i64 %most.0
  %2 = add i8 %1, -48
  %or.cond = icmp ult i8 %2, 10
  %mul = mul i64 %most.0, 10
  %sub = zext nneg i8 %2 to i64
  %add = add i64 %mul, %sub
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %cmp26 = icmp eq i8 %1, 108
  %spec.select30 = or i1 %is_long.0, %cmp26
  br label %for.cond7

if.then32:                                        ; preds = %for.cond7
  %incdec.ptr33 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  %3 = load i64, ptr %values.addr.0, align 8
  %4 = inttoptr i64 %3 to ptr
  br label %for.cond34

for.cond34:                                       ; preds = %for.body40, %if.then32
  %index.0 = phi i64 [ 0, %if.then32 ], [ %inc, %for.body40 ]
  %exitcond.not = icmp eq i64 %index.0, %most.0
  br i1 %exitcond.not, label %for.inc64, label %land.rhs

land.rhs:                                         ; preds = %for.cond34
  %arrayidx = getelementptr inbounds nuw i8, ptr %4, i64 %index.0
  %5 = load i8, ptr %arrayidx, align 1
  %cmp38.not = icmp eq i8 %5, 0
  br i1 %cmp38.not, label %for.inc64, label %for.body40

for.body40:                                       ; preds = %land.rhs
  call fastcc void @append(ptr noundef %text, i8 noundef signext %5) #4
  %inc = add i64 %index.0, 1
  br label %for.cond34

if.then47:                                        ; preds = %for.cond7
  %6 = load i64, ptr %values.addr.0, align 8
  %sext = shl i64 %6, 32
  %conv51 = ashr exact i64 %sext, 32
  %cond = select i1 %is_long.0, i64 %6, i64 %conv51
  %cmp.i = icmp slt i64 %cond, 0
  br i1 %cmp.i, label %if.then.i, label %append_signed.exit

if.then.i:                                        ; preds = %if.then47
  call fastcc void @append(ptr noundef nonnull %text, i8 noundef signext 45) #4
  br label %append_signed.exit

append_signed.exit:                               ; preds = %if.then47, %if.then.i
  %cond.i = tail call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call fastcc void @append_number(ptr noundef nonnull %text, i64 noundef %cond.i, i32 noundef signext 10) #4
  %incdec.ptr52 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  br label %for.inc64

if.then57:                                        ; preds = %for.cond7
  %incdec.ptr58 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  %7 = load i64, ptr %values.addr.0, align 8
  call fastcc void @append_number(ptr noundef %text, i64 noundef %7, i32 noundef signext 10) #4
  br label %for.inc64

if.else59:                                        ; preds = %for.cond7
  call fastcc void @append(ptr noundef %text, i8 noundef signext 48) #4
  call fastcc void @append(ptr noundef %text, i8 noundef signext 120) #4
  %incdec.ptr60 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  %8 = load i64, ptr %values.addr.0, align 8
  call fastcc void @append_number(ptr noundef %text, i64 noundef %8, i32 noundef signext 16) #4
  br label %for.inc64

for.inc64:                                        ; preds = %for.cond34, %land.rhs, %if.then57, %if.else59, %append_signed.exit, %if.then
  %values.addr.1 = phi ptr [ %values.addr.0, %if.then ], [ %incdec.ptr58, %if.then57 ], [ %incdec.ptr60, %if.else59 ], [ %incdec.ptr52, %append_signed.exit ], [ %incdec.ptr33, %land.rhs ], [ %incdec.ptr33, %for.cond34 ]
  %format.addr.1 = phi ptr [ %format.addr.0, %if.then ], [ %format.addr.2, %if.then57 ], [ %format.addr.2, %if.else59 ], [ %format.addr.2, %append_signed.exit ], [ %format.addr.2, %land.rhs ], [ %format.addr.2, %for.cond34 ]
  %incdec.ptr65 = getelementptr inbounds nuw i8, ptr %format.addr.1, i64 1
  br label %for.cond

for.end66:                                        ; preds = %for.cond
  %cmp67.not = icmp eq i64 %room, 0
  %9 = load i64, ptr %length, align 8
  br i1 %cmp67.not, label %if.end80, label %if.then69

if.then69:                                        ; preds = %for.end66
  %cmp71 = icmp ult i64 %9, %room
  %sub76 = add i64 %room, -1
  %cond78 = select i1 %cmp71, i64 %9, i64 %sub76
  %arrayidx79 = getelementptr inbounds nuw i8, ptr %start, i64 %cond78
  store i8 0, ptr %arrayidx79, align 1
  br label %if.end80

if.end80:                                         ; preds = %if.then69, %for.end66
  %conv82 = trunc i64 %9 to i32
  ret i32 %conv82
}

define internal fastcc void @append(ptr noundef nonnull captures(none) %text, i8 noundef signext %letter) unnamed_addr #1 {
entry:
  %length = getelementptr inbounds nuw i8, ptr %text, i64 16
  %0 = load i64, ptr %length, align 8
  %add = add i64 %0, 1
  %room = getelementptr inbounds nuw i8, ptr %text, i64 8
  %1 = load i64, ptr %room, align 8
  %cmp = icmp ult i64 %add, %1
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %2 = load ptr, ptr %text, align 8
  %arrayidx = getelementptr inbounds nuw i8, ptr %2, i64 %0
  store i8 %letter, ptr %arrayidx, align 1
  %.pre = load i64, ptr %length, align 8
  %.pre5 = add i64 %.pre, 1
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %inc.pre-phi = phi i64 [ %.pre5, %if.then ], [ %add, %entry ]
  store i64 %inc.pre-phi, ptr %length, align 8
  ret void
}

define internal fastcc void @append_number(ptr noundef nonnull captures(none) %text, i64 noundef %value, i32 noundef signext range(i32 10, 17) %base) unnamed_addr #2 {
entry:
  %digits = alloca [24 x i8], align 1
  %conv = zext nneg i32 %base to i64
  br label %do.body

do.body:                                          ; preds = %do.body, %entry
  %indvars.iv6 = phi i64 [ %indvars.iv.next7, %do.body ], [ 1, %entry ]
  %indvars.iv = phi i64 [ %indvars.iv.next, %do.body ], [ 0, %entry ]
  %value.addr.0 = phi i64 [ %div, %do.body ], [ %value, %entry ]
  %rem = urem i64 %value.addr.0, %conv
  %arrayidx = getelementptr inbounds nuw i8, ptr @.str, i64 %rem
  %0 = load i8, ptr %arrayidx, align 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %digits, i64 %indvars.iv
  store i8 %0, ptr %arrayidx1, align 1
  %div = udiv i64 %value.addr.0, %conv
  %cmp.not = icmp ult i64 %value.addr.0, %conv
  %indvars.iv.next7 = add nuw i64 %indvars.iv6, 1
  br i1 %cmp.not, label %while.cond, label %do.body

while.cond:                                       ; preds = %do.body, %while.body
  %indvars.iv8 = phi i64 [ %2, %while.body ], [ %indvars.iv6, %do.body ]
  %1 = trunc nuw i64 %indvars.iv8 to i32
  %cmp4 = icmp sgt i32 %1, 0
  br i1 %cmp4, label %while.body, label %while.end

while.body:                                       ; preds = %while.cond
  %2 = add nsw i64 %indvars.iv8, -1
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %digits, i64 %2
  %3 = load i8, ptr %arrayidx7, align 1
  tail call fastcc void @append(ptr noundef %text, i8 noundef signext %3) #4
  br label %while.cond

while.end:                                        ; preds = %while.cond
  ret void
}

declare i64 @llvm.abs.i64(i64, i1 immarg) #3

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #2 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nobuiltin "no-builtins" }
