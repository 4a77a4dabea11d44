# Optional dependencies.  Each option is AUTO (use it if it is there), ON (it
# must be there) or OFF.  What is in, tess_features() and `tess --version` say.
#
# OpenBLAS, oneDNN and MPI take up to tens of milliseconds to load, and most
# commands need none of them: the library opens them at run time, when a
# program first needs them, by the file names given here.

set(TESS_DEFINITIONS)       # compile definitions of the library
set(TESS_LINK_LIBRARIES)    # what the library links with
set(TESS_COMPILE_LIBRARIES) # targets whose headers its sources need

foreach(dependency ZLIB BLAS ONEDNN MPI)
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

# A dependency opened at run time: HEADER and LIBRARY must be there, then
# TESS_HAVE_<name> is defined, and TESS_<name>_SONAME is the file to open.
function(tess_runtime_library dependency header library)
  if(TESS_${dependency} STREQUAL "OFF")
    return()
  endif()
  find_path(TESS_${dependency}_INCLUDE ${header} PATH_SUFFIXES openblas
    ${CMAKE_LIBRARY_ARCHITECTURE} ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
  find_library(TESS_${dependency}_LIBRARY ${library})
  mark_as_advanced(TESS_${dependency}_INCLUDE TESS_${dependency}_LIBRARY)
  if(TESS_${dependency}_INCLUDE AND TESS_${dependency}_LIBRARY)
    tess_soname(${TESS_${dependency}_LIBRARY} soname)
    tess_report(${dependency} TRUE ${soname})
    set(TESS_DEFINITIONS ${TESS_DEFINITIONS} TESS_HAVE_${dependency}
      TESS_${dependency}_SONAME="${soname}" PARENT_SCOPE)
    add_library(tess_${dependency}_headers INTERFACE)
    target_include_directories(tess_${dependency}_headers SYSTEM INTERFACE
      ${TESS_${dependency}_INCLUDE})
    set(TESS_COMPILE_LIBRARIES ${TESS_COMPILE_LIBRARIES} tess_${dependency}_headers PARENT_SCOPE)
  else()
    tess_report(${dependency} FALSE "")
  endif()
endfunction()
# MPI is behind a module of ours, tessera_mpi.so, which the library opens at run time.
if(NOT TESS_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS C)
  tess_report(MPI "${MPI_C_FOUND}" "${MPI_C_LIBRARIES}")
  if(MPI_C_FOUND)
    list(APPEND TESS_DEFINITIONS TESS_HAVE_MPI)
  endif()
endif()
tess_runtime_library(BLAS cblas.h openblas)
tess_runtime_library(ONEDNN oneapi/dnnl/dnnl.h dnnl)
