/* Solutions with all that is known of them: scaled where that helps, corrected, with bounds of their errors and the condition.
 * gesvx by LU, posvx by Cholesky. Each is other calls in a row, as LAPACK's expert drivers are. */
#include <float.h>
#include <math.h>

#include "core/numbers/largest.h"
#include "ops/solve/svx.h"

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
        st = tsl_read_column(x, v, i, k, room);
        for (int64_t j = 0; j < k && !st; ++j) {
            double value = v.mat->type == TSL_D ? room[j] : (double)singles[j];
            most = tsl_larger(most, value), smallest = tsl_smaller(smallest, value);
        }
    }
    if (!st && v.m && !(smallest > 0)) st = tsl_refuse(x, c, TSL_ERR_SIZE, "a factor of rows or columns is not positive");
    *ratio = v.m ? fmax(smallest, least) / fmin(most, 1 / least) : 1;
    return st;
}

/* A part is computed by the variant that is asked for if it has that. */
static void vary(tsl_context *x, const void *with, tsl_opcode op)
{
    const tsl_svx *s = with;
    memcpy(x->variant, s->variant, sizeof x->variant);
    if (!tsl_takes_variant(x, op, NULL)) strcpy(x->variant, "auto");
}

enum { PARTS = 8 };

/* The calls whose rules are not each other's: what all of them is like is said by their operands' names */
static int parts_of(tsl_context *x, const tsl_svx *s, tsl_args *name, double number[3], tsl_matrix *three, tsl_call part[PARTS])
{
    bool general = s->general, scaled = s->r.mat && (s->fact == 'E' || *s->equed != 'N');
    tsl_view A = s->A, AF = s->AF, k;
    int count = 0;
    *three = tsl_borrow(x, TSL_D, 3, 1, number, 3);
    k = tsl_whole(three);
    if (general) part[count++] = (tsl_call){.op = TSL_OP_GERFS, .args = name, .v = {A, AF, s->p, s->B, s->X, s->ferr, s->berr}};
    else part[count++] = (tsl_call){.op = TSL_OP_PORFS, .args = name, .v = {A, AF, s->B, s->X, s->ferr, s->berr}};
    if (general) A.op = TSL_NOTRANS;
    if (scaled && general) part[count++] = (tsl_call){.op = TSL_OP_GEEQU, .args = name, .v = {A, s->r, s->c, k}};
    if (scaled && !general) part[count++] = (tsl_call){.op = TSL_OP_POEQU, .args = name, .v = {tsl_general(A), s->r, k}};
    if (s->fact != 'F' && general) part[count++] = (tsl_call){.op = TSL_OP_GETRF, .args = name, .v = {AF, s->p}};
    if (s->fact != 'F' && !general) part[count++] = (tsl_call){.op = TSL_OP_POTRF, .args = name, .v = {AF}};
    if (general) part[count++] = (tsl_call){.op = TSL_OP_GECON, .args = name, .norm = {.kind = TSL_NORM_ONE}, .v = {AF}};
    else part[count++] = (tsl_call){.op = TSL_OP_POCON, .args = name, .norm = {.kind = TSL_NORM_ONE}, .v = {AF}};
    if (s->fact != 'F') part[count++] = (tsl_call){.op = TSL_OP_COPY, .args = name, .v = {A, AF}};
    part[count++] = (tsl_call){.op = TSL_OP_COPY, .args = name, .v = {s->B, s->X}};
    AF.op = general ? s->A.op : AF.op;
    if (general) part[count++] = (tsl_call){.op = TSL_OP_GETRS, .args = name, .v = {AF, s->p, s->X}};
    else part[count++] = (tsl_call){.op = TSL_OP_POTRS, .args = name, .v = {AF, s->X}};
    return count;
}

/* No operand that is written shares elements with another. */
static tsl_status check_apart(tsl_context *x, const tsl_call *c, const tsl_svx *s)
{
    bool first = s->fact == 'E', made = s->fact != 'F', general = s->general, by_factors = first || *s->equed != 'N';
    const struct { const char *name; tsl_view v; bool used, written; int argument[2]; } operand[] = {
        {"A", s->A, true, first, {5, 5}}, {"AF", s->AF, true, made, {7, 7}}, {"p", s->p, general, made, {0, 9}}, {general ? "r" : "s", s->r, by_factors, first, {10, 11}},
        {"c", s->c, by_factors && general, first, {0, 12}}, {"B", s->B, true, by_factors, {11, 13}}, {"X", s->X, true, true, {13, 15}}, {"ferr", s->ferr, true, true, {16, 18}},
        {"berr", s->berr, true, true, {17, 19}}};
    for (size_t k = 1; k < sizeof operand / sizeof *operand; ++k)
        for (size_t i = 0; i < k; ++i) {
            if (!operand[i].used || !operand[k].used || !(operand[i].written || operand[k].written)) continue;
            tsl_call two = {.op = TSL_OP_COPY, .v = {operand[i].v, operand[k].v}};
            tsl_locate locate = tsl_locate_for(x, &two);
            tsl_area a = locate(&two, 0, 1), b = locate(&two, 1, 0);
            if (!a.m || !a.n || !b.m || !b.n || !tsl_areas_meet(&a, &b, false)) continue;
            if (c->args) c->args->argument = operand[k].argument[general];
            return tsl_refuse(x, c, TSL_ERR_OVERLAP, "%s overlaps %s", operand[k].name, operand[i].name);
        }
    return TSL_OK;
}

/* Scalings that are given are only read, and one of them may stand for the other. All but the three numbers lie where A does. */
static tsl_status check_given(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_rule[c->op]->check(x, c);
    for (int i = 1; i < tsl_ops[c->op].operands - 1 && !st; ++i)
        if (c->v[i].mat->remote != c->v[0].mat->remote) st = tsl_bad(x, c, i, TSL_ERR_GRID);
    return st;
}

/* What this process alone can say */
static tsl_status check_here(tsl_context *x, const tsl_call part[], int count, const tsl_svx *s)
{
    bool taken = false;
    tsl_status st = TSL_OK;
    memcpy(x->variant, s->variant, sizeof x->variant);
    for (int i = 0; i < count; ++i) taken |= tsl_takes_variant(x, part[i].op, NULL);
    if (!taken) return tsl_refuse(x, &part[0], TSL_ERR_OPTION, "there is no variant '%s' of it or of its parts", s->variant);
    for (int i = 0; i < count && !st; ++i) st = tsl_check_operands(x, &part[i]);
    return st ? st : check_apart(x, &part[0], s);
}

/* What the parts would refuse, before anything is changed. wrong: what has been found already, which all processes of a grid
 * are told; of these, letters are arguments too */
static tsl_status check(tsl_context *x, const tsl_call part[], int count, const tsl_svx *s, tsl_status wrong)
{
    bool given = s->fact == 'F';
    tsl_status st = TSL_OK;
    if (!wrong) wrong = check_here(x, part, count, s);
    for (int i = 0; i < count && !st; ++i) {
        tsl_call c = part[i];
        /* opcode: of parts, one of them is not computed where its results are given */
        bool scalings = c.op == TSL_OP_GEEQU || c.op == TSL_OP_POEQU;
        c.refused = wrong;
        if (tsl_remote_of(x, &c)) c.m = s->fact, c.n = *s->equed;
        vary(x, s, c.op);
        if (!(given && scalings)) st = tsl_check_call(x, &c, given);
        else if (!wrong) wrong = check_given(x, &c);
    }
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
    vary(x, s, TSL_OP_GEEQU);
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
    bool turned = A.op & TSL_TRANS;
    plain.op = TSL_NOTRANS;
    tsl_status st = TSL_OK;
    if (s->fact == 'E') st = equilibrate(x, s, &row, &col);
    bool rows = *s->equed == 'R' || *s->equed == 'B', cols = *s->equed == 'C' || *s->equed == 'B';
    if (s->fact == 'F' && rows) st = ratio_of(x, c, s->r, &row);
    if (s->fact == 'F' && cols && !st) st = ratio_of(x, c, s->c, &col);
    /* diag(r) A diag(c) y = diag(r) b, x = diag(c) y; of A^T the other way round */
    const tsl_view *before = turned ? (cols ? &s->c : NULL) : rows ? &s->r : NULL, *after = turned ? (rows ? &s->r : NULL) : cols ? &s->c : NULL;
    if (!st && before) st = scale(x, s->B, before, NULL);
    if (!st && s->fact != 'F') st = tsl_copy(x, plain, AF);
    if (!st && s->fact != 'F') vary(x, s, TSL_OP_GETRF), st = tsl_getrf(x, AF, s->p, info);
    if (!st && s->rpvgrw) st = growth(x, s, *info > 0 ? *info : A.m, s->rpvgrw);
    if (st || *info > 0) return st;
    st = tsl_norm(x, TSL_NORM_ONE, TSL_TRIANGULAR, A, &anorm);
    if (!st) vary(x, s, TSL_OP_GECON), st = tsl_gecon(x, turned ? TSL_NORM_INF : TSL_NORM_ONE, AF, anorm, s->rcond);
    if (!st) st = tsl_copy(x, s->B, s->X);
    AF.op = A.op;
    if (!st) vary(x, s, TSL_OP_GETRS), st = tsl_getrs(x, AF, s->p, s->X);
    if (!st) vary(x, s, TSL_OP_GERFS), st = tsl_gerfs(x, A, s->AF, s->p, s->B, s->X, s->ferr, s->berr);
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
    if (s->fact == 'E') vary(x, s, TSL_OP_POEQU), st = tsl_poequ(x, A, s->r, &ratio, &amax, &bad);
    if (!st && !bad && (is_unlike(ratio) || is_far(A, amax))) {
        *s->equed = 'Y';
        st = scale(x, A, &s->r, &s->r);
    }
    bool scaled = *s->equed == 'Y';
    if (s->fact == 'F' && scaled) st = ratio_of(x, c, s->r, &ratio);
    if (!st && scaled) st = scale(x, s->B, &s->r, NULL);
    if (!st && s->fact != 'F') st = tsl_copy(x, A, s->AF);
    if (!st && s->fact != 'F') vary(x, s, TSL_OP_POTRF), st = tsl_potrf(x, s->AF, info);
    if (st || *info > 0) return st;
    st = tsl_norm(x, TSL_NORM_ONE, TSL_HERMITIAN, A, &anorm);
    if (!st) vary(x, s, TSL_OP_POCON), st = tsl_pocon(x, s->AF, anorm, s->rcond);
    if (!st) st = tsl_copy(x, s->B, s->X);
    if (!st) vary(x, s, TSL_OP_POTRS), st = tsl_potrs(x, s->AF, s->X);
    if (!st) vary(x, s, TSL_OP_PORFS), st = tsl_porfs(x, A, s->AF, s->B, s->X, s->ferr, s->berr);
    if (!st && scaled) st = scale(x, s->X, &s->r, NULL);
    if (!st && scaled) st = tsl_scale(x, 1 / ratio, s->ferr);
    if (!st && *s->rcond < eps_of(A)) *info = A.m + 1;
    return st;
}

/* Problems of batches as matrices; those of batches as a whole are refused */
static tsl_status pick(tsl_context *x, tsl_svx *s, tsl_args *name, tsl_matrix mat[2][TSL_MAX_OPERANDS])
{
    tsl_view none = tsl_none_of(s->A);
    tsl_call one = {.op = TSL_OP_GERFS, .args = name, .v = {s->A, s->AF, s->p.mat ? s->p : none, s->B, s->X, s->ferr, s->berr}};
    tsl_call two = {.op = TSL_OP_EQUIL, .args = name, .v = {none, s->r.mat ? s->r : none, s->c.mat ? s->c : none}};
    if (!s->p.mat) one.v[2].problem = s->A.problem;
    if (!s->A.mat) return tsl_refuse(x, &one, TSL_ERR_VIEW, "A has no matrix");
    tsl_status st = tsl_need_problems(x, &one, mat[0]);
    two.v[0] = tsl_none_of(one.v[0]);
    if (!s->r.mat) two.v[1] = two.v[0];
    if (!s->c.mat) two.v[2] = two.v[0];
    if (!st) st = tsl_need_problems(x, &two, mat[1]);
    if (st) return st;
    s->A = one.v[0], s->AF = one.v[1], s->B = one.v[3], s->X = one.v[4], s->ferr = one.v[5], s->berr = one.v[6];
    if (s->p.mat) s->p = one.v[2];
    if (s->r.mat) s->r = two.v[1];
    if (s->c.mat) s->c = two.v[2];
    return TSL_OK;
}

tsl_status tsl_svx_of(tsl_context *x, tsl_args *d, const tsl_svx *asked, int64_t *told)
{
    int64_t info = 0;
    double number[3], rcond = 0, growth = 1;
    char equed = 'N';
    tsl_svx s = *asked;
    tsl_call part[PARTS];
    tsl_matrix three, picked[2][TSL_MAX_OPERANDS];
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_args name = {.x = x, .routine = s.general ? "gesvx" : "posvx", .type = -1};
    tsl_call c = {.op = s.general ? TSL_OP_GERFS : TSL_OP_PORFS, .args = d ? d : &name};
    if (s.general && !s.p.mat) st = tsl_refuse(x, &c, TSL_ERR_NULL, "p has no matrix");
    else if (!(s.rcond && s.equed)) st = tsl_refuse(x, &c, TSL_ERR_NULL, "no place for the result");
    else if (!strchr("NEF", s.fact) || !s.fact) st = tsl_refuse(x, &c, TSL_ERR_FLAG, "fact must be one of NEF");
    else if (s.fact == 'F' && (!*s.equed || !strchr(s.letters, *s.equed))) st = tsl_refuse(x, &c, TSL_ERR_FLAG, "equed must be one of %s", s.letters);
    if (!st && s.fact == 'F') equed = *s.equed;
    s.equed = &equed, s.rcond = &rcond;
    memcpy(s.variant, x->variant, sizeof s.variant);
    if (!st && (s.fact == 'E' || equed != 'N') && (!s.r.mat || !s.c.mat)) st = tsl_refuse(x, &c, TSL_ERR_NULL, "no place for the factors of rows and columns");
    if (!st) st = pick(x, &s, c.args, picked);
    int count = parts_of(x, &s, c.args, number, &three, part);
    bool remote = tsl_remote_of(x, &part[0]);
    s.rpvgrw = asked->rpvgrw || remote ? &growth : NULL; /* it is computed by all processes */
    if (!st || remote) st = check(x, part, count, &s, st);
    if (!st) st = tsl_hold_room(x, part, count, vary, &s);
    if (!st) {
        if (s.A.m == 0) rcond = 1;
        st = (s.general ? solve_general : solve_definite)(x, &c, &s, &info);
        tsl_give_room(x);
    }
    memcpy(x->variant, s.variant, sizeof x->variant);
    if (!st) *asked->equed = equed, *asked->rcond = rcond;
    if (!st && asked->rpvgrw) *asked->rpvgrw = growth;
    if (!st && told) *told = info;
    return tsl_leave(x, st);
}

tsl_status tsl_gesvx(tsl_context *x, char fact, tsl_view A, tsl_view AF, tsl_view p, char *equed, tsl_view r, tsl_view c,
                     tsl_view B, tsl_view X, double *rcond, tsl_view ferr, tsl_view berr, double *rpvgrw, int64_t *info)
{
    tsl_svx s = {.general = true, .fact = fact, .letters = "NRCB", .A = A, .AF = AF, .p = p, .equed = equed, .r = r, .c = c, .B = B, .X = X,
                 .rcond = rcond, .ferr = ferr, .berr = berr, .rpvgrw = rpvgrw};
    return tsl_svx_of(x, NULL, &s, info);
}

tsl_status tsl_posvx(tsl_context *x, char fact, tsl_view A, tsl_view AF, char *equed, tsl_view s, tsl_view B, tsl_view X,
                     double *rcond, tsl_view ferr, tsl_view berr, int64_t *info)
{
    tsl_svx given = {.fact = fact, .letters = "NY", .A = A, .AF = AF, .equed = equed, .r = s, .c = s, .B = B, .X = X, .rcond = rcond, .ferr = ferr, .berr = berr};
    return tsl_svx_of(x, NULL, &given, info);
}
