// The parts of the Metal Shading Language that our kernels use, on a CPU. Buffers of a block must be
// static here, but `threadgroup` also stands in casts: the test writes `static` into declarations.
#include "fibers.hpp"
#include "kernel_functions.hpp"

typedef Position uint3;
typedef unsigned char uchar;
VECTOR(unsigned long, ulong)

namespace metal {
enum class mem_flags { mem_device = 1, mem_threadgroup = 2 };
static mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }
template <class To, class From> To as_type(From value) { return bits_of<To>(value); }
template <class T> T popcount(T x) { return T(__builtin_popcountll(x)); }
} // namespace metal

#define threadgroup_barrier(flags) (void(flags), wait_for_block(__LINE__))
#define simd_shuffle_xor(value, mask) exchange(value, mask, __LINE__)
#define kernel
#define device
#define constant const
#define threadgroup
#define thread
