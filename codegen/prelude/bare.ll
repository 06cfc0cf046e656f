; Generated from runtime/native/bare.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.anon = type { i32, i64, i64, [4096 x i8] }
%struct.header = type { i32, i32, i64, i64, i64, i64, i64, i64 }
%struct.relocation = type { i64, i64, i64 }
%struct.text = type { ptr, i64, i64 }

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
  br label %for.cond15

for.cond15:                                       ; preds = %for.inc24, %for.end
  %rows.0 = phi ptr [ null, %for.end ], [ %rows.1, %for.inc24 ]
  %index.0 = phi i64 [ 0, %for.end ], [ %inc, %for.inc24 ]
  %exitcond.not = icmp eq i64 %index.0, %count.0
  br i1 %exitcond.not, label %for.cond26, label %for.body17

for.body17:                                       ; preds = %for.cond15
  %arrayidx18 = getelementptr inbounds nuw %struct.header, ptr %headers.0, i64 %index.0
  %6 = load i32, ptr %arrayidx18, align 8
  %cmp19 = icmp eq i32 %6, 2
  br i1 %cmp19, label %if.then20, label %for.inc24

if.then20:                                        ; preds = %for.body17
  %address = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 16
  %7 = load i64, ptr %address, align 8
  %add.ptr22 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %7
  br label %for.inc24

for.inc24:                                        ; preds = %for.body17, %if.then20
  %rows.1 = phi ptr [ %add.ptr22, %if.then20 ], [ %rows.0, %for.body17 ]
  %inc = add i64 %index.0, 1
  br label %for.cond15

for.cond26:                                       ; preds = %for.cond15, %for.inc42
  %rows.2 = phi ptr [ %add.ptr43, %for.inc42 ], [ %rows.0, %for.cond15 ]
  %table.0 = phi ptr [ %table.136, %for.inc42 ], [ null, %for.cond15 ]
  %bytes.0 = phi i64 [ %bytes.1, %for.inc42 ], [ 0, %for.cond15 ]
  %cmp27.not = icmp eq ptr %rows.2, null
  br i1 %cmp27.not, label %for.end44, label %land.rhs

land.rhs:                                         ; preds = %for.cond26
  %8 = load i64, ptr %rows.2, align 8
  switch i64 %8, label %for.inc42 [
    i64 0, label %for.end44
    i64 7, label %if.end36.thread
    i64 8, label %if.then39
  ]

if.end36.thread:                                  ; preds = %land.rhs
  %arrayidx34 = getelementptr inbounds nuw i8, ptr %rows.2, i64 8
  %9 = load i64, ptr %arrayidx34, align 8
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %9
  br label %for.inc42

if.then39:                                        ; preds = %land.rhs
  %arrayidx40 = getelementptr inbounds nuw i8, ptr %rows.2, i64 8
  %10 = load i64, ptr %arrayidx40, align 8
  br label %for.inc42

for.inc42:                                        ; preds = %land.rhs, %if.end36.thread, %if.then39
  %table.136 = phi ptr [ %table.0, %if.then39 ], [ %table.0, %land.rhs ], [ %add.ptr35, %if.end36.thread ]
  %bytes.1 = phi i64 [ %10, %if.then39 ], [ %bytes.0, %land.rhs ], [ %bytes.0, %if.end36.thread ]
  %add.ptr43 = getelementptr inbounds nuw i8, ptr %rows.2, i64 16
  br label %for.cond26

for.end44:                                        ; preds = %land.rhs, %for.cond26
  %div = udiv i64 %bytes.0, 24
  %11 = ptrtoint ptr %add.ptr14 to i64
  br label %for.cond46

for.cond46:                                       ; preds = %for.inc58, %for.end44
  %index45.0 = phi i64 [ 0, %for.end44 ], [ %inc59, %for.inc58 ]
  %exitcond38.not = icmp eq i64 %index45.0, %div
  br i1 %exitcond38.not, label %for.end60, label %for.body49

for.body49:                                       ; preds = %for.cond46
  %arrayidx50 = getelementptr inbounds nuw %struct.relocation, ptr %table.0, i64 %index45.0
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
  %inc59 = add nuw nsw i64 %index45.0, 1
  br label %for.cond46

for.end60:                                        ; preds = %for.cond46
  ret void
}

define ptr @memmove(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %bytes) local_unnamed_addr #1 {
entry:
  %cmp.not = icmp ugt ptr %to, %from
  %add.ptr = getelementptr inbounds nuw i8, ptr %from, i64 %bytes
  %cmp1.not = icmp ult ptr %to, %add.ptr
  %or.cond = select i1 %cmp.not, i1 %cmp1.not, i1 false
  br i1 %or.cond, label %while.cond, label %if.then

if.then:                                          ; preds = %entry
  %call = tail call ptr @memcpy(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %bytes) #11
  br label %cleanup

while.cond:                                       ; preds = %entry, %while.body
  %bytes.addr.0 = phi i64 [ %dec, %while.body ], [ %bytes, %entry ]
  %cmp2.not = icmp eq i64 %bytes.addr.0, 0
  br i1 %cmp2.not, label %cleanup, label %while.body

while.body:                                       ; preds = %while.cond
  %dec = add i64 %bytes.addr.0, -1
  %arrayidx = getelementptr inbounds nuw i8, ptr %from, i64 %dec
  %0 = load i8, ptr %arrayidx, align 1
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %to, i64 %dec
  store i8 %0, ptr %arrayidx3, align 1
  br label %while.cond

cleanup:                                          ; preds = %while.cond, %if.then
  %retval.0 = phi ptr [ %call, %if.then ], [ %to, %while.cond ]
  ret ptr %retval.0
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

define signext range(i32 -255, 256) i32 @memcmp(ptr noundef nonnull readonly captures(none) %one, ptr noundef nonnull readonly captures(none) %other, i64 noundef %bytes) local_unnamed_addr #2 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %bytes.addr.0 = phi i64 [ %bytes, %entry ], [ %dec, %for.inc ]
  %a.0 = phi ptr [ %one, %entry ], [ %incdec.ptr, %for.inc ]
  %b.0 = phi ptr [ %other, %entry ], [ %incdec.ptr6, %for.inc ]
  %cmp.not = icmp eq i64 %bytes.addr.0, 0
  br i1 %cmp.not, label %cleanup, label %for.body

for.body:                                         ; preds = %for.cond
  %0 = load i8, ptr %a.0, align 1
  %1 = load i8, ptr %b.0, align 1
  %cmp2.not = icmp eq i8 %0, %1
  br i1 %cmp2.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %conv1 = zext i8 %1 to i32
  %conv = zext i8 %0 to i32
  %sub = sub nsw i32 %conv, %conv1
  br label %cleanup

for.inc:                                          ; preds = %for.body
  %dec = add i64 %bytes.addr.0, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %a.0, i64 1
  %incdec.ptr6 = getelementptr inbounds nuw i8, ptr %b.0, i64 1
  br label %for.cond

cleanup:                                          ; preds = %for.cond, %if.then
  %retval.0 = phi i32 [ %sub, %if.then ], [ 0, %for.cond ]
  ret i32 %retval.0
}

define i64 @strlen(ptr noundef nonnull readonly captures(none) %text) local_unnamed_addr #2 {
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

define ptr @strcpy(ptr noalias noundef nonnull %to, ptr noalias noundef nonnull %from) local_unnamed_addr #1 {
entry:
  %call = tail call i64 @strlen(ptr noundef %from) #12
  %add = add i64 %call, 1
  %call1 = tail call ptr @memcpy(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %add) #11
  ret ptr %call1
}

define i64 @strcspn(ptr noundef nonnull readonly captures(none) %text, ptr noundef nonnull readonly captures(none) %ends) local_unnamed_addr #2 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc12, %entry
  %length.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc12 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %length.0
  %0 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %0, 0
  br i1 %cmp.not, label %cleanup14, label %for.cond2

for.cond2:                                        ; preds = %for.cond, %for.body6
  %end.0 = phi ptr [ %incdec.ptr, %for.body6 ], [ %ends, %for.cond ]
  %1 = load i8, ptr %end.0, align 1
  %cmp4.not = icmp eq i8 %1, 0
  br i1 %cmp4.not, label %for.inc12, label %for.body6

for.body6:                                        ; preds = %for.cond2
  %cmp10 = icmp eq i8 %0, %1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %end.0, i64 1
  br i1 %cmp10, label %cleanup14, label %for.cond2

for.inc12:                                        ; preds = %for.cond2
  %inc = add i64 %length.0, 1
  br label %for.cond

cleanup14:                                        ; preds = %for.cond, %for.body6
  ret i64 %length.0
}

define i64 @strtoull(ptr noalias noundef nonnull %text, ptr noalias noundef writeonly captures(none) %end, i32 noundef signext %base) local_unnamed_addr #3 {
entry:
  %conv12 = zext nneg i32 %base to i64
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %value.0 = phi i64 [ 0, %entry ], [ %add14, %for.inc ]
  %text.addr.0 = phi ptr [ %text, %entry ], [ %incdec.ptr, %for.inc ]
  %0 = load i8, ptr %text.addr.0, align 1
  %1 = add i8 %0, -48
  %or.cond = icmp ult i8 %1, 10
  %sub = sext i8 %1 to i32
  %conv6 = sext i8 %0 to i32
  %add = add nsw i32 %conv6, -87
  %cond = select i1 %or.cond, i32 %sub, i32 %add
  %cmp8 = icmp sgt i32 %cond, -1
  %cmp10.not = icmp slt i32 %cond, %base
  %or.cond10 = and i1 %cmp8, %cmp10.not
  br i1 %or.cond10, label %for.inc, label %for.end

for.inc:                                          ; preds = %for.cond
  %mul = mul i64 %value.0, %conv12
  %conv13 = zext nneg i32 %cond to i64
  %add14 = add i64 %mul, %conv13
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %text.addr.0, i64 1
  br label %for.cond

for.end:                                          ; preds = %for.cond
  store ptr %text.addr.0, ptr %end, align 8
  ret i64 %value.0
}

define noalias ptr @aligned_alloc(i64 noundef %alignment, i64 noundef %bytes) local_unnamed_addr #1 {
entry:
  %cmp = icmp ugt i64 %alignment, 4096
  %cmp1 = icmp ugt i64 %bytes, -8193
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = add nuw i64 %bytes, 4096
  %call = tail call ptr @mmap(ptr noundef null, i64 noundef %add, i32 noundef signext 3, i32 noundef signext 34, i32 noundef signext -1, i64 noundef 0) #11
  %cmp2 = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp2, label %return, label %if.end4

if.end4:                                          ; preds = %if.end
  store i64 %add, ptr %call, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 4096
  br label %return

return:                                           ; preds = %if.end, %entry, %if.end4
  %retval.0 = phi ptr [ %add.ptr, %if.end4 ], [ null, %entry ], [ null, %if.end ]
  ret ptr %retval.0
}

declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef signext, i32 noundef signext, i32 noundef signext, i64 noundef) local_unnamed_addr #1

define noalias ptr @calloc(i64 noundef %count, i64 noundef %bytes) local_unnamed_addr #1 {
entry:
  %0 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %bytes)
  %1 = extractvalue { i64, i1 } %0, 1
  br i1 %1, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %2 = extractvalue { i64, i1 } %0, 0
  %call = tail call noalias ptr @aligned_alloc(i64 noundef 1, i64 noundef %2) #11
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi ptr [ %call, %cond.false ], [ null, %entry ]
  ret ptr %cond
}

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #4

define void @free(ptr noundef %block) local_unnamed_addr #1 {
entry:
  %cmp = icmp eq ptr %block, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %block, i64 -4096
  %0 = load i64, ptr %add.ptr, align 8
  %call = tail call signext i32 @munmap(ptr noundef nonnull %add.ptr, i64 noundef %0) #11
  br label %return

return:                                           ; preds = %entry, %if.end
  ret void
}

declare signext i32 @munmap(ptr noundef, i64 noundef) local_unnamed_addr #1

define hidden signext i32 @tw_print(ptr noundef %start, i64 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr #0 {
entry:
  %text = alloca %struct.text, align 8
  %.compoundliteral = alloca [2 x i8], align 1
  store ptr %start, ptr %text, align 8
  %room2 = getelementptr inbounds nuw i8, ptr %text, i64 8
  store i64 %room, ptr %room2, align 8
  %length = getelementptr inbounds nuw i8, ptr %text, i64 16
  store i64 0, ptr %length, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 1
  br label %for.cond

for.cond:                                         ; preds = %for.inc66, %entry
  %values.addr.0 = phi ptr [ %values, %entry ], [ %values.addr.1, %for.inc66 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr67, %for.inc66 ]
  %0 = load i8, ptr %format.addr.0, align 1
  switch i8 %0, label %if.then [
    i8 0, label %for.end68
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  call fastcc void @append(ptr noundef %text, i8 noundef signext %0) #13
  br label %for.inc66

for.cond7:                                        ; preds = %for.cond, %for.body10
  %most.0 = phi i64 [ %most.2, %for.body10 ], [ -1, %for.cond ]
  %is_long.0 = phi i1 [ %spec.select30, %for.body10 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.2, %for.body10 ], [ %format.addr.0, %for.cond ]
  %format.addr.2 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i64 1
  %1 = load i8, ptr %format.addr.2, align 1
  store i8 %1, ptr %.compoundliteral, align 1
  store i8 0, ptr %arrayinit.element, align 1
  %call = call i64 @strcspn(ptr noundef @.str, ptr noundef %.compoundliteral) #12
  %cmp8 = icmp eq i64 %call, 4
  %2 = load i8, ptr %format.addr.2, align 1
  br i1 %cmp8, label %for.body10, label %for.end

for.body10:                                       ; preds = %for.cond7
  %cmp12 = icmp eq i8 %2, 46
  %spec.select = select i1 %cmp12, i64 0, i64 %most.0
  %3 = add i8 %2, -48
  %or.cond = icmp ult i8 %3, 10
  %mul = mul i64 %most.0, 10
  %sub = zext nneg i8 %3 to i64
  %add = add i64 %mul, %sub
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %cmp28 = icmp eq i8 %2, 108
  %spec.select30 = select i1 %is_long.0, i1 true, i1 %cmp28
  br label %for.cond7

for.end:                                          ; preds = %for.cond7
  switch i8 %2, label %if.else61 [
    i8 115, label %if.then34
    i8 100, label %if.then49
    i8 117, label %if.then59
  ]

if.then34:                                        ; preds = %for.end
  %incdec.ptr35 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  %4 = load i64, ptr %values.addr.0, align 8
  %5 = inttoptr i64 %4 to ptr
  br label %for.cond36

for.cond36:                                       ; preds = %for.body42, %if.then34
  %index.0 = phi i64 [ 0, %if.then34 ], [ %inc, %for.body42 ]
  %exitcond.not = icmp eq i64 %index.0, %most.0
  br i1 %exitcond.not, label %for.inc66, label %land.rhs

land.rhs:                                         ; preds = %for.cond36
  %arrayidx = getelementptr inbounds nuw i8, ptr %5, i64 %index.0
  %6 = load i8, ptr %arrayidx, align 1
  %cmp40.not = icmp eq i8 %6, 0
  br i1 %cmp40.not, label %for.inc66, label %for.body42

for.body42:                                       ; preds = %land.rhs
  call fastcc void @append(ptr noundef %text, i8 noundef signext %6) #13
  %inc = add i64 %index.0, 1
  br label %for.cond36

if.then49:                                        ; preds = %for.end
  %7 = load i64, ptr %values.addr.0, align 8
  %sext = shl i64 %7, 32
  %conv53 = ashr exact i64 %sext, 32
  %cond = select i1 %is_long.0, i64 %7, i64 %conv53
  %cmp.i = icmp slt i64 %cond, 0
  br i1 %cmp.i, label %if.then.i, label %append_signed.exit

if.then.i:                                        ; preds = %if.then49
  call fastcc void @append(ptr noundef nonnull %text, i8 noundef signext 45) #13
  br label %append_signed.exit

append_signed.exit:                               ; preds = %if.then49, %if.then.i
  %cond.i = tail call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call fastcc void @append_number(ptr noundef nonnull %text, i64 noundef %cond.i, i32 noundef signext 10) #13
  %incdec.ptr54 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  br label %for.inc66

if.then59:                                        ; preds = %for.end
  %incdec.ptr60 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  %8 = load i64, ptr %values.addr.0, align 8
  call fastcc void @append_number(ptr noundef %text, i64 noundef %8, i32 noundef signext 10) #13
  br label %for.inc66

if.else61:                                        ; preds = %for.end
  call fastcc void @append(ptr noundef %text, i8 noundef signext 48) #13
  call fastcc void @append(ptr noundef %text, i8 noundef signext 120) #13
  %incdec.ptr62 = getelementptr inbounds nuw i8, ptr %values.addr.0, i64 8
  %9 = load i64, ptr %values.addr.0, align 8
  call fastcc void @append_number(ptr noundef %text, i64 noundef %9, i32 noundef signext 16) #13
  br label %for.inc66

for.inc66:                                        ; preds = %for.cond36, %land.rhs, %if.then59, %if.else61, %append_signed.exit, %if.then
  %values.addr.1 = phi ptr [ %values.addr.0, %if.then ], [ %incdec.ptr60, %if.then59 ], [ %incdec.ptr62, %if.else61 ], [ %incdec.ptr54, %append_signed.exit ], [ %incdec.ptr35, %land.rhs ], [ %incdec.ptr35, %for.cond36 ]
  %format.addr.1 = phi ptr [ %format.addr.0, %if.then ], [ %format.addr.2, %if.then59 ], [ %format.addr.2, %if.else61 ], [ %format.addr.2, %append_signed.exit ], [ %format.addr.2, %land.rhs ], [ %format.addr.2, %for.cond36 ]
  %incdec.ptr67 = getelementptr inbounds nuw i8, ptr %format.addr.1, i64 1
  br label %for.cond

for.end68:                                        ; preds = %for.cond
  %cmp69.not = icmp eq i64 %room, 0
  %10 = load i64, ptr %length, align 8
  br i1 %cmp69.not, label %if.end82, label %if.then71

if.then71:                                        ; preds = %for.end68
  %cmp73 = icmp ult i64 %10, %room
  %sub78 = add i64 %room, -1
  %cond80 = select i1 %cmp73, i64 %10, i64 %sub78
  %arrayidx81 = getelementptr inbounds nuw i8, ptr %start, i64 %cond80
  store i8 0, ptr %arrayidx81, align 1
  br label %if.end82

if.end82:                                         ; preds = %if.then71, %for.end68
  %conv84 = trunc i64 %10 to i32
  ret i32 %conv84
}

define internal fastcc void @append(ptr noundef nonnull captures(none) %text, i8 noundef signext %letter) unnamed_addr #5 {
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

define internal fastcc void @append_number(ptr noundef nonnull captures(none) %text, i64 noundef %value, i32 noundef signext range(i32 10, 17) %base) unnamed_addr #6 {
entry:
  %digits = alloca [24 x i8], align 1
  %conv = zext nneg i32 %base to i64
  br label %do.body

do.body:                                          ; preds = %do.body, %entry
  %indvars.iv6 = phi i64 [ %indvars.iv.next7, %do.body ], [ 1, %entry ]
  %indvars.iv = phi i64 [ %indvars.iv.next, %do.body ], [ 0, %entry ]
  %value.addr.0 = phi i64 [ %div, %do.body ], [ %value, %entry ]
  %rem = urem i64 %value.addr.0, %conv
  %arrayidx = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem
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
  tail call fastcc void @append(ptr noundef %text, i8 noundef signext %3) #13
  br label %while.cond

while.end:                                        ; preds = %while.cond
  ret void
}

define noalias ptr @fopen(ptr noalias noundef %path, ptr noalias noundef readnone captures(none) %mode) local_unnamed_addr #1 {
entry:
  %call = tail call signext i32 (ptr, i32, ...) @open(ptr noundef %path, i32 noundef signext 524288) #11
  store i32 %call, ptr @stream, align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %cmp = icmp slt i32 %call, 0
  %cond = select i1 %cmp, ptr null, ptr @stream
  ret ptr %cond
}

declare signext i32 @open(ptr noundef, i32 noundef signext, ...) local_unnamed_addr #7

define signext i32 @fclose(ptr noundef nonnull readnone captures(none) %file) local_unnamed_addr #1 {
entry:
  %0 = load i32, ptr @stream, align 8
  %call = tail call signext i32 @close(i32 noundef signext %0) #11
  ret i32 %call
}

declare signext i32 @close(i32 noundef signext) local_unnamed_addr #7

define ptr @fgets(ptr noalias noundef captures(ret: address, provenance) %line, i32 noundef signext %room, ptr noalias noundef nonnull readnone captures(none) %file) local_unnamed_addr #1 {
entry:
  %0 = tail call i32 @llvm.smax.i32(i32 %room, i32 1)
  %smax = add nsw i32 %0, -1
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %while.cond

while.cond:                                       ; preds = %if.end10, %entry
  %indvars.iv = phi i64 [ %indvars.iv.next, %if.end10 ], [ 0, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %while.cond
  %cmp1 = icmp eq i64 %indvars.iv, 0
  br i1 %cmp1, label %while.body, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %1 = getelementptr i8, ptr %line, i64 %indvars.iv
  %arrayidx = getelementptr i8, ptr %1, i64 -1
  %2 = load i8, ptr %arrayidx, align 1
  %cmp3.not = icmp eq i8 %2, 10
  br i1 %cmp3.not, label %while.end.split.loop.exit13, label %while.body

while.body:                                       ; preds = %land.rhs, %lor.rhs
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %4 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  %cmp5 = icmp eq i64 %3, %4
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
  %5 = load i32, ptr @stream, align 8
  %call = tail call i64 @read(i32 noundef signext %5, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 noundef 4096) #11
  store i64 %call, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %while.body
  %6 = phi i64 [ 0, %if.then ], [ %3, %while.body ]
  %7 = phi i64 [ %call, %if.then ], [ %4, %while.body ]
  %cmp7 = icmp slt i64 %7, 1
  br i1 %cmp7, label %while.end.split.loop.exit11, label %if.end10

if.end10:                                         ; preds = %if.end
  %inc = add nsw i64 %6, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %arrayidx11 = getelementptr inbounds i8, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 %6
  %8 = load i8, ptr %arrayidx11, align 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %line, i64 %indvars.iv
  store i8 %8, ptr %arrayidx14, align 1
  br label %while.cond

while.end.split.loop.exit11:                      ; preds = %if.end
  %9 = trunc nuw nsw i64 %indvars.iv to i32
  br label %while.end

while.end.split.loop.exit13:                      ; preds = %lor.rhs
  %10 = trunc nuw nsw i64 %indvars.iv to i32
  br label %while.end

while.end:                                        ; preds = %while.cond, %while.end.split.loop.exit13, %while.end.split.loop.exit11
  %length.0.lcssa = phi i32 [ %9, %while.end.split.loop.exit11 ], [ %10, %while.end.split.loop.exit13 ], [ %smax, %while.cond ]
  %idxprom15 = zext nneg i32 %length.0.lcssa to i64
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom15
  store i8 0, ptr %arrayidx16, align 1
  %cmp17 = icmp eq i32 %length.0.lcssa, 0
  %cond = select i1 %cmp17, ptr null, ptr %line
  ret ptr %cond
}

declare i64 @read(i32 noundef signext, ptr noundef, i64 noundef) local_unnamed_addr #7

define signext range(i32 0, 12) i32 @pthread_create(ptr noalias noundef nonnull writeonly captures(none) %thread, ptr noalias noundef readnone captures(none) %options, ptr noundef nonnull %function, ptr noalias noundef %argument) local_unnamed_addr #1 {
entry:
  %call = tail call ptr @mmap(ptr noundef null, i64 noundef 1048576, i32 noundef signext 3, i32 noundef signext 34, i32 noundef signext -1, i64 noundef 0) #11
  %cmp = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %call, i64 1048560
  store ptr %function, ptr %add.ptr1, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %call, i64 1048568
  store ptr %argument, ptr %arrayidx2, align 8
  store i64 0, ptr %thread, align 8
  %call3 = tail call i64 @tw_spawn(i64 noundef 331520, ptr noundef nonnull %add.ptr1) #11
  %cmp4 = icmp slt i64 %call3, 0
  %cond = select i1 %cmp4, i32 11, i32 0
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ %cond, %if.end ], [ 11, %entry ]
  ret i32 %retval.0
}

declare hidden i64 @tw_spawn(i64 noundef, ptr noundef) local_unnamed_addr #7

define noundef signext i32 @pthread_detach(i64 noundef %thread) local_unnamed_addr #8 {
entry:
  ret i32 0
}

declare i64 @llvm.abs.i64(i64, i1 immarg) #9

declare i32 @llvm.smax.i32(i32, i32) #10

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #1 = { nounwind "no-builtins" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #3 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "no-builtins" }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #6 = { nofree norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #7 = { "no-builtins" }
attributes #8 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #9 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #11 = { nobuiltin nounwind "no-builtins" }
attributes #12 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
attributes #13 = { nobuiltin "no-builtins" }
