/* Is linked with the objects of two models, a and b; runs b on the result of a, on two threads. The
 * arguments are input and output. */

#include <stdio.h>

#include "a.h"
#include "b.h"

int main(int argc, char **argv)
{
    static float x[32], between[32], y[32];
    FILE *file = fopen(argv[argc - 2], "rb");
    size_t count = fread(x, sizeof *x, 32, file);
    fclose(file);
    int64_t sizes[] = {4, 8}, shape[A_SIZES];
    struct tw_tensor first[] = {a_tensor(0, x, sizes), a_tensor(1, between, shape)};
    struct tw_tensor second[] = {b_tensor(0, between, shape), b_tensor(1, y, sizes)};
    b_use_threads(2);
    if (a_shapes(first, shape) != 0 || a_call(first) != 0)
        return puts(a_last_error) * 0 + 2;
    if (b_call(second) != 0)
        return puts(b_last_error) * 0 + 3;
    file = fopen(argv[argc - 1], "wb");
    fwrite(y, sizeof *y, count, file);
    return fclose(file);
}
