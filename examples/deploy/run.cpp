/* Run a model of one 4x8 input and one 4x8 output; compile with tilewright.c as C. */
#include <iostream>
#include "tilewright.hpp"

int main(int argc, char **argv)
{
    try {
        tilewright::Module module(argc > 1 ? argv[1] : "m.so");
        auto x = tilewright::Tensor::empty<float>({4, 8}), y = tilewright::Tensor::empty<float>({4, 8});
        for (int n = 0; n < x.size(); n++) x.data<float>()[n] = float(n) / 32;
        module.function("default")(x, y);
        std::cout.precision(9);
        for (int n = 0; n < y.size(); n++) std::cout << y.data<float>()[n] << "\n";
    } catch (const tilewright::Error &error) {
        std::cerr << error.kind() << ": " << error.what() << "\n";
        return 1;
    }
}
