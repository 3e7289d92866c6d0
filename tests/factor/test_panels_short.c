/* LU, QR, LQ, their Q and solves where a device has room for some of the panels only: the same bits as where all fit, and block
 * columns pass by as often as they must, not once for every panel. */
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "tiled.h"

enum { T = 24, NB = 16, N = T * NB, SLOTS = 20, TAIL = 5 };
#define TILE (N * NB * sizeof(double))

typedef struct data {
    double *a, *b, *tau;
    int64_t *p;
} data;

static tsl_status qr(tsl_context *x, data *d) { return tsl_dgeqrf(x, N, N, d->a, N, d->tau, NULL); }
static tsl_status lq(tsl_context *x, data *d) { return tsl_dgelqf(x, N, N, d->a, N, d->tau, NULL); }
static tsl_status wide_qr(tsl_context *x, data *d) { return tsl_dgeqrf(x, N - 2 * NB - TAIL, N, d->a, N, d->tau, NULL); }
static tsl_status with_q(tsl_context *x, data *d) { return tsl_dormqr(x, 'L', 'T', N, N, N, d->a, N, d->tau, d->b, N, NULL); }
static tsl_status with_lq(tsl_context *x, data *d) { return tsl_dormlq(x, 'R', 'N', N, N, N, d->a, N, d->tau, d->b, N, NULL); }
static tsl_status whole_q(tsl_context *x, data *d) { return tsl_dorgqr(x, N, N, N, d->a, N, d->tau, NULL); }
static tsl_status whole_lq(tsl_context *x, data *d) { return tsl_dorglq(x, N, N, N, d->a, N, d->tau, NULL); }
static tsl_status some_q(tsl_context *x, data *d) { return tsl_dorgqr(x, N, N, N / 2 + TAIL, d->a, N, d->tau, NULL); }
static tsl_status lu(tsl_context *x, data *d) { return tsl_dgetrf(x, N, N, d->a, N, d->p, NULL); }
static tsl_status solve(tsl_context *x, data *d) { return tsl_dgetrs(x, 'N', N, N, d->a, N, d->p, d->b, N, NULL); }
static tsl_status solve_inc(tsl_context *x, data *d) { return tsl_dgesv_incpiv(x, N, N, d->a, N, d->b, N, NULL); }
static tsl_status squares_inc(tsl_context *x, data *d) { return tsl_dgels_inc(x, N, N, N, d->a, N, d->b, N, NULL); }

/* Block columns that stay are nine tiles wide or more, so there are three at most. Of a factorization, or of Q, a column passes
 * by once for each that comes after it, half of them on average; of what is applied to b, once for each of b's. LU comes once
 * more for its last exchanges; solves have L and U pass by, and b comes for its exchanges and for each of them. What comes when
 * depends on threads: a sixth is left to that. */
static const struct {
    const char *name;
    tsl_status (*before)(tsl_context *, data *), (*call)(tsl_context *, data *);
    double come, go; /* matrices to the device and back, at most */
} cases[] = {
    {"qr", NULL, qr, 3, 1.6},
    {"lq", NULL, lq, 3, 1.6},
    {"wide qr", NULL, wide_qr, 3, 1.6},
    {"q times b", qr, with_q, 5.3, 2},
    {"b times q of lq", lq, with_lq, 5.3, 2},
    {"q", qr, whole_q, 3, 1.6},
    {"q of lq", lq, whole_lq, 3, 1.6},
    {"some of q", qr, some_q, 3, 1.6},
    {"lu", NULL, lu, 4.6, 2.5},
    {"solve", lu, solve, 10, 3.7},
    {"incremental solve", NULL, solve_inc, 9.2, 5},
    {"incremental least squares", NULL, squares_inc, 10.8, 5},
};

static data make_data(void)
{
    data d = {malloc(N * N * sizeof(double)), malloc(N * N * sizeof(double)), calloc(N, sizeof(double)), calloc(N, sizeof(int64_t))};
    uint64_t s = 7;
    for (int i = 0; i < 2 * N * N; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        (i < N * N ? d.a : d.b)[i % (N * N)] = (double)(s >> 11) * 0x1p-53 - 0.5;
    }
    return d;
}

static void data_free(data *d) { free(d->a), free(d->b), free(d->tau), free(d->p); }

static bool same(const data *x, const data *y)
{
    return !memcmp(x->a, y->a, N * N * sizeof(double)) && !memcmp(x->b, y->b, N * N * sizeof(double)) && !memcmp(x->tau, y->tau, N * sizeof(double)) &&
           !memcmp(x->p, y->p, N * sizeof(int64_t));
}

static data compute(const char *devices, size_t k, tsl_counters *n)
{
    data d = make_data();
    tsl_context *x = make(devices);
    check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", "16"), "%s: by tiles", devices);
    tsl_status st = cases[k].before ? cases[k].before(x, &d) : TSL_OK;
    if (!st) st = tsl_counters_reset(x);
    if (!st) st = cases[k].call(x, &d);
    if (!st) st = tsl_counters_get(x, n);
    check(!st, "%s, %s: %s", devices, cases[k].name, tsl_error(x));
    tsl_context_destroy(x);
    return d;
}

int main(void)
{
    char devices[3][40];
    snprintf(devices[0], sizeof devices[0], "host:1,mem=%zu", SLOTS * TILE);
    snprintf(devices[1], sizeof devices[1], "host:2,mem=%zu", SLOTS * TILE / 2);
    snprintf(devices[2], sizeof devices[2], "host:1,mem=%zu", 5 * TILE);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tsl_counters n;
        data all = compute("host:1", k, &n);
        for (int i = 0; i < 3; i++) {
            data some = compute(devices[i], k, &n);
            check(same(&all, &some), "%s, %s: other bits", devices[i], cases[k].name);
            double came = (double)n.bytes_to_device / (double)(T * TILE), went = (double)n.bytes_to_host / (double)(T * TILE);
            check(n.evictions > 0, "%s, %s: all fits", devices[i], cases[k].name);
            check(i > 0 || (came <= cases[k].come && went <= cases[k].go), "%s: %.2f matrices to the device, %.2f back", cases[k].name, came, went);
            data_free(&some);
        }
        data_free(&all);
        checked("%s where not all panels fit", cases[k].name);
    }
    return tap_done();
}
