// An emulator of x86's tile instructions (AMX), for machines without them.
//
// The processor refuses each such instruction; the handler of the signal computes it on tiles in
// memory of the thread and continues behind it.  All other instructions run on the processor.
// A use that the hardware would refuse is recorded as the first error and has no effect.

#define _GNU_SOURCE
#include <immintrin.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

enum { TILES = 8, ROWS = 16, ROW_BYTES = 64 };
enum { CONFIGURED, RELEASED, ZEROED, LOADED, STORED, MULTIPLIED, KINDS };

typedef struct {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} Config;

typedef union {
  uint8_t bytes[ROWS][ROW_BYTES];
  uint32_t words[ROWS][ROW_BYTES / 4];
  uint16_t halves[ROWS][ROW_BYTES / 2];
  float floats[ROWS][ROW_BYTES / 4];
} Tile;

static _Thread_local Config config;
static _Thread_local Tile tiles[TILES];
static atomic_long counts[KINDS];
static atomic_int failed;
static char error[256];
static struct sigaction previous;

static void fail(const char *message) {
  if (!atomic_exchange(&failed, 1))
    snprintf(error, sizeof error, "%s", message);
}

static void configure(const Config *wanted) {
  for (int t = 0; t < TILES; t++)
    if (wanted->rows[t] > ROWS || wanted->row_bytes[t] > ROW_BYTES) {
      fail("ldtilecfg of a tile that is too large");
      return;
    }
  if (wanted->palette > 1 || wanted->start_row) {
    fail("ldtilecfg of an unknown palette, or of a start row");
    return;
  }
  config = *wanted;
  memset(tiles, 0, sizeof tiles);
  counts[wanted->palette ? CONFIGURED : RELEASED]++;
}

static int usable(int t) {
  int is_usable = config.palette && config.rows[t] && config.row_bytes[t];
  if (!is_usable)
    fail("an instruction uses a tile without a configuration");
  return is_usable;
}

static void move(int t, uint8_t *memory, int64_t stride, int is_store) {
  if (!usable(t))
    return;
  if (!is_store)
    memset(&tiles[t], 0, sizeof tiles[t]);
  for (int row = 0; row < config.rows[t]; row++, memory += stride) {
    if (is_store)
      memcpy(memory, tiles[t].bytes[row], config.row_bytes[t]);
    else
      memcpy(tiles[t].bytes[row], memory, config.row_bytes[t]);
  }
  counts[is_store ? STORED : LOADED]++;
}

static int byte_at(const Tile *tile, int row, int at, int is_signed) {
  return is_signed ? (int8_t)tile->bytes[row][at] : tile->bytes[row][at];
}

static void add_bytes(Tile *c, const Tile *a, const Tile *b, int m, int groups, int columns,
                      int is_a_signed, int is_b_signed) {
  for (int k = 0; k < groups; k++)
    for (int n = 0; n < columns; n++)
      for (int r = 0; r < 4; r++) {
        int x = byte_at(a, m, 4 * k + r, is_a_signed), y = byte_at(b, k, 4 * n + r, is_b_signed);
        c->words[m][n] += (uint32_t)(x * y);
      }
}

static float widened(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &word, 4);
  return value;
}

static void add_bf16(Tile *c, const Tile *a, const Tile *b, int m, int groups, int columns) {
  for (int n = 0; n < columns; n++) {
    float even = 0, odd = 0;
    for (int k = 0; k < groups; k++) {
      even += widened(a->halves[m][2 * k]) * widened(b->halves[k][2 * n]);
      odd += widened(a->halves[m][2 * k + 1]) * widened(b->halves[k][2 * n + 1]);
    }
    c->floats[m][n] += even + odd;
  }
}

// prefix: the last two bits of VEX, 0 to 3 for none, 66, F3, F2.
static void multiply(int to, int left, int right, int prefix, int is_bf16) {
  if (!usable(to) || !usable(left) || !usable(right))
    return;
  if (to == left || to == right || left == right) {
    fail("a product names a tile twice");
    return;
  }
  if (config.rows[to] != config.rows[left] || config.row_bytes[to] != config.row_bytes[right] ||
      config.row_bytes[left] != 4 * config.rows[right]) {
    fail("a product of tiles of other shapes");
    return;
  }
  unsigned mode = _mm_getcsr();
  _mm_setcsr(0x1f80 | 0x8040);  // subnormal numbers count as 0
  int groups = config.row_bytes[left] / 4, columns = config.row_bytes[to] / 4;
  for (int m = 0; m < config.rows[to]; m++) {
    if (is_bf16)
      add_bf16(&tiles[to], &tiles[left], &tiles[right], m, groups, columns);
    else
      add_bytes(&tiles[to], &tiles[left], &tiles[right], m, groups, columns, prefix >= 2,
                prefix & 1);
  }
  _mm_setcsr(mode);
  counts[MULTIPLIED]++;
}

static const int REGISTERS[16] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

typedef struct {
  uint8_t *address;
  int64_t index;
  int length;
} Memory;

// The operand in memory at a ModRM byte; the index is not part of the address.
static Memory memory_at(const uint8_t *modrm, int high_index, int high_base, greg_t *registers) {
  int mode = *modrm >> 6, base = *modrm & 7, length = 1, has_base = 1;
  int64_t index = 0, address = 0;
  if (base == 4) {
    uint8_t sib = modrm[length++];
    int number = (sib >> 3 & 7) | high_index << 3;
    if (number != 4)
      index = registers[REGISTERS[number]] << (sib >> 6);
    base = sib & 7;
    has_base = !(base == 5 && mode == 0);
  } else if (base == 5 && mode == 0) {
    has_base = 0;
    address = (int64_t)(modrm + 5);  // relative to the next instruction
  }
  if (has_base)
    address = registers[REGISTERS[base | high_base << 3]];
  if (mode == 1)
    address += (int8_t)modrm[length++];
  if (mode == 2 || !has_base) {
    int32_t offset;
    memcpy(&offset, modrm + length, 4);
    address += offset;
    length += 4;
  }
  return (Memory){(uint8_t *)address, index, length};
}

// Computes the instruction and returns its bytes; 0 for an instruction of another kind.
static int compute(const uint8_t *code, greg_t *registers) {
  if (code[0] != 0xc4 || (code[1] & 0x1f) != 2 || code[2] & 0x84)
    return 0;
  int opcode = code[3], prefix = code[2] & 3, third = ~(code[2] >> 3) & 15;
  int to = code[4] >> 3 & 7, is_register = code[4] >> 6 == 3;
  if (is_register) {
    if (opcode == 0x49 && prefix == 0 && code[4] == 0xc0)
      configure(&(Config){0});
    else if (opcode == 0x49 && prefix == 3 && usable(to)) {
      memset(&tiles[to], 0, sizeof tiles[to]);
      counts[ZEROED]++;
    } else if (opcode == 0x5e || (opcode == 0x5c && prefix == 2))
      multiply(to, code[4] & 7, third, prefix, opcode == 0x5c);
    else
      return 0;
    return 5;
  }
  Memory at = memory_at(code + 4, !(code[1] & 0x40), !(code[1] & 0x20), registers);
  if (opcode == 0x49 && prefix == 0)
    configure((const Config *)(at.address + at.index));
  else if (opcode == 0x4b && prefix != 0)
    move(to, at.address, at.index, prefix == 2);
  else
    return 0;
  return 4 + at.length;
}

static void on_refused(int signal, siginfo_t *info, void *context) {
  (void)info;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  int length = compute((const uint8_t *)registers[REG_RIP], registers);
  registers[REG_RIP] += length;
  if (!length)  // the instruction is refused once more
    sigaction(signal, &previous, NULL);
}

int emulator_start(void) {
  struct sigaction action = {.sa_sigaction = on_refused, .sa_flags = SA_SIGINFO};
  failed = 0;
  error[0] = 0;
  for (int kind = 0; kind < KINDS; kind++)
    counts[kind] = 0;
  return sigaction(SIGILL, &action, &previous);
}

void emulator_stop(void) { sigaction(SIGILL, &previous, NULL); }
long emulator_count(int kind) { return counts[kind]; }
const char *emulator_error(void) { return error; }
