/* The processor of a program that has code for several: a number, which main reads at each call. */

#ifndef TILEWRIGHT_PROCESSOR_H
#define TILEWRIGHT_PROCESSOR_H

#include <stdint.h>

#include "packed.h"

enum { TW_EAX, TW_EBX, TW_ECX, TW_EDX, TW_XCR0 };

/* Bits that a processor sets in one register: CPUID with a leaf and a subleaf writes the register;
 * XGETBV reads XCR0. */
struct tw_mask {
    int32_t processor;
    uint32_t leaf, subleaf, place, mask;
};

/* The masks of the processors 1, 2, … in this order, then a row with the processor 0. The tables of
 * the model define them. */
extern const struct tw_mask tw_processor_masks[] TW_HIDDEN;

/* The number of the processor whose code runs, or -1 before it is known. A host may store the
 * number of a processor with fewer features before the first call. */
extern int32_t __tw_processor;

/* Return the largest number of a processor all of whose bits this machine sets, or 0. */
int32_t tw_processor(void) TW_HIDDEN;

#endif
