/* The typed calls, s d c z: the same of each. */
#include "refused/table.h"

#define FN(name) PASTE3(tsl_, P, name)
#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d) PASTE4_(a, b, c, d)
#define LOWER_d s
#define LOWER_z c
#define WIDE_s 0
#define WIDE_d 1
#define WIDE_c 0
#define WIDE_z 1
#define LETTER_float s
#define LETTER_double d
#define REAL_LETTER PASTE3(LETTER_, R, )
#define CALL(function, name, ...) CALL_(function, name, __VA_ARGS__)

#include "refused/values.h"
#define CALL_(function, name, ...)                                    \
    static tsl_status call_##function(tsl_context *x, const value *end) \
    {                                                                 \
        enum { END = __COUNTER__ };                                  \
        return function(x, __VA_ARGS__);                              \
    }
#define BODY "refused/typed_names.inc"
#include "core/types.inc"
#undef CALL_

#include "refused/descriptions.h"
#define CALL_(function, name, ...) static const argument of_##function[] = {__VA_ARGS__};
#include "core/types.inc"
#undef CALL_

#define COUNT(list) (int)(sizeof list / sizeof *list)
#define CALL_(function, name, ...) {#name, TYPE_WORD, true, call_##function, of_##function, COUNT(of_##function), #function},
const line refused_typed[] = {
#include "core/types.inc"
    {0}};
