/* Tensors of the C runtime in files. */

#include "arrays.h"
#include "tilewright.h"
#ifdef LINKED /* the model is linked with the program, which then uses no path */
#include "m.h"
#endif

static inline void check(int32_t status)
{
    if (status == 0)
        return;
    printf("%s: %s\n", tw_error_kind(), tw_error_message());
    exit(1);
}

static inline void load_model(const char *path, struct tw_module **module)
{
#ifdef LINKED
    (void)path;
    check(tw_load_linked(m_symbols, module));
#else
    check(tw_load(path, module));
#endif
}

static inline struct tw_tensor_object *read_tensor(FILE *file)
{
    struct header read = read_header(file);
    struct tw_tensor_object *made =
        tw_tensor_new((uint32_t)read.dtype, (int32_t)read.rank, read.shape, TW_CPU, 0);
    check(made == NULL ? -1 : 0);
    read_elements(file, &made->tensor);
    return made;
}

static inline int32_t read_tensors(const char *path, struct tw_tensor_object **tensors)
{
    int32_t count;
    FILE *file = open_tensors(path, &count);
    for (int32_t at = 0; at < count; at++)
        tensors[at] = read_tensor(file);
    fclose(file);
    return count;
}

static inline void write_tensors(const char *path, struct tw_tensor_object *const *tensors, int32_t count)
{
    struct tw_tensor written[MAX_TENSORS];
    for (int32_t at = 0; at < count; at++)
        written[at] = tensors[at]->tensor;
    write_arrays(path, written, count);
}

static inline void release_all(struct tw_tensor_object *const *tensors, int32_t count)
{
    for (int32_t at = 0; at < count; at++)
        tw_release(tensors[at]);
}
