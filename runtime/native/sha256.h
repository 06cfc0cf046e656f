/* SHA-256, for the files that the runtime checks and for the values of parameters. */

#ifndef TILEWRIGHT_SHA256_H
#define TILEWRIGHT_SHA256_H

#include <stdint.h>
#include <string.h>

/* Source: FIPS 180-4. */
struct sha256 {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t bytes;
};

static const struct sha256 NEW_DIGEST = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
    0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, {0}, 0};

static const uint32_t ROUND_KEYS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

static uint32_t rotated(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

static void expand_block(uint32_t words[64], const uint8_t *block)
{
    for (int at = 0; at < 16; at++)
        words[at] = (uint32_t)block[4 * at] << 24 | (uint32_t)block[4 * at + 1] << 16 |
                    (uint32_t)block[4 * at + 2] << 8 | block[4 * at + 3];
    for (int at = 16; at < 64; at++) {
        uint32_t early = words[at - 15], late = words[at - 2];
        words[at] = words[at - 16] + words[at - 7] +
                    (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) +
                    (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }
}

static void digest_block(struct sha256 *sha)
{
    uint32_t words[64], v[8];
    expand_block(words, sha->block);
    memcpy(v, sha->state, sizeof v);
    for (int at = 0; at < 64; at++) {
        uint32_t first = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) +
                         ((v[4] & v[5]) ^ (~v[4] & v[6])) + ROUND_KEYS[at] + words[at];
        uint32_t second = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) +
                          ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int at = 0; at < 8; at++)
        sha->state[at] += v[at];
}

static void digest_bytes(struct sha256 *sha, const void *data, size_t bytes)
{
    const uint8_t *from = data;
    while (bytes > 0) {
        size_t used = (size_t)(sha->bytes % 64);
        size_t step = bytes < 64 - used ? bytes : 64 - used;
        memcpy(sha->block + used, from, step);
        sha->bytes += step;
        from += step;
        bytes -= step;
        if (sha->bytes % 64 == 0)
            digest_block(sha);
    }
}

static void finish_digest(struct sha256 *sha, uint8_t digest[32])
{
    uint64_t bits = sha->bytes * 8;
    uint8_t end[72] = {0x80};
    size_t padding = 1 + (size_t)((119 - sha->bytes % 64) % 64);
    for (int at = 0; at < 8; at++)
        end[padding + (size_t)at] = (uint8_t)(bits >> (56 - 8 * at));
    digest_bytes(sha, end, padding + 8);
    for (int at = 0; at < 32; at++)
        digest[at] = (uint8_t)(sha->state[at / 4] >> (24 - 8 * (at % 4)));
}

/* Write a digest as hexadecimal text. */
static void write_hex(char text[65], const uint8_t digest[32])
{
    for (size_t byte = 0; byte < 32; byte++) {
        text[2 * byte] = "0123456789abcdef"[digest[byte] >> 4];
        text[2 * byte + 1] = "0123456789abcdef"[digest[byte] & 15];
    }
    text[64] = 0;
}

#endif
