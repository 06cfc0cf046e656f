// What LLVM IR for GPUs of NVIDIA calls, on a CPU: shims.py renames its intrinsics.
#include <cmath>
#include <cstring>

#include "fibers.hpp"

#define INDEX(name, position)                                                                      \
    unsigned name##_x() { return position.x; }                                                     \
    unsigned name##_y() { return position.y; }                                                     \
    unsigned name##_z() { return position.z; }

static float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

extern "C" {
INDEX(fiber_tid, threadIdx)
INDEX(fiber_ctaid, blockIdx)
void fiber_barrier(int number) { wait_for_block(number); }
void fiber_copy(int size, void *to, const void *from, int read) {
    start_copy(to, from, size, size - read);
}
void fiber_commit() { commit_copies(); }
void fiber_wait(int pending) { wait_for_copies(pending); }
float fiber_exp2(float x) { return std::exp2(x); }
float fiber_exp2_flushed(float x) { return flushed(std::exp2(flushed(x))); }
float fiber_reciprocal(float x) { return flushed(1.0f / flushed(x)); }
// LLVM calls this function to round to bf16, and reads the lowest half of the returned register.
float __truncsfbf2(float x) {
    unsigned bits;
    std::memcpy(&bits, &x, sizeof bits);
    bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    bits = (is_nan ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}
float fiber_exchange_f32(int, float value, int mask, int) { return exchange(value, mask, 1); }
int fiber_exchange_i32(int, int value, int mask, int) { return exchange(value, mask, 1); }
}
