; Generated from runtime/native/repack.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.sha256 = type { [8 x i32], [64 x i8], i64 }
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
@ROUND_KEYS = internal unnamed_addr constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 4
@.str.3 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1
@.str.4 = private unnamed_addr constant [96 x i8] c"%s: parameter %s cannot be replaced\0A    got: %s\0A    hint: compile the model with the new values\00", align 1
@.str.5 = private unnamed_addr constant [37 x i8] c"%s: no memory is left for parameters\00", align 1
@.str.6 = private unnamed_addr constant [112 x i8] c"%s: a parameter is combined with others, which are not given\0A    expected: %s\0A    got: %s\0A    hint: pass %s too\00", align 1
@.str.7 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.8 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.9 = private unnamed_addr constant [5 x i8] c"%s%s\00", align 1
@.str.10 = private unnamed_addr constant [10 x i8] c"%s%lld %s\00", align 1
@.str.11 = private unnamed_addr constant [7 x i8] c", and \00", align 1
@.str.12 = private unnamed_addr constant [11 x i8] c"parameters\00", align 1
@.str.13 = private unnamed_addr constant [5 x i8] c"more\00", align 1
@COMPUTE = internal unnamed_addr constant [13 x ptr] [ptr null, ptr null, ptr @compute_walk, ptr @compute_scatter, ptr @compute_convert, ptr @compute_lookup, ptr @compute_windows, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk, ptr @compute_walk], align 8
@.str.14 = private unnamed_addr constant [50 x i8] c"a constant that is computed from it is not finite\00", align 1
@ARITHMETIC = internal unnamed_addr constant [13 x ptr] [ptr null, ptr null, ptr null, ptr null, ptr null, ptr null, ptr null, ptr @sum_of, ptr @difference_of, ptr @product_of, ptr @quotient_of, ptr @negative_of, ptr @root_of], align 8
@.str.15 = private unnamed_addr constant [44 x i8] c"%s has no parameter '%s'\0A    expected: %s%s\00", align 1
@.str.16 = private unnamed_addr constant [26 x i8] c"a model with initializers\00", align 1
@.str.17 = private unnamed_addr constant [22 x i8] c"a parameter, such as \00", align 1
define ptr @__tw_find_param(ptr noundef readonly captures(ret: address, provenance) %table, i64 noundef %index) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp sgt i64 %index, -1
  br i1 %cmp, label %land.lhs.true, label %cond.end
land.lhs.true:
  %params1 = getelementptr inbounds nuw i8, ptr %table, i64 24
  %1 = load i64, ptr %params1, align 8
  %call = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %1)
  %param_count = getelementptr inbounds nuw i8, ptr %table, i64 16
  %2 = load i64, ptr %param_count, align 8
  %cmp2 = icmp slt i64 %index, %2
  %arrayidx = getelementptr inbounds nuw %struct.tw_params_param, ptr %call, i64 %index
  %spec.select = select i1 %cmp2, ptr %arrayidx, ptr null
  br label %cond.end
cond.end:
  %cond = phi ptr [ null, %0 ], [ %spec.select, %land.lhs.true ]
  ret ptr %cond
}
define internal fastcc ptr @at_offset(ptr noundef readnone captures(ret: address, provenance) %table, i64 noundef %offset) unnamed_addr minsize nounwind optsize "no-builtins" {
  %add.ptr = getelementptr inbounds i8, ptr %table, i64 %offset
  ret ptr %add.ptr
}
define range(i64 -9223372036854775808, 9223372036854775807) i64 @__tw_param_index(ptr noundef readonly %table, ptr noundef readonly %name) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i64 [ %inc, %for.inc ], [ 0, %0 ]
  %param_count = getelementptr inbounds nuw i8, ptr %table, i64 16
  %1 = load i64, ptr %param_count, align 8
  %cmp = icmp slt i64 %inc.sink, %1
  br i1 %cmp, label %for.body, label %cleanup
for.body:
  %call = tail call fastcc ptr @param_name(ptr noundef nonnull %table, i64 noundef %inc.sink)
  %call1 = tail call signext i32 @strcmp(ptr noundef %call, ptr noundef %name)
  %cmp2 = icmp eq i32 %call1, 0
  br i1 %cmp2, label %cleanup, label %for.inc
for.inc:
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
cleanup:
  %2 = phi i64 [ %inc.sink, %for.body ], [ -1, %for.cond ]
  ret i64 %2
}
define internal fastcc ptr @param_name(ptr noundef readonly captures(ret: address, provenance) %table, i64 noundef %index) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call ptr @__tw_find_param(ptr noundef %table, i64 noundef %index)
  %1 = load i64, ptr %call, align 8
  %call1 = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %1)
  ret ptr %call1
}
define signext range(i32 0, 3) i32 @__tw_repack_params(ptr noundef %host, ptr noundef readonly captures(none) %names, ptr noundef readonly captures(none) %values, i32 noundef signext %count, ptr noundef %made) local_unnamed_addr minsize nounwind optsize "no-builtins" {
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
  %1 = load ptr, ptr %host, align 8
  %param_count = getelementptr inbounds nuw i8, ptr %1, i64 16
  %2 = load i64, ptr %param_count, align 8
  %add = add i64 %2, 1
  store ptr %host, ptr %own, align 8
  %given = getelementptr inbounds nuw i8, ptr %own, i64 8
  %call = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  store ptr %call, ptr %given, align 8
  %found = getelementptr inbounds nuw i8, ptr %own, i64 16
  %call2 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  store ptr %call2, ptr %found, align 8
  %made3 = getelementptr inbounds nuw i8, ptr %own, i64 24
  store ptr %made, ptr %made3, align 8
  %call4 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 1)
  %cmp = icmp ne ptr %call, null
  %cmp7 = icmp ne ptr %call2, null
  %or.cond = select i1 %cmp, i1 %cmp7, i1 false
  %cmp8 = icmp ne ptr %call4, null
  %spec.select = select i1 %or.cond, i1 %cmp8, i1 false
  br i1 %spec.select, label %for.cond.i, label %cond.end.thread
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.inc.i ], [ 0, %0 ]
  %cmp.not.i = icmp slt i32 %inc.sink.i, %count
  br i1 %cmp.not.i, label %for.body.i, label %cond.end
for.body.i:
  %3 = load ptr, ptr %host, align 8
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %names, i64 %idxprom.i
  %4 = load ptr, ptr %arrayidx.i, align 8
  %call.i = call i64 @__tw_param_index(ptr noundef %3, ptr noundef %4)
  %cmp2.i = icmp slt i64 %call.i, 0
  br i1 %cmp2.i, label %if.then.i, label %if.end.i
if.then.i:
  call fastcc void @refuse_name(ptr noundef nonnull %host, ptr noundef %4)
  br label %cond.end
if.end.i:
  %call7.i = call ptr @__tw_find_param(ptr noundef %3, i64 noundef %call.i)
  %arrayidx9.i = getelementptr inbounds nuw ptr, ptr %values, i64 %idxprom.i
  %5 = load ptr, ptr %arrayidx9.i, align 8
  %6 = load i64, ptr %call7.i, align 8
  %call.i.i = call fastcc ptr @at_offset(ptr noundef %3, i64 noundef %6)
  %reason3.i.i = getelementptr inbounds nuw i8, ptr %call7.i, i64 8
  %7 = load i64, ptr %reason3.i.i, align 8
  %call4.i.i = call fastcc ptr @at_offset(ptr noundef %3, i64 noundef %7)
  %shape6.i.i = getelementptr inbounds nuw i8, ptr %call7.i, i64 48
  %8 = load i64, ptr %shape6.i.i, align 8
  %call7.i.i = call fastcc ptr @at_offset(ptr noundef %3, i64 noundef %8)
  %dtype.i.i = getelementptr inbounds nuw i8, ptr %5, i64 20
  %9 = load i32, ptr %dtype.i.i, align 4
  %and.i.i = and i32 %9, 65535
  %conv.i.i = zext nneg i32 %and.i.i to i64
  %dtype8.i.i = getelementptr inbounds nuw i8, ptr %call7.i, i64 32
  %10 = load i64, ptr %dtype8.i.i, align 8
  %cmp.i.i = icmp eq i64 %10, %conv.i.i
  %shr.mask.i.i = and i32 %9, -65536
  %cmp11.i.i = icmp eq i32 %shr.mask.i.i, 65536
  %or.cond.i.i = and i1 %cmp11.i.i, %cmp.i.i
  br i1 %or.cond.i.i, label %land.rhs.i.i, label %if.then.i.loopexit67.i
land.rhs.i.i:
  %rank.i.i = getelementptr inbounds nuw i8, ptr %5, i64 16
  %11 = load i32, ptr %rank.i.i, align 8
  %conv13.i.i = sext i32 %11 to i64
  %rank14.i.i = getelementptr inbounds nuw i8, ptr %call7.i, i64 40
  %12 = load i64, ptr %rank14.i.i, align 8
  %cmp15.i.i = icmp eq i64 %12, %conv13.i.i
  br label %for.cond.i.i
for.cond.i.i:
  %is_alike.0.i.i = phi i1 [ %cmp25.i.i, %for.body.i.i ], [ %cmp15.i.i, %land.rhs.i.i ]
  %inc.sink.i.i = phi i64 [ %inc.i.i, %for.body.i.i ], [ 0, %land.rhs.i.i ]
  br i1 %is_alike.0.i.i, label %land.rhs18.i.i, label %if.then.i.i
land.rhs18.i.i:
  %cmp20.i.i = icmp slt i64 %inc.sink.i.i, %12
  br i1 %cmp20.i.i, label %for.body.i.i, label %if.end.i.i
for.body.i.i:
  %shape23.i.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  %13 = load ptr, ptr %shape23.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %13, i64 %inc.sink.i.i
  %14 = load i64, ptr %arrayidx.i.i, align 8
  %arrayidx24.i.i = getelementptr inbounds nuw i64, ptr %call7.i.i, i64 %inc.sink.i.i
  %15 = load i64, ptr %arrayidx24.i.i, align 8
  %cmp25.i.i = icmp eq i64 %14, %15
  %inc.i.i = add nuw nsw i64 %inc.sink.i.i, 1
  br label %for.cond.i.i
if.then.i.loopexit67.i:
  %16 = trunc i64 %10 to i32
  br label %if.then.i.i
if.then.i.i:
  %conv30.i.i = phi i32 [ %16, %if.then.i.loopexit67.i ], [ %and.i.i, %for.cond.i.i ]
  %rank31.i.i = getelementptr inbounds nuw i8, ptr %call7.i, i64 40
  %17 = load i64, ptr %rank31.i.i, align 8
  call void @tw_write_type(ptr noundef nonnull %expected.i.i, i64 noundef 256, i32 noundef signext %conv30.i.i, i64 noundef %17, ptr noundef %call7.i.i)
  %18 = load i32, ptr %dtype.i.i, align 4
  %rank34.i.i = getelementptr inbounds nuw i8, ptr %5, i64 16
  %19 = load i32, ptr %rank34.i.i, align 8
  %conv35.i.i = sext i32 %19 to i64
  %shape36.i.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  %20 = load ptr, ptr %shape36.i.i, align 8
  call void @tw_write_type(ptr noundef nonnull %got.i.i, i64 noundef 256, i32 noundef signext %18, i64 noundef %conv35.i.i, ptr noundef %20)
  %message.i.i = getelementptr inbounds nuw i8, ptr %host, i64 24
  %21 = load ptr, ptr %message.i.i, align 8
  %module.i.i = getelementptr inbounds nuw i8, ptr %host, i64 8
  %22 = load ptr, ptr %module.i.i, align 8
  %call39.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %21, i64 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %22, ptr noundef %call.i.i, ptr noundef nonnull %expected.i.i, ptr noundef nonnull %got.i.i)
  br label %check_value.exit.thread.i
if.end.i.i:
  %call40.i.i = call zeroext i1 @tw_is_plain(ptr noundef nonnull %5)
  br i1 %call40.i.i, label %if.end45.i.i, label %if.then41.i.i
if.then41.i.i:
  %message42.i.i = getelementptr inbounds nuw i8, ptr %host, i64 24
  %23 = load ptr, ptr %message42.i.i, align 8
  %module43.i.i = getelementptr inbounds nuw i8, ptr %host, i64 8
  %24 = load ptr, ptr %module43.i.i, align 8
  %call44.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %23, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %24, ptr noundef %call.i.i)
  br label %check_value.exit.thread.i
if.end45.i.i:
  %25 = load i8, ptr %call4.i.i, align 1
  %cmp48.i.i = icmp eq i8 %25, 0
  br i1 %cmp48.i.i, label %if.end13.i, label %if.end51.i.i
if.end51.i.i:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(104) %sha.i.i, ptr noundef nonnull align 8 dereferenceable(104) @__const.check_value.sha, i64 104, i1 false)
  %call52.i.i = call fastcc ptr @data_of(ptr noundef nonnull %5)
  %26 = load ptr, ptr %host, align 8
  %call54.i.i = call fastcc i64 @elements_of(ptr noundef %26, ptr noundef nonnull readonly %call7.i)
  %27 = load i64, ptr %dtype8.i.i, align 8
  %call56.i.i = call fastcc i64 @size_of(i64 noundef %27)
  %mul.i.i = mul nsw i64 %call56.i.i, %call54.i.i
  call fastcc void @digest_bytes(ptr noundef %sha.i.i, ptr noundef %call52.i.i, i64 noundef %mul.i.i)
  %bytes.i.i.i = getelementptr inbounds nuw i8, ptr %sha.i.i, i64 96
  %28 = load i64, ptr %bytes.i.i.i, align 8
  %mul.i.i.i = shl i64 %28, 3
  %29 = getelementptr inbounds nuw i8, ptr %end.i.i.i, i64 1
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(71) %29, i8 0, i64 71, i1 false)
  store i8 -128, ptr %end.i.i.i, align 1
  %sub.i.i.i = sub i64 55, %28
  %rem2.i.i.i = and i64 %sub.i.i.i, 63
  br label %for.cond.i.i.i
for.cond.i.i.i:
  %inc.sink.i.i.i = phi i32 [ %inc.i.i.i, %for.body.i.i.i ], [ 0, %if.end51.i.i ]
  %cmp.i.i.i = icmp samesign ult i32 %inc.sink.i.i.i, 8
  br i1 %cmp.i.i.i, label %for.body.i.i.i, label %for.end.i.i.i
for.body.i.i.i:
  %mul3.i.i.i = shl nuw nsw i32 %inc.sink.i.i.i, 3
  %sub4.i.i.i = sub nuw nsw i32 56, %mul3.i.i.i
  %sh_prom.i.i.i = zext nneg i32 %sub4.i.i.i to i64
  %shr.i.i.i = lshr i64 %mul.i.i.i, %sh_prom.i.i.i
  %conv.i.i.i = trunc i64 %shr.i.i.i to i8
  %conv5.i.i.i = zext nneg i32 %inc.sink.i.i.i to i64
  %30 = getelementptr inbounds nuw i8, ptr %end.i.i.i, i64 %rem2.i.i.i
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 1
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %31, i64 %conv5.i.i.i
  store i8 %conv.i.i.i, ptr %arrayidx.i.i.i, align 1
  %inc.i.i.i = add nuw nsw i32 %inc.sink.i.i.i, 1
  br label %for.cond.i.i.i
for.end.i.i.i:
  %add7.i.i.i = add nuw nsw i64 %rem2.i.i.i, 9
  call fastcc void @digest_bytes(ptr noundef nonnull %sha.i.i, ptr noundef nonnull %end.i.i.i, i64 noundef %add7.i.i.i)
  br label %for.cond9.i.i.i
for.cond9.i.i.i:
  %inc23.sink.i.i.i = phi i32 [ %inc23.i.i.i, %for.body13.i.i.i ], [ 0, %for.end.i.i.i ]
  %cmp10.i.i.i = icmp samesign ult i32 %inc23.sink.i.i.i, 32
  br i1 %cmp10.i.i.i, label %for.body13.i.i.i, label %finish_digest.exit.i.i
for.body13.i.i.i:
  %div12.i.i.i = lshr i32 %inc23.sink.i.i.i, 2
  %idxprom.i.i.i = zext nneg i32 %div12.i.i.i to i64
  %arrayidx14.i.i.i = getelementptr inbounds nuw i32, ptr %sha.i.i, i64 %idxprom.i.i.i
  %32 = load i32, ptr %arrayidx14.i.i.i, align 4
  %rem15.i.i.i = shl nuw nsw i32 %inc23.sink.i.i.i, 3
  %rem15.not.i.i.i = and i32 %rem15.i.i.i, 24
  %sub17.i.i.i = xor i32 %rem15.not.i.i.i, 24
  %shr18.i.i.i = lshr i32 %32, %sub17.i.i.i
  %conv19.i.i.i = trunc i32 %shr18.i.i.i to i8
  %idxprom20.i.i.i = zext nneg i32 %inc23.sink.i.i.i to i64
  %arrayidx21.i.i.i = getelementptr inbounds nuw i8, ptr %digest.i.i, i64 %idxprom20.i.i.i
  store i8 %conv19.i.i.i, ptr %arrayidx21.i.i.i, align 1
  %inc23.i.i.i = add nuw nsw i32 %inc23.sink.i.i.i, 1
  br label %for.cond9.i.i.i
finish_digest.exit.i.i:
  br label %for.cond.i36.i.i
for.cond.i36.i.i:
  %inc.sink.i37.i.i = phi i64 [ %inc.i44.i.i, %for.body.i40.i.i ], [ 0, %finish_digest.exit.i.i ]
  %cmp.i38.i.i = icmp samesign ult i64 %inc.sink.i37.i.i, 32
  br i1 %cmp.i38.i.i, label %for.body.i40.i.i, label %write_hex.exit.i.i
for.body.i40.i.i:
  %arrayidx.i41.i.i = getelementptr inbounds nuw i8, ptr %digest.i.i, i64 %inc.sink.i37.i.i
  %33 = load i8, ptr %arrayidx.i41.i.i, align 1
  %34 = lshr i8 %33, 4
  %idxprom.i42.i.i = zext nneg i8 %34 to i64
  %arrayidx1.i.i.i = getelementptr inbounds nuw i8, ptr @.str.3, i64 %idxprom.i42.i.i
  %35 = load i8, ptr %arrayidx1.i.i.i, align 1
  %mul.i43.i.i = shl nuw nsw i64 %inc.sink.i37.i.i, 1
  %arrayidx2.i.i.i = getelementptr inbounds nuw i8, ptr %text.i.i, i64 %mul.i43.i.i
  store i8 %35, ptr %arrayidx2.i.i.i, align 1
  %36 = and i8 %33, 15
  %idxprom5.i.i.i = zext nneg i8 %36 to i64
  %arrayidx6.i.i.i = getelementptr inbounds nuw i8, ptr @.str.3, i64 %idxprom5.i.i.i
  %37 = load i8, ptr %arrayidx6.i.i.i, align 1
  %arrayidx8.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i.i, i64 1
  store i8 %37, ptr %arrayidx8.i.i.i, align 1
  %inc.i44.i.i = add nuw nsw i64 %inc.sink.i37.i.i, 1
  br label %for.cond.i36.i.i
write_hex.exit.i.i:
  %arrayidx9.i.i.i = getelementptr inbounds nuw i8, ptr %text.i.i, i64 64
  store i8 0, ptr %arrayidx9.i.i.i, align 1
  %38 = load ptr, ptr %host, align 8
  %digest62.i.i = getelementptr inbounds nuw i8, ptr %call7.i, i64 24
  %39 = load i64, ptr %digest62.i.i, align 8
  %call63.i.i = call fastcc ptr @at_offset(ptr noundef %38, i64 noundef %39)
  %call65.i.i = call signext i32 @strcmp(ptr noundef nonnull %text.i.i, ptr noundef %call63.i.i)
  %cmp66.i.i = icmp eq i32 %call65.i.i, 0
  br i1 %cmp66.i.i, label %if.end13.i, label %cond.false.i.i
cond.false.i.i:
  call fastcc void @refuse_param(ptr noundef nonnull readonly %host, ptr noundef %call.i.i, ptr noundef nonnull %call4.i.i)
  br label %check_value.exit.thread.i
check_value.exit.thread.i:
  br label %cond.end
if.end13.i:
  %40 = load ptr, ptr %host, align 8
  %41 = load i64, ptr %reason3.i.i, align 8
  %call15.i = call fastcc ptr @at_offset(ptr noundef %40, i64 noundef %41)
  %42 = load i8, ptr %call15.i, align 1
  %cmp16.i = icmp eq i8 %42, 0
  %arrayidx18.i = getelementptr inbounds nuw i8, ptr %call4, i64 %call.i
  %storedv.i = zext i1 %cmp16.i to i8
  store i8 %storedv.i, ptr %arrayidx18.i, align 1
  br i1 %cmp16.i, label %cond.true.i, label %for.inc.i
cond.true.i:
  %43 = load ptr, ptr %arrayidx9.i, align 8
  %call23.i = call fastcc ptr @data_of(ptr noundef %43)
  br label %for.inc.i
for.inc.i:
  %cond.i = phi ptr [ %call23.i, %cond.true.i ], [ null, %if.end13.i ]
  %arrayidx24.i = getelementptr inbounds nuw ptr, ptr %call, i64 %call.i
  store ptr %cond.i, ptr %arrayidx24.i, align 8
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
cond.end.thread:
  tail call fastcc void @no_memory(ptr noundef nonnull %host)
  br label %for.cond.preheader
cond.end:
  %spec.select.i = zext i1 %cmp.not.i to i32
  %cmp13 = icmp eq ptr %made, null
  %or.cond1.not = or i1 %cmp13, %cmp.not.i
  br i1 %or.cond1.not, label %for.cond.preheader, label %if.then
if.then:
  %weights = getelementptr inbounds nuw i8, ptr %host, i64 16
  %44 = load ptr, ptr %weights, align 8
  %45 = load ptr, ptr %host, align 8
  %weights_bytes = getelementptr inbounds nuw i8, ptr %45, i64 8
  %46 = load i64, ptr %weights_bytes, align 8
  %call15 = call ptr @memcpy(ptr noundef nonnull %made, ptr noundef %44, i64 noundef %46)
  %47 = load ptr, ptr %host, align 8
  %constants2.i = getelementptr inbounds nuw i8, ptr %47, i64 40
  %48 = load i64, ptr %constants2.i, align 8
  %call.i17 = call fastcc ptr @at_offset(ptr noundef %47, i64 noundef %48)
  br label %for.cond.i18
for.cond.i18:
  %inc24.sink.i = phi i64 [ 0, %if.then ], [ %inc24.i, %for.inc23.i ]
  %constant_count.i = getelementptr inbounds nuw i8, ptr %47, i64 32
  %49 = load i64, ptr %constant_count.i, align 8
  %cmp.not.i19 = icmp slt i64 %inc24.sink.i, %49
  br i1 %cmp.not.i19, label %for.body.i20, label %for.cond.preheader
for.body.i20:
  %arrayidx.i21 = getelementptr inbounds nuw %struct.constant, ptr %call.i17, i64 %inc24.sink.i
  %params3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i21, i64 24
  %50 = load i64, ptr %params3.i, align 8
  %call4.i = call fastcc ptr @at_offset(ptr noundef nonnull %47, i64 noundef %50)
  br label %for.cond5.i
for.cond5.i:
  %is_changed.0.i = phi i1 [ false, %for.body.i20 ], [ %54, %lor.end.i ]
  %inc.sink.i22 = phi i64 [ 0, %for.body.i20 ], [ %inc.i43, %lor.end.i ]
  %param_count.i = getelementptr inbounds nuw i8, ptr %arrayidx.i21, i64 32
  %51 = load i64, ptr %param_count.i, align 8
  %cmp6.i = icmp slt i64 %inc.sink.i22, %51
  br i1 %cmp6.i, label %for.body8.i, label %for.cond.cleanup7.i
for.cond.cleanup7.i:
  br i1 %is_changed.0.i, label %cond.true.i23, label %for.inc23.i
for.body8.i:
  br i1 %is_changed.0.i, label %lor.end.i, label %lor.rhs.i
lor.rhs.i:
  %arrayidx9.i42 = getelementptr inbounds nuw i64, ptr %call4.i, i64 %inc.sink.i22
  %52 = load i64, ptr %arrayidx9.i42, align 8
  %arrayidx10.i = getelementptr inbounds i8, ptr %call4, i64 %52
  %53 = load i8, ptr %arrayidx10.i, align 1
  %loadedv11.i = trunc i8 %53 to i1
  br label %lor.end.i
lor.end.i:
  %54 = phi i1 [ true, %for.body8.i ], [ %loadedv11.i, %lor.rhs.i ]
  %inc.i43 = add nuw nsw i64 %inc.sink.i22, 1
  br label %for.cond5.i
cond.true.i23:
  %55 = load ptr, ptr %host, align 8
  %call.i.i24 = call fastcc ptr @at_offset(ptr noundef %55, i64 noundef %50)
  br label %for.cond.i.i25
for.cond.i.i25:
  %is_whole.0.i.i = phi i8 [ 1, %cond.true.i23 ], [ %is_whole.2.ph.i.i, %for.inc.i.i ]
  %inc.sink.i.i26 = phi i64 [ 0, %cond.true.i23 ], [ %inc.i.i39, %for.inc.i.i ]
  %56 = load i64, ptr %param_count.i, align 8
  %cmp.not.i.i = icmp slt i64 %inc.sink.i.i26, %56
  br i1 %cmp.not.i.i, label %for.body.i.i37, label %for.cond23.i.i
for.body.i.i37:
  %arrayidx.i.i38 = getelementptr inbounds nuw i64, ptr %call.i.i24, i64 %inc.sink.i.i26
  %57 = load i64, ptr %arrayidx.i.i38, align 8
  %arrayidx3.i.i = getelementptr inbounds ptr, ptr %call, i64 %57
  %58 = load ptr, ptr %arrayidx3.i.i, align 8
  %cmp4.not.i.i = icmp eq ptr %58, null
  br i1 %cmp4.not.i.i, label %if.end.i.i40, label %for.inc.i.i
if.end.i.i40:
  %arrayidx5.i.i = getelementptr inbounds ptr, ptr %call2, i64 %57
  %59 = load ptr, ptr %arrayidx5.i.i, align 8
  %cmp6.i.i = icmp eq ptr %59, null
  br i1 %cmp6.i.i, label %if.end12.i.i, label %if.end15.i.i
if.end12.i.i:
  %call11.i.i = call fastcc signext i32 @find_values(ptr noundef nonnull %host, i64 noundef %57, ptr noundef nonnull %arrayidx5.i.i)
  %cmp13.not.i.i = icmp eq i32 %call11.i.i, 0
  br i1 %cmp13.not.i.i, label %if.end15.i.i, label %if.end.thread44.i
if.end15.i.i:
  %loadedv.i.i = trunc nuw i8 %is_whole.0.i.i to i1
  br i1 %loadedv.i.i, label %land.rhs.i.i41, label %for.inc.i.i
land.rhs.i.i41:
  %60 = load ptr, ptr %arrayidx5.i.i, align 8
  %cmp18.i.i = icmp ne ptr %60, null
  %61 = zext i1 %cmp18.i.i to i8
  br label %for.inc.i.i
for.inc.i.i:
  %is_whole.2.ph.i.i = phi i8 [ %61, %land.rhs.i.i41 ], [ 0, %if.end15.i.i ], [ %is_whole.0.i.i, %for.body.i.i37 ]
  %inc.i.i39 = add nuw nsw i64 %inc.sink.i.i26, 1
  br label %for.cond.i.i25
for.cond23.i.i:
  %inc44.sink.i.i = phi i64 [ %inc44.i.i, %for.inc43.i.i ], [ 0, %for.cond.i.i25 ]
  %loadedv24.i.i = trunc nuw i8 %is_whole.0.i.i to i1
  br i1 %loadedv24.i.i, label %land.rhs25.i.i, label %if.end49.i.i
land.rhs25.i.i:
  %62 = load i64, ptr %param_count.i, align 8
  %cmp27.i.i = icmp slt i64 %inc44.sink.i.i, %62
  br i1 %cmp27.i.i, label %for.body30.i.i, label %cond.end.i
for.body30.i.i:
  %arrayidx32.i.i = getelementptr inbounds nuw i64, ptr %call.i.i24, i64 %inc44.sink.i.i
  %63 = load i64, ptr %arrayidx32.i.i, align 8
  %arrayidx33.i.i = getelementptr inbounds ptr, ptr %call, i64 %63
  %64 = load ptr, ptr %arrayidx33.i.i, align 8
  %cmp34.i.i = icmp eq ptr %64, null
  br i1 %cmp34.i.i, label %if.then35.i.i, label %for.inc43.i.i
if.then35.i.i:
  %arrayidx38.i.i = getelementptr inbounds ptr, ptr %call2, i64 %63
  %65 = load ptr, ptr %arrayidx38.i.i, align 8
  store ptr %65, ptr %arrayidx33.i.i, align 8
  br label %for.inc43.i.i
for.inc43.i.i:
  %inc44.i.i = add nuw nsw i64 %inc44.sink.i.i, 1
  br label %for.cond23.i.i
if.end49.i.i:
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i21, i32 noundef signext 0, ptr noundef %all.i.i, i64 noundef 256)
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i21, i32 noundef signext 1, ptr noundef %given50.i.i, i64 noundef 256)
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i21, i32 noundef signext 2, ptr noundef %missing.i.i, i64 noundef 256)
  %message.i.i27 = getelementptr inbounds nuw i8, ptr %host, i64 24
  %66 = load ptr, ptr %message.i.i27, align 8
  %module.i.i28 = getelementptr inbounds nuw i8, ptr %host, i64 8
  %67 = load ptr, ptr %module.i.i28, align 8
  %call58.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %66, i64 noundef 1024, ptr noundef nonnull @.str.6, ptr noundef %67, ptr noundef nonnull %all.i.i, ptr noundef nonnull %given50.i.i, ptr noundef nonnull %missing.i.i)
  br label %if.end.thread44.i
if.end.thread44.i:
  %retval.3.i.ph.i = phi i32 [ 1, %if.end49.i.i ], [ %call11.i.i, %if.end12.i.i ]
  br label %for.cond.preheader
cond.end.i:
  %68 = load ptr, ptr %host, align 8
  %nodes2.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i21, i64 8
  %69 = load i64, ptr %nodes2.i.i, align 8
  %call.i21.i = call fastcc ptr @at_offset(ptr noundef %68, i64 noundef %69)
  %node_count.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i21, i64 16
  %70 = load i64, ptr %node_count.i.i, align 8
  %call3.i.i = call noalias ptr @calloc(i64 noundef %70, i64 noundef 24)
  %71 = load i64, ptr %arrayidx.i21, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %made, i64 %71
  %cmp.i.i29 = icmp ne ptr %call3.i.i, null
  br label %for.cond.i22.i
for.cond.i22.i:
  %is_computed.0.i.i = phi i1 [ true, %cond.end.i ], [ %is_computed.1.i.i, %for.inc.i29.i ]
  %has_memory.0.i.i = phi i1 [ %cmp.i.i29, %cond.end.i ], [ %has_memory.164.i.i, %for.inc.i29.i ]
  %inc.sink.i23.i = phi i64 [ 0, %cond.end.i ], [ %inc.i30.i, %for.inc.i29.i ]
  %or.cond.i.i30 = select i1 %has_memory.0.i.i, i1 %is_computed.0.i.i, i1 false
  br i1 %or.cond.i.i30, label %land.rhs.i24.i, label %if.end76.i.i
land.rhs.i24.i:
  %72 = load i64, ptr %node_count.i.i, align 8
  %cmp6.i25.i = icmp slt i64 %inc.sink.i23.i, %72
  br i1 %cmp6.i25.i, label %for.body.i26.i, label %land.lhs.true60.i.i
for.body.i26.i:
  %arrayidx.i27.i = getelementptr inbounds nuw %struct.node, ptr %call.i21.i, i64 %inc.sink.i23.i
  %73 = load i64, ptr %arrayidx.i27.i, align 8
  switch i64 %73, label %if.else28.i.i [ i64 0, label %if.then.i.i36 i64 1, label %if.then12.i.i i64 2, label %land.lhs.true20.i.i ]
if.then.i.i36:
  %a.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i27.i, i64 32
  %74 = load i64, ptr %a.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds ptr, ptr %call, i64 %74
  %75 = load ptr, ptr %arrayidx8.i.i, align 8
  br label %land.lhs.true44.sink.split.i.i
if.then12.i.i:
  %a13.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i27.i, i64 32
  %76 = load i64, ptr %a13.i.i, align 8
  %call14.i.i = call fastcc ptr @at_offset(ptr noundef %68, i64 noundef %76)
  br label %land.lhs.true44.sink.split.i.i
land.lhs.true20.i.i:
  %b.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i27.i, i64 40
  %77 = load i64, ptr %b.i.i, align 8
  %cmp21.i.i = icmp sgt i64 %77, -1
  br i1 %cmp21.i.i, label %if.then22.i.i, label %if.else28.i.i
if.then22.i.i:
  %arrayidx24.i.i35 = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %77
  %78 = load ptr, ptr %arrayidx24.i.i35, align 8
  br label %land.lhs.true44.sink.split.i.i
if.else28.i.i:
  %add.i.i = add nuw nsw i64 %inc.sink.i23.i, 1
  %cmp30.i.i = icmp slt i64 %add.i.i, %72
  br i1 %cmp30.i.i, label %if.end42.i.i, label %if.else35.i.i
if.else35.i.i:
  %count.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i27.i, i64 24
  %79 = load i64, ptr %count.i.i, align 8
  %dtype.i.i32 = getelementptr inbounds nuw i8, ptr %arrayidx.i27.i, i64 16
  %80 = load i64, ptr %dtype.i.i32, align 8
  %call36.i.i = call fastcc i64 @size_of(i64 noundef %80)
  %mul.i.i33 = mul nsw i64 %call36.i.i, %79
  %call37.i.i = call ptr @memset(ptr noundef nonnull %add.ptr.i.i, i32 noundef signext 0, i64 noundef %mul.i.i33)
  br label %land.lhs.true44.sink.split.i.i
if.end42.i.i:
  %arrayidx32.i31.i = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %inc.sink.i23.i
  %call33.i.i = call fastcc zeroext i1 @take_array(ptr noundef %arrayidx32.i31.i, ptr noundef nonnull %arrayidx.i27.i, i1 noundef zeroext false)
  br i1 %call33.i.i, label %land.lhs.true44.i.i, label %for.inc.i29.i
land.lhs.true44.sink.split.i.i:
  %call37.sink.i.i = phi ptr [ %call37.i.i, %if.else35.i.i ], [ %78, %if.then22.i.i ], [ %call14.i.i, %if.then12.i.i ], [ %75, %if.then.i.i36 ]
  %arrayidx38.i28.i = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %inc.sink.i23.i
  store ptr %call37.sink.i.i, ptr %arrayidx38.i28.i, align 8
  br label %land.lhs.true44.i.i
land.lhs.true44.i.i:
  %81 = load i64, ptr %arrayidx.i27.i, align 8
  %cmp46.i.i = icmp sgt i64 %81, 1
  br i1 %cmp46.i.i, label %if.then47.i.i, label %for.inc.i29.i
if.then47.i.i:
  %arrayidx49.i.i = getelementptr inbounds nuw ptr, ptr @COMPUTE, i64 %81
  %82 = load ptr, ptr %arrayidx49.i.i, align 8
  %arrayidx50.i.i = getelementptr inbounds nuw %struct.array, ptr %call3.i.i, i64 %inc.sink.i23.i
  %83 = load ptr, ptr %arrayidx50.i.i, align 8
  %call52.i.i34 = call zeroext i1 %82(ptr noundef %68, ptr noundef nonnull %arrayidx.i27.i, ptr noundef %call3.i.i, ptr noundef %83)
  br label %for.inc.i29.i
for.inc.i29.i:
  %has_memory.164.i.i = phi i1 [ true, %if.then47.i.i ], [ true, %land.lhs.true44.i.i ], [ false, %if.end42.i.i ]
  %is_computed.1.i.i = phi i1 [ %call52.i.i34, %if.then47.i.i ], [ true, %land.lhs.true44.i.i ], [ true, %if.end42.i.i ]
  %inc.i30.i = add nuw nsw i64 %inc.sink.i23.i, 1
  br label %for.cond.i22.i
land.lhs.true60.i.i:
  %sub.i.i = add nsw i64 %72, -1
  %arrayidx63.i.i = getelementptr inbounds %struct.array, ptr %call3.i.i, i64 %sub.i.i
  %84 = load ptr, ptr %arrayidx63.i.i, align 8
  %cmp65.not.i.i = icmp eq ptr %84, %add.ptr.i.i
  br i1 %cmp65.not.i.i, label %if.end76.i.i, label %if.then66.i.i
if.then66.i.i:
  %arrayidx56.i.i = getelementptr inbounds %struct.node, ptr %call.i21.i, i64 %sub.i.i
  %count71.i.i = getelementptr inbounds nuw i8, ptr %arrayidx56.i.i, i64 24
  %85 = load i64, ptr %count71.i.i, align 8
  %dtype72.i.i = getelementptr inbounds nuw i8, ptr %arrayidx56.i.i, i64 16
  %86 = load i64, ptr %dtype72.i.i, align 8
  %call73.i.i = call fastcc i64 @size_of(i64 noundef %86)
  %mul74.i.i = mul nsw i64 %call73.i.i, %85
  %call75.i.i = call ptr @memcpy(ptr noundef nonnull %add.ptr.i.i, ptr noundef %84, i64 noundef %mul74.i.i)
  br label %if.end76.i.i
if.end76.i.i:
  %is_computed.073.i.i = phi i1 [ true, %land.lhs.true60.i.i ], [ true, %if.then66.i.i ], [ %is_computed.0.i.i, %for.cond.i22.i ]
  %has_memory.071.i.i = phi i1 [ true, %land.lhs.true60.i.i ], [ true, %if.then66.i.i ], [ %has_memory.0.i.i, %for.cond.i22.i ]
  %87 = load i64, ptr %node_count.i.i, align 8
  call fastcc void @free_arrays(ptr noundef %call3.i.i, i64 noundef %87)
  br i1 %has_memory.071.i.i, label %if.end82.i.i, label %if.then79.i.i
if.then79.i.i:
  call fastcc void @no_memory(ptr noundef nonnull %host)
  br label %if.end.thread49.i
if.end82.i.i:
  br i1 %is_computed.073.i.i, label %if.end.i31, label %if.end85.i.i
if.end85.i.i:
  call fastcc void @write_names(ptr noundef nonnull readonly %own, ptr noundef nonnull readonly %arrayidx.i21, i32 noundef signext 0, ptr noundef %names.i.i, i64 noundef 512)
  call fastcc void @refuse_param(ptr noundef nonnull %host, ptr noundef nonnull %names.i.i, ptr noundef nonnull @.str.14)
  br label %if.end.thread49.i
if.end.thread49.i:
  %call88.sink.i.ph.i = phi i32 [ 2, %if.then79.i.i ], [ 1, %if.end85.i.i ]
  br label %for.cond.preheader
for.cond.preheader:
  %status.0.ph = phi i32 [ %spec.select.i, %cond.end ], [ %retval.3.i.ph.i, %if.end.thread44.i ], [ %call88.sink.i.ph.i, %if.end.thread49.i ], [ 2, %cond.end.thread ], [ 0, %for.cond.i18 ]
  br label %for.cond
if.end.i31:
  br label %for.inc23.i
for.inc23.i:
  %inc24.i = add nuw nsw i64 %inc24.sink.i, 1
  br label %for.cond.i18
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %cmp18.not = icmp eq ptr %call2, null
  br i1 %cmp18.not, label %for.end, label %land.rhs19
land.rhs19:
  %88 = load ptr, ptr %host, align 8
  %param_count21 = getelementptr inbounds nuw i8, ptr %88, i64 16
  %89 = load i64, ptr %param_count21, align 8
  %cmp22 = icmp slt i64 %inc.sink, %89
  br i1 %cmp22, label %for.body, label %for.end
for.body:
  %arrayidx = getelementptr inbounds nuw ptr, ptr %call2, i64 %inc.sink
  %90 = load ptr, ptr %arrayidx, align 8
  call void @free(ptr noundef %90)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  call void @free(ptr noundef %call)
  call void @free(ptr noundef %call2)
  call void @free(ptr noundef %call4)
  ret i32 %status.0.ph
}
define internal fastcc void @no_memory(ptr noundef readonly captures(none) %host) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %1 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %2 = load ptr, ptr %module, align 8
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %1, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2)
  ret void
}
define signext range(i32 0, 4) i32 @__tw_get_param(ptr noundef readonly captures(none) %host, ptr noundef %name, ptr noundef %made) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %found = alloca ptr, align 8
  %1 = load ptr, ptr %host, align 8
  %call = tail call i64 @__tw_param_index(ptr noundef %1, ptr noundef %name)
  %call2 = tail call ptr @__tw_find_param(ptr noundef %1, i64 noundef %call)
  %cmp = icmp eq ptr %call2, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  tail call fastcc void @refuse_name(ptr noundef nonnull %host, ptr noundef %name)
  br label %cleanup
if.end:
  %reason5 = getelementptr inbounds nuw i8, ptr %call2, i64 8
  %2 = load i64, ptr %reason5, align 8
  %call6 = tail call fastcc ptr @at_offset(ptr noundef %1, i64 noundef %2)
  store ptr null, ptr %found, align 8
  %3 = load i8, ptr %call6, align 1
  %cmp7 = icmp eq i8 %3, 0
  br i1 %cmp7, label %cond.true, label %cond.end
cond.true:
  %call9 = call fastcc signext i32 @find_values(ptr noundef nonnull %host, i64 noundef %call, ptr noundef nonnull %found)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call9, %cond.true ], [ 0, %if.end ]
  %cmp10 = icmp eq i32 %cond, 0
  %4 = load ptr, ptr %found, align 8
  %cmp12 = icmp eq ptr %4, null
  %or.cond = select i1 %cmp10, i1 %cmp12, i1 false
  br i1 %or.cond, label %if.then14, label %if.end26
if.then14:
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %5 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %6 = load ptr, ptr %module, align 8
  %7 = load i8, ptr %call6, align 1
  %cmp17.not = icmp eq i8 %7, 0
  br i1 %cmp17.not, label %cond.false20, label %if.end26.thread
cond.false20:
  %8 = load ptr, ptr %host, align 8
  %folded = getelementptr inbounds nuw i8, ptr %call2, i64 16
  %9 = load i64, ptr %folded, align 8
  %call22 = tail call fastcc ptr @at_offset(ptr noundef %8, i64 noundef %9)
  br label %if.end26.thread
if.end26.thread:
  %cond24 = phi ptr [ %call22, %cond.false20 ], [ %call6, %if.then14 ]
  %call25 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %5, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %6, ptr noundef %name, ptr noundef %cond24)
  br label %if.end37
if.end26:
  %cmp30 = icmp ne ptr %made, null
  %or.cond1 = and i1 %cmp30, %cmp10
  br i1 %or.cond1, label %if.then32, label %if.end37
if.then32:
  %10 = load ptr, ptr %host, align 8
  %call34 = tail call fastcc i64 @elements_of(ptr noundef %10, ptr noundef nonnull %call2)
  %dtype = getelementptr inbounds nuw i8, ptr %call2, i64 32
  %11 = load i64, ptr %dtype, align 8
  %call35 = tail call fastcc i64 @size_of(i64 noundef %11)
  %mul = mul nsw i64 %call35, %call34
  %call36 = tail call ptr @memcpy(ptr noundef nonnull %made, ptr noundef %4, i64 noundef %mul)
  br label %if.end37
if.end37:
  %status.026 = phi i32 [ 3, %if.end26.thread ], [ 0, %if.then32 ], [ %cond, %if.end26 ]
  tail call void @free(ptr noundef %4)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %status.026, %if.end37 ], [ 1, %if.then ]
  ret i32 %.sink
}
define internal fastcc void @refuse_name(ptr noundef readonly captures(none) %host, ptr noundef %name) unnamed_addr minsize nounwind optsize "no-builtins" {
  %row.i = alloca [64 x i64], align 8
  br label %for.cond
for.cond:
  %least.0 = phi i64 [ 63, %0 ], [ %spec.select, %distance.exit ]
  %nearest.0 = phi ptr [ null, %0 ], [ %spec.select13, %distance.exit ]
  %inc.sink = phi i64 [ 0, %0 ], [ %inc, %distance.exit ]
  %1 = load ptr, ptr %host, align 8
  %param_count = getelementptr inbounds nuw i8, ptr %1, i64 16
  %2 = load i64, ptr %param_count, align 8
  %cmp = icmp slt i64 %inc.sink, %2
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %call = tail call fastcc ptr @param_name(ptr noundef nonnull %1, i64 noundef %inc.sink)
  %call.i = tail call fastcc i64 @length_of(ptr noundef readonly %call)
  %cmp.i = icmp ugt i64 %call.i, 63
  br i1 %cmp.i, label %distance.exit, label %lor.lhs.false.i
lor.lhs.false.i:
  %call1.i = tail call fastcc i64 @length_of(ptr noundef readonly %name)
  %cmp2.i = icmp ugt i64 %call1.i, 63
  br i1 %cmp2.i, label %distance.exit, label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %lor.lhs.false.i ]
  %cmp3.not.i = icmp ugt i64 %inc.sink.i, %call.i
  br i1 %cmp3.not.i, label %for.cond4.i, label %for.body.i
for.body.i:
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %row.i, i64 %inc.sink.i
  store i64 %inc.sink.i, ptr %arrayidx.i, align 8
  %inc.i = add nuw nsw i64 %inc.sink.i, 1
  br label %for.cond.i
for.cond4.i:
  %lhs.addr.0.i = phi ptr [ %incdec.ptr.i, %for.cond.cleanup14.i ], [ %name, %for.cond.i ]
  %3 = load i8, ptr %lhs.addr.0.i, align 1
  %cmp5.not.i = icmp eq i8 %3, 0
  br i1 %cmp5.not.i, label %for.end44.i, label %for.body7.i
for.body7.i:
  %4 = load i64, ptr %row.i, align 8
  %inc9.i = add i64 %4, 1
  store i64 %inc9.i, ptr %row.i, align 8
  br label %for.cond11.i
for.cond11.i:
  %5 = phi i64 [ %inc9.i, %for.body7.i ], [ %add29.cond.i, %for.body15.i ]
  %corner.0.i = phi i64 [ %4, %for.body7.i ], [ %7, %for.body15.i ]
  %inc41.sink.i = phi i64 [ 0, %for.body7.i ], [ %add22.i, %for.body15.i ]
  %cmp12.i = icmp ult i64 %inc41.sink.i, %call.i
  br i1 %cmp12.i, label %for.body15.i, label %for.cond.cleanup14.i
for.cond.cleanup14.i:
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %lhs.addr.0.i, i64 1
  br label %for.cond4.i
for.body15.i:
  %arrayidx17.i = getelementptr inbounds nuw i8, ptr %call, i64 %inc41.sink.i
  %6 = load i8, ptr %arrayidx17.i, align 1
  %cmp19.i = icmp ne i8 %3, %6
  %conv21.i = zext i1 %cmp19.i to i64
  %add.i = add i64 %corner.0.i, %conv21.i
  %add22.i = add nuw nsw i64 %inc41.sink.i, 1
  %arrayidx23.i = getelementptr inbounds nuw i64, ptr %row.i, i64 %add22.i
  %7 = load i64, ptr %arrayidx23.i, align 8
  %add24.i = add i64 %7, 1
  %cond.i = tail call i64 @llvm.umin.i64(i64 %add24.i, i64 %add.i)
  %add29.i = add i64 %5, 1
  %add29.cond.i = tail call i64 @llvm.umin.i64(i64 %add29.i, i64 %cond.i)
  store i64 %add29.cond.i, ptr %arrayidx23.i, align 8
  br label %for.cond11.i
for.end44.i:
  %arrayidx45.i = getelementptr inbounds nuw i64, ptr %row.i, i64 %call.i
  %8 = load i64, ptr %arrayidx45.i, align 8
  br label %distance.exit
distance.exit:
  %.sink.i = phi i64 [ %8, %for.end44.i ], [ 63, %lor.lhs.false.i ], [ 63, %for.body ]
  %cmp3 = icmp eq ptr %nearest.0, null
  %cmp4 = icmp ult i64 %.sink.i, %least.0
  %or.cond = select i1 %cmp3, i1 true, i1 %cmp4
  %spec.select = select i1 %or.cond, i64 %.sink.i, i64 %least.0
  %spec.select13 = select i1 %or.cond, ptr %call, ptr %nearest.0
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %9 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %10 = load ptr, ptr %module, align 8
  %cmp7 = icmp eq ptr %nearest.0, null
  %cond = select i1 %cmp7, ptr @.str.16, ptr @.str.17
  %cond9 = select i1 %cmp7, ptr @.str.7, ptr %nearest.0
  %call10 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %9, i64 noundef 1024, ptr noundef nonnull @.str.15, ptr noundef %10, ptr noundef %name, ptr noundef nonnull %cond, ptr noundef nonnull %cond9)
  ret void
}
define internal fastcc signext range(i32 0, 3) i32 @find_values(ptr noundef readonly captures(none) %host, i64 noundef %index, ptr noundef writeonly captures(none) %made) unnamed_addr minsize nounwind optsize "no-builtins" {
  %step.i.i.i = alloca %struct.step, align 8
  %1 = load ptr, ptr %host, align 8
  %call = tail call ptr @__tw_find_param(ptr noundef %1, i64 noundef %index)
  %constants3 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %2 = load i64, ptr %constants3, align 8
  %call4 = tail call fastcc ptr @at_offset(ptr noundef %1, i64 noundef %2)
  %call6 = tail call fastcc i64 @elements_of(ptr noundef %1, ptr noundef %call)
  %dtype = getelementptr inbounds nuw i8, ptr %call, i64 32
  %3 = load i64, ptr %dtype, align 8
  %call7 = tail call fastcc i64 @size_of(i64 noundef %3)
  %mul = mul nsw i64 %call7, %call6
  %add = add i64 %mul, 1
  %call8 = tail call noalias ptr @malloc(i64 noundef %add)
  %add9 = add i64 %call6, 1
  %call10 = tail call noalias ptr @calloc(i64 noundef %add9, i64 noundef 1)
  %cmp = icmp ne ptr %call8, null
  %cmp13 = icmp ne ptr %call10, null
  %4 = select i1 %cmp, i1 %cmp13, i1 false
  br label %for.cond
for.cond:
  %is_whole.0 = phi i1 [ false, %0 ], [ %is_whole.1, %for.inc ]
  %has_memory.0 = phi i1 [ %4, %0 ], [ %has_memory.1, %for.inc ]
  %inc.sink = phi i64 [ 0, %0 ], [ %inc, %for.inc ]
  %loadedv.not = xor i1 %has_memory.0, true
  %or.cond = select i1 %loadedv.not, i1 true, i1 %is_whole.0
  br i1 %or.cond, label %for.end, label %land.rhs15
land.rhs15:
  %5 = load ptr, ptr %host, align 8
  %constant_count = getelementptr inbounds nuw i8, ptr %5, i64 32
  %6 = load i64, ptr %constant_count, align 8
  %cmp17 = icmp slt i64 %inc.sink, %6
  br i1 %cmp17, label %for.body, label %for.end
for.body:
  %arrayidx = getelementptr inbounds nuw %struct.constant, ptr %call4, i64 %inc.sink
  %params1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %7 = load i64, ptr %params1.i, align 8
  %call.i = tail call fastcc ptr @at_offset(ptr noundef nonnull readonly %5, i64 noundef %7)
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %for.body ]
  %param_count.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %8 = load i64, ptr %param_count.i, align 8
  %cmp.not.i = icmp slt i64 %inc.sink.i, %8
  br i1 %cmp.not.i, label %for.body.i, label %for.inc
for.body.i:
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %call.i, i64 %inc.sink.i
  %9 = load i64, ptr %arrayidx.i, align 8
  %cmp2.i = icmp eq i64 %9, %index
  %inc.i = add nuw nsw i64 %inc.sink.i, 1
  br i1 %cmp2.i, label %if.then, label %for.cond.i
if.then:
  %nodes1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %10 = load i64, ptr %nodes1.i, align 8
  %call.i21 = tail call fastcc ptr @at_offset(ptr noundef nonnull %5, i64 noundef %10)
  %node_count.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %11 = load i64, ptr %node_count.i, align 8
  %sub.i = add nsw i64 %11, -1
  %arrayidx.i22 = getelementptr inbounds %struct.node, ptr %call.i21, i64 %sub.i
  %weights.i = getelementptr inbounds nuw i8, ptr %host, i64 16
  %12 = load ptr, ptr %weights.i, align 8
  %13 = load i64, ptr %arrayidx, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %12, i64 %13
  %14 = load i64, ptr %arrayidx.i22, align 8
  %cmp.i = icmp eq i64 %14, 0
  br i1 %cmp.i, label %find_in_constant.exit.thread, label %if.end.i
find_in_constant.exit.thread:
  %count3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i22, i64 24
  %15 = load i64, ptr %count3.i, align 8
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx.i22, i64 16
  %16 = load i64, ptr %dtype.i, align 8
  %call4.i = tail call fastcc i64 @size_of(i64 noundef %16)
  %mul.i = mul nsw i64 %call4.i, %15
  %call5.i = tail call ptr @memcpy(ptr noundef %call8, ptr noundef %add.ptr.i, i64 noundef %mul.i)
  %17 = load i64, ptr %count3.i, align 8
  %call7.i = tail call ptr @memset(ptr noundef %call10, i32 noundef signext 1, i64 noundef %17)
  br label %land.rhs25
if.end.i:
  %call8.i = tail call noalias ptr @calloc(i64 noundef %11, i64 noundef 24)
  %call9.i = tail call noalias ptr @calloc(i64 noundef %11, i64 noundef 1)
  %count10.i = getelementptr inbounds nuw i8, ptr %arrayidx.i22, i64 24
  %18 = load i64, ptr %count10.i, align 8
  %add.i = add i64 %18, 1
  %call11.i = tail call noalias ptr @malloc(i64 noundef %add.i)
  %cmp12.i = icmp ne ptr %call8.i, null
  %cmp13.i = icmp ne ptr %call9.i, null
  %or.cond.i = select i1 %cmp12.i, i1 %cmp13.i, i1 false
  %cmp14.i = icmp ne ptr %call11.i, null
  %spec.select.i = select i1 %or.cond.i, i1 %cmp14.i, i1 false
  br i1 %spec.select.i, label %for.cond.i.i, label %for.inc.critedge
for.cond.i.i:
  %inc.sink.i.i = phi i64 [ %inc.i.i, %if.end18.i.i ], [ 0, %if.end.i ]
  %19 = load i64, ptr %node_count.i, align 8
  %cmp.i.i = icmp slt i64 %inc.sink.i.i, %19
  br i1 %cmp.i.i, label %for.body.i.i, label %find_holders.exit.i
for.body.i.i:
  %arrayidx.i.i = getelementptr inbounds nuw %struct.node, ptr %call.i21, i64 %inc.sink.i.i
  %20 = load i64, ptr %arrayidx.i.i, align 8
  switch i64 %20, label %land.lhs.true.i.i [ i64 0, label %if.then.i.i i64 1, label %if.end18.i.i ]
if.then.i.i:
  %a.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 32
  %21 = load i64, ptr %a.i.i, align 8
  %cmp2.i.i = icmp eq i64 %21, %index
  br label %if.end18.sink.split.i.i
land.lhs.true.i.i:
  %call.i.i = tail call fastcc zeroext i1 @is_restorable(ptr noundef nonnull readonly %arrayidx.i.i)
  br i1 %call.i.i, label %if.then6.i.i, label %if.end18.i.i
if.then6.i.i:
  %a7.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 32
  %22 = load i64, ptr %a7.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds i8, ptr %call9.i, i64 %22
  %23 = load i8, ptr %arrayidx8.i.i, align 1
  %loadedv.i.i = trunc i8 %23 to i1
  br i1 %loadedv.i.i, label %if.end18.sink.split.i.i, label %lor.rhs.i.i
lor.rhs.i.i:
  %cmp10.i.i = icmp eq i64 %20, 2
  br i1 %cmp10.i.i, label %land.lhs.true11.i.i, label %if.end18.sink.split.i.i
land.lhs.true11.i.i:
  %b.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 40
  %24 = load i64, ptr %b.i.i, align 8
  %cmp12.i.i = icmp sgt i64 %24, -1
  br i1 %cmp12.i.i, label %land.rhs.i.i, label %if.end18.sink.split.i.i
land.rhs.i.i:
  %arrayidx14.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %24
  %25 = load i8, ptr %arrayidx14.i.i, align 1
  %loadedv15.i.i = trunc i8 %25 to i1
  br label %if.end18.sink.split.i.i
if.end18.sink.split.i.i:
  %.sink.i.i = phi i1 [ %cmp2.i.i, %if.then.i.i ], [ true, %if.then6.i.i ], [ false, %land.lhs.true11.i.i ], [ false, %lor.rhs.i.i ], [ %loadedv15.i.i, %land.rhs.i.i ]
  %arrayidx16.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %inc.sink.i.i
  %storedv17.i.i = zext i1 %.sink.i.i to i8
  store i8 %storedv17.i.i, ptr %arrayidx16.i.i, align 1
  br label %if.end18.i.i
if.end18.i.i:
  %inc.i.i = add nuw nsw i64 %inc.sink.i.i, 1
  br label %for.cond.i.i
find_holders.exit.i:
  %26 = getelementptr i8, ptr %call9.i, i64 %19
  %arrayidx20.i.i = getelementptr i8, ptr %26, i64 -1
  %27 = load i8, ptr %arrayidx20.i.i, align 1
  %loadedv21.i.i = trunc i8 %27 to i1
  br i1 %loadedv21.i.i, label %if.then17.i, label %find_in_constant.exit
if.then17.i:
  %28 = load i64, ptr %count10.i, align 8
  %call19.i = tail call ptr @memset(ptr noundef nonnull %call11.i, i32 noundef signext 1, i64 noundef %28)
  %arrayidx21.i = getelementptr inbounds %struct.array, ptr %call8.i, i64 %sub.i
  store ptr %add.ptr.i, ptr %arrayidx21.i, align 8
  %.compoundliteral.sroa.2.0.arrayidx21.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx21.i, i64 8
  store ptr %call11.i, ptr %.compoundliteral.sroa.2.0.arrayidx21.sroa_idx.i, align 8
  %.compoundliteral.sroa.3.0.arrayidx21.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx21.i, i64 16
  store i8 0, ptr %.compoundliteral.sroa.3.0.arrayidx21.sroa_idx.i, align 8
  %.compoundliteral.sroa.4.0.arrayidx21.sroa_idx.i = getelementptr inbounds nuw i8, ptr %arrayidx21.i, i64 17
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %.compoundliteral.sroa.4.0.arrayidx21.sroa_idx.i, i8 0, i64 7, i1 false)
  %29 = load ptr, ptr %host, align 8
  br label %for.cond.i31.i
for.cond.i31.i:
  %dec.sink.in.i.i = phi i64 [ %11, %if.then17.i ], [ %dec.sink.i.i, %for.body.i33.i ], [ %dec.sink.i.i, %lor.lhs.false.i.i ], [ %dec.sink.i.i, %if.end18.i35.i ], [ %dec.sink.i.i, %restore_operand.exit.i.i ]
  %dec.sink.i.i = add nsw i64 %dec.sink.in.i.i, -1
  %cmp.i32.i = icmp slt i64 %dec.sink.in.i.i, 1
  br i1 %cmp.i32.i, label %find_in_constant.exit, label %for.body.i33.i
for.body.i33.i:
  %arrayidx.i34.i = getelementptr inbounds nuw %struct.node, ptr %call.i21, i64 %dec.sink.i.i
  %30 = load i64, ptr %arrayidx.i34.i, align 8
  %cmp1.i.i = icmp slt i64 %30, 2
  br i1 %cmp1.i.i, label %for.cond.i31.i, label %lor.lhs.false.i.i
lor.lhs.false.i.i:
  %arrayidx2.i.i = getelementptr inbounds nuw %struct.array, ptr %call8.i, i64 %dec.sink.i.i
  %has.i.i = getelementptr inbounds nuw i8, ptr %arrayidx2.i.i, i64 8
  %31 = load ptr, ptr %has.i.i, align 8
  %cmp3.i.i = icmp eq ptr %31, null
  br i1 %cmp3.i.i, label %for.cond.i31.i, label %if.end.i.i
if.end.i.i:
  %cmp5.i.i = icmp eq i64 %30, 2
  br i1 %cmp5.i.i, label %land.lhs.true.i38.i, label %if.end18.i35.i
land.lhs.true.i38.i:
  %b.i39.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34.i, i64 40
  %32 = load i64, ptr %b.i39.i, align 8
  %cmp6.i.i = icmp sgt i64 %32, -1
  br i1 %cmp6.i.i, label %land.lhs.true7.i.i, label %if.end18.i35.i
land.lhs.true7.i.i:
  %arrayidx9.i.i = getelementptr inbounds nuw i8, ptr %call9.i, i64 %32
  %33 = load i8, ptr %arrayidx9.i.i, align 1
  %loadedv.i40.i = trunc i8 %33 to i1
  br i1 %loadedv.i40.i, label %if.then10.i.i, label %if.end18.i35.i
if.then10.i.i:
  %arrayidx12.i.i = getelementptr inbounds nuw %struct.array, ptr %call8.i, i64 %32
  %34 = load ptr, ptr %arrayidx2.i.i, align 8
  store ptr %34, ptr %arrayidx12.i.i, align 8
  %.compoundliteral.sroa.2.0.arrayidx12.sroa_idx.i.i = getelementptr inbounds nuw i8, ptr %arrayidx12.i.i, i64 8
  store ptr %31, ptr %.compoundliteral.sroa.2.0.arrayidx12.sroa_idx.i.i, align 8
  %.compoundliteral.sroa.3.0.arrayidx12.sroa_idx.i.i = getelementptr inbounds nuw i8, ptr %arrayidx12.i.i, i64 16
  store i8 0, ptr %.compoundliteral.sroa.3.0.arrayidx12.sroa_idx.i.i, align 8
  %.compoundliteral.sroa.4.0.arrayidx12.sroa_idx.i.i = getelementptr inbounds nuw i8, ptr %arrayidx12.i.i, i64 17
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %.compoundliteral.sroa.4.0.arrayidx12.sroa_idx.i.i, i8 0, i64 7, i1 false)
  br label %if.end18.i35.i
if.end18.i35.i:
  %a.i36.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34.i, i64 32
  %35 = load i64, ptr %a.i36.i, align 8
  %arrayidx19.i.i = getelementptr inbounds i8, ptr %call9.i, i64 %35
  %36 = load i8, ptr %arrayidx19.i.i, align 1
  %loadedv20.i.i = trunc i8 %36 to i1
  br i1 %loadedv20.i.i, label %if.end22.i.i, label %for.cond.i31.i
if.end22.i.i:
  %arrayidx24.i.i = getelementptr inbounds %struct.array, ptr %call8.i, i64 %35
  %arrayidx26.i.i = getelementptr inbounds %struct.node, ptr %call.i21, i64 %35
  %37 = load i64, ptr %arrayidx26.i.i, align 8
  %cmp28.i.i = icmp eq i64 %37, 0
  br i1 %cmp28.i.i, label %if.then29.i.i, label %if.else.i.i
if.then29.i.i:
  store ptr %call8, ptr %arrayidx24.i.i, align 8
  %found.sroa.6.0.arrayidx24.i.i.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  store ptr %call10, ptr %found.sroa.6.0.arrayidx24.i.i.sroa_idx, align 8
  %found.sroa.11.0.arrayidx24.i.i.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 16
  store i8 0, ptr %found.sroa.11.0.arrayidx24.i.i.sroa_idx, align 8
  %found.sroa.12.0.arrayidx24.i.i.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 17
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(7) %found.sroa.12.0.arrayidx24.i.i.sroa_idx, i8 0, i64 7, i1 false)
  br label %if.end37.i.i
if.else.i.i:
  %has30.i.i = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  %38 = load ptr, ptr %has30.i.i, align 8
  %cmp31.i.i = icmp eq ptr %38, null
  br i1 %cmp31.i.i, label %land.lhs.true32.i.i, label %if.end37.i.i
land.lhs.true32.i.i:
  %call.i37.i = tail call fastcc zeroext i1 @take_array(ptr noundef nonnull %arrayidx24.i.i, ptr noundef nonnull %arrayidx26.i.i, i1 noundef zeroext true)
  br i1 %call.i37.i, label %if.end37.i.i, label %for.inc.critedge
if.end37.i.i:
  %walk.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34.i, i64 56
  %39 = load i64, ptr %walk.i.i.i, align 8
  %call.i.i.i = tail call fastcc ptr @at_offset(ptr noundef %29, i64 noundef %39)
  %dtype.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34.i, i64 16
  %40 = load i64, ptr %dtype.i.i.i, align 8
  %call1.i.i.i = tail call fastcc i64 @size_of(i64 noundef %40)
  %from2.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34.i, i64 8
  %41 = load i64, ptr %from2.i.i.i, align 8
  %call3.i.i.i = tail call fastcc i64 @size_of(i64 noundef %41)
  %42 = load i64, ptr %arrayidx.i34.i, align 8
  switch i64 %42, label %cond.false.i.i.i [ i64 2, label %if.then.i.i.i i64 3, label %cond.end.i.i.i ]
if.then.i.i.i:
  store ptr %arrayidx.i34.i, ptr %step.i.i.i, align 8
  %axes.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 8
  store ptr null, ptr %axes.i.i.i, align 8
  %sides.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 16
  store ptr null, ptr %sides.i.i.i, align 8
  %arrayinit.element.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 24
  %43 = load ptr, ptr %arrayidx2.i.i, align 8
  store ptr %43, ptr %arrayinit.element.i.i.i, align 8
  %made.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 32
  %44 = load ptr, ptr %arrayidx24.i.i, align 8
  store ptr %44, ptr %made.i.i.i, align 8
  %has.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 40
  %has6.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  %45 = load ptr, ptr %has6.i.i.i, align 8
  store ptr %45, ptr %has.i.i.i, align 8
  %known.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 48
  %46 = load ptr, ptr %has.i.i, align 8
  store ptr %46, ptr %known.i.i.i, align 8
  %place.i.i.i = getelementptr inbounds nuw i8, ptr %step.i.i.i, i64 56
  store i64 0, ptr %place.i.i.i, align 8
  call fastcc void @take_walk(ptr noundef %29, ptr noundef %step.i.i.i)
  br label %restore_operand.exit.i.i
cond.false.i.i.i:
  br label %cond.end.i.i.i
cond.end.i.i.i:
  %.sink.i.i.i = phi i64 [ 24, %cond.false.i.i.i ], [ 48, %if.end37.i.i ]
  %count10.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i34.i, i64 %.sink.i.i.i
  %cond.i.i.i = load i64, ptr %count10.i.i.i, align 8
  br label %for.cond.i.i.i
for.cond.i.i.i:
  %inc.sink.i.i.i = phi i64 [ %inc.i.i.i, %cleanup.i.i.i ], [ 0, %cond.end.i.i.i ]
  %cmp11.i.i.i = icmp slt i64 %inc.sink.i.i.i, %cond.i.i.i
  br i1 %cmp11.i.i.i, label %for.body.i.i.i, label %restore_operand.exit.i.i
for.body.i.i.i:
  %47 = load i64, ptr %arrayidx.i34.i, align 8
  %cmp14.i.i.i = icmp eq i64 %47, 3
  br i1 %cmp14.i.i.i, label %cond.true15.i.i.i, label %cond.end17.i.i.i
cond.true15.i.i.i:
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %call.i.i.i, i64 %inc.sink.i.i.i
  %48 = load i64, ptr %arrayidx.i.i.i, align 8
  br label %cond.end17.i.i.i
cond.end17.i.i.i:
  %cond18.i.i.i = phi i64 [ %48, %cond.true15.i.i.i ], [ %inc.sink.i.i.i, %for.body.i.i.i ]
  %49 = load ptr, ptr %has.i.i, align 8
  %arrayidx20.i.i.i = getelementptr inbounds i8, ptr %49, i64 %cond18.i.i.i
  %50 = load i8, ptr %arrayidx20.i.i.i, align 1
  %loadedv.i.i.i = trunc i8 %50 to i1
  br i1 %loadedv.i.i.i, label %if.end22.i.i.i, label %cleanup.i.i.i
if.end22.i.i.i:
  %has23.i.i.i = getelementptr inbounds nuw i8, ptr %arrayidx24.i.i, i64 8
  %51 = load ptr, ptr %has23.i.i.i, align 8
  %arrayidx24.i.i.i = getelementptr inbounds nuw i8, ptr %51, i64 %inc.sink.i.i.i
  store i8 1, ptr %arrayidx24.i.i.i, align 1
  %52 = load i64, ptr %arrayidx.i34.i, align 8
  %cmp26.i.i.i = icmp eq i64 %52, 3
  br i1 %cmp26.i.i.i, label %if.then27.i.i.i, label %if.else.i.i.i
if.then27.i.i.i:
  %53 = load ptr, ptr %arrayidx24.i.i, align 8
  %mul.i.i.i = mul nuw nsw i64 %inc.sink.i.i.i, %call3.i.i.i
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %53, i64 %mul.i.i.i
  %54 = load ptr, ptr %arrayidx2.i.i, align 8
  %mul30.i.i.i = mul nsw i64 %cond18.i.i.i, %call1.i.i.i
  %add.ptr31.i.i.i = getelementptr inbounds i8, ptr %54, i64 %mul30.i.i.i
  %call32.i.i.i = tail call ptr @memcpy(ptr noundef %add.ptr.i.i.i, ptr noundef %add.ptr31.i.i.i, i64 noundef %call1.i.i.i)
  br label %cleanup.i.i.i
if.else.i.i.i:
  %55 = load ptr, ptr %arrayidx2.i.i, align 8
  %mul34.i.i.i = mul nsw i64 %cond18.i.i.i, %call1.i.i.i
  %add.ptr35.i.i.i = getelementptr inbounds i8, ptr %55, i64 %mul34.i.i.i
  %56 = load ptr, ptr %arrayidx24.i.i, align 8
  %mul37.i.i.i = mul nuw nsw i64 %inc.sink.i.i.i, %call3.i.i.i
  %add.ptr38.i.i.i = getelementptr inbounds nuw i8, ptr %56, i64 %mul37.i.i.i
  %57 = load i64, ptr %dtype.i.i.i, align 8
  %call.i.i.i.i = tail call fastcc i64 @size_of(i64 noundef %57)
  %cmp.i.i.i.i = icmp eq i64 %52, 5
  br i1 %cmp.i.i.i.i, label %while.cond.i.i.i.i, label %if.else.i.i.i.i
while.cond.i.i.i.i:
  %code.0.i.i.i.i = phi i64 [ %inc.i.i.i.i, %while.body.i.i.i.i ], [ 0, %if.else.i.i.i ]
  %cmp1.i.i.i.i = icmp samesign ult i64 %code.0.i.i.i.i, 255
  br i1 %cmp1.i.i.i.i, label %land.rhs.i.i.i.i, label %while.end.i.i.i.i
land.rhs.i.i.i.i:
  %mul.i.i.i.i = mul nuw nsw i64 %code.0.i.i.i.i, %call.i.i.i.i
  %add.ptr.i.i.i.i = getelementptr inbounds nuw i8, ptr %call.i.i.i, i64 %mul.i.i.i.i
  %call2.i.i.i.i = tail call signext i32 @memcmp(ptr noundef readonly %add.ptr.i.i.i.i, ptr noundef %add.ptr35.i.i.i, i64 noundef %call.i.i.i.i)
  %cmp3.not.i.i.i.i = icmp eq i32 %call2.i.i.i.i, 0
  br i1 %cmp3.not.i.i.i.i, label %while.end.i.i.i.i, label %while.body.i.i.i.i
while.body.i.i.i.i:
  %inc.i.i.i.i = add nuw nsw i64 %code.0.i.i.i.i, 1
  br label %while.cond.i.i.i.i
while.end.i.i.i.i:
  %conv.i.i.i.i = trunc i64 %code.0.i.i.i.i to i8
  store i8 %conv.i.i.i.i, ptr %add.ptr38.i.i.i, align 1
  br label %cleanup.i.i.i
if.else.i.i.i.i:
  %58 = load i64, ptr %from2.i.i.i, align 8
  %cmp6.i.i.i.i = icmp eq i64 %58, %57
  %cmp9.i.i.i.i = icmp eq i64 %52, 4
  %or.cond.i.i.i.i = and i1 %cmp9.i.i.i.i, %cmp6.i.i.i.i
  br i1 %or.cond.i.i.i.i, label %if.then11.i.i.i.i, label %if.else13.i.i.i.i
if.then11.i.i.i.i:
  %call12.i.i.i.i = tail call ptr @memcpy(ptr noundef %add.ptr38.i.i.i, ptr noundef %add.ptr35.i.i.i, i64 noundef %call.i.i.i.i)
  br label %cleanup.i.i.i
if.else13.i.i.i.i:
  %call15.i.i.i.i = tail call fastcc double @element_value(i64 noundef %57, ptr noundef %add.ptr35.i.i.i)
  %59 = load i64, ptr %from2.i.i.i, align 8
  %60 = load i64, ptr %arrayidx.i34.i, align 8
  %cmp18.i.i.i.i = icmp eq i64 %60, 11
  %fneg.i.i.i.i = fneg double %call15.i.i.i.i
  %cond.i.i.i.i = select i1 %cmp18.i.i.i.i, double %fneg.i.i.i.i, double %call15.i.i.i.i
  tail call fastcc void @store_value(i64 noundef %59, ptr noundef %add.ptr38.i.i.i, double noundef %cond.i.i.i.i)
  br label %cleanup.i.i.i
cleanup.i.i.i:
  %inc.i.i.i = add nuw nsw i64 %inc.sink.i.i.i, 1
  br label %for.cond.i.i.i
restore_operand.exit.i.i:
  br label %for.cond.i31.i
find_in_constant.exit:
  tail call fastcc void @free_arrays(ptr noundef nonnull %call8.i, i64 noundef %11)
  tail call void @free(ptr noundef nonnull %call9.i)
  tail call void @free(ptr noundef nonnull %call11.i)
  br label %land.rhs25
land.rhs25:
  %call27 = tail call ptr @memchr(ptr noundef %call10, i32 noundef signext 0, i64 noundef %call6)
  %cmp28 = icmp eq ptr %call27, null
  br label %for.inc
for.inc.critedge:
  tail call fastcc void @free_arrays(ptr noundef %call8.i, i64 noundef %11)
  tail call void @free(ptr noundef %call9.i)
  tail call void @free(ptr noundef %call11.i)
  br label %for.inc
for.inc:
  %is_whole.1 = phi i1 [ %cmp28, %land.rhs25 ], [ false, %for.inc.critedge ], [ false, %for.cond.i ]
  %has_memory.1 = phi i1 [ true, %land.rhs25 ], [ false, %for.inc.critedge ], [ true, %for.cond.i ]
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  %is_whole.0.lcssa = phi i1 [ %is_whole.0, %for.cond ], [ false, %land.rhs15 ]
  %has_memory.0.lcssa = phi i1 [ %has_memory.0, %for.cond ], [ true, %land.rhs15 ]
  tail call void @free(ptr noundef %call10)
  br i1 %is_whole.0.lcssa, label %if.end35, label %if.then33
if.then33:
  tail call void @free(ptr noundef %call8)
  br label %if.end35
if.end35:
  %cond = phi ptr [ null, %if.then33 ], [ %call8, %for.end ]
  store ptr %cond, ptr %made, align 8
  br i1 %has_memory.0.lcssa, label %cond.end42, label %cond.false40
cond.false40:
  tail call fastcc void @no_memory(ptr noundef nonnull %host)
  br label %cond.end42
cond.end42:
  %cond43 = phi i32 [ 2, %cond.false40 ], [ 0, %if.end35 ]
  ret i32 %cond43
}
define internal fastcc i64 @elements_of(ptr noundef readonly captures(none) %table, ptr noundef readonly captures(none) %param) unnamed_addr minsize nounwind optsize "no-builtins" {
  %shape1 = getelementptr inbounds nuw i8, ptr %param, i64 48
  %1 = load i64, ptr %shape1, align 8
  %call = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %1)
  br label %for.cond
for.cond:
  %count.0 = phi i64 [ 1, %0 ], [ %mul, %for.body ]
  %inc.sink = phi i64 [ 0, %0 ], [ %inc, %for.body ]
  %rank = getelementptr inbounds nuw i8, ptr %param, i64 40
  %2 = load i64, ptr %rank, align 8
  %cmp = icmp slt i64 %inc.sink, %2
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %arrayidx = getelementptr inbounds nuw i64, ptr %call, i64 %inc.sink
  %3 = load i64, ptr %arrayidx, align 8
  %mul = mul nsw i64 %3, %count.0
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  ret i64 %count.0
}
define internal fastcc range(i64 0, 33) i64 @size_of(i64 noundef %dtype) unnamed_addr minsize nounwind optsize "no-builtins" {
  %shr = lshr i64 %dtype, 8
  %and = and i64 %shr, 255
  %add = add nuw nsw i64 %and, 7
  %div1 = lshr i64 %add, 3
  ret i64 %div1
}
define internal fastcc ptr @data_of(ptr noundef readonly captures(none) %tensor) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load ptr, ptr %tensor, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  %2 = load i64, ptr %byte_offset, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %1, i64 %2
  ret ptr %add.ptr
}
define internal fastcc void @digest_bytes(ptr noundef nonnull %sha, ptr noundef %data, i64 noundef %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
  %words.i = alloca [64 x i32], align 4
  %v.i = alloca [8 x i32], align 4
  br label %while.cond
while.cond:
  %from.0 = phi ptr [ %data, %0 ], [ %add.ptr5, %digest_block.exit ], [ %add.ptr5, %while.body ]
  %bytes.addr.0 = phi i64 [ %bytes, %0 ], [ %sub6, %digest_block.exit ], [ %sub6, %while.body ]
  %cmp.not = icmp eq i64 %bytes.addr.0, 0
  br i1 %cmp.not, label %while.end, label %while.body
while.body:
  %bytes1 = getelementptr inbounds nuw i8, ptr %sha, i64 96
  %1 = load i64, ptr %bytes1, align 8
  %rem = and i64 %1, 63
  %sub = sub nuw nsw i64 64, %rem
  %cond = call i64 @llvm.umin.i64(i64 %bytes.addr.0, i64 %sub)
  %block = getelementptr inbounds nuw i8, ptr %sha, i64 32
  %add.ptr = getelementptr inbounds nuw i8, ptr %block, i64 %rem
  %call = call ptr @memcpy(ptr noundef nonnull %add.ptr, ptr noundef %from.0, i64 noundef %cond)
  %2 = load i64, ptr %bytes1, align 8
  %add = add i64 %cond, %2
  store i64 %add, ptr %bytes1, align 8
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %from.0, i64 %cond
  %sub6 = sub i64 %bytes.addr.0, %cond
  %rem8 = and i64 %add, 63
  %cmp9 = icmp eq i64 %rem8, 0
  br i1 %cmp9, label %if.then, label %while.cond
if.then:
  br label %for.cond.i.i
for.cond.i.i:
  %inc.sink.i.i = phi i32 [ %inc.i.i, %for.body.i.i ], [ 0, %if.then ]
  %cmp.i.i = icmp samesign ult i32 %inc.sink.i.i, 16
  br i1 %cmp.i.i, label %for.body.i.i, label %for.cond22.i.i
for.body.i.i:
  %mul.i.i = shl nuw nsw i32 %inc.sink.i.i, 2
  %idxprom.i.i = zext nneg i32 %mul.i.i to i64
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %block, i64 %idxprom.i.i
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
  %idxprom19.i.i = zext nneg i32 %inc.sink.i.i to i64
  %arrayidx20.i.i = getelementptr inbounds nuw i32, ptr %words.i, i64 %idxprom19.i.i
  store i32 %or18.i.i, ptr %arrayidx20.i.i, align 4
  %inc.i.i = add nuw nsw i32 %inc.sink.i.i, 1
  br label %for.cond.i.i
for.cond22.i.i:
  %inc51.sink.i.i = phi i32 [ %inc51.i.i, %for.body26.i.i ], [ 16, %for.cond.i.i ]
  %cmp23.i.i = icmp samesign ult i32 %inc51.sink.i.i, 64
  br i1 %cmp23.i.i, label %for.body26.i.i, label %expand_block.exit.i
for.body26.i.i:
  %7 = zext nneg i32 %inc51.sink.i.i to i64
  %8 = getelementptr i32, ptr %words.i, i64 %7
  %arrayidx28.i.i = getelementptr i8, ptr %8, i64 -60
  %9 = load i32, ptr %arrayidx28.i.i, align 4
  %arrayidx31.i.i = getelementptr i8, ptr %8, i64 -8
  %10 = load i32, ptr %arrayidx31.i.i, align 4
  %arrayidx34.i.i = getelementptr i8, ptr %8, i64 -64
  %11 = load i32, ptr %arrayidx34.i.i, align 4
  %arrayidx37.i.i = getelementptr i8, ptr %8, i64 -28
  %12 = load i32, ptr %arrayidx37.i.i, align 4
  %add38.i.i = add i32 %12, %11
  %call.i.i = call fastcc signext i32 @rotated(i32 noundef signext %9, i32 noundef signext 7)
  %call39.i.i = call fastcc signext i32 @rotated(i32 noundef signext %9, i32 noundef signext 18)
  %shr.i.i = lshr i32 %9, 3
  %xor.i.i = xor i32 %call.i.i, %shr.i.i
  %xor40.i.i = xor i32 %xor.i.i, %call39.i.i
  %add41.i.i = add i32 %add38.i.i, %xor40.i.i
  %call42.i.i = call fastcc signext i32 @rotated(i32 noundef signext %10, i32 noundef signext 17)
  %call43.i.i = call fastcc signext i32 @rotated(i32 noundef signext %10, i32 noundef signext 19)
  %shr45.i.i = lshr i32 %10, 10
  %xor44.i.i = xor i32 %call42.i.i, %shr45.i.i
  %xor46.i.i = xor i32 %xor44.i.i, %call43.i.i
  %add47.i.i = add i32 %add41.i.i, %xor46.i.i
  store i32 %add47.i.i, ptr %8, align 4
  %inc51.i.i = add nuw nsw i32 %inc51.sink.i.i, 1
  br label %for.cond22.i.i
expand_block.exit.i:
  %call.i = call ptr @memcpy(ptr noundef nonnull %v.i, ptr noundef nonnull %sha, i64 noundef 32)
  br label %for.cond.i
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %expand_block.exit.i ]
  %cmp.i = icmp samesign ult i32 %inc.sink.i, 64
  br i1 %cmp.i, label %for.body.i, label %for.cond51.i
for.body.i:
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %v.i, i64 28
  %13 = load i32, ptr %arrayidx.i, align 4
  %arrayidx4.i = getelementptr inbounds nuw i8, ptr %v.i, i64 16
  %14 = load i32, ptr %arrayidx4.i, align 4
  %call5.i = call fastcc signext i32 @rotated(i32 noundef signext %14, i32 noundef signext 6)
  %call7.i = call fastcc signext i32 @rotated(i32 noundef signext %14, i32 noundef signext 11)
  %xor.i = xor i32 %call7.i, %call5.i
  %call9.i = call fastcc signext i32 @rotated(i32 noundef signext %14, i32 noundef signext 25)
  %xor10.i = xor i32 %xor.i, %call9.i
  %arrayidx12.i = getelementptr inbounds nuw i8, ptr %v.i, i64 20
  %15 = load i32, ptr %arrayidx12.i, align 4
  %and.i = and i32 %15, %14
  %not.i = xor i32 %14, -1
  %arrayidx14.i = getelementptr inbounds nuw i8, ptr %v.i, i64 24
  %16 = load i32, ptr %arrayidx14.i, align 4
  %and15.i = and i32 %16, %not.i
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx18.i = getelementptr inbounds nuw i32, ptr @ROUND_KEYS, i64 %idxprom.i
  %17 = load i32, ptr %arrayidx18.i, align 4
  %arrayidx21.i = getelementptr inbounds nuw i32, ptr %words.i, i64 %idxprom.i
  %18 = load i32, ptr %arrayidx21.i, align 4
  %xor16.i = add i32 %xor10.i, %13
  %add.i = add i32 %xor16.i, %and.i
  %add17.i = add i32 %add.i, %and15.i
  %add19.i = add i32 %add17.i, %17
  %add22.i = add i32 %add19.i, %18
  %19 = load i32, ptr %v.i, align 4
  %call24.i = call fastcc signext i32 @rotated(i32 noundef signext %19, i32 noundef signext 2)
  %call26.i = call fastcc signext i32 @rotated(i32 noundef signext %19, i32 noundef signext 13)
  %xor27.i = xor i32 %call26.i, %call24.i
  %call29.i = call fastcc signext i32 @rotated(i32 noundef signext %19, i32 noundef signext 22)
  %xor30.i = xor i32 %xor27.i, %call29.i
  %arrayidx32.i = getelementptr inbounds nuw i8, ptr %v.i, i64 4
  %20 = load i32, ptr %arrayidx32.i, align 4
  %arrayidx35.i = getelementptr inbounds nuw i8, ptr %v.i, i64 8
  %21 = load i32, ptr %arrayidx35.i, align 4
  %and3610.i = xor i32 %21, %20
  %xor37.i = and i32 %and3610.i, %19
  %and40.i = and i32 %21, %20
  %xor41.i = xor i32 %xor37.i, %and40.i
  %call45.i = call ptr @memmove(ptr noundef nonnull %arrayidx32.i, ptr noundef nonnull %v.i, i64 noundef 28)
  %22 = load i32, ptr %arrayidx4.i, align 4
  %add47.i = add i32 %22, %add22.i
  store i32 %add47.i, ptr %arrayidx4.i, align 4
  %add42.i = add i32 %xor30.i, %add22.i
  %add48.i = add i32 %add42.i, %xor41.i
  store i32 %add48.i, ptr %v.i, align 4
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
for.cond51.i:
  %inc62.sink.i = phi i32 [ %inc62.i, %for.body54.i ], [ 0, %for.cond.i ]
  %cmp52.i = icmp samesign ult i32 %inc62.sink.i, 8
  br i1 %cmp52.i, label %for.body54.i, label %digest_block.exit
for.body54.i:
  %idxprom55.i = zext nneg i32 %inc62.sink.i to i64
  %arrayidx56.i = getelementptr inbounds nuw i32, ptr %v.i, i64 %idxprom55.i
  %23 = load i32, ptr %arrayidx56.i, align 4
  %arrayidx59.i = getelementptr inbounds nuw i32, ptr %sha, i64 %idxprom55.i
  %24 = load i32, ptr %arrayidx59.i, align 4
  %add60.i = add i32 %24, %23
  store i32 %add60.i, ptr %arrayidx59.i, align 4
  %inc62.i = add nuw nsw i32 %inc62.sink.i, 1
  br label %for.cond51.i
digest_block.exit:
  br label %while.cond
while.end:
  ret void
}
define internal fastcc void @refuse_param(ptr noundef readonly captures(none) %host, ptr noundef %name, ptr noundef %reason) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = getelementptr inbounds nuw i8, ptr %host, i64 24
  %1 = load ptr, ptr %message, align 8
  %module = getelementptr inbounds nuw i8, ptr %host, i64 8
  %2 = load ptr, ptr %module, align 8
  %call = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %1, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, ptr noundef %name, ptr noundef %reason)
  ret void
}
define internal fastcc noundef signext i32 @rotated(i32 noundef signext %word, i32 noundef signext range(i32 2, 26) %bits) unnamed_addr minsize nounwind optsize "no-builtins" {
  %or = tail call i32 @llvm.fshr.i32(i32 %word, i32 %word, i32 %bits)
  ret i32 %or
}
define internal fastcc void @write_names(ptr noundef nonnull readonly captures(none) %own, ptr noundef readonly captures(none) %constant, i32 noundef signext range(i32 0, 3) %wanted, ptr noundef nonnull initializes((0, 1)) %text, i64 noundef range(i64 256, 513) %room) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load ptr, ptr %own, align 8
  %2 = load ptr, ptr %1, align 8
  %params2 = getelementptr inbounds nuw i8, ptr %constant, i64 24
  %3 = load i64, ptr %params2, align 8
  %call = tail call fastcc ptr @at_offset(ptr noundef %2, i64 noundef %3)
  store i8 0, ptr %text, align 1
  br label %for.cond
for.cond:
  %left.0 = phi i64 [ 0, %0 ], [ %left.1, %cleanup ]
  %length.0 = phi i64 [ 0, %0 ], [ %length.1, %cleanup ]
  %inc33.sink = phi i64 [ 0, %0 ], [ %inc33, %cleanup ]
  %param_count = getelementptr inbounds nuw i8, ptr %constant, i64 32
  %4 = load i64, ptr %param_count, align 8
  %cmp = icmp slt i64 %inc33.sink, %4
  br i1 %cmp, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %cmp35 = icmp sgt i64 %left.0, 0
  br i1 %cmp35, label %if.then37, label %if.end47
for.body:
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %call, i64 %inc33.sink
  %5 = load i64, ptr %arrayidx3, align 8
  %call4 = tail call fastcc ptr @param_name(ptr noundef %2, i64 noundef %5)
  %cmp5 = icmp eq i64 %length.0, 0
  %cond = select i1 %cmp5, ptr @.str.7, ptr @.str.8
  %cmp6.not = icmp eq i32 %wanted, 0
  br i1 %cmp6.not, label %if.end, label %land.lhs.true
land.lhs.true:
  %given = getelementptr inbounds nuw i8, ptr %own, i64 8
  %6 = load ptr, ptr %given, align 8
  %arrayidx8 = getelementptr inbounds ptr, ptr %6, i64 %5
  %7 = load ptr, ptr %arrayidx8, align 8
  %cmp9 = icmp ne ptr %7, null
  %8 = icmp ne i32 %wanted, 1
  %cmp12.not = xor i1 %8, %cmp9
  br i1 %cmp12.not, label %if.end, label %cleanup
if.end:
  %cmp14 = icmp sgt i64 %left.0, 0
  br i1 %cmp14, label %cond.end25, label %cond.false
cond.false:
  %sub = add nsw i64 %room, -40
  %cmp16 = icmp slt i64 %length.0, %sub
  br i1 %cmp16, label %cond.true18, label %cond.end25
cond.true18:
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %length.0
  %sub20 = sub nsw i64 %sub, %length.0
  %call21 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr, i64 noundef %sub20, ptr noundef nonnull @.str.9, ptr noundef nonnull %cond, ptr noundef %call4)
  %conv22 = sext i32 %call21 to i64
  %add = add nsw i64 %length.0, %conv22
  br label %cond.end25
cond.end25:
  %cond26 = phi i64 [ %room, %if.end ], [ %add, %cond.true18 ], [ %length.0, %cond.false ]
  %sub27 = add nsw i64 %room, -40
  %cmp28 = icmp sge i64 %cond26, %sub27
  %inc = zext i1 %cmp28 to i64
  %spec.select = add nsw i64 %left.0, %inc
  %spec.select28 = select i1 %cmp28, i64 %length.0, i64 %cond26
  br label %cleanup
cleanup:
  %left.1 = phi i64 [ %left.0, %land.lhs.true ], [ %spec.select, %cond.end25 ]
  %length.1 = phi i64 [ %length.0, %land.lhs.true ], [ %spec.select28, %cond.end25 ]
  %inc33 = add nuw nsw i64 %inc33.sink, 1
  br label %for.cond
if.then37:
  %add.ptr38 = getelementptr inbounds i8, ptr %text, i64 %length.0
  %sub39 = sub nsw i64 %room, %length.0
  %cmp40 = icmp eq i64 %length.0, 0
  %cond42 = select i1 %cmp40, ptr @.str.7, ptr @.str.11
  %cond45 = select i1 %cmp40, ptr @.str.12, ptr @.str.13
  %call46 = tail call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr38, i64 noundef %sub39, ptr noundef nonnull @.str.10, ptr noundef nonnull %cond42, i64 noundef %left.0, ptr noundef nonnull %cond45)
  br label %if.end47
if.end47:
  ret void
}
define internal fastcc zeroext i1 @take_array(ptr noundef captures(none) initializes((0, 17)) %array, ptr noundef readonly captures(none) %node, i1 noundef zeroext %has_marks) unnamed_addr minsize nounwind optsize "no-builtins" {
  %count1 = getelementptr inbounds nuw i8, ptr %node, i64 24
  %1 = load i64, ptr %count1, align 8
  %add = add i64 %1, 1
  %is_owned = getelementptr inbounds nuw i8, ptr %array, i64 16
  store i8 1, ptr %is_owned, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %2 = load i64, ptr %dtype, align 8
  %call = tail call fastcc i64 @size_of(i64 noundef %2)
  %call2 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef %call)
  store ptr %call2, ptr %array, align 8
  br i1 %has_marks, label %cond.true, label %cond.end
cond.true:
  %call3 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 1)
  %.pr = load ptr, ptr %array, align 8
  br label %cond.end
cond.end:
  %3 = phi ptr [ %call2, %0 ], [ %.pr, %cond.true ]
  %cond = phi ptr [ null, %0 ], [ %call3, %cond.true ]
  %has = getelementptr inbounds nuw i8, ptr %array, i64 8
  store ptr %cond, ptr %has, align 8
  %cmp.not = icmp eq ptr %3, null
  br i1 %cmp.not, label %land.end, label %land.rhs
land.rhs:
  %cmp6 = icmp ne ptr %cond, null
  %lnot = xor i1 %has_marks, true
  %4 = or i1 %cmp6, %lnot
  br label %land.end
land.end:
  %5 = phi i1 [ false, %cond.end ], [ %4, %land.rhs ]
  ret i1 %5
}
define internal fastcc void @free_arrays(ptr noundef %arrays, i64 noundef %count) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i64 [ %inc, %for.inc ], [ 0, %0 ]
  %cmp = icmp ne ptr %arrays, null
  %cmp1 = icmp slt i64 %inc.sink, %count
  %1 = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %1, label %for.body, label %for.end
for.body:
  %arrayidx = getelementptr inbounds nuw %struct.array, ptr %arrays, i64 %inc.sink
  %is_owned = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %2 = load i8, ptr %is_owned, align 8
  %loadedv = trunc i8 %2 to i1
  br i1 %loadedv, label %if.then, label %for.inc
if.then:
  %3 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %3)
  %has = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %4 = load ptr, ptr %has, align 8
  tail call void @free(ptr noundef %4)
  br label %for.inc
for.inc:
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  tail call void @free(ptr noundef %arrays)
  ret void
}
define internal noundef zeroext i1 @compute_walk(ptr noundef %table, ptr noundef %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) minsize nounwind optsize "no-builtins" {
  %step = alloca %struct.step, align 8
  %1 = load i64, ptr %node, align 8
  %cmp.not = icmp eq i64 %1, 2
  br i1 %cmp.not, label %land.end.thread, label %land.end
land.end.thread:
  %a27 = getelementptr inbounds nuw i8, ptr %node, i64 32
  %2 = load i64, ptr %a27, align 8
  %arrayidx8 = getelementptr inbounds %struct.array, ptr %arrays, i64 %2
  %3 = load ptr, ptr %arrayidx8, align 8
  br label %cond.end
land.end:
  %b = getelementptr inbounds nuw i8, ptr %node, i64 40
  %4 = load i64, ptr %b, align 8
  %cmp1 = icmp sgt i64 %4, -1
  %a2 = getelementptr inbounds nuw i8, ptr %node, i64 32
  %5 = load i64, ptr %a2, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %5
  %6 = load ptr, ptr %arrayidx, align 8
  br i1 %cmp1, label %cond.true, label %cond.end
cond.true:
  %arrayidx5 = getelementptr inbounds nuw %struct.array, ptr %arrays, i64 %4
  %7 = load ptr, ptr %arrayidx5, align 8
  br label %cond.end
cond.end:
  %8 = phi ptr [ %6, %cond.true ], [ %6, %land.end ], [ %3, %land.end.thread ]
  %cond = phi ptr [ %7, %cond.true ], [ %6, %land.end ], [ %3, %land.end.thread ]
  store ptr %node, ptr %step, align 8
  %axes = getelementptr inbounds nuw i8, ptr %step, i64 8
  store ptr null, ptr %axes, align 8
  %sides = getelementptr inbounds nuw i8, ptr %step, i64 16
  store ptr %8, ptr %sides, align 8
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
  call fastcc void @take_walk(ptr noundef %table, ptr noundef %step)
  ret i1 true
}
define internal noundef zeroext i1 @compute_scatter(ptr noundef readonly captures(none) %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) minsize nounwind optsize "no-builtins" {
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %1 = load i64, ptr %dtype, align 8
  %call = tail call fastcc i64 @size_of(i64 noundef %1)
  %walk = getelementptr inbounds nuw i8, ptr %node, i64 56
  %2 = load i64, ptr %walk, align 8
  %call1 = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %2)
  br label %for.cond
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %0 ]
  %rank = getelementptr inbounds nuw i8, ptr %node, i64 48
  %3 = load i64, ptr %rank, align 8
  %cmp = icmp slt i64 %inc.sink, %3
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %arrayidx = getelementptr inbounds nuw i64, ptr %call1, i64 %inc.sink
  %4 = load i64, ptr %arrayidx, align 8
  %mul = mul nsw i64 %4, %call
  %add.ptr = getelementptr inbounds i8, ptr %made, i64 %mul
  %a = getelementptr inbounds nuw i8, ptr %node, i64 32
  %5 = load i64, ptr %a, align 8
  %arrayidx2 = getelementptr inbounds %struct.array, ptr %arrays, i64 %5
  %6 = load ptr, ptr %arrayidx2, align 8
  %mul3 = mul nuw nsw i64 %inc.sink, %call
  %add.ptr4 = getelementptr inbounds nuw i8, ptr %6, i64 %mul3
  %call5 = tail call ptr @memcpy(ptr noundef %add.ptr, ptr noundef %add.ptr4, i64 noundef %call)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  ret i1 true
}
define internal noundef zeroext i1 @compute_convert(ptr readnone captures(none) %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) minsize nounwind optsize "no-builtins" {
  %from1 = getelementptr inbounds nuw i8, ptr %node, i64 8
  %1 = load i64, ptr %from1, align 8
  %call = tail call fastcc i64 @size_of(i64 noundef %1)
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %2 = load i64, ptr %dtype, align 8
  %call2 = tail call fastcc i64 @size_of(i64 noundef %2)
  br label %for.cond
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %0 ]
  %count = getelementptr inbounds nuw i8, ptr %node, i64 24
  %3 = load i64, ptr %count, align 8
  %cmp.not.not.not.not.not.not = icmp sge i64 %inc.sink, %3
  br i1 %cmp.not.not.not.not.not.not, label %cleanup16, label %for.body
for.body:
  %4 = load i64, ptr %from1, align 8
  %a = getelementptr inbounds nuw i8, ptr %node, i64 32
  %5 = load i64, ptr %a, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %5
  %6 = load ptr, ptr %arrayidx, align 8
  %mul = mul nuw nsw i64 %inc.sink, %call
  %add.ptr = getelementptr inbounds nuw i8, ptr %6, i64 %mul
  %call4 = tail call fastcc double @element_value(i64 noundef %4, ptr noundef %add.ptr)
  %7 = load i64, ptr %dtype, align 8
  %mul6 = mul nuw nsw i64 %inc.sink, %call2
  %add.ptr7 = getelementptr inbounds nuw i8, ptr %made, i64 %mul6
  tail call fastcc void @store_value(i64 noundef %7, ptr noundef %add.ptr7, double noundef %call4)
  %8 = load i64, ptr %dtype, align 8
  %call11 = tail call fastcc double @element_value(i64 noundef %8, ptr noundef %add.ptr7)
  %b = getelementptr inbounds nuw i8, ptr %node, i64 40
  %9 = load i64, ptr %b, align 8
  %cmp12 = icmp eq i64 %9, 1
  %sub = fsub double %call11, %call11
  %cmp13 = fcmp une double %sub, 0.000000e+00
  %or.cond = select i1 %cmp12, i1 %cmp13, i1 false
  %inc = add nuw nsw i64 %inc.sink, 1
  br i1 %or.cond, label %cleanup16, label %for.cond
cleanup16:
  ret i1 %cmp.not.not.not.not.not.not
}
define internal noundef zeroext i1 @compute_lookup(ptr noundef %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef %made) minsize nounwind optsize "no-builtins" {
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %1 = load i64, ptr %dtype, align 8
  %call = tail call fastcc i64 @size_of(i64 noundef %1)
  %walk = getelementptr inbounds nuw i8, ptr %node, i64 56
  %2 = load i64, ptr %walk, align 8
  %call1 = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %2)
  %a = getelementptr inbounds nuw i8, ptr %node, i64 32
  %3 = load i64, ptr %a, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %3
  %4 = load ptr, ptr %arrayidx, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %0 ]
  %count = getelementptr inbounds nuw i8, ptr %node, i64 24
  %5 = load i64, ptr %count, align 8
  %cmp = icmp slt i64 %inc.sink, %5
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %mul = mul nuw nsw i64 %inc.sink, %call
  %add.ptr = getelementptr inbounds nuw i8, ptr %made, i64 %mul
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %4, i64 %inc.sink
  %6 = load i8, ptr %arrayidx2, align 1
  %conv = zext i8 %6 to i64
  %mul3 = mul nuw nsw i64 %call, %conv
  %add.ptr4 = getelementptr inbounds nuw i8, ptr %call1, i64 %mul3
  %call5 = tail call ptr @memcpy(ptr noundef %add.ptr, ptr noundef %add.ptr4, i64 noundef %call)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
for.end:
  ret i1 true
}
define internal noundef zeroext i1 @compute_windows(ptr noundef readonly captures(none) %table, ptr noundef readonly captures(none) %node, ptr noundef readonly captures(none) %arrays, ptr noundef writeonly captures(none) %made) minsize nounwind optsize "no-builtins" {
  %half.i = alloca [16 x [3 x double]], align 8
  %column.i = alloca [3 x double], align 8
  %count = getelementptr inbounds nuw i8, ptr %node, i64 24
  %1 = load i64, ptr %count, align 8
  %rank = getelementptr inbounds nuw i8, ptr %node, i64 48
  %2 = load i64, ptr %rank, align 8
  %mul = mul nsw i64 %2, %2
  %div = sdiv i64 %1, %mul
  %a2 = getelementptr inbounds nuw i8, ptr %node, i64 32
  %3 = load i64, ptr %a2, align 8
  %arrayidx = getelementptr inbounds %struct.array, ptr %arrays, i64 %3
  %4 = load ptr, ptr %arrayidx, align 8
  %walk = getelementptr inbounds nuw i8, ptr %node, i64 56
  %5 = load i64, ptr %walk, align 8
  %call = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %5)
  br label %for.cond.i
for.cond.i:
  %inc57.sink.i = phi i64 [ %inc57.i, %for.cond.cleanup32.i ], [ 0, %0 ]
  %cmp.i = icmp slt i64 %inc57.sink.i, %div
  br i1 %cmp.i, label %for.cond1.i, label %transform_windows.exit
for.cond1.i:
  %inc26.sink.i = phi i32 [ %inc26.i, %for.cond.cleanup16.i ], [ 0, %for.cond.i ]
  %cmp2.i = icmp samesign ult i32 %inc26.sink.i, 3
  br i1 %cmp2.i, label %for.cond5.i, label %for.cond29.i
for.cond5.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.body8.i ], [ 0, %for.cond1.i ]
  %cmp6.i = icmp samesign ult i32 %inc.sink.i, 3
  br i1 %cmp6.i, label %for.body8.i, label %for.cond13.i
for.body8.i:
  %mul.i = mul nuw nsw i32 %inc.sink.i, 3
  %add.i = add nuw nsw i32 %mul.i, %inc26.sink.i
  %conv.i = zext nneg i32 %add.i to i64
  %mul9.i = mul nsw i64 %div, %conv.i
  %6 = getelementptr float, ptr %4, i64 %mul9.i
  %arrayidx.i = getelementptr float, ptr %6, i64 %inc57.sink.i
  %7 = load float, ptr %arrayidx.i, align 4
  %conv11.i = fpext float %7 to double
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx12.i = getelementptr inbounds nuw double, ptr %column.i, i64 %idxprom.i
  store double %conv11.i, ptr %arrayidx12.i, align 8
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond5.i
for.cond13.i:
  %inc23.sink.i = phi i64 [ %inc23.i, %for.body17.i ], [ 0, %for.cond5.i ]
  %cmp14.i = icmp slt i64 %inc23.sink.i, %2
  br i1 %cmp14.i, label %for.body17.i, label %for.cond.cleanup16.i
for.cond.cleanup16.i:
  %inc26.i = add nuw nsw i32 %inc26.sink.i, 1
  br label %for.cond1.i
for.body17.i:
  %add.ptr.idx.i = mul nuw nsw i64 %inc23.sink.i, 24
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call, i64 %add.ptr.idx.i
  %call.i = call fastcc double @three_products(ptr noundef readonly %add.ptr.i, ptr noundef %column.i)
  %arrayidx19.i = getelementptr inbounds nuw [3 x double], ptr %half.i, i64 %inc23.sink.i
  %idxprom20.i = zext nneg i32 %inc26.sink.i to i64
  %arrayidx21.i = getelementptr inbounds nuw double, ptr %arrayidx19.i, i64 %idxprom20.i
  store double %call.i, ptr %arrayidx21.i, align 8
  %inc23.i = add nuw nsw i64 %inc23.sink.i, 1
  br label %for.cond13.i
for.cond29.i:
  %inc54.sink.i = phi i64 [ %inc54.i, %for.cond.cleanup37.i ], [ 0, %for.cond1.i ]
  %cmp30.i = icmp slt i64 %inc54.sink.i, %2
  br i1 %cmp30.i, label %for.cond34.i, label %for.cond.cleanup32.i
for.cond.cleanup32.i:
  %inc57.i = add nuw nsw i64 %inc57.sink.i, 1
  br label %for.cond.i
for.cond34.i:
  %inc51.sink.i = phi i64 [ %inc51.i, %for.body38.i ], [ 0, %for.cond29.i ]
  %cmp35.i = icmp slt i64 %inc51.sink.i, %2
  br i1 %cmp35.i, label %for.body38.i, label %for.cond.cleanup37.i
for.cond.cleanup37.i:
  %inc54.i = add nuw nsw i64 %inc54.sink.i, 1
  br label %for.cond29.i
for.body38.i:
  %add.ptr40.idx.i = mul nuw nsw i64 %inc51.sink.i, 24
  %add.ptr40.i = getelementptr inbounds nuw i8, ptr %call, i64 %add.ptr40.idx.i
  %arrayidx41.i = getelementptr inbounds nuw [3 x double], ptr %half.i, i64 %inc54.sink.i
  %call43.i = call fastcc double @three_products(ptr noundef readonly %add.ptr40.i, ptr noundef %arrayidx41.i)
  %conv44.i = fptrunc double %call43.i to float
  %mul45.i = mul nsw i64 %inc54.sink.i, %2
  %add46.i = add nsw i64 %inc51.sink.i, %mul45.i
  %mul47.i = mul nsw i64 %add46.i, %div
  %8 = getelementptr float, ptr %made, i64 %mul47.i
  %arrayidx49.i = getelementptr float, ptr %8, i64 %inc57.sink.i
  store float %conv44.i, ptr %arrayidx49.i, align 4
  %inc51.i = add nuw nsw i64 %inc51.sink.i, 1
  br label %for.cond34.i
transform_windows.exit:
  ret i1 true
}
define internal fastcc void @take_walk(ptr noundef %table, ptr noundef nonnull captures(none) initializes((8, 16)) %step) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load ptr, ptr %step, align 8
  %walk1 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %2 = load i64, ptr %walk1, align 8
  %call = tail call fastcc ptr @at_offset(ptr noundef %table, i64 noundef %2)
  %axes = getelementptr inbounds nuw i8, ptr %call, i64 16
  %axes2 = getelementptr inbounds nuw i8, ptr %step, i64 8
  store ptr %axes, ptr %axes2, align 8
  %3 = load i64, ptr %call, align 8
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %call, i64 8
  %4 = load i64, ptr %arrayidx4, align 8
  tail call fastcc void @walk_axes(ptr noundef %step, i64 noundef 0, i64 noundef %3, i64 noundef %4)
  ret void
}
define internal fastcc void @walk_axes(ptr noundef nonnull captures(none) %step, i64 noundef %axis, i64 noundef %first, i64 noundef %second) unnamed_addr minsize nounwind optsize "no-builtins" {
  %axes = getelementptr inbounds nuw i8, ptr %step, i64 8
  %1 = load ptr, ptr %axes, align 8
  %arrayidx = getelementptr inbounds %struct.axis, ptr %1, i64 %axis
  %add = add nsw i64 %axis, 1
  %2 = load ptr, ptr %step, align 8
  %rank = getelementptr inbounds nuw i8, ptr %2, i64 48
  %3 = load i64, ptr %rank, align 8
  %cmp = icmp eq i64 %add, %3
  br i1 %cmp, label %if.then, label %for.cond
if.then:
  %4 = load i64, ptr %2, align 8
  %cmp2.not = icmp eq i64 %4, 2
  br i1 %cmp2.not, label %if.else, label %if.then3
if.then3:
  %dtype1.i = getelementptr inbounds nuw i8, ptr %2, i64 16
  %5 = load i64, ptr %dtype1.i, align 8
  %call.i = tail call fastcc i64 @size_of(i64 noundef %5)
  %arrayidx.i = getelementptr inbounds ptr, ptr @ARITHMETIC, i64 %4
  %6 = load ptr, ptr %arrayidx.i, align 8
  br label %for.cond.i
for.cond.i:
  %inc20.sink.i = phi i64 [ %inc20.i, %for.body.i ], [ 0, %if.then3 ]
  %7 = load i64, ptr %arrayidx, align 8
  %cmp.i = icmp slt i64 %inc20.sink.i, %7
  br i1 %cmp.i, label %for.body.i, label %cleanup
for.body.i:
  %sides.i = getelementptr inbounds nuw i8, ptr %step, i64 16
  %8 = load ptr, ptr %sides.i, align 8
  %steps.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %9 = load i64, ptr %steps.i, align 8
  %mul.i = mul nsw i64 %9, %inc20.sink.i
  %add.i = add nsw i64 %mul.i, %first
  %mul6.i = mul nsw i64 %add.i, %call.i
  %add.ptr.i = getelementptr inbounds i8, ptr %8, i64 %mul6.i
  %call7.i = tail call fastcc double @element_value(i64 noundef %5, ptr noundef %add.ptr.i)
  %arrayidx9.i = getelementptr inbounds nuw i8, ptr %step, i64 24
  %10 = load ptr, ptr %arrayidx9.i, align 8
  %arrayidx11.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %11 = load i64, ptr %arrayidx11.i, align 8
  %mul12.i = mul nsw i64 %11, %inc20.sink.i
  %add13.i = add nsw i64 %mul12.i, %second
  %mul14.i = mul nsw i64 %add13.i, %call.i
  %add.ptr15.i = getelementptr inbounds i8, ptr %10, i64 %mul14.i
  %call16.i = tail call fastcc double @element_value(i64 noundef %5, ptr noundef %add.ptr15.i)
  %made.i = getelementptr inbounds nuw i8, ptr %step, i64 32
  %12 = load ptr, ptr %made.i, align 8
  %place.i = getelementptr inbounds nuw i8, ptr %step, i64 56
  %13 = load i64, ptr %place.i, align 8
  %inc.i = add nsw i64 %13, 1
  store i64 %inc.i, ptr %place.i, align 8
  %mul17.i = mul nsw i64 %13, %call.i
  %add.ptr18.i = getelementptr inbounds i8, ptr %12, i64 %mul17.i
  %call19.i = tail call double %6(double noundef %call7.i, double noundef %call16.i)
  tail call fastcc void @store_value(i64 noundef %5, ptr noundef %add.ptr18.i, double noundef %call19.i)
  %inc20.i = add nuw nsw i64 %inc20.sink.i, 1
  br label %for.cond.i
if.else:
  %has = getelementptr inbounds nuw i8, ptr %step, i64 40
  %14 = load ptr, ptr %has, align 8
  %cmp4.not = icmp eq ptr %14, null
  %dtype.i36 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %15 = load i64, ptr %dtype.i36, align 8
  %call.i37 = tail call fastcc i64 @size_of(i64 noundef %15)
  br i1 %cmp4.not, label %if.else6, label %for.cond.i25
for.cond.i25:
  %from.addr.0.i = phi i64 [ %add10.i, %for.inc.i ], [ %second, %if.else ]
  %to.addr.0.i = phi i64 [ %add.i31, %for.inc.i ], [ %first, %if.else ]
  %at.0.i = phi i64 [ %inc.i29, %for.inc.i ], [ 0, %if.else ]
  %16 = load i64, ptr %arrayidx, align 8
  %cmp.i26 = icmp slt i64 %at.0.i, %16
  br i1 %cmp.i26, label %for.body.i27, label %cleanup
for.body.i27:
  %known.i = getelementptr inbounds nuw i8, ptr %step, i64 48
  %17 = load ptr, ptr %known.i, align 8
  %arrayidx.i28 = getelementptr inbounds i8, ptr %17, i64 %from.addr.0.i
  %18 = load i8, ptr %arrayidx.i28, align 1
  %loadedv.i = trunc i8 %18 to i1
  br i1 %loadedv.i, label %if.then.i, label %for.inc.i
if.then.i:
  %made.i33 = getelementptr inbounds nuw i8, ptr %step, i64 32
  %19 = load ptr, ptr %made.i33, align 8
  %mul.i34 = mul nsw i64 %to.addr.0.i, %call.i37
  %add.ptr.i35 = getelementptr inbounds i8, ptr %19, i64 %mul.i34
  %arrayidx2.i = getelementptr inbounds nuw i8, ptr %step, i64 24
  %20 = load ptr, ptr %arrayidx2.i, align 8
  %mul3.i = mul nsw i64 %from.addr.0.i, %call.i37
  %add.ptr4.i = getelementptr inbounds i8, ptr %20, i64 %mul3.i
  %call5.i = tail call ptr @memcpy(ptr noundef %add.ptr.i35, ptr noundef %add.ptr4.i, i64 noundef %call.i37)
  %21 = load ptr, ptr %has, align 8
  %arrayidx6.i = getelementptr inbounds i8, ptr %21, i64 %to.addr.0.i
  store i8 1, ptr %arrayidx6.i, align 1
  br label %for.inc.i
for.inc.i:
  %inc.i29 = add nuw nsw i64 %at.0.i, 1
  %steps.i30 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %22 = load i64, ptr %steps.i30, align 8
  %add.i31 = add nsw i64 %22, %to.addr.0.i
  %arrayidx9.i32 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %23 = load i64, ptr %arrayidx9.i32, align 8
  %add10.i = add nsw i64 %23, %from.addr.0.i
  br label %for.cond.i25
if.else6:
  %sides.i38 = getelementptr inbounds nuw i8, ptr %step, i64 16
  %24 = load ptr, ptr %sides.i38, align 8
  %mul.i39 = mul nsw i64 %call.i37, %first
  %add.ptr.i40 = getelementptr inbounds i8, ptr %24, i64 %mul.i39
  %made.i41 = getelementptr inbounds nuw i8, ptr %step, i64 32
  %25 = load ptr, ptr %made.i41, align 8
  %mul1.i = mul nsw i64 %call.i37, %second
  %add.ptr2.i = getelementptr inbounds i8, ptr %25, i64 %mul1.i
  %steps.i42 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %26 = load i64, ptr %steps.i42, align 8
  %mul4.i = mul nsw i64 %26, %call.i37
  %arrayidx6.i43 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %27 = load i64, ptr %arrayidx6.i43, align 8
  %mul7.i = mul nsw i64 %27, %call.i37
  %cmp.i44 = icmp eq i64 %mul4.i, %call.i37
  %cmp8.i = icmp eq i64 %mul7.i, %call.i37
  %or.cond.i = select i1 %cmp.i44, i1 %cmp8.i, i1 false
  br i1 %or.cond.i, label %if.then.i48, label %if.else.i
if.then.i48:
  %28 = load i64, ptr %arrayidx, align 8
  %mul10.i = mul nsw i64 %28, %call.i37
  %call11.i = tail call ptr @memcpy(ptr noundef %add.ptr2.i, ptr noundef %add.ptr.i40, i64 noundef %mul10.i)
  br label %cleanup
if.else.i:
  %cmp12.i = icmp eq i64 %call.i37, 4
  br i1 %cmp12.i, label %for.cond.i45, label %for.cond23.i
for.cond.i45:
  %inc.sink.i = phi i64 [ %inc.i47, %for.body.i46 ], [ 0, %if.else.i ]
  %29 = load i64, ptr %arrayidx, align 8
  %cmp15.i = icmp slt i64 %inc.sink.i, %29
  br i1 %cmp15.i, label %for.body.i46, label %cleanup
for.body.i46:
  %mul16.i = mul nsw i64 %inc.sink.i, %mul7.i
  %add.ptr17.i = getelementptr inbounds i8, ptr %add.ptr2.i, i64 %mul16.i
  %mul18.i = mul nsw i64 %inc.sink.i, %mul4.i
  %add.ptr19.i = getelementptr inbounds i8, ptr %add.ptr.i40, i64 %mul18.i
  %call20.i = tail call ptr @memcpy(ptr noundef %add.ptr17.i, ptr noundef %add.ptr19.i, i64 noundef 4)
  %inc.i47 = add nuw nsw i64 %inc.sink.i, 1
  br label %for.cond.i45
for.cond23.i:
  %inc34.sink.i = phi i64 [ %inc34.i, %for.body27.i ], [ 0, %if.else.i ]
  %30 = load i64, ptr %arrayidx, align 8
  %cmp25.i = icmp slt i64 %inc34.sink.i, %30
  br i1 %cmp25.i, label %for.body27.i, label %cleanup
for.body27.i:
  %mul28.i = mul nsw i64 %inc34.sink.i, %mul7.i
  %add.ptr29.i = getelementptr inbounds i8, ptr %add.ptr2.i, i64 %mul28.i
  %mul30.i = mul nsw i64 %inc34.sink.i, %mul4.i
  %add.ptr31.i = getelementptr inbounds i8, ptr %add.ptr.i40, i64 %mul30.i
  %call32.i = tail call ptr @memcpy(ptr noundef %add.ptr29.i, ptr noundef %add.ptr31.i, i64 noundef %call.i37)
  %inc34.i = add nuw nsw i64 %inc34.sink.i, 1
  br label %for.cond23.i
for.cond:
  %inc.sink = phi i64 [ %inc, %for.body ], [ 0, %0 ]
  %31 = load i64, ptr %arrayidx, align 8
  %cmp9 = icmp slt i64 %inc.sink, %31
  br i1 %cmp9, label %for.body, label %cleanup
for.body:
  %steps = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %32 = load i64, ptr %steps, align 8
  %mul = mul nsw i64 %32, %inc.sink
  %add12 = add nsw i64 %mul, %first
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %33 = load i64, ptr %arrayidx14, align 8
  %mul15 = mul nsw i64 %33, %inc.sink
  %add16 = add nsw i64 %mul15, %second
  tail call fastcc void @walk_axes(ptr noundef %step, i64 noundef %add, i64 noundef %add12, i64 noundef %add16)
  %inc = add nuw nsw i64 %inc.sink, 1
  br label %for.cond
cleanup:
  ret void
}
define internal fastcc double @element_value(i64 noundef %dtype, ptr noundef %from) unnamed_addr minsize nounwind optsize "no-builtins" {
  %single = alloca float, align 4
  %number = alloca double, align 8
  %half = alloca i16, align 2
  switch i64 %dtype, label %if.end4 [ i64 16386, label %if.then i64 8194, label %if.then2 ]
if.then:
  %call = call ptr @memcpy(ptr noundef nonnull %number, ptr noundef %from, i64 noundef 8)
  %1 = load double, ptr %number, align 8
  br label %cleanup
if.then2:
  %call3 = call ptr @memcpy(ptr noundef nonnull %single, ptr noundef %from, i64 noundef 4)
  %2 = load float, ptr %single, align 4
  %conv = fpext float %2 to double
  br label %cleanup
if.end4:
  %call5 = call ptr @memcpy(ptr noundef nonnull %half, ptr noundef %from, i64 noundef 2)
  %cmp6 = icmp eq i64 %dtype, 4098
  %3 = load i16, ptr %half, align 2
  br i1 %cmp6, label %cond.true, label %cond.false
cond.true:
  %4 = and i16 %3, 32767
  %and2.i = zext nneg i16 %4 to i32
  %shl3.i = shl nuw nsw i32 %and2.i, 13
  %cmp.i = icmp samesign ugt i16 %4, 31743
  br i1 %cmp.i, label %if.then.i, label %if.end.i
if.then.i:
  %half.signext.i = sext i16 %3 to i32
  %shl.i = and i32 %half.signext.i, -2147483648
  %or.i = or disjoint i32 %shl.i, %shl3.i
  %or5.i = or disjoint i32 %or.i, 1879048192
  %call.i = call fastcc float @float_of_bits(i32 noundef signext %or5.i)
  %conv6.i = fpext float %call.i to double
  br label %cleanup
if.end.i:
  %call7.i = call fastcc float @float_of_bits(i32 noundef signext %shl3.i)
  %conv8.i = fpext float %call7.i to double
  %mul.i = fmul double %conv8.i, 0x46F0000000000000
  %fneg.i = fneg double %mul.i
  %cmp96.i = icmp slt i16 %3, 0
  %cond.i = select i1 %cmp96.i, double %fneg.i, double %mul.i
  br label %cleanup
cond.false:
  %conv9 = zext i16 %3 to i32
  %shl = shl nuw i32 %conv9, 16
  %call10 = call fastcc float @float_of_bits(i32 noundef signext %shl)
  %conv11 = fpext float %call10 to double
  br label %cleanup
cleanup:
  %cond.sink = phi double [ %1, %if.then ], [ %conv, %if.then2 ], [ %conv11, %cond.false ], [ %cond.i, %if.end.i ], [ %conv6.i, %if.then.i ]
  ret double %cond.sink
}
define internal fastcc void @store_value(i64 noundef %dtype, ptr noundef %to, double noundef %value) unnamed_addr minsize nounwind optsize "no-builtins" {
  %single.i = alloca float, align 4
  %bits.i5 = alloca i32, align 4
  %value.addr.i = alloca double, align 8
  %bits.i = alloca i64, align 8
  %value.addr = alloca double, align 8
  %single = alloca float, align 4
  %half = alloca i16, align 2
  store double %value, ptr %value.addr, align 8
  %conv = fptrunc double %value to float
  store float %conv, ptr %single, align 4
  switch i64 %dtype, label %cond.false [ i64 16386, label %if.then i64 8194, label %if.then4 i64 4098, label %cond.true ]
if.then:
  %call = call ptr @memcpy(ptr noundef %to, ptr noundef nonnull %value.addr, i64 noundef 8)
  br label %if.end15
if.then4:
  %call5 = call ptr @memcpy(ptr noundef %to, ptr noundef nonnull %single, i64 noundef 4)
  br label %if.end15
cond.true:
  store double %value, ptr %value.addr.i, align 8
  %call.i = call ptr @memcpy(ptr noundef nonnull %bits.i, ptr noundef nonnull %value.addr.i, i64 noundef 8)
  %1 = load i64, ptr %bits.i, align 8
  %shr.i = lshr i64 %1, 48
  %2 = trunc nuw i64 %shr.i to i16
  %conv.i = and i16 %2, -32768
  %shr1.i = lshr i64 %1, 52
  %3 = trunc nuw nsw i64 %shr1.i to i32
  %conv3.i = and i32 %3, 2047
  %and4.i = and i64 %1, 4503599627370495
  %cmp.i = icmp eq i32 %conv3.i, 2047
  %cmp6.i = icmp ne i64 %and4.i, 0
  %or.cond.i = and i1 %cmp6.i, %cmp.i
  br i1 %or.cond.i, label %if.then.i, label %if.end.i
if.then.i:
  %shr8.i = lshr i64 %and4.i, 42
  %conv9.i = trunc nuw nsw i64 %shr8.i to i16
  %cmp12.i = icmp eq i64 %shr8.i, 0
  %cond.i = select i1 %cmp12.i, i16 1, i16 %conv9.i
  %4 = or disjoint i16 %conv.i, %cond.i
  %or15.i = or disjoint i16 %4, 31744
  br label %half_of.exit
if.end.i:
  %cmp17.i = icmp samesign ugt i32 %conv3.i, 1038
  br i1 %cmp17.i, label %if.then19.i, label %if.end23.i
if.then19.i:
  %5 = or disjoint i16 %conv.i, 31744
  br label %half_of.exit
if.end23.i:
  %cmp24.i = icmp samesign ult i32 %conv3.i, 997
  br i1 %cmp24.i, label %half_of.exit, label %if.end27.i
if.end27.i:
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
lor.rhs.i:
  %cmp46.i = icmp eq i64 %and40.i, %shl43.i
  %and48.i = and i64 %shr36.i, 1
  %cmp49.i = icmp ne i64 %and48.i, 0
  %6 = select i1 %cmp46.i, i1 %cmp49.i, i1 false
  %7 = zext i1 %6 to i64
  br label %lor.end.i
lor.end.i:
  %lor.ext.i = phi i64 [ 1, %if.end27.i ], [ %7, %lor.rhs.i ]
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
half_of.exit:
  %conv65.sink.i = phi i16 [ %conv65.i, %lor.end.i ], [ %or15.i, %if.then.i ], [ %5, %if.then19.i ], [ %conv.i, %if.end23.i ]
  br label %cond.end
cond.false:
  store float %conv, ptr %single.i, align 4
  %call.i7 = call ptr @memcpy(ptr noundef nonnull %bits.i5, ptr noundef nonnull %single.i, i64 noundef 4)
  %8 = load float, ptr %single.i, align 4
  %cmp.i8 = fcmp uno float %8, 0.000000e+00
  %9 = load i32, ptr %bits.i5, align 4
  br i1 %cmp.i8, label %if.then.i11, label %if.end.i9
if.then.i11:
  %cmp2.not.i = icmp sgt i32 %9, -1
  %cond.i12 = select i1 %cmp2.not.i, i32 32704, i32 65472
  br label %bfloat_of.exit
if.end.i9:
  %add.i10 = add i32 %9, 32767
  %shr5.i = lshr i32 %9, 16
  %and.i = and i32 %shr5.i, 1
  %add6.i = add i32 %add.i10, %and.i
  %shr7.i = lshr i32 %add6.i, 16
  br label %bfloat_of.exit
bfloat_of.exit:
  %shr7.sink.i = phi i32 [ %shr7.i, %if.end.i9 ], [ %cond.i12, %if.then.i11 ]
  %conv8.i = trunc nuw i32 %shr7.sink.i to i16
  br label %cond.end
cond.end:
  %call11.sink = phi i16 [ %conv8.i, %bfloat_of.exit ], [ %conv65.sink.i, %half_of.exit ]
  store i16 %call11.sink, ptr %half, align 2
  %call14 = call ptr @memcpy(ptr noundef %to, ptr noundef nonnull %half, i64 noundef 2)
  br label %if.end15
if.end15:
  ret void
}
define internal noundef double @sum_of(double noundef %lhs, double noundef %rhs) minsize nounwind optsize "no-builtins" {
  %add = fadd double %lhs, %rhs
  ret double %add
}
define internal noundef double @difference_of(double noundef %lhs, double noundef %rhs) minsize nounwind optsize "no-builtins" {
  %sub = fsub double %lhs, %rhs
  ret double %sub
}
define internal noundef double @product_of(double noundef %lhs, double noundef %rhs) minsize nounwind optsize "no-builtins" {
  %mul = fmul double %lhs, %rhs
  ret double %mul
}
define internal noundef double @quotient_of(double noundef %lhs, double noundef %rhs) minsize nounwind optsize "no-builtins" {
  %div = fdiv double %lhs, %rhs
  ret double %div
}
define internal noundef double @negative_of(double noundef %lhs, double %rhs) minsize nounwind optsize "no-builtins" {
  %fneg = fneg double %lhs
  ret double %fneg
}
define internal double @root_of(double noundef %lhs, double %rhs) minsize nounwind optsize "no-builtins" {
  %cmp.i = fcmp olt double %lhs, 0.000000e+00
  br i1 %cmp.i, label %if.then.i, label %if.end.i
if.then.i:
  %sub.i = fsub double %lhs, %lhs
  %div.i = fdiv double %sub.i, %sub.i
  br label %square_root.exit
if.end.i:
  %cmp2.i = fcmp ogt double %lhs, 0.000000e+00
  %cmp3.i = fcmp olt double %lhs, 0x10000000000000
  %or.cond.i = and i1 %cmp2.i, %cmp3.i
  br i1 %or.cond.i, label %if.then4.i, label %if.end6.i
if.then4.i:
  %mul.i = fmul double %lhs, 0x4350000000000000
  %call.i = tail call fastcc double @root_by_digits(double noundef %mul.i)
  %div5.i = fmul double %call.i, 0x3E40000000000000
  br label %square_root.exit
if.end6.i:
  %sub9.i = fsub double %lhs, %lhs
  %cmp10.i = fcmp oeq double %sub9.i, 0.000000e+00
  %or.cond13.i = and i1 %cmp2.i, %cmp10.i
  br i1 %or.cond13.i, label %cond.true.i, label %square_root.exit
cond.true.i:
  %call11.i = tail call fastcc double @root_by_digits(double noundef %lhs)
  br label %square_root.exit
square_root.exit:
  %cond.sink.i = phi double [ %div.i, %if.then.i ], [ %div5.i, %if.then4.i ], [ %call11.i, %cond.true.i ], [ %lhs, %if.end6.i ]
  ret double %cond.sink.i
}
define internal fastcc double @root_by_digits(double noundef %x) unnamed_addr minsize nounwind optsize "no-builtins" {
  %x.addr = alloca double, align 8
  %bits = alloca i64, align 8
  store double %x, ptr %x.addr, align 8
  %call = call ptr @memcpy(ptr noundef nonnull %bits, ptr noundef nonnull %x.addr, i64 noundef 8)
  %1 = load i64, ptr %bits, align 8
  %shr = lshr i64 %1, 52
  %conv = trunc nuw nsw i64 %shr to i32
  %sub1 = add nsw i32 %conv, -1075
  %and = and i64 %1, 4503599627370495
  %or = or disjoint i64 %and, 4503599627370496
  %2 = and i32 %sub1, 1
  %3 = zext nneg i32 %2 to i64
  %digits.0.ph = shl nuw nsw i64 %or, %3
  br label %for.cond
for.cond:
  %root.0 = phi i64 [ %root.1, %for.body ], [ 0, %0 ]
  %remainder.0 = phi i64 [ %remainder.1, %for.body ], [ 0, %0 ]
  %dec.sink = phi i32 [ %dec, %for.body ], [ 26, %0 ]
  %cmp4 = icmp sgt i32 %dec.sink, -28
  br i1 %cmp4, label %for.body, label %for.end
for.body:
  %shl6 = shl i64 %remainder.0, 2
  %cmp7 = icmp sgt i32 %dec.sink, -1
  %mul = shl nuw nsw i32 %dec.sink, 1
  %sh_prom = zext nneg i32 %mul to i64
  %shr9 = lshr i64 %digits.0.ph, %sh_prom
  %and10 = and i64 %shr9, 3
  %cond = select i1 %cmp7, i64 %and10, i64 0
  %or11 = or disjoint i64 %cond, %shl6
  %shl12 = shl i64 %root.0, 2
  %shl14 = shl i64 %root.0, 1
  %cmp15.not.not = icmp ugt i64 %or11, %shl12
  %or13.neg = xor i64 %shl12, -1
  %or19 = zext i1 %cmp15.not.not to i64
  %root.1 = or disjoint i64 %shl14, %or19
  %sub18 = select i1 %cmp15.not.not, i64 %or13.neg, i64 0
  %remainder.1 = add i64 %sub18, %or11
  %dec = add nsw i32 %dec.sink, -1
  br label %for.cond
for.end:
  %cmp.not = icmp eq i32 %2, 0
  %sub3 = add nsw i32 %conv, -1076
  %exponent.0.ph = select i1 %cmp.not, i32 %sub1, i32 %sub3
  %shr21 = lshr i64 %root.0, 1
  %and22 = and i64 %root.0, 1
  %div = sdiv i32 %exponent.0.ph, 2
  %add24 = add nsw i32 %div, 1049
  %conv25 = zext nneg i32 %add24 to i64
  %shl26 = shl nuw i64 %conv25, 52
  %add = or disjoint i64 %and22, -4503599627370496
  %add27 = add nsw i64 %add, %shr21
  %sub28 = add i64 %add27, %shl26
  store i64 %sub28, ptr %bits, align 8
  %call29 = call ptr @memcpy(ptr noundef nonnull %x.addr, ptr noundef nonnull %bits, i64 noundef 8)
  %4 = load double, ptr %x.addr, align 8
  ret double %4
}
define internal fastcc float @float_of_bits(i32 noundef signext %bits) unnamed_addr minsize nounwind optsize "no-builtins" {
  %bits.addr = alloca i32, align 4
  %made = alloca float, align 4
  store i32 %bits, ptr %bits.addr, align 4
  %call = call ptr @memcpy(ptr noundef nonnull %made, ptr noundef nonnull %bits.addr, i64 noundef 4)
  %1 = load float, ptr %made, align 4
  ret float %1
}
define internal fastcc double @three_products(ptr noundef readonly captures(none) %factors, ptr noundef nonnull readonly captures(none) %values) unnamed_addr minsize nounwind optsize "no-builtins" {
  %product = alloca double, align 8
  %1 = load double, ptr %factors, align 8
  %2 = load double, ptr %values, align 8
  %mul = fmul double %1, %2
  store volatile double %mul, ptr %product, align 8
  %product.0.product.0.product.0.product.0. = load volatile double, ptr %product, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %factors, i64 8
  %3 = load double, ptr %arrayidx2, align 8
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %values, i64 8
  %4 = load double, ptr %arrayidx3, align 8
  %mul4 = fmul double %3, %4
  store volatile double %mul4, ptr %product, align 8
  %product.0.product.0.product.0.product.0.2 = load volatile double, ptr %product, align 8
  %add = fadd double %product.0.product.0.product.0.product.0., %product.0.product.0.product.0.product.0.2
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %factors, i64 16
  %5 = load double, ptr %arrayidx5, align 8
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %values, i64 16
  %6 = load double, ptr %arrayidx6, align 8
  %mul7 = fmul double %5, %6
  store volatile double %mul7, ptr %product, align 8
  %product.0.product.0.product.0.product.0.3 = load volatile double, ptr %product, align 8
  %add8 = fadd double %add, %product.0.product.0.product.0.product.0.3
  ret double %add8
}
define internal fastcc i64 @length_of(ptr noundef readonly captures(none) %text) unnamed_addr minsize nounwind optsize "no-builtins" {
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
define internal fastcc zeroext i1 @is_restorable(ptr noundef readonly captures(none) %node) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i64, ptr %node, align 8
  %sh_prom = trunc i64 %1 to i32
  %shl = shl nuw i32 1, %sh_prom
  %and = and i32 %shl, 48
  %cmp.not = icmp eq i32 %and, 0
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %from = getelementptr inbounds nuw i8, ptr %node, i64 8
  %2 = load i64, ptr %from, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %node, i64 16
  %3 = load i64, ptr %dtype, align 8
  %cmp2.i = icmp eq i64 %2, %3
  br i1 %cmp2.i, label %return, label %lor.rhs3.i
lor.rhs3.i:
  switch i64 %3, label %return [ i64 16386, label %land.rhs.i i64 8194, label %land.rhs.i ]
land.rhs.i:
  %call.i = tail call fastcc i64 @size_of(i64 noundef %2)
  %call4.i = tail call fastcc i64 @size_of(i64 noundef %3)
  %cmp5.i = icmp samesign ult i64 %call.i, %call4.i
  br label %return
if.end:
  %and4 = and i32 %shl, 2060
  %cmp5 = icmp ne i32 %and4, 0
  br label %return
return:
  %cmp5.sink = phi i1 [ %cmp5, %if.end ], [ true, %if.then ], [ false, %lor.rhs3.i ], [ %cmp5.i, %land.rhs.i ]
  ret i1 %cmp5.sink
}
declare signext i32 @strcmp(ptr noundef, ptr noundef) local_unnamed_addr
declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare void @free(ptr noundef) local_unnamed_addr
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare hidden void @tw_write_type(ptr noundef, i64 noundef, i32 noundef signext, i64 noundef, ptr noundef) local_unnamed_addr
declare hidden zeroext i1 @tw_is_plain(ptr noundef) local_unnamed_addr
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
declare ptr @memmove(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
declare ptr @memset(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr
declare noalias ptr @malloc(i64 noundef) local_unnamed_addr
declare ptr @memchr(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr
declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.fshr.i32(i32, i32, i32)
