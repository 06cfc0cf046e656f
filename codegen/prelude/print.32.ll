; Generated from runtime/native/print.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.__va_list = type { ptr }

@.str = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

define hidden i32 @tw_print(ptr noundef writeonly captures(none) %start, i32 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr #0 {
entry:
  %digits.i76 = alloca [24 x i8], align 1
  %digits.i = alloca [24 x i8], align 1
  %digits.i.i = alloca [24 x i8], align 1
  br label %for.cond

for.cond:                                         ; preds = %for.inc64, %entry
  %text.sroa.20.0 = phi i32 [ 0, %entry ], [ %text.sroa.20.1, %for.inc64 ]
  %values.addr.0 = phi ptr [ %values, %entry ], [ %values.addr.1, %for.inc64 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr65, %for.inc64 ]
  %0 = load i8, ptr %format.addr.0, align 1
  switch i8 %0, label %if.then [
    i8 0, label %for.end66
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  %add.i = add i32 %text.sroa.20.0, 1
  %cmp.i = icmp ult i32 %add.i, %room
  br i1 %cmp.i, label %if.then.i, label %for.inc64

if.then.i:                                        ; preds = %if.then
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.0
  store i8 %0, ptr %arrayidx.i, align 1
  br label %for.inc64

for.cond7:                                        ; preds = %for.cond, %for.body8
  %most.0 = phi i32 [ %most.2, %for.body8 ], [ -1, %for.cond ]
  %is_long.0.off0 = phi i1 [ %spec.select136, %for.body8 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.2, %for.body8 ], [ %format.addr.0, %for.cond ]
  %format.addr.2 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i32 1
  %1 = load i8, ptr %format.addr.2, align 1
  switch i8 %1, label %for.body8 [
    i8 115, label %if.then31
    i8 100, label %if.then47
    i8 117, label %if.then57
    i8 120, label %if.else59
  ]

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
  %spec.select136 = or i1 %is_long.0.off0, %cmp25
  br label %for.cond7

if.then31:                                        ; preds = %for.cond7
  %3 = load i64, ptr %values.addr.0, align 8
  %conv33 = trunc i64 %3 to i32
  %4 = inttoptr i32 %conv33 to ptr
  %cmp35148.not = icmp eq i32 %most.0, 0
  br i1 %cmp35148.not, label %if.end63, label %land.rhs

land.rhs:                                         ; preds = %if.then31, %append.exit39
  %index.0150 = phi i32 [ %inc, %append.exit39 ], [ 0, %if.then31 ]
  %text.sroa.20.2149 = phi i32 [ %add.i31, %append.exit39 ], [ %text.sroa.20.0, %if.then31 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %4, i32 %index.0150
  %5 = load i8, ptr %arrayidx, align 1
  %cmp38.not = icmp eq i8 %5, 0
  br i1 %cmp38.not, label %if.end63, label %for.body40

for.body40:                                       ; preds = %land.rhs
  %add.i31 = add i32 %text.sroa.20.2149, 1
  %cmp.i33 = icmp ult i32 %add.i31, %room
  br i1 %cmp.i33, label %if.then.i35, label %append.exit39

if.then.i35:                                      ; preds = %for.body40
  %arrayidx.i36 = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.2149
  store i8 %5, ptr %arrayidx.i36, align 1
  br label %append.exit39

append.exit39:                                    ; preds = %for.body40, %if.then.i35
  %inc = add nuw i32 %index.0150, 1
  %exitcond.not = icmp eq i32 %inc, %most.0
  br i1 %exitcond.not, label %if.end63, label %land.rhs

if.then47:                                        ; preds = %for.cond7
  %6 = load i64, ptr %values.addr.0, align 8
  %7 = shl i64 %6, 32
  %conv51 = ashr exact i64 %7, 32
  %cond = select i1 %is_long.0.off0, i64 %6, i64 %conv51
  %cmp.i40 = icmp slt i64 %cond, 0
  br i1 %cmp.i40, label %if.then.i41, label %if.end.i

if.then.i41:                                      ; preds = %if.then47
  %add.i.i = add i32 %text.sroa.20.0, 1
  %cmp.i.i = icmp ult i32 %add.i.i, %room
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i

if.then.i.i:                                      ; preds = %if.then.i41
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.0
  store i8 45, ptr %arrayidx.i.i, align 1
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i41, %if.then.i.i, %if.then47
  %text.sroa.20.4 = phi i32 [ %text.sroa.20.0, %if.then47 ], [ %add.i.i, %if.then.i.i ], [ %add.i.i, %if.then.i41 ]
  %cond.i = tail call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i.i) #6
  br label %do.body.i.i

do.body.i.i:                                      ; preds = %do.body.i.i, %if.end.i
  %value.addr.0.i.i = phi i64 [ %cond.i, %if.end.i ], [ %div.i.i, %do.body.i.i ]
  %count.0.i.i = phi i32 [ 0, %if.end.i ], [ %inc.i.i, %do.body.i.i ]
  %value.addr.0.i.i.frozen = freeze i64 %value.addr.0.i.i
  %div.i.i = udiv i64 %value.addr.0.i.i.frozen, 10
  %8 = mul i64 %div.i.i, 10
  %rem.i.i.decomposed = sub i64 %value.addr.0.i.i.frozen, %8
  %idxprom.i.i = trunc nuw nsw i64 %rem.i.i.decomposed to i32
  %arrayidx.i5.i = getelementptr inbounds nuw i8, ptr @.str, i32 %idxprom.i.i
  %9 = load i8, ptr %arrayidx.i5.i, align 1
  %inc.i.i = add nuw nsw i32 %count.0.i.i, 1
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i32 %count.0.i.i
  store i8 %9, ptr %arrayidx1.i.i, align 1
  %cmp.not.i.i = icmp ult i64 %value.addr.0.i.i, 10
  br i1 %cmp.not.i.i, label %while.body.i.i, label %do.body.i.i

while.body.i.i:                                   ; preds = %do.body.i.i, %append.exit.i.i
  %text.sroa.20.5 = phi i32 [ %add.i.i.i, %append.exit.i.i ], [ %text.sroa.20.4, %do.body.i.i ]
  %count.15.i.i = phi i32 [ %dec.i.i, %append.exit.i.i ], [ %inc.i.i, %do.body.i.i ]
  %dec.i.i = add nsw i32 %count.15.i.i, -1
  %add.i.i.i = add i32 %text.sroa.20.5, 1
  %cmp.i.i.i = icmp ult i32 %add.i.i.i, %room
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %append.exit.i.i

if.then.i.i.i:                                    ; preds = %while.body.i.i
  %arrayidx6.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i32 %dec.i.i
  %10 = load i8, ptr %arrayidx6.i.i, align 1
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.5
  store i8 %10, ptr %arrayidx.i.i.i, align 1
  br label %append.exit.i.i

append.exit.i.i:                                  ; preds = %if.then.i.i.i, %while.body.i.i
  %cmp4.i.i = icmp sgt i32 %count.15.i.i, 1
  br i1 %cmp4.i.i, label %while.body.i.i, label %append_signed.exit

append_signed.exit:                               ; preds = %append.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i.i) #6
  br label %if.end63

if.then57:                                        ; preds = %for.cond7
  %11 = load i64, ptr %values.addr.0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i) #6
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %if.then57
  %value.addr.0.i = phi i64 [ %11, %if.then57 ], [ %div.i, %do.body.i ]
  %count.0.i = phi i32 [ 0, %if.then57 ], [ %inc.i, %do.body.i ]
  %value.addr.0.i.frozen = freeze i64 %value.addr.0.i
  %div.i = udiv i64 %value.addr.0.i.frozen, 10
  %12 = mul i64 %div.i, 10
  %rem.i.decomposed = sub i64 %value.addr.0.i.frozen, %12
  %idxprom.i = trunc nuw nsw i64 %rem.i.decomposed to i32
  %arrayidx.i42 = getelementptr inbounds nuw i8, ptr @.str, i32 %idxprom.i
  %13 = load i8, ptr %arrayidx.i42, align 1
  %inc.i = add nuw nsw i32 %count.0.i, 1
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %digits.i, i32 %count.0.i
  store i8 %13, ptr %arrayidx1.i, align 1
  %cmp.not.i = icmp ult i64 %value.addr.0.i, 10
  br i1 %cmp.not.i, label %while.body.i, label %do.body.i

while.body.i:                                     ; preds = %do.body.i, %append.exit.i48
  %text.sroa.20.6 = phi i32 [ %add.i.i46, %append.exit.i48 ], [ %text.sroa.20.0, %do.body.i ]
  %count.15.i = phi i32 [ %dec.i, %append.exit.i48 ], [ %inc.i, %do.body.i ]
  %dec.i = add nsw i32 %count.15.i, -1
  %add.i.i46 = add i32 %text.sroa.20.6, 1
  %cmp.i.i47 = icmp ult i32 %add.i.i46, %room
  br i1 %cmp.i.i47, label %if.then.i.i50, label %append.exit.i48

if.then.i.i50:                                    ; preds = %while.body.i
  %arrayidx6.i = getelementptr inbounds nuw i8, ptr %digits.i, i32 %dec.i
  %14 = load i8, ptr %arrayidx6.i, align 1
  %arrayidx.i.i51 = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.6
  store i8 %14, ptr %arrayidx.i.i51, align 1
  br label %append.exit.i48

append.exit.i48:                                  ; preds = %if.then.i.i50, %while.body.i
  %cmp4.i = icmp sgt i32 %count.15.i, 1
  br i1 %cmp4.i, label %while.body.i, label %append_number.exit

append_number.exit:                               ; preds = %append.exit.i48
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i) #6
  br label %if.end63

if.else59:                                        ; preds = %for.cond7
  %add.i55 = add i32 %text.sroa.20.0, 1
  %cmp.i57 = icmp ult i32 %add.i55, %room
  br i1 %cmp.i57, label %if.then.i60, label %append.exit64

if.then.i60:                                      ; preds = %if.else59
  %arrayidx.i61 = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.0
  store i8 48, ptr %arrayidx.i61, align 1
  br label %append.exit64

append.exit64:                                    ; preds = %if.else59, %if.then.i60
  %add.i66 = add i32 %text.sroa.20.0, 2
  %cmp.i68 = icmp ult i32 %add.i66, %room
  br i1 %cmp.i68, label %if.then.i71, label %append.exit75

if.then.i71:                                      ; preds = %append.exit64
  %arrayidx.i72 = getelementptr inbounds nuw i8, ptr %start, i32 %add.i55
  store i8 120, ptr %arrayidx.i72, align 1
  br label %append.exit75

append.exit75:                                    ; preds = %append.exit64, %if.then.i71
  %15 = load i64, ptr %values.addr.0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i76) #6
  br label %do.body.i77

do.body.i77:                                      ; preds = %do.body.i77, %append.exit75
  %value.addr.0.i78 = phi i64 [ %15, %append.exit75 ], [ %div.i85137, %do.body.i77 ]
  %count.0.i79 = phi i32 [ 0, %append.exit75 ], [ %inc.i83, %do.body.i77 ]
  %16 = trunc i64 %value.addr.0.i78 to i32
  %idxprom.i81 = and i32 %16, 15
  %arrayidx.i82 = getelementptr inbounds nuw i8, ptr @.str, i32 %idxprom.i81
  %17 = load i8, ptr %arrayidx.i82, align 1
  %inc.i83 = add nuw nsw i32 %count.0.i79, 1
  %arrayidx1.i84 = getelementptr inbounds nuw i8, ptr %digits.i76, i32 %count.0.i79
  store i8 %17, ptr %arrayidx1.i84, align 1
  %div.i85137 = lshr i64 %value.addr.0.i78, 4
  %cmp.not.i86 = icmp ult i64 %value.addr.0.i78, 16
  br i1 %cmp.not.i86, label %while.body.i91, label %do.body.i77

while.body.i91:                                   ; preds = %do.body.i77, %append.exit.i96
  %text.sroa.20.7 = phi i32 [ %add.i.i94, %append.exit.i96 ], [ %add.i66, %do.body.i77 ]
  %count.15.i92 = phi i32 [ %dec.i93, %append.exit.i96 ], [ %inc.i83, %do.body.i77 ]
  %dec.i93 = add nsw i32 %count.15.i92, -1
  %add.i.i94 = add i32 %text.sroa.20.7, 1
  %cmp.i.i95 = icmp ult i32 %add.i.i94, %room
  br i1 %cmp.i.i95, label %if.then.i.i99, label %append.exit.i96

if.then.i.i99:                                    ; preds = %while.body.i91
  %arrayidx6.i100 = getelementptr inbounds nuw i8, ptr %digits.i76, i32 %dec.i93
  %18 = load i8, ptr %arrayidx6.i100, align 1
  %arrayidx.i.i101 = getelementptr inbounds nuw i8, ptr %start, i32 %text.sroa.20.7
  store i8 %18, ptr %arrayidx.i.i101, align 1
  br label %append.exit.i96

append.exit.i96:                                  ; preds = %if.then.i.i99, %while.body.i91
  %cmp4.i98 = icmp sgt i32 %count.15.i92, 1
  br i1 %cmp4.i98, label %while.body.i91, label %append_number.exit104

append_number.exit104:                            ; preds = %append.exit.i96
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i76) #6
  br label %if.end63

if.end63:                                         ; preds = %append.exit39, %land.rhs, %if.then31, %append_signed.exit, %append_number.exit104, %append_number.exit
  %text.sroa.20.3 = phi i32 [ %add.i.i94, %append_number.exit104 ], [ %add.i.i.i, %append_signed.exit ], [ %add.i.i46, %append_number.exit ], [ %text.sroa.20.0, %if.then31 ], [ %add.i31, %append.exit39 ], [ %text.sroa.20.2149, %land.rhs ]
  %values.addr.2 = getelementptr inbounds nuw i8, ptr %values.addr.0, i32 8
  br label %for.inc64

for.inc64:                                        ; preds = %if.then.i, %if.then, %if.end63
  %text.sroa.20.1 = phi i32 [ %text.sroa.20.3, %if.end63 ], [ %add.i, %if.then ], [ %add.i, %if.then.i ]
  %values.addr.1 = phi ptr [ %values.addr.2, %if.end63 ], [ %values.addr.0, %if.then ], [ %values.addr.0, %if.then.i ]
  %format.addr.1 = phi ptr [ %format.addr.2, %if.end63 ], [ %format.addr.0, %if.then ], [ %format.addr.0, %if.then.i ]
  %incdec.ptr65 = getelementptr inbounds nuw i8, ptr %format.addr.1, i32 1
  br label %for.cond

for.end66:                                        ; preds = %for.cond
  %cmp67.not = icmp eq i32 %room, 0
  br i1 %cmp67.not, label %if.end80, label %if.then69

if.then69:                                        ; preds = %for.end66
  %cmp71 = icmp ult i32 %text.sroa.20.0, %room
  %sub76 = add i32 %room, -1
  %cond78 = select i1 %cmp71, i32 %text.sroa.20.0, i32 %sub76
  %arrayidx79 = getelementptr inbounds nuw i8, ptr %start, i32 %cond78
  store i8 0, ptr %arrayidx79, align 1
  br label %if.end80

if.end80:                                         ; preds = %if.then69, %for.end66
  ret i32 %text.sroa.20.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define i32 @snprintf(ptr noalias noundef writeonly captures(none) %start, i32 noundef %room, ptr noalias noundef readonly captures(none) %format, ...) local_unnamed_addr #2 {
entry:
  %values = alloca [16 x i64], align 8
  %arguments = alloca %struct.__va_list, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #6
  call void @llvm.lifetime.start.p0(ptr nonnull %arguments) #6
  call void @llvm.va_start.p0(ptr nonnull %arguments)
  %0 = load i8, ptr %format, align 1
  %cmp19.not = icmp eq i8 %0, 0
  br i1 %cmp19.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %arguments.promoted = load ptr, ptr %arguments, align 4
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc29, %entry
  call void @llvm.va_end.p0(ptr nonnull %arguments)
  %call32 = call i32 @tw_print(ptr noundef %start, i32 noundef %room, ptr noundef nonnull %format, ptr noundef nonnull %values) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %arguments) #6
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #6
  ret i32 %call32

for.body:                                         ; preds = %for.body.preheader, %for.inc29
  %1 = phi i8 [ %8, %for.inc29 ], [ %0, %for.body.preheader ]
  %at.022 = phi ptr [ %incdec.ptr30, %for.inc29 ], [ %format, %for.body.preheader ]
  %count.021 = phi i32 [ %count.1, %for.inc29 ], [ 0, %for.body.preheader ]
  %argp.next241620 = phi ptr [ %argp.next2415, %for.inc29 ], [ %arguments.promoted, %for.body.preheader ]
  %cmp5.not = icmp eq i8 %1, 37
  br i1 %cmp5.not, label %for.cond7, label %for.inc29

for.cond7:                                        ; preds = %for.body, %for.body8
  %at.0.pn = phi ptr [ %at.2, %for.body8 ], [ %at.022, %for.body ]
  %is_long.0.off0 = phi i1 [ %spec.select, %for.body8 ], [ false, %for.body ]
  %at.2 = getelementptr inbounds nuw i8, ptr %at.0.pn, i32 1
  %2 = load i8, ptr %at.2, align 1
  switch i8 %2, label %for.body8 [
    i8 115, label %if.then17
    i8 100, label %if.else
    i8 117, label %if.else
    i8 120, label %if.else
  ]

for.body8:                                        ; preds = %for.cond7
  %cmp11 = icmp eq i8 %2, 108
  %spec.select = or i1 %is_long.0.off0, %cmp11
  br label %for.cond7

if.then17:                                        ; preds = %for.cond7
  %argp.next = getelementptr inbounds nuw i8, ptr %argp.next241620, i32 4
  store ptr %argp.next, ptr %arguments, align 4
  %3 = load ptr, ptr %argp.next241620, align 4
  %4 = ptrtoint ptr %3 to i32
  %conv18 = sext i32 %4 to i64
  br label %if.end28

if.else:                                          ; preds = %for.cond7, %for.cond7, %for.cond7
  br i1 %is_long.0.off0, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.else
  %5 = getelementptr inbounds nuw i8, ptr %argp.next241620, i32 7
  %argp.cur21.aligned = call align 8 ptr @llvm.ptrmask.p0.i32(ptr nonnull %5, i32 -8)
  %argp.next22 = getelementptr inbounds nuw i8, ptr %argp.cur21.aligned, i32 8
  store ptr %argp.next22, ptr %arguments, align 4
  %6 = load i64, ptr %argp.cur21.aligned, align 8
  br label %if.end28

cond.false:                                       ; preds = %if.else
  %argp.next24 = getelementptr inbounds nuw i8, ptr %argp.next241620, i32 4
  store ptr %argp.next24, ptr %arguments, align 4
  %7 = load i32, ptr %argp.next241620, align 4
  %conv25 = sext i32 %7 to i64
  br label %if.end28

if.end28:                                         ; preds = %cond.true, %cond.false, %if.then17
  %cond.sink = phi i64 [ %conv18, %if.then17 ], [ %6, %cond.true ], [ %conv25, %cond.false ]
  %argp.next2417 = phi ptr [ %argp.next, %if.then17 ], [ %argp.next22, %cond.true ], [ %argp.next24, %cond.false ]
  %arrayidx27 = getelementptr inbounds i64, ptr %values, i32 %count.021
  store i64 %cond.sink, ptr %arrayidx27, align 8
  %count.2 = add nsw i32 %count.021, 1
  br label %for.inc29

for.inc29:                                        ; preds = %for.body, %if.end28
  %argp.next2415 = phi ptr [ %argp.next241620, %for.body ], [ %argp.next2417, %if.end28 ]
  %count.1 = phi i32 [ %count.021, %for.body ], [ %count.2, %if.end28 ]
  %at.1 = phi ptr [ %at.022, %for.body ], [ %at.2, %if.end28 ]
  %incdec.ptr30 = getelementptr inbounds nuw i8, ptr %at.1, i32 1
  %8 = load i8, ptr %incdec.ptr30, align 1
  %cmp = icmp ne i8 %8, 0
  %cmp2 = icmp slt i32 %count.1, 16
  %9 = select i1 %cmp, i1 %cmp2, i1 false
  br i1 %9, label %for.body, label %for.cond.cleanup
}

declare void @llvm.va_start.p0(ptr) #3

declare ptr @llvm.ptrmask.p0.i32(ptr, i32) #4

declare void @llvm.va_end.p0(ptr) #3

declare i64 @llvm.abs.i64(i64, i1 immarg) #5

attributes #0 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nofree norecurse nosync nounwind "no-builtins" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }
attributes #7 = { nobuiltin "no-builtins" }
