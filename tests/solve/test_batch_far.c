/* Batches whose problems, pointers, pivots and infos are in host or device memory, in every mixture, on devices that share the
 * work. Memory of virtual host devices is closed to the host, as a GPU's is. */
#include "batch.h"
#include "far.h"

static const char *where;
static tsl_context *ctx;

/* Problems in host memory; in device memory, at pointers in host memory or at a stride; there, and the pointers too */
typedef enum place { HERE, THERE, ALL_THERE, PLACES } place;

/* A stack in the memory of the first device, as the library's functions see it */
typedef struct moved {
    stack s;
    tsl_matrix *data, *each;
} moved;

static tsl_status carry(tsl_type t, void *here, int64_t elements, tsl_matrix *there, bool back)
{
    tsl_matrix *wrap = NULL;
    tsl_status st = tsl_matrix_wrap(ctx, t, elements, 1, here, elements, &wrap);
    if (!st) st = back ? tsl_copy(ctx, tsl_whole(there), tsl_whole(wrap)) : tsl_copy(ctx, tsl_whole(wrap), tsl_whole(there));
    tsl_matrix_free(wrap);
    return st;
}

static tsl_status move_out(const stack *s, place at, moved *m)
{
    *m = (moved){.s = *s};
    if (at == HERE) return TSL_OK;
    int64_t elements = (int64_t)s->elements;
    tsl_status st = tsl_matrix_create(ctx, s->t, elements, 1, &m->data);
    if (!st) st = carry(s->t, s->data, elements, m->data, false);
    if (st) return st;
    m->s.data = tsl_matrix_data(m->data);
    m->s.each = calloc((size_t)s->count + 1, sizeof *m->s.each);
    for (int64_t k = 0; k < s->count; k++) m->s.each[k] = m->s.data + ((char *)s->each[k] - s->data);
    if (at != ALL_THERE) return TSL_OK;
    st = tsl_matrix_create(ctx, TSL_INDEX, s->count + 1, 1, &m->each);
    if (!st) st = carry(TSL_INDEX, m->s.each, s->count + 1, m->each, false);
    free(m->s.each);
    m->s.each = tsl_matrix_data(m->each);
    return st;
}

static tsl_status move_back(stack *s, moved *m)
{
    tsl_status st = m->data ? carry(s->t, s->data, (int64_t)s->elements, m->data, true) : TSL_OK;
    if (m->data && !m->each) free(m->s.each);
    tsl_matrix_free(m->data), tsl_matrix_free(m->each);
    return st;
}

enum { OPERANDS = 3, KINDS = 10 };
static const char *const names[KINDS] = {"gemm", "trsm", "potrf", "potrs", "posv", "getrf", "getrs", "gesv", "geqrf", "gels"};
static const int operands[KINDS] = {3, 2, 1, 2, 2, 2, 3, 3, 2, 2};
static bool has_info(int kind) { return kind == 2 || kind == 4 || kind == 5 || kind == 7 || kind == 9; }

static tsl_status call(tsl_context *x, int kind, tsl_type t, int64_t n, stack *v[OPERANDS], int64_t *info)
{
    const batch_calls *f = &batch_of[t];
    switch (kind) {
    case 0: return f->gemm(x, 'N', herm(t), n, n, n, 1, v[0], v[1], 0.5, v[2]);
    case 1: return f->trsm(x, 'L', 'L', 'N', 'N', n, n, 1, v[0], v[1]);
    case 2: return f->potrf(x, 'L', n, v[0], info);
    case 3: return f->potrs(x, 'L', n, n, v[0], v[1]);
    case 4: return f->posv(x, 'U', n, n, v[0], v[1], info);
    case 5: return f->getrf(x, n, n, v[0], v[1], info);
    case 6: return f->getrs(x, 'N', n, n, v[0], v[1], v[2]);
    case 7: return f->gesv(x, n, n, v[0], v[1], v[2], info);
    case 8: return f->geqrf(x, n, n, v[0], v[1]);
    default: return f->gels(x, 'N', n, n, n, v[0], v[1], info);
    }
}

static void make(int kind, tsl_type t, layout how, int64_t n, int64_t count, stack v[OPERANDS])
{
    bool pivots = kind >= 5 && kind <= 7;
    layout plain = how == POINTERS ? POINTERS : DENSE;
    v[0] = definite_stack(t, how, n, count);
    for (int64_t k = 0; k < count; k++) /* those that fail are for the calls that tell */
        for (int64_t j = 0; j < n && !(has_info(kind) && kind < 5); j++) stack_set(&v[0], k, j, j, 3.0 * (double)n);
    v[1] = pivots ? stack_make(TSL_INDEX, plain, n, 1, count) : kind == 8 ? stack_make(t, plain, n, 1, count) : random_stack(t, how, n, n, count);
    for (int64_t k = 0; pivots && k < count; k++)
        for (int64_t i = 0; i < n; i++) stack_set(&v[1], k, i, 0, (double)(n - i / 2 > i ? n - i / 2 : i + 1));
    v[2] = random_stack(t, how, n, n, count);
}

/* The result of the problems that have one, beside that of the same call on the host alone */
static double difference(const stack *a, const stack *b, const int64_t *info)
{
    double worst = 0;
    for (int64_t k = 0; k < a->count; k++)
        for (int64_t j = 0; j < a->n && !info[k]; j++)
            for (int64_t i = 0; i < a->m; i++) {
                double off = cabs(stack_get(a, k, i, j) - stack_get(b, k, i, j));
                worst = tsl_larger(worst, isnan(off) ? INFINITY : off / (1 + cabs(stack_get(b, k, i, j))));
            }
    return worst;
}

static void one(tsl_context *alone, int kind, tsl_type t, layout how, int64_t n, int64_t count, const place at[OPERANDS], bool infos_there)
{
    enum { MOST = 64 };
    stack v[OPERANDS], right[OPERANDS], *to[OPERANDS];
    moved m[OPERANDS];
    int64_t info[MOST], want[MOST] = {0}, *tell = info;
    tsl_matrix *infos = NULL;
    make(kind, t, how, n, count, v);
    for (int i = 0; i < OPERANDS; i++) right[i] = stack_copy(&v[i]), to[i] = &right[i];
    tsl_status st = call(alone, kind, t, n, to, want);
    for (int64_t k = 0; k < count; k++) info[k] = -5;
    for (int i = 0; i < OPERANDS && !st; i++) st = move_out(&v[i], at[i], &m[i]), to[i] = &m[i].s;
    if (!st && infos_there) st = tsl_matrix_create(ctx, TSL_INDEX, count, 1, &infos), tell = tsl_matrix_data(infos);
    if (!st) st = call(ctx, kind, t, n, to, tell);
    const char *why = tsl_error(ctx);
    for (int i = 0; i < OPERANDS && !st; i++) st = move_back(&v[i], &m[i]);
    if (!st && infos_there) st = carry(TSL_INDEX, info, count, infos, true);
    double worst = 0;
    bool told = true;
    for (int i = 0; i < operands[kind]; i++) worst = tsl_larger(worst, difference(&v[i], &right[i], want));
    for (int64_t k = 0; k < count && has_info(kind); k++) told &= info[k] == want[k];
    check(!st && told && worst <= 200 * eps(t) * (double)n, "%s: %s of order %d, %c, layout %d, operands at %d %d %d, infos %d: %s, infos %d, %g", where, names[kind], (int)n,
          tsl_type_letter(t), how, at[0], at[1], at[2], infos_there, st ? why : "", told, worst);
    tsl_matrix_free(infos);
    for (int i = 0; i < OPERANDS; i++) stack_free(&v[i]), stack_free(&right[i]);
}

/* One problem of a batch whose pointers only the device can read */
static void problems(void)
{
    enum { N = 4, COUNT = 3 };
    stack s = definite_stack(TSL_D, POINTERS, N, COUNT), was = stack_copy(&s);
    moved m;
    tsl_matrix *A = NULL;
    int64_t info = -1;
    tsl_status st = move_out(&s, ALL_THERE, &m);
    if (!st) st = tsl_batch_wrap_pointers(ctx, TSL_D, N, N, m.s.each, s.ld, COUNT, &A);
    if (!st) st = tsl_potrf(ctx, tsl_lower(tsl_problem(tsl_whole(A), 1)), &info);
    const char *why = tsl_error(ctx);
    tsl_matrix_free(A);
    if (!st) st = move_back(&s, &m);
    check(!st && !info && stack_untouched(&s, &was, 0) && stack_untouched(&s, &was, 2) && !stack_untouched(&s, &was, 1), "%s: one problem: %s", where, why);
    stack_free(&s), stack_free(&was);
}

/* Singular values alone, of one large problem, which is computed as one call: vectors that are not wanted have no elements, and
 * pointers that the host reads. */
static void without_vectors(void)
{
    enum { N = 256 };
    stack s = definite_stack(TSL_D, POINTERS, N, 1);
    tsl_matrix *A = NULL, *W = NULL;
    tsl_view none = {0};
    double w[N] = {0};
    int64_t info = -1;
    tsl_status st = tsl_batch_wrap_pointers(ctx, TSL_D, N, N, (void *const *)s.each, s.ld, 1, &A);
    if (!st) st = tsl_batch_wrap(ctx, TSL_D, N, 1, w, N, N, 1, &W);
    if (!st) st = tsl_gesvd(ctx, tsl_whole(A), TSL_SVD_AUTO, tsl_whole(W), none, none, &info);
    check(!st && !info && w[0] >= w[N - 1] && w[N - 1] > 0, "%s: singular values of one problem: %s, info %d", where, tsl_error(ctx), (int)info);
    tsl_matrix_free(A), tsl_matrix_free(W), stack_free(&s);
}

int main(void)
{
    static const char *const on[] = {"host:1", "host:2", "host:1+host", "host:2+host", "host:3,mem=1M", "cuda", "cuda+host", "cuda:0x2", "cuda:0x3,mem=1G"};
    tsl_context *alone = context_on("host");
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i];
        ctx = context_far(where);
        if (!ctx) continue;
        for (int kind = 0; kind < KINDS; kind++) {
            int places = 1, turn = 0;
            for (int l = 0; l < operands[kind]; l++) places *= PLACES;
            for (int p = 0; p < places; p++)
                for (int how = 0; how < LAYOUTS; how += 3) /* one after the other, and at pointers */
                    for (int infos = 0; infos <= has_info(kind); infos++, turn++) {
                        place at[OPERANDS] = {(place)(p % PLACES), (place)(p / PLACES % PLACES), (place)(p / PLACES / PLACES)};
                        bool strides = how != POINTERS && (at[0] == ALL_THERE || at[1] == ALL_THERE || at[2] == ALL_THERE);
                        if (strides) continue; /* there are no pointers */
                        one(alone, kind, (tsl_type)(turn % 4), (layout)how, turn % 5 == 3 ? 70 : 5, turn % 5 == 3 ? 3 : 7, at, infos);
                    }
        }
        problems();
        without_vectors();
        checked("%s: operands here and there", where);
        tsl_context_destroy(ctx);
    }
    tsl_context_destroy(alone);
    return tap_done();
}
