/* Replaces parameters of the library argv[1]: by the names and tensors in the files argv[2] and argv[3],
 * or by the safetensors file argv[3] if argv[2] is "-"; runs it on argv[4], writes the outputs to
 * argv[5], and prints each parameter with its values as bytes, or the error. */

#include <string.h>

#include "tensors.h"

enum { MOST = 64 };

static void load_values(struct tw_module *module, const char *names_path, const char *path)
{
    static char names[MOST][128];
    const char *listed[MOST];
    struct tw_tensor_object *values[MOST];
    int32_t count = 0, read;
    FILE *file = fopen(names_path, "r"), *tensors = open_tensors(path, &read);
    while (file != NULL && count < read && fgets(names[count], sizeof *names, file) != NULL) {
        names[count][strcspn(names[count], "\n")] = 0;
        values[count] = read_tensor(tensors);
        listed[count] = names[count];
        count++;
    }
    fclose(file);
    fclose(tensors);
    int32_t status = tw_load_params(module, listed, values, count);
    release_all(values, count);
    check(status);
}

static void print_params(struct tw_module *module)
{
    int32_t count;
    check(tw_param_count(module, &count));
    for (int32_t at = 0; at < count; at++) {
        struct tw_param param;
        check(tw_describe_param(module, at, &param));
        struct tw_tensor_object *value = tw_get_param(module, param.name);
        printf("%s|%s|%d|", param.name, param.reason, (int)param.rank);
        for (size_t byte = 0; value != NULL && byte < bytes_of(&value->tensor); byte++)
            printf("%02x", ((unsigned char *)tw_data(value))[byte]);
        printf("%s\n", value == NULL ? strtok((char *)(uintptr_t)tw_error_message(), "\n") : "");
        tw_release(value);
    }
}

int main(int argc, char **argv)
{
    struct tw_tensor_object *inputs[MAX_TENSORS], *outputs[MAX_TENSORS];
    struct tw_module *module;
    int32_t taken, made;
    if (argc != 6)
        return 2;
    load_model(argv[1], &module);
    if (strcmp(argv[2], "-") == 0)
        check(tw_load_params_file(module, argv[3]));
    else
        load_values(module, argv[2], argv[3]);
    check(tw_verify(module));
    check(tw_module_counts(module, &taken, &made));
    int32_t count = read_tensors(argv[4], inputs);
    check(tw_module_run(module, inputs, count, outputs, made));
    write_tensors(argv[5], outputs, made);
    release_all(inputs, count);
    release_all(outputs, made);
    print_params(module);
    tw_unload(module);
    return 0;
}
