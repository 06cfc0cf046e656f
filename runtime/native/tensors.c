/* What sessions, executors and parameters ask of tensors; tensors.h describes the functions. */

#include "tensors.h"

#include <stddef.h>
#include <stdio.h>

/* Names of element types, which numpy and ml_dtypes give them, and in safetensors files. */
static const struct {
    char name[20], tag[8];
    uint32_t dtype;
} DTYPES[] = {
    {"int8", "I8", TYPE(0, 8)}, {"int16", "I16", TYPE(0, 16)}, {"int32", "I32", TYPE(0, 32)},
    {"int64", "I64", TYPE(0, 64)}, {"uint8", "U8", TYPE(1, 8)}, {"uint16", "U16", TYPE(1, 16)},
    {"uint32", "U32", TYPE(1, 32)}, {"uint64", "U64", TYPE(1, 64)}, {"float16", "F16", FLOAT16},
    {"float32", "F32", FLOAT32}, {"float64", "F64", FLOAT64}, {"bfloat16", "BF16", BFLOAT16},
    {"complex64", "", TYPE(5, 64)}, {"complex128", "", TYPE(5, 128)}, {"bool", "BOOL", TYPE(6, 8)},
    {"float8_e3m4", "", TYPE(7, 8)}, {"float8_e4m3", "", TYPE(8, 8)},
    {"float8_e4m3b11fnuz", "", TYPE(9, 8)}, {"float8_e4m3fn", "F8_E4M3", TYPE(10, 8)},
    {"float8_e4m3fnuz", "", TYPE(11, 8)}, {"float8_e5m2", "F8_E5M2", TYPE(12, 8)},
    {"float8_e5m2fnuz", "", TYPE(13, 8)}, {"float8_e8m0fnu", "", TYPE(14, 8)},
    {"float6_e2m3fn", "", TYPE(15, 6)}, {"float6_e3m2fn", "", TYPE(16, 6)},
    {"float4_e2m1fn", "", TYPE(17, 4)}, {"int2", "", TYPE(0, 2)}, {"int4", "", TYPE(0, 4)},
    {"uint2", "", TYPE(1, 2)}, {"uint4", "", TYPE(1, 4)},
};
enum { DTYPE_COUNT = sizeof DTYPES / sizeof *DTYPES };

static const char *dtype_name(uint32_t dtype)
{
    for (size_t at = 0; at < DTYPE_COUNT; at++)
        if (DTYPES[at].dtype == (dtype & 0xffff) && dtype >> 16 <= 1)
            return DTYPES[at].name;
    return "another type";
}

int64_t tw_tensor_bytes(uint32_t dtype, int32_t rank, const int64_t *shape)
{
    int64_t bytes = ((dtype >> 8 & 255) + 7) / 8;
    for (int32_t axis = 0; axis < rank; axis++)
        if (shape[axis] < 0 || __builtin_mul_overflow(bytes, shape[axis], &bytes))
            return -1;
    return bytes;
}

bool tw_is_plain(const struct tw_tensor *tensor)
{
    bool is_row_major = true;
    uint64_t step = 1;
    for (int32_t axis = tensor->rank - 1; axis >= 0; axis--) {
        bool is_step = tensor->strides == NULL || (uint64_t)tensor->strides[axis] == step;
        is_row_major = is_row_major && (is_step || tensor->shape[axis] == 1);
        step *= (uint64_t)tensor->shape[axis];
    }
    return tensor->device_type == TW_CPU && (is_row_major || step == 0);
}

void tw_write_type(char *text, int64_t room, uint32_t dtype, int64_t rank, const int64_t *shape)
{
    int64_t length = snprintf(text, (size_t)room, "%s[", dtype_name(dtype));
    for (int64_t axis = 0; axis < rank && length < room; axis++)
        length += snprintf(text + length, (size_t)(room - length), "%s%lld", axis == 0 ? "" : ", ",
            (long long)shape[axis]);
    if (length < room)
        snprintf(text + length, (size_t)(room - length), "]");
}
