# Finds cpp-httplib's header: httplib::httplib.
find_path(httplib_INCLUDE_DIR httplib.h HINTS "${LOGQUERY_DEPS_DIR}/httplib/include")
mark_as_advanced(httplib_INCLUDE_DIR)
if(httplib_INCLUDE_DIR)
  file(STRINGS "${httplib_INCLUDE_DIR}/httplib.h" httplib_VERSION REGEX "^#define CPPHTTPLIB_VERSION \"")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" httplib_VERSION "${httplib_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(httplib
  REQUIRED_VARS httplib_INCLUDE_DIR
  VERSION_VAR httplib_VERSION
  REASON_FAILURE_MESSAGE "Run scripts/bootstrap, or set httplib_INCLUDE_DIR to the folder of httplib.h")

if(httplib_FOUND AND NOT TARGET httplib::httplib)
  add_library(httplib::httplib INTERFACE IMPORTED)
  target_include_directories(httplib::httplib INTERFACE "${httplib_INCLUDE_DIR}")
  target_link_libraries(httplib::httplib INTERFACE Threads::Threads)
  # Its limits are compiled in. Dashboards send SQL of over 7 KB in a URL; five waiting connections are too few under
  # load; Nagle's algorithm holds a chunked answer back for 44 ms; and select() takes no descriptor from 1024 on, so a program
  # that has many files open would drop its next connections.
  target_compile_definitions(httplib::httplib INTERFACE
    CPPHTTPLIB_REQUEST_URI_MAX_LENGTH=65536
    CPPHTTPLIB_LISTEN_BACKLOG=511
    CPPHTTPLIB_TCP_NODELAY=true
    CPPHTTPLIB_USE_POLL)
endif()
