/* Calls through libtesela_blas on devices with little memory, where tasks compute on threads of their own. Calls of those
 * threads to the host library do not come back to an entry of ours: they would wait, for ever, for the call they are part of. A
 * call for which there is no memory goes to the host library, whatever other threads compute meanwhile. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

enum { TALL = 200, WIDE = 96, ORDER = 400, SMALL = 40, ROUNDS = 30, LWORK = 64 * TALL };

void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info);
void dgelqf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau, double *work, const int *lwork, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k, const double *a, const int *lda, const double *tau, double *c,
             const int *ldc, double *work, const int *lwork, int *info);
void dormlq_(const char *side, const char *trans, const int *m, const int *n, const int *k, const double *a, const int *lda, const double *tau, double *c,
             const int *ldc, double *work, const int *lwork, int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *piv, int *info);
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha, const double *a, const int *lda, const double *b,
            const int *ldb, const double *beta, double *c, const int *ldc);

static double start[ORDER * ORDER], a[ORDER * ORDER], c[TALL * TALL], tau[TALL], work[LWORK];

/* |Q R - A|, with A = start, Q R in a and tau as dgeqrf leaves them */
static double off(int m, int n)
{
    const int lwork = LWORK;
    int info = 1;
    double worst = 0;
    memset(c, 0, sizeof c);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i <= j && i < m; ++i) c[i + j * m] = a[i + j * m];
    dormqr_("L", "N", &m, &n, &n, a, &m, tau, c, &m, work, &lwork, &info);
    for (int i = 0; i < m * n; ++i) worst = worse(worst, fabs(c[i] - start[i]));
    return info ? INFINITY : worst;
}

/* |L Q - A|, the same of dgelqf */
static double off_lq(int m, int n)
{
    const int lwork = LWORK;
    int info = 1;
    double worst = 0;
    memset(c, 0, sizeof c);
    for (int j = 0; j < m; ++j)
        for (int i = j; i < m; ++i) c[i + j * m] = a[i + j * m];
    dormlq_("R", "N", &m, &n, &m, a, &m, tau, c, &m, work, &lwork, &info);
    for (int i = 0; i < m * n; ++i) worst = worse(worst, fabs(c[i] - start[i]));
    return info ? INFINITY : worst;
}

/* Of every width: one panel, several, and more than one block of LAPACK's; Q^T Q = I */
static void tall_panels(void)
{
    static const int widths[] = {1, 10, 16, 17, 40, WIDE};
    const int m = TALL, lwork = LWORK;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w) {
        int n = widths[w], info = 1;
        memcpy(a, start, sizeof(double[TALL]) * (size_t)n);
        dgeqrf_(&m, &n, a, &m, tau, work, &lwork, &info);
        double gap = off(m, n);
        check(info == 0 && gap < 1e-11, "dgeqrf_ of width %d: info %d, off %g", n, info, gap);
        dorgqr_(&m, &n, &n, a, &m, tau, work, &lwork, &info);
        double worst = 0;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i <= j; ++i) {
                double sum = -(i == j);
                for (int k = 0; k < m; ++k) sum += a[k + i * m] * a[k + j * m];
                worst = worse(worst, fabs(sum));
            }
        check(info == 0 && worst < 1e-12, "dorgqr_ of width %d: info %d, off %g", n, info, worst);
        memcpy(a, start, sizeof a);
        dgelqf_(&n, &m, a, &n, tau, work, &lwork, &info);
        gap = off_lq(n, m);
        check(info == 0 && gap < 1e-11, "dgelqf_ of height %d: info %d, off %g", n, info, gap);
    }
    checked("tall panels");
}

static bool over;

static void *multiply(void *unused)
{
    static double x[SMALL * SMALL], y[SMALL * SMALL];
    const int n = SMALL;
    const double one = 1, zero = 0;
    long products = 0;
    (void)unused;
    for (int i = 0; i < n; ++i) x[i * (n + 1)] = 2;
    for (; !__atomic_load_n(&over, __ATOMIC_RELAXED); ++products) dgemm_("N", "N", &n, &n, &n, &one, x, &n, x, &n, &zero, y, &n);
    return (void *)(intptr_t)(products && y[0] == 4 && y[n * n - 1] == 4 ? products : 0);
}

/* How often a text says it */
static int said(const char *text, const char *what)
{
    int times = 0;
    for (const char *at = text; text && (at = strstr(at, what)); ++at) times++;
    return times;
}

/* A panel of this order is more than a device has memory for, so it is refused before it is begun; the log, which is kept here,
 * says so. */
static void refused(void)
{
    char *log = NULL;
    size_t length = 0;
    FILE *before = stderr, *kept = open_memstream(&log, &length);
    const int n = ORDER;
    static int piv[ORDER], want[ORDER];
    static double right[ORDER * ORDER];
    pthread_t other;
    void *products = NULL;
    int info = 1;
    check(kept != NULL, "a place for the log");
    if (kept) stderr = kept;
    memcpy(a, start, sizeof a);
    dgetrf_(&n, &n, a, &n, want, &info);
    check(info == 0, "alone: info %d", info);
    memcpy(right, a, sizeof a);
    bool there = !pthread_create(&other, NULL, multiply, NULL);
    check(there, "a thread");
    for (int k = 0; k < ROUNDS; ++k) {
        memcpy(a, start, sizeof a);
        info = 1;
        dgetrf_(&n, &n, a, &n, piv, &info);
        check(info == 0 && !memcmp(a, right, sizeof a) && !memcmp(piv, want, sizeof piv), "round %d: info %d", k, info);
    }
    __atomic_store_n(&over, true, __ATOMIC_RELAXED);
    if (there) pthread_join(other, &products);
    stderr = before;
    if (kept) fclose(kept);
    int times = said(log, "dgetrf (400 x 400 x 1): host library: dgetrf: a task on tiles of 400 x 16 needs");
    check(times == ROUNDS + 1, "%d calls of %d were refused for want of memory", times, ROUNDS + 1);
    check(said(log, "dgemm (40 x 40 x 40): Tesela: ") > 0 && !said(log, "dgemm (40 x 40 x 40): host library: "), "products on the devices");
    free(log);
    check(products != NULL, "no right product beside it");
    checked("calls without memory beside %ld of another thread", (long)(intptr_t)products);
}

int main(void)
{
    setenv("TESELA_LOG", "info", 1); /* before the first call, which reads it */
    for (int i = 0; i < ORDER * ORDER; ++i) start[i] = sin(i * 1.7 + i % 13);
    tall_panels();
    refused();
    return tap_done();
}
