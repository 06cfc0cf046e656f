// What CUDA C++ of kernels needs of CUDA's headers, to compile it for a device without them.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))
#define __cvta_generic_to_shared(p) \
    ((unsigned long)(const __attribute__((address_space(3))) void *)(const void *)(p))
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
struct uchar4 { uchar x, y, z, w; } __align__(4);
struct ushort2 { ushort x, y; } __align__(4);
struct ushort4 { ushort x, y, z, w; } __align__(8);
struct uint2 { uint x, y; } __align__(8);
struct uint4 { uint x, y, z, w; } __align__(16);
struct float2 { float x, y; } __align__(8);
struct float4 { float x, y, z, w; } __align__(16);
struct Position { int x, y, z; };
#define __shfl_xor_sync(threads, value, mask) __nvvm_shfl_sync_bfly_f32(threads, value, mask, 31)
#define threadIdx (Position{__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), \
                            __nvvm_read_ptx_sreg_tid_z()})
#define blockIdx (Position{__nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), \
                           __nvvm_read_ptx_sreg_ctaid_z()})
static __device__ float __uint_as_float(uint x) { return __builtin_bit_cast(float, x); }
static __device__ uint __float_as_uint(float x) { return __builtin_bit_cast(uint, x); }
static __device__ __attribute__((always_inline)) void __pipeline_memcpy_async(
    void *to, const void *from, unsigned long size, unsigned long zeros = 0) {
    unsigned place = __cvta_generic_to_shared(to), read = size - zeros;
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(place), "l"(from), "r"(read) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" :: "r"(place), "l"(from), "r"(read) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(place), "l"(from), "r"(read) : "memory");
}
static __device__ void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define __pipeline_wait_prior(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")
