/* Texts of errors. */

#ifndef TILEWRIGHT_MESSAGES_H
#define TILEWRIGHT_MESSAGES_H

#include <stdio.h>

/* The kinds of errors that every host of the ABI knows. */
#define TYPE_ERROR "TypeError"
#define VALUE_ERROR "ValueError"
#define MEMORY_ERROR "MemoryError"
#define RUNTIME_ERROR "RuntimeError"
#define INDEX_ERROR "IndexError"

/* Append to a text of `room` bytes, of which `length` are in use; return the new length. */
#define APPEND(text, room, length, ...)                                                            \
    (length < room ? length + snprintf(text + length, (size_t)(room - length), __VA_ARGS__) : length)

#endif
