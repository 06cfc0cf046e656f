/* The sandbox of a session: what its process may use, and which system calls it may make.
 *
 * The code of an uploaded library runs in this process, so the limits are those of the kernel. A
 * part that the kernel or the build does not have is reported, and the server prints it at start.
 */

#include <grp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

enum { LACKS_PRIVILEGES = 1, LACKS_FILTER = 2, LACKS_MEMORY = 4, LACKS_LIMITS = 8 };
static const char *const SANDBOX_PARTS[] = {"no new privileges", "a filter of system calls",
    "a limit of memory", "limits of files and processes"};

#if defined(__x86_64__)
static const uint32_t ARCHITECTURE = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t ARCHITECTURE = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
static const uint32_t ARCHITECTURE = AUDIT_ARCH_RISCV64;
#else
static const uint32_t ARCHITECTURE = 0; /* no filter */
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#define HAS_SANITIZER __has_feature(address_sanitizer)
#else
#define HAS_SANITIZER 0
#endif

/* The system calls of a session: it reads and writes its connection, and manages memory and its own
 * threads. `clone` and `tgkill` are apart: only for threads of the process. */
static const uint32_t ALLOWED[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_recvfrom, SYS_close, SYS_mmap, SYS_munmap, SYS_mprotect,
    SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_clock_gettime, SYS_clock_nanosleep,
    SYS_nanosleep, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask,
    SYS_rt_sigaction, SYS_sched_yield, SYS_sched_getaffinity, SYS_getrandom, SYS_set_robust_list,
    SYS_gettid, SYS_getpid, SYS_setitimer, SYS_set_tid_address, SYS_restart_syscall,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
};

enum { ALLOWED_COUNT = sizeof ALLOWED / sizeof *ALLOWED };

static const uint32_t THREAD_FLAG = 0x00010000; /* CLONE_THREAD */

#define STATEMENT(code, value) ((struct sock_filter){(code), 0, 0, (value)})
#define COMPARE(value, yes, no) ((struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, (yes), (no), (value)})
#define LOAD_FIELD(field) STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) STATEMENT(BPF_RET | BPF_K, (value))

/* Let the kernel refuse all other system calls, with EPERM. Return whether it does. */
static bool filter_calls(void)
{
    struct sock_filter code[ALLOWED_COUNT + 20];
    unsigned short at = 0;
    code[at++] = LOAD_FIELD(arch);
    code[at++] = COMPARE(ARCHITECTURE, 1, 0);
    code[at++] = RETURN(SECCOMP_RET_KILL_PROCESS);
    code[at++] = LOAD_FIELD(nr);
    for (uint8_t row = 0; row < ALLOWED_COUNT; row++)
        code[at++] = COMPARE(ALLOWED[row], (uint8_t)(ALLOWED_COUNT - row + 10), 0);
    /* signals to a thread of this process: the first argument */
    code[at++] = COMPARE(SYS_tgkill, 0, 3);
    code[at++] = LOAD_FIELD(args[0]);
    code[at++] = COMPARE((uint32_t)getpid(), 8, 0);
    code[at++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
    /* clone with the flag of threads: the low half of the first argument */
    code[at++] = COMPARE(SYS_clone, 0, 3);
    code[at++] = LOAD_FIELD(args[0]);
    code[at++] = ((struct sock_filter){BPF_JMP | BPF_JSET | BPF_K, 4, 0, THREAD_FLAG});
    code[at++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
#ifdef SYS_clone3
    code[at++] = COMPARE(SYS_clone3, 0, 1); /* libraries use clone then */
#else
    code[at++] = COMPARE(UINT32_MAX, 0, 1);
#endif
    code[at++] = RETURN(SECCOMP_RET_ERRNO | ENOSYS);
    code[at++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
    code[at++] = RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {at, code};
    return ARCHITECTURE != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static bool set_limit(int resource, uint64_t value)
{
    struct rlimit limit = {(rlim_t)value, (rlim_t)value};
    return setrlimit(resource, &limit) == 0;
}

/* Become the user nobody, if this is root: the kernel limits the threads of all users but root.
 * A sanitizer cannot look for leaks in a process that has changed its user. */
static bool leave_root(void)
{
    enum { NOBODY = 65534 };
    if (geteuid() != 0 || HAS_SANITIZER)
        return true;
    int signal_of_parent = 0; /* setuid clears it */
    prctl(PR_GET_PDEATHSIG, &signal_of_parent);
    bool is_done = setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
    return prctl(PR_SET_PDEATHSIG, signal_of_parent) == 0 && is_done;
}

/* Enter the sandbox; return a bit for each part that is not there. */
static int32_t enter_sandbox(uint64_t memory_bytes)
{
    enum { MAX_TASKS = 4096 }; /* of the user: all processes and threads */
    int32_t lacks = 0;
    bool is_limited = leave_root() && set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_FSIZE, 0) &&
                      set_limit(RLIMIT_NOFILE, 16) && set_limit(RLIMIT_NPROC, MAX_TASKS);
    if (!is_limited)
        lacks |= LACKS_LIMITS;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        lacks |= LACKS_PRIVILEGES;
    /* A sanitizer reserves terabytes, and reads files for its reports. */
    if (HAS_SANITIZER || !set_limit(RLIMIT_AS, memory_bytes))
        lacks |= LACKS_MEMORY;
    if (HAS_SANITIZER || (lacks & LACKS_PRIVILEGES) || !filter_calls())
        lacks |= LACKS_FILTER;
    return lacks;
}

/* Write the names of the parts that are not there, with commas. */
static void name_parts(char *text, size_t room, int32_t lacks)
{
    size_t length = 0;
    text[0] = 0;
    for (int32_t part = 0; part < 4; part++)
        if (lacks >> part & 1) {
            length = append(text, room, length, length > 0 ? ", " : "");
            length = append(text, room, length, SANDBOX_PARTS[part]);
        }
}
