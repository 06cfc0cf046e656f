/* The C++ interface of TVM's runtime, for programs that were written for it: they compile with the
 * folder `classic` and its parent as search paths, and with tilewright.c.
 *
 *     tvm::runtime::Module module = tvm::runtime::Module::LoadFromFile("m.so");
 *     tvm::runtime::PackedFunc run = module.GetFunction("default");
 *     auto x = tvm::runtime::NDArray::Empty({4, 8}, {kDLFloat, 32, 1}, {kDLCPU, 0});
 *     tvm::runtime::NDArray y = run(x);
 *
 * `default` takes the inputs and returns the only output; or it takes inputs and outputs; or it takes
 * a device and returns an executor: a module with set_input, run and get_output.
 */

#ifndef TILEWRIGHT_CLASSIC_MODULE_H
#define TILEWRIGHT_CLASSIC_MODULE_H

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dlpack/dlpack.h>

#include "tilewright.hpp"

static_assert(sizeof(DLTensor) == sizeof(tw_tensor), "both are the structure of DLPack");

namespace tvm {

using Error = tilewright::Error;

namespace runtime {

/* The kinds of values that tilewright.h does not name: strings, and a device. */
enum { kRawText = 8, kSmallText = 11, kText = 65, kDevice = 6 };

/* A counted reference to a tensor. */
class NDArray {
public:
    NDArray() = default;
    explicit NDArray(tilewright::Tensor tensor) : tensor_(std::move(tensor)) {}

    static NDArray Empty(const std::vector<int64_t> &shape, DLDataType dtype, DLDevice device)
    {
        uint32_t word = TW_DTYPE(dtype.code, dtype.bits);
        int32_t rank = static_cast<int32_t>(shape.size());
        return NDArray(tilewright::Tensor(
            tw_tensor_new(word, rank, shape.data(), device.device_type, device.device_id)));
    }

    const DLTensor *operator->() const
    {
        return reinterpret_cast<const DLTensor *>(&tensor_.get()->tensor);
    }
    bool defined() const { return tensor_.get() != nullptr; }
    std::vector<int64_t> Shape() const { return tensor_.shape(); }
    DLDataType DataType() const { return (*this)->dtype; }

    void CopyFrom(const DLTensor *other) const
    {
        tilewright::check(
            tw_tensor_copy(reinterpret_cast<const tw_tensor *>(other), &tensor_.get()->tensor));
    }
    void CopyFrom(const NDArray &other) const { CopyFrom(other.operator->()); }
    void CopyTo(const NDArray &other) const { other.CopyFrom(*this); }
    /* Before: the tensor is in CPU memory. */
    void CopyFromBytes(const void *from, size_t bytes) const
    {
        std::memcpy(tw_data(tensor_.get()), from, checked(bytes));
    }
    void CopyToBytes(void *to, size_t bytes) const
    {
        std::memcpy(to, tw_data(tensor_.get()), checked(bytes));
    }

    const tilewright::Tensor &tensor() const { return tensor_; }

private:
    size_t checked(size_t bytes) const
    {
        size_t own = static_cast<size_t>(tensor_.size()) * (((*this)->dtype.bits + 7u) / 8);
        if (bytes != own)
            throw Error("ValueError", "the tensor has " + std::to_string(own) + " bytes, not "
                    + std::to_string(bytes));
        return bytes;
    }

    tilewright::Tensor tensor_;
};

class Module;

/* The result of a call: a value, a tensor, or a module. */
class TVMRetValue {
public:
    TVMRetValue() : value_() {}
    explicit TVMRetValue(const tw_value &value) : value_(value)
    {
        if (value.type_index == TW_TENSOR) {
            auto object = static_cast<tw_tensor_object *>(value.payload.pointer);
            array_ = NDArray(tilewright::Tensor(object));
        } else if (value.type_index == kSmallText) {
            text_.assign(reinterpret_cast<const char *>(&value.payload), value.padding);
        } else if (value.type_index == kText) {
            struct bytes {
                tw_object header;
                const char *start;
                size_t count;
            };
            auto object = static_cast<bytes *>(value.payload.pointer);
            text_.assign(object->start, object->count);
            tw_release(object);
        }
    }
    explicit TVMRetValue(NDArray array) : value_(), array_(std::move(array))
    {
        value_.type_index = TW_TENSOR;
    }
    explicit TVMRetValue(std::shared_ptr<Module> module) : value_(), module_(std::move(module)) {}

    operator NDArray() const { return of(TW_TENSOR, "a tensor") ? array_ : array_; }
    operator int64_t() const { return of(TW_INT, "an integer") ? value_.payload.integer : 0; }
    operator int() const { return static_cast<int>(static_cast<int64_t>(*this)); }
    operator double() const { return of(TW_FLOAT, "a float") ? value_.payload.number : 0; }
    operator std::string() const
    {
        if (value_.type_index != kText && value_.type_index != kSmallText)
            of(kText, "a string");
        return text_;
    }
    inline operator Module() const;

private:
    bool of(int32_t kind, const char *name) const
    {
        if (value_.type_index == kind)
            return true;
        throw Error("TypeError", std::string("the result of the call is not ") + name);
    }

    tw_value value_;
    NDArray array_;
    std::string text_;
    std::shared_ptr<Module> module_;
};

/* The argument of a call for a C++ value, which must live until the call ends. */
inline tw_value value_of(const NDArray &array) { return tw_of_tensor(array.tensor().get()); }
inline tw_value value_of(const TVMRetValue &result)
{
    return value_of(static_cast<NDArray>(result));
}
inline tw_value value_of(DLTensor *tensor)
{
    tw_value made = tw_value();
    made.type_index = TW_TENSOR_PTR;
    made.payload.pointer = tensor;
    return made;
}
inline tw_value value_of(DLDevice device)
{
    tw_value made = tw_value();
    made.type_index = kDevice;
    std::memcpy(&made.payload, &device, sizeof device);
    return made;
}
inline tw_value value_of(const char *text)
{
    tw_value made = tw_value();
    made.type_index = kRawText;
    made.payload.pointer = const_cast<char *>(text);
    return made;
}
inline tw_value value_of(const std::string &text) { return value_of(text.c_str()); }
template <typename T>
typename std::enable_if<std::is_arithmetic<T>::value, tw_value>::type value_of(T number)
{
    return tilewright::value_of(number);
}

/* The arguments of a call. */
using TVMArgs = std::vector<tw_value>;

/* A function, or nothing. */
class PackedFunc {
public:
    using Body = std::function<TVMRetValue(const TVMArgs &)>;

    PackedFunc() = default;
    explicit PackedFunc(Body body) : body_(std::move(body)) {}

    template <typename... Arguments> TVMRetValue operator()(const Arguments &...arguments) const
    {
        if (!body_)
            throw Error("RuntimeError", "the function that is called does not exist");
        return body_(TVMArgs{value_of(arguments)...});
    }
    bool operator==(std::nullptr_t) const { return !body_; }
    bool operator!=(std::nullptr_t) const { return static_cast<bool>(body_); }

private:
    Body body_;
};

/* A library, or an executor of one. */
class Module {
public:
    static Module LoadFromFile(const std::string &path, const std::string & = "")
    {
        Module made;
        made.library_ = std::make_shared<tilewright::Library>(path);
        return made;
    }

    /* Return a function; it does not exist if no function has the name. */
    PackedFunc GetFunction(const std::string &name, bool = false) const
    {
        if (library_ == nullptr)
            return executing(name);
        tw_function found;
        if (tw_module_find(library_->get(), name.c_str(), &found) != 0)
            return PackedFunc();
        auto library = library_;
        bool is_main = name == "default" || name == "main";
        return PackedFunc([library, found, is_main](const TVMArgs &given) {
            if (is_main && given.size() == 1 && given[0].type_index == kDevice)
                return TVMRetValue(std::make_shared<Module>(executor_of(library)));
            return is_main ? run(library, found, given) : call(found, given);
        });
    }

private:
    /* The tensors of an executor. */
    struct Executor {
        std::shared_ptr<tilewright::Library> library;
        std::vector<tilewright::Tensor> inputs, outputs;
    };

    static std::pair<size_t, size_t> counts(const tilewright::Library &library)
    {
        int32_t taken = 0, made = 0;
        tilewright::check(tw_module_counts(library.get(), &taken, &made));
        return {static_cast<size_t>(taken), static_cast<size_t>(made)};
    }

    static TVMRetValue call(const tw_function &function, const TVMArgs &given)
    {
        tw_value result = tw_value();
        int32_t count = static_cast<int32_t>(given.size());
        tilewright::check(tw_call(&function, given.data(), count, &result));
        return TVMRetValue(result);
    }

    static std::vector<tilewright::Tensor> outputs_of(
        const tilewright::Library &library, std::vector<tw_tensor_object *> given)
    {
        auto number = counts(library);
        std::vector<tw_tensor_object *> made(number.second + 1);
        tilewright::check(tw_module_run(library.get(), given.data(),
            static_cast<int32_t>(given.size()), made.data(), static_cast<int32_t>(number.second)));
        made.pop_back();
        return std::vector<tilewright::Tensor>(made.begin(), made.end());
    }

    static TVMRetValue run(const std::shared_ptr<tilewright::Library> &library,
        const tw_function &function, const TVMArgs &given)
    {
        auto number = counts(*library);
        std::vector<tw_tensor_object *> tensors;
        for (const tw_value &each : given)
            if (each.type_index == TW_TENSOR)
                tensors.push_back(static_cast<tw_tensor_object *>(each.payload.pointer));
        if (given.size() != number.first || tensors.size() != given.size())
            return call(function, given);
        auto made = outputs_of(*library, tensors);
        if (made.size() != 1)
            throw Error("ValueError", "the model has " + std::to_string(made.size())
                    + " outputs: pass them after the inputs");
        return TVMRetValue(NDArray(made[0]));
    }

    static Module executor_of(const std::shared_ptr<tilewright::Library> &library)
    {
        Module made;
        auto number = counts(*library);
        made.executor_ = std::make_shared<Executor>();
        made.executor_->library = library;
        made.executor_->inputs.resize(number.first);
        made.executor_->outputs.resize(number.second);
        return made;
    }

    /* Return the position of an input or output that an argument names or numbers. */
    static size_t position(const Executor &own, const tw_value &value, size_t first, size_t count)
    {
        for (size_t index = 0; index < count; index++) {
            tw_argument found;
            int32_t at = static_cast<int32_t>(first + index);
            tilewright::check(tw_module_argument(own.library->get(), at, &found));
            bool is_named = value.type_index == kRawText
                && std::strcmp(static_cast<const char *>(value.payload.pointer), found.name) == 0;
            if (is_named || (value.type_index == TW_INT && value.payload.integer == int64_t(index)))
                return index;
        }
        throw Error("KeyError", "the model has no such input or output");
    }

    PackedFunc executing(const std::string &name) const
    {
        auto own = executor_;
        if (own == nullptr)
            return PackedFunc();
        size_t inputs = own->inputs.size(), outputs = own->outputs.size();
        if (name == "set_input")
            return PackedFunc([own, inputs](const TVMArgs &given) {
                const tw_tensor &from = tilewright::tensor_of(given.at(1));
                size_t at = position(*own, given.at(0), 0, inputs);
                tilewright::Tensor copy(
                    tw_tensor_new(from.dtype, from.rank, from.shape, TW_CPU, 0));
                tilewright::check(tw_tensor_copy(&from, &copy.get()->tensor));
                own->inputs[at] = copy;
                return TVMRetValue();
            });
        if (name == "run")
            return PackedFunc([own](const TVMArgs &) {
                std::vector<tw_tensor_object *> given;
                for (const tilewright::Tensor &each : own->inputs)
                    given.push_back(each.get());
                own->outputs = outputs_of(*own->library, given);
                return TVMRetValue();
            });
        if (name == "get_output")
            return PackedFunc([own, inputs, outputs](const TVMArgs &given) {
                NDArray made(own->outputs[position(*own, given.at(0), inputs, outputs)]);
                if (!made.defined())
                    throw Error("RuntimeError", "get_output comes after run");
                if (given.size() > 1)
                    tilewright::check(tw_tensor_copy(&made.tensor().get()->tensor,
                        const_cast<tw_tensor *>(&tilewright::tensor_of(given[1]))));
                return TVMRetValue(made);
            });
        return PackedFunc();
    }

    std::shared_ptr<tilewright::Library> library_;
    std::shared_ptr<Executor> executor_;
};

inline TVMRetValue::operator Module() const
{
    if (module_ == nullptr)
        throw Error("TypeError", "the result of the call is not a module");
    return *module_;
}

/* The registered functions of the program, and of Python if it loads the library of the program. */
class Registry {
public:
    /* Return a registered function, or null. */
    static const PackedFunc *Get(const std::string &name)
    {
        static thread_local std::map<std::string, PackedFunc> known;
        tw_function found;
        if (tw_find(name.c_str(), &found) != 0)
            return nullptr;
        PackedFunc made([found](const TVMArgs &given) {
            tw_value result = tw_value();
            int32_t count = static_cast<int32_t>(given.size());
            tilewright::check(tw_call(&found, given.data(), count, &result));
            return TVMRetValue(result);
        });
        return &(known[name] = made);
    }
};

} // namespace runtime
} // namespace tvm

/* Make a tensor; return 0, or -1 after an error. TVMArrayFree frees it. */
inline int TVMArrayAlloc(const int64_t *shape, int ndim, int code, int bits, int, int device_type,
    int device_id, DLTensor **made)
{
    uint32_t word = TW_DTYPE(code, bits);
    tw_tensor_object *object = tw_tensor_new(word, ndim, shape, device_type, device_id);
    *made = object == nullptr ? nullptr : reinterpret_cast<DLTensor *>(&object->tensor);
    return object == nullptr ? -1 : 0;
}

inline int TVMArrayFree(DLTensor *tensor)
{
    tw_release(reinterpret_cast<char *>(tensor) - offsetof(tw_tensor_object, tensor));
    return 0;
}

#endif
