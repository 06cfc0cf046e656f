// The driver of HIP without a GPU: see mock_gpu.hpp.
// A launch calls a function of the test, which runs the kernel of the code object in an emulator: the
// test registers it for the code object, with a line `name parameters` for each kernel, whose
// parameters are letters: p for a pointer, n for a number of 64 bits. For a process without Python, the
// file that MOCK_HIP_PROGRAMS names registers code objects: lines with the paths of a code object, of
// its lines, and of a library that runs its kernels on fibers, as in mock_cuda.cpp.
#define driver_init hipInit
#define driver_count hipGetDeviceCount
#define driver_device hipDeviceGet
#define driver_device_name hipDeviceGetName
#define driver_memory hipDeviceTotalMem
#define driver_stream hipStreamCreateWithFlags
#define driver_destroy_stream hipStreamDestroy
#define driver_wait_stream hipStreamSynchronize
#define driver_event hipEventCreateWithFlags
#define driver_record hipEventRecord
#define driver_wait_for_event hipStreamWaitEvent
#define driver_wait_event hipEventSynchronize
#define driver_elapsed hipEventElapsedTime
#define driver_destroy_event hipEventDestroy
#define driver_allocate hipMalloc
#define driver_free hipFree
#define driver_write hipMemcpyHtoDAsync
#define driver_read hipMemcpyDtoHAsync
#define driver_copy hipMemcpyDtoDAsync
#define driver_error_name hipDrvGetErrorName
#define driver_fact hipDeviceGetAttribute
#define driver_unload hipModuleUnload
#define driver_kernel hipModuleGetFunction
#define driver_launch hipModuleLaunchKernel
#define driver_begin_capture hipStreamBeginCapture
#define driver_end_capture hipStreamEndCapture
#define driver_instantiate hipGraphInstantiateWithFlags
#define driver_launch_graph hipGraphLaunch
#define driver_destroy_graph hipGraphDestroy
#define driver_drop_graph hipGraphExecDestroy
#include <map>

static const std::map<int, int> FACTS = {{56, 1024}, {74, 65536}, {63, 4}};
static constexpr unsigned MOST_Z = 1024;

#include "mock_gpu.hpp"
#include <dlfcn.h>
#include <fstream>
#include <sstream>

typedef std::function<int(const char *, void **, const unsigned *, const unsigned *)> Launch;
typedef int (*Fibers)(void (*)(void **), void **, const unsigned *, const unsigned *);
struct Program { std::string image, kernels; Launch launch; };
static constexpr int NO_BINARY_FOR_GPU = 209, MOST_SHARED = 65536, ARCHITECTURE_BYTE = 1160;
static std::vector<Program> programs;
static thread_local int selected = 0;

static Device *current() { return &devices[selected]; }
static const char *error_name(int status) {
    static const std::map<int, const char *> names = {
        {1, "hipErrorInvalidValue"}, {2, "hipErrorOutOfMemory"}, {209, "hipErrorNoBinaryForGpu"},
        {400, "hipErrorInvalidHandle"}, {500, "hipErrorNotFound"},
        {700, "hipErrorIllegalAddress"}, {719, "hipErrorLaunchFailure"},
    };
    auto found = names.find(status);
    return found == names.end() ? nullptr : found->second;
}

static std::string text_of(const std::string &path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}
static void read_registered() {
    const char *list = std::getenv("MOCK_HIP_PROGRAMS");
    std::ifstream lines(list ? list : "");
    for (std::string image, kernels, path; lines >> image >> kernels >> path;) {
        void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        auto fibers = reinterpret_cast<Fibers>(dlsym(library, "launch"));
        auto run = [=](const char *name, void **places, const unsigned *grid, const unsigned *block) {
            std::string function = std::string("call_") + name;
            auto body = reinterpret_cast<void (*)(void **)>(dlsym(library, function.c_str()));
            return fibers(body, places, grid, block);
        };
        programs.push_back({text_of(image), text_of(kernels), run});
    }
}

extern "C" {
void mock_register(const char *image, size_t size, const char *kernels,
    int (*launch)(const char *, void **, const unsigned *, const unsigned *)) {
    programs.push_back({std::string(image, size), kernels, launch});
}
// Return the start of the memory that holds an address, and its size.
Address mock_block(Address address, size_t *size) {
    auto block = std::prev(blocks.upper_bound(address));
    return *size = block->second.size, block->first;
}

int hipDriverGetVersion(int *version) { return *version = 60443482, SUCCESS; }
int hipGetDevice(int *device) { return *device = selected, SUCCESS; }
int hipSetDevice(int device) {
    if (device < 0 || device >= DEVICES)
        return INVALID_DEVICE;
    return selected = device, SUCCESS;
}
int hipGetDevicePropertiesR0600(char *properties, int) {
    std::strcpy(properties + ARCHITECTURE_BYTE, "gfx942:sramecc+:xnack-");
    return SUCCESS;
}
int hipModuleLoadData(void **module, const void *image) {
    NEEDS_CONTEXT
    if (programs.empty())
        read_registered();
    for (const Program &program : programs) {
        auto start = program.image.begin(), end = program.image.end();
        if (std::mismatch(start, end, static_cast<const char *>(image)).first != end)
            continue;
        auto made = new Module();
        made->device = current();
        modules.push_back(made);
        std::istringstream lines(program.kernels);
        std::string name, parameters;
        while (lines >> name >> parameters) {
            Kernel kernel{};
            kernel.name = name, kernel.dynamic_shared = MOST_SHARED, kernel.queued = &made->queued;
            for (char parameter : parameters) {
                kernel.sizes.push_back(8);
                kernel.is_pointer.push_back(parameter == 'p');
            }
            Launch launch = program.launch;
            kernel.run = [=](void **places, const unsigned *grid, const unsigned *block) {
                return launch(name.c_str(), places, grid, block);
            };
            made->kernels[name] = kernel;
        }
        return *module = made, SUCCESS;
    }
    return NO_BINARY_FOR_GPU;
}
}
