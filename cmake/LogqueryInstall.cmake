# Installs the files of `cmake --install`, which find_package(logquery) and pkg-config find. The components library,
# development and server become Debian packages: LogqueryPackages.cmake. The component program is the program with all that it needs,
# for who has built nothing else; scripts/package makes a tarball and an image of it.
include(CMakePackageConfigHelpers)
include(LogqueryAbseil)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/logquery")
set(logquery_components library development server documentation program)

# First of all rules, so that nothing is written if something that would be copied is not built.
if(PROJECT_IS_TOP_LEVEL)
  install(SCRIPT "${PROJECT_BINARY_DIR}/check_built.cmake" ALL_COMPONENTS)
endif()

install(DIRECTORY include/logquery DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(FILES lib/testing/function_cases.txt DESTINATION "${CMAKE_INSTALL_DATADIR}/logquery" COMPONENT development)

# logquery_install_document(FILE...): licences, which come with the program alone, too.
function(logquery_install_document)
  install(FILES ${ARGN} DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation)
  install(FILES ${ARGN} DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program EXCLUDE_FROM_ALL)
endfunction()
logquery_install_document(LICENSE "${logquery_notices_file}")

# logquery_install(TARGET EXPORT): a component has its own file of targets, so that one can be used without the others.
function(logquery_install target export)
  set_property(GLOBAL APPEND PROPERTY LOGQUERY_BUILT_development "$<TARGET_FILE:${target}>")
  install(TARGETS ${target} EXPORT ${export}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT ${export} NAMESPACE logquery:: DESTINATION "${package_dir}" COMPONENT development)
endfunction()

logquery_install(logquery logqueryTargets)
logquery_install(logquery_testing logquery-testingTargets)
if(LOGQUERY_WITH_DUCKDB)
  logquery_install(logquery_duckdb logquery-duckdbTargets)
  logquery_install(logquery_store logquery-storeTargets)
  cmake_path(IS_PREFIX LOGQUERY_DEPS_DIR "${DuckDB_LIBRARY}" NORMALIZE duckdb_is_ours)
  if(duckdb_is_ours)
    # No package of the system has this library, so it comes along.
    # It stands in folders of ours: another package may bring one of its name.
    install(FILES "${DuckDB_LIBRARY}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/logquery" COMPONENT library)
    install(FILES "${DuckDB_LIBRARY}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/logquery" COMPONENT program EXCLUDE_FROM_ALL)
    install(FILES "${DuckDB_INCLUDE_DIR}/duckdb.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/logquery-duckdb"
      COMPONENT development)
    logquery_install_document("${LOGQUERY_DEPS_DIR}/duckdb/LICENSE" RENAME LICENSE.duckdb)
  endif()
endif()
if(LOGQUERY_WITH_POSTGRES)
  logquery_install(logquery_postgres logquery-postgresTargets)
endif()
if(TARGET logquery_http)
  logquery_install(logquery_http logquery-httpTargets)
endif()
if(TARGET logquery_http_server)
  logquery_install(logquery_http_server logquery-http_serverTargets)
endif()
if(LOGQUERY_WITH_CLICKHOUSE)
  logquery_install(logquery_clickhouse logquery-clickhouseTargets)
endif()
if(LOGQUERY_WITH_BIGQUERY)
  logquery_install(logquery_bigquery logquery-bigqueryTargets)
endif()
logquery_install(logquery_deployment logquery-deploymentTargets)
# The components that it needs.
string(REPLACE "logquery_" "" logquery_deployment_needs "${deployment_engines}")
if(TARGET logquery_shared)
  logquery_install(logquery_shared logquery-sharedTargets)
  set_property(GLOBAL APPEND PROPERTY LOGQUERY_BUILT_library "$<TARGET_FILE:logquery_shared>")
endif()
if(TARGET logquery_cli)
  include(LogqueryServerFiles)
endif()

logquery_describe_abseil(logquery_abseil)
configure_package_config_file(cmake/logqueryConfig.cmake.in "${PROJECT_BINARY_DIR}/logqueryConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/logqueryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/logqueryConfig.cmake" "${PROJECT_BINARY_DIR}/logqueryConfigVersion.cmake"
  cmake/LogqueryAbseil.cmake cmake/FindRE2.cmake cmake/Findzstd.cmake cmake/FindDuckDB.cmake
  cmake/FindLibpq.cmake
  DESTINATION "${package_dir}" COMPONENT development)

if(TARGET logquery_shared)
  # The file finds the prefix from its own place, so that what is installed can be moved.
  file(RELATIVE_PATH pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  get_target_property(pc_requires logquery_shared INTERFACE_LINK_LIBRARIES)
  list(FILTER pc_requires INCLUDE REGEX "^absl::[a-z0-9_]+$")
  list(TRANSFORM pc_requires REPLACE "absl::" "absl_")
  list(JOIN pc_requires " " pc_requires)
  configure_file(cmake/package/logquery.pc.in "${PROJECT_BINARY_DIR}/logquery.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/logquery.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endif()

# The files that each component copies out of the build folder, for the check above.
set(check "set(logquery_source \"${PROJECT_SOURCE_DIR}\")\nset(logquery_build \"${PROJECT_BINARY_DIR}\")\n")
string(APPEND check "set(logquery_components ${logquery_components})\n")
foreach(component IN LISTS logquery_components)
  get_property(built GLOBAL PROPERTY LOGQUERY_BUILT_${component})
  string(APPEND check "set(logquery_built_${component} \"${built}\")\n")
endforeach()
string(APPEND check "include(\"${PROJECT_SOURCE_DIR}/cmake/package/check_built.cmake\")\n")
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/check_built.cmake" CONTENT "${check}")
