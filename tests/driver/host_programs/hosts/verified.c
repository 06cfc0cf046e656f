/* Loads and verifies each library of the command line and prints how it ended. */

#include <stdio.h>

#include "tilewright.h"

int main(int argc, char **argv)
{
    for (int at = 1; at < argc; at++) {
        struct tw_module *module;
        int32_t status = tw_load(argv[at], &module) != 0 ? -1 : tw_verify(module);
        printf("%s\n%%\n", status == 0 ? "verified" : tw_error_message());
        tw_unload(module);
    }
    return 0;
}
