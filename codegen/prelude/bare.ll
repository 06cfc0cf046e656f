; Generated from runtime/native/bare.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.anon = type { i32, i64, i64, [4096 x i8] }
%struct.header = type { i32, i32, i64, i64, i64, i64, i64, i64 }
%struct.relocation = type { i64, i64, i64 }

@.str = private unnamed_addr constant [5 x i8] c"sdux\00", align 1
@stream = internal global %struct.anon zeroinitializer, align 8
@.str.1 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

define hidden void @tw_relocate(ptr noundef readonly captures(none) %stack, i64 noundef %relative) local_unnamed_addr #0 {
entry:
  %add.ptr = getelementptr inbounds nuw i8, ptr %stack, i64 16
  %0 = load i64, ptr %stack, align 8
  %add.ptr1 = getelementptr inbounds nuw i64, ptr %add.ptr, i64 %0
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %vector.0 = phi ptr [ %add.ptr1, %entry ], [ %incdec.ptr, %while.cond ]
  %1 = load i64, ptr %vector.0, align 8
  %cmp.not = icmp eq i64 %1, 0
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %vector.0, i64 8
  br i1 %cmp.not, label %for.cond, label %while.cond

for.cond:                                         ; preds = %while.cond, %for.inc
  %count.0 = phi i64 [ %count.1, %for.inc ], [ 0, %while.cond ]
  %headers.0 = phi ptr [ %headers.133, %for.inc ], [ null, %while.cond ]
  %vector.1 = phi ptr [ %add.ptr13, %for.inc ], [ %incdec.ptr, %while.cond ]
  %2 = load i64, ptr %vector.1, align 8
  switch i64 %2, label %for.inc [
    i64 0, label %for.end
    i64 3, label %if.end.thread
    i64 5, label %if.then10
  ]

if.end.thread:                                    ; preds = %for.cond
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %vector.1, i64 8
  %3 = load i64, ptr %arrayidx7, align 8
  %4 = inttoptr i64 %3 to ptr
  br label %for.inc

if.then10:                                        ; preds = %for.cond
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %vector.1, i64 8
  %5 = load i64, ptr %arrayidx11, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.cond, %if.end.thread, %if.then10
  %headers.133 = phi ptr [ %headers.0, %if.then10 ], [ %headers.0, %for.cond ], [ %4, %if.end.thread ]
  %count.1 = phi i64 [ %5, %if.then10 ], [ %count.0, %for.cond ], [ %count.0, %if.end.thread ]
  %add.ptr13 = getelementptr inbounds nuw i8, ptr %vector.1, i64 16
  br label %for.cond

for.end:                                          ; preds = %for.cond
  %add.ptr14 = getelementptr inbounds i8, ptr %headers.0, i64 -64
  %cmp1637.not = icmp eq i64 %count.0, 0
  br i1 %cmp1637.not, label %for.cond.cleanup48, label %for.body17

for.cond26.preheader:                             ; preds = %for.inc24
  %cmp27.not40 = icmp eq ptr %rows.1, null
  br i1 %cmp27.not40, label %for.cond.cleanup48, label %land.rhs

for.body17:                                       ; preds = %for.end, %for.inc24
  %index.039 = phi i64 [ %inc, %for.inc24 ], [ 0, %for.end ]
  %rows.038 = phi ptr [ %rows.1, %for.inc24 ], [ null, %for.end ]
  %arrayidx18 = getelementptr inbounds nuw %struct.header, ptr %headers.0, i64 %index.039
  %6 = load i32, ptr %arrayidx18, align 8
  %cmp19 = icmp eq i32 %6, 2
  br i1 %cmp19, label %if.then20, label %for.inc24

if.then20:                                        ; preds = %for.body17
  %address = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 16
  %7 = load i64, ptr %address, align 8
  %add.ptr22 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %7
  br label %for.inc24

for.inc24:                                        ; preds = %for.body17, %if.then20
  %rows.1 = phi ptr [ %add.ptr22, %if.then20 ], [ %rows.038, %for.body17 ]
  %inc = add nuw i64 %index.039, 1
  %exitcond.not = icmp eq i64 %inc, %count.0
  br i1 %exitcond.not, label %for.cond26.preheader, label %for.body17

land.rhs:                                         ; preds = %for.cond26.preheader, %for.inc42
  %bytes.043 = phi i64 [ %bytes.1, %for.inc42 ], [ 0, %for.cond26.preheader ]
  %table.042 = phi ptr [ %table.136, %for.inc42 ], [ null, %for.cond26.preheader ]
  %rows.241 = phi ptr [ %add.ptr43, %for.inc42 ], [ %rows.1, %for.cond26.preheader ]
  %8 = load i64, ptr %rows.241, align 8
  switch i64 %8, label %for.inc42 [
    i64 0, label %for.end44
    i64 7, label %if.end36.thread
    i64 8, label %if.then39
  ]

if.end36.thread:                                  ; preds = %land.rhs
  %arrayidx34 = getelementptr inbounds nuw i8, ptr %rows.241, i64 8
  %9 = load i64, ptr %arrayidx34, align 8
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %9
  br label %for.inc42

if.then39:                                        ; preds = %land.rhs
  %arrayidx40 = getelementptr inbounds nuw i8, ptr %rows.241, i64 8
  %10 = load i64, ptr %arrayidx40, align 8
  br label %for.inc42

for.inc42:                                        ; preds = %land.rhs, %if.end36.thread, %if.then39
  %table.136 = phi ptr [ %table.042, %if.then39 ], [ %table.042, %land.rhs ], [ %add.ptr35, %if.end36.thread ]
  %bytes.1 = phi i64 [ %10, %if.then39 ], [ %bytes.043, %land.rhs ], [ %bytes.043, %if.end36.thread ]
  %add.ptr43 = getelementptr inbounds nuw i8, ptr %rows.241, i64 16
  br label %land.rhs

for.end44:                                        ; preds = %land.rhs
  %div = udiv i64 %bytes.043, 24
  %cmp4748.not = icmp ult i64 %bytes.043, 24
  br i1 %cmp4748.not, label %for.cond.cleanup48, label %for.body49.lr.ph

for.body49.lr.ph:                                 ; preds = %for.end44
  %11 = ptrtoint ptr %add.ptr14 to i64
  br label %for.body49

for.cond.cleanup48:                               ; preds = %for.inc58, %for.end, %for.cond26.preheader, %for.end44
  ret void

for.body49:                                       ; preds = %for.body49.lr.ph, %for.inc58
  %index45.049 = phi i64 [ 0, %for.body49.lr.ph ], [ %inc59, %for.inc58 ]
  %arrayidx50 = getelementptr inbounds nuw %struct.relocation, ptr %table.042, i64 %index45.049
  %kind51 = getelementptr inbounds nuw i8, ptr %arrayidx50, i64 8
  %12 = load i64, ptr %kind51, align 8
  %cmp52 = icmp eq i64 %12, %relative
  br i1 %cmp52, label %if.then53, label %for.inc58

if.then53:                                        ; preds = %for.body49
  %addend = getelementptr inbounds nuw i8, ptr %arrayidx50, i64 16
  %13 = load i64, ptr %addend, align 8
  %add = add i64 %13, %11
  %14 = load i64, ptr %arrayidx50, align 8
  %add.ptr56 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %14
  store i64 %add, ptr %add.ptr56, align 8
  br label %for.inc58

for.inc58:                                        ; preds = %for.body49, %if.then53
  %inc59 = add nuw nsw i64 %index45.049, 1
  %exitcond51.not = icmp eq i64 %inc59, %div
  br i1 %exitcond51.not, label %for.cond.cleanup48, label %for.body49
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define ptr @memmove(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %bytes) local_unnamed_addr #2 {
entry:
  %cmp.not = icmp ugt ptr %to, %from
  %add.ptr = getelementptr inbounds nuw i8, ptr %from, i64 %bytes
  %cmp1.not = icmp ult ptr %to, %add.ptr
  %or.cond = select i1 %cmp.not, i1 %cmp1.not, i1 false
  br i1 %or.cond, label %while.cond.preheader, label %if.then

while.cond.preheader:                             ; preds = %entry
  %cmp2.not12 = icmp eq i64 %bytes, 0
  br i1 %cmp2.not12, label %cleanup, label %while.body

if.then:                                          ; preds = %entry
  %call = tail call ptr @memcpy(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %bytes) #9
  br label %cleanup

while.body:                                       ; preds = %while.cond.preheader, %while.body
  %bytes.addr.013 = phi i64 [ %dec, %while.body ], [ %bytes, %while.cond.preheader ]
  %dec = add i64 %bytes.addr.013, -1
  %arrayidx = getelementptr inbounds nuw i8, ptr %from, i64 %dec
  %0 = load i8, ptr %arrayidx, align 1
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %to, i64 %dec
  store i8 %0, ptr %arrayidx3, align 1
  %cmp2.not = icmp eq i64 %dec, 0
  br i1 %cmp2.not, label %cleanup, label %while.body

cleanup:                                          ; preds = %while.body, %while.cond.preheader, %if.then
  %retval.0 = phi ptr [ %call, %if.then ], [ %to, %while.cond.preheader ], [ %to, %while.body ]
  ret ptr %retval.0
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

define signext range(i32 -255, 256) i32 @memcmp(ptr noundef nonnull readonly captures(none) %one, ptr noundef nonnull readonly captures(none) %other, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %cmp.not7 = icmp eq i64 %bytes, 0
  br i1 %cmp.not7, label %cleanup, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %b.010 = phi ptr [ %incdec.ptr6, %for.inc ], [ %other, %entry ]
  %a.09 = phi ptr [ %incdec.ptr, %for.inc ], [ %one, %entry ]
  %bytes.addr.08 = phi i64 [ %dec, %for.inc ], [ %bytes, %entry ]
  %0 = load i8, ptr %a.09, align 1
  %1 = load i8, ptr %b.010, align 1
  %cmp2.not = icmp eq i8 %0, %1
  br i1 %cmp2.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %conv1 = zext i8 %1 to i32
  %conv = zext i8 %0 to i32
  %sub = sub nsw i32 %conv, %conv1
  br label %cleanup

for.inc:                                          ; preds = %for.body
  %dec = add i64 %bytes.addr.08, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %a.09, i64 1
  %incdec.ptr6 = getelementptr inbounds nuw i8, ptr %b.010, i64 1
  %cmp.not = icmp eq i64 %dec, 0
  br i1 %cmp.not, label %cleanup, label %for.body

cleanup:                                          ; preds = %for.inc, %entry, %if.then
  %retval.0 = phi i32 [ %sub, %if.then ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %retval.0
}

define i64 @strlen(ptr noundef nonnull readonly captures(none) %text) local_unnamed_addr #3 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %length.0 = phi i64 [ 0, %entry ], [ %inc, %while.cond ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %length.0
  %0 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %0, 0
  %inc = add i64 %length.0, 1
  br i1 %cmp.not, label %while.end, label %while.cond

while.end:                                        ; preds = %while.cond
  ret i64 %length.0
}

define ptr @strcpy(ptr noalias noundef nonnull %to, ptr noalias noundef nonnull %from) local_unnamed_addr #2 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %length.0.i = phi i64 [ 0, %entry ], [ %inc.i, %while.cond.i ]
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %from, i64 %length.0.i
  %0 = load i8, ptr %arrayidx.i, align 1
  %cmp.not.i = icmp eq i8 %0, 0
  %inc.i = add i64 %length.0.i, 1
  br i1 %cmp.not.i, label %strlen.exit, label %while.cond.i

strlen.exit:                                      ; preds = %while.cond.i
  %call1 = tail call ptr @memcpy(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %inc.i) #9
  ret ptr %call1
}

define i64 @strcspn(ptr noundef nonnull readonly captures(none) %text, ptr noundef nonnull readonly captures(none) %ends) local_unnamed_addr #3 {
entry:
  %0 = load i8, ptr %text, align 1
  %cmp.not15 = icmp eq i8 %0, 0
  br i1 %cmp.not15, label %cleanup14, label %for.cond2.preheader.lr.ph

for.cond2.preheader.lr.ph:                        ; preds = %entry
  %1 = load i8, ptr %ends, align 1
  %cmp4.not13 = icmp eq i8 %1, 0
  br label %for.cond2.preheader

for.cond2.preheader:                              ; preds = %for.cond2.preheader.lr.ph, %for.inc12
  %2 = phi i8 [ %0, %for.cond2.preheader.lr.ph ], [ %5, %for.inc12 ]
  %length.016 = phi i64 [ 0, %for.cond2.preheader.lr.ph ], [ %inc, %for.inc12 ]
  br i1 %cmp4.not13, label %for.inc12, label %for.body6

for.cond2:                                        ; preds = %for.body6
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %end.014, i64 1
  %3 = load i8, ptr %incdec.ptr, align 1
  %cmp4.not = icmp eq i8 %3, 0
  br i1 %cmp4.not, label %for.inc12, label %for.body6

for.body6:                                        ; preds = %for.cond2.preheader, %for.cond2
  %4 = phi i8 [ %3, %for.cond2 ], [ %1, %for.cond2.preheader ]
  %end.014 = phi ptr [ %incdec.ptr, %for.cond2 ], [ %ends, %for.cond2.preheader ]
  %cmp10 = icmp eq i8 %2, %4
  br i1 %cmp10, label %cleanup14, label %for.cond2

for.inc12:                                        ; preds = %for.cond2, %for.cond2.preheader
  %inc = add i64 %length.016, 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %inc
  %5 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %5, 0
  br i1 %cmp.not, label %cleanup14, label %for.cond2.preheader

cleanup14:                                        ; preds = %for.inc12, %for.body6, %entry
  %length.012 = phi i64 [ %length.016, %for.body6 ], [ 0, %entry ], [ %inc, %for.inc12 ]
  ret i64 %length.012
}

define i64 @strtoull(ptr noalias noundef nonnull %text, ptr noalias noundef writeonly captures(none) %end, i32 noundef signext %base) local_unnamed_addr #4 {
entry:
  %0 = load i8, ptr %text, align 1
  %1 = add i8 %0, -48
  %or.cond11 = icmp ult i8 %1, 10
  %sub13 = zext nneg i8 %1 to i32
  %conv614 = sext i8 %0 to i32
  %add15 = add nsw i32 %conv614, -87
  %cond16 = select i1 %or.cond11, i32 %sub13, i32 %add15
  %cmp817 = icmp sgt i32 %cond16, -1
  %cmp10.not18 = icmp slt i32 %cond16, %base
  %or.cond1019 = and i1 %cmp817, %cmp10.not18
  br i1 %or.cond1019, label %for.inc.lr.ph, label %for.end

for.inc.lr.ph:                                    ; preds = %entry
  %conv12 = zext nneg i32 %base to i64
  br label %for.inc

for.inc:                                          ; preds = %for.inc.lr.ph, %for.inc
  %cond22 = phi i32 [ %cond16, %for.inc.lr.ph ], [ %cond, %for.inc ]
  %text.addr.021 = phi ptr [ %text, %for.inc.lr.ph ], [ %incdec.ptr, %for.inc ]
  %value.020 = phi i64 [ 0, %for.inc.lr.ph ], [ %add14, %for.inc ]
  %mul = mul i64 %value.020, %conv12
  %conv13 = zext nneg i32 %cond22 to i64
  %add14 = add i64 %mul, %conv13
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %text.addr.021, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1
  %3 = add i8 %2, -48
  %or.cond = icmp ult i8 %3, 10
  %sub = zext nneg i8 %3 to i32
  %conv6 = sext i8 %2 to i32
  %add = add nsw i32 %conv6, -87
  %cond = select i1 %or.cond, i32 %sub, i32 %add
  %cmp8 = icmp sgt i32 %cond, -1
  %cmp10.not = icmp slt i32 %cond, %base
  %or.cond10 = and i1 %cmp8, %cmp10.not
  br i1 %or.cond10, label %for.inc, label %for.end

for.end:                                          ; preds = %for.inc, %entry
  %value.0.lcssa = phi i64 [ 0, %entry ], [ %add14, %for.inc ]
  %text.addr.0.lcssa = phi ptr [ %text, %entry ], [ %incdec.ptr, %for.inc ]
  store ptr %text.addr.0.lcssa, ptr %end, align 8
  ret i64 %value.0.lcssa
}

define noalias ptr @aligned_alloc(i64 noundef %alignment, i64 noundef %bytes) local_unnamed_addr #2 {
entry:
  %cmp = icmp ugt i64 %alignment, 4096
  %cmp1 = icmp ugt i64 %bytes, -8193
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = add nuw i64 %bytes, 4096
  %call = tail call ptr @mmap(ptr noundef null, i64 noundef %add, i32 noundef signext 3, i32 noundef signext 34, i32 noundef signext -1, i64 noundef 0) #9
  %cmp2 = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp2, label %return, label %if.end4

if.end4:                                          ; preds = %if.end
  store i64 %add, ptr %call, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 4096
  br label %return

return:                                           ; preds = %if.end4, %if.end, %entry
  %retval.0 = phi ptr [ null, %entry ], [ %add.ptr, %if.end4 ], [ null, %if.end ]
  ret ptr %retval.0
}

declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef signext, i32 noundef signext, i32 noundef signext, i64 noundef) local_unnamed_addr #2

define void @free(ptr noundef %block) local_unnamed_addr #2 {
entry:
  %cmp = icmp eq ptr %block, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %block, i64 -4096
  %0 = load i64, ptr %add.ptr, align 8
  %call = tail call signext i32 @munmap(ptr noundef nonnull %add.ptr, i64 noundef %0) #9
  br label %return

return:                                           ; preds = %entry, %if.end
  ret void
}

declare signext i32 @munmap(ptr noundef, i64 noundef) local_unnamed_addr #2

define hidden signext i32 @tw_print(ptr noundef writeonly captures(none) %start, i64 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr #5 {
entry:
  %digits.i78 = alloca [24 x i8], align 1
  %digits.i = alloca [24 x i8], align 1
  %digits.i.i = alloca [24 x i8], align 1
  %.compoundliteral = alloca [2 x i8], align 1
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 1
  br label %for.cond

for.cond:                                         ; preds = %for.inc66, %entry
  %text.sroa.20.0 = phi i64 [ 0, %entry ], [ %text.sroa.20.1, %for.inc66 ]
  %values.addr.0 = phi ptr [ %values, %entry ], [ %values.addr.1, %for.inc66 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr67, %for.inc66 ]
  %0 = load i8, ptr %format.addr.0, align 1
  switch i8 %0, label %if.then [
    i8 0, label %for.end68
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  %add.i = add i64 %text.sroa.20.0, 1
  %cmp.i = icmp ult i64 %add.i, %room
  br i1 %cmp.i, label %if.then.i, label %for.inc66

if.then.i:                                        ; preds = %if.then
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 %0, ptr %arrayidx.i, align 1
  br label %for.inc66

for.cond7:                                        ; preds = %for.cond, %for.body10
  %most.0 = phi i64 [ %most.2, %for.body10 ], [ -1, %for.cond ]
  %is_long.0 = phi i1 [ %spec.select139, %for.body10 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.2, %for.body10 ], [ %format.addr.0, %for.cond ]
  %format.addr.2 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i64 1
  %1 = load i8, ptr %format.addr.2, align 1
  store i8 0, ptr %arrayinit.element, align 1
  %cmp4.not13.i = icmp eq i8 %1, 0
  br label %for.cond2.preheader.i

for.cond2.preheader.i:                            ; preds = %for.inc12.i, %for.cond7
  %2 = phi i8 [ 115, %for.cond7 ], [ %5, %for.inc12.i ]
  %length.016.i = phi i64 [ 0, %for.cond7 ], [ %inc.i, %for.inc12.i ]
  br i1 %cmp4.not13.i, label %for.inc12.i, label %for.body6.i

for.cond2.i:                                      ; preds = %for.body6.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %end.014.i, i64 1
  %3 = load i8, ptr %incdec.ptr.i, align 1
  %cmp4.not.i = icmp eq i8 %3, 0
  br i1 %cmp4.not.i, label %for.inc12.i, label %for.body6.i

for.body6.i:                                      ; preds = %for.cond2.preheader.i, %for.cond2.i
  %4 = phi i8 [ %3, %for.cond2.i ], [ %1, %for.cond2.preheader.i ]
  %end.014.i = phi ptr [ %incdec.ptr.i, %for.cond2.i ], [ %.compoundliteral, %for.cond2.preheader.i ]
  %cmp10.i = icmp eq i8 %2, %4
  br i1 %cmp10.i, label %strcspn.exit, label %for.cond2.i

for.inc12.i:                                      ; preds = %for.cond2.i, %for.cond2.preheader.i
  %inc.i = add nuw nsw i64 %length.016.i, 1
  %arrayidx.i30 = getelementptr inbounds nuw i8, ptr @.str, i64 %inc.i
  %5 = load i8, ptr %arrayidx.i30, align 1
  %cmp.not.i = icmp eq i64 %inc.i, 4
  br i1 %cmp.not.i, label %for.body10, label %for.cond2.preheader.i

strcspn.exit:                                     ; preds = %for.body6.i
  %6 = icmp eq i64 %length.016.i, 4
  br i1 %6, label %for.body10, label %for.end

for.body10:                                       ; preds = %for.inc12.i, %strcspn.exit
  %7 = load i8, ptr %format.addr.2, align 1
  %cmp12 = icmp eq i8 %7, 46
  %spec.select = select i1 %cmp12, i64 0, i64 %most.0
  %8 = add i8 %7, -48
  %or.cond = icmp ult i8 %8, 10
  %mul = mul i64 %most.0, 10
  %sub = zext nneg i8 %8 to i64
  %add = add i64 %mul, %sub
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %cmp28 = icmp eq i8 %7, 108
  %spec.select139 = or i1 %is_long.0, %cmp28
  br label %for.cond7

for.end:                                          ; preds = %strcspn.exit
  %9 = load i8, ptr %format.addr.2, align 1
  switch i8 %9, label %if.else61 [
    i8 115, label %if.then34
    i8 100, label %if.then49
    i8 117, label %if.then59
  ]

if.then34:                                        ; preds = %for.end
  %10 = load i64, ptr %values.addr.0, align 8
  %11 = inttoptr i64 %10 to ptr
  %cmp37143.not = icmp eq i64 %most.0, 0
  br i1 %cmp37143.not, label %if.end65, label %land.rhs

land.rhs:                                         ; preds = %if.then34, %append.exit40
  %index.0145 = phi i64 [ %inc, %append.exit40 ], [ 0, %if.then34 ]
  %text.sroa.20.2144 = phi i64 [ %add.i32, %append.exit40 ], [ %text.sroa.20.0, %if.then34 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %11, i64 %index.0145
  %12 = load i8, ptr %arrayidx, align 1
  %cmp40.not = icmp eq i8 %12, 0
  br i1 %cmp40.not, label %if.end65, label %for.body42

for.body42:                                       ; preds = %land.rhs
  %add.i32 = add i64 %text.sroa.20.2144, 1
  %cmp.i34 = icmp ult i64 %add.i32, %room
  br i1 %cmp.i34, label %if.then.i36, label %append.exit40

if.then.i36:                                      ; preds = %for.body42
  %arrayidx.i37 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.2144
  store i8 %12, ptr %arrayidx.i37, align 1
  br label %append.exit40

append.exit40:                                    ; preds = %for.body42, %if.then.i36
  %inc = add nuw i64 %index.0145, 1
  %exitcond.not = icmp eq i64 %inc, %most.0
  br i1 %exitcond.not, label %if.end65, label %land.rhs

if.then49:                                        ; preds = %for.end
  %13 = load i64, ptr %values.addr.0, align 8
  %sext = shl i64 %13, 32
  %conv53 = ashr exact i64 %sext, 32
  %cond = select i1 %is_long.0, i64 %13, i64 %conv53
  %cmp.i41 = icmp slt i64 %cond, 0
  br i1 %cmp.i41, label %if.then.i42, label %if.end.i

if.then.i42:                                      ; preds = %if.then49
  %add.i.i = add i64 %text.sroa.20.0, 1
  %cmp.i.i = icmp ult i64 %add.i.i, %room
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i

if.then.i.i:                                      ; preds = %if.then.i42
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 45, ptr %arrayidx.i.i, align 1
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i42, %if.then.i.i, %if.then49
  %text.sroa.20.4 = phi i64 [ %text.sroa.20.0, %if.then49 ], [ %add.i.i, %if.then.i.i ], [ %add.i.i, %if.then.i42 ]
  %cond.i = tail call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i.i) #10
  br label %do.body.i.i

do.body.i.i:                                      ; preds = %do.body.i.i, %if.end.i
  %indvars.iv7.i.i = phi i64 [ %indvars.iv.next8.i.i, %do.body.i.i ], [ 1, %if.end.i ]
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %do.body.i.i ], [ 0, %if.end.i ]
  %value.addr.0.i.i = phi i64 [ %div.i.i, %do.body.i.i ], [ %cond.i, %if.end.i ]
  %rem.i.i = urem i64 %value.addr.0.i.i, 10
  %arrayidx.i5.i = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i.i
  %14 = load i8, ptr %arrayidx.i5.i, align 1
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i64 %indvars.iv.i.i
  store i8 %14, ptr %arrayidx1.i.i, align 1
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
  %15 = load i8, ptr %arrayidx7.i.i, align 1
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.5
  store i8 %15, ptr %arrayidx.i.i.i, align 1
  br label %append.exit.i.i

append.exit.i.i:                                  ; preds = %if.then.i.i.i, %while.body.i.i
  %16 = trunc nuw i64 %indvars.iv9.i.i to i32
  %cmp4.i.i = icmp sgt i32 %16, 1
  br i1 %cmp4.i.i, label %while.body.i.i, label %append_signed.exit

append_signed.exit:                               ; preds = %append.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i.i) #10
  br label %if.end65

if.then59:                                        ; preds = %for.end
  %17 = load i64, ptr %values.addr.0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i) #10
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %if.then59
  %indvars.iv7.i = phi i64 [ %indvars.iv.next8.i, %do.body.i ], [ 1, %if.then59 ]
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %do.body.i ], [ 0, %if.then59 ]
  %value.addr.0.i = phi i64 [ %div.i, %do.body.i ], [ %17, %if.then59 ]
  %rem.i = urem i64 %value.addr.0.i, 10
  %arrayidx.i43 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i
  %18 = load i8, ptr %arrayidx.i43, align 1
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.i
  store i8 %18, ptr %arrayidx1.i, align 1
  %div.i = udiv i64 %value.addr.0.i, 10
  %cmp.not.i44 = icmp ult i64 %value.addr.0.i, 10
  %indvars.iv.next8.i = add nuw i64 %indvars.iv7.i, 1
  br i1 %cmp.not.i44, label %while.body.i, label %do.body.i

while.body.i:                                     ; preds = %do.body.i, %append.exit.i50
  %text.sroa.20.6 = phi i64 [ %add.i.i48, %append.exit.i50 ], [ %text.sroa.20.0, %do.body.i ]
  %indvars.iv9.i = phi i64 [ %indvars.iv.next10.i, %append.exit.i50 ], [ %indvars.iv7.i, %do.body.i ]
  %indvars.iv.next10.i = add nsw i64 %indvars.iv9.i, -1
  %add.i.i48 = add i64 %text.sroa.20.6, 1
  %cmp.i.i49 = icmp ult i64 %add.i.i48, %room
  br i1 %cmp.i.i49, label %if.then.i.i52, label %append.exit.i50

if.then.i.i52:                                    ; preds = %while.body.i
  %arrayidx7.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.next10.i
  %19 = load i8, ptr %arrayidx7.i, align 1
  %arrayidx.i.i53 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.6
  store i8 %19, ptr %arrayidx.i.i53, align 1
  br label %append.exit.i50

append.exit.i50:                                  ; preds = %if.then.i.i52, %while.body.i
  %20 = trunc nuw i64 %indvars.iv9.i to i32
  %cmp4.i = icmp sgt i32 %20, 1
  br i1 %cmp4.i, label %while.body.i, label %append_number.exit

append_number.exit:                               ; preds = %append.exit.i50
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i) #10
  br label %if.end65

if.else61:                                        ; preds = %for.end
  %add.i57 = add i64 %text.sroa.20.0, 1
  %cmp.i59 = icmp ult i64 %add.i57, %room
  br i1 %cmp.i59, label %if.then.i62, label %append.exit66

if.then.i62:                                      ; preds = %if.else61
  %arrayidx.i63 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 48, ptr %arrayidx.i63, align 1
  br label %append.exit66

append.exit66:                                    ; preds = %if.else61, %if.then.i62
  %add.i68 = add i64 %text.sroa.20.0, 2
  %cmp.i70 = icmp ult i64 %add.i68, %room
  br i1 %cmp.i70, label %if.then.i73, label %append.exit77

if.then.i73:                                      ; preds = %append.exit66
  %arrayidx.i74 = getelementptr inbounds nuw i8, ptr %start, i64 %add.i57
  store i8 120, ptr %arrayidx.i74, align 1
  br label %append.exit77

append.exit77:                                    ; preds = %append.exit66, %if.then.i73
  %21 = load i64, ptr %values.addr.0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i78) #10
  br label %do.body.i79

do.body.i79:                                      ; preds = %do.body.i79, %append.exit77
  %indvars.iv7.i80 = phi i64 [ %indvars.iv.next8.i89, %do.body.i79 ], [ 1, %append.exit77 ]
  %indvars.iv.i81 = phi i64 [ %indvars.iv.next.i85, %do.body.i79 ], [ 0, %append.exit77 ]
  %value.addr.0.i82 = phi i64 [ %div.i87140, %do.body.i79 ], [ %21, %append.exit77 ]
  %rem.i83 = and i64 %value.addr.0.i82, 15
  %arrayidx.i84 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i83
  %22 = load i8, ptr %arrayidx.i84, align 1
  %indvars.iv.next.i85 = add nuw nsw i64 %indvars.iv.i81, 1
  %arrayidx1.i86 = getelementptr inbounds nuw i8, ptr %digits.i78, i64 %indvars.iv.i81
  store i8 %22, ptr %arrayidx1.i86, align 1
  %div.i87140 = lshr i64 %value.addr.0.i82, 4
  %cmp.not.i88 = icmp ult i64 %value.addr.0.i82, 16
  %indvars.iv.next8.i89 = add nuw nsw i64 %indvars.iv7.i80, 1
  br i1 %cmp.not.i88, label %while.body.i94, label %do.body.i79

while.body.i94:                                   ; preds = %do.body.i79, %append.exit.i99
  %text.sroa.20.7 = phi i64 [ %add.i.i97, %append.exit.i99 ], [ %add.i68, %do.body.i79 ]
  %indvars.iv9.i95 = phi i64 [ %indvars.iv.next10.i96, %append.exit.i99 ], [ %indvars.iv7.i80, %do.body.i79 ]
  %indvars.iv.next10.i96 = add nsw i64 %indvars.iv9.i95, -1
  %add.i.i97 = add i64 %text.sroa.20.7, 1
  %cmp.i.i98 = icmp ult i64 %add.i.i97, %room
  br i1 %cmp.i.i98, label %if.then.i.i102, label %append.exit.i99

if.then.i.i102:                                   ; preds = %while.body.i94
  %arrayidx7.i103 = getelementptr inbounds nuw i8, ptr %digits.i78, i64 %indvars.iv.next10.i96
  %23 = load i8, ptr %arrayidx7.i103, align 1
  %arrayidx.i.i104 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.7
  store i8 %23, ptr %arrayidx.i.i104, align 1
  br label %append.exit.i99

append.exit.i99:                                  ; preds = %if.then.i.i102, %while.body.i94
  %24 = icmp sgt i64 %indvars.iv9.i95, 1
  br i1 %24, label %while.body.i94, label %append_number.exit107

append_number.exit107:                            ; preds = %append.exit.i99
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i78) #10
  br label %if.end65

if.end65:                                         ; preds = %append.exit40, %land.rhs, %if.then34, %append_signed.exit, %append_number.exit107, %append_number.exit
  %text.sroa.20.3 = phi i64 [ %add.i.i97, %append_number.exit107 ], [ %add.i.i.i, %append_signed.exit ], [ %add.i.i48, %append_number.exit ], [ %text.sroa.20.0, %if.then34 ], [ %add.i32, %append.exit40 ], [ %text.sroa.20.2144, %land.rhs ]
  %values.addr.2 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  br label %for.inc66

for.inc66:                                        ; preds = %if.then.i, %if.then, %if.end65
  %text.sroa.20.1 = phi i64 [ %text.sroa.20.3, %if.end65 ], [ %add.i, %if.then ], [ %add.i, %if.then.i ]
  %values.addr.1 = phi ptr [ %values.addr.2, %if.end65 ], [ %values.addr.0, %if.then ], [ %values.addr.0, %if.then.i ]
  %format.addr.1 = phi ptr [ %format.addr.2, %if.end65 ], [ %format.addr.0, %if.then ], [ %format.addr.0, %if.then.i ]
  %incdec.ptr67 = getelementptr inbounds nuw i8, ptr %format.addr.1, i64 1
  br label %for.cond

for.end68:                                        ; preds = %for.cond
  %cmp69.not = icmp eq i64 %room, 0
  br i1 %cmp69.not, label %if.end82, label %if.then71

if.then71:                                        ; preds = %for.end68
  %cmp73 = icmp ult i64 %text.sroa.20.0, %room
  %sub78 = add i64 %room, -1
  %cond80 = select i1 %cmp73, i64 %text.sroa.20.0, i64 %sub78
  %arrayidx81 = getelementptr inbounds nuw i8, ptr %start, i64 %cond80
  store i8 0, ptr %arrayidx81, align 1
  br label %if.end82

if.end82:                                         ; preds = %if.then71, %for.end68
  %conv84 = trunc i64 %text.sroa.20.0 to i32
  ret i32 %conv84
}

define noalias ptr @fopen(ptr noalias noundef %path, ptr noalias noundef readnone captures(none) %mode) local_unnamed_addr #2 {
entry:
  %call = tail call signext i32 (ptr, i32, ...) @open(ptr noundef %path, i32 noundef signext 524288) #9
  store i32 %call, ptr @stream, align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %cmp = icmp slt i32 %call, 0
  %cond = select i1 %cmp, ptr null, ptr @stream
  ret ptr %cond
}

declare signext i32 @open(ptr noundef, i32 noundef signext, ...) local_unnamed_addr #6

define signext i32 @fclose(ptr noundef nonnull readnone captures(none) %file) local_unnamed_addr #2 {
entry:
  %0 = load i32, ptr @stream, align 8
  %call = tail call signext i32 @close(i32 noundef signext %0) #9
  ret i32 %call
}

declare signext i32 @close(i32 noundef signext) local_unnamed_addr #6

define noundef ptr @fgets(ptr noalias noundef captures(ret: address, provenance) %line, i32 noundef signext %room, ptr noalias noundef nonnull readnone captures(none) %file) local_unnamed_addr #2 {
entry:
  %sub = add i32 %room, -1
  %cmp9 = icmp sgt i32 %room, 1
  br i1 %cmp9, label %land.rhs.preheader, label %while.end.thread

while.end.thread:                                 ; preds = %entry
  store i8 0, ptr %line, align 1
  br label %9

land.rhs.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %sub to i64
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.preheader, %if.end10
  %indvars.iv = phi i64 [ 0, %land.rhs.preheader ], [ %indvars.iv.next, %if.end10 ]
  %cmp1 = icmp eq i64 %indvars.iv, 0
  br i1 %cmp1, label %while.body, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %0 = getelementptr i8, ptr %line, i64 %indvars.iv
  %arrayidx = getelementptr i8, ptr %0, i64 -1
  %1 = load i8, ptr %arrayidx, align 1
  %cmp3.not = icmp eq i8 %1, 10
  br i1 %cmp3.not, label %while.end.thread20, label %while.body

while.end.thread20:                               ; preds = %lor.rhs
  %idxprom1522 = and i64 %indvars.iv, 4294967295
  %arrayidx1623 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom1522
  store i8 0, ptr %arrayidx1623, align 1
  br label %10

while.body:                                       ; preds = %land.rhs, %lor.rhs
  %2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  %cmp5 = icmp eq i64 %2, %3
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
  %4 = load i32, ptr @stream, align 8
  %call = tail call i64 @read(i32 noundef signext %4, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 noundef 4096) #9
  store i64 %call, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %while.body
  %5 = phi i64 [ 0, %if.then ], [ %2, %while.body ]
  %6 = phi i64 [ %call, %if.then ], [ %3, %while.body ]
  %cmp7 = icmp slt i64 %6, 1
  br i1 %cmp7, label %while.end.split.loop.exit, label %if.end10

if.end10:                                         ; preds = %if.end
  %inc = add nsw i64 %5, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %arrayidx11 = getelementptr inbounds i8, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 %5
  %7 = load i8, ptr %arrayidx11, align 1
  %indvars.iv.next = add i64 %indvars.iv, 1
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %line, i64 %indvars.iv
  store i8 %7, ptr %arrayidx14, align 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %while.end, label %land.rhs

while.end.split.loop.exit:                        ; preds = %if.end
  %8 = trunc i64 %indvars.iv to i32
  br label %while.end

while.end:                                        ; preds = %if.end10, %while.end.split.loop.exit
  %length.0.lcssa = phi i32 [ %8, %while.end.split.loop.exit ], [ %sub, %if.end10 ]
  %idxprom15 = zext nneg i32 %length.0.lcssa to i64
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom15
  store i8 0, ptr %arrayidx16, align 1
  %cmp17 = icmp eq i32 %length.0.lcssa, 0
  br i1 %cmp17, label %9, label %10

9:                                                ; preds = %while.end.thread, %while.end
  br label %10

10:                                               ; preds = %while.end.thread20, %while.end, %9
  %11 = phi ptr [ null, %9 ], [ %line, %while.end ], [ %line, %while.end.thread20 ]
  ret ptr %11
}

declare i64 @read(i32 noundef signext, ptr noundef, i64 noundef) local_unnamed_addr #6

define signext range(i32 0, 12) i32 @pthread_create(ptr noalias noundef nonnull writeonly captures(none) %thread, ptr noalias noundef readnone captures(none) %options, ptr noundef nonnull %function, ptr noalias noundef %argument) local_unnamed_addr #2 {
entry:
  %call = tail call ptr @mmap(ptr noundef null, i64 noundef 1048576, i32 noundef signext 3, i32 noundef signext 34, i32 noundef signext -1, i64 noundef 0) #9
  %cmp = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %call, i64 1048560
  store ptr %function, ptr %add.ptr1, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %call, i64 1048568
  store ptr %argument, ptr %arrayidx2, align 8
  store i64 0, ptr %thread, align 8
  %call3 = tail call i64 @tw_spawn(i64 noundef 331520, ptr noundef nonnull %add.ptr1) #9
  %cmp4 = icmp slt i64 %call3, 0
  %cond = select i1 %cmp4, i32 11, i32 0
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ %cond, %if.end ], [ 11, %entry ]
  ret i32 %retval.0
}

declare hidden i64 @tw_spawn(i64 noundef, ptr noundef) local_unnamed_addr #6

define noundef signext i32 @pthread_detach(i64 noundef %thread) local_unnamed_addr #7 {
entry:
  ret i32 0
}

declare i64 @llvm.abs.i64(i64, i1 immarg) #8

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-builtins" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #4 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "no-builtins" }
attributes #5 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #6 = { "no-builtins" }
attributes #7 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #8 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nobuiltin nounwind "no-builtins" }
attributes #10 = { nounwind }
