/* Every row of core/ops.def has a line here: it is a step of random programs, a routine's, or has no public call. */
#ifndef FUZZ_ROWS_H
#define FUZZ_ROWS_H

#include "calls.h"
#include "tests/support/tap.h"

/* Parts of algorithms. scripts/check-operation sees that tesela.h has no call of theirs. */
static const char *const internal_rows =
    "butterfly pick colnorm ratio singular lu_column lu_strip lasyf lasyf_columns syconv sydiv larft geqrt lapmt fixed trrank "
    "lsdiv laqp2 laqps latrd "
    "sb2st sb2st_some sb2st_part sb2sb ormtr_sb2st band gb2bd unfold fold signs labrd orhr bdsign "
    "merge_vectors lahr2 laqrs laqr3 laqr5 laqru gebal trevc lasyl equil trsqrt tstrf ssssm tsqrt tsmqr rowsign";

static inline bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

/* How many times a row is named, and whether it may be */
static inline int lines_of(const char *row)
{
    int lines = has_word(internal_rows, row);
    for (int k = 0; k < KINDS; k++) lines += !strcmp(kind_name[k], row);
    for (int k = 0; k < ROUTINES; k++) lines += has_word(routines[k].rows, row);
    return lines;
}

static inline void check_rows(void)
{
    static const struct {
        const char *name, *types;
    } rows[] = {
#define TSL_OPERATION(id, name, types, ...) {#name, types},
#include "core/ops.def"
#undef TSL_OPERATION
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(lines_of(rows[i].name) > 0, "%s has no line in tests/fuzz", rows[i].name);
        check(!*rows[i].types || !has_word(internal_rows, rows[i].name), "%s has typed calls", rows[i].name);
    }
    checked("every row of core/ops.def has a line");
}

#endif
