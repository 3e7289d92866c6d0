/* The contracts around QR's factors: products with Q from either side, Q itself, least squares of every shape; info, scaling at
 * the ends of the range, NaN and Inf, empty operands, and what is refused. */
#include <sys/mman.h>

#include "qr.h"

#define BOUND 30.0

/* A factored by LAPACK: m x k reflectors as seen */
typedef struct reflectors {
    dense F, tau;
    tsl_op op;
} reflectors;

static reflectors reflectors_of(tsl_type t, int64_t m, int64_t k, bool lq)
{
    reflectors r = {qr_matrix(t, lq ? k : m, lq ? m : k, RANDOM, (uint64_t)(m + k)), qr_factors(t, k), lq ? qr_herm(t) : TSL_NOTRANS};
    qr_lapack(&r.F, &r.tau, lq);
    return r;
}

static void reflectors_free(reflectors *r) { dense_free(&r->F), dense_free(&r->tau); }

static void product(env *e, tsl_type t, int64_t m, int64_t n, int64_t k, bool lq, tsl_side side, bool inverse, bool turned)
{
    reflectors r = reflectors_of(t, m, k, lq);
    bool right = side == TSL_RIGHT, across = right != turned; /* C as stored has Q's order for its columns */
    dense C = dense_make(t, across ? n : m, across ? m : n, CANARY_FINITE);
    dense_random(&C, 5);
    dense F = dense_copy(&r.F), tau = dense_copy(&r.tau), was = dense_copy(&C);
    job b = qr_job(TSL_OP_ORMQR, &F, r.op, &tau, &C);
    b.side = side, b.trans = inverse ? qr_herm(t) : TSL_NOTRANS, b.v[2].op = turned ? qr_herm(t) : TSL_NOTRANS;
    tsl_status st = job_run(e, &b);
    tsl_scalar *X = qr_numbers(&C, across), *Y = qr_numbers(&was, across);
    qr_reflect(&b.v[0], &r.tau, right ? !inverse : inverse, Y, n);
    double off = qr_difference(X, Y, m, n, t);
    check(!st && b.info == 0 && off < BOUND, "%d x %d by %d, lq %d, side %d, inverse %d, turned %d: %s, off %g %s", (int)m, (int)n, (int)k, lq, side, inverse,
          turned, tsl_status_name(st), off, tsl_error(e->ctx));
    check(dense_same(&F, &r.F) && dense_same(&tau, &r.tau) && dense_strays(&C, &was, TSL_GENERAL) == 0, "%d x %d: wrote elsewhere", (int)m, (int)n);
    reflectors_free(&r), dense_free(&C), dense_free(&F), dense_free(&tau), dense_free(&was), free(X), free(Y);
}

static void products(env *e, tsl_type t)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {5, 3, 5}, {33, 10, 20}, {65, 30, 65}, {90, 17, 40}, {20, 70, 0}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int as = 0; as < 16; as++)
            if (!(as & 8) || e->via != VIA_TYPED) product(e, t, sizes[s][0], sizes[s][1], sizes[s][2], as & 1, as & 2 ? TSL_RIGHT : TSL_LEFT, as & 4, as & 8);
    checked("%s: %c: products with Q", env_name(e), tsl_type_letter(t));
}

static void generated(env *e, tsl_type t)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {5, 3, 2}, {33, 20, 20}, {65, 65, 65}, {90, 70, 40}, {40, 20, 0}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int lq = 0; lq < 2; lq++) {
            int64_t m = sizes[s][0], n = sizes[s][1], k = sizes[s][2];
            reflectors r = reflectors_of(t, m, k, lq);
            dense A = dense_make(t, lq ? n : m, lq ? m : n, CANARY_FINITE), tau = dense_copy(&r.tau);
            dense_random(&A, 7); /* what is not reflectors does not matter */
            for (int64_t j = 0; j < r.F.n; j++)
                for (int64_t i = 0; i < r.F.m; i++) dense_put(&A, i, j, dense_get(&r.F, i, j));
            dense was = dense_copy(&A);
            job b = qr_job(TSL_OP_ORGQR, &A, r.op, &tau, NULL);
            operand F = {.d = &was, .op = r.op};
            tsl_status st = job_run(e, &b);
            tsl_scalar *X = qr_numbers(&A, lq), *Y = qr_room(m, n);
            double apart = qr_apart(X, m, n, t);
            for (int64_t j = 0; j < n; j++) Y[j + j * m] = 1;
            qr_reflect(&F, &r.tau, false, Y, n);
            double off = qr_difference(X, Y, m, n, t);
            check(!st && b.info == 0 && off < BOUND && apart < BOUND, "%d x %d of %d, lq %d: %s, off %g, orthogonality %g %s", (int)m, (int)n, (int)k, lq,
                  tsl_status_name(st), off, apart, tsl_error(e->ctx));
            check(dense_same(&tau, &r.tau) && dense_strays(&A, &was, TSL_GENERAL) == 0, "%d x %d: wrote elsewhere", (int)m, (int)n);
            reflectors_free(&r), dense_free(&A), dense_free(&tau), dense_free(&was), free(X), free(Y);
        }
    checked("%s: %c: Q itself", env_name(e), tsl_type_letter(t));
}

static int64_t their_solution(dense *A, dense *B, bool turned)
{
    lapack_int m = (lapack_int)A->m, n = (lapack_int)A->n, k = (lapack_int)B->n, la = (lapack_int)A->ld, lb = (lapack_int)B->ld;
    char op = !turned ? 'N' : tsl_is_complex(A->t) ? 'C' : 'T';
    void *a = A->data, *b = B->data;
    switch (A->t) {
    case TSL_S: return LAPACKE_sgels(LAPACK_COL_MAJOR, op, m, n, k, a, la, b, lb);
    case TSL_D: return LAPACKE_dgels(LAPACK_COL_MAJOR, op, m, n, k, a, la, b, lb);
    case TSL_C: return LAPACKE_cgels(LAPACK_COL_MAJOR, op, m, n, k, a, la, b, lb);
    default: return LAPACKE_zgels(LAPACK_COL_MAJOR, op, m, n, k, a, la, b, lb);
    }
}

/* Of A X - B, or A^H (A X - B) where there are more equations than unknowns, over what rounding may leave; all numbers brought
 * near 1 first. An A of size 1/a has an X of size a. */
static double left_over(const operand *A, const dense *X, const dense *B, double a, double b)
{
    int64_t m = seen_rows(A), n = seen_cols(A), k = B->n;
    tsl_scalar *r = qr_room(m, k), *g = qr_room(n, k), *x = qr_room(n, k);
    double size = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) size = tsl_larger(size, cabs(seen(A, i, j)) / a);
    for (int64_t j = 0; j < k; j++) {
        for (int64_t i = 0; i < n; i++) x[i + j * n] = dense_get(X, i, j) * a / b;
        for (int64_t i = 0; i < m; i++) {
            r[i + j * m] = dense_get(B, i, j) / b;
            for (int64_t l = 0; l < n; l++) r[i + j * m] -= seen(A, i, l) / a * x[l + j * n];
        }
        for (int64_t l = 0; l < n; l++)
            for (int64_t i = 0; i < m; i++) g[l + j * n] += conj(seen(A, i, l) / a) * r[i + j * m];
    }
    double rest = m > n ? qr_norm(g, n, k) / (size * size) : qr_norm(r, m, k) / size, of = qr_norm(x, n, k);
    if (m > n) of += qr_norm(r, m, k) / size;
    free(r), free(g), free(x);
    return rest == 0 ? 0 : rest / of / ((double)(m * n) * tsl_type_eps(B->t));
}

static void solved(env *e, tsl_type t, int64_t m, int64_t n, int64_t k, bool turned, qr_kind kind, qr_kind rhs)
{
    dense A = qr_matrix(t, m, n, kind, (uint64_t)(m + n)), was = dense_copy(&A), theirs = dense_copy(&A);
    dense B = qr_matrix(t, qr_max(m, n), k, rhs, 3), first = dense_copy(&B), wanted = dense_copy(&B);
    double least = qr_single(t) ? 1e-37 : 1e-306, a = kind == TINY ? least : kind == HUGE_ONES ? 1e-3 / least : 1;
    double c = rhs == TINY ? least : rhs == HUGE_ONES ? 1e-3 / least : 1;
    job b = qr_job(TSL_OP_GELS, &A, turned ? qr_herm(t) : TSL_NOTRANS, NULL, &B);
    operand before = {.d = &was, .op = b.v[0].op};
    int64_t info = their_solution(&theirs, &wanted, turned), rows = turned ? m : n;
    tsl_status st = job_run(e, &b);
    double r = left_over(&before, &B, &first, a, c), off = 0, size = 0;
    for (int64_t i = 0; i < rows * k; i++) {
        tsl_scalar x = dense_get(&B, i % rows, i / rows), y = dense_get(&wanted, i % rows, i / rows);
        off = worse(off, cabs(x - y)), size = tsl_larger(size, cabs(y));
    }
    check(!st && b.info == info && info == 0 && r < BOUND && off <= 1e4 * tsl_type_eps(t) * size,
          "%d x %d, %d, turned %d, %s, %s: %s, info %d, residual %g, off %g of %g %s", (int)m, (int)n, (int)k, turned, qr_kind_name[kind],
          qr_kind_name[rhs], tsl_status_name(st), (int)b.info, r, off, size, tsl_error(e->ctx));
    check(dense_strays(&B, &first, TSL_GENERAL) == 0 && dense_strays(&A, &was, TSL_GENERAL) == 0, "%d x %d: wrote outside", (int)m, (int)n);
    dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&B), dense_free(&first), dense_free(&wanted);
}

static void solutions(env *e, tsl_type t)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 4, 3}, {4, 9, 3}, {60, 24, 17}, {24, 70, 5}, {70, 20, 1}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int turned = 0; turned < 2; turned++) {
            int64_t m = sizes[s][0], n = sizes[s][1], k = sizes[s][2];
            solved(e, t, m, n, k, turned, RANDOM, RANDOM);
            solved(e, t, m, n, k, turned, TINY, TINY);
            solved(e, t, m, n, k, turned, HUGE_ONES, HUGE_ONES);
            solved(e, t, m, n, k, turned, RANDOM, TINY);
            solved(e, t, m, n, k, turned, RANDOM, HUGE_ONES);
        }
    checked("%s: %cgels", env_name(e), tsl_type_letter(t));
}

/* A zero on R's diagonal is LAPACK's info; a matrix of zeros has a solution of zeros. */
static void singular(env *e, tsl_type t)
{
    static const int64_t at[][3] = {{1, 1, 0}, {9, 5, 4}, {40, 33, 16}, {70, 20, 0}};
    for (size_t s = 0; s < sizeof at / sizeof *at; s++)
        for (int as = 0; as < 8; as++) {
            int64_t m = at[s][0], n = at[s][1], j = at[s][2];
            bool wide = as & 1, zeros = as & 4 || m == 1;
            dense A = qr_matrix(t, wide ? n : m, wide ? m : n, zeros ? ZEROS : RANDOM, 3), B = qr_matrix(t, m, 3, RANDOM, 5);
            for (int64_t i = 0; i < m; i++) dense_put(&A, wide ? j : i, wide ? i : j, 0);
            dense first = dense_copy(&B);
            job b = qr_job(TSL_OP_GELS, &A, as & 2 ? qr_herm(t) : TSL_NOTRANS, NULL, &B);
            tsl_status st = job_run(e, &b);
            check(!st && b.info == (zeros ? 0 : j + 1), "%d x %d, %d: %s, info %d", (int)m, (int)n, as, tsl_status_name(st), (int)b.info);
            for (int64_t i = 0; i < 3 * m && zeros; i++) check(dense_get(&B, i % m, i / m) == 0, "%d x %d, %d: not zero", (int)m, (int)n, as);
            check(dense_strays(&B, &first, TSL_GENERAL) == 0, "%d x %d: wrote outside", (int)m, (int)n);
            dense_free(&A), dense_free(&B), dense_free(&first);
        }
    checked("%s: %cgels of singular matrices", env_name(e), tsl_type_letter(t));
}

/* No hang, and what is no number is seen in the result. */
static void not_numbers(env *e, tsl_type t)
{
    static const int64_t at[][4] = {{1, 1, 0, 0}, {9, 5, 0, 0}, {40, 40, 20, 3}, {70, 33, 69, 32}};
    for (size_t s = 0; s < sizeof at / sizeof *at; s++)
        for (int inf = 0; inf < 2; inf++) {
            int64_t m = at[s][0], n = at[s][1];
            dense A = qr_matrix(t, m, n, RANDOM, 3), tau = qr_factors(t, n), B = qr_matrix(t, m, 2, RANDOM, 5);
            dense_put(&A, at[s][2], at[s][3], inf ? INFINITY : NAN);
            dense C = dense_copy(&A);
            job b = qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &tau, NULL);
            tsl_status st = job_run(e, &b);
            int found = 0;
            for (int64_t i = 0; i < m * n; i++) found |= !scalar_finite(dense_get(&A, i % m, i / m));
            check(!st && found, "%s in %d x %d: %s, seen %d", inf ? "inf" : "nan", (int)m, (int)n, tsl_status_name(st), found);
            b = qr_job(TSL_OP_GELS, &C, TSL_NOTRANS, NULL, &B);
            st = job_run(e, &b);
            found = 0;
            for (int64_t i = 0; i < n; i++) found |= !scalar_finite(dense_get(&B, i, 0));
            check(!st && (found || b.info || (inf && m == 1)), "gels, %s in %d x %d: %s, info %d, seen %d", inf ? "inf" : "nan", (int)m, (int)n,
                  tsl_status_name(st), (int)b.info, found);
            dense_free(&A), dense_free(&tau), dense_free(&B), dense_free(&C);
        }
    checked("%s: %c: what is no number", env_name(e), tsl_type_letter(t));
}

static void empty(env *e, tsl_type t)
{
    static const int64_t none[][3] = {{0, 0, 0}, {0, 4, 3}, {4, 0, 3}, {3, 3, 0}};
    for (size_t s = 0; s < sizeof none / sizeof *none; s++) {
        int64_t m = none[s][0], n = none[s][1], k = none[s][2];
        dense A = qr_matrix(t, m, n, RANDOM, 1), tau = qr_factors(t, qr_min(m, n)), B = qr_matrix(t, qr_max(m, n), k, RANDOM, 2), was = dense_copy(&A);
        job b = qr_job(TSL_OP_GELS, &A, TSL_NOTRANS, NULL, &B);
        tsl_status st = job_run(e, &b);
        bool zero = true;
        for (int64_t i = 0; i < B.m * B.n; i++) zero = zero && dense_get(&B, i % B.m, i / B.m) == 0;
        check(!st && b.info == 0 && zero && dense_same(&A, &was), "gels %d x %d, %d: %s, info %d", (int)m, (int)n, (int)k, tsl_status_name(st), (int)b.info);
        b = qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &tau, NULL);
        check(job_run(e, &b) == TSL_OK && b.info == 0, "geqrf %d x %d", (int)m, (int)n);
        dense_free(&A), dense_free(&tau), dense_free(&B), dense_free(&was);
    }
    checked("%s: %c: empty operands", env_name(e), tsl_type_letter(t));
}

/* Views that LAPACK has no word for, and shapes that do not fit: refused with nothing touched */
static void refused(env *e, tsl_type t)
{
    enum { M = 6, N = 4 };
    if (e->via == VIA_TYPED) return;
    dense A = qr_matrix(t, M, N, RANDOM, 1), tau = qr_factors(t, N), C = qr_matrix(t, M, 3, RANDOM, 2), few = qr_factors(t, N - 1);
    dense B = qr_matrix(t, M - 1, 2, RANDOM, 3), more = qr_factors(t, N + 1), wasA = dense_copy(&A), wasC = dense_copy(&C), wasB = dense_copy(&B);
    struct { job b; tsl_status want; } bad[] = {
        {qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &few, NULL), TSL_ERR_SHAPE},   {qr_job(TSL_OP_GEQRF, &A, TSL_CONJ, &tau, NULL), TSL_ERR_FLAG},
        {qr_job(TSL_OP_ORGQR, &A, qr_herm(t), &few, NULL), TSL_ERR_SHAPE},    {qr_job(TSL_OP_ORGQR, &A, TSL_NOTRANS, &more, NULL), TSL_ERR_SHAPE},
        {qr_job(TSL_OP_ORMQR, &A, TSL_NOTRANS, &more, &C), TSL_ERR_SHAPE},    {qr_job(TSL_OP_ORMQR, &A, TSL_NOTRANS, &tau, &B), TSL_ERR_SHAPE},
        {qr_job(TSL_OP_ORMQR, &A, qr_herm(t), &few, &C), TSL_ERR_SHAPE},      {qr_job(TSL_OP_GELS, &A, TSL_NOTRANS, NULL, &B), TSL_ERR_SHAPE},
        {qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &A, NULL), TSL_ERR_SHAPE},     {qr_job(TSL_OP_ORMQR, &A, TSL_NOTRANS, &tau, &C), TSL_ERR_FLAG},
        {qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &tau, NULL), TSL_ERR_UPLO},
    };
    enum { COUNT = sizeof bad / sizeof *bad };
    bad[COUNT - 2].b.trans = tsl_is_complex(t) ? TSL_TRANS : (tsl_op)7;
    bad[COUNT - 1].b.v[0].uplo = TSL_LOWER;
    for (int i = 0; i < COUNT; i++) {
        if (bad[i].b.v[0].op == TSL_CONJ && !tsl_is_complex(t)) continue;
        tsl_status st = job_run(e, &bad[i].b);
        check(st == bad[i].want && *tsl_error(e->ctx), "%d: %s, not %s: %s", i, tsl_status_name(st), tsl_status_name(bad[i].want), tsl_error(e->ctx));
        check(dense_same(&A, &wasA) && dense_same(&C, &wasC) && dense_same(&B, &wasB), "%d: something was touched", i);
    }
    checked("%s: %c: refused", env_name(e), tsl_type_letter(t));
    dense_free(&A), dense_free(&tau), dense_free(&C), dense_free(&few), dense_free(&B), dense_free(&more);
    dense_free(&wasA), dense_free(&wasC), dense_free(&wasB);
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 1)) continue;
        tsl_type t = all_types[i];
        products(e, t);
        generated(e, t);
        solutions(e, t);
        singular(e, t);
        not_numbers(e, t);
        empty(e, t);
        refused(e, t);
    }
}

/* Reflectors and their factors are only read, not even written and restored: others may be reading them. They are where nobody
 * can write. */
static void only_read(void)
{
    static const int64_t sizes[][3] = {{20, 9, 5}, {64, 64, 20}, {150, 70, 16}, {150, 90, 64}, {150, 90, 80}}; /* rows of Q, of C the other side, reflectors */
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    check(tsl_context_create(&cfg, &x) == TSL_OK, "a context");
    for (int i = 0; i < 4; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int way = 0; way < 8; way++) {
                tsl_type t = all_types[i];
                bool lq = way & 1, right = way & 2, inverse = way & 4;
                int64_t m = sizes[s][0], n = sizes[s][1], k = sizes[s][2];
                reflectors r = reflectors_of(t, m, k, lq);
                size_t bytes = r.F.bytes + r.tau.bytes;
                unsigned char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                check(page != MAP_FAILED, "no memory for the test");
                if (page == MAP_FAILED) return;
                memcpy(page, r.F.data, r.F.bytes), memcpy(page + r.F.bytes, r.tau.data, r.tau.bytes);
                dense F = r.F, tau = r.tau, C = qr_matrix(t, right ? n : m, right ? m : n, RANDOM, 5);
                F.data = page, tau.data = page + r.F.bytes;
                check(!mprotect(page, bytes, PROT_READ), "protected");
                const typed_calls *f = typed_for(t);
                char op = !inverse ? 'N' : tsl_is_complex(t) ? 'C' : 'T';
                tsl_status st = (lq ? f->mlq : f->mqr)(x, right ? 'R' : 'L', op, C.m, C.n, k, F.data, F.ld, tau.data, C.data, C.ld, NULL);
                check(!st, "%c %d %d %d, way %d: %s", tsl_type_letter(t), (int)m, (int)n, (int)k, way, tsl_error(x));
                munmap(page, bytes);
                reflectors_free(&r), dense_free(&C);
            }
    tsl_context_destroy(x);
    checked("reflectors are only read");
}

int main(void)
{
    for_each_env(one_env);
    only_read();
    return tap_done();
}
