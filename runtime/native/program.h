/* The interface between the start of a static program (start.c), the export and its main function
 * (program.c). */

#ifndef TILEWRIGHT_PROGRAM_H
#define TILEWRIGHT_PROGRAM_H

#include "packed.h"

/* Run the model on files; return the exit code. */
int tw_program(int argc, char **argv) TW_HIDDEN;

/* What the export adds: the names of the processors that the program has code for, each with a NUL
 * at its end. */
extern const char tw_processors[] TW_HIDDEN;

/* What the export adds: 1 if the code uses the tile registers of AMX, else 0. */
extern const int32_t tw_uses_tiles[] TW_HIDDEN;

/* What the export adds: the order of the bytes of numbers, '<' from the lowest on, else '>'. */
extern const char tw_byte_order[] TW_HIDDEN;

#endif
