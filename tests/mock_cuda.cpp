// A driver of CUDA without a GPU: two devices whose memory is that of the host, with a value of its
// own in new and in freed bytes. Work is queued until something waits for it, so a result that is
// read too early is wrong. Calls in a wrong order, and without the right context, fail.
// A launch runs the kernel's CUDA C++ on fibers: the test registers a library for a text of PTX,
// with a function `call_<kernel>` each and `launch` (cuda_shim.hpp).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

typedef unsigned long long Address;
enum Status {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201, INVALID_PTX = 218, INVALID_HANDLE = 400, NOT_FOUND = 500,
    NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719,
};
typedef int (*Launch)(void (*)(void **), void **, const unsigned *, const unsigned *);

struct Device {};
struct Stream {
    Device *device;
    std::deque<std::function<Status()>> queue;
    size_t done = 0, added = 0;
};
struct Event { Stream *stream = nullptr; size_t position = 0; bool is_timed; };
struct Kernel {
    std::string name;
    std::vector<size_t> sizes;
    std::vector<bool> is_pointer;
    void (*body)(void **);
    Launch launch;
    int dynamic_shared = 0;
    int *queued;
};
struct Module {
    void *library;
    std::map<std::string, Kernel> kernels;
    Device *device;
    int queued = 0;
};
struct Block { size_t size; Device *device; };

static constexpr int DEVICES = 2;
static constexpr size_t MEMORY_BYTES = size_t(1) << 30;
static Device devices[DEVICES];
static Stream legacy[DEVICES];
static bool is_initialized = false;
static int retained[DEVICES];
static size_t used[DEVICES];
static std::map<Address, Block> blocks;
static std::vector<Stream *> streams;
static std::vector<Module *> modules;
static std::map<std::string, std::string> libraries;
static thread_local std::vector<Device *> contexts;
static std::map<std::string, int> calls;
static Status sticky = SUCCESS;

static Device *current() { return contexts.empty() ? nullptr : contexts.back(); }
static int number(const Device *device) { return int(device - devices); }

static bool holds(Address start, size_t size) {
    auto after = blocks.upper_bound(start);
    if (after == blocks.begin())
        return false;
    auto block = std::prev(after);
    return start + size <= block->first + block->second.size && block->second.device == current();
}

static void run(Stream *stream, size_t end) {
    while (stream->done < end) {
        auto next = std::move(stream->queue.front());
        stream->queue.pop_front();
        ++stream->done;
        Status status = sticky ? sticky : next();
        sticky = sticky ? sticky : status;
    }
}

static void run_all() {
    for (Stream *stream : streams)
        run(stream, stream->added);
    for (Stream &stream : legacy)
        run(&stream, stream.added);
}

static void add(Stream *stream, std::function<Status()> work) {
    stream->queue.push_back(std::move(work));
    ++stream->added;
}

// Handle 0 and 1 are the default stream of the current context.
static Stream *stream_of(void *handle) {
    if (uintptr_t(handle) < 2)
        return current() ? &legacy[number(current())] : nullptr;
    auto found = std::find(streams.begin(), streams.end(), static_cast<Stream *>(handle));
    return found == streams.end() || (*found)->device != current() ? nullptr : *found;
}

#define NEEDS_CONTEXT(name)                                                                        \
    ++calls[name];                                                                                 \
    if (!is_initialized)                                                                           \
        return NOT_INITIALIZED;                                                                    \
    if (!current())                                                                                \
        return INVALID_CONTEXT;

extern "C" {
// ---- for tests

void mock_register(const char *ptx, const char *library) { libraries[ptx] = library; }
int mock_calls(const char *name) { return calls[name]; }
size_t mock_used(int device) { return used[device]; }
int mock_contexts() { return int(contexts.size()); }
void *mock_legacy(int device) { return &legacy[device]; }

// ---- devices and contexts

int cuInit(unsigned flags) {
    is_initialized = flags == 0;
    return flags ? INVALID_VALUE : SUCCESS;
}
int cuDriverGetVersion(int *version) { return *version = 12040, SUCCESS; }
int cuGetErrorName(int status, const char **name) {
    static const std::map<int, const char *> names = {
        {1, "CUDA_ERROR_INVALID_VALUE"}, {2, "CUDA_ERROR_OUT_OF_MEMORY"},
        {201, "CUDA_ERROR_INVALID_CONTEXT"}, {400, "CUDA_ERROR_INVALID_HANDLE"},
        {500, "CUDA_ERROR_NOT_FOUND"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {719, "CUDA_ERROR_LAUNCH_FAILED"},
    };
    auto found = names.find(status);
    *name = found == names.end() ? nullptr : found->second;
    return *name ? SUCCESS : INVALID_VALUE;
}
int cuDeviceGetCount(int *count) {
    *count = DEVICES;
    return is_initialized ? SUCCESS : NOT_INITIALIZED;
}
int cuDeviceGet(int *device, int index) {
    *device = index;
    return index < DEVICES ? SUCCESS : INVALID_DEVICE;
}
int cuDeviceGetName(char *name, int size, int) {
    std::snprintf(name, size, "mock GPU");
    return SUCCESS;
}
int cuDeviceGetAttribute(int *value, int fact, int) {
    static const std::map<int, int> facts = {{1, 1024}, {8, 49152}, {16, 4}, {75, 8}, {76, 0}};
    auto found = facts.find(fact);
    *value = found == facts.end() ? 0 : found->second;
    return found == facts.end() ? INVALID_VALUE : SUCCESS;
}
int cuDeviceTotalMem_v2(size_t *size, int) { return *size = MEMORY_BYTES, SUCCESS; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
    ++retained[device];
    legacy[device].device = &devices[device];
    *context = &devices[device];
    return SUCCESS;
}
int cuCtxPushCurrent_v2(void *context) {
    auto device = static_cast<Device *>(context);
    if (device < devices || device >= devices + DEVICES || !retained[number(device)])
        return INVALID_CONTEXT;
    contexts.push_back(device);
    return SUCCESS;
}
int cuCtxPopCurrent_v2(void **context) {
    if (contexts.empty())
        return INVALID_CONTEXT;
    *context = contexts.back();
    contexts.pop_back();
    return SUCCESS;
}

// ---- streams and events

int cuStreamCreate(void **stream, unsigned flags) {
    NEEDS_CONTEXT("cuStreamCreate")
    if (flags > 1)
        return INVALID_VALUE;
    auto made = new Stream();
    made->device = current();
    streams.push_back(made);
    *stream = made;
    return SUCCESS;
}
int cuStreamSynchronize(void *handle) {
    NEEDS_CONTEXT("cuStreamSynchronize")
    Stream *stream = stream_of(handle);
    if (!stream)
        return INVALID_HANDLE;
    run(stream, stream->added);
    return sticky;
}
int cuEventCreate(void **event, unsigned flags) {
    NEEDS_CONTEXT("cuEventCreate")
    auto made = new Event();
    made->is_timed = !(flags & 2);
    *event = made;
    return SUCCESS;
}
int cuEventRecord(void *handle, void *stream) {
    NEEDS_CONTEXT("cuEventRecord")
    auto event = static_cast<Event *>(handle);
    event->stream = stream_of(stream);
    if (!event->stream)
        return INVALID_HANDLE;
    event->position = event->stream->added;
    return SUCCESS;
}
int cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags) {
    NEEDS_CONTEXT("cuStreamWaitEvent")
    Stream *stream = stream_of(handle);
    Event event = *static_cast<Event *>(event_handle);
    if (!stream || !event.stream || flags)
        return INVALID_HANDLE;
    add(stream, [event] { return run(event.stream, event.position), SUCCESS; });
    return SUCCESS;
}
int cuEventSynchronize(void *handle) {
    NEEDS_CONTEXT("cuEventSynchronize")
    auto event = static_cast<Event *>(handle);
    if (!event->stream)
        return INVALID_HANDLE;
    run(event->stream, event->position);
    return sticky;
}
int cuEventElapsedTime(float *time_ms, void *first, void *last) {
    NEEDS_CONTEXT("cuEventElapsedTime")
    auto start = static_cast<Event *>(first), end = static_cast<Event *>(last);
    if (!start->is_timed || !end->is_timed || !start->stream || start->stream != end->stream)
        return INVALID_HANDLE;
    if (end->stream->done < end->position)
        return NOT_READY;
    *time_ms = float(end->position - start->position) * 0.5f;
    return SUCCESS;
}
int cuEventDestroy_v2(void *event) {
    NEEDS_CONTEXT("cuEventDestroy_v2")
    delete static_cast<Event *>(event);
    return SUCCESS;
}

// ---- memory

int cuMemAlloc_v2(Address *address, size_t size) {
    NEEDS_CONTEXT("cuMemAlloc_v2")
    int device = number(current());
    if (!size)
        return INVALID_VALUE;
    if (used[device] + size > MEMORY_BYTES)
        return OUT_OF_MEMORY;
    void *made = aligned_alloc(256, (size + 255) / 256 * 256);
    std::memset(made, 0xCD, size);
    *address = Address(uintptr_t(made));
    blocks[*address] = {size, current()};
    used[device] += size;
    return SUCCESS;
}
int cuMemFree_v2(Address address) {
    NEEDS_CONTEXT("cuMemFree_v2")
    auto found = blocks.find(address);
    if (found == blocks.end() || found->second.device != current())
        return INVALID_VALUE;
    run_all();
    used[number(current())] -= found->second.size;
    std::memset(reinterpret_cast<void *>(address), 0xDD, found->second.size);
    std::free(reinterpret_cast<void *>(address));
    blocks.erase(found);
    return SUCCESS;
}
int cuMemcpyHtoDAsync_v2(Address target, const void *source, size_t size, void *handle) {
    NEEDS_CONTEXT("cuMemcpyHtoDAsync_v2")
    Stream *stream = stream_of(handle);
    if (!stream || !holds(target, size))
        return INVALID_VALUE;
    // The driver reads pageable memory before it returns.
    std::string bytes(static_cast<const char *>(source), size);
    add(stream, [target, bytes] {
        return std::memcpy(reinterpret_cast<void *>(target), bytes.data(), bytes.size()), SUCCESS;
    });
    return SUCCESS;
}
int cuMemcpyDtoHAsync_v2(void *target, Address source, size_t size, void *handle) {
    NEEDS_CONTEXT("cuMemcpyDtoHAsync_v2")
    Stream *stream = stream_of(handle);
    if (!stream || !holds(source, size))
        return INVALID_VALUE;
    add(stream, [=] {
        return std::memcpy(target, reinterpret_cast<void *>(source), size), SUCCESS;
    });
    return SUCCESS;
}
int cuMemcpyDtoDAsync_v2(Address target, Address source, size_t size, void *handle) {
    NEEDS_CONTEXT("cuMemcpyDtoDAsync_v2")
    Stream *stream = stream_of(handle);
    if (!stream || !holds(source, size) || !holds(target, size))
        return INVALID_VALUE;
    add(stream, [=] {
        return std::memcpy(reinterpret_cast<void *>(target), reinterpret_cast<void *>(source), size),
               SUCCESS;
    });
    return SUCCESS;
}

// ---- modules and kernels

static size_t bytes_of(const std::string &type) {
    return type.size() > 2 ? size_t(std::atoi(type.c_str() + 2)) / 8 : 0;
}

// Read the parameters of an entry: lines such as `.param .u64 .ptr .global .align 16 name,`.
static void read_parameters(const std::string &ptx, Kernel &kernel) {
    std::string head = ".visible .entry " + kernel.name + "(";
    size_t at = ptx.find(head), end = ptx.find(')', at + head.size());
    for (at = ptx.find(".param ", at); at < end; at = ptx.find(".param ", at + 1)) {
        std::string line = ptx.substr(at + 7, ptx.find('\n', at) - at - 7);
        kernel.sizes.push_back(bytes_of(line.substr(0, line.find(' '))));
        kernel.is_pointer.push_back(line.find(".ptr") != std::string::npos);
    }
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *names, void **values) {
    NEEDS_CONTEXT("cuModuleLoadDataEx")
    std::string ptx = static_cast<const char *>(image);
    auto found = libraries.find(ptx);
    if (found == libraries.end()) {
        size_t room = 0;
        for (unsigned i = 0; i < count; ++i)
            room = names[i] == 6 ? size_t(values[i]) : room;
        for (unsigned i = 0; i < count; ++i)
            if (names[i] == 5)
                std::snprintf(static_cast<char *>(values[i]), room, "no such PTX is registered");
        return INVALID_PTX;
    }
    auto made = new Module();
    made->library = dlopen(found->second.c_str(), RTLD_NOW | RTLD_LOCAL);
    made->device = current();
    modules.push_back(made);
    *module = made;
    for (size_t at = ptx.find(".visible .entry "); at < ptx.size();
         at = ptx.find(".visible .entry ", at + 1)) {
        Kernel kernel;
        kernel.name = ptx.substr(at + 16, ptx.find('(', at) - at - 16);
        read_parameters(ptx, kernel);
        std::string function = "call_" + kernel.name;
        kernel.body = reinterpret_cast<void (*)(void **)>(dlsym(made->library, function.c_str()));
        kernel.launch = reinterpret_cast<Launch>(dlsym(made->library, "launch"));
        if (!kernel.body || !kernel.launch)
            return NOT_FOUND;
        kernel.queued = &made->queued;
        made->kernels[kernel.name] = kernel;
    }
    return SUCCESS;
}
int cuModuleUnload(void *module) {
    NEEDS_CONTEXT("cuModuleUnload")
    auto found = std::find(modules.begin(), modules.end(), static_cast<Module *>(module));
    if (found == modules.end() || (*found)->device != current())
        return INVALID_HANDLE;
    if ((*found)->queued)
        return NOT_READY;
    delete *found;
    modules.erase(found);
    return SUCCESS;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
    NEEDS_CONTEXT("cuModuleGetFunction")
    auto &kernels = static_cast<Module *>(module)->kernels;
    auto found = kernels.find(name);
    *function = found == kernels.end() ? nullptr : &found->second;
    return *function ? SUCCESS : NOT_FOUND;
}
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size) {
    auto &sizes = static_cast<Kernel *>(function)->sizes;
    if (index >= sizes.size())
        return INVALID_VALUE;
    *size = sizes[index], *offset = 0;
    for (size_t i = 0; i < index; ++i)
        *offset += sizes[i];
    return SUCCESS;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
    NEEDS_CONTEXT("cuFuncSetAttribute")
    if (attribute != 8)
        return INVALID_VALUE;
    static_cast<Kernel *>(function)->dynamic_shared = value;
    return SUCCESS;
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *handle, void **parameters, void **extra) {
    NEEDS_CONTEXT("cuLaunchKernel")
    Stream *stream = stream_of(handle);
    auto kernel = static_cast<Kernel *>(function);
    bool fits = gx && gy && gz && gy <= 65535 && gz <= 65535 && bx && by && bz && bz <= 64;
    if (!stream || extra || !fits || size_t(bx) * by * bz > 1024)
        return INVALID_VALUE;
    if (int(shared) > kernel->dynamic_shared)
        return INVALID_VALUE;
    // The driver copies the parameters before it returns.
    std::vector<std::string> copies;
    for (size_t i = 0; i < kernel->sizes.size(); ++i) {
        copies.emplace_back(static_cast<char *>(parameters[i]), kernel->sizes[i]);
        Address address;
        std::memcpy(&address, parameters[i], std::min(sizeof address, kernel->sizes[i]));
        if (kernel->is_pointer[i] && (!holds(address, 1) || address % 16))
            return ILLEGAL_ADDRESS;
    }
    ++*kernel->queued;
    add(stream, [=]() mutable {
        --*kernel->queued;
        std::vector<void *> places;
        for (std::string &copy : copies)
            places.push_back(copy.data());
        unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
        int status = kernel->launch(kernel->body, places.data(), grid, block);
        return status ? LAUNCH_FAILED : SUCCESS;
    });
    return SUCCESS;
}
}
