/* A program that ends while its threads compute: with the status it means to, and without a word. Every second time a handler
 * joins the threads: as that of a pool which was made before the first call, so it runs after the handlers of libraries that
 * were opened since. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum { N = 150, THREADS = 3, STATUS = 7, TIMES = 16 };

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha, const double *a, const int *lda, const double *b,
            const int *ldb, const double *beta, double *c, const int *ldc);

static pthread_t thread[THREADS];
static int stops, wrong;

static void *compute(void *unused)
{
    const int n = N;
    const double one = 1, zero = 0;
    double *a = malloc(sizeof(double[N * N])), *c = malloc(sizeof(double[N * N]));
    int info;
    while (a && c && !__atomic_load_n(&stops, __ATOMIC_RELAXED)) {
        for (int i = 0; i < N * N; ++i) a[i] = i % (N + 1) ? 0.001 : N;
        dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
        dpotrf_("L", &n, c, &n, &info);
        if (info) __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

static void join(void)
{
    __atomic_store_n(&stops, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; ++i) pthread_join(thread[i], NULL);
    if (wrong) _exit(2); /* calls are good to the last */
}

static int ends(int after, bool joins)
{
    alarm(60); /* a hang is a failure */
    if (joins && atexit(join)) return 1;
    for (int i = 0; i < THREADS; ++i)
        if (pthread_create(&thread[i], NULL, compute, NULL)) return 1;
    usleep((unsigned)after);
    return STATUS;
}

int main(int argc, char **argv)
{
    if (argc > 2) return ends(atoi(argv[1]), *argv[2] == '1');
    for (int r = 0; r < TIMES; ++r) {
        char after[12], text[300] = "";
        int said[2], status = -1;
        snprintf(after, sizeof after, "%d", 3000 + 7000 * r);
        if (pipe(said)) return 1;
        pid_t child = fork();
        if (child == 0) {
            dup2(said[1], STDOUT_FILENO), dup2(said[1], STDERR_FILENO);
            close(said[0]), close(said[1]);
            execl("/proc/self/exe", argv[0], after, r % 2 ? "1" : "0", (char *)NULL);
            _exit(1);
        }
        close(said[1]);
        ssize_t got = read(said[0], text, sizeof text - 1);
        close(said[0]);
        waitpid(child, &status, 0);
        check(got == 0 && WIFEXITED(status) && WEXITSTATUS(status) == STATUS, "time %d: status %x: %s", r, (unsigned)status, text);
    }
    checked("the end of a program amidst calls of its threads");
    return tap_done();
}
