/* Waiting at a proxy: how a server that accepts no connections gets its clients. A separate process
 * connects to the proxy, and passes each connection that has a client to the server.
 */

enum { IDLE_S = 15, CHECK_S = 5 };

/* Send an open file to another process. */
static int32_t send_file(int channel, int file)
{
    char byte = 0;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room,
        .msg_controllen = sizeof control.room};
    control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
        .cmsg_len = CMSG_LEN(sizeof(int))};
    memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    return sendmsg(channel, &message, 0) == 1 ? 0 : -1;
}

/* Receive an open file from another process; return it, or -1. */
static int receive_file(int channel)
{
    char byte;
    int file = -1;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room,
        .msg_controllen = sizeof control.room};
    if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_type == SCM_RIGHTS)
        memcpy(&file, CMSG_DATA(header), sizeof file);
    return file;
}

/* Leave a connection with the proxy until a client gets it. Return whether a client does. */
static bool wait_for_client(int file, const struct announced *own)
{
    uint8_t reply[MAX_TRACKER_REPLY];
    struct stream stream = {.in = file, .out = file};
    struct writer fields = {NULL, 0, 0, false};
    int one = 1, idle = IDLE_S, check = CHECK_S;
    struct timeval always = {0, 0};
    if (!greet(&stream, own))
        return false;
    put_text(&fields, own->key);
    struct reader reader = ask(&stream, MSG_PARK, &fields, reply);
    if (!is_whole(&reader))
        return false;
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &always, sizeof always);
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &always, sizeof always);
    setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    setsockopt(file, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(file, IPPROTO_TCP, TCP_KEEPINTVL, &check, sizeof check);
    struct pollfd wait = {file, POLLIN, 0};
    char byte;
    return poll(&wait, 1, -1) == 1 && recv(file, &byte, 1, MSG_PEEK) == 1;
}

/* Wait at the proxy until this process ends; send the connections of clients to the server. */
static void wait_always(const struct announced *own, int channel)
{
    for (;;) {
        int file = dial(own->place);
        bool is_there = file >= 0 && wait_for_client(file, own);
        if (is_there && send_file(channel, file) != 0)
            return;
        if (file >= 0)
            close(file);
        if (!is_there)
            pause_for((uint64_t)TRACKER_PAUSE_MS * 1000000);
    }
}
