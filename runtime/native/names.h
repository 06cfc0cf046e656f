/* How different two names are: for errors that suggest a known name. Needs no libc. */

#ifndef TILEWRIGHT_NAMES_H
#define TILEWRIGHT_NAMES_H

#include <stddef.h>

/* The longest name of a registered function. */
enum { MAX_NAME = 63 };

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Return the number of bytes to insert, remove or replace to make one name of the other. Longer
 * names than MAX_NAME have the distance of unlike ones. */
static size_t distance(const char *lhs, const char *rhs)
{
    size_t row[MAX_NAME + 1], width = length_of(rhs);
    if (width > MAX_NAME || length_of(lhs) > MAX_NAME)
        return MAX_NAME;
    for (size_t column = 0; column <= width; column++)
        row[column] = column;
    for (; *lhs != 0; lhs++) {
        size_t corner = row[0]++;
        for (size_t column = 0; column < width; column++) {
            size_t best = corner + (*lhs != rhs[column]);
            corner = row[column + 1];
            best = corner + 1 < best ? corner + 1 : best;
            row[column + 1] = row[column] + 1 < best ? row[column] + 1 : best;
        }
    }
    return row[width];
}

#endif
