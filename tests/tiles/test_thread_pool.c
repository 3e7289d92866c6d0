/* A block that all cores copy together is copied whole, and nothing beside it: blocks of many shapes, from several threads at
 * once, with pauses in which the helpers go to sleep and without; in children that are forked meanwhile; and vectors whose
 * elements are apart. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "tap.h"

/* A child starts threads of its own, which the thread sanitizer has to be told. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

enum { THREADS = 3, ROOM = 3 << 20, GUARD = 0xa5 };

static const struct { size_t rows, cols, dst_gap, src_gap; } shapes[] = {
    {1, 1, 0, 0},        {8, 1000, 0, 56},        {1000, 7, 24, 0},   {4096, 300, 0, 3000},     {8192, 128, 0, 8200},
    {131072, 3, 1, 130}, {131073, 3, 0, 1},       {1000003, 2, 5, 0}, {(2 << 20) + 17, 1, 0, 0}, {0, 5, 1, 1},
    {5, 0, 1, 1},        {128 << 10, 16, 0, 0},
};
enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

typedef struct mover {
    unsigned seed;
    int wrong; /* 1 + the first shape that was */
    unsigned char *src, *dst;
} mover;

static bool moved(mover *m, int shape)
{
    size_t rows = shapes[shape].rows, cols = shapes[shape].cols, to = rows + shapes[shape].dst_gap, from = rows + shapes[shape].src_gap;
    size_t end = cols ? (cols - 1) * to + rows : 0;
    memset(m->dst, GUARD, end + 64);
    tsl_thread_pool_move((char *)m->dst, to, (const char *)m->src, from, rows, cols);
    bool right = true;
    for (size_t c = 0; c < cols && right; c++) {
        size_t gap = c + 1 < cols ? to - rows : 64;
        right = !memcmp(m->dst + c * to, m->src + c * from, rows);
        for (size_t i = 0; i < gap && right; i++) right = m->dst[c * to + rows + i] == GUARD;
    }
    return right;
}

static void *move(void *arg)
{
    mover *m = arg;
    for (int turn = 0; turn < 60 && !m->wrong; turn++) {
        int shape = (int)((unsigned)turn * 5 + m->seed) % SHAPES;
        if (!moved(m, shape)) m->wrong = 1 + shape;
        if (turn % 8 == 7) usleep(500);
    }
    return NULL;
}

/* The pool is at work, or about to be, whenever a child is made: the child finds no lock taken, and starts its own helpers. */
static void *move_on(void *arg)
{
    mover *m = arg;
    while (!__atomic_load_n(&m->wrong, __ATOMIC_RELAXED)) (void)moved(m, 4);
    return NULL;
}

static void test_children(mover *busy, mover *own)
{
    pthread_t t;
    if (pthread_create(&t, NULL, move_on, busy)) return;
    for (int i = 0; i < 10; i++) {
        int status = -1;
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            alarm(20);
            _exit(!moved(own, 3) || !moved(own, 4));
        }
        waitpid(child, &status, 0);
        check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child %d: %s", i, WIFSIGNALED(status) ? "it did not end" : "wrong");
        usleep(1000 * (useconds_t)i);
    }
    __atomic_store_n(&busy->wrong, 1, __ATOMIC_RELAXED);
    pthread_join(t, NULL);
    checked("in children of a process that is at it");
}

/* Where one core is all that may be used it says no. */
static void test_vectors(mover *m)
{
    static const int64_t steps[][2] = {{3, 1}, {1, 5}, {7, 2}, {-3, 1}, {4, -1}};
    for (size_t size = 4; size <= 16; size *= 2)
        for (int s = 0; s < (int)(sizeof steps / sizeof *steps); s++) {
            int64_t n = 5003, from = steps[s][0] * (int64_t)size, to = steps[s][1] * (int64_t)size;
            unsigned char *x = m->src + (from < 0 ? -from * (n - 1) : 0), *y = m->dst + (to < 0 ? -to * (n - 1) : 0);
            memset(m->dst, GUARD, ROOM);
            bool done = tsl_thread_pool_copy(n, size, x, from, y, to);
            check(done == (tsl_blas_cores() > 1), "%d cores", tsl_blas_cores());
            bool right = true;
            for (int64_t i = 0; done && i < n; i++) {
                right = right && !memcmp(y + i * to, x + i * from, size);
                memset(y + i * to, GUARD, size);
            }
            for (size_t i = 0; i < ROOM; i++) right = right && m->dst[i] == GUARD;
            check(right, "steps %d, %d of %zu bytes", (int)steps[s][0], (int)steps[s][1], size);
        }
    checked("vectors, and nothing between their elements%s", tsl_blas_cores() > 1 ? "" : " # one core");
}

int main(void)
{
    mover m[THREADS];
    pthread_t t[THREADS];
    int started = 0;
    for (int i = 0; i < THREADS; i++) {
        m[i] = (mover){.seed = 11u * (unsigned)i, .src = malloc(ROOM), .dst = malloc(ROOM)};
        for (size_t k = 0; k < ROOM && m[i].src; k++) m[i].src[k] = (unsigned char)(k * 2654435761u >> 13);
        check(m[i].src && m[i].dst, "memory");
    }
    for (int s = 0; s < SHAPES && m[0].src && m[0].dst; s++) check(moved(&m[0], s), "%zu x %zu alone", shapes[s].rows, shapes[s].cols);
    checked("blocks of %d shapes", SHAPES);
    for (; started < THREADS && m[started].src && m[started].dst; started++)
        if (pthread_create(&t[started], NULL, move, &m[started])) break;
    check(started == THREADS, "%d threads", started);
    for (int i = 0; i < started; i++) {
        pthread_join(t[i], NULL);
        check(!m[i].wrong, "thread %d: shape %d", i, m[i].wrong - 1);
    }
    checked("from %d threads at once", started);
    if (started == THREADS) test_children(&m[0], &m[1]);
    if (started == THREADS) test_vectors(&m[1]);
    for (int i = 0; i < THREADS; i++) free(m[i].src), free(m[i].dst);
    return tap_done();
}
