# The compiled calls of the Python package (python/fast), beside the library, where the package looks for them. Without a Python
# that has its headers ctypes calls the library.

set(fast "")
foreach(candidate IN ITEMS "$ENV{TESELA_PYTHON}" python3 /usr/bin/python3)
    if(NOT candidate STREQUAL "" AND fast STREQUAL "" AND NOT CMAKE_CROSSCOMPILING)
        execute_process(COMMAND ${candidate} -c "import sysconfig; print(sysconfig.get_paths()['include'])"
            OUTPUT_VARIABLE headers OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(EXISTS "${headers}/Python.h")
            set(fast "${headers}")
        endif()
    endif()
endforeach()
if(NOT fast STREQUAL "")
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/fast/*.c)
    add_library(tesela_fast MODULE ${sources})
    target_include_directories(tesela_fast PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_include_directories(tesela_fast SYSTEM PRIVATE ${fast})
    target_link_libraries(tesela_fast PRIVATE tesela_flags)
    set_target_properties(tesela_fast PROPERTIES PREFIX "" OUTPUT_NAME tesela_fast SUFFIX ".abi3.so" LINKER_LANGUAGE C
        C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    add_dependencies(tesela_shared tesela_fast) # who builds the library for the package has both
endif()
