/* Programs for a GPU: memory, copies and launches, by the GPU's driver or by a function of the host.
 *
 * In: a call of a program, whose arguments entry.c has checked, in memory of the host or of a device.
 * Out: the outputs there. The first call on a device opens the driver, loads the kernels and copies the
 * weights. Each call takes a lane: a stream, and device memory for the arguments and for the arena. So
 * calls of several threads run next to each other, and the calls of one lane have the same addresses. If
 * the work of a call depends on addresses and sizes only, the second equal call of a lane captures it as
 * a graph, which later calls launch. For devices without a driver in C, and to record the work of a
 * program, the host sets a packed function that does each action.
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

/* The name of each function in each driver; "" if the driver has no such function. The table contains
 * characters, not their addresses, so loading the library relocates nothing here. */
enum { NAME_BYTES = 32 };
static const char NAMES[FUNCTIONS][TW_DRIVERS][NAME_BYTES] = {
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
    {"cuModuleLoadDataEx", ""},
    {"", "hipModuleLoadData"},
    {"cuModuleUnload", "hipModuleUnload"},
    {"cuDevicePrimaryCtxRetain", ""},
    {"cuCtxPushCurrent_v2", ""},
    {"cuCtxPopCurrent_v2", ""},
    {"cuFuncSetAttribute", ""},
    {"", "hipGetDevice"},
    {"", "hipSetDevice"},
};

/* The names of the library of each driver. */
enum { LIBRARIES = 3 };
static const char FILES[TW_DRIVERS][LIBRARIES][NAME_BYTES] = {
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
    if (tw_device_driver == TW_DRIVERS)
        return fail("no function drives the device", "a null __tw_device_function",
            "call the module from Python, which sets the function");
    if (dlopen == NULL || dlsym == NULL)
        return fail("the process cannot open the driver of the GPU", "no function dlopen",
            "call the module from a program with a dynamic C library");
    for (int32_t index = 0; index < LIBRARIES && library == NULL; index++)
        if (FILES[tw_device_driver][index][0] != '\0')
            library = dlopen(FILES[tw_device_driver][index], NOW);
    if (library == NULL)
        return fail("the driver of the GPU is missing", FILES[tw_device_driver][0],
            "install the driver, or compile for another target");
    for (size_t position = 0; position < FUNCTIONS; position++) {
        const char *name = NAMES[position][tw_device_driver];
        void *found = name[0] == '\0' ? NULL : dlsym(library, name);
        if (name[0] != '\0' && found == NULL)
            return fail("the driver of the GPU lacks a function", name, "install a newer driver");
        /* C99 converts no data pointer to a function pointer, so copy the bits as POSIX suggests. */
        memcpy((char *)&driver + position * sizeof found, &found, sizeof found);
    }
    return CALL(init, 0);
}

/* ---- a driver in the process of the host ------------------------------------------------------ */

struct tw_device_function __tw_device_function;

/* Whether the host drives the device, by a function that it has set before the first call. */
static bool is_asked(void) { return __tw_device_function.call != NULL; }

/* Let the host's function do an action on a device, with further integers; return 0 or -1. `result`:
 * where to store the integer that it returns, or null. */
static int32_t ask(enum tw_device_action action, int32_t device, const int64_t *given, int32_t count,
    int64_t *result)
{
    enum { MOST = 16 };
    struct tw_value args[MOST] = {{TW_INT, 0, {action}}, {TW_INT, 0, {device}}};
    struct tw_value made = {TW_NONE, 0, {0}};
    for (int32_t index = 0; index < count; index++) {
        args[2 + index].type_index = TW_INT;
        args[2 + index].payload.integer = given[index];
    }
    int32_t status
        = __tw_device_function.call(__tw_device_function.self, args, count + 2, &made);
    if (result != NULL)
        *result = made.payload.integer;
    return status == 0 ? 0 : -1;
}

#define ASK(action, device, result, ...) \
    ask(action, device, (const int64_t[]){__VA_ARGS__}, \
        sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), result)

/* The address of memory of the host as a number. */
static int64_t host_number(const void *address) { return (int64_t)(uintptr_t)address; }

/* ---- the program on a device ------------------------------------------------------------------ */

enum { LANES = 8, GRAPHS = 8, DEVICES = 16 };

/* A device with the program: `number` counts the devices, `handle` is the driver's. `lanes` are those
 * that no call uses at the moment; as `arenas` in entry.c. */
struct program {
    bool is_open;
    int32_t number;
    int32_t handle;
    void *context;
    void *module;
    void **kernels;
    uint64_t weights;
    uint64_t alignment; /* of each buffer of a launch */
    struct tw_device *lanes[LANES];
};

/* A call as a graph. `key` are the addresses of its arguments and its sizes; `has_run`: a call with this
 * key has finished. */
struct graph {
    uint64_t *key;
    void *executable;
    int32_t has_run;
};

/* What one call uses. `weights` is their address on the device; it comes first, because main reads it.
 * `stream` is where the call queues its work: `own`, or a stream of the caller. `blocks` are the memory
 * of each argument, of the arena of each stage, then of an aligned copy of each buffer of a launch;
 * `bytes` are their sizes. `addresses` are those of the arguments: blocks, or memory of the device that
 * the caller passed. `hosts` is memory of the host that main works on. */
struct tw_device {
    uint64_t weights;
    struct program *program;
    void *stream;
    void *own;
    uint64_t *blocks;
    uint64_t *bytes;
    uint64_t *addresses;
    void **hosts;
    uint64_t *host_bytes;
    struct graph graphs[GRAPHS];
    int32_t oldest; /* the position in `graphs` that the next new call takes */
};

static struct program programs[DEVICES] __attribute__((aligned(64)));

/* Guards opening and closing: 1 while a thread opens or closes a device. */
static int32_t lock;
static bool has_driver;

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
static int32_t enter_device(const struct program *program, int32_t *before)
{
    if (is_asked())
        return 0;
    if (tw_device_driver == TW_CUDA)
        return CALL(push_context, program->context);
    int32_t status = CALL(get_device, before);
    return status != 0 ? status : CALL(set_device, program->handle);
}

static void leave_device(int32_t before)
{
    void *popped;
    if (is_asked())
        return;
    if (tw_device_driver == TW_CUDA)
        driver.pop_context(&popped);
    else
        driver.set_device(before);
}

/* ---- memory ----------------------------------------------------------------------------------- */

static int32_t allocate(const struct program *program, uint64_t *address, uint64_t bytes)
{
    int64_t made = 0;
    if (!is_asked())
        return CALL(allocate, address, (size_t)bytes);
    int32_t status = ASK(TW_ALLOCATE, program->number, &made, (int64_t)bytes);
    *address = (uint64_t)made;
    return status;
}

static int32_t free_memory(const struct program *program, uint64_t address)
{
    return is_asked() ? ASK(TW_FREE, program->number, NULL, (int64_t)address) : CALL(free, address);
}

static int32_t wait(const struct program *program, void *stream)
{
    return is_asked() ? ask(TW_WAIT, program->number, NULL, 0, NULL) : CALL(wait, stream);
}

static int32_t write(const struct program *program, uint64_t target, const void *host, size_t bytes,
    void *stream)
{
    if (is_asked())
        return ASK(TW_WRITE, program->number, NULL, (int64_t)target, host_number(host),
            (int64_t)bytes);
    return CALL(write, target, host, bytes, stream);
}

static int32_t read(
    const struct program *program, void *host, uint64_t source, size_t bytes, void *stream)
{
    if (is_asked())
        return ASK(TW_READ, program->number, NULL, host_number(host), (int64_t)source,
            (int64_t)bytes);
    return CALL(read, host, source, bytes, stream);
}

/* ---- opening and closing a device ------------------------------------------------------------- */

/* Load the code of the kernels; return 0 or -1. Before: the device is current. */
RARE static int32_t load_code(struct program *program)
{
    static const int32_t OPTIONS[] = {ERROR_LOG, ERROR_LOG_BYTES};
    if (tw_device_driver == TW_HIP)
        return CALL(load, &program->module, __tw_kernels_code);
    char log[LOG_BYTES] = "";
    void *values[2] = {log, (void *)(uintptr_t)LOG_BYTES};
    int32_t status = driver.load_logged(&program->module, __tw_kernels_code, 2, OPTIONS, values);
    if (status == 0 || log[0] == '\0')
        return checked(POSITION(load_logged), status);
    return fail("the driver refuses the code of the kernels", log,
        "compile for the architecture of the device");
}

/* Load the kernels; return 0 or -1. Before: the device is current. */
RARE static int32_t load_kernels(struct program *program)
{
    if (tw_device_kernel_count == 0)
        return 0;
    if (load_code(program) != 0)
        return -1;
    void **kernels = program->kernels
        = calloc((size_t)tw_device_kernel_count, sizeof *program->kernels);
    if (kernels == NULL)
        return fail_memory();
    for (int32_t index = 0; index < tw_device_kernel_count; index++) {
        const struct tw_device_kernel *kernel = &tw_device_kernels[index];
        if (CALL(kernel, &kernels[index], program->module, kernel->symbol) != 0)
            return -1;
        if (kernel->shared_bytes > 0 && tw_device_driver == TW_CUDA
            && CALL(set_attribute, kernels[index], DYNAMIC_SHARED_BYTES, kernel->shared_bytes) != 0)
            return -1;
    }
    return 0;
}

/* Copy the weights to the device; return 0 or -1. Before: the device is current. */
RARE static int32_t copy_weights(struct program *program)
{
    size_t bytes = (size_t)tw_weights_bytes;
    void *stream = NULL;
    if (bytes == 0)
        return 0;
    if (!is_asked() && CALL(stream, &stream, NON_BLOCKING) != 0)
        return -1;
    int32_t status = allocate(program, &program->weights, bytes);
    if (status == 0)
        status = write(program, program->weights, __tw_weights, bytes, stream);
    if (status == 0)
        status = wait(program, stream);
    if (stream != NULL)
        driver.destroy_stream(stream);
    return status;
}

/* Unload the kernels and free the weights. Before: the device is current. */
RARE static void close_program(struct program *program)
{
    if (program->weights != 0)
        free_memory(program, program->weights);
    if (program->module != NULL)
        driver.unload(program->module);
    free(program->kernels);
    program->weights = 0;
    program->module = NULL;
    program->kernels = NULL;
    program->is_open = false;
}

/* Find the device by the driver; return 0 or -1. */
RARE static int32_t find_device(struct program *program)
{
    int64_t alignment = 16; /* kernels read 16 bytes at once */
    if (is_asked()) {
        int32_t status = ASK(TW_OPEN, program->number, &alignment, host_number(__tw_kernels_code),
            host_number(tw_device_kernels), tw_device_kernel_count);
        program->alignment = (uint64_t)alignment;
        return status;
    }
    program->alignment = (uint64_t)alignment;
    if (!has_driver && find_driver() != 0)
        return -1;
    has_driver = true;
    if (CALL(device, &program->handle, program->number) != 0)
        return -1;
    if (tw_device_driver == TW_CUDA)
        return CALL(retain_context, &program->context, program->handle);
    return 0;
}

/* Find the device, load the kernels and copy the weights, once; return 0 or -1. Before: locked. */
RARE static int32_t open_device(struct program *program)
{
    int32_t before = 0;
    if (find_device(program) != 0 || enter_device(program, &before) != 0)
        return -1;
    program->is_open
        = (is_asked() || load_kernels(program) == 0) && copy_weights(program) == 0;
    if (!program->is_open)
        close_program(program);
    leave_device(before);
    return program->is_open ? 0 : -1;
}

/* ---- lanes ------------------------------------------------------------------------------------ */

/* The number of stages of main, each of which has an arena. */
static int32_t stage_count(void) { return 1 + tw_symbol_count - tw_given_count; }

/* The position in `blocks` of the copy of the first buffer of a launch. */
static int32_t first_copy(void) { return tw_arguments + stage_count(); }

static int32_t block_count(void) { return first_copy() + tw_device_most_buffers; }

/* The length of a graph's key. */
static int32_t key_length(void) { return tw_arguments + tw_given_count; }

/* Forget the graph of a call. Before: the device is current. */
static void drop_graph(struct graph *graph)
{
    if (graph->executable != NULL)
        driver.destroy_executable(graph->executable);
    graph->executable = NULL;
    graph->has_run = 0;
}

/* Free a lane, which no call uses. Before: the device is current. */
RARE static void free_lane(struct tw_device *lane)
{
    for (int32_t index = 0; index < GRAPHS; index++) {
        drop_graph(&lane->graphs[index]);
        free(lane->graphs[index].key);
    }
    for (int32_t index = 0; lane->blocks != NULL && index < block_count(); index++)
        if (lane->blocks[index] != 0)
            free_memory(lane->program, lane->blocks[index]);
    if (lane->own != NULL)
        driver.destroy_stream(lane->own);
    for (int32_t index = 0; lane->hosts != NULL && index < tw_device_hosts; index++)
        free(lane->hosts[index]);
    free(lane->blocks);
    free(lane->bytes);
    free(lane->addresses);
    free(lane->hosts);
    free(lane->host_bytes);
    free(lane);
}

/* Return a new lane, or null after reporting an error. Before: the device is current. */
RARE static struct tw_device *new_lane(struct program *program)
{
    struct tw_device *lane = calloc(1, sizeof *lane);
    if (lane == NULL) {
        fail_memory();
        return NULL;
    }
    size_t hosts = (size_t)tw_device_hosts + 1;
    lane->blocks = calloc((size_t)block_count(), sizeof *lane->blocks);
    lane->bytes = calloc((size_t)block_count(), sizeof *lane->bytes);
    lane->addresses = calloc((size_t)tw_arguments + 1, sizeof *lane->addresses);
    lane->hosts = calloc(hosts, sizeof *lane->hosts);
    lane->host_bytes = calloc(hosts, sizeof *lane->host_bytes);
    lane->program = program;
    lane->weights = program->weights;
    bool has_keys = true;
    for (int32_t index = 0; index < GRAPHS; index++) {
        lane->graphs[index].key = calloc((size_t)key_length() + 1, sizeof(uint64_t));
        has_keys = has_keys && lane->graphs[index].key != NULL;
    }
    if (lane->blocks == NULL || lane->bytes == NULL || lane->addresses == NULL
        || lane->hosts == NULL || lane->host_bytes == NULL || !has_keys)
        fail_memory();
    else if (is_asked() || CALL(stream, &lane->own, NON_BLOCKING) == 0) {
        lane->stream = lane->own;
        return lane;
    }
    free_lane(lane);
    return NULL;
}

static void give_lane(struct tw_device *lane)
{
    for (int32_t index = 0; index < LANES; index++) {
        struct tw_device *empty = NULL;
        if (__atomic_compare_exchange_n(&lane->program->lanes[index], &empty, lane, false,
                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return;
    }
    free_lane(lane);
}

/* Return a lane for a call, new if all are in use, or null after reporting an error. A call on a stream
 * of its caller may still run when it returns, so its lane serves only further calls on the stream. */
static struct tw_device *take_lane(struct program *program, void *const *stream)
{
    for (int32_t index = 0; index < LANES; index++) {
        struct tw_device *lane
            = __atomic_exchange_n(&program->lanes[index], NULL, __ATOMIC_ACQ_REL);
        if (lane == NULL)
            continue;
        if (lane->stream == (stream == NULL ? lane->own : *stream))
            return lane;
        give_lane(lane);
    }
    struct tw_device *made = new_lane(program);
    if (made != NULL && stream != NULL)
        made->stream = *stream;
    return made;
}

void tw_release_device(void)
{
    for (int32_t number = 0; number < DEVICES; number++) {
        struct program *program = &programs[number];
        int32_t before = 0;
        if (!program->is_open || enter_device(program, &before) != 0)
            continue;
        for (int32_t index = 0; index < LANES; index++) {
            struct tw_device *lane
                = __atomic_exchange_n(&program->lanes[index], NULL, __ATOMIC_ACQ_REL);
            if (lane != NULL)
                free_lane(lane);
        }
        acquire();
        close_program(program);
        release();
        leave_device(before);
    }
}

/* Let one of the blocks of a lane have room for `bytes`; return 0 or -1. */
static int32_t reserve(struct tw_device *lane, int32_t index, uint64_t bytes)
{
    if (lane->blocks[index] != 0 && lane->bytes[index] >= bytes)
        return 0;
    if (lane->blocks[index] != 0) { /* graphs have the address of the block */
        for (int32_t graph = 0; graph < GRAPHS; graph++)
            drop_graph(&lane->graphs[graph]);
        if (free_memory(lane->program, lane->blocks[index]) != 0)
            return -1;
    }
    lane->blocks[index] = 0;
    lane->bytes[index] = bytes > 0 ? bytes : 1;
    return allocate(lane->program, &lane->blocks[index], lane->bytes[index]);
}

/* ---- what main calls -------------------------------------------------------------------------- */

/* The address of memory of the device as a number. */
static uint64_t number_of(const char *address) { return (uint64_t)(uintptr_t)address; }

static char *address_of(uint64_t number) { return (char *)(uintptr_t)number; }

int32_t tw_device_copy(struct tw_device *device, char *target, char *source, int64_t bytes)
{
    if (bytes == 0 || target == source)
        return 0;
    if (is_asked())
        return ASK(TW_COPY, device->program->number, NULL, (int64_t)number_of(target),
            (int64_t)number_of(source), bytes);
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
    if (read(device->program, host, number_of(address), (size_t)bytes, device->stream) != 0)
        return -1;
    return wait(device->program, device->stream);
}

int32_t tw_device_write(struct tw_device *device, char *address, const void *host, int64_t bytes)
{
    if (bytes == 0)
        return 0;
    if (write(device->program, number_of(address), host, (size_t)bytes, device->stream) != 0)
        return -1;
    return wait(device->program, device->stream);
}

void *tw_device_host(struct tw_device *device, int32_t number, int64_t bytes)
{
    if (device->hosts[number] == NULL || device->host_bytes[number] < (uint64_t)bytes) {
        free(device->hosts[number]);
        device->hosts[number] = malloc((size_t)bytes + 1);
        device->host_bytes[number] = device->hosts[number] == NULL ? 0 : (uint64_t)bytes;
    }
    if (device->hosts[number] == NULL)
        fail_memory();
    return device->hosts[number];
}

void *tw_device_fetch(struct tw_device *device, int32_t number, char *address, int64_t bytes)
{
    void *host = tw_device_host(device, number, bytes);
    bool is_read = host != NULL && tw_device_read(device, host, address, bytes) == 0;
    return is_read ? host : NULL;
}

/* Return the index of the first buffer at the address of a buffer of a launch. */
RARE static int32_t first_at(char **addresses, int32_t index)
{
    int32_t first = 0;
    while (addresses[first] != addresses[index])
        first++;
    return first;
}

/* Launch a kernel one of whose buffers is not aligned: with aligned copies of all of them. Several
 * arguments at one address share a copy, because the kernel may write all of them. Launches run one
 * after the other, so they share the memory of the copies. */
RARE static int32_t launch_copies(struct tw_device *device, int32_t kernel, char **addresses,
    const int64_t *bytes, int32_t buffers, int64_t *numbers, int32_t count)
{
    char *copies[buffers];
    for (int32_t index = 0; index < buffers; index++)
        if (reserve(device, first_copy() + first_at(addresses, index), (uint64_t)bytes[index]) != 0)
            return -1;
    for (int32_t index = 0; index < buffers; index++) {
        copies[index] = address_of(device->blocks[first_copy() + first_at(addresses, index)]);
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

/* Let the host launch a kernel; as tw_device_launch. */
static int32_t ask_launch(struct tw_device *device, int32_t kernel, char **addresses,
    const int64_t *bytes, int32_t buffers, const int64_t *numbers, int32_t count)
{
    const struct tw_device_kernel *facts = &tw_device_kernels[kernel];
    return ASK(TW_LAUNCH, device->program->number, NULL, kernel, facts->block[0], facts->block[1],
        facts->block[2], facts->shared_bytes, host_number(addresses), host_number(bytes), buffers,
        host_number(numbers), count);
}

int32_t tw_device_launch(struct tw_device *device, int32_t kernel, char **addresses,
    const int64_t *bytes, int32_t buffers, int64_t *numbers, int32_t count)
{
    if (numbers[0] == 0 || numbers[1] == 0 || numbers[2] == 0)
        return 0;
    for (int32_t index = 0; index < buffers; index++)
        if ((number_of(addresses[index]) & (device->program->alignment - 1)) != 0)
            return launch_copies(device, kernel, addresses, bytes, buffers, numbers, count);
    exchange_large(numbers);
    for (int32_t axis = 0; axis < 3; axis++)
        if (numbers[axis] > tw_device_most_blocks[axis])
            return fail_grid(kernel, numbers);
    if (is_asked())
        return ask_launch(device, kernel, addresses, bytes, buffers, numbers, count);
    void *parameters[buffers + count];
    for (int32_t index = 0; index < buffers; index++)
        parameters[index] = &addresses[index];
    for (int32_t index = 3; index < count; index++)
        parameters[buffers + index - 3] = &numbers[index];
    const struct tw_device_kernel *facts = &tw_device_kernels[kernel];
    return CALL(launch, device->program->kernels[kernel], (uint32_t)numbers[0],
        (uint32_t)numbers[1], (uint32_t)numbers[2], (uint32_t)facts->block[0],
        (uint32_t)facts->block[1], (uint32_t)facts->block[2], (uint32_t)facts->shared_bytes,
        device->stream, parameters, NULL);
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

/* Find the address on the device of each argument whose sizes are known from a stage on, with memory for
 * those of the host; return 0 or -1. */
static int32_t place(struct tw_device *lane, const union tw_slot *slots, int32_t stage)
{
    for (int32_t index = 0; index < tw_arguments; index++) {
        const struct tw_spec *spec = &tw_specs[index];
        if (spec->stage != stage)
            continue;
        lane->addresses[index] = number_of(slots[index].address);
        if (tw_device_of(slots, index) >= 0)
            continue;
        if (reserve(lane, index, bytes_of(spec, slots[tw_arguments].sizes)) != 0)
            return -1;
        lane->addresses[index] = lane->blocks[index];
    }
    return 0;
}

char *tw_device_bind(
    struct tw_device *device, union tw_slot *slots, int32_t stage, int64_t value)
{
    const struct tw_call *call = slots[tw_arguments + 1].call;
    int64_t bytes = tw_begin_stage(slots[tw_arguments + 1].call, stage, value);
    int32_t block = tw_arguments + stage;
    if (bytes < 0 || place(device, tw_slots_of(call), stage) != 0
        || reserve(device, block, (uint64_t)bytes) != 0)
        return NULL;
    for (int32_t index = 0; index < tw_arguments; index++)
        slots[index].address = address_of(device->addresses[index]);
    return address_of(device->blocks[block]);
}

/* Copy the arguments of the host of one kind: inputs to the device, or outputs back; return 0 or -1. */
static int32_t move(struct tw_device *lane, const union tw_slot *slots, bool is_input)
{
    const int64_t *sizes = slots[tw_arguments].sizes;
    int32_t first = is_input ? 0 : tw_inputs, end = is_input ? tw_inputs : tw_arguments;
    for (int32_t index = first; index < end; index++) {
        size_t bytes = (size_t)bytes_of(&tw_specs[index], sizes);
        char *host = slots[index].address;
        if (bytes == 0 || tw_device_of(slots, index) >= 0)
            continue;
        int32_t status = is_input
            ? write(lane->program, lane->blocks[index], host, bytes, lane->stream)
            : read(lane->program, host, lane->blocks[index], bytes, lane->stream);
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
        moved[index].address = address_of(lane->addresses[index]);
    moved[tw_arguments] = slots[tw_arguments];
    moved[tw_arguments + 1] = slots[tw_arguments + 1];
    return tw_device_main(moved, address_of(lane->blocks[tw_arguments]), lane);
}

/* Capture the work of a call as a graph, on the lane's own stream; return 0 or -1. */
RARE static int32_t capture(
    struct tw_device *lane, struct graph *graph, const union tw_slot *slots)
{
    void *made = NULL, *stream = lane->stream;
    if (CALL(begin_capture, lane->own, RELAXED) != 0)
        return -1;
    lane->stream = lane->own;
    int32_t status = queue(lane, slots);
    lane->stream = stream;
    int32_t ended = CALL(end_capture, lane->own, &made);
    if (status == 0 && ended == 0)
        status = CALL(instantiate, &graph->executable, made, 0);
    if (made != NULL)
        driver.destroy_graph(made);
    return status != 0 ? status : ended;
}

/* Return the graph for calls with these addresses and sizes, in place of the oldest one if it is new. */
static struct graph *graph_of(struct tw_device *lane, const union tw_slot *slots)
{
    uint64_t key[key_length() + 1];
    size_t bytes = (size_t)key_length() * sizeof *key;
    memcpy(key, lane->addresses, (size_t)tw_arguments * sizeof *key);
    memcpy(&key[tw_arguments], slots[tw_arguments].sizes, (size_t)tw_given_count * sizeof *key);
    for (int32_t index = 0; index < GRAPHS; index++)
        if (memcmp(lane->graphs[index].key, key, bytes) == 0)
            return &lane->graphs[index];
    struct graph *graph = &lane->graphs[lane->oldest];
    lane->oldest = (lane->oldest + 1) % GRAPHS;
    drop_graph(graph);
    memcpy(graph->key, key, bytes);
    return graph;
}

/* Queue the work of a call: run main, or, from the second equal call on, launch its graph; return 0 or
 * -1. */
static int32_t work(struct tw_device *lane, const union tw_slot *slots)
{
    if (!tw_device_is_fixed || is_asked())
        return queue(lane, slots);
    struct graph *graph = graph_of(lane, slots);
    if (!graph->has_run) {
        int32_t status = queue(lane, slots);
        graph->has_run = status == 0;
        return status;
    }
    if (graph->executable == NULL && capture(lane, graph, slots) != 0)
        return -1;
    return CALL(launch_graph, graph->executable, lane->stream);
}

/* Check the indices in the inputs, of which those on the device are copied to the host; return 0 or -1.
 * Indices are integers. */
static int32_t check_inputs(struct tw_device *lane, const union tw_slot *slots)
{
    union tw_slot host[tw_arguments + 2];
    void *copies[tw_inputs + 1];
    int32_t status = 0, made = 0;
    if (!tw_device_has_checks)
        return 0;
    memcpy(host, slots, sizeof host);
    for (int32_t index = 0; index < tw_inputs && status == 0; index++) {
        bool is_integer = (tw_specs[index].dtype & 255) <= 1;
        size_t bytes = (size_t)bytes_of(&tw_specs[index], slots[tw_arguments].sizes);
        if (!is_integer || bytes == 0 || tw_device_of(slots, index) < 0)
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

/* Return the bytes of the arena of the first stage. */
static uint64_t arena_bytes(const union tw_slot *slots)
{
    const int64_t *sizes = slots[tw_arguments].sizes;
    return (uint64_t)(tw_symbol_count == 0 ? tw_arena_bytes : sizes[tw_expression_count]);
}

/* Run a call in a lane; return 0 or -1. Before: the device is current. */
static int32_t run_lane(struct tw_device *lane, const union tw_slot *slots, bool is_queued)
{
    if (check_inputs(lane, slots) != 0 || place(lane, slots, 0) != 0
        || reserve(lane, tw_arguments, arena_bytes(slots)) != 0 || move(lane, slots, true) != 0
        || work(lane, slots) != 0 || move(lane, slots, false) != 0)
        return -1;
    return is_queued ? 0 : wait(lane->program, lane->stream);
}

/* What the arguments of a call say: the number of the device on which they are, 0 without one; and
 * whether all of them are there. */
struct where {
    int32_t device;
    bool is_complete;
};

/* Find where the arguments of a call are; return 0 or -1. */
static int32_t find_arguments(const union tw_slot *slots, struct where *where)
{
    int32_t found = -1;
    where->is_complete = true;
    for (int32_t index = 0; index < tw_arguments; index++) {
        int32_t device = tw_device_of(slots, index);
        if (found >= 0 && device >= 0 && device != found)
            return fail("the arguments are on several devices", tw_specs[index].name,
                "copy them to one device");
        where->is_complete = where->is_complete && device >= 0;
        found = device >= 0 ? device : found;
    }
    where->device = found < 0 ? 0 : found;
    if (where->device < DEVICES)
        return 0;
    return fail("the number of the device is too large", tw_specs[0].name,
        "use one of the first 16 devices");
}

int32_t tw_run(union tw_slot *slots, void *arena, int32_t threads)
{
    (void)arena;
    (void)threads;
    struct where where;
    if (find_arguments(slots, &where) != 0)
        return -1;
    struct program *program = &programs[where.device];
    acquire();
    program->number = where.device;
    int32_t status = program->is_open ? 0 : open_device(program);
    release();
    int32_t before = 0;
    if (status != 0 || enter_device(program, &before) != 0)
        return -1;
    void *const *stream = tw_stream_of(slots[tw_arguments + 1].call);
    struct tw_device *lane = take_lane(program, stream);
    /* Copies of memory of the host end before the call returns. */
    status = lane == NULL ? -1 : run_lane(lane, slots, stream != NULL && where.is_complete);
    if (status == 0)
        give_lane(lane);
    else if (lane != NULL)
        free_lane(lane); /* its stream may be in an error state */
    leave_device(before);
    return status;
}

int32_t __tw_main_on_stream(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    (void)result;
    if (count == 0 || (args->type_index != TW_OPAQUE && args->type_index != TW_NONE))
        return fail("the first argument of a call on a stream is no stream", "another value",
            "pass the stream as an opaque pointer");
    void *stream = args->type_index == TW_NONE ? NULL : args->payload.pointer;
    return tw_enter_on(&stream, args + 1, count - 1);
}
