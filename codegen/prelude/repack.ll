; Generated from runtime/native/repack.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.sha256 = type { [8 x i32], [64 x i8], i64 }
%struct.anon = type { [20 x i8], [8 x i8], i32 }
%struct.tw_params_param = type { i64, i64, i64, i64, i64, i64, i64 }
%struct.replacement = type { ptr, ptr, ptr, ptr }
%struct.constant = type { i64, i64, i64, i64, i64 }
%struct.node = type { i64, i64, i64, i64, i64, i64, i64, i64 }
%struct.array = type { ptr, ptr, i8 }
%struct.step = type { ptr, ptr, [2 x ptr], ptr, ptr, ptr, i64 }
%struct.axis = type { i64, [2 x i64] }

@.str = private unnamed_addr constant [143 x i8] c"%s does not contain the values of parameter %s\0A    got: %s\0A    hint: take them from the model, or save them with save_params before the export\00", align 1
@.str.1 = private unnamed_addr constant [118 x i8] c"%s: parameter %s has another shape or dtype\0A    expected: %s\0A    got: %s\0A    hint: pass it in the layout of the model\00", align 1
@.str.2 = private unnamed_addr constant [118 x i8] c"%s: parameter %s is not row by row in CPU memory\0A    expected: a row-major tensor\0A    got: another device, or strides\00", align 1
@__const.check_value.sha = private unnamed_addr constant %struct.sha256 { [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], [64 x i8] zeroinitializer, i64 0 }, align 8
@.str.3 = private unnamed_addr constant [4 x i8] c"%s[\00", align 1
@.str.4 = private unnamed_addr constant [7 x i8] c"%s%lld\00", align 1
@.str.5 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.6 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.7 = private unnamed_addr constant [2 x i8] c"]\00", align 1
@DTYPES = internal constant [30 x %struct.anon] [%struct.anon { [20 x i8] c"int8\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I8\00\00\00\00\00\00", i32 2048 }, %struct.anon { [20 x i8] c"int16\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I16\00\00\00\00\00", i32 4096 }, %struct.anon { [20 x i8] c"int32\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I32\00\00\00\00\00", i32 8192 }, %struct.anon { [20 x i8] c"int64\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"I64\00\00\00\00\00", i32 16384 }, %struct.anon { [20 x i8] c"uint8\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U8\00\00\00\00\00\00", i32 2049 }, %struct.anon { [20 x i8] c"uint16\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U16\00\00\00\00\00", i32 4097 }, %struct.anon { [20 x i8] c"uint32\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U32\00\00\00\00\00", i32 8193 }, %struct.anon { [20 x i8] c"uint64\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"U64\00\00\00\00\00", i32 16385 }, %struct.anon { [20 x i8] c"float16\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"F16\00\00\00\00\00", i32 4098 }, %struct.anon { [20 x i8] c"float32\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"F32\00\00\00\00\00", i32 8194 }, %struct.anon { [20 x i8] c"float64\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"F64\00\00\00\00\00", i32 16386 }, %struct.anon { [20 x i8] c"bfloat16\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"BF16\00\00\00\00", i32 4100 }, %struct.anon { [20 x i8] c"complex64\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 16389 }, %struct.anon { [20 x i8] c"complex128\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 32773 }, %struct.anon { [20 x i8] c"bool\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] c"BOOL\00\00\00\00", i32 2054 }, %struct.anon { [20 x i8] c"float8_e3m4\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2055 }, %struct.anon { [20 x i8] c"float8_e4m3\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2056 }, %struct.anon { [20 x i8] c"float8_e4m3b11fnuz\00\00", [8 x i8] zeroinitializer, i32 2057 }, %struct.anon { [20 x i8] c"float8_e4m3fn\00\00\00\00\00\00\00", [8 x i8] c"F8_E4M3\00", i32 2058 }, %struct.anon { [20 x i8] c"float8_e4m3fnuz\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2059 }, %struct.anon { [20 x i8] c"float8_e5m2\00\00\00\00\00\00\00\00\00", [8 x i8] c"F8_E5M2\00", i32 2060 }, %struct.anon { [20 x i8] c"float8_e5m2fnuz\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2061 }, %struct.anon { [20 x i8] c"float8_e8m0fnu\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 2062 }, %struct.anon { [20 x i8] c"float6_e2m3fn\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1551 }, %struct.anon { [20 x i8] c"float6_e3m2fn\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1552 }, %struct.anon { [20 x i8] c"float4_e2m1fn\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1041 }, %struct.anon { [20 x i8] c"int2\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 512 }, %struct.anon { [20 x i8] c"int4\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1024 }, %struct.anon { [20 x i8] c"uint2\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 513 }, %struct.anon { [20 x i8] c"uint4\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [8 x i8] zeroinitializer, i32 1025 }], align 4
@.str.8 = private unnamed_addr constant [13 x i8] c"another type\00", align 1
@ROUND_KEYS = internal unnamed_addr constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 4
@.str.9 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1
@.str.10 = private unnamed_addr constant [96 x i8] c"%s: parameter %s cannot be replaced\0A    got: %s\0A    hint: compile the model with the new values\00", align 1
@.str.11 = private unnamed_addr constant [37 x i8] c"%s: no memory is left for parameters\00", align 1
@.str.12 = private unnamed_addr constant [112 x i8] c"%s: a parameter is combined with others, which are not given\0A    expected: %s\0A    got: %s\0A    hint: pass %s too\00", align 1
@.str.13 = private unnamed_addr constant [5 x i8] c"%s%s\00", align 1
@.str.14 = private unnamed_addr constant [10 x i8] c"%s%lld %s\00", align 1
@.str.15 = private unnamed_addr constant [7 x i8] c", and \00", align 1
@.str.16 = private unnamed_addr constant [11 x i8] c"parameters\00", align 1
@.str.17 = private unnamed_addr constant [5 x i8] c"more\00", align 1
@COMPUTE = internal unnamed_addr constant [13 x ptr] [ptr null, ptr null, ptr @compute_walk, ptr @compute_scatter, ptr @compute_convert, ptr @compute_lookup, ptr @compute_windows, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk], align 8
@.str.18 = private unnamed_addr constant [50 x i8] c"a constant that is computed from it is not finite\00", align 1
@ARITHMETIC = internal unnamed_addr constant [13 x ptr] [ptr null, ptr null, ptr null, ptr null, ptr null, ptr null, ptr null, ptr @sum_of, ptr @difference_of, ptr @product_of, ptr @quotient_of, ptr @negative_of, ptr @root_of], align 8
@.str.19 = private unnamed_addr constant [44 x i8] c"%s has no parameter '%s'\0A    expected: %s%s\00", align 1
@.str.20 = private unnamed_addr constant [26 x i8] c"a model with initializers\00", align 1
@.str.21 = private unnamed_addr constant [22 x i8] c"a parameter, such as \00", align 1

define ptr @__tw_find_param(ptr noundef readonly captures(ret: address, provenance) %table, i64 noundef %index) local_unnamed_addr #0 {
entry:
  %cmp = icmp sgt i64 %index, -1
  br i1 %cmp, label %land.lhs.true, label %cond.end

land.lhs.true:                                    ; preds = %entry
  %params1 = getelementptr inbounds nuw i8, ptr %table, i64 24
  %0 = load i64, ptr %params1, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %table, i64 %0
  %param_count = getelementptr inbounds nuw i8, ptr %table, i64 16
  %1 = load i64, ptr %param_count, align 8
  %cmp2 = icmp slt i64 %index, %1
  %arrayidx = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i, i64 %index
  %spec.select = select i1 %cmp2, ptr %arrayidx, ptr null
  br label %cond.end

cond.end:                                         ; preds = %land.lhs.true, %entry
  %cond = phi ptr [ null, %entry ], [ %spec.select, %land.lhs.true ]
  ret ptr %cond
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define range(i64 -1, 9223372036854775807) i64 @__tw_param_index(ptr noundef readonly %table, ptr noundef readonly %name) local_unnamed_addr #2 {
entry:
  %param_count = getelementptr inbounds nuw i8, ptr %table, i64 16
  %0 = load i64, ptr %param_count, align 8
  %cmp6 = icmp sgt i64 %0, 0
  br i1 %cmp6, label %for.body.lr.ph, label %cleanup

for.body.lr.ph:                                   ; preds = %entry
  %params1.i.i = getelementptr inbounds nuw i8, ptr %table, i64 24
  %1 = load i64, ptr %params1.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %table, i64 %1
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %at.07 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i.i.i, i64 %at.07
  %2 = load i64, ptr %arrayidx.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %table, i64 %2
  %call1 = tail call signext i32 @strcmp(ptr noundef %add.ptr.i.i, ptr noundef %name) #13
  %cmp2 = icmp eq i32 %call1, 0
  br i1 %cmp2, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %at.07, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %cleanup, label %for.body

cleanup:                                          ; preds = %for.body, %for.inc, %entry
  %3 = phi i64 [ -1, %entry ], [ -1, %for.inc ], [ %at.07, %for.body ]
  ret i64 %3
}

declare signext i32 @strcmp(ptr noundef, ptr noundef) local_unnamed_addr #3

define signext range(i32 0, 3) i32 @__tw_repack_params(ptr noundef %host, ptr noundef readonly captures(none) %names, ptr noundef readonly captures(none) %values, i32 noundef signext %count, ptr noundef %made) local_unnamed_addr #4 {
entry:
  %names.i.i = alloca [512 x i8], align 1
  %all.i.i = alloca [256 x i8], align 1
  %given50.i.i = alloca [256 x i8], align 1
  %missing.i.i = alloca [256 x i8], align 1
  %end.i.i.i = alloca [72 x i8], align 1
  %expected.i.i = alloca [256 x i8], align 1
  %got.i.i = alloca [256 x i8], align 1
  %digest.i.i = alloca [32 x i8], align 1
  %text.i.i = alloca [65 x i8], align 1
  %sha.i.i = alloca %struct.sha256, align 8
  %own = alloca %struct.replacement, align 8
  %0 = load ptr, ptr %host, align 8
  %param_count = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load i64, ptr %param_count, align 8
  %add = add i64 %1, 1
  call void @llvm.lifetime.start.p0(ptr nonnull %own) #14
  store ptr %host, ptr %own, align 8
  %given = getelementptr inbounds nuw i8, ptr %own, i64 8
  %call = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8) #15
  store ptr %call, ptr %given, align 8
  %found = getelementptr inbounds nuw i8, ptr %own, i64 16
  %call2 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8) #15
  store ptr %call2, ptr %found, align 8
  %made3 = getelementptr inbounds nuw i8, ptr %own, i64 24
  store ptr %made, ptr %made3, align 8
  %call4 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 1) #15
  %cmp = icmp ne ptr %call, null
  %cmp7 = icmp ne ptr %call2, null
  %or.cond = select i1 %cmp, i1 %cmp7, i1 false
  %cmp8 = icmp ne ptr %call4, null
  %spec.select = select i1 %or.cond, i1 %cmp8, i1 false
  br i1 %spec.select, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %cmp.not124.i = icmp sgt i32 %count, 0
  br i1 %cmp.not124.i, label %for.body.lr.ph.i, label %cond.end

for.body.lr.ph.i:                                 ; preds = %cond.true
  %bytes.i.i.i = getelementptr inbounds nuw i8, ptr %sha.i.i, i64 96
  %2 = getelementptr inbounds nuw i8, ptr %end.i.i.i, i64 1
  %arrayidx9.i.i.i = getelementptr inbounds nuw i8, ptr %text.i.i, i64 64
  %wide.trip.count.i = zext nneg i32 %count to i64
  %.pre = load ptr, ptr %host, align 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %3 = phi ptr [ %.pre, %for.body.lr.ph.i ], [ %60, %for.inc.i ]
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %names, i64 %indvars.iv.i
  %4 = load ptr, ptr %arrayidx.i, align 8
  %param_count.i.i = getelementptr inbounds nuw i8, ptr %3, i64 16
  %5 = load i64, ptr %param_count.i.i, align 8
  %cmp6.i.i = icmp sgt i64 %5, 0
  br i1 %cmp6.i.i, label %for.body.lr.ph.i.i, label %if.then.i

for.body.lr.ph.i.i:                               ; preds = %for.body.i
  %params1.i.i.i.i = getelementptr inbounds nuw i8, ptr %3, i64 24
  %6 = load i64, ptr %params1.i.i.i.i, align 8
  %add.ptr.i.i.i.i.i = getelementptr inbounds i8, ptr %3, i64 %6
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.inc.i.i, %for.body.lr.ph.i.i
  %at.07.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.inc.i.i ]
  %arrayidx.i.i.i.i = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i.i.i.i.i, i64 %at.07.i.i
  %7 = load i64, ptr %arrayidx.i.i.i.i, align 8
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %3, i64 %7
  %call1.i.i = call signext i32 @strcmp(ptr noundef readonly %add.ptr.i.i.i.i, ptr noundef readonly %4) #13
  %cmp2.i.i = icmp eq i32 %call1.i.i, 0
  br i1 %cmp2.i.i, label %__tw_find_param.exit.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %for.body.i.i
  %inc.i.i = add nuw nsw i64 %at.07.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %5
  br i1 %exitcond.not.i.i, label %if.then.i, label %for.body.i.i

if.then.i:                                        ; preds = %for.body.i, %for.inc.i.i
  call fastcc void @refuse_name(ptr noundef nonnull %host, ptr noundef %4) #16
  br label %if.end

__tw_find_param.exit.i:                           ; preds = %for.body.i.i
  %cmp2.i24.i = icmp slt i64 %at.07.i.i, %5
  %spec.select.i.i = select i1 %cmp2.i24.i, ptr %arrayidx.i.i.i.i, ptr null
  %arrayidx9.i = getelementptr inbounds nuw ptr, ptr %values, i64 %indvars.iv.i
  %8 = load ptr, ptr %arrayidx9.i, align 8
  %reason3.i.i = getelementptr inbounds nuw i8, ptr %spec.select.i.i, i64 8
  %9 = load i64, ptr %reason3.i.i, align 8
  %add.ptr.i36.i.i = getelementptr inbounds i8, ptr %3, i64 %9
  %shape6.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i.i, i64 48
  %10 = load i64, ptr %shape6.i.i, align 8
  %add.ptr.i37.i.i = getelementptr inbounds i8, ptr %3, i64 %10
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %8, i64 20
  %11 = load i32, ptr %dtype.i.i, align 4
  %and.i.i = and i32 %11, 65535
  %conv.i.i = zext nneg i32 %and.i.i to i64
  %dtype8.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i.i, i64 32
  %12 = load i64, ptr %dtype8.i.i, align 8
  %cmp.i26.i = icmp eq i64 %12, %conv.i.i
  %shr.mask.i.i = and i32 %11, -65536
  %cmp11.i.i = icmp eq i32 %shr.mask.i.i, 65536
  %or.cond.i.i = and i1 %cmp11.i.i, %cmp.i26.i
  br i1 %or.cond.i.i, label %land.rhs.i.i, label %entry.if.then_crit_edge.i.i

entry.if.then_crit_edge.i.i:                      ; preds = %__tw_find_param.exit.i
  %rank31.phi.trans.insert.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i.i, i64 40
  %.pre.i.i = load i64, ptr %rank31.phi.trans.insert.i.i, align 8
  %13 = trunc i64 %12 to i32
  br label %if.then.i.i

land.rhs.i.i:                                     ; preds = %__tw_find_param.exit.i
  %rank.i.i = getelementptr inbounds nuw i8, ptr %8, i64 16
  %14 = load i32, ptr %rank.i.i, align 8
  %conv13.i.i = sext i32 %14 to i64
  %rank14.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i.i, i64 40
  %15 = load i64, ptr %rank14.i.i, align 8
  %cmp15.i.i = icmp eq i64 %15, %conv13.i.i
  br i1 %cmp15.i.i, label %land.rhs18.lr.ph.i.i, label %if.then.i.i

land.rhs18.lr.ph.i.i:                             ; preds = %land.rhs.i.i
  %shape23.i.i = getelementptr inbounds nuw i8, ptr %8, i64 24
  %smax.i.i = call i64 @llvm.smax.i64(i64 %conv13.i.i, i64 0)
  br label %land.rhs18.i.i

land.rhs18.i.i:                                   ; preds = %for.body.i28.i, %land.rhs18.lr.ph.i.i
  %axis.061.i.i = phi i64 [ 0, %land.rhs18.lr.ph.i.i ], [ %inc.i30.i, %for.body.i28.i ]
  %exitcond.not.i27.i = icmp eq i64 %axis.061.i.i, %smax.i.i
  br i1 %exitcond.not.i27.i, label %if.end.i.i, label %for.body.i28.i

for.body.i28.i:                                   ; preds = %land.rhs18.i.i
  %16 = load ptr, ptr %shape23.i.i, align 8
  %arrayidx.i29.i = getelementptr inbounds nuw i64, ptr %16, i64 %axis.061.i.i
  %17 = load i64, ptr %arrayidx.i29.i, align 8
  %arrayidx24.i.i = getelementptr inbounds nuw i64, ptr %add.ptr.i37.i.i, i64 %axis.061.i.i
  %18 = load i64, ptr %arrayidx24.i.i, align 8
  %cmp25.i.i = icmp eq i64 %17, %18
  %inc.i30.i = add nuw nsw i64 %axis.061.i.i, 1
  br i1 %cmp25.i.i, label %land.rhs18.i.i, label %if.then.i.i

if.then.i.i:                                      ; preds = %land.rhs.i.i, %for.body.i28.i, %entry.if.then_crit_edge.i.i
  %conv30.i.i = phi i32 [ %13, %entry.if.then_crit_edge.i.i ], [ %and.i.i, %for.body.i28.i ], [ %and.i.i, %land.rhs.i.i ]
  %19 = phi i64 [ %.pre.i.i, %entry.if.then_crit_edge.i.i ], [ %conv13.i.i, %for.body.i28.i ], [ %15, %land.rhs.i.i ]
  %dtype.i.i268 = getelementptr inbounds nuw i8, ptr %8, i64 20
  call void @llvm.lifetime.start.p0(ptr nonnull %expected.i.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %got.i.i) #14
  call fastcc void @write_type(ptr noundef %expected.i.i, i32 noundef signext %conv30.i.i, i64 noundef %19, ptr noundef nonnull %add.ptr.i37.i.i) #16
  %20 = load i32, ptr %dtype.i.i268, align 4
  %rank34.i.i = getelementptr inbounds nuw i8, ptr %8, i64 16
  %21 = load i32, ptr %rank34.i.i, align 8
  %conv35.i.i = sext i32 %21 to i64
  %shape36.i.i = getelementptr inbounds nuw i8, ptr %8, i64 24
  %22 = load ptr, ptr %shape36.i.i, align 8
  call fastcc void @write_type(ptr noundef %got.i.i, i32 noundef signext %20, i64 noundef %conv35.i.i, ptr noundef %22) #16
  %message.i.i = getelementptr inbounds nuw i8, ptr %host, i64 24
  %23 = load ptr, ptr %message.i.i, align 8
  %module.i.i = getelementptr inbounds nuw i8, ptr %host, i64 8
  %24 = load ptr, ptr %module.i.i, align 8
  %call39.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %23, i64 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %24, ptr noundef nonnull %add.ptr.i.i.i.i, ptr noundef nonnull %expected.i.i, ptr noundef nonnull %got.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %got.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %expected.i.i) #14
  br label %if.end

if.end.i.i:                                       ; preds = %land.rhs18.i.i
  %strides.i.i.i = getelementptr inbounds nuw i8, ptr %8, i64 32
  %25 = load ptr, ptr %strides.i.i.i, align 8
  %cmp.i.i.i = icmp ne ptr %25, null
  %cmp116.i.i.i = icmp sgt i32 %14, 0
  %26 = and i1 %cmp116.i.i.i, %cmp.i.i.i
  br i1 %26, label %for.body.lr.ph.i.i.i, label %is_plain.exit.i.i

for.body.lr.ph.i.i.i:                             ; preds = %if.end.i.i
  %27 = load ptr, ptr %shape23.i.i, align 8
  %28 = zext nneg i32 %14 to i64
  br label %for.body.i.i.i

for.cond.cleanup.loopexit.i.i.i:                  ; preds = %land.end8.i.i.i
  %29 = select i1 %32, i1 true, i1 %33
  br label %is_plain.exit.i.i

for.body.i.i.i:                                   ; preds = %land.end8.i.i.i, %for.body.lr.ph.i.i.i
  %indvars.iv.i.i.i = phi i64 [ %28, %for.body.lr.ph.i.i.i ], [ %indvars.iv.next.i.i.i, %land.end8.i.i.i ]
  %step.019.i.i.i = phi i64 [ 1, %for.body.lr.ph.i.i.i ], [ %mul.i.i.i, %land.end8.i.i.i ]
  %is_empty.018.i.i.i = phi i1 [ false, %for.body.lr.ph.i.i.i ], [ %33, %land.end8.i.i.i ]
  %is_row_major.017.i.i.i = phi i1 [ true, %for.body.lr.ph.i.i.i ], [ %32, %land.end8.i.i.i ]
  %indvars.iv.next.i.i.i = add nsw i64 %indvars.iv.i.i.i, -1
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %27, i64 %indvars.iv.next.i.i.i
  %30 = load i64, ptr %arrayidx.i.i.i, align 8
  br i1 %is_row_major.017.i.i.i, label %land.rhs2.i.i.i, label %land.end8.i.i.i

land.rhs2.i.i.i:                                  ; preds = %for.body.i.i.i
  %cmp3.i.i.i = icmp slt i64 %30, 2
  br i1 %cmp3.i.i.i, label %land.end8.i.i.i, label %lor.rhs.i.i.i

lor.rhs.i.i.i:                                    ; preds = %land.rhs2.i.i.i
  %arrayidx6.i.i.i = getelementptr inbounds nuw i64, ptr %25, i64 %indvars.iv.next.i.i.i
  %31 = load i64, ptr %arrayidx6.i.i.i, align 8
  %cmp7.i.i.i = icmp eq i64 %31, %step.019.i.i.i
  br label %land.end8.i.i.i

land.end8.i.i.i:                                  ; preds = %lor.rhs.i.i.i, %land.rhs2.i.i.i, %for.body.i.i.i
  %32 = phi i1 [ %cmp7.i.i.i, %lor.rhs.i.i.i ], [ true, %land.rhs2.i.i.i ], [ false, %for.body.i.i.i ]
  %cmp14.i.i.i = icmp eq i64 %30, 0
  %33 = select i1 %is_empty.018.i.i.i, i1 true, i1 %cmp14.i.i.i
  %mul.i.i.i = mul nsw i64 %30, %step.019.i.i.i
  %cmp1.i.i.i = icmp samesign ugt i64 %indvars.iv.i.i.i, 1
  br i1 %cmp1.i.i.i, label %for.body.i.i.i, label %for.cond.cleanup.loopexit.i.i.i

is_plain.exit.i.i:                                ; preds = %for.cond.cleanup.loopexit.i.i.i, %if.end.i.i
  %is_row_major.0.lcssa.i.i.i = phi i1 [ true, %if.end.i.i ], [ %29, %for.cond.cleanup.loopexit.i.i.i ]
  %device_type.i.i.i = getelementptr inbounds nuw i8, ptr %8, i64 8
  %34 = load i32, ptr %device_type.i.i.i, align 8
  %cmp20.i.i.i = icmp eq i32 %34, 1
  %spec.select.i.i.i = select i1 %cmp20.i.i.i, i1 %is_row_major.0.lcssa.i.i.i, i1 false
  br i1 %spec.select.i.i.i, label %if.end45.i.i, label %if.then41.i.i

if.then41.i.i:                                    ; preds = %is_plain.exit.i.i
  %message42.i.i = getelementptr inbounds nuw i8, ptr %host, i64 24
  %35 = load ptr, ptr %message42.i.i, align 8
  %module43.i.i = getelementptr inbounds nuw i8, ptr %host, i64 8
  %36 = load ptr, ptr %module43.i.i, align 8
  %call44.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %35, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %36, ptr noundef %add.ptr.i.i.i.i) #15
  br label %if.end

if.end45.i.i:                                     ; preds = %is_plain.exit.i.i
  %37 = load i8, ptr %add.ptr.i36.i.i, align 1
  %cmp48.i.i = icmp eq i8 %37, 0
  br i1 %cmp48.i.i, label %if.end13.thread.i, label %if.end51.i.i

if.end13.thread.i:                                ; preds = %if.end45.i.i
  %arrayidx18195.i = getelementptr inbounds nuw i8, ptr %call4, i64 %at.07.i.i
  store i8 1, ptr %arrayidx18195.i, align 1
  br label %cond.true.i

if.end51.i.i:                                     ; preds = %if.end45.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %digest.i.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %sha.i.i) #14
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(104) %sha.i.i, ptr noundef nonnull align 8 dereferenceable(104) @__const.check_value.sha, i64 104, i1 false)
  %38 = load ptr, ptr %8, align 8
  %byte_offset.i.i.i = getelementptr inbounds nuw i8, ptr %8, i64 40
  %39 = load i64, ptr %byte_offset.i.i.i, align 8
  %add.ptr.i38.i.i = getelementptr inbounds nuw i8, ptr %38, i64 %39
  br i1 %cmp116.i.i.i, label %for.body.i40.i.i, label %elements_of.exit.i.i

for.body.i40.i.i:                                 ; preds = %if.end51.i.i, %for.body.i40.i.i
  %axis.07.i.i.i = phi i64 [ %inc.i.i.i, %for.body.i40.i.i ], [ 0, %if.end51.i.i ]
  %count.06.i.i.i = phi i64 [ %mul.i42.i.i, %for.body.i40.i.i ], [ 1, %if.end51.i.i ]
  %arrayidx.i41.i.i = getelementptr inbounds nuw i64, ptr %add.ptr.i37.i.i, i64 %axis.07.i.i.i
  %40 = load i64, ptr %arrayidx.i41.i.i, align 8
  %mul.i42.i.i = mul nsw i64 %40, %count.06.i.i.i
  %inc.i.i.i = add nuw nsw i64 %axis.07.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %inc.i.i.i, %conv13.i.i
  br i1 %exitcond.not.i.i.i, label %elements_of.exit.i.i, label %for.body.i40.i.i

elements_of.exit.i.i:                             ; preds = %for.body.i40.i.i, %if.end51.i.i
  %count.0.lcssa.i.i.i = phi i64 [ 1, %if.end51.i.i ], [ %mul.i42.i.i, %for.body.i40.i.i ]
  %shr.i.i.i = lshr i64 %conv.i.i, 8
  %add.i.i.i = add nuw nsw i64 %shr.i.i.i, 7
  %div1.i.i.i = lshr i64 %add.i.i.i, 3
  %mul.i.i = mul nsw i64 %count.0.lcssa.i.i.i, %div1.i.i.i
  call fastcc void @digest_bytes(ptr noundef %sha.i.i, ptr noundef %add.ptr.i38.i.i, i64 noundef %mul.i.i) #16
  %41 = load i64, ptr %bytes.i.i.i, align 8
  %mul.i43.i.i = shl i64 %41, 3
  call void @llvm.lifetime.start.p0(ptr nonnull %end.i.i.i) #14
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(71) %2, i8 0, i64 71, i1 false)
  store i8 -128, ptr %end.i.i.i, align 1
  %sub.i.i.i = sub i64 55, %41
  %rem2.i.i.i = and i64 %sub.i.i.i, 63
  %42 = getelementptr inbounds nuw i8, ptr %end.i.i.i, i64 %rem2.i.i.i
  %43 = getelementptr inbounds nuw i8, ptr %42, i64 1
  br label %for.body.i44.i.i

for.cond.cleanup.i.i.i:                           ; preds = %for.body.i44.i.i
  %add7.i.i.i = add nuw nsw i64 %rem2.i.i.i, 9
  call fastcc void @digest_bytes(ptr noundef nonnull %sha.i.i, ptr noundef nonnull %end.i.i.i, i64 noundef %add7.i.i.i) #16
  br label %for.body13.i.i.i

for.body.i44.i.i:                                 ; preds = %for.body.i44.i.i, %elements_of.exit.i.i
  %indvars.iv.i45.i.i = phi i64 [ 0, %elements_of.exit.i.i ], [ %indvars.iv.next.i48.i.i, %for.body.i44.i.i ]
  %44 = shl nuw nsw i64 %indvars.iv.i45.i.i, 3
  %45 = sub nuw nsw i64 56, %44
  %shr.i46.i.i = lshr i64 %mul.i43.i.i, %45
  %conv.i.i.i = trunc i64 %shr.i46.i.i to i8
  %arrayidx.i47.i.i = getelementptr inbounds nuw i8, ptr %43, i64 %indvars.iv.i45.i.i
  store i8 %conv.i.i.i, ptr %arrayidx.i47.i.i, align 1
  %indvars.iv.next.i48.i.i = add nuw nsw i64 %indvars.iv.i45.i.i, 1
  %exitcond.not.i49.i.i = icmp eq i64 %indvars.iv.next.i48.i.i, 8
  br i1 %exitcond.not.i49.i.i, label %for.cond.cleanup.i.i.i, label %for.body.i44.i.i

for.body13.i.i.i:                                 ; preds = %for.body13.i.i.i, %for.cond.cleanup.i.i.i
  %indvars.iv18.i.i.i = phi i64 [ 0, %for.cond.cleanup.i.i.i ], [ %indvars.iv.next19.i.i.i, %for.body13.i.i.i ]
  %div12.i.i.i = lshr i64 %indvars.iv18.i.i.i, 2
  %idxprom.i.i.i = and i64 %div12.i.i.i, 1073741823
  %arrayidx14.i.i.i = getelementptr inbounds nuw i32, ptr %sha.i.i, i64 %idxprom.i.i.i
  %46 = load i32, ptr %arrayidx14.i.i.i, align 4
  %indvars.iv18.tr.i.i.i = trunc i64 %indvars.iv18.i.i.i to i32
  %47 = shl i32 %indvars.iv18.tr.i.i.i, 3
  %rem15.not.i.i.i = and i32 %47, 24
  %sub17.i.i.i = xor i32 %rem15.not.i.i.i, 24
  %shr18.i.i.i = lshr i32 %46, %sub17.i.i.i
  %conv19.i.i.i = trunc i32 %shr18.i.i.i to i8
  %arrayidx21.i.i.i = getelementptr inbounds nuw i8, ptr %digest.i.i, i64 %indvars.iv18.i.i.i
  store i8 %conv19.i.i.i, ptr %arrayidx21.i.i.i, align 1
  %indvars.iv.next19.i.i.i = add nuw nsw i64 %indvars.iv18.i.i.i, 1
  %exitcond22.not.i.i.i = icmp eq i64 %indvars.iv.next19.i.i.i, 32
  br i1 %exitcond22.not.i.i.i, label %finish_digest.exit.i.i, label %for.body13.i.i.i

finish_digest.exit.i.i:                           ; preds = %for.body13.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %end.i.i.i) #14
  br label %for.body.i50.i.i

for.body.i50.i.i:                                 ; preds = %for.body.i50.i.i, %finish_digest.exit.i.i
  %byte.09.i.i.i = phi i64 [ 0, %finish_digest.exit.i.i ], [ %inc.i55.i.i, %for.body.i50.i.i ]
  %arrayidx.i51.i.i = getelementptr inbounds nuw i8, ptr %digest.i.i, i64 %byte.09.i.i.i
  %48 = load i8, ptr %arrayidx.i51.i.i, align 1
  %49 = lshr i8 %48, 4
  %idxprom.i52.i.i = zext nneg i8 %49 to i64
  %arrayidx1.i.i.i = getelementptr inbounds nuw i8, ptr @.str.9, i64 %idxprom.i52.i.i
  %50 = load i8, ptr %arrayidx1.i.i.i, align 1
  %mul.i53.i.i = shl nuw nsw i64 %byte.09.i.i.i, 1
  %arrayidx2.i.i.i = getelementptr inbounds nuw i8, ptr %text.i.i, i64 %mul.i53.i.i
  store i8 %50, ptr %arrayidx2.i.i.i, align 1
  %51 = and i8 %48, 15
  %idxprom5.i.i.i = zext nneg i8 %51 to i64
  %arrayidx6.i54.i.i = getelementptr inbounds nuw i8, ptr @.str.9, i64 %idxprom5.i.i.i
  %52 = load i8, ptr %arrayidx6.i54.i.i, align 1
  %arrayidx8.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i.i, i64 1
  store i8 %52, ptr %arrayidx8.i.i.i, align 1
  %inc.i55.i.i = add nuw nsw i64 %byte.09.i.i.i, 1
  %exitcond.not.i56.i.i = icmp eq i64 %inc.i55.i.i, 32
  br i1 %exitcond.not.i56.i.i, label %write_hex.exit.i.i, label %for.body.i50.i.i

write_hex.exit.i.i:                               ; preds = %for.body.i50.i.i
  store i8 0, ptr %arrayidx9.i.i.i, align 1
  %53 = load ptr, ptr %host, align 8
  %digest62.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i.i, i64 24
  %54 = load i64, ptr %digest62.i.i, align 8
  %add.ptr.i58.i.i = getelementptr inbounds i8, ptr %53, i64 %54
  %call65.i.i = call signext i32 @strcmp(ptr noundef nonnull %text.i.i, ptr noundef %add.ptr.i58.i.i) #13
  %cmp66.i.i = icmp eq i32 %call65.i.i, 0
  br i1 %cmp66.i.i, label %if.end13.i, label %check_value.exit.i

check_value.exit.i:                               ; preds = %write_hex.exit.i.i
  call fastcc void @refuse_param(ptr noundef nonnull readonly %host, ptr noundef nonnull %add.ptr.i.i.i.i, ptr noundef nonnull %add.ptr.i36.i.i) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %sha.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %digest.i.i) #14
  br label %if.end

if.end13.i:                                       ; preds = %write_hex.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %sha.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %digest.i.i) #14
  %.pre.i = load i64, ptr %reason3.i.i, align 8
  %add.ptr.i.phi.trans.insert.i = getelementptr inbounds i8, ptr %53, i64 %.pre.i
  %.pre190.i = load i8, ptr %add.ptr.i.phi.trans.insert.i, align 1
  %55 = icmp eq i8 %.pre190.i, 0
  %arrayidx18.i = getelementptr inbounds nuw i8, ptr %call4, i64 %at.07.i.i
  %storedv.i = zext i1 %55 to i8
  store i8 %storedv.i, ptr %arrayidx18.i, align 1
  br i1 %55, label %if.end13.i.cond.true.i_crit_edge, label %for.inc.i

if.end13.i.cond.true.i_crit_edge:                 ; preds = %if.end13.i
  %.pre200 = load ptr, ptr %arrayidx9.i, align 8
  br label %cond.true.i

cond.true.i:                                      ; preds = %if.end13.i.cond.true.i_crit_edge, %if.end13.thread.i
  %56 = phi ptr [ %.pre200, %if.end13.i.cond.true.i_crit_edge ], [ %8, %if.end13.thread.i ]
  %57 = phi ptr [ %53, %if.end13.i.cond.true.i_crit_edge ], [ %3, %if.end13.thread.i ]
  %58 = load ptr, ptr %56, align 8
  %byte_offset.i.i = getelementptr inbounds nuw i8, ptr %56, i64 40
  %59 = load i64, ptr %byte_offset.i.i, align 8
  %add.ptr.i32.i = getelementptr inbounds nuw i8, ptr %58, i64 %59
  br label %for.inc.i

for.inc.i:                                        ; preds = %cond.true.i, %if.end13.i
  %60 = phi ptr [ %57, %cond.true.i ], [ %53, %if.end13.i ]
  %cond.i = phi ptr [ %add.ptr.i32.i, %cond.true.i ], [ null, %if.end13.i ]
  %arrayidx24.i = getelementptr inbounds nuw ptr, ptr %call, i64 %at.07.i.i
  store ptr %cond.i, ptr %arrayidx24.i, align 8
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %cond.end, label %for.body.i

cond.false:                                       ; preds = %entry
  tail call fastcc void @no_memory(ptr noundef nonnull %host) #16
  br label %if.end

cond.end:                                         ; preds = %for.inc.i, %cond.true
  %cmp13.not = icmp eq ptr %made, null
  br i1 %cmp13.not, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end
  %weights = getelementptr inbounds nuw i8, ptr %host, i64 16
  %61 = load ptr, ptr %weights, align 8
  %62 = load ptr, ptr %host, align 8
  %weights_bytes = getelementptr inbounds nuw i8, ptr %62, i64 8
  %63 = load i64, ptr %weights_bytes, align 8
  %call15 = call ptr @memcpy(ptr noundef nonnull %made, ptr noundef %61, i64 noundef %63) #15
  %64 = load ptr, ptr %host, align 8
  %constants2.i = getelementptr inbounds nuw i8, ptr %64, i64 40
  %65 = load i64, ptr %constants2.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %64, i64 %65
  %constant_count.i = getelementptr inbounds nuw i8, ptr %64, i64 32
  %66 = load i64, ptr %constant_count.i, align 8
  %cmp.not69.i = icmp sgt i64 %66, 0
  br i1 %cmp.not69.i, label %for.body.i18, label %if.end

for.body.i18:                                     ; preds = %if.then, %for.inc23.i
  %67 = phi i64 [ %112, %for.inc23.i ], [ %66, %if.then ]
  %at.070.i = phi i64 [ %inc24.i, %for.inc23.i ], [ 0, %if.then ]
  %arrayidx.i19 = getelementptr inbounds nuw %struct.constant, ptr %add.ptr.i.i, i64 %at.070.i
  %params3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i19, i64 24
  %68 = load i64, ptr %params3.i, align 8
  %add.ptr.i20.i = getelementptr inbounds i8, ptr %64, i64 %68
  %param_count.i = getelementptr inbounds nuw i8, ptr %arrayidx.i19, i64 32
  %69 = load i64, ptr %param_count.i, align 8
  %cmp660.i = icmp sgt i64 %69, 0
  br i1 %cmp660.i, label %for.body8.i, label %for.inc23.i

for.cond.cleanup7.i:                              ; preds = %lor.end.i
  br i1 %loadedv11.i, label %for.body.i.preheader.i, label %for.inc23.i

for.body8.i:                                      ; preds = %for.body.i18, %for.body8.i.backedge
  %each.062.i = phi i64 [ %each.062.i.be, %for.body8.i.backedge ], [ 0, %for.body.i18 ]
  %is_changed.061.i = phi i1 [ %is_changed.061.i.be, %for.body8.i.backedge ], [ false, %for.body.i18 ]
  br i1 %is_changed.061.i, label %lor.end.thread.i, label %lor.end.i

lor.end.i:                                        ; preds = %for.body8.i
  %arrayidx9.i20 = getelementptr inbounds nuw i64, ptr %add.ptr.i20.i, i64 %each.062.i
  %70 = load i64, ptr %arrayidx9.i20, align 8
  %arrayidx10.i = getelementptr inbounds i8, ptr %call4, i64 %70
  %71 = load i8, ptr %arrayidx10.i, align 1
  %loadedv11.i = trunc i8 %71 to i1
  %inc.i = add nuw nsw i64 %each.062.i, 1
  %exitcond.not.i21 = icmp eq i64 %inc.i, %69
  br i1 %exitcond.not.i21, label %for.cond.cleanup7.i, label %for.body8.i.backedge

lor.end.thread.i:                                 ; preds = %for.body8.i
  %inc93.i = add nuw nsw i64 %each.062.i, 1
  %exitcond.not94.i = icmp eq i64 %inc93.i, %69
  br i1 %exitcond.not94.i, label %for.body.i.preheader.i, label %for.body8.i.backedge

for.body8.i.backedge:                             ; preds = %lor.end.thread.i, %lor.end.i
  %each.062.i.be = phi i64 [ %inc93.i, %lor.end.thread.i ], [ %inc.i, %lor.end.i ]
  %is_changed.061.i.be = phi i1 [ true, %lor.end.thread.i ], [ %loadedv11.i, %lor.end.i ]
  br label %for.body8.i

for.body.i.preheader.i:                           ; preds = %lor.end.thread.i, %for.cond.cleanup7.i
  %72 = load ptr, ptr %host, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %72, i64 %68
  br label %for.body.i.i22

for.cond23.preheader.i.i:                         ; preds = %for.inc.i.i23
  %73 = trunc nuw i8 %is_whole.2.ph.i.i to i1
  br i1 %73, label %land.rhs25.lr.ph.i.i, label %if.end49.i.i

land.rhs25.lr.ph.i.i:                             ; preds = %for.cond23.preheader.i.i
  %cmp27.i64.i = icmp sgt i64 %79, 0
  br i1 %cmp27.i64.i, label %for.body30.i.i, label %if.then.i27

for.body.i.i22:                                   ; preds = %for.inc.i.i23, %for.body.i.preheader.i
  %at.050.i.i = phi i64 [ %inc.i.i24, %for.inc.i.i23 ], [ 0, %for.body.i.preheader.i ]
  %is_whole.049.i.i = phi i8 [ %is_whole.2.ph.i.i, %for.inc.i.i23 ], [ 1, %for.body.i.preheader.i ]
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %add.ptr.i.i.i, i64 %at.050.i.i
  %74 = load i64, ptr %arrayidx.i.i, align 8
  %arrayidx3.i.i = getelementptr inbounds ptr, ptr %call, i64 %74
  %75 = load ptr, ptr %arrayidx3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %75, null
  br i1 %cmp4.not.i.i, label %if.end.i.i40, label %for.inc.i.i23

if.end.i.i40:                                     ; preds = %for.body.i.i22
  %arrayidx5.i.i = getelementptr inbounds ptr, ptr %call2, i64 %74
  %76 = load ptr, ptr %arrayidx5.i.i, align 8
  %cmp6.i.i41 = icmp eq ptr %76, null
  br i1 %cmp6.i.i41, label %if.end12.i.i, label %if.end15.i.i

if.end12.i.i:                                     ; preds = %if.end.i.i40
  %call11.i.i = call fastcc signext i32 @find_values(ptr noundef nonnull %host, i64 noundef %74, ptr noundef nonnull %arrayidx5.i.i) #16
  %cmp13.not.i.i = icmp eq i32 %call11.i.i, 0
  br i1 %cmp13.not.i.i, label %if.end15.i.i, label %land.rhs19.preheader

if.end15.i.i:                                     ; preds = %if.end12.i.i, %if.end.i.i40
  %loadedv.i.i = trunc nuw i8 %is_whole.049.i.i to i1
  br i1 %loadedv.i.i, label %land.rhs.i.i42, label %for.inc.i.i23

land.rhs.i.i42:                                   ; preds = %if.end15.i.i
  %77 = load ptr, ptr %arrayidx5.i.i, align 8
  %cmp18.i.i = icmp ne ptr %77, null
  %78 = zext i1 %cmp18.i.i to i8
  br label %for.inc.i.i23

for.inc.i.i23:                                    ; preds = %land.rhs.i.i42, %if.end15.i.i, %for.body.i.i22
  %is_whole.2.ph.i.i = phi i8 [ %78, %land.rhs.i.i42 ], [ 0, %if.end15.i.i ], [ %is_whole.049.i.i, %for.body.i.i22 ]
  %inc.i.i24 = add nuw nsw i64 %at.050.i.i, 1
  %79 = load i64, ptr %param_count.i, align 8
  %cmp.not.i.i = icmp slt i64 %inc.i.i24, %79
  br i1 %cmp.not.i.i, label %for.body.i.i22, label %for.cond23.preheader.i.i

for.body30.i.i:                                   ; preds = %land.rhs25.lr.ph.i.i, %for.inc43.i.i
  %80 = phi i64 [ %84, %for.inc43.i.i ], [ %79, %land.rhs25.lr.ph.i.i ]
  %at22.051.i65.i = phi i64 [ %inc44.i.i, %for.inc43.i.i ], [ 0, %land.rhs25.lr.ph.i.i ]
  %arrayidx32.i.i = getelementptr inbounds nuw i64, ptr %add.ptr.i.i.i, i64 %at22.051.i65.i
  %81 = load i64, ptr %arrayidx32.i.i, align 8
  %arrayidx33.i.i = getelementptr inbounds ptr, ptr %call, i64 %81
  %82 = load ptr, ptr %arrayidx33.i.i, align 8
  %cmp34.i.i = icmp eq ptr %82, null
  br i1 %cmp34.i.i, label %if.then35.i.i, label %for.inc43.i.i

if.then35.i.i:                                    ; preds = %for.body30.i.i
  %arrayidx38.i.i = getelementptr inbounds ptr, ptr %call2, i64 %81
  %83 = load ptr, ptr %arrayidx38.i.i, align 8
  store ptr %83, ptr %arrayidx33.i.i, align 8
  %.pre.i39 = load i64, ptr %param_count.i, align 8
  br label %for.inc43.i.i

for.inc43.i.i:                                    ; preds = %if.then35.i.i, %for.body30.i.i
  %84 = phi i64 [ %.pre.i39, %if.then35.i.i ], [ %80, %for.body30.i.i ]
  %inc44.i.i = add nuw nsw i64 %at22.051.i65.i, 1
  %cmp27.i.i = icmp slt i64 %inc44.i.i, %84
  br i1 %cmp27.i.i, label %for.body30.i.i, label %if.then.i27

if.end49.i.i:                                     ; preds = %for.cond23.preheader.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %all.i.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %given50.i.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %missing.i.i) #14
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i19, i32 noundef signext 0, ptr noundef %all.i.i, i64 noundef 256) #16
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i19, i32 noundef signext 1, ptr noundef %given50.i.i, i64 noundef 256) #16
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i19, i32 noundef signext 2, ptr noundef %missing.i.i, i64 noundef 256) #16
  %message.i.i25 = getelementptr inbounds nuw i8, ptr %host, i64 24
  %85 = load ptr, ptr %message.i.i25, align 8
  %module.i.i26 = getelementptr inbounds nuw i8, ptr %host, i64 8
  %86 = load ptr, ptr %module.i.i26, align 8
  %call58.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %85, i64 noundef 1024, ptr noundef nonnull @.str.12, ptr noundef %86, ptr noundef nonnull %all.i.i, ptr noundef nonnull %given50.i.i, ptr noundef nonnull %missing.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %missing.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %given50.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %all.i.i) #14
  br label %if.end

if.then.i27:                                      ; preds = %for.inc43.i.i, %land.rhs25.lr.ph.i.i
  %87 = load ptr, ptr %host, align 8
  %nodes2.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i19, i64 8
  %88 = load i64, ptr %nodes2.i.i, align 8
  %add.ptr.i.i21.i = getelementptr inbounds i8, ptr %87, i64 %88
  %node_count.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i19, i64 16
  %89 = load i64, ptr %node_count.i.i, align 8
  %call3.i.i = call noalias ptr @calloc(i64 noundef %89, i64 noundef 24) #15
  %90 = load i64, ptr %arrayidx.i19, align 8
  %add.ptr.i22.i = getelementptr inbounds i8, ptr %made, i64 %90
  %cmp.not.i23.i = icmp eq ptr %call3.i.i, null
  br i1 %cmp.not.i23.i, label %free_arrays.exit.thread.i.i, label %land.rhs.lr.ph.i.i

free_arrays.exit.thread.i.i:                      ; preds = %if.then.i27
  call void @free(ptr noundef null) #15
  br label %if.then79.i.i

land.rhs.lr.ph.i.i:                               ; preds = %if.then.i27
  %91 = load i64, ptr %node_count.i.i, align 8
  %cmp6.i2666.i = icmp sgt i64 %91, 0
  br i1 %cmp6.i2666.i, label %for.body.i27.i, label %land.lhs.true60.i.i

for.body.i27.i:                                   ; preds = %land.rhs.lr.ph.i.i, %land.rhs.i25.backedge.i
  %92 = phi i64 [ %104, %land.rhs.i25.backedge.i ], [ %91, %land.rhs.lr.ph.i.i ]
  %at.076.i67.i = phi i64 [ %at.076.i.be.i, %land.rhs.i25.backedge.i ], [ 0, %land.rhs.lr.ph.i.i ]
  %arrayidx.i28.i = getelementptr inbounds nuw %struct.node, ptr %add.ptr.i.i21.i, i64 %at.076.i67.i
  %93 = load i64, ptr %arrayidx.i28.i, align 8
  switch i64 %93, label %if.else28.i.i [
    i64 0, label %if.then.i.i38
    i64 1, label %if.then12.i.i
    i64 2, label %land.lhs.true20.i.i
  ]

if.then.i.i38:                                    ; preds = %for.body.i27.i
  %a.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i28.i, i64 32
  %94 = load i64, ptr %a.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds ptr, ptr %call, i64 %94
  %95 = load ptr, ptr %arrayidx8.i.i, align 8
  br label %land.lhs.true44.sink.split.i.i

if.then12.i.i:                                    ; preds = %for.body.i27.i
  %a13.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i28.i, i64 32
  %96 = load i64, ptr %a13.i.i, align 8
  %add.ptr.i62.i.i = getelementptr inbounds i8, ptr %87, i64 %96
  br label %land.lhs.true44.sink.split.i.i

land.lhs.true20.i.i:                              ; preds = %for.body.i27.i
  %b.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i28.i, i64 40
  %97 = load i64, ptr %b.i.i, align 8
  %cmp21.i.i = icmp sgt i64 %97, -1
  br i1 %cmp21.i.i, label %if.then22.i.i, label %if.else28.i.i

if.then22.i.i:                                    ; preds = %land.lhs.true20.i.i
  %arrayidx24.i.i37 = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %97
  %98 = load ptr, ptr %arrayidx24.i.i37, align 8
  br label %land.lhs.true44.sink.split.i.i

if.else28.i.i:                                    ; preds = %land.lhs.true20.i.i, %for.body.i27.i
  %add.i.i = add nuw nsw i64 %at.076.i67.i, 1
  %cmp30.i.i = icmp slt i64 %add.i.i, %92
  br i1 %cmp30.i.i, label %if.end42.i.i, label %if.else35.i.i

if.else35.i.i:                                    ; preds = %if.else28.i.i
  %count.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i28.i, i64 24
  %99 = load i64, ptr %count.i.i, align 8
  %dtype.i.i32 = getelementptr inbounds nuw i8, ptr %arrayidx.i28.i, i64 16
  %100 = load i64, ptr %dtype.i.i32, align 8
  %shr.i.i.i33 = lshr i64 %100, 8
  %and.i.i.i = and i64 %shr.i.i.i33, 255
  %add.i.i.i34 = add nuw nsw i64 %and.i.i.i, 7
  %div1.i.i.i35 = lshr i64 %add.i.i.i34, 3
  %mul.i.i36 = mul nsw i64 %div1.i.i.i35, %99
  %call37.i.i = call ptr @memset(ptr noundef nonnull %add.ptr.i22.i, i32 noundef signext 0, i64 noundef %mul.i.i36) #15
  br label %land.lhs.true44.sink.split.i.i

if.end42.i.i:                                     ; preds = %if.else28.i.i
  %arrayidx32.i31.i = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %at.076.i67.i
  %call33.i.i = call fastcc zeroext i1 @take_array(ptr noundef nonnull %arrayidx32.i31.i, ptr noundef nonnull %arrayidx.i28.i, i1 noundef zeroext false) #16
  br i1 %call33.i.i, label %land.lhs.true44.i.i, label %if.end76.i.i

land.lhs.true44.sink.split.i.i:                   ; preds = %if.else35.i.i, %if.then22.i.i, %if.then12.i.i, %if.then.i.i38
  %call37.sink.i.i = phi ptr [ %call37.i.i, %if.else35.i.i ], [ %98, %if.then22.i.i ], [ %add.ptr.i62.i.i, %if.then12.i.i ], [ %95, %if.then.i.i38 ]
  %arrayidx38.i29.i = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %at.076.i67.i
  store ptr %call37.sink.i.i, ptr %arrayidx38.i29.i, align 8
  br label %land.lhs.true44.i.i

land.lhs.true44.i.i:                              ; preds = %land.lhs.true44.sink.split.i.i, %if.end42.i.i
  %101 = load i64, ptr %arrayidx.i28.i, align 8
  %cmp46.i.i = icmp sgt i64 %101, 1
  br i1 %cmp46.i.i, label %if.then47.i.i, label %land.rhs.i25.backedge.i

if.then47.i.i:                                    ; preds = %land.lhs.true44.i.i
  %arrayidx49.i.i = getelementptr inbounds nuw ptr, ptr @COMPUTE, i64 %101
  %102 = load ptr, ptr %arrayidx49.i.i, align 8
  %arrayidx50.i.i = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %at.076.i67.i
  %103 = load ptr, ptr %arrayidx50.i.i, align 8
  %call52.i.i = call zeroext i1 %102(ptr noundef nonnull %87, ptr noundef nonnull %arrayidx.i28.i, ptr noundef nonnull %call3.i.i, ptr noundef %103) #15
  br i1 %call52.i.i, label %land.rhs.i25.backedge.i, label %if.end76.i.i

land.rhs.i25.backedge.i:                          ; preds = %if.then47.i.i, %land.lhs.true44.i.i
  %at.076.i.be.i = add nuw nsw i64 %at.076.i67.i, 1
  %104 = load i64, ptr %node_count.i.i, align 8
  %cmp6.i26.i = icmp slt i64 %at.076.i.be.i, %104
  br i1 %cmp6.i26.i, label %for.body.i27.i, label %land.lhs.true60.i.i

land.lhs.true60.i.i:                              ; preds = %land.rhs.i25.backedge.i, %land.rhs.lr.ph.i.i
  %.lcssa52.i = phi i64 [ %91, %land.rhs.lr.ph.i.i ], [ %104, %land.rhs.i25.backedge.i ]
  %sub.i.i = add nsw i64 %.lcssa52.i, -1
  %arrayidx63.i.i = getelementptr inbounds %struct.array, ptr %call3.i.i, i64 %sub.i.i
  %105 = load ptr, ptr %arrayidx63.i.i, align 8
  %cmp65.not.i.i = icmp eq ptr %105, %add.ptr.i22.i
  br i1 %cmp65.not.i.i, label %if.end76.i.i, label %if.then66.i.i

if.then66.i.i:                                    ; preds = %land.lhs.true60.i.i
  %arrayidx56.i.i = getelementptr inbounds %struct.node, ptr %add.ptr.i.i21.i, i64 %sub.i.i
  %count71.i.i = getelementptr inbounds nuw i8, ptr %arrayidx56.i.i, i64 24
  %106 = load i64, ptr %count71.i.i, align 8
  %dtype72.i.i = getelementptr inbounds nuw i8, ptr %arrayidx56.i.i, i64 16
  %107 = load i64, ptr %dtype72.i.i, align 8
  %shr.i63.i.i = lshr i64 %107, 8
  %and.i64.i.i = and i64 %shr.i63.i.i, 255
  %add.i65.i.i = add nuw nsw i64 %and.i64.i.i, 7
  %div1.i66.i.i = lshr i64 %add.i65.i.i, 3
  %mul74.i.i = mul nsw i64 %div1.i66.i.i, %106
  %call75.i.i = call ptr @memcpy(ptr noundef nonnull %add.ptr.i22.i, ptr noundef %105, i64 noundef %mul74.i.i) #15
  br label %if.end76.i.i

if.end76.i.i:                                     ; preds = %if.then47.i.i, %if.end42.i.i, %if.then66.i.i, %land.lhs.true60.i.i
  %is_computed.074.i.i = phi i1 [ true, %land.lhs.true60.i.i ], [ true, %if.then66.i.i ], [ true, %if.end42.i.i ], [ false, %if.then47.i.i ]
  %has_memory.072.i.i = phi i1 [ true, %land.lhs.true60.i.i ], [ true, %if.then66.i.i ], [ false, %if.end42.i.i ], [ true, %if.then47.i.i ]
  %108 = load i64, ptr %node_count.i.i, align 8
  %cmp19.i.i.i = icmp sgt i64 %108, 0
  br i1 %cmp19.i.i.i, label %for.body.i.i.i28, label %free_arrays.exit.i.i

for.body.i.i.i28:                                 ; preds = %if.end76.i.i, %for.inc.i.i.i
  %at.010.i.i.i = phi i64 [ %inc.i.i.i30, %for.inc.i.i.i ], [ 0, %if.end76.i.i ]
  %arrayidx.i.i.i29 = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %at.010.i.i.i
  %is_owned.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i29, i64 16
  %109 = load i8, ptr %is_owned.i.i.i, align 8
  %loadedv.i.i.i = trunc i8 %109 to i1
  br i1 %loadedv.i.i.i, label %if.then.i.i.i, label %for.inc.i.i.i

if.then.i.i.i:                                    ; preds = %for.body.i.i.i28
  %110 = load ptr, ptr %arrayidx.i.i.i29, align 8
  call void @free(ptr noundef %110) #15
  %has.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i29, i64 8
  %111 = load ptr, ptr %has.i.i.i, align 8
  call void @free(ptr noundef %111) #15
  br label %for.inc.i.i.i

for.inc.i.i.i:                                    ; preds = %if.then.i.i.i, %for.body.i.i.i28
  %inc.i.i.i30 = add nuw nsw i64 %at.010.i.i.i, 1
  %exitcond.not.i.i31 = icmp eq i64 %inc.i.i.i30, %108
  br i1 %exitcond.not.i.i31, label %free_arrays.exit.i.i, label %for.body.i.i.i28

free_arrays.exit.i.i:                             ; preds = %for.inc.i.i.i, %if.end76.i.i
  call void @free(ptr noundef nonnull %call3.i.i) #15
  br i1 %has_memory.072.i.i, label %if.end82.i.i, label %if.then79.i.i

if.then79.i.i:                                    ; preds = %free_arrays.exit.i.i, %free_arrays.exit.thread.i.i
  call fastcc void @no_memory(ptr noundef nonnull %host) #16
  br label %if.end

if.end82.i.i:                                     ; preds = %free_arrays.exit.i.i
  br i1 %is_computed.074.i.i, label %if.end82.i.for.inc23_crit_edge.i, label %if.end85.i.i

if.end82.i.for.inc23_crit_edge.i:                 ; preds = %if.end82.i.i
  %.pre80.i = load i64, ptr %constant_count.i, align 8
  br label %for.inc23.i

if.end85.i.i:                                     ; preds = %if.end82.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %names.i.i) #14
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i19, i32 noundef signext 0, ptr noundef %names.i.i, i64 noundef 512) #16
  call fastcc void @refuse_param(ptr noundef nonnull %host, ptr noundef nonnull %names.i.i, ptr noundef nonnull @.str.18) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %names.i.i) #14
  br label %if.end

for.inc23.i:                                      ; preds = %if.end82.i.for.inc23_crit_edge.i, %for.cond.cleanup7.i, %for.body.i18
  %112 = phi i64 [ %.pre80.i, %if.end82.i.for.inc23_crit_edge.i ], [ %67, %for.cond.cleanup7.i ], [ %67, %for.body.i18 ]
  %inc24.i = add nuw nsw i64 %at.070.i, 1
  %cmp.not.i = icmp slt i64 %inc24.i, %112
  br i1 %cmp.not.i, label %for.body.i18, label %if.end

if.end:                                           ; preds = %for.inc23.i, %check_value.exit.i, %if.then.i.i, %if.then41.i.i, %if.then.i, %cond.false, %if.end85.i.i, %if.then79.i.i, %if.end49.i.i, %if.then, %cond.end
  %status.0 = phi i32 [ 1, %if.then.i ], [ 0, %cond.end ], [ 1, %if.end85.i.i ], [ 0, %if.then ], [ 2, %if.then79.i.i ], [ 1, %if.end49.i.i ], [ 2, %cond.false ], [ 1, %check_value.exit.i ], [ 1, %if.then.i.i ], [ 1, %if.then41.i.i ], [ 0, %for.inc23.i ]
  %cmp18.not = icmp eq ptr %call2, null
  br i1 %cmp18.not, label %for.cond.cleanup, label %land.rhs19.preheader

land.rhs19.preheader:                             ; preds = %if.end12.i.i, %if.end
  %status.0218 = phi i32 [ %status.0, %if.end ], [ %call11.i.i, %if.end12.i.i ]
  %113 = load ptr, ptr %host, align 8
  %param_count21368 = getelementptr inbounds nuw i8, ptr %113, i64 16
  %114 = load i64, ptr %param_count21368, align 8
  %cmp22369 = icmp sgt i64 %114, 0
  br i1 %cmp22369, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %land.rhs19.preheader, %if.end
  %status.0219 = phi i32 [ %status.0, %if.end ], [ %status.0218, %land.rhs19.preheader ], [ %status.0218, %for.body ]
  call void @free(ptr noundef %call) #15
  call void @free(ptr noundef %call2) #15
  call void @free(ptr noundef %call4) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %own) #14
  ret i32 %status.0219

for.body:                                         ; preds = %land.rhs19.preheader, %for.body
  %at.0129370 = phi i64 [ %inc, %for.body ], [ 0, %land.rhs19.preheader ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %call2, i64 %at.0129370
  %115 = load ptr, ptr %arrayidx, align 8
  call void @free(ptr noundef %115) #15
  %inc = add nuw nsw i64 %at.0129370, 1
  %116 = load ptr, ptr %host, align 8
  %param_count21 = getelementptr inbounds nuw i8, ptr %116, i64 16
  %117 = load i64, ptr %param_count21, align 8
  %cmp22 = icmp slt i64 %inc, %117
  br i1 %cmp22, label %for.body, label %for.cond.cleanup
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #4

define internal fastcc void @no_memory(ptr noundef readonly captures(none) %host) unnamed_addr #5 {
entry:
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %0 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %1 = load ptr, ptr %module, align 8
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %0, i64 noundef 1024, ptr noundef nonnull @.str.11, ptr noundef %1) #15
  ret void
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #4

declare void @free(ptr noundef) local_unnamed_addr #4

define signext range(i32 0, 4) i32 @__tw_get_param(ptr noundef readonly captures(none) %host, ptr noundef %name, ptr noundef %made) local_unnamed_addr #4 {
entry:
  %found = alloca ptr, align 8
  %0 = load ptr, ptr %host, align 8
  %param_count.i = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load i64, ptr %param_count.i, align 8
  %cmp6.i = icmp sgt i64 %1, 0
  br i1 %cmp6.i, label %for.body.lr.ph.i, label %if.then

for.body.lr.ph.i:                                 ; preds = %entry
  %params1.i.i.i = getelementptr inbounds nuw i8, ptr %0, i64 24
  %2 = load i64, ptr %params1.i.i.i, align 8
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %0, i64 %2
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %at.07.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i.i.i.i, i64 %at.07.i
  %3 = load i64, ptr %arrayidx.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %0, i64 %3
  %call1.i = tail call signext i32 @strcmp(ptr noundef readonly %add.ptr.i.i.i, ptr noundef readonly %name) #13
  %cmp2.i = icmp eq i32 %call1.i, 0
  br i1 %cmp2.i, label %land.lhs.true.i, label %for.inc.i

for.inc.i:                                        ; preds = %for.body.i
  %inc.i = add nuw nsw i64 %at.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %1
  br i1 %exitcond.not.i, label %if.then, label %for.body.i

land.lhs.true.i:                                  ; preds = %for.body.i
  %cmp2.i23 = icmp slt i64 %at.07.i, %1
  br i1 %cmp2.i23, label %if.end, label %if.then

if.then:                                          ; preds = %for.inc.i, %entry, %land.lhs.true.i
  tail call fastcc void @refuse_name(ptr noundef nonnull %host, ptr noundef %name) #16
  br label %cleanup

if.end:                                           ; preds = %land.lhs.true.i
  %reason5 = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 8
  %4 = load i64, ptr %reason5, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %0, i64 %4
  call void @llvm.lifetime.start.p0(ptr nonnull %found) #14
  store ptr null, ptr %found, align 8
  %5 = load i8, ptr %add.ptr.i, align 1
  %cmp7 = icmp eq i8 %5, 0
  br i1 %cmp7, label %cond.true, label %cond.end

cond.true:                                        ; preds = %if.end
  %call9 = call fastcc signext i32 @find_values(ptr noundef nonnull %host, i64 noundef %at.07.i, ptr noundef nonnull %found) #16
  %.pre = load ptr, ptr %found, align 8
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.true
  %6 = phi ptr [ %.pre, %cond.true ], [ null, %if.end ]
  %cond = phi i32 [ %call9, %cond.true ], [ 0, %if.end ]
  %cmp10 = icmp eq i32 %cond, 0
  %cmp12 = icmp eq ptr %6, null
  %or.cond = select i1 %cmp10, i1 %cmp12, i1 false
  br i1 %or.cond, label %if.then14, label %if.end26

if.then14:                                        ; preds = %cond.end
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %7 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %8 = load ptr, ptr %module, align 8
  %9 = load i8, ptr %add.ptr.i, align 1
  %cmp17.not = icmp eq i8 %9, 0
  br i1 %cmp17.not, label %cond.false20, label %if.end26.thread

cond.false20:                                     ; preds = %if.then14
  %10 = load ptr, ptr %host, align 8
  %folded = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 16
  %11 = load i64, ptr %folded, align 8
  %add.ptr.i24 = getelementptr inbounds i8, ptr %10, i64 %11
  br label %if.end26.thread

if.end26.thread:                                  ; preds = %cond.false20, %if.then14
  %cond24 = phi ptr [ %add.ptr.i24, %cond.false20 ], [ %add.ptr.i, %if.then14 ]
  %call25 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %7, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %8, ptr noundef %name, ptr noundef %cond24) #15
  br label %if.end37

if.end26:                                         ; preds = %cond.end
  %cmp30 = icmp ne ptr %made, null
  %or.cond1 = and i1 %cmp30, %cmp10
  br i1 %or.cond1, label %if.then32, label %if.end37

if.then32:                                        ; preds = %if.end26
  %12 = load ptr, ptr %host, align 8
  %shape1.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 48
  %13 = load i64, ptr %shape1.i, align 8
  %add.ptr.i.i25 = getelementptr inbounds i8, ptr %12, i64 %13
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 40
  %14 = load i64, ptr %rank.i, align 8
  %cmp5.i = icmp sgt i64 %14, 0
  br i1 %cmp5.i, label %for.body.i26, label %elements_of.exit

for.body.i26:                                     ; preds = %if.then32, %for.body.i26
  %axis.07.i = phi i64 [ %inc.i28, %for.body.i26 ], [ 0, %if.then32 ]
  %count.06.i = phi i64 [ %mul.i, %for.body.i26 ], [ 1, %if.then32 ]
  %arrayidx.i27 = getelementptr inbounds nuw i64, ptr %add.ptr.i.i25, i64 %axis.07.i
  %15 = load i64, ptr %arrayidx.i27, align 8
  %mul.i = mul nsw i64 %15, %count.06.i
  %inc.i28 = add nuw nsw i64 %axis.07.i, 1
  %exitcond.not.i29 = icmp eq i64 %inc.i28, %14
  br i1 %exitcond.not.i29, label %elements_of.exit, label %for.body.i26

elements_of.exit:                                 ; preds = %for.body.i26, %if.then32
  %count.0.lcssa.i = phi i64 [ 1, %if.then32 ], [ %mul.i, %for.body.i26 ]
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx.i.i.i, i64 32
  %16 = load i64, ptr %dtype, align 8
  %shr.i = lshr i64 %16, 8
  %and.i = and i64 %shr.i, 255
  %add.i = add nuw nsw i64 %and.i, 7
  %div1.i = lshr i64 %add.i, 3
  %mul = mul nsw i64 %div1.i, %count.0.lcssa.i
  %call36 = tail call ptr @memcpy(ptr noundef nonnull %made, ptr noundef %6, i64 noundef %mul) #15
  br label %if.end37

if.end37:                                         ; preds = %if.end26.thread, %elements_of.exit, %if.end26
  %status.037 = phi i32 [ 3, %if.end26.thread ], [ 0, %elements_of.exit ], [ %cond, %if.end26 ]
  tail call void @free(ptr noundef %6) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %found) #14
  br label %cleanup

cleanup:                                          ; preds = %if.end37, %if.then
  %retval.0 = phi i32 [ 1, %if.then ], [ %status.037, %if.end37 ]
  ret i32 %retval.0
}

define internal fastcc void @refuse_name(ptr noundef readonly captures(none) %host, ptr noundef %name) unnamed_addr #4 {
entry:
  %row.i = alloca [64 x i64], align 8
  %0 = load ptr, ptr %host, align 8
  %param_count = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1 = load i64, ptr %param_count, align 8
  %cmp20 = icmp sgt i64 %1, 0
  br i1 %cmp20, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %params1.i.i = getelementptr inbounds nuw i8, ptr %0, i64 24
  %2 = load i64, ptr %params1.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %0, i64 %2
  br label %for.body

for.cond.cleanup:                                 ; preds = %distance.exit, %entry
  %nearest.0.lcssa = phi ptr [ null, %entry ], [ %spec.select19, %distance.exit ]
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %3 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %4 = load ptr, ptr %module, align 8
  %cmp7 = icmp eq ptr %nearest.0.lcssa, null
  %cond = select i1 %cmp7, ptr @.str.20, ptr @.str.21
  %cond9 = select i1 %cmp7, ptr @.str.5, ptr %nearest.0.lcssa
  %call10 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %3, i64 noundef 1024, ptr noundef nonnull @.str.19, ptr noundef %4, ptr noundef %name, ptr noundef nonnull %cond, ptr noundef nonnull %cond9) #15
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %distance.exit
  %nearest.023 = phi ptr [ null, %for.body.lr.ph ], [ %spec.select19, %distance.exit ]
  %at.022 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %distance.exit ]
  %least.021 = phi i64 [ 63, %for.body.lr.ph ], [ %spec.select, %distance.exit ]
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i.i.i, i64 %at.022
  %5 = load i64, ptr %arrayidx.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %0, i64 %5
  call void @llvm.lifetime.start.p0(ptr nonnull %row.i) #14
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.cond.i.i, %for.body
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %while.cond.i.i ], [ 1, %for.body ]
  %length.0.i.i = phi i64 [ %inc.i.i, %while.cond.i.i ], [ 0, %for.body ]
  %arrayidx.i.i13 = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 %length.0.i.i
  %6 = load i8, ptr %arrayidx.i.i13, align 1
  %cmp.not.i.i = icmp eq i8 %6, 0
  %inc.i.i = add i64 %length.0.i.i, 1
  %indvars.iv.next.i = add i64 %indvars.iv.i, 1
  br i1 %cmp.not.i.i, label %length_of.exit.i, label %while.cond.i.i

length_of.exit.i:                                 ; preds = %while.cond.i.i
  %cmp.i = icmp ugt i64 %length.0.i.i, 63
  br i1 %cmp.i, label %distance.exit, label %while.cond.i22.i

while.cond.i22.i:                                 ; preds = %length_of.exit.i, %while.cond.i22.i
  %length.0.i23.i = phi i64 [ %inc.i26.i, %while.cond.i22.i ], [ 0, %length_of.exit.i ]
  %arrayidx.i24.i = getelementptr inbounds nuw i8, ptr %name, i64 %length.0.i23.i
  %7 = load i8, ptr %arrayidx.i24.i, align 1
  %cmp.not.i25.i = icmp eq i8 %7, 0
  %inc.i26.i = add i64 %length.0.i23.i, 1
  br i1 %cmp.not.i25.i, label %length_of.exit27.i, label %while.cond.i22.i

length_of.exit27.i:                               ; preds = %while.cond.i22.i
  %cmp2.i = icmp ugt i64 %length.0.i23.i, 63
  br i1 %cmp2.i, label %distance.exit, label %for.body.i

for.cond4.preheader.i:                            ; preds = %for.body.i
  %8 = load i8, ptr %name, align 1
  %cmp5.not32.i = icmp eq i8 %8, 0
  br i1 %cmp5.not32.i, label %for.end44.i, label %for.body7.lr.ph.i

for.body7.lr.ph.i:                                ; preds = %for.cond4.preheader.i
  %row.promoted.i = load i64, ptr %row.i, align 8
  %cmp1229.not.i = icmp eq i64 %length.0.i.i, 0
  br label %for.body7.i

for.body.i:                                       ; preds = %length_of.exit27.i, %for.body.i
  %column.028.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %length_of.exit27.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %row.i, i64 %column.028.i
  store i64 %column.028.i, ptr %arrayidx.i, align 8
  %inc.i = add nuw i64 %column.028.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %indvars.iv.i
  br i1 %exitcond.not.i, label %for.cond4.preheader.i, label %for.body.i

for.body7.i:                                      ; preds = %for.cond.cleanup14.i, %for.body7.lr.ph.i
  %9 = phi i8 [ %8, %for.body7.lr.ph.i ], [ %11, %for.cond.cleanup14.i ]
  %lhs.addr.033.i = phi ptr [ %name, %for.body7.lr.ph.i ], [ %incdec.ptr.i, %for.cond.cleanup14.i ]
  %10 = phi i64 [ %row.promoted.i, %for.body7.lr.ph.i ], [ %inc9.i, %for.cond.cleanup14.i ]
  %inc9.i = add i64 %10, 1
  br i1 %cmp1229.not.i, label %for.cond.cleanup14.i, label %for.body15.i

for.cond.cleanup14.i:                             ; preds = %for.body15.i, %for.body7.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %lhs.addr.033.i, i64 1
  %11 = load i8, ptr %incdec.ptr.i, align 1
  %cmp5.not.i = icmp eq i8 %11, 0
  br i1 %cmp5.not.i, label %for.end44.loopexit.i, label %for.body7.i

for.body15.i:                                     ; preds = %for.body7.i, %for.body15.i
  %12 = phi i64 [ %add29.cond.i, %for.body15.i ], [ %inc9.i, %for.body7.i ]
  %column10.031.i = phi i64 [ %add22.i, %for.body15.i ], [ 0, %for.body7.i ]
  %corner.030.i = phi i64 [ %14, %for.body15.i ], [ %10, %for.body7.i ]
  %arrayidx17.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 %column10.031.i
  %13 = load i8, ptr %arrayidx17.i, align 1
  %cmp19.i = icmp ne i8 %9, %13
  %conv21.i = zext i1 %cmp19.i to i64
  %add.i = add i64 %corner.030.i, %conv21.i
  %add22.i = add nuw nsw i64 %column10.031.i, 1
  %arrayidx23.i = getelementptr inbounds nuw i64, ptr %row.i, i64 %add22.i
  %14 = load i64, ptr %arrayidx23.i, align 8
  %add24.i = add i64 %14, 1
  %cond.i = tail call i64 @llvm.umin.i64(i64 %add24.i, i64 %add.i)
  %add29.i = add i64 %12, 1
  %add29.cond.i = tail call i64 @llvm.umin.i64(i64 %add29.i, i64 %cond.i)
  store i64 %add29.cond.i, ptr %arrayidx23.i, align 8
  %exitcond35.not.i = icmp eq i64 %add22.i, %length.0.i.i
  br i1 %exitcond35.not.i, label %for.cond.cleanup14.i, label %for.body15.i

for.end44.loopexit.i:                             ; preds = %for.cond.cleanup14.i
  store i64 %inc9.i, ptr %row.i, align 8
  br label %for.end44.i

for.end44.i:                                      ; preds = %for.end44.loopexit.i, %for.cond4.preheader.i
  %arrayidx45.i = getelementptr inbounds nuw i64, ptr %row.i, i64 %length.0.i.i
  %15 = load i64, ptr %arrayidx45.i, align 8
  br label %distance.exit

distance.exit:                                    ; preds = %length_of.exit.i, %length_of.exit27.i, %for.end44.i
  %retval.0.i = phi i64 [ %15, %for.end44.i ], [ 63, %length_of.exit27.i ], [ 63, %length_of.exit.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %row.i) #14
  %cmp3 = icmp eq ptr %nearest.023, null
  %cmp4 = icmp ult i64 %retval.0.i, %least.021
  %or.cond = select i1 %cmp3, i1 true, i1 %cmp4
  %spec.select = select i1 %or.cond, i64 %retval.0.i, i64 %least.021
  %spec.select19 = select i1 %or.cond, ptr %add.ptr.i.i, ptr %nearest.023
  %inc = add nuw nsw i64 %at.022, 1
  %exitcond.not = icmp eq i64 %inc, %1
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc signext range(i32 0, 3) i32 @find_values(ptr noundef readonly captures(none) %host, i64 noundef %index, ptr noundef writeonly captures(none) %made) unnamed_addr #4 {
entry:
  %step.i.i.i = alloca %struct.step, align 8
  %0 = load ptr, ptr %host, align 8
  %cmp.i = icmp sgt i64 %index, -1
  tail call void @llvm.assume(i1 %cmp.i)
  %params1.i = getelementptr inbounds nuw i8, ptr %0, i64 24
  %1 = load i64, ptr %params1.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %0, i64 %1
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i.i, i64 %index
  %constants3 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %2 = load i64, ptr %constants3, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %0, i64 %2
  %shape1.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 48
  %3 = load i64, ptr %shape1.i, align 8
  %add.ptr.i.i21 = getelementptr inbounds i8, ptr %0, i64 %3
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 40
  %4 = load i64, ptr %rank.i, align 8
  %cmp5.i = icmp sgt i64 %4, 0
  br i1 %cmp5.i, label %for.body.i, label %elements_of.exit

for.body.i:                                       ; preds = %entry, %for.body.i
  %axis.07.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %entry ]
  %count.06.i = phi i64 [ %mul.i, %for.body.i ], [ 1, %entry ]
  %arrayidx.i22 = getelementptr inbounds nuw i64, ptr %add.ptr.i.i21, i64 %axis.07.i
  %5 = load i64, ptr %arrayidx.i22, align 8
  %mul.i = mul nsw i64 %5, %count.06.i
  %inc.i = add nuw nsw i64 %axis.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %4
  br i1 %exitcond.not.i, label %elements_of.exit, label %for.body.i

elements_of.exit:                                 ; preds = %for.body.i, %entry
  %count.0.lcssa.i = phi i64 [ 1, %entry ], [ %mul.i, %for.body.i ]
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 32
  %6 = load i64, ptr %dtype, align 8
  %shr.i = lshr i64 %6, 8
  %and.i = and i64 %shr.i, 255
  %add.i = add nuw nsw i64 %and.i, 7
  %div1.i = lshr i64 %add.i, 3
  %mul = mul nsw i64 %div1.i, %count.0.lcssa.i
  %add = add i64 %mul, 1
  %call8 = tail call noalias ptr @malloc(i64 noundef %add) #15
  %add9 = add i64 %count.0.lcssa.i, 1
  %call10 = tail call noalias ptr @calloc(i64 noundef %add9, i64 noundef 1) #15
  %cmp = icmp ne ptr %call8, null
  %cmp13 = icmp ne ptr %call10, null
  %7 = select i1 %cmp, i1 %cmp13, i1 false
  br i1 %7, label %land.rhs15.lr.ph, label %cond.false40

land.rhs15.lr.ph:                                 ; preds = %elements_of.exit
  %weights.i = getelementptr inbounds nuw i8, ptr %host, i64 16
  %axes.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 8
  %sides.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 16
  %arrayinit.element.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 24
  %made.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 32
  %has.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 40
  %known.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 48
  %place.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 56
  br label %land.rhs15

land.rhs15:                                       ; preds = %land.rhs15.lr.ph, %for.inc
  %at.058 = phi i64 [ 0, %land.rhs15.lr.ph ], [ %inc, %for.inc ]
  %8 = load ptr, ptr %host, align 8
  %constant_count = getelementptr inbounds nuw i8, ptr %8, i64 32
  %9 = load i64, ptr %constant_count, align 8
  %cmp17 = icmp slt i64 %at.058, %9
  br i1 %cmp17, label %for.body, label %for.cond.cleanup.thread

for.cond.cleanup.thread:                          ; preds = %land.rhs15
  tail call void @free(ptr noundef nonnull %call10) #15
  tail call void @free(ptr noundef nonnull %call8) #15
  store ptr null, ptr %made, align 8
  br label %cond.end42

for.cond.cleanup:                                 ; preds = %for.inc
  tail call void @free(ptr noundef nonnull %call10) #15
  store ptr %call8, ptr %made, align 8
  br label %cond.end42

for.body:                                         ; preds = %land.rhs15
  %arrayidx = getelementptr inbounds nuw %struct.constant, ptr %add.ptr.i, i64 %at.058
  %params1.i23 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %10 = load i64, ptr %params1.i23, align 8
  %add.ptr.i.i24 = getelementptr inbounds i8, ptr %8, i64 %10
  %param_count.i25 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %11 = load i64, ptr %param_count.i25, align 8
  %cmp.not4.i = icmp sgt i64 %11, 0
  br i1 %cmp.not4.i, label %for.body.i26, label %for.inc

for.cond.i:                                       ; preds = %for.body.i26
  %inc.i29 = add nuw nsw i64 %at.05.i, 1
  %exitcond.not.i30 = icmp eq i64 %inc.i29, %11
  br i1 %exitcond.not.i30, label %for.inc, label %for.body.i26

for.body.i26:                                     ; preds = %for.body, %for.cond.i
  %at.05.i = phi i64 [ %inc.i29, %for.cond.i ], [ 0, %for.body ]
  %arrayidx.i27 = getelementptr inbounds nuw i64, ptr %add.ptr.i.i24, i64 %at.05.i
  %12 = load i64, ptr %arrayidx.i27, align 8
  %cmp2.i28 = icmp eq i64 %12, %index
  br i1 %cmp2.i28, label %if.then, label %for.cond.i

if.then:                                          ; preds = %for.body.i26
  %nodes1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %13 = load i64, ptr %nodes1.i, align 8
  %add.ptr.i.i31 = getelementptr inbounds i8, ptr %8, i64 %13
  %node_count.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %14 = load i64, ptr %node_count.i, align 8
  %sub.i = add nsw i64 %14, -1
  %arrayidx.i32 = getelementptr inbounds %struct.node, ptr %add.ptr.i.i31, i64 %sub.i
  %15 = load ptr, ptr %weights.i, align 8
  %16 = load i64, ptr %arrayidx, align 8
  %add.ptr.i33 = getelementptr inbounds i8, ptr %15, i64 %16
  %17 = load i64, ptr %arrayidx.i32, align 8
  %cmp.i34 = icmp eq i64 %17, 0
  br i1 %cmp.i34, label %find_in_constant.exit.thread, label %if.end.i

find_in_constant.exit.thread:                     ; preds = %if.then
  %count3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32, i64 24
  %18 = load i64, ptr %count3.i, align 8
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32, i64 16
  %19 = load i64, ptr %dtype.i, align 8
  %shr.i.i = lshr i64 %19, 8
  %and.i.i = and i64 %shr.i.i, 255
  %add.i.i = add nuw nsw i64 %and.i.i, 7
  %div1.i.i = lshr i64 %add.i.i, 3
  %mul.i38 = mul nsw i64 %div1.i.i, %18
  %call5.i = tail call ptr @memcpy(ptr noundef nonnull %call8, ptr noundef %add.ptr.i33, i64 noundef %mul.i38) #15
  %20 = load i64, ptr %count3.i, align 8
  %call7.i = tail call ptr @memset(ptr noundef nonnull %call10, i32 noundef signext 1, i64 noundef %20) #15
  br label %land.rhs25

if.end.i:                                         ; preds = %if.then
  %call8.i = tail call noalias ptr @calloc(i64 noundef %14, i64 noundef 24) #15
  %call9.i = tail call noalias ptr @calloc(i64 noundef %14, i64 noundef 1) #15
  %count10.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32, i64 24
  %21 = load i64, ptr %count10.i, align 8
  %add.i35 = add i64 %21, 1
  %call11.i = tail call noalias ptr @malloc(i64 noundef %add.i35) #15
  %cmp12.i = icmp ne ptr %call8.i, null
  %cmp13.i = icmp ne ptr %call9.i, null
  %or.cond.i = select i1 %cmp12.i, i1 %cmp13.i, i1 false
  %cmp14.i = icmp ne ptr %call11.i, null
  %spec.select.i36 = select i1 %or.cond.i, i1 %cmp14.i, i1 false
  br i1 %spec.select.i36, label %land.lhs.true15.i, label %if.end27.i

land.lhs.true15.i:                                ; preds = %if.end.i
  %22 = load i64, ptr %node_count.i, align 8
  %cmp19.i.i = icmp sgt i64 %22, 0
  br i1 %cmp19.i.i, label %for.body.i.i, label %find_holders.exit.i

for.body.i.i:                                     ; preds = %land.lhs.true15.i, %if.end18.i.i
  %at.020.i.i = phi i64 [ %inc.i.i, %if.end18.i.i ], [ 0, %land.lhs.true15.i ]
  %arrayidx.i.i = getelementptr inbounds nuw %struct.node, ptr %add.ptr.i.i31, i64 %at.020.i.i
  %23 = load i64, ptr %arrayidx.i.i, align 8
  switch i64 %23, label %land.lhs.true.i.i [
    i64 0, label %if.then.i.i
    i64 1, label %if.end18.i.i
  ]

if.then.i.i:                                      ; preds = %for.body.i.i
  %a.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 32
  %24 = load i64, ptr %a.i.i, align 8
  %cmp2.i.i = icmp eq i64 %24, %index
  %arrayidx3.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %at.020.i.i
  %storedv.i.i = zext i1 %cmp2.i.i to i8
  store i8 %storedv.i.i, ptr %arrayidx3.i.i, align 1
  br label %if.end18.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i.i
  %call.i.i = tail call fastcc zeroext i1 @is_restorable(ptr noundef nonnull readonly %arrayidx.i.i) #16
  br i1 %call.i.i, label %if.then6.i.i, label %if.end18.i.i

if.then6.i.i:                                     ; preds = %land.lhs.true.i.i
  %a7.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 32
  %25 = load i64, ptr %a7.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds i8, ptr %call9.i, i64 %25
  %26 = load i8, ptr %arrayidx8.i.i, align 1
  %loadedv.i.i = trunc i8 %26 to i1
  br i1 %loadedv.i.i, label %lor.end.i.i, label %lor.rhs.i.i

lor.rhs.i.i:                                      ; preds = %if.then6.i.i
  %cmp10.i.i = icmp eq i64 %23, 2
  br i1 %cmp10.i.i, label %land.lhs.true11.i.i, label %lor.end.i.i

land.lhs.true11.i.i:                              ; preds = %lor.rhs.i.i
  %b.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 40
  %27 = load i64, ptr %b.i.i, align 8
  %cmp12.i.i = icmp sgt i64 %27, -1
  br i1 %cmp12.i.i, label %land.rhs.i.i, label %lor.end.i.i

land.rhs.i.i:                                     ; preds = %land.lhs.true11.i.i
  %arrayidx14.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %27
  %28 = load i8, ptr %arrayidx14.i.i, align 1
  %29 = and i8 %28, 1
  br label %lor.end.i.i

lor.end.i.i:                                      ; preds = %land.rhs.i.i, %land.lhs.true11.i.i, %lor.rhs.i.i, %if.then6.i.i
  %storedv17.i.i = phi i8 [ 1, %if.then6.i.i ], [ 0, %land.lhs.true11.i.i ], [ 0, %lor.rhs.i.i ], [ %29, %land.rhs.i.i ]
  %arrayidx16.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %at.020.i.i
  store i8 %storedv17.i.i, ptr %arrayidx16.i.i, align 1
  br label %if.end18.i.i

if.end18.i.i:                                     ; preds = %lor.end.i.i, %land.lhs.true.i.i, %if.then.i.i, %for.body.i.i
  %inc.i.i = add nuw nsw i64 %at.020.i.i, 1
  %exitcond.not.i37 = icmp eq i64 %inc.i.i, %22
  br i1 %exitcond.not.i37, label %find_holders.exit.i, label %for.body.i.i

find_holders.exit.i:                              ; preds = %if.end18.i.i, %land.lhs.true15.i
  %30 = getelementptr i8, ptr %call9.i, i64 %22
  %arrayidx20.i.i = getelementptr i8, ptr %30, i64 -1
  %31 = load i8, ptr %arrayidx20.i.i, align 1
  %loadedv21.i.i = trunc i8 %31 to i1
  br i1 %loadedv21.i.i, label %if.then17.i, label %if.end27.i

if.then17.i:                                      ; preds = %find_holders.exit.i
  %32 = load i64, ptr %count10.i, align 8
  %call19.i = tail call ptr @memset(ptr noundef nonnull %call11.i, i32 noundef signext 1, i64 noundef %32) #15
  %arrayidx21.i = getelementptr inbounds %struct.array, ptr %call8.i, i64 %sub.i
  store ptr %add.ptr.i33, ptr %arrayidx21.i, align 8
  %.compoundliteral.sroa.2.0.arrayidx21.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx21.i, i64 8
  store ptr %call11.i, ptr %.compoundliteral.sroa.2.0.arrayidx21.sroa_idx.i, align 8
  %.compoundliteral.sroa.3.0.arrayidx21.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx21.i, i64 16
  store i8 0, ptr %.compoundliteral.sroa.3.0.arrayidx21.sroa_idx.i, align 8
  %.compoundliteral.sroa.4.0.arrayidx21.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx21.i, i64 17
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %.compoundliteral.sroa.4.0.arrayidx21.sroa_idx.i, i8 0, i64 7, i1 false)
  %33 = load ptr, ptr %host, align 8
  %cmp32.i.i = icmp slt i64 %14, 1
  br i1 %cmp32.i.i, label %land.rhs25.critedge, label %for.body.i31.i

for.body.i31.i:                                   ; preds = %if.then17.i, %for.inc.i.i
  %at.033.in.i.i = phi i64 [ %at.033.i.i, %for.inc.i.i ], [ %14, %if.then17.i ]
  %at.033.i.i = add nsw i64 %at.033.in.i.i, -1
  %arrayidx.i32.i = getelementptr inbounds nuw %struct.node, ptr %add.ptr.i.i31, i64 %at.033.i.i
  %34 = load i64, ptr %arrayidx.i32.i, align 8
  %cmp1.i.i = icmp slt i64 %34, 2
  br i1 %cmp1.i.i, label %for.inc.i.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i31.i
  %arrayidx2.i.i = getelementptr inbounds nuw %struct.array, ptr %call8.i, i64 %at.033.i.i
  %has.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 8
  %35 = load ptr, ptr %has.i.i, align 8
  %cmp3.i.i = icmp eq ptr %35, null
  br i1 %cmp3.i.i, label %for.inc.i.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %lor.lhs.false.i.i
  %cmp5.i.i = icmp eq i64 %34, 2
  br i1 %cmp5.i.i, label %land.lhs.true.i37.i, label %if.end18.i33.i

land.lhs.true.i37.i:                              ; preds = %if.end.i.i
  %b.i38.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32.i, i64 40
  %36 = load i64, ptr %b.i38.i, align 8
  %cmp6.i.i = icmp sgt i64 %36, -1
  br i1 %cmp6.i.i, label %land.lhs.true7.i.i, label %if.end18.i33.i

land.lhs.true7.i.i:                               ; preds = %land.lhs.true.i37.i
  %arrayidx9.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %36
  %37 = load i8, ptr %arrayidx9.i.i, align 1
  %loadedv.i39.i = trunc i8 %37 to i1
  br i1 %loadedv.i39.i, label %if.then10.i.i, label %if.end18.i33.i

if.then10.i.i:                                    ; preds = %land.lhs.true7.i.i
  %arrayidx12.i.i = getelementptr inbounds nuw %struct.array, ptr %call8.i, i64 %36
  %38 = load ptr, ptr %arrayidx2.i.i, align 8
  store ptr %38, ptr %arrayidx12.i.i, align 8
  %.compoundliteral.sroa.2.0.arrayidx12.sroa_idx.i.i = getelementptr inbounds nuw i8, ptr %arrayidx12.i.i, i64 8
  store ptr %35, ptr %.compoundliteral.sroa.2.0.arrayidx12.sroa_idx.i.i, align 8
  %.compoundliteral.sroa.3.0.arrayidx12.sroa_idx.i.i = getelementptr inbounds nuw i8, ptr %arrayidx12.i.i, i64 16
  store i8 0, ptr %.compoundliteral.sroa.3.0.arrayidx12.sroa_idx.i.i, align 8
  %.compoundliteral.sroa.4.0.arrayidx12.sroa_idx.i.i = getelementptr inbounds nuw i8, ptr %arrayidx12.i.i, i64 17
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %.compoundliteral.sroa.4.0.arrayidx12.sroa_idx.i.i, i8 0, i64 7, i1 false)
  br label %if.end18.i33.i

if.end18.i33.i:                                   ; preds = %if.then10.i.i, %land.lhs.true7.i.i, %land.lhs.true.i37.i, %if.end.i.i
  %a.i34.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32.i, i64 32
  %39 = load i64, ptr %a.i34.i, align 8
  %arrayidx19.i.i = getelementptr inbounds i8, ptr %call9.i, i64 %39
  %40 = load i8, ptr %arrayidx19.i.i, align 1
  %loadedv20.i.i = trunc i8 %40 to i1
  br i1 %loadedv20.i.i, label %if.end22.i.i, label %for.inc.i.i

if.end22.i.i:                                     ; preds = %if.end18.i33.i
  %arrayidx24.i.i = getelementptr inbounds %struct.array, ptr %call8.i, i64 %39
  %arrayidx26.i.i = getelementptr inbounds %struct.node, ptr %add.ptr.i.i31, i64 %39
  %41 = load i64, ptr %arrayidx26.i.i, align 8
  %cmp28.i.i = icmp eq i64 %41, 0
  br i1 %cmp28.i.i, label %if.then29.i.i, label %if.else.i.i

if.then29.i.i:                                    ; preds = %if.end22.i.i
  store ptr %call8, ptr %arrayidx24.i.i, align 8
  %found.sroa.8.0.arrayidx24.i.i.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  store ptr %call10, ptr %found.sroa.8.0.arrayidx24.i.i.sroa_idx, align 8
  %found.sroa.13.0.arrayidx24.i.i.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 16
  store i8 0, ptr %found.sroa.13.0.arrayidx24.i.i.sroa_idx, align 8
  %found.sroa.14.0.arrayidx24.i.i.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 17
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %found.sroa.14.0.arrayidx24.i.i.sroa_idx, i8 0, i64 7, i1 false)
  br label %if.end37.i.i

if.else.i.i:                                      ; preds = %if.end22.i.i
  %has30.i.i = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  %42 = load ptr, ptr %has30.i.i, align 8
  %cmp31.i.i = icmp eq ptr %42, null
  br i1 %cmp31.i.i, label %land.lhs.true32.i.i, label %if.end37.i.i

land.lhs.true32.i.i:                              ; preds = %if.else.i.i
  %call.i36.i = tail call fastcc zeroext i1 @take_array(ptr noundef nonnull %arrayidx24.i.i, ptr noundef nonnull %arrayidx26.i.i, i1 noundef zeroext true) #16
  br i1 %call.i36.i, label %land.lhs.true32.i.if.end37.i_crit_edge.i, label %if.end27.i

land.lhs.true32.i.if.end37.i_crit_edge.i:         ; preds = %land.lhs.true32.i.i
  %.pre.i = load i64, ptr %arrayidx.i32.i, align 8
  br label %if.end37.i.i

if.end37.i.i:                                     ; preds = %land.lhs.true32.i.if.end37.i_crit_edge.i, %if.else.i.i, %if.then29.i.i
  %43 = phi i64 [ %.pre.i, %land.lhs.true32.i.if.end37.i_crit_edge.i ], [ %34, %if.else.i.i ], [ %34, %if.then29.i.i ]
  %walk.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32.i, i64 56
  %44 = load i64, ptr %walk.i.i.i, align 8
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %33, i64 %44
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32.i, i64 16
  %45 = load i64, ptr %dtype.i.i.i, align 8
  %shr.i.i.i.i = lshr i64 %45, 8
  %and.i.i.i.i = and i64 %shr.i.i.i.i, 255
  %add.i.i.i.i = add nuw nsw i64 %and.i.i.i.i, 7
  %div1.i.i.i.i = lshr i64 %add.i.i.i.i, 3
  %from2.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32.i, i64 8
  %46 = load i64, ptr %from2.i.i.i, align 8
  %shr.i32.i.i.i = lshr i64 %46, 8
  %and.i33.i.i.i = and i64 %shr.i32.i.i.i, 255
  %add.i34.i.i.i = add nuw nsw i64 %and.i33.i.i.i, 7
  %div1.i35.i.i.i = lshr i64 %add.i34.i.i.i, 3
  switch i64 %43, label %cond.false.i.i.i [
    i64 2, label %if.then.i.i.i
    i64 3, label %cond.end.i.i.i
  ]

if.then.i.i.i:                                    ; preds = %if.end37.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %step.i.i.i) #14
  store ptr %arrayidx.i32.i, ptr %step.i.i.i, align 8
  store ptr null, ptr %sides.i.i.i, align 8
  %47 = load ptr, ptr %arrayidx2.i.i, align 8
  store ptr %47, ptr %arrayinit.element.i.i.i, align 8
  %48 = load ptr, ptr %arrayidx24.i.i, align 8
  store ptr %48, ptr %made.i.i.i, align 8
  %has6.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  %49 = load ptr, ptr %has6.i.i.i, align 8
  store ptr %49, ptr %has.i.i.i, align 8
  %50 = load ptr, ptr %has.i.i, align 8
  store ptr %50, ptr %known.i.i.i, align 8
  store i64 0, ptr %place.i.i.i, align 8
  %axes.i.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i.i, i64 16
  store ptr %axes.i.i.i.i, ptr %axes.i.i.i, align 8
  %51 = load i64, ptr %add.ptr.i.i.i.i, align 8
  %arrayidx4.i.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i.i, i64 8
  %52 = load i64, ptr %arrayidx4.i.i.i.i, align 8
  call fastcc void @walk_axes(ptr noundef nonnull %step.i.i.i, i64 noundef 0, i64 noundef %51, i64 noundef %52) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %step.i.i.i) #14
  br label %for.inc.i.i

cond.false.i.i.i:                                 ; preds = %if.end37.i.i
  br label %cond.end.i.i.i

cond.end.i.i.i:                                   ; preds = %cond.false.i.i.i, %if.end37.i.i
  %.sink.i.i.i = phi i64 [ 24, %cond.false.i.i.i ], [ 48, %if.end37.i.i ]
  %count10.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i32.i, i64 %.sink.i.i.i
  %cond.i.i.i = load i64, ptr %count10.i.i.i, align 8
  %cmp1137.i.i.i = icmp sgt i64 %cond.i.i.i, 0
  br i1 %cmp1137.i.i.i, label %for.body.lr.ph.i.i.i, label %for.inc.i.i

for.body.lr.ph.i.i.i:                             ; preds = %cond.end.i.i.i
  %has23.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  br label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %cleanup.i.i.i, %for.body.lr.ph.i.i.i
  %at.038.i.i.i = phi i64 [ 0, %for.body.lr.ph.i.i.i ], [ %inc.i.i.i, %cleanup.i.i.i ]
  %53 = load i64, ptr %arrayidx.i32.i, align 8
  %cmp14.i.i.i = icmp eq i64 %53, 3
  br i1 %cmp14.i.i.i, label %cond.true15.i.i.i, label %cond.end17.i.i.i

cond.true15.i.i.i:                                ; preds = %for.body.i.i.i
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %add.ptr.i.i.i.i, i64 %at.038.i.i.i
  %54 = load i64, ptr %arrayidx.i.i.i, align 8
  br label %cond.end17.i.i.i

cond.end17.i.i.i:                                 ; preds = %cond.true15.i.i.i, %for.body.i.i.i
  %cond18.i.i.i = phi i64 [ %54, %cond.true15.i.i.i ], [ %at.038.i.i.i, %for.body.i.i.i ]
  %55 = load ptr, ptr %has.i.i, align 8
  %arrayidx20.i.i.i = getelementptr inbounds i8, ptr %55, i64 %cond18.i.i.i
  %56 = load i8, ptr %arrayidx20.i.i.i, align 1
  %loadedv.i.i.i = trunc i8 %56 to i1
  br i1 %loadedv.i.i.i, label %if.end22.i.i.i, label %cleanup.i.i.i

if.end22.i.i.i:                                   ; preds = %cond.end17.i.i.i
  %57 = load ptr, ptr %has23.i.i.i, align 8
  %arrayidx24.i.i.i = getelementptr inbounds nuw i8, ptr %57, i64 %at.038.i.i.i
  store i8 1, ptr %arrayidx24.i.i.i, align 1
  %58 = load i64, ptr %arrayidx.i32.i, align 8
  %cmp26.i.i.i = icmp eq i64 %58, 3
  br i1 %cmp26.i.i.i, label %if.then27.i.i.i, label %if.else.i.i.i

if.then27.i.i.i:                                  ; preds = %if.end22.i.i.i
  %59 = load ptr, ptr %arrayidx24.i.i, align 8
  %mul.i.i.i = mul nuw nsw i64 %at.038.i.i.i, %div1.i35.i.i.i
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %59, i64 %mul.i.i.i
  %60 = load ptr, ptr %arrayidx2.i.i, align 8
  %mul30.i.i.i = mul nsw i64 %cond18.i.i.i, %div1.i.i.i.i
  %add.ptr31.i.i.i = getelementptr inbounds i8, ptr %60, i64 %mul30.i.i.i
  %call32.i.i.i = tail call ptr @memcpy(ptr noundef %add.ptr.i.i.i, ptr noundef %add.ptr31.i.i.i, i64 noundef %div1.i.i.i.i) #15
  br label %cleanup.i.i.i

if.else.i.i.i:                                    ; preds = %if.end22.i.i.i
  %61 = load ptr, ptr %arrayidx2.i.i, align 8
  %mul34.i.i.i = mul nsw i64 %cond18.i.i.i, %div1.i.i.i.i
  %add.ptr35.i.i.i = getelementptr inbounds i8, ptr %61, i64 %mul34.i.i.i
  %62 = load ptr, ptr %arrayidx24.i.i, align 8
  %mul37.i.i.i = mul nuw nsw i64 %at.038.i.i.i, %div1.i35.i.i.i
  %add.ptr38.i.i.i = getelementptr inbounds nuw i8, ptr %62, i64 %mul37.i.i.i
  %63 = load i64, ptr %dtype.i.i.i, align 8
  %shr.i.i.i.i.i = lshr i64 %63, 8
  %and.i.i.i.i.i = and i64 %shr.i.i.i.i.i, 255
  %add.i.i.i.i.i = add nuw nsw i64 %and.i.i.i.i.i, 7
  %div1.i.i.i.i.i = lshr i64 %add.i.i.i.i.i, 3
  %cmp.i.i.i.i = icmp eq i64 %58, 5
  br i1 %cmp.i.i.i.i, label %land.rhs.i.i.i.i, label %if.else.i.i.i.i

land.rhs.i.i.i.i:                                 ; preds = %if.else.i.i.i, %while.body.i.i.i.i
  %code.018.i.i.i.i = phi i64 [ %inc.i.i.i.i, %while.body.i.i.i.i ], [ 0, %if.else.i.i.i ]
  %mul.i.i.i.i = mul nuw nsw i64 %code.018.i.i.i.i, %div1.i.i.i.i.i
  %add.ptr.i36.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i.i, i64 %mul.i.i.i.i
  %call2.i.i.i.i = tail call signext i32 @memcmp(ptr noundef readonly %add.ptr.i36.i.i.i, ptr noundef %add.ptr35.i.i.i, i64 noundef %div1.i.i.i.i.i) #13
  %cmp3.not.i.i.i.i = icmp eq i32 %call2.i.i.i.i, 0
  br i1 %cmp3.not.i.i.i.i, label %while.end.i.i.i.i, label %while.body.i.i.i.i

while.body.i.i.i.i:                               ; preds = %land.rhs.i.i.i.i
  %inc.i.i.i.i = add nuw nsw i64 %code.018.i.i.i.i, 1
  %exitcond.not.i.i.i.i = icmp eq i64 %inc.i.i.i.i, 255
  br i1 %exitcond.not.i.i.i.i, label %while.end.i.i.i.i, label %land.rhs.i.i.i.i

while.end.i.i.i.i:                                ; preds = %while.body.i.i.i.i, %land.rhs.i.i.i.i
  %code.0.lcssa.i.i.i.i = phi i64 [ 255, %while.body.i.i.i.i ], [ %code.018.i.i.i.i, %land.rhs.i.i.i.i ]
  %conv.i.i.i.i = trunc i64 %code.0.lcssa.i.i.i.i to i8
  store i8 %conv.i.i.i.i, ptr %add.ptr38.i.i.i, align 1
  br label %cleanup.i.i.i

if.else.i.i.i.i:                                  ; preds = %if.else.i.i.i
  %64 = load i64, ptr %from2.i.i.i, align 8
  %cmp6.i.i.i.i = icmp eq i64 %64, %63
  %cmp9.i.i.i.i = icmp eq i64 %58, 4
  %or.cond.i.i.i.i = and i1 %cmp9.i.i.i.i, %cmp6.i.i.i.i
  br i1 %or.cond.i.i.i.i, label %if.then11.i.i.i.i, label %if.else13.i.i.i.i

if.then11.i.i.i.i:                                ; preds = %if.else.i.i.i.i
  %call12.i.i.i.i = tail call ptr @memcpy(ptr noundef %add.ptr38.i.i.i, ptr noundef %add.ptr35.i.i.i, i64 noundef %div1.i.i.i.i.i) #15
  br label %cleanup.i.i.i

if.else13.i.i.i.i:                                ; preds = %if.else.i.i.i.i
  %call15.i.i.i.i = tail call fastcc double @element_value(i64 noundef %63, ptr noundef %add.ptr35.i.i.i) #16
  %65 = load i64, ptr %from2.i.i.i, align 8
  %66 = load i64, ptr %arrayidx.i32.i, align 8
  %cmp18.i.i.i.i = icmp eq i64 %66, 11
  %fneg.i.i.i.i = fneg double %call15.i.i.i.i
  %cond.i.i.i.i = select i1 %cmp18.i.i.i.i, double %fneg.i.i.i.i, double %call15.i.i.i.i
  tail call fastcc void @store_value(i64 noundef %65, ptr noundef %add.ptr38.i.i.i, double noundef %cond.i.i.i.i) #16
  br label %cleanup.i.i.i

cleanup.i.i.i:                                    ; preds = %if.else13.i.i.i.i, %if.then11.i.i.i.i, %while.end.i.i.i.i, %if.then27.i.i.i, %cond.end17.i.i.i
  %inc.i.i.i = add nuw nsw i64 %at.038.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %inc.i.i.i, %cond.i.i.i
  br i1 %exitcond.not.i.i.i, label %for.inc.i.i, label %for.body.i.i.i

for.inc.i.i:                                      ; preds = %cleanup.i.i.i, %cond.end.i.i.i, %if.then.i.i.i, %if.end18.i33.i, %lor.lhs.false.i.i, %for.body.i31.i
  %cmp.i35.i = icmp slt i64 %at.033.in.i.i, 2
  br i1 %cmp.i35.i, label %if.end27.i, label %for.body.i31.i

if.end27.i:                                       ; preds = %for.inc.i.i, %land.lhs.true32.i.i, %find_holders.exit.i, %if.end.i
  %has_memory.0.in.i = phi i1 [ false, %if.end.i ], [ true, %find_holders.exit.i ], [ true, %for.inc.i.i ], [ false, %land.lhs.true32.i.i ]
  %cmp19.i41.i = icmp sgt i64 %14, 0
  %67 = and i1 %cmp19.i41.i, %cmp12.i
  br i1 %67, label %for.body.i42.i, label %find_in_constant.exit

for.body.i42.i:                                   ; preds = %if.end27.i, %for.inc.i45.i
  %at.010.i.i = phi i64 [ %inc.i46.i, %for.inc.i45.i ], [ 0, %if.end27.i ]
  %arrayidx.i43.i = getelementptr inbounds nuw %struct.array, ptr %call8.i, i64 %at.010.i.i
  %is_owned.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i43.i, i64 16
  %68 = load i8, ptr %is_owned.i.i, align 8
  %loadedv.i44.i = trunc i8 %68 to i1
  br i1 %loadedv.i44.i, label %if.then.i48.i, label %for.inc.i45.i

if.then.i48.i:                                    ; preds = %for.body.i42.i
  %69 = load ptr, ptr %arrayidx.i43.i, align 8
  tail call void @free(ptr noundef %69) #15
  %has.i49.i = getelementptr inbounds nuw i8, ptr %arrayidx.i43.i, i64 8
  %70 = load ptr, ptr %has.i49.i, align 8
  tail call void @free(ptr noundef %70) #15
  br label %for.inc.i45.i

for.inc.i45.i:                                    ; preds = %if.then.i48.i, %for.body.i42.i
  %inc.i46.i = add nuw nsw i64 %at.010.i.i, 1
  %exitcond53.not.i = icmp eq i64 %inc.i46.i, %14
  br i1 %exitcond53.not.i, label %find_in_constant.exit, label %for.body.i42.i

find_in_constant.exit:                            ; preds = %for.inc.i45.i, %if.end27.i
  tail call void @free(ptr noundef %call8.i) #15
  tail call void @free(ptr noundef %call9.i) #15
  tail call void @free(ptr noundef %call11.i) #15
  br i1 %has_memory.0.in.i, label %land.rhs25, label %cond.false40

land.rhs25.critedge:                              ; preds = %if.then17.i
  tail call void @free(ptr noundef nonnull %call8.i) #15
  tail call void @free(ptr noundef nonnull %call9.i) #15
  tail call void @free(ptr noundef nonnull %call11.i) #15
  br label %land.rhs25

land.rhs25:                                       ; preds = %land.rhs25.critedge, %find_in_constant.exit.thread, %find_in_constant.exit
  %call27 = tail call ptr @memchr(ptr noundef nonnull %call10, i32 noundef signext 0, i64 noundef %count.0.lcssa.i) #13
  %cmp28 = icmp eq ptr %call27, null
  br label %for.inc

for.inc:                                          ; preds = %for.cond.i, %for.body, %land.rhs25
  %is_whole.1 = phi i1 [ false, %for.body ], [ %cmp28, %land.rhs25 ], [ false, %for.cond.i ]
  %inc = add nuw nsw i64 %at.058, 1
  br i1 %is_whole.1, label %for.cond.cleanup, label %land.rhs15

cond.false40:                                     ; preds = %find_in_constant.exit, %elements_of.exit
  tail call void @free(ptr noundef %call10) #15
  tail call void @free(ptr noundef %call8) #15
  store ptr null, ptr %made, align 8
  tail call fastcc void @no_memory(ptr noundef nonnull %host) #16
  br label %cond.end42

cond.end42:                                       ; preds = %for.cond.cleanup, %for.cond.cleanup.thread, %cond.false40
  %cond43 = phi i32 [ 2, %cond.false40 ], [ 0, %for.cond.cleanup ], [ 0, %for.cond.cleanup.thread ]
  ret i32 %cond43
}

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #4

define internal fastcc void @write_type(ptr noundef nonnull %text, i32 noundef signext %dtype, i64 noundef %rank, ptr noundef readonly captures(none) %shape) unnamed_addr #5 {
entry:
  %and.i = and i32 %dtype, 65535
  %cmp3.i = icmp ult i32 %dtype, 131072
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i64 %at.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, 30
  br i1 %exitcond.not.i, label %dtype_name.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %entry
  %at.07.i = phi i64 [ 0, %entry ], [ %inc.i, %for.cond.i ]
  %arrayidx.i = getelementptr inbounds nuw %struct.anon, ptr @DTYPES, i64 %at.07.i
  %dtype1.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 28
  %0 = load i32, ptr %dtype1.i, align 4
  %cmp2.i = icmp eq i32 %0, %and.i
  %or.cond.i = and i1 %cmp3.i, %cmp2.i
  br i1 %or.cond.i, label %dtype_name.exit, label %for.cond.i

dtype_name.exit:                                  ; preds = %for.cond.i, %for.body.i
  %1 = phi ptr [ %arrayidx.i, %for.body.i ], [ @.str.8, %for.cond.i ]
  %call1 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 256, ptr noundef nonnull @.str.3, ptr noundef nonnull %1) #15
  %conv = sext i32 %call1 to i64
  %cmp20 = icmp sgt i64 %rank, 0
  br i1 %cmp20, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %cond.end, %dtype_name.exit
  %length.0.lcssa = phi i64 [ %conv, %dtype_name.exit ], [ %cond9, %cond.end ]
  %cmp10 = icmp slt i64 %length.0.lcssa, 256
  br i1 %cmp10, label %cond.true12, label %cond.end19

for.body:                                         ; preds = %dtype_name.exit, %cond.end
  %axis.022 = phi i64 [ %inc, %cond.end ], [ 0, %dtype_name.exit ]
  %length.021 = phi i64 [ %cond9, %cond.end ], [ %conv, %dtype_name.exit ]
  %cmp3 = icmp slt i64 %length.021, 256
  br i1 %cmp3, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length.021
  %sub = sub nsw i64 256, %length.021
  %cmp5 = icmp eq i64 %axis.022, 0
  %cond = select i1 %cmp5, ptr @.str.5, ptr @.str.6
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %axis.022
  %2 = load i64, ptr %arrayidx, align 8
  %call7 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub, ptr noundef nonnull @.str.4, ptr noundef nonnull %cond, i64 noundef %2) #15
  %conv8 = sext i32 %call7 to i64
  %add = add nsw i64 %length.021, %conv8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond9 = phi i64 [ %add, %cond.true ], [ %length.021, %for.body ]
  %inc = add nuw nsw i64 %axis.022, 1
  %exitcond.not = icmp eq i64 %inc, %rank
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cond.true12:                                      ; preds = %for.cond.cleanup
  %add.ptr13 = getelementptr inbounds i8, ptr %text, i64 %length.0.lcssa
  %sub14 = sub nsw i64 256, %length.0.lcssa
  %call15 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr13, i64 noundef %sub14, ptr noundef nonnull @.str.7) #15
  br label %cond.end19

cond.end19:                                       ; preds = %for.cond.cleanup, %cond.true12
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #6

define internal fastcc void @digest_bytes(ptr noundef nonnull %sha, ptr noundef %data, i64 noundef %bytes) unnamed_addr #4 {
entry:
  %words.i = alloca [64 x i32], align 4
  %v.i = alloca [8 x i32], align 4
  %cmp.not14 = icmp eq i64 %bytes, 0
  br i1 %cmp.not14, label %while.end, label %while.body.lr.ph

while.body.lr.ph:                                 ; preds = %entry
  %bytes1 = getelementptr inbounds nuw i8, ptr %sha, i64 96
  %block = getelementptr inbounds nuw i8, ptr %sha, i64 32
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %v.i, i64 28
  %arrayidx4.i = getelementptr inbounds nuw i8, ptr %v.i, i64 16
  %arrayidx12.i = getelementptr inbounds nuw i8, ptr %v.i, i64 20
  %arrayidx14.i = getelementptr inbounds nuw i8, ptr %v.i, i64 24
  %arrayidx32.i = getelementptr inbounds nuw i8, ptr %v.i, i64 4
  %arrayidx35.i = getelementptr inbounds nuw i8, ptr %v.i, i64 8
  br label %while.body

while.body:                                       ; preds = %while.body.lr.ph, %if.end
  %bytes.addr.016 = phi i64 [ %bytes, %while.body.lr.ph ], [ %sub6, %if.end ]
  %from.015 = phi ptr [ %data, %while.body.lr.ph ], [ %add.ptr5, %if.end ]
  %0 = load i64, ptr %bytes1, align 8
  %rem = and i64 %0, 63
  %sub = sub nuw nsw i64 64, %rem
  %cond = call i64 @llvm.umin.i64(i64 %bytes.addr.016, i64 %sub)
  %add.ptr = getelementptr inbounds nuw i8, ptr %block, i64 %rem
  %call = call ptr @memcpy(ptr noundef nonnull %add.ptr, ptr noundef %from.015, i64 noundef %cond) #15
  %1 = load i64, ptr %bytes1, align 8
  %add = add i64 %cond, %1
  store i64 %add, ptr %bytes1, align 8
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %from.015, i64 %cond
  %sub6 = sub i64 %bytes.addr.016, %cond
  %rem8 = and i64 %add, 63
  %cmp9 = icmp eq i64 %rem8, 0
  br i1 %cmp9, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
  call void @llvm.lifetime.start.p0(ptr nonnull %words.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %v.i) #14
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.body.i.i, %if.then
  %indvars.iv.i.i = phi i64 [ 0, %if.then ], [ %indvars.iv.next.i.i, %for.body.i.i ]
  %2 = shl nuw nsw i64 %indvars.iv.i.i, 2
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %block, i64 %2
  %3 = load i8, ptr %arrayidx.i.i, align 1
  %conv.i.i = zext i8 %3 to i32
  %shl.i.i = shl nuw i32 %conv.i.i, 24
  %arrayidx3.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 1
  %4 = load i8, ptr %arrayidx3.i.i, align 1
  %conv4.i.i = zext i8 %4 to i32
  %shl5.i.i = shl nuw nsw i32 %conv4.i.i, 16
  %or.i.i = or disjoint i32 %shl5.i.i, %shl.i.i
  %arrayidx9.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 2
  %5 = load i8, ptr %arrayidx9.i.i, align 1
  %conv10.i.i = zext i8 %5 to i32
  %shl11.i.i = shl nuw nsw i32 %conv10.i.i, 8
  %or12.i.i = or disjoint i32 %or.i.i, %shl11.i.i
  %arrayidx16.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 3
  %6 = load i8, ptr %arrayidx16.i.i, align 1
  %conv17.i.i = zext i8 %6 to i32
  %or18.i.i = or disjoint i32 %or12.i.i, %conv17.i.i
  %arrayidx20.i.i = getelementptr inbounds nuw i32, ptr %words.i, i64 %indvars.iv.i.i
  store i32 %or18.i.i, ptr %arrayidx20.i.i, align 4
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, 16
  br i1 %exitcond.not.i.i, label %for.body26.i.i, label %for.body.i.i

for.body26.i.i:                                   ; preds = %for.body.i.i, %for.body26.i.i
  %indvars.iv32.i.i = phi i64 [ %indvars.iv.next33.i.i, %for.body26.i.i ], [ 16, %for.body.i.i ]
  %7 = getelementptr i32, ptr %words.i, i64 %indvars.iv32.i.i
  %arrayidx28.i.i = getelementptr i8, ptr %7, i64 -60
  %8 = load i32, ptr %arrayidx28.i.i, align 4
  %arrayidx31.i.i = getelementptr i8, ptr %7, i64 -8
  %9 = load i32, ptr %arrayidx31.i.i, align 4
  %arrayidx34.i.i = getelementptr i8, ptr %7, i64 -64
  %10 = load i32, ptr %arrayidx34.i.i, align 4
  %arrayidx37.i.i = getelementptr i8, ptr %7, i64 -28
  %11 = load i32, ptr %arrayidx37.i.i, align 4
  %add38.i.i = add i32 %11, %10
  %or.i.i.i = call i32 @llvm.fshl.i32(i32 %8, i32 %8, i32 25)
  %or.i25.i.i = call i32 @llvm.fshl.i32(i32 %8, i32 %8, i32 14)
  %xor.i.i = xor i32 %or.i.i.i, %or.i25.i.i
  %shr.i.i = lshr i32 %8, 3
  %xor40.i.i = xor i32 %xor.i.i, %shr.i.i
  %add41.i.i = add i32 %add38.i.i, %xor40.i.i
  %or.i26.i.i = call i32 @llvm.fshl.i32(i32 %9, i32 %9, i32 15)
  %or.i27.i.i = call i32 @llvm.fshl.i32(i32 %9, i32 %9, i32 13)
  %xor44.i.i = xor i32 %or.i26.i.i, %or.i27.i.i
  %shr45.i.i = lshr i32 %9, 10
  %xor46.i.i = xor i32 %xor44.i.i, %shr45.i.i
  %add47.i.i = add i32 %add41.i.i, %xor46.i.i
  store i32 %add47.i.i, ptr %7, align 4
  %indvars.iv.next33.i.i = add nuw nsw i64 %indvars.iv32.i.i, 1
  %exitcond35.not.i.i = icmp eq i64 %indvars.iv.next33.i.i, 64
  br i1 %exitcond35.not.i.i, label %expand_block.exit.i, label %for.body26.i.i

expand_block.exit.i:                              ; preds = %for.body26.i.i
  %call.i = call ptr @memcpy(ptr noundef nonnull %v.i, ptr noundef nonnull %sha, i64 noundef 32) #15
  %.pre.i = load i32, ptr %arrayidx4.i, align 4
  %.pre24.i = load i32, ptr %v.i, align 4
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %expand_block.exit.i
  %12 = phi i32 [ %.pre24.i, %expand_block.exit.i ], [ %add48.i, %for.body.i ]
  %13 = phi i32 [ %.pre.i, %expand_block.exit.i ], [ %add47.i, %for.body.i ]
  %indvars.iv.i = phi i64 [ 0, %expand_block.exit.i ], [ %indvars.iv.next.i, %for.body.i ]
  %14 = load i32, ptr %arrayidx.i, align 4
  %or.i11.i = call i32 @llvm.fshl.i32(i32 %13, i32 %13, i32 26)
  %or.i12.i = call i32 @llvm.fshl.i32(i32 %13, i32 %13, i32 21)
  %xor.i = xor i32 %or.i11.i, %or.i12.i
  %or.i13.i = call i32 @llvm.fshl.i32(i32 %13, i32 %13, i32 7)
  %xor10.i = xor i32 %xor.i, %or.i13.i
  %add.i = add i32 %xor10.i, %14
  %15 = load i32, ptr %arrayidx12.i, align 4
  %and.i = and i32 %15, %13
  %not.i = xor i32 %13, -1
  %16 = load i32, ptr %arrayidx14.i, align 4
  %and15.i = and i32 %16, %not.i
  %xor16.i = or i32 %and15.i, %and.i
  %arrayidx18.i = getelementptr inbounds nuw i32, ptr @ROUND_KEYS, i64 %indvars.iv.i
  %17 = load i32, ptr %arrayidx18.i, align 4
  %arrayidx21.i = getelementptr inbounds nuw i32, ptr %words.i, i64 %indvars.iv.i
  %18 = load i32, ptr %arrayidx21.i, align 4
  %add17.i = add i32 %add.i, %17
  %add19.i = add i32 %add17.i, %xor16.i
  %add22.i = add i32 %add19.i, %18
  %or.i14.i = call i32 @llvm.fshl.i32(i32 %12, i32 %12, i32 30)
  %or.i15.i = call i32 @llvm.fshl.i32(i32 %12, i32 %12, i32 19)
  %xor27.i = xor i32 %or.i14.i, %or.i15.i
  %or.i16.i = call i32 @llvm.fshl.i32(i32 %12, i32 %12, i32 10)
  %xor30.i = xor i32 %xor27.i, %or.i16.i
  %19 = load i32, ptr %arrayidx32.i, align 4
  %20 = load i32, ptr %arrayidx35.i, align 4
  %and3610.i = xor i32 %20, %19
  %xor37.i = and i32 %and3610.i, %12
  %and40.i = and i32 %20, %19
  %xor41.i = xor i32 %xor37.i, %and40.i
  %call45.i = call ptr @memmove(ptr noundef nonnull %arrayidx32.i, ptr noundef nonnull %v.i, i64 noundef 28) #15
  %21 = load i32, ptr %arrayidx4.i, align 4
  %add47.i = add i32 %21, %add22.i
  store i32 %add47.i, ptr %arrayidx4.i, align 4
  %add42.i = add i32 %add22.i, %xor30.i
  %add48.i = add i32 %add42.i, %xor41.i
  store i32 %add48.i, ptr %v.i, align 4
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 64
  br i1 %exitcond.not.i, label %for.body54.i, label %for.body.i

for.body54.i:                                     ; preds = %for.body.i, %for.body54.i
  %indvars.iv20.i = phi i64 [ %indvars.iv.next21.i, %for.body54.i ], [ 0, %for.body.i ]
  %arrayidx56.i = getelementptr inbounds nuw i32, ptr %v.i, i64 %indvars.iv20.i
  %22 = load i32, ptr %arrayidx56.i, align 4
  %arrayidx59.i = getelementptr inbounds nuw i32, ptr %sha, i64 %indvars.iv20.i
  %23 = load i32, ptr %arrayidx59.i, align 4
  %add60.i = add i32 %23, %22
  store i32 %add60.i, ptr %arrayidx59.i, align 4
  %indvars.iv.next21.i = add nuw nsw i64 %indvars.iv20.i, 1
  %exitcond23.not.i = icmp eq i64 %indvars.iv.next21.i, 8
  br i1 %exitcond23.not.i, label %digest_block.exit, label %for.body54.i

digest_block.exit:                                ; preds = %for.body54.i
  call void @llvm.lifetime.end.p0(ptr nonnull %v.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %words.i) #14
  br label %if.end

if.end:                                           ; preds = %digest_block.exit, %while.body
  %cmp.not = icmp eq i64 %sub6, 0
  br i1 %cmp.not, label %while.end, label %while.body

while.end:                                        ; preds = %if.end, %entry
  ret void
}

define internal fastcc void @refuse_param(ptr noundef readonly captures(none) %host, ptr noundef %name, ptr noundef %reason) unnamed_addr #5 {
entry:
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %0 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %1 = load ptr, ptr %module, align 8
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %0, i64 noundef 1024, ptr noundef nonnull @.str.10, ptr noundef %1, ptr noundef %name, ptr noundef %reason) #15
  ret void
}

declare ptr @memmove(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #4

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

define internal fastcc void @write_names(ptr noundef nonnull readonly captures(none) %own, ptr noundef readonly captures(none) %constant, i32 noundef signext range(i32 0, 3) %wanted, ptr noundef nonnull initializes((0, 1)) %text, i64 noundef range(i64 256, 513) %room) unnamed_addr #5 {
entry:
  %0 = load ptr, ptr %own, align 8
  %1 = load ptr, ptr %0, align 8
  %params2 = getelementptr inbounds nuw i8, ptr %constant, i64 24
  %2 = load i64, ptr %params2, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %1, i64 %2
  store i8 0, ptr %text, align 1
  %param_count = getelementptr inbounds nuw i8, ptr %constant, i64 32
  %3 = load i64, ptr %param_count, align 8
  %cmp29 = icmp sgt i64 %3, 0
  br i1 %cmp29, label %for.body.lr.ph, label %if.end47

for.body.lr.ph:                                   ; preds = %entry
  %params1.i.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %cmp6.not = icmp eq i32 %wanted, 0
  %given = getelementptr inbounds nuw i8, ptr %own, i64 8
  %4 = icmp ne i32 %wanted, 1
  %sub = add nsw i64 %room, -40
  br label %for.body

for.cond.cleanup:                                 ; preds = %cleanup
  %cmp35 = icmp sgt i64 %left.1, 0
  br i1 %cmp35, label %if.then37, label %if.end47

for.body:                                         ; preds = %for.body.lr.ph, %cleanup
  %.pre34 = phi i64 [ %3, %for.body.lr.ph ], [ %.pre35, %cleanup ]
  %5 = phi i64 [ %3, %for.body.lr.ph ], [ %11, %cleanup ]
  %length.032 = phi i64 [ 0, %for.body.lr.ph ], [ %length.1, %cleanup ]
  %left.031 = phi i64 [ 0, %for.body.lr.ph ], [ %left.1, %cleanup ]
  %at.030 = phi i64 [ 0, %for.body.lr.ph ], [ %inc33, %cleanup ]
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %at.030
  %6 = load i64, ptr %arrayidx3, align 8
  %cmp.i.i = icmp sgt i64 %6, -1
  tail call void @llvm.assume(i1 %cmp.i.i)
  %7 = load i64, ptr %params1.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %1, i64 %7
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_params_param, ptr %add.ptr.i.i.i, i64 %6
  %8 = load i64, ptr %arrayidx.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %1, i64 %8
  %cmp5 = icmp eq i64 %length.032, 0
  %cond = select i1 %cmp5, ptr @.str.5, ptr @.str.6
  br i1 %cmp6.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %9 = load ptr, ptr %given, align 8
  %arrayidx8 = getelementptr inbounds nuw ptr, ptr %9, i64 %6
  %10 = load ptr, ptr %arrayidx8, align 8
  %cmp9 = icmp ne ptr %10, null
  %cmp12.not = xor i1 %4, %cmp9
  br i1 %cmp12.not, label %if.end, label %cleanup

if.end:                                           ; preds = %land.lhs.true, %for.body
  %cmp14 = icmp sgt i64 %left.031, 0
  br i1 %cmp14, label %cond.end25, label %cond.false

cond.false:                                       ; preds = %if.end
  %cmp16 = icmp slt i64 %length.032, %sub
  br i1 %cmp16, label %cond.true18, label %cond.end25

cond.true18:                                      ; preds = %cond.false
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length.032
  %sub20 = sub nsw i64 %sub, %length.032
  %call21 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub20, ptr noundef nonnull @.str.13, ptr noundef nonnull %cond, ptr noundef nonnull %add.ptr.i.i) #15
  %conv22 = sext i32 %call21 to i64
  %add = add nsw i64 %length.032, %conv22
  %.pre.pre = load i64, ptr %param_count, align 8
  br label %cond.end25

cond.end25:                                       ; preds = %cond.false, %if.end, %cond.true18
  %.pre = phi i64 [ %.pre34, %if.end ], [ %.pre.pre, %cond.true18 ], [ %.pre34, %cond.false ]
  %cond26 = phi i64 [ %room, %if.end ], [ %add, %cond.true18 ], [ %length.032, %cond.false ]
  %cmp28 = icmp sge i64 %cond26, %sub
  %inc = zext i1 %cmp28 to i64
  %left.2 = add nsw i64 %left.031, %inc
  %length.2 = select i1 %cmp28, i64 %length.032, i64 %cond26
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true, %cond.end25
  %.pre35 = phi i64 [ %.pre, %cond.end25 ], [ %.pre34, %land.lhs.true ]
  %11 = phi i64 [ %.pre, %cond.end25 ], [ %5, %land.lhs.true ]
  %left.1 = phi i64 [ %left.2, %cond.end25 ], [ %left.031, %land.lhs.true ]
  %length.1 = phi i64 [ %length.2, %cond.end25 ], [ %length.032, %land.lhs.true ]
  %inc33 = add nuw nsw i64 %at.030, 1
  %cmp = icmp slt i64 %inc33, %11
  br i1 %cmp, label %for.body, label %for.cond.cleanup

if.then37:                                        ; preds = %for.cond.cleanup
  %add.ptr38 = getelementptr inbounds i8, ptr %text, i64 %length.1
  %sub39 = sub nsw i64 %room, %length.1
  %cmp40 = icmp eq i64 %length.1, 0
  %cond42 = select i1 %cmp40, ptr @.str.5, ptr @.str.15
  %cond45 = select i1 %cmp40, ptr @.str.16, ptr @.str.17
  %call46 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr38, i64 noundef %sub39, ptr noundef nonnull @.str.14, ptr noundef nonnull %cond42, i64 noundef %left.1, ptr noundef nonnull %cond45) #15
  br label %if.end47

if.end47:                                         ; preds = %entry, %if.then37, %for.cond.cleanup
  ret void
}

define internal fastcc zeroext i1 @take_array(ptr noundef captures(none) initializes((0, 17)) %array, ptr noundef readonly captures(none) %node, i1 noundef zeroext %has_marks) unnamed_addr #5 {
entry:
  %count1 = getelementptr inbounds nuw i8, ptr %node, i64 24
  %0 = load i64, ptr %count1, align 8
  %add = add i64 %0, 1
  %is_owned = getelementptr inbounds nuw i8, ptr %array, i64 16
  store i8 1, ptr %is_owned, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %1 = load i64, ptr %dtype, align 8
  %shr.i = lshr i64 %1, 8
  %and.i = and i64 %shr.i, 255
  %add.i = add nuw nsw i64 %and.i, 7
  %div1.i = lshr i64 %add.i, 3
  %call2 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef %div1.i) #15
  store ptr %call2, ptr %array, align 8
  br i1 %has_marks, label %cond.true, label %cond.end

cond.true:                                        ; preds = %entry
  %call3 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 1) #15
  %.pr = load ptr, ptr %array, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %2 = phi ptr [ %call2, %entry ], [ %.pr, %cond.true ]
  %cond = phi ptr [ null, %entry ], [ %call3, %cond.true ]
  %has = getelementptr inbounds nuw i8, ptr %array, i64 8
  store ptr %cond, ptr %has, align 8
  %cmp.not = icmp eq ptr %2, null
  br i1 %cmp.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %cond.end
  %cmp6 = icmp ne ptr %cond, null
  %lnot = xor i1 %has_marks, true
  %3 = or i1 %cmp6, %lnot
  br label %land.end

land.end:                                         ; preds = %land.rhs, %cond.end
  %4 = phi i1 [ false, %cond.end ], [ %3, %land.rhs ]
  ret i1 %4
}

declare ptr @memset(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr #4

define internal noundef zeroext i1 @compute_walk(ptr noundef %table, ptr noundef %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) #4 {
entry:
  %step = alloca %struct.step, align 8
  %0 = load i64, ptr %node, align 8
  %cmp.not = icmp eq i64 %0, 2
  br i1 %cmp.not, label %land.end.thread, label %land.end

land.end.thread:                                  ; preds = %entry
  %a27 = getelementptr inbounds nuw i8, ptr %node, i64 32
  %1 = load i64, ptr %a27, align 8
  %arrayidx8 = getelementptr inbounds %struct.array, ptr %arrays, i64 %1
  %2 = load ptr, ptr %arrayidx8, align 8
  br label %cond.end

land.end:                                         ; preds = %entry
  %b = getelementptr inbounds nuw i8, ptr %node, i64 40
  %3 = load i64, ptr %b, align 8
  %cmp1 = icmp sgt i64 %3, -1
  %a2 = getelementptr inbounds nuw i8, ptr %node, i64 32
  %4 = load i64, ptr %a2, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %4
  %5 = load ptr, ptr %arrayidx, align 8
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:                                        ; preds = %land.end
  %arrayidx5 = getelementptr inbounds nuw %struct.array, ptr %arrays, i64 %3
  %6 = load ptr, ptr %arrayidx5, align 8
  br label %cond.end

cond.end:                                         ; preds = %land.end.thread, %land.end, %cond.true
  %7 = phi ptr [ %5, %cond.true ], [ %5, %land.end ], [ %2, %land.end.thread ]
  %cond = phi ptr [ %6, %cond.true ], [ %5, %land.end ], [ %2, %land.end.thread ]
  call void @llvm.lifetime.start.p0(ptr nonnull %step) #14
  store ptr %node, ptr %step, align 8
  %axes = getelementptr inbounds nuw i8, ptr %step, i64 8
  %sides = getelementptr inbounds nuw i8, ptr %step, i64 16
  store ptr %7, ptr %sides, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %step, i64 24
  store ptr %cond, ptr %arrayinit.element, align 8
  %made8 = getelementptr inbounds nuw i8, ptr %step, i64 32
  store ptr %made, ptr %made8, align 8
  %has = getelementptr inbounds nuw i8, ptr %step, i64 40
  store ptr null, ptr %has, align 8
  %known = getelementptr inbounds nuw i8, ptr %step, i64 48
  store ptr null, ptr %known, align 8
  %place = getelementptr inbounds nuw i8, ptr %step, i64 56
  store i64 0, ptr %place, align 8
  %walk1.i = getelementptr inbounds nuw i8, ptr %node, i64 56
  %8 = load i64, ptr %walk1.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %table, i64 %8
  %axes.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 16
  store ptr %axes.i, ptr %axes, align 8
  %9 = load i64, ptr %add.ptr.i.i, align 8
  %arrayidx4.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 8
  %10 = load i64, ptr %arrayidx4.i, align 8
  call fastcc void @walk_axes(ptr noundef nonnull %step, i64 noundef 0, i64 noundef %9, i64 noundef %10) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %step) #14
  ret i1 true
}

define internal noundef zeroext i1 @compute_scatter(ptr noundef readonly captures(none) %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) #4 {
entry:
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %0 = load i64, ptr %dtype, align 8
  %shr.i = lshr i64 %0, 8
  %and.i = and i64 %shr.i, 255
  %add.i = add nuw nsw i64 %and.i, 7
  %div1.i = lshr i64 %add.i, 3
  %walk = getelementptr inbounds nuw i8, ptr %node, i64 56
  %1 = load i64, ptr %walk, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %table, i64 %1
  %rank = getelementptr inbounds nuw i8, ptr %node, i64 48
  %2 = load i64, ptr %rank, align 8
  %cmp9 = icmp sgt i64 %2, 0
  br i1 %cmp9, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %a = getelementptr inbounds nuw i8, ptr %node, i64 32
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret i1 true

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %at.010 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %add.ptr.i, i64 %at.010
  %3 = load i64, ptr %arrayidx, align 8
  %mul = mul nsw i64 %3, %div1.i
  %add.ptr = getelementptr inbounds i8, ptr %made, i64 %mul
  %4 = load i64, ptr %a, align 8
  %arrayidx2 = getelementptr inbounds %struct.array, ptr %arrays, i64 %4
  %5 = load ptr, ptr %arrayidx2, align 8
  %mul3 = mul nuw nsw i64 %at.010, %div1.i
  %add.ptr4 = getelementptr inbounds nuw i8, ptr %5, i64 %mul3
  %call5 = tail call ptr @memcpy(ptr noundef %add.ptr, ptr noundef %add.ptr4, i64 noundef %div1.i) #15
  %inc = add nuw nsw i64 %at.010, 1
  %6 = load i64, ptr %rank, align 8
  %cmp = icmp slt i64 %inc, %6
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

define internal noundef zeroext i1 @compute_convert(ptr readnone captures(none) %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) #4 {
entry:
  %from1 = getelementptr inbounds nuw i8, ptr %node, i64 8
  %0 = load i64, ptr %from1, align 8
  %shr.i = lshr i64 %0, 8
  %and.i = and i64 %shr.i, 255
  %add.i = add nuw nsw i64 %and.i, 7
  %div1.i = lshr i64 %add.i, 3
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %1 = load i64, ptr %dtype, align 8
  %shr.i18 = lshr i64 %1, 8
  %and.i19 = and i64 %shr.i18, 255
  %add.i20 = add nuw nsw i64 %and.i19, 7
  %div1.i21 = lshr i64 %add.i20, 3
  %count = getelementptr inbounds nuw i8, ptr %node, i64 24
  %2 = load i64, ptr %count, align 8
  %cmp.not22 = icmp slt i64 %2, 1
  br i1 %cmp.not22, label %cleanup16, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %a = getelementptr inbounds nuw i8, ptr %node, i64 32
  %b = getelementptr inbounds nuw i8, ptr %node, i64 40
  br label %for.body

for.cond:                                         ; preds = %for.body
  %inc = add nuw nsw i64 %at.023, 1
  %3 = load i64, ptr %count, align 8
  %cmp.not.not = icmp slt i64 %inc, %3
  br i1 %cmp.not.not, label %for.body, label %cleanup16

for.body:                                         ; preds = %for.body.lr.ph, %for.cond
  %at.023 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.cond ]
  %4 = load i64, ptr %from1, align 8
  %5 = load i64, ptr %a, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %5
  %6 = load ptr, ptr %arrayidx, align 8
  %mul = mul nuw nsw i64 %at.023, %div1.i
  %add.ptr = getelementptr inbounds nuw i8, ptr %6, i64 %mul
  %call4 = tail call fastcc double @element_value(i64 noundef %4, ptr noundef %add.ptr) #16
  %7 = load i64, ptr %dtype, align 8
  %mul6 = mul nuw nsw i64 %at.023, %div1.i21
  %add.ptr7 = getelementptr inbounds nuw i8, ptr %made, i64 %mul6
  tail call fastcc void @store_value(i64 noundef %7, ptr noundef %add.ptr7, double noundef %call4) #16
  %8 = load i64, ptr %dtype, align 8
  %call11 = tail call fastcc double @element_value(i64 noundef %8, ptr noundef %add.ptr7) #16
  %9 = load i64, ptr %b, align 8
  %cmp12 = icmp ne i64 %9, 1
  %sub = fsub double %call11, %call11
  %cmp13 = fcmp oeq double %sub, 0.000000e+00
  %or.cond.not = select i1 %cmp12, i1 true, i1 %cmp13
  br i1 %or.cond.not, label %for.cond, label %cleanup16

cleanup16:                                        ; preds = %for.body, %for.cond, %entry
  %cmp.not.lcssa = phi i1 [ true, %entry ], [ %or.cond.not, %for.cond ], [ %or.cond.not, %for.body ]
  ret i1 %cmp.not.lcssa
}

define internal noundef zeroext i1 @compute_lookup(ptr noundef %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) #4 {
entry:
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %0 = load i64, ptr %dtype, align 8
  %shr.i = lshr i64 %0, 8
  %and.i = and i64 %shr.i, 255
  %add.i = add nuw nsw i64 %and.i, 7
  %div1.i = lshr i64 %add.i, 3
  %walk = getelementptr inbounds nuw i8, ptr %node, i64 56
  %1 = load i64, ptr %walk, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %table, i64 %1
  %a = getelementptr inbounds nuw i8, ptr %node, i64 32
  %2 = load i64, ptr %a, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %2
  %3 = load ptr, ptr %arrayidx, align 8
  %count = getelementptr inbounds nuw i8, ptr %node, i64 24
  %4 = load i64, ptr %count, align 8
  %cmp9 = icmp sgt i64 %4, 0
  br i1 %cmp9, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret i1 true

for.body:                                         ; preds = %entry, %for.body
  %at.010 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %mul = mul nuw nsw i64 %at.010, %div1.i
  %add.ptr = getelementptr inbounds nuw i8, ptr %made, i64 %mul
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %3, i64 %at.010
  %5 = load i8, ptr %arrayidx2, align 1
  %conv = zext i8 %5 to i64
  %mul3 = mul nuw nsw i64 %div1.i, %conv
  %add.ptr4 = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %mul3
  %call5 = tail call ptr @memcpy(ptr noundef %add.ptr, ptr noundef %add.ptr4, i64 noundef %div1.i) #15
  %inc = add nuw nsw i64 %at.010, 1
  %6 = load i64, ptr %count, align 8
  %cmp = icmp slt i64 %inc, %6
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

define internal noundef zeroext i1 @compute_windows(ptr noundef readonly captures(none) %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef writeonly captures(none) %made) #8 {
entry:
  %product.i25.i = alloca double, align 8
  %product.i.i = alloca double, align 8
  %half.i = alloca [16 x [3 x double]], align 8
  %column.i = alloca [3 x double], align 8
  %count = getelementptr inbounds nuw i8, ptr %node, i64 24
  %0 = load i64, ptr %count, align 8
  %rank = getelementptr inbounds nuw i8, ptr %node, i64 48
  %1 = load i64, ptr %rank, align 8
  %mul = mul nsw i64 %1, %1
  %div = sdiv i64 %0, %mul
  %a2 = getelementptr inbounds nuw i8, ptr %node, i64 32
  %2 = load i64, ptr %a2, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %2
  %3 = load ptr, ptr %arrayidx, align 8
  %walk = getelementptr inbounds nuw i8, ptr %node, i64 56
  %4 = load i64, ptr %walk, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %table, i64 %4
  call void @llvm.lifetime.start.p0(ptr nonnull %half.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %column.i) #14
  %cmp50.i = icmp sgt i64 %div, 0
  br i1 %cmp50.i, label %for.cond1.preheader.lr.ph.i, label %transform_windows.exit

for.cond1.preheader.lr.ph.i:                      ; preds = %entry
  %cmp1439.i = icmp sgt i64 %1, 0
  %arrayidx3.i.i = getelementptr inbounds nuw i8, ptr %column.i, i64 8
  %arrayidx6.i.i = getelementptr inbounds nuw i8, ptr %column.i, i64 16
  br label %for.cond1.preheader.i

for.cond1.preheader.i:                            ; preds = %for.cond.cleanup32.i, %for.cond1.preheader.lr.ph.i
  %pair.051.i = phi i64 [ 0, %for.cond1.preheader.lr.ph.i ], [ %inc57.i, %for.cond.cleanup32.i ]
  %invariant.gep.i = getelementptr float, ptr %3, i64 %pair.051.i
  br label %for.cond5.preheader.i

for.cond29.preheader.i:                           ; preds = %for.cond.cleanup16.i
  %invariant.gep44.i = getelementptr float, ptr %made, i64 %pair.051.i
  br label %for.cond34.preheader.i

for.cond5.preheader.i:                            ; preds = %for.cond5.preheader.i.backedge, %for.cond1.preheader.i
  %indvars.iv56.i = phi i64 [ 0, %for.cond1.preheader.i ], [ %indvars.iv56.i.be, %for.cond5.preheader.i.backedge ]
  br label %for.body8.i

for.cond13.preheader.i:                           ; preds = %for.body8.i
  br i1 %cmp1439.i, label %for.body17.lr.ph.i, label %for.cond.cleanup16.thread.i

for.body17.lr.ph.i:                               ; preds = %for.cond13.preheader.i
  %5 = load double, ptr %column.i, align 8
  %6 = load double, ptr %arrayidx3.i.i, align 8
  %7 = load double, ptr %arrayidx6.i.i, align 8
  %invariant.gep41.i = getelementptr inbounds nuw double, ptr %half.i, i64 %indvars.iv56.i
  br label %for.body17.i

for.body8.i:                                      ; preds = %for.body8.i, %for.cond5.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.cond5.preheader.i ], [ %indvars.iv.next.i, %for.body8.i ]
  %8 = mul nuw nsw i64 %indvars.iv.i, 3
  %9 = add nuw nsw i64 %8, %indvars.iv56.i
  %mul9.i = mul nuw nsw i64 %9, %div
  %gep.i = getelementptr float, ptr %invariant.gep.i, i64 %mul9.i
  %10 = load float, ptr %gep.i, align 4
  %conv11.i = fpext float %10 to double
  %arrayidx12.i = getelementptr inbounds nuw double, ptr %column.i, i64 %indvars.iv.i
  store double %conv11.i, ptr %arrayidx12.i, align 8
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 3
  br i1 %exitcond.not.i, label %for.cond13.preheader.i, label %for.body8.i

for.cond.cleanup16.i:                             ; preds = %for.body17.i
  %indvars.iv.next57.i = add nuw nsw i64 %indvars.iv56.i, 1
  %exitcond59.not.i = icmp eq i64 %indvars.iv.next57.i, 3
  br i1 %exitcond59.not.i, label %for.cond29.preheader.i, label %for.cond5.preheader.i.backedge

for.cond.cleanup16.thread.i:                      ; preds = %for.cond13.preheader.i
  %indvars.iv.next5763.i = add nuw nsw i64 %indvars.iv56.i, 1
  %exitcond59.not64.i = icmp eq i64 %indvars.iv.next5763.i, 3
  br i1 %exitcond59.not64.i, label %for.cond.cleanup32.i, label %for.cond5.preheader.i.backedge

for.cond5.preheader.i.backedge:                   ; preds = %for.cond.cleanup16.thread.i, %for.cond.cleanup16.i
  %indvars.iv56.i.be = phi i64 [ %indvars.iv.next57.i, %for.cond.cleanup16.i ], [ %indvars.iv.next5763.i, %for.cond.cleanup16.thread.i ]
  br label %for.cond5.preheader.i

for.body17.i:                                     ; preds = %for.body17.i, %for.body17.lr.ph.i
  %p.040.i = phi i64 [ 0, %for.body17.lr.ph.i ], [ %inc23.i, %for.body17.i ]
  %add.ptr.idx.i = mul nuw nsw i64 %p.040.i, 24
  %add.ptr.i6 = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %add.ptr.idx.i
  call void @llvm.lifetime.start.p0(ptr nonnull %product.i.i)
  %11 = load double, ptr %add.ptr.i6, align 8
  %mul.i.i = fmul double %5, %11
  store volatile double %mul.i.i, ptr %product.i.i, align 8
  %product.i.i.0.product.i.i.0.product.i.i.0.product.i.0.product.i.0.product.0.product.0.product.0..i.i = load volatile double, ptr %product.i.i, align 8
  %arrayidx2.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i6, i64 8
  %12 = load double, ptr %arrayidx2.i.i, align 8
  %mul4.i.i = fmul double %6, %12
  store volatile double %mul4.i.i, ptr %product.i.i, align 8
  %product.i.i.0.product.i.i.0.product.i.i.0.product.i.0.product.i.0.product.0.product.0.product.0.2.i.i = load volatile double, ptr %product.i.i, align 8
  %add.i.i = fadd double %product.i.i.0.product.i.i.0.product.i.i.0.product.i.0.product.i.0.product.0.product.0.product.0..i.i, %product.i.i.0.product.i.i.0.product.i.i.0.product.i.0.product.i.0.product.0.product.0.product.0.2.i.i
  %arrayidx5.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i6, i64 16
  %13 = load double, ptr %arrayidx5.i.i, align 8
  %mul7.i.i = fmul double %7, %13
  store volatile double %mul7.i.i, ptr %product.i.i, align 8
  %product.i.i.0.product.i.i.0.product.i.i.0.product.i.0.product.i.0.product.0.product.0.product.0.3.i.i = load volatile double, ptr %product.i.i, align 8
  %add8.i.i = fadd double %add.i.i, %product.i.i.0.product.i.i.0.product.i.i.0.product.i.0.product.i.0.product.0.product.0.product.0.3.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %product.i.i)
  %gep42.i = getelementptr inbounds nuw [3 x double], ptr %invariant.gep41.i, i64 %p.040.i
  store double %add8.i.i, ptr %gep42.i, align 8
  %inc23.i = add nuw nsw i64 %p.040.i, 1
  %exitcond55.not.i = icmp eq i64 %inc23.i, %1
  br i1 %exitcond55.not.i, label %for.cond.cleanup16.i, label %for.body17.i

for.cond34.preheader.i:                           ; preds = %for.cond.cleanup37.i, %for.cond29.preheader.i
  %p28.049.i = phi i64 [ 0, %for.cond29.preheader.i ], [ %inc54.i, %for.cond.cleanup37.i ]
  %arrayidx41.i = getelementptr inbounds nuw [3 x double], ptr %half.i, i64 %p28.049.i
  %14 = load double, ptr %arrayidx41.i, align 8
  %arrayidx3.i29.i = getelementptr inbounds nuw i8, ptr %arrayidx41.i, i64 8
  %arrayidx6.i34.i = getelementptr inbounds nuw i8, ptr %arrayidx41.i, i64 16
  %mul45.i = mul nuw nsw i64 %p28.049.i, %1
  br label %for.body38.i

for.cond.cleanup32.i:                             ; preds = %for.cond.cleanup16.thread.i, %for.cond.cleanup37.i
  %inc57.i = add nuw nsw i64 %pair.051.i, 1
  %exitcond62.not.i = icmp eq i64 %inc57.i, %div
  br i1 %exitcond62.not.i, label %transform_windows.exit, label %for.cond1.preheader.i

for.cond.cleanup37.i:                             ; preds = %for.body38.i
  %inc54.i = add nuw nsw i64 %p28.049.i, 1
  %exitcond61.not.i = icmp eq i64 %inc54.i, %1
  br i1 %exitcond61.not.i, label %for.cond.cleanup32.i, label %for.cond34.preheader.i

for.body38.i:                                     ; preds = %for.body38.i, %for.cond34.preheader.i
  %q.047.i = phi i64 [ 0, %for.cond34.preheader.i ], [ %inc51.i, %for.body38.i ]
  %add.ptr40.idx.i = mul nuw nsw i64 %q.047.i, 24
  %add.ptr40.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %add.ptr40.idx.i
  call void @llvm.lifetime.start.p0(ptr nonnull %product.i25.i)
  %15 = load double, ptr %add.ptr40.i, align 8
  %mul.i26.i = fmul double %14, %15
  store volatile double %mul.i26.i, ptr %product.i25.i, align 8
  %product.i25.i.0.product.i25.i.0.product.i25.i.0.product.i25.0.product.i25.0.product.0.product.0.product.0..i27.i = load volatile double, ptr %product.i25.i, align 8
  %arrayidx2.i28.i = getelementptr inbounds nuw i8, ptr %add.ptr40.i, i64 8
  %16 = load double, ptr %arrayidx2.i28.i, align 8
  %17 = load double, ptr %arrayidx3.i29.i, align 8
  %mul4.i30.i = fmul double %16, %17
  store volatile double %mul4.i30.i, ptr %product.i25.i, align 8
  %product.i25.i.0.product.i25.i.0.product.i25.i.0.product.i25.0.product.i25.0.product.0.product.0.product.0.2.i31.i = load volatile double, ptr %product.i25.i, align 8
  %add.i32.i = fadd double %product.i25.i.0.product.i25.i.0.product.i25.i.0.product.i25.0.product.i25.0.product.0.product.0.product.0..i27.i, %product.i25.i.0.product.i25.i.0.product.i25.i.0.product.i25.0.product.i25.0.product.0.product.0.product.0.2.i31.i
  %arrayidx5.i33.i = getelementptr inbounds nuw i8, ptr %add.ptr40.i, i64 16
  %18 = load double, ptr %arrayidx5.i33.i, align 8
  %19 = load double, ptr %arrayidx6.i34.i, align 8
  %mul7.i35.i = fmul double %18, %19
  store volatile double %mul7.i35.i, ptr %product.i25.i, align 8
  %product.i25.i.0.product.i25.i.0.product.i25.i.0.product.i25.0.product.i25.0.product.0.product.0.product.0.3.i36.i = load volatile double, ptr %product.i25.i, align 8
  %add8.i37.i = fadd double %add.i32.i, %product.i25.i.0.product.i25.i.0.product.i25.i.0.product.i25.0.product.i25.0.product.0.product.0.product.0.3.i36.i
  call void @llvm.lifetime.end.p0(ptr nonnull %product.i25.i)
  %conv44.i = fptrunc double %add8.i37.i to float
  %add46.i = add nuw nsw i64 %q.047.i, %mul45.i
  %mul47.i = mul nuw nsw i64 %add46.i, %div
  %gep45.i = getelementptr float, ptr %invariant.gep44.i, i64 %mul47.i
  store float %conv44.i, ptr %gep45.i, align 4
  %inc51.i = add nuw nsw i64 %q.047.i, 1
  %exitcond60.not.i = icmp eq i64 %inc51.i, %1
  br i1 %exitcond60.not.i, label %for.cond.cleanup37.i, label %for.body38.i

transform_windows.exit:                           ; preds = %for.cond.cleanup32.i, %entry
  call void @llvm.lifetime.end.p0(ptr nonnull %column.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %half.i) #14
  ret i1 true
}

define internal fastcc void @walk_axes(ptr noundef nonnull captures(none) %step, i64 noundef %axis, i64 noundef %first, i64 noundef %second) unnamed_addr #5 {
entry:
  %axes = getelementptr inbounds nuw i8, ptr %step, i64 8
  %0 = load ptr, ptr %axes, align 8
  %arrayidx = getelementptr inbounds %struct.axis, ptr %0, i64 %axis
  %add = add nsw i64 %axis, 1
  %1 = load ptr, ptr %step, align 8
  %rank = getelementptr inbounds nuw i8, ptr %1, i64 48
  %2 = load i64, ptr %rank, align 8
  %cmp = icmp eq i64 %add, %2
  br i1 %cmp, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %3 = load i64, ptr %arrayidx, align 8
  %cmp959 = icmp sgt i64 %3, 0
  br i1 %cmp959, label %for.body.lr.ph, label %cleanup

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %steps = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  br label %for.body

if.then:                                          ; preds = %entry
  %4 = load i64, ptr %1, align 8
  %cmp2.not = icmp eq i64 %4, 2
  br i1 %cmp2.not, label %if.else, label %if.then3

if.then3:                                         ; preds = %if.then
  %dtype1.i = getelementptr inbounds nuw i8, ptr %1, i64 16
  %5 = load i64, ptr %dtype1.i, align 8
  %shr.i.i = lshr i64 %5, 8
  %and.i.i = and i64 %shr.i.i, 255
  %add.i.i = add nuw nsw i64 %and.i.i, 7
  %div1.i.i = lshr i64 %add.i.i, 3
  %arrayidx.i = getelementptr inbounds ptr, ptr @ARITHMETIC, i64 %4
  %6 = load ptr, ptr %arrayidx.i, align 8
  %7 = load i64, ptr %arrayidx, align 8
  %cmp16.i = icmp sgt i64 %7, 0
  br i1 %cmp16.i, label %for.body.lr.ph.i, label %cleanup

for.body.lr.ph.i:                                 ; preds = %if.then3
  %sides.i = getelementptr inbounds nuw i8, ptr %step, i64 16
  %steps.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %arrayidx9.i = getelementptr inbounds nuw i8, ptr %step, i64 24
  %arrayidx11.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %made.i = getelementptr inbounds nuw i8, ptr %step, i64 32
  %place.i = getelementptr inbounds nuw i8, ptr %step, i64 56
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %at.017.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc20.i, %for.body.i ]
  %8 = load ptr, ptr %sides.i, align 8
  %9 = load i64, ptr %steps.i, align 8
  %mul.i = mul nsw i64 %9, %at.017.i
  %add.i = add nsw i64 %mul.i, %first
  %mul6.i = mul nsw i64 %add.i, %div1.i.i
  %add.ptr.i = getelementptr inbounds i8, ptr %8, i64 %mul6.i
  %call7.i = tail call fastcc double @element_value(i64 noundef %5, ptr noundef %add.ptr.i) #16
  %10 = load ptr, ptr %arrayidx9.i, align 8
  %11 = load i64, ptr %arrayidx11.i, align 8
  %mul12.i = mul nsw i64 %11, %at.017.i
  %add13.i = add nsw i64 %mul12.i, %second
  %mul14.i = mul nsw i64 %add13.i, %div1.i.i
  %add.ptr15.i = getelementptr inbounds i8, ptr %10, i64 %mul14.i
  %call16.i = tail call fastcc double @element_value(i64 noundef %5, ptr noundef %add.ptr15.i) #16
  %12 = load ptr, ptr %made.i, align 8
  %13 = load i64, ptr %place.i, align 8
  %inc.i = add nsw i64 %13, 1
  store i64 %inc.i, ptr %place.i, align 8
  %mul17.i = mul nsw i64 %13, %div1.i.i
  %add.ptr18.i = getelementptr inbounds i8, ptr %12, i64 %mul17.i
  %call19.i = tail call double %6(double noundef %call7.i, double noundef %call16.i) #15
  tail call fastcc void @store_value(i64 noundef %5, ptr noundef %add.ptr18.i, double noundef %call19.i) #16
  %inc20.i = add nuw nsw i64 %at.017.i, 1
  %14 = load i64, ptr %arrayidx, align 8
  %cmp.i = icmp slt i64 %inc20.i, %14
  br i1 %cmp.i, label %for.body.i, label %cleanup

if.else:                                          ; preds = %if.then
  %has = getelementptr inbounds nuw i8, ptr %step, i64 40
  %15 = load ptr, ptr %has, align 8
  %cmp4.not = icmp eq ptr %15, null
  %dtype.i40 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %16 = load i64, ptr %dtype.i40, align 8
  %shr.i.i41 = lshr i64 %16, 8
  %and.i.i42 = and i64 %shr.i.i41, 255
  %add.i.i43 = add nuw nsw i64 %and.i.i42, 7
  %div1.i.i44 = lshr i64 %add.i.i43, 3
  br i1 %cmp4.not, label %if.else6, label %if.then5

if.then5:                                         ; preds = %if.else
  %17 = load i64, ptr %arrayidx, align 8
  %cmp14.i = icmp sgt i64 %17, 0
  br i1 %cmp14.i, label %for.body.lr.ph.i28, label %cleanup

for.body.lr.ph.i28:                               ; preds = %if.then5
  %known.i = getelementptr inbounds nuw i8, ptr %step, i64 48
  %made.i29 = getelementptr inbounds nuw i8, ptr %step, i64 32
  %arrayidx2.i = getelementptr inbounds nuw i8, ptr %step, i64 24
  %steps.i30 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %arrayidx9.i31 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  br label %for.body.i32

for.body.i32:                                     ; preds = %for.inc.i, %for.body.lr.ph.i28
  %18 = phi i64 [ %17, %for.body.lr.ph.i28 ], [ %24, %for.inc.i ]
  %at.017.i33 = phi i64 [ 0, %for.body.lr.ph.i28 ], [ %inc.i35, %for.inc.i ]
  %to.addr.016.i = phi i64 [ %first, %for.body.lr.ph.i28 ], [ %add.i36, %for.inc.i ]
  %from.addr.015.i = phi i64 [ %second, %for.body.lr.ph.i28 ], [ %add10.i, %for.inc.i ]
  %19 = load ptr, ptr %known.i, align 8
  %arrayidx.i34 = getelementptr inbounds i8, ptr %19, i64 %from.addr.015.i
  %20 = load i8, ptr %arrayidx.i34, align 1
  %loadedv.i = trunc i8 %20 to i1
  br i1 %loadedv.i, label %if.then.i, label %for.inc.i

if.then.i:                                        ; preds = %for.body.i32
  %21 = load ptr, ptr %made.i29, align 8
  %mul.i38 = mul nsw i64 %to.addr.016.i, %div1.i.i44
  %add.ptr.i39 = getelementptr inbounds i8, ptr %21, i64 %mul.i38
  %22 = load ptr, ptr %arrayidx2.i, align 8
  %mul3.i = mul nsw i64 %from.addr.015.i, %div1.i.i44
  %add.ptr4.i = getelementptr inbounds i8, ptr %22, i64 %mul3.i
  %call5.i = tail call ptr @memcpy(ptr noundef %add.ptr.i39, ptr noundef %add.ptr4.i, i64 noundef %div1.i.i44) #15
  %23 = load ptr, ptr %has, align 8
  %arrayidx6.i = getelementptr inbounds i8, ptr %23, i64 %to.addr.016.i
  store i8 1, ptr %arrayidx6.i, align 1
  %.pre.i = load i64, ptr %arrayidx, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then.i, %for.body.i32
  %24 = phi i64 [ %18, %for.body.i32 ], [ %.pre.i, %if.then.i ]
  %inc.i35 = add nuw nsw i64 %at.017.i33, 1
  %25 = load i64, ptr %steps.i30, align 8
  %add.i36 = add nsw i64 %25, %to.addr.016.i
  %26 = load i64, ptr %arrayidx9.i31, align 8
  %add10.i = add nsw i64 %26, %from.addr.015.i
  %cmp.i37 = icmp slt i64 %inc.i35, %24
  br i1 %cmp.i37, label %for.body.i32, label %cleanup

if.else6:                                         ; preds = %if.else
  %sides.i45 = getelementptr inbounds nuw i8, ptr %step, i64 16
  %27 = load ptr, ptr %sides.i45, align 8
  %mul.i46 = mul nsw i64 %div1.i.i44, %first
  %add.ptr.i47 = getelementptr inbounds i8, ptr %27, i64 %mul.i46
  %made.i48 = getelementptr inbounds nuw i8, ptr %step, i64 32
  %28 = load ptr, ptr %made.i48, align 8
  %mul1.i = mul nsw i64 %div1.i.i44, %second
  %add.ptr2.i = getelementptr inbounds i8, ptr %28, i64 %mul1.i
  %steps.i49 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %29 = load i64, ptr %steps.i49, align 8
  %mul4.i = mul nsw i64 %div1.i.i44, %29
  %arrayidx6.i50 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %30 = load i64, ptr %arrayidx6.i50, align 8
  %mul7.i = mul nsw i64 %30, %div1.i.i44
  %cmp.i51 = icmp eq i64 %mul4.i, %div1.i.i44
  %cmp8.i = icmp eq i64 %mul7.i, %div1.i.i44
  %or.cond.i = select i1 %cmp.i51, i1 %cmp8.i, i1 false
  br i1 %or.cond.i, label %if.then.i54, label %if.else.i

if.then.i54:                                      ; preds = %if.else6
  %31 = load i64, ptr %arrayidx, align 8
  %mul10.i = mul nsw i64 %31, %div1.i.i44
  %call11.i = tail call ptr @memcpy(ptr noundef %add.ptr2.i, ptr noundef %add.ptr.i47, i64 noundef %mul10.i) #15
  br label %cleanup

if.else.i:                                        ; preds = %if.else6
  %cmp12.i = icmp eq i64 %div1.i.i44, 4
  %32 = load i64, ptr %arrayidx, align 8
  %cmp1532.i = icmp sgt i64 %32, 0
  br i1 %cmp12.i, label %for.cond.preheader.i, label %for.cond23.preheader.i

for.cond23.preheader.i:                           ; preds = %if.else.i
  br i1 %cmp1532.i, label %for.body27.i, label %cleanup

for.cond.preheader.i:                             ; preds = %if.else.i
  br i1 %cmp1532.i, label %for.body.i52, label %cleanup

for.body.i52:                                     ; preds = %for.cond.preheader.i, %for.body.i52
  %at.033.i = phi i64 [ %inc.i53, %for.body.i52 ], [ 0, %for.cond.preheader.i ]
  %mul16.i = mul nsw i64 %at.033.i, %mul7.i
  %add.ptr17.i = getelementptr inbounds i8, ptr %add.ptr2.i, i64 %mul16.i
  %mul18.i = mul nsw i64 %at.033.i, %mul4.i
  %add.ptr19.i = getelementptr inbounds i8, ptr %add.ptr.i47, i64 %mul18.i
  %call20.i = tail call ptr @memcpy(ptr noundef %add.ptr17.i, ptr noundef %add.ptr19.i, i64 noundef 4) #15
  %inc.i53 = add nuw nsw i64 %at.033.i, 1
  %33 = load i64, ptr %arrayidx, align 8
  %cmp15.i = icmp slt i64 %inc.i53, %33
  br i1 %cmp15.i, label %for.body.i52, label %cleanup

for.body27.i:                                     ; preds = %for.cond23.preheader.i, %for.body27.i
  %at22.031.i = phi i64 [ %inc34.i, %for.body27.i ], [ 0, %for.cond23.preheader.i ]
  %mul28.i = mul nsw i64 %at22.031.i, %mul7.i
  %add.ptr29.i = getelementptr inbounds i8, ptr %add.ptr2.i, i64 %mul28.i
  %mul30.i = mul nsw i64 %at22.031.i, %mul4.i
  %add.ptr31.i = getelementptr inbounds i8, ptr %add.ptr.i47, i64 %mul30.i
  %call32.i = tail call ptr @memcpy(ptr noundef %add.ptr29.i, ptr noundef %add.ptr31.i, i64 noundef %div1.i.i44) #15
  %inc34.i = add nuw nsw i64 %at22.031.i, 1
  %34 = load i64, ptr %arrayidx, align 8
  %cmp25.i = icmp slt i64 %inc34.i, %34
  br i1 %cmp25.i, label %for.body27.i, label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %at.060 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %35 = load i64, ptr %steps, align 8
  %mul = mul nsw i64 %35, %at.060
  %add12 = add nsw i64 %mul, %first
  %36 = load i64, ptr %arrayidx14, align 8
  %mul15 = mul nsw i64 %36, %at.060
  %add16 = add nsw i64 %mul15, %second
  tail call fastcc void @walk_axes(ptr noundef %step, i64 noundef %add, i64 noundef %add12, i64 noundef %add16) #16
  %inc = add nuw nsw i64 %at.060, 1
  %37 = load i64, ptr %arrayidx, align 8
  %cmp9 = icmp slt i64 %inc, %37
  br i1 %cmp9, label %for.body, label %cleanup

cleanup:                                          ; preds = %for.body, %for.body.i, %for.inc.i, %for.body27.i, %for.body.i52, %for.cond.preheader, %for.cond.preheader.i, %for.cond23.preheader.i, %if.then.i54, %if.then5, %if.then3
  ret void
}

define internal fastcc double @element_value(i64 noundef %dtype, ptr noundef %from) unnamed_addr #5 {
entry:
  %bits.addr.i = alloca i32, align 4
  %made.i = alloca float, align 4
  %bits.addr.i7.i = alloca i32, align 4
  %made.i8.i = alloca float, align 4
  %bits.addr.i.i = alloca i32, align 4
  %made.i.i = alloca float, align 4
  %single = alloca float, align 4
  %number = alloca double, align 8
  %half = alloca i16, align 2
  call void @llvm.lifetime.start.p0(ptr nonnull %single) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %number) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %half) #14
  switch i64 %dtype, label %if.end4 [
    i64 16386, label %if.then
    i64 8194, label %if.then2
  ]

if.then:                                          ; preds = %entry
  %call = call ptr @memcpy(ptr noundef nonnull %number, ptr noundef %from, i64 noundef 8) #15
  %0 = load double, ptr %number, align 8
  br label %cleanup

if.then2:                                         ; preds = %entry
  %call3 = call ptr @memcpy(ptr noundef nonnull %single, ptr noundef %from, i64 noundef 4) #15
  %1 = load float, ptr %single, align 4
  %conv = fpext float %1 to double
  br label %cleanup

if.end4:                                          ; preds = %entry
  %call5 = call ptr @memcpy(ptr noundef nonnull %half, ptr noundef %from, i64 noundef 2) #15
  %cmp6 = icmp eq i64 %dtype, 4098
  %2 = load i16, ptr %half, align 2
  br i1 %cmp6, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.end4
  %3 = and i16 %2, 32767
  %and2.i = zext nneg i16 %3 to i32
  %shl3.i = shl nuw nsw i32 %and2.i, 13
  %cmp.i = icmp samesign ugt i16 %3, 31743
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %cond.true
  %half.signext.i = sext i16 %2 to i32
  %shl.i = and i32 %half.signext.i, -2147483648
  %or.i = or disjoint i32 %shl.i, %shl3.i
  %or5.i = or disjoint i32 %or.i, 1879048192
  call void @llvm.lifetime.start.p0(ptr nonnull %bits.addr.i.i)
  store i32 %or5.i, ptr %bits.addr.i.i, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %made.i.i) #14
  %call.i.i = call ptr @memcpy(ptr noundef nonnull %made.i.i, ptr noundef nonnull %bits.addr.i.i, i64 noundef 4) #15
  %4 = load float, ptr %made.i.i, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %made.i.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %bits.addr.i.i)
  %conv6.i = fpext float %4 to double
  br label %cleanup

if.end.i:                                         ; preds = %cond.true
  call void @llvm.lifetime.start.p0(ptr nonnull %bits.addr.i7.i)
  store i32 %shl3.i, ptr %bits.addr.i7.i, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %made.i8.i) #14
  %call.i9.i = call ptr @memcpy(ptr noundef nonnull %made.i8.i, ptr noundef nonnull %bits.addr.i7.i, i64 noundef 4) #15
  %5 = load float, ptr %made.i8.i, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %made.i8.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %bits.addr.i7.i)
  %conv8.i = fpext float %5 to double
  %mul.i = fmul double %conv8.i, 0x46F0000000000000
  %fneg.i = fneg double %mul.i
  %cmp96.i = icmp slt i16 %2, 0
  %cond.i = select i1 %cmp96.i, double %fneg.i, double %mul.i
  br label %cleanup

cond.false:                                       ; preds = %if.end4
  %conv9 = zext i16 %2 to i32
  %shl = shl nuw i32 %conv9, 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bits.addr.i)
  store i32 %shl, ptr %bits.addr.i, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %made.i) #14
  %call.i = call ptr @memcpy(ptr noundef nonnull %made.i, ptr noundef nonnull %bits.addr.i, i64 noundef 4) #15
  %6 = load float, ptr %made.i, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %made.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %bits.addr.i)
  %conv11 = fpext float %6 to double
  br label %cleanup

cleanup:                                          ; preds = %if.end.i, %if.then.i, %cond.false, %if.then2, %if.then
  %retval.0 = phi double [ %0, %if.then ], [ %conv, %if.then2 ], [ %conv11, %cond.false ], [ %conv6.i, %if.then.i ], [ %cond.i, %if.end.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %half) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %number) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %single) #14
  ret double %retval.0
}

define internal fastcc void @store_value(i64 noundef %dtype, ptr noundef %to, double noundef %value) unnamed_addr #5 {
entry:
  %single.i = alloca float, align 4
  %bits.i5 = alloca i32, align 4
  %value.addr.i = alloca double, align 8
  %bits.i = alloca i64, align 8
  %value.addr = alloca double, align 8
  %single = alloca float, align 4
  %half = alloca i16, align 2
  store double %value, ptr %value.addr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %single) #14
  %conv = fptrunc double %value to float
  store float %conv, ptr %single, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %half) #14
  switch i64 %dtype, label %cond.false [
    i64 16386, label %if.then
    i64 8194, label %if.then4
    i64 4098, label %cond.true
  ]

if.then:                                          ; preds = %entry
  %call = call ptr @memcpy(ptr noundef %to, ptr noundef nonnull %value.addr, i64 noundef 8) #15
  br label %if.end15

if.then4:                                         ; preds = %entry
  %call5 = call ptr @memcpy(ptr noundef %to, ptr noundef nonnull %single, i64 noundef 4) #15
  br label %if.end15

cond.true:                                        ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %value.addr.i)
  store double %value, ptr %value.addr.i, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %bits.i) #14
  %call.i = call ptr @memcpy(ptr noundef nonnull %bits.i, ptr noundef nonnull %value.addr.i, i64 noundef 8) #15
  %0 = load i64, ptr %bits.i, align 8
  %shr.i = lshr i64 %0, 48
  %1 = trunc nuw i64 %shr.i to i16
  %conv.i = and i16 %1, -32768
  %shr1.i = lshr i64 %0, 52
  %2 = trunc nuw nsw i64 %shr1.i to i32
  %conv3.i = and i32 %2, 2047
  %and4.i = and i64 %0, 4503599627370495
  %cmp.i = icmp eq i32 %conv3.i, 2047
  %cmp6.i = icmp ne i64 %and4.i, 0
  %or.cond.i = and i1 %cmp6.i, %cmp.i
  br i1 %or.cond.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %cond.true
  %shr8.i = lshr i64 %and4.i, 42
  %conv9.i = trunc nuw nsw i64 %shr8.i to i16
  %cmp12.i = icmp eq i64 %shr8.i, 0
  %cond.i = select i1 %cmp12.i, i16 1, i16 %conv9.i
  %3 = or disjoint i16 %conv.i, %cond.i
  %or15.i = or disjoint i16 %3, 31744
  br label %half_of.exit

if.end.i:                                         ; preds = %cond.true
  %cmp17.i = icmp samesign ugt i32 %conv3.i, 1038
  br i1 %cmp17.i, label %if.then19.i, label %if.end23.i

if.then19.i:                                      ; preds = %if.end.i
  %4 = or disjoint i16 %conv.i, 31744
  br label %half_of.exit

if.end23.i:                                       ; preds = %if.end.i
  %cmp24.i = icmp samesign ult i32 %conv3.i, 997
  br i1 %cmp24.i, label %half_of.exit, label %if.end27.i

if.end27.i:                                       ; preds = %if.end23.i
  %cmp28.i = icmp samesign ult i32 %conv3.i, 1009
  %add.i = sub nuw nsw i32 1051, %conv3.i
  %cond34.i = select i1 %cmp28.i, i32 %add.i, i32 42
  %or35.i = or disjoint i64 %and4.i, 4503599627370496
  %sh_prom.i = zext nneg i32 %cond34.i to i64
  %shr36.i = lshr i64 %or35.i, %sh_prom.i
  %notmask.i = shl nsw i64 -1, %sh_prom.i
  %sub39.i = xor i64 %notmask.i, -1
  %and40.i = and i64 %or35.i, %sub39.i
  %sub41.i = add nsw i32 %cond34.i, -1
  %sh_prom42.i = zext nneg i32 %sub41.i to i64
  %shl43.i = shl nuw nsw i64 1, %sh_prom42.i
  %cmp44.i = icmp samesign ugt i64 %and40.i, %shl43.i
  br i1 %cmp44.i, label %lor.end.i, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %if.end27.i
  %cmp46.i = icmp eq i64 %and40.i, %shl43.i
  %and48.i = and i64 %shr36.i, 1
  %cmp49.i = icmp ne i64 %and48.i, 0
  %5 = select i1 %cmp46.i, i1 %cmp49.i, i1 false
  %6 = zext i1 %5 to i64
  br label %lor.end.i

lor.end.i:                                        ; preds = %lor.rhs.i, %if.end27.i
  %lor.ext.i = phi i64 [ 1, %if.end27.i ], [ %6, %lor.rhs.i ]
  %add57.i = add nsw i32 %conv3.i, -1009
  %conv58.i = sext i32 %add57.i to i64
  %shl59.i = shl nsw i64 %conv58.i, 10
  %cond61.i = select i1 %cmp28.i, i64 0, i64 %shl59.i
  %conv62.i = and i64 %shr.i, 32768
  %add52.i = add nsw i64 %cond61.i, %shr36.i
  %add63.i = add nsw i64 %add52.i, %lor.ext.i
  %or64.i = or i64 %add63.i, %conv62.i
  %conv65.i = trunc i64 %or64.i to i16
  br label %half_of.exit

half_of.exit:                                     ; preds = %if.then.i, %if.then19.i, %if.end23.i, %lor.end.i
  %retval.0.i = phi i16 [ %or15.i, %if.then.i ], [ %4, %if.then19.i ], [ %conv65.i, %lor.end.i ], [ %conv.i, %if.end23.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %bits.i) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %value.addr.i)
  br label %cond.end

cond.false:                                       ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %single.i) #14
  store float %conv, ptr %single.i, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %bits.i5) #14
  %call.i7 = call ptr @memcpy(ptr noundef nonnull %bits.i5, ptr noundef nonnull %single.i, i64 noundef 4) #15
  %7 = load float, ptr %single.i, align 4
  %cmp.i8 = fcmp uno float %7, 0.000000e+00
  %8 = load i32, ptr %bits.i5, align 4
  br i1 %cmp.i8, label %if.then.i12, label %if.end.i9

if.then.i12:                                      ; preds = %cond.false
  %cmp2.not.i = icmp sgt i32 %8, -1
  %conv4.i = select i1 %cmp2.not.i, i16 32704, i16 -64
  br label %bfloat_of.exit

if.end.i9:                                        ; preds = %cond.false
  %add.i10 = add i32 %8, 32767
  %shr5.i = lshr i32 %8, 16
  %and.i = and i32 %shr5.i, 1
  %add6.i = add i32 %add.i10, %and.i
  %shr7.i = lshr i32 %add6.i, 16
  %conv8.i = trunc nuw i32 %shr7.i to i16
  br label %bfloat_of.exit

bfloat_of.exit:                                   ; preds = %if.then.i12, %if.end.i9
  %retval.0.i11 = phi i16 [ %conv4.i, %if.then.i12 ], [ %conv8.i, %if.end.i9 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %bits.i5) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %single.i) #14
  br label %cond.end

cond.end:                                         ; preds = %bfloat_of.exit, %half_of.exit
  %cond.in = phi i16 [ %retval.0.i, %half_of.exit ], [ %retval.0.i11, %bfloat_of.exit ]
  store i16 %cond.in, ptr %half, align 2
  %call14 = call ptr @memcpy(ptr noundef %to, ptr noundef nonnull %half, i64 noundef 2) #15
  br label %if.end15

if.end15:                                         ; preds = %if.then4, %cond.end, %if.then
  call void @llvm.lifetime.end.p0(ptr nonnull %half) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %single) #14
  ret void
}

define internal noundef double @sum_of(double noundef %lhs, double noundef %rhs) #9 {
entry:
  %add = fadd double %lhs, %rhs
  ret double %add
}

define internal noundef double @difference_of(double noundef %lhs, double noundef %rhs) #9 {
entry:
  %sub = fsub double %lhs, %rhs
  ret double %sub
}

define internal noundef double @product_of(double noundef %lhs, double noundef %rhs) #9 {
entry:
  %mul = fmul double %lhs, %rhs
  ret double %mul
}

define internal noundef double @quotient_of(double noundef %lhs, double noundef %rhs) #9 {
entry:
  %div = fdiv double %lhs, %rhs
  ret double %div
}

define internal noundef double @negative_of(double noundef %lhs, double %rhs) #9 {
entry:
  %fneg = fneg double %lhs
  ret double %fneg
}

define internal double @root_of(double noundef %lhs, double %rhs) #4 {
entry:
  %cmp.i = fcmp olt double %lhs, 0.000000e+00
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %entry
  %sub.i = fsub double %lhs, %lhs
  %div.i = fdiv double %sub.i, %sub.i
  br label %square_root.exit

if.end.i:                                         ; preds = %entry
  %cmp2.i = fcmp ogt double %lhs, 0.000000e+00
  %cmp3.i = fcmp olt double %lhs, 0x10000000000000
  %or.cond.i = and i1 %cmp2.i, %cmp3.i
  br i1 %or.cond.i, label %if.then4.i, label %if.end6.i

if.then4.i:                                       ; preds = %if.end.i
  %mul.i = fmul double %lhs, 0x4350000000000000
  %call.i = tail call fastcc double @root_by_digits(double noundef %mul.i) #16
  %div5.i = fmul double %call.i, 0x3E40000000000000
  br label %square_root.exit

if.end6.i:                                        ; preds = %if.end.i
  %sub9.i = fsub double %lhs, %lhs
  %cmp10.i = fcmp oeq double %sub9.i, 0.000000e+00
  %or.cond13.i = and i1 %cmp2.i, %cmp10.i
  br i1 %or.cond13.i, label %cond.true.i, label %square_root.exit

cond.true.i:                                      ; preds = %if.end6.i
  %call11.i = tail call fastcc double @root_by_digits(double noundef %lhs) #16
  br label %square_root.exit

square_root.exit:                                 ; preds = %if.then.i, %if.then4.i, %if.end6.i, %cond.true.i
  %retval.0.i = phi double [ %div.i, %if.then.i ], [ %div5.i, %if.then4.i ], [ %call11.i, %cond.true.i ], [ %lhs, %if.end6.i ]
  ret double %retval.0.i
}

define internal fastcc double @root_by_digits(double noundef %x) unnamed_addr #4 {
entry:
  %x.addr = alloca double, align 8
  %bits = alloca i64, align 8
  store double %x, ptr %x.addr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #14
  %call = call ptr @memcpy(ptr noundef nonnull %bits, ptr noundef nonnull %x.addr, i64 noundef 8) #15
  %0 = load i64, ptr %bits, align 8
  %shr = lshr i64 %0, 52
  %conv = trunc nuw nsw i64 %shr to i32
  %sub1 = add nsw i32 %conv, -1075
  %and = and i64 %0, 4503599627370495
  %or = or disjoint i64 %and, 4503599627370496
  %1 = and i32 %sub1, 1
  %2 = zext nneg i32 %1 to i64
  %digits.0 = shl nuw nsw i64 %or, %2
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %cmp.not = icmp eq i32 %1, 0
  %sub3 = add nuw nsw i32 %conv, 64460
  %exponent.0 = select i1 %cmp.not, i32 %sub1, i32 %sub3
  %shr21 = and i64 %root.015, 9223372036854775807
  %div.lhs.trunc = trunc i32 %exponent.0 to i16
  %div18 = sdiv i16 %div.lhs.trunc, 2
  %narrow = add nsw i16 %div18, 1049
  %add24 = zext i16 %narrow to i64
  %conv25 = shl i64 %add24, 52
  %add = add i64 %conv25, -4503599627370496
  %add27 = or disjoint i64 %add, %or19
  %sub28 = add i64 %add27, %shr21
  store i64 %sub28, ptr %bits, align 8
  %call29 = call ptr @memcpy(ptr noundef nonnull %x.addr, ptr noundef nonnull %bits, i64 noundef 8) #15
  %3 = load double, ptr %x.addr, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #14
  ret double %3

for.body:                                         ; preds = %entry, %for.body
  %remainder.017 = phi i64 [ 0, %entry ], [ %remainder.1, %for.body ]
  %pair.016 = phi i32 [ 26, %entry ], [ %dec, %for.body ]
  %root.015 = phi i64 [ 0, %entry ], [ %root.1, %for.body ]
  %shl6 = shl i64 %remainder.017, 2
  %cmp7 = icmp sgt i32 %pair.016, -1
  %mul = shl nuw nsw i32 %pair.016, 1
  %sh_prom = zext nneg i32 %mul to i64
  %shr9 = lshr i64 %digits.0, %sh_prom
  %and10 = and i64 %shr9, 3
  %cond = select i1 %cmp7, i64 %and10, i64 0
  %or11 = or disjoint i64 %cond, %shl6
  %shl12 = shl i64 %root.015, 2
  %shl14 = shl i64 %root.015, 1
  %cmp15.not.not = icmp ugt i64 %or11, %shl12
  %or13.neg = xor i64 %shl12, -1
  %or19 = zext i1 %cmp15.not.not to i64
  %root.1 = or disjoint i64 %shl14, %or19
  %sub18 = select i1 %cmp15.not.not, i64 %or13.neg, i64 0
  %remainder.1 = add i64 %sub18, %or11
  %dec = add nsw i32 %pair.016, -1
  %cmp4 = icmp sgt i32 %pair.016, -27
  br i1 %cmp4, label %for.body, label %for.cond.cleanup
}

declare noalias ptr @malloc(i64 noundef) local_unnamed_addr #4

declare ptr @memchr(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr #3

define internal fastcc zeroext i1 @is_restorable(ptr noundef readonly captures(none) %node) unnamed_addr #10 {
entry:
  %0 = load i64, ptr %node, align 8
  %sh_prom = trunc i64 %0 to i32
  %shl = shl nuw i32 1, %sh_prom
  %and = and i32 %shl, 48
  %cmp.not = icmp eq i32 %and, 0
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %from = getelementptr inbounds nuw i8, ptr %node, i64 8
  %1 = load i64, ptr %from, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %2 = load i64, ptr %dtype, align 8
  %cmp2.i = icmp eq i64 %1, %2
  br i1 %cmp2.i, label %return, label %lor.rhs3.i

lor.rhs3.i:                                       ; preds = %if.then
  switch i64 %2, label %return [
    i64 16386, label %land.rhs.i
    i64 8194, label %land.rhs.i
  ]

land.rhs.i:                                       ; preds = %lor.rhs3.i, %lor.rhs3.i
  %shr.i.i = lshr i64 %1, 8
  %and.i.i = and i64 %shr.i.i, 255
  %add.i.i = add nuw nsw i64 %and.i.i, 7
  %div1.i.i = lshr i64 %add.i.i, 3
  %shr.i5.i = lshr i64 %2, 8
  %add.i7.i = add nuw nsw i64 %shr.i5.i, 7
  %div1.i8.i = lshr i64 %add.i7.i, 3
  %cmp5.i = icmp samesign ult i64 %div1.i.i, %div1.i8.i
  br label %return

if.end:                                           ; preds = %entry
  %and4 = and i32 %shl, 2060
  %cmp5 = icmp ne i32 %and4, 0
  br label %return

return:                                           ; preds = %land.rhs.i, %lor.rhs3.i, %if.then, %if.end
  %retval.0 = phi i1 [ %cmp5, %if.end ], [ true, %if.then ], [ false, %lor.rhs3.i ], [ %cmp5.i, %land.rhs.i ]
  ret i1 %retval.0
}

declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #3

declare i64 @llvm.umin.i64(i64, i64) #11

declare void @llvm.assume(i1 noundef) #12

declare i32 @llvm.fshl.i32(i32, i32, i32) #11

declare i64 @llvm.smax.i64(i64, i64) #11

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nofree nounwind memory(read) "no-builtins" }
attributes #3 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #4 = { nounwind "no-builtins" }
attributes #5 = { noinline nounwind "no-builtins" }
attributes #6 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nofree norecurse nounwind memory(read, argmem: readwrite, inaccessiblemem: readwrite, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #9 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #10 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #11 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #12 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #13 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
attributes #14 = { nounwind }
attributes #15 = { nobuiltin nounwind "no-builtins" }
attributes #16 = { nobuiltin "no-builtins" }
