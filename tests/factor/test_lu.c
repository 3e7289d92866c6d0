/* LU with partial pivoting: P A = L U of matrices of every kind and shape, by every way in and every variant, with LAPACK's
 * pivots and info wherever no rounding decides them. */
#include "lu.h"

#define BOUND 30.0

static const int64_t shapes[][2] = {{1, 1}, {1, 5}, {5, 1}, {7, 7}, {33, 20}, {20, 33}, {64, 64}, {65, 65}, {130, 70}, {70, 130}, {200, 500}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The largest order up to which Wilkinson's matrix is factored exactly in any order of sums. */
static int64_t exact_order(tsl_type t) { return t == TSL_S || t == TSL_C ? 23 : 52; }

/* Partial pivoting leaves no multiplier above one; of complex numbers LAPACK measures the sum of the parts. */
static double largest_multiplier(const dense *F)
{
    double most = 0;
    for (int64_t j = 0; j < F->n; j++)
        for (int64_t i = j + 1; i < F->m; i++) most = worse(most, cabs(dense_get(F, i, j)));
    return most;
}

static void factored(env *e, tsl_type t, int64_t m, int64_t n, lu_kind kind, const char *how)
{
    dense A = lu_matrix(t, m, n, kind, (uint64_t)(m + 7 * n)), was = dense_copy(&A), theirs = dense_copy(&A);
    dense p = lu_pivots(lu_min(m, n)), first = dense_copy(&p), wanted = lu_pivots(lu_min(m, n));
    job b = lu_job(TSL_OP_GETRF, &A, &p, NULL);
    char who[128];
    snprintf(who, sizeof who, "%s %c %d x %d %s", how, tsl_type_letter(t), (int)m, (int)n, lu_kind_name[kind]);
    int64_t info = lu_lapack(&theirs, &wanted);
    tsl_status st = job_run(e, &b);
    check(st == TSL_OK, "%s: %s %s", who, tsl_status_name(st), tsl_error(e->ctx));
    bool pivots = !st && lu_in_range(&p, m);
    check(pivots, "%s: pivots out of range", who);
    double r = pivots ? lu_residual(&was, &A, &p) : INFINITY;
    check(r < BOUND, "%s: residual %g", who, r);
    check(largest_multiplier(&A) <= M_SQRT2 * (1 + 4 * tsl_type_eps(t)), "%s: a multiplier of %g", who, largest_multiplier(&A));
    check(b.info == info || !lu_unique(kind), "%s: info %d, LAPACK's %d", who, (int)b.info, (int)info);
    check(dense_same(&p, &wanted) || !lu_unique(kind), "%s: other pivots than LAPACK's", who);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&p, &first, TSL_GENERAL) == 0, "%s: wrote outside", who);
    dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&p), dense_free(&first), dense_free(&wanted);
}

static void all_kinds(env *e, tsl_type t, int64_t m, int64_t n, const char *how)
{
    static unsigned turn;
    for (int kind = 0; kind < LU_KINDS; kind++)
        if (kind != WILKINSON && is_drawn(turn++, 2)) factored(e, t, m, n, (lu_kind)kind, how);
}

static void ways_in(env *e)
{
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (int s = 0; s < SHAPES; s++) all_kinds(e, t, shapes[s][0], shapes[s][1], "");
        factored(e, t, exact_order(t), exact_order(t), WILKINSON, "");
        checked("%s: %cgetrf", env_name(e), tsl_type_letter(t));
    }
}

static void variants(const char *devices)
{
    static const char *const names[] = {"1", "2", "3", "rec", "ahead", "lazy", "apart", "leaf"}, *const tiles[] = {"7", "48"};
    env e = {.ctx = context_on(devices), .spec = devices, .via = VIA_WRAPPED};
    tsl_status st = e.ctx ? TSL_OK : TSL_ERR_NO_DEVICE;
    for (int v = 0; v < 8 && !st; v++)
        for (int k = 0; k < 2; k++) {
            e.tile = tiles[k];
            st = tsl_set(e.ctx, "variant", names[v]);
            if (!st) st = tsl_set(e.ctx, "tile", e.tile);
            check(!st, "%s", tsl_error(e.ctx));
            for (int i = 0; i < 4; i++) {
                tsl_type t = all_types[i];
                for (int s = 3; s < SHAPES - 1; s += 1 + (i > 1)) all_kinds(&e, t, shapes[s][0], shapes[s][1], names[v]);
                factored(&e, t, exact_order(t), exact_order(t), WILKINSON, names[v]);
            }
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
