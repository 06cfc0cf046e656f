; Generated from runtime/native/bare.c by `make prelude`; do not edit.
; ziglang 0.17.1, x86_64-linux-gnu
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

module asm ".globl _start"
module asm ".hidden _start"
module asm "_start:"
module asm "    mov %rsp, %rdi"
module asm "    and $-16, %rsp"
module asm "    call tw_start"
module asm ".hidden tw_spawn"
module asm "tw_spawn:"
module asm "    mov $56, %eax"
module asm "    xor %edx, %edx"
module asm "    xor %r10d, %r10d"
module asm "    xor %r8d, %r8d"
module asm "    syscall"
module asm "    test %rax, %rax"
module asm "    jnz 1f"
module asm "    xor %ebp, %ebp"
module asm "    pop %rax"
module asm "    pop %rdi"
module asm "    call *%rax"
module asm "    mov $60, %eax"
module asm "    xor %edi, %edi"
module asm "    syscall"
module asm "1:  ret"

%struct.anon = type { i32, i64, i64, [4096 x i8] }
%struct.header = type { i32, i32, i64, i64, i64, i64, i64, i64 }
%struct.relocation = type { i64, i64, i64 }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@.str = private unnamed_addr constant [5 x i8] c"sdux\00", align 1
@stream = internal global %struct.anon zeroinitializer, align 8
@.str.1 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

define hidden void @tw_start(ptr noundef %stack) local_unnamed_addr #0 {
entry:
  %0 = load i64, ptr %stack, align 8
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %stack, i64 16
  %sext = shl i64 %0, 32
  %1 = ashr exact i64 %sext, 29
  %add.ptr2 = getelementptr inbounds i8, ptr %add.ptr1, i64 %1
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %vector.0 = phi ptr [ %add.ptr2, %entry ], [ %incdec.ptr, %while.cond ]
  %2 = load i64, ptr %vector.0, align 8
  %cmp.not = icmp eq i64 %2, 0
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %vector.0, i64 8
  br i1 %cmp.not, label %for.cond, label %while.cond

for.cond:                                         ; preds = %while.cond, %for.inc
  %headers.0 = phi ptr [ %headers.135, %for.inc ], [ null, %while.cond ]
  %count.0 = phi i64 [ %count.1, %for.inc ], [ 0, %while.cond ]
  %vector.1 = phi ptr [ %add.ptr18, %for.inc ], [ %incdec.ptr, %while.cond ]
  %3 = load i64, ptr %vector.1, align 8
  switch i64 %3, label %for.inc [
    i64 0, label %for.end
    i64 3, label %if.end.thread
    i64 5, label %if.then15
  ]

if.end.thread:                                    ; preds = %for.cond
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %vector.1, i64 8
  %4 = load i64, ptr %arrayidx11, align 8
  %5 = inttoptr i64 %4 to ptr
  br label %for.inc

if.then15:                                        ; preds = %for.cond
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %vector.1, i64 8
  %6 = load i64, ptr %arrayidx16, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.cond, %if.end.thread, %if.then15
  %headers.135 = phi ptr [ %headers.0, %if.then15 ], [ %headers.0, %for.cond ], [ %5, %if.end.thread ]
  %count.1 = phi i64 [ %6, %if.then15 ], [ %count.0, %for.cond ], [ %count.0, %if.end.thread ]
  %add.ptr18 = getelementptr inbounds nuw i8, ptr %vector.1, i64 16
  br label %for.cond

for.end:                                          ; preds = %for.cond
  %conv = trunc i64 %0 to i32
  %add.ptr = getelementptr inbounds nuw i8, ptr %stack, i64 8
  %add.ptr.i = getelementptr inbounds i8, ptr %headers.0, i64 -64
  %cmp62.not.i = icmp eq i64 %count.0, 0
  br i1 %cmp62.not.i, label %relocate.exit, label %for.body.i

for.cond4.preheader.i:                            ; preds = %for.inc.i
  %cmp5.not65.i = icmp eq ptr %rows.1.i, null
  br i1 %cmp5.not65.i, label %relocate.exit, label %land.rhs.i

for.body.i:                                       ; preds = %for.end, %for.inc.i
  %rows.064.i = phi ptr [ %rows.1.i, %for.inc.i ], [ null, %for.end ]
  %index.063.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %for.end ]
  %arrayidx.i = getelementptr inbounds nuw %struct.header, ptr %headers.0, i64 %index.063.i
  %7 = load i32, ptr %arrayidx.i, align 8
  %cmp1.i = icmp eq i32 %7, 2
  br i1 %cmp1.i, label %if.then.i, label %for.inc.i

if.then.i:                                        ; preds = %for.body.i
  %address.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 16
  %8 = load i64, ptr %address.i, align 8
  %add.ptr3.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then.i, %for.body.i
  %rows.1.i = phi ptr [ %add.ptr3.i, %if.then.i ], [ %rows.064.i, %for.body.i ]
  %inc.i = add nuw i64 %index.063.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %count.0
  br i1 %exitcond.not.i, label %for.cond4.preheader.i, label %for.body.i

land.rhs.i:                                       ; preds = %for.cond4.preheader.i, %for.inc20.i
  %rows.268.i = phi ptr [ %add.ptr21.i, %for.inc20.i ], [ %rows.1.i, %for.cond4.preheader.i ]
  %bytes.067.i = phi i64 [ %bytes.1.i, %for.inc20.i ], [ 0, %for.cond4.preheader.i ]
  %table.066.i = phi ptr [ %table.161.i, %for.inc20.i ], [ null, %for.cond4.preheader.i ]
  %9 = load i64, ptr %rows.268.i, align 8
  switch i64 %9, label %for.inc20.i [
    i64 0, label %for.end22.i
    i64 7, label %if.end14.thread.i
    i64 8, label %if.then17.i
  ]

if.end14.thread.i:                                ; preds = %land.rhs.i
  %arrayidx12.i = getelementptr inbounds nuw i8, ptr %rows.268.i, i64 8
  %10 = load i64, ptr %arrayidx12.i, align 8
  %add.ptr13.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %10
  br label %for.inc20.i

if.then17.i:                                      ; preds = %land.rhs.i
  %arrayidx18.i = getelementptr inbounds nuw i8, ptr %rows.268.i, i64 8
  %11 = load i64, ptr %arrayidx18.i, align 8
  br label %for.inc20.i

for.inc20.i:                                      ; preds = %if.then17.i, %if.end14.thread.i, %land.rhs.i
  %table.161.i = phi ptr [ %table.066.i, %if.then17.i ], [ %table.066.i, %land.rhs.i ], [ %add.ptr13.i, %if.end14.thread.i ]
  %bytes.1.i = phi i64 [ %11, %if.then17.i ], [ %bytes.067.i, %land.rhs.i ], [ %bytes.067.i, %if.end14.thread.i ]
  %add.ptr21.i = getelementptr inbounds nuw i8, ptr %rows.268.i, i64 16
  br label %land.rhs.i

for.end22.i:                                      ; preds = %land.rhs.i
  %div.i = udiv i64 %bytes.067.i, 24
  %cmp2573.not.i = icmp ult i64 %bytes.067.i, 24
  br i1 %cmp2573.not.i, label %relocate.exit, label %for.body27.lr.ph.i

for.body27.lr.ph.i:                               ; preds = %for.end22.i
  %12 = ptrtoint ptr %add.ptr.i to i64
  br label %for.body27.i

for.body27.i:                                     ; preds = %for.inc36.i, %for.body27.lr.ph.i
  %index23.074.i = phi i64 [ 0, %for.body27.lr.ph.i ], [ %inc37.i, %for.inc36.i ]
  %arrayidx28.i = getelementptr inbounds nuw %struct.relocation, ptr %table.066.i, i64 %index23.074.i
  %kind29.i = getelementptr inbounds nuw i8, ptr %arrayidx28.i, i64 8
  %13 = load i64, ptr %kind29.i, align 8
  %cmp30.i = icmp eq i64 %13, 8
  br i1 %cmp30.i, label %if.then31.i, label %for.inc36.i

if.then31.i:                                      ; preds = %for.body27.i
  %addend.i = getelementptr inbounds nuw i8, ptr %arrayidx28.i, i64 16
  %14 = load i64, ptr %addend.i, align 8
  %add.i = add i64 %14, %12
  %15 = load i64, ptr %arrayidx28.i, align 8
  %add.ptr34.i = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 %15
  store i64 %add.i, ptr %add.ptr34.i, align 8
  br label %for.inc36.i

for.inc36.i:                                      ; preds = %if.then31.i, %for.body27.i
  %inc37.i = add nuw nsw i64 %index23.074.i, 1
  %exitcond75.not.i = icmp eq i64 %inc37.i, %div.i
  br i1 %exitcond75.not.i, label %relocate.exit, label %for.body27.i

relocate.exit:                                    ; preds = %for.inc36.i, %for.end, %for.cond4.preheader.i, %for.end22.i
  %call = tail call i32 @tw_program(i32 noundef %conv, ptr noundef nonnull %add.ptr) #10
  %conv19 = sext i32 %call to i64
  br label %for.cond20

for.cond20:                                       ; preds = %for.cond20, %relocate.exit
  %16 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 231, i64 %conv19, i64 0, i64 0, i64 0, i64 0, i64 0) #11
  br label %for.cond20
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare hidden i32 @tw_program(i32 noundef, ptr noundef) local_unnamed_addr #2

define noundef nonnull ptr @memcpy(ptr noalias noundef nonnull returned %to, ptr noalias noundef nonnull %from, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %0 = tail call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr nonnull %to, ptr nonnull %from, i64 %bytes) #11
  ret ptr %to
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define noundef nonnull ptr @memmove(ptr noundef nonnull returned %to, ptr noundef nonnull %from, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %cmp.not = icmp ugt ptr %to, %from
  %add.ptr = getelementptr inbounds nuw i8, ptr %from, i64 %bytes
  %cmp1.not = icmp ult ptr %to, %add.ptr
  %or.cond = select i1 %cmp.not, i1 %cmp1.not, i1 false
  br i1 %or.cond, label %while.cond.preheader, label %if.then

while.cond.preheader:                             ; preds = %entry
  %cmp2.not16 = icmp eq i64 %bytes, 0
  br i1 %cmp2.not16, label %cleanup, label %while.body

if.then:                                          ; preds = %entry
  %0 = tail call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr nonnull %to, ptr nonnull %from, i64 %bytes) #11
  br label %cleanup

while.body:                                       ; preds = %while.cond.preheader, %while.body
  %bytes.addr.017 = phi i64 [ %dec, %while.body ], [ %bytes, %while.cond.preheader ]
  %dec = add i64 %bytes.addr.017, -1
  %arrayidx = getelementptr inbounds nuw i8, ptr %from, i64 %dec
  %1 = load i8, ptr %arrayidx, align 1
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %to, i64 %dec
  store i8 %1, ptr %arrayidx3, align 1
  %cmp2.not = icmp eq i64 %dec, 0
  br i1 %cmp2.not, label %cleanup, label %while.body

cleanup:                                          ; preds = %while.body, %while.cond.preheader, %if.then
  ret ptr %to
}

define noundef nonnull ptr @memset(ptr noundef nonnull returned %to, i32 noundef %value, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %0 = tail call { ptr, i64 } asm sideeffect "rep stosb", "={di},={cx},{ax},0,1,~{memory},~{dirflag},~{fpsr},~{flags}"(i32 %value, ptr nonnull %to, i64 %bytes) #11
  ret ptr %to
}

define range(i32 -255, 256) i32 @memcmp(ptr noundef nonnull readonly captures(none) %one, ptr noundef nonnull readonly captures(none) %other, i64 noundef %bytes) local_unnamed_addr #4 {
entry:
  %cmp.not14 = icmp eq i64 %bytes, 0
  br i1 %cmp.not14, label %cleanup, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %b.017 = phi ptr [ %incdec.ptr6, %for.inc ], [ %other, %entry ]
  %a.016 = phi ptr [ %incdec.ptr, %for.inc ], [ %one, %entry ]
  %bytes.addr.015 = phi i64 [ %dec, %for.inc ], [ %bytes, %entry ]
  %0 = load i8, ptr %a.016, align 1
  %1 = load i8, ptr %b.017, align 1
  %cmp2.not = icmp eq i8 %0, %1
  br i1 %cmp2.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %conv1 = zext i8 %1 to i32
  %conv = zext i8 %0 to i32
  %sub = sub nsw i32 %conv, %conv1
  br label %cleanup

for.inc:                                          ; preds = %for.body
  %dec = add i64 %bytes.addr.015, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %a.016, i64 1
  %incdec.ptr6 = getelementptr inbounds nuw i8, ptr %b.017, i64 1
  %cmp.not = icmp eq i64 %dec, 0
  br i1 %cmp.not, label %cleanup, label %for.body

cleanup:                                          ; preds = %for.inc, %entry, %if.then
  %retval.0 = phi i32 [ %sub, %if.then ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %retval.0
}

define i64 @strlen(ptr noundef nonnull readonly captures(none) %text) local_unnamed_addr #4 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %length.0 = phi i64 [ 0, %entry ], [ %inc, %while.cond ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %length.0
  %0 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %0, 0
  %inc = add i64 %length.0, 1
  br i1 %cmp.not, label %while.end, label %while.cond

while.end:                                        ; preds = %while.cond
  ret i64 %length.0
}

define noundef nonnull ptr @strcpy(ptr noalias noundef nonnull returned %to, ptr noalias noundef nonnull %from) local_unnamed_addr #3 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %length.0.i = phi i64 [ 0, %entry ], [ %inc.i, %while.cond.i ]
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %from, i64 %length.0.i
  %0 = load i8, ptr %arrayidx.i, align 1
  %cmp.not.i = icmp eq i8 %0, 0
  %inc.i = add i64 %length.0.i, 1
  br i1 %cmp.not.i, label %strlen.exit, label %while.cond.i

strlen.exit:                                      ; preds = %while.cond.i
  %1 = tail call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr nonnull %to, ptr nonnull %from, i64 %inc.i) #11
  ret ptr %to
}

define i64 @strcspn(ptr noundef nonnull readonly captures(none) %text, ptr noundef nonnull readonly captures(none) %ends) local_unnamed_addr #4 {
entry:
  %0 = load i8, ptr %text, align 1
  %cmp.not29 = icmp eq i8 %0, 0
  br i1 %cmp.not29, label %cleanup14, label %for.cond2.preheader.lr.ph

for.cond2.preheader.lr.ph:                        ; preds = %entry
  %1 = load i8, ptr %ends, align 1
  %cmp4.not27 = icmp eq i8 %1, 0
  br label %for.cond2.preheader

for.cond2.preheader:                              ; preds = %for.cond2.preheader.lr.ph, %for.inc12
  %2 = phi i8 [ %0, %for.cond2.preheader.lr.ph ], [ %5, %for.inc12 ]
  %length.030 = phi i64 [ 0, %for.cond2.preheader.lr.ph ], [ %inc, %for.inc12 ]
  br i1 %cmp4.not27, label %for.inc12, label %for.body6

for.cond2:                                        ; preds = %for.body6
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %end.028, i64 1
  %3 = load i8, ptr %incdec.ptr, align 1
  %cmp4.not = icmp eq i8 %3, 0
  br i1 %cmp4.not, label %for.inc12, label %for.body6

for.body6:                                        ; preds = %for.cond2.preheader, %for.cond2
  %4 = phi i8 [ %3, %for.cond2 ], [ %1, %for.cond2.preheader ]
  %end.028 = phi ptr [ %incdec.ptr, %for.cond2 ], [ %ends, %for.cond2.preheader ]
  %cmp10 = icmp eq i8 %2, %4
  br i1 %cmp10, label %cleanup14, label %for.cond2

for.inc12:                                        ; preds = %for.cond2, %for.cond2.preheader
  %inc = add i64 %length.030, 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %text, i64 %inc
  %5 = load i8, ptr %arrayidx, align 1
  %cmp.not = icmp eq i8 %5, 0
  br i1 %cmp.not, label %cleanup14, label %for.cond2.preheader

cleanup14:                                        ; preds = %for.inc12, %for.body6, %entry
  %length.026 = phi i64 [ %length.030, %for.body6 ], [ 0, %entry ], [ %inc, %for.inc12 ]
  ret i64 %length.026
}

define i64 @strtoull(ptr noalias noundef nonnull %text, ptr noalias noundef writeonly captures(none) %end, i32 noundef %base) local_unnamed_addr #5 {
entry:
  %0 = load i8, ptr %text, align 1
  %1 = add i8 %0, -48
  %or.cond26 = icmp ult i8 %1, 10
  %sub28 = zext nneg i8 %1 to i32
  %conv629 = sext i8 %0 to i32
  %add30 = add nsw i32 %conv629, -87
  %cond31 = select i1 %or.cond26, i32 %sub28, i32 %add30
  %cmp832 = icmp sgt i32 %cond31, -1
  %cmp10.not33 = icmp slt i32 %cond31, %base
  %or.cond2534 = and i1 %cmp832, %cmp10.not33
  br i1 %or.cond2534, label %for.inc.lr.ph, label %for.end

for.inc.lr.ph:                                    ; preds = %entry
  %conv12 = zext nneg i32 %base to i64
  br label %for.inc

for.inc:                                          ; preds = %for.inc.lr.ph, %for.inc
  %cond37 = phi i32 [ %cond31, %for.inc.lr.ph ], [ %cond, %for.inc ]
  %text.addr.036 = phi ptr [ %text, %for.inc.lr.ph ], [ %incdec.ptr, %for.inc ]
  %value.035 = phi i64 [ 0, %for.inc.lr.ph ], [ %add14, %for.inc ]
  %mul = mul i64 %value.035, %conv12
  %conv13 = zext nneg i32 %cond37 to i64
  %add14 = add i64 %mul, %conv13
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %text.addr.036, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1
  %3 = add i8 %2, -48
  %or.cond = icmp ult i8 %3, 10
  %sub = zext nneg i8 %3 to i32
  %conv6 = sext i8 %2 to i32
  %add = add nsw i32 %conv6, -87
  %cond = select i1 %or.cond, i32 %sub, i32 %add
  %cmp8 = icmp sgt i32 %cond, -1
  %cmp10.not = icmp slt i32 %cond, %base
  %or.cond25 = and i1 %cmp8, %cmp10.not
  br i1 %or.cond25, label %for.inc, label %for.end

for.end:                                          ; preds = %for.inc, %entry
  %value.0.lcssa = phi i64 [ 0, %entry ], [ %add14, %for.inc ]
  %text.addr.0.lcssa = phi ptr [ %text, %entry ], [ %incdec.ptr, %for.inc ]
  store ptr %text.addr.0.lcssa, ptr %end, align 8
  ret i64 %value.0.lcssa
}

define noalias ptr @aligned_alloc(i64 noundef %alignment, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %cmp = icmp ugt i64 %alignment, 4096
  %cmp1 = icmp ugt i64 %bytes, -8193
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = add nuw i64 %bytes, 4096
  %0 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 9, i64 0, i64 %add, i64 3, i64 34, i64 -1, i64 0) #11
  %or.cond.i = icmp ugt i64 %0, -4096
  br i1 %or.cond.i, label %return, label %if.end4

if.end4:                                          ; preds = %if.end
  %1 = inttoptr i64 %0 to ptr
  store i64 %add, ptr %1, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %1, i64 4096
  br label %return

return:                                           ; preds = %if.end4, %if.end, %entry
  %retval.1 = phi ptr [ null, %entry ], [ %add.ptr, %if.end4 ], [ null, %if.end ]
  ret ptr %retval.1
}

define ptr @mmap(ptr noundef %at, i64 noundef %bytes, i32 noundef %access, i32 noundef %flags, i32 noundef %file, i64 noundef %offset) local_unnamed_addr #3 {
entry:
  %0 = ptrtoint ptr %at to i64
  %conv = sext i32 %access to i64
  %conv3 = sext i32 %flags to i64
  %conv5 = sext i32 %file to i64
  %1 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 9, i64 %0, i64 %bytes, i64 %conv, i64 %conv3, i64 %conv5, i64 %offset) #11
  %or.cond = icmp ugt i64 %1, -4096
  %2 = inttoptr i64 %1 to ptr
  %cond = select i1 %or.cond, ptr inttoptr (i64 -1 to ptr), ptr %2
  ret ptr %cond
}

define void @free(ptr noundef %block) local_unnamed_addr #3 {
entry:
  %cmp = icmp eq ptr %block, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %block, i64 -4096
  %0 = load i64, ptr %add.ptr, align 8
  %1 = ptrtoint ptr %add.ptr to i64
  %2 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 11, i64 %1, i64 %0, i64 0, i64 0, i64 0, i64 0) #11
  br label %return

return:                                           ; preds = %entry, %if.end
  ret void
}

define i32 @munmap(ptr noundef %start, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %0 = ptrtoint ptr %start to i64
  %1 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 11, i64 %0, i64 %bytes, i64 0, i64 0, i64 0, i64 0) #11
  %conv = trunc i64 %1 to i32
  ret i32 %conv
}

define i32 @snprintf(ptr noalias noundef writeonly captures(none) %start, i64 noundef %room, ptr noalias noundef readonly captures(none) %format, ...) local_unnamed_addr #6 {
entry:
  %digits.i203 = alloca [24 x i8], align 16
  %digits.i = alloca [24 x i8], align 16
  %digits.i.i = alloca [24 x i8], align 16
  %values = alloca [1 x %struct.__va_list_tag], align 16
  %.compoundliteral = alloca [2 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #11
  call void @llvm.va_start.p0(ptr nonnull %values)
  %values.promoted = load i32, ptr %values, align 16
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 1
  %overflow_arg_area_p90 = getelementptr inbounds nuw i8, ptr %values, i64 8
  %0 = getelementptr inbounds nuw i8, ptr %values, i64 16
  %reg_save_area88 = load ptr, ptr %0, align 16
  %overflow_arg_area_p90.promoted = load ptr, ptr %overflow_arg_area_p90, align 8
  br label %for.cond

for.cond:                                         ; preds = %for.inc111, %entry
  %overflow_arg_area91289 = phi ptr [ %overflow_arg_area_p90.promoted, %entry ], [ %overflow_arg_area91282, %for.inc111 ]
  %gp_offset98281 = phi i32 [ %values.promoted, %entry ], [ %gp_offset98274, %for.inc111 ]
  %text.sroa.20.0 = phi i64 [ 0, %entry ], [ %text.sroa.20.2, %for.inc111 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr112, %for.inc111 ]
  %1 = load i8, ptr %format.addr.0, align 1
  switch i8 %1, label %if.then [
    i8 0, label %for.end113
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  %add.i = add i64 %text.sroa.20.0, 1
  %cmp.i = icmp ult i64 %add.i, %room
  br i1 %cmp.i, label %if.then.i, label %for.inc111

if.then.i:                                        ; preds = %if.then
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 %1, ptr %arrayidx.i, align 1
  br label %for.inc111

for.cond7:                                        ; preds = %for.cond, %for.body11
  %most.0 = phi i64 [ %most.2, %for.body11 ], [ -1, %for.cond ]
  %is_long.0 = phi i1 [ %spec.select264, %for.body11 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.1, %for.body11 ], [ %format.addr.0, %for.cond ]
  %format.addr.1 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i64 1
  %2 = load i8, ptr %format.addr.1, align 1
  store i8 0, ptr %arrayinit.element, align 1
  %cmp4.not27.i = icmp eq i8 %2, 0
  br label %for.cond2.preheader.i

for.cond2.preheader.i:                            ; preds = %for.inc12.i, %for.cond7
  %3 = phi i8 [ 115, %for.cond7 ], [ %6, %for.inc12.i ]
  %length.030.i = phi i64 [ 0, %for.cond7 ], [ %inc.i, %for.inc12.i ]
  br i1 %cmp4.not27.i, label %for.inc12.i, label %for.body6.i

for.cond2.i:                                      ; preds = %for.body6.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %end.028.i, i64 1
  %4 = load i8, ptr %incdec.ptr.i, align 1
  %cmp4.not.i = icmp eq i8 %4, 0
  br i1 %cmp4.not.i, label %for.inc12.i, label %for.body6.i

for.body6.i:                                      ; preds = %for.cond2.preheader.i, %for.cond2.i
  %5 = phi i8 [ %4, %for.cond2.i ], [ %2, %for.cond2.preheader.i ]
  %end.028.i = phi ptr [ %incdec.ptr.i, %for.cond2.i ], [ %.compoundliteral, %for.cond2.preheader.i ]
  %cmp10.i = icmp eq i8 %3, %5
  br i1 %cmp10.i, label %strcspn.exit, label %for.cond2.i

for.inc12.i:                                      ; preds = %for.cond2.i, %for.cond2.preheader.i
  %inc.i = add nuw nsw i64 %length.030.i, 1
  %arrayidx.i155 = getelementptr inbounds nuw i8, ptr @.str, i64 %inc.i
  %6 = load i8, ptr %arrayidx.i155, align 1
  %cmp.not.i = icmp eq i64 %inc.i, 4
  br i1 %cmp.not.i, label %for.body11, label %for.cond2.preheader.i

strcspn.exit:                                     ; preds = %for.body6.i
  %7 = icmp eq i64 %length.030.i, 4
  br i1 %7, label %for.body11, label %for.end

for.body11:                                       ; preds = %for.inc12.i, %strcspn.exit
  %8 = load i8, ptr %format.addr.1, align 1
  %cmp13 = icmp eq i8 %8, 46
  %spec.select = select i1 %cmp13, i64 0, i64 %most.0
  %9 = add i8 %8, -48
  %or.cond = icmp ult i8 %9, 10
  %mul = mul i64 %most.0, 10
  %sub = zext nneg i8 %9 to i64
  %add = add i64 %mul, %sub
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %cmp29 = icmp eq i8 %8, 108
  %spec.select264 = or i1 %is_long.0, %cmp29
  br label %for.cond7

for.end:                                          ; preds = %strcspn.exit
  %10 = load i8, ptr %format.addr.1, align 1
  switch i8 %10, label %if.else95 [
    i8 115, label %if.then35
    i8 100, label %if.then50
    i8 117, label %if.then82
  ]

if.then35:                                        ; preds = %for.end
  %fits_in_gp = icmp ult i32 %gp_offset98281, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %if.then35
  %11 = zext nneg i32 %gp_offset98281 to i64
  %12 = getelementptr i8, ptr %reg_save_area88, i64 %11
  %13 = add nuw nsw i32 %gp_offset98281, 8
  store i32 %13, ptr %values, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %if.then35
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area91289, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p90, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %overflow_arg_area91287 = phi ptr [ %overflow_arg_area91289, %vaarg.in_reg ], [ %overflow_arg_area.next, %vaarg.in_mem ]
  %gp_offset98279 = phi i32 [ %13, %vaarg.in_reg ], [ %gp_offset98281, %vaarg.in_mem ]
  %vaarg.addr = phi ptr [ %12, %vaarg.in_reg ], [ %overflow_arg_area91289, %vaarg.in_mem ]
  %14 = load ptr, ptr %vaarg.addr, align 8
  %cmp38268.not = icmp eq i64 %most.0, 0
  br i1 %cmp38268.not, label %for.inc111, label %land.rhs

land.rhs:                                         ; preds = %vaarg.end, %append.exit165
  %index.0270 = phi i64 [ %inc, %append.exit165 ], [ 0, %vaarg.end ]
  %text.sroa.20.1269 = phi i64 [ %add.i157, %append.exit165 ], [ %text.sroa.20.0, %vaarg.end ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %14, i64 %index.0270
  %15 = load i8, ptr %arrayidx, align 1
  %cmp41.not = icmp eq i8 %15, 0
  br i1 %cmp41.not, label %for.inc111, label %for.body43

for.body43:                                       ; preds = %land.rhs
  %add.i157 = add i64 %text.sroa.20.1269, 1
  %cmp.i159 = icmp ult i64 %add.i157, %room
  br i1 %cmp.i159, label %if.then.i161, label %append.exit165

if.then.i161:                                     ; preds = %for.body43
  %arrayidx.i162 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.1269
  store i8 %15, ptr %arrayidx.i162, align 1
  br label %append.exit165

append.exit165:                                   ; preds = %for.body43, %if.then.i161
  %inc = add nuw i64 %index.0270, 1
  %exitcond.not = icmp eq i64 %inc, %most.0
  br i1 %exitcond.not, label %for.inc111, label %land.rhs

if.then50:                                        ; preds = %for.end
  %fits_in_gp56 = icmp ult i32 %gp_offset98281, 41
  br i1 %is_long.0, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.then50
  br i1 %fits_in_gp56, label %vaarg.in_reg57, label %vaarg.in_mem59

vaarg.in_reg57:                                   ; preds = %cond.true
  %16 = zext nneg i32 %gp_offset98281 to i64
  %17 = getelementptr i8, ptr %reg_save_area88, i64 %16
  %18 = add nuw nsw i32 %gp_offset98281, 8
  store i32 %18, ptr %values, align 16
  br label %vaarg.end63

vaarg.in_mem59:                                   ; preds = %cond.true
  %overflow_arg_area.next62 = getelementptr i8, ptr %overflow_arg_area91289, i64 8
  store ptr %overflow_arg_area.next62, ptr %overflow_arg_area_p90, align 8
  br label %vaarg.end63

vaarg.end63:                                      ; preds = %vaarg.in_mem59, %vaarg.in_reg57
  %overflow_arg_area91286 = phi ptr [ %overflow_arg_area91289, %vaarg.in_reg57 ], [ %overflow_arg_area.next62, %vaarg.in_mem59 ]
  %gp_offset98278 = phi i32 [ %18, %vaarg.in_reg57 ], [ %gp_offset98281, %vaarg.in_mem59 ]
  %vaarg.addr64 = phi ptr [ %17, %vaarg.in_reg57 ], [ %overflow_arg_area91289, %vaarg.in_mem59 ]
  %19 = load i64, ptr %vaarg.addr64, align 8
  br label %cond.end

cond.false:                                       ; preds = %if.then50
  br i1 %fits_in_gp56, label %vaarg.in_reg69, label %vaarg.in_mem71

vaarg.in_reg69:                                   ; preds = %cond.false
  %20 = zext nneg i32 %gp_offset98281 to i64
  %21 = getelementptr i8, ptr %reg_save_area88, i64 %20
  %22 = add nuw nsw i32 %gp_offset98281, 8
  store i32 %22, ptr %values, align 16
  br label %vaarg.end75

vaarg.in_mem71:                                   ; preds = %cond.false
  %overflow_arg_area.next74 = getelementptr i8, ptr %overflow_arg_area91289, i64 8
  store ptr %overflow_arg_area.next74, ptr %overflow_arg_area_p90, align 8
  br label %vaarg.end75

vaarg.end75:                                      ; preds = %vaarg.in_mem71, %vaarg.in_reg69
  %overflow_arg_area91285 = phi ptr [ %overflow_arg_area91289, %vaarg.in_reg69 ], [ %overflow_arg_area.next74, %vaarg.in_mem71 ]
  %gp_offset98277 = phi i32 [ %22, %vaarg.in_reg69 ], [ %gp_offset98281, %vaarg.in_mem71 ]
  %vaarg.addr76 = phi ptr [ %21, %vaarg.in_reg69 ], [ %overflow_arg_area91289, %vaarg.in_mem71 ]
  %23 = load i32, ptr %vaarg.addr76, align 4
  %conv77 = sext i32 %23 to i64
  br label %cond.end

cond.end:                                         ; preds = %vaarg.end75, %vaarg.end63
  %overflow_arg_area91284 = phi ptr [ %overflow_arg_area91286, %vaarg.end63 ], [ %overflow_arg_area91285, %vaarg.end75 ]
  %gp_offset98276 = phi i32 [ %gp_offset98278, %vaarg.end63 ], [ %gp_offset98277, %vaarg.end75 ]
  %cond = phi i64 [ %19, %vaarg.end63 ], [ %conv77, %vaarg.end75 ]
  %cmp.i166 = icmp slt i64 %cond, 0
  br i1 %cmp.i166, label %if.then.i167, label %if.end.i

if.then.i167:                                     ; preds = %cond.end
  %add.i.i = add i64 %text.sroa.20.0, 1
  %cmp.i.i = icmp ult i64 %add.i.i, %room
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i

if.then.i.i:                                      ; preds = %if.then.i167
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 45, ptr %arrayidx.i.i, align 1
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i167, %if.then.i.i, %cond.end
  %text.sroa.20.3 = phi i64 [ %text.sroa.20.0, %cond.end ], [ %add.i.i, %if.then.i.i ], [ %add.i.i, %if.then.i167 ]
  %cond.i = call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i.i) #11
  br label %do.body.i.i

do.body.i.i:                                      ; preds = %do.body.i.i, %if.end.i
  %indvars.iv14.i.i = phi i64 [ %indvars.iv.next15.i.i, %do.body.i.i ], [ 1, %if.end.i ]
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %do.body.i.i ], [ 0, %if.end.i ]
  %value.addr.0.i.i = phi i64 [ %div.i.i, %do.body.i.i ], [ %cond.i, %if.end.i ]
  %rem.i.i = urem i64 %value.addr.0.i.i, 10
  %arrayidx.i6.i = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i.i
  %24 = load i8, ptr %arrayidx.i6.i, align 1
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i64 %indvars.iv.i.i
  store i8 %24, ptr %arrayidx1.i.i, align 1
  %div.i.i = udiv i64 %value.addr.0.i.i, 10
  %cmp.not.i.i = icmp ult i64 %value.addr.0.i.i, 10
  %indvars.iv.next15.i.i = add nuw i64 %indvars.iv14.i.i, 1
  br i1 %cmp.not.i.i, label %while.body.i.i, label %do.body.i.i

while.body.i.i:                                   ; preds = %do.body.i.i, %append.exit.i.i
  %text.sroa.20.4 = phi i64 [ %add.i.i.i, %append.exit.i.i ], [ %text.sroa.20.3, %do.body.i.i ]
  %indvars.iv16.i.i = phi i64 [ %indvars.iv.next17.i.i, %append.exit.i.i ], [ %indvars.iv14.i.i, %do.body.i.i ]
  %indvars.iv.next17.i.i = add nsw i64 %indvars.iv16.i.i, -1
  %add.i.i.i = add i64 %text.sroa.20.4, 1
  %cmp.i.i.i = icmp ult i64 %add.i.i.i, %room
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %append.exit.i.i

if.then.i.i.i:                                    ; preds = %while.body.i.i
  %arrayidx7.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i64 %indvars.iv.next17.i.i
  %25 = load i8, ptr %arrayidx7.i.i, align 1
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.4
  store i8 %25, ptr %arrayidx.i.i.i, align 1
  br label %append.exit.i.i

append.exit.i.i:                                  ; preds = %if.then.i.i.i, %while.body.i.i
  %26 = trunc nuw i64 %indvars.iv16.i.i to i32
  %cmp4.i.i = icmp sgt i32 %26, 1
  br i1 %cmp4.i.i, label %while.body.i.i, label %append_signed.exit

append_signed.exit:                               ; preds = %append.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i.i) #11
  br label %for.inc111

if.then82:                                        ; preds = %for.end
  %fits_in_gp86 = icmp ult i32 %gp_offset98281, 41
  br i1 %fits_in_gp86, label %vaarg.in_reg87, label %vaarg.in_mem89

vaarg.in_reg87:                                   ; preds = %if.then82
  %27 = zext nneg i32 %gp_offset98281 to i64
  %28 = getelementptr i8, ptr %reg_save_area88, i64 %27
  %29 = add nuw nsw i32 %gp_offset98281, 8
  store i32 %29, ptr %values, align 16
  br label %vaarg.end93

vaarg.in_mem89:                                   ; preds = %if.then82
  %overflow_arg_area.next92 = getelementptr i8, ptr %overflow_arg_area91289, i64 8
  store ptr %overflow_arg_area.next92, ptr %overflow_arg_area_p90, align 8
  br label %vaarg.end93

vaarg.end93:                                      ; preds = %vaarg.in_mem89, %vaarg.in_reg87
  %overflow_arg_area91283 = phi ptr [ %overflow_arg_area91289, %vaarg.in_reg87 ], [ %overflow_arg_area.next92, %vaarg.in_mem89 ]
  %gp_offset98275 = phi i32 [ %29, %vaarg.in_reg87 ], [ %gp_offset98281, %vaarg.in_mem89 ]
  %vaarg.addr94 = phi ptr [ %28, %vaarg.in_reg87 ], [ %overflow_arg_area91289, %vaarg.in_mem89 ]
  %30 = load i64, ptr %vaarg.addr94, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i) #11
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %vaarg.end93
  %indvars.iv14.i = phi i64 [ %indvars.iv.next15.i, %do.body.i ], [ 1, %vaarg.end93 ]
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %do.body.i ], [ 0, %vaarg.end93 ]
  %value.addr.0.i = phi i64 [ %div.i, %do.body.i ], [ %30, %vaarg.end93 ]
  %rem.i = urem i64 %value.addr.0.i, 10
  %arrayidx.i168 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i
  %31 = load i8, ptr %arrayidx.i168, align 1
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.i
  store i8 %31, ptr %arrayidx1.i, align 1
  %div.i = udiv i64 %value.addr.0.i, 10
  %cmp.not.i169 = icmp ult i64 %value.addr.0.i, 10
  %indvars.iv.next15.i = add nuw i64 %indvars.iv14.i, 1
  br i1 %cmp.not.i169, label %while.body.i, label %do.body.i

while.body.i:                                     ; preds = %do.body.i, %append.exit.i175
  %text.sroa.20.5 = phi i64 [ %add.i.i173, %append.exit.i175 ], [ %text.sroa.20.0, %do.body.i ]
  %indvars.iv16.i = phi i64 [ %indvars.iv.next17.i, %append.exit.i175 ], [ %indvars.iv14.i, %do.body.i ]
  %indvars.iv.next17.i = add nsw i64 %indvars.iv16.i, -1
  %add.i.i173 = add i64 %text.sroa.20.5, 1
  %cmp.i.i174 = icmp ult i64 %add.i.i173, %room
  br i1 %cmp.i.i174, label %if.then.i.i177, label %append.exit.i175

if.then.i.i177:                                   ; preds = %while.body.i
  %arrayidx7.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.next17.i
  %32 = load i8, ptr %arrayidx7.i, align 1
  %arrayidx.i.i178 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.5
  store i8 %32, ptr %arrayidx.i.i178, align 1
  br label %append.exit.i175

append.exit.i175:                                 ; preds = %if.then.i.i177, %while.body.i
  %33 = trunc nuw i64 %indvars.iv16.i to i32
  %cmp4.i = icmp sgt i32 %33, 1
  br i1 %cmp4.i, label %while.body.i, label %append_number.exit

append_number.exit:                               ; preds = %append.exit.i175
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i) #11
  br label %for.inc111

if.else95:                                        ; preds = %for.end
  %add.i182 = add i64 %text.sroa.20.0, 1
  %cmp.i184 = icmp ult i64 %add.i182, %room
  br i1 %cmp.i184, label %if.then.i187, label %append.exit191

if.then.i187:                                     ; preds = %if.else95
  %arrayidx.i188 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 48, ptr %arrayidx.i188, align 1
  br label %append.exit191

append.exit191:                                   ; preds = %if.else95, %if.then.i187
  %add.i193 = add i64 %text.sroa.20.0, 2
  %cmp.i195 = icmp ult i64 %add.i193, %room
  br i1 %cmp.i195, label %if.then.i198, label %append.exit202

if.then.i198:                                     ; preds = %append.exit191
  %arrayidx.i199 = getelementptr inbounds nuw i8, ptr %start, i64 %add.i182
  store i8 120, ptr %arrayidx.i199, align 1
  br label %append.exit202

append.exit202:                                   ; preds = %append.exit191, %if.then.i198
  %fits_in_gp99 = icmp ult i32 %gp_offset98281, 41
  br i1 %fits_in_gp99, label %vaarg.in_reg100, label %vaarg.in_mem102

vaarg.in_reg100:                                  ; preds = %append.exit202
  %34 = zext nneg i32 %gp_offset98281 to i64
  %35 = getelementptr i8, ptr %reg_save_area88, i64 %34
  %36 = add nuw nsw i32 %gp_offset98281, 8
  store i32 %36, ptr %values, align 16
  br label %vaarg.end106

vaarg.in_mem102:                                  ; preds = %append.exit202
  %overflow_arg_area.next105 = getelementptr i8, ptr %overflow_arg_area91289, i64 8
  store ptr %overflow_arg_area.next105, ptr %overflow_arg_area_p90, align 8
  br label %vaarg.end106

vaarg.end106:                                     ; preds = %vaarg.in_mem102, %vaarg.in_reg100
  %overflow_arg_area91288 = phi ptr [ %overflow_arg_area91289, %vaarg.in_reg100 ], [ %overflow_arg_area.next105, %vaarg.in_mem102 ]
  %gp_offset98280 = phi i32 [ %36, %vaarg.in_reg100 ], [ %gp_offset98281, %vaarg.in_mem102 ]
  %vaarg.addr107 = phi ptr [ %35, %vaarg.in_reg100 ], [ %overflow_arg_area91289, %vaarg.in_mem102 ]
  %37 = load i64, ptr %vaarg.addr107, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i203) #11
  br label %do.body.i204

do.body.i204:                                     ; preds = %do.body.i204, %vaarg.end106
  %indvars.iv14.i205 = phi i64 [ %indvars.iv.next15.i214, %do.body.i204 ], [ 1, %vaarg.end106 ]
  %indvars.iv.i206 = phi i64 [ %indvars.iv.next.i210, %do.body.i204 ], [ 0, %vaarg.end106 ]
  %value.addr.0.i207 = phi i64 [ %div.i212265, %do.body.i204 ], [ %37, %vaarg.end106 ]
  %rem.i208 = and i64 %value.addr.0.i207, 15
  %arrayidx.i209 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i208
  %38 = load i8, ptr %arrayidx.i209, align 1
  %indvars.iv.next.i210 = add nuw nsw i64 %indvars.iv.i206, 1
  %arrayidx1.i211 = getelementptr inbounds nuw i8, ptr %digits.i203, i64 %indvars.iv.i206
  store i8 %38, ptr %arrayidx1.i211, align 1
  %div.i212265 = lshr i64 %value.addr.0.i207, 4
  %cmp.not.i213 = icmp ult i64 %value.addr.0.i207, 16
  %indvars.iv.next15.i214 = add nuw nsw i64 %indvars.iv14.i205, 1
  br i1 %cmp.not.i213, label %while.body.i219, label %do.body.i204

while.body.i219:                                  ; preds = %do.body.i204, %append.exit.i224
  %text.sroa.20.6 = phi i64 [ %add.i.i222, %append.exit.i224 ], [ %add.i193, %do.body.i204 ]
  %indvars.iv16.i220 = phi i64 [ %indvars.iv.next17.i221, %append.exit.i224 ], [ %indvars.iv14.i205, %do.body.i204 ]
  %indvars.iv.next17.i221 = add nsw i64 %indvars.iv16.i220, -1
  %add.i.i222 = add i64 %text.sroa.20.6, 1
  %cmp.i.i223 = icmp ult i64 %add.i.i222, %room
  br i1 %cmp.i.i223, label %if.then.i.i227, label %append.exit.i224

if.then.i.i227:                                   ; preds = %while.body.i219
  %arrayidx7.i228 = getelementptr inbounds nuw i8, ptr %digits.i203, i64 %indvars.iv.next17.i221
  %39 = load i8, ptr %arrayidx7.i228, align 1
  %arrayidx.i.i229 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.6
  store i8 %39, ptr %arrayidx.i.i229, align 1
  br label %append.exit.i224

append.exit.i224:                                 ; preds = %if.then.i.i227, %while.body.i219
  %40 = icmp sgt i64 %indvars.iv16.i220, 1
  br i1 %40, label %while.body.i219, label %append_number.exit232

append_number.exit232:                            ; preds = %append.exit.i224
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i203) #11
  br label %for.inc111

for.inc111:                                       ; preds = %land.rhs, %append.exit165, %vaarg.end, %if.then.i, %if.then, %append_number.exit, %append_number.exit232, %append_signed.exit
  %overflow_arg_area91282 = phi ptr [ %overflow_arg_area91283, %append_number.exit ], [ %overflow_arg_area91288, %append_number.exit232 ], [ %overflow_arg_area91289, %if.then ], [ %overflow_arg_area91289, %if.then.i ], [ %overflow_arg_area91284, %append_signed.exit ], [ %overflow_arg_area91287, %vaarg.end ], [ %overflow_arg_area91287, %append.exit165 ], [ %overflow_arg_area91287, %land.rhs ]
  %gp_offset98274 = phi i32 [ %gp_offset98275, %append_number.exit ], [ %gp_offset98280, %append_number.exit232 ], [ %gp_offset98281, %if.then ], [ %gp_offset98281, %if.then.i ], [ %gp_offset98276, %append_signed.exit ], [ %gp_offset98279, %vaarg.end ], [ %gp_offset98279, %append.exit165 ], [ %gp_offset98279, %land.rhs ]
  %text.sroa.20.2 = phi i64 [ %add.i.i173, %append_number.exit ], [ %add.i.i222, %append_number.exit232 ], [ %add.i, %if.then ], [ %add.i, %if.then.i ], [ %add.i.i.i, %append_signed.exit ], [ %text.sroa.20.0, %vaarg.end ], [ %text.sroa.20.1269, %land.rhs ], [ %add.i157, %append.exit165 ]
  %format.addr.2 = phi ptr [ %format.addr.1, %append_number.exit ], [ %format.addr.1, %append_number.exit232 ], [ %format.addr.0, %if.then ], [ %format.addr.0, %if.then.i ], [ %format.addr.1, %append_signed.exit ], [ %format.addr.1, %vaarg.end ], [ %format.addr.1, %append.exit165 ], [ %format.addr.1, %land.rhs ]
  %incdec.ptr112 = getelementptr inbounds nuw i8, ptr %format.addr.2, i64 1
  br label %for.cond

for.end113:                                       ; preds = %for.cond
  call void @llvm.va_end.p0(ptr nonnull %values)
  %cmp115.not = icmp eq i64 %room, 0
  br i1 %cmp115.not, label %if.end128, label %if.then117

if.then117:                                       ; preds = %for.end113
  %cmp119 = icmp ult i64 %text.sroa.20.0, %room
  %sub124 = add i64 %room, -1
  %cond126 = select i1 %cmp119, i64 %text.sroa.20.0, i64 %sub124
  %arrayidx127 = getelementptr inbounds nuw i8, ptr %start, i64 %cond126
  store i8 0, ptr %arrayidx127, align 1
  br label %if.end128

if.end128:                                        ; preds = %if.then117, %for.end113
  %conv130 = trunc i64 %text.sroa.20.0 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #11
  ret i32 %conv130
}

declare void @llvm.va_start.p0(ptr) #7

declare void @llvm.va_end.p0(ptr) #7

define i32 @open(ptr noundef nonnull %path, i32 noundef %flags, ...) local_unnamed_addr #3 {
entry:
  %values = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #11
  call void @llvm.va_start.p0(ptr nonnull %values)
  %and = and i32 %flags, 64
  %cmp.not = icmp eq i32 %and, 0
  br i1 %cmp.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %gp_offset = load i32, ptr %values, align 16
  %fits_in_gp = icmp ult i32 %gp_offset, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %cond.true
  %0 = getelementptr inbounds nuw i8, ptr %values, i64 16
  %reg_save_area = load ptr, ptr %0, align 16
  %1 = zext nneg i32 %gp_offset to i64
  %2 = getelementptr i8, ptr %reg_save_area, i64 %1
  %3 = add nuw nsw i32 %gp_offset, 8
  store i32 %3, ptr %values, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %cond.true
  %overflow_arg_area_p = getelementptr inbounds nuw i8, ptr %values, i64 8
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %2, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ]
  %4 = load i32, ptr %vaarg.addr, align 4
  %5 = sext i32 %4 to i64
  br label %cond.end

cond.end:                                         ; preds = %entry, %vaarg.end
  %cond = phi i64 [ %5, %vaarg.end ], [ 0, %entry ]
  call void @llvm.va_end.p0(ptr nonnull %values)
  %6 = ptrtoint ptr %path to i64
  %conv = sext i32 %flags to i64
  %7 = call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 257, i64 -100, i64 %6, i64 %conv, i64 %cond, i64 0, i64 0) #11
  %cmp9 = icmp slt i64 %7, 0
  %conv13 = trunc i64 %7 to i32
  %cond15 = select i1 %cmp9, i32 -1, i32 %conv13
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #11
  ret i32 %cond15
}

define i64 @read(i32 noundef %file, ptr noundef %to, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %conv = sext i32 %file to i64
  %0 = ptrtoint ptr %to to i64
  %1 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 0, i64 %conv, i64 %0, i64 %bytes, i64 0, i64 0, i64 0) #11
  ret i64 %1
}

define i64 @write(i32 noundef %file, ptr noundef %from, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %conv = sext i32 %file to i64
  %0 = ptrtoint ptr %from to i64
  %1 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 1, i64 %conv, i64 %0, i64 %bytes, i64 0, i64 0, i64 0) #11
  ret i64 %1
}

define i64 @lseek(i32 noundef %file, i64 noundef %offset, i32 noundef %from) local_unnamed_addr #3 {
entry:
  %conv = sext i32 %file to i64
  %conv1 = sext i32 %from to i64
  %0 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 8, i64 %conv, i64 %offset, i64 %conv1, i64 0, i64 0, i64 0) #11
  ret i64 %0
}

define i32 @close(i32 noundef %file) local_unnamed_addr #3 {
entry:
  %conv = sext i32 %file to i64
  %0 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 3, i64 %conv, i64 0, i64 0, i64 0, i64 0, i64 0) #11
  %conv1 = trunc i64 %0 to i32
  ret i32 %conv1
}

define noalias ptr @fopen(ptr noalias noundef nonnull %path, ptr noalias noundef readnone captures(none) %mode) local_unnamed_addr #3 {
entry:
  %call = tail call i32 (ptr, i32, ...) @open(ptr noundef %path, i32 noundef 524288) #12
  store i32 %call, ptr @stream, align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %cmp = icmp slt i32 %call, 0
  %cond = select i1 %cmp, ptr null, ptr @stream
  ret ptr %cond
}

define i32 @fclose(ptr noundef nonnull readnone captures(none) %file) local_unnamed_addr #3 {
entry:
  %0 = load i32, ptr @stream, align 8
  %conv.i = sext i32 %0 to i64
  %1 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 3, i64 %conv.i, i64 0, i64 0, i64 0, i64 0, i64 0) #11
  %conv1.i = trunc i64 %1 to i32
  ret i32 %conv1.i
}

define noundef ptr @fgets(ptr noalias noundef captures(ret: address, provenance) %line, i32 noundef %room, ptr noalias noundef nonnull readnone captures(none) %file) local_unnamed_addr #3 {
entry:
  %sub = add i32 %room, -1
  %cmp27 = icmp sgt i32 %room, 1
  br i1 %cmp27, label %land.rhs.preheader, label %while.end.thread

while.end.thread:                                 ; preds = %entry
  store i8 0, ptr %line, align 1
  br label %10

land.rhs.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %sub to i64
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.preheader, %if.end10
  %indvars.iv = phi i64 [ 0, %land.rhs.preheader ], [ %indvars.iv.next, %if.end10 ]
  %cmp1 = icmp eq i64 %indvars.iv, 0
  br i1 %cmp1, label %while.body, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %0 = getelementptr i8, ptr %line, i64 %indvars.iv
  %arrayidx = getelementptr i8, ptr %0, i64 -1
  %1 = load i8, ptr %arrayidx, align 1
  %cmp3.not = icmp eq i8 %1, 10
  br i1 %cmp3.not, label %while.end.thread38, label %while.body

while.end.thread38:                               ; preds = %lor.rhs
  %idxprom1540 = and i64 %indvars.iv, 4294967295
  %arrayidx1641 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom1540
  store i8 0, ptr %arrayidx1641, align 1
  br label %11

while.body:                                       ; preds = %land.rhs, %lor.rhs
  %2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  %cmp5 = icmp eq i64 %2, %3
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
  %4 = load i32, ptr @stream, align 8
  %conv.i = sext i32 %4 to i64
  %5 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 0, i64 %conv.i, i64 ptrtoint (ptr getelementptr inbounds nuw (i8, ptr @stream, i64 24) to i64), i64 4096, i64 0, i64 0, i64 0) #11
  store i64 %5, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %while.body
  %6 = phi i64 [ 0, %if.then ], [ %2, %while.body ]
  %7 = phi i64 [ %5, %if.then ], [ %3, %while.body ]
  %cmp7 = icmp slt i64 %7, 1
  br i1 %cmp7, label %while.end.split.loop.exit, label %if.end10

if.end10:                                         ; preds = %if.end
  %inc = add nsw i64 %6, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %arrayidx11 = getelementptr inbounds i8, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 24), i64 %6
  %8 = load i8, ptr %arrayidx11, align 1
  %indvars.iv.next = add i64 %indvars.iv, 1
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %line, i64 %indvars.iv
  store i8 %8, ptr %arrayidx14, align 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %while.end, label %land.rhs

while.end.split.loop.exit:                        ; preds = %if.end
  %9 = trunc i64 %indvars.iv to i32
  br label %while.end

while.end:                                        ; preds = %if.end10, %while.end.split.loop.exit
  %length.0.lcssa = phi i32 [ %9, %while.end.split.loop.exit ], [ %sub, %if.end10 ]
  %idxprom15 = zext nneg i32 %length.0.lcssa to i64
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %line, i64 %idxprom15
  store i8 0, ptr %arrayidx16, align 1
  %cmp17 = icmp eq i32 %length.0.lcssa, 0
  br i1 %cmp17, label %10, label %11

10:                                               ; preds = %while.end.thread, %while.end
  br label %11

11:                                               ; preds = %while.end.thread38, %while.end, %10
  %12 = phi ptr [ null, %10 ], [ %line, %while.end ], [ %line, %while.end.thread38 ]
  ret ptr %12
}

define i64 @syscall(i64 noundef %number, ...) local_unnamed_addr #3 {
entry:
  %arguments = alloca [6 x i64], align 16
  %values = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %arguments) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #11
  call void @llvm.va_start.p0(ptr nonnull %values)
  %values.promoted = load i32, ptr %values, align 16
  %overflow_arg_area_p = getelementptr inbounds nuw i8, ptr %values, i64 8
  %0 = getelementptr inbounds nuw i8, ptr %values, i64 16
  %reg_save_area = load ptr, ptr %0, align 16
  %overflow_arg_area_p.promoted = load ptr, ptr %overflow_arg_area_p, align 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %vaarg.end
  call void @llvm.va_end.p0(ptr nonnull %values)
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %arguments, i64 24
  %1 = load i64, ptr %arrayidx.i, align 8
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %arguments, i64 32
  %2 = load i64, ptr %arrayidx1.i, align 16
  %arrayidx2.i = getelementptr inbounds nuw i8, ptr %arguments, i64 40
  %3 = load i64, ptr %arrayidx2.i, align 8
  %4 = load i64, ptr %arguments, align 16
  %arrayidx4.i = getelementptr inbounds nuw i8, ptr %arguments, i64 8
  %5 = load i64, ptr %arrayidx4.i, align 8
  %arrayidx5.i = getelementptr inbounds nuw i8, ptr %arguments, i64 16
  %6 = load i64, ptr %arrayidx5.i, align 16
  %7 = call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 %number, i64 %4, i64 %5, i64 %6, i64 %1, i64 %2, i64 %3) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %arguments) #11
  ret i64 %7

for.body:                                         ; preds = %entry, %vaarg.end
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %vaarg.end ]
  %overflow_arg_area11 = phi ptr [ %overflow_arg_area_p.promoted, %entry ], [ %overflow_arg_area10, %vaarg.end ]
  %gp_offset78 = phi i32 [ %values.promoted, %entry ], [ %gp_offset6, %vaarg.end ]
  %fits_in_gp = icmp ult i32 %gp_offset78, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %for.body
  %8 = zext nneg i32 %gp_offset78 to i64
  %9 = getelementptr i8, ptr %reg_save_area, i64 %8
  %10 = add nuw nsw i32 %gp_offset78, 8
  store i32 %10, ptr %values, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %for.body
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area11, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %overflow_arg_area10 = phi ptr [ %overflow_arg_area11, %vaarg.in_reg ], [ %overflow_arg_area.next, %vaarg.in_mem ]
  %gp_offset6 = phi i32 [ %10, %vaarg.in_reg ], [ %gp_offset78, %vaarg.in_mem ]
  %vaarg.addr = phi ptr [ %9, %vaarg.in_reg ], [ %overflow_arg_area11, %vaarg.in_mem ]
  %11 = load i64, ptr %vaarg.addr, align 8
  %arrayidx = getelementptr inbounds nuw i64, ptr %arguments, i64 %indvars.iv
  store i64 %11, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 6
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define range(i32 0, 12) i32 @pthread_create(ptr noalias noundef nonnull writeonly captures(none) %thread, ptr noalias noundef readnone captures(none) %options, ptr noundef nonnull %function, ptr noalias noundef %argument) local_unnamed_addr #3 {
entry:
  %0 = tail call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 9, i64 0, i64 1048576, i64 3, i64 34, i64 -1, i64 0) #11
  %or.cond.i = icmp ugt i64 %0, -4096
  br i1 %or.cond.i, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %1 = inttoptr i64 %0 to ptr
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %1, i64 1048560
  store ptr %function, ptr %add.ptr1, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %1, i64 1048568
  store ptr %argument, ptr %arrayidx2, align 8
  store i64 0, ptr %thread, align 8
  %call3 = tail call i64 @tw_spawn(i64 noundef 69376, ptr noundef nonnull %add.ptr1) #10
  %cmp4 = icmp slt i64 %call3, 0
  %cond = select i1 %cmp4, i32 11, i32 0
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ %cond, %if.end ], [ 11, %entry ]
  ret i32 %retval.0
}

declare hidden i64 @tw_spawn(i64 noundef, ptr noundef) local_unnamed_addr #2

define noundef i32 @pthread_detach(i64 noundef %thread) local_unnamed_addr #8 {
entry:
  ret i32 0
}

declare i64 @llvm.abs.i64(i64, i1 immarg) #9

attributes #0 = { noreturn nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" }
attributes #3 = { nounwind "no-builtins" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #5 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "no-builtins" }
attributes #6 = { nofree norecurse nosync nounwind "no-builtins" }
attributes #7 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #8 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #9 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { nobuiltin nounwind "no-builtins" }
attributes #11 = { nounwind }
attributes #12 = { nobuiltin "no-builtins" }
