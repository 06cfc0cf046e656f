; Generated from runtime/native/states.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.tw_expression = type { ptr, ptr, ptr, i64, i64, i64, i32 }
%struct.tw_state = type { i32, i32, i32, i32, i64 }
%struct.tw_model = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32 }
@tw_name = external hidden constant [0 x i8], align 1
@tw_signature = external hidden constant [0 x i8], align 1
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@tw_expressions = external hidden constant [0 x %struct.tw_expression], align 8
@tw_states = external hidden constant [0 x %struct.tw_state], align 8
@__tw_default_threads = external global i32, align 4
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_state_count = external hidden local_unnamed_addr constant i32, align 4
define signext i32 @__tvm_ffi_session(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %model = alloca %struct.tw_model, align 8
  store ptr @tw_name, ptr %model, align 8
  %signature = getelementptr inbounds nuw i8, ptr %model, i64 8
  store ptr @tw_signature, ptr %signature, align 8
  %specs = getelementptr inbounds nuw i8, ptr %model, i64 16
  store ptr @tw_specs, ptr %specs, align 8
  %expressions = getelementptr inbounds nuw i8, ptr %model, i64 24
  store ptr @tw_expressions, ptr %expressions, align 8
  %states = getelementptr inbounds nuw i8, ptr %model, i64 32
  store ptr @tw_states, ptr %states, align 8
  %threads = getelementptr inbounds nuw i8, ptr %model, i64 40
  store ptr @__tw_default_threads, ptr %threads, align 8
  %run = getelementptr inbounds nuw i8, ptr %model, i64 48
  store ptr @__tw_main_threads, ptr %run, align 8
  %run_allocating = getelementptr inbounds nuw i8, ptr %model, i64 56
  store ptr @__tw_main_allocating, ptr %run_allocating, align 8
  %output_shapes = getelementptr inbounds nuw i8, ptr %model, i64 64
  store ptr @__tw_output_shapes, ptr %output_shapes, align 8
  %choose = getelementptr inbounds nuw i8, ptr %model, i64 72
  store ptr null, ptr %choose, align 8
  %report = getelementptr inbounds nuw i8, ptr %model, i64 80
  store ptr @report, ptr %report, align 8
  %inputs = getelementptr inbounds nuw i8, ptr %model, i64 88
  %1 = load i32, ptr @tw_inputs, align 4
  store i32 %1, ptr %inputs, align 8
  %arguments = getelementptr inbounds nuw i8, ptr %model, i64 92
  %2 = load i32, ptr @tw_arguments, align 4
  store i32 %2, ptr %arguments, align 4
  %outputs = getelementptr inbounds nuw i8, ptr %model, i64 96
  store i32 0, ptr %outputs, align 8
  %state_count = getelementptr inbounds nuw i8, ptr %model, i64 100
  %3 = load i32, ptr @tw_state_count, align 4
  store i32 %3, ptr %state_count, align 4
  %call = call signext i32 @tw_begin_session(ptr noundef nonnull %model, ptr noundef %args, i32 noundef signext %count, ptr noundef %result)
  ret i32 %call
}
define internal void @report(ptr noundef %kind, ptr noundef %message) minsize nounwind optsize "no-builtins" {
  %call = tail call signext i32 @tw_fail(ptr noundef %kind, ptr noundef %message)
  ret void
}
define noundef nonnull ptr @__tw_states(ptr noundef writeonly captures(none) initializes((0, 4)) %count) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_state_count, align 4
  store i32 %1, ptr %count, align 4
  ret ptr @tw_states
}
declare signext i32 @__tw_main_threads(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef)
declare signext i32 @__tw_main_allocating(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef)
declare signext i32 @__tw_output_shapes(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef)
declare hidden signext i32 @tw_begin_session(ptr noundef, ptr noundef, i32 noundef signext, ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
