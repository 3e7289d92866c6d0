/* Redistribution between the matrices of one BLACS context or two: copies between layouts. Possible where all processes have
 * both contexts, and where one process alone has one of them; else the call passes. */
#include <ctype.h>

#include "compat/scalapack/scalapack.h"

enum { CONTEXT = 1, M, N, LLD = 8 }; /* places in a descriptor */

/* How many processes have an operand's context; and, if it is one, the sums of one term: its place in the other's. */
typedef struct members {
    int count, row, col;
} members;

static bool here(const pblas_operand *op, int at[2]) { return op->desc[CONTEXT] >= 0 && pblas_place(op->desc[CONTEXT], at); }

/* The same on all processes of `all`. Where both contexts are that one nothing need be asked. */
static bool find_members(int all, const pblas_operand op[2], members found[2])
{
    members mine[2] = {{0}};
    MPI_Comm comm = pblas_comm(all);
    int total;
    if (comm == MPI_COMM_NULL || MPI_Comm_size(comm, &total)) return false;
    if (op[0].desc[CONTEXT] == all && op[1].desc[CONTEXT] == all) {
        found[0] = found[1] = (members){.count = total};
        return true;
    }
    for (int k = 0; k < 2; ++k) {
        int own[2], other[2] = {0, 0};
        if (!here(&op[k], own)) continue;
        bool both = here(&op[!k], other);
        mine[k] = (members){1, both ? other[0] : 0, both ? other[1] : 0};
    }
    return !MPI_Allreduce(mine, found, 6, MPI_INT, MPI_SUM, comm);
}

/* The m x n block of an operand whose context all processes have */
static tsl_view spread(pblas *c, const pblas_operand *op, int m, int n)
{
    c->blacs = op->desc[CONTEXT];
    c->grid = pblas_grid(c->blacs, &c->none.mat);
    return pblas_take(c, op->local, op->i, op->j, op->desc, m, n);
}

/* The block of one that is on a single process, as a matrix on the grid of the other */
static tsl_view single(pblas *c, const pblas_operand *op, const pblas_operand *other, members at, int m, int n)
{
    int own[2];
    bool has = here(op, own);
    const int *desc = op->desc;
    size_t size = c->type == TSL_S ? sizeof(float) : c->type == TSL_Z ? sizeof(tsl_cdouble) : sizeof(double);
    bool inside =
        has && op->i >= 1 && op->j >= 1 && op->i - 1 + m <= desc[M] && op->j - 1 + n <= desc[N] && desc[LLD] >= desc[M];
    char *block = inside ? (char *)op->local + ((size_t)(op->i - 1) + (size_t)(op->j - 1) * (size_t)desc[LLD]) * size : NULL;
    c->blacs = other->desc[CONTEXT];
    c->grid = pblas_grid(c->blacs, &c->none.mat);
    if (!c->grid) return c->none;
    tsl_layout l = tsl_layout_whole(c->grid, at.row, at.col);
    tsl_status st = tsl_matrix_wrap_on(c->ctx, &l, c->type, m, n, block, inside ? desc[LLD] : m > 0 ? m : 1, &c->mat[c->count]);
    if (st && !c->st) c->st = st;
    return st ? c->none : tsl_whole(c->mat[c->count++]);
}

/* One step: the block at (i, j) of both, all of it or a triangle */
typedef struct step {
    int i, j, m, n;
    char uplo;
} step;

/* A trapezoid is a square triangle and a rectangle beside it: below or on the right where the triangle starts at (0, 0), above
 * or on the left where it ends at the last corner. Without its diagonal the triangle is one of an order less. */
static int steps_of(char uplo, char diag, int m, int n, step s[2])
{
    int order = m < n ? m : n, more = m < n ? n - m : m - n;
    bool strict = toupper((unsigned char)diag) == 'U', up = toupper((unsigned char)uplo) == 'U';
    if (m == 0 || n == 0) return 0;
    if (!uplo) {
        s[0] = (step){0, 0, m, n, 0};
        return 1;
    }
    bool after = up ? m <= n : m >= n;
    int i = after ? 0 : m - order, j = after ? 0 : n - order;
    s[0] = (step){i + (strict && !up), j + (strict && up), order - strict, order - strict, up ? 'U' : 'L'};
    s[1] = n > m ? (step){0, after ? order : 0, m, more, 0} : (step){after ? order : 0, 0, more, n, 0};
    return more ? 2 : 1;
}

static tsl_view part(const pblas *c, tsl_view v, step s)
{
    if (v.mat == c->none.mat) return v;
    tsl_view block = tsl_sub(v, s.i, s.j, s.m, s.n);
    return s.uplo == 'U' ? tsl_upper(block) : s.uplo ? tsl_lower(block) : block;
}

static bool known(char letter, const char *letters)
{
    char u = (char)toupper((unsigned char)letter);
    return !letter || u == letters[0] || u == letters[1];
}

bool pblas_redistribute(tsl_type type, const char *symbol, void **next, char uplo, char diag, int m, int n, pblas_operand A,
                        pblas_operand B, int all)
{
    int total = 0;
    members have[2];
    const pblas_operand op[2] = {A, B};
    pblas c = pblas_open(type, symbol, next, (int[2]){0, all}, m, n, 1);
    if (c.passes) return false;
    step s[2];
    if (find_members(all, op, have)) total = c.grid ? tsl_grid_rows(c.grid) * tsl_grid_cols(c.grid) : 0;
    bool full[2] = {have[0].count == total, have[1].count == total};
    tsl_status st = known(uplo, "UL") && known(diag, "NU") && m >= 0 && n >= 0 ? TSL_OK : TSL_ERR_FLAG;
    bool can = full[0] ? full[1] || have[1].count == 1 : full[1] && have[0].count == 1;
    if (!total || !can) st = TSL_ERR_GRID;
    if (!st) {
        tsl_view from = full[0] ? spread(&c, &A, m, n) : single(&c, &A, &B, have[0], m, n);
        tsl_view to = full[1] ? spread(&c, &B, m, n) : single(&c, &B, &A, have[1], m, n);
        for (int k = 0, count = steps_of(uplo, diag, m, n, s); k < count && !st; ++k)
            st = tsl_copy(c.ctx, c.st ? c.none : part(&c, from, s[k]), part(&c, to, s[k]));
    }
    pblas_close(&c, st, 0, NULL);
    return !c.passes;
}
