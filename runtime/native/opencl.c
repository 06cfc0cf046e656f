/* OpenCL devices of programs without Python: the function by which their modules drive a device.
 *
 * In: the actions of enum tw_device_action, which device.c asks for. Out: calls of the OpenCL driver that
 * the process finds. Memory is shared virtual memory, so an address on the device is one of the process,
 * and kernels take addresses inside of an allocation. tilewright.c includes this file. Source of the
 * numbers: CL/cl.h of the Khronos group.
 */

#include <pthread.h>

#include "device.h"

enum { CL_DEVICES = 16, CL_PLATFORMS = 16, CL_LOG_BYTES = 4096 };
enum { CL_GPU = 4, CL_ACCELERATOR = 8, CL_CPU = 2 };
enum { CL_FACT_F32 = 0x101B, CL_FACT_SHARED_MEMORY = 0x1053, CL_LOG = 0x1183 };
enum { CL_ROUNDS_DIVISIONS = 1 << 7, CL_SHARED_MEMORY = 1, CL_READ_WRITE = 1 };

/* The functions of a driver, in the order of `CL_NAMES`. */
struct cl_driver {
    int32_t (*platforms)(uint32_t most, void **platforms, uint32_t *count);
    int32_t (*devices)(void *platform, uint64_t type, uint32_t most, void **devices, uint32_t *count);
    int32_t (*fact)(void *device, uint32_t name, size_t bytes, void *value, size_t *made);
    void *(*context)(const intptr_t *properties, uint32_t count, void *const *devices, void *notify,
        void *data, int32_t *status);
    void *(*queue)(void *context, void *device, uint64_t properties, int32_t *status);
    void *(*program)(void *context, uint32_t count, const char **texts, const size_t *lengths,
        int32_t *status);
    int32_t (*build)(void *program, uint32_t count, void *const *devices, const char *options,
        void *notify, void *data);
    int32_t (*log)(void *program, void *device, uint32_t name, size_t bytes, void *value, size_t *made);
    void *(*kernel)(void *program, const char *name, int32_t *status);
    int32_t (*number)(void *kernel, uint32_t index, size_t bytes, const void *value);
    int32_t (*address)(void *kernel, uint32_t index, const void *address);
    int32_t (*launch)(void *queue, void *kernel, uint32_t rank, const size_t *offset,
        const size_t *threads, const size_t *block, uint32_t waits, const void *events, void **event);
    void *(*allocate)(void *context, uint64_t flags, size_t bytes, uint32_t alignment);
    void (*free)(void *context, void *address);
    int32_t (*copy)(void *queue, uint32_t is_blocking, void *target, const void *source, size_t bytes,
        uint32_t waits, const void *events, void **event);
    int32_t (*wait)(void *queue);
    int32_t (*drop_kernel)(void *kernel);
    int32_t (*drop_program)(void *program);
    int32_t (*drop_queue)(void *queue);
    int32_t (*drop_context)(void *context);
};

enum { CL_FUNCTIONS = sizeof(struct cl_driver) / sizeof(void *) };

static const char *const CL_NAMES[CL_FUNCTIONS] = {
    "clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext",
    "clCreateCommandQueue", "clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo",
    "clCreateKernel", "clSetKernelArg", "clSetKernelArgSVMPointer", "clEnqueueNDRangeKernel",
    "clSVMAlloc", "clSVMFree", "clEnqueueSVMMemcpy", "clFinish", "clReleaseKernel",
    "clReleaseProgram", "clReleaseCommandQueue", "clReleaseContext",
};

/* A device with the kernels of a module. */
struct cl_device {
    void *handle;
    void *context;
    void *queue;
    void *program;
    void **kernels;
    int32_t kernel_count;
};

/* The devices of a module. `lock`: held while a launch sets the arguments of a kernel and is queued,
 * because OpenCL stores arguments in the kernel. */
struct cl_module {
    struct cl_driver driver;
    bool has_driver;
    void *const *library;
    pthread_mutex_t lock;
    struct cl_device devices[CL_DEVICES];
};

/* Report a function of the driver that returned a status other than 0; return whether it did. */
static bool cl_fails(const char *function, int32_t status)
{
    enum { NO_MEMORY = -4, NO_RESOURCES = -5, NO_HOST_MEMORY = -6 };
    bool is_memory = status == NO_MEMORY || status == NO_RESOURCES || status == NO_HOST_MEMORY;
    if (status != 0)
        fail(is_memory ? MEMORY_ERROR : RUNTIME_ERROR,
            "the OpenCL driver refuses a call\n  got: status %d of %s", (int64_t)status, function);
    return status != 0;
}

static int32_t cl_find_driver(struct cl_module *module)
{
    void *library = *module->library != NULL ? *module->library : dlopen("libOpenCL.so.1", RTLD_NOW);
    if (library == NULL)
        return fail(RUNTIME_ERROR, "the OpenCL driver is missing\n  got: %s\n  hint: install a driver of "
            "the device and the loader of OpenCL", dlerror());
    for (size_t index = 0; index < CL_FUNCTIONS; index++) {
        void *found = dlsym(library, CL_NAMES[index]);
        if (found == NULL)
            return fail(RUNTIME_ERROR, "the OpenCL driver lacks a function\n  expected: OpenCL 2.0 or "
                "newer\n  got: no %s\n  hint: install a newer driver", CL_NAMES[index]);
        memcpy((char *)&module->driver + index * sizeof found, &found, sizeof found);
    }
    module->has_driver = true;
    return 0;
}

/* Find the device with a number: GPUs come first, processors last, as in Python. */
static int32_t cl_find_device(const struct cl_module *module, int64_t number, void **device)
{
    static const uint64_t TYPES[] = {CL_GPU, CL_ACCELERATOR, CL_CPU};
    const struct cl_driver *driver = &module->driver;
    void *platforms[CL_PLATFORMS], *devices[CL_DEVICES];
    uint32_t platform_count = 0, count;
    int64_t first = 0;
    if (driver->platforms(CL_PLATFORMS, platforms, &platform_count) != 0)
        platform_count = 0;
    for (size_t type = 0; type < sizeof TYPES / sizeof *TYPES; type++)
        for (uint32_t index = 0; index < platform_count && index < CL_PLATFORMS; index++) {
            count = 0;
            if (driver->devices(platforms[index], TYPES[type], CL_DEVICES, devices, &count) != 0)
                continue;
            count = count < CL_DEVICES ? count : CL_DEVICES;
            if (number < first + count) {
                *device = devices[number - first];
                return 0;
            }
            first += count;
        }
    return fail(RUNTIME_ERROR, "device opencl:%d does not exist\n  expected: a number below %d\n  hint: "
        "clinfo lists the devices", number, first);
}

/* Compile the kernels. */
static int32_t cl_load(const struct cl_module *module, struct cl_device *device, const char *code,
    const struct tw_device_kernel *kernels, int32_t count)
{
    const struct cl_driver *driver = &module->driver;
    uint64_t rounding = 0;
    int32_t status = driver->fact(device->handle, CL_FACT_F32, sizeof rounding, &rounding, NULL);
    if (cl_fails("clGetDeviceInfo", status) || count == 0)
        return status == 0 ? 0 : -1;
    device->program = driver->program(device->context, 1, &code, NULL, &status);
    if (cl_fails("clCreateProgramWithSource", status))
        return -1;
    const char *options = rounding & CL_ROUNDS_DIVISIONS
        ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
        : "-cl-std=CL1.2";
    if (driver->build(device->program, 1, &device->handle, options, NULL, NULL) != 0) {
        char log[CL_LOG_BYTES] = "no message of the driver";
        driver->log(device->program, device->handle, CL_LOG, sizeof log - 1, log, NULL);
        return fail(RUNTIME_ERROR, "the OpenCL driver refuses the code of the kernels\n  got: %s", log);
    }
    device->kernels = calloc((size_t)count, sizeof *device->kernels);
    if (device->kernels == NULL)
        return fail(MEMORY_ERROR, "no memory is left for the kernels");
    for (; device->kernel_count < count; device->kernel_count++) {
        const char *name = kernels[device->kernel_count].symbol;
        device->kernels[device->kernel_count] = driver->kernel(device->program, name, &status);
        if (cl_fails("clCreateKernel", status))
            return -1;
    }
    return 0;
}

static void cl_close_device(const struct cl_module *module, struct cl_device *device)
{
    const struct cl_driver *driver = &module->driver;
    for (int32_t index = 0; index < device->kernel_count; index++)
        driver->drop_kernel(device->kernels[index]);
    if (device->program != NULL)
        driver->drop_program(device->program);
    if (device->queue != NULL)
        driver->drop_queue(device->queue);
    if (device->context != NULL)
        driver->drop_context(device->context);
    free(device->kernels);
    *device = (struct cl_device){NULL, NULL, NULL, NULL, NULL, 0};
}

/* Open the device with a number; `given` as in device.h. */
static int32_t cl_open(struct cl_module *module, int64_t number, const struct tw_value *given)
{
    struct cl_device *device = &module->devices[number];
    uint64_t memory = 0;
    int32_t status = 0;
    cl_close_device(module, device); /* after an attempt that failed */
    if ((!module->has_driver && cl_find_driver(module) != 0)
        || cl_find_device(module, number, &device->handle) != 0)
        return -1;
    module->driver.fact(device->handle, CL_FACT_SHARED_MEMORY, sizeof memory, &memory, NULL);
    if ((memory & CL_SHARED_MEMORY) == 0)
        return fail(RUNTIME_ERROR, "the OpenCL device has no shared virtual memory\n  expected: "
            "CL_DEVICE_SVM_COARSE_GRAIN_BUFFER\n  hint: call the module from Python, which uses buffers");
    device->context = module->driver.context(NULL, 1, &device->handle, NULL, NULL, &status);
    if (cl_fails("clCreateContext", status))
        return -1;
    device->queue = module->driver.queue(device->context, device->handle, 0, &status);
    if (cl_fails("clCreateCommandQueue", status))
        return -1;
    const void *code = (const void *)(uintptr_t)given[0].payload.integer;
    const void *kernels = (const void *)(uintptr_t)given[1].payload.integer;
    return cl_load(module, device, code, kernels, (int32_t)given[2].payload.integer);
}

/* Queue a launch; `given` as in device.h. */
static int32_t cl_launch(
    struct cl_module *module, const struct cl_device *device, const struct tw_value *given)
{
    const struct cl_driver *driver = &module->driver;
    void *kernel = device->kernels[given[0].payload.integer];
    void *const *addresses = (void *const *)(uintptr_t)given[5].payload.integer;
    const int64_t *numbers = (const int64_t *)(uintptr_t)given[8].payload.integer;
    uint32_t buffers = (uint32_t)given[7].payload.integer, index = 0;
    int64_t count = given[9].payload.integer;
    size_t threads[3], block[3], shared_bytes = (size_t)given[4].payload.integer;
    for (int axis = 0; axis < 3; axis++) {
        block[axis] = (size_t)given[1 + axis].payload.integer;
        threads[axis] = block[axis] * (size_t)numbers[axis];
    }
    pthread_mutex_lock(&module->lock);
    int32_t status = 0;
    for (; index < buffers && status == 0; index++)
        status = driver->address(kernel, index, addresses[index]);
    for (int64_t at = 3; at < count && status == 0; at++)
        status = driver->number(kernel, index++, sizeof *numbers, &numbers[at]);
    if (shared_bytes > 0 && status == 0)
        status = driver->number(kernel, index, shared_bytes, NULL);
    if (!cl_fails("clSetKernelArg", status)) {
        status = driver->launch(device->queue, kernel, 3, NULL, threads, block, 0, NULL, NULL);
        cl_fails("clEnqueueNDRangeKernel", status);
    }
    pthread_mutex_unlock(&module->lock);
    return status == 0 ? 0 : -1;
}

/* Copy between addresses; wait for the copy if one of them is memory of the host. */
static int32_t cl_copy(const struct cl_module *module, const struct cl_device *device,
    const struct tw_value *given, bool is_blocking)
{
    void *target = (void *)(uintptr_t)given[0].payload.integer;
    const void *source = (const void *)(uintptr_t)given[1].payload.integer;
    size_t bytes = (size_t)given[2].payload.integer;
    int32_t status
        = module->driver.copy(device->queue, is_blocking, target, source, bytes, 0, NULL, NULL);
    return cl_fails("clEnqueueSVMMemcpy", status) ? -1 : 0;
}

/* A packed function: do an action on a device of a module; `self` is its struct cl_module. */
static int32_t cl_act(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    enum { ALIGNMENT_OF_LOADS = 16 };
    struct cl_module *module = self;
    const struct tw_value *given = args + 2;
    int64_t action = args[0].payload.integer, number = args[1].payload.integer;
    struct cl_device *device = &module->devices[number];
    void *address = (void *)(uintptr_t)(count > 2 ? given->payload.integer : 0);
    result->type_index = TW_INT;
    switch (action) {
    case TW_OPEN:
        result->payload.integer = ALIGNMENT_OF_LOADS;
        return cl_open(module, number, given);
    case TW_ALLOCATE:
        address = module->driver.allocate(
            device->context, CL_READ_WRITE, (size_t)given->payload.integer, 0);
        result->payload.integer = (int64_t)(uintptr_t)address;
        return address != NULL ? 0 : fail(MEMORY_ERROR, "the OpenCL device has no room for %d bytes",
            given->payload.integer);
    case TW_FREE:
        module->driver.wait(device->queue);
        module->driver.free(device->context, address);
        return 0;
    case TW_COPY:
        return cl_copy(module, device, given, false);
    case TW_LAUNCH:
        return cl_launch(module, device, given);
    case TW_WAIT:
        return cl_fails("clFinish", module->driver.wait(device->queue)) ? -1 : 0;
    default: /* TW_WRITE and TW_READ */
        return cl_copy(module, device, given, true);
    }
}

/* Return a new driver of the OpenCL devices of a module, or null after reporting an error. `library`:
 * where the module keeps the opened library of the driver. */
static struct cl_module *cl_new_module(void *const *library)
{
    struct cl_module *made = calloc(1, sizeof *made);
    if (made == NULL || pthread_mutex_init(&made->lock, NULL) != 0) {
        free(made);
        fail(MEMORY_ERROR, "no memory is left for the devices of a module");
        return NULL;
    }
    made->library = library;
    return made;
}

/* Free the driver. Before: the module has freed its memory. */
static void cl_free_module(struct cl_module *module)
{
    for (int32_t number = 0; number < CL_DEVICES; number++)
        cl_close_device(module, &module->devices[number]);
    pthread_mutex_destroy(&module->lock);
    free(module);
}
