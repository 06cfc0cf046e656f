/* Runs a library of one input and one output on numbers in files, as a host in C would. */

#include <stdio.h>
#include <stdlib.h>

#include "packed.h"

enum { FLOAT32 = 2 | 32 << 8 | 1 << 16 };

/* Read rows of 8 numbers, run the model, write as many rows; return what the model returns. */
static int run_file(tw_packed_function *run, const char *input, const char *output)
{
    static float x[1 << 16], y[1 << 16];
    FILE *file = fopen(input, "rb");
    int64_t sizes[2] = {0, 8};
    sizes[0] = (int64_t)(fread(x, sizeof *x, 1 << 16, file) / 8);
    fclose(file);
    struct tw_tensor tensors[2] = {
        {x, TW_CPU, 0, 2, FLOAT32, sizes, NULL, 0}, {y, TW_CPU, 0, 2, FLOAT32, sizes, NULL, 0}};
    struct tw_value args[2] = {{0}}, result = {0};
    for (int n = 0; n < 2; n++) {
        args[n].type_index = TW_TENSOR_PTR;
        args[n].payload.pointer = &tensors[n];
    }
    int status = run(NULL, args, 2, &result);
    file = fopen(output, "wb");
    fwrite(y, sizeof *y, (size_t)(sizes[0] * sizes[1]), file);
    fclose(file);
    return status;
}
