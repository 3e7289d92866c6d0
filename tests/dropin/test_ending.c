/* A program that ends while its threads compute: with the status it means to, and without a word. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum { N = 150, THREADS = 3, STATUS = 7, TIMES = 12 };

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha, const double *a, const int *lda, const double *b,
            const int *ldb, const double *beta, double *c, const int *ldc);

static void *compute(void *unused)
{
    const int n = N;
    const double one = 1, zero = 0;
    double *a = malloc(sizeof(double[N * N])), *c = malloc(sizeof(double[N * N]));
    int info;
    while (a && c) {
        for (int i = 0; i < N * N; ++i) a[i] = i % (N + 1) ? 0.001 : N;
        dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
        dpotrf_("L", &n, c, &n, &info);
    }
    return unused;
}

static int ends(int after)
{
    pthread_t t;
    alarm(60); /* a hang is a failure */
    for (int i = 0; i < THREADS; ++i)
        if (pthread_create(&t, NULL, compute, NULL)) return 1;
    usleep((unsigned)after);
    return STATUS;
}

int main(int argc, char **argv)
{
    if (argc > 1) return ends(atoi(argv[1]));
    for (int r = 0; r < TIMES; ++r) {
        char after[12], text[300] = "";
        int said[2], status = -1;
        snprintf(after, sizeof after, "%d", 20000 + 7000 * r);
        if (pipe(said)) return 1;
        pid_t child = fork();
        if (child == 0) {
            dup2(said[1], STDOUT_FILENO), dup2(said[1], STDERR_FILENO);
            close(said[0]), close(said[1]);
            execl("/proc/self/exe", argv[0], after, (char *)NULL);
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
