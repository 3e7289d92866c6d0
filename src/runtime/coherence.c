/* The transitions of coherence.h, and the policies as data. */
#include "runtime/coherence.h"

#include <string.h>

const tsl_policy tsl_policies[] = {
    {.name = "basic", .write_through = true},
    {.name = "affinity", .keep_own = true, .write_through = true, .ahead = 1},
    {.name = "cache", .keep_own = true, .keep_alien = true, .write_through = true, .ahead = 2},
    {.name = "write-back", .keep_own = true, .keep_alien = true, .ahead = 2},
    {.name = "auto", .keep_own = true, .keep_alien = true, .peers = true, .free = true, .ahead = 6},
    {.name = NULL},
};

const tsl_policy *tsl_policy_find(const char *name)
{
    for (const tsl_policy *p = tsl_policies; p->name; ++p)
        if (!strcmp(p->name, name)) return p;
    return NULL;
}

static int lowest(uint64_t spaces) { return __builtin_ctzll(spaces); }

tsl_source tsl_line_source(const tsl_line *l, int s, bool peers, int *from)
{
    *from = l->home;
    if (tsl_line_valid(l, s)) return TSL_HERE;
    if (!l->valid) return TSL_NOTHING;
    if (tsl_line_valid(l, l->home)) return TSL_FROM_HOME;
    uint64_t queued = l->valid & ~l->coming;
    *from = lowest(queued ? queued : l->valid);
    return peers && s != l->home && s != TSL_HOST_SPACE ? TSL_FROM_PEER : TSL_VIA_HOME;
}

void tsl_line_fetch(tsl_line *l, int s)
{
    l->valid |= tsl_space_bit(s);
    l->coming |= tsl_space_bit(s);
}

void tsl_line_queued(tsl_line *l, int s) { l->coming &= ~tsl_space_bit(s); }

void tsl_line_lost(tsl_line *l, int s)
{
    l->valid &= ~tsl_space_bit(s);
    l->coming &= ~tsl_space_bit(s);
}

void tsl_line_discard(tsl_line *l) { l->valid = 0; }

void tsl_line_write(tsl_line *l, int s)
{
    l->valid = tsl_space_bit(s);
    l->coming = 0;
}

bool tsl_line_only(const tsl_line *l, int s) { return l->valid == tsl_space_bit(s); }

void tsl_line_drop(tsl_line *l, int s) { l->valid &= ~tsl_space_bit(s); }
