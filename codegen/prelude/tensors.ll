; Generated from runtime/native/tensors.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.anon = type { [20 x i8], [8 x i8], i32 }
@.str = private unnamed_addr constant [4 x i8] c"%s[\00", align 1
@.str.1 = private unnamed_addr constant [7 x i8] c"%s%lld\00", align 1
@.str.2 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.3 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.4 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@DTYPES = internal constant [30 x %struct.anon] [%struct.anon { [20 x i8] c"int8\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I8\00\00\00\00\00\00", i32 2048 }, %struct.anon { [20 x i8] c"int16\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I16\00\00\00\00\00", i32 4096 }, %struct.anon { [20 x i8] c"int32\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I32\00\00\00\00\00", i32 8192 }, %struct.anon { [20 x i8] c"int64\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I64\00\00\00\00\00", i32 16384 }, %struct.anon { [20 x i8] c"uint8\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U8\00\00\00\00\00\00", i32 2049 }, %struct.anon { [20 x i8] c"uint16\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U16\00\00\00\00\00", i32 4097 }, %struct.anon { [20 x i8] c"uint32\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U32\00\00\00\00\00", i32 8193 }, %struct.anon { [20 x i8] c"uint64\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U64\00\00\00\00\00", i32 16385 }, %struct.anon { [20 x i8] c"float16\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"F16\00\00\00\00\00", i32 4098 }, %struct.anon { [20 x i8] c"float32\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"F32\00\00\00\00\00", i32 8194 }, %struct.anon { [20 x i8] c"float64\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"F64\00\00\00\00\00", i32 16386 }, %struct.anon { [20 x i8] c"bfloat16\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"BF16\00\00\00\00", i32 4100 }, %struct.anon { [20 x i8] c"complex64\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 16389 }, %struct.anon { [20 x i8] c"complex128\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 32773 }, %struct.anon { [20 x i8] c"bool\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"BOOL\00\00\00\00", i32 2054 }, %struct.anon { [20 x i8] c"float8_e3m4\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2055 }, %struct.anon { [20 x i8] c"float8_e4m3\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2056 }, %struct.anon { [20 x i8] c"float8_e4m3b11fnuz\00\00", [8 x i8] zeroinitializer, i32 2057 }, %struct.anon { [20 x i8] c"float8_e4m3fn\00\00\00\00\00\00\00", [8 x i8] c"F8_E4M3\00", i32 2058 }, %struct.anon { [20 x i8] c"float8_e4m3fnuz\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2059 }, %struct.anon { [20 x i8] c"float8_e5m2\00\00\00\00\00\00\00\00\00", [8 x i8] c"F8_E5M2\00", i32 2060 }, %struct.anon { [20 x i8] c"float8_e5m2fnuz\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2061 }, %struct.anon { [20 x i8] c"float8_e8m0fnu\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2062 }, %struct.anon { [20 x i8] c"float6_e2m3fn\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1551 }, %struct.anon { [20 x i8] c"float6_e3m2fn\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1552 }, %struct.anon { [20 x i8] c"float4_e2m1fn\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1041 }, %struct.anon { [20 x i8] c"int2\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 512 }, %struct.anon { [20 x i8] c"int4\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1024 }, %struct.anon { [20 x i8] c"uint2\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 513 }, %struct.anon { [20 x i8] c"uint4\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1025 }], align 4
@.str.5 = private unnamed_addr constant [13 x i8] c"another type\00", align 1
define hidden i64 @tw_tensor_bytes(i32 noundef signext %dtype, i32 noundef signext %rank, ptr noundef readonly captures(none) %shape) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %shr = lshr i32 %dtype, 8
  %and = and i32 %shr, 255
  %add = add nuw nsw i32 %and, 7
  %div6 = lshr i32 %add, 3
  %conv = zext nneg i32 %div6 to i64
  br label %for.cond
for.cond:
  %bytes.0 = phi i64 [ %conv, %0 ], [ %4, %for.inc ]
  %inc.sink = phi i32 [ 0, %0 ], [ %inc, %for.inc ]
  %cmp.not = icmp slt i32 %inc.sink, %rank
  br i1 %cmp.not, label %for.body, label %cleanup
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8
  %cmp2 = icmp slt i64 %1, 0
  br i1 %cmp2, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %2 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.0, i64 %1)
  %3 = extractvalue { i64, i1 } %2, 1
  br i1 %3, label %cleanup, label %for.inc
for.inc:
  %4 = extractvalue { i64, i1 } %2, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %spec.select = phi i64 [ %bytes.0, %for.cond ], [ -1, %for.body ], [ -1, %lor.lhs.false ]
  ret i64 %spec.select
}
define hidden zeroext i1 @tw_is_plain(ptr noundef readonly captures(none) %tensor) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %1 = load i32, ptr %rank, align 8
  br label %for.cond
for.cond:
  %step.0 = phi i64 [ 1, %0 ], [ %mul, %land.end ]
  %is_row_major.0 = phi i1 [ true, %0 ], [ %6, %land.end ]
  %dec.sink.in = phi i32 [ %1, %0 ], [ %dec.sink, %land.end ]
  %dec.sink = add nsw i32 %dec.sink.in, -1
  %cmp = icmp sgt i32 %dec.sink.in, 0
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  %2 = load ptr, ptr %strides, align 8
  %cmp1 = icmp eq ptr %2, null
  br i1 %cmp1, label %land.end, label %lor.end
lor.end:
  %idxprom = zext nneg i32 %dec.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom
  %3 = load i64, ptr %arrayidx, align 8
  %cmp3 = icmp ne i64 %3, %step.0
  %brmerge.not = select i1 %is_row_major.0, i1 %cmp3, i1 false
  br i1 %brmerge.not, label %lor.rhs5, label %land.end
lor.rhs5:
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %4 = load ptr, ptr %shape, align 8
  %arrayidx7 = getelementptr inbounds nuw i64, ptr %4, i64 %idxprom
  %5 = load i64, ptr %arrayidx7, align 8
  %cmp8 = icmp eq i64 %5, 1
  br label %land.end
land.end:
  %6 = phi i1 [ %is_row_major.0, %lor.end ], [ %cmp8, %lor.rhs5 ], [ %is_row_major.0, %for.body ]
  %shape11 = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %7 = load ptr, ptr %shape11, align 8
  %idxprom12 = zext nneg i32 %dec.sink to i64
  %arrayidx13 = getelementptr inbounds nuw i64, ptr %7, i64 %idxprom12
  %8 = load i64, ptr %arrayidx13, align 8
  %mul = mul i64 %8, %step.0
  br label %for.cond
for.end:
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %9 = load i32, ptr %device_type, align 8
  %cmp14 = icmp eq i32 %9, 1
  br i1 %cmp14, label %land.rhs15, label %land.end20
land.rhs15:
  %cmp18 = icmp eq i64 %step.0, 0
  %10 = select i1 %is_row_major.0, i1 true, i1 %cmp18
  br label %land.end20
land.end20:
  %11 = phi i1 [ false, %for.end ], [ %10, %land.rhs15 ]
  ret i1 %11
}
define hidden void @tw_write_type(ptr noundef %text, i64 noundef %room, i32 noundef signext %dtype, i64 noundef %rank, ptr noundef readonly captures(none) %shape) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %0 ]
  %cmp.i = icmp samesign ult i64 %inc.sink.i, 30
  br i1 %cmp.i, label %for.body.i, label %dtype_name.exit
for.body.i:
  %arrayidx.i = getelementptr inbounds nuw %struct.anon, ptr @DTYPES, i64 %inc.sink.i
  %dtype1.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 28
  %1 = load i32, ptr %dtype1.i, align 4
  %and.i = and i32 %dtype, 65535
  %cmp2.i = icmp eq i32 %1, %and.i
  %cmp3.i = icmp ult i32 %dtype, 131072
  %or.cond.i = and i1 %cmp3.i, %cmp2.i
  %inc.i = add nuw nsw i64 %inc.sink.i, 1
  br i1 %or.cond.i, label %dtype_name.exit, label %for.cond.i
dtype_name.exit:
  %2 = phi ptr [ %arrayidx.i, %for.body.i ], [ @.str.5, %for.cond.i ]
  %call1 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %text, i64 noundef %room, ptr noundef nonnull @.str, ptr noundef nonnull %2)
  %conv = sext i32 %call1 to i64
  br label %for.cond
for.cond:
  %length.0 = phi i64 [ %conv, %dtype_name.exit ], [ %add, %for.body ]
  %inc.sink = phi i64 [ 0, %dtype_name.exit ], [ %inc, %for.body ]
  %cmp = icmp slt i64 %inc.sink, %rank
  %cmp3 = icmp slt i64 %length.0, %room
  %3 = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %3, label %for.body, label %for.end
for.body:
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length.0
  %sub = sub nsw i64 %room, %length.0
  %cmp5 = icmp eq i64 %inc.sink, 0
  %cond = select i1 %cmp5, ptr @.str.2, ptr @.str.3
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %inc.sink
  %4 = load i64, ptr %arrayidx, align 8
  %call7 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.1, ptr noundef nonnull %cond, i64 noundef %4)
  %conv8 = sext i32 %call7 to i64
  %add = add nsw i64 %length.0, %conv8
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  br i1 %cmp3, label %if.then, label %if.end
if.then:
  %add.ptr11 = getelementptr inbounds i8, ptr %text, i64 %length.0
  %sub12 = sub nsw i64 %room, %length.0
  %call13 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %add.ptr11, i64 noundef %sub12, ptr noundef nonnull @.str.4)
  br label %if.end
if.end:
  ret void
}
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
