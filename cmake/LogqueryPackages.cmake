# Debian packages by CPack: liblogquery0.1 (the shared library, and DuckDB's), liblogquery-dev and logquery (the server).
# `cpack -G DEB` in the build folder makes them, and scripts/package with the other files of a release.
if(NOT TARGET logquery_shared OR NOT TARGET logquery_cli)
  return()
endif()
set(soversion "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(package_of_library "liblogquery${soversion}")
set(package_of_development liblogquery-dev)
set(package_of_server logquery)
set(package_files "${PROJECT_BINARY_DIR}/package_files")

# The change log of the packages; the one of the project is docs/changelog.md.
string(CONCAT changelog "logquery (${PROJECT_VERSION}) stable; urgency=medium\n\n  * See docs/changelog.md of the source.\n\n"
  " -- The logquery developers <logquery@example.org>  Mon, 23 Nov 2026 00:00:00 +0000\n")
file(CONFIGURE OUTPUT "${package_files}/changelog" CONTENT "${changelog}" @ONLY)
find_program(LOGQUERY_GZIP gzip REQUIRED)
# Without a name and a time in it, so that it is the same whenever it is made.
execute_process(COMMAND "${LOGQUERY_GZIP}" -9nf "${package_files}/changelog" COMMAND_ERROR_IS_FATAL ANY)
file(READ "${logquery_notices_file}" notices)
string(CONCAT copyright "logquery is under the Apache License 2.0; Debian has its text in /usr/share/common-licenses/Apache-2.0.\n"
  "Copyright: the logquery developers\n\n" "${notices}")
set(copyright_file "${package_files}/copyright")
file(WRITE "${copyright_file}" "${copyright}")
foreach(component IN ITEMS library development server)
  install(FILES "${copyright_file}" "${package_files}/changelog.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package_of_${component}}" COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
# Settings are the packages' alone: cmake --install writes into its prefix and nowhere else.
install(FILES cmake/package/logquery.json DESTINATION /etc/logquery COMPONENT server EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME logquery)
set(CPACK_PACKAGE_CONTACT "The logquery developers <logquery@example.org>")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL library development server)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package/prepare.cmake")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "${package_of_library}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# Abseil reads time zones from its files.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS tzdata)
# CPack's own files of control call ldconfig from scripts, where Debian has a trigger.
file(CONFIGURE OUTPUT "${package_files}/shlibs" @ONLY
  CONTENT "liblogquery ${soversion} ${package_of_library} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  "${package_files}/shlibs;${PROJECT_SOURCE_DIR}/cmake/package/library/triggers")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "library that answers saved log queries\n The C++ library of logquery as a shared library, and the engine in it, DuckDB.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME "${package_of_development}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${package_of_library} (= ${PROJECT_VERSION}), libabsl-dev, libre2-dev, zlib1g-dev, \
libzstd-dev, libssl-dev, libpq-dev, libcurl4-openssl-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "library that answers saved log queries (development files)\n Headers, static libraries and the files of CMake and pkg-config.")
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME "${package_of_server}")
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "${package_of_library} (= ${PROJECT_VERSION}), adduser, passwd")
# For engines and collectors elsewhere.
set(CPACK_DEBIAN_SERVER_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${LOGQUERY_DEPS_DIR}/duckdb/lib")
set(server_control "${PROJECT_SOURCE_DIR}/cmake/package/server")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
  "${server_control}/postinst;${server_control}/prerm;${server_control}/postrm;${server_control}/conffiles")
set(CPACK_COMPONENT_SERVER_DESCRIPTION
  "server that answers saved log queries over HTTP\n Saved, parameterised log queries in the BigQuery dialect, over a folder\n of logs or another engine.")
include(CPack)
