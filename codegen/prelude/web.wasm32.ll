; Generated from runtime/native/web.c by `make prelude` (ziglang 0.17.1); do not edit.
@free_chunks = internal unnamed_addr global ptr null, align 4
@tw_error_kind = hidden local_unnamed_addr global [32 x i8] zeroinitializer, align 16
@tw_weights_data = external hidden constant [0 x i8], align 1
@__tw_weights = external local_unnamed_addr global ptr, align 4
@heap_end = internal unnamed_addr global ptr null, align 4
@__heap_base = external global i8, align 1
define hidden i32 @snprintf(ptr noalias noundef %start, i32 noundef %room, ptr noalias noundef %format, ...) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %values = alloca [32 x i64], align 16
  %arguments = alloca ptr, align 4
  call void @llvm.va_start.p0(ptr nonnull %arguments)
  br label %for.cond
for.cond:
  %count.0 = phi i32 [ 0, %0 ], [ %count.1, %for.inc29 ]
  %incdec.ptr30.sink = phi ptr [ %format, %0 ], [ %incdec.ptr30, %for.inc29 ]
  %1 = load i8, ptr %incdec.ptr30.sink, align 1
  %cmp = icmp ne i8 %1, 0
  %cmp2 = icmp slt i32 %count.0, 32
  %2 = select i1 %cmp, i1 %cmp2, i1 false
  br i1 %2, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  call void @llvm.va_end.p0(ptr nonnull %arguments)
  %conv32 = zext i32 %room to i64
  %call33 = call i32 @tw_print(ptr noundef %start, i64 noundef %conv32, ptr noundef %format, ptr noundef nonnull %values)
  ret i32 %call33
for.body:
  %cmp5.not = icmp eq i8 %1, 37
  br i1 %cmp5.not, label %for.cond7, label %for.inc29
for.cond7:
  %at.0 = phi ptr [ %incdec.ptr13, %for.body8 ], [ %incdec.ptr30.sink, %for.body ]
  %storedv.sink.off0 = phi i1 [ %spec.select, %for.body8 ], [ false, %for.body ]
  %incdec.ptr13 = getelementptr inbounds nuw i8, ptr %at.0, i32 1
  %3 = load i8, ptr %incdec.ptr13, align 1
  switch i8 %3, label %for.body8 [ i8 115, label %if.then17 i8 100, label %if.else i8 117, label %if.else i8 120, label %if.else ]
for.body8:
  %cmp11 = icmp eq i8 %3, 108
  %spec.select = or i1 %storedv.sink.off0, %cmp11
  br label %for.cond7
if.then17:
  %argp.cur = load ptr, ptr %arguments, align 4
  %argp.next = getelementptr inbounds nuw i8, ptr %argp.cur, i32 4
  store ptr %argp.next, ptr %arguments, align 4
  %4 = load ptr, ptr %argp.cur, align 4
  %5 = ptrtoint ptr %4 to i32
  %conv18 = sext i32 %5 to i64
  br label %if.end28
if.else:
  %argp.cur21 = load ptr, ptr %arguments, align 4
  br i1 %storedv.sink.off0, label %cond.true, label %cond.false
cond.true:
  %6 = getelementptr inbounds nuw i8, ptr %argp.cur21, i32 7
  %argp.cur21.aligned = call align 8 ptr @llvm.ptrmask.p0.i32(ptr nonnull %6, i32 -8)
  %argp.next22 = getelementptr inbounds nuw i8, ptr %argp.cur21.aligned, i32 8
  store ptr %argp.next22, ptr %arguments, align 4
  %7 = load i64, ptr %argp.cur21.aligned, align 8
  br label %if.end28
cond.false:
  %argp.next24 = getelementptr inbounds nuw i8, ptr %argp.cur21, i32 4
  store ptr %argp.next24, ptr %arguments, align 4
  %8 = load i32, ptr %argp.cur21, align 4
  %conv25 = sext i32 %8 to i64
  br label %if.end28
if.end28:
  %cond.sink = phi i64 [ %conv18, %if.then17 ], [ %7, %cond.true ], [ %conv25, %cond.false ]
  %inc26 = add nsw i32 %count.0, 1
  %arrayidx27 = getelementptr inbounds i64, ptr %values, i32 %count.0
  store i64 %cond.sink, ptr %arrayidx27, align 8
  br label %for.inc29
for.inc29:
  %at.1 = phi ptr [ %incdec.ptr30.sink, %for.body ], [ %incdec.ptr13, %if.end28 ]
  %count.1 = phi i32 [ %count.0, %for.body ], [ %inc26, %if.end28 ]
  %incdec.ptr30 = getelementptr inbounds nuw i8, ptr %at.1, i32 1
  br label %for.cond
}
define hidden ptr @aligned_alloc(i32 noundef %alignment, i32 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp ugt i32 %alignment, 64
  %cmp1 = icmp ugt i32 %bytes, -129
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end
if.end:
  %sub = add nuw i32 %bytes, 127
  %and = and i32 %sub, -64
  br label %while.cond
while.cond:
  %next.sink = phi ptr [ %next, %while.body ], [ @free_chunks, %if.end ]
  %1 = load ptr, ptr %next.sink, align 4
  %cmp2.not = icmp eq ptr %1, null
  br i1 %cmp2.not, label %if.then6, label %land.rhs
land.rhs:
  %2 = load i32, ptr %1, align 4
  %cmp4 = icmp ult i32 %2, %and
  br i1 %cmp4, label %while.body, label %if.else
while.body:
  %next = getelementptr inbounds nuw i8, ptr %1, i32 4
  br label %while.cond
if.then6:
  %3 = load ptr, ptr @heap_end, align 4
  %cmp.i = icmp eq ptr %3, null
  br i1 %cmp.i, label %if.then.i, label %if.end.i
if.then.i:
  %and.i = and i32 sub (i32 0, i32 ptrtoint (ptr @__heap_base to i32)), 63
  %add.ptr.i = getelementptr inbounds nuw i8, ptr @__heap_base, i32 %and.i
  store ptr %add.ptr.i, ptr @heap_end, align 4
  br label %if.end.i
if.end.i:
  %4 = phi ptr [ %add.ptr.i, %if.then.i ], [ %3, %if.then6 ]
  %5 = ptrtoint ptr %4 to i32
  %add.i = add i32 %and, %5
  %6 = tail call i32 @llvm.wasm.memory.size.i32(i32 0)
  %div22.i = lshr i32 %add.i, 16
  %rem.i = and i32 %add.i, 65535
  %cmp1.i = icmp ne i32 %rem.i, 0
  %conv.i = zext i1 %cmp1.i to i32
  %add2.i = add nuw nsw i32 %div22.i, %conv.i
  %cmp3.i = icmp ult i32 %add.i, %and
  br i1 %cmp3.i, label %if.end19, label %lor.lhs.false.i
lor.lhs.false.i:
  %cmp5.i = icmp ugt i32 %add2.i, %6
  br i1 %cmp5.i, label %land.lhs.true.i, label %if.end10.i
land.lhs.true.i:
  %sub.i = sub nuw nsw i32 %add2.i, %6
  %7 = tail call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %sub.i)
  %cmp7.i = icmp eq i32 %7, -1
  br i1 %cmp7.i, label %if.end19, label %if.end10.i
if.end10.i:
  store i32 %and, ptr %4, align 4
  %8 = inttoptr i32 %add.i to ptr
  store ptr %8, ptr @heap_end, align 4
  br label %if.end19
if.else:
  %cmp8 = icmp eq i32 %2, %and
  br i1 %cmp8, label %if.then9, label %if.else11
if.then9:
  %next10 = getelementptr inbounds nuw i8, ptr %1, i32 4
  %9 = load ptr, ptr %next10, align 4
  store ptr %9, ptr %next.sink, align 4
  br label %if.end19
if.else11:
  %add.ptr = getelementptr inbounds nuw i8, ptr %1, i32 %and
  %sub13 = sub i32 %2, %and
  store i32 %sub13, ptr %add.ptr, align 4
  %next15 = getelementptr inbounds nuw i8, ptr %1, i32 4
  %10 = load ptr, ptr %next15, align 4
  %next16 = getelementptr inbounds nuw i8, ptr %add.ptr, i32 4
  store ptr %10, ptr %next16, align 4
  store ptr %add.ptr, ptr %next.sink, align 4
  store i32 %and, ptr %1, align 4
  br label %if.end19
if.end19:
  %found.0 = phi ptr [ %1, %if.else11 ], [ %1, %if.then9 ], [ %4, %if.end10.i ], [ null, %land.lhs.true.i ], [ null, %if.end.i ]
  %cmp20 = icmp eq ptr %found.0, null
  %add.ptr21 = getelementptr inbounds nuw i8, ptr %found.0, i32 64
  %cond = select i1 %cmp20, ptr null, ptr %add.ptr21
  br label %return
return:
  %retval.0 = phi ptr [ %cond, %if.end19 ], [ null, %0 ]
  ret ptr %retval.0
}
define hidden void @free(ptr noundef %memory) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp eq ptr %memory, null
  br i1 %cmp, label %return, label %if.end
if.end:
  %add.ptr = getelementptr inbounds i8, ptr %memory, i32 -64
  br label %for.cond
for.cond:
  %before.0 = phi ptr [ null, %if.end ], [ %.sink, %for.cond ]
  %.sink.in = phi ptr [ @free_chunks, %if.end ], [ %next3, %for.cond ]
  %.sink = load ptr, ptr %.sink.in, align 4
  %cmp1 = icmp ne ptr %.sink, null
  %cmp2 = icmp ult ptr %.sink, %add.ptr
  %1 = select i1 %cmp1, i1 %cmp2, i1 false
  %next3 = getelementptr inbounds nuw i8, ptr %.sink, i32 4
  br i1 %1, label %for.cond, label %for.end
for.end:
  %next4 = getelementptr inbounds i8, ptr %memory, i32 -60
  store ptr %.sink, ptr %next4, align 4
  tail call fastcc void @join(ptr noundef %add.ptr)
  %cmp5 = icmp eq ptr %before.0, null
  br i1 %cmp5, label %if.then6, label %if.else
if.then6:
  store ptr %add.ptr, ptr @free_chunks, align 4
  br label %return
if.else:
  %next7 = getelementptr inbounds nuw i8, ptr %before.0, i32 4
  store ptr %add.ptr, ptr %next7, align 4
  tail call fastcc void @join(ptr noundef %before.0)
  br label %return
return:
  ret void
}
define internal fastcc void @join(ptr noundef nonnull captures(address) %chunk) unnamed_addr minsize nounwind optsize "no-builtins" {
  %next1 = getelementptr inbounds nuw i8, ptr %chunk, i32 4
  %1 = load ptr, ptr %next1, align 4
  %cmp = icmp eq ptr %1, null
  br i1 %cmp, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %2 = load i32, ptr %chunk, align 4
  %add.ptr = getelementptr inbounds nuw i8, ptr %chunk, i32 %2
  %cmp2.not = icmp eq ptr %add.ptr, %1
  br i1 %cmp2.not, label %if.end, label %cleanup
if.end:
  %3 = load i32, ptr %1, align 4
  %add = add i32 %3, %2
  store i32 %add, ptr %chunk, align 4
  %next5 = getelementptr inbounds nuw i8, ptr %1, i32 4
  %4 = load ptr, ptr %next5, align 4
  store ptr %4, ptr %next1, align 4
  br label %cleanup
cleanup:
  ret void
}
define hidden noundef ptr @memcpy(ptr noalias noundef returned writeonly captures(ret: address, provenance) %to, ptr noalias noundef readonly captures(none) %from, i32 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  tail call void @llvm.memcpy.p0.p0.i32(ptr align 1 %to, ptr align 1 %from, i32 %bytes, i1 false)
  ret ptr %to
}
define hidden i128 @__multi3(i128 noundef %a, i128 noundef %b) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %conv = trunc i128 %a to i64
  %conv1 = trunc i128 %b to i64
  %and = and i64 %conv, 4294967295
  %and2 = and i64 %conv1, 4294967295
  %mul = mul nuw i64 %and2, %and
  %shr = lshr i64 %conv, 32
  %mul4 = mul nuw i64 %and2, %shr
  %shr5 = lshr i64 %mul, 32
  %add = add nuw i64 %shr5, %mul4
  %shr7 = lshr i64 %conv1, 32
  %mul8 = mul nuw i64 %shr7, %and
  %and9 = and i64 %add, 4294967295
  %add10 = add nuw i64 %and9, %mul8
  %mul13 = mul nuw i64 %shr7, %shr
  %shr14 = lshr i64 %add, 32
  %shr16 = lshr i64 %add10, 32
  %shr18 = lshr i128 %a, 64
  %conv19 = trunc nuw i128 %shr18 to i64
  %mul20 = mul i64 %conv19, %conv1
  %shr21 = lshr i128 %b, 64
  %conv22 = trunc nuw i128 %shr21 to i64
  %mul23 = mul i64 %conv22, %conv
  %add15 = add i64 %mul23, %mul20
  %add17 = add i64 %add15, %mul13
  %add24 = add i64 %add17, %shr14
  %add25 = add i64 %add24, %shr16
  %conv26 = zext i64 %add25 to i128
  %shl = shl nuw i128 %conv26, 64
  %and27 = and i64 %mul, 4294967295
  %conv28 = zext nneg i64 %and27 to i128
  %or = or disjoint i128 %shl, %conv28
  %shl29 = shl i64 %add10, 32
  %conv30 = zext i64 %shl29 to i128
  %or31 = or disjoint i128 %or, %conv30
  ret i128 %or31
}
define hidden void @TVMFFIErrorSetRaisedFromCStr(ptr noundef readonly captures(none) %kind, ptr noundef readnone captures(none) %message) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %add, %for.body ], [ 0, %0 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %kind, i32 %inc.sink
  %1 = load i8, ptr %arrayidx, align 1
  %cmp = icmp ne i8 %1, 0
  %add = add i32 %inc.sink, 1
  %cmp2 = icmp ult i32 %add, 32
  %2 = and i1 %cmp, %cmp2
  %arrayidx5 = getelementptr inbounds nuw i8, ptr @tw_error_kind, i32 %inc.sink
  br i1 %2, label %for.body, label %for.end
for.body:
  store i8 %1, ptr %arrayidx5, align 1
  br label %for.cond
for.end:
  store i8 0, ptr %arrayidx5, align 1
  ret void
}
define hidden ptr @tw_allocate_memory(i32 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call ptr @aligned_alloc(i32 noundef 64, i32 noundef %bytes)
  ret ptr %call
}
define hidden void @tw_free_memory(ptr noundef %memory) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  tail call void @free(ptr noundef %memory)
  ret void
}
define hidden noundef i32 @__tw_load_weights() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  store ptr @tw_weights_data, ptr @__tw_weights, align 4
  ret i32 0
}
define hidden void @tw_unload_weights() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  store ptr null, ptr @__tw_weights, align 4
  ret void
}
declare void @llvm.va_start.p0(ptr)
declare ptr @llvm.ptrmask.p0.i32(ptr, i32)
declare void @llvm.va_end.p0(ptr)
declare hidden i32 @tw_print(ptr noundef, i64 noundef, ptr noundef, ptr noundef) local_unnamed_addr
declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i32, i1 immarg)
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
