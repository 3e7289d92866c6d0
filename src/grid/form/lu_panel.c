/* Pivots of a panel of LU that several processes have. */
#include <string.h>

#include "grid/form/lu_panel.h"

static void better(void *mine, const void *other, const void *with)
{
    if (tsl_lu_better(other, mine)) memcpy(mine, other, *(const size_t *)with);
}

void tsl_lu_note(tsl_lu_panel *p, int64_t j, tsl_lu_candidate pivot)
{
    p->pivots[j] += pivot.row + 1;
    if (pivot.size == 0) p->info = tsl_first_info(p->info, j + 1);
}

void tsl_lu_choose(tsl_lu_panel *p, int64_t j)
{
    tsl_line_combine(p->g, p->over, p->mine, p->other, p->bytes, better, &p->bytes);
    if (!p->g->broken) tsl_lu_note(p, j, *p->mine);
}
