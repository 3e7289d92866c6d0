! From Fortran: the typed calls by bind(C); sizes and pivots are of 64 bits, letters are characters by value.
program solve
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        function tsl_dgesv(ctx, n, nrhs, A, lda, ipiv, B, ldb, info) bind(C) result(status)
            import :: c_ptr, c_int64_t, c_double, c_int
            type(c_ptr), value :: ctx
            integer(c_int64_t), value :: n, nrhs, lda, ldb
            real(c_double) :: A(*), B(*)
            integer(c_int64_t) :: ipiv(*), info
            integer(c_int) :: status
        end function
        function tsl_dgemm(ctx, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) bind(C) result(status)
            import :: c_ptr, c_int64_t, c_double, c_int, c_char
            type(c_ptr), value :: ctx
            character(kind=c_char), value :: transa, transb
            integer(c_int64_t), value :: m, n, k, lda, ldb, ldc
            real(c_double), value :: alpha, beta
            real(c_double) :: A(*), B(*), C(*)
            integer(c_int) :: status
        end function
    end interface
    integer(c_int64_t), parameter :: n = 200
    real(c_double) :: A(n, n), factors(n, n), x(n, 1), b(n, 1)
    integer(c_int64_t) :: pivots(n), info
    integer(c_int) :: status

    call random_number(A)
    x = 1
    status = tsl_dgemm(c_null_ptr, 'N', 'N', n, 1_c_int64_t, n, 1d0, A, n, x, n, 0d0, b, n)   ! the default context
    if (status /= 0) stop 'dgemm failed'
    factors = A
    status = tsl_dgesv(c_null_ptr, n, 1_c_int64_t, factors, n, pivots, b, n, info)
    if (status /= 0 .or. info /= 0) stop 'dgesv failed'
    print '(a, es8.1)', 'largest error ', maxval(abs(b - x))
    if (maxval(abs(b - x)) > 1d-8) error stop 'too far off'
end program
