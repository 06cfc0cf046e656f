; Generated from runtime/native/program.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.bytes = type { ptr, i64 }
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
@.str.31 = private unnamed_addr constant [3 x i8] c"<>\00", align 1
@tw_byte_order = external hidden local_unnamed_addr constant [0 x i8], align 1
@is_dtype.kinds = internal unnamed_addr constant [8 x i8] c"iuf  cb\00", align 1
@.str.32 = private unnamed_addr constant [4 x i8] c"<>|\00", align 1
@.str.33 = private unnamed_addr constant [23 x i8] c"error: %.300s: %.600s\0A\00", align 1
@tw_uses_tiles = external hidden local_unnamed_addr constant [0 x i32], align 4
@.str.34 = private unnamed_addr constant [213 x i8] c"the kernel refuses the tile registers (AMX) that the code needs; expected arch_prctl(ARCH_REQ_XCOMP_PERM, 18) of Linux 5.16 or newer, on such a processor; else compile the model for a target with -mattr=-amx-tile\00", align 1
@.str.35 = private unnamed_addr constant [8 x i8] c"error: \00", align 1
@__tw_last_error = external global [1024 x i8], align 1
@.str.36 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@tw_entries = external hidden constant [0 x i32], align 4
@__tw_pool = external local_unnamed_addr global ptr, align 8
@__tw_default_threads = external local_unnamed_addr global i32, align 4
@.str.37 = private unnamed_addr constant [56 x i8] c"does not fit into memory, or would have a negative size\00", align 1
@.str.38 = private unnamed_addr constant [5 x i8] c".npz\00", align 1
@.str.39 = private unnamed_addr constant [67 x i8] c"holds one array: write several outputs to a file that ends in .npz\00", align 1
@.str.40 = private unnamed_addr constant [18 x i8] c"cannot be written\00", align 1
@.str.41 = private unnamed_addr constant [11 x i8] c"PK\01\02\14\00\14\00\00\08\00", align 1
@__const.put_array.local = private unnamed_addr constant [30 x i8] c"PK\03\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.42 = private unnamed_addr constant [5 x i8] c".npy\00", align 1
@write_header.kinds = internal unnamed_addr constant [19 x i8] c"iufVVcbVVVVVVVVVVV\00", align 1
@.str.43 = private unnamed_addr constant [2 x i8] c"(\00", align 1
@.str.44 = private unnamed_addr constant [6 x i8] c"%lld,\00", align 1
@.str.45 = private unnamed_addr constant [60 x i8] c"{'descr': '%s%s%d', 'fortran_order': False, 'shape': %s), }\00", align 1
@.str.46 = private unnamed_addr constant [2 x i8] c"|\00", align 1
@.str.47 = private unnamed_addr constant [2 x i8] c"<\00", align 1
@.str.48 = private unnamed_addr constant [2 x i8] c">\00", align 1
@.str.49 = private unnamed_addr constant [9 x i8] c"\93NUMPY\01\00\00", align 1
@__const.put_directory.end = private unnamed_addr constant [22 x i8] c"PK\05\06\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.50 = private unnamed_addr constant [5 x i8] c"%s: \00", align 1
@.str.51 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.52 = private unnamed_addr constant [8 x i8] c" x %lld\00", align 1
@.str.53 = private unnamed_addr constant [2 x i8] c" \00", align 1
@.str.54 = private unnamed_addr constant [5 x i8] c"...\0A\00", align 1
@.str.55 = private unnamed_addr constant [6 x i8] c"\0A...\0A\00", align 1
@.str.56 = private unnamed_addr constant [5 x i8] c"True\00", align 1
@.str.57 = private unnamed_addr constant [5 x i8] c"%llu\00", align 1
@.str.58 = private unnamed_addr constant [6 x i8] c"%#llx\00", align 1
@.str.59 = private unnamed_addr constant [4 x i8] c"nan\00", align 1
@.str.60 = private unnamed_addr constant [4 x i8] c"inf\00", align 1
@.str.61 = private unnamed_addr constant [5 x i8] c"-inf\00", align 1
@.str.62 = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.63 = private unnamed_addr constant [13 x i8] c"%s%d.%se%s%d\00", align 1
@.str.64 = private unnamed_addr constant [2 x i8] c"-\00", align 1
@.str.65 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.66 = private unnamed_addr constant [2 x i8] c"+\00", align 1

define hidden signext range(i32 0, 3) i32 @tw_program(i32 noundef signext %argc, ptr noundef readonly captures(none) %argv) local_unnamed_addr #0 {
entry:
  %wide.i.i = alloca double, align 8
  %wide22.i.i = alloca float, align 4
  %text.i57 = alloca [1024 x i8], align 1
  %text.i.i40 = alloca [1024 x i8], align 1
  %text.i = alloca [1024 x i8], align 1
  %text.i45.i = alloca [1024 x i8], align 1
  %text.i54.i.i.i = alloca [1024 x i8], align 1
  %text.i41.i.i.i = alloca [1024 x i8], align 1
  %text.i28.i.i.i = alloca [1024 x i8], align 1
  %text.i.i.i.i = alloca [1024 x i8], align 1
  %text.i55.i.i = alloca [1024 x i8], align 1
  %shown.i.i.i = alloca [128 x i8], align 1
  %member.i.i.i = alloca %struct.bytes, align 8
  %text.i42.i.i = alloca [1024 x i8], align 1
  %text.i29.i.i = alloca [1024 x i8], align 1
  %text.i.i.i = alloca [1024 x i8], align 1
  %text.i25.i = alloca [1024 x i8], align 1
  %text.i.i = alloca [1024 x i8], align 1
  %file.i = alloca %struct.bytes, align 8
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = zext i32 %add to i64
  %vla = alloca %struct.argument, i64 %1, align 8
  %2 = mul nuw nsw i64 %1, 304
  %call = call ptr @memset(ptr noundef nonnull %vla, i32 noundef signext 0, i64 noundef %2) #14
  %cmp = icmp slt i32 %argc, 2
  %3 = load i32, ptr @tw_inputs, align 4
  %cmp1 = icmp sgt i32 %3, 0
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %cmp3.not176 = icmp sgt i32 %argc, 1
  br i1 %cmp3.not176, label %for.body.lr.ph, label %for.cond41.preheader

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %wide.trip.count.i.i = zext nneg i32 %3 to i64
  %count11.i.i = getelementptr inbounds nuw i8, ptr %file.i, i64 8
  %4 = sext i32 %3 to i64
  %count62.i.i.i = getelementptr inbounds nuw i8, ptr %member.i.i.i, i64 8
  br label %for.body

if.then:                                          ; preds = %entry
  %5 = load ptr, ptr %argv, align 8
  call fastcc void @explain(ptr noundef %5) #15
  br label %cleanup122

for.cond41.preheader:                             ; preds = %for.inc, %for.cond.preheader
  %output.0.lcssa = phi ptr [ null, %for.cond.preheader ], [ %output.1, %for.inc ]
  br i1 %cmp1, label %for.body45.preheader, label %for.end59

for.body45.preheader:                             ; preds = %for.cond41.preheader
  %wide.trip.count = zext nneg i32 %3 to i64
  br label %for.body45

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %word.0178 = phi i32 [ 1, %for.body.lr.ph ], [ %inc40, %for.inc ]
  %output.0177 = phi ptr [ null, %for.body.lr.ph ], [ %output.1, %for.inc ]
  %idxprom = sext i32 %word.0178 to i64
  %arrayidx4 = getelementptr inbounds ptr, ptr %argv, i64 %idxprom
  %6 = load ptr, ptr %arrayidx4, align 8
  %7 = load i8, ptr %6, align 1
  %cmp6.not = icmp eq i8 %7, 45
  br i1 %cmp6.not, label %if.else, label %if.then8

if.then8:                                         ; preds = %for.body
  call void @llvm.lifetime.start.p0(ptr nonnull %file.i) #16
  %call.i = call i64 @strcspn(ptr noundef nonnull %6, ptr noundef nonnull @.str.6) #17
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
  %call.i.i = call i64 @strlen(ptr noundef %9) #17
  %cmp2.i.i = icmp eq i64 %call.i.i, %call.i
  br i1 %cmp2.i.i, label %land.lhs.true.i.i, label %for.inc.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i.i
  %call6.i.i = call signext i32 @memcmp(ptr noundef %9, ptr noundef nonnull readonly %6, i64 noundef %call.i) #17
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
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i) #16
  %call.i22.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %6, ptr noundef nonnull @.str.7) #14
  %call.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i.i) #17
  br label %while.cond.i.i.i.i

while.cond.i.i.i.i:                               ; preds = %while.body.i.i.i.i, %if.then.i
  %count.addr.0.i.i.i.i = phi i64 [ %call.i.i.i, %if.then.i ], [ %sub.i.i.i.i, %while.body.i.i.i.i ]
  %at.0.i.i.i.i = phi ptr [ %text.i.i, %if.then.i ], [ %add.ptr.i.i.i.i, %while.body.i.i.i.i ]
  %cmp.not.i.i.i.i = icmp eq i64 %count.addr.0.i.i.i.i, 0
  br i1 %cmp.not.i.i.i.i, label %fail.exit.i, label %while.body.i.i.i.i

while.body.i.i.i.i:                               ; preds = %while.cond.i.i.i.i
  %call.i.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i.i, i64 noundef %count.addr.0.i.i.i.i) #14
  %cmp1.i.i.i.i = icmp sgt i64 %call.i.i.i.i, 0
  %add.ptr.i.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i, i64 %call.i.i.i.i
  %sub.i.i.i.i = sub i64 %count.addr.0.i.i.i.i, %call.i.i.i.i
  br i1 %cmp1.i.i.i.i, label %while.cond.i.i.i.i, label %fail.exit.i

fail.exit.i:                                      ; preds = %while.body.i.i.i.i, %while.cond.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i) #16
  br label %read_word.exit.thread

if.end.i:                                         ; preds = %cond.end9.i, %if.then8
  %cond1063.i = phi i32 [ %10, %cond.end9.i ], [ 0, %if.then8 ]
  %call.i23.i = call signext i32 (ptr, i32, ...) @open(ptr noundef nonnull %cond.i, i32 noundef signext 524288) #14
  %cmp.i.i = icmp slt i32 %call.i23.i, 0
  br i1 %cmp.i.i, label %if.then15.i, label %cond.end.i.i

cond.end.i.i:                                     ; preds = %if.end.i
  %call1.i.i = call i64 @lseek(i32 noundef signext %call.i23.i, i64 noundef 0, i32 noundef signext 2) #14
  %cmp2.i24.i = icmp slt i64 %call1.i.i, 1
  br i1 %cmp2.i24.i, label %map_file.exit.i, label %cond.false4.i.i

cond.false4.i.i:                                  ; preds = %cond.end.i.i
  %call5.i.i = call ptr @mmap(ptr noundef null, i64 noundef %call1.i.i, i32 noundef signext 1, i32 noundef signext 2, i32 noundef signext %call.i23.i, i64 noundef 0) #14
  br label %map_file.exit.i

map_file.exit.i:                                  ; preds = %cond.false4.i.i, %cond.end.i.i
  %cond7.ph.i.i = phi ptr [ inttoptr (i64 -1 to ptr), %cond.end.i.i ], [ %call5.i.i, %cond.false4.i.i ]
  %call9.i.i = call signext i32 @close(i32 noundef signext %call.i23.i) #14
  store ptr %cond7.ph.i.i, ptr %file.i, align 8
  store i64 %call1.i.i, ptr %count11.i.i, align 8
  %cmp12.i.not.i = icmp eq ptr %cond7.ph.i.i, inttoptr (i64 -1 to ptr)
  br i1 %cmp12.i.not.i, label %if.then15.i, label %if.end17.i

if.then15.i:                                      ; preds = %map_file.exit.i, %if.end.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i25.i) #16
  %call.i26.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i25.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.8) #14
  %call.i.i27.i = call i64 @strlen(ptr noundef nonnull %text.i25.i) #17
  br label %while.cond.i.i.i28.i

while.cond.i.i.i28.i:                             ; preds = %while.body.i.i.i32.i, %if.then15.i
  %count.addr.0.i.i.i29.i = phi i64 [ %call.i.i27.i, %if.then15.i ], [ %sub.i.i.i36.i, %while.body.i.i.i32.i ]
  %at.0.i.i.i30.i = phi ptr [ %text.i25.i, %if.then15.i ], [ %add.ptr.i.i.i35.i, %while.body.i.i.i32.i ]
  %cmp.not.i.i.i31.i = icmp eq i64 %count.addr.0.i.i.i29.i, 0
  br i1 %cmp.not.i.i.i31.i, label %fail.exit37.i, label %while.body.i.i.i32.i

while.body.i.i.i32.i:                             ; preds = %while.cond.i.i.i28.i
  %call.i.i.i33.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i30.i, i64 noundef %count.addr.0.i.i.i29.i) #14
  %cmp1.i.i.i34.i = icmp sgt i64 %call.i.i.i33.i, 0
  %add.ptr.i.i.i35.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i30.i, i64 %call.i.i.i33.i
  %sub.i.i.i36.i = sub i64 %count.addr.0.i.i.i29.i, %call.i.i.i33.i
  br i1 %cmp1.i.i.i34.i, label %while.cond.i.i.i28.i, label %fail.exit37.i

fail.exit37.i:                                    ; preds = %while.body.i.i.i32.i, %while.cond.i.i.i28.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i25.i) #16
  br label %read_word.exit.thread

if.end17.i:                                       ; preds = %map_file.exit.i
  %cmp18.i = icmp ugt i64 %call1.i.i, 21
  br i1 %cmp18.i, label %land.lhs.true.i, label %if.end25.i

land.lhs.true.i:                                  ; preds = %if.end17.i
  %call20.i = call signext i32 @memcmp(ptr noundef %cond7.ph.i.i, ptr noundef nonnull @.str.9, i64 noundef 2) #17
  %cmp21.i = icmp eq i32 %call20.i, 0
  br i1 %cmp21.i, label %if.then23.i, label %if.end25.i

if.then23.i:                                      ; preds = %land.lhs.true.i
  %sub.i.i = add i64 %call1.i.i, -22
  %add.ptr84.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %sub.i.i
  %call85.i.i = call signext i32 @memcmp(ptr noundef %add.ptr84.i.i, ptr noundef nonnull @.str.11, i64 noundef 4) #17
  %cmp.not86.i.i = icmp eq i32 %call85.i.i, 0
  br i1 %cmp.not86.i.i, label %for.end.i.i, label %for.body.i38.i

for.body.i38.i:                                   ; preds = %if.then23.i, %for.inc.i39.i
  %end.087.i.i = phi i64 [ %dec.i.i, %for.inc.i39.i ], [ %sub.i.i, %if.then23.i ]
  %cmp1.i.i = icmp eq i64 %end.087.i.i, 0
  %sub3.i.i = sub i64 %call1.i.i, %end.087.i.i
  %cmp4.i.i = icmp samesign ugt i64 %sub3.i.i, 65536
  %or.cond.i.i = or i1 %cmp1.i.i, %cmp4.i.i
  br i1 %or.cond.i.i, label %if.then.i42.i, label %for.inc.i39.i

if.then.i42.i:                                    ; preds = %for.body.i38.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i.i) #16
  %call.i.i43.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.12) #14
  %call.i.i.i44.i = call i64 @strlen(ptr noundef nonnull %text.i.i.i) #17
  br label %while.cond.i.i.i.i.i

while.cond.i.i.i.i.i:                             ; preds = %while.body.i.i.i.i.i, %if.then.i42.i
  %count.addr.0.i.i.i.i.i = phi i64 [ %call.i.i.i44.i, %if.then.i42.i ], [ %sub.i.i.i.i.i, %while.body.i.i.i.i.i ]
  %at.0.i.i.i.i.i = phi ptr [ %text.i.i.i, %if.then.i42.i ], [ %add.ptr.i.i.i.i.i, %while.body.i.i.i.i.i ]
  %cmp.not.i.i.i.i.i = icmp eq i64 %count.addr.0.i.i.i.i.i, 0
  br i1 %cmp.not.i.i.i.i.i, label %fail.exit.i.i, label %while.body.i.i.i.i.i

while.body.i.i.i.i.i:                             ; preds = %while.cond.i.i.i.i.i
  %call.i.i.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i.i.i, i64 noundef %count.addr.0.i.i.i.i.i) #14
  %cmp1.i.i.i.i.i = icmp sgt i64 %call.i.i.i.i.i, 0
  %add.ptr.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i.i, i64 %call.i.i.i.i.i
  %sub.i.i.i.i.i = sub i64 %count.addr.0.i.i.i.i.i, %call.i.i.i.i.i
  br i1 %cmp1.i.i.i.i.i, label %while.cond.i.i.i.i.i, label %fail.exit.i.i

fail.exit.i.i:                                    ; preds = %while.body.i.i.i.i.i, %while.cond.i.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i.i) #16
  br label %read_word.exit.thread

for.inc.i39.i:                                    ; preds = %for.body.i38.i
  %dec.i.i = add i64 %end.087.i.i, -1
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %dec.i.i
  %call.i40.i = call signext i32 @memcmp(ptr noundef %add.ptr.i.i, ptr noundef nonnull @.str.11, i64 noundef 4) #17
  %cmp.not.i.i = icmp eq i32 %call.i40.i, 0
  br i1 %cmp.not.i.i, label %for.end.i.i, label %for.body.i38.i

for.end.i.i:                                      ; preds = %for.inc.i39.i, %if.then23.i
  %end.0.lcssa.i.i = phi i64 [ %sub.i.i, %if.then23.i ], [ %dec.i.i, %for.inc.i39.i ]
  %add.ptr.lcssa.i.i = phi ptr [ %add.ptr84.i.i, %if.then23.i ], [ %add.ptr.i.i, %for.inc.i39.i ]
  %add.ptr8.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.lcssa.i.i, i64 16
  %call9.i41.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr8.i.i, i32 noundef signext 4) #15
  %add.ptr12.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.lcssa.i.i, i64 10
  %call13.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr12.i.i, i32 noundef signext 2) #15
  %cmp15.not89.not.i.i = icmp eq i32 %call13.i.i, 0
  br i1 %cmp15.not89.not.i.i, label %read_word.exit.thread94, label %for.body17.lr.ph.i.i

for.body17.lr.ph.i.i:                             ; preds = %for.end.i.i
  %conv.i.i = zext i32 %call9.i41.i to i64
  br label %for.body17.i.i

for.cond14.i.i:                                   ; preds = %read_member.exit.i.i
  %dec54.i.i = add i32 %left.091.i.i, -1
  %cmp15.not.not.i.i = icmp eq i32 %dec54.i.i, 0
  br i1 %cmp15.not.not.i.i, label %read_word.exit.thread94, label %for.body17.i.i

for.body17.i.i:                                   ; preds = %for.cond14.i.i, %for.body17.lr.ph.i.i
  %left.091.i.i = phi i32 [ %call13.i.i, %for.body17.lr.ph.i.i ], [ %dec54.i.i, %for.cond14.i.i ]
  %at.090.i.i = phi i64 [ %conv.i.i, %for.body17.lr.ph.i.i ], [ %add41.i.i, %for.cond14.i.i ]
  %add.i.i = add i64 %at.090.i.i, 46
  %cmp18.i.i = icmp ugt i64 %add.i.i, %end.0.lcssa.i.i
  br i1 %cmp18.i.i, label %if.then26.i.i, label %lor.lhs.false20.i.i

lor.lhs.false20.i.i:                              ; preds = %for.body17.i.i
  %add.ptr22.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %at.090.i.i
  %call23.i.i = call signext i32 @memcmp(ptr noundef %add.ptr22.i.i, ptr noundef nonnull @.str.13, i64 noundef 4) #17
  %cmp24.not.i.i = icmp eq i32 %call23.i.i, 0
  br i1 %cmp24.not.i.i, label %if.end28.i.i, label %if.then26.i.i

if.then26.i.i:                                    ; preds = %lor.lhs.false20.i.i, %for.body17.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i29.i.i) #16
  %call.i30.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i29.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.14) #14
  %call.i.i31.i.i = call i64 @strlen(ptr noundef nonnull %text.i29.i.i) #17
  br label %while.cond.i.i.i32.i.i

while.cond.i.i.i32.i.i:                           ; preds = %while.body.i.i.i36.i.i, %if.then26.i.i
  %count.addr.0.i.i.i33.i.i = phi i64 [ %call.i.i31.i.i, %if.then26.i.i ], [ %sub.i.i.i40.i.i, %while.body.i.i.i36.i.i ]
  %at.0.i.i.i34.i.i = phi ptr [ %text.i29.i.i, %if.then26.i.i ], [ %add.ptr.i.i.i39.i.i, %while.body.i.i.i36.i.i ]
  %cmp.not.i.i.i35.i.i = icmp eq i64 %count.addr.0.i.i.i33.i.i, 0
  br i1 %cmp.not.i.i.i35.i.i, label %fail.exit41.i.i, label %while.body.i.i.i36.i.i

while.body.i.i.i36.i.i:                           ; preds = %while.cond.i.i.i32.i.i
  %call.i.i.i37.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i34.i.i, i64 noundef %count.addr.0.i.i.i33.i.i) #14
  %cmp1.i.i.i38.i.i = icmp sgt i64 %call.i.i.i37.i.i, 0
  %add.ptr.i.i.i39.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i34.i.i, i64 %call.i.i.i37.i.i
  %sub.i.i.i40.i.i = sub i64 %count.addr.0.i.i.i33.i.i, %call.i.i.i37.i.i
  br i1 %cmp1.i.i.i38.i.i, label %while.cond.i.i.i32.i.i, label %fail.exit41.i.i

fail.exit41.i.i:                                  ; preds = %while.body.i.i.i36.i.i, %while.cond.i.i.i32.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i29.i.i) #16
  br label %read_word.exit.thread

if.end28.i.i:                                     ; preds = %lor.lhs.false20.i.i
  %add.ptr31.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 28
  %call32.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr31.i.i, i32 noundef signext 2) #15
  %add33.i.i = add i32 %call32.i.i, 46
  %add.ptr34.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 30
  %call35.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr34.i.i, i32 noundef signext 2) #15
  %add36.i.i = add i32 %add33.i.i, %call35.i.i
  %add.ptr37.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 32
  %call38.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr37.i.i, i32 noundef signext 2) #15
  %add39.i.i = add i32 %add36.i.i, %call38.i.i
  %conv40.i.i = zext i32 %add39.i.i to i64
  %add41.i.i = add i64 %at.090.i.i, %conv40.i.i
  %cmp42.i.i = icmp ugt i64 %add41.i.i, %end.0.lcssa.i.i
  br i1 %cmp42.i.i, label %if.then44.i.i, label %if.end46.i.i

if.then44.i.i:                                    ; preds = %if.end28.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i42.i.i) #16
  %call.i43.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i42.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.14) #14
  %call.i.i44.i.i = call i64 @strlen(ptr noundef nonnull %text.i42.i.i) #17
  br label %while.cond.i.i.i45.i.i

while.cond.i.i.i45.i.i:                           ; preds = %while.body.i.i.i49.i.i, %if.then44.i.i
  %count.addr.0.i.i.i46.i.i = phi i64 [ %call.i.i44.i.i, %if.then44.i.i ], [ %sub.i.i.i53.i.i, %while.body.i.i.i49.i.i ]
  %at.0.i.i.i47.i.i = phi ptr [ %text.i42.i.i, %if.then44.i.i ], [ %add.ptr.i.i.i52.i.i, %while.body.i.i.i49.i.i ]
  %cmp.not.i.i.i48.i.i = icmp eq i64 %count.addr.0.i.i.i46.i.i, 0
  br i1 %cmp.not.i.i.i48.i.i, label %fail.exit54.i.i, label %while.body.i.i.i49.i.i

while.body.i.i.i49.i.i:                           ; preds = %while.cond.i.i.i45.i.i
  %call.i.i.i50.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i47.i.i, i64 noundef %count.addr.0.i.i.i46.i.i) #14
  %cmp1.i.i.i51.i.i = icmp sgt i64 %call.i.i.i50.i.i, 0
  %add.ptr.i.i.i52.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i47.i.i, i64 %call.i.i.i50.i.i
  %sub.i.i.i53.i.i = sub i64 %count.addr.0.i.i.i46.i.i, %call.i.i.i50.i.i
  br i1 %cmp1.i.i.i51.i.i, label %while.cond.i.i.i45.i.i, label %fail.exit54.i.i

fail.exit54.i.i:                                  ; preds = %while.body.i.i.i49.i.i, %while.cond.i.i.i45.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i42.i.i) #16
  br label %read_word.exit.thread

if.end46.i.i:                                     ; preds = %if.end28.i.i
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 20
  %call.i56.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr.i.i.i, i32 noundef signext 4) #15
  %conv.i.i.i = zext i32 %call.i56.i.i to i64
  %conv3.i.i.i = zext i32 %call32.i.i to i64
  %add.ptr4.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 42
  %call5.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr4.i.i.i, i32 noundef signext 4) #15
  %conv6.i.i.i = zext i32 %call5.i.i.i to i64
  %add.ptr7.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 46
  %cmp.i.i.i = icmp ult i32 %call32.i.i, 4
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %cond.false.i.i.i

cond.false.i.i.i:                                 ; preds = %if.end46.i.i
  %sub.i.i.i = add nsw i64 %conv3.i.i.i, -4
  br i1 %cmp1, label %for.body.i.i.i.i, label %if.then.i.i.i

for.body.i.i.i.i:                                 ; preds = %cond.false.i.i.i, %for.inc.i.i.i.i
  %indvars.iv.i.i.i.i = phi i64 [ %indvars.iv.next.i.i.i.i, %for.inc.i.i.i.i ], [ 0, %cond.false.i.i.i ]
  %arrayidx.i.i.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i.i.i.i
  %11 = load ptr, ptr %arrayidx.i.i.i.i, align 8
  %call.i.i58.i.i = call i64 @strlen(ptr noundef %11) #17
  %cmp2.i.i.i.i = icmp eq i64 %call.i.i58.i.i, %sub.i.i.i
  br i1 %cmp2.i.i.i.i, label %land.lhs.true.i.i.i.i, label %for.inc.i.i.i.i

land.lhs.true.i.i.i.i:                            ; preds = %for.body.i.i.i.i
  %call6.i.i.i.i = call signext i32 @memcmp(ptr noundef %11, ptr noundef nonnull readonly %add.ptr7.i.i.i, i64 noundef %sub.i.i.i) #17
  %cmp7.i.i.i.i = icmp eq i32 %call6.i.i.i.i, 0
  br i1 %cmp7.i.i.i.i, label %cond.end.i.i.i, label %for.inc.i.i.i.i

for.inc.i.i.i.i:                                  ; preds = %land.lhs.true.i.i.i.i, %for.body.i.i.i.i
  %indvars.iv.next.i.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i.i, 1
  %exitcond.not.i.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i.i.i, label %if.then.i.i.i, label %for.body.i.i.i.i

cond.end.i.i.i:                                   ; preds = %land.lhs.true.i.i.i.i
  %12 = trunc nuw nsw i64 %indvars.iv.i.i.i.i to i32
  %add.ptr24.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 10
  %call25.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr24.i.i.i, i32 noundef signext 2) #15
  %cmp26.not.i.i.i = icmp eq i32 %call25.i.i.i, 0
  br i1 %cmp26.not.i.i.i, label %if.end30.i.i.i, label %if.then28.i.i.i

if.then.i.i.i:                                    ; preds = %cond.false.i.i.i, %if.end46.i.i, %for.inc.i.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i55.i.i) #16
  call void @llvm.lifetime.start.p0(ptr nonnull %shown.i.i.i) #16
  %cond17.i.i.i = call i64 @llvm.umin.i64(i64 %conv3.i.i.i, i64 127)
  %call18.i.i.i = call ptr @memcpy(ptr noundef nonnull %shown.i.i.i, ptr noundef nonnull %add.ptr7.i.i.i, i64 noundef %cond17.i.i.i) #14
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %shown.i.i.i, i64 %cond17.i.i.i
  store i8 0, ptr %arrayidx.i.i.i, align 1
  %call21.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i55.i.i, i64 noundef 1024, ptr noundef nonnull @.str.15, ptr noundef nonnull %shown.i.i.i) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i.i.i) #16
  %call.i27.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull %text.i55.i.i) #14
  %call.i.i.i57.i.i = call i64 @strlen(ptr noundef nonnull %text.i.i.i.i) #17
  br label %while.cond.i.i.i.i.i.i

while.cond.i.i.i.i.i.i:                           ; preds = %while.body.i.i.i.i.i.i, %if.then.i.i.i
  %count.addr.0.i.i.i.i.i.i = phi i64 [ %call.i.i.i57.i.i, %if.then.i.i.i ], [ %sub.i.i.i.i.i.i, %while.body.i.i.i.i.i.i ]
  %at.0.i.i.i.i.i.i = phi ptr [ %text.i.i.i.i, %if.then.i.i.i ], [ %add.ptr.i.i.i.i.i.i, %while.body.i.i.i.i.i.i ]
  %cmp.not.i.i.i.i.i.i = icmp eq i64 %count.addr.0.i.i.i.i.i.i, 0
  br i1 %cmp.not.i.i.i.i.i.i, label %fail.exit.i.i.i, label %while.body.i.i.i.i.i.i

while.body.i.i.i.i.i.i:                           ; preds = %while.cond.i.i.i.i.i.i
  %call.i.i.i.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i.i.i.i, i64 noundef %count.addr.0.i.i.i.i.i.i) #14
  %cmp1.i.i.i.i.i.i = icmp sgt i64 %call.i.i.i.i.i.i, 0
  %add.ptr.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i.i.i, i64 %call.i.i.i.i.i.i
  %sub.i.i.i.i.i.i = sub i64 %count.addr.0.i.i.i.i.i.i, %call.i.i.i.i.i.i
  br i1 %cmp1.i.i.i.i.i.i, label %while.cond.i.i.i.i.i.i, label %fail.exit.i.i.i

fail.exit.i.i.i:                                  ; preds = %while.body.i.i.i.i.i.i, %while.cond.i.i.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i.i.i) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %shown.i.i.i) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i55.i.i) #16
  br label %read_word.exit.thread

if.then28.i.i.i:                                  ; preds = %cond.end.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i28.i.i.i) #16
  %call.i29.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i28.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.16) #14
  %call.i.i30.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i28.i.i.i) #17
  br label %while.cond.i.i.i31.i.i.i

while.cond.i.i.i31.i.i.i:                         ; preds = %while.body.i.i.i35.i.i.i, %if.then28.i.i.i
  %count.addr.0.i.i.i32.i.i.i = phi i64 [ %call.i.i30.i.i.i, %if.then28.i.i.i ], [ %sub.i.i.i39.i.i.i, %while.body.i.i.i35.i.i.i ]
  %at.0.i.i.i33.i.i.i = phi ptr [ %text.i28.i.i.i, %if.then28.i.i.i ], [ %add.ptr.i.i.i38.i.i.i, %while.body.i.i.i35.i.i.i ]
  %cmp.not.i.i.i34.i.i.i = icmp eq i64 %count.addr.0.i.i.i32.i.i.i, 0
  br i1 %cmp.not.i.i.i34.i.i.i, label %fail.exit40.i.i.i, label %while.body.i.i.i35.i.i.i

while.body.i.i.i35.i.i.i:                         ; preds = %while.cond.i.i.i31.i.i.i
  %call.i.i.i36.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i33.i.i.i, i64 noundef %count.addr.0.i.i.i32.i.i.i) #14
  %cmp1.i.i.i37.i.i.i = icmp sgt i64 %call.i.i.i36.i.i.i, 0
  %add.ptr.i.i.i38.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i33.i.i.i, i64 %call.i.i.i36.i.i.i
  %sub.i.i.i39.i.i.i = sub i64 %count.addr.0.i.i.i32.i.i.i, %call.i.i.i36.i.i.i
  br i1 %cmp1.i.i.i37.i.i.i, label %while.cond.i.i.i31.i.i.i, label %fail.exit40.i.i.i

fail.exit40.i.i.i:                                ; preds = %while.body.i.i.i35.i.i.i, %while.cond.i.i.i31.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i28.i.i.i) #16
  br label %read_word.exit.thread

if.end30.i.i.i:                                   ; preds = %cond.end.i.i.i
  %add.i.i.i = add nuw nsw i64 %conv6.i.i.i, 30
  %cmp32.i.i.i = icmp ugt i64 %add.i.i.i, %call1.i.i
  br i1 %cmp32.i.i.i, label %if.then34.i.i.i, label %if.end36.i.i.i

if.then34.i.i.i:                                  ; preds = %if.end30.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i41.i.i.i) #16
  %call.i42.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i41.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.17) #14
  %call.i.i43.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i41.i.i.i) #17
  br label %while.cond.i.i.i44.i.i.i

while.cond.i.i.i44.i.i.i:                         ; preds = %while.body.i.i.i48.i.i.i, %if.then34.i.i.i
  %count.addr.0.i.i.i45.i.i.i = phi i64 [ %call.i.i43.i.i.i, %if.then34.i.i.i ], [ %sub.i.i.i52.i.i.i, %while.body.i.i.i48.i.i.i ]
  %at.0.i.i.i46.i.i.i = phi ptr [ %text.i41.i.i.i, %if.then34.i.i.i ], [ %add.ptr.i.i.i51.i.i.i, %while.body.i.i.i48.i.i.i ]
  %cmp.not.i.i.i47.i.i.i = icmp eq i64 %count.addr.0.i.i.i45.i.i.i, 0
  br i1 %cmp.not.i.i.i47.i.i.i, label %fail.exit53.i.i.i, label %while.body.i.i.i48.i.i.i

while.body.i.i.i48.i.i.i:                         ; preds = %while.cond.i.i.i44.i.i.i
  %call.i.i.i49.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i46.i.i.i, i64 noundef %count.addr.0.i.i.i45.i.i.i) #14
  %cmp1.i.i.i50.i.i.i = icmp sgt i64 %call.i.i.i49.i.i.i, 0
  %add.ptr.i.i.i51.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i46.i.i.i, i64 %call.i.i.i49.i.i.i
  %sub.i.i.i52.i.i.i = sub i64 %count.addr.0.i.i.i45.i.i.i, %call.i.i.i49.i.i.i
  br i1 %cmp1.i.i.i50.i.i.i, label %while.cond.i.i.i44.i.i.i, label %fail.exit53.i.i.i

fail.exit53.i.i.i:                                ; preds = %while.body.i.i.i48.i.i.i, %while.cond.i.i.i44.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i41.i.i.i) #16
  br label %read_word.exit.thread

if.end36.i.i.i:                                   ; preds = %if.end30.i.i.i
  %add.ptr38.i.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %conv6.i.i.i
  %add.ptr39.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr38.i.i.i, i64 26
  %call40.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr39.i.i.i, i32 noundef signext 2) #15
  %conv41.i.i.i = zext i32 %call40.i.i.i to i64
  %add42.i.i.i = add nuw nsw i64 %add.i.i.i, %conv41.i.i.i
  %add.ptr45.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr38.i.i.i, i64 28
  %call46.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr45.i.i.i, i32 noundef signext 2) #15
  %conv47.i.i.i = zext i32 %call46.i.i.i to i64
  %add48.i.i.i = add nuw nsw i64 %add42.i.i.i, %conv47.i.i.i
  %cmp50.i.i.i = icmp ugt i64 %add48.i.i.i, %call1.i.i
  %sub53.i.i.i = sub nuw i64 %call1.i.i, %add48.i.i.i
  %cmp54.i.i.i = icmp ult i64 %sub53.i.i.i, %conv.i.i.i
  %or.cond.i.i.i = select i1 %cmp50.i.i.i, i1 true, i1 %cmp54.i.i.i
  br i1 %or.cond.i.i.i, label %if.then56.i.i.i, label %read_member.exit.i.i

if.then56.i.i.i:                                  ; preds = %if.end36.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i54.i.i.i) #16
  %call.i55.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i54.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.18) #14
  %call.i.i56.i.i.i = call i64 @strlen(ptr noundef nonnull %text.i54.i.i.i) #17
  br label %while.cond.i.i.i57.i.i.i

while.cond.i.i.i57.i.i.i:                         ; preds = %while.body.i.i.i61.i.i.i, %if.then56.i.i.i
  %count.addr.0.i.i.i58.i.i.i = phi i64 [ %call.i.i56.i.i.i, %if.then56.i.i.i ], [ %sub.i.i.i65.i.i.i, %while.body.i.i.i61.i.i.i ]
  %at.0.i.i.i59.i.i.i = phi ptr [ %text.i54.i.i.i, %if.then56.i.i.i ], [ %add.ptr.i.i.i64.i.i.i, %while.body.i.i.i61.i.i.i ]
  %cmp.not.i.i.i60.i.i.i = icmp eq i64 %count.addr.0.i.i.i58.i.i.i, 0
  br i1 %cmp.not.i.i.i60.i.i.i, label %fail.exit66.i.i.i, label %while.body.i.i.i61.i.i.i

while.body.i.i.i61.i.i.i:                         ; preds = %while.cond.i.i.i57.i.i.i
  %call.i.i.i62.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i59.i.i.i, i64 noundef %count.addr.0.i.i.i58.i.i.i) #14
  %cmp1.i.i.i63.i.i.i = icmp sgt i64 %call.i.i.i62.i.i.i, 0
  %add.ptr.i.i.i64.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i59.i.i.i, i64 %call.i.i.i62.i.i.i
  %sub.i.i.i65.i.i.i = sub i64 %count.addr.0.i.i.i58.i.i.i, %call.i.i.i62.i.i.i
  br i1 %cmp1.i.i.i63.i.i.i, label %while.cond.i.i.i57.i.i.i, label %fail.exit66.i.i.i

fail.exit66.i.i.i:                                ; preds = %while.body.i.i.i61.i.i.i, %while.cond.i.i.i57.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i54.i.i.i) #16
  br label %read_word.exit.thread

read_member.exit.i.i:                             ; preds = %if.end36.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %member.i.i.i) #16
  %add.ptr61.i.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %add48.i.i.i
  store ptr %add.ptr61.i.i.i, ptr %member.i.i.i, align 8
  store i64 %conv.i.i.i, ptr %count62.i.i.i, align 8
  %idxprom.i.i.i = and i64 %indvars.iv.i.i.i.i, 4294967295
  %arrayidx63.i.i.i = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %idxprom.i.i.i
  %call64.i.i.i = call fastcc signext i32 @read_array(ptr noundef nonnull %cond.i, ptr noundef %member.i.i.i, i32 noundef signext %12, ptr noundef %arrayidx63.i.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %member.i.i.i) #16
  %cmp48.not.i.i = icmp eq i32 %call64.i.i.i, 0
  br i1 %cmp48.not.i.i, label %for.cond14.i.i, label %read_word.exit.thread

if.end25.i:                                       ; preds = %land.lhs.true.i, %if.end17.i
  %cmp2883.i = icmp slt i32 %cond1063.i, %3
  %or.cond84.i = select i1 %cmp.i, i1 %cmp2883.i, i1 false
  br i1 %or.cond84.i, label %land.rhs.preheader.i, label %while.end.i

land.rhs.preheader.i:                             ; preds = %if.end25.i
  %13 = zext nneg i32 %cond1063.i to i64
  br label %land.rhs.i

land.rhs.i:                                       ; preds = %while.body.i, %land.rhs.preheader.i
  %indvars.iv.i = phi i64 [ %13, %land.rhs.preheader.i ], [ %indvars.iv.next.i, %while.body.i ]
  %arrayidx30.i = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %indvars.iv.i
  %14 = load ptr, ptr %arrayidx30.i, align 8
  %cmp31.not.i = icmp eq ptr %14, null
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
  %index.0.lcssa.i = phi i32 [ %cond1063.i, %if.end25.i ], [ %index.0.lcssa.ph.i, %while.end.loopexit.i ]
  %cmp33.i = icmp eq i32 %index.0.lcssa.i, %3
  br i1 %cmp33.i, label %if.then35.i, label %read_word.exit

if.then35.i:                                      ; preds = %while.end.i
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i45.i) #16
  %call.i46.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i45.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %6, ptr noundef nonnull @.str.10) #14
  %call.i.i47.i = call i64 @strlen(ptr noundef nonnull %text.i45.i) #17
  br label %while.cond.i.i.i48.i

while.cond.i.i.i48.i:                             ; preds = %while.body.i.i.i52.i, %if.then35.i
  %count.addr.0.i.i.i49.i = phi i64 [ %call.i.i47.i, %if.then35.i ], [ %sub.i.i.i56.i, %while.body.i.i.i52.i ]
  %at.0.i.i.i50.i = phi ptr [ %text.i45.i, %if.then35.i ], [ %add.ptr.i.i.i55.i, %while.body.i.i.i52.i ]
  %cmp.not.i.i.i51.i = icmp eq i64 %count.addr.0.i.i.i49.i, 0
  br i1 %cmp.not.i.i.i51.i, label %fail.exit57.i, label %while.body.i.i.i52.i

while.body.i.i.i52.i:                             ; preds = %while.cond.i.i.i48.i
  %call.i.i.i53.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i50.i, i64 noundef %count.addr.0.i.i.i49.i) #14
  %cmp1.i.i.i54.i = icmp sgt i64 %call.i.i.i53.i, 0
  %add.ptr.i.i.i55.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i50.i, i64 %call.i.i.i53.i
  %sub.i.i.i56.i = sub i64 %count.addr.0.i.i.i49.i, %call.i.i.i53.i
  br i1 %cmp1.i.i.i54.i, label %while.cond.i.i.i48.i, label %fail.exit57.i

fail.exit57.i:                                    ; preds = %while.body.i.i.i52.i, %while.cond.i.i.i48.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i45.i) #16
  br label %read_word.exit.thread

read_word.exit.thread:                            ; preds = %read_member.exit.i.i, %fail.exit.i, %fail.exit37.i, %fail.exit57.i, %fail.exit.i.i, %fail.exit41.i.i, %fail.exit66.i.i.i, %fail.exit53.i.i.i, %fail.exit40.i.i.i, %fail.exit.i.i.i, %fail.exit54.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %file.i) #16
  br label %cleanup122

read_word.exit.thread94:                          ; preds = %for.cond14.i.i, %for.end.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %file.i) #16
  br label %for.inc

read_word.exit:                                   ; preds = %while.end.i
  %idxprom38.i = zext nneg i32 %index.0.lcssa.i to i64
  %arrayidx39.i = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %idxprom38.i
  %call40.i = call fastcc signext i32 @read_array(ptr noundef nonnull %cond.i, ptr noundef %file.i, i32 noundef signext %index.0.lcssa.i, ptr noundef %arrayidx39.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %file.i) #16
  %cmp12.not = icmp eq i32 %call40.i, 0
  br i1 %cmp12.not, label %for.inc, label %cleanup122

if.else:                                          ; preds = %for.body
  %call18 = call i64 @strlen(ptr noundef nonnull %6) #17
  %cmp19 = icmp eq i64 %call18, 2
  br i1 %cmp19, label %land.lhs.true21, label %cleanup.thread

land.lhs.true21:                                  ; preds = %if.else
  %arrayidx24 = getelementptr inbounds nuw i8, ptr %6, i64 1
  %15 = load i8, ptr %arrayidx24, align 1
  %cmp26 = icmp eq i8 %15, 111
  br i1 %cmp26, label %land.lhs.true28, label %cleanup.thread

land.lhs.true28:                                  ; preds = %land.lhs.true21
  %add29 = add nsw i32 %word.0178, 1
  %cmp30 = icmp slt i32 %add29, %argc
  br i1 %cmp30, label %if.then32, label %cleanup.thread

if.then32:                                        ; preds = %land.lhs.true28
  %idxprom33 = sext i32 %add29 to i64
  %arrayidx34 = getelementptr inbounds ptr, ptr %argv, i64 %idxprom33
  %16 = load ptr, ptr %arrayidx34, align 8
  br label %for.inc

cleanup.thread:                                   ; preds = %if.else, %land.lhs.true21, %land.lhs.true28
  %17 = load ptr, ptr %argv, align 8
  call fastcc void @explain(ptr noundef %17) #15
  br label %cleanup122

for.inc:                                          ; preds = %read_word.exit.thread94, %if.then32, %read_word.exit
  %output.1 = phi ptr [ %output.0177, %read_word.exit ], [ %16, %if.then32 ], [ %output.0177, %read_word.exit.thread94 ]
  %word.1 = phi i32 [ %word.0178, %read_word.exit ], [ %add29, %if.then32 ], [ %word.0178, %read_word.exit.thread94 ]
  %inc40 = add nsw i32 %word.1, 1
  %cmp3.not = icmp slt i32 %inc40, %argc
  br i1 %cmp3.not, label %for.body, label %for.cond41.preheader

for.cond41:                                       ; preds = %for.body45
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond246.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond246.not, label %for.end59, label %for.body45

for.body45:                                       ; preds = %for.body45.preheader, %for.cond41
  %indvars.iv = phi i64 [ 0, %for.body45.preheader ], [ %indvars.iv.next, %for.cond41 ]
  %arrayidx47 = getelementptr inbounds nuw %struct.argument, ptr %vla, i64 %indvars.iv
  %18 = load ptr, ptr %arrayidx47, align 8
  %cmp48 = icmp eq ptr %18, null
  br i1 %cmp48, label %if.then50, label %for.cond41

if.then50:                                        ; preds = %for.body45
  %arrayidx52 = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %19 = load ptr, ptr %arrayidx52, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #16
  %call.i35 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %19, ptr noundef nonnull @.str) #14
  %call.i.i36 = call i64 @strlen(ptr noundef nonnull %text.i) #17
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then50
  %count.addr.0.i.i.i = phi i64 [ %call.i.i36, %if.then50 ], [ %sub.i.i.i39, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then50 ], [ %add.ptr.i.i.i38, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %cleanup57, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i37 = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #14
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i37, 0
  %add.ptr.i.i.i38 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i37
  %sub.i.i.i39 = sub i64 %count.addr.0.i.i.i, %call.i.i.i37
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %cleanup57

cleanup57:                                        ; preds = %while.body.i.i.i, %while.cond.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #16
  br label %cleanup122

for.end59:                                        ; preds = %for.cond41, %for.cond41.preheader
  %20 = load ptr, ptr %argv, align 8
  %21 = load i32, ptr @tw_uses_tiles, align 4
  %cmp.not.i = icmp eq i32 %21, 0
  br i1 %cmp.not.i, label %lor.lhs.false, label %land.lhs.true.i41

land.lhs.true.i41:                                ; preds = %for.end59
  %call.i42 = call i64 @tw_arch_prctl(i64 noundef 4131, i64 noundef 18) #14
  %cmp1.not.i = icmp eq i64 %call.i42, 0
  br i1 %cmp1.not.i, label %lor.lhs.false, label %if.then.i43

if.then.i43:                                      ; preds = %land.lhs.true.i41
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i.i40) #16
  %call.i.i44 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i40, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %20, ptr noundef nonnull @.str.34) #14
  %call.i.i.i45 = call i64 @strlen(ptr noundef nonnull %text.i.i40) #17
  br label %while.cond.i.i.i.i46

while.cond.i.i.i.i46:                             ; preds = %while.body.i.i.i.i50, %if.then.i43
  %count.addr.0.i.i.i.i47 = phi i64 [ %call.i.i.i45, %if.then.i43 ], [ %sub.i.i.i.i54, %while.body.i.i.i.i50 ]
  %at.0.i.i.i.i48 = phi ptr [ %text.i.i40, %if.then.i43 ], [ %add.ptr.i.i.i.i53, %while.body.i.i.i.i50 ]
  %cmp.not.i.i.i.i49 = icmp eq i64 %count.addr.0.i.i.i.i47, 0
  br i1 %cmp.not.i.i.i.i49, label %request_tiles.exit, label %while.body.i.i.i.i50

while.body.i.i.i.i50:                             ; preds = %while.cond.i.i.i.i46
  %call.i.i.i.i51 = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i.i48, i64 noundef %count.addr.0.i.i.i.i47) #14
  %cmp1.i.i.i.i52 = icmp sgt i64 %call.i.i.i.i51, 0
  %add.ptr.i.i.i.i53 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i.i48, i64 %call.i.i.i.i51
  %sub.i.i.i.i54 = sub i64 %count.addr.0.i.i.i.i47, %call.i.i.i.i51
  br i1 %cmp1.i.i.i.i52, label %while.cond.i.i.i.i46, label %request_tiles.exit

request_tiles.exit:                               ; preds = %while.cond.i.i.i.i46, %while.body.i.i.i.i50
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i.i40) #16
  br label %cleanup122

lor.lhs.false:                                    ; preds = %land.lhs.true.i41, %for.end59
  %call64 = call fastcc signext i32 @choose(ptr noundef %vla) #15
  %cmp65.not = icmp eq i32 %call64, 0
  br i1 %cmp65.not, label %for.cond70.preheader, label %cleanup122

for.cond70.preheader:                             ; preds = %lor.lhs.false
  %22 = load i32, ptr @model.5, align 4
  %cmp71.not181 = icmp sgt i32 %22, 0
  br i1 %cmp71.not181, label %for.body74.lr.ph, label %for.end89

for.body74.lr.ph:                                 ; preds = %for.cond70.preheader
  %23 = load ptr, ptr @model.2, align 8
  %wide.trip.count250 = zext nneg i32 %22 to i64
  br label %for.body74

for.cond70:                                       ; preds = %for.body74
  %indvars.iv.next248 = add nuw nsw i64 %indvars.iv247, 1
  %exitcond251.not = icmp eq i64 %indvars.iv.next248, %wide.trip.count250
  br i1 %exitcond251.not, label %for.end89, label %for.body74

for.body74:                                       ; preds = %for.body74.lr.ph, %for.cond70
  %indvars.iv247 = phi i64 [ 0, %for.body74.lr.ph ], [ %indvars.iv.next248, %for.cond70 ]
  %arrayidx76 = getelementptr inbounds nuw %struct.tw_spec, ptr %23, i64 %indvars.iv247
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx76, i64 40
  %24 = load i32, ptr %rank, align 8
  %cmp77 = icmp sgt i32 %24, 32
  br i1 %cmp77, label %cleanup87.thread, label %for.cond70

cleanup87.thread:                                 ; preds = %for.body74
  %25 = load ptr, ptr %arrayidx76, align 8
  call fastcc void @fail(ptr noundef %25, ptr noundef nonnull @.str.1) #15
  br label %cleanup122

for.end89:                                        ; preds = %for.cond70, %for.cond70.preheader
  %call90 = call fastcc signext i32 @run(ptr noundef %vla) #15
  %cmp91 = icmp slt i32 %call90, 0
  br i1 %cmp91, label %cleanup122, label %if.end94

if.end94:                                         ; preds = %for.end89
  %cmp95.not = icmp eq ptr %output.0.lcssa, null
  br i1 %cmp95.not, label %for.cond101.preheader, label %if.then97

for.cond101.preheader:                            ; preds = %if.end94
  %cmp102.not187.not = icmp eq i32 %call90, 0
  br i1 %cmp102.not187.not, label %cleanup122, label %for.body105

if.then97:                                        ; preds = %if.end94
  %26 = load i32, ptr @model.4, align 8
  %idx.ext = sext i32 %26 to i64
  %add.ptr = getelementptr inbounds %struct.argument, ptr %vla, i64 %idx.ext
  %call98 = call fastcc signext i32 @save(ptr noundef %output.0.lcssa, ptr noundef %add.ptr, i32 noundef signext %call90) #15
  br label %cleanup122

for.body105:                                      ; preds = %for.cond101.preheader, %for.inc116
  %index100.0188 = phi i32 [ %inc117, %for.inc116 ], [ 0, %for.cond101.preheader ]
  %27 = load ptr, ptr @model.2, align 8
  %28 = load i32, ptr @model.4, align 8
  %add106 = add nsw i32 %28, %index100.0188
  %idxprom107 = sext i32 %add106 to i64
  %arrayidx108 = getelementptr inbounds %struct.tw_spec, ptr %27, i64 %idxprom107
  %arrayidx111 = getelementptr inbounds %struct.argument, ptr %vla, i64 %idxprom107
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i57) #16
  %29 = load ptr, ptr %arrayidx108, align 8
  %call.i58 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i57, i64 noundef 1024, ptr noundef nonnull @.str.50, ptr noundef %29) #14
  %call.i.i59 = call i64 @strlen(ptr noundef nonnull %text.i57) #17
  br label %while.cond.i.i.i60

while.cond.i.i.i60:                               ; preds = %while.body.i.i.i64, %for.body105
  %count.addr.0.i.i.i61 = phi i64 [ %call.i.i59, %for.body105 ], [ %sub.i.i.i68, %while.body.i.i.i64 ]
  %at.0.i.i.i62 = phi ptr [ %text.i57, %for.body105 ], [ %add.ptr.i.i.i67, %while.body.i.i.i64 ]
  %cmp.not.i.i.i63 = icmp eq i64 %count.addr.0.i.i.i61, 0
  br i1 %cmp.not.i.i.i63, label %land.rhs.lr.ph.i, label %while.body.i.i.i64

while.body.i.i.i64:                               ; preds = %while.cond.i.i.i60
  %call.i.i.i65 = call i64 @write(i32 noundef signext 1, ptr noundef %at.0.i.i.i62, i64 noundef %count.addr.0.i.i.i61) #14
  %cmp1.i.i.i66 = icmp sgt i64 %call.i.i.i65, 0
  %add.ptr.i.i.i67 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i62, i64 %call.i.i.i65
  %sub.i.i.i68 = sub i64 %count.addr.0.i.i.i61, %call.i.i.i65
  br i1 %cmp1.i.i.i66, label %while.cond.i.i.i60, label %land.end12.i

land.rhs.lr.ph.i:                                 ; preds = %while.cond.i.i.i60
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx108, i64 40
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx111, i64 48
  %30 = load i32, ptr %rank.i, align 8
  %cmp.i87183 = icmp sgt i32 %30, 0
  br i1 %cmp.i87183, label %for.body.i, label %land.rhs10.i

for.body.i:                                       ; preds = %land.rhs.lr.ph.i, %print.exit38.i
  %indvars.iv.i86184 = phi i64 [ %indvars.iv.next.i90, %print.exit38.i ], [ 0, %land.rhs.lr.ph.i ]
  %cmp4.i = icmp eq i64 %indvars.iv.i86184, 0
  %cond.i88 = select i1 %cmp4.i, ptr @.str.51, ptr @.str.52
  %arrayidx.i89 = getelementptr inbounds nuw i64, ptr %shape.i, i64 %indvars.iv.i86184
  %31 = load i64, ptr %arrayidx.i89, align 8
  %call5.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i57, i64 noundef 1024, ptr noundef nonnull %cond.i88, i64 noundef %31) #14
  %call.i28.i = call i64 @strlen(ptr noundef nonnull %text.i57) #17
  br label %while.cond.i.i29.i

while.cond.i.i29.i:                               ; preds = %while.body.i.i33.i, %for.body.i
  %count.addr.0.i.i30.i = phi i64 [ %call.i28.i, %for.body.i ], [ %sub.i.i37.i, %while.body.i.i33.i ]
  %at.0.i.i31.i = phi ptr [ %text.i57, %for.body.i ], [ %add.ptr.i.i36.i, %while.body.i.i33.i ]
  %cmp.not.i.i32.i = icmp eq i64 %count.addr.0.i.i30.i, 0
  br i1 %cmp.not.i.i32.i, label %print.exit38.i, label %while.body.i.i33.i

while.body.i.i33.i:                               ; preds = %while.cond.i.i29.i
  %call.i.i34.i = call i64 @write(i32 noundef signext 1, ptr noundef %at.0.i.i31.i, i64 noundef %count.addr.0.i.i30.i) #14
  %cmp1.i.i35.i = icmp sgt i64 %call.i.i34.i, 0
  %add.ptr.i.i36.i = getelementptr inbounds nuw i8, ptr %at.0.i.i31.i, i64 %call.i.i34.i
  %sub.i.i37.i = sub i64 %count.addr.0.i.i30.i, %call.i.i34.i
  br i1 %cmp1.i.i35.i, label %while.cond.i.i29.i, label %land.end12.i

print.exit38.i:                                   ; preds = %while.cond.i.i29.i
  %indvars.iv.next.i90 = add nuw nsw i64 %indvars.iv.i86184, 1
  %32 = load i32, ptr %rank.i, align 8
  %33 = sext i32 %32 to i64
  %cmp.i87 = icmp slt i64 %indvars.iv.next.i90, %33
  br i1 %cmp.i87, label %for.body.i, label %land.rhs10.i

land.rhs10.i:                                     ; preds = %print.exit38.i, %land.rhs.lr.ph.i
  %call.i39.i = call i64 @strlen(ptr noundef nonnull @.str.36) #17
  br label %while.cond.i.i40.i

while.cond.i.i40.i:                               ; preds = %while.body.i.i44.i, %land.rhs10.i
  %count.addr.0.i.i41.i = phi i64 [ %call.i39.i, %land.rhs10.i ], [ %sub.i.i48.i, %while.body.i.i44.i ]
  %at.0.i.i42.i = phi ptr [ @.str.36, %land.rhs10.i ], [ %add.ptr.i.i47.i, %while.body.i.i44.i ]
  %cmp.not.i.i43.i = icmp eq i64 %count.addr.0.i.i41.i, 0
  br i1 %cmp.not.i.i43.i, label %land.end12.i, label %while.body.i.i44.i

while.body.i.i44.i:                               ; preds = %while.cond.i.i40.i
  %call.i.i45.i = call i64 @write(i32 noundef signext 1, ptr noundef %at.0.i.i42.i, i64 noundef %count.addr.0.i.i41.i) #14
  %cmp1.i.i46.i = icmp sgt i64 %call.i.i45.i, 0
  %add.ptr.i.i47.i = getelementptr inbounds nuw i8, ptr %at.0.i.i42.i, i64 %call.i.i45.i
  %sub.i.i48.i = sub i64 %count.addr.0.i.i41.i, %call.i.i45.i
  br i1 %cmp1.i.i46.i, label %while.cond.i.i40.i, label %land.end12.i

land.end12.i:                                     ; preds = %while.body.i.i.i64, %while.body.i.i44.i, %while.cond.i.i40.i, %while.body.i.i33.i
  %storedv13.i = phi i1 [ %cmp.not.i.i43.i, %while.body.i.i44.i ], [ false, %while.body.i.i33.i ], [ %cmp.not.i.i43.i, %while.cond.i.i40.i ], [ false, %while.body.i.i.i64 ]
  %shape14.i = getelementptr inbounds nuw i8, ptr %arrayidx111, i64 48
  %rank16.i = getelementptr inbounds nuw i8, ptr %arrayidx108, i64 40
  %34 = load i32, ptr %rank16.i, align 8
  %cmp.not4.i.i = icmp sgt i32 %34, 0
  br i1 %cmp.not4.i.i, label %for.body.preheader.i.i77, label %product.exit.i

for.body.preheader.i.i77:                         ; preds = %land.end12.i
  %wide.trip.count.i.i78 = zext nneg i32 %34 to i64
  br label %for.body.i.i79

for.body.i.i79:                                   ; preds = %for.inc.i.i82, %for.body.preheader.i.i77
  %indvars.iv.i.i80 = phi i64 [ 0, %for.body.preheader.i.i77 ], [ %indvars.iv.next.i.i83, %for.inc.i.i82 ]
  %count.05.i.i = phi i64 [ 1, %for.body.preheader.i.i77 ], [ %38, %for.inc.i.i82 ]
  %arrayidx.i.i81 = getelementptr inbounds nuw i64, ptr %shape14.i, i64 %indvars.iv.i.i80
  %35 = load i64, ptr %arrayidx.i.i81, align 8
  %36 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.05.i.i, i64 %35)
  %37 = extractvalue { i64, i1 } %36, 1
  br i1 %37, label %product.exit.i, label %for.inc.i.i82

for.inc.i.i82:                                    ; preds = %for.body.i.i79
  %38 = extractvalue { i64, i1 } %36, 0
  %indvars.iv.next.i.i83 = add nuw nsw i64 %indvars.iv.i.i80, 1
  %exitcond.not.i.i84 = icmp eq i64 %indvars.iv.next.i.i83, %wide.trip.count.i.i78
  br i1 %exitcond.not.i.i84, label %product.exit.i, label %for.body.i.i79

product.exit.i:                                   ; preds = %for.inc.i.i82, %for.body.i.i79, %land.end12.i
  %spec.select.i.i = phi i64 [ 1, %land.end12.i ], [ -1, %for.body.i.i79 ], [ %38, %for.inc.i.i82 ]
  %cmp19.i = icmp eq i32 %34, 0
  br i1 %cmp19.i, label %cond.end.i, label %cond.false.i

cond.false.i:                                     ; preds = %product.exit.i
  %39 = sext i32 %34 to i64
  %40 = getelementptr i64, ptr %shape14.i, i64 %39
  %arrayidx23.i = getelementptr i8, ptr %40, i64 -8
  %41 = load i64, ptr %arrayidx23.i, align 8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false.i, %product.exit.i
  %cond24.i = phi i64 [ %41, %cond.false.i ], [ 1, %product.exit.i ]
  br i1 %storedv13.i, label %land.lhs.true.lr.ph.i, label %if.then113

land.lhs.true.lr.ph.i:                            ; preds = %cond.end.i
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx108, i64 44
  %42 = call i64 @llvm.smax.i64(i64 %spec.select.i.i, i64 0)
  %43 = call i64 @llvm.umin.i64(i64 %42, i64 64)
  %exitcond.not.i185 = icmp slt i64 %spec.select.i.i, 1
  br i1 %exitcond.not.i185, label %for.inc116, label %for.body32.i

land.lhs.true.i70.loopexit:                       ; preds = %while.cond.i.i67.i
  %exitcond.not.i = icmp eq i64 %add.i, %43
  br i1 %exitcond.not.i, label %for.cond.cleanup31.i, label %for.body32.i

for.cond.cleanup31.i:                             ; preds = %land.lhs.true.i70.loopexit
  %cmp53.i = icmp sgt i64 %spec.select.i.i, 64
  br i1 %cmp53.i, label %if.then.i76, label %for.inc116

for.body32.i:                                     ; preds = %land.lhs.true.lr.ph.i, %land.lhs.true.i70.loopexit
  %index.094.i186 = phi i64 [ %add.i, %land.lhs.true.i70.loopexit ], [ 0, %land.lhs.true.lr.ph.i ]
  %44 = load ptr, ptr %arrayidx111, align 8
  %45 = load i32, ptr %dtype.i, align 4
  %shr.i.i = lshr i32 %45, 8
  %and.i.i = and i32 %shr.i.i, 255
  %add.i.i71 = add nuw nsw i32 %and.i.i, 7
  %div1.i.i = lshr i32 %add.i.i71, 3
  %conv.i.i72 = zext nneg i32 %div1.i.i to i64
  %mul.i = mul nuw nsw i64 %index.094.i186, %conv.i.i72
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %44, i64 %mul.i
  %and.i50.i = and i32 %45, 255
  %cond.i.i = call i64 @llvm.umin.i64(i64 %conv.i.i72, i64 8)
  %cmp264.not.i.i = icmp eq i32 %div1.i.i, 0
  br i1 %cmp264.not.i.i, label %for.cond.cleanup.i.i, label %for.body.lr.ph.i.i

for.body.lr.ph.i.i:                               ; preds = %for.body32.i
  %46 = load i8, ptr @tw_byte_order, align 1
  %cmp3.i.i = icmp eq i8 %46, 60
  br label %for.body.i52.i

for.cond.cleanup.i.i:                             ; preds = %for.body.i52.i, %for.body32.i
  %value.0.lcssa.i.i = phi i64 [ 0, %for.body32.i ], [ %or.i.i, %for.body.i52.i ]
  %cmp11.i.i = icmp eq i32 %and.i50.i, 2
  %cmp13.i.i = icmp eq i32 %and.i.i, 64
  %or.cond.i.i73 = and i1 %cmp11.i.i, %cmp13.i.i
  br i1 %or.cond.i.i73, label %if.then.i.i, label %if.else.i.i

for.body.i52.i:                                   ; preds = %for.body.i52.i, %for.body.lr.ph.i.i
  %value.066.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %or.i.i, %for.body.i52.i ]
  %place.065.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.body.i52.i ]
  %47 = xor i64 %place.065.i.i, -1
  %sub6.i.i = add nsw i64 %cond.i.i, %47
  %cond9.i.i = select i1 %cmp3.i.i, i64 %sub6.i.i, i64 %place.065.i.i
  %shl.i.i = shl i64 %value.066.i.i, 8
  %arrayidx.i53.i = getelementptr inbounds i8, ptr %add.ptr.i, i64 %cond9.i.i
  %48 = load i8, ptr %arrayidx.i53.i, align 1
  %conv10.i.i = zext i8 %48 to i64
  %or.i.i = or disjoint i64 %shl.i.i, %conv10.i.i
  %inc.i.i = add nuw nsw i64 %place.065.i.i, 1
  %exitcond.not.i54.i = icmp eq i64 %inc.i.i, %cond.i.i
  br i1 %exitcond.not.i54.i, label %for.cond.cleanup.i.i, label %for.body.i52.i

if.then.i.i:                                      ; preds = %for.cond.cleanup.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %wide.i.i) #16
  %call15.i.i = call ptr @memcpy(ptr noundef nonnull %wide.i.i, ptr noundef %add.ptr.i, i64 noundef 8) #14
  %49 = load double, ptr %wide.i.i, align 8
  call fastcc void @write_float(ptr noundef nonnull %text.i57, double noundef %49) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %wide.i.i) #16
  br label %write_element.exit.i

if.else.i.i:                                      ; preds = %for.cond.cleanup.i.i
  %cmp19.i.i = icmp eq i32 %and.i.i, 32
  %or.cond1.i.i = and i1 %cmp11.i.i, %cmp19.i.i
  br i1 %or.cond1.i.i, label %if.then21.i.i, label %if.else25.i.i

if.then21.i.i:                                    ; preds = %if.else.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %wide22.i.i) #16
  %call23.i.i75 = call ptr @memcpy(ptr noundef nonnull %wide22.i.i, ptr noundef %add.ptr.i, i64 noundef 4) #14
  %50 = load float, ptr %wide22.i.i, align 4
  %conv24.i.i = fpext float %50 to double
  call fastcc void @write_float(ptr noundef nonnull %text.i57, double noundef %conv24.i.i) #15
  call void @llvm.lifetime.end.p0(ptr nonnull %wide22.i.i) #16
  br label %write_element.exit.i

if.else25.i.i:                                    ; preds = %if.else.i.i
  br i1 %cmp11.i.i, label %if.then28.i.i, label %if.else31.i.i

if.then28.i.i:                                    ; preds = %if.else25.i.i
  %conv29.i.i = trunc i64 %value.0.lcssa.i.i to i32
  %shr.i31.i.i = lshr i32 %conv29.i.i, 10
  %and.i32.i.i = and i32 %shr.i31.i.i, 31
  %and6.i.i.i = and i32 %conv29.i.i, 1023
  %conv.i33.i.i = uitofp nneg i32 %and6.i.i.i to double
  %div.i.i.i = fmul double %conv.i33.i.i, 0x3F50000000000000
  %cmp.i.i.i74 = icmp eq i32 %and.i32.i.i, 0
  %add.i34.i.i = fadd double %div.i.i.i, 1.000000e+00
  %cond.i.i.i = select i1 %cmp.i.i.i74, double %div.i.i.i, double %add.i34.i.i
  %cmp12.i.i.i = icmp eq i32 %and.i32.i.i, 31
  %cmp14.i.i.i = fcmp oeq double %div.i.i.i, 0.000000e+00
  %cond16.i.i.i = select i1 %cmp14.i.i.i, double 0x7FF0000000000000, double 0x7FF8000000000000
  %value.0.i.i.i = select i1 %cmp12.i.i.i, double %cond16.i.i.i, double %cond.i.i.i
  %sub22.i.i.i = add nsw i32 %and.i32.i.i, -15
  %spec.select.i.i.i = select i1 %cmp.i.i.i74, i32 -14, i32 %sub22.i.i.i
  %cmp25.not22.i.i.i = icmp eq i32 %spec.select.i.i.i, 0
  br i1 %cmp25.not22.i.i.i, label %widened.exit.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %if.then28.i.i, %for.body.i.i.i
  %power.024.i.i.i = phi i32 [ %power.1.i.i.i, %for.body.i.i.i ], [ %spec.select.i.i.i, %if.then28.i.i ]
  %value.123.i.i.i = phi double [ %value.2.i.i.i, %for.body.i.i.i ], [ %value.0.i.i.i, %if.then28.i.i ]
  %cmp27.i.i.i = icmp sgt i32 %power.024.i.i.i, 0
  %value.2.v.i.i.i = select i1 %cmp27.i.i.i, double 2.000000e+00, double 5.000000e-01
  %value.2.i.i.i = fmul double %value.123.i.i.i, %value.2.v.i.i.i
  %power.1.v.i.i.i = select i1 %cmp27.i.i.i, i32 -1, i32 1
  %power.1.i.i.i = add nsw i32 %power.1.v.i.i.i, %power.024.i.i.i
  %cmp25.not.i.i.i = icmp eq i32 %power.1.i.i.i, 0
  br i1 %cmp25.not.i.i.i, label %widened.exit.i.i, label %for.body.i.i.i

widened.exit.i.i:                                 ; preds = %for.body.i.i.i, %if.then28.i.i
  %value.1.lcssa.i.i.i = phi double [ %value.0.i.i.i, %if.then28.i.i ], [ %value.2.i.i.i, %for.body.i.i.i ]
  %51 = and i32 %conv29.i.i, 32768
  %tobool.not.i.i.i = icmp eq i32 %51, 0
  %fneg.i.i.i = fneg double %value.1.lcssa.i.i.i
  %cond38.i.i.i = select i1 %tobool.not.i.i.i, double %value.1.lcssa.i.i.i, double %fneg.i.i.i
  call fastcc void @write_float(ptr noundef nonnull %text.i57, double noundef %cond38.i.i.i) #15
  br label %write_element.exit.i

if.else31.i.i:                                    ; preds = %if.else25.i.i
  %trunc.i.i = trunc i32 %45 to i8
  switch i8 %trunc.i.i, label %if.else55.i.i [
    i8 4, label %if.then34.i.i
    i8 0, label %if.then40.i.i
    i8 6, label %if.then50.i.i
  ]

if.then34.i.i:                                    ; preds = %if.else31.i.i
  %conv35.i.i = trunc i64 %value.0.lcssa.i.i to i32
  %shr.i35.i.i = lshr i32 %conv35.i.i, 7
  %and.i36.i.i = and i32 %shr.i35.i.i, 255
  %and6.i37.i.i = and i32 %conv35.i.i, 127
  %conv.i38.i.i = uitofp nneg i32 %and6.i37.i.i to double
  %div.i39.i.i = fmul double %conv.i38.i.i, 7.812500e-03
  %cmp.i40.i.i = icmp eq i32 %and.i36.i.i, 0
  %add.i41.i.i = fadd double %div.i39.i.i, 1.000000e+00
  %cond.i42.i.i = select i1 %cmp.i40.i.i, double %div.i39.i.i, double %add.i41.i.i
  %cmp12.i43.i.i = icmp eq i32 %and.i36.i.i, 255
  %cmp14.i44.i.i = fcmp oeq double %div.i39.i.i, 0.000000e+00
  %cond16.i45.i.i = select i1 %cmp14.i44.i.i, double 0x7FF0000000000000, double 0x7FF8000000000000
  %value.0.i46.i.i = select i1 %cmp12.i43.i.i, double %cond16.i45.i.i, double %cond.i42.i.i
  %sub22.i47.i.i = add nsw i32 %and.i36.i.i, -127
  %spec.select.i48.i.i = select i1 %cmp.i40.i.i, i32 -126, i32 %sub22.i47.i.i
  %cmp25.not22.i49.i.i = icmp eq i32 %spec.select.i48.i.i, 0
  br i1 %cmp25.not22.i49.i.i, label %widened.exit63.i.i, label %for.body.i50.i.i

for.body.i50.i.i:                                 ; preds = %if.then34.i.i, %for.body.i50.i.i
  %power.024.i51.i.i = phi i32 [ %power.1.i57.i.i, %for.body.i50.i.i ], [ %spec.select.i48.i.i, %if.then34.i.i ]
  %value.123.i52.i.i = phi double [ %value.2.i55.i.i, %for.body.i50.i.i ], [ %value.0.i46.i.i, %if.then34.i.i ]
  %cmp27.i53.i.i = icmp sgt i32 %power.024.i51.i.i, 0
  %value.2.v.i54.i.i = select i1 %cmp27.i53.i.i, double 2.000000e+00, double 5.000000e-01
  %value.2.i55.i.i = fmul double %value.123.i52.i.i, %value.2.v.i54.i.i
  %power.1.v.i56.i.i = select i1 %cmp27.i53.i.i, i32 -1, i32 1
  %power.1.i57.i.i = add nsw i32 %power.1.v.i56.i.i, %power.024.i51.i.i
  %cmp25.not.i58.i.i = icmp eq i32 %power.1.i57.i.i, 0
  br i1 %cmp25.not.i58.i.i, label %widened.exit63.i.i, label %for.body.i50.i.i

widened.exit63.i.i:                               ; preds = %for.body.i50.i.i, %if.then34.i.i
  %value.1.lcssa.i59.i.i = phi double [ %value.0.i46.i.i, %if.then34.i.i ], [ %value.2.i55.i.i, %for.body.i50.i.i ]
  %52 = and i32 %conv35.i.i, 32768
  %tobool.not.i60.i.i = icmp eq i32 %52, 0
  %fneg.i61.i.i = fneg double %value.1.lcssa.i59.i.i
  %cond38.i62.i.i = select i1 %tobool.not.i60.i.i, double %value.1.lcssa.i59.i.i, double %fneg.i61.i.i
  call fastcc void @write_float(ptr noundef nonnull %text.i57, double noundef %cond38.i62.i.i) #15
  br label %write_element.exit.i

if.then40.i.i:                                    ; preds = %if.else31.i.i
  %mul.i.i = shl nuw nsw i64 %conv.i.i72, 3
  %sub42.i.i = sub nsw i64 64, %mul.i.i
  %sh_prom.i.i = and i64 %sub42.i.i, 4294967288
  %shl43.i.i = shl i64 %value.0.lcssa.i.i, %sh_prom.i.i
  %shr45.i.i = ashr exact i64 %shl43.i.i, %sh_prom.i.i
  %call46.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i57, i64 noundef 64, ptr noundef nonnull @.str.51, i64 noundef %shr45.i.i) #14
  br label %write_element.exit.i

if.then50.i.i:                                    ; preds = %if.else31.i.i
  %cmp51.not.i.i = icmp eq i64 %value.0.lcssa.i.i, 0
  %cond53.i.i = select i1 %cmp51.not.i.i, ptr @.str.27, ptr @.str.56
  %call54.i.i = call ptr @strcpy(ptr noundef nonnull %text.i57, ptr noundef nonnull %cond53.i.i) #14
  br label %write_element.exit.i

if.else55.i.i:                                    ; preds = %if.else31.i.i
  %cmp56.i.i = icmp eq i32 %and.i50.i, 1
  %cond58.i.i = select i1 %cmp56.i.i, ptr @.str.57, ptr @.str.58
  %call59.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i57, i64 noundef 64, ptr noundef nonnull %cond58.i.i, i64 noundef %value.0.lcssa.i.i) #14
  br label %write_element.exit.i

write_element.exit.i:                             ; preds = %if.else55.i.i, %if.then50.i.i, %if.then40.i.i, %widened.exit63.i.i, %widened.exit.i.i, %if.then21.i.i, %if.then.i.i
  %add.i = add nuw nsw i64 %index.094.i186, 1
  %call.i55.i = call i64 @strlen(ptr noundef nonnull %text.i57) #17
  br label %while.cond.i.i56.i

while.cond.i.i56.i:                               ; preds = %while.body.i.i60.i, %write_element.exit.i
  %count.addr.0.i.i57.i = phi i64 [ %call.i55.i, %write_element.exit.i ], [ %sub.i.i64.i, %while.body.i.i60.i ]
  %at.0.i.i58.i = phi ptr [ %text.i57, %write_element.exit.i ], [ %add.ptr.i.i63.i, %while.body.i.i60.i ]
  %cmp.not.i.i59.i = icmp eq i64 %count.addr.0.i.i57.i, 0
  br i1 %cmp.not.i.i59.i, label %land.rhs42.i, label %while.body.i.i60.i

while.body.i.i60.i:                               ; preds = %while.cond.i.i56.i
  %call.i.i61.i = call i64 @write(i32 noundef signext 1, ptr noundef %at.0.i.i58.i, i64 noundef %count.addr.0.i.i57.i) #14
  %cmp1.i.i62.i = icmp sgt i64 %call.i.i61.i, 0
  %add.ptr.i.i63.i = getelementptr inbounds nuw i8, ptr %at.0.i.i58.i, i64 %call.i.i61.i
  %sub.i.i64.i = sub i64 %count.addr.0.i.i57.i, %call.i.i61.i
  br i1 %cmp1.i.i62.i, label %while.cond.i.i56.i, label %if.then113

land.rhs42.i:                                     ; preds = %while.cond.i.i56.i
  %rem.i = srem i64 %add.i, %cond24.i
  %cmp36.i = icmp eq i64 %rem.i, 0
  %cmp38.i = icmp eq i64 %add.i, %spec.select.i.i
  %53 = select i1 %cmp36.i, i1 true, i1 %cmp38.i
  %cond44.i = select i1 %53, ptr @.str.36, ptr @.str.53
  %call.i66.i = call i64 @strlen(ptr noundef nonnull %cond44.i) #17
  br label %while.cond.i.i67.i

while.cond.i.i67.i:                               ; preds = %while.body.i.i71.i, %land.rhs42.i
  %count.addr.0.i.i68.i = phi i64 [ %call.i66.i, %land.rhs42.i ], [ %sub.i.i75.i, %while.body.i.i71.i ]
  %at.0.i.i69.i = phi ptr [ %cond44.i, %land.rhs42.i ], [ %add.ptr.i.i74.i, %while.body.i.i71.i ]
  %cmp.not.i.i70.i = icmp eq i64 %count.addr.0.i.i68.i, 0
  br i1 %cmp.not.i.i70.i, label %land.lhs.true.i70.loopexit, label %while.body.i.i71.i

while.body.i.i71.i:                               ; preds = %while.cond.i.i67.i
  %call.i.i72.i = call i64 @write(i32 noundef signext 1, ptr noundef %at.0.i.i69.i, i64 noundef %count.addr.0.i.i68.i) #14
  %cmp1.i.i73.i = icmp sgt i64 %call.i.i72.i, 0
  %add.ptr.i.i74.i = getelementptr inbounds nuw i8, ptr %at.0.i.i69.i, i64 %call.i.i72.i
  %sub.i.i75.i = sub i64 %count.addr.0.i.i68.i, %call.i.i72.i
  br i1 %cmp1.i.i73.i, label %while.cond.i.i67.i, label %if.then113

if.then.i76:                                      ; preds = %for.cond.cleanup31.i
  %rem54.i = srem i64 %spec.select.i.i, %cond24.i
  %cmp55.i = icmp eq i64 %rem54.i, 0
  br i1 %cmp55.i, label %land.rhs56.i, label %land.end59.i

land.rhs56.i:                                     ; preds = %if.then.i76
  %rem57.i = srem i64 64, %cond24.i
  %cmp58.i = icmp eq i64 %rem57.i, 0
  %54 = select i1 %cmp58.i, ptr @.str.54, ptr @.str.55
  br label %land.end59.i

land.end59.i:                                     ; preds = %land.rhs56.i, %if.then.i76
  %cond60.i = phi ptr [ @.str.55, %if.then.i76 ], [ %54, %land.rhs56.i ]
  %call.i77.i = call i64 @strlen(ptr noundef nonnull %cond60.i) #17
  br label %while.cond.i.i78.i

while.cond.i.i78.i:                               ; preds = %while.body.i.i82.i, %land.end59.i
  %count.addr.0.i.i79.i = phi i64 [ %call.i77.i, %land.end59.i ], [ %sub.i.i86.i, %while.body.i.i82.i ]
  %at.0.i.i80.i = phi ptr [ %cond60.i, %land.end59.i ], [ %add.ptr.i.i85.i, %while.body.i.i82.i ]
  %cmp.not.i.i81.i = icmp eq i64 %count.addr.0.i.i79.i, 0
  br i1 %cmp.not.i.i81.i, label %for.inc116, label %while.body.i.i82.i

while.body.i.i82.i:                               ; preds = %while.cond.i.i78.i
  %call.i.i83.i = call i64 @write(i32 noundef signext 1, ptr noundef %at.0.i.i80.i, i64 noundef %count.addr.0.i.i79.i) #14
  %cmp1.i.i84.i = icmp sgt i64 %call.i.i83.i, 0
  %add.ptr.i.i85.i = getelementptr inbounds nuw i8, ptr %at.0.i.i80.i, i64 %call.i.i83.i
  %sub.i.i86.i = sub i64 %count.addr.0.i.i79.i, %call.i.i83.i
  br i1 %cmp1.i.i84.i, label %while.cond.i.i78.i, label %if.then113

if.then113:                                       ; preds = %cond.end.i, %while.body.i.i82.i, %while.body.i.i60.i, %while.body.i.i71.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i57) #16
  call fastcc void @fail(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.3) #15
  br label %cleanup122

for.inc116:                                       ; preds = %while.cond.i.i78.i, %land.lhs.true.lr.ph.i, %for.cond.cleanup31.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i57) #16
  %inc117 = add nuw nsw i32 %index100.0188, 1
  %exitcond252.not = icmp eq i32 %inc117, %call90
  br i1 %exitcond252.not, label %cleanup122, label %for.body105

cleanup122:                                       ; preds = %read_word.exit, %for.inc116, %if.then113, %for.cond101.preheader, %read_word.exit.thread, %cleanup57, %cleanup87.thread, %request_tiles.exit, %cleanup.thread, %if.then97, %for.end89, %lor.lhs.false, %if.then
  %retval.0 = phi i32 [ 2, %if.then ], [ 2, %cleanup.thread ], [ 1, %request_tiles.exit ], [ 1, %cleanup87.thread ], [ 1, %cleanup57 ], [ 1, %lor.lhs.false ], [ 0, %for.inc116 ], [ %call98, %if.then97 ], [ 1, %for.end89 ], [ 1, %read_word.exit.thread ], [ 1, %if.then113 ], [ 0, %for.cond101.preheader ], [ 1, %read_word.exit ]
  ret i32 %retval.0
}

declare ptr @llvm.stacksave.p0() #1

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare ptr @memset(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr #0

define internal fastcc void @explain(ptr noundef %program) unnamed_addr #0 {
entry:
  %call.i = tail call i64 @strlen(ptr noundef nonnull @tw_signature) #17
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %entry
  %count.addr.0.i.i = phi i64 [ %call.i, %entry ], [ %sub.i.i, %while.body.i.i ]
  %at.0.i.i = phi ptr [ @tw_signature, %entry ], [ %add.ptr.i.i, %while.body.i.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %print.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i.i = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #14
  %cmp1.i.i = icmp sgt i64 %call.i.i, 0
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i.i
  %sub.i.i = sub i64 %count.addr.0.i.i, %call.i.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %print.exit

print.exit:                                       ; preds = %while.cond.i.i, %while.body.i.i
  %call.i1 = tail call i64 @strlen(ptr noundef nonnull @.str.4) #17
  br label %while.cond.i.i2

while.cond.i.i2:                                  ; preds = %while.body.i.i6, %print.exit
  %count.addr.0.i.i3 = phi i64 [ %call.i1, %print.exit ], [ %sub.i.i10, %while.body.i.i6 ]
  %at.0.i.i4 = phi ptr [ @.str.4, %print.exit ], [ %add.ptr.i.i9, %while.body.i.i6 ]
  %cmp.not.i.i5 = icmp eq i64 %count.addr.0.i.i3, 0
  br i1 %cmp.not.i.i5, label %print.exit11, label %while.body.i.i6

while.body.i.i6:                                  ; preds = %while.cond.i.i2
  %call.i.i7 = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i4, i64 noundef %count.addr.0.i.i3) #14
  %cmp1.i.i8 = icmp sgt i64 %call.i.i7, 0
  %add.ptr.i.i9 = getelementptr inbounds nuw i8, ptr %at.0.i.i4, i64 %call.i.i7
  %sub.i.i10 = sub i64 %count.addr.0.i.i3, %call.i.i7
  br i1 %cmp1.i.i8, label %while.cond.i.i2, label %print.exit11

print.exit11:                                     ; preds = %while.cond.i.i2, %while.body.i.i6
  %call.i12 = tail call i64 @strlen(ptr noundef %program) #17
  br label %while.cond.i.i13

while.cond.i.i13:                                 ; preds = %while.body.i.i17, %print.exit11
  %count.addr.0.i.i14 = phi i64 [ %call.i12, %print.exit11 ], [ %sub.i.i21, %while.body.i.i17 ]
  %at.0.i.i15 = phi ptr [ %program, %print.exit11 ], [ %add.ptr.i.i20, %while.body.i.i17 ]
  %cmp.not.i.i16 = icmp eq i64 %count.addr.0.i.i14, 0
  br i1 %cmp.not.i.i16, label %print.exit22, label %while.body.i.i17

while.body.i.i17:                                 ; preds = %while.cond.i.i13
  %call.i.i18 = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i15, i64 noundef %count.addr.0.i.i14) #14
  %cmp1.i.i19 = icmp sgt i64 %call.i.i18, 0
  %add.ptr.i.i20 = getelementptr inbounds nuw i8, ptr %at.0.i.i15, i64 %call.i.i18
  %sub.i.i21 = sub i64 %count.addr.0.i.i14, %call.i.i18
  br i1 %cmp1.i.i19, label %while.cond.i.i13, label %print.exit22

print.exit22:                                     ; preds = %while.cond.i.i13, %while.body.i.i17
  %call.i23 = tail call i64 @strlen(ptr noundef nonnull @.str.5) #17
  br label %while.cond.i.i24

while.cond.i.i24:                                 ; preds = %while.body.i.i28, %print.exit22
  %count.addr.0.i.i25 = phi i64 [ %call.i23, %print.exit22 ], [ %sub.i.i32, %while.body.i.i28 ]
  %at.0.i.i26 = phi ptr [ @.str.5, %print.exit22 ], [ %add.ptr.i.i31, %while.body.i.i28 ]
  %cmp.not.i.i27 = icmp eq i64 %count.addr.0.i.i25, 0
  br i1 %cmp.not.i.i27, label %print.exit33, label %while.body.i.i28

while.body.i.i28:                                 ; preds = %while.cond.i.i24
  %call.i.i29 = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i26, i64 noundef %count.addr.0.i.i25) #14
  %cmp1.i.i30 = icmp sgt i64 %call.i.i29, 0
  %add.ptr.i.i31 = getelementptr inbounds nuw i8, ptr %at.0.i.i26, i64 %call.i.i29
  %sub.i.i32 = sub i64 %count.addr.0.i.i25, %call.i.i29
  br i1 %cmp1.i.i30, label %while.cond.i.i24, label %print.exit33

print.exit33:                                     ; preds = %while.cond.i.i24, %while.body.i.i28
  ret void
}

declare i64 @strlen(ptr noundef) local_unnamed_addr #3

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define internal fastcc void @fail(ptr noundef %where, ptr noundef %rule) unnamed_addr #0 {
entry:
  %text = alloca [1024 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %text) #16
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %where, ptr noundef %rule) #14
  %call.i = call i64 @strlen(ptr noundef nonnull %text) #17
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %entry
  %count.addr.0.i.i = phi i64 [ %call.i, %entry ], [ %sub.i.i, %while.body.i.i ]
  %at.0.i.i = phi ptr [ %text, %entry ], [ %add.ptr.i.i, %while.body.i.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %print.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #14
  %cmp1.i.i = icmp sgt i64 %call.i.i, 0
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i.i
  %sub.i.i = sub i64 %count.addr.0.i.i, %call.i.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %print.exit

print.exit:                                       ; preds = %while.cond.i.i, %while.body.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text) #16
  ret void
}

define internal fastcc signext range(i32 0, 2) i32 @choose(ptr noundef nonnull %arguments) unnamed_addr #0 {
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
  call void @llvm.lifetime.start.p0(ptr nonnull %program) #16
  %cmp115 = icmp sgt i32 %0, 0
  br i1 %cmp115, label %for.body.preheader, label %for.cond.cleanup.thread

for.body.preheader:                               ; preds = %if.end
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %call = call signext i32 @__tw_choose(ptr noundef nonnull %vla, i32 noundef signext %0, ptr noundef nonnull %program) #14
  %cmp7.not = icmp eq i32 %call, 0
  br i1 %cmp7.not, label %for.body15.preheader, label %if.then8

for.cond.cleanup.thread:                          ; preds = %if.end
  %call26 = call signext i32 @__tw_choose(ptr noundef nonnull %vla, i32 noundef signext %0, ptr noundef nonnull %program) #14
  %cmp7.not27 = icmp eq i32 %call26, 0
  br i1 %cmp7.not27, label %for.cond.cleanup14, label %if.then8

for.body15.preheader:                             ; preds = %for.cond.cleanup
  %wide.trip.count24 = zext nneg i32 %0 to i64
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
  call fastcc void @report() #15
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
  %indvars.iv21 = phi i64 [ 0, %for.body15.preheader ], [ %indvars.iv.next22, %for.inc31 ]
  %left.019 = phi i32 [ 0, %for.body15.preheader ], [ %left.1, %for.inc31 ]
  %11 = trunc nuw nsw i64 %indvars.iv21 to i32
  %call16 = call signext i32 @__tw_is_bound(i32 noundef signext %11) #14
  %cmp17 = icmp eq i32 %call16, 0
  br i1 %cmp17, label %if.then18, label %for.inc31

if.then18:                                        ; preds = %for.body15
  %idxprom19 = sext i32 %left.019 to i64
  %arrayidx20 = getelementptr inbounds %struct.argument, ptr %arguments, i64 %idxprom19
  %arrayidx22 = getelementptr inbounds nuw %struct.argument, ptr %arguments, i64 %indvars.iv21
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(304) %arrayidx20, ptr noundef nonnull align 8 dereferenceable(304) %arrayidx22, i64 304, i1 false)
  %shape = getelementptr inbounds nuw i8, ptr %arrayidx20, i64 48
  %shape28 = getelementptr inbounds nuw i8, ptr %arrayidx20, i64 24
  store ptr %shape, ptr %shape28, align 8
  %inc29 = add nsw i32 %left.019, 1
  br label %for.inc31

for.inc31:                                        ; preds = %for.body15, %if.then18
  %left.1 = phi i32 [ %inc29, %if.then18 ], [ %left.019, %for.body15 ]
  %indvars.iv.next22 = add nuw nsw i64 %indvars.iv21, 1
  %exitcond25.not = icmp eq i64 %indvars.iv.next22, %wide.trip.count24
  br i1 %exitcond25.not, label %for.cond.cleanup14, label %for.body15

cleanup:                                          ; preds = %for.cond.cleanup14, %if.then8
  %retval.1 = phi i32 [ 1, %if.then8 ], [ 0, %for.cond.cleanup14 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %program) #16
  call void @llvm.stackrestore.p0(ptr %3)
  br label %return

return:                                           ; preds = %entry, %cleanup
  %retval.0 = phi i32 [ %retval.1, %cleanup ], [ 0, %entry ]
  ret i32 %retval.0
}

define internal fastcc signext i32 @run(ptr noundef nonnull %arguments) unnamed_addr #0 {
entry:
  %processors = alloca [16 x i64], align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %processors) #16
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %processors, i8 0, i64 128, i1 false)
  %call = call signext i32 @sched_getaffinity(i32 noundef signext 0, i64 noundef 128, ptr noundef nonnull %processors) #14
  %cmp = icmp sgt i32 %call, -1
  br i1 %cmp, label %for.body, label %if.end

for.cond.cleanup:                                 ; preds = %for.body
  %0 = call i32 @llvm.smax.i32(i32 %add, i32 1)
  br label %if.end

for.body:                                         ; preds = %entry, %for.body
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %entry ]
  %threads.117 = phi i32 [ %add, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %processors, i64 %indvars.iv
  %1 = load i64, ptr %arrayidx, align 8
  %2 = call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %1)
  %cast = trunc nuw nsw i64 %2 to i32
  %add = add nuw nsw i32 %threads.117, %cast
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 16
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end:                                           ; preds = %for.cond.cleanup, %entry
  %threads.0 = phi i32 [ %0, %for.cond.cleanup ], [ 1, %entry ]
  store ptr @__tw_pool_run, ptr @__tw_pool, align 8
  store i32 %threads.0, ptr @__tw_default_threads, align 4
  %call3 = call fastcc signext i32 @make_outputs(ptr noundef %arguments) #15
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %lor.lhs.false, label %cleanup49

lor.lhs.false:                                    ; preds = %if.end
  %3 = load ptr, ptr @model.0, align 8
  %4 = load i32, ptr @model.5, align 4
  %call5 = call fastcc signext i32 @call(ptr noundef %3, ptr noundef %arguments, i32 noundef signext %4, ptr noundef null) #15
  %cmp6.not = icmp eq i32 %call5, 0
  br i1 %cmp6.not, label %if.end8, label %cleanup49

if.end8:                                          ; preds = %lor.lhs.false
  %5 = load ptr, ptr @model.3, align 8
  %6 = load i32, ptr @model.4, align 8
  %7 = load i32, ptr @model.5, align 4
  %cmp1024 = icmp slt i32 %6, %7
  br i1 %cmp1024, label %for.cond13.preheader.lr.ph, label %if.then27

for.cond13.preheader.lr.ph:                       ; preds = %if.end8
  %8 = load ptr, ptr @model.2, align 8
  %9 = sext i32 %6 to i64
  %wide.trip.count = sext i32 %7 to i64
  br label %for.cond13.preheader

for.cond13.preheader:                             ; preds = %for.cond13.preheader.lr.ph, %for.cond.cleanup17
  %indvars.iv35 = phi i64 [ %9, %for.cond13.preheader.lr.ph ], [ %indvars.iv.next36, %for.cond.cleanup17 ]
  %entries.026 = phi ptr [ %5, %for.cond13.preheader.lr.ph ], [ %entries.1.lcssa, %for.cond.cleanup17 ]
  %is_open.025 = phi i8 [ 0, %for.cond13.preheader.lr.ph ], [ %is_open.1.lcssa, %for.cond.cleanup17 ]
  %arrayidx15 = getelementptr inbounds %struct.tw_spec, ptr %8, i64 %indvars.iv35
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx15, i64 40
  %10 = load i32, ptr %rank, align 8
  %cmp1619 = icmp sgt i32 %10, 0
  br i1 %cmp1619, label %for.body18, label %for.cond.cleanup17

for.cond.cleanup11:                               ; preds = %for.cond.cleanup17
  %11 = trunc nuw i8 %is_open.1.lcssa to i1
  br i1 %11, label %for.cond30.preheader, label %if.then27

for.cond30.preheader:                             ; preds = %for.cond.cleanup11
  %sub31 = add nsw i32 %7, -1
  %cmp3230 = icmp slt i32 %6, %sub31
  br i1 %cmp3230, label %for.body34.lr.ph, label %for.cond.cleanup33

for.body34.lr.ph:                                 ; preds = %for.cond30.preheader
  %idxprom38 = sext i32 %sub31 to i64
  %arrayidx39 = getelementptr inbounds %struct.argument, ptr %arguments, i64 %idxprom38
  %12 = load ptr, ptr @model.2, align 8
  %13 = sext i32 %6 to i64
  br label %for.body34

for.cond.cleanup17:                               ; preds = %lor.end, %for.cond13.preheader
  %is_open.1.lcssa = phi i8 [ %is_open.025, %for.cond13.preheader ], [ %storedv, %lor.end ]
  %entries.1.lcssa = phi ptr [ %entries.026, %for.cond13.preheader ], [ %entries.2, %lor.end ]
  %indvars.iv.next36 = add nsw i64 %indvars.iv35, 1
  %exitcond37.not = icmp eq i64 %indvars.iv.next36, %wide.trip.count
  br i1 %exitcond37.not, label %for.cond.cleanup11, label %for.cond13.preheader

for.body18:                                       ; preds = %for.cond13.preheader, %lor.end
  %axis.022 = phi i32 [ %inc21, %lor.end ], [ 0, %for.cond13.preheader ]
  %entries.121 = phi ptr [ %entries.2, %lor.end ], [ %entries.026, %for.cond13.preheader ]
  %is_open.120 = phi i8 [ %storedv, %lor.end ], [ %is_open.025, %for.cond13.preheader ]
  %loadedv = trunc nuw i8 %is_open.120 to i1
  br i1 %loadedv, label %lor.end, label %lor.rhs

lor.rhs:                                          ; preds = %for.body18
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %entries.121, i64 4
  %14 = load i32, ptr %entries.121, align 4
  %cmp19 = icmp sgt i32 %14, -1
  %15 = zext i1 %cmp19 to i8
  br label %lor.end

lor.end:                                          ; preds = %lor.rhs, %for.body18
  %entries.2 = phi ptr [ %entries.121, %for.body18 ], [ %incdec.ptr, %lor.rhs ]
  %storedv = phi i8 [ 1, %for.body18 ], [ %15, %lor.rhs ]
  %inc21 = add nuw nsw i32 %axis.022, 1
  %exitcond34.not = icmp eq i32 %inc21, %10
  br i1 %exitcond34.not, label %for.cond.cleanup17, label %for.body18

if.then27:                                        ; preds = %if.end8, %for.cond.cleanup11
  %sub = sub nsw i32 %7, %6
  br label %cleanup49

for.cond.cleanup33:                               ; preds = %cut.exit, %for.cond30.preheader
  %16 = xor i32 %6, -1
  %sub47 = add i32 %7, %16
  br label %cleanup49

for.body34:                                       ; preds = %for.body34.lr.ph, %cut.exit
  %indvars.iv38 = phi i64 [ %13, %for.body34.lr.ph ], [ %indvars.iv.next39, %cut.exit ]
  %entries.331 = phi ptr [ %5, %for.body34.lr.ph ], [ %add.ptr, %cut.exit ]
  %arrayidx36 = getelementptr inbounds %struct.argument, ptr %arguments, i64 %indvars.iv38
  %17 = load ptr, ptr %arrayidx39, align 8
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx36, i64 16
  %18 = load i32, ptr %rank.i, align 8
  %cmp7.i = icmp sgt i32 %18, 0
  br i1 %cmp7.i, label %for.body.lr.ph.i, label %cut.exit

for.body.lr.ph.i:                                 ; preds = %for.body34
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx36, i64 48
  %wide.trip.count.i = zext nneg i32 %18 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i32, ptr %entries.331, i64 %indvars.iv.i
  %19 = load i32, ptr %arrayidx.i, align 4
  %cmp1.i = icmp sgt i32 %19, -1
  br i1 %cmp1.i, label %if.then.i, label %for.inc.i

if.then.i:                                        ; preds = %for.body.i
  %idxprom4.i = zext nneg i32 %19 to i64
  %arrayidx5.i = getelementptr inbounds nuw i64, ptr %17, i64 %idxprom4.i
  %20 = load i64, ptr %arrayidx5.i, align 8
  %arrayidx7.i = getelementptr inbounds nuw i64, ptr %shape.i, i64 %indvars.iv.i
  store i64 %20, ptr %arrayidx7.i, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then.i, %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %cut.exit, label %for.body.i

cut.exit:                                         ; preds = %for.inc.i, %for.body34
  %arrayidx41 = getelementptr inbounds %struct.tw_spec, ptr %12, i64 %indvars.iv38
  %rank42 = getelementptr inbounds nuw i8, ptr %arrayidx41, i64 40
  %21 = load i32, ptr %rank42, align 8
  %idx.ext = sext i32 %21 to i64
  %add.ptr = getelementptr inbounds i32, ptr %entries.331, i64 %idx.ext
  %indvars.iv.next39 = add nsw i64 %indvars.iv38, 1
  %exitcond42.not = icmp eq i64 %indvars.iv.next39, %idxprom38
  br i1 %exitcond42.not, label %for.cond.cleanup33, label %for.body34

cleanup49:                                        ; preds = %if.then27, %for.cond.cleanup33, %if.end, %lor.lhs.false
  %retval.0 = phi i32 [ -1, %if.end ], [ -1, %lor.lhs.false ], [ %sub47, %for.cond.cleanup33 ], [ %sub, %if.then27 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %processors) #16
  ret i32 %retval.0
}

define internal fastcc signext range(i32 0, 2) i32 @save(ptr noundef nonnull %path, ptr noundef nonnull readonly captures(none) %outputs, i32 noundef signext range(i32 0, -2147483648) %count) unnamed_addr #0 {
entry:
  %text.i41 = alloca [1024 x i8], align 1
  %end.i = alloca [22 x i8], align 1
  %shape.i.i = alloca [700 x i8], align 1
  %kind.i.i = alloca [2 x i8], align 1
  %header.i = alloca [1024 x i8], align 1
  %local.i = alloca [30 x i8], align 1
  %text.i = alloca [1024 x i8], align 1
  %call = tail call i64 @strlen(ptr noundef nonnull %path) #17
  %cmp = icmp ugt i64 %call, 4
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %add.ptr = getelementptr inbounds nuw i8, ptr %path, i64 %call
  %add.ptr1 = getelementptr inbounds i8, ptr %add.ptr, i64 -4
  %call2 = tail call signext i32 @memcmp(ptr noundef nonnull %add.ptr1, ptr noundef nonnull @.str.38, i64 noundef 4) #17
  %cmp3 = icmp eq i32 %call2, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %0 = phi i1 [ false, %entry ], [ %cmp3, %land.rhs ]
  %cmp4 = icmp eq i32 %count, 1
  %or.cond.not = or i1 %cmp4, %0
  br i1 %or.cond.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #16
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %path, ptr noundef nonnull @.str.39) #14
  %call.i.i = call i64 @strlen(ptr noundef nonnull %text.i) #17
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then
  %count.addr.0.i.i.i = phi i64 [ %call.i.i, %if.then ], [ %sub.i.i.i, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then ], [ %add.ptr.i.i.i, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %fail.exit, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #14
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i, 0
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i
  %sub.i.i.i = sub i64 %count.addr.0.i.i.i, %call.i.i.i
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %fail.exit

fail.exit:                                        ; preds = %while.cond.i.i.i, %while.body.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #16
  br label %cleanup

if.end:                                           ; preds = %land.end
  %call6 = tail call signext i32 (ptr, i32, ...) @open(ptr noundef nonnull %path, i32 noundef signext 524865, i32 noundef signext 438) #14
  %1 = zext nneg i32 %count to i64
  %2 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.member, i64 %1, align 8
  %3 = shl nuw nsw i64 %1, 6
  %call7 = call ptr @memset(ptr noundef nonnull %vla, i32 noundef signext 0, i64 noundef %3) #14
  %cmp8 = icmp sgt i32 %call6, -1
  %cmp1260 = icmp ne i32 %count, 0
  %4 = and i1 %cmp8, %cmp1260
  br i1 %4, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %arrayinit.element.i.i = getelementptr inbounds nuw i8, ptr %kind.i.i, i64 1
  %add.ptr8.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 10
  %add.ptr36.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 8
  %arrayidx43.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 9
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
  call void @llvm.lifetime.start.p0(ptr nonnull %header.i) #16
  %dtype1.i.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 20
  %10 = load i32, ptr %dtype1.i.i, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %shape.i.i) #16
  %call.i.i25 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %shape.i.i, i64 noundef 700, ptr noundef nonnull @.str.43) #14
  %rank.i.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 16
  %11 = load i32, ptr %rank.i.i, align 8
  %cmp26.i.i = icmp sgt i32 %11, 0
  br i1 %cmp26.i.i, label %for.body.lr.ph.i.i, label %for.cond.cleanup.i.i

for.body.lr.ph.i.i:                               ; preds = %if.end25
  %shape4.i.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 48
  br label %for.body.i.i

for.cond.cleanup.i.i:                             ; preds = %for.body.i.i, %if.end25
  call void @llvm.lifetime.start.p0(ptr nonnull %kind.i.i) #16
  %and.i.i = and i32 %10, 255
  %idxprom6.i.i = zext nneg i32 %and.i.i to i64
  %arrayidx7.i.i = getelementptr inbounds nuw i8, ptr @write_header.kinds, i64 %idxprom6.i.i
  %12 = load i8, ptr %arrayidx7.i.i, align 1
  store i8 %12, ptr %kind.i.i, align 1
  store i8 0, ptr %arrayinit.element.i.i, align 1
  %13 = shl nuw i64 1, %idxprom6.i.i
  %14 = and i64 %13, 262040
  %cmp11.not.i.i = icmp ne i64 %14, 0
  %shr.i.i.i = lshr i32 %10, 8
  %and.i.i.i = and i32 %shr.i.i.i, 255
  %add.i.i.i = add nuw nsw i32 %and.i.i.i, 7
  %div1.i.mask.i.i = and i32 %add.i.i.i, 504
  %cmp14.i.i = icmp eq i32 %div1.i.mask.i.i, 8
  %or.cond.i.i = select i1 %cmp11.not.i.i, i1 true, i1 %cmp14.i.i
  br i1 %or.cond.i.i, label %write_header.exit.i, label %cond.false.i.i

for.body.i.i:                                     ; preds = %for.body.i.i, %for.body.lr.ph.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %indvars.iv.next.i.i, %for.body.i.i ]
  %length.028.i.i = phi i32 [ %call.i.i25, %for.body.lr.ph.i.i ], [ %add.i.i, %for.body.i.i ]
  %idx.ext.i.i = sext i32 %length.028.i.i to i64
  %add.ptr.i.i = getelementptr inbounds i8, ptr %shape.i.i, i64 %idx.ext.i.i
  %sub.i.i = sub nsw i64 700, %idx.ext.i.i
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %shape4.i.i, i64 %indvars.iv.i.i
  %15 = load i64, ptr %arrayidx.i.i, align 8
  %call5.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i.i, i64 noundef %sub.i.i, ptr noundef nonnull @.str.44, i64 noundef %15) #14
  %add.i.i = add nsw i32 %call5.i.i, %length.028.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %16 = load i32, ptr %rank.i.i, align 8
  %17 = sext i32 %16 to i64
  %cmp.i.i = icmp slt i64 %indvars.iv.next.i.i, %17
  br i1 %cmp.i.i, label %for.body.i.i, label %for.cond.cleanup.i.i

cond.false.i.i:                                   ; preds = %for.cond.cleanup.i.i
  %18 = load i8, ptr @tw_byte_order, align 1
  %cmp17.i.i = icmp eq i8 %18, 60
  %cond.i.i = select i1 %cmp17.i.i, ptr @.str.47, ptr @.str.48
  br label %write_header.exit.i

write_header.exit.i:                              ; preds = %cond.false.i.i, %for.cond.cleanup.i.i
  %cond19.i.i = phi ptr [ %cond.i.i, %cond.false.i.i ], [ @.str.46, %for.cond.cleanup.i.i ]
  %div1.i24.i.i = lshr i32 %add.i.i.i, 3
  %call24.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr8.i.i, i64 noundef 1014, ptr noundef nonnull @.str.45, ptr noundef nonnull %cond19.i.i, ptr noundef nonnull %kind.i.i, i32 noundef signext %div1.i24.i.i, ptr noundef nonnull %shape.i.i) #14
  %add25.i.i = add nsw i32 %call24.i.i, 10
  %add26.i.i = add nsw i32 %call24.i.i, 74
  %div.i.i = sdiv i32 %add26.i.i, 64
  %mul.i.i = shl nsw i32 %div.i.i, 6
  %idx.ext27.i.i = sext i32 %add25.i.i to i64
  %add.ptr28.i.i = getelementptr inbounds i8, ptr %header.i, i64 %idx.ext27.i.i
  %sub29.i.i = sub nsw i32 %mul.i.i, %add25.i.i
  %conv30.i.i = sext i32 %sub29.i.i to i64
  %call31.i.i = call ptr @memset(ptr noundef nonnull %add.ptr28.i.i, i32 noundef signext 32, i64 noundef %conv30.i.i) #14
  %19 = sext i32 %mul.i.i to i64
  %20 = getelementptr i8, ptr %header.i, i64 %19
  %arrayidx34.i.i = getelementptr i8, ptr %20, i64 -1
  store i8 10, ptr %arrayidx34.i.i, align 1
  %call35.i.i = call ptr @memcpy(ptr noundef nonnull %header.i, ptr noundef nonnull @.str.49, i64 noundef 8) #14
  %sub37.i.i = add nsw i32 %mul.i.i, -10
  %conv39.i.i = trunc i32 %sub37.i.i to i8
  store volatile i8 %conv39.i.i, ptr %add.ptr36.i.i, align 1
  %shr.i.i = lshr i32 %sub37.i.i, 8
  %conv42.i.i = trunc i32 %shr.i.i to i8
  store volatile i8 %conv42.i.i, ptr %arrayidx43.i.i, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %kind.i.i) #16
  call void @llvm.lifetime.end.p0(ptr nonnull %shape.i.i) #16
  %shape.i = getelementptr inbounds nuw i8, ptr %arrayidx30, i64 48
  %rank.i = getelementptr inbounds nuw i8, ptr %arrayidx28, i64 40
  %21 = load i32, ptr %rank.i, align 8
  %cmp.not4.i.i = icmp sgt i32 %21, 0
  br i1 %cmp.not4.i.i, label %for.body.preheader.i.i, label %product.exit.i

for.body.preheader.i.i:                           ; preds = %write_header.exit.i
  %wide.trip.count.i.i = zext nneg i32 %21 to i64
  br label %for.body.i32.i

for.body.i32.i:                                   ; preds = %for.inc.i.i, %for.body.preheader.i.i
  %indvars.iv.i33.i = phi i64 [ 0, %for.body.preheader.i.i ], [ %indvars.iv.next.i35.i, %for.inc.i.i ]
  %count.05.i.i = phi i64 [ 1, %for.body.preheader.i.i ], [ %25, %for.inc.i.i ]
  %arrayidx.i34.i = getelementptr inbounds nuw i64, ptr %shape.i, i64 %indvars.iv.i33.i
  %22 = load i64, ptr %arrayidx.i34.i, align 8
  %23 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.05.i.i, i64 %22)
  %24 = extractvalue { i64, i1 } %23, 1
  br i1 %24, label %product.exit.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %for.body.i32.i
  %25 = extractvalue { i64, i1 } %23, 0
  %indvars.iv.next.i35.i = add nuw nsw i64 %indvars.iv.i33.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i35.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %product.exit.i, label %for.body.i32.i

product.exit.i:                                   ; preds = %for.inc.i.i, %for.body.i32.i, %write_header.exit.i
  %spec.select.i.i = phi i64 [ 1, %write_header.exit.i ], [ -1, %for.body.i32.i ], [ %25, %for.inc.i.i ]
  %dtype.i = getelementptr inbounds nuw i8, ptr %arrayidx28, i64 44
  %26 = load i32, ptr %dtype.i, align 4
  %shr.i36.i = lshr i32 %26, 8
  %and.i37.i = and i32 %shr.i36.i, 255
  %add.i38.i = add nuw nsw i32 %and.i37.i, 7
  %div1.i.i = lshr i32 %add.i38.i, 3
  %conv.i.i = zext nneg i32 %div1.i.i to i64
  %mul.i = mul nsw i64 %spec.select.i.i, %conv.i.i
  %cmp.not.i = icmp eq ptr %cond, null
  br i1 %cmp.not.i, label %while.cond.i62.i.preheader, label %if.then.i

while.cond.i62.i.preheader:                       ; preds = %if.end.i, %product.exit.i
  br label %while.cond.i62.i

if.then.i:                                        ; preds = %product.exit.i
  %call5.i = call fastcc signext i32 @checksum(i32 noundef signext 0, ptr noundef nonnull %header.i, i64 noundef %19) #15
  %27 = load ptr, ptr %arrayidx30, align 8
  %call6.i = call fastcc signext i32 @checksum(i32 noundef signext %call5.i, ptr noundef %27, i64 noundef %mul.i) #15
  %28 = load ptr, ptr %arrayidx28, align 8
  %call8.i = call i64 @strlen(ptr noundef %28) #17
  %add.i = add i64 %call8.i, 4
  %add10.i = add i64 %mul.i, %19
  %call13.i = call ptr @memset(ptr noundef nonnull %arrayidx, i32 noundef signext 0, i64 noundef 46) #14
  %call14.i = call ptr @memcpy(ptr noundef nonnull %arrayidx, ptr noundef nonnull @.str.41, i64 noundef 10) #14
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 14
  call fastcc void @store(ptr noundef %add.ptr.i, i64 noundef 33, i32 noundef signext 2) #15
  %add.ptr15.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %conv16.i = zext i32 %call6.i to i64
  call fastcc void @store(ptr noundef %add.ptr15.i, i64 noundef %conv16.i, i32 noundef signext 4) #15
  %add.ptr17.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  call fastcc void @store(ptr noundef %add.ptr17.i, i64 noundef %add10.i, i32 noundef signext 4) #15
  %add.ptr18.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  call fastcc void @store(ptr noundef %add.ptr18.i, i64 noundef %add10.i, i32 noundef signext 4) #15
  %add.ptr19.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 28
  call fastcc void @store(ptr noundef %add.ptr19.i, i64 noundef %add.i, i32 noundef signext 2) #15
  %add.ptr20.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 42
  %at.i = getelementptr inbounds nuw i8, ptr %cond, i64 48
  %29 = load i64, ptr %at.i, align 8
  call fastcc void @store(ptr noundef %add.ptr20.i, i64 noundef %29, i32 noundef signext 4) #15
  call void @llvm.lifetime.start.p0(ptr nonnull %local.i) #16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(30) %local.i, ptr noundef nonnull align 1 dereferenceable(30) @__const.put_array.local, i64 30, i1 false)
  %add.ptr23.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 6
  %call24.i = call ptr @memcpy(ptr noundef nonnull %add.ptr22.i, ptr noundef nonnull %add.ptr23.i, i64 noundef 26) #14
  %add25.i = add i64 %add10.i, 34
  %add26.i = add i64 %add25.i, %call8.i
  %size27.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  store i64 %add26.i, ptr %size27.i, align 8
  %30 = load i64, ptr %at.i, align 8
  %add30.i = add i64 %30, %add26.i
  %cmp31.i = icmp ugt i64 %add30.i, 4294967295
  br i1 %cmp31.i, label %cleanup.i, label %while.cond.i.i

while.cond.i.i:                                   ; preds = %if.then.i, %while.body.i.i
  %count.addr.0.i.i = phi i64 [ %sub.i41.i, %while.body.i.i ], [ 30, %if.then.i ]
  %at.0.i.i = phi ptr [ %add.ptr.i40.i, %while.body.i.i ], [ %local.i, %if.then.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %lor.lhs.false35.i, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i39.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #14
  %cmp1.i.i = icmp sgt i64 %call.i39.i, 0
  %add.ptr.i40.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i39.i
  %sub.i41.i = sub i64 %count.addr.0.i.i, %call.i39.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %cleanup.i

lor.lhs.false35.i:                                ; preds = %while.cond.i.i
  %31 = load ptr, ptr %arrayidx28, align 8
  br label %while.cond.i42.i

while.cond.i42.i:                                 ; preds = %while.body.i46.i, %lor.lhs.false35.i
  %count.addr.0.i43.i = phi i64 [ %call8.i, %lor.lhs.false35.i ], [ %sub.i50.i, %while.body.i46.i ]
  %at.0.i44.i = phi ptr [ %31, %lor.lhs.false35.i ], [ %add.ptr.i49.i, %while.body.i46.i ]
  %cmp.not.i45.i = icmp eq i64 %count.addr.0.i43.i, 0
  br i1 %cmp.not.i45.i, label %while.cond.i52.i, label %while.body.i46.i

while.body.i46.i:                                 ; preds = %while.cond.i42.i
  %call.i47.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i44.i, i64 noundef %count.addr.0.i43.i) #14
  %cmp1.i48.i = icmp sgt i64 %call.i47.i, 0
  %add.ptr.i49.i = getelementptr inbounds nuw i8, ptr %at.0.i44.i, i64 %call.i47.i
  %sub.i50.i = sub i64 %count.addr.0.i43.i, %call.i47.i
  br i1 %cmp1.i48.i, label %while.cond.i42.i, label %cleanup.i

while.cond.i52.i:                                 ; preds = %while.cond.i42.i, %while.body.i56.i
  %count.addr.0.i53.i = phi i64 [ %sub.i60.i, %while.body.i56.i ], [ 4, %while.cond.i42.i ]
  %at.0.i54.i = phi ptr [ %add.ptr.i59.i, %while.body.i56.i ], [ @.str.42, %while.cond.i42.i ]
  %cmp.not.i55.i = icmp eq i64 %count.addr.0.i53.i, 0
  br i1 %cmp.not.i55.i, label %if.end.i, label %while.body.i56.i

while.body.i56.i:                                 ; preds = %while.cond.i52.i
  %call.i57.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i54.i, i64 noundef %count.addr.0.i53.i) #14
  %cmp1.i58.i = icmp sgt i64 %call.i57.i, 0
  %add.ptr.i59.i = getelementptr inbounds nuw i8, ptr %at.0.i54.i, i64 %call.i57.i
  %sub.i60.i = sub i64 %count.addr.0.i53.i, %call.i57.i
  br i1 %cmp1.i58.i, label %while.cond.i52.i, label %cleanup.i

if.end.i:                                         ; preds = %while.cond.i52.i
  call void @llvm.lifetime.end.p0(ptr nonnull %local.i) #16
  br label %while.cond.i62.i.preheader

cleanup.i:                                        ; preds = %if.then.i, %while.body.i.i, %while.body.i46.i, %while.body.i56.i
  call void @llvm.lifetime.end.p0(ptr nonnull %local.i) #16
  br label %for.cond.cleanup.thread

while.cond.i62.i:                                 ; preds = %while.cond.i62.i.preheader, %while.body.i66.i
  %count.addr.0.i63.i = phi i64 [ %sub.i70.i, %while.body.i66.i ], [ %19, %while.cond.i62.i.preheader ]
  %at.0.i64.i = phi ptr [ %add.ptr.i69.i, %while.body.i66.i ], [ %header.i, %while.cond.i62.i.preheader ]
  %cmp.not.i65.i = icmp eq i64 %count.addr.0.i63.i, 0
  br i1 %cmp.not.i65.i, label %land.rhs.i, label %while.body.i66.i

while.body.i66.i:                                 ; preds = %while.cond.i62.i
  %call.i67.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i64.i, i64 noundef %count.addr.0.i63.i) #14
  %cmp1.i68.i = icmp sgt i64 %call.i67.i, 0
  %add.ptr.i69.i = getelementptr inbounds nuw i8, ptr %at.0.i64.i, i64 %call.i67.i
  %sub.i70.i = sub i64 %count.addr.0.i63.i, %call.i67.i
  br i1 %cmp1.i68.i, label %while.cond.i62.i, label %for.cond.cleanup.thread

land.rhs.i:                                       ; preds = %while.cond.i62.i
  %32 = load ptr, ptr %arrayidx30, align 8
  br label %while.cond.i72.i

while.cond.i72.i:                                 ; preds = %while.body.i76.i, %land.rhs.i
  %count.addr.0.i73.i = phi i64 [ %mul.i, %land.rhs.i ], [ %sub.i80.i, %while.body.i76.i ]
  %at.0.i74.i = phi ptr [ %32, %land.rhs.i ], [ %add.ptr.i79.i, %while.body.i76.i ]
  %cmp.not.i75.i = icmp eq i64 %count.addr.0.i73.i, 0
  br i1 %cmp.not.i75.i, label %put_array.exit, label %while.body.i76.i

while.body.i76.i:                                 ; preds = %while.cond.i72.i
  %call.i77.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i74.i, i64 noundef %count.addr.0.i73.i) #14
  %cmp1.i78.i = icmp sgt i64 %call.i77.i, 0
  %add.ptr.i79.i = getelementptr inbounds nuw i8, ptr %at.0.i74.i, i64 %call.i77.i
  %sub.i80.i = sub i64 %count.addr.0.i73.i, %call.i77.i
  br i1 %cmp1.i78.i, label %while.cond.i72.i, label %for.cond.cleanup.thread

for.cond.cleanup.thread:                          ; preds = %while.body.i66.i, %while.body.i76.i, %cleanup.i
  call void @llvm.lifetime.end.p0(ptr nonnull %header.i) #16
  br label %land.end37

put_array.exit:                                   ; preds = %while.cond.i72.i
  call void @llvm.lifetime.end.p0(ptr nonnull %header.i) #16
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp12 = icmp samesign ult i64 %indvars.iv.next, %1
  br i1 %cmp12, label %for.body, label %for.cond.cleanup

lor.rhs:                                          ; preds = %for.cond.cleanup
  call void @llvm.lifetime.start.p0(ptr nonnull %end.i) #16
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(22) %end.i, ptr noundef nonnull align 1 dereferenceable(22) @__const.put_directory.end, i64 22, i1 false)
  %cmp.not56.not.i = icmp eq i32 %count, 0
  br i1 %cmp.not56.not.i, label %for.end.i, label %for.body.i

for.body.i:                                       ; preds = %lor.rhs, %for.inc.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.inc.i ], [ 0, %lor.rhs ]
  %bytes.057.i = phi i64 [ %add11.i, %for.inc.i ], [ 0, %lor.rhs ]
  %33 = load ptr, ptr @model.2, align 8
  %34 = load i32, ptr @model.4, align 8
  %35 = trunc nuw nsw i64 %indvars.iv.i to i32
  %add.i26 = add nsw i32 %34, %35
  %idxprom.i = sext i32 %add.i26 to i64
  %arrayidx.i = getelementptr inbounds %struct.tw_spec, ptr %33, i64 %idxprom.i
  %36 = load ptr, ptr %arrayidx.i, align 8
  %arrayidx3.i = getelementptr inbounds nuw %struct.member, ptr %vla, i64 %indvars.iv.i
  br label %while.cond.i.i27

while.cond.i.i27:                                 ; preds = %while.body.i.i31, %for.body.i
  %count.addr.0.i.i28 = phi i64 [ 46, %for.body.i ], [ %sub.i.i35, %while.body.i.i31 ]
  %at.0.i.i29 = phi ptr [ %arrayidx3.i, %for.body.i ], [ %add.ptr.i.i34, %while.body.i.i31 ]
  %cmp.not.i.i30 = icmp eq i64 %count.addr.0.i.i28, 0
  br i1 %cmp.not.i.i30, label %lor.lhs.false.i, label %while.body.i.i31

while.body.i.i31:                                 ; preds = %while.cond.i.i27
  %call.i.i32 = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i.i29, i64 noundef %count.addr.0.i.i28) #14
  %cmp1.i.i33 = icmp sgt i64 %call.i.i32, 0
  %add.ptr.i.i34 = getelementptr inbounds nuw i8, ptr %at.0.i.i29, i64 %call.i.i32
  %sub.i.i35 = sub i64 %count.addr.0.i.i28, %call.i.i32
  br i1 %cmp1.i.i33, label %while.cond.i.i27, label %put_directory.exit

lor.lhs.false.i:                                  ; preds = %while.cond.i.i27
  %call4.i = call i64 @strlen(ptr noundef %36) #17
  br label %while.cond.i18.i

while.cond.i18.i:                                 ; preds = %while.body.i22.i, %lor.lhs.false.i
  %count.addr.0.i19.i = phi i64 [ %call4.i, %lor.lhs.false.i ], [ %sub.i26.i, %while.body.i22.i ]
  %at.0.i20.i = phi ptr [ %36, %lor.lhs.false.i ], [ %add.ptr.i25.i, %while.body.i22.i ]
  %cmp.not.i21.i = icmp eq i64 %count.addr.0.i19.i, 0
  br i1 %cmp.not.i21.i, label %while.cond.i28.i, label %while.body.i22.i

while.body.i22.i:                                 ; preds = %while.cond.i18.i
  %call.i23.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i20.i, i64 noundef %count.addr.0.i19.i) #14
  %cmp1.i24.i = icmp sgt i64 %call.i23.i, 0
  %add.ptr.i25.i = getelementptr inbounds nuw i8, ptr %at.0.i20.i, i64 %call.i23.i
  %sub.i26.i = sub i64 %count.addr.0.i19.i, %call.i23.i
  br i1 %cmp1.i24.i, label %while.cond.i18.i, label %put_directory.exit

while.cond.i28.i:                                 ; preds = %while.cond.i18.i, %while.body.i32.i
  %count.addr.0.i29.i = phi i64 [ %sub.i36.i, %while.body.i32.i ], [ 4, %while.cond.i18.i ]
  %at.0.i30.i = phi ptr [ %add.ptr.i35.i, %while.body.i32.i ], [ @.str.42, %while.cond.i18.i ]
  %cmp.not.i31.i = icmp eq i64 %count.addr.0.i29.i, 0
  br i1 %cmp.not.i31.i, label %for.inc.i, label %while.body.i32.i

while.body.i32.i:                                 ; preds = %while.cond.i28.i
  %call.i33.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i30.i, i64 noundef %count.addr.0.i29.i) #14
  %cmp1.i34.i = icmp sgt i64 %call.i33.i, 0
  %add.ptr.i35.i = getelementptr inbounds nuw i8, ptr %at.0.i30.i, i64 %call.i33.i
  %sub.i36.i = sub i64 %count.addr.0.i29.i, %call.i33.i
  br i1 %cmp1.i34.i, label %while.cond.i28.i, label %put_directory.exit

for.inc.i:                                        ; preds = %while.cond.i28.i
  %call8.i36 = call i64 @strlen(ptr noundef %36) #17
  %add10.i37 = add i64 %bytes.057.i, 50
  %add11.i = add i64 %add10.i37, %call8.i36
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %1
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.end.i:                                        ; preds = %for.inc.i, %lor.rhs
  %bytes.0.lcssa.i = phi i64 [ 0, %lor.rhs ], [ %add11.i, %for.inc.i ]
  %add.ptr.i38 = getelementptr inbounds nuw i8, ptr %end.i, i64 8
  call fastcc void @store(ptr noundef %add.ptr.i38, i64 noundef %1, i32 noundef signext 2) #15
  %add.ptr16.i = getelementptr inbounds nuw i8, ptr %end.i, i64 10
  call fastcc void @store(ptr noundef %add.ptr16.i, i64 noundef %1, i32 noundef signext 2) #15
  %add.ptr19.i39 = getelementptr inbounds nuw i8, ptr %end.i, i64 12
  call fastcc void @store(ptr noundef %add.ptr19.i39, i64 noundef %bytes.0.lcssa.i, i32 noundef signext 4) #15
  %add.ptr21.i = getelementptr inbounds nuw i8, ptr %end.i, i64 16
  %37 = getelementptr %struct.member, ptr %vla, i64 %1
  %at.i40 = getelementptr i8, ptr %37, i64 -16
  %38 = load i64, ptr %at.i40, align 8
  %size.i = getelementptr i8, ptr %37, i64 -8
  %39 = load i64, ptr %size.i, align 8
  %add27.i = add i64 %39, %38
  call fastcc void @store(ptr noundef %add.ptr21.i, i64 noundef %add27.i, i32 noundef signext 4) #15
  br label %while.cond.i38.i

while.cond.i38.i:                                 ; preds = %while.body.i42.i, %for.end.i
  %count.addr.0.i39.i = phi i64 [ 22, %for.end.i ], [ %sub.i46.i, %while.body.i42.i ]
  %at.0.i40.i = phi ptr [ %end.i, %for.end.i ], [ %add.ptr.i45.i, %while.body.i42.i ]
  %cmp.not.i41.i = icmp eq i64 %count.addr.0.i39.i, 0
  br i1 %cmp.not.i41.i, label %put_directory.exit, label %while.body.i42.i

while.body.i42.i:                                 ; preds = %while.cond.i38.i
  %call.i43.i = call i64 @write(i32 noundef signext %call6, ptr noundef %at.0.i40.i, i64 noundef %count.addr.0.i39.i) #14
  %cmp1.i44.i = icmp sgt i64 %call.i43.i, 0
  %add.ptr.i45.i = getelementptr inbounds nuw i8, ptr %at.0.i40.i, i64 %call.i43.i
  %sub.i46.i = sub i64 %count.addr.0.i39.i, %call.i43.i
  br i1 %cmp1.i44.i, label %while.cond.i38.i, label %put_directory.exit

put_directory.exit:                               ; preds = %while.body.i.i31, %while.body.i22.i, %while.body.i32.i, %while.cond.i38.i, %while.body.i42.i
  %retval.3.i = phi i1 [ false, %while.body.i22.i ], [ %cmp.not.i41.i, %while.cond.i38.i ], [ false, %while.body.i32.i ], [ %cmp.not.i41.i, %while.body.i42.i ], [ false, %while.body.i.i31 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %end.i) #16
  br label %land.end37

land.end37:                                       ; preds = %for.cond.cleanup.thread, %for.cond.cleanup, %put_directory.exit
  %40 = phi i1 [ %is_done.0.in.lcssa, %for.cond.cleanup ], [ %retval.3.i, %put_directory.exit ], [ false, %for.cond.cleanup.thread ]
  br i1 %cmp8, label %if.then40, label %if.end42

if.then40:                                        ; preds = %land.end37
  %call41 = call signext i32 @close(i32 noundef signext %call6) #14
  br label %if.end42

if.end42:                                         ; preds = %if.then40, %land.end37
  br i1 %40, label %cond.end47, label %cond.false45

cond.false45:                                     ; preds = %if.end42
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i41) #16
  %call.i42 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i41, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef nonnull %path, ptr noundef nonnull @.str.40) #14
  %call.i.i43 = call i64 @strlen(ptr noundef nonnull %text.i41) #17
  br label %while.cond.i.i.i44

while.cond.i.i.i44:                               ; preds = %while.body.i.i.i48, %cond.false45
  %count.addr.0.i.i.i45 = phi i64 [ %call.i.i43, %cond.false45 ], [ %sub.i.i.i52, %while.body.i.i.i48 ]
  %at.0.i.i.i46 = phi ptr [ %text.i41, %cond.false45 ], [ %add.ptr.i.i.i51, %while.body.i.i.i48 ]
  %cmp.not.i.i.i47 = icmp eq i64 %count.addr.0.i.i.i45, 0
  br i1 %cmp.not.i.i.i47, label %fail.exit53, label %while.body.i.i.i48

while.body.i.i.i48:                               ; preds = %while.cond.i.i.i44
  %call.i.i.i49 = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i46, i64 noundef %count.addr.0.i.i.i45) #14
  %cmp1.i.i.i50 = icmp sgt i64 %call.i.i.i49, 0
  %add.ptr.i.i.i51 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i46, i64 %call.i.i.i49
  %sub.i.i.i52 = sub i64 %count.addr.0.i.i.i45, %call.i.i.i49
  br i1 %cmp1.i.i.i50, label %while.cond.i.i.i44, label %fail.exit53

fail.exit53:                                      ; preds = %while.cond.i.i.i44, %while.body.i.i.i48
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i41) #16
  br label %cond.end47

cond.end47:                                       ; preds = %if.end42, %fail.exit53
  %cond48 = phi i32 [ 1, %fail.exit53 ], [ 0, %if.end42 ]
  call void @llvm.stackrestore.p0(ptr %2)
  br label %cleanup

cleanup:                                          ; preds = %cond.end47, %fail.exit
  %retval.0 = phi i32 [ 1, %fail.exit ], [ %cond48, %cond.end47 ]
  ret i32 %retval.0
}

declare void @llvm.stackrestore.p0(ptr) #1

declare i64 @write(i32 noundef signext, ptr noundef, i64 noundef) local_unnamed_addr #4

declare i64 @strcspn(ptr noundef, ptr noundef) local_unnamed_addr #3

declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #3

define internal fastcc signext range(i32 0, 2) i32 @read_array(ptr noundef %path, ptr noundef nonnull readonly captures(none) %file, i32 noundef signext range(i32 0, -2147483648) %index, ptr noundef nonnull %argument) unnamed_addr #0 {
entry:
  %text.i69 = alloca [1024 x i8], align 1
  %text.i56 = alloca [1024 x i8], align 1
  %text.i = alloca [1024 x i8], align 1
  %header = alloca [65536 x i8], align 1
  %text = alloca [1024 x i8], align 1
  %idxprom = zext nneg i32 %index to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  call void @llvm.lifetime.start.p0(ptr nonnull %header) #16
  %count = getelementptr inbounds nuw i8, ptr %file, i64 8
  %0 = load i64, ptr %count, align 8
  %cmp = icmp ugt i64 %0, 6
  br i1 %cmp, label %land.end, label %if.then

land.end:                                         ; preds = %entry
  %1 = load ptr, ptr %file, align 8
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %1, i64 6
  %2 = load i8, ptr %arrayidx1, align 1
  %cmp2 = icmp ugt i8 %2, 1
  %3 = select i1 %cmp2, i32 4, i32 2
  %cmp5 = icmp ult i64 %0, 12
  br i1 %cmp5, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.end
  %call = tail call signext i32 @memcmp(ptr noundef nonnull %1, ptr noundef nonnull @.str.19, i64 noundef 6) #17
  %cmp8.not = icmp eq i32 %call, 0
  br i1 %cmp8.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry, %lor.lhs.false, %land.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #16
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %path, ptr noundef nonnull @.str.20) #14
  %call.i.i = call i64 @strlen(ptr noundef nonnull %text.i) #17
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then
  %count.addr.0.i.i.i = phi i64 [ %call.i.i, %if.then ], [ %sub.i.i.i, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then ], [ %add.ptr.i.i.i, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %fail.exit, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #14
  %cmp1.i.i.i = icmp sgt i64 %call.i.i.i, 0
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i.i, i64 %call.i.i.i
  %sub.i.i.i = sub i64 %count.addr.0.i.i.i, %call.i.i.i
  br i1 %cmp1.i.i.i, label %while.cond.i.i.i, label %fail.exit

fail.exit:                                        ; preds = %while.cond.i.i.i, %while.body.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #16
  br label %cleanup144

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds nuw i8, ptr %1, i64 8
  %call12 = tail call fastcc signext i32 @number(ptr noundef nonnull %add.ptr, i32 noundef signext %3) #15
  %conv13 = zext i32 %call12 to i64
  %conv14 = zext nneg i32 %3 to i64
  %add = or disjoint i64 %conv14, 8
  %add15 = add nuw nsw i64 %add, %conv13
  %cmp16 = icmp ugt i32 %call12, 65535
  %cmp20 = icmp ugt i64 %add15, %0
  %or.cond107 = select i1 %cmp16, i1 true, i1 %cmp20
  br i1 %or.cond107, label %if.then22, label %if.end24

if.then22:                                        ; preds = %if.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i56) #16
  %call.i57 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i56, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %path, ptr noundef nonnull @.str.21) #14
  %call.i.i58 = call i64 @strlen(ptr noundef nonnull %text.i56) #17
  br label %while.cond.i.i.i59

while.cond.i.i.i59:                               ; preds = %while.body.i.i.i63, %if.then22
  %count.addr.0.i.i.i60 = phi i64 [ %call.i.i58, %if.then22 ], [ %sub.i.i.i67, %while.body.i.i.i63 ]
  %at.0.i.i.i61 = phi ptr [ %text.i56, %if.then22 ], [ %add.ptr.i.i.i66, %while.body.i.i.i63 ]
  %cmp.not.i.i.i62 = icmp eq i64 %count.addr.0.i.i.i60, 0
  br i1 %cmp.not.i.i.i62, label %fail.exit68, label %while.body.i.i.i63

while.body.i.i.i63:                               ; preds = %while.cond.i.i.i59
  %call.i.i.i64 = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i61, i64 noundef %count.addr.0.i.i.i60) #14
  %cmp1.i.i.i65 = icmp sgt i64 %call.i.i.i64, 0
  %add.ptr.i.i.i66 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i61, i64 %call.i.i.i64
  %sub.i.i.i67 = sub i64 %count.addr.0.i.i.i60, %call.i.i.i64
  br i1 %cmp1.i.i.i65, label %while.cond.i.i.i59, label %fail.exit68

fail.exit68:                                      ; preds = %while.cond.i.i.i59, %while.body.i.i.i63
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i56) #16
  br label %cleanup144

if.end24:                                         ; preds = %if.end
  %add.ptr27 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %conv14
  %call28 = call ptr @memcpy(ptr noundef nonnull %header, ptr noundef nonnull %add.ptr27, i64 noundef %conv13) #14
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %header, i64 %conv13
  store i8 0, ptr %arrayidx29, align 1
  %call31 = call fastcc ptr @value_of(ptr noundef %header, ptr noundef nonnull @.str.22) #15
  %call33 = call fastcc ptr @value_of(ptr noundef %header, ptr noundef nonnull @.str.23) #15
  %call35 = call fastcc ptr @value_of(ptr noundef %header, ptr noundef nonnull @.str.24) #15
  %cmp36 = icmp eq ptr %call35, null
  br i1 %cmp36, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end24
  %shape38 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  br label %for.cond.i

for.cond.i:                                       ; preds = %for.inc.i, %cond.false
  %text.addr.0.i = phi ptr [ %call35, %cond.false ], [ %incdec.ptr30.i, %for.inc.i ]
  %rank.0.i = phi i32 [ 0, %cond.false ], [ %rank.1.i, %for.inc.i ]
  %4 = load i8, ptr %text.addr.0.i, align 1
  switch i8 %4, label %if.end.i [
    i8 41, label %cond.end.loopexit131
    i8 0, label %cond.end
  ]

if.end.i:                                         ; preds = %for.cond.i
  %5 = add i8 %4, -58
  %or.cond.i = icmp ult i8 %5, -10
  br i1 %or.cond.i, label %for.inc.i, label %if.end12.i

if.end12.i:                                       ; preds = %if.end.i
  %cmp13.i = icmp eq i32 %rank.0.i, 32
  br i1 %cmp13.i, label %cond.end, label %while.cond.i

while.cond.i:                                     ; preds = %if.end12.i, %lor.lhs.false24.i
  %text.addr.2.i = phi ptr [ %incdec.ptr.i, %lor.lhs.false24.i ], [ %text.addr.0.i, %if.end12.i ]
  %size.0.i = phi i64 [ %13, %lor.lhs.false24.i ], [ 0, %if.end12.i ]
  %6 = load i8, ptr %text.addr.2.i, align 1
  %7 = add i8 %6, -48
  %or.cond13.i = icmp ult i8 %7, 10
  br i1 %or.cond13.i, label %while.body.i, label %while.end.i

while.body.i:                                     ; preds = %while.cond.i
  %8 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %size.0.i, i64 10)
  %9 = extractvalue { i64, i1 } %8, 1
  br i1 %9, label %cond.end, label %lor.lhs.false24.i

lor.lhs.false24.i:                                ; preds = %while.body.i
  %10 = extractvalue { i64, i1 } %8, 0
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %text.addr.2.i, i64 1
  %sub.i = zext nneg i8 %7 to i64
  %11 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %10, i64 %sub.i)
  %12 = extractvalue { i64, i1 } %11, 1
  %13 = extractvalue { i64, i1 } %11, 0
  br i1 %12, label %cond.end, label %while.cond.i

while.end.i:                                      ; preds = %while.cond.i
  %inc.i = add nsw i32 %rank.0.i, 1
  %idxprom.i = sext i32 %rank.0.i to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %shape38, i64 %idxprom.i
  store i64 %size.0.i, ptr %arrayidx.i, align 8
  %incdec.ptr29.i = getelementptr inbounds i8, ptr %text.addr.2.i, i64 -1
  br label %for.inc.i

for.inc.i:                                        ; preds = %while.end.i, %if.end.i
  %text.addr.1.i = phi ptr [ %text.addr.0.i, %if.end.i ], [ %incdec.ptr29.i, %while.end.i ]
  %rank.1.i = phi i32 [ %rank.0.i, %if.end.i ], [ %inc.i, %while.end.i ]
  %incdec.ptr30.i = getelementptr inbounds nuw i8, ptr %text.addr.1.i, i64 1
  br label %for.cond.i

cond.end.loopexit131:                             ; preds = %for.cond.i
  br label %cond.end

cond.end:                                         ; preds = %lor.lhs.false24.i, %while.body.i, %for.cond.i, %if.end12.i, %cond.end.loopexit131, %if.end24
  %cond41 = phi i32 [ -1, %if.end24 ], [ %rank.0.i, %cond.end.loopexit131 ], [ -1, %for.cond.i ], [ -1, %if.end12.i ], [ -1, %while.body.i ], [ -1, %lor.lhs.false24.i ]
  %cmp42 = icmp eq ptr %call31, null
  br i1 %cmp42, label %if.then54, label %lor.lhs.false44

lor.lhs.false44:                                  ; preds = %cond.end
  %call45 = call i64 @strlen(ptr noundef nonnull %call31) #17
  %cmp46 = icmp ult i64 %call45, 4
  %cmp49 = icmp eq ptr %call33, null
  %or.cond = select i1 %cmp46, i1 true, i1 %cmp49
  %cmp52 = icmp slt i32 %cond41, 0
  %or.cond1 = select i1 %or.cond, i1 true, i1 %cmp52
  br i1 %or.cond1, label %if.then54, label %if.end56

if.then54:                                        ; preds = %lor.lhs.false44, %cond.end
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i69) #16
  %call.i70 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i69, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %path, ptr noundef nonnull @.str.25) #14
  %call.i.i71 = call i64 @strlen(ptr noundef nonnull %text.i69) #17
  br label %while.cond.i.i.i72

while.cond.i.i.i72:                               ; preds = %while.body.i.i.i76, %if.then54
  %count.addr.0.i.i.i73 = phi i64 [ %call.i.i71, %if.then54 ], [ %sub.i.i.i80, %while.body.i.i.i76 ]
  %at.0.i.i.i74 = phi ptr [ %text.i69, %if.then54 ], [ %add.ptr.i.i.i79, %while.body.i.i.i76 ]
  %cmp.not.i.i.i75 = icmp eq i64 %count.addr.0.i.i.i73, 0
  br i1 %cmp.not.i.i.i75, label %fail.exit81, label %while.body.i.i.i76

while.body.i.i.i76:                               ; preds = %while.cond.i.i.i72
  %call.i.i.i77 = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i74, i64 noundef %count.addr.0.i.i.i73) #14
  %cmp1.i.i.i78 = icmp sgt i64 %call.i.i.i77, 0
  %add.ptr.i.i.i79 = getelementptr inbounds nuw i8, ptr %at.0.i.i.i74, i64 %call.i.i.i77
  %sub.i.i.i80 = sub i64 %count.addr.0.i.i.i73, %call.i.i.i77
  br i1 %cmp1.i.i.i78, label %while.cond.i.i.i72, label %fail.exit81

fail.exit81:                                      ; preds = %while.cond.i.i.i72, %while.body.i.i.i76
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i69) #16
  br label %cleanup144

if.end56:                                         ; preds = %lor.lhs.false44
  call void @llvm.lifetime.start.p0(ptr nonnull %text) #16
  %14 = load ptr, ptr %arrayidx, align 8
  %text58 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %15 = load ptr, ptr %text58, align 8
  %call60 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 1024, ptr noundef nonnull @.str.26, ptr noundef %14, ptr noundef %15, ptr noundef nonnull %header) #14
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %16 = load i32, ptr %dtype, align 4
  %call61 = call fastcc zeroext i1 @is_dtype(ptr noundef %call31, i32 noundef signext %16) #15
  br i1 %call61, label %lor.lhs.false62, label %if.then69

lor.lhs.false62:                                  ; preds = %if.end56
  %rank63 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %17 = load i32, ptr %rank63, align 8
  %cmp64 = icmp slt i32 %17, 0
  %cmp67.not = icmp eq i32 %cond41, %17
  %or.cond55 = select i1 %cmp64, i1 true, i1 %cmp67.not
  br i1 %or.cond55, label %if.end72, label %if.then69

if.then69:                                        ; preds = %lor.lhs.false62, %if.end56
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull %text) #15
  br label %cleanup137

if.end72:                                         ; preds = %lor.lhs.false62
  %cmp73 = icmp samesign ugt i32 %cond41, 1
  br i1 %cmp73, label %land.lhs.true75, label %if.end79

land.lhs.true75:                                  ; preds = %if.end72
  %call76 = call fastcc zeroext i1 @starts_with(ptr noundef %call33) #15
  br i1 %call76, label %if.end79.thread, label %if.then77

if.end79.thread:                                  ; preds = %land.lhs.true75
  %shape8194 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  br label %for.body.preheader.i

if.then77:                                        ; preds = %land.lhs.true75
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.28) #15
  br label %cleanup137

if.end79:                                         ; preds = %if.end72
  %shape81 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  %cmp.not4.i = icmp eq i32 %cond41, 1
  br i1 %cmp.not4.i, label %for.body.preheader.i, label %lor.lhs.false86

for.body.preheader.i:                             ; preds = %if.end79.thread, %if.end79
  %shape8197 = phi ptr [ %shape8194, %if.end79.thread ], [ %shape81, %if.end79 ]
  %wide.trip.count.i = zext nneg i32 %cond41 to i64
  %18 = getelementptr inbounds nuw i8, ptr %argument, i64 48
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i83, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i83 ]
  %count.05.i = phi i64 [ 1, %for.body.preheader.i ], [ %22, %for.inc.i83 ]
  %arrayidx.i82 = getelementptr inbounds nuw i64, ptr %18, i64 %indvars.iv.i
  %19 = load i64, ptr %arrayidx.i82, align 8
  %20 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.05.i, i64 %19)
  %21 = extractvalue { i64, i1 } %20, 1
  br i1 %21, label %if.then94, label %for.inc.i83

for.inc.i83:                                      ; preds = %for.body.i
  %22 = extractvalue { i64, i1 } %20, 0
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %product.exit, label %for.body.i

product.exit:                                     ; preds = %for.inc.i83
  %cmp84 = icmp slt i64 %22, 0
  br i1 %cmp84, label %if.then94, label %lor.lhs.false86

lor.lhs.false86:                                  ; preds = %if.end79, %product.exit
  %spec.select.i106 = phi i64 [ %22, %product.exit ], [ 1, %if.end79 ]
  %shape8196105 = phi ptr [ %shape8197, %product.exit ], [ %shape81, %if.end79 ]
  %shr.i = lshr i32 %16, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %23 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %spec.select.i106, i64 %conv.i)
  %24 = extractvalue { i64, i1 } %23, 1
  %25 = extractvalue { i64, i1 } %23, 0
  br i1 %24, label %if.then94, label %lor.lhs.false90

lor.lhs.false90:                                  ; preds = %lor.lhs.false86
  %26 = load i64, ptr %count, align 8
  %sub = sub i64 %26, %add15
  %cmp92 = icmp ugt i64 %25, %sub
  br i1 %cmp92, label %if.then94, label %if.end96

if.then94:                                        ; preds = %for.body.i, %lor.lhs.false90, %lor.lhs.false86, %product.exit
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.29) #15
  br label %cleanup137

if.end96:                                         ; preds = %lor.lhs.false90
  %add97 = add i64 %25, 64
  %call98 = call noalias align 64 ptr @aligned_alloc(i64 noundef 64, i64 noundef %add97) #14
  %cmp99 = icmp eq ptr %call98, null
  br i1 %cmp99, label %if.then101, label %if.end103

if.then101:                                       ; preds = %if.end96
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.30) #15
  br label %cleanup137

if.end103:                                        ; preds = %if.end96
  %add.ptr104 = getelementptr inbounds nuw i8, ptr %call31, i64 1
  %call105 = call i64 @strcspn(ptr noundef nonnull %add.ptr104, ptr noundef nonnull @.str.31) #17
  %cmp106.not = icmp eq i64 %call105, 0
  br i1 %cmp106.not, label %lor.lhs.false108, label %if.then114

lor.lhs.false108:                                 ; preds = %if.end103
  %27 = load i8, ptr %add.ptr104, align 1
  %28 = load i8, ptr @tw_byte_order, align 1
  %cmp112 = icmp eq i8 %27, %28
  br i1 %cmp112, label %if.then114, label %if.else

if.then114:                                       ; preds = %lor.lhs.false108, %if.end103
  %29 = load ptr, ptr %file, align 8
  %add.ptr116 = getelementptr inbounds nuw i8, ptr %29, i64 %add15
  %call117 = call ptr @memcpy(ptr noundef nonnull %call98, ptr noundef nonnull %add.ptr116, i64 noundef %25) #14
  br label %if.end128

if.else:                                          ; preds = %lor.lhs.false108
  %30 = load ptr, ptr %file, align 8
  %add.ptr119 = getelementptr inbounds nuw i8, ptr %30, i64 %add15
  %arrayidx122 = getelementptr inbounds nuw i8, ptr %call31, i64 2
  %31 = load i8, ptr %arrayidx122, align 1
  %cmp124 = icmp eq i8 %31, 99
  %32 = zext i1 %cmp124 to i64
  %div54 = lshr i64 %conv.i, %32
  %invariant.gep.i = getelementptr i8, ptr %add.ptr119, i64 %div54
  %cmp11.i = icmp sgt i64 %25, 0
  br i1 %cmp11.i, label %for.cond1.preheader.lr.ph.i, label %if.end128

for.cond1.preheader.lr.ph.i:                      ; preds = %if.else
  %cmp29.not.i = icmp eq i64 %div54, 0
  br label %for.cond1.preheader.i

for.cond1.preheader.i:                            ; preds = %for.cond.cleanup3.i, %for.cond1.preheader.lr.ph.i
  %at.012.i = phi i64 [ 0, %for.cond1.preheader.lr.ph.i ], [ %add9.i, %for.cond.cleanup3.i ]
  br i1 %cmp29.not.i, label %for.cond.cleanup3.i, label %for.body4.lr.ph.i

for.body4.lr.ph.i:                                ; preds = %for.cond1.preheader.i
  %gep.i = getelementptr i8, ptr %invariant.gep.i, i64 %at.012.i
  %33 = getelementptr inbounds nuw i8, ptr %call98, i64 %at.012.i
  br label %for.body4.i

for.cond.cleanup3.i:                              ; preds = %for.body4.i, %for.cond1.preheader.i
  %add9.i = add nuw nsw i64 %at.012.i, %div54
  %cmp.i = icmp slt i64 %add9.i, %25
  br i1 %cmp.i, label %for.cond1.preheader.i, label %if.end128

for.body4.i:                                      ; preds = %for.body4.i, %for.body4.lr.ph.i
  %index.010.i = phi i64 [ 0, %for.body4.lr.ph.i ], [ %inc.i90, %for.body4.i ]
  %34 = xor i64 %index.010.i, -1
  %arrayidx.i89 = getelementptr i8, ptr %gep.i, i64 %34
  %35 = load i8, ptr %arrayidx.i89, align 1
  %arrayidx7.i = getelementptr inbounds nuw i8, ptr %33, i64 %index.010.i
  store i8 %35, ptr %arrayidx7.i, align 1
  %inc.i90 = add nuw nsw i64 %index.010.i, 1
  %exitcond.not.i91 = icmp eq i64 %inc.i90, %div54
  br i1 %exitcond.not.i91, label %for.cond.cleanup3.i, label %for.body4.i

if.end128:                                        ; preds = %for.cond.cleanup3.i, %if.else, %if.then114
  store ptr %call98, ptr %argument, align 8
  %.compoundliteral.sroa.2.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 8
  store i32 1, ptr %.compoundliteral.sroa.2.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0.tensor.sroa_idx, align 4
  %.compoundliteral.sroa.4.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 16
  store i32 %cond41, ptr %.compoundliteral.sroa.4.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 20
  store i32 %16, ptr %.compoundliteral.sroa.5.0.tensor.sroa_idx, align 4
  %.compoundliteral.sroa.6.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 24
  store ptr %shape8196105, ptr %.compoundliteral.sroa.6.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.7.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.8.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %argument, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0.tensor.sroa_idx, align 8
  br label %cleanup137

cleanup137:                                       ; preds = %if.then94, %if.end128, %if.then101, %if.then77, %if.then69
  %retval.3 = phi i32 [ 1, %if.then69 ], [ 1, %if.then77 ], [ 1, %if.then94 ], [ 1, %if.then101 ], [ 0, %if.end128 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %text) #16
  br label %cleanup144

cleanup144:                                       ; preds = %fail.exit68, %cleanup137, %fail.exit81, %fail.exit
  %retval.0 = phi i32 [ 1, %fail.exit ], [ 1, %fail.exit68 ], [ 1, %fail.exit81 ], [ %retval.3, %cleanup137 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %header) #16
  ret i32 %retval.0
}

declare signext i32 @open(ptr noundef, i32 noundef signext, ...) local_unnamed_addr #4

declare i64 @lseek(i32 noundef signext, i64 noundef, i32 noundef signext) local_unnamed_addr #0

declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef signext, i32 noundef signext, i32 noundef signext, i64 noundef) local_unnamed_addr #0

declare signext i32 @close(i32 noundef signext) local_unnamed_addr #4

define internal fastcc signext i32 @number(ptr noundef readonly captures(none) %at, i32 noundef signext range(i32 2, 5) %bytes) unnamed_addr #5 {
entry:
  %0 = zext nneg i32 %bytes to i64
  br label %while.body

while.body:                                       ; preds = %entry, %while.body
  %indvars.iv = phi i64 [ %0, %entry ], [ %indvars.iv.next, %while.body ]
  %value.04 = phi i32 [ 0, %entry ], [ %or, %while.body ]
  %indvars.iv.next = add nsw i64 %indvars.iv, -1
  %shl = shl i32 %value.04, 8
  %arrayidx = getelementptr inbounds nuw i8, ptr %at, i64 %indvars.iv.next
  %1 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %1 to i32
  %or = or disjoint i32 %shl, %conv
  %cmp = icmp samesign ugt i64 %indvars.iv, 1
  br i1 %cmp, label %while.body, label %while.end

while.end:                                        ; preds = %while.body
  ret i32 %or
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #0

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #0

define internal fastcc ptr @value_of(ptr noundef nonnull readonly %header, ptr noundef %key) unnamed_addr #6 {
entry:
  %call = tail call i64 @strlen(ptr noundef %key) #17
  %call1 = tail call i64 @strlen(ptr noundef nonnull %header) #17
  %cmp.not17 = icmp ugt i64 %call, %call1
  br i1 %cmp.not17, label %cleanup, label %for.body

for.cond:                                         ; preds = %for.body
  %inc12 = add i64 %at.018, 1
  %add = add i64 %inc12, %call
  %cmp.not = icmp ugt i64 %add, %call1
  br i1 %cmp.not, label %cleanup, label %for.body

for.body:                                         ; preds = %entry, %for.cond
  %at.018 = phi i64 [ %inc12, %for.cond ], [ 0, %entry ]
  %add.ptr = getelementptr inbounds nuw i8, ptr %header, i64 %at.018
  %call2 = tail call signext i32 @memcmp(ptr noundef nonnull %add.ptr, ptr noundef %key, i64 noundef %call) #17
  %cmp3 = icmp eq i32 %call2, 0
  br i1 %cmp3, label %while.cond.preheader, label %for.cond

while.cond.preheader:                             ; preds = %for.body
  %add19 = add i64 %at.018, %call
  br label %while.cond

while.cond:                                       ; preds = %while.cond.preheader, %while.body
  %at.1 = phi i64 [ %inc, %while.body ], [ %add19, %while.cond.preheader ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %header, i64 %at.1
  %0 = load i8, ptr %arrayidx, align 1
  switch i8 %0, label %cleanup.loopexit [
    i8 32, label %while.body
    i8 58, label %while.body
  ]

while.body:                                       ; preds = %while.cond, %while.cond
  %inc = add i64 %at.1, 1
  br label %while.cond

cleanup.loopexit:                                 ; preds = %while.cond
  %arrayidx.le = getelementptr inbounds nuw i8, ptr %header, i64 %at.1
  br label %cleanup

cleanup:                                          ; preds = %for.cond, %cleanup.loopexit, %entry
  %spec.select = phi ptr [ %arrayidx.le, %cleanup.loopexit ], [ null, %entry ], [ null, %for.cond ]
  ret ptr %spec.select
}

define internal fastcc zeroext i1 @is_dtype(ptr noundef nonnull readonly %text, i32 noundef signext %dtype) unnamed_addr #7 {
entry:
  %and = and i32 %dtype, 255
  %cmp = icmp samesign ult i32 %and, 7
  br i1 %cmp, label %cond.true, label %cond.end

cond.true:                                        ; preds = %entry
  %conv = zext nneg i32 %and to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr @is_dtype.kinds, i64 %conv
  %0 = load i8, ptr %arrayidx, align 1
  %1 = sext i8 %0 to i32
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %1, %cond.true ], [ 32, %entry ]
  %add.ptr4 = getelementptr inbounds nuw i8, ptr %text, i64 1
  %call = tail call i64 @strcspn(ptr noundef nonnull %add.ptr4, ptr noundef nonnull @.str.32) #17
  %cmp5 = icmp eq i64 %call, 0
  br i1 %cmp5, label %for.body.preheader, label %cleanup

for.body.preheader:                               ; preds = %cond.end
  %add.ptr = getelementptr inbounds nuw i8, ptr %text, i64 3
  %2 = load i8, ptr %add.ptr, align 1
  %3 = add i8 %2, -58
  %or.cond1115 = icmp ult i8 %3, -10
  br i1 %or.cond1115, label %cleanup, label %if.end

if.end:                                           ; preds = %for.body.preheader, %if.end
  %4 = phi i8 [ %5, %if.end ], [ %2, %for.body.preheader ]
  %digit.01217 = phi ptr [ %incdec.ptr, %if.end ], [ %add.ptr, %for.body.preheader ]
  %size.01316 = phi i64 [ %add, %if.end ], [ 0, %for.body.preheader ]
  %mul = mul nsw i64 %size.01316, 10
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %digit.01217, i64 1
  %narrow = add nsw i8 %4, -48
  %sub = zext nneg i8 %narrow to i64
  %add = add nsw i64 %mul, %sub
  %5 = load i8, ptr %incdec.ptr, align 1
  %6 = add i8 %5, -58
  %or.cond11 = icmp ult i8 %6, -10
  br i1 %or.cond11, label %cleanup, label %if.end

cleanup:                                          ; preds = %if.end, %for.body.preheader, %cond.end
  %size.0.lcssa = phi i64 [ 0, %cond.end ], [ 0, %for.body.preheader ], [ %add, %if.end ]
  %arrayidx21 = getelementptr inbounds nuw i8, ptr %text, i64 2
  %7 = load i8, ptr %arrayidx21, align 1
  %conv22 = sext i8 %7 to i32
  %cmp24 = icmp eq i32 %cond, %conv22
  br i1 %cmp24, label %land.rhs, label %lor.lhs.false26

lor.lhs.false26:                                  ; preds = %cleanup
  %cmp16 = icmp eq i32 %cond, 32
  %8 = and i32 %dtype, 63488
  %cmp19 = icmp eq i32 %8, 0
  %9 = or i1 %cmp19, %cmp16
  %cmp29 = icmp eq i8 %7, 86
  %or.cond = select i1 %cmp29, i1 %9, i1 false
  br i1 %or.cond, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %lor.lhs.false26, %cleanup
  %shr.i = lshr i32 %dtype, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %cmp33 = icmp eq i64 %size.0.lcssa, %conv.i
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.lhs.false26
  %10 = phi i1 [ %cmp33, %land.rhs ], [ false, %lor.lhs.false26 ]
  ret i1 %10
}

define internal fastcc zeroext i1 @starts_with(ptr noundef nonnull readonly %text) unnamed_addr #3 {
entry:
  %call = tail call i64 @strlen(ptr noundef nonnull @.str.27) #17
  %call1 = tail call signext i32 @memcmp(ptr noundef nonnull %text, ptr noundef nonnull @.str.27, i64 noundef %call) #17
  %cmp = icmp eq i32 %call1, 0
  ret i1 %cmp
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #8

declare noalias ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr #0

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #9

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #8

declare hidden i64 @tw_arch_prctl(i64 noundef, i64 noundef) local_unnamed_addr #4

declare extern_weak signext i32 @__tw_choose(ptr noundef, i32 noundef signext, ptr noundef) #4

define internal fastcc void @report() unnamed_addr #0 {
entry:
  %call.i = tail call i64 @strlen(ptr noundef nonnull @.str.35) #17
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %entry
  %count.addr.0.i.i = phi i64 [ %call.i, %entry ], [ %sub.i.i, %while.body.i.i ]
  %at.0.i.i = phi ptr [ @.str.35, %entry ], [ %add.ptr.i.i, %while.body.i.i ]
  %cmp.not.i.i = icmp eq i64 %count.addr.0.i.i, 0
  br i1 %cmp.not.i.i, label %print.exit, label %while.body.i.i

while.body.i.i:                                   ; preds = %while.cond.i.i
  %call.i.i = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i, i64 noundef %count.addr.0.i.i) #14
  %cmp1.i.i = icmp sgt i64 %call.i.i, 0
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %at.0.i.i, i64 %call.i.i
  %sub.i.i = sub i64 %count.addr.0.i.i, %call.i.i
  br i1 %cmp1.i.i, label %while.cond.i.i, label %print.exit

print.exit:                                       ; preds = %while.cond.i.i, %while.body.i.i
  %call.i1 = tail call i64 @strlen(ptr noundef nonnull @__tw_last_error) #17
  br label %while.cond.i.i2

while.cond.i.i2:                                  ; preds = %while.body.i.i6, %print.exit
  %count.addr.0.i.i3 = phi i64 [ %call.i1, %print.exit ], [ %sub.i.i10, %while.body.i.i6 ]
  %at.0.i.i4 = phi ptr [ @__tw_last_error, %print.exit ], [ %add.ptr.i.i9, %while.body.i.i6 ]
  %cmp.not.i.i5 = icmp eq i64 %count.addr.0.i.i3, 0
  br i1 %cmp.not.i.i5, label %print.exit11, label %while.body.i.i6

while.body.i.i6:                                  ; preds = %while.cond.i.i2
  %call.i.i7 = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i4, i64 noundef %count.addr.0.i.i3) #14
  %cmp1.i.i8 = icmp sgt i64 %call.i.i7, 0
  %add.ptr.i.i9 = getelementptr inbounds nuw i8, ptr %at.0.i.i4, i64 %call.i.i7
  %sub.i.i10 = sub i64 %count.addr.0.i.i3, %call.i.i7
  br i1 %cmp1.i.i8, label %while.cond.i.i2, label %print.exit11

print.exit11:                                     ; preds = %while.cond.i.i2, %while.body.i.i6
  %call.i12 = tail call i64 @strlen(ptr noundef nonnull @.str.36) #17
  br label %while.cond.i.i13

while.cond.i.i13:                                 ; preds = %while.body.i.i17, %print.exit11
  %count.addr.0.i.i14 = phi i64 [ %call.i12, %print.exit11 ], [ %sub.i.i21, %while.body.i.i17 ]
  %at.0.i.i15 = phi ptr [ @.str.36, %print.exit11 ], [ %add.ptr.i.i20, %while.body.i.i17 ]
  %cmp.not.i.i16 = icmp eq i64 %count.addr.0.i.i14, 0
  br i1 %cmp.not.i.i16, label %print.exit22, label %while.body.i.i17

while.body.i.i17:                                 ; preds = %while.cond.i.i13
  %call.i.i18 = tail call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i15, i64 noundef %count.addr.0.i.i14) #14
  %cmp1.i.i19 = icmp sgt i64 %call.i.i18, 0
  %add.ptr.i.i20 = getelementptr inbounds nuw i8, ptr %at.0.i.i15, i64 %call.i.i18
  %sub.i.i21 = sub i64 %count.addr.0.i.i14, %call.i.i18
  br i1 %cmp1.i.i19, label %while.cond.i.i13, label %print.exit22

print.exit22:                                     ; preds = %while.cond.i.i13, %while.body.i.i17
  ret void
}

declare extern_weak signext i32 @__tw_is_bound(i32 noundef signext) local_unnamed_addr #4

declare signext i32 @__tvm_ffi_main(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) #4

declare signext i32 @__tw_output_shapes(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) #4

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #10

declare signext i32 @sched_getaffinity(i32 noundef signext, i64 noundef, ptr noundef) local_unnamed_addr #0

declare i64 @llvm.ctpop.i64(i64) #8

declare signext i32 @__tw_pool_run(ptr noundef, ptr noundef, i64 noundef, i32 noundef signext) #4

define internal fastcc signext range(i32 0, 2) i32 @make_outputs(ptr noundef nonnull %arguments) unnamed_addr #0 {
entry:
  %text.i = alloca [1024 x i8], align 1
  %total = alloca i64, align 8
  %made = alloca %struct.tw_tensor, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %total) #16
  store i64 0, ptr %total, align 8
  %0 = load i32, ptr @model.4, align 8
  %1 = load i32, ptr @model.5, align 4
  %cmp42 = icmp slt i32 %0, %1
  br i1 %cmp42, label %for.body.lr.ph, label %for.cond.cleanup

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
  call void @llvm.lifetime.start.p0(ptr nonnull %made) #16
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
  %call = call fastcc signext i32 @call(ptr noundef %6, ptr noundef %arguments, i32 noundef signext %0, ptr noundef nonnull %made) #15
  %cmp3.not = icmp eq i32 %call, 0
  br i1 %cmp3.not, label %if.end, label %cleanup65

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ %3, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %add4143 = phi i64 [ 0, %for.body.lr.ph ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr %2, i64 %indvars.iv
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %7 = load i32, ptr %rank, align 8
  %conv = sext i32 %7 to i64
  %add = add nsw i64 %add4143, %conv
  store i64 %add, ptr %total, align 8
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body

if.end:                                           ; preds = %for.cond.cleanup
  %8 = load i32, ptr @model.4, align 8
  %9 = load i32, ptr @model.5, align 4
  %cmp7.not49 = icmp slt i32 %8, %9
  br i1 %cmp7.not49, label %for.body10.preheader, label %cleanup65

for.body10.preheader:                             ; preds = %if.end
  %10 = sext i32 %8 to i64
  br label %for.body10

for.body10:                                       ; preds = %for.body10.preheader, %cleanup.thread
  %indvars.iv64 = phi i64 [ %10, %for.body10.preheader ], [ %indvars.iv.next65, %cleanup.thread ]
  %size.051 = phi ptr [ %vla, %for.body10.preheader ], [ %size.1.lcssa75, %cleanup.thread ]
  %11 = load ptr, ptr @model.2, align 8
  %arrayidx12 = getelementptr inbounds %struct.tw_spec, ptr %11, i64 %indvars.iv64
  %arrayidx14 = getelementptr inbounds %struct.argument, ptr %arguments, i64 %indvars.iv64
  %rank16 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 40
  %12 = load i32, ptr %rank16, align 8
  %cmp1745 = icmp sgt i32 %12, 0
  %shape21 = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 48
  br i1 %cmp1745, label %for.body20, label %land.rhs

for.cond.cleanup19:                               ; preds = %for.body20
  %shape27 = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 48
  %cmp.not4.i = icmp sgt i32 %18, 0
  br i1 %cmp.not4.i, label %for.body.preheader.i, label %land.rhs

for.body.preheader.i:                             ; preds = %for.cond.cleanup19
  %wide.trip.count.i = zext nneg i32 %18 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next.i, %for.inc.i ]
  %count.05.i = phi i64 [ 1, %for.body.preheader.i ], [ %16, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %shape27, i64 %indvars.iv.i
  %13 = load i64, ptr %arrayidx.i, align 8
  %14 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.05.i, i64 %13)
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
  %indvars.iv61 = phi i64 [ %indvars.iv.next62, %for.body20 ], [ 0, %for.body10 ]
  %size.147 = phi ptr [ %incdec.ptr, %for.body20 ], [ %size.051, %for.body10 ]
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %size.147, i64 8
  %17 = load i64, ptr %size.147, align 8
  %arrayidx23 = getelementptr inbounds nuw i64, ptr %shape21, i64 %indvars.iv61
  store i64 %17, ptr %arrayidx23, align 8
  %indvars.iv.next62 = add nuw nsw i64 %indvars.iv61, 1
  %18 = load i32, ptr %rank16, align 8
  %19 = sext i32 %18 to i64
  %cmp17 = icmp slt i64 %indvars.iv.next62, %19
  br i1 %cmp17, label %for.body20, label %for.cond.cleanup19

land.rhs:                                         ; preds = %for.body10, %for.cond.cleanup19, %product.exit
  %shape2776 = phi ptr [ %shape27, %product.exit ], [ %shape27, %for.cond.cleanup19 ], [ %shape21, %for.body10 ]
  %size.1.lcssa75 = phi ptr [ %incdec.ptr, %product.exit ], [ %incdec.ptr, %for.cond.cleanup19 ], [ %size.051, %for.body10 ]
  %spec.select.i24 = phi i64 [ %16, %product.exit ], [ 1, %for.cond.cleanup19 ], [ 1, %for.body10 ]
  %dtype32 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 44
  %20 = load i32, ptr %dtype32, align 4
  %shr.i = lshr i32 %20, 8
  %and.i = and i32 %shr.i, 255
  %add.i = add nuw nsw i32 %and.i, 7
  %div1.i = lshr i32 %add.i, 3
  %conv.i = zext nneg i32 %div1.i to i64
  %21 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %spec.select.i24, i64 %conv.i)
  %22 = extractvalue { i64, i1 } %21, 1
  br i1 %22, label %if.then40, label %cond.end

cond.end:                                         ; preds = %land.rhs
  %23 = extractvalue { i64, i1 } %21, 0
  %24 = add i64 %23, 64
  %call37 = call noalias align 64 ptr @aligned_alloc(i64 noundef 64, i64 noundef %24) #14
  %cmp38.not = icmp eq ptr %call37, null
  br i1 %cmp38.not, label %if.then40, label %cleanup.thread

if.then40:                                        ; preds = %product.exit, %land.rhs, %cond.end, %for.body.i
  %25 = load ptr, ptr %arrayidx12, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %text.i) #16
  %call.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.33, ptr noundef %25, ptr noundef nonnull @.str.37) #14
  %call.i.i = call i64 @strlen(ptr noundef nonnull %text.i) #17
  br label %while.cond.i.i.i

while.cond.i.i.i:                                 ; preds = %while.body.i.i.i, %if.then40
  %count.addr.0.i.i.i = phi i64 [ %call.i.i, %if.then40 ], [ %sub.i.i.i, %while.body.i.i.i ]
  %at.0.i.i.i = phi ptr [ %text.i, %if.then40 ], [ %add.ptr.i.i.i, %while.body.i.i.i ]
  %cmp.not.i.i.i = icmp eq i64 %count.addr.0.i.i.i, 0
  br i1 %cmp.not.i.i.i, label %cleanup, label %while.body.i.i.i

while.body.i.i.i:                                 ; preds = %while.cond.i.i.i
  %call.i.i.i = call i64 @write(i32 noundef signext 2, ptr noundef %at.0.i.i.i, i64 noundef %count.addr.0.i.i.i) #14
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
  store ptr %shape2776, ptr %.compoundliteral.sroa.6.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.7.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 32
  store ptr null, ptr %.compoundliteral.sroa.7.0.tensor.sroa_idx, align 8
  %.compoundliteral.sroa.8.0.tensor.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 40
  store i64 0, ptr %.compoundliteral.sroa.8.0.tensor.sroa_idx, align 8
  %indvars.iv.next65 = add nsw i64 %indvars.iv64, 1
  %28 = load i32, ptr @model.5, align 4
  %29 = sext i32 %28 to i64
  %cmp7.not = icmp slt i64 %indvars.iv.next65, %29
  br i1 %cmp7.not, label %for.body10, label %cleanup65

cleanup:                                          ; preds = %while.body.i.i.i, %while.cond.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %text.i) #16
  br label %cleanup65

cleanup65:                                        ; preds = %cleanup.thread, %cleanup, %if.end, %for.cond.cleanup
  %retval.0 = phi i32 [ 1, %for.cond.cleanup ], [ 1, %cleanup ], [ 0, %if.end ], [ 0, %cleanup.thread ]
  call void @llvm.lifetime.end.p0(ptr nonnull %made) #16
  call void @llvm.stackrestore.p0(ptr %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %total) #16
  ret i32 %retval.0
}

define internal fastcc signext range(i32 0, 2) i32 @call(ptr noundef readonly captures(none) %function, ptr noundef nonnull %arguments, i32 noundef signext %count, ptr noundef %last) unnamed_addr #0 {
entry:
  %result = alloca %struct.tw_value, align 8
  %add = add i32 %count, 1
  %0 = zext i32 %add to i64
  %vla = alloca %struct.tw_value, i64 %0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %result) #16
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %result, i8 0, i64 16, i1 false)
  %cmp.not11 = icmp slt i32 %count, 0
  br i1 %cmp.not11, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %1 = zext nneg i32 %count to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %cmp7 = icmp eq ptr %last, null
  %cond12 = select i1 %cmp7, i32 %count, i32 %add
  %call = call signext i32 %function(ptr noundef null, ptr noundef nonnull %vla, i32 noundef signext %cond12, ptr noundef nonnull %result) #14
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
  call fastcc void @report() #15
  br label %cleanup

cleanup:                                          ; preds = %for.cond.cleanup, %if.end
  %retval.0 = phi i32 [ 1, %if.end ], [ 0, %for.cond.cleanup ]
  call void @llvm.lifetime.end.p0(ptr nonnull %result) #16
  ret i32 %retval.0
}

define internal fastcc signext i32 @checksum(i32 noundef signext %sum, ptr noundef readonly captures(none) %from, i64 noundef %count) unnamed_addr #5 {
entry:
  %cmp.not9 = icmp eq i64 %count, 0
  br i1 %cmp.not9, label %while.end, label %while.body.preheader

while.body.preheader:                             ; preds = %entry
  %not = xor i32 %sum, -1
  br label %while.body

while.cond.loopexit:                              ; preds = %for.body
  %dec12 = add i64 %dec12.in, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %at.011, i64 1
  %cmp.not = icmp eq i64 %dec12, 0
  br i1 %cmp.not, label %while.end.loopexit, label %while.body

while.body:                                       ; preds = %while.body.preheader, %while.cond.loopexit
  %dec12.in = phi i64 [ %dec12, %while.cond.loopexit ], [ %count, %while.body.preheader ]
  %at.011 = phi ptr [ %incdec.ptr, %while.cond.loopexit ], [ %from, %while.body.preheader ]
  %sum.addr.010 = phi i32 [ %xor4, %while.cond.loopexit ], [ %not, %while.body.preheader ]
  %0 = load i8, ptr %at.011, align 1
  %conv = zext i8 %0 to i32
  %xor = xor i32 %sum.addr.010, %conv
  br label %for.body

for.body:                                         ; preds = %while.body, %for.body
  %bit.07 = phi i32 [ 0, %while.body ], [ %inc, %for.body ]
  %sum.addr.16 = phi i32 [ %xor, %while.body ], [ %xor4, %for.body ]
  %shr = lshr i32 %sum.addr.16, 1
  %and = and i32 %sum.addr.16, 1
  %1 = icmp eq i32 %and, 0
  %and3 = select i1 %1, i32 0, i32 -306674912
  %xor4 = xor i32 %and3, %shr
  %inc = add nuw nsw i32 %bit.07, 1
  %exitcond.not = icmp eq i32 %inc, 8
  br i1 %exitcond.not, label %while.cond.loopexit, label %for.body

while.end.loopexit:                               ; preds = %while.cond.loopexit
  %2 = xor i32 %xor4, -1
  br label %while.end

while.end:                                        ; preds = %while.end.loopexit, %entry
  %sum.addr.0.lcssa = phi i32 [ %sum, %entry ], [ %2, %while.end.loopexit ]
  ret i32 %sum.addr.0.lcssa
}

define internal fastcc void @store(ptr noundef nonnull writeonly captures(none) %at, i64 noundef %value, i32 noundef signext range(i32 2, 5) %bytes) unnamed_addr #11 {
entry:
  %wide.trip.count = zext nneg i32 %bytes to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  ret void

for.body:                                         ; preds = %entry, %for.body
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %for.body ]
  %0 = shl nsw i64 %indvars.iv, 3
  %shr = lshr i64 %value, %0
  %conv = trunc i64 %shr to i8
  %arrayidx = getelementptr inbounds nuw i8, ptr %at, i64 %indvars.iv
  store i8 %conv, ptr %arrayidx, align 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
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
  %cond = select i1 %cmp3, ptr @.str.60, ptr @.str.61
  %cond4 = select i1 %cmp, ptr @.str.59, ptr %cond
  %call = tail call ptr @strcpy(ptr noundef nonnull %text, ptr noundef nonnull %cond4) #14
  br label %return

if.end:                                           ; preds = %entry
  %cmp5 = fcmp olt double %value, 0.000000e+00
  %fneg = fneg double %value
  %cond9 = select i1 %cmp5, double %fneg, double %value
  %cmp1026 = fcmp ult double %cond9, 1.000000e+01
  br i1 %cmp1026, label %while.cond11.preheader, label %while.body

while.cond11.preheader:                           ; preds = %while.body, %if.end
  %size.0.lcssa = phi double [ %cond9, %if.end ], [ %div, %while.body ]
  %power.0.lcssa = phi i32 [ 0, %if.end ], [ %inc, %while.body ]
  %cmp1230 = fcmp ogt double %size.0.lcssa, 0.000000e+00
  %cmp1331 = fcmp olt double %size.0.lcssa, 1.000000e+00
  %0 = and i1 %cmp1230, %cmp1331
  br i1 %0, label %while.body14, label %while.end15

while.body:                                       ; preds = %if.end, %while.body
  %power.028 = phi i32 [ %inc, %while.body ], [ 0, %if.end ]
  %size.027 = phi double [ %div, %while.body ], [ %cond9, %if.end ]
  %div = fdiv double %size.027, 1.000000e+01
  %inc = add nuw nsw i32 %power.028, 1
  %cmp10 = fcmp ult double %div, 1.000000e+01
  br i1 %cmp10, label %while.cond11.preheader, label %while.body

while.body14:                                     ; preds = %while.cond11.preheader, %while.body14
  %power.133 = phi i32 [ %dec, %while.body14 ], [ %power.0.lcssa, %while.cond11.preheader ]
  %size.132 = phi double [ %mul, %while.body14 ], [ %size.0.lcssa, %while.cond11.preheader ]
  %mul = fmul double %size.132, 1.000000e+01
  %dec = add nsw i32 %power.133, -1
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
  %spec.select25 = select i1 %cmp17, i64 1000000, i64 %conv
  call void @llvm.lifetime.start.p0(ptr nonnull %rest) #16
  %rem = srem i64 %spec.select25, 1000000
  %3 = trunc nsw i64 %rem to i32
  %conv22 = add nsw i32 %3, 1000000
  %call23 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %rest, i64 noundef 16, ptr noundef nonnull @.str.62, i32 noundef signext %conv22) #14
  %cond26 = select i1 %cmp5, ptr @.str.64, ptr @.str.65
  %div27 = sdiv i64 %spec.select25, 1000000
  %conv28 = trunc i64 %div27 to i32
  %add.ptr = getelementptr inbounds nuw i8, ptr %rest, i64 1
  %cmp30 = icmp slt i32 %spec.select, 0
  %cond32 = select i1 %cmp30, ptr @.str.64, ptr @.str.66
  %cond39 = call i32 @llvm.abs.i32(i32 %spec.select, i1 true)
  %call40 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 64, ptr noundef nonnull @.str.63, ptr noundef nonnull %cond26, i32 noundef signext %conv28, ptr noundef nonnull %add.ptr, ptr noundef nonnull %cond32, i32 noundef signext %cond39) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %rest) #16
  br label %return

return:                                           ; preds = %while.end15, %if.then
  ret void
}

declare ptr @strcpy(ptr noundef, ptr noundef) local_unnamed_addr #0

declare double @llvm.fmuladd.f64(double, double, double) #8

declare i32 @llvm.smax.i32(i32, i32) #12

declare i64 @llvm.umin.i64(i64, i64) #12

declare i32 @llvm.abs.i32(i32, i1 immarg) #13

declare i64 @llvm.smax.i64(i64, i64) #12

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree nounwind willreturn memory(read) "no-builtins" }
attributes #4 = { "no-builtins" }
attributes #5 = { nofree noinline norecurse nosync nounwind memory(argmem: read) "no-builtins" }
attributes #6 = { nofree noinline nounwind memory(read) "no-builtins" }
attributes #7 = { nofree nounwind memory(read) "no-builtins" }
attributes #8 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #10 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #11 = { nofree noinline norecurse nosync nounwind memory(argmem: write) "no-builtins" }
attributes #12 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #13 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #14 = { nobuiltin nounwind "no-builtins" }
attributes #15 = { nobuiltin "no-builtins" }
attributes #16 = { nounwind }
attributes #17 = { nobuiltin nounwind willreturn memory(read) "no-builtins" }
