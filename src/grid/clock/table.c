/* Seconds of a kernel, by a table. Between measured sizes logarithms of rates are interpolated; above them a rate stays; below
 * them the time stays, as launches and latencies bound it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/numbers/largest.h"
#include "exec/exec.h"
#include "grid/clock/table.h"
#include "grid/grid.h"

const char tsl_clock_h200[] =
#include "grid/clock/h200.inc"
    ;

static const char *const kinds[] = {"update", "narrow", "inner", "syrk", "trsm", "trmm", "potrf", "getrf", "geqrt",
                                    "chase", "chased", "pairs", "values"};

static const struct {
    const char *name;
    size_t at;
} numbers[] = {
    {"best", offsetof(tsl_clock_table, best)}, {"launch", offsetof(tsl_clock_table, launch)},
    {"move", offsetof(tsl_clock_table, move)}, {"touch", offsetof(tsl_clock_table, touch)},
    {"core-move", offsetof(tsl_clock_table, core_move)}, {"link", offsetof(tsl_clock_table, link)},
    {"core-chase", offsetof(tsl_clock_table, core_chase)}, {"round", offsetof(tsl_clock_table, round)},
    {"term", offsetof(tsl_clock_table, term)}, {"cores", offsetof(tsl_clock_table, cores)},
    {"lu-column", offsetof(tsl_clock_table, lu_column)}, {"qr-column", offsetof(tsl_clock_table, qr_column)},
    {"message", offsetof(tsl_clock_table, message)}, {"byte", offsetof(tsl_clock_table, byte)},
    {"near-message", offsetof(tsl_clock_table, near_message)}, {"near-byte", offsetof(tsl_clock_table, near_byte)},
    {"node", offsetof(tsl_clock_table, node)},
};

static bool add(tsl_clock_curve *c, double a, double b, double rate)
{
    int last = c->count - 1;
    if (c->count == TSL_CLOCK_POINTS || a < 1 || b < 1 || rate <= 0) return false;
    if (last >= 0 && (a < c->point[last].a || (a == c->point[last].a && b <= c->point[last].b))) return false;
    c->point[c->count].a = a, c->point[c->count].b = b, c->point[c->count++].rate = rate;
    return true;
}

static bool take(const char *line, tsl_clock_table *t)
{
    char name[32];
    double v[3];
    int read = sscanf(line, "%31s %lf %lf %lf", name, &v[0], &v[1], &v[2]);
    if (read < 1 || name[0] == '#') return true;
    for (size_t i = 0; read == 2 && i < sizeof numbers / sizeof *numbers; ++i)
        if (!strcmp(name, numbers[i].name)) {
            memcpy((char *)t + numbers[i].at, &v[0], sizeof v[0]);
            return v[0] >= 0;
        }
    for (int i = 0; read == 4 && i < TSL_CLOCK_KINDS; ++i)
        if (!strcmp(name, kinds[i])) return add(&t->curve[i], v[0], v[1], v[2]);
    return false;
}

tsl_status tsl_clock_read(const char *text, tsl_clock_table *t)
{
    char line[256];
    for (int number = 1; *text; ++number) {
        size_t length = strcspn(text, "\n");
        tsl_print(line, sizeof line, "%.*s", (int)tsl_min((int64_t)length, (int64_t)sizeof line - 1), text);
        if (!take(line, t)) return tsl_fail(NULL, TSL_ERR_OPTION, "clock: line %d of the table: '%s'", number, line);
        text += length + (text[length] == '\n');
    }
    const char *lacks = tsl_clock_lacks(t, false);
    if (lacks) return tsl_fail(NULL, TSL_ERR_OPTION, "clock: the table has no line '%s'", lacks);
    return t->best > 0 ? TSL_OK : tsl_fail(NULL, TSL_ERR_OPTION, "clock: the table has no line 'best'");
}

const char *tsl_clock_lacks(const tsl_clock_table *t, bool pairs)
{
    for (int i = 0; i < (pairs ? TSL_CLOCK_KINDS : TSL_CLOCK_CHASE); ++i)
        if (!t->curve[i].count) return kinds[i];
    return !pairs || (t->term > 0 && t->core_chase > 0) ? NULL : t->term > 0 ? "core-chase" : "term";
}

void tsl_clock_flat(tsl_clock_table *t, double rate, double panel, double diagonal)
{
    *t = (tsl_clock_table){.best = rate, .move = INFINITY, .touch = INFINITY, .core_chase = rate / panel, .term = panel / rate};
    for (int i = 0; i < TSL_CLOCK_KINDS; ++i)
        add(&t->curve[i], 1, 1, rate / (i == TSL_CLOCK_POTRF ? diagonal : i > TSL_CLOCK_SYRK ? panel : 1));
}

static double between(double x, double x0, double y0, double x1, double y1)
{
    double w = x1 > x0 ? log(x / x0) / log(x1 / x0) : 0;
    return exp((1 - w) * log(y0) + w * log(y1));
}

/* At b, among points [i, end), which have one a */
static double along(const tsl_clock_curve *c, int i, int end, double b)
{
    if (b <= c->point[i].b) return c->point[i].rate * (c->point[i].b > 1 ? b / c->point[i].b : 1);
    while (i + 1 < end && c->point[i + 1].b <= b) ++i;
    if (i + 1 == end) return c->point[i].rate;
    return between(b, c->point[i].b, c->point[i].rate, c->point[i + 1].b, c->point[i + 1].rate);
}

static int group_end(const tsl_clock_curve *c, int i)
{
    int end = i;
    while (end < c->count && c->point[end].a == c->point[i].a) ++end;
    return end;
}

double tsl_clock_rate(const tsl_clock_table *t, tsl_clock_kind kind, double a, double b)
{
    const tsl_clock_curve *c = &t->curve[kind];
    int low = 0, end = group_end(c, 0);
    while (end < c->count && c->point[end].a <= a) low = end, end = group_end(c, end);
    double rate = along(c, low, end, b), first = c->point[low].a;
    if (a < first) return rate * (first > 1 ? a / first : 1);
    if (end == c->count) return rate;
    return between(a, first, rate, c->point[end].a, along(c, end, group_end(c, end), b));
}

/* Flops at the rate of that kind, and no faster than memory is */
static double timed(const tsl_clock_table *t, double flops, double traffic, tsl_clock_kind kind, double a, double b)
{
    return t->launch + fmax(flops / tsl_clock_rate(t, kind, fmax(1, a), fmax(1, b)), traffic / t->touch);
}

static double product(const tsl_clock_table *t, double flops, double size, double m, double n, double k)
{
    double traffic = size * (m * k + k * n + 2 * m * n);
    if (k <= fmin(m, n)) return timed(t, flops, traffic, TSL_CLOCK_UPDATE, sqrt(m * n), k);
    if (n <= m) return timed(t, flops, traffic, TSL_CLOCK_NARROW, sqrt(m * k), n);
    return timed(t, flops, traffic, TSL_CLOCK_INNER, sqrt(n * k), m);
}

/* With a triangle. Past the right-hand sides that were measured the others are taken to go as products with half of it do. */
static double solved(const tsl_clock_table *t, double flops, double traffic, tsl_clock_kind kind, double order, double others)
{
    const tsl_clock_curve *c = &t->curve[kind];
    double most = 1;
    for (int i = 0; i < c->count && c->point[i].a <= fmax(order, c->point[0].a); ++i) most = c->point[i].b;
    if (others <= most) return timed(t, flops, traffic, kind, order, others);
    double share = most / others, rate = tsl_clock_rate(t, TSL_CLOCK_UPDATE, sqrt(order * others), fmax(1, order / 2));
    rate = tsl_larger(rate, tsl_clock_rate(t, kind, order, most));
    return timed(t, flops * share, traffic, kind, order, most) + flops * (1 - share) / rate;
}

static double by_link(const tsl_clock_table *t, double bytes) { return t->link > 0 ? bytes / t->link : 0; }

/* Operands in the host's memory cross to the device and, if they are written, back. */
static double crossed(const tsl_clock_table *t, const tsl_call *c)
{
    double bytes = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        int times = tsl_needs_contents(c, i) + !tsl_only_read(c->op, i);
        if (!v->mat->home) bytes += times * (double)tsl_dense_bytes(v->mat->type, v->m, v->n);
    }
    return by_link(t, bytes);
}

/* Flops of a chase from kd diagonals, and of a product with the reflectors of so many sweeps of it */
static double chase(tsl_type t, double n, double kd) { return (tsl_is_complex(t) ? 24 : 6) * n * n * kd; }
/* Some chunks of some sweeps. The next sweep is two rounds behind, and a chunk a round; but an accelerator does no more in a
 * second than in a large chase. */
static double chase_some(const tsl_clock_table *t, const tsl_call *c)
{
    const tsl_sweeps_args *p = &c->sweeps;
    double kd = (double)c->v[0].m / 2, chunks = (double)(p->order - p->first) / kd, end = p->end ? (double)p->end : chunks;
    double begin = (double)p->begin, sweeps = p->end ? fmin((double)c->k, end) : (double)c->k, most = 1e9;
    double rounds = 2 * sweeps + fmax(0, end - (p->end ? sweeps : sweeps / kd) - begin);
    double first = p->end ? end - sweeps / 2 : chunks - sweeps / (2 * kd); /* the last chunk, on average, */
    double steps = sweeps * fmax(1, first - fmax(0, begin - sweeps / 2));  /* and how many there are */
    double flops = chase(c->v[0].mat->type, 1, kd) * 2 * kd * steps;
    return t->launch + fmax(rounds * t->round, flops / tsl_clock_rate(t, TSL_CLOCK_CHASE, most, 1));
}
static double chased(tsl_type t, double m, double n, double sweeps)
{
    return (tsl_is_complex(t) ? 16 : 4) * n * (m * sweeps - sweeps * sweeps / 2);
}

static double called(const tsl_clock_table *t, const tsl_call *c)
{
    tsl_view out = c->v[tsl_output(c->op)], A = c->v[0];
    double size = (double)tsl_type_size(out.mat->type), flops = tsl_work_of(c);
    double m = (double)tsl_rows(out), n = (double)tsl_cols(out), order = (double)tsl_rows(A);
    double other = c->side == TSL_RIGHT ? m : n;
    if (m == 0 || n == 0) return 0;
    switch (c->op) { /* the kinds of work that tables have */
    case TSL_OP_GEMM: return product(t, flops, size, m, n, (double)tsl_cols(A));
    case TSL_OP_SYMM: case TSL_OP_HEMM: return product(t, flops, size, m, n, order);
    case TSL_OP_SYRK: case TSL_OP_HERK: case TSL_OP_GEMMT:
        return timed(t, flops, 0, TSL_CLOCK_SYRK, m, (double)tsl_cols(A));
    case TSL_OP_TRSM: return solved(t, flops, size * m * n, TSL_CLOCK_TRSM, order, other);
    case TSL_OP_TRMM: return solved(t, flops, size * m * n, TSL_CLOCK_TRMM, order, other);
    case TSL_OP_LASWP: return t->launch + 2 * size * n * (double)c->v[1].m / t->move; /* two rows an exchange */
    case TSL_OP_POTRF: return timed(t, flops, 0, TSL_CLOCK_POTRF, m, 1);
    case TSL_OP_GETRF: return timed(t, flops, 0, TSL_CLOCK_GETRF, (double)tsl_rows(A), (double)tsl_cols(A));
    case TSL_OP_ORHR: return timed(t, 2. / 3 * n * n * n, 0, TSL_CLOCK_GETRF, n, n); /* LU without pivots, as if with them */
    case TSL_OP_GEQRT: return timed(t, flops, 0, TSL_CLOCK_GEQRT, (double)tsl_rows(c->v[3]), (double)tsl_cols(c->v[3]));
    case TSL_OP_SB2ST: return timed(t, chase(A.mat->type, (double)A.n, order - 1), 0, TSL_CLOCK_CHASE, (double)A.n, 1);
    case TSL_OP_SB2ST_SOME: return chase_some(t, c);
    case TSL_OP_ORMTR_SB2ST: /* walks through rows in strips of columns: of both there are to be many */
        return timed(t, chased(A.mat->type, m, n, (double)A.n), 0, TSL_CLOCK_CHASED, sqrt(m * n), sqrt(m * n));
    case TSL_OP_STEDC: return timed(t, flops, 0, TSL_CLOCK_PAIRS, m, 1);
    case TSL_OP_STERF: return timed(t, flops, 0, TSL_CLOCK_VALUES, m, 1);
    default: return t->launch + size * m * n / t->move;
    }
}

static double by_core(const tsl_clock_table *t, double bytes) { return t->core_move > 0 ? bytes / t->core_move : 0; }

/* A column reads and writes those after it that are left out of a few, half of them on average. */
static double columns(const tsl_clock_table *t, const tsl_told *what)
{
    double each = what->op == TSL_OP_GETRF ? t->lu_column : t->qr_column;
    if (what->by_peers) each += t->near_message + t->near_byte * what->bytes;
    double traffic = (double)tsl_type_size((tsl_type)what->type) * (double)what->m * (double)what->n;
    return (double)what->n * (each + traffic / t->touch);
}

double tsl_clock_seconds(const tsl_clock_table *t, const tsl_told *what)
{
    switch (what->kind) {
    case TSL_TOLD_CALL: return called(t, what->call) + crossed(t, what->call);
    case TSL_TOLD_MOVE: return what->launches ? what->launches * t->launch + what->bytes / t->move : by_core(t, what->bytes);
    case TSL_TOLD_CROSS: return by_link(t, what->bytes);
    case TSL_TOLD_CHASE: /* each is gone through by half the sweeps */
        return 2 * (double)what->m * chase((tsl_type)what->type, 1, (double)what->n) / t->core_chase;
    case TSL_TOLD_SUMS: return (double)what->m * (double)what->n * t->term / tsl_larger(1, t->cores);
    default: return columns(t, what);
    }
}

tsl_clock_work tsl_clock_work_of(const tsl_told *what)
{
    const tsl_call *c = what->call;
    if (what->kind == TSL_TOLD_MOVE || what->kind == TSL_TOLD_CROSS) return TSL_CLOCK_COPIES;
    if (what->kind == TSL_TOLD_COLUMNS) return TSL_CLOCK_PANELS;
    if (what->kind == TSL_TOLD_SUMS || what->kind == TSL_TOLD_CHASE) return TSL_CLOCK_TRIDIAGONAL;
    if (tsl_trait(c->op, TSL_PRODUCT) || c->op == TSL_OP_GEMMT || c->op == TSL_OP_ORMTR_SB2ST) return TSL_CLOCK_PRODUCTS;
    switch (c->op) {
    case TSL_OP_SB2ST: case TSL_OP_SB2ST_SOME: case TSL_OP_STEDC: case TSL_OP_STERF: case TSL_OP_MERGE_VECTORS:
        return TSL_CLOCK_TRIDIAGONAL;
    default: return tsl_trait(c->op, TSL_ELEMENTWISE) ? TSL_CLOCK_COPIES : TSL_CLOCK_PANELS;
    }
}
