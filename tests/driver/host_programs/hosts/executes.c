/* Is linked with the bundle of a model m, as C or C++: runs it on the tensors in argv[1], whose names
 * are the words from argv[3], and writes the outputs to argv[2]. */

#include "arrays.h"
#include "m.h"

static int fail(void)
{
    puts(m_last_error);
    return 1;
}

/* Read a tensor and copy it to an input. */
static int32_t set_input(struct m_executor *executor, const char *name, FILE *file)
{
    struct header read = read_header(file);
    struct tw_tensor tensor = {
        NULL, TW_CPU, 0, (int32_t)read.rank, (uint32_t)read.dtype, read.shape, NULL, 0};
    tensor.data = malloc(bytes_of(&tensor) + 1);
    read_elements(file, &tensor);
    int32_t status = m_set_input(executor, name, &tensor);
    free(tensor.data);
    return status;
}

int main(int argc, char **argv)
{
    struct m_executor *executor = m_create();
    struct tw_tensor outputs[MAX_TENSORS];
    const struct tw_tensor *output;
    int32_t count = 0, made = 0;
    if (executor == NULL)
        return fail();
    FILE *file = open_tensors(argv[1], &count);
    if (argc != 3 + count)
        return 2;
    for (int32_t at = 0; at < count; at++)
        if (set_input(executor, argv[3 + at], file) != 0)
            return fail();
    fclose(file);
    if (m_run(executor) != 0)
        return fail();
    while ((output = m_get_output(executor, made)) != NULL)
        outputs[made++] = *output;
    write_arrays(argv[2], outputs, made);
    m_destroy(executor);
    m_release();
    return 0;
}
