# tests/mpi/test_NAME.c, tests/mpi/scalapack: one program run by mpirun on several grids, given as its first argument. More processes than cores are asked
# for, so idle ones must yield.

set(mpi_environment ${tests_environment} "OPENBLAS_NUM_THREADS=set:1" "OMPI_ALLOW_RUN_AS_ROOT=set:1" "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=set:1"
    "OMPI_MCA_rmaps_base_oversubscribe=set:1" "OMPI_MCA_mpi_yield_when_idle=set:1" "OMPI_MCA_btl_base_warn_component_unused=set:0"
    "OMPI_MCA_hwloc_base_binding_policy=set:none" "LSAN_OPTIONS=set:detect_leaks=0") # MPI's own leaks are not ours

# OPEN among the arguments: nobody says the grid's shape
function(tesela_mpi_test name program rows cols)
    cmake_parse_arguments(PARSE_ARGV 4 its "OPEN" "" "")
    math(EXPR count "${rows} * ${cols}")
    set(shape ${rows}x${cols})
    if(its_OPEN)
        set(shape 0x0)
    endif()
    set(cores 2)
    if(count EQUAL 1)
        set(cores 1)
    endif()
    add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${count} ${program} ${shape} ${its_UNPARSED_ARGUMENTS}
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set_tests_properties(${name} PROPERTIES PROCESSORS ${cores}
        TIMEOUT ${tests_timeout} SKIP_RETURN_CODE 77 ENVIRONMENT_MODIFICATION "${mpi_environment}")
    # Long ones: more processes than most machines have cores; all operations on one and in a column, where a row and four are
    # tested; four by the stand-in for NCCL, where two are
    if(name MATCHES "^mpi_(ops|potrf|lu|qr|solve)_(2x3|3x2|1x4|4x1)$|^mpi_ops_(1x1|2x1)$|^mpi_(bytes|memory)_(2x4|4x4)$|^mpi_scalapack_(range|svd|move)_1x1$|^mpi_scalapack_range_1x3$|^mpi_channel_(ops|potrf)_2x2$|^mpi_channel_ops_2x1$|^mpi_qr_tree_3x2$")
        set_tests_properties(${name} PROPERTIES LABELS full)
    endif()
endfunction()

file(GLOB mpi_programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/mpi/test_*.c ${PROJECT_SOURCE_DIR}/tests/mpi/lu/test_*.c
     ${PROJECT_SOURCE_DIR}/tests/mpi/scalapack/test_*.c)
foreach(source IN LISTS mpi_programs)
    get_filename_component(name ${source} NAME_WE)
    add_executable(mpi_${name} ${source} ${bench_objects})
    target_include_directories(mpi_${name} PRIVATE ${tests_include} ${PROJECT_SOURCE_DIR}/tests/mpi/support)
    target_link_libraries(mpi_${name} PRIVATE tesela_compared tesela_mpi tesela_libs)
    set_target_properties(mpi_${name} PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endforeach()

foreach(grid 1x1 1x2 2x1 2x2 2x3 3x2 1x4 4x1)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_ops_${grid} $<TARGET_FILE:mpi_test_ops> ${shape})
endforeach()
foreach(grid 1x2 2x1 2x2 2x3 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_potrf_${grid} $<TARGET_FILE:mpi_test_potrf> ${shape})
endforeach()
foreach(grid 1x1 1x2 2x1 2x2 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_lu_${grid} $<TARGET_FILE:mpi_test_lu> ${shape})
endforeach()
foreach(grid 1x1 1x2 2x1 2x2 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_qr_${grid} $<TARGET_FILE:mpi_test_qr> ${shape})
endforeach()
foreach(grid 1x1 1x2 2x2 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_solve_${grid} $<TARGET_FILE:mpi_test_solve> ${shape})
endforeach()
foreach(grid 1x2 2x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_functions_${grid} $<TARGET_FILE:mpi_test_functions> ${shape})
    tesela_mpi_test(mpi_ldl_${grid} $<TARGET_FILE:mpi_test_ldl> ${shape})
    tesela_mpi_test(mpi_expert_${grid} $<TARGET_FILE:mpi_test_expert> ${shape})
    tesela_mpi_test(mpi_sy2sb_${grid} $<TARGET_FILE:mpi_test_sy2sb> ${shape})
    tesela_mpi_test(mpi_syev_${grid} $<TARGET_FILE:mpi_test_syev> ${shape})
endforeach()
foreach(grid 1x1 2x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_lifetimes_${grid} $<TARGET_FILE:mpi_test_lifetimes> ${shape})
endforeach()
foreach(grid 2x2 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_copy_${grid} $<TARGET_FILE:mpi_test_copy> ${shape})
    tesela_mpi_test(mpi_numbers_${grid} $<TARGET_FILE:mpi_test_numbers> ${shape})
    tesela_mpi_test(mpi_errors_${grid} $<TARGET_FILE:mpi_test_errors> ${shape})
    tesela_mpi_test(mpi_agree_${grid} $<TARGET_FILE:mpi_test_agree> ${shape})
endforeach()
foreach(grid 1x3 2x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_same_${grid} $<TARGET_FILE:mpi_test_same> ${shape})
endforeach()
foreach(grid 2x2 2x4 4x4)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_bytes_${grid} $<TARGET_FILE:mpi_test_bytes> ${shape})
    tesela_mpi_test(mpi_memory_${grid} $<TARGET_FILE:mpi_test_memory> ${shape})
endforeach()
tesela_mpi_test(mpi_faults_2x2 $<TARGET_FILE:mpi_test_faults> 2 2)
tesela_mpi_test(mpi_faults_1x2 $<TARGET_FILE:mpi_test_faults> 1 2)
tesela_mpi_test(mpi_deadline_2x2 $<TARGET_FILE:mpi_test_deadline> 2 2)
# Processes on several machines: processes of one, the grid, and what of it a machine is. Three of eight are not the same on all.
function(tesela_nodes_test node rows cols block)
    tesela_mpi_test(mpi_nodes_${rows}x${cols}_${node} $<TARGET_FILE:mpi_test_nodes> ${rows} ${cols} ${rows}x${cols} ${block} OPEN)
    set_property(TEST mpi_nodes_${rows}x${cols}_${node} APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_NODE=set:${node}")
endfunction()
tesela_nodes_test(2 2 2 2x1)
tesela_nodes_test(2 2 3 2x1)
tesela_nodes_test(4 2 4 2x2)
tesela_nodes_test(3 2 4 0x0)
# LU whose update is cut, as on GPUs
foreach(grid 2x1 2x2 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_lu_parts_${grid} $<TARGET_FILE:mpi_test_lu> ${shape})
    set_property(TEST mpi_lu_parts_${grid} APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_PARTS=set:5")
endforeach()
# Panels of QR by a tree, as on GPUs
foreach(grid 2x1 3x2)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_qr_tree_${grid} $<TARGET_FILE:mpi_test_qr> ${shape})
    set_property(TEST mpi_qr_tree_${grid} APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_PANELS=set:0")
endforeach()
# Messages are cut where MPI could not count their bytes: here after a few.
tesela_mpi_test(mpi_ops_messages $<TARGET_FILE:mpi_test_ops> 2 1 2)
set_property(TEST mpi_ops_messages APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_MESSAGE=set:1000")
# Along five processes a broadcast goes down a tree or, in segments, from one to the next.
tesela_mpi_test(mpi_copy_segments $<TARGET_FILE:mpi_test_copy> 1 5)
set_property(TEST mpi_copy_segments APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_MESSAGE=set:100")

# Messages between devices by a fabric of theirs: the stand-in for NCCL, here and in tests of everything else. Then without it, with
# one process where it does not start, with one where it fails in the middle, and with one that runs out of memory while others wait.
function(tesela_channel_test name program grid)
    string(REPLACE "x" ";" shape ${grid})
    tesela_mpi_test(mpi_channel_${name}_${grid} ${program} ${shape} ${ARGN})
    set_property(TEST mpi_channel_${name}_${grid} APPEND PROPERTY ENVIRONMENT_MODIFICATION ${by_stand_in})
endfunction()

foreach(grid 1x2 2x1 2x2 2x3)
    tesela_channel_test(messages $<TARGET_FILE:mpi_test_channel> ${grid})
endforeach()
foreach(grid 1x2 2x1 2x2)
    tesela_channel_test(ops $<TARGET_FILE:mpi_test_ops> ${grid})
    tesela_channel_test(potrf $<TARGET_FILE:mpi_test_potrf> ${grid})
endforeach()
tesela_channel_test(lu $<TARGET_FILE:mpi_test_lu> 2x1)
tesela_channel_test(lu $<TARGET_FILE:mpi_test_lu> 2x2)
tesela_channel_test(lu_parts $<TARGET_FILE:mpi_test_lu> 2x2)
set_property(TEST mpi_channel_lu_parts_2x2 APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_PARTS=set:3")
tesela_channel_test(qr $<TARGET_FILE:mpi_test_qr> 2x2)
tesela_channel_test(solve $<TARGET_FILE:mpi_test_solve> 2x2)
foreach(what copy numbers errors)
    tesela_channel_test(${what} $<TARGET_FILE:mpi_test_${what}> 2x2)
endforeach()
tesela_channel_test(off $<TARGET_FILE:mpi_test_channel> 2x2 none)
set_property(TEST mpi_channel_off_2x2 APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_NCCL=set:off")
tesela_channel_test(refused $<TARGET_FILE:mpi_test_channel> 2x2 none)
set_property(TEST mpi_channel_refused_2x2 APPEND PROPERTY ENVIRONMENT_MODIFICATION "NCCL_STAND_IN=set:init:1")
tesela_channel_test(broken $<TARGET_FILE:mpi_test_channel> 2x2 broken)
set_property(TEST mpi_channel_broken_2x2 APPEND PROPERTY ENVIRONMENT_MODIFICATION "NCCL_STAND_IN=set:group:1:9")
tesela_channel_test(short $<TARGET_FILE:mpi_test_channel> 2x1 short)
set_property(TEST mpi_channel_short_2x1 APPEND PROPERTY ENVIRONMENT_MODIFICATION "NCCL_STAND_IN=set:slow:0:20")
tesela_channel_test(deadline $<TARGET_FILE:mpi_test_deadline> 1x2 channel)
set_property(TEST mpi_channel_deadline_1x2 APPEND PROPERTY ENVIRONMENT_MODIFICATION "NCCL_STAND_IN=set:slow:1:2000")

if(TEST consumer) # which runs a program on two processes
    set_property(TEST consumer APPEND PROPERTY ENVIRONMENT_MODIFICATION "${mpi_environment}")
endif()

# The examples are tests too.
file(GLOB mpi_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/mpi/*.c)
foreach(source IN LISTS mpi_examples)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE tesela_flags tesela_mpi)
    set_target_properties(example_${name} PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    tesela_mpi_test(mpi_example_${name} $<TARGET_FILE:example_${name}> 2 2)
endforeach()

# So are those in Python, which load the libtesela_mpi that is beside libtesela.
if(python AND TEST python)
    file(GLOB mpi_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/python/distributed/*.py)
    foreach(source IN LISTS mpi_examples)
        get_filename_component(name ${source} NAME_WE)
        add_test(NAME mpi_example_python_${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 4 ${python} ${source}
            WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
        set_tests_properties(mpi_example_python_${name} PROPERTIES PROCESSORS 2 TIMEOUT ${tests_timeout}
            ENVIRONMENT_MODIFICATION "${mpi_environment};TESELA_LIBRARY=set:$<TARGET_FILE:tesela_shared>;PYTHONPATH=set:${PROJECT_SOURCE_DIR}/python;PYTHONDONTWRITEBYTECODE=set:1")
    endforeach()
    set_property(TEST python APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_MPIEXEC=set:${MPIEXEC_EXECUTABLE}")
endif()

# A command under mpirun of which exit status and output count: tests/mpi/expect.cmake; says: REGEX TIMES...
function(tesela_expect_test name count status says)
    math(EXPR patience "${tests_timeout} - 5")
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} "-Dcommand=${MPIEXEC_EXECUTABLE};${MPIEXEC_NUMPROC_FLAG};${count};${ARGN}"
        -Dstatus=${status} "-Dsays=${says}" -Dtimeout=${patience} -P ${PROJECT_SOURCE_DIR}/tests/mpi/expect.cmake
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set_tests_properties(${name} PROPERTIES PROCESSORS 2 TIMEOUT ${tests_timeout} ENVIRONMENT_MODIFICATION "${mpi_environment}")
endfunction()

tesela_expect_test(mpi_exit_fails 2 fails "leaves with 3;1;norm 0;0" $<TARGET_FILE:mpi_test_exit> fails)
tesela_expect_test(mpi_exit_good 2 0 "norm 0;2" $<TARGET_FILE:mpi_test_exit> good)
tesela_expect_test(mpi_exit_fork 2 0 "norm 0;2" $<TARGET_FILE:mpi_test_exit> fork)
tesela_expect_test(mpi_exit_finalized 2 0 "TSL_ERR_MPI, finalized;12;ended;2" $<TARGET_FILE:mpi_test_exit> finalized)

# A launcher that lets the others live when a process is killed: Open MPI's, up to version 4 by this option
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE launcher ERROR_VARIABLE launcher)
if(launcher MATCHES "(Open MPI|OpenRTE)\\) [1-4]\\.")
    tesela_expect_test(mpi_deadline_killed 4 0 "TSL_ERR_LATE;3;ended;3" --enable-recovery $<TARGET_FILE:mpi_test_deadline> 2x2 killed)
endif()

# The program loads libtesela_mpi when it is asked for a grid. One process speaks for all.
if(TARGET tesela)
    set(bench $<TARGET_FILE:tesela> bench)
    tesela_expect_test(mpi_cli 2 0 "\"grid\": \"1x2\";11;\"ok\": true;11;\"ok\": (false|null);0;\"messages_sent\": [1-9][0-9]*, \"bytes_sent\": [1-9];11"
        ${bench} gemm,syrk,trsm,potrf,getrf,gesv,geqrf,ormqr,orgqr,gels,syev -n 150 --grid auto --nb 32 --storage device --check --reps 1 --json -)
    tesela_expect_test(mpi_cli_usage 2 fails "gemmm;1" ${bench} gemmm -n 150 --grid 1x2)
    tesela_expect_test(mpi_cli_shape 2 fails "2x2;1" ${bench} gemm -n 150 --grid 2x2)
    tesela_expect_test(mpi_cli_devices 2 fails "not a kind of device;1" ${bench} gemm -n 150 --grid 1x2 --devices nowhere)
    set(cli_tests mpi_cli mpi_cli_usage mpi_cli_shape mpi_cli_devices)
    if(TESELA_SANITIZE) # a sanitizer's own dlopen does not look where the program's does
        set_property(TEST ${cli_tests} APPEND PROPERTY ENVIRONMENT_MODIFICATION "LD_LIBRARY_PATH=path_list_prepend:${PROJECT_BINARY_DIR}")
    endif()
endif()

# The drop-in library, preloaded before the ScaLAPACK it stands in for. A preloaded library goes before the sanitizers' own.
find_library(TESELA_SCALAPACK NAMES scalapack-openmpi scalapack)
mark_as_advanced(TESELA_SCALAPACK)
if(NOT TESELA_SANITIZE)
    foreach(program scalapack scalapack_qr scalapack_eig scalapack_range scalapack_svd scalapack_move preload)
        target_compile_definitions(mpi_test_${program} PRIVATE WITH_SCALAPACK=$<BOOL:${TESELA_SCALAPACK}>)
        if(TESELA_SCALAPACK)
            target_link_libraries(mpi_test_${program} PRIVATE ${TESELA_SCALAPACK})
        endif()
    endforeach()
    set(preload "LD_PRELOAD=set:$<TARGET_FILE:tesela_scalapack>")
    foreach(grid 1x1 2x2 1x3) # small as they are, not one problem is passed on
        string(REPLACE "x" ";" shape ${grid})
        foreach(program scalapack scalapack_qr scalapack_eig scalapack_range scalapack_svd scalapack_move)
            tesela_mpi_test(mpi_${program}_${grid} $<TARGET_FILE:mpi_test_${program}> ${shape})
            set_property(TEST mpi_${program}_${grid} APPEND PROPERTY ENVIRONMENT_MODIFICATION ${preload} "TESELA_PASS=set:0")
        endforeach()
    endforeach()
    tesela_mpi_test(mpi_preload_info $<TARGET_FILE:mpi_test_preload> 2 2 info)
    set_property(TEST mpi_preload_info APPEND PROPERTY ENVIRONMENT_MODIFICATION ${preload} "TESELA_PASS=set:0")
    tesela_mpi_test(mpi_preload_speed $<TARGET_FILE:mpi_test_preload> 1 1 speed)
    set_property(TEST mpi_preload_speed APPEND PROPERTY ENVIRONMENT_MODIFICATION ${preload})
    if(TESELA_SCALAPACK)
        set(preload -x LD_PRELOAD=$<TARGET_FILE:tesela_scalapack>)
        set(ask -x TESELA_LOG=info)
        tesela_expect_test(mpi_preload_end 4 fails "pdgemm failed: [^\n]*MPI;+;has returned;0"
            ${preload} -x TESELA_PASS=0 $<TARGET_FILE:mpi_test_preload> 2x2 end)
        tesela_expect_test(mpi_preload_memory 4 fails "pdgemm failed: [^\n]*memory;+;not ok;0"
            ${preload} -x TESELA_DEVICES=host:1,mem=4K $<TARGET_FILE:mpi_test_preload> 2x2 memory)
        tesela_expect_test(mpi_preload_log 4 0 "pdgemm \\(20 x 20 x 20\\): passed on: it is small;1;pdgemm \\(150 x 150 x 150\\): computed here;1;pdpotrf \\(150 x 150 x 150\\): computed here;1;not ok;0"
            ${preload} ${ask} $<TARGET_FILE:mpi_test_preload> 2x2 results)
    endif()
endif()
