/* Operations that write vectors: scal, axpy, swap, rot, rotm, and vcopy, which is behind the typed copies. Where a written
 * vector is seen conjugated, its conjugation moves to the other side of the equation. */
#include <complex.h>

#include "ops/ops.h"

tsl_status tsl_scal(tsl_context *x, tsl_scalar alpha, tsl_view X)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SCAL, .alpha = alpha, .v = {X}});
}

tsl_status tsl_axpy(tsl_context *x, tsl_scalar alpha, tsl_view X, tsl_view Y)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_AXPY, .alpha = alpha, .v = {X, Y}});
}

tsl_status tsl_swap(tsl_context *x, tsl_view X, tsl_view Y)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SWAP, .v = {X, Y}});
}

tsl_status tsl_rot(tsl_context *x, tsl_view X, tsl_view Y, double c, tsl_scalar s)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_ROT, .alpha = c, .beta = s, .v = {X, Y}});
}

/* param[0] says which entries of H are given; the others are 1 on the diagonal, or 1 and -1 beside it. */
bool tsl_rotm_matrix(const double param[5], tsl_scalar *first, tsl_scalar *second)
{
    bool none = param[0] == -2, all = param[0] < 0, beside = param[0] == 0;
    double h11 = none || beside ? 1 : param[1], h21 = none ? 0 : all || beside ? param[2] : -1;
    double h12 = none ? 0 : all || beside ? param[3] : 1, h22 = none || beside ? 1 : param[4];
    *first = CMPLX(h11, h21);
    *second = CMPLX(h12, h22);
    return *first != 1 || *second != CMPLX(0, 1);
}

tsl_status tsl_rotm(tsl_context *x, tsl_view X, tsl_view Y, const double param[5])
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    static const double no_turn[5] = {-2};
    tsl_call c = {.op = TSL_OP_ROTM, .v = {X, Y}};
    if (!param) c.refused = tsl_fail(x, TSL_ERR_NULL, "rotm: no parameters");
    tsl_rotm_matrix(param ? param : no_turn, &c.alpha, &c.beta);
    return tsl_leave(x, tsl_execute(x, &c));
}

static void nothing(tsl_view v, tsl_call *less) { *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 1, .v = {v}}; }

static bool conjugated(const tsl_view *v) { return tsl_reduced(v->op, v->mat->type) & TSL_CONJ; }

const tsl_rules tsl_vcopy_rules = {.check = tsl_need_vectors, .canon = tsl_vectors_canon, .in_place = tsl_by_elements, .called = "copy"};

static tsl_status canon_swap(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_vectors_canon(x, c, l);
    l->herm = conjugated(&c->v[0]) != conjugated(&c->v[1]);
    return TSL_OK;
}

const tsl_rules tsl_swap_rules = {.check = tsl_need_vectors, .canon = canon_swap, .in_place = tsl_by_elements};

static bool simplify_scal(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 1) return false;
    nothing(c->v[0], less);
    return true;
}

static tsl_status canon_scal(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    l->alpha = tsl_seen_scalar(c->alpha, c->v[0].op);
    return tsl_vectors_canon(x, c, l);
}

const tsl_rules tsl_scal_rules = {.check = tsl_need_vectors, .simplify = simplify_scal, .canon = canon_scal};

static bool simplify_axpy(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0) return false;
    nothing(c->v[1], less);
    return true;
}

static tsl_status canon_axpy(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_op flip = (tsl_op)(c->v[1].op & TSL_CONJ);
    tsl_vectors_canon(x, c, l);
    l->alpha = tsl_seen_scalar(c->alpha, flip);
    return tsl_vector_in(x, &c->v[0], tsl_compose(c->v[0].op, flip), &l->A);
}

const tsl_rules tsl_axpy_rules = {.check = tsl_need_vectors, .simplify = simplify_axpy, .canon = canon_axpy, .in_place = tsl_by_elements};

/* If x is seen conjugated both equations are conjugated, and with them s; then y may still be seen conjugated. */
static tsl_status canon_rot(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_vectors_canon(x, c, l);
    l->herm = conjugated(&c->v[0]) != conjugated(&c->v[1]);
    l->beta = tsl_seen_scalar(c->beta, c->v[0].op);
    l->scal.real = cimag(c->beta) == 0;
    return TSL_OK;
}

const tsl_rules tsl_rot_rules = {.check = tsl_need_vectors, .canon = canon_rot, .beta = "s"};

static tsl_status check_rotm(tsl_context *x, const tsl_call *c)
{
    tsl_type t = c->v[0].mat->type;
    if (tsl_is_complex(t)) return tsl_refuse(x, c, TSL_ERR_TYPE, "x is complex (%c), must be real", tsl_type_letter(t));
    return tsl_need_vectors(x, c);
}

static bool simplify_rotm(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 1 || c->beta != CMPLX(0, 1)) return false; /* the identity */
    nothing(c->v[1], less);
    return true;
}

static tsl_status canon_rotm(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_vectors_canon(x, c, l);
    return TSL_OK;
}

/* H is in the parts of the scalars. */
const tsl_rules tsl_rotm_rules = {.check = check_rotm, .simplify = simplify_rotm, .canon = canon_rotm, .complex_scalars = true};
