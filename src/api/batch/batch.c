/* The typed calls on batches: arguments checked in their order, as the lists in calls.h say, then the call on views of the
 * batches. Shapes are those of the operation's row in core/ops.def, unless something is particular about the call. */
#include <complex.h>

#include "api/batch/arguments.h"

typedef struct row {
    tsl_opcode op;
    const argument *list;
    int arguments;
    void (*particular)(check *k);
    tsl_status (*run)(check *k, tsl_call *c); /* NULL: as any call */
} row;

/* The products' operands are stored transposed where they are seen so. */
static void as_product(check *k)
{
    for (int i = 0; i < 2; ++i) {
        int64_t rows = k->rows[i];
        if (k->l.v[i].op & TSL_TRANS)
            k->rows[i] = k->cols[i], k->cols[i] = rows;
        k->unread[i] = k->l.alpha == 0 || !k->size[M] || !k->size[N] || !k->size[K];
    }
}

static void as_hermitian(check *k) { k->l.herm = true; }

static void with_q(check *k)
{
    bool left = k->l.side == TSL_LEFT;
    tsl_arg_most(&k->d, 5, "k", k->size[K], left ? k->size[M] : k->size[N], left ? "m" : "n");
    k->unread[0] = k->unread[1] = !k->size[M] || !k->size[N];
}

static void all_of_q(check *k)
{
    tsl_arg_most(&k->d, 2, "n", k->size[N], k->size[M], "m");
    tsl_arg_most(&k->d, 3, "k", k->size[K], k->size[N], "n");
}

static void with_vectors(check *k)
{
    k->l.eig.itype = k->number[ITYPE];
    k->l.eig.vectors = k->job[JOBZ] == 'V';
}

/* Those with numbers il .. iu are in Z. The numbers come after A: till then there is a column for each. */
static void by_index(check *k)
{
    if (k->job[JOBZ] != 'V')
        k->cols[2] = 0;
}

static int64_t vectors_of(char job, int64_t all, int64_t some) { return job == 'A' ? all : job == 'S' ? some : 0; }

static void with_sides(check *k)
{
    int64_t d = tsl_min(k->size[M], k->size[N]);
    if (k->job[JOBU] == 'O' && k->job[JOBVT] == 'O')
        tsl_refuse_letter(&k->d, 2, 'O', "jobvt", "NSA"); /* only one can overwrite A */
    k->l.svd.vectors = k->job[JOBU] == 'O' || k->job[JOBVT] == 'O';
    k->l.side = k->job[JOBVT] == 'O' ? TSL_RIGHT : TSL_LEFT;
    k->cols[2] = vectors_of(k->job[JOBU], k->size[M], d);
    k->rows[3] = vectors_of(k->job[JOBVT], k->size[N], d);
    if (!k->cols[2])
        k->rows[2] = 0;
    if (!k->rows[3])
        k->cols[3] = 0;
}

static void with_factor(check *k) { tsl_arg_most(&k->d, 2, "n", k->size[N], k->size[M], "m"); }

static void without(check *k, int operand, bool wanted)
{
    if (!wanted)
        k->rows[operand] = k->cols[operand] = 0;
}

static void with_pairs(check *k)
{
    without(k, 3, k->job[JOBVL] == 'V');
    without(k, 4, k->job[JOBVR] == 'V');
}

static void with_schur(check *k)
{
    k->l.schur.sort = tsl_sort_of(k->job[SORT]);
    without(k, 3, k->job[JOBVS] == 'V');
}

static void of_all(check *k) { k->rows[0] = k->size[M], k->cols[0] = k->size[N]; }

static void as_inverse(check *k)
{
    k->rows[0] = k->cols[1] = k->size[M], k->cols[0] = k->rows[1] = k->size[N];
    k->rows[2] = k->cols[2] = 1;
}

static void of_factors(check *k)
{
    char factors = k->job[FACTORS_IN_A];
    k->rows[0] = k->rows[1] = k->size[N];
    k->l.uplo = factors == 'L' ? TSL_LOWER : factors == 'U' ? TSL_UPPER : TSL_GENERAL;
    without(k, 1, factors == 'G');
}

#define ARGUMENT(kind, name, which, ...) {IS_##kind, #name, which},
#define ROW(name, op, list, particular, run)                                                                                   \
    [TSL_BATCH_##name] = {TSL_OP_##op, (const argument[]){BATCH_##list(ARGUMENT)},                                             \
                          (int)(sizeof((const argument[]){BATCH_##list(ARGUMENT)}) / sizeof(argument)), particular, run},
static const row table[] = {BATCH_ROWS(ROW)};
#undef ROW

static void letter(check *k, const argument *a, char c)
{
    static const char *const jobs[JOBS] = {[JOBZ] = "NV",  [JOBU] = "NSAO", [JOBVT] = "NSAO", [JOBVL] = "NV",
                                           [JOBVR] = "NV", [JOBVS] = "NV",  [SORT] = "NLRIO", [FACTORS_IN_A] = "GLU"};
    tsl_args *d = &k->d;
    bool is_complex = tsl_is_complex(k->l.type);
    const char *herm = is_complex ? "NC" : "NT";
    int i = k->next++;
    switch (a->which) {
    case UPLO:
        k->l.uplo = tsl_arg_uplo(d, i, c);
        break;
    case SIDE:
        k->l.side = tsl_arg_side(d, i, c), k->sided = true;
        break;
    case DIAG:
        k->l.diag = tsl_arg_diag(d, i, c);
        break;
    case TRANS_OF_A:
        k->l.v[0].op = tsl_arg_op(d, i, c, "NTC", is_complex);
        break;
    case TRANS_OF_B:
        k->l.v[1].op = tsl_arg_op(d, i, c, "NTC", is_complex);
        break;
    case TRANS_OF_Q:
        k->l.trans = tsl_arg_op(d, i, c, herm, is_complex);
        break;
    case HERM_OF_A:
        k->l.v[0].op = tsl_arg_op(d, i, c, herm, is_complex);
        break;
    case NORM_OF_A:
        k->l.norm.kind = tsl_arg_norm(d, i, c);
        break;
    case NORM_OF_INVERSE:
        k->l.norm.kind = tsl_arg_letter(d, i, c, "norm", "1OI") == 'I' ? TSL_NORM_INF : TSL_NORM_ONE;
        break;
    default:
        k->job[a->which] = tsl_arg_letter(d, i, c, a->name, jobs[a->which]);
    }
}

/* Of eigenpairs the numbers il and iu; none if iu = il - 1 */
static void number(check *k, const argument *a, int64_t value)
{
    int i = k->next++;
    k->number[a->which] = value;
    if (a->which == ITYPE)
        tsl_arg_itype(&k->d, i, value);
    if (a->which == IL)
        tsl_arg_least(&k->d, i, "il", value, 1, "1");
    if (a->which != IU)
        return;
    tsl_arg_least(&k->d, i, "iu", value, k->number[IL] - 1, "il - 1");
    tsl_arg_most(&k->d, i, "iu", value, k->size[N], "n");
    k->l.eig.range = TSL_RANGE_INDEX, k->l.eig.first = k->number[IL] - 1, k->l.eig.count = value - k->number[IL] + 1;
    if (k->job[JOBZ] == 'V')
        k->cols[2] = k->l.eig.count;
}

static void scalar(check *k, const argument *a, tsl_scalar value)
{
    k->next++;
    if (a->which == ALPHA)
        k->l.alpha = value;
    else if (a->which == BETA)
        k->l.beta = value;
    else if (a->which == RCOND)
        k->l.rank.tolerance = creal(value);
    else
        k->l.rank.tolerance = tsl_pinv_tolerance(k->l.type, k->size[M], k->size[N], creal(value));
}

/* How many eigenvalues come first need not be asked for. */
static void result(check *k, const row *r, const argument *a, void *place)
{
    if (k->l.count && r->run != tsl_batch_count_first)
        tsl_arg_place(&k->d, k->next, a->name, place);
    k->result[a->which] = place, k->next++;
}

/* m stands for the order of what is on one side. */
static int64_t called(const check *k, const char *sum, bool beside)
{
    int64_t m = beside && k->sided && k->l.side == TSL_RIGHT ? k->size[N] : k->size[M];
    return tsl_size_called(sum, m, k->size[N], k->size[K]);
}

static void shape(check *k, const row *r)
{
    if (k->shaped)
        return;
    for (int i = 0; i < tsl_ops[r->op].operands; ++i) {
        const tsl_operand_info *o = &tsl_ops[r->op].operand[i];
        k->rows[i] = called(k, o->rows, !(o->traits & TSL_IS_RESULT)),
        k->cols[i] = called(k, o->cols, !(o->traits & TSL_IS_RESULT));
    }
    if (r->particular)
        r->particular(k);
    k->shaped = true;
}

/* Operand i: the array, its leading dimension unless it is a column, its stride unless it is given by pointers */
static void operand(check *k, const argument *a, const tsl_many *v)
{
    tsl_args *d = &k->d;
    int i = a->which;
    bool column = tsl_per_column(k->l.op, i), each = a->kind == IS_EACH;
    const void *at = v->at_pointers ? (const void *)v->each : v->p;
    if (a->kind == IS_MAYBE && !at)
        k->rows[i] = k->cols[i] = 0;
    int64_t m = k->rows[i], n = k->cols[i], ld = column ? tsl_max(1, m) : v->ld, stride = each ? 1 : v->stride;
    tsl_type type = tsl_operand_type(k->l.op, i, k->l.type);
    d->array[i].argument = k->next;
    if (!k->unread[i] && k->l.count)
        tsl_weigh_array(d, k->next, a->name, type, at, m, n, tsl_max(ld, m));
    k->next++;
    if (!column)
        tsl_arg_ld(d, k->next++, "leading dimension", ld, m);
    /* to where the last one begins */
    if (!v->at_pointers && stride > 0 && k->l.count > 1 && m && n)
        tsl_weigh_array(d, each ? k->next - 1 : k->next, "stride", type, d, 1, k->l.count, stride);
    if (!v->at_pointers && !each)
        tsl_arg_size(d, k->next++, "stride", stride);
    tsl_op op = k->l.v[i].op;
    k->l.v[i] = (tsl_array){
        .p = (void *)v->p, .ld = tsl_max(ld, tsl_max(1, m)), .m = m, .n = n, .op = op, .stride = stride, .each = v->each};
}

/* What no argument gives is empty, and lies where A does. */
static void leave_out(check *k)
{
    for (int i = 0; i < tsl_ops[k->l.op].operands; ++i) {
        const tsl_array *A = &k->l.v[0];
        bool given = k->d.array[i].argument, column = tsl_per_column(k->l.op, i);
        if (given && k->rows[i] && k->cols[i])
            continue;
        tsl_op op = k->l.v[i].op;
        int64_t m = column && !given ? 0 : k->rows[i], n = given ? k->cols[i] : column;
        if (i > 0)
            k->l.v[i] = *A, k->l.v[i].op = op, k->l.v[i].m = m, k->l.v[i].n = n, k->l.v[i].ld = tsl_max(A->ld, tsl_max(1, m));
    }
}

static tsl_status finish(check *k, const row *r, int64_t *infos)
{
    tsl_args *d = &k->d;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_arg_size(d, k->next, "count", k->l.count);
    if (d->st || k->l.count == 0)
        return d->st;
    tsl_status st = tsl_enter(&d->x);
    if (st)
        return st;
    leave_out(k);
    tsl_call c = tsl_on_views(d->x, &k->l, mat);
    c.args = d;
    tsl_results results = {.infos = infos};
    c.results = &results;
    return tsl_leave(d->x, r->run ? r->run(k, &c) : tsl_execute(d->x, &c));
}

tsl_status tsl_batch_typed(tsl_context *ctx, tsl_type t, int number_of_row, const char *routine, const tsl_batch_value *values,
                           int64_t count, int64_t *infos)
{
    const row *r = &table[number_of_row];
    check k = {.d = tsl_args_begin(ctx, t, routine), .l = {.op = r->op, .type = t, .count = count}, .next = 1};
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i)
        k.d.array[i].argument = 0;
    for (int i = 0; i < r->arguments && !k.d.st; ++i) {
        const argument *a = &r->list[i];
        switch (a->kind) {
        case IS_LETTER:
            letter(&k, a, values[i].letter);
            break;
        case IS_SIZE:
            tsl_arg_size(&k.d, k.next++, a->name, k.size[a->which] = values[i].size);
            break;
        case IS_NUMBER:
            number(&k, a, values[i].size);
            break;
        case IS_RESULT:
            result(&k, r, a, values[i].result);
            break;
        case IS_SCALAR:
        case IS_REAL:
            scalar(&k, a, values[i].scalar);
            break;
        default:
            shape(&k, r);
            if (!k.d.st)
                operand(&k, a, &values[i].many);
        }
    }
    return finish(&k, r, infos);
}

#include "api/batch/forms.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/batch/batch.inc"
#include "core/types.inc"
