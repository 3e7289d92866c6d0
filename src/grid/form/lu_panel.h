/* A panel of LU that stays with the processes that have its rows. The first d of them, as many as there are pivots, each of
 * these processes has in a copy too, `top`, and computes all that becomes of them: so only pivots have to be found together. */
#ifndef TSL_LU_PANEL_H
#define TSL_LU_PANEL_H

#include "grid/form/form.h"
#include "kernel/lu_strip.h"

typedef struct tsl_lu_panel {
    tsl_context *x;
    tsl_grid *g;
    tsl_over over;      /* what its rows are distributed over */
    tsl_view all;       /* of it */
    tsl_view top, here; /* the first d rows; of the others those here, */
    int64_t before;     /* after so many that are among the first */
    int64_t n, few, *pivots, info;
    tsl_lu_candidate *mine, *other; /* of cores: with a row each; in host memory */
    size_t bytes;                   /* of one */
    /* On a device that has a memory of its own (lu_strip.c) */
    char *inbox, **inboxes; /* inboxes: of all processes */
    tsl_strip_shared *shared;
    const tsl_channel *peers; /* kernels tell each other; NULL: their hosts do, or there is one process */
    bool by_host;
    int sharers; /* of the processes, those that have this device */
} tsl_lu_panel;

static inline tsl_array tsl_lu_array(tsl_view v) { return (tsl_array){.p = tsl_at(&v), .ld = v.mat->ld, .m = v.m, .n = v.n}; }

/* lu_panel.c: `mine` becomes the best of all processes' candidates for the pivot of column j, and is noted */
void tsl_lu_choose(tsl_lu_panel *p, int64_t j);
void tsl_lu_note(tsl_lu_panel *p, int64_t j, tsl_lu_candidate pivot);

/* lu_strip.c: workspace, in a rehearsal too; by all processes of the panel, before the first strip; and columns [k, end) */
void tsl_lu_strips_room(tsl_lu_panel *p);
void tsl_lu_strips_open(tsl_lu_panel *p);
void tsl_lu_strip(tsl_lu_panel *p, int64_t k, int64_t end);

#endif
