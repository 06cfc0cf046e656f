/* Calls a model of one 4x8 input with random arguments; each call works or names what is wrong. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilewright.h"

enum { CALLS = 20000 };

static uint64_t state = 88172645463325252u;

static int pick(int count)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)count);
}

static struct tw_tensor_object *random_tensor(struct tw_tensor_object *whole)
{
    static const uint32_t dtypes[] = {TW_FLOAT32, TW_FLOAT32, TW_FLOAT64, TW_INT64, TW_UINT8};
    int64_t sizes[3] = {4, 8, 1}, strides[3] = {8, 1, 1};
    if (pick(3) == 0)
        sizes[pick(3)] = pick(12) - 1;
    if (pick(3) == 0)
        strides[pick(3)] = pick(40) - 20;
    int32_t rank = pick(4) ? 2 : pick(5) - 1;
    if (pick(2))
        return tw_tensor_view(whole, rank, sizes, strides, pick(300) - 40);
    return tw_tensor_new(dtypes[pick(5)], rank, sizes, TW_CPU + (pick(9) == 0), 0);
}

static void fail(const char *what)
{
    printf("%s: %s: %s\n", what, tw_error_kind(), tw_error_message());
    exit(1);
}

/* Every refusal has a kind, and names what is expected and what it got. */
static void check_error(void)
{
    const char *message = tw_error_message();
    if (!*tw_error_kind() || !strstr(message, "expected:") || !strstr(message, "got:"))
        fail("an error without expected and got");
}

static struct tw_value random_value(struct tw_tensor_object *tensor)
{
    struct tw_value none = {TW_NONE, 0, {0}};
    switch (tensor == NULL ? pick(3) : 3 + pick(2)) {
    case 0: return none;
    case 1: return tw_of_int(pick(100));
    case 2: return tw_of_float(pick(100));
    default: return tw_of_tensor(tensor);
    }
}

int main(int argc, char **argv)
{
    struct tw_module *module;
    struct tw_function run;
    int64_t sizes[] = {256};
    int worked = 0, refused = 0;
    struct tw_tensor_object *whole = tw_tensor_new(TW_FLOAT32, 1, sizes, TW_CPU, 0);
    if (argc != 2 || tw_load(argv[1], &module) || tw_module_find(module, "main", &run))
        fail("load");
    memset(tw_data(whole), 0, 256 * sizeof(float));
    for (int call = 0; call < CALLS; call++) {
        struct tw_tensor_object *made[4] = {0};
        struct tw_value args[4], result;
        int count = pick(4) ? 2 : pick(5);
        for (int at = 0; at < count; at++) {
            tw_clear_error();
            made[at] = pick(12) ? random_tensor(whole) : NULL;
            if (made[at] == NULL && *tw_error_kind())
                check_error();
            if (made[at] != NULL && made[at]->tensor.data != NULL && pick(2))
                (void)tw_tensor_copy(&made[at]->tensor, &made[at]->tensor);
            args[at] = random_value(made[at]);
        }
        if (tw_call(&run, args, count, &result) == 0) {
            worked++;
        } else {
            check_error();
            refused++;
        }
        for (int at = 0; at < count; at++)
            tw_release(made[at]);
    }
    tw_release(whole);
    tw_unload(module);
    printf("%s\n", worked > 100 && refused > 1000 ? "both" : "one kind of outcome only");
    return 0;
}
