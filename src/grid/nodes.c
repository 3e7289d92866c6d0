/* Grids know nodes: where nobody says how the processes are to lie, those of one machine are a block of the grid, as high as it
 * can be. Rows of LU change places, and what all rows need is spread, down the process columns while everybody waits, and
 * within a machine that is several times as fast; along the rows panels travel behind the update (docs/scaling.md). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/log.h"
#include "grid/grid.h"

/* TESELA_NODE=P: P processes, rank by rank, count as a machine; 0: it does not say */
static int said_node(void)
{
    const char *text = getenv("TESELA_NODE");
    char *end = NULL;
    if (!text || !*text) return 0;
    long asked = strtol(text, &end, 10);
    if (!*end && asked > 0 && asked <= INT32_MAX) return (int)asked;
    tsl_ignored(TSL_SETTING_NODE, "TESELA_NODE=%s ignored: it must be a number of processes", text);
    return 0;
}

bool tsl_grid_machines(tsl_grid *g, int64_t *machine)
{
    int64_t name[32] = {0}, mine;
    int node = said_node();
    gethostname((char *)name, sizeof name - 1);
    mine = node ? g->wire->rank / node : tsl_digest(name, 32);
    return tsl_all_gather(g, &mine, machine, sizeof mine);
}

/* Machines by number, in the order of their first processes, and of each process which of its machine it is. Returns how many
 * processes each has; 0: not all the same. */
static int number(const int64_t *machine, int p, int *node, int *member)
{
    int nodes = 0, first, of_first = 0;
    for (int i = 0; i < p; ++i) {
        for (first = 0; machine[first] != machine[i];) ++first;
        node[i] = first == i ? nodes++ : node[first];
        member[i] = 0;
        for (int j = first; j < i; ++j) member[i] += machine[j] == machine[i];
        of_first += first == 0;
    }
    for (int i = 0; i < p; ++i)
        if (member[i] >= of_first) return 0;
    return nodes * of_first == p ? of_first : 0;
}

/* As square as a grid can be that has no more rows than a machine has processes, or else one that is at most four times as wide
 * as high: panels of LU and QR take as long as they are high, and so does what goes down the columns between machines. */
static void shape(int p, int node, int size[2], int block[2])
{
    int rows = 1;
    for (int r = 1; r <= p / r; ++r)
        if (p % r == 0 && (r <= node || p / rows > 4 * rows)) rows = r;
    size[0] = rows, size[1] = p / rows;
    for (int r = 1; r <= node; ++r)
        if (node % r == 0 && size[0] % r == 0 && size[1] % (node / r) == 0) block[0] = r, block[1] = node / r;
}

/* Place by place down the columns: of the machines in the grid, and of the processes in a machine's block */
static void settle(tsl_grid *g, int *places, const int *node, const int *member, const int size[2], const int block[2])
{
    int p = g->wire->size, high = size[0] / block[0];
    g->place_of = places, g->rank_at = places + p;
    for (int i = 0; i < p; ++i) {
        int row = node[i] % high * block[0] + member[i] % block[0], col = node[i] / high * block[1] + member[i] / block[0];
        g->place_of[i] = row * size[1] + col;
        g->rank_at[g->place_of[i]] = i;
    }
    g->size[0] = size[0], g->size[1] = size[1];
    tsl_place_of(g, g->wire->rank, g->at);
}

void tsl_grid_by_machines(tsl_grid *g)
{
    int p = g->wire->size, size[2], block[2] = {0, 0};
    int64_t *machine = calloc((size_t)p, sizeof *machine);
    int *node = calloc(2 * (size_t)p, sizeof *node);
    int *places = calloc(2 * (size_t)p, sizeof *places);
    int64_t lacks = !machine || !node || !places, lack = 1;
    if (tsl_all_reduce(g, &lacks, &lack, 1, TSL_LARGEST) && !lack && tsl_grid_machines(g, machine)) {
        int of_each = number(machine, p, node, node + p);
        if (of_each > 1 && of_each < p) shape(p, of_each, size, block);
    }
    if (block[0]) settle(g, places, node, node + p, size, block);
    else free(places);
    if (!tsl_held(g)) free(machine);
    free(node);
}

void tsl_grid_gone(tsl_grid *g)
{
    free(g->place_of);
    free(g);
}

int tsl_rank_at(const tsl_grid *g, int row, int col)
{
    int place = row * g->size[1] + col;
    return g->rank_at ? g->rank_at[place] : place;
}

void tsl_place_of(const tsl_grid *g, int rank, int at[2])
{
    int place = g->place_of ? g->place_of[rank] : rank;
    at[0] = place / g->size[1], at[1] = place % g->size[1];
}
