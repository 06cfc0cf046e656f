/* The C runtime for C++11 and later: objects that release themselves, errors as exceptions, and calls
 * with any number of arguments. A thin layer over tilewright.h, whose source the program compiles.
 */

#ifndef TILEWRIGHT_HPP
#define TILEWRIGHT_HPP

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilewright.h"

namespace tilewright {

/* An error of the runtime; kind() is its name in Python, such as "ValueError". */
class Error : public std::runtime_error {
public:
    Error() : std::runtime_error(tw_error_message()), kind_(tw_error_kind()) {}
    Error(const std::string &kind, const std::string &message)
        : std::runtime_error(message), kind_(kind)
    {
    }
    const std::string &kind() const { return kind_; }

private:
    std::string kind_;
};

inline void check(int32_t status)
{
    if (status != 0)
        throw Error();
}

/* The DLPack type code of a C++ type of numbers. */
template <typename T> constexpr uint32_t code_of()
{
    return std::is_same<T, bool>::value        ? 6
           : std::is_floating_point<T>::value ? 2
           : std::is_unsigned<T>::value       ? 1
                                              : 0;
}

/* The element type of a C++ type. */
template <typename T> constexpr uint32_t dtype_of()
{
    static_assert(std::is_arithmetic<T>::value, "elements are numbers");
    return TW_DTYPE(code_of<T>(), sizeof(T) * 8);
}

/* A counted reference to a tensor. */
class Tensor {
public:
    Tensor() = default;
    explicit Tensor(tw_tensor_object *owned) : object_(owned)
    {
        if (owned == nullptr)
            throw Error();
    }
    Tensor(const Tensor &other) : object_(other.object_) { tw_retain(object_); }
    Tensor(Tensor &&other) noexcept : object_(other.object_) { other.object_ = nullptr; }
    Tensor &operator=(Tensor other) noexcept
    {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Tensor() { tw_release(object_); }

    /* Make a tensor in CPU memory, or on a registered kind of device; its elements are not set. */
    template <typename T>
    static Tensor empty(
        const std::vector<int64_t> &shape, int32_t device_type = TW_CPU, int32_t number = 0)
    {
        int32_t rank = static_cast<int32_t>(shape.size());
        return Tensor(tw_tensor_new(dtype_of<T>(), rank, shape.data(), device_type, number));
    }

    /* Copy all elements to a tensor of the same type and shape, maybe on another device. */
    void copy_to(const Tensor &to) const
    {
        check(tw_tensor_copy(&object_->tensor, &to.object_->tensor));
    }

    tw_tensor_object *get() const { return object_; }
    template <typename T> T *data() const { return static_cast<T *>(tw_data(object_)); }
    std::vector<int64_t> shape() const
    {
        const tw_tensor &own = object_->tensor;
        return std::vector<int64_t>(own.shape, own.shape + own.rank);
    }
    int64_t size() const
    {
        int64_t count = 1;
        for (int64_t each : shape())
            count *= each;
        return count;
    }

private:
    tw_tensor_object *object_ = nullptr;
};

/* The argument of a call for a C++ value. */
inline tw_value value_of(const Tensor &tensor) { return tw_of_tensor(tensor.get()); }
template <typename T>
typename std::enable_if<std::is_integral<T>::value, tw_value>::type value_of(T number)
{
    return tw_of_int(static_cast<int64_t>(number));
}
template <typename T>
typename std::enable_if<std::is_floating_point<T>::value, tw_value>::type value_of(T number)
{
    return tw_of_float(static_cast<double>(number));
}

/* A counted reference to a library. */
class Library {
public:
    explicit Library(const std::string &path) { check(tw_load(path.c_str(), &module_)); }
    explicit Library(const tw_linked *symbols) { check(tw_load_linked(symbols, &module_)); }
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;
    ~Library() { tw_unload(module_); }
    tw_module *get() const { return module_; }

private:
    tw_module *module_ = nullptr;
};

/* A packed function. A function of a module keeps the module loaded. */
class Function {
public:
    explicit Function(const tw_function &function, std::shared_ptr<Library> library = nullptr)
        : function_(function), library_(std::move(library))
    {
    }

    template <typename... Arguments> tw_value operator()(const Arguments &...arguments) const
    {
        const tw_value values[sizeof...(arguments) + 1] = {value_of(arguments)..., tw_value()};
        tw_value result;
        check(tw_call(&function_, values, static_cast<int32_t>(sizeof...(arguments)), &result));
        return result;
    }

private:
    tw_function function_;
    std::shared_ptr<Library> library_;
};

/* The tensors of a list, as the C functions take them. */
using Handles = tw_tensor_object *const *;

/* Call a function that takes the inputs and makes `count` outputs. */
template <typename Run>
std::vector<Tensor> run_making(int32_t count, const std::vector<Tensor> &inputs, Run run)
{
    std::vector<tw_tensor_object *> given, made(static_cast<size_t>(count) + 1);
    for (const Tensor &each : inputs)
        given.push_back(each.get());
    check(run(given.data(), static_cast<int32_t>(given.size()), made.data()));
    made.pop_back();
    return std::vector<Tensor>(made.begin(), made.end());
}

/* A run of a model that remembers its states; keeps the module loaded. */
class Session {
public:
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;
    Session(Session &&other) noexcept
        : library_(std::move(other.library_)), session_(other.session_)
    {
        other.session_ = tw_session();
    }
    ~Session() { tw_session_end(&session_); }

    /* Run the model on the inputs that are no states; return the outputs that are no states. */
    std::vector<Tensor> run(const std::vector<Tensor> &inputs)
    {
        int32_t taken = 0, count = 0;
        check(tw_session_counts(&session_, &taken, &count));
        auto run = [&](Handles given, int32_t number, tw_tensor_object **made) {
            return tw_session_run(&session_, given, number, made, count);
        };
        return run_making(count, inputs, run);
    }

    void reset() { check(tw_session_reset(&session_)); }
    void rewind(int64_t count) { check(tw_session_rewind(&session_, count)); }
    Session fork() const
    {
        Session made(library_);
        check(tw_session_fork(&session_, &made.session_));
        return made;
    }
    /* The size of the growing axis of a state. */
    int64_t size(int32_t state) const
    {
        int64_t found = 0;
        check(tw_session_size(&session_, state, &found));
        return found;
    }
    void copy_state(int32_t state, const Tensor &value) const
    {
        check(tw_session_state(&session_, state, value.get()));
    }

private:
    friend class Module;
    explicit Session(std::shared_ptr<Library> library) : library_(std::move(library)), session_() {}
    std::shared_ptr<Library> library_;
    tw_session session_;
};

/* A parameter: an initializer of the model. `reason` says why its values cannot be replaced. */
struct Param {
    std::string name, reason;
    uint32_t dtype;
    std::vector<int64_t> shape;
};

/* A loaded module; copies share it. */
class Module {
public:
    explicit Module(const std::string &path) : library_(std::make_shared<Library>(path)) {}

    /* Use a model that is linked with the program: the list `<name>_symbols` of its header. */
    explicit Module(const tw_linked *symbols) : library_(std::make_shared<Library>(symbols)) {}

    Function function(const std::string &name) const
    {
        tw_function found;
        check(tw_module_find(library_->get(), name.c_str(), &found));
        return Function(found, library_);
    }

    /* Run main; the outputs have their actual sizes, also where data decides them. */
    std::vector<Tensor> run(const std::vector<Tensor> &inputs) const
    {
        int32_t taken = 0, count = 0;
        check(tw_module_counts(library_->get(), &taken, &count));
        auto run = [&](Handles given, int32_t number, tw_tensor_object **made) {
            return tw_module_run(library_->get(), given, number, made, count);
        };
        return run_making(count, inputs, run);
    }

    /* Begin a session of a model with states; an empty list is values of zeros. */
    Session session(const std::vector<Tensor> &initial = {}) const
    {
        Session made(library_);
        std::vector<tw_tensor_object *> values;
        for (const Tensor &each : initial)
            values.push_back(each.get());
        check(tw_session_begin(library_->get(), values.empty() ? nullptr : values.data(),
            static_cast<int32_t>(values.size()), &made.session_));
        return made;
    }

    /* The parameters of the model, by its names and in its layouts. */
    std::vector<Param> params() const
    {
        int32_t count = 0;
        check(tw_param_count(library_->get(), &count));
        std::vector<Param> found;
        for (int32_t at = 0; at < count; at++) {
            tw_param each;
            check(tw_describe_param(library_->get(), at, &each));
            std::vector<int64_t> shape(each.shape, each.shape + each.rank);
            found.push_back(Param{each.name, each.reason, each.dtype, shape});
        }
        return found;
    }

    /* A copy of the values of a parameter. */
    Tensor param(const std::string &name) const
    {
        return Tensor(tw_get_param(library_->get(), name.c_str()));
    }

    /* Replace values of parameters, by name, or by a file that save_params wrote. */
    void load_params(const std::map<std::string, Tensor> &values) const
    {
        std::vector<const char *> names;
        std::vector<tw_tensor_object *> given;
        for (const auto &each : values) {
            names.push_back(each.first.c_str());
            given.push_back(each.second.get());
        }
        check(tw_load_params(
            library_->get(), names.data(), given.data(), static_cast<int32_t>(names.size())));
    }
    void load_params(const std::string &path) const
    {
        check(tw_load_params_file(library_->get(), path.c_str()));
    }

    void verify() const { check(tw_verify(library_->get())); }
    std::string manifest() const { return tw_manifest(library_->get()); }
    void set_threads(int32_t threads) { check(tw_set_threads(library_->get(), threads)); }
    /* Let the program run parallel loops on its own threads; null is the pool of the runtime. */
    void set_pool(tw_pool *pool) { check(tw_set_pool(library_->get(), pool)); }

private:
    std::shared_ptr<Library> library_;
};

/* Find a registered function. */
inline Function find(const std::string &name)
{
    tw_function found;
    check(tw_find(name.c_str(), &found));
    return Function(found);
}

/* The tensor that an argument of a registered function is, during the call. */
inline const tw_tensor &tensor_of(const tw_value &argument)
{
    if (argument.type_index == TW_TENSOR_PTR)
        return *static_cast<const tw_tensor *>(argument.payload.pointer);
    if (argument.type_index != TW_TENSOR)
        throw Error("TypeError", "the argument is not a tensor");
    return static_cast<const tw_tensor_object *>(argument.payload.pointer)->tensor;
}

/* A function of the program that modules call by name: it gets the arguments and returns a value. */
using Callable = std::function<tw_value(const std::vector<tw_value> &)>;

/* Run an action that may throw; return 0, or -1 with the error set. unknown: the message for what is
 * no std::exception. */
template <typename Action> int32_t status_of(const char *unknown, Action action) noexcept
{
    try {
        action();
        return 0;
    } catch (const Error &error) {
        tw_set_error(error.kind().c_str(), error.what());
    } catch (const std::exception &error) {
        tw_set_error("RuntimeError", error.what());
    } catch (...) {
        tw_set_error("RuntimeError", unknown);
    }
    return -1;
}

/* Call a Callable, which `self` points at, as a packed function. */
inline int32_t call_registered(
    void *self, const tw_value *args, int32_t count, tw_value *result) noexcept
{
    return status_of("the function threw an unknown exception", [&] {
        *result = (*static_cast<Callable *>(self))(std::vector<tw_value>(args, args + count));
    });
}

/* Register a function under a name, for modules that are loaded later and for find. It stays in memory
 * to the end of the program: modules that were loaded before it was overridden or removed call it. */
inline void register_function(const std::string &name, Callable function, bool is_override = false)
{
    char *kept = new char[name.size() + 1];
    std::memcpy(kept, name.c_str(), name.size() + 1);
    const tw_function own = {kept, call_registered, new Callable(std::move(function))};
    check(tw_register(&own, is_override ? 1 : 0));
}

/* Forget a registered name. */
inline void remove_function(const std::string &name) { check(tw_remove(name.c_str())); }

/* The registered names, in the order of registration. */
inline std::vector<std::string> list_functions()
{
    std::vector<const char *> names(static_cast<size_t>(tw_list(nullptr, 0)));
    int32_t room = static_cast<int32_t>(names.size()), count = tw_list(names.data(), room);
    names.resize(static_cast<size_t>(count < room ? count : room));
    return std::vector<std::string>(names.begin(), names.end());
}

/* A kind of device, for tensors of the program; see struct tw_device. */
class Device {
public:
    virtual ~Device() = default;
    virtual void *allocate(int32_t number, size_t bytes) = 0;
    virtual void release(int32_t number, void *memory) = 0;
    /* Copy between two places of which one or both are on this device; throw an Error. */
    virtual void copy(const tw_tensor &from, const tw_tensor &to, size_t bytes) = 0;
    virtual void sync(int32_t) {}
};

/* Register a kind of device by its DLPack type, to the end of the program. */
inline void register_device(int32_t type, const char *name, std::unique_ptr<Device> device)
{
    static constexpr const char *unknown = "the device threw an unknown exception";
    const tw_device functions = {name, device.get(),
        [](void *self, int32_t number, size_t bytes) {
            return static_cast<Device *>(self)->allocate(number, bytes);
        },
        [](void *self, int32_t number, void *memory) {
            static_cast<Device *>(self)->release(number, memory);
        },
        [](void *self, const tw_tensor *from, const tw_tensor *to, size_t bytes) {
            return status_of(
                unknown, [&] { static_cast<Device *>(self)->copy(*from, *to, bytes); });
        },
        [](void *self, int32_t number) {
            return status_of(unknown, [&] { static_cast<Device *>(self)->sync(number); });
        }};
    check(tw_register_device(type, &functions));
    device.release();
}

/* Wait until a device has finished its work. */
inline void sync(int32_t type, int32_t number) { check(tw_sync(type, number)); }

} // namespace tilewright

#endif
