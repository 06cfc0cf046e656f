; Generated from runtime/native/weights.c by `make prelude` (ziglang 0.17.1); do not edit.
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@__tw_weights = external local_unnamed_addr global ptr, align 8
@tw_weights_file = external hidden constant [0 x i8], align 1
@tw_weights_data = external hidden constant [0 x i8], align 1
@.str = private unnamed_addr constant [2 x i8] c"?\00", align 1
@.str.1 = private unnamed_addr constant [23 x i8] c"no path of the library\00", align 1
@.str.2 = private unnamed_addr constant [27 x i8] c"no such file, or no access\00", align 1
@mapped = internal global ptr null, align 8
@mapped_bytes = internal unnamed_addr global i64 0, align 8
@.str.3 = private unnamed_addr constant [16 x i8] c"/proc/self/maps\00", align 1
@.str.4 = private unnamed_addr constant [3 x i8] c"re\00", align 1
@__tw_weights_header = external constant [0 x i8], align 1
@.str.5 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@.str.6 = private unnamed_addr constant [2 x i8] c"/\00", align 1
@.str.7 = private unnamed_addr constant [118 x i8] c"%s: the weights cannot be loaded\0A    expected: %s next to the library, as it was exported with it\0A    got: %s: %.600s\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@.str.8 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.9 = private unnamed_addr constant [35 x i8] c"a file of another model or version\00", align 1
@.str.10 = private unnamed_addr constant [25 x i8] c"a file of another length\00", align 1
@.str.11 = private unnamed_addr constant [29 x i8] c"a file that cannot be mapped\00", align 1
define signext i32 @__tw_load_weights() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %chunk.i.i = alloca [512 x i8], align 1
  %end.i.i.i = alloca ptr, align 8
  %line.i.i = alloca [4224 x i8], align 1
  %path = alloca [4096 x i8], align 1
  %1 = load i64, ptr @tw_weights_bytes, align 8
  %cmp = icmp eq i64 %1, 0
  br i1 %cmp, label %return, label %lor.lhs.false
lor.lhs.false:
  %2 = load atomic i64, ptr @__tw_weights acquire, align 8
  %cmp1.not = icmp eq i64 %2, 0
  br i1 %cmp1.not, label %if.end, label %return
if.end:
  %3 = load i8, ptr @tw_weights_file, align 1
  %cmp2 = icmp eq i8 %3, 0
  br i1 %cmp2, label %if.then4, label %if.end5
if.then4:
  store atomic i64 ptrtoint (ptr @tw_weights_data to i64), ptr @__tw_weights release, align 8
  br label %return
if.end5:
  %call.i.i = tail call noalias ptr @fopen(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.4)
  %cmp.i.i = icmp eq ptr %call.i.i, null
  br i1 %cmp.i.i, label %own_path.exit.thread.i, label %while.cond.i.i
while.cond.i.i:
  %call5.sink.i.i = phi ptr [ %cond17.i.i.i, %file_of.exit.i.i ], [ null, %if.end5 ]
  %cmp1.i.i = icmp eq ptr %call5.sink.i.i, null
  br i1 %cmp1.i.i, label %land.rhs.i.i, label %lor.lhs.false.i.i
land.rhs.i.i:
  %call2.i.i = call ptr @fgets(ptr noundef nonnull %line.i.i, i32 noundef signext 4224, ptr noundef nonnull %call.i.i)
  %cmp3.not.i.i = icmp eq ptr %call2.i.i, null
  br i1 %cmp3.not.i.i, label %while.end.i.i, label %while.body.i.i
while.body.i.i:
  %call.i.i.i = call i64 @strtoull(ptr noundef nonnull %line.i.i, ptr noundef nonnull %end.i.i.i, i32 noundef signext 16)
  %4 = load ptr, ptr %end.i.i.i, align 8
  %5 = load i8, ptr %4, align 1
  %cmp.i.i.i = icmp eq i8 %5, 45
  br i1 %cmp.i.i.i, label %cond.true.i.i.i, label %cond.end.i.i.i
cond.true.i.i.i:
  %add.ptr.i.i.i = getelementptr inbounds nuw i8, ptr %4, i64 1
  %call2.i.i.i = call i64 @strtoull(ptr noundef nonnull %add.ptr.i.i.i, ptr noundef nonnull %end.i.i.i, i32 noundef signext 16)
  %6 = icmp ule i64 %call2.i.i.i, ptrtoint (ptr @__tw_weights_header to i64)
  br label %cond.end.i.i.i
cond.end.i.i.i:
  %cond.i.i.i = phi i1 [ %6, %cond.true.i.i.i ], [ true, %while.body.i.i ]
  %call3.i.i.i = call i64 @strcspn(ptr noundef nonnull %line.i.i, ptr noundef nonnull @.str.5)
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %line.i.i, i64 %call3.i.i.i
  store i8 0, ptr %arrayidx.i.i.i, align 1
  %7 = load ptr, ptr %end.i.i.i, align 8
  %call4.i.i.i = call i64 @strcspn(ptr noundef %7, ptr noundef nonnull @.str.6)
  %add.ptr5.i.i.i = getelementptr inbounds nuw i8, ptr %7, i64 %call4.i.i.i
  store ptr %add.ptr5.i.i.i, ptr %end.i.i.i, align 8
  %cmp6.i.i.i = icmp ugt i64 %call.i.i.i, ptrtoint (ptr @__tw_weights_header to i64)
  %brmerge.i.i.i = select i1 %cmp6.i.i.i, i1 true, i1 %cond.i.i.i
  br i1 %brmerge.i.i.i, label %file_of.exit.i.i, label %lor.lhs.false10.i.i.i
lor.lhs.false10.i.i.i:
  %8 = load i8, ptr %add.ptr5.i.i.i, align 1
  %cmp12.i.i.i = icmp eq i8 %8, 0
  %spec.select.i.i.i = select i1 %cmp12.i.i.i, ptr null, ptr %add.ptr5.i.i.i
  br label %file_of.exit.i.i
file_of.exit.i.i:
  %cond17.i.i.i = phi ptr [ null, %cond.end.i.i.i ], [ %spec.select.i.i.i, %lor.lhs.false10.i.i.i ]
  br label %while.cond.i.i
while.end.i.i:
  %call6.i.i = call signext i32 @fclose(ptr noundef nonnull %call.i.i)
  br label %own_path.exit.thread.i
lor.lhs.false.i.i:
  %call6.c.i.i = call signext i32 @fclose(ptr noundef nonnull %call.i.i)
  %call8.i.i = call i64 @strlen(ptr noundef nonnull %call5.sink.i.i)
  %cmp9.i.i = icmp ugt i64 %call8.i.i, 4095
  br i1 %cmp9.i.i, label %own_path.exit.thread.i, label %if.end.i
own_path.exit.thread.i:
  br label %if.then6
if.end.i:
  %call12.i.i = call ptr @strcpy(ptr noundef nonnull %path, ptr noundef nonnull %call5.sink.i.i)
  %call1.i = call i64 @strlen(ptr noundef nonnull %path)
  %call2.i = call i64 @strlen(ptr noundef nonnull @tw_weights_file)
  br label %while.cond.i
while.cond.i:
  %folder.0.i = phi i64 [ %call1.i, %if.end.i ], [ %dec.i, %while.cond.i ]
  %9 = getelementptr i8, ptr %path, i64 %folder.0.i
  %arrayidx.i = getelementptr i8, ptr %9, i64 -1
  %10 = load i8, ptr %arrayidx.i, align 1
  %cmp.not.i = icmp eq i8 %10, 47
  %dec.i = add i64 %folder.0.i, -1
  br i1 %cmp.not.i, label %while.end.i, label %while.cond.i
while.end.i:
  %add.i = add i64 %folder.0.i, %call2.i
  %cmp4.i = icmp ugt i64 %add.i, 4095
  br i1 %cmp4.i, label %if.then6, label %if.end8
if.then6:
  %call7 = call fastcc signext i32 @fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1)
  br label %return
if.end8:
  %add8.i = add i64 %call2.i, 1
  %call9.i = call ptr @memcpy(ptr noundef nonnull %9, ptr noundef nonnull @tw_weights_file, i64 noundef %add8.i)
  %call10 = call signext i32 (ptr, i32, ...) @open(ptr noundef nonnull %path, i32 noundef signext 524288)
  %cmp11 = icmp slt i32 %call10, 0
  br i1 %cmp11, label %if.then13, label %if.end16
if.then13:
  %call15 = call fastcc signext i32 @fail(ptr noundef nonnull %path, ptr noundef nonnull @.str.2)
  br label %return
if.end16:
  %call.i = tail call fastcc i64 @header_bytes()
  %add.i3 = add i64 %call.i, %1
  br label %for.cond.i.i
for.cond.i.i:
  %at.0.i.i = phi i64 [ 0, %if.end16 ], [ %add.i.i, %lor.lhs.false.i.i6 ]
  %cmp.not.not.not.not.i.not.i = icmp ult i64 %at.0.i.i, %call.i
  br i1 %cmp.not.not.not.not.i.not.i, label %for.body.i.i, label %if.end.i4
for.body.i.i:
  %sub.i.i = sub nuw i64 %call.i, %at.0.i.i
  %cond.i.i = call i64 @llvm.umin.i64(i64 %sub.i.i, i64 512)
  %call3.i.i = call i64 @read(i32 noundef signext range(i32 0, -2147483648) %call10, ptr noundef nonnull %chunk.i.i, i64 noundef %cond.i.i)
  %cmp4.i.i = icmp slt i64 %call3.i.i, 1
  br i1 %cmp4.i.i, label %if.then.i, label %lor.lhs.false.i.i6
lor.lhs.false.i.i6:
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr @__tw_weights_header, i64 %at.0.i.i
  %call6.i.i7 = call signext i32 @memcmp(ptr noundef nonnull %chunk.i.i, ptr noundef nonnull %add.ptr.i.i, i64 noundef %call3.i.i)
  %cmp7.not.i.i = icmp eq i32 %call6.i.i7, 0
  %add.i.i = add i64 %call3.i.i, %at.0.i.i
  br i1 %cmp7.not.i.i, label %for.cond.i.i, label %if.then.i
if.then.i:
  %call2.i8 = call fastcc signext i32 @fail(ptr noundef nonnull %path, ptr noundef nonnull @.str.9)
  br label %map_file.exit
if.end.i4:
  %call3.i = call i64 @lseek(i32 noundef signext range(i32 0, -2147483648) %call10, i64 noundef 0, i32 noundef signext 2)
  %cmp.not.i5 = icmp eq i64 %call3.i, %add.i3
  br i1 %cmp.not.i5, label %if.end6.i, label %if.then4.i
if.then4.i:
  %call5.i = call fastcc signext i32 @fail(ptr noundef nonnull %path, ptr noundef nonnull @.str.10)
  br label %map_file.exit
if.end6.i:
  %call7.i = call ptr @mmap(ptr noundef null, i64 noundef %add.i3, i32 noundef signext 1, i32 noundef signext 2, i32 noundef signext range(i32 0, -2147483648) %call10, i64 noundef 0)
  %cmp8.i = icmp eq ptr %call7.i, inttoptr (i64 -1 to ptr)
  br i1 %cmp8.i, label %if.then9.i, label %if.end11.i
if.then9.i:
  %call10.i = call fastcc signext i32 @fail(ptr noundef nonnull %path, ptr noundef nonnull @.str.11)
  br label %map_file.exit
if.end11.i:
  %11 = ptrtoint ptr %call7.i to i64
  %12 = cmpxchg ptr @mapped, i64 0, i64 %11 acq_rel acquire, align 8
  %13 = extractvalue { i64, i1 } %12, 1
  br i1 %13, label %if.end14.i, label %if.then12.i
if.then12.i:
  %14 = extractvalue { i64, i1 } %12, 0
  %15 = inttoptr i64 %14 to ptr
  %call13.i = call signext i32 @munmap(ptr noundef %call7.i, i64 noundef %add.i3)
  br label %if.end14.i
if.end14.i:
  %start.0.i = phi ptr [ %call7.i, %if.end11.i ], [ %15, %if.then12.i ]
  store i64 %add.i3, ptr @mapped_bytes, align 8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %start.0.i, i64 %call.i
  %16 = ptrtoint ptr %add.ptr.i to i64
  store atomic i64 %16, ptr @__tw_weights release, align 8
  br label %map_file.exit
map_file.exit:
  %.sink.sink.i = phi i32 [ %call2.i8, %if.then.i ], [ %call5.i, %if.then4.i ], [ 0, %if.end14.i ], [ %call10.i, %if.then9.i ]
  %call19 = call signext i32 @close(i32 noundef signext %call10)
  br label %return
return:
  %retval.0 = phi i32 [ 0, %0 ], [ 0, %if.then4 ], [ 0, %lor.lhs.false ], [ %call7, %if.then6 ], [ %.sink.sink.i, %map_file.exit ], [ %call15, %if.then13 ]
  ret i32 %retval.0
}
define internal fastcc signext i32 @fail(ptr noundef %path, ptr noundef %got) unnamed_addr minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef nonnull @tw_name, ptr noundef nonnull @tw_weights_file, ptr noundef %got, ptr noundef %path)
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.8, ptr noundef nonnull %message)
  ret i32 %call2
}
define hidden void @tw_unload_weights() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = atomicrmw xchg ptr @mapped, i64 0 acq_rel, align 8
  %cmp.not = icmp eq i64 %1, 0
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %2 = inttoptr i64 %1 to ptr
  store ptr null, ptr @__tw_weights, align 8
  %3 = load i64, ptr @mapped_bytes, align 8
  %call = tail call signext i32 @munmap(ptr noundef nonnull %2, i64 noundef %3)
  br label %if.end
if.end:
  ret void
}
define internal fastcc i64 @header_bytes() unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %length.0 = phi i64 [ 0, %0 ], [ %or, %for.body ]
  %dec.sink = phi i32 [ 7, %0 ], [ %dec, %for.body ]
  %cmp = icmp sgt i32 %dec.sink, -1
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %shl = shl i64 %length.0, 8
  %idxprom = zext nneg i32 %dec.sink to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr @__tw_weights_header, i64 %idxprom
  %1 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %1 to i64
  %or = or disjoint i64 %shl, %conv
  %dec = add nsw i32 %dec.sink, -1
  br label %for.cond
for.end:
  %add = add i64 %length.0, 8
  ret i64 %add
}
declare signext i32 @open(ptr noundef, i32 noundef signext, ...) local_unnamed_addr
declare signext i32 @close(i32 noundef signext) local_unnamed_addr
declare signext i32 @munmap(ptr noundef, i64 noundef) local_unnamed_addr
declare i64 @strlen(ptr noundef) local_unnamed_addr
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare noalias ptr @fopen(ptr noundef, ptr noundef) local_unnamed_addr
declare ptr @fgets(ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr
declare signext i32 @fclose(ptr noundef) local_unnamed_addr
declare ptr @strcpy(ptr noundef, ptr noundef) local_unnamed_addr
declare i64 @strtoull(ptr noundef, ptr noundef, i32 noundef signext) local_unnamed_addr
declare i64 @strcspn(ptr noundef, ptr noundef) local_unnamed_addr
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
declare i64 @lseek(i32 noundef signext, i64 noundef, i32 noundef signext) local_unnamed_addr
declare ptr @mmap(ptr noundef, i64 noundef, i32 noundef signext, i32 noundef signext, i32 noundef signext, i64 noundef) local_unnamed_addr
declare i64 @read(i32 noundef signext, ptr noundef, i64 noundef) local_unnamed_addr
declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare i64 @llvm.umin.i64(i64, i64)
