; Generated from runtime/native/web.c by `make prelude`; do not edit.
; ziglang 0.17.1
@free_chunks = internal unnamed_addr global ptr null, align 4
@tw_weights_data = external hidden constant [0 x i8], align 1
@__tw_weights = external local_unnamed_addr global ptr, align 4
@heap_end = internal unnamed_addr global ptr null, align 4
@__heap_base = external global i8, align 1

define hidden ptr @aligned_alloc(i32 noundef %alignment, i32 noundef %bytes) local_unnamed_addr #0 {
entry:
  %cmp = icmp ugt i32 %alignment, 64
  %cmp1 = icmp ugt i32 %bytes, -129
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %sub = add nuw i32 %bytes, 127
  %and = and i32 %sub, -64
  %0 = load ptr, ptr @free_chunks, align 4
  %cmp2.not26 = icmp eq ptr %0, null
  br i1 %cmp2.not26, label %if.then6, label %land.rhs.preheader

land.rhs.preheader:                               ; preds = %if.end
  %1 = load i32, ptr %0, align 4
  %cmp442 = icmp ult i32 %1, %and
  br i1 %cmp442, label %while.body, label %if.else

land.rhs:                                         ; preds = %while.body
  %2 = load i32, ptr %4, align 4
  %cmp4 = icmp ult i32 %2, %and
  br i1 %cmp4, label %while.body, label %if.else.loopexit

while.body:                                       ; preds = %land.rhs.preheader, %land.rhs
  %3 = phi ptr [ %4, %land.rhs ], [ %0, %land.rhs.preheader ]
  %next = getelementptr inbounds nuw i8, ptr %3, i32 4
  %4 = load ptr, ptr %next, align 4
  %cmp2.not = icmp eq ptr %4, null
  br i1 %cmp2.not, label %if.then6, label %land.rhs

if.then6:                                         ; preds = %while.body, %if.end
  %5 = load ptr, ptr @heap_end, align 4
  %cmp.i = icmp eq ptr %5, null
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %if.then6
  %and.i = and i32 sub (i32 0, i32 ptrtoint (ptr @__heap_base to i32)), 63
  %add.ptr.i = getelementptr inbounds nuw i8, ptr @__heap_base, i32 %and.i
  store ptr %add.ptr.i, ptr @heap_end, align 4
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i, %if.then6
  %6 = phi ptr [ %add.ptr.i, %if.then.i ], [ %5, %if.then6 ]
  %7 = ptrtoint ptr %6 to i32
  %add.i = add i32 %and, %7
  %8 = tail call i32 @llvm.wasm.memory.size.i32(i32 0)
  %div9.i = lshr i32 %add.i, 16
  %rem.i = and i32 %add.i, 65535
  %cmp1.i = icmp ne i32 %rem.i, 0
  %conv.i = zext i1 %cmp1.i to i32
  %add2.i = add nuw nsw i32 %div9.i, %conv.i
  %cmp3.i = icmp ult i32 %add.i, %and
  br i1 %cmp3.i, label %if.end19, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.end.i
  %cmp5.i = icmp ugt i32 %add2.i, %8
  br i1 %cmp5.i, label %land.lhs.true.i, label %if.end10.i

land.lhs.true.i:                                  ; preds = %lor.lhs.false.i
  %sub.i = sub nuw nsw i32 %add2.i, %8
  %9 = tail call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %sub.i)
  %cmp7.i = icmp eq i32 %9, -1
  br i1 %cmp7.i, label %if.end19, label %if.end10.i

if.end10.i:                                       ; preds = %land.lhs.true.i, %lor.lhs.false.i
  store i32 %and, ptr %6, align 4
  %10 = inttoptr i32 %add.i to ptr
  store ptr %10, ptr @heap_end, align 4
  br label %if.end19

if.else.loopexit:                                 ; preds = %land.rhs
  %next.le = getelementptr inbounds nuw i8, ptr %3, i32 4
  br label %if.else

if.else:                                          ; preds = %if.else.loopexit, %land.rhs.preheader
  %.lcssa40 = phi ptr [ %0, %land.rhs.preheader ], [ %4, %if.else.loopexit ]
  %at.027.lcssa = phi ptr [ @free_chunks, %land.rhs.preheader ], [ %next.le, %if.else.loopexit ]
  %.lcssa = phi i32 [ %1, %land.rhs.preheader ], [ %2, %if.else.loopexit ]
  %cmp8 = icmp eq i32 %.lcssa, %and
  br i1 %cmp8, label %if.then9, label %if.else11

if.then9:                                         ; preds = %if.else
  %next10 = getelementptr inbounds nuw i8, ptr %.lcssa40, i32 4
  %11 = load ptr, ptr %next10, align 4
  store ptr %11, ptr %at.027.lcssa, align 4
  br label %if.end19

if.else11:                                        ; preds = %if.else
  %add.ptr = getelementptr inbounds nuw i8, ptr %.lcssa40, i32 %and
  %sub13 = sub i32 %.lcssa, %and
  store i32 %sub13, ptr %add.ptr, align 4
  %next15 = getelementptr inbounds nuw i8, ptr %.lcssa40, i32 4
  %12 = load ptr, ptr %next15, align 4
  %next16 = getelementptr inbounds nuw i8, ptr %add.ptr, i32 4
  store ptr %12, ptr %next16, align 4
  store ptr %add.ptr, ptr %at.027.lcssa, align 4
  store i32 %and, ptr %.lcssa40, align 4
  br label %if.end19

if.end19:                                         ; preds = %if.end10.i, %land.lhs.true.i, %if.end.i, %if.then9, %if.else11
  %found.0 = phi ptr [ %.lcssa40, %if.else11 ], [ %.lcssa40, %if.then9 ], [ %6, %if.end10.i ], [ null, %land.lhs.true.i ], [ null, %if.end.i ]
  %cmp20 = icmp eq ptr %found.0, null
  %add.ptr21 = getelementptr inbounds nuw i8, ptr %found.0, i32 64
  %cond = select i1 %cmp20, ptr null, ptr %add.ptr21
  br label %return

return:                                           ; preds = %entry, %if.end19
  %retval.0 = phi ptr [ %cond, %if.end19 ], [ null, %entry ]
  ret ptr %retval.0
}

define hidden void @free(ptr noundef %memory) local_unnamed_addr #1 {
entry:
  %cmp = icmp eq ptr %memory, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %memory, i32 -64
  br label %for.cond

for.cond:                                         ; preds = %for.cond, %if.end
  %before.0 = phi ptr [ null, %if.end ], [ %next.0, %for.cond ]
  %next.0.in = phi ptr [ @free_chunks, %if.end ], [ %next3, %for.cond ]
  %next.0 = load ptr, ptr %next.0.in, align 4
  %cmp1 = icmp ne ptr %next.0, null
  %cmp2 = icmp ult ptr %next.0, %add.ptr
  %0 = select i1 %cmp1, i1 %cmp2, i1 false
  %next3 = getelementptr inbounds nuw i8, ptr %next.0, i32 4
  br i1 %0, label %for.cond, label %for.end

for.end:                                          ; preds = %for.cond
  %next4 = getelementptr inbounds i8, ptr %memory, i32 -60
  store ptr %next.0, ptr %next4, align 4
  %cmp.i = icmp eq ptr %next.0, null
  br i1 %cmp.i, label %join.exit, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %for.end
  %1 = load i32, ptr %add.ptr, align 4
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr, i32 %1
  %cmp2.not.i = icmp eq ptr %add.ptr.i, %next.0
  br i1 %cmp2.not.i, label %if.end.i, label %join.exit

if.end.i:                                         ; preds = %lor.lhs.false.i
  %2 = load i32, ptr %next.0, align 4
  %add.i = add i32 %2, %1
  store i32 %add.i, ptr %add.ptr, align 4
  %3 = load ptr, ptr %next3, align 4
  store ptr %3, ptr %next4, align 4
  br label %join.exit

join.exit:                                        ; preds = %for.end, %lor.lhs.false.i, %if.end.i
  %cmp5 = icmp eq ptr %before.0, null
  br i1 %cmp5, label %if.then6, label %lor.lhs.false.i14

if.then6:                                         ; preds = %join.exit
  store ptr %add.ptr, ptr @free_chunks, align 4
  br label %return

lor.lhs.false.i14:                                ; preds = %join.exit
  %next7 = getelementptr inbounds nuw i8, ptr %before.0, i32 4
  store ptr %add.ptr, ptr %next7, align 4
  %4 = load i32, ptr %before.0, align 4
  %add.ptr.i15 = getelementptr inbounds nuw i8, ptr %before.0, i32 %4
  %cmp2.not.i16 = icmp eq ptr %add.ptr.i15, %add.ptr
  br i1 %cmp2.not.i16, label %if.end.i17, label %return

if.end.i17:                                       ; preds = %lor.lhs.false.i14
  %5 = load i32, ptr %add.ptr, align 4
  %add.i18 = add i32 %5, %4
  store i32 %add.i18, ptr %before.0, align 4
  %6 = load ptr, ptr %next4, align 4
  store ptr %6, ptr %next7, align 4
  br label %return

return:                                           ; preds = %if.end.i17, %lor.lhs.false.i14, %if.then6, %entry
  ret void
}

define hidden noundef ptr @memcpy(ptr noalias noundef returned writeonly captures(ret: address, provenance) %to, ptr noalias noundef readonly captures(none) %from, i32 noundef %bytes) local_unnamed_addr #2 {
entry:
  tail call void @llvm.memcpy.p0.p0.i32(ptr align 1 %to, ptr align 1 %from, i32 %bytes, i1 false)
  ret ptr %to
}

declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i32, i1 immarg) #3

define hidden i128 @__multi3(i128 noundef %a, i128 noundef %b) local_unnamed_addr #4 {
entry:
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

define hidden ptr @tw_allocate_memory(i32 noundef %bytes) local_unnamed_addr #0 {
entry:
  %cmp1.i = icmp ugt i32 %bytes, -129
  br i1 %cmp1.i, label %aligned_alloc.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %sub.i = add nuw i32 %bytes, 127
  %and.i = and i32 %sub.i, -64
  %0 = load ptr, ptr @free_chunks, align 4
  %cmp2.not26.i = icmp eq ptr %0, null
  br i1 %cmp2.not26.i, label %if.then6.i, label %land.rhs.i.preheader

land.rhs.i.preheader:                             ; preds = %if.end.i
  %1 = load i32, ptr %0, align 4
  %cmp4.i5 = icmp ult i32 %1, %and.i
  br i1 %cmp4.i5, label %while.body.i, label %if.else.i

land.rhs.i:                                       ; preds = %while.body.i
  %2 = load i32, ptr %4, align 4
  %cmp4.i = icmp ult i32 %2, %and.i
  br i1 %cmp4.i, label %while.body.i, label %if.else.i.loopexit

while.body.i:                                     ; preds = %land.rhs.i.preheader, %land.rhs.i
  %3 = phi ptr [ %4, %land.rhs.i ], [ %0, %land.rhs.i.preheader ]
  %next.i = getelementptr inbounds nuw i8, ptr %3, i32 4
  %4 = load ptr, ptr %next.i, align 4
  %cmp2.not.i = icmp eq ptr %4, null
  br i1 %cmp2.not.i, label %if.then6.i, label %land.rhs.i

if.then6.i:                                       ; preds = %while.body.i, %if.end.i
  %5 = load ptr, ptr @heap_end, align 4
  %cmp.i.i = icmp eq ptr %5, null
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %if.then6.i
  %and.i.i = and i32 sub (i32 0, i32 ptrtoint (ptr @__heap_base to i32)), 63
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr @__heap_base, i32 %and.i.i
  store ptr %add.ptr.i.i, ptr @heap_end, align 4
  br label %if.end.i.i

if.end.i.i:                                       ; preds = %if.then.i.i, %if.then6.i
  %6 = phi ptr [ %add.ptr.i.i, %if.then.i.i ], [ %5, %if.then6.i ]
  %7 = ptrtoint ptr %6 to i32
  %add.i.i = add i32 %and.i, %7
  %8 = tail call i32 @llvm.wasm.memory.size.i32(i32 0)
  %div9.i.i = lshr i32 %add.i.i, 16
  %rem.i.i = and i32 %add.i.i, 65535
  %cmp1.i.i = icmp ne i32 %rem.i.i, 0
  %conv.i.i = zext i1 %cmp1.i.i to i32
  %add2.i.i = add nuw nsw i32 %div9.i.i, %conv.i.i
  %cmp3.i.i = icmp ult i32 %add.i.i, %and.i
  br i1 %cmp3.i.i, label %if.end19.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %if.end.i.i
  %cmp5.i.i = icmp ugt i32 %add2.i.i, %8
  br i1 %cmp5.i.i, label %land.lhs.true.i.i, label %if.end10.i.i

land.lhs.true.i.i:                                ; preds = %lor.lhs.false.i.i
  %sub.i.i = sub nuw nsw i32 %add2.i.i, %8
  %9 = tail call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %sub.i.i)
  %cmp7.i.i = icmp eq i32 %9, -1
  br i1 %cmp7.i.i, label %if.end19.i, label %if.end10.i.i

if.end10.i.i:                                     ; preds = %land.lhs.true.i.i, %lor.lhs.false.i.i
  store i32 %and.i, ptr %6, align 4
  %10 = inttoptr i32 %add.i.i to ptr
  store ptr %10, ptr @heap_end, align 4
  br label %if.end19.i

if.else.i.loopexit:                               ; preds = %land.rhs.i
  %next.i.le = getelementptr inbounds nuw i8, ptr %3, i32 4
  br label %if.else.i

if.else.i:                                        ; preds = %if.else.i.loopexit, %land.rhs.i.preheader
  %.lcssa3 = phi ptr [ %0, %land.rhs.i.preheader ], [ %4, %if.else.i.loopexit ]
  %at.027.i.lcssa = phi ptr [ @free_chunks, %land.rhs.i.preheader ], [ %next.i.le, %if.else.i.loopexit ]
  %.lcssa = phi i32 [ %1, %land.rhs.i.preheader ], [ %2, %if.else.i.loopexit ]
  %cmp8.i = icmp eq i32 %.lcssa, %and.i
  br i1 %cmp8.i, label %if.then9.i, label %if.else11.i

if.then9.i:                                       ; preds = %if.else.i
  %next10.i = getelementptr inbounds nuw i8, ptr %.lcssa3, i32 4
  %11 = load ptr, ptr %next10.i, align 4
  store ptr %11, ptr %at.027.i.lcssa, align 4
  br label %if.end19.i

if.else11.i:                                      ; preds = %if.else.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %.lcssa3, i32 %and.i
  %sub13.i = sub i32 %.lcssa, %and.i
  store i32 %sub13.i, ptr %add.ptr.i, align 4
  %next15.i = getelementptr inbounds nuw i8, ptr %.lcssa3, i32 4
  %12 = load ptr, ptr %next15.i, align 4
  %next16.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i32 4
  store ptr %12, ptr %next16.i, align 4
  store ptr %add.ptr.i, ptr %at.027.i.lcssa, align 4
  store i32 %and.i, ptr %.lcssa3, align 4
  br label %if.end19.i

if.end19.i:                                       ; preds = %if.else11.i, %if.then9.i, %if.end10.i.i, %land.lhs.true.i.i, %if.end.i.i
  %found.0.i = phi ptr [ %.lcssa3, %if.else11.i ], [ %.lcssa3, %if.then9.i ], [ %6, %if.end10.i.i ], [ null, %land.lhs.true.i.i ], [ null, %if.end.i.i ]
  %cmp20.i = icmp eq ptr %found.0.i, null
  %add.ptr21.i = getelementptr inbounds nuw i8, ptr %found.0.i, i32 64
  %cond.i = select i1 %cmp20.i, ptr null, ptr %add.ptr21.i
  br label %aligned_alloc.exit

aligned_alloc.exit:                               ; preds = %entry, %if.end19.i
  %retval.0.i = phi ptr [ %cond.i, %if.end19.i ], [ null, %entry ]
  ret ptr %retval.0.i
}

define hidden void @tw_free_memory(ptr noundef %memory) local_unnamed_addr #1 {
entry:
  %cmp.i = icmp eq ptr %memory, null
  br i1 %cmp.i, label %free.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %add.ptr.i = getelementptr inbounds i8, ptr %memory, i32 -64
  br label %for.cond.i

for.cond.i:                                       ; preds = %for.cond.i, %if.end.i
  %before.0.i = phi ptr [ null, %if.end.i ], [ %next.0.i, %for.cond.i ]
  %next.0.in.i = phi ptr [ @free_chunks, %if.end.i ], [ %next3.i, %for.cond.i ]
  %next.0.i = load ptr, ptr %next.0.in.i, align 4
  %cmp1.i = icmp ne ptr %next.0.i, null
  %cmp2.i = icmp ult ptr %next.0.i, %add.ptr.i
  %0 = select i1 %cmp1.i, i1 %cmp2.i, i1 false
  %next3.i = getelementptr inbounds nuw i8, ptr %next.0.i, i32 4
  br i1 %0, label %for.cond.i, label %for.end.i

for.end.i:                                        ; preds = %for.cond.i
  %next4.i = getelementptr inbounds i8, ptr %memory, i32 -60
  store ptr %next.0.i, ptr %next4.i, align 4
  %cmp.i.i = icmp eq ptr %next.0.i, null
  br i1 %cmp.i.i, label %join.exit.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.end.i
  %1 = load i32, ptr %add.ptr.i, align 4
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i32 %1
  %cmp2.not.i.i = icmp eq ptr %add.ptr.i.i, %next.0.i
  br i1 %cmp2.not.i.i, label %if.end.i.i, label %join.exit.i

if.end.i.i:                                       ; preds = %lor.lhs.false.i.i
  %2 = load i32, ptr %next.0.i, align 4
  %add.i.i = add i32 %2, %1
  store i32 %add.i.i, ptr %add.ptr.i, align 4
  %3 = load ptr, ptr %next3.i, align 4
  store ptr %3, ptr %next4.i, align 4
  br label %join.exit.i

join.exit.i:                                      ; preds = %if.end.i.i, %lor.lhs.false.i.i, %for.end.i
  %cmp5.i = icmp eq ptr %before.0.i, null
  br i1 %cmp5.i, label %if.then6.i, label %lor.lhs.false.i14.i

if.then6.i:                                       ; preds = %join.exit.i
  store ptr %add.ptr.i, ptr @free_chunks, align 4
  br label %free.exit

lor.lhs.false.i14.i:                              ; preds = %join.exit.i
  %next7.i = getelementptr inbounds nuw i8, ptr %before.0.i, i32 4
  store ptr %add.ptr.i, ptr %next7.i, align 4
  %4 = load i32, ptr %before.0.i, align 4
  %add.ptr.i15.i = getelementptr inbounds nuw i8, ptr %before.0.i, i32 %4
  %cmp2.not.i16.i = icmp eq ptr %add.ptr.i15.i, %add.ptr.i
  br i1 %cmp2.not.i16.i, label %if.end.i17.i, label %free.exit

if.end.i17.i:                                     ; preds = %lor.lhs.false.i14.i
  %5 = load i32, ptr %add.ptr.i, align 4
  %add.i18.i = add i32 %5, %4
  store i32 %add.i18.i, ptr %before.0.i, align 4
  %6 = load ptr, ptr %next4.i, align 4
  store ptr %6, ptr %next7.i, align 4
  br label %free.exit

free.exit:                                        ; preds = %entry, %if.then6.i, %lor.lhs.false.i14.i, %if.end.i17.i
  ret void
}

define hidden noundef i32 @__tw_load_weights() local_unnamed_addr #5 {
entry:
  store ptr @tw_weights_data, ptr @__tw_weights, align 4
  ret i32 0
}

define hidden void @tw_unload_weights() local_unnamed_addr #5 {
entry:
  store ptr null, ptr @__tw_weights, align 4
  ret void
}

declare i32 @llvm.wasm.memory.size.i32(i32) #6

declare i32 @llvm.wasm.memory.grow.i32(i32, i32) #7

attributes #0 = { nofree norecurse nosync nounwind "no-builtins" }
attributes #1 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "no-builtins" }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #5 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind willreturn memory(read) }
attributes #7 = { mustprogress nocallback nofree nosync nounwind willreturn }
