/* Tensors in files, for programs with and without the C runtime: their number, then for each the
 * dtype, the rank, the sizes (all int64) and the elements. tests/driver/host_programs/hosts.py reads
 * and writes the same. */

#ifndef ARRAYS_H
#define ARRAYS_H

#include <stdio.h>
#include <stdlib.h>

#include "packed.h"

enum { MAX_TENSORS = 64, MAX_RANK = 8 };

/* The element type and the sizes of a tensor in a file. */
struct header {
    int64_t dtype, rank, shape[MAX_RANK];
};

static inline size_t bytes_of(const struct tw_tensor *tensor)
{
    size_t bytes = ((tensor->dtype >> 8 & 255) + 7) / 8;
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        bytes *= (size_t)tensor->shape[axis];
    return bytes;
}

/* Open a file of tensors and read their number. */
static inline FILE *open_tensors(const char *path, int32_t *count)
{
    FILE *file = fopen(path, "rb");
    int64_t number = 0;
    if (file == NULL || fread(&number, sizeof number, 1, file) != 1 || number > MAX_TENSORS)
        exit(2);
    *count = (int32_t)number;
    return file;
}

static inline struct header read_header(FILE *file)
{
    struct header read;
    if (fread(&read, sizeof(int64_t), 2, file) != 2 || read.rank > MAX_RANK)
        exit(2);
    if (fread(read.shape, sizeof(int64_t), (size_t)read.rank, file) != (size_t)read.rank)
        exit(2);
    return read;
}

static inline void read_elements(FILE *file, const struct tw_tensor *tensor)
{
    size_t bytes = bytes_of(tensor);
    if (fread((char *)tensor->data + tensor->byte_offset, 1, bytes, file) != bytes)
        exit(2);
}

static inline void write_arrays(const char *path, const struct tw_tensor *tensors, int32_t count)
{
    FILE *file = fopen(path, "wb");
    int64_t number = count;
    fwrite(&number, sizeof number, 1, file);
    for (int32_t at = 0; at < count; at++) {
        const struct tw_tensor *tensor = &tensors[at];
        int64_t facts[2] = {tensor->dtype, tensor->rank};
        fwrite(facts, sizeof *facts, 2, file);
        fwrite(tensor->shape, sizeof *tensor->shape, (size_t)tensor->rank, file);
        fwrite((const char *)tensor->data + tensor->byte_offset, 1, bytes_of(tensor), file);
    }
    fclose(file);
}

#endif
