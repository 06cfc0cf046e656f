// A driver of GPUs without a GPU: two devices whose memory is that of the host, with a value of its
// own in new and in freed bytes. Work is queued until something waits for it, so a result that is
// read too early is wrong. Calls in a wrong order, and without the right context, fail.
// mock_cuda.cpp and mock_hip.cpp name the functions before they include this file; they say what
// the current device is, how modules are loaded, and what a launch runs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

typedef unsigned long long Address;
enum Status {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600,
    ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719, CAPTURE_UNSUPPORTED = 900,
};

struct Device {};
// A graph, or what is made of it: its work, in order.
struct Graph { std::vector<std::function<Status()>> work; Device *device; };
struct Stream {
    Device *device;
    std::deque<std::function<Status()>> queue;
    size_t done = 0, added = 0;
    Graph *captured = nullptr;
};
struct Event { Stream *stream = nullptr; size_t position = 0; bool is_timed; };
// run: takes the places of the parameters, the grid and the block; dynamic_shared: the bytes allowed;
// has_dynamic: whether the kernel has shared memory that a launch allocates.
struct Kernel {
    std::string name;
    std::vector<size_t> sizes;
    std::vector<bool> is_pointer;
    std::function<int(void **, const unsigned *, const unsigned *)> run;
    int dynamic_shared;
    bool has_dynamic;
    int *queued;
};
struct Module {
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
static size_t used[DEVICES];
static std::map<Address, Block> blocks;
static std::vector<Stream *> streams;
static std::vector<Module *> modules;
static std::set<Graph *> graphs;
static std::map<std::string, int> calls;
static Status sticky = SUCCESS;

static Device *current();
static const char *error_name(int status);
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
    if (stream->captured)
        return stream->captured->work.push_back(std::move(work));
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

#define NEEDS_CONTEXT                                                                              \
    ++calls[__func__];                                                                             \
    if (!is_initialized)                                                                           \
        return NOT_INITIALIZED;                                                                    \
    if (!current())                                                                                \
        return INVALID_CONTEXT;

extern "C" {
// ---- for tests

int mock_calls(const char *name) { return calls[name]; }
size_t mock_graphs() { return graphs.size(); }
size_t mock_used(int device) { return used[device]; }
void *mock_legacy(int device) { return &legacy[device]; }

// ---- devices and contexts

int driver_init(unsigned flags) {
    is_initialized = flags == 0;
    for (int device = 0; device < DEVICES; ++device)
        legacy[device].device = &devices[device];
    return flags ? INVALID_VALUE : SUCCESS;
}
int driver_error_name(int status, const char **name) {
    *name = error_name(status);
    return *name ? SUCCESS : INVALID_VALUE;
}
int driver_count(int *count) {
    *count = DEVICES;
    return is_initialized ? SUCCESS : NOT_INITIALIZED;
}
int driver_device(int *device, int index) {
    *device = index;
    return index < DEVICES ? SUCCESS : INVALID_DEVICE;
}
int driver_device_name(char *name, int size, int) {
    std::snprintf(name, size, "mock GPU");
    return SUCCESS;
}
int driver_fact(int *value, int fact, int) {
    auto found = FACTS.find(fact);
    *value = found == FACTS.end() ? 0 : found->second;
    return found == FACTS.end() ? INVALID_VALUE : SUCCESS;
}
int driver_memory(size_t *size, int) { return *size = MEMORY_BYTES, SUCCESS; }
// ---- streams and events

int driver_stream(void **stream, unsigned flags) {
    NEEDS_CONTEXT
    if (flags > 1)
        return INVALID_VALUE;
    auto made = new Stream();
    made->device = current();
    streams.push_back(made);
    *stream = made;
    return SUCCESS;
}
int driver_destroy_stream(void *handle) {
    NEEDS_CONTEXT
    auto at = std::find(streams.begin(), streams.end(), stream_of(handle));
    if (at == streams.end() || (*at)->captured)
        return INVALID_HANDLE;
    run(*at, (*at)->added);
    delete *at;
    streams.erase(at);
    return SUCCESS;
}
int driver_wait_stream(void *handle) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    if (!stream)
        return INVALID_HANDLE;
    if (stream->captured)
        return CAPTURE_UNSUPPORTED;
    run(stream, stream->added);
    return sticky;
}
int driver_event(void **event, unsigned flags) {
    NEEDS_CONTEXT
    auto made = new Event();
    made->is_timed = !(flags & 2);
    *event = made;
    return SUCCESS;
}
int driver_record(void *handle, void *stream) {
    NEEDS_CONTEXT
    auto event = static_cast<Event *>(handle);
    event->stream = stream_of(stream);
    if (!event->stream)
        return INVALID_HANDLE;
    event->position = event->stream->added;
    return SUCCESS;
}
int driver_wait_for_event(void *handle, void *event_handle, unsigned flags) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    Event event = *static_cast<Event *>(event_handle);
    if (!stream || !event.stream || flags)
        return INVALID_HANDLE;
    add(stream, [event] { return run(event.stream, event.position), SUCCESS; });
    return SUCCESS;
}
int driver_wait_event(void *handle) {
    NEEDS_CONTEXT
    auto event = static_cast<Event *>(handle);
    if (!event->stream)
        return INVALID_HANDLE;
    run(event->stream, event->position);
    return sticky;
}
int driver_elapsed(float *time_ms, void *first, void *last) {
    NEEDS_CONTEXT
    auto start = static_cast<Event *>(first), end = static_cast<Event *>(last);
    if (!start->is_timed || !end->is_timed || !start->stream || start->stream != end->stream)
        return INVALID_HANDLE;
    if (end->stream->done < end->position)
        return NOT_READY;
    *time_ms = float(end->position - start->position) * 0.5f;
    return SUCCESS;
}
int driver_destroy_event(void *event) {
    NEEDS_CONTEXT
    delete static_cast<Event *>(event);
    return SUCCESS;
}

// ---- memory

int driver_allocate(Address *address, size_t size) {
    NEEDS_CONTEXT
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
int driver_free(Address address) {
    NEEDS_CONTEXT
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
int driver_write(Address target, const void *source, size_t size, void *handle) {
    NEEDS_CONTEXT
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
int driver_read(void *target, Address source, size_t size, void *handle) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    if (!stream || !holds(source, size))
        return INVALID_VALUE;
    add(stream, [=] {
        return std::memcpy(target, reinterpret_cast<void *>(source), size), SUCCESS;
    });
    return SUCCESS;
}
int driver_copy(Address target, Address source, size_t size, void *handle) {
    NEEDS_CONTEXT
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

int driver_unload(void *module) {
    NEEDS_CONTEXT
    auto found = std::find(modules.begin(), modules.end(), static_cast<Module *>(module));
    if (found == modules.end() || (*found)->device != current())
        return INVALID_HANDLE;
    if ((*found)->queued)
        return NOT_READY;
    delete *found;
    modules.erase(found);
    return SUCCESS;
}
int driver_kernel(void **function, void *module, const char *name) {
    NEEDS_CONTEXT
    auto &kernels = static_cast<Module *>(module)->kernels;
    auto found = kernels.find(name);
    *function = found == kernels.end() ? nullptr : &found->second;
    return *function ? SUCCESS : NOT_FOUND;
}
int driver_launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                  unsigned bz, unsigned shared, void *handle, void **parameters, void **extra) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    auto kernel = static_cast<Kernel *>(function);
    bool fits = gx && gy && gz && gy <= 65535 && gz <= 65535 && bx && by && bz && bz <= MOST_Z;
    if (!stream || extra || !fits || size_t(bx) * by * bz > 1024)
        return INVALID_VALUE;
    if (int(shared) > kernel->dynamic_shared || (kernel->has_dynamic && !shared))
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
    int *queued = stream->captured ? nullptr : kernel->queued;
    if (queued)
        ++*queued;
    add(stream, [=]() mutable {
        if (queued)
            --*queued;
        std::vector<void *> places;
        for (std::string &copy : copies)
            places.push_back(copy.data());
        unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
        int status = kernel->run(places.data(), grid, block);
        return status ? LAUNCH_FAILED : SUCCESS;
    });
    return SUCCESS;
}

// ---- graphs

int driver_begin_capture(void *handle, unsigned mode) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    if (!stream || stream->captured || mode > 2)
        return INVALID_HANDLE;
    stream->captured = new Graph();
    stream->captured->device = current();
    return SUCCESS;
}
int driver_end_capture(void *handle, void **graph) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    if (!stream || !stream->captured)
        return INVALID_HANDLE;
    *graph = stream->captured;
    stream->captured = nullptr;
    return SUCCESS;
}
int driver_instantiate(void **made, void *graph, unsigned long long flags) {
    NEEDS_CONTEXT
    *made = new Graph(*static_cast<Graph *>(graph));
    graphs.insert(static_cast<Graph *>(*made));
    return flags ? INVALID_VALUE : SUCCESS;
}
int driver_launch_graph(void *made, void *handle) {
    NEEDS_CONTEXT
    Stream *stream = stream_of(handle);
    auto graph = static_cast<Graph *>(made);
    if (!stream || !graphs.count(graph) || graph->device != stream->device)
        return INVALID_HANDLE;
    for (auto &work : graph->work)
        add(stream, work);
    return SUCCESS;
}
int driver_destroy_graph(void *graph) {
    NEEDS_CONTEXT
    delete static_cast<Graph *>(graph);
    return SUCCESS;
}
int driver_drop_graph(void *made) {
    NEEDS_CONTEXT
    auto graph = static_cast<Graph *>(made);
    if (!graphs.erase(graph))
        return INVALID_HANDLE;
    delete graph;
    return SUCCESS;
}
}
