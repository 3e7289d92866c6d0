/* Host leaves of a strip of a panel of LU (kernel/lu_strip.h): the columns one after the other, by lu_column. */
#include <sched.h>
#include <string.h>

#include "core/log.h"
#include "kernel/host/leaf.h"
#include "kernel/lu_strip.h"

typedef struct strip {
    const tsl_leaf *l;
    tsl_strip_inbox at; /* where parts of an inbox are */
    tsl_strip_state *s;
    tsl_strip_shared *shared;
    char *const *inbox; /* of all processes */
    int processes, me;
    size_t letters, few;    /* of a candidate with its row, and with a block of it */
    tsl_lu_candidate *mine; /* lu_column's w: its row follows */
} strip;

static tsl_letter *told_by(const strip *p, int whom, int64_t j, int who)
{
    return (tsl_letter *)(p->inbox[whom] + p->at.candidates) + ((size_t)(j % 2) * (size_t)p->processes + (size_t)who) * p->few;
}

/* Letters of the row of column j's pivot */
static tsl_letter *row_at(const strip *p, int whom, int64_t j)
{
    if (p->l->lu_strip.by_host) return tsl_strip_answer(p->shared, p->letters, j) + 2;
    return (tsl_letter *)(p->inbox[whom] + p->at.rows) + (size_t)(j - p->l->k) * (p->letters - 2);
}

/* Kernels add what of the row is in their block. */
static void tell(const strip *p, int64_t j)
{
    uint32_t tag = tsl_strip_tag(j);
    if (p->l->lu_strip.by_host) {
        tsl_strip_put_row(p->mine, p->l->type, p->l->A.n, tsl_strip_question(p->shared) + 2, tag);
        tsl_strip_put(p->mine, tsl_strip_question(p->shared), tag);
        return;
    }
    for (int whom = 0; whom < p->processes; ++whom) tsl_strip_put(p->mine, told_by(p, whom, j, p->me), tag);
}

/* The best of the processes' candidates, and whose it is. False: they are not all there. */
static bool hear(const strip *p, int64_t j, tsl_lu_candidate *best, int *who)
{
    uint32_t tag = tsl_strip_tag(j);
    if (p->l->lu_strip.by_host) return tsl_strip_get(tsl_strip_answer(p->shared, p->letters, j), tag, best);
    for (int i = 0; i < p->processes; ++i) {
        tsl_lu_candidate c;
        if (!tsl_strip_get(told_by(p, p->me, j, i), tag, &c)) return false;
        if (i == 0 || tsl_lu_better(&c, best)) *best = c, *who = i;
    }
    return true;
}

static bool is_patient(const strip *p, double *began)
{
    double now = tsl_now();
    if (*began == 0) *began = now;
    sched_yield();
    return (now - *began) * 1e9 < (double)p->l->lu_strip.patience;
}

/* Column j - 1 is eliminated, and the candidate of column j found */
static void step(const strip *p, tsl_kernel column, int64_t j)
{
    const tsl_lu_strip_args *a = &p->l->lu_strip;
    tsl_leaf l = {.op = TSL_OP_LU_COLUMN, .type = p->l->type, .k = j, .A = p->l->A, .B = p->l->B, .C = {.p = p->mine},
                  .lu_column = {.end = a->end, .row = p->s->row, .takes = j > p->l->k, .speaks = a->speaks}};
    tsl_lu_candidate *c = p->mine;
    (void)column(NULL, &l);
    if (j == a->end) return;
    if (c->size < 0) c->row = INT64_MAX;
    else if (c->row >= p->l->A.m) c->row = tsl_cyclic_index(&a->rows, c->row - p->l->A.m);
}

/* Everybody has the pivot of column j in sight: its row comes here. False: it did not in time. */
static bool take(const strip *p, int64_t j)
{
    const tsl_lu_strip_args *a = &p->l->lu_strip;
    int64_t d = p->l->A.m, row = p->shared->chosen[j - p->l->k].row, here = tsl_cyclic_number(&a->rows, row);
    double began = 0;
    while (!tsl_strip_get_row(p->mine, p->l->type, p->l->A.n, row_at(p, p->me, j), tsl_strip_tag(j)))
        if (!is_patient(p, &began)) return false;
    p->s->row = row < d ? row : here < 0 ? -1 : d + here;
    return true;
}

/* False: it leaves. */
static bool advance(const strip *p, tsl_kernel column)
{
    int64_t j = p->s->step;
    double began = 0;
    int who = p->me;
    if (p->s->stage == TSL_STRIP_FRESH) {
        step(p, column, j);
        if (j < p->l->lu_strip.end) tell(p, j);
        p->s->stage = TSL_STRIP_TOLD;
    }
    if (j == p->l->lu_strip.end) return p->s->step++, true;
    tsl_lu_candidate *best = &p->shared->chosen[j - p->l->k];
    while (p->s->stage == TSL_STRIP_TOLD) {
        if (!hear(p, j, best, &who)) {
            if (!is_patient(p, &began)) return false;
            continue;
        }
        for (int whom = 0; whom < p->processes && who == p->me && !p->l->lu_strip.by_host; ++whom)
            tsl_strip_put_row(p->mine, p->l->type, p->l->A.n, row_at(p, whom, j), tsl_strip_tag(j));
        p->s->stage = TSL_STRIP_HEARD;
    }
    if (!take(p, j)) return false;
    p->s->stage = TSL_STRIP_FRESH;
    return p->s->step++, true;
}

static tsl_status eliminate(const tsl_leaf *l, tsl_kernel column)
{
    const tsl_lu_strip_args *a = &l->lu_strip;
    int processes = (int)a->rows.processes;
    tsl_strip_inbox at = tsl_strip_inbox_of(l->type, l->A.n, l->A.m + l->B.m, processes);
    char *own = l->C.p;
    strip p = {.l = l,
               .at = at,
               .s = (tsl_strip_state *)(own + at.states),
               .shared = l->D.p,
               .inbox = (char *const *)(own + at.others),
               .processes = processes,
               .me = a->me,
               .letters = tsl_strip_letters(l->type, l->A.n),
               .few = tsl_strip_letters(l->type, TSL_STRIP_BLOCK),
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
