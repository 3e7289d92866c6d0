/* Every way in which the operands of an operation on views can be wrong, its status, and that nothing is touched. */
#include "dense.h"
#include "tap.h"

enum { N = 6, MATRICES = 4 };

static tsl_context *ctx, *stranger;
static dense arrays[MATRICES];
static tsl_matrix *square[3], *floats, *foreign;
static int64_t info = 4711;

/* Runs after a call: its status, a line that names the operation, and all memory as it was. */
static void refused(tsl_status got, tsl_status want, const char *op, const char *what, const dense *was)
{
    const char *line = tsl_error(ctx);
    ok(got == want, "%s, %s: %s (want %s)", op, what, tsl_status_name(got), tsl_status_name(want));
    int same = info == 4711;
    for (int d = 0; d < MATRICES; d++) same &= dense_same(&arrays[d], &was[d]);
    ok(same, "%s, %s: nothing touched", op, what);
    ok(strstr(line, op) && !strchr(line, '\n'), "%s, %s: says '%s'", op, what, line);
}

/* One refused call. A macro, because the call itself is what varies. */
#define REFUSED(want, op, what, call)                                                                                          \
    do {                                                                                                                       \
        dense was_[MATRICES];                                                                                                  \
        for (int d_ = 0; d_ < MATRICES; d_++) was_[d_] = dense_copy(&arrays[d_]);                                              \
        refused(call, want, op, what, was_);                                                                                   \
        for (int d_ = 0; d_ < MATRICES; d_++) dense_free(&was_[d_]);                                                           \
    } while (0)

/* Things that are wrong with a view whatever the operation: a name, the view and its status. */
typedef struct wrong {
    const char *what;
    tsl_view v;
    tsl_status st;
} wrong;

enum { WRONGS = 8 };

static void common_wrongs(tsl_view good, wrong *w)
{
    tsl_view out = good, op = good, uplo = good, diag = good, type = good, other = good, negative = good;
    out.j = 1;
    negative.m = -1;
    op.op = (tsl_op)4;
    uplo.uplo = (tsl_uplo)3;
    diag.diag = (tsl_diag)2;
    type.mat = floats;
    other.mat = foreign;
    wrong rows[WRONGS] = {
        {"no matrix", (tsl_view){0}, TSL_ERR_VIEW},  {"past the edge", out, TSL_ERR_VIEW},
        {"negative size", negative, TSL_ERR_VIEW},   {"no such op", op, TSL_ERR_FLAG},
        {"no such triangle", uplo, TSL_ERR_FLAG},    {"no such diagonal", diag, TSL_ERR_FLAG},
        {"another type", type, TSL_ERR_TYPE},        {"another context", other, TSL_ERR_CONTEXT},
    };
    memcpy(w, rows, sizeof rows);
}

static void test_common(void)
{
    tsl_view A = tsl_whole(square[0]), B = tsl_whole(square[1]), C = tsl_whole(square[2]), L = tsl_lower(A), U = tsl_upper(C);
    wrong g[WRONGS], t[WRONGS], u[WRONGS];
    common_wrongs(A, g);
    common_wrongs(L, t);
    common_wrongs(U, u);
    for (int i = 0; i < WRONGS; i++) {
        const char *what = g[i].what;
        if (g[i].st != TSL_ERR_TYPE) { /* alone, or as the first, it sets the type the others are compared with */
            REFUSED(g[i].st, "scale", what, tsl_scale(ctx, 2, g[i].v));
            REFUSED(t[i].st, "potrf", what, tsl_potrf(ctx, t[i].v, &info));
            REFUSED(t[i].st, "potrf", what, tsl_potrf(ctx, t[i].v, NULL));
            REFUSED(t[i].st, "trtri", what, tsl_trtri(ctx, t[i].v, &info));
            REFUSED(t[i].st, "lauum", what, tsl_lauum(ctx, t[i].v));
            REFUSED(t[i].st, "potri", what, tsl_potri(ctx, t[i].v, &info));
        }
        REFUSED(g[i].st, "copy", what, tsl_copy(ctx, g[i].v, B));
        REFUSED(g[i].st, "copy", what, tsl_copy(ctx, B, g[i].v));
        REFUSED(g[i].st, "gemm", what, tsl_gemm(ctx, 1, g[i].v, B, 1, C));
        REFUSED(g[i].st, "gemm", what, tsl_gemm(ctx, 1, B, g[i].v, 1, C));
        REFUSED(g[i].st, "gemm", what, tsl_gemm(ctx, 1, B, C, 1, g[i].v));
        REFUSED(t[i].st, "trsm", what, tsl_trsm(ctx, TSL_LEFT, 1, t[i].v, B));
        REFUSED(g[i].st, "trsm", what, tsl_trsm(ctx, TSL_RIGHT, 1, U, g[i].v));
        REFUSED(g[i].st, "syrk", what, tsl_syrk(ctx, 1, g[i].v, 1, U));
        REFUSED(u[i].st, "syrk", what, tsl_syrk(ctx, 1, A, 1, u[i].v));
        REFUSED(g[i].st, "herk", what, tsl_herk(ctx, 1, g[i].v, 1, U));
        REFUSED(u[i].st, "herk", what, tsl_herk(ctx, 1, A, 1, u[i].v));
        REFUSED(t[i].st, "potrs", what, tsl_potrs(ctx, t[i].v, B));
        REFUSED(g[i].st, "potrs", what, tsl_potrs(ctx, U, g[i].v));
        REFUSED(t[i].st, "posv", what, tsl_posv(ctx, t[i].v, B, &info));
        REFUSED(g[i].st, "posv", what, tsl_posv(ctx, U, g[i].v, &info));
    }
}

static void test_triangles(void)
{
    tsl_view A = tsl_whole(square[0]), B = tsl_whole(square[1]), C = tsl_whole(square[2]), L = tsl_lower(A), U = tsl_upper(C);
    tsl_status st = TSL_ERR_UPLO;
    REFUSED(st, "gemm", "A a triangle", tsl_gemm(ctx, 1, L, B, 1, C));
    REFUSED(st, "gemm", "B a triangle", tsl_gemm(ctx, 1, B, L, 1, C));
    REFUSED(st, "gemm", "C a triangle", tsl_gemm(ctx, 1, A, B, 1, U));
    REFUSED(st, "trsm", "A not a triangle", tsl_trsm(ctx, TSL_LEFT, 1, A, B));
    REFUSED(st, "trsm", "B a triangle", tsl_trsm(ctx, TSL_LEFT, 1, L, U));
    REFUSED(st, "syrk", "A a triangle", tsl_syrk(ctx, 1, L, 1, U));
    REFUSED(st, "syrk", "C not a triangle", tsl_syrk(ctx, 1, A, 1, C));
    REFUSED(st, "herk", "A a triangle", tsl_herk(ctx, 1, L, 1, U));
    REFUSED(st, "herk", "C not a triangle", tsl_herk(ctx, 1, A, 1, C));
    REFUSED(st, "potrf", "A not a triangle", tsl_potrf(ctx, A, &info));
    REFUSED(st, "potrf", "A a unit triangle", tsl_potrf(ctx, tsl_unit(L), &info));
    REFUSED(st, "trtri", "A not a triangle", tsl_trtri(ctx, A, &info));
    REFUSED(st, "lauum", "A not a triangle", tsl_lauum(ctx, A));
    REFUSED(st, "lauum", "A a unit triangle", tsl_lauum(ctx, tsl_unit(L)));
    REFUSED(st, "potri", "A not a triangle", tsl_potri(ctx, A, &info));
    REFUSED(st, "potri", "A a unit triangle", tsl_potri(ctx, tsl_unit(L), &info));
    REFUSED(st, "potrs", "A not a triangle", tsl_potrs(ctx, A, B));
    REFUSED(st, "potrs", "A a unit triangle", tsl_potrs(ctx, tsl_unit(L), B));
    REFUSED(st, "potrs", "B a triangle", tsl_potrs(ctx, L, U));
    REFUSED(st, "posv", "A not a triangle", tsl_posv(ctx, A, B, &info));
    REFUSED(st, "posv", "A a unit triangle", tsl_posv(ctx, tsl_unit(L), B, &info));
    REFUSED(st, "posv", "B a triangle", tsl_posv(ctx, L, U, &info));
    REFUSED(st, "syrk", "C a unit triangle", tsl_syrk(ctx, 1, A, 1, tsl_unit(U)));
    REFUSED(st, "copy", "from one triangle to the other", tsl_copy(ctx, L, U));
    REFUSED(st, "copy", "to the other triangle through T", tsl_copy(ctx, tsl_trans(L), tsl_lower(C)));
}

static void test_shapes(void)
{
    tsl_view A = tsl_whole(square[0]), B = tsl_whole(square[1]), C = tsl_whole(square[2]);
    tsl_view narrow = tsl_sub(A, 0, 0, N, N - 1), flat = tsl_sub(A, 0, 0, N - 1, N), small = tsl_sub(A, 1, 1, N - 1, N - 1);
    tsl_status st = TSL_ERR_SHAPE;
    REFUSED(st, "copy", "fewer columns", tsl_copy(ctx, narrow, B));
    REFUSED(st, "copy", "transposed", tsl_copy(ctx, narrow, tsl_trans(tsl_sub(B, 0, 0, N, N - 1))));
    REFUSED(st, "gemm", "inner sizes", tsl_gemm(ctx, 1, narrow, B, 1, C));
    REFUSED(st, "gemm", "rows of C", tsl_gemm(ctx, 1, flat, B, 1, C));
    REFUSED(st, "gemm", "columns of C", tsl_gemm(ctx, 1, B, narrow, 1, C));
    REFUSED(st, "gemm", "C transposed", tsl_gemm(ctx, 1, B, narrow, 1, tsl_trans(tsl_sub(C, 0, 0, N, N - 1))));
    REFUSED(st, "trsm", "A not square", tsl_trsm(ctx, TSL_LEFT, 1, tsl_lower(narrow), B));
    REFUSED(st, "trsm", "order from the left", tsl_trsm(ctx, TSL_LEFT, 1, tsl_lower(small), B));
    REFUSED(st, "trsm", "order from the right", tsl_trsm(ctx, TSL_RIGHT, 1, tsl_lower(B), narrow));
    REFUSED(st, "syrk", "C not square", tsl_syrk(ctx, 1, B, 1, tsl_lower(flat)));
    REFUSED(st, "syrk", "rows of A", tsl_syrk(ctx, 1, flat, 1, tsl_lower(C)));
    REFUSED(st, "syrk", "rows of A transposed", tsl_syrk(ctx, 1, tsl_trans(narrow), 1, tsl_lower(C)));
    REFUSED(st, "herk", "C not square", tsl_herk(ctx, 1, B, 1, tsl_upper(narrow)));
    REFUSED(st, "herk", "rows of A", tsl_herk(ctx, 1, flat, 1, tsl_upper(C)));
    REFUSED(st, "potrf", "not square", tsl_potrf(ctx, tsl_lower(flat), &info));
    REFUSED(st, "trtri", "not square", tsl_trtri(ctx, tsl_lower(flat), &info));
    REFUSED(st, "lauum", "not square", tsl_lauum(ctx, tsl_upper(narrow)));
    REFUSED(st, "potri", "not square", tsl_potri(ctx, tsl_lower(flat), &info));
    REFUSED(st, "potrs", "A not square", tsl_potrs(ctx, tsl_lower(flat), B));
    REFUSED(st, "potrs", "rows of B", tsl_potrs(ctx, tsl_lower(B), flat));
    REFUSED(st, "posv", "rows of B", tsl_posv(ctx, tsl_lower(B), tsl_trans(narrow), &info));
    REFUSED(TSL_ERR_FLAG, "trsm", "no such side", tsl_trsm(ctx, (tsl_side)2, 1, tsl_lower(A), B));
}

/* The header: either side of a copy may be a triangle, and only that is written. */
static void test_copy_triangles(void)
{
    tsl_view A = tsl_whole(square[0]), B = tsl_whole(square[1]);
    dense was = dense_copy(&arrays[1]);
    ok(tsl_copy(ctx, tsl_lower(A), B) == TSL_OK, "copy: a triangle into a whole (%s)", tsl_error(ctx));
    ok(dense_strays(&arrays[1], &was, TSL_LOWER) == 0, "copy: only the triangle is written");
    ok(dense_get(&arrays[1], N - 1, 0) == dense_get(&arrays[0], N - 1, 0), "copy: and it is written");
    dense_free(&was);
}

static void test_goes_on(void)
{
    tsl_view A = tsl_whole(square[0]), C = tsl_whole(square[2]);
    ok(tsl_gemm(ctx, 1, A, A, 0, C) == TSL_OK && tsl_potrf(ctx, tsl_lower(A), &info) == TSL_OK && info == 0,
       "the context works after all that");
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    tsl_status st = tsl_context_create(&cfg, &ctx);
    if (!st) st = tsl_context_create(&cfg, &stranger);
    tsl_matrix **made[MATRICES] = {&square[0], &square[1], &square[2], &floats};
    for (int d = 0; d < MATRICES; d++) {
        arrays[d] = dense_make(d == 3 ? TSL_S : TSL_Z, N, N, CANARY_FINITE);
        dense_dominant(&arrays[d], (uint64_t)d);
        if (!st) st = tsl_matrix_wrap(ctx, arrays[d].t, N, N, arrays[d].data, arrays[d].ld, made[d]);
    }
    if (!st) st = tsl_matrix_create(stranger, TSL_Z, N, N, &foreign);
    ok(!st, "contexts and matrices");
    if (!st) {
        test_common();
        test_triangles();
        test_shapes();
        test_copy_triangles();
        test_goes_on();
    }
    for (int d = 0; d < MATRICES; d++) {
        tsl_matrix_free(*made[d]);
        dense_free(&arrays[d]);
    }
    tsl_matrix_free(foreign);
    tsl_context_destroy(stranger);
    tsl_context_destroy(ctx);
    return tap_done();
}
