/* Runs the library argv[1] on the tensors in argv[2], and writes the outputs to argv[3]. */

#include "tensors.h"

int main(int argc, char **argv)
{
    struct tw_tensor_object *inputs[MAX_TENSORS], *outputs[MAX_TENSORS];
    struct tw_module *module;
    int32_t taken, made;
    if (argc != 4)
        return 2;
    load_model(argv[1], &module);
    check(tw_verify(module));
    check(tw_module_counts(module, &taken, &made));
    int32_t count = read_tensors(argv[2], inputs);
    check(tw_module_run(module, inputs, count, outputs, made));
    write_tensors(argv[3], outputs, made);
    release_all(inputs, count);
    release_all(outputs, made);
    tw_unload(module);
    return 0;
}
