/* A routine's operands: generated on the host, copied where the runs want them, restored between runs. */
#include <stdlib.h>
#include <string.h>

#include "bench/problem/elements.h"
#include "bench/rival/rival.h"

/* Of an array there is memory for. */
static size_t bytes_of(const bench_array *a) { return (size_t)(a->ld * a->width) * tsl_type_size(a->type); }

static char *element(const bench_array *a, void *base, int64_t i, int64_t j)
{
    return (char *)base + (size_t)(a->row0 + i + (a->col0 + j) * a->ld) * tsl_type_size(a->type);
}

/* A random number of modulus 1: a sign, or for complex types a point of the circle. */
static tsl_scalar direction(const bench_elements *e, uint64_t *state)
{
    double u = bench_uniform(state);
    return e->parts == 2 ? cexp(CMPLX(0, 3.14159 * u)) : u < 0 ? -1 : 1;
}

/* Diagonal entries of modulus in [1,2], positive in a factor, else of any sign, the others divided by sqrt(order): forward
 * substitution then multiplies the mean square of a solution by no more than exp(2/3), for unit diagonals too. */
static void make_solvable(const bench_array *a, uint64_t *state)
{
    const bench_elements *e = &bench_elements_of[a->type];
    double off = 1 / __builtin_sqrt((double)(a->is.rows > 0 ? a->is.rows : 1));
    for (int64_t j = 0; j < a->is.cols; j++) {
        int64_t from, to;
        bench_column(a->is.part, a->is.rows, j, &from, &to);
        for (int64_t i = from; i < to; i++) {
            char *p = element(a, a->first, i, j);
            tsl_scalar sign = a->is.fill == BENCH_FACTOR ? 1 : direction(e, state);
            e->set(p, 0, i == j ? sign * (1.5 + 0.5 * bench_uniform(state)) : e->get(p, 0) * off);
        }
        if (a->is.diag == TSL_UNIT)
            e->canary(element(a, a->first, j, j), 1);
    }
}

/* Entries have a modulus of at most sqrt(2). */
static void make_dominant(const bench_array *a)
{
    const bench_elements *e = &bench_elements_of[a->type];
    int64_t order = a->is.rows < a->is.cols ? a->is.rows : a->is.cols;
    for (int64_t j = 0; j < order; j++) {
        char *p = element(a, a->first, j, j);
        e->set(p, 0, e->get(p, 0) + 2 * (double)(a->is.rows + a->is.cols));
    }
}

/* A Hermitian matrix with entries of modulus below 2 has no eigenvalue below -2n; random ones stay within order sqrt(n) of 0,
 * far from the n added here. */
static void make_positive(const bench_array *a)
{
    const bench_elements *e = &bench_elements_of[a->type];
    for (int64_t j = 0; j < a->is.cols; j++) {
        char *p = element(a, a->first, j, j);
        e->set(p, 0, creal(e->get(p, 0)) + (double)a->is.cols + 2);
    }
}

static void make_small(const bench_array *a)
{
    const bench_elements *e = &bench_elements_of[a->type];
    double by = 0.1 / __builtin_sqrt(1 + (double)a->is.rows * (double)a->is.cols);
    for (int64_t j = 0; j < a->is.cols; j++)
        for (int64_t i = 0; i < a->is.rows; i++) e->set(element(a, a->first, i, j), 0, e->get(element(a, a->first, i, j), 0) * by);
}

/* Blocks of order 2 begin with an odd row, where halves would part them. */
static void make_schur(const bench_array *a)
{
    const bench_elements *e = &bench_elements_of[a->type];
    for (int64_t j = 0; j < a->is.cols; j++)
        for (int64_t i = 0; i < a->is.rows; i++) {
            char *p = element(a, a->first, i, j);
            tsl_scalar v = e->get(p, 0) / (double)a->is.rows;
            bool pair = e->parts == 1 && (i < j ? i : j) % 4 == 1;
            if (i == j) v = 1.5 + 0.5 * (double)((i + 1) / 2) / (double)a->is.rows;
            else if (i > j) v = pair && i == j + 1 ? -0.5 : 0;
            else if (pair && j == i + 1) v = 0.5;
            e->set(p, 0, v);
        }
}

/* The same where the matrix lies by diagonals or packed. */
static void make_stored_solvable(const bench_array *a, uint64_t *state)
{
    const bench_elements *e = &bench_elements_of[a->type];
    int64_t most = a->is.storage == BENCH_BAND ? a->is.k + 1 : a->is.order;
    double off = 1 / __builtin_sqrt((double)(most > 0 ? most : 1));
    for (int64_t j = 0; j < a->is.order; j++) {
        bench_segment c = bench_segment_of(a, j);
        for (int64_t i = c.from; i < c.to; i++) {
            char *p = element(a, a->first, c.at + i - c.from, 0);
            e->set(p, 0, i == j ? direction(e, state) * (1.5 + 0.5 * bench_uniform(state)) : e->get(p, 0) * off);
            if (i == j && a->is.diag == TSL_UNIT)
                e->canary(p, 1);
        }
    }
}

/* Row i is exchanged with itself or one below. Some rows stay, as many do in LU. */
static void make_pivots(const bench_array *a, uint64_t *state)
{
    for (int64_t i = 0; i < a->is.rows; i++) {
        double u = bench_uniform(state);
        *(int64_t *)(void *)element(a, a->first, i, 0) = 1 + i + (u < 0 ? 0 : (int64_t)(u * (double)(a->is.rows - i)));
    }
}

/* One matrix, or one of a batch */
static void generate_block(const bench_array *a, uint64_t *state)
{
    const bench_elements *e = &bench_elements_of[a->type];
    for (int64_t j = 0; j < a->is.cols; j++) {
        int64_t from = 0, to = 0; /* the referenced rows of this column */
        if (a->is.fill != BENCH_NOT_READ && a->is.fill != BENCH_FOR_PIVOTS)
            bench_column(a->is.part, a->is.rows, j, &from, &to);
        e->canary(element(a, a->first, -a->row0, j), a->row0 + from);
        e->random(element(a, a->first, from, j), to - from, state);
        e->canary(element(a, a->first, to, j), a->ld - a->row0 - to);
    }
    if (a->is.storage != BENCH_DENSE && a->is.fill == BENCH_SOLVABLE)
        make_stored_solvable(a, state);
    else if (a->is.fill == BENCH_SOLVABLE || a->is.fill == BENCH_FACTOR)
        make_solvable(a, state);
    if (a->is.fill == BENCH_POSITIVE)
        make_positive(a);
    if (a->is.fill == BENCH_DOMINANT)
        make_dominant(a);
    if (a->is.fill == BENCH_SMALL)
        make_small(a);
    if (a->is.fill == BENCH_SCHUR)
        make_schur(a);
    if (a->is.fill == BENCH_PIVOTS)
        make_pivots(a, state);
    if (a->is.fill == BENCH_FREE)
        memset(element(a, a->first, 0, 0), 0, (size_t)a->is.rows * sizeof(int64_t));
}

static void generate_array(bench_array *a, uint64_t seed)
{
    bench_array one = *a;
    uint64_t state = seed;
    bench_elements_of[a->type].canary(a->first, a->col0 * a->ld);
    do {
        generate_block(&one, &state);
        one.col0 += one.is.cols;
    } while (--one.is.problems > 0);
    a->stale[BENCH_HOST] = a->stale[BENCH_DEVICE] = true;
}

static void make_reflecting(const bench_array *a, const bench_array *tau)
{
    const bench_elements *e = &bench_elements_of[a->type];
    int64_t problems = a->is.problems ? a->is.problems : 1;
    for (int64_t i = 0; i < problems; i++)
        for (int64_t j = 0; j < tau->is.rows; j++) {
            void *below = element(a, a->first, j + 1, i * a->is.cols + j);
            bench_block v = {.data = below, .ld = a->ld, .rows = a->is.rows - j - 1, .cols = 1};
            e->set(tau->first, tau->row0 + j + (tau->col0 + i) * tau->ld, 2 / (1 + e->sum_of_squares(&v)));
        }
}

void bench_generate(bench_problem *p, uint64_t seed)
{
    for (int i = 0; i < p->count; i++)
        generate_array(&p->a[i], (seed * BENCH_OPERANDS + (uint64_t)i) << 32);
    for (int i = 0; i < p->count; i++)
        if (p->a[i].is.fill == BENCH_REFLECTING)
            make_reflecting(&p->a[i ? i - 1 : 1], &p->a[i]);
}

/* A batch is packed: its leading dimension is the same on a device. A matrix made there would have one of whole cache lines,
 * and one of a few rows would be slow to copy: as memory its elements are columns of FOLDED. */
enum { FOLDED = 4096 };
static bool fold(int64_t *rows, int64_t *cols)
{
    int64_t elements;
    if (__builtin_mul_overflow(*rows, *cols, &elements))
        return false;
    *rows = FOLDED;
    *cols = elements / FOLDED + (elements % FOLDED > 0);
    return true;
}

static tsl_status open_array(bench_problem *p, bench_array *a, const bench_shape *is)
{
    const bench_case *c = &p->c;
    bool pivots = is->fill == BENCH_PIVOTS || is->fill == BENCH_FOR_PIVOTS || is->fill == BENCH_FREE;
    tsl_type type = is->wide ? TSL_D : is->real ? bench_real(c->type) : c->type;
    *a = (bench_array){.type = pivots ? TSL_INDEX : type, .is = *is, .row0 = c->row0, .col0 = c->col0};
    a->ld = c->row0 + is->rows + c->pad;
    a->ld = a->ld > 0 ? a->ld : 1;
    a->width = c->col0 + is->cols * (is->problems ? is->problems : 1);
    int64_t rows = a->ld, cols = a->width; /* of the memory */
    if (is->problems && !fold(&rows, &cols))
        return TSL_ERR_MEMORY;
    a->first = bench_zeros(rows, cols, tsl_type_size(a->type));
    a->work = bench_zeros(rows, cols, tsl_type_size(a->type));
    if (!a->first || !a->work)
        return TSL_ERR_MEMORY;
    tsl_status st = tsl_matrix_wrap(p->ctx, a->type, rows, cols, a->first, rows, &a->source);
    if (!st)
        st = tsl_matrix_wrap(p->ctx, a->type, rows, cols, a->work, rows, &a->result);
    if (!st && p->place == BENCH_DEVICE)
        st = tsl_matrix_create(p->ctx, a->type, rows, cols, &a->device);
    if (!st && p->place == BENCH_DEVICE && is->problems)
        st = tsl_matrix_create(p->ctx, a->type, rows, cols, &a->kept);
    return st;
}

tsl_status bench_open(tsl_context *ctx, const bench_routine *r, const bench_case *c, bench_place place, bench_problem *p)
{
    bench_shape is[BENCH_OPERANDS];
    *p = (bench_problem){.routine = r, .c = *c, .ctx = ctx, .place = place};
    if (r->real_alpha || !bench_is_complex(c->type))
        p->c.alpha = creal(c->alpha);
    if (r->real_beta || !bench_is_complex(c->type))
        p->c.beta = creal(c->beta);
    int count = bench_shapes(r, &p->c, is);
    tsl_status st = TSL_OK;
    for (int i = 0; i < count && !st; i++) {
        p->count = i + 1;
        st = open_array(p, &p->a[i], &is[i]);
    }
    if (st)
        bench_close(p);
    else
        bench_generate(p, c->seed);
    return st;
}

bool bench_pin_all(bench_problem *p)
{
    p->pinned = true;
    for (int i = 0; i < p->count; i++)
        if (!bench_pin(p->a[i].work, bytes_of(&p->a[i])))
            return false;
    return true;
}

void bench_close(bench_problem *p)
{
    for (int i = 0; i < p->count; i++) {
        bench_array *a = &p->a[i];
        if (p->pinned)
            bench_unpin(a->work);
        tsl_matrix_free(a->kept);
        tsl_matrix_free(a->device);
        tsl_matrix_free(a->result);
        tsl_matrix_free(a->source);
        free(a->work);
        free(a->first);
    }
    *p = (bench_problem){0};
}

void bench_keep(bench_problem *p)
{
    for (int i = 0; i < p->count && p->place == BENCH_DEVICE; i++) {
        bench_array *a = &p->a[i];
        if (!a->kept && bench_writes(p, i) && !tsl_matrix_create(p->ctx, a->type, a->ld, a->width, &a->kept))
            a->stale[BENCH_DEVICE] = true;
    }
}

tsl_status bench_restore(bench_problem *p, bench_place place)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < p->count && !st; i++) {
        bench_array *a = &p->a[i];
        if (!a->stale[place] && !bench_writes(p, i))
            continue; /* the routine does not write it */
        if (place == BENCH_HOST)
            memcpy(a->work, a->first, bytes_of(a));
        else if (a->kept && a->stale[place])
            st = tsl_copy(p->ctx, tsl_whole(a->source), tsl_whole(a->kept));
        if (place == BENCH_DEVICE && !st)
            st = tsl_copy(p->ctx, tsl_whole(a->kept ? a->kept : a->source), tsl_whole(a->device));
        a->stale[place] = st != TSL_OK;
    }
    return st;
}

tsl_status bench_fetch(bench_problem *p, int operand)
{
    bench_array *a = &p->a[operand];
    if (p->place == BENCH_HOST)
        return TSL_OK;
    a->stale[BENCH_HOST] = true;
    return tsl_copy(p->ctx, tsl_whole(a->device), tsl_whole(a->result));
}

tsl_status bench_run(bench_problem *p, bench_interface by)
{
    bench_call typed = p->routine->typed[p->c.type];
    return by == BENCH_TYPED && typed ? typed(p) : p->routine->views(p);
}

static tsl_matrix *matrix_at(const bench_problem *p, int operand, bench_place place)
{
    return place == BENCH_DEVICE ? p->a[operand].device : p->a[operand].result;
}

int64_t bench_ld(const bench_problem *p, int operand, bench_place place)
{
    const bench_array *a = &p->a[operand];
    return a->is.problems ? a->ld : tsl_matrix_ld(matrix_at(p, operand, place));
}

void *bench_data(const bench_problem *p, int operand, bench_place place)
{
    const bench_array *a = &p->a[operand];
    int64_t before = a->row0 + a->col0 * bench_ld(p, operand, place);
    char *base = tsl_matrix_data(matrix_at(p, operand, place));
    return base ? base + (size_t)before * tsl_type_size(a->type) : NULL;
}

tsl_view bench_view(const bench_problem *p, int operand, char trans)
{
    const bench_array *a = &p->a[operand];
    tsl_view v = tsl_sub(tsl_whole(matrix_at(p, operand, p->place)), a->row0, a->col0, a->is.rows, a->is.cols);
    tsl_op op = bench_op(trans);
    if (a->is.part == TSL_LOWER)
        v = tsl_lower(v);
    if (a->is.part == TSL_UPPER)
        v = tsl_upper(v);
    if (a->is.diag == TSL_UNIT)
        v = tsl_unit(v);
    if (op & TSL_TRANS)
        v = tsl_trans(v);
    return op & TSL_CONJ ? tsl_conj(v) : v;
}
