/* Runs of plans. */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

/* A run of a plan. */
typedef struct running {
    PyObject *slot[SLOTS];
    const step *entered; /* the library's work is being put in order */
    void *stream;        /* with this stream, if it is not so by itself */
} running;

static void put(running *r, int at, PyObject *o)
{
    PyObject *before = r->slot[at];
    r->slot[at] = o;
    Py_XDECREF(before);
}

static ending run_torch(running *r, const torch_step *s)
{
    PyObject *args = PyTuple_New(s->count), *made;
    if (!args) return RAISED;
    for (int i = 0; i < s->count; ++i)
        PyTuple_SetItem(args, i, held(s->from[i] < 0 ? PyTuple_GetItem(s->values, i) : r->slot[s->from[i]]));
    made = PyObject_Call(s->function, args, s->named);
    Py_DECREF(args);
    if (!made) return RAISED;
    if (s->outs == 1 && !PyTuple_Check(made)) return put(r, s->to[0], made), DONE;
    for (int i = 0; i < s->outs; ++i) {
        PyObject *o = PySequence_GetItem(made, i);
        if (!o) return Py_DECREF(made), RAISED;
        put(r, s->to[i], o);
    }
    Py_DECREF(made);
    return DONE;
}

static bool acquired(const step *s)
{
    PyObject *o = PyObject_CallObject(s->acquire, NULL);
    Py_XDECREF(o);
    return o != NULL;
}

/* An exception that is set stays what it is while something else is called. */
typedef struct failure {
    PyObject *kind, *value, *where;
} failure;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* since 3.12; what replaces them is not in 3.9 */
static failure put_aside(void)
{
    failure f;
    PyErr_Fetch(&f.kind, &f.value, &f.where);
    return f;
}

static void set_again(failure f)
{
    if (f.kind) PyErr_Restore(f.kind, f.value, f.where);
}
#pragma GCC diagnostic pop

static bool released(const step *s)
{
    failure f = put_aside();
    PyObject *o = PyObject_CallObject(s->release, NULL);
    Py_XDECREF(o);
    set_again(f);
    return o != NULL && !f.kind;
}

static ending order(const step *s, tsl_status (*how)(tsl_context *, void *), void *stream)
{
    tsl_context *x = context_of((const calls *)s->fast);
    tsl_status st;
    if (!acquired(s)) return RAISED;
    Py_BEGIN_ALLOW_THREADS
    st = how(x, stream);
    Py_END_ALLOW_THREADS
    return !released(s) ? RAISED : st ? BY_PYTHON : DONE;
}

static ending enter(running *r, const step *s)
{
    PyObject *o = PyObject_CallFunctionObjArgs(s->order.stream, s->order.gpu, NULL);
    uint64_t stream = o ? PyLong_AsUnsignedLongLong(o) : 0;
    Py_XDECREF(o);
    if (PyErr_Occurred()) return RAISED;
    r->entered = s;
    r->stream = (void *)(uintptr_t)stream;
    if (s->order.on_default && stream < 2) return r->stream = NULL, DONE; /* 0 and 1 are the default stream's names */
    return order(s, library.follow, r->stream);
}

/* The caller's stream goes on behind the library's work, also where that has failed. */
static ending leave(running *r)
{
    const step *s = r->entered;
    r->entered = NULL;
    if (!s || (s->order.on_default && !r->stream)) return DONE;
    return order(s, library.precede, r->stream);
}

/* Options of earlier calls may still hold for the context. The lock is the caller's. */
static bool under_default_options(const step *s)
{
    PyObject *options = PyObject_GetAttrString(s->context, "options"), *o = NULL;
    bool are = options == default_options();
    Py_XDECREF(options);
    if (are || !options) return are;
    o = PyObject_CallMethod(s->context, "apply", "OO", default_options(), s->name);
    Py_XDECREF(o);
    return o != NULL;
}

/* The views, and the places of outcomes. false: an exception is set */
static bool found(const running *r, const step *s, argument *a, int64_t *told, tsl_status *st)
{
    const call_step *c = &s->call;
    const char *letters = letters_of(c->signature);
    int64_t address[SLOTS] = {0};
    make_room((calls *)s->fast);
    for (int i = 0; letters[i] && !*st; ++i) {
        int at = letters[i] == 'v' ? c->view[i].slot : letters[i] == 'I' ? c->place[i] : -1;
        a[i] = c->a[i];
        if (letters[i] == 'I' && at < 0) a[i].p = c->a[i].i ? told : NULL;
        if (at < 0) continue;
        if (!address[at] && !address_of(r->slot[at], &address[at])) return false;
        if (letters[i] == 'I') {
            a[i].p = (void *)(intptr_t)address[at];
            continue;
        }
        const int64_t *n = c->view[i].n;
        const wrapping w = {n[0], n[1], n[2], address[at], n[4], n[5]};
        tsl_matrix *m = NULL;
        *st = matrix_of((calls *)s->fast, &w, &m);
        a[i].v = view_of(n, m);
    }
    return true;
}

static ending run_call(const running *r, const step *s)
{
    const call_step *c = &s->call;
    argument a[ARGUMENTS];
    int64_t one = 0, any = 0, *told = c->outcomes > 1 ? malloc((size_t)c->outcomes * sizeof *told) : &one;
    tsl_status st = TSL_OK;
    bool good;
    if (!told) return PyErr_NoMemory(), RAISED;
    if (!acquired(s)) {
        if (told != &one) free(told);
        return RAISED;
    }
    good = under_default_options(s) && found(r, s, a, told, &st);
    if (good && !st) {
        Py_BEGIN_ALLOW_THREADS
        st = call_by(c->signature, c->f, context_of((const calls *)s->fast), a);
        Py_END_ALLOW_THREADS
    }
    good &= released(s);
    for (int64_t i = 0; good && !st && i < c->outcomes; ++i) any |= told[i];
    if (told != &one) free(told);
    return !good ? RAISED : st || any ? BY_PYTHON : DONE;
}

static PyObject *results_of(const plan *p, running *r)
{
    PyObject *all = NULL, *made;
    if (p->class == Py_None) return held(r->slot[p->results[0]]);
    all = PyTuple_New(p->count);
    for (int i = 0; all && i < p->count; ++i) PyTuple_SetItem(all, i, held(r->slot[p->results[i]]));
    if (!all || p->class == (PyObject *)&PyTuple_Type) return all;
    made = PyObject_CallFunctionObjArgs(p->make, p->class, all, NULL);
    Py_DECREF(all);
    return made;
}

static ending run_step(running *r, const step *s)
{
    switch (s->kind) {
    case TORCH: return run_torch(r, &s->torch);
    case ENTER: return enter(r, s);
    case EXIT: return leave(r);
    case CALL: return run_call(r, s);
    case DROP: break;
    }
    for (int i = 0; i < s->torch.outs; ++i) put(r, s->torch.to[i], NULL);
    return DONE;
}

/* An outcome that is not zero, and what the library refuses, is told by Python, which makes the call again: its arguments are
 * as they were. */
ending plan_run(PyObject *self, PyObject *const *tensors, PyObject **result)
{
    const plan *p = (plan *)self;
    running r;
    ending e = DONE;
    memset(r.slot, 0, (size_t)p->slots * sizeof *r.slot);
    r.entered = NULL;
    for (int i = 0; i < p->inputs; ++i) put(&r, i, held(tensors[i]));
    for (int i = 0; i < p->constants; ++i) put(&r, p->constant[i], held(PyTuple_GetItem(p->kept, i)));
    for (int i = 0; i < p->steps && e == DONE; ++i) e = run_step(&r, &p->step[i]);
    if (r.entered) {
        failure f = put_aside();
        if (leave(&r) == RAISED && e == BY_PYTHON) e = RAISED;
        set_again(f);
    }
    *result = e == DONE ? results_of(p, &r) : NULL;
    for (int i = 0; i < p->slots; ++i) Py_XDECREF(r.slot[i]);
    return e == DONE && !*result ? RAISED : e;
}
