# What `cmake --install` lays out, and what find_package(logquery) and pkg-config find there. The components library,
# development and server become Debian packages: LogqueryPackages.cmake.
include(CMakePackageConfigHelpers)
include(LogqueryAbseil)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/logquery")

install(DIRECTORY include/logquery DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(FILES lib/testing/function_cases.txt DESTINATION "${CMAKE_INSTALL_DATADIR}/logquery" COMPONENT development)
install(FILES LICENSE "${logquery_notices_file}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation)

# logquery_install(TARGET EXPORT): a component has its own file of targets, so that one can be used without the others.
function(logquery_install target export)
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
    install(FILES "${DuckDB_INCLUDE_DIR}/duckdb.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/logquery-duckdb"
      COMPONENT development)
    install(FILES "${LOGQUERY_DEPS_DIR}/duckdb/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation
      RENAME LICENSE.duckdb)
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
endif()
if(TARGET logquery_cli)
  install(TARGETS logquery_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT server)
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
