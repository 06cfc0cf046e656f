// The parts of CUDA C++ that our kernels use, on a CPU.
#include "fibers.hpp"
#include "kernel_functions.hpp"

#define __global__
#define __device__
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(threads)
#define __syncthreads() wait_for_block(__LINE__)
#define __shfl_xor_sync(threads, value, mask) exchange(value, mask, __LINE__)
VECTOR(double, double)
VECTOR(unsigned long long, ulonglong)

static unsigned __float_as_uint(float x) { return bits_of<unsigned>(x); }
static float __uint_as_float(unsigned x) { return bits_of<float>(x); }
static unsigned long long __double_as_longlong(double x) { return bits_of<unsigned long long>(x); }
static double __longlong_as_double(unsigned long long x) { return bits_of<double>(x); }
static unsigned __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    start_copy(to, from, size, zeros);
}
static void __pipeline_commit() { commit_copies(); }
static void __pipeline_wait_prior(size_t pending) { wait_for_copies(pending); }
