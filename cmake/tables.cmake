# Texts made from the tables of operations and passes.  They are kept in the tree so that they can be
# read there, and the library builds without making them: `ninja tables` updates them, and a test
# fails when that is needed.
file(GLOB tables_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/tables/*.c)
add_executable(make_tables ${tables_sources})
target_compile_definitions(make_tables PRIVATE _GNU_SOURCE)
target_include_directories(make_tables PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(make_tables PRIVATE tessera_static tess_flags m)

set(TESS_TABLES ops.md docs/ops.md passes.md docs/passes.md dictionary tests/fuzz/mlir.dict)
add_custom_target(tables)
set(tables_left ${TESS_TABLES})
while(tables_left)
  list(POP_FRONT tables_left what file)
  add_custom_command(TARGET tables POST_BUILD
    COMMAND make_tables ${what} > ${PROJECT_BINARY_DIR}/table.tmp
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${PROJECT_BINARY_DIR}/table.tmp
      ${PROJECT_SOURCE_DIR}/${file} VERBATIM)
endwhile()
