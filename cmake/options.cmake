# Optional dependencies.  Each option is AUTO (use it if it is there), ON (it
# must be there) or OFF.  What is in, tess_features() and `tess --version` say.
#
# LAPACK and MPI take up to tens of milliseconds to load, and most commands need
# neither: the library opens them at run time, when a program first needs them.

set(TESS_DEFINITIONS)       # compile definitions of the library
set(TESS_LINK_LIBRARIES)    # what the library links with
set(TESS_COMPILE_LIBRARIES) # targets whose headers its sources need

foreach(dependency ZLIB LAPACK MPI)
  set(TESS_${dependency} AUTO CACHE STRING "Use ${dependency}: AUTO, ON or OFF")
  set_property(CACHE TESS_${dependency} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# Ends the configuration if an option is ON and its dependency was not found.
function(tess_report dependency found detail)
  if(found)
    message(STATUS "tessera: ${dependency}: ${detail}")
  elseif(TESS_${dependency} STREQUAL "ON")
    message(FATAL_ERROR "TESS_${dependency} is ON, but it was not found")
  else()
    message(STATUS "tessera: ${dependency}: not used")
  endif()
endfunction()

# The name under which the dynamic linker knows a library (libx.so.0).
function(tess_soname library out)
  set(soname)
  if(CMAKE_READELF)
    execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic ERROR_QUIET)
    if(dynamic MATCHES "soname: \\[([^]]+)\\]")
      set(soname ${CMAKE_MATCH_1})
    endif()
  endif()
  if(NOT soname)
    get_filename_component(soname ${library} NAME)
  endif()
  set(${out} ${soname} PARENT_SCOPE)
endfunction()

if(NOT TESS_ZLIB STREQUAL "OFF")
  find_package(ZLIB QUIET)
  tess_report(ZLIB "${ZLIB_FOUND}" "${ZLIB_VERSION_STRING}")
  if(ZLIB_FOUND)
    list(APPEND TESS_DEFINITIONS TESS_HAVE_ZLIB)
    list(APPEND TESS_LINK_LIBRARIES ZLIB::ZLIB)
    list(APPEND TESS_COMPILE_LIBRARIES ZLIB::ZLIB)
  endif()
endif()

# MPI is behind a module of ours, tessera_mpi.so, which the library opens at run time.
if(NOT TESS_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS C)
  tess_report(MPI "${MPI_C_FOUND}" "${MPI_C_LIBRARIES}")
  if(MPI_C_FOUND)
    list(APPEND TESS_DEFINITIONS TESS_HAVE_MPI)
  endif()
endif()

# What JAX makes its linear algebra of, the custom calls lapack_…_ffi: opened by this file name, or
# by the usual ones.
if(TESS_LAPACK STREQUAL "OFF")
  list(APPEND TESS_DEFINITIONS TESS_NO_LAPACK)
else()
  find_library(TESS_LAPACK_LIBRARY NAMES openblas lapack)
  mark_as_advanced(TESS_LAPACK_LIBRARY)
  if(TESS_LAPACK_LIBRARY)
    tess_soname(${TESS_LAPACK_LIBRARY} soname)
    tess_report(LAPACK TRUE ${soname})
    list(APPEND TESS_DEFINITIONS TESS_LAPACK_SONAME="${soname}")
  else()
    tess_report(LAPACK FALSE "")
  endif()
endif()

# ---- parts of the library ------------------------------------------------------

option(TESS_HLO "XLA's world: HLO text, shapes and layouts, HloShardings" ON)
option(TESS_ARRAY "Array programs: traced functions and their transformations" ON)

# What is left out stays in the headers: each of its functions reports that it is not there.
function(tess_without part)
  set(to ${CMAKE_CURRENT_BINARY_DIR}/without_${part}.c)
  set(include ${CMAKE_CURRENT_SOURCE_DIR}/include/tessera)
  list(JOIN ARGN "," headers)
  list(TRANSFORM ARGN PREPEND ${include}/ OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -DHEADERS=${headers} -DINCLUDE=${include} -DPART=${part} -DTO=${to}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/without.cmake
    DEPENDS ${files} cmake/without.cmake VERBATIM)
  set(TESS_SOURCES ${TESS_SOURCES} ${to} PARENT_SCOPE)
  set(TESS_DEFINITIONS ${TESS_DEFINITIONS} TESS_NO_${part} PARENT_SCOPE)
endfunction()

# spmd.h: tensors as torch_xla.distributed.spmd has them, traced, and sharded by HloShardings.
macro(tess_leave_out)
  if(TESS_HLO)
    list(FILTER TESS_SOURCES EXCLUDE REGEX "/api/without_hlo\\.c$")
  else()
    list(FILTER TESS_SOURCES EXCLUDE REGEX
      "/src/(hlo/.*|report/report_hlo|api/hlo|api/hlo_sharding|api/shape|api/spmd/.*)\\.c$")
    tess_without(HLO hlo.h shape.h spmd.h)
  endif()
  if(NOT TESS_ARRAY)
    list(FILTER TESS_SOURCES EXCLUDE REGEX "/src/(array|api/array|api/spmd)/")
    if(TESS_HLO)
      tess_without(ARRAY array.h spmd.h)
    else()
      tess_without(ARRAY array.h)
    endif()
  endif()
endmacro()
