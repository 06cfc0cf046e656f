/* The client's end of a connection to a tracker: a separate process announces the server to the
 * tracker at each heartbeat. It ends with the server, and connects again when the tracker restarts.
 */

#include <netdb.h>

enum { TRACKER_WAIT_S = 10, TRACKER_PAUSE_MS = 1000, MAX_TRACKER_REPLY = 4096, RANDOM_NAME = 33 };

/* The description of a server, for a tracker or a proxy. */
struct announced {
    const char *place, *key, *token, *address, *lacks;
    struct limits limits;
};

/* Send a message. Return the fields of its reply, or fields that are too short after an error. */
static struct reader ask(
    struct stream *stream, uint16_t kind, struct writer *fields, uint8_t reply[MAX_TRACKER_REPLY])
{
    uint8_t header[HEADER_BYTES];
    stream->kind = kind;
    stream->number++;
    int32_t status = fields->has_failed ? -1 : send_frame(stream, STATUS_REQUEST, fields, NULL, 0);
    free(fields->data);
    *fields = (struct writer){NULL, 0, 0, false};
    if (status != 0 || read_all(stream->in, header, sizeof header) != 0)
        return (struct reader){NULL, 0, true};
    uint64_t bytes = load_number(header + 16, 8);
    bool is_reply = load_number(header, 4) == MAGIC && load_number(header + 4, 2) == kind &&
                    load_number(header + 6, 2) == STATUS_REPLY && bytes <= MAX_TRACKER_REPLY &&
                    load_number(header + 8, 4) == stream->number;
    bool is_there = is_reply && read_all(stream->in, reply, (size_t)bytes) == 0;
    return (struct reader){reply, is_there ? (size_t)bytes : 0, !is_there};
}

/* Store the bytes of a field of a fixed length. */
static void take_fixed(struct reader *reader, uint8_t *made, size_t bytes)
{
    const uint8_t *at = take_u64(reader) == bytes ? take_bytes(reader, bytes) : NULL;
    if (at == NULL)
        reader->is_short = true;
    else
        memcpy(made, at, bytes);
}

static void skip_text(struct reader *reader) { take_bytes(reader, take_u32(reader)); }

static void put_data(struct writer *writer, const uint8_t *data, size_t bytes)
{
    put_u64(writer, bytes);
    put_bytes(writer, data, bytes);
}

/* Prove to a tracker that this server knows the token, and the reverse. Return whether both do. */
static bool greet(struct stream *stream, const struct announced *own)
{
    uint8_t reply[MAX_TRACKER_REPLY], nonces[2][NONCE_BYTES], proof[32], expected[32];
    uint8_t proved[8 + MAX_FUNCTION_NAME + 1] = {0};
    struct writer fields = {NULL, 0, 0, false};
    if (getrandom(nonces[1], NONCE_BYTES, 0) != NONCE_BYTES)
        return false;
    put_u32(&fields, PROTOCOL_VERSION);
    put_data(&fields, nonces[1], NONCE_BYTES);
    struct reader reader = ask(stream, MSG_HELLO, &fields, reply);
    bool is_same = take_u32(&reader) == PROTOCOL_VERSION;
    take_fixed(&reader, nonces[0], NONCE_BYTES);
    if (!is_same || !is_whole(&reader))
        return false;
    append((char *)proved + 8, sizeof proved - 8, 0, own->key);
    prove(own->token, nonces, "client", proved, 8 + strlen(own->key), proof);
    put_text(&fields, own->key);
    put_u64(&fields, 0);
    put_data(&fields, proof, sizeof proof);
    reader = ask(stream, MSG_AUTHENTICATE, &fields, reply);
    skip_text(&reader);
    take_fixed(&reader, proof, sizeof proof);
    prove(own->token, nonces, "server", NULL, 0, expected);
    return is_whole(&reader) && is_equal(proof, expected, sizeof proof);
}

/* Announce the server until the connection ends. */
static void announce(struct stream *stream, const struct announced *own, const char *name)
{
    uint8_t reply[MAX_TRACKER_REPLY];
    for (;;) {
        struct writer fields = {NULL, 0, 0, false};
        put_text(&fields, name);
        put_text(&fields, own->key);
        put_text(&fields, own->address);
        const struct host host = {.lacks = own->lacks, .local = "", .limits = own->limits};
        put_facts(&fields, &host);
        struct reader reader = ask(stream, MSG_ANNOUNCE, &fields, reply);
        uint64_t heartbeat_ms = take_u64(&reader);
        if (!is_whole(&reader))
            return;
        pause_for(heartbeat_ms * 1000000);
    }
}

/* Return a connection to HOST:PORT, or -1. */
static int dial(const char *place)
{
    char host[256];
    const char *port = strrchr(place, ':');
    if (port == NULL || (size_t)(port - place) >= sizeof host)
        return -1;
    memcpy(host, place, (size_t)(port - place));
    host[port - place] = 0;
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, port + 1, &wanted, &found) != 0)
        return -1;
    struct timeval wait = {TRACKER_WAIT_S, 0};
    int made = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0) {
        setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
        setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
        if (connect(made, found->ai_addr, found->ai_addrlen) != 0) {
            close(made);
            made = -1;
        }
    }
    freeaddrinfo(found);
    return made;
}

/* Write a name that no other server has. Return whether the kernel gave random bytes. */
static bool random_name(char name[RANDOM_NAME])
{
    uint8_t random[RANDOM_NAME / 2];
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return false;
    for (size_t at = 0; at < sizeof random; at++) {
        name[2 * at] = "0123456789abcdef"[random[at] >> 4];
        name[2 * at + 1] = "0123456789abcdef"[random[at] & 15];
    }
    name[2 * sizeof random] = 0;
    return true;
}

/* Announce the server until this process ends. */
static void announce_always(const struct announced *own)
{
    char name[RANDOM_NAME];
    if (!random_name(name))
        return;
    for (;;) {
        int file = dial(own->place);
        struct stream stream = {.in = file, .out = file};
        if (file >= 0) {
            if (greet(&stream, own))
                announce(&stream, own, name);
            close(file);
        }
        pause_for((uint64_t)TRACKER_PAUSE_MS * 1000000);
    }
}
