/* The arguments of table.h as what the call is given. They are expanded, and counted, before the function around them is: from
 * its end on. */
#define NEXT (__COUNTER__ - END)
#define V(name, rows, cols, flags) end[NEXT].v
#define A(name, rows, cols, flags) end[NEXT].p
#define LD(name, rows) end[NEXT].i
#define INC(name) end[NEXT].i
#define PUT(name, flags) end[NEXT].p
#define L(name, letters) end[NEXT].c
#define LX(name, letters) end[NEXT].c
#define E(type, name, values) (type) end[NEXT].i
#define EX(type, name, values) (type) end[NEXT].i
#define N(name, size, wrong) end[NEXT].i
#define SEL(name) end[NEXT].p
#define Z(name) end[NEXT].z
#define S(name) (T) end[NEXT].z
#define D(name) creal(end[NEXT].z)
