/* The bytes of the RPC protocol: reading requests and writing replies. docs/rpc.md describes the
 * format; runtime/rpc/messages.py has the table of messages, with which tests compare this file.
 *
 * Every length is compared with the bytes that are left before it is used.
 */

#include <sched.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

enum {
    MSG_HELLO = 1,
    MSG_AUTHENTICATE = 2,
    MSG_PING = 3,
    MSG_ALLOCATE = 4,
    MSG_FREE = 5,
    MSG_WRITE = 6,
    MSG_READ = 7,
    MSG_COPY = 8,
    MSG_UPLOAD = 9,
    MSG_DOWNLOAD = 10,
    MSG_FILE_SIZE = 11,
    MSG_REMOVE = 12,
    MSG_LOAD = 13,
    MSG_UNLOAD = 14,
    MSG_FIND = 15,
    MSG_DROP = 16,
    MSG_CALL = 17,
    MSG_RUN = 18,
    MSG_SHAPES = 19,
    MSG_TIME = 20,
    MSG_DEVICES = 21,
    MSG_SYNCHRONIZE = 22,
    MSG_STEPS = 23,
    MSG_RECORD = 24,
    MSG_COUNT = 25,
    /* of trackers and proxies */
    MSG_ANNOUNCE = 32,
    MSG_PARK = 48
};

enum { STATUS_REQUEST, STATUS_REPLY, STATUS_ERROR, STATUS_ENDED };

enum {
    PROTOCOL_VERSION = 1,
    HEADER_BYTES = 24,
    NONCE_BYTES = 32,
    MAX_HANDSHAKE_BYTES = 1024,
    MAX_CHUNK_BYTES = 8 << 20,
    MAX_PAYLOAD_BYTES = MAX_CHUNK_BYTES + (64 << 10),
    MAX_FILE_NAME = 200,
    MAX_FUNCTION_NAME = 255
};

static const uint32_t MAGIC = 0x31525754; /* "TWR1" */

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t load_number(const uint8_t *at, size_t bytes)
{
    uint64_t made = 0;
    while (bytes-- > 0)
        made = made << 8 | at[bytes];
    return made;
}

static void store_number(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t index = 0; index < bytes; index++)
        at[index] = (uint8_t)(value >> 8 * index);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The bytes of a payload that are left; after a field that is longer, only zeros. */
struct reader {
    const uint8_t *at;
    size_t left;
    bool is_short;
};

static const uint8_t *take_bytes(struct reader *reader, size_t bytes)
{
    if (bytes > reader->left) {
        reader->is_short = true;
        reader->left = 0;
        return NULL;
    }
    reader->at += bytes;
    reader->left -= bytes;
    return reader->at - bytes;
}

static uint64_t take_number(struct reader *reader, size_t bytes)
{
    const uint8_t *at = take_bytes(reader, bytes);
    return at == NULL ? 0 : load_number(at, bytes);
}

static uint32_t take_u32(struct reader *reader) { return (uint32_t)take_number(reader, 4); }

static uint64_t take_u64(struct reader *reader) { return take_number(reader, 8); }

/* Copy a text; one that is too long or has a zero byte makes the message malformed. */
static void take_text(struct reader *reader, char *text, size_t room)
{
    size_t length = take_u32(reader);
    const uint8_t *at = take_bytes(reader, length);
    text[0] = 0;
    if (at == NULL)
        return;
    if (length >= room || memchr(at, 0, length) != NULL) {
        reader->is_short = true;
        return;
    }
    memcpy(text, at, length);
    text[length] = 0;
}

/* Return whether all fields were there, and nothing else. */
static bool is_whole(const struct reader *reader) { return !reader->is_short && reader->left == 0; }

/* ---- replies --------------------------------------------------------------------------------- */

/* The fields of a reply, which grow. */
struct writer {
    uint8_t *data;
    size_t bytes, room;
    bool has_failed;
};

static void put_bytes(struct writer *writer, const void *data, size_t bytes)
{
    if (writer->room - writer->bytes < bytes) {
        size_t room = 2 * (writer->bytes + bytes) + 256;
        uint8_t *grown = realloc(writer->data, room);
        if (grown == NULL) {
            writer->has_failed = true;
            return;
        }
        writer->data = grown;
        writer->room = room;
    }
    if (bytes > 0)
        memcpy(writer->data + writer->bytes, data, bytes);
    writer->bytes += bytes;
}

static void put_number(struct writer *writer, uint64_t value, size_t bytes)
{
    uint8_t made[8];
    store_number(made, value, bytes);
    put_bytes(writer, made, bytes);
}

static void put_u32(struct writer *writer, uint32_t value) { put_number(writer, value, 4); }

static void put_u64(struct writer *writer, uint64_t value) { put_number(writer, value, 8); }

/* Return the length of the character at the start of a text, or 0 if it is not UTF-8 (RFC 3629). */
static size_t character_bytes(const char *text)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *at = (const uint8_t *)text;
    size_t bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t code = bytes == 1 ? at[0] : at[0] & (uint32_t)(0x7f >> bytes);
    if (bytes > 1 && (at[0] < 0xc0 || at[0] > 0xf7))
        return 0;
    for (size_t next = 1; next < bytes; next++) {
        if ((at[next] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[next] & 0x3f);
    }
    bool is_surrogate = code >> 11 == 0x1b;
    return code < LEAST[bytes] || code > 0x10ffff || is_surrogate ? 0 : bytes;
}

/* Write a text. Words of clients and of libraries, and words that were cut, may have bytes that are
 * not UTF-8: they become question marks. */
static void put_text(struct writer *writer, const char *text)
{
    put_u32(writer, (uint32_t)strlen(text));
    while (*text != 0) {
        size_t bytes = character_bytes(text);
        put_bytes(writer, bytes == 0 ? "?" : text, bytes == 0 ? 1 : bytes);
        text += bytes == 0 ? 1 : bytes;
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

/* A connection: what is read and written, and the header of the request that is answered. */
struct stream {
    int in, out;
    uint16_t kind;
    uint16_t status;
    uint32_t number;
    uint64_t left; /* bytes of the payload that are not yet read */
    uint8_t *ahead; /* AHEAD_BYTES for bytes that are read before they are needed, or null */
    size_t start, stop; /* those bytes */
    bool may_poll; /* it is a socket, and the peer can run on another processor */
    bool is_quick; /* the last bytes came within POLL_NS */
};

enum { AHEAD_BYTES = 4096, POLL_NS = 50000 };

static int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int32_t read_all(int file, void *data, size_t bytes)
{
    for (uint8_t *at = data; bytes > 0;) {
        ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        bytes -= (size_t)got;
    }
    return 0;
}

/* Ask for bytes again and again, until there are some or POLL_NS are over. Before, let other
 * processes run: the peer may wait for this processor. */
static ssize_t poll_bytes(int file, void *data, size_t bytes, int64_t start)
{
    ssize_t got;
    do {
        sched_yield();
        got = recv(file, data, bytes, MSG_DONTWAIT);
    } while (got < 0 && (errno == EAGAIN || errno == EINTR) && clock_ns() - start < POLL_NS);
    return got;
}

/* Read the next bytes, as many as there are. To be woken takes longer than a small message, so a
 * peer whose last bytes came quickly is waited for without sleep, at first. */
static ssize_t receive_some(struct stream *stream, void *data, size_t bytes)
{
    int64_t start = clock_ns();
    ssize_t got = stream->is_quick ? poll_bytes(stream->in, data, bytes, start) : -1;
    if (got < 0)
        do
            got = read(stream->in, data, bytes);
        while (got < 0 && errno == EINTR);
    stream->is_quick = stream->may_poll && clock_ns() - start < POLL_NS;
    return got;
}

/* Read bytes of a stream; a small message is read at once. */
static int32_t receive(struct stream *stream, void *data, size_t bytes)
{
    uint8_t *at = data;
    while (bytes > 0) {
        size_t ready = stream->stop - stream->start;
        if (ready > bytes)
            ready = bytes;
        if (ready > 0) {
            memcpy(at, stream->ahead + stream->start, ready);
            stream->start += ready;
            at += ready;
            bytes -= ready;
            continue;
        }
        if (stream->ahead == NULL || bytes >= AHEAD_BYTES)
            return read_all(stream->in, at, bytes);
        ssize_t got = receive_some(stream, stream->ahead, AHEAD_BYTES);
        if (got <= 0)
            return -1;
        stream->start = 0;
        stream->stop = (size_t)got;
    }
    return 0;
}

static int32_t write_parts(int file, struct iovec *parts, int count)
{
    while (count > 0) {
        ssize_t sent = writev(file, parts, count);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -1;
        for (; count > 0 && (size_t)sent >= parts->iov_len; count--)
            sent -= (ssize_t)parts++->iov_len;
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + sent;
            parts->iov_len -= (size_t)sent;
        }
    }
    return 0;
}

/* Read the next header. Return 0, 1 at the end of the stream, or -1 if it is no header. */
static int32_t read_header(struct stream *stream)
{
    uint8_t header[HEADER_BYTES];
    if (receive(stream, header, sizeof header) != 0)
        return 1;
    stream->kind = (uint16_t)load_number(header + 4, 2);
    stream->status = (uint16_t)load_number(header + 6, 2);
    stream->number = (uint32_t)load_number(header + 8, 4);
    stream->left = load_number(header + 16, 8);
    bool is_request = load_number(header, 4) == MAGIC && load_number(header + 12, 4) == 0 &&
                      stream->status == STATUS_REQUEST && stream->left <= MAX_PAYLOAD_BYTES;
    return is_request ? 0 : -1;
}

static int32_t read_payload(struct stream *stream, void *data, size_t bytes)
{
    stream->left -= bytes;
    return receive(stream, data, bytes);
}

/* Read and forget the rest of the payload. */
static int32_t skip_payload(struct stream *stream)
{
    uint8_t chunk[4096];
    while (stream->left > 0) {
        size_t bytes = stream->left < sizeof chunk ? (size_t)stream->left : sizeof chunk;
        if (read_payload(stream, chunk, bytes) != 0)
            return -1;
    }
    return 0;
}

/* Send a frame: fields, then data of other memory. */
static int32_t send_frame(const struct stream *stream, int status, const struct writer *fields,
    const void *data, size_t bytes)
{
    uint8_t header[HEADER_BYTES];
    bool is_end = status == STATUS_ENDED;
    store_number(header, MAGIC, 4);
    store_number(header + 4, is_end ? 0 : stream->kind, 2);
    store_number(header + 6, (uint64_t)status, 2);
    store_number(header + 8, is_end ? 0 : stream->number, 4);
    store_number(header + 12, 0, 4);
    store_number(header + 16, fields->bytes + bytes, 8);
    struct iovec parts[] = {{header, sizeof header}, {fields->data, fields->bytes},
        {(void *)(uintptr_t)data, bytes}};
    return write_parts(stream->out, parts, bytes > 0 ? 3 : fields->bytes > 0 ? 2 : 1);
}

static int32_t send_words(
    const struct stream *stream, int status, const char *kind, const char *message)
{
    struct writer fields = {NULL, 0, 0, false};
    put_text(&fields, kind);
    put_text(&fields, message);
    int32_t sent = fields.has_failed ? -1 : send_frame(stream, status, &fields, NULL, 0);
    free(fields.data);
    return sent;
}
