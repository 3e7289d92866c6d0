## What R computes by BLAS and LAPACK, beside what it must be. TAP; the first word says how the library came in.
way <- commandArgs(trailingOnly = TRUE)[1]
set.seed(1)
count <- 0
failed <- 0
near <- function(a, b, what) {
    good <- isTRUE(all.equal(unname(a), unname(b), tolerance = 1e-9))
    count <<- count + 1
    failed <<- failed + !good
    cat(if (good) "ok" else "not ok", count, "-", way, what, "\n")
}
product <- function(a, b) apply(b, 2, function(x) rowSums(a * rep(x, each = nrow(a)))) # without BLAS
for (n in c(2, 15, 16, 17, 40, 100)) {
    a <- matrix(rnorm(n * n), n) + diag(n)
    b <- matrix(rnorm(n * 3), n)
    s <- product(t(a), a) + diag(n)
    z <- a + 1i * t(a)
    x <- solve(a, b)
    R <- chol(s)
    q <- qr(a, LAPACK = TRUE)
    v <- rnorm(n)
    near(a %*% b, product(a, b), paste("%*%", n))
    near(drop(a %*% v), drop(product(a, cbind(v, v))[, 1]), paste("%*% of a vector", n))
    near(crossprod(a), product(t(a), a), paste("crossprod", n))
    near(tcrossprod(a, t(b)), product(a, b), paste("tcrossprod", n))
    near(product(a, x), b, paste("solve", n))
    near(product(a, solve(a)), diag(n), paste("inverse", n))
    near(product(t(R), R), s, paste("chol", n))
    near(product(chol2inv(R), s), diag(n), paste("chol2inv", n))
    near(product(s, backsolve(R, forwardsolve(t(R), b))), b, paste("backsolve", n))
    near(product(qr.Q(q), qr.R(q)), a[, q$pivot], paste("qr", n))
    near(qr.coef(q, b), x, paste("qr.coef", n))
    near(product(z, solve(z, b + 0i)), b + 0i, paste("complex solve", n))
    near(product(z, z), z %*% z, paste("complex %*%", n))
    near(norm(a, "F"), sqrt(sum(a^2)), paste("norm", n))
    e <- eigen(s)
    near(product(e$vectors, e$values * t(e$vectors)), s, paste("eigen", n))
}
fails <- function(f) inherits(try(f(), silent = TRUE), "try-error")
near(c(fails(function() chol(-diag(3))), fails(function() solve(matrix(0, 3, 3)))), c(TRUE, TRUE), "not definite, singular")
near(crossprod(matrix(0, 0, 3)), matrix(0, 3, 3), "nothing")
near(is.na(matrix(c(NA, 1, 1, 1), 2) %*% diag(2)), matrix(c(TRUE, FALSE, TRUE, FALSE), 2), "NA")
cat("1..", count, "\n", sep = "")
quit(status = failed > 0)
