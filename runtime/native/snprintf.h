/* The definition of snprintf, for code without a C library. */

#ifndef TILEWRIGHT_SNPRINTF_H
#define TILEWRIGHT_SNPRINTF_H

#include <stdarg.h>
#include <stddef.h>

#include "print.h"

/* Convert the arguments to words by the conversions of the format. */
int snprintf(char *restrict start, size_t room, const char *restrict format, ...)
{
    enum { MOST_ARGUMENTS = 32 };
    int64_t values[MOST_ARGUMENTS];
    int count = 0;
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at != '\0' && count < MOST_ARGUMENTS; at++) {
        if (*at != '%')
            continue;
        bool is_long = false;
        for (at++; !ends_conversion(*at); at++)
            is_long = is_long || *at == 'l';
        if (*at == 's')
            values[count++] = (intptr_t)va_arg(arguments, const char *);
        else
            values[count++] = is_long ? va_arg(arguments, long long) : va_arg(arguments, int);
    }
    va_end(arguments);
    return tw_print(start, (int64_t)room, format, values);
}

#endif
