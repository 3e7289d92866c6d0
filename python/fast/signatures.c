/* What functions of the library take, by the letters of _calls/library.py, and how one is called. */
#include "fast.h"

#define SIGNATURES(X)                                                                                                     \
    X(vve, (V, V, E), (a[0].v, a[1].v, a[2].e))                                                                            \
    X(vI, (V, P), (a[0].v, a[1].p)) X(vv, (V, V), (a[0].v, a[1].v)) X(vvI, (V, V, P), (a[0].v, a[1].v, a[2].p))            \
    X(vvv, (V, V, V), (a[0].v, a[1].v, a[2].v)) X(vvvI, (V, V, V, P), (a[0].v, a[1].v, a[2].v, a[3].p))                    \
    X(eavv, (E, A, V, V), (a[0].e, a[1].a, a[2].v, a[3].v))                                                                \
    X(vdvII, (V, D, V, P, P), (a[0].v, a[1].d, a[2].v, a[3].p, a[4].p))                                                    \
    X(vvvvv, (V, V, V, V, V), (a[0].v, a[1].v, a[2].v, a[3].v, a[4].v))                                                    \
    X(vWvvII, (V, P, V, V, P, P), (a[0].v, a[1].p, a[2].v, a[3].v, a[4].p, a[5].p))                                         \
    X(ivvWvvII, (I, V, V, P, V, V, P, P), (a[0].i, a[1].v, a[2].v, a[3].p, a[4].v, a[5].v, a[6].p, a[7].p))                 \
    X(vevvvI, (V, E, V, V, V, P), (a[0].v, a[1].e, a[2].v, a[3].v, a[4].v, a[5].p))                                         \
    X(vvvvvI, (V, V, V, V, V, P), (a[0].v, a[1].v, a[2].v, a[3].v, a[4].v, a[5].p))                                         \
    X(vevvvII, (V, E, V, V, V, P, P), (a[0].v, a[1].e, a[2].v, a[3].v, a[4].v, a[5].p, a[6].p))

typedef tsl_view V;
typedef tsl_scalar A;
typedef double D;
typedef int E;
typedef int64_t I;
typedef void *P;
#define OPENED(...) __VA_ARGS__
#define CALL(letters, takes, gives)                                                           \
    static tsl_status call_##letters(function f, tsl_context *x, const argument *a)          \
    {                                                                                         \
        return ((tsl_status(*)(tsl_context *, OPENED takes))f)(x, OPENED gives);              \
    }
SIGNATURES(CALL)

static const struct {
    const char *letters;
    tsl_status (*call)(function f, tsl_context *x, const argument *a);
} signatures[] = {
#define ROW(letters, takes, gives) {#letters, call_##letters},
    SIGNATURES(ROW)};

enum { KINDS = sizeof signatures / sizeof *signatures };

const char *letters_of(int kind) { return kind < 0 || kind >= KINDS ? NULL : signatures[kind].letters; }

/* The number of these letters, after x; None: there is none */
PyObject *signature(PyObject *module, PyObject *letters)
{
    (void)module;
    for (int i = 0; i < KINDS; ++i)
        if (PyUnicode_CompareWithASCIIString(letters, signatures[i].letters) == 0) return PyLong_FromLong(i);
    Py_RETURN_NONE;
}

tsl_status call_by(int kind, function f, tsl_context *x, const argument *a) { return signatures[kind].call(f, x, a); }
