# Tests that are no C++: the console, clients of others, scripts, the pages' commands, and what is installed.

# The scripts, and what is installed, do not change with a sanitizer.
if(NOT LOGQUERY_SANITIZE)
  # Clients need node, also without the console.
  find_program(LOGQUERY_NODE NAMES node nodejs DOC "Bundles the console")
  set(no_node "there is no node: scripts/bootstrap, then configure anew")
  # The console: its types, its parts, and what a person does with it in a browser, against the real server.
  if(TARGET logquery_cli AND NOT (LOGQUERY_WITH_CONSOLE AND LOGQUERY_NODE))
    logquery_skipped_tests("this build is without the console, which needs node and packages: scripts/bootstrap, then configure anew"
      console.types console.units console.browser codegen.typescript openapi.programs)
  endif()
  if(TARGET logquery_cli AND LOGQUERY_WITH_CONSOLE AND LOGQUERY_NODE)
    add_test(NAME console.types COMMAND "${LOGQUERY_NODE}" "${LOGQUERY_DEPS_DIR}/console/node_modules/typescript/bin/tsc"
      -p "${PROJECT_SOURCE_DIR}/shim/web")
    add_test(NAME console.units COMMAND "${LOGQUERY_NODE}" browser/units.mjs "${LOGQUERY_DEPS_DIR}/console/node_modules")
    add_test(NAME console.browser COMMAND "${LOGQUERY_NODE}" browser/run.mjs "$<TARGET_FILE:logquery_cli>"
      "${LOGQUERY_DEPS_DIR}/console/node_modules" "${PROJECT_BINARY_DIR}/browser")
    # Without chromedriver it says so and is skipped; scripts/bootstrap browser installs it. It takes the longest, so it starts first.
    set_tests_properties(console.types console.units console.browser PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" LABELS console TIMEOUT 300)
    set_tests_properties(console.browser PROPERTIES SKIP_RETURN_CODE 77 COST 1000 TIMEOUT 1200)
    # The generated TypeScript client, compiled by the console's TypeScript, against the real server.
    add_test(NAME codegen.typescript COMMAND "${LOGQUERY_NODE}" codegen/typescript/run.mjs "$<TARGET_FILE:logquery_cli>"
      "${LOGQUERY_DEPS_DIR}/console/node_modules" "${PROJECT_BINARY_DIR}/codegen_typescript")
    # Others' programs on the OpenAPI document; without the packages of scripts/bootstrap openapi it says so and is skipped.
    add_test(NAME openapi.programs COMMAND "${LOGQUERY_NODE}" openapi/run.mjs "$<TARGET_FILE:logquery_cli>"
      "${LOGQUERY_DEPS_DIR}/openapi/node_modules" "${PROJECT_BINARY_DIR}/openapi")
    set_tests_properties(openapi.programs PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" LABELS console SKIP_RETURN_CODE 77 TIMEOUT 300)
    set_tests_properties(codegen.typescript PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" LABELS console TIMEOUT 300)
  endif()
  # Clients as they are installed, and Studio's requests, against the real server. What is not installed is skipped, and says so.
  if(TARGET logquery_cli AND LOGQUERY_NODE)
    foreach(part npm syslog_ng studio)
      add_test(NAME ingest.clients_${part} COMMAND "${LOGQUERY_NODE}" ingest/clients/run.mjs ${part} "$<TARGET_FILE:logquery_cli>"
        "${LOGQUERY_DEPS_DIR}/clients/node_modules" "${PROJECT_BINARY_DIR}/ingest_clients_${part}")
      set_tests_properties(ingest.clients_${part} PROPERTIES
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" SKIP_RETURN_CODE 77 TIMEOUT 300)
    endforeach()
  elseif(TARGET logquery_cli)
    logquery_skipped_tests("${no_node}" ingest.clients_npm ingest.clients_syslog_ng ingest.clients_studio)
  endif()
  # The official clients of MCP, and its conformance tests; without the packages of scripts/bootstrap mcp they say so and are skipped.
  if(TARGET logquery_cli AND LOGQUERY_NODE AND LOGQUERY_WITH_DUCKDB)
    add_test(NAME mcp.clients COMMAND "${LOGQUERY_NODE}" mcp/run.mjs "$<TARGET_FILE:logquery_cli>"
      "${LOGQUERY_DEPS_DIR}/mcp/node_modules" "${PROJECT_BINARY_DIR}/mcp_clients")
    add_test(NAME mcp.conformance COMMAND "${LOGQUERY_NODE}" mcp/conformance.mjs "$<TARGET_FILE:logquery_cli>"
      "${LOGQUERY_DEPS_DIR}/mcp/node_modules" "${PROJECT_BINARY_DIR}/mcp_conformance")
    set_tests_properties(mcp.clients mcp.conformance PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" SKIP_RETURN_CODE 77 TIMEOUT 300)
  elseif(TARGET logquery_cli AND LOGQUERY_WITH_DUCKDB)
    logquery_skipped_tests("${no_node}" mcp.clients mcp.conformance)
  endif()
  # Others' readers of Arrow and Parquet; without the packages of scripts/bootstrap formats it says so and is skipped.
  if(TARGET logquery_cli AND LOGQUERY_NODE AND LOGQUERY_WITH_DUCKDB)
    add_test(NAME formats.readers COMMAND "${LOGQUERY_NODE}" formats/run.mjs "$<TARGET_FILE:logquery_cli>"
      "${LOGQUERY_DEPS_DIR}/formats/node_modules" "${PROJECT_BINARY_DIR}/formats_readers")
    set_tests_properties(formats.readers PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" SKIP_RETURN_CODE 77 TIMEOUT 300)
    if(NOT LOGQUERY_SANITIZE)
      add_test(NAME formats.million COMMAND "${LOGQUERY_NODE}" --max-old-space-size=6144 formats/run.mjs "$<TARGET_FILE:logquery_cli>"
        "${LOGQUERY_DEPS_DIR}/formats/node_modules" "${PROJECT_BINARY_DIR}/formats_million" million)
      set_tests_properties(formats.million PROPERTIES
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" LABELS nightly SKIP_RETURN_CODE 77 TIMEOUT 900)
    endif()
  elseif(TARGET logquery_cli AND LOGQUERY_WITH_DUCKDB)
    logquery_skipped_tests("${no_node}" formats.readers)
  endif()
  add_test(NAME scripts.check_layers COMMAND "${Python3_EXECUTABLE}" scripts/check_layers_test.py)
  add_test(NAME scripts.check_tidy COMMAND "${Python3_EXECUTABLE}" scripts/check_tidy_test.py)
  add_test(NAME scripts.check_promises COMMAND "${Python3_EXECUTABLE}" scripts/check_promises_test.py)
  add_test(NAME scripts.nightly COMMAND "${Python3_EXECUTABLE}" scripts/nightly_test.py)
  add_test(NAME scripts.skipped_tests COMMAND "${Python3_EXECUTABLE}" scripts/skipped_tests_test.py)
  add_test(NAME docs.function_steps COMMAND
    "${Python3_EXECUTABLE}" docs/function_steps_test.py "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  if(TARGET logquery_cli)
    add_test(NAME docs.from_clone COMMAND
      "${Python3_EXECUTABLE}" docs/from_clone_test.py "${PROJECT_SOURCE_DIR}" "$<TARGET_FILE:logquery_cli>")
    set_tests_properties(docs.from_clone PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" SKIP_RETURN_CODE 77 TIMEOUT 300)
  endif()
  add_test(NAME docs.promises COMMAND "${Python3_EXECUTABLE}" ../scripts/check_promises)
  add_test(NAME scripts.bootstrap COMMAND scripts/bootstrap_test)
  find_program(LOGQUERY_MKDOCS mkdocs)
  find_program(LOGQUERY_DOXYGEN doxygen)
  if(LOGQUERY_MKDOCS AND LOGQUERY_DOXYGEN)
    # A warning, such as a link that leads nowhere, is a failure.
    add_test(NAME docs.site COMMAND "${PROJECT_SOURCE_DIR}/scripts/docs")
    set_tests_properties(docs.site PROPERTIES TIMEOUT 300)
  else()
    logquery_skipped_tests("there is no mkdocs or no doxygen: scripts/bootstrap docs, then configure anew" docs.site)
  endif()
  if(TARGET logquery_cli)
    # A fresh clone, built, with every command of the pages: a night's work.
    add_test(NAME docs.newcomer_walk COMMAND "${Python3_EXECUTABLE}" docs/newcomer_walk.py "${PROJECT_SOURCE_DIR}"
      "${PROJECT_BINARY_DIR}/newcomer_walk")
    set_tests_properties(docs.newcomer_walk PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 7200 LABELS nightly)
    # Servers as processes: with outputs that block, bodies that are refused, and limits of the system.
    foreach(part IN ITEMS outputs bodies limits reported)
      add_test(NAME shim.process_${part} COMMAND "${Python3_EXECUTABLE}" ${part}_test.py "$<TARGET_FILE:logquery_cli>")
      set_tests_properties(shim.process_${part} PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/shim/process" TIMEOUT 600)
    endforeach()
    # Equal answers of logquery and of other engines over a few thousand rows; an engine that is not installed is left out.
    if(LOGQUERY_WITH_DUCKDB)
      add_test(NAME bench.peers COMMAND "${Python3_EXECUTABLE}" bench/peers/peers_test.py "$<TARGET_FILE:logquery_cli>")
      set_tests_properties(bench.peers PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 1800 PROCESSORS 2 SKIP_RETURN_CODE 77)
    endif()
    # The proxies of docs/tls.md; each is skipped where it is not installed.
    foreach(proxy IN ITEMS nginx caddy)
      add_test(NAME docs.tls_${proxy} COMMAND "${Python3_EXECUTABLE}" docs/tls_test.py "$<TARGET_FILE:logquery_cli>"
        "${PROJECT_SOURCE_DIR}/docs/tls.md" ${proxy})
      set_tests_properties(docs.tls_${proxy} PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 120 SKIP_RETURN_CODE 77)
    endforeach()
    add_test(NAME examples.container
      COMMAND "${Python3_EXECUTABLE}" scripts/containerfile_test.py "$<TARGET_FILE:logquery_cli>")
    set_tests_properties(examples.container PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 300)
    # The compose file, its endpoints and the page's commands, without Docker.
    add_test(NAME examples.supabase
      COMMAND "${Python3_EXECUTABLE}" scripts/supabase_example_test.py "$<TARGET_FILE:logquery_cli>")
    set_tests_properties(examples.supabase PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" SKIP_RETURN_CODE 77 TIMEOUT 300)
    # The image itself, in a chroot: minutes, and packages of a mirror.
    if(TARGET logquery_shared)
      add_test(NAME examples.container_build
        COMMAND "${Python3_EXECUTABLE}" scripts/container_build.py "${PROJECT_BINARY_DIR}" "${PROJECT_BINARY_DIR}/container")
      set_tests_properties(examples.container_build PROPERTIES
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" LABELS nightly SKIP_RETURN_CODE 77 TIMEOUT 1800)
    endif()
  endif()
  set_tests_properties(docs.function_steps PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 600)
  set_tests_properties(scripts.check_layers scripts.check_promises scripts.check_tidy scripts.nightly scripts.skipped_tests docs.promises scripts.bootstrap
    PROPERTIES
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 120)
  add_subdirectory(install)
endif()

if(LOGQUERY_SANITIZE STREQUAL "thread")
  add_executable(seeded_race scripts/seeded_race.cc)
  target_link_libraries(seeded_race PRIVATE absl::synchronization Threads::Threads)
  logquery_target(seeded_race)
  add_test(NAME scripts.seeded_race_is_found COMMAND seeded_race race)
  set_tests_properties(scripts.seeded_race_is_found PROPERTIES
    PASS_REGULAR_EXPRESSION "WARNING: ThreadSanitizer: data race")
  add_test(NAME scripts.guarded_is_no_race COMMAND seeded_race guarded)
endif()
