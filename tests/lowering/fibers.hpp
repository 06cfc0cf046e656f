// The threads of a block of a GPU as fibers on a CPU, which run in turn from barrier to barrier. A
// kernel whose threads exchange data without a barrier computes wrong numbers here: a thread runs to
// its end before the next one starts. All threads of a block must wait at the same barriers: `launch`
// fails otherwise, and `launch_error` says where.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

struct Position { unsigned x, y, z; };
static Position threadIdx, blockIdx;

namespace fibers {
constexpr size_t STACK_BYTES = 128 << 10, WARP = 32;
static ucontext_t scheduler;
static std::vector<ucontext_t> threads;
// Where threads wait: 0 at the end, negative for threads that exchange values with their warp.
static std::vector<int> lines;
static std::vector<unsigned> passed;
static size_t current;
static void (*body)(void **);
static void **arguments;
static std::vector<char> stacks;
static std::string error;

static void run_thread() {
    body(arguments);
    lines[current] = 0;
    swapcontext(&threads[current], &scheduler);
}

static Position position(size_t number, Position size) {
    return {unsigned(number % size.x), unsigned(number / size.x % size.y),
            unsigned(number / size.x / size.y)};
}

static std::string text(Position at) {
    return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " + std::to_string(at.z) +
           ")";
}

static std::string place(size_t thread) {
    if (!lines[thread])
        return "has ended";
    return (lines[thread] < 0 ? "exchanges in line " : "waits in line ") +
           std::to_string(std::abs(lines[thread]));
}

// Return whether all threads stopped at the same barrier, or all ended.
static bool is_together(Position block) {
    for (size_t i = 1; i < threads.size(); ++i)
        if (lines[i] != lines[0]) {
            error = "divergent barrier in block " + text(blockIdx) + ": thread (0, 0, 0) " +
                    place(0) + ", thread " + text(position(i, block)) + " " + place(i);
            return false;
        }
    return true;
}

// Run the threads of a warp until none exchanges values; return whether all of them exchanged.
static bool run_warp(size_t first, size_t end, Position block) {
    do {
        for (current = first; current < end; ++current) {
            threadIdx = position(current, block);
            swapcontext(&scheduler, &threads[current]);
        }
        for (size_t i = first + 1; i < end; ++i)
            if (lines[i] != lines[first] && (lines[i] < 0 || lines[first] < 0)) {
                error = "divergent shuffle in block " + text(blockIdx) + ": thread " +
                        text(position(first, block)) + " " + place(first) + ", thread " +
                        text(position(i, block)) + " " + place(i);
                return false;
            }
        if (lines[first] < 0 && end - first < WARP) {
            error = "a shuffle of a part of a warp";
            return false;
        }
    } while (lines[first] < 0);
    return true;
}

// Run the threads of a block; return whether all of them reached each barrier.
static bool run_block(Position block) {
    size_t count = threads.size();
    for (size_t i = 0; i < count; ++i) {
        getcontext(&threads[i]);
        threads[i].uc_stack.ss_sp = &stacks[i * STACK_BYTES];
        threads[i].uc_stack.ss_size = STACK_BYTES;
        threads[i].uc_link = nullptr;
        makecontext(&threads[i], run_thread, 0);
    }
    do {
        for (size_t first = 0; first < count; first += WARP)
            if (!run_warp(first, std::min(first + WARP, count), block))
                return false;
        if (!is_together(block))
            return false;
    } while (lines[0]);
    return true;
}
} // namespace fibers

// Wait at a barrier in a line of the source.
static void wait_for_block(int line) {
    Position own = threadIdx;
    fibers::lines[fibers::current] = line;
    swapcontext(&fibers::threads[fibers::current], &fibers::scheduler);
    threadIdx = own;
}

// The copies that a thread has started: nothing is copied before it waits, as late as on a device.
namespace copies {
struct Copy { char *to; const char *from; size_t size, zeros; };
using Groups = std::vector<std::vector<Copy>>;
static std::vector<Groups> of_threads;

static Groups &own() {
    if (of_threads.size() < fibers::threads.size())
        of_threads.resize(fibers::threads.size());
    Groups &groups = of_threads[fibers::current];
    if (groups.empty())
        groups.emplace_back();
    return groups;
}
} // namespace copies

static void start_copy(void *to, const void *from, size_t size, size_t zeros) {
    copies::own().back().push_back({(char *)to, (const char *)from, size, zeros});
}
static void commit_copies() { copies::own().emplace_back(); }

// Wait for all groups of a thread but the last ones.
static void wait_for_copies(size_t pending) {
    copies::Groups &groups = copies::own();
    while (groups.size() > pending + 1) {
        for (const copies::Copy &copy : groups[0]) {
            std::memcpy(copy.to, copy.from, copy.size - copy.zeros);
            std::memset(copy.to + copy.size - copy.zeros, 0, copy.zeros);
        }
        groups.erase(groups.begin());
    }
}

// Return the value that the thread at lane `own xor mask` of the warp passes, in a line of the source.
template <class T> T exchange(T value, unsigned mask, int line) {
    static_assert(sizeof(T) == sizeof(unsigned));
    size_t own = fibers::current;
    __builtin_memcpy(&fibers::passed[own], &value, sizeof value);
    wait_for_block(-line);
    __builtin_memcpy(&value, &fibers::passed[own ^ mask], sizeof value);
    // Another exchange of the warp begins when all have read.
    wait_for_block(-line);
    return value;
}

// The arguments of a kernel are pointers to their values; its last parameters may be the indices of
// the block and of the thread.
template <class P> decltype(auto) argument(void **values, size_t number, size_t count) {
    if constexpr (std::is_same_v<P, Position>)
        return number + 1 == count ? Position(threadIdx) : Position(blockIdx);
    else
        return *static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(values[number]);
}
template <class... P, size_t... I>
void pass(void (*kernel)(P...), void **values, std::index_sequence<I...>) {
    kernel(argument<P>(values, I, sizeof...(P))...);
}
template <class... P> void pass(void (*kernel)(P...), void **values) {
    pass(kernel, values, std::index_sequence_for<P...>());
}

extern "C" const char *launch_error() { return fibers::error.c_str(); }

extern "C" int launch(void (*body)(void **), void **arguments, const unsigned *grid,
                      const unsigned *block) {
    Position blocks = {grid[0], grid[1], grid[2]}, size = {block[0], block[1], block[2]};
    size_t count = size_t(size.x) * size.y * size.z;
    fibers::stacks.resize(count * fibers::STACK_BYTES);
    fibers::threads.resize(count), fibers::lines.resize(count);
    fibers::passed.resize(count);
    fibers::body = body, fibers::arguments = arguments;
    for (size_t i = 0; i < size_t(blocks.x) * blocks.y * blocks.z; ++i) {
        blockIdx = fibers::position(i, blocks);
        copies::of_threads.clear();
        if (!fibers::run_block(size))
            return -1;
    }
    return 0;
}
