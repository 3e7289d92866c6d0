/* Functions of matrices, conditions and inverses on grids, beside what one device makes of the same problem. */
#include "functions.h"
#include "whole.h"

static const int64_t orders[][2] = {{1, 2}, {29, 3}, {64, 16}};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A matrix of the grid with these elements; blocks and the place of the first one may differ */
static tsl_view spread(const team *t, tsl_context *x, const dense *d, int64_t nb, int64_t offset, tsl_matrix **M)
{
    tsl_layout l = tsl_layout_matrix(t->grid, nb);
    l.rows.offset = l.cols.offset = offset;
    tsl_status st = tsl_matrix_create_on(x, &l, d->t, d->m, d->n, M);
    if (!st) st = tsl_scatter(x, 0, d->data, d->ld, tsl_whole(*M));
    check(!st, "%s", tsl_error(x));
    return tsl_whole(*M);
}

static tsl_view pivots(const team *t, tsl_context *x, const function_problem *f, tsl_matrix **M)
{
    tsl_layout l = tsl_layout_vector(t->grid, 8);
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_INDEX, f->A.n, 1, M);
    if (!st) st = tsl_scatter(x, 0, f->p, f->A.n, tsl_whole(*M));
    check(!st, "%s", tsl_error(x));
    return tsl_whole(*M);
}

static tsl_status on_grid(const team *t, tsl_context *x, const function_routine *r, int64_t nb, int64_t offset, function_problem *f)
{
    tsl_matrix *A, *B, *p;
    tsl_view a = spread(t, x, &f->A, nb, offset, &A), b = spread(t, x, &f->B, nb, 0, &B);
    tsl_status st = r->run(x, a, b, pivots(t, x, f, &p), f);
    dense_free(&f->A), dense_free(&f->B);
    f->A = everything(x, A, tsl_rows(a), tsl_cols(a)), f->B = everything(x, B, tsl_rows(b), tsl_cols(b));
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(p);
    return st;
}

static void compare(const team *t, tsl_context *alone, tsl_context *x, const function_routine *r, tsl_type type, int64_t n, int64_t nb, int64_t offset)
{
    function_problem f;
    function_make(r, type, n, (uint64_t)(n + nb), &f);
    check(!function_alone(alone, r, &f, true), "%s", tsl_error(alone));
    function_problem g = f;
    g.A = dense_copy(&f.A), g.B = dense_copy(&f.B);
    tsl_status st = function_alone(alone, r, &f, false), by = on_grid(t, x, r, nb, offset, &g);
    double off = function_differ(r, &g, &f);
    check(!st && !by && off <= 100 * (double)(n + 1), "order %d, blocks of %d: %s %s; %g roundoffs off, info %d and %d, %g and %g", (int)n, (int)nb, st ? tsl_error(alone) : "",
          by ? tsl_error(x) : "", off, (int)g.info, (int)f.info, g.number, f.number);
    g.p = NULL;
    function_free(&f), function_free(&g);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *alone = team_context(&t, "host"), *x = team_context(&t, "host");
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (int i = 0; i < FUNCTIONS; i++) {
            if (argc > 2 && strncmp(argv[2], functions[i].name, strlen(argv[2]))) continue;
            for (unsigned k = 0; k < COUNT(orders); k++) compare(&t, alone, x, &functions[i], (tsl_type)type, orders[k][0], orders[k][1], k == 1 ? 2 : 0);
            int failed = tap_group_failed;
            tap_group = tap_group_failed = 0;
            all_ok(&t, !failed, "%s of %c", functions[i].name, "sdcz"[type]);
        }
    tsl_context_destroy(x), tsl_context_destroy(alone);
    return team_close(&t);
}
