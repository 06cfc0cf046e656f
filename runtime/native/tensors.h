/* What sessions, executors and parameters ask of tensors, for a process once (tensors.c). */

#ifndef TILEWRIGHT_TENSORS_H
#define TILEWRIGHT_TENSORS_H

#include <stdbool.h>

#include "packed.h"

/* DLPack's type code and bits; the same as TW_DTYPE without lanes. */
#define TYPE(code, bits) ((code) | (bits) << 8)
enum { FLOAT16 = TYPE(2, 16), FLOAT32 = TYPE(2, 32), FLOAT64 = TYPE(2, 64), BFLOAT16 = TYPE(4, 16) };

/* Return the bytes of a tensor without gaps, or -1 for sizes that are negative or beyond 64 bits. */
int64_t tw_tensor_bytes(uint32_t dtype, int32_t rank, const int64_t *shape) TW_HIDDEN;

/* Return whether the elements of a tensor, if it has any, are row by row in CPU memory without gaps. */
bool tw_is_plain(const struct tw_tensor *tensor) TW_HIDDEN;

/* Write an element type and a shape, such as "float32[2, 3]", to `text`, of `room` bytes. */
void tw_write_type(char *text, int64_t room, uint32_t dtype, int64_t rank, const int64_t *shape)
    TW_HIDDEN;

#endif
