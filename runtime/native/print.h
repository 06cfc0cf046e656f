/* The conversions of snprintf for programs without a C library. */

#ifndef TILEWRIGHT_PRINT_H
#define TILEWRIGHT_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "packed.h"

/* Print as snprintf does, with arguments in an array of words. The conversions are %s, %.600s, %d,
 * %lld, %llu and %#llx. */
int tw_print(char *start, int64_t room, const char *format, const int64_t *values) TW_HIDDEN;

/* Return whether a letter ends a conversion. */
static inline bool ends_conversion(char letter)
{
    return letter == 's' || letter == 'd' || letter == 'u' || letter == 'x';
}

#endif
