/* Every way in which the operands of level 2 on views can be wrong, its status, and that nothing is touched. */
#include "level2_check.h"

enum { N = 6 };

static tsl_context *ctx, *stranger;
static tsl_matrix *foreign, *other_type; /* large enough for any view below */

/* A good call, to be spoilt. */
typedef struct good {
    problem p;
    tsl_matrix *mat[3];
    tsl_view v[3]; /* A, x, y */
} good;

static good good_call(tsl_opcode op, tsl_type t)
{
    good g = {.p = {.op = op, .t = t, .m = N, .n = N, .incx = 1, .incy = 2, .alpha = 1, .beta = 1}};
    if (storage_of(op) == TSL_BAND) g.p.kl = 2, g.p.ku = 1;
    if (shape_of(op) != WHOLE) g.p.uplo = TSL_LOWER;
    problem_make(&g.p, 1);
    const dense *d[3] = {&g.p.A, &g.p.x, &g.p.y};
    for (int i = 0; i < 3; i++) {
        ok(!tsl_matrix_wrap(ctx, t, d[i]->ld, d[i]->cols, d[i]->data, d[i]->ld, &g.mat[i]), "wrap");
        g.v[i] = tsl_sub(tsl_whole(g.mat[i]), 0, 0, d[i]->m, d[i]->n);
    }
    if (storage_of(op) == TSL_DENSE && shape_of(op) != WHOLE) g.v[0].uplo = TSL_LOWER;
    return g;
}

static void good_free(good *g)
{
    for (int i = 0; i < 3; i++) tsl_matrix_free(g->mat[i]);
    problem_free(&g->p);
}

static void refused(const good *g, const problem *p, const tsl_view *v, tsl_status want, const char *what)
{
    problem was = problem_copy(&g->p);
    const char *name = tsl_ops[p->op].name;
    tsl_status st = call_views(ctx, p, v[0], v[1], v[2]);
    const char *line = tsl_error(ctx);
    check(st == want, "%s, %s: %s, not %s", name, what, tsl_status_name(st), tsl_status_name(want));
    check(!strncmp(line, name, strlen(name)) && !strchr(line, '\n'), "%s, %s: says '%s'", name, what, line);
    check(same_operands(&g->p, &was), "%s, %s: something was touched", name, what);
    problem_free(&was);
}

/* What is wrong with a view whatever the operation. The type is that of the first operand: that one cannot differ from it. */
static void bad_views(const good *g)
{
    int operands = tsl_ops[g->p.op].operands, first = family_of(g->p.op) == UPDATE ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        if (i == 2 && !(operands == 3)) continue;
        for (int way = 0; way < 8; way++) {
            static const char *const what[] = {"no matrix", "past the edge", "negative size", "no such op", "no such triangle",
                                               "no such diagonal", "another context", "another type"};
            static const tsl_status want[] = {TSL_ERR_VIEW, TSL_ERR_VIEW, TSL_ERR_VIEW, TSL_ERR_FLAG, TSL_ERR_FLAG,
                                              TSL_ERR_FLAG, TSL_ERR_CONTEXT, TSL_ERR_TYPE};
            tsl_view v[3] = {g->v[0], g->v[1], g->v[2]};
            if (way == 0) v[i] = (tsl_view){0};
            if (way == 1) v[i].j = 1000;
            if (way == 2) v[i].m = -1;
            if (way == 3) v[i].op = (tsl_op)4;
            if (way == 4) v[i].uplo = (tsl_uplo)3;
            if (way == 5) v[i].diag = (tsl_diag)2;
            if (way == 6) v[i].mat = foreign;
            if (way == 7) v[i].mat = other_type;
            if (way < 7 || i != first) refused(g, &g->p, v, want[way], what[way]);
        }
    }
}

static void bad_shapes(const good *g)
{
    int triangular = storage_of(g->p.op) == TSL_DENSE && shape_of(g->p.op) != WHOLE;
    for (int i = 1; i < tsl_ops[g->p.op].operands; i++) {
        tsl_view v[3] = {g->v[0], g->v[1], g->v[2]}, whole = tsl_whole(g->mat[i]);
        v[i].uplo = TSL_LOWER;
        refused(g, &g->p, v, TSL_ERR_UPLO, "a vector that is a triangle");
        v[i] = i == 1 ? tsl_sub(whole, 0, 0, N - 1, 1) : tsl_sub(whole, 0, 0, 1, N - 1);
        refused(g, &g->p, v, TSL_ERR_SHAPE, "a short vector");
        v[i] = i == 1 ? tsl_sub(whole, 0, 0, 3, 2) : tsl_sub(whole, 0, 0, 2, 3);
        refused(g, &g->p, v, TSL_ERR_SHAPE, "a vector that is a matrix");
        v[i] = tsl_sub(whole, 0, 0, 0, 1);
        refused(g, &g->p, v, TSL_ERR_SHAPE, "an empty vector");
    }
    tsl_view v[3] = {g->v[0], g->v[1], g->v[2]};
    v[0].uplo = triangular ? TSL_GENERAL : TSL_LOWER;
    refused(g, &g->p, v, TSL_ERR_UPLO, triangular ? "no triangle" : "a triangle");
    v[0] = g->v[0];
    v[0].m -= 1;
    refused(g, &g->p, v, TSL_ERR_SHAPE, "too few rows");
    v[0] = g->v[0];
    v[0].diag = TSL_UNIT;
    if (triangular && shape_of(g->p.op) != TRIANGLE) refused(g, &g->p, v, TSL_ERR_UPLO, "a unit diagonal");
}

/* Flags and sizes of a matrix whose view is only storage. */
static void bad_flags(const good *g)
{
    shape s = shape_of(g->p.op);
    int band = storage_of(g->p.op) == TSL_BAND, flagged = s == WHOLE || s == TRIANGLE;
    for (int way = 0; way < 12; way++) {
        static const struct {
            const char *what;
            tsl_status st;
        } wrong[] = {{"no triangle", TSL_ERR_FLAG},  {"no such triangle", TSL_ERR_FLAG}, {"no such op", TSL_ERR_FLAG},
                     {"no such diag", TSL_ERR_FLAG}, {"negative n", TSL_ERR_SIZE},       {"negative k", TSL_ERR_SIZE},
                     {"negative ku", TSL_ERR_SIZE},  {"negative m", TSL_ERR_SIZE},       {"storage turned", TSL_ERR_FLAG},
                     {"n too large", TSL_ERR_SHAPE}, {"another k", TSL_ERR_SHAPE},       {"huge", TSL_ERR_SHAPE}};
        problem p = g->p;
        tsl_view v[3] = {g->v[0], g->v[1], g->v[2]};
        int has = 1;
        switch (way) {
        case 0: p.uplo = TSL_GENERAL, has = s != WHOLE; break;
        case 1: p.uplo = (tsl_uplo)3, has = s != WHOLE; break;
        case 2: p.trans = (tsl_op)4, has = flagged; break;
        case 3: p.diag = (tsl_diag)2, has = s == TRIANGLE; break;
        case 4: p.n = -1; break;
        case 5: p.kl = -1, has = band; break;
        case 6: p.ku = INT64_MIN, has = s == WHOLE; break;
        case 7: p.m = -1, has = s == WHOLE; break;
        case 8: v[0].op = tsl_is_complex(p.t) ? TSL_CONJ : TSL_TRANS; break;
        case 9: p.n = N + 1; break;
        case 10: p.kl = 3, has = band; break;
        default: p.n = INT64_MAX, p.kl = p.ku = INT64_MAX;
        }
        if (has) refused(g, &p, v, wrong[way].st, wrong[way].what);
    }
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    ok(!tsl_context_create(&cfg, &ctx) && !tsl_context_create(&cfg, &stranger), "contexts");
    for (int op = TSL_OP_GEMV; op <= TSL_OP_TPSV; op++) {
        int cplx = shape_of((tsl_opcode)op) == HERMITIAN;
        good g = good_call((tsl_opcode)op, cplx ? TSL_Z : TSL_D);
        ok(!tsl_matrix_create(stranger, g.p.t, 64, 64, &foreign) && !tsl_matrix_create(ctx, TSL_S, 64, 64, &other_type), "matrices");
        bad_views(&g);
        bad_shapes(&g);
        if (storage_of(g.p.op) != TSL_DENSE) bad_flags(&g);
        check(call_views(ctx, &g.p, g.v[0], g.v[1], g.v[2]) == TSL_OK, "%s after errors: %s", tsl_ops[op].name, tsl_error(ctx));
        checked("%s: bad operands", tsl_ops[op].name);
        good_free(&g);
        tsl_matrix_free(foreign);
        tsl_matrix_free(other_type);
        if (shape_of((tsl_opcode)op) != SYMMETRIC || storage_of((tsl_opcode)op) == TSL_DENSE) continue;
        g = good_call((tsl_opcode)op, TSL_Z);
        refused(&g, &g.p, g.v, TSL_ERR_TYPE, "complex");
        checked("%s: not complex", tsl_ops[op].name);
        good_free(&g);
    }
    tsl_context_destroy(ctx);
    tsl_context_destroy(stranger);
    return tap_done();
}
