/* The interface between weights.c, which finds the weights of an exported library, and the export. */

#ifndef TILEWRIGHT_WEIGHTS_H
#define TILEWRIGHT_WEIGHTS_H

#include "entry.h"

/* What the export adds to a library. */
extern const char __tw_weights_header[];         /* the expected start of the weight file */
extern const char tw_weights_file[] TW_HIDDEN;   /* its name; empty if tw_weights_data has them */
extern const char tw_weights_data[] TW_HIDDEN;

#endif
