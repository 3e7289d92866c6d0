# A thin front for CMake; `make help` lists what there is.

BUILD :=
CUDA  := AUTO
ARCH  :=
TYPE  := Release
ARGS  := potrf -t d -n 512,1024,2048 --uplo L --vs openblas --check
JOBS  := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
CMAKE ?= cmake
FLAGS :=

# What is built only to be run here: for the GPU of this machine. Where there is none, one architecture shows that the code compiles.
GPU := $(shell nvidia-smi -L 2>/dev/null)
ARCH_HERE = $(or $(ARCH),$(if $(GPU),native,90-real))

B = $(or $(BUILD),build)
# The generator is chosen once per build directory.
GENERATOR = $(if $(wildcard $1/CMakeCache.txt),,-G $(if $(shell command -v ninja 2>/dev/null),Ninja,"Unix Makefiles"))
# $(call configure,DIR,FLAGS): empty values reset what an earlier call had asked for
configure = $(CMAKE) -S . -B $1 $(call GENERATOR,$1) -DCMAKE_INSTALL_PREFIX="$(PREFIX)" $2 $(FLAGS)
compile = $(CMAKE) --build $1 --parallel $(JOBS)

.PHONY: all configure demo test test-all bench install asan tsan docs clean setup setup-tests help
.NOTPARALLEL:

all: configure
	@$(call compile,$B)

configure:
	@$(call configure,$B,-DCMAKE_BUILD_TYPE=$(TYPE) -DTESELA_CUDA=$(CUDA) -DTESELA_CUDA_ARCH="$(ARCH)" -DTESELA_QUICK=$(or $(QUICK),OFF))

setup:
	@scripts/setup

setup-tests:
	@scripts/setup tests

# The program alone, without CUDA where no GPU would run it.
demo: setup
	@$(call configure,$B,-DCMAKE_BUILD_TYPE=$(TYPE) -DTESELA_CUDA=$(if $(GPU),$(CUDA),OFF) -DTESELA_CUDA_ARCH="$(ARCH_HERE)")
	@$(call compile,$B) --target tesela
	@$B/tesela demo

# Tests of a GPU wait for it most of the time: more of them run side by side.
TEST_JOBS = $(if $(GPU),$(JOBS),2)
test test-all: ARCH := $(ARCH_HERE)
test test-all: QUICK := $(if $(GPU),OFF,ON)
test: setup-tests all
	@scripts/run-tests $B -j$(TEST_JOBS)

test-all: setup-tests all
	@TESELA_TEST_ALL=1 scripts/run-tests $B -j$(TEST_JOBS)

bench: all
	$B/tesela bench $(ARGS)

install: all
	@DESTDIR="$(DESTDIR)" $(CMAKE) --install $B --prefix "$(PREFIX)"

# What repeats others on large sizes, or on more processes than most machines have cores: not under the address sanitizer.
LARGE := ^(sweep_large|mpi_.*_(2x3|3x2))$$
asan: B = $(or $(BUILD),build-asan)
asan: setup-tests
	@$(call configure,$B,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DTESELA_CUDA=OFF -DTESELA_SANITIZE=address$(comma)undefined)
	@$(call compile,$B)
	@scripts/run-tests $B -j2 -E '$(LARGE)'

# What threads of ours run in: the devices, the runtime, contexts used side by side, and processes that send by the devices' fabric.
THREADED := ^(dropin|dropin_tiles|dropin_tiles_3|dropin_beside|watch|cancel|device|thread_pool|small|load|home|diagonal|runtime|context|coherence|transfers|regions|uddate|outcomes|stale|graph|stress|locks|tiles|tiled_matrices|memory|alloc_tiles|panels_short|fuzz|lifetimes|near|grid_threads|mpi_agree_2x2|mpi_potrf_1x2|mpi_channel_ops_1x2)$$
# ThreadSanitizer cannot place its shadow memory under some kernels' address randomisation: hence setarch -R, where allowed.
tsan: B = $(or $(BUILD),build-tsan)
tsan: setup-tests
	@$(call configure,$B,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DTESELA_CUDA=OFF -DTESELA_SANITIZE=thread)
	@$(call compile,$B)
	@fixed=; if setarch -R true 2>/dev/null; then fixed='setarch -R'; fi; \
	$$fixed scripts/run-tests $B -j2 -R '$(THREADED)' --no-tests=error

docs:
	@command -v doxygen >/dev/null || { echo "make docs needs doxygen; on Debian and Ubuntu: apt-get install doxygen" >&2; exit 1; }
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo "build/docs/html/index.html"

clean:
	@rm -rf build build-asan build-tsan build-gpu $(BUILD)

help:
	@echo "make            configure and build into build/ (libtesela.so, libtesela.a, tesela)"
	@echo "make demo       set up, build, and run tesela demo"
	@echo "make test       set up, build for this machine, and run the tests"
	@echo "make test-all   the same with every test in its longest form"
	@echo "make bench      run tesela bench; ARGS='$(ARGS)'"
	@echo "make install    install; PREFIX=$(PREFIX) DESTDIR="
	@echo "make asan tsan  build with sanitizers into build-asan/, build-tsan/ and run the tests there"
	@echo "make docs       build/docs/html from the headers in include; needs doxygen"
	@echo "make clean      remove the build directories"
	@echo "Variables: BUILD=dir, CUDA=AUTO|ON|OFF, ARCH='90' (CUDA architectures), TYPE=Release|Debug|..., JOBS=n,"
	@echo "           FLAGS='-D...' (more for CMake)"

comma := ,
