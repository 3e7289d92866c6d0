/* The calls on views: a function, a description and a line of the table of each. */
#include "refused/table.h"

#include "refused/values.h"
#define CALL(name, types, ...)                                              \
    static tsl_status call_##name##_##types(tsl_context *x, const value *end) \
    {                                                                       \
        enum { END = __COUNTER__ };                                        \
        return tsl_##name(x, __VA_ARGS__);                                  \
    }
#include "refused/views.def"
#undef CALL

#include "refused/descriptions.h"
#define CALL(name, types, ...) static const argument of_##name##_##types[] = {__VA_ARGS__};
#include "refused/views.def"
#undef CALL

#define COUNT(list) (int)(sizeof list / sizeof *list)
#define CALL(name, types, ...) {#name, #types, false, call_##name##_##types, of_##name##_##types, COUNT(of_##name##_##types), NULL},
const line refused_views[] = {
#include "refused/views.def"
    {0}};
