/* Host leaves of a strip of a panel of LU (kernel/lu_strip.h): the columns one after the other, by lu_column. Blocks have one
 * column: that leaf wants the whole row of each pivot at once. */
#include <sched.h>
#include <string.h>

#include "core/log.h"
#include "kernel/host/leaf.h"
#include "kernel/lu_strip.h"

typedef struct strip {
    const tsl_leaf *l;
    const tsl_lu_strip_args *a;
    tsl_strip_inbox at; /* where parts of an inbox are */
    tsl_strip_state *s;
    tsl_strip_shared *shared;
    char *const *inbox; /* of all processes */
    int processes, words;
    tsl_lu_candidate *mine; /* lu_column's w: its row follows */
} strip;

/* Where process `who` tells another one of its candidate */
static tsl_letter *told_by(const strip *p, int whom, int64_t j, int who)
{
    int64_t set = tsl_strip_copies(p->processes) * tsl_strip_apart(p->processes, p->words);
    return (tsl_letter *)(p->inbox[whom] + p->at.candidates) + j % 2 * set + who * tsl_strip_few(p->words);
}

static tsl_letter *row_in(const strip *p, int whom, int64_t j)
{
    return (tsl_letter *)(p->inbox[whom] + p->at.rows) + (j - p->l->k) * p->l->A.n * p->words;
}

static char *row_shared(const strip *p)
{
    return tsl_strip_row(p->shared, p->words, p->l->A.n, tsl_type_size(p->l->type), 0);
}

static void tell(const strip *p, int64_t j)
{
    uint32_t tag = tsl_strip_tag(j);
    const char *pivot = (const char *)(p->mine + 1) + (size_t)j * tsl_type_size(p->l->type);
    for (int whom = 0; whom < (p->a->by_host ? 1 : p->processes); ++whom) {
        tsl_letter *to = p->a->by_host ? tsl_strip_question(p->shared) : told_by(p, whom, j, p->a->me);
        tsl_strip_put_elements(pivot, p->l->type, 1, to + 2, tag);
        tsl_strip_put(p->mine, to, tag);
    }
}

/* The best of the processes' candidates. False: they are not all there. */
static bool hear(const strip *p, int64_t j, tsl_lu_candidate *best)
{
    uint32_t tag = tsl_strip_tag(j);
    if (p->a->by_host) return tsl_strip_get(tsl_strip_answer(p->shared, p->words, j), tag, best);
    for (int i = 0; i < p->processes; ++i) {
        tsl_lu_candidate c;
        if (!tsl_strip_get(told_by(p, p->a->me, j, i), tag, &c)) return false;
        if (i == 0 || tsl_lu_better(&c, best)) *best = c;
    }
    return true;
}

/* The candidate is the pivot: its row goes to all. */
static void tell_row(const strip *p, int64_t j)
{
    const void *row = p->mine + 1;
    for (int whom = 0; whom < p->processes && !p->a->by_host; ++whom)
        tsl_strip_put_elements(row, p->l->type, p->l->A.n, row_in(p, whom, j), tsl_strip_tag(j));
    if (!p->a->by_host) return;
    memcpy(row_shared(p), row, (size_t)p->l->A.n * tsl_type_size(p->l->type));
    tsl_letter_put(tsl_strip_row_told(p->shared, p->words, 0), 0, tsl_strip_tag(j));
}

static bool hear_row(const strip *p, int64_t j)
{
    uint64_t none;
    void *row = p->mine + 1;
    if (!p->a->by_host) return tsl_strip_get_elements(row, p->l->type, p->l->A.n, row_in(p, p->a->me, j), tsl_strip_tag(j));
    if (!tsl_letter_get(tsl_strip_rows_there(p->shared, p->words), tsl_strip_tag(j), &none)) return false;
    memcpy(row, row_shared(p), (size_t)p->l->A.n * tsl_type_size(p->l->type));
    return true;
}

static bool is_patient(const strip *p, double *began)
{
    double now = tsl_now();
    if (*began == 0) *began = now;
    sched_yield();
    return (now - *began) * 1e9 < (double)p->a->patience;
}

/* Column j - 1 is eliminated, and the candidate of column j found */
static void step(const strip *p, tsl_kernel column, int64_t j)
{
    tsl_leaf l = {.op = TSL_OP_LU_COLUMN, .type = p->l->type, .k = j, .A = p->l->A, .B = p->l->B, .C = {.p = p->mine},
                  .lu_column = {.end = p->a->end, .row = p->s->row, .takes = j > p->l->k, .speaks = p->a->speaks}};
    tsl_lu_candidate *c = p->mine;
    (void)column(NULL, &l);
    if (j == p->a->end) return;
    if (c->size < 0) c->row = INT64_MAX;
    else if (c->row >= p->l->A.m) c->row = tsl_cyclic_index(&p->a->rows, c->row - p->l->A.m);
}

/* False: it leaves. */
static bool advance(const strip *p, tsl_kernel column)
{
    int64_t j = p->s->step, d = p->l->A.m;
    double began = 0;
    if (p->s->stage == TSL_STRIP_FRESH) {
        step(p, column, j);
        if (j == p->a->end) return p->s->step++, true;
        tell(p, j);
        p->s->stage = TSL_STRIP_TOLD;
    }
    tsl_lu_candidate *best = &p->shared->chosen[j - p->l->k];
    if (p->s->stage == TSL_STRIP_TOLD) {
        while (!hear(p, j, best))
            if (!is_patient(p, &began)) return false;
        if (best->row == p->mine->row) tell_row(p, j);
        p->s->stage = TSL_STRIP_HEARD;
    }
    for (began = 0; !hear_row(p, j);)
        if (!is_patient(p, &began)) return false;
    int64_t here = tsl_cyclic_number(&p->a->rows, best->row);
    p->s->row = best->row < d ? best->row : here < 0 ? -1 : d + here;
    p->s->stage = TSL_STRIP_FRESH;
    return p->s->step++, true;
}

static tsl_status eliminate(const tsl_leaf *l, tsl_kernel column)
{
    const tsl_lu_strip_args *a = &l->lu_strip;
    int processes = (int)a->rows.processes;
    tsl_strip_inbox at = tsl_strip_inbox_of(l->type, l->A.n, l->A.m + l->B.m, processes);
    char *own = l->C.p;
    strip p = {.l = l, .a = a, .at = at, .s = (tsl_strip_state *)(own + at.states), .shared = l->D.p,
               .inbox = (char *const *)(own + at.others), .processes = processes, .words = tsl_strip_words(l->type),
               .mine = (tsl_lu_candidate *)(own + at.column)};
    if (p.s->strip != l->k + 1) *p.s = (tsl_strip_state){.strip = l->k + 1, .step = l->k, .row = -1};
    while (p.s->step <= a->end)
        if (!advance(&p, column)) {
            p.shared->left = 1;
            break;
        }
    return TSL_OK;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lu/lu_strip.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_lu_strip_entry = {.fn = TSL_HOST_LEAVES(lu_strip), .limit = 1};
