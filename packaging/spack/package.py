# Spack's recipe: a copy of this file as packages/tesela/package.py of a Spack repository of yours (`spack repo create`). It has been checked against
# the classes and directives of Spack 0.22 and 1.0, and not yet been run by `spack install`.
try:  # from Spack 1.0 on the build systems are the package repository's
    from spack_repo.builtin.build_systems.cmake import CMakePackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass

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
    depends_on("openblas@0.3.21: threads=pthreads")  # with LAPACKE
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12.5:", when="+cuda")

    def cmake_args(self):
        args = [
            self.define_from_variant("TESELA_CUDA", "cuda"),
            self.define_from_variant("TESELA_MPI", "mpi"),
            self.define("BUILD_TESTING", self.run_tests),
        ]
        if self.spec.satisfies("+cuda") and not self.spec.satisfies("cuda_arch=none"):
            args.append(self.define("TESELA_CUDA_ARCH", ";".join(self.spec.variants["cuda_arch"].value)))
        return args
