; Generated from runtime/native/device.c by `make prelude`; do not edit.
; ziglang 0.17.1
%struct.driver = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.tw_device_kernel = type { ptr, [3 x i32], i32 }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%union.tw_slot = type { ptr }
@is_open = internal unnamed_addr global i8 0, align 1
@lanes = internal global [8 x ptr] zeroinitializer, align 64
@driver = internal global %struct.driver zeroinitializer, align 8
@tw_device_most_blocks = external hidden local_unnamed_addr constant [3 x i64], align 8
@tw_device_kernels = external hidden local_unnamed_addr constant [0 x %struct.tw_device_kernel], align 8
@kernels = internal unnamed_addr global ptr null, align 8
@__tw_device_library = local_unnamed_addr global ptr null, align 8
@tw_device_driver = external hidden local_unnamed_addr constant i32, align 4
@context = internal global ptr null, align 8
@device_number = internal global i32 0, align 4
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@tw_device_most_buffers = external hidden local_unnamed_addr constant i32, align 4
@lock = internal global i32 0, align 4
@weights = internal global i64 0, align 8
@module = internal global ptr null, align 8
@.str = private unnamed_addr constant [8 x i8] c"%s (%d)\00", align 1
@.str.1 = private unnamed_addr constant [18 x i8] c"an unknown status\00", align 1
@.str.2 = private unnamed_addr constant [25 x i8] c"%s: %s fails\0A    got: %s\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@NAMES = internal unnamed_addr constant [28 x [2 x ptr]] [[2 x ptr] [ptr @.str.5, ptr @.str.6], [2 x ptr] [ptr @.str.7, ptr @.str.8], [2 x ptr] [ptr @.str.9, ptr @.str.10], [2 x ptr] [ptr @.str.11, ptr @.str.12], [2 x ptr] [ptr @.str.13, ptr @.str.14], [2 x ptr] [ptr @.str.15, ptr @.str.16], [2 x ptr] [ptr @.str.17, ptr @.str.18], [2 x ptr] [ptr @.str.19, ptr @.str.20], [2 x ptr] [ptr @.str.21, ptr @.str.22], [2 x ptr] [ptr @.str.23, ptr @.str.24], [2 x ptr] [ptr @.str.25, ptr @.str.26], [2 x ptr] [ptr @.str.27, ptr @.str.28], [2 x ptr] [ptr @.str.29, ptr @.str.30], [2 x ptr] [ptr @.str.31, ptr @.str.32], [2 x ptr] [ptr @.str.33, ptr @.str.34], [2 x ptr] [ptr @.str.35, ptr @.str.36], [2 x ptr] [ptr @.str.37, ptr @.str.38], [2 x ptr] [ptr @.str.39, ptr @.str.40], [2 x ptr] [ptr @.str.41, ptr @.str.42], [2 x ptr] [ptr @.str.43, ptr null], [2 x ptr] [ptr null, ptr @.str.44], [2 x ptr] [ptr @.str.45, ptr @.str.46], [2 x ptr] [ptr @.str.47, ptr null], [2 x ptr] [ptr @.str.48, ptr null], [2 x ptr] [ptr @.str.49, ptr null], [2 x ptr] [ptr @.str.50, ptr null], [2 x ptr] [ptr null, ptr @.str.51], [2 x ptr] [ptr null, ptr @.str.52]], align 8
@.str.3 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.4 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.5 = private unnamed_addr constant [7 x i8] c"cuInit\00", align 1
@.str.6 = private unnamed_addr constant [8 x i8] c"hipInit\00", align 1
@.str.7 = private unnamed_addr constant [15 x i8] c"cuGetErrorName\00", align 1
@.str.8 = private unnamed_addr constant [19 x i8] c"hipDrvGetErrorName\00", align 1
@.str.9 = private unnamed_addr constant [12 x i8] c"cuDeviceGet\00", align 1
@.str.10 = private unnamed_addr constant [13 x i8] c"hipDeviceGet\00", align 1
@.str.11 = private unnamed_addr constant [15 x i8] c"cuStreamCreate\00", align 1
@.str.12 = private unnamed_addr constant [25 x i8] c"hipStreamCreateWithFlags\00", align 1
@.str.13 = private unnamed_addr constant [20 x i8] c"cuStreamSynchronize\00", align 1
@.str.14 = private unnamed_addr constant [21 x i8] c"hipStreamSynchronize\00", align 1
@.str.15 = private unnamed_addr constant [19 x i8] c"cuStreamDestroy_v2\00", align 1
@.str.16 = private unnamed_addr constant [17 x i8] c"hipStreamDestroy\00", align 1
@.str.17 = private unnamed_addr constant [14 x i8] c"cuMemAlloc_v2\00", align 1
@.str.18 = private unnamed_addr constant [10 x i8] c"hipMalloc\00", align 1
@.str.19 = private unnamed_addr constant [13 x i8] c"cuMemFree_v2\00", align 1
@.str.20 = private unnamed_addr constant [8 x i8] c"hipFree\00", align 1
@.str.21 = private unnamed_addr constant [21 x i8] c"cuMemcpyHtoDAsync_v2\00", align 1
@.str.22 = private unnamed_addr constant [19 x i8] c"hipMemcpyHtoDAsync\00", align 1
@.str.23 = private unnamed_addr constant [21 x i8] c"cuMemcpyDtoHAsync_v2\00", align 1
@.str.24 = private unnamed_addr constant [19 x i8] c"hipMemcpyDtoHAsync\00", align 1
@.str.25 = private unnamed_addr constant [21 x i8] c"cuMemcpyDtoDAsync_v2\00", align 1
@.str.26 = private unnamed_addr constant [19 x i8] c"hipMemcpyDtoDAsync\00", align 1
@.str.27 = private unnamed_addr constant [20 x i8] c"cuModuleGetFunction\00", align 1
@.str.28 = private unnamed_addr constant [21 x i8] c"hipModuleGetFunction\00", align 1
@.str.29 = private unnamed_addr constant [15 x i8] c"cuLaunchKernel\00", align 1
@.str.30 = private unnamed_addr constant [22 x i8] c"hipModuleLaunchKernel\00", align 1
@.str.31 = private unnamed_addr constant [24 x i8] c"cuStreamBeginCapture_v2\00", align 1
@.str.32 = private unnamed_addr constant [22 x i8] c"hipStreamBeginCapture\00", align 1
@.str.33 = private unnamed_addr constant [19 x i8] c"cuStreamEndCapture\00", align 1
@.str.34 = private unnamed_addr constant [20 x i8] c"hipStreamEndCapture\00", align 1
@.str.35 = private unnamed_addr constant [28 x i8] c"cuGraphInstantiateWithFlags\00", align 1
@.str.36 = private unnamed_addr constant [29 x i8] c"hipGraphInstantiateWithFlags\00", align 1
@.str.37 = private unnamed_addr constant [14 x i8] c"cuGraphLaunch\00", align 1
@.str.38 = private unnamed_addr constant [15 x i8] c"hipGraphLaunch\00", align 1
@.str.39 = private unnamed_addr constant [15 x i8] c"cuGraphDestroy\00", align 1
@.str.40 = private unnamed_addr constant [16 x i8] c"hipGraphDestroy\00", align 1
@.str.41 = private unnamed_addr constant [19 x i8] c"cuGraphExecDestroy\00", align 1
@.str.42 = private unnamed_addr constant [20 x i8] c"hipGraphExecDestroy\00", align 1
@.str.43 = private unnamed_addr constant [19 x i8] c"cuModuleLoadDataEx\00", align 1
@.str.44 = private unnamed_addr constant [18 x i8] c"hipModuleLoadData\00", align 1
@.str.45 = private unnamed_addr constant [15 x i8] c"cuModuleUnload\00", align 1
@.str.46 = private unnamed_addr constant [16 x i8] c"hipModuleUnload\00", align 1
@.str.47 = private unnamed_addr constant [25 x i8] c"cuDevicePrimaryCtxRetain\00", align 1
@.str.48 = private unnamed_addr constant [20 x i8] c"cuCtxPushCurrent_v2\00", align 1
@.str.49 = private unnamed_addr constant [19 x i8] c"cuCtxPopCurrent_v2\00", align 1
@.str.50 = private unnamed_addr constant [19 x i8] c"cuFuncSetAttribute\00", align 1
@.str.51 = private unnamed_addr constant [13 x i8] c"hipGetDevice\00", align 1
@.str.52 = private unnamed_addr constant [13 x i8] c"hipSetDevice\00", align 1
@.str.53 = private unnamed_addr constant [48 x i8] c"%s: no memory of the host for a call on the GPU\00", align 1
@.str.54 = private unnamed_addr constant [51 x i8] c"the sizes of a call give kernel %s too many blocks\00", align 1
@.str.55 = private unnamed_addr constant [17 x i8] c"%lld, %lld, %lld\00", align 1
@.str.56 = private unnamed_addr constant [24 x i8] c"call with smaller sizes\00", align 1
@.str.57 = private unnamed_addr constant [36 x i8] c"%s: %s\0A    got: %.500s\0A    hint: %s\00", align 1
@.str.58 = private unnamed_addr constant [46 x i8] c"the process cannot open the driver of the GPU\00", align 1
@.str.59 = private unnamed_addr constant [19 x i8] c"no function dlopen\00", align 1
@.str.60 = private unnamed_addr constant [56 x i8] c"call the module from a program with a dynamic C library\00", align 1
@FILES = internal unnamed_addr constant [2 x [3 x ptr]] [[3 x ptr] [ptr @.str.65, ptr null, ptr null], [3 x ptr] [ptr @.str.66, ptr @.str.67, ptr @.str.68]], align 8
@.str.61 = private unnamed_addr constant [33 x i8] c"the driver of the GPU is missing\00", align 1
@.str.62 = private unnamed_addr constant [50 x i8] c"install the driver, or compile for another target\00", align 1
@.str.63 = private unnamed_addr constant [39 x i8] c"the driver of the GPU lacks a function\00", align 1
@.str.64 = private unnamed_addr constant [23 x i8] c"install a newer driver\00", align 1
@.str.65 = private unnamed_addr constant [13 x i8] c"libcuda.so.1\00", align 1
@.str.66 = private unnamed_addr constant [15 x i8] c"libamdhip64.so\00", align 1
@.str.67 = private unnamed_addr constant [17 x i8] c"libamdhip64.so.7\00", align 1
@.str.68 = private unnamed_addr constant [17 x i8] c"libamdhip64.so.6\00", align 1
@tw_device_kernel_count = external hidden local_unnamed_addr constant i32, align 4
@load_code.OPTIONS = internal constant [2 x i32] [i32 5, i32 6], align 4
@__tw_kernels_code = external constant [0 x i8], align 1
@.str.69 = private unnamed_addr constant [43 x i8] c"the driver refuses the code of the kernels\00", align 1
@.str.70 = private unnamed_addr constant [43 x i8] c"compile for the architecture of the device\00", align 1
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@__tw_weights = external local_unnamed_addr global ptr, align 8
@tw_symbol_count = external hidden local_unnamed_addr constant i32, align 4
@tw_device_arena_bytes = external hidden local_unnamed_addr constant i64, align 8
@tw_expression_count = external hidden local_unnamed_addr constant i32, align 4
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@tw_device_is_fixed = external hidden local_unnamed_addr constant i32, align 4
define hidden void @tw_release_device() local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %before = alloca i32, align 4
  store i32 0, ptr %before, align 4
  %0 = load i8, ptr @is_open, align 1
  %loadedv = trunc nuw i8 %0 to i1
  br i1 %loadedv, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %call = call fastcc signext i32 @enter_device(ptr noundef %before)
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %for.cond, label %cleanup
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %lor.lhs.false ]
  %cmp1 = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp1, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  call fastcc void @acquire()
  call fastcc void @close_program() cold
  call fastcc void @release()
  %1 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %1)
  br label %cleanup
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr @lanes, i64 %idxprom
  %2 = atomicrmw xchg ptr %arrayidx, i64 0 acq_rel, align 8
  %cmp2.not = icmp eq i64 %2, 0
  br i1 %cmp2.not, label %for.inc, label %if.then3
if.then3:
  %3 = inttoptr i64 %2 to ptr
  call fastcc void @free_lane(ptr noundef nonnull %3) cold
  br label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  ret void
}
define internal fastcc signext i32 @enter_device(ptr noundef nonnull %before) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 184), align 8
  %2 = load ptr, ptr @context, align 8
  %call = tail call signext i32 %1(ptr noundef %2)
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 23, i32 noundef signext %call)
  br label %return
if.end:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 208), align 8
  %call2 = tail call signext i32 %3(ptr noundef nonnull %before)
  %call3 = tail call fastcc signext i32 @checked(i64 noundef 26, i32 noundef signext %call2)
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %cond.false, label %return
cond.false:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 216), align 8
  %5 = load i32, ptr @device_number, align 4
  %call5 = tail call signext i32 %4(i32 noundef signext %5)
  %call6 = tail call fastcc signext i32 @checked(i64 noundef 27, i32 noundef signext %call5)
  br label %return
return:
  %cond.sink = phi i32 [ %call1, %if.then ], [ %call6, %cond.false ], [ %call3, %if.end ]
  ret i32 %cond.sink
}
define internal fastcc void @free_lane(ptr noundef initializes((80, 84)) %lane) unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  tail call fastcc void @drop_graph(ptr noundef %lane)
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 24
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %0 = load ptr, ptr %blocks, align 8
  %cmp.not = icmp eq ptr %0, null
  br i1 %cmp.not, label %for.end, label %land.rhs
land.rhs:
  %call = tail call fastcc signext i32 @block_count()
  %cmp1 = icmp slt i32 %inc.sink, %call
  br i1 %cmp1, label %for.body, label %for.end
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %0, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8
  %cmp3.not = icmp eq i64 %1, 0
  br i1 %cmp3.not, label %for.inc, label %if.then
if.then:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 56), align 8
  %call7 = tail call signext i32 %2(i64 noundef %1)
  br label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %stream = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %3 = load ptr, ptr %stream, align 8
  %cmp8.not = icmp eq ptr %3, null
  br i1 %cmp8.not, label %if.end12, label %if.then9
if.then9:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 40), align 8
  %call11 = tail call signext i32 %4(ptr noundef nonnull %3)
  br label %if.end12
if.end12:
  %5 = load ptr, ptr %blocks, align 8
  tail call void @free(ptr noundef %5)
  %bytes = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %6 = load ptr, ptr %bytes, align 8
  tail call void @free(ptr noundef %6)
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %7 = load ptr, ptr %addresses, align 8
  tail call void @free(ptr noundef %7)
  %fetched = getelementptr inbounds nuw i8, ptr %lane, i64 48
  %8 = load ptr, ptr %fetched, align 8
  tail call void @free(ptr noundef %8)
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %lane, i64 56
  %9 = load ptr, ptr %arrayidx16, align 8
  tail call void @free(ptr noundef %9)
  tail call void @free(ptr noundef nonnull %lane)
  ret void
}
define internal fastcc void @acquire() unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  br label %while.cond
while.cond:
  %0 = atomicrmw xchg ptr @lock, i32 1 acquire, align 4
  %cmp.not = icmp eq i32 %0, 0
  br i1 %cmp.not, label %while.end5, label %while.cond1
while.cond1:
  %1 = load atomic i32, ptr @lock monotonic, align 4
  %cmp3.not = icmp eq i32 %1, 0
  br i1 %cmp3.not, label %while.cond, label %while.cond1
while.end5:
  ret void
}
define internal fastcc void @close_program() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i64, ptr @weights, align 8
  %cmp.not = icmp eq i64 %0, 0
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 56), align 8
  %call = tail call signext i32 %1(i64 noundef %0)
  br label %if.end
if.end:
  %2 = load ptr, ptr @module, align 8
  %cmp1.not = icmp eq ptr %2, null
  br i1 %cmp1.not, label %if.end4, label %if.then2
if.then2:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 168), align 8
  %call3 = tail call signext i32 %3(ptr noundef nonnull %2)
  br label %if.end4
if.end4:
  %4 = load ptr, ptr @kernels, align 8
  tail call void @free(ptr noundef %4)
  store i64 0, ptr @weights, align 8
  store ptr null, ptr @module, align 8
  store ptr null, ptr @kernels, align 8
  store i8 0, ptr @is_open, align 1
  ret void
}
define internal fastcc void @release() unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  store atomic i32 0, ptr @lock release, align 4
  ret void
}
define internal fastcc void @leave_device(i32 noundef signext %before) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %popped = alloca ptr, align 8
  %0 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %if.then, label %if.else
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 192), align 8
  %call = call signext i32 %1(ptr noundef nonnull %popped)
  br label %if.end
if.else:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 216), align 8
  %call1 = tail call signext i32 %2(i32 noundef signext %before)
  br label %if.end
if.end:
  ret void
}
define hidden signext i32 @tw_device_copy(ptr noundef readonly captures(none) %device, ptr noundef %target, ptr noundef %source, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %cmp = icmp eq i64 %bytes, 0
  %cmp1 = icmp eq ptr %target, %source
  %or.cond = or i1 %cmp1, %cmp
  br i1 %or.cond, label %return, label %if.end
if.end:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 80), align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %target)
  %call2 = tail call fastcc i64 @number_of(ptr noundef %source)
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call3 = tail call signext i32 %0(i64 noundef %call, i64 noundef %call2, i64 noundef %bytes, ptr noundef %1)
  %call4 = tail call fastcc signext i32 @checked(i64 noundef 10, i32 noundef signext %call3)
  br label %return
return:
  %call4.sink = phi i32 [ %call4, %if.end ], [ 0, %entry ]
  ret i32 %call4.sink
}
define internal fastcc signext i32 @checked(i64 noundef range(i64 0, 28) %position, i32 noundef signext %status) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %cmp = icmp eq i32 %status, 0
  br i1 %cmp, label %cond.end, label %cond.false
cond.false:
  %call = tail call fastcc signext i32 @fail_call(i64 noundef %position, i32 noundef signext %status) cold
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call, %cond.false ], [ 0, %entry ]
  ret i32 %cond
}
define internal fastcc noundef i64 @number_of(ptr noundef %address) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = ptrtoint ptr %address to i64
  ret i64 %0
}
define hidden signext range(i32 -1, 1) i32 @tw_device_concat(ptr noundef readonly captures(none) %device, ptr noundef readonly captures(none) %addresses, i64 noundef %operands) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %arrayidx = getelementptr inbounds nuw i8, ptr %addresses, i64 8
  %0 = load ptr, ptr %arrayidx, align 8
  %1 = load i64, ptr %0, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %2 = load i64, ptr %arrayidx2, align 8
  br label %for.cond
for.cond:
  %inc25.sink = phi i64 [ %inc25, %for.inc24 ], [ 0, %entry ]
  %cmp.not = icmp slt i64 %inc25.sink, %1
  br i1 %cmp.not, label %for.cond3, label %cleanup26
for.cond3:
  %inc.sink = phi i64 [ %inc, %for.body6 ], [ 0, %for.cond ]
  %cmp4.not = icmp slt i64 %inc.sink, %operands
  br i1 %cmp4.not, label %for.body6, label %for.inc24
for.body6:
  %.idx = shl nuw nsw i64 %inc.sink, 4
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 %.idx
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %4 = load i64, ptr %arrayidx7, align 8
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %5 = load i64, ptr %arrayidx10, align 8
  %6 = load ptr, ptr %addresses, align 8
  %mul12 = mul nsw i64 %inc25.sink, %2
  %add.ptr = getelementptr inbounds i8, ptr %6, i64 %mul12
  %add.ptr13 = getelementptr inbounds i8, ptr %add.ptr, i64 %4
  %7 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %inc.sink
  %arrayidx15 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %8 = load ptr, ptr %arrayidx15, align 8
  %mul16 = mul nsw i64 %5, %inc25.sink
  %add.ptr17 = getelementptr inbounds i8, ptr %8, i64 %mul16
  %call = tail call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %add.ptr13, ptr noundef %add.ptr17, i64 noundef %5)
  %cmp18.not = icmp eq i32 %call, 0
  %inc = add nuw nsw i64 %inc.sink, 1
  br i1 %cmp18.not, label %for.cond3, label %cleanup26
for.inc24:
  %inc25 = add nuw nsw i64 %inc25.sink, 1
  br label %for.cond
cleanup26:
  %spec.select = sext i1 %cmp.not to i32
  ret i32 %spec.select
}
define hidden signext i32 @tw_device_read(ptr noundef readonly captures(none) %device, ptr noundef %host, ptr noundef %address, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %cmp = icmp eq i64 %bytes, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 72), align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %address)
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call1 = tail call signext i32 %0(ptr noundef %host, i64 noundef %call, i64 noundef %bytes, ptr noundef %1)
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 9, i32 noundef signext %call1)
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %return
if.end5:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %3 = load ptr, ptr %stream, align 8
  %call7 = tail call signext i32 %2(ptr noundef %3)
  %call8 = tail call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call7)
  br label %return
return:
  %call8.sink = phi i32 [ %call8, %if.end5 ], [ 0, %entry ], [ -1, %if.end ]
  ret i32 %call8.sink
}
define hidden signext i32 @tw_device_write(ptr noundef readonly captures(none) %device, ptr noundef %address, ptr noundef %host, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %cmp = icmp eq i64 %bytes, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %address)
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call1 = tail call signext i32 %0(i64 noundef %call, ptr noundef %host, i64 noundef %bytes, ptr noundef %1)
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call1)
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %return
if.end5:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %3 = load ptr, ptr %stream, align 8
  %call7 = tail call signext i32 %2(ptr noundef %3)
  %call8 = tail call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call7)
  br label %return
return:
  %call8.sink = phi i32 [ %call8, %if.end5 ], [ 0, %entry ], [ -1, %if.end ]
  ret i32 %call8.sink
}
define hidden ptr @tw_device_fetch(ptr noundef captures(none) %device, i32 noundef signext %number, ptr noundef %address, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %fetched_bytes = getelementptr inbounds nuw i8, ptr %device, i64 64
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds i64, ptr %fetched_bytes, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8
  %cmp = icmp ult i64 %0, %bytes
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %fetched = getelementptr inbounds nuw i8, ptr %device, i64 48
  %arrayidx2 = getelementptr inbounds ptr, ptr %fetched, i64 %idxprom
  %1 = load ptr, ptr %arrayidx2, align 8
  tail call void @free(ptr noundef %1)
  %call = tail call noalias ptr @malloc(i64 noundef %bytes)
  store ptr %call, ptr %arrayidx2, align 8
  %cmp9 = icmp eq ptr %call, null
  %cond = select i1 %cmp9, i64 0, i64 %bytes
  store i64 %cond, ptr %arrayidx, align 8
  br label %if.end
if.end:
  %fetched13 = getelementptr inbounds nuw i8, ptr %device, i64 48
  %arrayidx15 = getelementptr inbounds ptr, ptr %fetched13, i64 %idxprom
  %2 = load ptr, ptr %arrayidx15, align 8
  %cmp16 = icmp eq ptr %2, null
  br i1 %cmp16, label %if.then17, label %if.end19
if.then17:
  %call18 = tail call fastcc signext i32 @fail_memory() cold
  br label %return
if.end19:
  %call23 = tail call signext i32 @tw_device_read(ptr noundef nonnull %device, ptr noundef nonnull %2, ptr noundef %address, i64 noundef %bytes)
  %cmp24 = icmp eq i32 %call23, 0
  br i1 %cmp24, label %cond.true25, label %return
cond.true25:
  %3 = load ptr, ptr %arrayidx15, align 8
  br label %return
return:
  %cond31.sink = phi ptr [ null, %if.then17 ], [ %3, %cond.true25 ], [ null, %if.end19 ]
  ret ptr %cond31.sink
}
define internal fastcc signext i32 @fail_memory() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.53, ptr noundef nonnull @tw_name)
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message)
  ret i32 %call2
}
define hidden signext i32 @tw_device_launch(ptr noundef readonly captures(none) %device, i32 noundef signext %kernel, ptr noundef %addresses, ptr noundef readonly captures(none) %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i64, ptr %numbers, align 8
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %return, label %lor.lhs.false
lor.lhs.false:
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %numbers, i64 8
  %1 = load i64, ptr %arrayidx1, align 8
  %cmp2 = icmp eq i64 %1, 0
  br i1 %cmp2, label %return, label %lor.lhs.false3
lor.lhs.false3:
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %numbers, i64 16
  %2 = load i64, ptr %arrayidx4, align 8
  %cmp5 = icmp eq i64 %2, 0
  br i1 %cmp5, label %return, label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %lor.lhs.false3 ]
  %cmp6 = icmp slt i32 %inc.sink, %buffers
  br i1 %cmp6, label %for.body, label %for.end
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom
  %3 = load ptr, ptr %arrayidx7, align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %3)
  %rem = and i64 %call, 15
  %cmp8.not = icmp eq i64 %rem, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp8.not, label %for.cond, label %cleanup
cleanup:
  %call10 = tail call fastcc signext i32 @launch_copies(ptr noundef %device, i32 noundef signext %kernel, ptr noundef nonnull %addresses, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef nonnull %numbers, i32 noundef signext %count) cold
  br label %return
for.end:
  %add = add nsw i32 %count, %buffers
  %4 = zext i32 %add to i64
  %5 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca ptr, i64 %4, align 8
  br label %for.cond13
for.cond13:
  %inc22.sink = phi i32 [ %inc22, %for.body16 ], [ 0, %for.end ]
  %cmp14 = icmp slt i32 %inc22.sink, %buffers
  br i1 %cmp14, label %for.body16, label %for.cond26
for.body16:
  %idxprom17 = zext nneg i32 %inc22.sink to i64
  %arrayidx18 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom17
  %arrayidx20 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom17
  store ptr %arrayidx18, ptr %arrayidx20, align 8
  %inc22 = add nuw nsw i32 %inc22.sink, 1
  br label %for.cond13
for.cond26:
  %inc36.sink = phi i32 [ %inc36, %for.body29 ], [ 3, %for.cond13 ]
  %cmp27 = icmp slt i32 %inc36.sink, %count
  br i1 %cmp27, label %for.body29, label %for.cond.cleanup28
for.cond.cleanup28:
  %6 = load i64, ptr %arrayidx1, align 8
  %7 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tw_device_most_blocks, i64 8), align 8
  %cmp.i = icmp sgt i64 %6, %7
  br i1 %cmp.i, label %exchange_large.exit, label %cond.false.i
cond.false.i:
  %8 = load i64, ptr %arrayidx4, align 8
  %9 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tw_device_most_blocks, i64 16), align 8
  %cmp4.i = icmp sgt i64 %8, %9
  %10 = select i1 %cmp4.i, i64 2, i64 0
  br label %exchange_large.exit
exchange_large.exit:
  %cond5.i = phi i64 [ %10, %cond.false.i ], [ 1, %for.cond.cleanup28 ]
  %11 = load i64, ptr %numbers, align 8
  %arrayidx7.i = getelementptr inbounds nuw i64, ptr %numbers, i64 %cond5.i
  %12 = load i64, ptr %arrayidx7.i, align 8
  store i64 %12, ptr %numbers, align 8
  store i64 %11, ptr %arrayidx7.i, align 8
  br label %for.cond39
for.body29:
  %idxprom30 = zext nneg i32 %inc36.sink to i64
  %arrayidx31 = getelementptr inbounds nuw i64, ptr %numbers, i64 %idxprom30
  %add32 = add nsw i32 %inc36.sink, %buffers
  %13 = sext i32 %add32 to i64
  %14 = getelementptr ptr, ptr %vla, i64 %13
  %arrayidx34 = getelementptr i8, ptr %14, i64 -24
  store ptr %arrayidx31, ptr %arrayidx34, align 8
  %inc36 = add nuw nsw i32 %inc36.sink, 1
  br label %for.cond26
for.cond39:
  %inc52.sink = phi i32 [ %inc52, %for.body42 ], [ 0, %exchange_large.exit ]
  %cmp40 = icmp samesign ugt i32 %inc52.sink, 2
  br i1 %cmp40, label %for.end55, label %for.body42
for.body42:
  %idxprom43 = zext nneg i32 %inc52.sink to i64
  %arrayidx44 = getelementptr inbounds nuw i64, ptr %numbers, i64 %idxprom43
  %15 = load i64, ptr %arrayidx44, align 8
  %arrayidx46 = getelementptr inbounds nuw i64, ptr @tw_device_most_blocks, i64 %idxprom43
  %16 = load i64, ptr %arrayidx46, align 8
  %cmp47 = icmp sgt i64 %15, %16
  %inc52 = add nuw nsw i32 %inc52.sink, 1
  br i1 %cmp47, label %cleanup53, label %for.cond39
cleanup53:
  %call49 = tail call fastcc signext i32 @fail_grid(i32 noundef signext %kernel, ptr noundef nonnull %numbers) cold
  br label %cleanup73
for.end55:
  %idxprom56 = sext i32 %kernel to i64
  %arrayidx57 = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom56
  %17 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 96), align 8
  %18 = load ptr, ptr @kernels, align 8
  %arrayidx59 = getelementptr inbounds ptr, ptr %18, i64 %idxprom56
  %19 = load ptr, ptr %arrayidx59, align 8
  %20 = load i64, ptr %numbers, align 8
  %conv = trunc i64 %20 to i32
  %21 = load i64, ptr %arrayidx1, align 8
  %conv62 = trunc i64 %21 to i32
  %22 = load i64, ptr %arrayidx4, align 8
  %conv64 = trunc i64 %22 to i32
  %block = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 8
  %23 = load i32, ptr %block, align 8
  %arrayidx67 = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 12
  %24 = load i32, ptr %arrayidx67, align 4
  %arrayidx69 = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 16
  %25 = load i32, ptr %arrayidx69, align 8
  %shared_bytes = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 20
  %26 = load i32, ptr %shared_bytes, align 4
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %27 = load ptr, ptr %stream, align 8
  %call70 = call signext i32 %17(ptr noundef %19, i32 noundef signext %conv, i32 noundef signext %conv62, i32 noundef signext %conv64, i32 noundef signext %23, i32 noundef signext %24, i32 noundef signext %25, i32 noundef signext %26, ptr noundef %27, ptr noundef nonnull %vla, ptr noundef null)
  %call71 = call fastcc signext i32 @checked(i64 noundef 12, i32 noundef signext %call70)
  br label %cleanup73
cleanup73:
  %retval.3 = phi i32 [ %call71, %for.end55 ], [ %call49, %cleanup53 ]
  call void @llvm.stackrestore.p0(ptr %5)
  br label %return
return:
  %retval.0 = phi i32 [ %call10, %cleanup ], [ %retval.3, %cleanup73 ], [ 0, %lor.lhs.false3 ], [ 0, %lor.lhs.false ], [ 0, %entry ]
  ret i32 %retval.0
}
define internal fastcc noundef signext range(i32 -1, 1) i32 @launch_copies(ptr noundef readonly captures(none) %device, i32 noundef signext %kernel, ptr noundef readonly captures(none) %addresses, ptr noundef readonly captures(none) %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %0 = zext i32 %buffers to i64
  %vla = alloca ptr, i64 %0, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %add, %if.end ], [ 0, %entry ]
  %cmp.not = icmp slt i32 %inc.sink, %buffers
  br i1 %cmp.not, label %for.body, label %for.end
for.body:
  %1 = load i32, ptr @tw_arguments, align 4
  %add = add nuw nsw i32 %inc.sink, 1
  %add1 = add i32 %add, %1
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %bytes, i64 %idxprom
  %2 = load i64, ptr %arrayidx, align 8
  %call = tail call fastcc signext i32 @reserve(ptr noundef %device, i32 noundef signext %add1, i64 noundef %2)
  %cmp2.not = icmp eq i32 %call, 0
  br i1 %cmp2.not, label %if.end, label %cleanup43
if.end:
  %blocks = getelementptr inbounds nuw i8, ptr %device, i64 24
  %3 = load ptr, ptr %blocks, align 8
  %idxprom3 = sext i32 %add1 to i64
  %arrayidx4 = getelementptr inbounds i64, ptr %3, i64 %idxprom3
  %4 = load i64, ptr %arrayidx4, align 8
  %5 = inttoptr i64 %4 to ptr
  %arrayidx6 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom
  store ptr %5, ptr %arrayidx6, align 8
  %arrayidx10 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom
  %6 = load ptr, ptr %arrayidx10, align 8
  %7 = load i64, ptr %arrayidx, align 8
  %call13 = tail call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %5, ptr noundef %6, i64 noundef %7)
  %cmp14.not = icmp eq i32 %call13, 0
  br i1 %cmp14.not, label %for.cond, label %cleanup43
for.end:
  %call19 = call signext i32 @tw_device_launch(ptr noundef %device, i32 noundef signext %kernel, ptr noundef nonnull %vla, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count)
  %cmp20.not = icmp eq i32 %call19, 0
  br i1 %cmp20.not, label %for.cond24, label %cleanup43
for.cond24:
  %inc39.sink = phi i32 [ %inc39, %for.body27 ], [ 0, %for.end ]
  %cmp25.not = icmp slt i32 %inc39.sink, %buffers
  br i1 %cmp25.not, label %for.body27, label %cleanup43
for.body27:
  %idxprom28 = zext nneg i32 %inc39.sink to i64
  %arrayidx29 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom28
  %8 = load ptr, ptr %arrayidx29, align 8
  %arrayidx31 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom28
  %9 = load ptr, ptr %arrayidx31, align 8
  %arrayidx33 = getelementptr inbounds nuw i64, ptr %bytes, i64 %idxprom28
  %10 = load i64, ptr %arrayidx33, align 8
  %call34 = call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %8, ptr noundef %9, i64 noundef %10)
  %cmp35.not = icmp eq i32 %call34, 0
  %inc39 = add nuw nsw i32 %inc39.sink, 1
  br i1 %cmp35.not, label %for.cond24, label %cleanup43
cleanup43:
  %retval.3 = phi i32 [ -1, %for.end ], [ 0, %for.cond24 ], [ -1, %for.body27 ], [ -1, %if.end ], [ -1, %for.body ]
  ret i32 %retval.3
}
define internal fastcc signext i32 @fail_grid(i32 noundef signext %kernel, ptr noundef readonly captures(none) %grid) unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %what = alloca [128 x i8], align 1
  %got = alloca [128 x i8], align 1
  %idxprom = sext i32 %kernel to i64
  %arrayidx = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %what, i64 noundef 128, ptr noundef nonnull @.str.54, ptr noundef %0)
  %1 = load i64, ptr %grid, align 8
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %grid, i64 8
  %2 = load i64, ptr %arrayidx3, align 8
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %grid, i64 16
  %3 = load i64, ptr %arrayidx4, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef nonnull @.str.55, i64 noundef %1, i64 noundef %2, i64 noundef %3)
  %call8 = call fastcc signext i32 @fail(ptr noundef nonnull %what, ptr noundef nonnull %got, ptr noundef nonnull @.str.56) cold
  ret i32 %call8
}
define hidden signext i32 @tw_run(ptr noundef %slots, ptr noundef readnone captures(none) %arena, i32 noundef signext %threads) local_unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %before = alloca i32, align 4
  tail call fastcc void @acquire()
  %0 = load i8, ptr @is_open, align 1
  %loadedv = trunc nuw i8 %0 to i1
  br i1 %loadedv, label %lor.lhs.false.critedge, label %cond.false
cond.false:
  %call = tail call fastcc signext i32 @open_device() cold
  %1 = icmp eq i32 %call, 0
  tail call fastcc void @release()
  store i32 0, ptr %before, align 4
  br i1 %1, label %lor.lhs.false, label %cleanup
lor.lhs.false.critedge:
  tail call fastcc void @release()
  store i32 0, ptr %before, align 4
  br label %lor.lhs.false
lor.lhs.false:
  %call1 = call fastcc signext i32 @enter_device(ptr noundef %before)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %for.cond.i, label %cleanup
for.cond.i:
  %inc.sink.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %lor.lhs.false ]
  %cmp.i = icmp samesign ult i32 %inc.sink.i, 8
  br i1 %cmp.i, label %for.body.i, label %for.end.i
for.body.i:
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @lanes, i64 %idxprom.i
  %2 = atomicrmw xchg ptr %arrayidx.i, i64 0 acq_rel, align 8
  %cmp1.not.i = icmp eq i64 %2, 0
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br i1 %cmp1.not.i, label %for.cond.i, label %return.loopexit.i
for.end.i:
  %call.i = call fastcc ptr @new_lane() cold
  br label %take_lane.exit
return.loopexit.i:
  %3 = inttoptr i64 %2 to ptr
  br label %take_lane.exit
take_lane.exit:
  %retval.3.i = phi ptr [ %call.i, %for.end.i ], [ %3, %return.loopexit.i ]
  %cmp4 = icmp eq ptr %retval.3.i, null
  br i1 %cmp4, label %if.end15, label %cond.false6
cond.false6:
  %4 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i7 = icmp eq i32 %4, 0
  br i1 %cmp.i7, label %cond.end.i, label %cond.false.i
cond.false.i:
  %5 = load i32, ptr @tw_arguments, align 4
  %idxprom.i8 = sext i32 %5 to i64
  %arrayidx.i9 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom.i8
  %6 = load ptr, ptr %arrayidx.i9, align 8
  %7 = load i32, ptr @tw_expression_count, align 4
  %idxprom1.i = sext i32 %7 to i64
  %arrayidx2.i = getelementptr inbounds i64, ptr %6, i64 %idxprom1.i
  br label %cond.end.i
cond.end.i:
  %cond.in.i = phi ptr [ %arrayidx2.i, %cond.false.i ], [ @tw_device_arena_bytes, %cond.false6 ]
  %cond.i = load i64, ptr %cond.in.i, align 8
  %call.i10 = call fastcc signext i32 @check_inputs(ptr noundef nonnull %retval.3.i, ptr noundef %slots)
  %cmp3.not.i = icmp eq i32 %call.i10, 0
  br i1 %cmp3.not.i, label %lor.lhs.false.i, label %if.end15.sink.split
lor.lhs.false.i:
  %8 = load i32, ptr @tw_arguments, align 4
  %idxprom.i.i = sext i32 %8 to i64
  %arrayidx.i.i = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom.i.i
  %9 = load ptr, ptr %arrayidx.i.i, align 8
  br label %for.cond.i.i
for.cond.i.i:
  %inc.sink.i.i = phi i32 [ %inc.i.i, %if.end17.i.i ], [ 0, %lor.lhs.false.i ]
  %cmp.not.i.i = icmp slt i32 %inc.sink.i.i, %8
  br i1 %cmp.not.i.i, label %for.body.i.i, label %lor.lhs.false6.i
for.body.i.i:
  %idxprom1.i.i = zext nneg i32 %inc.sink.i.i to i64
  %arrayidx2.i.i = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %idxprom1.i.i
  %10 = load ptr, ptr %arrayidx2.i.i, align 8
  %call.i.i = call fastcc i64 @number_of(ptr noundef %10)
  %call3.i.i = call signext i32 @tw_is_on_device(ptr noundef nonnull %slots, i32 noundef signext %inc.sink.i.i)
  %tobool.not.i.i = icmp eq i32 %call3.i.i, 0
  br i1 %tobool.not.i.i, label %if.then.i.i, label %if.end12.i.i
if.then.i.i:
  %arrayidx5.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom1.i.i
  %call6.i.i = call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx5.i.i, ptr noundef %9)
  %call7.i.i = call fastcc signext i32 @reserve(ptr noundef nonnull %retval.3.i, i32 noundef signext %inc.sink.i.i, i64 noundef %call6.i.i)
  %cmp8.not.i.i = icmp eq i32 %call7.i.i, 0
  br i1 %cmp8.not.i.i, label %if.end.i.i, label %if.end15.sink.split
if.end.i.i:
  %blocks.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 24
  %11 = load ptr, ptr %blocks.i.i, align 8
  %arrayidx11.i.i = getelementptr inbounds nuw i64, ptr %11, i64 %idxprom1.i.i
  %12 = load i64, ptr %arrayidx11.i.i, align 8
  br label %if.end12.i.i
if.end12.i.i:
  %address.0.i.i = phi i64 [ %call.i.i, %for.body.i.i ], [ %12, %if.end.i.i ]
  %addresses.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 40
  %13 = load ptr, ptr %addresses.i.i, align 8
  %arrayidx14.i.i = getelementptr inbounds nuw i64, ptr %13, i64 %idxprom1.i.i
  %14 = load i64, ptr %arrayidx14.i.i, align 8
  %cmp15.not.i.i = icmp eq i64 %address.0.i.i, %14
  br i1 %cmp15.not.i.i, label %if.end17.i.i, label %if.then16.i.i
if.then16.i.i:
  call fastcc void @drop_graph(ptr noundef nonnull %retval.3.i)
  br label %if.end17.i.i
if.end17.i.i:
  %15 = load ptr, ptr %addresses.i.i, align 8
  %arrayidx20.i.i = getelementptr inbounds nuw i64, ptr %15, i64 %idxprom1.i.i
  store i64 %address.0.i.i, ptr %arrayidx20.i.i, align 8
  %inc.i.i = add nuw nsw i32 %inc.sink.i.i, 1
  br label %for.cond.i.i
lor.lhs.false6.i:
  %call7.i = call fastcc signext i32 @reserve(ptr noundef nonnull %retval.3.i, i32 noundef signext %8, i64 noundef %cond.i)
  %cmp8.not.i = icmp eq i32 %call7.i, 0
  br i1 %cmp8.not.i, label %lor.lhs.false9.i, label %if.end15.sink.split
lor.lhs.false9.i:
  %call10.i = call fastcc signext i32 @move(ptr noundef nonnull %retval.3.i, ptr noundef nonnull %slots, i1 noundef zeroext true)
  %cmp11.not.i = icmp eq i32 %call10.i, 0
  br i1 %cmp11.not.i, label %lor.lhs.false12.i, label %if.end15.sink.split
lor.lhs.false12.i:
  %16 = load i32, ptr @tw_device_is_fixed, align 4
  %tobool.not.i13.i = icmp eq i32 %16, 0
  br i1 %tobool.not.i13.i, label %if.then.i16.i, label %lor.lhs.false.i.i
lor.lhs.false.i.i:
  %has_run.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 80
  %17 = load i32, ptr %has_run.i.i, align 8
  %tobool1.not.i.i = icmp eq i32 %17, 0
  br i1 %tobool1.not.i.i, label %if.then.i16.i, label %if.end.i14.i
if.then.i16.i:
  %call.i17.i = call fastcc signext i32 @queue(ptr noundef nonnull %retval.3.i, ptr noundef nonnull readonly %slots)
  br label %work.exit.i
if.end.i14.i:
  %executable.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 16
  %18 = load ptr, ptr %executable.i.i, align 8
  %cmp.i.i = icmp eq ptr %18, null
  br i1 %cmp.i.i, label %land.lhs.true.i.i, label %if.end5.i.i
land.lhs.true.i.i:
  %call2.i.i = call fastcc signext i32 @capture(ptr noundef nonnull %retval.3.i, ptr noundef nonnull readonly %slots) cold
  %cmp3.not.i.i = icmp eq i32 %call2.i.i, 0
  br i1 %cmp3.not.i.i, label %if.end5.i.i, label %if.end15.sink.split
if.end5.i.i:
  %19 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 128), align 8
  %20 = load ptr, ptr %executable.i.i, align 8
  %stream.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 8
  %21 = load ptr, ptr %stream.i.i, align 8
  %call7.i15.i = call signext i32 %19(ptr noundef %20, ptr noundef %21)
  %call8.i.i = call fastcc signext i32 @checked(i64 noundef 16, i32 noundef signext %call7.i15.i)
  br label %work.exit.i
work.exit.i:
  %call8.sink.i.i = phi i32 [ %call8.i.i, %if.end5.i.i ], [ %call.i17.i, %if.then.i16.i ]
  %cmp14.not.i = icmp eq i32 %call8.sink.i.i, 0
  br i1 %cmp14.not.i, label %lor.lhs.false15.i, label %if.end15.sink.split
lor.lhs.false15.i:
  %call16.i = call fastcc signext i32 @move(ptr noundef nonnull %retval.3.i, ptr noundef nonnull %slots, i1 noundef zeroext false)
  %cmp17.not.i = icmp eq i32 %call16.i, 0
  br i1 %cmp17.not.i, label %cond.end8, label %if.end15.sink.split
cond.end8:
  %has_run.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 80
  store i32 1, ptr %has_run.i, align 8
  %22 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %stream.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 8
  %23 = load ptr, ptr %stream.i, align 8
  %call18.i = call signext i32 %22(ptr noundef %23)
  %call19.i = call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call18.i)
  %cmp10 = icmp eq i32 %call19.i, 0
  br i1 %cmp10, label %for.cond.i11, label %if.end15.sink.split
for.cond.i11:
  %inc.sink.i12 = phi i32 [ %inc.i18, %for.body.i15 ], [ 0, %cond.end8 ]
  %cmp.i13 = icmp samesign ult i32 %inc.sink.i12, 8
  br i1 %cmp.i13, label %for.body.i15, label %if.end15.sink.split
for.body.i15:
  %idxprom.i16 = zext nneg i32 %inc.sink.i12 to i64
  %arrayidx.i17 = getelementptr inbounds nuw ptr, ptr @lanes, i64 %idxprom.i16
  %24 = ptrtoint ptr %retval.3.i to i64
  %25 = cmpxchg ptr %arrayidx.i17, i64 0, i64 %24 acq_rel monotonic, align 8
  %26 = extractvalue { i64, i1 } %25, 1
  %inc.i18 = add nuw nsw i32 %inc.sink.i12, 1
  br i1 %26, label %if.end15, label %for.cond.i11
if.end15.sink.split:
  %cond921 = phi i32 [ %call19.i, %cond.end8 ], [ 0, %for.cond.i11 ], [ -1, %lor.lhs.false15.i ], [ -1, %work.exit.i ], [ -1, %lor.lhs.false9.i ], [ -1, %lor.lhs.false6.i ], [ -1, %land.lhs.true.i.i ], [ -1, %cond.end.i ], [ -1, %if.then.i.i ]
  call fastcc void @free_lane(ptr noundef nonnull %retval.3.i) cold
  br label %if.end15
if.end15:
  %cond922 = phi i32 [ %cond921, %if.end15.sink.split ], [ -1, %take_lane.exit ], [ 0, %for.body.i15 ]
  %27 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %27)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %cond922, %if.end15 ], [ -1, %lor.lhs.false ], [ -1, %cond.false ]
  ret i32 %.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @open_device() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %before = alloca i32, align 4
  store i32 0, ptr %before, align 4
  %call = tail call fastcc signext i32 @find_driver() cold
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 16), align 8
  %call1 = tail call signext i32 %0(ptr noundef nonnull @device_number, i32 noundef signext 0)
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 2, i32 noundef signext %call1)
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end, label %cleanup
if.end:
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp4 = icmp eq i32 %1, 0
  br i1 %cmp4, label %land.lhs.true, label %if.end9
land.lhs.true:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 176), align 8
  %3 = load i32, ptr @device_number, align 4
  %call5 = tail call signext i32 %2(ptr noundef nonnull @context, i32 noundef signext %3)
  %call6 = tail call fastcc signext i32 @checked(i64 noundef 22, i32 noundef signext %call5)
  %cmp7.not = icmp eq i32 %call6, 0
  br i1 %cmp7.not, label %if.end9, label %cleanup
if.end9:
  %call10 = call fastcc signext i32 @enter_device(ptr noundef %before)
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %if.end13, label %cleanup
if.end13:
  %call14 = call fastcc signext i32 @load_kernels() cold
  %cmp15 = icmp eq i32 %call14, 0
  br i1 %cmp15, label %land.rhs, label %if.then18.critedge
land.rhs:
  %call16 = call fastcc signext i32 @copy_weights() cold
  %cmp17 = icmp eq i32 %call16, 0
  %storedv = zext i1 %cmp17 to i8
  store i8 %storedv, ptr @is_open, align 1
  br i1 %cmp17, label %if.end19, label %if.then18
if.then18.critedge:
  store i8 0, ptr @is_open, align 1
  br label %if.then18
if.then18:
  call fastcc void @close_program() cold
  br label %if.end19
if.end19:
  %4 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %4)
  %5 = load i8, ptr @is_open, align 1
  %6 = and i8 %5, 1
  %7 = xor i8 %6, 1
  %8 = zext nneg i8 %7 to i32
  %cond = sub nsw i32 0, %8
  br label %cleanup
cleanup:
  %cond.sink = phi i32 [ %cond, %if.end19 ], [ -1, %land.lhs.true ], [ -1, %entry ], [ -1, %lor.lhs.false ], [ -1, %if.end9 ]
  ret i32 %cond.sink
}
define internal fastcc void @drop_graph(ptr noundef captures(none) initializes((80, 84)) %lane) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %executable = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %0 = load ptr, ptr %executable, align 8
  %cmp.not = icmp eq ptr %0, null
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 144), align 8
  %call = tail call signext i32 %1(ptr noundef nonnull %0)
  br label %if.end
if.end:
  store ptr null, ptr %executable, align 8
  %has_run = getelementptr inbounds nuw i8, ptr %lane, i64 80
  store i32 0, ptr %has_run, align 8
  ret void
}
define internal fastcc signext i32 @block_count() unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = load i32, ptr @tw_device_most_buffers, align 4
  %add1 = add nsw i32 %add, %1
  ret i32 %add1
}
define internal fastcc signext i32 @fail_call(i64 noundef range(i64 0, 28) %position, i32 noundef signext range(i32 1, 0) %status) unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %name = alloca ptr, align 8
  %got = alloca [128 x i8], align 1
  %message = alloca [1024 x i8], align 1
  store ptr null, ptr %name, align 8
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 8), align 8
  %call = call signext i32 %0(i32 noundef signext %status, ptr noundef nonnull %name)
  %1 = load ptr, ptr %name, align 8
  %cmp = icmp eq ptr %1, null
  %cond = select i1 %cmp, ptr @.str.1, ptr %1
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef nonnull @.str, ptr noundef nonnull %cond, i32 noundef signext %status)
  %arrayidx = getelementptr inbounds nuw [2 x ptr], ptr @NAMES, i64 %position
  %2 = load i32, ptr @tw_device_driver, align 4
  %idxprom = sext i32 %2 to i64
  %arrayidx3 = getelementptr inbounds ptr, ptr %arrayidx, i64 %idxprom
  %3 = load ptr, ptr %arrayidx3, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, ptr noundef %3, ptr noundef nonnull %got)
  %cmp6 = icmp eq i32 %status, 2
  %cond7 = select i1 %cmp6, ptr @.str.3, ptr @.str.4
  %call9 = call signext i32 @tw_fail(ptr noundef nonnull %cond7, ptr noundef nonnull %message)
  ret i32 %call9
}
define internal fastcc signext i32 @reserve(ptr noundef readonly captures(none) %lane, i32 noundef signext %index, i64 noundef %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 24
  %0 = load ptr, ptr %blocks, align 8
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds i64, ptr %0, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8
  %cmp.not = icmp eq i64 %1, 0
  br i1 %cmp.not, label %if.end16, label %land.lhs.true
land.lhs.true:
  %bytes1 = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %2 = load ptr, ptr %bytes1, align 8
  %arrayidx3 = getelementptr inbounds i64, ptr %2, i64 %idxprom
  %3 = load i64, ptr %arrayidx3, align 8
  %cmp4.not = icmp ult i64 %3, %bytes
  br i1 %cmp4.not, label %land.lhs.true9, label %return
land.lhs.true9:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 56), align 8
  %call = tail call signext i32 %4(i64 noundef %1)
  %call13 = tail call fastcc signext i32 @checked(i64 noundef 7, i32 noundef signext %call)
  %cmp14.not = icmp eq i32 %call13, 0
  br i1 %cmp14.not, label %if.end16, label %return
if.end16:
  %5 = load ptr, ptr %blocks, align 8
  %arrayidx19 = getelementptr inbounds i64, ptr %5, i64 %idxprom
  store i64 0, ptr %arrayidx19, align 8
  %cond = tail call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %bytes21 = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %6 = load ptr, ptr %bytes21, align 8
  %arrayidx23 = getelementptr inbounds i64, ptr %6, i64 %idxprom
  store i64 %cond, ptr %arrayidx23, align 8
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 48), align 8
  %8 = load ptr, ptr %blocks, align 8
  %arrayidx26 = getelementptr inbounds i64, ptr %8, i64 %idxprom
  %9 = load ptr, ptr %bytes21, align 8
  %arrayidx29 = getelementptr inbounds i64, ptr %9, i64 %idxprom
  %10 = load i64, ptr %arrayidx29, align 8
  %call30 = tail call signext i32 %7(ptr noundef %arrayidx26, i64 noundef %10)
  %call31 = tail call fastcc signext i32 @checked(i64 noundef 6, i32 noundef signext %call30)
  br label %return
return:
  %call31.sink = phi i32 [ %call31, %if.end16 ], [ 0, %land.lhs.true ], [ -1, %land.lhs.true9 ]
  ret i32 %call31.sink
}
define internal fastcc signext i32 @fail(ptr noundef %what, ptr noundef %got, ptr noundef %hint) unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.57, ptr noundef nonnull @tw_name, ptr noundef %what, ptr noundef %got, ptr noundef %hint)
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull %message)
  ret i32 %call2
}
define internal fastcc signext i32 @find_driver() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %found = alloca ptr, align 8
  %cmp = icmp eq ptr @dlopen, null
  %cmp1 = icmp eq ptr @dlsym, null
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %if.then, label %for.cond.preheader
for.cond.preheader:
  %0 = load ptr, ptr @__tw_device_library, align 8
  br label %for.cond
if.then:
  %call = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.58, ptr noundef nonnull @.str.59, ptr noundef nonnull @.str.60) cold
  br label %cleanup44
for.cond:
  %library.0 = phi ptr [ %library.1, %for.inc ], [ %0, %for.cond.preheader ]
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %cmp2 = icmp samesign ult i32 %inc.sink, 3
  %cmp3 = icmp eq ptr %library.0, null
  %1 = select i1 %cmp2, i1 %cmp3, i1 false
  br i1 %1, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  br i1 %cmp3, label %if.then15, label %for.cond21
for.body:
  %2 = load i32, ptr @tw_device_driver, align 4
  %idxprom = sext i32 %2 to i64
  %arrayidx = getelementptr inbounds [3 x ptr], ptr @FILES, i64 %idxprom
  %idxprom4 = zext nneg i32 %inc.sink to i64
  %arrayidx5 = getelementptr inbounds nuw ptr, ptr %arrayidx, i64 %idxprom4
  %3 = load ptr, ptr %arrayidx5, align 8
  %cmp6.not = icmp eq ptr %3, null
  br i1 %cmp6.not, label %for.inc, label %if.then7
if.then7:
  %call12 = tail call ptr @dlopen(ptr noundef nonnull %3, i32 noundef signext 2)
  br label %for.inc
for.inc:
  %library.1 = phi ptr [ %call12, %if.then7 ], [ null, %for.body ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
if.then15:
  %4 = load i32, ptr @tw_device_driver, align 4
  %idxprom16 = sext i32 %4 to i64
  %arrayidx17 = getelementptr inbounds [3 x ptr], ptr @FILES, i64 %idxprom16
  %5 = load ptr, ptr %arrayidx17, align 8
  %call19 = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.61, ptr noundef %5, ptr noundef nonnull @.str.62) cold
  br label %cleanup44
for.cond21:
  %inc38.sink = phi i64 [ %inc38, %for.inc37 ], [ 0, %for.cond.cleanup ]
  %cmp22 = icmp samesign ugt i64 %inc38.sink, 27
  br i1 %cmp22, label %for.end41, label %for.body24
for.body24:
  %arrayidx25 = getelementptr inbounds nuw [2 x ptr], ptr @NAMES, i64 %inc38.sink
  %6 = load i32, ptr @tw_device_driver, align 4
  %idxprom26 = sext i32 %6 to i64
  %arrayidx27 = getelementptr inbounds ptr, ptr %arrayidx25, i64 %idxprom26
  %7 = load ptr, ptr %arrayidx27, align 8
  %cmp28 = icmp eq ptr %7, null
  br i1 %cmp28, label %cond.end.thread, label %cond.end
cond.end.thread:
  store ptr null, ptr %found, align 8
  br label %for.inc37
cond.end:
  %call29 = call ptr @dlsym(ptr noundef nonnull %library.0, ptr noundef nonnull %7)
  store ptr %call29, ptr %found, align 8
  %cmp31.not = icmp eq ptr %call29, null
  br i1 %cmp31.not, label %cleanup39, label %for.inc37
for.inc37:
  %mul = shl nuw nsw i64 %inc38.sink, 3
  %add.ptr = getelementptr inbounds nuw i8, ptr @driver, i64 %mul
  %call35 = call ptr @memcpy(ptr noundef nonnull %add.ptr, ptr noundef nonnull %found, i64 noundef 8)
  %inc38 = add nuw nsw i64 %inc38.sink, 1
  br label %for.cond21
cleanup39:
  %call33 = call fastcc signext i32 @fail(ptr noundef nonnull @.str.63, ptr noundef nonnull %7, ptr noundef nonnull @.str.64) cold
  br label %cleanup44
for.end41:
  %8 = load ptr, ptr @driver, align 8
  %call42 = call signext i32 %8(i32 noundef signext 0)
  %call43 = call fastcc signext i32 @checked(i64 noundef 0, i32 noundef signext %call42)
  br label %cleanup44
cleanup44:
  %retval.0 = phi i32 [ %call33, %cleanup39 ], [ %call43, %for.end41 ], [ %call19, %if.then15 ], [ %call, %if.then ]
  ret i32 %retval.0
}
define internal fastcc signext i32 @load_kernels() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %call = tail call fastcc signext i32 @load_code() cold
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %if.end, label %return
if.end:
  %0 = load i32, ptr @tw_device_kernel_count, align 4
  %conv = sext i32 %0 to i64
  %add = add nsw i64 %conv, 1
  %call1 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  store ptr %call1, ptr @kernels, align 8
  %cmp2 = icmp eq ptr %call1, null
  br i1 %cmp2, label %if.then4, label %for.cond
if.then4:
  %call5 = tail call fastcc signext i32 @fail_memory() cold
  br label %return
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc.critedge ], [ 0, %if.end ]
  %cmp7 = icmp slt i32 %inc.sink, %0
  br i1 %cmp7, label %for.body, label %return
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 88), align 8
  %2 = load ptr, ptr @kernels, align 8
  %arrayidx10 = getelementptr inbounds nuw ptr, ptr %2, i64 %idxprom
  %3 = load ptr, ptr @module, align 8
  %4 = load ptr, ptr %arrayidx, align 8
  %call11 = tail call signext i32 %1(ptr noundef %arrayidx10, ptr noundef %3, ptr noundef %4)
  %call12 = tail call fastcc signext i32 @checked(i64 noundef 11, i32 noundef signext %call11)
  %cmp13.not = icmp eq i32 %call12, 0
  br i1 %cmp13.not, label %if.end16, label %return
if.end16:
  %shared_bytes = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  %5 = load i32, ptr %shared_bytes, align 4
  %cmp17 = icmp sgt i32 %5, 0
  %6 = load i32, ptr @tw_device_driver, align 4
  %cmp19 = icmp eq i32 %6, 0
  %or.cond = select i1 %cmp17, i1 %cmp19, i1 false
  br i1 %or.cond, label %land.lhs.true21, label %for.inc.critedge
land.lhs.true21:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 200), align 8
  %8 = load ptr, ptr @kernels, align 8
  %arrayidx23 = getelementptr inbounds nuw ptr, ptr %8, i64 %idxprom
  %9 = load ptr, ptr %arrayidx23, align 8
  %call25 = tail call signext i32 %7(ptr noundef %9, i32 noundef signext 8, i32 noundef signext %5)
  %call26 = tail call fastcc signext i32 @checked(i64 noundef 25, i32 noundef signext %call25)
  %cmp27.not = icmp eq i32 %call26, 0
  br i1 %cmp27.not, label %for.inc.critedge, label %return
for.inc.critedge:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
return:
  %retval.0 = phi i32 [ %call5, %if.then4 ], [ -1, %entry ], [ -1, %for.body ], [ -1, %land.lhs.true21 ], [ 0, %for.cond ]
  ret i32 %retval.0
}
define internal fastcc signext i32 @copy_weights() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %stream = alloca ptr, align 8
  %0 = load i64, ptr @tw_weights_bytes, align 8
  store ptr null, ptr %stream, align 8
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 24), align 8
  %call = call signext i32 %1(ptr noundef nonnull %stream, i32 noundef signext 1)
  %call1 = call fastcc signext i32 @checked(i64 noundef 3, i32 noundef signext %call)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %cleanup
if.end4:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 48), align 8
  %call5 = call signext i32 %2(ptr noundef nonnull @weights, i64 noundef %0)
  %call6 = call fastcc signext i32 @checked(i64 noundef 6, i32 noundef signext %call5)
  %cmp7 = icmp eq i32 %call6, 0
  br i1 %cmp7, label %if.end11, label %if.end16
if.end11:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %4 = load i64, ptr @weights, align 8
  %5 = load ptr, ptr @__tw_weights, align 8
  %6 = load ptr, ptr %stream, align 8
  %call9 = call signext i32 %3(i64 noundef %4, ptr noundef %5, i64 noundef %0, ptr noundef %6)
  %call10 = call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call9)
  %cmp12 = icmp eq i32 %call10, 0
  br i1 %cmp12, label %if.then13, label %if.end16
if.then13:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %8 = load ptr, ptr %stream, align 8
  %call14 = call signext i32 %7(ptr noundef %8)
  %call15 = call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call14)
  br label %if.end16
if.end16:
  %status.1 = phi i32 [ %call15, %if.then13 ], [ %call10, %if.end11 ], [ %call6, %if.end4 ]
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 40), align 8
  %10 = load ptr, ptr %stream, align 8
  %call17 = call signext i32 %9(ptr noundef %10)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %status.1, %if.end16 ], [ 0, %entry ], [ -1, %if.end ]
  ret i32 %.sink
}
define internal fastcc signext i32 @load_code() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %log = alloca [512 x i8], align 1
  %values = alloca [2 x ptr], align 8
  %0 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %0, 1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 160), align 8
  %call = tail call signext i32 %1(ptr noundef nonnull @module, ptr noundef nonnull @__tw_kernels_code)
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 20, i32 noundef signext %call)
  br label %return
if.end:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(512) %log, i8 0, i64 512, i1 false)
  store ptr %log, ptr %values, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %values, i64 8
  store ptr inttoptr (i64 512 to ptr), ptr %arrayinit.element, align 8
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 152), align 8
  %call3 = call signext i32 %2(ptr noundef nonnull @module, ptr noundef nonnull @__tw_kernels_code, i32 noundef signext 2, ptr noundef nonnull @load_code.OPTIONS, ptr noundef nonnull %values)
  %cmp4 = icmp eq i32 %call3, 0
  %3 = load i8, ptr %log, align 1
  %cmp5 = icmp eq i8 %3, 0
  %or.cond = select i1 %cmp4, i1 true, i1 %cmp5
  br i1 %or.cond, label %if.then7, label %if.end9
if.then7:
  %call8 = call fastcc signext i32 @checked(i64 noundef 19, i32 noundef signext %call3)
  br label %return
if.end9:
  %call11 = call fastcc signext i32 @fail(ptr noundef nonnull @.str.69, ptr noundef nonnull %log, ptr noundef nonnull @.str.70) cold
  br label %return
return:
  %retval.0 = phi i32 [ %call1, %if.then ], [ %call11, %if.end9 ], [ %call8, %if.then7 ]
  ret i32 %retval.0
}
define internal fastcc ptr @new_lane() unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef 88)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call1 = tail call fastcc signext i32 @fail_memory() cold
  br label %cleanup
if.end:
  %call2 = tail call fastcc signext i32 @block_count()
  %conv = sext i32 %call2 to i64
  %call3 = tail call noalias ptr @calloc(i64 noundef %conv, i64 noundef 8)
  %blocks = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr %call3, ptr %blocks, align 8
  %call6 = tail call noalias ptr @calloc(i64 noundef %conv, i64 noundef 8)
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call6, ptr %bytes, align 8
  %0 = load i64, ptr @weights, align 8
  store i64 %0, ptr %call, align 8
  %1 = load i32, ptr @tw_arguments, align 4
  %conv7 = sext i32 %1 to i64
  %add = add nsw i64 %conv7, 1
  %call8 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  %addresses = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %call8, ptr %addresses, align 8
  %cmp10 = icmp eq ptr %call3, null
  br i1 %cmp10, label %if.then19, label %lor.lhs.false
lor.lhs.false:
  %cmp13 = icmp eq ptr %call6, null
  %cmp17 = icmp eq ptr %call8, null
  %or.cond = select i1 %cmp13, i1 true, i1 %cmp17
  br i1 %or.cond, label %if.then19, label %if.else
if.then19:
  %call20 = tail call fastcc signext i32 @fail_memory() cold
  br label %if.end27
if.else:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 24), align 8
  %stream = getelementptr inbounds nuw i8, ptr %call, i64 8
  %call21 = tail call signext i32 %2(ptr noundef nonnull %stream, i32 noundef signext 1)
  %call22 = tail call fastcc signext i32 @checked(i64 noundef 3, i32 noundef signext %call21)
  %cmp23 = icmp eq i32 %call22, 0
  br i1 %cmp23, label %cleanup, label %if.end27
if.end27:
  tail call fastcc void @free_lane(ptr noundef nonnull %call) cold
  br label %cleanup
cleanup:
  %.sink = phi ptr [ null, %if.end27 ], [ null, %if.then ], [ %call, %if.else ]
  ret ptr %.sink
}
define internal fastcc signext i32 @check_inputs(ptr noundef nonnull readonly captures(none) %lane, ptr noundef %slots) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  %2 = load i32, ptr @tw_inputs, align 4
  %add1 = add nsw i32 %2, 1
  %3 = zext i32 %add1 to i64
  %vla2 = alloca ptr, i64 %3, align 8
  %4 = shl nuw nsw i64 %1, 3
  %call = call ptr @memcpy(ptr noundef nonnull %vla, ptr noundef %slots, i64 noundef %4)
  br label %for.cond
for.cond:
  %made.0 = phi i32 [ 0, %entry ], [ %made.1, %cleanup ]
  %status.0 = phi i32 [ 0, %entry ], [ %status.1, %cleanup ]
  %inc30.sink = phi i32 [ 0, %entry ], [ %inc30, %cleanup ]
  %cmp = icmp slt i32 %inc30.sink, %2
  %cmp3 = icmp eq i32 %status.0, 0
  %5 = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %5, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  br i1 %cmp3, label %if.then33, label %while.cond.preheader
for.body:
  %idxprom = zext nneg i32 %inc30.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %6 = load i32, ptr %dtype, align 4
  %and = and i32 %6, 254
  %cmp4 = icmp ne i32 %and, 0
  %idxprom7 = sext i32 %0 to i64
  %arrayidx8 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom7
  %7 = load ptr, ptr %arrayidx8, align 8
  %call9 = call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx, ptr noundef %7)
  %cmp10 = icmp eq i64 %call9, 0
  %or.cond = select i1 %cmp4, i1 true, i1 %cmp10
  br i1 %or.cond, label %cleanup, label %lor.lhs.false11
lor.lhs.false11:
  %call12 = call signext i32 @tw_is_on_device(ptr noundef nonnull %slots, i32 noundef signext %inc30.sink)
  %tobool.not = icmp eq i32 %call12, 0
  br i1 %tobool.not, label %cleanup, label %if.end
if.end:
  %call13 = call noalias ptr @malloc(i64 noundef %call9)
  %idxprom14 = sext i32 %made.0 to i64
  %arrayidx15 = getelementptr inbounds ptr, ptr %vla2, i64 %idxprom14
  store ptr %call13, ptr %arrayidx15, align 8
  %arrayidx19 = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %idxprom
  store ptr %call13, ptr %arrayidx19, align 8
  %cmp22 = icmp eq ptr %call13, null
  br i1 %cmp22, label %cond.true, label %cond.false
cond.true:
  %call23 = call fastcc signext i32 @fail_memory() cold
  br label %cond.end
cond.false:
  %arrayidx27 = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %idxprom
  %8 = load ptr, ptr %arrayidx27, align 8
  %call28 = call signext i32 @tw_device_read(ptr noundef nonnull %lane, ptr noundef nonnull %call13, ptr noundef %8, i64 noundef %call9)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call23, %cond.true ], [ %call28, %cond.false ]
  %inc = add nsw i32 %made.0, 1
  br label %cleanup
cleanup:
  %made.1 = phi i32 [ %made.0, %for.body ], [ %inc, %cond.end ], [ %made.0, %lor.lhs.false11 ]
  %status.1 = phi i32 [ 0, %for.body ], [ %cond, %cond.end ], [ 0, %lor.lhs.false11 ]
  %inc30 = add nuw nsw i32 %inc30.sink, 1
  br label %for.cond
if.then33:
  %call34 = call signext i32 @tw_device_check(ptr noundef nonnull %vla)
  br label %while.cond.preheader
while.cond.preheader:
  %status.2.ph = phi i32 [ %status.0, %for.cond.cleanup ], [ %call34, %if.then33 ]
  br label %while.cond
while.cond:
  %made.2 = phi i32 [ %dec, %while.body ], [ %made.0, %while.cond.preheader ]
  %cmp36 = icmp sgt i32 %made.2, 0
  br i1 %cmp36, label %while.body, label %while.end
while.body:
  %dec = add nsw i32 %made.2, -1
  %idxprom37 = zext nneg i32 %dec to i64
  %arrayidx38 = getelementptr inbounds nuw ptr, ptr %vla2, i64 %idxprom37
  %9 = load ptr, ptr %arrayidx38, align 8
  call void @free(ptr noundef %9)
  br label %while.cond
while.end:
  ret i32 %status.2.ph
}
define internal fastcc signext range(i32 -1, 1) i32 @move(ptr noundef nonnull readonly captures(none) %lane, ptr noundef %slots, i1 noundef zeroext %is_input) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %idxprom = sext i32 %0 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8
  %2 = load i32, ptr @tw_inputs, align 4
  %cond = select i1 %is_input, i32 0, i32 %2
  %3 = select i1 %is_input, i32 %2, i32 %0
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ %cond, %entry ]
  %cmp.not = icmp slt i32 %inc.sink, %3
  br i1 %cmp.not, label %for.body, label %cleanup32
for.body:
  %idxprom6 = sext i32 %inc.sink to i64
  %arrayidx7 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom6
  %call = tail call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx7, ptr noundef %1)
  %arrayidx9 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom6
  %4 = load ptr, ptr %arrayidx9, align 8
  %cmp10 = icmp eq i64 %call, 0
  br i1 %cmp10, label %for.inc, label %lor.lhs.false
lor.lhs.false:
  %call11 = tail call signext i32 @tw_is_on_device(ptr noundef nonnull %slots, i32 noundef signext %inc.sink)
  %tobool.not = icmp eq i32 %call11, 0
  br i1 %tobool.not, label %if.end, label %for.inc
if.end:
  %5 = getelementptr inbounds nuw i8, ptr %lane, i64 24
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds i64, ptr %6, i64 %idxprom6
  %10 = load i64, ptr %9, align 8
  br i1 %is_input, label %cond.true13, label %cond.false18
cond.true13:
  %11 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %call16 = tail call signext i32 %11(i64 noundef %10, ptr noundef %4, i64 noundef %call, ptr noundef %8)
  %call17 = tail call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call16)
  br label %cond.end25
cond.false18:
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 72), align 8
  %call23 = tail call signext i32 %12(ptr noundef %4, i64 noundef %10, i64 noundef %call, ptr noundef %8)
  %call24 = tail call fastcc signext i32 @checked(i64 noundef 9, i32 noundef signext %call23)
  br label %cond.end25
cond.end25:
  %cond26 = phi i32 [ %call17, %cond.true13 ], [ %call24, %cond.false18 ]
  %cmp27.not = icmp eq i32 %cond26, 0
  br i1 %cmp27.not, label %for.inc, label %cleanup32
for.inc:
  %inc = add nsw i32 %inc.sink, 1
  br label %for.cond
cleanup32:
  %spec.select19 = sext i1 %cmp.not to i32
  ret i32 %spec.select19
}
define internal fastcc i64 @bytes_of(ptr noundef readonly captures(none) %spec, ptr noundef readonly captures(none) %sizes) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %bytes1 = getelementptr inbounds nuw i8, ptr %spec, i64 24
  %0 = load i64, ptr %bytes1, align 8
  br label %for.cond
for.cond:
  %bytes.0 = phi i64 [ %0, %entry ], [ %bytes.1, %for.inc ]
  %inc.sink = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %rank = getelementptr inbounds nuw i8, ptr %spec, i64 40
  %1 = load i32, ptr %rank, align 8
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %shape = getelementptr inbounds nuw i8, ptr %spec, i64 16
  %2 = load ptr, ptr %shape, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom
  %3 = load i64, ptr %arrayidx, align 8
  %cmp2 = icmp slt i64 %3, 0
  br i1 %cmp2, label %if.then, label %for.inc
if.then:
  %sub = xor i64 %3, -1
  %arrayidx6 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub
  %4 = load i64, ptr %arrayidx6, align 8
  %mul = mul i64 %4, %bytes.0
  br label %for.inc
for.inc:
  %bytes.1 = phi i64 [ %mul, %if.then ], [ %bytes.0, %for.body ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  ret i64 %bytes.0
}
define internal fastcc signext i32 @queue(ptr noundef nonnull %lane, ptr noundef readonly captures(none) %slots) unnamed_addr minsize nounwind optsize "no-builtins" {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %cmp = icmp slt i32 %inc.sink, %0
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %2 = load ptr, ptr %addresses, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom
  %3 = load i64, ptr %arrayidx, align 8
  %4 = inttoptr i64 %3 to ptr
  %arrayidx2 = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %idxprom
  store ptr %4, ptr %arrayidx2, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %idxprom3 = sext i32 %0 to i64
  %arrayidx4 = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %idxprom3
  %arrayidx6 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom3
  %5 = load i64, ptr %arrayidx6, align 8
  store i64 %5, ptr %arrayidx4, align 8
  %add7 = add nsw i32 %0, 1
  %idxprom8 = sext i32 %add7 to i64
  %arrayidx9 = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %idxprom8
  %arrayidx12 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom8
  %6 = load i64, ptr %arrayidx12, align 8
  store i64 %6, ptr %arrayidx9, align 8
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 24
  %7 = load ptr, ptr %blocks, align 8
  %arrayidx14 = getelementptr inbounds i64, ptr %7, i64 %idxprom3
  %8 = load i64, ptr %arrayidx14, align 8
  %9 = inttoptr i64 %8 to ptr
  %call = call signext i32 @tw_device_main(ptr noundef nonnull %vla, ptr noundef %9, ptr noundef nonnull %lane)
  ret i32 %call
}
define internal fastcc signext i32 @capture(ptr noundef nonnull %lane, ptr noundef readonly captures(none) %slots) unnamed_addr cold minsize nounwind optsize "no-builtins" {
entry:
  %graph = alloca ptr, align 8
  store ptr null, ptr %graph, align 8
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 104), align 8
  %stream = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call = tail call signext i32 %0(ptr noundef %1, i32 noundef signext 2)
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 13, i32 noundef signext %call)
  %cmp.not = icmp eq i32 %call1, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %call2 = tail call fastcc signext i32 @queue(ptr noundef %lane, ptr noundef %slots)
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 112), align 8
  %3 = load ptr, ptr %stream, align 8
  %call4 = call signext i32 %2(ptr noundef %3, ptr noundef nonnull %graph)
  %call5 = call fastcc signext i32 @checked(i64 noundef 14, i32 noundef signext %call4)
  %cmp6 = icmp eq i32 %call2, 0
  %cmp7 = icmp eq i32 %call5, 0
  %or.cond = select i1 %cmp6, i1 %cmp7, i1 false
  br i1 %or.cond, label %if.then8, label %if.end11
if.then8:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 120), align 8
  %executable = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %5 = load ptr, ptr %graph, align 8
  %call9 = call signext i32 %4(ptr noundef nonnull %executable, ptr noundef %5, i64 noundef 0)
  %call10 = call fastcc signext i32 @checked(i64 noundef 15, i32 noundef signext %call9)
  br label %if.end11
if.end11:
  %status.0 = phi i32 [ %call10, %if.then8 ], [ %call2, %if.end ]
  %6 = load ptr, ptr %graph, align 8
  %cmp12.not = icmp eq ptr %6, null
  br i1 %cmp12.not, label %if.end15, label %if.then13
if.then13:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 136), align 8
  %call14 = call signext i32 %7(ptr noundef nonnull %6)
  br label %if.end15
if.end15:
  %cmp16.not = icmp eq i32 %status.0, 0
  %.sroa.speculated = select i1 %cmp16.not, i32 %call5, i32 %status.0
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %.sroa.speculated, %if.end15 ], [ -1, %entry ]
  ret i32 %.sink
}
declare void @free(ptr noundef) local_unnamed_addr
declare noalias ptr @malloc(i64 noundef) local_unnamed_addr
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
declare extern_weak ptr @dlopen(ptr noundef, i32 noundef signext)
declare extern_weak ptr @dlsym(ptr noundef, ptr noundef)
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
declare hidden signext i32 @tw_is_on_device(ptr noundef, i32 noundef signext) local_unnamed_addr
declare hidden signext i32 @tw_device_check(ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_device_main(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr
declare i64 @llvm.umax.i64(i64, i64)
