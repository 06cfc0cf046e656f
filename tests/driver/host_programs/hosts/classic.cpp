/* A program for the runtime of TVM: the library argv[1] has an input of 4x8 and an output of 4x8, the
 * library argv[2] two of each, named a, b, sum and product. */

#include <tvm/runtime/module.h>
#include <tvm/runtime/ndarray.h>
#include <tvm/runtime/packed_func.h>
#include <tvm/runtime/registry.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>

using namespace tvm::runtime;

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        std::printf("line %d: " #condition "\n", __LINE__);                                        \
        std::exit(1);                                                                              \
    }

template <typename Action> static void refused(Action action, const std::string &part)
{
    try {
        action();
    } catch (const tvm::Error &error) {
        std::string said = error.kind() + ": " + error.what();
        CHECK(said.find(part) != std::string::npos);
        return;
    }
    CHECK(part.empty());
}

static std::vector<float> elements(const NDArray &array)
{
    std::vector<float> made(32);
    array.CopyToBytes(made.data(), 128);
    return made;
}

int main(int, char **argv)
{
    DLDevice device{kDLCPU, 0};
    Module module = Module::LoadFromFile(argv[1]), two = Module::LoadFromFile(argv[2], "so");
    std::vector<float> numbers(32);
    std::iota(numbers.begin(), numbers.end(), 1.0f);
    NDArray x = NDArray::Empty({4, 8}, {kDLFloat, 32, 1}, device);
    x.CopyFromBytes(numbers.data(), 128);
    CHECK(x->ndim == 2 && x->shape[1] == 8 && x->dtype.bits == 32 && x.Shape()[0] == 4);

    /* The result of a call, an output that is passed, and tensors of the C interface. */
    PackedFunc run = module.GetFunction("default");
    NDArray y = run(x), z = NDArray::Empty({4, 8}, DLDataType{kDLFloat, 32, 1}, device);
    run(x, z);
    CHECK(elements(y) == elements(z));
    int64_t shape[] = {4, 8};
    DLTensor *in = nullptr, *out = nullptr;
    CHECK(TVMArrayAlloc(shape, 2, kDLFloat, 32, 1, kDLCPU, 0, &in) == 0);
    CHECK(TVMArrayAlloc(shape, 2, kDLFloat, 32, 1, kDLCPU, 0, &out) == 0);
    std::memcpy(in->data, numbers.data(), 128);
    run(in, out);
    CHECK(std::memcmp(out->data, elements(y).data(), 128) == 0);
    TVMArrayFree(in);
    TVMArrayFree(out);

    /* An executor. */
    Module graph = two.GetFunction("default")(device);
    PackedFunc set_input = graph.GetFunction("set_input"), get = graph.GetFunction("get_output");
    set_input("a", x);
    set_input(1, x);
    refused([&] { get(0); }, "RuntimeError: get_output comes after run");
    graph.GetFunction("run")();
    get(0, z);
    NDArray product = get("product");
    for (size_t at = 0; at < 32; at++) {
        CHECK(elements(z)[at] == 2 * numbers[at]);
        CHECK(elements(product)[at] == numbers[at] * numbers[at]);
    }

    /* What does not fit. */
    CHECK(module.GetFunction("nothing") == nullptr && run != nullptr);
    CHECK(Registry::Get("nothing") == nullptr);
    refused([&] { Module::LoadFromFile("missing.so"); }, "cannot be loaded");
    refused([&] { two.GetFunction("default")(x, x); }, "ValueError: the model has 2 outputs");
    refused([&] { set_input("c", x); }, "KeyError");
    refused([&] { x.CopyFromBytes(numbers.data(), 4); }, "128 bytes, not 4");
    refused([&] { int64_t number = run(x); (void)number; }, "TypeError: the result");
    refused([&] { run(NDArray::Empty({4, 7}, {kDLFloat, 32, 1}, device)); }, "size 7");
}
