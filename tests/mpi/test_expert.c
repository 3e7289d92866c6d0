/* Drivers that are other calls in a row, on grids beside what one device makes of the same problem: gesvx and posvx, whose
 * factors are made and then given; reductions by reflectors, their Q and products with it; updates by vectors; a triangle
 * expanded. What one process finds wrong all are told. */
#include <string.h>

#include "cases.h"
#include "whole.h"

enum { OPERANDS = 9, A = 0, F, B, X, ROWS, COLS, FERR, BERR, PIVOTS, TAU = B, C = F, RIGHT = 3 };
static const int64_t orders[][2] = {{1, 2}, {29, 3}, {64, 16}};

typedef struct problem {
    dense d[OPERANDS - 1];
    int64_t p[64], info[2];
    double rcond[2], growth[2];
    char equed[2];
} problem;

typedef tsl_status (*driver)(tsl_context *x, const tsl_view v[OPERANDS], problem *k);

static tsl_status general(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    tsl_status st = tsl_gesvx(x, 'E', v[A], v[F], v[PIVOTS], &k->equed[0], v[ROWS], v[COLS], v[B], v[X], &k->rcond[0], v[FERR],
                              v[BERR], &k->growth[0], &k->info[0]);
    k->equed[1] = k->equed[0];
    return st ? st : tsl_gesvx(x, 'F', tsl_trans(v[A]), v[F], v[PIVOTS], &k->equed[1], v[ROWS], v[COLS], v[B], v[X],
                               &k->rcond[1], v[FERR], v[BERR], &k->growth[1], &k->info[1]);
}

static tsl_status definite(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    tsl_view S = tsl_lower(v[A]), L = tsl_lower(v[F]);
    tsl_status st = tsl_posvx(x, 'E', S, L, &k->equed[0], v[ROWS], v[B], v[X], &k->rcond[0], v[FERR], v[BERR], &k->info[0]);
    k->equed[1] = k->equed[0];
    return st ? st : tsl_posvx(x, 'F', S, L, &k->equed[1], v[ROWS], v[B], v[X], &k->rcond[1], v[FERR], v[BERR], &k->info[1]);
}

/* A Hessenberg form without A's first and last row, where there are more */
static void block(const tsl_view v[OPERANDS], int64_t *low, int64_t *high, tsl_view *tau)
{
    int64_t n = tsl_rows(v[A]);
    *low = n > 2 ? 2 : 1, *high = n > 2 ? n - 1 : n;
    *tau = tsl_sub(v[TAU], 0, 0, n - 1, 1);
}

/* A := Q H Q^H, on one device: of a matrix that is far from scaled roundoff changes Q by far more than itself */
static tsl_status reduced(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    int64_t low, high;
    tsl_view tau;
    block(v, &low, &high, &tau);
    return (void)k, tsl_gehrd(x, low, high, v[A], tau);
}

/* C := Q^H C Q, A := Q */
static tsl_status hessenberg(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    int64_t low, high;
    tsl_view tau;
    tsl_op herm = tsl_is_complex(k->d[A].t) ? TSL_HERM : TSL_TRANS;
    block(v, &low, &high, &tau);
    tsl_status st = tsl_ormhr(x, TSL_LEFT, herm, low, high, v[A], tau, v[C]);
    if (!st) st = tsl_ormhr(x, TSL_RIGHT, TSL_NOTRANS, low, high, v[A], tau, v[C]);
    return st ? st : tsl_orghr(x, low, high, v[A], tau);
}

/* F = Q H Q^H, random, so that roundoff stays what it is; F := Q. Without its first and last row, where there are more */
static tsl_status from_general(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    int64_t low, high;
    tsl_view tau;
    block(v, &low, &high, &tau);
    tsl_status st = tsl_gehrd(x, low, high, v[F], tau);
    return (void)k, st ? st : tsl_orghr(x, low, high, v[F], tau);
}

/* A block of a matrix, small enough that rounding in the first columns does not turn the last ones */
static tsl_view inner(tsl_view v)
{
    int64_t n = tsl_rows(v), most = 24, at = n > most;
    return tsl_sub(v, at, at, n > most ? most : n, n > most ? most : n);
}
static tsl_view some(tsl_view v, int64_t column, int64_t count) { return tsl_sub(v, 0, column, count, 1); }

/* A triangle of F = Q T Q^H; A := Q^H A Q, F := Q */
static tsl_status tridiagonal(tsl_context *x, const tsl_view v[OPERANDS], const problem *k, tsl_view S)
{
    int64_t n = tsl_rows(S);
    tsl_op herm = tsl_is_complex(k->d[A].t) ? TSL_HERM : TSL_TRANS;
    tsl_view tau = some(v[TAU], 0, n - 1);
    tsl_status st = tsl_sytrd(x, S, some(v[ROWS], 0, n), some(v[COLS], 0, n - 1), tau);
    if (!st) st = tsl_ormtr(x, TSL_LEFT, herm, S, tau, inner(v[A]));
    if (!st) st = tsl_ormtr(x, TSL_RIGHT, TSL_NOTRANS, S, tau, inner(v[A]));
    return st ? st : tsl_orgtr(x, S, tau);
}
static tsl_status from_lower(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    return tridiagonal(x, v, k, tsl_lower(inner(v[F])));
}
static tsl_status from_upper(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    return tridiagonal(x, v, k, tsl_upper(inner(v[F])));
}

/* F = Q B P^H; A := Q^H A P, F := Q or P^H */
static tsl_status bidiagonal(tsl_context *x, const tsl_view v[OPERANDS], const problem *k, tsl_side which)
{
    tsl_view R = inner(v[F]);
    int64_t n = tsl_rows(R);
    tsl_op herm = tsl_is_complex(k->d[A].t) ? TSL_HERM : TSL_TRANS;
    tsl_view tau[] = {some(v[TAU], 0, n), some(v[TAU], 1, n)};
    tsl_status st = tsl_gebrd(x, R, some(v[ROWS], 0, n), some(v[COLS], 0, n - 1), tau[0], tau[1]);
    if (!st) st = tsl_ormbr(x, TSL_LEFT, TSL_LEFT, herm, R, tau[0], inner(v[A]));
    if (!st) st = tsl_ormbr(x, TSL_RIGHT, TSL_RIGHT, TSL_NOTRANS, R, tau[1], inner(v[A]));
    return st ? st : tsl_orgbr(x, which, n, R, tau[which == TSL_RIGHT]);
}
static tsl_status with_q(tsl_context *x, const tsl_view v[OPERANDS], problem *k) { return bidiagonal(x, v, k, TSL_LEFT); }
static tsl_status with_p(tsl_context *x, const tsl_view v[OPERANDS], problem *k) { return bidiagonal(x, v, k, TSL_RIGHT); }

/* Updates of triangles by vectors, columns of B and a row of A */
static tsl_status updates(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    int64_t n = tsl_rows(v[F]);
    tsl_view X = tsl_sub(v[B], 0, 0, n, 1), Y = tsl_sub(v[A], n / 2, 0, 1, n), low = tsl_lower(v[F]), up = tsl_upper(v[F]);
    tsl_scalar alpha = tsl_is_complex(k->d[A].t) ? 0.5 - 0.25 * I : 0.5;
    tsl_status st = tsl_syr(x, alpha, X, low);
    if (!st) st = tsl_syr2(x, alpha, X, Y, up);
    if (!tsl_is_complex(k->d[A].t)) return st;
    if (!st) st = tsl_her(x, -0.5, X, up);
    return st ? st : tsl_her2(x, alpha, Y, X, low);
}

/* F := all of what a triangle of A stands for */
static tsl_status expanded(tsl_context *x, const tsl_view v[OPERANDS], problem *k)
{
    return (void)k, tsl_expand(x, TSL_HERMITIAN, tsl_upper(v[A]), v[F]);
}

/* A is far from scaled, dominant otherwise: pivots and steps are the same everywhere. */
static void make(problem *k, tsl_type t, int64_t n)
{
    tsl_type r = tsl_real_type(t);
    const int64_t size[][2] = {{n, n}, {n, n}, {n, RIGHT}, {n, RIGHT}, {n, 1}, {n, 1}, {RIGHT, 1}, {RIGHT, 1}};
    memset(k, 0, sizeof *k);
    for (int i = 0; i < OPERANDS - 1; i++) {
        k->d[i] = dense_make(i < ROWS ? t : r, size[i][0], size[i][1], CANARY_FINITE);
        dense_random(&k->d[i], (uint64_t)(n + i));
    }
    dense_free(&k->d[A]);
    k->d[A] = dense_definite(t, n, TSL_GENERAL);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            dense_put(&k->d[A], i, j, dense_get(&k->d[A], i, j) * exp2((double)(i % 5 + j % 5 - 4) * 3));
}

static problem copy_of(const problem *k)
{
    problem other = *k;
    for (int i = 0; i < OPERANDS - 1; i++) other.d[i] = dense_copy(&k->d[i]);
    return other;
}

static tsl_status alone(tsl_context *x, driver run, problem *k)
{
    tsl_matrix *m[OPERANDS];
    tsl_view v[OPERANDS];
    tsl_status st = tsl_matrix_wrap(x, TSL_INDEX, k->d[A].n, 1, k->p, 64, &m[PIVOTS]);
    for (int i = 0; i < PIVOTS && !st; i++)
        st = tsl_matrix_wrap(x, k->d[i].t, k->d[i].m, k->d[i].n, k->d[i].data, k->d[i].ld, &m[i]);
    for (int i = 0; i < OPERANDS && !st; i++) v[i] = tsl_whole(m[i]);
    if (!st) st = run(x, v, k);
    for (int i = 0; i < OPERANDS; i++) tsl_matrix_free(m[i]);
    return st;
}

static tsl_status spread(const team *t, tsl_context *x, const problem *k, int64_t nb, tsl_matrix *m[OPERANDS])
{
    tsl_layout beside = tsl_layout_vector(t->grid, nb + 1);
    tsl_status st = tsl_matrix_create_on(x, &beside, TSL_INDEX, k->d[A].n, 1, &m[PIVOTS]);
    for (int i = 0; i < PIVOTS && !st; i++) {
        tsl_layout l = k->d[i].n == 1 ? beside : layout(t, (unsigned)i % DISTRIBUTED, nb, TSL_IN_HOST);
        st = tsl_matrix_create_on(x, &l, k->d[i].t, k->d[i].m, k->d[i].n, &m[i]);
        if (!st) st = tsl_scatter(x, 0, k->d[i].data, k->d[i].ld, tsl_whole(m[i]));
    }
    return st;
}

static tsl_status on_grid(const team *t, tsl_context *x, driver run, int64_t nb, problem *k)
{
    tsl_matrix *m[OPERANDS] = {0};
    tsl_view v[OPERANDS];
    tsl_status st = spread(t, x, k, nb, m);
    for (int i = 0; i < OPERANDS && !st; i++) v[i] = tsl_whole(m[i]);
    if (!st) st = run(x, v, k);
    for (int i = 0; i < PIVOTS && !st; i++) {
        int64_t rows = k->d[i].m, cols = k->d[i].n;
        dense_free(&k->d[i]);
        k->d[i] = everything(x, m[i], rows, cols);
    }
    for (int i = 0; i < OPERANDS; i++) tsl_matrix_free(m[i]);
    return st;
}

/* The largest difference, of the largest element; bounds of errors are estimates, of which rounding is a part */
static double apart(const problem *a, const problem *b)
{
    double worst = 0;
    for (int i = 0; i < FERR; i++) {
        double off = 0, size = 0;
        for (int64_t c = 0; c < a->d[i].n; c++)
            for (int64_t r = 0; r < a->d[i].m; r++) {
                tsl_scalar v = dense_get(&a->d[i], r, c), w = dense_get(&b->d[i], r, c);
                off = worse(off, cabs(v - w)), size = tsl_larger(size, cabs(w));
            }
        worst = worse(worst, off == 0 ? 0 : off / size);
    }
    for (int64_t i = 0; i < a->d[FERR].m; i++) {
        double v = creal(dense_get(&a->d[FERR], i, 0)), w = creal(dense_get(&b->d[FERR], i, 0));
        if (v != w && !(fabs(v - w) < fabs(w))) worst = INFINITY;
    }
    for (int i = 0; i < 2; i++)
        if (a->info[i] != b->info[i] || a->equed[i] != b->equed[i] || fabs(a->rcond[i] - b->rcond[i]) > b->rcond[i] / 10 ||
            fabs(a->growth[i] - b->growth[i]) > b->growth[i] / 10)
            worst = INFINITY;
    return worst / tsl_type_eps(a->d[A].t);
}

static void done(problem *k)
{
    for (int i = 0; i < PIVOTS; i++) dense_free(&k->d[i]);
}

/* `before`, if any, prepares the problem on one device. */
static void compare(const team *t, tsl_context *one, tsl_context *x, const char *name, driver before, driver run, tsl_type type)
{
    for (unsigned i = 0; i < COUNT(orders); i++) {
        problem k, g;
        make(&k, type, orders[i][0]);
        tsl_status st = before ? alone(one, before, &k) : TSL_OK;
        g = copy_of(&k);
        if (!st) st = alone(one, run, &k);
        tsl_status by = on_grid(t, x, run, orders[i][1], &g);
        double off = st || by ? INFINITY : apart(&g, &k);
        all_ok(t, off < 1000 * (double)(orders[i][0] + 1),
               "%c%s of order %d: %g roundoffs off; %s %s, info %d %d, equed %c %c, rcond %g %g", tsl_type_letter(type), name,
               (int)orders[i][0], off, st ? tsl_error(one) : "", by ? tsl_error(x) : "", (int)g.info[0], (int)k.info[0],
               g.equed[0] ? g.equed[0] : '-', k.equed[0] ? k.equed[0] : '-', g.rcond[0], k.rcond[0]);
        done(&k), done(&g);
    }
}

/* A singular A: growth and info, and nothing else; letters that differ; one process without a place, or with operands that
 * overlap: all are told, and nothing has changed. */
static void wrong(const team *t, tsl_context *x)
{
    enum { N = 29 };
    problem k, was;
    tsl_matrix *m[OPERANDS] = {0};
    tsl_view v[OPERANDS];
    char equed = 'N', fact = t->rank ? 'N' : 'E';
    double rcond = 7, growth = 7;
    int64_t info = -7;
    make(&k, TSL_Z, N);
    was = copy_of(&k);
    tsl_status st = spread(t, x, &k, 4, m);
    for (int i = 0; i < OPERANDS; i++) v[i] = tsl_whole(m[i]);
#define GESVX(fact, p, rcond, growth) \
    tsl_gesvx(x, fact, v[A], v[F], p, &equed, v[ROWS], v[COLS], v[B], v[X], rcond, v[FERR], v[BERR], growth, &info)
    tsl_status differ = GESVX(fact, v[PIVOTS], &rcond, NULL);
    tsl_status place = GESVX('E', v[PIVOTS], t->rank == t->size - 1 ? NULL : &rcond, NULL);
    tsl_status pivots = GESVX('E', t->rank ? v[PIVOTS] : (tsl_view){0}, &rcond, NULL);
    tsl_status shape = tsl_orghr(x, 1, t->rank ? N : N + 1, v[A], tsl_sub(v[X], 0, 0, N - 1, 1));
    tsl_status meet = tsl_ormbr(x, TSL_LEFT, TSL_LEFT, TSL_NOTRANS, v[A], tsl_sub(v[A], 0, 0, N, 1), v[A]);
    all_ok(t, !st && differ == TSL_ERR_SHAPE && place == TSL_ERR_NULL && pivots == TSL_ERR_NULL && shape == TSL_ERR_SIZE &&
           meet == TSL_ERR_OVERLAP && info == -7 && rcond == 7, "refused by all: %s, %s, %s, %s, %s", tsl_status_name(differ),
           tsl_status_name(place), tsl_status_name(pivots), tsl_status_name(shape), tsl_status_name(meet));
    for (int i = 0; i < PIVOTS; i++) {
        dense now = everything(x, m[i], was.d[i].m, was.d[i].n);
        for (int64_t c = 0; c < now.n; c++)
            for (int64_t r = 0; r < now.m; r++) info = dense_get(&now, r, c) == dense_get(&was.d[i], r, c) ? info : -8;
        dense_free(&now);
    }
    all_ok(t, info == -7, "nothing has changed");
    if (!st) st = tsl_laset(x, 0, 0, tsl_sub(v[A], 0, N / 2, N, 1));
    if (!st) st = GESVX('N', v[PIVOTS], &rcond, t->rank % 2 ? NULL : &growth);
    all_ok(t, !st && info == N / 2 + 1 && rcond == 0 && (t->rank % 2 || growth != 7), "singular: %s, info %d, rcond %g: %s",
           tsl_status_name(st), (int)info, rcond, tsl_error(x));
    for (int i = 0; i < OPERANDS; i++) tsl_matrix_free(m[i]);
    done(&k), done(&was);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *one = team_context(&t, "host"), *x = team_context(&t, "host");
    for (int type = TSL_S; type <= TSL_Z; type++) {
        compare(&t, one, x, "gesvx", NULL, general, (tsl_type)type);
        compare(&t, one, x, "posvx", NULL, definite, (tsl_type)type);
        compare(&t, one, x, "orghr, ormhr", reduced, hessenberg, (tsl_type)type);
        compare(&t, one, x, "gehrd, orghr", NULL, from_general, (tsl_type)type);
        compare(&t, one, x, "orgtr, ormtr of the lower triangle", NULL, from_lower, (tsl_type)type);
        compare(&t, one, x, "orgtr, ormtr of the upper triangle", NULL, from_upper, (tsl_type)type);
        compare(&t, one, x, "ormbr, orgbr of Q", NULL, with_q, (tsl_type)type);
        compare(&t, one, x, "ormbr, orgbr of P", NULL, with_p, (tsl_type)type);
        compare(&t, one, x, "expand", NULL, expanded, (tsl_type)type);
        compare(&t, one, x, "syr, syr2, her, her2", NULL, updates, (tsl_type)type);
    }
    wrong(&t, x);
    tsl_context_destroy(x), tsl_context_destroy(one);
    return team_close(&t);
}
