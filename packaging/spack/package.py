# Spack's recipe: a copy of this file as var/spack/repos/builtin/packages/tesela/package.py of a repository of yours.
from spack.package import *


class Tesela(CMakePackage, CudaPackage):
    """Dense linear algebra on GPUs and hosts: BLAS, Cholesky, LU, QR, mixed precision, several GPUs, MPI."""

    homepage = "https://example.org/tesela"
    git = "https://example.org/tesela.git"
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="libtesela_mpi and ScaLAPACK's symbols")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.22:", type="build")
    depends_on("openblas threads=pthreads")
    depends_on("netlib-lapack+lapacke", when="^openblas~fortran")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        args = [
            self.define_from_variant("TESELA_CUDA", "cuda"),
            self.define_from_variant("TESELA_MPI", "mpi"),
            self.define("BUILD_TESTING", self.run_tests),
        ]
        if self.spec.satisfies("+cuda") and "none" not in self.spec.variants["cuda_arch"].value:
            args.append(self.define("TESELA_CUDA_ARCH", ";".join(self.spec.variants["cuda_arch"].value)))
        return args
