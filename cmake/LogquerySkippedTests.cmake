# Tests that can't be registered, because what they need was not there when the build was configured. Each stands in ctest's list as
# a skipped test with the reason, so that the end of scripts/test names it.
#
#     logquery_skipped_tests("there is no mkdocs; scripts/bootstrap docs installs it" docs.site)
function(logquery_skipped_tests reason)
  foreach(name IN LISTS ARGN)
    add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" -c "import sys; print('skipped: ' + sys.argv[1]); sys.exit(77)" "${reason}")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endfunction()
