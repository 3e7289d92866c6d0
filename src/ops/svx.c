/* Solutions with all that is known of them: scaled where that helps, corrected, with bounds of their errors and the condition. gesvx by LU, posvx by Cholesky. Each is other
 * calls in a row, as LAPACK's expert drivers are. */
#include <float.h>
#include <math.h>

#include "core/largest.h"
#include "ops/svx.h"

enum { FEW = 256 }; /* numbers read at a time */

static double eps_of(tsl_view A) { return tsl_is_double(tsl_real_type(A.mat->type)) ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2; }
static double least_of(tsl_view A) { return tsl_is_double(tsl_real_type(A.mat->type)) ? DBL_MIN : (double)FLT_MIN; }

/* Ratios that are small enough to scale, and elements near the ends of the range (LAPACK's laqge) */
static bool is_unlike(double ratio) { return !(ratio >= 0.1); }
static bool is_far(tsl_view A, double amax)
{
    double small = least_of(A) / (2 * eps_of(A));
    return !(amax >= small && amax <= 1 / small);
}

/* A := diag(r) A diag(c), either of them NULL: ones */
static tsl_status scale(tsl_context *x, tsl_view A, const tsl_view *r, const tsl_view *c)
{
    tsl_view none = tsl_none_of(r ? *r : *c);
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_EQUIL, .v = {A, r ? *r : none, c ? *c : none}});
}

/* The smallest of the caller's numbers over the largest; one that is not positive is refused */
static tsl_status ratio_of(tsl_context *x, const tsl_call *c, tsl_view v, double *ratio)
{
    double least = least_of(v), most = 0, smallest = 1 / least;
    tsl_status st = TSL_OK;
    for (int64_t i = 0, k; i < v.m && !st; i += k) {
        double room[FEW];
        float *singles = (float *)room;
        k = tsl_min(FEW, v.m - i);
        tsl_matrix here = tsl_borrow(x, v.mat->type, k, 1, room, k);
        st = tsl_copy(x, tsl_sub(v, i, 0, k, 1), tsl_whole(&here));
        for (int64_t j = 0; j < k && !st; ++j) {
            double value = v.mat->type == TSL_D ? room[j] : (double)singles[j];
            most = tsl_larger(most, value), smallest = tsl_smaller(smallest, value);
        }
    }
    if (!st && v.m && !(smallest > 0)) st = tsl_refuse(x, c, TSL_ERR_SIZE, "a factor of rows or columns is not positive");
    *ratio = v.m ? fmax(smallest, least) / fmin(most, 1 / least) : 1;
    return st;
}

/* What the parts would refuse, before anything is changed */
static tsl_status check(tsl_context *x, const tsl_call *c, const tsl_svx *s)
{
    tsl_status st = tsl_check_operands(x, c);
    if (!st) st = tsl_rule[c->op]->check(x, c);
    if (!st) st = tsl_check_apart(x, c, tsl_locate_here);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i)
        if (c->v[i].mat->tiles || c->v[i].mat->remote) st = tsl_refuse(x, c, TSL_ERR_LAYOUT, "the operation has no form for matrices stored like this");
    if (!st && !(s->rcond && s->equed)) st = tsl_refuse(x, c, TSL_ERR_NULL, "no place for the result");
    bool given = s->fact == 'F', scaled = s->fact == 'E' || (given && *s->equed != 'N');
    if (!st && s->fact != 'N' && s->fact != 'E' && !given) st = tsl_refuse(x, c, TSL_ERR_FLAG, "fact must be one of NEF");
    if (!st && given && !strchr(s->letters, *s->equed)) st = tsl_refuse(x, c, TSL_ERR_FLAG, "equed must be one of %s", s->letters);
    if (!st && scaled && (!s->r.mat || !s->c.mat)) st = tsl_refuse(x, c, TSL_ERR_NULL, "no place for the factors of rows and columns");
    return st;
}

/* max |A| / max |U|, over the first columns, which LU has come to */
static tsl_status growth(tsl_context *x, const tsl_svx *s, int64_t columns, double *ratio)
{
    double of_a = 0, of_u = 0;
    int64_t n = s->A.m;
    tsl_view A = s->A;
    A.op = TSL_NOTRANS;
    tsl_status st = tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, tsl_sub(A, 0, 0, n, columns), &of_a);
    if (!st) st = tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, tsl_upper(tsl_sub(s->AF, 0, 0, columns, columns)), &of_u);
    if (!st) *ratio = of_u == 0 ? 1 : of_a / of_u;
    return st;
}

/* fact E: what is to be scaled, and A is */
static tsl_status equilibrate(tsl_context *x, const tsl_svx *s, double *row, double *col)
{
    double amax;
    int64_t info;
    tsl_view A = s->A;
    A.op = TSL_NOTRANS;
    tsl_status st = tsl_geequ(x, A, s->r, s->c, row, col, &amax, &info);
    if (st || info) return st;
    bool rows = is_unlike(*row) || is_far(A, amax), cols = is_unlike(*col);
    *s->equed = rows ? (cols ? 'B' : 'R') : cols ? 'C' : 'N';
    return rows || cols ? scale(x, A, rows ? &s->r : NULL, cols ? &s->c : NULL) : TSL_OK;
}

static tsl_status solve_general(tsl_context *x, const tsl_call *c, const tsl_svx *s, int64_t *info)
{
    double row = 1, col = 1, anorm = 0;
    tsl_view A = s->A, plain = A, AF = s->AF;
    bool turned = A.op != TSL_NOTRANS;
    plain.op = TSL_NOTRANS;
    tsl_status st = TSL_OK;
    if (s->fact != 'F') *s->equed = 'N';
    if (s->fact == 'E') st = equilibrate(x, s, &row, &col);
    bool rows = *s->equed == 'R' || *s->equed == 'B', cols = *s->equed == 'C' || *s->equed == 'B';
    if (s->fact == 'F' && rows) st = ratio_of(x, c, s->r, &row);
    if (s->fact == 'F' && cols && !st) st = ratio_of(x, c, s->c, &col);
    /* diag(r) A diag(c) y = diag(r) b, x = diag(c) y; of A^T the other way round */
    const tsl_view *before = turned ? (cols ? &s->c : NULL) : rows ? &s->r : NULL, *after = turned ? (rows ? &s->r : NULL) : cols ? &s->c : NULL;
    if (!st && before) st = scale(x, s->B, before, NULL);
    if (!st && s->fact != 'F') st = tsl_copy(x, plain, AF);
    if (!st && s->fact != 'F') st = tsl_getrf(x, AF, s->p, info);
    if (!st && s->rpvgrw) st = growth(x, s, *info > 0 ? *info : A.m, s->rpvgrw);
    if (st || *info > 0) return st;
    st = tsl_norm(x, TSL_NORM_ONE, TSL_TRIANGULAR, A, &anorm);
    if (!st) st = tsl_gecon(x, turned ? TSL_NORM_INF : TSL_NORM_ONE, AF, anorm, s->rcond);
    if (!st) st = tsl_copy(x, s->B, s->X);
    AF.op = A.op;
    if (!st) st = tsl_getrs(x, AF, s->p, s->X);
    if (!st) st = tsl_gerfs(x, A, s->AF, s->p, s->B, s->X, s->ferr, s->berr);
    if (!st && after) st = scale(x, s->X, after, NULL);
    if (!st && after) st = tsl_scale(x, 1 / (turned ? row : col), s->ferr);
    if (!st && *s->rcond < eps_of(A)) *info = A.m + 1;
    return st;
}

static tsl_status solve_definite(tsl_context *x, const tsl_call *c, const tsl_svx *s, int64_t *info)
{
    double ratio = 1, amax = 0, anorm = 0;
    tsl_view A = s->A;
    int64_t bad = 1;
    tsl_status st = TSL_OK;
    if (s->fact != 'F') *s->equed = 'N';
    if (s->fact == 'E') st = tsl_poequ(x, A, s->r, &ratio, &amax, &bad);
    if (!st && !bad && (is_unlike(ratio) || is_far(A, amax))) {
        *s->equed = 'Y';
        st = scale(x, A, &s->r, &s->r);
    }
    bool scaled = *s->equed == 'Y';
    if (s->fact == 'F' && scaled) st = ratio_of(x, c, s->r, &ratio);
    if (!st && scaled) st = scale(x, s->B, &s->r, NULL);
    if (!st && s->fact != 'F') st = tsl_copy(x, A, s->AF);
    if (!st && s->fact != 'F') st = tsl_potrf(x, s->AF, info);
    if (st || *info > 0) return st;
    st = tsl_norm(x, TSL_NORM_ONE, TSL_HERMITIAN, A, &anorm);
    if (!st) st = tsl_pocon(x, s->AF, anorm, s->rcond);
    if (!st) st = tsl_copy(x, s->B, s->X);
    if (!st) st = tsl_potrs(x, s->AF, s->X);
    if (!st) st = tsl_porfs(x, A, s->AF, s->B, s->X, s->ferr, s->berr);
    if (!st && scaled) st = scale(x, s->X, &s->r, NULL);
    if (!st && scaled) st = tsl_scale(x, 1 / ratio, s->ferr);
    if (!st && *s->rcond < eps_of(A)) *info = A.m + 1;
    return st;
}

tsl_status tsl_svx_of(tsl_context *x, tsl_args *d, const tsl_svx *s, int64_t *told)
{
    int64_t info = 0;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    bool general = s->p.mat != NULL;
    tsl_call c = {.op = general ? TSL_OP_GERFS : TSL_OP_PORFS, .args = d, .v = {s->A, s->AF, s->p, s->B, s->X, s->ferr, s->berr}};
    for (int i = 2; !general && i < 6; ++i) c.v[i] = c.v[i + 1];
    st = check(x, &c, s);
    if (!st) *s->rcond = 0;
    if (!st && s->rpvgrw) *s->rpvgrw = 1;
    if (!st && s->A.m == 0) *s->rcond = 1;
    if (!st) st = (general ? solve_general : solve_definite)(x, &c, s, &info);
    if (!st && told) *told = info;
    return tsl_leave(x, st);
}

tsl_status tsl_gesvx(tsl_context *x, char fact, tsl_view A, tsl_view AF, tsl_view p, char *equed, tsl_view r, tsl_view c, tsl_view B, tsl_view X, double *rcond, tsl_view ferr,
                     tsl_view berr, double *rpvgrw, int64_t *info)
{
    tsl_svx s = {.fact = fact, .letters = "NRCB", .A = A, .AF = AF, .p = p, .equed = equed, .r = r, .c = c, .B = B, .X = X, .rcond = rcond, .ferr = ferr, .berr = berr, .rpvgrw = rpvgrw};
    if (p.mat) return tsl_svx_of(x, NULL, &s, info);
    tsl_status st = tsl_enter(&x);
    return st ? st : tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "gesvx: p has no matrix"));
}

tsl_status tsl_posvx(tsl_context *x, char fact, tsl_view A, tsl_view AF, char *equed, tsl_view s, tsl_view B, tsl_view X, double *rcond, tsl_view ferr, tsl_view berr, int64_t *info)
{
    tsl_svx given = {.fact = fact, .letters = "NY", .A = A, .AF = AF, .equed = equed, .r = s, .c = s, .B = B, .X = X, .rcond = rcond, .ferr = ferr, .berr = berr};
    return tsl_svx_of(x, NULL, &given, info);
}
