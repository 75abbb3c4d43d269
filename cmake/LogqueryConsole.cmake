# logquery_console_files(VARIABLE): the files of the console, made by npm's packages from shim/web, to embed.
#
# scripts/bootstrap puts the packages into .deps/console. Where node or they are not there, or LOGQUERY_WITH_CONSOLE is OFF,
# the program has a page instead that says so.
option(LOGQUERY_WITH_CONSOLE "Build the console, which needs node and the packages of scripts/bootstrap" ON)

function(logquery_console_files variable)
  set(source "${PROJECT_SOURCE_DIR}/shim/web")
  set(without "${source}/without")
  set(${variable} "${without}/index.html" "${without}/console.js" "${without}/console.css" "${source}/console.svg" PARENT_SCOPE)
  if(NOT LOGQUERY_WITH_CONSOLE)
    message(STATUS "logquery: built without the console, as LOGQUERY_WITH_CONSOLE is OFF")
    return()
  endif()
  find_program(LOGQUERY_NODE NAMES node nodejs DOC "Bundles the console")
  set(packages "${LOGQUERY_DEPS_DIR}/console/node_modules")
  if(NOT LOGQUERY_NODE OR NOT EXISTS "${packages}/esbuild/package.json")
    message(STATUS "logquery: built without the console: node or its packages are missing; scripts/bootstrap gets them, "
      "-DLOGQUERY_WITH_CONSOLE=OFF goes on without")
    return()
  endif()

  file(GLOB sources CONFIGURE_DEPENDS "${source}/*.*" "${source}/src/*")
  set(into "${PROJECT_BINARY_DIR}/console")
  set(made "")
  foreach(name IN ITEMS index.html console.js console.css console.svg)
    list(APPEND made "${into}/${name}" "${into}/${name}.gz")
  endforeach()
  add_custom_command(
    OUTPUT ${made}
    COMMAND "${LOGQUERY_NODE}" "${source}/build.mjs" "${packages}" "${into}"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/docs/sql_support.md" "${LOGQUERY_DEPS_DIR}/console/package-lock.json"
    COMMENT "Bundling the console"
    VERBATIM)
  set(${variable} ${made} PARENT_SCOPE)
endfunction()
