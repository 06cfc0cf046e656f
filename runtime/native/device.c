/* Programs for a GPU in a process without Python: memory, copies and launches by the GPU's driver.
 *
 * In: a call of a program, whose arguments entry.c has checked, in host memory. Out: the outputs in
 * host memory. The first call opens the driver's library, loads the kernels and copies the weights.
 * Each call takes a lane: a stream, and device memory for the arguments and for the arena. So calls of
 * several threads run next to each other, and the calls of one lane have the same addresses. If all
 * calls queue the same work, the second call of a lane captures it as a graph, which later calls launch.
 */

#include "device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the host's C library; the linker makes a weak one without a definition null. */
void *dlopen(const char *file, int32_t flags) __attribute__((weak));
void *dlsym(void *library, const char *symbol) __attribute__((weak));

#define RARE __attribute__((cold, noinline))

/* ---- the driver ------------------------------------------------------------------------------- */

/* The functions of a driver, in the order of `NAMES`. An unused one is null. */
struct driver {
    int32_t (*init)(uint32_t flags);
    int32_t (*error_name)(int32_t status, const char **name);
    int32_t (*device)(int32_t *device, int32_t number);
    int32_t (*stream)(void **stream, uint32_t flags);
    int32_t (*wait)(void *stream);
    int32_t (*destroy_stream)(void *stream);
    int32_t (*allocate)(uint64_t *address, size_t bytes);
    int32_t (*free)(uint64_t address);
    int32_t (*write)(uint64_t target, const void *source, size_t bytes, void *stream);
    int32_t (*read)(void *target, uint64_t source, size_t bytes, void *stream);
    int32_t (*copy)(uint64_t target, uint64_t source, size_t bytes, void *stream);
    int32_t (*kernel)(void **kernel, void *module, const char *name);
    int32_t (*launch)(void *kernel, uint32_t x, uint32_t y, uint32_t z, uint32_t block_x,
        uint32_t block_y, uint32_t block_z, uint32_t shared_bytes, void *stream, void **parameters,
        void **extra);
    int32_t (*begin_capture)(void *stream, uint32_t mode);
    int32_t (*end_capture)(void *stream, void **graph);
    int32_t (*instantiate)(void **executable, void *graph, uint64_t flags);
    int32_t (*launch_graph)(void *executable, void *stream);
    int32_t (*destroy_graph)(void *graph);
    int32_t (*destroy_executable)(void *executable);
    int32_t (*load_logged)(
        void **module, const void *code, uint32_t count, const int32_t *options, void **values);
    int32_t (*load)(void **module, const void *code);
    int32_t (*unload)(void *module);
    int32_t (*retain_context)(void **context, int32_t device);
    int32_t (*push_context)(void *context);
    int32_t (*pop_context)(void **context);
    int32_t (*set_attribute)(void *kernel, int32_t attribute, int32_t value);
    int32_t (*get_device)(int32_t *device);
    int32_t (*set_device)(int32_t device);
};

enum { FUNCTIONS = sizeof(struct driver) / sizeof(void *) };

static const char *const NAMES[FUNCTIONS][TW_DRIVERS] = {
    {"cuInit", "hipInit"},
    {"cuGetErrorName", "hipDrvGetErrorName"},
    {"cuDeviceGet", "hipDeviceGet"},
    {"cuStreamCreate", "hipStreamCreateWithFlags"},
    {"cuStreamSynchronize", "hipStreamSynchronize"},
    {"cuStreamDestroy_v2", "hipStreamDestroy"},
    {"cuMemAlloc_v2", "hipMalloc"},
    {"cuMemFree_v2", "hipFree"},
    {"cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync"},
    {"cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync"},
    {"cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync"},
    {"cuModuleGetFunction", "hipModuleGetFunction"},
    {"cuLaunchKernel", "hipModuleLaunchKernel"},
    {"cuStreamBeginCapture_v2", "hipStreamBeginCapture"},
    {"cuStreamEndCapture", "hipStreamEndCapture"},
    {"cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags"},
    {"cuGraphLaunch", "hipGraphLaunch"},
    {"cuGraphDestroy", "hipGraphDestroy"},
    {"cuGraphExecDestroy", "hipGraphExecDestroy"},
    {"cuModuleLoadDataEx", NULL},
    {NULL, "hipModuleLoadData"},
    {"cuModuleUnload", "hipModuleUnload"},
    {"cuDevicePrimaryCtxRetain", NULL},
    {"cuCtxPushCurrent_v2", NULL},
    {"cuCtxPopCurrent_v2", NULL},
    {"cuFuncSetAttribute", NULL},
    {NULL, "hipGetDevice"},
    {NULL, "hipSetDevice"},
};

/* The names of the library of each driver. */
enum { LIBRARIES = 3 };
static const char *const FILES[TW_DRIVERS][LIBRARIES] = {
    {"libcuda.so.1"},
    {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"},
};

static struct driver driver;

void *__tw_device_library;

/* The numbers of dlopen's mode, of flags of streams and captures, and of attributes. */
enum { NOW = 2, NON_BLOCKING = 1, RELAXED = 2, DYNAMIC_SHARED_BYTES = 8 };
enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6, LOG_BYTES = 512 };

/* Report a failure: what failed, and what was found. Return -1. */
RARE static int32_t fail(const char *what, const char *got, const char *hint)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message, "%s: %s\n    got: %.500s\n    hint: %s", tw_name, what, got,
        hint);
    return tw_fail("RuntimeError", message);
}

/* Return the position of a function in `struct driver`. */
#define POSITION(function) (offsetof(struct driver, function) / sizeof(void *))

/* Report that a function of the driver returned a status other than 0. Return -1. */
RARE static int32_t fail_call(size_t position, int32_t status)
{
    enum { OUT_OF_MEMORY = 2 };
    const char *name = NULL;
    char got[128], message[TW_MESSAGE_BYTES];
    driver.error_name(status, &name);
    snprintf(got, sizeof got, "%s (%d)", name == NULL ? "an unknown status" : name, status);
    snprintf(message, sizeof message, "%s: %s fails\n    got: %s", tw_name,
        NAMES[position][tw_device_driver], got);
    return tw_fail(status == OUT_OF_MEMORY ? "MemoryError" : "RuntimeError", message);
}

static int32_t checked(size_t position, int32_t status)
{
    return status == 0 ? 0 : fail_call(position, status);
}

/* Call a function of the driver; 0, or -1 after reporting its failure. */
#define CALL(function, ...) checked(POSITION(function), driver.function(__VA_ARGS__))

/* Find the functions of the driver; return 0 or -1. */
RARE static int32_t find_driver(void)
{
    void *library = __tw_device_library;
    if (dlopen == NULL || dlsym == NULL)
        return fail("the process cannot open the driver of the GPU", "no function dlopen",
            "call the module from a program with a dynamic C library");
    for (int32_t index = 0; index < LIBRARIES && library == NULL; index++)
        if (FILES[tw_device_driver][index] != NULL)
            library = dlopen(FILES[tw_device_driver][index], NOW);
    if (library == NULL)
        return fail("the driver of the GPU is missing", FILES[tw_device_driver][0],
            "install the driver, or compile for another target");
    for (size_t position = 0; position < FUNCTIONS; position++) {
        const char *name = NAMES[position][tw_device_driver];
        void *found = name == NULL ? NULL : dlsym(library, name);
        if (name != NULL && found == NULL)
            return fail("the driver of the GPU lacks a function", name, "install a newer driver");
        /* C99 converts no data pointer to a function pointer, so copy the bits as POSIX suggests. */
        memcpy((char *)&driver + position * sizeof found, &found, sizeof found);
    }
    return CALL(init, 0);
}

/* ---- the program on the device ---------------------------------------------------------------- */

/* What one call uses. `weights` is their address on the device; it comes first, because main reads it.
 * `blocks` are the memory of each argument, of the arena, then of an aligned copy of each buffer of a
 * launch; `bytes` are their sizes. `addresses` are those of the arguments of the last call: blocks, or
 * memory of the device that the caller passed. `executable` is the graph of the work of calls with these
 * addresses, or null; `has_run`: a call with these addresses has finished. */
struct tw_device {
    uint64_t weights;
    void *stream;
    void *executable;
    uint64_t *blocks;
    uint64_t *bytes;
    uint64_t *addresses;
    void *fetched[2];
    uint64_t fetched_bytes[2];
    int32_t has_run;
};

enum { LANES = 8 };

/* Lanes that no call uses at the moment; as `arenas` in entry.c. */
static struct tw_device *lanes[LANES] __attribute__((aligned(64)));

/* Guards what follows: 1 while a thread opens or closes the device. */
static int32_t lock;
static bool is_open;
static int32_t device_number;
static void *context;
static void *module;
static void **kernels;
static uint64_t weights;

static void acquire(void)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
        while (__atomic_load_n(&lock, __ATOMIC_RELAXED) != 0)
            ;
}

static void release(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

RARE static int32_t fail_memory(void)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message, "%s: no memory of the host for a call on the GPU", tw_name);
    return tw_fail("MemoryError", message);
}

/* Make the device current in this thread; `before` is what to make current afterwards. */
static int32_t enter_device(int32_t *before)
{
    if (tw_device_driver == TW_CUDA)
        return CALL(push_context, context);
    int32_t status = CALL(get_device, before);
    return status != 0 ? status : CALL(set_device, device_number);
}

static void leave_device(int32_t before)
{
    void *popped;
    if (tw_device_driver == TW_CUDA)
        driver.pop_context(&popped);
    else
        driver.set_device(before);
}

/* Load the code of the kernels; return 0 or -1. Before: the device is current. */
RARE static int32_t load_code(void)
{
    static const int32_t OPTIONS[] = {ERROR_LOG, ERROR_LOG_BYTES};
    if (tw_device_driver == TW_HIP)
        return CALL(load, &module, __tw_kernels_code);
    char log[LOG_BYTES] = "";
    void *values[2] = {log, (void *)(uintptr_t)LOG_BYTES};
    int32_t status = driver.load_logged(&module, __tw_kernels_code, 2, OPTIONS, values);
    if (status == 0 || log[0] == '\0')
        return checked(POSITION(load_logged), status);
    return fail("the driver refuses the code of the kernels", log,
        "compile for the architecture of the device");
}

/* Load the kernels; return 0 or -1. Before: the device is current. */
RARE static int32_t load_kernels(void)
{
    if (load_code() != 0)
        return -1;
    kernels = calloc((size_t)tw_device_kernel_count + 1, sizeof *kernels);
    if (kernels == NULL)
        return fail_memory();
    for (int32_t index = 0; index < tw_device_kernel_count; index++) {
        const struct tw_device_kernel *kernel = &tw_device_kernels[index];
        if (CALL(kernel, &kernels[index], module, kernel->symbol) != 0)
            return -1;
        if (kernel->shared_bytes > 0 && tw_device_driver == TW_CUDA
            && CALL(set_attribute, kernels[index], DYNAMIC_SHARED_BYTES, kernel->shared_bytes) != 0)
            return -1;
    }
    return 0;
}

/* Copy the weights to the device; return 0 or -1. Before: the device is current. */
RARE static int32_t copy_weights(void)
{
    size_t bytes = (size_t)tw_weights_bytes;
    void *stream = NULL;
    if (bytes == 0)
        return 0;
    if (CALL(stream, &stream, NON_BLOCKING) != 0)
        return -1;
    int32_t status = CALL(allocate, &weights, bytes);
    if (status == 0)
        status = CALL(write, weights, __tw_weights, bytes, stream);
    if (status == 0)
        status = CALL(wait, stream);
    driver.destroy_stream(stream);
    return status;
}

/* Unload the kernels and free the weights. Before: the device is current. */
RARE static void close_program(void)
{
    if (weights != 0)
        driver.free(weights);
    if (module != NULL)
        driver.unload(module);
    free(kernels);
    weights = 0;
    module = NULL;
    kernels = NULL;
    is_open = false;
}

/* Find the driver and the device, load the kernels and copy the weights, once; return 0 or -1. Before:
 * locked. */
RARE static int32_t open_device(void)
{
    int32_t before = 0;
    if (find_driver() != 0 || CALL(device, &device_number, 0) != 0)
        return -1;
    if (tw_device_driver == TW_CUDA && CALL(retain_context, &context, device_number) != 0)
        return -1;
    if (enter_device(&before) != 0)
        return -1;
    is_open = load_kernels() == 0 && copy_weights() == 0;
    if (!is_open)
        close_program();
    leave_device(before);
    return is_open ? 0 : -1;
}

/* Forget the graph of a lane. Before: the device is current. */
static void drop_graph(struct tw_device *lane)
{
    if (lane->executable != NULL)
        driver.destroy_executable(lane->executable);
    lane->executable = NULL;
    lane->has_run = 0;
}

/* ---- lanes ------------------------------------------------------------------------------------ */

static int32_t block_count(void) { return tw_arguments + 1 + tw_device_most_buffers; }

/* Free a lane, which no call uses. Before: the device is current. */
RARE static void free_lane(struct tw_device *lane)
{
    drop_graph(lane);
    for (int32_t index = 0; lane->blocks != NULL && index < block_count(); index++)
        if (lane->blocks[index] != 0)
            driver.free(lane->blocks[index]);
    if (lane->stream != NULL)
        driver.destroy_stream(lane->stream);
    free(lane->blocks);
    free(lane->bytes);
    free(lane->addresses);
    free(lane->fetched[0]);
    free(lane->fetched[1]);
    free(lane);
}

/* Return a new lane, or null after reporting an error. Before: the device is current. */
RARE static struct tw_device *new_lane(void)
{
    struct tw_device *lane = calloc(1, sizeof *lane);
    if (lane == NULL) {
        fail_memory();
        return NULL;
    }
    lane->blocks = calloc((size_t)block_count(), sizeof *lane->blocks);
    lane->bytes = calloc((size_t)block_count(), sizeof *lane->bytes);
    lane->weights = weights;
    lane->addresses = calloc((size_t)tw_arguments + 1, sizeof *lane->addresses);
    if (lane->blocks == NULL || lane->bytes == NULL || lane->addresses == NULL)
        fail_memory();
    else if (CALL(stream, &lane->stream, NON_BLOCKING) == 0)
        return lane;
    free_lane(lane);
    return NULL;
}

static struct tw_device *take_lane(void)
{
    for (int32_t index = 0; index < LANES; index++) {
        struct tw_device *lane = __atomic_exchange_n(&lanes[index], NULL, __ATOMIC_ACQ_REL);
        if (lane != NULL)
            return lane;
    }
    return new_lane();
}

static void give_lane(struct tw_device *lane)
{
    for (int32_t index = 0; index < LANES; index++) {
        struct tw_device *empty = NULL;
        if (__atomic_compare_exchange_n(
                &lanes[index], &empty, lane, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return;
    }
    free_lane(lane);
}

void tw_release_device(void)
{
    int32_t before = 0;
    if (!is_open || enter_device(&before) != 0)
        return;
    for (int32_t index = 0; index < LANES; index++) {
        struct tw_device *lane = __atomic_exchange_n(&lanes[index], NULL, __ATOMIC_ACQ_REL);
        if (lane != NULL)
            free_lane(lane);
    }
    acquire();
    close_program();
    release();
    leave_device(before);
}

/* Let the memory of an argument, or of the arena, have room for `bytes`; return 0 or -1. */
static int32_t reserve(struct tw_device *lane, int32_t index, uint64_t bytes)
{
    if (lane->blocks[index] != 0 && lane->bytes[index] >= bytes)
        return 0;
    if (lane->blocks[index] != 0 && CALL(free, lane->blocks[index]) != 0)
        return -1;
    lane->blocks[index] = 0;
    lane->bytes[index] = bytes > 0 ? bytes : 1;
    return CALL(allocate, &lane->blocks[index], (size_t)lane->bytes[index]);
}

/* ---- what main calls -------------------------------------------------------------------------- */

/* The address of memory of the device as a number. */
static uint64_t number_of(const char *address) { return (uint64_t)(uintptr_t)address; }

int32_t tw_device_copy(struct tw_device *device, char *target, char *source, int64_t bytes)
{
    if (bytes == 0 || target == source)
        return 0;
    return CALL(copy, number_of(target), number_of(source), (size_t)bytes, device->stream);
}

int32_t tw_device_concat(struct tw_device *device, char **addresses, int64_t operands)
{
    const int64_t *table = (const int64_t *)(const void *)addresses[1];
    int64_t rows = table[0], pitch = table[1];
    for (int64_t row = 0; row < rows; row++)
        for (int64_t operand = 0; operand < operands; operand++) {
            int64_t start = table[2 + 2 * operand], bytes = table[3 + 2 * operand];
            char *target = addresses[0] + row * pitch + start;
            char *source = addresses[2 + operand] + row * bytes;
            if (tw_device_copy(device, target, source, bytes) != 0)
                return -1;
        }
    return 0;
}

int32_t tw_device_read(struct tw_device *device, void *host, char *address, int64_t bytes)
{
    if (bytes == 0)
        return 0;
    if (CALL(read, host, number_of(address), (size_t)bytes, device->stream) != 0)
        return -1;
    return CALL(wait, device->stream);
}

int32_t tw_device_write(struct tw_device *device, char *address, const void *host, int64_t bytes)
{
    if (bytes == 0)
        return 0;
    if (CALL(write, number_of(address), host, (size_t)bytes, device->stream) != 0)
        return -1;
    return CALL(wait, device->stream);
}

void *tw_device_fetch(struct tw_device *device, int32_t number, char *address, int64_t bytes)
{
    if (device->fetched_bytes[number] < (uint64_t)bytes) {
        free(device->fetched[number]);
        device->fetched[number] = malloc((size_t)bytes);
        device->fetched_bytes[number] = device->fetched[number] == NULL ? 0 : (uint64_t)bytes;
    }
    if (device->fetched[number] == NULL) {
        fail_memory();
        return NULL;
    }
    bool is_read = tw_device_read(device, device->fetched[number], address, bytes) == 0;
    return is_read ? device->fetched[number] : NULL;
}

/* Kernels read 16 bytes at once, so a buffer that starts elsewhere is passed as an aligned copy. */
enum { ALIGNMENT = 16 };

/* Launch a kernel one of whose buffers is not aligned: with aligned copies of all of them. Launches run
 * one after the other, so they share the memory of the copies. */
RARE static int32_t launch_copies(struct tw_device *device, int32_t kernel, char **addresses,
    const int64_t *bytes, int32_t buffers, int64_t *numbers, int32_t count)
{
    char *copies[buffers];
    for (int32_t index = 0; index < buffers; index++) {
        int32_t block = tw_arguments + 1 + index;
        if (reserve(device, block, (uint64_t)bytes[index]) != 0)
            return -1;
        copies[index] = (char *)(uintptr_t)device->blocks[block];
        if (tw_device_copy(device, copies[index], addresses[index], bytes[index]) != 0)
            return -1;
    }
    if (tw_device_launch(device, kernel, copies, bytes, buffers, numbers, count) != 0)
        return -1;
    for (int32_t index = 0; index < buffers; index++)
        if (tw_device_copy(device, addresses[index], copies[index], bytes[index]) != 0)
            return -1;
    return 0;
}

/* Exchange a dimension of a grid that has too many blocks for its axis with the first one; see
 * `GpuLimits.exchanged` in machines/gpu.py. */
static void exchange_large(int64_t *grid)
{
    const int64_t *most = tw_device_most_blocks;
    int32_t large = grid[1] > most[1] ? 1 : grid[2] > most[2] ? 2 : 0;
    int64_t first = grid[0];
    grid[0] = grid[large];
    grid[large] = first;
}

RARE static int32_t fail_grid(int32_t kernel, const int64_t *grid)
{
    char what[128], got[128];
    snprintf(what, sizeof what, "the sizes of a call give kernel %s too many blocks",
        tw_device_kernels[kernel].symbol);
    snprintf(got, sizeof got, "%lld, %lld, %lld", (long long)grid[0], (long long)grid[1],
        (long long)grid[2]);
    return fail(what, got, "call with smaller sizes");
}

int32_t tw_device_launch(struct tw_device *device, int32_t kernel, char **addresses,
    const int64_t *bytes, int32_t buffers, int64_t *numbers, int32_t count)
{
    if (numbers[0] == 0 || numbers[1] == 0 || numbers[2] == 0)
        return 0;
    for (int32_t index = 0; index < buffers; index++)
        if (number_of(addresses[index]) % ALIGNMENT != 0)
            return launch_copies(device, kernel, addresses, bytes, buffers, numbers, count);
    void *parameters[buffers + count];
    for (int32_t index = 0; index < buffers; index++)
        parameters[index] = &addresses[index];
    for (int32_t index = 3; index < count; index++)
        parameters[buffers + index - 3] = &numbers[index];
    exchange_large(numbers);
    for (int32_t axis = 0; axis < 3; axis++)
        if (numbers[axis] > tw_device_most_blocks[axis])
            return fail_grid(kernel, numbers);
    const struct tw_device_kernel *facts = &tw_device_kernels[kernel];
    return CALL(launch, kernels[kernel], (uint32_t)numbers[0], (uint32_t)numbers[1],
        (uint32_t)numbers[2], (uint32_t)facts->block[0], (uint32_t)facts->block[1],
        (uint32_t)facts->block[2], (uint32_t)facts->shared_bytes, device->stream, parameters, NULL);
}

/* ---- calls ------------------------------------------------------------------------------------ */

/* Return the size in bytes of an argument. */
static uint64_t bytes_of(const struct tw_spec *spec, const int64_t *sizes)
{
    uint64_t bytes = (uint64_t)spec->bytes;
    for (int32_t axis = 0; axis < spec->rank; axis++)
        if (spec->shape[axis] < 0)
            bytes *= (uint64_t)sizes[-1 - spec->shape[axis]];
    return bytes;
}

/* Find the address of each argument on the device, with memory for those of the host; return 0 or -1. */
static int32_t place(struct tw_device *lane, const union tw_slot *slots)
{
    const int64_t *sizes = slots[tw_arguments].sizes;
    for (int32_t index = 0; index < tw_arguments; index++) {
        uint64_t address = number_of(slots[index].address);
        if (!tw_is_on_device(slots, index)) {
            if (reserve(lane, index, bytes_of(&tw_specs[index], sizes)) != 0)
                return -1;
            address = lane->blocks[index];
        }
        if (address != lane->addresses[index])
            drop_graph(lane);
        lane->addresses[index] = address;
    }
    return 0;
}

/* Copy the arguments of the host of one kind: inputs to the device, or outputs back; return 0 or -1. */
static int32_t move(struct tw_device *lane, const union tw_slot *slots, bool is_input)
{
    const int64_t *sizes = slots[tw_arguments].sizes;
    int32_t first = is_input ? 0 : tw_inputs, end = is_input ? tw_inputs : tw_arguments;
    for (int32_t index = first; index < end; index++) {
        size_t bytes = (size_t)bytes_of(&tw_specs[index], sizes);
        char *host = slots[index].address;
        if (bytes == 0 || tw_is_on_device(slots, index))
            continue;
        int32_t status = is_input ? CALL(write, lane->blocks[index], host, bytes, lane->stream)
                                  : CALL(read, host, lane->blocks[index], bytes, lane->stream);
        if (status != 0)
            return -1;
    }
    return 0;
}

/* Run main, which queues the work of a call; return 0 or -1. */
static int32_t queue(struct tw_device *lane, const union tw_slot *slots)
{
    union tw_slot moved[tw_arguments + 2];
    for (int32_t index = 0; index < tw_arguments; index++)
        moved[index].address = (char *)(uintptr_t)lane->addresses[index];
    moved[tw_arguments] = slots[tw_arguments];
    moved[tw_arguments + 1] = slots[tw_arguments + 1];
    return tw_device_main(moved, (char *)(uintptr_t)lane->blocks[tw_arguments], lane);
}

/* Capture the work of a call as a graph of the lane; return 0 or -1. */
RARE static int32_t capture(struct tw_device *lane, const union tw_slot *slots)
{
    void *graph = NULL;
    if (CALL(begin_capture, lane->stream, RELAXED) != 0)
        return -1;
    int32_t status = queue(lane, slots);
    int32_t ended = CALL(end_capture, lane->stream, &graph);
    if (status == 0 && ended == 0)
        status = CALL(instantiate, &lane->executable, graph, 0);
    if (graph != NULL)
        driver.destroy_graph(graph);
    return status != 0 ? status : ended;
}

/* Queue the work of a call: launch its graph, or run main; return 0 or -1. */
static int32_t work(struct tw_device *lane, const union tw_slot *slots)
{
    if (!tw_device_is_fixed || !lane->has_run)
        return queue(lane, slots);
    if (lane->executable == NULL && capture(lane, slots) != 0)
        return -1;
    return CALL(launch_graph, lane->executable, lane->stream);
}

/* Check the indices in the inputs, of which those on the device are copied to the host; return 0 or -1.
 * Indices are integers. */
static int32_t check_inputs(struct tw_device *lane, const union tw_slot *slots)
{
    union tw_slot host[tw_arguments + 2];
    void *copies[tw_inputs + 1];
    int32_t status = 0, made = 0;
    memcpy(host, slots, sizeof host);
    for (int32_t index = 0; index < tw_inputs && status == 0; index++) {
        bool is_integer = (tw_specs[index].dtype & 255) <= 1;
        size_t bytes = (size_t)bytes_of(&tw_specs[index], slots[tw_arguments].sizes);
        if (!is_integer || bytes == 0 || !tw_is_on_device(slots, index))
            continue;
        copies[made] = malloc(bytes);
        host[index].address = copies[made];
        status = copies[made] == NULL ? fail_memory()
                                      : tw_device_read(lane, copies[made],
                                            slots[index].address, (int64_t)bytes);
        made++;
    }
    if (status == 0)
        status = tw_device_check(host);
    while (made > 0)
        free(copies[--made]);
    return status;
}

/* Run a call in a lane; return 0 or -1. Before: the device is current. */
static int32_t run_lane(struct tw_device *lane, const union tw_slot *slots)
{
    const int64_t *sizes = slots[tw_arguments].sizes;
    int64_t arena_bytes
        = tw_symbol_count == 0 ? tw_device_arena_bytes : sizes[tw_expression_count];
    if (check_inputs(lane, slots) != 0 || place(lane, slots) != 0
        || reserve(lane, tw_arguments, (uint64_t)arena_bytes) != 0
        || move(lane, slots, true) != 0 || work(lane, slots) != 0
        || move(lane, slots, false) != 0)
        return -1;
    lane->has_run = 1;
    return CALL(wait, lane->stream);
}

int32_t tw_run(union tw_slot *slots, void *arena, int32_t threads)
{
    (void)arena;
    (void)threads;
    acquire();
    int32_t status = is_open ? 0 : open_device();
    release();
    int32_t before = 0;
    if (status != 0 || enter_device(&before) != 0)
        return -1;
    struct tw_device *lane = take_lane();
    status = lane == NULL ? -1 : run_lane(lane, slots);
    if (status == 0)
        give_lane(lane);
    else if (lane != NULL)
        free_lane(lane); /* its stream may be in an error state */
    leave_device(before);
    return status;
}
