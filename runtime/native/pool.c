/* Worker pool: the calling thread and helper threads run one parallel loop at a time.
 *
 * A launch from inside a task, or while another thread's launch is running, runs its tasks in the
 * calling thread as worker 0. It never waits for the pool, so it cannot deadlock.
 *
 * Protocol of one launch. The launcher takes `busy`, writes the loop into `job`, publishes `job` in
 * `current` and adds 1 to `epoch`. A helper that sees a new epoch first increments `active`, then
 * reads `current`. Either the helper reads null and leaves, or the launcher sees the helper in
 * `active` and waits. When no task is left, the launcher clears `current` and waits until `active`
 * is 0. After that no helper reads `job`, and every claimed task has returned.
 *
 * Memory order. "Increment, then read" (helper) against "clear, then read the count" (launcher) is
 * correct only if all threads agree on one order of these four accesses. Acquire and release do not
 * give such an order, so all accesses to the shared words are sequentially consistent, except where
 * a comment says why a weaker one is enough. `job` and the ends of `shares` are plain memory: the
 * store to `current` happens after the launcher writes them, and a helper reads them after it reads
 * `current`.
 *
 * Threads first spin (about 100 us, because a model launches loops back to back, some separated by
 * a kernel of one task, and waking a sleeper takes 20 us or more), then wait on a futex. Helper w
 * waits with bit w, so a launch for few threads wakes few. Helpers are detached threads, created
 * when a launch first needs them. If the system refuses, the other threads do the work.
 */

#define _GNU_SOURCE /* syscall */

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "machine.h"
#include "pool.h"

/* The sequentially consistent accesses, by GCC's and clang's built-in functions: C99 has none. */
#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define STORE(word, value) __atomic_store_n(&(word), (value), __ATOMIC_SEQ_CST)
#define FETCH_ADD(word, value) __atomic_fetch_add(&(word), (value), __ATOMIC_SEQ_CST)
#define FETCH_SUB(word, value) __atomic_fetch_sub(&(word), (value), __ATOMIC_SEQ_CST)

/* Keeps words that different threads write in different cache lines. */
#define OWN_LINE __attribute__((aligned(64)))

enum { MAX_THREADS = 64 };

struct job {
    tw_task *fn;
    void *args;
    int64_t tasks;
    int32_t threads;
};

struct share {
    int64_t next; /* the first task that no worker has claimed */
    int64_t end;
} OWN_LINE;

static struct job job OWN_LINE;
static struct share shares[MAX_THREADS];
static struct job *current OWN_LINE; /* &job while a loop runs */
static int32_t active OWN_LINE;      /* number of helpers that may read job */
static int32_t epoch OWN_LINE;       /* launches so far; idle helpers wait on it */
static int32_t sleepers OWN_LINE;    /* helpers in or near a futex wait on epoch */
static int32_t draining OWN_LINE;    /* 1 while the launcher sleeps on active */
static int32_t busy OWN_LINE;        /* 1 while a loop runs */
static int32_t helpers;              /* helpers created so far; guarded by busy */

/* Sleep if the word still has this value, until a wake-up with a common bit. */
static void futex_wait(int32_t *word, int32_t value, uint32_t bits)
{
    (void)syscall(tw_futex_number(), word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value, NULL, NULL, bits);
}

/* Wake every sleeper that shares a bit. */
static void futex_wake(int32_t *word, uint32_t bits)
{
    int32_t all = INT_MAX;
    (void)syscall(tw_futex_number(), word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, all, NULL, NULL, bits);
}

/* Claim and run the tasks of one share until none is left. */
static void work_on(struct share *share, int64_t worker)
{
    tw_task *fn = job.fn;
    void *args = job.args;
    int64_t end = share->end;
    /* A relaxed read first avoids moving the cache line of an exhausted share. It may be stale:
     * only the claim decides. */
    while (__atomic_load_n(&share->next, __ATOMIC_RELAXED) < end) {
        int64_t task = FETCH_ADD(share->next, 1);
        if (task >= end)
            return;
        fn(args, task, worker);
    }
}

/* Run tasks until none is left: first of the worker's own share, then of the next shares. */
static void work(int32_t worker)
{
    int32_t threads = job.threads;
    int32_t owner = worker;
    for (int32_t visited = 0; visited < threads; visited++) {
        work_on(&shares[owner], worker);
        owner = owner + 1 < threads ? owner + 1 : 0;
    }
}

/* Assign each thread its share of the tasks. */
static void deal(int64_t tasks, int32_t threads)
{
    int64_t first = 0;
    for (int32_t worker = 0; worker < threads; worker++) {
        int64_t end = (int64_t)((uint64_t)tasks * ((uint64_t)worker + 1) / (uint64_t)threads);
        shares[worker].end = end;
        STORE(shares[worker].next, first);
        first = end;
    }
}

/* Return the bit of a worker in futex masks; workers from 31 on share the last bit. */
static uint32_t bit_of(int32_t worker) { return 1u << (worker < 31 ? worker : 31); }

/* The time that a thread has spun. */
struct spin {
    uint64_t start;
    uint64_t now;
};

static void start_spinning(struct spin *spin)
{
    spin->start = spin->now = tw_ticks_after(UINT64_MAX);
}

/* Take one turn of a spin loop; return false once it is time to sleep. */
static bool keep_spinning(struct spin *spin)
{
    tw_relax();
    spin->now = tw_ticks_after(spin->now);
    return spin->now - spin->start < tw_spin_ticks();
}

/* Sleep until epoch differs from `seen`; return the new value. */
static int32_t sleep_until_epoch(int32_t seen, uint32_t bit)
{
    FETCH_ADD(sleepers, 1);
    /* Read epoch again after the increment: either the launcher sees this sleeper, or the new epoch
     * is visible here. */
    int32_t now;
    while ((now = LOAD(epoch)) == seen)
        futex_wait(&epoch, seen, bit);
    FETCH_SUB(sleepers, 1);
    return now;
}

/* Wait until epoch differs from `seen`; return the new value. */
static int32_t await_epoch(int32_t seen, uint32_t bit)
{
    struct spin spin;
    start_spinning(&spin);
    int32_t now;
    while ((now = LOAD(epoch)) == seen)
        if (!keep_spinning(&spin))
            return sleep_until_epoch(seen, bit);
    return now;
}

/* Join the loop that runs, if any and if it wants this worker. */
static void help(int32_t worker)
{
    FETCH_ADD(active, 1);
    struct job *wanted = LOAD(current);
    if (wanted != NULL && worker < wanted->threads)
        work(worker);
    bool is_last = FETCH_SUB(active, 1) == 1;
    if (is_last && LOAD(draining))
        futex_wake(&active, FUTEX_BITSET_MATCH_ANY);
}

/* Body of a helper thread; the argument is its worker number. */
static void *run_helper(void *number)
{
    int32_t worker = (int32_t)(intptr_t)number;
    uint32_t bit = bit_of(worker);
    /* A new helper starts from 0 and may see an old epoch first; `current` then shows whether a
     * loop runs. */
    int32_t seen = 0;
    for (;;) {
        seen = await_epoch(seen, bit);
        help(worker);
    }
    return NULL;
}

/* Create helpers up to a total of `wanted`; called with busy held. */
static void create_helpers(int32_t wanted)
{
    while (helpers < wanted) {
        pthread_t thread;
        void *number = (void *)(intptr_t)(helpers + 1);
        if (pthread_create(&thread, NULL, run_helper, number) != 0)
            return;
        (void)pthread_detach(thread);
        helpers++;
    }
}

/* Show the loop in `job` to the helpers. */
static void publish(int32_t threads)
{
    STORE(current, &job);
    FETCH_ADD(epoch, 1);
    if (LOAD(sleepers))
        futex_wake(&epoch, threads > 31 ? FUTEX_BITSET_MATCH_ANY : bit_of(threads) - 1);
}

/* Sleep until no helper works on the loop. The last one sees `draining` and wakes this thread. */
static void sleep_until_idle(void)
{
    STORE(draining, 1);
    int32_t left;
    while ((left = LOAD(active)) != 0)
        futex_wait(&active, left, FUTEX_BITSET_MATCH_ANY);
    STORE(draining, 0);
}

/* Withdraw the loop and wait until no helper works on it. */
static void drain(void)
{
    STORE(current, NULL);
    struct spin spin;
    start_spinning(&spin);
    while (LOAD(active) != 0)
        if (!keep_spinning(&spin)) {
            sleep_until_idle();
            return;
        }
}

/* Take `busy` if no loop runs; return whether it was free. */
static bool take_pool(void)
{
    int32_t idle = 0;
    return __atomic_compare_exchange_n(
        &busy, &idle, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

int32_t __tw_pool_run(tw_task *fn, void *args, int64_t tasks, int32_t wished)
{
    int32_t threads = wished < MAX_THREADS ? wished : MAX_THREADS;
    if (threads <= 1 || tasks <= 1 || !take_pool()) {
        for (int64_t task = 0; task < tasks; task++)
            fn(args, task, 0);
        return 0;
    }
    job = (struct job){fn, args, tasks, threads};
    deal(tasks, threads);
    create_helpers(threads - 1);
    publish(threads);
    work(0);
    drain();
    STORE(busy, 0);
    return 0;
}

void __tw_pool_reset(void)
{
    STORE(current, NULL);
    STORE(active, 0);
    STORE(epoch, 0);
    STORE(sleepers, 0);
    STORE(draining, 0);
    helpers = 0;
    STORE(busy, 0);
}
