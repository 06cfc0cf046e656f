; Generated from runtime/native/program.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.bytes = type { ptr, i64 }
%struct.inputs = type { ptr, ptr }
%struct.member = type { [46 x i8], i64, i64 }
%struct.tw_tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_specs = external hidden local_unnamed_addr constant [0 x %struct.tw_spec], align 8
@.str = private unnamed_addr constant [27 x i8] c"is an input without a file\00", align 1
@tw_outputs = external hidden local_unnamed_addr constant i32, align 4
@.str.1 = private unnamed_addr constant [12 x i8] c"the outputs\00", align 1
@.str.2 = private unnamed_addr constant [41 x i8] c"cannot be written to the standard output\00", align 1
@.str.3 = private unnamed_addr constant [8 x i8] c"error: \00", align 1
@__tw_last_error = external global [1024 x i8], align 1
@.str.4 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@tw_signature = external hidden constant [0 x i8], align 1
@.str.5 = private unnamed_addr constant [9 x i8] c"\0Ausage: \00", align 1
@.str.6 = private unnamed_addr constant [216 x i8] c" [-o OUTPUT.npy | -o OUTPUTS.npz] INPUT...\0A    INPUT is a file of numpy, in the order of the signature: FILE.npy, or\0A    NAME=FILE.npy, or FILE.npz with arrays of the names of inputs\0Aruns the code for the processor \00", align 1
@tw_processors = external hidden constant [0 x i8], align 1
@.str.7 = private unnamed_addr constant [2 x i8] c"=\00", align 1
@.str.8 = private unnamed_addr constant [15 x i8] c"names no input\00", align 1
@.str.9 = private unnamed_addr constant [28 x i8] c"cannot be read, or is empty\00", align 1
@.str.10 = private unnamed_addr constant [3 x i8] c"PK\00", align 1
@.str.11 = private unnamed_addr constant [22 x i8] c"is one input too many\00", align 1
@.str.12 = private unnamed_addr constant [5 x i8] c"PK\05\06\00", align 1
@.str.13 = private unnamed_addr constant [17 x i8] c"has no directory\00", align 1
@.str.14 = private unnamed_addr constant [5 x i8] c"PK\01\02\00", align 1
@.str.15 = private unnamed_addr constant [24 x i8] c"has a damaged directory\00", align 1
@.str.16 = private unnamed_addr constant [34 x i8] c"has a member without an input: %s\00", align 1
@.str.17 = private unnamed_addr constant [40 x i8] c"is compressed: save it with numpy.savez\00", align 1
@.str.18 = private unnamed_addr constant [11 x i8] c"is damaged\00", align 1
@.str.19 = private unnamed_addr constant [33 x i8] c"is damaged, or larger than 4 GiB\00", align 1
@.str.20 = private unnamed_addr constant [7 x i8] c"\93NUMPY\00", align 1
@.str.21 = private unnamed_addr constant [23 x i8] c"is not a file of numpy\00", align 1
@.str.22 = private unnamed_addr constant [30 x i8] c"has a header that is too long\00", align 1
@.str.23 = private unnamed_addr constant [8 x i8] c"'descr'\00", align 1
@.str.24 = private unnamed_addr constant [16 x i8] c"'fortran_order'\00", align 1
@.str.25 = private unnamed_addr constant [8 x i8] c"'shape'\00", align 1
@.str.26 = private unnamed_addr constant [43 x i8] c"has a header without type, order and shape\00", align 1
@.str.27 = private unnamed_addr constant [45 x i8] c"does not fit %s: expected %.200s, got %.120s\00", align 1
@.str.28 = private unnamed_addr constant [6 x i8] c"False\00", align 1
@.str.29 = private unnamed_addr constant [64 x i8] c"is stored column by column: save numpy.ascontiguousarray(array)\00", align 1
@.str.30 = private unnamed_addr constant [26 x i8] c"is shorter than its array\00", align 1
@.str.31 = private unnamed_addr constant [3 x i8] c"<>\00", align 1
@tw_byte_order = external hidden local_unnamed_addr constant [0 x i8], align 1
@.str.32 = private unnamed_addr constant [25 x i8] c"does not fit into memory\00", align 1
@is_dtype.kinds = internal unnamed_addr constant [8 x i8] c"iuf  cb\00", align 1
@.str.33 = private unnamed_addr constant [4 x i8] c"<>|\00", align 1
@.str.34 = private unnamed_addr constant [23 x i8] c"error: %.300s: %.600s\0A\00", align 1
@tw_uses_tiles = external hidden local_unnamed_addr constant [0 x i32], align 4
@.str.35 = private unnamed_addr constant [213 x i8] c"the kernel refuses the tile registers (AMX) that the code needs; expected arch_prctl(ARCH_REQ_XCOMP_PERM, 18) of Linux 5.16 or newer, on such a processor; else compile the model for a target with -mattr=-amx-tile\00", align 1
@__tw_pool = external local_unnamed_addr global ptr, align 8
@__tw_default_threads = external local_unnamed_addr global i32, align 4
@.str.36 = private unnamed_addr constant [5 x i8] c".npz\00", align 1
@.str.37 = private unnamed_addr constant [67 x i8] c"holds one array: write several outputs to a file that ends in .npz\00", align 1
@.str.38 = private unnamed_addr constant [18 x i8] c"cannot be written\00", align 1
@.str.39 = private unnamed_addr constant [11 x i8] c"PK\01\02\14\00\14\00\00\08\00", align 1
@__const.put_array.local = private unnamed_addr constant [30 x i8] c"PK\03\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.40 = private unnamed_addr constant [5 x i8] c".npy\00", align 1
@write_header.kinds = internal unnamed_addr constant [19 x i8] c"iufVVcbVVVVVVVVVVV\00", align 1
@.str.41 = private unnamed_addr constant [2 x i8] c"(\00", align 1
@.str.42 = private unnamed_addr constant [6 x i8] c"%lld,\00", align 1
@.str.43 = private unnamed_addr constant [60 x i8] c"{'descr': '%s%s%d', 'fortran_order': False, 'shape': %s), }\00", align 1
@.str.44 = private unnamed_addr constant [2 x i8] c"|\00", align 1
@.str.45 = private unnamed_addr constant [2 x i8] c"<\00", align 1
@.str.46 = private unnamed_addr constant [2 x i8] c">\00", align 1
@.str.47 = private unnamed_addr constant [9 x i8] c"\93NUMPY\01\00\00", align 1
@__const.put_directory.end = private unnamed_addr constant [22 x i8] c"PK\05\06\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 1
@.str.48 = private unnamed_addr constant [5 x i8] c"%s: \00", align 1
@.str.49 = private unnamed_addr constant [5 x i8] c"%lld\00", align 1
@.str.50 = private unnamed_addr constant [8 x i8] c" x %lld\00", align 1
@.str.51 = private unnamed_addr constant [2 x i8] c" \00", align 1
@.str.52 = private unnamed_addr constant [5 x i8] c"...\0A\00", align 1
@.str.53 = private unnamed_addr constant [6 x i8] c"\0A...\0A\00", align 1
@.str.54 = private unnamed_addr constant [5 x i8] c"True\00", align 1
@.str.55 = private unnamed_addr constant [5 x i8] c"%llu\00", align 1
@.str.56 = private unnamed_addr constant [6 x i8] c"%#llx\00", align 1
@.str.57 = private unnamed_addr constant [4 x i8] c"nan\00", align 1
@.str.58 = private unnamed_addr constant [4 x i8] c"inf\00", align 1
@.str.59 = private unnamed_addr constant [5 x i8] c"-inf\00", align 1
@.str.60 = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.61 = private unnamed_addr constant [13 x i8] c"%s%d.%se%s%d\00", align 1
@.str.62 = private unnamed_addr constant [2 x i8] c"-\00", align 1
@.str.63 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.64 = private unnamed_addr constant [2 x i8] c"+\00", align 1
define hidden signext range(i32 0, 3) i32 @tw_program(i32 noundef signext %argc, ptr noundef readonly captures(none) %argv) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %wide.i.i = alloca double, align 8
  %wide22.i.i = alloca float, align 4
  %text.i = alloca [1024 x i8], align 1
  %processors.i = alloca [16 x i64], align 8
  %text.i.i.i = alloca [1024 x i8], align 1
  %shown.i.i.i = alloca [128 x i8], align 1
  %member.i.i.i = alloca %struct.bytes, align 8
  %file.i = alloca %struct.bytes, align 8
  %inputs = alloca %struct.inputs, align 8
  %1 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %1, 1
  %2 = zext i32 %add to i64
  %vla = alloca i8, i64 %2, align 1
  %call = tail call ptr @__tw_create()
  store ptr %call, ptr %inputs, align 8
  %are_set = getelementptr inbounds nuw i8, ptr %inputs, i64 8
  store ptr %vla, ptr %are_set, align 8
  %call1 = call ptr @memset(ptr noundef nonnull %vla, i32 noundef signext 0, i64 noundef %2)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  call fastcc void @report()
  br label %cleanup98
if.end:
  %cmp4 = icmp slt i32 %argc, 2
  %cmp5 = icmp sgt i32 %1, 0
  %or.cond = select i1 %cmp4, i1 %cmp5, i1 false
  br i1 %or.cond, label %if.then6, label %for.cond
if.then6:
  %3 = load ptr, ptr %argv, align 8
  call fastcc void @explain(ptr noundef %3)
  br label %cleanup98
for.cond:
  %output.0 = phi ptr [ %output.1, %for.inc ], [ null, %if.end ]
  %inc46.sink = phi i32 [ %inc46, %for.inc ], [ 1, %if.end ]
  %cmp9.not = icmp slt i32 %inc46.sink, %argc
  br i1 %cmp9.not, label %for.body, label %for.cond47
for.body:
  %idxprom = sext i32 %inc46.sink to i64
  %arrayidx10 = getelementptr inbounds ptr, ptr %argv, i64 %idxprom
  %4 = load ptr, ptr %arrayidx10, align 8
  %5 = load i8, ptr %4, align 1
  %cmp12.not = icmp eq i8 %5, 45
  br i1 %cmp12.not, label %if.else, label %if.then14
if.then14:
  %call.i = call i64 @strcspn(ptr noundef nonnull %4, ptr noundef nonnull @.str.7)
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %4, i64 %call.i
  %6 = load i8, ptr %arrayidx.i, align 1
  %cmp.i = icmp ne i8 %6, 61
  %add.ptr3.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 1
  %cond.i = select i1 %cmp.i, ptr %4, ptr %add.ptr3.i
  br i1 %cmp.i, label %if.end.i, label %cond.end9.i
cond.end9.i:
  %call7.i = call fastcc signext i32 @input_named(ptr noundef nonnull %4, i64 noundef %call.i)
  %cmp11.i = icmp slt i32 %call7.i, 0
  br i1 %cmp11.i, label %if.then.i, label %if.end.i
if.then.i:
  call fastcc void @fail(ptr noundef nonnull %4, ptr noundef nonnull @.str.8)
  br label %read_word.exit.thread
if.end.i:
  %cond1025.i = phi i32 [ %call7.i, %cond.end9.i ], [ 0, %if.then14 ]
  %call.i.i = call signext i32 (ptr, i32, ...) @open(ptr noundef nonnull %cond.i, i32 noundef signext 524288)
  %cmp.i.i = icmp slt i32 %call.i.i, 0
  br i1 %cmp.i.i, label %if.then15.i, label %cond.end.i.i
cond.end.i.i:
  %call1.i.i = call i64 @lseek(i32 noundef signext %call.i.i, i64 noundef 0, i32 noundef signext 2)
  %cmp2.i.i = icmp slt i64 %call1.i.i, 1
  br i1 %cmp2.i.i, label %map_file.exit.i, label %cond.false4.i.i
cond.false4.i.i:
  %call5.i.i = call ptr @mmap(ptr noundef null, i64 noundef %call1.i.i, i32 noundef signext 1, i32 noundef signext 2, i32 noundef signext %call.i.i, i64 noundef 0)
  br label %map_file.exit.i
map_file.exit.i:
  %cond7.ph.i.i = phi ptr [ inttoptr (i64 -1 to ptr), %cond.end.i.i ], [ %call5.i.i, %cond.false4.i.i ]
  %call9.i.i = call signext i32 @close(i32 noundef signext %call.i.i)
  store ptr %cond7.ph.i.i, ptr %file.i, align 8
  %count11.i.i = getelementptr inbounds nuw i8, ptr %file.i, i64 8
  store i64 %call1.i.i, ptr %count11.i.i, align 8
  %cmp12.i.not.i = icmp eq ptr %cond7.ph.i.i, inttoptr (i64 -1 to ptr)
  br i1 %cmp12.i.not.i, label %if.then15.i, label %if.end17.i
if.then15.i:
  call fastcc void @fail(ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.9)
  br label %read_word.exit.thread
if.end17.i:
  %cmp18.i = icmp ugt i64 %call1.i.i, 21
  br i1 %cmp18.i, label %land.lhs.true.i, label %while.cond.i
land.lhs.true.i:
  %call20.i = call signext i32 @memcmp(ptr noundef %cond7.ph.i.i, ptr noundef nonnull @.str.10, i64 noundef 2)
  %cmp21.i = icmp eq i32 %call20.i, 0
  br i1 %cmp21.i, label %if.then23.i, label %while.cond.i
if.then23.i:
  %sub.i.i = add i64 %call1.i.i, -22
  br label %for.cond.i.i
for.cond.i.i:
  %dec.sink.i.i = phi i64 [ %dec.i.i, %for.inc.i.i ], [ %sub.i.i, %if.then23.i ]
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %dec.sink.i.i
  %call.i21.i = call signext i32 @memcmp(ptr noundef %add.ptr.i.i, ptr noundef nonnull @.str.12, i64 noundef 4)
  %cmp.not.i.i = icmp eq i32 %call.i21.i, 0
  br i1 %cmp.not.i.i, label %for.end.i.i, label %for.body.i.i
for.body.i.i:
  %cmp1.i.i = icmp eq i64 %dec.sink.i.i, 0
  %sub3.i.i = sub i64 %call1.i.i, %dec.sink.i.i
  %cmp4.i.i = icmp ugt i64 %sub3.i.i, 65536
  %or.cond.i.i = or i1 %cmp1.i.i, %cmp4.i.i
  br i1 %or.cond.i.i, label %cleanup59.sink.split.i.i, label %for.inc.i.i
for.inc.i.i:
  %dec.i.i = add i64 %dec.sink.i.i, -1
  br label %for.cond.i.i
for.end.i.i:
  %add.ptr8.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 16
  %call9.i22.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr8.i.i, i32 noundef signext 4)
  %conv.i.i = zext i32 %call9.i22.i to i64
  %add.ptr12.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 10
  %call13.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr12.i.i, i32 noundef signext 2)
  br label %for.cond14.i.i
for.cond14.i.i:
  %at.0.i.i = phi i64 [ %conv.i.i, %for.end.i.i ], [ %add41.i.i, %read_member.exit.i.i ]
  %dec54.sink.i.i = phi i32 [ %call13.i.i, %for.end.i.i ], [ %dec54.i.i, %read_member.exit.i.i ]
  %cmp15.not.i.i = icmp eq i32 %dec54.sink.i.i, 0
  br i1 %cmp15.not.i.i, label %read_word.exit.thread69, label %for.body17.i.i
read_word.exit.thread69:
  br label %for.inc
for.body17.i.i:
  %add.i.i = add i64 %at.0.i.i, 46
  %cmp18.i.i = icmp ugt i64 %add.i.i, %dec.sink.i.i
  br i1 %cmp18.i.i, label %if.then26.i.i, label %lor.lhs.false20.i.i
lor.lhs.false20.i.i:
  %add.ptr22.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %at.0.i.i
  %call23.i.i = call signext i32 @memcmp(ptr noundef %add.ptr22.i.i, ptr noundef nonnull @.str.14, i64 noundef 4)
  %cmp24.not.i.i = icmp eq i32 %call23.i.i, 0
  br i1 %cmp24.not.i.i, label %if.end28.i.i, label %if.then26.i.i
if.then26.i.i:
  call fastcc void @fail(ptr noundef nonnull %cond.i, ptr noundef nonnull @.str.15)
  br label %read_word.exit.thread
if.end28.i.i:
  %add.ptr31.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 28
  %call32.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr31.i.i, i32 noundef signext 2)
  %add33.i.i = add i32 %call32.i.i, 46
  %add.ptr34.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 30
  %call35.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr34.i.i, i32 noundef signext 2)
  %add36.i.i = add i32 %add33.i.i, %call35.i.i
  %add.ptr37.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 32
  %call38.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr37.i.i, i32 noundef signext 2)
  %add39.i.i = add i32 %add36.i.i, %call38.i.i
  %conv40.i.i = zext i32 %add39.i.i to i64
  %add41.i.i = add i64 %at.0.i.i, %conv40.i.i
  %cmp42.i.i = icmp ugt i64 %add41.i.i, %dec.sink.i.i
  br i1 %cmp42.i.i, label %cleanup59.sink.split.i.i, label %if.end46.i.i
if.end46.i.i:
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 20
  %call.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr.i.i.i, i32 noundef signext 4)
  %conv.i.i.i = zext i32 %call.i.i.i to i64
  %conv3.i.i.i = zext i32 %call32.i.i to i64
  %add.ptr4.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 42
  %call5.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr4.i.i.i, i32 noundef signext 4)
  %conv6.i.i.i = zext i32 %call5.i.i.i to i64
  %add.ptr7.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 46
  %cmp.i.i.i = icmp ult i32 %call32.i.i, 4
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %cond.end.i.i.i
cond.end.i.i.i:
  %sub.i.i.i = add nsw i64 %conv3.i.i.i, -4
  %call9.i.i.i = call fastcc signext i32 @input_named(ptr noundef nonnull %add.ptr7.i.i.i, i64 noundef %sub.i.i.i)
  %cmp10.i.i.i = icmp slt i32 %call9.i.i.i, 0
  br i1 %cmp10.i.i.i, label %if.then.i.i.i, label %if.end.i.i.i
if.then.i.i.i:
  %cond17.i.i.i = call i64 @llvm.umin.i64(i64 %conv3.i.i.i, i64 127)
  %call18.i.i.i = call ptr @memcpy(ptr noundef nonnull %shown.i.i.i, ptr noundef nonnull %add.ptr7.i.i.i, i64 noundef %cond17.i.i.i)
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %shown.i.i.i, i64 %cond17.i.i.i
  store i8 0, ptr %arrayidx.i.i.i, align 1
  %call21.i.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i.i.i, i64 noundef 1024, ptr noundef nonnull @.str.16, ptr noundef nonnull %shown.i.i.i)
  br label %read_member.exit.thread.i.i
if.end.i.i.i:
  %add.ptr24.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr22.i.i, i64 10
  %call25.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr24.i.i.i, i32 noundef signext 2)
  %cmp26.not.i.i.i = icmp eq i32 %call25.i.i.i, 0
  br i1 %cmp26.not.i.i.i, label %if.end30.i.i.i, label %read_member.exit.thread.i.i
if.end30.i.i.i:
  %add.i.i.i = add nuw nsw i64 %conv6.i.i.i, 30
  %cmp32.i.i.i = icmp ugt i64 %add.i.i.i, %call1.i.i
  br i1 %cmp32.i.i.i, label %read_member.exit.thread.i.i, label %if.end36.i.i.i
if.end36.i.i.i:
  %add.ptr38.i.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %conv6.i.i.i
  %add.ptr39.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr38.i.i.i, i64 26
  %call40.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr39.i.i.i, i32 noundef signext 2)
  %conv41.i.i.i = zext i32 %call40.i.i.i to i64
  %add42.i.i.i = add nuw nsw i64 %add.i.i.i, %conv41.i.i.i
  %add.ptr45.i.i.i = getelementptr inbounds nuw i8, ptr %add.ptr38.i.i.i, i64 28
  %call46.i.i.i = call fastcc signext i32 @number(ptr noundef nonnull %add.ptr45.i.i.i, i32 noundef signext 2)
  %conv47.i.i.i = zext i32 %call46.i.i.i to i64
  %add48.i.i.i = add nuw nsw i64 %add42.i.i.i, %conv47.i.i.i
  %cmp50.i.i.i = icmp ugt i64 %add48.i.i.i, %call1.i.i
  %sub53.i.i.i = sub nuw i64 %call1.i.i, %add48.i.i.i
  %cmp54.i.i.i = icmp ult i64 %sub53.i.i.i, %conv.i.i.i
  %or.cond.i.i.i = select i1 %cmp50.i.i.i, i1 true, i1 %cmp54.i.i.i
  br i1 %or.cond.i.i.i, label %read_member.exit.thread.i.i, label %read_member.exit.i.i
read_member.exit.thread.i.i:
  %text.i.sink.i.i = phi ptr [ %text.i.i.i, %if.then.i.i.i ], [ @.str.19, %if.end36.i.i.i ], [ @.str.18, %if.end30.i.i.i ], [ @.str.17, %if.end.i.i.i ]
  call fastcc void @fail(ptr noundef nonnull %cond.i, ptr noundef nonnull %text.i.sink.i.i)
  br label %read_word.exit.thread
read_member.exit.i.i:
  %add.ptr61.i.i.i = getelementptr inbounds nuw i8, ptr %cond7.ph.i.i, i64 %add48.i.i.i
  store ptr %add.ptr61.i.i.i, ptr %member.i.i.i, align 8
  %count62.i.i.i = getelementptr inbounds nuw i8, ptr %member.i.i.i, i64 8
  store i64 %conv.i.i.i, ptr %count62.i.i.i, align 8
  %call63.i.i.i = call fastcc signext i32 @read_array(ptr noundef nonnull %cond.i, ptr noundef %member.i.i.i, i32 noundef signext %call9.i.i.i, ptr noundef nonnull readonly %inputs)
  %cmp48.not.i.i = icmp eq i32 %call63.i.i.i, 0
  %dec54.i.i = add i32 %dec54.sink.i.i, -1
  br i1 %cmp48.not.i.i, label %for.cond14.i.i, label %read_word.exit.thread
cleanup59.sink.split.i.i:
  %.str.15.sink.i.i = phi ptr [ @.str.15, %if.end28.i.i ], [ @.str.13, %for.body.i.i ]
  call fastcc void @fail(ptr noundef nonnull %cond.i, ptr noundef nonnull %.str.15.sink.i.i)
  br label %read_word.exit.thread
while.cond.i:
  %index.0.i = phi i32 [ %inc.i, %while.body.i ], [ %cond1025.i, %if.end17.i ], [ %cond1025.i, %land.lhs.true.i ]
  %cmp28.i = icmp slt i32 %index.0.i, %1
  %or.cond.i = select i1 %cmp.i, i1 %cmp28.i, i1 false
  br i1 %or.cond.i, label %land.rhs.i, label %while.end.i
land.rhs.i:
  %idxprom.i = zext nneg i32 %index.0.i to i64
  %arrayidx30.i = getelementptr inbounds nuw i8, ptr %vla, i64 %idxprom.i
  %7 = load i8, ptr %arrayidx30.i, align 1
  %loadedv31.i = trunc i8 %7 to i1
  br i1 %loadedv31.i, label %while.body.i, label %while.end.i
while.body.i:
  %inc.i = add nuw nsw i32 %index.0.i, 1
  br label %while.cond.i
while.end.i:
  %cmp33.i = icmp eq i32 %index.0.i, %1
  br i1 %cmp33.i, label %if.then35.i, label %read_word.exit
if.then35.i:
  call fastcc void @fail(ptr noundef nonnull %4, ptr noundef nonnull @.str.11)
  br label %read_word.exit.thread
read_word.exit.thread:
  br label %cleanup98
read_word.exit:
  %call38.i = call fastcc signext i32 @read_array(ptr noundef nonnull %cond.i, ptr noundef %file.i, i32 noundef signext %index.0.i, ptr noundef nonnull readonly %inputs)
  %cmp18.not = icmp eq i32 %call38.i, 0
  br i1 %cmp18.not, label %for.inc, label %cleanup98
if.else:
  %call24 = call i64 @strlen(ptr noundef nonnull %4)
  %cmp25 = icmp eq i64 %call24, 2
  br i1 %cmp25, label %land.lhs.true27, label %cleanup.thread
land.lhs.true27:
  %arrayidx30 = getelementptr inbounds nuw i8, ptr %4, i64 1
  %8 = load i8, ptr %arrayidx30, align 1
  %cmp32 = icmp eq i8 %8, 111
  br i1 %cmp32, label %land.lhs.true34, label %cleanup.thread
land.lhs.true34:
  %add35 = add nsw i32 %inc46.sink, 1
  %cmp36 = icmp slt i32 %add35, %argc
  br i1 %cmp36, label %if.then38, label %cleanup.thread
if.then38:
  %idxprom39 = sext i32 %add35 to i64
  %arrayidx40 = getelementptr inbounds ptr, ptr %argv, i64 %idxprom39
  %9 = load ptr, ptr %arrayidx40, align 8
  br label %for.inc
cleanup.thread:
  %10 = load ptr, ptr %argv, align 8
  call fastcc void @explain(ptr noundef %10)
  br label %cleanup98
for.inc:
  %word.0 = phi i32 [ %inc46.sink, %read_word.exit ], [ %add35, %if.then38 ], [ %inc46.sink, %read_word.exit.thread69 ]
  %output.1 = phi ptr [ %output.0, %read_word.exit ], [ %9, %if.then38 ], [ %output.0, %read_word.exit.thread69 ]
  %inc46 = add nsw i32 %word.0, 1
  br label %for.cond
for.cond47:
  %inc60.sink = phi i32 [ %inc60, %for.body51 ], [ 0, %for.cond ]
  %cmp48.not = icmp slt i32 %inc60.sink, %1
  br i1 %cmp48.not, label %for.body51, label %for.end63
for.body51:
  %idxprom52 = zext nneg i32 %inc60.sink to i64
  %arrayidx53 = getelementptr inbounds nuw i8, ptr %vla, i64 %idxprom52
  %11 = load i8, ptr %arrayidx53, align 1
  %loadedv = trunc i8 %11 to i1
  %inc60 = add nuw nsw i32 %inc60.sink, 1
  br i1 %loadedv, label %for.cond47, label %cleanup61.thread
cleanup61.thread:
  %arrayidx56 = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom52
  %12 = load ptr, ptr %arrayidx56, align 8
  call fastcc void @fail(ptr noundef %12, ptr noundef nonnull @.str)
  br label %cleanup98
for.end63:
  %13 = load ptr, ptr %argv, align 8
  %14 = load i32, ptr @tw_uses_tiles, align 4
  %cmp.not.i = icmp eq i32 %14, 0
  br i1 %cmp.not.i, label %lor.lhs.false, label %land.lhs.true.i31
land.lhs.true.i31:
  %call.i32 = call i64 @tw_arch_prctl(i64 noundef 4131, i64 noundef 18)
  %cmp1.not.i = icmp eq i64 %call.i32, 0
  br i1 %cmp1.not.i, label %lor.lhs.false, label %request_tiles.exit
request_tiles.exit:
  call fastcc void @fail(ptr noundef %13, ptr noundef nonnull @.str.35)
  br label %cleanup98
lor.lhs.false:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %processors.i, i8 0, i64 128, i1 false)
  %call.i34 = call signext i32 @sched_getaffinity(i32 noundef signext 0, i64 noundef 128, ptr noundef nonnull %processors.i)
  %cmp.i35 = icmp sgt i32 %call.i34, -1
  br i1 %cmp.i35, label %for.cond.i, label %if.end.i36
for.cond.i:
  %threads.1.i = phi i32 [ %add.i, %for.body.i ], [ 0, %lor.lhs.false ]
  %inc.sink.i = phi i32 [ %inc.i40, %for.body.i ], [ 0, %lor.lhs.false ]
  %cmp1.i = icmp samesign ult i32 %inc.sink.i, 16
  br i1 %cmp1.i, label %for.body.i, label %if.end.loopexit.i
for.body.i:
  %idxprom.i38 = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i39 = getelementptr inbounds nuw i64, ptr %processors.i, i64 %idxprom.i38
  %15 = load i64, ptr %arrayidx.i39, align 8
  %16 = call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %15)
  %cast.i = trunc nuw nsw i64 %16 to i32
  %add.i = add nuw nsw i32 %threads.1.i, %cast.i
  %inc.i40 = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
if.end.loopexit.i:
  %17 = call i32 @llvm.smax.i32(i32 %threads.1.i, i32 1)
  br label %if.end.i36
if.end.i36:
  %threads.0.i = phi i32 [ 1, %lor.lhs.false ], [ %17, %if.end.loopexit.i ]
  store ptr @__tw_pool_run, ptr @__tw_pool, align 8
  store i32 %threads.0.i, ptr @__tw_default_threads, align 4
  %call3.i = call signext i32 @__tw_run(ptr noundef nonnull %call)
  %cmp4.i = icmp eq i32 %call3.i, 0
  br i1 %cmp4.i, label %if.end73, label %run.exit
run.exit:
  call fastcc void @report()
  br label %cleanup98
if.end73:
  %cmp74.not = icmp eq ptr %output.0, null
  br i1 %cmp74.not, label %for.cond81, label %if.then76
if.then76:
  %call78 = call fastcc signext i32 @save(ptr noundef %output.0, ptr noundef nonnull %call)
  br label %cleanup98
for.cond81:
  %inc94.sink = phi i32 [ %inc94, %for.inc93 ], [ 0, %if.end73 ]
  %18 = load i32, ptr @tw_outputs, align 4
  %cmp82.not = icmp slt i32 %inc94.sink, %18
  br i1 %cmp82.not, label %for.body85, label %cleanup95
for.body85:
  %call86 = call fastcc ptr @output_name(i32 noundef signext %inc94.sink)
  %call88 = call ptr @__tw_get_output(ptr noundef nonnull %call, i32 noundef signext %inc94.sink)
  %call.i41 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull @.str.48, ptr noundef %call86)
  %call2.i42 = call fastcc zeroext i1 @print(i32 noundef signext 1, ptr noundef nonnull %text.i)
  br label %for.cond.i43
for.cond.i43:
  %is_done.0.in.i = phi i1 [ %call2.i42, %for.body85 ], [ %call7.i65, %for.body.i60 ]
  %inc.sink.i44 = phi i32 [ 0, %for.body85 ], [ %inc.i66, %for.body.i60 ]
  br i1 %is_done.0.in.i, label %land.rhs.i58, label %land.end12.i
land.rhs.i58:
  %rank.i = getelementptr inbounds nuw i8, ptr %call88, i64 16
  %19 = load i32, ptr %rank.i, align 8
  %cmp.i59 = icmp slt i32 %inc.sink.i44, %19
  br i1 %cmp.i59, label %for.body.i60, label %land.rhs10.i
for.body.i60:
  %cmp4.i61 = icmp eq i32 %inc.sink.i44, 0
  %cond.i62 = select i1 %cmp4.i61, ptr @.str.49, ptr @.str.50
  %shape.i = getelementptr inbounds nuw i8, ptr %call88, i64 24
  %20 = load ptr, ptr %shape.i, align 8
  %idxprom.i63 = zext nneg i32 %inc.sink.i44 to i64
  %arrayidx.i64 = getelementptr inbounds nuw i64, ptr %20, i64 %idxprom.i63
  %21 = load i64, ptr %arrayidx.i64, align 8
  %call5.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 1024, ptr noundef nonnull %cond.i62, i64 noundef %21)
  %call7.i65 = call fastcc zeroext i1 @print(i32 noundef signext 1, ptr noundef nonnull %text.i)
  %inc.i66 = add nuw nsw i32 %inc.sink.i44, 1
  br label %for.cond.i43
land.rhs10.i:
  %call11.i = call fastcc zeroext i1 @print(i32 noundef signext 1, ptr noundef nonnull @.str.4)
  br label %land.end12.i
land.end12.i:
  %storedv13.i = phi i1 [ %call11.i, %land.rhs10.i ], [ false, %for.cond.i43 ]
  %dtype.i = getelementptr inbounds nuw i8, ptr %call88, i64 20
  %22 = load i32, ptr %dtype.i, align 4
  %call14.i = call fastcc i64 @item_bytes(i32 noundef signext %22)
  %call15.i = call fastcc i64 @bytes_of(ptr noundef readonly %call88)
  %div.i = sdiv i64 %call15.i, %call14.i
  %rank16.i = getelementptr inbounds nuw i8, ptr %call88, i64 16
  %23 = load i32, ptr %rank16.i, align 8
  %cmp17.i = icmp eq i32 %23, 0
  br i1 %cmp17.i, label %cond.end.i, label %cond.false.i
cond.false.i:
  %shape18.i = getelementptr inbounds nuw i8, ptr %call88, i64 24
  %24 = load ptr, ptr %shape18.i, align 8
  %25 = sext i32 %23 to i64
  %26 = getelementptr i64, ptr %24, i64 %25
  %arrayidx21.i = getelementptr i8, ptr %26, i64 -8
  %27 = load i64, ptr %arrayidx21.i, align 8
  br label %cond.end.i
cond.end.i:
  %cond22.i = phi i64 [ %27, %cond.false.i ], [ 1, %land.end12.i ]
  br label %for.cond23.i
for.cond23.i:
  %is_done.1.i = phi i1 [ %storedv13.i, %cond.end.i ], [ %call42.i, %land.rhs39.i ]
  %inc46.sink.i = phi i64 [ 0, %cond.end.i ], [ %add.i54, %land.rhs39.i ]
  br i1 %is_done.1.i, label %land.lhs.true.i46, label %show.exit.thread
land.lhs.true.i46:
  %cmp25.i = icmp slt i64 %inc46.sink.i, %div.i
  %cmp27.i = icmp samesign ult i64 %inc46.sink.i, 64
  %or.cond1.i = select i1 %cmp25.i, i1 %cmp27.i, i1 false
  br i1 %or.cond1.i, label %for.body30.i, label %for.end47.i
for.body30.i:
  %28 = load i32, ptr %dtype.i, align 4
  %29 = load ptr, ptr %call88, align 8
  %mul.i = mul nsw i64 %inc46.sink.i, %call14.i
  %add.ptr.i = getelementptr inbounds i8, ptr %29, i64 %mul.i
  %and.i.i = and i32 %28, 255
  %shr.i.i = lshr i32 %28, 8
  %and1.i.i = and i32 %shr.i.i, 255
  %call.i.i48 = call fastcc i64 @item_bytes(i32 noundef signext %28)
  %cond.i.i = call i64 @llvm.smin.i64(i64 %call.i.i48, i64 8)
  br label %for.cond.i.i49
for.cond.i.i49:
  %place.0.i.i = phi i64 [ 0, %for.body30.i ], [ %inc.i.i, %for.body.i.i57 ]
  %value.0.i.i = phi i64 [ 0, %for.body30.i ], [ %or.i.i, %for.body.i.i57 ]
  %cmp2.i.i50 = icmp slt i64 %place.0.i.i, %cond.i.i
  br i1 %cmp2.i.i50, label %for.body.i.i57, label %for.end.i.i51
for.body.i.i57:
  %30 = load i8, ptr @tw_byte_order, align 1
  %cmp3.i.i = icmp eq i8 %30, 60
  %31 = xor i64 %place.0.i.i, -1
  %sub6.i.i = add i64 %cond.i.i, %31
  %cond9.i.i = select i1 %cmp3.i.i, i64 %sub6.i.i, i64 %place.0.i.i
  %shl.i.i = shl i64 %value.0.i.i, 8
  %arrayidx.i.i = getelementptr inbounds i8, ptr %add.ptr.i, i64 %cond9.i.i
  %32 = load i8, ptr %arrayidx.i.i, align 1
  %conv10.i.i = zext i8 %32 to i64
  %or.i.i = or disjoint i64 %shl.i.i, %conv10.i.i
  %inc.i.i = add nuw nsw i64 %place.0.i.i, 1
  br label %for.cond.i.i49
for.end.i.i51:
  %cmp11.i.i = icmp eq i32 %and.i.i, 2
  %cmp13.i.i = icmp eq i32 %and1.i.i, 64
  %or.cond.i.i52 = and i1 %cmp11.i.i, %cmp13.i.i
  br i1 %or.cond.i.i52, label %if.then.i.i, label %if.else.i.i
if.then.i.i:
  %call15.i.i = call ptr @memcpy(ptr noundef nonnull %wide.i.i, ptr noundef %add.ptr.i, i64 noundef 8)
  %33 = load double, ptr %wide.i.i, align 8
  call fastcc void @write_float(ptr noundef nonnull %text.i, double noundef %33)
  br label %write_element.exit.i
if.else.i.i:
  %cmp19.i.i = icmp eq i32 %and1.i.i, 32
  %or.cond1.i.i = and i1 %cmp11.i.i, %cmp19.i.i
  br i1 %or.cond1.i.i, label %if.then21.i.i, label %if.else25.i.i
if.then21.i.i:
  %call23.i.i56 = call ptr @memcpy(ptr noundef nonnull %wide22.i.i, ptr noundef %add.ptr.i, i64 noundef 4)
  %34 = load float, ptr %wide22.i.i, align 4
  %conv24.i.i = fpext float %34 to double
  call fastcc void @write_float(ptr noundef nonnull %text.i, double noundef %conv24.i.i)
  br label %write_element.exit.i
if.else25.i.i:
  br i1 %cmp11.i.i, label %if.then28.i.i, label %if.else31.i.i
if.then28.i.i:
  %conv29.i.i = trunc i64 %value.0.i.i to i32
  %call30.i.i = call fastcc double @widened(i32 noundef signext %conv29.i.i, i32 noundef signext 5, i32 noundef signext 10)
  call fastcc void @write_float(ptr noundef nonnull %text.i, double noundef %call30.i.i)
  br label %write_element.exit.i
if.else31.i.i:
  %trunc.i.i = trunc i32 %28 to i8
  switch i8 %trunc.i.i, label %if.else55.i.i [ i8 4, label %if.then34.i.i i8 0, label %if.then40.i.i i8 6, label %if.then50.i.i ]
if.then34.i.i:
  %conv35.i.i = trunc i64 %value.0.i.i to i32
  %call36.i.i = call fastcc double @widened(i32 noundef signext %conv35.i.i, i32 noundef signext 8, i32 noundef signext 7)
  call fastcc void @write_float(ptr noundef nonnull %text.i, double noundef %call36.i.i)
  br label %write_element.exit.i
if.then40.i.i:
  %mul.i.i = shl i64 %call.i.i48, 3
  %sub42.i.i = sub i64 64, %mul.i.i
  %sh_prom.i.i = and i64 %sub42.i.i, 4294967288
  %shl43.i.i = shl i64 %value.0.i.i, %sh_prom.i.i
  %shr45.i.i = ashr exact i64 %shl43.i.i, %sh_prom.i.i
  %call46.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 64, ptr noundef nonnull @.str.49, i64 noundef %shr45.i.i)
  br label %write_element.exit.i
if.then50.i.i:
  %cmp51.not.i.i = icmp eq i64 %value.0.i.i, 0
  %cond53.i.i = select i1 %cmp51.not.i.i, ptr @.str.28, ptr @.str.54
  %call54.i.i = call ptr @strcpy(ptr noundef nonnull %text.i, ptr noundef nonnull %cond53.i.i)
  br label %write_element.exit.i
if.else55.i.i:
  %cmp56.i.i = icmp eq i32 %and.i.i, 1
  %cond58.i.i = select i1 %cmp56.i.i, ptr @.str.55, ptr @.str.56
  %call59.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text.i, i64 noundef 64, ptr noundef nonnull %cond58.i.i, i64 noundef %value.0.i.i)
  br label %write_element.exit.i
write_element.exit.i:
  %call38.i53 = call fastcc zeroext i1 @print(i32 noundef signext 1, ptr noundef nonnull %text.i)
  br i1 %call38.i53, label %land.rhs39.i, label %show.exit.thread
land.rhs39.i:
  %add.i54 = add nuw nsw i64 %inc46.sink.i, 1
  %rem.i = srem i64 %add.i54, %cond22.i
  %cmp33.i55 = icmp eq i64 %rem.i, 0
  %cmp35.i = icmp eq i64 %add.i54, %div.i
  %35 = select i1 %cmp33.i55, i1 true, i1 %cmp35.i
  %cond41.i = select i1 %35, ptr @.str.4, ptr @.str.51
  %call42.i = call fastcc zeroext i1 @print(i32 noundef signext 1, ptr noundef nonnull %cond41.i)
  br label %for.cond23.i
for.end47.i:
  %cmp50.i = icmp sgt i64 %div.i, 64
  br i1 %cmp50.i, label %if.then.i47, label %show.exit.thread79
show.exit.thread79:
  br label %for.inc93
if.then.i47:
  %rem51.i = srem i64 %div.i, %cond22.i
  %cmp52.i = icmp eq i64 %rem51.i, 0
  br i1 %cmp52.i, label %land.rhs53.i, label %show.exit
land.rhs53.i:
  %rem54.i = srem i64 64, %cond22.i
  %cmp55.i = icmp eq i64 %rem54.i, 0
  %36 = select i1 %cmp55.i, ptr @.str.52, ptr @.str.53
  br label %show.exit
show.exit.thread:
  br label %if.then90
show.exit:
  %cond57.i = phi ptr [ @.str.53, %if.then.i47 ], [ %36, %land.rhs53.i ]
  %call58.i = call fastcc zeroext i1 @print(i32 noundef signext 1, ptr noundef nonnull %cond57.i)
  br i1 %call58.i, label %for.inc93, label %if.then90
if.then90:
  call fastcc void @fail(ptr noundef nonnull @.str.1, ptr noundef nonnull @.str.2)
  br label %cleanup95
for.inc93:
  %inc94 = add nuw nsw i32 %inc94.sink, 1
  br label %for.cond81
cleanup95:
  %spec.select = zext i1 %cmp82.not to i32
  br label %cleanup98
cleanup98:
  %retval.0 = phi i32 [ 2, %cleanup.thread ], [ %spec.select, %cleanup95 ], [ 1, %cleanup61.thread ], [ 1, %request_tiles.exit ], [ %call78, %if.then76 ], [ 1, %if.then ], [ 2, %if.then6 ], [ 1, %run.exit ], [ 1, %read_word.exit.thread ], [ 1, %read_word.exit ]
  ret i32 %retval.0
}
define internal fastcc void @report() unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @.str.3)
  %call1 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @__tw_last_error)
  %call2 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @.str.4)
  ret void
}
define internal fastcc void @explain(ptr noundef %program) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @tw_signature)
  %call1 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @.str.5)
  %call2 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef %program)
  %call3 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @.str.6)
  %cmp.not = icmp eq ptr @tw_processor, null
  br i1 %cmp.not, label %for.cond, label %cond.true
cond.true:
  %call4 = tail call signext i32 @tw_processor()
  br label %for.cond
for.cond:
  %name.0 = phi ptr [ %add.ptr, %for.body ], [ @tw_processors, %0 ], [ @tw_processors, %cond.true ]
  %dec.sink = phi i32 [ %dec, %for.body ], [ %call4, %cond.true ], [ 0, %0 ]
  %cmp5 = icmp sgt i32 %dec.sink, 0
  br i1 %cmp5, label %for.body, label %for.end
for.body:
  %call6 = tail call i64 @strlen(ptr noundef %name.0)
  %1 = getelementptr i8, ptr %name.0, i64 %call6
  %add.ptr = getelementptr i8, ptr %1, i64 1
  %dec = add nsw i32 %dec.sink, -1
  br label %for.cond
for.end:
  %call7 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef %name.0)
  %call8 = tail call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull @.str.4)
  ret void
}
define internal fastcc void @fail(ptr noundef %where, ptr noundef %rule) unnamed_addr minsize nounwind optsize "no-builtins" {
  %text = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 1024, ptr noundef nonnull @.str.34, ptr noundef %where, ptr noundef %rule)
  %call2 = call fastcc zeroext i1 @print(i32 noundef signext 2, ptr noundef nonnull %text)
  ret void
}
define internal fastcc signext range(i32 0, 2) i32 @save(ptr noundef nonnull %path, ptr noundef %executor) unnamed_addr minsize nounwind optsize "no-builtins" {
  %end.i = alloca [22 x i8], align 1
  %shape.i.i = alloca [700 x i8], align 1
  %kind.i.i = alloca [2 x i8], align 1
  %header.i = alloca [1024 x i8], align 1
  %local.i = alloca [30 x i8], align 1
  %1 = load i32, ptr @tw_outputs, align 4
  %call = tail call i64 @strlen(ptr noundef nonnull %path)
  %cmp = icmp ugt i64 %call, 4
  br i1 %cmp, label %land.rhs, label %land.end
land.rhs:
  %add.ptr = getelementptr inbounds nuw i8, ptr %path, i64 %call
  %add.ptr1 = getelementptr inbounds i8, ptr %add.ptr, i64 -4
  %call2 = tail call signext i32 @memcmp(ptr noundef nonnull %add.ptr1, ptr noundef nonnull @.str.36, i64 noundef 4)
  %cmp3 = icmp eq i32 %call2, 0
  br label %land.end
land.end:
  %2 = phi i1 [ false, %0 ], [ %cmp3, %land.rhs ]
  %cmp4 = icmp eq i32 %1, 1
  %or.cond.not = select i1 %2, i1 true, i1 %cmp4
  br i1 %or.cond.not, label %if.end, label %if.then
if.then:
  tail call fastcc void @fail(ptr noundef nonnull %path, ptr noundef nonnull @.str.37)
  br label %cleanup
if.end:
  %call6 = tail call signext i32 (ptr, i32, ...) @open(ptr noundef nonnull %path, i32 noundef signext 524865, i32 noundef signext 438)
  %3 = zext i32 %1 to i64
  %4 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca %struct.member, i64 %3, align 8
  %5 = shl nuw nsw i64 %3, 6
  %call7 = call ptr @memset(ptr noundef nonnull %vla, i32 noundef signext 0, i64 noundef %5)
  %cmp8 = icmp sgt i32 %call6, -1
  br label %for.cond
for.cond:
  %is_done.0.in = phi i1 [ %cmp8, %if.end ], [ %retval.1.i, %put_array.exit ]
  %inc.sink = phi i32 [ 0, %if.end ], [ %inc, %put_array.exit ]
  %cmp12 = icmp slt i32 %inc.sink, %1
  %6 = select i1 %is_done.0.in, i1 %cmp12, i1 false
  br i1 %6, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %brmerge.not = and i1 %2, %is_done.0.in
  br i1 %brmerge.not, label %lor.rhs, label %land.end34
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr %struct.member, ptr %vla, i64 %idxprom
  %cond = select i1 %2, ptr %arrayidx, ptr null
  %cmp15.not = icmp eq i32 %inc.sink, 0
  br i1 %cmp15.not, label %if.end25, label %if.then16
if.then16:
  %at = getelementptr i8, ptr %arrayidx, i64 -16
  %7 = load i64, ptr %at, align 8
  %size = getelementptr i8, ptr %arrayidx, i64 -8
  %8 = load i64, ptr %size, align 8
  %add = add i64 %8, %7
  %at24 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  store i64 %add, ptr %at24, align 8
  br label %if.end25
if.end25:
  %call26 = call fastcc ptr @output_name(i32 noundef signext %inc.sink)
  %call27 = call ptr @__tw_get_output(ptr noundef %executor, i32 noundef signext %inc.sink)
  %dtype1.i.i = getelementptr inbounds nuw i8, ptr %call27, i64 20
  %9 = load i32, ptr %dtype1.i.i, align 4
  %call.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %shape.i.i, i64 noundef 700, ptr noundef nonnull @.str.41)
  br label %for.cond.i.i
for.cond.i.i:
  %length.0.i.i = phi i32 [ %call.i.i, %if.end25 ], [ %add.i.i, %for.body.i.i ]
  %inc.sink.i.i = phi i32 [ 0, %if.end25 ], [ %inc.i.i, %for.body.i.i ]
  %rank.i.i = getelementptr inbounds nuw i8, ptr %call27, i64 16
  %10 = load i32, ptr %rank.i.i, align 8
  %cmp.i.i = icmp slt i32 %inc.sink.i.i, %10
  br i1 %cmp.i.i, label %for.body.i.i, label %for.end.i.i
for.body.i.i:
  %idx.ext.i.i = sext i32 %length.0.i.i to i64
  %add.ptr.i.i = getelementptr inbounds i8, ptr %shape.i.i, i64 %idx.ext.i.i
  %sub.i.i = sub nsw i64 700, %idx.ext.i.i
  %shape3.i.i = getelementptr inbounds nuw i8, ptr %call27, i64 24
  %11 = load ptr, ptr %shape3.i.i, align 8
  %idxprom.i.i = zext nneg i32 %inc.sink.i.i to i64
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %11, i64 %idxprom.i.i
  %12 = load i64, ptr %arrayidx.i.i, align 8
  %call4.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr.i.i, i64 noundef %sub.i.i, ptr noundef nonnull @.str.42, i64 noundef %12)
  %add.i.i = add nsw i32 %call4.i.i, %length.0.i.i
  %inc.i.i = add nuw nsw i32 %inc.sink.i.i, 1
  br label %for.cond.i.i
for.end.i.i:
  %and.i.i = and i32 %9, 255
  %idxprom5.i.i = zext nneg i32 %and.i.i to i64
  %arrayidx6.i.i = getelementptr inbounds nuw i8, ptr @write_header.kinds, i64 %idxprom5.i.i
  %13 = load i8, ptr %arrayidx6.i.i, align 1
  store i8 %13, ptr %kind.i.i, align 1
  %arrayinit.element.i.i = getelementptr inbounds nuw i8, ptr %kind.i.i, i64 1
  store i8 0, ptr %arrayinit.element.i.i, align 1
  %14 = shl nuw i64 1, %idxprom5.i.i
  %15 = and i64 %14, 262040
  %cmp10.not.i.i = icmp eq i64 %15, 0
  br i1 %cmp10.not.i.i, label %lor.lhs.false.i.i, label %write_header.exit.i
lor.lhs.false.i.i:
  %call12.i.i = call fastcc i64 @item_bytes(i32 noundef signext %9)
  %cmp13.i.i = icmp eq i64 %call12.i.i, 1
  br i1 %cmp13.i.i, label %write_header.exit.i, label %cond.false.i.i
cond.false.i.i:
  %16 = load i8, ptr @tw_byte_order, align 1
  %cmp16.i.i = icmp eq i8 %16, 60
  %cond.i.i = select i1 %cmp16.i.i, ptr @.str.45, ptr @.str.46
  br label %write_header.exit.i
write_header.exit.i:
  %cond18.i.i = phi ptr [ %cond.i.i, %cond.false.i.i ], [ @.str.44, %lor.lhs.false.i.i ], [ @.str.44, %for.end.i.i ]
  %add.ptr7.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 10
  %call20.i.i = call fastcc i64 @item_bytes(i32 noundef signext %9)
  %conv21.i.i = trunc i64 %call20.i.i to i32
  %call23.i.i = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %add.ptr7.i.i, i64 noundef 1014, ptr noundef nonnull @.str.43, ptr noundef nonnull %cond18.i.i, ptr noundef nonnull %kind.i.i, i32 noundef signext %conv21.i.i, ptr noundef nonnull %shape.i.i)
  %add24.i.i = add nsw i32 %call23.i.i, 10
  %div.i.i = sdiv i32 %add24.i.i, 64
  %add25.i.i = shl nsw i32 %div.i.i, 6
  %mul.i.i = add i32 %add25.i.i, 64
  %idx.ext26.i.i = sext i32 %add24.i.i to i64
  %add.ptr27.i.i = getelementptr inbounds i8, ptr %header.i, i64 %idx.ext26.i.i
  %sub28.i.i = sub nsw i32 %mul.i.i, %add24.i.i
  %conv29.i.i = sext i32 %sub28.i.i to i64
  %call30.i.i = call ptr @memset(ptr noundef nonnull %add.ptr27.i.i, i32 noundef signext 32, i64 noundef %conv29.i.i)
  %17 = sext i32 %add25.i.i to i64
  %18 = getelementptr i8, ptr %header.i, i64 %17
  %arrayidx33.i.i = getelementptr i8, ptr %18, i64 63
  store i8 10, ptr %arrayidx33.i.i, align 1
  %call34.i.i = call ptr @memcpy(ptr noundef nonnull %header.i, ptr noundef nonnull @.str.47, i64 noundef 8)
  %add.ptr35.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 8
  %19 = trunc i32 %add25.i.i to i8
  %conv38.i.i = or disjoint i8 %19, 54
  store volatile i8 %conv38.i.i, ptr %add.ptr35.i.i, align 1
  %shr.i.i = lshr i32 %div.i.i, 2
  %conv41.i.i = trunc i32 %shr.i.i to i8
  %arrayidx42.i.i = getelementptr inbounds nuw i8, ptr %header.i, i64 9
  store volatile i8 %conv41.i.i, ptr %arrayidx42.i.i, align 1
  %call1.i = call fastcc i64 @bytes_of(ptr noundef nonnull readonly %call27)
  %cmp.not.i = icmp eq ptr %cond, null
  br i1 %cmp.not.i, label %if.end41.i, label %if.then.i
if.then.i:
  %conv.i = sext i32 %mul.i.i to i64
  %call3.i = call fastcc signext i32 @checksum(i32 noundef signext 0, ptr noundef nonnull %header.i, i64 noundef %conv.i)
  %20 = load ptr, ptr %call27, align 8
  %call4.i = call fastcc signext i32 @checksum(i32 noundef signext %call3.i, ptr noundef %20, i64 noundef %call1.i)
  %call5.i = call i64 @strlen(ptr noundef %call26)
  %add.i = add i64 %call5.i, 4
  %add7.i = add i64 %call1.i, %conv.i
  %call10.i = call ptr @memset(ptr noundef nonnull %arrayidx, i32 noundef signext 0, i64 noundef 46)
  %call11.i = call ptr @memcpy(ptr noundef nonnull %arrayidx, ptr noundef nonnull @.str.39, i64 noundef 10)
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 14
  call fastcc void @store(ptr noundef %add.ptr.i, i64 noundef 33, i32 noundef signext 2)
  %add.ptr12.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %conv13.i = zext i32 %call4.i to i64
  call fastcc void @store(ptr noundef %add.ptr12.i, i64 noundef %conv13.i, i32 noundef signext 4)
  %add.ptr14.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  call fastcc void @store(ptr noundef %add.ptr14.i, i64 noundef %add7.i, i32 noundef signext 4)
  %add.ptr15.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  call fastcc void @store(ptr noundef %add.ptr15.i, i64 noundef %add7.i, i32 noundef signext 4)
  %add.ptr16.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 28
  call fastcc void @store(ptr noundef %add.ptr16.i, i64 noundef %add.i, i32 noundef signext 2)
  %add.ptr17.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 42
  %at.i = getelementptr inbounds nuw i8, ptr %cond, i64 48
  %21 = load i64, ptr %at.i, align 8
  call fastcc void @store(ptr noundef %add.ptr17.i, i64 noundef %21, i32 noundef signext 4)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(30) %local.i, ptr noundef nonnull align 1 dereferenceable(30) @__const.put_array.local, i64 30, i1 false)
  %add.ptr19.i = getelementptr inbounds nuw i8, ptr %local.i, i64 4
  %add.ptr20.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 6
  %call21.i = call ptr @memcpy(ptr noundef nonnull %add.ptr19.i, ptr noundef nonnull %add.ptr20.i, i64 noundef 26)
  %add22.i = add i64 %add7.i, 34
  %add23.i = add i64 %add22.i, %call5.i
  %size24.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  store i64 %add23.i, ptr %size24.i, align 8
  %22 = load i64, ptr %at.i, align 8
  %add27.i = add i64 %22, %add23.i
  %cmp28.i = icmp ugt i64 %add27.i, 4294967295
  br i1 %cmp28.i, label %put_array.exit, label %lor.lhs.false.i
lor.lhs.false.i:
  %call31.i = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef nonnull %local.i, i64 noundef 30)
  br i1 %call31.i, label %lor.lhs.false32.i, label %put_array.exit
lor.lhs.false32.i:
  %call33.i = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef %call26, i64 noundef %call5.i)
  br i1 %call33.i, label %lor.lhs.false34.i, label %put_array.exit
lor.lhs.false34.i:
  %call35.i = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef nonnull @.str.40, i64 noundef 4)
  br i1 %call35.i, label %if.end41.i, label %put_array.exit
if.end41.i:
  %conv43.i = sext i32 %mul.i.i to i64
  %call44.i = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef nonnull %header.i, i64 noundef %conv43.i)
  br i1 %call44.i, label %land.rhs.i, label %put_array.exit
land.rhs.i:
  %23 = load ptr, ptr %call27, align 8
  %call47.i = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef %23, i64 noundef %call1.i)
  br label %put_array.exit
put_array.exit:
  %retval.1.i = phi i1 [ %call47.i, %land.rhs.i ], [ false, %if.end41.i ], [ false, %lor.lhs.false34.i ], [ false, %lor.lhs.false32.i ], [ false, %lor.lhs.false.i ], [ false, %if.then.i ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
lor.rhs:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(22) %end.i, ptr noundef nonnull align 1 dereferenceable(22) @__const.put_directory.end, i64 22, i1 false)
  br label %for.cond.i
for.cond.i:
  %bytes.0.i = phi i64 [ 0, %lor.rhs ], [ %add8.i, %for.inc.i ]
  %inc.sink.i = phi i32 [ 0, %lor.rhs ], [ %inc.i, %for.inc.i ]
  %cmp.not.i25 = icmp slt i32 %inc.sink.i, %1
  br i1 %cmp.not.i25, label %for.body.i, label %for.end.i
for.body.i:
  %call.i = call fastcc ptr @output_name(i32 noundef signext %inc.sink.i)
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw %struct.member, ptr %vla, i64 %idxprom.i
  %call1.i30 = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef nonnull %arrayidx.i, i64 noundef 46)
  br i1 %call1.i30, label %lor.lhs.false.i31, label %put_directory.exit
lor.lhs.false.i31:
  %call2.i = call i64 @strlen(ptr noundef %call.i)
  %call3.i32 = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef %call.i, i64 noundef %call2.i)
  br i1 %call3.i32, label %lor.lhs.false4.i, label %put_directory.exit
lor.lhs.false4.i:
  %call5.i33 = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef nonnull @.str.40, i64 noundef 4)
  br i1 %call5.i33, label %for.inc.i, label %put_directory.exit
for.inc.i:
  %call6.i = call i64 @strlen(ptr noundef %call.i)
  %add7.i34 = add i64 %bytes.0.i, 50
  %add8.i = add i64 %add7.i34, %call6.i
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
for.end.i:
  %add.ptr.i26 = getelementptr inbounds nuw i8, ptr %end.i, i64 8
  %conv.i27 = sext i32 %1 to i64
  call fastcc void @store(ptr noundef %add.ptr.i26, i64 noundef %conv.i27, i32 noundef signext 2)
  %add.ptr13.i = getelementptr inbounds nuw i8, ptr %end.i, i64 10
  call fastcc void @store(ptr noundef %add.ptr13.i, i64 noundef %conv.i27, i32 noundef signext 2)
  %add.ptr16.i28 = getelementptr inbounds nuw i8, ptr %end.i, i64 12
  call fastcc void @store(ptr noundef %add.ptr16.i28, i64 noundef %bytes.0.i, i32 noundef signext 4)
  %add.ptr18.i = getelementptr inbounds nuw i8, ptr %end.i, i64 16
  %24 = getelementptr %struct.member, ptr %vla, i64 %conv.i27
  %at.i29 = getelementptr i8, ptr %24, i64 -16
  %25 = load i64, ptr %at.i29, align 8
  %size.i = getelementptr i8, ptr %24, i64 -8
  %26 = load i64, ptr %size.i, align 8
  %add24.i = add i64 %26, %25
  call fastcc void @store(ptr noundef %add.ptr18.i, i64 noundef %add24.i, i32 noundef signext 4)
  %call26.i = call fastcc zeroext i1 @put(i32 noundef signext %call6, ptr noundef nonnull %end.i, i64 noundef 22)
  br label %put_directory.exit
put_directory.exit:
  %retval.3.i = phi i1 [ %call26.i, %for.end.i ], [ false, %lor.lhs.false4.i ], [ false, %lor.lhs.false.i31 ], [ false, %for.body.i ]
  br label %land.end34
land.end34:
  %27 = phi i1 [ %is_done.0.in, %for.cond.cleanup ], [ %retval.3.i, %put_directory.exit ]
  br i1 %cmp8, label %if.then37, label %if.end39
if.then37:
  %call38 = call signext i32 @close(i32 noundef signext %call6)
  br label %if.end39
if.end39:
  br i1 %27, label %cond.end44, label %cond.false42
cond.false42:
  call fastcc void @fail(ptr noundef nonnull %path, ptr noundef nonnull @.str.38)
  br label %cond.end44
cond.end44:
  %cond45 = phi i32 [ 1, %cond.false42 ], [ 0, %if.end39 ]
  call void @llvm.stackrestore.p0(ptr %4)
  br label %cleanup
cleanup:
  %retval.0 = phi i32 [ 1, %if.then ], [ %cond45, %cond.end44 ]
  ret i32 %retval.0
}
define internal fastcc ptr @output_name(i32 noundef signext %index) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_inputs, align 4
  %add = add nsw i32 %1, %index
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %2 = load ptr, ptr %arrayidx, align 8
  ret ptr %2
}
define internal fastcc noundef zeroext i1 @print(i32 noundef signext range(i32 1, 3) %file, ptr noundef %text) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call i64 @strlen(ptr noundef %text)
  %call1 = tail call fastcc zeroext i1 @put(i32 noundef signext %file, ptr noundef %text, i64 noundef %call)
  ret i1 %call1
}
define internal fastcc noundef zeroext i1 @put(i32 noundef signext %file, ptr noundef %from, i64 noundef %count) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %while.cond
while.cond:
  %count.addr.0 = phi i64 [ %count, %0 ], [ %sub, %while.body ]
  %at.0 = phi ptr [ %from, %0 ], [ %add.ptr, %while.body ]
  %cmp.not = icmp eq i64 %count.addr.0, 0
  br i1 %cmp.not, label %cleanup2, label %while.body
while.body:
  %call = tail call i64 @write(i32 noundef signext %file, ptr noundef %at.0, i64 noundef %count.addr.0)
  %cmp1 = icmp sgt i64 %call, 0
  %add.ptr = getelementptr inbounds nuw i8, ptr %at.0, i64 %call
  %sub = sub i64 %count.addr.0, %call
  br i1 %cmp1, label %while.cond, label %cleanup2
cleanup2:
  ret i1 %cmp.not
}
define internal fastcc signext range(i32 -2147483648, 2147483647) i32 @input_named(ptr noundef readonly %name, i64 noundef %length) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %1 = load i32, ptr @tw_inputs, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %cleanup
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %2 = load ptr, ptr %arrayidx, align 8
  %call = tail call i64 @strlen(ptr noundef %2)
  %cmp2 = icmp eq i64 %call, %length
  br i1 %cmp2, label %land.lhs.true, label %for.inc
land.lhs.true:
  %call6 = tail call signext i32 @memcmp(ptr noundef %2, ptr noundef %name, i64 noundef %length)
  %cmp7 = icmp eq i32 %call6, 0
  br i1 %cmp7, label %cleanup, label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %3 = phi i32 [ %inc.sink, %land.lhs.true ], [ -1, %for.cond ]
  ret i32 %3
}
define internal fastcc signext range(i32 0, 2) i32 @read_array(ptr noundef %path, ptr noundef nonnull readonly captures(none) %file, i32 noundef signext range(i32 0, -2147483648) %index, ptr noundef nonnull readonly captures(none) %inputs) unnamed_addr minsize nounwind optsize "no-builtins" {
  %header = alloca [65536 x i8], align 1
  %shape = alloca [32 x i64], align 8
  %text = alloca [1024 x i8], align 1
  %tensor = alloca %struct.tw_tensor, align 8
  %idxprom = zext nneg i32 %index to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %count = getelementptr inbounds nuw i8, ptr %file, i64 8
  %1 = load i64, ptr %count, align 8
  %cmp = icmp ugt i64 %1, 6
  br i1 %cmp, label %land.end, label %if.then
land.end:
  %2 = load ptr, ptr %file, align 8
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %2, i64 6
  %3 = load i8, ptr %arrayidx1, align 1
  %cmp2 = icmp ugt i8 %3, 1
  %4 = select i1 %cmp2, i32 4, i32 2
  %cmp5 = icmp ult i64 %1, 12
  br i1 %cmp5, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %call = tail call signext i32 @memcmp(ptr noundef nonnull %2, ptr noundef nonnull @.str.20, i64 noundef 6)
  %cmp8.not = icmp eq i32 %call, 0
  br i1 %cmp8.not, label %if.end, label %if.then
if.then:
  tail call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.21)
  br label %cleanup148
if.end:
  %add.ptr = getelementptr inbounds nuw i8, ptr %2, i64 8
  %call12 = tail call fastcc signext i32 @number(ptr noundef nonnull %add.ptr, i32 noundef signext %4)
  %conv13 = zext i32 %call12 to i64
  %conv14 = zext nneg i32 %4 to i64
  %add = or disjoint i64 %conv14, 8
  %add15 = add nuw nsw i64 %add, %conv13
  %cmp16 = icmp ugt i32 %call12, 65535
  %cmp20 = icmp ugt i64 %add15, %1
  %or.cond67 = select i1 %cmp16, i1 true, i1 %cmp20
  br i1 %or.cond67, label %if.then22, label %if.end24
if.then22:
  tail call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.22)
  br label %cleanup148
if.end24:
  %add.ptr27 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %conv14
  %call28 = call ptr @memcpy(ptr noundef nonnull %header, ptr noundef nonnull %add.ptr27, i64 noundef %conv13)
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %header, i64 %conv13
  store i8 0, ptr %arrayidx29, align 1
  %call31 = call fastcc ptr @value_of(ptr noundef %header, ptr noundef nonnull @.str.23)
  %call33 = call fastcc ptr @value_of(ptr noundef %header, ptr noundef nonnull @.str.24)
  %call35 = call fastcc ptr @value_of(ptr noundef %header, ptr noundef nonnull @.str.25)
  %cmp36 = icmp eq ptr %call35, null
  br i1 %cmp36, label %cond.end, label %for.cond.i
for.cond.i:
  %text.addr.0.i = phi ptr [ %incdec.ptr30.i, %for.inc.i ], [ %call35, %if.end24 ]
  %rank.0.i = phi i32 [ %rank.1.i, %for.inc.i ], [ 0, %if.end24 ]
  %5 = load i8, ptr %text.addr.0.i, align 1
  switch i8 %5, label %if.end.i [ i8 41, label %cond.end.loopexit89 i8 0, label %cond.end ]
if.end.i:
  %6 = add i8 %5, -58
  %or.cond.i = icmp ult i8 %6, -10
  br i1 %or.cond.i, label %for.inc.i, label %if.end12.i
if.end12.i:
  %cmp13.i = icmp eq i32 %rank.0.i, 32
  br i1 %cmp13.i, label %cond.end, label %while.cond.i
while.cond.i:
  %text.addr.2.i = phi ptr [ %incdec.ptr.i, %lor.lhs.false24.i ], [ %text.addr.0.i, %if.end12.i ]
  %size.0.i = phi i64 [ %14, %lor.lhs.false24.i ], [ 0, %if.end12.i ]
  %7 = load i8, ptr %text.addr.2.i, align 1
  %8 = add i8 %7, -48
  %or.cond14.i = icmp ult i8 %8, 10
  br i1 %or.cond14.i, label %while.body.i, label %while.end.i
while.body.i:
  %9 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %size.0.i, i64 10)
  %10 = extractvalue { i64, i1 } %9, 1
  br i1 %10, label %cond.end, label %lor.lhs.false24.i
lor.lhs.false24.i:
  %11 = extractvalue { i64, i1 } %9, 0
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %text.addr.2.i, i64 1
  %sub.i = zext nneg i8 %8 to i64
  %12 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %11, i64 %sub.i)
  %13 = extractvalue { i64, i1 } %12, 1
  %14 = extractvalue { i64, i1 } %12, 0
  br i1 %13, label %cond.end, label %while.cond.i
while.end.i:
  %inc.i = add nsw i32 %rank.0.i, 1
  %idxprom.i = sext i32 %rank.0.i to i64
  %arrayidx.i = getelementptr inbounds i64, ptr %shape, i64 %idxprom.i
  store i64 %size.0.i, ptr %arrayidx.i, align 8
  %incdec.ptr29.i = getelementptr inbounds i8, ptr %text.addr.2.i, i64 -1
  br label %for.inc.i
for.inc.i:
  %text.addr.1.i = phi ptr [ %text.addr.0.i, %if.end.i ], [ %incdec.ptr29.i, %while.end.i ]
  %rank.1.i = phi i32 [ %rank.0.i, %if.end.i ], [ %inc.i, %while.end.i ]
  %incdec.ptr30.i = getelementptr inbounds nuw i8, ptr %text.addr.1.i, i64 1
  br label %for.cond.i
cond.end.loopexit89:
  br label %cond.end
cond.end:
  %cond40 = phi i32 [ -1, %if.end24 ], [ -1, %for.cond.i ], [ %rank.0.i, %cond.end.loopexit89 ], [ -1, %if.end12.i ], [ -1, %while.body.i ], [ -1, %lor.lhs.false24.i ]
  %cmp41 = icmp eq ptr %call31, null
  br i1 %cmp41, label %if.then53, label %lor.lhs.false43
lor.lhs.false43:
  %call44 = call i64 @strlen(ptr noundef nonnull %call31)
  %cmp45 = icmp ult i64 %call44, 4
  %cmp48 = icmp eq ptr %call33, null
  %or.cond = or i1 %cmp48, %cmp45
  %cmp51 = icmp slt i32 %cond40, 0
  %or.cond1 = select i1 %or.cond, i1 true, i1 %cmp51
  br i1 %or.cond1, label %if.then53, label %if.end55
if.then53:
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.26)
  br label %cleanup148
if.end55:
  %15 = load ptr, ptr %arrayidx, align 8
  %text57 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %16 = load ptr, ptr %text57, align 8
  %call59 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 1024, ptr noundef nonnull @.str.27, ptr noundef %15, ptr noundef %16, ptr noundef nonnull %header)
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %17 = load i32, ptr %dtype, align 4
  %and.i = and i32 %17, 255
  %cmp.i = icmp samesign ult i32 %and.i, 7
  br i1 %cmp.i, label %cond.true.i, label %cond.end.i
cond.true.i:
  %conv.i = zext nneg i32 %and.i to i64
  %arrayidx.i58 = getelementptr inbounds nuw i8, ptr @is_dtype.kinds, i64 %conv.i
  %18 = load i8, ptr %arrayidx.i58, align 1
  %19 = sext i8 %18 to i32
  br label %cond.end.i
cond.end.i:
  %cond.i = phi i32 [ %19, %cond.true.i ], [ 32, %if.end55 ]
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %call31, i64 3
  br label %for.cond.i52
for.cond.i52:
  %digit.0.i = phi ptr [ %add.ptr.i, %cond.end.i ], [ %incdec.ptr.i56, %if.end.i55 ]
  %size.0.i53 = phi i64 [ 0, %cond.end.i ], [ %add.i, %if.end.i55 ]
  %add.ptr4.i = getelementptr inbounds nuw i8, ptr %call31, i64 1
  %call.i = call i64 @strcspn(ptr noundef nonnull readonly %add.ptr4.i, ptr noundef nonnull @.str.33)
  %cmp5.i = icmp eq i64 %call.i, 0
  br i1 %cmp5.i, label %for.body.i, label %cleanup.i
for.body.i:
  %20 = load i8, ptr %digit.0.i, align 1
  %21 = add i8 %20, -58
  %or.cond11.i = icmp ult i8 %21, -10
  br i1 %or.cond11.i, label %cleanup.i, label %if.end.i55
if.end.i55:
  %mul.i = mul nsw i64 %size.0.i53, 10
  %incdec.ptr.i56 = getelementptr inbounds nuw i8, ptr %digit.0.i, i64 1
  %narrow.i = add nsw i8 %20, -48
  %sub.i57 = zext nneg i8 %narrow.i to i64
  %add.i = add nsw i64 %mul.i, %sub.i57
  br label %for.cond.i52
cleanup.i:
  %arrayidx21.i = getelementptr inbounds nuw i8, ptr %call31, i64 2
  %22 = load i8, ptr %arrayidx21.i, align 1
  %conv22.i = sext i8 %22 to i32
  %cmp24.i = icmp eq i32 %cond.i, %conv22.i
  br i1 %cmp24.i, label %is_dtype.exit, label %lor.lhs.false26.i
lor.lhs.false26.i:
  %cmp16.i = icmp eq i32 %cond.i, 32
  %23 = and i32 %17, 63488
  %cmp19.i = icmp eq i32 %23, 0
  %24 = or i1 %cmp19.i, %cmp16.i
  %cmp29.i = icmp eq i8 %22, 86
  %or.cond.i54 = select i1 %cmp29.i, i1 %24, i1 false
  br i1 %or.cond.i54, label %is_dtype.exit, label %if.then68
is_dtype.exit:
  %call32.i = call fastcc i64 @item_bytes(i32 noundef signext %17)
  %cmp33.i = icmp eq i64 %size.0.i53, %call32.i
  br i1 %cmp33.i, label %lor.lhs.false61, label %if.then68
lor.lhs.false61:
  %rank62 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %25 = load i32, ptr %rank62, align 8
  %cmp63 = icmp slt i32 %25, 0
  %cmp66.not = icmp eq i32 %cond40, %25
  %or.cond51 = select i1 %cmp63, i1 true, i1 %cmp66.not
  br i1 %or.cond51, label %if.end71, label %if.then68
if.then68:
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull %text)
  br label %cleanup148
if.end71:
  %cmp72 = icmp sgt i32 %cond40, 1
  br i1 %cmp72, label %land.lhs.true74, label %if.end78
land.lhs.true74:
  %call.i59 = call i64 @strlen(ptr noundef nonnull @.str.28)
  %call1.i = call signext i32 @memcmp(ptr noundef nonnull readonly %call33, ptr noundef nonnull @.str.28, i64 noundef %call.i59)
  %cmp.i60 = icmp eq i32 %call1.i, 0
  br i1 %cmp.i60, label %if.end78, label %if.then76
if.then76:
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.29)
  br label %cleanup148
if.end78:
  %call81 = call i64 @tw_tensor_bytes(i32 noundef signext %17, i32 noundef signext %cond40, ptr noundef nonnull %shape)
  %cmp82 = icmp slt i64 %call81, 0
  br i1 %cmp82, label %if.then88, label %lor.lhs.false84
lor.lhs.false84:
  %26 = load i64, ptr %count, align 8
  %sub = sub i64 %26, %add15
  %cmp86 = icmp ugt i64 %call81, %sub
  br i1 %cmp86, label %if.then88, label %if.end90
if.then88:
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.30)
  br label %cleanup148
if.end90:
  %27 = load ptr, ptr %file, align 8
  %add.ptr92 = getelementptr inbounds nuw i8, ptr %27, i64 %add15
  %call94 = call i64 @strcspn(ptr noundef nonnull %add.ptr4.i, ptr noundef nonnull @.str.31)
  %cmp95 = icmp eq i64 %call94, 0
  br i1 %cmp95, label %land.lhs.true97, label %if.end121
land.lhs.true97:
  %28 = load i8, ptr %add.ptr4.i, align 1
  %29 = load i8, ptr @tw_byte_order, align 1
  %cmp101.not = icmp eq i8 %28, %29
  br i1 %cmp101.not, label %if.end121, label %if.then103
if.then103:
  %add104 = add nuw i64 %call81, 1
  %call105 = call noalias ptr @aligned_alloc(i64 noundef 1, i64 noundef %add104)
  %cmp106 = icmp eq ptr %call105, null
  br i1 %cmp106, label %if.then108, label %if.end110
if.then108:
  call fastcc void @fail(ptr noundef %path, ptr noundef nonnull @.str.32)
  br label %cleanup148
if.end110:
  %30 = load ptr, ptr %file, align 8
  %add.ptr112 = getelementptr inbounds nuw i8, ptr %30, i64 %add15
  %call114 = call fastcc i64 @item_bytes(i32 noundef signext %17)
  %31 = load i8, ptr %arrayidx21.i, align 1
  %cmp117 = icmp eq i8 %31, 99
  %conv120 = select i1 %cmp117, i64 2, i64 1
  %div = sdiv i64 %call114, %conv120
  br label %for.cond.i61
for.cond.i61:
  %add9.sink.i = phi i64 [ %add9.i, %for.cond.cleanup3.i ], [ 0, %if.end110 ]
  %cmp.i62 = icmp slt i64 %add9.sink.i, %call81
  br i1 %cmp.i62, label %for.cond1.i, label %if.end121
for.cond1.i:
  %inc.sink.i = phi i64 [ %inc.i64, %for.body4.i ], [ 0, %for.cond.i61 ]
  %cmp2.i = icmp slt i64 %inc.sink.i, %div
  br i1 %cmp2.i, label %for.body4.i, label %for.cond.cleanup3.i
for.cond.cleanup3.i:
  %add9.i = add nsw i64 %add9.sink.i, %div
  br label %for.cond.i61
for.body4.i:
  %32 = xor i64 %inc.sink.i, -1
  %33 = getelementptr i8, ptr %add.ptr112, i64 %add9.sink.i
  %34 = getelementptr i8, ptr %33, i64 %div
  %arrayidx.i63 = getelementptr i8, ptr %34, i64 %32
  %35 = load i8, ptr %arrayidx.i63, align 1
  %36 = getelementptr i8, ptr %call105, i64 %add9.sink.i
  %arrayidx7.i = getelementptr i8, ptr %36, i64 %inc.sink.i
  store i8 %35, ptr %arrayidx7.i, align 1
  %inc.i64 = add nuw nsw i64 %inc.sink.i, 1
  br label %for.cond1.i
if.end121:
  %data.0 = phi ptr [ %add.ptr92, %if.end90 ], [ %add.ptr92, %land.lhs.true97 ], [ %call105, %for.cond.i61 ]
  store ptr %data.0, ptr %tensor, align 8
  %device_type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  store i32 1, ptr %device_type, align 8
  %device_id = getelementptr inbounds nuw i8, ptr %tensor, i64 12
  store i32 0, ptr %device_id, align 4
  %rank123 = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  store i32 %cond40, ptr %rank123, align 8
  %dtype124 = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  store i32 %17, ptr %dtype124, align 4
  %shape126 = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  store ptr %shape, ptr %shape126, align 8
  %strides = getelementptr inbounds nuw i8, ptr %tensor, i64 32
  store ptr null, ptr %strides, align 8
  %byte_offset = getelementptr inbounds nuw i8, ptr %tensor, i64 40
  store i64 0, ptr %byte_offset, align 8
  %are_set = getelementptr inbounds nuw i8, ptr %inputs, i64 8
  %37 = load ptr, ptr %are_set, align 8
  %arrayidx129 = getelementptr inbounds nuw i8, ptr %37, i64 %idxprom
  store i8 1, ptr %arrayidx129, align 1
  %38 = load ptr, ptr %inputs, align 8
  %call131 = call signext i32 @__tw_set_input(ptr noundef %38, ptr noundef %15, ptr noundef nonnull %tensor)
  %cmp132 = icmp eq i32 %call131, 0
  br i1 %cmp132, label %cleanup148, label %cond.false135
cond.false135:
  call fastcc void @report()
  br label %cleanup148
cleanup148:
  %cond138.sink.sink.sink.sink.sink.sink = phi i32 [ 1, %if.then ], [ 1, %if.then22 ], [ 1, %if.then53 ], [ 1, %if.then68 ], [ 1, %if.then76 ], [ 1, %if.then88 ], [ 1, %if.then108 ], [ 1, %cond.false135 ], [ 0, %if.end121 ]
  ret i32 %cond138.sink.sink.sink.sink.sink.sink
}
define internal fastcc signext i32 @number(ptr noundef readonly captures(none) %at, i32 noundef signext range(i32 2, 5) %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %while.cond
while.cond:
  %bytes.addr.0 = phi i32 [ %bytes, %0 ], [ %dec, %while.body ]
  %or.sink = phi i32 [ 0, %0 ], [ %or, %while.body ]
  %cmp = icmp sgt i32 %bytes.addr.0, 0
  br i1 %cmp, label %while.body, label %while.end
while.body:
  %dec = add nsw i32 %bytes.addr.0, -1
  %shl = shl i32 %or.sink, 8
  %idxprom = zext nneg i32 %dec to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %at, i64 %idxprom
  %1 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %1 to i32
  %or = or disjoint i32 %shl, %conv
  br label %while.cond
while.end:
  ret i32 %or.sink
}
define internal fastcc noundef ptr @value_of(ptr noundef nonnull readonly %header, ptr noundef %key) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call i64 @strlen(ptr noundef %key)
  %call1 = tail call i64 @strlen(ptr noundef nonnull %header)
  br label %for.cond
for.cond:
  %inc12.sink = phi i64 [ %inc12, %for.inc ], [ 0, %0 ]
  %add = add i64 %inc12.sink, %call
  %cmp.not = icmp ugt i64 %add, %call1
  br i1 %cmp.not, label %cleanup, label %for.body
for.body:
  %add.ptr = getelementptr inbounds nuw i8, ptr %header, i64 %inc12.sink
  %call2 = tail call signext i32 @memcmp(ptr noundef nonnull %add.ptr, ptr noundef %key, i64 noundef %call)
  %cmp3 = icmp eq i32 %call2, 0
  br i1 %cmp3, label %while.cond, label %for.inc
while.cond:
  %at.0 = phi i64 [ %inc12.sink, %for.body ], [ %inc, %while.cond ], [ %inc, %while.cond ]
  %.sink1 = phi i64 [ %call, %for.body ], [ 1, %while.cond ], [ 1, %while.cond ]
  %inc = add i64 %.sink1, %at.0
  %arrayidx = getelementptr inbounds nuw i8, ptr %header, i64 %inc
  %1 = load i8, ptr %arrayidx, align 1
  switch i8 %1, label %cleanup [ i8 32, label %while.cond i8 58, label %while.cond ]
for.inc:
  %inc12 = add i64 %inc12.sink, 1
  br label %for.cond
cleanup:
  %spec.select = phi ptr [ %arrayidx, %while.cond ], [ null, %for.cond ]
  ret ptr %spec.select
}
define internal fastcc i64 @item_bytes(i32 noundef signext %dtype) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call i64 @tw_tensor_bytes(i32 noundef signext %dtype, i32 noundef signext 0, ptr noundef null)
  ret i64 %call
}
define internal fastcc i64 @bytes_of(ptr noundef readonly captures(none) %tensor) unnamed_addr minsize nounwind optsize "no-builtins" {
  %dtype = getelementptr inbounds nuw i8, ptr %tensor, i64 20
  %1 = load i32, ptr %dtype, align 4
  %rank = getelementptr inbounds nuw i8, ptr %tensor, i64 16
  %2 = load i32, ptr %rank, align 8
  %shape = getelementptr inbounds nuw i8, ptr %tensor, i64 24
  %3 = load ptr, ptr %shape, align 8
  %call = tail call i64 @tw_tensor_bytes(i32 noundef signext %1, i32 noundef signext %2, ptr noundef %3)
  ret i64 %call
}
define internal fastcc signext i32 @checksum(i32 noundef signext %sum, ptr noundef readonly captures(none) %from, i64 noundef %count) unnamed_addr minsize nounwind optsize "no-builtins" {
  %not = xor i32 %sum, -1
  br label %while.cond
while.cond:
  %count.addr.0 = phi i64 [ %count, %0 ], [ %dec, %for.cond ]
  %at.0 = phi ptr [ %from, %0 ], [ %incdec.ptr, %for.cond ]
  %sum.addr.0 = phi i32 [ %not, %0 ], [ %sum.addr.1, %for.cond ]
  %dec = add i64 %count.addr.0, -1
  %cmp.not = icmp eq i64 %count.addr.0, 0
  br i1 %cmp.not, label %while.end, label %while.body
while.body:
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %at.0, i64 1
  %1 = load i8, ptr %at.0, align 1
  %conv = zext i8 %1 to i32
  %xor = xor i32 %sum.addr.0, %conv
  br label %for.cond
for.cond:
  %sum.addr.1 = phi i32 [ %xor, %while.body ], [ %xor4, %for.body ]
  %inc.sink = phi i32 [ 0, %while.body ], [ %inc, %for.body ]
  %cmp1 = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp1, label %for.body, label %while.cond
for.body:
  %shr = lshr i32 %sum.addr.1, 1
  %and = and i32 %sum.addr.1, 1
  %2 = icmp eq i32 %and, 0
  %and3 = select i1 %2, i32 0, i32 -306674912
  %xor4 = xor i32 %and3, %shr
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
while.end:
  %not5 = xor i32 %sum.addr.0, -1
  ret i32 %not5
}
define internal fastcc void @store(ptr noundef nonnull writeonly captures(none) %at, i64 noundef %value, i32 noundef signext range(i32 2, 5) %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp samesign ult i32 %inc.sink, %bytes
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %mul = shl nuw nsw i32 %inc.sink, 3
  %sh_prom = zext nneg i32 %mul to i64
  %shr = lshr i64 %value, %sh_prom
  %conv = trunc i64 %shr to i8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %at, i64 %idxprom
  store i8 %conv, ptr %arrayidx, align 1
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  ret void
}
define internal fastcc void @write_float(ptr noundef nonnull %text, double noundef %value) unnamed_addr minsize nounwind optsize "no-builtins" {
  %rest = alloca [16 x i8], align 1
  %cmp = fcmp uno double %value, 0.000000e+00
  %sub = fsub double %value, %value
  %cmp1 = fcmp une double %sub, 0.000000e+00
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %if.then, label %if.end
if.then:
  %cmp3 = fcmp ogt double %value, 0.000000e+00
  %cond = select i1 %cmp3, ptr @.str.58, ptr @.str.59
  %cond4 = select i1 %cmp, ptr @.str.57, ptr %cond
  %call = tail call ptr @strcpy(ptr noundef nonnull %text, ptr noundef nonnull %cond4)
  br label %return
if.end:
  %cmp5 = fcmp olt double %value, 0.000000e+00
  %fneg = fneg double %value
  %cond9 = select i1 %cmp5, double %fneg, double %value
  br label %while.cond
while.cond:
  %size.0 = phi double [ %cond9, %if.end ], [ %div, %while.body ]
  %inc.sink = phi i32 [ 0, %if.end ], [ %inc, %while.body ]
  %cmp10 = fcmp ult double %size.0, 1.000000e+01
  br i1 %cmp10, label %while.cond11, label %while.body
while.body:
  %div = fdiv double %size.0, 1.000000e+01
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %while.cond
while.cond11:
  %size.1 = phi double [ %mul, %while.body14 ], [ %size.0, %while.cond ]
  %power.0 = phi i32 [ %dec, %while.body14 ], [ %inc.sink, %while.cond ]
  %cmp12 = fcmp ogt double %size.1, 0.000000e+00
  %cmp13 = fcmp olt double %size.1, 1.000000e+00
  %1 = and i1 %cmp12, %cmp13
  br i1 %1, label %while.body14, label %while.end15
while.body14:
  %mul = fmul double %size.1, 1.000000e+01
  %dec = add nsw i32 %power.0, -1
  br label %while.cond11
while.end15:
  %2 = tail call double @llvm.fmuladd.f64(double %size.1, double 1.000000e+06, double 5.000000e-01)
  %conv = fptosi double %2 to i64
  %cmp17 = icmp eq i64 %conv, 10000000
  %inc20 = zext i1 %cmp17 to i32
  %spec.select = add nsw i32 %power.0, %inc20
  %spec.select25 = select i1 %cmp17, i64 1000000, i64 %conv
  %rem = srem i64 %spec.select25, 1000000
  %3 = trunc nsw i64 %rem to i32
  %conv22 = add nsw i32 %3, 1000000
  %call23 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %rest, i64 noundef 16, ptr noundef nonnull @.str.60, i32 noundef signext %conv22)
  %cond26 = select i1 %cmp5, ptr @.str.62, ptr @.str.63
  %div27 = sdiv i64 %spec.select25, 1000000
  %conv28 = trunc i64 %div27 to i32
  %add.ptr = getelementptr inbounds nuw i8, ptr %rest, i64 1
  %cmp30 = icmp slt i32 %spec.select, 0
  %cond32 = select i1 %cmp30, ptr @.str.62, ptr @.str.64
  %cond39 = call i32 @llvm.abs.i32(i32 %spec.select, i1 true)
  %call40 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %text, i64 noundef 64, ptr noundef nonnull @.str.61, ptr noundef nonnull %cond26, i32 noundef signext %conv28, ptr noundef nonnull %add.ptr, ptr noundef nonnull %cond32, i32 noundef signext %cond39)
  br label %return
return:
  ret void
}
define internal fastcc double @widened(i32 noundef signext %bits, i32 noundef signext range(i32 5, 9) %exponent_bits, i32 noundef signext range(i32 7, 11) %fraction_bits) unnamed_addr minsize nounwind optsize "no-builtins" {
  %shr = lshr i32 %bits, %fraction_bits
  %notmask = shl nsw i32 -1, %exponent_bits
  %sub = xor i32 %notmask, -1
  %and = and i32 %shr, %sub
  %sub1 = add nsw i32 %exponent_bits, -1
  %notmask22 = shl nsw i32 -1, %sub1
  %sub3.neg = add nuw nsw i32 %notmask22, 1
  %shl4 = shl nuw nsw i32 1, %fraction_bits
  %sub5 = add nsw i32 %shl4, -1
  %and6 = and i32 %sub5, %bits
  %conv = uitofp nneg i32 %and6 to double
  %conv8 = uitofp nneg i32 %shl4 to double
  %div = fdiv double %conv, %conv8
  %cmp = icmp eq i32 %and, 0
  %add = fadd double %div, 1.000000e+00
  %cond = select i1 %cmp, double %div, double %add
  %cmp12 = icmp eq i32 %and, %sub
  %cmp14 = fcmp oeq double %div, 0.000000e+00
  %cond16 = select i1 %cmp14, double 0x7FF0000000000000, double 0x7FF8000000000000
  %value.0 = select i1 %cmp12, double %cond16, double %cond
  %.sink = tail call i32 @llvm.umax.i32(i32 %and, i32 1)
  %sub22 = add nsw i32 %sub3.neg, %.sink
  br label %for.cond
for.cond:
  %value.1 = phi double [ %value.0, %0 ], [ %div30.sink, %for.body ]
  %inc.sink = phi i32 [ %sub22, %0 ], [ %inc, %for.body ]
  %cmp25.not = icmp eq i32 %inc.sink, 0
  br i1 %cmp25.not, label %for.end, label %for.body
for.body:
  %cmp27 = icmp sgt i32 %inc.sink, 0
  %div30.sink.v = select i1 %cmp27, double 2.000000e+00, double 5.000000e-01
  %div30.sink = fmul double %value.1, %div30.sink.v
  %.sink3 = select i1 %cmp27, i32 -1, i32 1
  %inc = add nsw i32 %.sink3, %inc.sink
  br label %for.cond
for.end:
  %add32 = add nuw nsw i32 %fraction_bits, %exponent_bits
  %1 = shl nuw nsw i32 1, %add32
  %2 = and i32 %1, %bits
  %tobool.not = icmp eq i32 %2, 0
  %fneg = fneg double %value.1
  %cond38 = select i1 %tobool.not, double %value.1, double %fneg
  ret double %cond38
}
declare ptr @llvm.stacksave.p0()
declare ptr @__tw_create() local_unnamed_addr
declare ptr @memset(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr
declare i64 @strlen(ptr noundef) local_unnamed_addr
declare ptr @__tw_get_output(ptr noundef, i32 noundef signext) local_unnamed_addr
declare void @llvm.stackrestore.p0(ptr)
declare i64 @write(i32 noundef signext, ptr noundef, i64 noundef) local_unnamed_addr
declare extern_weak hidden signext i32 @tw_processor()
declare i64 @strcspn(ptr noundef, ptr noundef) local_unnamed_addr
declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare signext i32 @open(ptr noundef, i32 noundef signext, ...) local_unnamed_addr
declare i64 @lseek(i32 noundef signext, i64 noundef, i32 noundef signext) local_unnamed_addr
declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef signext, i32 noundef signext, i32 noundef signext, i64 noundef) local_unnamed_addr
declare signext i32 @close(i32 noundef signext) local_unnamed_addr
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare hidden i64 @tw_tensor_bytes(i32 noundef signext, i32 noundef signext, ptr noundef) local_unnamed_addr
declare noalias ptr @aligned_alloc(i64 noundef, i64 noundef) local_unnamed_addr
declare signext i32 @__tw_set_input(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare hidden i64 @tw_arch_prctl(i64 noundef, i64 noundef) local_unnamed_addr
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
declare signext i32 @sched_getaffinity(i32 noundef signext, i64 noundef, ptr noundef) local_unnamed_addr
declare i64 @llvm.ctpop.i64(i64)
declare signext i32 @__tw_pool_run(ptr noundef, ptr noundef, i64 noundef, i32 noundef signext)
declare signext i32 @__tw_run(ptr noundef) local_unnamed_addr
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
declare ptr @strcpy(ptr noundef, ptr noundef) local_unnamed_addr
declare double @llvm.fmuladd.f64(double, double, double)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.abs.i32(i32, i1 immarg)
declare i32 @llvm.umax.i32(i32, i32)
