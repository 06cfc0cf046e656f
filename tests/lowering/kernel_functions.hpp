// Functions of C, and bits of numbers, for the languages of kernels.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

using std::ceil, std::copysign, std::fabs, std::floor, std::fma, std::rint, std::sqrt, std::trunc;

#define VECTOR(type, name)                                                                         \
    struct name##2 { type x, y; };                                                                 \
    struct name##4 { type x, y, z, w; };
VECTOR(float, float)
VECTOR(unsigned char, uchar)
VECTOR(unsigned short, ushort)
VECTOR(unsigned, uint)

template <class To, class From> To bits_of(From value) {
    To made;
    static_assert(sizeof made == sizeof value, "one width");
    std::memcpy(&made, &value, sizeof made);
    return made;
}
