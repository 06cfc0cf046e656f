; Generated from runtime/native/bundle.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_model = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32 }
@tw_name = external hidden constant [0 x i8], align 1
@tw_signature = external hidden constant [0 x i8], align 1
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@__tw_default_threads = external global i32, align 4
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_outputs = external hidden local_unnamed_addr constant i32, align 4
define ptr @__tw_create() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %model = alloca %struct.tw_model, align 8
  store ptr @tw_name, ptr %model, align 8
  %signature = getelementptr inbounds nuw i8, ptr %model, i64 8
  store ptr @tw_signature, ptr %signature, align 8
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  store ptr @tw_specs, ptr %specs, align 8
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  store ptr null, ptr %expressions, align 8
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  store ptr null, ptr %states, align 8
  %threads = getelementptr inbounds nuw i8, ptr %model, i64 40
  store ptr @__tw_default_threads, ptr %threads, align 8
  %run = getelementptr inbounds nuw i8, ptr %model, i64 48
  store ptr null, ptr %run, align 8
  %run_allocating = getelementptr inbounds nuw i8, ptr %model, i64 56
  store ptr @__tw_main_allocating, ptr %run_allocating, align 8
  %output_shapes = getelementptr inbounds nuw i8, ptr %model, i64 64
  store ptr null, ptr %output_shapes, align 8
  %choose = getelementptr inbounds nuw i8, ptr %model, i64 72
  %cmp = icmp eq ptr @__tw_choose, null
  %cond = select i1 %cmp, ptr null, ptr @choose
  store ptr %cond, ptr %choose, align 8
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  store ptr @report, ptr %report, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr @tw_inputs, align 4
  store i32 %1, ptr %inputs, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %model, i64 92
  %2 = load i32, ptr @tw_arguments, align 4
  store i32 %2, ptr %arguments, align 4
  %outputs = getelementptr inbounds nuw i8, ptr %model, i64 96
  %3 = load i32, ptr @tw_outputs, align 4
  store i32 %3, ptr %outputs, align 8
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  store i32 0, ptr %state_count, align 4
  %call = call ptr @tw_create_executor(ptr noundef nonnull %model)
  ret ptr %call
}
define internal signext range(i32 -1, 1) i32 @choose(ptr noundef %inputs, i32 noundef signext %count, ptr noundef writeonly captures(none) %outputs) minsize nounwind optsize "no-builtins" {
  %program = alloca ptr, align 8
  %call = call signext i32 @__tw_choose(ptr noundef %inputs, i32 noundef signext %count, ptr noundef nonnull %program)
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %1 = load ptr, ptr %program, align 8
  %specs = getelementptr inbounds nuw i8, ptr %1, i64 48
  %2 = load ptr, ptr %specs, align 8
  %inputs1 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %3 = load i32, ptr %inputs1, align 8
  %idx.ext = sext i32 %3 to i64
  %add.ptr = getelementptr inbounds %struct.tw_spec, ptr %2, i64 %idx.ext
  store ptr %add.ptr, ptr %outputs, align 8
  br label %cleanup
cleanup:
  %.sink = phi i32 [ 0, %if.end ], [ -1, %0 ]
  ret i32 %.sink
}
define internal void @report(ptr noundef %kind, ptr noundef %message) minsize nounwind optsize "no-builtins" {
  %call = tail call signext i32 @tw_fail(ptr noundef %kind, ptr noundef %message)
  ret void
}
declare signext i32 @__tw_main_allocating(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef)
declare extern_weak hidden signext i32 @__tw_choose(ptr noundef, i32 noundef signext, ptr noundef)
declare hidden ptr @tw_create_executor(ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
