/* Tensors in files: their number, then for each the dtype, the rank, the sizes (all int64) and the
 * elements. tests/driver/hosts.py reads and writes the same. */

#include <stdio.h>
#include <stdlib.h>

#include "tilewright.h"

enum { MAX_TENSORS = 16 };

static inline void check(int32_t status)
{
    if (status == 0)
        return;
    printf("%s: %s\n", tw_error_kind(), tw_error_message());
    exit(1);
}

static inline size_t bytes_of(const struct tw_tensor *tensor)
{
    size_t bytes = (tensor->dtype >> 8 & 255) / 8;
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        bytes *= (size_t)tensor->shape[axis];
    return bytes;
}

static inline struct tw_tensor_object *read_tensor(FILE *file)
{
    int64_t facts[2], shape[TW_MAX_RANK];
    if (fread(facts, sizeof *facts, 2, file) != 2 || facts[1] > TW_MAX_RANK)
        exit(2);
    if (fread(shape, sizeof *shape, (size_t)facts[1], file) != (size_t)facts[1])
        exit(2);
    struct tw_tensor_object *made =
        tw_tensor_new((uint32_t)facts[0], (int32_t)facts[1], shape, TW_CPU, 0);
    check(made == NULL ? -1 : 0);
    size_t bytes = bytes_of(&made->tensor);
    if (fread(tw_data(made), 1, bytes, file) != bytes)
        exit(2);
    return made;
}

static inline int32_t read_tensors(const char *path, struct tw_tensor_object **tensors)
{
    FILE *file = fopen(path, "rb");
    int64_t count;
    if (file == NULL || fread(&count, sizeof count, 1, file) != 1 || count > MAX_TENSORS)
        exit(2);
    for (int64_t at = 0; at < count; at++)
        tensors[at] = read_tensor(file);
    fclose(file);
    return (int32_t)count;
}

static inline void write_tensors(const char *path, struct tw_tensor_object *const *tensors, int32_t count)
{
    FILE *file = fopen(path, "wb");
    int64_t number = count;
    fwrite(&number, sizeof number, 1, file);
    for (int32_t at = 0; at < count; at++) {
        const struct tw_tensor *tensor = &tensors[at]->tensor;
        int64_t facts[2] = {tensor->dtype, tensor->rank};
        fwrite(facts, sizeof *facts, 2, file);
        fwrite(tensor->shape, sizeof *tensor->shape, (size_t)tensor->rank, file);
        fwrite(tw_data(tensors[at]), 1, bytes_of(tensor), file);
    }
    fclose(file);
}

static inline void release_all(struct tw_tensor_object *const *tensors, int32_t count)
{
    for (int32_t at = 0; at < count; at++)
        tw_release(tensors[at]);
}
