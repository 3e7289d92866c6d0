/* QR and LQ of matrices of every kind and shape, by every way in and every variant: residual, orthogonality, and LAPACK's
 * factors, signs and all, where they are well determined. */
#include "qr.h"

#define BOUND 30.0

static const int64_t shapes[][2] = {{1, 1}, {1, 5}, {5, 1}, {7, 7}, {33, 20}, {20, 33}, {65, 65}, {100, 70}, {70, 100}, {120, 33}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The largest difference, over |A| */
static double off(const dense *a, const dense *b, double size)
{
    double most = 0;
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = 0; i < a->m; i++) {
            double d = cabs(dense_get(a, i, j) - dense_get(b, i, j)) / size;
            most = d <= most ? most : isnan(d) ? INFINITY : d;
        }
    return most;
}

static void factored(env *e, tsl_type t, int64_t m, int64_t n, qr_kind kind, bool lq, const char *how)
{
    dense A = qr_matrix(t, m, n, kind, (uint64_t)(m + 7 * n)), was = dense_copy(&A), theirs = dense_copy(&A);
    dense tau = qr_factors(t, qr_min(m, n)), wanted = dense_copy(&tau), first = dense_copy(&tau);
    job b = qr_job(TSL_OP_GEQRF, &A, lq ? qr_herm(t) : TSL_NOTRANS, &tau, NULL);
    operand F = b.v[0], before = {.d = &was, .op = F.op};
    char who[128];
    snprintf(who, sizeof who, "%s %c%s %d x %d %s", how, tsl_type_letter(t), lq ? "gelqf" : "geqrf", (int)m, (int)n, qr_kind_name[kind]);
    qr_lapack(&theirs, &wanted, lq);
    tsl_status st = job_run(e, &b);
    check(st == TSL_OK && b.info == 0, "%s: %s %s", who, tsl_status_name(st), tsl_error(e->ctx));
    double r = qr_residual(&before, &F, &tau), o = qr_orthogonality(&F, &tau);
    check(r < BOUND && o < BOUND, "%s: residual %g, orthogonality %g", who, r, o);
    double many = 100 * (double)qr_max(m, n) * tsl_type_eps(t), size = (double)qr_max(m, n), close = off(&A, &theirs, size), same = off(&tau, &wanted, 1);
    if (kind == RANDOM || (kind == TRIANGLE && !lq)) check(close < many && same < many, "%s: factors off LAPACK's by %g, tau by %g", who, close, same);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&tau, &first, TSL_GENERAL) == 0, "%s: wrote outside", who);
    dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&tau), dense_free(&wanted), dense_free(&first);
}

/* Each as QR and as LQ, or `some`: a third of them, in turn */
static void all_kinds(env *e, tsl_type t, int64_t m, int64_t n, bool some, const char *how)
{
    static int turn;
    for (int kind = 0; kind < QR_KINDS; kind++)
        for (int lq = 0; lq < 2; lq++)
            if (!some || ++turn % 3 == 0) factored(e, t, m, n, (qr_kind)kind, lq, how);
}

static void ways_in(env *e)
{
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (int s = 0; s < SHAPES; s++) all_kinds(e, t, shapes[s][0], shapes[s][1], shapes[s][0] > 64, "");
        checked("%s: %cgeqrf, %cgelqf", env_name(e), tsl_type_letter(t), tsl_type_letter(t));
    }
}

static void variants(const char *devices)
{
    static const char *const names[] = {"right", "ahead", "leaf"}, *const tiles[] = {"7", "48"};
    env e = {.ctx = context_on(devices), .spec = devices, .via = VIA_WRAPPED};
    tsl_status st = e.ctx ? TSL_OK : TSL_ERR_NO_DEVICE;
    for (int v = 0; v < 3 && !st; v++)
        for (int k = 0; k < 2; k++) {
            e.tile = tiles[k];
            st = tsl_set(e.ctx, "variant", names[v]);
            if (!st) st = tsl_set(e.ctx, "tile", e.tile);
            check(!st, "%s", tsl_error(e.ctx));
            for (int i = 0; i < 4; i++)
                for (int s = 3; s < SHAPES; s += 1 + (i > 1)) all_kinds(&e, all_types[i], shapes[s][0], shapes[s][1], v + k > 0, names[v]);
            checked("%s: by %s, blocks of %s", e.spec, names[v], e.tile);
        }
    tsl_context_destroy(e.ctx);
}

int main(void)
{
    for_each_env(ways_in);
    variants("host");
    variants("host:1,mem=64M");
    variants("cuda");
    return tap_done();
}
