/* Eight threads load the library argv[1], register functions and call the model on a worker pool. */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tilewright.h"

enum { THREADS = 8, CALLS = 200, ROWS = 64 };

static const char *path;
static const char *const names[THREADS] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* Return null, or the place of an error. */
static const char *work(const char *name)
{
    struct tw_module *module;
    struct tw_function run, again;
    struct tw_value result;
    int64_t shape[] = {ROWS, 8};
    float first[ROWS * 8];
    if (tw_load(path, &module) != 0 || tw_module_find(module, "main", &run) != 0)
        return "load";
    struct tw_tensor_object *x = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    struct tw_tensor_object *y = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    for (int at = 0; at < ROWS * 8; at++)
        ((float *)tw_data(x))[at] = (float)at / 64 + (float)name[0];
    struct tw_value args[] = {tw_of_tensor(x), tw_of_tensor(y)};
    struct tw_function own = {name, run.call, run.self};
    for (int call = 0; call < CALLS; call++) {
        if (tw_register(&own, 0) != 0 || tw_find(name, &again) != 0 || tw_remove(name) != 0)
            return "registry";
        if (tw_call(&again, args, 2, &result) != 0)
            return "call";
        if (call == 0)
            memcpy(first, tw_data(y), sizeof first);
        if (memcmp(first, tw_data(y), sizeof first) != 0)
            return "results differ";
    }
    tw_release(x);
    tw_release(y);
    tw_unload(module);
    return NULL;
}

static void *start(void *name)
{
    const char *broken = work(name);
    if (broken != NULL)
        printf("%s: %s\n", broken, tw_error_message());
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    struct tw_module *module;
    path = argv[argc - 1];
    if (tw_load(path, &module) != 0 || tw_set_threads(module, 2) != 0)
        return 1;
    for (int at = 0; at < THREADS; at++)
        (void)pthread_create(&threads[at], NULL, start, (void *)names[at]);
    for (int at = 0; at < THREADS; at++)
        (void)pthread_join(threads[at], NULL);
    tw_unload(module);
    return 0;
}
