/* Nobody waits for ever. No call waits inside of what joins the processes. A process whose call fails, or whose deadline
 * passes, tells all others; they listen while they wait, and all give the grid up. */
#include <math.h>
#include <stdlib.h>

#include "grid/grid.h"

void tsl_grid_fail(tsl_grid *g, tsl_status st)
{
    if (!g->failed) g->failed = st;
}

bool tsl_held(const tsl_grid *g) { return g->broken && g->lingers; }

/* What another has said: who it is, or NOBODY; FAILED: that could not be heard. */
enum { NOBODY = -1, FAILED = -2 };
static int hear(tsl_grid *g, int *news)
{
    int from = NOBODY;
    return g->wire->ops->hear(g->wire, TSL_TAG_NEWS, &from, news) ? FAILED : from;
}

/* Tells all others. */
static void give_up(tsl_grid *g, tsl_status why)
{
    tsl_grid_fail(g, why);
    g->broken = true;
    g->news = (int)why;
    g->passing = NULL;
    for (int rank = 0; rank < g->wire->size; ++rank)
        if (rank != g->wire->rank) g->wire->ops->tell(g->wire, rank, TSL_TAG_NEWS, &g->news);
}

/* After a deadline. Who waits too hears of it and says so itself: those who have not after a while are late. */
static void call_roll(tsl_grid *g, int first)
{
    enum { LISTED = 8 };
    int p = g->wire->size, missing = p - 1, listed = 0, who, news;
    bool *spoke = calloc((size_t)p, sizeof *spoke);
    if (!spoke) return;
    spoke[g->wire->rank] = true;
    if (first >= 0) spoke[first] = true, --missing;
    tsl_patience grace = tsl_patience_now(g->patience > 0 && g->patience < 1 ? g->patience : 1);
    while (missing && !tsl_patience_ends(&grace) && (who = hear(g, &news)) != FAILED) {
        if (who >= 0 && !spoke[who]) spoke[who] = true, --missing;
        else if (who == NOBODY && g->wire->ops->idle) g->wire->ops->idle(g->wire);
    }
    int at = tsl_print(g->why, sizeof g->why, "the deadline passed in a wait for other processes of the grid: %s",
                       !missing ? "all of them answer by now" : missing == 1 ? "no answer from process" : "no answer from processes");
    for (int rank = 0; rank < p && listed < LISTED; ++rank)
        if (!spoke[rank]) at += tsl_print(g->why + at, sizeof g->why - (size_t)at, "%s %d", listed++ ? "," : "", rank);
    if (missing > listed) tsl_print(g->why + at, sizeof g->why - (size_t)at, " and %d more", missing - listed);
    free(spoke);
    if (missing && g->wire->ops->missing) g->wire->ops->missing(g->wire);
}

void tsl_break(tsl_grid *g)
{
    if (!g->broken) give_up(g, TSL_ERR_MPI);
}

void tsl_too_late(tsl_grid *g)
{
    if (g->broken) return;
    give_up(g, TSL_ERR_LATE);
    call_roll(g, NOBODY);
}

bool tsl_listen(tsl_grid *g)
{
    int news = 0, who = g->broken ? NOBODY : hear(g, &news);
    if (who == NOBODY) return !g->broken;
    give_up(g, who == FAILED ? TSL_ERR_MPI : (tsl_status)news);
    if (g->news == TSL_ERR_LATE) call_roll(g, who);
    return false;
}

tsl_patience tsl_patience_now(double seconds) { return (tsl_patience){seconds > 0 ? seconds : INFINITY, seconds > 0 ? tsl_now() : 0}; }

bool tsl_patience_ends(tsl_patience *p)
{
    if (isinf(p->left)) return false;
    double now = tsl_now();
    p->left -= fmin(now - p->seen, 1);
    p->seen = now;
    return p->left <= 0;
}
