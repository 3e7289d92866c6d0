/* Process grids. */
#include <stdlib.h>
#include <string.h>

#include "grid/entry.h"
#include "grid/grid.h"
#include "tune/numbers.h"

/* Of a chase, at once: one of order 16384, with a band of 64, takes an H200 no longer per sweep than a small one. */
enum { CHUNKS = 256 };

size_t tsl_wire_most(size_t most)
{
    const char *text = getenv("TESELA_MESSAGE"); /* smaller ones, to test that messages are cut */
    char *end = NULL;
    if (!text || !*text) return most;
    long long asked = strtoll(text, &end, 10);
    if (!*end && asked > 0 && (unsigned long long)asked <= most) return (size_t)asked;
    tsl_ignored(TSL_SETTING_MESSAGE, "TESELA_MESSAGE=%s ignored: it must be a number of bytes up to %zu", text, most);
    return most;
}

/* A number from the environment; below 0: it does not say */
static int64_t asked_for(const char *name, tsl_setting setting, const char *what)
{
    const char *text = getenv(name);
    char *end = NULL;
    if (!text || !*text) return -1;
    long long asked = strtoll(text, &end, 10);
    if (!*end && asked >= 0) return asked;
    tsl_ignored(setting, "%s=%s ignored: it must be a number of %s", name, text, what);
    return -1;
}

bool tsl_panel_stays(const tsl_context *x, const tsl_grid *g, int64_t rows, bool single)
{
    return g->tall < 0 ? !single && rows >= tsl_tuned(x, TSL_TUNED_PANEL_STAYS) : rows >= g->tall;
}

/* What is wrong with the shape asked for, of p processes. */
static tsl_status check(int rows, int cols, int p)
{
    if (rows >= 1 && cols >= 1 && rows <= p && cols <= p && rows * cols == p) return TSL_OK;
    if (rows < 1 || cols < 1) return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d processes; both must be positive, or both 0", rows, cols);
    return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d processes asked for, the communicator has %d", rows, cols, p);
}

static tsl_status given_up(const tsl_grid *g)
{
    tsl_status st = (tsl_status)g->news;
    return tsl_fail(NULL, st, "grid: %s", st == TSL_ERR_LATE ? g->why : tsl_status_text(st));
}

/* The worst of all processes' statuses; and whether they ask for the same shape. *open: nobody says one, here; and anywhere */
static tsl_status agreed(tsl_grid *g, tsl_status st, int rows, int cols, bool *open)
{
    int64_t mine[] = {st, rows, -rows, cols, -cols, g->tall, -g->tall, g->parts, -g->parts, !*open}, most[10];
    if (!tsl_all_reduce(g, mine, most, 10, TSL_LARGEST)) return given_up(g);
    *open = !most[9];
    tsl_status worst = (tsl_status)most[0];
    if (worst && st != worst) return tsl_fail(NULL, worst, "grid: on another process: %s", tsl_status_text(worst));
    if (worst) return worst;
    if (most[5] != -most[6]) return tsl_fail(NULL, TSL_ERR_GRID, "grid: the processes differ in TESELA_PANELS");
    if (most[7] != -most[8]) return tsl_fail(NULL, TSL_ERR_GRID, "grid: the processes differ in TESELA_PARTS");
    if (most[1] == -most[2] && most[3] == -most[4]) return TSL_OK;
    return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d asked for here, another shape on another process", rows, cols);
}

/* All but its description. */
static void dispose(tsl_grid *g)
{
    tsl_channel_close(g, g->broken);
    g->wire->ops->close(g->wire, g->broken);
    g->wire = NULL;
}

tsl_grid *tsl_grid_make(tsl_wire *w, int rows, int cols)
{
    tsl_grid *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    *g = (tsl_grid){.wire = w,
                    .lingers = w->ops->lingers,
                    .size = {rows, cols},
                    .tall = asked_for("TESELA_PANELS", TSL_SETTING_PANELS, "rows"),
                    .parts = asked_for("TESELA_PARTS", TSL_SETTING_PARTS, "parts"),
                    .chunks = CHUNKS,
                    .patience = tsl_deadline(),
                    .sample = {.weight = {1}, .part = TSL_OP_COUNT, .alike = 1},
                    .ops = &tsl_dist_ops,
                    .perform = tsl_perform,
                    .catch_up = tsl_beside_do,
                    .finish = tsl_beside_finish};
    tsl_place_of(g, w->rank, g->at);
    return g;
}

/* Nothing of it is known yet but what joins the processes; where there is no memory for more, all hear of that. */
static tsl_status no_memory(tsl_wire *w)
{
    static const int news = TSL_ERR_MEMORY;
    for (int rank = 0; rank < w->size; ++rank)
        if (rank != w->rank) w->ops->tell(w, rank, TSL_TAG_NEWS, &news);
    w->ops->close(w, true);
    return tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
}

tsl_status tsl_grid_over(tsl_wire *w, tsl_status st, int rows, int cols, tsl_grid **grid)
{
    bool open = rows == 0 && cols == 0; /* nobody says how it is to be */
    if (open) tsl_grid_square(w->size, &rows, &cols);
    if (!st) st = check(rows, cols, w->size);
    if (!st && !grid) st = tsl_fail(NULL, TSL_ERR_NULL, "grid: no place for the result");
    bool fits = rows > 0 && cols > 0 && (int64_t)rows * cols == w->size;
    tsl_grid *g = fits ? tsl_grid_make(w, rows, cols) : tsl_grid_make(w, 1, w->size);
    if (!g) return no_memory(w);
    st = agreed(g, st, rows, cols, &open);
    if (!st && open && w->size > 1) tsl_grid_by_machines(g);
    if (!st && g->broken) st = given_up(g);
    if (st) {
        bool held = tsl_held(g);
        dispose(g);
        if (!held) tsl_grid_gone(g);
        return st;
    }
    tsl_alive(&g->handle, NULL);
    *grid = g;
    return TSL_OK;
}

void tsl_grid_free(tsl_grid *g)
{
    if (!g || !tsl_ends(&g->handle)) return;
    dispose(g);
    g->ended = true;
    if (!g->matrices && !tsl_held(g)) tsl_grid_gone(g);
}

int tsl_grid_rows(const tsl_grid *g) { return g ? g->size[0] : 0; }
int tsl_grid_cols(const tsl_grid *g) { return g ? g->size[1] : 0; }
int tsl_grid_row(const tsl_grid *g) { return g ? g->at[0] : -1; }
int tsl_grid_col(const tsl_grid *g) { return g ? g->at[1] : -1; }

int tsl_grid_place(const tsl_grid *g, int rank, int *row, int *col)
{
    int at[2];
    if (!g || rank < 0 || rank >= g->size[0] * g->size[1]) return 0;
    tsl_place_of(g, rank, at);
    if (row) *row = at[0];
    if (col) *col = at[1];
    return 1;
}
