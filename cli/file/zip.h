/* What .npz archives are made of. */
#ifndef CLI_FILE_ZIP_H
#define CLI_FILE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* inflate.c */
/* exactly so many; false: it is not that */
bool cli_inflate(const unsigned char *from, size_t bytes, unsigned char *to, size_t size);
uint32_t cli_crc32(uint32_t crc, const void *data, size_t bytes); /* of what follows what `crc`, 0 at first, is of */

#endif
