/* From a band to tridiagonal form by several accelerators: what its files share. In sweep s chunk t begins in row s + 1 + t kd.
 * Columns stay with a process: process q has those from 1 + q own on, in two regions, and column 0 is the first one's. Sweeps
 * are made in groups of w, a multiple of kd. In sweep j of a group a region has the chunks from a - j on, a being the chunk
 * that begins where the region does. So with each sweep it takes a chunk from the region before it and gives one to the region
 * after it, of which it needs nothing before the group is done. There are no chunks before 0: regions vanish from the left. */
#ifndef TSL_GRID_CHASE_TILES_H
#define TSL_GRID_CHASE_TILES_H

#include "grid/form/form.h"

typedef struct tsl_tiling {
    int64_t n, kd, w;           /* order, diagonals beside the main one; sweeps of a group */
    int64_t own, half;          /* columns of a process, chunks of its first region; 0: there is but one */
    int64_t groups, per;        /* groups; so many together leave reflectors, a piece */
    int64_t reach, above;       /* columns, and chunks, that a region takes in a group, in sweeps after its first */
    int64_t drift;              /* chunks by which a process's columns move up in the groups of a piece after the first */
    int processes, me;          /* that chase; this one's place among all, which may be after these */
    bool keeps;                 /* reflectors */
} tsl_tiling;

/* The chunk of the first sweep of a group that begins where process q's columns do; it may be below 0 */
static inline int64_t tsl_chunk_of(const tsl_tiling *k, int64_t group, int64_t q)
{
    return (q * k->own - group * k->w) / k->kd;
}

/* The last group of the same piece: then are its chunks where their factors belong */
static inline int64_t tsl_last_group(const tsl_tiling *k, int64_t group) { return group / k->per * k->per + k->per - 1; }

/* Reflectors of a piece: V, rows as columns of the band are; tau: from `above` and `drift` chunks before those on that are
 * one's own in the last group */
typedef struct tsl_kept_piece {
    tsl_view V, tau;
    tsl_matrix of[2];
} tsl_kept_piece;

static inline int64_t tsl_factor_row(const tsl_tiling *k, int64_t group, int64_t chunk)
{
    return chunk - tsl_chunk_of(k, tsl_last_group(k, group), k->me) + k->above + k->drift;
}

/* A process keeps the elements of T of as many sweeps as it has columns. Others that begin here, since those columns were lent,
 * are in the first rows until they go to the process before. */
static inline int64_t tsl_element_row(const tsl_tiling *k, int64_t group)
{
    int64_t sweep = group * k->w - k->me * k->own;
    return sweep < 0 ? 0 : k->w + 1 + sweep;
}

/* chase_hand.c: what neighbours hand each other of a group of sweeps: columns, and with them reflectors that go on and factors
 * (right), or elements of T, reflectors and factors that belong to the other (left) */
typedef struct tsl_hands {
    tsl_context *x;
    tsl_grid *g;
    const tsl_tiling *k;
    tsl_view W, R, T;         /* columns of the band from `reach` before the own ones on; reflectors passed on; T's diagonals */
    tsl_matrix out[2], in[2]; /* in the device's memory, and where messages are seen */
    tsl_transfer t;
} tsl_hands;

void tsl_hands_room(tsl_hands *h);
/* To the process after this one, of that group and the piece `mine`, and from the one before it, of the next group; NULL:
 * not */
void tsl_hand_right(tsl_hands *h, const tsl_kept_piece *mine, const tsl_kept_piece *others, int64_t group);
/* To the process before this one, and from the one after it, of the group before; NULL: not */
void tsl_hand_left(tsl_hands *h, const tsl_kept_piece *mine, const tsl_kept_piece *others, int64_t group);

#endif
