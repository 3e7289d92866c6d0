/* Operands that share memory: drawn at random in one small array, the verdict compared with the elements themselves. What is
 * refused touches nothing; what is accepted gives what it gives with operands of their own. Then what the header names. */
#include "dense.h"
#include "tiled.h"

enum { SIDE = 12, ELEMENTS = SIDE * SIDE, ROUNDS = 400 };

static uint64_t seed = 5;
static int64_t draw(int64_t from, int64_t to) { return from + (int64_t)((dense_uniform(&seed) + 1) / 2 * (double)(to - from + 1)); }

/* One operand of the test: element `at`[k] of the array has place k; -1: it is not of the triangle. */
typedef struct elements {
    int64_t count;
    int64_t at[ELEMENTS];
} elements;

static elements block(int64_t at, int64_t m, int64_t n, int64_t ld, tsl_uplo uplo, bool unit)
{
    elements e = {0};
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            e.at[e.count++] = in_triangle(uplo, i, j) && !(unit && i == j) ? at + i + j * ld : -1;
    return e;
}

static elements vector(int64_t at, int64_t n, int64_t inc)
{
    elements e = {.count = n};
    for (int64_t k = 0; k < n; k++) e.at[k] = at + (inc > 0 ? k * inc : (n - 1 - k) * -inc);
    return e;
}

static bool meet(const elements *a, const elements *b, bool in_place)
{
    for (int64_t k = 0; k < a->count; k++)
        for (int64_t l = 0; l < b->count; l++)
            if (a->at[k] >= 0 && a->at[k] == b->at[l] && !(in_place && k == l)) return true;
    return false;
}

/* The array, and three copies of it in which operands have memory of their own. */
typedef struct world {
    tsl_type t;
    dense one, own[3], was;
} world;

static world make_world(tsl_type t)
{
    world w = {.t = t, .one = dense_make(t, ELEMENTS, 1, CANARY_FINITE)};
    dense_random(&w.one, (uint64_t)draw(1, 1 << 20));
    for (int64_t i = 0; i < ELEMENTS; i++) dense_put(&w.one, i, 0, dense_get(&w.one, i, 0) + 3);
    w.was = dense_copy(&w.one);
    for (int k = 0; k < 3; k++) w.own[k] = dense_copy(&w.one);
    return w;
}

static void free_world(world *w)
{
    dense_free(&w->one), dense_free(&w->was);
    for (int k = 0; k < 3; k++) dense_free(&w->own[k]);
}

/* Is operand e, as `of` its copy has it, in the array, and all but it and `also` as before? */
static bool right(const world *w, const elements *e, int of, const elements *also)
{
    size_t size = tsl_type_size(w->t);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        bool mine = false, others = false;
        for (int64_t k = 0; k < e->count; k++) mine |= e->at[k] == i;
        for (int64_t k = 0; also && k < also->count; k++) others |= also->at[k] == i;
        const dense *want = mine ? &w->own[of] : &w->was;
        if (!(others && !mine) && memcmp(dense_at(&w->one, i, 0), dense_at(want, i, 0), size) != 0) return false;
    }
    return true;
}

/* Typed calls by element type: F(gemm)(...) with p[k] where operand k begins */
#define BY_TYPE(t, call_s, call_d, call_c, call_z) ((t) == TSL_S ? (call_s) : (t) == TSL_D ? (call_d) : (t) == TSL_C ? (call_c) : (call_z))

typedef enum { COPY, AXPY, SWAP, ROT, VECTOR_OPS } vector_op;

static tsl_status vector_call(tsl_context *x, tsl_type t, vector_op op, int64_t n, void *p, int64_t incx, void *q, int64_t incy)
{
    switch (op) {
    case COPY:
        return BY_TYPE(t, tsl_scopy(x, n, p, incx, q, incy), tsl_dcopy(x, n, p, incx, q, incy), tsl_ccopy(x, n, p, incx, q, incy),
                       tsl_zcopy(x, n, p, incx, q, incy));
    case AXPY:
        return BY_TYPE(t, tsl_saxpy(x, n, 2, p, incx, q, incy), tsl_daxpy(x, n, 2, p, incx, q, incy), tsl_caxpy(x, n, 2, p, incx, q, incy),
                       tsl_zaxpy(x, n, 2, p, incx, q, incy));
    case SWAP:
        return BY_TYPE(t, tsl_sswap(x, n, p, incx, q, incy), tsl_dswap(x, n, p, incx, q, incy), tsl_cswap(x, n, p, incx, q, incy),
                       tsl_zswap(x, n, p, incx, q, incy));
    default:
        return BY_TYPE(t, tsl_srot(x, n, p, incx, q, incy, 0.6f, 0.8f), tsl_drot(x, n, p, incx, q, incy, 0.6, 0.8),
                       tsl_csrot(x, n, p, incx, q, incy, 0.6f, 0.8f), tsl_zdrot(x, n, p, incx, q, incy, 0.6, 0.8));
    }
}

static int64_t step(void)
{
    int64_t inc = draw(-3, 13);
    return inc == 0 ? 1 : inc > 3 && inc < 11 ? SIDE : inc;
}

static int64_t reach(int64_t n, int64_t inc) { return (n - 1) * (inc < 0 ? -inc : inc); }

static void test_vectors(tsl_context *x, const char *spec, tsl_type t)
{
    int refused = 0, accepted = 0;
    for (int r = 0; r < ROUNDS; r++) {
        vector_op op = (vector_op)draw(0, VECTOR_OPS - 1);
        int64_t n = draw(1, 10), ix = step(), iy = draw(0, 2) ? step() : ix;
        int64_t at = draw(0, ELEMENTS - 1 - reach(n, ix)), to = draw(0, 4) ? draw(0, ELEMENTS - 1 - reach(n, iy)) : tsl_min(at, ELEMENTS - 1 - reach(n, iy));
        elements a = vector(at, n, ix), b = vector(to, n, iy);
        bool bad = meet(&a, &b, op != ROT);
        world w = make_world(t);
        tsl_status st = vector_call(x, t, op, n, dense_at(&w.one, at, 0), ix, dense_at(&w.one, to, 0), iy);
        check(st == (bad ? TSL_ERR_OVERLAP : TSL_OK), "op %d, n %d, x at %d by %d, y at %d by %d: %s", (int)op, (int)n, (int)at, (int)ix,
              (int)to, (int)iy, tsl_status_name(st));
        if (bad)
            check(dense_same(&w.one, &w.was) && strstr(tsl_error(x), op == AXPY ? ": argument 5 (y) overlaps argument 3 (x)"
                                                                                : ": argument 4 (y) overlaps argument 2 (x)"),
                  "op %d, refused: %s", (int)op, tsl_error(x));
        else {
            vector_call(x, t, op, n, dense_at(&w.own[0], at, 0), ix, dense_at(&w.own[1], to, 0), iy);
            check(right(&w, &b, 1, op == SWAP || op == ROT ? &a : NULL), "op %d, n %d, x at %d by %d, y at %d by %d: y", (int)op, (int)n,
                  (int)at, (int)ix, (int)to, (int)iy);
            if (op == SWAP || op == ROT) check(right(&w, &a, 0, &b), "op %d: x", (int)op);
        }
        refused += bad, accepted += !bad;
        free_world(&w);
    }
    check(refused > ROUNDS / 20 && accepted > ROUNDS / 20, "%d refused, %d accepted", refused, accepted);
    checked("%s, %c: vectors", spec, tsl_type_letter(t));
}

typedef enum { GEMM, TRSM, SYRK, POSV, GER, MATRIX_OPS } matrix_op;

typedef struct shape {
    int64_t at, m, n, ld;
} shape;

static shape draw_block(int64_t m, int64_t n)
{
    shape s = {.m = m, .n = n, .ld = draw(0, 2) ? SIDE : draw(m, SIDE)};
    s.at = draw(0, ELEMENTS - 1 - ((n - 1) * s.ld + m - 1));
    return s;
}

/* operands v[0], v[1], v[2] at p[0], p[1], p[2]; the last is written, of posv both */
static tsl_status matrix_call(tsl_context *x, tsl_type t, matrix_op op, bool upper, bool unit, const shape *v, void *const *p)
{
    char u = upper ? 'U' : 'L', d = unit ? 'U' : 'N';
    int64_t m, n, k, info;
    switch (op) {
    case GEMM:
        m = v[0].m, n = v[1].n, k = v[0].n;
        return BY_TYPE(t, tsl_sgemm(x, 'N', 'N', m, n, k, 1, p[0], v[0].ld, p[1], v[1].ld, 2, p[2], v[2].ld),
                       tsl_dgemm(x, 'N', 'N', m, n, k, 1, p[0], v[0].ld, p[1], v[1].ld, 2, p[2], v[2].ld),
                       tsl_cgemm(x, 'N', 'N', m, n, k, 1, p[0], v[0].ld, p[1], v[1].ld, 2, p[2], v[2].ld),
                       tsl_zgemm(x, 'N', 'N', m, n, k, 1, p[0], v[0].ld, p[1], v[1].ld, 2, p[2], v[2].ld));
    case TRSM:
        m = v[1].m, n = v[1].n;
        return BY_TYPE(t, tsl_strsm(x, 'L', u, 'N', d, m, n, 1, p[0], v[0].ld, p[1], v[1].ld),
                       tsl_dtrsm(x, 'L', u, 'N', d, m, n, 1, p[0], v[0].ld, p[1], v[1].ld),
                       tsl_ctrsm(x, 'L', u, 'N', d, m, n, 1, p[0], v[0].ld, p[1], v[1].ld),
                       tsl_ztrsm(x, 'L', u, 'N', d, m, n, 1, p[0], v[0].ld, p[1], v[1].ld));
    case SYRK:
        n = v[0].m, k = v[0].n;
        return BY_TYPE(t, tsl_ssyrk(x, u, 'N', n, k, 1, p[0], v[0].ld, 1, p[1], v[1].ld), tsl_dsyrk(x, u, 'N', n, k, 1, p[0], v[0].ld, 1, p[1], v[1].ld),
                       tsl_csyrk(x, u, 'N', n, k, 1, p[0], v[0].ld, 1, p[1], v[1].ld), tsl_zsyrk(x, u, 'N', n, k, 1, p[0], v[0].ld, 1, p[1], v[1].ld));
    case POSV:
        n = v[0].m, k = v[1].n, info = 0;
        m = BY_TYPE(t, tsl_sposv(x, u, n, k, p[0], v[0].ld, p[1], v[1].ld, &info), tsl_dposv(x, u, n, k, p[0], v[0].ld, p[1], v[1].ld, &info),
                    tsl_cposv(x, u, n, k, p[0], v[0].ld, p[1], v[1].ld, &info), tsl_zposv(x, u, n, k, p[0], v[0].ld, p[1], v[1].ld, &info));
        check(m == TSL_ERR_OVERLAP ? info == -6 : info >= 0, "posv: info %d with %s", (int)info, tsl_status_name((tsl_status)m));
        return (tsl_status)m;
    default: /* a column and a row */
        m = v[2].m, n = v[2].n;
        return BY_TYPE(t, tsl_sger(x, m, n, 1, p[0], 1, p[1], v[1].ld, p[2], v[2].ld), tsl_dger(x, m, n, 1, p[0], 1, p[1], v[1].ld, p[2], v[2].ld),
                       tsl_cgeru(x, m, n, 1, p[0], 1, p[1], v[1].ld, p[2], v[2].ld), tsl_zgeru(x, m, n, 1, p[0], 1, p[1], v[1].ld, p[2], v[2].ld));
    }
}

static void test_matrices(tsl_context *x, const char *spec, tsl_type t)
{
    int refused = 0, accepted = 0;
    for (int r = 0; r < ROUNDS; r++) {
        matrix_op op = (matrix_op)draw(0, MATRIX_OPS - 1);
        int64_t m = draw(1, 5), n = draw(1, 5), k = draw(1, 5);
        bool upper = draw(0, 1), unit = op == TRSM && draw(0, 1), three = op == GEMM || op == GER, triangle = op == TRSM;
        tsl_uplo uplo = upper ? TSL_UPPER : TSL_LOWER;
        int64_t inner = op == GEMM ? k : op == GER ? 1 : m; /* B's rows, and but for syrk A's columns */
        shape v[3] = {draw_block(m, op == SYRK ? k : inner), draw_block(inner, op == SYRK ? m : n), draw_block(m, n)};
        elements e[3];
        for (int i = 0; i < 3; i++) {
            bool tri = (i == 0 && triangle) || (i == 1 && op == SYRK);
            e[i] = block(v[i].at, v[i].m, v[i].n, v[i].ld, tri ? uplo : TSL_GENERAL, i == 0 && unit);
        }
        int last = three ? 2 : 1;
        bool bad = meet(&e[0], &e[last], false) || (three && meet(&e[1], &e[2], false));
        world w = make_world(t);
        void *p[3], *q[3];
        for (int i = 0; i < 3; i++) p[i] = dense_at(&w.one, v[i].at, 0), q[i] = dense_at(&w.own[i], v[i].at, 0);
        tsl_status st = matrix_call(x, t, op, upper, unit, v, p);
        check(st == (bad ? TSL_ERR_OVERLAP : TSL_OK), "op %d %d %d %d, %c%c, at %d by %d, %d by %d, %d by %d: %s", (int)op, (int)m, (int)n,
              (int)k, upper ? 'U' : 'L', unit ? 'U' : 'N', (int)v[0].at, (int)v[0].ld, (int)v[1].at, (int)v[1].ld, (int)v[2].at,
              (int)v[2].ld, tsl_status_name(st));
        if (bad) check(dense_same(&w.one, &w.was) && strstr(tsl_error(x), ") overlaps argument "), "op %d, refused: %s", (int)op, tsl_error(x));
        else {
            matrix_call(x, t, op, upper, unit, v, q);
            check(right(&w, &e[last], last, op == POSV ? &e[0] : NULL), "op %d %d %d %d: the result", (int)op, (int)m, (int)n, (int)k);
        }
        refused += bad, accepted += !bad;
        free_world(&w);
    }
    check(refused > ROUNDS / 20 && accepted > ROUNDS / 20, "%d refused, %d accepted", refused, accepted);
    checked("%s, %c: matrices", spec, tsl_type_letter(t));
}

/* Views of one matrix, flat (nb = 0), or tiled and the caller's or ours. */
static void test_views(tsl_context *x, const char *spec, tsl_type t, int64_t nb, bool ours)
{
    enum { N = 24 };
    dense D = dense_make(t, N, N, CANARY_FINITE), was;
    tsl_matrix *M = NULL, *F = NULL, *G = NULL;
    dense_dominant(&D, 7);
    tsl_status st = tsl_matrix_wrap(x, t, N, N, D.data, D.ld, &F);
    if (!st && !nb) st = tsl_matrix_wrap(x, t, N, N, D.data, D.ld, &M);
    else if (!st) st = ours ? tsl_tiled_create(x, t, N, N, nb, &M) : tsl_tiled_wrap(x, t, N, N, D.data, D.ld, nb, &M);
    if (!st) st = tsl_tiled_create(x, t, N, N, 5, &G);
    tsl_view A = tsl_whole(M), half = tsl_sub(A, 0, 0, N, N / 2), other = tsl_sub(A, 0, N / 2, N, N / 2), low = tsl_sub(A, N / 2, 0, N / 2, N / 2);
    if (!st && ours) st = tsl_copy(x, tsl_whole(F), A);
    if (!st) st = tsl_copy(x, tsl_whole(F), tsl_whole(G));
    check(!st, "matrices: %s", tsl_error(x));
    was = dense_copy(&D);
    tsl_view TL = tsl_sub(A, 0, 0, N / 2, N / 2), TR = tsl_sub(A, 0, N / 2, N / 2, N / 2), BR = tsl_sub(A, N / 2, N / 2, N / 2, N / 2);
    check(tsl_copy(x, A, tsl_trans(A)) == TSL_ERR_OVERLAP, "copy: onto its transpose");
    check(tsl_copy(x, half, tsl_sub(A, 0, 1, N, N / 2)) == TSL_ERR_OVERLAP && !strcmp(tsl_error(x), "copy: B overlaps A"),
          "copy: a column aside: '%s'", tsl_error(x));
    check(tsl_gemm(x, 1, A, tsl_whole(G), 1, A) == TSL_ERR_OVERLAP && !strcmp(tsl_error(x), "gemm: C overlaps A"), "gemm: C = A: '%s'", tsl_error(x));
    check(tsl_gemm(x, 1, tsl_whole(G), A, 1, A) == TSL_ERR_OVERLAP && !strcmp(tsl_error(x), "gemm: C overlaps B"), "gemm: C = B: '%s'", tsl_error(x));
    check(tsl_symm(x, TSL_LEFT, 1, tsl_lower(TL), TR, 1, TR) == TSL_ERR_OVERLAP, "symm: C = B");
    check(tsl_trsm(x, TSL_LEFT, 1, tsl_lower(A), half) == TSL_ERR_OVERLAP && tsl_trmm(x, TSL_RIGHT, 1, tsl_upper(A), A) == TSL_ERR_OVERLAP,
          "trsm, trmm: B in A");
    check(tsl_syrk(x, 1, A, 1, tsl_lower(A)) == TSL_ERR_OVERLAP && tsl_syr2k(x, 1, tsl_whole(G), A, 1, tsl_lower(A)) == TSL_ERR_OVERLAP,
          "syrk, syr2k: C = A, C = B");
    check(tsl_potrs(x, tsl_lower(A), half) == TSL_ERR_OVERLAP && tsl_posv(x, tsl_lower(A), half, NULL) == TSL_ERR_OVERLAP, "potrs, posv: B in A");
    if (!ours)
        check(tsl_gemm(x, 1, tsl_whole(F), tsl_whole(G), 1, A) == TSL_ERR_OVERLAP &&
                  tsl_copy(x, tsl_trans(tsl_whole(F)), A) == TSL_ERR_OVERLAP,
              "another matrix on the same array");
    check(dense_same(&D, &was), "nothing was touched");

    check(!tsl_gemm(x, 0, A, A, 1, A) && !tsl_gemm(x, 1, tsl_sub(A, 0, 0, N, 0), tsl_sub(A, 0, 0, 0, N), 1, A), "no product: anything goes");
    check(!tsl_copy(x, A, A) && dense_same(&D, &was), "copy: onto itself");
    check(!tsl_syr2k(x, 0.5, low, low, 0, tsl_lower(BR)), "syr2k: A = B");
    check(!tsl_gemm(x, -1, low, TR, 1, BR) && !tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(TL)), low), "parts of one matrix");
    check(!tsl_copy(x, half, other), "copy: beside it");
    check(!tsl_copy(x, tsl_lower(A), tsl_trans(tsl_upper(A))), "copy: a triangle onto its mirror image");
    if (ours) check(!tsl_copy(x, A, tsl_whole(F)), "copy: out");
    check(!tsl_wait(x), "wait");
    int mirrored = 1;
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i <= j; i++) mirrored &= dense_get(&D, i, j) == dense_get(&D, j, i);
    check(mirrored, "the mirror image");
    if (!nb) {
        check(!tsl_expand(x, TSL_TRIANGULAR, tsl_lower(A), A) && dense_get(&D, 0, N - 1) == 0 && dense_get(&D, N - 1, 0) != 0, "expand: in place");
        check(tsl_expand(x, TSL_SYMMETRIC, tsl_lower(A), tsl_trans(A)) == TSL_ERR_OVERLAP, "expand: turned around in place");
        tsl_view c = tsl_sub(A, 0, 3, N, 1), r = tsl_sub(A, 3, 0, 1, N);
        check(!tsl_swap(x, c, r) && tsl_swap(x, c, tsl_sub(A, 2, 0, 1, N)) == TSL_ERR_OVERLAP, "swap: a row and a column that meet on the diagonal, or not");
        check(!tsl_axpy(x, 1, c, c) && tsl_rot(x, c, c, 0.6, 0.8) == TSL_ERR_OVERLAP, "axpy and rot: x = y");
        check(tsl_ger(x, 1, c, r, A) == TSL_ERR_OVERLAP && tsl_gemv(x, 1, A, c, 1, tsl_sub(A, 0, 5, N, 1)) == TSL_ERR_OVERLAP, "ger, gemv: vectors of A");
        check(tsl_trsv(x, tsl_lower(A), c) == TSL_ERR_OVERLAP &&
                  tsl_symv(x, 1, tsl_upper(TL), tsl_sub(c, 0, 0, N / 2, 1), 1, tsl_sub(TL, 0, 0, N / 2, 1)) == TSL_ERR_OVERLAP,
              "trsv, symv");
    }
    tsl_matrix_free(M), tsl_matrix_free(F), tsl_matrix_free(G);
    checked("%s, %c: views of a matrix %s", spec, tsl_type_letter(t), !nb ? "flat" : ours ? "of tiles" : "wrapped in tiles");
    dense_free(&D), dense_free(&was);
}

int main(void)
{
    const char *specs[] = {"host", "host:2"};
    for (int s = 0; s < 2; s++) {
        tsl_context *x = make(specs[s]);
        for (int t = 0; t < 4 && x; t++) {
            test_vectors(x, specs[s], (tsl_type)t);
            test_matrices(x, specs[s], (tsl_type)t);
            test_views(x, specs[s], (tsl_type)t, 0, false);
            test_views(x, specs[s], (tsl_type)t, 7, false);
            test_views(x, specs[s], (tsl_type)t, 7, true);
        }
        tsl_context_destroy(x);
    }
    return tap_done();
}
