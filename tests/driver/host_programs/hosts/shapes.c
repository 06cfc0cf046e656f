/* Runs the library argv[1] on argv[2] rows of 8 numbers, with the shape that it computes itself. */

#include <stdio.h>
#include <stdlib.h>

#include "tilewright.h"

static void check(int32_t status)
{
    if (status != 0) {
        printf("%s: %s\n", tw_error_kind(), tw_error_message());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct tw_module *module;
    struct tw_function run, sizes;
    struct tw_value result;
    int64_t shape[] = {argc == 3 ? atoi(argv[2]) : 1, 8}, rank[] = {2};
    check(tw_load(argv[1], &module));
    check(tw_set_threads(module, 2));
    check(tw_module_find(module, "default", &run));
    check(tw_module_find(module, "main_output_shapes", &sizes));
    struct tw_tensor_object *x = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    struct tw_tensor_object *made = tw_tensor_new(TW_INT64, 1, rank, TW_CPU, 0);
    for (int64_t n = 0; n < shape[0] * 8; n++)
        ((float *)tw_data(x))[n] = (float)n / 32;
    struct tw_value args[] = {tw_of_tensor(x), tw_of_tensor(made)};
    check(tw_call(&sizes, args, 2, &result));
    struct tw_tensor_object *y = tw_tensor_new(TW_FLOAT32, 2, tw_data(made), TW_CPU, 0);
    args[1] = tw_of_tensor(y);
    check(tw_call(&run, args, 2, &result));
    for (int64_t n = 0; n < y->tensor.shape[0] * y->tensor.shape[1]; n++)
        printf("%.9g\n", (double)((float *)tw_data(y))[n]);
    tw_release(x);
    tw_release(y);
    tw_release(made);
    tw_unload(module);
    return 0;
}
