/* Runs the library argv[1] on the tensors in argv[2], and writes the outputs to argv[3]. */

#include <iostream>

#include "tensors.h"
#include "tilewright.hpp"

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    try {
        tilewright::Module module(argv[1]);
        module.verify();
        tw_tensor_object *read[MAX_TENSORS];
        int32_t count = read_tensors(argv[2], read);
        std::vector<tilewright::Tensor> inputs(read, read + count);
        std::vector<tilewright::Tensor> outputs = module.run(inputs);
        std::vector<tw_tensor_object *> made;
        for (const auto &each : outputs)
            made.push_back(each.get());
        write_tensors(argv[3], made.data(), static_cast<int32_t>(made.size()));
    } catch (const tilewright::Error &error) {
        std::cout << error.kind() << ": " << error.what() << "\n";
        return 1;
    }
}
