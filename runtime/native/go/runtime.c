/* The C runtime, which cgo compiles with the package. */

#include "../tilewright.c"
