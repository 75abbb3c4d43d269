# The program, and what is installed beside it: man pages, completion, the units of systemd. All but the units come with the component
# program, too.
set(manual "${PROJECT_BINARY_DIR}/man1")
set(completion "${PROJECT_BINARY_DIR}/completion")
set(units "${PROJECT_BINARY_DIR}/logquery.service" "${PROJECT_BINARY_DIR}/logquery.socket")

# logquery_install_beside_program(RULE...): install() with this rule for both components.
function(logquery_install_beside_program)
  install(${ARGN} COMPONENT server)
  install(${ARGN} COMPONENT program EXCLUDE_FROM_ALL)
endfunction()

logquery_install_beside_program(TARGETS logquery_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
set(built "$<TARGET_FILE:logquery_cli>")
# The program itself writes them whenever it is linked, so a build for another machine leaves them out.
if(NOT CMAKE_CROSSCOMPILING AND NOT LOGQUERY_SANITIZE)
  set(program "$<TARGET_FILE:logquery_cli>")
  set(written "${manual}/logquery.1" "${completion}/logquery" "${completion}/_logquery" "${completion}/logquery.fish")
  add_custom_command(
    TARGET logquery_cli POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${completion}"
    COMMAND "${program}" man --dir "${manual}"
    COMMAND sh -c "'${program}' completion bash >'${completion}/logquery'"
    COMMAND sh -c "'${program}' completion zsh >'${completion}/_logquery'"
    COMMAND sh -c "'${program}' completion fish >'${completion}/logquery.fish'"
    BYPRODUCTS ${written}
    COMMENT "Writing man pages and completion"
    VERBATIM)
  list(APPEND built ${written})
  logquery_install_beside_program(DIRECTORY "${manual}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  logquery_install_beside_program(FILES "${completion}/logquery" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  logquery_install_beside_program(FILES "${completion}/_logquery" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
  logquery_install_beside_program(FILES "${completion}/logquery.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
foreach(component IN ITEMS server program)
  set_property(GLOBAL APPEND PROPERTY LOGQUERY_BUILT_${component} ${built})
endforeach()

foreach(unit IN LISTS units)
  get_filename_component(name "${unit}" NAME)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/package/${name}.in" "${unit}" @ONLY)
endforeach()
install(FILES ${units} DESTINATION lib/systemd/system COMPONENT server)
