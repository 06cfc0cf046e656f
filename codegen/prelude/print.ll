; Generated from runtime/native/print.c by `make prelude`; do not edit.
; ziglang 0.17.1
@.str = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

define hidden signext i32 @tw_print(ptr noundef writeonly captures(none) %start, i64 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr #0 {
entry:
  %digits.i76 = alloca [24 x i8], align 1
  %digits.i = alloca [24 x i8], align 1
  %digits.i.i = alloca [24 x i8], align 1
  br label %for.cond

for.cond:                                         ; preds = %for.inc64, %entry
  %text.sroa.20.0 = phi i64 [ 0, %entry ], [ %text.sroa.20.1, %for.inc64 ]
  %values.addr.0 = phi ptr [ %values, %entry ], [ %values.addr.1, %for.inc64 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr65, %for.inc64 ]
  %0 = load i8, ptr %format.addr.0, align 1
  switch i8 %0, label %if.then [
    i8 0, label %for.end66
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  %add.i = add i64 %text.sroa.20.0, 1
  %cmp.i = icmp ult i64 %add.i, %room
  br i1 %cmp.i, label %if.then.i, label %for.inc64

if.then.i:                                        ; preds = %if.then
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 %0, ptr %arrayidx.i, align 1
  br label %for.inc64

for.cond7:                                        ; preds = %for.cond, %for.body8
  %most.0 = phi i64 [ %most.2, %for.body8 ], [ -1, %for.cond ]
  %is_long.0 = phi i1 [ %spec.select137, %for.body8 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.2, %for.body8 ], [ %format.addr.0, %for.cond ]
  %format.addr.2 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i64 1
  %1 = load i8, ptr %format.addr.2, align 1
  switch i8 %1, label %for.body8 [
    i8 115, label %if.then32
    i8 100, label %if.then47
    i8 117, label %if.then57
    i8 120, label %if.else59
  ]

for.body8:                                        ; preds = %for.cond7
  %cmp10 = icmp eq i8 %1, 46
  %spec.select = select i1 %cmp10, i64 0, i64 %most.0
  %2 = add i8 %1, -48
  %or.cond = icmp ult i8 %2, 10
  %mul = mul i64 %most.0, 10
  %sub = zext nneg i8 %2 to i64
  %add = add i64 %mul, %sub
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %cmp26 = icmp eq i8 %1, 108
  %spec.select137 = or i1 %is_long.0, %cmp26
  br label %for.cond7

if.then32:                                        ; preds = %for.cond7
  %3 = load i64, ptr %values.addr.0, align 8
  %4 = inttoptr i64 %3 to ptr
  %cmp35149.not = icmp eq i64 %most.0, 0
  br i1 %cmp35149.not, label %if.end63, label %land.rhs

land.rhs:                                         ; preds = %if.then32, %append.exit39
  %index.0151 = phi i64 [ %inc, %append.exit39 ], [ 0, %if.then32 ]
  %text.sroa.20.2150 = phi i64 [ %add.i31, %append.exit39 ], [ %text.sroa.20.0, %if.then32 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %4, i64 %index.0151
  %5 = load i8, ptr %arrayidx, align 1
  %cmp38.not = icmp eq i8 %5, 0
  br i1 %cmp38.not, label %if.end63, label %for.body40

for.body40:                                       ; preds = %land.rhs
  %add.i31 = add i64 %text.sroa.20.2150, 1
  %cmp.i33 = icmp ult i64 %add.i31, %room
  br i1 %cmp.i33, label %if.then.i35, label %append.exit39

if.then.i35:                                      ; preds = %for.body40
  %arrayidx.i36 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.2150
  store i8 %5, ptr %arrayidx.i36, align 1
  br label %append.exit39

append.exit39:                                    ; preds = %for.body40, %if.then.i35
  %inc = add nuw i64 %index.0151, 1
  %exitcond.not = icmp eq i64 %inc, %most.0
  br i1 %exitcond.not, label %if.end63, label %land.rhs

if.then47:                                        ; preds = %for.cond7
  %6 = load i64, ptr %values.addr.0, align 8
  %sext = shl i64 %6, 32
  %conv51 = ashr exact i64 %sext, 32
  %cond = select i1 %is_long.0, i64 %6, i64 %conv51
  %cmp.i40 = icmp slt i64 %cond, 0
  br i1 %cmp.i40, label %if.then.i41, label %if.end.i

if.then.i41:                                      ; preds = %if.then47
  %add.i.i = add i64 %text.sroa.20.0, 1
  %cmp.i.i = icmp ult i64 %add.i.i, %room
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i

if.then.i.i:                                      ; preds = %if.then.i41
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 45, ptr %arrayidx.i.i, align 1
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i41, %if.then.i.i, %if.then47
  %text.sroa.20.4 = phi i64 [ %text.sroa.20.0, %if.then47 ], [ %add.i.i, %if.then.i.i ], [ %add.i.i, %if.then.i41 ]
  %cond.i = tail call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i.i) #3
  br label %do.body.i.i

do.body.i.i:                                      ; preds = %do.body.i.i, %if.end.i
  %indvars.iv7.i.i = phi i64 [ %indvars.iv.next8.i.i, %do.body.i.i ], [ 1, %if.end.i ]
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %do.body.i.i ], [ 0, %if.end.i ]
  %value.addr.0.i.i = phi i64 [ %div.i.i, %do.body.i.i ], [ %cond.i, %if.end.i ]
  %rem.i.i = urem i64 %value.addr.0.i.i, 10
  %arrayidx.i5.i = getelementptr inbounds nuw i8, ptr @.str, i64 %rem.i.i
  %7 = load i8, ptr %arrayidx.i5.i, align 1
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i64 %indvars.iv.i.i
  store i8 %7, ptr %arrayidx1.i.i, align 1
  %div.i.i = udiv i64 %value.addr.0.i.i, 10
  %cmp.not.i.i = icmp ult i64 %value.addr.0.i.i, 10
  %indvars.iv.next8.i.i = add nuw i64 %indvars.iv7.i.i, 1
  br i1 %cmp.not.i.i, label %while.body.i.i, label %do.body.i.i

while.body.i.i:                                   ; preds = %do.body.i.i, %append.exit.i.i
  %text.sroa.20.5 = phi i64 [ %add.i.i.i, %append.exit.i.i ], [ %text.sroa.20.4, %do.body.i.i ]
  %indvars.iv9.i.i = phi i64 [ %indvars.iv.next10.i.i, %append.exit.i.i ], [ %indvars.iv7.i.i, %do.body.i.i ]
  %indvars.iv.next10.i.i = add nsw i64 %indvars.iv9.i.i, -1
  %add.i.i.i = add i64 %text.sroa.20.5, 1
  %cmp.i.i.i = icmp ult i64 %add.i.i.i, %room
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %append.exit.i.i

if.then.i.i.i:                                    ; preds = %while.body.i.i
  %arrayidx7.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i64 %indvars.iv.next10.i.i
  %8 = load i8, ptr %arrayidx7.i.i, align 1
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.5
  store i8 %8, ptr %arrayidx.i.i.i, align 1
  br label %append.exit.i.i

append.exit.i.i:                                  ; preds = %if.then.i.i.i, %while.body.i.i
  %9 = trunc nuw i64 %indvars.iv9.i.i to i32
  %cmp4.i.i = icmp sgt i32 %9, 1
  br i1 %cmp4.i.i, label %while.body.i.i, label %append_signed.exit

append_signed.exit:                               ; preds = %append.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i.i) #3
  br label %if.end63

if.then57:                                        ; preds = %for.cond7
  %10 = load i64, ptr %values.addr.0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i) #3
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %if.then57
  %indvars.iv7.i = phi i64 [ %indvars.iv.next8.i, %do.body.i ], [ 1, %if.then57 ]
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %do.body.i ], [ 0, %if.then57 ]
  %value.addr.0.i = phi i64 [ %div.i, %do.body.i ], [ %10, %if.then57 ]
  %rem.i = urem i64 %value.addr.0.i, 10
  %arrayidx.i42 = getelementptr inbounds nuw i8, ptr @.str, i64 %rem.i
  %11 = load i8, ptr %arrayidx.i42, align 1
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.i
  store i8 %11, ptr %arrayidx1.i, align 1
  %div.i = udiv i64 %value.addr.0.i, 10
  %cmp.not.i = icmp ult i64 %value.addr.0.i, 10
  %indvars.iv.next8.i = add nuw i64 %indvars.iv7.i, 1
  br i1 %cmp.not.i, label %while.body.i, label %do.body.i

while.body.i:                                     ; preds = %do.body.i, %append.exit.i48
  %text.sroa.20.6 = phi i64 [ %add.i.i46, %append.exit.i48 ], [ %text.sroa.20.0, %do.body.i ]
  %indvars.iv9.i = phi i64 [ %indvars.iv.next10.i, %append.exit.i48 ], [ %indvars.iv7.i, %do.body.i ]
  %indvars.iv.next10.i = add nsw i64 %indvars.iv9.i, -1
  %add.i.i46 = add i64 %text.sroa.20.6, 1
  %cmp.i.i47 = icmp ult i64 %add.i.i46, %room
  br i1 %cmp.i.i47, label %if.then.i.i50, label %append.exit.i48

if.then.i.i50:                                    ; preds = %while.body.i
  %arrayidx7.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.next10.i
  %12 = load i8, ptr %arrayidx7.i, align 1
  %arrayidx.i.i51 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.6
  store i8 %12, ptr %arrayidx.i.i51, align 1
  br label %append.exit.i48

append.exit.i48:                                  ; preds = %if.then.i.i50, %while.body.i
  %13 = trunc nuw i64 %indvars.iv9.i to i32
  %cmp4.i = icmp sgt i32 %13, 1
  br i1 %cmp4.i, label %while.body.i, label %append_number.exit

append_number.exit:                               ; preds = %append.exit.i48
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i) #3
  br label %if.end63

if.else59:                                        ; preds = %for.cond7
  %add.i55 = add i64 %text.sroa.20.0, 1
  %cmp.i57 = icmp ult i64 %add.i55, %room
  br i1 %cmp.i57, label %if.then.i60, label %append.exit64

if.then.i60:                                      ; preds = %if.else59
  %arrayidx.i61 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 48, ptr %arrayidx.i61, align 1
  br label %append.exit64

append.exit64:                                    ; preds = %if.else59, %if.then.i60
  %add.i66 = add i64 %text.sroa.20.0, 2
  %cmp.i68 = icmp ult i64 %add.i66, %room
  br i1 %cmp.i68, label %if.then.i71, label %append.exit75

if.then.i71:                                      ; preds = %append.exit64
  %arrayidx.i72 = getelementptr inbounds nuw i8, ptr %start, i64 %add.i55
  store i8 120, ptr %arrayidx.i72, align 1
  br label %append.exit75

append.exit75:                                    ; preds = %append.exit64, %if.then.i71
  %14 = load i64, ptr %values.addr.0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i76) #3
  br label %do.body.i77

do.body.i77:                                      ; preds = %do.body.i77, %append.exit75
  %indvars.iv7.i78 = phi i64 [ %indvars.iv.next8.i87, %do.body.i77 ], [ 1, %append.exit75 ]
  %indvars.iv.i79 = phi i64 [ %indvars.iv.next.i83, %do.body.i77 ], [ 0, %append.exit75 ]
  %value.addr.0.i80 = phi i64 [ %div.i85138, %do.body.i77 ], [ %14, %append.exit75 ]
  %rem.i81 = and i64 %value.addr.0.i80, 15
  %arrayidx.i82 = getelementptr inbounds nuw i8, ptr @.str, i64 %rem.i81
  %15 = load i8, ptr %arrayidx.i82, align 1
  %indvars.iv.next.i83 = add nuw nsw i64 %indvars.iv.i79, 1
  %arrayidx1.i84 = getelementptr inbounds nuw i8, ptr %digits.i76, i64 %indvars.iv.i79
  store i8 %15, ptr %arrayidx1.i84, align 1
  %div.i85138 = lshr i64 %value.addr.0.i80, 4
  %cmp.not.i86 = icmp ult i64 %value.addr.0.i80, 16
  %indvars.iv.next8.i87 = add nuw nsw i64 %indvars.iv7.i78, 1
  br i1 %cmp.not.i86, label %while.body.i92, label %do.body.i77

while.body.i92:                                   ; preds = %do.body.i77, %append.exit.i97
  %text.sroa.20.7 = phi i64 [ %add.i.i95, %append.exit.i97 ], [ %add.i66, %do.body.i77 ]
  %indvars.iv9.i93 = phi i64 [ %indvars.iv.next10.i94, %append.exit.i97 ], [ %indvars.iv7.i78, %do.body.i77 ]
  %indvars.iv.next10.i94 = add nsw i64 %indvars.iv9.i93, -1
  %add.i.i95 = add i64 %text.sroa.20.7, 1
  %cmp.i.i96 = icmp ult i64 %add.i.i95, %room
  br i1 %cmp.i.i96, label %if.then.i.i100, label %append.exit.i97

if.then.i.i100:                                   ; preds = %while.body.i92
  %arrayidx7.i101 = getelementptr inbounds nuw i8, ptr %digits.i76, i64 %indvars.iv.next10.i94
  %16 = load i8, ptr %arrayidx7.i101, align 1
  %arrayidx.i.i102 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.7
  store i8 %16, ptr %arrayidx.i.i102, align 1
  br label %append.exit.i97

append.exit.i97:                                  ; preds = %if.then.i.i100, %while.body.i92
  %17 = icmp sgt i64 %indvars.iv9.i93, 1
  br i1 %17, label %while.body.i92, label %append_number.exit105

append_number.exit105:                            ; preds = %append.exit.i97
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i76) #3
  br label %if.end63

if.end63:                                         ; preds = %append.exit39, %land.rhs, %if.then32, %append_signed.exit, %append_number.exit105, %append_number.exit
  %text.sroa.20.3 = phi i64 [ %add.i.i95, %append_number.exit105 ], [ %add.i.i.i, %append_signed.exit ], [ %add.i.i46, %append_number.exit ], [ %text.sroa.20.0, %if.then32 ], [ %add.i31, %append.exit39 ], [ %text.sroa.20.2150, %land.rhs ]
  %values.addr.2 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  br label %for.inc64

for.inc64:                                        ; preds = %if.then.i, %if.then, %if.end63
  %text.sroa.20.1 = phi i64 [ %text.sroa.20.3, %if.end63 ], [ %add.i, %if.then ], [ %add.i, %if.then.i ]
  %values.addr.1 = phi ptr [ %values.addr.2, %if.end63 ], [ %values.addr.0, %if.then ], [ %values.addr.0, %if.then.i ]
  %format.addr.1 = phi ptr [ %format.addr.2, %if.end63 ], [ %format.addr.0, %if.then ], [ %format.addr.0, %if.then.i ]
  %incdec.ptr65 = getelementptr inbounds nuw i8, ptr %format.addr.1, i64 1
  br label %for.cond

for.end66:                                        ; preds = %for.cond
  %cmp67.not = icmp eq i64 %room, 0
  br i1 %cmp67.not, label %if.end80, label %if.then69

if.then69:                                        ; preds = %for.end66
  %cmp71 = icmp ult i64 %text.sroa.20.0, %room
  %sub76 = add i64 %room, -1
  %cond78 = select i1 %cmp71, i64 %text.sroa.20.0, i64 %sub76
  %arrayidx79 = getelementptr inbounds nuw i8, ptr %start, i64 %cond78
  store i8 0, ptr %arrayidx79, align 1
  br label %if.end80

if.end80:                                         ; preds = %if.then69, %for.end66
  %conv82 = trunc i64 %text.sroa.20.0 to i32
  ret i32 %conv82
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i64 @llvm.abs.i64(i64, i1 immarg) #2

attributes #0 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }
