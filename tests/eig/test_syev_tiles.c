/* Eigenpairs by tiles: matrices of tiles and flat ones, on several devices and where a quarter of the matrix, or less, fits a
 * device; of one matrix, of two, and tridiagonal. The same bits on any number of devices and with any memory. */
#include "eig.h"

static const tsl_uplo triangles[] = {TSL_LOWER, TSL_UPPER};
static char letter(tsl_uplo u) { return u == TSL_LOWER ? 'L' : 'U'; }
static dense column(tsl_type t, int64_t n) { return dense_make(eig_real(t), n, 1, CANARY_FINITE); }

/* A context, and the tiles of matrices that are tiled; 0: they are not */
typedef struct place {
    tsl_context *x;
    const char *name;
    int64_t tile;
} place;

static int64_t tasks(tsl_context *x)
{
    tsl_counters n;
    tsl_counters_get(x, &n);
    return n.tasks;
}

static tsl_view view_of(const place *p, dense *d, tsl_matrix **mat)
{
    tsl_status st = p->tile ? tsl_tiled_wrap(p->x, d->t, d->m, d->n, d->data, d->ld, p->tile, mat) : tsl_matrix_wrap(p->x, d->t, d->m, d->n, d->data, d->ld, mat);
    if (st) abort();
    return tsl_whole(*mat);
}

static void good(const place *p, const char *how, const dense *full, const dense *values, const dense *V, const dense *w, int64_t first, int64_t k)
{
    double off = V ? eig_residual(full, V, w, k, 1) : 0, q = V ? eig_apart(V, k) : 0, apart = eig_off(w, values, first, k);
    check(off < BOUND && q < BOUND && apart < BOUND, "%s: %c of order %d, %s: residual %g, orthogonality %g, eigenvalues %g", p->name, tsl_type_letter(full->t),
          (int)full->n, how, off, q, apart);
}

/* The typed calls; on views, all and some */
static void pairs(const place *p, tsl_type t, int64_t n, tsl_uplo uplo)
{
    dense full = eig_matrix(t, n, EIG_RANDOM), values = eig_lapack(&full);
    int64_t info = -7, m = -7, first = n / 3, k = n / 2, before = tasks(p->x);
    for (int job = 0; job < 2; job++) {
        dense A = eig_triangle(&full, uplo), w = column(t, n), was = dense_copy(&A);
        tsl_status st = eig_typed[t].evd(p->x, "NV"[job], letter(uplo), n, A.data, A.ld, w.data, &info);
        check(!st && !info, "%s: %s, info %d: %s", p->name, tsl_status_name(st), (int)info, tsl_error(p->x));
        good(p, job ? "all" : "values", &full, &values, job ? &A : NULL, &w, 0, n);
        check(!dense_strays(&A, &was, job ? TSL_GENERAL : uplo), "%s: wrote elsewhere", p->name);
        dense_free(&A), dense_free(&w), dense_free(&was);
    }
    for (int some = 0; some < 2; some++) {
        dense A = eig_triangle(&full, uplo), w = column(t, n), V = dense_make(t, n, some ? k : n, CANARY_FINITE);
        tsl_matrix *a, *b, *v;
        tsl_view S = view_of(p, &A, &a);
        tsl_selection which = {.range = TSL_RANGE_INDEX, .il = first + 1, .iu = first + k};
        tsl_status st = tsl_syev(p->x, uplo == TSL_LOWER ? tsl_lower(S) : tsl_upper(S), some ? &which : NULL, view_of(p, &w, &b), view_of(p, &V, &v), &m, &info);
        if (!st) st = tsl_wait(p->x);
        check(!st && !info && m == V.n, "%s on views: %s, info %d, %d found: %s", p->name, tsl_status_name(st), (int)info, (int)m, tsl_error(p->x));
        good(p, "on views", &full, &values, &V, &w, some ? first : 0, V.n);
        tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(v);
        dense_free(&A), dense_free(&w), dense_free(&V);
    }
    check(n < 2 || tasks(p->x) > before, "%s: order %d went in one piece", p->name, (int)n);
    dense_free(&full), dense_free(&values);
}

/* A x = l B x and its kin, from the typed call and on views: |A X - B X L| and so on beside |A| |X| |B|, and X^H B X = I, or
 * for the last the eigenvalues alone */
static void of_two(const place *p, tsl_type t, int64_t n, tsl_uplo uplo, int itype)
{
    dense full = eig_matrix(t, n, EIG_RANDOM), B = dense_definite(t, n, TSL_GENERAL), A = eig_triangle(&full, uplo), F = eig_triangle(&B, uplo), w = column(t, n), u = column(t, n);
    dense A2 = eig_triangle(&full, uplo), F2 = eig_triangle(&B, uplo), V = dense_make(t, n, n, CANARY_FINITE);
    int64_t info = -7, m = -7, before = tasks(p->x);
    tsl_status st = eig_typed[t].gvd(p->x, itype, 'V', letter(uplo), n, A.data, A.ld, F.data, F.ld, w.data, &info);
    check(!st && !info, "%s, itype %d: %s, info %d: %s", p->name, itype, tsl_status_name(st), (int)info, tsl_error(p->x));
    tsl_matrix *a, *f, *b, *v;
    tsl_view S = view_of(p, &A2, &a), L = view_of(p, &F2, &f);
    st = tsl_sygv(p->x, itype, uplo == TSL_LOWER ? tsl_lower(S) : tsl_upper(S), uplo == TSL_LOWER ? tsl_lower(L) : tsl_upper(L), NULL, view_of(p, &u, &b), view_of(p, &V, &v), &m, &info);
    if (!st) st = tsl_wait(p->x);
    check(!st && !info && m == n, "%s, itype %d on views: %s, info %d: %s", p->name, itype, tsl_status_name(st), (int)info, tsl_error(p->x));
    tsl_matrix_free(a), tsl_matrix_free(f), tsl_matrix_free(b), tsl_matrix_free(v);
    check(tasks(p->x) > before, "%s: of two: in one piece", p->name);
    for (int k = 0; k < 2; k++) check_two(p->name, itype, &full, &B, k ? &V : &A, k ? &u : &w, n);
    dense C = eig_triangle(&full, uplo); /* the factor is in F */
    st = eig_typed[t].gst(p->x, itype, letter(uplo), n, C.data, C.ld, F.data, F.ld, &info);
    if (!st) st = eig_typed[t].evd(p->x, 'N', letter(uplo), n, C.data, C.ld, u.data, &info);
    check(!st && !info && eig_off(&u, &w, 0, n) < BOUND, "%s: sygst: %s, off %g: %s", p->name, tsl_status_name(st), eig_off(&u, &w, 0, n), tsl_error(p->x));
    dense_free(&C);
    dense_put(&B, n / 2, n / 2, -1);
    dense_free(&F), F = eig_triangle(&B, uplo);
    st = eig_typed[t].gvd(p->x, itype, 'V', letter(uplo), n, A.data, A.ld, F.data, F.ld, w.data, &info);
    check(!st && info == n + n / 2 + 1, "%s: not definite: %s, info %d", p->name, tsl_status_name(st), (int)info);
    dense_free(&full), dense_free(&B), dense_free(&A), dense_free(&F), dense_free(&w), dense_free(&u), dense_free(&A2), dense_free(&F2), dense_free(&V);
}

/* Tridiagonal, d and e in tiles: all, and those between two bounds */
static void tridiagonal(const place *p, tsl_type t)
{
    enum { N = 41 };
    dense d = column(t, N), e = dense_make(eig_real(t), N - 1, 1, CANARY_FINITE), w = column(t, N), Z = dense_make(eig_real(t), N, N, CANARY_FINITE);
    tsl_matrix *a, *b, *c, *z;
    tsl_view views[] = {view_of(p, &d, &a), view_of(p, &e, &b), view_of(p, &w, &c), view_of(p, &Z, &z)};
    int64_t m = -7, info = -7;
    for (int some = 0; some < 2; some++) {
        double off = 0;
        for (int64_t i = 0; i < N; i++) dense_put(&d, i, 0, 2), i + 1 < N ? dense_put(&e, i, 0, -1) : (void)0;
        tsl_selection which = {.range = some ? TSL_RANGE_VALUE : TSL_RANGE_ALL, .vl = 1.1, .vu = 2.9};
        tsl_status st = tsl_stev(p->x, views[0], views[1], &which, views[2], views[3], &m, &info);
        if (!st) st = tsl_wait(p->x);
        int64_t first = some ? 14 : 0, found = some ? 13 : N; /* 2 - 2 cos(pi k / 42), k = 15 .. 27 */
        check(!st && !info && m == found, "%s: stev: %s, info %d, %d found: %s", p->name, tsl_status_name(st), (int)info, (int)m, tsl_error(p->x));
        for (int64_t k = 0; k < m && m == found; k++) off = worse(off, fabs(creal(dense_get(&w, k, 0)) - (2 - 2 * cos(acos(-1) * (double)(k + first + 1) / (N + 1)))));
        check(off < BOUND * N * tsl_type_eps(t) && eig_apart(&Z, found) < BOUND, "%s: stev is off by %g", p->name, off);
    }
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(z);
    dense_free(&d), dense_free(&e), dense_free(&w), dense_free(&Z);
}

static void not_numbers(const place *p, tsl_type t)
{
    enum { N = 40 };
    dense full = eig_matrix(t, N, EIG_RANDOM), A = eig_triangle(&full, TSL_UPPER), w = column(t, N);
    int64_t info = -7;
    dense_put(&A, 0, N - 1, NAN);
    tsl_status st = eig_typed[t].evd(p->x, 'V', 'U', N, A.data, A.ld, w.data, &info);
    check(!st && info > 0 && info <= N && eig_spoiled(&w, 1) && eig_spoiled(&A, N), "%s: NaN: %s, info %d", p->name, tsl_status_name(st), (int)info);
    dense_free(&full), dense_free(&A), dense_free(&w);
}

static void on(const char *devices, const char *tile, int64_t tiled)
{
    static const int64_t orders[] = {1, 2, 17, 75};
    char name[96];
    snprintf(name, sizeof name, "%s, tiles of %s, %d", devices, tile, (int)tiled);
    place p = {context_on(devices), name, tiled};
    if (!p.x) return;
    check(!tsl_set(p.x, "path", "tiles") && !tsl_set(p.x, "tile", tile), "%s", tsl_error(p.x));
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 4; s++)
            for (int u = 0; u < 2; u++) pairs(&p, all_types[i], orders[s], triangles[u]);
        for (int k = 0; k < 6; k++) of_two(&p, all_types[i], 75, triangles[k % 2], 1 + k / 2);
        tridiagonal(&p, all_types[i]);
        not_numbers(&p, all_types[i]);
    }
    checked("%s", name);
    tsl_context_destroy(p.x);
}

/* A matrix of four times a device's memory, then vectors, whose tridiagonal problem only the cores have room for */
static void any_devices(void)
{
    static const char *const where[] = {"host:1,mem=64M", "host:3", "host:1,mem=180K"};
    enum { N = 300 };
    dense full = eig_matrix(TSL_D, N, EIG_RANDOM), values = eig_lapack(&full), first[2][2] = {0};
    for (int k = 0; k < 3; k++) {
        place p = {context_on(where[k]), where[k], 0};
        if (!p.x) continue;
        if (k < 2) check(!tsl_set(p.x, "path", "tiles"), "%s", tsl_error(p.x));
        check(!tsl_set(p.x, "tile", "16"), "%s", tsl_error(p.x));
        for (int job = 0; job < 2; job++) {
            dense A = eig_triangle(&full, TSL_LOWER), w = column(TSL_D, N);
            int64_t info = -7, before = tasks(p.x);
            tsl_status st = eig_typed[TSL_D].evd(p.x, "NV"[job], 'L', N, A.data, A.ld, w.data, &info);
            check(!st && !info && tasks(p.x) > before, "%s: %s, info %d: %s", where[k], tsl_status_name(st), (int)info, tsl_error(p.x));
            good(&p, job ? "vectors" : "values", &full, &values, job ? &A : NULL, &w, 0, N);
            if (k) check(dense_same(&w, &first[job][0]) && dense_same(&A, &first[job][1]), "%s: other bits than on %s", where[k], where[0]);
            if (k) dense_free(&A), dense_free(&w);
            else first[job][0] = w, first[job][1] = A;
        }
        tsl_context_destroy(p.x);
    }
    for (int job = 0; job < 2; job++) dense_free(&first[job][0]), dense_free(&first[job][1]);
    dense_free(&full), dense_free(&values);
    checked("the same bits on any devices");
}

/* Some pairs by their numbers where memory is little: those of a plan's smaller problem are fewer than these. (2 -1), as above */
static void late_pairs(const char *devices)
{
    static const int64_t cases[][3] = {{228, 107, 212}, {228, 228, 228}, {300, 150, 151}, {400, 1, 399}, {400, 390, 400}};
    tsl_context *x = context_on(devices);
    if (!x) return;
    for (int k = 0; k < 5; k++) {
        int64_t n = cases[k][0], il = cases[k][1], iu = cases[k][2], m = -7, info = -7;
        dense d = column(TSL_D, n), e = column(TSL_D, n), w = column(TSL_D, n), Z = dense_make(TSL_D, n, iu - il + 1, CANARY_FINITE);
        double off = 0;
        dense_fill(&d, 2), dense_fill(&e, -1);
        tsl_status st = tsl_dstevr(x, 'V', 'I', n, (double *)d.data, (double *)e.data, 0, 1, il, iu, 0, &m, (double *)w.data, (double *)Z.data, Z.ld, NULL, &info);
        check(!st && !info && m == iu - il + 1, "%s: stevr %d to %d of %d: %s, info %d, %d found: %s", devices, (int)il, (int)iu, (int)n, tsl_status_name(st), (int)info,
              (int)m, tsl_error(x));
        for (int64_t j = 0; j < m; j++) off = tsl_larger(off, fabs(creal(dense_get(&w, j, 0)) - (2 - 2 * cos(acos(-1) * (double)(j + il) / (double)(n + 1)))));
        check(off < 1e-13 && (st || eig_apart(&Z, m) < BOUND), "%s: stevr is off by %g", devices, off);
        dense_free(&d), dense_free(&e), dense_free(&w), dense_free(&Z);
    }
    checked("%s: late pairs", devices);
    tsl_context_destroy(x);
}

/* The last element of tiled columns: what is beside it is an empty view after their last tile, or of a column without elements */
static void empty_views(const char *devices)
{
    enum { TILE = 8 };
    tsl_context *x = context_on(devices);
    if (!x) return;
    place p = {x, devices, TILE};
    for (int way = 0; way < 3; way++) /* stedc, sterf, stev */
        for (int64_t n = 1; n <= 2 * TILE; n += n == 1 ? TILE - 1 : TILE) /* 1, 8, 16 */
            for (int64_t k = 0; k <= 1; k++) {
                dense d = column(TSL_D, n), e = dense_make(TSL_D, n == 1 ? 0 : n, 1, CANARY_FINITE), w = column(TSL_D, n), Z = dense_make(TSL_D, n, n, CANARY_FINITE);
                tsl_matrix *a, *b, *c, *z;
                int64_t m = -7, info = -7;
                dense_fill(&d, 2), dense_fill(&e, -1), dense_fill(&w, 7), dense_fill(&Z, 7);
                tsl_view d1 = tsl_sub(view_of(&p, &d, &a), n - k, 0, k, 1), e1 = tsl_sub(view_of(&p, &e, &b), e.m, 0, 0, 1);
                tsl_view w1 = tsl_sub(view_of(&p, &w, &c), n - k, 0, k, 1), Z1 = tsl_sub(view_of(&p, &Z, &z), n - k, n - k, k, k);
                tsl_status st = way == 0 ? tsl_stedc(x, d1, e1, 0, Z1, &info) : way == 1 ? tsl_sterf(x, d1, e1, &info) : tsl_stev(x, d1, e1, NULL, w1, Z1, &m, &info);
                if (!st) st = tsl_wait(x);
                check(!st && !info, "%s: way %d, %d of %d: %s, info %d: %s", devices, way, (int)k, (int)n, tsl_status_name(st), (int)info, tsl_error(x));
                if (k && way != 1) check(fabs(creal(dense_get(&Z, n - 1, n - 1))) == 1, "%s: way %d: vector %g", devices, way, creal(dense_get(&Z, n - 1, n - 1)));
                if (k) check(creal(dense_get(way == 2 ? &w : &d, n - 1, 0)) == 2, "%s: way %d: value", devices, way);
                tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(z);
                dense_free(&d), dense_free(&e), dense_free(&w), dense_free(&Z);
            }
    checked("%s: empty views", devices);
    tsl_context_destroy(x);
}

/* In one piece and without tiles: asked for by name; and tiles too large for the device */
static void refusals(void)
{
    enum { N = 100 };
    place p = {context_on("host:1,mem=64K"), "host:1,mem=64K", 64};
    if (!p.x) return;
    dense full = eig_matrix(TSL_D, N, EIG_RANDOM), A = eig_triangle(&full, TSL_LOWER), w = column(TSL_D, N);
    int64_t info = -7;
    tsl_matrix *a, *b;
    tsl_view S = tsl_lower(view_of(&p, &A, &a)), W = view_of(&p, &w, &b);
    tsl_status st = tsl_syev(p.x, S, NULL, W, (tsl_view){0}, NULL, &info);
    check(st == TSL_ERR_DEVICE_MEMORY && strstr(tsl_error(p.x), "a task on tiles of 100 x 64 needs"), "%s: %s", tsl_status_name(st), tsl_error(p.x));
    st = tsl_set(p.x, "variant", "one");
    if (!st) st = tsl_syev(p.x, S, NULL, W, (tsl_view){0}, NULL, &info);
    check(st == TSL_ERR_OPTION && strstr(tsl_error(p.x), "there is no variant 'one' of it by tiles"), "%s: %s", tsl_status_name(st), tsl_error(p.x));
    tsl_matrix_free(a), tsl_matrix_free(b);
    dense_free(&full), dense_free(&A), dense_free(&w);
    tsl_context_destroy(p.x);
    checked("what is refused");
}

int main(void)
{
    on("host:3", "16", 0);
    on("host:1,mem=2M", "24", 7);
    on("cuda", "16", 0);
    any_devices();
    late_pairs("host:2,mem=300K"), late_pairs("host:1,mem=1M");
    empty_views("host:2,mem=300K"), empty_views("host:3"), empty_views("cuda");
    refusals();
    return tap_done();
}
