/* Leaf computations: one operation on one block in one memory, as plain pointers and BLAS flags. A kernel knows nothing of
 * views, matrices or contexts. kernel[op][type] per backend; a backend without an entry, or a problem past the entry's limit,
 * is computed by the blocked algorithm in src/algo instead. */
#ifndef TSL_LEAF_H
#define TSL_LEAF_H

#include "core/op.h"
#include "tesela.h"

struct tsl_queue;

/* Canonical form: A, B, C, .. are the operands in the order of the table (core/ops.def), as they are stored; what is written has no op;
 * those of A and B, opA and opB here, are N, T or HERM (never CONJ), and for real types never HERM. Which arguments an operation uses:
 *   copy   B(m x n) := op(A), opA any of the four; uplo restricts it to a triangle of B
 *   convert  B(m x n, uplo) := alpha A + beta B, real factors, B in the other precision: `type` is A's. An element of A that is finite or
 *          infinite and does not fit B's type: if *info is 0 it becomes 1
 *   geadd  B(m x n, uplo) := alpha opA(A) + beta B, opA any of the four
 *   laset  A(m x n, uplo) := alpha, and beta on the diagonal: where row + i = col + j
 *   random A(m x n, uplo) := opA of random numbers: those of row + i, col + j, as seen, in kernel/random.h
 *   scale  A(m x n, uplo) := alpha A; herm: the diagonal becomes real
 *   expand B(n x n) := what the triangle uplo of A stands for (structure, diag), seen through opA
 *   butterfly  A(m x n) := U^T A V, U^T A or V A, as `butterflies` says; U and V are those of kernel/butterfly.h
 *   gemm   C(m x n) := alpha opA(A) opB(B) + beta C, inner size k
 *   gemmt  the same on the triangle uplo of C, n x n
 *   symm, hemm  C(m x n) := alpha A B + beta C or alpha B A + beta C by side, A given by its triangle uplo
 *   syrk, herk  B(n x n, uplo) := alpha opA(A) opA(A)^T|^H + beta B, inner size k; complex syrk has opA N or T, herk N or HERM
 *   syr2k, her2k  C := alpha opA(A) opA(B)^T + alpha opA(B) opA(A)^T + beta C, her2k with ^H and conj(alpha) in the second product
 *   trmm, trsm  B(m x n) := alpha opA(A) B or alpha B opA(A) by side, trsm with the inverse; uplo, diag of A as stored. `pivoting`, of the
 *          solves within getrf: if none, zeros on the diagonal divide nothing
 *   norm   result := the norm `kind` of A(m x n), or of what its triangle uplo stands for (structure, diag); a double for every type
 *   colnorm  B(j) := the norm `kind` (max or one) of column j of A, or of opA(A), or of what its triangle uplo stands for (structure, diag),
 *          together with B(j); doubles side by side
 *   ratio  result := two doubles: over the columns of A and B, both m x n, the largest quotient of the largest |a_ij| and the largest
 *          |b_ij| of a column, 0 where the first is; and the largest |a_ij| of all
 *   potrf  A(n x n, uplo) in place; on failure at column j: if *info is 0 it becomes info_base + j + 1
 *   singular  the same if A(j,j) is the first zero on the diagonal, but the smaller info stays: parts of a diagonal may be looked
 *          at in any order; diag must not be unit
 *   trtri  A(n x n, uplo, diag) := its inverse, in place; nothing if it is singular, with that info, or if *info is not 0
 *   lauum  A(n x n, uplo) := A^H A (lower) or A A^H (upper), that triangle of it; A's diagonal is real
 *   potri  A(n x n, uplo) := the inverse of what it is Cholesky's factor of, that triangle of it; nothing if it is singular, with that info
 *   potrs  B(m x n) := inv(A) B, A(m x m, uplo) given by its factor; posv factors it first, and leaves B alone if that fails
 *   getrf  A(m x n) in place = P L U with partial pivoting; B is the pivots: piv[i], i < min(m,n), is first + 1 + the row of A that row i was exchanged
 *          with: LAPACK's ipiv if first is 0. A zero pivot in column j: as in LAPACK the factors are still computed, and if *info is
 *          0 it becomes info_base + j + 1. `pivoting`: by tournament the rows are divided into groups, of each of which the min(m,n) that
 *          partial pivoting of the group takes meet those of others; the pivots are those of the last group, in the rows as they then are.
 *          Without pivoting no row is exchanged, and a zero pivot divides nothing: the multipliers are the column as it is
 *   laswp  for i = 0..k-1, or from k-1 down if `backward`: rows i and piv[i] - 1 - first of A(m x n) are exchanged, piv is B; side right: columns. A
 *          row may be above A, by at most `above`
 * These and ssssm take pivots of the caller's. One that is no row: the host's leaf refuses, and has touched nothing; a GPU's exchanges nothing
 * there and sets *fault.
 *   getrs  C(m x n) := inv(opA(A)) C, A(m x m) and B, its pivots, as getrf left them; gesv factors A first, and leaves C alone if *info is set then
 *   getri  A(n x n) := the inverse of what getrf left A and B of; nothing if it is singular, with that info, or if *info is not 0
 * A(n x n, uplo), symmetric, or Hermitian if herm, = L D L^T (L D L^H) or U D U^T, D with blocks of order 1 and 2, by LAPACK's pivots (Bunch and
 * Kaufman) and in its format: of step i pivot piv[i] is 1 + the row and column that i was exchanged with; a block of order 2 at i and i + 1, upper: i - 1 and
 * i, has twice the negative of what its second (upper: first) was exchanged with. Rows of L are exchanged by no later step. Upper: steps go from the last column back.
 *   sytrf  A in place, the pivots in B; a block of D that is zero: if *info is 0 it becomes its column, counted from 1
 *   lasyf  the same of k columns alone, upper: of the last k, after `before` others. A block of order 2 may reach over the end of the panel by one: E, a number, is then 1, and
 *          the first column of the next panel is done already; E is not read if `before` is 0. B has a pivot for that column too, if there is one.
 *          What is after (before) the panel is exchanged, not changed: the caller subtracts C D^T (herm: C D^H), on the triangle, with C the rows of L and D those of L times
 *          the matrix D, both n x (k+1), after (before) the panel; a row of D is zero, and that of C finite, if its column is done
 *   syconv C(n x n) := L without its ones, as A and pivots B have it, with the exchanges of later steps of the same block of k columns; D(n x 2): the exchanges for laswp,
 *          and for each column 0, or 1 and 2 for the first and the second of a block of order 2. A block of D of order 1 that is zero, unless `passing`: as sytrf
 *   sydiv  C(m x n) := inv(D) C, D of A and of B as syconv left its D
 *   sytrs  C(m x n) := inv(A) C, A and B as sytrf left them; sysv factors A first, and leaves C alone if *info is set then
 *   sytri  A(n x n, uplo) := the inverse of what sytrf left A and B of; nothing if D is singular, with that info
 * Reflectors H(i) = I - tau(i) v v^H: v is zero above row i, one there and stored below the diagonal of A(m x n), or of its conjugate
 * transpose if opA says so; Q = H(1) .. H(k). Y is v, ones and zeros written out, seen through opA as A is.
 *   geqrf  A = Q R in place, R above the reflectors, and tau in B; opA(A) = Q R if there is one: A = L Q^H
 *   geqrt  the same of a panel, D, as high as wide at least, seen through opD, with Y in B, tau in C, and in A the upper triangle T of Q = I - Y T Y^H
 *   larft  A(k x k), whose triangle above the diagonal is that of Y^H Y, becomes T of the reflectors with factors B; its lower triangle is not used
 *   ormqr  C(m x n) := trans(Q) C, or C trans(Q) by side, of k reflectors in A with factors B
 *   orgqr  A(m x n) := the first columns of Q of k reflectors with factors B, seen through opA
 *   gels   B(max(m,n) x k) := the X of least |opA(A) X - B|, or of those with A X = B the one of least |X|; A becomes its factors. A zero on
 *          the diagonal of R: no solution, and its place is the info. Refused where A or B is zero or must be scaled
 *   sytrd  A(n x n, uplo), symmetric or Hermitian, = Q T Q^H in place, T tridiagonal: its diagonal in B (n), the one beside it in C (n-1), both real.
 *          Reflector i, of Q = H(1) H(2) .., has its one in row i + 1 and the rest below that in column i of A, its factor in D (n-1). Upper: of
 *          Q = H(n-1) .. H(1) it has its one in row i and the rest above that in column i + 1
 *   latrd  the same of the first k columns alone, upper: of the last k, with their parts of B, C and D. What is after (before) them is not changed:
 *          the caller subtracts Y W^H + W Y^H. Y(n x k), the reflectors, is E and W(n x k) is F; of both the n - k rows after (before) the panel are set
 *   ormtr  C(m x n) := trans(Q) C, or C trans(Q) by side, Q by A(uplo) and B as sytrd left A and D
 *   orgtr  A(n x n) := Q, of which sytrd left the triangle uplo in A, factors B
 *   sb2st  the Hermitian band A(k+1 x n), element (i,j), i >= j, at A(i-j,j), = Q T Q^H; T's diagonal in B (n), the one beside it in C (n-1), both real. If D is there:
 *          the reflectors of Q in D (n x n), their factors in E. Those of sweep s, which makes column s tridiagonal, tile its rows from s + 1 on by k: reflector
 *          t has its one in row s + 1 + t k, ones written out, and its factor in E(t,s). Q is the product of the sweeps in their order. The rest is zero
 *   sb2sb  the same to a narrower band B (k+1 x n) = Q^H A Q, stored as A. If C is there: the reflectors in C, their factors in D. Q is diag(I, Q'), I of order k - 1, and
 *          C and D, of order n - k + 1, are of Q' what sb2st of a band as wide as A leaves of its Q
 *   ormtr_sb2st  C(m x n) := trans(Q) C, Q by A and B as sb2st of a band with k diagonals beside the main one left D and E
 *   band   B(m x n) := m diagonals of the lower triangle of opA(A), whose first element is on the diagonal, as LAPACK stores them: B(i,j) is (i + j, j), zero
 *          past the last row; the main one becomes real
 *   stedc  A(m x n) := the eigenvectors first .. first + n - 1, from 0 on, of the real symmetric tridiagonal matrix of order m with diagonal B (m) and
 *          C (m-1) beside it, both real; n may be 0. B := all eigenvalues, ascending; C is not used any more. Numbers of any size. An element of B or C that
 *          is not finite: B and A become NaN, and if *info is 0 it becomes m. No convergence: the same with an info of 1 .. m
 *   sterf  A(m) := the eigenvalues of that with diagonal A and B (m-1) beside it, else as stedc
 *   steqr  A(m x m) := A Z, Z all eigenvectors of that with B and C as of stedc
 *   syev   B(n) := the eigenvalues of A(n x n, uplo), symmetric or Hermitian, ascending, and C(n x n) the vectors; if C is empty and `vectors` is set they
 *          are in A. Else A is overwritten. Numbers of any size; not finite, and no convergence: as stedc
 *   sygst  A(n x n, uplo), symmetric or Hermitian, := inv(L) A inv(L)^H (itype 1) or L^H A L (2 and 3), L = B or, upper, B^H
 *   geqp3  A(m x n) P = Q R as LAPACK's: columns j with B[j] != 0 come first, the others are pivoted; B[j], j < n, becomes 1 + the column that went there;
 *          C becomes the reflectors' factors
 *   laqp2  the first k steps of that with no column fixed, B written only; C has room for min(m,n) factors, which may be overwritten. A column is taken
 *          whose length is at least `accuracy` (0: all) of the longest; more steps may be done than k
 *   laqps  the first k steps, a panel; what is right of it and below its rows is not changed: that becomes A := A - V D^H, V the reflectors and D(n x k); C has
 *          room for k factors
 *   lapmt  side RIGHT: column j of A(m x n) := column B[j] - 1 as it was, B a permutation; backward: column B[j] - 1 := column j; LEFT: rows
 *   fixed  A(n x 1), of indices: the permutation that brings j with A[j] != 0 to the front, as LAPACK's exchanges do, 1 + its column for each place;
 *          B[0] := how many. alone: the identity, and 0
 *   trrank B[0] := the order of the largest leading block of the upper triangle of A, min(m,n), whose condition, estimated as LAPACK's gelsy does, is at
 *          most 1 / accuracy; by_diagonal: whose diagonal has no element of a size of at most accuracy times that of the first, or of zero
 *   lsdiv  row i of A(m x n) := row i over B[i], or zero where B[i] is at most accuracy times B[0], or too small to divide by; C[0] := how many are more than that
 *   gelsy, gelsd  as LAPACK's, with A(m x n), the right-hand sides C(max(m,n) x k), rcond = accuracy and the rank D[0]; B: as geqp3's, or the singular values.
 *          Where an element is not finite C becomes NaN and the rank 0, in gelsd with B, and *info becomes min(m,n) if it is 0
 *   gb2bd  the upper band of order n whose conjugate transpose A(k+1 x n) is, element (i,j), i >= j, at A(i-j,j), its diagonal real, = Q B P^H; B bidiagonal, upper and
 *          real: its diagonal in B (n), e above it in C (n-1). If D is there: the reflectors of Q in D (n x n), their factors in E, those of P in F and G. Those of
 *          sweep s, which makes row s bidiagonal, are of rows, or columns, from s + 1 on, stored as those of sb2st, and products with them are ormtr_sb2st. A's largest
 *          element is about 1: numbers whose squares are near the least number are taken for zero
 *   unfold  of a real bidiagonal matrix with diagonal A (n) and B (n-1) beside it, the tridiagonal one of order 2n with zeros on its diagonal, C, and a1 b1 a2 .. an, D,
 *          beside it. Its eigenvalues are the singular values and their negatives. An element that is not finite: if *info is 0 it becomes n
 *   fold   B(n x n), C(n x n) := what eigenvectors A(2n x n) of that, of the negative ones, have in their rows 2, 4 .. and 1, 3 .., times -sqrt(2) and sqrt(2): vectors of the
 *          singular values on the left and on the right
 *   signs  B(n x n) := the diagonal matrix of the signs of A's diagonal, which is real; 1 of a zero, NaN of NaN
 *   gebrd  A(m x n) = Q B P^H in place, B bidiagonal: its diagonal in B (min(m,n)), the one beside it in C (one less), both real: above it if m >= n, else below.
 *          Q = H(1) H(2) .. with factors in D, P = G(1) G(2) .. with factors in E, min(m,n) each. m >= n: H(i) as of geqrf; of G(i) the one is in row i + 1, the rest
 *          conjugated in row i of A from column i + 2 on. m < n: the same of the conjugate transpose
 *   labrd  the same of the first k columns and rows alone, m >= n, with their parts of B, C, D and E. What is after them is not changed: the caller subtracts
 *          V Y^H + X U^H: [V X] (m x 2k), the reflectors H(i) and what goes with G(i), is F, and [Y U] (n x 2k) is G; of both the rows after the panel are set.
 *          The largest element of A is near one; what is left of B is multiplied by alpha
 *   orhr   A(n x n) - S = V U in place without pivots, V unit lower, U upper; the signs of S, diagonal, in C: each is such that the real part of the pivot is 1 in size at least. B := the
 *          factors -s u of reflectors with vectors V. k = 0: the last column of a square matrix, which is of one element, has a reflector only if A is complex
 *   bdsign  a bidiagonal matrix with diagonal B (n) and C (n-1) above it := diag(D) times it times diag(E), signs D (n) and E (n); it is written to the diagonals of A(n x n), too
 *   orgbr  A(m x n) := the first columns of Q of the gebrd of a matrix with k columns, factors B; seen through opA: P^H of one with k rows
 *   bdsdc  B(n) := the singular values, descending, of the real bidiagonal matrix of order n with diagonal B and C (n-1) above it, uplo lower: below it; A(n x n) :=
 *          the vectors on the left, D(n x n) those on the right, transposed; either may be empty; C is not used any more. By divide and conquer. Numbers of
 *          any size. Not finite: B, A and D become NaN, and if *info is 0 it becomes n; no convergence: the same with an info of 1 .. n
 *   bdsqr  the same with A(any x n) := A U, D(n x any) := V^T D, E(n x any) := U^T E, by implicit QR
 *   gesvd  B(min(m,n)) := the singular values of A(m x n), descending; C(m x min(m,n) or m) := the vectors on the left, D(min(m,n) or n x n) those on the
 *          right, conjugate transposed; either may be empty, and if `vectors` is set overwrites A instead, min(m,n) of them: of the left or the
 *          right, as `side` says. `driver` QR: by implicit QR; else, where LAPACK has it, by divide and conquer. Numbers of any size. Not
 *          finite: all become NaN, and if *info is 0 it becomes min(m,n); no convergence: the same with an info of 1 .. min(m,n)
 *   gehrd  A(n x n) = Q H Q^H in place, H Hessenberg; only rows and columns first .. first + k - 1 are not triangular. Reflector i, of Q = H(first) H(first + 1) .., has
 *          its one in row i + 1 and the rest below that in column i of A, its factor in B (n-1); the other factors are zero
 *   lahr2  the panel of the first k columns of A(m x m+1), which have their first row of H above A: reflector i has its one in row i of column i. The rest of A is not changed. B(k): factors;
 *          D(m x k): V, the reflectors written out; C(k x k): T of I - V T V^H, an upper triangle, zeros below it; E(m x k): Y = A2 V T, A2 all columns of A but the first
 *   hseqr  A(n x n), Hessenberg with first and k as of gehrd, = Z T Z^H: B(n) the eigenvalues, of real elements their real parts and C(n) the imaginary ones. If `schur` A := T. If D
 *          is there D(n x n) := D Z, and `schur` is set. Elements below the first subdiagonal do not count. Numbers of any size. Not finite: all become NaN, and if *info is 0 it
 *          becomes n; no convergence: LAPACK's info, and what it found
 *   laqrs  elements of A(n x n), Hessenberg, next to the diagonal and below it that are negligible become zero; B(1) := the row of the last one, or 0
 *   laqr3  aggressive early deflation in A(n x n), Hessenberg, in all but its first row and column: A := B^H A B, B(n x n); F(2) := how many eigenvalues are deflated, and how many pairs of shifts
 *          there are in E(4 x pairs): a real pair's real and imaginary part of one and of the other; of complex elements rows 1 and 3. C and D(n) as of hseqr: the last ones are the deflated
 *   laqr5  steps first .. first + k - 1 of a sweep of ku bulges, kl to a chain, in windows of order `before`, through A(n x n) (core/chase.h): windows of A alone; their transformations side by
 *          side in C, each `before` columns after the last one
 *   laqru  with the transformations that laqr5 has left in B, of rows and columns row .. row + col - 1 of A(n x n) and the same first, k, kl, ku, before: from the left what is beside the windows,
 *          from the right what is above them, and C, of n columns, if it is there; `schur`: of all of A, else of those rows and columns. `reach`: how far from the windows
 *   gebal  A(n x n) balanced: rows and columns exchanged so that it is triangular outside a block, and those of the block scaled; B(n) says how, as LAPACK has it, and C(2) where the block begins
 *          and ends, counted from 1
 *   trevc  B and C(n x n), either may be empty, := eigenvectors of A(n x n), a Schur form, on the left and on the right, times what B and C were; then what D(n), of the block first and k, says of
 *          balancing is undone, and each has length 1, with its largest element real
 *   geev   B and C as of hseqr := the eigenvalues of A(n x n), D and E the vectors on the left and on the right, either may be empty; real ones as LAPACK packs them. A is overwritten. Numbers
 *          of any size; info as hseqr
 *   gees   A(n x n) := T of A = D T D^H, D(n x n) may be empty, B and C as of hseqr; `sort`: which eigenvalues come first. Info as hseqr, and LAPACK's n + 1 and n + 2
 *   trsyl  C(m x n) := X of opA(A) X + alpha X opB(B) = s C, A(m x m) and B(n x n) upper triangular, of real elements with blocks of order 2 on the diagonal, where the
 *          element below it is not zero; below that they are zero. alpha is 1 or -1. s, D, at most 1, is such that X does not overflow. Eigenvalues of opA(A)
 *          and of -alpha opB(B) that meet are moved apart by about eps times their size: if *info is 0 it becomes 1
 *   lasyl  the same with s = 1; where that might overflow D becomes 0, and C is of no use
 *   equil  A(m x n, uplo) := diag(B) A diag(C), B and C real, either may be empty: ones; `sizes`: and then each element becomes |re| + |im|
 *   trsqrt A(n x n), a Schur form: upper triangular, of real elements with blocks of order 2 as LAPACK leaves them, := its principal square root. What has none, a
 *          negative number among real ones, or a defective zero: if *info is 0 it becomes info_base + its column, from 1 on, and A is of no use
 *   gecon  result := 1 / (anorm |inv(LU)|), LU as getrf left A, in the norm `kind`, one or inf, of which that of the inverse is estimated. A double
 *   pocon  the same of what A(uplo) is Cholesky's factor of, in the norm one; sycon: of what A(uplo) and pivots B are as sytrf left them
 *   trcon  the same of A(uplo, diag) itself, of which the norm is computed too
 *   geequ  B(m) and C(n) := what rows and columns of A(m x n) are to be multiplied by, D := the smallest of B over the largest, the same of C, and the largest |re| + |im| of A. A
 *          row, or after them a column, of zeros: if *info is 0 it becomes its number
 *   poequ  B(n) := the same for rows and columns of the definite A(n x n), of which only the diagonal is read; C := its ratio, and the largest element. One that is not positive: info
 *   gerfs  E(n x k) := what corrections leave of X of opA(A) X = D, with B and C as getrf left them; F := bounds of the errors of its columns, G := their backward errors
 *   porfs  the same of A(uplo), definite, its factor B, D := X of A X = C, E and F
 *   trrfs  bounds D and backward errors E of X, C, of opA(A) X = B with A(uplo, diag)
 *   tstrf  LU with partial pivoting of the triangle A(n x n, upper) on top of D(m x n), in place, by panels of ib columns, B's rows, each of which is
 *          a factorization of its own of the ib rows of A that it meets and of D. U overwrites A's triangle, what belongs to D's rows of
 *          L overwrites D. What belongs to A's rows, a triangle of order ib for each panel, goes to B(ib x n): L(j:j+ib, j:j+ib) to columns
 *          j to j + ib. C is the pivots: piv[j], j < n, is 1 + the row of A on top of D that row j was exchanged with. A zero pivot is no outcome.
 *   ssssm  the same exchanges and eliminations of D(k x n) on top of E(m x n), by A(m x k), B(ib x k) and pivots C as tstrf left them
 *   tsqrt  QR of the triangle A(n x n, upper) on top of D(m x n), in place, by panels of ib columns. R overwrites A's triangle. Reflectors have
 *          a one in A's rows and are zero elsewhere there: what is in D's rows overwrites D. Their triangles T, of order ib for each panel, go
 *          to B(ib x n), zeros below them, their factors to C
 *   tsmqr  trans(Q) of C(k x n) on top of D(m x n), in place, Q by A(m x k) and B(ib x k) as tsqrt left them
 *   rowsign  row i of B(m x n), uplo: of its upper triangle, times -1 where the real part of A(0,i) is negative, A(1 x m)
 * Vectors: the operand's leading dimension is its increment, negative if it is counted from the end; the pointer is to the lowest
 * address, as in BLAS.
 *   gemv   C(y) := alpha opA(A) B(x) + beta C, A is m x n as stored
 *   gbmv   the same, A stored by bands with kl diagonals below and ku above the main one
 *   symv, hemv  C(y) := alpha A B(x) + beta C, A is n x n, its triangle uplo given
 *   sbmv, hbmv, spmv, hpmv  the same, A stored by bands with k diagonals beside the main one, or packed
 *   ger    C(m x n) := alpha A(x) B(y)^T + C; herm: with conj(y)
 *   syr, her, spr, hpr  B(n x n, uplo) := alpha A(x) A(x)^T|^H + B; in spr and hpr, and so below, B is packed
 *   syr2, her2, spr2, hpr2  C(n x n, uplo) := alpha A(x) B(y)^T + alpha B(y) A(x)^T + C, her2 with ^H and conj(alpha) as in her2k
 *   trmv, trsv  B(x) := opA(A) B(x), trsv with the inverse; uplo, diag of A as stored
 *   tbmv, tbsv, tpmv, tpsv  the same, A stored by bands with k diagonals beside the main one, or packed
 *   vcopy, swap  B(y) := A(x); A(x) and B(y) exchanged, herm: and both conjugated; n elements in these and all that follow
 *   scal   A(x) := alpha A; real: the parts of a complex x apart, so that an infinite one does not spoil the other
 *   axpy   B(y) := alpha A(x) + B
 *   rot    [A(x) B(y)] := [c x + s y, c y - conj(s) x], c = alpha (real) and s = beta, real if `real`; herm: with conj(y) for y
 *   rotm   [A(x) B(y)] := H [x y] with H's columns in the parts of alpha, (h11, h21), and beta, (h12, h22); real types
 *   dot    result := A(x)^T B(y); herm: with conj(x)
 *   nrm2, asum  result := the 2-norm; the sum of |re| + |im|; a real number
 *   iamax  result := an int64_t, 1 + the place of the first NaN, else of the first element whose |re| + |im| is largest;
 *          asum and iamax have a positive increment
 * Where there is a product alpha is not 0, and no size is. */
typedef struct tsl_array {
    void *p;      /* in the device's memory */
    int64_t ld;   /* of a vector its increment */
    int64_t m, n; /* rows and columns, as stored */
    tsl_op op;
    int64_t stride;    /* of a batch: elements from one problem to the next; */
    void *const *each; /* or where each problem's matrix begins, in the device's memory, */
    int64_t offset;    /* so many elements before the operand */
} tsl_array;

typedef struct tsl_leaf {
    tsl_opcode op;
    tsl_type type;
#define TSL_ARGUMENT(type, name) type name;
#include "core/arguments.def"
#undef TSL_ARGUMENT
    tsl_scalar alpha, beta;
    union { /* an operand by its place in the table, or by its letter */
        tsl_array v[TSL_MAX_OPERANDS];
        struct { tsl_array A, B, C, D, E, F, G, H; };
    };
    int64_t count; /* problems of a batch; 0: it is none */
    int64_t *info; /* in the device's memory, as all that follow; of a batch one for each problem */
    const int64_t *skip; /* of a batch: problems that have an info are left alone; NULL: none is */
    int64_t info_base;
    int64_t *fault;
    void *result;
    void *work;             /* what the entry's workspace() asked for */
    tsl_precision products; /* what a product of single precision may be computed in; TSL_AUTO: that, TSL_FP32: to about its roundoff */
    tsl_precision halves;   /* of a product on GPUs: A and B are real matrices of these (kernel/cuda/level3/narrow.cu); TSL_AUTO: they are not */
    int frugal;             /* memory is short: no workspace that only saves time */
    int shape;              /* which of the shapes its kernel is compiled in, from 1 on; 0: the kernel's own choice */
} tsl_leaf;

/* Runs (host) or launches (cuda) the leaf on the queue. */
typedef tsl_status (*tsl_kernel)(struct tsl_queue *q, const tsl_leaf *l);

typedef struct tsl_kernel_entry {
    tsl_kernel fn[4]; /* by tsl_type; NULL: none */
    int64_t limit;    /* largest order of the triangle it takes; 0: any. That of the blocks of panels */
    int64_t skinny;   /* takes any order if there are at most this many right-hand sides (of a factorization: columns), where there is
                         memory for what it needs then, and the tuning tables do not cut it into smaller blocks */
    size_t (*workspace)(const tsl_leaf *l); /* bytes it needs; NULL: none */
    const void *(*kernel)(int i); /* of a GPU: some kernel of the i-th file of kernels that tasks of it use, which are all loaded
                                     beforehand; NULL: no more, or none at all */
    int (*shapes)(tsl_type t);    /* in how many it is compiled, or the kernels of its panels are; NULL: in one */
} tsl_kernel_entry;

/* The info of a problem that the host's leaf has left alone */
#define TSL_BATCH_LEFT INT64_MIN

/* A leaf for batches */
typedef struct tsl_batch_entry {
    tsl_kernel fn[4];
    bool (*takes)(const tsl_leaf *l);       /* problems of this size? NULL: of any */
    size_t (*workspace)(const tsl_leaf *l); /* as above */
    int64_t (*block)(const tsl_leaf *l);    /* the width of panels of problems that it does not take; NULL: as the tables say */
} tsl_batch_entry;

/* A scalar as the bytes of its type, for libraries that take scalars by pointer, and results */
typedef union tsl_typed_scalar {
    float s;
    double d;
    tsl_cfloat c;
    tsl_cdouble z;
    int64_t i; /* the result of iamax */
} tsl_typed_scalar;

/* scalar.c */
TSL_PRIVATE tsl_typed_scalar tsl_typed(tsl_type t, tsl_scalar a);
TSL_PRIVATE tsl_scalar tsl_untyped(tsl_type t, tsl_typed_scalar a);

#endif
