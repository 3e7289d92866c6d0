/* Deflate, the compression of zip archives (RFC 1951), and their check sum. Blocks follow each other, each stored, or with
 * Huffman codes that are fixed or its own: a symbol is a byte, the end of the block, or a length, which a distance follows:
 * what to copy of the output so far. */
#include <string.h>

#include "cli/file/zip.h"

enum { LONGEST = 15, LITERALS = 288, DISTANCES = 30, END = 256 };

typedef struct reader {
    const unsigned char *at, *end;
    uint64_t hold; /* bits that are not used yet, the next one lowest; zeros behind the last */
    int count;
    bool bad;
} reader;

typedef struct code {
    int bits;                       /* of the longest word */
    uint16_t entry[1 << LONGEST];   /* by the next bits: symbol << 4 | length of its word; 0: no word begins so */
} code;

static void refill(reader *r)
{
    while (r->count <= 56 && r->at < r->end) {
        r->hold |= (uint64_t)*r->at++ << r->count;
        r->count += 8;
    }
}

static void drop(reader *r, int n)
{
    r->bad |= n > r->count;
    r->hold >>= n;
    r->count -= n;
}

static unsigned take(reader *r, int n)
{
    refill(r);
    unsigned v = (unsigned)(r->hold & ((1u << n) - 1));
    drop(r, n);
    return r->bad ? 0 : v;
}

/* Words of one length are consecutive numbers in the order of their symbols, those of the next length follow, and they come
 * highest bit first. False: more words than there can be; or fewer, unless there is at most one. */
static bool make(code *c, const unsigned char *length, int symbols)
{
    int number[LONGEST + 2] = {0}, next[LONGEST + 2] = {0}, words = 0;
    int64_t left = 1;
    c->bits = 1;
    for (int s = 0; s < symbols; s++)
        if (length[s]) {
            number[length[s]]++;
            words++;
            c->bits = length[s] > c->bits ? length[s] : c->bits;
        }
    for (int b = 1; b <= LONGEST; b++) {
        left = 2 * left - number[b];
        if (left < 0)
            return false;
        next[b + 1] = (next[b] + number[b]) << 1;
    }
    memset(c->entry, 0, sizeof *c->entry << c->bits);
    for (int s = 0; s < symbols; s++) {
        if (!length[s])
            continue;
        unsigned word = (unsigned)next[length[s]]++, turned = 0;
        for (int b = 0; b < length[s]; b++)
            turned |= (word >> b & 1) << (length[s] - 1 - b);
        for (unsigned at = turned; at < 1u << c->bits; at += 1u << length[s])
            c->entry[at] = (uint16_t)(s << 4 | length[s]);
    }
    return left == 0 || words <= 1;
}

static int symbol(reader *r, const code *c)
{
    refill(r);
    unsigned entry = c->entry[r->hold & ((1u << c->bits) - 1)];
    drop(r, (int)(entry & 15));
    r->bad |= !entry;
    return r->bad ? END : (int)(entry >> 4);
}

static bool fixed_codes(code *literal, code *distance)
{
    unsigned char length[LITERALS];
    memset(length, 8, 144);
    memset(length + 144, 9, 112);
    memset(length + 256, 7, 24);
    memset(length + 280, 8, 8);
    if (!make(literal, length, LITERALS))
        return false;
    memset(length, 5, 32); /* two of them mean nothing */
    return make(distance, length, 32);
}

/* The lengths of both codes' words, themselves in a code; 16, 17 and 18 repeat. */
static bool own_codes(reader *r, code *literal, code *distance)
{
    static const unsigned char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char length[LITERALS + 32] = {0};
    int literals = (int)take(r, 5) + 257, distances = (int)take(r, 5) + 1, lengths = (int)take(r, 4) + 4;
    for (int i = 0; i < lengths; i++)
        length[order[i]] = (unsigned char)take(r, 3);
    if (r->bad || literals > 286 || distances > DISTANCES || !make(literal, length, 19))
        return false;
    memset(length, 0, sizeof length);
    for (int i = 0; i < literals + distances;) {
        int s = symbol(r, literal), repeat = 1;
        unsigned char value = (unsigned char)s;
        if (s >= 16) {
            if (r->bad || (s == 16 && i == 0))
                return false;
            value = s == 16 ? length[i - 1] : 0;
            repeat = s == 16 ? 3 + (int)take(r, 2) : s == 17 ? 3 + (int)take(r, 3) : 11 + (int)take(r, 7);
        }
        if (r->bad || i + repeat > literals + distances)
            return false;
        memset(length + i, value, (size_t)repeat);
        i += repeat;
    }
    return length[END] && make(literal, length, literals) && make(distance, length + literals, distances);
}

/* Lengths from 3 on, distances from 1 on: groups of symbols with one more bit each behind them. */
static unsigned length_of(reader *r, int s)
{
    s -= 257;
    if (s < 8 || s == 28)
        return s == 28 ? 258 : (unsigned)s + 3;
    int more = s / 4 - 1;
    return 3 + ((4u + (unsigned)s % 4) << more) + take(r, more);
}

static unsigned distance_of(reader *r, int s)
{
    if (s < 4)
        return (unsigned)s + 1;
    int more = s / 2 - 1;
    return 1 + ((2u + (unsigned)s % 2) << more) + take(r, more);
}

static bool coded(reader *r, const code *literal, const code *distance, unsigned char *out, size_t size, size_t *done)
{
    for (size_t at = *done;;) {
        int s = symbol(r, literal);
        if (s == END) {
            *done = at;
            return !r->bad;
        }
        if (s < END) {
            if (at == size)
                return false;
            out[at++] = (unsigned char)s;
            continue;
        }
        size_t length = s <= 285 ? length_of(r, s) : 0;
        int d = symbol(r, distance);
        size_t back = d < DISTANCES ? distance_of(r, d) : 0;
        if (r->bad || !length || !back || back > at || length > size - at)
            return false;
        for (size_t i = 0; i < length; i++, at++) /* one after the other: they may overlap */
            out[at] = out[at - back];
    }
}

static bool stored(reader *r, unsigned char *out, size_t size, size_t *done)
{
    drop(r, r->count % 8);
    unsigned length = take(r, 16), inverse = take(r, 16);
    if (r->bad || (length ^ inverse) != 0xffff || length > size - *done)
        return false;
    for (; length && !r->bad; length--)
        out[(*done)++] = (unsigned char)take(r, 8);
    return !r->bad;
}

bool cli_inflate(const unsigned char *from, size_t bytes, unsigned char *to, size_t size)
{
    static code literal, distance;
    reader r = {from, from + bytes, 0, 0, false};
    size_t done = 0;
    for (bool last = false; !last;) {
        last = take(&r, 1);
        unsigned kind = take(&r, 2);
        if (r.bad || kind == 3)
            return false;
        if (kind == 0 ? !stored(&r, to, size, &done)
                      : !(kind == 1 ? fixed_codes(&literal, &distance) : own_codes(&r, &literal, &distance)) ||
                            !coded(&r, &literal, &distance, to, size, &done))
            return false;
    }
    return done == size;
}

/* The remainder modulo the polynomial of degree 32, its bits turned around; eight bytes at a time. */
uint32_t cli_crc32(uint32_t crc, const void *data, size_t bytes)
{
    static uint32_t table[8][256];
    const unsigned char *p = data;
    if (!table[0][1])
        for (uint32_t b = 0; b < 256; b++) {
            table[0][b] = b;
            for (int i = 0; i < 8; i++)
                table[0][b] = table[0][b] >> 1 ^ (table[0][b] & 1 ? 0xedb88320u : 0);
        }
    for (int k = 1; k < 8 && !table[k][1]; k++)
        for (int b = 0; b < 256; b++)
            table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
    crc = ~crc;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = table[7][crc & 255] ^ table[6][crc >> 8 & 255] ^ table[5][crc >> 16 & 255] ^ table[4][crc >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^
              table[1][p[6]] ^ table[0][p[7]];
    }
    for (; bytes; bytes--)
        crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
    return ~crc;
}
