/* The conversions of snprintf that the parts of a program without a C library use. */

#include <stdarg.h>
#include <stdbool.h>

#include "print.h"

/* A text of limited length, to which the conversions of snprintf append. */
struct text {
    char *start;
    size_t room, length;
};

static void append(struct text *text, char letter)
{
    if (text->length + 1 < text->room)
        text->start[text->length] = letter;
    text->length++;
}

static void append_number(struct text *text, unsigned long long value, unsigned base)
{
    char digits[24];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (count > 0)
        append(text, digits[--count]);
}

static void append_signed(struct text *text, long long value)
{
    if (value < 0)
        append(text, '-');
    append_number(text, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, 10);
}

static bool is_conversion(char letter)
{
    return letter == 's' || letter == 'd' || letter == 'u' || letter == 'x';
}

int tw_print(char *start, size_t room, const char *format, const int64_t *values)
{
    struct text text = {start, room, 0};
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            append(&text, *format);
            continue;
        }
        size_t most = SIZE_MAX;
        bool is_long = false;
        for (format++; !is_conversion(*format); format++) {
            if (*format == '.')
                most = 0;
            if (*format >= '0' && *format <= '9')
                most = most * 10 + (size_t)(*format - '0');
            is_long = is_long || *format == 'l';
        }
        if (*format == 's') {
            const char *value = (const char *)(intptr_t)*values++;
            for (size_t index = 0; index < most && value[index] != '\0'; index++)
                append(&text, value[index]);
        } else if (*format == 'd') {
            append_signed(&text, is_long ? *values : (int)*values);
            values++;
        } else if (*format == 'u') {
            append_number(&text, (uint64_t)*values++, 10);
        } else {
            append(&text, '0');
            append(&text, 'x');
            append_number(&text, (uint64_t)*values++, 16);
        }
    }
    if (room > 0)
        start[text.length < room ? text.length : room - 1] = '\0';
    return (int)text.length;
}

#if UINTPTR_MAX == UINT32_MAX

/* The assembly of 64-bit machines (start-*.S) puts the arguments of snprintf into an array of words.
 * On 32-bit machines the size of an argument depends on its conversion. */
int snprintf(char *restrict start, size_t room, const char *restrict format, ...)
{
    enum { MOST_ARGUMENTS = 16 };
    int64_t values[MOST_ARGUMENTS];
    int count = 0;
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at != '\0' && count < MOST_ARGUMENTS; at++) {
        if (*at != '%')
            continue;
        bool is_long = false;
        for (at++; !is_conversion(*at); at++)
            is_long = is_long || *at == 'l';
        if (*at == 's')
            values[count++] = (intptr_t)va_arg(arguments, const char *);
        else
            values[count++] = is_long ? va_arg(arguments, long long) : va_arg(arguments, int);
    }
    va_end(arguments);
    return tw_print(start, room, format, values);
}

#endif
