# Run with cmake -P: installs the built tree under a scratch DESTDIR and uses it from a project of its own. The prefix it was
# installed for does not exist: what works here works wherever the tree is moved.

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    list(JOIN ARGN " " line)
    message("$ ${line}\n${out}")
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "failed (${status}): ${line}")
    endif()
    set(output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${scratch})
file(MAKE_DIRECTORY ${scratch})
set(prefix ${scratch}/tree/opt/tesela)
run(${CMAKE_COMMAND} -E env DESTDIR=${scratch}/tree ${CMAKE_COMMAND} --install ${build} --config "${config}" --prefix /opt/tesela)

# find_package: the shared and the static library, as C and as C++
run(${CMAKE_COMMAND} -S ${source} -B ${scratch}/build -G ${generator} -DCMAKE_BUILD_TYPE=${config} -DCMAKE_C_COMPILER=${cc}
    -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${scratch}/build --config "${config}")
run(${CMAKE_CTEST_COMMAND} --test-dir ${scratch}/build -C "${config}" --output-on-failure)

# the installed program finds the installed library, not the one of the build tree
if(cli)
    run(${CMAKE_COMMAND} -E env LD_TRACE_LOADED_OBJECTS=1 ${prefix}/bin/tesela)
    file(REAL_PATH ${prefix}/${libdir} real)
    string(REGEX MATCH "libtesela[^ ]* => ([^\n]+) \\(0x" found "${output}")
    if(NOT CMAKE_MATCH_1)
        message(FATAL_ERROR "the installed tesela does not find libtesela.so")
    endif()
    get_filename_component(found ${CMAKE_MATCH_1} REALPATH)
    string(FIND "${found}" "${real}/" at)
    if(NOT at EQUAL 0)
        message(FATAL_ERROR "the installed tesela uses ${found}")
    endif()
endif()

# nothing but our names leaves the shared library, and what is private has a version that says so
find_program(nm nm)
if(nm)
    execute_process(COMMAND ${nm} -D --defined-only ${prefix}/${libdir}/libtesela.so OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " [A-Za-z] [^\n]+" symbols "${symbols}")
    list(FILTER symbols EXCLUDE REGEX "^ ([TDBR] tsl_|A TESELA_)")
    if(symbols)
        message(FATAL_ERROR "libtesela.so exports ${symbols}")
    endif()
endif()

# pkg-config, shared and static
if(pkg_config)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
    foreach(kind shared static)
        set(flag)
        if(kind STREQUAL "static")
            set(flag --static)
        endif()
        run(${pkg_config} ${flag} --cflags --libs tesela)
        string(STRIP "${output}" flags)
        if(kind STREQUAL "static")
            string(REPLACE "-ltesela" "-l:libtesela.a" flags "${flags}")
        endif()
        separate_arguments(flags UNIX_COMMAND "${flags}")
        run(${cc} -o ${scratch}/pc-${kind} ${source}/main.c ${flags})
        run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${prefix}/${libdir}:$ENV{LD_LIBRARY_PATH} ${scratch}/pc-${kind})
    endforeach()
endif()
