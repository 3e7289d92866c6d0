/* Factors of matrices whose reductions come to tiny blocks (families.h), by every variant that reduces them: eigenpairs,
 * singular values, Schur forms, QR. They are orthogonal and have small residuals. TESELA_TEST_ALL=1: of larger orders too. */
#include "families.h"

static const double bound = 30;

typedef struct place {
    tsl_context *x;
    const char *name, *variant;
    tsl_type t;
    int64_t n;
    family f;
} place;

static tsl_view wrapped(const place *p, dense *d, tsl_matrix **mat)
{
    if (tsl_matrix_wrap(p->x, d->t, d->m, d->n, d->data, d->ld, mat))
        abort();
    return tsl_whole(*mat);
}

static void good(const place *p, const char *what, double residual, double q1, double q2)
{
    check(residual < bound && q1 < bound && q2 < bound,
          "%s, %s of %s, %c of order %d, %s: residual %g, orthogonality %g and %g", p->name, what, family_name[p->f],
          tsl_type_letter(p->t), (int)p->n, p->variant, residual, q1, q2);
}

static void by_variant(const place *p, const char *variant)
{
    check(!tsl_set(p->x, "variant", variant), "%s", tsl_error(p->x));
}

static bool done(const place *p, const char *what, tsl_status st, int64_t info)
{
    if (!st)
        st = tsl_wait(p->x);
    check(!st && !info, "%s, %s of %s, %c of order %d, %s: %s, info %d: %s", p->name, what, family_name[p->f],
          tsl_type_letter(p->t), (int)p->n, p->variant, tsl_status_name(st), (int)info, tsl_error(p->x));
    return !st && !info;
}

static void eigenpairs(const place *p)
{
    dense A = family_make(p->f, p->t, p->n, p->n), B = dense_copy(&A),
          w = dense_make(tsl_real_type(p->t), p->n, 1, CANARY_FINITE), V = dense_make(p->t, p->n, p->n, CANARY_FINITE);
    tsl_matrix *b, *l, *v;
    int64_t m = -7, info = -7;
    tsl_view S = wrapped(p, &B, &b);
    tsl_status st =
        tsl_syev(p->x, p->f % 2 ? tsl_lower(S) : tsl_upper(S), NULL, wrapped(p, &w, &l), wrapped(p, &V, &v), &m, &info);
    if (done(p, "syev", st, info))
        good(p, "syev", family_residual(&A, &V, &w, &V, true), family_orthogonal(&V, false), 0);
    tsl_matrix_free(b), tsl_matrix_free(l), tsl_matrix_free(v);
    dense_free(&A), dense_free(&B), dense_free(&w), dense_free(&V);
}

/* A x = l B x with B = I + ones / n: |B| |X| is of order 1. X^H B X = I, and X^H A X = L */
static void of_two(const place *p)
{
    int64_t n = p->n, m = -7, info = -7;
    dense A = family_make(p->f, p->t, n, n), B = dense_make(p->t, n, n, CANARY_FINITE), C = dense_copy(&A),
          w = dense_make(tsl_real_type(p->t), n, 1, CANARY_FINITE), V = dense_make(p->t, n, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            dense_put(&B, i, j, (i == j) + 1. / (double)n);
    dense D = dense_copy(&B);
    tsl_matrix *c, *d, *l, *v;
    tsl_status st = tsl_sygv(p->x, 1, tsl_lower(wrapped(p, &C, &c)), tsl_lower(wrapped(p, &D, &d)), NULL, wrapped(p, &w, &l),
                             wrapped(p, &V, &v), &m, &info);
    if (done(p, "sygv", st, info)) {
        double worst[2] = {0, 0}, size = family_norm(&A);
        tsl_scalar *x = family_probe(n, 9), *y = family_times(&V, false, x), *by = family_times(&B, false, y),
                   *z = family_times(&V, true, by);
        tsl_scalar *ay = family_times(&A, false, y), *u = family_times(&V, true, ay), *lx = family_probe(n, 9);
        for (int64_t i = 0; i < n; i++)
            lx[i] *= dense_get(&w, i, 0);
        double length = family_length(x, n) * family_unit(&A), off = family_apart(u, lx, n);
        worst[0] = family_apart(z, x, n) / length;
        worst[1] = off == 0 ? 0 : off / size / length;
        good(p, "sygv", worst[1], worst[0], 0);
        free(x), free(y), free(by), free(z), free(ay), free(u), free(lx);
    }
    tsl_matrix_free(c), tsl_matrix_free(d), tsl_matrix_free(l), tsl_matrix_free(v);
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&D), dense_free(&w), dense_free(&V);
}

/* Of m x n, tall for some */
static void singular_values(const place *p, tsl_svd_driver driver)
{
    int64_t n = p->n, m = p->f % 3 ? n : n + n / 4, info = -7;
    dense A = family_make(p->f, p->t, m, n), B = dense_copy(&A), s = dense_make(tsl_real_type(p->t), n, 1, CANARY_FINITE),
          U = dense_make(p->t, m, n, CANARY_FINITE), V = dense_make(p->t, n, n, CANARY_FINITE);
    tsl_matrix *b, *l, *u, *v;
    tsl_status st =
        tsl_gesvd(p->x, wrapped(p, &B, &b), driver, wrapped(p, &s, &l), wrapped(p, &U, &u), wrapped(p, &V, &v), &info);
    if (done(p, "gesvd", st, info))
        good(p, "gesvd", family_residual(&A, &U, &s, &V, false), family_orthogonal(&U, false), family_orthogonal(&V, true));
    tsl_matrix_free(b), tsl_matrix_free(l), tsl_matrix_free(u), tsl_matrix_free(v);
    dense_free(&A), dense_free(&B), dense_free(&s), dense_free(&U), dense_free(&V);
}

/* A = Q B P^H: P's and Q's columns, and what B is beside them */
static void bidiagonal(const place *p)
{
    int64_t n = p->n;
    dense A = family_make(p->f, p->t, n, n), Q = dense_copy(&A), d = dense_make(tsl_real_type(p->t), n, 1, CANARY_FINITE),
          e = dense_make(tsl_real_type(p->t), n - 1, 1, CANARY_FINITE);
    dense tauq = dense_make(p->t, n, 1, CANARY_FINITE), taup = dense_make(p->t, n, 1, CANARY_FINITE);
    tsl_matrix *q, *r, *dm, *em, *tq, *tp;
    tsl_view tq_view = wrapped(p, &tauq, &tq), tp_view = wrapped(p, &taup, &tp);
    by_variant(p, p->variant);
    tsl_status st = tsl_gebrd(p->x, wrapped(p, &Q, &q), wrapped(p, &d, &dm), wrapped(p, &e, &em), tq_view, tp_view);
    if (!st)
        st = tsl_wait(p->x);
    by_variant(p, "auto");
    dense PH = dense_copy(&Q), M = dense_make(p->t, n, n, CANARY_FINITE);
    if (!st)
        st = tsl_orgbr(p->x, TSL_LEFT, n, tsl_whole(q), tq_view);
    if (!st)
        st = tsl_orgbr(p->x, TSL_RIGHT, n, wrapped(p, &PH, &r), tp_view);
    if (done(p, "gebrd", st, 0)) {
        for (int64_t j = 0; j < n; j++) /* Q B */
            for (int64_t i = 0; i < n; i++)
                dense_put(&M, i, j,
                          dense_get(&Q, i, j) * dense_get(&d, j, 0) +
                              (j ? dense_get(&Q, i, j - 1) * dense_get(&e, j - 1, 0) : 0));
        good(p, "gebrd", family_residual(&A, &M, NULL, &PH, false), family_orthogonal(&Q, false), family_orthogonal(&PH, true));
    }
    tsl_matrix_free(q), tsl_matrix_free(r), tsl_matrix_free(dm), tsl_matrix_free(em), tsl_matrix_free(tq), tsl_matrix_free(tp);
    dense_free(&A), dense_free(&Q), dense_free(&d), dense_free(&e), dense_free(&tauq), dense_free(&taup), dense_free(&PH),
        dense_free(&M);
}

/* A = Z T Z^H */
static void schur(const place *p)
{
    int64_t n = p->n, sdim = -7, info = -7;
    dense A = family_make(p->f, p->t, n, n), T = dense_copy(&A), w = dense_make(p->t, n, 1, CANARY_FINITE), wi = dense_copy(&w),
          Z = dense_make(p->t, n, n, CANARY_FINITE);
    tsl_matrix *t, *a, *b = NULL, *z;
    tsl_view none = {0}, imaginary = tsl_is_complex(p->t) ? none : wrapped(p, &wi, &b);
    tsl_status st =
        tsl_gees(p->x, wrapped(p, &T, &t), TSL_SORT_NONE, wrapped(p, &w, &a), imaginary, wrapped(p, &Z, &z), &sdim, &info);
    if (done(p, "gees", st, info)) {
        tsl_scalar *x = family_probe(n, 5), *y = family_times(&Z, false, x), *ay = family_times(&A, false, y),
                   *tx = family_times(&T, false, x), *ztx = family_times(&Z, false, tx);
        double off = family_apart(ay, ztx, n);
        off = off == 0 ? 0 : off / family_norm(&A) / family_length(x, n) / family_unit(&A);
        good(p, "gees", off, family_orthogonal(&Z, false), 0);
        free(x), free(y), free(ay), free(tx), free(ztx);
    }
    tsl_matrix_free(t), tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(z);
    dense_free(&A), dense_free(&T), dense_free(&w), dense_free(&wi), dense_free(&Z);
}

/* A V = V L, of a pair of conjugates l = re + i im with vectors v + i w: A v = re v - im w, A w = im v + re w */
static void general_pairs(const place *p)
{
    int64_t n = p->n, info = -7;
    bool real = !tsl_is_complex(p->t);
    dense A = family_make(p->f, p->t, n, n), B = dense_copy(&A), w = dense_make(p->t, n, 1, CANARY_FINITE), wi = dense_copy(&w);
    dense V = dense_make(p->t, n, n, CANARY_FINITE);
    tsl_matrix *b, *l, *i = NULL, *v;
    tsl_view none = {0}, imaginary = real ? wrapped(p, &wi, &i) : none;
    tsl_status st = tsl_geev(p->x, wrapped(p, &B, &b), wrapped(p, &w, &l), imaginary, none, wrapped(p, &V, &v), &info);
    if (done(p, "geev", st, info)) {
        tsl_scalar *x = family_probe(n, 6), *y = family_times(&V, false, x), *ay = family_times(&A, false, y),
                   *lx = qr_room(n, 1);
        double longest = 0;
        for (int64_t j = 0; j < n; j++) {
            tsl_scalar re = dense_get(&w, j, 0), im = real ? dense_get(&wi, j, 0) : 0;
            tsl_scalar other = creal(im) > 0 && j + 1 < n ? x[j + 1] : creal(im) < 0 && j > 0 ? x[j - 1] : 0;
            lx[j] = re * x[j] + im * other;
            double squares = 0;
            for (int64_t r = 0; r < n; r++)
                squares += pow(cabs(dense_get(&V, r, j)), 2);
            longest = tsl_larger(longest, fabs(squares - 1) * (creal(im) == 0));
        }
        tsl_scalar *vlx = family_times(&V, false, lx);
        double off = family_apart(ay, vlx, n);
        off = off == 0 ? 0 : off / family_norm(&A) / family_length(x, n) / family_unit(&A);
        good(p, "geev", off, longest / family_unit(&A), 0);
        free(x), free(y), free(ay), free(lx), free(vlx);
    }
    tsl_matrix_free(b), tsl_matrix_free(l), tsl_matrix_free(i), tsl_matrix_free(v);
    dense_free(&A), dense_free(&B), dense_free(&w), dense_free(&wi), dense_free(&V);
}

/* A P = Q R; pivoted: by geqp3, else P = I */
static void triangle(const place *p, bool pivoted)
{
    int64_t n = p->n, m = p->f % 2 ? n : n + n / 3, *perm = calloc((size_t)n, sizeof *perm);
    dense A = family_make(p->f, p->t, m, n), Q = dense_copy(&A), tau = dense_make(p->t, n, 1, CANARY_FINITE),
          R = dense_make(p->t, n, n, CANARY_FINITE);
    tsl_matrix *q, *t, *i = NULL;
    if (!perm || tsl_matrix_wrap(p->x, TSL_INDEX, n, 1, perm, n, &i))
        abort();
    tsl_view q_view = wrapped(p, &Q, &q), t_view = wrapped(p, &tau, &t);
    tsl_status st = pivoted ? tsl_geqp3(p->x, q_view, tsl_whole(i), t_view) : tsl_geqrf(p->x, q_view, t_view);
    if (!st)
        st = tsl_wait(p->x);
    for (int64_t c = 0; c < n; c++)
        for (int64_t r = 0; r < n; r++)
            dense_put(&R, r, c, r <= c ? dense_get(&Q, r, c) : 0);
    if (!st)
        st = tsl_orgqr(p->x, q_view, t_view);
    if (done(p, pivoted ? "geqp3" : "geqrf", st, 0)) {
        dense AP = dense_copy(&A);
        for (int64_t c = 0; c < n; c++)
            for (int64_t r = 0; r < m; r++)
                dense_put(&AP, r, c, dense_get(&A, r, pivoted ? perm[c] - 1 : c));
        good(p, pivoted ? "geqp3" : "geqrf", family_residual(&AP, &Q, NULL, &R, false), family_orthogonal(&Q, false), 0);
        dense_free(&AP);
    }
    tsl_matrix_free(q), tsl_matrix_free(t), tsl_matrix_free(i);
    dense_free(&A), dense_free(&Q), dense_free(&tau), dense_free(&R), free(perm);
}

/* Tridiagonal ones, elements from 1 down to the least numbers: fading, rising, without a diagonal, all but one tiny, wild, and
 * whole blocks tiny */
enum { TRIDIAGONALS = 6 };

static double fades(int kind, double range, double at, uint64_t *seed)
{
    double wild = dense_uniform(seed);
    switch (kind) {
    case 1:
        return exp2(-range * (1 - at));
    case 3:
        return at > 0 ? exp2(-range) : 1;
    case 4:
        return copysign(exp2(-range * fabs(wild)), dense_uniform(seed));
    case 5:
        return (int)(at * 10) % 2 ? exp2(-range) : wild;
    default:
        return exp2(-range * at);
    }
}

static void tridiagonals(const place *p)
{
    int64_t n = p->n, info = -7;
    for (int kind = 0; kind < TRIDIAGONALS; kind++) {
        uint64_t seed = (uint64_t)kind + 1;
        tsl_type r = tsl_real_type(p->t);
        dense A = dense_make(r, n, n, CANARY_FINITE), d = dense_make(r, n, 1, CANARY_FINITE),
              e = dense_make(r, n - 1, 1, CANARY_FINITE);
        dense Z = dense_make(p->t, n, n, CANARY_FINITE);
        tsl_matrix *a, *b, *z;
        char what[24];
        snprintf(what, sizeof what, "stedc %d", kind);
        dense_fill(&A, 0);
        for (int64_t i = 0; i < n; i++) {
            double range = qr_single(r) ? 148 : 1073, at = (double)i / (double)n;
            dense_put(&A, i, i, kind == 2 ? 0 : fades(kind, range, at, &seed));
            dense_put(&d, i, 0, dense_get(&A, i, i));
            if (i + 1 == n)
                continue;
            dense_put(&A, i + 1, i, fades(kind, range, at, &seed));
            dense_put(&A, i, i + 1, dense_get(&A, i + 1, i));
            dense_put(&e, i, 0, dense_get(&A, i + 1, i));
        }
        tsl_status st = tsl_stedc(p->x, wrapped(p, &d, &a), wrapped(p, &e, &b), 0, wrapped(p, &Z, &z), &info);
        if (done(p, what, st, info))
            good(p, what, family_residual(&A, &Z, &d, &Z, true), family_orthogonal(&Z, false), 0);
        tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(z);
        dense_free(&A), dense_free(&d), dense_free(&e), dense_free(&Z);
    }
}

/* All of an order that have the variant; eigenpairs and one of the others, another for each family and type; or eigenpairs, a
 * type for each family */
typedef enum extent { EVERY, FEW, LEAST } extent;

static void all_of(tsl_context *x, const char *name, const char *variant, int64_t n, extent e)
{
    bool any = !strcmp(variant, "auto"), two = any || !strcmp(variant, "two");
    for (int i = 0; i < 4; i++)
        for (int f = 0; f < FAMILIES; f++) {
            place p = {x, name, variant, all_types[i], n, (family)f};
            int turn = e == LEAST ? -1 : (f + 3 * i) % 8;
            bool few = e != EVERY;
            if (e == LEAST && f % 4 != i)
                continue;
            by_variant(&p, variant);
            eigenpairs(&p);
            if (!few || turn == 0)
                of_two(&p);
            if (two && (!few || turn == 1))
                singular_values(&p, TSL_SVD_DC);
            by_variant(&p, "auto");
            if (any && (!few || turn == 2))
                singular_values(&p, TSL_SVD_AUTO);
            if (two && (!few || turn == 3))
                bidiagonal(&p);
            if (any && (!few || turn == 4))
                schur(&p);
            if (any && (!few || turn == 7))
                general_pairs(&p);
            if (any && (!few || turn == 5))
                triangle(&p, true);
            if (any && (!few || turn == 6))
                triangle(&p, false);
            if (any && f == 0)
                tridiagonals(&p);
        }
    checked("%s: order %d, %s", name, (int)n, variant);
}

/* Numbers whose inverses overflow: exp(A) = I + A; A = Q B P^H by panels, B as long as A */
static void least_numbers(tsl_context *x, const char *name)
{
    for (int i = 0; i < 4; i++)
        for (int64_t n = 1; n <= 40; n += 13) {
            place p = {x, name, "panels", all_types[i], n, ONES};
            tsl_type r = tsl_real_type(p.t);
            double least = qr_single(r) ? 0x1p-135 : 0x1p-1060, was = 0, is = 0, off = 0;
            dense A = dense_make(p.t, n, n, CANARY_FINITE), d = dense_make(r, n, 1, CANARY_FINITE),
                  e = dense_make(r, n, 1, CANARY_FINITE);
            dense tauq = dense_make(p.t, n, 1, CANARY_FINITE), taup = dense_make(p.t, n, 1, CANARY_FINITE);
            tsl_matrix *a, *dm, *em, *tq, *tp;
            int64_t info = -7;
            for (int64_t j = 0; j < n * n; j++)
                dense_put(&A, j % n, j / n, least * (double)(j * 7 % 11 + 1));
            dense E = dense_copy(&A);
            tsl_view A1 = wrapped(&p, &A, &a), e1 = tsl_sub(wrapped(&p, &e, &em), 0, 0, n - 1, 1);
            tsl_status st = tsl_expm(x, A1, &info);
            if (done(&p, "expm", st, info))
                for (int64_t j = 0; j < n * n; j++)
                    off = tsl_larger(off, cabs(dense_get(&A, j % n, j / n) - dense_get(&E, j % n, j / n) - (j % n == j / n)));
            check(off == 0, "%s: expm of the least numbers, %c of order %d: off by %g", name, tsl_type_letter(p.t), (int)n,
                  off);
            memcpy(A.data, E.data, A.bytes);
            by_variant(&p, "panels");
            st = tsl_gebrd(x, A1, wrapped(&p, &d, &dm), e1, wrapped(&p, &tauq, &tq), wrapped(&p, &taup, &tp));
            done(&p, "gebrd", st, 0);
            by_variant(&p, "auto");
            for (int64_t j = 0; j < n * n; j++)
                was += pow(creal(dense_get(&E, j % n, j / n)) / least, 2);
            for (int64_t j = 0; j < n; j++)
                is += pow(creal(dense_get(&d, j, 0)) / least, 2) + (j + 1 < n ? pow(creal(dense_get(&e, j, 0)) / least, 2) : 0);
            check(fabs(is / was - 1) < 1e-2, "%s: gebrd of the least numbers, %c of order %d: |B| / |A| is %g", name,
                  tsl_type_letter(p.t), (int)n, sqrt(is / was));
            tsl_matrix_free(a), tsl_matrix_free(dm), tsl_matrix_free(em), tsl_matrix_free(tq), tsl_matrix_free(tp);
            dense_free(&A), dense_free(&E), dense_free(&d), dense_free(&e), dense_free(&tauq), dense_free(&taup);
        }
    checked("%s: the least numbers", name);
}

int main(void)
{
    static const struct {
        const char *devices, *tile, *variant;
        int64_t n;
        extent e;
        bool large;
    } runs[] = {
        {"host", "0", "auto", 60, EVERY, false},  {"host", "0", "one", 40, FEW, false},
        {"host", "0", "two", 100, EVERY, false},  {"host", "0", "three", 150, FEW, false},
        {"host:2", "32", "auto", 90, FEW, false}, {"host:2", "0", "auto", 520, FEW, true},
        {"cuda", "0", "one", 200, FEW, false},    {"cuda", "0", "two", 300, EVERY, false},
        {"cuda", "0", "three", 300, FEW, false},  {"cuda", "128", "auto", 400, FEW, false},
        {"cuda", "0", "auto", 700, EVERY, false}, {"cuda", "0", "auto", 3072, LEAST, false},
        {"cuda", "0", "auto", 3072, FEW, true},   {"cuda:0x2", "0", "auto", 1100, FEW, true},
        {"cuda", "0", "auto", 4096, FEW, true},   {"cuda", "0", "auto", 8192, LEAST, true},
    };
    const char *all = getenv("TESELA_TEST_ALL");
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        if (runs[k].large && !all)
            continue;
        tsl_context *x = context_by(runs[k].devices, runs[k].tile);
        if (!x)
            continue;
        if (!strcmp(runs[k].variant, "one"))
            least_numbers(x, runs[k].devices);
        all_of(x, runs[k].devices, runs[k].variant, runs[k].n, runs[k].e);
        tsl_context_destroy(x);
    }
    return tap_done();
}
