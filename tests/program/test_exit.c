/* The end of a program with work in flight. Each case is a program of its own that ends with status 7, in time, and says
 * nothing. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

enum { N = 600, TILE = 32, THREADS = 3, STATUS = 7, TIMES = 10 };

static double a[N * N];

static void fill(double *to, int n)
{
    for (int i = 0; i < n * n; i++) to[i] = i % (n + 1) ? 0.001 * (i % 7) : n;
}

static tsl_context *make(const char *devices, const tsl_allocator *allocator)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    cfg.allocator = allocator;
    if (tsl_context_create(&cfg, &x)) _exit(1);
    return x;
}

/* By tiles, in a region, which nobody waits for. */
static void submit(tsl_context *x)
{
    tsl_matrix *A = NULL;
    fill(a, N);
    if (tsl_tiled_wrap(x, TSL_D, N, N, a, N, TILE, &A) || tsl_begin(x) || tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL)) _exit(1);
}

/* Flat, on a matrix of the device's. */
static void launch(tsl_context *x)
{
    tsl_matrix *A = NULL, *B = NULL;
    fill(a, N);
    if (tsl_matrix_create(x, TSL_D, N, N, &A) || tsl_matrix_wrap(x, TSL_D, N, N, a, N, &B) || tsl_set(x, "tile", "48")) _exit(1);
    if (tsl_copy(x, tsl_whole(B), tsl_whole(A))) _exit(1);
    for (int i = 0; i < 9; i++)
        if (tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL)) _exit(1);
}

static int stopped, failed;

/* Calls without end: small ones, or ones that take a while. */
typedef struct busy {
    tsl_context *x;
    int n;
} busy;

static void *call(void *arg)
{
    const busy *b = arg;
    double *own = malloc(sizeof *own * (size_t)(b->n * b->n));
    int64_t info;
    while (own && !__atomic_load_n(&stopped, __ATOMIC_RELAXED)) {
        fill(own, b->n);
        if (tsl_dpotrf(b->x, 'L', b->n, own, b->n, &info)) __atomic_store_n(&failed, 1, __ATOMIC_RELAXED);
    }
    free(own);
    return NULL;
}

static pthread_t thread[THREADS];

static void begin_calls(tsl_context *x, int n)
{
    static busy b;
    b = (busy){x, n};
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, call, &b)) _exit(1);
    usleep(3000);
}

static void *dies(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    static int ends; /* two threads must not call exit() */
    if (__atomic_load_n(&stopped, __ATOMIC_RELAXED) && !__atomic_exchange_n(&ends, 1, __ATOMIC_RELAXED)) exit(STATUS);
    return malloc(bytes);
}

static void drops(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

/* As the destructor of a pool of threads: it was made before any context. Their calls are good to the last. */
static void join(void)
{
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    if (__atomic_load_n(&failed, __ATOMIC_RELAXED)) _exit(2);
}

static void *leave(void *unused)
{
    (void)unused;
    exit(STATUS);
}

/* Its code stays while its threads run. */
static int unload(void)
{
    char path[4096 + 32] = "";
    ssize_t length = readlink("/proc/self/exe", path, 4096);
    while (length > 0 && path[length - 1] != '/') length--;
    strcpy(path + length, "../libtesela.so");
    for (int i = 0; i < 2; i++) {
        void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!lib) return 77;
        __typeof__(&tsl_context_create) create = (__typeof__(create))dlsym(lib, "tsl_context_create");
        __typeof__(&tsl_dpotrf) potrf = (__typeof__(potrf))dlsym(lib, "tsl_dpotrf");
        __typeof__(&tsl_set) set = (__typeof__(set))dlsym(lib, "tsl_set");
        tsl_context *x = NULL;
        int64_t info;
        fill(a, N);
        if (!create || create(NULL, &x) || set(x, "path", "tiles") || set(x, "tile", "64") || potrf(x, 'L', N, a, N, &info)) return 1;
        dlclose(lib);
    }
    usleep(10000);
    return STATUS;
}

static int fork_then(void)
{
    tsl_context *x = make("host:2", NULL);
    submit(x);
    int status = -1;
    pid_t child = fork();
    if (child == 0) exit(STATUS); /* with all the parent's handlers */
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static const char *const cases[] = {
    "submitted by tiles on host:4", "submitted by tiles on host", "launched on host", "launched on host:2", "small calls of threads",
    "large calls of threads", "calls of threads by tiles", "calls on the default context", "threads joined by a handler", "quick_exit", "_exit",
    "a child of fork", "exit by another thread", "exit by an allocator", "dlclose",
};

static int run(int which)
{
    static const tsl_allocator dying = {dies, drops, NULL};
    pthread_t t;
    setenv("TESELA_DEVICES", "host", 1);
    switch (which) {
    case 0: submit(make("host:4", NULL)); break;
    case 1: submit(make("host", NULL)); break;
    case 2: launch(make("host", NULL)); break;
    case 3: launch(make("host:2", NULL)); break;
    case 4: begin_calls(make("host", NULL), 12); break;
    case 5: begin_calls(make("host", NULL), 300); break;
    case 6: begin_calls(make("host:3", NULL), 300); break;
    case 7: begin_calls(NULL, 100); break;
    case 8:
        atexit(join);
        begin_calls(make("host", NULL), 60);
        break;
    case 9: submit(make("host:4", NULL)), quick_exit(STATUS);
    case 10: submit(make("host:4", NULL)), _exit(STATUS);
    case 11: return fork_then();
    case 12:
        submit(make("host:4", NULL));
        if (!pthread_create(&t, NULL, leave, NULL)) pause();
        break;
    case 13: {
        tsl_context *x = make("host:2", &dying);
        tsl_matrix *A = NULL;
        submit(x);
        __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED); /* from now on, on whatever thread */
        tsl_wait(x);
        tsl_matrix_create(x, TSL_D, N, N, &A);
        return 1;
    }
    case 14: return unload();
    }
    return STATUS;
}

static void repeat(int which, char *program)
{
    int here = 1;
    for (int r = 0; r < TIMES && here; r++) {
        char number[12];
        snprintf(number, sizeof number, "%d", which);
        int said[2], status = -1;
        if (pipe(said)) return;
        pid_t child = fork();
        if (child == 0) {
            dup2(said[1], STDOUT_FILENO), dup2(said[1], STDERR_FILENO);
            close(said[0]), close(said[1]);
            alarm(60); /* a hang is a failure */
            execl("/proc/self/exe", program, number, (char *)NULL);
            _exit(1);
        }
        close(said[1]);
        char text[400] = "";
        ssize_t got = read(said[0], text, sizeof text - 1);
        close(said[0]);
        waitpid(child, &status, 0);
        here = !(WIFEXITED(status) && WEXITSTATUS(status) == 77);
        check(!here || (WIFEXITED(status) && WEXITSTATUS(status) == STATUS && got == 0), "time %d: status %x: %s", r, (unsigned)status, text);
    }
    if (here) checked("%s", cases[which]);
    else skip("%s: no shared library here", cases[which]), tap_group = 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) return run(atoi(argv[1]));
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) repeat(i, argv[0]);
    return tap_done();
}
