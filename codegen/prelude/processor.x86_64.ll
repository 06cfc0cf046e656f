; Generated from runtime/native/processor.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.tw_mask = type { i32, i32, i32, i32, i32 }

@__tw_processor = local_unnamed_addr global i32 -1, align 4
@tw_processor_masks = external hidden local_unnamed_addr constant [0 x %struct.tw_mask], align 4

define hidden i32 @tw_processor() local_unnamed_addr #0 {
entry:
  %registers.i.i = alloca [4 x i32], align 16
  %0 = load atomic i32, ptr @__tw_processor monotonic, align 4
  %cmp = icmp sgt i32 %0, -1
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %.pr.i = load i32, ptr @tw_processor_masks, align 4
  %cmp.not21.i = icmp eq i32 %.pr.i, 0
  br i1 %cmp.not21.i, label %found.exit, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %if.end
  %arrayidx1.i.i.i = getelementptr inbounds nuw i8, ptr %registers.i.i, i64 4
  %arrayidx2.i.i.i = getelementptr inbounds nuw i8, ptr %registers.i.i, i64 8
  %arrayidx3.i.i.i = getelementptr inbounds nuw i8, ptr %registers.i.i, i64 12
  br label %for.body.i

for.body.i:                                       ; preds = %value_at.exit.i, %for.body.lr.ph.i
  %row.024.i = phi ptr [ @tw_processor_masks, %for.body.lr.ph.i ], [ %arrayidx.i, %value_at.exit.i ]
  %lacking.023.i = phi i32 [ 0, %for.body.lr.ph.i ], [ %spec.select.i, %value_at.exit.i ]
  %best.022.i = phi i32 [ 0, %for.body.lr.ph.i ], [ %best.1.i, %value_at.exit.i ]
  %1 = phi i32 [ %.pr.i, %for.body.lr.ph.i ], [ %13, %value_at.exit.i ]
  call void @llvm.lifetime.start.p0(ptr nonnull %registers.i.i) #2
  %place.i.i = getelementptr inbounds nuw i8, ptr %row.024.i, i64 12
  %2 = load i32, ptr %place.i.i, align 4
  %cmp.i.i = icmp eq i32 %2, 4
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %for.body.i
  %3 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 1, i32 0) #2
  %asmresult5.i.i.i.i = extractvalue { i32, i32, i32, i32 } %3, 2
  %4 = and i32 %asmresult5.i.i.i.i, 134217728
  %cmp.i.i.i = icmp eq i32 %4, 0
  br i1 %cmp.i.i.i, label %value_at.exit.i, label %if.end.i.i.i

if.end.i.i.i:                                     ; preds = %if.then.i.i
  %5 = tail call { i32, i32 } asm sideeffect ".byte 0x0f, 0x01, 0xd0", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0) #2
  %asmresult.i.i.i = extractvalue { i32, i32 } %5, 0
  br label %value_at.exit.i

if.end.i.i:                                       ; preds = %for.body.i
  %leaf.i.i = getelementptr inbounds nuw i8, ptr %row.024.i, i64 4
  %6 = load i32, ptr %leaf.i.i, align 4
  %and.i.i = and i32 %6, -2147483648
  %7 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 %and.i.i, i32 0) #2
  %asmresult.i28.i.i = extractvalue { i32, i32, i32, i32 } %7, 0
  %cmp2.i.i = icmp ult i32 %asmresult.i28.i.i, %6
  br i1 %cmp2.i.i, label %value_at.exit.i, label %if.end4.i.i

if.end4.i.i:                                      ; preds = %if.end.i.i
  %subleaf.i.i = getelementptr inbounds nuw i8, ptr %row.024.i, i64 8
  %8 = load i32, ptr %subleaf.i.i, align 4
  %cmp5.not.i.i = icmp eq i32 %8, 0
  br i1 %cmp5.not.i.i, label %if.end14.i.i, label %if.then6.i.i

if.then6.i.i:                                     ; preds = %if.end4.i.i
  %9 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 %6, i32 0) #2
  %asmresult.i32.i.i = extractvalue { i32, i32, i32, i32 } %9, 0
  %cmp11.i.i = icmp ult i32 %asmresult.i32.i.i, %8
  br i1 %cmp11.i.i, label %value_at.exit.i, label %if.end14.i.i

if.end14.i.i:                                     ; preds = %if.then6.i.i, %if.end4.i.i
  %10 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 %6, i32 %8) #2
  %asmresult.i39.i.i = extractvalue { i32, i32, i32, i32 } %10, 0
  %asmresult4.i40.i.i = extractvalue { i32, i32, i32, i32 } %10, 1
  %asmresult5.i41.i.i = extractvalue { i32, i32, i32, i32 } %10, 2
  %asmresult6.i42.i.i = extractvalue { i32, i32, i32, i32 } %10, 3
  store i32 %asmresult.i39.i.i, ptr %registers.i.i, align 16
  store i32 %asmresult4.i40.i.i, ptr %arrayidx1.i.i.i, align 4
  store i32 %asmresult5.i41.i.i, ptr %arrayidx2.i.i.i, align 8
  store i32 %asmresult6.i42.i.i, ptr %arrayidx3.i.i.i, align 4
  %idxprom.i.i = zext i32 %2 to i64
  %arrayidx19.i.i = getelementptr inbounds nuw i32, ptr %registers.i.i, i64 %idxprom.i.i
  %11 = load i32, ptr %arrayidx19.i.i, align 4
  br label %value_at.exit.i

value_at.exit.i:                                  ; preds = %if.end14.i.i, %if.then6.i.i, %if.end.i.i, %if.end.i.i.i, %if.then.i.i
  %retval.0.i.i = phi i32 [ 0, %if.then6.i.i ], [ %11, %if.end14.i.i ], [ 0, %if.end.i.i ], [ %asmresult.i.i.i, %if.end.i.i.i ], [ 0, %if.then.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %registers.i.i) #2
  %mask.i = getelementptr inbounds nuw i8, ptr %row.024.i, i64 16
  %12 = load i32, ptr %mask.i, align 4
  %and.i = and i32 %12, %retval.0.i.i
  %cmp2.not.i = icmp eq i32 %and.i, %12
  %spec.select.i = select i1 %cmp2.not.i, i32 %lacking.023.i, i32 %1
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %row.024.i, i64 20
  %13 = load i32, ptr %arrayidx.i, align 4
  %cmp6.not.i = icmp eq i32 %13, %1
  %cmp8.not.i = icmp eq i32 %spec.select.i, %1
  %or.cond.i = select i1 %cmp6.not.i, i1 true, i1 %cmp8.not.i
  %best.1.i = select i1 %or.cond.i, i32 %best.022.i, i32 %1
  %cmp.not.i = icmp eq i32 %13, 0
  br i1 %cmp.not.i, label %found.exit, label %for.body.i

found.exit:                                       ; preds = %value_at.exit.i, %if.end
  %best.0.lcssa.i = phi i32 [ 0, %if.end ], [ %best.1.i, %value_at.exit.i ]
  store atomic i32 %best.0.lcssa.i, ptr @__tw_processor monotonic, align 4
  br label %cleanup

cleanup:                                          ; preds = %entry, %found.exit
  %retval.0 = phi i32 [ %best.0.lcssa.i, %found.exit ], [ %0, %entry ]
  ret i32 %retval.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }
