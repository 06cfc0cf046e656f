; Generated from runtime/native/processor.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_mask = type { i32, i32, i32, i32, i32 }
@__tw_processor = local_unnamed_addr global i32 -1, align 4
@tw_processor_masks = external hidden local_unnamed_addr constant [0 x %struct.tw_mask], align 4
define hidden i32 @tw_processor() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %registers.i.i.i = alloca [4 x i32], align 16
  %registers.i.i = alloca [4 x i32], align 16
  %1 = load atomic i32, ptr @__tw_processor monotonic, align 4
  %cmp = icmp sgt i32 %1, -1
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %.pr.i = load i32, ptr @tw_processor_masks, align 4
  br label %for.cond.i
for.cond.i:
  %2 = phi i32 [ %13, %value_at.exit.i ], [ %.pr.i, %if.end ]
  %lacking.0.i = phi i32 [ %spec.select.i, %value_at.exit.i ], [ 0, %if.end ]
  %best.0.i = phi i32 [ %best.1.i, %value_at.exit.i ], [ 0, %if.end ]
  %incdec.ptr.sink.i = phi ptr [ %arrayidx.i, %value_at.exit.i ], [ @tw_processor_masks, %if.end ]
  %cmp.not.i = icmp eq i32 %2, 0
  br i1 %cmp.not.i, label %found.exit, label %for.body.i
for.body.i:
  %place.i.i = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink.i, i64 12
  %3 = load i32, ptr %place.i.i, align 4
  %cmp.i.i = icmp eq i32 %3, 4
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i
if.then.i.i:
  call fastcc void @cpuid(i32 noundef 1, i32 noundef 0, ptr noundef %registers.i.i.i)
  %arrayidx.i.i.i = getelementptr inbounds nuw i8, ptr %registers.i.i.i, i64 8
  %4 = load i32, ptr %arrayidx.i.i.i, align 8
  %5 = and i32 %4, 134217728
  %cmp.i.i.i = icmp eq i32 %5, 0
  br i1 %cmp.i.i.i, label %saved_registers.exit.i.i, label %if.end.i.i.i
if.end.i.i.i:
  %6 = tail call { i32, i32 } asm sideeffect ".byte 0x0f, 0x01, 0xd0", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0)
  %asmresult.i.i.i = extractvalue { i32, i32 } %6, 0
  br label %saved_registers.exit.i.i
saved_registers.exit.i.i:
  %.sink.i.i.i = phi i32 [ %asmresult.i.i.i, %if.end.i.i.i ], [ 0, %if.then.i.i ]
  br label %value_at.exit.i
if.end.i.i:
  %leaf.i.i = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink.i, i64 4
  %7 = load i32, ptr %leaf.i.i, align 4
  %and.i.i = and i32 %7, -2147483648
  call fastcc void @cpuid(i32 noundef %and.i.i, i32 noundef 0, ptr noundef %registers.i.i)
  %8 = load i32, ptr %registers.i.i, align 16
  %cmp2.i.i = icmp ult i32 %8, %7
  br i1 %cmp2.i.i, label %value_at.exit.i, label %if.end4.i.i
if.end4.i.i:
  %subleaf.i.i = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink.i, i64 8
  %9 = load i32, ptr %subleaf.i.i, align 4
  %cmp5.not.i.i = icmp eq i32 %9, 0
  br i1 %cmp5.not.i.i, label %if.end14.i.i, label %if.then6.i.i
if.then6.i.i:
  call fastcc void @cpuid(i32 noundef %7, i32 noundef 0, ptr noundef %registers.i.i)
  %10 = load i32, ptr %registers.i.i, align 16
  %cmp11.i.i = icmp ult i32 %10, %9
  br i1 %cmp11.i.i, label %value_at.exit.i, label %if.end14.i.i
if.end14.i.i:
  call fastcc void @cpuid(i32 noundef %7, i32 noundef %9, ptr noundef %registers.i.i)
  %idxprom.i.i = zext i32 %3 to i64
  %arrayidx19.i.i = getelementptr inbounds nuw i32, ptr %registers.i.i, i64 %idxprom.i.i
  %11 = load i32, ptr %arrayidx19.i.i, align 4
  br label %value_at.exit.i
value_at.exit.i:
  %.sink.i.i = phi i32 [ %11, %if.end14.i.i ], [ 0, %if.end.i.i ], [ %.sink.i.i.i, %saved_registers.exit.i.i ], [ 0, %if.then6.i.i ]
  %mask.i = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink.i, i64 16
  %12 = load i32, ptr %mask.i, align 4
  %and.i = and i32 %12, %.sink.i.i
  %cmp2.not.i = icmp eq i32 %and.i, %12
  %spec.select.i = select i1 %cmp2.not.i, i32 %lacking.0.i, i32 %2
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %incdec.ptr.sink.i, i64 20
  %13 = load i32, ptr %arrayidx.i, align 4
  %cmp6.not.i = icmp eq i32 %13, %2
  %cmp8.not.i = icmp eq i32 %spec.select.i, %2
  %or.cond.i = select i1 %cmp6.not.i, i1 true, i1 %cmp8.not.i
  %best.1.i = select i1 %or.cond.i, i32 %best.0.i, i32 %2
  br label %for.cond.i
found.exit:
  store atomic i32 %best.0.i, ptr @__tw_processor monotonic, align 4
  br label %cleanup
cleanup:
  %known.0 = phi i32 [ %1, %0 ], [ %best.0.i, %found.exit ]
  ret i32 %known.0
}
define internal fastcc void @cpuid(i32 noundef %leaf, i32 noundef %subleaf, ptr noundef nonnull writeonly captures(none) initializes((0, 16)) %registers) unnamed_addr minsize nounwind optsize "no-builtins" {
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %registers, i64 4
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %registers, i64 8
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %registers, i64 12
  %1 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 %leaf, i32 %subleaf)
  %asmresult = extractvalue { i32, i32, i32, i32 } %1, 0
  %asmresult4 = extractvalue { i32, i32, i32, i32 } %1, 1
  %asmresult5 = extractvalue { i32, i32, i32, i32 } %1, 2
  %asmresult6 = extractvalue { i32, i32, i32, i32 } %1, 3
  store i32 %asmresult, ptr %registers, align 4
  store i32 %asmresult4, ptr %arrayidx1, align 4
  store i32 %asmresult5, ptr %arrayidx2, align 4
  store i32 %asmresult6, ptr %arrayidx3, align 4
  ret void
}
