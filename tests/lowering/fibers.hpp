// The threads of a block of a GPU as fibers on a CPU, which run in turn from barrier to barrier. A
// kernel whose threads exchange data without a barrier computes wrong numbers here: a thread runs to
// its end before the next one starts.
#pragma once
#include <cstddef>
#include <ucontext.h>
#include <vector>

struct Position { unsigned x, y, z; };
static Position threadIdx, blockIdx;

namespace fibers {
constexpr size_t STACK_BYTES = 128 << 10;
static ucontext_t scheduler;
static std::vector<ucontext_t> threads;
static std::vector<bool> is_done;
static size_t current, waiting;
static void (*body)(void **);
static void **arguments;

static void run_thread() {
    body(arguments);
    is_done[current] = true;
    swapcontext(&threads[current], &scheduler);
}

static Position position(size_t number, Position size) {
    return {unsigned(number % size.x), unsigned(number / size.x % size.y),
            unsigned(number / size.x / size.y)};
}

// Run the threads of a block; return whether all of them reached each barrier.
static bool run_block(Position block, std::vector<char> &stacks) {
    size_t count = threads.size();
    is_done.assign(count, false);
    for (size_t i = 0; i < count; ++i) {
        getcontext(&threads[i]);
        threads[i].uc_stack.ss_sp = &stacks[i * STACK_BYTES];
        threads[i].uc_stack.ss_size = STACK_BYTES;
        threads[i].uc_link = nullptr;
        makecontext(&threads[i], run_thread, 0);
    }
    do {
        waiting = 0;
        for (current = 0; current < count; ++current) {
            threadIdx = position(current, block);
            swapcontext(&scheduler, &threads[current]);
        }
        if (waiting && waiting < count)
            return false;
    } while (waiting);
    return true;
}
} // namespace fibers

static void wait_for_block() {
    Position own = threadIdx;
    ++fibers::waiting;
    swapcontext(&fibers::threads[fibers::current], &fibers::scheduler);
    threadIdx = own;
}

extern "C" int launch(void (*body)(void **), void **arguments, const unsigned *grid,
                      const unsigned *block) {
    Position blocks = {grid[0], grid[1], grid[2]}, size = {block[0], block[1], block[2]};
    size_t count = size_t(size.x) * size.y * size.z;
    std::vector<char> stacks(count * fibers::STACK_BYTES);
    fibers::threads.resize(count);
    fibers::body = body, fibers::arguments = arguments;
    for (size_t i = 0; i < size_t(blocks.x) * blocks.y * blocks.z; ++i) {
        blockIdx = fibers::position(i, blocks);
        if (!fibers::run_block(size, stacks))
            return -1;
    }
    return 0;
}
