; Generated from runtime/native/bare.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.anon = type { i32, i64, i64, [4096 x i8] }
%struct.header = type { i32, i32, i64, i64, i64, i64, i64, i64 }
%struct.relocation = type { i64, i64, i64 }
@stream = internal global %struct.anon zeroinitializer, align 8
define hidden void @tw_relocate(ptr noundef readonly captures(none) %stack, i64 noundef %relative) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %add.ptr = getelementptr inbounds nuw i8, ptr %stack, i64 16
  %1 = load i64, ptr %stack, align 8
  %add.ptr1 = getelementptr inbounds nuw i64, ptr %add.ptr, i64 %1
  br label %while.cond
while.cond:
  %incdec.ptr.sink = phi ptr [ %incdec.ptr, %while.cond ], [ %add.ptr1, %0 ]
  %2 = load i64, ptr %incdec.ptr.sink, align 8
  %cmp.not = icmp eq i64 %2, 0
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink, i64 8
  br i1 %cmp.not, label %for.cond, label %while.cond
for.cond:
  %count.0 = phi i64 [ %count.1, %for.inc ], [ 0, %while.cond ]
  %headers.0 = phi ptr [ %headers.133, %for.inc ], [ null, %while.cond ]
  %add.ptr13.sink = phi ptr [ %add.ptr13, %for.inc ], [ %incdec.ptr, %while.cond ]
  %3 = load i64, ptr %add.ptr13.sink, align 8
  switch i64 %3, label %for.inc [ i64 0, label %for.end i64 3, label %if.end.thread i64 5, label %if.then10 ]
if.end.thread:
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %add.ptr13.sink, i64 8
  %4 = load i64, ptr %arrayidx7, align 8
  %5 = inttoptr i64 %4 to ptr
  br label %for.inc
if.then10:
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %add.ptr13.sink, i64 8
  %6 = load i64, ptr %arrayidx11, align 8
  br label %for.inc
for.inc:
  %headers.133 = phi ptr [ %headers.0, %if.then10 ], [ %headers.0, %for.cond ], [ %5, %if.end.thread ]
  %count.1 = phi i64 [ %6, %if.then10 ], [ %count.0, %for.cond ], [ %count.0, %if.end.thread ]
  %add.ptr13 = getelementptr inbounds nuw i8, ptr %add.ptr13.sink, i64 16
  br label %for.cond
for.end:
  %add.ptr14 = getelementptr inbounds i8, ptr %headers.0, i64 -64
  br label %for.cond15
for.cond15:
  %rows.0 = phi ptr [ null, %for.end ], [ %rows.1, %for.inc24 ]
  %inc.sink = phi i64 [ 0, %for.end ], [ %inc, %for.inc24 ]
  %cmp16 = icmp ult i64 %inc.sink, %count.0
  br i1 %cmp16, label %for.body17, label %for.cond26
for.body17:
  %arrayidx18 = getelementptr inbounds nuw %struct.header, ptr %headers.0, i64 %inc.sink
  %7 = load i32, ptr %arrayidx18, align 8
  %cmp19 = icmp eq i32 %7, 2
  br i1 %cmp19, label %if.then20, label %for.inc24
if.then20:
  %address = getelementptr inbounds nuw i8, ptr %arrayidx18, i64 16
  %8 = load i64, ptr %address, align 8
  %add.ptr22 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %8
  br label %for.inc24
for.inc24:
  %rows.1 = phi ptr [ %add.ptr22, %if.then20 ], [ %rows.0, %for.body17 ]
  %inc = add nuw i64 %inc.sink, 1
  br label %for.cond15
for.cond26:
  %rows.2 = phi ptr [ %add.ptr43, %for.inc42 ], [ %rows.0, %for.cond15 ]
  %table.0 = phi ptr [ %table.136, %for.inc42 ], [ null, %for.cond15 ]
  %bytes.0 = phi i64 [ %bytes.1, %for.inc42 ], [ 0, %for.cond15 ]
  %cmp27.not = icmp eq ptr %rows.2, null
  br i1 %cmp27.not, label %for.cond46, label %land.rhs
land.rhs:
  %9 = load i64, ptr %rows.2, align 8
  switch i64 %9, label %for.inc42 [ i64 0, label %for.cond46 i64 7, label %if.end36.thread i64 8, label %if.then39 ]
if.end36.thread:
  %arrayidx34 = getelementptr inbounds nuw i8, ptr %rows.2, i64 8
  %10 = load i64, ptr %arrayidx34, align 8
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %10
  br label %for.inc42
if.then39:
  %arrayidx40 = getelementptr inbounds nuw i8, ptr %rows.2, i64 8
  %11 = load i64, ptr %arrayidx40, align 8
  br label %for.inc42
for.inc42:
  %table.136 = phi ptr [ %table.0, %if.then39 ], [ %table.0, %land.rhs ], [ %add.ptr35, %if.end36.thread ]
  %bytes.1 = phi i64 [ %11, %if.then39 ], [ %bytes.0, %land.rhs ], [ %bytes.0, %if.end36.thread ]
  %add.ptr43 = getelementptr inbounds nuw i8, ptr %rows.2, i64 16
  br label %for.cond26
for.cond46:
  %inc59.sink = phi i64 [ %inc59, %for.inc58 ], [ %9, %land.rhs ], [ 0, %for.cond26 ]
  %div = udiv i64 %bytes.0, 24
  %cmp47 = icmp samesign ult i64 %inc59.sink, %div
  br i1 %cmp47, label %for.body49, label %for.end60
for.body49:
  %arrayidx50 = getelementptr inbounds nuw %struct.relocation, ptr %table.0, i64 %inc59.sink
  %kind51 = getelementptr inbounds nuw i8, ptr %arrayidx50, i64 8
  %12 = load i64, ptr %kind51, align 8
  %cmp52 = icmp eq i64 %12, %relative
  br i1 %cmp52, label %if.then53, label %for.inc58
if.then53:
  %13 = ptrtoint ptr %add.ptr14 to i64
  %addend = getelementptr inbounds nuw i8, ptr %arrayidx50, i64 16
  %14 = load i64, ptr %addend, align 8
  %add = add i64 %14, %13
  %15 = load i64, ptr %arrayidx50, align 8
  %add.ptr56 = getelementptr inbounds nuw i8, ptr %add.ptr14, i64 %15
  store i64 %add, ptr %add.ptr56, align 8
  br label %for.inc58
for.inc58:
  %inc59 = add nuw nsw i64 %inc59.sink, 1
  br label %for.cond46
for.end60:
  ret void
}
define ptr @memmove(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp.not = icmp ugt ptr %to, %from
  %add.ptr = getelementptr inbounds nuw i8, ptr %from, i64 %bytes
  %cmp1.not = icmp ult ptr %to, %add.ptr
  %or.cond = select i1 %cmp.not, i1 %cmp1.not, i1 false
  br i1 %or.cond, label %while.cond, label %if.then
if.then:
  %call = tail call ptr @memcpy(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %bytes)
  br label %cleanup
while.cond:
  %bytes.addr.0 = phi i64 [ %dec, %while.body ], [ %bytes, %0 ]
  %cmp2.not = icmp eq i64 %bytes.addr.0, 0
  br i1 %cmp2.not, label %cleanup, label %while.body
while.body:
  %dec = add i64 %bytes.addr.0, -1
  %arrayidx = getelementptr inbounds nuw i8, ptr %from, i64 %dec
  %1 = load i8, ptr %arrayidx, align 1
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %to, i64 %dec
  store i8 %1, ptr %arrayidx3, align 1
  br label %while.cond
cleanup:
  %.sink = phi ptr [ %call, %if.then ], [ %to, %while.cond ]
  ret ptr %.sink
}
define signext range(i32 -255, 256) i32 @memcmp(ptr noundef nonnull readonly captures(none) %one, ptr noundef nonnull readonly captures(none) %other, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %a.0 = phi ptr [ %one, %0 ], [ %incdec.ptr, %for.inc ]
  %bytes.addr.0 = phi i64 [ %bytes, %0 ], [ %dec, %for.inc ]
  %incdec.ptr6.sink = phi ptr [ %other, %0 ], [ %incdec.ptr6, %for.inc ]
  %cmp.not = icmp eq i64 %bytes.addr.0, 0
  br i1 %cmp.not, label %cleanup, label %for.body
for.body:
  %1 = load i8, ptr %a.0, align 1
  %2 = load i8, ptr %incdec.ptr6.sink, align 1
  %cmp2.not = icmp eq i8 %1, %2
  br i1 %cmp2.not, label %for.inc, label %if.then
if.then:
  %conv1 = zext i8 %2 to i32
  %conv = zext i8 %1 to i32
  %sub = sub nsw i32 %conv, %conv1
  br label %cleanup
for.inc:
  %dec = add i64 %bytes.addr.0, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %a.0, i64 1
  %incdec.ptr6 = getelementptr inbounds nuw i8, ptr %incdec.ptr6.sink, i64 1
  br label %for.cond
cleanup:
  %.sink = phi i32 [ %sub, %if.then ], [ 0, %for.cond ]
  ret i32 %.sink
}
define i64 @strlen(ptr noundef nonnull readonly captures(none) %text) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %while.cond
while.cond:
  %inc.sink = phi i64 [ %inc, %while.cond ], [ 0, %0 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %inc.sink
  %1 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %1, 0
  %inc = add i64 %inc.sink, 1
  br i1 %cmp.not, label %while.end, label %while.cond
while.end:
  ret i64 %inc.sink
}
define ptr @strcpy(ptr noalias noundef nonnull %to, ptr noalias noundef nonnull %from) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call i64 @strlen(ptr noundef %from)
  %add = add i64 %call, 1
  %call1 = tail call ptr @memcpy(ptr noundef nonnull %to, ptr noundef nonnull %from, i64 noundef %add)
  ret ptr %call1
}
define i64 @strcspn(ptr noundef nonnull readonly captures(none) %text, ptr noundef nonnull readonly captures(none) %ends) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i64 [ 0, %0 ], [ %inc, %for.inc12 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %inc.sink
  %1 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %1, 0
  br i1 %cmp.not, label %cleanup14, label %for.cond2
for.cond2:
  %incdec.ptr.sink = phi ptr [ %incdec.ptr, %for.body6 ], [ %ends, %for.cond ]
  %2 = load i8, ptr %incdec.ptr.sink, align 1
  %cmp4.not = icmp eq i8 %2, 0
  br i1 %cmp4.not, label %for.inc12, label %for.body6
for.body6:
  %cmp10 = icmp eq i8 %1, %2
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink, i64 1
  br i1 %cmp10, label %cleanup14, label %for.cond2
for.inc12:
  %inc = add i64 %inc.sink, 1
  br label %for.cond
cleanup14:
  ret i64 %inc.sink
}
define i64 @strtoull(ptr noalias noundef nonnull %text, ptr noalias noundef writeonly captures(none) %end, i32 noundef signext %base) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %value.0 = phi i64 [ 0, %0 ], [ %add14, %for.inc ]
  %text.addr.0 = phi ptr [ %text, %0 ], [ %incdec.ptr, %for.inc ]
  %1 = load i8, ptr %text.addr.0, align 1
  %2 = add i8 %1, -48
  %or.cond = icmp ult i8 %2, 10
  %sub = zext nneg i8 %2 to i32
  %conv6 = sext i8 %1 to i32
  %add = add nsw i32 %conv6, -87
  %cond = select i1 %or.cond, i32 %sub, i32 %add
  %cmp8 = icmp sgt i32 %cond, -1
  %cmp10.not = icmp slt i32 %cond, %base
  %or.cond10 = and i1 %cmp8, %cmp10.not
  br i1 %or.cond10, label %for.inc, label %for.end
for.inc:
  %conv12 = zext nneg i32 %base to i64
  %mul = mul i64 %value.0, %conv12
  %conv13 = zext nneg i32 %cond to i64
  %add14 = add i64 %mul, %conv13
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %text.addr.0, i64 1
  br label %for.cond
for.end:
  store ptr %text.addr.0, ptr %end, align 8
  ret i64 %value.0
}
define noalias ptr @aligned_alloc(i64 noundef %alignment, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp ugt i64 %alignment, 4096
  %cmp1 = icmp ugt i64 %bytes, -8193
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end
if.end:
  %add = add nuw i64 %bytes, 4096
  %call = tail call ptr @mmap(ptr noundef null, i64 noundef %add, i32 noundef signext 3, i32 noundef signext 34, i32 noundef signext -1, i64 noundef 0)
  %cmp2 = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp2, label %return, label %if.end4
if.end4:
  store i64 %add, ptr %call, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 4096
  br label %return
return:
  %retval.0 = phi ptr [ null, %0 ], [ %add.ptr, %if.end4 ], [ null, %if.end ]
  ret ptr %retval.0
}
define noalias ptr @calloc(i64 noundef %count, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %bytes)
  %2 = extractvalue { i64, i1 } %1, 1
  br i1 %2, label %cond.end, label %cond.false
cond.false:
  %3 = extractvalue { i64, i1 } %1, 0
  %call = tail call noalias ptr @aligned_alloc(i64 noundef 1, i64 noundef %3)
  br label %cond.end
cond.end:
  %cond = phi ptr [ %call, %cond.false ], [ null, %0 ]
  ret ptr %cond
}
define void @free(ptr noundef %block) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp eq ptr %block, null
  br i1 %cmp, label %return, label %if.end
if.end:
  %add.ptr = getelementptr inbounds i8, ptr %block, i64 -4096
  %1 = load i64, ptr %add.ptr, align 8
  %call = tail call signext i32 @munmap(ptr noundef nonnull %add.ptr, i64 noundef %1)
  br label %return
return:
  ret void
}
define noalias ptr @fopen(ptr noalias noundef %path, ptr noalias noundef readnone captures(none) %mode) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call signext i32 (ptr, i32, ...) @open(ptr noundef %path, i32 noundef signext 524288)
  store i32 %call, ptr @stream, align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %cmp = icmp slt i32 %call, 0
  %cond = select i1 %cmp, ptr null, ptr @stream
  ret ptr %cond
}
define signext i32 @fclose(ptr noundef nonnull readnone captures(none) %file) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @stream, align 8
  %call = tail call signext i32 @close(i32 noundef signext %1)
  ret i32 %call
}
define ptr @fgets(ptr noalias noundef captures(ret: address, provenance) %line, i32 noundef signext %room, ptr noalias noundef nonnull readnone captures(none) %file) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %while.cond
while.cond:
  %length.0 = phi i32 [ 0, %0 ], [ %inc12, %if.end10 ]
  %sub = add nsw i32 %room, -1
  %cmp = icmp slt i32 %length.0, %sub
  br i1 %cmp, label %land.rhs, label %while.end
land.rhs:
  %cmp1 = icmp eq i32 %length.0, 0
  br i1 %cmp1, label %while.body, label %lor.rhs
lor.rhs:
  %1 = zext nneg i32 %length.0 to i64
  %2 = getelementptr i8, ptr %line, i64 %1
  %arrayidx = getelementptr i8, ptr %2, i64 -1
  %3 = load i8, ptr %arrayidx, align 1
  %cmp3.not = icmp eq i8 %3, 10
  br i1 %cmp3.not, label %while.end, label %while.body
while.body:
  %4 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  %cmp5 = icmp eq i64 %4, %5
  br i1 %cmp5, label %if.then, label %if.end
if.then:
  %6 = load i32, ptr @stream, align 8
  %call = tail call i64 @read(i32 noundef signext %6, ptr noundef nonnull getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 noundef 4096)
  store i64 %call, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  br label %if.end
if.end:
  %7 = phi i64 [ 0, %if.then ], [ %4, %while.body ]
  %8 = phi i64 [ %call, %if.then ], [ %5, %while.body ]
  %cmp7 = icmp slt i64 %8, 1
  br i1 %cmp7, label %while.end, label %if.end10
if.end10:
  %inc = add nsw i64 %7, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %arrayidx11 = getelementptr inbounds i8, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 %7
  %9 = load i8, ptr %arrayidx11, align 1
  %inc12 = add nuw nsw i32 %length.0, 1
  %idxprom13 = zext nneg i32 %length.0 to i64
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom13
  store i8 %9, ptr %arrayidx14, align 1
  br label %while.cond
while.end:
  %idxprom15 = zext nneg i32 %length.0 to i64
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom15
  store i8 0, ptr %arrayidx16, align 1
  %cmp17 = icmp eq i32 %length.0, 0
  %cond = select i1 %cmp17, ptr null, ptr %line
  ret ptr %cond
}
define signext range(i32 0, 12) i32 @pthread_create(ptr noalias noundef nonnull writeonly captures(none) %thread, ptr noalias noundef readnone captures(none) %options, ptr noundef nonnull %function, ptr noalias noundef %argument) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call ptr @mmap(ptr noundef null, i64 noundef 1048576, i32 noundef signext 3, i32 noundef signext 34, i32 noundef signext -1, i64 noundef 0)
  %cmp = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %call, i64 1048560
  store ptr %function, ptr %add.ptr1, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %call, i64 1048568
  store ptr %argument, ptr %arrayidx2, align 8
  store i64 0, ptr %thread, align 8
  %call3 = tail call i64 @tw_spawn(i64 noundef 331520, ptr noundef nonnull %add.ptr1)
  %cmp4 = icmp slt i64 %call3, 0
  %cond = select i1 %cmp4, i32 11, i32 0
  br label %cleanup
cleanup:
  %cond.sink = phi i32 [ %cond, %if.end ], [ 11, %0 ]
  ret i32 %cond.sink
}
define noundef signext i32 @pthread_detach(i64 noundef %thread) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  ret i32 0
}
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef signext, i32 noundef signext, i32 noundef signext, i64 noundef) local_unnamed_addr
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare signext i32 @munmap(ptr noundef, i64 noundef) local_unnamed_addr
declare signext i32 @open(ptr noundef, i32 noundef signext, ...) local_unnamed_addr
declare signext i32 @close(i32 noundef signext) local_unnamed_addr
declare i64 @read(i32 noundef signext, ptr noundef, i64 noundef) local_unnamed_addr
declare hidden i64 @tw_spawn(i64 noundef, ptr noundef) local_unnamed_addr
