#include "api/describe.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Typed calls whose names are not the operation's, those that of_complex knows aside. Sizes and work, where they are not given:
 * those of the operation. */
typedef struct routine {
    const char *name, *types;
    tsl_opcode op;
    const char *sizes, *flops;
} routine;

static const routine others[] = {
    {"copy", "sdcz", TSL_OP_VCOPY, NULL, NULL},
    {"lange", "sdcz", TSL_OP_NORM, "mn", "mn"},
    {"lansy", "sdcz", TSL_OP_NORM, "nnt", "nn"},
    {"lanhe", "cz", TSL_OP_NORM, "nnt", "nn"},
    {"lantr", "sdcz", TSL_OP_NORM, "mnt", "1/2mn"},
    {"logdet", "sdcz", TSL_OP_SINGULAR, "nn", "n"},
    {"geru", "cz", TSL_OP_GER, NULL, NULL},
    {"gerc", "cz", TSL_OP_GER, NULL, NULL},
    {"dotu", "cz", TSL_OP_DOT, NULL, NULL},
    {"dotc", "cz", TSL_OP_DOT, NULL, NULL},
    {"syevd", "sd", TSL_OP_SYEV, NULL, NULL},
    {"syevx", "sd", TSL_OP_SYEV, NULL, NULL},
    {"syevr", "sd", TSL_OP_SYEV, NULL, NULL},
    {"sygvd", "sd", TSL_OP_SYGV, NULL, NULL},
    {"sygvx", "sd", TSL_OP_SYGV, NULL, NULL},
    {"stevd", "sd", TSL_OP_STEV, NULL, NULL},
    {"stevr", "sd", TSL_OP_STEV, NULL, NULL},
    {"hetrf", "cz", TSL_OP_SYTRF, NULL, NULL},
    {"hetrs", "cz", TSL_OP_SYTRS, NULL, NULL},
    {"hesv", "cz", TSL_OP_SYSV, NULL, NULL},
    {"hetri", "cz", TSL_OP_SYTRI, NULL, NULL},
    {"gesdd", "sdcz", TSL_OP_GESVD, NULL, NULL},
    {"orghr", "sd", TSL_OP_ORGTR, NULL, NULL},
    {"ormhr", "sd", TSL_OP_ORMTR, NULL, NULL},
    {"chud", "sdcz", TSL_OP_UDDATE, "nnt n0 kn k0 0n 00", "2nnk"},
    {"chdd", "sdcz", TSL_OP_UDDATE, "nnt n0 0n 00 kn k0", "4nnk"},
    {"ormbr", "sd", TSL_OP_ORMQR, NULL, NULL},
    {"hecon", "cz", TSL_OP_SYCON, NULL, NULL},
    {"gesvx", "sdcz", TSL_OP_GERFS, NULL, "2/3nnn+36nnk"},
    {"posvx", "sdcz", TSL_OP_PORFS, NULL, "1/3nnn+36nnk"},
    {"gelqf", "sdcz", TSL_OP_GEQRF, NULL, NULL},
    {"ormlq", "sd", TSL_OP_ORMQR, NULL, NULL},
    {"orglq", "sd", TSL_OP_ORGQR, "nm k1", NULL}, /* as seen */
    {"sgesv", "d", TSL_OP_REFINE, "nn n1 nk nk", "2/3nnn-1/2nn-1/6n+2nnk"},
    {"cgesv", "z", TSL_OP_REFINE, "nn n1 nk nk", "2/3nnn-1/2nn-1/6n+2nnk"},
    {"sposv", "d", TSL_OP_REFINE, "nnt 01 nk nk", "1/3nnn+1/2nn+1/6n+2nnk"},
    {"cposv", "z", TSL_OP_REFINE, "nnt 01 nk nk", "1/3nnn+1/2nn+1/6n+2nnk"},
    {"rotg", "sdcz", TSL_OP_ROT, "", "10"}, /* of numbers on the host */
    {"rotmg", "sd", TSL_OP_ROTM, "", "20"},
};
enum { OTHERS = sizeof others / sizeof *others };

/* The letter of the type and the rest of the name. BLAS writes idamax, and puts the result's letter first in scnrm2 and dzasum,
 * the factor's second in csscal and zdrot. */
static const char *split(const char *name, char *letter)
{
    static const struct { const char *prefix; char letter; } odd[] = {{"sc", 'c'}, {"dz", 'z'}, {"cs", 'c'}, {"zd", 'z'}};
    if (name[0] == 'i' && name[1] && !strcmp(name + 2, "amax")) {
        *letter = name[1];
        return "iamax";
    }
    for (int i = 0; i < 4; ++i)
        if (!strncmp(name, odd[i].prefix, 2) &&
            (i < 2 ? !strcmp(name + 2, "nrm2") || !strcmp(name + 2, "asum") : !strcmp(name + 2, "scal") || !strcmp(name + 2, "rot"))) {
            *letter = odd[i].letter;
            return name + 2;
        }
    *letter = name[0];
    return name[0] ? name + 1 : name;
}

/* The routine of this name, without the letter of its type; types "": there is none */
static routine called(const char *rest)
{
    routine r = {.types = ""};
    tsl_opcode op;
    if (tsl_find_op(rest, strlen(rest), &op)) r = (routine){.types = tsl_ops[op].types, .op = op};
    for (int i = 0; i < OTHERS; ++i)
        if (!strcmp(others[i].name, rest)) r = others[i];
    return r;
}

/* What is orthogonal or symmetric of real elements is unitary or Hermitian of complex ones: LAPACK writes un and he for or and
 * sy. */
static routine of_complex(const char *rest)
{
    char real[16] = "";
    bool q = !strncmp(rest, "un", 2);
    if (!q && strncmp(rest, "he", 2)) return (routine){.types = ""};
    memcpy(real, q ? "or" : "sy", 2);
    strncpy(real + 2, rest + 2, sizeof real - 3);
    routine r = called(real);
    if (strcmp(r.types, "sd")) r.types = "";
    else r.types = "cz";
    return r;
}

/* "dgemm", "zherk", "idamax", "dznrm2" */
static bool find(const char *name, routine *r, tsl_type *type)
{
    static const char letters[] = "sdcz";
    char lower[16] = "", letter;
    for (size_t i = 0; i + 1 < sizeof lower && name[i]; ++i) lower[i] = (char)tolower((unsigned char)name[i]);
    const char *rest = split(lower, &letter);
    *r = called(rest);
    if (!*r->types) *r = of_complex(rest);
    if (!letter || !strchr(r->types, letter)) return false;
    if (!r->flops) r->flops = tsl_ops[r->op].flops;
    *type = (tsl_type)(strchr(letters, letter) - letters);
    return true;
}

double tsl_flops(const char *name, int64_t m, int64_t n, int64_t k)
{
    routine r;
    tsl_type type;
    return name && m >= 0 && n >= 0 && k >= 0 && find(name, &r, &type) ? tsl_flops_of(r.flops, type, m, n, k) : NAN;
}

bool tsl_describe(const char *name, int64_t m, int64_t n, int64_t k, tsl_described *p)
{
    routine r;
    tsl_type type;
    if (!find(name, &r, &type)) return false;
    tsl_uplo half = tsl_has_operand(r.op, TSL_IS_HALF) ? TSL_LOWER : TSL_GENERAL;
    *p = (tsl_described){.c = {.op = r.op, .alpha = 1, .beta = 1, .uplo = half}, .type = type, .flops = tsl_flops_of(r.flops, type, m, n, k)};
    if (tsl_arguments_of(r.op) == TSL_ARGUMENTS_eig) p->c.eig.itype = 1;
    const char *own = r.sizes; /* a word per operand: its rows, its columns, t for a triangle */
    for (int i = 0; i < tsl_ops[r.op].operands; ++i) {
        const tsl_operand_info *o = &tsl_ops[r.op].operand[i];
        char word[] = {own && *own ? own[0] : 0, 0, own && *own ? own[1] : 0, 0};
        int64_t rows = tsl_size_called(own ? word : o->rows, m, n, k), cols = tsl_size_called(own ? word + 2 : o->cols, m, n, k);
        size_t letters = own ? strcspn(own, " ") : 0;
        bool triangle = own ? letters == 3 : o->traits & TSL_IS_TRIANGLE;
        p->mat[i] = (tsl_matrix){.type = tsl_element_type(o->element, type), .m = rows, .n = cols, .ld = tsl_max(1, rows)};
        p->c.v[i] = (tsl_view){.mat = &p->mat[i], .m = rows, .n = cols, .uplo = triangle ? TSL_LOWER : TSL_GENERAL};
        if (own) own += letters + strspn(own + letters, " ");
    }
    return true;
}
