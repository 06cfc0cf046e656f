/* Run a model of one 4x8 input and one 4x8 output: cc run.c tilewright.c -ldl -lpthread */
#include <stdio.h>
#include "tilewright.h"

int main(int argc, char **argv)
{
    struct tw_module *module;
    struct tw_function run;
    struct tw_value result;
    int64_t shape[] = {4, 8};
    struct tw_tensor_object *x = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    struct tw_tensor_object *y = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    for (int n = 0; n < 32; n++) ((float *)tw_data(x))[n] = (float)n / 32;
    struct tw_value args[] = {tw_of_tensor(x), tw_of_tensor(y)};
    if (tw_load(argc > 1 ? argv[1] : "m.so", &module) || tw_module_find(module, "main", &run) ||
        tw_call(&run, args, 2, &result))
        return fprintf(stderr, "%s: %s\n", tw_error_kind(), tw_error_message()), 1;
    for (int n = 0; n < 32; n++) printf("%.9g\n", (double)((float *)tw_data(y))[n]);
}
