/* The conversions of snprintf that the parts of a program without a C library use.
 *
 * One LLVM IR serves addresses of all widths: no constant is the size of an address or of a `size_t`.
 */

#include "print.h"

/* A text of limited length, to which the conversions of snprintf append. */
struct text {
    char *start;
    int64_t room, length;
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

int tw_print(char *start, int64_t room, const char *format, const int64_t *values)
{
    struct text text = {start, room, 0};
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            append(&text, *format);
            continue;
        }
        int64_t most = INT64_MAX;
        bool is_long = false;
        for (format++; !ends_conversion(*format); format++) {
            if (*format == '.')
                most = 0;
            if (*format >= '0' && *format <= '9')
                most = most * 10 + (*format - '0');
            is_long = is_long || *format == 'l';
        }
        if (*format == 's') {
            const char *value = (const char *)(intptr_t)*values++;
            for (int64_t index = 0; index < most && value[index] != '\0'; index++)
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
