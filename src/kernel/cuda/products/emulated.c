/* A product by residues: which blocks of C it is cut into, so that workspace is enough, and its steps. An element's bits do not
 * depend on how it is cut, but along the inner dimension, where the sums of a part end. */
#include "kernel/cuda/products/products.h"

#include "core/values.h"
#include "kernel/cuda/ready.h"

/* Bytes of workspace, and where memory is short; but blocks have at least so many rows and columns. The fewer blocks of rows,
 * the less often B is split; blocks of columns cost nothing. */
#define ROOM ((size_t)6 << 30)
#define ROOM_FRUGAL ((size_t)128 << 20)
enum { LEAST = TSL_LINES_UNIT, MOST = 1 << 20, ALIGNED = 256 };

typedef struct plan {
    tsl_residues r;
    int planes;
    int64_t m, n, k, length; /* of a block, and its inner size */
} plan;

int tsl_cuda_planes(tsl_type t, const tsl_residues *r) { return (tsl_is_complex(t) ? 3 : 1) * r->count + r->checked; }

static int64_t rounded(int64_t n, int64_t unit) { return tsl_pieces(n, unit) * unit; }

static size_t aligned(size_t bytes) { return tsl_rounded(bytes, ALIGNED); }

/* The parts of a workspace, one after the other; of none, their size */
typedef struct room {
    char *at;
    size_t used;
} room;

static void *take(room *w, size_t bytes)
{
    void *p = w->at ? w->at + w->used : NULL;
    w->used = tsl_plus(w->used, aligned(bytes));
    return p;
}

static void take_lines(room *w, const plan *p, int64_t count, tsl_cuda_lines *s)
{
    s->padded = rounded(count, TSL_LINES_UNIT);
    s->length = p->length;
    s->step = s->padded * s->length;
    size_t lines = (size_t)s->padded, pieces = lines * (size_t)tsl_pieces(p->k, TSL_MEASURED);
    s->largest = take(w, pieces * sizeof *s->largest);
    s->squares = take(w, pieces * sizeof *s->squares);
    s->exponent = take(w, lines * sizeof *s->exponent);
    s->kind = take(w, lines * sizeof *s->kind);
    s->plane = take(w, tsl_times((size_t)s->step, (size_t)p->planes));
}

static void take_block(room *w, const plan *p, int64_t m, int64_t n, tsl_cuda_joined *j)
{
    take_lines(w, p, m, &j->A);
    take_lines(w, p, n, &j->B);
    j->products = take(w, tsl_times((size_t)(j->A.padded * j->B.padded), (size_t)p->planes));
    j->failed = take(w, (size_t)(tsl_pieces(j->A.padded, TSL_MENDED) * tsl_pieces(j->B.padded, TSL_MENDED)));
}

static size_t bytes_of(const plan *p)
{
    room w = {NULL, 0};
    tsl_cuda_joined j;
    take_block(&w, p, p->m, p->n, &j);
    return w.used;
}

/* n as blocks of equal size, at most `most` each */
static int64_t block_of(int64_t n, int64_t most)
{
    int64_t parts = tsl_pieces(n, tsl_max(LEAST, most));
    return parts > 1 ? rounded(tsl_pieces(n, parts), TSL_LINES_UNIT) : n;
}

/* All rows if their planes take half of the room, then as many columns as there is room for */
static plan plan_of(const tsl_leaf *l)
{
    plan p = {.k = tsl_min(l->k, TSL_INNER_MOST)};
    p.r = tsl_residues_for(l, p.k);
    p.planes = tsl_cuda_planes(l->type, &p.r);
    p.length = rounded(p.k, TSL_LENGTH_UNIT);
    int64_t room = l->frugal ? ROOM_FRUGAL : ROOM, line = p.planes * p.length;
    p.m = block_of(l->m, room / 2 / line);
    int64_t column = line + p.planes * rounded(p.m, TSL_LINES_UNIT), left = room - p.m * line;
    p.n = block_of(l->n, tsl_min(MOST, left / column));
    return p;
}

size_t tsl_cuda_emulated_workspace(const tsl_leaf *l)
{
    if (!tsl_is_emulated(l, l->m, l->n, l->k)) return 0;
    plan p = plan_of(l);
    return bytes_of(&p);
}

/* Lines first.. of a factor, elements from.. of them */
static void look_at(const tsl_leaf *l, bool left, int64_t first, int64_t count, int64_t from, int64_t k, tsl_cuda_lines *s)
{
    const tsl_array *a = left ? &l->A : &l->B;
    s->type = l->type;
    s->across = left == !(a->op & TSL_TRANS);
    s->conjugate = (a->op & TSL_CONJ) != 0;
    s->ld = a->ld, s->count = count, s->k = k;
    s->padded = rounded(count, TSL_LINES_UNIT);
    s->length = rounded(k, TSL_LENGTH_UNIT);
    s->step = s->padded * s->length;
    int64_t at = s->across ? first + from * a->ld : from + first * a->ld;
    s->p = (const char *)a->p + (size_t)at * tsl_type_size(l->type);
}

static tsl_status split(struct tsl_queue *q, const tsl_cuda_lines *s, const tsl_residues *r)
{
    tsl_status st = tsl_cuda_lines_scale(q, s, r);
    return st != TSL_OK ? st : tsl_cuda_lines_split(q, s, r);
}

/* Lines from first.. on of those, a multiple of TSL_LINES_UNIT: they have planes already. */
static tsl_cuda_lines lines_from(const tsl_cuda_lines *s, int64_t first, int64_t count)
{
    tsl_cuda_lines t = *s;
    t.p = (const char *)s->p + (size_t)(first * (s->across ? 1 : s->ld)) * tsl_type_size(s->type);
    t.count = count;
    t.padded = rounded(count, TSL_LINES_UNIT);
    t.exponent += first, t.kind += first;
    t.plane += first * s->length;
    return t;
}

/* Are the columns of op(B) rows of op(A), as they are? */
static bool has_one_factor(const tsl_leaf *l)
{
    int differ = l->A.op ^ l->B.op;
    bool conjugate = (differ & TSL_CONJ) && tsl_is_complex(l->type);
    return l->A.p == l->B.p && l->A.ld == l->B.ld && l->n <= l->m && (differ & TSL_TRANS) && !conjugate;
}

/* Of the rows of a block those that meet its columns in what is written of C, counted from its first one */
typedef struct range { int64_t first, end; } range;
static range rows_written(tsl_uplo part, int64_t i, int64_t m, int64_t n, int64_t cols)
{
    if (part == TSL_LOWER) return (range){tsl_max(0, n - i) / TSL_LINES_UNIT * TSL_LINES_UNIT, m};
    return (range){0, part == TSL_UPPER ? tsl_min(m, n + cols - i) : m};
}

/* The block of C from row i and column n on; A has its rows. */
static tsl_status block(struct tsl_queue *q, const tsl_leaf *l, const plan *p, const tsl_residues *r, int64_t i, int64_t n,
                        int64_t from, const tsl_cuda_joined *j)
{
    int64_t cols = tsl_min(p->n, l->n - n);
    tsl_status st = TSL_OK;
    range rows = rows_written(j->part, i, j->A.count, n, cols);
    if (rows.first >= rows.end) return TSL_OK;
    tsl_cuda_joined b = *j;
    if (p->m == l->m && has_one_factor(l)) b.B = lines_from(&j->A, n, cols);
    else {
        look_at(l, false, n, cols, from, j->A.k, &b.B);
        st = split(q, &b.B, r);
    }
    b.A = lines_from(&j->A, rows.first, rows.end - rows.first);
    b.below = i + rows.first - n;
    b.C = (char *)l->C.p + (size_t)(i + rows.first + n * l->C.ld) * tsl_type_size(l->type);
    if (st == TSL_OK) st = tsl_cuda_multiply(q, &b, r);
    return st != TSL_OK ? st : tsl_cuda_join(q, &b, r);
}

/* C := alpha A B + beta C with elements from.. of the lines */
static tsl_status terms(struct tsl_queue *q, const tsl_leaf *l, tsl_uplo part, const plan *p, int64_t from, tsl_scalar beta)
{
    int64_t k = tsl_min(p->k, l->k - from);
    tsl_residues r = tsl_residues_for(l, k);
    tsl_cuda_joined j = {.ldc = l->C.ld, .part = part, .herm = part != TSL_GENERAL && l->herm, .alpha = l->alpha, .beta = beta};
    room w = {l->work, 0};
    tsl_status st = TSL_OK;
    take_block(&w, p, p->m, p->n, &j);
    for (int64_t i = 0; i < l->m && st == TSL_OK; i += p->m) {
        look_at(l, true, i, tsl_min(p->m, l->m - i), from, k, &j.A);
        st = split(q, &j.A, &r);
        for (int64_t n = 0; n < l->n && st == TSL_OK; n += p->n) st = block(q, l, p, &r, i, n, from, &j);
    }
    return st;
}

tsl_status tsl_cuda_emulated(struct tsl_queue *q, const tsl_leaf *l, tsl_uplo part)
{
    plan p = plan_of(l);
    tsl_status st = TSL_OK;
    for (int64_t from = 0; from < l->k && st == TSL_OK; from += p.k) st = terms(q, l, part, &p, from, from ? 1 : l->beta);
    return st;
}
