/* A strip of a panel of LU: columns [k, end), which one leaf (lu_strip) eliminates from each other. Several processes have rows
 * of the panel: each its own, and a copy of the first ones. For each column each process tells the others a candidate for the
 * pivot, with its row's part of a block of columns, and every one of them takes the best. When a block ends all have the rows
 * of its pivots, all n columns of them. There are two ways for that:
 *   by peers  Each process has an inbox in the memory of its device, and all leaves write to all inboxes: candidates, and rows,
 *             by the process that has the pivot.
 *   by host   A leaf tells its own host of its candidate, and of the row if that becomes the pivot, in memory that both see.
 *             The host answers with the best of all processes and, when the block ends, with the rows.
 *
 * Nobody waits for long. A leaf that has waited for longer than its patience leaves: it puts what it has done into memory, says
 * so (`left`), and ends. The host calls it again, and it goes on from there. So it makes no difference when, in which order, or
 * how many at a time the leaves of different processes are at work. What has been told to others is told once: a leaf that
 * others have ended with writes nothing to them any more. */
#ifndef TSL_LU_STRIP_H
#define TSL_LU_STRIP_H

#include <string.h>

#include "core/numbers/cyclic.h"
#include "core/values.h"
#include "kernel/letter.h"
#include "kernel/lu_column.h"

#define TSL_STRIP_CALL TSL_CYCLIC_CALL /* for host and device */

/* Columns of a strip, at most, and of its blocks (the entry of the leaf says how many it takes); CTAs that have rows, and
 * processes that tell each other as peers, at most; copies of what many CTAs look at, at most; rows and columns of a panel that
 * can be counted */
enum { TSL_STRIP_COLUMNS = 128, TSL_STRIP_BLOCK = 8, TSL_STRIP_CTAS = 160, TSL_STRIP_PEERS = 64, TSL_STRIP_COPIES = 8 };
static const int64_t TSL_STRIP_ROWS = ((int64_t)1 << 40) - 2, TSL_STRIP_WIDEST = (int64_t)1 << 22;

/* How far a CTA, or a leaf of the host's, has come. FRESH: column `step` is up to date, and nobody has been told. BLOCK: it is
 * the first of a block, which the block before is still to be eliminated from. TOLD: the other processes have been told of this
 * one's candidate. HEARD: and it is known who has the pivot, but its row is not here. */
typedef enum tsl_strip_stage { TSL_STRIP_FRESH, TSL_STRIP_BLOCKED, TSL_STRIP_TOLD, TSL_STRIP_HEARD } tsl_strip_stage;

typedef struct tsl_strip_state {
    int64_t strip; /* it is about the strip that begins with column strip - 1; 0: about none */
    int64_t step, stage;
    int64_t row;   /* lu_column's, of the column before: where the pivot was, if that is here */
    int64_t picked[TSL_STRIP_COLUMNS]; /* the pivots so far, as rows of the panel */
} tsl_strip_state;

/* What host and leaf both see. After it come letters, of an element one or two, and rows. */
typedef struct __attribute__((aligned(16))) tsl_strip_shared {
    int64_t left;                               /* some CTA has left */
    tsl_lu_candidate chosen[TSL_STRIP_COLUMNS]; /* the pivots */
} tsl_strip_shared;

static inline int tsl_strip_words(tsl_type t) { return tsl_type_size(t) > 8 ? 2 : 1; }
/* Letters of a candidate: its size, its row, and elements of that in a block */
TSL_STRIP_CALL int tsl_strip_few(int words) { return 2 + TSL_STRIP_BLOCK * words; }
/* From the leaf: a candidate */
TSL_STRIP_CALL tsl_letter *tsl_strip_question(tsl_strip_shared *s) { return (tsl_letter *)(s + 1); }
/* From the host: the best, in two places, by turns */
TSL_STRIP_CALL tsl_letter *tsl_strip_answer(tsl_strip_shared *s, int words, int64_t j)
{
    return tsl_strip_question(s) + (1 + j % 2) * tsl_strip_few(words);
}
/* From the leaf: the row of the block's i-th pivot, which it had, is there. From the host: all rows of the block are. */
TSL_STRIP_CALL tsl_letter *tsl_strip_row_told(tsl_strip_shared *s, int words, int64_t i)
{
    return tsl_strip_question(s) + 3 * tsl_strip_few(words) + i;
}
TSL_STRIP_CALL tsl_letter *tsl_strip_rows_there(tsl_strip_shared *s, int words)
{
    return tsl_strip_row_told(s, words, TSL_STRIP_BLOCK);
}
/* The rows, of n elements of that size, as they are in memory */
TSL_STRIP_CALL size_t tsl_strip_pitch(int64_t n, size_t size) { return ((size_t)n * size + 15) / 16 * 16; }
TSL_STRIP_CALL char *tsl_strip_row(tsl_strip_shared *s, int words, int64_t n, size_t size, int64_t i)
{
    return (char *)(tsl_strip_rows_there(s, words) + 1) + (size_t)i * tsl_strip_pitch(n, size);
}
static inline size_t tsl_strip_shared_bytes(tsl_type t, int64_t n)
{
    size_t letters = 3 * (size_t)tsl_strip_few(tsl_strip_words(t)) + TSL_STRIP_BLOCK + 1;
    size_t row = tsl_times((size_t)n, tsl_type_size(t));
    return tsl_plus(sizeof(tsl_strip_shared) + letters * sizeof(tsl_letter), tsl_times(TSL_STRIP_BLOCK, tsl_plus(row, 16)));
}

/* Copies of the candidates of so many sources, processes or the host; and letters from one copy to the next */
TSL_STRIP_CALL int tsl_strip_copies(int sources) { return sources <= 2 ? TSL_STRIP_COPIES : sources >= 16 ? 1 : 16 / sources; }
TSL_STRIP_CALL int tsl_strip_apart(int sources, int words) { return (sources * tsl_strip_few(words) + 31) / 32 * 32; }

/* An inbox, of a panel of n columns; where each part begins, in bytes. Up to `cleared` it begins as zeros. */
typedef struct tsl_strip_inbox {
    size_t others;     /* where the inbox of each process is */
    size_t told;       /* messages of the CTAs to those of the same process: two sets, by turns, of copies of one from each */
    size_t candidates; /* two sets, by turns, of copies of the candidates of all */
    size_t rows;       /* letters: the rows of the pivots */
    size_t states;     /* of the CTAs, and of the one after these that brings the host's answers */
    size_t cleared;
    size_t solved;     /* the strip's rows of U, what is right of each one's block */
    size_t column;     /* of a leaf of the host's: what lu_column leaves */
    size_t places;     /* of rows: which rows of the panel they have become by exchanges */
    size_t bytes;
} tsl_strip_inbox;

/* rows: that the process has, the first ones among them */
static inline tsl_strip_inbox tsl_strip_inbox_of(tsl_type t, int64_t n, int64_t rows, int processes)
{
    const size_t letter = sizeof(tsl_letter), few = TSL_STRIP_COLUMNS;
    const int words = tsl_strip_words(t);
    const int64_t host = TSL_STRIP_COPIES * tsl_strip_apart(1, words);
    const int64_t peers = (int64_t)tsl_strip_copies(processes) * tsl_strip_apart(processes, words);
    tsl_strip_inbox b;
    b.others = 0;
    b.told = tsl_rounded(tsl_times((size_t)processes, sizeof(void *)), letter);
    b.candidates = tsl_plus(b.told, (size_t)2 * TSL_STRIP_COPIES * TSL_STRIP_CTAS * letter);
    b.rows = tsl_plus(b.candidates, tsl_times(2 * (size_t)tsl_max(host, peers), letter));
    b.states = tsl_plus(b.rows, tsl_times(few * (size_t)words, tsl_times((size_t)n, letter)));
    b.cleared = tsl_plus(b.states, (TSL_STRIP_CTAS + 1) * sizeof(tsl_strip_state));
    b.solved = tsl_rounded(b.cleared, letter);
    b.column = tsl_plus(b.solved, few * few * tsl_type_size(t));
    b.places = tsl_rounded(tsl_plus(b.column, tsl_lu_bytes(t, n)), letter);
    b.bytes = tsl_plus(b.places, tsl_times((size_t)rows, sizeof(int64_t)));
    return b;
}

/* What letters about column j are tagged with; and those that say that all columns before `end` are done */
TSL_STRIP_CALL uint32_t tsl_strip_tag(int64_t j) { return (uint32_t)(2 * j + 2); }
TSL_STRIP_CALL uint32_t tsl_strip_end_tag(int64_t end) { return (uint32_t)(2 * end + 1); }

/* A candidate as letters and back, and `count` elements at `from`, or to `to`. Not all of them are there: false. */
static inline void tsl_strip_put(const tsl_lu_candidate *c, tsl_letter *to, uint32_t tag)
{
    uint64_t size;
    memcpy(&size, &c->size, sizeof size);
    tsl_letter_put(to, size, tag);
    tsl_letter_put(to + 1, (uint64_t)c->row, tag);
}

static inline bool tsl_strip_get(const tsl_letter *from, uint32_t tag, tsl_lu_candidate *c)
{
    uint64_t size, row;
    if (!tsl_letter_get(from, tag, &size) || !tsl_letter_get(from + 1, tag, &row)) return false;
    memcpy(&c->size, &size, sizeof size);
    c->row = (int64_t)row;
    return true;
}

static inline void tsl_strip_put_elements(const void *from, tsl_type t, int64_t count, tsl_letter *to, uint32_t tag)
{
    size_t words = (size_t)count * (size_t)tsl_strip_words(t), bytes = tsl_type_size(t) / (size_t)tsl_strip_words(t);
    for (size_t i = 0; i < words; ++i) {
        uint64_t word = 0;
        memcpy(&word, (const char *)from + i * bytes, bytes);
        tsl_letter_put(to + i, word, tag);
    }
}

static inline bool tsl_strip_get_elements(void *to, tsl_type t, int64_t count, const tsl_letter *from, uint32_t tag)
{
    size_t words = (size_t)count * (size_t)tsl_strip_words(t), bytes = tsl_type_size(t) / (size_t)tsl_strip_words(t);
    for (size_t i = 0; i < words; ++i) {
        uint64_t word;
        if (!tsl_letter_get(from + i, tag, &word)) return false;
        memcpy((char *)to + i * bytes, &word, bytes);
    }
    return true;
}

#endif
