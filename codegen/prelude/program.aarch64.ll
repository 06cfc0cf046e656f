; Generated from runtime/native/program.c by `make prelude`; do not edit.
; ziglang 0.17.1, aarch64-linux-gnu
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.argument = type { %struct.tw_tensor, [32 x i64] }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
%struct.tw_value = type { i32, i32, %union.anon }
%union.anon = type { i64 }
%struct.member = type { [46 x i8], i64, i64 }

@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@.str = private unnamed_addr constant [27 x i8] c"is an input without a file\00", align 1
@model.0 = internal unnamed_addr global ptr @__tvm_ffi_main, align 8
@model.1 = internal unnamed_addr global ptr @__tw_output_shapes, align 8
@model.2 = internal unnamed_addr global ptr @tw_specs, align 8
@model.3 = internal unnamed_addr global ptr @tw_entries, align 8
@model.4 = internal unnamed_addr global i32 0, align 8
@model.5 = internal unnamed_addr global i32 0, align 4
@.str.1 = private unnamed_addr constant [24 x i8] c"has too many dimensions\00", align 1
@.str.2 = private unnamed_addr constant [12 x i8] c"the outputs\00", align 1
@.str.3 = private unnamed_addr constant [41 x i8] c"cannot be written to the standard output\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.4 = private unnamed_addr constant [9 x i8] c"\0Ausage: \00", align 1
@.str.5 = private unnamed_addr constant [184 x i8] c" [-o OUTPUT.npy | -o OUTPUTS.npz] INPUT...\0A    INPUT is a file of numpy, in the order of the signature: FILE.npy, or\0A    NAME=FILE.npy, or FILE.npz with arrays of the names of inputs\0A\00", align 1
@.str.6 = private unnamed_addr constant [2 x i8] c"=\00", align 1
@.str.7 = private unnamed_addr constant [15 x i8] c"names no input\00", align 1
@.str.8 = private unnamed_addr constant [28 x i8] c"cannot be read, or is empty\00", align 1
@.str.9 = private unnamed_addr constant [3 x i8] c"PK\00", align 1
@.str.10 = private unnamed_addr constant [22 x i8] c"is one input too many\00", align 1
@.str.11 = private unnamed_addr constant [5 x i8] c"PK\05\06\00", align 1
@.str.12 = private unnamed_addr constant [17 x i8] c"has no directory\00", align 1
@.str.13 = private unnamed_addr constant [5 x i8] c"PK\01\02\00", align 1
@.str.14 = private unnamed_addr constant [24 x i8] c"has a damaged directory\00", align 1
@.str.15 = private unnamed_addr constant [34 x i8] c"has a member without an input: %s\00", align 1
@.str.16 = private unnamed_addr constant [40 x i8] c"is compressed: save it with numpy.savez\00", align 1
@.str.17 = private unnamed_addr constant [11 x i8] c"is damaged\00", align 1
@.str.18 = private unnamed_addr constant [33 x i8] c"is damaged, or larger than 4 GiB\00", align 1
@.str.19 = private unnamed_addr constant [7 x i8] c"\93NUMPY\00", align 1
@.str.20 = private unnamed_addr constant [23 x i8] c"is not a file of numpy\00", align 1
@.str.21 = private unnamed_addr constant [30 x i8] c"has a header that is too long\00", align 1
@.str.22 = private unnamed_addr constant [8 x i8] c"'descr'\00", align 1
@.str.23 = private unnamed_addr constant [16 x i8] c"'fortran_order'\00", align 1
@.str.24 = private unnamed_addr constant [8 x i8] c"'shape'\00", align 1
@.str.25 = private unnamed_addr constant [43 x i8] c"has a header without type, order and shape\00", align 1
@.str.26 = private unnamed_addr constant [45 x i8] c"does not fit %s: expected %.200s, got %.120s\00", align 1
@.str.27 = private unnamed_addr constant [6 x i8] c"False\00", align 1
@.str.28 = private unnamed_addr constant [64 x i8] c"is stored column by column: save numpy.ascontiguousarray(array)\00", align 1
@.str.29 = private unnamed_addr constant [26 x i8] c"is shorter than its array\00", align 1
@.str.30 = private unnamed_addr constant [25 x i8] c"does not fit into memory\00", align 1
@is_dtype.kinds = internal unnamed_addr constant [8 x i8] c"iuf  cb\00", align 1
@.str.31 = private unnamed_addr constant [23 x i8] c"error: %.300s: %.600s\0A\00", align 1
@.str.32 = private unnamed_addr constant [8 x i8] c"error: \00", align 1
@__tw_last_error = external global [1024 x i8], align 1
@.str.33 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@tw_entries = external hidden constant [0 x i32], align 4
@__tw_pool = external local_unnamed_addr global ptr, align 8
@__tw_default_threads = external local_unnamed_addr global i32, align 4
@.str.34 = private unnamed_addr constant [56 x i8] c"does not fit into memory, or would have a negative size\00", align 1
@.str.35 = private unnamed_addr constant [5 x i8] c".npz\00", align 1
@.str.36 = private unnamed_addr constant [67 x i8] c"holds one array: write several outputs to a file that ends in .npz\00", align 1
@.str.37 = private unnamed_addr constant [18 x i8] c"cannot be written\00", align 1
@.str.38 = private unnamed_addr constant [9 x i8] c"PK\01\02\14\00\14\00\00", align 1
@__const.put_array.local = private unnamed_addr constant [30 x i8] c"PK\03\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.39 = private unnamed_addr constant [5 x i8] c".npy\00", align 1
@write_header.kinds = internal unnamed_addr constant [19 x i8] c"iufVVcbVVVVVVVVVVV\00", align 1
@.str.40 = private unnamed_addr constant [2 x i8] c"(\00", align 1
@.str.41 = private unnamed_addr constant [6 x i8] c"%lld,\00", align 1
@.str.42 = private unnamed_addr constant [60 x i8] c"{'descr': '%s%s%d', 'fortran_order': False, 'shape': %s), }\00", align 1
@.str.43 = private unnamed_addr constant [2 x i8] c"|\00", align 1
@.str.44 = private unnamed_addr constant [2 x i8] c"<\00", align 1
@.str.45 = private unnamed_addr constant [9 x i8] c"\93NUMPY\01\00\00", align 1
@__const.put_directory.end = private unnamed_addr constant [22 x i8] c"PK\05\06\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.46 = private unnamed_addr constant [5 x i8] c"%s: \00", align 1
@.str.47 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.48 = private unnamed_addr constant [8 x i8] c" x %lld\00", align 1
@.str.49 = private unnamed_addr constant [2 x i8] c" \00", align 1
@.str.50 = private unnamed_addr constant [5 x i8] c"...\0A\00", align 1
@.str.51 = private unnamed_addr constant [6 x i8] c"\0A...\0A\00", align 1
@.str.52 = private unnamed_addr constant [5 x i8] c"True\00", align 1
@.str.53 = private unnamed_addr constant [5 x i8] c"%llu\00", align 1
@.str.54 = private unnamed_addr constant [6 x i8] c"%#llx\00", align 1
@.str.55 = private unnamed_addr constant [4 x i8] c"nan\00", align 1
@.str.56 = private unnamed_addr constant [4 x i8] c"inf\00", align 1
@.str.57 = private unnamed_addr constant [5 x i8] c"-inf\00", align 1
@.str.58 = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.59 = private unnamed_addr constant [13 x i8] c"%s%d.%se%s%d\00", align 1
@.str.60 = private unnamed_addr constant [2 x i8] c"-\00", align 1
@.str.61 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.62 = private unnamed_addr constant [2 x i8] c"+\00", align 1

define hidden range(i32 0, 3) i32 @tw_program(i32 noundef %argc, ptr noundef readonly captures(none) %argv) local_unnamed_addr #0 {
entry:
  %value.i.i = alloca i64, align 8
  %wide.i.i = alloca double, align 8
  %wide10.i.i = alloca float, align 4
  %text.i194 = alloca [1024 x i8], align 1
  %processors.i = alloca [16 x i64], align 8
  %text.i164 = alloca [1024 x i8], align 1
  %text.i = alloca [1024 x i8], align 1
  %text.i95.i = alloca [1024 x i8], align 1
  %text.i175.i.i.i = alloca [1024 x i8], align 1
  %text.i142.i.i.i = alloca [1024 x i8], align 1
  %text.i129.i.i.i = alloca [1024 x i8], align 1
  %text.i.i.i.i = alloca [1024 x i8], align 1
  %text.i153.i.i = alloca [1024 x i8], align 1
  %shown.i.i.i = alloca [128 x i8], align 1
  %text.i140.i.i = alloca [1024 x i8], align 1
  %text.i97.i.i = alloca [1024 x i8], align 1
  %text.i.i.i = alloca [1024 x i8], align 1
  %text.i75.i = alloca [1024 x i8], align 1
  %text.i.i = alloca [1024 x i8], align 1
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %struct.argument, i64 %1, align 8
  %2 = mul nuw nsw i64 %1, 304
  %call = call ptr @memset(ptr noundef nonnull %vla, i32 noundef 0, i64 noundef %2) #12
  %cmp = icmp slt i32 %argc, 2
  %3 = load i32, ptr @tw_inputs, align 4
  %cmp1 = icmp sgt i32 %3, 0
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %cmp3.not343 = icmp sgt i32 %argc, 1
  br i1 %cmp3.not343, label %for.body.lr.ph, label %for.cond41.preheader

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %wide.trip.count.i.i = zext nneg i32 %3 to i64
  %4 = sext i32 %3 to i64
  br label %for.body

if.then:                                          ; preds = %entry
  %5 = load ptr, ptr %argv, align 8
  call fastcc void @explain(ptr noundef %5) #13
  br label %cleanup122

for.cond41.preheader:                             ; preds = %for.inc, %for.cond.preheader
  %output.0.lcssa = phi ptr [ null, %for.cond.preheader ], [ %output.1, %for.inc ]
  br i1 %cmp1, label %for.body45.preheader, label %for.end59

for.body45.preheader:                             ; preds = %for.cond41.preheader
  %wide.trip.count = zext nneg i32 %3 to i64
  br label %for.body45

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %word.0345 = phi i32 [ 1, %for.body.lr.ph ], [ %inc40, %for.inc ]
  %output.0344 = phi ptr [ null, %for.body.lr.ph ], [ %output.1, %for.inc ]
  %idxprom = sext i32 %word.0345 to i64
  %arrayidx4 = getelementptr inbounds ptr, ptr %argv, i64 %idxprom
  %6 = load ptr, ptr %arrayidx4, align 8
  %7 = load i8, ptr %6, align 1
  %cmp6.not = icmp eq i8 %7, 45
  br i1 %cmp6.not, label %if.else, label %if.then8

if.then8:                                         ; preds = %for.body
  %call.i = call i64 @strcspn(ptr noundef nonnull %6, ptr noundef nonnull @.str.6) #14
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %6, i64 %call.i
  %8 = load i8, ptr %arrayidx.i, align 1
  %cmp.i = icmp ne i8 %8, 61
  %add.ptr3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 1
  %cond.i = select i1 %cmp.i, ptr %6, ptr %add.ptr3.i
  br i1 %cmp.i, label %if.end.i, label %cond.true6.i

cond.true6.i:                                     ; preds = %if.then8
  br i1 %cmp1, label %for.body.i.i, label %if.then.i

for.body.i.i:                                     ; preds = %cond.true6.i, %for.inc.i.i
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %for.inc.i.i ], [ 0, %cond.true6.i ]
  %arrayidx.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i.i
  %9 = load ptr, ptr %arrayidx.i.i, align 8
  %call.i.i = call i64 @strlen(ptr noundef %9) #14
  %cmp2.i.i = icmp eq i64 %call.i.i, %call.i
  br i1 %cmp2.i.i, label %land.lhs.true.i.i, label %for.inc.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i.i
  %call6.i.i = call i32 @memcmp(ptr noundef %9, ptr noundef nonnull readonly %6, i64 noundef %call.i) #14
  %cmp7.i.i = icmp eq i32 %call6.i.i, 0
  br i1 %cmp7.i.i, label %cond.end9.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %land.lhs.true.i.i, %for.body.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %if.then.i, label %for.body.i.i

cond.end9.i:                                      ; preds = %land.lhs.true.i.i
  %10 = trunc nuw nsw i64 %indvars.iv.i.i to i32
  br label %if.end.i

if.then.i:                                        ; preds = %cond.true6.i, %for.inc.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i) #15
  %call.i72.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %6, ptr noundef nonnull @.str.7) #12
  %call.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i.i) #14
  br label %while.cond.i.i.i.i

while.cond.i.i.i.i:                               ; preds = %while.body.i.i.i.i, %if.then.i
  %count.addr.0.i.i.i.i = phi i64 [ %call.i.i.i, %if.then.i ], [ %sub.i.i.i.i, %while.body.i.i.i.i ]
  %at.0.i.i.i.i = phi ptr [ %text.i.i, %if.then.i ], [ %add.ptr.i.i.i.i, %while.body.i.i.i.i ]
  %cmp.not.i.i.i.i = icmp eq i64 %count.addr.0.i.i.i.i, 0
  br i1 %cmp.not.i.i.i.i, label %fail.exit.i, label %while.body.i.i.i.i

while.body.i.i.i.i:                               ; preds = %while.cond.i.i.i.i
  %call.i.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i.i, i64 noundef %count.addr.0.i.i.i.i) #12
  %cmp1.i.i.i.i = icmp sgt i64 %call.i.i.i.i, 0
  %add.ptr.i.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i, i64 %call.i.i.i.i
  %sub.i.i.i.i = sub i64 %count.addr.0.i.i.i.i, %call.i.i.i.i
  br i1 %cmp1.i.i.i.i, label %while.cond.i.i.i.i, label %fail.exit.i

fail.exit.i:                                      ; preds = %while.body.i.i.i.i, %while.cond.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i) #15
  br label %cleanup122

if.end.i:                                         ; preds = %cond.end9.i, %if.then8
  %cond10115.i = phi i32 [ %10, %cond.end9.i ], [ 0, %if.then8 ]
  %call.i73.i = call i32 (ptr, i32, ...) @open(ptr noundef nonnull %cond.i, i32 noundef 524288) #12
  %cmp.i.i = icmp slt i32 %call.i73.i, 0
  br i1 %cmp.i.i, label %if.then15.i, label %cond.end.i.i

cond.end.i.i:                                     ; preds = %if.end.i
  %call1.i.i = call i64 @lseek(i32 noundef %call.i73.i, i64 noundef 0, i32 noundef 2) #12
  %cmp2.i74.i = icmp slt i64 %call1.i.i, 1
  br i1 %cmp2.i74.i, label %map_file.exit.thread119.i, label %map_file.exit.i

map_file.exit.thread119.i:                        ; preds = %cond.end.i.i
  %call9.i121.i = call i32 @close(i32 noundef %call.i73.i) #12
  br label %if.then15.i

map_file.exit.i:                                  ; preds = %cond.end.i.i
  %call5.i.i = call ptr @mmap(ptr noundef null, i64 noundef %call1.i.i, i32 noundef 1, i32 noundef 2, i32 noundef %call.i73.i, i64 noundef 0) #12
  %call9.i.i = call i32 @close(i32 noundef %call.i73.i) #12
  %cmp12.i.not.i = icmp eq ptr %call5.i.i, inttoptr (i64 -1 to ptr)
  br i1 %cmp12.i.not.i, label %if.then15.i, label %if.end17.i

if.then15.i:                                      ; preds = %map_file.exit.i, %if.end.i, %map_file.exit.thread119.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i75.i) #15
  %call.i76.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i75.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.8) #12
  %call.i.i77.i = call i64 @strlen(ptr noundef nonnull %text.i75.i) #14
  br label %while.cond.i.i.i78.i

while.cond.i.i.i78.i:                             ; preds = %while.body.i.i.i82.i, %if.then15.i
  %count.addr.0.i.i.i79.i = phi i64 [ %call.i.i77.i, %if.then15.i ], [ %sub.i.i.i86.i, %while.body.i.i.i82.i ]
  %at.0.i.i.i80.i = phi ptr [ %text.i75.i, %if.then15.i ], [ %add.ptr.i.i.i85.i, %while.body.i.i.i82.i ]
  %cmp.not.i.i.i81.i = icmp eq i64 %count.addr.0.i.i.i79.i, 0
  br i1 %cmp.not.i.i.i81.i, label %fail.exit87.i, label %while.body.i.i.i82.i

while.body.i.i.i82.i:                             ; preds = %while.cond.i.i.i78.i
  %call.i.i.i83.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i80.i, i64 noundef %count.addr.0.i.i.i79.i) #12
  %cmp1.i.i.i84.i = icmp sgt i64 %call.i.i.i83.i, 0
  %add.ptr.i.i.i85.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i80.i, i64 %call.i.i.i83.i
  %sub.i.i.i86.i = sub i64 %count.addr.0.i.i.i79.i, %call.i.i.i83.i
  br i1 %cmp1.i.i.i84.i, label %while.cond.i.i.i78.i, label %fail.exit87.i

fail.exit87.i:                                    ; preds = %while.body.i.i.i82.i, %while.cond.i.i.i78.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i75.i) #15
  br label %cleanup122

if.end17.i:                                       ; preds = %map_file.exit.i
  %cmp18.i = icmp samesign ugt i64 %call1.i.i, 21
  br i1 %cmp18.i, label %land.lhs.true.i, label %if.end25.i

land.lhs.true.i:                                  ; preds = %if.end17.i
  %call20.i = call i32 @memcmp(ptr noundef %call5.i.i, ptr noundef nonnull @.str.9, i64 noundef 2) #14
  %cmp21.i = icmp eq i32 %call20.i, 0
  br i1 %cmp21.i, label %if.then23.i, label %if.end25.i

if.then23.i:                                      ; preds = %land.lhs.true.i
  %sub.i.i = add nsw i64 %call1.i.i, -22
  %add.ptr184.i.i = getelementptr inbounds nuw i8, ptr %call5.i.i, i64 %sub.i.i
  %call185.i.i = call i32 @memcmp(ptr noundef %add.ptr184.i.i, ptr noundef nonnull @.str.11, i64 noundef 4) #14
  %cmp.not186.i.i = icmp eq i32 %call185.i.i, 0
  br i1 %cmp.not186.i.i, label %for.end.i.i, label %for.body.i88.i

for.body.i88.i:                                   ; preds = %if.then23.i, %for.inc.i89.i
  %end.0187.i.i = phi i64 [ %dec.i.i, %for.inc.i89.i ], [ %sub.i.i, %if.then23.i ]
  %cmp1.i.i = icmp eq i64 %end.0187.i.i, 0
  %sub3.i.i = sub nsw i64 %call1.i.i, %end.0187.i.i
  %cmp4.i.i = icmp samesign ugt i64 %sub3.i.i, 65536
  %or.cond.i.i = or i1 %cmp1.i.i, %cmp4.i.i
  br i1 %or.cond.i.i, label %if.then.i92.i, label %for.inc.i89.i

if.then.i92.i:                                    ; preds = %for.body.i88.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i.i) #15
  %call.i.i93.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.12) #12
  %call.i.i.i94.i = call i64 @strlen(ptr noundef nonnull %text.i.i.i) #14
  br label %while.cond.i.i.i.i.i

while.cond.i.i.i.i.i:                             ; preds = %while.body.i.i.i.i.i, %if.then.i92.i
  %count.addr.0.i.i.i.i.i = phi i64 [ %call.i.i.i94.i, %if.then.i92.i ], [ %sub.i.i.i.i.i, %while.body.i.i.i.i.i ]
  %at.0.i.i.i.i.i = phi ptr [ %text.i.i.i, %if.then.i92.i ], [ %add.ptr.i.i.i.i.i, %while.body.i.i.i.i.i ]
  %cmp.not.i.i.i.i.i = icmp eq i64 %count.addr.0.i.i.i.i.i, 0
  br i1 %cmp.not.i.i.i.i.i, label %fail.exit.i.i, label %while.body.i.i.i.i.i

while.body.i.i.i.i.i:                             ; preds = %while.cond.i.i.i.i.i
  %call.i.i.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i.i.i, i64 noundef %count.addr.0.i.i.i.i.i) #12
  %cmp1.i.i.i.i.i = icmp sgt i64 %call.i.i.i.i.i, 0
  %add.ptr.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i.i, i64 %call.i.i.i.i.i
  %sub.i.i.i.i.i = sub i64 %count.addr.0.i.i.i.i.i, %call.i.i.i.i.i
  br i1 %cmp1.i.i.i.i.i, label %while.cond.i.i.i.i.i, label %fail.exit.i.i

fail.exit.i.i:                                    ; preds = %while.body.i.i.i.i.i, %while.cond.i.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i.i) #15
  br label %cleanup122

for.inc.i89.i:                                    ; preds = %for.body.i88.i
  %dec.i.i = add nsw i64 %end.0187.i.i, -1
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %call5.i.i, i64 %dec.i.i
  %call.i90.i = call i32 @memcmp(ptr noundef %add.ptr.i.i, ptr noundef nonnull @.str.11, i64 noundef 4) #14
  %cmp.not.i.i = icmp eq i32 %call.i90.i, 0
  br i1 %cmp.not.i.i, label %for.end.i.i, label %for.body.i88.i

for.end.i.i:                                      ; preds = %for.inc.i89.i, %if.then23.i
  %end.0.lcssa.i.i = phi i64 [ %sub.i.i, %if.then23.i ], [ %dec.i.i, %for.inc.i89.i ]
  %add.ptr.lcssa.i.i = phi ptr [ %add.ptr184.i.i, %if.then23.i ], [ %add.ptr.i.i, %for.inc.i89.i ]
  %add.ptr8.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.lcssa.i.i, i64 16
  br label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.body.i.i.i, %for.end.i.i
  %indvars.iv.i.i.i = phi i64 [ 4, %for.end.i.i ], [ %indvars.iv.next.i.i.i, %while.body.i.i.i ]
  %value.04.i.i.i = phi i32 [ 0, %for.end.i.i ], [ %or.i.i.i, %while.body.i.i.i ]
  %indvars.iv.next.i.i.i = add nsw i64 %indvars.iv.i.i.i, -1
  %shl.i.i.i = shl i32 %value.04.i.i.i, 8
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr8.i.i, i64 %indvars.iv.next.i.i.i
  %11 = load i8, ptr %arrayidx.i.i.i, align 1
  %conv.i.i.i = zext i8 %11 to i32
  %or.i.i.i = or disjoint i32 %shl.i.i.i, %conv.i.i.i
  %cmp.i.i.i = icmp samesign ugt i64 %indvars.iv.i.i.i, 1
  br i1 %cmp.i.i.i, label %while.body.i.i.i, label %number.exit.i.i

number.exit.i.i:                                  ; preds = %while.body.i.i.i
  %add.ptr12.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.lcssa.i.i, i64 10
  br label %while.body.i87.i.i

while.body.i87.i.i:                               ; preds = %while.body.i87.i.i, %number.exit.i.i
  %indvars.iv.i88.i.i = phi i64 [ 2, %number.exit.i.i ], [ %indvars.iv.next.i90.i.i, %while.body.i87.i.i ]
  %value.04.i89.i.i = phi i32 [ 0, %number.exit.i.i ], [ %or.i94.i.i, %while.body.i87.i.i ]
  %indvars.iv.next.i90.i.i = add nsw i64 %indvars.iv.i88.i.i, -1
  %shl.i91.i.i = shl i32 %value.04.i89.i.i, 8
  %arrayidx.i92.i.i = getelementptr inbounds nuw i8, ptr %add.ptr12.i.i, i64 %indvars.iv.next.i90.i.i
  %12 = load i8, ptr %arrayidx.i92.i.i, align 1
  %conv.i93.i.i = zext i8 %12 to i32
  %or.i94.i.i = or disjoint i32 %shl.i91.i.i, %conv.i93.i.i
  %cmp.i95.i.i = icmp samesign ugt i64 %indvars.iv.i88.i.i, 1
  br i1 %cmp.i95.i.i, label %while.body.i87.i.i, label %for.cond14.preheader.i.i

for.cond14.preheader.i.i:                         ; preds = %while.body.i87.i.i
  %cmp15.not189.not.i.i = icmp eq i32 %or.i94.i.i, 0
  br i1 %cmp15.not189.not.i.i, label %for.inc, label %for.body17.lr.ph.i.i

for.body17.lr.ph.i.i:                             ; preds = %for.cond14.preheader.i.i
  %conv.i.i = zext i32 %or.i.i.i to i64
  br label %for.body17.i.i

for.cond14.i.i:                                   ; preds = %read_member.exit.i.i
  %dec54.i.i = add i32 %left.0191.i.i, -1
  %cmp15.not.not.i.i = icmp eq i32 %dec54.i.i, 0
  br i1 %cmp15.not.not.i.i, label %for.inc, label %for.body17.i.i

for.body17.i.i:                                   ; preds = %for.cond14.i.i, %for.body17.lr.ph.i.i
  %left.0191.i.i = phi i32 [ %or.i94.i.i, %for.body17.lr.ph.i.i ], [ %dec54.i.i, %for.cond14.i.i ]
  %at.0190.i.i = phi i64 [ %conv.i.i, %for.body17.lr.ph.i.i ], [ %add41.i.i, %for.cond14.i.i ]
  %add.i.i = add i64 %at.0190.i.i, 46
  %cmp18.i.i = icmp ugt i64 %add.i.i, %end.0.lcssa.i.i
  br i1 %cmp18.i.i, label %if.then26.i.i, label %lor.lhs.false20.i.i

lor.lhs.false20.i.i:                              ; preds = %for.body17.i.i
  %add.ptr22.i.i = getelementptr inbounds nuw i8, ptr %call5.i.i, i64 %at.0190.i.i
  %call23.i.i = call i32 @memcmp(ptr noundef %add.ptr22.i.i, ptr noundef nonnull @.str.13, i64 noundef 4) #14
  %cmp24.not.i.i = icmp eq i32 %call23.i.i, 0
  br i1 %cmp24.not.i.i, label %if.end28.i.i, label %if.then26.i.i

if.then26.i.i:                                    ; preds = %lor.lhs.false20.i.i, %for.body17.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i97.i.i) #15
  %call.i98.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i97.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.14) #12
  %call.i.i99.i.i = call i64 @strlen(ptr noundef nonnull %text.i97.i.i) #14
  br label %while.cond.i.i.i100.i.i

while.cond.i.i.i100.i.i:                          ; preds = %while.body.i.i.i104.i.i, %if.then26.i.i
  %count.addr.0.i.i.i101.i.i = phi i64 [ %call.i.i99.i.i, %if.then26.i.i ], [ %sub.i.i.i108.i.i, %while.body.i.i.i104.i.i ]
  %at.0.i.i.i102.i.i = phi ptr [ %text.i97.i.i, %if.then26.i.i ], [ %add.ptr.i.i.i107.i.i, %while.body.i.i.i104.i.i ]
  %cmp.not.i.i.i103.i.i = icmp eq i64 %count.addr.0.i.i.i101.i.i, 0
  br i1 %cmp.not.i.i.i103.i.i, label %fail.exit109.i.i, label %while.body.i.i.i104.i.i

while.body.i.i.i104.i.i:                          ; preds = %while.cond.i.i.i100.i.i
  %call.i.i.i105.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i102.i.i, i64 noundef %count.addr.0.i.i.i101.i.i) #12
  %cmp1.i.i.i106.i.i = icmp sgt i64 %call.i.i.i105.i.i, 0
  %add.ptr.i.i.i107.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i102.i.i, i64 %call.i.i.i105.i.i
  %sub.i.i.i108.i.i = sub i64 %count.addr.0.i.i.i101.i.i, %call.i.i.i105.i.i
  br i1 %cmp1.i.i.i106.i.i, label %while.cond.i.i.i100.i.i, label %fail.exit109.i.i

fail.exit109.i.i:                                 ; preds = %while.body.i.i.i104.i.i, %while.cond.i.i.i100.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i97.i.i) #15
  br label %cleanup122

if.end28.i.i:                                     ; preds = %lor.lhs.false20.i.i
  %add.ptr31.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 28
  br label %while.body.i110.i.i

while.body.i110.i.i:                              ; preds = %while.body.i110.i.i, %if.end28.i.i
  %indvars.iv.i111.i.i = phi i64 [ 2, %if.end28.i.i ], [ %indvars.iv.next.i113.i.i, %while.body.i110.i.i ]
  %value.04.i112.i.i = phi i32 [ 0, %if.end28.i.i ], [ %or.i117.i.i, %while.body.i110.i.i ]
  %indvars.iv.next.i113.i.i = add nsw i64 %indvars.iv.i111.i.i, -1
  %shl.i114.i.i = shl i32 %value.04.i112.i.i, 8
  %arrayidx.i115.i.i = getelementptr inbounds nuw i8, ptr %add.ptr31.i.i, i64 %indvars.iv.next.i113.i.i
  %13 = load i8, ptr %arrayidx.i115.i.i, align 1
  %conv.i116.i.i = zext i8 %13 to i32
  %or.i117.i.i = or disjoint i32 %shl.i114.i.i, %conv.i116.i.i
  %cmp.i118.i.i = icmp samesign ugt i64 %indvars.iv.i111.i.i, 1
  br i1 %cmp.i118.i.i, label %while.body.i110.i.i, label %number.exit119.i.i

number.exit119.i.i:                               ; preds = %while.body.i110.i.i
  %add.ptr34.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 30
  br label %while.body.i120.i.i

while.body.i120.i.i:                              ; preds = %while.body.i120.i.i, %number.exit119.i.i
  %indvars.iv.i121.i.i = phi i64 [ 2, %number.exit119.i.i ], [ %indvars.iv.next.i123.i.i, %while.body.i120.i.i ]
  %value.04.i122.i.i = phi i32 [ 0, %number.exit119.i.i ], [ %or.i127.i.i, %while.body.i120.i.i ]
  %indvars.iv.next.i123.i.i = add nsw i64 %indvars.iv.i121.i.i, -1
  %shl.i124.i.i = shl i32 %value.04.i122.i.i, 8
  %arrayidx.i125.i.i = getelementptr inbounds nuw i8, ptr %add.ptr34.i.i, i64 %indvars.iv.next.i123.i.i
  %14 = load i8, ptr %arrayidx.i125.i.i, align 1
  %conv.i126.i.i = zext i8 %14 to i32
  %or.i127.i.i = or disjoint i32 %shl.i124.i.i, %conv.i126.i.i
  %cmp.i128.i.i = icmp samesign ugt i64 %indvars.iv.i121.i.i, 1
  br i1 %cmp.i128.i.i, label %while.body.i120.i.i, label %number.exit129.i.i

number.exit129.i.i:                               ; preds = %while.body.i120.i.i
  %add.ptr37.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 32
  br label %while.body.i130.i.i

while.body.i130.i.i:                              ; preds = %while.body.i130.i.i, %number.exit129.i.i
  %indvars.iv.i131.i.i = phi i64 [ 2, %number.exit129.i.i ], [ %indvars.iv.next.i133.i.i, %while.body.i130.i.i ]
  %value.04.i132.i.i = phi i32 [ 0, %number.exit129.i.i ], [ %or.i137.i.i, %while.body.i130.i.i ]
  %indvars.iv.next.i133.i.i = add nsw i64 %indvars.iv.i131.i.i, -1
  %shl.i134.i.i = shl i32 %value.04.i132.i.i, 8
  %arrayidx.i135.i.i = getelementptr inbounds nuw i8, ptr %add.ptr37.i.i, i64 %indvars.iv.next.i133.i.i
  %15 = load i8, ptr %arrayidx.i135.i.i, align 1
  %conv.i136.i.i = zext i8 %15 to i32
  %or.i137.i.i = or disjoint i32 %shl.i134.i.i, %conv.i136.i.i
  %cmp.i138.i.i = icmp samesign ugt i64 %indvars.iv.i131.i.i, 1
  br i1 %cmp.i138.i.i, label %while.body.i130.i.i, label %number.exit139.i.i

number.exit139.i.i:                               ; preds = %while.body.i130.i.i
  %add33.i.i = add i32 %or.i117.i.i, 46
  %add36.i.i = add i32 %add33.i.i, %or.i127.i.i
  %add39.i.i = add i32 %add36.i.i, %or.i137.i.i
  %conv40.i.i = zext i32 %add39.i.i to i64
  %add41.i.i = add i64 %at.0190.i.i, %conv40.i.i
  %cmp42.i.i = icmp ugt i64 %add41.i.i, %end.0.lcssa.i.i
  br i1 %cmp42.i.i, label %if.then44.i.i, label %if.end46.i.i

if.then44.i.i:                                    ; preds = %number.exit139.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i140.i.i) #15
  %call.i141.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i140.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.14) #12
  %call.i.i142.i.i = call i64 @strlen(ptr noundef nonnull %text.i140.i.i) #14
  br label %while.cond.i.i.i143.i.i

while.cond.i.i.i143.i.i:                          ; preds = %while.body.i.i.i147.i.i, %if.then44.i.i
  %count.addr.0.i.i.i144.i.i = phi i64 [ %call.i.i142.i.i, %if.then44.i.i ], [ %sub.i.i.i151.i.i, %while.body.i.i.i147.i.i ]
  %at.0.i.i.i145.i.i = phi ptr [ %text.i140.i.i, %if.then44.i.i ], [ %add.ptr.i.i.i150.i.i, %while.body.i.i.i147.i.i ]
  %cmp.not.i.i.i146.i.i = icmp eq i64 %count.addr.0.i.i.i144.i.i, 0
  br i1 %cmp.not.i.i.i146.i.i, label %fail.exit152.i.i, label %while.body.i.i.i147.i.i

while.body.i.i.i147.i.i:                          ; preds = %while.cond.i.i.i143.i.i
  %call.i.i.i148.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i145.i.i, i64 noundef %count.addr.0.i.i.i144.i.i) #12
  %cmp1.i.i.i149.i.i = icmp sgt i64 %call.i.i.i148.i.i, 0
  %add.ptr.i.i.i150.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i145.i.i, i64 %call.i.i.i148.i.i
  %sub.i.i.i151.i.i = sub i64 %count.addr.0.i.i.i144.i.i, %call.i.i.i148.i.i
  br i1 %cmp1.i.i.i149.i.i, label %while.cond.i.i.i143.i.i, label %fail.exit152.i.i

fail.exit152.i.i:                                 ; preds = %while.body.i.i.i147.i.i, %while.cond.i.i.i143.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i140.i.i) #15
  br label %cleanup122

if.end46.i.i:                                     ; preds = %number.exit139.i.i
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 20
  br label %while.body.i.i.i91.i

while.body.i.i.i91.i:                             ; preds = %while.body.i.i.i91.i, %if.end46.i.i
  %indvars.iv.i.i.i.i = phi i64 [ 4, %if.end46.i.i ], [ %indvars.iv.next.i.i.i.i, %while.body.i.i.i91.i ]
  %value.04.i.i.i.i = phi i32 [ 0, %if.end46.i.i ], [ %or.i.i.i.i, %while.body.i.i.i91.i ]
  %indvars.iv.next.i.i.i.i = add nsw i64 %indvars.iv.i.i.i.i, -1
  %shl.i.i.i.i = shl i32 %value.04.i.i.i.i, 8
  %arrayidx.i.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i, i64 %indvars.iv.next.i.i.i.i
  %16 = load i8, ptr %arrayidx.i.i.i.i, align 1
  %conv.i.i.i.i = zext i8 %16 to i32
  %or.i.i.i.i = or disjoint i32 %shl.i.i.i.i, %conv.i.i.i.i
  %cmp.i.i.i.i = icmp samesign ugt i64 %indvars.iv.i.i.i.i, 1
  br i1 %cmp.i.i.i.i, label %while.body.i.i.i91.i, label %while.body.i95.i.i.i

while.body.i95.i.i.i:                             ; preds = %while.body.i.i.i91.i, %while.body.i95.i.i.i
  %indvars.iv.i96.i.i.i = phi i64 [ %indvars.iv.next.i98.i.i.i, %while.body.i95.i.i.i ], [ 2, %while.body.i.i.i91.i ]
  %value.04.i97.i.i.i = phi i32 [ %or.i102.i.i.i, %while.body.i95.i.i.i ], [ 0, %while.body.i.i.i91.i ]
  %indvars.iv.next.i98.i.i.i = add nsw i64 %indvars.iv.i96.i.i.i, -1
  %shl.i99.i.i.i = shl i32 %value.04.i97.i.i.i, 8
  %arrayidx.i100.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr31.i.i, i64 %indvars.iv.next.i98.i.i.i
  %17 = load i8, ptr %arrayidx.i100.i.i.i, align 1
  %conv.i101.i.i.i = zext i8 %17 to i32
  %or.i102.i.i.i = or disjoint i32 %shl.i99.i.i.i, %conv.i101.i.i.i
  %cmp.i103.i.i.i = icmp samesign ugt i64 %indvars.iv.i96.i.i.i, 1
  br i1 %cmp.i103.i.i.i, label %while.body.i95.i.i.i, label %number.exit104.i.i.i

number.exit104.i.i.i:                             ; preds = %while.body.i95.i.i.i
  %add.ptr4.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 42
  br label %while.body.i105.i.i.i

while.body.i105.i.i.i:                            ; preds = %while.body.i105.i.i.i, %number.exit104.i.i.i
  %indvars.iv.i106.i.i.i = phi i64 [ 4, %number.exit104.i.i.i ], [ %indvars.iv.next.i108.i.i.i, %while.body.i105.i.i.i ]
  %value.04.i107.i.i.i = phi i32 [ 0, %number.exit104.i.i.i ], [ %or.i112.i.i.i, %while.body.i105.i.i.i ]
  %indvars.iv.next.i108.i.i.i = add nsw i64 %indvars.iv.i106.i.i.i, -1
  %shl.i109.i.i.i = shl i32 %value.04.i107.i.i.i, 8
  %arrayidx.i110.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr4.i.i.i, i64 %indvars.iv.next.i108.i.i.i
  %18 = load i8, ptr %arrayidx.i110.i.i.i, align 1
  %conv.i111.i.i.i = zext i8 %18 to i32
  %or.i112.i.i.i = or disjoint i32 %shl.i109.i.i.i, %conv.i111.i.i.i
  %cmp.i113.i.i.i = icmp samesign ugt i64 %indvars.iv.i106.i.i.i, 1
  br i1 %cmp.i113.i.i.i, label %while.body.i105.i.i.i, label %number.exit114.i.i.i

number.exit114.i.i.i:                             ; preds = %while.body.i105.i.i.i
  %conv.i154.i.i = zext i32 %or.i.i.i.i to i64
  %conv3.i.i.i = zext i32 %or.i102.i.i.i to i64
  %conv6.i.i.i = zext i32 %or.i112.i.i.i to i64
  %add.ptr7.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 46
  %cmp.i155.i.i = icmp ult i32 %or.i102.i.i.i, 4
  br i1 %cmp.i155.i.i, label %if.then.i.i.i, label %cond.false.i.i.i

cond.false.i.i.i:                                 ; preds = %number.exit114.i.i.i
  %sub.i.i.i = add nsw i64 %conv3.i.i.i, -4
  br i1 %cmp1, label %for.body.i.i.i.i, label %if.then.i.i.i

for.body.i.i.i.i:                                 ; preds = %cond.false.i.i.i, %for.inc.i.i.i.i
  %indvars.iv.i115.i.i.i = phi i64 [ %indvars.iv.next.i117.i.i.i, %for.inc.i.i.i.i ], [ 0, %cond.false.i.i.i ]
  %arrayidx.i116.i.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i115.i.i.i
  %19 = load ptr, ptr %arrayidx.i116.i.i.i, align 8
  %call.i.i158.i.i = call i64 @strlen(ptr noundef %19) #14
  %cmp2.i.i.i.i = icmp eq i64 %call.i.i158.i.i, %sub.i.i.i
  br i1 %cmp2.i.i.i.i, label %land.lhs.true.i.i.i.i, label %for.inc.i.i.i.i

land.lhs.true.i.i.i.i:                            ; preds = %for.body.i.i.i.i
  %call6.i.i.i.i = call i32 @memcmp(ptr noundef %19, ptr noundef nonnull readonly %add.ptr7.i.i.i, i64 noundef %sub.i.i.i) #14
  %cmp7.i.i.i.i = icmp eq i32 %call6.i.i.i.i, 0
  br i1 %cmp7.i.i.i.i, label %cond.end.i.i.i, label %for.inc.i.i.i.i

for.inc.i.i.i.i:                                  ; preds = %land.lhs.true.i.i.i.i, %for.body.i.i.i.i
  %indvars.iv.next.i117.i.i.i = add nuw nsw i64 %indvars.iv.i115.i.i.i, 1
  %exitcond.not.i.i.i.i = icmp eq i64 %indvars.iv.next.i117.i.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i.i.i, label %if.then.i.i.i, label %for.body.i.i.i.i

cond.end.i.i.i:                                   ; preds = %land.lhs.true.i.i.i.i
  %add.ptr24.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 10
  br label %while.body.i119.i.i.i

if.then.i.i.i:                                    ; preds = %cond.false.i.i.i, %number.exit114.i.i.i, %for.inc.i.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i153.i.i) #15
  call void @llvm.lifetime.start.p0(ptr nonnull %shown.i.i.i) #15
  %cond17.i.i.i = call i64 @llvm.umin.i64(i64 %conv3.i.i.i, i64 127)
  %call18.i.i.i = call ptr @memcpy(ptr noundef nonnull %shown.i.i.i, ptr noundef nonnull %add.ptr7.i.i.i, i64 noundef %cond17.i.i.i) #12
  %arrayidx.i156.i.i = getelementptr inbounds nuw i8, ptr %shown.i.i.i, i64 %cond17.i.i.i
  store i8 0, ptr %arrayidx.i156.i.i, align 1
  %call21.i.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i153.i.i, i64 noundef 1024, ptr noundef nonnull @.str.15, ptr noundef nonnull %shown.i.i.i) #12
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i.i.i) #15
  %call.i118.i.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull %text.i153.i.i) #12
  %call.i.i.i157.i.i = call i64 @strlen(ptr noundef nonnull %text.i.i.i.i) #14
  br label %while.cond.i.i.i.i.i.i

while.cond.i.i.i.i.i.i:                           ; preds = %while.body.i.i.i.i.i.i, %if.then.i.i.i
  %count.addr.0.i.i.i.i.i.i = phi i64 [ %call.i.i.i157.i.i, %if.then.i.i.i ], [ %sub.i.i.i.i.i.i, %while.body.i.i.i.i.i.i ]
  %at.0.i.i.i.i.i.i = phi ptr [ %text.i.i.i.i, %if.then.i.i.i ], [ %add.ptr.i.i.i.i.i.i, %while.body.i.i.i.i.i.i ]
  %cmp.not.i.i.i.i.i.i = icmp eq i64 %count.addr.0.i.i.i.i.i.i, 0
  br i1 %cmp.not.i.i.i.i.i.i, label %fail.exit.i.i.i, label %while.body.i.i.i.i.i.i

while.body.i.i.i.i.i.i:                           ; preds = %while.cond.i.i.i.i.i.i
  %call.i.i.i.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i.i.i.i, i64 noundef %count.addr.0.i.i.i.i.i.i) #12
  %cmp1.i.i.i.i.i.i = icmp sgt i64 %call.i.i.i.i.i.i, 0
  %add.ptr.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i.i.i, i64 %call.i.i.i.i.i.i
  %sub.i.i.i.i.i.i = sub i64 %count.addr.0.i.i.i.i.i.i, %call.i.i.i.i.i.i
  br i1 %cmp1.i.i.i.i.i.i, label %while.cond.i.i.i.i.i.i, label %fail.exit.i.i.i

fail.exit.i.i.i:                                  ; preds = %while.body.i.i.i.i.i.i, %while.cond.i.i.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %shown.i.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i153.i.i) #15
  br label %cleanup122

while.body.i119.i.i.i:                            ; preds = %while.body.i119.i.i.i, %cond.end.i.i.i
  %indvars.iv.i120.i.i.i = phi i64 [ 2, %cond.end.i.i.i ], [ %indvars.iv.next.i122.i.i.i, %while.body.i119.i.i.i ]
  %value.04.i121.i.i.i = phi i32 [ 0, %cond.end.i.i.i ], [ %or.i126.i.i.i, %while.body.i119.i.i.i ]
  %indvars.iv.next.i122.i.i.i = add nsw i64 %indvars.iv.i120.i.i.i, -1
  %shl.i123.i.i.i = shl i32 %value.04.i121.i.i.i, 8
  %arrayidx.i124.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr24.i.i.i, i64 %indvars.iv.next.i122.i.i.i
  %20 = load i8, ptr %arrayidx.i124.i.i.i, align 1
  %conv.i125.i.i.i = zext i8 %20 to i32
  %or.i126.i.i.i = or disjoint i32 %shl.i123.i.i.i, %conv.i125.i.i.i
  %cmp.i127.i.i.i = icmp samesign ugt i64 %indvars.iv.i120.i.i.i, 1
  br i1 %cmp.i127.i.i.i, label %while.body.i119.i.i.i, label %number.exit128.i.i.i

number.exit128.i.i.i:                             ; preds = %while.body.i119.i.i.i
  %21 = trunc nuw nsw i64 %indvars.iv.i115.i.i.i to i32
  %cmp26.not.i.i.i = icmp eq i32 %or.i126.i.i.i, 0
  br i1 %cmp26.not.i.i.i, label %if.end30.i.i.i, label %if.then28.i.i.i

if.then28.i.i.i:                                  ; preds = %number.exit128.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i129.i.i.i) #15
  %call.i130.i.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i129.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.16) #12
  %call.i.i131.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i129.i.i.i) #14
  br label %while.cond.i.i.i132.i.i.i

while.cond.i.i.i132.i.i.i:                        ; preds = %while.body.i.i.i136.i.i.i, %if.then28.i.i.i
  %count.addr.0.i.i.i133.i.i.i = phi i64 [ %call.i.i131.i.i.i, %if.then28.i.i.i ], [ %sub.i.i.i140.i.i.i, %while.body.i.i.i136.i.i.i ]
  %at.0.i.i.i134.i.i.i = phi ptr [ %text.i129.i.i.i, %if.then28.i.i.i ], [ %add.ptr.i.i.i139.i.i.i, %while.body.i.i.i136.i.i.i ]
  %cmp.not.i.i.i135.i.i.i = icmp eq i64 %count.addr.0.i.i.i133.i.i.i, 0
  br i1 %cmp.not.i.i.i135.i.i.i, label %fail.exit141.i.i.i, label %while.body.i.i.i136.i.i.i

while.body.i.i.i136.i.i.i:                        ; preds = %while.cond.i.i.i132.i.i.i
  %call.i.i.i137.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i134.i.i.i, i64 noundef %count.addr.0.i.i.i133.i.i.i) #12
  %cmp1.i.i.i138.i.i.i = icmp sgt i64 %call.i.i.i137.i.i.i, 0
  %add.ptr.i.i.i139.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i134.i.i.i, i64 %call.i.i.i137.i.i.i
  %sub.i.i.i140.i.i.i = sub i64 %count.addr.0.i.i.i133.i.i.i, %call.i.i.i137.i.i.i
  br i1 %cmp1.i.i.i138.i.i.i, label %while.cond.i.i.i132.i.i.i, label %fail.exit141.i.i.i

fail.exit141.i.i.i:                               ; preds = %while.body.i.i.i136.i.i.i, %while.cond.i.i.i132.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i129.i.i.i) #15
  br label %cleanup122

if.end30.i.i.i:                                   ; preds = %number.exit128.i.i.i
  %add.i.i.i = add nuw nsw i64 %conv6.i.i.i, 30
  %cmp32.i.i.i = icmp ugt i64 %add.i.i.i, %call1.i.i
  br i1 %cmp32.i.i.i, label %if.then34.i.i.i, label %if.end36.i.i.i

if.then34.i.i.i:                                  ; preds = %if.end30.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i142.i.i.i) #15
  %call.i143.i.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i142.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.17) #12
  %call.i.i144.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i142.i.i.i) #14
  br label %while.cond.i.i.i145.i.i.i

while.cond.i.i.i145.i.i.i:                        ; preds = %while.body.i.i.i149.i.i.i, %if.then34.i.i.i
  %count.addr.0.i.i.i146.i.i.i = phi i64 [ %call.i.i144.i.i.i, %if.then34.i.i.i ], [ %sub.i.i.i153.i.i.i, %while.body.i.i.i149.i.i.i ]
  %at.0.i.i.i147.i.i.i = phi ptr [ %text.i142.i.i.i, %if.then34.i.i.i ], [ %add.ptr.i.i.i152.i.i.i, %while.body.i.i.i149.i.i.i ]
  %cmp.not.i.i.i148.i.i.i = icmp eq i64 %count.addr.0.i.i.i146.i.i.i, 0
  br i1 %cmp.not.i.i.i148.i.i.i, label %fail.exit154.i.i.i, label %while.body.i.i.i149.i.i.i

while.body.i.i.i149.i.i.i:                        ; preds = %while.cond.i.i.i145.i.i.i
  %call.i.i.i150.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i147.i.i.i, i64 noundef %count.addr.0.i.i.i146.i.i.i) #12
  %cmp1.i.i.i151.i.i.i = icmp sgt i64 %call.i.i.i150.i.i.i, 0
  %add.ptr.i.i.i152.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i147.i.i.i, i64 %call.i.i.i150.i.i.i
  %sub.i.i.i153.i.i.i = sub i64 %count.addr.0.i.i.i146.i.i.i, %call.i.i.i150.i.i.i
  br i1 %cmp1.i.i.i151.i.i.i, label %while.cond.i.i.i145.i.i.i, label %fail.exit154.i.i.i

fail.exit154.i.i.i:                               ; preds = %while.body.i.i.i149.i.i.i, %while.cond.i.i.i145.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i142.i.i.i) #15
  br label %cleanup122

if.end36.i.i.i:                                   ; preds = %if.end30.i.i.i
  %add.ptr38.i.i.i = getelementptr inbounds nuw i8, ptr %call5.i.i, i64 %conv6.i.i.i
  %add.ptr39.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr38.i.i.i, i64 26
  br label %while.body.i155.i.i.i

while.body.i155.i.i.i:                            ; preds = %while.body.i155.i.i.i, %if.end36.i.i.i
  %indvars.iv.i156.i.i.i = phi i64 [ 2, %if.end36.i.i.i ], [ %indvars.iv.next.i158.i.i.i, %while.body.i155.i.i.i ]
  %value.04.i157.i.i.i = phi i32 [ 0, %if.end36.i.i.i ], [ %or.i162.i.i.i, %while.body.i155.i.i.i ]
  %indvars.iv.next.i158.i.i.i = add nsw i64 %indvars.iv.i156.i.i.i, -1
  %shl.i159.i.i.i = shl i32 %value.04.i157.i.i.i, 8
  %arrayidx.i160.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr39.i.i.i, i64 %indvars.iv.next.i158.i.i.i
  %22 = load i8, ptr %arrayidx.i160.i.i.i, align 1
  %conv.i161.i.i.i = zext i8 %22 to i32
  %or.i162.i.i.i = or disjoint i32 %shl.i159.i.i.i, %conv.i161.i.i.i
  %cmp.i163.i.i.i = icmp samesign ugt i64 %indvars.iv.i156.i.i.i, 1
  br i1 %cmp.i163.i.i.i, label %while.body.i155.i.i.i, label %number.exit164.i.i.i

number.exit164.i.i.i:                             ; preds = %while.body.i155.i.i.i
  %add.ptr45.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr38.i.i.i, i64 28
  br label %while.body.i165.i.i.i

while.body.i165.i.i.i:                            ; preds = %while.body.i165.i.i.i, %number.exit164.i.i.i
  %indvars.iv.i166.i.i.i = phi i64 [ 2, %number.exit164.i.i.i ], [ %indvars.iv.next.i168.i.i.i, %while.body.i165.i.i.i ]
  %value.04.i167.i.i.i = phi i32 [ 0, %number.exit164.i.i.i ], [ %or.i172.i.i.i, %while.body.i165.i.i.i ]
  %indvars.iv.next.i168.i.i.i = add nsw i64 %indvars.iv.i166.i.i.i, -1
  %shl.i169.i.i.i = shl i32 %value.04.i167.i.i.i, 8
  %arrayidx.i170.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr45.i.i.i, i64 %indvars.iv.next.i168.i.i.i
  %23 = load i8, ptr %arrayidx.i170.i.i.i, align 1
  %conv.i171.i.i.i = zext i8 %23 to i32
  %or.i172.i.i.i = or disjoint i32 %shl.i169.i.i.i, %conv.i171.i.i.i
  %cmp.i173.i.i.i = icmp samesign ugt i64 %indvars.iv.i166.i.i.i, 1
  br i1 %cmp.i173.i.i.i, label %while.body.i165.i.i.i, label %number.exit174.i.i.i

number.exit174.i.i.i:                             ; preds = %while.body.i165.i.i.i
  %conv41.i.i.i = zext i32 %or.i162.i.i.i to i64
  %add42.i.i.i = add nuw nsw i64 %add.i.i.i, %conv41.i.i.i
  %conv47.i.i.i = zext i32 %or.i172.i.i.i to i64
  %add48.i.i.i = add nuw nsw i64 %add42.i.i.i, %conv47.i.i.i
  %cmp50.i.i.i = icmp ugt i64 %add48.i.i.i, %call1.i.i
  %sub53.i.i.i = sub nuw nsw i64 %call1.i.i, %add48.i.i.i
  %cmp54.i.i.i = icmp ult i64 %sub53.i.i.i, %conv.i154.i.i
  %or.cond.i.i.i = select i1 %cmp50.i.i.i, i1 true, i1 %cmp54.i.i.i
  br i1 %or.cond.i.i.i, label %if.then56.i.i.i, label %read_member.exit.i.i

if.then56.i.i.i:                                  ; preds = %number.exit174.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i175.i.i.i) #15
  %call.i176.i.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i175.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.18) #12
  %call.i.i177.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i175.i.i.i) #14
  br label %while.cond.i.i.i178.i.i.i

while.cond.i.i.i178.i.i.i:                        ; preds = %while.body.i.i.i182.i.i.i, %if.then56.i.i.i
  %count.addr.0.i.i.i179.i.i.i = phi i64 [ %call.i.i177.i.i.i, %if.then56.i.i.i ], [ %sub.i.i.i186.i.i.i, %while.body.i.i.i182.i.i.i ]
  %at.0.i.i.i180.i.i.i = phi ptr [ %text.i175.i.i.i, %if.then56.i.i.i ], [ %add.ptr.i.i.i185.i.i.i, %while.body.i.i.i182.i.i.i ]
  %cmp.not.i.i.i181.i.i.i = icmp eq i64 %count.addr.0.i.i.i179.i.i.i, 0
  br i1 %cmp.not.i.i.i181.i.i.i, label %fail.exit187.i.i.i, label %while.body.i.i.i182.i.i.i

while.body.i.i.i182.i.i.i:                        ; preds = %while.cond.i.i.i178.i.i.i
  %call.i.i.i183.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i180.i.i.i, i64 noundef %count.addr.0.i.i.i179.i.i.i) #12
  %cmp1.i.i.i184.i.i.i = icmp sgt i64 %call.i.i.i183.i.i.i, 0
  %add.ptr.i.i.i185.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i180.i.i.i, i64 %call.i.i.i183.i.i.i
  %sub.i.i.i186.i.i.i = sub i64 %count.addr.0.i.i.i179.i.i.i, %call.i.i.i183.i.i.i
  br i1 %cmp1.i.i.i184.i.i.i, label %while.cond.i.i.i178.i.i.i, label %fail.exit187.i.i.i

fail.exit187.i.i.i:                               ; preds = %while.body.i.i.i182.i.i.i, %while.cond.i.i.i178.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i175.i.i.i) #15
  br label %cleanup122

read_member.exit.i.i:                             ; preds = %number.exit174.i.i.i
  %add.ptr61.i.i.i = getelementptr inbounds nuw i8, ptr %call5.i.i, i64 %add48.i.i.i
  %idxprom.i.i.i = and i64 %indvars.iv.i115.i.i.i, 4294967295
  %arrayidx63.i.i.i = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %idxprom.i.i.i
  %24 = ptrtoint ptr %add.ptr61.i.i.i to i64
  %.fca.0.insert.i.i.i = insertvalue [2 x i64] poison, i64 %24, 0
  %.fca.1.insert.i.i.i = insertvalue [2 x i64] %.fca.0.insert.i.i.i, i64 %conv.i154.i.i, 1
  %call64.i.i.i = call fastcc i32 @read_array(ptr noundef nonnull %cond.i, [2 x i64] %.fca.1.insert.i.i.i, i32 noundef %21, ptr noundef %arrayidx63.i.i.i) #13
  %cmp48.not.i.i = icmp eq i32 %call64.i.i.i, 0
  br i1 %cmp48.not.i.i, label %for.cond14.i.i, label %cleanup122

if.end25.i:                                       ; preds = %land.lhs.true.i, %if.end17.i
  %cmp28138.i = icmp slt i32 %cond10115.i, %3
  %or.cond139.i = select i1 %cmp.i, i1 %cmp28138.i, i1 false
  br i1 %or.cond139.i, label %land.rhs.preheader.i, label %while.end.i

land.rhs.preheader.i:                             ; preds = %if.end25.i
  %25 = zext nneg i32 %cond10115.i to i64
  br label %land.rhs.i

land.rhs.i:                                       ; preds = %while.body.i, %land.rhs.preheader.i
  %indvars.iv.i = phi i64 [ %25, %land.rhs.preheader.i ], [ %indvars.iv.next.i, %while.body.i ]
  %arrayidx30.i = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %indvars.iv.i
  %26 = load ptr, ptr %arrayidx30.i, align 8
  %cmp31.not.i = icmp eq ptr %26, null
  br i1 %cmp31.not.i, label %while.end.loopexit.i, label %while.body.i

while.body.i:                                     ; preds = %land.rhs.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next.i, %4
  br i1 %exitcond.not, label %while.end.loopexit.i, label %land.rhs.i

while.end.loopexit.i:                             ; preds = %while.body.i, %land.rhs.i
  %index.0.lcssa.ph.in.i = phi i64 [ %indvars.iv.i, %land.rhs.i ], [ %4, %while.body.i ]
  %index.0.lcssa.ph.i = trunc i64 %index.0.lcssa.ph.in.i to i32
  br label %while.end.i

while.end.i:                                      ; preds = %while.end.loopexit.i, %if.end25.i
  %index.0.lcssa.i = phi i32 [ %cond10115.i, %if.end25.i ], [ %index.0.lcssa.ph.i, %while.end.loopexit.i ]
  %cmp33.i = icmp eq i32 %index.0.lcssa.i, %3
  br i1 %cmp33.i, label %if.then35.i, label %read_word.exit

if.then35.i:                                      ; preds = %while.end.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i95.i) #15
  %call.i96.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i95.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %6, ptr noundef nonnull @.str.10) #12
  %call.i.i97.i = call i64 @strlen(ptr noundef nonnull %text.i95.i) #14
  br label %while.cond.i.i.i98.i

while.cond.i.i.i98.i:                             ; preds = %while.body.i.i.i102.i, %if.then35.i
  %count.addr.0.i.i.i99.i = phi i64 [ %call.i.i97.i, %if.then35.i ], [ %sub.i.i.i106.i, %while.body.i.i.i102.i ]
  %at.0.i.i.i100.i = phi ptr [ %text.i95.i, %if.then35.i ], [ %add.ptr.i.i.i105.i, %while.body.i.i.i102.i ]
  %cmp.not.i.i.i101.i = icmp eq i64 %count.addr.0.i.i.i99.i, 0
  br i1 %cmp.not.i.i.i101.i, label %fail.exit107.i, label %while.body.i.i.i102.i

while.body.i.i.i102.i:                            ; preds = %while.cond.i.i.i98.i
  %call.i.i.i103.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i100.i, i64 noundef %count.addr.0.i.i.i99.i) #12
  %cmp1.i.i.i104.i = icmp sgt i64 %call.i.i.i103.i, 0
  %add.ptr.i.i.i105.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i100.i, i64 %call.i.i.i103.i
  %sub.i.i.i106.i = sub i64 %count.addr.0.i.i.i99.i, %call.i.i.i103.i
  br i1 %cmp1.i.i.i104.i, label %while.cond.i.i.i98.i, label %fail.exit107.i

fail.exit107.i:                                   ; preds = %while.body.i.i.i102.i, %while.cond.i.i.i98.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i95.i) #15
  br label %cleanup122

read_word.exit:                                   ; preds = %while.end.i
  %idxprom38.i = zext nneg i32 %index.0.lcssa.i to i64
  %arrayidx39.i = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %idxprom38.i
  %27 = ptrtoint ptr %call5.i.i to i64
  %.fca.0.insert60.i = insertvalue [2 x i64] poison, i64 %27, 0
  %.fca.1.insert63.i = insertvalue [2 x i64] %.fca.0.insert60.i, i64 %call1.i.i, 1
  %call40.i = call fastcc i32 @read_array(ptr noundef nonnull %cond.i, [2 x i64] %.fca.1.insert63.i, i32 noundef %index.0.lcssa.i, ptr noundef %arrayidx39.i) #13
  %cmp12.not = icmp eq i32 %call40.i, 0
  br i1 %cmp12.not, label %for.inc, label %cleanup122

if.else:                                          ; preds = %for.body
  %call18 = call i64 @strlen(ptr noundef nonnull %6) #14
  %cmp19 = icmp eq i64 %call18, 2
  br i1 %cmp19, label %land.lhs.true21, label %cleanup.thread

land.lhs.true21:                                  ; preds = %if.else
  %arrayidx24 = getelementptr inbounds nuw i8, ptr %6, i64 1
  %28 = load i8, ptr %arrayidx24, align 1
  %cmp26 = icmp eq i8 %28, 111
  br i1 %cmp26, label %land.lhs.true28, label %cleanup.thread

land.lhs.true28:                                  ; preds = %land.lhs.true21
  %add29 = add nsw i32 %word.0345, 1
  %cmp30 = icmp slt i32 %add29, %argc
  br i1 %cmp30, label %if.then32, label %cleanup.thread

if.then32:                                        ; preds = %land.lhs.true28
  %idxprom33 = sext i32 %add29 to i64
  %arrayidx34 = getelementptr inbounds ptr, ptr %argv, i64 %idxprom33
  %29 = load ptr, ptr %arrayidx34, align 8
  br label %for.inc

cleanup.thread:                                   ; preds = %if.else, %land.lhs.true21, %land.lhs.true28
  %30 = load ptr, ptr %argv, align 8
  call fastcc void @explain(ptr noundef %30) #13
  br label %cleanup122

for.inc:                                          ; preds = %for.cond14.i.i, %for.cond14.preheader.i.i, %if.then32, %read_word.exit
  %output.1 = phi ptr [ %output.0344, %read_word.exit ], [ %29, %if.then32 ], [ %output.0344, %for.cond14.preheader.i.i ], [ %output.0344, %for.cond14.i.i ]
  %word.1 = phi i32 [ %word.0345, %read_word.exit ], [ %add29, %if.then32 ], [ %word.0345, %for.cond14.preheader.i.i ], [ %word.0345, %for.cond14.i.i ]
  %inc40 = add nsw i32 %word.1, 1
  %cmp3.not = icmp slt i32 %inc40, %argc
  br i1 %cmp3.not, label %for.body, label %for.cond41.preheader

for.cond41:                                       ; preds = %for.body45
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond430.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond430.not, label %for.end59, label %for.body45

for.body45:                                       ; preds = %for.body45.preheader, %for.cond41
  %indvars.iv = phi i64 [ 0, %for.body45.preheader ], [ %indvars.iv.next, %for.cond41 ]
  %arrayidx47 = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %indvars.iv
  %31 = load ptr, ptr %arrayidx47, align 8
  %cmp48 = icmp eq ptr %31, null
  br i1 %cmp48, label %if.then50, label %for.cond41

if.then50:                                        ; preds = %for.body45
  %arrayidx52 = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %32 = load ptr, ptr %arrayidx52, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #15
  %call.i158 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %32, ptr noundef nonnull @.str) #12
  %call.i.i159 = call i64 @strlen(ptr noundef nonnull %text.i) #14
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i160, %if.then50
  %count.addr.0.i.i.i = phi i64 [ %call.i.i159, %if.then50 ], [ %sub.i.i.i163, %while.body.i.i.i160 ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then50 ], [ %add.ptr.i.i.i162, %while.body.i.i.i160 ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %cleanup57, label %while.body.i.i.i160

while.body.i.i.i160:                              ; preds = %while.cond.i.i.i
  %call.i.i.i161 = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #12
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i161, 0
  %add.ptr.i.i.i162 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i161
  %sub.i.i.i163 = sub i64 %count.addr.0.i.i.i, %call.i.i.i161
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %cleanup57

cleanup57:                                        ; preds = %while.body.i.i.i160, %while.cond.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #15
  br label %cleanup122

for.end59:                                        ; preds = %for.cond41, %for.cond41.preheader
  %call64 = call fastcc i32 @choose(ptr noundef %vla) #13
  %cmp65.not = icmp eq i32 %call64, 0
  br i1 %cmp65.not, label %for.cond70.preheader, label %cleanup122

for.cond70.preheader:                             ; preds = %for.end59
  %33 = load i32, ptr @model.5, align 4
  %cmp71.not348 = icmp sgt i32 %33, 0
  br i1 %cmp71.not348, label %for.body74.lr.ph, label %for.end89

for.body74.lr.ph:                                 ; preds = %for.cond70.preheader
  %34 = load ptr, ptr @model.2, align 8
  %wide.trip.count434 = zext nneg i32 %33 to i64
  br label %for.body74

for.cond70:                                       ; preds = %for.body74
  %indvars.iv.next432 = add nuw nsw i64 %indvars.iv431, 1
  %exitcond435.not = icmp eq i64 %indvars.iv.next432, %wide.trip.count434
  br i1 %exitcond435.not, label %for.end89, label %for.body74

for.body74:                                       ; preds = %for.body74.lr.ph, %for.cond70
  %indvars.iv431 = phi i64 [ 0, %for.body74.lr.ph ], [ %indvars.iv.next432, %for.cond70 ]
  %arrayidx76 = getelementptr inbounds nuw %struct.tw_spec, ptr %34, i64 %indvars.iv431
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx76, i64 40
  %35 = load i32, ptr %rank, align 8
  %cmp77 = icmp sgt i32 %35, 32
  br i1 %cmp77, label %if.then79, label %for.cond70

if.then79:                                        ; preds = %for.body74
  %36 = load ptr, ptr %arrayidx76, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i164) #15
  %call.i165 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i164, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %36, ptr noundef nonnull @.str.1) #12
  %call.i.i166 = call i64 @strlen(ptr noundef nonnull %text.i164) #14
  br label %while.cond.i.i.i167

while.cond.i.i.i167:                              ; preds = %while.body.i.i.i171, %if.then79
  %count.addr.0.i.i.i168 = phi i64 [ %call.i.i166, %if.then79 ], [ %sub.i.i.i175, %while.body.i.i.i171 ]
  %at.0.i.i.i169 = phi ptr [ %text.i164, %if.then79 ], [ %add.ptr.i.i.i174, %while.body.i.i.i171 ]
  %cmp.not.i.i.i170 = icmp eq i64 %count.addr.0.i.i.i168, 0
  br i1 %cmp.not.i.i.i170, label %cleanup87, label %while.body.i.i.i171

while.body.i.i.i171:                              ; preds = %while.cond.i.i.i167
  %call.i.i.i172 = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i169, i64 noundef %count.addr.0.i.i.i168) #12
  %cmp1.i.i.i173 = icmp sgt i64 %call.i.i.i172, 0
  %add.ptr.i.i.i174 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i169, i64 %call.i.i.i172
  %sub.i.i.i175 = sub i64 %count.addr.0.i.i.i168, %call.i.i.i172
  br i1 %cmp1.i.i.i173, label %while.cond.i.i.i167, label %cleanup87

cleanup87:                                        ; preds = %while.body.i.i.i171, %while.cond.i.i.i167
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i164) #15
  br label %cleanup122

for.end89:                                        ; preds = %for.cond70, %for.cond70.preheader
  call void @llvm.lifetime.start.p0(ptr nonnull %processors.i) #15
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %processors.i, i8 0, i64 128, i1 false)
  %call.i177 = call i64 (i64, ...) @syscall(i64 noundef 123, i64 noundef 0, i64 noundef 128, ptr noundef nonnull %processors.i) #12
  %cmp.i178 = icmp sgt i64 %call.i177, 0
  br i1 %cmp.i178, label %for.body.i, label %if.end.i179

for.cond.cleanup.i:                               ; preds = %for.body.i
  %37 = call i32 @llvm.smax.i32(i32 %add.i, i32 1)
  br label %if.end.i179

for.body.i:                                       ; preds = %for.end89, %for.body.i
  %indvars.iv.i191 = phi i64 [ %indvars.iv.next.i193, %for.body.i ], [ 0, %for.end89 ]
  %threads.069.i = phi i32 [ %add.i, %for.body.i ], [ 0, %for.end89 ]
  %arrayidx.i192 = getelementptr inbounds nuw i64, ptr %processors.i, i64 %indvars.iv.i191
  %38 = load i64, ptr %arrayidx.i192, align 8
  %39 = call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %38)
  %cast.i = trunc nuw nsw i64 %39 to i32
  %add.i = add nuw nsw i32 %threads.069.i, %cast.i
  %indvars.iv.next.i193 = add nuw nsw i64 %indvars.iv.i191, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i193, 16
  br i1 %exitcond.not.i, label %for.cond.cleanup.i, label %for.body.i

if.end.i179:                                      ; preds = %for.cond.cleanup.i, %for.end89
  %threads.1.i = phi i32 [ %37, %for.cond.cleanup.i ], [ 1, %for.end89 ]
  store ptr @__tw_pool_run, ptr @__tw_pool, align 8
  store i32 %threads.1.i, ptr @__tw_default_threads, align 4
  %call3.i = call fastcc i32 @make_outputs(ptr noundef nonnull %vla) #13
  %cmp4.not.i = icmp eq i32 %call3.i, 0
  br i1 %cmp4.not.i, label %lor.lhs.false.i, label %run.exit.thread

lor.lhs.false.i:                                  ; preds = %if.end.i179
  %40 = load ptr, ptr @model.0, align 8
  %41 = load i32, ptr @model.5, align 4
  %call5.i = call fastcc i32 @call(ptr noundef %40, ptr noundef nonnull %vla, i32 noundef %41, ptr noundef null) #13
  %cmp6.not.i = icmp eq i32 %call5.i, 0
  br i1 %cmp6.not.i, label %if.end8.i, label %run.exit.thread

if.end8.i:                                        ; preds = %lor.lhs.false.i
  %42 = load ptr, ptr @model.3, align 8
  %43 = load i32, ptr @model.4, align 8
  %44 = load i32, ptr @model.5, align 4
  %cmp1076.i = icmp slt i32 %43, %44
  br i1 %cmp1076.i, label %for.cond13.preheader.lr.ph.i, label %if.then27.i

for.cond13.preheader.lr.ph.i:                     ; preds = %if.end8.i
  %45 = load ptr, ptr @model.2, align 8
  %46 = sext i32 %43 to i64
  %wide.trip.count.i = sext i32 %44 to i64
  br label %for.cond13.preheader.i

for.cond13.preheader.i:                           ; preds = %for.cond.cleanup17.i, %for.cond13.preheader.lr.ph.i
  %indvars.iv87.i = phi i64 [ %46, %for.cond13.preheader.lr.ph.i ], [ %indvars.iv.next88.i, %for.cond.cleanup17.i ]
  %entries.078.i = phi ptr [ %42, %for.cond13.preheader.lr.ph.i ], [ %entries.1.lcssa.i, %for.cond.cleanup17.i ]
  %is_open.0.off077.i = phi i1 [ false, %for.cond13.preheader.lr.ph.i ], [ %is_open.1.off0.lcssa.i, %for.cond.cleanup17.i ]
  %arrayidx15.i = getelementptr inbounds %struct.tw_spec, ptr %45, i64 %indvars.iv87.i
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx15.i, i64 40
  %47 = load i32, ptr %rank.i, align 8
  %cmp1671.i = icmp sgt i32 %47, 0
  br i1 %cmp1671.i, label %for.body18.i, label %for.cond.cleanup17.i

for.cond.cleanup11.i:                             ; preds = %for.cond.cleanup17.i
  br i1 %is_open.1.off0.lcssa.i, label %for.cond30.preheader.i, label %if.then27.i

for.cond30.preheader.i:                           ; preds = %for.cond.cleanup11.i
  %sub31.i = add nsw i32 %44, -1
  %cmp3282.i = icmp slt i32 %43, %sub31.i
  br i1 %cmp3282.i, label %for.body34.lr.ph.i, label %for.cond.cleanup33.i

for.body34.lr.ph.i:                               ; preds = %for.cond30.preheader.i
  %idxprom38.i180 = sext i32 %sub31.i to i64
  %arrayidx39.i181 = getelementptr inbounds %struct.argument, ptr %vla, i64 %idxprom38.i180
  br label %for.body34.i

for.cond.cleanup17.i:                             ; preds = %lor.end.i, %for.cond13.preheader.i
  %is_open.1.off0.lcssa.i = phi i1 [ %is_open.0.off077.i, %for.cond13.preheader.i ], [ %49, %lor.end.i ]
  %entries.1.lcssa.i = phi ptr [ %entries.078.i, %for.cond13.preheader.i ], [ %entries.2.i, %lor.end.i ]
  %indvars.iv.next88.i = add nsw i64 %indvars.iv87.i, 1
  %exitcond89.not.i = icmp eq i64 %indvars.iv.next88.i, %wide.trip.count.i
  br i1 %exitcond89.not.i, label %for.cond.cleanup11.i, label %for.cond13.preheader.i

for.body18.i:                                     ; preds = %for.cond13.preheader.i, %lor.end.i
  %axis.074.i = phi i32 [ %inc21.i, %lor.end.i ], [ 0, %for.cond13.preheader.i ]
  %entries.173.i = phi ptr [ %entries.2.i, %lor.end.i ], [ %entries.078.i, %for.cond13.preheader.i ]
  %is_open.1.off072.i = phi i1 [ %49, %lor.end.i ], [ %is_open.0.off077.i, %for.cond13.preheader.i ]
  br i1 %is_open.1.off072.i, label %lor.end.i, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %for.body18.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %entries.173.i, i64 4
  %48 = load i32, ptr %entries.173.i, align 4
  %cmp19.i = icmp sgt i32 %48, -1
  br label %lor.end.i

lor.end.i:                                        ; preds = %lor.rhs.i, %for.body18.i
  %entries.2.i = phi ptr [ %entries.173.i, %for.body18.i ], [ %incdec.ptr.i, %lor.rhs.i ]
  %49 = phi i1 [ true, %for.body18.i ], [ %cmp19.i, %lor.rhs.i ]
  %inc21.i = add nuw nsw i32 %axis.074.i, 1
  %exitcond86.not.i = icmp eq i32 %inc21.i, %47
  br i1 %exitcond86.not.i, label %for.cond.cleanup17.i, label %for.body18.i

if.then27.i:                                      ; preds = %for.cond.cleanup11.i, %if.end8.i
  %sub.i = sub nsw i32 %44, %43
  br label %run.exit

for.cond.cleanup33.i:                             ; preds = %cut.exit.i, %for.cond30.preheader.i
  %50 = xor i32 %43, -1
  %sub47.i = add i32 %44, %50
  br label %run.exit

for.body34.i:                                     ; preds = %cut.exit.i, %for.body34.lr.ph.i
  %indvars.iv90.i = phi i64 [ %46, %for.body34.lr.ph.i ], [ %indvars.iv.next91.i, %cut.exit.i ]
  %entries.383.i = phi ptr [ %42, %for.body34.lr.ph.i ], [ %add.ptr.i, %cut.exit.i ]
  %arrayidx36.i = getelementptr inbounds %struct.argument, ptr %vla, i64 %indvars.iv90.i
  %51 = load ptr, ptr %arrayidx39.i181, align 8
  %rank.i.i = getelementptr inbounds nuw i8, ptr %arrayidx36.i, i64 16
  %52 = load i32, ptr %rank.i.i, align 8
  %cmp14.i.i182 = icmp sgt i32 %52, 0
  br i1 %cmp14.i.i182, label %for.body.lr.ph.i.i, label %cut.exit.i

for.body.lr.ph.i.i:                               ; preds = %for.body34.i
  %shape.i.i = getelementptr inbounds nuw i8, ptr %arrayidx36.i, i64 48
  %wide.trip.count.i.i183 = zext nneg i32 %52 to i64
  br label %for.body.i.i184

for.body.i.i184:                                  ; preds = %for.inc.i.i188, %for.body.lr.ph.i.i
  %indvars.iv.i.i185 = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %indvars.iv.next.i.i189, %for.inc.i.i188 ]
  %arrayidx.i.i186 = getelementptr inbounds nuw i32, ptr %entries.383.i, i64 %indvars.iv.i.i185
  %53 = load i32, ptr %arrayidx.i.i186, align 4
  %cmp1.i.i187 = icmp sgt i32 %53, -1
  br i1 %cmp1.i.i187, label %if.then.i.i, label %for.inc.i.i188

if.then.i.i:                                      ; preds = %for.body.i.i184
  %idxprom4.i.i = zext nneg i32 %53 to i64
  %arrayidx5.i.i = getelementptr inbounds nuw i64, ptr %51, i64 %idxprom4.i.i
  %54 = load i64, ptr %arrayidx5.i.i, align 8
  %arrayidx7.i.i = getelementptr inbounds nuw i64, ptr %shape.i.i, i64 %indvars.iv.i.i185
  store i64 %54, ptr %arrayidx7.i.i, align 8
  br label %for.inc.i.i188

for.inc.i.i188:                                   ; preds = %if.then.i.i, %for.body.i.i184
  %indvars.iv.next.i.i189 = add nuw nsw i64 %indvars.iv.i.i185, 1
  %exitcond.not.i.i190 = icmp eq i64 %indvars.iv.next.i.i189, %wide.trip.count.i.i183
  br i1 %exitcond.not.i.i190, label %cut.exit.i, label %for.body.i.i184

cut.exit.i:                                       ; preds = %for.inc.i.i188, %for.body34.i
  %arrayidx41.i = getelementptr inbounds %struct.tw_spec, ptr %45, i64 %indvars.iv90.i
  %rank42.i = getelementptr inbounds nuw i8, ptr %arrayidx41.i, i64 40
  %55 = load i32, ptr %rank42.i, align 8
  %idx.ext.i = sext i32 %55 to i64
  %add.ptr.i = getelementptr inbounds i32, ptr %entries.383.i, i64 %idx.ext.i
  %indvars.iv.next91.i = add nsw i64 %indvars.iv90.i, 1
  %exitcond94.not.i = icmp eq i64 %indvars.iv.next91.i, %idxprom38.i180
  br i1 %exitcond94.not.i, label %for.cond.cleanup33.i, label %for.body34.i

run.exit.thread:                                  ; preds = %if.end.i179, %lor.lhs.false.i
  call void @llvm.lifetime.end.p0(ptr nonnull %processors.i) #15
  br label %cleanup122

run.exit:                                         ; preds = %if.then27.i, %for.cond.cleanup33.i
  %retval.1.i = phi i32 [ %sub47.i, %for.cond.cleanup33.i ], [ %sub.i, %if.then27.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %processors.i) #15
  %cmp91 = icmp slt i32 %retval.1.i, 0
  br i1 %cmp91, label %cleanup122, label %if.end94

if.end94:                                         ; preds = %run.exit
  %cmp95.not = icmp eq ptr %output.0.lcssa, null
  br i1 %cmp95.not, label %for.cond101.preheader, label %if.then97

for.cond101.preheader:                            ; preds = %if.end94
  %cmp102.not354.not = icmp eq i32 %retval.1.i, 0
  br i1 %cmp102.not354.not, label %cleanup122, label %for.body105

if.then97:                                        ; preds = %if.end94
  %idx.ext = sext i32 %43 to i64
  %add.ptr = getelementptr inbounds %struct.argument, ptr %vla, i64 %idx.ext
  %call98 = call fastcc i32 @save(ptr noundef %output.0.lcssa, ptr noundef %add.ptr, i32 noundef %retval.1.i) #13
  br label %cleanup122

for.body105:                                      ; preds = %for.cond101.preheader, %for.inc116
  %index100.0355 = phi i32 [ %inc117, %for.inc116 ], [ 0, %for.cond101.preheader ]
  %56 = load ptr, ptr @model.2, align 8
  %57 = load i32, ptr @model.4, align 8
  %add106 = add nsw i32 %57, %index100.0355
  %idxprom107 = sext i32 %add106 to i64
  %arrayidx108 = getelementptr inbounds %struct.tw_spec, ptr %56, i64 %idxprom107
  %arrayidx111 = getelementptr inbounds %struct.argument, ptr %vla, i64 %idxprom107
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i194) #15
  %58 = load ptr, ptr %arrayidx108, align 8
  %call.i195 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i194, i64 noundef 1024, ptr noundef nonnull @.str.46, ptr noundef %58) #12
  %call.i.i196 = call i64 @strlen(ptr noundef nonnull %text.i194) #14
  br label %while.cond.i.i.i197

while.cond.i.i.i197:                              ; preds = %while.body.i.i.i201, %for.body105
  %count.addr.0.i.i.i198 = phi i64 [ %call.i.i196, %for.body105 ], [ %sub.i.i.i205, %while.body.i.i.i201 ]
  %at.0.i.i.i199 = phi ptr [ %text.i194, %for.body105 ], [ %add.ptr.i.i.i204, %while.body.i.i.i201 ]
  %cmp.not.i.i.i200 = icmp eq i64 %count.addr.0.i.i.i198, 0
  br i1 %cmp.not.i.i.i200, label %land.rhs.lr.ph.i, label %while.body.i.i.i201

while.body.i.i.i201:                              ; preds = %while.cond.i.i.i197
  %call.i.i.i202 = call i64 @write(i32 noundef 1, ptr noundef %at.0.i.i.i199, i64 noundef %count.addr.0.i.i.i198) #12
  %cmp1.i.i.i203 = icmp sgt i64 %call.i.i.i202, 0
  %add.ptr.i.i.i204 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i199, i64 %call.i.i.i202
  %sub.i.i.i205 = sub i64 %count.addr.0.i.i.i198, %call.i.i.i202
  br i1 %cmp1.i.i.i203, label %while.cond.i.i.i197, label %land.end12.i

land.rhs.lr.ph.i:                                 ; preds = %while.cond.i.i.i197
  %rank.i229 = getelementptr inbounds nuw i8, ptr %arrayidx108, i64 40
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx111, i64 48
  %59 = load i32, ptr %rank.i229, align 8
  %cmp.i232350 = icmp sgt i32 %59, 0
  br i1 %cmp.i232350, label %for.body.i233, label %land.rhs10.i

for.body.i233:                                    ; preds = %land.rhs.lr.ph.i, %print.exit101.i
  %indvars.iv.i231351 = phi i64 [ %indvars.iv.next.i238, %print.exit101.i ], [ 0, %land.rhs.lr.ph.i ]
  %cmp4.i = icmp eq i64 %indvars.iv.i231351, 0
  %cond.i234 = select i1 %cmp4.i, ptr @.str.47, ptr @.str.48
  %arrayidx.i235 = getelementptr inbounds nuw i64, ptr %shape.i, i64 %indvars.iv.i231351
  %60 = load i64, ptr %arrayidx.i235, align 8
  %call5.i236 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i194, i64 noundef 1024, ptr noundef nonnull %cond.i234, i64 noundef %60) #12
  %call.i91.i = call i64 @strlen(ptr noundef nonnull %text.i194) #14
  br label %while.cond.i.i92.i

while.cond.i.i92.i:                               ; preds = %while.body.i.i96.i, %for.body.i233
  %count.addr.0.i.i93.i = phi i64 [ %call.i91.i, %for.body.i233 ], [ %sub.i.i100.i, %while.body.i.i96.i ]
  %at.0.i.i94.i = phi ptr [ %text.i194, %for.body.i233 ], [ %add.ptr.i.i99.i, %while.body.i.i96.i ]
  %cmp.not.i.i95.i = icmp eq i64 %count.addr.0.i.i93.i, 0
  br i1 %cmp.not.i.i95.i, label %print.exit101.i, label %while.body.i.i96.i

while.body.i.i96.i:                               ; preds = %while.cond.i.i92.i
  %call.i.i97.i237 = call i64 @write(i32 noundef 1, ptr noundef %at.0.i.i94.i, i64 noundef %count.addr.0.i.i93.i) #12
  %cmp1.i.i98.i = icmp sgt i64 %call.i.i97.i237, 0
  %add.ptr.i.i99.i = getelementptr inbounds nuw i8, ptr %at.0.i.i94.i, i64 %call.i.i97.i237
  %sub.i.i100.i = sub i64 %count.addr.0.i.i93.i, %call.i.i97.i237
  br i1 %cmp1.i.i98.i, label %while.cond.i.i92.i, label %land.end12.i

print.exit101.i:                                  ; preds = %while.cond.i.i92.i
  %indvars.iv.next.i238 = add nuw nsw i64 %indvars.iv.i231351, 1
  %61 = load i32, ptr %rank.i229, align 8
  %62 = sext i32 %61 to i64
  %cmp.i232 = icmp slt i64 %indvars.iv.next.i238, %62
  br i1 %cmp.i232, label %for.body.i233, label %land.rhs10.i

land.rhs10.i:                                     ; preds = %print.exit101.i, %land.rhs.lr.ph.i
  %call.i102.i = call i64 @strlen(ptr noundef nonnull @.str.33) #14
  br label %while.cond.i.i103.i

while.cond.i.i103.i:                              ; preds = %while.body.i.i107.i, %land.rhs10.i
  %count.addr.0.i.i104.i = phi i64 [ %call.i102.i, %land.rhs10.i ], [ %sub.i.i111.i, %while.body.i.i107.i ]
  %at.0.i.i105.i = phi ptr [ @.str.33, %land.rhs10.i ], [ %add.ptr.i.i110.i, %while.body.i.i107.i ]
  %cmp.not.i.i106.i = icmp eq i64 %count.addr.0.i.i104.i, 0
  br i1 %cmp.not.i.i106.i, label %land.end12.i, label %while.body.i.i107.i

while.body.i.i107.i:                              ; preds = %while.cond.i.i103.i
  %call.i.i108.i = call i64 @write(i32 noundef 1, ptr noundef %at.0.i.i105.i, i64 noundef %count.addr.0.i.i104.i) #12
  %cmp1.i.i109.i = icmp sgt i64 %call.i.i108.i, 0
  %add.ptr.i.i110.i = getelementptr inbounds nuw i8, ptr %at.0.i.i105.i, i64 %call.i.i108.i
  %sub.i.i111.i = sub i64 %count.addr.0.i.i104.i, %call.i.i108.i
  br i1 %cmp1.i.i109.i, label %while.cond.i.i103.i, label %land.end12.i

land.end12.i:                                     ; preds = %while.body.i.i.i201, %while.body.i.i107.i, %while.cond.i.i103.i, %while.body.i.i96.i
  %63 = phi i1 [ %cmp.not.i.i106.i, %while.body.i.i107.i ], [ false, %while.body.i.i96.i ], [ %cmp.not.i.i106.i, %while.cond.i.i103.i ], [ false, %while.body.i.i.i201 ]
  %shape14.i = getelementptr inbounds nuw i8, ptr %arrayidx111, i64 48
  %rank16.i = getelementptr inbounds nuw i8, ptr %arrayidx108, i64 40
  %64 = load i32, ptr %rank16.i, align 8
  %cmp.not5.i.i = icmp sgt i32 %64, 0
  br i1 %cmp.not5.i.i, label %for.body.preheader.i.i221, label %product.exit.i

for.body.preheader.i.i221:                        ; preds = %land.end12.i
  %wide.trip.count.i.i222 = zext nneg i32 %64 to i64
  br label %for.body.i.i223

for.body.i.i223:                                  ; preds = %for.inc.i.i226, %for.body.preheader.i.i221
  %indvars.iv.i.i224 = phi i64 [ 0, %for.body.preheader.i.i221 ], [ %indvars.iv.next.i.i227, %for.inc.i.i226 ]
  %count.06.i.i = phi i64 [ 1, %for.body.preheader.i.i221 ], [ %68, %for.inc.i.i226 ]
  %arrayidx.i.i225 = getelementptr inbounds nuw i64, ptr %shape14.i, i64 %indvars.iv.i.i224
  %65 = load i64, ptr %arrayidx.i.i225, align 8
  %66 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i.i, i64 %65)
  %67 = extractvalue { i64, i1 } %66, 1
  br i1 %67, label %product.exit.i, label %for.inc.i.i226

for.inc.i.i226:                                   ; preds = %for.body.i.i223
  %68 = extractvalue { i64, i1 } %66, 0
  %indvars.iv.next.i.i227 = add nuw nsw i64 %indvars.iv.i.i224, 1
  %exitcond.not.i.i228 = icmp eq i64 %indvars.iv.next.i.i227, %wide.trip.count.i.i222
  br i1 %exitcond.not.i.i228, label %product.exit.i, label %for.body.i.i223

product.exit.i:                                   ; preds = %for.inc.i.i226, %for.body.i.i223, %land.end12.i
  %spec.select.i.i = phi i64 [ 1, %land.end12.i ], [ -1, %for.body.i.i223 ], [ %68, %for.inc.i.i226 ]
  %cmp19.i206 = icmp eq i32 %64, 0
  br i1 %cmp19.i206, label %cond.end.i, label %cond.false.i

cond.false.i:                                     ; preds = %product.exit.i
  %69 = sext i32 %64 to i64
  %70 = getelementptr i64, ptr %shape14.i, i64 %69
  %arrayidx23.i = getelementptr i8, ptr %70, i64 -8
  %71 = load i64, ptr %arrayidx23.i, align 8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false.i, %product.exit.i
  %cond24.i = phi i64 [ %71, %cond.false.i ], [ 1, %product.exit.i ]
  br i1 %63, label %land.lhs.true.lr.ph.i, label %if.then113

land.lhs.true.lr.ph.i:                            ; preds = %cond.end.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx108, i64 44
  %72 = call i64 @llvm.smax.i64(i64 %spec.select.i.i, i64 0)
  %73 = call i64 @llvm.umin.i64(i64 %72, i64 64)
  %exitcond.not.i209352 = icmp slt i64 %spec.select.i.i, 1
  br i1 %exitcond.not.i209352, label %for.inc116, label %for.body32.i

land.lhs.true.i208.loopexit:                      ; preds = %while.cond.i.i128.i
  %exitcond.not.i209 = icmp eq i64 %add.i215, %73
  br i1 %exitcond.not.i209, label %for.cond.cleanup31.i, label %for.body32.i

for.cond.cleanup31.i:                             ; preds = %land.lhs.true.i208.loopexit
  %cmp53.i = icmp sgt i64 %spec.select.i.i, 64
  br i1 %cmp53.i, label %if.then.i220, label %for.inc116

for.body32.i:                                     ; preds = %land.lhs.true.lr.ph.i, %land.lhs.true.i208.loopexit
  %index.0156.i353 = phi i64 [ %add.i215, %land.lhs.true.i208.loopexit ], [ 0, %land.lhs.true.lr.ph.i ]
  %74 = load ptr, ptr %arrayidx111, align 8
  %75 = load i32, ptr %dtype.i, align 4
  %shr.i.i = lshr i32 %75, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i210 = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i210, 3
  %conv.i.i211 = zext nneg i32 %div1.i.i to i64
  %mul.i = mul nuw nsw i64 %index.0156.i353, %conv.i.i211
  %add.ptr.i212 = getelementptr inbounds nuw i8, ptr %74, i64 %mul.i
  %and.i113.i = and i32 %75, 255
  call void @llvm.lifetime.start.p0(ptr nonnull %value.i.i) #15
  store i64 0, ptr %value.i.i, align 8
  %cond.i.i = call i64 @llvm.umin.i64(i64 %conv.i.i211, i64 8)
  %call2.i.i = call ptr @memcpy(ptr noundef nonnull %value.i.i, ptr noundef %add.ptr.i212, i64 noundef %cond.i.i) #12
  %cmp3.i.i = icmp eq i32 %and.i113.i, 2
  %cmp4.i.i213 = icmp eq i32 %and.i.i, 64
  %or.cond.i.i214 = and i1 %cmp3.i.i, %cmp4.i.i213
  br i1 %or.cond.i.i214, label %if.then.i.i218, label %if.else.i.i

if.then.i.i218:                                   ; preds = %for.body32.i
  call void @llvm.lifetime.start.p0(ptr nonnull %wide.i.i) #15
  %call5.i.i219 = call ptr @memcpy(ptr noundef nonnull %wide.i.i, ptr noundef %add.ptr.i212, i64 noundef 8) #12
  %76 = load double, ptr %wide.i.i, align 8
  call fastcc void @write_float(ptr noundef nonnull %text.i194, double noundef %76) #13
  call void @llvm.lifetime.end.p0(ptr nonnull %wide.i.i) #15
  br label %write_element.exit.i

if.else.i.i:                                      ; preds = %for.body32.i
  %cmp8.i.i = icmp eq i32 %and.i.i, 32
  %or.cond50.i.i = and i1 %cmp3.i.i, %cmp8.i.i
  br i1 %or.cond50.i.i, label %if.then9.i.i, label %if.else12.i.i

if.then9.i.i:                                     ; preds = %if.else.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %wide10.i.i) #15
  %call11.i.i = call ptr @memcpy(ptr noundef nonnull %wide10.i.i, ptr noundef %add.ptr.i212, i64 noundef 4) #12
  %77 = load float, ptr %wide10.i.i, align 4
  %conv.i115.i = fpext float %77 to double
  call fastcc void @write_float(ptr noundef nonnull %text.i194, double noundef %conv.i115.i) #13
  call void @llvm.lifetime.end.p0(ptr nonnull %wide10.i.i) #15
  br label %write_element.exit.i

if.else12.i.i:                                    ; preds = %if.else.i.i
  br i1 %cmp3.i.i, label %if.then15.i.i, label %if.else18.i.i

if.then15.i.i:                                    ; preds = %if.else12.i.i
  %78 = load i64, ptr %value.i.i, align 8
  %conv16.i.i = trunc i64 %78 to i32
  %shr.i71.i.i = lshr i32 %conv16.i.i, 10
  %and.i72.i.i = and i32 %shr.i71.i.i, 31
  %and6.i.i.i = and i32 %conv16.i.i, 1023
  %conv.i73.i.i = uitofp nneg i32 %and6.i.i.i to double
  %div.i.i.i = fmul double %conv.i73.i.i, 0x3F50000000000000
  %cmp.i.i.i217 = icmp eq i32 %and.i72.i.i, 0
  %add.i74.i.i = fadd double %div.i.i.i, 1.000000e+00
  %cond.i.i.i = select i1 %cmp.i.i.i217, double %div.i.i.i, double %add.i74.i.i
  %cmp12.i.i.i = icmp eq i32 %and.i72.i.i, 31
  %cmp14.i.i.i = fcmp oeq double %div.i.i.i, 0.000000e+00
  %cond16.i.i.i = select i1 %cmp14.i.i.i, double 0x7FF0000000000000, double 0x7FF8000000000000
  %value.0.i.i.i = select i1 %cmp12.i.i.i, double %cond16.i.i.i, double %cond.i.i.i
  %sub22.i.i.i = add nsw i32 %and.i72.i.i, -15
  %spec.select.i.i.i = select i1 %cmp.i.i.i217, i32 -14, i32 %sub22.i.i.i
  %cmp25.not60.i.i.i = icmp eq i32 %spec.select.i.i.i, 0
  br i1 %cmp25.not60.i.i.i, label %widened.exit.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %if.then15.i.i, %for.body.i.i.i
  %power.062.i.i.i = phi i32 [ %power.1.i.i.i, %for.body.i.i.i ], [ %spec.select.i.i.i, %if.then15.i.i ]
  %value.161.i.i.i = phi double [ %value.2.i.i.i, %for.body.i.i.i ], [ %value.0.i.i.i, %if.then15.i.i ]
  %cmp27.i.i.i = icmp sgt i32 %power.062.i.i.i, 0
  %value.2.v.i.i.i = select i1 %cmp27.i.i.i, double 2.000000e+00, double 5.000000e-01
  %value.2.i.i.i = fmul double %value.161.i.i.i, %value.2.v.i.i.i
  %power.1.v.i.i.i = select i1 %cmp27.i.i.i, i32 -1, i32 1
  %power.1.i.i.i = add nsw i32 %power.1.v.i.i.i, %power.062.i.i.i
  %cmp25.not.i.i.i = icmp eq i32 %power.1.i.i.i, 0
  br i1 %cmp25.not.i.i.i, label %widened.exit.i.i, label %for.body.i.i.i

widened.exit.i.i:                                 ; preds = %for.body.i.i.i, %if.then15.i.i
  %value.1.lcssa.i.i.i = phi double [ %value.0.i.i.i, %if.then15.i.i ], [ %value.2.i.i.i, %for.body.i.i.i ]
  %79 = and i32 %conv16.i.i, 32768
  %tobool.not.i.i.i = icmp eq i32 %79, 0
  %fneg.i.i.i = fneg double %value.1.lcssa.i.i.i
  %cond38.i.i.i = select i1 %tobool.not.i.i.i, double %value.1.lcssa.i.i.i, double %fneg.i.i.i
  call fastcc void @write_float(ptr noundef nonnull %text.i194, double noundef %cond38.i.i.i) #13
  br label %write_element.exit.i

if.else18.i.i:                                    ; preds = %if.else12.i.i
  %trunc.i.i = trunc i32 %75 to i8
  switch i8 %trunc.i.i, label %if.else40.i.i [
    i8 4, label %if.then21.i.i
    i8 0, label %if.then27.i.i
    i8 6, label %if.then35.i.i
  ]

if.then21.i.i:                                    ; preds = %if.else18.i.i
  %80 = load i64, ptr %value.i.i, align 8
  %conv22.i.i = trunc i64 %80 to i32
  %shr.i75.i.i = lshr i32 %conv22.i.i, 7
  %and.i76.i.i = and i32 %shr.i75.i.i, 255
  %and6.i77.i.i = and i32 %conv22.i.i, 127
  %conv.i78.i.i = uitofp nneg i32 %and6.i77.i.i to double
  %div.i79.i.i = fmul double %conv.i78.i.i, 7.812500e-03
  %cmp.i80.i.i = icmp eq i32 %and.i76.i.i, 0
  %add.i81.i.i = fadd double %div.i79.i.i, 1.000000e+00
  %cond.i82.i.i = select i1 %cmp.i80.i.i, double %div.i79.i.i, double %add.i81.i.i
  %cmp12.i83.i.i = icmp eq i32 %and.i76.i.i, 255
  %cmp14.i84.i.i = fcmp oeq double %div.i79.i.i, 0.000000e+00
  %cond16.i85.i.i = select i1 %cmp14.i84.i.i, double 0x7FF0000000000000, double 0x7FF8000000000000
  %value.0.i86.i.i = select i1 %cmp12.i83.i.i, double %cond16.i85.i.i, double %cond.i82.i.i
  %sub22.i87.i.i = add nsw i32 %and.i76.i.i, -127
  %spec.select.i88.i.i = select i1 %cmp.i80.i.i, i32 -126, i32 %sub22.i87.i.i
  %cmp25.not60.i89.i.i = icmp eq i32 %spec.select.i88.i.i, 0
  br i1 %cmp25.not60.i89.i.i, label %widened.exit103.i.i, label %for.body.i90.i.i

for.body.i90.i.i:                                 ; preds = %if.then21.i.i, %for.body.i90.i.i
  %power.062.i91.i.i = phi i32 [ %power.1.i97.i.i, %for.body.i90.i.i ], [ %spec.select.i88.i.i, %if.then21.i.i ]
  %value.161.i92.i.i = phi double [ %value.2.i95.i.i, %for.body.i90.i.i ], [ %value.0.i86.i.i, %if.then21.i.i ]
  %cmp27.i93.i.i = icmp sgt i32 %power.062.i91.i.i, 0
  %value.2.v.i94.i.i = select i1 %cmp27.i93.i.i, double 2.000000e+00, double 5.000000e-01
  %value.2.i95.i.i = fmul double %value.161.i92.i.i, %value.2.v.i94.i.i
  %power.1.v.i96.i.i = select i1 %cmp27.i93.i.i, i32 -1, i32 1
  %power.1.i97.i.i = add nsw i32 %power.1.v.i96.i.i, %power.062.i91.i.i
  %cmp25.not.i98.i.i = icmp eq i32 %power.1.i97.i.i, 0
  br i1 %cmp25.not.i98.i.i, label %widened.exit103.i.i, label %for.body.i90.i.i

widened.exit103.i.i:                              ; preds = %for.body.i90.i.i, %if.then21.i.i
  %value.1.lcssa.i99.i.i = phi double [ %value.0.i86.i.i, %if.then21.i.i ], [ %value.2.i95.i.i, %for.body.i90.i.i ]
  %81 = and i32 %conv22.i.i, 32768
  %tobool.not.i100.i.i = icmp eq i32 %81, 0
  %fneg.i101.i.i = fneg double %value.1.lcssa.i99.i.i
  %cond38.i102.i.i = select i1 %tobool.not.i100.i.i, double %value.1.lcssa.i99.i.i, double %fneg.i101.i.i
  call fastcc void @write_float(ptr noundef nonnull %text.i194, double noundef %cond38.i102.i.i) #13
  br label %write_element.exit.i

if.then27.i.i:                                    ; preds = %if.else18.i.i
  %mul.i.i = shl nuw nsw i64 %conv.i.i211, 3
  %sub.i.i216 = sub nsw i64 64, %mul.i.i
  %82 = load i64, ptr %value.i.i, align 8
  %sh_prom.i.i = and i64 %sub.i.i216, 4294967288
  %shl.i.i = shl i64 %82, %sh_prom.i.i
  %shr30.i.i = ashr exact i64 %shl.i.i, %sh_prom.i.i
  %call31.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i194, i64 noundef 64, ptr noundef nonnull @.str.47, i64 noundef %shr30.i.i) #12
  br label %write_element.exit.i

if.then35.i.i:                                    ; preds = %if.else18.i.i
  %83 = load i64, ptr %value.i.i, align 8
  %cmp36.not.i.i = icmp eq i64 %83, 0
  %cond38.i.i = select i1 %cmp36.not.i.i, ptr @.str.27, ptr @.str.52
  %call39.i.i = call ptr @strcpy(ptr noundef nonnull %text.i194, ptr noundef nonnull %cond38.i.i) #12
  br label %write_element.exit.i

if.else40.i.i:                                    ; preds = %if.else18.i.i
  %cmp41.i.i = icmp eq i32 %and.i113.i, 1
  %cond43.i.i = select i1 %cmp41.i.i, ptr @.str.53, ptr @.str.54
  %84 = load i64, ptr %value.i.i, align 8
  %call44.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i194, i64 noundef 64, ptr noundef nonnull %cond43.i.i, i64 noundef %84) #12
  br label %write_element.exit.i

write_element.exit.i:                             ; preds = %if.else40.i.i, %if.then35.i.i, %if.then27.i.i, %widened.exit103.i.i, %widened.exit.i.i, %if.then9.i.i, %if.then.i.i218
  call void @llvm.lifetime.end.p0(ptr nonnull %value.i.i) #15
  %add.i215 = add nuw nsw i64 %index.0156.i353, 1
  %call.i116.i = call i64 @strlen(ptr noundef nonnull %text.i194) #14
  br label %while.cond.i.i117.i

while.cond.i.i117.i:                              ; preds = %while.body.i.i121.i, %write_element.exit.i
  %count.addr.0.i.i118.i = phi i64 [ %call.i116.i, %write_element.exit.i ], [ %sub.i.i125.i, %while.body.i.i121.i ]
  %at.0.i.i119.i = phi ptr [ %text.i194, %write_element.exit.i ], [ %add.ptr.i.i124.i, %while.body.i.i121.i ]
  %cmp.not.i.i120.i = icmp eq i64 %count.addr.0.i.i118.i, 0
  br i1 %cmp.not.i.i120.i, label %land.rhs42.i, label %while.body.i.i121.i

while.body.i.i121.i:                              ; preds = %while.cond.i.i117.i
  %call.i.i122.i = call i64 @write(i32 noundef 1, ptr noundef %at.0.i.i119.i, i64 noundef %count.addr.0.i.i118.i) #12
  %cmp1.i.i123.i = icmp sgt i64 %call.i.i122.i, 0
  %add.ptr.i.i124.i = getelementptr inbounds nuw i8, ptr %at.0.i.i119.i, i64 %call.i.i122.i
  %sub.i.i125.i = sub i64 %count.addr.0.i.i118.i, %call.i.i122.i
  br i1 %cmp1.i.i123.i, label %while.cond.i.i117.i, label %if.then113

land.rhs42.i:                                     ; preds = %while.cond.i.i117.i
  %rem.i = srem i64 %add.i215, %cond24.i
  %cmp36.i = icmp eq i64 %rem.i, 0
  %cmp38.i = icmp eq i64 %add.i215, %spec.select.i.i
  %85 = select i1 %cmp36.i, i1 true, i1 %cmp38.i
  %cond44.i = select i1 %85, ptr @.str.33, ptr @.str.49
  %call.i127.i = call i64 @strlen(ptr noundef nonnull %cond44.i) #14
  br label %while.cond.i.i128.i

while.cond.i.i128.i:                              ; preds = %while.body.i.i132.i, %land.rhs42.i
  %count.addr.0.i.i129.i = phi i64 [ %call.i127.i, %land.rhs42.i ], [ %sub.i.i136.i, %while.body.i.i132.i ]
  %at.0.i.i130.i = phi ptr [ %cond44.i, %land.rhs42.i ], [ %add.ptr.i.i135.i, %while.body.i.i132.i ]
  %cmp.not.i.i131.i = icmp eq i64 %count.addr.0.i.i129.i, 0
  br i1 %cmp.not.i.i131.i, label %land.lhs.true.i208.loopexit, label %while.body.i.i132.i

while.body.i.i132.i:                              ; preds = %while.cond.i.i128.i
  %call.i.i133.i = call i64 @write(i32 noundef 1, ptr noundef %at.0.i.i130.i, i64 noundef %count.addr.0.i.i129.i) #12
  %cmp1.i.i134.i = icmp sgt i64 %call.i.i133.i, 0
  %add.ptr.i.i135.i = getelementptr inbounds nuw i8, ptr %at.0.i.i130.i, i64 %call.i.i133.i
  %sub.i.i136.i = sub i64 %count.addr.0.i.i129.i, %call.i.i133.i
  br i1 %cmp1.i.i134.i, label %while.cond.i.i128.i, label %if.then113

if.then.i220:                                     ; preds = %for.cond.cleanup31.i
  %rem54.i = srem i64 %spec.select.i.i, %cond24.i
  %cmp55.i = icmp eq i64 %rem54.i, 0
  br i1 %cmp55.i, label %land.rhs56.i, label %land.end59.i

land.rhs56.i:                                     ; preds = %if.then.i220
  %rem57.i = srem i64 64, %cond24.i
  %cmp58.i = icmp eq i64 %rem57.i, 0
  %86 = select i1 %cmp58.i, ptr @.str.50, ptr @.str.51
  br label %land.end59.i

land.end59.i:                                     ; preds = %land.rhs56.i, %if.then.i220
  %cond60.i = phi ptr [ @.str.51, %if.then.i220 ], [ %86, %land.rhs56.i ]
  %call.i138.i = call i64 @strlen(ptr noundef nonnull %cond60.i) #14
  br label %while.cond.i.i139.i

while.cond.i.i139.i:                              ; preds = %while.body.i.i143.i, %land.end59.i
  %count.addr.0.i.i140.i = phi i64 [ %call.i138.i, %land.end59.i ], [ %sub.i.i147.i, %while.body.i.i143.i ]
  %at.0.i.i141.i = phi ptr [ %cond60.i, %land.end59.i ], [ %add.ptr.i.i146.i, %while.body.i.i143.i ]
  %cmp.not.i.i142.i = icmp eq i64 %count.addr.0.i.i140.i, 0
  br i1 %cmp.not.i.i142.i, label %for.inc116, label %while.body.i.i143.i

while.body.i.i143.i:                              ; preds = %while.cond.i.i139.i
  %call.i.i144.i = call i64 @write(i32 noundef 1, ptr noundef %at.0.i.i141.i, i64 noundef %count.addr.0.i.i140.i) #12
  %cmp1.i.i145.i = icmp sgt i64 %call.i.i144.i, 0
  %add.ptr.i.i146.i = getelementptr inbounds nuw i8, ptr %at.0.i.i141.i, i64 %call.i.i144.i
  %sub.i.i147.i = sub i64 %count.addr.0.i.i140.i, %call.i.i144.i
  br i1 %cmp1.i.i145.i, label %while.cond.i.i139.i, label %if.then113

if.then113:                                       ; preds = %cond.end.i, %while.body.i.i143.i, %while.body.i.i121.i, %while.body.i.i132.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i194) #15
  call fastcc void @fail(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3) #13
  br label %cleanup122

for.inc116:                                       ; preds = %while.cond.i.i139.i, %land.lhs.true.lr.ph.i, %for.cond.cleanup31.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i194) #15
  %inc117 = add nuw nsw i32 %index100.0355, 1
  %exitcond436.not = icmp eq i32 %inc117, %retval.1.i
  br i1 %exitcond436.not, label %cleanup122, label %for.body105

cleanup122:                                       ; preds = %read_word.exit, %read_member.exit.i.i, %for.inc116, %if.then113, %for.cond101.preheader, %fail.exit.i, %fail.exit87.i, %fail.exit107.i, %fail.exit.i.i, %fail.exit109.i.i, %fail.exit187.i.i.i, %fail.exit154.i.i.i, %fail.exit141.i.i.i, %fail.exit.i.i.i, %fail.exit152.i.i, %cleanup57, %cleanup87, %run.exit.thread, %cleanup.thread, %if.then97, %run.exit, %for.end59, %if.then
  %retval.5 = phi i32 [ 2, %if.then ], [ 1, %run.exit.thread ], [ 1, %for.end59 ], [ 1, %cleanup87 ], [ 1, %cleanup57 ], [ 1, %read_member.exit.i.i ], [ %call98, %if.then97 ], [ 1, %run.exit ], [ 2, %cleanup.thread ], [ 0, %for.inc116 ], [ 1, %fail.exit152.i.i ], [ 1, %fail.exit.i.i.i ], [ 1, %fail.exit141.i.i.i ], [ 1, %fail.exit154.i.i.i ], [ 1, %fail.exit187.i.i.i ], [ 1, %fail.exit109.i.i ], [ 1, %fail.exit.i.i ], [ 1, %fail.exit107.i ], [ 1, %fail.exit87.i ], [ 1, %fail.exit.i ], [ 1, %if.then113 ], [ 0, %for.cond101.preheader ], [ 1, %read_word.exit ]
  ret i32 %retval.5
}

declare ptr @llvm.stacksave.p0() #1

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr #3

define internal fastcc void @explain(ptr noundef %program) unnamed_addr #0 {
entry:
  %call.i = tail call i64 @strlen(ptr noundef nonnull @tw_signature) #14
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %entry
  %count.addr.0.i.i = phi i64 [ %call.i, %entry ], [ %sub.i.i, %while.body.i.i ]
  %at.0.i.i = phi ptr [ @tw_signature, %entry ], [ %add.ptr.i.i, %while.body.i.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %print.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i.i = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #12
  %cmp1.i.i = icmp sgt i64 %call.i.i, 0
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i.i
  %sub.i.i = sub i64 %count.addr.0.i.i, %call.i.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %print.exit

print.exit:                                       ; preds = %while.cond.i.i, %while.body.i.i
  %call.i4 = tail call i64 @strlen(ptr noundef nonnull @.str.4) #14
  br label %while.cond.i.i5

while.cond.i.i5:                                  ; preds = %while.body.i.i9, %print.exit
  %count.addr.0.i.i6 = phi i64 [ %call.i4, %print.exit ], [ %sub.i.i13, %while.body.i.i9 ]
  %at.0.i.i7 = phi ptr [ @.str.4, %print.exit ], [ %add.ptr.i.i12, %while.body.i.i9 ]
  %cmp.not.i.i8 = icmp eq i64 %count.addr.0.i.i6, 0
  br i1 %cmp.not.i.i8, label %print.exit14, label %while.body.i.i9

while.body.i.i9:                                  ; preds = %while.cond.i.i5
  %call.i.i10 = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i7, i64 noundef %count.addr.0.i.i6) #12
  %cmp1.i.i11 = icmp sgt i64 %call.i.i10, 0
  %add.ptr.i.i12 = getelementptr inbounds nuw i8, ptr %at.0.i.i7, i64 %call.i.i10
  %sub.i.i13 = sub i64 %count.addr.0.i.i6, %call.i.i10
  br i1 %cmp1.i.i11, label %while.cond.i.i5, label %print.exit14

print.exit14:                                     ; preds = %while.cond.i.i5, %while.body.i.i9
  %call.i15 = tail call i64 @strlen(ptr noundef %program) #14
  br label %while.cond.i.i16

while.cond.i.i16:                                 ; preds = %while.body.i.i20, %print.exit14
  %count.addr.0.i.i17 = phi i64 [ %call.i15, %print.exit14 ], [ %sub.i.i24, %while.body.i.i20 ]
  %at.0.i.i18 = phi ptr [ %program, %print.exit14 ], [ %add.ptr.i.i23, %while.body.i.i20 ]
  %cmp.not.i.i19 = icmp eq i64 %count.addr.0.i.i17, 0
  br i1 %cmp.not.i.i19, label %print.exit25, label %while.body.i.i20

while.body.i.i20:                                 ; preds = %while.cond.i.i16
  %call.i.i21 = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i18, i64 noundef %count.addr.0.i.i17) #12
  %cmp1.i.i22 = icmp sgt i64 %call.i.i21, 0
  %add.ptr.i.i23 = getelementptr inbounds nuw i8, ptr %at.0.i.i18, i64 %call.i.i21
  %sub.i.i24 = sub i64 %count.addr.0.i.i17, %call.i.i21
  br i1 %cmp1.i.i22, label %while.cond.i.i16, label %print.exit25

print.exit25:                                     ; preds = %while.cond.i.i16, %while.body.i.i20
  %call.i26 = tail call i64 @strlen(ptr noundef nonnull @.str.5) #14
  br label %while.cond.i.i27

while.cond.i.i27:                                 ; preds = %while.body.i.i31, %print.exit25
  %count.addr.0.i.i28 = phi i64 [ %call.i26, %print.exit25 ], [ %sub.i.i35, %while.body.i.i31 ]
  %at.0.i.i29 = phi ptr [ @.str.5, %print.exit25 ], [ %add.ptr.i.i34, %while.body.i.i31 ]
  %cmp.not.i.i30 = icmp eq i64 %count.addr.0.i.i28, 0
  br i1 %cmp.not.i.i30, label %print.exit36, label %while.body.i.i31

while.body.i.i31:                                 ; preds = %while.cond.i.i27
  %call.i.i32 = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i29, i64 noundef %count.addr.0.i.i28) #12
  %cmp1.i.i33 = icmp sgt i64 %call.i.i32, 0
  %add.ptr.i.i34 = getelementptr inbounds nuw i8, ptr %at.0.i.i29, i64 %call.i.i32
  %sub.i.i35 = sub i64 %count.addr.0.i.i28, %call.i.i32
  br i1 %cmp1.i.i33, label %while.cond.i.i27, label %print.exit36

print.exit36:                                     ; preds = %while.cond.i.i27, %while.body.i.i31
  ret void
}

declare i64 @strlen(ptr noundef) local_unnamed_addr #4

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define internal fastcc void @fail(ptr noundef %where, ptr noundef %rule) unnamed_addr #0 {
entry:
  %text = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %text) #15
  %call = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %where, ptr noundef %rule) #12
  %call.i = call i64 @strlen(ptr noundef nonnull %text) #14
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %entry
  %count.addr.0.i.i = phi i64 [ %call.i, %entry ], [ %sub.i.i, %while.body.i.i ]
  %at.0.i.i = phi ptr [ %text, %entry ], [ %add.ptr.i.i, %while.body.i.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %print.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #12
  %cmp1.i.i = icmp sgt i64 %call.i.i, 0
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i.i
  %sub.i.i = sub i64 %count.addr.0.i.i, %call.i.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %print.exit

print.exit:                                       ; preds = %while.cond.i.i, %while.body.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text) #15
  ret void
}

define internal fastcc range(i32 0, 2) i32 @choose(ptr noundef nonnull %arguments) unnamed_addr #0 {
entry:
  %program = alloca ptr, align 8
  %0 = load i32, ptr @tw_inputs, align 4
  store i32 %0, ptr @model.4, align 8
  %1 = load i32, ptr @tw_arguments, align 4
  store i32 %1, ptr @model.5, align 4
  %cmp = icmp eq ptr @__tw_choose, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = add nsw i32 %0, 1
  %2 = zext i32 %add to i64
  %3 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.tw_value, i64 %2, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %program) #15
  %cmp158 = icmp sgt i32 %0, 0
  br i1 %cmp158, label %for.body.preheader, label %for.cond.cleanup.thread

for.body.preheader:                               ; preds = %if.end
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %call = call i32 @__tw_choose(ptr noundef nonnull %vla, i32 noundef %0, ptr noundef nonnull %program) #12
  %cmp7.not = icmp eq i32 %call, 0
  br i1 %cmp7.not, label %for.body15.preheader, label %if.then8

for.cond.cleanup.thread:                          ; preds = %if.end
  %call69 = call i32 @__tw_choose(ptr noundef nonnull %vla, i32 noundef %0, ptr noundef nonnull %program) #12
  %cmp7.not70 = icmp eq i32 %call69, 0
  br i1 %cmp7.not70, label %for.cond.cleanup14, label %if.then8

for.body15.preheader:                             ; preds = %for.cond.cleanup
  %wide.trip.count67 = zext nneg i32 %0 to i64
  br label %for.body15

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  store i32 7, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %arrayidx3 = getelementptr inbounds nuw %struct.argument, ptr %arguments, i64 %indvars.iv
  store ptr %arrayidx3, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.then8:                                         ; preds = %for.cond.cleanup.thread, %for.cond.cleanup
  call fastcc void @report() #13
  br label %cleanup

for.cond.cleanup14:                               ; preds = %for.inc31, %for.cond.cleanup.thread
  %4 = load ptr, ptr %program, align 8
  %5 = load ptr, ptr %4, align 8
  %arrayidx37 = getelementptr inbounds nuw i8, ptr %4, i64 24
  %6 = load ptr, ptr %arrayidx37, align 8
  %specs38 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %7 = load ptr, ptr %specs38, align 8
  %entries39 = getelementptr inbounds nuw i8, ptr %4, i64 64
  %8 = load ptr, ptr %entries39, align 8
  %inputs40 = getelementptr inbounds nuw i8, ptr %4, i64 88
  %9 = load i32, ptr %inputs40, align 8
  %arguments42 = getelementptr inbounds nuw i8, ptr %4, i64 92
  %10 = load i32, ptr %arguments42, align 4
  store ptr %5, ptr @model.0, align 8
  store ptr %6, ptr @model.1, align 8
  store ptr %7, ptr @model.2, align 8
  store ptr %8, ptr @model.3, align 8
  store i32 %9, ptr @model.4, align 8
  store i32 %10, ptr @model.5, align 4
  br label %cleanup

for.body15:                                       ; preds = %for.body15.preheader, %for.inc31
  %indvars.iv64 = phi i64 [ 0, %for.body15.preheader ], [ %indvars.iv.next65, %for.inc31 ]
  %left.062 = phi i32 [ 0, %for.body15.preheader ], [ %left.1, %for.inc31 ]
  %11 = trunc nuw nsw i64 %indvars.iv64 to i32
  %call16 = call i32 @__tw_is_bound(i32 noundef %11) #12
  %cmp17 = icmp eq i32 %call16, 0
  br i1 %cmp17, label %if.then18, label %for.inc31

if.then18:                                        ; preds = %for.body15
  %idxprom19 = sext i32 %left.062 to i64
  %arrayidx20 = getelementptr inbounds %struct.argument, ptr %arguments, i64 %idxprom19
  %arrayidx22 = getelementptr inbounds nuw %struct.argument, ptr %arguments, i64 %indvars.iv64
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(304) %arrayidx20, ptr noundef nonnull align 8 dereferenceable(304) %arrayidx22, i64 304, i1 false)
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx20, i64 48
  %shape28 = getelementptr inbounds nuw i8, ptr %arrayidx20, i64 24
  store ptr %shape, ptr %shape28, align 8
  %inc29 = add nsw i32 %left.062, 1
  br label %for.inc31

for.inc31:                                        ; preds = %for.body15, %if.then18
  %left.1 = phi i32 [ %inc29, %if.then18 ], [ %left.062, %for.body15 ]
  %indvars.iv.next65 = add nuw nsw i64 %indvars.iv64, 1
  %exitcond68.not = icmp eq i64 %indvars.iv.next65, %wide.trip.count67
  br i1 %exitcond68.not, label %for.cond.cleanup14, label %for.body15

cleanup:                                          ; preds = %for.cond.cleanup14, %if.then8
  %retval.0 = phi i32 [ 1, %if.then8 ], [ 0, %for.cond.cleanup14 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %program) #15
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return

return:                                           ; preds = %entry, %cleanup
  %retval.1 = phi i32 [ %retval.0, %cleanup ], [ 0, %entry ]
  ret i32 %retval.1
}

define internal fastcc range(i32 0, 2) i32 @save(ptr noundef nonnull %path, ptr noundef nonnull readonly captures(none) %outputs, i32 noundef range(i32 0, -2147483648) %count) unnamed_addr #0 {
entry:
  %text.i98 = alloca [1024 x i8], align 1
  %end.i = alloca [22 x i8], align 1
  %shape.i.i = alloca [700 x i8], align 1
  %kind.i.i = alloca [2 x i8], align 4
  %header.i = alloca [1024 x i8], align 1
  %local.i = alloca [30 x i8], align 1
  %text.i = alloca [1024 x i8], align 1
  %call = tail call i64 @strlen(ptr noundef nonnull %path) #14
  %cmp = icmp ugt i64 %call, 4
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %add.ptr = getelementptr inbounds nuw i8, ptr %path, i64 %call
  %add.ptr1 = getelementptr inbounds i8, ptr %add.ptr, i64 -4
  %call2 = tail call i32 @memcmp(ptr noundef nonnull %add.ptr1, ptr noundef nonnull @.str.35, i64 noundef 4) #14
  %cmp3 = icmp eq i32 %call2, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %0 = phi i1 [ false, %entry ], [ %cmp3, %land.rhs ]
  %cmp4 = icmp eq i32 %count, 1
  %or.cond.not = or i1 %cmp4, %0
  br i1 %or.cond.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #15
  %call.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %path, ptr noundef nonnull @.str.36) #12
  %call.i.i = call i64 @strlen(ptr noundef nonnull %text.i) #14
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then
  %count.addr.0.i.i.i = phi i64 [ %call.i.i, %if.then ], [ %sub.i.i.i, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then ], [ %add.ptr.i.i.i, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %fail.exit, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #12
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i, 0
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i
  %sub.i.i.i = sub i64 %count.addr.0.i.i.i, %call.i.i.i
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %fail.exit

fail.exit:                                        ; preds = %while.cond.i.i.i, %while.body.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #15
  br label %cleanup

if.end:                                           ; preds = %land.end
  %call6 = tail call i32 (ptr, i32, ...) @open(ptr noundef nonnull %path, i32 noundef 524865, i32 noundef 438) #12
  %1 = zext nneg i32 %count to i64
  %2 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.member, i64 %1, align 8
  %3 = shl nuw nsw i64 %1, 6
  %call7 = call ptr @memset(ptr noundef nonnull %vla, i32 noundef 0, i64 noundef %3) #12
  %cmp8 = icmp sgt i32 %call6, -1
  %cmp12117 = icmp ne i32 %count, 0
  %4 = and i1 %cmp8, %cmp12117
  br i1 %4, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %arrayinit.element.i.i = getelementptr inbounds nuw i8, ptr %kind.i.i, i64 1
  %add.ptr8.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 10
  %arrayidx35.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 8
  %arrayidx38.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 9
  %add.ptr22.i = getelementptr inbounds nuw i8, ptr %local.i, i64 4
  br label %for.body

for.cond.cleanup:                                 ; preds = %put_array.exit, %if.end
  %is_done.0.in.lcssa = phi i1 [ %cmp8, %if.end ], [ true, %put_array.exit ]
  %brmerge.not = and i1 %0, %is_done.0.in.lcssa
  br i1 %brmerge.not, label %lor.rhs, label %land.end37

for.body:                                         ; preds = %for.body.lr.ph, %put_array.exit
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %put_array.exit ]
  %arrayidx = getelementptr %struct.member, ptr %vla, i64 %indvars.iv
  %cond = select i1 %0, ptr %arrayidx, ptr null
  %cmp15.not = icmp eq i64 %indvars.iv, 0
  br i1 %cmp15.not, label %if.end25, label %if.then16

if.then16:                                        ; preds = %for.body
  %at = getelementptr i8, ptr %arrayidx, i64 -16
  %5 = load i64, ptr %at, align 8
  %size = getelementptr i8, ptr %arrayidx, i64 -8
  %6 = load i64, ptr %size, align 8
  %add = add i64 %6, %5
  %at24 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  store i64 %add, ptr %at24, align 8
  br label %if.end25

if.end25:                                         ; preds = %if.then16, %for.body
  %7 = load ptr, ptr @model.2, align 8
  %8 = load i32, ptr @model.4, align 8
  %9 = trunc nuw nsw i64 %indvars.iv to i32
  %add26 = add nsw i32 %8, %9
  %idxprom27 = sext i32 %add26 to i64
  %arrayidx28 = getelementptr inbounds %struct.tw_spec, ptr %7, i64 %idxprom27
  %arrayidx30 = getelementptr inbounds nuw %struct.argument, ptr %outputs, i64 %indvars.iv
  call void @llvm.lifetime.start.p0(ptr nonnull %header.i) #15
  %dtype1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 20
  %10 = load i32, ptr %dtype1.i.i, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %shape.i.i) #15
  %call.i.i74 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %shape.i.i, i64 noundef 700, ptr noundef nonnull @.str.40) #12
  %rank.i.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 16
  %11 = load i32, ptr %rank.i.i, align 8
  %cmp64.i.i = icmp sgt i32 %11, 0
  br i1 %cmp64.i.i, label %for.body.lr.ph.i.i, label %write_header.exit.i

for.body.lr.ph.i.i:                               ; preds = %if.end25
  %shape4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 48
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.body.i.i, %for.body.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %indvars.iv.next.i.i, %for.body.i.i ]
  %length.066.i.i = phi i32 [ %call.i.i74, %for.body.lr.ph.i.i ], [ %add.i.i, %for.body.i.i ]
  %idx.ext.i.i = sext i32 %length.066.i.i to i64
  %add.ptr.i.i = getelementptr inbounds i8, ptr %shape.i.i, i64 %idx.ext.i.i
  %sub.i.i = sub nsw i64 700, %idx.ext.i.i
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %shape4.i.i, i64 %indvars.iv.i.i
  %12 = load i64, ptr %arrayidx.i.i, align 8
  %call5.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i.i, i64 noundef %sub.i.i, ptr noundef nonnull @.str.41, i64 noundef %12) #12
  %add.i.i = add nsw i32 %call5.i.i, %length.066.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %13 = load i32, ptr %rank.i.i, align 8
  %14 = sext i32 %13 to i64
  %cmp.i.i = icmp slt i64 %indvars.iv.next.i.i, %14
  br i1 %cmp.i.i, label %for.body.i.i, label %write_header.exit.i

write_header.exit.i:                              ; preds = %for.body.i.i, %if.end25
  call void @llvm.lifetime.start.p0(ptr nonnull %kind.i.i) #15
  %and.i.i = and i32 %10, 255
  %idxprom6.i.i = zext nneg i32 %and.i.i to i64
  %arrayidx7.i.i = getelementptr inbounds nuw i8, ptr @write_header.kinds, i64 %idxprom6.i.i
  %15 = load i8, ptr %arrayidx7.i.i, align 1
  store i8 %15, ptr %kind.i.i, align 4
  store i8 0, ptr %arrayinit.element.i.i, align 1
  %16 = shl nuw i64 1, %idxprom6.i.i
  %17 = and i64 %16, 262040
  %cmp11.not.i.i = icmp eq i64 %17, 0
  %shr.i.i.i = lshr i32 %10, 8
  %and.i.i.i = and i32 %shr.i.i.i, 255
  %add.i.i.i = add nuw nsw i32 %and.i.i.i, 7
  %div1.i.mask.i.i = and i32 %add.i.i.i, 504
  %cmp14.i.i = icmp eq i32 %div1.i.mask.i.i, 8
  %18 = select i1 %cmp14.i.i, ptr @.str.43, ptr @.str.44
  %cond.i.i = select i1 %cmp11.not.i.i, ptr %18, ptr @.str.43
  %div1.i62.i.i = lshr i32 %add.i.i.i, 3
  %call20.i.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr8.i.i, i64 noundef 1014, ptr noundef nonnull @.str.42, ptr noundef nonnull %cond.i.i, ptr noundef nonnull %kind.i.i, i32 noundef %div1.i62.i.i, ptr noundef nonnull %shape.i.i) #12
  %add21.i.i = add nsw i32 %call20.i.i, 10
  %add22.i.i = add nsw i32 %call20.i.i, 74
  %div.i.i = sdiv i32 %add22.i.i, 64
  %mul.i.i = shl nsw i32 %div.i.i, 6
  %idx.ext23.i.i = sext i32 %add21.i.i to i64
  %add.ptr24.i.i = getelementptr inbounds i8, ptr %header.i, i64 %idx.ext23.i.i
  %sub25.i.i = sub nsw i32 %mul.i.i, %add21.i.i
  %conv26.i.i = sext i32 %sub25.i.i to i64
  %call27.i.i = call ptr @memset(ptr noundef nonnull %add.ptr24.i.i, i32 noundef 32, i64 noundef %conv26.i.i) #12
  %19 = sext i32 %mul.i.i to i64
  %20 = getelementptr i8, ptr %header.i, i64 %19
  %arrayidx30.i.i = getelementptr i8, ptr %20, i64 -1
  store i8 10, ptr %arrayidx30.i.i, align 1
  %call31.i.i = call ptr @memcpy(ptr noundef nonnull %header.i, ptr noundef nonnull @.str.45, i64 noundef 8) #12
  %sub32.i.i = add nsw i32 %mul.i.i, -10
  %conv34.i.i = trunc i32 %sub32.i.i to i8
  store i8 %conv34.i.i, ptr %arrayidx35.i.i, align 1
  %shr.i.i = lshr i32 %sub32.i.i, 8
  %conv37.i.i = trunc i32 %shr.i.i to i8
  store i8 %conv37.i.i, ptr %arrayidx38.i.i, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %kind.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %shape.i.i) #15
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 48
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx28, i64 40
  %21 = load i32, ptr %rank.i, align 8
  %cmp.not5.i.i = icmp sgt i32 %21, 0
  br i1 %cmp.not5.i.i, label %for.body.preheader.i.i, label %product.exit.i

for.body.preheader.i.i:                           ; preds = %write_header.exit.i
  %wide.trip.count.i.i = zext nneg i32 %21 to i64
  br label %for.body.i88.i

for.body.i88.i:                                   ; preds = %for.inc.i.i, %for.body.preheader.i.i
  %indvars.iv.i89.i = phi i64 [ 0, %for.body.preheader.i.i ], [ %indvars.iv.next.i91.i, %for.inc.i.i ]
  %count.06.i.i = phi i64 [ 1, %for.body.preheader.i.i ], [ %25, %for.inc.i.i ]
  %arrayidx.i90.i = getelementptr inbounds nuw i64, ptr %shape.i, i64 %indvars.iv.i89.i
  %22 = load i64, ptr %arrayidx.i90.i, align 8
  %23 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i.i, i64 %22)
  %24 = extractvalue { i64, i1 } %23, 1
  br i1 %24, label %product.exit.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %for.body.i88.i
  %25 = extractvalue { i64, i1 } %23, 0
  %indvars.iv.next.i91.i = add nuw nsw i64 %indvars.iv.i89.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i91.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %product.exit.i, label %for.body.i88.i

product.exit.i:                                   ; preds = %for.inc.i.i, %for.body.i88.i, %write_header.exit.i
  %spec.select.i.i = phi i64 [ 1, %write_header.exit.i ], [ -1, %for.body.i88.i ], [ %25, %for.inc.i.i ]
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx28, i64 44
  %26 = load i32, ptr %dtype.i, align 4
  %shr.i92.i = lshr i32 %26, 8
  %and.i93.i = and i32 %shr.i92.i, 255
  %add.i94.i = add nuw nsw i32 %and.i93.i, 7
  %div1.i.i = lshr i32 %add.i94.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %mul.i = mul nsw i64 %spec.select.i.i, %conv.i.i
  %cmp.not.i = icmp eq ptr %cond, null
  br i1 %cmp.not.i, label %while.cond.i196.i.preheader, label %if.then.i

while.cond.i196.i.preheader:                      ; preds = %if.end.i, %product.exit.i
  br label %while.cond.i196.i

if.then.i:                                        ; preds = %product.exit.i
  %add22.i.off.i = add i32 %call20.i.i, 137
  %cmp.not14.i.i = icmp ult i32 %add22.i.off.i, 127
  br i1 %cmp.not14.i.i, label %checksum.exit.i, label %while.body.i.i

while.cond.loopexit.i.i:                          ; preds = %for.body.i96.i
  %dec17.i.i = add i64 %dec17.in.i.i, -1
  %incdec.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.016.i.i, i64 1
  %cmp.not.i.i = icmp eq i64 %dec17.i.i, 0
  br i1 %cmp.not.i.i, label %while.end.loopexit.i.i, label %while.body.i.i

while.body.i.i:                                   ; preds = %if.then.i, %while.cond.loopexit.i.i
  %dec17.in.i.i = phi i64 [ %dec17.i.i, %while.cond.loopexit.i.i ], [ %19, %if.then.i ]
  %at.016.i.i = phi ptr [ %incdec.ptr.i.i, %while.cond.loopexit.i.i ], [ %header.i, %if.then.i ]
  %sum.addr.015.i.i = phi i32 [ %xor4.i.i, %while.cond.loopexit.i.i ], [ -1, %if.then.i ]
  %27 = load i8, ptr %at.016.i.i, align 1
  %conv.i95.i = zext i8 %27 to i32
  %xor.i.i = xor i32 %sum.addr.015.i.i, %conv.i95.i
  br label %for.body.i96.i

for.body.i96.i:                                   ; preds = %for.body.i96.i, %while.body.i.i
  %bit.012.i.i = phi i32 [ 0, %while.body.i.i ], [ %inc.i.i, %for.body.i96.i ]
  %sum.addr.111.i.i = phi i32 [ %xor.i.i, %while.body.i.i ], [ %xor4.i.i, %for.body.i96.i ]
  %shr.i97.i = lshr i32 %sum.addr.111.i.i, 1
  %and.i98.i = and i32 %sum.addr.111.i.i, 1
  %28 = icmp eq i32 %and.i98.i, 0
  %and3.i.i = select i1 %28, i32 0, i32 -306674912
  %xor4.i.i = xor i32 %and3.i.i, %shr.i97.i
  %inc.i.i = add nuw nsw i32 %bit.012.i.i, 1
  %exitcond.not.i99.i = icmp eq i32 %inc.i.i, 8
  br i1 %exitcond.not.i99.i, label %while.cond.loopexit.i.i, label %for.body.i96.i

while.end.loopexit.i.i:                           ; preds = %while.cond.loopexit.i.i
  %29 = xor i32 %xor4.i.i, -1
  br label %checksum.exit.i

checksum.exit.i:                                  ; preds = %while.end.loopexit.i.i, %if.then.i
  %sum.addr.0.lcssa.i.i = phi i32 [ 0, %if.then.i ], [ %29, %while.end.loopexit.i.i ]
  %cmp.not14.i100.i = icmp eq i64 %mul.i, 0
  br i1 %cmp.not14.i100.i, label %checksum.exit123.i, label %while.body.preheader.i101.i

while.body.preheader.i101.i:                      ; preds = %checksum.exit.i
  %30 = load ptr, ptr %arrayidx30, align 8
  %not.i.i = xor i32 %sum.addr.0.lcssa.i.i, -1
  br label %while.body.i102.i

while.cond.loopexit.i117.i:                       ; preds = %for.body.i108.i
  %dec17.i118.i = add i64 %dec17.in.i103.i, -1
  %incdec.ptr.i119.i = getelementptr inbounds nuw i8, ptr %at.016.i104.i, i64 1
  %cmp.not.i120.i = icmp eq i64 %dec17.i118.i, 0
  br i1 %cmp.not.i120.i, label %while.end.loopexit.i121.i, label %while.body.i102.i

while.body.i102.i:                                ; preds = %while.cond.loopexit.i117.i, %while.body.preheader.i101.i
  %dec17.in.i103.i = phi i64 [ %dec17.i118.i, %while.cond.loopexit.i117.i ], [ %mul.i, %while.body.preheader.i101.i ]
  %at.016.i104.i = phi ptr [ %incdec.ptr.i119.i, %while.cond.loopexit.i117.i ], [ %30, %while.body.preheader.i101.i ]
  %sum.addr.015.i105.i = phi i32 [ %xor4.i114.i, %while.cond.loopexit.i117.i ], [ %not.i.i, %while.body.preheader.i101.i ]
  %31 = load i8, ptr %at.016.i104.i, align 1
  %conv.i106.i = zext i8 %31 to i32
  %xor.i107.i = xor i32 %sum.addr.015.i105.i, %conv.i106.i
  br label %for.body.i108.i

for.body.i108.i:                                  ; preds = %for.body.i108.i, %while.body.i102.i
  %bit.012.i109.i = phi i32 [ 0, %while.body.i102.i ], [ %inc.i115.i, %for.body.i108.i ]
  %sum.addr.111.i110.i = phi i32 [ %xor.i107.i, %while.body.i102.i ], [ %xor4.i114.i, %for.body.i108.i ]
  %shr.i111.i = lshr i32 %sum.addr.111.i110.i, 1
  %and.i112.i = and i32 %sum.addr.111.i110.i, 1
  %32 = icmp eq i32 %and.i112.i, 0
  %and3.i113.i = select i1 %32, i32 0, i32 -306674912
  %xor4.i114.i = xor i32 %and3.i113.i, %shr.i111.i
  %inc.i115.i = add nuw nsw i32 %bit.012.i109.i, 1
  %exitcond.not.i116.i = icmp eq i32 %inc.i115.i, 8
  br i1 %exitcond.not.i116.i, label %while.cond.loopexit.i117.i, label %for.body.i108.i

while.end.loopexit.i121.i:                        ; preds = %while.cond.loopexit.i117.i
  %33 = xor i32 %xor4.i114.i, -1
  br label %checksum.exit123.i

checksum.exit123.i:                               ; preds = %while.end.loopexit.i121.i, %checksum.exit.i
  %sum.addr.0.lcssa.i122.i = phi i32 [ %sum.addr.0.lcssa.i.i, %checksum.exit.i ], [ %33, %while.end.loopexit.i121.i ]
  %34 = load ptr, ptr %arrayidx28, align 8
  %call8.i = call i64 @strlen(ptr noundef %34) #14
  %call13.i = call ptr @memset(ptr noundef nonnull %arrayidx, i32 noundef 0, i64 noundef 46) #12
  %call14.i = call ptr @memcpy(ptr noundef nonnull %arrayidx, ptr noundef nonnull @.str.38, i64 noundef 8) #12
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 14
  br label %for.body.i124.i

for.body.i124.i:                                  ; preds = %for.body.i124.i, %checksum.exit123.i
  %indvars.iv.i125.i = phi i64 [ 0, %checksum.exit123.i ], [ %indvars.iv.next.i129.i, %for.body.i124.i ]
  %35 = shl nsw i64 %indvars.iv.i125.i, 3
  %shr.i126.i = lshr i64 33, %35
  %conv.i127.i = trunc nuw nsw i64 %shr.i126.i to i8
  %arrayidx.i128.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %indvars.iv.i125.i
  store i8 %conv.i127.i, ptr %arrayidx.i128.i, align 1
  %indvars.iv.next.i129.i = add nuw nsw i64 %indvars.iv.i125.i, 1
  %exitcond.not.i130.i = icmp eq i64 %indvars.iv.next.i129.i, 2
  br i1 %exitcond.not.i130.i, label %store.exit.i, label %for.body.i124.i

store.exit.i:                                     ; preds = %for.body.i124.i
  %add.ptr15.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %conv16.i = zext i32 %sum.addr.0.lcssa.i122.i to i64
  br label %for.body.i131.i

for.body.i131.i:                                  ; preds = %for.body.i131.i, %store.exit.i
  %indvars.iv.i132.i = phi i64 [ 0, %store.exit.i ], [ %indvars.iv.next.i136.i, %for.body.i131.i ]
  %36 = shl nsw i64 %indvars.iv.i132.i, 3
  %shr.i133.i = lshr i64 %conv16.i, %36
  %conv.i134.i = trunc i64 %shr.i133.i to i8
  %arrayidx.i135.i = getelementptr inbounds nuw i8, ptr %add.ptr15.i, i64 %indvars.iv.i132.i
  store i8 %conv.i134.i, ptr %arrayidx.i135.i, align 1
  %indvars.iv.next.i136.i = add nuw nsw i64 %indvars.iv.i132.i, 1
  %exitcond.not.i137.i = icmp eq i64 %indvars.iv.next.i136.i, 4
  br i1 %exitcond.not.i137.i, label %store.exit138.i, label %for.body.i131.i

store.exit138.i:                                  ; preds = %for.body.i131.i
  %add10.i = add i64 %mul.i, %19
  %add.ptr17.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  br label %for.body.i139.i

for.body.i139.i:                                  ; preds = %for.body.i139.i, %store.exit138.i
  %indvars.iv.i140.i = phi i64 [ 0, %store.exit138.i ], [ %indvars.iv.next.i144.i, %for.body.i139.i ]
  %37 = shl nsw i64 %indvars.iv.i140.i, 3
  %shr.i141.i = lshr i64 %add10.i, %37
  %conv.i142.i = trunc i64 %shr.i141.i to i8
  %arrayidx.i143.i = getelementptr inbounds nuw i8, ptr %add.ptr17.i, i64 %indvars.iv.i140.i
  store i8 %conv.i142.i, ptr %arrayidx.i143.i, align 1
  %indvars.iv.next.i144.i = add nuw nsw i64 %indvars.iv.i140.i, 1
  %exitcond.not.i145.i = icmp eq i64 %indvars.iv.next.i144.i, 4
  br i1 %exitcond.not.i145.i, label %store.exit146.i, label %for.body.i139.i

store.exit146.i:                                  ; preds = %for.body.i139.i
  %add.ptr18.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  br label %for.body.i147.i

for.body.i147.i:                                  ; preds = %for.body.i147.i, %store.exit146.i
  %indvars.iv.i148.i = phi i64 [ 0, %store.exit146.i ], [ %indvars.iv.next.i152.i, %for.body.i147.i ]
  %38 = shl nsw i64 %indvars.iv.i148.i, 3
  %shr.i149.i = lshr i64 %add10.i, %38
  %conv.i150.i = trunc i64 %shr.i149.i to i8
  %arrayidx.i151.i = getelementptr inbounds nuw i8, ptr %add.ptr18.i, i64 %indvars.iv.i148.i
  store i8 %conv.i150.i, ptr %arrayidx.i151.i, align 1
  %indvars.iv.next.i152.i = add nuw nsw i64 %indvars.iv.i148.i, 1
  %exitcond.not.i153.i = icmp eq i64 %indvars.iv.next.i152.i, 4
  br i1 %exitcond.not.i153.i, label %store.exit154.i, label %for.body.i147.i

store.exit154.i:                                  ; preds = %for.body.i147.i
  %add.i = add i64 %call8.i, 4
  %add.ptr19.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 28
  br label %for.body.i155.i

for.body.i155.i:                                  ; preds = %for.body.i155.i, %store.exit154.i
  %indvars.iv.i156.i = phi i64 [ 0, %store.exit154.i ], [ %indvars.iv.next.i160.i, %for.body.i155.i ]
  %39 = shl nsw i64 %indvars.iv.i156.i, 3
  %shr.i157.i = lshr i64 %add.i, %39
  %conv.i158.i = trunc i64 %shr.i157.i to i8
  %arrayidx.i159.i = getelementptr inbounds nuw i8, ptr %add.ptr19.i, i64 %indvars.iv.i156.i
  store i8 %conv.i158.i, ptr %arrayidx.i159.i, align 1
  %indvars.iv.next.i160.i = add nuw nsw i64 %indvars.iv.i156.i, 1
  %exitcond.not.i161.i = icmp eq i64 %indvars.iv.next.i160.i, 2
  br i1 %exitcond.not.i161.i, label %store.exit162.i, label %for.body.i155.i

store.exit162.i:                                  ; preds = %for.body.i155.i
  %add.ptr20.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 42
  %at.i = getelementptr inbounds nuw i8, ptr %cond, i64 48
  %40 = load i64, ptr %at.i, align 8
  br label %for.body.i163.i

for.body.i163.i:                                  ; preds = %for.body.i163.i, %store.exit162.i
  %indvars.iv.i164.i = phi i64 [ 0, %store.exit162.i ], [ %indvars.iv.next.i168.i, %for.body.i163.i ]
  %41 = shl nsw i64 %indvars.iv.i164.i, 3
  %shr.i165.i = lshr i64 %40, %41
  %conv.i166.i = trunc i64 %shr.i165.i to i8
  %arrayidx.i167.i = getelementptr inbounds nuw i8, ptr %add.ptr20.i, i64 %indvars.iv.i164.i
  store i8 %conv.i166.i, ptr %arrayidx.i167.i, align 1
  %indvars.iv.next.i168.i = add nuw nsw i64 %indvars.iv.i164.i, 1
  %exitcond.not.i169.i = icmp eq i64 %indvars.iv.next.i168.i, 4
  br i1 %exitcond.not.i169.i, label %store.exit170.i, label %for.body.i163.i

store.exit170.i:                                  ; preds = %for.body.i163.i
  call void @llvm.lifetime.start.p0(ptr nonnull %local.i) #15
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(30) %local.i, ptr noundef nonnull align 1 dereferenceable(30) @__const.put_array.local, i64 30, i1 false)
  %add.ptr23.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 6
  %call24.i = call ptr @memcpy(ptr noundef nonnull %add.ptr22.i, ptr noundef nonnull %add.ptr23.i, i64 noundef 26) #12
  %add25.i = add i64 %add10.i, 34
  %add26.i = add i64 %add25.i, %call8.i
  %size27.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  store i64 %add26.i, ptr %size27.i, align 8
  %42 = load i64, ptr %at.i, align 8
  %add30.i = add i64 %42, %add26.i
  %cmp31.i = icmp ugt i64 %add30.i, 4294967295
  br i1 %cmp31.i, label %cleanup.i, label %while.cond.i.i

while.cond.i.i:                                   ; preds = %store.exit170.i, %while.body.i172.i
  %count.addr.0.i.i = phi i64 [ %sub.i175.i, %while.body.i172.i ], [ 30, %store.exit170.i ]
  %at.0.i.i = phi ptr [ %add.ptr.i174.i, %while.body.i172.i ], [ %local.i, %store.exit170.i ]
  %cmp.not.i171.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i171.i, label %lor.lhs.false35.i, label %while.body.i172.i

while.body.i172.i:                                ; preds = %while.cond.i.i
  %call.i173.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #12
  %cmp1.i.i = icmp sgt i64 %call.i173.i, 0
  %add.ptr.i174.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i173.i
  %sub.i175.i = sub i64 %count.addr.0.i.i, %call.i173.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %cleanup.i

lor.lhs.false35.i:                                ; preds = %while.cond.i.i
  %43 = load ptr, ptr %arrayidx28, align 8
  br label %while.cond.i176.i

while.cond.i176.i:                                ; preds = %while.body.i180.i, %lor.lhs.false35.i
  %count.addr.0.i177.i = phi i64 [ %call8.i, %lor.lhs.false35.i ], [ %sub.i184.i, %while.body.i180.i ]
  %at.0.i178.i = phi ptr [ %43, %lor.lhs.false35.i ], [ %add.ptr.i183.i, %while.body.i180.i ]
  %cmp.not.i179.i = icmp eq i64 %count.addr.0.i177.i, 0
  br i1 %cmp.not.i179.i, label %while.cond.i186.i, label %while.body.i180.i

while.body.i180.i:                                ; preds = %while.cond.i176.i
  %call.i181.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i178.i, i64 noundef %count.addr.0.i177.i) #12
  %cmp1.i182.i = icmp sgt i64 %call.i181.i, 0
  %add.ptr.i183.i = getelementptr inbounds nuw i8, ptr %at.0.i178.i, i64 %call.i181.i
  %sub.i184.i = sub i64 %count.addr.0.i177.i, %call.i181.i
  br i1 %cmp1.i182.i, label %while.cond.i176.i, label %cleanup.i

while.cond.i186.i:                                ; preds = %while.cond.i176.i, %while.body.i190.i
  %count.addr.0.i187.i = phi i64 [ %sub.i194.i, %while.body.i190.i ], [ 4, %while.cond.i176.i ]
  %at.0.i188.i = phi ptr [ %add.ptr.i193.i, %while.body.i190.i ], [ @.str.39, %while.cond.i176.i ]
  %cmp.not.i189.i = icmp eq i64 %count.addr.0.i187.i, 0
  br i1 %cmp.not.i189.i, label %if.end.i, label %while.body.i190.i

while.body.i190.i:                                ; preds = %while.cond.i186.i
  %call.i191.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i188.i, i64 noundef %count.addr.0.i187.i) #12
  %cmp1.i192.i = icmp sgt i64 %call.i191.i, 0
  %add.ptr.i193.i = getelementptr inbounds nuw i8, ptr %at.0.i188.i, i64 %call.i191.i
  %sub.i194.i = sub i64 %count.addr.0.i187.i, %call.i191.i
  br i1 %cmp1.i192.i, label %while.cond.i186.i, label %cleanup.i

if.end.i:                                         ; preds = %while.cond.i186.i
  call void @llvm.lifetime.end.p0(ptr nonnull %local.i) #15
  br label %while.cond.i196.i.preheader

cleanup.i:                                        ; preds = %store.exit170.i, %while.body.i172.i, %while.body.i180.i, %while.body.i190.i
  call void @llvm.lifetime.end.p0(ptr nonnull %local.i) #15
  br label %for.cond.cleanup.thread

while.cond.i196.i:                                ; preds = %while.cond.i196.i.preheader, %while.body.i200.i
  %count.addr.0.i197.i = phi i64 [ %sub.i204.i, %while.body.i200.i ], [ %19, %while.cond.i196.i.preheader ]
  %at.0.i198.i = phi ptr [ %add.ptr.i203.i, %while.body.i200.i ], [ %header.i, %while.cond.i196.i.preheader ]
  %cmp.not.i199.i = icmp eq i64 %count.addr.0.i197.i, 0
  br i1 %cmp.not.i199.i, label %land.rhs.i, label %while.body.i200.i

while.body.i200.i:                                ; preds = %while.cond.i196.i
  %call.i201.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i198.i, i64 noundef %count.addr.0.i197.i) #12
  %cmp1.i202.i = icmp sgt i64 %call.i201.i, 0
  %add.ptr.i203.i = getelementptr inbounds nuw i8, ptr %at.0.i198.i, i64 %call.i201.i
  %sub.i204.i = sub i64 %count.addr.0.i197.i, %call.i201.i
  br i1 %cmp1.i202.i, label %while.cond.i196.i, label %for.cond.cleanup.thread

land.rhs.i:                                       ; preds = %while.cond.i196.i
  %44 = load ptr, ptr %arrayidx30, align 8
  br label %while.cond.i206.i

while.cond.i206.i:                                ; preds = %while.body.i210.i, %land.rhs.i
  %count.addr.0.i207.i = phi i64 [ %mul.i, %land.rhs.i ], [ %sub.i214.i, %while.body.i210.i ]
  %at.0.i208.i = phi ptr [ %44, %land.rhs.i ], [ %add.ptr.i213.i, %while.body.i210.i ]
  %cmp.not.i209.i = icmp eq i64 %count.addr.0.i207.i, 0
  br i1 %cmp.not.i209.i, label %put_array.exit, label %while.body.i210.i

while.body.i210.i:                                ; preds = %while.cond.i206.i
  %call.i211.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i208.i, i64 noundef %count.addr.0.i207.i) #12
  %cmp1.i212.i = icmp sgt i64 %call.i211.i, 0
  %add.ptr.i213.i = getelementptr inbounds nuw i8, ptr %at.0.i208.i, i64 %call.i211.i
  %sub.i214.i = sub i64 %count.addr.0.i207.i, %call.i211.i
  br i1 %cmp1.i212.i, label %while.cond.i206.i, label %for.cond.cleanup.thread

for.cond.cleanup.thread:                          ; preds = %while.body.i200.i, %while.body.i210.i, %cleanup.i
  call void @llvm.lifetime.end.p0(ptr nonnull %header.i) #15
  br label %land.end37

put_array.exit:                                   ; preds = %while.cond.i206.i
  call void @llvm.lifetime.end.p0(ptr nonnull %header.i) #15
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp12 = icmp samesign ult i64 %indvars.iv.next, %1
  br i1 %cmp12, label %for.body, label %for.cond.cleanup

lor.rhs:                                          ; preds = %for.cond.cleanup
  call void @llvm.lifetime.start.p0(ptr nonnull %end.i) #15
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(22) %end.i, ptr noundef nonnull align 1 dereferenceable(22) @__const.put_directory.end, i64 22, i1 false)
  %cmp.not111.not.i = icmp eq i32 %count, 0
  br i1 %cmp.not111.not.i, label %for.end.i, label %for.body.i

for.body.i:                                       ; preds = %lor.rhs, %for.inc.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.inc.i ], [ 0, %lor.rhs ]
  %bytes.0112.i = phi i64 [ %add11.i, %for.inc.i ], [ 0, %lor.rhs ]
  %45 = load ptr, ptr @model.2, align 8
  %46 = load i32, ptr @model.4, align 8
  %47 = trunc nuw nsw i64 %indvars.iv.i to i32
  %add.i75 = add nsw i32 %46, %47
  %idxprom.i = sext i32 %add.i75 to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr %45, i64 %idxprom.i
  %48 = load ptr, ptr %arrayidx.i, align 8
  %arrayidx3.i = getelementptr inbounds nuw %struct.member, ptr %vla, i64 %indvars.iv.i
  br label %while.cond.i.i76

while.cond.i.i76:                                 ; preds = %while.body.i.i80, %for.body.i
  %count.addr.0.i.i77 = phi i64 [ 46, %for.body.i ], [ %sub.i.i84, %while.body.i.i80 ]
  %at.0.i.i78 = phi ptr [ %arrayidx3.i, %for.body.i ], [ %add.ptr.i.i83, %while.body.i.i80 ]
  %cmp.not.i.i79 = icmp eq i64 %count.addr.0.i.i77, 0
  br i1 %cmp.not.i.i79, label %lor.lhs.false.i, label %while.body.i.i80

while.body.i.i80:                                 ; preds = %while.cond.i.i76
  %call.i.i81 = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i.i78, i64 noundef %count.addr.0.i.i77) #12
  %cmp1.i.i82 = icmp sgt i64 %call.i.i81, 0
  %add.ptr.i.i83 = getelementptr inbounds nuw i8, ptr %at.0.i.i78, i64 %call.i.i81
  %sub.i.i84 = sub i64 %count.addr.0.i.i77, %call.i.i81
  br i1 %cmp1.i.i82, label %while.cond.i.i76, label %put_directory.exit

lor.lhs.false.i:                                  ; preds = %while.cond.i.i76
  %call4.i = call i64 @strlen(ptr noundef %48) #14
  br label %while.cond.i49.i

while.cond.i49.i:                                 ; preds = %while.body.i53.i, %lor.lhs.false.i
  %count.addr.0.i50.i = phi i64 [ %call4.i, %lor.lhs.false.i ], [ %sub.i57.i, %while.body.i53.i ]
  %at.0.i51.i = phi ptr [ %48, %lor.lhs.false.i ], [ %add.ptr.i56.i, %while.body.i53.i ]
  %cmp.not.i52.i = icmp eq i64 %count.addr.0.i50.i, 0
  br i1 %cmp.not.i52.i, label %while.cond.i59.i, label %while.body.i53.i

while.body.i53.i:                                 ; preds = %while.cond.i49.i
  %call.i54.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i51.i, i64 noundef %count.addr.0.i50.i) #12
  %cmp1.i55.i = icmp sgt i64 %call.i54.i, 0
  %add.ptr.i56.i = getelementptr inbounds nuw i8, ptr %at.0.i51.i, i64 %call.i54.i
  %sub.i57.i = sub i64 %count.addr.0.i50.i, %call.i54.i
  br i1 %cmp1.i55.i, label %while.cond.i49.i, label %put_directory.exit

while.cond.i59.i:                                 ; preds = %while.cond.i49.i, %while.body.i63.i
  %count.addr.0.i60.i = phi i64 [ %sub.i67.i, %while.body.i63.i ], [ 4, %while.cond.i49.i ]
  %at.0.i61.i = phi ptr [ %add.ptr.i66.i, %while.body.i63.i ], [ @.str.39, %while.cond.i49.i ]
  %cmp.not.i62.i = icmp eq i64 %count.addr.0.i60.i, 0
  br i1 %cmp.not.i62.i, label %for.inc.i, label %while.body.i63.i

while.body.i63.i:                                 ; preds = %while.cond.i59.i
  %call.i64.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i61.i, i64 noundef %count.addr.0.i60.i) #12
  %cmp1.i65.i = icmp sgt i64 %call.i64.i, 0
  %add.ptr.i66.i = getelementptr inbounds nuw i8, ptr %at.0.i61.i, i64 %call.i64.i
  %sub.i67.i = sub i64 %count.addr.0.i60.i, %call.i64.i
  br i1 %cmp1.i65.i, label %while.cond.i59.i, label %put_directory.exit

for.inc.i:                                        ; preds = %while.cond.i59.i
  %call8.i85 = call i64 @strlen(ptr noundef %48) #14
  %add10.i86 = add i64 %bytes.0112.i, 50
  %add11.i = add i64 %add10.i86, %call8.i85
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %1
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.end.i:                                        ; preds = %for.inc.i, %lor.rhs
  %bytes.0.lcssa.i = phi i64 [ 0, %lor.rhs ], [ %add11.i, %for.inc.i ]
  %add.ptr.i87 = getelementptr inbounds nuw i8, ptr %end.i, i64 8
  br label %for.body.i.i88

for.body.i.i88:                                   ; preds = %for.body.i.i88, %for.end.i
  %indvars.iv.i.i89 = phi i64 [ 0, %for.end.i ], [ %indvars.iv.next.i.i93, %for.body.i.i88 ]
  %49 = shl nsw i64 %indvars.iv.i.i89, 3
  %shr.i.i90 = lshr i64 %1, %49
  %conv.i.i91 = trunc i64 %shr.i.i90 to i8
  %arrayidx.i.i92 = getelementptr inbounds nuw i8, ptr %add.ptr.i87, i64 %indvars.iv.i.i89
  store i8 %conv.i.i91, ptr %arrayidx.i.i92, align 1
  %indvars.iv.next.i.i93 = add nuw nsw i64 %indvars.iv.i.i89, 1
  %exitcond.not.i.i94 = icmp eq i64 %indvars.iv.next.i.i93, 2
  br i1 %exitcond.not.i.i94, label %store.exit.i95, label %for.body.i.i88

store.exit.i95:                                   ; preds = %for.body.i.i88
  %add.ptr16.i = getelementptr inbounds nuw i8, ptr %end.i, i64 10
  br label %for.body.i69.i

for.body.i69.i:                                   ; preds = %for.body.i69.i, %store.exit.i95
  %indvars.iv.i70.i = phi i64 [ 0, %store.exit.i95 ], [ %indvars.iv.next.i74.i, %for.body.i69.i ]
  %50 = shl nsw i64 %indvars.iv.i70.i, 3
  %shr.i71.i = lshr i64 %1, %50
  %conv.i72.i = trunc i64 %shr.i71.i to i8
  %arrayidx.i73.i = getelementptr inbounds nuw i8, ptr %add.ptr16.i, i64 %indvars.iv.i70.i
  store i8 %conv.i72.i, ptr %arrayidx.i73.i, align 1
  %indvars.iv.next.i74.i = add nuw nsw i64 %indvars.iv.i70.i, 1
  %exitcond.not.i75.i = icmp eq i64 %indvars.iv.next.i74.i, 2
  br i1 %exitcond.not.i75.i, label %store.exit76.i, label %for.body.i69.i

store.exit76.i:                                   ; preds = %for.body.i69.i
  %add.ptr19.i96 = getelementptr inbounds nuw i8, ptr %end.i, i64 12
  br label %for.body.i77.i

for.body.i77.i:                                   ; preds = %for.body.i77.i, %store.exit76.i
  %indvars.iv.i78.i = phi i64 [ 0, %store.exit76.i ], [ %indvars.iv.next.i82.i, %for.body.i77.i ]
  %51 = shl nsw i64 %indvars.iv.i78.i, 3
  %shr.i79.i = lshr i64 %bytes.0.lcssa.i, %51
  %conv.i80.i = trunc i64 %shr.i79.i to i8
  %arrayidx.i81.i = getelementptr inbounds nuw i8, ptr %add.ptr19.i96, i64 %indvars.iv.i78.i
  store i8 %conv.i80.i, ptr %arrayidx.i81.i, align 1
  %indvars.iv.next.i82.i = add nuw nsw i64 %indvars.iv.i78.i, 1
  %exitcond.not.i83.i = icmp eq i64 %indvars.iv.next.i82.i, 4
  br i1 %exitcond.not.i83.i, label %store.exit84.i, label %for.body.i77.i

store.exit84.i:                                   ; preds = %for.body.i77.i
  %add.ptr21.i = getelementptr inbounds nuw i8, ptr %end.i, i64 16
  %52 = getelementptr %struct.member, ptr %vla, i64 %1
  %at.i97 = getelementptr i8, ptr %52, i64 -16
  %53 = load i64, ptr %at.i97, align 8
  %size.i = getelementptr i8, ptr %52, i64 -8
  %54 = load i64, ptr %size.i, align 8
  %add27.i = add i64 %54, %53
  br label %for.body.i85.i

for.body.i85.i:                                   ; preds = %for.body.i85.i, %store.exit84.i
  %indvars.iv.i86.i = phi i64 [ 0, %store.exit84.i ], [ %indvars.iv.next.i90.i, %for.body.i85.i ]
  %55 = shl nsw i64 %indvars.iv.i86.i, 3
  %shr.i87.i = lshr i64 %add27.i, %55
  %conv.i88.i = trunc i64 %shr.i87.i to i8
  %arrayidx.i89.i = getelementptr inbounds nuw i8, ptr %add.ptr21.i, i64 %indvars.iv.i86.i
  store i8 %conv.i88.i, ptr %arrayidx.i89.i, align 1
  %indvars.iv.next.i90.i = add nuw nsw i64 %indvars.iv.i86.i, 1
  %exitcond.not.i91.i = icmp eq i64 %indvars.iv.next.i90.i, 4
  br i1 %exitcond.not.i91.i, label %while.cond.i93.i, label %for.body.i85.i

while.cond.i93.i:                                 ; preds = %for.body.i85.i, %while.body.i97.i
  %count.addr.0.i94.i = phi i64 [ %sub.i101.i, %while.body.i97.i ], [ 22, %for.body.i85.i ]
  %at.0.i95.i = phi ptr [ %add.ptr.i100.i, %while.body.i97.i ], [ %end.i, %for.body.i85.i ]
  %cmp.not.i96.i = icmp eq i64 %count.addr.0.i94.i, 0
  br i1 %cmp.not.i96.i, label %put_directory.exit, label %while.body.i97.i

while.body.i97.i:                                 ; preds = %while.cond.i93.i
  %call.i98.i = call i64 @write(i32 noundef %call6, ptr noundef %at.0.i95.i, i64 noundef %count.addr.0.i94.i) #12
  %cmp1.i99.i = icmp sgt i64 %call.i98.i, 0
  %add.ptr.i100.i = getelementptr inbounds nuw i8, ptr %at.0.i95.i, i64 %call.i98.i
  %sub.i101.i = sub i64 %count.addr.0.i94.i, %call.i98.i
  br i1 %cmp1.i99.i, label %while.cond.i93.i, label %put_directory.exit

put_directory.exit:                               ; preds = %while.body.i.i80, %while.body.i53.i, %while.body.i63.i, %while.cond.i93.i, %while.body.i97.i
  %retval.3.i = phi i1 [ false, %while.body.i53.i ], [ %cmp.not.i96.i, %while.cond.i93.i ], [ false, %while.body.i63.i ], [ %cmp.not.i96.i, %while.body.i97.i ], [ false, %while.body.i.i80 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %end.i) #15
  br label %land.end37

land.end37:                                       ; preds = %for.cond.cleanup.thread, %for.cond.cleanup, %put_directory.exit
  %56 = phi i1 [ %is_done.0.in.lcssa, %for.cond.cleanup ], [ %retval.3.i, %put_directory.exit ], [ false, %for.cond.cleanup.thread ]
  br i1 %cmp8, label %if.then40, label %if.end42

if.then40:                                        ; preds = %land.end37
  %call41 = call i32 @close(i32 noundef %call6) #12
  br label %if.end42

if.end42:                                         ; preds = %if.then40, %land.end37
  br i1 %56, label %cond.end47, label %cond.false45

cond.false45:                                     ; preds = %if.end42
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i98) #15
  %call.i99 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i98, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef nonnull %path, ptr noundef nonnull @.str.37) #12
  %call.i.i100 = call i64 @strlen(ptr noundef nonnull %text.i98) #14
  br label %while.cond.i.i.i101

while.cond.i.i.i101:                              ; preds = %while.body.i.i.i105, %cond.false45
  %count.addr.0.i.i.i102 = phi i64 [ %call.i.i100, %cond.false45 ], [ %sub.i.i.i109, %while.body.i.i.i105 ]
  %at.0.i.i.i103 = phi ptr [ %text.i98, %cond.false45 ], [ %add.ptr.i.i.i108, %while.body.i.i.i105 ]
  %cmp.not.i.i.i104 = icmp eq i64 %count.addr.0.i.i.i102, 0
  br i1 %cmp.not.i.i.i104, label %fail.exit110, label %while.body.i.i.i105

while.body.i.i.i105:                              ; preds = %while.cond.i.i.i101
  %call.i.i.i106 = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i103, i64 noundef %count.addr.0.i.i.i102) #12
  %cmp1.i.i.i107 = icmp sgt i64 %call.i.i.i106, 0
  %add.ptr.i.i.i108 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i103, i64 %call.i.i.i106
  %sub.i.i.i109 = sub i64 %count.addr.0.i.i.i102, %call.i.i.i106
  br i1 %cmp1.i.i.i107, label %while.cond.i.i.i101, label %fail.exit110

fail.exit110:                                     ; preds = %while.cond.i.i.i101, %while.body.i.i.i105
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i98) #15
  br label %cond.end47

cond.end47:                                       ; preds = %if.end42, %fail.exit110
  %cond48 = phi i32 [ 1, %fail.exit110 ], [ 0, %if.end42 ]
  call void @llvm.stackrestore.p0(ptr %2)
  br label %cleanup

cleanup:                                          ; preds = %cond.end47, %fail.exit
  %retval.0 = phi i32 [ 1, %fail.exit ], [ %cond48, %cond.end47 ]
  ret i32 %retval.0
}

declare void @llvm.stackrestore.p0(ptr) #1

declare i64 @write(i32 noundef, ptr noundef, i64 noundef) local_unnamed_addr #5

declare i64 @strcspn(ptr noundef, ptr noundef) local_unnamed_addr #4

declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #4

define internal fastcc range(i32 0, 2) i32 @read_array(ptr noundef %path, [2 x i64] %file.coerce, i32 noundef range(i32 0, -2147483648) %index, ptr noundef nonnull %argument) unnamed_addr #0 {
entry:
  %text.i263 = alloca [1024 x i8], align 1
  %text.i239 = alloca [1024 x i8], align 1
  %text.i172 = alloca [1024 x i8], align 1
  %text.i = alloca [1024 x i8], align 1
  %header = alloca [65536 x i8], align 1
  %text = alloca [1024 x i8], align 1
  %file.coerce.fca.0.extract = extractvalue [2 x i64] %file.coerce, 0
  %0 = inttoptr i64 %file.coerce.fca.0.extract to ptr
  %file.coerce.fca.1.extract = extractvalue [2 x i64] %file.coerce, 1
  %idxprom = zext nneg i32 %index to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %header) #15
  %cmp = icmp ugt i64 %file.coerce.fca.1.extract, 6
  br i1 %cmp, label %land.end, label %if.then

land.end:                                         ; preds = %entry
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %0, i64 6
  %1 = load i8, ptr %arrayidx1, align 1
  %cmp2 = icmp ugt i8 %1, 1
  %cmp5 = icmp ult i64 %file.coerce.fca.1.extract, 12
  br i1 %cmp5, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.end
  %call = tail call i32 @memcmp(ptr noundef nonnull %0, ptr noundef nonnull @.str.19, i64 noundef 6) #14
  %cmp8.not = icmp eq i32 %call, 0
  br i1 %cmp8.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry, %lor.lhs.false, %land.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #15
  %call.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %path, ptr noundef nonnull @.str.20) #12
  %call.i.i = call i64 @strlen(ptr noundef nonnull %text.i) #14
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then
  %count.addr.0.i.i.i = phi i64 [ %call.i.i, %if.then ], [ %sub.i.i.i, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then ], [ %add.ptr.i.i.i, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %fail.exit, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #12
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i, 0
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i
  %sub.i.i.i = sub i64 %count.addr.0.i.i.i, %call.i.i.i
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %fail.exit

fail.exit:                                        ; preds = %while.cond.i.i.i, %while.body.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #15
  br label %cleanup122

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds nuw i8, ptr %0, i64 8
  %2 = select i1 %cmp2, i64 4, i64 2
  br label %while.body.i

while.body.i:                                     ; preds = %while.body.i, %if.end
  %indvars.iv.i = phi i64 [ %2, %if.end ], [ %indvars.iv.next.i, %while.body.i ]
  %value.04.i = phi i32 [ 0, %if.end ], [ %or.i, %while.body.i ]
  %indvars.iv.next.i = add nsw i64 %indvars.iv.i, -1
  %shl.i = shl i32 %value.04.i, 8
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %indvars.iv.next.i
  %3 = load i8, ptr %arrayidx.i, align 1
  %conv.i = zext i8 %3 to i32
  %or.i = or disjoint i32 %shl.i, %conv.i
  %cmp.i = icmp samesign ugt i64 %indvars.iv.i, 1
  br i1 %cmp.i, label %while.body.i, label %number.exit

number.exit:                                      ; preds = %while.body.i
  %conv13 = zext i32 %or.i to i64
  %add = or disjoint i64 %2, 8
  %add15 = add nuw nsw i64 %add, %conv13
  %cmp16 = icmp ugt i32 %shl.i, 65535
  %cmp20 = icmp ugt i64 %add15, %file.coerce.fca.1.extract
  %or.cond169 = select i1 %cmp16, i1 true, i1 %cmp20
  br i1 %or.cond169, label %if.then22, label %if.end24

if.then22:                                        ; preds = %number.exit
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i172) #15
  %call.i173 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i172, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %path, ptr noundef nonnull @.str.21) #12
  %call.i.i174 = call i64 @strlen(ptr noundef nonnull %text.i172) #14
  br label %while.cond.i.i.i175

while.cond.i.i.i175:                              ; preds = %while.body.i.i.i179, %if.then22
  %count.addr.0.i.i.i176 = phi i64 [ %call.i.i174, %if.then22 ], [ %sub.i.i.i183, %while.body.i.i.i179 ]
  %at.0.i.i.i177 = phi ptr [ %text.i172, %if.then22 ], [ %add.ptr.i.i.i182, %while.body.i.i.i179 ]
  %cmp.not.i.i.i178 = icmp eq i64 %count.addr.0.i.i.i176, 0
  br i1 %cmp.not.i.i.i178, label %fail.exit184, label %while.body.i.i.i179

while.body.i.i.i179:                              ; preds = %while.cond.i.i.i175
  %call.i.i.i180 = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i177, i64 noundef %count.addr.0.i.i.i176) #12
  %cmp1.i.i.i181 = icmp sgt i64 %call.i.i.i180, 0
  %add.ptr.i.i.i182 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i177, i64 %call.i.i.i180
  %sub.i.i.i183 = sub i64 %count.addr.0.i.i.i176, %call.i.i.i180
  br i1 %cmp1.i.i.i181, label %while.cond.i.i.i175, label %fail.exit184

fail.exit184:                                     ; preds = %while.cond.i.i.i175, %while.body.i.i.i179
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i172) #15
  br label %cleanup122

if.end24:                                         ; preds = %number.exit
  %add.ptr27 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %2
  %call28 = call ptr @memcpy(ptr noundef nonnull %header, ptr noundef nonnull %add.ptr27, i64 noundef %conv13) #12
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %header, i64 %conv13
  store i8 0, ptr %arrayidx29, align 1
  %call.i185 = call i64 @strlen(ptr noundef nonnull @.str.22) #14
  %call1.i = call i64 @strlen(ptr noundef nonnull readonly %header) #14
  %cmp.not31.i = icmp ugt i64 %call.i185, %call1.i
  br i1 %cmp.not31.i, label %value_of.exit, label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %inc12.i = add i64 %at.032.i, 1
  %add.i = add i64 %inc12.i, %call.i185
  %cmp.not.i = icmp ugt i64 %add.i, %call1.i
  br i1 %cmp.not.i, label %value_of.exit, label %for.body.i

for.body.i:                                       ; preds = %if.end24, %for.cond.i
  %at.032.i = phi i64 [ %inc12.i, %for.cond.i ], [ 0, %if.end24 ]
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %header, i64 %at.032.i
  %call2.i = call i32 @memcmp(ptr noundef nonnull readonly %add.ptr.i, ptr noundef nonnull @.str.22, i64 noundef %call.i185) #14
  %cmp3.i = icmp eq i32 %call2.i, 0
  br i1 %cmp3.i, label %while.cond.preheader.i, label %for.cond.i

while.cond.preheader.i:                           ; preds = %for.body.i
  %add33.i = add i64 %at.032.i, %call.i185
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.body.i187, %while.cond.preheader.i
  %at.1.i = phi i64 [ %inc.i, %while.body.i187 ], [ %add33.i, %while.cond.preheader.i ]
  %arrayidx.i186 = getelementptr inbounds nuw i8, ptr %header, i64 %at.1.i
  %4 = load i8, ptr %arrayidx.i186, align 1
  switch i8 %4, label %value_of.exit.loopexit [
    i8 32, label %while.body.i187
    i8 58, label %while.body.i187
  ]

while.body.i187:                                  ; preds = %while.cond.i, %while.cond.i
  %inc.i = add i64 %at.1.i, 1
  br label %while.cond.i

value_of.exit.loopexit:                           ; preds = %while.cond.i
  %arrayidx.i186.le = getelementptr inbounds nuw i8, ptr %header, i64 %at.1.i
  br label %value_of.exit

value_of.exit:                                    ; preds = %for.cond.i, %value_of.exit.loopexit, %if.end24
  %spec.select.i = phi ptr [ %arrayidx.i186.le, %value_of.exit.loopexit ], [ null, %if.end24 ], [ null, %for.cond.i ]
  %call.i188 = call i64 @strlen(ptr noundef nonnull @.str.23) #14
  %cmp.not31.i190 = icmp ugt i64 %call.i188, %call1.i
  br i1 %cmp.not31.i190, label %value_of.exit210, label %for.body.i191

for.cond.i196:                                    ; preds = %for.body.i191
  %inc12.i197 = add i64 %at.032.i192, 1
  %add.i198 = add i64 %inc12.i197, %call.i188
  %cmp.not.i199 = icmp ugt i64 %add.i198, %call1.i
  br i1 %cmp.not.i199, label %value_of.exit210, label %for.body.i191

for.body.i191:                                    ; preds = %value_of.exit, %for.cond.i196
  %at.032.i192 = phi i64 [ %inc12.i197, %for.cond.i196 ], [ 0, %value_of.exit ]
  %add.ptr.i193 = getelementptr inbounds nuw i8, ptr %header, i64 %at.032.i192
  %call2.i194 = call i32 @memcmp(ptr noundef nonnull readonly %add.ptr.i193, ptr noundef nonnull @.str.23, i64 noundef %call.i188) #14
  %cmp3.i195 = icmp eq i32 %call2.i194, 0
  br i1 %cmp3.i195, label %while.cond.preheader.i201, label %for.cond.i196

while.cond.preheader.i201:                        ; preds = %for.body.i191
  %add33.i202 = add i64 %at.032.i192, %call.i188
  br label %while.cond.i203

while.cond.i203:                                  ; preds = %while.body.i206, %while.cond.preheader.i201
  %at.1.i204 = phi i64 [ %inc.i207, %while.body.i206 ], [ %add33.i202, %while.cond.preheader.i201 ]
  %arrayidx.i205 = getelementptr inbounds nuw i8, ptr %header, i64 %at.1.i204
  %5 = load i8, ptr %arrayidx.i205, align 1
  switch i8 %5, label %value_of.exit210.loopexit [
    i8 32, label %while.body.i206
    i8 58, label %while.body.i206
  ]

while.body.i206:                                  ; preds = %while.cond.i203, %while.cond.i203
  %inc.i207 = add i64 %at.1.i204, 1
  br label %while.cond.i203

value_of.exit210.loopexit:                        ; preds = %while.cond.i203
  %arrayidx.i205.le = getelementptr inbounds nuw i8, ptr %header, i64 %at.1.i204
  br label %value_of.exit210

value_of.exit210:                                 ; preds = %for.cond.i196, %value_of.exit210.loopexit, %value_of.exit
  %spec.select.i200 = phi ptr [ %arrayidx.i205.le, %value_of.exit210.loopexit ], [ null, %value_of.exit ], [ null, %for.cond.i196 ]
  %call.i211 = call i64 @strlen(ptr noundef nonnull @.str.24) #14
  %cmp.not31.i213 = icmp ugt i64 %call.i211, %call1.i
  br i1 %cmp.not31.i213, label %cond.end, label %for.body.i214

for.cond.i219:                                    ; preds = %for.body.i214
  %inc12.i220 = add i64 %at.032.i215, 1
  %add.i221 = add i64 %inc12.i220, %call.i211
  %cmp.not.i222 = icmp ugt i64 %add.i221, %call1.i
  br i1 %cmp.not.i222, label %cond.end, label %for.body.i214

for.body.i214:                                    ; preds = %value_of.exit210, %for.cond.i219
  %at.032.i215 = phi i64 [ %inc12.i220, %for.cond.i219 ], [ 0, %value_of.exit210 ]
  %add.ptr.i216 = getelementptr inbounds nuw i8, ptr %header, i64 %at.032.i215
  %call2.i217 = call i32 @memcmp(ptr noundef nonnull readonly %add.ptr.i216, ptr noundef nonnull @.str.24, i64 noundef %call.i211) #14
  %cmp3.i218 = icmp eq i32 %call2.i217, 0
  br i1 %cmp3.i218, label %while.cond.preheader.i224, label %for.cond.i219

while.cond.preheader.i224:                        ; preds = %for.body.i214
  %add33.i225 = add i64 %at.032.i215, %call.i211
  br label %while.cond.i226

while.cond.i226:                                  ; preds = %while.body.i229, %while.cond.preheader.i224
  %at.1.i227 = phi i64 [ %inc.i230, %while.body.i229 ], [ %add33.i225, %while.cond.preheader.i224 ]
  %arrayidx.i228 = getelementptr inbounds nuw i8, ptr %header, i64 %at.1.i227
  %6 = load i8, ptr %arrayidx.i228, align 1
  switch i8 %6, label %cond.false [
    i8 32, label %while.body.i229
    i8 58, label %while.body.i229
  ]

while.body.i229:                                  ; preds = %while.cond.i226, %while.cond.i226
  %inc.i230 = add i64 %at.1.i227, 1
  br label %while.cond.i226

cond.false:                                       ; preds = %while.cond.i226
  %arrayidx.i228.le = getelementptr inbounds nuw i8, ptr %header, i64 %at.1.i227
  %shape38 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  br label %for.cond.i234

for.cond.i234:                                    ; preds = %for.inc.i, %cond.false
  %7 = phi i8 [ %6, %cond.false ], [ %.pre, %for.inc.i ]
  %text.addr.0.i = phi ptr [ %arrayidx.i228.le, %cond.false ], [ %incdec.ptr30.i, %for.inc.i ]
  %rank.0.i = phi i32 [ 0, %cond.false ], [ %rank.2.i, %for.inc.i ]
  switch i8 %7, label %if.end.i [
    i8 41, label %cond.end.loopexit353
    i8 0, label %cond.end
  ]

if.end.i:                                         ; preds = %for.cond.i234
  %8 = add i8 %7, -58
  %or.cond.i = icmp ult i8 %8, -10
  br i1 %or.cond.i, label %for.inc.i, label %if.end12.i

if.end12.i:                                       ; preds = %if.end.i
  %cmp13.i = icmp eq i32 %rank.0.i, 32
  br i1 %cmp13.i, label %cond.end, label %while.cond.i235

while.cond.i235:                                  ; preds = %if.end12.i, %lor.lhs.false24.i
  %text.addr.1.i = phi ptr [ %incdec.ptr.i, %lor.lhs.false24.i ], [ %text.addr.0.i, %if.end12.i ]
  %size.0.i = phi i64 [ %18, %lor.lhs.false24.i ], [ 0, %if.end12.i ]
  %9 = load i8, ptr %text.addr.1.i, align 1
  %10 = add i8 %9, -48
  %or.cond44.i = icmp ult i8 %10, 10
  br i1 %or.cond44.i, label %while.body.i238, label %while.end.i

while.body.i238:                                  ; preds = %while.cond.i235
  %11 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %size.0.i, i64 10)
  %12 = extractvalue { i64, i1 } %11, 1
  br i1 %12, label %cond.end, label %lor.lhs.false24.i

lor.lhs.false24.i:                                ; preds = %while.body.i238
  %13 = extractvalue { i64, i1 } %11, 0
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %text.addr.1.i, i64 1
  %14 = and i8 %9, 15
  %15 = zext nneg i8 %14 to i64
  %16 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %13, i64 %15)
  %17 = extractvalue { i64, i1 } %16, 1
  %18 = extractvalue { i64, i1 } %16, 0
  br i1 %17, label %cond.end, label %while.cond.i235

while.end.i:                                      ; preds = %while.cond.i235
  %inc.i236 = add nsw i32 %rank.0.i, 1
  %idxprom.i = sext i32 %rank.0.i to i64
  %arrayidx.i237 = getelementptr inbounds i64, ptr %shape38, i64 %idxprom.i
  store i64 %size.0.i, ptr %arrayidx.i237, align 8
  %incdec.ptr29.i = getelementptr inbounds i8, ptr %text.addr.1.i, i64 -1
  br label %for.inc.i

for.inc.i:                                        ; preds = %while.end.i, %if.end.i
  %text.addr.4.i = phi ptr [ %text.addr.0.i, %if.end.i ], [ %incdec.ptr29.i, %while.end.i ]
  %rank.2.i = phi i32 [ %rank.0.i, %if.end.i ], [ %inc.i236, %while.end.i ]
  %incdec.ptr30.i = getelementptr inbounds nuw i8, ptr %text.addr.4.i, i64 1
  %.pre = load i8, ptr %incdec.ptr30.i, align 1
  br label %for.cond.i234

cond.end.loopexit353:                             ; preds = %for.cond.i234
  br label %cond.end

cond.end:                                         ; preds = %for.cond.i219, %lor.lhs.false24.i, %while.body.i238, %for.cond.i234, %if.end12.i, %cond.end.loopexit353, %value_of.exit210
  %cond41 = phi i32 [ %rank.0.i, %cond.end.loopexit353 ], [ -1, %lor.lhs.false24.i ], [ -1, %for.cond.i234 ], [ -1, %value_of.exit210 ], [ -1, %if.end12.i ], [ -1, %while.body.i238 ], [ -1, %for.cond.i219 ]
  %cmp42 = icmp eq ptr %spec.select.i, null
  br i1 %cmp42, label %if.then54, label %lor.lhs.false44

lor.lhs.false44:                                  ; preds = %cond.end
  %call45 = call i64 @strlen(ptr noundef nonnull %spec.select.i) #14
  %cmp46 = icmp ult i64 %call45, 4
  %cmp49 = icmp eq ptr %spec.select.i200, null
  %or.cond = or i1 %cmp49, %cmp46
  %cmp52 = icmp slt i32 %cond41, 0
  %or.cond125 = select i1 %or.cond, i1 true, i1 %cmp52
  br i1 %or.cond125, label %if.then54, label %if.end56

if.then54:                                        ; preds = %lor.lhs.false44, %cond.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i239) #15
  %call.i240 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i239, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %path, ptr noundef nonnull @.str.25) #12
  %call.i.i241 = call i64 @strlen(ptr noundef nonnull %text.i239) #14
  br label %while.cond.i.i.i242

while.cond.i.i.i242:                              ; preds = %while.body.i.i.i246, %if.then54
  %count.addr.0.i.i.i243 = phi i64 [ %call.i.i241, %if.then54 ], [ %sub.i.i.i250, %while.body.i.i.i246 ]
  %at.0.i.i.i244 = phi ptr [ %text.i239, %if.then54 ], [ %add.ptr.i.i.i249, %while.body.i.i.i246 ]
  %cmp.not.i.i.i245 = icmp eq i64 %count.addr.0.i.i.i243, 0
  br i1 %cmp.not.i.i.i245, label %fail.exit251, label %while.body.i.i.i246

while.body.i.i.i246:                              ; preds = %while.cond.i.i.i242
  %call.i.i.i247 = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i244, i64 noundef %count.addr.0.i.i.i243) #12
  %cmp1.i.i.i248 = icmp sgt i64 %call.i.i.i247, 0
  %add.ptr.i.i.i249 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i244, i64 %call.i.i.i247
  %sub.i.i.i250 = sub i64 %count.addr.0.i.i.i243, %call.i.i.i247
  br i1 %cmp1.i.i.i248, label %while.cond.i.i.i242, label %fail.exit251

fail.exit251:                                     ; preds = %while.cond.i.i.i242, %while.body.i.i.i246
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i239) #15
  br label %cleanup122

if.end56:                                         ; preds = %lor.lhs.false44
  call void @llvm.lifetime.start.p0(ptr nonnull %text) #15
  %19 = load ptr, ptr %arrayidx, align 8
  %text58 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %20 = load ptr, ptr %text58, align 8
  %call60 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 1024, ptr noundef nonnull @.str.26, ptr noundef %19, ptr noundef %20, ptr noundef nonnull %header) #12
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %21 = load i32, ptr %dtype, align 4
  %and.i = and i32 %21, 255
  %cmp.i252 = icmp samesign ult i32 %and.i, 7
  br i1 %cmp.i252, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end56
  %conv.i261 = zext nneg i32 %and.i to i64
  %arrayidx.i262 = getelementptr inbounds nuw i8, ptr @is_dtype.kinds, i64 %conv.i261
  %22 = load i8, ptr %arrayidx.i262, align 1
  %23 = zext i8 %22 to i32
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %if.end56
  %cond.i = phi i32 [ %23, %cond.true.i ], [ 32, %if.end56 ]
  %arrayidx4.i = getelementptr inbounds nuw i8, ptr %spec.select.i, i64 1
  %24 = load i8, ptr %arrayidx4.i, align 1
  switch i8 %24, label %cleanup.i.split [
    i8 60, label %cond.end.i.split
    i8 124, label %cond.end.i.split
  ]

cond.end.i.split:                                 ; preds = %cond.end.i, %cond.end.i
  %add.ptr.i253 = getelementptr inbounds nuw i8, ptr %spec.select.i, i64 3
  %25 = load i8, ptr %add.ptr.i253, align 1
  %26 = add i8 %25, -58
  %or.cond56.i314 = icmp ult i8 %26, -10
  br i1 %or.cond56.i314, label %cleanup.i.split, label %if.end.i257

if.end.i257:                                      ; preds = %cond.end.i.split, %if.end.i257
  %27 = phi i8 [ %29, %if.end.i257 ], [ %25, %cond.end.i.split ]
  %size.0.i255316 = phi i64 [ %add.i259, %if.end.i257 ], [ 0, %cond.end.i.split ]
  %digit.0.i315 = phi ptr [ %incdec.ptr.i258, %if.end.i257 ], [ %add.ptr.i253, %cond.end.i.split ]
  %mul.i = mul nsw i64 %size.0.i255316, 10
  %incdec.ptr.i258 = getelementptr inbounds nuw i8, ptr %digit.0.i315, i64 1
  %28 = and i8 %27, 15
  %conv19.i = zext nneg i8 %28 to i64
  %add.i259 = add nsw i64 %mul.i, %conv19.i
  %29 = load i8, ptr %incdec.ptr.i258, align 1
  %30 = add i8 %29, -58
  %or.cond56.i = icmp ult i8 %30, -10
  br i1 %or.cond56.i, label %cleanup.i.split, label %if.end.i257

cleanup.i.split:                                  ; preds = %if.end.i257, %cond.end.i.split, %cond.end.i
  %size.0.lcssa.i.split = phi i64 [ 0, %cond.end.i ], [ 0, %cond.end.i.split ], [ %add.i259, %if.end.i257 ]
  %arrayidx28.i = getelementptr inbounds nuw i8, ptr %spec.select.i, i64 2
  %31 = load i8, ptr %arrayidx28.i, align 1
  %conv29.i = zext i8 %31 to i32
  %cmp31.i = icmp eq i32 %cond.i, %conv29.i
  br i1 %cmp31.i, label %is_dtype.exit, label %lor.lhs.false33.i

lor.lhs.false33.i:                                ; preds = %cleanup.i.split
  %cmp21.i = icmp eq i32 %cond.i, 32
  %32 = and i32 %21, 63488
  %cmp25.i = icmp eq i32 %32, 0
  %33 = or i1 %cmp25.i, %cmp21.i
  %cmp36.i = icmp eq i8 %31, 86
  %or.cond.i260 = select i1 %cmp36.i, i1 %33, i1 false
  br i1 %or.cond.i260, label %is_dtype.exit, label %if.then69

is_dtype.exit:                                    ; preds = %cleanup.i.split, %lor.lhs.false33.i
  %shr.i.i = lshr i32 %21, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %cmp39.i = icmp eq i64 %size.0.lcssa.i.split, %conv.i.i
  br i1 %cmp39.i, label %lor.lhs.false62, label %if.then69

lor.lhs.false62:                                  ; preds = %is_dtype.exit
  %rank63 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %34 = load i32, ptr %rank63, align 8
  %cmp64 = icmp slt i32 %34, 0
  %cmp67.not = icmp eq i32 %cond41, %34
  %or.cond170 = select i1 %cmp64, i1 true, i1 %cmp67.not
  br i1 %or.cond170, label %if.end72, label %if.then69

if.then69:                                        ; preds = %lor.lhs.false33.i, %lor.lhs.false62, %is_dtype.exit
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i263) #15
  %call.i264 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i263, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %path, ptr noundef nonnull %text) #12
  %call.i.i265 = call i64 @strlen(ptr noundef nonnull %text.i263) #14
  br label %while.cond.i.i.i266

while.cond.i.i.i266:                              ; preds = %while.body.i.i.i270, %if.then69
  %count.addr.0.i.i.i267 = phi i64 [ %call.i.i265, %if.then69 ], [ %sub.i.i.i274, %while.body.i.i.i270 ]
  %at.0.i.i.i268 = phi ptr [ %text.i263, %if.then69 ], [ %add.ptr.i.i.i273, %while.body.i.i.i270 ]
  %cmp.not.i.i.i269 = icmp eq i64 %count.addr.0.i.i.i267, 0
  br i1 %cmp.not.i.i.i269, label %fail.exit275, label %while.body.i.i.i270

while.body.i.i.i270:                              ; preds = %while.cond.i.i.i266
  %call.i.i.i271 = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i268, i64 noundef %count.addr.0.i.i.i267) #12
  %cmp1.i.i.i272 = icmp sgt i64 %call.i.i.i271, 0
  %add.ptr.i.i.i273 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i268, i64 %call.i.i.i271
  %sub.i.i.i274 = sub i64 %count.addr.0.i.i.i267, %call.i.i.i271
  br i1 %cmp1.i.i.i272, label %while.cond.i.i.i266, label %fail.exit275

fail.exit275:                                     ; preds = %while.cond.i.i.i266, %while.body.i.i.i270
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i263) #15
  br label %cleanup115

if.end72:                                         ; preds = %lor.lhs.false62
  %cmp73 = icmp samesign ugt i32 %cond41, 1
  br i1 %cmp73, label %land.lhs.true75, label %if.end79

land.lhs.true75:                                  ; preds = %if.end72
  %call76 = call fastcc i1 @starts_with(ptr noundef %spec.select.i200) #13
  br i1 %call76, label %if.end79.thread, label %if.then77

if.end79.thread:                                  ; preds = %land.lhs.true75
  %shape81290 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  br label %for.body.preheader.i

if.then77:                                        ; preds = %land.lhs.true75
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.28) #13
  br label %cleanup115

if.end79:                                         ; preds = %if.end72
  %shape81 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  %cmp.not5.i = icmp eq i32 %cond41, 1
  br i1 %cmp.not5.i, label %for.body.preheader.i, label %lor.lhs.false86

for.body.preheader.i:                             ; preds = %if.end79.thread, %if.end79
  %shape81293 = phi ptr [ %shape81290, %if.end79.thread ], [ %shape81, %if.end79 ]
  %wide.trip.count.i = zext nneg i32 %cond41 to i64
  %35 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  br label %for.body.i278

for.body.i278:                                    ; preds = %for.inc.i281, %for.body.preheader.i
  %indvars.iv.i279 = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i282, %for.inc.i281 ]
  %count.06.i = phi i64 [ 1, %for.body.preheader.i ], [ %39, %for.inc.i281 ]
  %arrayidx.i280 = getelementptr inbounds nuw i64, ptr %35, i64 %indvars.iv.i279
  %36 = load i64, ptr %arrayidx.i280, align 8
  %37 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i, i64 %36)
  %38 = extractvalue { i64, i1 } %37, 1
  br i1 %38, label %if.then94, label %for.inc.i281

for.inc.i281:                                     ; preds = %for.body.i278
  %39 = extractvalue { i64, i1 } %37, 0
  %indvars.iv.next.i282 = add nuw nsw i64 %indvars.iv.i279, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i282, %wide.trip.count.i
  br i1 %exitcond.not.i, label %product.exit, label %for.body.i278

product.exit:                                     ; preds = %for.inc.i281
  %cmp84 = icmp slt i64 %39, 0
  br i1 %cmp84, label %if.then94, label %lor.lhs.false86

lor.lhs.false86:                                  ; preds = %if.end79, %product.exit
  %spec.select.i277302 = phi i64 [ %39, %product.exit ], [ 1, %if.end79 ]
  %shape81292301 = phi ptr [ %shape81293, %product.exit ], [ %shape81, %if.end79 ]
  %40 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %spec.select.i277302, i64 %size.0.lcssa.i.split)
  %41 = extractvalue { i64, i1 } %40, 1
  %42 = extractvalue { i64, i1 } %40, 0
  %sub = sub i64 %file.coerce.fca.1.extract, %add15
  %cmp92 = icmp ugt i64 %42, %sub
  %or.cond171 = select i1 %41, i1 true, i1 %cmp92
  br i1 %or.cond171, label %if.then94, label %if.end96

if.then94:                                        ; preds = %for.body.i278, %lor.lhs.false86, %product.exit
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.29) #13
  br label %cleanup115

if.end96:                                         ; preds = %lor.lhs.false86
  %add97 = add i64 %42, 64
  %call98 = call noalias align 64 ptr @aligned_alloc(i64 noundef 64, i64 noundef %add97) #12
  %cmp99 = icmp eq ptr %call98, null
  br i1 %cmp99, label %if.then101, label %if.end103

if.then101:                                       ; preds = %if.end96
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.30) #13
  br label %cleanup115

if.end103:                                        ; preds = %if.end96
  %add.ptr105 = getelementptr inbounds nuw i8, ptr %0, i64 %add15
  %call106 = call ptr @memcpy(ptr noundef nonnull %call98, ptr noundef nonnull %add.ptr105, i64 noundef %42) #12
  store ptr %call98, ptr %argument, align 8
  %.compoundliteral.sroa.2.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 8
  store i32 1, ptr %.compoundliteral.sroa.2.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0.tensor.sroa_idx, align 4
  %.compoundliteral.sroa.4.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 16
  store i32 %cond41, ptr %.compoundliteral.sroa.4.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 20
  store i32 %21, ptr %.compoundliteral.sroa.5.0.tensor.sroa_idx, align 4
  %.compoundliteral.sroa.6.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 24
  store ptr %shape81292301, ptr %.compoundliteral.sroa.6.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.7.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.8.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0.tensor.sroa_idx, align 8
  br label %cleanup115

cleanup115:                                       ; preds = %if.then94, %if.end103, %if.then101, %if.then77, %fail.exit275
  %retval.2 = phi i32 [ 1, %fail.exit275 ], [ 1, %if.then77 ], [ 1, %if.then94 ], [ 1, %if.then101 ], [ 0, %if.end103 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %text) #15
  br label %cleanup122

cleanup122:                                       ; preds = %fail.exit184, %cleanup115, %fail.exit251, %fail.exit
  %retval.5 = phi i32 [ 1, %fail.exit ], [ 1, %fail.exit184 ], [ 1, %fail.exit251 ], [ %retval.2, %cleanup115 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %header) #15
  ret i32 %retval.5
}

declare i32 @open(ptr noundef, i32 noundef, ...) local_unnamed_addr #5

declare i64 @lseek(i32 noundef, i64 noundef, i32 noundef) local_unnamed_addr #3

declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef, i32 noundef, i32 noundef, i64 noundef) local_unnamed_addr #3

declare i32 @close(i32 noundef) local_unnamed_addr #5

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #3

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #3

define internal fastcc i1 @starts_with(ptr noundef nonnull readonly %text) unnamed_addr #6 {
entry:
  %call = tail call i64 @strlen(ptr noundef nonnull @.str.27) #14
  %call1 = tail call i32 @memcmp(ptr noundef nonnull %text, ptr noundef nonnull @.str.27, i64 noundef %call) #14
  %cmp = icmp eq i32 %call1, 0
  ret i1 %cmp
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #7

declare noalias ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #3

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #8

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #7

declare extern_weak i32 @__tw_choose(ptr noundef, i32 noundef, ptr noundef) #5

define internal fastcc void @report() unnamed_addr #0 {
entry:
  %call.i = tail call i64 @strlen(ptr noundef nonnull @.str.32) #14
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %entry
  %count.addr.0.i.i = phi i64 [ %call.i, %entry ], [ %sub.i.i, %while.body.i.i ]
  %at.0.i.i = phi ptr [ @.str.32, %entry ], [ %add.ptr.i.i, %while.body.i.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %print.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i.i = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #12
  %cmp1.i.i = icmp sgt i64 %call.i.i, 0
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i.i
  %sub.i.i = sub i64 %count.addr.0.i.i, %call.i.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %print.exit

print.exit:                                       ; preds = %while.cond.i.i, %while.body.i.i
  %call.i3 = tail call i64 @strlen(ptr noundef nonnull @__tw_last_error) #14
  br label %while.cond.i.i4

while.cond.i.i4:                                  ; preds = %while.body.i.i8, %print.exit
  %count.addr.0.i.i5 = phi i64 [ %call.i3, %print.exit ], [ %sub.i.i12, %while.body.i.i8 ]
  %at.0.i.i6 = phi ptr [ @__tw_last_error, %print.exit ], [ %add.ptr.i.i11, %while.body.i.i8 ]
  %cmp.not.i.i7 = icmp eq i64 %count.addr.0.i.i5, 0
  br i1 %cmp.not.i.i7, label %print.exit13, label %while.body.i.i8

while.body.i.i8:                                  ; preds = %while.cond.i.i4
  %call.i.i9 = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i6, i64 noundef %count.addr.0.i.i5) #12
  %cmp1.i.i10 = icmp sgt i64 %call.i.i9, 0
  %add.ptr.i.i11 = getelementptr inbounds nuw i8, ptr %at.0.i.i6, i64 %call.i.i9
  %sub.i.i12 = sub i64 %count.addr.0.i.i5, %call.i.i9
  br i1 %cmp1.i.i10, label %while.cond.i.i4, label %print.exit13

print.exit13:                                     ; preds = %while.cond.i.i4, %while.body.i.i8
  %call.i14 = tail call i64 @strlen(ptr noundef nonnull @.str.33) #14
  br label %while.cond.i.i15

while.cond.i.i15:                                 ; preds = %while.body.i.i19, %print.exit13
  %count.addr.0.i.i16 = phi i64 [ %call.i14, %print.exit13 ], [ %sub.i.i23, %while.body.i.i19 ]
  %at.0.i.i17 = phi ptr [ @.str.33, %print.exit13 ], [ %add.ptr.i.i22, %while.body.i.i19 ]
  %cmp.not.i.i18 = icmp eq i64 %count.addr.0.i.i16, 0
  br i1 %cmp.not.i.i18, label %print.exit24, label %while.body.i.i19

while.body.i.i19:                                 ; preds = %while.cond.i.i15
  %call.i.i20 = tail call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i17, i64 noundef %count.addr.0.i.i16) #12
  %cmp1.i.i21 = icmp sgt i64 %call.i.i20, 0
  %add.ptr.i.i22 = getelementptr inbounds nuw i8, ptr %at.0.i.i17, i64 %call.i.i20
  %sub.i.i23 = sub i64 %count.addr.0.i.i16, %call.i.i20
  br i1 %cmp1.i.i21, label %while.cond.i.i15, label %print.exit24

print.exit24:                                     ; preds = %while.cond.i.i15, %while.body.i.i19
  ret void
}

declare extern_weak i32 @__tw_is_bound(i32 noundef) local_unnamed_addr #5

declare i32 @__tvm_ffi_main(ptr noundef, ptr noundef, i32 noundef, ptr noundef) #5

declare i32 @__tw_output_shapes(ptr noundef, ptr noundef, i32 noundef, ptr noundef) #5

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #9

declare i64 @syscall(i64 noundef, ...) local_unnamed_addr #3

declare i64 @llvm.ctpop.i64(i64) #7

declare i32 @__tw_pool_run(ptr noundef, ptr noundef, i64 noundef, i32 noundef) #5

define internal fastcc range(i32 0, 2) i32 @make_outputs(ptr noundef nonnull %arguments) unnamed_addr #0 {
entry:
  %text.i = alloca [1024 x i8], align 1
  %total = alloca i64, align 8
  %made = alloca %struct.tw_tensor, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %total) #15
  store i64 0, ptr %total, align 8
  %0 = load i32, ptr @model.4, align 8
  %1 = load i32, ptr @model.5, align 4
  %cmp110 = icmp slt i32 %0, %1
  br i1 %cmp110, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %2 = load ptr, ptr @model.2, align 8
  %3 = sext i32 %0 to i64
  %wide.trip.count = sext i32 %1 to i64
  br label %for.body

for.cond.cleanup.loopexit:                        ; preds = %for.body
  %4 = add nsw i64 %add, 1
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  %add1 = phi i64 [ %4, %for.cond.cleanup.loopexit ], [ 1, %entry ]
  %5 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %add1, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %made) #15
  store ptr %vla, ptr %made, align 8
  %device_type = getelementptr inbounds nuw i8, ptr %made, i64 8
  store i32 1, ptr %device_type, align 8
  %device_id = getelementptr inbounds nuw i8, ptr %made, i64 12
  store i32 0, ptr %device_id, align 4
  %rank2 = getelementptr inbounds nuw i8, ptr %made, i64 16
  store i32 1, ptr %rank2, align 8
  %dtype = getelementptr inbounds nuw i8, ptr %made, i64 20
  store i32 81920, ptr %dtype, align 4
  %shape = getelementptr inbounds nuw i8, ptr %made, i64 24
  store ptr %total, ptr %shape, align 8
  %strides = getelementptr inbounds nuw i8, ptr %made, i64 32
  store ptr null, ptr %strides, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %made, i64 40
  store i64 0, ptr %byte_offset, align 8
  %6 = load ptr, ptr @model.1, align 8
  %call = call fastcc i32 @call(ptr noundef %6, ptr noundef %arguments, i32 noundef %0, ptr noundef nonnull %made) #13
  %cmp3.not = icmp eq i32 %call, 0
  br i1 %cmp3.not, label %if.end, label %cleanup65

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ %3, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %add109111 = phi i64 [ 0, %for.body.lr.ph ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %2, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %7 = load i32, ptr %rank, align 8
  %conv = sext i32 %7 to i64
  %add = add nsw i64 %add109111, %conv
  store i64 %add, ptr %total, align 8
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body

if.end:                                           ; preds = %for.cond.cleanup
  %8 = load i32, ptr @model.4, align 8
  %9 = load i32, ptr @model.5, align 4
  %cmp7.not117 = icmp slt i32 %8, %9
  br i1 %cmp7.not117, label %for.body10.preheader, label %cleanup65

for.body10.preheader:                             ; preds = %if.end
  %10 = sext i32 %8 to i64
  br label %for.body10

for.body10:                                       ; preds = %for.body10.preheader, %cleanup.thread
  %indvars.iv132 = phi i64 [ %10, %for.body10.preheader ], [ %indvars.iv.next133, %cleanup.thread ]
  %size.0119 = phi ptr [ %vla, %for.body10.preheader ], [ %size.1.lcssa143, %cleanup.thread ]
  %11 = load ptr, ptr @model.2, align 8
  %arrayidx12 = getelementptr inbounds %struct.tw_spec, ptr %11, i64 %indvars.iv132
  %arrayidx14 = getelementptr inbounds %struct.argument, ptr %arguments, i64 %indvars.iv132
  %rank16 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 40
  %12 = load i32, ptr %rank16, align 8
  %cmp17113 = icmp sgt i32 %12, 0
  %shape21 = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 48
  br i1 %cmp17113, label %for.body20, label %land.rhs

for.cond.cleanup19:                               ; preds = %for.body20
  %shape27 = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 48
  %cmp.not5.i = icmp sgt i32 %18, 0
  br i1 %cmp.not5.i, label %for.body.preheader.i, label %land.rhs

for.body.preheader.i:                             ; preds = %for.cond.cleanup19
  %wide.trip.count.i = zext nneg i32 %18 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %count.06.i = phi i64 [ 1, %for.body.preheader.i ], [ %16, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %shape27, i64 %indvars.iv.i
  %13 = load i64, ptr %arrayidx.i, align 8
  %14 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i, i64 %13)
  %15 = extractvalue { i64, i1 } %14, 1
  br i1 %15, label %if.then40, label %for.inc.i

for.inc.i:                                        ; preds = %for.body.i
  %16 = extractvalue { i64, i1 } %14, 0
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %product.exit, label %for.body.i

product.exit:                                     ; preds = %for.inc.i
  %cmp30 = icmp sgt i64 %16, -1
  br i1 %cmp30, label %land.rhs, label %if.then40

for.body20:                                       ; preds = %for.body10, %for.body20
  %indvars.iv129 = phi i64 [ %indvars.iv.next130, %for.body20 ], [ 0, %for.body10 ]
  %size.1115 = phi ptr [ %incdec.ptr, %for.body20 ], [ %size.0119, %for.body10 ]
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %size.1115, i64 8
  %17 = load i64, ptr %size.1115, align 8
  %arrayidx23 = getelementptr inbounds nuw i64, ptr %shape21, i64 %indvars.iv129
  store i64 %17, ptr %arrayidx23, align 8
  %indvars.iv.next130 = add nuw nsw i64 %indvars.iv129, 1
  %18 = load i32, ptr %rank16, align 8
  %19 = sext i32 %18 to i64
  %cmp17 = icmp slt i64 %indvars.iv.next130, %19
  br i1 %cmp17, label %for.body20, label %for.cond.cleanup19

land.rhs:                                         ; preds = %for.body10, %for.cond.cleanup19, %product.exit
  %shape27144 = phi ptr [ %shape27, %product.exit ], [ %shape27, %for.cond.cleanup19 ], [ %shape21, %for.body10 ]
  %size.1.lcssa143 = phi ptr [ %incdec.ptr, %product.exit ], [ %incdec.ptr, %for.cond.cleanup19 ], [ %size.0119, %for.body10 ]
  %spec.select.i92 = phi i64 [ %16, %product.exit ], [ 1, %for.cond.cleanup19 ], [ 1, %for.body10 ]
  %dtype32 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 44
  %20 = load i32, ptr %dtype32, align 4
  %shr.i = lshr i32 %20, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %21 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %spec.select.i92, i64 %conv.i)
  %22 = extractvalue { i64, i1 } %21, 1
  br i1 %22, label %if.then40, label %cond.end

cond.end:                                         ; preds = %land.rhs
  %23 = extractvalue { i64, i1 } %21, 0
  %24 = add i64 %23, 64
  %call37 = call noalias align 64 ptr @aligned_alloc(i64 noundef 64, i64 noundef %24) #12
  %cmp38.not = icmp eq ptr %call37, null
  br i1 %cmp38.not, label %if.then40, label %cleanup.thread

if.then40:                                        ; preds = %product.exit, %land.rhs, %cond.end, %for.body.i
  %25 = load ptr, ptr %arrayidx12, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #15
  %call.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.31, ptr noundef %25, ptr noundef nonnull @.str.34) #12
  %call.i.i = call i64 @strlen(ptr noundef nonnull %text.i) #14
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then40
  %count.addr.0.i.i.i = phi i64 [ %call.i.i, %if.then40 ], [ %sub.i.i.i, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then40 ], [ %add.ptr.i.i.i, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %cleanup, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i = call i64 @write(i32 noundef 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #12
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i, 0
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i
  %sub.i.i.i = sub i64 %count.addr.0.i.i.i, %call.i.i.i
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %cleanup

cleanup.thread:                                   ; preds = %cond.end
  %26 = load i32, ptr %rank16, align 8
  %27 = load i32, ptr %dtype32, align 4
  store ptr %call37, ptr %arrayidx14, align 8
  %.compoundliteral.sroa.2.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 8
  store i32 1, ptr %.compoundliteral.sroa.2.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0.tensor.sroa_idx, align 4
  %.compoundliteral.sroa.4.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 16
  store i32 %26, ptr %.compoundliteral.sroa.4.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 20
  store i32 %27, ptr %.compoundliteral.sroa.5.0.tensor.sroa_idx, align 4
  %.compoundliteral.sroa.6.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 24
  store ptr %shape27144, ptr %.compoundliteral.sroa.6.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.7.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.8.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0.tensor.sroa_idx, align 8
  %indvars.iv.next133 = add nsw i64 %indvars.iv132, 1
  %28 = load i32, ptr @model.5, align 4
  %29 = sext i32 %28 to i64
  %cmp7.not = icmp slt i64 %indvars.iv.next133, %29
  br i1 %cmp7.not, label %for.body10, label %cleanup65

cleanup:                                          ; preds = %while.body.i.i.i, %while.cond.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #15
  br label %cleanup65

cleanup65:                                        ; preds = %cleanup.thread, %cleanup, %if.end, %for.cond.cleanup
  %retval.3 = phi i32 [ 1, %for.cond.cleanup ], [ 1, %cleanup ], [ 0, %if.end ], [ 0, %cleanup.thread ]
  call void @llvm.lifetime.end.p0(ptr nonnull %made) #15
  call void @llvm.stackrestore.p0(ptr %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %total) #15
  ret i32 %retval.3
}

define internal fastcc range(i32 0, 2) i32 @call(ptr noundef readonly captures(none) %function, ptr noundef nonnull %arguments, i32 noundef %count, ptr noundef %last) unnamed_addr #0 {
entry:
  %result = alloca %struct.tw_value, align 8
  %add = add i32 %count, 1
  %0 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #15
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %cmp.not26 = icmp slt i32 %count, 0
  br i1 %cmp.not26, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %1 = zext nneg i32 %count to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %cmp7 = icmp eq ptr %last, null
  %cond12 = select i1 %cmp7, i32 %count, i32 %add
  %call = call i32 %function(ptr noundef null, ptr noundef nonnull %vla, i32 noundef %cond12, ptr noundef nonnull %result) #12
  %cmp13 = icmp eq i32 %call, 0
  br i1 %cmp13, label %cleanup, label %if.end

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds nuw %struct.tw_value, ptr %vla, i64 %indvars.iv
  store i32 7, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store i32 0, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 4
  %.compoundliteral.sroa.3.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %cmp1 = icmp samesign ult i64 %indvars.iv, %1
  %arrayidx3 = getelementptr inbounds nuw %struct.argument, ptr %arguments, i64 %indvars.iv
  %cond = select i1 %cmp1, ptr %arrayidx3, ptr %last
  store ptr %cond, ptr %.compoundliteral.sroa.3.0.arrayidx.sroa_idx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end:                                           ; preds = %for.cond.cleanup
  call fastcc void @report() #13
  br label %cleanup

cleanup:                                          ; preds = %for.cond.cleanup, %if.end
  %retval.0 = phi i32 [ 1, %if.end ], [ 0, %for.cond.cleanup ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #15
  ret i32 %retval.0
}

define internal fastcc void @write_float(ptr noundef nonnull %text, double noundef %value) unnamed_addr #0 {
entry:
  %rest = alloca [16 x i8], align 1
  %cmp = fcmp uno double %value, 0.000000e+00
  %sub = fsub double %value, %value
  %cmp1 = fcmp une double %sub, 0.000000e+00
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %cmp3 = fcmp ogt double %value, 0.000000e+00
  %cond = select i1 %cmp3, ptr @.str.56, ptr @.str.57
  %cond4 = select i1 %cmp, ptr @.str.55, ptr %cond
  %call = tail call ptr @strcpy(ptr noundef nonnull %text, ptr noundef nonnull %cond4) #12
  br label %return

if.end:                                           ; preds = %entry
  %cmp5 = fcmp olt double %value, 0.000000e+00
  %fneg = fneg double %value
  %cond9 = select i1 %cmp5, double %fneg, double %value
  %cmp1066 = fcmp ult double %cond9, 1.000000e+01
  br i1 %cmp1066, label %while.cond11.preheader, label %while.body

while.cond11.preheader:                           ; preds = %while.body, %if.end
  %size.0.lcssa = phi double [ %cond9, %if.end ], [ %div, %while.body ]
  %power.0.lcssa = phi i32 [ 0, %if.end ], [ %inc, %while.body ]
  %cmp1270 = fcmp ogt double %size.0.lcssa, 0.000000e+00
  %cmp1371 = fcmp olt double %size.0.lcssa, 1.000000e+00
  %0 = and i1 %cmp1270, %cmp1371
  br i1 %0, label %while.body14, label %while.end15

while.body:                                       ; preds = %if.end, %while.body
  %power.068 = phi i32 [ %inc, %while.body ], [ 0, %if.end ]
  %size.067 = phi double [ %div, %while.body ], [ %cond9, %if.end ]
  %div = fdiv double %size.067, 1.000000e+01
  %inc = add nuw nsw i32 %power.068, 1
  %cmp10 = fcmp ult double %div, 1.000000e+01
  br i1 %cmp10, label %while.cond11.preheader, label %while.body

while.body14:                                     ; preds = %while.cond11.preheader, %while.body14
  %power.173 = phi i32 [ %dec, %while.body14 ], [ %power.0.lcssa, %while.cond11.preheader ]
  %size.172 = phi double [ %mul, %while.body14 ], [ %size.0.lcssa, %while.cond11.preheader ]
  %mul = fmul double %size.172, 1.000000e+01
  %dec = add nsw i32 %power.173, -1
  %cmp12 = fcmp ogt double %mul, 0.000000e+00
  %cmp13 = fcmp olt double %mul, 1.000000e+00
  %1 = and i1 %cmp12, %cmp13
  br i1 %1, label %while.body14, label %while.end15

while.end15:                                      ; preds = %while.body14, %while.cond11.preheader
  %size.1.lcssa = phi double [ %size.0.lcssa, %while.cond11.preheader ], [ %mul, %while.body14 ]
  %power.1.lcssa = phi i32 [ %power.0.lcssa, %while.cond11.preheader ], [ %dec, %while.body14 ]
  %2 = tail call double @llvm.fmuladd.f64(double %size.1.lcssa, double 1.000000e+06, double 5.000000e-01)
  %conv = fptosi double %2 to i64
  %cmp17 = icmp eq i64 %conv, 10000000
  %inc20 = zext i1 %cmp17 to i32
  %spec.select = add nsw i32 %power.1.lcssa, %inc20
  %spec.select65 = select i1 %cmp17, i64 1000000, i64 %conv
  call void @llvm.lifetime.start.p0(ptr nonnull %rest) #15
  %spec.select65.frozen = freeze i64 %spec.select65
  %div27 = sdiv i64 %spec.select65.frozen, 1000000
  %3 = mul i64 %div27, 1000000
  %rem.decomposed = sub i64 %spec.select65.frozen, %3
  %4 = trunc nsw i64 %rem.decomposed to i32
  %conv22 = add nsw i32 %4, 1000000
  %call23 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %rest, i64 noundef 16, ptr noundef nonnull @.str.58, i32 noundef %conv22) #12
  %cond26 = select i1 %cmp5, ptr @.str.60, ptr @.str.61
  %conv28 = trunc i64 %div27 to i32
  %add.ptr = getelementptr inbounds nuw i8, ptr %rest, i64 1
  %cmp30 = icmp slt i32 %spec.select, 0
  %cond32 = select i1 %cmp30, ptr @.str.60, ptr @.str.62
  %cond39 = call i32 @llvm.abs.i32(i32 %spec.select, i1 true)
  %call40 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 64, ptr noundef nonnull @.str.59, ptr noundef nonnull %cond26, i32 noundef %conv28, ptr noundef nonnull %add.ptr, ptr noundef nonnull %cond32, i32 noundef %cond39) #12
  call void @llvm.lifetime.end.p0(ptr nonnull %rest) #15
  br label %return

return:                                           ; preds = %while.end15, %if.then
  ret void
}

declare ptr @strcpy(ptr noundef, ptr noundef) local_unnamed_addr #3

declare double @llvm.fmuladd.f64(double, double, double) #7

declare i32 @llvm.smax.i32(i32, i32) #10

declare i64 @llvm.umin.i64(i64, i64) #10

declare i32 @llvm.abs.i32(i32, i1 immarg) #11

declare i64 @llvm.smax.i64(i64, i64) #10

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind "no-builtins" }
attributes #4 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #5 = { "no-builtins" }
attributes #6 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #7 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #9 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #10 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #11 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #12 = { nobuiltin nounwind "no-builtins" }
attributes #13 = { nobuiltin "no-builtins" }
attributes #14 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
attributes #15 = { nounwind }
