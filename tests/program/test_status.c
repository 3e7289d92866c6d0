/* Statuses, element types and the version. */
#include <math.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

typedef struct status_row {
    tsl_status st;
    const char *name, *text;
} status_row;

static const status_row rows[] = {
#define ROW(name, value, text) {name, #name, text},
    TSL_STATUS_LIST(ROW)
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

static void test_list(void)
{
    ok(TSL_OK == 0, "success is zero");
    for (int i = 0; i < ROWS; i++) {
        ok(!strcmp(tsl_status_name(rows[i].st), rows[i].name), "%s: its name", rows[i].name);
        ok(!strcmp(tsl_status_text(rows[i].st), rows[i].text), "%s: its text", rows[i].name);
        int twin = 0;
        for (int j = 0; j < i; j++)
            twin |= rows[i].st == rows[j].st || !strcmp(rows[i].text, rows[j].text);
        ok(!twin, "%s: value and text are its own", rows[i].name);
    }
}

static void test_unknown(void)
{
    static const int unknown[] = {-1, ROWS, 1000, -2147483647};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const char *text = tsl_status_text((tsl_status)unknown[i]), *name = tsl_status_name((tsl_status)unknown[i]);
        ok(text && *text && strcmp(text, rows[0].text), "status %d: a text, not that of success", unknown[i]);
        ok(name && *name && strcmp(name, rows[0].name), "status %d: a name, not that of success", unknown[i]);
    }
}

static void test_types(void)
{
    static const struct {
        tsl_type t;
        size_t size;
        double eps;
        char letter;
    } types[] = {{TSL_S, 4, 0x1p-24, 's'}, {TSL_D, 8, 0x1p-53, 'd'}, {TSL_C, 8, 0x1p-24, 'c'}, {TSL_Z, 16, 0x1p-53, 'z'}, {TSL_INDEX, 8, 0, 'i'}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        ok(tsl_type_size(types[i].t) == types[i].size, "%c: size", types[i].letter);
        ok(tsl_type_eps(types[i].t) == types[i].eps, "%c: unit roundoff", types[i].letter);
        ok(tsl_type_letter(types[i].t) == types[i].letter, "%c: letter", types[i].letter);
    }
    static const int unknown[] = {-1, TSL_INDEX + 1, 99};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        ok(tsl_type_size((tsl_type)unknown[i]) == 0, "type %d: no size", unknown[i]);
        ok(!strchr("sdczi", tsl_type_letter((tsl_type)unknown[i])) || !tsl_type_letter((tsl_type)unknown[i]),
           "type %d: no letter of another type", unknown[i]);
        ok(isfinite(tsl_type_eps((tsl_type)unknown[i])), "type %d: asking for the roundoff is harmless", unknown[i]);
    }
}

static void test_version(void)
{
    char want[32];
    snprintf(want, sizeof want, "%d.%d.%d", TSL_VERSION_MAJOR, TSL_VERSION_MINOR, TSL_VERSION_PATCH);
    ok(!strcmp(tsl_version(), want), "version %s is the header's", tsl_version());
    ok(tsl_libraries() && *tsl_libraries(), "the libraries in use are listed");
}

int main(void)
{
    test_list();
    test_unknown();
    test_types();
    test_version();
    return tap_done();
}
