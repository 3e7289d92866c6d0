/* How wide panels on a grid of processes are; the cost model (cli/model/model.c) counts by the same numbers. On cores: the
 * local library works on the host's. Several small blocks make a panel, so that products with it are efficient. */
#ifndef TSL_WIDTH_H
#define TSL_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

/* Of rank-k updates; of plain algorithms; of QR; of reflectors that are applied; of columns of a product that go to
 * where A is */
enum { TSL_WIDE_UPDATE = 256, TSL_WIDE_PANEL = 256, TSL_LEAST_PANEL = 32, TSL_WIDE_REFLECTORS = 64, TSL_WIDE_COLUMNS = 256 };

/* As many blocks of nb as make up `most`, or one */
static inline int64_t tsl_width_blocks(int64_t most, int64_t nb) { return nb < most ? most / nb : 1; }

/* Of an algorithm that looks ahead: `lines` rows or columns of processes are to have its panels in turn. */
static inline int64_t tsl_width_ahead(bool cores, int64_t nb, int lines)
{
    int64_t blocks = tsl_width_blocks(cores ? 128 : 256, nb);
    return (blocks - (blocks - 1) % lines) * nb;
}

/* Of a solve: where one row of processes has all of B none waits for another's panel, and wider ones are better. */
static inline int64_t tsl_width_solve(bool cores, int64_t nb, int lines)
{
    return lines > 1 ? tsl_width_ahead(cores, nb, lines) : tsl_width_blocks(TSL_WIDE_PANEL, nb) * nb;
}

/* Of the inner dimension of a product, in blocks of nb; 1: not distributed */
static inline int64_t tsl_width_product(bool cores, int64_t nb)
{
    return tsl_width_blocks(cores ? 256 : 1024, nb) * nb;
}

#endif
