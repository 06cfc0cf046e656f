/* Runs the model argv[1] on a pool of the program, and the decoder argv[2] in a session per thread. */

#include <pthread.h>
#include <string.h>

#include "tensors.h"

enum { THREADS = 8, STEPS = 20 };

/* ---- a pool: a new thread for each worker of a loop ------------------------------------------ */

struct loop {
    tw_task *fn;
    void *args;
    int64_t next, tasks;
};

struct worker {
    struct loop *loop;
    int64_t number;
};

static int64_t tasks_run;

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct loop *loop = worker->loop;
    for (;;) {
        int64_t task = __atomic_fetch_add(&loop->next, 1, __ATOMIC_SEQ_CST);
        if (task >= loop->tasks)
            return NULL;
        loop->fn(loop->args, task, worker->number);
        __atomic_fetch_add(&tasks_run, 1, __ATOMIC_SEQ_CST);
    }
}

static int32_t run_loop(tw_task *fn, void *args, int64_t tasks, int32_t threads)
{
    struct loop loop = {fn, args, 0, tasks};
    struct worker workers[THREADS];
    pthread_t started[THREADS];
    int32_t count = threads < THREADS ? threads : THREADS;
    for (int32_t at = 0; at < count; at++) {
        workers[at] = (struct worker){&loop, at};
        (void)pthread_create(&started[at], NULL, work, &workers[at]);
    }
    for (int32_t at = 0; at < count; at++)
        (void)pthread_join(started[at], NULL);
    return 0;
}

static void use_own_pool(const char *path)
{
    struct tw_module *module;
    struct tw_tensor_object *x, *results[2];
    int64_t shape[] = {256, 128};
    check(tw_load(path, &module));
    x = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    for (int n = 0; n < 256 * 128; n++)
        ((float *)tw_data(x))[n] = (float)(n % 97) / 97;
    check(tw_module_run(module, &x, 1, &results[0], 1));
    check(tw_set_threads(module, 2));
    check(tw_set_pool(module, run_loop));
    check(tw_module_run(module, &x, 1, &results[1], 1));
    size_t bytes = bytes_of(&results[0]->tensor);
    printf("pool: %s, %s\n", tasks_run > 1 ? "used" : "unused",
        memcmp(tw_data(results[0]), tw_data(results[1]), bytes) == 0 ? "equal" : "different");
    check(tw_set_pool(module, NULL));
    release_all(results, 2);
    tw_release(x);
    tw_unload(module);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static struct tw_module *decoder;

/* Decode steps of one row, and store the last output. */
static void *decode(void *last)
{
    struct tw_session session;
    int64_t shape[] = {1, 1, 32};
    check(tw_session_begin(decoder, NULL, 0, &session));
    struct tw_tensor_object *x = tw_tensor_new(TW_FLOAT32, 3, shape, TW_CPU, 0), *y;
    for (int step = 0; step < STEPS; step++) {
        for (int n = 0; n < 32; n++)
            ((float *)tw_data(x))[n] = (float)((n + step) % 7) / 8;
        if (step % 10 == 9)
            check(tw_session_rewind(&session, 5));
        check(tw_session_run(&session, &x, 1, &y, 1));
        memcpy(last, tw_data(y), 32 * sizeof(float));
        tw_release(y);
        if (step == 10)
            check(tw_session_reset(&session));
    }
    tw_release(x);
    tw_session_end(&session);
    return NULL;
}

int main(int argc, char **argv)
{
    static float last[THREADS][32];
    pthread_t threads[THREADS];
    if (argc != 3)
        return 2;
    use_own_pool(argv[1]);
    check(tw_load(argv[2], &decoder));
    check(tw_set_threads(decoder, 2));
    for (int at = 0; at < THREADS; at++)
        (void)pthread_create(&threads[at], NULL, decode, last[at]);
    for (int at = 0; at < THREADS; at++)
        (void)pthread_join(threads[at], NULL);
    for (int at = 1; at < THREADS; at++)
        if (memcmp(last[0], last[at], sizeof last[0]) != 0)
            printf("thread %d differs\n", at);
    tw_unload(decoder);
    return 0;
}
