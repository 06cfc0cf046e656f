; Generated from runtime/native/print.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.text = type { ptr, i32, i32 }
%struct.__va_list = type { ptr }

@.str = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

define hidden i32 @tw_print(ptr noundef %start, i32 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr #0 {
entry:
  %text = alloca %struct.text, align 4
  store ptr %start, ptr %text, align 4
  %room2 = getelementptr inbounds nuw i8, ptr %text, i32 4
  store i32 %room, ptr %room2, align 4
  %length = getelementptr inbounds nuw i8, ptr %text, i32 8
  store i32 0, ptr %length, align 4
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
  call fastcc void @append(ptr noundef %text, i8 noundef signext %0) #8
  br label %for.inc64

for.cond7:                                        ; preds = %for.cond, %for.body8
  %most.0 = phi i32 [ %most.2, %for.body8 ], [ -1, %for.cond ]
  %is_long.0.off0 = phi i1 [ %spec.select30, %for.body8 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.2, %for.body8 ], [ %format.addr.0, %for.cond ]
  %format.addr.2 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i32 1
  %1 = load i8, ptr %format.addr.2, align 1
  %call = tail call fastcc zeroext i1 @is_conversion(i8 noundef signext %1) #8
  br i1 %call, label %for.end, label %for.body8

for.body8:                                        ; preds = %for.cond7
  %cmp10 = icmp eq i8 %1, 46
  %spec.select = select i1 %cmp10, i32 0, i32 %most.0
  %2 = add i8 %1, -48
  %or.cond = icmp ult i8 %2, 10
  %mul = mul i32 %spec.select, 10
  %sub = zext nneg i8 %2 to i32
  %add = add i32 %mul, %sub
  %most.2 = select i1 %or.cond, i32 %add, i32 %spec.select
  %cmp25 = icmp eq i8 %1, 108
  %spec.select30 = or i1 %is_long.0.off0, %cmp25
  br label %for.cond7

for.end:                                          ; preds = %for.cond7
  switch i8 %1, label %if.else59 [
    i8 115, label %if.then31
    i8 100, label %if.then47
    i8 117, label %if.then57
  ]

if.then31:                                        ; preds = %for.end
  %incdec.ptr32 = getelementptr inbounds nuw i8, ptr %values.addr.0, i32 8
  %3 = load i64, ptr %values.addr.0, align 8
  %conv33 = trunc i64 %3 to i32
  %4 = inttoptr i32 %conv33 to ptr
  br label %for.cond34

for.cond34:                                       ; preds = %for.body40, %if.then31
  %index.0 = phi i32 [ 0, %if.then31 ], [ %inc, %for.body40 ]
  %exitcond.not = icmp eq i32 %index.0, %most.0
  br i1 %exitcond.not, label %for.inc64, label %land.rhs

land.rhs:                                         ; preds = %for.cond34
  %arrayidx = getelementptr inbounds nuw i8, ptr %4, i32 %index.0
  %5 = load i8, ptr %arrayidx, align 1
  %cmp38.not = icmp eq i8 %5, 0
  br i1 %cmp38.not, label %for.inc64, label %for.body40

for.body40:                                       ; preds = %land.rhs
  call fastcc void @append(ptr noundef %text, i8 noundef signext %5) #8
  %inc = add i32 %index.0, 1
  br label %for.cond34

if.then47:                                        ; preds = %for.end
  %6 = load i64, ptr %values.addr.0, align 8
  %7 = shl i64 %6, 32
  %conv51 = ashr exact i64 %7, 32
  %cond = select i1 %is_long.0.off0, i64 %6, i64 %conv51
  %cmp.i = icmp slt i64 %cond, 0
  br i1 %cmp.i, label %if.then.i, label %append_signed.exit

if.then.i:                                        ; preds = %if.then47
  call fastcc void @append(ptr noundef nonnull %text, i8 noundef signext 45) #8
  br label %append_signed.exit

append_signed.exit:                               ; preds = %if.then47, %if.then.i
  %cond.i = tail call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call fastcc void @append_number(ptr noundef nonnull %text, i64 noundef %cond.i, i32 noundef 10) #8
  %incdec.ptr52 = getelementptr inbounds nuw i8, ptr %values.addr.0, i32 8
  br label %for.inc64

if.then57:                                        ; preds = %for.end
  %incdec.ptr58 = getelementptr inbounds nuw i8, ptr %values.addr.0, i32 8
  %8 = load i64, ptr %values.addr.0, align 8
  call fastcc void @append_number(ptr noundef %text, i64 noundef %8, i32 noundef 10) #8
  br label %for.inc64

if.else59:                                        ; preds = %for.end
  call fastcc void @append(ptr noundef %text, i8 noundef signext 48) #8
  call fastcc void @append(ptr noundef %text, i8 noundef signext 120) #8
  %incdec.ptr60 = getelementptr inbounds nuw i8, ptr %values.addr.0, i32 8
  %9 = load i64, ptr %values.addr.0, align 8
  call fastcc void @append_number(ptr noundef %text, i64 noundef %9, i32 noundef 16) #8
  br label %for.inc64

for.inc64:                                        ; preds = %for.cond34, %land.rhs, %if.then57, %if.else59, %append_signed.exit, %if.then
  %values.addr.1 = phi ptr [ %values.addr.0, %if.then ], [ %incdec.ptr58, %if.then57 ], [ %incdec.ptr60, %if.else59 ], [ %incdec.ptr52, %append_signed.exit ], [ %incdec.ptr32, %land.rhs ], [ %incdec.ptr32, %for.cond34 ]
  %format.addr.1 = phi ptr [ %format.addr.0, %if.then ], [ %format.addr.2, %if.then57 ], [ %format.addr.2, %if.else59 ], [ %format.addr.2, %append_signed.exit ], [ %format.addr.2, %land.rhs ], [ %format.addr.2, %for.cond34 ]
  %incdec.ptr65 = getelementptr inbounds nuw i8, ptr %format.addr.1, i32 1
  br label %for.cond

for.end66:                                        ; preds = %for.cond
  %cmp67.not = icmp eq i32 %room, 0
  %10 = load i32, ptr %length, align 4
  br i1 %cmp67.not, label %if.end80, label %if.then69

if.then69:                                        ; preds = %for.end66
  %cmp71 = icmp ult i32 %10, %room
  %sub76 = add i32 %room, -1
  %cond78 = select i1 %cmp71, i32 %10, i32 %sub76
  %arrayidx79 = getelementptr inbounds nuw i8, ptr %start, i32 %cond78
  store i8 0, ptr %arrayidx79, align 1
  br label %if.end80

if.end80:                                         ; preds = %if.then69, %for.end66
  ret i32 %10
}

define internal fastcc void @append(ptr noundef nonnull captures(none) %text, i8 noundef signext %letter) unnamed_addr #1 {
entry:
  %length = getelementptr inbounds nuw i8, ptr %text, i32 8
  %0 = load i32, ptr %length, align 4
  %add = add i32 %0, 1
  %room = getelementptr inbounds nuw i8, ptr %text, i32 4
  %1 = load i32, ptr %room, align 4
  %cmp = icmp ult i32 %add, %1
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %2 = load ptr, ptr %text, align 4
  %arrayidx = getelementptr inbounds nuw i8, ptr %2, i32 %0
  store i8 %letter, ptr %arrayidx, align 1
  %.pre = load i32, ptr %length, align 4
  %.pre5 = add i32 %.pre, 1
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %inc.pre-phi = phi i32 [ %.pre5, %if.then ], [ %add, %entry ]
  store i32 %inc.pre-phi, ptr %length, align 4
  ret void
}

define internal fastcc noundef zeroext i1 @is_conversion(i8 noundef signext %letter) unnamed_addr #2 {
entry:
  %switch.tableidx = add i8 %letter, -100
  %0 = icmp ult i8 %switch.tableidx, 21
  %switch.cast = zext nneg i8 %switch.tableidx to i21
  %switch.downshift = lshr i21 -884735, %switch.cast
  %switch.masked = trunc i21 %switch.downshift to i1
  %1 = select i1 %0, i1 %switch.masked, i1 false
  ret i1 %1
}

define internal fastcc void @append_number(ptr noundef nonnull captures(none) %text, i64 noundef %value, i32 noundef range(i32 10, 17) %base) unnamed_addr #3 {
entry:
  %digits = alloca [24 x i8], align 1
  %conv = zext nneg i32 %base to i64
  br label %do.body

do.body:                                          ; preds = %do.body, %entry
  %value.addr.0 = phi i64 [ %value, %entry ], [ %div, %do.body ]
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %do.body ]
  %value.addr.0.frozen = freeze i64 %value.addr.0
  %div = udiv i64 %value.addr.0.frozen, %conv
  %0 = mul i64 %div, %conv
  %rem.decomposed = sub i64 %value.addr.0.frozen, %0
  %idxprom = trunc nuw nsw i64 %rem.decomposed to i32
  %arrayidx = getelementptr inbounds nuw i8, ptr @.str, i32 %idxprom
  %1 = load i8, ptr %arrayidx, align 1
  %inc = add nuw nsw i32 %count.0, 1
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %digits, i32 %count.0
  store i8 %1, ptr %arrayidx1, align 1
  %cmp.not = icmp ult i64 %value.addr.0, %conv
  br i1 %cmp.not, label %while.cond, label %do.body

while.cond:                                       ; preds = %do.body, %while.body
  %count.1 = phi i32 [ %dec, %while.body ], [ %inc, %do.body ]
  %cmp4 = icmp sgt i32 %count.1, 0
  br i1 %cmp4, label %while.body, label %while.end

while.body:                                       ; preds = %while.cond
  %dec = add nsw i32 %count.1, -1
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %digits, i32 %dec
  %2 = load i8, ptr %arrayidx6, align 1
  tail call fastcc void @append(ptr noundef %text, i8 noundef signext %2) #8
  br label %while.cond

while.end:                                        ; preds = %while.cond
  ret void
}

define i32 @snprintf(ptr noalias noundef %start, i32 noundef %room, ptr noalias noundef readonly captures(none) %format, ...) local_unnamed_addr #4 {
entry:
  %values = alloca [16 x i64], align 8
  %arguments = alloca %struct.__va_list, align 4
  call void @llvm.va_start.p0(ptr nonnull %arguments)
  %arguments.promoted = load ptr, ptr %arguments, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc29, %entry
  %argp.next2413 = phi ptr [ %arguments.promoted, %entry ], [ %argp.next2412, %for.inc29 ]
  %count.0 = phi i32 [ 0, %entry ], [ %count.1, %for.inc29 ]
  %at.0 = phi ptr [ %format, %entry ], [ %incdec.ptr30, %for.inc29 ]
  %0 = load i8, ptr %at.0, align 1
  %cmp = icmp ne i8 %0, 0
  %cmp2 = icmp slt i32 %count.0, 16
  %1 = select i1 %cmp, i1 %cmp2, i1 false
  br i1 %1, label %for.body, label %for.end31

for.body:                                         ; preds = %for.cond
  %cmp5.not = icmp eq i8 %0, 37
  br i1 %cmp5.not, label %for.cond7, label %for.inc29

for.cond7:                                        ; preds = %for.body, %for.body8
  %at.0.pn = phi ptr [ %at.2, %for.body8 ], [ %at.0, %for.body ]
  %is_long.0.off0 = phi i1 [ %spec.select, %for.body8 ], [ false, %for.body ]
  %at.2 = getelementptr inbounds nuw i8, ptr %at.0.pn, i32 1
  %2 = load i8, ptr %at.2, align 1
  %call = call fastcc zeroext i1 @is_conversion(i8 noundef signext %2) #8
  br i1 %call, label %for.end, label %for.body8

for.body8:                                        ; preds = %for.cond7
  %cmp11 = icmp eq i8 %2, 108
  %spec.select = or i1 %is_long.0.off0, %cmp11
  br label %for.cond7

for.end:                                          ; preds = %for.cond7
  %cmp15 = icmp eq i8 %2, 115
  br i1 %cmp15, label %if.then17, label %if.else

if.then17:                                        ; preds = %for.end
  %argp.next = getelementptr inbounds nuw i8, ptr %argp.next2413, i32 4
  store ptr %argp.next, ptr %arguments, align 4
  %3 = load ptr, ptr %argp.next2413, align 4
  %4 = ptrtoint ptr %3 to i32
  %conv18 = sext i32 %4 to i64
  br label %for.inc29.gvnsink.split

if.else:                                          ; preds = %for.end
  br i1 %is_long.0.off0, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.else
  %5 = getelementptr inbounds nuw i8, ptr %argp.next2413, i32 7
  %argp.cur21.aligned = call align 8 ptr @llvm.ptrmask.p0.i32(ptr nonnull %5, i32 -8)
  %argp.next22 = getelementptr inbounds nuw i8, ptr %argp.cur21.aligned, i32 8
  store ptr %argp.next22, ptr %arguments, align 4
  %6 = load i64, ptr %argp.cur21.aligned, align 8
  br label %for.inc29.gvnsink.split

cond.false:                                       ; preds = %if.else
  %argp.next24 = getelementptr inbounds nuw i8, ptr %argp.next2413, i32 4
  store ptr %argp.next24, ptr %arguments, align 4
  %7 = load i32, ptr %argp.next2413, align 4
  %conv25 = sext i32 %7 to i64
  br label %for.inc29.gvnsink.split

for.inc29.gvnsink.split:                          ; preds = %cond.true, %cond.false, %if.then17
  %argp.next2414 = phi ptr [ %argp.next, %if.then17 ], [ %argp.next22, %cond.true ], [ %argp.next24, %cond.false ]
  %cond.sink = phi i64 [ %conv18, %if.then17 ], [ %6, %cond.true ], [ %conv25, %cond.false ]
  %count.1.ph = add nsw i32 %count.0, 1
  %arrayidx27 = getelementptr inbounds i64, ptr %values, i32 %count.0
  store i64 %cond.sink, ptr %arrayidx27, align 8
  br label %for.inc29

for.inc29:                                        ; preds = %for.inc29.gvnsink.split, %for.body
  %argp.next2412 = phi ptr [ %argp.next2413, %for.body ], [ %argp.next2414, %for.inc29.gvnsink.split ]
  %count.1 = phi i32 [ %count.0, %for.body ], [ %count.1.ph, %for.inc29.gvnsink.split ]
  %at.1 = phi ptr [ %at.0, %for.body ], [ %at.2, %for.inc29.gvnsink.split ]
  %incdec.ptr30 = getelementptr inbounds nuw i8, ptr %at.1, i32 1
  br label %for.cond

for.end31:                                        ; preds = %for.cond
  call void @llvm.va_end.p0(ptr nonnull %arguments)
  %call32 = call i32 @tw_print(ptr noundef %start, i32 noundef %room, ptr noundef %format, ptr noundef nonnull %values) #8
  ret i32 %call32
}

declare void @llvm.va_start.p0(ptr) #5

declare ptr @llvm.ptrmask.p0.i32(ptr, i32) #6

declare void @llvm.va_end.p0(ptr) #5

declare i64 @llvm.abs.i64(i64, i1 immarg) #7

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #3 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #4 = { nofree norecurse nosync nounwind "no-builtins" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #6 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nobuiltin "no-builtins" }
