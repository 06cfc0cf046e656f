/* Is linked with the object of a model m, as C or C++: calls it on the tensors in argv[1], and writes
 * all that the call fills to argv[2]. */

#include "arrays.h"
#include "m.h"

/* Allocate the elements of a tensor. */
static void allocate(struct tw_tensor *tensor)
{
    tensor->data = calloc(1, bytes_of(tensor) + 1);
    if (tensor->data == NULL)
        exit(2);
}

/* Read the inputs; their sizes stay in `headers`. */
static void read_inputs(const char *path, struct tw_tensor *tensors, struct header *headers)
{
    int32_t count;
    FILE *file = open_tensors(path, &count);
    if (count != M_INPUTS)
        exit(2);
    for (int32_t at = 0; at < count; at++) {
        headers[at] = read_header(file);
        tensors[at] = m_tensor(at, NULL, headers[at].shape);
        allocate(&tensors[at]);
        read_elements(file, &tensors[at]);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    struct tw_tensor tensors[M_ARGUMENTS];
    struct header headers[M_INPUTS];
    int64_t sizes[M_SIZES], *shape = sizes;
    if (argc != 3)
        return 2;
    read_inputs(argv[1], tensors, headers);
    if (m_shapes(tensors, sizes) != 0)
        return puts(m_last_error), 1;
    for (int32_t at = M_INPUTS; at < M_ARGUMENTS; at++) {
        tensors[at] = m_tensor(at, NULL, shape);
        shape += tensors[at].rank;
        allocate(&tensors[at]);
    }
    if (m_call(tensors) != 0)
        return puts(m_last_error), 1;
    write_arrays(argv[2], tensors + M_INPUTS, M_ARGUMENTS - M_INPUTS);
    for (int32_t at = 0; at < M_ARGUMENTS; at++)
        free(tensors[at].data);
    m_release();
    return 0;
}
