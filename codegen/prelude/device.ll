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

define hidden void @tw_release_device() local_unnamed_addr #0 {
entry:
  %before = alloca i32, align 4
  store i32 0, ptr %before, align 4
  %0 = load i8, ptr @is_open, align 1
  %loadedv = trunc nuw i8 %0 to i1
  br i1 %loadedv, label %lor.lhs.false, label %cleanup.cont
lor.lhs.false:
  %call = call fastcc signext i32 @enter_device(ptr noundef %before) #10
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %for.cond, label %cleanup.cont
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %lor.lhs.false ]
  %exitcond.not = icmp eq i64 %indvars.iv, 8
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
for.cond.cleanup:
  call fastcc void @acquire() #10
  call fastcc void @close_program() #11
  call fastcc void @release() #10
  %1 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %1) #10
  br label %cleanup.cont
for.body:
  %arrayidx = getelementptr inbounds nuw ptr, ptr @lanes, i64 %indvars.iv
  %2 = atomicrmw xchg ptr %arrayidx, i64 0 acq_rel, align 8
  %cmp2.not = icmp eq i64 %2, 0
  br i1 %cmp2.not, label %for.inc, label %if.then3
if.then3:
  %3 = inttoptr i64 %2 to ptr
  call fastcc void @free_lane(ptr noundef nonnull %3) #11
  br label %for.inc
for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
cleanup.cont:
  ret void
}

define internal fastcc signext i32 @enter_device(ptr noundef nonnull %before) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 184), align 8
  %2 = load ptr, ptr @context, align 8
  %call = tail call signext i32 %1(ptr noundef %2) #12
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 23, i32 noundef signext %call) #10
  br label %return
if.end:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 208), align 8
  %call2 = tail call signext i32 %3(ptr noundef nonnull %before) #12
  %call3 = tail call fastcc signext i32 @checked(i64 noundef 26, i32 noundef signext %call2) #10
  %cmp4.not = icmp eq i32 %call3, 0
  br i1 %cmp4.not, label %cond.false, label %return
cond.false:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 216), align 8
  %5 = load i32, ptr @device_number, align 4
  %call5 = tail call signext i32 %4(i32 noundef signext %5) #12
  %call6 = tail call fastcc signext i32 @checked(i64 noundef 27, i32 noundef signext %call5) #10
  br label %return
return:
  %retval.0 = phi i32 [ %call1, %if.then ], [ %call6, %cond.false ], [ %call3, %if.end ]
  ret i32 %retval.0
}

define internal fastcc void @free_lane(ptr noundef initializes((80, 84)) %lane) unnamed_addr #1 {
entry:
  tail call fastcc void @drop_graph(ptr noundef %lane) #10
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 24
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %entry ]
  %0 = load ptr, ptr %blocks, align 8
  %cmp.not = icmp eq ptr %0, null
  br i1 %cmp.not, label %for.end, label %land.rhs
land.rhs:
  %call = tail call fastcc signext i32 @block_count() #10
  %1 = sext i32 %call to i64
  %cmp1 = icmp slt i64 %indvars.iv, %1
  br i1 %cmp1, label %for.body, label %for.end
for.body:
  %arrayidx = getelementptr inbounds nuw i64, ptr %0, i64 %indvars.iv
  %2 = load i64, ptr %arrayidx, align 8
  %cmp3.not = icmp eq i64 %2, 0
  br i1 %cmp3.not, label %for.inc, label %if.then
if.then:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 56), align 8
  %call7 = tail call signext i32 %3(i64 noundef %2) #12
  br label %for.inc
for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
for.end:
  %stream = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %4 = load ptr, ptr %stream, align 8
  %cmp8.not = icmp eq ptr %4, null
  br i1 %cmp8.not, label %if.end12, label %if.then9
if.then9:
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 40), align 8
  %call11 = tail call signext i32 %5(ptr noundef nonnull %4) #12
  %.pre = load ptr, ptr %blocks, align 8
  br label %if.end12
if.end12:
  %6 = phi ptr [ %.pre, %if.then9 ], [ %0, %for.end ]
  tail call void @free(ptr noundef %6) #12
  %bytes = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %7 = load ptr, ptr %bytes, align 8
  tail call void @free(ptr noundef %7) #12
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %8 = load ptr, ptr %addresses, align 8
  tail call void @free(ptr noundef %8) #12
  %fetched = getelementptr inbounds nuw i8, ptr %lane, i64 48
  %9 = load ptr, ptr %fetched, align 8
  tail call void @free(ptr noundef %9) #12
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %lane, i64 56
  %10 = load ptr, ptr %arrayidx16, align 8
  tail call void @free(ptr noundef %10) #12
  tail call void @free(ptr noundef nonnull %lane) #12
  ret void
}

define internal fastcc void @acquire() unnamed_addr #2 {
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

define internal fastcc void @close_program() unnamed_addr #1 {
entry:
  %0 = load i64, ptr @weights, align 8
  %cmp.not = icmp eq i64 %0, 0
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 56), align 8
  %call = tail call signext i32 %1(i64 noundef %0) #12
  br label %if.end
if.end:
  %2 = load ptr, ptr @module, align 8
  %cmp1.not = icmp eq ptr %2, null
  br i1 %cmp1.not, label %if.end4, label %if.then2
if.then2:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 168), align 8
  %call3 = tail call signext i32 %3(ptr noundef nonnull %2) #12
  br label %if.end4
if.end4:
  %4 = load ptr, ptr @kernels, align 8
  tail call void @free(ptr noundef %4) #12
  store i64 0, ptr @weights, align 8
  store ptr null, ptr @module, align 8
  store ptr null, ptr @kernels, align 8
  store i8 0, ptr @is_open, align 1
  ret void
}

define internal fastcc void @release() unnamed_addr #3 {
entry:
  store atomic i32 0, ptr @lock release, align 4
  ret void
}

define internal fastcc void @leave_device(i32 noundef signext %before) unnamed_addr #0 {
entry:
  %popped = alloca ptr, align 8
  %0 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %0, 0
  br i1 %cmp, label %if.then, label %if.else
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 192), align 8
  %call = call signext i32 %1(ptr noundef nonnull %popped) #12
  br label %if.end
if.else:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 216), align 8
  %call1 = tail call signext i32 %2(i32 noundef signext %before) #12
  br label %if.end
if.end:
  ret void
}

define hidden signext i32 @tw_device_copy(ptr noundef readonly captures(none) %device, ptr noundef %target, ptr noundef %source, i64 noundef %bytes) local_unnamed_addr #0 {
entry:
  %cmp = icmp eq i64 %bytes, 0
  %cmp1 = icmp eq ptr %target, %source
  %or.cond = or i1 %cmp1, %cmp
  br i1 %or.cond, label %return, label %if.end
if.end:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 80), align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %target) #10
  %call2 = tail call fastcc i64 @number_of(ptr noundef %source) #10
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call3 = tail call signext i32 %0(i64 noundef %call, i64 noundef %call2, i64 noundef %bytes, ptr noundef %1) #12
  %call4 = tail call fastcc signext i32 @checked(i64 noundef 10, i32 noundef signext %call3) #10
  br label %return
return:
  %retval.0 = phi i32 [ %call4, %if.end ], [ 0, %entry ]
  ret i32 %retval.0
}

define internal fastcc signext i32 @checked(i64 noundef range(i64 0, 28) %position, i32 noundef signext %status) unnamed_addr #0 {
entry:
  %cmp = icmp eq i32 %status, 0
  br i1 %cmp, label %cond.end, label %cond.false
cond.false:
  %call = tail call fastcc signext i32 @fail_call(i64 noundef %position, i32 noundef signext %status) #11
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call, %cond.false ], [ 0, %entry ]
  ret i32 %cond
}

define internal fastcc noundef i64 @number_of(ptr noundef %address) unnamed_addr #4 {
entry:
  %0 = ptrtoint ptr %address to i64
  ret i64 %0
}

define hidden signext range(i32 -1, 1) i32 @tw_device_concat(ptr noundef readonly captures(none) %device, ptr noundef readonly captures(none) %addresses, i64 noundef %operands) local_unnamed_addr #0 {
entry:
  %arrayidx = getelementptr inbounds nuw i8, ptr %addresses, i64 8
  %0 = load ptr, ptr %arrayidx, align 8
  %1 = load i64, ptr %0, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %2 = load i64, ptr %arrayidx2, align 8
  %smax = tail call i64 @llvm.smax.i64(i64 %operands, i64 0)
  %smax24 = tail call i64 @llvm.smax.i64(i64 %1, i64 0)
  br label %for.cond
for.cond:
  %row.0 = phi i64 [ 0, %entry ], [ %inc25, %for.inc24 ]
  %exitcond25.not = icmp eq i64 %row.0, %smax24
  br i1 %exitcond25.not, label %cleanup26, label %for.cond3.preheader
for.cond3.preheader:
  %mul12 = mul nsw i64 %row.0, %2
  br label %for.cond3
for.cond3:
  %operand.0 = phi i64 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %exitcond.not = icmp eq i64 %operand.0, %smax
  br i1 %exitcond.not, label %for.inc24, label %for.body6
for.body6:
  %.idx = shl nuw nsw i64 %operand.0, 4
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 %.idx
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %4 = load i64, ptr %arrayidx7, align 8
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %5 = load i64, ptr %arrayidx10, align 8
  %6 = load ptr, ptr %addresses, align 8
  %add.ptr = getelementptr inbounds i8, ptr %6, i64 %mul12
  %add.ptr13 = getelementptr inbounds i8, ptr %add.ptr, i64 %4
  %7 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %operand.0
  %arrayidx15 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %8 = load ptr, ptr %arrayidx15, align 8
  %mul16 = mul nsw i64 %5, %row.0
  %add.ptr17 = getelementptr inbounds i8, ptr %8, i64 %mul16
  %call = tail call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %add.ptr13, ptr noundef %add.ptr17, i64 noundef %5) #10
  %cmp18.not = icmp eq i32 %call, 0
  %inc = add nuw i64 %operand.0, 1
  br i1 %cmp18.not, label %for.cond3, label %cleanup26
for.inc24:
  %inc25 = add nuw i64 %row.0, 1
  br label %for.cond
cleanup26:
  %cmp.not = icmp slt i64 %row.0, %1
  %spec.select = sext i1 %cmp.not to i32
  ret i32 %spec.select
}

define hidden signext i32 @tw_device_read(ptr noundef readonly captures(none) %device, ptr noundef %host, ptr noundef %address, i64 noundef %bytes) local_unnamed_addr #0 {
entry:
  %cmp = icmp eq i64 %bytes, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 72), align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %address) #10
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call1 = tail call signext i32 %0(ptr noundef %host, i64 noundef %call, i64 noundef %bytes, ptr noundef %1) #12
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 9, i32 noundef signext %call1) #10
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %return
if.end5:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %3 = load ptr, ptr %stream, align 8
  %call7 = tail call signext i32 %2(ptr noundef %3) #12
  %call8 = tail call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call7) #10
  br label %return
return:
  %retval.0 = phi i32 [ %call8, %if.end5 ], [ 0, %entry ], [ -1, %if.end ]
  ret i32 %retval.0
}

define hidden signext i32 @tw_device_write(ptr noundef readonly captures(none) %device, ptr noundef %address, ptr noundef %host, i64 noundef %bytes) local_unnamed_addr #0 {
entry:
  %cmp = icmp eq i64 %bytes, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %address) #10
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call1 = tail call signext i32 %0(i64 noundef %call, ptr noundef %host, i64 noundef %bytes, ptr noundef %1) #12
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call1) #10
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %return
if.end5:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %3 = load ptr, ptr %stream, align 8
  %call7 = tail call signext i32 %2(ptr noundef %3) #12
  %call8 = tail call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call7) #10
  br label %return
return:
  %retval.0 = phi i32 [ %call8, %if.end5 ], [ 0, %entry ], [ -1, %if.end ]
  ret i32 %retval.0
}

define hidden ptr @tw_device_fetch(ptr noundef captures(none) %device, i32 noundef signext %number, ptr noundef %address, i64 noundef %bytes) local_unnamed_addr #0 {
entry:
  %fetched_bytes = getelementptr inbounds nuw i8, ptr %device, i64 64
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds i64, ptr %fetched_bytes, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8
  %cmp = icmp ult i64 %0, %bytes
  %fetched = getelementptr inbounds nuw i8, ptr %device, i64 48
  %arrayidx2 = getelementptr inbounds ptr, ptr %fetched, i64 %idxprom
  %1 = load ptr, ptr %arrayidx2, align 8
  br i1 %cmp, label %if.then, label %if.end
if.then:
  tail call void @free(ptr noundef %1) #12
  %call = tail call noalias ptr @malloc(i64 noundef %bytes) #12
  store ptr %call, ptr %arrayidx2, align 8
  %cmp9 = icmp eq ptr %call, null
  %cond = select i1 %cmp9, i64 0, i64 %bytes
  store i64 %cond, ptr %arrayidx, align 8
  br label %if.end
if.end:
  %2 = phi ptr [ %call, %if.then ], [ %1, %entry ]
  %fetched13 = getelementptr inbounds nuw i8, ptr %device, i64 48
  %arrayidx15 = getelementptr inbounds ptr, ptr %fetched13, i64 %idxprom
  %cmp16 = icmp eq ptr %2, null
  br i1 %cmp16, label %if.then17, label %if.end19
if.then17:
  %call18 = tail call fastcc signext i32 @fail_memory() #11
  br label %return
if.end19:
  %call23 = tail call signext i32 @tw_device_read(ptr noundef nonnull %device, ptr noundef nonnull %2, ptr noundef %address, i64 noundef %bytes) #10
  %cmp24 = icmp eq i32 %call23, 0
  br i1 %cmp24, label %cond.true25, label %return
cond.true25:
  %3 = load ptr, ptr %arrayidx15, align 8
  br label %return
return:
  %retval.0 = phi ptr [ null, %if.then17 ], [ %3, %cond.true25 ], [ null, %if.end19 ]
  ret ptr %retval.0
}

declare void @free(ptr noundef) local_unnamed_addr #0

declare noalias ptr @malloc(i64 noundef) local_unnamed_addr #0

define internal fastcc signext i32 @fail_memory() unnamed_addr #1 {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.53, ptr noundef nonnull @tw_name) #12
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull %message) #12
  ret i32 %call2
}

define hidden signext i32 @tw_device_launch(ptr noundef readonly captures(none) %device, i32 noundef signext %kernel, ptr noundef %addresses, ptr noundef readonly captures(none) %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) local_unnamed_addr #0 {
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
  br i1 %cmp5, label %return, label %for.cond.preheader
for.cond.preheader:
  %smax = tail call i32 @llvm.smax.i32(i32 %buffers, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ 0, %for.cond.preheader ], [ %indvars.iv.next, %for.body ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body
for.body:
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %indvars.iv
  %3 = load ptr, ptr %arrayidx7, align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %3) #10
  %rem = and i64 %call, 15
  %cmp8.not = icmp eq i64 %rem, 0
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br i1 %cmp8.not, label %for.cond, label %cleanup
cleanup:
  %call10 = tail call fastcc signext i32 @launch_copies(ptr noundef %device, i32 noundef signext %kernel, ptr noundef nonnull %addresses, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef nonnull %numbers, i32 noundef signext %count) #11
  br label %return
for.end:
  %add = add nsw i32 %count, %buffers
  %4 = zext i32 %add to i64
  %5 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca ptr, i64 %4, align 8
  br label %for.cond13
for.cond13:
  %indvars.iv43 = phi i64 [ %indvars.iv.next44, %for.body16 ], [ 0, %for.end ]
  %exitcond47.not = icmp eq i64 %indvars.iv43, %wide.trip.count
  br i1 %exitcond47.not, label %for.cond26.preheader, label %for.body16
for.cond26.preheader:
  %6 = sext i32 %buffers to i64
  %smax52 = tail call i32 @llvm.smax.i32(i32 %count, i32 3)
  %wide.trip.count53 = zext nneg i32 %smax52 to i64
  %invariant.gep = getelementptr ptr, ptr %vla, i64 %6
  br label %for.cond26
for.body16:
  %arrayidx18 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %indvars.iv43
  %arrayidx20 = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv43
  store ptr %arrayidx18, ptr %arrayidx20, align 8
  %indvars.iv.next44 = add nuw nsw i64 %indvars.iv43, 1
  br label %for.cond13
for.cond26:
  %indvars.iv48 = phi i64 [ 3, %for.cond26.preheader ], [ %indvars.iv.next49, %for.body29 ]
  %exitcond54.not = icmp eq i64 %indvars.iv48, %wide.trip.count53
  br i1 %exitcond54.not, label %for.cond.cleanup28, label %for.body29
for.cond.cleanup28:
  %7 = load i64, ptr %arrayidx1, align 8
  %8 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tw_device_most_blocks, i64 8), align 8
  %cmp.i = icmp sgt i64 %7, %8
  br i1 %cmp.i, label %exchange_large.exit, label %cond.false.i
cond.false.i:
  %9 = load i64, ptr %arrayidx4, align 8
  %10 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tw_device_most_blocks, i64 16), align 8
  %cmp4.i = icmp sgt i64 %9, %10
  %11 = select i1 %cmp4.i, i64 2, i64 0
  br label %exchange_large.exit
exchange_large.exit:
  %cond5.i = phi i64 [ %11, %cond.false.i ], [ 1, %for.cond.cleanup28 ]
  %12 = load i64, ptr %numbers, align 8
  %arrayidx7.i = getelementptr inbounds nuw i64, ptr %numbers, i64 %cond5.i
  %13 = load i64, ptr %arrayidx7.i, align 8
  store i64 %13, ptr %numbers, align 8
  store i64 %12, ptr %arrayidx7.i, align 8
  br label %for.cond39
for.body29:
  %arrayidx31 = getelementptr inbounds nuw i64, ptr %numbers, i64 %indvars.iv48
  %gep = getelementptr ptr, ptr %invariant.gep, i64 %indvars.iv48
  %arrayidx34 = getelementptr i8, ptr %gep, i64 -24
  store ptr %arrayidx31, ptr %arrayidx34, align 8
  %indvars.iv.next49 = add nuw nsw i64 %indvars.iv48, 1
  br label %for.cond26
for.cond39:
  %indvars.iv55 = phi i64 [ %indvars.iv.next56, %for.body42 ], [ 0, %exchange_large.exit ]
  %exitcond58 = icmp eq i64 %indvars.iv55, 3
  br i1 %exitcond58, label %for.end55, label %for.body42
for.body42:
  %arrayidx44 = getelementptr inbounds nuw i64, ptr %numbers, i64 %indvars.iv55
  %14 = load i64, ptr %arrayidx44, align 8
  %arrayidx46 = getelementptr inbounds nuw i64, ptr @tw_device_most_blocks, i64 %indvars.iv55
  %15 = load i64, ptr %arrayidx46, align 8
  %cmp47 = icmp sgt i64 %14, %15
  %indvars.iv.next56 = add nuw nsw i64 %indvars.iv55, 1
  br i1 %cmp47, label %cleanup53, label %for.cond39
cleanup53:
  %call49 = tail call fastcc signext i32 @fail_grid(i32 noundef signext %kernel, ptr noundef nonnull %numbers) #11
  br label %cleanup73
for.end55:
  %idxprom56 = sext i32 %kernel to i64
  %arrayidx57 = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom56
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 96), align 8
  %17 = load ptr, ptr @kernels, align 8
  %arrayidx59 = getelementptr inbounds ptr, ptr %17, i64 %idxprom56
  %18 = load ptr, ptr %arrayidx59, align 8
  %19 = load i64, ptr %numbers, align 8
  %conv = trunc i64 %19 to i32
  %20 = load i64, ptr %arrayidx1, align 8
  %conv62 = trunc i64 %20 to i32
  %21 = load i64, ptr %arrayidx4, align 8
  %conv64 = trunc i64 %21 to i32
  %block = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 8
  %22 = load i32, ptr %block, align 8
  %arrayidx67 = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 12
  %23 = load i32, ptr %arrayidx67, align 4
  %arrayidx69 = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 16
  %24 = load i32, ptr %arrayidx69, align 8
  %shared_bytes = getelementptr inbounds nuw i8, ptr %arrayidx57, i64 20
  %25 = load i32, ptr %shared_bytes, align 4
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 8
  %26 = load ptr, ptr %stream, align 8
  %call70 = call signext i32 %16(ptr noundef %18, i32 noundef signext %conv, i32 noundef signext %conv62, i32 noundef signext %conv64, i32 noundef signext %22, i32 noundef signext %23, i32 noundef signext %24, i32 noundef signext %25, ptr noundef %26, ptr noundef nonnull %vla, ptr noundef null) #12
  %call71 = call fastcc signext i32 @checked(i64 noundef 12, i32 noundef signext %call70) #10
  br label %cleanup73
cleanup73:
  %retval.3 = phi i32 [ %call71, %for.end55 ], [ %call49, %cleanup53 ]
  call void @llvm.stackrestore.p0(ptr %5)
  br label %return
return:
  %retval.0 = phi i32 [ %call10, %cleanup ], [ %retval.3, %cleanup73 ], [ 0, %lor.lhs.false3 ], [ 0, %lor.lhs.false ], [ 0, %entry ]
  ret i32 %retval.0
}

define internal fastcc noundef signext range(i32 -1, 1) i32 @launch_copies(ptr noundef readonly captures(none) %device, i32 noundef signext %kernel, ptr noundef readonly captures(none) %addresses, ptr noundef readonly captures(none) %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) unnamed_addr #1 {
entry:
  %0 = zext i32 %buffers to i64
  %vla = alloca ptr, i64 %0, align 8
  %1 = load i32, ptr @tw_arguments, align 4
  %invariant.op = add i32 %1, 1
  %blocks = getelementptr inbounds nuw i8, ptr %device, i64 24
  %smax = tail call i32 @llvm.smax.i32(i32 %buffers, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %if.end ], [ 0, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body
for.body:
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  %add1.reass = add i32 %invariant.op, %2
  %arrayidx = getelementptr inbounds nuw i64, ptr %bytes, i64 %indvars.iv
  %3 = load i64, ptr %arrayidx, align 8
  %call = tail call fastcc signext i32 @reserve(ptr noundef %device, i32 noundef signext %add1.reass, i64 noundef %3) #10
  %cmp2.not = icmp eq i32 %call, 0
  br i1 %cmp2.not, label %if.end, label %cleanup43
if.end:
  %4 = load ptr, ptr %blocks, align 8
  %idxprom3 = sext i32 %add1.reass to i64
  %arrayidx4 = getelementptr inbounds i64, ptr %4, i64 %idxprom3
  %5 = load i64, ptr %arrayidx4, align 8
  %6 = inttoptr i64 %5 to ptr
  %arrayidx6 = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv
  store ptr %6, ptr %arrayidx6, align 8
  %arrayidx10 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %indvars.iv
  %7 = load ptr, ptr %arrayidx10, align 8
  %8 = load i64, ptr %arrayidx, align 8
  %call13 = tail call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %6, ptr noundef %7, i64 noundef %8) #10
  %cmp14.not = icmp eq i32 %call13, 0
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br i1 %cmp14.not, label %for.cond, label %cleanup43
for.end:
  %call19 = call signext i32 @tw_device_launch(ptr noundef %device, i32 noundef signext %kernel, ptr noundef nonnull %vla, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) #10
  %cmp20.not = icmp eq i32 %call19, 0
  br i1 %cmp20.not, label %for.cond24.preheader, label %cleanup43
for.cond24.preheader:
  %9 = sext i32 %buffers to i64
  br label %for.cond24
for.cond24:
  %indvars.iv29 = phi i64 [ 0, %for.cond24.preheader ], [ %indvars.iv.next30, %for.body27 ]
  %exitcond33.not = icmp eq i64 %indvars.iv29, %wide.trip.count
  br i1 %exitcond33.not, label %cleanup40, label %for.body27
for.body27:
  %arrayidx29 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %indvars.iv29
  %10 = load ptr, ptr %arrayidx29, align 8
  %arrayidx31 = getelementptr inbounds nuw ptr, ptr %vla, i64 %indvars.iv29
  %11 = load ptr, ptr %arrayidx31, align 8
  %arrayidx33 = getelementptr inbounds nuw i64, ptr %bytes, i64 %indvars.iv29
  %12 = load i64, ptr %arrayidx33, align 8
  %call34 = call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %10, ptr noundef %11, i64 noundef %12) #10
  %cmp35.not = icmp eq i32 %call34, 0
  %indvars.iv.next30 = add nuw nsw i64 %indvars.iv29, 1
  br i1 %cmp35.not, label %for.cond24, label %cleanup40
cleanup40:
  %cmp25.not.le = icmp slt i64 %indvars.iv29, %9
  %spec.select = sext i1 %cmp25.not.le to i32
  br label %cleanup43
cleanup43:
  %retval.3 = phi i32 [ %spec.select, %cleanup40 ], [ -1, %for.end ], [ -1, %for.body ], [ -1, %if.end ]
  ret i32 %retval.3
}

declare ptr @llvm.stacksave.p0() #5

define internal fastcc signext i32 @fail_grid(i32 noundef signext %kernel, ptr noundef readonly captures(none) %grid) unnamed_addr #1 {
entry:
  %what = alloca [128 x i8], align 1
  %got = alloca [128 x i8], align 1
  %idxprom = sext i32 %kernel to i64
  %arrayidx = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %what, i64 noundef 128, ptr noundef nonnull @.str.54, ptr noundef %0) #12
  %1 = load i64, ptr %grid, align 8
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %grid, i64 8
  %2 = load i64, ptr %arrayidx3, align 8
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %grid, i64 16
  %3 = load i64, ptr %arrayidx4, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef nonnull @.str.55, i64 noundef %1, i64 noundef %2, i64 noundef %3) #12
  %call8 = call fastcc signext i32 @fail(ptr noundef nonnull %what, ptr noundef nonnull %got, ptr noundef nonnull @.str.56) #11
  ret i32 %call8
}

declare void @llvm.stackrestore.p0(ptr) #5

define hidden signext i32 @tw_run(ptr noundef %slots, ptr noundef readnone captures(none) %arena, i32 noundef signext %threads) local_unnamed_addr #0 {
entry:
  %before = alloca i32, align 4
  tail call fastcc void @acquire() #10
  %0 = load i8, ptr @is_open, align 1
  %loadedv = trunc nuw i8 %0 to i1
  br i1 %loadedv, label %lor.lhs.false.critedge, label %cond.false
cond.false:
  %call = tail call fastcc signext i32 @open_device() #11
  %1 = icmp eq i32 %call, 0
  tail call fastcc void @release() #10
  store i32 0, ptr %before, align 4
  br i1 %1, label %lor.lhs.false, label %cleanup
lor.lhs.false.critedge:
  tail call fastcc void @release() #10
  store i32 0, ptr %before, align 4
  br label %lor.lhs.false
lor.lhs.false:
  %call1 = call fastcc signext i32 @enter_device(ptr noundef %before) #10
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %for.cond.i, label %cleanup
for.cond.i:
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i, %for.body.i ], [ 0, %lor.lhs.false ]
  %exitcond.not.i = icmp eq i64 %indvars.iv.i, 8
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i
for.body.i:
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @lanes, i64 %indvars.iv.i
  %2 = atomicrmw xchg ptr %arrayidx.i, i64 0 acq_rel, align 8
  %cmp1.not.i = icmp eq i64 %2, 0
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  br i1 %cmp1.not.i, label %for.cond.i, label %return.loopexit.i
for.end.i:
  %call.i = call fastcc ptr @new_lane() #11
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
  %cmp.i = icmp eq i32 %4, 0
  br i1 %cmp.i, label %cond.end.i, label %cond.false.i
cond.false.i:
  %5 = load i32, ptr @tw_arguments, align 4
  %idxprom.i = sext i32 %5 to i64
  %arrayidx.i7 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom.i
  %6 = load ptr, ptr %arrayidx.i7, align 8
  %7 = load i32, ptr @tw_expression_count, align 4
  %idxprom1.i = sext i32 %7 to i64
  %arrayidx2.i = getelementptr inbounds i64, ptr %6, i64 %idxprom1.i
  br label %cond.end.i
cond.end.i:
  %cond.in.i = phi ptr [ %arrayidx2.i, %cond.false.i ], [ @tw_device_arena_bytes, %cond.false6 ]
  %cond.i = load i64, ptr %cond.in.i, align 8
  %call.i8 = call fastcc signext i32 @check_inputs(ptr noundef nonnull %retval.3.i, ptr noundef %slots) #10
  %cmp3.not.i = icmp eq i32 %call.i8, 0
  br i1 %cmp3.not.i, label %lor.lhs.false.i, label %if.end15.sink.split
lor.lhs.false.i:
  %8 = load i32, ptr @tw_arguments, align 4
  %idxprom.i.i = sext i32 %8 to i64
  %arrayidx.i.i = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom.i.i
  %9 = load ptr, ptr %arrayidx.i.i, align 8
  %blocks.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 24
  %addresses.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 40
  %smax.i.i = call i32 @llvm.smax.i32(i32 %8, i32 0)
  %wide.trip.count.i.i = zext nneg i32 %smax.i.i to i64
  br label %for.cond.i.i
for.cond.i.i:
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %if.end17.i.i ], [ 0, %lor.lhs.false.i ]
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.i.i, %wide.trip.count.i.i
  br i1 %exitcond.not.i.i, label %place.exit.i, label %for.body.i.i
for.body.i.i:
  %arrayidx2.i.i = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %indvars.iv.i.i
  %10 = load ptr, ptr %arrayidx2.i.i, align 8
  %call.i.i = call fastcc i64 @number_of(ptr noundef %10) #10
  %11 = trunc nuw nsw i64 %indvars.iv.i.i to i32
  %call3.i.i = call signext i32 @tw_is_on_device(ptr noundef nonnull %slots, i32 noundef signext %11) #12
  %tobool.not.i.i = icmp eq i32 %call3.i.i, 0
  br i1 %tobool.not.i.i, label %if.then.i.i, label %if.end12.i.i
if.then.i.i:
  %arrayidx5.i.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv.i.i
  %call6.i.i = call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx5.i.i, ptr noundef %9) #10
  %call7.i.i = call fastcc signext i32 @reserve(ptr noundef nonnull %retval.3.i, i32 noundef signext %11, i64 noundef %call6.i.i) #10
  %cmp8.not.i.i = icmp eq i32 %call7.i.i, 0
  br i1 %cmp8.not.i.i, label %if.end.i.i, label %place.exit.i
if.end.i.i:
  %12 = load ptr, ptr %blocks.i.i, align 8
  %arrayidx11.i.i = getelementptr inbounds nuw i64, ptr %12, i64 %indvars.iv.i.i
  %13 = load i64, ptr %arrayidx11.i.i, align 8
  br label %if.end12.i.i
if.end12.i.i:
  %address.0.i.i = phi i64 [ %call.i.i, %for.body.i.i ], [ %13, %if.end.i.i ]
  %14 = load ptr, ptr %addresses.i.i, align 8
  %arrayidx14.i.i = getelementptr inbounds nuw i64, ptr %14, i64 %indvars.iv.i.i
  %15 = load i64, ptr %arrayidx14.i.i, align 8
  %cmp15.not.i.i = icmp eq i64 %address.0.i.i, %15
  br i1 %cmp15.not.i.i, label %if.end17.i.i, label %if.then16.i.i
if.then16.i.i:
  call fastcc void @drop_graph(ptr noundef nonnull %retval.3.i) #10
  %.pre.i.i = load ptr, ptr %addresses.i.i, align 8
  br label %if.end17.i.i
if.end17.i.i:
  %16 = phi ptr [ %.pre.i.i, %if.then16.i.i ], [ %14, %if.end12.i.i ]
  %arrayidx20.i.i = getelementptr inbounds nuw i64, ptr %16, i64 %indvars.iv.i.i
  store i64 %address.0.i.i, ptr %arrayidx20.i.i, align 8
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  br label %for.cond.i.i
place.exit.i:
  %indvars.iv.i.lcssa.i = phi i64 [ %wide.trip.count.i.i, %for.cond.i.i ], [ %indvars.iv.i.i, %if.then.i.i ]
  %cmp.not.i.not.i = icmp slt i64 %indvars.iv.i.lcssa.i, %idxprom.i.i
  br i1 %cmp.not.i.not.i, label %if.end15.sink.split, label %lor.lhs.false6.i
lor.lhs.false6.i:
  %call7.i = call fastcc signext i32 @reserve(ptr noundef nonnull %retval.3.i, i32 noundef signext %8, i64 noundef %cond.i) #10
  %cmp8.not.i = icmp eq i32 %call7.i, 0
  br i1 %cmp8.not.i, label %lor.lhs.false9.i, label %if.end15.sink.split
lor.lhs.false9.i:
  %call10.i = call fastcc signext i32 @move(ptr noundef nonnull %retval.3.i, ptr noundef nonnull %slots, i1 noundef zeroext true) #10
  %cmp11.not.i = icmp eq i32 %call10.i, 0
  br i1 %cmp11.not.i, label %lor.lhs.false12.i, label %if.end15.sink.split
lor.lhs.false12.i:
  %call13.i = call fastcc signext i32 @work(ptr noundef nonnull %retval.3.i, ptr noundef nonnull %slots) #10
  %cmp14.not.i = icmp eq i32 %call13.i, 0
  br i1 %cmp14.not.i, label %lor.lhs.false15.i, label %if.end15.sink.split
lor.lhs.false15.i:
  %call16.i = call fastcc signext i32 @move(ptr noundef nonnull %retval.3.i, ptr noundef nonnull %slots, i1 noundef zeroext false) #10
  %cmp17.not.i = icmp eq i32 %call16.i, 0
  br i1 %cmp17.not.i, label %cond.end8, label %if.end15.sink.split
cond.end8:
  %has_run.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 80
  store i32 1, ptr %has_run.i, align 8
  %17 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %stream.i = getelementptr inbounds nuw i8, ptr %retval.3.i, i64 8
  %18 = load ptr, ptr %stream.i, align 8
  %call18.i = call signext i32 %17(ptr noundef %18) #12
  %call19.i = call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call18.i) #10
  %cmp10 = icmp eq i32 %call19.i, 0
  br i1 %cmp10, label %if.then11, label %if.end15.sink.split
if.then11:
  %19 = ptrtoint ptr %retval.3.i to i64
  br label %for.cond.i9
for.cond.i9:
  %indvars.iv.i10 = phi i64 [ %indvars.iv.next.i14, %for.body.i12 ], [ 0, %if.then11 ]
  %exitcond.not.i11 = icmp eq i64 %indvars.iv.i10, 8
  br i1 %exitcond.not.i11, label %if.end15.sink.split, label %for.body.i12
for.body.i12:
  %arrayidx.i13 = getelementptr inbounds nuw ptr, ptr @lanes, i64 %indvars.iv.i10
  %20 = cmpxchg ptr %arrayidx.i13, i64 0, i64 %19 acq_rel monotonic, align 8
  %21 = extractvalue { i64, i1 } %20, 1
  %indvars.iv.next.i14 = add nuw nsw i64 %indvars.iv.i10, 1
  br i1 %21, label %if.end15, label %for.cond.i9
if.end15.sink.split:
  %cond918.ph = phi i32 [ -1, %cond.end.i ], [ %call19.i, %cond.end8 ], [ -1, %lor.lhs.false15.i ], [ -1, %lor.lhs.false12.i ], [ -1, %lor.lhs.false9.i ], [ -1, %lor.lhs.false6.i ], [ -1, %place.exit.i ], [ 0, %for.cond.i9 ]
  call fastcc void @free_lane(ptr noundef nonnull %retval.3.i) #11
  br label %if.end15
if.end15:
  %cond918 = phi i32 [ %cond918.ph, %if.end15.sink.split ], [ -1, %take_lane.exit ], [ 0, %for.body.i12 ]
  %22 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %22) #10
  br label %cleanup
cleanup:
  %retval.0 = phi i32 [ %cond918, %if.end15 ], [ -1, %lor.lhs.false ], [ -1, %cond.false ]
  ret i32 %retval.0
}

define internal fastcc signext range(i32 -1, 1) i32 @open_device() unnamed_addr #1 {
entry:
  %before = alloca i32, align 4
  store i32 0, ptr %before, align 4
  %call = tail call fastcc signext i32 @find_driver() #11
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 16), align 8
  %call1 = tail call signext i32 %0(ptr noundef nonnull @device_number, i32 noundef signext 0) #12
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 2, i32 noundef signext %call1) #10
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end, label %cleanup
if.end:
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp4 = icmp eq i32 %1, 0
  br i1 %cmp4, label %land.lhs.true, label %if.end9
land.lhs.true:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 176), align 8
  %3 = load i32, ptr @device_number, align 4
  %call5 = tail call signext i32 %2(ptr noundef nonnull @context, i32 noundef signext %3) #12
  %call6 = tail call fastcc signext i32 @checked(i64 noundef 22, i32 noundef signext %call5) #10
  %cmp7.not = icmp eq i32 %call6, 0
  br i1 %cmp7.not, label %if.end9, label %cleanup
if.end9:
  %call10 = call fastcc signext i32 @enter_device(ptr noundef %before) #10
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %if.end13, label %cleanup
if.end13:
  %call14 = call fastcc signext i32 @load_kernels() #11
  %cmp15 = icmp eq i32 %call14, 0
  br i1 %cmp15, label %land.rhs, label %if.then18.critedge
land.rhs:
  %call16 = call fastcc signext i32 @copy_weights() #11
  %cmp17 = icmp eq i32 %call16, 0
  %storedv = zext i1 %cmp17 to i8
  store i8 %storedv, ptr @is_open, align 1
  br i1 %cmp17, label %if.end19, label %if.then18
if.then18.critedge:
  store i8 0, ptr @is_open, align 1
  br label %if.then18
if.then18:
  call fastcc void @close_program() #11
  br label %if.end19
if.end19:
  %4 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %4) #10
  %5 = load i8, ptr @is_open, align 1
  %6 = and i8 %5, 1
  %7 = xor i8 %6, 1
  %8 = zext nneg i8 %7 to i32
  %cond = sub nsw i32 0, %8
  br label %cleanup
cleanup:
  %retval.0 = phi i32 [ %cond, %if.end19 ], [ -1, %entry ], [ -1, %land.lhs.true ], [ -1, %lor.lhs.false ], [ -1, %if.end9 ]
  ret i32 %retval.0
}

define internal fastcc void @drop_graph(ptr noundef captures(none) initializes((80, 84)) %lane) unnamed_addr #0 {
entry:
  %executable = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %0 = load ptr, ptr %executable, align 8
  %cmp.not = icmp eq ptr %0, null
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 144), align 8
  %call = tail call signext i32 %1(ptr noundef nonnull %0) #12
  br label %if.end
if.end:
  store ptr null, ptr %executable, align 8
  %has_run = getelementptr inbounds nuw i8, ptr %lane, i64 80
  store i32 0, ptr %has_run, align 8
  ret void
}

define internal fastcc signext i32 @block_count() unnamed_addr #4 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 1
  %1 = load i32, ptr @tw_device_most_buffers, align 4
  %add1 = add nsw i32 %add, %1
  ret i32 %add1
}

define internal fastcc signext i32 @fail_call(i64 noundef range(i64 0, 28) %position, i32 noundef signext range(i32 1, 0) %status) unnamed_addr #1 {
entry:
  %name = alloca ptr, align 8
  %got = alloca [128 x i8], align 1
  %message = alloca [1024 x i8], align 1
  store ptr null, ptr %name, align 8
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 8), align 8
  %call = call signext i32 %0(i32 noundef signext %status, ptr noundef nonnull %name) #12
  %1 = load ptr, ptr %name, align 8
  %cmp = icmp eq ptr %1, null
  %cond = select i1 %cmp, ptr @.str.1, ptr %1
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef nonnull @.str, ptr noundef nonnull %cond, i32 noundef signext %status) #12
  %arrayidx = getelementptr inbounds nuw [2 x ptr], ptr @NAMES, i64 %position
  %2 = load i32, ptr @tw_device_driver, align 4
  %idxprom = sext i32 %2 to i64
  %arrayidx3 = getelementptr inbounds ptr, ptr %arrayidx, i64 %idxprom
  %3 = load ptr, ptr %arrayidx3, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef nonnull @tw_name, ptr noundef %3, ptr noundef nonnull %got) #12
  %cmp6 = icmp eq i32 %status, 2
  %cond7 = select i1 %cmp6, ptr @.str.3, ptr @.str.4
  %call9 = call signext i32 @tw_fail(ptr noundef nonnull %cond7, ptr noundef nonnull %message) #12
  ret i32 %call9
}

declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #0

declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr #6

define internal fastcc signext i32 @reserve(ptr noundef readonly captures(none) %lane, i32 noundef signext %index, i64 noundef %bytes) unnamed_addr #0 {
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
  %call = tail call signext i32 %4(i64 noundef %1) #12
  %call13 = tail call fastcc signext i32 @checked(i64 noundef 7, i32 noundef signext %call) #10
  %cmp14.not = icmp eq i32 %call13, 0
  br i1 %cmp14.not, label %land.lhs.true9.if.end16_crit_edge, label %return
land.lhs.true9.if.end16_crit_edge:
  %.pre = load ptr, ptr %blocks, align 8
  br label %if.end16
if.end16:
  %5 = phi ptr [ %.pre, %land.lhs.true9.if.end16_crit_edge ], [ %0, %entry ]
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
  %call30 = tail call signext i32 %7(ptr noundef %arrayidx26, i64 noundef %10) #12
  %call31 = tail call fastcc signext i32 @checked(i64 noundef 6, i32 noundef signext %call30) #10
  br label %return
return:
  %retval.0 = phi i32 [ %call31, %if.end16 ], [ 0, %land.lhs.true ], [ -1, %land.lhs.true9 ]
  ret i32 %retval.0
}

define internal fastcc signext i32 @fail(ptr noundef %what, ptr noundef %got, ptr noundef %hint) unnamed_addr #1 {
entry:
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.57, ptr noundef nonnull @tw_name, ptr noundef %what, ptr noundef %got, ptr noundef %hint) #12
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull %message) #12
  ret i32 %call2
}

define internal fastcc signext i32 @find_driver() unnamed_addr #1 {
entry:
  %found = alloca ptr, align 8
  %cmp = icmp eq ptr @dlopen, null
  %cmp1 = icmp eq ptr @dlsym, null
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.58, ptr noundef nonnull @.str.59, ptr noundef nonnull @.str.60) #11
  br label %cleanup44
if.end:
  %0 = load ptr, ptr @__tw_device_library, align 8
  %1 = load i32, ptr @tw_device_driver, align 4
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds [3 x ptr], ptr @FILES, i64 %idxprom
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %if.end ]
  %library.0 = phi ptr [ %library.1, %for.inc ], [ %0, %if.end ]
  %cmp2 = icmp samesign ult i64 %indvars.iv, 3
  %cmp3 = icmp eq ptr %library.0, null
  %2 = select i1 %cmp2, i1 %cmp3, i1 false
  br i1 %2, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  br i1 %cmp3, label %if.then15, label %for.cond21.preheader
for.cond21.preheader:
  %invariant.gep = getelementptr ptr, ptr @NAMES, i64 %idxprom
  br label %for.cond21
for.body:
  %arrayidx5 = getelementptr inbounds nuw ptr, ptr %arrayidx, i64 %indvars.iv
  %3 = load ptr, ptr %arrayidx5, align 8
  %cmp6.not = icmp eq ptr %3, null
  br i1 %cmp6.not, label %for.inc, label %if.then7
if.then7:
  %call12 = tail call ptr @dlopen(ptr noundef nonnull %3, i32 noundef signext 2) #12
  br label %for.inc
for.inc:
  %library.1 = phi ptr [ %call12, %if.then7 ], [ null, %for.body ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
if.then15:
  %4 = load ptr, ptr %arrayidx, align 8
  %call19 = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.61, ptr noundef %4, ptr noundef nonnull @.str.62) #11
  br label %cleanup44
for.cond21:
  %position.0 = phi i64 [ %inc38, %for.inc37 ], [ 0, %for.cond21.preheader ]
  %exitcond = icmp eq i64 %position.0, 28
  br i1 %exitcond, label %for.end41, label %for.body24
for.body24:
  %gep = getelementptr [2 x ptr], ptr %invariant.gep, i64 %position.0
  %5 = load ptr, ptr %gep, align 8
  %cmp28 = icmp eq ptr %5, null
  br i1 %cmp28, label %cond.end.thread, label %cond.end
cond.end.thread:
  store ptr null, ptr %found, align 8
  br label %for.inc37
cond.end:
  %call29 = call ptr @dlsym(ptr noundef nonnull %library.0, ptr noundef nonnull %5) #12
  store ptr %call29, ptr %found, align 8
  %cmp31.not = icmp eq ptr %call29, null
  br i1 %cmp31.not, label %cleanup39, label %for.inc37
for.inc37:
  %mul = shl nuw nsw i64 %position.0, 3
  %add.ptr = getelementptr inbounds nuw i8, ptr @driver, i64 %mul
  %call35 = call ptr @memcpy(ptr noundef nonnull %add.ptr, ptr noundef nonnull %found, i64 noundef 8) #12
  %inc38 = add nuw nsw i64 %position.0, 1
  br label %for.cond21
cleanup39:
  %call33 = call fastcc signext i32 @fail(ptr noundef nonnull @.str.63, ptr noundef nonnull %5, ptr noundef nonnull @.str.64) #11
  br label %cleanup44
for.end41:
  %6 = load ptr, ptr @driver, align 8
  %call42 = call signext i32 %6(i32 noundef signext 0) #12
  %call43 = call fastcc signext i32 @checked(i64 noundef 0, i32 noundef signext %call42) #10
  br label %cleanup44
cleanup44:
  %retval.0 = phi i32 [ %call, %if.then ], [ %call19, %if.then15 ], [ %call43, %for.end41 ], [ %call33, %cleanup39 ]
  ret i32 %retval.0
}

define internal fastcc signext i32 @load_kernels() unnamed_addr #1 {
entry:
  %call = tail call fastcc signext i32 @load_code() #11
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %if.end, label %return
if.end:
  %0 = load i32, ptr @tw_device_kernel_count, align 4
  %conv = sext i32 %0 to i64
  %add = add nsw i64 %conv, 1
  %call1 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8) #12
  store ptr %call1, ptr @kernels, align 8
  %cmp2 = icmp eq ptr %call1, null
  br i1 %cmp2, label %if.then4, label %for.cond.preheader
for.cond.preheader:
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp19 = icmp eq i32 %1, 0
  %smax = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
if.then4:
  %call5 = tail call fastcc signext i32 @fail_memory() #11
  br label %return
for.cond:
  %indvars.iv = phi i64 [ 0, %for.cond.preheader ], [ %indvars.iv.next, %if.end30 ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %return, label %for.body
for.body:
  %arrayidx = getelementptr inbounds nuw %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %indvars.iv
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 88), align 8
  %3 = load ptr, ptr @kernels, align 8
  %arrayidx10 = getelementptr inbounds nuw ptr, ptr %3, i64 %indvars.iv
  %4 = load ptr, ptr @module, align 8
  %5 = load ptr, ptr %arrayidx, align 8
  %call11 = tail call signext i32 %2(ptr noundef %arrayidx10, ptr noundef %4, ptr noundef %5) #12
  %call12 = tail call fastcc signext i32 @checked(i64 noundef 11, i32 noundef signext %call11) #10
  %cmp13.not = icmp eq i32 %call12, 0
  br i1 %cmp13.not, label %if.end16, label %return
if.end16:
  %shared_bytes = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  %6 = load i32, ptr %shared_bytes, align 4
  %cmp17 = icmp sgt i32 %6, 0
  %or.cond = select i1 %cmp17, i1 %cmp19, i1 false
  br i1 %or.cond, label %land.lhs.true21, label %if.end30
land.lhs.true21:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 200), align 8
  %8 = load ptr, ptr @kernels, align 8
  %arrayidx23 = getelementptr inbounds nuw ptr, ptr %8, i64 %indvars.iv
  %9 = load ptr, ptr %arrayidx23, align 8
  %call25 = tail call signext i32 %7(ptr noundef %9, i32 noundef signext 8, i32 noundef signext %6) #12
  %call26 = tail call fastcc signext i32 @checked(i64 noundef 25, i32 noundef signext %call25) #10
  %cmp27.not = icmp eq i32 %call26, 0
  br i1 %cmp27.not, label %if.end30, label %return
if.end30:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
return:
  %retval.0 = phi i32 [ -1, %entry ], [ %call5, %if.then4 ], [ -1, %for.body ], [ -1, %land.lhs.true21 ], [ 0, %for.cond ]
  ret i32 %retval.0
}

define internal fastcc signext i32 @copy_weights() unnamed_addr #1 {
entry:
  %stream = alloca ptr, align 8
  %0 = load i64, ptr @tw_weights_bytes, align 8
  store ptr null, ptr %stream, align 8
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 24), align 8
  %call = call signext i32 %1(ptr noundef nonnull %stream, i32 noundef signext 1) #12
  %call1 = call fastcc signext i32 @checked(i64 noundef 3, i32 noundef signext %call) #10
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %cleanup
if.end4:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 48), align 8
  %call5 = call signext i32 %2(ptr noundef nonnull @weights, i64 noundef %0) #12
  %call6 = call fastcc signext i32 @checked(i64 noundef 6, i32 noundef signext %call5) #10
  %cmp7 = icmp eq i32 %call6, 0
  br i1 %cmp7, label %if.end11, label %if.end16
if.end11:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %4 = load i64, ptr @weights, align 8
  %5 = load ptr, ptr @__tw_weights, align 8
  %6 = load ptr, ptr %stream, align 8
  %call9 = call signext i32 %3(i64 noundef %4, ptr noundef %5, i64 noundef %0, ptr noundef %6) #12
  %call10 = call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call9) #10
  %cmp12 = icmp eq i32 %call10, 0
  br i1 %cmp12, label %if.then13, label %if.end16
if.then13:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %8 = load ptr, ptr %stream, align 8
  %call14 = call signext i32 %7(ptr noundef %8) #12
  %call15 = call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call14) #10
  br label %if.end16
if.end16:
  %status.1 = phi i32 [ %call15, %if.then13 ], [ %call10, %if.end11 ], [ %call6, %if.end4 ]
  %9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 40), align 8
  %10 = load ptr, ptr %stream, align 8
  %call17 = call signext i32 %9(ptr noundef %10) #12
  br label %cleanup
cleanup:
  %retval.0 = phi i32 [ %status.1, %if.end16 ], [ 0, %entry ], [ -1, %if.end ]
  ret i32 %retval.0
}

declare extern_weak ptr @dlopen(ptr noundef, i32 noundef signext) #6

declare extern_weak ptr @dlsym(ptr noundef, ptr noundef) #6

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #0

define internal fastcc signext i32 @load_code() unnamed_addr #1 {
entry:
  %log = alloca [512 x i8], align 1
  %values = alloca [2 x ptr], align 8
  %0 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %0, 1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 160), align 8
  %call = tail call signext i32 %1(ptr noundef nonnull @module, ptr noundef nonnull @__tw_kernels_code) #12
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 20, i32 noundef signext %call) #10
  br label %return
if.end:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(512) %log, i8 0, i64 512, i1 false)
  store ptr %log, ptr %values, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %values, i64 8
  store ptr inttoptr (i64 512 to ptr), ptr %arrayinit.element, align 8
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 152), align 8
  %call3 = call signext i32 %2(ptr noundef nonnull @module, ptr noundef nonnull @__tw_kernels_code, i32 noundef signext 2, ptr noundef nonnull @load_code.OPTIONS, ptr noundef nonnull %values) #12
  %cmp4 = icmp eq i32 %call3, 0
  %3 = load i8, ptr %log, align 1
  %cmp5 = icmp eq i8 %3, 0
  %or.cond = select i1 %cmp4, i1 true, i1 %cmp5
  br i1 %or.cond, label %if.then7, label %if.end9
if.then7:
  %call8 = call fastcc signext i32 @checked(i64 noundef 19, i32 noundef signext %call3) #10
  br label %return
if.end9:
  %call11 = call fastcc signext i32 @fail(ptr noundef nonnull @.str.69, ptr noundef nonnull %log, ptr noundef nonnull @.str.70) #11
  br label %return
return:
  %retval.0 = phi i32 [ %call1, %if.then ], [ %call8, %if.then7 ], [ %call11, %if.end9 ]
  ret i32 %retval.0
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #0

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

define internal fastcc ptr @new_lane() unnamed_addr #1 {
entry:
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef 88) #12
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call1 = tail call fastcc signext i32 @fail_memory() #11
  br label %cleanup
if.end:
  %call2 = tail call fastcc signext i32 @block_count() #10
  %conv = sext i32 %call2 to i64
  %call3 = tail call noalias ptr @calloc(i64 noundef %conv, i64 noundef 8) #12
  %blocks = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr %call3, ptr %blocks, align 8
  %call6 = tail call noalias ptr @calloc(i64 noundef %conv, i64 noundef 8) #12
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call6, ptr %bytes, align 8
  %0 = load i64, ptr @weights, align 8
  store i64 %0, ptr %call, align 8
  %1 = load i32, ptr @tw_arguments, align 4
  %conv7 = sext i32 %1 to i64
  %add = add nsw i64 %conv7, 1
  %call8 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8) #12
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
  %call20 = tail call fastcc signext i32 @fail_memory() #11
  br label %if.end27
if.else:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 24), align 8
  %stream = getelementptr inbounds nuw i8, ptr %call, i64 8
  %call21 = tail call signext i32 %2(ptr noundef nonnull %stream, i32 noundef signext 1) #12
  %call22 = tail call fastcc signext i32 @checked(i64 noundef 3, i32 noundef signext %call21) #10
  %cmp23 = icmp eq i32 %call22, 0
  br i1 %cmp23, label %cleanup, label %if.end27
if.end27:
  tail call fastcc void @free_lane(ptr noundef nonnull %call) #11
  br label %cleanup
cleanup:
  %retval.0 = phi ptr [ null, %if.then ], [ null, %if.end27 ], [ %call, %if.else ]
  ret ptr %retval.0
}

define internal fastcc signext i32 @check_inputs(ptr noundef nonnull readonly captures(none) %lane, ptr noundef %slots) unnamed_addr #0 {
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
  %call = call ptr @memcpy(ptr noundef nonnull %vla, ptr noundef %slots, i64 noundef %4) #12
  %idxprom7 = sext i32 %0 to i64
  %arrayidx8 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom7
  %5 = sext i32 %2 to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %entry ]
  %made.0 = phi i32 [ %made.1, %for.inc ], [ 0, %entry ]
  %status.0 = phi i32 [ %status.1, %for.inc ], [ 0, %entry ]
  %cmp = icmp slt i64 %indvars.iv, %5
  %cmp3 = icmp eq i32 %status.0, 0
  %6 = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %6, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  br i1 %cmp3, label %if.then33, label %if.end35
for.body:
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %7 = load i32, ptr %dtype, align 4
  %and = and i32 %7, 254
  %cmp4 = icmp ne i32 %and, 0
  %8 = load ptr, ptr %arrayidx8, align 8
  %call9 = call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx, ptr noundef %8) #10
  %cmp10 = icmp eq i64 %call9, 0
  %or.cond = select i1 %cmp4, i1 true, i1 %cmp10
  br i1 %or.cond, label %for.inc, label %lor.lhs.false11
lor.lhs.false11:
  %9 = trunc nuw nsw i64 %indvars.iv to i32
  %call12 = call signext i32 @tw_is_on_device(ptr noundef nonnull %slots, i32 noundef signext %9) #12
  %tobool.not = icmp eq i32 %call12, 0
  br i1 %tobool.not, label %for.inc, label %if.end
if.end:
  %call13 = call noalias ptr @malloc(i64 noundef %call9) #12
  %idxprom14 = sext i32 %made.0 to i64
  %arrayidx15 = getelementptr inbounds ptr, ptr %vla2, i64 %idxprom14
  store ptr %call13, ptr %arrayidx15, align 8
  %arrayidx19 = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %indvars.iv
  store ptr %call13, ptr %arrayidx19, align 8
  %cmp22 = icmp eq ptr %call13, null
  br i1 %cmp22, label %cond.true, label %cond.false
cond.true:
  %call23 = call fastcc signext i32 @fail_memory() #11
  br label %cond.end
cond.false:
  %arrayidx27 = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %indvars.iv
  %10 = load ptr, ptr %arrayidx27, align 8
  %call28 = call signext i32 @tw_device_read(ptr noundef nonnull %lane, ptr noundef nonnull %call13, ptr noundef %10, i64 noundef %call9) #10
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call23, %cond.true ], [ %call28, %cond.false ]
  %inc = add nsw i32 %made.0, 1
  br label %for.inc
for.inc:
  %made.1 = phi i32 [ %inc, %cond.end ], [ %made.0, %lor.lhs.false11 ], [ %made.0, %for.body ]
  %status.1 = phi i32 [ %cond, %cond.end ], [ 0, %lor.lhs.false11 ], [ 0, %for.body ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
if.then33:
  %call34 = call signext i32 @tw_device_check(ptr noundef nonnull %vla) #12
  br label %if.end35
if.end35:
  %status.2 = phi i32 [ %call34, %if.then33 ], [ %status.0, %for.cond.cleanup ]
  %11 = zext i32 %made.0 to i64
  br label %while.cond
while.cond:
  %indvars.iv22 = phi i64 [ %13, %while.body ], [ %11, %if.end35 ]
  %12 = trunc nuw i64 %indvars.iv22 to i32
  %cmp36 = icmp sgt i32 %12, 0
  br i1 %cmp36, label %while.body, label %while.end
while.body:
  %13 = add nsw i64 %indvars.iv22, -1
  %arrayidx38 = getelementptr inbounds nuw ptr, ptr %vla2, i64 %13
  %14 = load ptr, ptr %arrayidx38, align 8
  call void @free(ptr noundef %14) #12
  br label %while.cond
while.end:
  ret i32 %status.2
}

define internal fastcc signext range(i32 -1, 1) i32 @move(ptr noundef nonnull readonly captures(none) %lane, ptr noundef %slots, i1 noundef zeroext %is_input) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %idxprom = sext i32 %0 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8
  %2 = load i32, ptr @tw_inputs, align 4
  %cond = select i1 %is_input, i32 0, i32 %2
  %cond5 = select i1 %is_input, i32 %2, i32 %0
  %3 = getelementptr inbounds nuw i8, ptr %lane, i64 24
  %4 = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %5 = sext i32 %cond to i64
  %smax = tail call i32 @llvm.smax.i32(i32 %cond5, i32 %cond)
  %wide.trip.count = sext i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ %5, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %cleanup32, label %for.body
for.body:
  %arrayidx7 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %indvars.iv
  %call = tail call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx7, ptr noundef %1) #10
  %arrayidx9 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %indvars.iv
  %6 = load ptr, ptr %arrayidx9, align 8
  %cmp10 = icmp eq i64 %call, 0
  br i1 %cmp10, label %for.inc, label %lor.lhs.false
lor.lhs.false:
  %7 = trunc nsw i64 %indvars.iv to i32
  %call11 = tail call signext i32 @tw_is_on_device(ptr noundef nonnull %slots, i32 noundef signext %7) #12
  %tobool.not = icmp eq i32 %call11, 0
  br i1 %tobool.not, label %if.end, label %for.inc
if.end:
  %8 = load ptr, ptr %3, align 8
  %9 = load ptr, ptr %4, align 8
  %10 = getelementptr inbounds i64, ptr %8, i64 %indvars.iv
  %11 = load i64, ptr %10, align 8
  br i1 %is_input, label %cond.true13, label %cond.false18
cond.true13:
  %12 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %call16 = tail call signext i32 %12(i64 noundef %11, ptr noundef %6, i64 noundef %call, ptr noundef %9) #12
  %call17 = tail call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call16) #10
  br label %cond.end25
cond.false18:
  %13 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 72), align 8
  %call23 = tail call signext i32 %13(ptr noundef %6, i64 noundef %11, i64 noundef %call, ptr noundef %9) #12
  %call24 = tail call fastcc signext i32 @checked(i64 noundef 9, i32 noundef signext %call23) #10
  br label %cond.end25
cond.end25:
  %cond26 = phi i32 [ %call17, %cond.true13 ], [ %call24, %cond.false18 ]
  %cmp27.not = icmp eq i32 %cond26, 0
  br i1 %cmp27.not, label %for.inc, label %cleanup32
for.inc:
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  br label %for.cond
cleanup32:
  %14 = sext i32 %cond5 to i64
  %cmp.not = icmp slt i64 %indvars.iv, %14
  %spec.select = sext i1 %cmp.not to i32
  ret i32 %spec.select
}

define internal fastcc signext i32 @work(ptr noundef nonnull %lane, ptr noundef readonly captures(none) %slots) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_device_is_fixed, align 4
  %tobool.not = icmp eq i32 %0, 0
  br i1 %tobool.not, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %has_run = getelementptr inbounds nuw i8, ptr %lane, i64 80
  %1 = load i32, ptr %has_run, align 8
  %tobool1.not = icmp eq i32 %1, 0
  br i1 %tobool1.not, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @queue(ptr noundef %lane, ptr noundef %slots) #10
  br label %return
if.end:
  %executable = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %2 = load ptr, ptr %executable, align 8
  %cmp = icmp eq ptr %2, null
  br i1 %cmp, label %land.lhs.true, label %if.end5
land.lhs.true:
  %call2 = tail call fastcc signext i32 @capture(ptr noundef %lane, ptr noundef %slots) #11
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %land.lhs.true.if.end5_crit_edge, label %return
land.lhs.true.if.end5_crit_edge:
  %.pre = load ptr, ptr %executable, align 8
  br label %if.end5
if.end5:
  %3 = phi ptr [ %.pre, %land.lhs.true.if.end5_crit_edge ], [ %2, %if.end ]
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 128), align 8
  %stream = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %5 = load ptr, ptr %stream, align 8
  %call7 = tail call signext i32 %4(ptr noundef %3, ptr noundef %5) #12
  %call8 = tail call fastcc signext i32 @checked(i64 noundef 16, i32 noundef signext %call7) #10
  br label %return
return:
  %retval.0 = phi i32 [ %call, %if.then ], [ %call8, %if.end5 ], [ -1, %land.lhs.true ]
  ret i32 %retval.0
}

define internal fastcc i64 @bytes_of(ptr noundef readonly captures(none) %spec, ptr noundef readonly captures(none) %sizes) unnamed_addr #8 {
entry:
  %bytes1 = getelementptr inbounds nuw i8, ptr %spec, i64 24
  %0 = load i64, ptr %bytes1, align 8
  %rank = getelementptr inbounds nuw i8, ptr %spec, i64 40
  %1 = load i32, ptr %rank, align 8
  %shape = getelementptr inbounds nuw i8, ptr %spec, i64 16
  %smax = tail call i32 @llvm.smax.i32(i32 %1, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %entry ]
  %bytes.0 = phi i64 [ %bytes.1, %for.inc ], [ %0, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body
for.body:
  %2 = load ptr, ptr %shape, align 8
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %indvars.iv
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
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  br label %for.cond
for.end:
  ret i64 %bytes.0
}

declare hidden signext i32 @tw_is_on_device(ptr noundef, i32 noundef signext) local_unnamed_addr #6

declare hidden signext i32 @tw_device_check(ptr noundef) local_unnamed_addr #6

define internal fastcc signext i32 @queue(ptr noundef nonnull %lane, ptr noundef readonly captures(none) %slots) unnamed_addr #0 {
entry:
  %0 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %0, 2
  %1 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %1, align 8
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %smax = tail call i32 @llvm.smax.i32(i32 %0, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %for.cond
for.cond:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %entry ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body
for.body:
  %2 = load ptr, ptr %addresses, align 8
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %indvars.iv
  %3 = load i64, ptr %arrayidx, align 8
  %4 = inttoptr i64 %3 to ptr
  %arrayidx2 = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %indvars.iv
  store ptr %4, ptr %arrayidx2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
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
  %call = call signext i32 @tw_device_main(ptr noundef nonnull %vla, ptr noundef %9, ptr noundef nonnull %lane) #12
  ret i32 %call
}

define internal fastcc signext i32 @capture(ptr noundef nonnull %lane, ptr noundef readonly captures(none) %slots) unnamed_addr #1 {
entry:
  %graph = alloca ptr, align 8
  store ptr null, ptr %graph, align 8
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 104), align 8
  %stream = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %1 = load ptr, ptr %stream, align 8
  %call = tail call signext i32 %0(ptr noundef %1, i32 noundef signext 2) #12
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 13, i32 noundef signext %call) #10
  %cmp.not = icmp eq i32 %call1, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %call2 = tail call fastcc signext i32 @queue(ptr noundef %lane, ptr noundef %slots) #10
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 112), align 8
  %3 = load ptr, ptr %stream, align 8
  %call4 = call signext i32 %2(ptr noundef %3, ptr noundef nonnull %graph) #12
  %call5 = call fastcc signext i32 @checked(i64 noundef 14, i32 noundef signext %call4) #10
  %cmp6 = icmp eq i32 %call2, 0
  %cmp7 = icmp eq i32 %call5, 0
  %or.cond = select i1 %cmp6, i1 %cmp7, i1 false
  br i1 %or.cond, label %if.then8, label %if.end11
if.then8:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 120), align 8
  %executable = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %5 = load ptr, ptr %graph, align 8
  %call9 = call signext i32 %4(ptr noundef nonnull %executable, ptr noundef %5, i64 noundef 0) #12
  %call10 = call fastcc signext i32 @checked(i64 noundef 15, i32 noundef signext %call9) #10
  br label %if.end11
if.end11:
  %status.0 = phi i32 [ %call10, %if.then8 ], [ %call2, %if.end ]
  %6 = load ptr, ptr %graph, align 8
  %cmp12.not = icmp eq ptr %6, null
  br i1 %cmp12.not, label %if.end15, label %if.then13
if.then13:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 136), align 8
  %call14 = call signext i32 %7(ptr noundef nonnull %6) #12
  br label %if.end15
if.end15:
  %cmp16.not = icmp eq i32 %status.0, 0
  %cond = select i1 %cmp16.not, i32 %call5, i32 %status.0
  br label %cleanup
cleanup:
  %retval.0 = phi i32 [ %cond, %if.end15 ], [ -1, %entry ]
  ret i32 %retval.0
}

declare hidden signext i32 @tw_device_main(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #6

declare i64 @llvm.umax.i64(i64, i64) #9

declare i64 @llvm.smax.i64(i64, i64) #9

declare i32 @llvm.smax.i32(i32, i32) #9

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { cold noinline nounwind optsize "no-builtins" }
attributes #2 = { nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "no-builtins" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #6 = { "no-builtins" }
attributes #7 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "no-builtins" }
attributes #9 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { nobuiltin "no-builtins" }
attributes #11 = { cold nobuiltin "no-builtins" }
attributes #12 = { nobuiltin nounwind "no-builtins" }
