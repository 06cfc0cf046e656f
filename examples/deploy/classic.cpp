// A program for the runtime of TVM: its headers are those of the folder classic.
#include <tvm/runtime/module.h>
#include <tvm/runtime/ndarray.h>
#include <tvm/runtime/packed_func.h>

#include <iostream>

int main(int argc, char **argv)
{
    tvm::runtime::Module module = tvm::runtime::Module::LoadFromFile(argc > 1 ? argv[1] : "m.so");
    tvm::runtime::PackedFunc run = module.GetFunction("default");
    tvm::runtime::NDArray input
        = tvm::runtime::NDArray::Empty({4, 8}, {kDLFloat, 32, 1}, {kDLCPU, 0});
    for (int n = 0; n < 32; n++) static_cast<float *>(input->data)[n] = float(n) / 32;
    tvm::runtime::NDArray output = run(input);
    std::cout.precision(9);
    for (int n = 0; n < 32; n++) std::cout << static_cast<float *>(output->data)[n] << "\n";
}
