/* One line of the table tried on one type: its arguments as they should be, and calls with some of them changed. What is refused has changed nothing. */
#ifndef REFUSED_TRIAL_H
#define REFUSED_TRIAL_H

#include "refused/world.h"

typedef struct trial {
    world *w;
    const line *l;
    tsl_type type;
    value a[MOST];
    tsl_matrix *mat[MOST];
    tsl_selection which;
    const char *setting; /* of an option, or "" */
    int told;            /* failures of this line */
} trial;

#define ST(status) (1u << (status))

static char trial_now[300]; /* the call that is being made, for whoever dies of it */

enum { ANY = 0, TELL = 4 };

/* The call; statuses of `wanted` are right, any but a failure of the device if there are none. */
__attribute__((format(printf, 4, 5))) static inline tsl_status attempt(trial *t, const value *a, unsigned wanted, const char *format, ...)
{
    va_list args;
    int used = snprintf(trial_now, sizeof trial_now, "# %s: %c %s%s, ", t->w->devices, tsl_type_letter(t->type), t->l->name, t->setting);
    va_start(args, format);
    vsnprintf(trial_now + used, sizeof trial_now - (size_t)used, format, args);
    va_end(args);
    if (t->w->loud) puts(trial_now), fflush(stdout);
    tsl_status st = t->l->call(t->w->x, a + t->l->count);
    t->w->refuse = 0;
    tsl_status late = tsl_wait(t->w->x);
    bool looked = st != TSL_ERR_PIVOT || !t->w->far; /* a device looks at pivots when it uses them: operands are undefined then */
    int changed = st && looked ? world_changed(t->w, t->l) : -1;
    check(!late || late == TSL_ERR_PIVOT, "%s %s: %s is left", t->l->name, t->setting, tsl_status_name(late));
    bool right = wanted ? wanted >> st & 1 : st != TSL_ERR_DEVICE;
    if (!right || changed >= 0) {
        if (t->told++ < TELL)
            printf("%s: %s%s%s (%s)\n", trial_now, tsl_status_name(st), changed < 0 ? "" : ", and changed ", changed < 0 ? "" : t->l->arguments[changed].name,
                   st ? tsl_error(t->w->x) : "");
        tap_group++, tap_group_failed++;
    } else check(true, "refused");
    if (!st || !looked || changed >= 0) world_restore(t->w);
    return st;
}

static inline bool is_operand(const argument *a) { return a->kind == VIEW || a->kind == ARRAY; }

static inline tsl_view seen(tsl_matrix *mat, const argument *a)
{
    tsl_view v = tsl_whole(mat);
    return has(a, 'L') ? tsl_lower(v) : has(a, 'U') ? tsl_upper(v) : v;
}

/* Operand i somewhere else, of another type, or tiled */
static inline tsl_matrix *placed(const trial *t, int i, const char *at, tsl_type type, int64_t tile, tsl_context *x)
{
    const argument *a = &t->l->arguments[i];
    int64_t m = world_size(t->w, a->rows), n = world_size(t->w, a->cols), ld = world_ld(t->w, a);
    tsl_matrix *mat = NULL;
    tsl_status st = tile ? tsl_tiled_wrap(x, type, m, n, (void *)at, ld, tile, &mat) : tsl_matrix_wrap(x, type, m, n, (void *)at, ld, &mat);
    check(!st, "%s %s: a matrix (%s)", t->l->name, a->name, tsl_status_name(st));
    return mat;
}

static inline void trial_open(trial *t, world *w, const line *l, tsl_type type)
{
    *t = (trial){.w = w, .l = l, .type = type, .setting = ""};
    uint32_t noise = 1;
    for (size_t i = 0; i < w->bytes; i += 4) noise = noise * 1664525u + 1013904223u, memcpy(w->image + i, &noise, 4);
    memset(w->host_image, 0x5a, sizeof w->host_image);
    for (int i = 0; i < l->count; ++i) {
        const argument *a = &l->arguments[i];
        char *slot = w->base + (size_t)i * w->slot;
        if (is_operand(a)) world_fill(w, i, a, type);
        if (a->kind == VIEW) t->mat[i] = placed(t, i, slot, world_type(type, a), w->tile, w->x), t->a[i].v = seen(t->mat[i], a);
        if (a->kind == VIEW && !world_size(w, a->rows)) t->a[i].v = (tsl_view){0};
        if (a->kind == ARRAY) t->a[i].p = slot;
        if (a->kind == LEAD) t->a[i].i = tsl_max(w->ld, world_size(w, a->rows));
        if (a->kind == STEP) t->a[i].i = 1;
        if (a->kind == PLACE) t->a[i].p = w->host[i];
        if (a->kind == PLACE && has(a, 'c')) w->host_image[i][0] = 'N';
        for (int k = 0; k < 5 && a->kind == PLACE && !strcmp(a->name, "param"); ++k) /* of rotm */
            if (type == TSL_S) ((float *)(void *)w->host_image[i])[k] = (float)(k - 1);
            else ((double *)(void *)w->host_image[i])[k] = k - 1;
        if (a->kind == LETTER) t->a[i].c = a->flags[0];
        if (a->kind == MEMBER) t->a[i].i = a->flags[0] - '0';
        if (a->kind == NUMBER) t->a[i].i = world_size(w, a->rows);
        if (a->kind == SELECTION) t->a[i].p = &t->which;
        if (a->kind == SCALAR || a->kind == REAL) t->a[i].z = 0.5;
    }
    world_restore(w);
}

static inline void trial_close(trial *t)
{
    for (int i = 0; i < t->l->count; ++i) tsl_matrix_free(t->mat[i]);
}

#endif
