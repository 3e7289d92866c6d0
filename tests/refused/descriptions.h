/* The arguments of table.h as descriptions of themselves */
#undef NEXT
#undef V
#undef A
#undef LD
#undef INC
#undef PUT
#undef L
#undef LX
#undef E
#undef EX
#undef N
#undef SEL
#undef Z
#undef S
#undef D
#define V(name, rows, cols, flags) {VIEW, #name, #rows, #cols, flags, false}
#define A(name, rows, cols, flags) {ARRAY, #name, #rows, #cols, flags, false}
#define LD(name, rows) {LEAD, #name, #rows, "1", "", false}
#define INC(name) {STEP, #name, "1", "1", "", false}
#define PUT(name, flags) {PLACE, #name, "1", "1", flags, false}
#define L(name, letters) {LETTER, #name, "1", "1", letters, false}
#define LX(name, letters) {LETTER, #name, "1", "1", letters, true}
#define E(type, name, values) {MEMBER, #name, "1", "1", values, false}
#define EX(type, name, values) {MEMBER, #name, "1", "1", values, true}
#define N(name, size, wrong) {NUMBER, #name, #size, "1", wrong, false}
#define SEL(name) {SELECTION, #name, "1", "1", "", false}
#define Z(name) {SCALAR, #name, "1", "1", "", false}
#define S(name) {REAL, #name, "1", "1", "", false}
#define D(name) {REAL, #name, "1", "1", "", false}
