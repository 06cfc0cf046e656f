/* The operations on pointers of any width. They are no functions: tests/codegen/native.py writes each call
 * as an instruction of LLVM, which takes the width from the data layout. */

#ifndef TILEWRIGHT_WIDTH_H
#define TILEWRIGHT_WIDTH_H

#include <stdint.h>

#include "packed.h"

/* Return the largest number that a pointer has room for. */
uint64_t tw_most_bytes(void) TW_HIDDEN;

/* Store a pointer; return the one before it. The calling thread acquires what the memory of that one
 * contains, and releases the memory of the new one. */
void *tw_exchange(void **slot, void *value) TW_HIDDEN;

#endif
