# `cmake --install`: the libraries, the headers, the command, a CMake package
# (find_package(tessera), target tessera::tessera) and a pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(TARGETS tessera tessera_static EXPORT tessera-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tess)
  install(TARGETS tess RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(module tessera_mpi tessera_xerbla tess_pjrt)
  if(TARGET ${module})
    install(TARGETS ${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tessera)
  endif()
endforeach()
if(TARGET tess AND NOT CMAKE_CROSSCOMPILING)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/man/tess.1
    COMMAND ${CMAKE_COMMAND} -DTESS=$<TARGET_FILE:tess> -DTO=${CMAKE_CURRENT_BINARY_DIR}/man
      -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/man.cmake
    DEPENDS tess cmake/man.cmake VERBATIM)
  add_custom_target(man ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/man/tess.1)
  install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES tools/completion/tess.bash RENAME tess
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/_tess DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES tools/completion/tess.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tessera-targets NAMESPACE tessera:: DESTINATION ${package_dir})

configure_package_config_file(cmake/tessera-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/tessera-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tessera-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tessera-config-version.cmake DESTINATION ${package_dir})

# What the wheel holds: the library and the command, beside the Python files.
if(TESS_PYTHON)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  set(prototypes ${CMAKE_CURRENT_BINARY_DIR}/python/_prototypes.py)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tessera/*.h)
  add_custom_command(OUTPUT ${prototypes}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/python
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/prototypes
      ${PROJECT_SOURCE_DIR}/include/tessera >${prototypes}
    DEPENDS tools/prototypes ${headers})
  add_custom_target(python_prototypes ALL DEPENDS ${prototypes})
  install(FILES ${prototypes} DESTINATION tessera COMPONENT python)
  # A wheel holds no links: the file has the one name.
  set_property(TARGET tessera PROPERTY VERSION)
  set_property(TARGET tessera PROPERTY SOVERSION)
  install(TARGETS tessera LIBRARY DESTINATION tessera COMPONENT python)
  foreach(module tessera_xerbla tess_pjrt)
    if(TARGET ${module})
      install(TARGETS ${module} LIBRARY DESTINATION tessera COMPONENT python)
    endif()
  endforeach()
  if(TARGET tess)
    set_target_properties(tess PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS tess RUNTIME DESTINATION tessera COMPONENT python)
  endif()
endif()

# The prefix is where the file is found, as `cmake --install --prefix` may say another.
file(RELATIVE_PATH TESS_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
if(ZLIB_FOUND)
  set(TESS_PC_ZLIB "-lz ")
endif()
configure_file(cmake/tessera.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What the last `cmake --install` has written is removed again.
if(NOT TARGET uninstall)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND}
    -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
endif()
