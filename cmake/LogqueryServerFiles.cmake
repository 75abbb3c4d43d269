# What is installed beside the program: man pages, completion, the unit of systemd and its settings.
set(manual "${PROJECT_BINARY_DIR}/man1")
set(completion "${PROJECT_BINARY_DIR}/completion")
# The program itself writes them, so a build for another machine leaves them out.
if(NOT CMAKE_CROSSCOMPILING AND NOT LOGQUERY_SANITIZE)
  set(program "$<TARGET_FILE:logquery_cli>")
  add_custom_command(
    OUTPUT "${completion}/made"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${completion}"
    COMMAND "${program}" man --dir "${manual}"
    COMMAND sh -c "'${program}' completion bash >'${completion}/logquery'"
    COMMAND sh -c "'${program}' completion zsh >'${completion}/_logquery'"
    COMMAND sh -c "'${program}' completion fish >'${completion}/logquery.fish'"
    COMMAND "${CMAKE_COMMAND}" -E touch "${completion}/made"
    DEPENDS logquery_cli
    COMMENT "Writing man pages and completion"
    VERBATIM)
  add_custom_target(logquery_manual ALL DEPENDS "${completion}/made")
  install(DIRECTORY "${manual}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT server)
  install(FILES "${completion}/logquery" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT server)
  install(FILES "${completion}/_logquery" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT server)
  install(FILES "${completion}/logquery.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
    COMPONENT server)
endif()

foreach(unit IN ITEMS logquery.service logquery.socket)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/package/${unit}.in" "${PROJECT_BINARY_DIR}/${unit}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${unit}" DESTINATION lib/systemd/system COMPONENT server)
endforeach()
