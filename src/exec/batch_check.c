/* What must hold of the operands of a call on batches, before anything of them is touched. */
#include <stdio.h>

#include "exec/batch.h"

static tsl_status refuse_batch(tsl_context *x, const tsl_call *c) { return tsl_refuse(x, c, TSL_ERR_LAYOUT, "it has no form for batches"); }

tsl_status tsl_need_problems(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_status st = tsl_pick_problems(x, c, mat);
    return st || !tsl_is_batch(c) ? st : refuse_batch(x, c);
}

/* Do no two problems share elements? Those of one array by pointers are another question (below). */
static bool apart(const tsl_matrix *a)
{
    int64_t extent = a->m > 0 && a->n > 0 ? (a->n - 1) * a->ld + a->m : 0;
    if (a->each || a->count <= 1 || extent == 0 || a->stride >= extent) return true;
    return a->stride >= a->m && a->stride <= (a->ld - a->m) / (a->count - 1); /* side by side in each column */
}

/* How batches are cut is not the caller's choice. */
static bool no_variant(int variant) { return (void)variant, false; }

tsl_status tsl_batch_check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_check_operands(x, c);
    int64_t count = tsl_count_of(c);
    for (int i = 0; i < tsl_operands(c) && !st; ++i) {
        const char *name = i < tsl_ops[c->op].operands ? tsl_ops[c->op].operand[i].name : "the result";
        bool all = tsl_is_all(&c->v[i]);
        const tsl_matrix *a = c->v[i].mat;
        if (all && a->count != count) st = tsl_refuse(x, c, TSL_ERR_SHAPE, "%s has %lld problems, another operand %lld", name, (long long)a->count, (long long)count);
        else if (a->tiles || a->remote) st = tsl_refuse(x, c, TSL_ERR_LAYOUT, "%s is tiled or distributed, and others are batches", name);
        else if (!all && tsl_writes(c, i)) st = tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is one matrix, must have a problem for each of the batch", name);
        else if (all && tsl_writes(c, i) && !apart(a)) st = tsl_refuse(x, c, TSL_ERR_OVERLAP, "problems of %s, %lld elements apart, overlap", name, (long long)a->stride);
    }
    if (!st && tsl_trait(c->op, TSL_NUMBER) && !c->numbered) st = refuse_batch(x, c);
    if (!st) st = tsl_check_variant(x, c, no_variant, " for batches");
    return st ? st : tsl_rule[c->op]->check(x, c);
}

static bool empty(const tsl_view *v) { return v->m == 0 || v->n == 0; }

/* As the caller knows it: of a typed call with the number of its argument */
static const char *named(const tsl_call *c, int i, char text[48])
{
    tsl_args *d = c->args;
    const char *name = tsl_ops[c->op].operand[i].name;
    if (d && d->array[i].argument) snprintf(text, 48, "argument %d (%s)", d->argument = d->array[i].argument, name);
    else snprintf(text, 48, "%s", name);
    return text;
}

/* *second: a pointer that was there before; -1: none. Those that grow, or shrink, all along are different. Others are put into
 * a table, each where its bits say or behind. */
static tsl_status find_twice(tsl_context *x, void *const *each, int64_t count, int64_t *second)
{
    bool up = true, down = true;
    for (int64_t k = 1; k < count; ++k) up &= (uintptr_t)each[k] > (uintptr_t)each[k - 1], down &= (uintptr_t)each[k] < (uintptr_t)each[k - 1];
    *second = -1;
    if (up || down) return TSL_OK;
    int bits = 65 - __builtin_clzll((uint64_t)count); /* at most half of it is filled */
    size_t size = (size_t)1 << bits, bytes = tsl_times(size, sizeof(void *));
    void **table = tsl_host_alloc(&x->allocator, bytes);
    if (!table) return TSL_ERR_MEMORY;
    for (int64_t k = 0; k < count && *second < 0; ++k) {
        size_t at = (size_t)((uint64_t)(uintptr_t)each[k] * 0x9e3779b97f4a7c15u >> (64 - bits));
        while (table[at] && table[at] != each[k]) at = (at + 1) & (size - 1);
        if (table[at]) *second = k;
        table[at] = each[k];
    }
    tsl_host_free(&x->allocator, table, bytes);
    return TSL_OK;
}

/* Pointers that the host can read: is each there, and of problems that are written none twice? */
static tsl_status check_pointers(tsl_context *x, const tsl_call *c, int i)
{
    void *const *each = c->v[i].mat->each;
    char text[48];
    int64_t count = tsl_count_of(c), first = 0, second = -1;
    for (int64_t k = 0; k < count; ++k)
        if (!each[k]) return tsl_refuse(x, c, TSL_ERR_NULL, "%s: the pointer to problem %lld is null", named(c, i, text), (long long)k);
    tsl_status st = !tsl_writes(c, i) ? TSL_OK : find_twice(x, each, count, &second);
    if (second < 0) return st;
    while (each[first] != each[second]) ++first;
    return tsl_refuse(x, c, TSL_ERR_OVERLAP, "%s: problems %lld and %lld, which are written, are at one place", named(c, i, text), (long long)first,
                      (long long)second);
}

/* The bytes of an operand's problems, from the first one of their columns to the last */
typedef struct extent {
    bool known;
    uintptr_t at;
    size_t step, offset, bytes;
    void *const *each;
} extent;

static extent extent_of(const tsl_view *v)
{
    const tsl_matrix *a = v->mat;
    size_t size = tsl_type_size(a->type);
    return (extent){.known = !empty(v) && !tsl_pointers_are_far(a), .at = (uintptr_t)a->data, .step = tsl_is_all(v) ? (size_t)a->stride * size : 0,
                    .offset = (size_t)(v->i + v->j * a->ld) * size, .bytes = (size_t)((v->n - 1) * a->ld + v->m) * size, .each = tsl_is_all(v) ? a->each : NULL};
}

static uintptr_t begins(const extent *e, int64_t k) { return (e->each ? (uintptr_t)e->each[k] : e->at + (size_t)k * e->step) + e->offset; }

/* Do all problems of one operand come before all of the other? */
static bool all_before(const extent *a, const extent *b, int64_t count)
{
    return !a->each && !b->each && begins(a, count - 1) + a->bytes <= begins(b, 0);
}

/* Where one problem of two operands, of which one is written, may share elements, all is looked at. Of operands whose problems
 * are equally far apart the first ones tell. Problem k of one operand and another one of the other are the caller's word. */
static tsl_status check_pair(tsl_context *x, const tsl_call *c, const extent *a, const extent *b)
{
    int64_t count = tsl_count_of(c);
    tsl_matrix mat[TSL_MAX_OPERANDS];
    if (all_before(a, b, count) || all_before(b, a, count)) return TSL_OK;
    if (!a->each && !b->each && a->step == b->step) count = 1;
    for (int64_t k = 0; k < count; ++k) {
        uintptr_t from = begins(a, k), other = begins(b, k);
        if (from >= other + b->bytes || other >= from + a->bytes) continue;
        tsl_call one = tsl_problem_of(c, k, mat);
        tsl_status st = tsl_check_apart(x, &one, tsl_locate_here);
        if (st) return st;
    }
    return TSL_OK;
}

static bool all_within(const int64_t *p, int64_t count, int64_t last)
{
    bool within = true;
    for (int64_t i = 0; i < count; ++i) within &= (uint64_t)p[i] - 1 < (uint64_t)last;
    return within;
}

/* Are all indices that the host can read rows of the first operand, and columns? Then no rule has anything against them. */
static bool are_plain(const tsl_call *c, const extent *at)
{
    int64_t count = tsl_count_of(c), last = tsl_min(c->v[0].m, c->v[0].n);
    bool plain = tsl_arguments_of(c->op) != TSL_ARGUMENTS_lu || c->lu.first == 0;
    for (int i = 0; i < tsl_operands(c) && plain; ++i) {
        int64_t m = c->v[i].m;
        if (tsl_ops[c->op].operand[i].element != TSL_OF_INDEX || !at[i].known || c->v[i].mat->home) continue;
        bool dense = !at[i].each && at[i].step == (size_t)m * sizeof(int64_t);
        for (int64_t k = 0; k < (dense ? 1 : count) && plain; ++k)
            plain = all_within((const int64_t *)begins(&at[i], k), dense ? m * count : m, last);
    }
    return plain;
}

/* The operation's own rule for indices, of each problem */
static tsl_status check_indices(tsl_context *x, const tsl_call *c, const extent *at)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_call one = tsl_problem_of(c, 0, mat);
    tsl_status st = TSL_OK;
    for (int64_t k = 0; k < tsl_count_of(c) && !st; ++k) {
        for (int i = 0; i < tsl_operands(c); ++i)
            if (tsl_is_all(&c->v[i])) mat[i].data = (void *)(begins(&at[i], k) - at[i].offset);
        st = tsl_rule[c->op]->indices(x, &one);
    }
    return st;
}

tsl_status tsl_batch_check_places(tsl_context *x, const tsl_call *c)
{
    extent at[TSL_MAX_OPERANDS];
    int operands = tsl_operands(c);
    bool all = true;
    tsl_status st = TSL_OK;
    for (int i = 0; i < operands && !st; ++i) {
        at[i] = extent_of(&c->v[i]);
        all &= !tsl_pointers_are_far(c->v[i].mat);
        if (at[i].known && at[i].each) st = check_pointers(x, c, i);
    }
    for (int k = 1; k < operands && !st && all; ++k)
        for (int i = 0; i < k && !st; ++i)
            if (at[i].known && at[k].known && (tsl_writes(c, i) || tsl_writes(c, k))) st = check_pair(x, c, &at[i], &at[k]);
    if (!st && all && tsl_rule[c->op]->indices && !are_plain(c, at)) st = check_indices(x, c, at);
    return st;
}
