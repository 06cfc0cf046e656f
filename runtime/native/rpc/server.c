/* The RPC server: a program without Python that runs models for clients in other processes.
 *
 *     tilewright-rpc --port 9090                         clients on this machine
 *     tilewright-rpc --host 0.0.0.0 --token-file FILE    clients that know the token
 *     tilewright-rpc --unix PATH | --stdio
 *     tilewright-rpc --tracker HOST:PORT --key NAME      clients that ask a tracker for NAME
 *     tilewright-rpc --proxy HOST:PORT --key NAME        clients that ask a proxy for NAME
 *
 * In: connections. Out: a process for each, in a sandbox, which serves one session (session.c). This
 * process runs no code of clients. It keeps each connection, ends a session whose client is gone or
 * whose time is up, and tells a client why its session ended. docs/rpc.md describes the protocol.
 */

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../tilewright.c"
#include "../trace.h"
#include "wire.c"
#include "loader.c"
#include "sandbox.c"
#include "session.c"
#include "tracker.c"
#include "proxy.c"

enum { MAX_SESSIONS = 64, MAX_TOKEN = 4096, MIN_TOKEN = 8, HANDSHAKE_MS = 10000, GRACE_MS = 500 };

struct options {
    const char *host, *unix_path, *token_file, *tracker, *proxy, *key;
    int port, sessions;
    bool is_stdio;
    struct limits limits;
    char token[MAX_TOKEN];
    char local[RANDOM_NAME]; /* the name of a socket for clients on this machine; else empty */
};

/* A session of another process. */
struct served {
    pid_t process;
    int connection;
    int64_t deadline_ms; /* when it is ended */
    bool is_gone; /* the client has closed the connection */
};

struct server {
    struct options options;
    int listener;
    int local; /* listens, too, for clients on this machine; -1 without one */
    int signals[2]; /* a byte for each process that ends */
    int clients[2]; /* connections from the process that waits at a proxy; -1 without one */
    int32_t lacks;
    struct served sessions[MAX_SESSIONS];
};

static int signal_pipe = -1;

static int64_t now_ms(void) { return clock_ns() / 1000000; }

/* ---- options --------------------------------------------------------------------------------- */

static int refuse(const char *rule, const char *got)
{
    fprintf(stderr, "tilewright-rpc: %s\n  got: %s\n  hint: tilewright-rpc [--host ADDRESS] "
        "[--port N] [--unix PATH] [--stdio] [--token-file FILE] [--tracker HOST:PORT] [--proxy HOST:PORT] "
        "[--key NAME] [--memory-mb N] [--timeout SECONDS] [--sessions N]\n", rule, got);
    return 2;
}

static int read_token(struct options *options)
{
    if (options->token_file == NULL)
        return 0;
    FILE *file = fopen(options->token_file, "re");
    if (file == NULL || fgets(options->token, MAX_TOKEN, file) == NULL) {
        if (file != NULL)
            fclose(file);
        return refuse("the file of the token cannot be read", options->token_file);
    }
    fclose(file);
    size_t length = strcspn(options->token, "\r\n");
    options->token[length] = 0;
    return length >= MIN_TOKEN ? 0 : refuse("a token needs at least 8 characters", "a shorter one");
}

static int read_options(struct options *options, int count, char **words)
{
    long memory_mb = 2048, timeout_s = 3600, port = 9090, sessions = 16;
    const struct {
        const char *name;
        const char **text;
        long *number;
    } rows[] = {{"--host", &options->host, NULL}, {"--unix", &options->unix_path, NULL},
        {"--token-file", &options->token_file, NULL}, {"--tracker", &options->tracker, NULL},
        {"--proxy", &options->proxy, NULL}, {"--key", &options->key, NULL}, {"--port", NULL, &port},
        {"--memory-mb", NULL, &memory_mb}, {"--timeout", NULL, &timeout_s},
        {"--sessions", NULL, &sessions}};
    for (int at = 1; at < count; at++) {
        if (strcmp(words[at], "--stdio") == 0) {
            options->is_stdio = true;
            continue;
        }
        size_t row = 0;
        while (row < sizeof rows / sizeof *rows && strcmp(words[at], rows[row].name) != 0)
            row++;
        if (row == sizeof rows / sizeof *rows || at + 1 == count)
            return refuse("an option is unknown, or has no value", words[at]);
        char *end = words[++at];
        if (rows[row].text != NULL)
            *rows[row].text = words[at];
        else
            *rows[row].number = strtol(words[at], &end, 10);
        if (rows[row].number != NULL && (*end != 0 || *rows[row].number < 0))
            return refuse("an option needs a whole number", words[at]);
    }
    if (port > 65535 || sessions < 1 || sessions > MAX_SESSIONS || memory_mb < 64 ||
        memory_mb > 1 << 24 || timeout_s < 1 || timeout_s > 1 << 24)
        return refuse("a number is out of range", "--port to 65535, --sessions 1 to 64, "
            "--memory-mb from 64, --timeout from 1");
    if (options->key[0] == 0 || strlen(options->key) > MAX_FILE_NAME)
        return refuse("a key has 1 to 200 bytes", options->key);
    options->port = (int)port;
    options->sessions = (int)sessions;
    uint64_t bytes = (uint64_t)memory_mb << 20;
    options->limits = (struct limits){bytes / 2, bytes / 4, timeout_s * 1000};
    return read_token(options);
}

/* ---- listening ------------------------------------------------------------------------------- */

static int listen_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || strlen(path) >= sizeof address.sun_path)
        return -1;
    append(address.sun_path, sizeof address.sun_path, 0, path);
    mode_t mask = umask(077);
    int status = bind(made, (struct sockaddr *)&address, sizeof address);
    umask(mask);
    return status == 0 && listen(made, MAX_SESSIONS) == 0 ? made : -1;
}

/* Listen on a socket of Unix without a file, whose name clients learn in a session by TCP: messages
 * take half the time there. Store its name. */
static int listen_local(char name[RANDOM_NAME])
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && random_name(name)) {
        append(address.sun_path + 1, sizeof address.sun_path - 1, 0, name);
        size_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
        if (bind(made, (struct sockaddr *)&address, (socklen_t)length) == 0 &&
            listen(made, MAX_SESSIONS) == 0)
            return made;
    }
    if (made >= 0)
        close(made);
    name[0] = 0;
    return -1;
}

static int listen_tcp(const struct options *options, int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
    socklen_t length = sizeof address;
    int one = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || inet_pton(AF_INET, options->host, &address.sin_addr) != 1)
        return -1;
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(made, (struct sockaddr *)&address, length) != 0 || listen(made, MAX_SESSIONS) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &length) != 0)
        return -1;
    *port = ntohs(address.sin_port);
    return made;
}

/* Return whether only programs of this machine can connect. */
static bool is_loopback(const char *host)
{
    struct in_addr address;
    return inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

/* Start a process that stays connected with a tracker or a proxy, and ends with this one. */
static void start_companion(struct server *server, const char *place, const char *key,
    const char *address, const char *lacks, bool is_proxy)
{
    const struct options *options = &server->options;
    struct announced own = {place, key, options->token, address, lacks, options->limits};
    if (place == NULL || (is_proxy && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
            server->clients) != 0))
        return;
    if (fork() == 0) {
        close(server->listener);
        close(server->local);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGCHLD, SIG_DFL);
        read_machine();
        if (is_proxy)
            wait_always(&own, server->clients[1]);
        else
            announce_always(&own);
        _exit(1);
    }
    if (is_proxy)
        close(server->clients[1]);
}

static int start_listening(struct server *server)
{
    struct options *options = &server->options;
    int port = 0;
    char lacks[256], address[256];
    if (options->unix_path == NULL && !is_loopback(options->host) && options->token[0] == 0)
        return refuse("a server for other machines needs --token-file", options->host);
    server->listener = options->unix_path != NULL ? listen_unix(options->unix_path)
                                                  : listen_tcp(options, &port);
    if (server->listener < 0)
        return refuse(strerror(errno),
            options->unix_path != NULL ? options->unix_path : options->host);
    if (options->unix_path == NULL && is_loopback(options->host))
        server->local = listen_local(options->local);
    size_t length = append(address, sizeof address, 0, options->unix_path != NULL ? "unix:" : "");
    length = append(address, sizeof address, length,
        options->unix_path != NULL ? options->unix_path : options->host);
    if (options->unix_path == NULL) {
        length = append(address, sizeof address, length, ":");
        append_number(address, sizeof address, length, port);
    }
    printf("listening on %s\n", address);
    name_parts(lacks, sizeof lacks, server->lacks);
    printf("sandbox lacks: %s\n", lacks[0] != 0 ? lacks : "nothing");
    fflush(stdout);
    const char *waiting = options->key;
    char name[RANDOM_NAME];
    if (options->tracker != NULL && options->proxy != NULL) {
        /* The tracker lends this server only, which waits at the proxy under a name of its own. */
        if (!random_name(name))
            return refuse("the system gives no random bytes", strerror(errno));
        waiting = name;
        length = append(address, sizeof address, 0, options->proxy);
        length = append(address, sizeof address, length, "/");
        append(address, sizeof address, length, name);
    }
    start_companion(server, options->tracker, options->key, address, lacks, false);
    start_companion(server, options->proxy, waiting, address, lacks, true);
    return 0;
}

/* ---- sessions -------------------------------------------------------------------------------- */

static void note_signal(int number)
{
    int saved = errno;
    (void)number;
    if (write(signal_pipe, "", 1) < 0)
        errno = saved; /* the pipe is full, so it wakes the server anyway */
    errno = saved;
}

/* Send the last frame of a session, unless the client does not read, and close the connection. */
static void end_connection(int connection, const char *words)
{
    struct stream stream = {.in = connection, .out = connection};
    fcntl(connection, F_SETFL, O_NONBLOCK);
    if (words != NULL)
        send_words(&stream, STATUS_ENDED, RUNTIME_ERROR, words);
    close(connection);
}

/* Enter the sandbox and serve a client; end the process. It ends with the server that has started it.
 * On standard streams, it ends with the stream: Linux would end it with the thread of the client that
 * has started it. */
static void run_session(int in, int out, const struct options *options)
{
    char lacks[256];
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    if (!options->is_stdio)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct itimerval timer = {{0, 0}, {HANDSHAKE_MS / 1000, 0}};
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    read_machine();
    setitimer(ITIMER_REAL, &timer, NULL);
    bool may_poll = has_processors && is_socket(in);
    name_parts(lacks, sizeof lacks, enter_sandbox(2 * options->limits.memory_bytes));
    const struct host own = {options->token, lacks, options->local, options->limits, may_poll};
    serve_session(in, out, &own);
    _exit(0);
}

/* Return the first row without a session, or -1 if there is none. */
static int free_row(const struct server *server)
{
    for (int row = 0; row < server->options.sessions; row++)
        if (server->sessions[row].process == 0)
            return row;
    return -1;
}

/* Return whether a client has to wait for sessions whose clients are gone; end them now. */
static bool makes_room(struct server *server)
{
    bool is_waiting = false;
    for (int row = 0; row < MAX_SESSIONS && free_row(server) < 0; row++)
        if (server->sessions[row].process != 0 && server->sessions[row].is_gone) {
            kill(server->sessions[row].process, SIGKILL);
            is_waiting = true;
        }
    return is_waiting;
}

/* Start the session of a client that connects to a listener, or that a proxy has sent (-1). */
static void accept_client(struct server *server, int listener)
{
    int one = 1, row = free_row(server);
    if (makes_room(server))
        return; /* it is accepted when they have ended */
    int connection = listener < 0 ? receive_file(server->clients[0])
                                  : accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0)
        return;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (row < 0) {
        end_connection(connection, "the server has no room for another session");
        return;
    }
    pid_t process = fork();
    if (process == 0) {
        close(server->listener);
        close(server->local);
        close(server->clients[0]);
        close(server->signals[0]);
        close(server->signals[1]);
        for (int other = 0; other < MAX_SESSIONS; other++)
            if (server->sessions[other].process != 0)
                close(server->sessions[other].connection);
        run_session(connection, connection, &server->options);
    }
    if (process < 0) {
        end_connection(connection, "the system has no room for another process");
        return;
    }
    server->sessions[row] = (struct served){
        process, connection, now_ms() + server->options.limits.timeout_ms + GRACE_MS, false};
}

/* Write why a process has ended; nothing if it ended as planned. */
static void explain(char *words, size_t room, int status)
{
    words[0] = 0;
    if (!WIFSIGNALED(status))
        return;
    int number = WTERMSIG(status);
    size_t length = append(words, room, 0, number == SIGALRM || number == SIGKILL
            ? "the time of the session is up, or the client is gone: signal "
            : "the process of the session crashed: signal ");
    length = append_number(words, room, length, number);
    length = append(words, room, length, " (");
    length = append(words, room, length, strsignal(number));
    append(words, room, length, ")");
}

static void collect_processes(struct server *server)
{
    char words[256], byte[64];
    int status;
    pid_t process;
    if (read(server->signals[0], byte, sizeof byte) < 0 && errno != EAGAIN)
        return;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0)
        for (int row = 0; row < MAX_SESSIONS; row++)
            if (server->sessions[row].process == process) {
                explain(words, sizeof words, status);
                end_connection(server->sessions[row].connection, words[0] != 0 ? words : NULL);
                server->sessions[row].process = 0;
            }
}

/* End the sessions whose time is up. Return the milliseconds until the next one, or -1. */
static int end_late_sessions(struct server *server)
{
    int64_t now = now_ms(), next = -1;
    for (int row = 0; row < MAX_SESSIONS; row++) {
        struct served *served = &server->sessions[row];
        if (served->process == 0)
            continue;
        if (served->deadline_ms <= now) {
            kill(served->process, SIGKILL);
            served->deadline_ms = now + GRACE_MS;
        }
        if (next < 0 || served->deadline_ms - now < next)
            next = served->deadline_ms - now;
    }
    return next > 1 << 30 ? 1 << 30 : (int)next;
}

/* Wait for a client, the end of a process, or the end of a client. */
static void wait_for_events(struct server *server)
{
    enum { OWN = 4 };
    struct pollfd files[MAX_SESSIONS + OWN] = {{server->listener, POLLIN, 0},
        {server->signals[0], POLLIN, 0}, {server->clients[0], POLLIN, 0},
        {server->local, POLLIN, 0}};
    int rows[MAX_SESSIONS + OWN], count = OWN;
    for (int row = 0; row < MAX_SESSIONS; row++)
        if (server->sessions[row].process != 0 && !server->sessions[row].is_gone) {
            rows[count] = row;
            files[count++] = (struct pollfd){server->sessions[row].connection, POLLRDHUP, 0};
        }
    if (poll(files, (nfds_t)count, end_late_sessions(server)) < 0)
        return;
    for (int at = OWN; at < count; at++)
        if (files[at].revents != 0) {
            struct served *served = &server->sessions[rows[at]];
            served->is_gone = true;
            served->deadline_ms = now_ms() + GRACE_MS;
        }
    if (files[1].revents != 0)
        collect_processes(server);
    if (files[0].revents != 0)
        accept_client(server, server->listener);
    if (files[3].revents != 0)
        accept_client(server, server->local);
    if (files[2].revents & POLLIN)
        accept_client(server, -1);
    else if (files[2].revents != 0)
        server->clients[0] = -1; /* the process at the proxy has ended */
}

/* Return what the sandbox of a new process does not have. */
static int32_t probe_sandbox(uint64_t memory_bytes)
{
    int status = 0;
    pid_t process = fork();
    if (process == 0)
        _exit(enter_sandbox(memory_bytes));
    waitpid(process, &status, 0);
    return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : LACKS_FILTER | LACKS_MEMORY;
}

int main(int count, char **words)
{
    static struct server server = {.options = {.host = "127.0.0.1", .key = MACHINE_NAME},
        .local = -1, .clients = {-1, -1}};
    int status = read_options(&server.options, count, words);
    if (status != 0)
        return status;
    if (server.options.is_stdio)
        run_session(dup(0), dup(1), &server.options);
    server.lacks = probe_sandbox(2 * server.options.limits.memory_bytes);
    if (pipe2(server.signals, O_CLOEXEC | O_NONBLOCK) != 0)
        return refuse("no pipe can be made", strerror(errno));
    signal_pipe = server.signals[1];
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, note_signal);
    if ((status = start_listening(&server)) != 0)
        return status;
    for (;;)
        wait_for_events(&server);
}
