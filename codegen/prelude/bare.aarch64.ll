; Generated from runtime/native/bare.c by `make prelude`; do not edit.
; ziglang 0.17.1, aarch64-linux-gnu
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

module asm ".globl _start"
module asm ".hidden _start"
module asm "_start:"
module asm "    mov x0, sp"
module asm "    and sp, x0, #-16"
module asm "    bl tw_start"
module asm ".hidden tw_spawn"
module asm "tw_spawn:"
module asm "    mov x8, #220"
module asm "    mov x2, xzr"
module asm "    mov x3, xzr"
module asm "    mov x4, xzr"
module asm "    svc #0"
module asm "    cbnz x0, 1f"
module asm "    ldp x1, x0, [sp], #16"
module asm "    blr x1"
module asm "    mov x8, #93"
module asm "    mov x0, xzr"
module asm "    svc #0"
module asm "1:  ret"

%struct.anon = type { i32, i64, i64, [4096 x i8] }
%struct.header = type { i32, i32, i64, i64, i64, i64, i64, i64 }
%struct.relocation = type { i64, i64, i64 }
%struct.__va_list = type { ptr, ptr, ptr, i32, i32 }

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
  %cmp30.i = icmp eq i64 %13, 1027
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
  %call = tail call i32 @tw_program(i32 noundef %conv, ptr noundef nonnull %add.ptr) #13
  %conv19 = sext i32 %call to i64
  br label %for.cond20

for.cond20:                                       ; preds = %for.cond20, %relocate.exit
  %16 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 94, i64 0, i64 0, i64 0, i64 0, i64 0, i64 %conv19) #14
  br label %for.cond20
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare hidden i32 @tw_program(i32 noundef, ptr noundef) local_unnamed_addr #2

define noundef nonnull ptr @memcpy(ptr noalias noundef nonnull returned writeonly captures(ret: address, provenance) %to, ptr noalias noundef nonnull readonly captures(none) %from, i64 noundef %bytes) local_unnamed_addr #3 {
entry:
  %cmp11 = icmp ugt i64 %bytes, 7
  br i1 %cmp11, label %for.body, label %while.cond.preheader

while.cond.preheader:                             ; preds = %for.body, %entry
  %bytes.addr.0.lcssa = phi i64 [ %bytes, %entry ], [ %sub, %for.body ]
  %target.0.lcssa = phi ptr [ %to, %entry ], [ %add.ptr, %for.body ]
  %source.0.lcssa = phi ptr [ %from, %entry ], [ %add.ptr1, %for.body ]
  %cmp2.not17 = icmp eq i64 %bytes.addr.0.lcssa, 0
  br i1 %cmp2.not17, label %while.end, label %while.body

for.body:                                         ; preds = %entry, %for.body
  %source.014 = phi ptr [ %add.ptr1, %for.body ], [ %from, %entry ]
  %target.013 = phi ptr [ %add.ptr, %for.body ], [ %to, %entry ]
  %bytes.addr.012 = phi i64 [ %sub, %for.body ], [ %bytes, %entry ]
  %0 = load i64, ptr %source.014, align 8
  store i64 %0, ptr %target.013, align 8
  %sub = add i64 %bytes.addr.012, -8
  %add.ptr = getelementptr inbounds nuw i8, ptr %target.013, i64 8
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %source.014, i64 8
  %cmp = icmp ugt i64 %sub, 7
  br i1 %cmp, label %for.body, label %while.cond.preheader

while.body:                                       ; preds = %while.cond.preheader, %while.body
  %source.120 = phi ptr [ %incdec.ptr, %while.body ], [ %source.0.lcssa, %while.cond.preheader ]
  %target.119 = phi ptr [ %incdec.ptr3, %while.body ], [ %target.0.lcssa, %while.cond.preheader ]
  %bytes.addr.118 = phi i64 [ %dec, %while.body ], [ %bytes.addr.0.lcssa, %while.cond.preheader ]
  %dec = add i64 %bytes.addr.118, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %source.120, i64 1
  %1 = load i8, ptr %source.120, align 1
  %incdec.ptr3 = getelementptr inbounds nuw i8, ptr %target.119, i64 1
  store i8 %1, ptr %target.119, align 1
  %cmp2.not = icmp eq i64 %dec, 0
  br i1 %cmp2.not, label %while.end, label %while.body

while.end:                                        ; preds = %while.body, %while.cond.preheader
  ret ptr %to
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define noundef nonnull ptr @memmove(ptr noundef nonnull returned writeonly captures(address, ret: address, provenance) %to, ptr noundef nonnull readonly captures(address) %from, i64 noundef %bytes) local_unnamed_addr #4 {
entry:
  %cmp.not = icmp ugt ptr %to, %from
  %add.ptr = getelementptr inbounds nuw i8, ptr %from, i64 %bytes
  %cmp1.not = icmp ult ptr %to, %add.ptr
  %or.cond = select i1 %cmp.not, i1 %cmp1.not, i1 false
  br i1 %or.cond, label %while.cond.preheader, label %if.then

while.cond.preheader:                             ; preds = %entry
  %cmp2.not17 = icmp eq i64 %bytes, 0
  br i1 %cmp2.not17, label %cleanup, label %while.body

if.then:                                          ; preds = %entry
  %cmp11.i = icmp ugt i64 %bytes, 7
  br i1 %cmp11.i, label %for.body.i, label %while.cond.preheader.i

while.cond.preheader.i:                           ; preds = %for.body.i, %if.then
  %bytes.addr.0.lcssa.i = phi i64 [ %bytes, %if.then ], [ %sub.i, %for.body.i ]
  %target.0.lcssa.i = phi ptr [ %to, %if.then ], [ %add.ptr.i, %for.body.i ]
  %source.0.lcssa.i = phi ptr [ %from, %if.then ], [ %add.ptr1.i, %for.body.i ]
  %cmp2.not17.i = icmp eq i64 %bytes.addr.0.lcssa.i, 0
  br i1 %cmp2.not17.i, label %cleanup, label %while.body.i

for.body.i:                                       ; preds = %if.then, %for.body.i
  %source.014.i = phi ptr [ %add.ptr1.i, %for.body.i ], [ %from, %if.then ]
  %target.013.i = phi ptr [ %add.ptr.i, %for.body.i ], [ %to, %if.then ]
  %bytes.addr.012.i = phi i64 [ %sub.i, %for.body.i ], [ %bytes, %if.then ]
  %0 = load i64, ptr %source.014.i, align 8
  store i64 %0, ptr %target.013.i, align 8
  %sub.i = add i64 %bytes.addr.012.i, -8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %target.013.i, i64 8
  %add.ptr1.i = getelementptr inbounds nuw i8, ptr %source.014.i, i64 8
  %cmp.i = icmp ugt i64 %sub.i, 7
  br i1 %cmp.i, label %for.body.i, label %while.cond.preheader.i

while.body.i:                                     ; preds = %while.cond.preheader.i, %while.body.i
  %source.120.i = phi ptr [ %incdec.ptr.i, %while.body.i ], [ %source.0.lcssa.i, %while.cond.preheader.i ]
  %target.119.i = phi ptr [ %incdec.ptr3.i, %while.body.i ], [ %target.0.lcssa.i, %while.cond.preheader.i ]
  %bytes.addr.118.i = phi i64 [ %dec.i, %while.body.i ], [ %bytes.addr.0.lcssa.i, %while.cond.preheader.i ]
  %dec.i = add i64 %bytes.addr.118.i, -1
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %source.120.i, i64 1
  %1 = load i8, ptr %source.120.i, align 1
  %incdec.ptr3.i = getelementptr inbounds nuw i8, ptr %target.119.i, i64 1
  store i8 %1, ptr %target.119.i, align 1
  %cmp2.not.i = icmp eq i64 %dec.i, 0
  br i1 %cmp2.not.i, label %cleanup, label %while.body.i

while.body:                                       ; preds = %while.cond.preheader, %while.body
  %bytes.addr.018 = phi i64 [ %dec, %while.body ], [ %bytes, %while.cond.preheader ]
  %dec = add i64 %bytes.addr.018, -1
  %arrayidx = getelementptr inbounds nuw i8, ptr %from, i64 %dec
  %2 = load i8, ptr %arrayidx, align 1
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %to, i64 %dec
  store i8 %2, ptr %arrayidx3, align 1
  %cmp2.not = icmp eq i64 %dec, 0
  br i1 %cmp2.not, label %cleanup, label %while.body

cleanup:                                          ; preds = %while.body.i, %while.body, %while.cond.preheader, %while.cond.preheader.i
  ret ptr %to
}

define noundef nonnull ptr @memset(ptr noundef nonnull returned writeonly captures(ret: address, provenance) %to, i32 noundef %value, i64 noundef %bytes) local_unnamed_addr #5 {
entry:
  %cmp.not2 = icmp eq i64 %bytes, 0
  br i1 %cmp.not2, label %while.end, label %while.body.lr.ph

while.body.lr.ph:                                 ; preds = %entry
  %conv = trunc i32 %value to i8
  br label %while.body

while.body:                                       ; preds = %while.body.lr.ph, %while.body
  %target.04 = phi ptr [ %to, %while.body.lr.ph ], [ %incdec.ptr, %while.body ]
  %bytes.addr.03 = phi i64 [ %bytes, %while.body.lr.ph ], [ %dec, %while.body ]
  %dec = add i64 %bytes.addr.03, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %target.04, i64 1
  store i8 %conv, ptr %target.04, align 1
  %cmp.not = icmp eq i64 %dec, 0
  br i1 %cmp.not, label %while.end, label %while.body

while.end:                                        ; preds = %while.body, %entry
  ret ptr %to
}

define range(i32 -255, 256) i32 @memcmp(ptr noundef nonnull readonly captures(none) %one, ptr noundef nonnull readonly captures(none) %other, i64 noundef %bytes) local_unnamed_addr #6 {
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

define i64 @strlen(ptr noundef nonnull readonly captures(none) %text) local_unnamed_addr #6 {
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

define noundef nonnull ptr @strcpy(ptr noalias noundef nonnull returned writeonly captures(ret: address, provenance) %to, ptr noalias noundef nonnull readonly captures(none) %from) local_unnamed_addr #4 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %indvars.iv = phi i64 [ %indvars.iv.next, %while.cond.i ], [ -7, %entry ]
  %length.0.i = phi i64 [ %inc.i, %while.cond.i ], [ 0, %entry ]
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %from, i64 %length.0.i
  %0 = load i8, ptr %arrayidx.i, align 1
  %cmp.not.i = icmp eq i8 %0, 0
  %inc.i = add i64 %length.0.i, 1
  %indvars.iv.next = add i64 %indvars.iv, 1
  br i1 %cmp.not.i, label %strlen.exit, label %while.cond.i

strlen.exit:                                      ; preds = %while.cond.i
  %cmp11.i = icmp ugt i64 %inc.i, 7
  br i1 %cmp11.i, label %for.body.i, label %while.cond.preheader.i

while.cond.preheader.i.loopexit:                  ; preds = %for.body.i
  %1 = and i64 %indvars.iv, 7
  br label %while.cond.preheader.i

while.cond.preheader.i:                           ; preds = %while.cond.preheader.i.loopexit, %strlen.exit
  %bytes.addr.0.lcssa.i = phi i64 [ %inc.i, %strlen.exit ], [ %1, %while.cond.preheader.i.loopexit ]
  %target.0.lcssa.i = phi ptr [ %to, %strlen.exit ], [ %add.ptr.i, %while.cond.preheader.i.loopexit ]
  %source.0.lcssa.i = phi ptr [ %from, %strlen.exit ], [ %add.ptr1.i, %while.cond.preheader.i.loopexit ]
  %cmp2.not17.i = icmp eq i64 %bytes.addr.0.lcssa.i, 0
  br i1 %cmp2.not17.i, label %memcpy.exit, label %while.body.i

for.body.i:                                       ; preds = %strlen.exit, %for.body.i
  %source.014.i = phi ptr [ %add.ptr1.i, %for.body.i ], [ %from, %strlen.exit ]
  %target.013.i = phi ptr [ %add.ptr.i, %for.body.i ], [ %to, %strlen.exit ]
  %bytes.addr.012.i = phi i64 [ %sub.i, %for.body.i ], [ %inc.i, %strlen.exit ]
  %2 = load i64, ptr %source.014.i, align 8
  store i64 %2, ptr %target.013.i, align 8
  %sub.i = add i64 %bytes.addr.012.i, -8
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %target.013.i, i64 8
  %add.ptr1.i = getelementptr inbounds nuw i8, ptr %source.014.i, i64 8
  %cmp.i = icmp ugt i64 %sub.i, 7
  br i1 %cmp.i, label %for.body.i, label %while.cond.preheader.i.loopexit

while.body.i:                                     ; preds = %while.cond.preheader.i, %while.body.i
  %source.120.i = phi ptr [ %incdec.ptr.i, %while.body.i ], [ %source.0.lcssa.i, %while.cond.preheader.i ]
  %target.119.i = phi ptr [ %incdec.ptr3.i, %while.body.i ], [ %target.0.lcssa.i, %while.cond.preheader.i ]
  %bytes.addr.118.i = phi i64 [ %dec.i, %while.body.i ], [ %bytes.addr.0.lcssa.i, %while.cond.preheader.i ]
  %dec.i = add i64 %bytes.addr.118.i, -1
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %source.120.i, i64 1
  %3 = load i8, ptr %source.120.i, align 1
  %incdec.ptr3.i = getelementptr inbounds nuw i8, ptr %target.119.i, i64 1
  store i8 %3, ptr %target.119.i, align 1
  %cmp2.not.i = icmp eq i64 %dec.i, 0
  br i1 %cmp2.not.i, label %memcpy.exit, label %while.body.i

memcpy.exit:                                      ; preds = %while.body.i, %while.cond.preheader.i
  ret ptr %to
}

define i64 @strcspn(ptr noundef nonnull readonly captures(none) %text, ptr noundef nonnull readonly captures(none) %ends) local_unnamed_addr #6 {
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

define i64 @strtoull(ptr noalias noundef nonnull %text, ptr noalias noundef writeonly captures(none) %end, i32 noundef %base) local_unnamed_addr #3 {
entry:
  %0 = load i8, ptr %text, align 1
  %conv26 = zext i8 %0 to i32
  %1 = add i8 %0, -48
  %or.cond27 = icmp ult i8 %1, 10
  %cond.v28 = select i1 %or.cond27, i32 -48, i32 -87
  %cond29 = add nsw i32 %cond.v28, %conv26
  %cmp830 = icmp sgt i32 %cond29, -1
  %cmp10.not31 = icmp slt i32 %cond29, %base
  %or.cond2532 = and i1 %cmp830, %cmp10.not31
  br i1 %or.cond2532, label %for.inc.lr.ph, label %for.end

for.inc.lr.ph:                                    ; preds = %entry
  %conv12 = zext nneg i32 %base to i64
  br label %for.inc

for.inc:                                          ; preds = %for.inc.lr.ph, %for.inc
  %cond35 = phi i32 [ %cond29, %for.inc.lr.ph ], [ %cond, %for.inc ]
  %text.addr.034 = phi ptr [ %text, %for.inc.lr.ph ], [ %incdec.ptr, %for.inc ]
  %value.033 = phi i64 [ 0, %for.inc.lr.ph ], [ %add14, %for.inc ]
  %mul = mul i64 %value.033, %conv12
  %conv13 = zext nneg i32 %cond35 to i64
  %add14 = add i64 %mul, %conv13
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %text.addr.034, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1
  %conv = zext i8 %2 to i32
  %3 = add i8 %2, -48
  %or.cond = icmp ult i8 %3, 10
  %cond.v = select i1 %or.cond, i32 -48, i32 -87
  %cond = add nsw i32 %cond.v, %conv
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

define noalias ptr @aligned_alloc(i64 noundef %alignment, i64 noundef %bytes) local_unnamed_addr #7 {
entry:
  %cmp = icmp ugt i64 %alignment, 4096
  %cmp1 = icmp ugt i64 %bytes, -8193
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = add nuw i64 %bytes, 4096
  %0 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 222, i64 %add, i64 3, i64 34, i64 -1, i64 0, i64 0) #14
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

define ptr @mmap(ptr noundef %at, i64 noundef %bytes, i32 noundef %access, i32 noundef %flags, i32 noundef %file, i64 noundef %offset) local_unnamed_addr #7 {
entry:
  %0 = ptrtoint ptr %at to i64
  %conv = sext i32 %access to i64
  %conv3 = sext i32 %flags to i64
  %conv5 = sext i32 %file to i64
  %1 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 222, i64 %bytes, i64 %conv, i64 %conv3, i64 %conv5, i64 %offset, i64 %0) #14
  %or.cond = icmp ugt i64 %1, -4096
  %2 = inttoptr i64 %1 to ptr
  %cond = select i1 %or.cond, ptr inttoptr (i64 -1 to ptr), ptr %2
  ret ptr %cond
}

define void @free(ptr noundef %block) local_unnamed_addr #7 {
entry:
  %cmp = icmp eq ptr %block, null
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %block, i64 -4096
  %0 = load i64, ptr %add.ptr, align 8
  %1 = ptrtoint ptr %add.ptr to i64
  %2 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 215, i64 %0, i64 0, i64 0, i64 0, i64 0, i64 %1) #14
  br label %return

return:                                           ; preds = %entry, %if.end
  ret void
}

define i32 @munmap(ptr noundef %start, i64 noundef %bytes) local_unnamed_addr #7 {
entry:
  %0 = ptrtoint ptr %start to i64
  %1 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 215, i64 %bytes, i64 0, i64 0, i64 0, i64 0, i64 %0) #14
  %conv = trunc i64 %1 to i32
  ret i32 %conv
}

define i32 @snprintf(ptr noalias noundef writeonly captures(none) %start, i64 noundef %room, ptr noalias noundef readonly captures(none) %format, ...) local_unnamed_addr #8 {
entry:
  %digits.i208 = alloca [24 x i8], align 1
  %digits.i = alloca [24 x i8], align 1
  %digits.i.i = alloca [24 x i8], align 1
  %values = alloca %struct.__va_list, align 8
  %.compoundliteral = alloca [2 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #14
  call void @llvm.va_start.p0(ptr nonnull %values)
  %values.promoted = load ptr, ptr %values, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 1
  %gr_offs_p85 = getelementptr inbounds nuw i8, ptr %values, i64 24
  %reg_top_p91 = getelementptr inbounds nuw i8, ptr %values, i64 8
  %reg_top92 = load ptr, ptr %reg_top_p91, align 8
  %gr_offs_p85.promoted = load i32, ptr %gr_offs_p85, align 8
  br label %for.cond

for.cond:                                         ; preds = %for.inc117, %entry
  %gr_offs86299 = phi i32 [ %gr_offs_p85.promoted, %entry ], [ %gr_offs86287, %for.inc117 ]
  %stack110286 = phi ptr [ %values.promoted, %entry ], [ %stack110279, %for.inc117 ]
  %text.sroa.20.0 = phi i64 [ 0, %entry ], [ %text.sroa.20.2, %for.inc117 ]
  %format.addr.0 = phi ptr [ %format, %entry ], [ %incdec.ptr118, %for.inc117 ]
  %0 = load i8, ptr %format.addr.0, align 1
  switch i8 %0, label %if.then [
    i8 0, label %for.end119
    i8 37, label %for.cond7
  ]

if.then:                                          ; preds = %for.cond
  %add.i = add i64 %text.sroa.20.0, 1
  %cmp.i = icmp ult i64 %add.i, %room
  br i1 %cmp.i, label %if.then.i, label %for.inc117

if.then.i:                                        ; preds = %if.then
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 %0, ptr %arrayidx.i, align 1
  br label %for.inc117

for.cond7:                                        ; preds = %for.cond, %for.body10
  %most.0 = phi i64 [ %most.2, %for.body10 ], [ -1, %for.cond ]
  %is_long.0.off0 = phi i1 [ %spec.select269, %for.body10 ], [ false, %for.cond ]
  %format.addr.0.pn = phi ptr [ %format.addr.1, %for.body10 ], [ %format.addr.0, %for.cond ]
  %format.addr.1 = getelementptr inbounds nuw i8, ptr %format.addr.0.pn, i64 1
  %1 = load i8, ptr %format.addr.1, align 1
  store i8 0, ptr %arrayinit.element, align 1
  %cmp4.not27.i = icmp eq i8 %1, 0
  br label %for.cond2.preheader.i

for.cond2.preheader.i:                            ; preds = %for.inc12.i, %for.cond7
  %2 = phi i8 [ 115, %for.cond7 ], [ %5, %for.inc12.i ]
  %length.030.i = phi i64 [ 0, %for.cond7 ], [ %inc.i, %for.inc12.i ]
  br i1 %cmp4.not27.i, label %for.inc12.i, label %for.body6.i

for.cond2.i:                                      ; preds = %for.body6.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %end.028.i, i64 1
  %3 = load i8, ptr %incdec.ptr.i, align 1
  %cmp4.not.i = icmp eq i8 %3, 0
  br i1 %cmp4.not.i, label %for.inc12.i, label %for.body6.i

for.body6.i:                                      ; preds = %for.cond2.preheader.i, %for.cond2.i
  %4 = phi i8 [ %3, %for.cond2.i ], [ %1, %for.cond2.preheader.i ]
  %end.028.i = phi ptr [ %incdec.ptr.i, %for.cond2.i ], [ %.compoundliteral, %for.cond2.preheader.i ]
  %cmp10.i = icmp eq i8 %2, %4
  br i1 %cmp10.i, label %strcspn.exit, label %for.cond2.i

for.inc12.i:                                      ; preds = %for.cond2.i, %for.cond2.preheader.i
  %inc.i = add nuw nsw i64 %length.030.i, 1
  %arrayidx.i160 = getelementptr inbounds nuw i8, ptr @.str, i64 %inc.i
  %5 = load i8, ptr %arrayidx.i160, align 1
  %cmp.not.i = icmp eq i64 %inc.i, 4
  br i1 %cmp.not.i, label %for.body10, label %for.cond2.preheader.i

strcspn.exit:                                     ; preds = %for.body6.i
  %6 = icmp eq i64 %length.030.i, 4
  br i1 %6, label %for.body10, label %for.end

for.body10:                                       ; preds = %for.inc12.i, %strcspn.exit
  %7 = load i8, ptr %format.addr.1, align 1
  %cmp12 = icmp eq i8 %7, 46
  %spec.select = select i1 %cmp12, i64 0, i64 %most.0
  %conv16 = zext i8 %7 to i64
  %8 = add i8 %7, -48
  %or.cond = icmp ult i8 %8, 10
  %mul = mul i64 %spec.select, 10
  %sub = add nuw nsw i64 %conv16, 4294967248
  %conv24 = and i64 %sub, 4294967295
  %add = add i64 %mul, %conv24
  %most.2 = select i1 %or.cond, i64 %add, i64 %spec.select
  %cmp28 = icmp eq i8 %7, 108
  %spec.select269 = select i1 %is_long.0.off0, i1 true, i1 %cmp28
  br label %for.cond7

for.end:                                          ; preds = %strcspn.exit
  %9 = load i8, ptr %format.addr.1, align 1
  switch i8 %9, label %if.else99 [
    i8 115, label %if.then34
    i8 100, label %if.then48
    i8 117, label %if.then84
  ]

if.then34:                                        ; preds = %for.end
  %10 = icmp sgt i32 %gr_offs86299, -1
  br i1 %10, label %vaarg.on_stack, label %vaarg.maybe_reg

vaarg.maybe_reg:                                  ; preds = %if.then34
  %new_reg_offs = add nsw i32 %gr_offs86299, 8
  store i32 %new_reg_offs, ptr %gr_offs_p85, align 8
  %inreg = icmp samesign ult i32 %gr_offs86299, -7
  br i1 %inreg, label %vaarg.in_reg, label %vaarg.on_stack

vaarg.in_reg:                                     ; preds = %vaarg.maybe_reg
  %11 = sext i32 %gr_offs86299 to i64
  %12 = getelementptr inbounds i8, ptr %reg_top92, i64 %11
  br label %vaarg.end

vaarg.on_stack:                                   ; preds = %vaarg.maybe_reg, %if.then34
  %gr_offs86296 = phi i32 [ %new_reg_offs, %vaarg.maybe_reg ], [ %gr_offs86299, %if.then34 ]
  %new_stack = getelementptr inbounds nuw i8, ptr %stack110286, i64 8
  store ptr %new_stack, ptr %values, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.on_stack, %vaarg.in_reg
  %gr_offs86295 = phi i32 [ %new_reg_offs, %vaarg.in_reg ], [ %gr_offs86296, %vaarg.on_stack ]
  %stack110284 = phi ptr [ %stack110286, %vaarg.in_reg ], [ %new_stack, %vaarg.on_stack ]
  %vaargs.addr = phi ptr [ %12, %vaarg.in_reg ], [ %stack110286, %vaarg.on_stack ]
  %13 = load ptr, ptr %vaargs.addr, align 8
  %cmp36273.not = icmp eq i64 %most.0, 0
  br i1 %cmp36273.not, label %for.inc117, label %land.rhs

land.rhs:                                         ; preds = %vaarg.end, %append.exit170
  %index.0275 = phi i64 [ %inc, %append.exit170 ], [ 0, %vaarg.end ]
  %text.sroa.20.1274 = phi i64 [ %add.i162, %append.exit170 ], [ %text.sroa.20.0, %vaarg.end ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %13, i64 %index.0275
  %14 = load i8, ptr %arrayidx, align 1
  %cmp39.not = icmp eq i8 %14, 0
  br i1 %cmp39.not, label %for.inc117, label %for.body41

for.body41:                                       ; preds = %land.rhs
  %add.i162 = add i64 %text.sroa.20.1274, 1
  %cmp.i164 = icmp ult i64 %add.i162, %room
  br i1 %cmp.i164, label %if.then.i166, label %append.exit170

if.then.i166:                                     ; preds = %for.body41
  %arrayidx.i167 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.1274
  store i8 %14, ptr %arrayidx.i167, align 1
  br label %append.exit170

append.exit170:                                   ; preds = %for.body41, %if.then.i166
  %inc = add nuw i64 %index.0275, 1
  %exitcond.not = icmp eq i64 %inc, %most.0
  br i1 %exitcond.not, label %for.inc117, label %land.rhs

if.then48:                                        ; preds = %for.end
  %15 = icmp sgt i32 %gr_offs86299, -1
  br i1 %is_long.0.off0, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.then48
  br i1 %15, label %vaarg.on_stack59, label %vaarg.maybe_reg53

vaarg.maybe_reg53:                                ; preds = %cond.true
  %new_reg_offs54 = add nsw i32 %gr_offs86299, 8
  store i32 %new_reg_offs54, ptr %gr_offs_p85, align 8
  %inreg55 = icmp samesign ult i32 %gr_offs86299, -7
  br i1 %inreg55, label %vaarg.in_reg56, label %vaarg.on_stack59

vaarg.in_reg56:                                   ; preds = %vaarg.maybe_reg53
  %16 = sext i32 %gr_offs86299 to i64
  %17 = getelementptr inbounds i8, ptr %reg_top92, i64 %16
  br label %vaarg.end63

vaarg.on_stack59:                                 ; preds = %vaarg.maybe_reg53, %cond.true
  %gr_offs86294 = phi i32 [ %new_reg_offs54, %vaarg.maybe_reg53 ], [ %gr_offs86299, %cond.true ]
  %new_stack62 = getelementptr inbounds nuw i8, ptr %stack110286, i64 8
  store ptr %new_stack62, ptr %values, align 8
  br label %vaarg.end63

vaarg.end63:                                      ; preds = %vaarg.on_stack59, %vaarg.in_reg56
  %gr_offs86293 = phi i32 [ %new_reg_offs54, %vaarg.in_reg56 ], [ %gr_offs86294, %vaarg.on_stack59 ]
  %stack110283 = phi ptr [ %stack110286, %vaarg.in_reg56 ], [ %new_stack62, %vaarg.on_stack59 ]
  %vaargs.addr64 = phi ptr [ %17, %vaarg.in_reg56 ], [ %stack110286, %vaarg.on_stack59 ]
  %18 = load i64, ptr %vaargs.addr64, align 8
  br label %cond.end

cond.false:                                       ; preds = %if.then48
  br i1 %15, label %vaarg.on_stack73, label %vaarg.maybe_reg67

vaarg.maybe_reg67:                                ; preds = %cond.false
  %new_reg_offs68 = add nsw i32 %gr_offs86299, 8
  store i32 %new_reg_offs68, ptr %gr_offs_p85, align 8
  %inreg69 = icmp samesign ult i32 %gr_offs86299, -7
  br i1 %inreg69, label %vaarg.in_reg70, label %vaarg.on_stack73

vaarg.in_reg70:                                   ; preds = %vaarg.maybe_reg67
  %19 = sext i32 %gr_offs86299 to i64
  %20 = getelementptr inbounds i8, ptr %reg_top92, i64 %19
  br label %vaarg.end77

vaarg.on_stack73:                                 ; preds = %vaarg.maybe_reg67, %cond.false
  %gr_offs86292 = phi i32 [ %new_reg_offs68, %vaarg.maybe_reg67 ], [ %gr_offs86299, %cond.false ]
  %new_stack76 = getelementptr inbounds nuw i8, ptr %stack110286, i64 8
  store ptr %new_stack76, ptr %values, align 8
  br label %vaarg.end77

vaarg.end77:                                      ; preds = %vaarg.on_stack73, %vaarg.in_reg70
  %gr_offs86291 = phi i32 [ %new_reg_offs68, %vaarg.in_reg70 ], [ %gr_offs86292, %vaarg.on_stack73 ]
  %stack110282 = phi ptr [ %stack110286, %vaarg.in_reg70 ], [ %new_stack76, %vaarg.on_stack73 ]
  %vaargs.addr78 = phi ptr [ %20, %vaarg.in_reg70 ], [ %stack110286, %vaarg.on_stack73 ]
  %21 = load i32, ptr %vaargs.addr78, align 8
  %conv79 = sext i32 %21 to i64
  br label %cond.end

cond.end:                                         ; preds = %vaarg.end77, %vaarg.end63
  %gr_offs86290 = phi i32 [ %gr_offs86293, %vaarg.end63 ], [ %gr_offs86291, %vaarg.end77 ]
  %stack110281 = phi ptr [ %stack110283, %vaarg.end63 ], [ %stack110282, %vaarg.end77 ]
  %cond = phi i64 [ %18, %vaarg.end63 ], [ %conv79, %vaarg.end77 ]
  %cmp.i171 = icmp slt i64 %cond, 0
  br i1 %cmp.i171, label %if.then.i172, label %if.end.i

if.then.i172:                                     ; preds = %cond.end
  %add.i.i = add i64 %text.sroa.20.0, 1
  %cmp.i.i = icmp ult i64 %add.i.i, %room
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i

if.then.i.i:                                      ; preds = %if.then.i172
  %arrayidx.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 45, ptr %arrayidx.i.i, align 1
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i172, %if.then.i.i, %cond.end
  %text.sroa.20.3 = phi i64 [ %text.sroa.20.0, %cond.end ], [ %add.i.i, %if.then.i.i ], [ %add.i.i, %if.then.i172 ]
  %cond.i = call i64 @llvm.abs.i64(i64 %cond, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i.i) #14
  br label %do.body.i.i

do.body.i.i:                                      ; preds = %do.body.i.i, %if.end.i
  %indvars.iv14.i.i = phi i64 [ %indvars.iv.next15.i.i, %do.body.i.i ], [ 1, %if.end.i ]
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %do.body.i.i ], [ 0, %if.end.i ]
  %value.addr.0.i.i = phi i64 [ %div.i.i, %do.body.i.i ], [ %cond.i, %if.end.i ]
  %value.addr.0.i.i.frozen = freeze i64 %value.addr.0.i.i
  %div.i.i = udiv i64 %value.addr.0.i.i.frozen, 10
  %22 = mul i64 %div.i.i, 10
  %rem.i.i.decomposed = sub i64 %value.addr.0.i.i.frozen, %22
  %arrayidx.i6.i = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i.i.decomposed
  %23 = load i8, ptr %arrayidx.i6.i, align 1
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %digits.i.i, i64 %indvars.iv.i.i
  store i8 %23, ptr %arrayidx1.i.i, align 1
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
  %24 = load i8, ptr %arrayidx7.i.i, align 1
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.4
  store i8 %24, ptr %arrayidx.i.i.i, align 1
  br label %append.exit.i.i

append.exit.i.i:                                  ; preds = %if.then.i.i.i, %while.body.i.i
  %25 = trunc nuw i64 %indvars.iv16.i.i to i32
  %cmp4.i.i = icmp sgt i32 %25, 1
  br i1 %cmp4.i.i, label %while.body.i.i, label %append_signed.exit

append_signed.exit:                               ; preds = %append.exit.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i.i) #14
  br label %for.inc117

if.then84:                                        ; preds = %for.end
  %26 = icmp sgt i32 %gr_offs86299, -1
  br i1 %26, label %vaarg.on_stack93, label %vaarg.maybe_reg87

vaarg.maybe_reg87:                                ; preds = %if.then84
  %new_reg_offs88 = add nsw i32 %gr_offs86299, 8
  store i32 %new_reg_offs88, ptr %gr_offs_p85, align 8
  %inreg89 = icmp samesign ult i32 %gr_offs86299, -7
  br i1 %inreg89, label %vaarg.in_reg90, label %vaarg.on_stack93

vaarg.in_reg90:                                   ; preds = %vaarg.maybe_reg87
  %27 = sext i32 %gr_offs86299 to i64
  %28 = getelementptr inbounds i8, ptr %reg_top92, i64 %27
  br label %vaarg.end97

vaarg.on_stack93:                                 ; preds = %vaarg.maybe_reg87, %if.then84
  %gr_offs86289 = phi i32 [ %new_reg_offs88, %vaarg.maybe_reg87 ], [ %gr_offs86299, %if.then84 ]
  %new_stack96 = getelementptr inbounds nuw i8, ptr %stack110286, i64 8
  store ptr %new_stack96, ptr %values, align 8
  br label %vaarg.end97

vaarg.end97:                                      ; preds = %vaarg.on_stack93, %vaarg.in_reg90
  %gr_offs86288 = phi i32 [ %new_reg_offs88, %vaarg.in_reg90 ], [ %gr_offs86289, %vaarg.on_stack93 ]
  %stack110280 = phi ptr [ %stack110286, %vaarg.in_reg90 ], [ %new_stack96, %vaarg.on_stack93 ]
  %vaargs.addr98 = phi ptr [ %28, %vaarg.in_reg90 ], [ %stack110286, %vaarg.on_stack93 ]
  %29 = load i64, ptr %vaargs.addr98, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i) #14
  br label %do.body.i

do.body.i:                                        ; preds = %do.body.i, %vaarg.end97
  %indvars.iv14.i = phi i64 [ %indvars.iv.next15.i, %do.body.i ], [ 1, %vaarg.end97 ]
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %do.body.i ], [ 0, %vaarg.end97 ]
  %value.addr.0.i = phi i64 [ %div.i, %do.body.i ], [ %29, %vaarg.end97 ]
  %value.addr.0.i.frozen = freeze i64 %value.addr.0.i
  %div.i = udiv i64 %value.addr.0.i.frozen, 10
  %30 = mul i64 %div.i, 10
  %rem.i.decomposed = sub i64 %value.addr.0.i.frozen, %30
  %arrayidx.i173 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i.decomposed
  %31 = load i8, ptr %arrayidx.i173, align 1
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.i
  store i8 %31, ptr %arrayidx1.i, align 1
  %cmp.not.i174 = icmp ult i64 %value.addr.0.i, 10
  %indvars.iv.next15.i = add nuw i64 %indvars.iv14.i, 1
  br i1 %cmp.not.i174, label %while.body.i, label %do.body.i

while.body.i:                                     ; preds = %do.body.i, %append.exit.i180
  %text.sroa.20.5 = phi i64 [ %add.i.i178, %append.exit.i180 ], [ %text.sroa.20.0, %do.body.i ]
  %indvars.iv16.i = phi i64 [ %indvars.iv.next17.i, %append.exit.i180 ], [ %indvars.iv14.i, %do.body.i ]
  %indvars.iv.next17.i = add nsw i64 %indvars.iv16.i, -1
  %add.i.i178 = add i64 %text.sroa.20.5, 1
  %cmp.i.i179 = icmp ult i64 %add.i.i178, %room
  br i1 %cmp.i.i179, label %if.then.i.i182, label %append.exit.i180

if.then.i.i182:                                   ; preds = %while.body.i
  %arrayidx7.i = getelementptr inbounds nuw i8, ptr %digits.i, i64 %indvars.iv.next17.i
  %32 = load i8, ptr %arrayidx7.i, align 1
  %arrayidx.i.i183 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.5
  store i8 %32, ptr %arrayidx.i.i183, align 1
  br label %append.exit.i180

append.exit.i180:                                 ; preds = %if.then.i.i182, %while.body.i
  %33 = trunc nuw i64 %indvars.iv16.i to i32
  %cmp4.i = icmp sgt i32 %33, 1
  br i1 %cmp4.i, label %while.body.i, label %append_number.exit

append_number.exit:                               ; preds = %append.exit.i180
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i) #14
  br label %for.inc117

if.else99:                                        ; preds = %for.end
  %add.i187 = add i64 %text.sroa.20.0, 1
  %cmp.i189 = icmp ult i64 %add.i187, %room
  br i1 %cmp.i189, label %if.then.i192, label %append.exit196

if.then.i192:                                     ; preds = %if.else99
  %arrayidx.i193 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.0
  store i8 48, ptr %arrayidx.i193, align 1
  br label %append.exit196

append.exit196:                                   ; preds = %if.else99, %if.then.i192
  %add.i198 = add i64 %text.sroa.20.0, 2
  %cmp.i200 = icmp ult i64 %add.i198, %room
  br i1 %cmp.i200, label %if.then.i203, label %append.exit207

if.then.i203:                                     ; preds = %append.exit196
  %arrayidx.i204 = getelementptr inbounds nuw i8, ptr %start, i64 %add.i187
  store i8 120, ptr %arrayidx.i204, align 1
  br label %append.exit207

append.exit207:                                   ; preds = %append.exit196, %if.then.i203
  %34 = icmp sgt i32 %gr_offs86299, -1
  br i1 %34, label %vaarg.on_stack108, label %vaarg.maybe_reg102

vaarg.maybe_reg102:                               ; preds = %append.exit207
  %new_reg_offs103 = add nsw i32 %gr_offs86299, 8
  store i32 %new_reg_offs103, ptr %gr_offs_p85, align 8
  %inreg104 = icmp samesign ult i32 %gr_offs86299, -7
  br i1 %inreg104, label %vaarg.in_reg105, label %vaarg.on_stack108

vaarg.in_reg105:                                  ; preds = %vaarg.maybe_reg102
  %35 = sext i32 %gr_offs86299 to i64
  %36 = getelementptr inbounds i8, ptr %reg_top92, i64 %35
  br label %vaarg.end112

vaarg.on_stack108:                                ; preds = %vaarg.maybe_reg102, %append.exit207
  %gr_offs86298 = phi i32 [ %new_reg_offs103, %vaarg.maybe_reg102 ], [ %gr_offs86299, %append.exit207 ]
  %new_stack111 = getelementptr inbounds nuw i8, ptr %stack110286, i64 8
  store ptr %new_stack111, ptr %values, align 8
  br label %vaarg.end112

vaarg.end112:                                     ; preds = %vaarg.on_stack108, %vaarg.in_reg105
  %gr_offs86297 = phi i32 [ %new_reg_offs103, %vaarg.in_reg105 ], [ %gr_offs86298, %vaarg.on_stack108 ]
  %stack110285 = phi ptr [ %stack110286, %vaarg.in_reg105 ], [ %new_stack111, %vaarg.on_stack108 ]
  %vaargs.addr113 = phi ptr [ %36, %vaarg.in_reg105 ], [ %stack110286, %vaarg.on_stack108 ]
  %37 = load i64, ptr %vaargs.addr113, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %digits.i208) #14
  br label %do.body.i209

do.body.i209:                                     ; preds = %do.body.i209, %vaarg.end112
  %indvars.iv14.i210 = phi i64 [ %indvars.iv.next15.i219, %do.body.i209 ], [ 1, %vaarg.end112 ]
  %indvars.iv.i211 = phi i64 [ %indvars.iv.next.i215, %do.body.i209 ], [ 0, %vaarg.end112 ]
  %value.addr.0.i212 = phi i64 [ %div.i217270, %do.body.i209 ], [ %37, %vaarg.end112 ]
  %rem.i213 = and i64 %value.addr.0.i212, 15
  %arrayidx.i214 = getelementptr inbounds nuw i8, ptr @.str.1, i64 %rem.i213
  %38 = load i8, ptr %arrayidx.i214, align 1
  %indvars.iv.next.i215 = add nuw nsw i64 %indvars.iv.i211, 1
  %arrayidx1.i216 = getelementptr inbounds nuw i8, ptr %digits.i208, i64 %indvars.iv.i211
  store i8 %38, ptr %arrayidx1.i216, align 1
  %div.i217270 = lshr i64 %value.addr.0.i212, 4
  %cmp.not.i218 = icmp ult i64 %value.addr.0.i212, 16
  %indvars.iv.next15.i219 = add nuw nsw i64 %indvars.iv14.i210, 1
  br i1 %cmp.not.i218, label %while.body.i224, label %do.body.i209

while.body.i224:                                  ; preds = %do.body.i209, %append.exit.i229
  %text.sroa.20.6 = phi i64 [ %add.i.i227, %append.exit.i229 ], [ %add.i198, %do.body.i209 ]
  %indvars.iv16.i225 = phi i64 [ %indvars.iv.next17.i226, %append.exit.i229 ], [ %indvars.iv14.i210, %do.body.i209 ]
  %indvars.iv.next17.i226 = add nsw i64 %indvars.iv16.i225, -1
  %add.i.i227 = add i64 %text.sroa.20.6, 1
  %cmp.i.i228 = icmp ult i64 %add.i.i227, %room
  br i1 %cmp.i.i228, label %if.then.i.i232, label %append.exit.i229

if.then.i.i232:                                   ; preds = %while.body.i224
  %arrayidx7.i233 = getelementptr inbounds nuw i8, ptr %digits.i208, i64 %indvars.iv.next17.i226
  %39 = load i8, ptr %arrayidx7.i233, align 1
  %arrayidx.i.i234 = getelementptr inbounds nuw i8, ptr %start, i64 %text.sroa.20.6
  store i8 %39, ptr %arrayidx.i.i234, align 1
  br label %append.exit.i229

append.exit.i229:                                 ; preds = %if.then.i.i232, %while.body.i224
  %40 = icmp sgt i64 %indvars.iv16.i225, 1
  br i1 %40, label %while.body.i224, label %append_number.exit237

append_number.exit237:                            ; preds = %append.exit.i229
  call void @llvm.lifetime.end.p0(ptr nonnull %digits.i208) #14
  br label %for.inc117

for.inc117:                                       ; preds = %land.rhs, %append.exit170, %vaarg.end, %if.then.i, %if.then, %append_number.exit, %append_number.exit237, %append_signed.exit
  %gr_offs86287 = phi i32 [ %gr_offs86288, %append_number.exit ], [ %gr_offs86297, %append_number.exit237 ], [ %gr_offs86299, %if.then ], [ %gr_offs86299, %if.then.i ], [ %gr_offs86290, %append_signed.exit ], [ %gr_offs86295, %vaarg.end ], [ %gr_offs86295, %append.exit170 ], [ %gr_offs86295, %land.rhs ]
  %stack110279 = phi ptr [ %stack110280, %append_number.exit ], [ %stack110285, %append_number.exit237 ], [ %stack110286, %if.then ], [ %stack110286, %if.then.i ], [ %stack110281, %append_signed.exit ], [ %stack110284, %vaarg.end ], [ %stack110284, %append.exit170 ], [ %stack110284, %land.rhs ]
  %text.sroa.20.2 = phi i64 [ %add.i.i178, %append_number.exit ], [ %add.i.i227, %append_number.exit237 ], [ %add.i, %if.then ], [ %add.i, %if.then.i ], [ %add.i.i.i, %append_signed.exit ], [ %text.sroa.20.0, %vaarg.end ], [ %text.sroa.20.1274, %land.rhs ], [ %add.i162, %append.exit170 ]
  %format.addr.2 = phi ptr [ %format.addr.1, %append_number.exit ], [ %format.addr.1, %append_number.exit237 ], [ %format.addr.0, %if.then ], [ %format.addr.0, %if.then.i ], [ %format.addr.1, %append_signed.exit ], [ %format.addr.1, %vaarg.end ], [ %format.addr.1, %append.exit170 ], [ %format.addr.1, %land.rhs ]
  %incdec.ptr118 = getelementptr inbounds nuw i8, ptr %format.addr.2, i64 1
  br label %for.cond

for.end119:                                       ; preds = %for.cond
  call void @llvm.va_end.p0(ptr nonnull %values)
  %cmp120.not = icmp eq i64 %room, 0
  br i1 %cmp120.not, label %if.end133, label %if.then122

if.then122:                                       ; preds = %for.end119
  %cmp124 = icmp ult i64 %text.sroa.20.0, %room
  %sub129 = add i64 %room, -1
  %cond131 = select i1 %cmp124, i64 %text.sroa.20.0, i64 %sub129
  %arrayidx132 = getelementptr inbounds nuw i8, ptr %start, i64 %cond131
  store i8 0, ptr %arrayidx132, align 1
  br label %if.end133

if.end133:                                        ; preds = %if.then122, %for.end119
  %conv135 = trunc i64 %text.sroa.20.0 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #14
  ret i32 %conv135
}

declare void @llvm.va_start.p0(ptr) #9

declare void @llvm.va_end.p0(ptr) #9

define i32 @open(ptr noundef nonnull %path, i32 noundef %flags, ...) local_unnamed_addr #7 {
entry:
  %values = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #14
  call void @llvm.va_start.p0(ptr nonnull %values)
  %and = and i32 %flags, 64
  %cmp.not = icmp eq i32 %and, 0
  br i1 %cmp.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %gr_offs_p = getelementptr inbounds nuw i8, ptr %values, i64 24
  %gr_offs = load i32, ptr %gr_offs_p, align 8
  %0 = icmp sgt i32 %gr_offs, -1
  br i1 %0, label %vaarg.on_stack, label %vaarg.maybe_reg

vaarg.maybe_reg:                                  ; preds = %cond.true
  %new_reg_offs = add nsw i32 %gr_offs, 8
  store i32 %new_reg_offs, ptr %gr_offs_p, align 8
  %inreg = icmp samesign ult i32 %gr_offs, -7
  br i1 %inreg, label %vaarg.in_reg, label %vaarg.on_stack

vaarg.in_reg:                                     ; preds = %vaarg.maybe_reg
  %reg_top_p = getelementptr inbounds nuw i8, ptr %values, i64 8
  %reg_top = load ptr, ptr %reg_top_p, align 8
  %1 = sext i32 %gr_offs to i64
  %2 = getelementptr inbounds i8, ptr %reg_top, i64 %1
  br label %vaarg.end

vaarg.on_stack:                                   ; preds = %vaarg.maybe_reg, %cond.true
  %stack = load ptr, ptr %values, align 8
  %new_stack = getelementptr inbounds nuw i8, ptr %stack, i64 8
  store ptr %new_stack, ptr %values, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.on_stack, %vaarg.in_reg
  %vaargs.addr = phi ptr [ %2, %vaarg.in_reg ], [ %stack, %vaarg.on_stack ]
  %3 = load i32, ptr %vaargs.addr, align 8
  %4 = sext i32 %3 to i64
  br label %cond.end

cond.end:                                         ; preds = %entry, %vaarg.end
  %cond = phi i64 [ %4, %vaarg.end ], [ 0, %entry ]
  call void @llvm.va_end.p0(ptr nonnull %values)
  %5 = ptrtoint ptr %path to i64
  %conv = sext i32 %flags to i64
  %6 = call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 56, i64 %5, i64 %conv, i64 %cond, i64 0, i64 0, i64 -100) #14
  %cmp6 = icmp slt i64 %6, 0
  %conv10 = trunc i64 %6 to i32
  %cond12 = select i1 %cmp6, i32 -1, i32 %conv10
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #14
  ret i32 %cond12
}

define i64 @read(i32 noundef %file, ptr noundef %to, i64 noundef %bytes) local_unnamed_addr #7 {
entry:
  %conv = sext i32 %file to i64
  %0 = ptrtoint ptr %to to i64
  %1 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 63, i64 %0, i64 %bytes, i64 0, i64 0, i64 0, i64 %conv) #14
  ret i64 %1
}

define i64 @write(i32 noundef %file, ptr noundef %from, i64 noundef %bytes) local_unnamed_addr #7 {
entry:
  %conv = sext i32 %file to i64
  %0 = ptrtoint ptr %from to i64
  %1 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 64, i64 %0, i64 %bytes, i64 0, i64 0, i64 0, i64 %conv) #14
  ret i64 %1
}

define i64 @lseek(i32 noundef %file, i64 noundef %offset, i32 noundef %from) local_unnamed_addr #7 {
entry:
  %conv = sext i32 %file to i64
  %conv1 = sext i32 %from to i64
  %0 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 62, i64 %offset, i64 %conv1, i64 0, i64 0, i64 0, i64 %conv) #14
  ret i64 %0
}

define i32 @close(i32 noundef %file) local_unnamed_addr #7 {
entry:
  %conv = sext i32 %file to i64
  %0 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 57, i64 0, i64 0, i64 0, i64 0, i64 0, i64 %conv) #14
  %conv1 = trunc i64 %0 to i32
  ret i32 %conv1
}

define noalias ptr @fopen(ptr noalias noundef nonnull %path, ptr noalias noundef readnone captures(none) %mode) local_unnamed_addr #7 {
entry:
  %call = tail call i32 (ptr, i32, ...) @open(ptr noundef %path, i32 noundef 524288) #15
  store i32 %call, ptr @stream, align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 16), align 8
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @stream, i64 8), align 8
  %cmp = icmp slt i32 %call, 0
  %cond = select i1 %cmp, ptr null, ptr @stream
  ret ptr %cond
}

define i32 @fclose(ptr noundef nonnull readnone captures(none) %file) local_unnamed_addr #7 {
entry:
  %0 = load i32, ptr @stream, align 8
  %conv.i = sext i32 %0 to i64
  %1 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 57, i64 0, i64 0, i64 0, i64 0, i64 0, i64 %conv.i) #14
  %conv1.i = trunc i64 %1 to i32
  ret i32 %conv1.i
}

define noundef ptr @fgets(ptr noalias noundef captures(ret: address, provenance) %line, i32 noundef %room, ptr noalias noundef nonnull readnone captures(none) %file) local_unnamed_addr #7 {
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
  %5 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 63, i64 ptrtoint (ptr getelementptr inbounds nuw (i8, ptr @stream, i64 24) to i64), i64 4096, i64 0, i64 0, i64 0, i64 %conv.i) #14
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

define i64 @syscall(i64 noundef %number, ...) local_unnamed_addr #7 {
entry:
  %arguments = alloca [6 x i64], align 8
  %values = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %arguments) #14
  call void @llvm.lifetime.start.p0(ptr nonnull %values) #14
  call void @llvm.va_start.p0(ptr nonnull %values)
  %gr_offs_p = getelementptr inbounds nuw i8, ptr %values, i64 24
  %gr_offs_p.promoted = load i32, ptr %gr_offs_p, align 8
  %values.promoted = load ptr, ptr %values, align 8
  %reg_top_p = getelementptr inbounds nuw i8, ptr %values, i64 8
  %reg_top = load ptr, ptr %reg_top_p, align 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %vaarg.end
  call void @llvm.va_end.p0(ptr nonnull %values)
  %0 = load i64, ptr %arguments, align 8
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %arguments, i64 8
  %1 = load i64, ptr %arrayidx1.i, align 8
  %arrayidx2.i = getelementptr inbounds nuw i8, ptr %arguments, i64 16
  %2 = load i64, ptr %arrayidx2.i, align 8
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %arguments, i64 24
  %3 = load i64, ptr %arrayidx3.i, align 8
  %arrayidx4.i = getelementptr inbounds nuw i8, ptr %arguments, i64 32
  %4 = load i64, ptr %arrayidx4.i, align 8
  %arrayidx5.i = getelementptr inbounds nuw i8, ptr %arguments, i64 40
  %5 = load i64, ptr %arrayidx5.i, align 8
  %6 = call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 %number, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, i64 %0) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %values) #14
  call void @llvm.lifetime.end.p0(ptr nonnull %arguments) #14
  ret i64 %6

for.body:                                         ; preds = %entry, %vaarg.end
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %vaarg.end ]
  %gr_offs59 = phi i32 [ %gr_offs_p.promoted, %entry ], [ %gr_offs3, %vaarg.end ]
  %stack78 = phi ptr [ %values.promoted, %entry ], [ %stack6, %vaarg.end ]
  %7 = icmp sgt i32 %gr_offs59, -1
  br i1 %7, label %vaarg.on_stack, label %vaarg.maybe_reg

vaarg.maybe_reg:                                  ; preds = %for.body
  %new_reg_offs = add nsw i32 %gr_offs59, 8
  store i32 %new_reg_offs, ptr %gr_offs_p, align 8
  %inreg = icmp samesign ult i32 %gr_offs59, -7
  br i1 %inreg, label %vaarg.in_reg, label %vaarg.on_stack

vaarg.in_reg:                                     ; preds = %vaarg.maybe_reg
  %8 = sext i32 %gr_offs59 to i64
  %9 = getelementptr inbounds i8, ptr %reg_top, i64 %8
  br label %vaarg.end

vaarg.on_stack:                                   ; preds = %vaarg.maybe_reg, %for.body
  %gr_offs4 = phi i32 [ %new_reg_offs, %vaarg.maybe_reg ], [ %gr_offs59, %for.body ]
  %new_stack = getelementptr inbounds nuw i8, ptr %stack78, i64 8
  store ptr %new_stack, ptr %values, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.on_stack, %vaarg.in_reg
  %stack6 = phi ptr [ %stack78, %vaarg.in_reg ], [ %new_stack, %vaarg.on_stack ]
  %gr_offs3 = phi i32 [ %new_reg_offs, %vaarg.in_reg ], [ %gr_offs4, %vaarg.on_stack ]
  %vaargs.addr = phi ptr [ %9, %vaarg.in_reg ], [ %stack78, %vaarg.on_stack ]
  %10 = load i64, ptr %vaargs.addr, align 8
  %arrayidx = getelementptr inbounds nuw i64, ptr %arguments, i64 %indvars.iv
  store i64 %10, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 6
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define range(i32 0, 12) i32 @pthread_create(ptr noalias noundef nonnull writeonly captures(none) %thread, ptr noalias noundef readnone captures(none) %options, ptr noundef nonnull %function, ptr noalias noundef %argument) local_unnamed_addr #7 {
entry:
  %0 = tail call i64 asm sideeffect "svc #0", "={x0},{x8},{x1},{x2},{x3},{x4},{x5},{x0},~{memory}"(i64 222, i64 1048576, i64 3, i64 34, i64 -1, i64 0, i64 0) #14
  %or.cond.i = icmp ugt i64 %0, -4096
  br i1 %or.cond.i, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %1 = inttoptr i64 %0 to ptr
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %1, i64 1048560
  store ptr %function, ptr %add.ptr1, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %1, i64 1048568
  store ptr %argument, ptr %arrayidx2, align 8
  store i64 0, ptr %thread, align 8
  %call3 = tail call i64 @tw_spawn(i64 noundef 69376, ptr noundef nonnull %add.ptr1) #13
  %cmp4 = icmp slt i64 %call3, 0
  %cond = select i1 %cmp4, i32 11, i32 0
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i32 [ %cond, %if.end ], [ 11, %entry ]
  ret i32 %retval.0
}

declare hidden i64 @tw_spawn(i64 noundef, ptr noundef) local_unnamed_addr #2

define noundef i32 @pthread_detach(i64 noundef %thread) local_unnamed_addr #10 {
entry:
  ret i32 0
}

declare i64 @llvm.abs.i64(i64, i1 immarg) #11


attributes #0 = { noreturn nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-builtins" }
attributes #3 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "no-builtins" }
attributes #4 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "no-builtins" }
attributes #5 = { nofree norecurse nosync nounwind memory(argmem: write) "no-builtins" }
attributes #6 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "no-builtins" }
attributes #7 = { nounwind "no-builtins" }
attributes #8 = { nofree norecurse nosync nounwind "no-builtins" }
attributes #9 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #10 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #11 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #12 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #13 = { nobuiltin nounwind "no-builtins" }
attributes #14 = { nounwind }
attributes #15 = { nobuiltin "no-builtins" }
