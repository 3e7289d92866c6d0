/* Statuses, element types and the version: texts from the header's lists. */
#include "tesela.h"

const char *tsl_status_text(tsl_status st)
{
    switch (st) {
#define TEXT(name, value, text) case name: return text;
        TSL_STATUS_LIST(TEXT)
#undef TEXT
    }
    return "no such status";
}

const char *tsl_status_name(tsl_status st)
{
    switch (st) {
#define NAME(name, value, text) case name: return #name;
        TSL_STATUS_LIST(NAME)
#undef NAME
    }
    return "no such status";
}

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *tsl_version(void)
{
    return STRING(TSL_VERSION_MAJOR) "." STRING(TSL_VERSION_MINOR) "." STRING(TSL_VERSION_PATCH);
}

static const struct { size_t size; double eps; char letter; } types[] = {
    {4, 0x1p-24, 's'}, {8, 0x1p-53, 'd'}, {8, 0x1p-24, 'c'}, {16, 0x1p-53, 'z'}, {8, 0, 'i'}};

static int known(tsl_type t) { return t >= TSL_S && t <= TSL_INDEX; }

size_t tsl_type_size(tsl_type t) { return known(t) ? types[t].size : 0; }
double tsl_type_eps(tsl_type t) { return known(t) ? types[t].eps : 0; }
char tsl_type_letter(tsl_type t) { return known(t) ? types[t].letter : '?'; }
