/* Doubles the parameters of the library argv[1] that can be, by values and by the file argv[2], and prints
 * the sums of the outputs for an input of ones. */

#include <iostream>

#include "tilewright.hpp"

#ifdef LINKED /* the model is linked with the program, and argv[1] is not used */
#include "m.h"
#define MODEL(path) m_symbols
#else
#define MODEL(path) path
#endif

static double total(const tilewright::Tensor &tensor)
{
    double sum = 0;
    for (int64_t at = 0; at < tensor.size(); at++)
        sum += tensor.data<float>()[at];
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    tilewright::Module module(MODEL(argv[1]));
    tilewright::Tensor x = tilewright::Tensor::empty<float>({4, 8});
    for (int64_t at = 0; at < x.size(); at++)
        x.data<float>()[at] = 1;
    std::map<std::string, tilewright::Tensor> values;
    std::cout << total(module.run({x})[0]) << "\n";
    for (const tilewright::Param &param : module.params())
        if (param.reason.empty()) {
            tilewright::Tensor value = module.param(param.name);
            if (value.shape() != param.shape)
                return 3;
            for (int64_t at = 0; at < value.size(); at++)
                value.data<float>()[at] *= 2;
            values[param.name] = value;
        }
    module.load_params(values);
    std::cout << total(module.run({x})[0]) << "\n";
    module.load_params(argv[2]);
    std::cout << total(module.run({x})[0]) << "\n";
    try {
        module.load_params({{"absent", x}});
    } catch (const tilewright::Error &error) {
        std::cout << error.what() << "\n";
    }
}
