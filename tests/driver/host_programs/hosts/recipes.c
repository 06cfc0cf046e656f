/* Replays recipes without a library: the manifest in argv[1], the names and tensors of new values in
 * argv[2] and argv[3], the packed weights in argv[4], which the result replaces. Prints each parameter
 * that the new weights contain as bytes. */

#include "tilewright.c"

#include "tensors.h"

enum { MOST_BYTES = 1 << 22, MOST = 64 };

static size_t read_file(const char *path, char *data)
{
    FILE *file = fopen(path, "rb");
    size_t bytes = file == NULL ? 0 : fread(data, 1, MOST_BYTES - 1, file);
    data[bytes] = 0;
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    static char manifest[MOST_BYTES], names[MOST_BYTES], weights[MOST_BYTES];
    static const char *listed[MOST];
    struct tw_tensor_object *values[MOST];
    const struct tw_tensor *tensors[MOST];
    if (argc != 5)
        return 2;
    read_file(argv[1], manifest);
    read_file(argv[2], names);
    size_t bytes = read_file(argv[4], weights);
    void *slot = weights;
    struct tw_module module = {.path = "recipes", .manifest = manifest};
    const int32_t running = 0;
    module.parts = calloc(1, sizeof *module.parts);
    module.parts->running = &running;
    module.part_count = 1;
    check(read_part(&module, manifest, &slot, module.parts));
    int32_t count = read_tensors(argv[3], values);
    char *name = strtok(names, "\n");
    for (int32_t at = 0; at < count; at++, name = strtok(NULL, "\n")) {
        listed[at] = name;
        tensors[at] = &values[at]->tensor;
    }
    struct new_values new = {listed, tensors, count};
    check(load_values(&module, &new));
    FILE *file = fopen(argv[4], "wb");
    fwrite(slot, 1, bytes, file);
    fclose(file);
    for (int32_t at = 0; at < module.parts[0].param_count; at++) {
        struct tw_tensor_object *value = tw_get_param(&module, module.parts[0].params[at].name);
        printf("%s|", module.parts[0].params[at].name);
        for (size_t byte = 0; value != NULL && byte < bytes_of(&value->tensor); byte++)
            printf("%02x", ((unsigned char *)tw_data(value))[byte]);
        printf("\n");
        tw_release(value);
    }
    release_all(values, count);
    free_params(&module);
    return 0;
}
