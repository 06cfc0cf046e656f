/* Functions and devices in C++. The library argv[1] calls rust.scale(x, y, factor). */

#include <cstdio>
#include <cstdlib>

#include "tilewright.hpp"

using tilewright::Tensor;

static const int32_t KIND = 12;
static int live, syncs;

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        std::printf("line %d: " #condition "\n", __LINE__);                                        \
        std::exit(1);                                                                              \
    }

template <typename Action> static void refused(Action action, const std::string &part)
{
    try {
        action();
    } catch (const tilewright::Error &error) {
        std::string said = error.kind() + ": " + error.what();
        if (said.find(part) == std::string::npos)
            std::printf("%s: not %s\n", said.c_str(), part.c_str()), std::exit(1);
        return;
    }
    std::printf("not refused: %s\n", part.c_str());
    std::exit(1);
}

/* Return a function that multiplies by a factor of its own and that of its call. */
static tilewright::Callable scaling(float own)
{
    return [own](const std::vector<tw_value> &args) {
        if (args.size() != 3 || args[2].type_index != TW_FLOAT)
            throw tilewright::Error("TypeError", "expected two tensors and a float");
        const tw_tensor &x = tilewright::tensor_of(args[0]), &y = tilewright::tensor_of(args[1]);
        const float *from = reinterpret_cast<float *>(static_cast<char *>(x.data) + x.byte_offset);
        float *to = reinterpret_cast<float *>(static_cast<char *>(y.data) + y.byte_offset);
        for (int64_t at = 0; at < x.shape[0]; at++)
            to[at] = from[at] * own * static_cast<float>(args[2].payload.number);
        return tw_value();
    };
}

static std::vector<float> elements(const Tensor &tensor)
{
    return std::vector<float>(tensor.data<float>(), tensor.data<float>() + tensor.size());
}

static void print(const std::vector<float> &values)
{
    const char *separator = "[";
    for (float each : values) {
        std::printf("%s%.1f", separator, static_cast<double>(each));
        separator = ", ";
    }
    std::printf("]\n");
}

static void functions(const char *path)
{
    refused([&] { tilewright::Module module(path); }, "rust.scale");
    tilewright::register_function("rust.scale", scaling(1));
    refused([&] { tilewright::register_function("rust.scale", scaling(9)); }, "is registered");
    Tensor x = Tensor::empty<float>({8});
    for (int at = 0; at < 8; at++)
        x.data<float>()[at] = static_cast<float>(at + 1);
    {
        tilewright::Module module(path);
        std::vector<float> first = elements(module.run({x})[0]);
        tilewright::register_function("rust.scale", scaling(10), true);
        CHECK(elements(module.run({x})[0]) == first);
        print(first);
    }
    print(elements(tilewright::Module(path).run({x})[0]));
    tilewright::register_function("cpp.add", [](const std::vector<tw_value> &args) {
        if (args.size() != 2)
            throw std::runtime_error("no two integers");
        return tw_of_int(args[0].payload.integer + args[1].payload.integer);
    });
    tilewright::Function add = tilewright::find("cpp.add");
    CHECK(add(2, 3).payload.integer == 5);
    refused([&] { add(2); }, "RuntimeError: no two integers");
    refused([&] { tilewright::find("rust.scale")(1, 1, 2.0); }, "TypeError: the argument is not a tensor");
    CHECK((tilewright::list_functions() == std::vector<std::string>{"rust.scale", "cpp.add"}));
    tilewright::remove_function("cpp.add");
    CHECK(tilewright::list_functions() == std::vector<std::string>{"rust.scale"});
    refused([&] { tilewright::find("cpp.add"); }, "no function is registered");
    CHECK(add(2, 3).payload.integer == 5);
}

/* A device whose memory is host memory that only `copy` reaches. */
class Remote : public tilewright::Device {
public:
    void *allocate(int32_t number, size_t bytes) override
    {
        live += number == 0;
        return number == 0 ? std::malloc(bytes) : nullptr;
    }
    void release(int32_t, void *memory) override
    {
        live--;
        std::free(memory);
    }
    void copy(const tw_tensor &from, const tw_tensor &to, size_t bytes) override
    {
        if (bytes == 4)
            throw tilewright::Error("RuntimeError", "too little to copy");
        std::memcpy(static_cast<char *>(to.data) + to.byte_offset,
            static_cast<char *>(from.data) + from.byte_offset, bytes);
    }
    void sync(int32_t) override { syncs++; }
};

static void devices()
{
    refused([] { Tensor::empty<float>({3}, KIND); }, "no device of this type");
    tilewright::register_device(KIND, "remote", std::unique_ptr<tilewright::Device>(new Remote));
    Tensor x = Tensor::empty<float>({3}), back = Tensor::empty<float>({3});
    for (int at = 0; at < 3; at++)
        x.data<float>()[at] = static_cast<float>(at);
    {
        Tensor there = Tensor::empty<float>({3}, KIND);
        x.copy_to(there);
        tilewright::sync(KIND, 0);
        there.copy_to(back);
        CHECK(elements(back) == elements(x));
        refused([] { Tensor::empty<float>({3}, KIND, 1); }, "remote has no memory left");
        refused([] { Tensor::empty<float>({1}, KIND).copy_to(Tensor::empty<float>({1})); }, "too little");
        CHECK(live == 1 && syncs == 1);
    }
    CHECK(live == 0);
}

int main(int, char **argv)
{
    functions(argv[1]);
    devices();
}
