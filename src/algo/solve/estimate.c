/* About the norm one of an operator that is known by its products with vectors, as of an inverse: Hager's algorithm in Higham's
 * form (1988), LAPACK's lacn2. A vector of ones, then unit vectors, climb to a column whose norm is the largest nearby; a
 * vector with alternating signs at last, against unlucky matrices. Several operators go side by side, a column of V each, so
 * that their products are one. The vectors are looked at on the host: each step waits for a product. */
#include <complex.h>
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/blue.h"

enum { STEPS = 4 }; /* products with unit vectors, at most */

/* What a column of V is given next, or was given last */
typedef enum stage { ONES, SIGNS, UNIT, ALTERNATING, ENDED } stage;

typedef struct column {
    stage stage;
    int64_t at;
    int steps;
    double norm;
} column;

typedef struct state {
    const tsl_operator *o;
    column column[TSL_ESTIMATES];
    bool adjoint; /* the product that was made, or is to be made */
} state;

static bool wants_adjoint(const column *c) { return c->stage == SIGNS; }

static double size_of(tsl_scalar v) { return cimag(v) == 0 ? fabs(creal(v)) : cabs(v); }

static double sum_of(int64_t n, const tsl_scalar *v)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += size_of(v[i]);
    return sum;
}

static int64_t largest_of(int64_t n, const tsl_scalar *v)
{
    int64_t at = 0;
    double most = size_of(v[0]);
    for (int64_t i = 1; i < n; ++i) {
        double size = size_of(v[i]);
        if (size > most) most = size, at = i;
    }
    return at;
}

/* v is the product; what comes next. One that is not finite ends it. */
static void follow(column *c, int64_t n, const tsl_scalar *v)
{
    double sum = sum_of(n, v);
    int64_t at = c->at;
    switch (c->stage) {
    case ONES:
        c->norm = sum;
        c->stage = n == 1 || !isfinite(sum) ? ENDED : SIGNS;
        break;
    case UNIT:
        c->stage = sum <= c->norm ? ALTERNATING : SIGNS;
        c->norm = tsl_larger(c->norm, sum);
        if (!isfinite(sum)) c->stage = ENDED;
        break;
    case SIGNS:
        c->at = largest_of(n, v);
        c->stage = c->steps++ == 0 || (size_of(v[at]) != size_of(v[c->at]) && c->steps <= STEPS) ? UNIT : ALTERNATING;
        if (!isfinite(sum)) c->norm = sum, c->stage = ENDED;
        break;
    case ALTERNATING:
        c->norm = tsl_larger(c->norm, 2 * sum / (3 * (double)n));
        c->stage = ENDED;
        break;
    default: break;
    }
}

/* v := the vector for the stage; of signs, from the product that v is */
static void give(const column *c, bool adjoint, int64_t n, tsl_scalar *v)
{
    bool turn = c->stage != ENDED && wants_adjoint(c) == adjoint;
    for (int64_t i = 0; i < n; ++i) {
        double size = turn && c->stage == SIGNS ? size_of(v[i]) : 0, step = n > 1 ? (double)i / (double)(n - 1) : 0;
        if (!turn) v[i] = 0;
        else if (c->stage == ONES) v[i] = 1 / (double)n;
        else if (c->stage == SIGNS) v[i] = size > 0 ? v[i] / size : 1;
        else if (c->stage == UNIT) v[i] = i == c->at;
        else v[i] = i % 2 ? -1 - step : 1 + step;
    }
}

static void weigh(const state *s, int64_t m, int64_t n, tsl_scalar *v)
{
    for (int64_t i = 0; s->o->weights && i < m * n; ++i) v[i] *= creal(s->o->weights[i]);
}

/* The outcome of a product, and what is multiplied next. diag(w) is the last factor of O, and the first of O^H. */
static void visit(void *with, int64_t n, int64_t columns, tsl_scalar *v)
{
    state *s = with;
    bool adjoint = false;
    if (!s->adjoint) weigh(s, n, columns, v);
    for (int64_t j = 0; j < columns; ++j)
        if (wants_adjoint(&s->column[j]) == s->adjoint) follow(&s->column[j], n, v + j * n);
    for (int64_t j = 0; j < columns; ++j) adjoint |= wants_adjoint(&s->column[j]);
    for (int64_t j = 0; j < columns; ++j) give(&s->column[j], adjoint, n, v + j * n);
    s->adjoint = adjoint;
    if (adjoint) weigh(s, n, columns, v);
}

static bool ended(const state *s, int64_t columns)
{
    bool all = true;
    for (int64_t j = 0; j < columns; ++j) all &= s->column[j].stage == ENDED;
    return all;
}

void tsl_estimate(tsl_context *x, const tsl_operator *o, tsl_view V, double *norm)
{
    state s = {.o = o};
    int64_t n = tsl_rows(V), columns = tsl_cols(V);
    for (int64_t j = 0; j < columns; ++j) norm[j] = 1;
    if (tsl_is_dry(x)) { /* each product once */
        o->apply(x, o, V, false);
        o->apply(x, o, V, true);
        tsl_visit(x, V, visit, &s);
        return;
    }
    tsl_laset(x, 1 / (double)n, 1 / (double)n, V);
    /* Each column has at most 2 + 2 STEPS products, and waits for one of the others' before its last. */
    for (int step = 0; step < 4 * STEPS && !ended(&s, columns); ++step) {
        /* V := O V or O^H V */     o->apply(x, o, V, s.adjoint);
        tsl_visit(x, V, visit, &s);
    }
    for (int64_t j = 0; j < columns; ++j) norm[j] = s.column[j].norm;
}
