/* Norms of matrices against their definition in long double: every kind, structure, op, triangle and type, sizes around the
 * device's tiles, each way in; the ends of the range, NaN and Inf; bad arguments. */
#include "context.h"
#include "norm.h"

static tsl_context *ctx;
static const char *where;

/* All that may not be read is NaN: the margin, the other triangle, a unit diagonal, a Hermitian diagonal's imaginary part. */
static dense make(tsl_type t, int64_t m, int64_t n, const norm_case *c, uint64_t seed)
{
    dense d = dense_make(t, m, n, CANARY_NAN);
    dense_random(&d, seed);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            if (!in_triangle(c->uplo, i, j) || (i == j && c->diag == TSL_UNIT)) dense_put(&d, i, j, CMPLX(NAN, NAN));
            else if (i == j && c->uplo && c->structure == TSL_HERMITIAN) dense_put(&d, i, j, CMPLX(creal(dense_get(&d, i, j)), NAN));
        }
    return d;
}

static int near(const dense *d, double got, long double want, double roundings)
{
    bool narrow = d->t == TSL_S || d->t == TSL_C;
    return fabsl((long double)got - want) <= roundings * (tsl_type_eps(d->t) * want + (narrow ? 0x1p-150L : 0x1p-1075L));
}

/* Typed if there is such a call, and by views of host and device memory, there twice: the same bits. */
static void each_way(const dense *d, const norm_case *c, double terms, const char *what)
{
    double roundings = c->kind == TSL_NORM_MAX ? 4 : 8 + terms;
    long double want = norm_wanted(d, c);
    for (int way = 0; way < 3; way++) {
        double got = -1, again = -1;
        if (way == 0 && c->op != TSL_NOTRANS) continue;
        tsl_status st = way == 0 ? norm_typed(ctx, d, c, norm_letter[c->kind], &got) : norm_views(ctx, d, c, way == 2, &got);
        int same = way < 2 || (!norm_views(ctx, d, c, true, &again) && got == again);
        check(!st && same && near(d, got, want, roundings), "%s %c %d x %d kind %c structure %d uplo %d diag %d op %d way %d: %.17g, want %.17Lg%s", what,
              tsl_type_letter(d->t), (int)d->m, (int)d->n, norm_letter[c->kind], c->structure, c->uplo, c->diag, c->op, way, got, want,
              st ? tsl_error(ctx) : "");
    }
}

/* Calls fn for every case an m x n matrix has, or for one in `thin`; others the next time. */
static void each_case(tsl_type t, int64_t m, int64_t n, unsigned thin, void (*fn)(tsl_type t, int64_t m, int64_t n, const norm_case *c))
{
    static unsigned turn;
    norm_case c = {0};
    for (c.kind = TSL_NORM_MAX; c.kind <= TSL_NORM_FRO; c.kind++)
        for (c.structure = TSL_SYMMETRIC; c.structure <= TSL_TRIANGULAR; c.structure++)
            for (c.uplo = TSL_GENERAL; c.uplo <= TSL_UPPER; c.uplo++)
                for (c.diag = TSL_NONUNIT; c.diag <= TSL_UNIT; c.diag++)
                    for (c.op = TSL_NOTRANS; c.op <= TSL_HERM; c.op++) {
                        bool tri = c.structure == TSL_TRIANGULAR;
                        if (c.uplo == TSL_GENERAL ? !tri || c.diag : !tri && (m != n || c.diag)) continue;
                        if (turn++ % thin == 0) fn(t, m, n, &c);
                    }
}

static void one_random(tsl_type t, int64_t m, int64_t n, const norm_case *c)
{
    dense d = make(t, m, n, c, (uint64_t)(m * 1000 + n));
    each_way(&d, c, (double)(m + n), "random");
    dense_free(&d);
}

static void sizes(tsl_type t)
{
    static const int64_t size[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1},   {1, 9},     {9, 1},     {5, 5},    {31, 33},  {33, 31},
                                      {8, 8}, {64, 64}, {32, 700}, {700, 3}, {255, 257}, {256, 256}, {257, 256}, {291, 291}, {513, 520}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) each_case(t, size[i][0], size[i][1], size[i][0] * size[i][1] > 1500 ? 7 : 1, one_random);
    checked("%s: %c, random matrices", where, tsl_type_letter(t));
}

/* Elements of one size and one of another: the norm is in range where its squares are not. Equal terms are rounded alike, so
 * the errors of all of them may add up. */
static void one_extreme(tsl_type t, int64_t m, int64_t n, const norm_case *c)
{
    static const double wide[] = {3e300, 3e-310, 1e-304, 5e-324, 1e154, 1e-154, 1}, narrow[] = {3e35, 1e-30, 3e-39, 1.4e-45, 1e19, 1e-19, 1};
    const double *v = t == TSL_D || t == TSL_Z ? wide : narrow;
    for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++) {
            dense d = make(t, m, n, c, 1);
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < m; i++)
                    if (in_triangle(c->uplo, i, j) && (i != j || !c->uplo)) dense_put(&d, i, j, CMPLX(v[a], -v[a]));
            dense_put(&d, c->uplo == TSL_UPPER ? 1 : m - 2, c->uplo == TSL_UPPER ? n - 1 : 1, CMPLX(v[b], v[b]));
            each_way(&d, c, 2 * (double)(m * n), "extreme");
            dense_free(&d);
        }
}

static void ranges(tsl_type t)
{
    each_case(t, 11, 11, 5, one_extreme);
    checked("%s: %c, large and small elements", where, tsl_type_letter(t));
}

static double norm_of(const dense *d, const norm_case *c, bool created)
{
    double got = -1;
    check(!norm_views(ctx, d, c, created, &got), "%s", tsl_error(ctx));
    return got;
}

/* Corners and the middle of what is read; a NaN beside an Inf, in another element or in the other part of the same, stays. */
static void one_special(tsl_type t, int64_t m, int64_t n, const norm_case *c)
{
    const int64_t place[][2] = {{0, 0}, {m - 1, 0}, {0, n - 1}, {m - 1, n - 1}, {m / 2, n / 2 - 1}, {m / 2 - 1, n / 2}, {m / 2, n / 2}};
    for (int p = 0; p < 7; p++) {
        int64_t i = place[p][0], j = place[p][1];
        if (!in_triangle(c->uplo, i, j) || (i == j && c->diag == TSL_UNIT)) continue;
        bool real = !tsl_is_complex(t) || (i == j && c->uplo && c->structure == TSL_HERMITIAN);
        dense d = make(t, m, n, c, 7);
        bool created = p % 2;
        dense_put(&d, i, j, -INFINITY);
        check(norm_of(&d, c, created) == INFINITY, "Inf at (%d,%d)", (int)i, (int)j);
        dense_put(&d, i, j, real ? CMPLX(NAN, 0) : CMPLX(0, NAN));
        check(isnan(norm_of(&d, c, created)), "NaN at (%d,%d) kind %d structure %d uplo %d", (int)i, (int)j, c->kind, c->structure, c->uplo);
        if (!real) dense_put(&d, i, j, CMPLX(INFINITY, NAN));
        check(isnan(norm_of(&d, c, created)), "NaN and Inf at (%d,%d) kind %d", (int)i, (int)j, c->kind);
        dense_put(&d, c->uplo == TSL_UPPER ? 3 : m - 2, c->uplo == TSL_UPPER ? n - 2 : 3, INFINITY);
        check(isnan(norm_of(&d, c, created)), "NaN at (%d,%d), Inf elsewhere", (int)i, (int)j);
        dense_free(&d);
    }
}

static void specials(tsl_type t)
{
    each_case(t, 20, 20, 3, one_special);
    each_case(t, 300, 300, 13, one_special);
    checked("%s: %c, NaN and Inf", where, tsl_type_letter(t));
}

static void refused(tsl_status got, tsl_status want, double value, const char *what)
{
    check(got == want && value == -1, "%s: %s, want %s, result %g", what, tsl_status_name(got), tsl_status_name(want), value);
}

static void bad_views(const dense *d)
{
    norm_case general = {.kind = TSL_NORM_ONE, .structure = TSL_TRIANGULAR}, c = general;
    double value = -1;
    refused(norm_views(ctx, d, &c, false, NULL), TSL_ERR_NULL, value, "no result");
    c.kind = (tsl_norm_kind)4;
    refused(norm_views(ctx, d, &c, false, &value), TSL_ERR_FLAG, value, "kind");
    c = general, c.structure = (tsl_structure)3;
    refused(norm_views(ctx, d, &c, false, &value), TSL_ERR_FLAG, value, "structure");
    c = general, c.diag = TSL_UNIT;
    refused(norm_views(ctx, d, &c, false, &value), TSL_ERR_UPLO, value, "unit diagonal of no triangle");
    c = general, c.uplo = TSL_LOWER, c.structure = TSL_SYMMETRIC;
    refused(norm_views(ctx, d, &c, false, &value), TSL_ERR_SHAPE, value, "symmetric, not square");
    c.structure = TSL_HERMITIAN, c.diag = TSL_UNIT;
    refused(norm_views(ctx, d, &c, false, &value), TSL_ERR_UPLO, value, "Hermitian, unit diagonal");
    refused(tsl_norm(ctx, TSL_NORM_MAX, TSL_TRIANGULAR, (tsl_view){0}, &value), TSL_ERR_VIEW, value, "no view");
}

static void bad_typed(const dense *d)
{
    static const struct {
        tsl_uplo uplo;
        tsl_structure s;
    } call[] = {{TSL_GENERAL, TSL_TRIANGULAR}, {TSL_LOWER, TSL_TRIANGULAR}, {TSL_LOWER, TSL_SYMMETRIC}, {TSL_UPPER, TSL_HERMITIAN}};
    for (int i = 0; i < 4; i++) {
        norm_case c = {.structure = call[i].s, .uplo = call[i].uplo};
        double value;
        dense b = *d;
        check(norm_typed(ctx, d, &c, 'X', &value) == TSL_ERR_FLAG && value == 4711, "letter");
        check(!norm_typed(ctx, d, &c, 'e', &value) && !norm_typed(ctx, d, &c, 'O', &value) && value != 4711, "other letters");
        check(norm_typed(ctx, d, &c, 'M', NULL) == TSL_ERR_NULL, "no result");
        b.n = -1;
        check(norm_typed(ctx, &b, &c, 'M', &value) == TSL_ERR_SIZE && value == 4711, "size");
        b = *d, b.ld = 1;
        check(norm_typed(ctx, &b, &c, 'M', &value) == TSL_ERR_LD && value == 4711, "ld");
        b = *d, b.data = NULL;
        check(norm_typed(ctx, &b, &c, 'M', &value) == TSL_ERR_NULL && value == 4711, "null");
    }
    double value = -1;
    refused(tsl_dlantr(ctx, 'M', 'X', 'N', 3, 3, (const double *)d->data, 3, &value), TSL_ERR_FLAG, value, "uplo");
    refused(tsl_dlantr(ctx, 'M', 'U', 'X', 3, 3, (const double *)d->data, 3, &value), TSL_ERR_FLAG, value, "diag");
    refused(tsl_dlansy(ctx, 'M', 'X', 3, (const double *)d->data, 3, &value), TSL_ERR_FLAG, value, "uplo");
    ok(!tsl_dlange(ctx, 'F', 0, 7, NULL, 1, &value) && value == 0, "%s: nothing is zero, its array may be null", where);
}

static void on(const char *devices, const char *tile)
{
    where = devices;
    ctx = context_by(devices, tile);
    if (!ctx) return;
    for (tsl_type t = TSL_S; t <= TSL_Z; t++) sizes(t), ranges(t), specials(t);
    dense d = dense_make(TSL_D, 5, 4, CANARY_NAN);
    dense_random(&d, 3);
    bad_views(&d), bad_typed(&d);
    checked("%s: bad arguments", devices);
    dense_free(&d);
    tsl_context_destroy(ctx);
}

int main(void)
{
    on("host", "0");
    on("host:2,mem=64M", "0");
    on("host:3", "48");
    on("cuda", "0");
    return tap_done();
}
