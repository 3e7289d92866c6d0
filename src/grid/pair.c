/* The two factors of C := C + alpha A A^H on their way: L = A goes to where the rows of C are, and from there R, L turned,
 * to where its columns are. Both are stored as A is, so nothing is transposed on the way. */
#include "grid/grid.h"

/* What is on its way has arrived, or on a wire will have before what follows it; then L, turned, sets out. */
static void advance(tsl_pair *p)
{
    tsl_grid *g = tsl_grid_of(p->L);
    bool last = ++p->arrived == 2;
    if (last || !p->way.wired) tsl_transfer_end(&p->way);
    if (!last) {
        int slot = g->slot;
        tsl_work_slot(g, p->slot);
        tsl_transfer_begin(&p->way, p->way.x, p->L, p->turned, false);
        tsl_work_slot(g, slot);
    }
}

void tsl_pair_begin(tsl_pair *p, tsl_context *x, tsl_view A, tsl_view C)
{
    p->arrived = 0;
    p->slot = tsl_grid_of(C)->slot;
    p->L = tsl_work_like(x, &p->S, tsl_panel_layout(C, 0), A, tsl_rows(C), tsl_cols(A));
    p->turned = tsl_work_like(x, &p->T, tsl_panel_layout(tsl_trans(C), 0), A, tsl_rows(C), tsl_cols(A));
    p->R = tsl_herm(p->turned);
    tsl_transfer_begin(&p->way, x, A, p->L, false);
    if (p->way.wired) advance(p); /* at once: later it would follow what the main lane has got to do meanwhile */
}

void tsl_pair_poll(tsl_pair *p)
{
    while (p->arrived < 2 && tsl_transfer_done(&p->way)) advance(p);
}

void tsl_pair_end(tsl_pair *p)
{
    while (p->arrived < 2) advance(p);
}
