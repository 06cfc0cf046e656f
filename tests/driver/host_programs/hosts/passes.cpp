/* A library for Python: `c.optimize` applies the passes that Python has registered. */

#include <tvm/runtime/registry.h>

static std::string text;

/* Apply passes, whose names follow the printed program, and return the printed result. */
static tw_value optimize(const std::vector<tw_value> &given)
{
    text = static_cast<const char *>(given.at(0).payload.pointer);
    for (size_t at = 1; at < given.size(); at++) {
        auto name = static_cast<const char *>(given[at].payload.pointer);
        const tvm::runtime::PackedFunc *pass = tvm::runtime::Registry::Get(name);
        if (pass == nullptr)
            throw tvm::Error("KeyError", std::string("there is no pass ") + name);
        text = static_cast<std::string>((*pass)(text));
    }
    return tvm::runtime::value_of(text);
}

static const int registered = (tilewright::register_function("c.optimize", optimize), 0);
