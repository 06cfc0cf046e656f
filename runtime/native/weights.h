/* The interface between the entry code and the weights of an exported library. */

#ifndef TILEWRIGHT_WEIGHTS_H
#define TILEWRIGHT_WEIGHTS_H

#include "entry.h"

/* What the export adds to a library. */
extern const char __tw_weights_header[];         /* the expected start of the weight file */
extern const char tw_weights_file[] TW_HIDDEN;   /* its name; empty if tw_weights_data has them */
extern const char tw_weights_data[] TW_HIDDEN;

/* Load the weights, unless they are loaded; return 0, or -1 after reporting an error. The entry has
 * a weak one for code that is not exported, which reports that the weights are missing. */
int32_t __tw_load_weights(void);

/* Unmap the weight file: when the module is unloaded. */
void tw_unload_weights(void) TW_HIDDEN;

/* Report an error to the host. Return -1. */
int32_t tw_fail(const char *kind, const char message[TW_MESSAGE_BYTES]) TW_HIDDEN;

#endif
