// The driver of CUDA without a GPU: see mock_gpu.hpp.
// A launch runs the kernel's CUDA C++ on fibers: the test registers a library for a text of PTX,
// with a function `call_<kernel>` each and `launch` (cuda_shim.hpp). A test that starts a process
// registers by a file, which MOCK_CUDA_PROGRAMS names: lines with the paths of a text and a library.
#define driver_init cuInit
#define driver_count cuDeviceGetCount
#define driver_device cuDeviceGet
#define driver_device_name cuDeviceGetName
#define driver_memory cuDeviceTotalMem_v2
#define driver_stream cuStreamCreate
#define driver_destroy_stream cuStreamDestroy_v2
#define driver_wait_stream cuStreamSynchronize
#define driver_event cuEventCreate
#define driver_record cuEventRecord
#define driver_wait_for_event cuStreamWaitEvent
#define driver_wait_event cuEventSynchronize
#define driver_elapsed cuEventElapsedTime
#define driver_destroy_event cuEventDestroy_v2
#define driver_allocate cuMemAlloc_v2
#define driver_free cuMemFree_v2
#define driver_write cuMemcpyHtoDAsync_v2
#define driver_read cuMemcpyDtoHAsync_v2
#define driver_copy cuMemcpyDtoDAsync_v2
#define driver_error_name cuGetErrorName
#define driver_fact cuDeviceGetAttribute
#define driver_unload cuModuleUnload
#define driver_kernel cuModuleGetFunction
#define driver_launch cuLaunchKernel
#define driver_begin_capture cuStreamBeginCapture_v2
#define driver_end_capture cuStreamEndCapture
#define driver_instantiate cuGraphInstantiateWithFlags
#define driver_launch_graph cuGraphLaunch
#define driver_destroy_graph cuGraphDestroy
#define driver_drop_graph cuGraphExecDestroy
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <sstream>

static const std::map<int, int> FACTS = {{1, 1024}, {8, 49152}, {16, 4}, {38, 4096}, {75, 8}, {76, 0}};
static constexpr unsigned MOST_Z = 64;

#include "mock_gpu.hpp"

typedef int (*Launch)(void (*)(void **), void **, const unsigned *, const unsigned *);
static constexpr int INVALID_PTX = 218;
static int retained[DEVICES];
static std::map<std::string, std::string> libraries;
static thread_local std::vector<Device *> contexts;

static Device *current() { return contexts.empty() ? nullptr : contexts.back(); }
static const char *error_name(int status) {
    static const std::map<int, const char *> names = {
        {1, "CUDA_ERROR_INVALID_VALUE"}, {2, "CUDA_ERROR_OUT_OF_MEMORY"},
        {201, "CUDA_ERROR_INVALID_CONTEXT"}, {400, "CUDA_ERROR_INVALID_HANDLE"},
        {500, "CUDA_ERROR_NOT_FOUND"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {719, "CUDA_ERROR_LAUNCH_FAILED"},
    };
    auto found = names.find(status);
    return found == names.end() ? nullptr : found->second;
}

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

static void read_registered() {
    const char *list = std::getenv("MOCK_CUDA_PROGRAMS");
    std::ifstream lines(list ? list : "");
    for (std::string text, library; lines >> text >> library;) {
        std::stringstream ptx;
        ptx << std::ifstream(text).rdbuf();
        libraries[ptx.str()] = library;
    }
}

extern "C" {
void mock_register(const char *ptx, const char *library) { libraries[ptx] = library; }
int mock_contexts() { return int(contexts.size()); }

int cuDriverGetVersion(int *version) { return *version = 12040, SUCCESS; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
    ++retained[device];
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
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *names, void **values) {
    NEEDS_CONTEXT
    if (libraries.empty())
        read_registered();
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
    void *library = dlopen(found->second.c_str(), RTLD_NOW | RTLD_LOCAL);
    made->device = current();
    modules.push_back(made);
    *module = made;
    for (size_t at = ptx.find(".visible .entry "); at < ptx.size();
         at = ptx.find(".visible .entry ", at + 1)) {
        Kernel kernel{};
        kernel.name = ptx.substr(at + 16, ptx.find('(', at) - at - 16);
        read_parameters(ptx, kernel);
        kernel.has_dynamic = ptx.find(".b8 " + kernel.name + "_dynamic[]") < ptx.size();
        std::string function = "call_" + kernel.name;
        auto body = reinterpret_cast<void (*)(void **)>(dlsym(library, function.c_str()));
        auto launch = reinterpret_cast<Launch>(dlsym(library, "launch"));
        if (!body || !launch)
            return NOT_FOUND;
        kernel.run = [=](void **places, const unsigned *grid, const unsigned *block) {
            return launch(body, places, grid, block);
        };
        kernel.queued = &made->queued;
        made->kernels[kernel.name] = kernel;
    }
    return SUCCESS;
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
    NEEDS_CONTEXT
    if (attribute != 8)
        return INVALID_VALUE;
    static_cast<Kernel *>(function)->dynamic_shared = value;
    return SUCCESS;
}
}
