/* Decodes with the library argv[1]: the steps of decodes.c. */

#include <iostream>

#include "tensors.h"
#include "tilewright.hpp"

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    try {
        tilewright::Module module(argv[1]);
        tw_tensor_object *read[MAX_TENSORS];
        std::vector<tilewright::Session> sessions;
        std::vector<tilewright::Tensor> steps, results;
        int32_t count = read_tensors(argv[2], read);
        for (int32_t at = 0; at < count; at++)
            steps.emplace_back(read[at]);
        size_t first = 0;
        if (steps[0].shape().size() == 1 && *steps[0].data<int64_t>() == -5) {
            sessions.push_back(module.session({steps[1], steps[2]}));
            first = 3;
        } else {
            sessions.push_back(module.session());
        }
        for (size_t at = first; at < steps.size(); at++) {
            const tilewright::Tensor &step = steps[at];
            tilewright::Session &session = sessions.back();
            int64_t number = step.shape().size() == 1 ? *step.data<int64_t>() : 0;
            if (step.shape().size() > 1)
                results.push_back(session.run({step})[0]);
            else if (number == -1)
                session.reset();
            else if (number == -2)
                sessions.push_back(session.fork());
            else if (number == -3)
                sessions.pop_back();
            else if (number == -4) {
                results.push_back(tilewright::Tensor::empty<float>({1, 4, session.size(0), 8}));
                session.copy_state(0, results.back());
            }
            else
                session.rewind(number);
        }
        std::vector<tw_tensor_object *> made;
        for (const auto &each : results)
            made.push_back(each.get());
        write_tensors(argv[3], made.data(), static_cast<int32_t>(made.size()));
    } catch (const tilewright::Error &error) {
        std::cout << error.kind() << ": " << error.what() << "\n";
        return 1;
    }
}
