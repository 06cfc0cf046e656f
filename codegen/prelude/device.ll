; Generated from runtime/native/device.c by `make prelude` (ziglang 0.17.1); do not edit.
%struct.program = type { i8, i32, i32, ptr, ptr, ptr, i64, i64, [8 x ptr] }
%struct.driver = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.tw_device_kernel = type { ptr, [3 x i32], i32 }
%struct.tw_device_function = type { ptr, ptr }
%struct.tw_spec = type { ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }
%struct.graph = type { ptr, ptr, i32 }
%struct.tw_value = type { i32, i32, %union.tw_payload }
%union.tw_payload = type { i64 }
%union.tw_slot = type { ptr }
@programs = internal global [16 x %struct.program] zeroinitializer, align 64
@driver = internal global %struct.driver zeroinitializer, align 8
@tw_device_most_blocks = external hidden local_unnamed_addr constant [3 x i64], align 8
@tw_device_kernels = external hidden constant [0 x %struct.tw_device_kernel], align 8
@tw_arguments = external hidden local_unnamed_addr constant i32, align 4
@.str = private unnamed_addr constant [54 x i8] c"the first argument of a call on a stream is no stream\00", align 1
@.str.1 = private unnamed_addr constant [14 x i8] c"another value\00", align 1
@.str.2 = private unnamed_addr constant [37 x i8] c"pass the stream as an opaque pointer\00", align 1
@__tw_device_library = local_unnamed_addr global ptr null, align 8
@__tw_device_function = local_unnamed_addr global %struct.tw_device_function zeroinitializer, align 8
@tw_device_driver = external hidden local_unnamed_addr constant i32, align 4
@tw_device_hosts = external hidden local_unnamed_addr constant i32, align 4
@tw_device_most_buffers = external hidden local_unnamed_addr constant i32, align 4
@tw_symbol_count = external hidden local_unnamed_addr constant i32, align 4
@tw_given_count = external hidden local_unnamed_addr constant i32, align 4
@lock = internal global i32 0, align 4
@.str.3 = private unnamed_addr constant [8 x i8] c"%s (%d)\00", align 1
@.str.4 = private unnamed_addr constant [18 x i8] c"an unknown status\00", align 1
@.str.5 = private unnamed_addr constant [25 x i8] c"%s: %s fails\0A    got: %s\00", align 1
@tw_name = external hidden constant [0 x i8], align 1
@NAMES = internal constant [28 x [2 x [32 x i8]]] [[2 x [32 x i8]] [[32 x i8] c"cuInit\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipInit\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuGetErrorName\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipDrvGetErrorName\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuDeviceGet\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipDeviceGet\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuStreamCreate\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipStreamCreateWithFlags\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuStreamSynchronize\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipStreamSynchronize\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuStreamDestroy_v2\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipStreamDestroy\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuMemAlloc_v2\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipMalloc\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuMemFree_v2\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipFree\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuMemcpyHtoDAsync_v2\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipMemcpyHtoDAsync\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuMemcpyDtoHAsync_v2\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipMemcpyDtoHAsync\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuMemcpyDtoDAsync_v2\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipMemcpyDtoDAsync\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuModuleGetFunction\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipModuleGetFunction\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuLaunchKernel\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipModuleLaunchKernel\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuStreamBeginCapture_v2\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipStreamBeginCapture\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuStreamEndCapture\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipStreamEndCapture\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuGraphInstantiateWithFlags\00\00\00\00\00", [32 x i8] c"hipGraphInstantiateWithFlags\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuGraphLaunch\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipGraphLaunch\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuGraphDestroy\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipGraphDestroy\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuGraphExecDestroy\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipGraphExecDestroy\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuModuleLoadDataEx\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] zeroinitializer], [2 x [32 x i8]] [[32 x i8] zeroinitializer, [32 x i8] c"hipModuleLoadData\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuModuleUnload\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"hipModuleUnload\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] c"cuDevicePrimaryCtxRetain\00\00\00\00\00\00\00\00", [32 x i8] zeroinitializer], [2 x [32 x i8]] [[32 x i8] c"cuCtxPushCurrent_v2\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] zeroinitializer], [2 x [32 x i8]] [[32 x i8] c"cuCtxPopCurrent_v2\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] zeroinitializer], [2 x [32 x i8]] [[32 x i8] c"cuFuncSetAttribute\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] zeroinitializer], [2 x [32 x i8]] [[32 x i8] zeroinitializer, [32 x i8] c"hipGetDevice\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"], [2 x [32 x i8]] [[32 x i8] zeroinitializer, [32 x i8] c"hipSetDevice\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"]], align 1
@.str.6 = private unnamed_addr constant [12 x i8] c"MemoryError\00", align 1
@.str.7 = private unnamed_addr constant [13 x i8] c"RuntimeError\00", align 1
@.str.8 = private unnamed_addr constant [48 x i8] c"%s: no memory of the host for a call on the GPU\00", align 1
@.str.9 = private unnamed_addr constant [51 x i8] c"the sizes of a call give kernel %s too many blocks\00", align 1
@.str.10 = private unnamed_addr constant [17 x i8] c"%lld, %lld, %lld\00", align 1
@.str.11 = private unnamed_addr constant [24 x i8] c"call with smaller sizes\00", align 1
@tw_specs = external hidden constant [0 x %struct.tw_spec], align 8
@.str.12 = private unnamed_addr constant [37 x i8] c"the arguments are on several devices\00", align 1
@.str.13 = private unnamed_addr constant [24 x i8] c"copy them to one device\00", align 1
@.str.14 = private unnamed_addr constant [38 x i8] c"the number of the device is too large\00", align 1
@.str.15 = private unnamed_addr constant [32 x i8] c"use one of the first 16 devices\00", align 1
@__tw_kernels_code = external constant [0 x i8], align 1
@tw_device_kernel_count = external hidden local_unnamed_addr constant i32, align 4
@has_driver = internal unnamed_addr global i1 false, align 1
@.str.16 = private unnamed_addr constant [30 x i8] c"no function drives the device\00", align 1
@.str.17 = private unnamed_addr constant [28 x i8] c"a null __tw_device_function\00", align 1
@.str.18 = private unnamed_addr constant [53 x i8] c"call the module from Python, which sets the function\00", align 1
@.str.19 = private unnamed_addr constant [46 x i8] c"the process cannot open the driver of the GPU\00", align 1
@.str.20 = private unnamed_addr constant [19 x i8] c"no function dlopen\00", align 1
@.str.21 = private unnamed_addr constant [56 x i8] c"call the module from a program with a dynamic C library\00", align 1
@FILES = internal constant [2 x [3 x [32 x i8]]] [[3 x [32 x i8]] [[32 x i8] c"libcuda.so.1\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] zeroinitializer, [32 x i8] zeroinitializer], [3 x [32 x i8]] [[32 x i8] c"libamdhip64.so\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"libamdhip64.so.7\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", [32 x i8] c"libamdhip64.so.6\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"]], align 1
@.str.22 = private unnamed_addr constant [33 x i8] c"the driver of the GPU is missing\00", align 1
@.str.23 = private unnamed_addr constant [50 x i8] c"install the driver, or compile for another target\00", align 1
@.str.24 = private unnamed_addr constant [39 x i8] c"the driver of the GPU lacks a function\00", align 1
@.str.25 = private unnamed_addr constant [23 x i8] c"install a newer driver\00", align 1
@load_code.OPTIONS = internal constant [2 x i32] [i32 5, i32 6], align 4
@.str.26 = private unnamed_addr constant [43 x i8] c"the driver refuses the code of the kernels\00", align 1
@.str.27 = private unnamed_addr constant [43 x i8] c"compile for the architecture of the device\00", align 1
@tw_weights_bytes = external hidden local_unnamed_addr constant i64, align 8
@__tw_weights = external local_unnamed_addr global ptr, align 8
@tw_inputs = external hidden local_unnamed_addr constant i32, align 4
@tw_device_has_checks = external hidden local_unnamed_addr constant i32, align 4
@tw_arena_bytes = external hidden local_unnamed_addr constant i64, align 8
@tw_expression_count = external hidden local_unnamed_addr constant i32, align 4
@tw_device_is_fixed = external hidden local_unnamed_addr constant i32, align 4
@.str.28 = private unnamed_addr constant [36 x i8] c"%s: %s\0A    got: %.500s\0A    hint: %s\00", align 1
define hidden void @tw_release_device() local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %before = alloca i32, align 4
  br label %for.cond
for.cond:
  %inc13.sink = phi i32 [ %inc13, %cleanup ], [ 0, %0 ]
  %cmp = icmp samesign ult i32 %inc13.sink, 16
  br i1 %cmp, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  ret void
for.body:
  %idxprom = zext nneg i32 %inc13.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.program, ptr @programs, i64 %idxprom
  store i32 0, ptr %before, align 4
  %1 = load i8, ptr %arrayidx, align 8
  %loadedv = trunc i8 %1 to i1
  br i1 %loadedv, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %call = call fastcc signext i32 @enter_device(ptr noundef nonnull %arrayidx, ptr noundef %before)
  %cmp1.not = icmp eq i32 %call, 0
  br i1 %cmp1.not, label %for.cond2, label %cleanup
for.cond2:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %lor.lhs.false ]
  %cmp3 = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp3, label %for.body5, label %for.cond.cleanup4
for.cond.cleanup4:
  call fastcc void @acquire()
  call fastcc void @close_program(ptr noundef nonnull %arrayidx) cold
  call fastcc void @release()
  %2 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %2)
  br label %cleanup
for.body5:
  %lanes = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  %idxprom6 = zext nneg i32 %inc.sink to i64
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %lanes, i64 %idxprom6
  %3 = atomicrmw xchg ptr %arrayidx7, i64 0 acq_rel, align 8
  %cmp8.not = icmp eq i64 %3, 0
  br i1 %cmp8.not, label %for.inc, label %if.then9
if.then9:
  %4 = inttoptr i64 %3 to ptr
  call fastcc void @free_lane(ptr noundef nonnull %4) cold
  br label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond2
cleanup:
  %inc13 = add nuw nsw i32 %inc13.sink, 1
  br label %for.cond
}
define internal fastcc signext i32 @enter_device(ptr noundef readonly captures(none) %program, ptr noundef nonnull %before) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %return, label %if.end
if.end:
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %1, 0
  br i1 %cmp, label %if.then1, label %if.end4
if.then1:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 184), align 8
  %context = getelementptr inbounds nuw i8, ptr %program, i64 16
  %3 = load ptr, ptr %context, align 8
  %call2 = tail call signext i32 %2(ptr noundef %3)
  %call3 = tail call fastcc signext i32 @checked(i64 noundef 23, i32 noundef signext %call2)
  br label %return
if.end4:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 208), align 8
  %call5 = tail call signext i32 %4(ptr noundef nonnull %before)
  %call6 = tail call fastcc signext i32 @checked(i64 noundef 26, i32 noundef signext %call5)
  %cmp7.not = icmp eq i32 %call6, 0
  br i1 %cmp7.not, label %cond.false, label %return
cond.false:
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 216), align 8
  %handle = getelementptr inbounds nuw i8, ptr %program, i64 8
  %6 = load i32, ptr %handle, align 8
  %call8 = tail call signext i32 %5(i32 noundef signext %6)
  %call9 = tail call fastcc signext i32 @checked(i64 noundef 27, i32 noundef signext %call8)
  br label %return
return:
  %cond.sink = phi i32 [ 0, %0 ], [ %call3, %if.then1 ], [ %call9, %cond.false ], [ %call6, %if.end4 ]
  ret i32 %cond.sink
}
define internal fastcc void @free_lane(ptr noundef %lane) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp, label %for.body, label %for.cond5.preheader
for.cond5.preheader:
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 32
  br label %for.cond5
for.body:
  %graphs = getelementptr inbounds nuw i8, ptr %lane, i64 72
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.graph, ptr %graphs, i64 %idxprom
  tail call fastcc void @drop_graph(ptr noundef nonnull %arrayidx)
  %1 = load ptr, ptr %arrayidx, align 8
  tail call void @free(ptr noundef %1)
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.cond5:
  %inc19.sink = phi i32 [ %inc19, %for.inc18 ], [ 0, %for.cond5.preheader ]
  %2 = load ptr, ptr %blocks, align 8
  %cmp6.not = icmp eq ptr %2, null
  br i1 %cmp6.not, label %for.end20, label %land.rhs
land.rhs:
  %call = tail call fastcc signext i32 @block_count()
  %cmp7 = icmp slt i32 %inc19.sink, %call
  br i1 %cmp7, label %for.body9, label %for.end20
for.body9:
  %idxprom11 = zext nneg i32 %inc19.sink to i64
  %arrayidx12 = getelementptr inbounds nuw i64, ptr %2, i64 %idxprom11
  %3 = load i64, ptr %arrayidx12, align 8
  %cmp13.not = icmp eq i64 %3, 0
  br i1 %cmp13.not, label %for.inc18, label %if.then
if.then:
  %program = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %4 = load ptr, ptr %program, align 8
  %call17 = tail call fastcc signext i32 @free_memory(ptr noundef %4, i64 noundef %3)
  br label %for.inc18
for.inc18:
  %inc19 = add nuw nsw i32 %inc19.sink, 1
  br label %for.cond5
for.end20:
  %own = getelementptr inbounds nuw i8, ptr %lane, i64 24
  %5 = load ptr, ptr %own, align 8
  %cmp21.not = icmp eq ptr %5, null
  br i1 %cmp21.not, label %for.cond27.preheader, label %if.then22
if.then22:
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 40), align 8
  %call24 = tail call signext i32 %6(ptr noundef nonnull %5)
  br label %for.cond27.preheader
for.cond27.preheader:
  %hosts = getelementptr inbounds nuw i8, ptr %lane, i64 56
  br label %for.cond27
for.cond27:
  %inc38.sink = phi i32 [ %inc38, %for.body33 ], [ 0, %for.cond27.preheader ]
  %7 = load ptr, ptr %hosts, align 8
  %cmp28 = icmp ne ptr %7, null
  %8 = load i32, ptr @tw_device_hosts, align 4
  %cmp30 = icmp slt i32 %inc38.sink, %8
  %9 = select i1 %cmp28, i1 %cmp30, i1 false
  br i1 %9, label %for.body33, label %for.end39
for.body33:
  %idxprom35 = zext nneg i32 %inc38.sink to i64
  %arrayidx36 = getelementptr inbounds nuw ptr, ptr %7, i64 %idxprom35
  %10 = load ptr, ptr %arrayidx36, align 8
  tail call void @free(ptr noundef %10)
  %inc38 = add nuw nsw i32 %inc38.sink, 1
  br label %for.cond27
for.end39:
  %11 = load ptr, ptr %blocks, align 8
  tail call void @free(ptr noundef %11)
  %bytes = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %12 = load ptr, ptr %bytes, align 8
  tail call void @free(ptr noundef %12)
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 48
  %13 = load ptr, ptr %addresses, align 8
  tail call void @free(ptr noundef %13)
  %14 = load ptr, ptr %hosts, align 8
  tail call void @free(ptr noundef %14)
  %host_bytes = getelementptr inbounds nuw i8, ptr %lane, i64 64
  %15 = load ptr, ptr %host_bytes, align 8
  tail call void @free(ptr noundef %15)
  tail call void @free(ptr noundef nonnull %lane)
  ret void
}
define internal fastcc void @acquire() unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %while.cond
while.cond:
  %1 = atomicrmw xchg ptr @lock, i32 1 acquire, align 4
  %cmp.not = icmp eq i32 %1, 0
  br i1 %cmp.not, label %while.end5, label %while.cond1
while.cond1:
  %2 = load atomic i32, ptr @lock monotonic, align 4
  %cmp3.not = icmp eq i32 %2, 0
  br i1 %cmp3.not, label %while.cond, label %while.cond1
while.end5:
  ret void
}
define internal fastcc void @close_program(ptr noundef captures(none) %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %weights = getelementptr inbounds nuw i8, ptr %program, i64 40
  %1 = load i64, ptr %weights, align 8
  %cmp.not = icmp eq i64 %1, 0
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %call = tail call fastcc signext i32 @free_memory(ptr noundef nonnull %program, i64 noundef %1)
  br label %if.end
if.end:
  %module = getelementptr inbounds nuw i8, ptr %program, i64 24
  %2 = load ptr, ptr %module, align 8
  %cmp2.not = icmp eq ptr %2, null
  br i1 %cmp2.not, label %if.end6, label %if.then3
if.then3:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 168), align 8
  %call5 = tail call signext i32 %3(ptr noundef nonnull %2)
  br label %if.end6
if.end6:
  %kernels = getelementptr inbounds nuw i8, ptr %program, i64 32
  %4 = load ptr, ptr %kernels, align 8
  tail call void @free(ptr noundef %4)
  store i64 0, ptr %weights, align 8
  store ptr null, ptr %module, align 8
  store ptr null, ptr %kernels, align 8
  store i8 0, ptr %program, align 8
  ret void
}
define internal fastcc void @release() unnamed_addr minsize nounwind optsize "no-builtins" {
  store atomic i32 0, ptr @lock release, align 4
  ret void
}
define internal fastcc void @leave_device(i32 noundef signext %before) unnamed_addr minsize nounwind optsize "no-builtins" {
  %popped = alloca ptr, align 8
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %cleanup, label %if.end
if.end:
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %1, 0
  br i1 %cmp, label %if.then1, label %if.else
if.then1:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 192), align 8
  %call2 = call signext i32 %2(ptr noundef nonnull %popped)
  br label %cleanup
if.else:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 216), align 8
  %call3 = tail call signext i32 %3(i32 noundef signext %before)
  br label %cleanup
cleanup:
  ret void
}
define hidden signext i32 @tw_device_copy(ptr noundef readonly captures(none) %device, ptr noundef %target, ptr noundef %source, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %.compoundliteral = alloca [3 x i64], align 8
  %cmp = icmp eq i64 %bytes, 0
  %cmp1 = icmp eq ptr %target, %source
  %or.cond = or i1 %cmp1, %cmp
  br i1 %or.cond, label %return, label %if.end
if.end:
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %if.then2, label %if.end7
if.then2:
  %program = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %program, align 8
  %number = getelementptr inbounds nuw i8, ptr %1, i64 4
  %2 = load i32, ptr %number, align 4
  %call3 = tail call fastcc i64 @number_of(ptr noundef %target)
  store i64 %call3, ptr %.compoundliteral, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 8
  %call4 = tail call fastcc i64 @number_of(ptr noundef %source)
  store i64 %call4, ptr %arrayinit.element, align 8
  %arrayinit.element5 = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 16
  store i64 %bytes, ptr %arrayinit.element5, align 8
  %call6 = call fastcc signext i32 @ask(i32 noundef signext 5, i32 noundef signext %2, ptr noundef nonnull %.compoundliteral, i32 noundef signext 3, ptr noundef null)
  br label %return
if.end7:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 80), align 8
  %call8 = tail call fastcc i64 @number_of(ptr noundef %target)
  %call9 = tail call fastcc i64 @number_of(ptr noundef %source)
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 16
  %4 = load ptr, ptr %stream, align 8
  %call10 = tail call signext i32 %3(i64 noundef %call8, i64 noundef %call9, i64 noundef %bytes, ptr noundef %4)
  %call11 = tail call fastcc signext i32 @checked(i64 noundef 10, i32 noundef signext %call10)
  br label %return
return:
  %call11.sink = phi i32 [ %call11, %if.end7 ], [ %call6, %if.then2 ], [ 0, %0 ]
  ret i32 %call11.sink
}
define internal fastcc zeroext i1 @is_asked() unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load ptr, ptr @__tw_device_function, align 8
  %cmp = icmp ne ptr %1, null
  ret i1 %cmp
}
define internal fastcc signext range(i32 -1, 1) i32 @ask(i32 noundef signext range(i32 0, 8) %action, i32 noundef signext %device, ptr noundef readonly captures(none) %given, i32 noundef signext range(i32 0, 11) %count, ptr noundef writeonly captures(address_is_null) %result) unnamed_addr minsize nounwind optsize "no-builtins" {
  %args = alloca [16 x %struct.tw_value], align 8
  %made = alloca %struct.tw_value, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(256) %args, i8 0, i64 256, i1 false)
  store i32 1, ptr %args, align 8
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %conv = zext nneg i32 %action to i64
  store i64 %conv, ptr %payload, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %args, i64 16
  store i32 1, ptr %arrayinit.element, align 8
  %payload3 = getelementptr inbounds nuw i8, ptr %args, i64 24
  %conv4 = sext i32 %device to i64
  store i64 %conv4, ptr %payload3, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %made, i8 0, i64 16, i1 false)
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp samesign ult i32 %inc.sink, %count
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %1 = zext nneg i32 %inc.sink to i64
  %2 = getelementptr inbounds nuw %struct.tw_value, ptr %args, i64 %1
  %arrayidx = getelementptr inbounds nuw i8, ptr %2, i64 32
  store i32 1, ptr %arrayidx, align 8
  %arrayidx8 = getelementptr inbounds nuw i64, ptr %given, i64 %1
  %3 = load i64, ptr %arrayidx8, align 8
  %payload12 = getelementptr inbounds nuw i8, ptr %2, i64 40
  store i64 %3, ptr %payload12, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %4 = load ptr, ptr @__tw_device_function, align 8
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__tw_device_function, i64 8), align 8
  %add13 = add nuw nsw i32 %count, 2
  %call = call signext i32 %4(ptr noundef %5, ptr noundef nonnull %args, i32 noundef signext %add13, ptr noundef nonnull %made)
  %cmp14.not = icmp eq ptr %result, null
  br i1 %cmp14.not, label %if.end, label %if.then
if.then:
  %payload16 = getelementptr inbounds nuw i8, ptr %made, i64 8
  %6 = load i64, ptr %payload16, align 8
  store i64 %6, ptr %result, align 8
  br label %if.end
if.end:
  %cmp17 = icmp ne i32 %call, 0
  %cond = sext i1 %cmp17 to i32
  ret i32 %cond
}
define internal fastcc noundef i64 @number_of(ptr noundef %address) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = ptrtoint ptr %address to i64
  ret i64 %1
}
define internal fastcc signext i32 @checked(i64 noundef range(i64 0, 28) %position, i32 noundef signext %status) unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp eq i32 %status, 0
  br i1 %cmp, label %cond.end, label %cond.false
cond.false:
  %call = tail call fastcc signext i32 @fail_call(i64 noundef %position, i32 noundef signext %status) cold
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call, %cond.false ], [ 0, %0 ]
  ret i32 %cond
}
define hidden signext range(i32 -1, 1) i32 @tw_device_concat(ptr noundef readonly captures(none) %device, ptr noundef readonly captures(none) %addresses, i64 noundef %operands) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %arrayidx = getelementptr inbounds nuw i8, ptr %addresses, i64 8
  %1 = load ptr, ptr %arrayidx, align 8
  %2 = load i64, ptr %1, align 8
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %3 = load i64, ptr %arrayidx2, align 8
  br label %for.cond
for.cond:
  %inc25.sink = phi i64 [ %inc25, %for.inc24 ], [ 0, %0 ]
  %cmp.not = icmp slt i64 %inc25.sink, %2
  br i1 %cmp.not, label %for.cond3, label %cleanup26
for.cond3:
  %inc.sink = phi i64 [ %inc, %for.body6 ], [ 0, %for.cond ]
  %cmp4.not = icmp slt i64 %inc.sink, %operands
  br i1 %cmp4.not, label %for.body6, label %for.inc24
for.body6:
  %.idx = shl nuw nsw i64 %inc.sink, 4
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 %.idx
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %5 = load i64, ptr %arrayidx7, align 8
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %4, i64 24
  %6 = load i64, ptr %arrayidx10, align 8
  %7 = load ptr, ptr %addresses, align 8
  %mul12 = mul nsw i64 %inc25.sink, %3
  %add.ptr = getelementptr inbounds i8, ptr %7, i64 %mul12
  %add.ptr13 = getelementptr inbounds i8, ptr %add.ptr, i64 %5
  %8 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %inc.sink
  %arrayidx15 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %9 = load ptr, ptr %arrayidx15, align 8
  %mul16 = mul nsw i64 %6, %inc25.sink
  %add.ptr17 = getelementptr inbounds i8, ptr %9, i64 %mul16
  %call = tail call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %add.ptr13, ptr noundef %add.ptr17, i64 noundef %6)
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
  %cmp = icmp eq i64 %bytes, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %program = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %program, align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %address)
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 16
  %2 = load ptr, ptr %stream, align 8
  %call1 = tail call fastcc signext i32 @read(ptr noundef %1, ptr noundef %host, i64 noundef %call, i64 noundef %bytes, ptr noundef %2)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %return
if.end4:
  %3 = load ptr, ptr %program, align 8
  %4 = load ptr, ptr %stream, align 8
  %call7 = tail call fastcc signext i32 @wait(ptr noundef %3, ptr noundef %4)
  br label %return
return:
  %call7.sink = phi i32 [ %call7, %if.end4 ], [ 0, %0 ], [ -1, %if.end ]
  ret i32 %call7.sink
}
define internal fastcc signext i32 @read(ptr noundef readonly captures(none) %program, ptr noundef %host, i64 noundef %source, i64 noundef range(i64 1, 0) %bytes, ptr noundef %stream) unnamed_addr minsize nounwind optsize "no-builtins" {
  %.compoundliteral = alloca [3 x i64], align 8
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %if.then, label %if.end
if.then:
  %number = getelementptr inbounds nuw i8, ptr %program, i64 4
  %1 = load i32, ptr %number, align 4
  %call1 = tail call fastcc i64 @host_number(ptr noundef %host)
  store i64 %call1, ptr %.compoundliteral, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 8
  store i64 %source, ptr %arrayinit.element, align 8
  %arrayinit.element2 = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 16
  store i64 %bytes, ptr %arrayinit.element2, align 8
  %call3 = call fastcc signext i32 @ask(i32 noundef signext 4, i32 noundef signext %1, ptr noundef nonnull %.compoundliteral, i32 noundef signext 3, ptr noundef null)
  br label %return
if.end:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 72), align 8
  %call4 = tail call signext i32 %2(ptr noundef %host, i64 noundef %source, i64 noundef %bytes, ptr noundef %stream)
  %call5 = tail call fastcc signext i32 @checked(i64 noundef 9, i32 noundef signext %call4)
  br label %return
return:
  %call5.sink = phi i32 [ %call5, %if.end ], [ %call3, %if.then ]
  ret i32 %call5.sink
}
define internal fastcc signext i32 @wait(ptr noundef readonly captures(none) %program, ptr noundef %stream) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %cond.true, label %cond.false
cond.true:
  %number = getelementptr inbounds nuw i8, ptr %program, i64 4
  %1 = load i32, ptr %number, align 4
  %call1 = tail call fastcc signext i32 @ask(i32 noundef signext 7, i32 noundef signext %1, ptr noundef null, i32 noundef signext 0, ptr noundef null)
  br label %cond.end
cond.false:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 32), align 8
  %call2 = tail call signext i32 %2(ptr noundef %stream)
  %call3 = tail call fastcc signext i32 @checked(i64 noundef 4, i32 noundef signext %call2)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call1, %cond.true ], [ %call3, %cond.false ]
  ret i32 %cond
}
define hidden signext i32 @tw_device_write(ptr noundef readonly captures(none) %device, ptr noundef %address, ptr noundef %host, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %cmp = icmp eq i64 %bytes, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %program = getelementptr inbounds nuw i8, ptr %device, i64 8
  %1 = load ptr, ptr %program, align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %address)
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 16
  %2 = load ptr, ptr %stream, align 8
  %call1 = tail call fastcc signext i32 @write(ptr noundef %1, i64 noundef %call, ptr noundef %host, i64 noundef %bytes, ptr noundef %2)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end4, label %return
if.end4:
  %3 = load ptr, ptr %program, align 8
  %4 = load ptr, ptr %stream, align 8
  %call7 = tail call fastcc signext i32 @wait(ptr noundef %3, ptr noundef %4)
  br label %return
return:
  %call7.sink = phi i32 [ %call7, %if.end4 ], [ 0, %0 ], [ -1, %if.end ]
  ret i32 %call7.sink
}
define internal fastcc signext i32 @write(ptr noundef readonly captures(none) %program, i64 noundef %target, ptr noundef %host, i64 noundef range(i64 1, 0) %bytes, ptr noundef %stream) unnamed_addr minsize nounwind optsize "no-builtins" {
  %.compoundliteral = alloca [3 x i64], align 8
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %if.then, label %if.end
if.then:
  %number = getelementptr inbounds nuw i8, ptr %program, i64 4
  %1 = load i32, ptr %number, align 4
  store i64 %target, ptr %.compoundliteral, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 8
  %call1 = tail call fastcc i64 @host_number(ptr noundef %host)
  store i64 %call1, ptr %arrayinit.element, align 8
  %arrayinit.element2 = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 16
  store i64 %bytes, ptr %arrayinit.element2, align 8
  %call3 = call fastcc signext i32 @ask(i32 noundef signext 3, i32 noundef signext %1, ptr noundef nonnull %.compoundliteral, i32 noundef signext 3, ptr noundef null)
  br label %return
if.end:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 64), align 8
  %call4 = tail call signext i32 %2(i64 noundef %target, ptr noundef %host, i64 noundef %bytes, ptr noundef %stream)
  %call5 = tail call fastcc signext i32 @checked(i64 noundef 8, i32 noundef signext %call4)
  br label %return
return:
  %call5.sink = phi i32 [ %call5, %if.end ], [ %call3, %if.then ]
  ret i32 %call5.sink
}
define hidden ptr @tw_device_host(ptr noundef readonly captures(none) %device, i32 noundef signext %number, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %hosts = getelementptr inbounds nuw i8, ptr %device, i64 56
  %1 = load ptr, ptr %hosts, align 8
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds ptr, ptr %1, i64 %idxprom
  %2 = load ptr, ptr %arrayidx, align 8
  %cmp = icmp eq ptr %2, null
  br i1 %cmp, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %host_bytes = getelementptr inbounds nuw i8, ptr %device, i64 64
  %3 = load ptr, ptr %host_bytes, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %3, i64 %idxprom
  %4 = load i64, ptr %arrayidx2, align 8
  %cmp3 = icmp ult i64 %4, %bytes
  br i1 %cmp3, label %if.then, label %if.end
if.then:
  tail call void @free(ptr noundef %2)
  %add = add i64 %bytes, 1
  %call = tail call noalias ptr @malloc(i64 noundef %add)
  %5 = load ptr, ptr %hosts, align 8
  %arrayidx9 = getelementptr inbounds ptr, ptr %5, i64 %idxprom
  store ptr %call, ptr %arrayidx9, align 8
  %6 = load ptr, ptr %hosts, align 8
  %arrayidx12 = getelementptr inbounds ptr, ptr %6, i64 %idxprom
  %7 = load ptr, ptr %arrayidx12, align 8
  %cmp13 = icmp eq ptr %7, null
  %cond = select i1 %cmp13, i64 0, i64 %bytes
  %host_bytes14 = getelementptr inbounds nuw i8, ptr %device, i64 64
  %8 = load ptr, ptr %host_bytes14, align 8
  %arrayidx16 = getelementptr inbounds i64, ptr %8, i64 %idxprom
  store i64 %cond, ptr %arrayidx16, align 8
  br label %if.end
if.end:
  %9 = load ptr, ptr %hosts, align 8
  %arrayidx19 = getelementptr inbounds ptr, ptr %9, i64 %idxprom
  %10 = load ptr, ptr %arrayidx19, align 8
  %cmp20 = icmp eq ptr %10, null
  br i1 %cmp20, label %if.then21, label %if.end23
if.then21:
  %call22 = tail call fastcc signext i32 @fail_memory() cold
  br label %if.end23
if.end23:
  %11 = load ptr, ptr %hosts, align 8
  %arrayidx26 = getelementptr inbounds ptr, ptr %11, i64 %idxprom
  %12 = load ptr, ptr %arrayidx26, align 8
  ret ptr %12
}
define internal fastcc signext i32 @fail_memory() unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.8, ptr noundef nonnull @tw_name)
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.6, ptr noundef nonnull %message)
  ret i32 %call2
}
define hidden ptr @tw_device_fetch(ptr noundef readonly captures(none) %device, i32 noundef signext %number, ptr noundef %address, i64 noundef %bytes) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call ptr @tw_device_host(ptr noundef %device, i32 noundef signext %number, i64 noundef %bytes)
  %cmp.not = icmp eq ptr %call, null
  br i1 %cmp.not, label %land.end, label %land.rhs
land.rhs:
  %call1 = tail call signext i32 @tw_device_read(ptr noundef %device, ptr noundef nonnull %call, ptr noundef %address, i64 noundef %bytes)
  %cmp2 = icmp eq i32 %call1, 0
  %1 = select i1 %cmp2, ptr %call, ptr null
  br label %land.end
land.end:
  %cond = phi ptr [ null, %0 ], [ %1, %land.rhs ]
  ret ptr %cond
}
define hidden signext i32 @tw_device_launch(ptr noundef captures(none) %device, i32 noundef signext %kernel, ptr noundef %addresses, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %.compoundliteral.i = alloca [10 x i64], align 8
  %1 = load i64, ptr %numbers, align 8
  %cmp = icmp eq i64 %1, 0
  br i1 %cmp, label %return, label %lor.lhs.false
lor.lhs.false:
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %numbers, i64 8
  %2 = load i64, ptr %arrayidx1, align 8
  %cmp2 = icmp eq i64 %2, 0
  br i1 %cmp2, label %return, label %lor.lhs.false3
lor.lhs.false3:
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %numbers, i64 16
  %3 = load i64, ptr %arrayidx4, align 8
  %cmp5 = icmp eq i64 %3, 0
  br i1 %cmp5, label %return, label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %lor.lhs.false3 ]
  %cmp6 = icmp slt i32 %inc.sink, %buffers
  br i1 %cmp6, label %for.body, label %for.end
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom
  %4 = load ptr, ptr %arrayidx7, align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %4)
  %program = getelementptr inbounds nuw i8, ptr %device, i64 8
  %5 = load ptr, ptr %program, align 8
  %alignment = getelementptr inbounds nuw i8, ptr %5, i64 48
  %6 = load i64, ptr %alignment, align 8
  %sub = add i64 %6, -1
  %and = and i64 %sub, %call
  %cmp8.not = icmp eq i64 %and, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp8.not, label %for.cond, label %cleanup
cleanup:
  %call10 = tail call fastcc signext i32 @launch_copies(ptr noundef nonnull %device, i32 noundef signext %kernel, ptr noundef nonnull %addresses, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef nonnull %numbers, i32 noundef signext %count) cold
  br label %return
for.end:
  %7 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tw_device_most_blocks, i64 8), align 8
  %cmp.i = icmp sgt i64 %2, %7
  %8 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tw_device_most_blocks, i64 16), align 8
  %cmp4.i = icmp sgt i64 %3, %8
  %9 = select i1 %cmp4.i, i64 2, i64 0
  %cond5.i = select i1 %cmp.i, i64 1, i64 %9
  %arrayidx7.i = getelementptr inbounds nuw i64, ptr %numbers, i64 %cond5.i
  %10 = load i64, ptr %arrayidx7.i, align 8
  store i64 %10, ptr %numbers, align 8
  store i64 %1, ptr %arrayidx7.i, align 8
  br label %for.cond12
for.cond12:
  %inc25.sink = phi i32 [ %inc25, %for.body15 ], [ 0, %for.end ]
  %cmp13 = icmp samesign ult i32 %inc25.sink, 3
  br i1 %cmp13, label %for.body15, label %for.end28
for.body15:
  %idxprom16 = zext nneg i32 %inc25.sink to i64
  %arrayidx17 = getelementptr inbounds nuw i64, ptr %numbers, i64 %idxprom16
  %11 = load i64, ptr %arrayidx17, align 8
  %arrayidx19 = getelementptr inbounds nuw i64, ptr @tw_device_most_blocks, i64 %idxprom16
  %12 = load i64, ptr %arrayidx19, align 8
  %cmp20 = icmp sgt i64 %11, %12
  %inc25 = add nuw nsw i32 %inc25.sink, 1
  br i1 %cmp20, label %cleanup26, label %for.cond12
cleanup26:
  %call22 = tail call fastcc signext i32 @fail_grid(i32 noundef signext %kernel, ptr noundef nonnull %numbers) cold
  br label %return
for.end28:
  %call29 = tail call fastcc zeroext i1 @is_asked()
  br i1 %call29, label %if.then30, label %if.end32
if.then30:
  %idxprom.i = sext i32 %kernel to i64
  %arrayidx.i48 = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom.i
  %program.i = getelementptr inbounds nuw i8, ptr %device, i64 8
  %13 = load ptr, ptr %program.i, align 8
  %number.i = getelementptr inbounds nuw i8, ptr %13, i64 4
  %14 = load i32, ptr %number.i, align 4
  store i64 %idxprom.i, ptr %.compoundliteral.i, align 8
  %arrayinit.element.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 8
  %block.i = getelementptr inbounds nuw i8, ptr %arrayidx.i48, i64 8
  %15 = load i32, ptr %block.i, align 8
  %conv2.i = sext i32 %15 to i64
  store i64 %conv2.i, ptr %arrayinit.element.i, align 8
  %arrayinit.element3.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 16
  %arrayidx5.i = getelementptr inbounds nuw i8, ptr %arrayidx.i48, i64 12
  %16 = load i32, ptr %arrayidx5.i, align 4
  %conv6.i = sext i32 %16 to i64
  store i64 %conv6.i, ptr %arrayinit.element3.i, align 8
  %arrayinit.element7.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 24
  %arrayidx9.i = getelementptr inbounds nuw i8, ptr %arrayidx.i48, i64 16
  %17 = load i32, ptr %arrayidx9.i, align 8
  %conv10.i = sext i32 %17 to i64
  store i64 %conv10.i, ptr %arrayinit.element7.i, align 8
  %arrayinit.element11.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 32
  %shared_bytes.i = getelementptr inbounds nuw i8, ptr %arrayidx.i48, i64 20
  %18 = load i32, ptr %shared_bytes.i, align 4
  %conv12.i = sext i32 %18 to i64
  store i64 %conv12.i, ptr %arrayinit.element11.i, align 8
  %arrayinit.element13.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 40
  %call.i = tail call fastcc i64 @host_number(ptr noundef %addresses)
  store i64 %call.i, ptr %arrayinit.element13.i, align 8
  %arrayinit.element14.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 48
  %call15.i = tail call fastcc i64 @host_number(ptr noundef %bytes)
  store i64 %call15.i, ptr %arrayinit.element14.i, align 8
  %arrayinit.element16.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 56
  %conv17.i = sext i32 %buffers to i64
  store i64 %conv17.i, ptr %arrayinit.element16.i, align 8
  %arrayinit.element18.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 64
  %call19.i = tail call fastcc i64 @host_number(ptr noundef nonnull %numbers)
  store i64 %call19.i, ptr %arrayinit.element18.i, align 8
  %arrayinit.element20.i = getelementptr inbounds nuw i8, ptr %.compoundliteral.i, i64 72
  %conv21.i = sext i32 %count to i64
  store i64 %conv21.i, ptr %arrayinit.element20.i, align 8
  %call22.i = call fastcc signext range(i32 -1, 1) i32 @ask(i32 noundef signext 6, i32 noundef signext %14, ptr noundef nonnull %.compoundliteral.i, i32 noundef signext 10, ptr noundef null)
  br label %return
if.end32:
  %add = add nsw i32 %count, %buffers
  %19 = zext i32 %add to i64
  %20 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca ptr, i64 %19, align 8
  br label %for.cond34
for.cond34:
  %inc43.sink = phi i32 [ %inc43, %for.body37 ], [ 0, %if.end32 ]
  %cmp35 = icmp slt i32 %inc43.sink, %buffers
  br i1 %cmp35, label %for.body37, label %for.cond47
for.body37:
  %idxprom38 = zext nneg i32 %inc43.sink to i64
  %arrayidx39 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom38
  %arrayidx41 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom38
  store ptr %arrayidx39, ptr %arrayidx41, align 8
  %inc43 = add nuw nsw i32 %inc43.sink, 1
  br label %for.cond34
for.cond47:
  %inc58.sink = phi i32 [ %inc58, %for.body50 ], [ 3, %for.cond34 ]
  %cmp48 = icmp slt i32 %inc58.sink, %count
  br i1 %cmp48, label %for.body50, label %for.cond.cleanup49
for.cond.cleanup49:
  %idxprom61 = sext i32 %kernel to i64
  %arrayidx62 = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom61
  %21 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 96), align 8
  %program63 = getelementptr inbounds nuw i8, ptr %device, i64 8
  %22 = load ptr, ptr %program63, align 8
  %kernels = getelementptr inbounds nuw i8, ptr %22, i64 32
  %23 = load ptr, ptr %kernels, align 8
  %arrayidx65 = getelementptr inbounds ptr, ptr %23, i64 %idxprom61
  %24 = load ptr, ptr %arrayidx65, align 8
  %25 = load i64, ptr %numbers, align 8
  %conv = trunc i64 %25 to i32
  %26 = load i64, ptr %arrayidx1, align 8
  %conv68 = trunc i64 %26 to i32
  %27 = load i64, ptr %arrayidx4, align 8
  %conv70 = trunc i64 %27 to i32
  %block = getelementptr inbounds nuw i8, ptr %arrayidx62, i64 8
  %28 = load i32, ptr %block, align 8
  %arrayidx73 = getelementptr inbounds nuw i8, ptr %arrayidx62, i64 12
  %29 = load i32, ptr %arrayidx73, align 4
  %arrayidx75 = getelementptr inbounds nuw i8, ptr %arrayidx62, i64 16
  %30 = load i32, ptr %arrayidx75, align 8
  %shared_bytes = getelementptr inbounds nuw i8, ptr %arrayidx62, i64 20
  %31 = load i32, ptr %shared_bytes, align 4
  %stream = getelementptr inbounds nuw i8, ptr %device, i64 16
  %32 = load ptr, ptr %stream, align 8
  %call76 = call signext i32 %21(ptr noundef %24, i32 noundef signext %conv, i32 noundef signext %conv68, i32 noundef signext %conv70, i32 noundef signext %28, i32 noundef signext %29, i32 noundef signext %30, i32 noundef signext %31, ptr noundef %32, ptr noundef nonnull %vla, ptr noundef null)
  %call77 = call fastcc signext i32 @checked(i64 noundef 12, i32 noundef signext %call76)
  call void @llvm.stackrestore.p0(ptr %20)
  br label %return
for.body50:
  %idxprom51 = zext nneg i32 %inc58.sink to i64
  %arrayidx52 = getelementptr inbounds nuw i64, ptr %numbers, i64 %idxprom51
  %add53 = add nsw i32 %inc58.sink, %buffers
  %33 = sext i32 %add53 to i64
  %34 = getelementptr ptr, ptr %vla, i64 %33
  %arrayidx56 = getelementptr i8, ptr %34, i64 -24
  store ptr %arrayidx52, ptr %arrayidx56, align 8
  %inc58 = add nuw nsw i32 %inc58.sink, 1
  br label %for.cond47
return:
  %retval.0 = phi i32 [ %call10, %cleanup ], [ %call22.i, %if.then30 ], [ %call77, %for.cond.cleanup49 ], [ %call22, %cleanup26 ], [ 0, %lor.lhs.false3 ], [ 0, %lor.lhs.false ], [ 0, %0 ]
  ret i32 %retval.0
}
define internal fastcc signext range(i32 -1, 1) i32 @launch_copies(ptr noundef captures(none) %device, i32 noundef signext %kernel, ptr noundef readonly captures(none) %addresses, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %1 = zext i32 %buffers to i64
  %vla = alloca ptr, i64 %1, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp.not = icmp slt i32 %inc.sink, %buffers
  br i1 %cmp.not, label %for.body, label %for.cond5
for.body:
  %call = tail call fastcc signext i32 @first_copy()
  %call1 = tail call fastcc signext i32 @first_at(ptr noundef %addresses, i32 noundef signext %inc.sink) cold
  %add = add nsw i32 %call1, %call
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %bytes, i64 %idxprom
  %2 = load i64, ptr %arrayidx, align 8
  %call2 = tail call fastcc signext i32 @reserve(ptr noundef %device, i32 noundef signext %add, i64 noundef %2)
  %cmp3.not = icmp eq i32 %call2, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp3.not, label %for.cond, label %cleanup56
for.cond5:
  %inc28.sink = phi i32 [ %inc28, %for.body8 ], [ 0, %for.cond ]
  %cmp6.not = icmp slt i32 %inc28.sink, %buffers
  br i1 %cmp6.not, label %for.body8, label %for.end31
for.body8:
  %blocks = getelementptr inbounds nuw i8, ptr %device, i64 32
  %3 = load ptr, ptr %blocks, align 8
  %call9 = tail call fastcc signext i32 @first_copy()
  %call10 = tail call fastcc signext i32 @first_at(ptr noundef %addresses, i32 noundef signext %inc28.sink) cold
  %add11 = add nsw i32 %call10, %call9
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds i64, ptr %3, i64 %idxprom12
  %4 = load i64, ptr %arrayidx13, align 8
  %call14 = tail call fastcc ptr @address_of(i64 noundef %4)
  %idxprom15 = zext nneg i32 %inc28.sink to i64
  %arrayidx16 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom15
  store ptr %call14, ptr %arrayidx16, align 8
  %arrayidx20 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom15
  %5 = load ptr, ptr %arrayidx20, align 8
  %arrayidx22 = getelementptr inbounds nuw i64, ptr %bytes, i64 %idxprom15
  %6 = load i64, ptr %arrayidx22, align 8
  %call23 = tail call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %call14, ptr noundef %5, i64 noundef %6)
  %cmp24.not = icmp eq i32 %call23, 0
  %inc28 = add nuw nsw i32 %inc28.sink, 1
  br i1 %cmp24.not, label %for.cond5, label %cleanup56
for.end31:
  %call32 = call signext i32 @tw_device_launch(ptr noundef %device, i32 noundef signext %kernel, ptr noundef nonnull %vla, ptr noundef %bytes, i32 noundef signext %buffers, ptr noundef %numbers, i32 noundef signext %count)
  %cmp33.not = icmp eq i32 %call32, 0
  br i1 %cmp33.not, label %for.cond37, label %cleanup56
for.cond37:
  %inc52.sink = phi i32 [ %inc52, %for.body40 ], [ 0, %for.end31 ]
  %cmp38.not = icmp slt i32 %inc52.sink, %buffers
  br i1 %cmp38.not, label %for.body40, label %cleanup56
for.body40:
  %idxprom41 = zext nneg i32 %inc52.sink to i64
  %arrayidx42 = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom41
  %7 = load ptr, ptr %arrayidx42, align 8
  %arrayidx44 = getelementptr inbounds nuw ptr, ptr %vla, i64 %idxprom41
  %8 = load ptr, ptr %arrayidx44, align 8
  %arrayidx46 = getelementptr inbounds nuw i64, ptr %bytes, i64 %idxprom41
  %9 = load i64, ptr %arrayidx46, align 8
  %call47 = call signext i32 @tw_device_copy(ptr noundef %device, ptr noundef %7, ptr noundef %8, i64 noundef %9)
  %cmp48.not = icmp eq i32 %call47, 0
  %inc52 = add nuw nsw i32 %inc52.sink, 1
  br i1 %cmp48.not, label %for.cond37, label %cleanup56
cleanup56:
  %retval.1 = phi i32 [ -1, %for.end31 ], [ -1, %for.body8 ], [ 0, %for.cond37 ], [ -1, %for.body40 ], [ -1, %for.body ]
  ret i32 %retval.1
}
define internal fastcc signext i32 @fail_grid(i32 noundef signext %kernel, ptr noundef readonly captures(none) %grid) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %what = alloca [128 x i8], align 1
  %got = alloca [128 x i8], align 1
  %idxprom = sext i32 %kernel to i64
  %arrayidx = getelementptr inbounds %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %what, i64 noundef 128, ptr noundef nonnull @.str.9, ptr noundef %1)
  %2 = load i64, ptr %grid, align 8
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %grid, i64 8
  %3 = load i64, ptr %arrayidx3, align 8
  %arrayidx4 = getelementptr inbounds nuw i8, ptr %grid, i64 16
  %4 = load i64, ptr %arrayidx4, align 8
  %call5 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef nonnull @.str.10, i64 noundef %2, i64 noundef %3, i64 noundef %4)
  %call8 = call fastcc signext i32 @fail(ptr noundef nonnull %what, ptr noundef nonnull %got, ptr noundef nonnull @.str.11) cold
  ret i32 %call8
}
define hidden noundef ptr @tw_device_bind(ptr noundef captures(none) %device, ptr noundef captures(none) %slots, i32 noundef signext %stage, i64 noundef %value) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_arguments, align 4
  %2 = sext i32 %1 to i64
  %3 = getelementptr %union.tw_slot, ptr %slots, i64 %2
  %arrayidx = getelementptr i8, ptr %3, i64 8
  %4 = load ptr, ptr %arrayidx, align 8
  %call4 = tail call i64 @tw_begin_stage(ptr noundef %4, i32 noundef signext %stage, i64 noundef %value)
  %add5 = add nsw i32 %1, %stage
  %cmp = icmp slt i64 %call4, 0
  br i1 %cmp, label %cleanup, label %lor.lhs.false
lor.lhs.false:
  %call6 = tail call ptr @tw_slots_of(ptr noundef %4)
  %call7 = tail call fastcc signext i32 @place(ptr noundef %device, ptr noundef %call6, i32 noundef signext %stage)
  %cmp8.not = icmp eq i32 %call7, 0
  br i1 %cmp8.not, label %lor.lhs.false9, label %cleanup
lor.lhs.false9:
  %call10 = tail call fastcc signext i32 @reserve(ptr noundef %device, i32 noundef signext %add5, i64 noundef %call4)
  %cmp11.not = icmp eq i32 %call10, 0
  br i1 %cmp11.not, label %for.cond, label %cleanup
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %lor.lhs.false9 ]
  %cmp12 = icmp slt i32 %inc.sink, %1
  br i1 %cmp12, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %blocks = getelementptr inbounds nuw i8, ptr %device, i64 32
  %5 = load ptr, ptr %blocks, align 8
  %idxprom18 = sext i32 %add5 to i64
  %arrayidx19 = getelementptr inbounds i64, ptr %5, i64 %idxprom18
  %6 = load i64, ptr %arrayidx19, align 8
  %call20 = tail call fastcc ptr @address_of(i64 noundef %6)
  br label %cleanup
for.body:
  %addresses = getelementptr inbounds nuw i8, ptr %device, i64 48
  %7 = load ptr, ptr %addresses, align 8
  %idxprom13 = zext nneg i32 %inc.sink to i64
  %arrayidx14 = getelementptr inbounds nuw i64, ptr %7, i64 %idxprom13
  %8 = load i64, ptr %arrayidx14, align 8
  %call15 = tail call fastcc ptr @address_of(i64 noundef %8)
  %arrayidx17 = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %idxprom13
  store ptr %call15, ptr %arrayidx17, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup:
  %call20.sink = phi ptr [ %call20, %for.cond.cleanup ], [ null, %lor.lhs.false9 ], [ null, %lor.lhs.false ], [ null, %0 ]
  ret ptr %call20.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @place(ptr noundef captures(none) %lane, ptr noundef %slots, i32 noundef signext %stage) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %0 ]
  %1 = load i32, ptr @tw_arguments, align 4
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %cleanup23
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %stage1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 52
  %2 = load i32, ptr %stage1, align 4
  %cmp2.not = icmp eq i32 %2, %stage
  br i1 %cmp2.not, label %if.end, label %for.inc
if.end:
  %arrayidx4 = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %idxprom
  %3 = load ptr, ptr %arrayidx4, align 8
  %call = tail call fastcc i64 @number_of(ptr noundef %3)
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 48
  %4 = load ptr, ptr %addresses, align 8
  %arrayidx6 = getelementptr inbounds nuw i64, ptr %4, i64 %idxprom
  store i64 %call, ptr %arrayidx6, align 8
  %call7 = tail call signext i32 @tw_device_of(ptr noundef %slots, i32 noundef signext %inc.sink)
  %cmp8 = icmp sgt i32 %call7, -1
  br i1 %cmp8, label %for.inc, label %if.end10
if.end10:
  %idxprom11 = sext i32 %1 to i64
  %arrayidx12 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom11
  %5 = load ptr, ptr %arrayidx12, align 8
  %call13 = tail call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx, ptr noundef %5)
  %call14 = tail call fastcc signext i32 @reserve(ptr noundef nonnull %lane, i32 noundef signext %inc.sink, i64 noundef %call13)
  %cmp15.not = icmp eq i32 %call14, 0
  br i1 %cmp15.not, label %if.end17, label %cleanup23
if.end17:
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %6 = load ptr, ptr %blocks, align 8
  %arrayidx19 = getelementptr inbounds nuw i64, ptr %6, i64 %idxprom
  %7 = load i64, ptr %arrayidx19, align 8
  %8 = load ptr, ptr %addresses, align 8
  %arrayidx22 = getelementptr inbounds nuw i64, ptr %8, i64 %idxprom
  store i64 %7, ptr %arrayidx22, align 8
  br label %for.inc
for.inc:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
cleanup23:
  %9 = phi i32 [ -1, %if.end10 ], [ 0, %for.cond ]
  ret i32 %9
}
define internal fastcc signext i32 @reserve(ptr noundef captures(none) %lane, i32 noundef signext %index, i64 noundef %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %1 = load ptr, ptr %blocks, align 8
  %idxprom = sext i32 %index to i64
  %arrayidx = getelementptr inbounds i64, ptr %1, i64 %idxprom
  %2 = load i64, ptr %arrayidx, align 8
  %cmp.not = icmp eq i64 %2, 0
  br i1 %cmp.not, label %if.end19, label %land.lhs.true
land.lhs.true:
  %bytes1 = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %3 = load ptr, ptr %bytes1, align 8
  %arrayidx3 = getelementptr inbounds i64, ptr %3, i64 %idxprom
  %4 = load i64, ptr %arrayidx3, align 8
  %cmp4.not = icmp ult i64 %4, %bytes
  br i1 %cmp4.not, label %for.cond, label %return
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %land.lhs.true ]
  %cmp10 = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp10, label %for.body, label %for.end
for.body:
  %graphs = getelementptr inbounds nuw i8, ptr %lane, i64 72
  %idxprom11 = zext nneg i32 %inc.sink to i64
  %arrayidx12 = getelementptr inbounds nuw %struct.graph, ptr %graphs, i64 %idxprom11
  tail call fastcc void @drop_graph(ptr noundef nonnull %arrayidx12)
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %program = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %5 = load ptr, ptr %program, align 8
  %6 = load ptr, ptr %blocks, align 8
  %arrayidx15 = getelementptr inbounds i64, ptr %6, i64 %idxprom
  %7 = load i64, ptr %arrayidx15, align 8
  %call = tail call fastcc signext i32 @free_memory(ptr noundef %5, i64 noundef %7)
  %cmp16.not = icmp eq i32 %call, 0
  br i1 %cmp16.not, label %if.end19, label %return
if.end19:
  %8 = load ptr, ptr %blocks, align 8
  %arrayidx22 = getelementptr inbounds i64, ptr %8, i64 %idxprom
  store i64 0, ptr %arrayidx22, align 8
  %cond = tail call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %bytes24 = getelementptr inbounds nuw i8, ptr %lane, i64 40
  %9 = load ptr, ptr %bytes24, align 8
  %arrayidx26 = getelementptr inbounds i64, ptr %9, i64 %idxprom
  store i64 %cond, ptr %arrayidx26, align 8
  %program27 = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %10 = load ptr, ptr %program27, align 8
  %11 = load ptr, ptr %blocks, align 8
  %arrayidx30 = getelementptr inbounds i64, ptr %11, i64 %idxprom
  %12 = load ptr, ptr %bytes24, align 8
  %arrayidx33 = getelementptr inbounds i64, ptr %12, i64 %idxprom
  %13 = load i64, ptr %arrayidx33, align 8
  %call34 = tail call fastcc signext i32 @allocate(ptr noundef %10, ptr noundef %arrayidx30, i64 noundef %13)
  br label %return
return:
  %call34.sink = phi i32 [ %call34, %if.end19 ], [ 0, %land.lhs.true ], [ -1, %for.end ]
  ret i32 %call34.sink
}
define internal fastcc noundef ptr @address_of(i64 noundef %number) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = inttoptr i64 %number to ptr
  ret ptr %1
}
define hidden signext i32 @tw_run(ptr noundef %slots, ptr noundef readnone captures(none) %arena, i32 noundef signext %threads) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %before = alloca i32, align 4
  br label %for.cond.i
for.cond.i:
  %where.sroa.3.0 = phi i1 [ true, %0 ], [ %3, %for.inc.i ]
  %found.0.i = phi i32 [ -1, %0 ], [ %.sroa.speculated.i, %for.inc.i ]
  %inc.sink.i = phi i32 [ 0, %0 ], [ %inc.i, %for.inc.i ]
  %1 = load i32, ptr @tw_arguments, align 4
  %cmp.not.i = icmp slt i32 %inc.sink.i, %1
  br i1 %cmp.not.i, label %for.body.i, label %for.end.i
for.body.i:
  %call.i = tail call signext i32 @tw_device_of(ptr noundef %slots, i32 noundef signext %inc.sink.i)
  %cmp1.i = icmp sgt i32 %found.0.i, -1
  %cmp2.i = icmp sgt i32 %call.i, -1
  %or.cond.i = select i1 %cmp1.i, i1 %cmp2.i, i1 false
  %cmp4.not.i = icmp ne i32 %call.i, %found.0.i
  %or.cond22.not.i = select i1 %or.cond.i, i1 %cmp4.not.i, i1 false
  br i1 %or.cond22.not.i, label %cleanup10.thread.i, label %for.inc.i
cleanup10.thread.i:
  %idxprom.i = zext nneg i32 %inc.sink.i to i64
  %arrayidx.i = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom.i
  %2 = load ptr, ptr %arrayidx.i, align 8
  %call5.i = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.12, ptr noundef %2, ptr noundef nonnull @.str.13) cold
  br label %find_arguments.exit
for.inc.i:
  %3 = select i1 %where.sroa.3.0, i1 %cmp2.i, i1 false
  %.sroa.speculated.i = select i1 %cmp2.i, i32 %call.i, i32 %found.0.i
  %inc.i = add nuw nsw i32 %inc.sink.i, 1
  br label %for.cond.i
for.end.i:
  %cond16.i = tail call i32 @llvm.smax.i32(i32 %found.0.i, i32 0)
  %cmp19.i = icmp slt i32 %found.0.i, 16
  br i1 %cmp19.i, label %if.end, label %if.end21.i
if.end21.i:
  %4 = load ptr, ptr @tw_specs, align 8
  %call22.i = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.14, ptr noundef %4, ptr noundef nonnull @.str.15) cold
  br label %find_arguments.exit
find_arguments.exit:
  %where.sroa.0.0 = phi i32 [ undef, %cleanup10.thread.i ], [ %cond16.i, %if.end21.i ]
  %retval.3.i = phi i32 [ %call5.i, %cleanup10.thread.i ], [ %call22.i, %if.end21.i ]
  %cmp.not = icmp eq i32 %retval.3.i, 0
  br i1 %cmp.not, label %if.end, label %cleanup28
if.end:
  %where.sroa.0.034 = phi i32 [ %where.sroa.0.0, %find_arguments.exit ], [ %cond16.i, %for.end.i ]
  %idxprom = sext i32 %where.sroa.0.034 to i64
  %arrayidx = getelementptr inbounds %struct.program, ptr @programs, i64 %idxprom
  tail call fastcc void @acquire()
  %number = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store i32 %where.sroa.0.034, ptr %number, align 4
  %5 = load i8, ptr %arrayidx, align 8
  %loadedv = trunc i8 %5 to i1
  br i1 %loadedv, label %lor.lhs.false.critedge, label %cond.false
cond.false:
  %call2 = tail call fastcc signext i32 @open_device(ptr noundef nonnull %arrayidx) cold
  %6 = icmp eq i32 %call2, 0
  tail call fastcc void @release()
  store i32 0, ptr %before, align 4
  br i1 %6, label %lor.lhs.false, label %cleanup28
lor.lhs.false.critedge:
  tail call fastcc void @release()
  store i32 0, ptr %before, align 4
  br label %lor.lhs.false
lor.lhs.false:
  %call4 = call fastcc signext i32 @enter_device(ptr noundef nonnull %arrayidx, ptr noundef %before)
  %cmp5.not = icmp eq i32 %call4, 0
  br i1 %cmp5.not, label %if.end7, label %cleanup28
if.end7:
  %7 = sext i32 %1 to i64
  %8 = getelementptr %union.tw_slot, ptr %slots, i64 %7
  %arrayidx9 = getelementptr i8, ptr %8, i64 8
  %9 = load ptr, ptr %arrayidx9, align 8
  %call10 = call ptr @tw_stream_of(ptr noundef %9)
  br label %for.cond.i14
for.cond.i14:
  %inc.sink.i15 = phi i32 [ 0, %if.end7 ], [ %inc.i25, %for.inc.i24 ]
  %cmp.i = icmp samesign ult i32 %inc.sink.i15, 8
  br i1 %cmp.i, label %for.body.i20, label %for.end.i16
for.body.i20:
  %lanes.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 56
  %idxprom.i21 = zext nneg i32 %inc.sink.i15 to i64
  %arrayidx.i22 = getelementptr inbounds nuw ptr, ptr %lanes.i, i64 %idxprom.i21
  %10 = atomicrmw xchg ptr %arrayidx.i22, i64 0 acq_rel, align 8
  %11 = inttoptr i64 %10 to ptr
  %cmp1.i23 = icmp eq i64 %10, 0
  br i1 %cmp1.i23, label %for.inc.i24, label %if.end.i
if.end.i:
  %stream2.i = getelementptr inbounds nuw i8, ptr %11, i64 16
  %12 = load ptr, ptr %stream2.i, align 8
  %cmp3.i = icmp eq ptr %call10, null
  %own.i = getelementptr inbounds nuw i8, ptr %11, i64 24
  %cond.in.i = select i1 %cmp3.i, ptr %own.i, ptr %call10
  %cond.i = load ptr, ptr %cond.in.i, align 8
  %cmp4.i = icmp eq ptr %12, %cond.i
  br i1 %cmp4.i, label %cond.false14, label %if.end6.i
if.end6.i:
  call fastcc void @give_lane(ptr noundef nonnull %11)
  br label %for.inc.i24
for.inc.i24:
  %inc.i25 = add nuw nsw i32 %inc.sink.i15, 1
  br label %for.cond.i14
for.end.i16:
  %call.i17 = call fastcc ptr @new_lane(ptr noundef nonnull %arrayidx) cold
  %cmp9.i = icmp ne ptr %call.i17, null
  %cmp10.i = icmp ne ptr %call10, null
  %or.cond.i18 = and i1 %cmp10.i, %cmp9.i
  br i1 %or.cond.i18, label %if.then11.i, label %take_lane.exit
if.then11.i:
  %13 = load ptr, ptr %call10, align 8
  %stream12.i = getelementptr inbounds nuw i8, ptr %call.i17, i64 16
  store ptr %13, ptr %stream12.i, align 8
  br label %cond.false14
take_lane.exit:
  %cmp12 = icmp eq ptr %call.i17, null
  br i1 %cmp12, label %if.end25, label %cond.false14
cond.false14:
  %retval.3.i1937 = phi ptr [ %call.i17, %take_lane.exit ], [ %call.i17, %if.then11.i ], [ %11, %if.end.i ]
  %cmp15 = icmp ne ptr %call10, null
  %14 = select i1 %cmp15, i1 %where.sroa.3.0, i1 false
  %call.i26 = call fastcc signext i32 @check_inputs(ptr noundef nonnull %retval.3.i1937, ptr noundef %slots)
  %cmp.not.i27 = icmp eq i32 %call.i26, 0
  br i1 %cmp.not.i27, label %lor.lhs.false.i, label %if.then23
lor.lhs.false.i:
  %call1.i = call fastcc signext i32 @place(ptr noundef nonnull %retval.3.i1937, ptr noundef %slots, i32 noundef signext 0)
  %cmp2.not.i = icmp eq i32 %call1.i, 0
  br i1 %cmp2.not.i, label %lor.lhs.false3.i, label %if.then23
lor.lhs.false3.i:
  %15 = load i32, ptr @tw_symbol_count, align 4
  %cmp.i.i = icmp eq i32 %15, 0
  br i1 %cmp.i.i, label %arena_bytes.exit.i, label %cond.false.i.i
cond.false.i.i:
  %16 = load ptr, ptr %8, align 8
  %17 = load i32, ptr @tw_expression_count, align 4
  %idxprom1.i.i = sext i32 %17 to i64
  %arrayidx2.i.i = getelementptr inbounds i64, ptr %16, i64 %idxprom1.i.i
  br label %arena_bytes.exit.i
arena_bytes.exit.i:
  %cond.in.i.i = phi ptr [ %arrayidx2.i.i, %cond.false.i.i ], [ @tw_arena_bytes, %lor.lhs.false3.i ]
  %cond.i.i = load i64, ptr %cond.in.i.i, align 8
  %call5.i28 = call fastcc signext i32 @reserve(ptr noundef nonnull %retval.3.i1937, i32 noundef signext %1, i64 noundef %cond.i.i)
  %cmp6.not.i = icmp eq i32 %call5.i28, 0
  br i1 %cmp6.not.i, label %lor.lhs.false7.i, label %if.then23
lor.lhs.false7.i:
  %call8.i = call fastcc signext i32 @move(ptr noundef nonnull %retval.3.i1937, ptr noundef %slots, i1 noundef zeroext true)
  %cmp9.not.i = icmp eq i32 %call8.i, 0
  br i1 %cmp9.not.i, label %lor.lhs.false10.i, label %if.then23
lor.lhs.false10.i:
  %18 = load i32, ptr @tw_device_is_fixed, align 4
  %tobool.not.i.i = icmp eq i32 %18, 0
  br i1 %tobool.not.i.i, label %if.then.i.i, label %lor.lhs.false.i.i
lor.lhs.false.i.i:
  %call.i.i = call fastcc zeroext i1 @is_asked()
  br i1 %call.i.i, label %if.then.i.i, label %if.end.i.i
if.then.i.i:
  %call1.i.i = call fastcc signext i32 @queue(ptr noundef nonnull %retval.3.i1937, ptr noundef readonly %slots)
  br label %work.exit.i
if.end.i.i:
  %call2.i.i = call fastcc ptr @graph_of(ptr noundef nonnull %retval.3.i1937, ptr noundef readonly %slots)
  %has_run.i.i = getelementptr inbounds nuw i8, ptr %call2.i.i, i64 16
  %19 = load i32, ptr %has_run.i.i, align 8
  %tobool3.not.i.i = icmp eq i32 %19, 0
  br i1 %tobool3.not.i.i, label %if.then4.i.i, label %if.end7.i.i
if.then4.i.i:
  %call5.i.i = call fastcc signext i32 @queue(ptr noundef nonnull %retval.3.i1937, ptr noundef readonly %slots)
  %cmp.i13.i = icmp eq i32 %call5.i.i, 0
  %conv.i.i = zext i1 %cmp.i13.i to i32
  store i32 %conv.i.i, ptr %has_run.i.i, align 8
  br label %work.exit.i
if.end7.i.i:
  %executable.i.i = getelementptr inbounds nuw i8, ptr %call2.i.i, i64 8
  %20 = load ptr, ptr %executable.i.i, align 8
  %cmp8.i.i = icmp eq ptr %20, null
  br i1 %cmp8.i.i, label %land.lhs.true.i.i, label %if.end14.i.i
land.lhs.true.i.i:
  %call10.i.i = call fastcc signext i32 @capture(ptr noundef nonnull %retval.3.i1937, ptr noundef nonnull %call2.i.i, ptr noundef readonly %slots) cold
  %cmp11.not.i.i = icmp eq i32 %call10.i.i, 0
  br i1 %cmp11.not.i.i, label %if.end14.i.i, label %if.then23
if.end14.i.i:
  %21 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 128), align 8
  %22 = load ptr, ptr %executable.i.i, align 8
  %stream.i.i = getelementptr inbounds nuw i8, ptr %retval.3.i1937, i64 16
  %23 = load ptr, ptr %stream.i.i, align 8
  %call16.i.i = call signext i32 %21(ptr noundef %22, ptr noundef %23)
  %call17.i.i = call fastcc signext i32 @checked(i64 noundef 16, i32 noundef signext %call16.i.i)
  br label %work.exit.i
work.exit.i:
  %retval.0.i.i = phi i32 [ %call1.i.i, %if.then.i.i ], [ %call17.i.i, %if.end14.i.i ], [ %call5.i.i, %if.then4.i.i ]
  %cmp12.not.i = icmp eq i32 %retval.0.i.i, 0
  br i1 %cmp12.not.i, label %lor.lhs.false13.i, label %if.then23
lor.lhs.false13.i:
  %call14.i = call fastcc signext i32 @move(ptr noundef nonnull %retval.3.i1937, ptr noundef %slots, i1 noundef zeroext false)
  %cmp15.not.i = icmp ne i32 %call14.i, 0
  %brmerge.i = or i1 %14, %cmp15.not.i
  %.mux.i = sext i1 %cmp15.not.i to i32
  br i1 %brmerge.i, label %cond.end18, label %cond.false.i
cond.false.i:
  %program.i = getelementptr inbounds nuw i8, ptr %retval.3.i1937, i64 8
  %24 = load ptr, ptr %program.i, align 8
  %stream.i = getelementptr inbounds nuw i8, ptr %retval.3.i1937, i64 16
  %25 = load ptr, ptr %stream.i, align 8
  %call16.i = call fastcc signext i32 @wait(ptr noundef %24, ptr noundef %25)
  br label %cond.end18
cond.end18:
  %cond19 = phi i32 [ %.mux.i, %lor.lhs.false13.i ], [ %call16.i, %cond.false.i ]
  %cmp20 = icmp eq i32 %cond19, 0
  br i1 %cmp20, label %if.then21, label %if.then23
if.then21:
  call fastcc void @give_lane(ptr noundef nonnull %retval.3.i1937)
  br label %if.end25
if.then23:
  %cond194849 = phi i32 [ -1, %land.lhs.true.i.i ], [ -1, %cond.false14 ], [ -1, %work.exit.i ], [ -1, %lor.lhs.false7.i ], [ -1, %arena_bytes.exit.i ], [ -1, %lor.lhs.false.i ], [ %cond19, %cond.end18 ]
  call fastcc void @free_lane(ptr noundef nonnull %retval.3.i1937) cold
  br label %if.end25
if.end25:
  %cond1947 = phi i32 [ -1, %take_lane.exit ], [ %cond194849, %if.then23 ], [ 0, %if.then21 ]
  %26 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %26)
  br label %cleanup28
cleanup28:
  %.sink.sink = phi i32 [ -1, %find_arguments.exit ], [ %cond1947, %if.end25 ], [ -1, %lor.lhs.false ], [ -1, %cond.false ]
  ret i32 %.sink.sink
}
define internal fastcc signext range(i32 -1, 1) i32 @open_device(ptr noundef initializes((48, 56)) %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %before = alloca i32, align 4
  store i32 0, ptr %before, align 4
  %call = tail call fastcc signext i32 @find_device(ptr noundef %program) cold
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup
lor.lhs.false:
  %call1 = call fastcc signext i32 @enter_device(ptr noundef %program, ptr noundef %before)
  %cmp2.not = icmp eq i32 %call1, 0
  br i1 %cmp2.not, label %if.end, label %cleanup
if.end:
  %call3 = call fastcc zeroext i1 @is_asked()
  br i1 %call3, label %land.rhs, label %lor.lhs.false4
lor.lhs.false4:
  %call5 = call fastcc signext i32 @load_kernels(ptr noundef %program) cold
  %cmp6 = icmp eq i32 %call5, 0
  br i1 %cmp6, label %land.rhs, label %if.then10.critedge
land.rhs:
  %call7 = call fastcc signext i32 @copy_weights(ptr noundef %program) cold
  %cmp8 = icmp eq i32 %call7, 0
  %storedv = zext i1 %cmp8 to i8
  store i8 %storedv, ptr %program, align 8
  br i1 %cmp8, label %if.end11, label %if.then10
if.then10.critedge:
  store i8 0, ptr %program, align 8
  br label %if.then10
if.then10:
  call fastcc void @close_program(ptr noundef nonnull %program) cold
  br label %if.end11
if.end11:
  %1 = load i32, ptr %before, align 4
  call fastcc void @leave_device(i32 noundef signext %1)
  %2 = load i8, ptr %program, align 8
  %3 = and i8 %2, 1
  %4 = xor i8 %3, 1
  %5 = zext nneg i8 %4 to i32
  %cond = sub nsw i32 0, %5
  br label %cleanup
cleanup:
  %cond.sink = phi i32 [ %cond, %if.end11 ], [ -1, %lor.lhs.false ], [ -1, %0 ]
  ret i32 %cond.sink
}
define internal fastcc void @give_lane(ptr noundef %lane) unnamed_addr minsize nounwind optsize "no-builtins" {
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %program = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %1 = load ptr, ptr %program, align 8
  %lanes = getelementptr inbounds nuw i8, ptr %1, i64 56
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %lanes, i64 %idxprom
  %2 = ptrtoint ptr %lane to i64
  %3 = cmpxchg ptr %arrayidx, i64 0, i64 %2 acq_rel monotonic, align 8
  %4 = extractvalue { i64, i1 } %3, 1
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %4, label %return, label %for.cond
for.end:
  tail call fastcc void @free_lane(ptr noundef %lane) cold
  br label %return
return:
  ret void
}
define signext i32 @__tw_main_on_stream(ptr noundef readnone captures(none) %self, ptr noundef %args, i32 noundef signext %count, ptr noundef readnone captures(none) %result) local_unnamed_addr minsize nounwind optsize "no-builtins" {
  %stream = alloca ptr, align 8
  %cmp = icmp eq i32 %count, 0
  br i1 %cmp, label %if.then, label %lor.lhs.false
lor.lhs.false:
  %1 = load i32, ptr %args, align 8
  switch i32 %1, label %if.then [ i32 0, label %cond.end i32 4, label %cond.false ]
if.then:
  %call = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, ptr noundef nonnull @.str.2) cold
  br label %return
cond.false:
  %payload = getelementptr inbounds nuw i8, ptr %args, i64 8
  %2 = load ptr, ptr %payload, align 8
  br label %cond.end
cond.end:
  %cond = phi ptr [ %2, %cond.false ], [ null, %lor.lhs.false ]
  store ptr %cond, ptr %stream, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %args, i64 16
  %sub = add nsw i32 %count, -1
  %call6 = call signext i32 @tw_enter_on(ptr noundef nonnull %stream, ptr noundef nonnull %add.ptr, i32 noundef signext %sub)
  br label %return
return:
  %call6.sink = phi i32 [ %call6, %cond.end ], [ %call, %if.then ]
  ret i32 %call6.sink
}
define internal fastcc signext i32 @fail(ptr noundef %what, ptr noundef %got, ptr noundef %hint) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %message = alloca [1024 x i8], align 1
  %call = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.28, ptr noundef nonnull @tw_name, ptr noundef %what, ptr noundef %got, ptr noundef %hint)
  %call2 = call signext i32 @tw_fail(ptr noundef nonnull @.str.7, ptr noundef nonnull %message)
  ret i32 %call2
}
define internal fastcc void @drop_graph(ptr noundef captures(none) initializes((16, 20)) %graph) unnamed_addr minsize nounwind optsize "no-builtins" {
  %executable = getelementptr inbounds nuw i8, ptr %graph, i64 8
  %1 = load ptr, ptr %executable, align 8
  %cmp.not = icmp eq ptr %1, null
  br i1 %cmp.not, label %if.end, label %if.then
if.then:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 144), align 8
  %call = tail call signext i32 %2(ptr noundef nonnull %1)
  br label %if.end
if.end:
  store ptr null, ptr %executable, align 8
  %has_run = getelementptr inbounds nuw i8, ptr %graph, i64 16
  store i32 0, ptr %has_run, align 8
  ret void
}
define internal fastcc signext i32 @block_count() unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @first_copy()
  %1 = load i32, ptr @tw_device_most_buffers, align 4
  %add = add nsw i32 %1, %call
  ret i32 %add
}
define internal fastcc signext i32 @free_memory(ptr noundef readonly captures(none) %program, i64 noundef %address) unnamed_addr minsize nounwind optsize "no-builtins" {
  %.compoundliteral = alloca [1 x i64], align 8
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %cond.true, label %cond.false
cond.true:
  %number = getelementptr inbounds nuw i8, ptr %program, i64 4
  %1 = load i32, ptr %number, align 4
  store i64 %address, ptr %.compoundliteral, align 8
  %call1 = call fastcc signext i32 @ask(i32 noundef signext 2, i32 noundef signext %1, ptr noundef nonnull %.compoundliteral, i32 noundef signext 1, ptr noundef null)
  br label %cond.end
cond.false:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 56), align 8
  %call2 = tail call signext i32 %2(i64 noundef %address)
  %call3 = tail call fastcc signext i32 @checked(i64 noundef 7, i32 noundef signext %call2)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call1, %cond.true ], [ %call3, %cond.false ]
  ret i32 %cond
}
define internal fastcc signext i32 @first_copy() unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_arguments, align 4
  %2 = load i32, ptr @tw_symbol_count, align 4
  %3 = load i32, ptr @tw_given_count, align 4
  %add.i = add i32 %1, 1
  %sub.i = add i32 %add.i, %2
  %add = sub i32 %sub.i, %3
  ret i32 %add
}
define internal fastcc signext i32 @fail_call(i64 noundef range(i64 0, 28) %position, i32 noundef signext range(i32 1, 0) %status) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %name = alloca ptr, align 8
  %got = alloca [128 x i8], align 1
  %message = alloca [1024 x i8], align 1
  store ptr null, ptr %name, align 8
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 8), align 8
  %call = call signext i32 %1(i32 noundef signext %status, ptr noundef nonnull %name)
  %2 = load ptr, ptr %name, align 8
  %cmp = icmp eq ptr %2, null
  %cond = select i1 %cmp, ptr @.str.4, ptr %2
  %call1 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %got, i64 noundef 128, ptr noundef nonnull @.str.3, ptr noundef nonnull %cond, i32 noundef signext %status)
  %arrayidx = getelementptr inbounds nuw [2 x [32 x i8]], ptr @NAMES, i64 %position
  %3 = load i32, ptr @tw_device_driver, align 4
  %idxprom = sext i32 %3 to i64
  %arrayidx3 = getelementptr inbounds [32 x i8], ptr %arrayidx, i64 %idxprom
  %call6 = call signext i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %message, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef nonnull @tw_name, ptr noundef nonnull %arrayidx3, ptr noundef nonnull %got)
  %cmp7 = icmp eq i32 %status, 2
  %cond8 = select i1 %cmp7, ptr @.str.6, ptr @.str.7
  %call10 = call signext i32 @tw_fail(ptr noundef nonnull %cond8, ptr noundef nonnull %message)
  ret i32 %call10
}
define internal fastcc noundef i64 @host_number(ptr noundef %address) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = ptrtoint ptr %address to i64
  ret i64 %1
}
define internal fastcc signext i32 @first_at(ptr noundef readonly captures(none) %addresses, i32 noundef signext %index) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  br label %while.cond
while.cond:
  %inc.sink = phi i32 [ %inc, %while.cond ], [ 0, %0 ]
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %addresses, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8
  %idxprom1 = sext i32 %index to i64
  %arrayidx2 = getelementptr inbounds ptr, ptr %addresses, i64 %idxprom1
  %2 = load ptr, ptr %arrayidx2, align 8
  %cmp.not = icmp eq ptr %1, %2
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp.not, label %while.end, label %while.cond
while.end:
  ret i32 %inc.sink
}
define internal fastcc i64 @bytes_of(ptr noundef readonly captures(none) %spec, ptr noundef readonly captures(none) %sizes) unnamed_addr minsize nounwind optsize "no-builtins" {
  %bytes1 = getelementptr inbounds nuw i8, ptr %spec, i64 24
  %1 = load i64, ptr %bytes1, align 8
  br label %for.cond
for.cond:
  %bytes.0 = phi i64 [ %1, %0 ], [ %bytes.1, %for.inc ]
  %inc.sink = phi i32 [ 0, %0 ], [ %inc, %for.inc ]
  %rank = getelementptr inbounds nuw i8, ptr %spec, i64 40
  %2 = load i32, ptr %rank, align 8
  %cmp = icmp slt i32 %inc.sink, %2
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %shape = getelementptr inbounds nuw i8, ptr %spec, i64 16
  %3 = load ptr, ptr %shape, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %3, i64 %idxprom
  %4 = load i64, ptr %arrayidx, align 8
  %cmp2 = icmp slt i64 %4, 0
  br i1 %cmp2, label %if.then, label %for.inc
if.then:
  %sub = xor i64 %4, -1
  %arrayidx6 = getelementptr inbounds nuw i64, ptr %sizes, i64 %sub
  %5 = load i64, ptr %arrayidx6, align 8
  %mul = mul i64 %5, %bytes.0
  br label %for.inc
for.inc:
  %bytes.1 = phi i64 [ %mul, %if.then ], [ %bytes.0, %for.body ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  ret i64 %bytes.0
}
define internal fastcc signext i32 @allocate(ptr noundef readonly captures(none) %program, ptr noundef %address, i64 noundef %bytes) unnamed_addr minsize nounwind optsize "no-builtins" {
  %made = alloca i64, align 8
  %.compoundliteral = alloca [1 x i64], align 8
  store i64 0, ptr %made, align 8
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %if.end, label %if.then
if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 48), align 8
  %call1 = tail call signext i32 %1(ptr noundef %address, i64 noundef %bytes)
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 6, i32 noundef signext %call1)
  br label %cleanup
if.end:
  %number = getelementptr inbounds nuw i8, ptr %program, i64 4
  %2 = load i32, ptr %number, align 4
  store i64 %bytes, ptr %.compoundliteral, align 8
  %call3 = call fastcc signext i32 @ask(i32 noundef signext 1, i32 noundef signext %2, ptr noundef nonnull %.compoundliteral, i32 noundef signext 1, ptr noundef nonnull %made)
  %3 = load i64, ptr %made, align 8
  store i64 %3, ptr %address, align 8
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %call3, %if.end ], [ %call2, %if.then ]
  ret i32 %.sink
}
define internal fastcc signext i32 @find_device(ptr noundef initializes((48, 56)) %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %alignment = alloca i64, align 8
  %.compoundliteral = alloca [3 x i64], align 8
  store i64 16, ptr %alignment, align 8
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %if.then, label %if.end
if.then:
  %number = getelementptr inbounds nuw i8, ptr %program, i64 4
  %1 = load i32, ptr %number, align 4
  %call1 = tail call fastcc i64 @host_number(ptr noundef nonnull @__tw_kernels_code)
  store i64 %call1, ptr %.compoundliteral, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 8
  %call2 = tail call fastcc i64 @host_number(ptr noundef nonnull @tw_device_kernels)
  store i64 %call2, ptr %arrayinit.element, align 8
  %arrayinit.element3 = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 16
  %2 = load i32, ptr @tw_device_kernel_count, align 4
  %conv = sext i32 %2 to i64
  store i64 %conv, ptr %arrayinit.element3, align 8
  %call4 = call fastcc signext i32 @ask(i32 noundef signext 0, i32 noundef signext %1, ptr noundef nonnull %.compoundliteral, i32 noundef signext 3, ptr noundef nonnull %alignment)
  %3 = load i64, ptr %alignment, align 8
  %alignment5 = getelementptr inbounds nuw i8, ptr %program, i64 48
  store i64 %3, ptr %alignment5, align 8
  br label %cleanup
if.end:
  %alignment6 = getelementptr inbounds nuw i8, ptr %program, i64 48
  store i64 16, ptr %alignment6, align 8
  %.b = load i1, ptr @has_driver, align 1
  br i1 %.b, label %if.end10, label %land.lhs.true
land.lhs.true:
  %call7 = tail call fastcc signext i32 @find_driver() cold
  %cmp.not = icmp eq i32 %call7, 0
  br i1 %cmp.not, label %if.end10, label %cleanup
if.end10:
  store i1 true, ptr @has_driver, align 1
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 16), align 8
  %handle = getelementptr inbounds nuw i8, ptr %program, i64 8
  %number11 = getelementptr inbounds nuw i8, ptr %program, i64 4
  %5 = load i32, ptr %number11, align 4
  %call12 = tail call signext i32 %4(ptr noundef nonnull %handle, i32 noundef signext %5)
  %call13 = tail call fastcc signext i32 @checked(i64 noundef 2, i32 noundef signext %call12)
  %cmp14.not = icmp eq i32 %call13, 0
  br i1 %cmp14.not, label %if.end17, label %cleanup
if.end17:
  %6 = load i32, ptr @tw_device_driver, align 4
  %cmp18 = icmp eq i32 %6, 0
  br i1 %cmp18, label %if.then20, label %cleanup
if.then20:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 176), align 8
  %context = getelementptr inbounds nuw i8, ptr %program, i64 16
  %8 = load i32, ptr %handle, align 8
  %call22 = tail call signext i32 %7(ptr noundef nonnull %context, i32 noundef signext %8)
  %call23 = tail call fastcc signext i32 @checked(i64 noundef 22, i32 noundef signext %call22)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ -1, %if.end10 ], [ %call23, %if.then20 ], [ -1, %land.lhs.true ], [ %call4, %if.then ], [ 0, %if.end17 ]
  ret i32 %.sink
}
define internal fastcc signext i32 @load_kernels(ptr noundef %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_device_kernel_count, align 4
  %cmp = icmp eq i32 %1, 0
  br i1 %cmp, label %return, label %if.end
if.end:
  %call = tail call fastcc signext i32 @load_code(ptr noundef %program) cold
  %cmp1.not = icmp eq i32 %call, 0
  br i1 %cmp1.not, label %if.end3, label %return
if.end3:
  %conv = sext i32 %1 to i64
  %call4 = tail call noalias ptr @calloc(i64 noundef %conv, i64 noundef 8)
  %kernels5 = getelementptr inbounds nuw i8, ptr %program, i64 32
  store ptr %call4, ptr %kernels5, align 8
  %cmp6 = icmp eq ptr %call4, null
  br i1 %cmp6, label %if.then8, label %for.cond
if.then8:
  %call9 = tail call fastcc signext i32 @fail_memory() cold
  br label %return
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc.critedge ], [ 0, %if.end3 ]
  %cmp11.not = icmp slt i32 %inc.sink, %1
  br i1 %cmp11.not, label %for.body, label %return
for.body:
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_device_kernel, ptr @tw_device_kernels, i64 %idxprom
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 88), align 8
  %arrayidx14 = getelementptr inbounds nuw ptr, ptr %call4, i64 %idxprom
  %module = getelementptr inbounds nuw i8, ptr %program, i64 24
  %3 = load ptr, ptr %module, align 8
  %4 = load ptr, ptr %arrayidx, align 8
  %call15 = tail call signext i32 %2(ptr noundef nonnull %arrayidx14, ptr noundef %3, ptr noundef %4)
  %call16 = tail call fastcc signext i32 @checked(i64 noundef 11, i32 noundef signext %call15)
  %cmp17.not = icmp eq i32 %call16, 0
  br i1 %cmp17.not, label %if.end20, label %return
if.end20:
  %shared_bytes = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  %5 = load i32, ptr %shared_bytes, align 4
  %cmp21 = icmp sgt i32 %5, 0
  %6 = load i32, ptr @tw_device_driver, align 4
  %cmp23 = icmp eq i32 %6, 0
  %or.cond = select i1 %cmp21, i1 %cmp23, i1 false
  br i1 %or.cond, label %land.lhs.true25, label %for.inc.critedge
land.lhs.true25:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 200), align 8
  %8 = load ptr, ptr %arrayidx14, align 8
  %call29 = tail call signext i32 %7(ptr noundef %8, i32 noundef signext 8, i32 noundef signext %5)
  %call30 = tail call fastcc signext i32 @checked(i64 noundef 25, i32 noundef signext %call29)
  %cmp31.not = icmp eq i32 %call30, 0
  br i1 %cmp31.not, label %for.inc.critedge, label %return
for.inc.critedge:
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
return:
  %retval.0 = phi i32 [ %call9, %if.then8 ], [ 0, %0 ], [ -1, %if.end ], [ -1, %for.body ], [ -1, %land.lhs.true25 ], [ 0, %for.cond ]
  ret i32 %retval.0
}
define internal fastcc signext i32 @copy_weights(ptr noundef %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %stream = alloca ptr, align 8
  %1 = load i64, ptr @tw_weights_bytes, align 8
  store ptr null, ptr %stream, align 8
  %cmp = icmp eq i64 %1, 0
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %call = tail call fastcc zeroext i1 @is_asked()
  br i1 %call, label %if.end5, label %land.lhs.true
land.lhs.true:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 24), align 8
  %call1 = call signext i32 %2(ptr noundef nonnull %stream, i32 noundef signext 1)
  %call2 = call fastcc signext i32 @checked(i64 noundef 3, i32 noundef signext %call1)
  %cmp3.not = icmp eq i32 %call2, 0
  br i1 %cmp3.not, label %if.end5, label %cleanup
if.end5:
  %weights = getelementptr inbounds nuw i8, ptr %program, i64 40
  %call6 = call fastcc signext i32 @allocate(ptr noundef %program, ptr noundef nonnull %weights, i64 noundef %1)
  %cmp7 = icmp eq i32 %call6, 0
  br i1 %cmp7, label %if.end11, label %if.end15
if.end11:
  %3 = load i64, ptr %weights, align 8
  %4 = load ptr, ptr @__tw_weights, align 8
  %5 = load ptr, ptr %stream, align 8
  %call10 = call fastcc signext i32 @write(ptr noundef nonnull %program, i64 noundef %3, ptr noundef %4, i64 noundef %1, ptr noundef %5)
  %cmp12 = icmp eq i32 %call10, 0
  br i1 %cmp12, label %if.then13, label %if.end15
if.then13:
  %6 = load ptr, ptr %stream, align 8
  %call14 = call fastcc signext i32 @wait(ptr noundef nonnull %program, ptr noundef %6)
  br label %if.end15
if.end15:
  %status.1 = phi i32 [ %call14, %if.then13 ], [ %call10, %if.end11 ], [ %call6, %if.end5 ]
  %7 = load ptr, ptr %stream, align 8
  %cmp16.not = icmp eq ptr %7, null
  br i1 %cmp16.not, label %cleanup, label %if.then17
if.then17:
  %8 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 40), align 8
  %call18 = call signext i32 %8(ptr noundef nonnull %7)
  br label %cleanup
cleanup:
  %.sink = phi i32 [ -1, %land.lhs.true ], [ 0, %0 ], [ %status.1, %if.then17 ], [ %status.1, %if.end15 ]
  ret i32 %.sink
}
define internal fastcc signext i32 @find_driver() unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %found = alloca ptr, align 8
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %1, 2
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.16, ptr noundef nonnull @.str.17, ptr noundef nonnull @.str.18) cold
  br label %cleanup61
if.end:
  %cmp1 = icmp eq ptr @dlopen, null
  %cmp2 = icmp eq ptr @dlsym, null
  %or.cond = or i1 %cmp1, %cmp2
  br i1 %or.cond, label %if.then3, label %for.cond.preheader
for.cond.preheader:
  %2 = load ptr, ptr @__tw_device_library, align 8
  br label %for.cond
if.then3:
  %call4 = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.19, ptr noundef nonnull @.str.20, ptr noundef nonnull @.str.21) cold
  br label %cleanup61
for.cond:
  %library.0 = phi ptr [ %library.1, %for.inc ], [ %2, %for.cond.preheader ]
  %inc.sink = phi i32 [ %inc, %for.inc ], [ 0, %for.cond.preheader ]
  %cmp6 = icmp samesign ult i32 %inc.sink, 3
  %cmp7 = icmp eq ptr %library.0, null
  %3 = select i1 %cmp6, i1 %cmp7, i1 false
  br i1 %3, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  br i1 %cmp7, label %if.then22, label %for.cond29
for.body:
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds [3 x [32 x i8]], ptr @FILES, i64 %idxprom
  %idxprom8 = zext nneg i32 %inc.sink to i64
  %arrayidx9 = getelementptr inbounds nuw [32 x i8], ptr %arrayidx, i64 %idxprom8
  %4 = load i8, ptr %arrayidx9, align 1
  %cmp11.not = icmp eq i8 %4, 0
  br i1 %cmp11.not, label %for.inc, label %if.then13
if.then13:
  %call18 = tail call ptr @dlopen(ptr noundef nonnull %arrayidx9, i32 noundef signext 2)
  br label %for.inc
for.inc:
  %library.1 = phi ptr [ %call18, %if.then13 ], [ null, %for.body ]
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
if.then22:
  %idxprom23 = sext i32 %1 to i64
  %arrayidx24 = getelementptr inbounds [3 x [32 x i8]], ptr @FILES, i64 %idxprom23
  %call27 = tail call fastcc signext i32 @fail(ptr noundef nonnull @.str.22, ptr noundef nonnull %arrayidx24, ptr noundef nonnull @.str.23) cold
  br label %cleanup61
for.cond29:
  %inc55.sink = phi i64 [ %inc55, %for.inc54 ], [ 0, %for.cond.cleanup ]
  %cmp30 = icmp samesign ugt i64 %inc55.sink, 27
  br i1 %cmp30, label %for.end58, label %for.body33
for.body33:
  %arrayidx34 = getelementptr inbounds nuw [2 x [32 x i8]], ptr @NAMES, i64 %inc55.sink
  %idxprom35 = sext i32 %1 to i64
  %arrayidx36 = getelementptr inbounds [32 x i8], ptr %arrayidx34, i64 %idxprom35
  %5 = load i8, ptr %arrayidx36, align 1
  %cmp40 = icmp eq i8 %5, 0
  br i1 %cmp40, label %cond.end.thread, label %cond.end
cond.end.thread:
  store ptr null, ptr %found, align 8
  br label %for.inc54
cond.end:
  %call42 = call ptr @dlsym(ptr noundef nonnull %library.0, ptr noundef nonnull %arrayidx36)
  store ptr %call42, ptr %found, align 8
  %cmp47.not = icmp eq ptr %call42, null
  br i1 %cmp47.not, label %cleanup56, label %for.inc54
for.inc54:
  %mul = shl nuw nsw i64 %inc55.sink, 3
  %add.ptr = getelementptr inbounds nuw i8, ptr @driver, i64 %mul
  %call52 = call ptr @memcpy(ptr noundef nonnull %add.ptr, ptr noundef nonnull %found, i64 noundef 8)
  %inc55 = add nuw nsw i64 %inc55.sink, 1
  br label %for.cond29
cleanup56:
  %call50 = call fastcc signext i32 @fail(ptr noundef nonnull @.str.24, ptr noundef nonnull %arrayidx36, ptr noundef nonnull @.str.25) cold
  br label %cleanup61
for.end58:
  %6 = load ptr, ptr @driver, align 8
  %call59 = call signext i32 %6(i32 noundef signext 0)
  %call60 = call fastcc signext i32 @checked(i64 noundef 0, i32 noundef signext %call59)
  br label %cleanup61
cleanup61:
  %retval.0 = phi i32 [ %call50, %cleanup56 ], [ %call60, %for.end58 ], [ %call27, %if.then22 ], [ %call4, %if.then3 ], [ %call, %if.then ]
  ret i32 %retval.0
}
define internal fastcc signext i32 @load_code(ptr noundef %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %log = alloca [512 x i8], align 1
  %values = alloca [2 x ptr], align 8
  %1 = load i32, ptr @tw_device_driver, align 4
  %cmp = icmp eq i32 %1, 1
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 160), align 8
  %module = getelementptr inbounds nuw i8, ptr %program, i64 24
  %call = tail call signext i32 %2(ptr noundef nonnull %module, ptr noundef nonnull @__tw_kernels_code)
  %call1 = tail call fastcc signext i32 @checked(i64 noundef 20, i32 noundef signext %call)
  br label %return
if.end:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(512) %log, i8 0, i64 512, i1 false)
  store ptr %log, ptr %values, align 8
  %arrayinit.element = getelementptr inbounds nuw i8, ptr %values, i64 8
  store ptr inttoptr (i64 512 to ptr), ptr %arrayinit.element, align 8
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 152), align 8
  %module2 = getelementptr inbounds nuw i8, ptr %program, i64 24
  %call4 = call signext i32 %3(ptr noundef nonnull %module2, ptr noundef nonnull @__tw_kernels_code, i32 noundef signext 2, ptr noundef nonnull @load_code.OPTIONS, ptr noundef nonnull %values)
  %cmp5 = icmp eq i32 %call4, 0
  %4 = load i8, ptr %log, align 1
  %cmp6 = icmp eq i8 %4, 0
  %or.cond = select i1 %cmp5, i1 true, i1 %cmp6
  br i1 %or.cond, label %if.then8, label %if.end10
if.then8:
  %call9 = call fastcc signext i32 @checked(i64 noundef 19, i32 noundef signext %call4)
  br label %return
if.end10:
  %call12 = call fastcc signext i32 @fail(ptr noundef nonnull @.str.26, ptr noundef nonnull %log, ptr noundef nonnull @.str.27) cold
  br label %return
return:
  %retval.0 = phi i32 [ %call1, %if.then ], [ %call12, %if.end10 ], [ %call9, %if.then8 ]
  ret i32 %retval.0
}
define internal fastcc ptr @new_lane(ptr noundef %program) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %call = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef 272)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %call1 = tail call fastcc signext i32 @fail_memory() cold
  br label %cleanup63
if.end:
  %1 = load i32, ptr @tw_device_hosts, align 4
  %conv = sext i32 %1 to i64
  %add = add nsw i64 %conv, 1
  %call2 = tail call fastcc signext i32 @block_count()
  %conv3 = sext i32 %call2 to i64
  %call4 = tail call noalias ptr @calloc(i64 noundef %conv3, i64 noundef 8)
  %blocks = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call4, ptr %blocks, align 8
  %call7 = tail call noalias ptr @calloc(i64 noundef %conv3, i64 noundef 8)
  %bytes = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %call7, ptr %bytes, align 8
  %2 = load i32, ptr @tw_arguments, align 4
  %conv8 = sext i32 %2 to i64
  %add9 = add nsw i64 %conv8, 1
  %call10 = tail call noalias ptr @calloc(i64 noundef %add9, i64 noundef 8)
  %addresses = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr %call10, ptr %addresses, align 8
  %call11 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  %hosts12 = getelementptr inbounds nuw i8, ptr %call, i64 56
  store ptr %call11, ptr %hosts12, align 8
  %call13 = tail call noalias ptr @calloc(i64 noundef %add, i64 noundef 8)
  %host_bytes = getelementptr inbounds nuw i8, ptr %call, i64 64
  store ptr %call13, ptr %host_bytes, align 8
  %program14 = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %program, ptr %program14, align 8
  %weights = getelementptr inbounds nuw i8, ptr %program, i64 40
  %3 = load i64, ptr %weights, align 8
  store i64 %3, ptr %call, align 8
  br label %for.cond
for.cond:
  %has_keys.0 = phi i1 [ true, %if.end ], [ %spec.select, %for.body ]
  %inc.sink = phi i32 [ 0, %if.end ], [ %inc, %for.body ]
  %cmp16 = icmp samesign ult i32 %inc.sink, 8
  br i1 %cmp16, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %cmp30 = icmp ne ptr %call4, null
  %cmp33 = icmp ne ptr %call7, null
  %or.cond26.not32 = select i1 %cmp30, i1 %cmp33, i1 false
  %cmp37 = icmp ne ptr %call10, null
  %or.cond27.not31 = select i1 %or.cond26.not32, i1 %cmp37, i1 false
  %cmp41 = icmp ne ptr %call11, null
  %or.cond28.not30 = select i1 %or.cond27.not31, i1 %cmp41, i1 false
  %cmp45 = icmp ne ptr %call13, null
  %4 = select i1 %or.cond28.not30, i1 %cmp45, i1 false
  %or.cond29 = select i1 %4, i1 %has_keys.0, i1 false
  br i1 %or.cond29, label %if.else, label %if.then49
for.body:
  %call18 = tail call fastcc signext i32 @key_length()
  %conv19 = sext i32 %call18 to i64
  %add20 = add nsw i64 %conv19, 1
  %call21 = tail call noalias ptr @calloc(i64 noundef %add20, i64 noundef 8)
  %graphs = getelementptr inbounds nuw i8, ptr %call, i64 72
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.graph, ptr %graphs, i64 %idxprom
  store ptr %call21, ptr %arrayidx, align 8
  %cmp27 = icmp ne ptr %call21, null
  %spec.select = select i1 %has_keys.0, i1 %cmp27, i1 false
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
if.then49:
  %call50 = tail call fastcc signext i32 @fail_memory() cold
  br label %if.end61
if.else:
  %call51 = tail call fastcc zeroext i1 @is_asked()
  br i1 %call51, label %if.then58, label %lor.lhs.false53
lor.lhs.false53:
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 24), align 8
  %own = getelementptr inbounds nuw i8, ptr %call, i64 24
  %call54 = tail call signext i32 %5(ptr noundef nonnull %own, i32 noundef signext 1)
  %call55 = tail call fastcc signext i32 @checked(i64 noundef 3, i32 noundef signext %call54)
  %cmp56 = icmp eq i32 %call55, 0
  br i1 %cmp56, label %if.then58, label %if.end61
if.then58:
  %own59 = getelementptr inbounds nuw i8, ptr %call, i64 24
  %6 = load ptr, ptr %own59, align 8
  %stream = getelementptr inbounds nuw i8, ptr %call, i64 16
  store ptr %6, ptr %stream, align 8
  br label %cleanup63
if.end61:
  tail call fastcc void @free_lane(ptr noundef nonnull %call) cold
  br label %cleanup63
cleanup63:
  %.sink.sink = phi ptr [ null, %if.then ], [ null, %if.end61 ], [ %call, %if.then58 ]
  ret ptr %.sink.sink
}
define internal fastcc signext i32 @key_length() unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_arguments, align 4
  %2 = load i32, ptr @tw_given_count, align 4
  %add = add nsw i32 %2, %1
  ret i32 %add
}
define internal fastcc signext i32 @check_inputs(ptr noundef nonnull readonly captures(none) %lane, ptr noundef %slots) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %1, 2
  %2 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %2, align 8
  %3 = load i32, ptr @tw_inputs, align 4
  %add1 = add nsw i32 %3, 1
  %4 = zext i32 %add1 to i64
  %vla2 = alloca ptr, i64 %4, align 8
  %5 = load i32, ptr @tw_device_has_checks, align 4
  %tobool.not = icmp eq i32 %5, 0
  br i1 %tobool.not, label %cleanup42, label %if.end
if.end:
  %6 = shl nuw nsw i64 %2, 3
  %call = call ptr @memcpy(ptr noundef nonnull %vla, ptr noundef %slots, i64 noundef %6)
  br label %for.cond
for.cond:
  %made.0 = phi i32 [ 0, %if.end ], [ %made.1, %cleanup ]
  %status.0 = phi i32 [ 0, %if.end ], [ %status.1, %cleanup ]
  %inc33.sink = phi i32 [ 0, %if.end ], [ %inc33, %cleanup ]
  %cmp = icmp slt i32 %inc33.sink, %3
  %cmp3 = icmp eq i32 %status.0, 0
  %7 = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %7, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  br i1 %cmp3, label %if.then36, label %while.cond.preheader
for.body:
  %idxprom = zext nneg i32 %inc33.sink to i64
  %arrayidx = getelementptr inbounds nuw %struct.tw_spec, ptr @tw_specs, i64 %idxprom
  %dtype = getelementptr inbounds nuw i8, ptr %arrayidx, i64 44
  %8 = load i32, ptr %dtype, align 4
  %and = and i32 %8, 254
  %cmp4 = icmp ne i32 %and, 0
  %idxprom7 = sext i32 %1 to i64
  %arrayidx8 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom7
  %9 = load ptr, ptr %arrayidx8, align 8
  %call9 = call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx, ptr noundef %9)
  %cmp10 = icmp eq i64 %call9, 0
  %or.cond = select i1 %cmp4, i1 true, i1 %cmp10
  br i1 %or.cond, label %cleanup, label %lor.lhs.false11
lor.lhs.false11:
  %call12 = call signext i32 @tw_device_of(ptr noundef nonnull %slots, i32 noundef signext %inc33.sink)
  %cmp13 = icmp slt i32 %call12, 0
  br i1 %cmp13, label %cleanup, label %if.end15
if.end15:
  %call16 = call noalias ptr @malloc(i64 noundef %call9)
  %idxprom17 = sext i32 %made.0 to i64
  %arrayidx18 = getelementptr inbounds ptr, ptr %vla2, i64 %idxprom17
  store ptr %call16, ptr %arrayidx18, align 8
  %arrayidx22 = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %idxprom
  store ptr %call16, ptr %arrayidx22, align 8
  %cmp25 = icmp eq ptr %call16, null
  br i1 %cmp25, label %cond.true, label %cond.false
cond.true:
  %call26 = call fastcc signext i32 @fail_memory() cold
  br label %cond.end
cond.false:
  %arrayidx30 = getelementptr inbounds nuw %union.tw_slot, ptr %slots, i64 %idxprom
  %10 = load ptr, ptr %arrayidx30, align 8
  %call31 = call signext i32 @tw_device_read(ptr noundef nonnull %lane, ptr noundef nonnull %call16, ptr noundef %10, i64 noundef %call9)
  br label %cond.end
cond.end:
  %cond = phi i32 [ %call26, %cond.true ], [ %call31, %cond.false ]
  %inc = add nsw i32 %made.0, 1
  br label %cleanup
cleanup:
  %made.1 = phi i32 [ %made.0, %for.body ], [ %made.0, %lor.lhs.false11 ], [ %inc, %cond.end ]
  %status.1 = phi i32 [ 0, %for.body ], [ 0, %lor.lhs.false11 ], [ %cond, %cond.end ]
  %inc33 = add nuw nsw i32 %inc33.sink, 1
  br label %for.cond
if.then36:
  %call37 = call signext i32 @tw_device_check(ptr noundef nonnull %vla)
  br label %while.cond.preheader
while.cond.preheader:
  %status.2.ph = phi i32 [ %status.0, %for.cond.cleanup ], [ %call37, %if.then36 ]
  br label %while.cond
while.cond:
  %made.2 = phi i32 [ %dec, %while.body ], [ %made.0, %while.cond.preheader ]
  %cmp39 = icmp sgt i32 %made.2, 0
  br i1 %cmp39, label %while.body, label %cleanup42
while.body:
  %dec = add nsw i32 %made.2, -1
  %idxprom40 = zext nneg i32 %dec to i64
  %arrayidx41 = getelementptr inbounds nuw ptr, ptr %vla2, i64 %idxprom40
  %11 = load ptr, ptr %arrayidx41, align 8
  call void @free(ptr noundef %11)
  br label %while.cond
cleanup42:
  %.sink1 = phi i32 [ 0, %0 ], [ %status.2.ph, %while.cond ]
  ret i32 %.sink1
}
define internal fastcc signext range(i32 -1, 1) i32 @move(ptr noundef nonnull readonly captures(none) %lane, ptr noundef %slots, i1 noundef zeroext %is_input) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_arguments, align 4
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom
  %2 = load ptr, ptr %arrayidx, align 8
  %3 = load i32, ptr @tw_inputs, align 4
  %cond = select i1 %is_input, i32 0, i32 %3
  %4 = select i1 %is_input, i32 %3, i32 %1
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.inc ], [ %cond, %0 ]
  %cmp.not = icmp slt i32 %inc.sink, %4
  br i1 %cmp.not, label %for.body, label %cleanup32
for.body:
  %idxprom6 = sext i32 %inc.sink to i64
  %arrayidx7 = getelementptr inbounds %struct.tw_spec, ptr @tw_specs, i64 %idxprom6
  %call = tail call fastcc i64 @bytes_of(ptr noundef nonnull %arrayidx7, ptr noundef %2)
  %arrayidx9 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom6
  %5 = load ptr, ptr %arrayidx9, align 8
  %cmp10 = icmp eq i64 %call, 0
  br i1 %cmp10, label %for.inc, label %lor.lhs.false
lor.lhs.false:
  %call11 = tail call signext i32 @tw_device_of(ptr noundef nonnull %slots, i32 noundef signext %inc.sink)
  %cmp12 = icmp sgt i32 %call11, -1
  br i1 %cmp12, label %for.inc, label %if.end
if.end:
  %program = getelementptr inbounds nuw i8, ptr %lane, i64 8
  %6 = load ptr, ptr %program, align 8
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %7 = load ptr, ptr %blocks, align 8
  %arrayidx16 = getelementptr inbounds i64, ptr %7, i64 %idxprom6
  %8 = load i64, ptr %arrayidx16, align 8
  %stream = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %9 = load ptr, ptr %stream, align 8
  br i1 %is_input, label %cond.true14, label %cond.false18
cond.true14:
  %call17 = tail call fastcc signext i32 @write(ptr noundef %6, i64 noundef %8, ptr noundef %5, i64 noundef %call, ptr noundef %9)
  br label %cond.end25
cond.false18:
  %call24 = tail call fastcc signext i32 @read(ptr noundef %6, ptr noundef %5, i64 noundef %8, i64 noundef %call, ptr noundef %9)
  br label %cond.end25
cond.end25:
  %cond26 = phi i32 [ %call17, %cond.true14 ], [ %call24, %cond.false18 ]
  %cmp27.not = icmp eq i32 %cond26, 0
  br i1 %cmp27.not, label %for.inc, label %cleanup32
for.inc:
  %inc = add nsw i32 %inc.sink, 1
  br label %for.cond
cleanup32:
  %spec.select21 = sext i1 %cmp.not to i32
  ret i32 %spec.select21
}
define internal fastcc signext i32 @queue(ptr noundef nonnull %lane, ptr noundef readonly captures(none) %slots) unnamed_addr minsize nounwind optsize "no-builtins" {
  %1 = load i32, ptr @tw_arguments, align 4
  %add = add nsw i32 %1, 2
  %2 = zext i32 %add to i64
  %vla = alloca %union.tw_slot, i64 %2, align 8
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp slt i32 %inc.sink, %1
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 48
  %3 = load ptr, ptr %addresses, align 8
  %idxprom = zext nneg i32 %inc.sink to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %3, i64 %idxprom
  %4 = load i64, ptr %arrayidx, align 8
  %call = tail call fastcc ptr @address_of(i64 noundef %4)
  %arrayidx2 = getelementptr inbounds nuw %union.tw_slot, ptr %vla, i64 %idxprom
  store ptr %call, ptr %arrayidx2, align 8
  %inc = add nuw nsw i32 %inc.sink, 1
  br label %for.cond
for.end:
  %idxprom3 = sext i32 %1 to i64
  %arrayidx4 = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %idxprom3
  %arrayidx6 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom3
  %5 = load i64, ptr %arrayidx6, align 8
  store i64 %5, ptr %arrayidx4, align 8
  %add7 = add nsw i32 %1, 1
  %idxprom8 = sext i32 %add7 to i64
  %arrayidx9 = getelementptr inbounds %union.tw_slot, ptr %vla, i64 %idxprom8
  %arrayidx12 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %idxprom8
  %6 = load i64, ptr %arrayidx12, align 8
  store i64 %6, ptr %arrayidx9, align 8
  %blocks = getelementptr inbounds nuw i8, ptr %lane, i64 32
  %7 = load ptr, ptr %blocks, align 8
  %arrayidx14 = getelementptr inbounds i64, ptr %7, i64 %idxprom3
  %8 = load i64, ptr %arrayidx14, align 8
  %call15 = tail call fastcc ptr @address_of(i64 noundef %8)
  %call16 = call signext i32 @tw_device_main(ptr noundef nonnull %vla, ptr noundef %call15, ptr noundef nonnull %lane)
  ret i32 %call16
}
define internal fastcc nonnull ptr @graph_of(ptr noundef nonnull captures(ret: address, provenance) %lane, ptr noundef readonly captures(none) %slots) unnamed_addr minsize nounwind optsize "no-builtins" {
  %call = tail call fastcc signext i32 @key_length()
  %add = add nsw i32 %call, 1
  %1 = zext i32 %add to i64
  %vla = alloca i64, i64 %1, align 8
  %conv = sext i32 %call to i64
  %mul = shl nsw i64 %conv, 3
  %addresses = getelementptr inbounds nuw i8, ptr %lane, i64 48
  %2 = load ptr, ptr %addresses, align 8
  %3 = load i32, ptr @tw_arguments, align 4
  %conv2 = sext i32 %3 to i64
  %mul3 = shl nsw i64 %conv2, 3
  %call4 = call ptr @memcpy(ptr noundef nonnull %vla, ptr noundef %2, i64 noundef %mul3)
  %arrayidx = getelementptr inbounds i64, ptr %vla, i64 %conv2
  %arrayidx6 = getelementptr inbounds %union.tw_slot, ptr %slots, i64 %conv2
  %4 = load ptr, ptr %arrayidx6, align 8
  %5 = load i32, ptr @tw_given_count, align 4
  %conv7 = sext i32 %5 to i64
  %mul8 = shl nsw i64 %conv7, 3
  %call9 = call ptr @memcpy(ptr noundef nonnull %arrayidx, ptr noundef %4, i64 noundef %mul8)
  br label %for.cond
for.cond:
  %inc.sink = phi i32 [ %inc, %for.body ], [ 0, %0 ]
  %cmp = icmp samesign ugt i32 %inc.sink, 7
  %graphs19 = getelementptr inbounds nuw i8, ptr %lane, i64 72
  br i1 %cmp, label %for.end, label %for.body
for.body:
  %idxprom11 = zext nneg i32 %inc.sink to i64
  %arrayidx12 = getelementptr inbounds nuw %struct.graph, ptr %graphs19, i64 %idxprom11
  %6 = load ptr, ptr %arrayidx12, align 8
  %call13 = call signext i32 @memcmp(ptr noundef %6, ptr noundef nonnull %vla, i64 noundef %mul)
  %cmp14 = icmp eq i32 %call13, 0
  %inc = add nuw nsw i32 %inc.sink, 1
  br i1 %cmp14, label %cleanup28, label %for.cond
for.end:
  %oldest = getelementptr inbounds nuw i8, ptr %lane, i64 264
  %7 = load i32, ptr %oldest, align 8
  %idxprom20 = sext i32 %7 to i64
  %arrayidx21 = getelementptr inbounds %struct.graph, ptr %graphs19, i64 %idxprom20
  %add23 = add nsw i32 %7, 1
  %rem = srem i32 %add23, 8
  store i32 %rem, ptr %oldest, align 8
  call fastcc void @drop_graph(ptr noundef nonnull %arrayidx21)
  %8 = load ptr, ptr %arrayidx21, align 8
  %call26 = call ptr @memcpy(ptr noundef %8, ptr noundef nonnull %vla, i64 noundef %mul)
  br label %cleanup28
cleanup28:
  %retval.1 = phi ptr [ %arrayidx21, %for.end ], [ %arrayidx12, %for.body ]
  ret ptr %retval.1
}
define internal fastcc signext i32 @capture(ptr noundef nonnull %lane, ptr noundef %graph, ptr noundef readonly captures(none) %slots) unnamed_addr cold minsize nounwind optsize "no-builtins" {
  %made = alloca ptr, align 8
  store ptr null, ptr %made, align 8
  %stream1 = getelementptr inbounds nuw i8, ptr %lane, i64 16
  %1 = load ptr, ptr %stream1, align 8
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 104), align 8
  %own = getelementptr inbounds nuw i8, ptr %lane, i64 24
  %3 = load ptr, ptr %own, align 8
  %call = tail call signext i32 %2(ptr noundef %3, i32 noundef signext 2)
  %call2 = tail call fastcc signext i32 @checked(i64 noundef 13, i32 noundef signext %call)
  %cmp.not = icmp eq i32 %call2, 0
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %4 = load ptr, ptr %own, align 8
  store ptr %4, ptr %stream1, align 8
  %call5 = tail call fastcc signext i32 @queue(ptr noundef %lane, ptr noundef %slots)
  store ptr %1, ptr %stream1, align 8
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 112), align 8
  %6 = load ptr, ptr %own, align 8
  %call8 = call signext i32 %5(ptr noundef %6, ptr noundef nonnull %made)
  %call9 = call fastcc signext i32 @checked(i64 noundef 14, i32 noundef signext %call8)
  %cmp10 = icmp eq i32 %call5, 0
  %cmp11 = icmp eq i32 %call9, 0
  %or.cond = select i1 %cmp10, i1 %cmp11, i1 false
  br i1 %or.cond, label %if.then12, label %if.end15
if.then12:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 120), align 8
  %executable = getelementptr inbounds nuw i8, ptr %graph, i64 8
  %8 = load ptr, ptr %made, align 8
  %call13 = call signext i32 %7(ptr noundef nonnull %executable, ptr noundef %8, i64 noundef 0)
  %call14 = call fastcc signext i32 @checked(i64 noundef 15, i32 noundef signext %call13)
  br label %if.end15
if.end15:
  %status.0 = phi i32 [ %call14, %if.then12 ], [ %call5, %if.end ]
  %9 = load ptr, ptr %made, align 8
  %cmp16.not = icmp eq ptr %9, null
  br i1 %cmp16.not, label %if.end19, label %if.then17
if.then17:
  %10 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @driver, i64 136), align 8
  %call18 = call signext i32 %10(ptr noundef nonnull %9)
  br label %if.end19
if.end19:
  %cmp20.not = icmp eq i32 %status.0, 0
  %.sroa.speculated = select i1 %cmp20.not, i32 %call9, i32 %status.0
  br label %cleanup
cleanup:
  %.sink = phi i32 [ %.sroa.speculated, %if.end19 ], [ -1, %0 ]
  ret i32 %.sink
}
declare void @free(ptr noundef) local_unnamed_addr
declare noalias ptr @malloc(i64 noundef) local_unnamed_addr
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare hidden i64 @tw_begin_stage(ptr noundef, i32 noundef signext, i64 noundef) local_unnamed_addr
declare hidden ptr @tw_slots_of(ptr noundef) local_unnamed_addr
declare hidden ptr @tw_stream_of(ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_enter_on(ptr noundef, ptr noundef, i32 noundef signext) local_unnamed_addr
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
declare signext i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr
declare hidden signext i32 @tw_fail(ptr noundef, ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_device_of(ptr noundef, i32 noundef signext) local_unnamed_addr
declare extern_weak ptr @dlopen(ptr noundef, i32 noundef signext)
declare extern_weak ptr @dlsym(ptr noundef, ptr noundef)
declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr
declare hidden signext i32 @tw_device_check(ptr noundef) local_unnamed_addr
declare hidden signext i32 @tw_device_main(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr
declare signext i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr
declare i64 @llvm.umax.i64(i64, i64)
declare i32 @llvm.smax.i32(i32, i32)
