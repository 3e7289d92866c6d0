/* Numbers by keys: open addressing, at most half full. */
#include <stdlib.h>

#include "grid/clock/clock.h"

static size_t place(const tsl_map *m, uint64_t key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (m->room - 1);
    while (m->key[at] && m->key[at] != key) at = (at + 1) & (m->room - 1);
    return at;
}

static bool grow(tsl_map *m)
{
    tsl_map larger = {.room = m->room ? 2 * m->room : 1024, .count = m->count};
    larger.key = calloc(larger.room, sizeof *larger.key);
    larger.value = calloc(larger.room, sizeof *larger.value);
    if (!larger.key || !larger.value) {
        tsl_map_free(&larger);
        return false;
    }
    for (size_t i = 0; i < m->room; ++i)
        if (m->key[i]) {
            size_t at = place(&larger, m->key[i]);
            larger.key[at] = m->key[i], larger.value[at] = m->value[i];
        }
    tsl_map_free(m);
    *m = larger;
    return true;
}

double *tsl_map_at(tsl_map *m, uint64_t key)
{
    if (2 * m->count >= m->room && !grow(m)) return NULL;
    size_t at = place(m, key);
    if (!m->key[at]) m->key[at] = key, ++m->count;
    return &m->value[at];
}

const double *tsl_map_find(const tsl_map *m, uint64_t key)
{
    if (!m->room) return NULL;
    size_t at = place(m, key);
    return m->key[at] ? &m->value[at] : NULL;
}

void tsl_map_free(tsl_map *m)
{
    free(m->key), free(m->value);
    *m = (tsl_map){0};
}
