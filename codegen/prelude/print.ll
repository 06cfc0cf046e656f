; Generated from runtime/native/print.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.text = type { ptr, i64, i64 }
@.str = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00"
define hidden signext i32 @tw_print(ptr noundef %start, i64 noundef %room, ptr noundef readonly captures(none) %format, ptr noundef readonly captures(none) %values) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %text = alloca %struct.text
  store ptr %start, ptr %text
  %room2 = getelementptr inbounds nuw %struct.text, ptr %text, i32 0, i32 1
  store i64 %room, ptr %room2
  %length = getelementptr inbounds nuw %struct.text, ptr %text, i32 0, i32 2
  store i64 0, ptr %length
  br label %for.cond
for.cond:
  %values.addr.0 = phi ptr [ %values, %0 ], [ %values.addr.1, %for.inc64 ]
  %format.addr.0 = phi ptr [ %format, %0 ], [ %incdec.ptr65, %for.inc64 ]
  %1 = load i8, ptr %format.addr.0
  %conv = sext i8 %1 to i32
  switch i32 %conv, label %if.then [ i32 0, label %for.end66 i32 37, label %for.cond7 ]
if.then:
  call fastcc void @append(ptr noundef %text, i8 noundef signext %1)
  br label %for.inc64
for.cond7:
  %most.0 = phi i64 [ %most.2, %for.body8 ], [ 9223372036854775807, %for.cond ]
  %format.addr.2 = phi ptr [ %incdec.ptr28, %for.body8 ], [ %format.addr.0, %for.cond ]
  %storedv.sink = phi i8 [ %storedv, %for.body8 ], [ 0, %for.cond ]
  %incdec.ptr28 = getelementptr inbounds nuw i8, ptr %format.addr.2, i32 1
  %2 = load i8, ptr %incdec.ptr28
  %conv.i = sext i8 %2 to i32
  switch i32 %conv.i, label %for.body8 [ i32 115, label %if.then32 i32 100, label %if.then47 i32 117, label %if.end61 i32 120, label %if.else59 ]
for.body8:
  %cmp10 = icmp eq i32 %conv.i, 46
  %spec.select = select i1 %cmp10, i64 0, i64 %most.0
  %cmp15 = icmp sge i32 %conv.i, 48
  %cmp18 = icmp sle i32 %conv.i, 57
  %or.cond = and i1 %cmp15, %cmp18
  %mul = mul nsw i64 %spec.select, 10
  %sub = sub nuw nsw i32 %conv.i, 48
  %conv22 = zext nneg i32 %sub to i64
  %add = add nuw nsw i64 %mul, %conv22
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %loadedv = trunc nuw i8 %storedv.sink to i1
  %cmp26 = icmp eq i32 %conv.i, 108
  %spec.select33 = select i1 %loadedv, i1 true, i1 %cmp26
  %storedv = zext i1 %spec.select33 to i8
  br label %for.cond7
if.then32:
  %incdec.ptr33 = getelementptr inbounds nuw i64, ptr %values.addr.0, i32 1
  %3 = load i64, ptr %values.addr.0
  %4 = inttoptr i64 %3 to ptr
  br label %for.cond34
for.cond34:
  %inc.sink = phi i64 [ %inc, %for.body40 ], [ 0, %if.then32 ]
  %cmp35 = icmp slt i64 %inc.sink, %most.0
  br i1 %cmp35, label %land.rhs, label %for.inc64
land.rhs:
  %arrayidx = getelementptr inbounds i8, ptr %4, i64 %inc.sink
  %5 = load i8, ptr %arrayidx
  %conv37 = sext i8 %5 to i32
  %cmp38 = icmp ne i32 %conv37, 0
  br i1 %cmp38, label %for.body40, label %for.inc64
for.body40:
  call fastcc void @append(ptr noundef %text, i8 noundef signext %5)
  %inc = add nsw i64 %inc.sink, 1
  br label %for.cond34
if.then47:
  %loadedv48 = trunc nuw i8 %storedv.sink to i1
  %6 = load i64, ptr %values.addr.0
  %conv50 = trunc i64 %6 to i32
  %conv51 = sext i32 %conv50 to i64
  %cond = select i1 %loadedv48, i64 %6, i64 %conv51
  %cmp.i = icmp slt i64 %cond, 0
  br i1 %cmp.i, label %if.then.i, label %append_signed.exit
if.then.i:
  call fastcc void @append(ptr noundef nonnull %text, i8 noundef signext 45)
  br label %append_signed.exit
append_signed.exit:
  %sub.i = sub i64 0, %cond
  %cond.i = select i1 %cmp.i, i64 %sub.i, i64 %cond
  call fastcc void @append_number(ptr noundef nonnull %text, i64 noundef %cond.i, i32 noundef signext 10)
  %incdec.ptr52 = getelementptr inbounds nuw i64, ptr %values.addr.0, i32 1
  br label %for.inc64
if.else59:
  call fastcc void @append(ptr noundef %text, i8 noundef signext 48)
  call fastcc void @append(ptr noundef %text, i8 noundef signext 120)
  br label %if.end61
if.end61:
  %.sink1 = phi i32 [ 16, %if.else59 ], [ 10, %for.cond7 ]
  %incdec.ptr60 = getelementptr inbounds nuw i64, ptr %values.addr.0, i32 1
  %7 = load i64, ptr %values.addr.0
  call fastcc void @append_number(ptr noundef %text, i64 noundef %7, i32 noundef signext %.sink1)
  br label %for.inc64
for.inc64:
  %values.addr.1 = phi ptr [ %values.addr.0, %if.then ], [ %incdec.ptr52, %append_signed.exit ], [ %incdec.ptr60, %if.end61 ], [ %incdec.ptr33, %land.rhs ], [ %incdec.ptr33, %for.cond34 ]
  %format.addr.1 = phi ptr [ %format.addr.0, %if.then ], [ %incdec.ptr28, %append_signed.exit ], [ %incdec.ptr28, %if.end61 ], [ %incdec.ptr28, %land.rhs ], [ %incdec.ptr28, %for.cond34 ]
  %incdec.ptr65 = getelementptr inbounds nuw i8, ptr %format.addr.1, i32 1
  br label %for.cond
for.end66:
  %cmp67 = icmp sgt i64 %room, 0
  br i1 %cmp67, label %if.then69, label %if.end80
if.then69:
  %8 = load i64, ptr %length
  %cmp71 = icmp slt i64 %8, %room
  %sub76 = sub nuw nsw i64 %room, 1
  %cond78 = select i1 %cmp71, i64 %8, i64 %sub76
  %arrayidx79 = getelementptr inbounds i8, ptr %start, i64 %cond78
  store i8 0, ptr %arrayidx79
  br label %if.end80
if.end80:
  %9 = load i64, ptr %length
  %conv82 = trunc i64 %9 to i32
  ret i32 %conv82
}
define internal fastcc void @append(ptr noundef nonnull captures(none) %text, i8 noundef signext %letter) unnamed_addr minsize nounwind optsize "no-builtins" {
  %length = getelementptr inbounds nuw %struct.text, ptr %text, i32 0, i32 2
  %1 = load i64, ptr %length
  %add = add nsw i64 %1, 1
  %room = getelementptr inbounds nuw %struct.text, ptr %text, i32 0, i32 1
  %2 = load i64, ptr %room
  %cmp = icmp slt i64 %add, %2
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %3 = load ptr, ptr %text
  %arrayidx = getelementptr inbounds i8, ptr %3, i64 %1
  store i8 %letter, ptr %arrayidx
  br label %if.end
if.end:
  %4 = load i64, ptr %length
  %inc = add nsw i64 %4, 1
  store i64 %inc, ptr %length
  ret void
}
define internal fastcc void @append_number(ptr noundef nonnull captures(none) %text, i64 noundef %value, i32 noundef signext range(i32 10, 17) %base) unnamed_addr minsize nounwind optsize "no-builtins" {
  %digits = alloca [24 x i8]
  br label %do.body
do.body:
  %value.addr.0 = phi i64 [ %value, %0 ], [ %div, %do.body ]
  %count.0 = phi i32 [ 0, %0 ], [ %inc, %do.body ]
  %conv = zext nneg i32 %base to i64
  %rem = urem i64 %value.addr.0, %conv
  %arrayidx = getelementptr inbounds nuw [17 x i8], ptr @.str, i64 0, i64 %rem
  %1 = load i8, ptr %arrayidx
  %inc = add nsw i32 %count.0, 1
  %idxprom = sext i32 %count.0 to i64
  %arrayidx1 = getelementptr inbounds [24 x i8], ptr %digits, i64 0, i64 %idxprom
  store i8 %1, ptr %arrayidx1
  %div = udiv i64 %value.addr.0, %conv
  %cmp = icmp ne i64 %div, 0
  br i1 %cmp, label %do.body, label %while.cond
while.cond:
  %count.1 = phi i32 [ %dec, %while.body ], [ %inc, %do.body ]
  %cmp4 = icmp sgt i32 %count.1, 0
  br i1 %cmp4, label %while.body, label %while.end
while.body:
  %dec = add nsw i32 %count.1, -1
  %idxprom6 = zext nneg i32 %dec to i64
  %arrayidx7 = getelementptr inbounds nuw [24 x i8], ptr %digits, i64 0, i64 %idxprom6
  %2 = load i8, ptr %arrayidx7
  tail call fastcc void @append(ptr noundef %text, i8 noundef signext %2)
  br label %while.cond
while.end:
  ret void
}
