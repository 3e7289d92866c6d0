/* The matrices of level 2: dense, by bands, packed; symmetric, Hermitian, triangular. */
#include "ops/ops.h"

tsl_storage tsl_stored(tsl_opcode op)
{
    return tsl_has_operand(op, TSL_IS_BAND) ? TSL_BAND : tsl_has_operand(op, TSL_IS_PACKED) ? TSL_PACKED : TSL_DENSE;
}

/* The matrix's place among the operands: the first where it is read, the last where it is updated */
static int place(tsl_opcode op)
{
    int i = 0;
    while (!tsl_operand_is(op, i, TSL_IS_TRIANGLE | TSL_IS_STORED)) ++i;
    return i;
}

tsl_square tsl_square_of(const tsl_call *c)
{
    const tsl_view *v = &c->v[place(c->op)];
    tsl_square s = {.storage = tsl_stored(c->op), .v = v, .herm = tsl_is_hermitian(c->op) && tsl_is_complex(v->mat->type)};
    if (s.storage == TSL_DENSE) s.n = v->n, s.op = v->op, s.uplo = v->uplo, s.diag = v->diag;
    else s.n = c->n, s.k = c->band.kl, s.op = c->trans, s.uplo = c->uplo, s.diag = c->diag;
    return s;
}

int64_t tsl_square_ld(const tsl_square *s, int64_t ld) { return s->storage == TSL_PACKED ? 1 : ld; }

bool tsl_conjugated(const tsl_square *s, tsl_op op)
{
    return tsl_flips(tsl_reduced(op, s->v->mat->type), s->herm);
}

int64_t tsl_band_rows(int64_t kl, int64_t ku)
{
    kl = tsl_max(kl, 0), ku = tsl_max(ku, 0); /* negative ones are refused on their own */
    return kl > INT64_MAX - 1 - ku ? INT64_MAX : kl + ku + 1;
}

tsl_status tsl_need_flag(tsl_context *x, const tsl_call *c, bool good)
{
    if (good) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_FLAG, "trans is %d, uplo %d, diag %d: one of them has no such value", (int)c->trans, (int)c->uplo,
                      (int)c->diag);
}

/* Storage is whole, m x n (none of it: empty in either way), and seen as it is. */
static tsl_status need_storage(tsl_context *x, const tsl_call *c, int i, int64_t m, int64_t n)
{
    const tsl_view *v = &c->v[i];
    const char *name = tsl_ops[c->op].operand[i].name;
    tsl_status st = tsl_need_general(x, c, i);
    if (st) return st;
    if (v->op != TSL_NOTRANS) return tsl_refuse(x, c, TSL_ERR_FLAG, "%s is storage and must not be seen through an op", name);
    if (m == 0 ? v->m == 0 || v->n == 0 : v->m == m && v->n == n) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is %lld x %lld, must be %lld x %lld", name, (long long)v->m, (long long)v->n, (long long)m,
                      (long long)n);
}

static tsl_status need_size(tsl_context *x, const tsl_call *c, const char *what, int64_t n)
{
    return n >= 0 ? TSL_OK : tsl_refuse(x, c, TSL_ERR_SIZE, "%s is %lld, must not be negative", what, (long long)n);
}

tsl_status tsl_need_band(tsl_context *x, const tsl_call *c, int i, int64_t n, const char *below, int64_t kl, int64_t ku)
{
    tsl_status st = need_size(x, c, "n", n);
    if (!st) st = need_size(x, c, below, kl);
    if (!st) st = need_size(x, c, "ku", ku);
    if (st) return st;
    return need_storage(x, c, i, kl > INT64_MAX - 1 - ku ? INT64_MAX : kl + ku + 1, n);
}

/* One column, because BLAS has no increment for it. */
static tsl_status need_packed(tsl_context *x, const tsl_call *c, int i, int64_t n)
{
    tsl_status st = need_size(x, c, "n", n);
    return st ? st : need_storage(x, c, i, tsl_packed_length(n), 1);
}

tsl_status tsl_need_square(tsl_context *x, const tsl_call *c)
{
    int i = place(c->op);
    tsl_storage storage = tsl_stored(c->op);
    if (storage == TSL_DENSE) {
        tsl_status st = tsl_need_triangle(x, c, i);
        return !st && tsl_operand_is(c->op, i, TSL_IS_SYMMETRIC | TSL_IS_HERMITIAN) ? tsl_need_diagonal(x, c, i) : st;
    }
    /* BLAS has complex symmetric matrices only dense */
    if (tsl_operand_is(c->op, i, TSL_IS_SYMMETRIC) && tsl_is_complex(c->v[i].mat->type))
        return tsl_refuse(x, c, TSL_ERR_TYPE, "%s is complex (%c), must be real", tsl_ops[c->op].operand[i].name,
                          tsl_type_letter(c->v[i].mat->type));
    tsl_status st = tsl_need_flag(x, c, (c->uplo == TSL_LOWER || c->uplo == TSL_UPPER) && (unsigned)c->trans <= TSL_HERM &&
                                            (unsigned)c->diag <= TSL_UNIT);
    if (st) return st;
    return storage == TSL_BAND ? tsl_need_band(x, c, i, c->n, "k", c->band.kl, 0) : need_packed(x, c, i, c->n);
}
