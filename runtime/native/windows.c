/* Functions of the C library that a library for Windows calls, and that its C library, msvcrt.dll,
 * has under other names. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Functions of msvcrt.dll. */
int _vsnprintf(char *text, size_t room, const char *format, va_list values);
void *_aligned_malloc(size_t bytes, size_t alignment);
void _aligned_free(void *block);

int snprintf(char *text, size_t room, const char *format, ...);
void *aligned_alloc(size_t alignment, size_t bytes);
void free(void *block);

/* Objects with floating-point code refer to it. */
extern int32_t _fltused;
int32_t _fltused = 1;

int snprintf(char *text, size_t room, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = _vsnprintf(text, room, format, values);
    va_end(values);
    if (length >= 0 && (size_t)length < room)
        return length;
    text[room - 1] = '\0'; /* a text that fills the room has no end */
    return (int)room;
}

void *aligned_alloc(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }

/* Blocks come from aligned_alloc only. */
void free(void *block) { _aligned_free(block); }
