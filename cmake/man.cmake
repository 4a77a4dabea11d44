# Manual pages of every command, from its own tables: cmake -DTESS=… -DTO=FOLDER -P man.cmake
file(MAKE_DIRECTORY ${TO})
execute_process(COMMAND ${TESS} --help=man OUTPUT_FILE ${TO}/tess.1 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${TESS} --help=commands OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[a-z]+" names "${lines}")
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  execute_process(COMMAND ${TESS} ${name} --help=man OUTPUT_FILE ${TO}/tess-${name}.1
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
