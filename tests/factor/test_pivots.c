/* Pivots are indices, and so input: one that is no row of the matrix is refused, and nothing but the operands is ever written.
 * Those in the caller's memory are looked at first, and then the operands are not written either. */
#include "context.h"
#include "lu.h"

enum { N = 70, COLS = 5, NB = 16, IB = 4, FIRST = 1, LAST = N, OUT = 4 };

static const int64_t bad[] = {0, -7, N + 1, 1000000000000, INT64_MIN, INT64_MAX};
enum { BAD = sizeof bad / sizeof *bad };

/* Where the operands are */
typedef enum place { HOST_FLAT, HOST_TILED, DEVICE_FLAT, DEVICE_TILED, PLACES } place;
static const char *const place_name[PLACES] = {"flat", "tiled", "in device memory", "tiled, of the library's"};

typedef struct operands {
    dense A, B, p, L, q, was[5]; /* q: of the incremental form */
    tsl_matrix *mat[5];
} operands;

static dense *of(operands *o, int i) { return i == 0 ? &o->A : i == 1 ? &o->B : i == 2 ? &o->p : i == 3 ? &o->L : &o->q; }

/* Factors that are not of the matrix: only whether rows are there matters. */
static operands fresh(tsl_type t)
{
    int64_t pairs = tsl_pairs(N, N, NB);
    operands o = {.A = lu_matrix(t, N, N, PLANTED, 1), .B = dense_make(t, N, COLS, CANARY_FINITE), .p = lu_pivots(N),
                  .L = dense_make(t, IB, NB * pairs, CANARY_FINITE), .q = dense_make(TSL_INDEX, NB, pairs, CANARY_FINITE)};
    dense_random(&o.B, 2);
    dense_fill(&o.L, 0);
    for (int64_t i = 0; i < N; i++) *(int64_t *)dense_at(&o.p, i, 0) = i + 1;
    for (int64_t j = 0; j < pairs; j++)
        for (int64_t i = 0; i < NB; i++) *(int64_t *)dense_at(&o.q, i, j) = i + 1;
    return o;
}

static int put(tsl_context *x, operands *o, place where)
{
    int good = 1;
    for (int i = 0; i < 5; i++) {
        dense *d = of(o, i);
        tsl_matrix *wrapped = NULL;
        o->was[i] = dense_copy(d);
        int64_t tile = i == 4 ? NB : 16; /* a column of q is a tile, and so is a part of L */
        if (where == HOST_TILED && i < 3) good &= !tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, tile, &o->mat[i]);
        else if (where == DEVICE_TILED && i < 3) good &= !tsl_tiled_create(x, d->t, d->m, d->n, tile, &o->mat[i]);
        else if (where >= DEVICE_FLAT) good &= !tsl_matrix_create(x, d->t, d->m, d->n, &o->mat[i]);
        else good &= !tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &o->mat[i]);
        if (where < DEVICE_FLAT) continue;
        good &= !tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &wrapped) && !tsl_copy(x, tsl_whole(wrapped), tsl_whole(o->mat[i]));
        tsl_matrix_free(wrapped);
    }
    return good;
}

static void drop(operands *o)
{
    for (int i = 0; i < 5; i++) tsl_matrix_free(o->mat[i]), dense_free(of(o, i)), dense_free(&o->was[i]);
}

enum { LASWP, BACKWARD, COLUMNS, GETRS, GETRS_T, GETRI, INCPIV, CALLS };
static const char *const call_name[CALLS] = {"laswp", "laswp backward", "laswp of columns", "getrs", "getrs of A^T", "getri", "getrs_incpiv"};

static tsl_status call(tsl_context *x, const operands *o, int which)
{
    tsl_view A = tsl_whole(o->mat[0]), B = tsl_whole(o->mat[1]), p = tsl_whole(o->mat[2]);
    switch (which) {
    case LASWP: return tsl_laswp(x, B, p, 0);
    case BACKWARD: return tsl_laswp(x, B, p, 1);
    case COLUMNS: return tsl_laswp(x, tsl_trans(A), p, 0);
    case GETRS: return tsl_getrs(x, A, p, B);
    case GETRS_T: return tsl_getrs(x, tsl_trans(A), p, B);
    case GETRI: return tsl_getri(x, A, p, NULL);
    default: return tsl_getrs_incpiv(x, A, tsl_whole(o->mat[3]), tsl_whole(o->mat[4]), B);
    }
}

/* True: nothing was written; in the caller's memory, canaries and all */
static int untouched(operands *o)
{
    int same = 1;
    for (int i = 0; i < 5; i++) same &= dense_same(of(o, i), &o->was[i]);
    return same;
}

static void views(tsl_context *x, const char *spec, tsl_type t, place where, bool region)
{
    for (int which = 0; which < CALLS; which++)
        for (int b = 0; b < BAD; b++) {
            operands o = fresh(t);
            int64_t row = (int64_t)(7 * b + which) % N;
            if (which == INCPIV) *(int64_t *)dense_at(&o.q, row % NB, row % 10) = b == 2 ? 2 * NB + 1 : bad[b];
            else *(int64_t *)dense_at(&o.p, row, 0) = bad[b];
            int good = put(x, &o, where);
            if (region) good &= !tsl_begin(x);
            tsl_status st = call(x, &o, which);
            bool first = st == TSL_ERR_PIVOT, named = strstr(tsl_error(x), "must be one of") != NULL;
            tsl_status late = tsl_wait(x);
            check(good && (first || (!st && late == TSL_ERR_PIVOT)), "%s %c %s %s, pivot %lld: %s, then %s", spec, tsl_type_letter(t), place_name[where],
                  call_name[which], (long long)bad[b], tsl_status_name(st), tsl_status_name(late));
            if (where < DEVICE_FLAT) check(first && named && untouched(&o), "%s %s: refused first: '%s'", place_name[where], call_name[which], tsl_error(x));
            drop(&o);
        }
    operands o = fresh(t); /* the same without: all is as ever */
    int good = put(x, &o, where);
    for (int which = 0; which < CALLS; which++) check(good && !call(x, &o, which) && !tsl_wait(x), "%s %s: %s", place_name[where], call_name[which], tsl_error(x));
    drop(&o);
    checked("%s %c: pivots out of range, operands %s%s", spec, tsl_type_letter(t), place_name[where], region ? ", in a region" : "");
}

static void typed(tsl_context *x, const char *spec, tsl_type t, int64_t n)
{
    const typed_calls *f = typed_for(t);
    for (int b = 0; b < BAD; b++) {
        operands o = fresh(t);
        int64_t info = 4711, *p = (int64_t *)o.p.data;
        p[n / 2] = bad[b] == N + 1 ? n + 1 : bad[b];
        put(x, &o, HOST_FLAT);
        for (int k = 0; k < 3; k++) {
            info = 4711;
            check(f->getrs(x, "NTC"[k], n, COLS, o.A.data, o.A.ld, p, o.B.data, o.B.ld, &info) == TSL_ERR_PIVOT && info == -6, "getrs %c: info %d", "NTC"[k], (int)info);
        }
        check(strstr(tsl_error(x), "argument 6 (ipiv): pivot") != NULL, "says '%s'", tsl_error(x));
        check(f->getri(x, n, o.A.data, o.A.ld, p, &info) == TSL_ERR_PIVOT && info == -4, "getri: info %d", (int)info);
        check(f->getrs(x, 'N', n, 0, NULL, o.A.ld, NULL, NULL, o.B.ld, &info) == TSL_OK && info == 0, "none are looked at for no columns");
        check(untouched(&o), "something was written");
        drop(&o);
    }
    checked("%s %c: typed calls of order %d", spec, tsl_type_letter(t), (int)n);
}

/* Rows above the first one, which exchanges of a part of the pivots name */
static void above(tsl_context *x, const char *spec)
{
    dense A = dense_make(TSL_D, N, COLS, CANARY_FINITE), want = dense_copy(&A), p = lu_pivots(N);
    tsl_matrix *mat[2] = {0};
    for (int64_t j = 0; j < COLS; j++)
        for (int64_t i = 0; i < N; i++) dense_put(&A, i, j, (double)(i + 100 * j)), dense_put(&want, i, j, (double)(i + 100 * j));
    for (int64_t i = 0; i < N; i++) *(int64_t *)dense_at(&p, i, 0) = 1 + (i * 31 + 7) % N;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < COLS; j++) {
            tsl_scalar v = dense_get(&want, i, j);
            dense_put(&want, i, j, dense_get(&want, lu_pivot(&p, i) - 1, j)), dense_put(&want, lu_pivot(&p, i) - 1, j, v);
        }
    int good = !tsl_matrix_wrap(x, TSL_D, N, COLS, A.data, A.ld, &mat[0]) && !tsl_matrix_wrap(x, TSL_INDEX, N, 1, p.data, p.ld, &mat[1]);
    good &= !tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", "8") && !tsl_laswp(x, tsl_whole(mat[0]), tsl_whole(mat[1]), 0);
    good &= !tsl_set(x, "path", "auto") && !tsl_set(x, "tile", "0");
    ok(good && dense_same(&A, &want), "%s: exchanges with rows above: %s", spec, tsl_error(x));
    tsl_matrix_free(mat[0]), tsl_matrix_free(mat[1]), dense_free(&A), dense_free(&want), dense_free(&p);
}

int main(void)
{
    static const char *const specs[] = {"host", "host:3", "cuda:0", "cuda:0x2"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        tsl_context *x = context_on(specs[s]);
        if (!x) continue;
        for (int i = 0; i < 4; i++) {
            tsl_type t = all_types[i];
            typed(x, specs[s], t, 20), typed(x, specs[s], t, N);
            for (int where = 0; where < PLACES; where++)
                if (i == 1 || where == i) views(x, specs[s], t, (place)where, false);
            if (i % 2) views(x, specs[s], t, DEVICE_TILED, true);
        }
        above(x, specs[s]);
        tsl_context_destroy(x);
    }
    return tap_done();
}
