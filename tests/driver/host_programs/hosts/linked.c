/* Is linked with a library; argv[1] and argv[2] are input and output. */

#include "host.h"

tw_packed_function __tvm_ffi_main;
extern const char __tw_last_error[];

int main(int argc, char **argv)
{
    int status = argc == 3 ? run_file(__tvm_ffi_main, argv[1], argv[2]) : 1;
    if (status != 0)
        puts(__tw_last_error);
    return status == 0 ? 0 : 2;
}
