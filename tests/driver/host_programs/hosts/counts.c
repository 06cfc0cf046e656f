/* Prints the errors of runs with wrong counts and tensors; the model has one input and one output. */

#include <stdio.h>

#include "tilewright.h"

int main(int argc, char **argv)
{
    struct tw_module *module;
    struct tw_argument described;
    struct tw_tensor_object *inputs[1] = {NULL}, *outputs[1];
    if (argc != 2 || tw_load(argv[1], &module) != 0)
        return 2;
    if (tw_module_run(module, inputs, 0, outputs, 1) == 0)
        return 3;
    puts(tw_error_message());
    if (tw_module_run(module, inputs, 1, outputs, 1) == 0 || outputs[0] != NULL)
        return 4;
    puts(tw_error_message());
    if (tw_module_run(module, inputs, 1, outputs, 2) == 0)
        return 5;
    if (tw_module_argument(module, 2, &described) == 0)
        return 6;
    puts(tw_error_message());
    tw_unload(module);
    return 0;
}
