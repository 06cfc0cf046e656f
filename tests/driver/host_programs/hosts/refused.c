/* Loads each library of the command line and prints how each load ended. */

#include <stdio.h>

#include "tilewright.h"

int main(int argc, char **argv)
{
    for (int at = 1; at < argc; at++) {
        struct tw_module *module;
        int32_t status = tw_load(argv[at], &module);
        printf("%s\n%%\n", status == 0 ? "loaded" : tw_error_message());
        tw_unload(module);
    }
    return 0;
}
