# The tests of the package in python/, by the first Python that has NumPy; they load the library of this build.

set(python)
foreach(candidate IN ITEMS "$ENV{TESELA_PYTHON}" python3 /usr/bin/python3)
    if(NOT candidate STREQUAL "" AND NOT python)
        # its whole path: mpiexec puts the folder of its own first
        execute_process(COMMAND ${candidate} -c "import numpy, sys; print(sys.executable)"
            RESULT_VARIABLE absent OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(NOT absent)
            set(python ${path})
        endif()
    endif()
endforeach()

function(tesela_add_python_test name)
    if(python)
        tesela_add_test(${name} ${python} ${ARGN})
    else()
        tesela_add_test(${name} sh -c "echo '1..0 # SKIP no Python with NumPy here'; exit 77")
    endif()
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_LIBRARY=set:$<TARGET_FILE:tesela_shared>"
        "PYTHONPATH=set:${PROJECT_SOURCE_DIR}/python" "PYTHONDONTWRITEBYTECODE=set:1")
endfunction()

# What is for other libraries' arrays takes its time where these are, and is skipped elsewhere: a test for each file.
function(tesela_python_tests to)
    set(names)
    foreach(folder IN LISTS ARGN)
        file(GLOB found CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/tests ${PROJECT_SOURCE_DIR}/python/tests/${folder}test_*.py)
        list(APPEND names ${found})
    endforeach()
    list(TRANSFORM names REPLACE "\\.py$" "")
    list(TRANSFORM names REPLACE "/" ".")
    set(${to} ${names} PARENT_SCOPE)
endfunction()

tesela_python_tests(names "./" distributed/)
list(TRANSFORM names REPLACE "^\\.+" "")
tesela_add_python_test(python ${PROJECT_SOURCE_DIR}/python/tests/run.py ${names})
tesela_python_tests(names others/)
foreach(file IN LISTS names)
    string(REPLACE "others.test_" "python_" name ${file})
    tesela_add_python_test(${name} ${PROJECT_SOURCE_DIR}/python/tests/run.py ${file})
endforeach()
math(EXPR longer "2 * ${tests_timeout}")
set_tests_properties(python_jax python_jax_gradients python_torch_gradients PROPERTIES TIMEOUT ${longer}) # derivatives by differences
tesela_add_python_test(python_package ${PROJECT_SOURCE_DIR}/python/tests/package.py)
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/python/*.py)
foreach(source IN LISTS examples)
    get_filename_component(name ${source} NAME_WE)
    tesela_add_python_test(example_python_${name} ${source})
endforeach()

# Those for JAX, where that Python has it.
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/jax/*.py)
foreach(source IN LISTS examples)
    get_filename_component(name ${source} NAME_WE)
    tesela_add_python_test(example_jax_${name} ${PROJECT_SOURCE_DIR}/tests/scripts/with_jax.py ${source})
endforeach()
