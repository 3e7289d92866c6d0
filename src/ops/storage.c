/* The matrices of level 2: dense, by bands, packed; symmetric, Hermitian, triangular. */
#include "ops/ops.h"

/* `at` is the matrix's place among the operands: the first where it is read, the last where it is updated. */
static const struct form {
    tsl_storage storage;
    tsl_structure structure;
    int at;
} forms[TSL_OP_COUNT] = {
    [TSL_OP_SYMV] = {TSL_DENSE, TSL_SYMMETRIC, 0},   [TSL_OP_HEMV] = {TSL_DENSE, TSL_HERMITIAN, 0},
    [TSL_OP_SBMV] = {TSL_BAND, TSL_SYMMETRIC, 0},    [TSL_OP_HBMV] = {TSL_BAND, TSL_HERMITIAN, 0},
    [TSL_OP_SPMV] = {TSL_PACKED, TSL_SYMMETRIC, 0},  [TSL_OP_HPMV] = {TSL_PACKED, TSL_HERMITIAN, 0},
    [TSL_OP_SYR] = {TSL_DENSE, TSL_SYMMETRIC, 1},    [TSL_OP_HER] = {TSL_DENSE, TSL_HERMITIAN, 1},
    [TSL_OP_SPR] = {TSL_PACKED, TSL_SYMMETRIC, 1},   [TSL_OP_HPR] = {TSL_PACKED, TSL_HERMITIAN, 1},
    [TSL_OP_SYR2] = {TSL_DENSE, TSL_SYMMETRIC, 2},   [TSL_OP_HER2] = {TSL_DENSE, TSL_HERMITIAN, 2},
    [TSL_OP_SPR2] = {TSL_PACKED, TSL_SYMMETRIC, 2},  [TSL_OP_HPR2] = {TSL_PACKED, TSL_HERMITIAN, 2},
    [TSL_OP_TRMV] = {TSL_DENSE, TSL_TRIANGULAR, 0},  [TSL_OP_TRSV] = {TSL_DENSE, TSL_TRIANGULAR, 0},
    [TSL_OP_TBMV] = {TSL_BAND, TSL_TRIANGULAR, 0},   [TSL_OP_TBSV] = {TSL_BAND, TSL_TRIANGULAR, 0},
    [TSL_OP_TPMV] = {TSL_PACKED, TSL_TRIANGULAR, 0}, [TSL_OP_TPSV] = {TSL_PACKED, TSL_TRIANGULAR, 0},
};

tsl_storage tsl_stored(tsl_opcode op) { return forms[op].storage; }

tsl_square tsl_square_of(const tsl_call *c)
{
    const struct form *f = &forms[c->op];
    const tsl_view *v = &c->v[f->at];
    tsl_square s = {.storage = f->storage, .v = v, .herm = f->structure == TSL_HERMITIAN && tsl_is_complex(v->mat->type)};
    if (f->storage == TSL_DENSE) s.n = v->n, s.op = v->op, s.uplo = v->uplo, s.diag = v->diag;
    else s.n = c->n, s.k = c->kl, s.op = c->trans, s.uplo = c->uplo, s.diag = c->diag;
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

tsl_status tsl_need_band(tsl_context *x, const tsl_call *c, int i, int64_t n, int64_t kl, int64_t ku)
{
    bool both = c->op == TSL_OP_GBMV;
    tsl_status st = need_size(x, c, "n", n);
    if (!st) st = need_size(x, c, both ? "kl" : "k", kl);
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
    const struct form *f = &forms[c->op];
    int i = f->at;
    if (f->storage == TSL_DENSE) {
        tsl_status st = tsl_need_triangle(x, c, i);
        return !st && f->structure != TSL_TRIANGULAR ? tsl_need_diagonal(x, c, i) : st;
    }
    /* BLAS has complex symmetric matrices only dense */
    if (f->structure == TSL_SYMMETRIC && tsl_is_complex(c->v[i].mat->type))
        return tsl_refuse(x, c, TSL_ERR_TYPE, "%s is complex (%c), must be real", tsl_ops[c->op].operand[i].name,
                          tsl_type_letter(c->v[i].mat->type));
    tsl_status st = tsl_need_flag(x, c, (c->uplo == TSL_LOWER || c->uplo == TSL_UPPER) && (unsigned)c->trans <= TSL_HERM &&
                                            (unsigned)c->diag <= TSL_UNIT);
    if (st) return st;
    return f->storage == TSL_BAND ? tsl_need_band(x, c, i, c->n, c->kl, 0) : need_packed(x, c, i, c->n);
}
