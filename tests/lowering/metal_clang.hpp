// The parts of the Metal Shading Language that our kernels use, for clang's front end of C++ for
// OpenCL: it checks types, and the address space of each pointer, as Metal's compiler does.
#define device __global
#define threadgroup __local
#define constant __constant
#define thread __private
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __attribute__((ext_vector_type(3))) uint uint3;
#define VECTORS(type) \
    typedef __attribute__((ext_vector_type(2))) type type##2; \
    typedef __attribute__((ext_vector_type(4))) type type##4;
VECTORS(float)
VECTORS(half)
VECTORS(char)
VECTORS(short)
VECTORS(int)
VECTORS(long)
VECTORS(uchar)
VECTORS(ushort)
VECTORS(uint)
VECTORS(ulong)

namespace metal {
enum class mem_flags { mem_device = 1, mem_threadgroup = 2 };
mem_flags operator|(mem_flags, mem_flags);
void threadgroup_barrier(mem_flags);
template <class To, class From> To as_type(From);
template <class T> T simd_shuffle_xor(T, ushort);
float fma(float, float, float);
float sqrt(float);
float fabs(float);
float copysign(float, float);
} // namespace metal
